"""`score` of evenings in tables: one row per deal."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille import load
from spadille_cli import main

TOP = Path(__file__).parents[2]
TABLE = """deal,dealer,declarer,contract,trump,called,partner,tricks,players
1,W,S,frog,H,SA,E,5,"Nora, Emil, Sofia, Wim"
2,N,E,solo,D,,,4,"Nora, Emil, Sofia, Wim"
3,E,,,,,,,"Nora, Emil, Sofia, Wim"
"""


def run(*words: str):
    return CliRunner().invoke(main, ["score", *words])


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("head", ["", "\ufeff"])
def test_a_table_is_settled(delimiter: str, head: str, tmp_path: Path) -> None:
    file = tmp_path / "evening.csv"
    cells = list(csv.reader(StringIO(TABLE)))
    with file.open("w", newline="", encoding="utf-8") as stream:
        stream.write(head)
        csv.writer(stream, delimiter=delimiter).writerows(cells)
    result = run("--game", "german-solo", "--format", "csv", str(file))
    found = rows(result.stdout)
    assert [row["points_S"] for row in found] == ["4", "4", "0"]
    assert [row["points"] for row in found] == ["4", "-12", ""]
    assert [row["board"] for row in found] == ["1", "2", "3"]
    assert {row["player_N"] for row in found} == {"Nora"}


@pytest.mark.ci
@pytest.mark.parametrize("name", ["german-solo", "ombre"])
def test_the_output_is_read_back(name: str, tmp_path: Path) -> None:
    first = run("--format", "csv", str(TOP / f"examples/evenings/{name}.pbn"))
    file = tmp_path / "again.csv"
    file.write_text(first.stdout)
    again = run("--format", "csv", str(file))
    assert (first.exit_code, again.exit_code) == (0, 0)
    columns = ("declarer", "contract", "trump", "outcome", "made", "pool_after", "dealer", "rules")
    for old, new in zip(rows(first.stdout), rows(again.stdout), strict=True):
        points = [column for column in old if column.startswith(("points", "player_"))]
        assert len(points) > 6
        assert [old[name] for name in (*columns, *points)] == [
            new[name] for name in (*columns, *points)
        ]
        assert new["best_play"] == ""  # the cards are unknown


def test_faults_are_shown_in_their_cell(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = TABLE.replace("2,N,E,solo", "2,N,X,solo").replace("frog", "frogg")
    Path("a.csv").write_text(text.replace("3,E,,,,,,,", "3,E,N,solo,C,,,many,"))
    result = run("--game", "german-solo", "a.csv")
    assert result.exit_code == 3
    for words in (
        "a.csv:2:7: 'frogg' is not a contract",
        "a.csv:3:5: 'X' is not a seat",
        "a.csv:4:16: ",
    ):
        assert words in result.stderr
    result = CliRunner().invoke(main, ["check", "a.csv"])
    assert "game-missing" in result.output


def test_points_that_no_end_pays_are_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("game,declarer,contract,trump,tricks,points_S\ngerman-solo,S,solo,H,5,13\n")
    result = run(str(file))
    assert "no possible end of this hand pays that" in result.stderr
    file.write_text("game,declarer,contract,trump,tricks S,tricks N\ngerman-solo,S,solo,H,7,2\n")
    assert "no possible end of this hand has these tricks" in run(str(file)).stderr


def test_tricks_of_each_seat_settle_more(tmp_path: Path) -> None:
    table = "game,dealer,declarer,contract,trump,tricks\nombre,1,3,solo,H,{}\n"
    file = tmp_path / "a.csv"
    file.write_text(table.format("4"))
    assert "not settled" in run(str(file)).stderr
    file.write_text(table.format("1:5;2:0;3:4"))
    assert run(str(file)).stderr.count("not settled") <= 1
    assert load(str(file))[0].tricks == {"1": 5, "2": 0, "3": 4}


def test_a_table_is_not_written_into(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text(TABLE)
    result = CliRunner().invoke(main, ["table", "--annotate", str(file)])
    assert result.exit_code == 2
    assert file.read_text() == TABLE
    result = CliRunner().invoke(main, ["fmt", "--in-place", str(file)])
    assert (result.exit_code, "a table cannot be rewritten" in result.stderr) == (3, True)
    assert file.read_text() == TABLE
