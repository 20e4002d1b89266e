"""Names, bids, stakes and exchanges of every game, compared with the tables of the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from spadille.games import GAMES, get_game, rules_for
from spadille.games.model.contract_kinds import ExchangeRule, GameCourse
from spadille.games.model.game import Rules
from spadille.games.ombre import OMBRE

WHIST_BIDS = [
    ("prop", "prop-cop", None, False),
    ("cop", "prop-cop", "prop", True),
    *(
        (name, name, None, False)
        for name in (
            *("solo", "misere", "abundance", "abundance-trumps"),
            *("misere-ouverte", "abundance-declared"),
        )
    ),
]
QUADRILLE = {
    "alliance": "Alliance",
    "forced-spadille": "Forced Spadille",
    "solo": "Solo",
    "vole": "Vole",
}
NAMES = {
    "mensch": {
        "half": "Half",
        "after": "After",
        "pass-out": "Pass-out",
        "five": "Five",
        "five-after": "Five After",
        "six": "Six",
        "six-after": "Six After",
        "seven": "Seven",
        "seven-after": "Seven After",
        "solo": "Solo",
    },
    "german-solo": {"frog": "Frog", "solo": "Solo", "tout": "Tout"},
    "ombre": {"entrada": "Entrada", "vuelta": "Vuelta", "solo": "Solo"},
    "quadrille": QUADRILLE,
    "quintille": QUADRILLE,
    "solo-whist": {
        "prop-cop": "Prop & Cop",
        "solo": "Solo",
        "misere": "Misère",
        "abundance": "Abundance",
        "abundance-trumps": "Abundance in Trumps",
        "misere-ouverte": "Misère Ouverte",
        "abundance-declared": "Abundance Declared",
    },
    "squint": {
        "ace-solo": "Ace solo",
        "misere": "Misère",
        "grand-solo": "Grand Solo",
        "solo": "Solo",
        "duo": "Duo",
        "nemo": "Nemo",
    },
    "anna-cubed": {
        "prop-cop": "Prop/Cop",
        "solo": "Solo",
        "misere": "Misere",
        "abundance": "Abundance",
        "abundance-trumps": "Abundance Trumps",
        "misere-ouverte": "Misere Ouverte",
        "abundance-declared": "Abundance Declared",
    },
}
GAME_NAMES = {
    "mensch": "Mensch",
    "german-solo": "German Solo",
    "ombre": "Ombre",
    "quadrille": "Quadrille",
    "quintille": "Quintille",
    "solo-whist": "Solo Whist",
    "squint": "Squint",
    "anna-cubed": "Solo (Anna Cubed)",
}

# Word, contract, the bid it must follow, whether it joins that one.
BIDS = {
    "mensch": [
        ("half", "half", None, False),
        ("after", "after", "half", False),
        ("five", "five", None, False),
        ("five-after", "five-after", "five", False),
        ("six", "six", None, False),
        ("six-after", "six-after", "six", False),
        ("seven", "seven", None, False),
        ("seven-after", "seven-after", "seven", False),
        ("solo", "solo", None, False),
    ],
    "german-solo": [
        (kind + color, kind, None, False)
        for kind in ("frog", "solo", "tout")
        for color in ("", "-color")
    ],
    "ombre": [(name, name, None, False) for name in ("entrada", "vuelta", "solo")],
    "quadrille": [(name, name, None, False) for name in ("alliance", "solo", "vole")],
    "quintille": [(name, name, None, False) for name in ("alliance", "solo", "vole")],
    "solo-whist": WHIST_BIDS,
    "squint": [],
    "anna-cubed": WHIST_BIDS,
}

# The section of the rules, the order of calls, who may hold, who plays if all pass, the word for
# it, and whether the declarer may raise.
BIDDING = {
    "mensch": (3, "once", "", ("CQ", "pass-out"), "misdeal", False),
    "german-solo": (4, "duel", "overbid", ("CQ", "solo"), "misdeal", True),
    "ombre": (5, "until-settled", "bidders", None, "misdeal", False),
    "quadrille": (6, "until-settled", "", ("SA", "forced-spadille"), "misdeal", False),
    "quintille": (6, "until-settled", "", ("SA", "forced-spadille"), "misdeal", False),
    "solo-whist": (8, "until-settled", "", None, "misdeal", False),
    "squint": (9, "until-settled", "", None, "misdeal", False),
    "anna-cubed": (10, "once", "", None, "goulash", False),
}

WHIST_VALUES = {
    "prop-cop": (1,),
    "solo": (1,),
    "misere": (2,),
    "abundance": (3,),
    "abundance-trumps": (3,),
    "misere-ouverte": (4,),
    "abundance-declared": (6,),
}
VALUES = {
    "mensch": dict.fromkeys(NAMES["mensch"], ()),
    # The value outside Color, then in Color.
    "german-solo": {"frog": (2, 4), "solo": (4, 8), "tout": (16, 32)},
    "ombre": {"entrada": (5,), "vuelta": (7,), "solo": (15,)},
    "quadrille": dict.fromkeys(QUADRILLE, ()),
    "quintille": dict.fromkeys(QUADRILLE, ()),
    "solo-whist": WHIST_VALUES,
    "squint": {
        "ace-solo": (20,),
        "misere": (25,),
        "grand-solo": (15,),
        "solo": (10, 5),
        "duo": (10,),
        "nemo": (20, 10),
    },
    "anna-cubed": WHIST_VALUES,
}

# Other numbers in the text of a contract's payoff.
SINGLE, DOUBLE = ("1", "8", "2"), ("2", "8", "4")
TOLD = {
    "mensch": {
        **dict.fromkeys(("half", "after", "pass-out", "five", "six", "seven"), SINGLE),
        **dict.fromkeys(("five-after", "six-after", "seven-after"), DOUBLE),
        "solo": ("4", "8"),
    },
    "quadrille": {"alliance": ("1", "2"), "solo": ("1", "2"), "vole": ("6", "9", "2")},
    "quintille": {"alliance": ("1", "2"), "solo": ("1", "2"), "vole": ("5", "7", "2")},
}

NO_EXCHANGE = ExchangeRule("none")
SOLOISTS = ExchangeRule("side", 2, "eldest-first", "whole", from_hand=True, face_up="of-several")
EXCHANGES = {
    ("ombre", "entrada"): ExchangeRule("all", 8, "side-first", "top"),
    ("ombre", "vuelta"): ExchangeRule("all", 8, "side-first", "top"),
    ("ombre", "solo"): ExchangeRule("opponents", 8, takes="top", from_hand=True),
    **{("squint", kind): SOLOISTS for kind in ("ace-solo", "misere", "grand-solo", "solo")},
    ("squint", "duo"): ExchangeRule("side", 1, takes="talon", from_hand=True),
    ("squint", "nemo"): ExchangeRule(
        "all", 2, "eldest-first", "whole", complete=True, face_up="always"
    ),
}

COURSES = {
    "mensch": GameCourse(),
    "german-solo": GameCourse(deal_goes_round=True, clear_winner=True),
    "ombre": GameCourse(deal_goes_round=True, chips=50),
    "quadrille": GameCourse(deal_goes_round=True, chips=40),
    "quintille": GameCourse(deal_goes_round=True, chips=40),
    "solo-whist": GameCourse(deal_goes_round=True),
    "squint": GameCourse(),
    "anna-cubed": GameCourse(
        trumps=("H", "C", "D", "S", "NT"),
        # Packets of three cards, and one of four: 13 cards to each player in turn.
        packets=((4, 3, 3, 3), (3, 4, 3, 3), (3, 3, 4, 3), (3, 3, 3, 4)),
    ),
}

# The default chips of the pool, and whether the dealer pays them.
ANTES = {"ombre": (5, True), "quadrille": (4, False), "quintille": (5, False)}
MATADORS = ("Spadille", "Manille", "Basto")
MATADOR_NAMES = {
    "german-solo": ("the Spadilla", "the Manille", "the Basta"),
    **dict.fromkeys(("ombre", "quadrille", "quintille"), MATADORS),
}


@pytest.mark.parametrize("name", GAMES)
def test_the_words_of_a_game(name: str) -> None:
    game = GAMES[name]
    assert (game.id, game.name) == (name, GAME_NAMES[name])
    assert get_game(game.name) is game
    assert {kind.id: kind.name for kind in game.contracts.values()} == NAMES[name]
    assert {key: kind.id for key, kind in game.contracts.items()} == {
        key: key for key in game.contracts
    }
    assert game.matador_names == MATADOR_NAMES.get(name, ())
    assert game.summary.endswith(".")


@pytest.mark.parametrize("name", GAMES)
def test_the_bids_of_a_game(name: str) -> None:
    bidding = GAMES[name].bidding
    assert [(bid.word, bid.contract, bid.over, bid.joins) for bid in bidding.bids] == BIDS[name]
    assert [bid.in_color for bid in bidding.bids] == [
        name == "german-solo" and word.endswith("-color") for word, *_ in BIDS[name]
    ]
    assert (
        bidding.section,
        bidding.rounds,
        bidding.hold,
        bidding.falls_to,
        bidding.passed_out,
        bidding.may_raise,
    ) == BIDDING[name]
    assert bool(bidding.cards) == (name == "squint")


@pytest.mark.parametrize("name", GAMES)
def test_the_stakes_and_exchanges_of_a_game(name: str) -> None:
    game = GAMES[name]
    assert {kind.id: kind.values for kind in game.contracts.values()} == VALUES[name]
    for kind in game.contracts.values():
        assert kind.exchange == EXCHANGES.get((name, kind.id), NO_EXCHANGE), kind.id
        # The text contains every number that is paid.
        told = "".join(letter if letter.isdigit() else " " for letter in kind.payoff_text).split()
        assert {*map(str, kind.values), *TOLD.get(name, {}).get(kind.id, ())} <= {*told}, kind.id
    assert game.course == COURSES[name]
    assert (game.ante, game.dealer_antes) == ANTES.get(name, (0, False))


@pytest.mark.parametrize("name", GAMES)
def test_what_is_special_about_a_game(name: str) -> None:
    game = GAMES[name]
    assert game.draws_first == game.passes_on == (name == "squint")
    assert game.turns_up == (name == "solo-whist")
    assert game.call_needs_suit == (name == "mensch")
    kinds = game.contracts.values()
    holders = {"pass-out": "CQ", "forced-spadille": "SA"}
    assert {kind.id: kind.holder for kind in kinds if kind.holder} == {
        kind.id: holders[kind.id] for kind in kinds if kind.id in holders
    }
    # A player of a Frog may call nobody; the hand of a Misère Ouverte is exposed after a trick.
    assert [kind.id for kind in kinds if kind.may_call] == ["frog"] * (name == "german-solo")
    assert {kind.id: kind.exposed_after for kind in kinds if kind.exposed_after} == (
        {"misere-ouverte": 1} if "misere-ouverte" in game.contracts else {}
    )
    # Only Ombre has surrenders: before the fourth trick, in Vuelta with the others' consent.
    surrenders = {kind.id: (kind.surrender_until, kind.surrender_agreed) for kind in kinds}
    expected = dict.fromkeys(surrenders, (0, False))
    if name == "ombre":
        expected |= {"entrada": (4, False), "vuelta": (4, True)}
    assert surrenders == expected


@pytest.mark.parametrize(
    ("game", "option", "contract", "field", "changed"),
    [
        ("solo-whist", "declared_trump=suit", "abundance-declared", "trump", "any"),
        ("anna-cubed", "declared_trump=suit", "abundance-declared", "trump", "any"),
        ("solo-whist", "abundance_trump_timing=before-play", "abundance", "trump_late", False),
        ("quintille", "first_run=six", "alliance", "first_run", 6),
        ("quintille", "first_run=six", "forced-spadille", "first_run", 6),
        ("quintille", "first_run=six", "solo", "first_run", 6),
        ("quintille", "first_run=six", "vole", "first_run", 6),
        (
            *("ombre", "vuelta_exchange=no", "vuelta", "exchange"),
            ExchangeRule("opponents", 8, takes="top"),
        ),
    ],
)
def test_an_option_changes_one_thing_of_a_contract(
    game: str, option: str, contract: str, field: str, changed: Any
) -> None:
    default, varied = (rules_for(game, text).contract(contract) for text in ("", option))
    assert getattr(varied, field) == changed != getattr(default, field)
    others = {
        name
        for name in default.__dataclass_fields__
        if getattr(default, name) != getattr(varied, name)
    }
    assert others == {field}


def test_a_pass_out_that_pays_like_a_half_says_so() -> None:
    one, two = (rules_for("mensch", f"passout_loss={value}").contracts for value in "12")
    assert one["half"] == two["half"]
    assert one["pass-out"].payoff_text != one["half"].payoff_text == two["pass-out"].payoff_text


@pytest.mark.parametrize(
    ("trump", "none"), [("any", False), ("none", True), ("any-or-none", True), ("talon", False)]
)
def test_a_game_has_no_trumps_if_a_contract_has(trump: str, none: bool) -> None:
    contract = replace(OMBRE.contracts["solo"], trump=trump)
    rules = Rules(replace(OMBRE, contracts={"solo": contract}, contract_variants={}), {})
    assert rules.trumps == (*"SHDC", *(("NT",) if none else ()))
