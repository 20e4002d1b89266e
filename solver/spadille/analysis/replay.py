"""The recorded play in the engine's terms, as far as it is legal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from spadille.analysis.hints import hint
from spadille.analysis.shown import Shown, value, words
from spadille.contract import Contract
from spadille.deal import Deal
from spadille.errors import IllegalCardError
from spadille.parts import Surrender
from spadille.position import Position
from spadille.search.encoding import Situation
from spadille.search.engine import Solver
from spadille.search.going_on import lost_at, may_stop
from spadille.search.track import Path


@dataclass(frozen=True, slots=True, repr=False)
class Step(Shown):
    """One card of the play.

    Values, costs and best cards are those of the declaring side's contract; with several
    contractors they go by seat.
    """

    trick: int
    """Number of the trick, from 1."""
    seat: str
    card: str
    choice: bool
    """Whether there was more than one card to choose from, equals counting as one."""
    before: Any = None
    after: Any = None
    cost: Any = 0
    best: Any = ()
    """The cards that keep the value, where this one does not or where all were asked for."""
    mark: str = ""
    """"?" the card costs something, "??" it costs (or gives away) the contract."""
    hint: str | None = None
    """What the Matador privilege or a called card's duty made of the choice."""

    def __str__(self) -> str:
        moved = value(self.before)
        if self.before != self.after:
            moved += f" -> {value(self.after)}"
        return words(f"{self.trick}.", self.seat, f"{self.card}{self.mark}", moved)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        best = self.best
        fields = {name: getattr(self, name) for name in self.__slots__}
        fields["best"] = (
            {seat: list(cards) for seat, cards in best.items()}
            if isinstance(best, dict)
            else list(best)
        )
        return fields


@dataclass(slots=True)
class Record:
    """The play as far as it is legal."""

    path: Path
    steps: list[Step] = field(default_factory=list)
    tricks: list[tuple[str, tuple[str, ...], str | None]] = field(default_factory=list)
    error: IllegalCardError | None = None


def replay(
    deal: Deal, contract: Contract, at: Situation, solver: Solver, play: Iterable[str]
) -> Record:
    """Play the cards, up to the first that may not be played."""
    seats, numbers, names = deal.rules.turn_order, at.encoding.numbers, at.encoding.names
    here, problem = at, at.problem
    record = Record(Path())
    path, steps, tricks = record.path, record.steps, record.tricks
    special = problem.called >= 0 or problem.matadors
    for card in play:
        legal, twins = solver.legal(problem)
        number = numbers.get(card, -1)
        over = not problem.trick and lost_at(contract, here) is not None
        unnamed = at.trumps and problem.to_play == at.encoding.player[contract.declarer]
        if over or unnamed or number < 0 or not legal >> number & 1:
            record.error = _refusal(deal, contract, [step.card for step in steps], card)
            break
        different = legal & ~twins
        choice = different & different - 1 != 0
        player = problem.to_play
        told = hint(at.encoding, solver, problem, number) if special else None
        steps.append(Step(len(tricks) + 1, seats[player], card, choice, hint=told))
        before, here = problem, here.played(number)
        problem = here.problem
        path.players.append(player)
        path.cards.append(number)
        path.choices.append(choice)
        if not problem.trick:
            cards = tuple([names[one] for one in (*before.trick, number)])
            tricks.append((seats[before.leader], cards, seats[problem.leader]))
    if problem.trick:
        cards = tuple([names[one] for one in problem.trick])
        tricks.append((seats[problem.leader], cards, None))
    return record


def before_surrender(contract: Contract, surrender: Surrender, steps: list[Step]) -> int:
    """Return how many cards were played before the declarer gave up."""
    for number, step in enumerate(steps):
        his = step.trick == surrender.trick and step.seat == contract.declarer
        if step.trick > surrender.trick or his:
            return number
    return len(steps)


def _refusal(
    deal: Deal, contract: Contract, played: list[str], card: str
) -> IllegalCardError | None:
    """Say why a card may not be played."""
    position = Position.of(deal, contract)
    for one in played:
        position.force(one)
    try:
        position.play(card)
    except IllegalCardError as error:
        return error
    return None


def legs_of(contract: Contract, at: Situation, path: Path) -> list[tuple[Situation, Path]]:
    """Cut the play where a side goes on for all tricks: from there other values hold."""
    here = at
    for i, card in enumerate(path.cards):
        if not here.problem.trick and may_stop(contract, here):
            before, after = path.cut(i)
            return [(at, before), (here._replace(goes_on=True), after)]
        here = here.played(card)
    return [(at, path)]
