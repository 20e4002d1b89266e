"""Test each value that a deal takes from its tags, and the message for each wrong value."""

from __future__ import annotations

from typing import Any

import pytest

from spadille.core.contract import Contract
from spadille.games.model.contract_types_and_options import Surrender
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import parse
from spadille.pbn.tags import TagReader

FOUR = "S:87.AQJ7.7.Q KQJ.T8.AK8. T9.9.QJT.KJ A.K.9.AT987"
HEAD = f'[Game "german-solo"]\n[Dealer "W"]\n[Deal "{FOUR}"]\n'
SOLO = '[Declarer "S"]\n[Contract "solo"]\n[Trump "H"]\n'
PLAY = '[Play "N"]\n'
OMBRE_SOLO = '[Declarer "3"]\n[Contract "solo"]\n[Trump "D"]\n'
OMBRE = """[Game "ombre"]
[Dealer "3"]
[Deal "3:AK.Q.J74.KJ7 Q73.J3.AK.A4 J4.5.653.Q62"]
"""
TALON = "D2 S6 H4 H2 S2 C3 HA H7 HK S5 C5 DQ H6"


def only(text: str) -> Entry:
    (entry,) = read(text)
    return entry


def told(entry: Entry | TagReader) -> list[tuple[Any, ...]]:
    return [(one.code, one.tag, one.text, one.line, one.column) for one in entry.faults]


@pytest.mark.parametrize(
    ("value", "cards", "ordered"),
    [
        ("", [], False),
        ("?", [], False),
        (TALON, TALON.split(), True),
        (" 652.AK7642.Q2.53", sorted(TALON.split()), False),
    ],
)
def test_a_talon_is_ordered_if_it_is_a_list_of_cards(
    value: str, cards: list[str], ordered: bool
) -> None:
    entry = only(OMBRE + f'[Talon "{value}"]\n')
    assert entry.faults == []
    assert entry.deal is not None
    talon = [*entry.deal.talon]
    assert ((talon if ordered else sorted(talon)), entry.deal.talon_ordered) == (cards, ordered)


def test_an_unreadable_talon_is_a_fault_at_its_place() -> None:
    assert told(only(OMBRE + '[Talon "D2 XX H4"]\n')) == [("card-unreadable", "Talon", "XX", 4, 12)]
    (fault,) = told(only(OMBRE + '[Talon "  6y2.A.Q.5"]\n'))
    assert fault[:3] == ("card-unreadable", "Talon", "y")
    assert fault[3:] == (4, 12)


@pytest.mark.parametrize(("word", "foreign"), [("K9", True), ("PD", True), ("XX", False)])
@pytest.mark.parametrize("text", ['[Talon "D2 {}"]', '[Key "{}"]', SOLO + PLAY + "{}"])
def test_cards_in_other_languages_point_to_letters(text: str, word: str, foreign: bool) -> None:
    entry = only((HEAD if "Play" in text else OMBRE) + text.format(word) + "\n")
    (rule,) = [fault.rule for fault in entry.faults if fault.code == "card-unreadable"]
    assert rule is not None
    assert rule.endswith(", or a card in the letters of --letters") == foreign


@pytest.mark.parametrize("missing", ["", "?", "#"])
def test_a_value_that_is_left_open_counts_as_missing(missing: str) -> None:
    entry = only(f'[Game "german-solo"]\n[Deal "{missing}"]\n')
    assert [fault.code for fault in entry.faults if fault.code != "nothing-to-inherit"] in (
        ["deal-missing"],
        [],
    )
    assert entry.deal is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("3@2", Surrender("3", 2, None, ())),
        ("3:1@4", Surrender("3", 4, "1", ())),
        ("3+1+2@3", Surrender("3", 3, None, ("1", "2"))),
        (" 3 : 2 @ 1 ", Surrender("3", 1, "2", ())),
        ("n:e+w@12", Surrender("N", 12, "E", ("W",))),
    ],
)
def test_a_surrender_names_player_trick_taker_and_consent(text: str, found: Surrender) -> None:
    reader = TagReader(parse(f'[Surrender "{text}"]\n').games[0])
    assert reader.surrender() == found
    assert reader.faults == []


@pytest.mark.parametrize("text", ["3", "3@", "@2", "3@123", "3:@2", "3++1@2", "3@x"])
def test_a_surrender_that_cannot_be_read_is_a_fault(text: str) -> None:
    reader = TagReader(parse(f'[Event ""]\n[Surrender "{text}"]\n').games[0])
    assert reader.surrender() is None
    ((code, tag, word, line, column),) = told(reader)
    assert (code, tag, word) == ("surrender-unreadable", "Surrender", text)
    assert (line, column) == (2, 13)


@pytest.mark.parametrize(
    ("tag", "value", "fault"),
    [
        ("Pool", "5", None),
        ("Pool", "123456", None),
        ("Pool", "1234567", ("number-unreadable", "Pool", "1234567", 4, 8)),
        ("Pool", "-1", ("number-unreadable", "Pool", "-1", 4, 8)),
        ("Tricks", "1:5;2: 4;3:0", None),
        ("Tricks", "1:5;2: x;3:0", ("number-unreadable", "Tricks", "x", 4, 17)),
        ("Tricks", "1:5;1:4", ("seat-unreadable", "Tricks", "1", 4, 14)),
        ("Tricks", "1:5;:4", ("seat-unreadable", "Tricks", "", 4, 14)),
        ("Tricks", "1:5;2:", ("seat-unreadable", "Tricks", "2", 4, 14)),
        ("Paid", "1:+5;2:-4;3:0", None),
        ("Paid", "1:5.5;2:0;3:0", ("number-unreadable", "Paid", "5.5", 4, 10)),
        ("Paid", "1:1234567", ("number-unreadable", "Paid", "1234567", 4, 10)),
    ],
)
def test_numbers(tag: str, value: str, fault: tuple[Any, ...] | None) -> None:
    found = [each for each in told(only(OMBRE + f'[{tag} "{value}"]\n')) if each[1] == tag]
    assert found == ([] if fault is None else [fault])


@pytest.mark.parametrize(("tag", "value"), [("Tricks", "1:x"), ("Paid", "1:x"), ("Key", "ZZ")])
def test_a_record_that_cannot_be_read_leaves_the_deal_usable(tag: str, value: str) -> None:
    entry = only(OMBRE + f'[{tag} "{value}"]\n')
    assert [fault.tag for fault in entry.faults] == [tag]
    assert entry.deal is not None
    assert not entry.tricks
    assert not entry.paid


@pytest.mark.parametrize(
    ("declarer", "contract", "trump", "found"),
    [
        ("S", "solo", "H", Contract(("S",), ("solo",), "H")),
        ("^S", "Solo", "hearts", Contract(("S",), ("solo",), "H")),
        ("s", "solo H", "", Contract(("S",), ("solo",), "H")),
        ("south", "solo H", "h", Contract(("S",), ("solo",), "H")),
    ],
)
def test_the_contract_in_any_spelling(
    declarer: str, contract: str, trump: str, found: Contract
) -> None:
    tags = f'[Declarer "{declarer}"]\n[Contract "{contract}"]\n[Trump "{trump}"]\n'
    entry = only(HEAD + tags)
    assert (entry.faults, entry.contract) == ([], found)


def test_two_trumps_contradict_each_other() -> None:
    entry = only(HEAD + '[Declarer "S"]\n[Contract "solo H"]\n[Trump "D"]\n')
    fault = ("trump-contradicts-contract", "Contract", "solo H", 5, 12)
    assert fault in told(entry)


@pytest.mark.parametrize(
    ("rules", "code", "text", "column"),
    [
        ("color", "option-unreadable", "color", 9),
        ("color=none; color=H", "option-duplicate", "color=H", 21),
        ("  zebra=1", "option-unknown", "zebra=1", 11),
        ("color=none;;color=purple", None, "color=purple", 21),
    ],
)
def test_each_wrong_option_has_its_place(
    rules: str, code: str | None, text: str, column: int
) -> None:
    (fault,) = told(only(f'{HEAD}[Rules "{rules}"]\n'))
    assert fault[1:] == ("Rules", text, 4, column)
    assert code in (None, fault[0])


def test_a_tag_that_is_misspelt_is_a_warning_at_its_name() -> None:
    entry = only(HEAD + SOLO + '[Calld "HA"]\n')
    (warning,) = [one for one in entry.findings if one.code == "tag-misspelt"]
    assert (warning.tag, warning.text, warning.line, warning.column) == ("Calld", "Calld", 7, 2)
    assert warning.severity == "warning"
    assert "'Calld' is not a known tag; did you mean 'Called'?" in warning.message


def test_a_player_written_for_a_seat_is_told_where_he_sits() -> None:
    entry = only(HEAD + '[East "Anna"]\n[Declarer "anna"]\n[Contract "solo"]\n[Trump "H"]\n')
    (message,) = [one.message for one in entry.faults if one.code == "seat-unknown"]
    assert message.endswith("; Anna is E")


@pytest.mark.parametrize(
    ("deal", "code", "text", "column"),
    [
        ("N", "deal-unreadable", "N", 8),
        (" 87.AQJ7.7.Q - - -", "deal-unreadable", "87.AQJ7.7.Q - - -", 9),
        ("X:- - - -", "seat-unknown", "X", 8),
        (" :- - - -", "seat-unknown", "", 9),
        ("N:- - -", "deal-hands", "N:- - -", 8),
        ("N:- - - - -", "deal-hands", "N:- - - - -", 8),
    ],
)
def test_a_deal_is_a_seat_a_colon_and_the_hands(
    deal: str, code: str, text: str, column: int
) -> None:
    entry = only(f'[Game "german-solo"]\n[Dealer "W"]\n[Deal "{deal}"]\n')
    assert told(entry) == [(code, "Deal", text, 3, column)]
    colon = "a colon is missing between the first seat and the hands"
    assert (entry.faults[0].message == colon) == (code == "deal-unreadable")


# The play


@pytest.mark.parametrize(
    ("play", "ended", "in_progress"),
    [
        ("DQ D9 D7 DK", False, False),
        ("DQ D9 D7 DK\n*", True, False),
        ("DQ D9 D7 DK\n+", False, True),
        ("DQ D9 + -", False, True),
        ("DQ D9 + -\n*", True, False),
    ],
)
def test_a_record_may_be_ended_or_in_progress(play: str, ended: bool, in_progress: bool) -> None:
    for deal in (FOUR, "S:87.AQJ7.7.Q - - -"):
        entry = only(HEAD.replace(FOUR, deal) + SOLO + PLAY + play)
        assert entry.play is not None
        assert (entry.play.ended, entry.play.in_progress) == (ended, in_progress)


def test_every_card_has_its_place_and_every_trick_its_leader() -> None:
    rows = "DQ D9 D7 DK\n$3 S9 SA ! S8 SK\nCJ C7 H7 D8\n*"
    for deal in (FOUR, "S:87.AQJ7.7.Q - - -"):
        entry = only(HEAD.replace(FOUR, deal) + SOLO + PLAY + rows)
        assert entry.faults == []
        assert entry.play is not None
        assert entry.play.leaders == ("N", "W", "E")
        assert entry.play.tricks == (
            ("DQ", "D9", "D7", "DK"), ("SK", "S9", "SA", "S8"), ("C7", "H7", "D8", "CJ"),
        )  # fmt: skip
        assert entry.play.cards[4:8] == ("SK", "S9", "SA", "S8")
        assert entry.play.places[:5] == ((8, 1), (8, 4), (8, 7), (8, 10), (9, 15))


def test_a_mark_lets_its_column_lead() -> None:
    """West should lead the second trick; a mark says that North did, or East in the first."""
    entry = only(HEAD + SOLO + PLAY + "DQ D9 D7 DK\n^L DJ D8 H7 SA\n")
    assert entry.play is not None
    assert entry.play.leaders == ("N", "N")
    assert not any(fault.code == "play-leader" for fault in entry.faults)
    first = only(HEAD + SOLO + '[Play "E"]\n^L D9 D7 D8 DQ\n')
    assert first.faults == []
    assert first.play is not None
    assert first.play.leaders == ("E",)
    wrong = only(HEAD + SOLO + '[Play "E"]\nD9 D7 D8 DQ\n')
    assert told(wrong)[0] == ("play-leader", "Play", "E", 7, 8)
    late = only(HEAD + SOLO + '[Play "E"]\nD9 ^L D7 D8 DQ\n')
    assert told(late)[0] == ("play-leader", "Play", "E", 7, 8)


@pytest.mark.parametrize("tag", ["Question", "Key", "Theme", "Difficulty"])
def test_each_tag_of_a_problem_poses_one(tag: str) -> None:
    (entry,) = read(f'[Game "mensch"]\n[{tag} "SA"]\n')
    assert entry.posed is not None
    assert read('[Game "mensch"]\n[Method "reasoned"]\n')[0].posed is None


@pytest.mark.parametrize(("missing", "written"), [("Game", "game"), ("Deal", "Dael")])
def test_a_missing_tag_may_be_misspelt(missing: str, written: str) -> None:
    entry = only(HEAD.replace(f"[{missing} ", f"[{written} "))
    assert f"but there is a tag '{written}'" in entry.faults[0].message
    (other,) = only(HEAD.replace(f"[{missing} ", "[Other ")).faults
    assert "there is a tag" not in other.message


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ('[Talon "SA"]', "SA is held by Player 3 and by the talon"),
        ('[Auction "3"]\nPass', "Player 3 does not bid first, Player 2 does"),
        (OMBRE_SOLO + '[Play "1"]', "Player 1 does not lead to the first trick, Player 2 does"),
        (OMBRE_SOLO + '[Play "2"]\nC4', "Player 2 does not hold C4"),
        (OMBRE_SOLO + '[Play "2"]\nC6 DA', "Player 1 may not play DA"),
    ],
)
def test_a_numbered_seat_is_called_a_player(tags: str, message: str) -> None:
    faults = only(f"{OMBRE}{tags}\n").faults
    assert any(fault.message.startswith(message) for fault in faults)
