"""Find the values of a declarer's objective along the play with one transposition table.

Only the player to move can lower the value for their own side. The search works backwards from the
last card. Each value equals the next position's value unless the player could have done better; one
question usually settles that. The engine does this for a whole hand at once (replayed_cards.pxi).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from spadille.base.errors import TooHardError
from spadille.search.contract_objective import ContractObjective, SideObjective
from spadille.search.encoding import Situation
from spadille.search.engine import ReplayedCards, ValuesAlongPlay
from spadille.search.question import Question
from spadille.search.value_names import Grades


class Path:
    """Cards that were played, and the situations before, between and after them.

    Its cards are those from `first` to `last` of a play that begins in the situation `origin`.
    """

    def __init__(
        self,
        origin: Situation,
        play: ReplayedCards,
        first: int = 0,
        last: int | None = None,
        *,
        goes_on: bool = False,
    ) -> None:
        self.play = play
        self.first = first
        self.last = len(play) if last is None else last
        self._origin = origin._replace(goes_on=True) if goes_on else origin
        self._situations: dict[int, Situation] = {} if first else {0: self._origin}

    def __len__(self) -> int:
        return self.last - self.first

    @property
    def cards(self) -> list[int]:
        """The numbers of the cards."""
        return self.play.cards[self.first : self.last]

    @property
    def players(self) -> list[int]:
        """The player of each card."""
        return self.play.players[self.first : self.last]

    @property
    def free(self) -> list[bool]:
        """Whether the player of each card had a choice; equivalent cards count as one."""
        return self.play.free[self.first : self.last]

    @property
    def start(self) -> Situation:
        """The situation before the first card."""
        return self.situation(0)

    @property
    def end(self) -> Situation:
        """The situation after the last card."""
        return self.situation(len(self))

    def situation(self, i: int) -> Situation:
        """Return the situation before card `i` of this path, or after its last card."""
        at = self._situations.get(i)
        if at is None:
            at = self._situations[i] = self._situation(self.first + i)
        return at

    def _situation(self, number: int) -> Situation:
        code, _, won_before, history, trumps, goes_on = self._origin
        done = self.play.history(number)
        won = [*won_before]
        for winner, _ in done:
            won[winner] += 1
        problem = self.play.problem(number)
        return Situation(code, problem, tuple(won), (*history, *done), trumps, goes_on)

    def cut(self, i: int, *, goes_on: bool = False) -> tuple[Path, Path]:
        """Split the path before card `i`; the side `goes_on` for all tricks in the second part."""
        at = self.first + i
        before = Path(self._origin, self.play, self.first, at)
        return before, Path(self._origin, self.play, at, self.last, goes_on=goes_on)


def along(
    question: Question[SideObjective], path: Path, needs: Sequence[int], cards: int
) -> ValuesAlongPlay:
    """Return a search for the values along the first cards of a path.

    `needs` has the lowest value of each grade.
    """
    return ValuesAlongPlay(
        question.objective.engine,
        question.search.solver,
        path.play,
        first=path.first,
        last=path.first + cards,
        state=question.state,
        needs=needs,
    )


class Track:
    """The values of one declarer's question along the play, as grades.

    `values` has the value before each card and after the last one, or a lower bound if a limit left
    it open. `most` has the upper bounds.
    """

    def __init__(self, question: Question[ContractObjective], path: Path) -> None:
        self.seat = question.seat
        self.contractors = question.contract.declarers
        self.path = path
        self.grades = Grades(question)
        self._question = question
        self._along = along(question, path, self.grades.needs, len(path))
        self.gains = self._along.gains
        self.values: list[int] = []
        self.most: list[int] = []
        self._best: dict[int, int] = {}
        self.eventful: list[int] = []
        """The cards that changed the value, or whose best cards or values are of interest."""

    @property
    def target(self) -> int | None:
        """See `Question.target`."""
        return self._question.target

    def question(self, i: int) -> Question[ContractObjective]:
        """Return the question in position `i`."""
        first = self._question
        return Question(
            first.deal,
            first.contract,
            self.path.situation(i),
            first.seat,
            first.objective,
            first.search,
            state=self._along.states[i],
        )

    def settle(self) -> None:
        """Find the value of every position, or bounds on the value if a limit stops the search.

        If a search is stopped although there is no limit of nodes or seconds, the error from
        `Search.stopped` is raised.
        """
        objective = self._question.objective
        if not self._along.settle(objective.by_tricks, objective.guess):
            self._check_limited()
            self._along.bound()
        self.values = self._along.values
        self.most = self._along.most

    def known(self, i: int) -> bool:
        """Return whether the value of position `i` is known."""
        return self.values[i] == self.most[i]

    def compare(self, every: bool) -> None:
        """Find the best cards where a better card was missed or, with `every`, in all positions.

        If values are unknown or a limit stops the comparison, no cards are listed.
        """
        self._best, finished = self._along.compare(every)
        if not finished:
            self._check_limited()
        if self.values == self.most:
            missed = (i for i, (value, after) in enumerate(pairwise(self.values)) if value != after)
            self.eventful = sorted({*missed, *self._best})
        else:
            self.eventful = [*range(len(self.path))]

    def best_cards(self, i: int) -> tuple[str, ...]:
        """Return the cards that are known to keep the value, by suit and from high to low."""
        best = self._best.get(i)
        return tuple(self._question.at.encoding.cards(best)) if best else ()

    def _check_limited(self) -> None:
        """Raise the error from `Search.stopped` unless it was a limit that stopped the search."""
        search = self._question.search
        error = search.stopped()
        if not (search.limited and isinstance(error, TooHardError)):
            raise error
