"""Test which games and contracts are consistent, at the limits of each condition."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from spadille.base.errors import RulesError, attempt
from spadille.games import GAMES
from spadille.games.model.check_game import check_fits_together
from spadille.games.model.contract_types_and_options import CALL_TIERS, ExchangeRule, Option

MENSCH, OMBRE, WHIST = GAMES["mensch"], GAMES["ombre"], GAMES["solo-whist"]


def fault(**changes: Any) -> str | None:
    """Return the fault in Mensch after these changes, or None if there is none."""
    found = attempt(lambda: check_fits_together(replace(MENSCH, **changes)))
    if found is None:
        return None
    assert found.code == "game-invalid"
    return str(found).partition("inconsistent: ")[2]


def with_five(**changes: Any) -> str | None:
    contracts = {**MENSCH.contracts, "five": replace(MENSCH.contracts["five"], **changes)}
    return fault(contracts=contracts)


@pytest.mark.parametrize("name", GAMES)
def test_the_games_that_come_with_spadille_are_consistent(name: str) -> None:
    check_fits_together(GAMES[name])


@pytest.mark.parametrize(
    ("name", "good"),
    [
        *(("a", True), ("a-b", True), ("whist2", True), ("a-2b-c", True)),
        *(("", False), ("2a", False), ("a-", False), ("-a", False), ("a--b", False)),
        *(("A", False), ("a_b", False), ("a b", False)),
    ],
)
def test_ids_are_lower_case_words(name: str, good: bool) -> None:
    assert fault(id=name) == (None if good else "an id must be lower-case words joined by hyphens")


@pytest.mark.parametrize(
    ("changes", "good"),
    [
        ({"target": 1}, True),
        ({"target": 8}, True),
        ({"target": 9}, False),
        ({"target": -1}, False),
        ({"target": 0}, False),
        ({"target": 0, "aim": "misere"}, True),
        ({"target": 5, "aim": "misere"}, False),
        *(({"trump": trump}, True) for trump in (*"SHDC", "any", "none", "any-or-none", "talon")),
        ({"trump": "current"}, False),
        ({"trump": "not-current"}, False),
        ({"trump": "NT"}, False),
        ({"id": "six"}, False),
        ({"exchange": ExchangeRule("side", 1)}, False),
    ],
)
def test_contracts_at_their_limits(changes: dict[str, Any], good: bool) -> None:
    assert (with_five(**changes) is None) == good


def test_a_current_trump_is_needed_to_depend_on_it() -> None:
    for trump in ("current", "not-current"):
        assert with_five(trump=trump) == (
            "the trump of five depends on a current trump, which the game does not have"
        )
        kind = replace(WHIST.contracts["solo"], trump=trump)
        check_fits_together(replace(WHIST, contracts={**WHIST.contracts, "solo": kind}))


def test_an_exchange_needs_a_talon() -> None:
    check_fits_together(OMBRE)
    assert with_five(exchange=ExchangeRule("opponents", 1)) == (
        "five has an exchange, but there is no talon"
    )


def test_a_called_card_needs_the_option_for_its_rank() -> None:
    options = {name: each for name, each in MENSCH.options.items() if name != "call_rank"}
    assert fault(options=options) == (
        "half calls a card, so the game needs an option 'call_rank' with values "
        + ", ".join(CALL_TIERS)
    )


def test_options_are_listed_by_their_names() -> None:
    rotation = MENSCH.options["rotation"]
    for name, listed, good in (
        ("stake", "stake", True),
        ("stake", "other", False),
        ("Stake", "Stake", False),
        ("stake2", "stake2", False),
        ("stake_two", "stake_two", True),
    ):
        found = fault(options={**MENSCH.options, listed: Option(name, (), "1", "chips")})
        assert found == (None if good else f"the option {name!r} is listed as {listed!r}")
    wrong = replace(rotation, default="up")
    with pytest.raises(RulesError, match="option rotation='up'"):
        check_fits_together(replace(MENSCH, options={**MENSCH.options, "rotation": wrong}))


def test_each_card_has_one_place_under_every_trump() -> None:
    plain = dict(MENSCH.plain_ranking)
    assert fault(plain_ranking={**plain, "S": plain["S"] + "7"}) == (
        "with H as trumps, the rankings are wrong for S7"
    )
    assert fault(plain_ranking={**plain, "S": plain["S"].removesuffix("7")}) == (
        "with H as trumps, the rankings are wrong for S7"
    )
    other = fault(trump_ranking={"S": MENSCH.trump_ranking["S"]})
    assert other == "a ranking must be for the suits S H D C, not S"
