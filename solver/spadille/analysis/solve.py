"""The double-dummy value of a contract (RULES 11).

What the documents leave open:

- `score` is the payoff of the optimum tricks: first tricks in a row count where they are settled,
  by the number of tricks or by what has been played. There is none in an end position whose
  tricks are not all accounted for.
- A contract for most tricks (Ombre, Squint's Solo) has no target; among equal outcomes its
  declarer takes as many tricks as he can force, and the others hold him to that.
- While the trump is open (Abundance in Solo Whist), what others threw before it is named may turn
  out to be a trump; the line names one that keeps the value.
- With several contractors each has a result and a guarantee of his own; there is no joint score.
  The tricks of Nemo are the fewest clean tricks that are worth the guaranteed points.
- `objective="score"` adds what the side can secure in points or chips, and the values of leads and
  the line are then about that; everything else is as with tricks. See `spadille.search.payoff`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, Literal

from spadille.analysis.batch import answers
from spadille.analysis.result import ContractorResult, Result
from spadille.asked import asked, parts
from spadille.contract import Contract
from spadille.deal import Deal
from spadille.errors import ArgumentError, SpadilleError
from spadille.parts import Outcome
from spadille.search.automaton import Payoff
from spadille.search.encoding import Situation, situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.going_on import gone_on, run_so_far, target_of
from spadille.search.limits import DEFAULT, Limits
from spadille.search.line import Line, best_line
from spadille.search.objective import Objective, fewest, objective_of
from spadille.search.payoff import Goal, Score, Secured, score_of, secured, weigh
from spadille.search.surrender import better, may_still, surrendered
from spadille.search.verdict import Verdict, contract_type, verdict

# Of the nodes of a Misère this part is for what is lost where nobody has most tricks: enough for
# two deals of three, and twice as many for hardly more.
_LOST = 2


def solve(
    deal: Deal,
    contract: Contract | str,
    *,
    play: str | Iterable[str] = (),
    objective: Literal["tricks", "score"] = "tricks",
    leads: bool = False,
    line: bool = False,
    solver: Solver | None = None,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
) -> Result:
    """Find what a contract is worth, from the first lead or after the cards of `play`.

    Both may be text: "N solo H", see `Contract.parse`, and "D9 DQ".
    With the `objective` "score" also the payoff that can be secured.
    `leads` asks for the value of every card the player to move may play, `line` for an optimal
    line. A `solver` may be used again and again, by one thread at a time; without one the search
    keeps up to `memory` bytes. It stops at the `limits` of nodes or seconds. Whether a Misère makes
    is always decided; without those limits the fewest tricks of a lost one are searched for up to
    `hard_nodes`, what is lost by who cannot have most tricks up to half as many, and otherwise left
    as bounds.

    Raises DealError for unknown hands or seats, ContractError for a contract that is none and for
    what an end position does not tell, IllegalCardError for cards that cannot be played,
    CardError for text that is no card, ArgumentError for another objective and for other types.
    """
    began = perf_counter()
    _check_objective(objective)
    contract, played = asked(deal, contract, play)
    at = situation(deal, contract, played)
    if solver is None:
        solver = Solver(memory)
    solver.limit(limits.nodes, limits.seconds)
    limit = 0 if limits.whole else limits.hard_nodes
    work = _Work(deal, contract, at, solver, leads, line, objective == "score", limit)
    result = work.one() if len(contract.declarers) == 1 else work.several()
    return replace(
        result,
        nodes=work.spent + solver.nodes,
        ms=round((perf_counter() - began) * 1000, 3),
    )


def solve_many(
    questions: Iterable[tuple[Deal, Contract | str]],
    *,
    threads: int = 1,
    objective: Literal["tricks", "score"] = "tricks",
    leads: bool = False,
    line: bool = False,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Result | SpadilleError]:
    """Solve many contracts, yielding for each its result, or the error `solve` raises for it.

    An exception of another kind comes as InternalError, and the others go on.
    They come in the order of the questions, the same for any number of threads. The limits are
    those of each question, `memory` is that of each thread. Raises ArgumentError as `solve` does,
    and for less than one thread.
    """
    _check_objective(objective)

    def work(solver: Solver, question: tuple[Deal, Contract | str]) -> Result:
        deal, contract = parts(question, ("deal", "contract"))
        return solve(
            deal,
            contract,
            objective=objective,
            leads=leads,
            line=line,
            solver=solver,
            limits=limits,
        )

    return answers(work, questions, threads, memory)


def _check_objective(objective: str) -> None:
    if objective not in ("tricks", "score"):
        raise ArgumentError(f"{objective!r} is no objective: tricks or score", "objective-unknown")


class _Work:
    """One call of `solve`."""

    __slots__ = (
        "at",
        "contract",
        "deal",
        "finished",
        "found_leads",
        "found_line",
        "hard_nodes",
        "leads",
        "line",
        "score",
        "solver",
        "spent",
    )

    def __init__(
        self,
        deal: Deal,
        contract: Contract,
        at: Situation,
        solver: Solver,
        leads: bool,
        line: bool,
        score: bool,
        hard_nodes: int,
    ) -> None:
        self.deal = deal
        self.contract = contract
        self.at = at
        self.solver = solver
        self.leads = leads
        self.line = line
        self.score = score
        self.hard_nodes = hard_nodes
        self.finished = True
        self.found_leads: Mapping[str, Any] | None = None
        self.found_line: Line | None = None
        self.spent = 0  # nodes visited before the solver's count began anew

    @property
    def accounted(self) -> bool:
        """Whether it is known who has won each trick so far."""
        return self.at.total == self.deal.rules.game.hand_size

    def one(self) -> Result:
        """Solve a contract of one declarer."""
        contract, rules = self.contract, self.deal.rules
        declarer = contract.declarers[0]
        kind = rules.contracts[contract.ids[0]]
        objective, low, high, found = self.judge(declarer)
        sides: tuple[str, ...] = (declarer,)
        if contract.partner is not None:
            sides = tuple([seat for seat in rules.seats if seat in contract.side])
        self.finished = low == high
        if not self.score:
            self.cards(objective, low)
        score = self.optimum(objective, low, high, found) if self.accounted else None
        secured = self.secure() if self.score else None
        line = self.found_line
        return self.result(
            sides,
            {
                declarer: ContractorResult(
                    found.bounds,
                    None if kind.aim == "most" else target_of(contract, self.at, declarer),
                    found.tricks,
                    found.makes,
                    found.margin,
                    found.outcome,
                    leads=self.found_leads,
                    line=None if line is None else line.tricks,
                    named=None if line is None else line.named,
                )
            },
            went_on=gone_on(contract, self.at),
            score=score,
            secured=secured,
        )

    def result(
        self,
        sides: tuple[str, ...],
        contractors: Mapping[str, ContractorResult],
        *,
        went_on: bool = False,
        score: Mapping[str, int] | None = None,
        secured: Secured | None = None,
    ) -> Result:
        """Return the result made of its parts."""
        asked = [name for name, wanted in (("leads", self.leads), ("line", self.line)) if wanted]
        return Result(
            self.contract,
            self.deal.rules.turn_order[self.at.problem.leader],
            sides,
            contractors,
            went_on,
            score,
            secured,
            tuple(asked),
            self.finished,
        )

    def cards(self, objective: Objective, value: int) -> None:
        """Find what was asked for of the values of cards and of the line."""
        if self.finished and self.leads:
            self.found_leads = self.card_values(objective, value)
            self.finished = None not in self.found_leads.values()
        if self.finished and self.line:
            self.found_line = self.best_line(objective, value)
            self.finished = self.found_line is not None

    def optimum(
        self, objective: Objective, low: int, high: int, found: Verdict
    ) -> Mapping[str, int] | None:
        """Return the payoff of the optimum tricks; None where it hangs on what is not known."""
        finals = found.finals
        if isinstance(objective, Payoff):
            final = self.final(objective, low, found) if low == high else None
            finals = () if final is None else (final,)
        scores = [self.deal.rules.score(self.deal, self.contract, final) for final in finals]
        if not scores or any(score != scores[0] for score in scores):
            return None
        given_up = surrendered(self.deal, self.contract, self.at)
        return better(scores[0], given_up, self.contract.declarer)

    def secure(self) -> Secured:
        """Search for the payoff that can be secured."""
        goal = score_of(self.deal, self.contract, self.at)
        low, high = self.payoff(goal)
        self.finished = self.finished and low == high
        self.cards(goal, low)
        found = secured(self.deal, self.contract, self.at, goal, low, high)
        if found.payoff is not None and found.score is None and isinstance(goal, Score):
            # The side gets the same in several ways, the others do not.
            line = self.found_line or self.best_line(goal, low)
            if line is None:
                self.finished = False
            else:
                numbers, problem = self.at.encoding.numbers, self.at.problem
                cards = [numbers[card] for card in line.cards[len(problem.trick) :]]
                final = goal.end(self.solver, problem, cards)
                found = secured(self.deal, self.contract, self.at, goal, low, high, final)
        given_up = surrendered(self.deal, self.contract, self.at)
        return self.give_up(found, given_up) if given_up else found

    def give_up(self, found: Secured, given_up: Mapping[str, int]) -> Secured:
        """Raise what is secured to what surrendering pays."""
        floor = given_up[self.contract.declarer]
        if self.found_leads and may_still(self.contract, self.at):
            self.found_leads = {
                card: None if value is None else max(value, floor)
                for card, value in self.found_leads.items()
            }
        low, high = found.bounds
        if high < floor:
            named = self.found_line.named if self.found_line else None
            self.found_line = Line([], named) if self.line else None
            return Secured((floor, floor), floor, given_up, "surrender")
        return replace(found, bounds=(floor, high)) if low < floor else found

    def payoff(self, goal: Goal) -> tuple[int, int]:
        """Return bounds of a payoff: surely whether anything is won, the rest within the limit."""
        kind = self.deal.rules.contracts[self.contract.ids[0]]
        if kind.aim != "most" or not self.hard_nodes:
            return self.search(goal)
        self.spent += self.solver.nodes
        low, high = goal.span(self.at.problem, goal.start)
        limit = self.hard_nodes // _LOST or 1
        low, high, spent = weigh(goal, self.solver, self.at.problem, low, high, limit)
        self.spent += spent
        return low, high

    def several(self) -> Result:
        """Find what each of several contractors can be sure of."""
        contract, rules, seats = self.contract, self.deal.rules, self.contract.declarers
        found: dict[str, ContractorResult] = {}
        for seat in seats:
            objective, low, high, one = self.judge(seat)
            sure, target = set(one.bounds), None
            if not isinstance(objective, Payoff):
                target = contract_type(contract, self.at, seat).target
                finals = one.finals if self.accounted else ()
                sure = {rules.score(self.deal, contract, final)[seat] for final in finals}
            leads = line = None
            if low < high:
                self.finished = False
            else:
                if self.leads:
                    leads = self.card_values(objective, low)
                    self.finished = self.finished and None not in leads.values()
                if self.line:
                    line = self.best_line(objective, low)
                    self.finished = self.finished and line is not None
            found[seat] = ContractorResult(
                one.bounds,
                target,
                one.tricks,
                one.makes,
                one.margin,
                one.outcome,
                sure.pop() if len(sure) == 1 else None,
                leads,
                line and line.tricks,
            )
        return self.result(seats, found)

    def judge(self, seat: str) -> tuple[Objective, int, int, Verdict]:
        """Search for the value of a contractor's objective."""
        contract, at = self.contract, self.at
        objective = objective_of(contract, at, seat)
        # What has been proved before would make node counts depend on it.
        self.solver.clear()
        if contract_type(contract, at, seat).aim == "misere" and self.hard_nodes:
            self.spent += self.solver.nodes
            low, high, spent = fewest(objective, self.solver, at.problem, self.hard_nodes)
            self.spent += spent
        else:
            low, high = self.search(objective)
        return objective, low, high, verdict(contract, at, seat, objective, low, high)

    def search(self, objective: Objective) -> tuple[int, int]:
        """Return bounds of an objective's value, equal unless a limit stopped the search."""
        problem, start = self.at.problem, objective.start
        low, high = objective.span(problem, start)
        return objective.bounds(self.solver, problem, start, low, high, objective.guess)

    def card_values(self, objective: Objective, best: int) -> dict[str, Any]:
        """Return the value of each legal card, in the order of `Position.legal`."""
        found = objective.card_values(self.solver, self.at.problem, objective.start, best)
        values = {
            card: found[number]
            for card, number in self.at.encoding.numbers.items()
            if number in found
        }
        return {
            card: None if value is None else objective.named(value)
            for card, value in values.items()
        }

    def best_line(self, objective: Objective, value: int) -> Line | None:
        """Return an optimal line, None if a limit stopped the search."""
        return best_line(objective, self.solver, self.at, objective.start, value)

    def final(self, objective: Payoff, value: int, found: Verdict) -> Outcome | None:
        """Return how a hand for most tricks ends; if lost, it hangs on who has most of the rest."""
        final = objective.example(value)
        if not found.makes and found.outcome != "puesta":
            line = self.found_line or self.best_line(objective, value)
            if line is None:
                self.finished = False
                return None
            final = self.won_along(line)
        split = dict(zip(self.deal.rules.turn_order, final, strict=True))
        return Outcome(split, run_so_far(self.contract, self.at))

    def won_along(self, line: Line) -> tuple[int, ...]:
        """Return the tricks of each player at the end of a line."""
        problem, won = self.at.problem, list(self.at.won)
        for card in line.cards[len(problem.trick) :]:
            problem = problem.played(self.at.encoding.numbers[card])
            if not problem.trick:
                won[problem.leader] += 1
        return tuple(won)
