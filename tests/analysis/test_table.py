"""Tables have the rows that the rules allow, each the same as solving that contract alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from spadille.analysis.contracts.table import Table, TableRow, table, table_many
from spadille.analysis.value.solve import solve
from spadille.base.errors import ContractError, SpadilleError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.pbn.parse_document import parse
from spadille.render.annotate import write_result_table
from spadille.render.results.table import tables
from spadille.search.encoding import situation
from spadille.search.engine import Solver, TrickObjective
from spadille.search.limits import Limits
from tests.support.deals_and_outcomes import random_deal
from tests.support.random_endings import ending
from tests.support.tiers import games_by_tier

FIELDS = ["declarer", "contract", "trump", "called", "partner"]
SHORT = ("mensch", "german-solo", "ombre", "quadrille", "quintille")


def deal_of(game: str, seed: int = 1) -> Deal:
    return random_deal(rules_for(game), Random(seed))


def check_row(deal: Deal, row: TableRow, solver: Solver) -> None:
    seats = deal.rules.seats
    one = (row.declarer,), (row.contract,)
    declarers, ids = one if row.penalty is None else (seats, (row.contract,) * len(seats))
    contract = Contract(declarers, ids, row.trump, row.called, row.partner, row.penalty)
    result = solve(deal, contract, solver=solver)
    found = result[row.declarer]
    assert row.tricks == found.tricks
    assert (row.makes, row.margin) == (found.makes, found.margin)
    assert row.outcome == found.outcome
    if row.penalty is None:
        assert row.target == found.target


@pytest.mark.parametrize("game", GAMES)
def test_rows_of_an_ending_are_worth_what_solve_finds(game: str) -> None:
    rules = rules_for(game)
    solver = Solver()
    for seed in range(3):
        deal = replace(ending(rules, "S", Random(seed)), won={})
        found = table(deal, limits=Limits(hard_nodes=0))
        assert {row.contract for row in found.rows} == set(rules.contracts)
        for row in found.rows:
            check_row(deal, row, solver)


@pytest.mark.parametrize("game", SHORT)
def test_rows_of_a_deal_are_worth_what_solve_finds(game: str) -> None:
    deal = deal_of(game)
    rows = table(deal).rows
    random = Random(game)
    solver = Solver()
    for row in random.sample(rows, min(25, len(rows))):
        # The contract of a row is one that users may name.
        made = Contract.make(deal, row.contract, row.declarer, row.trump, row.called)
        assert made.partner == row.partner
        check_row(deal, row, solver)


def counts(deal: Deal) -> dict[str, int]:
    rows = table(deal, limits=Limits(hard_nodes=1000)).rows
    return {name: sum(row.contract == name for row in rows) for name in deal.rules.contracts}


def test_which_rows_there_are() -> None:
    deal = deal_of("ombre")
    assert counts(deal) == {"entrada": 12, "vuelta": 3, "solo": 12}
    assert {row.trump for row in table(deal, ["vuelta"]).rows} == {deal.talon[0][0]}

    deal = deal_of("german-solo")
    rows = table(deal, ["frog"]).rows
    for seat in "NESW":
        for trump in "SHDC":
            called = [r.called for r in rows if (r.declarer, r.trump) == (seat, trump)]
            assert called == list(deal.rules.callable_cards(trump, deal.hands[seat] or ()))

    deal = deal_of("mensch")
    rows = table(deal).rows
    assert {row.declarer for row in rows if row.contract == "pass-out"} == {deal.holder("CQ")}
    assert {row.trump for row in rows if row.contract in ("half", "five-after")} == {"C"}
    assert sum(row.contract == "solo" for row in rows) == 16


def test_which_rows_the_long_games_have() -> None:
    whist = ending(rules_for("solo-whist"), "D", Random(3))
    found = table(whist).rows
    assert {row.trump for row in found if row.contract == "solo"} == {"D"}
    assert {row.trump for row in found if row.contract == "abundance"} == set("SHC")
    pairs = [(row.declarer, row.partner) for row in found if row.contract == "prop-cop"]
    assert pairs == [(a, b) for n, a in enumerate("NESW") for b in "NESW"[n + 1 :]]
    squint = ending(rules_for("squint"), "D", Random(3))
    number = counts(replace(squint, won={}))
    assert number == {
        "ace-solo": 5,
        "misere": 5,
        "grand-solo": 20,
        "solo": 20,
        "duo": 40,
        "nemo": 20,
    }


@pytest.mark.parametrize("game", SHORT)
def test_one_row_of_each_choice_is_the_best(game: str) -> None:
    rows = table(deal_of(game)).rows
    choices: dict[tuple[str, ...], list[TableRow]] = {}
    for row in rows:
        choices.setdefault((row.declarer, row.contract, row.trump), []).append(row)
    for group in choices.values():
        best = [row for row in group if row.best]
        assert len(best) == 1
        assert best[0].tricks == max(row.tricks or 0 for row in group)


def test_the_best_pair_and_the_best_penalty_suit_are_marked() -> None:
    deal = replace(ending(rules_for("squint"), "D", Random(4)), won={})
    rows = table(deal, ["duo", "nemo"]).rows
    for trump in "SHDC":
        pairs = [row for row in rows if row.contract == "duo" and row.trump == trump]
        assert [row.tricks for row in pairs if row.best] == [max(row.tricks or 0 for row in pairs)]
    for seat in deal.rules.seats:
        nemo = [row for row in rows if row.contract == "nemo" and row.declarer == seat]
        assert [row.tricks for row in nemo if row.best] == [max(row.tricks or 0 for row in nemo)]


def test_misere_stops_at_its_limit() -> None:
    deal = deal_of("solo-whist", 5)
    rows = table(deal, ["misere", "solo"], limits=Limits(hard_nodes=1)).rows
    for row in rows:
        assert (row.tricks is None) == (row.contract == "misere")
        assert row.makes is not None
        assert (row.margin is None) == (row.tricks is None)


def test_nemo_is_left_out_where_an_ending_hides_which_tricks_were_clean() -> None:
    deal = ending(rules_for("squint"), "S", Random(3))
    assert {seat for seat, won in deal.won.items() if won} == set("1235")
    full = table(deal)
    assert {row.contract for row in full.rows} == set(deal.rules.contracts)
    assert {row.declarer for row in full.rows if row.contract == "nemo"} == {"4"}
    assert set(full.left_out) == {f"{seat} nemo {suit}" for seat in "1235" for suit in "SHDC"}
    (note,) = full.notes()
    assert note.startswith("Left out: 1 nemo S H D C, 2 nemo S H D C, 3 nemo S H D C, 5 nemo S H ")
    assert str(full).endswith(f"\n{note}")
    (shown, notes) = tables(full)
    assert ("nemo", "4") in [row[:2] for row in shown.rows]
    assert notes.rows == [(note,)]
    # All other rows are those that the contracts have by name.
    named = table(deal, [kind for kind in deal.rules.contracts if kind != "nemo"])
    assert [row for row in full.rows if row.contract != "nemo"] == [*named.rows]
    assert set(table(deal, seats=["2"]).left_out) == {f"2 nemo {suit}" for suit in "SHDC"}
    assert table(deal, seats=["4"]).to_dict().keys() == {"rows", "nodes", "ms"}


def test_nemo_by_name_is_refused_where_an_ending_hides_which_tricks_were_clean() -> None:
    with pytest.raises(ContractError, match="which of the tricks won were clean"):
        table(ending(rules_for("squint"), "S", Random(3)), ["nemo", "solo"])


SAME = (*FIELDS, "penalty", "target", "makes")


def check_made(deal: Deal, solver: Solver, *, fewer: bool) -> None:
    """A table of what makes agrees with the table of tricks."""
    # In an ending, nobody knows which of the tricks won in Nemo were clean.
    kinds = [kind for kind in deal.rules.contracts if kind != "nemo" or not deal.won]
    plain = table(deal, kinds, solver=solver, limits=Limits(hard_nodes=1))
    made = table(deal, kinds, made=True, solver=solver)
    assert made.finished
    assert made.nodes <= plain.nodes or not fewer
    choices: dict[tuple[object, ...], list[TableRow]] = {}
    for row, full in zip(made.rows, plain.rows, strict=True):
        for name in SAME:
            assert getattr(row, name) == getattr(full, name)
        assert row.outcome in (None, full.outcome)
        assert (row.tricks, row.margin, row.bounds) == (None, None, None)
        assert row.makes is not None
        # The choices between which `best` decides: calls, penalty suits, or all pairs.
        pair = row.contract in ("prop-cop", "duo")
        choice = row.contract, row.trump, pair or row.declarer
        choices.setdefault(choice, []).append(row)
    for (_, _, by), group in choices.items():
        best = [row for row in group if row.best]
        assert {row.makes for row in best} == {any(row.makes for row in group)}
        assert by is True or best == [next((row for row in group if row.makes), group[0])]


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("german-solo", "ombre", "quadrille"))
def test_a_table_of_what_makes_agrees_with_the_table_of_tricks(game: str) -> None:
    solver = Solver()
    for seed in range(2 if game not in SHORT else 8):
        check_made(deal_of(game, seed), solver, fewer=True)


@pytest.mark.parametrize("game", games_by_tier("ombre", "solo-whist", "anna-cubed"))
def test_what_makes_in_an_ending_agrees_with_the_table_of_tricks(game: str) -> None:
    solver = Solver()
    for seed in range(12):
        deal = ending(rules_for(game), "SHDC"[seed % 4], Random(seed))
        check_made(deal, solver, fewer=False)
        check_made(replace(deal, won={}), solver, fewer=False)


def test_a_limit_leaves_open_what_makes() -> None:
    deal = deal_of("quadrille")
    rows = table(deal, "solo", made=True, limits=Limits(nodes=3)).rows
    full = table(deal, "solo", made=True).rows
    assert {row.makes for row in rows} == {None, False}
    for row, settled in zip(rows, full, strict=True):
        assert row.makes in (None, settled.makes)
        assert (row.bounds is None) == (row.makes is not None)


def test_what_makes_does_not_depend_on_threads_or_other_rows() -> None:
    deal = deal_of("german-solo")
    alone = table(deal, made=True)
    for found in (table(deal, made=True, threads=3), *table_many([deal], made=True, threads=2)):
        assert isinstance(found, Table)
        assert (found.rows, found.nodes, found.made) == (alone.rows, alone.nodes, True)
    for kind in deal.rules.contracts:
        rows = tuple(row for row in alone.rows if row.contract == kind)
        assert table(deal, kind, made=True).rows == rows


def test_what_differs_in_name_only_is_solved_once() -> None:
    deal = deal_of("quintille")
    solver = Solver()
    assert table(deal, solver=solver).nodes == table(deal, solver=solver).nodes
    assert table(deal, ["solo"]).nodes == table(deal, ["solo", "vole"]).nodes


def test_pairs_that_play_against_each_other_share_a_search() -> None:
    deal = deal_of("quadrille")
    problem = situation(deal, Contract.parse(deal, "N solo H")).problem
    solver = Solver()
    for pair, others in ((0b0101, 0b1010), (0b1001, 0b0110), (0b1100, 0b0011)):
        solver.limit()
        first = TrickObjective(pair, pair).bounds(solver, problem, 0, 0, 10, 5)
        before = solver.nodes
        second = TrickObjective(others, others).bounds(solver, problem, 0, 0, 10, 5)
        assert second == (10 - first[0], 10 - first[0])
        assert solver.nodes - before < 10 < before


def test_tables_are_the_same_on_any_number_of_threads() -> None:
    deals = [deal_of("german-solo", seed) for seed in range(6)]
    deals[3] = replace(deals[3], hands={**deals[3].hands, "N": None})

    def plain(found: Table | SpadilleError) -> object:
        return (found.rows, found.nodes) if isinstance(found, Table) else str(found)

    alone = [plain(found) for found in table_many(deals)]
    assert [plain(found) for found in table_many(iter(deals), threads=3)] == alone
    assert "cannot be solved" in str(alone[3])


@pytest.mark.parametrize(
    ("game", "options"),
    [("german-solo", ""), ("quadrille", "called_card_duty=first-lead"), ("mensch", "")],
)
def test_one_table_is_the_same_on_any_number_of_threads(game: str, options: str) -> None:
    deal = random_deal(rules_for(game, options), Random(2))
    alone = table(deal)
    for found in (table(deal, threads=3), *table_many([deal], threads=2)):
        assert isinstance(found, Table)
        assert (found.rows, found.nodes) == (alone.rows, alone.nodes)
    # The question names one side only, so the engine's table is kept from trump to trump.
    one = table(deal, seats=["N"])
    assert table(deal, seats=["N"], threads=2).nodes == one.nodes


def test_a_single_table_fails_on_threads_as_on_one() -> None:
    deal = deal_of("german-solo")
    cut = replace(deal, hands={**deal.hands, "N": None})
    [one] = table_many([cut])
    [other] = table_many(iter([cut]), threads=2)
    assert isinstance(one, SpadilleError)
    assert (type(other), str(other)) == (type(one), str(one))
    assert not [*table_many([], threads=2)]


def test_unknown_contracts_are_refused() -> None:
    with pytest.raises(ContractError, match="no contract 'nemo'"):
        table(deal_of("mensch"), ["nemo"])


def test_rows_as_dicts() -> None:
    found = table(deal_of("german-solo"), ["solo"]).to_dict()
    assert list(found) == ["rows", "nodes", "ms"]
    row = found["rows"][0]
    assert list(row)[:5] == FIELDS
    for name in ("tricks", "target", "makes", "margin", "best"):
        assert name in row


def test_annotated_table() -> None:
    deal = deal_of("german-solo")
    document = parse('[Game "german-solo"]\n[Deal "x"]\n')
    found = table(deal)
    write_result_table(document.games[0], found)
    game = parse(document.text).games[0]
    assert game.get("OptimumResultTable") == (
        "Declarer;Denomination\\2R;Result\\2R;Contract;Called;Makes;Margin"
    )
    tokens = [token for token, _ in game.names["OptimumResultTable"].table_tokens()]
    lines = [tokens[start : start + 7] for start in range(0, len(tokens), 7)]
    assert len(lines) == 16 * len(deal.rules.contracts)
    row = found.rows[0]
    assert row.best == (lines[0][4] == row.called)
    first = next(row for row in found.rows if row.best)
    assert lines[0][:4] == [first.declarer, first.trump, str(first.tricks), "frog"]
    assert lines[0][5] == ("yes" if first.makes else "no")
    # Writing it again changes nothing.
    again = parse(document.text)
    write_result_table(again.games[0], found)
    assert again.text == document.text
