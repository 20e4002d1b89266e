"""Replay the legal part of a recorded play, and encode it for the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from spadille.analysis.review.matador_and_called_card_hints import hint
from spadille.base.errors import IllegalCardError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games.model.contract_types_and_options import Surrender
from spadille.search.encoding import Situation
from spadille.search.engine import ReplayedCards, Solver
from spadille.search.first_run import may_stop, runners
from spadille.search.values_along_play import Path
from spadille.search.verdict import lost_at


class Played(NamedTuple):
    """One card of the play."""

    trick: int
    """Number of the trick, from 1."""
    seat: str
    card: str
    choice: bool
    """Whether the player had a choice; equivalent cards count as one."""
    hint: str | None
    """A sentence if the Matador privilege or the duty to play a called card affected the choice."""


class Replay(NamedTuple):
    """The cards played up to the first illegal one."""

    path: Path
    cards: list[Played]
    tricks: list[tuple[str, tuple[str, ...], str | None]]
    """Each trick's leader, cards in order of play, and winner; an incomplete trick has no
    winner."""
    error: IllegalCardError | None
    """The error if a card is illegal; the replay ends before it."""
    lost: int | None
    """The trick that ended the hand because it was lost (see `lost_at`)."""


def replay(
    deal: Deal, contract: Contract, at: Situation, solver: Solver, play: Iterable[str]
) -> Replay:
    """Play the cards up to the first illegal one, from the start of a trick."""
    code, problem, named = at.encoding, at.problem, tuple(play)
    seats, numbers, names, size = code.rules.turn_order, code.numbers, code.names, problem.players
    legal = named
    if at.trumps:  # the declarer cannot play a card before the trump is named
        legal = named[: (code.player[contract.declarer] - problem.leader) % size]
    played = ReplayedCards(solver, problem, [numbers.get(card, -1) for card in legal])
    path = Path(at, played)
    lost = lost_at(contract, path.end)
    if lost is not None:
        path, _ = path.cut(size * (lost - len(at.history)))
    number = len(path)
    error = _refusal(deal, contract, named[:number], named[number]) if number < len(named) else None
    hints = {i: hint(code, solver, played.problem(i), numbers[named[i]]) for i in played.privileged}
    cards = [
        Played(i // size + 1, seats[player], card, choice, hints.get(i))
        for i, card, player, choice in zip(
            range(number), named, played.players, path.free, strict=False
        )
    ]
    tricks: list[tuple[str, tuple[str, ...], str | None]] = []
    leader = seats[problem.leader]
    for winner, trick in path.end.history[len(at.history) :]:
        tricks.append((leader, tuple([names[card] for card in trick]), seats[winner]))
        leader = seats[winner]
    if lying := path.end.problem.trick:
        tricks.append((leader, tuple([names[card] for card in lying]), None))
    return Replay(path, cards, tricks, error, lost)


def before_surrender(surrender: Surrender, cards: list[Played]) -> int:
    """Return the number of cards played before the declarer surrendered."""
    later = (n for n, played in enumerate(cards) if surrender.precedes(played.trick, played.seat))
    return next(later, len(cards))


def _refusal(
    deal: Deal, contract: Contract, played: tuple[str, ...], card: str
) -> IllegalCardError | None:
    """Return the error for a card that may not be played."""
    position = Position.of(deal, contract)
    for earlier in played:
        position.force(earlier)
    try:
        position.play(card)
    except IllegalCardError as error:
        return error
    return None


class Stretch(NamedTuple):
    """A part of the play under one contract."""

    contract: Contract
    first: int
    """The number of cards played before this part."""
    legs: list[Path]
    """The legs of the part; a new leg begins if a side goes on for all tricks."""

    @property
    def end(self) -> Situation:
        """The situation after the last card."""
        return self.legs[-1].end

    @property
    def cards(self) -> range:
        """The indexes of the cards of this part."""
        return range(self.first, self.first + sum(map(len, self.legs)))


def parts_of(
    contract: Contract, path: Path, surrender: Surrender | None, before: int
) -> list[Stretch]:
    """Return the parts of the play; a new part begins if an opponent takes over."""
    if surrender is None or surrender.taken_over is None:
        return [Stretch(contract, 0, _legs(contract, path))]
    head, tail = path.cut(before)
    new = contract.taken_over(surrender.taken_over)
    return [
        Stretch(contract, 0, _legs(contract, head)),
        Stretch(new, before, _legs(new, tail)),
    ]


def _legs(contract: Contract, path: Path) -> list[Path]:
    rules, size = path.start.encoding.rules, path.start.problem.players
    kind = rules.contracts[contract.ids[0]]
    # The side may stop only just after the first run, and only if it has won all of it.
    tricks = path.first // size + kind.first_run - sum(path.start.won)
    i = size * tricks - path.first
    if not rules.may_go_on(kind) or not 0 <= i < len(path):
        return [path]
    runs, unknown = runners(contract, path.start), sum(path.start.won) - len(path.start.history)
    first_run = path.end.history[: kind.first_run - unknown]
    won = all(runs >> winner & 1 for winner, _ in first_run)
    if won and may_stop(contract, path.situation(i)):
        return [*path.cut(i, goes_on=True)]
    return [path]
