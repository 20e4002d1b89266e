"""Explain why a card was wrong: show how the other side profits, and the line after a better card.

The refutation is an optimal line that begins with the card and ends with the trick that settles its
cost. After that trick, the side that made the mistake cannot get back what the card cost, even if
all other players help it. The engine proves this by putting all players on that side. If the proof
takes too long, the line continues for another trick.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from spadille.core.position import Trick
from spadille.search.contract_objective import ContractObjective, helped
from spadille.search.engine import Solver, TrickObjective
from spadille.search.payoff_automata import Payoff
from spadille.search.question import Line, Question
from spadille.search.values_along_play import Track
from spadille.search.verdict import lost_at

_MEMORY = 16 << 20  # bytes
_NODES = 200_000  # node limit; such a question usually takes a hundred nodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Refutation:
    """The consequences of a wrong card for one declarer, with best play afterwards."""

    seat: str
    """The declarer."""
    card: str
    tricks: tuple[Trick, ...]
    """The tricks of the line. The first one contains the card and the cards played before it in
    that trick."""
    better: tuple[Trick, ...]
    """A line of the same number of tricks, with a better card and best play."""
    due: bool
    """Whether the line goes on until the loss is irrecoverable; false if a lost trick ends the hand
    first."""
    gains: bool
    """True if the card cost the declarer's side something, false if it cost the opponents
    something."""
    instead: str
    """The better card."""
    trump: str | None
    """The trump; this includes a trump that is named during the line."""
    words: str = ""
    """The explanation of the refutation in words."""

    def to_dict(self) -> dict[str, Any]:
        """Return the refutation fields of a card in JSON (see docs/json.md)."""
        return {
            "refutation": [list(trick.cards) for trick in self.tricks],
            "better_line": [list(trick.cards) for trick in self.better],
            "words": self.words,
        }


class Refuter:
    """Finds refutations; a separate solver proves when a loss is irrecoverable."""

    def __init__(self) -> None:
        self._solver = Solver(_MEMORY)
        self.nodes = 0
        """The number of nodes searched by the separate solver."""

    def refute(self, track: Track, i: int) -> Refutation:
        """Find the refutation of a costly card.

        Raises the error of `Search.stopped` if a limit stops the search.
        """
        question, gains = track.question(i), track.gains[i]
        question.search.check_not_interrupted()
        names = question.at.encoding.names
        card, grades = track.path.cards[i], track.grades
        before, after = track.values[i], track.values[i + 1]
        following = track.question(i + 1)
        line = _line(following, grades.needs[after])
        left = line.cards[len(following.at.problem.trick) :]
        # `need` is the next value above that of the position after the card or, if the opponents
        # erred, that value itself.
        need = grades.needs[after + 1 if gains else after]
        everybody = (1 << question.at.problem.players) - 1 if gains else 0
        together = helped(question.contract, track.path.start, question.seat, everybody)
        line_tricks = []
        for trick, place in _tricks(question, [names[card], *left], line.named):
            line_tricks.append((trick, place))
            if lost_at(question.contract, place.at) is not None:
                break
        places = [place for _, place in line_tricks]
        number = self._due(places, together, gains, need)
        tricks = [trick for trick, _ in line_tricks[:number]]
        best = _line(question, grades.needs[before])
        cards = best.cards[len(question.at.problem.trick) :]
        better = [trick for trick, _ in _tricks(question, cards, best.named)]
        trump = question.contract.trump or line.named
        return Refutation(
            seat=question.seat,
            card=names[card],
            tricks=tuple(tricks),
            better=tuple(better[: len(tricks)]),
            due=number is not None,
            gains=gains,
            instead=cards[0],
            trump=trump,
        )

    def _due(
        self,
        places: list[Question[ContractObjective]],
        together: TrickObjective | Payoff,
        gains: bool,
        need: int,
    ) -> int | None:
        """Return the number of tricks until the loss is irrecoverable; None if it never is.

        A loss by the declarer's side is irrecoverable if no play at all reaches `need`. A loss by
        the opponents is irrecoverable if no play at all leads to a value below `need`. Once a loss
        is irrecoverable, it stays so. The proof is easier with fewer cards left, so the last trick
        is tried first.
        """
        due = len(places) + 1
        for number, place in enumerate(places, 1):
            low, high = place.span()
            if high < need if gains else low >= need:
                due = number
                break
        for number in range(due - 1, 0, -1):
            place = places[number - 1]
            problem = place.at.problem
            if problem.trump < 0 and place.at.trumps:
                break  # until the trump is named, hardly anything is settled
            self._solver.limit(_NODES)
            reached = together.reaches(self._solver, problem, place.state, need)
            self.nodes += self._solver.nodes
            if reached is None and self._solver.stopped != "nodes":
                raise place.search.stopped()
            if reached is None or reached is gains:
                break
            due = number
        return due if due <= len(places) else None


def _line(question: Question[ContractObjective], value: int) -> Line:
    """Return an optimal line; `value` is a first guess at its value."""
    line = question.line(question.exact(value))
    if line is None:
        raise question.search.stopped()
    return line


def _tricks(
    question: Question[ContractObjective], cards: list[str], named: str | None
) -> Iterator[tuple[Trick, Question[ContractObjective]]]:
    """Yield each trick of a line with the question after it; cards on the table are included."""
    code, contract = question.at.encoding, question.contract
    seats = code.rules.turn_order
    leader = seats[question.at.problem.leader]
    trick = [code.names[number] for number in question.at.problem.trick]
    for card in cards:
        problem = question.at.problem
        if named and problem.trump < 0 and problem.to_play == code.player[contract.declarer]:
            problem = problem.named(code.lanes[named])
            question = replace(question, at=question.at._replace(problem=problem))
        question = question.after(code.numbers[card])
        trick.append(card)
        if not question.at.problem.trick:
            winner = seats[question.at.problem.leader]
            yield Trick(leader, tuple(trick), winner), question
            leader, trick = winner, []
