"""Payoffs of all outcomes of all contracts, except in Ombre, Quadrille and Quintille."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest

from spadille.base.errors import RulesError
from spadille.core.contract import Contract
from spadille.games import GAMES, rules_for
from spadille.games.model.contract_types_and_options import Outcome
from tests.support.deals_and_outcomes import blank, gains, outcome, random_deal

# Mensch


@pytest.mark.parametrize(
    ("options", "contract", "trump", "tricks", "payoff"),
    [
        # N with S; the columns of RULES 3, from all tricks down to none
        ("", "half", "C", "4 0 4 0", [2, -2, 2, -2]),
        ("", "half", "C", "4 1 3 0", [1, -1, 1, -1]),
        ("", "half", "C", "3 2 2 1", [1, -1, 1, -1]),
        ("", "half", "C", "3 3 1 1", [-2, 2, -2, 2]),
        ("", "after", "C", "0 3 1 4", [-2, 2, -2, 2]),
        ("", "after", "C", "0 4 0 4", [-4, 4, -4, 4]),
        ("half_defenders_slam=2", "half", "C", "0 4 0 4", [-2, 2, -2, 2]),
        ("half_defenders_slam=2", "half", "C", "1 3 0 4", [-2, 2, -2, 2]),
        ("", "pass-out", "H", "4 0 4 0", [2, -2, 2, -2]),
        ("", "pass-out", "C", "4 1 3 0", [1, -1, 1, -1]),
        ("", "pass-out", "C", "3 3 1 1", [-1, 1, -1, 1]),
        ("", "pass-out", "H", "0 4 0 4", [-2, 2, -2, 2]),
        ("passout_loss=2", "pass-out", "H", "3 3 1 1", [-2, 2, -2, 2]),
        ("passout_loss=2", "pass-out", "H", "0 4 0 4", [-4, 4, -4, 4]),
        ("passout_loss=2;half_defenders_slam=2", "pass-out", "H", "0 4 0 4", [-2, 2, -2, 2]),
        ("half_defenders_slam=2", "pass-out", "H", "3 3 1 1", [-1, 1, -1, 1]),
    ],
)
def test_mensch_partnerships(
    options: str, contract: str, trump: str, tricks: str, payoff: list[int]
) -> None:
    rules = rules_for("mensch", options)
    bid = Contract(("N",), (contract,), trump, called="SA", partner="S")
    assert gains(rules.score(blank(rules), bid, outcome(rules, tricks)), rules) == payoff


@pytest.mark.parametrize("slam", ["4", "2"])
def test_mensch_pass_out_may_pay_exactly_as_half(slam: str) -> None:
    rules = rules_for("mensch", {"passout_loss": "2", "half_defenders_slam": slam})
    for partner, own in product(("S", None), range(9)):
        won = outcome(rules, f"{own} {8 - own} 0 0")
        half = Contract(("N",), ("half",), "C", partner=partner)
        passed = Contract(("N",), ("pass-out",), "C", partner=partner)
        assert rules.score(blank(rules), passed, won) == rules.score(blank(rules), half, won)


@pytest.mark.parametrize(
    ("contract", "trump", "tricks", "rate"),
    [
        *[
            (name + after, trump, tricks, rate * (2 if trump == "C" else 1))
            for name, target in (("five", 5), ("six", 6), ("seven", 7))
            for after, trump in (("", "H"), ("", "C"), ("-after", "C"))
            for tricks, rate in (
                (8, 2),
                (7, 1),
                (target, 1),
                (target - 1, -1),
                (1, -1),
                (0, -2),
            )
        ],
        *[("solo", "D", tricks, 4 if tricks == 8 else -4) for tricks in (8, 7, 0)],
        *[("solo", "C", tricks, 8 if tricks == 8 else -8) for tricks in (8, 7, 0)],
        # a Half without a partner
        ("half", "C", 5, 1),
        ("half", "C", 0, -4),
    ],
)
def test_mensch_alone(contract: str, trump: str, tricks: int, rate: int) -> None:
    rules = rules_for("mensch")
    bid = Contract(("W",), (contract,), trump)
    score = rules.score(blank(rules), bid, outcome(rules, f"{8 - tricks} 0 0 {tricks}"))
    assert gains(score, rules) == [-rate, -rate, -rate, 3 * rate]


# German Solo


@pytest.mark.parametrize(
    ("color", "trump", "values"),
    [
        ("C", "C", (4, 8, 32)),
        ("C", "S", (2, 4, 16)),
        ("H", "H", (4, 8, 32)),
        ("H", "C", (2, 4, 16)),
        ("none", "C", (2, 4, 16)),
    ],
)
def test_german_solo_values_and_color(color: str, trump: str, values: tuple[int, ...]) -> None:
    rules = rules_for("german-solo", {"color": color})
    fair = rules_for("german-solo", {"color": color, "frog_payoff": "zero-sum"})
    frog, solo, tout = values
    for own, made in ((5, True), (4, False)):
        sign = 1 if made else -1
        bid = Contract(("N",), ("frog",), trump, called="SA", partner="E")
        won = outcome(rules, f"{own - 1} 1 {8 - own} 0")
        both = gains(rules.score(blank(rules), bid, won), rules)
        assert both == [sign * x for x in (2 * frog, 2 * frog, -frog, -frog)]
        even = gains(fair.score(blank(fair), bid, won), fair)
        assert even == [sign * x for x in (frog, frog, -frog, -frog)]
        bid = Contract(("N",), ("solo",), trump)
        won = outcome(rules, f"{own} {8 - own} 0 0")
        assert gains(rules.score(blank(rules), bid, won), rules) == [
            sign * x for x in (3 * solo, -solo, -solo, -solo)
        ]
    for own, sign in ((8, 1), (7, -1), (0, -1)):
        bid = Contract(("N",), ("tout",), trump)
        won = outcome(rules, f"{own} {8 - own} 0 0")
        assert gains(rules.score(blank(rules), bid, won), rules) == [
            sign * x for x in (3 * tout, -tout, -tout, -tout)
        ]


@pytest.mark.parametrize(
    ("options", "contract", "tricks", "payoff"),
    [
        ("", "solo", "8 0 0 0", [48, -16, -16, -16]),
        ("", "solo", "7 1 0 0", [-48, 16, 16, 16]),
        ("continued_tout_value=half", "solo", "8 0 0 0", [24, -8, -8, -8]),
        ("color=H", "solo", "8 0 0 0", [96, -32, -32, -32]),
        ("", "frog", "8 0 0 0", [32, 32, -16, -16]),
        # The partner's trick no longer counts.
        ("", "frog", "7 1 0 0", [-32, -32, 16, 16]),
        ("frog_payoff=zero-sum", "frog", "8 0 0 0", [16, 16, -16, -16]),
        ("continued_tout_value=half;color=H", "frog", "8 0 0 0", [32, 32, -16, -16]),
        # With this option, only the soloist is paid.
        ("frog_tout_payoff=soloist", "frog", "8 0 0 0", [48, 0, -16, -16]),
        ("frog_tout_payoff=soloist", "frog", "7 1 0 0", [-48, 0, 16, 16]),
        ("frog_tout_payoff=soloist;frog_payoff=zero-sum", "frog", "8 0 0 0", [32, 0, -16, -16]),
        ("frog_tout_payoff=soloist", "solo", "8 0 0 0", [48, -16, -16, -16]),
        ("frog_tout_payoff=soloist;color=H", "frog", "7 1 0 0", [-96, 0, 32, 32]),
    ],
)
def test_german_solo_going_on_for_tout(
    options: str, contract: str, tricks: str, payoff: list[int]
) -> None:
    rules = rules_for("german-solo", options)
    partner = "E" if contract == "frog" else None
    bid = Contract(("N",), (contract,), "H", partner=partner)
    ended = outcome(rules, tricks, "won", went_on=True)
    assert gains(rules.score(blank(rules), bid, ended), rules) == payoff
    assert rules.outcome_name(bid, ended) == ("made" if payoff[0] > 0 else "failed")
    # A player who stops, or does not say that they go on, is paid for their bid.
    stopped = rules.score(blank(rules), bid, replace(ended, went_on=False))
    assert 0 < stopped["N"] <= max(map(abs, payoff)) // 2
    assert partner is None or stopped["E"] == stopped["N"]


@pytest.mark.parametrize("options", ["", "frog_payoff=zero-sum", "frog_tout_payoff=soloist"])
def test_a_frog_played_alone(options: str) -> None:
    rules = rules_for("german-solo", options)
    bid = Contract(("N",), ("frog",), "H")
    for tricks, value in (("5 3 0 0", 2), ("4 4 0 0", -2)):
        score = rules.score(blank(rules), bid, outcome(rules, tricks))
        assert gains(score, rules) == [3 * value, -value, -value, -value]
    ended = outcome(rules, "7 1 0 0", "won", went_on=True)
    assert gains(rules.score(blank(rules), bid, ended), rules) == [-48, 16, 16, 16]


# Solo Whist and Anna Cubed


@pytest.mark.parametrize(
    ("contract", "least", "most", "whist", "anna"),
    [
        ("solo", 5, 13, 3, 1),
        ("misere", 0, 0, 6, 2),
        ("abundance", 9, 13, 9, 3),
        ("abundance-trumps", 9, 13, 9, 3),
        ("misere-ouverte", 0, 0, 12, 4),
        ("abundance-declared", 13, 13, 18, 6),
    ],
)
def test_whist_alone(contract: str, least: int, most: int, whist: int, anna: int) -> None:
    for own in range(14):
        tricks = f"{13 - own} {own} 0 0"
        made = least <= own <= most
        for name, points in (("solo-whist", whist), ("anna-cubed", anna)):
            rules = rules_for(name)
            bid = Contract(("E",), (contract,), "S")
            won = outcome(rules, tricks)
            if name == "anna-cubed":
                wanted = [0, points if made else 0, 0, 0]
            else:
                sign = 1 if made else -1
                wanted = [-sign * points // 3, sign * points] + [-sign * points // 3] * 2
            assert gains(rules.score(blank(rules), bid, won), rules) == wanted
            assert rules.outcome_name(bid, won) == ("made" if made else "failed")


def test_whist_partnerships() -> None:
    for name, made, lost in (
        ("solo-whist", [1, 1, -1, -1], [-1, -1, 1, 1]),
        ("anna-cubed", [1, 1, 0, 0], [0, 0, 0, 0]),
    ):
        rules = rules_for(name)
        bid = Contract(("N",), ("prop-cop",), "S", partner="E")
        assert gains(rules.score(blank(rules), bid, outcome(rules, "7 1 3 2")), rules) == made
        assert gains(rules.score(blank(rules), bid, outcome(rules, "6 1 3 3")), rules) == lost


# Squint

SQUINT = rules_for("squint")


@pytest.mark.parametrize("from_hand", [False, True])
@pytest.mark.parametrize(
    ("contract", "tricks", "points"),
    [
        ("ace-solo", "10 0 0 0 0", 100),
        ("ace-solo", "6 4 0 0 0", 20),
        ("ace-solo", "5 5 0 0 0", -20),
        ("ace-solo", "0 5 5 0 0", -120),
        ("misere", "0 5 5 0 0", 25),
        ("misere", "1 5 4 0 0", -25),
        ("misere", "9 1 0 0 0", -25),
        ("grand-solo", "7 3 0 0 0", 30),
        ("grand-solo", "6 4 0 0 0", 15),
        ("grand-solo", "4 6 0 0 0", -30),
        ("solo", "3 2 2 2 1", 10),
        ("solo", "5 4 1 0 0", 30),
        ("solo", "10 0 0 0 0", 80),
        ("solo", "4 4 1 1 0", -20),  # a tie loses
        ("solo", "2 1 5 1 1", -25),
        ("solo", "0 0 0 0 10", -50),
    ],
)
def test_squint_lone(contract: str, tricks: str, points: int, from_hand: bool) -> None:
    deal = blank(SQUINT, from_hand=("1",) if from_hand else ())
    bid = Contract(("1",), (contract,), "NT")
    wanted = [points * (2 if from_hand else 1), 0, 0, 0, 0]
    won = outcome(SQUINT, tricks)
    assert gains(SQUINT.score(deal, bid, won), SQUINT) == wanted
    assert SQUINT.made(bid, won) == (points > 0)


@pytest.mark.parametrize(
    ("from_hand", "factor"), [((), 1), (("2",), 1), (("2", "4"), 2), (("2", "4", "5"), 2)]
)
@pytest.mark.parametrize(
    ("tricks", "points"), [("2 5 0 3 0", 30), ("4 3 0 3 0", 10), ("6 3 0 1 0", -20)]
)
def test_squint_duo(from_hand: tuple[str, ...], factor: int, tricks: str, points: int) -> None:
    deal = blank(SQUINT, from_hand=from_hand)
    bid = Contract(("2",), ("duo",), "H", partner="4")
    each = points * factor
    assert gains(SQUINT.score(deal, bid, outcome(SQUINT, tricks)), SQUINT) == [0, each, 0, each, 0]


def test_squint_several_soloists_score_each_for_himself() -> None:
    bid = Contract(("1", "3", "4"), ("ace-solo", "misere", "misere"), "NT")
    won = outcome(SQUINT, "7 1 0 2 0")
    deal = blank(SQUINT, from_hand=("3",))
    assert gains(SQUINT.score(deal, bid, won), SQUINT) == [40, 0, 50, -25, 0]
    assert [SQUINT.made(bid, won, seat) for seat in "134"] == [True, True, False]
    assert SQUINT.outcome_name(bid, won, "4") == "failed"


def test_squint_nemo() -> None:
    bid = Contract(SQUINT.seats, ("nemo",) * 5, "NT", penalty="H")
    tricks = dict(zip(SQUINT.seats, (3, 4, 2, 1, 0), strict=True))
    clean = dict(zip(SQUINT.seats, (3, 2, 0, 1, 0), strict=True))
    won = Outcome(tricks, clean=clean)
    deal = blank(SQUINT, from_hand=SQUINT.seats)
    assert gains(SQUINT.score(deal, bid, won), SQUINT) == [60, 20, 0, 20, 0]
    assert [SQUINT.made(bid, won, seat) for seat in SQUINT.seats] == [
        True,
        True,
        False,
        True,
        False,
    ]


# Every game


@pytest.mark.parametrize("name", [name for name in sorted(GAMES) if GAMES[name].zero_sum])
def test_zero_sum_for_every_outcome(name: str) -> None:
    rng = Random(name)
    seats = GAMES[name].seats
    size = GAMES[name].hand_size
    rules = rules_for(name, "estuche_chips=4" if name == "ombre" else "")
    for kind in rules.contracts.values():
        partners = [None] if kind.side == "alone" else [None, *seats[1:]]
        for partner, own, went_on in product(partners, range(size + 1), (False, True)):
            trump = rng.choice(rules.trumps[:4])
            bid = Contract((seats[0],), (kind.id,), trump, partner=partner)
            opponents = [seat for seat in seats if seat not in bid.side]
            tricks = dict.fromkeys(seats, 0) | {seats[0]: own}
            for _ in range(size - own):
                tricks[rng.choice(opponents)] += 1
            run = "won" if kind.first_run and own >= kind.first_run else None
            ended = Outcome(tricks, run, went_on=went_on and run == "won")
            deal = replace(random_deal(rules, rng), pool=rng.randrange(20))
            score = rules.score(deal, bid, ended)
            assert sum(score.values()) == 0, (bid, ended)
            assert set(score) - {"pool"} == set(seats)
            assert ("pool" in score) == (GAMES[name].ante > 0)


def test_zero_sum_frog() -> None:
    rules = rules_for("german-solo", "frog_payoff=zero-sum")
    bid = Contract(("N",), ("frog",), "H", partner="S")
    for tricks in ("5 3 0 0", "4 4 0 0"):
        assert sum(rules.score(blank(rules), bid, outcome(rules, tricks)).values()) == 0


# The games whose payoffs are tested, each here or in the file named.
TESTED = {
    **dict.fromkeys(("mensch", "german-solo", "solo-whist", "anna-cubed", "squint"), "test_scores"),
    **dict.fromkeys(("ombre", "quadrille", "quintille"), "test_scores_with_pool"),
}


def test_no_game_goes_untested() -> None:
    untested = [name for name in GAMES if name not in TESTED]
    assert not untested, (
        f"test the payoffs of {untested} in tests/rules/test_scores.py or a new file beside it: "
        "every outcome of every contract, as the source document of the rules pays it. Then add "
        "the game to TESTED in tests/rules/test_scores.py"
    )


def test_which_games_are_zero_sum() -> None:
    uneven = {name for name in TESTED if not GAMES[name].zero_sum}
    assert uneven == {"german-solo", "anna-cubed", "squint"}


@pytest.mark.parametrize(
    ("name", "contract", "ended"),
    [
        ("mensch", "five", Outcome({"N": 8, "E": 0, "S": 0})),
        ("mensch", "five", Outcome({"N": 8, "E": 1, "S": 0, "W": 0})),
        ("quadrille", "solo", Outcome({"N": 5, "E": 5, "S": 0, "W": 0}, "won")),
        ("quadrille", "solo", Outcome({"N": 5, "E": 5, "S": 0, "W": 0}, "lost")),
        ("quadrille", "solo", Outcome({"N": 7, "E": 3, "S": 0, "W": 0}, went_on=True)),
        ("german-solo", "tout", Outcome({"N": 8, "E": 0, "S": 0, "W": 0}, "won", went_on=True)),
        ("mensch", "five", Outcome({"N": 8, "E": 0, "S": 0, "W": 0}, "won", went_on=True)),
    ],
)
def test_impossible_outcomes(name: str, contract: str, ended: Outcome) -> None:
    rules = rules_for(name)
    with pytest.raises(RulesError) as caught:
        rules.score(blank(rules), Contract(("N",), (contract,), "H"), ended)
    assert caught.value.code == "outcome-impossible"


def test_nemo_needs_clean_tricks() -> None:
    bid = Contract(SQUINT.seats, ("nemo",) * 5, "NT", penalty="H")
    won = outcome(SQUINT, "10 0 0 0 0")
    for clean in (None, dict.fromkeys(SQUINT.seats, 1)):
        with pytest.raises(RulesError, match="clean"):
            SQUINT.score(blank(SQUINT), bid, replace(won, clean=clean))


def test_german_solo_run_is_the_soloists_own() -> None:
    rules = rules_for("german-solo")
    bid = Contract(("N",), ("frog",), "H", partner="S")
    with pytest.raises(RulesError):
        rules.score(blank(rules), bid, outcome(rules, "4 0 4 0", "won", went_on=True))
