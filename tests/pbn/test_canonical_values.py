"""The value of each tag in canonical form: the meaning that spadille read, in its own notation."""

from __future__ import annotations

import pytest

from spadille.pbn.export_format import export
from spadille.pbn.parse_document import parse

HANDS = "KJ987... .AKQJ.. ..AKQ. ...KQJT"


def written(text: str) -> dict[str, str]:
    """Return the tags of the last game after export."""
    (*_, game) = parse(export(parse(text))).games
    return {tag.name: tag.document.source[tag.value_start : tag.stop] for tag in game.tags}


def value(name: str, given: str, *others: str, game: str = "german-solo") -> str:
    tags = "".join(f"[{tag}]\n" for tag in others)
    return written(f'[Game "{game}"]\n{tags}[{name} "{given}"]\n')[name]


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("Vulnerable", "love", "None"),
        ("Vulnerable", "-", "None"),
        ("Vulnerable", "NONE", "None"),
        ("Vulnerable", "ns", "NS"),
        ("Vulnerable", "Ew", "EW"),
        ("Vulnerable", "both", "All"),
        ("Vulnerable", "all", "All"),
        ("Vulnerable", "some", "some"),
        # Seats of the game; a caret stays.
        ("Dealer", "north", "N"),
        ("Dealer", "1", "1"),
        ("Declarer", "^e", "^E"),
        ("Partner", "south", "S"),
        ("Leader", "w", "W"),
        ("Leader", "west  n", "W N"),
        # Suits.
        ("Trump", "hearts", "H"),
        ("Trump", "♠", "S"),
        ("Trump", "nt", "NT"),
        ("Trump", "red", "red"),
        ("Trump", "?", "?"),
        ("Penalty", "clubs", "C"),
        ("CurrentTrump", "d", "D"),
        # Cards and lists of cards.
        ("Called", "s10", "ST"),
        ("Called", "-", "-"),
        ("TurnUp", "ha", "HA"),
        ("Talon", "s10, h7", "ST, H7"),
        ("Talon", "9AK...", "AK9..."),
        ("Talon", "9Ax...", "9Ax..."),
        ("Drawn", "n:sa;east:d10", "N:SA;E:DT"),
        ("Discard", "n:sa sq", "N:SA SQ"),
        ("Won", "north:2;s:0", "N:2;S:0"),
        ("FromHand", "north x", "N x"),
        ("Key", "sa s10", "SA ST"),
        # Other tags are kept unchanged.
        ("Event", "north", "north"),
        ("Room", "10s", "10s"),
        # A note inherits nothing: its first # is removed, others stay.
        ("Note", "#1:forcing#", "1:forcing#"),
        ("Note", "#", "?"),
        ("Note", "##x", "x"),
        # The sign "#" with nothing to inherit, as a value, and before a value.
        ("Event", "#", "?"),
        ("Event", "###", "###"),
        ("Event", "####a", "####a"),
        ("Event", "a##", "a##"),
        ("Event", "#a", "#a"),
        ("TrumpBy", "south", "S"),
        ("Trump", "", ""),
        ("Deal", "n:9AK... - - -", "N:AK9... - - -"),
        ("Trump", " ", " "),
        ("Penalty", "?", "?"),
        ("Penalty", " hearts ", "H"),
        # Contracts by their ids.
        ("Contract", "Solo", "solo"),
        ("Contract", "zebra", "zebra"),
    ],
)
def test_values(name: str, given: str, expected: str) -> None:
    assert value(name, given) == expected


def test_a_game_is_written_by_its_id() -> None:
    assert written('[Game "Solo Whist"]\n')["Game"] == "solo-whist"
    assert written('[Game "zebra"]\n')["Game"] == "zebra"


@pytest.mark.parametrize(
    ("dealer", "given", "expected"),
    [
        # From the dealer on, clockwise; ranks in order, suits S H D C.
        ("N", f"N:{HANDS}", f"N:{HANDS}"),
        ("E", f"N:{HANDS}", "E:.AKQJ.. ..AKQ. ...KQJT KJ987..."),
        ("N", "w:...tkqj 987kj... .AKQJ.. ..AKQ.", f"N:{HANDS}"),
        ("S", "N:KJ987... - - -", "S:- - KJ987... -"),
        ("x", "E:.AKQJ.. ..AKQ. ...KQJT KJ987...", "E:.AKQJ.. ..AKQ. ...KQJT KJ987..."),
        # Unreadable values are kept unchanged.
        ("N", "N:KJ987... .AKQJ..", "N:KJ987... .AKQJ.."),
        ("N", f"5:{HANDS}", f"5:{HANDS}"),
        ("E", "N:KJ98x... .AKQJ.. ..AKQ. ...KQJT", "N:KJ98x... .AKQJ.. ..AKQ. ...KQJT"),
    ],
)
def test_a_deal_begins_with_the_dealer(dealer: str, given: str, expected: str) -> None:
    assert value("Deal", given, f'Dealer "{dealer}"') == expected


def test_seats_of_a_counterclockwise_game_stand_clockwise_in_a_deal() -> None:
    hands = "A... .A.. ..A."
    assert value("Deal", f"2:{hands}", 'Dealer "1"', game="ombre") == "1:..A. A... .A.."


@pytest.mark.parametrize(
    ("contract", "trump", "expected"),
    [
        ("solo H", None, ("solo", "H")),
        ("Solo hearts", "", ("solo", "H")),
        ("solo H", "?", ("solo", "H")),
        ("solo", "h", ("solo", "H")),
        ("solo H", "H", ("solo", "H")),
        # Contradictory values are both kept.
        ("solo H", "S", ("solo H", "S")),
        ("solo", None, ("solo", None)),
        # Bridge.
        ("4sx", None, ("4SX", None)),
        ("3nt", None, ("3NT", None)),
        ("7SXX", None, ("7SXX", None)),
        ("8S", None, ("8S", None)),
    ],
)
def test_the_trump_of_a_contract_has_its_own_tag(
    contract: str, trump: str | None, expected: tuple[str, str | None]
) -> None:
    tags = f'[Game "german-solo"]\n[Contract "{contract}"]\n'
    found = written(tags if trump is None else f'{tags}[Trump "{trump}"]\n')
    assert (found["Contract"], found.get("Trump")) == expected


@pytest.mark.parametrize(
    ("declarer", "given", "expected"),
    [
        ("N", "NS 9", "9"),
        ("n", "ns 10 EW 3", "10"),
        ("E", "NS 9", "4"),
        ("W", "EW 13", "13"),
        ("S", "EW 0", "13"),
        ("S", "^EW 1", "^12"),
        ("1", "NS 9", "NS 9"),
        ("", "NS 9", "NS 9"),
        ("N", "9", "9"),
        ("N", "NS 100", "NS 100"),
    ],
)
def test_a_result_of_bridge_is_that_of_the_declarer(
    declarer: str, given: str, expected: str
) -> None:
    assert value("Result", given, f'Declarer "{declarer}"') == expected


@pytest.mark.parametrize(
    ("given", "expected"), [("north", "N"), ("e", "E"), ("s", "S"), ("w", "W"), ("1", "1")]
)
def test_an_unknown_game_has_the_seats_of_bridge(given: str, expected: str) -> None:
    assert value("Dealer", given, game="zebra") == expected


def test_only_the_trump_tag_takes_the_trump_of_the_contract() -> None:
    found = written(
        '[Game "german-solo"]\n[Contract "solo H"]\n[Trump ""]\n[Penalty ""]\n[CurrentTrump "?"]\n'
    )
    assert (found["Trump"], found["Penalty"], found["CurrentTrump"]) == ("H", "", "?")


@pytest.mark.parametrize(
    ("contract", "trump", "expected"),
    [
        ("5hx", "", "5HX"),
        ("hx", "", "HX"),
        ("7nt", "", "7NT"),
        ("8h", "", "8h"),
        ("solo zebra", "", "solo zebra"),
        ("Solo H", "", "solo"),
        ("Solo H", "D", "Solo H"),
    ],
)
def test_a_contract_that_cannot_be_read_stays(contract: str, trump: str, expected: str) -> None:
    assert value("Contract", contract, f'Trump "{trump}"') == expected


@pytest.mark.parametrize(
    ("given", "declarer", "expected"),
    [
        ("NS 9", "N", "9"),
        ("NS 9", "E", "4"),
        ("^ew 10", "W", "^10"),
        ("EW 3 NS 10", "S", "10"),
        ("NS 9", "1", "NS 9"),
        ("NS 9", "", "NS 9"),
        ("SN 9", "N", "SN 9"),
    ],
)
def test_the_tricks_of_a_side_are_those_of_the_declarer(
    given: str, declarer: str, expected: str
) -> None:
    assert value("Result", given, f'Declarer "{declarer}"') == expected


@pytest.mark.parametrize(
    "given",
    [
        "X:KJ987... .AKQJ.. ..AKQ. ...KQJT",
        "N:KJ987... .AKQJ.. ..AKQ.",
        "N:KJ98y... .AKQJ.. ..AKQ. ...KQJT",
    ],
)
def test_a_deal_that_cannot_be_read_stays(given: str) -> None:
    assert value("Deal", given, 'Dealer "E"') == given
