"""The contracts that a seat can choose on its own hand, after the calls it has heard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import pytest

from spadille import Contract, Deal
from spadille.analysis.chances.choosable_contracts import choosable, heard
from spadille.analysis.chances.contract_chances import _known_as_dealt
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.contracts.contracts_to_solve import WantedContracts
from spadille.core.recorded_auction import Auction, read_auction

UNKNOWN_BIDDERS = "the other bidders of its suit are unknown"
NO_AUCTION = "no legal auction leads to it"


def chosen(
    deal: Deal,
    seat: str,
    calls: str = "",
    trumps: str | None = None,
    contracts: Iterable[str] | None = None,
) -> tuple[list[Contract], dict[str, str]]:
    types = [deal.rules.contract(name) for name in contracts or deal.rules.contracts]
    auction = read_auction(calls)
    known = _known_as_dealt(deal, seat, auction, Drawing())
    wanted = WantedContracts.of(deal.rules, [seat], trumps)
    return choosable(known, types, wanted, auction)


GERMAN = ("frog", "solo", "tout")  # the contracts of German Solo that are compared


def count(contracts: list[Contract]) -> dict[str, int]:
    """Return the number of contracts of each kind."""
    return dict(Counter(contract.ids[0] for contract in contracts))


def blind(deal: Deal, seat: str) -> Deal:
    hands = {other: hand if other == seat else None for other, hand in deal.hands.items()}
    return replace(deal, hands=hands, talon=(), talon_ordered=False)


@pytest.mark.first_cases(1)
@pytest.mark.parametrize(
    ("game", "seat"),
    [
        ("mensch", "N"),
        ("german-solo", "E"),
        ("ombre", "2"),
        ("quadrille", "S"),
        ("quintille", "3"),
        ("solo-whist", "W"),
        ("squint", "4"),
        ("anna-cubed", "N"),
    ],
)
def test_the_choice_depends_on_the_own_hand_alone(game: str, seat: str) -> None:
    deal = Deal.random(game, 1)
    contracts, _ = chosen(deal, seat)
    assert chosen(blind(deal, seat), seat) == chosen(deal, seat)
    assert len({*contracts}) == len(contracts) > 0
    assert all(seat in contract.declarers for contract in contracts)


def test_every_card_that_may_be_called_is_a_choice() -> None:
    deal = Deal.random("german-solo", 1, dealer="W")
    contracts, reasons = chosen(deal, "N", contracts=GERMAN)
    assert reasons == {}
    assert count(contracts) == {"frog": 69, "solo": 4, "tout": 4}
    hand = deal.hands["N"] or ()
    expected = {
        (trump, card) for trump in "SHDC" for card in deal.rules.callable_cards(trump, hand)
    }
    found = {(one.trump, one.called) for one in contracts if one.ids == ("frog",) and one.called}
    assert found == expected
    assert {one.partner for one in contracts if one.called} == {None}


@pytest.mark.parametrize(
    ("seat", "calls", "expected", "reasons"),
    [
        ("N", "", {"frog": 69, "solo": 4, "tout": 4}, set()),
        ("E", "frog", {"frog": 16, "solo": 4, "tout": 4}, set()),  # a Frog in Color
        ("S", "frog solo", {"solo": 1, "tout": 4}, {"frog"}),
        # North may hold, so it has heard the Solo. Afterwards, only the calls before its own count.
        ("N", "frog solo", {"solo": 4, "tout": 4}, {"frog"}),
        ("N", "frog solo Pass Pass", {"frog": 69, "solo": 4, "tout": 4}, set()),
        ("N", "frog Pass", {"frog": 69, "solo": 4, "tout": 4}, set()),
        ("E", "Pass frog Pass", {"frog": 66, "solo": 4, "tout": 4}, set()),
    ],
)
def test_contracts_must_be_bid_over_those_heard(
    seat: str, calls: str, expected: dict[str, int], reasons: set[str]
) -> None:
    deal = Deal.random("german-solo", 1, dealer="W")
    contracts, left_out = chosen(deal, seat, calls, contracts=GERMAN)
    assert count(contracts) == expected
    assert left_out == dict.fromkeys(reasons, NO_AUCTION)


@pytest.mark.parametrize(
    ("seat", "calls", "partners"),
    [("N", "", "ESW"), ("E", "prop", "N"), ("S", "prop cop", ""), ("S", "", "NEW")],
)
def test_the_seat_is_the_declarer_of_a_pair(seat: str, calls: str, partners: str) -> None:
    contracts, left_out = chosen(Deal.random("solo-whist", 1, dealer="W"), seat, calls)
    pairs = [contract for contract in contracts if contract.ids == ("prop-cop",)]
    assert {contract.declarers for contract in contracts} == {(seat,)}
    assert sorted(contract.partner or "" for contract in pairs) == sorted(partners)
    assert left_out == ({} if partners else {"prop-cop": NO_AUCTION})
    # All other contracts are played alone.
    assert {one.partner for one in contracts if one.ids != ("prop-cop",)} == {None}


def test_a_trump_that_is_turned_up_is_not_chosen() -> None:
    deal = Deal.random("ombre", 1)
    contracts, left_out = chosen(deal, "1")
    assert (count(contracts), left_out) == ({"entrada": 4, "vuelta": 4, "solo": 4}, {})
    contracts, left_out = chosen(deal, "1", trumps="H")
    assert {contract.trump for contract in contracts} == {"H"}
    assert count(contracts) == {"entrada": 1, "solo": 1}
    assert left_out == {"vuelta": "its trump is turned up, not chosen"}


def test_contracts_that_bid_cards_may_bring_about() -> None:
    deal = Deal.random("squint", 1)
    contracts, left_out = chosen(deal, "1")
    assert count(contracts) == {"solo": 4, "nemo": 4, "misere": 1, "grand-solo": 1}
    assert left_out == {"duo": UNKNOWN_BIDDERS}


@pytest.mark.parametrize(
    ("number", "expected"),
    [(1, set()), (2, {"misere", "grand-solo", "solo"})],
)
def test_cards_drawn_must_fit_the_contract(number: int, expected: set[str]) -> None:
    """A soloist draws two cards, and in Nemo everybody draws."""
    deal = Deal.random("squint", 1)
    contracts, left_out = chosen(replace(deal, drawn={"1": deal.talon[:number]}), "1")
    assert {*count(contracts)} == expected
    cards = "1 card" if number == 1 else "2 cards"
    others = {"ace-solo", "misere", "grand-solo", "solo", "nemo"}
    drawn = {"nemo"} if number == 2 else others
    reason = f"no single player draws {cards} in it"
    assert left_out == {"duo": UNKNOWN_BIDDERS, **dict.fromkeys(drawn, reason)}


@pytest.mark.parametrize(
    ("calls", "seat", "before"),
    [
        (("Pass", "frog", "Pass", "Pass"), "N", 0),
        (("Pass", "frog", "Pass", "Pass"), "E", 1),
        (("Pass", "frog", "Pass", "Pass"), "S", 2),
        (("Pass", "frog", "Pass", "Pass"), "W", 3),
        (("Pass", "frog"), "S", 0),  # South has not called yet
    ],
)
def test_a_seat_has_heard_the_calls_before_its_last(
    calls: tuple[str, ...], seat: str, before: int
) -> None:
    deal = Deal.parse(
        "N:AK.AK.AK.A7 QJ.QJ.QJ.KJ T9.T9.T9.T9 87.87.87.Q8", "german-solo", dealer="W"
    )
    assert heard(deal, seat, Auction(calls, "N")) == Auction(calls[:before], "N")


def test_the_cards_of_bids_are_shown_together() -> None:
    deal = Deal.random("squint", 1, dealer="5")
    cards = tuple((deal.hands[seat] or ())[0] for seat in "12345")
    assert heard(deal, "3", Auction(cards, "1")) == Auction((), "1")
