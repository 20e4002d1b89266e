"""`spadille table`: every game in every format, and the annotation of files."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille.analysis.contracts.table import table
from spadille.games import GAMES
from spadille.pbn.hand_file import read
from spadille_cli import main
from tests.cli.test_solve_command import GERMAN_SOLO, UNKNOWN, ending

FIELDS = [
    *("declarer", "contract", "trump", "called", "partner"),
    *("tricks", "target", "makes", "margin"),
]


def run(*args, **extra):
    return CliRunner().invoke(main, ["table", *args], **extra)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_in_every_format(game):
    text = ending(game, 5)
    (record,) = json.loads(run("--format", "json", "-", input=text).stdout)
    assert set(record) >= {"file", "index", "board", "game", "error", "rows"}
    assert {row["contract"] for row in record["rows"]} == set(GAMES[game].contracts)
    assert all(set(FIELDS) <= set(row) for row in record["rows"])
    rows = list(csv.DictReader(io.StringIO(run("--format", "csv", "-", input=text).stdout)))
    assert [row["contract"] for row in rows] == [row["contract"] for row in record["rows"]]
    result = run("-", input=text)
    assert max(map(len, result.stdout.splitlines())) <= 80
    for kind in GAMES[game].contracts:
        assert f"\n{kind} " in result.stdout


def test_cells_show_tricks_what_makes_and_the_best_call():
    found = table(read(GERMAN_SOLO)[0].deal)
    best = next(
        row
        for row in found.rows
        if (row.contract, row.declarer, row.trump, row.best) == ("frog", "N", "D", True)
    )
    text = run("-", input=GERMAN_SOLO).stdout
    line = next(line for line in text.splitlines() if line.split()[:2] == ["frog", "N"])
    assert best.makes
    assert f"{best.tricks}* {best.called}" in line
    assert "-: deal 7, german-solo" in text


def test_pairs_of_partners_have_a_row_each():
    text = run("-", input=ending("squint", 5)).stdout
    pairs = [line.split()[1] for line in text.splitlines() if line.startswith("duo ")]
    assert pairs == [f"{one}+{two}" for one in "12345" for two in "12345" if one < two]


def test_made_says_only_what_makes():
    found = table(read(GERMAN_SOLO)[0].deal, made=True)
    best = {
        (row.declarer, row.trump): row for row in found.rows if row.contract == "frog" and row.best
    }
    text = run("--made", "-", input=GERMAN_SOLO).stdout
    lines = [line for line in text.splitlines() if line.startswith("frog ")]
    assert len(lines) == 4
    for line in lines:
        seat, *cells = line.split()[1:]
        row = [best[seat, trump] for trump in "SHDC"]
        words = [f"yes {each.called}" if each.makes else "no" for each in row]
        assert " ".join(cells) == " ".join(words)
    assert any("yes" in line for line in lines)
    (record,) = json.loads(run("--made", "--format", "json", "-", input=GERMAN_SOLO).stdout)
    assert [row["makes"] for row in record["rows"]] == [row.makes for row in found.rows]
    assert {row["tricks"] for row in record["rows"]} == {None}
    assert "made" not in record


def test_made_finds_nothing_to_annotate(tmp_path):
    path = tmp_path / "deals.pbn"
    path.write_text(GERMAN_SOLO)
    done = run("--made", "--annotate", str(path))
    assert done.exit_code == 2
    assert "--annotate writes numbers of tricks, which --made does not find" in done.stderr
    assert path.read_text() == GERMAN_SOLO


def test_annotate_adds_the_table_and_nothing_else(tmp_path):
    path = tmp_path / "deals.pbn"
    path.write_text(f"{GERMAN_SOLO}\n{UNKNOWN}", newline="")
    assert run("--annotate", str(path)).exit_code == 3
    once = path.read_text()
    assert once.startswith(GERMAN_SOLO)
    assert once.endswith(UNKNOWN)
    assert r'[OptimumResultTable "Declarer;Denomination\2R;Result\2R;Contract;' in once
    assert run("--annotate", str(path)).exit_code == 3
    assert path.read_text() == once
    assert run("--annotate", "-", input=GERMAN_SOLO).exit_code == 2


def test_a_fault_in_one_deal_stops_no_other():
    result = run("--format", "jsonl", "-j", "2", "-", input=f"{UNKNOWN}\n{GERMAN_SOLO}")
    assert result.exit_code == 3
    first, second = map(json.loads, result.stdout.splitlines())
    assert first["error"]["code"] == "hand-unknown"
    assert second["rows"]


def test_a_faulty_contract_does_not_matter():
    result = run("-", input=GERMAN_SOLO.replace('"solo"', '"grand"'))
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_deal_without_cards_among_other_faults():
    text = '[Game "mensch"]\n[Deal "?"]\n[Trump "C"]\n[Trump "S"]\n'
    result = run("-", input=text)
    assert result.exit_code == 3
    assert "no cards are dealt" in result.stderr


@pytest.mark.ci
def test_best_writes_bounds_of_a_payoff_into_a_cell(tmp_path):
    """If computing the size of a loss would take too long, the payoff has two bounds."""

    def best(*words):
        return CliRunner().invoke(main, ["best", *words])

    path = tmp_path / "deals.pbn"
    path.write_text(
        '[Game "squint"]\n[Dealer "5"]\n[Talon "S4 D2"]\n'
        '[Deal "5:T7.A6.Q.JT874 95.K85.98.AK6 A6.Q7.AT74.95 KQJ8.J.K63.32 32.T9432.J5.Q"]\n'
    )
    words = ["--seat", "1", "--contract", "solo", "--no-exchange", str(path), "--format"]
    (offer,) = json.loads(best(*words, "json").stdout)[0]["seats"]["1"]
    assert offer["payoff"] is None
    done = best(*words, "csv")
    assert (done.exit_code, done.stderr) == (0, "")
    (row,) = csv.DictReader(done.stdout.splitlines())
    assert row["bounds"].lstrip("'").split() == [str(bound) for bound in offer["bounds"]]


@pytest.mark.parametrize("words", [["table"], ["best"], ["batch", "table", "--into", "ledger.db"]])
def test_a_game_whose_only_fault_is_in_its_contract(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is no deal, so the error counts even for commands that ignore contracts."""
    monkeypatch.chdir(tmp_path)
    Path("deals.pbn").write_text('[Contract $3"solo"]\n')
    done = CliRunner().invoke(main, [*words, "deals.pbn"])
    assert done.exit_code == 3
    assert "deals.pbn:1:11: a quote is missing" in done.stderr
