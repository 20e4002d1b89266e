"""The tables of a game in pages: what states are worth after any number of tricks."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from spadille.games import rules_for
from spadille.pages.game_tables import deal_tables, game_tables
from spadille.pbn.hand_file import read


def ends(game: str, contract: str) -> list[tuple[dict[str, Any], list[tuple[int, ...]]]]:
    """Return the table and its final states in order, for hands of one trick, two, and so on."""
    found = game_tables(rules_for(game))["payoffs"][contract]
    states = [(0,) * len(found["most"])]
    every = []
    for table in found["ends"]:
        after: dict[tuple[int, ...], None] = {}
        for state, raised in product(states, (each for pair in found["raises"] for each in pair)):
            more = list(state)
            if raised >= 0 and more[raised] != found["most"][raised]:
                more[raised] += 1
            after[tuple(more)] = None
        states = list(after)
        every.append((table, states))
    return every


def worth(table: dict[str, Any], number: int) -> Any:
    """Return the name of a final state in the table."""
    value = int(table["finals"][number], 36)
    return table["names"][sum(each <= value for each in table["grades"]) - 1][0]


@pytest.mark.parametrize("contract", ["entrada", "vuelta", "solo"])
def test_outcomes_of_ombre_for_any_number_of_tricks(contract: str) -> None:
    """Sacada: more tricks than either opponent; codille: one opponent has more than both others."""
    every = ends("ombre", contract)
    assert len(every) == 9
    for tricks, (table, states) in enumerate(every, 1):
        assert {sum(state) for state in states} == {tricks}
        for number, (own, *others) in enumerate(states):
            low, top = sorted(others)
            name = "sacada" if own > top else "codille" if top > max(own, low) else "puesta"
            assert worth(table, number) == name, (tricks, own, others)


def test_outcomes_of_a_squint_solo_for_any_number_of_tricks() -> None:
    """The contract makes with more tricks than any single opponent."""
    every = ends("squint", "solo")
    assert len(every) == 10
    for table, states in every:
        for number, (own, *others) in enumerate(states):
            assert worth(table, number) == ("made" if own > max(others) else "failed")


def test_points_of_nemo_for_any_number_of_tricks() -> None:
    """A trick is worth twenty if all are clean, otherwise ten for each clean one."""
    every = ends("squint", "nemo")
    assert len(every) == 10
    for tricks, (table, states) in enumerate(every, 1):
        assert (tricks, 0) in states
        assert (tricks - 1, 1) in states
        for number, (clean, dirty) in enumerate(states):
            assert worth(table, number) == (10 if dirty else 20) * clean


def test_values_stand_from_low_to_high_and_each_has_a_need() -> None:
    for game, contract in (("ombre", "solo"), ("squint", "solo"), ("squint", "nemo")):
        for table, states in ends(game, contract):
            assert len(table["finals"]) == len(states)
            assert {int(digit, 36) for digit in table["finals"]} == {*range(table["count"])}
            assert len(table["terms"]) in (0, table["count"])
            assert table["grades"][0] == 0
            assert len(table["grades"]) == len(table["names"])


ENDING = """
[Game "squint"]
[Deal "1:K2... 6.Q.. J.A.. .2.3. ..4.5"]
[Leader "1"]
[Won "1:2;3:1"]
[Contract "nemo"]
[Penalty "S"]
"""


def test_an_end_position_begins_with_the_tricks_that_were_won() -> None:
    deal = read(ENDING)[0].deal
    assert deal is not None
    starts = deal_tables(deal)["starts"]
    assert starts["solo"]["3"] == {"": (1, 2, 0, 0, 0)}
    assert starts["nemo"]["2"]["S"] == (0, 0)
    # It is unknown whether two tricks of the first player were clean.
    assert "which of the tricks won were clean" in starts["nemo"]["1"]["S"]
