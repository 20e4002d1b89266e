"""Compare the value of exchanges on one hand with exchanging and solving every layout."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, permutations
from random import Random
from statistics import mean
from typing import Any

import pytest

from spadille import Contract, Deal, best_chances, know, rules_for, solve
from spadille.analysis.chances import sampling_loop
from spadille.analysis.chances.contract_chances import ContractStrategy
from spadille.analysis.chances.contract_chances_result import OfferChance
from spadille.analysis.chances.exchange_from_own_hand import (
    _BY_RULE,
    RULES,
    Numbering,
    SeatExchange,
    exchanges,
)
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.confidence_intervals import clopper_pearson
from spadille.base.errors import ContractError
from spadille.games.model.game import Rules
from spadille.games.ombre import ENTRADA, OMBRE
from spadille.search.encoding import situation
from tests.support.deals_and_outcomes import random_deal
from tests.support.tiers import part


def some(game: str, seed: int, **options: str) -> Deal:
    return random_deal(rules_for(game, options), Random(seed))


def never_surrendered(deal: Deal) -> Deal:
    """Return the deal in the form in which layouts are valued."""
    if "surrender" not in deal.rules.options:
        return deal
    options = {**deal.rules.options, "surrender": "not-counted"}
    return replace(deal, rules=Rules(deal.rules.game, options))


def drawn_deals(strategy: ContractStrategy, number: int, seed: int, block: int = 0) -> list[Deal]:
    """Return the deals of some layouts with the talon in order, worked out card by card."""
    known, tables = strategy.known, strategy.tables
    found = []
    for rank in next(tables.samples(number, seed, block)):
        deal = known.deal_of(known.layouts.unrank(rank // tables.orders))
        left = list(deal.talon)
        top = [left.pop(place) for place in tables.top(rank)]
        found.append(replace(deal, talon=(*top, *left), talon_ordered=True))
    return found


def paid(deal: Deal, contract: Contract, seat: str) -> int:
    result = solve(never_surrendered(deal), contract, objective="score")
    assert result.secured is not None
    assert result.secured.payoff is not None
    return result.secured.payoff if contract.partner is None else result.secured.score[seat]  # type: ignore[index]


def ranked(offer: OfferChance) -> dict[str, Any]:
    """Return the results that depend on the other offers."""
    names = ("best_share", "behind", "behind_interval", "rank")
    return {name: getattr(offer, name) for name in names}


def contract_of(offer: OfferChance) -> Contract:
    return Contract((offer.declarer,), (offer.contract,), offer.trump)


def averages(offer: OfferChance, deals: list[Deal]) -> tuple[float, float]:
    contract = contract_of(offer)
    results = [solve(deal, contract) for deal in deals]
    return (
        mean(bool(each.makes) for each in results),
        mean(paid(deal, contract, offer.declarer) for deal in deals),
    )


@pytest.mark.parametrize("options", part([{}, {"estuche_chips": "3"}], 0, 2))
def test_what_is_put_away_is_exchanged_by_the_rules(options: dict[str, str]) -> None:
    deal = some("ombre", 5, **options)
    drawing = Drawing(samples=6, seconds=0, seed=3, discards="uniform")
    asked: dict[str, Any] = {"trumps": "HS", "drawing": drawing}
    found = best_chances(deal, "2", "entrada solo", **asked)
    assert not found.exact
    choosing = ContractStrategy(deal, "2", "entrada solo", **asked)
    deals = drawn_deals(choosing, 6, 3)
    assert len({offer.discard for offer in found.offers}) > 3
    for offer in found.offers:
        away = {"2": offer.discard} if offer.discard else {}
        after = [replace(each, discard=away) for each in deals]
        made, payoff = averages(offer, after)
        assert offer.made == pytest.approx(made)
        assert offer.payoff == pytest.approx(payoff)


def others_away(
    deal: Deal, seat: str, trump: str, left: int, discards: str
) -> dict[str, tuple[str, ...]]:
    """Return the other players' discards, if `left` cards are left to draw.

    All keep their trumps and, with "keep-best", their plain kings.
    """
    rules = deal.rules
    trumps = {*rules.trump_cards(trump)}
    plain = {suit: cards for suit, cards in rules.suits(trump).items() if suit != trump}
    kept = trumps | ({"SK", "HK", "DK", "CK"} if discards == "keep-best" else set())
    height = {card: len(cards) - n for cards in plain.values() for n, card in enumerate(cards)}
    # Among cards of equal rank, the order of suits decides.
    suits = [suit for suit in "SHDC" if suit != trump]
    found = {}
    for other in rules.in_turn(seat)[1:]:
        hand = sorted(
            (card for card in deal.hands[other] or () if card not in kept),
            key=lambda card: (height[card], suits.index(card[0])),
        )[: min(8, left)]
        if hand:
            found[other] = tuple(hand)
        left -= len(hand)
    return found


def exchanged(deal: Deal, seat: str, away: tuple[str, ...], trump: str, discards: str) -> Deal:
    """Return the deal with the discards of a seat and, unless "uniform", those of the others."""
    found = {seat: away} if away else {}
    if discards != "uniform":
        found |= others_away(deal, seat, trump, 13 - len(away), discards)
    return replace(deal, discard=found)


@pytest.mark.parametrize("discards", part(["keep-best", "keep-trumps"], 0, 2))
def test_others_put_away_what_is_no_trump(discards: Any) -> None:
    deal = some("ombre", 5)
    asked: dict[str, Any] = {"discards": discards, "seconds": 0}
    found = best_chances(deal, "2", "entrada solo", trumps="H", drawing=Drawing(samples=5, **asked))
    choosing = ContractStrategy(deal, "2", trumps="H", drawing=Drawing(discards=discards))
    assert choosing.tables.drawn == 13
    for offer in found.offers:
        deals = drawn_deals(choosing, 5, 0)
        after = [exchanged(each, "2", offer.discard, "H", discards) for each in deals]
        made, payoff = averages(offer, after)
        assert offer.made == pytest.approx(made)
        assert offer.payoff == pytest.approx(payoff)
    # The opponents draw more trumps this way, so Ombre earns less.
    kept, free = (
        best_chances(deal, "2", "solo", trumps="H", drawing=Drawing(samples=64, **each))
        for each in (asked, asked | {"discards": "uniform"})
    )
    assert (kept.best.payoff or 0) < (free.best.payoff or 0)


@pytest.mark.parametrize(
    ("belief", "discards"), [("auction", "keep-best"), ("duties", "uniform"), ("none", "uniform")]
)
def test_others_keep_their_best_cards_by_default_if_bids_are_believed(
    belief: Any, discards: Any
) -> None:
    by_default, as_set = (
        best_chances(some("ombre", 5), "2", "entrada", trumps="H", drawing=drawing)
        for drawing in (
            Drawing(samples=2, seconds=0, belief=belief),
            Drawing(samples=2, seconds=0, belief=belief, discards=discards),
        )
    )
    assert by_default == as_set


@pytest.mark.ci
@pytest.mark.parametrize("options", [{}, {"vuelta_exchange": "no"}])
@pytest.mark.parametrize("discards", part(["uniform", "keep-trumps", "keep-best"], 1, 3))
def test_each_layout_has_the_trump_that_is_turned_up_in_it(
    options: dict[str, str], discards: Any
) -> None:
    deal = some("ombre", 7, **options)
    asked: dict[str, Any] = {"drawing": Drawing(samples=9, seconds=0, seed=2, discards=discards)}
    found = best_chances(deal, "3", "vuelta solo", **asked)
    (vuelta,) = [offer for offer in found.offers if offer.contract == "vuelta"]
    assert vuelta.trump is None
    assert vuelta.by_trump is not None
    assert {*vuelta.by_trump} == {*"SHDC"}
    assert any(vuelta.by_trump.values()) != bool(options)
    choosing = ContractStrategy(deal, "3", "vuelta solo", drawing=Drawing(discards=discards))
    results = []
    for each in drawn_deals(choosing, 9, 2):
        trump = each.talon[0][0]
        contract = Contract(("3",), ("vuelta",), trump)
        after = exchanged(each, "3", vuelta.by_trump[trump], trump, discards)
        results.append(paid(after, contract, "3"))
    assert vuelta.payoff == pytest.approx(mean(results))
    # The trump of this contract is fixed.
    with pytest.raises(ContractError, match="none of these"):
        best_chances(deal, "3", "vuelta", trumps="H", **asked)


def put_away(rule: str, hand: list[str], trump: str) -> set[str]:
    """Discard two of twelve cards, by a rule of thumb that players use."""
    height = "23456789TJQKA".index
    suits = {suit: [card for card in hand if card[0] == suit] for suit in "SHDC"}

    def low(card: str) -> tuple[int, int]:
        return height(card[1]), lane(card[0])

    def lane(suit: str) -> int:
        return [*(s for s in "SHDC" if s != trump), trump].index(suit)

    plain = sorted((card for card in hand if card[0] != trump), key=low)
    trumps = sorted((card for card in hand if card[0] == trump), key=low)
    if rule == "lowest":
        return {*[*plain, *trumps][:2]}
    if rule == "shortest":
        short = sorted(plain, key=lambda card: (len(suits[card[0]]), lane(card[0]), low(card)))
        return {*[*short, *trumps][:2]}
    if rule == "highest":
        return {*sorted(hand, key=low)[-2:]}
    bare = {suit: min(height(card[1]) for card in cards) for suit, cards in suits.items() if cards}
    return {*sorted(hand, key=lambda c: (-bare[c[0]], "SHDC".index(c[0]), -height(c[1])))[:2]}


@pytest.mark.parametrize(
    ("contract", "trump"), [*(("grand-solo", suit) for suit in "SHDC"), ("misere", "NT")]
)
def test_each_rule_puts_away_two_of_any_hand(contract: str, trump: str) -> None:
    deal = some("squint", 0)
    known = know(deal, Contract(("3",), (contract,), trump), "3")
    layout = known.layouts.unrank(0)
    table = Numbering(known, situation(known.deal_of(layout), known.contract_of(layout)))
    bits, rng = table.code.bits, Random(trump)
    for number in range(100):
        cards = rng.sample(deal.rules.deck, len(deal.rules.deck))
        if number % 2:  # a hand with all cards of a suit
            cards.sort(key=lambda card: card[0] != "SHDC"[number // 2 % 4])
        hand = cards[:12]
        for rule in RULES if trump == "NT" else ("lowest", "shortest"):
            kept = _BY_RULE[rule](table, sum(bits[card] for card in hand), 2)
            away = {card for card in hand if not bits[card] & kept}
            assert away == put_away(rule, hand, trump), (rule, hand)


@pytest.mark.parametrize(
    ("contract", "trump"), [("grand-solo", "H"), ("misere", "NT"), ("ace-solo", "NT")]
)
def test_who_draws_first_puts_away_by_a_rule(contract: str, trump: str) -> None:
    deal = next(
        deal
        for deal in (some("squint", seed) for seed in range(99))
        if {"HQ", "HK", "HJ"} & {*deal.hands["3"]} and {"A", "2"} <= {c[1] for c in deal.hands["3"]}  # type: ignore[misc]
    )
    asked: dict[str, Any] = {"trumps": [trump], "drawing": Drawing(samples=3, seconds=0)}
    found = best_chances(deal, "3", contract, **asked)
    choosing = ContractStrategy(deal, "3", contract, trumps=[trump], drawing=Drawing())
    assert len(found.offers) == 3
    for offer in found.offers:
        after = []
        for each in drawn_deals(choosing, 3, 0):
            if offer.from_hand:
                after.append(replace(each, from_hand=("3",)))
                continue
            away = put_away(offer.rule or "", [*(each.hands["3"] or ()), *each.talon], trump)
            after.append(replace(each, drawn={"3": each.talon}, discard={"3": tuple(away)}))
        results = [solve(each, contract_of(offer)) for each in after]
        assert offer.made == pytest.approx(mean(bool(each.makes) for each in results))
        assert offer.payoff == pytest.approx(mean(each.score["3"] for each in results))  # type: ignore[index]
    twice = next(offer for offer in found.offers if offer.from_hand)
    if contract == "misere":
        assert twice.payoff in (-50, pytest.approx(50 * (2 * twice.made - 1)))


@pytest.mark.ci
@pytest.mark.parametrize(("contract", "trump"), [("grand-solo", "H"), ("misere", "NT")])
def test_who_has_drawn_is_told_what_to_put_away(contract: str, trump: str) -> None:
    deal = next(
        deal
        for deal in (some("squint", seed) for seed in range(99))
        if {"HQ", "HK", "HJ"} & {*deal.hands["3"]} and "2" in {c[1] for c in deal.hands["3"]}  # type: ignore[misc]
    )
    drawn = deal.talon
    deal = replace(deal, drawn={"3": drawn}, hands={**dict.fromkeys("1245"), "3": deal.hands["3"]})
    asked: dict[str, Any] = {"trumps": [trump], "drawing": Drawing(samples=2, seconds=0)}
    found = best_chances(deal, "3", f"{contract} nemo", **asked)
    choosing = ContractStrategy(deal, "3", contract, trumps=[trump], drawing=Drawing())
    held = {*(deal.hands["3"] or ()), *drawn}
    assert {*found.left_out} == {"nemo"}
    assert len(found.offers) == 3
    for offer in found.offers:
        assert {*offer.discard} <= held
        assert not any(card[0] == trump for card in offer.discard)
        after = [
            replace(
                each,
                hands={**each.hands, "3": deal.hands["3"]},
                talon=drawn,
                drawn={"3": drawn},
                discard={"3": offer.discard},
            )
            for each in drawn_deals(choosing, 2, 0)
        ]
        results = [solve(each, contract_of(offer)) for each in after]
        assert offer.made == pytest.approx(mean(bool(each.makes) for each in results))
        assert offer.payoff == pytest.approx(mean(each.score["3"] for each in results))  # type: ignore[index]


# Cases with few enough layouts and talon orders to enumerate

_BLACK, _RED = "SA CA *K", "SA CA *A *K"
TINY = replace(
    OMBRE,
    id="tiny",
    ranks="AK",
    hand_size=2,
    talon_size=2,
    trump_ranking={"S": _BLACK, "C": _BLACK, "H": _RED, "D": _RED},
    plain_ranking={"S": "K", "C": "K", "H": "AK", "D": "AK"},
    plain_variants={},
    contract_variants={},
    contracts={"entrada": replace(ENTRADA, first_run=0)},
)


def every_deal(deal: Deal) -> Iterator[Deal]:
    rest = [card for card in deal.rules.deck if card not in (deal.hands["1"] or ())]
    for two in combinations(rest, 2):
        left = [card for card in rest if card not in two]
        for three in combinations(left, 2):
            pile = [card for card in left if card not in three]
            hands = {**deal.hands, "2": two, "3": three}
            for talon in permutations(pile):
                yield replace(deal, hands=hands, talon=talon, talon_ordered=True)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("hand", "trump", "puts_away"),
    [(("SA", "HA"), "S", {(), ("HA",)}), (("HA", "DK"), "S", {(), ("DK",), ("HA", "DK")})],
)
def test_all_layouts_and_all_talons_where_there_are_few(
    hand: tuple[str, ...], trump: str, puts_away: set[tuple[str, ...]]
) -> None:
    deal = Deal(Rules(TINY, {"first_five_chips": "0"}), "3", {"1": hand, "2": None, "3": None})
    drawing = Drawing(seconds=0, samples=1000, discards="uniform")
    found = best_chances(deal, "1", "entrada", trumps=trump, drawing=drawing)
    deals = list(every_deal(deal))
    assert found.exact
    assert found.settled
    assert found.samples == found.layouts == len(deals) == 180
    contract = Contract(("1",), ("entrada",), trump)
    table = {
        offer.discard: [
            paid(replace(each, discard={"1": offer.discard}), contract, "1") for each in deals
        ]
        for offer in found.offers
    }
    assert puts_away == {*table}
    for offer in found.offers:
        assert offer.payoff == pytest.approx(mean(table[offer.discard]))
        assert offer.payoff_interval is None
    # The average of each layout's best exchange may be more than any single exchange is worth.
    best_of_each = mean(map(max, zip(*table.values(), strict=True)))
    assert found.best.payoff is not None
    assert found.gauge == pytest.approx(best_of_each - found.best.payoff)
    if len(table) == 2:
        assert found.gauge == pytest.approx(2 / 3)


@pytest.mark.ci
def test_an_exchange_is_worth_its_own_average() -> None:
    """The result of one exchange does not depend on the other exchanges offered."""
    deal = some("ombre", 1)
    asked: dict[str, Any] = {"trumps": "S", "drawing": Drawing(samples=12, seconds=0)}
    found = best_chances(deal, "1", "entrada", **asked)
    assert found.gauge is not None
    assert found.gauge > 0
    deals = drawn_deals(
        ContractStrategy(deal, "1", "entrada", trumps="S", drawing=Drawing()), 12, 0
    )
    best = found.best
    assert best.payoff == max(offer.payoff or -99 for offer in found.offers)
    after = [exchanged(each, "1", best.discard, "S", "keep-best") for each in deals]
    own = [paid(each, contract_of(best), "1") for each in after]
    assert best.payoff == pytest.approx(mean(own))
    # It does not depend on the other contracts requested, either.
    more = best_chances(deal, "1", "entrada solo vuelta", drawing=Drawing(samples=12, seconds=0))
    assert best in [replace(o, **ranked(best)) for o in more.offers if o.contract == "entrada"]


def test_which_exchanges_are_looked_at() -> None:
    deal = Deal(
        rules_for("ombre"),
        "1",
        {"1": ("SA", "SK", "S6", "HK", "H7", "DJ", "D4", "CK", "C2"), "2": None, "3": None},
    )
    asked = ContractStrategy(deal, "1", "entrada", trumps="S", drawing=Drawing())
    found = exchanges(asked.known, Contract(("1",), ("entrada",), "S"))
    # Trumps are SA, SK and S6; in hearts, diamonds and clubs, discard no card, the lowest, or both.
    assert len(found) == 27
    assert SeatExchange(("H7", "D4", "DJ"), None, 3) in found
    assert all(not {"SA", "SK", "S6"} & {*each.away} for each in found)
    assert all("H7" in each.away for each in found if "HK" in each.away)
    only = exchanges(asked.known, Contract(("1",), ("solo",), "S"))
    assert only == [SeatExchange()]


def test_the_few_that_are_valued_are_chosen_in_other_layouts() -> None:
    deal = some("ombre", 1)
    found = best_chances(deal, "1", "entrada", trumps="C", drawing=Drawing(samples=2, seconds=0))
    assert found.tried is not None
    assert found.tried.choices > found.tried.kept == 3 == len(found.offers)
    assert found.tried.samples == 160
    more = best_chances(deal, "1", "entrada", trumps="C", drawing=Drawing(samples=3, seconds=0))
    assert {offer.discard for offer in more.offers} == {offer.discard for offer in found.offers}
    assert found.assumed
    assert (
        best_chances(some("mensch", 1), "N", "solo", drawing=Drawing(samples=1, seconds=0)).tried
        is None
    )


@pytest.mark.ci
def test_where_time_is_short_something_is_said() -> None:
    found = best_chances(some("ombre", 1), "1", drawing=Drawing(seconds=0.4))
    assert not found.repeatable
    assert (found.ended == "seconds") != found.settled
    assert found.samples > 0


@pytest.mark.ci
def test_an_interruption_while_exchanges_are_chosen_tells_who_leads() -> None:
    asked = Sampling(
        ContractStrategy(some("ombre", 1), "1", drawing=Drawing(samples=10, seconds=0))
    )
    steps = asked.steps()
    for _ in range(3):
        next(steps)
    found = asked.result()
    assert found.ended == "interrupted"
    assert (found.samples, found.settled, found.tried, found.gauge) == (12, False, None, None)
    assert {*found.left_out} == {"solo", "vuelta"}
    assert found.assumed[0].startswith("Stopped while choosing the best of ")
    offers = {offer.trump: offer for offer in found.offers if offer.contract == "entrada"}
    assert len(offers) == 4
    deals = drawn_deals(asked.strategy, 32, 0, 1 << 32)[:12]
    for offer in offers.values():
        trump = offer.trump or ""
        after = [exchanged(each, "1", offer.discard, trump, "keep-best") for each in deals]
        made, payoff = averages(offer, after)
        assert offer.made == pytest.approx(made)
        assert offer.payoff == pytest.approx(payoff)
        # The best of many offers has also been lucky, so its interval is no narrower than others.
        assert offer.made_interval is not None
        low, high = clopper_pearson(round(12 * made), 12)
        assert offer.made_interval[0] <= low
        assert offer.made_interval[1] >= high
    with_turned = Sampling(
        ContractStrategy(some("ombre", 1), "1", "vuelta", drawing=Drawing(samples=4))
    )
    next(with_turned.steps())
    (offer,) = with_turned.result().offers
    assert offer.by_trump is not None


def test_time_that_is_over_with_the_last_layout_ends_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal = Deal(Rules(TINY, {}), "3", {"1": ("SA", "HA"), "2": None, "3": None})
    asked = Sampling(
        ContractStrategy(deal, "1", "entrada", trumps="S", drawing=Drawing(seconds=60))
    )
    clock = lambda: 1e12 if asked.samples == 180 else 0.0  # noqa: E731
    monkeypatch.setattr(sampling_loop, "perf_counter", clock)
    for _ in asked.steps():
        pass
    found = asked.result()
    # All layouts were valued, so more time could not have settled anything.
    assert (found.samples, found.exact, found.ended) == (180, True, None)
