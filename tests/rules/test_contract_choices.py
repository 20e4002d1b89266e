"""The trump, called card, partner and declarers of a contract, as the rules and the deal allow."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.table import table
from spadille.analysis.value.solve import solve
from spadille.base.card_text import parse_cards
from spadille.base.errors import ArgumentError, ContractError, RulesError
from spadille.core.contract import NOBODY, Contract, first_leader
from spadille.core.deal import Deal
from spadille.core.validate import contract_findings
from spadille.games import GAMES, rules_for
from tests.support.deals_and_outcomes import random_deal


def _deal(name: str, options: str = "", **changes: object) -> Deal:
    deal = random_deal(rules_for(name, options), Random(7))
    return replace(deal, **changes)  # type: ignore[arg-type]


# Trumps


@pytest.mark.parametrize(
    ("name", "contract", "current", "trumps"),
    [
        ("mensch", "half", None, "C"),
        ("mensch", "pass-out", None, "S H D C"),
        ("solo-whist", "solo", "D", "D"),
        ("solo-whist", "misere", "D", "NT"),
        ("solo-whist", "abundance", "D", "S H C"),
        ("solo-whist", "abundance-trumps", "D", "D"),
        ("solo-whist", "solo", None, "S H D C"),
        ("solo-whist", "abundance", None, "S H D C"),
        ("anna-cubed", "prop-cop", "NT", "NT"),
        ("anna-cubed", "solo", "NT", "NT"),
        ("anna-cubed", "abundance-trumps", "NT", "NT"),
        ("anna-cubed", "abundance", "NT", "S H D C"),
        ("anna-cubed", "abundance", "H", "S H D C"),
        ("anna-cubed", "solo", None, "H C D S NT"),
        ("squint", "ace-solo", None, "NT"),
        ("squint", "nemo", None, "NT"),
        ("squint", "duo", None, "S H D C"),
        ("german-solo", "tout", None, "S H D C"),
    ],
)
def test_allowed_trumps(name: str, contract: str, current: str | None, trumps: str) -> None:
    deal = _deal(name, current_trump=current)
    kind = deal.rules.contract(contract)
    assert deal.rules.allowed_trumps(kind, deal) == tuple(trumps.split())


@pytest.mark.parametrize("name", ["solo-whist", "anna-cubed"])
def test_abundance_declared_may_have_a_trump(name: str) -> None:
    kept = _deal(name)
    assert Contract.make(kept, "abundance-declared", "N").trump == "NT"
    named = _deal(name, "declared_trump=suit")
    assert Contract.make(named, "abundance-declared", "N", trump="S").trump == "S"
    with pytest.raises(ContractError, match="trump"):
        Contract.make(named, "abundance-declared", "N")


def test_vuelta_takes_the_suit_of_the_top_talon_card() -> None:
    deal = _deal("ombre")
    assert Contract.make(deal, "vuelta", "2").trump == deal.talon[0][0]
    spadille_on_top = replace(deal, talon=("SA", "H4"))
    assert Contract.make(spadille_on_top, "vuelta", "2").trump == "S"
    with pytest.raises(ContractError) as caught:
        Contract.make(spadille_on_top, "vuelta", "2", trump="H")
    assert caught.value.code == "trump-not-allowed"
    unordered = replace(deal, talon_ordered=False)
    assert Contract.make(unordered, "vuelta", "2", trump="H").trump == "H"


def test_abundance_may_not_use_the_current_trump() -> None:
    deal = _deal("solo-whist", current_trump="H")
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, "abundance", "N", trump="H")
    assert caught.value.code == "trump-not-allowed"
    assert "S D C" in str(caught.value)


def test_trumps_and_plain_kings_are_worth_keeping_in_ombre() -> None:
    rules = rules_for("ombre")
    assert rules.keepers("D") == (*rules.trump_cards("D"), "SK", "HK", "CK")
    assert "DK" in rules.trump_cards("D")


def test_a_trump_is_text() -> None:
    rules = rules_for("ombre")
    assert rules.matadors("S") == ("SA", "S2", "CA")
    assert rules.matadors(None) == ()
    with pytest.raises(ArgumentError, match="trump must be text, not 5"):
        rules.matadors(5)  # type: ignore[arg-type]


# Called cards


def test_mensch_calls_in_a_suit_he_holds() -> None:
    rules = rules_for("mensch")
    hand = parse_cards("SA SK D9 D8 C7 CT CQ C8")
    # The hand has no heart and clubs are trumps: spades and diamonds, without its own cards.
    assert rules.callable_cards("C", hand) == parse_cards("SQ SJ ST S9 S8 S7 DA DK DQ DJ DT D7")
    narrow = rules_for("mensch", "call_rank=ace-then-king")
    assert narrow.callable_cards("C", hand) == ("DA",)
    assert narrow.callable_cards("C", parse_cards("SA S9 CA CK CJ CT C9 C8")) == ("SK",)
    both = parse_cards("SA SK CA CK CJ CT C9 C8")
    assert narrow.callable_cards("C", both) == parse_cards("SQ SJ ST S9 S8 S7")


def test_mensch_with_the_ace_of_every_suit_asks_for_another_card() -> None:
    """The rules say: he "must ask for some other card - generally a King"."""
    rules = rules_for("mensch", "call_rank=ace-then-any")
    # One Ace is missing in a suit of the hand, so an Ace must be called.
    assert rules.callable_cards("C", parse_cards("SA SK D9 D8 C7 CT CQ C8")) == ("DA",)
    # The Ace of hearts is missing, too, but the hand has no heart.
    hand = parse_cards("SA SK DA D8 C7 CT CQ C8")
    others = parse_cards("SQ SJ ST S9 S8 S7 DK DQ DJ DT D9 D7")
    assert rules.callable_cards("C", hand) == others


@pytest.mark.parametrize("value", GAMES["mensch"].options["call_rank"].values)
def test_mensch_plays_alone_only_where_no_card_can_be_called(value: str) -> None:
    """With any option, a caller with a suit that lacks a card cannot play alone."""
    rules, anything = rules_for("mensch", {"call_rank": value}), rules_for("mensch")
    random = Random(value)
    for _ in range(300):
        trump = random.choice("SHDC")
        # Lopsided hands: only these can hold all Aces, or whole suits.
        cards = sorted(rules.deck, key=lambda card: (card[0] != trump) * random.random() * 3)
        best = sorted(cards[:14], key=lambda card: "AKQJT987".index(card[1]))
        hand = best[:8]
        found = rules.callable_cards(trump, hand)
        assert {*found} <= {*anything.callable_cards(trump, hand)}
        assert bool(found) == bool(anything.callable_cards(trump, hand))
    # Nothing is missing in the only plain suit of the hand.
    assert rules.callable_cards("C", parse_cards("SA SK SQ SJ ST S9 S8 S7")) == ()


def test_mensch_cq_is_no_club_to_call_in() -> None:
    rules = rules_for("mensch")
    hand = parse_cards("CQ H7 HA HK HQ HJ HT S9")
    assert all(card[0] == "S" for card in rules.callable_cards("H", hand))
    assert rules.callable_cards("H", parse_cards("CQ H7 HA HK HQ HJ HT H9")) == ()


def test_german_solo_calls_any_plain_card_he_lacks() -> None:
    hand = parse_cards("CQ S7 SA HA DA CA H8 H7")
    rules = rules_for("german-solo")
    found = rules.callable_cards("S", hand)
    assert len(found) == 23 - 5  # all plain cards outside the hand
    assert not {"SQ", "CQ", "S7", "SK"} & set(found)
    assert rules_for("german-solo", "call_rank=ace-only").callable_cards("S", hand) == ()
    either = rules_for("german-solo", "call_rank=ace-or-king")
    assert either.callable_cards("S", hand) == ("HK", "DK", "CK")
    assert either.callable_cards("S", hand[:3]) == ("HA", "HK", "DA", "DK", "CA", "CK")


@pytest.mark.parametrize("name", ["quadrille", "quintille"])
def test_quadrille_calls_plain_kings_and_queens(name: str) -> None:
    free = rules_for(name)
    narrow = rules_for(name, "call_rank=queen-only-with-all-kings")
    hand = ["HK", "DQ"]
    assert free.callable_cards("S", hand) == ("HQ", "DK", "CK", "CQ")
    assert narrow.callable_cards("S", hand) == ("DK", "CK")
    kings = ["HK", "DK", "CK", "DQ"]
    assert narrow.callable_cards("S", kings) == ("HQ", "CQ")
    assert free.callable_cards("S", [*kings, "HQ", "CQ"]) == ()


def test_forced_spadille_calls_before_trumps_are_named() -> None:
    """RULES 6: so the called card may turn out to be a trump."""
    for name in ("quadrille", "quintille"):
        free = rules_for(name)
        narrow = rules_for(name, "call_rank=queen-only-with-all-kings")
        forced = free.contract("forced-spadille")
        hand = ["SA", "HK", "DQ", "DK", "CK"]
        assert free.callable_cards("S", hand, forced) == ("SK", "SQ", "HQ", "CQ")
        assert free.callable_cards("S", hand, free.contract("alliance")) == ("HQ", "CQ")
        # All four Kings count, including one that is a trump.
        assert narrow.callable_cards("S", hand, forced) == ("SK",)
        assert narrow.callable_cards("S", hand, narrow.contract("alliance")) == ("HQ", "CQ")
        assert narrow.callable_cards("S", [*hand, "SK"], forced) == ("SQ", "HQ", "CQ")


def test_a_called_card_that_turns_out_to_be_a_trump() -> None:
    deal = random_deal(rules_for("quadrille"), Random(5))
    caller = deal.holder("SA")
    assert caller is not None
    for card in ("SK", "SQ", "HK", "HQ"):
        holder = deal.holder(card)
        if holder == caller:
            continue
        contract = Contract.make(deal, "forced-spadille", caller, card[0], card)
        assert contract.partner == holder
        with pytest.raises(ContractError) as caught:
            Contract.make(deal, "alliance", caller, card[0], card)
        assert caught.value.code == "called-trump"
        found = solve(deal, contract)
        other = Contract((caller,), ("alliance",), card[0], partner=holder)
        assert found.tricks == solve(deal, other).tricks
        rows = [row for row in table(deal, ["forced-spadille"]).rows if row.trump == card[0]]
        assert (caller, card, holder, found.tricks) in [
            (row.declarer, row.called, row.partner, row.tricks) for row in rows
        ]
        offers = best(deal, ["forced-spadille"], calls=True).seats[caller]
        assert offers


def _mensch(options: str = "") -> Deal:
    # N: SA; HA HK HT H7 no D; CJ C8 C7.  Full 32 cards.
    return Deal.parse(
        "N:A.AKT7..J87 KQJ.QJ9.A.9 T98.8.KQJ.A 7..T987.KQT", "mensch", dealer="W", options=options
    )


def test_called_card_fixes_the_partner() -> None:
    deal = _mensch()
    contract = Contract.make(deal, "half", "N", called="SK")
    assert contract == Contract(("N",), ("half",), "C", called="SK", partner="E")
    assert contract.side == {"N", "E"}
    assert Contract.make(deal, "half", "N", called="SK", partner="E") == contract
    assert first_leader(deal, contract) == "N"


@pytest.mark.parametrize(
    ("contract", "arguments", "code"),
    [
        ("half", {"declarer": "N"}, "called-missing"),
        ("half", {"declarer": "N", "called": "CK"}, "called-trump"),
        ("half", {"declarer": "N", "called": "CQ"}, "called-trump"),
        ("half", {"declarer": "N", "called": "HA"}, "called-held"),
        ("half", {"declarer": "N", "called": "DA"}, "called-suit-not-held"),
        ("half", {"declarer": "N", "called": "S2"}, "called-not-in-deck"),
        ("half", {"declarer": "N", "called": "SK", "partner": "S"}, "partner-contradicts-called"),
        ("half", {"declarer": "N", "called": "SK", "trump": "H"}, "trump-not-allowed"),
        ("half", {"called": "SK"}, "declarer-missing"),
        ("half", {"declarer": "N E", "called": "SK"}, "declarer-count"),
        ("half after", {"declarer": "N E", "called": "SK"}, "declarer-count"),
        ("quarter", {"declarer": "N"}, "contract-unknown"),
        ("", {"declarer": "N"}, "contract-missing"),
        ("five", {"declarer": "N"}, "trump-missing"),
        ("five", {"declarer": "N", "trump": "NT"}, "trump-not-allowed"),
        ("five", {"declarer": "N", "trump": "H", "called": "SK"}, "called-unexpected"),
        ("five", {"declarer": "N", "trump": "H", "partner": "S"}, "partner-unexpected"),
        ("five", {"declarer": "N", "trump": "H", "penalty": "S"}, "penalty-unexpected"),
        ("pass-out", {"declarer": "N", "trump": "H", "called": "SK"}, "declarer-not-holder"),
    ],
)
def test_contracts_that_cannot_be(contract: str, arguments: dict[str, str], code: str) -> None:
    with pytest.raises(ContractError) as caught:
        Contract.make(_mensch(), contract, **arguments)
    assert caught.value.code == code


def test_a_declarer_without_a_seat_in_the_game() -> None:
    with pytest.raises(RulesError) as caught:
        Contract.make(_mensch(), "half", "X", called="SK")
    assert caught.value.code == "seat-unknown"


def test_call_rank_is_checked() -> None:
    with pytest.raises(ContractError) as caught:
        Contract.make(_mensch("call_rank=ace-then-king"), "half", "N", called="SQ")
    assert caught.value.code == "called-rank"


@pytest.mark.parametrize("called", ["SA", "CA", "C6"])
def test_in_an_end_position_too_only_some_ranks_may_be_called(called: str) -> None:
    deal = Deal.parse("N:J..65. 6.2..A A7...6 K..KJ.", "quadrille", leader="N")
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, "forced-spadille", "W", trump="H", called=called)
    assert caught.value.code == "called-rank"


def test_a_caller_who_can_call_nothing_plays_alone() -> None:
    deal = Deal.parse("N:...AKQJT987 AKQJ.AKQ.A. T987.JT9.8. .87.KQJT97.", "mensch")
    # Nothing but trumps: the hand has no suit to call in.
    alone = Contract.make(deal, "half", "N")
    assert alone.partner is None
    assert alone.side == {"N"}
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, "half", "N", partner="S")
    assert caught.value.code == "partner-invalid"


GERMAN = "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"


def test_a_frog_may_be_played_alone() -> None:
    deal = Deal.parse(GERMAN, "german-solo")
    alone = Contract.make(deal, "frog", "E", "D", NOBODY)
    assert alone == Contract(("E",), ("frog",), "D")
    assert contract_findings(deal, Contract(("E",), ("frog",), "D", NOBODY)) == []
    for called, partner, code in ((None, None, "called-missing"), ("-", "S", "partner-invalid")):
        with pytest.raises(ContractError) as caught:
            Contract.make(deal, "frog", "E", "D", called, partner)
        assert caught.value.code == code
    with pytest.raises(ContractError, match="needs a called card") as caught:
        Contract.make(_mensch(), "half", "N", called=NOBODY)  # only a Frog allows this choice
    assert caught.value.code == "called-missing"
    assert Contract.make(deal, "solo", "E", "D", NOBODY) == Contract(("E",), ("solo",), "D")


def test_a_trump_may_be_called() -> None:
    deal = Deal.parse(GERMAN, "german-solo", options="call_trumps=yes")
    for card, holder in (("D7", "S"), ("SQ", "S"), ("DQ", "N"), ("HA", "S")):
        assert Contract.make(deal, "frog", "E", "D", card).partner == holder
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, "frog", "E", "D", "CQ")
    assert caught.value.code == "called-held"
    hand = deal.hands["E"] or ()
    plain = rules_for("german-solo").callable_cards("D", hand)
    trumps = deal.rules.suits("D")["D"]
    every = deal.rules.callable_cards("D", hand)
    assert [card for card in every if card not in trumps] == list(plain)
    assert {card for card in every if card in trumps} == {*trumps} - {*hand}
    aces = rules_for("german-solo", "call_trumps=yes;call_rank=ace-only")
    assert aces.callable_cards("S", hand) == ("SA", "HA", "CA")


def test_partner_of_an_unknown_hand() -> None:
    one = Deal.parse("N:A.AKT7..J87 KQJ.QJ9.A.9 T98.8.KQJ.A -", "mensch")
    assert Contract.make(one, "half", "N", called="S7").partner == "W"
    two = Deal.parse("N:A.AKT7..J87 KQJ.QJ9.A.9 - -", "mensch")
    assert Contract.make(two, "half", "N", called="S7", partner="S").partner == "S"
    with pytest.raises(ContractError) as caught:
        Contract.make(two, "half", "N", called="S7")
    assert caught.value.code == "partner-missing"


def test_end_positions_take_the_partner_from_the_tag() -> None:
    deal = Deal.parse("N:A...J KQ... T..K. ..T.K", "mensch", leader="S", won={"N": 4, "E": 2})
    assert deal.is_ending
    assert deal.undealt == ()
    contract = Contract.make(deal, "half", "N", called="HQ", partner="E")
    assert contract.partner == "E"
    assert first_leader(deal, contract) == "S"
    assert Contract.make(deal, "half", "N", called="SK").partner == "E"
    # The Mensch has been played, so its holder can no longer be seen.
    assert Contract.make(deal, "pass-out", "N", trump="C", called="SK").partner == "E"


def test_leads() -> None:
    mensch = _mensch()
    assert mensch.dealer == "W"
    assert first_leader(mensch, Contract.make(mensch, "five", "S", trump="H")) == "N"
    assert first_leader(mensch, Contract.make(mensch, "solo", "S", trump="H")) == "S"
    whist = replace(_deal("solo-whist"), dealer="N")
    assert first_leader(whist, Contract.make(whist, "misere", "S")) == "E"
    assert first_leader(whist, Contract.make(whist, "abundance-declared", "S")) == "S"
    quadrille = replace(_deal("quadrille"), dealer="N")
    assert first_leader(quadrille, Contract.make(quadrille, "solo", "S", trump="H")) == "W"
    ombre = replace(_deal("ombre"), dealer="1")
    assert first_leader(ombre, Contract.make(ombre, "solo", "2", trump="H")) == "3"


# Partners, soloists, Nemo


def test_partnerships_need_a_partner() -> None:
    deal = _deal("solo-whist", current_trump="S")
    assert Contract.make(deal, "prop-cop", "N", partner="E").side == {"N", "E"}
    for partner in (None, "N"):
        with pytest.raises(ContractError, match="partner"):
            Contract.make(deal, "prop-cop", "N", partner=partner)
    for seats in ({"partner": "X"}, {"partner": "E", "trump_by": "X"}):
        with pytest.raises(RulesError, match="'X' is not a seat in Solo Whist: N E S W"):
            Contract.make(deal, "prop-cop", "N", **seats)


def test_several_soloists() -> None:
    deal = _deal("squint")
    contract = Contract.make(deal, "ace-solo misere", "1 3")
    assert contract == Contract(("1", "3"), ("ace-solo", "misere"), "NT")
    assert contract.side == {"1", "3"}
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, ("ace-solo", "misere"), ("1", "1"))
    assert caught.value.code == "declarer-duplicate"
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, ("ace-solo", "solo"), ("1", "2"))
    assert caught.value.code == "declarer-count"


def test_nemo_makes_everybody_a_contractor() -> None:
    deal = _deal("squint")
    contract = Contract.make(deal, "nemo", "3", penalty="H")
    assert contract.declarers == ("1", "2", "3", "4", "5")
    assert set(contract.ids) == {"nemo"}
    assert (contract.trump, contract.penalty) == ("NT", "H")
    assert Contract.make(deal, "nemo", penalty="H") == contract
    for penalty in (None, "NT"):
        with pytest.raises(ContractError, match="penalty"):
            Contract.make(deal, "nemo", penalty=penalty)
