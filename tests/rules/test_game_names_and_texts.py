"""Names of every game and its contracts, and the texts of payoffs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from spadille.games import GAMES, get_game, rules_for
from spadille.games.model.contract_types_and_options import ExchangeRule
from spadille.games.model.game import Rules
from spadille.games.ombre import OMBRE
from tests.support.document_facts import FactTable

QUADRILLE = {
    "alliance": "Alliance",
    "forced-spadille": "Forced Spadille",
    "solo": "Solo",
    "vole": "Vole",
}
NAMES = FactTable(
    "NAMES in tests/rules/test_game_names_and_texts.py",
    "the name of each contract",
    {
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
    },
)
GAME = FactTable(
    "GAME in tests/rules/test_game_names_and_texts.py",
    "the name of the game, and its section in docs/rules.md",
    {
        "mensch": ("Mensch", 3),
        "german-solo": ("German Solo", 4),
        "ombre": ("Ombre", 5),
        "quadrille": ("Quadrille", 6),
        "quintille": ("Quintille", 6),
        "solo-whist": ("Solo Whist", 8),
        "squint": ("Squint", 9),
        "anna-cubed": ("Solo (Anna Cubed)", 10),
    },
)

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


@pytest.mark.parametrize("name", GAMES)
def test_the_words_of_a_game(name: str) -> None:
    game = GAMES[name]
    GAME.check(name, (game.name, game.bidding.section))
    assert {variant.section for variant in game.bidding_variants.values()} <= {game.bidding.section}
    assert game.id == name
    assert get_game(game.name) is game
    assert game.summary.endswith(".")


@pytest.mark.parametrize("name", GAMES)
def test_the_names_of_contracts(name: str) -> None:
    contracts = GAMES[name].contracts
    NAMES.check(name, {kind.id: kind.name for kind in contracts.values()})
    assert [*contracts] == [kind.id for kind in contracts.values()]


@pytest.mark.parametrize("name", GAMES)
def test_the_text_of_a_payoff_contains_every_number_that_is_paid(name: str) -> None:
    for kind in GAMES[name].contracts.values():
        text = "".join(letter if letter.isdigit() else " " for letter in kind.payoff_text).split()
        numbers = {*map(str, kind.values), *TOLD.get(name, {}).get(kind.id, ())}
        assert numbers <= {*text}, (kind.id, kind.payoff_text)


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
