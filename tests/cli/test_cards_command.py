"""`spadille cards`: points during the play, every format, errors."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from spadille.core.position import Position
from spadille.pbn.hand_file import load
from spadille_cli import main
from spadille_cli.output_formats import FORMATS
from tests.cli.test_review_command import FILES, HALF, NEMO, NOT_PLAYED
from tests.support.tiers import part

FIELDS = {"card", "tricks", "makes", "margin", "outcome", "points", "cost", "effect", "score"}
FIELDS |= {"surrenders"}


def run(*args: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["cards", *args], input=text)


@pytest.mark.parametrize("path", part(FILES, 2, 8), ids=lambda path: path.stem)
def test_every_game_in_every_format(path: Path) -> None:
    records = json.loads(run("--after", "0", "--line", "--format", "json", str(path)).stdout)
    for record, entry in zip(records, load(path), strict=True):
        position = Position.of(entry.deal, entry.contract)
        assert record["error"] is None
        assert [card["card"] for card in record["cards"]] == position.legal()
        assert record["player"] == position.to_play
        assert set(record["cards"][0]) == FIELDS
        lines = record["line"].values() if isinstance(record["line"], dict) else [record["line"]]
        for line in lines:
            assert sum(map(len, line)) == sum(map(len, position.hands.values()))
    first = path.read_text().partition("\n\n")[0]
    for layout in FORMATS:
        result = run("--after", "0", "--format", layout, "-", text=first)
        assert result.exit_code == 0
        if layout == "table":
            lines = [line for line in result.stdout.splitlines() if "deal 1" not in line]
            assert max(map(len, lines)) <= 80
        if layout == "csv":
            rows = csv.DictReader(io.StringIO(result.stdout))
            assert [row["card"] for row in rows] == [one["card"] for one in records[0]["cards"]]


def one(*args: str, text: str = HALF) -> dict:
    (record,) = json.loads(run(*args, "--format", "json", "-", text=text).stdout)
    return record


def test_points_of_the_play() -> None:
    end = one()
    assert (end["after"], end["player"], end["cards"], end["value"]) == (32, None, [], 4)
    mid = one("--after", "5")
    assert (mid["trick"], mid["table"], mid["leader"], mid["player"]) == (2, ["S8"], "S", "W")
    assert [card["card"] for card in mid["cards"]] == ["SQ", "ST"]
    third = one("--trick", "3")
    assert (third["after"], third["table"], third["player"], third["value"]) == (8, [], "E", 5)
    cards = {card["card"]: card for card in third["cards"]}
    assert (cards["DJ"]["tricks"], cards["DJ"]["cost"], cards["DJ"]["effect"]) == (4, 1, "loses")
    assert (cards["CA"]["tricks"], cards["CA"]["cost"], cards["CA"]["effect"]) == (5, 0, "keeps")
    assert cards["CA"]["score"] == {"N": 1, "E": 1, "S": -1, "W": -1}
    assert one(text=NOT_PLAYED)["after"] == 0


def test_a_forced_card_has_its_value() -> None:
    record = one("--after", "31")
    (card,) = record["cards"]
    assert (card["card"], card["tricks"], card["cost"]) == ("DK", 4, 0)


def test_tables_say_what_the_contract_or_the_defeat_loses() -> None:
    assert "loses it" in run("--trick", "3", "-", text=HALF).stdout
    assert "played to the end, 4 tricks" in run("-", text=HALF).stdout
    defeat = run("--after", "4", "-", text=HALF).stdout
    assert "defeat" in defeat
    assert "S8         6     2  loses it" in defeat


def test_values_within_limits_are_marked_bounds() -> None:
    exact = one("--after", "0")
    found = one("--after", "0", "--nodes", "60", "--line")
    assert found["nodes"] <= 62
    assert found["value"] is None
    assert found["bounds"][0] <= exact["value"] <= found["bounds"][1]
    assert "bounds" not in exact
    assert "line" not in found
    for card, known in zip(found["cards"], exact["cards"], strict=True):
        assert (card["tricks"] is None) == ("bounds" in card)
        assert card["cost"] in (None, known["cost"])
        if "bounds" in card:
            assert card["bounds"][0] <= known["tricks"] <= card["bounds"][1]
    shown = run("--after", "0", "--nodes", "60", "-", text=HALF).stdout
    assert " to 8" in shown
    assert "A limit ended the search: some values have bounds" in shown
    assert "*" not in shown
    told = run("--after", "0", "--nodes", "60", "--format", "csv", "-", text=HALF).stdout
    assert "0 to 8" in {row["bounds"] for row in csv.DictReader(io.StringIO(told))}
    # In NEMO, the bounds are the guarantees of each declarer.
    points = one("--nodes", "1", text=NEMO)
    assert set(points["bounds"]) <= set("12345")


ENTRADA = (
    *("--game", "ombre", "--declarer", "3", "--contract", "entrada", "--trump", "H"),
    *("--deal", "3:632.A76.A4.Q AQJ.Q.2.5432 .K54.J53.K76"),
    *("--talon", "SK D7 HJ H2 CJ DQ S7 DK H3 CA S5 D6 S4"),
    *("--play", "C6 C4 CQ DA D3 D2 S3 DJ SJ C5 D4 C7 D5 SA H6 C3 H7 CK S2 H4 SQ H5"),
)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("words", "text", "says"),
    [
        (ENTRADA, "", "some scores are unknown (?)"),
        (("--after", "16", "-"), HALF, "no line or decision was found"),
    ],
)
def test_nothing_is_missing_from_a_finished_result(
    words: tuple[str, ...], text: str, says: str
) -> None:
    """A limit may leave only scores or the line open: the outcome of each card is known."""

    def result(*more: str) -> dict[str, Any]:
        return json.loads(run(*words, "--line", "--format", "jsonl", *more, text=text).stdout)

    exact, said = result(), 0
    assert exact["finished"]
    assert None not in [card["score"] for card in exact["cards"]]
    for nodes in range(1, exact["nodes"] + 1):
        found = result("--nodes", str(nodes))
        scores = None in [card["score"] for card in found["cards"]]
        bounds = "bounds" in found or any("bounds" in card for card in found["cards"])
        missing = scores or bounds or found.get("line") is None
        assert found["finished"] is not missing
        told = " ".join(run(*words, "--line", "--nodes", str(nodes), text=text).stdout.split())
        assert ("A limit ended the search" in told) is missing
        said += says in told
    assert said


def test_seconds_without_chances_are_those_of_each_position() -> None:
    assert one("--after", "0", "--seconds", "1e-9")["value"] is None
    assert one("--after", "0", "--seconds", "0")["value"] == one("--after", "0")["value"]
    assert run("--nodes", "5", "--chances", "-", text=HALF).exit_code == 2
    assert run("--seconds", "nan", "-", text=HALF).exit_code == 2


def test_nemo_by_seat() -> None:
    record = one(text=NEMO)
    assert record["unit"] == "points"
    assert set(record["value"]) == set("12345")
    assert set(record["cards"][0]["points"]) == set("12345")
    assert max(map(len, run("--line", "-", text=NEMO).stdout.splitlines())) <= 80


def test_another_contract_has_no_recorded_play() -> None:
    record = one("--called", "SK")
    assert (record["after"], record["called"]) == (0, "SK")


def test_wrong_points() -> None:
    result = run("--after", "33", "--format", "jsonl", "-", text=f"{HALF}\n{HALF}")
    assert result.exit_code == 3
    assert [json.loads(line)["error"]["code"] for line in result.stdout.splitlines()] == [
        "play-too-short",
        "play-too-short",
    ]
    result = run("--trick", "2", "-", text=NOT_PLAYED)
    assert (result.exit_code, result.stdout) == (0, "")
    assert "without recorded play" in result.stderr
    assert run("--after", "3", "--trick", "2", "-", text=HALF).exit_code == 2
    assert run("--trick", "0", "-", text=HALF).exit_code == 2


def test_a_revoke_stands_in_the_way_only_of_what_follows() -> None:
    text = HALF.replace("C8 DA DJ D8", "CQ DA DJ CJ")
    result = run("--format", "json", "-", text=text)
    assert result.exit_code == 3
    error = json.loads(result.stdout)[0]["error"]
    assert error["code"] == "card-revoke"
    assert result.stderr.startswith(f"-:{error['line']}:{error['column']}: {error['message']}")
    assert result.stderr.count(error["message"]) == 1
    result = run("--trick", "3", "--format", "json", "-", text=text)
    assert json.loads(result.stdout)[0]["value"] == 5


def test_threads_change_nothing() -> None:
    files = [str(path) for path in FILES[:3]]
    once, twice = (
        [
            {**record, "ms": 0}
            for record in json.loads(run("-j", jobs, "--format", "json", "--line", *files).stdout)
        ]
        for jobs in "12"
    )
    assert once == twice


def test_columns_that_say_nothing_are_left_out() -> None:
    # This Misère always makes: no card costs anything, and the declarer takes no trick.
    deal = '[Game "solo-whist"]\n[Deal "N:4... 3... 2... 5..."]\n[Leader "E"]\n'
    text = deal + '[Declarer "S"]\n[Contract "misere"]\n[CurrentTrump "S"]\n'
    assert run("-", text=text).stdout.splitlines()[1].split() == ["card", "tricks"]


def test_cards_play_on_from_a_point_of_the_file(tmp_path) -> None:
    file = tmp_path / "deal.pbn"
    head = '[Game "german-solo"]\n[Dealer "W"]\n'
    head += '[Deal "S:87.AQJ7.7.Q KQJ.T8.AK8. T9.9.QJT.KJ A.K.9.AT987"]\n'
    tags = '[Declarer "S"]\n[Contract "solo"]\n[Trump "H"]\n'
    file.write_text(f'{head}{tags}[Play "N"]\nDQ D9 D7 DK\nS9 SA S8 SK\nCJ C7 H7 D8\n')

    def values(*words: str) -> tuple[str, list[tuple[str, int]]]:
        result = CliRunner().invoke(main, ["cards", *words, "--format", "json", str(file)])
        assert result.exit_code == 0, result.output
        (record,) = json.loads(result.stdout)
        return record["player"], [(each["card"], each["tricks"]) for each in record["cards"]]

    played = values("--after", "10")
    assert values("--after", "8", "--play", "C7 H7") == played
    assert values("--after", "8", "--play", "HK")[0] == "S"
    assert values("--play", "HA H8")[0] == "N"
    run = CliRunner().invoke
    result = run(main, ["cards", "--after", "8", "--play", "HK D7", str(file)])
    assert (result.exit_code, "--play, card 2: S does not hold D7" in result.stderr) == (3, True)
    result = run(main, ["solve", "--play", "HK", str(file)])
    assert (result.exit_code, "'spadille cards --play'" in result.stderr) == (2, True)
    result = run(main, ["cards", "--play", "HX", str(file)])
    assert (result.exit_code, "'HX' is not a card" in result.stderr) == (2, True)


OWN = """[Game "german-solo"]
[Dealer "W"]
[Deal "S:87.AQJ7.7.Q KQJ.T8.AK8. T9.9.QJT.KJ A.K.9.AT987"]
[Declarer "S"]
[Contract "solo"]
[Trump "H"]
[Play "N"]
DQ D9 D7 DK
S9 SA S8 SK
CJ C7 H7 D8
"""


def test_seat_selects_a_players_turn_and_decisions(tmp_path) -> None:
    file = tmp_path / "deal.pbn"
    file.write_text(OWN)

    def run(*words: str) -> dict[str, object]:
        result = CliRunner().invoke(main, [*words, "--format", "json", str(file)])
        assert result.exit_code == 0, result.output
        (record,) = json.loads(result.stdout)
        return record

    for words, after, player in (
        (("--seat", "S"), 12, "S"),  # the winner of the third trick
        (("--seat", "N"), 11, "N"),
        (("--after", "8", "--seat", "S"), 7, "S"),
        (("--after", "5", "--seat", "N"), 5, "N"),
    ):
        found = run("cards", *words)
        assert (found["after"], found["player"]) == (after, player)
    review = run("review", "--seat", "E")
    assert {card["seat"] for card in review["cards"]} == {"E"}
    assert {one["seat"] for one in review["decisions"]} <= {"E"}
    shown = CliRunner().invoke(main, ["review", "--seat", "E", "--format", "csv", str(file)])
    assert len(shown.stdout.splitlines()) == 1 + 3


@pytest.mark.parametrize("command", ["solve", "show", "score", "review", "cards"])
def test_seat_no_longer_names_the_declarer(command: str, tmp_path) -> None:
    file = tmp_path / "deal.pbn"
    file.write_text(OWN)
    result = CliRunner().invoke(main, [command, "--seat", "N", "--contract", "solo", str(file)])
    assert (result.exit_code, "--declarer N" in result.stderr) == (2, True)
