"""Answer the deals of one frame with little overhead beyond the search.

If a contract counts tricks and the game does not pay for cards, the answer of `solve` depends only
on the frame (see `fast_deal_reader`) and the number of tricks. The full answer is then built once
for each number; other deals need only the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NoReturn

from spadille.base.card_text import SUITS
from spadille.batch.fast_deal_reader import Frame, Framed
from spadille.search.contract_objective import ContractObjective, TrickCount
from spadille.search.encoding import Encoding, situation
from spadille.search.engine import Solver
from spadille.search.engine_problem import EngineProblem
from spadille.search.limited_search import Search
from spadille.search.limits import DEFAULT
from spadille.search.question import Question


class _CardsAskedForError(Exception):
    """Raised when a payoff depends on who holds which card."""


class _Unseen(Mapping[str, Any]):
    """Hands of known seats that raise an exception if anything reads the cards."""

    def __init__(self, seats: Sequence[str]) -> None:
        self._seats = seats

    def __getitem__(self, seat: str) -> NoReturn:
        raise _CardsAskedForError

    def __iter__(self) -> Iterator[str]:
        return iter(self._seats)

    def __len__(self) -> int:
        return len(self._seats)


class FramedSolver:
    """Solves the deals of one frame; created by `framed_solver`."""

    __slots__ = ("_answers", "_holdings", "_narrow", "_order", "_problem", "_solver")

    def __init__(self, question: Question[ContractObjective], order: list[int]) -> None:
        objective, problem = question.objective, question.at.problem
        low, high = question.span()
        self._solver = question.search.solver
        self._order = order  # the size of the hands in play
        self._holdings = _holdings(question.at.encoding)
        self._problem = problem
        self._answers: dict[tuple[int, int], str] = {}

        def narrow(problem: EngineProblem) -> tuple[int, int]:
            return objective.bounds(
                question.search.solver, problem, question.state, low, high, objective.guess
            )

        self._narrow = narrow

    def answer(self, hands: list[str], whole: Callable[[], str]) -> str:
        """Return the answer for hands in canonical form, listed by seat.

        When a value occurs for the first time, `whole` computes the complete answer.
        """
        try:
            spades, hearts, diamonds, clubs = self._holdings.suits
            masks = []
            for seat in self._order:
                s, h, d, c = hands[seat].split(".")
                masks.append(spades[s] | hearts[h] | diamonds[d] | clubs[c])
        except KeyError:
            self._holdings.learn(hands)
            return self.answer(hands, whole)
        solver = self._solver
        # If the table were kept, the time for a deal would depend on proofs from earlier deals.
        solver.clear()
        solver.limit()
        value = self._narrow(self._problem._replace(hands=tuple(masks)))
        answer = self._answers.get(value)
        if answer is None:
            answer = self._answers[value] = whole()
        return answer


class _Holdings:
    """For each suit, the holdings seen so far with their bit sets."""

    def __init__(self, encoding: Encoding) -> None:
        self._encoding = encoding
        self.suits: tuple[dict[str, int], ...] = tuple({} for _ in SUITS)

    def learn(self, hands: list[str]) -> None:
        """Store the holdings of these hands."""
        bits = self._encoding.bits
        for hand in hands:
            for suit, ranks, known in zip(SUITS, hand.split("."), self.suits, strict=True):
                known[ranks] = sum(bits[suit + rank] for rank in ranks)


_holdings = lru_cache(maxsize=64)(_Holdings)


def framed_solver(framed: Framed, solver: Solver) -> FramedSolver | None:
    """Return a solver for deals with this frame; None if answers depend on more than the value.

    Answers depend on more than the value if the trump is open, or in a Misère, because its search
    may stop at a limit.
    """
    frame = framed.frame
    deal, contract = frame.deal, frame.contract
    if contract is None or len(contract.declarers) > 1:
        return None
    at = situation(deal, contract)
    question = Question.of(deal, contract, at, contract.declarer, Search(solver, DEFAULT))
    if at.trumps or question.kind.aim == "misere" or not isinstance(question.objective, TrickCount):
        return None
    if not _pays_tricks(frame, question):
        return None
    return FramedSolver(question, [deal.rules.seats.index(seat) for seat in at.encoding.player])


def _pays_tricks(frame: Frame, question: Question[ContractObjective]) -> bool:
    """Return whether payoffs in the contract never depend on the cards."""
    low, high = question.span()
    blind = replace(question, deal=replace(frame.deal, hands=_Unseen(frame.deal.rules.seats)))
    try:
        for value in range(low, high + 1):
            blind.optimum(question.verdict(value, value), lambda: None)
    except _CardsAskedForError:
        return False
    return True
