"""Results are frozen, and their representations are short."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields, is_dataclass
from inspect import isfunction
from itertools import islice
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

import pytest

import spadille
from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.best_result import Best
from spadille.analysis.contracts.table import Table, table
from spadille.analysis.evening.score import PlayerScore, Scores
from spadille.analysis.review.review import review
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.card_values import CardValue, CardValues, card_values
from spadille.analysis.value.solve import solve
from spadille.analysis.value.solve_result import ContractorResult, Result
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.pbn.hand_file import load
from spadille.render.results import cards as valued
from spadille.render.results import solve as solved
from spadille.render.tables import TextTable as Tabular
from tests.support.game_option_cases import CASES
from tests.support.html_fragments import TAGS, parsed
from tests.support.random_endings import case
from tests.support.tiers import part

FILES = sorted((Path(__file__).parents[2] / "examples").glob("*.pbn"))
TEXT = "N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98"
DEAL = Deal.parse(TEXT, "german-solo")
FROG = Contract.make(DEAL, "frog", "N", trump="H", called="DA")


def shown(deal: Deal, contract: Contract) -> list[Any]:
    found = card_values(deal, contract)
    gone = review(deal, contract, [found.cards[0].card], every=True)
    rows, offers = table(deal, [contract.ids[0]]), best(deal, [contract.ids[0]], exchange=False)
    parts = [*rows.rows[:1], *found.cards[:1], *gone.steps, *gone.players.values()]
    parts += [*offers.ranking[:1], *gone.decisions]
    parts += [
        each for one in parts if hasattr(one, "contractors") for each in one.contractors.values()
    ]
    offered = [offer for own in offers.seats.values() for offer in own][:1]
    result = (
        solve(deal, contract, objective="score")
        if deal.won or not deal.is_ending
        else solve(deal, contract)
    )
    parts += [*result.contractors.values(), *found.contractors.values()]
    parts += [result.secured] if result.secured else []
    return [result, found, gone, gone.account, rows, offers, *offered, *parts]


@pytest.mark.parametrize(
    ("game", "contract_id"), [(game, name) for game, options, name in CASES if not options]
)
def test_all_results_are_frozen_and_short(game: str, contract_id: str) -> None:
    for one in shown(*case(game, "", contract_id, 3)):
        assert repr(one) == f"<{type(one).__name__} {str(one).splitlines()[0]}>"
        assert "\n" not in repr(one)
        assert "None" not in str(one)
        assert isinstance(one.to_dict(), dict)
        assert "<" in one._repr_html_()
        with pytest.raises(FrozenInstanceError):
            setattr(one, fields(one)[0].name, None)


@pytest.mark.parametrize(
    ("game", "contract_id"), [(game, name) for game, options, name in CASES if not options]
)
def test_all_results_are_sound_html(game: str, contract_id: str) -> None:
    for one in shown(*case(game, "", contract_id, 3)):
        found = parsed(one._repr_html_())
        assert found.tags <= TAGS
        if isinstance(one, Result | Table | Best | CardValues | Review):
            assert "td" in found.tags
        assert "None" not in "".join(found.text)


def test_html_has_what_is_printed() -> None:
    result = solve(DEAL, FROG, leads=True, line=True)
    said = "".join(parsed(result._repr_html_()).text)
    assert all(card in said for card in result.leads)
    assert all(" ".join(trick) in said for trick in result.line)
    values = card_values(DEAL, FROG, line=True)
    said = "".join(parsed(values._repr_html_()).text)
    assert all(each.card in said for each in values.cards)


def test_html_of_a_review_tells_why() -> None:
    entry = load(FILES[1])[0]
    assert entry.deal is not None
    assert entry.contract is not None
    assert entry.play is not None
    gone = review(entry.deal, entry.contract, entry.play.cards, refutations=True)
    said = "".join(parsed(gone._repr_html_()).text)
    words = [found.words for step in gone.steps for found in step.refutations.values()]
    assert words
    assert all(each in said for each in words)


def test_what_they_say() -> None:
    assert repr(solve(DEAL, FROG)) == "<Result N frog H DA: 8 tricks, needs 5, made>"
    row = next(row for row in table(DEAL, ["solo"], seats="N", trumps="H").rows)
    assert str(row).startswith("N solo H: ")
    found = card_values(DEAL, FROG)
    assert str(found).splitlines()[0] == f"N frog H DA: trick 1, {found.player} to play, 8 tricks"
    assert str(found.cards[0]).startswith(f"{found.cards[0].card} {found.cards[0].tricks}")
    bidding = best(DEAL, ["frog"], exchange=False)
    assert str(bidding).splitlines()[0] == f"wins: {bidding.highest}"
    gone = review(DEAL, FROG, [found.cards[-1].card])
    assert str(gone).splitlines()[0] == "N frog H DA, in tricks"
    assert str(gone.steps[0]).startswith(f"1. {found.player} {found.cards[-1].card}")


def test_fields_of_results_are_typed() -> None:
    seen: set[type] = set()
    asked: list[Any] = [Result, Table, Best, CardValues, Review, Scores, PlayerScore]
    while asked:
        hint = asked.pop()
        assert hint is not Any
        assert not {hint, get_origin(hint)} & {list, dict, set}, hint
        asked += get_args(hint)
        if isinstance(hint, type) and is_dataclass(hint) and hint not in seen:
            seen.add(hint)
            assert hint.__dataclass_params__.frozen, hint
            assert "__slots__" in vars(hint), hint
            asked += get_type_hints(hint).values()
    assert {CardValue, ContractorResult, Contract} <= seen


def test_values_of_one_contractor_are_numbers_to_type_checkers() -> None:
    for name in ("tricks", "margin"):
        for kind in (Result, CardValue):
            assert get_type_hints(getattr(kind, name).fget)["return"] is int


def starred(table: Tabular, place: int) -> set[str]:
    """Return the cards of the rows that have a star."""
    rows = [[str(cell) for cell in row] for row in table.rows]
    found = [row[place] for row in rows if any(cell.endswith(" *") for cell in row)]
    return {card for cell in found for card in cell.removesuffix(" *").split()}


@pytest.mark.parametrize("path", part(FILES, 1), ids=lambda path: path.stem)
@pytest.mark.parametrize("objective", ["tricks", "score"])
def test_the_best_leads_are_those_that_cost_nothing(path: Path, objective: Any) -> None:
    for entry in islice(load(path), 4):
        deal, contract = entry.deal, entry.contract
        assert deal is not None
        assert contract is not None
        result = solve(deal, contract, leads=True, objective=objective)
        tables = [each for each in solved.tables(result) if each.headers[0] == "value"]
        assert len(tables) == len(contract.declarers)
        if objective == "score":
            assert all(starred(each, 1) for each in tables)
        elif len(tables) == 1:
            values = next(valued.tables(card_values(deal, contract)))
            assert starred(tables[0], 1) == starred(values, 0)


def inside(hint: Any) -> Iterator[Any]:
    yield hint
    for each in get_args(hint):
        yield from inside(each)


def test_the_face_has_what_its_functions_return() -> None:
    for name in spadille.__all__:
        function = getattr(spadille, name)
        if isfunction(function):
            for found in inside(get_type_hints(function)["return"]):
                home = getattr(found, "__module__", "")
                if isinstance(found, type) and home.startswith("spadille"):
                    assert found.__name__ in spadille.__all__, name


@pytest.mark.ci
def test_reprs_are_a_line() -> None:
    deal = Deal.random("german-solo", 1)
    known = spadille.know(deal, "N solo H", "E")
    assert repr(known) == "<Knowledge of E: N solo H, 0 cards played>"
    assert str(known) == "nothing is known except the hand"
    (problem,) = spadille.problems("ombre", seed=14, themes="privilege", tricks=(3, 4))
    assert repr(problem) == f"<Problem ombre: {problem.question}>"
    known = spadille.know(problem.deal, problem.contract, play=problem.play)
    assert str(known).splitlines()[0] == "Player 3 has no hearts (trick 2)"
    assert repr(spadille.show(deal)) == "<Sheet german-solo>"
    assert repr(deal.rules.game) == "<Game german-solo>"
    assert repr(spadille.show(deal, "N solo H")) == "<Sheet german-solo: N solo H>"
    position = spadille.Position.of(deal, "N solo H")
    assert repr(position) == f"<Position trick 1, {position.to_play} to play>"
    while not position.finished:
        position.play(position.legal()[0])
    assert repr(position) == "<Position trick 8, over>"
