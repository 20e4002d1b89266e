"""Contracts of every registered game: targets, trumps, sides, leads, called cards."""

from __future__ import annotations

from dataclasses import fields, replace
from random import Random

import pytest

from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.table import table
from spadille.analysis.value.solve import solve
from spadille.base.card_text import parse_cards
from spadille.base.errors import ArgumentError, ContractError
from spadille.core.contract import NOBODY, Contract, first_leader
from spadille.core.deal import Deal
from spadille.core.validate import contract_findings
from spadille.games import GAMES, rules_for
from spadille.games.model.bidding import Bid
from spadille.games.model.contract_kinds import NO_EXCHANGE, ContractType, GameCourse
from spadille.games.model.game import Game
from tests.support.deals import random_deal
from tests.support.fact_tables import FactTable

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


def _deal(name: str, options: str = "", **changes: object) -> Deal:
    deal = random_deal(rules_for(name, options), Random(7))
    return replace(deal, **changes)  # type: ignore[arg-type]


# Trumps


@pytest.mark.parametrize(
    ("name", "contract", "current", "trumps"),
    [
        ("mensch", "half", None, "C"),
        ("mensch", "pass-out", None, "S H D C"),
        ("solo-whist", "solo", "D", "D"),
        ("solo-whist", "misere", "D", "NT"),
        ("solo-whist", "abundance", "D", "S H C"),
        ("solo-whist", "abundance-trumps", "D", "D"),
        ("solo-whist", "solo", None, "S H D C"),
        ("solo-whist", "abundance", None, "S H D C"),
        ("anna-cubed", "prop-cop", "NT", "NT"),
        ("anna-cubed", "solo", "NT", "NT"),
        ("anna-cubed", "abundance-trumps", "NT", "NT"),
        ("anna-cubed", "abundance", "NT", "S H D C"),
        ("anna-cubed", "abundance", "H", "S H D C"),
        ("anna-cubed", "solo", None, "H C D S NT"),
        ("squint", "ace-solo", None, "NT"),
        ("squint", "nemo", None, "NT"),
        ("squint", "duo", None, "S H D C"),
        ("german-solo", "tout", None, "S H D C"),
    ],
)
def test_allowed_trumps(name: str, contract: str, current: str | None, trumps: str) -> None:
    deal = _deal(name, current_trump=current)
    kind = deal.rules.contract(contract)
    assert deal.rules.allowed_trumps(kind, deal) == tuple(trumps.split())


@pytest.mark.parametrize("name", ["solo-whist", "anna-cubed"])
def test_abundance_declared_may_have_a_trump(name: str) -> None:
    kept = _deal(name)
    assert Contract.make(kept, "abundance-declared", "N").trump == "NT"
    named = _deal(name, "declared_trump=suit")
    assert Contract.make(named, "abundance-declared", "N", trump="S").trump == "S"
    with pytest.raises(ContractError, match="trump"):
        Contract.make(named, "abundance-declared", "N")


def test_vuelta_takes_the_suit_of_the_top_talon_card() -> None:
    deal = _deal("ombre")
    assert Contract.make(deal, "vuelta", "2").trump == deal.talon[0][0]
    spadille_on_top = replace(deal, talon=("SA", "H4"))
    assert Contract.make(spadille_on_top, "vuelta", "2").trump == "S"
    with pytest.raises(ContractError) as caught:
        Contract.make(spadille_on_top, "vuelta", "2", trump="H")
    assert caught.value.code == "trump-not-allowed"
    unordered = replace(deal, talon_ordered=False)
    assert Contract.make(unordered, "vuelta", "2", trump="H").trump == "H"


def test_abundance_may_not_use_the_current_trump() -> None:
    deal = _deal("solo-whist", current_trump="H")
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, "abundance", "N", trump="H")
    assert caught.value.code == "trump-not-allowed"
    assert "S D C" in str(caught.value)


def test_a_trump_is_text() -> None:
    rules = rules_for("ombre")
    assert rules.matadors("S") == ("SA", "S2", "CA")
    assert rules.matadors(None) == ()
    with pytest.raises(ArgumentError, match="trump must be text, not 5"):
        rules.matadors(5)  # type: ignore[arg-type]


# Called cards


def test_mensch_calls_in_a_suit_he_holds() -> None:
    rules = rules_for("mensch")
    hand = parse_cards("SA SK D9 D8 C7 CT CQ C8")
    # The hand has no heart and clubs are trumps: spades and diamonds, without its own cards.
    assert rules.callable_cards("C", hand) == parse_cards("SQ SJ ST S9 S8 S7 DA DK DQ DJ DT D7")
    narrow = rules_for("mensch", "call_rank=ace-then-king")
    assert narrow.callable_cards("C", hand) == ("DA",)
    assert narrow.callable_cards("C", parse_cards("SA S9 CA CK CJ CT C9 C8")) == ("SK",)
    both = parse_cards("SA SK CA CK CJ CT C9 C8")
    assert narrow.callable_cards("C", both) == parse_cards("SQ SJ ST S9 S8 S7")


def test_mensch_with_the_ace_of_every_suit_asks_for_another_card() -> None:
    """The rules say: he "must ask for some other card - generally a King"."""
    rules = rules_for("mensch", "call_rank=ace-then-any")
    # One Ace is missing in a suit of the hand, so an Ace must be called.
    assert rules.callable_cards("C", parse_cards("SA SK D9 D8 C7 CT CQ C8")) == ("DA",)
    # The Ace of hearts is missing, too, but the hand has no heart.
    hand = parse_cards("SA SK DA D8 C7 CT CQ C8")
    others = parse_cards("SQ SJ ST S9 S8 S7 DK DQ DJ DT D9 D7")
    assert rules.callable_cards("C", hand) == others


@pytest.mark.parametrize("value", GAMES["mensch"].options["call_rank"].values)
def test_mensch_plays_alone_only_where_no_card_can_be_called(value: str) -> None:
    """With any option, a caller with a suit that lacks a card cannot play alone."""
    rules, anything = rules_for("mensch", {"call_rank": value}), rules_for("mensch")
    random = Random(value)
    for _ in range(300):
        trump = random.choice("SHDC")
        # Lopsided hands: only these can hold all Aces, or whole suits.
        cards = sorted(rules.deck, key=lambda card: (card[0] != trump) * random.random() * 3)
        best = sorted(cards[:14], key=lambda card: "AKQJT987".index(card[1]))
        hand = best[:8]
        found = rules.callable_cards(trump, hand)
        assert {*found} <= {*anything.callable_cards(trump, hand)}
        assert bool(found) == bool(anything.callable_cards(trump, hand))
    # Nothing is missing in the only plain suit of the hand.
    assert rules.callable_cards("C", parse_cards("SA SK SQ SJ ST S9 S8 S7")) == ()


def test_mensch_cq_is_no_club_to_call_in() -> None:
    rules = rules_for("mensch")
    hand = parse_cards("CQ H7 HA HK HQ HJ HT S9")
    assert all(card[0] == "S" for card in rules.callable_cards("H", hand))
    assert rules.callable_cards("H", parse_cards("CQ H7 HA HK HQ HJ HT H9")) == ()


def test_german_solo_calls_any_plain_card_he_lacks() -> None:
    hand = parse_cards("CQ S7 SA HA DA CA H8 H7")
    rules = rules_for("german-solo")
    found = rules.callable_cards("S", hand)
    assert len(found) == 23 - 5  # all plain cards outside the hand
    assert not {"SQ", "CQ", "S7", "SK"} & set(found)
    assert rules_for("german-solo", "call_rank=ace-only").callable_cards("S", hand) == ()
    either = rules_for("german-solo", "call_rank=ace-or-king")
    assert either.callable_cards("S", hand) == ("HK", "DK", "CK")
    assert either.callable_cards("S", hand[:3]) == ("HA", "HK", "DA", "DK", "CA", "CK")


@pytest.mark.parametrize("name", ["quadrille", "quintille"])
def test_quadrille_calls_plain_kings_and_queens(name: str) -> None:
    free = rules_for(name)
    narrow = rules_for(name, "call_rank=queen-only-with-all-kings")
    hand = ["HK", "DQ"]
    assert free.callable_cards("S", hand) == ("HQ", "DK", "CK", "CQ")
    assert narrow.callable_cards("S", hand) == ("DK", "CK")
    kings = ["HK", "DK", "CK", "DQ"]
    assert narrow.callable_cards("S", kings) == ("HQ", "CQ")
    assert free.callable_cards("S", [*kings, "HQ", "CQ"]) == ()


def test_forced_spadille_calls_before_trumps_are_named() -> None:
    """RULES 6: so the called card may turn out to be a trump."""
    for name in ("quadrille", "quintille"):
        free = rules_for(name)
        narrow = rules_for(name, "call_rank=queen-only-with-all-kings")
        forced = free.contract("forced-spadille")
        hand = ["SA", "HK", "DQ", "DK", "CK"]
        assert free.callable_cards("S", hand, forced) == ("SK", "SQ", "HQ", "CQ")
        assert free.callable_cards("S", hand, free.contract("alliance")) == ("HQ", "CQ")
        # All four Kings count, including one that is a trump.
        assert narrow.callable_cards("S", hand, forced) == ("SK",)
        assert narrow.callable_cards("S", hand, narrow.contract("alliance")) == ("HQ", "CQ")
        assert narrow.callable_cards("S", [*hand, "SK"], forced) == ("SQ", "HQ", "CQ")


def test_a_called_card_that_turns_out_to_be_a_trump() -> None:
    deal = random_deal(rules_for("quadrille"), Random(5))
    caller = deal.holder("SA")
    assert caller is not None
    for card in ("SK", "SQ", "HK", "HQ"):
        holder = deal.holder(card)
        if holder == caller:
            continue
        contract = Contract.make(deal, "forced-spadille", caller, card[0], card)
        assert contract.partner == holder
        with pytest.raises(ContractError) as caught:
            Contract.make(deal, "alliance", caller, card[0], card)
        assert caught.value.code == "called-trump"
        found = solve(deal, contract)
        other = Contract((caller,), ("alliance",), card[0], partner=holder)
        assert found.tricks == solve(deal, other).tricks
        rows = [row for row in table(deal, ["forced-spadille"]).rows if row.trump == card[0]]
        assert (caller, card, holder, found.tricks) in [
            (row.declarer, row.called, row.partner, row.tricks) for row in rows
        ]
        offers = best(deal, ["forced-spadille"], calls=True).seats[caller]
        assert offers


def _mensch(options: str = "") -> Deal:
    # N: SA; HA HK HT H7 no D; CJ C8 C7.  Full 32 cards.
    return Deal.parse(
        "N:A.AKT7..J87 KQJ.QJ9.A.9 T98.8.KQJ.A 7..T987.KQT", "mensch", dealer="W", options=options
    )


def test_called_card_fixes_the_partner() -> None:
    deal = _mensch()
    contract = Contract.make(deal, "half", "N", called="SK")
    assert contract == Contract(("N",), ("half",), "C", called="SK", partner="E")
    assert contract.side == {"N", "E"}
    assert Contract.make(deal, "half", "N", called="SK", partner="E") == contract
    assert first_leader(deal, contract) == "N"


@pytest.mark.parametrize(
    ("contract", "arguments", "code"),
    [
        ("half", {"declarer": "N"}, "called-missing"),
        ("half", {"declarer": "N", "called": "CK"}, "called-trump"),
        ("half", {"declarer": "N", "called": "CQ"}, "called-trump"),
        ("half", {"declarer": "N", "called": "HA"}, "called-held"),
        ("half", {"declarer": "N", "called": "DA"}, "called-suit-not-held"),
        ("half", {"declarer": "N", "called": "S2"}, "called-not-in-deck"),
        ("half", {"declarer": "N", "called": "SK", "partner": "S"}, "partner-contradicts-called"),
        ("half", {"declarer": "N", "called": "SK", "trump": "H"}, "trump-not-allowed"),
        ("half", {"declarer": "X", "called": "SK"}, "seat-unknown"),
        ("half", {"called": "SK"}, "declarer-missing"),
        ("half", {"declarer": "N E", "called": "SK"}, "declarer-count"),
        ("half after", {"declarer": "N E", "called": "SK"}, "declarer-count"),
        ("quarter", {"declarer": "N"}, "contract-unknown"),
        ("", {"declarer": "N"}, "contract-missing"),
        ("five", {"declarer": "N"}, "trump-missing"),
        ("five", {"declarer": "N", "trump": "NT"}, "trump-not-allowed"),
        ("five", {"declarer": "N", "trump": "H", "called": "SK"}, "called-unexpected"),
        ("five", {"declarer": "N", "trump": "H", "partner": "S"}, "partner-unexpected"),
        ("five", {"declarer": "N", "trump": "H", "penalty": "S"}, "penalty-unexpected"),
        ("pass-out", {"declarer": "N", "trump": "H", "called": "SK"}, "declarer-not-holder"),
    ],
)
def test_contracts_that_cannot_be(contract: str, arguments: dict[str, str], code: str) -> None:
    with pytest.raises(ContractError) as caught:
        Contract.make(_mensch(), contract, **arguments)
    assert caught.value.code == code


def test_call_rank_is_checked() -> None:
    with pytest.raises(ContractError) as caught:
        Contract.make(_mensch("call_rank=ace-then-king"), "half", "N", called="SQ")
    assert caught.value.code == "called-rank"


def test_a_caller_who_can_call_nothing_plays_alone() -> None:
    deal = Deal.parse("N:...AKQJT987 AKQJ.AKQ.A. T987.JT9.8. .87.KQJT97.", "mensch")
    # Nothing but trumps: the hand has no suit to call in.
    alone = Contract.make(deal, "half", "N")
    assert alone.partner is None
    assert alone.side == {"N"}
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, "half", "N", partner="S")
    assert caught.value.code == "partner-invalid"


GERMAN = "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"


def test_a_frog_may_be_played_alone() -> None:
    deal = Deal.parse(GERMAN, "german-solo")
    alone = Contract.make(deal, "frog", "E", "D", NOBODY)
    assert alone == Contract(("E",), ("frog",), "D")
    assert contract_findings(deal, Contract(("E",), ("frog",), "D", NOBODY)) == []
    for called, partner, code in ((None, None, "called-missing"), ("-", "S", "partner-invalid")):
        with pytest.raises(ContractError) as caught:
            Contract.make(deal, "frog", "E", "D", called, partner)
        assert caught.value.code == code
    with pytest.raises(ContractError, match="needs a called card") as caught:
        Contract.make(_mensch(), "half", "N", called=NOBODY)  # only a Frog allows this choice
    assert caught.value.code == "called-missing"
    assert Contract.make(deal, "solo", "E", "D", NOBODY) == Contract(("E",), ("solo",), "D")


def test_a_trump_may_be_called() -> None:
    deal = Deal.parse(GERMAN, "german-solo", options="call_trumps=yes")
    for card, holder in (("D7", "S"), ("SQ", "S"), ("DQ", "N"), ("HA", "S")):
        assert Contract.make(deal, "frog", "E", "D", card).partner == holder
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, "frog", "E", "D", "CQ")
    assert caught.value.code == "called-held"
    hand = deal.hands["E"] or ()
    plain = rules_for("german-solo").callable_cards("D", hand)
    trumps = deal.rules.suits("D")["D"]
    every = deal.rules.callable_cards("D", hand)
    assert [card for card in every if card not in trumps] == list(plain)
    assert {card for card in every if card in trumps} == {*trumps} - {*hand}
    aces = rules_for("german-solo", "call_trumps=yes;call_rank=ace-only")
    assert aces.callable_cards("S", hand) == ("SA", "HA", "CA")


def test_partner_of_an_unknown_hand() -> None:
    one = Deal.parse("N:A.AKT7..J87 KQJ.QJ9.A.9 T98.8.KQJ.A -", "mensch")
    assert Contract.make(one, "half", "N", called="S7").partner == "W"
    two = Deal.parse("N:A.AKT7..J87 KQJ.QJ9.A.9 - -", "mensch")
    assert Contract.make(two, "half", "N", called="S7", partner="S").partner == "S"
    with pytest.raises(ContractError) as caught:
        Contract.make(two, "half", "N", called="S7")
    assert caught.value.code == "partner-missing"


def test_end_positions_take_the_partner_from_the_tag() -> None:
    deal = Deal.parse("N:A...J KQ... T..K. ..T.K", "mensch", leader="S", won={"N": 4, "E": 2})
    assert deal.is_ending
    assert deal.undealt == ()
    contract = Contract.make(deal, "half", "N", called="HQ", partner="E")
    assert contract.partner == "E"
    assert first_leader(deal, contract) == "S"
    assert Contract.make(deal, "half", "N", called="SK").partner == "E"
    # The Mensch has been played, so its holder can no longer be seen.
    assert Contract.make(deal, "pass-out", "N", trump="C", called="SK").partner == "E"


def test_leads() -> None:
    mensch = _mensch()
    assert mensch.dealer == "W"
    assert first_leader(mensch, Contract.make(mensch, "five", "S", trump="H")) == "N"
    assert first_leader(mensch, Contract.make(mensch, "solo", "S", trump="H")) == "S"
    whist = replace(_deal("solo-whist"), dealer="N")
    assert first_leader(whist, Contract.make(whist, "misere", "S")) == "E"
    assert first_leader(whist, Contract.make(whist, "abundance-declared", "S")) == "S"
    quadrille = replace(_deal("quadrille"), dealer="N")
    assert first_leader(quadrille, Contract.make(quadrille, "solo", "S", trump="H")) == "W"
    ombre = replace(_deal("ombre"), dealer="1")
    assert first_leader(ombre, Contract.make(ombre, "solo", "2", trump="H")) == "3"


# Partners, soloists, Nemo


def test_partnerships_need_a_partner() -> None:
    deal = _deal("solo-whist", current_trump="S")
    assert Contract.make(deal, "prop-cop", "N", partner="E").side == {"N", "E"}
    for partner in (None, "N", "X"):
        with pytest.raises(ContractError, match="partner"):
            Contract.make(deal, "prop-cop", "N", partner=partner)


def test_several_soloists() -> None:
    deal = _deal("squint")
    contract = Contract.make(deal, "ace-solo misere", "1 3")
    assert contract == Contract(("1", "3"), ("ace-solo", "misere"), "NT")
    assert contract.side == {"1", "3"}
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, ("ace-solo", "misere"), ("1", "1"))
    assert caught.value.code == "declarer-duplicate"
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, ("ace-solo", "solo"), ("1", "2"))
    assert caught.value.code == "declarer-count"


def test_nemo_makes_everybody_a_contractor() -> None:
    deal = _deal("squint")
    contract = Contract.make(deal, "nemo", "3", penalty="H")
    assert contract.declarers == ("1", "2", "3", "4", "5")
    assert set(contract.ids) == {"nemo"}
    assert (contract.trump, contract.penalty) == ("NT", "H")
    assert Contract.make(deal, "nemo", penalty="H") == contract
    for penalty in (None, "NT"):
        with pytest.raises(ContractError, match="penalty"):
            Contract.make(deal, "nemo", penalty=penalty)
