"""Contracts, plays and deals as people write them, in place of objects."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spadille import (
    Contract,
    Deal,
    best,
    card_values,
    card_values_many,
    dumps,
    read,
    review,
    review_many,
    solve,
    solve_many,
    table,
    table_many,
)
from spadille.analysis.contracts.contracts_to_solve import alternatives
from spadille.base.errors import (
    ArgumentError,
    CardError,
    ContractError,
    DealError,
    RulesError,
    SpadilleError,
)
from spadille.core.validate import faults
from spadille.games import GAMES

TEXT = "N:..KJ.K7 .Q9.A.9 ..T98.8 .KJ.Q.J"
DEAL = Deal.parse(TEXT, "german-solo", leader="N", won={})
SOLO = Contract.make(DEAL, "solo", "N", "H")


def written(deal: Deal, contract: Contract) -> str:
    """Write a contract as `Contract.parse` reads it, with a trump only if there is a choice."""
    everybody = contract.penalty is not None
    kind = deal.rules.contract(contract.ids[0])
    trump = contract.trump if len(deal.rules.allowed_trumps(kind, deal)) > 1 else None
    words = [*(() if everybody else contract.declarers)]
    words += contract.ids[:1] if everybody else contract.ids
    words += [trump or "", contract.penalty or "", contract.called or ""]
    if contract.partner and not contract.called:
        words.append(contract.partner)
    return " ".join(filter(None, words))


@pytest.mark.parametrize("game", GAMES)
def test_every_contract_can_be_written(game):
    deal = Deal.random(game, 3)
    kinds = set()
    for kind in deal.rules.contracts.values():
        for contract in (each for choice in alternatives(deal, kind) for each in choice):
            text = written(deal, contract)
            if kind.may_call and not contract.called:
                text += " -"
            assert Contract.parse(deal, text) == contract
            kinds.add(kind.id)
    assert kinds == set(deal.rules.contracts)


@pytest.mark.parametrize("game", ["solo-whist", "anna-cubed"])
def test_spades_that_are_no_choice_are_not_south(game):
    deal = replace(Deal.random(game, 3), current_trump="S", turn_up=None)
    for kind in deal.rules.contracts.values():
        for contract in (each for choice in alternatives(deal, kind) for each in choice):
            assert Contract.parse(deal, str(contract)) == contract
    assert Contract.parse(deal, "N prop-cop S") == Contract.parse(deal, "N prop-cop S S")


def test_small_letters():
    deal = Deal.parse("N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98", "german-solo")
    assert Contract.parse(deal, "n Frog h da") == Contract.parse(deal, "N frog H DA")


def test_symbols_and_names_as_hand_files_have_them():
    deal = Deal.parse("N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98", "german-solo")
    for text in ("N frog ♥ ♦A", "North Frog Hearts ♦A", "N frog h da"):
        assert Contract.parse(deal, text) == Contract.parse(deal, "N frog H DA")
    assert Contract.parse(deal, "N frog H D10").called == "DT"
    assert deal.contract("solo", "north", trump="hearts") == Contract.parse(deal, "N solo H")
    frog = Contract.parse(deal, "N frog H DA")
    assert deal.contract("frog", "N", "H", "♦a") == frog
    whist = replace(Deal.random("solo-whist", 3), current_trump="S", turn_up=None)
    assert Contract.parse(whist, "W prop-cop East") == Contract.parse(whist, "W prop-cop E")


@pytest.mark.ci
def test_ids_of_a_table_may_be_text():
    assert table(DEAL, "solo frog").rows == table(DEAL, ["solo", "frog"]).rows
    (one,) = table_many([DEAL], "solo frog")
    assert one.rows == table(DEAL, ["solo", "frog"]).rows
    for seats in ("N E", "NE", "North, east", ["North", "E"], {"N", "E"}):
        assert {row.declarer for row in table(DEAL, "solo", seats=seats).rows} == {"N", "E"}
    for trumps in ("SH", "♠ ♥", ["Spades", "h"]):
        assert {row.trump for row in table(DEAL, "solo", trumps=trumps).rows} == {"S", "H"}
    with pytest.raises(RulesError, match="'Nort' is not a seat"):
        table(DEAL, seats="Nort")
    with pytest.raises(RulesError, match="'' is not a seat"):
        table(DEAL, seats=[""])
    whist = Deal.random("anna-cubed", 1)
    assert {row.trump for row in table(whist, trumps="NT").rows} == {"NT"}
    full = Deal.random("german-solo", 1)
    assert best(full, "solo").ranking == best(full, ["solo"]).ranking


def test_several_soloists_and_nemo():
    deal = Deal.random("squint", 4)
    assert Contract.parse(deal, "1 3 misere misere").declarers == ("1", "3")
    assert Contract.parse(deal, "nemo H").penalty == "H"
    assert Contract.parse(deal, "nemo H").declarers == deal.rules.seats


def test_a_letter_that_is_suit_and_seat():
    deal = Deal.parse("N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98", "german-solo")
    assert Contract.parse(deal, "N solo S").trump == "S"
    with pytest.raises(ContractError, match=r"'S' in 'N solo H S' is not a trump|no partner"):
        Contract.parse(deal, "N solo H S")


@pytest.mark.parametrize(
    ("text", "says", "code"),
    [
        ("", "'' is not a contract: write a seat", "contract-unreadable"),
        ("N", "'N' is not a contract", "contract-unreadable"),
        ("N grand H", "'N grand H' is not a contract", "contract-unreadable"),
        ("N solo H xyz", "'xyz' in 'N solo H xyz' is not a trump", "contract-unreadable"),
        ("N solo H D", "'D' in 'N solo H D' is not a trump", "contract-unreadable"),
        ("solo H", "'solo H' does not name a declarer: write the seat first", "declarer-missing"),
        ("N solo", "Solo needs a trump", "trump-missing"),
        ("N solo H DA", "Solo has no called card, but got DA", "called-unexpected"),
        (5, "a contract must be text, not 5", "contract-unreadable"),
    ],
)
def test_what_is_no_contract(text, says, code):
    with pytest.raises(ContractError, match=says) as found:
        Contract.parse(DEAL, text)
    assert found.value.code == code


def test_functions_take_text():
    played = "DK DA D8"
    cards = ("DK", "DA", "D8")
    assert solve(DEAL, "N solo H").bounds == solve(DEAL, SOLO).bounds
    assert solve(DEAL, "N solo H", play=played).bounds == solve(DEAL, SOLO, play=cards).bounds
    assert card_values(DEAL, "N solo H", played).cards == card_values(DEAL, SOLO, cards).cards
    assert review(DEAL, "N solo H", played).steps == review(DEAL, SOLO, cards).steps
    (one,) = solve_many([(DEAL, "N solo H")])
    (two,) = card_values_many([(DEAL, "N solo H")])
    (three,) = review_many([(DEAL, "N solo H", played)])
    assert one.contract == two.contract == three.contract == SOLO


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: solve(TEXT, SOLO), ArgumentError, "a deal must be a Deal, not 'N:"),
        (lambda: solve(DEAL, 5), ArgumentError, "a contract must be a Contract or text"),
        (lambda: solve(DEAL, None), ArgumentError, "a contract must be a Contract or text"),
        (lambda: solve(DEAL, SOLO, play=5), ArgumentError, "the play must be a list of cards"),
        (lambda: solve(DEAL, SOLO, play=[5]), ArgumentError, "a card must be text"),
        (lambda: solve(DEAL, SOLO, play="DK D11"), CardError, "'D11' is not a card"),
        (lambda: card_values(None, SOLO), ArgumentError, "a deal must be a Deal, not None"),
        (lambda: review(DEAL, SOLO, None), ArgumentError, "the play must be a list of cards"),
        (lambda: table(TEXT), ArgumentError, "a deal must be a Deal"),
        (lambda: best(TEXT), ArgumentError, "a deal must be a Deal"),
        (lambda: table(DEAL, 5), ArgumentError, "contracts must be ids such as 'frog solo'"),
        (lambda: DEAL.contract(5, "N"), ContractError, "must be text or lists, not 5"),
        (lambda: DEAL.contract("solo", 5), ContractError, "must be text or lists, not 5"),
        (lambda: Deal.parse(TEXT, 5), RulesError, "a game must be given by its id, not 5"),
        (
            lambda: DEAL.rules.contract(5),
            ArgumentError,
            "a contract must be given by its id, not 5",
        ),
        (lambda: solve_many(DEAL), ArgumentError, "expected an iterable"),
        (lambda: solve_many([], threads="2"), ArgumentError, "threads must be 1 to 1024, not '2'"),
        (lambda: solve_many([], threads=2**70), ArgumentError, "threads must be 1 to 1024"),
        (lambda: table(DEAL, threads=1025), ArgumentError, "threads must be 1 to 1024, not 1025"),
        (lambda: Deal.parse(5, "ombre"), DealError, "a deal must be text, not 5"),
    ],
)
def test_other_types_are_refused(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_one_of_many_of_another_type_stops_no_other():
    found = [*solve_many([(DEAL, SOLO), DEAL, (DEAL,), (DEAL, "N"), (DEAL, "N solo H")])]
    assert [type(one).__name__ for one in found] == [
        "Result",
        "ArgumentError",
        "ArgumentError",
        "ContractError",
        "Result",
    ]
    (one,) = review_many([(DEAL, SOLO)])
    assert isinstance(one, SpadilleError)
    assert "deal, contract, play and optionally surrender" in str(one)


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_deals_the_same(game):
    assert Deal.random(game, 1) == Deal.random(game, 1) != Deal.random(game, 2)
    assert Deal.random(game, -1) == Deal.random(game, -1) != Deal.random(game, 1)
    assert Deal.random(game) != Deal.random(game)
    seat = Deal.random(game, 1).rules.seats[1]
    assert Deal.random(game, 1, dealer=seat).dealer == seat
    with pytest.raises(RulesError, match="'X' is not a seat"):
        Deal.random(game, 1, dealer="X")


def test_the_dealers_last_card_is_turned_up_in_solo_whist():
    for seed in range(40):
        deal = Deal.random("solo-whist", seed)
        assert deal.turn_up in deal.hands[deal.dealer]
        assert deal.current_trump == deal.turn_up[0]
        assert faults(deal) == []
        assert read(dumps([deal]))[0].deal == deal
    turned = {Deal.random("solo-whist", seed, dealer="E").turn_up for seed in range(40)}
    assert len(turned) > 20
    for game in {*GAMES} - {"solo-whist"}:
        assert Deal.random(game, 1).turn_up is None
