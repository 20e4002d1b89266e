"""`spadille review`: every game and format, errors, special rules."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from spadille.analysis.review.matador_and_called_card_hints import hint
from spadille.analysis.review.review import review_many
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import GAMES
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille_cli import main
from spadille_cli.output_formats import FORMATS
from tests.support.random_endings import case
from tests.support.tiers import tries

FOLDER = Path(__file__).parents[2] / "examples"
FILES = sorted(FOLDER.glob("*.pbn"))

HALF = """\
[Board "1"]
[Game "mensch"]
[Dealer "S"]
[Deal "S:A8.K.KT98.J QT7.Q7..Q98 K9.JT98.A7. J.A.QJ.AKT7"]
[Declarer "E"]
[Contract "half"]
[Called "DA"]
[Result "4"]
[Play "W"]
S7 S9 SJ SA {a comment}
ST! SK CT =1= S8 $3
C8 DA DJ D8
H7 H8 HA HK
C9 D7 DQ D9
SQ H9 CK DT
CQ HT CA CJ
HQ HJ C7 DK
[Note "1:a note"]
"""
NOT_PLAYED = HALF[: HALF.index("[Result")]
NEMO = """\
[Game "squint"]
[Dealer "1"]
[Deal "1:63.JT5.95.532 .K9632.J6.AKQ K74.A7.AKQ.94 AQT9.4.T.J876 J52.Q8.8742.T"]
[Contract "nemo"]
[Penalty "H"]
[Play "2"]
CA C4 C6 CT C2
HK HA H4 HQ H5
"""


def run(*args: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["review", *args], input=text)


@pytest.mark.ci
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_game_in_every_format(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reviews: list[Any] = []

    def reviewed_once(questions: Iterable[Any], **options: Any) -> Iterator[Any]:
        """Review the deals for the first format; the others show the same reviews."""
        asked = [*questions]
        reviews.extend(() if reviews else review_many(asked, **options))
        assert len(reviews) == len(asked)
        return iter(reviews)

    monkeypatch.setattr("spadille_cli.review.review_many", reviewed_once)
    records = json.loads(run("--format", "json", str(path)).stdout)
    assert records
    for record in records:
        assert record["error"] is None
        account = record["accounts"][record["declarer"]]
        assert record["finished"]
        if record["unit"] == "tricks":
            assert account["start"] - account["lost"] + account["given"] == account["result"]
            assert f'[Result "{account["result"]}"]' in path.read_text()
        assert account["lost"] == record["parties"]["declarers"]["cost"]
        assert account["given"] == record["parties"]["defenders"]["cost"]
        assert sum(one["cards"] for one in record["players"].values()) == len(record["cards"])
    for layout in sorted({*FORMATS} - {"json"}):
        result = run("--format", layout, str(path))
        assert result.exit_code == 0
        assert result.stdout
        if layout == "table":
            lines = [line for line in result.stdout.splitlines() if path.name not in line]
            assert max(map(len, lines)) <= 80
            assert "summary" in result.stdout
            assert "legend" not in result.stdout
        elif layout == "csv":
            rows = list(csv.DictReader(io.StringIO(result.stdout)))
            assert len(rows) == sum(len(record["cards"]) for record in records)


def test_what_a_beginner_reads() -> None:
    text = run("-", text=HALF).stdout
    assert "??" in text
    assert "4 at the start - 2 (declaring side's errors) + 2 (others' errors) = 4" in text
    assert "The turning point is East's DJ in trick 3" in text
    assert "North had to play the ace of diamonds: its suit was led, and it is the" in text


def test_another_meaning_of_the_signs_names_its_game() -> None:
    solo = (FOLDER / "german-solo.pbn").read_text(encoding="utf-8")
    text = run("--legend", "-", text=f"{HALF}\n{NEMO}\n{solo}").stdout
    legends = re.findall("legend.*", text)
    assert legends == ["legend for German Solo", "legend for Squint"]


def test_deals_that_were_not_played_are_passed_over() -> None:
    result = run("--format", "jsonl", "-", text=f"{NOT_PLAYED}\n{HALF}")
    assert result.exit_code == 0
    assert "1 deal without recorded play skipped" in result.stderr
    assert json.loads(result.stdout)["index"] == 1
    assert "nothing to do" not in result.stderr
    alone = run("-", text=NOT_PLAYED)
    assert (alone.exit_code, alone.stdout) == (0, "")
    assert alone.stderr.endswith(
        "nothing to do: no file has recorded play (tag Play, one trick per line)\n"
    )


@pytest.mark.ci
@pytest.mark.parametrize(
    ("wrong", "code", "cards"),
    [
        ("C8 DA DJ D8", "", 32),
        ("CQ DA DJ CJ", "card-revoke", 9),
        ("SA DA DJ D8", "card-not-held", 10),
    ],
)
def test_a_fault_in_the_play_ends_that_review_only(wrong: str, code: str, cards: int) -> None:
    faulty = HALF.replace("C8 DA DJ D8", wrong)
    result = run("--format", "jsonl", "-", text=f"{faulty}\n{HALF}")
    first, second = map(json.loads, result.stdout.splitlines())
    assert (second["error"], len(second["cards"])) == (None, 32)
    if not code:
        assert result.exit_code == 0
        return
    assert result.exit_code == 3
    assert (first["error"]["code"], first["error"]["line"]) == (code, 12)
    assert first["cards"] == second["cards"][: len(first["cards"])]
    assert not first["finished"]
    assert result.stderr.count("-:12:") == 1
    assert len(first["cards"]) == cards
    assert "The play is unfinished" in run("-", text=faulty).stdout


def test_a_revoke_the_file_owns_up_to_ends_the_review_too() -> None:
    text = HALF.replace("C8 DA DJ D8", "CQ DA DJ ^R CJ").replace("CQ HT CA CJ", "C8 HT CA D8")
    result = run("--format", "json", "-", text=text)
    assert result.exit_code == 3
    (record,) = json.loads(result.stdout)
    error = record["error"]
    assert (error["code"], error["line"], error["column"]) == ("card-revoke", 12, 13)
    assert len(record["cards"]) == 9
    assert "-:12:13: " in result.stderr


def test_an_unknown_hand_cannot_be_reviewed() -> None:
    text = HALF.replace("S:A8.K.KT98.J QT7.Q7..Q98", "S:- -")
    result = run("--format", "json", "-", text=text)
    assert result.exit_code == 0  # the play shows these hands
    text = text[: text.index("C8 DA")].replace('[Result "4"]\n', "")
    result = run("--format", "json", "-", text=text)
    assert json.loads(result.stdout)[0]["error"]["code"] == "hand-unknown"


def test_nemo_in_points_of_each_player() -> None:
    (record,) = json.loads(run("--format", "json", "-", text=NEMO).stdout)
    assert record["unit"] == "points"
    assert set(record["accounts"]) == set("12345")
    for seat, account in record["accounts"].items():
        assert account["start"] - account["lost"] + account["given"] == account["result"], seat
    text = run("--legend", "-", text=NEMO).stdout
    assert max(map(len, text.splitlines())) <= 80
    assert "the points that each declarer can secure" in text


@pytest.mark.ci
def test_threads_change_nothing() -> None:
    args = ["--format", "jsonl", *map(str, FILES[1 : 1 + tries(1, 3)])]
    one, two = (
        [{**json.loads(line), "ms": 0} for line in run("-j", n, *args).stdout.splitlines()]
        for n in ("1", "2")
    )
    assert one == two


# Special rules


def said(deal: Deal, contract: Contract, play: list[str], card: str) -> str | None:
    """Return the hint for the card played after these cards."""
    at = situation(deal, contract, play)
    return hint(at.encoding, Solver(1), at.problem, at.encoding.numbers[card])


def test_hints_say_what_the_matador_privilege_did() -> None:
    def of(led: str, card: str, rule: str = "higher-only") -> str | None:
        # Hearts are trumps: SA, H7 and CA are the matadors of Quadrille.
        deal = Deal.parse(
            f"N:{led[1] if led[0] == 'S' else ''}.{led[1] if led[0] == 'H' else ''}.2. "
            "3..3. 4..4. ..5.A",
            "quadrille",
            leader="N",
            options=f"matador_rule={rule}",
        )
        return said(deal, Contract(("N",), ("solo",), "H"), [led], card)

    assert of("HK", "D5") == "West could keep the ace of clubs: no matador that forces it was led"
    assert of("HK", "CA") == (
        "West did not have to play the ace of clubs: no matador that forces it was led"
    )
    assert of("SA", "CA") == "West had to play the ace of clubs: a matador that forces it was led"
    assert of("HK", "CA", "none") is None


def test_hints_of_a_called_card() -> None:
    random = Random(5)
    seen = set()
    for seed in range(60):
        deal, contract = case("mensch", "", "half", seed)
        position = Position.of(deal, contract)
        play: list[str] = []
        while not position.finished:
            legal = position.legal()
            words = said(deal, contract, play, legal[0])
            if words:
                seen.add(" ".join(words.split()[1:4]))
                holds = contract.called in position.hands[position.to_play]
                assert holds
            play.append(random.choice(legal))
            position.play(play[-1])
    assert {"had to play", "had to keep", "could lead that"} <= seen


def test_every_game_has_a_played_hand() -> None:
    assert {path.stem for path in FILES} == set(GAMES)


def test_marks_are_found_in_a_step_however_many_blanks_there_are() -> None:
    from spadille.render.annotate import _OURS

    marked = " \n $8 {spadille: a}  $10\t{spadille: b}"
    assert [match.group() for match in _OURS.finditer(marked)] == [marked[:19], marked[19:]]
    # A match that fails at the first of several blanks is not attempted at the others.
    assert _OURS.match(" " * 9 + "$8 {spadille: a}", 4) is None


@pytest.mark.parametrize(("play", "status"), [("SA DQ D8 DT", 3), ("*", 0)])
def test_play_that_cannot_start(play: str, status: int) -> None:
    text = (
        '[Game "german-solo"]\n[Dealer "S"]\n[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 '
        'J8.J.AJ8.KQ"]\n[Declarer "E"]\n[Contract "frog"]\n[Trump "D"]\n[Called "HA"]\n'
        f'[Play "W"]\n{play}\n'
    )
    result = CliRunner().invoke(main, ["review", "-"], input=text)
    assert result.exit_code == status
    if status:
        assert result.stdout == ""
        assert "W does not hold SA" in result.stderr
    else:
        assert result.stdout == "-: deal #1: nothing played\n"


@pytest.mark.ci
def test_what_was_decided_before_the_first_card() -> None:
    """East bids a Frog and plays it in diamonds for +4 from each; in Color it makes too, for +8."""
    path = str(FOLDER / "german-solo.pbn")
    found = json.loads(run("--format", "json", "--board", "1", path).stdout)[0]
    told = [(one["kind"], one["seat"], one["call"], one["decision"]) for one in found["decisions"]]
    assert told == [
        ("call", "W", 0, "Pass"),
        ("call", "N", 1, "Pass"),
        ("call", "E", 2, "frog"),
        ("call", "S", 3, "Pass"),
        ("call", "E", None, "Pass"),
        ("trump", "E", None, "D"),
        ("called", "E", None, "HA"),
    ]
    raised = found["decisions"][4]
    assert (raised["better"], raised["cost"], raised["exact"]) == ("frog-color", 4, True)
    assert raised["choices"][:2] == [
        {"choice": "Pass", "payoff": 4, "follows": "E frog S HA"},
        {"choice": "frog-color", "payoff": 8, "follows": "E frog C SA"},
    ]
    assert found["bids"]["W"] == ["frog"]
    assert found["accounts"]["E"]["made_at_start"] is True
    text = run("--board", "1", path).stdout
    assert "before the first card, double-dummy payoffs" in text
    assert "With best play from the first card, the contract makes." in text
    assert re.search(r"^E +raise +none: \+4 +frog-color: \+8 +E frog C SA +4$", text, re.MULTILINE)


def test_the_auction_of_another_contract_is_not_judged() -> None:
    path = str(FOLDER / "german-solo.pbn")
    other = ("--contract", "solo", "--trump", "D", "--declarer", "E")
    found = json.loads(run("--format", "json", "--board", "1", *other, path).stdout)[0]
    assert [one["kind"] for one in found["decisions"]] == ["trump"]
    assert found["bids"] == {}


def test_an_auction_that_all_have_passed_is_judged() -> None:
    """Every player makes Abundance Declared with a full suit: +18, or -6 if the next bids it."""
    suit = "AKQJT98765432"
    text = (
        f'[Game "solo-whist"]\n[Dealer "W"]\n[Deal "N:{suit}... .{suit}.. ..{suit}. ...{suit}"]\n'
        '[TurnUp "C2"]\n[Auction "N"]\nPass Pass Pass Pass\n'
    )
    result = run("--format", "json", "-", text=text)
    assert (result.exit_code, result.stderr) == (0, "")
    (found,) = json.loads(result.stdout)
    assert [(one["seat"], one["cost"]) for one in found["decisions"]] == [
        ("N", 24), ("E", 24), ("S", 24), ("W", 18)
    ]  # fmt: skip
    assert {one["better"] for one in found["decisions"]} == {"abundance-declared"}
    assert {*found} == {
        *("schema", "file", "index", "board", "game", "error"),
        *("decisions", "bids", "nodes", "ms"),
    }  # fmt: skip
    shown = run("-", text=text).stdout
    assert re.search(
        r"^W +call +Pass: 0 +abundance-declared: \+18 +W abundance-declared +18$", shown, re.M
    )
    assert shown.endswith("-: deal #1: nothing played\n")
    assert run("--format", "csv", "-", text=text).stdout.count("\n") == 1
    passed = run("-", text=text.partition("[Auction")[0] + '[Contract "Pass"]\n')
    assert "1 deal without recorded play skipped" in passed.stderr


@pytest.mark.ci
def test_why_in_every_format() -> None:
    """A review shows the sentence, the line by seats, and the better line beside it."""
    path = str(Path(__file__).parents[2] / "examples" / "german-solo.pbn")
    (record,) = json.loads(run("--format", "json", path).stdout)
    card = record["cards"][0]
    assert card["card"] == "D9"
    assert card["refutation"][:2] == [["D9", "DQ", "D8", "DK"], ["HA", "H7", "H8", "HJ"]]
    assert len(card["better_line"]) == len(card["refutation"])
    assert card["better_line"][0][0] in card["best"]
    assert all(set(one) >= {"refutation", "words"} for one in record["cards"] if one["mark"])
    assert not any("refutation" in one for one in record["cards"] if not one["mark"])
    text = run(path).stdout
    for one in record["cards"]:
        if one["mark"]:
            assert one["words"] in " ".join(text.split())
            assert f"Trick {one['trick']}, {one['card']}{one['mark']} by {one['seat']}" in text
    assert "    1  >D9?   DQ   D8    DK*  1        W: SK* S9 S8 S7\n" in text
    rows = [*csv.DictReader(run("--format", "csv", path).stdout.splitlines())]
    assert rows[0]["words"] == card["words"]
    assert rows[0]["refutation"].startswith("D9 DQ D8 DK / HA ")
