"""Payoffs of every outcome in Ombre, Quadrille and Quintille, including the pool."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from spadille.base.card_text import parse_cards
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.make_payoff_objective import matadors_unknown
from tests.support.deals_and_outcomes import blank, gains, outcome
from tests.support.tiers import tries

# Ombre; Ombre is Player 1, the pool is 6


@pytest.mark.parametrize(("contract", "value"), [("entrada", 5), ("vuelta", 7), ("solo", 15)])
@pytest.mark.parametrize(
    ("tricks", "run", "name", "bonus"),
    [
        ("5 2 2", None, "sacada", 0),
        ("5 4 0", "won", "sacada", 5),
        ("4 3 2", None, "sacada", 0),
        ("9 0 0", None, "sacada", 5),  # all tricks, so the first five too
        ("4 4 1", None, "puesta", 0),
        ("4 1 4", None, "puesta", 0),
        ("3 3 3", None, "puesta", 0),
        ("1 4 4", "lost", "puesta", -5),
        ("4 5 0", "lost", "codille", -5),
        ("3 2 4", None, "codille", 0),
        ("0 5 4", None, "codille", -5),
        ("0 0 9", None, "codille", -5),
    ],
)
def test_ombre(
    contract: str, value: int, tricks: str, run: str | None, name: str, bonus: int
) -> None:
    rules = rules_for("ombre")
    bid = Contract(("1",), (contract,), "S")
    won = outcome(rules, tricks, run)
    if name == "sacada":
        wanted = [6 + 2 * value, -value, -value, -6]
    elif name == "puesta":
        wanted = [-6, 0, 0, 6]
    else:
        second, third = tricks.split()[1:]
        wanted = [-6, 6, 0, 0] if second > third else [-6, 0, 6, 0]
    wanted = [wanted[0] + 2 * bonus, wanted[1] - bonus, wanted[2] - bonus, wanted[3]]
    assert gains(rules.score(blank(rules, pool=6), bid, won), rules) == wanted
    assert rules.outcome_name(bid, won) == name
    assert rules.made(bid, won) == (name == "sacada")


def test_ombre_options_and_default_pool() -> None:
    rules = rules_for("ombre", "first_five_chips=2;estuche_chips=3")
    hands = {
        "1": ("SA", "SK", "S3", "HK", "HQ", "H7", "D7", "D6", "CK"),
        "2": parse_cards("SQ SJ HJ HA DK DQ CQ CJ C7"),
        "3": parse_cards("S7 S6 H2 H3 DJ DA C6 C5 C4"),
    }
    talon = ("S2", "CA", *(c for c in rules.deck if c not in {"S2", "CA"}))
    deal = Deal(rules, "1", hands, talon, talon_ordered=True)
    bid = Contract(("1",), ("entrada",), "S")
    won, lost = outcome(rules, "5 4 0", "won"), outcome(rules, "4 5 0", "lost")
    assert gains(rules.score(deal, bid, won), rules) == [5 + 14, -7, -7, -5]
    # The estuche counts after the exchange.
    drawn = replace(deal, discard={"1": ("D7", "D6")})
    assert gains(rules.score(drawn, bid, won), rules) == [5 + 20, -10, -10, -5]
    assert gains(rules.score(drawn, bid, lost), rules) == [-5 - 10, 5 + 5, 5, 0]
    # "From each on a win, to each otherwise": a puesta is not a win, either.
    puesta = outcome(rules, "4 4 1")
    assert gains(rules.score(drawn, bid, puesta), rules) == [-5 - 6, 3, 3, 5]
    assert rules_for("ombre").score(drawn, bid, won)["1"] == 5 + 20


# Quadrille and Quintille

QUADRILLE = rules_for("quadrille")
# Trumps are hearts. N: all three matadors; S: the Punto.
MATADORS_DEALT = {"N": ("SA", "H7", "CA"), "S": ("HA",), "E": (), "W": ()}


@pytest.mark.parametrize(
    ("options", "contract", "tricks", "run", "went_on", "payoff", "name"),
    [
        ("", "solo", "6 4 0 0", None, False, [9 + 3, -1, -1, -1, -9], "win"),
        ("", "solo", "9 1 0 0", "won", False, [9 + 6, -2, -2, -2, -9], "win"),
        ("", "solo", "10 0 0 0", "won", True, [9 + 12, -4, -4, -4, -9], "vole"),
        ("", "solo", "9 1 0 0", "won", True, [9 + 0, 0, 0, 0, -9], "win"),
        ("", "solo", "5 5 0 0", None, False, [-9 - 3, 1, 1, 1, 9], "remise"),
        ("", "solo", "4 6 0 0", None, False, [-9 - 3, 4, 4, 4, 0], "codille"),
        ("", "vole", "10 0 0 0", None, False, [9 + 12, -4, -4, -4, -9], "vole"),
        ("", "vole", "9 1 0 0", "won", False, [9 + 0, 0, 0, 0, -9], "win"),
        ("", "vole", "6 4 0 0", None, False, [9 - 3, 1, 1, 1, -9], "win"),
        ("", "vole", "5 5 0 0", None, False, [-9 - 3, 1, 1, 1, 9], "remise"),
        (
            "declared_vole_fail=as-remise",
            "vole",
            "9 1 0 0",
            "won",
            False,
            [-12, 1, 1, 1, 9],
            "remise",
        ),
        (
            "declared_vole_fail=as-remise",
            "vole",
            "4 6 0 0",
            None,
            False,
            [-12, 4, 4, 4, 0],
            "codille",
        ),
        (
            "declared_vole_fail=as-remise",
            "solo",
            "6 4 0 0",
            None,
            False,
            [12, -1, -1, -1, -9],
            "win",
        ),
    ],
)
def test_quadrille_alone(
    options: str,
    contract: str,
    tricks: str,
    run: str | None,
    went_on: bool,
    payoff: list[int],
    name: str,
) -> None:
    rules = rules_for("quadrille", options)
    deal = Deal(rules, "N", MATADORS_DEALT, pool=9)
    bid = Contract(("N",), (contract,), "H")
    won = outcome(rules, tricks, run, went_on)
    assert gains(rules.score(deal, bid, won), rules) == payoff
    assert rules.outcome_name(bid, won) == name


@pytest.mark.parametrize(
    ("contract", "tricks", "run", "went_on", "payoff", "name"),
    [
        # N and S, with m = 2 since S has the Punto; the odd chip stays in the pool
        ("alliance", "3 4 3 0", None, False, [4 + 2, -2, 4 + 2, -2, -8], "win"),
        ("alliance", "4 2 4 0", "won", False, [4 + 3, -3, 4 + 3, -3, -8], "win"),
        ("alliance", "5 0 5 0", None, False, [4 + 5, -5, 4 + 5, -5, -8], "vole"),
        ("alliance", "5 1 4 0", "won", True, [4 + 1, -1, 4 + 1, -1, -8], "win"),
        # A loser pays only for their own matadors: m = 1
        ("alliance", "3 5 2 0", None, False, [-9 - 2, 1, 0, 1, 9], "remise"),
        ("alliance", "2 6 2 0", None, False, [-9 - 2, 4 + 1, 0, 4 + 1, 1], "codille"),
        ("forced-spadille", "3 4 3 0", None, False, [6, -2, 6, -2, -8], "win"),
        ("forced-spadille", "3 5 2 0", None, False, [-5 - 1, 1, -4 - 1, 1, 9], "remise"),
        ("forced-spadille", "2 6 2 0", None, False, [-9 - 2, 5, 0, 5, 1], "codille"),
    ],
)
def test_quadrille_pairs(
    contract: str, tricks: str, run: str | None, went_on: bool, payoff: list[int], name: str
) -> None:
    deal = Deal(QUADRILLE, "N", MATADORS_DEALT, pool=9)
    bid = Contract(("N",), (contract,), "H", called="DK", partner="S")
    won = outcome(QUADRILLE, tricks, run, went_on)
    assert gains(QUADRILLE.score(deal, bid, won), QUADRILLE) == payoff
    assert QUADRILLE.outcome_name(bid, won) == name


def from_the_table(
    deal: Deal, contract: Contract, tricks: dict[str, int], run: bool, went_on: bool
) -> dict[str, Fraction]:
    """Compute the payments of RULES 6 and 7, event by event, with a pair's odd chips in halves."""
    rules, kind = deal.rules, contract.ids[0]
    bidder, partner = contract.declarer, contract.partner
    win, size = (6, 10) if rules.game.id == "quadrille" else (5, 8)
    pair = [bidder, partner] if partner else [bidder]
    others = [seat for seat in rules.seats if seat not in pair]
    gains = {seat: Fraction(0) for seat in (*rules.seats, "pool")}
    pool = deal.pool or 0
    taken = sum(tricks[seat] for seat in pair)
    best = rules.suits(contract.trump)[contract.trump]

    def dealt(seats: list[str]) -> int:
        held = [card for seat in seats for card in deal.hands[seat] or ()]
        both = int(rules.options["fourth_trump_pay"])
        return (both if best[3] in held else 1) if {*best[:3]} <= {*held} else 0

    def each_pays(amount: int, to: list[str]) -> None:
        for seat in others:
            gains[seat] -= amount
        for seat in to:
            gains[seat] += Fraction(amount * len(others), len(to))

    missed = kind == "vole" and taken < size
    if taken >= win and not (missed and rules.options["declared_vole_fail"] == "as-remise"):
        for seat in pair:
            gains[seat] += pool // len(pair)
            gains["pool"] -= pool // len(pair)
        each_pays(dealt(pair), pair)
        if run and (
            taken == size or not (went_on or missed) or rules.options["missed_vole_run"] == "kept"
        ):
            each_pays(1, pair)
        if taken == size:
            each_pays(2, pair)
        elif went_on or missed:
            each_pays(-2, pair)
        return gains
    lost = pair if rules.options["lost_matadors"] == "side" else [bidder]
    # In Quintille four tricks are "four or less", which by Quadrille's wording is a codille.
    least = 5 if rules.options.get("remise") == "none" else win - 1
    remise = taken >= least
    shares = pair if remise and kind == "forced-spadille" else [bidder]
    each_pays(-dealt(lost), shares)
    for seat in shares:
        gains[seat] -= Fraction(pool, len(shares))
    gains["pool"] += pool
    if not remise:
        for seat in others:
            gains[seat] += pool // len(others)
            gains["pool"] -= pool // len(others)
    return gains


@pytest.mark.parametrize(
    ("game", "first", "length"),
    [
        ("quadrille", "", 6),
        ("quintille", "", 5),
        ("quintille", "first_run=six", 6),
        ("quintille", "remise=none", 5),
    ],
)
@pytest.mark.parametrize(
    "bonuses", ["", "fourth_trump_pay=3", "missed_vole_run=lost;lost_matadors=side"]
)
@pytest.mark.parametrize("vole", ["as-attempt", "as-remise"])
def test_random_payoffs_against_the_table(
    game: str, first: str, length: int, bonuses: str, vole: str
) -> None:
    options = f"{bonuses};declared_vole_fail={vole};{first}"
    rules = rules_for(game, options)
    random = Random(f"{game} {options}")
    seen = set()
    for _ in range(tries(150, 600)):
        trump = random.choice("SHDC")
        best = list(rules.suits(trump)[trump][:4])
        hands: dict[str, list[str]] = {seat: [] for seat in rules.seats}
        bidder, partner = random.sample(rules.seats, 2)
        for card in best:  # most of these cards go to the bidder
            hands[random.choice([bidder, bidder, bidder, partner, *rules.seats])].append(card)
        deal = Deal(rules, rules.seats[0], {s: tuple(h) for s, h in hands.items()})
        deal = replace(deal, pool=random.randint(0, 12))
        kind = random.choice([*rules.contracts])
        pair = rules.contract(kind).side == "called" and random.random() < 0.9
        contract = Contract((bidder,), (kind,), trump, partner=partner if pair else None)
        # The tricks in order: the winners of the first tricks determine the rest.
        sides = [bidder, partner] if pair else [bidder]
        others = [seat for seat in rules.seats if seat not in sides]
        chance = random.choice([0.3, 0.6, 0.9, 1])
        winners = [
            random.choice(sides if random.random() < chance else others)
            for _ in range(rules.game.hand_size)
        ]
        tricks = {seat: winners.count(seat) for seat in rules.seats}
        run = all(winner in sides for winner in winners[:length])
        none = all(winner in others for winner in winners[:length])
        goes = run and kind != "vole"
        ended = Outcome(tricks, "won" if run else "lost" if none else None, went_on=goes)
        expected = from_the_table(deal, contract, tricks, run, goes)
        found = rules.score(deal, contract, ended)
        assert sum(found.values()) == 0
        for seat, gain in expected.items():
            # In each event, a pair's odd chip goes whole to the bidder.
            slack = Fraction(3, 2) if pair and seat in sides else 0
            assert abs(found[seat] - gain) <= slack, (contract, ended, found, expected)
        assert sum(found[seat] for seat in sides) == sum(expected[seat] for seat in sides)
        seen.add((kind, rules.outcome_name(contract, ended), run))
    assert len(seen) > 12


@pytest.mark.parametrize(("first", "length"), [("target", 5), ("six", 6)])
def test_the_first_run_of_quintille(first: str, length: int) -> None:
    rules = rules_for("quintille", {"first_run": first})
    for kind in rules.contracts.values():
        assert kind.first_run == length
        assert kind.target == (8 if kind.id == "vole" else 5)
    deal = Deal(rules, "1", QUINTILLE_DEALT, pool=9)
    bid = Contract(("1",), ("solo",), "S")
    five = outcome(rules, "5 3 0 0 0", "won" if first == "target" else None)
    assert rules.score(deal, bid, five)["2"] == (-1 if first == "target" else 0)
    assert rules.outcome_name(bid, five) == "win"
    six = outcome(rules, "6 2 0 0 0", "won", True)
    assert rules.score(deal, bid, six)["2"] == 1
    both = rules_for("quintille", {"first_run": "six", "declared_vole_fail": "as-remise"})
    assert both.contract("vole").first_run == 6
    assert "remise" in both.contract("vole").payoff_text


def test_quintille_without_a_remise() -> None:
    """Four tricks are "four or less (called a codille)", and five win."""
    rules = rules_for("quintille", "remise=none")
    deal = Deal(rules, "1", QUINTILLE_DEALT, pool=9)
    four = outcome(rules, "4 4 0 0 0")
    bid = Contract(("1",), ("solo",), "S")
    assert rules.outcome_name(bid, four) == "codille"
    assert gains(rules.score(deal, bid, four), rules) == [-9, 2, 2, 2, 2, 1]
    # The bidder of a Forced Spadille then pays alone.
    pair = Contract(("1",), ("forced-spadille",), "S", partner="2")
    four = outcome(rules, "2 2 4 0 0")
    assert gains(rules.score(deal, pair, four), rules) == [-9, 0, 3, 3, 3, 0]


@pytest.mark.parametrize(("chips", "trick"), [("kept", 1), ("lost", 0)])
def test_the_first_six_chip_of_a_missed_vole(chips: str, trick: int) -> None:
    """ "Two chips, instead" may replace the Vole's two chips, or also the chip for six tricks."""
    rules = rules_for("quadrille", {"missed_vole_run": chips})
    deal = Deal(rules, "N", MATADORS_DEALT | {"N": ()}, pool=9)
    gone_on = outcome(rules, "9 1 0 0", "won", True)
    for kind in ("solo", "vole"):
        paid = rules.score(deal, Contract(("N",), (kind,), "H"), gone_on)
        assert gains(paid, rules) == [9 - 6 + 3 * trick, 2 - trick, 2 - trick, 2 - trick, -9]
    # No Vole was missed: the chip is paid.
    stopped = outcome(rules, "9 1 0 0", "won")
    assert rules.score(deal, Contract(("N",), ("solo",), "H"), stopped)["E"] == -1
    all_ten = outcome(rules, "10 0 0 0", "won", True)
    assert rules.score(deal, Contract(("N",), ("solo",), "H"), all_ten)["E"] == -3


def test_one_chip_for_the_matadors_and_two_more() -> None:
    """Both sentences apply to a player who has the fourth trump, too."""
    rules = rules_for("quadrille", "fourth_trump_pay=3")
    deal = Deal(rules, "N", MATADORS_DEALT | {"N": ("SA", "H7", "CA", "HA"), "S": ()}, pool=0)
    bid = Contract(("N",), ("solo",), "H")
    assert rules.score(deal, bid, outcome(rules, "6 4 0 0"))["E"] == -3
    assert rules.score(deal, bid, outcome(rules, "5 5 0 0"))["E"] == 3
    three = Deal(rules, "N", MATADORS_DEALT, pool=0)
    assert rules.score(three, bid, outcome(rules, "6 4 0 0"))["E"] == -1


def test_matadors_dealt() -> None:
    bid = Contract(("N",), ("solo",), "H")
    won = outcome(QUADRILLE, "6 4 0 0")
    for cards, chips in (
        (("SA", "H7"), 0),
        (("SA", "CA", "HA"), 0),
        (("SA", "H7", "CA"), 1),
        (("SA", "H7", "CA", "HK"), 1),
        (("SA", "H7", "CA", "HA"), 2),
    ):
        deal = Deal(QUADRILLE, "N", MATADORS_DEALT | {"N": cards}, pool=0)
        assert QUADRILLE.score(deal, bid, won)["E"] == -chips
    black = Contract(("N",), ("solo",), "S")
    deal = Deal(QUADRILLE, "N", MATADORS_DEALT | {"N": ("SA", "S2", "CA", "SK")}, pool=0)
    assert QUADRILLE.score(deal, black, won)["E"] == -2


def test_default_pool_of_quadrille_is_one_chip_a_player() -> None:
    bid = Contract(("N",), ("solo",), "S")
    assert QUADRILLE.score(blank(QUADRILLE), bid, outcome(QUADRILLE, "6 4 0 0"))["pool"] == -4


QUINTILLE = rules_for("quintille")
QUINTILLE_DEALT = {"1": ("SA", "H7", "CA"), "2": (), "3": (), "4": (), "5": ()}


@pytest.mark.parametrize(
    ("contract", "partner", "tricks", "run", "went_on", "payoff", "name"),
    [
        ("solo", None, "5 3 0 0 0", "won", False, [9 + 8, -2, -2, -2, -2, -9], "win"),
        ("solo", None, "4 4 0 0 0", None, False, [-9 - 4, 1, 1, 1, 1, 9], "remise"),
        ("solo", None, "3 5 0 0 0", None, False, [-9 - 4, 3, 3, 3, 3, 1], "codille"),
        ("vole", None, "8 0 0 0 0", None, False, [9 + 16, -4, -4, -4, -4, -9], "vole"),
        ("vole", None, "7 1 0 0 0", "won", False, [9, 0, 0, 0, 0, -9], "win"),
        # two against three: 3m shared, the odd chip to the bidder
        ("alliance", "3", "4 1 1 1 1", None, False, [4 + 2, -1, 4 + 1, -1, -1, -8], "win"),
        ("alliance", "3", "4 3 1 0 0", "won", False, [4 + 4, -2, 4 + 2, -2, -2, -8], "win"),
        ("alliance", "3", "7 0 1 0 0", None, False, [4 + 7, -4, 4 + 5, -4, -4, -8], "vole"),
        ("alliance", "3", "5 1 2 0 0", "won", True, [4 + 1, 0, 4 - 1, 0, 0, -8], "win"),
        ("alliance", "3", "3 4 1 0 0", None, False, [-9 - 3, 1, 0, 1, 1, 9], "remise"),
        ("alliance", "3", "2 5 1 0 0", None, False, [-9 - 3, 4, 0, 4, 4, 0], "codille"),
        ("forced-spadille", "3", "3 4 1 0 0", None, False, [-5 - 2, 1, -5, 1, 1, 9], "remise"),
    ],
)
def test_quintille(
    contract: str,
    partner: str | None,
    tricks: str,
    run: str | None,
    went_on: bool,
    payoff: list[int],
    name: str,
) -> None:
    deal = Deal(QUINTILLE, "1", QUINTILLE_DEALT, pool=9)
    bid = Contract(("1",), (contract,), "H", partner=partner)
    won = outcome(QUINTILLE, tricks, run, went_on)
    assert gains(QUINTILLE.score(deal, bid, won), QUINTILLE) == payoff
    assert QUINTILLE.outcome_name(bid, won) == name


@pytest.mark.parametrize(
    ("game", "options", "hands", "side", "unknown"),
    [
        # Spades are trumps: SA, S2, CA are the matadors, SK comes next.
        ("quadrille", "", "SA S2;CA SK;HK HQ;DK DQ", "NE", False),  # m = 2
        ("quadrille", "", "SA S2;CA SQ;HK HQ;DK DQ", "NE", True),  # m = 1 or 2
        ("quadrille", "", "SA S2;CA SQ;SK HQ;DK DQ", "NE", False),  # m = 1
        ("quadrille", "", "SA S2;HJ SQ;HK HQ;DK DQ", "NE", True),  # m = 0 or more
        ("quadrille", "", "SA S2;HJ SQ;CA HQ;DK DQ", "NE", False),  # m = 0
        ("ombre", "", "SA S2;HJ SQ;HK HQ", "1", False),  # no chips for matadors
        ("ombre", "estuche_chips=2", "SA S2;HJ SQ;HK HQ", "1", True),
        ("ombre", "estuche_chips=2", "SA S2;HJ CA;HK HQ", "1", False),
        ("german-solo", "", "SA SQ;HJ CQ;HK HQ;DK DQ", "N", False),  # they pay nothing
    ],
)
def test_what_an_end_position_tells_of_the_matadors(
    game: str, options: str, hands: str, side: str, unknown: bool
) -> None:
    rules = rules_for(game, options)
    cards = dict(zip(rules.seats, (tuple(hand.split()) for hand in hands.split(";")), strict=True))
    deal = Deal(rules, rules.seats[0], cards, leader=rules.seats[0])
    assert matadors_unknown(deal, "S", side) == unknown
