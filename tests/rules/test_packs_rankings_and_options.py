"""Packs, rankings, trumps, matadors, seats and options of every registered game."""

from __future__ import annotations

import pickle

import pytest

from spadille.base.card_text import SUITS
from spadille.base.errors import RulesError
from spadille.games import GAMES, check_option, get_game, rules_for
from tests.support.document_facts import FactTable

NORMAL = "A K Q J T 9 8 7 6 5 4 3 2"
WHIST = {trump: dict.fromkeys(SUITS, NORMAL) for trump in (*SUITS, "NT")}


def _ombre(red: str) -> dict[str, dict[str, str]]:
    black = "K Q J 7 6 5 4 3 2"
    plain = {"S": black, "H": red, "D": red, "C": black}
    red_trumps = "SA {0}7 CA {0}A {0}K {0}Q {0}J {0}2 {0}3 {0}4 {0}5 {0}6"
    black_trumps = "SA {0}2 CA {0}K {0}Q {0}J {0}7 {0}6 {0}5 {0}4 {0}3"
    return {
        trump: plain | {trump: (red_trumps if trump in "HD" else black_trumps).format(trump)}
        for trump in SUITS
    }


ACE_HIGH = "A K Q J 2 3 4 5 6 7"
KING_HIGH = "K Q J A 2 3 4 5 6 7"
FULL32 = "A K Q J T 9 8 7"
NO_QUEEN = "A K J T 9 8 7"
# RULES 3..8: rankings by game, trump and suit. A bare rank is a card of the suit.
RANKINGS: FactTable[dict[str, dict[str, str]]] = FactTable(
    "RANKINGS in tests/rules/test_packs_rankings_and_options.py",
    "the cards of each suit from high to low, for each trump",
    {
        "mensch": {
            "C": {"S": FULL32, "H": FULL32, "D": FULL32, "C": "CQ C7 CA CK CJ CT C9 C8"},
            "S": {"S": "CQ S7 SA SK SQ SJ ST S9 S8", "H": FULL32, "D": FULL32, "C": NO_QUEEN},
            "H": {"S": FULL32, "H": "CQ H7 HA HK HQ HJ HT H9 H8", "D": FULL32, "C": NO_QUEEN},
            "D": {"S": FULL32, "H": FULL32, "D": "CQ D7 DA DK DQ DJ DT D9 D8", "C": NO_QUEEN},
        },
        "german-solo": {
            "C": {"S": NO_QUEEN, "H": FULL32, "D": FULL32, "C": "CQ C7 SQ CA CK CJ CT C9 C8"},
            "S": {"S": "CQ S7 SQ SA SK SJ ST S9 S8", "H": FULL32, "D": FULL32, "C": NO_QUEEN},
            "H": {"S": NO_QUEEN, "H": "CQ H7 SQ HA HK HQ HJ HT H9 H8", "D": FULL32, "C": NO_QUEEN},
            "D": {"S": NO_QUEEN, "H": FULL32, "D": "CQ D7 SQ DA DK DQ DJ DT D9 D8", "C": NO_QUEEN},
        },
        "ombre": _ombre(KING_HIGH),
        "quadrille": _ombre(ACE_HIGH),
        "quintille": _ombre(ACE_HIGH),
        "solo-whist": WHIST,
        "squint": WHIST,
        "anna-cubed": WHIST,
    },
)

# RULES 1: players, pack, hand, undealt, direction.
SHAPES = FactTable(
    "SHAPES in tests/rules/test_packs_rankings_and_options.py",
    "the players, the cards of the pack, of a hand and of the talon, and the direction of play",
    {
        "mensch": (4, 32, 8, 0, "cw"),
        "german-solo": (4, 32, 8, 0, "cw"),
        "ombre": (3, 40, 9, 13, "ccw"),
        "quadrille": (4, 40, 10, 0, "ccw"),
        "quintille": (5, 40, 8, 0, "ccw"),
        "solo-whist": (4, 52, 13, 0, "cw"),
        "squint": (5, 52, 10, 2, "cw"),
        "anna-cubed": (4, 52, 13, 0, "cw"),
    },
)

# RULES 12: sizes of the suits, trumps first.
CHECK_SUMS = FactTable(
    "CHECK_SUMS in tests/rules/test_packs_rankings_and_options.py",
    "the sizes of the suits, trumps first, for each trump",
    {
        "mensch": {"C": [8, 8, 8, 8], "SHD": [9, 8, 8, 7]},
        "german-solo": {"HD": [10, 8, 7, 7], "SC": [9, 8, 8, 7]},
        "ombre": {"HD": [12, 10, 9, 9], "SC": [11, 10, 10, 9]},
        "quadrille": {"HD": [12, 10, 9, 9], "SC": [11, 10, 10, 9]},
        "quintille": {"HD": [12, 10, 9, 9], "SC": [11, 10, 10, 9]},
        "solo-whist": {"SHDC": [13, 13, 13, 13]},
        "squint": {"SHDC": [13, 13, 13, 13]},
        "anna-cubed": {"SHDC": [13, 13, 13, 13]},
    },
)

OMBRE_MATADORS = {"S": "SA S2 CA", "H": "SA H7 CA", "D": "SA D7 CA", "C": "SA C2 CA"}
MATADORS = {
    "german-solo": {"S": "CQ S7 SQ", "H": "CQ H7 SQ", "D": "CQ D7 SQ", "C": "CQ C7 SQ"},
    "ombre": OMBRE_MATADORS,
    "quadrille": OMBRE_MATADORS,
    "quintille": OMBRE_MATADORS,
}

ALL_GAMES = sorted(GAMES)


def test_the_eight_games_are_registered_under_their_ids() -> None:
    assert set(SHAPES) <= set(GAMES)
    assert all(get_game(name).id == name for name in GAMES)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_shape(name: str) -> None:
    players, pack, hand, undealt, direction = SHAPES[name]
    game = GAMES[name]
    assert len(game.seats) == players
    assert len(game.deck) == len(set(game.deck)) == pack
    assert game.hand_size == hand
    assert game.talon_size == undealt == pack - players * hand
    assert game.rotation == direction == game.options["rotation"].default


@pytest.mark.parametrize("name", ALL_GAMES)
def test_rankings(name: str) -> None:
    rules = rules_for(name)
    rows = RANKINGS[name]
    assert set(rules.trumps) == set(rows), (
        f"the row {name!r} of RANKINGS in tests/rules/test_packs_rankings_and_options.py needs "
        f"the cards of each suit for each of the trumps {rules.trumps} (NT is no trump)"
    )
    for trump, suits in rows.items():
        found = rules.suits(trump)
        assert list(found) == list(SUITS)
        for suit, ranks in suits.items():
            wanted = tuple(card if len(card) == 2 else suit + card for card in ranks.split())
            assert found[suit] == wanted, (trump, suit)
        assert rules.suits(trump) is found
        assert sorted(rules.suit_of(trump)) == sorted(rules.deck)
        assert all(card in found[suit] for card, suit in rules.suit_of(trump).items())
    if "NT" not in rows:
        with pytest.raises(RulesError) as caught:
            rules.suits("NT")
        assert caught.value.code == "trump-unknown"


@pytest.mark.parametrize("name", ALL_GAMES)
def test_check_sums(name: str) -> None:
    rules = rules_for(name)
    for trumps, sizes in CHECK_SUMS[name].items():
        for trump in trumps:
            found = rules.suits(trump)
            assert len(found[trump]) == sizes[0]
            assert sorted(map(len, found.values()), reverse=True) == sizes
            assert sum(sizes) == len(rules.deck)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_matadors(name: str) -> None:
    rules = rules_for(name)
    for trump in rules.trumps:
        assert rules.matadors(trump) == tuple(MATADORS.get(name, {}).get(trump, "").split())


@pytest.mark.parametrize("name", ["ombre", "quadrille", "quintille"])
@pytest.mark.parametrize(("order", "ranks"), [("king-high", KING_HIGH), ("ace-high", ACE_HIGH)])
def test_red_plain_order(name: str, order: str, ranks: str) -> None:
    rules = rules_for(name, f"red_plain_order={order}")
    assert rules.suits("S")["H"] == tuple("H" + rank for rank in ranks.split())
    assert rules.suits("H")["H"] == rules_for(name).suits("H")["H"]


@pytest.mark.parametrize("name", ALL_GAMES)
def test_options(name: str) -> None:
    game = GAMES[name]
    for key, option in game.options.items():
        assert option.help
        if option.values:
            assert option.values[0] == option.default
        for value in option.values or (option.default,):
            assert rules_for(name, {key: value}).options[key] == value


@pytest.mark.parametrize("name", ALL_GAMES)
def test_turn_order(name: str) -> None:
    seats = GAMES[name].seats
    for rotation in ("cw", "ccw"):
        rules = rules_for(name, {"rotation": rotation})
        around = seats if rotation == "cw" else (seats[0], *reversed(seats[1:]))
        assert rules.turn_order == around
        seat = seats[0]
        for wanted in (*around[1:], seats[0]):
            seat = rules.next_seat(seat)
            assert seat == wanted
        assert rules.eldest(seats[0]) == around[1]
        assert rules.in_turn(around[1]) == (*around[1:], around[0])


def test_turn_passes_to_the_left_or_right() -> None:
    assert rules_for("mensch").next_seat("N") == "E"
    assert rules_for("quadrille").next_seat("N") == "W"
    assert rules_for("ombre").next_seat("1") == "3"
    assert rules_for("quintille").next_seat("1") == "5"


def test_options_are_read_from_text_or_mapping() -> None:
    text = rules_for("german-solo", " color = H ; frog_payoff=zero-sum; ")
    mapping = rules_for("german-solo", {"frog_payoff": "zero-sum", "color": "H"})
    assert text == mapping
    assert hash(text) == hash(mapping)
    assert text.text == "color=H;frog_payoff=zero-sum"
    assert rules_for("german-solo", "color=C") == rules_for("german-solo")
    assert rules_for("german-solo").text == ""
    assert rules_for("german-solo") is rules_for("german-solo")
    assert text != rules_for("german-solo")
    assert pickle.loads(pickle.dumps(text)) == text
    assert repr(text) == "Rules('german-solo', 'color=H;frog_payoff=zero-sum')"


@pytest.mark.parametrize(
    ("game", "options", "code", "quoted"),
    [
        ("bridge", "", "game-unknown", "'bridge'"),
        ("mensch", "colour=C", "option-unknown", "'colour'"),
        ("german-solo", "color=X", "option-value", "'X'"),
        ("ombre", "first_five_chips=-1", "option-value", "'-1'"),
        ("ombre", "first_five_chips=many", "option-value", "'many'"),
        ("ombre", "first_five_chips=\u0663", "option-value", "from 0 to 999999"),
        ("ombre", f"estuche_chips={'9' * 5000}", "option-value", "from 0 to 999999"),
        ("ombre", "rotation", "option-unreadable", "'rotation'"),
        ("ombre", "rotation=cw;rotation=ccw", "option-duplicate", "'rotation'"),
    ],
)
def test_wrong_options(game: str, options: str, code: str, quoted: str) -> None:
    with pytest.raises(RulesError) as caught:
        rules_for(game, options)
    assert caught.value.code == code
    assert quoted in str(caught.value)


@pytest.mark.parametrize(("name", "value"), [("colour", "C"), ("color", "green")])
def test_no_game_has_an_option(name: str, value: str) -> None:
    with pytest.raises(RulesError) as found:
        check_option(name, value)
    assert found.value.code == "option-unknown"


def test_some_game_has_an_option() -> None:
    check_option("color", "none")  # German Solo
    check_option("red_plain_order", "ace-high")  # several games have this option
