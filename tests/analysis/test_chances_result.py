"""What is said of chances: the best card, texts and JSON, from figures made up for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from spadille.analysis.chances.offers import BestChances, OfferChance, TriedExchanges
from spadille.analysis.chances.result import CardChance, Chances
from spadille.contract import Contract


def card(name: str, **changes: Any) -> CardChance:
    found = CardChance(name, (), 0.5, None, 1.0, None, 5.0, 0.5, 0.0, None, 1)
    return replace(found, **changes)


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
        "SA made in 25.0 %",
        "D7 made in 33.3 % [30.0, 36.7]",
    ]
    assert replace(found, exact=False, samples=256).extent == "256 of 1234"


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({}, "N solo H: made in 65.4 %, +12.35"),
        ({"payoff": None}, "N solo H: made in 65.4 %"),
        ({"payoff": None, "bounds": (-1.0, 2.5)}, "N solo H: made in 65.4 %, -1.00..+2.50"),
        ({"trump": None}, "N solo open: made in 65.4 %, +12.35"),
        ({"called": "SK"}, "N solo H SK: made in 65.4 %, +12.35"),
        ({"partner": "E"}, "N solo H E: made in 65.4 %, +12.35"),
        ({"penalty": "D"}, "N solo H D: made in 65.4 %, +12.35"),
        ({"from_hand": True}, "N solo H from the hand: made in 65.4 %, +12.35"),
        ({"discard": ("S7", "D8")}, "N solo H without S7 D8: made in 65.4 %, +12.35"),
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
        tried=TriedExchanges(5, 2, 100),
        assumed=("any cards",),
        offers=(offer(by_trump={"S": ("S7",)}, behind_interval=(1 / 3, 0.5)), offer(trump="S")),
    )
    assert str(found).splitlines() == [
        "N: all 1234 layouts",
        "N solo H: made in 65.4 %, +12.35",
        "N solo S: made in 65.4 %, +12.35",
    ]
    told = found.to_dict()
    first, second = told["seats"]["N"]
    assert (first["made"], first["payoff"], first["rank"]) == (0.6543, 12.345, 1)
    assert (first["by_trump"], first["behind_interval"]) == ({"S": ["S7"]}, [0.333333, 0.5])
    assert (second["trump"], second["by_trump"], second["height"]) == ("S", None, 2)
    assert told["tried"] == {"exchanges": 5, "kept": 2, "samples": 100}
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
    }
