"""Contracts of every registered game: targets, trumps, sides, leads, exchanges, bids, options."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from spadille.games import GAMES, rules_for
from spadille.games.model.bidding import Bid
from spadille.games.model.contract_types_and_options import NO_EXCHANGE, ContractType, GameCourse
from spadille.games.model.game import Game
from tests.support.document_facts import FactTable

# RULES 3..10: id -> side, aim, target, trump, leader; first run where it counts.
ALONE_40 = ("alone", "tricks", 5, "any", "eldest", 5)
WHIST = {
    "prop-cop": ("partner", "tricks", 8, "current", "eldest", 0),
    "solo": ("alone", "tricks", 5, "current", "eldest", 0),
    "misere": ("alone", "misere", 0, "none", "eldest", 0),
    "abundance": ("alone", "tricks", 9, "not-current", "eldest", 0),
    "abundance-trumps": ("alone", "tricks", 9, "current", "eldest", 0),
    "misere-ouverte": ("alone", "misere", 0, "none", "eldest", 0),
    "abundance-declared": ("alone", "tricks", 13, "none", "declarer", 0),
}
CONTRACTS = FactTable(
    "CONTRACTS in tests/rules/test_games_contracts.py",
    "the side, aim, target, trump and first leader of each contract, and its first run",
    {
        "mensch": {
            "half": ("called", "tricks", 5, "C", "eldest", 0),
            "after": ("called", "tricks", 5, "C", "eldest", 0),
            "pass-out": ("called", "tricks", 5, "any", "eldest", 0),
            "five": ("alone", "tricks", 5, "any", "eldest", 0),
            "six": ("alone", "tricks", 6, "any", "eldest", 0),
            "seven": ("alone", "tricks", 7, "any", "eldest", 0),
            "five-after": ("alone", "tricks", 5, "C", "eldest", 0),
            "six-after": ("alone", "tricks", 6, "C", "eldest", 0),
            "seven-after": ("alone", "tricks", 7, "C", "eldest", 0),
            "solo": ("alone", "tricks", 8, "any", "declarer", 0),
        },
        "german-solo": {
            "frog": ("called", "tricks", 5, "any", "eldest", 5),
            "solo": ("alone", "tricks", 5, "any", "eldest", 5),
            "tout": ("alone", "tricks", 8, "any", "eldest", 0),
        },
        "ombre": {
            "entrada": ("alone", "most", 0, "any", "eldest", 5),
            "vuelta": ("alone", "most", 0, "talon", "eldest", 5),
            "solo": ("alone", "most", 0, "any", "eldest", 5),
        },
        "quadrille": {
            "alliance": ("called", "tricks", 6, "any", "eldest", 6),
            "forced-spadille": ("called", "tricks", 6, "any", "eldest", 6),
            "solo": ("alone", "tricks", 6, "any", "eldest", 6),
            "vole": ("alone", "tricks", 10, "any", "eldest", 6),
        },
        "quintille": {
            "alliance": ("called", "tricks", 5, "any", "eldest", 5),
            "forced-spadille": ("called", "tricks", 5, "any", "eldest", 5),
            "solo": ALONE_40,
            "vole": ("alone", "tricks", 8, "any", "eldest", 5),
        },
        "solo-whist": WHIST,
        "anna-cubed": WHIST | {"abundance": ("alone", "tricks", 9, "any", "eldest", 0)},
        "squint": {
            "ace-solo": ("individual", "tricks", 6, "none", "eldest", 0),
            "misere": ("individual", "misere", 0, "none", "eldest", 0),
            "grand-solo": ("alone", "tricks", 6, "any", "eldest", 0),
            "solo": ("alone", "most", 0, "any", "eldest", 0),
            "duo": ("partner", "tricks", 6, "any", "eldest", 0),
            "nemo": ("all", "nemo", 0, "none", "eldest", 0),
        },
    },
)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_contracts(name: str) -> None:
    found = {
        kind.id: (kind.side, kind.aim, kind.target, kind.trump, kind.leader, kind.first_run)
        for kind in rules_for(name).contracts.values()
    }
    CONTRACTS.check(name, found)
    assert all(kind.payoff_text and kind.name for kind in GAMES[name].contracts.values())


# RULES 5, 9: who may exchange how many cards, in which order, and from where; then what else holds.
SOLOISTS = ("side", 2, "eldest-first", "whole", "from hand, last of several face up")
EXCHANGES = {
    "ombre": {
        "entrada": ("all", 8, "side-first", "top", ""),
        "vuelta": ("all", 8, "side-first", "top", ""),
        "solo": ("opponents", 8, "any", "top", "from hand"),
    },
    "squint": {
        "ace-solo": SOLOISTS,
        "misere": SOLOISTS,
        "grand-solo": SOLOISTS,
        "solo": SOLOISTS,
        "duo": ("side", 1, "any", "talon", "from hand"),
        "nemo": ("all", 2, "eldest-first", "whole", "all or nobody, last face up"),
    },
}


@pytest.mark.parametrize("name", sorted(GAMES))
def test_exchanges(name: str) -> None:
    found = {}
    for kind in rules_for(name).contracts.values():
        rule = kind.exchange
        face_up = {"never": "", "of-several": "last of several face up", "always": "last face up"}
        words = [
            "all or nobody" if rule.complete else "",
            "from hand" if rule.from_hand else "",
            face_up[rule.face_up],
        ]
        if rule.who != "none":
            others = ", ".join(filter(None, words))
            found[kind.id] = (rule.who, rule.most, rule.order, rule.takes, others)
        else:
            assert rule == NO_EXCHANGE
    assert found == EXCHANGES.get(name, {})


# RULES 3..10: chips or points, and the rules that are special to a contract.
WHIST_RULES: dict[str, dict[str, object]] = {
    "prop-cop": {"values": (1,)},
    "solo": {"values": (1,)},
    "misere": {"values": (2,)},
    "abundance": {"values": (3,)},
    "abundance-trumps": {"values": (3,)},
    "misere-ouverte": {"values": (4,), "exposed_after": 1},
    "abundance-declared": {"values": (6,)},
}
CALLED_SPADILLE = {"called_first": True, "holder": "SA"}
SPECIAL: FactTable[dict[str, dict[str, object]]] = FactTable(
    "SPECIAL in tests/rules/test_games_contracts.py",
    "the other rules of each contract that has any, such as its chips",
    {
        "mensch": {"pass-out": {"holder": "CQ"}},
        "german-solo": {
            "frog": {"values": (2, 4), "run_alone": True, "ends_when_lost": True, "may_call": True},
            "solo": {"values": (4, 8), "run_alone": True, "ends_when_lost": True},
            "tout": {"values": (16, 32), "ends_when_lost": True},
        },
        "ombre": {
            "entrada": {"values": (5,), "surrender_until": 4},
            "vuelta": {"values": (7,), "surrender_until": 4, "surrender_agreed": True},
            "solo": {"values": (15,)},
        },
        "quadrille": {"forced-spadille": CALLED_SPADILLE},
        "quintille": {"forced-spadille": CALLED_SPADILLE},
        "solo-whist": WHIST_RULES | {"abundance": {"values": (3,), "trump_late": True}},
        "squint": {
            "ace-solo": {"values": (20,)},
            "misere": {"values": (25,)},
            "grand-solo": {"values": (15,)},
            "solo": {"values": (10, 5)},
            "duo": {"values": (10,)},
            "nemo": {"values": (20, 10)},
        },
        "anna-cubed": WHIST_RULES,
    },
)
IN_CONTRACTS = {"id", "name", "side", "aim", "target", "trump", "leader", "first_run"}


@pytest.mark.parametrize("name", sorted(GAMES))
def test_what_is_special_to_a_contract(name: str) -> None:
    names = [each.name for each in fields(ContractType)]
    found = {}
    for kind in rules_for(name).contracts.values():
        usual = ContractType("", "", "alone", "any")
        rest = [name for name in names if name not in IN_CONTRACTS | {"payoff_text", "exchange"}]
        special = {
            name: getattr(kind, name)
            for name in rest
            if getattr(kind, name) != getattr(usual, name)
        }
        if special:
            found[kind.id] = special
    SPECIAL.check(name, found)


@pytest.mark.parametrize(
    ("game", "option", "contract", "changes"),
    [
        ("ombre", "vuelta_exchange=no", "vuelta", {"who": "opponents", "order": "any"}),
        ("quintille", "first_run=six", "alliance", {"first_run": 6}),
        ("quintille", "first_run=six", "vole", {"first_run": 6}),
        ("solo-whist", "declared_trump=suit", "abundance-declared", {"trump": "any"}),
        ("solo-whist", "abundance_trump_timing=before-play", "abundance", {"trump_late": False}),
        ("anna-cubed", "declared_trump=suit", "abundance-declared", {"trump": "any"}),
        ("german-solo", "frog_payoff=zero-sum", "frog", {}),
        ("mensch", "passout_loss=2", "pass-out", {}),
        ("quadrille", "declared_vole_fail=as-remise", "vole", {}),
        ("quintille", "declared_vole_fail=as-remise", "vole", {}),
    ],
)
def test_an_option_that_changes_a_contract(
    game: str, option: str, contract: str, changes: dict[str, object]
) -> None:
    usual, changed = rules_for(game).contract(contract), rules_for(game, option).contract(contract)
    if "who" in changes:
        assert replace(usual.exchange, **changes) == changed.exchange  # type: ignore[arg-type]
    else:
        assert replace(usual, **changes, payoff_text=changed.payoff_text) == changed  # type: ignore[arg-type]
        # Without another change, the option concerns the payoff, and its text says so.
        assert bool(changes) is (usual.payoff_text == changed.payoff_text)


# RULES 3..10: the bids from low to high. "a>b" is bid only over b, "a+b" joins it.
WHIST_BIDS = (
    "prop cop>prop+prop-cop solo misere abundance abundance-trumps misere-ouverte"
    " abundance-declared"
)
BIDS = FactTable(
    "BIDS in tests/rules/test_games_contracts.py",
    "its bids from low to high; bid_in_words explains the notation",
    {
        "mensch": "half after>half five five-after>five six six-after>six seven seven-after>seven"
        " solo",
        "german-solo": "frog frog-color=frog solo solo-color=solo tout tout-color=tout",
        "ombre": "entrada vuelta solo",
        "quadrille": "alliance solo! vole",
        "quintille": "alliance solo! vole",
        "solo-whist": WHIST_BIDS,
        "squint": "",
        "anna-cubed": WHIST_BIDS,
    },
)
CONTRACT_OF = {"prop": "prop-cop"}


def bid_in_words(bid: Bid) -> str:
    """Return a bid as in `BIDS`: "a=b" plays b in Color, and "a!" names trumps at once."""
    text = f"{bid.word}>{bid.over}" if bid.over else bid.word
    if bid.joins:
        text += f"+{bid.contract}"
    elif bid.in_color:
        text += f"={bid.contract}"
    else:
        assert bid.contract == CONTRACT_OF.get(bid.word, bid.word)
    return text + "!" * bid.names_trump


@pytest.mark.parametrize("name", sorted(GAMES))
def test_bids(name: str) -> None:
    game = GAMES[name]
    for bidding in (game.bidding, *game.bidding_variants.values()):
        BIDS.check(name, " ".join(map(bid_in_words, bidding.bids)))
        assert bidding.may_raise is (name == "german-solo")
        assert bidding.passed_out == ("goulash" if name == "anna-cubed" else "misdeal")
        assert bidding.falls_to == {
            "mensch": ("CQ", "pass-out"),
            "german-solo": ("CQ", "solo"),
            "quadrille": ("SA", "forced-spadille"),
            "quintille": ("SA", "forced-spadille"),
        }.get(name)
    assert (game.bidding.rounds, game.bidding.hold) == {
        "mensch": ("once", ""),
        "german-solo": ("duel", "overbid"),
        "ombre": ("until-settled", "bidders"),
        "anna-cubed": ("once", ""),
    }.get(name, ("until-settled", ""))


def test_bidding_round_the_table() -> None:
    bidding = rules_for("german-solo", "bidding_order=round").bidding
    assert (bidding.rounds, bidding.hold) == ("until-settled", "left")
    assert GAMES["german-solo"].bidding.duty_cards == bidding.duty_cards == ("CQ", "SQ")
    assert GAMES["mensch"].bidding.duty_cards == tuple(f"C{rank}" for rank in "AKJT987")


# RULES 1, 3..10: what holds for a deal, where it is not the default of `Game`.
SPANISH = ("the Spadille", "the Manille", "the Basto")
DEALS: FactTable[dict[str, object]] = FactTable(
    "DEALS in tests/rules/test_games_contracts.py",
    "the rules of a deal that differ from the defaults of Game",
    {
        "mensch": {"call_needs_suit": True},
        "german-solo": {
            "matadors": 3,
            "matador_names": ("the Spadilla", "the Manille", "the Basta"),
            "zero_sum": False,
            "course": GameCourse(deal_goes_round=True, clear_winner=True),
        },
        "ombre": {
            "talon_size": 13,
            "matadors": 3,
            "matador_names": SPANISH,
            "held_pay": 3,
            "held_option": "estuche_chips",
            "ante": 5,
            "dealer_antes": True,
            "course": GameCourse(deal_goes_round=True, chips=50),
        },
        "quadrille": {
            "matadors": 3,
            "matador_names": SPANISH,
            "held_pay": 4,
            "ante": 4,
            "course": GameCourse(deal_goes_round=True, chips=40),
        },
        "quintille": {
            "matadors": 3,
            "matador_names": SPANISH,
            "held_pay": 4,
            "ante": 5,
            "course": GameCourse(deal_goes_round=True, chips=40),
        },
        "solo-whist": {
            "current_trumps": ("S", "H", "D", "C"),
            "turns_up": True,
            "course": GameCourse(deal_goes_round=True),
        },
        "squint": {
            "talon_size": 2,
            "talon_name": "squint",
            "passes_on": True,
            "draws_first": True,
            "zero_sum": False,
        },
        "anna-cubed": {
            "current_trumps": ("H", "C", "D", "S", "NT"),
            "zero_sum": False,
            "course": GameCourse(
                trumps=("H", "C", "D", "S", "NT"),
                packets=((4, 3, 3, 3), (3, 4, 3, 3), (3, 3, 4, 3), (3, 3, 3, 4)),
            ),
        },
    },
)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_what_holds_for_a_deal(name: str) -> None:
    game = GAMES[name]
    usual = {each.name: each.default for each in fields(Game)}
    names = [
        *("talon_size", "talon_name", "matadors", "matador_names", "held_pay", "held_option"),
        *("current_trumps", "turns_up", "ante", "dealer_antes", "course", "call_needs_suit"),
        *("passes_on", "draws_first", "zero_sum"),
    ]
    found = {each: getattr(game, each) for each in names if getattr(game, each) != usual[each]}
    DEALS.check(name, found)


# RULES 12: the values of each option, the default first.
CALLS = {
    "called_partner_lead": "must-lead-called free",
    "called_early_discard": "only-if-forced allowed",
}
MATADORS = {
    "matador_trigger": "led-card highest-so-far",
    "mixed_matadors": "must-play-a-trump free-unless-all-lower",
}
QUADRILLE = {
    "matador_rule": "higher-only none any-matador-led",
    **MATADORS,
    "red_plain_order": "ace-high king-high",
    "called_card_duty": "none first-lead",
    **CALLS,
    "call_rank": "king-or-queen queen-only-with-all-kings",
    "declared_vole_fail": "as-attempt as-remise",
    "lost_matadors": "bidder side",
    "fourth_trump_pay": "2 3",
    "missed_vole_run": "kept lost",
    "hands": "40",
    "rotation": "ccw cw",
}
OPTIONS = FactTable(
    "OPTIONS in tests/rules/test_games_contracts.py",
    "the values of each option, the default first",
    {
        "mensch": {
            "called_card_duty": "first-lead none",
            **CALLS,
            "call_rank": "any ace-then-any ace-then-king",
            "passout_loss": "1 2",
            "half_defenders_slam": "4 2",
            "rotation": "cw ccw",
        },
        "german-solo": {
            "matador_rule": "none any-matador-led higher-only",
            **MATADORS,
            "called_card_duty": "none first-lead",
            **CALLS,
            "call_rank": "any ace-only ace-or-king",
            "color": "C S H D none changing",
            "color_set_by": "won-hand bid-made",
            "call_trumps": "no yes",
            "frog_payoff": "both-2v zero-sum",
            "frog_tout_payoff": "as-frog soloist",
            "continued_tout_value": "full half",
            "bidding_order": "duel round",
            "hands": "8",
            "rotation": "cw ccw",
        },
        "ombre": {
            "matador_rule": "any-matador-led none higher-only",
            **MATADORS,
            "red_plain_order": "king-high ace-high",
            "vuelta_exchange": "yes no",
            "first_five_chips": "5",
            "surrender": "counted not-counted",
            "takeover_pool": "before doubled",
            "estuche_chips": "0",
            "hands": "9",
            "rotation": "ccw cw",
        },
        "quadrille": QUADRILLE,
        "quintille": QUADRILLE | {"first_run": "target six", "remise": "one-short none"},
        "solo-whist": {
            "declared_trump": "none suit",
            "abundance_trump_timing": "at-first-turn before-play",
            "rotation": "cw ccw",
        },
        "squint": {"rotation": "cw ccw", "play_to": "150", "hands": "0"},
        "anna-cubed": {"declared_trump": "none suit", "rotation": "cw ccw"},
    },
)


@pytest.mark.parametrize("name", sorted(GAMES))
def test_options(name: str) -> None:
    options = GAMES[name].options
    OPTIONS.check(
        name,
        {each: " ".join(option.values) or option.default for each, option in options.items()},
    )
    for each, option in options.items():
        assert (option.name, option.default) == (each, OPTIONS[name][each].split()[0])


def test_exchange_is_the_contracts() -> None:
    ombre = rules_for("ombre").contracts
    assert [ombre[name].exchange.who for name in ("entrada", "vuelta", "solo")] == [
        "all",
        "all",
        "opponents",
    ]
    assert rules_for("ombre", "vuelta_exchange=no").contract("vuelta").exchange.who == "opponents"
    squint = rules_for("squint").contracts
    assert {kind.exchange.who for kind in squint.values() if kind.id != "nemo"} == {"side"}
    assert squint["nemo"].exchange.who == "all"
