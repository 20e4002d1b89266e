"""Measure the nodes and the time for every contract of every game, and for the hard deals.

Times are processor time, in units of DDS's mean solve, as in the lines against DDS.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import NamedTuple

from benchmarks import timed_tasks
from benchmarks.dds_report_rows import NO_TRUMP, SUIT, yardsticks
from benchmarks.deals import Question, offered, questions
from benchmarks.effort import Effort, timed
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.games import GAMES, rules_for
from spadille.pbn.hand_file import load
from spadille.search.engine import Solver
from spadille.search.limits import Limits

DEALS = 100  # for each contract
SECONDS = 3  # time limit of a contract in a full run
HARD = Path(__file__).parent / "hard.pbn"
# The targets for the hard deals: the nodes that most contracts take at most, the number of these
# contracts, and the nodes that no contract exceeds.
MOST, OF_CONTRACTS, NEVER_OVER = 10_000_000, 40, 20_000_000


class Cost(NamedTuple):
    """The cost of solving one contract, starting with an empty table."""

    nodes: int
    seconds: float
    finished: bool


def cost(question: Question, effort: Effort, solver: Solver) -> Cost:
    """Measure the search for its value."""
    seconds, (nodes, finished) = timed(timed_tasks.counted(question), solver, effort.nodes)
    return Cost(nodes, seconds, finished)


class Yard:
    """The mean times of a DDS solve: with a trump suit, and at no trump."""

    def __init__(self, family: str, effort: Effort) -> None:
        self.seconds = {
            against: mean(timed(each)[0] for each in yardsticks(family, against, effort.yardsticks))
            for against in (SUIT, NO_TRUMP)
        }

    def of(self, contract: Contract) -> float:
        """Return the mean for a contract's trump; if the trump is open, the mean for suits."""
        return self.seconds[NO_TRUMP if contract.trump == "NT" else SUIT]


class Row(NamedTuple):
    """One contract of a game; times are multiples of DDS's mean."""

    name: str
    nodes: list[int]
    times: list[float]
    unfinished: int

    def cells(self) -> list[str]:
        """Return the cells of the report: mean, median, worst."""
        every: tuple[list[int] | list[float], ...] = (self.nodes, self.times)
        nodes, times = ([mean(each), median(each), max(each)] for each in every)
        return [
            self.name,
            " / ".join(f"{each:,.0f}" for each in nodes),
            " / ".join(f"{each:.4f}" if each < 0.1 else f"{each:.2f}" for each in times),
            f"{len(self.nodes)}",
            f"{self.unfinished}",
        ]


def contracts(family: str, effort: Effort, yard: Yard) -> Iterator[Row]:
    """Return a row for each contract of each game."""
    solver = Solver()
    for game in GAMES:
        for contract in rules_for(game).contracts:
            name = f"{GAMES[game].name}: {rules_for(game).contract(contract).name}"
            asked = questions(family, f"every {game} {contract}", DEALS, offered(game, contract))
            found, times = [], []
            until = perf_counter() + effort.seconds(SECONDS)
            for question in asked[: effort.number(DEALS)]:
                found.append(cost(question, effort, solver))
                times.append(found[-1].seconds / yard.of(question.contract))
                if perf_counter() > until:
                    break
            nodes = [each.nodes for each in found]
            yield Row(name, nodes, times, sum(not each.finished for each in found))


class HardDeals(NamedTuple):
    """How many contracts meet the target with their hardest known deal."""

    within: int
    contracts: int
    over: int  # deals that took more nodes than any may

    @property
    def met(self) -> bool:
        """Whether both targets are met."""
        return self.within >= OF_CONTRACTS and not self.over


def all_hard(costs: list[Cost]) -> HardDeals:
    """Count the contracts; those without a deal in `hard.pbn` never took a million nodes."""
    contracts = sum(len(rules_for(game).contracts) for game in GAMES)
    slow = sum(not each.finished or each.nodes > MOST for each in costs)
    over = sum(not each.finished or each.nodes > NEVER_OVER for each in costs)
    return HardDeals(contracts - slow, contracts, over)


def hard(effort: Effort, yard: Yard) -> Iterator[tuple[str, Cost, float]]:
    """Yield each hard deal's contract, the cost of `solve`, and that cost divided by DDS's mean."""
    limits = Limits(nodes=effort.nodes)
    solver = Solver()
    for number, entry in enumerate(load(str(HARD)), 1):
        deal, contract = entry.deal, entry.contract
        assert deal is not None
        assert contract is not None
        seconds, result = timed(lambda: solve(deal, contract, solver=solver, limits=limits))  # noqa: B023
        name = deal.rules.contract(contract.ids[0]).name
        text = f"{number}. {deal.rules.game.name}: {name}"
        yield text, Cost(result.nodes, seconds, result.finished), seconds / yard.of(contract)
