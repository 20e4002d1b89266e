"""The double-dummy value of a contract (RULES 11).

What the documents leave open:

- `score` is the payoff of the optimum tricks: first tricks in a row count where they are settled,
  by the tricks themselves or by what has been played. It is None in an end position whose tricks
  are not all accounted for.
- A contract for most tricks (Ombre, Squint's Solo) has no target; among equal outcomes its
  declarer takes as many tricks as he can force, and the others hold him to that.
- With several contractors `tricks`, `target`, `margin` and `outcome` go by seat, each contractor's
  guarantee, and `makes` says whether all make; there is no joint score. The tricks of Nemo are the
  fewest clean tricks that are worth the guaranteed points.
"""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter
from typing import Any

from spadille.deal import Contract, Deal
from spadille.encoding import Situation, situation
from spadille.engine import DEFAULT_MEMORY, Solver
from spadille.line import best_line
from spadille.objective import Objective, Payoff, objective_of, outcome_of
from spadille.result import Line, Result
from spadille.rules import ContractType, Outcome, Rules
from spadille.values import card_values


def solve(
    deal: Deal,
    contract: Contract,
    *,
    play: Iterable[str] = (),
    leads: bool = False,
    line: bool = False,
    solver: Solver | None = None,
    nodes: int = 0,
    seconds: float = 0,
    memory: int = DEFAULT_MEMORY,
) -> Result:
    """Find what a contract is worth, from the first lead or after the cards of `play`.

    `leads` asks for the value of every card the player to move may play, `line` for an optimal
    line. A `solver` may be used again and again, by one thread at a time; without one the search
    keeps up to `memory` bytes. It stops at so many `nodes` or `seconds` (0: no limit).

    Raises DealError for unknown hands, ContractError for what an end position does not tell,
    IllegalCardError for cards that cannot be played.
    """
    began = perf_counter()
    at = situation(deal, contract, tuple(play))
    if solver is None:
        solver = Solver(memory)
    solver.limit(nodes, seconds)
    if len(contract.declarers) == 1:
        result = _one(_Work(deal, contract, at, solver, leads, line))
    else:
        result = _several(_Work(deal, contract, at, solver, leads, line))
    result.nodes = solver.nodes
    result.ms = round((perf_counter() - began) * 1000, 3)
    return result


class _Work:
    """One call of `solve`."""

    __slots__ = ("at", "contract", "deal", "leads", "line", "rules", "solver")

    def __init__(
        self,
        deal: Deal,
        contract: Contract,
        at: Situation,
        solver: Solver,
        leads: bool,
        line: bool,
    ) -> None:
        self.deal = deal
        self.rules: Rules = deal.rules
        self.contract = contract
        self.at = at
        self.solver = solver
        self.leads = leads
        self.line = line

    def kind(self, seat: str) -> ContractType:
        contract = self.contract
        return self.rules.contracts[contract.ids[contract.declarers.index(seat)]]

    def bounds(self, objective: Objective, kind: ContractType) -> tuple[int, int]:
        """Return the bounds of the value; equal unless a limit stopped the search."""
        # What has been proved before would make node counts depend on it.
        self.solver.clear()
        problem, start = self.at.problem, objective.start
        low, high = objective.span(problem, start)
        if isinstance(objective, Payoff):
            guess = 1 if kind.aim == "nemo" else objective.grade(high)
        else:
            guess = kind.target
        return objective.bounds(self.solver, problem, start, low, high, guess)

    def card_values(self, objective: Objective, best: int) -> dict[str, Any]:
        """Return the value of each legal card, in the order of `Position.legal`."""
        found = card_values(objective, self.solver, self.at.problem, objective.start, best)
        values = {
            card: found[number]
            for card, number in self.at.encoding.numbers.items()
            if number in found
        }
        return {
            card: None if value is None else shown(objective, value)
            for card, value in values.items()
        }

    def best_line(self, objective: Objective, value: int) -> Line | None:
        """Return an optimal line, trick by trick."""
        problem = self.at.problem
        found = best_line(objective, self.solver, problem, objective.start, value)
        if found is None:
            return None
        names = self.at.encoding.names
        cards = [names[card] for card in (*problem.trick, *found)]
        players = problem.players
        return [cards[start : start + players] for start in range(0, len(cards), players)]


def shown(objective: Objective, value: int) -> Any:
    """Return a value as results give it: tricks, an outcome, or points."""
    if isinstance(objective, Payoff):
        worth = objective.machine.values[value]
        return outcome_of(worth) if isinstance(worth, tuple) else worth
    # Misere counts the tricks of the declarer as negative.
    return abs(value)


def _one(work: _Work) -> Result:
    contract, at, rules = work.contract, work.at, work.rules
    declarer = contract.declarers[0]
    kind = rules.contracts[contract.ids[0]]
    objective = objective_of(contract, at, declarer)
    low, high = work.bounds(objective, kind)
    best, worst = shown(objective, high), shown(objective, low)
    if kind.aim == "misere":
        best, worst = worst, best
    result = Result(
        contract,
        rules.turn_order[at.problem.leader],
        (declarer,)
        if contract.partner is None
        else tuple([seat for seat in rules.seats if seat in contract.side]),
        (worst, best),
        None if kind.aim == "most" else kind.target,
    )
    if low == high:
        if work.leads:
            result.leads = work.card_values(objective, low)
            result.finished = None not in result.leads.values()
        if isinstance(objective, Payoff):
            _settle_most(work, objective, low, result)
        else:
            _settle_tricks(work, kind, abs(low), result)
        if work.line and result.line is None and result.finished:
            result.line = work.best_line(objective, low)
            result.finished = result.line is not None
    else:
        result.finished = False
        result.makes = _decided(kind, worst, best)
    return result


def _decided(kind: ContractType, worst: Any, best: Any) -> bool | None:
    """Whether bounds settle if a contract is made."""
    if kind.aim == "misere":
        least, most = -best, -worst
    elif kind.aim == "most":
        least, most = (0 if name in _WON else -1 for name in (worst, best))
    else:
        least, most = worst - kind.target, best - kind.target
    return True if least >= 0 else False if most < 0 else None


_WON = ("made", "sacada")


def _settle_tricks(work: _Work, kind: ContractType, tricks: int, result: Result) -> None:
    misere = kind.aim == "misere"
    result.tricks = tricks
    result.margin = margin = -tricks if misere else tricks - kind.target
    result.makes = margin >= 0
    outcome = _outcome(work, work.contract.declarers[0], tricks)
    result.outcome = work.rules.outcome_name(work.contract, outcome)
    if work.at.total == work.rules.game.hand_size:
        result.score = work.rules.score(work.deal, work.contract, outcome)


def _outcome(work: _Work, declarer: str, tricks: int) -> Outcome:
    """Make an outcome in which the declarer has all tricks of his side, one opponent the rest."""
    rules = work.rules
    side = work.contract.side if len(work.contract.declarers) == 1 else {declarer}
    split = dict.fromkeys(rules.seats, 0)
    split[declarer] = tricks
    for seat in rules.seats:
        if seat not in side:
            split[seat] = work.at.total - tricks
            break
    return Outcome(split, _run_so_far(work, declarer))


def _run_so_far(work: _Work, declarer: str) -> str | None:
    """Tell who won the first tricks in a row, if they have been played."""
    kind = work.kind(declarer)
    history = work.at.history[: kind.first_run]
    if not history or len(history) < kind.first_run or sum(work.at.won) > len(work.at.history):
        return None
    runners = (declarer,) if kind.run_alone else work.contract.side
    mask = work.at.encoding.players(runners)
    won = [mask >> winner & 1 for winner, _ in history]
    return "won" if all(won) else None if any(won) else "lost"


def _settle_most(work: _Work, objective: Payoff, value: int, result: Result) -> None:
    """Outcome and tricks; the payoff of a lost contract hangs on who has the most of the rest."""
    contract, at = work.contract, work.at
    worth = objective.machine.values[value]
    result.outcome = outcome = outcome_of(worth)
    result.tricks = worth[1]
    result.makes = outcome in _WON
    if at.total != work.rules.game.hand_size:
        return
    if outcome in ("failed", "codille"):
        line = work.best_line(objective, value)
        if line is None:
            result.finished = False
            return
        if work.line:
            result.line = line
        final = _final(work, objective, line)
    else:
        final = objective.machine.example(value)
    split = dict(zip(work.rules.turn_order, final, strict=True))
    run = _run_so_far(work, contract.declarers[0])
    result.score = work.rules.score(work.deal, contract, Outcome(split, run))


def _final(work: _Work, objective: Payoff, line: Line) -> tuple[int, ...]:
    problem, won = work.at.problem, list(work.at.won)
    numbers = work.at.encoding.numbers
    for card in [card for trick in line for card in trick][len(problem.trick) :]:
        problem = problem.played(numbers[card])
        if not problem.trick:
            won[problem.leader] += 1
    return tuple(won)


def _several(work: _Work) -> Result:
    contract, rules = work.contract, work.rules
    seats = contract.declarers
    tricks: dict[str, int | None] = dict.fromkeys(seats)
    target: dict[str, int | None] = dict.fromkeys(seats)
    margin: dict[str, int | None] = dict.fromkeys(seats)
    outcome: dict[str, str | None] = dict.fromkeys(seats)
    points: dict[str, int | None] = dict.fromkeys(seats)
    made: dict[str, bool | None] = dict.fromkeys(seats)
    bounds: dict[str, tuple[int, int]] = {}
    leads: dict[str, Any] = {}
    lines: dict[str, Line | None] = {}
    finished = True
    for seat in seats:
        kind = work.kind(seat)
        objective = objective_of(contract, work.at, seat)
        low, high = work.bounds(objective, kind)
        shown_low, shown_high = shown(objective, low), shown(objective, high)
        bounds[seat] = (min(shown_low, shown_high), max(shown_low, shown_high))
        if kind.aim != "nemo":
            target[seat] = kind.target
            made[seat] = _decided(kind, *bounds[seat])
        else:
            made[seat] = True if shown_low else False if not shown_high else None
        if low < high:
            finished = False
            continue
        if made[seat] is not None:
            outcome[seat] = "made" if made[seat] else "failed"
        if kind.aim == "nemo":
            points[seat] = shown_low
            tricks[seat] = -(-shown_low // kind.values[0])
        else:
            tricks[seat] = own = shown_low
            margin[seat] = -own if kind.aim == "misere" else own - kind.target
            if work.at.total == rules.game.hand_size:
                final = _outcome(work, seat, own)
                points[seat] = rules.score(work.deal, contract, final)[seat]
        if work.leads:
            leads[seat] = work.card_values(objective, low)
            finished = finished and None not in leads[seat].values()
        if work.line:
            lines[seat] = work.best_line(objective, low)
            finished = finished and lines[seat] is not None
    verdicts = made.values()
    return Result(
        contract,
        rules.turn_order[work.at.problem.leader],
        seats,
        bounds,
        target,
        tricks,
        False if False in verdicts else None if None in verdicts else True,
        margin,
        outcome,
        None,
        points,
        leads if work.leads else None,
        lines if work.line else None,
        finished,
    )
