"""`table` and `best` give the same values when limited to some seats, contracts and trumps."""

from __future__ import annotations

import json
from random import Random

import pytest
from click.testing import CliRunner

from spadille.analysis.contracts.best import best, best_many
from spadille.analysis.contracts.table import Table, table, table_many
from spadille.base.errors import ContractError, RulesError
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille_cli import main
from tests.support.deals_and_outcomes import random_deal
from tests.support.tiers import part

HANDS = "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"


def ending(game: str, seed: int) -> Deal:
    """Return the last four cards of a hand, so that the test is quick."""
    rules = rules_for(game)
    deal = random_deal(rules, Random(seed))
    hands = {seat: tuple((deal.hands[seat] or ())[:4]) for seat in rules.seats}
    return Deal(rules, deal.dealer, hands, leader=rules.seats[0], current_trump=deal.current_trump)


@pytest.mark.parametrize("game", GAMES)
def test_rows_are_those_of_the_whole_table(game: str) -> None:
    deal = ending(game, 3)
    whole = rows(table(deal))
    seat, trump = deal.rules.seats[1], deal.rules.trumps[1]
    by_seat = [row for row in whole if seat in (row["declarer"], pair(deal, row))]
    assert rows(table(deal, seats=[seat])) == by_seat
    in_trump = [row for row in whole if row["trump"] == trump]
    assert in_trump
    assert rows(table(deal, trumps=[trump])) == in_trump
    both = rows(table(deal, seats=iter([seat]), trumps=iter([trump])))
    assert both == [row for row in by_seat if row in in_trump]
    (many,) = table_many([deal], seats=iter([seat]))
    assert isinstance(many, Table)
    assert rows(many) == by_seat


def rows(found: Table) -> list[dict[str, object]]:
    """Return the rows without the best pair, which depends on the seats asked for."""
    return [row.to_dict() | ({} if row.called else {"best": None}) for row in found.rows]


def pair(deal: Deal, row: dict[str, object]) -> object:
    """Return the partner if the contract, and not a card, makes two players partners."""
    side = deal.rules.contracts[str(row["contract"])].side
    return row["partner"] if side == "partner" else None


@pytest.mark.parametrize("game", part(["mensch", "german-solo", "squint", "ombre"], 0, 4))
def test_offers_are_those_of_all(game: str) -> None:
    deal = random_deal(rules_for(game), Random(5))
    kinds = [next(iter(deal.rules.contracts))]
    whole = best(deal, kinds, exchange=False)
    seat = deal.rules.seats[0]
    (some,) = best_many([deal], kinds, seats=[seat], exchange=False)
    assert some.seats == {seat: whole.seats[seat]}  # type: ignore[union-attr]
    assert (some.ranking, some.highest) == ((), None)  # type: ignore[union-attr]


def test_what_is_no_seat_or_trump() -> None:
    deal = Deal.parse(HANDS, "german-solo")
    for function in (table, best):
        with pytest.raises(RulesError, match="'1' is not a seat in German Solo: N E S W"):
            function(deal, seats=["1"])
        with pytest.raises(ContractError, match="'NT' is not a trump in German Solo"):
            function(deal, trumps=["NT"])


@pytest.mark.ci
@pytest.mark.parametrize("command", ["table", "best"])
def test_options_choose_rows(command: str) -> None:
    args = [command, "--game", "german-solo", "--deal", HANDS, "--seat", "e"]
    args += ["--contract", "Solo", "--trump", "s", "--trump", "H"]
    (record,) = json.loads(CliRunner().invoke(main, [*args, "--format", "json"]).stdout)
    rows = record["rows"] if command == "table" else record["seats"]["E"]
    assert {(row["declarer"], row["contract"]) for row in rows} == {("E", "solo")}
    assert {row["trump"] for row in rows} <= {"S", "H"}
    shown = CliRunner().invoke(main, args)
    assert "solo" in shown.stdout
    assert "makes for" not in shown.stdout
    wrong = CliRunner().invoke(main, [*args, "--contract", "entrada"])
    assert wrong.exit_code == 3
    assert "'entrada'" in wrong.stderr
