"""The result of `solve`: JSON fields, limits, node counts, many deals on several threads."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from inspect import isclass, isfunction
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.signature import first_run
from spadille.analysis.many_deals import parallel
from spadille.analysis.value.solve import solve, solve_many
from spadille.analysis.value.solve_result import Result
from spadille.base.errors import ContractError, DealError, SpadilleError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.pbn.hand_file import load
from spadille.search.contract_objective import all_the_rest
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.limits import Limits
from tests.support.deals_and_outcomes import random_deal
from tests.support.random_endings import case

FIELDS = [
    "declarer",
    "contract",
    "trump",
    "called",
    "partner",
    "leader",
    "sides",
    "tricks",
    "target",
    "makes",
    "margin",
    "outcome",
    "went_on",
    "score",
    "surrenders",
    "nodes",
    "ms",
]


def german_solos(number: int) -> list[tuple[Deal, Contract]]:
    random = Random(1)
    rules = rules_for("german-solo")
    deals = [random_deal(rules, random) for _ in range(number)]
    return [(deal, Contract.make(deal, "solo", "N", "S")) for deal in deals]


def hard() -> tuple[Deal, Contract]:
    """Return a question that takes many nodes."""
    deal = random_deal(rules_for("solo-whist"), Random(5))
    return deal, Contract.make(deal, "misere", "N")


def test_fields_of_one_declarer() -> None:
    deal, contract = german_solos(1)[0]
    assert list(solve(deal, contract).to_dict()) == FIELDS
    asked = solve(deal, contract, leads=True, line=True).to_dict()
    assert list(asked) == [*FIELDS[:-2], "trick", "player", "leads", "line", *FIELDS[-2:]]
    assert asked["sides"] == ["N"]
    assert asked["leader"] == deal.rules.eldest(deal.dealer)
    assert json.loads(json.dumps(asked)) == asked


def test_fields_of_several_contractors() -> None:
    deal, _ = case("squint", "", "misere", 0)
    contract = Contract.make(deal, "ace-solo misere", "2 5")
    found = solve(deal, contract, leads=True, line=True).to_dict()
    assert found["declarer"] == found["sides"] == ["2", "5"]
    assert found["contract"] == "ace-solo misere"
    assert found["score"] is None
    for name in ("tricks", "target", "margin", "outcome", "guarantees", "leads", "line"):
        assert list(found[name]) == ["2", "5"]
    nemo = solve(*case("squint", "", "nemo", 0)).to_dict()
    assert nemo["contract"] == "nemo"
    assert nemo["penalty"] in "SHDC"
    assert nemo["sides"] == ["1", "2", "3", "4", "5"]


def test_a_single_contractor_has_plain_values() -> None:
    result = solve(*german_solos(1)[0], leads=True)
    assert result.tricks + 1 == result["N"].bounds[0] + 1
    assert result.margin == result.tricks - 5
    assert set(result.leads.values()) >= {result.tricks}
    assert repr(result) == f"<Result {result}>"
    assert str(result) == f"N solo S: {result.tricks} tricks, needs 5, {result.outcome}"
    with pytest.raises(SpadilleError, match=r"not requested: use solve\(\.\.\., line=True\)"):
        _ = result.line
    with pytest.raises(SpadilleError, match="'S' is not a declarer: N"):
        _ = result["S"]
    with pytest.raises(AttributeError):
        result.nodes = 0  # type: ignore[misc]


def test_several_contractors_have_values_each() -> None:
    deal, _ = case("squint", "", "misere", 0)
    result = solve(deal, Contract.make(deal, "ace-solo misere", "2 5"))
    assert result.guarantees == {seat: result[seat].guarantee for seat in "25"}
    assert str(result).count(";") == 1
    for name in ("tricks", "makes", "bounds", "leads", "named"):
        with pytest.raises(SpadilleError, match=r"use result\['2'\]"):
            getattr(result, name)


def test_most_tricks_have_no_margin() -> None:
    result = solve(*case("ombre", "", "entrada", 0))
    assert (result.target, result.one.margin) == (None, None)
    with pytest.raises(SpadilleError, match="has no margin"):
        _ = result.margin


def test_node_counts_do_not_depend_on_what_was_solved_before() -> None:
    questions = german_solos(3)
    solver = Solver()
    shared = [solve(*question, solver=solver).nodes for question in questions]
    assert shared == [solve(*question).nodes for question in questions]


@pytest.mark.parametrize("nodes", [1, 100, 1000, 3000, 10_000])
def test_a_limit_leaves_bounds_that_hold(nodes: int) -> None:
    for deal, contract in german_solos(10):
        full = solve(deal, contract)
        found = solve(deal, contract, limits=Limits(nodes=nodes), leads=True, line=True)
        low, high = found.bounds
        assert low <= full.tricks <= high
        one = found.one
        assert one.makes in (None, full.makes)
        assert one.outcome in (None, full.outcome)
        assert one.tricks in (None, full.tricks)
        assert found.score in (None, full.score)
        assert found.finished == ("bounds" not in found.to_dict())
        if one.tricks is None:
            assert not found.finished
            assert one.leads is one.line is None
            for name in ("tricks", "leads", "line"):
                with pytest.raises(SpadilleError, match=f"a limit left {name} open: the bounds"):
                    getattr(found, name)


def test_what_bounds_settle_is_told() -> None:
    found = solve(*hard(), limits=Limits(nodes=1))
    assert (found.one.tricks, found.one.makes, found.finished) == (None, None, False)
    random = Random(5)
    deal = [random_deal(rules_for("solo-whist"), random) for _ in range(2)][1]
    found = solve(deal, Contract.make(deal, "misere", "N"), limits=Limits(nodes=100_000))
    assert found.bounds[0] > 0
    assert (found.one.tricks, found.makes, found.outcome) == (None, False, "failed")
    assert found.score == {"N": -6, "E": 2, "S": 2, "W": 2}


def test_an_end_position_that_does_not_say_who_has_won_what_has_no_score() -> None:
    deal, contract = case("mensch", "", "five", 0)
    bare = Deal(deal.rules, deal.dealer, deal.hands, leader=deal.leader)
    result = solve(bare, contract)
    assert result.score is None
    assert result.tricks in range(4)


def test_first_tricks_in_a_row_count_in_the_score_once_they_are_settled() -> None:
    deal = Deal.parse(
        "1:A..AK.A .KQ..KQ .65..76",
        "ombre",
        leader="1",
        won={"1": 4, "2": 1},
    )
    assert solve(deal, Contract.make(deal, "entrada", "1", "D")).makes


def test_nemo_needs_to_know_which_tricks_were_clean() -> None:
    deal = Deal.parse("1:A... K... Q... J... T...", "squint", leader="1", won={"1": 1})
    contract = Contract.make(deal, "nemo", penalty="H")
    with pytest.raises(ContractError, match="does not say which of the tricks"):
        solve(deal, contract)
    bare = Deal.parse("1:A... K... Q... J... T...", "squint", leader="1")
    guarantees = solve(bare, contract).guarantees
    assert guarantees == {"1": 20, "2": 0, "3": 0, "4": 0, "5": 0}


def test_first_run_and_tout() -> None:
    random = Random(2)
    rules = rules_for("german-solo")
    solver = Solver()
    ran = 0
    for _ in range(60):
        deal = random_deal(rules, random)
        called = rules.callable_cards("S", deal.hands["N"] or ())[0]
        contract = Contract.make(deal, "frog", "N", "S", called)
        at = situation(deal, contract)
        alone = solve(deal, Contract.make(deal, "solo", "N", "S"), solver=solver).tricks
        goal = all_the_rest(contract, at)
        own = goal.bounds(solver, at.problem, 0, 0, 8, 4)[0]
        run = first_run(contract, at)
        assert run.values == [0, 1]
        won = run.bounds(solver, at.problem, run.start, 0, 1, 1)[0]
        # The partner helps, and a declarer who takes all tricks takes the first five.
        assert own >= alone
        assert won or own < 8
        assert not won or own >= 5
        ran += won
    assert ran


def without_time(result: Any) -> dict[str, Any]:
    return {**result.to_dict(), "ms": 0}


def test_results_are_the_same_on_any_number_of_threads() -> None:
    questions = german_solos(40)
    alone = [without_time(result) for result in solve_many(questions)]
    for threads in (2, 5):
        found = solve_many(iter(questions), threads=threads)
        assert [without_time(result) for result in found] == alone
    assert alone == [without_time(solve(*question)) for question in questions]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_does_not_stop_the_others(threads: int) -> None:
    questions = german_solos(6)
    deal, contract = questions[2]
    unknown = Deal(deal.rules, "N", {**deal.hands, "N": None})
    questions[2] = unknown, contract
    found = list(solve_many(questions, threads=threads))
    assert isinstance(found[2], DealError)
    assert sum(isinstance(result, DealError) for result in found) == 1


@pytest.mark.parametrize("threads", [1, 2])
def test_results_come_before_all_questions_are_known(threads: int) -> None:
    asked = []

    def questions() -> Iterator[tuple[Deal, Contract]]:
        for question in german_solos(200):
            asked.append(question)
            yield question

    results = solve_many(questions(), threads=threads)
    next(results)
    assert len(asked) < 200
    assert len(list(results)) == 199


class Searches:
    """Records whether a search that takes seconds has begun, and whether one was stopped."""

    def __init__(self) -> None:
        hard = load(Path(__file__).parents[2] / "benchmarks" / "hard.pbn")[1]
        assert hard.deal is not None
        assert hard.contract is not None
        self.hard = hard.deal, hard.contract
        self.began = threading.Event()
        self.stopped = False

    def work(self, solver: Solver, question: tuple[Deal, Contract]) -> Result:
        try:
            if question is self.hard:
                self.began.set()
            found = solve(*question, solver=solver)
        except KeyboardInterrupt:
            self.stopped = True
            raise
        self.stopped |= not found.finished
        return found


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_running_searches(threads: int) -> None:
    main = threading.main_thread().ident
    assert main is not None
    searches = Searches()

    def ctrl_c() -> None:
        searches.began.wait()
        signal.pthread_kill(main, signal.SIGINT)

    timer = threading.Timer(0.1, ctrl_c)
    running = threading.active_count()

    def questions() -> Iterator[tuple[Deal, Contract]]:
        yield from german_solos(1)
        timer.start()  # here, so that the interruption does not meet the start of the threads
        yield from [searches.hard] * 50

    with pytest.raises(KeyboardInterrupt):
        list(parallel(searches.work, questions(), threads))
    assert searches.stopped
    timer.join()
    assert threading.active_count() == running


def test_leaving_the_iterator_stops_running_searches() -> None:
    searches = Searches()
    results = parallel(searches.work, [*german_solos(1), *[searches.hard] * 50], threads=2)
    next(results)
    searches.began.wait()
    results.close()  # type: ignore[attr-defined]
    assert searches.stopped


def test_an_exception_of_the_work_comes_out() -> None:
    def work(solver: Solver, number: int) -> int:
        if number == 3:
            raise ZeroDivisionError
        return number * number

    results = parallel(work, range(6), threads=2)
    assert [next(results) for _ in range(3)] == [0, 1, 4]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_the_package_exports_its_names() -> None:
    import spadille

    assert len(spadille.__all__) > 60
    assert [name for name in dir(spadille) if not name.startswith("__")] == sorted(spadille.__all__)
    for name in spadille.__all__:
        value = getattr(spadille, name)
        assert value
        if isclass(value) or isfunction(value):  # the others are type aliases and the games
            assert value.__name__ == name
    with pytest.raises(AttributeError, match="no attribute 'solver_of'"):
        _ = spadille.solver_of


def test_there_are_no_leads_when_all_is_played() -> None:
    deal, contract = case("mensch", "", "five-after", 1)
    position = Position.of(deal, contract)
    play = []
    while legal := position.legal():
        position.play(legal[0])
        play.append(legal[0])
    result = solve(deal, contract, play=play, leads=True, line=True)
    assert (dict(result.leads), result.line) == ({}, ())


def test_json_fields_may_be_changed_without_changing_the_result() -> None:
    deal = Deal.random("german-solo", 1)
    result = solve(deal, "N solo H", objective="score", leads=True, line=True, swaps=True)
    before = json.dumps(result.to_dict(), sort_keys=True)
    spoil(result.to_dict())
    assert json.dumps(result.to_dict(), sort_keys=True) == before


def spoil(fields: Any) -> None:
    """Change everything that can be changed in the fields of a JSON object."""
    for value in fields.values() if isinstance(fields, dict) else fields:
        if isinstance(value, dict | list):
            spoil(value)
    fields.clear()
