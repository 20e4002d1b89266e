"""Positions made for rules of the search that no random position needs.

Each test has the name of the mutation in tests/mutation that its position catches.
"""

from __future__ import annotations

import pytest

from spadille.games.model.following_suit import Following
from spadille.search.engine import Solver
from spadille.search.engine_problem import EngineProblem
from tests.support import brute_force
from tests.support.engine_questions import NEEDS, met_needs, tricks

BOTH = pytest.mark.parametrize("plain", [False, True])


@BOTH
@pytest.mark.parametrize(
    ("problem", "side"),
    [
        # one-two-tops: three opponents squeeze a player with the tops of three suits.
        (
            EngineProblem(
                4, (0x11000100000000, 0x6000000010000, 0x8000000000003, 0x200020004), -1, 1
            ),
            0b1000,
        ),
        # one-called: the called card cannot be discarded, so a top must be discarded.
        (
            EngineProblem(3, (0x6000000000001, 0x100040002, 0x1000000030000), -1, 2, called=32),
            0b10,
        ),
    ],
    ids=["one-two-tops", "one-called"],
)
def test_no_trick_is_sure(plain: bool, problem: EngineProblem, side: int) -> None:
    assert brute_force.Judge(problem).tricks(side, side) == 0
    assert tricks(Solver(plain=plain), problem, side, side) == 0


@BOTH
@pytest.mark.parametrize(
    ("problems", "side"),
    [
        # within-contested: with the same cards left, the lead has won by rank or has not.
        (
            [
                EngineProblem(5, (0x4C0, *hands, 0x4000000000210, 0x10000000000104), -1, 1, trick)
                for *hands, trick in (
                    (0x100000000021, 0x42000000010000, ()),
                    (0x21, 0x42000000800000, (39,)),
                    (0x400000021, 0x42000100000000, ()),
                    (0x400000021, 0x42010000000000, ()),
                )
            ],
            0b11000,
        ),
        # within-matador-led: a matador led compels later players, an ordinary trump does not.
        (
            [
                EngineProblem(
                    5,
                    (0x220000, 0x48000000000004, 0x500080000, 0x20000000010002, 0x6000000000001),
                    3,
                    0,
                    trick=(card,),
                    matadors=0b111 << 52,
                    following=Following(1),
                )
                for card in (48, 52)
            ],
            0b10,
        ),
        # within-trumped: the third player has won by rank, or has overruffed.
        (
            [
                EngineProblem(
                    4, (0x18000000, 0x3000000, hand, 0x2000000180000), 3, 0, trick=(5, card)
                )
                for hand, card in ((0x180000000000200, 3), (0x380000000000000, 50))
            ],
            0b1000,
        ),
        # shared-following
        (
            [
                EngineProblem(
                    3,
                    (0x2000000000002, 0x4000100000000, 0x1000000000001),
                    3,
                    2,
                    matadors=0b111 << 48,
                    called=32,
                    following=Following(rule),
                )
                for rule in (1, 2)
            ],
            0b110,
        ),
    ],
    ids=["within-contested", "within-matador-led", "within-trumped", "shared-following"],
)
def test_what_is_kept_serves_no_other_position(
    plain: bool, problems: list[EngineProblem], side: int
) -> None:
    kept = Solver(plain=plain, patience=0)
    for problem in problems:
        assert tricks(kept, problem, side, side) == brute_force.Judge(problem).tricks(side, side)


@BOTH
@pytest.mark.parametrize(
    ("kind", "player", "penalty", "positions"),
    [
        # within-marked: the second player's discard spoils the trick or does not.
        (
            "clean",
            3,
            2,
            [
                (
                    EngineProblem(4, (hand, 0x20101, 0x400024, 0x110000), -1, 3, trick=(card,)),
                    (1, 2),
                )
                for hand, card in ((0x10040008, 52), (0x40000000040008, 34), (0x4000040008, 54))
            ],
        ),
        # needs-each: two rivals together have too many tricks left for either limit alone.
        (
            "ahead",
            0,
            0,
            [
                (
                    EngineProblem(3, (0x22000000030000, 0x180000000C0000, 0x45000000100000), -1, 1),
                    wanted,
                )
                for wanted in ((0, 1, 0), (3, 2, 2), (1, 3, 2), (0, -3, -2))
            ],
        ),
        # avoids-apart: the rows of one relaxed game are not those of the other.
        (
            "clean",
            1,
            1,
            [
                (EngineProblem(3, (0x30006, *hands), -1, 2), wanted)
                for *hands, wanted in (
                    (0x300000009, 0x3000C00000000, (-1, 2)),
                    (0x900000009, 0x3000600000000, (0, 4)),
                    (0x500000009, 0x3000A00000000, (0, 2)),
                    (0x500000009, 0x3000A00000000, (2, 2)),
                    (0x500000009, 0x3000A00000000, (1, 1)),
                )
            ],
        ),
    ],
    ids=["within-marked", "needs-each", "avoids-apart"],
)
def test_what_is_kept_of_needs_serves_no_others(
    plain: bool,
    kind: str,
    player: int,
    penalty: int,
    positions: list[tuple[EngineProblem, tuple[int, ...]]],
) -> None:
    kept = Solver(plain=plain, patience=0)
    number = NEEDS.index(kind)
    for problem, wanted in positions:
        payoff = brute_force.needs(number, problem.players, player, penalty, wanted)
        expected = bool(brute_force.Judge(problem).value(1 << player, payoff))
        assert met_needs(kept, problem, player, kind, wanted, penalty) == expected
