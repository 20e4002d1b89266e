"""Cards and hands as text."""

from __future__ import annotations

import pickle

import pytest

from spadille.base.card_text import (
    CARDS,
    format_hand,
    parse_card,
    parse_cards,
    parse_hand,
    sort_cards,
)
from spadille.base.errors import CardError, Fault, SpadilleError


def test_pack_order() -> None:
    assert len(CARDS) == 52
    assert CARDS[0] == "SA"
    assert CARDS[13] == "HA"
    assert CARDS[-1] == "C2"


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("SA", "SA"),
        ("sa", "SA"),
        ("H10", "HT"),
        ("ht", "HT"),
        (" c2 ", "C2"),
        ("D10", "DT"),
        ("♠A", "SA"),
        ("♥\ufe0f10", "HT"),
        ("♥\ufe0e10", "HT"),
        ("♢k", "DK"),
        ("♧2", "C2"),
    ],
)
def test_parse_card(text: str, card: str) -> None:
    assert parse_card(text) == card


@pytest.mark.parametrize("text", ["", "S", "AS", "S1", "S11", "XA", "SAA", "S 1", "A♠", "♠", "ſA"])
def test_parse_card_refuses(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_card(text)
    assert repr(text) in str(caught.value)
    assert caught.value.code == "card-unreadable"


@pytest.mark.parametrize(("text", "meant"), [("AH", "HA"), ("10s", "ST"), ("k♦", "DK")])
def test_a_card_the_other_way_round_gets_a_hint(text: str, meant: str) -> None:
    with pytest.raises(CardError, match=f"'{text}' is not a card: the suit comes first: '{meant}'"):
        parse_card(text)


@pytest.mark.parametrize(
    ("text", "meant"), [("SD", "SQ"), ("ho", "HQ"), ("dB", "DJ"), ("cR", "CK")]
)
def test_a_rank_of_another_language_gets_a_hint(text: str, meant: str) -> None:
    with pytest.raises(CardError, match=f"'{text}' is not a card; did you mean '{meant}'"):
        parse_card(text)
    with pytest.raises(CardError, match="not a rank; did you mean 'J'"):
        parse_hand("AKU...")


def test_parse_cards_keeps_order() -> None:
    assert parse_cards("H7 SK, c10") == ("H7", "SK", "CT")
    assert parse_cards("") == ()


def test_hand_round_trip() -> None:
    cards = parse_hand("AK.QJ..987")
    assert cards == ("SA", "SK", "HQ", "HJ", "C9", "C8", "C7")
    assert format_hand(cards) == "AK.QJ..987"
    assert format_hand(reversed(cards)) == "AK.QJ..987"
    assert parse_hand("...") == ()
    assert format_hand(()) == "..."


def test_hand_any_order_case_and_tens() -> None:
    assert parse_hand(" 7a10.q..2 ") == ("SA", "ST", "S7", "HQ", "C2")


def test_hand_keeps_duplicates() -> None:
    assert parse_hand("AA...") == ("SA", "SA")


@pytest.mark.parametrize(
    "text", ["", "AK.QJ.987", "A.K.Q.J.T", "AK.QX..", "AK.1..", "AK.Q J..", "-"]
)
def test_parse_hand_refuses(text: str) -> None:
    with pytest.raises(CardError) as caught:
        parse_hand(text)
    assert repr(text) in str(caught.value)
    assert caught.value.code == "hand-unreadable"


def test_sort_cards() -> None:
    assert sort_cards(["C2", "HT", "HA", "SA", "HJ"]) == ("SA", "HA", "HJ", "HT", "C2")


def test_errors_carry_a_code_and_survive_pickling() -> None:
    error = pickle.loads(pickle.dumps(CardError("no", "card-odd")))
    assert (str(error), error.code, type(error)) == ("no", "card-odd", CardError)
    assert isinstance(error, SpadilleError)
    assert isinstance(error, ValueError)


def test_fault_defaults() -> None:
    fault = Fault("card-duplicate", "SA twice")
    assert (fault.tag, fault.text, fault.rule, fault.line, fault.column) == (
        None,
        "",
        "",
        None,
        None,
    )
