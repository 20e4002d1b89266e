"""The engine against brute force on dense positions, with one table kept for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random

import pytest

from spadille.games.model.following_suit import Following
from spadille.search.engine import DEFAULT_MEMORY, PayoffObjective, Solver
from spadille.search.engine_problem import LANE, EngineProblem
from tests.support import brute_force, dense_positions
from tests.support.engine_questions import (
    KINDS,
    LARGE,
    NEEDS,
    Asker,
    agree,
    askers,
    by_turns,
    interleaved,
    judged,
    met,
    tricks,
)
from tests.support.tiers import tries

SMALL_TABLE = 1 << 16


def check(kept: Sequence[Asker], case: dense_positions.Case, kinds: Sequence[str]) -> None:
    expected = judged(case, kinds)
    for asker in kept:
        assert not asker.wrong(case, expected), (asker.one, case)


@pytest.mark.parametrize(
    ("seed", "cases"),
    [(0, 48), *(pytest.param(seed, 240, marks=pytest.mark.ci) for seed in range(2))],
)
def test_engine_against_brute_force(seed: int, cases: int) -> None:
    kept = askers()
    for number, case in enumerate(islice(interleaved(seed), cases)):
        # All cases of a family get the same questions, so that each table fills.
        check(kept, case, ["cards", KINDS[1 + number // 12 % (len(KINDS) - 1)]])


# Of the first 400 cases, one shows that a called matador is not equivalent to another matador.
@pytest.mark.parametrize(
    ("seed", "cases"),
    [
        (0, 24),
        pytest.param(0, 400, marks=pytest.mark.ci),
        pytest.param(1, 20_000, marks=pytest.mark.slow),
    ],
)
def test_called_trumps_against_brute_force(seed: int, cases: int) -> None:
    kept = askers()
    families = dense_positions.families_calling_trumps
    for case in islice(interleaved(seed, families=families), cases):
        check(kept, case, ["cards"])


@pytest.mark.ci
def test_a_table_too_small_for_its_positions() -> None:
    kept = askers(SMALL_TABLE)
    for case in islice(interleaved(99), 100):
        check(kept, case, ["cards"])


def test_a_question_takes_the_same_memory_after_each_clearing() -> None:
    solver = Solver()
    for case in islice(interleaved(3, sizes=LARGE), 12):
        taken = set()
        for _ in range(3):
            solver.clear()
            tricks(solver, case.problem, case.side, case.credited)
            taken.add(solver.memory)
        assert len(taken) == 1, case


@pytest.mark.ci
@pytest.mark.parametrize("memory", [DEFAULT_MEMORY, SMALL_TABLE])
def test_a_table_kept_changes_no_value(memory: int) -> None:
    kept, fresh = Solver(memory, patience=0), Solver()
    for case in islice(interleaved(11, batch=100, chunk=50, sizes=LARGE), tries(1_500, 3_000)):
        assert agree(kept, fresh, case), case


@pytest.mark.ci
@pytest.mark.parametrize("memory", [DEFAULT_MEMORY, SMALL_TABLE])
@pytest.mark.parametrize("kind", NEEDS)
def test_a_table_kept_changes_nothing_of_what_a_lone_player_gets(kind: str, memory: int) -> None:
    kept, fresh = Solver(memory, patience=0), Solver()
    for case in islice(interleaved(12, batch=100, chunk=50, sizes=LARGE), tries(1_500, 3_000)):
        fresh.clear()
        assert met(kept, kind, case) == met(fresh, kind, case), case


@pytest.mark.parametrize(
    ("rule", "trump", "leader", "side", "hands"),
    [
        (2, 0, 0, 0b01010, ((1, 48), (10, 54), (8, 50), (51, 53))),
        (1, 0, 1, 0b10100, ((18, 22), (6, 17), (10, 23), (9, 20), (3, 21))),
        (2, 2, 1, 0b100, ((21, 38), (20, 37), (24, 39))),
    ],
)
def test_an_exempt_matador_outlives_a_trump_lead(
    rule: int, trump: int, leader: int, side: int, hands: tuple[tuple[int, ...], ...]
) -> None:
    # The top trump and a plain winner beside it: a matador kept from the trump lead ruffs.
    bits = tuple(sum(1 << card for card in hand) for hand in hands)
    top = max(card for hand in hands for card in hand if card >> 4 == trump)
    problem = EngineProblem(
        len(hands), bits, trump, leader, matadors=0b111 << top - 2, following=Following(rule)
    )
    assert brute_force.Judge(problem).tricks(side, side) == 1
    assert tricks(Solver(), problem, side, side) == 1


@pytest.mark.parametrize("called", [-1, 49])
def test_a_partner_left_with_only_trumps_must_ruff(called: int) -> None:
    # The partner ruffs the first of the leader's two plain winners; a called card is not a discard.
    # Matadors kept from the partner's trump leads then beat that player's other trumps one by one.
    partner = (16, 17, 18, 19 if called < 0 else called)
    hands = ((6, 5, 32, 33), (0, 1, 22, 34), partner, (2, 3, 21, 20))
    bits = tuple(sum(1 << card for card in hand) for hand in hands)
    problem = EngineProblem(
        4, bits, 1, 0, matadors=0b111 << 20, called=called, following=Following(2)
    )
    assert brute_force.Judge(problem).tricks(0b101, 0b101) == 1
    assert tricks(Solver(), problem, 0b101, 0b101) == 1


@pytest.mark.ci
@pytest.mark.parametrize(
    ("trump", "leader", "side", "hands", "most"),
    [
        # The player may hold up the top trump, or win with it and cash the ace, but not both.
        (0, 0, 0b10, (1125899909071875, 72057663025844544, 36033195199956996), 3),
        # After cashing the ace, the player has only trumps and must lead one.
        (3, 0, 0b11, (27303141460410384, 2814749768679428, 41658330912915464), 3),
    ],
)
def test_plain_winners_cashed_before_trump_tricks(
    trump: int, leader: int, side: int, hands: tuple[int, ...], most: int
) -> None:
    problem = EngineProblem(len(hands), hands, trump, leader)
    assert brute_force.Judge(problem).tricks(side, side) == most
    assert tricks(Solver(), problem, side, side) == most


def test_a_skipped_card_stands_for_its_equivalents() -> None:
    # Two matadors may be kept; a proof once relied on an equivalent above the one tried.
    hands = 864691128455135237, 218987531880890368, 37436171919294464, 1184446701998440448
    problem = EngineProblem(
        4, hands, 3, 3, matadors=0b111 << 58, following=Following(2, False, True)
    )
    case = dense_positions.Case(problem, 6, 6, 3, 1, 1, (2, 0, 2, 2), 44064)
    check(askers(), case, ["score"])


@pytest.mark.parametrize(
    "seed", [2, 454, *(pytest.param(seed, marks=pytest.mark.ci) for seed in range(1_030, 1_050))]
)
def test_any_automaton_over_tricks_with_and_without_marked_cards(seed: int) -> None:
    # Payoffs of games are more regular than these, and so show fewer bugs.
    random = Random(seed)
    players, tricks, states = 3, 3, range(4)
    levels: list[list[list[int]]] = [
        [random.choices(states, k=2 * players) for _ in states if left]
        for left in range(tricks + 1)
    ]
    worth = random.choices((0, 1), k=len(states))
    side, penalty = 1 << random.randrange(players), random.randrange(2)
    objective = PayoffObjective(side, side, players, levels, worth, 2, marked=LANE << 16 * penalty)

    def step(state: tuple[int, int], winner: int, trick: tuple[int, ...]) -> tuple[int, int]:
        left, number = state
        marked = any(card >> 4 == penalty for card in trick)
        return left - 1, levels[left][number][2 * winner + marked]

    kept = Solver(patience=0)
    for _ in range(40):
        cards = random.sample([16 * suit + rank for suit in range(3) for rank in range(6)], 9)
        hands = tuple(sum(1 << card for card in cards[own : own + 3]) for own in (0, 3, 6))
        problem = EngineProblem(players, hands, random.choice((-1, 0)), random.randrange(players))
        start = tricks, random.choice(states)
        payoff = brute_force.Payoff(start, step, lambda state: worth[state[1]], (0, 1))
        expected = bool(brute_force.Judge(problem).value(side, payoff))
        assert objective.reaches(kept, problem, start[1], 1) == expected


@pytest.mark.ci
def test_a_table_is_kept_for_one_question_only() -> None:
    assert all(islice(by_turns(5), tries(4_000, 40_000)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 120))
def test_engine_against_brute_force_at_length(seed: int) -> None:
    kept = askers(SMALL_TABLE if seed % 4 == 0 else 64 << 20)
    for case in islice(interleaved(seed, batch=50, chunk=25), 1_000):
        check(kept, case, KINDS)


def test_plain_code_visits_the_same_nodes() -> None:
    fast, plain = Solver(patience=0), Solver(plain=True, patience=0)
    for case in islice(interleaved(7), 200):
        for solver in (fast, plain):
            solver.limit()
        problem, side, credited = case.problem, case.side, case.credited
        assert tricks(fast, problem, side, credited) == tricks(plain, problem, side, credited)
        assert fast.nodes == plain.nodes, case


@pytest.mark.parametrize(
    ("leader", "hands"),
    [
        (0, (4164, 1153, 290, 2568)),
        (0, (4612, 131, 296, 3088)),
        (0, (4106, 385, 592, 3104)),
    ],
)
def test_a_card_that_beats_him_stands_for_none_that_does_not(
    leader: int, hands: tuple[int, ...]
) -> None:
    # An earlier player may win with a higher card or throw any lower card: not all of these beat
    # the last player's card if the highest of them does.
    problem = EngineProblem(4, hands, -1, leader)
    one, rest = 0b1000, 0b0111
    assert brute_force.Judge(problem).tricks(one, rest) == tricks(Solver(), problem, one, rest)
