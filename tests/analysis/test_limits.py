"""Limits of whole calls, and calls that end from outside."""

from __future__ import annotations

from itertools import count

import pytest

import spadille
from spadille import ArgumentError, Deal, Interruption, Limits, Solver, SpadilleError

DEAL = Deal.random("solo-whist", 3)
CONTRACTS = "solo abundance"


class StopsAt(Interruption):
    """Stops at the start of the search of this number, in the middle of a call."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.numbers = count(1)
        self.number = number

    def watch(self, solver: Solver) -> None:
        super().watch(solver)
        if next(self.numbers) == self.number:
            self.stop()


class InterruptedAt(Solver):
    """Is interrupted at the start of the search of this number, and of no other."""

    numbers = count(1)
    number = 0

    def limit(self, nodes: int = 0, seconds: float = 0) -> None:
        super().limit(nodes, seconds)
        if next(self.numbers) == self.number:
            self.interrupt()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_table_within_limits_has_bounds_where_it_is_open(threads: int) -> None:
    exact = spadille.table(DEAL, CONTRACTS)
    limited = spadille.table(DEAL, CONTRACTS, limits=Limits(nodes=300), threads=threads)
    assert exact.finished
    assert not limited.finished
    open_rows = 0
    for row, known in zip(limited.rows, exact.rows, strict=True):
        if row.bounds is None:
            assert (row.tricks, row.makes) == (known.tricks, known.makes)
            continue
        low, high = row.bounds
        assert row.tricks is None
        assert isinstance(low, int)
        assert isinstance(high, int)
        assert low <= (known.tricks or 0) <= high
        open_rows += 1
    assert 0 < open_rows < len(exact.rows)
    again = spadille.table(DEAL, CONTRACTS, limits=Limits(nodes=300))
    assert [row.bounds for row in again.rows] == [row.bounds for row in limited.rows]


def test_seconds_are_those_of_the_whole_table() -> None:
    found = spadille.table(DEAL, limits=Limits(seconds=1e-9))
    assert all(row.bounds is not None for row in found.rows if row.tricks is None)
    assert not found.finished
    assert "bounds" not in found.to_dict()["rows"][0]


def test_nodes_are_those_of_the_whole_question() -> None:
    """Whatever is asked beside the value counts."""
    deal = Deal.random("german-solo", 1)
    for nodes in (1, 50, 500):
        result = spadille.solve(
            deal, "N solo H", leads=True, line=True, swaps=True, limits=Limits(nodes=nodes)
        )
        assert result.nodes <= nodes + 2
        assert not result.finished


@pytest.mark.parametrize("threads", [1, 2])
def test_a_token_ends_the_whole_table(threads: int) -> None:
    whole = spadille.table(DEAL, CONTRACTS)
    found = spadille.table(DEAL, CONTRACTS, limits=Limits(interruption=StopsAt(5)), threads=threads)
    assert not found.finished
    assert found.nodes < whole.nodes
    assert sum(row.bounds is not None for row in found.rows) > 1, "not only the search it meets"
    for row, known in zip(found.rows, whole.rows, strict=True):
        assert row.bounds is not None or (row.tricks, row.makes) == (known.tricks, known.makes)


def test_a_token_that_was_stopped_ends_a_call_at_once() -> None:
    token = Interruption()
    token.stop()
    assert token.stopped
    limits = Limits(interruption=token)
    assert spadille.table(DEAL, "solo", limits=limits).nodes < 100
    result = spadille.solve(DEAL, "N solo", limits=limits)
    assert not result.finished
    with pytest.raises(SpadilleError, match="open"):
        assert result.tricks
    asked = {
        "best": lambda: spadille.best(DEAL, limits=limits),
        "best of a call": lambda: spadille.best(Deal.random("quintille", 1), limits=limits),
        "card_values": lambda: spadille.card_values(DEAL, "N solo", limits=limits),
        "review": lambda: spadille.review(DEAL, "N solo", DEAL.hands["E"][:1], limits=limits),
    }
    for name, ask in asked.items():
        with pytest.raises(SpadilleError) as error:
            ask()
        assert error.value.code == "interrupted", name


def test_an_interrupted_solver_ends_the_whole_table() -> None:
    """The engine hears an interruption every few thousand nodes: this one has some."""
    whole = spadille.table(DEAL, CONTRACTS)
    solver = InterruptedAt()
    solver.numbers, solver.number = count(1), 7
    found = spadille.table(DEAL, CONTRACTS, solver=solver)
    assert found.nodes < whole.nodes
    assert sum(row.bounds is not None for row in found.rows) > 1, "not only the search it meets"
    again = spadille.table(DEAL, CONTRACTS, solver=solver)
    assert again.finished, "the next call is another one"


def test_an_interruption_is_an_interruption() -> None:
    with pytest.raises(ArgumentError, match="an interruption must be an Interruption"):
        Limits(interruption=True)  # type: ignore[arg-type]
    assert Limits(interruption=Interruption()) == Limits()
