"""Sheets: a deal with auction, contract, exchange and play, of every game."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille import Deal, SpadilleError, load, show
from spadille.render.deal_sheet import Sheet, exchange_table
from spadille.render.play_and_auction_grids import DrawnTrick, tricks_of
from spadille.render.tables import TextTable, table_lines
from spadille.render.text import columns, wrapped
from spadille_cli import main
from tests.support.html_fragments import TAGS, parsed
from tests.support.tiers import part

TOP = Path(__file__).parents[2]
FILES = sorted((TOP / "examples").glob("*.pbn"))
GOLDEN = dict(
    re.findall(
        r"^=== (.*)\n((?:(?!===).*\n)*)",
        (Path(__file__).parent / "sheets.txt").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)
WIDTHS = (40, 60, 80, 200)


@pytest.mark.parametrize("words", GOLDEN)
def test_sheets_read_by_a_player(words, monkeypatch):
    monkeypatch.chdir(TOP)
    assert CliRunner().invoke(main, ["show", *words.split()]).output == GOLDEN[words]


def sheets():
    for path in FILES:
        for entry in load(path):
            deal, contract, play = entry.deal, entry.contract, entry.play
            tricks = []
            if play is not None:
                tricks = tricks_of(deal, contract, play.tricks, leaders=play.leaders)
            names = {seat: f"Player {seat} of a long name" for seat in deal.rules.seats[::2]}
            yield Sheet(deal, contract, entry.calls, tricks, names=names, title=str(path.name))
            if contract is not None:
                yield Sheet(deal, contract, tricks=tricks[:2], rest=True)


def test_what_is_drawn_behind_an_open_exchange_is_shown():
    # Player 1 discards later; Player 2 gets what 1 has not taken.
    hands = "5:A.JT54.T8.KQ7 QT64.962.3.94 .A.AQ972.8632 K32.KQ.KJ4.T5 J975.73.65.AJ"
    deal = replace(
        Deal.parse(hands, "squint"), drawn={"1": ("H8",)}, discard={"2": ("C8",), "3": ("S2",)}
    )
    assert exchange_table(deal, symbols=False).rows == [
        ("1", "", "H8"),
        ("2", "C8", "S8"),
        ("3", "S2", "C8"),
    ]


@pytest.mark.ci
@pytest.mark.parametrize("width", part(WIDTHS, 1, 2))
def test_no_line_is_wider_and_nothing_is_lost(width):
    def letters(text):
        return sorted(re.sub(r"[\s-]", "", text))

    for sheet in sheets():
        text = sheet.text(width)
        assert max(map(columns, text.split("\n"))) <= width
        # Columns for which there is no room follow in a table that repeats the first one.
        whole = letters(sheet.text(10_000))
        assert not Counter(whole) - Counter(letters(text))
        if width >= 80:
            assert letters(text) == whole


def test_html_is_sound_and_says_the_same():
    for sheet in sheets():
        found = parsed(sheet.html())
        assert found.tags <= TAGS
        said = re.sub(r"\s", "", "".join(found.text))
        for each in sheet.parts():
            texts = [each] if isinstance(each, str) else [each.title]
            if isinstance(each, TextTable):
                texts += [str(cell) for row in each.rows for cell in row if cell is not None]
            for text in texts:
                assert re.sub(r"\s", "", text) in said


def test_names_command_no_terminal_and_no_page():
    deal = Deal.random("german-solo", 1)
    name = "<script>\x1b[31m\x07\u202e&\x9b \N{LATIN SMALL LETTER E}\N{COMBINING ACUTE ACCENT}"
    sheet = Sheet(deal, names=dict.fromkeys(deal.rules.seats, name))
    assert not re.search("[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]", sheet.text() + sheet.html())
    assert "<script>" in sheet.text()
    assert "script" not in parsed(sheet.html()).tags
    assert "&lt;script&gt;" in sheet.html()


def test_names_of_wide_letters_and_long_ones():
    deal = Deal.random("mensch", 1)
    names = {"N": "山田太郎", "W": "A" * 70, "E": "Anna Maria von Habsburg-Lothringen"}
    for width in WIDTHS:
        lines = Sheet(deal, names=names).text(width).split("\n")
        assert max(map(columns, lines)) <= width
        together = re.sub(r"\s", "", "".join(lines))
        assert "N山田太郎" in together
        assert together.count("A") >= 70


def test_what_the_hands_hold_at_a_point():
    entry = next(entry for entry in load(FILES[2]) if entry.play)
    tricks = tricks_of(entry.deal, entry.contract, entry.play.tricks)
    part = DrawnTrick(tricks[1].leader, tricks[1].cards[:1], None)
    sheet = Sheet(entry.deal, entry.contract, tricks=[tricks[0], part], rest=True)
    played = {*tricks[0].cards, *part.cards}
    hands = entry.deal.playing_hands()
    for seat, hand in sheet.left().items():
        assert set(hand) == set(hands[seat]) - played
    assert sheet.to_play() == entry.deal.rules.next_seat(part.leader)
    title = [part.title for part in sheet.parts() if not isinstance(part, str)][-1]
    assert title.startswith(f"After {len(played)} cards, {sheet.to_play()} to play to ")
    whole = Sheet(entry.deal, entry.contract, tricks=tricks, rest=True)
    assert whole.to_play() is None


def test_cells_break_where_there_is_no_room():
    table = TextTable(("a", "text"), [("word", "one two three"), (None, "")], wraps=True)
    lines = ["a     text", "----  -------", "word  one two", "      three"]
    assert table_lines(table, 13) == lines
    broken = ["a-", " hyphena", " ted-", " word", " 日本語"]
    assert wrapped("a-hyphenated-word 日本語", 8, " ") == broken


def test_columns_without_room_go_into_a_second_table():
    rows = [("N", "abundance-declared", "hearts", 13, "failed"), ("E", "solo", None, 5, None)]
    table = TextTable(("by", "contract", "trump", "need", "outcome"), rows)
    assert table_lines(table, 29) == [
        "by  contract",
        "--  ------------------",
        "N   abundance-declared",
        "E   solo",
        "by  trump   need  outcome",
        "--  ------  ----  -------",
        "N   hearts    13  failed",
        "E              5",
    ]


def test_show_is_what_the_command_draws():
    (entry, *_) = load(TOP / "examples" / "quintille.pbn")
    sheet = show(entry.deal, entry.contract, entry.play.cards, auction=entry.calls[1])
    assert str(sheet) in GOLDEN["--board 1 examples/quintille.pbn"]
    assert sheet._repr_html_() == sheet.html()
    part = show(entry.deal, entry.contract, entry.play.cards, after=7)
    assert part.to_play() == "5"
    assert len(part.left()["4"]) == 7


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"play": "D9"}, "argument-invalid"),
        ({"contract": "N solo X"}, "contract-unreadable"),
        ({"contract": "N solo H", "play": "SA"}, "card-not-held"),
        ({"contract": "N solo H", "after": 1}, "play-too-short"),
        ({"names": {"X": "Anna"}}, "argument-invalid"),
    ],
)
def test_what_cannot_be_shown(given, code):
    deal = Deal.parse("N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98", "german-solo")
    with pytest.raises(SpadilleError) as raised:
        show(deal, **given)
    assert raised.value.code == code
