"""Compare with bridge-solver (github.com/macroxue/bridge-solver) on the deals that it includes.

bridge-solver is a separate program, built by `make` in its checkout. The two programs take turns.
The time of bridge-solver is the processor time of its process, minus that of a run that solves
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from subprocess import run
from typing import NamedTuple

from benchmarks import timed_tasks
from benchmarks.deals import Question
from benchmarks.effort import Effort, timed
from spadille.base.card_text import SUITS, sort_cards
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.search.engine import Solver

STRAINS = "SHDCN"  # in the order of bridge-solver and of `timed_tasks.bridge_table`
SHARE = 10
TICK = 1e-4  # the shortest time distinguishable from zero
Table = list[list[int]]


class Group(NamedTuple):
    """Deals, the number of times each is solved, the targets, and the memory limit of spadille."""

    name: str
    deals: str  # a pattern of files in the checkout or, if none match, beside this file
    rounds: int
    whole: float
    median: float | None = None
    megabytes: int = 256
    many: bool = False  # use one in SHARE, unless all are requested
    quick: bool = True  # include them in a quick run

    def files(self, checkout: Path) -> list[Path]:
        """Return the files of the deals, in order."""
        found = [*checkout.glob(self.deals)] or [*Path(__file__).parent.glob(self.deals)]
        return sorted(found, key=number)


GROUPS = (
    Group("`1k_deals`", "1k_deals/deal.*", 1, 0.60, many=True),
    Group("`hard_deals`", "hard_deals/deal.*", 3, 0.70, median=0.70),
    Group("the symmetric deal, 120 MB", "hard_deals/deal.4", 3, 0.70, megabytes=120),
    # The hardest deal in its README since commit 840e39b.
    Group("its hardest deal, 256 MB", "bridge_solver_hardest.1", 1, 0.60, quick=False),
)


class Found(NamedTuple):
    """The measurements of a group: seconds for each deal, and the values that differ."""

    group: Group
    ours: list[float]
    theirs: list[float]
    wrong: int

    @property
    def whole(self) -> float:
        """The ratio of the total times."""
        return sum(self.ours) / sum(self.theirs)

    @property
    def median(self) -> float:
        """The median of the deals' ratios."""
        return median(self.ratios)

    @property
    def worst(self) -> float:
        """The worst of the deals' ratios."""
        return max(self.ratios)

    @property
    def ratios(self) -> list[float]:
        """Return the ratios deal by deal."""
        return [one / other for one, other in zip(self.ours, self.theirs, strict=True)]

    @property
    def met(self) -> bool:
        """Whether the targets are met."""
        most = self.group.median
        return (
            self.whole <= self.group.whole
            and (most is None or self.median <= most)
            and not self.wrong
        )


def hands(text: str) -> dict[str, tuple[str, ...]]:
    """Return the hands in a file of bridge-solver: north, west, east and south, suits S H D C."""
    found = re.findall(r"(?<!\S)(?:[2-9TJQKA]+|-)(?!\S)", text)
    return {
        seat: sort_cards(
            suit + rank
            for suit, ranks in zip(SUITS, found[4 * place : 4 * place + 4], strict=True)
            for rank in ranks.strip("-")
        )
        for place, seat in enumerate("NWES")
    }


def question(text: str) -> Question:
    """Return the deal in a file of bridge-solver, in the form of `timed_tasks.bridge_table`."""
    held, rules = hands(text), rules_for("anna-cubed")
    deal = Deal(
        rules=rules,
        dealer="N",
        hands={seat: held[seat] for seat in rules.seats},
        current_trump="S",
    )
    return Question(deal, Contract.make(deal, "prop-cop", "N", partner="S"), ("N",))


def number(file: Path) -> int:
    """Return the number of a deal, which is its file's suffix."""
    return int(file.suffix[1:])


def theirs(checkout: Path, file: Path, *options: str) -> tuple[float, Table]:
    """Run bridge-solver on a deal; return its time, and rows S H D C NT of declarers N E S W."""
    command = (str(checkout / "solver"), "-i", "-m0", *options, "-f", str(file))
    before = getrusage(RUSAGE_CHILDREN)
    text = run(command, check=True, capture_output=True, text=True).stdout
    after = getrusage(RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    rows = {line[0]: [int(cell) for cell in line.split()[1:5]] for line in text.splitlines()}
    # The columns that it prints are south, north, west, east.
    return seconds, [[rows[strain][at] for at in (1, 3, 0, 2)] for strain in STRAINS if rows]


def compare(checkout: Path, effort: Effort, every: bool) -> Iterator[Found]:
    """Solve the groups with both programs in turn; take the median of the rounds for each deal."""
    for group in GROUPS:
        if effort.scale < 1 and not group.quick:
            continue
        solver = Solver(group.megabytes << 20)
        files = group.files(checkout)
        if group.many and not every:
            files = files[::SHARE]
        if effort.scale < 1:
            files = files[:: len(files) // 10 + 1]
        idle = median(theirs(checkout, files[0], "-o")[0] for _ in range(9))
        ours, others, wrong = [], [], 0
        for file in files:
            task = timed_tasks.bridge_table(question(file.read_text(encoding="utf-8")))
            pairs = []
            for _ in range(min(group.rounds, effort.rounds)):
                seconds, table = timed(task, solver, 0)
                other, expected = theirs(checkout, file)
                pairs.append((seconds, max(other - idle, TICK)))
            wrong += sum(
                one != two
                for row, right in zip(table, expected, strict=True)
                for one, two in zip(row, right, strict=True)
            )
            ours.append(median(seconds for seconds, _ in pairs))
            others.append(median(seconds for _, seconds in pairs))
        yield Found(group, ours, others, wrong)
