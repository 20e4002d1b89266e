"""`python -m benchmarks --compare` compares two versions of spadille on the same deals."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from benchmarks import compare_versions
from benchmarks.compare_versions import Version, VersionError, compare, serve
from benchmarks.dds_report_rows import LINES, Line
from benchmarks.effort import Effort
from benchmarks.report import between_versions

QUICK = Effort(0.01, 1, 20_000, 1)
TINY = "Ombre: outcome"
(LINE,) = (line for line in LINES if line.name == TINY)


class Fake:
    """A version that returns given answers, and given times in turn."""

    def __init__(self, answers: list[compare_versions.Answer], times: list[float]) -> None:
        self.answers = answers
        self.times = times * len(answers)

    def prepare(self, line: Line, family: str, number: int) -> int:
        assert (line, family) == (LINE, "tuning")
        return min(number, len(self.answers))

    def answer(self, deal: int, nodes: int) -> compare_versions.Answer:
        return self.answers[deal]

    def seconds(self, deal: int, nodes: int) -> float:
        return self.times.pop()


def test_a_line_has_minima_and_counts_answers_that_differ() -> None:
    times = [3.0, 2.0, 4.0, 2.5, 5.0]
    assert len(times) == compare_versions.ROUNDS
    this = Fake([("1", 10), ("2", 20)], times)
    other = Fake([("1", 40), ("3", 20)], [4.0] * compare_versions.ROUNDS)
    found = compare(LINE, "tuning", Effort(1, 1, 1, 1), this, other)
    assert not this.times
    assert found.wrong == 1
    assert found.nodes == [(10, 40), (20, 20)]
    assert found.nodes_ratio == 0.5
    assert found.seconds == [(2.0, 4.0), (2.0, 4.0)]
    assert (found.ratio, found.median_ratio) == (0.5, 0.5)


@pytest.mark.ci
def test_a_version_agrees_with_a_copy_of_itself(tmp_path: Path) -> None:
    shutil.copytree(compare_versions.INSTALLED / "spadille", tmp_path / "solver" / "spadille")
    with Version() as this, Version(tmp_path) as other:
        found = compare(LINE, "measuring", QUICK, this, other)
    assert found.wrong == 0
    assert len(found.nodes) == len(found.seconds) > 0
    for one, two in found.nodes:
        assert one == two > 0
    assert all(0 < one < float("inf") for pair in found.seconds for one in pair)


@pytest.mark.ci
def test_another_version_is_really_run(tmp_path: Path) -> None:
    """A copy whose outcome is always the worst gives other answers, so it is really used."""
    shutil.copytree(compare_versions.INSTALLED / "spadille", tmp_path / "solver" / "spadille")
    automata = tmp_path / "solver" / "spadille" / "search" / "payoff_automata.py"
    automata.write_text(
        f"{automata.read_text()}\n\ndef _never(*asked: object) -> bool:\n    return False\n"
        "\n\nMost.reaches = _never\n"
    )
    text = between_versions(tmp_path, "measuring", QUICK, TINY)
    rows = [line for line in text if line.startswith(f"| {TINY} |")]
    assert len(rows) == 1
    assert int(rows[0].split("|")[-2]) > 0


def test_folders_without_an_engine_are_refused(tmp_path: Path) -> None:
    with pytest.raises(VersionError, match="no compiled engine in solver/spadille/search"):
        Version(tmp_path)


def test_requests_that_fail_are_answered_with_the_error() -> None:
    replies: list[str] = []
    requests = [json.dumps(["prepare", TINY, "measuring", 1]), json.dumps(["seconds", 1, 0])]
    serve(requests, replies.append)
    assert json.loads(replies[0]) == {"answer": 1}
    assert json.loads(replies[1]) == {"error": "IndexError: list index out of range"}
