"""What a contract is worth on deals of one frame, with as little as possible beside the search.

What `solve` says of a contract for tricks hangs on nothing but the frame and the value, unless the
game pays for cards: so it is asked once for each value, and from then on only the value is searched
for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from spadille.batch.frames import Frame, Framed
from spadille.deal import Deal
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.limits import DEFAULT
from spadille.search.objective import TrickCount
from spadille.search.question import Question, Search


class _CardsAskedForError(Exception):
    """A payoff hangs on who has which card."""


class _Unseen(Mapping[str, Any]):
    """Hands nobody may look at."""

    def __getitem__(self, seat: str) -> NoReturn:
        raise _CardsAskedForError

    def __iter__(self) -> Iterator[str]:
        raise _CardsAskedForError

    def __len__(self) -> NoReturn:
        raise _CardsAskedForError


class FramedSolver:
    """Solves deals of one frame; made by `framed_solver`."""

    __slots__ = ("_answers", "_bits", "_question", "_seats", "_solver")

    def __init__(self, solver: Solver, question: Question[Any], rules_seats: list[int]) -> None:
        self._solver = solver
        self._question = question
        self._seats = rules_seats
        self._bits: tuple[dict[str, int], ...] = ({}, {}, {}, {})
        self._answers: dict[tuple[int, int], str] = {}

    def answer(self, hands: list[str], whole: Callable[[], str]) -> str:
        """Return the answer for hands in canonical form, in the order of seats.

        `whole` gives it in the long way, when a value comes up for the first time.
        """
        question = self._question
        at = question.at
        try:
            masks = [self._mask(hands[seat]) for seat in self._seats]
        except KeyError:
            self._learn(hands)
            masks = [self._mask(hands[seat]) for seat in self._seats]
        problem = at.problem._replace(hands=tuple(masks))
        question.at = at._replace(problem=problem)
        question.search = Search(self._solver, DEFAULT)
        found = question.bounds()
        answer = self._answers.get(found)
        if answer is None:
            answer = self._answers[found] = whole()
        return answer

    def _mask(self, hand: str) -> int:
        spades, hearts, diamonds, clubs = self._bits
        s, h, d, c = hand.split(".")
        return spades[s] | hearts[h] | diamonds[d] | clubs[c]

    def _learn(self, hands: list[str]) -> None:
        bits = self._question.at.encoding.bits
        for hand in hands:
            for suit, ranks, known in zip("SHDC", hand.split("."), self._bits, strict=True):
                known[ranks] = sum(bits[suit + rank] for rank in ranks)


def framed_solver(framed: Framed, solver: Solver) -> FramedSolver | None:
    """Return what solves deals of this frame; None where it hangs on more than the value."""
    frame = framed.frame
    deal, contract = frame.deal, frame.contract
    if contract is None or len(contract.declarers) > 1:
        return None
    at = situation(deal, contract)
    question = Question.of(deal, contract, at, contract.declarer, Search(solver, DEFAULT))
    if (
        at.trumps
        or not isinstance(question.objective, TrickCount)
        or not _pays_tricks(frame, question)
    ):
        return None
    seats = [deal.rules.seats.index(seat) for seat in at.encoding.player]
    return FramedSolver(solver, question, seats)


def _pays_tricks(frame: Frame, question: Question[Any]) -> bool:
    """Whether no payoff of the contract hangs on the cards."""
    low, high = question.span()
    blind = replace(question, deal=_blind(frame.deal))
    try:
        for value in range(low, high + 1):
            blind.optimum(question.verdict(value, value), lambda: None)
    except _CardsAskedForError:
        return False
    return True


def _blind(deal: Deal) -> Deal:
    return replace(deal, hands=_Unseen())
