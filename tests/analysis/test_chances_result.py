"""The results of chances, from made-up figures: the best card, text and JSON output."""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import Any

import pytest

from spadille.analysis.chances.belief import BelievedHand, BidBelief
from spadille.analysis.chances.card_averages import Counts
from spadille.analysis.chances.card_chances_result import (
    CardChance,
    Chances,
    PlansBasis,
    SurrenderChance,
)
from spadille.analysis.chances.contract_chances_result import (
    BestChances,
    OfferChance,
    TriedChoices,
)
from spadille.analysis.chances.contract_values_by_layout import ProspectSums
from spadille.analysis.chances.promising_choices import _worth
from spadille.analysis.chances.review_chances import is_worse
from spadille.analysis.chances.stopping_rule import Race
from spadille.analysis.chances.value_meaning import Kind, Meaning
from spadille.core.contract import Contract


def card(name: str, **changes: Any) -> CardChance:
    figures: dict[str, Any] = dict.fromkeys(CardChance.__slots__)
    figures |= {"card": name, "equals": (), "made": 0.5, "payoff": 1.0, "mean_tricks": 5.0}
    figures |= {"best_share": 0.5, "behind": 0.0, "rank": 1}
    return CardChance(**{**figures, **changes})


def chances(*cards: CardChance, exact: bool = True) -> Chances:
    return Chances(
        seat="N",
        known=("East has no trumps",),
        layouts=1234,
        samples=1234 if exact else 256,
        exact=exact,
        acceptance=1.0,
        seed=3,
        gauge=0.123456789,
        settled=True,
        ended=None,
        contract=Contract(("N",), ("solo",), "H"),
        after=5,
        trick=2,
        leader="W",
        table=("SA",),
        declaring=True,
        cards=cards,
    )


def offer(**changes: Any) -> OfferChance:
    figures: dict[str, Any] = dict.fromkeys(OfferChance.__slots__)
    figures |= {"declarer": "N", "contract": "solo", "trump": "H", "discard": (), "rank": 1}
    figures |= {"from_hand": False, "height": 2, "made": 0.6543, "payoff": 12.345}
    return OfferChance(**{**figures, **changes})


def test_the_best_is_apart_where_all_but_its_equals_are_behind() -> None:
    best, equal = card("SA", equals=("SK",)), card("SK", equals=("SA",))
    assert chances(best, equal, card("D7", behind=0.01, rank=3)).apart
    assert not chances(best, equal, card("D7", behind=0.0, rank=1)).apart
    assert chances(card("D7", behind=0.01, rank=2), best).best.card == "SA"


def planned(*cards: CardChance, decided: bool = True) -> Chances:
    basis = PlansBasis(layouts=1234, exact=False, decided=decided, tricks=None, why="late")
    return replace(chances(*cards), plans=basis)


def test_bounds_may_prove_which_card_is_best() -> None:
    """D7 makes more often with all hands seen, but every plan that begins with it wins less."""
    best = card("SA", made=0.6, without_seeing=0.55, rank=1)
    other = card("D7", made=0.65, without_seeing_bounds=(0.4, 0.5), rank=2)
    found = planned(best, other)
    assert found.by_plan
    assert found.apart
    assert is_worse(found, "D7")
    assert not is_worse(found, "SA")
    touching = replace(other, without_seeing_bounds=(0.4, 0.55))
    assert not planned(best, touching).apart
    assert not is_worse(planned(best, replace(touching, behind=0.1)), "D7")
    assert not planned(best, replace(other, without_seeing_bounds=None)).apart
    assert not planned(best, other, decided=False).by_plan
    # The best card itself may have bounds, as long as no other reaches them.
    loose = replace(best, without_seeing=None, without_seeing_bounds=(0.52, 0.6))
    assert planned(loose, other).apart
    assert not is_worse(planned(loose, other), "SA")


def test_a_sample_sets_the_best_apart_only_where_its_interval_does() -> None:
    best = card("SA", made_interval=(0.4, 0.6))
    behind = card("D7", behind=0.2, rank=2)
    for interval, apart in (((0.01, 0.3), True), ((0.0, 0.3), False), (None, False)):
        found = chances(best, replace(behind, behind_interval=interval), exact=False)
        assert found.apart == apart


def test_chances_in_words() -> None:
    found = chances(card("SA", made=0.25), card("D7", made=1 / 3, made_interval=(0.3, 0.3666)))
    assert str(found).splitlines() == [
        "N solo H: trick 2, N to play, all 1234 layouts",
        "SA made in 25.0%",
        "D7 made in 33.3% [30.0, 36.7]",
    ]
    assert replace(found, exact=False, samples=256).extent == "256 of 1234"
    assert replace(found, exact=False, samples=2048).extent == "2048 draws from 1234"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "N solo H: made in 65.4%, +12.35"),
        ({"payoff": None}, "N solo H: made in 65.4%"),
        ({"payoff": None, "bounds": (-1.0, 2.5)}, "N solo H: made in 65.4%, -1.00..+2.50"),
        ({"trump": None}, "N solo open: made in 65.4%, +12.35"),
        ({"called": "SK"}, "N solo H SK: made in 65.4%, +12.35"),
        ({"partner": "E"}, "N solo H E: made in 65.4%, +12.35"),
        ({"penalty": "D"}, "N solo H D: made in 65.4%, +12.35"),
        ({"from_hand": True}, "N solo H from the hand: made in 65.4%, +12.35"),
        ({"discard": ("S7", "D8")}, "N solo H without S7 D8: made in 65.4%, +12.35"),
    ],
)
def test_an_offer_in_words(changes: dict[str, Any], text: str) -> None:
    assert str(offer(**changes)) == text


def test_offers_in_words_and_as_json() -> None:
    fields = {
        name: getattr(chances(), name)
        for name in ("seat", "known", "layouts", "samples", "exact", "acceptance", "seed")
    }
    found = BestChances(
        **fields,
        gauge=None,
        settled=False,
        ended="samples",
        left_out={"duo": "why"},
        tried=TriedChoices(5, 2, 100),
        assumed=("any cards",),
        offers=(offer(by_trump={"S": ("S7",)}, behind_interval=(1 / 3, 0.5)), offer(trump="S")),
    )
    assert str(found).splitlines() == [
        "N: all 1234 layouts",
        "N solo H: made in 65.4%, +12.35",
        "N solo S: made in 65.4%, +12.35",
    ]
    told = found.to_dict()
    first, second = told["seats"]["N"]
    assert (first["made"], first["payoff"], first["rank"]) == (0.6543, 12.345, 1)
    assert (first["by_trump"], first["behind_interval"]) == ({"S": ["S7"]}, [0.333333, 0.5])
    assert (second["trump"], second["by_trump"], second["height"]) == ("S", None, 2)
    assert told["tried"] == {"choices": 5, "kept": 2, "samples": 100}
    expected = {
        "ranking": [],
        "highest": None,
        "opponents_exchange": None,
        "gauge": None,
        "known": ["East has no trumps"],
        "layouts": "1234",
        "samples": 1234,
        "exact": True,
        "acceptance": 1.0,
        "seed": 3,
        "settled": False,
        "ended": "samples",
        "seat": "N",
        "left_out": {"duo": "why"},
        "assumed": ["any cards"],
    }
    assert {name: told[name] for name in expected} == expected


def test_surrendering_and_the_belief_as_json() -> None:
    hand = BelievedHand(
        seat="S",
        text="South's choice of Solo is",
        counts={"trumps": 16 / 3},
        random={"trumps": 2.0},
    )
    belief = BidBelief(kind="auction", spread=0.6, strength=None, acceptance=2 / 3, hands=(hand,))
    surrender = SurrenderChance(payoff=-1.5, payoff_interval=None, taken_over=0.25)
    found = replace(chances(card("SA")), surrender=surrender, belief=belief)
    told = found.to_dict()
    assert told["surrender"] == {"payoff": -1.5, "payoff_interval": None, "taken_over": 0.25}
    assert told["belief"]["acceptance"] == 0.666667
    assert told["belief"]["hands"] == [
        {"seat": "S", "counts": {"trumps": 5.333}, "random": {"trumps": 2.0}}
    ]


def test_cards_as_json_without_the_hands_of_others() -> None:
    told = chances(card("SA", equals=("SK",), made=2 / 3)).to_dict()
    expected = {
        "declarer": "N",
        "contract": "solo",
        "trump": "H",
        "after": 5,
        "trick": 2,
        "leader": "W",
        "table": ["SA"],
        "player": "N",
        "seat": "N",
        "gauge": 0.123457,
        "known": ["East has no trumps"],
        "layouts": "1234",
    }
    assert {name: told[name] for name in expected} == expected
    (one,) = told["cards"]
    assert one == {
        "card": "SA",
        "equals": ["SK"],
        "made": 0.666667,
        "made_interval": None,
        "payoff": 1.0,
        "payoff_interval": None,
        "mean_tricks": 5.0,
        "best_share": 0.5,
        "behind": 0.0,
        "behind_interval": None,
        "rank": 1,
        "without_seeing": None,
        "without_seeing_bounds": None,
        "no_guess": None,
    }


# Whether a card was worse than another, given only what its player knew


@pytest.mark.parametrize(
    ("interval", "worse"),
    [((0.01, 0.2), True), ((0.0, 0.2), False), ((-0.1, 0.2), False), (None, False)],
)
def test_a_sampled_card_is_worse_only_beyond_chance(
    interval: tuple[float, float] | None, worse: bool
) -> None:
    other = card("D7", behind=0.1, behind_interval=interval, rank=2, mean_tricks=1.0)
    found = chances(card("SA", behind_interval=None), other, exact=False)
    assert is_worse(found, "D7") == worse
    assert not is_worse(found, "SA")


@pytest.mark.parametrize(
    ("behind", "tricks", "declaring", "worse"),
    [
        (0.01, 5.0, True, True),
        (0.0, 5.0, True, False),
        (0.0, 4.96, True, False),  # within a twentieth of a trick
        (0.0, 4.94, True, True),
        (0.0, 5.06, True, False),
        (0.0, 5.06, False, True),  # tricks of the other side are the defenders' loss
        (0.0, 4.94, False, False),
    ],
)
def test_a_card_is_worse_if_it_makes_less_often_or_else_by_tricks(
    behind: float, tricks: float, declaring: bool, worse: bool
) -> None:
    other = card("D7", behind=behind, mean_tricks=tricks, rank=2)
    found = replace(chances(card("SA"), other), declaring=declaring)
    assert is_worse(found, "D7") == worse


@pytest.mark.parametrize(
    ("payoff", "worse"), [(1.0, False), (0.5, False), (0.49, True), (None, True)]
)
def test_without_tricks_half_a_point_is_worse(payoff: float | None, worse: bool) -> None:
    best = card("SA", mean_tricks=None)
    other = card("D7", payoff=payoff, mean_tricks=None, rank=2)
    assert is_worse(chances(best, other), "D7") == worse
    assert is_worse(chances(best, replace(other, mean_tricks=5.0)), "D7") == worse


# Intervals of contracts over the same layouts


def sums(*found: tuple[bool, int | None, int | None], span: tuple[int, int] = (-9, 9)) -> Any:
    ends = {number: Meaning(False, payoff, None) for number, payoff in enumerate(span)}
    kind = Kind(None, 0, 0, ends, True)  # type: ignore[arg-type]
    return ProspectSums([Meaning(*each) for each in found], [kind])


def test_the_figures_of_a_contract_over_some_layouts() -> None:
    one = sums((True, 4, 6), (False, -2, 3), (True, 1, 5))
    assert (one.number, one.made, one.paid, one.span) == (3, 2, True, (-9, 9))
    assert (one.payoff, one.bounds) == (1.0, None)
    assert one.tricks == pytest.approx(14 / 3)
    assert one.order() == (True, 1.0, 2, pytest.approx(14 / 3))
    low, high = one.interval(0.05)
    assert -9 <= low < 1 < high <= 9
    unknown = sums((True, 4, None), (False, None, 3))
    assert (unknown.paid, unknown.payoff, unknown.bounds) == (False, None, None)
    assert unknown.tricks is None
    assert unknown.interval(0.05) is None
    # Contracts without a payoff come last, however often they make.
    assert max(one.order(), unknown.order(), sums((True, None, 9)).order()) == one.order()


def test_bounds_stand_for_a_payoff_that_is_not_told() -> None:
    between = ProspectSums([Meaning(True, None, 5, (1, 3)), Meaning(True, 2, 5, None)], [])
    assert (between.payoff, between.bounds, between.paid) == (None, (1.5, 2.5), True)
    assert between.span == (0, 0)


def test_contracts_are_compared_layout_by_layout() -> None:
    best, other = sums((True, 4, 6), (True, 2, 5)), sums((False, 1, 2), (True, 3, 5))
    assert best.behind(best) == 0
    assert other.behind(best) == 1.0
    assert best.ahead([4, 3]) == 1
    assert other.ahead([4, 3]) == 1
    assert sums((True, None, 5), (True, 2, 5)).behind(best) is None
    assert best.behind(sums((True, None, 5), (True, 2, 5))) is None
    # A row that was dropped earlier is compared in its own layouts.
    assert sums((False, 1, 2)).behind(best) == 3.0
    assert sums((False, 1, 2)).behind(best, "made") == 1.0
    assert sums((True, None, 5), (True, 2, 5)).behind_interval(best, 0.05) is None
    low, high = other.behind_interval(best, 0.05)
    assert -18 <= low < 1.0 < high <= 18
    # With many equal differences the interval closes on them.
    low, high = sums(*[(True, 1, 5)] * 4000).behind_interval(sums(*[(True, 4, 5)] * 4000), 0.05)
    assert 2.9 < low <= 3.0 <= high < 3.1
    low, high = sums(*[(False, 1, 5)] * 4000).behind_interval(
        sums(*[(True, 4, 5)] * 4000), 0.05, "made"
    )
    assert 0.99 < low <= 1.0 == pytest.approx(high)
    low, high = sums(*[(True, 1, 5)] * 4000).behind_interval(
        sums(*[(False, 4, 5)] * 4000), 0.05, "made"
    )
    assert pytest.approx(low) == -1.0
    assert high < -0.99


# Counted rows of values


def counted(*rows: tuple[int, ...], with_declarer: bool = True) -> Counts:
    """Return counts of rows that begin with their kind; a row of n tricks pays 10 * (n - 5)."""
    meanings = {tricks: Meaning(tricks >= 5, 10 * (tricks - 5), tricks) for tricks in range(9)}
    other = {tricks: Meaning(tricks >= 6, None, None) for tricks in range(9)}
    kinds = [
        Kind(None, 0, 0, meanings, with_declarer),  # type: ignore[arg-type]
        Kind(None, 0, 0, other, with_declarer),  # type: ignore[arg-type]
    ]
    counts = Counts(kinds, len(rows[0]) - 1)
    for row in rows:
        counts.add(array("h", row).tobytes())
    return counts


def test_rows_are_averaged_card_by_card() -> None:
    counts = counted((0, 5, 6, 4), (0, 5, 5, 5), (0, 4, 6, 4), (0, 5, 6, 4))
    assert counts.number == 4
    first, second, third = counts.average()
    assert first == (0.75, -2.5, 4.75, 0.25)
    assert second == (1.0, 7.5, 5.75, 1.0)
    assert third == (0.25, -7.5, 4.25, 0.25)
    assert first.order == (0.75, -2.5)
    assert counts.if_all_were_seen == 1.0
    assert counted((0, 4, 3), (0, 5, 4)).if_all_were_seen == 0.5


def test_opponents_want_the_contract_to_fail() -> None:
    first, second = counted((0, 5, 6), (0, 4, 5), with_declarer=False).average()
    assert (first.good, first.best, second.good, second.best) == (0.5, 1.0, 0.0, 0.0)


def test_an_average_that_some_layout_does_not_tell_is_none() -> None:
    counts = counted((0, 5, 6), (1, 5, 6))
    assert counts.average() == [(0.5, None, None, 0.0), (1.0, None, None, 1.0)]
    assert counts.payoff_interval(0) is None
    assert counts.average()[0].order == (0.5, 0.0)


def test_intervals_close_on_what_is_found_again_and_again() -> None:
    counts = counted(*[(0, 5, 4)] * 600)
    low, high = counts.good_interval(0, 0.05)
    assert 0.98 < low < high == 1
    low, high = counts.good_interval(1, 0.05)
    assert 0 == low < high < 0.02
    low, high = counts.payoff_interval(0) or (0, 0)
    assert -2 < low <= 0 <= high < 2
    low, high = counts.behind_interval(1, 0, 0.05)
    assert 0.97 < low <= high == 1
    low, high = counts.behind_interval(0, 1, 0.05)
    assert -1 == low <= high < -0.97
    low, high = counts.behind_interval(0, 0, 0.05)
    assert -0.02 < low <= 0 <= high < 0.02


def test_a_card_that_is_behind_for_certain_is_out_of_the_race() -> None:
    counts = counted(*[(0, 5, 5, 4)] * 200)
    race = Race([0, 1, 2])
    assert (race.rivals, race.looks, race.settled) == (2, 0, False)
    wider = race.next_error(last=False)
    assert 0 < wider < race.next_error(last=True) == 0.05
    race.begin_look(last=False)
    race.compare(0, lambda column, error: counts.behind_interval(column, 0, error))
    assert (race.alive, race.looks, race.rivals, race.error) == ([0, 1], 1, 2, wider)
    assert not race.settled  # the difference of 0 and 1 is not yet known to within a point
    more = counted(*[(0, 5, 5, 4)] * 30_000)
    race.begin_look(last=True)
    race.compare(0, lambda column, error: more.behind_interval(column, 0, error))
    assert (race.alive, race.looks, race.rivals, race.settled) == ([0, 1], 2, 1, True)


@pytest.mark.parametrize(
    ("between", "stays", "settled"),
    [
        ((0.0, 1.0), True, False),
        ((0.0, 0.25), True, True),
        ((0.0, 0.26), True, False),
        ((0.01, 1.0), False, True),
        ((-1.0, 1.0), True, False),
    ],
)
def test_a_rival_that_may_be_equal_stays_in_the_race(
    between: tuple[float, float], stays: bool, settled: bool
) -> None:
    """An interval that touches 0 shows neither that a rival is worse nor that it is as good."""
    race = Race(["leader", "rival"])
    race.begin_look(last=False)
    assert race.compare("leader", lambda *_: between, close=0.25) is race.settled is settled
    assert race.alive == (["leader", "rival"] if stays else ["leader"])


def test_the_error_of_a_look_is_shared_among_the_rivals_left() -> None:
    race = Race([*"abcd"])
    asked: list[float] = []

    def behind(rival: str, error: float) -> tuple[float, float]:
        asked.append(error)
        return (0.5, 1.0) if rival == "b" else (-1.0, 1.0)

    for last, rivals in ((False, 3), (True, 2)):
        asked.clear()
        race.begin_look(last=last)
        assert not race.compare("a", behind)
        assert asked == [pytest.approx(race.error / rivals)] * rivals
    assert race.error_of_result(interrupted=False) == race.error
    assert race.error_of_result(interrupted=True) == race.next_error() < race.error


def test_exchanges_are_rated_by_payoff_then_by_makes_then_by_tricks() -> None:
    """An unknown payoff counts as 0, and so do unknown tricks."""
    made, lost = Meaning(True, 4, 6), Meaning(False, -4, 3)
    unknown = Meaning(True, None, None)
    assert _worth([made, made, lost]) == (4, 2, 15)
    assert _worth([unknown, lost]) == (-4, 1, 3)
    assert _worth([]) == (0, 0, 0)
