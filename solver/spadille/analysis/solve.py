"""The double-dummy value of a contract (RULES 11).

What the documents leave open:

- `score` is the payoff of the optimum tricks: first tricks in a row count where they are settled,
  by the number of tricks or by what has been played. There is none in an end position whose
  tricks are not all accounted for.
- A contract for most tricks (Ombre, Squint's Solo) has no target; among equal outcomes its
  declarer takes as many tricks as he can force, and the others hold him to that.
- While the trump is open (Abundance in Solo Whist), what others threw before it is named may turn
  out to be a trump; the line names one that keeps the value.
- With several contractors `tricks`, `target`, `margin` and `outcome` go by seat, each contractor's
  guarantee, and `makes` says whether all make; there is no joint score. The tricks of Nemo are the
  fewest clean tricks that are worth the guaranteed points.
- `objective="score"` adds what the side can secure in points or chips, and the values of leads and
  the line are then about that; everything else is as with tricks. See `spadille.search.payoff`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from time import perf_counter
from typing import Any, Literal

from spadille.analysis.batch import answers
from spadille.analysis.result import Result
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
    contract: Contract,
    *,
    play: Iterable[str] = (),
    objective: Literal["tricks", "score"] = "tricks",
    leads: bool = False,
    line: bool = False,
    solver: Solver | None = None,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
) -> Result:
    """Find what a contract is worth, from the first lead or after the cards of `play`.

    With the `objective` "score" also the payoff that can be secured.
    `leads` asks for the value of every card the player to move may play, `line` for an optimal
    line. A `solver` may be used again and again, by one thread at a time; without one the search
    keeps up to `memory` bytes. It stops at the `limits` of nodes or seconds. Whether a Misère makes
    is always decided; without those limits the fewest tricks of a lost one are searched for up to
    `hard_nodes`, what is lost by who cannot have most tricks up to half as many, and otherwise left
    as bounds.

    Raises DealError for unknown hands or seats, ContractError for a contract that is none and for
    what an end position does not tell, IllegalCardError for cards that cannot be played,
    ArgumentError for another objective.
    """
    began = perf_counter()
    _check_objective(objective)
    at = situation(deal, contract, tuple(play))
    if solver is None:
        solver = Solver(memory)
    solver.limit(limits.nodes, limits.seconds)
    limit = 0 if limits.whole else limits.hard_nodes
    work = _Work(deal, contract, at, solver, leads, line, objective == "score", limit)
    result = work.one() if len(contract.declarers) == 1 else work.several()
    result.nodes = work.spent + solver.nodes
    result.ms = round((perf_counter() - began) * 1000, 3)
    return result


def solve_many(
    questions: Iterable[tuple[Deal, Contract]],
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

    def work(solver: Solver, question: tuple[Deal, Contract]) -> Result:
        deal, contract = question
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
        result = Result(
            contract,
            rules.turn_order[self.at.problem.leader],
            sides,
            found.bounds,
            None if kind.aim == "most" else target_of(contract, self.at, declarer),
            found.tricks,
            found.makes,
            found.margin,
            found.outcome,
            went_on=gone_on(contract, self.at),
            finished=low == high,
        )
        if not self.score:
            self.cards(objective, low, result)
        if self.accounted:
            finals = found.finals
            if isinstance(objective, Payoff):
                final = self.final(objective, low, found, result) if low == high else None
                finals = () if final is None else (final,)
            scores = [rules.score(self.deal, contract, final) for final in finals]
            if scores and all(score == scores[0] for score in scores):
                given_up = surrendered(self.deal, contract, self.at)
                result.score = better(scores[0], given_up, declarer)
        if self.score:
            self.secure(result)
        return result

    def cards(self, objective: Objective, value: int, result: Result) -> None:
        """Add what was asked for of the values of cards and of the line."""
        if result.finished and self.leads:
            result.leads = self.card_values(objective, value)
            result.finished = None not in result.leads.values()
        if result.finished and self.line:
            line = self.found_line = self.best_line(objective, value)
            result.line, result.named = line or (None, None)
            result.finished = line is not None

    def secure(self, result: Result) -> None:
        """Search for the payoff that can be secured."""
        goal = score_of(self.deal, self.contract, self.at)
        low, high = self.payoff(goal)
        result.finished = result.finished and low == high
        self.cards(goal, low, result)
        found = secured(self.deal, self.contract, self.at, goal, low, high)
        if found.payoff is not None and found.score is None and isinstance(goal, Score):
            # The side gets the same in several ways, the others do not.
            line = self.found_line or self.best_line(goal, low)
            if line is None:
                result.finished = False
            else:
                numbers, problem = self.at.encoding.numbers, self.at.problem
                cards = [numbers[card] for card in line.cards[len(problem.trick) :]]
                final = goal.end(self.solver, problem, cards)
                found = secured(self.deal, self.contract, self.at, goal, low, high, final)
        result.secured = found
        given_up = surrendered(self.deal, self.contract, self.at)
        if given_up:
            self.give_up(result, found, given_up)

    def give_up(self, result: Result, found: Secured, given_up: Mapping[str, int]) -> None:
        """Raise what is secured to what surrendering pays."""
        floor = given_up[self.contract.declarer]
        if result.leads and may_still(self.contract, self.at):
            result.leads = {
                card: None if value is None else max(value, floor)
                for card, value in result.leads.items()
            }
        low, high = found.bounds
        if high < floor:
            result.secured = Secured((floor, floor), floor, given_up, "surrender")
            result.line = [] if self.line else None
        elif low < floor:
            found.bounds = floor, high

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
        found: dict[str, Verdict] = {}
        points: dict[str, int | None] = dict.fromkeys(seats)
        target: dict[str, int | None] = dict.fromkeys(seats)
        leads: dict[str, Any] = {}
        lines: dict[str, list[list[str]] | None] = {}
        finished = True
        for seat in seats:
            objective, low, high, one = self.judge(seat)
            found[seat] = one
            sure = set(one.bounds)
            if not isinstance(objective, Payoff):
                target[seat] = contract_type(contract, self.at, seat).target
                finals = one.finals if self.accounted else ()
                sure = {rules.score(self.deal, contract, final)[seat] for final in finals}
            if len(sure) == 1:
                points[seat] = sure.pop()
            if low < high:
                finished = False
                continue
            if self.leads:
                leads[seat] = values = self.card_values(objective, low)
                finished = finished and None not in values.values()
            if self.line:
                line = self.best_line(objective, low)
                lines[seat] = line and line.tricks
                finished = finished and line is not None
        verdicts = [one.makes for one in found.values()]
        return Result(
            contract,
            rules.turn_order[self.at.problem.leader],
            seats,
            {seat: one.bounds for seat, one in found.items()},
            target,
            {seat: one.tricks for seat, one in found.items()},
            False if False in verdicts else None if None in verdicts else True,
            {seat: one.margin for seat, one in found.items()},
            {seat: one.outcome for seat, one in found.items()},
            guarantees=points,
            leads=leads if self.leads else None,
            line=lines if self.line else None,
            finished=finished,
        )

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

    def final(
        self, objective: Payoff, value: int, found: Verdict, result: Result
    ) -> Outcome | None:
        """Return how a hand for most tricks ends; if lost, it hangs on who has most of the rest."""
        final = objective.example(value)
        if not found.makes and found.outcome != "puesta":
            line = self.found_line or self.best_line(objective, value)
            if line is None:
                result.finished = False
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
