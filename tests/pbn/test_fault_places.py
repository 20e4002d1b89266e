"""The place of a finding in the value of a tag, and the name that a tag misspells."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spadille.base.errors import Fault
from spadille.core.deal_faults import Finding
from spadille.pbn.fault_places import (
    Index,
    hands,
    readable_hand,
    seat_parts,
    unreadable_in_hand,
    words,
)
from spadille.pbn.tag_names import OF_CONTRACT, OURS, SAME_EVENING, meant_tag

PAGES = Path(__file__).parents[2] / "docs"
SEATS = ("N", "E", "S", "W")


def found(
    tag: str, value: str, text: str, seat: str | None = None, nth: int = 0
) -> tuple[int, str]:
    fault = Fault("code", "message", tag, text, "rule")
    return Index(tag, value, SEATS).find(Finding(fault, seat, nth))


@pytest.mark.parametrize(
    ("value", "text", "seat", "nth", "place"),
    [
        # Hands belong to the seats, starting with the first one; cards may be written in any form.
        ("N:AK.. Q10.A. - .K..", "SA", "N", 0, (2, "A")),
        ("N:AK.. Q10.A. - .K..", "SK", "N", 0, (3, "K")),
        ("N:AK.. Q10.A. - .K..", "ST", "E", 0, (8, "10")),
        ("N:AK.. q10.a. - .K..", "HA", "E", 0, (11, "a")),
        ("S:AK.. Q10.A. - .K..", "SA", "S", 0, (2, "A")),
        ("S:AK.. Q10.A. - .K..", "HA", "W", 0, (11, "A")),
        ("?:AK.. Q10.A. - .K..", "SA", "N", 0, (2, "A")),
        # A card that the hand does not have: the whole hand, or without a seat the whole value.
        ("N:AK.. Q10.A. - .K..", "S7", "E", 0, (7, "Q10.A.")),
        ("N:AK.. Q10.A. - .K..", "", "S", 0, (14, "-")),
        ("  N:AK.. - - - ", "S7", None, 0, (2, "N:AK.. - - -")),
        # The second of several equal cards, and a fourth one that does not exist.
        ("N:AAA.. - - -", "SA", "N", 1, (3, "A")),
        ("N:AAA.. - - -", "SA", "N", 3, (2, "AAA..")),
    ],
)
def test_cards_of_a_deal(
    value: str, text: str, seat: str | None, nth: int, place: tuple[int, str]
) -> None:
    assert found("Deal", value, text, seat, nth) == place


@pytest.mark.parametrize(
    ("tag", "value", "text", "seat", "place"),
    [
        ("Talon", "D2 s10, H4", "ST", None, (3, "s10")),
        ("Talon", "A10..K.", "ST", None, (1, "10")),
        ("Talon", "A10..K.", "DK", None, (5, "K")),
        ("Drawn", "n:SA HK;E:SA", "SA", "N", (2, "SA")),
        ("Drawn", "n:SA HK;E:SA", "SA", "E", (10, "SA")),
        ("Drawn", "n:SA HK; e : D7 ", "", "E", (9, "e : D7")),
        ("Drawn", "N:SA;N:HK", "HK", "N", (0, "N:SA")),  # the first part for a seat counts
        ("FromHand", "north  W", "N", None, (0, "north")),
        ("FromHand", "north  W", "W", None, (7, "W")),
        ("Trump", "hearts", "H", None, (0, "hearts")),
        ("Contract", "solo,frog", "SOLO,FROG", None, (0, "solo,frog")),
        ("Declarer", "^N ^E", "E", None, (4, "E")),
        ("Surrender", "3:1@2", "1", None, (2, "1")),
        ("Declarer", " N  E ", "X", None, (1, "N  E")),
    ],
)
def test_words_of_other_tags(
    tag: str, value: str, text: str, seat: str | None, place: tuple[int, str]
) -> None:
    assert found(tag, value, text, seat) == place


def test_pieces_of_values() -> None:
    assert [*hands("N: AK.. \t-")] == [(3, "AK.."), (9, "-")]
    assert [*hands("AK.. -")] == [(0, "AK.."), (5, "-")]
    assert [*seat_parts(" N : SA HK;;E:;x")] == [
        (1, "N", 4, " SA HK"),
        (12, "E", 14, ""),
        (15, "x", 16, ""),
    ]
    assert [*words(" SA, HK", 5)] == [(6, "SA"), (10, "HK")]
    assert [*words("SA")] == [(0, "SA")]
    assert [*unreadable_in_hand("A10x.a1.ZT.")] == [(3, "x"), (6, "1"), (8, "Z")]
    assert readable_hand("A10x.a1.ZT.") == "AT.A.T."


def wrong(name: str) -> set[str]:
    """Return names with a letter left out, doubled, or replaced, or with two letters swapped."""
    found = {name[:at] + name[at + 1 :] for at in range(len(name))}
    found |= {name[:at] + letter + name[at:] for at in range(len(name)) for letter in "qz"}
    found |= {name[:at] + "q" + name[at + 1 :] for at in range(len(name))}
    found |= {name[:at] + name[at + 1] + name[at] + name[at + 2 :] for at in range(len(name) - 1)}
    return found | {name.lower(), name.upper()}


@pytest.mark.parametrize("name", OURS)
def test_a_name_a_letter_off_is_recognized(name: str) -> None:
    assert meant_tag(name) is None
    numbered = name.startswith("Player")  # Playe1 may be any of them
    for other in wrong(name) - {*OURS}:
        meant = meant_tag(other)
        if len(name) <= 3:
            assert meant != name
        else:
            assert meant == name or numbered or meant in OURS, other


@pytest.mark.parametrize("name", ["Event", "Site", "Scoring", "Annotator", "Room", "X" * 40, "Ke"])
def test_other_names_are_left_alone(name: str) -> None:
    assert meant_tag(name) is None


def test_lists_of_tags_have_known_names() -> None:
    """The tags of a contract, and those that all deals of an evening share, are known tags."""
    assert {*OF_CONTRACT} < {*OURS}
    assert [name for name in SAME_EVENING if name not in OURS] == [
        *("Event", "Site", "Date", "West", "North", "East", "South")
    ]
    assert [name for name in OURS if name.startswith("Player")] == [
        f"Player{number}" for number in range(1, 6)
    ]
    told = "Declarer Contract Trump Called Partner Penalty TrumpBy Auction Play Result Tricks Paid"
    assert [*OF_CONTRACT] == told.split()
    assert len({*OURS}) == len(OURS)
    pages = (PAGES / page for page in ("hand-files.md", "problems.md", "score.md"))
    words = {*re.findall(r"`([A-Z]\w+)`", "".join(page.read_text("utf-8") for page in pages))}
    assert {*OURS} - words == {"Player2", "Player3", "Player4"}  # `Player1` .. `Player5`
