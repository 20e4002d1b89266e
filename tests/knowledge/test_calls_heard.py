"""The choices that calls show: the bids a player could make, and the one the player made."""

from __future__ import annotations

from collections.abc import Collection
from itertools import groupby

import pytest

from spadille import Contract, Deal
from spadille.core.knowledge.calls_heard import HeardBidder, HeardChoice, calls_heard
from spadille.core.knowledge.starting_knowledge import Start
from spadille.core.strength.strength_tables import tables_for

GERMAN = Deal.parse("N:AK.AKQ.8.Q7 - - -", "german-solo", dealer="W")
MENSCH = Deal.parse("N:AK87.987.8. - - -", "mensch", dealer="W")
QUADRILLE = Deal.parse("N:K5.K643.KQ.K7 - - -", "quadrille", dealer="W")
OMBRE = Deal.parse("1:AK.Q.J74.KJ7 - -", "ombre", dealer="3")
CLUBS = "CA CK CJ CT C9 C8 C7"
TRUMPS = ["0 solo S", "0 solo H", "0 solo D"]


def options(deal: Deal, offers: dict[str, str]) -> list[str]:
    """Return bids as options: their heights, with the contracts and trumps they may lead to."""
    return [f"{deal.rules.bidding.height(bid)} {offers[bid]}" for bid in offers]


# The bids of German Solo that have a strength table, first if they may be raised, and then if they
# are the last bid. The Color is clubs.
RAISED = {
    "frog": "frog SHDC solo SHDC tout SHDC",
    "frog-color": "frog C solo SHDC tout SHDC",
    "solo": "solo SHDC tout SHDC",
    "solo-color": "solo C tout SHDC",
    "tout": "tout SHDC",
    "tout-color": "tout C",
}
FROG = options(GERMAN, RAISED)
FROG_COLOR, SOLO = FROG[1:], FROG[2:]
LAST = options(
    GERMAN,
    {
        "frog": "frog SHD",
        "frog-color": "frog C",
        "solo": "solo SHD",
        "solo-color": "solo C",
        "tout": "tout SHD",
        "tout-color": "tout C",
    },
)
LAST_SOLO, LAST_TOUT = LAST[2:], LAST[4:]
LEAST_SOLO = GERMAN.rules.bidding.height("solo")  # the least bid with both black queens
# Each bid of Mensch that no other bid must precede, with its contract and its trumps.
MENSCH_BIDS = {
    "half": "half C",
    "five": "five SHDC",
    "six": "six SHDC",
    "seven": "seven SHDC",
    "solo": "solo SHDC",
}
HALF, *HIGHER = options(MENSCH, MENSCH_BIDS)
[AFTER] = options(MENSCH, {"after": "after C"})


def told(choice: HeardChoice) -> list[str]:
    """Return the options with their contracts and trumps, the chosen one with a star."""
    texts = []
    for number, option in enumerate(choice.options):
        words = [str(option.height)]
        for contract, offers in groupby(option.offers, key=lambda offer: offer.contract):
            words += [contract, "".join(offer.trump for offer in offers)]
        texts.append("*" * (number == choice.chosen) + " ".join(words))
    return texts


def chosen(texts: list[str], number: int, least: str = "-1") -> list[str]:
    """Return the options, beginning with a pass, with a star on the one that was taken."""
    every = [least, *texts] if least else texts
    return [f"*{option}" if index == number else option for index, option in enumerate(every)]


def heard(
    deal: Deal, contract: str | Contract, seat: str, calls: str, dealt: bool = False
) -> list[HeardBidder]:
    if isinstance(contract, str):
        contract = Contract.parse(deal, contract)
    found = calls_heard(Start(deal, contract, seat, dealt, "uniform"), calls.split(), None)
    assert found.unheard is None
    return [*found.bidders]


@pytest.mark.parametrize(
    ("deal", "bids", "name"),
    [(GERMAN, RAISED, "RAISED and LAST"), (MENSCH, MENSCH_BIDS, "MENSCH_BIDS")],
    ids=["german-solo", "mensch"],
)
def test_the_bids_with_a_strength_table_are_listed_here(
    deal: Deal, bids: Collection[str], name: str
) -> None:
    """A contract without a strength table is no option, so its bids are not listed."""
    tables = tables_for(deal.rules)
    assert tables is not None
    heard_bids = [bid for bid in deal.rules.bidding.bids if bid.contract in tables.contracts]
    assert [bid.word for bid in heard_bids if bid.over is None] == [*bids], (
        f"in tests/knowledge/test_calls_heard.py, list these bids in {name}, in this order; the "
        "numbers in this file are places in these lists"
    )


def test_the_declarer_comes_first_and_the_own_calls_say_nothing() -> None:
    south, east, west = heard(GERMAN, "S solo H", "N", "Pass Pass solo-H Pass")
    assert [one.seat for one in (south, east, west)] == ["S", "E", "W"]
    assert [one.position for one in (south, east, west)] == [2, 1, 3]
    assert [one.text for one in (south, east, west)] == [
        "South's choice of Solo is",
        "East's pass is",
        "West's pass is",
    ]
    assert {one.exchanged for one in (south, east, west)} == {0}
    assert {one.called for one in (south, east, west)} == {None}


def test_a_choice_among_all_bids_that_were_possible() -> None:
    """A bid may be raised later, so it may also mean any higher one."""
    south, east, west = heard(GERMAN, "S solo H", "N", "Pass Pass solo-H Pass")
    # East passed, and South bid Solo; the contract and its trump are choices, as well.
    assert [told(choice) for choice in east.choices] == [chosen(FROG, 0)]
    assert [told(choice) for choice in south.choices] == [
        chosen(FROG, 3),
        chosen(LAST_SOLO, 0, ""),
        chosen(TRUMPS, 1, ""),
    ]
    # West could only bid over the Solo, with a Solo in Color or a Tout.
    assert [told(choice) for choice in west.choices] == [chosen(SOLO[1:], 0)]
    assert {choice.duty_cards for choice in east.choices} == {("CQ", "SQ")}
    # Both Queens: at least a Solo, unless one was bid.
    assert [choice.least for choice in (*east.choices, *west.choices)] == [
        (-1, -1, LEAST_SOLO),
        (-1, -1, -1),
    ]
    assert [choice.least for choice in south.choices] == [(-1, -1, LEAST_SOLO), (), ()]


def test_the_first_bid_and_the_contract_may_differ() -> None:
    south, *_ = heard(GERMAN, "S solo H", "N", "Pass Pass frog Pass")
    assert [told(choice) for choice in south.choices] == [
        chosen(FROG, 1),
        chosen(LAST, 2, ""),
        chosen(TRUMPS, 1, ""),
    ]
    # A Solo in Color leaves no choice of trumps.
    south, *_ = heard(GERMAN, "S solo C", "N", "Pass Pass solo-color Pass")
    assert [told(choice) for choice in south.choices] == [
        chosen(FROG, 4),
        chosen(LAST_SOLO[1:], 0, ""),
    ]
    # East's Frog in the duel, and South's Solo over it.
    south, east, _ = heard(GERMAN, "S solo H", "N", "Pass frog solo Pass")
    assert (east.text, told(east.choices[0])) == ("East's bid is", chosen(FROG, 1))
    assert told(south.choices[0]) == chosen(FROG_COLOR, 2)


def test_two_calls_of_a_player() -> None:
    deal = Deal.parse("E:AK.AKQ.8.Q7 - - -", "german-solo", dealer="W")
    west, north, _ = heard(deal, "W tout H", "E", "Pass Pass solo solo-color tout Pass")
    assert (west.text, north.text) == ("West's choice of Tout is", "North's calls are")
    assert len(north.choices) == 2
    # As the declarer, North could no longer have played a contract below the last call.
    north, *_ = heard(deal, "N tout H", "E", "Pass Pass solo solo-color tout Pass")
    assert [told(choice) for choice in north.choices][-2:] == [
        chosen(LAST_TOUT, 0, ""),
        chosen(["0 tout S", "0 tout H", "0 tout D"], 1, ""),
    ]


def test_a_contract_whose_trump_is_open() -> None:
    (south,) = heard(GERMAN, Contract(("S",), ("solo",), None), "N", "")
    assert [told(choice) for choice in south.choices] == [chosen(LAST, 3)]


def test_a_contract_without_calls() -> None:
    """South could have passed, or played another contract; a called card is a choice, too."""
    contract = Contract(("S",), ("frog",), "H", "DA", None)
    (south,) = heard(GERMAN, contract, "N", "")
    assert [told(choice) for choice in south.choices] == [
        chosen(LAST, 1),
        chosen(["0 frog S", "0 frog H", "0 frog D"], 1, ""),
    ]
    assert south.called is not None
    offer, card = south.called
    assert (offer.contract, offer.trump, card) == ("frog", "H", "DA")
    assert heard(GERMAN, "N solo H", "N", "") == []
    # Before any exchange, there is no contract yet.
    (east,) = heard(GERMAN, "N solo H", "N", "Pass frog", dealt=True)
    assert (east.seat, told(east.choices[0])) == ("E", chosen(FROG, 1))


def test_bids_that_are_made_once_mean_themselves() -> None:
    contract = Contract(("S",), ("half",), "C", "HA", None)
    south, east, west = heard(MENSCH, contract, "N", "Pass Pass half Pass")
    assert told(south.choices[0]) == chosen([HALF, *HIGHER], 1)
    assert told(east.choices[0]) == chosen([HALF, *HIGHER], 0)
    assert told(west.choices[0]) == chosen([AFTER, *HIGHER], 0)
    # Three clubs: a Half, or After over it.
    assert south.choices[0].duty_cards == tuple(CLUBS.split())
    assert east.choices[0].least == (-1, -1, -1, 0, 0, 0, 0, 0)
    assert west.choices[0].least == (-1, -1, -1, 1, 1, 1, 1, 1)
    (south,) = heard(MENSCH, "S five H", "N", "")
    assert [told(choice)[choice.chosen] for choice in south.choices] == [
        f"*{HIGHER[0]}",
        "*0 five H",
    ]


def test_an_alliance_of_quadrille_may_become_a_solo() -> None:
    """A bidder may name a Vole later, too."""
    solo = ["1 solo SHDC vole SHDC", "2 vole SHDC"]
    alliance = ["0 alliance SHDC solo SHDC vole SHDC", *solo]
    west, east, south = heard(QUADRILLE, "W solo H", "N", "Pass alliance Pass solo-H Pass")
    assert (west.seat, west.position, west.text) == ("W", 3, "West's choice of Solo is")
    assert told(west.choices[0]) == chosen(solo, 1)
    trumps = ["0 solo S", "0 solo H", "0 solo D", "0 solo C"]
    assert told(west.choices[1]) == chosen(trumps, 1, "")
    assert [told(choice) for choice in south.choices] == [chosen(alliance, 0)]
    assert [told(choice) for choice in east.choices] == [chosen(alliance, 1)]


def test_only_a_solo_of_ombre_says_something_of_the_hand_dealt() -> None:
    """In the other contracts, cards may have been exchanged since."""
    (solo,) = heard(OMBRE, "2 solo H", "1", "solo Pass Pass")
    assert (solo.seat, solo.position, solo.text) == ("2", 0, "Player 2's choice of Solo is")
    first, trump = solo.choices
    # No table has a Vuelta: its trump is turned up later.
    assert told(first) == chosen(["0 entrada SHDC solo SHDC", "2 solo SHDC"], 2)
    assert told(trump) == chosen(["0 solo S", "0 solo H", "0 solo D", "0 solo C"], 1, "")
    start = Start(OMBRE, Contract.parse(OMBRE, "2 entrada H"), "1", False, "uniform")
    found = calls_heard(start, ["entrada", "Pass", "Pass"], None)
    assert found.bidders == ()
    assert found.unheard == (
        "The exchange is not recorded, so Player 2's Entrada is not taken into account"
    )


def test_a_game_without_strength_tables() -> None:
    deal = Deal.random("squint", seed=1)
    start = Start(deal, Contract.parse(deal, "3 misere"), "1", False, "uniform")
    found = calls_heard(start, ["misere", "Pass", "Pass", "Pass", "Pass"], None)
    name = deal.rules.game.name
    assert found.bidders == ()
    assert (
        found.unheard
        == f"There are no strength tables for {name}, so the bids are not taken into account"
    )
