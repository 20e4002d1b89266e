"""A point in the recorded play: `--after` and `--trick`."""

from __future__ import annotations

from dataclasses import dataclass, replace

import click

from spadille.base.errors import IllegalCardError
from spadille.base.words_for_messages import many
from spadille.core.knowledge.seat_knowledge import next_player
from spadille.core.position import Position
from spadille_cli.case_and_answer import Case
from spadille_cli.contract_options import check_game_has_seat
from spadille_cli.deal_source import replayed
from spadille_cli.exit_status import Tally
from spadille_cli.shared_options import Whole, cli_option, collected


@dataclass(frozen=True, slots=True)
class Point:
    """A point in the play, after some cards or before a trick; by default the end of the record."""

    after: int | None = None
    trick: int | None = None

    @property
    def named(self) -> bool:
        """Whether a point was given."""
        return self.after is not None or self.trick is not None

    @property
    def played(self) -> bool:
        """Whether at least one card is played before the point."""
        return bool(self.after) or (self.trick or 1) > 1

    def of(self, case: Case, tally: Tally) -> Case:
        """Return the case with the play up to that point, and the contract in force there.

        If the contract is not the file's, the play is empty. Raises IllegalCardError.
        """
        entry = case.entry
        # An option that only names the trump leaves the contract the same.
        named = case.contract and replace(case.contract, trump=None)
        if entry.contract in (None, named):
            case = replayed(case, tally)
        elif (entry.deal, entry.contract) != (case.deal, case.contract):
            case = replace(case, play=None)
        after = self.after
        if self.trick is not None and case.deal:
            after = (self.trick - 1) * len(case.deal.rules.seats)
        recorded = len(case.cards) - len(case.further)
        if after is not None and after > recorded:
            so_far = many(recorded, "card")
            asked = f"not {after}" if self.trick is None else f"so no trick {self.trick}"
            message = f"the recorded play has {so_far}, {asked}"
            raise IllegalCardError(message, "play-too-short")
        if after is None:
            case = replace(case.taken_over(), after=recorded)
        else:
            case = replace(case, after=after).taken_over()
        _check_further(case)
        return case


def at_seat(case: Case, seat: str) -> Case:
    """Go back to a seat's last turn at or before the point of the case.

    Raises RulesError for an unknown seat, and IllegalCardError if the seat has played no card and
    is not to play.
    """
    deal, contract = case.deal, case.contract
    if deal is None or contract is None:
        return case
    check_game_has_seat(deal, seat)
    size = max((len(hand or ()) for hand in deal.hands.values()), default=0)
    recorded = len(case.cards) - len(case.further)
    for number in range(len(case.cards), -1, -1):
        over = number == size * len(deal.rules.seats)
        if not over and next_player(deal, contract, case.cards[:number]) == seat:
            further = case.further[: max(number - recorded, 0)]
            return replace(case, after=min(number, recorded), further=further)
    raise IllegalCardError(
        f"--seat: {seat} does not play a card before this point", "play-too-short"
    )


def _check_further(case: Case) -> None:
    """Raise IllegalCardError for an illegal card in `--play`."""
    deal, contract = case.deal, case.contract
    if not case.further or deal is None or contract is None or None in deal.hands.values():
        return
    position = Position.of(deal, contract)
    for card in case.cards[: -len(case.further)]:
        position.force(card)
    for number, card in enumerate(case.further, 1):
        try:
            position.play(card)
        except IllegalCardError as error:
            raise IllegalCardError(f"--play, card {number}: {error}", error.code) from error


def _point(after: int | None, trick: int | None) -> Point:
    if after is not None and trick is not None:
        raise click.UsageError("--after and --trick cannot be combined")
    return Point(after, trick)


point_options = collected(
    "point",
    _point,
    cli_option("--after N", "After N cards of the recorded play.", type=Whole(0)),
    cli_option("--trick K", "Before trick K of the recorded play.", type=Whole(1)),
)
"""The options for a point in the play; the command receives them as `point`."""
