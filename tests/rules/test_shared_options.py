"""Test the options that games share: names, defaults, values, and words for them."""

from __future__ import annotations

import pytest

from spadille.base.errors import RulesError
from spadille.core.deal import Deal
from spadille.core.validate import passed_findings
from spadille.games import GAMES, rules_for
from spadille.games.common import chips, option, options, rotation


@pytest.mark.parametrize(("default", "other"), [("cw", "ccw"), ("ccw", "cw")])
def test_the_other_direction_of_play_is_the_second_value(default: str, other: str) -> None:
    found = rotation(default)
    assert (found.name, found.values, found.default) == ("rotation", (default, other), default)


def test_an_option_begins_with_its_default() -> None:
    found = option("name", "a", "b", "c", text="what it means")
    assert (found.name, found.values, found.default) == ("name", ("a", "b", "c"), "a")
    assert found.help == "what it means"
    number = chips("number", 5, "how many")
    assert (number.name, number.values, number.default, number.help) == (
        *("number", (), "5"),
        "how many",
    )
    assert options(found, number) == {"name": found, "number": number}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("0", "0"), ("007", "7"), (" 5 ", "5"), ("999999", "999999"), ("000001", "1")),
        *((bad, None) for bad in ("", "-1", "1.5", "1000000", "0000001", "x", "\u0665")),
    ],
)
def test_a_number_of_chips_has_at_most_six_digits(text: str, value: str | None) -> None:
    number = chips("number", 5, "how many")
    if value is not None:
        assert number.check(text) == value
        return
    with pytest.raises(RulesError, match="whole numbers from 0 to 999999"):
        number.check(text)


@pytest.mark.parametrize("name", GAMES)
def test_every_option_has_its_default_among_its_values(name: str) -> None:
    for key, each in GAMES[name].options.items():
        assert each.name == key
        assert each.check(f" {each.default} ") == each.default
        assert each.default in (each.values[:1] or (each.default,))
        assert len({*each.values}) == len(each.values)
        assert each.help
    turns = rules_for(name, "rotation=cw").turn_order, rules_for(name, "rotation=ccw").turn_order
    seats = GAMES[name].seats
    assert turns == (seats, (seats[0], *reversed(seats[1:])))


def test_an_unknown_seat_has_no_place_in_turn() -> None:
    rules = rules_for("ombre")
    assert rules.in_turn("2") == ("2", "1", "3")
    for call in (rules.in_turn, rules.eldest):
        with pytest.raises(RulesError, match="'X' is not a seat of Ombre: 1 2 3"):
            call("X")


@pytest.mark.parametrize(
    ("game", "code", "words"),
    [
        ("squint", "pass-not-allowed", "nobody can pass in Squint"),
        ("mensch", "contract-excluded", "plays Pass-out"),
        ("german-solo", "contract-excluded", "plays Solo"),
        ("quadrille", "contract-excluded", "plays Forced Spadille"),
        ("ombre", None, ""),
        ("solo-whist", None, ""),
    ],
)
def test_where_nobody_can_pass_the_deal_out(game: str, code: str | None, words: str) -> None:
    found = passed_findings(Deal.random(game, 1))
    assert [(one.fault.code, one.fault.tag, one.fault.text) for one in found] == (
        [] if code is None else [(code, "Contract", "")]
    )
    assert all(words in one.fault.message for one in found)
    severity = "error" if game == "squint" else "warning"
    assert all(one.fault.severity == severity for one in found)
    number = GAMES[game].bidding.section
    assert all(one.fault.rule and one.fault.rule.startswith(f"RULES {number}: ") for one in found)
