"""`spadille show`, `--show` of other commands, and grids at several terminal widths."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille import load
from spadille.base.card_text import parse_hand
from spadille.render.text import columns
from spadille_cli import human_readable_tables, main
from spadille_cli.output_formats import FORMATS

FOLDER = Path(__file__).parents[2] / "examples"
FILES = sorted(FOLDER.glob("*.pbn"))
WIDTHS = (40, 60, 80, 200)
HOSTILE = """\
{<img src=x> \x1b[31m a comment}
[Game "ombre"]
[Board "<i>1"]
[Player1 "<script>alert(1)</script> & \x1b]0;pwn\x07 \u202e'x'"]
[Player3 "Maria Theresia Walburga Amalia Christina von Habsburg-Lothringen"]
[Dealer "3"]
[Deal "3:AK.Q.J74.KJ7 Q73.J3.AK.A4 J4.5.653.Q62"]
[Declarer "3"]
[Contract "entrada"]
[Trump "D"]
[Question "<b>Which?</b> \x1b[2J \u202e |*_`"]
[Play "2"]
D5 DA D4 {<b>\x1b[2J}
"""


def run(*args, charset="utf-8"):
    return CliRunner(charset=charset).invoke(main, list(map(str, args)))


def shown(*args):
    lines = run("show", "--format", "jsonl", *args).stdout.splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_json_has_the_deal(path):
    for record, entry in zip(shown(path), load(path), strict=True):
        assert record["error"] is None
        assert {seat: tuple(hand) for seat, hand in record["hands"].items()} == entry.deal.hands
        assert tuple(record["talon"]) == entry.deal.undealt
        cards = entry.play.cards if entry.play else ()
        assert tuple(card for trick in record["tricks"] for card in trick["cards"]) == cards
        left = [card for hand in record["left"].values() for card in hand]
        held = [card for hand in entry.deal.playing_hands().values() for card in hand]
        assert sorted([*left, *cards]) == sorted(held)


@pytest.mark.parametrize("kind", ["csv", "tsv"])
def test_rows_have_the_hands(kind):
    text = run("show", "--format", kind, FOLDER / "ombre.pbn").stdout
    rows = list(csv.DictReader(io.StringIO(text), delimiter="\t" if kind == "tsv" else ","))
    deals = [entry.deal for entry in load(FOLDER / "ombre.pbn")]
    assert [parse_hand(row["hand"]) for row in rows] == [
        hand for deal in deals for hand in deal.hands.values()
    ]


def test_a_point_of_the_play():
    (record,) = shown("--board", "1", "--trick", "3", FOLDER / "ombre.pbn")
    assert (record["after"], record["player"], len(record["left"]["1"])) == (6, "3", 7)
    text = run("show", "--board", "1", "--after", "7", FOLDER / "ombre.pbn").stdout
    assert "After 7 cards, 2 to play to ♣5" in text
    assert "As dealt" not in text
    result = run("show", "--board", "1", "--after", "28", FOLDER / "ombre.pbn")
    assert result.exit_code == 3
    assert "the recorded play has 27 cards, not 28" in result.stderr
    result = run("show", "--board", "1", "--trick", "99", FOLDER / "ombre.pbn")
    assert "the recorded play has 27 cards, so no trick 99" in result.stderr


def test_a_deal_needs_no_contract():
    deal = "N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98"
    result = run("show", "--ascii", "--game", "mensch", "--deal", deal)
    assert result.exit_code == 0
    assert "H AKQ" in result.stdout
    text = run(
        "show",
        "--game",
        "mensch",
        "--deal",
        deal,
        "--declarer",
        "N",
        "--contract",
        "five",
        "--trump",
        "H",
    ).stdout
    assert "♥ ♣Q AKQ" in text
    assert "Five by N; trumps ♥; needs 5 tricks" in text


def test_faults_are_reported_and_the_deal_is_drawn_all_the_same(tmp_path):
    text = (FOLDER / "ombre.pbn").read_text().partition("\n\n")[0]
    file = tmp_path / "deals.pbn"
    file.write_text(text.replace('"entrada"', '"entrado"'))
    result = run("show", file)
    assert result.exit_code == 3
    assert "entrado" in result.stderr
    assert "As dealt" in result.stdout
    assert "Play" not in result.stdout


def test_symbols_only_where_they_can_be_written():
    result = run("show", "--board", "1", FOLDER / "mensch.pbn", charset="latin-1")
    assert result.exit_code == 0, result.stderr
    plain = result.stdout
    assert plain == run("show", "--ascii", "--board", "1", FOLDER / "mensch.pbn").stdout
    assert "C 7AKT" in plain


@pytest.mark.parametrize("charset", ["ascii", "latin-1"])
@pytest.mark.parametrize(
    "command", [f"show --board 1 --format html {FOLDER / 'mensch.pbn'}", "page --game mensch"]
)
def test_html_is_utf_8_in_every_locale(command, charset):
    expected = run(*command.split()).stdout_bytes
    assert not expected.isascii()
    assert run(*command.split(), charset=charset).stdout_bytes == expected


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    "command",
    ["show", "solve --line --show", "review --show", "cards --after 1 --show"],
    ids=lambda words: words.split()[0],
)
def test_what_a_file_says_commands_nobody(command, kind, tmp_path):
    file = tmp_path / "deals.pbn"
    file.write_text(HOSTILE, encoding="utf-8")
    text = run(*command.split(), "--format", kind, "--color", "always", file).stdout
    text = re.sub("\x1b\\[(1|22|31|39|0)m", "", text)
    found = re.search("[\0-\x08\x0b-\x1f\x7f-\x9f]", text)
    if kind in ("csv", "tsv"):  # data for programs; see test_terminal.py for terminals
        return
    assert not found
    assert "\u202e" not in text
    assert "<img" not in text
    if kind == "html":
        assert not re.search("<(script|b>\x1b|i>)", text)
        assert "&lt;script&gt;" in text
    elif kind == "markdown":
        assert r"\<script\>" in text


@pytest.mark.parametrize("kind", ["table", "html"])
@pytest.mark.parametrize("command", ["solve", "table", "best", "cards --after 1", "review"])
def test_a_deal_drawn_above_its_result_says_which_it_is(command, kind):
    path = FOLDER / "mensch.pbn"
    text = run(*command.split(), "--show", "--format", kind, "--board", "1", path).stdout
    title = f"{path}: deal 1"
    head = f"<h1>{title}</h1>\n<p>Mensch</p>\n" if kind == "html" else f"{title}\n\nMensch\n"
    assert text.count(head) == 1
    assert text.index(head) == (text.index("<h1>") if kind == "html" else 0)


@pytest.mark.ci
def test_a_sheet_for_the_class():
    """A sheet has, from the top: deal, auction, marked cards, explanations, and account."""
    path = FOLDER / "evenings" / "ombre.pbn"
    boards = ("--board", "1", "--board", "2", "--board", "4")
    page = run("review", *boards, "--show", "--format", "html", path).stdout
    deals = page.split("<h1>")[1:]
    titles = [deal.partition("</h1>")[0] for deal in deals]
    assert titles == [f"{path}: deal {number}" for number in (1, 2, 4)]
    parts = [
        *("<p>As dealt</p>", "2 Bert", "<caption>Auction</caption>", "Entrada by 1 Anna"),
        *("deal 1, before the first card", "deal 1, entrada by 1", "Costly cards"),
        *("Trick 1, SA? by 1", "<th>why</th>", "<th>summary</th>"),
    ]
    places = [deals[0].index(part) for part in parts]
    assert places == sorted(places)
    assert "h1 { break-before: page }" in page
    explained = ["legend" in deal for deal in deals]
    assert explained == [True, False, True]  # the second was not played
    assert run("review", *boards, "--legend", path).stdout.count("legend") == 1
    assert "legend" not in run("review", *boards, path).stdout


class Terminal(io.StringIO):
    def isatty(self):
        return True


QUESTIONS = [
    *(("show", path) for path in FILES),
    *(("review", "--show", path) for path in FILES),
    *(("solve", "--board", "1", "--leads", "--line", "--show", path) for path in FILES),
    *(("cards", "--board", "1", "--line", "--show", path) for path in FILES),
    ("show", "--ascii", "--trick", "3", "--board", "1", FOLDER / "ombre.pbn"),
    ("best", "--board", "1", "--show", "--called", "all", FOLDER / "german-solo.pbn"),
    ("best", "--board", "1", "--show", FOLDER / "quintille.pbn"),
    ("table", "--board", "1", "--show", FOLDER / "mensch.pbn"),
    ("table", "--board", "1", "--show", FOLDER / "squint.pbn"),
    ("score", FOLDER / "ombre.pbn"),
    ("solve", "--swaps", "--board", "1", FOLDER / "quintille.pbn"),
    ("best", "--board", "1", FOLDER / "squint.pbn"),
    ("solve", FOLDER / "solo-whist.pbn"),
    ("rules", "squint"),
    ("rules", "quadrille"),
]


@pytest.mark.first_cases(1)
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, marks=[pytest.mark.ci] * (nth % 4 > 0))
        for nth, words in enumerate(QUESTIONS)
    ],
    ids=lambda words: f"{words[0]}-{Path(words[-1]).stem}",
)
def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(words, monkeypatch):
    tables = []
    monkeypatch.setattr(
        "spadille_cli.output_formats.draw_tables",
        lambda found, stream, layout: tables.extend(found),
    )
    monkeypatch.chdir(FOLDER.parent)
    assert run(*words).exit_code in (0, 3)  # `score` has deals that are not settled
    said = []
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        stream = Terminal()
        human_readable_tables.draw_tables(tables, stream, "table")
        text = re.sub("\x1b\\[[0-9;]*m", "", stream.getvalue())
        assert max(map(columns, text.split("\n"))) <= min(width, 80)
        said.append(Counter(re.sub(r"[\s-]", "", text)))
    # Narrow tables come in parts, and each part repeats the first column.
    whole = said[WIDTHS.index(max(WIDTHS))]
    assert not any(whole - each for each in said)


def test_a_problem_is_drawn_with_its_question_and_without_its_key() -> None:
    file = FOLDER / "problems" / "hold-up.pbn"
    drawn = run("show", "--board", "1", file).stdout
    assert drawn.endswith("\n\nWhich card must Player 1 play to make the Solo in hearts?\n")
    assert "Solution" not in drawn
    assert "Which card" not in run("show", "--board", "1", "--after", "3", file).stdout
    html = run("show", "--board", "1", "--format", "html", file).stdout
    assert html.endswith("<p>Which card must Player 1 play to make the Solo in hearts?</p>\n")


def test_solutions_answer_keys_and_titles(tmp_path) -> None:
    problems = Path(__file__).parents[2] / "examples/problems/squint.pbn"
    only = ["--board", "1", str(problems)]
    run = CliRunner().invoke
    plain = run(main, ["show", *only]).output
    assert "Which card must Player 1 play" in plain
    assert "S4" not in plain
    solved = run(main, ["show", "--solution", *only]).output
    assert solved.startswith(plain.rstrip("\n"))
    assert "Solution: S4." in solved
    key = run(main, ["show", "--answers", "--title", "Lesson 3", str(problems)]).output
    assert key.startswith("Lesson 3: answer key\n")
    assert key.count("Solution: ") == len(load(problems))
    assert "Which card" not in key
    for form in ("table", "markdown", "html", "latex"):
        titled = run(main, ["show", "--title", "Lesson 3", "--format", form, str(problems)]).output
        assert titled.count("Lesson 3") == 1
    own = tmp_path / "own.pbn"
    text = problems.read_text().replace("{Solution: ", "{", 1)
    own.write_text(text)
    assert "Key: " in run(main, ["show", "--answers", "--board", "1", str(own)]).output


def test_an_answer_key_without_problems_says_so(tmp_path):
    problems = Path(__file__).parents[2] / "examples/problems/squint.pbn"
    deals = Path(__file__).parents[2] / "examples/ombre.pbn"
    run = CliRunner().invoke
    result = run(main, ["show", "--answers", "--title", "Lesson 3", str(deals)])
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.startswith("nothing to do: no deal has a Key tag")
    assert result.stderr.count("nothing to do") == 1
    result = run(main, ["show", "--answers", str(deals), str(problems)])
    assert "nothing to do" not in result.stderr


def test_unknown_hands_show_the_cards_they_played(tmp_path):
    path = tmp_path / "mine.pbn"
    path.write_text(
        '[Game "german-solo"]\n[Dealer "W"]\n[Deal "S:87.AQJ7.7.Q - - -"]\n[Declarer "S"]\n'
        '[Contract "solo"]\n[Trump "H"]\n[Play "N"]\nDQ D9 D7 DK\nS9 SA S8 SK\n',
        encoding="utf-8",
    )
    rows = [line.split() for line in run("show", path).stdout.splitlines()]
    assert rows[rows.index(["N"]) + 1 :][:3] == [["♠", "9"], ["♦", "Q"], ["?"]]
    assert ["♠", "K", "♠", "A"] in rows
    assert ["♦", "K", "♦", "9"] in rows
    table = run("show", "--format", "markdown", path).stdout
    assert re.search(r"\| N +\| 9 \? \| \? +\| Q \? \| \? \|", table)
    assert "<b>N</b><br>♠ 9<br>" in run("show", "--format", "html", path).stdout
    # Before the first card nothing is known of them.
    assert "♠ 9" not in run("show", "--after", 0, path).stdout
