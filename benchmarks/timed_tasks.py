"""The timed work of spadille: searches as the library requests them, one task per deal.

Preparing a task is not timed. A task first clears the table; it returns its answer, or None if it
reached the node limit. Reading files and building results are timed with the command.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.deals import Question
from benchmarks.plays_with_errors import recorded
from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.table import table
from spadille.analysis.review.replay import replay
from spadille.analysis.value.solve import solve
from spadille.base.errors import TooHardError
from spadille.search.contract_objective import SideObjective, objective_of
from spadille.search.encoding import situation
from spadille.search.engine import Solver, TrickObjective
from spadille.search.engine_problem import EngineProblem
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from spadille.search.payoff_automata import Payoff
from spadille.search.question import Question as Asked
from spadille.search.value_names import Grades
from spadille.search.values_along_play import Track

Task = Callable[[Solver, int], Any]


def prepared(question: Question) -> list[tuple[EngineProblem, SideObjective]]:
    """Return the questions of a contract in the engine's terms, with compiled automata."""
    at = situation(question.deal, question.contract)
    asked = []
    for seat in question.seats:
        objective = objective_of(question.contract, at, seat)
        idle = Solver(0)
        idle.limit(1)
        for need in range(len(objective.values) if isinstance(objective, Payoff) else 0):
            objective.reaches(idle, at.problem, objective.start, need)
        asked.append((at.problem, objective))
    return asked


def bounds(solver: Solver, problem: EngineProblem, objective: SideObjective) -> tuple[int, int]:
    """Search for the value."""
    low, high = objective.span(problem, objective.start)
    return objective.bounds(solver, problem, objective.start, low, high, objective.guess)


def value(question: Question) -> Task:
    """Return a task: the value of the contract for each declarer in the question."""
    asked = prepared(question)

    def run(solver: Solver, nodes: int) -> Any:
        found = []
        for problem, objective in asked:
            solver.clear()
            solver.limit(nodes)
            low, high = bounds(solver, problem, objective)
            if low < high:
                return None
            found.append(low)
        return found[0] if len(found) == 1 else found

    return run


def counted(question: Question) -> Callable[[Solver, int], tuple[int, bool]]:
    """Return a task: the nodes for these values, and whether each search finished."""
    asked = prepared(question)

    def run(solver: Solver, nodes: int) -> tuple[int, bool]:
        visited, finished = 0, True
        for problem, objective in asked:
            solver.clear()
            solver.limit(nodes)
            low, high = bounds(solver, problem, objective)
            visited += solver.nodes
            finished &= low == high
        return visited, finished

    return run


def made(question: Question) -> Task:
    """Return a task: whether a Misère makes, without the number of its tricks."""
    [(problem, objective)] = prepared(question)

    def run(solver: Solver, nodes: int) -> bool | None:
        solver.clear()
        solver.limit(nodes)
        return objective.reaches(solver, problem, objective.start, 0)

    return run


def outcome(question: Question) -> Task:
    """Return a task: the outcome of a contract to win the most tricks, as an objective value."""
    [(problem, objective)] = prepared(question)
    deal, contract, [seat] = question
    asked = Asked.of(deal, contract, situation(deal, contract), seat, Search(Solver(0), Limits()))
    least, *better = Grades(asked).needs

    def run(solver: Solver, nodes: int) -> int | None:
        solver.clear()
        solver.limit(nodes)
        for need in reversed(better):
            answer = objective.reaches(solver, problem, objective.start, need)
            if answer is None:
                return None
            if answer:
                return need
        return least

    return run


def leads(question: Question) -> Task:
    """Return a task: card -> tricks of the declaring side, for every opening lead."""
    [(problem, objective)] = prepared(question)
    names = situation(question.deal, question.contract).encoding.names

    def run(solver: Solver, nodes: int) -> dict[str, int] | None:
        solver.clear()
        solver.limit(nodes)
        low, high = bounds(solver, problem, objective)
        if low < high:
            return None
        found = objective.card_values(solver, problem, objective.start, low)
        values = {names[card]: tricks for card, tricks in found.items() if tricks is not None}
        return values if len(values) == len(found) else None

    return run


def trace(question: Question) -> Task:
    """Return a task: the declaring side's tricks before each card, up to the last trick."""
    deal, contract, [seat] = question
    at = situation(deal, contract)
    path = replay(deal, contract, at, Solver(0), recorded(question)).path
    decided = len(path.cards) - len(deal.rules.seats) + 1

    def run(solver: Solver, nodes: int) -> list[int] | None:
        search = Search(solver, Limits(nodes=nodes))
        track = Track(Asked.of(deal, contract, at, seat, search), path)
        try:
            track.settle()
        except TooHardError:
            return None
        return track.values[:decided]

    return run


def bridge_table(question: Question) -> Task:
    """Return a task: all 20 values of a deal, rows S H D C NT of the tricks of declarers N E S W.

    The question is always how many tricks north and south take, so that all leaders of a trump
    share a table.
    """
    [(problem, _)] = prepared(question)
    rules = question.deal.rules
    lanes = situation(question.deal, question.contract).encoding.lanes
    trumps = [*(lanes[suit] for suit in "SHDC"), -1]
    north_south = TrickObjective(0b0101, 0b0101)
    tricks = problem.tricks

    def run(solver: Solver, nodes: int) -> list[list[int]] | None:
        solver.clear()
        rows = []
        for trump in trumps:
            guess = tricks // 2
            row = [0] * 4
            for declarer in range(4):
                solver.limit(nodes)
                at = EngineProblem(4, problem.hands, trump, (declarer + 1) % 4)
                low, high = north_south.bounds(solver, at, 0, 0, tricks, guess)
                if low < high:
                    return None
                # The next leader usually gives the same value.
                guess = low
                row[declarer] = tricks - low if declarer & 1 else low
            rows.append(row)
        return rows

    if rules.turn_order != ("N", "E", "S", "W"):
        raise ValueError("the 20 values belong to four players who play clockwise")
    return run


def table_of(*contracts: str, made: bool = False) -> Callable[[Question], Task]:
    """Return a maker of tasks: the table of a deal, of these contracts or all, as `spadille table`.

    The table has numbers of tricks or, with `made`, whether each contract makes.
    """

    # Older versions lack the argument `made`; without it, they can still be compared.
    how = {"made": True} if made else {}

    def prepare(question: Question) -> Task:
        def run(solver: Solver, nodes: int) -> Any:
            # A table has its own limit: the exact number of tricks of a Misère may stay open.
            rows = table(question.deal, contracts or None, solver=solver, **how).rows
            if any(row.makes is None for row in rows):
                return None
            return [row.makes if made else row.tricks for row in rows]

        return run

    return prepare


def best_of(question: Question) -> Task:
    """Return a task: the best contract of each seat, as `spadille best` finds it."""

    def run(solver: Solver, nodes: int) -> Any:
        # No question of a short game needs a limit.
        return best(question.deal, solver=solver).seats

    return run


def one_solve(question: Question) -> Task:
    """Return a task: a contract solved with `solve`, including its encoding and its result."""

    def run(solver: Solver, nodes: int) -> Any:
        result = solve(question.deal, question.contract, solver=solver, limits=Limits(nodes=nodes))
        return result.tricks if result.finished else None

    return run
