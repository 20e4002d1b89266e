"""Test the options that games share: names, defaults, values, and words for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spadille.base.errors import RulesError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.validate import bid_findings, passed_findings
from spadille.games import GAMES, rules_for
from spadille.games.common import chips, options, rotation
from spadille.games.model.contract_types_and_options import option


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
        with pytest.raises(RulesError, match="'X' is not a seat in Ombre: 1 2 3"):
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


BOTH_QUEENS = "the holder of both black queens must bid Solo if the highest bid so far is lower"
THREE_CLUBS = "a player with three or more clubs besides CQ must bid Half, or After over Half"
QUEENS = "N:AK.AK.AK.A7 J.QJ.QJ.KJT T9.T9.T9.98 Q87.87.87.Q"
CLUBS = "N:AK.AK.AK.A7 QJ98.J.QJ.K T.T98.98.T9 7.Q7.T7.QJ8"
NORTHS_CLUBS = "N:AK.AK.A.AK7 QJ98.J.KQJ. T.T98.98.T9 7.Q7.T7.QJ8"


@pytest.mark.parametrize(
    ("hands", "game", "declarer", "contract", "least", "duty"),
    [
        # West holds CQ and SQ, and may not let a Frog stand, nor bid it.
        (QUEENS, "german-solo", "N", "frog", "W must bid at least 'solo'", BOTH_QUEENS),
        (QUEENS, "german-solo", "W", "frog", "W must bid at least 'solo'", BOTH_QUEENS),
        (QUEENS, "german-solo", "N", "solo", None, BOTH_QUEENS),
        (QUEENS, "german-solo", "W", "tout", None, BOTH_QUEENS),
        # No one holds three clubs besides CQ.
        (CLUBS, "mensch", "N", "pass-out", None, THREE_CLUBS),
        # North holds three clubs and may not pass, but an After needs the Half of another player.
        (NORTHS_CLUBS, "mensch", "S", "pass-out", "N must bid at least 'half'", THREE_CLUBS),
        (NORTHS_CLUBS, "mensch", "S", "half", "N must bid at least 'after'", THREE_CLUBS),
        (NORTHS_CLUBS, "mensch", "N", "half", None, THREE_CLUBS),
        (NORTHS_CLUBS, "mensch", "S", "five", None, THREE_CLUBS),
        (CLUBS, "ombre", "1", "entrada", None, ""),
    ],
)
def test_a_duty_to_bid_excludes_lower_contracts(
    hands: str, game: str, declarer: str, contract: str, least: str | None, duty: str
) -> None:
    deal = Deal.random(game, 1) if game == "ombre" else Deal.parse(hands, game, dealer="W")
    kind = deal.rules.contract(contract)
    found = bid_findings(deal, Contract((declarer,), (contract,), "H"))
    assert [(one.fault.code, one.fault.tag, one.fault.text) for one in found] == (
        [] if least is None else [("contract-excluded", "Contract", contract)]
    )
    for one in found:
        assert one.fault.severity == "warning"
        assert one.fault.message == f"{kind.name} cannot be the contract: {least}"
        assert one.fault.rule == f"RULES {deal.rules.bidding.section}: {duty}"


def test_the_holder_of_the_card_may_be_unknown() -> None:
    deal = Deal.parse(QUEENS, "german-solo", dealer="W")
    (found,) = passed_findings(deal)
    assert "then W, who holds CQ, plays Solo" in found.fault.message
    unknown = replace(deal, hands=deal.hands | {"W": None, "E": None})
    (found,) = passed_findings(unknown)
    assert "then the holder of CQ plays Solo" in found.fault.message
