"""The document layer reads the PBN 2.1 import format, loses nothing, and places every error."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadille.base.errors import MOST_FAULTS
from spadille.pbn.document import Document, escape, unescape
from spadille.pbn.parse_document import decode, parse
from spadille.pbn.syntax_faults import file_fault

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.pbn"))

IMPORT = r"""% PBN 2.1
; a club evening

[Event "##Club, \"A\" final"] [Site "##Luxembourg"]{home
of the game}
  [ Board
     "1" ]
[Dealer "N"] ; a comment; with semicolons { and braces
%[Dealer "S"] is no tag here
[Deal "N:AK.. - - -"]
[Auction "N"]
Pass 1S! =1= Pass $3 {why

not} ^I 1H
AP
[Note "1:five cards"]
[Play "W"]
SK =1= H3 ^R S4 S3?!
+ - -
*
[Whatever "x\2R;y"]
row "with string" 12
{ the end }

[Board "2"]
[Deal "#"]
[Whatever "#"]
[Site "Trier"]

[Board "3"]
"""


def values(document: Document) -> list[dict[str, str]]:
    return [{name: tag.value for name, tag in game.names.items()} for game in document.games]


def test_reads_every_import_form() -> None:
    document = parse(IMPORT)
    assert values(document) == [
        {
            "Event": 'Club, "A" final',
            "Site": "Luxembourg",
            "Board": "1",
            "Dealer": "N",
            "Deal": "N:AK.. - - -",
            "Auction": "N",
            "Note": "1:five cards",
            "Play": "W",
            "Whatever": r"x\2R;y",
        },
        {
            "Event": 'Club, "A" final',
            "Board": "2",
            "Deal": "N:AK.. - - -",
            "Whatever": r"x\2R;y",
            "Site": "Trier",
        },
        {"Event": 'Club, "A" final', "Board": "3"},
    ]
    assert [game.faults for game in document.games] == [[], [], []]
    assert document.text == IMPORT


def test_section_tokens_and_their_places() -> None:
    document = parse(IMPORT)
    game = document.games[0]
    auction = [token for token, _ in game.names["Auction"].play_tokens()]
    assert auction == ["Pass", "1S", "!", "=1=", "Pass", "$3", "^I", "1H", "AP"]
    play = game.names["Play"].play_tokens()
    assert [token for token, _ in play] == (
        ["SK", "=1=", "H3", "^R", "S4", "S3", "?!", "+", "-", "-", "*"]
    )
    assert [document.position(offset) for _, offset in play[:4]] == [
        (18, 1),
        (18, 4),
        (18, 8),
        (18, 11),
    ]
    table = document.games[1].names["Whatever"].table_tokens()
    assert [token for token, _ in table] == ["row", '"with string"', "12"]


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_mark(eol: str, mark: str) -> None:
    text = mark + IMPORT.replace("\n", eol)
    document = parse(text)
    assert document.text == text
    expected = values(parse(IMPORT))
    assert values(document) == expected
    board = document.games[2].names["Board"]
    assert document.position(board.start) == (30, 1)


def test_byte_order_mark_is_no_column() -> None:
    document = parse('\ufeff[Board "1"]')
    assert document.position(document.games[0].names["Board"].value_start) == (1, 9)


def test_value_offsets_see_through_escapes_and_hashes() -> None:
    document = parse(r'[A "##a\"b\\c\2R"]')
    tag = document.games[0].names["A"]
    assert tag.value == r"a\"b\\c\2R".replace(r"\"", '"').replace(r"\\", "\\")
    for index, char in enumerate(tag.value):
        raw = document.source[tag.offset(index) :]
        assert raw.startswith(("\\" + char, char))
    assert document.source[tag.offset(len(tag.value))] == '"'


@pytest.mark.parametrize(
    ("text", "code", "place", "quoted"),
    [
        ('[Board "1"]\n[Deal "N:A\n[Dealer "N"]', "quote-missing", (2, 11), '[Deal "N:A'),
        ('[Deal "N:A"\n[Dealer "N"]', "tag-malformed", (1, 1), '[Deal "N:A"'),
        ('[Deal N:A"]\n[Dealer "N"]', "quote-missing", (1, 7), '[Deal N:A"]'),
        ('[Deal “N:A”]\n[Dealer "N"]', "quote-typographic", (1, 7), "[Deal “N:A”]"),
        ('[Board "1"]\n  oops [Dealer "N"]', "text-stray", (2, 3), "oops "),
        ('[Board "1"]\n[Board "2"]\n[Dealer "N"]', "tag-repeated", (2, 1), "[Board"),
        ('[Dealer "N"]\n[Game "ombre"]\n(Leader "1")', "text-stray", (3, 1), "(Leader "),
        ('[Trump "H"]\nhearts\n[Dealer "N"]', "text-stray", (2, 1), "hearts"),
        ('[Dealer "N"] ]\n[Board "1"]', "bracket-stray", (1, 14), "]"),
        ('[Dealer "N"]\n[Board "1"]\n }', "brace-stray", (3, 2), "}"),
        ('[Dealer "N"]\n[Board "1"]\n[X "1"]\n"a', "string-unclosed", (4, 1), '"a'),
        ('[Dealer "N"]\n[Board "1"]\n{ a\n[X "1"]', "comment-unclosed", (3, 1), "{ a"),
        ('[Dealer "N"]\n[Board "#"]', "nothing-to-inherit", (2, 9), "#"),
    ],
)
def test_faults_are_recorded_and_reading_goes_on(
    text: str, code: str, place: tuple[int, int], quoted: str
) -> None:
    document = parse(text + '\n\n[Board "next"]')
    game, following = document.games
    fault = game.faults[0]
    assert (fault.code, (fault.line, fault.column), fault.text) == (code, place, quoted)
    assert len(game.faults) == 1
    assert game.get("Dealer") == "N"
    assert "PBN" in fault.rule
    assert following.get("Board") == "next"
    assert following.faults == []


def test_a_fault_shows_a_no_break_space() -> None:
    (fault,) = parse('[Deal\xa0"N:A"]').games[0].faults
    assert fault.text == r'[Deal\xa0"N:A"]'
    assert fault.text in fault.message


def test_first_of_repeated_tags_counts_and_notes_may_repeat() -> None:
    game = parse('[Board "1"]\n[Board "2"]\n[Note "1:a"]\n[Note "2:b"]').games[0]
    assert game.get("Board") == "1"
    assert [fault.code for fault in game.faults] == ["tag-repeated"]


FIRST, SECOND = '[Game "a"]\n[Deal "1"]\n[Note "1:a"]\n', '[Game "a"]\n[Deal "2"]\n[Note "1:b"]\n'


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (FIRST + SECOND, [("line-missing", 4)]),
        (FIRST + SECOND + SECOND, [("line-missing", 4), ("line-missing", 7)]),
        # The tags may be in another order, and some may occur only once.
        (FIRST + '[Site "x"]\n[Deal "2"]\n[Game "a"]\n', [("line-missing", 5)]),
        # A tag that occurs twice within a deal is also reported.
        (FIRST + SECOND + '[Game "b"]\n', [("line-missing", 4), ("tag-repeated", 7)]),
        ('[Game "b"]\n' + FIRST + SECOND, [("tag-repeated", 2), ("line-missing", 5)]),
        # No second deal: nothing comes before or after, or it has no other tags.
        ('[Game "a"]\n' + FIRST, [("tag-repeated", 2)]),
        (FIRST + '[Game "b"]\n', [("tag-repeated", 4)]),
        (FIRST + '[Deal "2"]\n', [("tag-repeated", 4)]),
        (FIRST + "\n" + SECOND, []),
    ],
)
def test_deals_without_an_empty_line_between_them(text: str, faults: list[tuple[str, int]]) -> None:
    found = [fault for game in parse(text).games for fault in game.faults]
    assert [(fault.code, fault.line) for fault in found] == faults


def test_comments_alone_are_no_game() -> None:
    assert parse("% PBN 2.1\n\n; nothing\n\n{ at\n\n all }\n").games == []
    assert parse("").games == []


def test_inheritance_ends_with_a_plain_value() -> None:
    document = parse('[A "##1"]\n\n[B ""]\n\n[A "2"]\n\n[B ""]\n\n[A "#"]')
    assert [game.get("A") for game in document.games] == ["1", "1", "2", None, "#"]
    assert [fault.code for fault in document.games[4].faults] == ["nothing-to-inherit"]


def test_edits_change_only_what_was_asked() -> None:
    text = (
        '[Board "1"] ; one\r\n[Dealer "N"]\r\n; of the dealer\r\n[Play "E"]\r\nSA S2\r\n\r\n[B ""]'
    )
    document = parse(text)
    game, last = document.games
    game.set_tag("Dealer", "S")
    game.set_tag("Dealer", 'a "b"')
    game.set_tag("Trump", "H")
    game.set_tag("Called", "SA")
    game.set_section("Table", r"A;B\2R", ["N  1", "S  2"])
    last.set_tag("Trump", "D")
    assert document.text == (
        '[Board "1"] ; one\r\n[Dealer "a \\"b\\""]\r\n; of the dealer\r\n'
        '[Called "SA"]\r\n[Trump "H"]\r\n[Play "E"]\r\nSA S2\r\n'
        '[Table "A;B\\2R"]\r\nN  1\r\nS  2\r\n\r\n[B ""]\r\n[Trump "D"]'
    )
    again = parse(document.text)
    again.games[0].set_section("Table", "A;B", ["E  3"])
    again.games[0].set_section("B", "", ["x"])
    assert parse(again.text).games[0].names["Table"].table_tokens()[0][0] == "E"
    assert "N  1" not in again.text
    assert again.text.endswith('[B ""]\r\n[Trump "D"]')


@pytest.mark.parametrize(
    ("text", "added"),
    [
        ('[Board "1"]\n[Play "N"]\nSA HA \n', 1),
        ('[Board "1"]\n[Play "N"]\nSA HA \t', 1),
        ('[Board "1"]\n{ never closed\n', 0),
        ('[Board "1"]\n{ never closed\n\n[Board "2"]\n', 0),
    ],
)
def test_setting_a_section_again_changes_nothing(text: str, added: int) -> None:
    texts = [text]
    for _ in range(2):
        document = parse(texts[-1])
        document.games[0].set_section("OurTable", "A;B", ["1 2"])
        texts.append(document.text)
    assert texts[1].count("[OurTable") == added
    assert texts[1] == texts[2]


def test_an_edit_leaves_heirs_their_value() -> None:
    text = '[A "##1"]\n[T "x"]\nrow\n\n[T "#"]\n\n[A "#"]'
    document = parse(text)
    document.games[0].set_tag("A", "9")
    document.games[0].set_section("T", "y", ["other"])
    again = parse(document.text)
    assert [game.get("A") for game in again.games] == ["9", "1", "1"]
    assert [game.get("T") for game in again.games] == ["y", "x", None]
    assert again.games[1].names["T"].table_tokens()[0][0] == "row"


def test_an_edit_leaves_alone_heirs_that_were_edited_before() -> None:
    document = parse('[A "1"]\n\n[A "#"]\n')
    document.games[1].set_tag("A", "2")
    document.games[0].set_tag("A", "3")
    assert [game.get("A") for game in parse(document.text).games] == ["3", "2"]


def test_decode_keeps_every_byte() -> None:
    for data in (b"caf\xe9", "\ufeffcafé".encode(), bytes(range(256))):
        text, encoding = decode(data)
        assert text.encode(encoding) == data


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_that_is_cut_in_a_character_is_refused(encoding: str) -> None:
    data = '\ufeff[Game "ombre"]'.encode(encoding)
    assert decode(data) == ('\ufeff[Game "ombre"]', encoding)
    with pytest.raises(OSError, match="begins as UTF-16, but is cut off or damaged"):
        decode(data[:-1])


PIECES = st.sampled_from(
    ["\n", "\r\n", "\r", " ", "\t", "[", "]", '"', "\\", "{", "}", ";", "%", "#", "##", "=1=", "$1",
     "!", "^R", "*", "+", "-", "SA", "H10", "é", "\ufeff", "\x00", "\x85", "\u2028", "Deal", "Play",
     '[Deal "N:A.K.Q.J - - -"]', '[Deal "#"]', '[Event "##x"]', '[Play "N"]', "\n\n",
     '[Note "1:a"]']
)  # fmt: skip
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


@pytest.mark.ci
@given(TEXTS)
def test_parse_never_raises_and_loses_nothing(text: str) -> None:
    document = parse(text)
    assert document.text == text
    for game in document.games:
        assert game.tags or game.faults
        for tag in game.names.values():
            assert document.position(tag.offset(len(tag.value))) >= (1, 1)
            tag.play_tokens()
            tag.table_tokens()
        for fault in game.faults:
            # Only a fault of the whole file has no place.
            assert bool(fault.line and fault.column) is not bool(file_fault(text))


@given(TEXTS, st.text(alphabet='a"\\#é \n', max_size=8), st.sampled_from(["Deal", "Play", "X"]))
def test_edits_can_be_read_back(text: str, value: str, name: str) -> None:
    count = len(parse(text).games)
    for index in range(count):
        document = parse(text)
        if any("comment-unclosed" in fault.code for fault in document.games[index].faults):
            continue  # the text after it is a comment, too
        document.games[index].set_tag(name, "x" + value)
        again = parse(document.text)
        assert len(again.games) == count
        assert again.games[index].get(name) == "x" + value.replace("\n", " ")


@given(st.text(alphabet='a"\\é 2R'))
def test_escape_round_trip(value: str) -> None:
    assert unescape(escape(value)) == value
    assert parse(f'[A "{escape(value)}"]').games[0].get("A") == value


def test_values_that_stand_are_kept_once_for_all_games() -> None:
    tags = "".join(f'[T{number} "##{number}"]\n' for number in range(200))
    document = parse(tags + "\n" + '[Board "#"]\n\n' * 200 + '[T7 "own"]\n\n[Board ""]')
    last = document.games[-1]
    assert (last.get("T6"), last.get("T7"), last.get("T8")) == ("6", None, "8")
    assert (document.games[5].get("T7"), document.games[-2].get("T7")) == ("7", "own")
    assert len(last.names) == 200
    own = [game for game in document.games if len(game.first) > 1]
    assert own == document.games[:1]


def test_the_end_of_comments_is_sought_only_where_there_is_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A search would run to the end of the text at every brace.
    monkeypatch.setattr("spadille.pbn.parse_document._TOKEN", None)
    (game,) = parse("{ a\n\n" * 100).games
    assert [fault.code for fault in game.faults] == ["comment-unclosed"] * 100


def boards(text: str) -> dict[str | None, list[tuple[str, int | None]]]:
    """Return the faults of each game with their lines, by board."""
    document = parse(text)
    assert document.text == text
    return {
        game.get("Board"): [(fault.code, fault.line) for fault in game.faults]
        for game in document.games
    }


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_unclosed_comment_does_not_swallow_deals(end: str) -> None:
    """The closing brace belongs to a comment in a later deal."""
    text = (
        '[Board "1"]\n{ not closed\n[Result "5"]\n\n[Board "2"]\n\n \n[Board "3"]\n[Play "N"]\n'
        'SA {ruffed?} SK\n\n{a comment}\n[Board "4"]\n'
    )
    assert boards(text.replace("\n", end)) == {
        "1": [("comment-unclosed", 2)],
        "2": [],
        "3": [],
        "4": [],
    }
    document = parse(text)
    assert [comment for _, comment in document.comments] == ["{ruffed?}", "{a comment}\n"]
    assert [token for token, _ in document.games[2].names["Play"].play_tokens()] == ["SA", "SK"]


def test_a_forgotten_brace_before_the_tags_of_a_deal_has_a_fault() -> None:
    """In files where each deal begins with a comment, no tag follows an empty line."""
    text = '{a}\n[Board "1"]\n\n{ b\n[Board "2"]\n[Result "5"]\n\n{c}\n[Board "3"]\n'
    assert boards(text) == {
        "1": [],
        None: [("comment-unclosed", 4)],
        "3": [],
    }


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_closing_brace_can_be_forgotten_without_a_fault(path: Path) -> None:
    """Either a fault says so, or the comment is the last one of the file."""
    text = path.read_text(encoding="utf-8")
    braces = [at for at, letter in enumerate(text) if letter == "}"]
    for number, at in enumerate(braces):
        document = parse(text[:at] + text[at + 1 :])
        codes = {fault.code for game in document.games for fault in game.faults}
        follows = text[at : braces[number + 1]] if number + 1 < len(braces) else "\n["
        assert "comment-unclosed" in codes or "\n[" not in follows, text.count("\n", 0, at)


def test_each_unclosed_comment_has_its_fault() -> None:
    text = '[Board "1"]\n{ a\n\n[Board "2"]\n{ b\n\n[Board "3"]\n{c}\n'
    assert boards(text) == {
        "1": [("comment-unclosed", 2)],
        "2": [("comment-unclosed", 5)],
        "3": [],
    }


@pytest.mark.parametrize(
    "comment",
    [
        '{ not played:\n\n[Board "2"]\n\n[Board "3"]\n\n}',
        "{ see {1\n\nand more }",
        '{ a\n\n [Board "2"] {is no line of its own }',
    ],
)
def test_comments_of_many_paragraphs_stay_comments(comment: str) -> None:
    assert boards(f'[Board "1"]\n{comment}\n\n[Board "4"]\n') == {"1": [], "4": []}


def test_a_text_that_is_no_hand_file_is_told_of_once() -> None:
    (game,) = parse("# A heading\n\nwhat is\nno hand file\n").games
    assert [(fault.code, fault.line) for fault in game.faults] == [("text-stray", 1)]


@pytest.mark.parametrize(
    "text", ["# See [a page](page.md)\n[0]\n", "<!DOCTYPE html>\na { b }\n}\n"]
)
def test_nor_are_its_brackets_and_braces_told_of(text: str) -> None:
    (game,) = parse(text + "[it](too)\n").games
    assert [(fault.code, fault.line) for fault in game.faults] == [("text-stray", 1)]
    (game,) = parse(text.replace("\n", " ") + '\n[Game "mensch"]\n[it]\n').games
    assert "quote-missing" in [fault.code for fault in game.faults]


def test_blocks_without_tags_are_one_game_up_to_the_next_tag() -> None:
    text = "]\n\nstray\n; said\n\n]\n; kept\n\n{ between }\n\n" + '[A "1"]\n' + "\n\n]\n\n" * 2000
    first, second, third = parse(text).games
    assert [fault.code for fault in first.faults] == [
        "bracket-stray",
        "text-stray",
        "bracket-stray",
    ]
    assert text[first.start : first.end] == "]\n\nstray\n; said\n\n]\n; kept\n"
    assert second.get("A") == "1"
    assert (len(third.faults), third.faults.total) == (MOST_FAULTS, 2000)


def test_an_edit_reaches_heirs_in_any_number() -> None:
    document = parse('[A "1"]\n' + '\n[A "#"]\n' * 3000)
    document.games[0].set_tag("A", "2")
    values = [game.get("A") for game in parse(document.text).games]
    assert values == ["2", *["1"] * 3000]


def test_a_long_text_is_cut_in_messages():
    for length in (59, 60, 61, 200):
        (game,) = parse('[Board "1"]\n' + "x" * length + "\n").games
        (fault,) = game.faults
        assert fault.text == ("x" * length if length <= 60 else "x" * 57 + "...")


@pytest.mark.parametrize("section", ["Auction", "Play", "ActionTable", "OptimumResultTable"])
def test_a_new_tag_stands_before_the_first_section(section):
    document = parse(f'[Board "1"]\n{{ a comment }}\n[{section} "N"]\nPass Pass\n[Event "x"]\n')
    document.games[0].set_tag("Trump", "H")
    before = f'[Trump "H"]\n[{section} "N"]\nPass Pass\n[Event "x"]\n'
    assert document.text == '[Board "1"]\n{ a comment }\n' + before


@pytest.mark.parametrize("section", ["Auction", "Play", "Note"])
def test_a_new_tag_stands_before_a_section_without_rows(section: str) -> None:
    document = parse(f'[Dealer "N"]\n[{section} "N"]\n')
    document.games[0].set_tag("Trump", "H")
    assert document.text == f'[Dealer "N"]\n[Trump "H"]\n[{section} "N"]\n'


@pytest.mark.parametrize("blank", ["", " ", "\t", "\v", "\f", " \t \v"])
def test_blanks_around_a_new_tag_stay(blank: str) -> None:
    """A new tag gets its own line, after the blanks of the previous line."""
    document = parse(f'[Dealer "N"]{blank}\n')
    document.games[0].set_tag("Trump", "H")
    assert document.text == f'[Dealer "N"]{blank}\n[Trump "H"]\n'
    document = parse(f'[Dealer "N"]\n{blank}[Play "N"]\nSA\n')
    document.games[0].set_tag("Trump", "H")
    assert document.text == f'[Dealer "N"]\n[Trump "H"]\n{blank}[Play "N"]\nSA\n'
    document = parse(f'{blank}[Play "N"]\nSA\n')
    document.games[0].set_tag("Trump", "H")
    assert document.text == f'[Trump "H"]\n{blank}[Play "N"]\nSA\n'


def test_a_new_tag_before_a_section_on_the_same_line() -> None:
    document = parse('[Dealer "N"] [Play "N"]\nSA\n')
    document.games[0].set_tag("Trump", "H")
    assert document.text == '[Dealer "N"] \n[Trump "H"]\n[Play "N"]\nSA\n'
    document = parse('\ufeff[Play "N"]\nSA\n')
    document.games[0].set_tag("Trump", "H")
    assert document.text == '\ufeff[Trump "H"]\n[Play "N"]\nSA\n'
