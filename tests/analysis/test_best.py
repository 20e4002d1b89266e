"""The best contracts of all seats, compared with solving every contract separately."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from click.testing import CliRunner

from spadille.analysis.contracts.best import best, best_many
from spadille.analysis.contracts.best_result import Offer, Rank
from spadille.analysis.value.secured_payoff import Secured
from spadille.analysis.value.solve import solve
from spadille.base.card_text import NO_TRUMP, SUITS
from spadille.base.errors import ContractError, DealError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.games.model.contract_types_and_options import Outcome
from spadille.render.results.best import tables
from spadille.search.engine import Solver
from spadille.search.limits import Limits
from spadille_cli import main
from tests.support.deals_and_outcomes import random_deal
from tests.support.random_endings import ending
from tests.support.tiers import part, tries


def contracts(deal: Deal, names: list[str]) -> Iterator[Contract]:
    """Return every contract the rules allow on a deal, found by trying each."""
    rules = deal.rules
    for kind in map(rules.contract, names):
        helpers: list[dict[str, str]] = [{}]
        if kind.side == "partner" or (kind.side == "called" and deal.is_ending):
            helpers = [{"partner": seat} for seat in rules.seats]
        elif kind.side == "called":
            helpers += [{"called": card} for card in rules.deck]
        elif kind.aim == "nemo":
            helpers = [{"penalty": suit} for suit in SUITS]
        for seat in rules.seats[:1] if kind.side == "all" else rules.seats:
            for trump in (*SUITS, NO_TRUMP):
                for helper in helpers:
                    try:
                        yield Contract.make(deal, kind.id, seat, trump, **helper)
                    except ContractError:
                        continue


def least(deal: Deal, contract: Contract, secured: Secured) -> int:
    """Return what the declarer is sure of; equal results may differ in the partner's share."""
    seat, other = contract.declarer, next(s for s in deal.rules.seats if s not in contract.side)
    assert secured.score is not None
    assert secured.tricks is not None
    shares = [secured.score[seat]]
    if contract.partner is not None and secured.outcome is None:
        for tricks in range(secured.tricks[0], secured.tricks[1] + 1):
            split = dict.fromkeys(deal.rules.seats, 0)
            split |= {seat: tricks, other: deal.rules.game.hand_size - tricks}
            score = deal.rules.score(deal, contract, Outcome(split))
            if sum(score[member] for member in contract.side) == secured.payoff:
                shares.append(score[seat])
    return min(shares)


def expected(deal: Deal, names: list[str]) -> dict[tuple[str, str], int]:
    """Return the best result that each seat can be sure of in each contract."""
    solver = Solver()
    found: dict[tuple[str, str], int] = {}
    for contract in contracts(deal, names):
        result = solve(deal, contract, objective="score", solver=solver)
        if len(contract.declarers) > 1:
            paid = dict(result.guarantees or {})
        else:
            assert result.secured is not None
            assert result.secured.payoff is not None
            paid = {contract.declarer: least(deal, contract, result.secured)}
        for seat, payoff in paid.items():
            assert payoff is not None
            key = seat, contract.ids[0]
            found[key] = max(found.get(key, payoff), payoff)
    return found


def paid(deal: Deal, names: list[str]) -> dict[tuple[str, str], int | None]:
    found = best(deal, names, every=True)
    for seat, offers in found.seats.items():
        payoffs = [offer.payoff or 0 for offer in offers]
        assert payoffs == sorted(payoffs, reverse=True)
        assert all(offer.declarer == seat for offer in offers)
    return {
        (seat, offer.contract): offer.payoff
        for seat, offers in found.seats.items()
        for offer in offers
    }


@pytest.mark.first_cases(1)
@pytest.mark.parametrize("game", GAMES)
def test_endings(game: str) -> None:
    rules = rules_for(game)
    random = Random(game)
    for _ in range(tries(1, 4)):
        deal = ending(rules, random.choice(SUITS), random)
        names = [name for name in rules.contracts if name != "nemo"]
        assert paid(deal, names) == expected(deal, names)
        if "nemo" in rules.contracts:
            # An end position does not record which tricks were clean.
            deal = replace(deal, won={})
            assert paid(deal, ["nemo"]) == expected(deal, ["nemo"])


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("mensch", ""),
        ("german-solo", "called_card_duty=first-lead;call_rank=ace-or-king"),
        pytest.param("quintille", "declared_vole_fail=as-remise", marks=pytest.mark.ci),
        pytest.param("german-solo", "matador_rule=higher-only", marks=pytest.mark.ci),
        pytest.param("quadrille", "", marks=pytest.mark.ci),
    ],
)
def test_whole_deals(game: str, options: str) -> None:
    deal = random_deal(rules_for(game, options), Random(game))
    names = list(deal.rules.contracts)
    assert paid(deal, names) == expected(deal, names)


def german_solos(number: int) -> list[Deal]:
    random = Random(9)
    rules = rules_for("german-solo")
    return [random_deal(rules, random) for _ in range(number)]


@pytest.mark.ci
def test_an_offer_says_what_to_choose() -> None:
    for deal in german_solos(5):
        for offers in best(deal).seats.values():
            for offer in offers:
                contract = Contract.make(
                    deal, offer.contract, offer.declarer, offer.trump, offer.called
                )
                assert contract.partner == offer.partner
                result = solve(deal, contract, objective="score")
                assert result.secured is not None
                assert (result.secured.score or {})[offer.declarer] == offer.payoff
                assert result.makes == offer.makes


@pytest.mark.ci
def test_the_payoff_with_each_card_to_call() -> None:
    deal = german_solos(1)[0]
    found = best(deal, ["frog"], calls=True)
    for seat, [offer] in found.seats.items():
        cards = deal.rules.callable_cards(offer.trump, deal.hands[seat] or ())
        assert sorted(call.called or "" for call in offer.calls) == sorted(cards)
        assert offer.calls[0].payoff == offer.payoff
        for call in offer.calls:
            contract = Contract.make(deal, "frog", seat, offer.trump, call.called)
            assert contract.partner == call.partner
            score = solve(deal, contract, objective="score").secured
            assert score is not None
            assert score.score is not None
            assert score.score[seat] == call.payoff
    assert all(not offer.calls for offers in best(deal).seats.values() for offer in offers)


def makes_bid(deal: Deal, seat: str, rank: Rank) -> bool:
    """Return whether any contract of the bid makes, trying each contract in turn."""
    kind = deal.rules.contract(rank.contract)
    in_color = bool(rank.bid and rank.bid.endswith("-color"))
    trumps = [suit for suit in SUITS if (suit == "C") == in_color]
    for trump in trumps:
        cards: list[str | None] = [None]
        if kind.side == "called":
            cards = [*deal.rules.callable_cards(trump, deal.hands[seat] or ())]
        for card in cards:
            contract = Contract.make(deal, kind.id, seat, trump, card)
            if solve(deal, contract, objective="score").makes:
                return True
    return False


@pytest.mark.ci
def test_the_ranking_of_bids() -> None:
    words = {"S": ("frog", 0), "C": ("frog-color", 1)}
    for deal in german_solos(tries(4, 8)):
        found = best(deal)
        offers = [offer for each in found.seats.values() for offer in each]
        for offer in offers:
            if offer.contract == "frog":
                word = words.get(offer.trump, words["S"])
                assert (offer.bid, offer.height) == word
        # All others pass, so a seat could have played whatever it makes.
        made = [offer.height for offer in offers if offer.makes]
        assert (found.highest.height if found.highest else -1) == max(made, default=-1)
        assert [rank.bid for rank in found.ranking] == [
            bid.word for bid in deal.rules.game.bidding.bids
        ]
        # Check every bid, not only the bid of the best trump.
        for rank in found.ranking:
            # The holder of both black queens must bid a Solo, so nobody can play a Frog.
            queens = any({"CQ", "SQ"} <= {*(hand or ())} for hand in deal.hands.values())
            excluded = queens and rank.contract == "frog"
            seats = () if excluded else deal.rules.seats
            makes = {seat for seat in seats if makes_bid(deal, seat, rank)}
            assert set(rank.makes) == makes
    deal = random_deal(rules_for("quadrille"), Random(1))
    falls = [
        (offer.bid, offer.height)
        for offers in best(deal).seats.values()
        for offer in offers
        if offer.contract == "forced-spadille"
    ]
    assert falls == [(None, -1)]


def test_no_bids_in_color_where_no_suit_is() -> None:
    for options, bids in (("", ["tout", "tout-color"]), ("color=none", ["tout"])):
        deal = random_deal(rules_for("german-solo", options), Random(1))
        found = best(deal, ["tout"])
        assert [rank.bid for rank in found.ranking] == bids
        assert {offer.bid for offers in found.seats.values() for offer in offers} <= {*bids}


@pytest.mark.ci
def test_threads_and_errors() -> None:
    deals = german_solos(4)
    unknown = replace(deals[1], hands={**deals[1].hands, "N": None})
    asked = [deals[0], unknown, *deals[2:]]
    alone = [found if isinstance(found, Exception) else found.seats for found in best_many(asked)]
    assert isinstance(alone[1], DealError)
    found = [
        found if isinstance(found, Exception) else found.seats
        for found in best_many(asked, threads=2)
    ]
    assert found[0] == alone[0]
    assert found[2:] == alone[2:]


def test_a_misere_that_is_too_hard_has_bounds() -> None:
    deal = random_deal(rules_for("solo-whist"), Random(5))
    offers = [
        offer for [offer] in best(deal, ["misere"], limits=Limits(hard_nodes=1)).seats.values()
    ]
    assert (None, (-6, 6), None) in [(each.payoff, each.bounds, each.makes) for each in offers]


def test_nemo_is_left_out_where_an_ending_hides_which_tricks_were_clean() -> None:
    deal = ending(rules_for("squint"), "S", Random(3))
    assert {seat for seat, won in deal.won.items() if won} == set("1235")
    found = best(deal)
    nemo = {seat for seat, own in found.seats.items() if "nemo" in [one.contract for one in own]}
    assert nemo == {"4"}
    assert set(found.left_out) == {f"{seat} nemo {suit}" for seat in "1235" for suit in "SHDC"}
    (note,) = found.notes()
    assert str(found).endswith(f"\n{note}")
    assert [*tables(found)][-1].rows == [(note,)]
    others = [kind for kind in deal.rules.contracts if kind != "nemo"]
    named = best(deal, others)
    for seat, own in found.seats.items():
        assert tuple(one for one in own if one.contract != "nemo") == named.seats[seat]
    assert "left_out" not in named.to_dict()
    assert set(best(deal, seats=["2"]).left_out) == {f"2 nemo {suit}" for suit in "SHDC"}
    with pytest.raises(ContractError, match="which of the tricks won were clean"):
        best(deal, ["nemo", "solo"])


def test_how_much_is_lost_has_bounds() -> None:
    random = Random(4)
    still_open = 0
    for _ in range(8):
        deal = ending(rules_for("squint"), random.choice(SUITS), random)
        full = best(deal, ["solo"], limits=Limits(hard_nodes=0)).seats
        for seat, [offer] in best(deal, ["solo"], limits=Limits(hard_nodes=2)).seats.items():
            [exact] = full[seat]
            assert exact.payoff is not None
            assert offer.bounds is not None or offer.payoff == exact.payoff
            if offer.bounds is not None:
                still_open += 1
                assert offer.payoff is None
                assert offer.makes is False
                assert offer.bounds[0] <= exact.payoff <= offer.bounds[1] < 0
    assert still_open


@pytest.mark.ci
def test_command() -> None:
    runner = CliRunner()
    file = "examples/german-solo.pbn"
    shown = runner.invoke(main, ["best", "--called", "all", file])
    assert shown.exit_code == 0
    columns = ["seat", "contract", "trump", "call/partner", "payoff", "outcome", "bid"]
    assert columns in [line.split() for line in shown.output.splitlines()]
    assert re.search(r"^2 frog-color +N E S +N$", shown.output, re.MULTILINE)
    assert re.search(r"^payoff  outcome  call$", shown.output, re.MULTILINE)
    answer = runner.invoke(main, ["best", "--board", "1", "--format", "jsonl", file])
    record = json.loads(answer.output.splitlines()[0])
    assert list(record)[:6] == ["schema", "file", "index", "board", "game", "error"]
    assert [*record["seats"]] == ["W", "N", "E", "S"]  # in turn, from the eldest
    offer = record["seats"]["N"][0]
    assert list(offer) == [name for name in Offer.__slots__ if name != "calls"]
    rows = runner.invoke(main, ["best", "--board", "1", "--format", "csv", file])
    rows = rows.output.splitlines()
    assert rows[0].startswith("file,index,board,game,declarer,contract,trump")


def names_of(contract: Contract) -> set[tuple[str, str, str]]:
    """Return seat, contract and suit of each player who plays it."""
    suit = contract.penalty or contract.trump
    return {(seat, contract.ids[0], suit) for seat in contract.side}


@pytest.mark.parametrize("number", part(range(3), 0))
def test_only_what_bid_cards_can_settle_is_offered(number: int) -> None:
    """Offer exactly the contracts that occur when all cards are shown many times at random."""
    random = Random(number)
    deal = random_deal(rules_for("squint"), random)
    hands = {seat: deal.hands[seat] or () for seat in deal.rules.in_turn(deal.dealer)}
    bidding = deal.rules.game.bidding
    assert bidding.cards is not None
    settled: set[tuple[str, str, str]] = set()
    for _ in range(tries(20000, 30000)):
        for outcome in bidding.cards({seat: random.choice(hand) for seat, hand in hands.items()}):
            pair = () if outcome.partner is None else (outcome.partner,)
            suit = outcome.penalty or outcome.trump or NO_TRUMP
            everybody = (*outcome.declarers, *pair) or deal.rules.seats
            several = len(outcome.ids) == len(everybody)
            ids = outcome.ids if several else outcome.ids * len(everybody)
            settled |= {(seat, name, suit) for seat, name in zip(everybody, ids, strict=True)}
    allowed = [
        contract
        for contract in contracts(deal, list(deal.rules.contracts))
        if bidding.can_bid(deal, contract)
    ]
    assert {name for contract in allowed for name in names_of(contract)} == settled
    cheap = ["misere", "grand-solo"]
    for seat, offers in best(deal, cheap, exchange=False).seats.items():
        expect = {name for who, name, _ in settled if who == seat and name in cheap}
        assert {offer.contract for offer in offers} == expect
        assert {(seat, offer.contract, offer.trump) for offer in offers} <= settled
