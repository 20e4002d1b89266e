"""Compare the value of contracts on one hand with solving each layout."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random
from statistics import mean
from types import SimpleNamespace
from typing import Any

import pytest

from spadille import Contract, Deal, Limits, know, rules_for, solve
from spadille.analysis.chances import sampling_loop
from spadille.analysis.chances.choosable_contracts import heard
from spadille.analysis.chances.contract_chances import ContractStrategy, best_chances
from spadille.analysis.chances.contract_chances_result import OfferChance
from spadille.analysis.chances.contract_values_by_layout import ProspectSums
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.chances.stopping_rule import Race
from spadille.analysis.chances.value_meaning import Meaning, kinds_of
from spadille.base.errors import ArgumentError, ContractError, DealError, RulesError, TooHardError
from spadille.core.recorded_auction import NO_CALLS, Auction
from spadille.search.encoding import situation
from spadille.search.engine import LayoutSolver
from spadille.search.limited_search import Search
from tests.support.deals_and_outcomes import random_deal
from tests.support.random_endings import case
from tests.support.tiers import part


def some(game: str, seed: int) -> Deal:
    return random_deal(rules_for(game), Random(seed))


def blind(deal: Deal, seat: str) -> Deal:
    """Return the contracts that one seat may bid."""
    hands = {other: hand if other == seat else None for other, hand in deal.hands.items()}
    return replace(deal, hands=hands, talon=(), talon_ordered=False)


def named(offer: OfferChance) -> tuple[Any, ...]:
    return offer.contract, offer.trump, offer.called, offer.partner


@pytest.mark.ci
@pytest.mark.parametrize(
    ("game", "contracts", "trumps", "seat"),
    [
        ("german-solo", "frog solo", "HC", "E"),
        ("quadrille", "alliance solo", "S", "N"),
        ("quintille", "alliance", "H", "2"),
        ("mensch", None, "D", "W"),
    ],
)
def test_figures_are_those_of_each_layout_solved_alone(
    game: str, contracts: str | None, trumps: str, seat: str
) -> None:
    deal = some(game, 5)
    asked: dict[str, Any] = {"trumps": trumps, "drawing": Drawing(samples=6, seconds=0, seed=3)}
    found = best_chances(blind(deal, seat), seat, contracts, **asked)
    assert found.samples == 6
    known = ContractStrategy(deal, seat, contracts, trumps=trumps, drawing=Drawing()).known
    deals = [known.deal_of(known.layouts.unrank(rank)) for rank in known.layouts.sample(6, 3)]
    assert all(each.hands[seat] == deal.hands[seat] for each in deals)
    assert len(found.offers) > 1
    for offer in found.offers:
        results = []
        for each in deals:
            partner = each.holder(offer.called) if offer.called else offer.partner
            contract = Contract((seat,), (offer.contract,), offer.trump, offer.called, partner)
            results.append(solve(each, contract, objective="score"))
        assert offer.made == pytest.approx(mean(bool(each.makes) for each in results))
        if deal.rules.contract(offer.contract).aim == "tricks":
            # All that can be forced counts, including bonuses and going on for all tricks.
            forced = [each.secured.score for each in results if each.secured]
            assert offer.payoff == pytest.approx(mean(score[seat] for score in forced if score))
            assert offer.mean_tricks == pytest.approx(mean(each.tricks or 0 for each in results))


@pytest.mark.ci
def test_the_best_of_each_layout_is_never_taken() -> None:
    """The result for a contract does not depend on the other contracts offered."""
    deal = some("german-solo", 1)
    asked: dict[str, Any] = {"drawing": Drawing(samples=24, seconds=0)}
    found = best_chances(deal, "N", **asked)
    assert len({named(offer) for offer in found.offers}) == len(found.offers) > 12
    for offer in (*found.offers[:3], found.offers[-1]):
        alone = best_chances(deal, "N", offer.contract, trumps=[offer.trump or ""], **asked)
        (same,) = [each for each in alone.offers if named(each) == named(offer)]
        for name in ("made", "made_interval", "payoff", "payoff_interval", "mean_tricks"):
            assert getattr(same, name) == getattr(offer, name)
    assert found.best.payoff == max(offer.payoff or -99 for offer in found.offers)
    # In some of these layouts, other contracts would be better.
    assert found.gauge is not None
    assert found.gauge > 0.2
    assert 0 < (found.best.best_share or 0) < 1
    ranks = [offer.rank for offer in found.offers]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
    for offer in found.offers:
        assert offer.behind == pytest.approx((found.best.payoff or 0) - (offer.payoff or 0))
        if offer.behind_interval is not None:
            low, high = offer.behind_interval
            assert low <= (offer.behind or 0) <= high


@pytest.mark.parametrize(
    ("game", "seat", "trumps"),
    part([("german-solo", "S", "HC"), ("ombre", "1", "D"), ("squint", "2", None)], 1),
)
def test_what_the_seat_does_not_see_changes_nothing(
    game: str, seat: str, trumps: str | None
) -> None:
    deal = some(game, 2)

    def fields(deal: Deal, **changes: int) -> dict[str, Any]:
        drawing = Drawing(**{"samples": 3, "seconds": 0, **changes})
        return best_chances(deal, seat, trumps=trumps, drawing=drawing).to_dict()

    found = fields(deal)
    assert fields(blind(deal, seat)) == found
    assert fields(deal, threads=2) == found
    assert fields(deal, seed=1) != found


@pytest.mark.ci
def test_time_may_be_over_and_steps_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = some("german-solo", 1)
    # The clock advances by a second whenever it is read, however busy the machine is.
    monkeypatch.setattr(sampling_loop, "perf_counter", count().__next__)
    found = best_chances(deal, "N", drawing=Drawing(seconds=1600))  # takes long to settle
    assert found.ended == "seconds"
    assert found.samples > 0
    asked = Sampling(ContractStrategy(deal, "N", "solo", drawing=Drawing(samples=200, seconds=0)))
    next(asked.steps())
    part = asked.result()
    assert part.ended == "interrupted"
    assert not part.repeatable
    assert 0 < part.samples < 200
    with pytest.raises(TooHardError):
        Sampling(ContractStrategy(deal, "N", drawing=Drawing(samples=1))).result()


@pytest.mark.ci
def test_it_ends_when_the_best_is_settled() -> None:
    hand = ("SA", "SK", "SQ", "SJ", "ST", "S9", "H7", "CQ")
    deal = Deal(rules_for("german-solo"), "N", {**dict.fromkeys("ESW"), "N": hand})
    found = best_chances(deal, "N", "solo", trumps="SD", drawing=Drawing(seconds=60, samples=5000))
    assert found.ended is None
    assert found.settled
    assert found.samples in (256, 512)
    assert found.best.trump == "S"
    assert found.offers[1].behind_interval is not None
    assert found.offers[1].behind_interval[0] > 0
    short = best_chances(deal, "N", "solo", trumps="SD", drawing=Drawing(seconds=60, samples=4))
    assert short.ended == "samples"


def payoffs(pays: Sequence[int]) -> ProspectSums:
    ends = {end: Meaning(True, end, None) for end in (-12, 12)}
    kinds: list[Any] = [SimpleNamespace(paying=None, meanings=ends)]
    return ProspectSums([Meaning(each > 0, each, None) for each in pays], kinds)


def test_hopeless_contracts_are_dropped_and_the_best_is_not() -> None:
    """Contracts that make in so many of 100 layouts pay 12 or lose 12."""
    shares, lost, hopeless = (0.7, 0.68, 0.6, 0.3, 0.1), 0, []
    for seed in range(40):
        random = Random(seed)
        drawn = [[12 if random.random() < share else -12 for _ in range(512)] for share in shares]
        race = Race([*range(len(shares))], each_rival=False)
        for number in (32, 64, 128, 256, 512):
            columns = {row: payoffs(drawn[row][:number]) for row in race.alive}
            leader = max(race.alive, key=lambda row: columns[row].order())
            best = columns[leader]
            intervals = {row: columns[row].behind_interval(best, 0.05 / 4) for row in race.alive}
            race.compare(leader, lambda row, _: intervals[row] or (0, 0), 0.24)  # noqa: B023
            if number == 128:
                hopeless.append({3, 4}.intersection(race.alive))
        lost += 0 not in race.alive
    assert lost <= 1
    assert sum(map(bool, hopeless)) <= 20
    assert not any(4 in alive for alive in hopeless)


def test_each_offer_tells_in_how_many_layouts_it_was_valued() -> None:
    hand = ("SA", "SK", "SQ", "SJ", "ST", "S9", "H7", "CQ")
    deal = Deal(rules_for("german-solo"), "N", {**dict.fromkeys("ESW"), "N": hand})
    asked: dict[str, Any] = {"drawing": Drawing(seconds=0, samples=96)}
    found = best_chances(deal, "N", "solo", trumps="SDH", **asked)
    threads = replace(asked["drawing"], threads=2)
    again = best_chances(deal, "N", "solo", trumps="SDH", drawing=threads)
    assert found.to_dict() == again.to_dict()
    assert [offer.samples for offer in found.offers] == [96, 32, 32]
    assert found.samples == 96
    alone = best_chances(deal, "N", "solo", trumps="D", drawing=Drawing(seconds=0, samples=32))
    (dropped,) = [offer for offer in found.offers if offer.trump == "D"]
    assert (dropped.made, dropped.payoff) == (alone.best.made, alone.best.payoff)


def test_what_was_heard_ends_where_the_seat_last_spoke() -> None:
    deal = replace(some("german-solo", 1), dealer="W")
    calls = Auction("Pass Frog Pass Pass")
    assert heard(deal, "N", calls) == NO_CALLS
    assert heard(deal, "S", calls) == Auction("Pass Frog")
    squint = some("squint", 1)
    assert heard(squint, "1", Auction("SA")) == NO_CALLS


@pytest.mark.ci
def test_contracts_that_cannot_be_valued_are_named() -> None:
    assert best_chances(some("ombre", 1), "1", drawing=Drawing(samples=1, seconds=0)).left_out == {}
    squint = best_chances(some("squint", 1), "1", drawing=Drawing(samples=1, seconds=0))
    assert squint.left_out == {"duo": "the other bidders of its suit are unknown"}


def test_what_cannot_be_asked() -> None:
    deal = some("german-solo", 1)
    ending = Deal.parse("N:A... .A.. ..A. ...A", "german-solo", leader="N")
    with pytest.raises(DealError, match="end position"):
        best_chances(ending, "N")
    with pytest.raises(RulesError, match="not a seat"):
        best_chances(deal, "X")
    with pytest.raises(DealError, match="is unknown"):
        best_chances(blind(deal, "E"), "N")
    with pytest.raises(ContractError, match="none of these"):
        best_chances(some("squint", 1), "1", "duo")
    for arguments, message in (
        ({"seconds": 0}, "number of samples"),
        ({"samples": 0}, "samples must be"),
        ({"seconds": -1}, "seconds must be"),
        ({"threads": 0}, "threads must be"),
        ({"seed": "x"}, "a seed must be"),
        ({"belief": "yes"}, "belief"),
    ):
        with pytest.raises(ArgumentError, match=message):
            best_chances(deal, "N", drawing=Drawing(**arguments))


def test_what_a_contract_for_most_tricks_pays_lies_between_its_bounds() -> None:
    seen = 0
    for seed in range(60):
        deal, contract = case("squint", "", "solo", seed)
        earlier = 10 - len(deal.hands["1"] or ())
        takers = Counter(Random(seed).choices(deal.rules.seats, k=earlier))
        deal = replace(deal, won={seat: takers[seat] for seat in deal.rules.seats})
        at, known = situation(deal, contract), know(deal, contract, contract.declarer)
        (kind,) = kinds_of(known, at, Search(None, Limits()), forced=True).kinds
        layouts = LayoutSolver(at.problem, [(kind.objective, kind.state, kind.guess)], cards=False)
        values = memoryview(layouts.values(array("Q", at.problem.hands))).cast("h")
        meaning = kind.meanings[values[1]]
        secured = solve(deal, contract, objective="score").secured
        assert secured is not None
        if meaning.payoff is not None:
            assert secured.payoff == meaning.payoff
        else:
            assert meaning.bounds is not None
            assert meaning.bounds[0] <= (secured.payoff or 0) <= meaning.bounds[1]
            seen += 1
    assert seen > 9


@pytest.mark.ci
def test_offers_are_ranked_by_what_they_are_sure_to_pay() -> None:
    hand = ("SA", "SK", "SQ", "ST", "HK", "H9", "DA", "DT", "C7", "C6")
    deal = Deal(rules_for("squint"), "1", {**dict.fromkeys("2345"), "1": hand})
    found = best_chances(deal, "1", "ace-solo solo", drawing=Drawing(samples=8, seconds=0))
    open_ones = [offer for offer in found.offers if offer.payoff is None]
    assert {offer.contract for offer in open_ones} == {"solo"}
    for offer in open_ones:
        assert offer.behind is None
        assert offer.bounds is not None
        assert offer.payoff_interval is not None
        assert offer.payoff_interval[0] <= offer.bounds[0] < offer.bounds[1]
        assert offer.bounds[1] <= offer.payoff_interval[1]
    sure = [offer.bounds[0] if offer.bounds else offer.payoff or 0 for offer in found.offers]
    assert sure == sorted(sure, reverse=True)
    assert found.gauge is None
    assert any(text.startswith("The cost of a lost solo") for text in found.assumed)


def test_everybody_plays_nemo_for_himself() -> None:
    found = best_chances(some("squint", 1), "2", "nemo", drawing=Drawing(samples=2, seconds=0))
    assert found.offers
    assert {(o.declarer, o.partner, o.called, o.trump) for o in found.offers} == {
        ("2", None, None, "NT")
    }
    assert {o.penalty for o in found.offers} == {*"SHDC"}
