"""Evaluate an expression on one deal: count its cards and solve its contracts."""

from __future__ import annotations

from collections.abc import Iterator

from spadille.analysis.contracts.hand_strength import best_strength, strength_tables
from spadille.analysis.value.solve import solve
from spadille.base.errors import ContractError, SpadilleError
from spadille.core.contract import Contract
from spadille.core.counted_cards import TALON
from spadille.core.deal import Deal
from spadille.generate.deals.condition_expressions import Expression, Facts
from spadille.generate.deals.condition_functions import ContractWorth, HandWorth
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from spadille.search.question import Question


class Answers:
    """The values of expressions on one deal; each contract is solved only once."""

    def __init__(self, deal: Deal, solver: Solver) -> None:
        self.deal = deal
        self._solver = solver
        self._found: dict[ContractWorth, int] = {}

    def value(self, expression: Expression) -> int:
        """Return a number, or whether a condition holds.

        Raises ContractError if the deal does not allow a contract in the expression, and
        SpadilleError if a contract takes too long to solve.
        """
        deal = self.deal
        counts = [
            count.of(deal.undealt if count.seat == TALON else deal.hands[count.seat] or ())
            for count in expression.counts
        ]
        facts = Facts(
            counts,
            lambda number: self._answer(expression.asked[number]),
            lambda number: self._strength(expression.strengths[number]),
        )
        return int(expression.value(facts))

    def holds(self, expression: Expression) -> bool:
        """Return whether a condition holds; False if the deal rules out one of its contracts."""
        return bool(self.known(expression))

    def known(self, expression: Expression) -> int | None:
        """Return the value, or None if the expression has no value on this deal."""
        try:
            return int(self.value(expression))
        except SpadilleError as error:
            if isinstance(error, ContractError) or error.code == "result-open":
                return None
            raise

    def check(self, expression: Expression) -> None:
        """Raise ContractError for a contract the deal does not allow."""
        for question in expression.asked:
            list(self._contracts(question))

    def _answer(self, question: ContractWorth) -> int:
        value = self._found.get(question)
        if value is None:
            worth = [self._worth(question, contract) for contract in self._contracts(question)]
            value = self._found[question] = max(worth)
        return value

    def _strength(self, question: HandWorth) -> float:
        """Return the share of deals in which a contract makes; 0 if the hand cannot bid it."""
        rules = self.deal.rules
        tables = strength_tables(rules)
        table = tables.table(question.contract, question.trump)
        assert table is not None
        own = self.deal.hands[question.seat] or ()
        named = question.contract, question.trump, question.called
        strength = best_strength(tables, own, named, [min(question.position, table.positions - 1)])
        return 0.0 if strength is None else strength.made

    def _contracts(self, question: ContractWorth) -> Iterator[Contract]:
        """Yield the contract; without a called card, yield one contract for each possible card."""
        deal, seat, words = self.deal, question.seat, question.words
        rules = deal.rules
        kind = rules.contract(words[0])
        if kind.side == "called" and len(words) < 3:
            trumps = words[1:] or rules.allowed_trumps(kind, deal)
            if len(trumps) == 1:
                for card in rules.callable_cards(trumps[0], deal.hands[seat] or (), kind):
                    yield Contract.make(deal, kind.id, seat, trumps[0], card)
                    words = ()
        if words:
            text = " ".join(words if kind.side == "all" else (seat, *words))
            yield Contract.parse(deal, text)

    def _worth(self, question: ContractWorth, contract: Contract) -> int:
        if question.what == "makes":
            return self._makes(contract, question.seat)
        payoff = question.what == "payoff" and len(contract.declarers) == 1
        result = solve(
            self.deal,
            contract,
            objective="score" if payoff else "tricks",
            solver=self._solver,
        )
        if payoff and result.secured is not None and result.secured.score is not None:
            return result.secured.score[question.seat]
        row = result[question.seat]
        value = row.tricks if question.what == "tricks" else row.guarantee
        if value is None:
            raise SpadilleError(f"{question.what} is too hard to find", "result-open")
        return int(value)

    def _makes(self, contract: Contract, seat: str) -> bool:
        """Return whether a contract makes; one search settles this, without counting tricks."""
        at = situation(self.deal, contract)
        search = Search(self._solver, Limits())
        question = Question.of(self.deal, contract, at, seat, search)
        return bool(question.verdict(*question.made_bounds()).makes)
