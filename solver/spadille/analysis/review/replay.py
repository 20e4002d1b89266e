"""Replay the legal part of a recorded play, and encode it for the engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from spadille.analysis.review.rule_hints import hint
from spadille.base.errors import IllegalCardError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games.model.contract_kinds import Surrender
from spadille.search.encoding import Situation
from spadille.search.engine import Solver
from spadille.search.going_for_all import lost_at, may_stop
from spadille.search.values_along_play import Path


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


def replay(
    deal: Deal, contract: Contract, at: Situation, solver: Solver, play: Iterable[str]
) -> Replay:
    """Play the cards up to the first illegal one."""
    seats, numbers, names = deal.rules.turn_order, at.encoding.numbers, at.encoding.names
    here, problem = at, at.problem
    path, cards, error = Path([at]), list[Played](), None
    tricks: list[tuple[str, tuple[str, ...], str | None]] = []
    special = problem.called >= 0 or problem.matadors
    for card in play:
        legal, equivalents = solver.legal(problem)
        number = numbers.get(card, -1)
        over = not problem.trick and lost_at(contract, here) is not None
        unnamed = at.trumps and problem.to_play == at.encoding.player[contract.declarer]
        if over or unnamed or number < 0 or not legal >> number & 1:
            error = _refusal(deal, contract, [earlier.card for earlier in cards], card)
            break
        different = legal & ~equivalents
        choice = different & different - 1 != 0
        player = problem.to_play
        note = hint(at.encoding, solver, problem, number) if special else None
        cards.append(Played(len(tricks) + 1, seats[player], card, choice, note))
        before, here = problem, path.add(number, choice)
        problem = here.problem
        if not problem.trick:
            done = tuple([names[lying_card] for lying_card in (*before.trick, number)])
            tricks.append((seats[before.leader], done, seats[problem.leader]))
    if problem.trick:
        lying = tuple([names[lying_card] for lying_card in problem.trick])
        tricks.append((seats[problem.leader], lying, None))
    return Replay(path, cards, tricks, error)


def before_surrender(surrender: Surrender, cards: list[Played]) -> int:
    """Return the number of cards played before the declarer surrendered."""
    later = (n for n, played in enumerate(cards) if surrender.precedes(played.trick, played.seat))
    return next(later, len(cards))


def _refusal(
    deal: Deal, contract: Contract, played: list[str], card: str
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
        return range(self.first, self.first + sum(len(leg.cards) for leg in self.legs))


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
    for i, at in enumerate(path.situations[:-1]):
        if not at.problem.trick and may_stop(contract, at):
            before, after = path.cut(i)
            after.situations = [later._replace(goes_on=True) for later in after.situations]
            return [before, after]
    return [path]
