"""The names that people write for games, seats, suits, cards and contracts."""

from __future__ import annotations

import pytest

from spadille.base.errors import ContractError, RulesError
from spadille.base.names_in_input import meant, read_contracts, read_seat, read_trump
from spadille.games import GAMES, get_game, rules_for
from spadille.pbn.entry import Entry
from spadille.pbn.export_format import export
from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import parse

DEAL = "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"
PLAIN = f"""[Game "german-solo"]
[Dealer "S"]
[Deal "{DEAL}"]
[Declarer "E"]
[Contract "frog"]
[Trump "D"]
[Called "HA"]
[Play "W"]
D9 DQ D8 DT
"""
SPOKEN = f"""[Game "German Solo"]
[Dealer "South"]
[Deal "South:{DEAL[2:].replace("T", "10")}"]
[Declarer "East"]
[Contract "Frog-♦"]
[Called "♥A"]
[Play "West"]
♦9 ♦Q D8 D10
"""


def only(text: str) -> Entry:
    (entry,) = read(text)
    return entry


def test_names_and_symbols_are_understood_and_written_as_ids() -> None:
    plain, spoken = only(PLAIN), only(SPOKEN)
    assert (plain.faults, spoken.faults) == ([], [])
    assert (spoken.deal, spoken.contract) == (plain.deal, plain.contract)
    assert spoken.play
    assert plain.play
    assert spoken.play.tricks == plain.play.tricks
    assert export(parse(SPOKEN)) == export(parse(PLAIN))


@pytest.mark.parametrize("game", list(GAMES))
def test_names_of_games_and_contracts(game: str) -> None:
    assert get_game(GAMES[game].name) is GAMES[game]
    assert get_game(GAMES[game].name.upper().replace(" ", "_")) is GAMES[game]
    rules = rules_for(game)
    named = {key: kind.name for key, kind in rules.contracts.items()}
    for contract_id, name in named.items():
        assert read_contracts(name, named) == ((contract_id,), None)
        assert read_contracts(contract_id.upper(), named) == ((contract_id,), None)
        assert read_contracts(f"{contract_id}-h", named) == ((contract_id,), "H")
        assert read_contracts(f"{name} in Hearts", named) == ((contract_id,), "H")
        assert read_contracts(f"{contract_id} ♠", named) == ((contract_id,), "S")
    assert read_contracts("No-Contract-H", named) == (("No-Contract-H",), None)


def test_seats_and_suits() -> None:
    assert [read_seat(text) for text in ("east", " N ", "South", "w", "3", "ſ", "Ost")] == (
        ["E", "N", "S", "W", "3", "ſ", "Ost"]
    )
    suits = ("Spades", "heart", "♦", "c", "No  Trumps", "n", "NT", "♥\ufe0f", "ÿ", "trump")
    assert [read_trump(text) for text in suits] == (
        ["S", "H", "D", "C", "NT", "NT", "NT", "H", "ÿ", "trump"]
    )
    assert read_trump("♥\ufe0e") == "H"


def test_values_that_are_not_understood_stay() -> None:
    odd = (
        '[Game "skat"]\n[Dealer "Easter"]\n[Deal "x"]\n[Declarer "ÿ"]\n[Contract "solo-X"]\n'
        '[Trump "µ"]\n[Called "AH"]\n[Play "ß"]\n9D ♥\n'
    )
    text = export(parse(odd), newline="\n")
    assert all(line in text.splitlines() for line in odd.splitlines())
    # In a game with numbered seats, East is not a seat.
    assert '[Dealer "east"]' in export(parse('[Game "ombre"]\n[Dealer "east"]'))


def test_a_trump_named_twice_is_the_same() -> None:
    twice = PLAIN.replace('"frog"', '"frog-D"')
    assert only(twice).contract == only(PLAIN).contract
    assert export(parse(twice)) == export(parse(PLAIN))
    contrary = PLAIN.replace('"frog"', '"frog-H"')
    fault = only(contrary).faults[0]
    assert (fault.code, fault.text, fault.line) == ("trump-contradicts-contract", "frog-H", 5)
    assert '[Contract "frog-H"]' in export(parse(contrary))


@pytest.mark.parametrize(
    ("old", "new", "code", "hint"),
    [
        ("german-solo", "german-sol", "game-unknown", "did you mean 'german-solo'?"),
        ('"frog"', '"forg"', "contract-unknown", "did you mean 'frog'?"),
        ('"frog"', '"passed"', "contract-unknown", "did you mean 'Pass'?"),
        ('"HA"', '"AH"', "card-unreadable", "the suit comes first: 'HA'"),
        ("DQ", "QD", "card-unreadable", "the suit comes first: 'DQ'"),
        ('[Dealer "S"]', '[Rules "colour=C"]', "option-unknown", "did you mean 'color'?"),
        ('[Dealer "S"]', '[Rules "matador_rule=higheronly"]', "option-value", "'higher-only'?"),
    ],
)
def test_a_near_miss_gets_a_hint(old: str, new: str, code: str, hint: str) -> None:
    fault = only(PLAIN.replace(old, new)).faults[0]
    assert fault.code == code
    assert hint in fault.message


def test_several_contracts_are_no_contract_with_a_trump() -> None:
    squint = {key: kind.name for key, kind in rules_for("squint").contracts.items()}
    assert read_contracts("Ace-Solo misere", squint) == (("ace-solo", "misere"), None)
    assert read_contracts("solo s misere", squint) == (("solo", "s", "misere"), None)


def test_hints_are_for_what_is_near() -> None:
    assert meant("Trupm", ("Trump", "Dealer")) == "; did you mean 'Trump'?"
    assert meant("Annotator", ("Trump", "Dealer")) == ""
    assert meant("x" * 100_000, ("Trump",)) == ""
    with pytest.raises(RulesError, match="did you mean 'quintille'"):
        get_game("quintile")
    with pytest.raises(ContractError, match="did you mean 'tout'"):
        rules_for("german-solo").contract("touut")
