"""The double-dummy value of a contract (RULES 11).

Where the rule documents are silent:

- `score` is the payoff for the optimal number of tricks. The bonus for the first run (the first
  five or six tricks) is included if the number of tricks or the play so far settles who wins it. An
  end position has no score unless all tricks so far are recorded.
- A contract to win the most tricks (Ombre, Squint's Solo) has no target. Among lines with equal
  outcomes, the declarer prefers those with the most tricks.
- While the trump is open (Abundance in Solo Whist), players may discard cards that later turn out
  to be trumps. In a line, the declarer names a trump that keeps the value.
- If there are several declarers, each has a separate result and guarantee, and there is no joint
  score. In Nemo, `tricks` is the smallest number of clean tricks that is worth the guaranteed
  points.
- `objective="score"` adds the points or chips that the side can secure. The line and the values of
  leads are then in points or chips, too. See `spadille.search.make_payoff_objective`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from spadille.analysis.many_deals import answers
from spadille.analysis.value.secured_payoff import Secured, secured
from spadille.analysis.value.solve_result import ContractorResult, Result
from spadille.analysis.value.swaps import Swaps, swaps_of
from spadille.base.errors import ArgumentError, SpadilleError
from spadille.core.arguments import contract_and_play, question_parts
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.search.contract_objective import ContractObjective, SideObjective
from spadille.search.encoding import situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.first_run import gone_on
from spadille.search.limited_search import Search
from spadille.search.limits import DEFAULT, Limits, check_limits
from spadille.search.payoff_objectives import ContractGoal
from spadille.search.question import Line, Question
from spadille.search.surrender_value import better, counts, secured_by
from spadille.search.verdict import Value, Verdict


def solve(
    deal: Deal,
    contract: Contract | str,
    *,
    play: str | Iterable[str] = (),
    objective: Literal["tricks", "score"] = "tricks",
    leads: bool = False,
    line: bool = False,
    swaps: bool = False,
    solver: Solver | None = None,
    limits: Limits = DEFAULT,
) -> Result:
    """Return the value of a contract, from the first lead or after the cards of `play`.

    Contract and play may be text: "N solo H" (see `Contract.parse`) and "D9 DQ". The `objective`
    "score" adds the payoff that the side can secure. `leads` adds the value of every card that the
    player to move may play, and `line` adds an optimal line. `swaps` tries every swap of two cards
    between two hands and adds those that change the result.

    You may reuse a `solver`, but only in one thread at a time. `Solver(memory)` sets the size of
    its table in bytes. The search stops when it reaches the `limits` on nodes or seconds. Without
    limits, it always determines whether a Misère makes. To find the exact number of tricks in a
    lost Misère, it visits at most `hard_nodes` nodes; to find the loss of a declarer who cannot win
    the most tricks, at most half as many. If these nodes do not suffice, the result has bounds.

    Raises DealError for unknown hands, RulesError for unknown seats, ContractError for an invalid
    contract or an incomplete end position, IllegalCardError for illegal cards, CardError for text
    that is not a card, and ArgumentError for an unknown objective or a wrong type.
    """
    _check_objective(objective)
    search = Search(solver, limits)
    contract, played = contract_and_play(deal, contract, play)
    at = situation(deal, contract, played)
    wishes = {"leads": leads, "line": line, "swaps": swaps}
    wanted = tuple(name for name, asked_for in wishes.items() if asked_for)
    several = len(contract.declarers) > 1
    contractors: dict[str, ContractorResult] = {}
    finished, surrenders = True, False
    score: Mapping[str, int] | None = None
    payoff: Secured | None = None
    for seat in contract.declarers:
        if several:
            # Otherwise, node counts would depend on earlier proofs for the other declarers.
            search.solver.clear()
        question = Question.of(deal, contract, at, seat, search)
        low, high = question.bounds()
        verdict = question.verdict(low, high)
        cards = _Cards(wanted, low == high)
        cards.find_swaps(question, verdict)
        if several or objective == "tricks":
            cards.find(question, low, high)
        if not several:
            score = question.optimum(verdict, partial(cards.any_line, question, low))
            score, surrenders = better(score, deal, contract, at, search)
        if not several and objective == "score":
            payoff = _secured(Question.of_score(deal, contract, at, search), cards)
        finished = finished and cards.finished
        guarantee = question.points(verdict) if several else None
        contractors[seat] = cards.contractor(question, verdict, guarantee)
    side = [seat for seat in deal.rules.seats if seat in contract.side]
    order, problem = deal.rules.turn_order, at.problem
    return Result(
        contract=contract,
        leader=order[problem.leader],
        trick=len(at.history) + 1,
        player=order[problem.to_play],
        sides=contract.declarers if several else tuple(side),
        contractors=contractors,
        went_on=not several and gone_on(contract, at),
        score=score,
        surrenders=surrenders,
        secured=payoff,
        asked=wanted,
        finished=finished,
        nodes=search.nodes,
        ms=search.ms,
    )


def solve_many(
    questions: Iterable[
        tuple[Deal, Contract | str] | tuple[Deal, Contract | str, str | Iterable[str]]
    ],
    *,
    threads: int = 1,
    objective: Literal["tricks", "score"] = "tricks",
    leads: bool = False,
    line: bool = False,
    swaps: bool = False,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Result | SpadilleError]:
    """Solve many contracts; yield the result of each, or the error `solve` raises for it.

    An unexpected exception is yielded as InternalError and does not affect the other questions. A
    question may include the cards played so far. Results come in the order of the questions and do
    not depend on the number of threads. The limits apply to each question, and `memory` to each
    thread. Raises the same errors as `solve`, and ArgumentError unless the number of threads is 1
    to 1,024.
    """
    _check_objective(objective)
    check_limits(limits)

    def work(solver: Solver, question: tuple[Any, ...]) -> Result:
        deal, contract, *play = question_parts(question, ("deal", "contract", "play"))
        return solve(
            deal,
            contract,
            play=play[0] if play else (),
            objective=objective,
            leads=leads,
            line=line,
            swaps=swaps,
            solver=solver,
            limits=limits,
        )

    return answers(work, questions, threads, memory)


def _check_objective(objective: str) -> None:
    if objective not in ("tricks", "score"):
        raise ArgumentError(
            f"{objective!r} is not an objective: choose tricks or score", "objective-unknown"
        )


@dataclass(slots=True)
class _Cards:
    """The results requested in addition to the value; None if a limit stopped the search."""

    wanted: tuple[str, ...]
    finished: bool = True
    """Whether the search finished without reaching a limit."""
    leads: Mapping[str, Value | None] | None = None
    line: Line | None = None
    swaps: Swaps | None = None

    def find(self, question: Question[SideObjective], low: int, high: int) -> None:
        """Find the values of cards and a line, if requested, given the value of the position."""
        self.finished = self.finished and low == high
        if self.finished and "leads" in self.wanted:
            values = question.card_values(low)
            self.leads = {
                card: None if value is None else question.named(value)
                for card, value in values.items()
            }
            self.finished = None not in values.values()
        if self.finished and "line" in self.wanted:
            self.line = question.line(low)
            self.finished = self.line is not None

    def find_swaps(self, question: Question[ContractObjective], verdict: Verdict) -> None:
        """Find the swaps that change whether the contract makes, if requested."""
        if "swaps" in self.wanted:
            self.swaps = None if verdict.makes is None else swaps_of(question, verdict.makes)
            self.finished = self.finished and self.swaps is not None and not self.swaps.open

    def any_line(self, question: Question[SideObjective], value: int) -> Line | None:
        """Return a line even if none was requested; None if a limit stopped the search."""
        line = self.line or question.line(value)
        self.finished = self.finished and line is not None
        return line

    def contractor(
        self, question: Question[ContractObjective], verdict: Verdict, guarantee: int | None = None
    ) -> ContractorResult:
        """Combine the results for one declarer."""
        return ContractorResult(
            bounds=verdict.bounds,
            target=question.target,
            tricks=verdict.tricks,
            makes=verdict.makes,
            margin=verdict.margin,
            outcome=verdict.outcome,
            guarantee=guarantee,
            leads=self.leads,
            line=self.line and self.line.tricks,
            named=self.line and self.line.named,
            swaps=self.swaps,
        )


def _secured(question: Question[ContractGoal], cards: _Cards) -> Secured:
    """Search for the payoff that can be secured, and for the values of cards and the line."""
    low, high = question.payoff_bounds()
    cards.find(question, low, high)
    payoff_found = secured(question, low, high)
    if payoff_found.payoff is not None and payoff_found.score is None:
        # Several outcomes pay the side the same amount but divide it differently, or pay the others
        # differently.
        line = cards.any_line(question, low)
        payoff_found = secured(question, low, high, line and question.end(line))
    numbers = question.at.encoding.numbers
    if cards.leads and counts(question.deal, question.contract, question.at):
        cards.leads = {
            card: None
            if value is None
            else secured_by(question.after(numbers[card]), int(value), int(value)).bounds[0]
            for card, value in cards.leads.items()
        }
    right = secured_by(question, *payoff_found.bounds)
    if right.score is None:
        return replace(payoff_found, bounds=right.bounds)
    if right.now and "line" in cards.wanted:
        cards.line = Line((), cards.line and cards.line.named)
    least, most = right.bounds
    payoff = least if least == most else None
    return replace(
        payoff_found, bounds=right.bounds, payoff=payoff, score=right.score, surrenders=True
    )
