"""`spadille.strength`: the value of a hand, from the tables that come with the package."""

from __future__ import annotations

import gzip
import json
import random
from array import array
from importlib.resources import files

import pytest

import spadille
from spadille.core.strength.holdings import HandLanes, Holdings
from spadille.core.strength.strength_tables import GameTables, tables_for
from spadille.games import rules_for
from spadille.search.encoding import encoding
from spadille.search.engine import StrengthTable
from spadille.search.engine_strength_table import engine_table
from tests.support.hand_value_referee import made_share, mean_payoff

GAMES = sorted(
    file.name.partition(".")[0] for file in (files("spadille.core.strength") / "data").iterdir()
)


def _tables(game: str) -> GameTables:
    tables = tables_for(rules_for(game))
    assert tables is not None
    return tables


def _hands(game: str, number: int, seed: int) -> list[tuple[str, ...]]:
    rules, rng = rules_for(game), random.Random(seed)
    return [tuple(rng.sample(rules.deck, rules.game.hand_size)) for _ in range(number)]


# Bids without a table, because the contract depends on other hands or makes with hardly any hand.
WHIST = {"prop-cop", "abundance-declared"}
WITHOUT = {"ombre": {"vuelta"}, "solo-whist": WHIST, "anna-cubed": WHIST}


@pytest.mark.parametrize("game", spadille.GAMES)
def test_every_contract_that_is_bid_has_a_table(game: str) -> None:
    tables = tables_for(rules_for(game))
    bids = {bid.contract for bid in rules_for(game).bidding.bids}
    missing = bids - WITHOUT.get(game, set()) - {*(tables.contracts if tables else ())}
    assert not missing, (
        f"make strength tables of these contracts of {game!r} as docs/strength-measured.md says, "
        "or add them to WITHOUT in tests/strength/test_strength.py, with the reason: "
        f"{sorted(missing)}"
    )


@pytest.mark.parametrize("game", GAMES)
def test_hands_have_the_bits_of_the_engine(game: str) -> None:
    rules = rules_for(game)
    for trump in rules.trumps:
        assert HandLanes(rules, trump).bits == encoding(rules, trump).bits


@pytest.mark.parametrize(("length", "low"), [(7, 0), (10, 5), (13, 8), (13, 0)])
def test_every_holding_has_a_number_of_its_own(length: int, low: int) -> None:
    holdings = Holdings(length, low)
    numbers = {}
    for mask in range(1 << length):
        numbers.setdefault(holdings.index(mask), set()).add(
            (mask >> low, (mask & (1 << low) - 1).bit_count())
        )
    assert sorted(numbers) == list(range(holdings.size))
    assert all(len(alike) == 1 for alike in numbers.values())
    assert all(holdings.index(holdings.example(n)) == n for n in range(holdings.size))


@pytest.mark.first_cases(1)
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_finds_the_same(game: str) -> None:
    rules, tables = rules_for(game), _tables(game)
    for contract in tables.contracts:
        kind = rules.contract(contract)
        for trump in tables.trumps(contract):
            table = tables.table(contract, trump)
            assert table is not None
            fast = engine_table(table)
            assert fast.positions == table.positions
            for number, hand in enumerate(_hands(game, 25, 5)):
                bits, position = table.lanes.hand(hand), number % table.positions
                called = -1
                if kind.side == "called":
                    cards = rules.callable_cards(trump, hand, kind)
                    if not cards:
                        continue
                    called = encoding(rules, trump).numbers[random.Random(7).choice(cards)]
                made = made_share(table, bits, position, called)
                payoff = mean_payoff(table, bits, position, called)
                assert fast.made(bits, position, called) == pytest.approx(made, abs=1e-6)
                assert fast.payoff(bits, position, called) == pytest.approx(payoff, abs=1e-4)
                several = fast.many(array("Q", [bits, bits]), position, called).tolist()
                assert several[2:] == pytest.approx([made, payoff], abs=1e-4)


def test_the_engine_refuses_other_tables_and_hands() -> None:
    table = _tables("german-solo").table("solo", "H")
    assert table is not None
    fast = engine_table(table)
    hand = table.lanes.hand(_hands("german-solo", 1, 1)[0])
    for arguments in ((hand, 4, -1), (hand, -1, -1), (hand, 0, 3), (1 << 15, 0, -1), (-1, 0, -1)):
        with pytest.raises(spadille.ArgumentError):
            fast.made(*arguments)
    with pytest.raises(spadille.ArgumentError, match="cards outside these suits"):
        fast.many(array("Q", [hand, 1 << 15]), 0)
    assert fast.many(array("Q"), 0).tolist() == []
    suits, layer = [(0, 0, [0] * 16, (), ())] * 4, ([0] * 512, [0] * 32)
    wide, after = ([0] * 1024, [0] * 64), ([0] * 2048, [0] * 32)
    with pytest.raises(spadille.ArgumentError, match="position"):
        StrengthTable(suits, False, [0], [layer], [], 0, 0)
    for wrong in (
        [([0] * 511, [0] * 32)],
        [([0] * 512, [0] * 31)],
        [layer, layer],
        [wide, layer],
        [([0] * 1024, [0] * 63), after],
    ):
        with pytest.raises(spadille.ArgumentError, match="unit"):
            StrengthTable(suits, False, [0] * 16, wrong, [], 0, 0)
    for fitting in ([layer], [wide, after]):
        with pytest.raises(spadille.ArgumentError, match="score"):
            StrengthTable(suits, False, [0] * 16, fitting, [], 0, 0)


@pytest.mark.parametrize("game", GAMES)
def test_shares_and_payoffs_lie_where_they_can(game: str) -> None:
    tables = _tables(game)
    for contract in tables.contracts:
        for trump in tables.trumps(contract):
            for hand in _hands(game, 20, 3):
                try:
                    found = spadille.strength(hand, f"{contract} {trump}", game)
                except spadille.ContractError:  # no callable card, or not its holder
                    continue
                assert 0 <= found.made <= 1
                assert 0 < found.made_error < 0.2
                assert found.version == tables.version
                assert found.to_dict()["version"] == tables.version


@pytest.mark.parametrize("game", GAMES)
def test_a_share_never_falls_as_the_score_rises(game: str) -> None:
    data = json.loads(
        gzip.decompress((files("spadille.core.strength") / "data" / f"{game}.json.gz").read_bytes())
    )
    for parts in data["contracts"].values():
        for part in parts:
            paid = [part["least"], *(score["payoff"] for score in part["scores"])]
            assert paid == sorted(set(paid))
            for score in part["scores"]:
                assert score["shares"] == sorted(score["shares"])
                assert 0 <= score["shares"][0] <= score["shares"][-1] <= 10_000


def test_strength_agrees_with_layouts_of_the_same_hand() -> None:
    hand = "A8.AK98.7.Q"
    found = spadille.strength(hand, "solo H", "german-solo", position=1)
    made = 0
    deals = spadille.deals("german-solo", 400, seed=4, hands={"E": hand}, dealer="W")
    for deal in deals:
        assert deal.rules.in_turn(deal.rules.eldest(deal.dealer))[1] == "E"
        made += bool(spadille.solve(deal, "E solo H").makes)
    # Three standard deviations of 400 deals, plus the errors of the tables.
    assert made / 400 == pytest.approx(found.made, abs=0.075 + 2 * found.made_error)


def test_the_best_card_is_called() -> None:
    hand = "87.AQJ7.7.Q"
    best = spadille.strength(hand, "frog H", "german-solo")
    assert best.called is not None
    others = [
        spadille.strength(hand, f"frog H {card}", "german-solo")
        for card in rules_for("german-solo").callable_cards("H", _cards(hand))
    ]
    assert best.payoff == max(other.payoff for other in others)


def _cards(hand: str) -> list[str]:
    return [
        suit + rank for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks
    ]


def test_trumps_that_are_alike_have_the_same_strength() -> None:
    spades = spadille.strength("AKQ7.A8.7.Q", "solo S", "german-solo")
    clubs = spadille.strength("Q.A8.7.AKQ7", "solo C", "german-solo")
    # The black queens are trumps in both; clubs pay double.
    assert clubs.made == spades.made
    assert clubs.payoff == pytest.approx(2 * spades.payoff)


def test_the_mean_of_all_positions() -> None:
    hand = "A8.AK98.7.Q"
    each = [
        spadille.strength(hand, "solo H", "german-solo", position=position) for position in range(4)
    ]
    found = spadille.strength(hand, "solo H", "german-solo")
    assert found.position is None
    assert found.made == pytest.approx(sum(one.made for one in each) / 4)
    assert [one.position for one in each] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("hand", "contract", "game", "error", "words"),
    [
        ("87.AQJ7.7.Q", "solo H", "no-game", spadille.RulesError, "no-game"),
        ("87.AQJ7.7.Q", "sola H", "german-solo", spadille.ContractError, "'sola'"),
        ("87.AQJ7.7.Q", "solo", "german-solo", spadille.ContractError, "'solo S'"),
        ("87.AQJ7.7.Q", "solo NT", "german-solo", spadille.ContractError, "trump NT"),
        ("87.AQJ7.7.Q", "solo H now", "german-solo", spadille.ContractError, "'now'"),
        ("87.AQJ7.7.Q", "solo H SA", "german-solo", spadille.ContractError, "has no called card"),
        ("87.AQJ7.7.Q", "frog H HK", "german-solo", spadille.ContractError, "HK cannot be called"),
        ("87.AQJ7.7.Q", "solo H S", "german-solo", spadille.ContractError, "two trumps"),
        ("87.AQJ7.7.Q", "frog H DA CA", "german-solo", spadille.ContractError, "two called cards"),
        ("87.AQJ7.7.", "solo H", "german-solo", spadille.DealError, "8 cards, not 7 cards"),
        ("87.AQJ7.6.Q", "solo H", "german-solo", spadille.CardError, "D6"),
        (["SA"] * 8, "solo H", "german-solo", spadille.DealError, "SA is held twice"),
        ("A87.AQJ7.7.AK", "grand-solo H", "squint", spadille.ArgumentError, "Squint"),
        ("", "", "german-solo", spadille.ContractError, "no contract"),
        (8, "solo H", "german-solo", spadille.ArgumentError, "not 8"),
    ],
)
def test_what_is_wrong_is_said(
    hand: object, contract: str, game: str, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        spadille.strength(hand, contract, game)  # type: ignore[arg-type]


def test_other_rules_have_no_tables() -> None:
    with pytest.raises(spadille.ArgumentError, match="matador_rule=higher-only"):
        spadille.strength(
            "87.AQJ7.7.Q", "solo H", "german-solo", options="matador_rule=higher-only"
        )
    same = spadille.strength("87.AQJ7.7.Q", "solo H", "german-solo", options="bidding_order=round")
    assert same == spadille.strength("87.AQJ7.7.Q", "solo H", "german-solo")


@pytest.mark.parametrize("position", [4, -1, "1", True, 1.0])
def test_a_position_is_a_place_in_the_trick(position: object) -> None:
    with pytest.raises(spadille.ArgumentError, match="position"):
        spadille.strength(
            "87.AQJ7.7.Q",
            "solo H",
            "german-solo",
            position=position,  # type: ignore[arg-type]
        )
