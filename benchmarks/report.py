"""The report: every target, the measured value, and whether it is met, as Markdown."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from statistics import mean, median

import spadille
from benchmarks import (
    against_bridge_solver,
    contract_nodes_and_time,
    dds,
    other_report_rows,
    signature,
)
from benchmarks.against_dds import Figures, compare
from benchmarks.compare_versions import ROUNDS, VersionError, comparisons
from benchmarks.dds_report_rows import LINES
from benchmarks.effort import FULL, Effort
from spadille.search.engine import FAST_PATH


def report(family: str, effort: Effort, only: str) -> list[str]:
    """Write the rows of the report."""
    text = ["# Benchmarks", "", *conditions(family, effort), ""]
    chosen = [line for line in LINES if only.casefold() in line.name.casefold()]
    if dds.AVAILABLE:
        text += ["## Against DDS", "", *EXPLANATION, "", *HEAD]
        for line in chosen:
            progress(line.name)
            text.append(compared(compare(line, family, effort)))
    else:
        text.append("endplay is missing here, so there is no DDS to compare with.")
    if dds.AVAILABLE and not only:
        yard = contract_nodes_and_time.Yard(family, effort)
        text += ["", "## Hard deals", "", *HARD_HEAD]
        costs = []
        for name, cost, against in contract_nodes_and_time.hard(effort, yard):
            progress(name)
            costs.append(cost)
            met = cost.finished and cost.nodes <= contract_nodes_and_time.NEVER_OVER
            text.append(
                cells(name, f"{cost.nodes:,}", f"{cost.seconds:.2f}", ratio(against), verdict(met))
            )
        text += ["", hard_deals(contract_nodes_and_time.all_hard(costs))]
        text += ["", "## Every contract", "", *EVERY_HEAD]
        for row in contract_nodes_and_time.contracts(family, effort, yard):
            progress(row.name)
            text.append(cells(*row.cells()))
    if not only:
        text += ["", "## Start-up, throughput, memory, reviews", "", *OTHER_HEAD]
        for row in other_report_rows.rows(family, effort):
            progress(row.name)
            text.append(cells(row.name, row.bar, row.measured, verdict(row.met)))
    return text


def rivals(checkout: Path, effort: Effort, all_deals: bool) -> list[str]:
    """Write the tables of the comparison with bridge-solver."""
    text = ["", "## Against bridge-solver", "", *RIVAL_HEAD]
    progress("bridge-solver")
    for found in against_bridge_solver.compare(checkout, effort, all_deals):
        bars = [ratio(found.group.whole)]
        if found.group.median is not None:
            bars.append(f"median {ratio(found.group.median)}")
        text.append(
            cells(
                f"all 20 values, {found.group.name}",
                ", ".join(bars),
                ratio(found.whole),
                ratio(found.median),
                ratio(found.worst),
                f"{len(found.ours)}",
                f"{found.wrong}",
                f"{sum(found.ours):.1f}",
                f"{sum(found.theirs):.1f}",
                verdict(found.met),
            )
        )
    return text


def between_versions(checkout: Path, family: str, effort: Effort, only: str) -> list[str]:
    """Write the table that compares this checkout with another; raises VersionError."""
    text = ["# Two versions", "", *conditions(family, effort, ROUNDS), "", *VERSIONS_HEAD]
    for name, found in comparisons(checkout, family, effort, only):
        progress(name)
        if isinstance(found, VersionError):
            text.append(cells(name, f"not compared: {found}", *[""] * 6))
            continue
        ours, theirs = zip(*found.seconds, strict=True)
        text.append(
            cells(
                name,
                f"{len(ours)}",
                f"{found.nodes_ratio:.3f}x",
                f"{found.ratio:.3f}x",
                f"{found.median_ratio:.3f}x",
                f"{mean(ours) * 1e3:.3f}",
                f"{mean(theirs) * 1e3:.3f}",
                f"{found.wrong}",
            )
        )
    return text


def conditions(family: str, effort: Effort, rounds: int = 0) -> list[str]:
    """Describe what was measured, and on what machine."""
    path = "BMI2 and AVX2" if FAST_PATH else "plain"
    return [
        f"- spadille {spadille.__version__}, {path} path, "
        f"search signature {sum(signature.counts().values()):,} nodes",
        f"- endplay {dds.version()}, Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}",
        f"- {'full' if effort is FULL else 'quick'} run on the deals for {family}, at most "
        f"{rounds or effort.rounds} rounds, at most {effort.nodes:,} nodes a solve",
        f"- {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start; "
        "above 0.5, other programs were busy, and wall times and throughput say little",
    ]


EXPLANATION = (
    "Processor time on one thread. spadille and DDS alternate deal by deal, and the time of a deal",
    "is the median of the rounds. The ratio is that of the means. The median is compared to DDS's",
    "median where both solve the same deals, otherwise to DDS's mean; the worst deal is always",
    "compared to the mean. A deal that reached the node limit is unfinished; its time counts.",
    "A line with fewer deals than planned had used up its time.",
)
HEAD = (
    "| work | target | ratio | median | worst | deals | unfinished | ours, ms | DDS, ms | met |",
    "|---|---|---|---|---|---|---|---|---|---|",
)
HARD_HEAD = (
    "The deals that the hill climber found, as in `hard.pbn`: the hardest known of each contract",
    "that took more than a million nodes. The targets are at most "
    f"{contract_nodes_and_time.MOST:,} nodes in",
    f"{contract_nodes_and_time.OF_CONTRACTS} contracts, and at most "
    f"{contract_nodes_and_time.NEVER_OVER:,} in all of them. "
    "The last column is about the second target.",
    "",
    "| deal | nodes | seconds | : DDS's mean solve | met |",
    "|---|---|---|---|---|",
)
EVERY_HEAD = (
    "Mean / median / worst of deals that are the best of a dozen for the contract (Misère: the",
    "lowest), time as a multiple of DDS's mean solve, at no trump for contracts without trumps.",
    "",
    "| contract | nodes | time : DDS's mean solve | deals | unfinished |",
    "|---|---|---|---|---|",
)
RIVAL_HEAD = (
    "Processor time in seconds for all deals; the programs take turns. The ratios are those of the",
    "total times, then the median and the greatest ratio of single deals.",
    "",
    "| work | target | total | median | worst | deals | values that differ | ours | theirs | met |",
    "|---|---|---|---|---|---|---|---|---|---|",
)
VERSIONS_HEAD = (
    "This version : the other. Both solve the same deals in turn; the time of a deal is the",
    "shortest processor time of the rounds.",
    "",
    "| work | deals | nodes | time | median time | this, ms | other, ms | answers that differ |",
    "|---|---|---|---|---|---|---|---|",
)
OTHER_HEAD = ("| what | target | measured | met |", "|---|---|---|---|")


def hard_deals(found: contract_nodes_and_time.HardDeals) -> str:
    """Describe how many contracts meet the target of the hard deals."""
    most = f"{contract_nodes_and_time.MOST:,} nodes"
    never = f"{contract_nodes_and_time.NEVER_OVER:,}"
    counts = f"{found.within} of {found.contracts} contracts take at most {most}"
    return f"{counts}, and {found.over} take more than {never}. Met: {verdict(found.met)}."


def compared(found: Figures) -> str:
    """Return a row of the table of comparisons."""
    line = found.line
    bars = [] if line.mean is None else [ratio(line.mean)]
    if line.median is not None:
        bars.append(f"median {ratio(line.median)}")
    if line.worst is not None:
        bars.append(f"worst {ratio(line.worst)}")
    deals = f"{len(found.ours)}"
    met = verdict(found.met)
    if len(found.ours) < found.wanted:
        deals += f" of {found.wanted}"
        met = "so far" if found.met else met
    # Times of searches that were cut off are too short.
    least = "≥ " if found.unfinished else ""
    return cells(
        line.name,
        ", ".join(bars) or "–",
        least + ratio(found.ratio),
        (least if 2 * found.unfinished >= len(found.ours) else "") + ratio(found.median_ratio),
        least + ratio(found.worst),
        deals,
        f"{found.unfinished}" + (f", {found.wrong} WRONG" if found.wrong else ""),
        f"{mean(found.ours) * 1e3:.3f} / {median(found.ours) * 1e3:.3f}",
        f"{mean(found.theirs) * 1e3:.1f} / {median(found.theirs) * 1e3:.1f} ({line.against})",
        met,
    )


def ratio(value: float) -> str:
    """Format a ratio as 2.50x, or 1/80 if small."""
    return f"{value:.2f}x" if value >= 0.1 else f"1/{1 / value:.0f}"


def verdict(met: bool | None) -> str:
    """Return the last cell of a row."""
    return {True: "yes", False: "**no**", None: "–"}[met]


def cells(*texts: str) -> str:
    """Return a row of a Markdown table."""
    return f"| {' | '.join(texts)} |"


def progress(name: str) -> None:
    """Report progress on standard error."""
    print(name, file=sys.stderr, flush=True)
