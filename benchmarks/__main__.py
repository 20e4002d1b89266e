"""`python -m benchmarks`: every bar, what was measured, whether it is met, as Markdown."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from pathlib import Path
from statistics import mean, median
from time import perf_counter

import spadille
from benchmarks import dds, hard, other, signature
from benchmarks.deals import MEASURING, TUNING
from benchmarks.lines import LINES
from benchmarks.measure import FULL, QUICK, Effort, Figures, compare
from spadille.search.engine import FAST_PATH

HARD = "no report, but the hardest deal a hill climber finds, as a hand file"


def main() -> None:
    """Run what the command line asks for and write the report."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer deals, under two minutes")
    parser.add_argument("--only", default="", metavar="TEXT", help="lines that contain the text")
    parser.add_argument("--tuning", action="store_true", help="the deals kept for tuning")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="instead of the screen")
    parser.add_argument("--hard", nargs=2, metavar=("GAME", "CONTRACT"), help=HARD)
    parser.add_argument("--minutes", type=float, default=2, metavar="N", help="of --hard")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of --hard")
    asked = parser.parse_args()
    if asked.hard:
        found = hard.climb(*asked.hard, asked.minutes, asked.seed)
        print(f"% {found.nodes:,} nodes\n{found.text()}", end="")
        return
    family = TUNING if asked.tuning else MEASURING
    effort = QUICK if asked.quick else FULL
    began = perf_counter()
    text = "\n".join(report(family, effort, asked.only))
    print(f"{perf_counter() - began:.0f} s", file=sys.stderr)
    if asked.output:
        asked.output.write_text(text + "\n", encoding="utf-8")
    else:
        print(text)


def report(family: str, effort: Effort, only: str) -> list[str]:
    """The lines of the report."""
    text = ["# Benchmarks", "", *conditions(family, effort), ""]
    chosen = [line for line in LINES if only.casefold() in line.name.casefold()]
    if dds.AVAILABLE:
        text += ["## Against DDS", "", *EXPLANATION, "", *HEAD]
        for line in chosen:
            progress(line.name)
            text.append(compared(compare(line, family, effort)))
    else:
        text.append("endplay is missing here, so there is no DDS to compare with.")
    if not only:
        text += ["", "## Start-up, throughput, memory, reviews", "", *OTHER_HEAD]
        for row in other.rows(family, effort):
            progress(row.name)
            text.append(cells(row.name, row.bar, row.measured, verdict(row.met)))
    return text


def conditions(family: str, effort: Effort) -> list[str]:
    """What was measured, and on what."""
    path = "BMI2 and AVX2" if FAST_PATH else "plain"
    return [
        f"- spadille {spadille.__version__}, {path} path, "
        f"search signature {sum(signature.counts().values()):,} nodes",
        f"- endplay {dds.version()}, Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}",
        f"- {'full' if effort is FULL else 'quick'} run on the deals for {family}, at most "
        f"{effort.rounds} rounds, at most {effort.nodes:,} nodes a solve",
        f"- {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} at the start; "
        "above 0.5 others were at work, and wall times and throughput say little",
    ]


EXPLANATION = (
    "Processor time of one thread; ours and DDS by turns, deal by deal; for each deal the median",
    "of the rounds. The ratio is that of the means. The median is against DDS's median where both",
    "solve the same deals, otherwise against DDS's mean; the worst deal is always against the",
    "mean. A deal that hit the limit of nodes counts with the time it took and as unfinished.",
    "Fewer deals than were to be: the line had used up its time.",
)
HEAD = (
    "| work | bar | ratio | median | worst | deals | unfinished | ours, ms | DDS, ms | met |",
    "|---|---|---|---|---|---|---|---|---|---|",
)
OTHER_HEAD = ("| what | bar | measured | met |", "|---|---|---|---|")


def compared(found: Figures) -> str:
    """A row of the table of comparisons."""
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
    """2.50x, or 1/80 for small ones."""
    return f"{value:.2f}x" if value >= 0.1 else f"1/{1 / value:.0f}"


def verdict(met: bool | None) -> str:
    """The last cell of a row."""
    return {True: "yes", False: "**no**", None: "–"}[met]


def cells(*texts: str) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(texts)} |"


def progress(name: str) -> None:
    """Tell on standard error how far the run is."""
    print(name, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
