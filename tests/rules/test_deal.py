"""Deals, and the hands played after the exchanges of Ombre and Squint."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, replace
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from spadille.base.errors import ArgumentError, DealError, RulesError, SpadilleError
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import know
from spadille.games import rules_for
from spadille.pbn.hand_file import read
from spadille.pbn.write_deals import dumps
from tests.support.deals_and_outcomes import random_deal


def test_parse_lists_hands_clockwise_from_the_first_seat() -> None:
    deal = Deal.parse("S:A... K... - Q...", "german-solo")
    assert deal.hands == {"N": None, "E": ("SQ",), "S": ("SA",), "W": ("SK",)}
    assert deal.dealer == "S"
    for text in ("", "X:... ... ... ...", "N:... ... ...", "... ... ... ..."):
        with pytest.raises(DealError):
            Deal.parse(text, "german-solo")


@pytest.mark.parametrize(
    "change",
    [
        lambda held: held.__setitem__("1", ()),
        lambda held: held.__delitem__("1"),
        lambda held: held.__ior__({"1": ()}),
        lambda held: held.setdefault("4", ()),
        lambda held: held.update({"1": ()}),
        lambda held: held.pop("1"),
        lambda held: held.popitem(),
        lambda held: held.clear(),
    ],
)
@pytest.mark.parametrize("name", ["hands", "drawn", "discard", "won"])
def test_nothing_of_a_deal_can_be_changed(name: str, change: Callable[[Any], Any]) -> None:
    given: dict[str, Any] = {"1": ("SA",)} if name != "won" else {"1": 0}
    deal = replace(OMBRE, **{name: given})
    before = hash(deal)
    with pytest.raises(TypeError, match="a deal cannot be changed"):
        change(getattr(deal, name))
    with pytest.raises(FrozenInstanceError):
        setattr(deal, name, {})
    given.clear()
    assert list(getattr(deal, name)) == ["1"]
    assert hash(deal) == before


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("dealer", None, "the dealer must be a seat as text, not None"),
        ("leader", 1, "leader must be text, not 1"),
        ("current_trump", 1, "current_trump must be text, not 1"),
        ("pool", "12", "the pool must be a number of chips, not '12'"),
        ("pool", 1.5, "the pool must be a number of chips, not 1.5"),
        ("talon", "SK H7", "talon must be a tuple of cards, not 'SK H7'"),
        ("from_hand", 1, "from_hand must be a tuple of seats, not 1"),
        ("discard", {1: ("S6",)}, "the seats in discard must be text, not 1"),
    ],
)
def test_parts_of_the_wrong_type_make_no_deal(part: str, value: object, message: str) -> None:
    with pytest.raises(ArgumentError, match=f"^{re.escape(message)}$"):
        replace(OMBRE, **{part: value})


def test_hands_may_be_changed_after_a_deal_was_made_of_them() -> None:
    deal = Deal.random("german-solo", 1)
    hands = {seat: [*(hand or ())] for seat, hand in deal.hands.items()}
    for given in (hands, MappingProxyType(hands)):
        made = replace(deal, hands=given)
        hand = hands["N"].pop(0)
        assert (made, hash(made)) == (deal, hash(deal))
        hands["N"].insert(0, hand)


def test_lists_in_a_deal_become_tuples() -> None:
    deal = replace(OMBRE, talon=list(OMBRE.talon), from_hand=["1"])
    assert (deal.talon, deal.from_hand) == (OMBRE.talon, ("1",))
    assert hash(deal) == hash(replace(OMBRE, from_hand=("1",)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hands": {}}, "the deal has hands for nobody, not for 1 2 3"),
        ({"hands": {"1": ("SA",)}}, "the deal has hands for 1, not for 1 2 3"),
        ({"dealer": "N"}, "'N' is not a seat in Ombre: 1 2 3"),
        ({"hands": {"1": ("XX",) * 9, "2": None, "3": None}}, "XX is not in the pack of Ombre"),
    ],
)
def test_an_invalid_deal_can_be_shown_but_not_written(change: dict[str, Any], message: str) -> None:
    deal = replace(OMBRE, **change)
    assert repr(deal).startswith(f"<invalid deal of Ombre: {message}")
    with pytest.raises((DealError, RulesError), match=f"^{re.escape(message)}"):
        _ = deal.text


@pytest.mark.parametrize("use", [lambda deal: dumps([deal]), lambda deal: know(deal, SOLO, "1")])
@pytest.mark.parametrize("hands", [{}, {"1": ("XX",) * 9, "2": ("SA",), "3": ("SK",)}])
def test_an_invalid_deal_is_refused(use: Callable[[Deal], Any], hands: dict[str, Any]) -> None:
    with pytest.raises(SpadilleError):
        use(replace(OMBRE, hands=hands))


def test_a_deal_without_hands_cannot_be_drawn() -> None:
    with pytest.raises(DealError, match="the deal has hands for nobody"):
        str(replace(OMBRE, hands={}))


def test_copies_of_a_deal_are_as_it_is() -> None:
    deal = replace(OMBRE, drawn={"3": ("S2",)}, discard={"3": ("C4",)}, won={"1": 0})
    for other in (copy.copy(deal), copy.deepcopy(deal), pickle.loads(pickle.dumps(deal))):
        assert (other, hash(other), repr(other)) == (deal, hash(deal), repr(deal))
        with pytest.raises(TypeError):
            other.hands["1"] = ()
    assert repr(deal.won) == "{'1': 0}"
    assert deal.won == {"1": 0} == asdict(deal)["won"]


def test_what_is_left_is_the_talon() -> None:
    deal = random_deal(rules_for("ombre"), Random(3))
    assert sorted(replace(deal, talon=(), talon_ordered=False).undealt) == sorted(deal.talon)
    hidden = replace(deal, talon=(), hands=dict(deal.hands) | {"1": None})
    assert hidden.undealt == ()
    assert hidden.pool is None
    assert hidden.rules.pool(hidden) == 5


OMBRE_TEXT = "1:AK.KQ4.5.K32 Q7.A2.KQ.QJ7 J6.J3.A2.654"
OMBRE_TALON = "H7 D7 CA S2 S3 S4 S5 H5 H6 DJ D3 D4 D6"
OMBRE = Deal.parse(OMBRE_TEXT, "ombre", dealer="1", talon=OMBRE_TALON)
SOLO = "1 solo H"


def test_ombre_exchange_in_full() -> None:
    deal = replace(
        OMBRE,
        drawn={"1": ("H7", "D7", "CA"), "3": ("S2",)},
        discard={"1": ("D5", "C3", "C2"), "3": ("C4",)},
    )
    hands = deal.playing_hands()
    assert hands["1"] == ("SA", "SK", "HK", "HQ", "H7", "H4", "D7", "CA", "CK")
    assert "S2" in (hands["3"] or ())
    assert hands["2"] == OMBRE.hands["2"]
    assert OMBRE.playing_hands() is OMBRE.hands


def test_ombre_draws_follow_from_the_talon() -> None:
    deal = replace(OMBRE, discard={"1": ("D5", "C3"), "3": ("C4",), "2": ()})
    hands = deal.playing_hands()
    assert {"H7", "D7"} <= set(hands["1"] or ())
    assert "CA" in (hands["3"] or ())
    assert len(hands["3"] or ()) == 9


@pytest.mark.parametrize(
    ("drawn", "discard", "code"),
    [
        ({"1": ("H7",)}, {"1": ("D5", "C3")}, "exchange-count"),
        ({"1": ("H7",)}, {}, "exchange-count"),
        ({"1": ("HJ",)}, {"1": ("D5",)}, "exchange-draw"),
        ({"1": ("H7",), "3": ("H7",)}, {"1": ("D5",), "3": ("C4",)}, "exchange-draw"),
        # A discarded card is out of play, and nobody discards a card they have drawn.
        ({"1": ("H7",), "3": ("D5",)}, {"1": ("D5",), "3": ("C4",)}, "exchange-draw"),
        ({"1": ("H7",)}, {"1": ("H7",)}, "exchange-discard"),
        ({"1": ("H7",)}, {"1": ("SQ",)}, "exchange-discard"),
        (
            {"1": OMBRE.talon[:8]},
            {"1": (OMBRE.hands["1"] or ())[:8], "3": (OMBRE.hands["3"] or ())[:6]},
            "exchange-more-than-left",
        ),
    ],
)
def test_impossible_ombre_exchanges(
    drawn: dict[str, tuple[str, ...]], discard: dict[str, tuple[str, ...]], code: str
) -> None:
    with pytest.raises(DealError) as caught:
        replace(OMBRE, drawn=drawn, discard=discard).playing_hands()
    assert caught.value.code == code


def test_unknown_draws_and_hands_are_named() -> None:
    unordered = replace(OMBRE, talon=(), talon_ordered=False, discard={"1": ("D5",)})
    with pytest.raises(DealError) as caught:
        unordered.playing_hands()
    assert caught.value.code == "exchange-draw-unknown"
    hidden = replace(OMBRE, hands=dict(OMBRE.hands) | {"1": None}, discard={"1": ("D5",)})
    with pytest.raises(DealError) as caught:
        hidden.playing_hands()
    assert caught.value.code == "exchange-hand-unknown"


def _squint() -> Deal:
    rules = rules_for("squint")
    deck = rules.deck
    hands = {seat: deck[10 * n : 10 * n + 10] for n, seat in enumerate(rules.seats)}
    return Deal(rules, "5", hands, talon=deck[50:])


def test_lone_soloist_takes_the_squint() -> None:
    deal = replace(_squint(), drawn={"2": ("C3", "C2")}, discard={"2": ("S2", "C2")})
    hand = set(deal.playing_hands()["2"] or ())
    assert "C3" in hand
    assert not hand & {"S2", "C2"}
    # The drawn card is implied, since there is nothing else to take.
    assert replace(deal, drawn={}).playing_hands() == deal.playing_hands()


def test_soloists_pass_two_cards_on() -> None:
    deal = replace(
        _squint(),
        drawn={"1": ("C3", "C2"), "4": ("SA", "C3")},
        discard={"1": ("SA", "C3"), "4": ("C3", "D3")},
    )
    hands = deal.playing_hands()
    assert set(hands["1"] or ()) == {*(deal.hands["1"] or ()), "C2"} - {"SA"}
    assert "SA" in (hands["4"] or ())
    assert replace(deal, drawn={}).playing_hands() == hands


def test_duo_partners_take_one_card_each() -> None:
    deal = replace(
        _squint(), drawn={"1": ("C2",), "3": ("C3",)}, discard={"1": ("SA",), "3": ("C3",)}
    )
    hands = deal.playing_hands()
    assert "C2" in (hands["1"] or ())
    assert hands["3"] == deal.hands["3"]


def test_nemo_sends_two_cards_round() -> None:
    rng = Random(5)
    deal = _squint()
    pile = list(deal.talon)
    drawn, discard, wanted = {}, {}, {}
    for seat in deal.rules.in_turn(deal.rules.eldest(deal.dealer)):
        held = [*(deal.hands[seat] or ()), *pile]
        drawn[seat] = tuple(pile)
        pile = rng.sample(held, 2)
        discard[seat] = tuple(pile)
        wanted[seat] = set(held) - set(pile)
    hands = replace(deal, drawn=drawn, discard=discard).playing_hands()
    assert {seat: set(hand or ()) for seat, hand in hands.items()} == wanted
    assert replace(deal, discard=discard).playing_hands() == hands


GERMAN = "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"


@pytest.mark.parametrize(
    ("text", "game", "code", "messages"),
    [
        (
            GERMAN.replace("QT7.A", "QTT.A"),
            "german-solo",
            "card-duplicate",
            ["ST is held twice by S", "S7 is missing"],
        ),
        (
            GERMAN.replace("QT7.A", "QT.A2"),
            "german-solo",
            "card-not-in-deck",
            ["H2 is not in the pack of German Solo", "S7 is missing"],
        ),
        (
            GERMAN.replace("K.KQ97", "KA.KQ9"),
            "german-solo",
            "card-duplicate",
            ["SA is held by N and by W", "H7 is missing"],
        ),
        ("N:AK... QJ... T... 98...", "mensch", "hand-size", ["S has 1 card instead of 2"]),
        ("1:AK.KQ4.5.K32 Q7.A2.KQ.QJ7 J6.J3.A2.65", "ombre", "hand-size", ["3 has 8 cards"]),
    ],
)
def test_what_is_no_deal_is_refused_with_all_its_faults(
    text: str, game: str, code: str, messages: list[str]
) -> None:
    with pytest.raises(DealError) as caught:
        Deal.parse(text, game)
    assert caught.value.code == code
    for message in messages:
        assert message in str(caught.value)


def test_the_pack_tells_the_last_hand() -> None:
    deal = Deal.parse(GERMAN, "german-solo")
    for hand in GERMAN[2:].split():
        assert Deal.parse(GERMAN.replace(hand, "-"), "german-solo") == deal
    two = Deal.parse("S:QT7.A.KT7.J K.KQ97.9.A8 - -", "german-solo")
    assert [two.hands[seat] for seat in "NE"] == [None, None]
    # In Ombre, it takes the talon, too.
    text = OMBRE_TEXT.replace("Q7.A2.KQ.QJ7", "-")
    assert Deal.parse(text, "ombre", talon=OMBRE_TALON).hands == OMBRE.hands
    assert Deal.parse(text, "ombre").hands["2"] is None
    # An end position does not show which cards have been played.
    assert Deal.parse("N:AK... QJ... T9... -", "mensch").hands["W"] is None


def test_a_file_may_leave_out_the_last_hand_too() -> None:
    text = f'[Game "german-solo"]\n[Deal "{GERMAN.replace("K.KQ97.9.A8", "-")}"]'
    assert read(text)[0].deal == Deal.parse(GERMAN, "german-solo")
