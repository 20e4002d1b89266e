"""Test the referee: against the text of the rules, a plainer minimax, `Position`, and DDS."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from random import Random
from typing import Any

import pytest

from spadille.core.position import Position
from spadille.games import GAMES, rules_for
from spadille.games.model.following_suit import Following
from spadille.games.model.game import Rules
from spadille.search.engine_problem import EngineProblem
from tests.support import brute_force, dense_positions
from tests.support.tiers import part, tries

SUITS = "SHDC"
# A trump suit of eleven with three matadors on top, and one plain suit.
SPADILLE, MANILLE, BASTO, PUNTO, LOW = 10, 9, 8, 7, 0
MATADORS = 1 << SPADILLE | 1 << MANILLE | 1 << BASTO
PLAIN, KING = 16 + 3, 16 + 8
DUTIES = ("matador_rule", "matador_trigger", "mixed_matadors")
CALLED = ("called_card_duty", "called_partner_lead", "called_early_discard")


def position(
    hand: set[int], trick: tuple[int, ...], called: int = -1, **following: int
) -> EngineProblem:
    bits = sum(1 << card for card in hand)
    return EngineProblem(
        players=4,
        hands=(0, bits, 0, 0),
        trump=0,
        leader=0,
        trick=trick,
        matadors=MATADORS,
        called=called,
        following=Following(**following),
    )


def legal(hand: set[int], trick: tuple[int, ...], called: int = -1, **following: int) -> set[int]:
    start = position(hand, trick, called, **following)
    return set(brute_force.cards_of(brute_force.legal(start, start.hands[1], trick)))


@pytest.mark.parametrize("rule", [0, 1, 2])
def test_an_ordinary_trump_forbids_the_privilege(rule: int) -> None:
    hand = {SPADILLE, LOW, PLAIN}
    assert legal(hand, (PUNTO,), matador_rule=rule) == {SPADILLE, LOW}


@pytest.mark.parametrize(
    ("rule", "led", "free"),
    [
        (0, PUNTO, False),
        (1, PUNTO, True),
        (2, PUNTO, True),
        (1, SPADILLE, False),
        (2, SPADILLE, False),
        (1, BASTO, False),
        (2, BASTO, True),
    ],
)
def test_a_lone_manille_under_each_rule(rule: int, led: int, free: bool) -> None:
    hand = {MANILLE, PLAIN}
    expected = hand if free else {MANILLE}
    assert legal(hand, (led,), matador_rule=rule) == expected


@pytest.mark.parametrize(("mixed", "free"), [(0, False), (1, True)])
def test_manille_led_against_spadille_and_basto(mixed: int, free: bool) -> None:
    hand = {SPADILLE, BASTO, PLAIN}
    expected = hand if free else {SPADILLE, BASTO}
    assert legal(hand, (MANILLE,), matador_rule=2, free_unless_all_lower=mixed) == expected


@pytest.mark.parametrize(("trigger", "free"), [(0, True), (1, False)])
def test_a_trump_played_later_to_the_trick(trigger: int, free: bool) -> None:
    hand = {BASTO, PLAIN}
    expected = hand if free else {BASTO}
    trick = (PUNTO, SPADILLE)
    assert legal(hand, trick, matador_rule=2, highest_so_far=trigger) == expected


def test_a_ruff_exempts_nobody_and_compels_nobody() -> None:
    trick = (KING, SPADILLE)
    for trigger in (0, 1):
        assert legal({MANILLE, LOW}, trick, matador_rule=2, highest_so_far=trigger) == {
            MANILLE,
            LOW,
        }
        assert legal({MANILLE, PLAIN}, trick, matador_rule=2, highest_so_far=trigger) == {PLAIN}


def test_without_trumps_everything_may_be_played() -> None:
    for mixed in (0, 1):
        assert legal({PLAIN, KING}, (SPADILLE,), matador_rule=2, free_unless_all_lower=mixed) == {
            PLAIN,
            KING,
        }


def test_duty_of_the_called_card() -> None:
    hand = {KING, PLAIN, LOW}
    assert legal(hand, (16 + 1,), called=KING) == {KING}
    assert legal(hand, (), called=KING) == {KING, LOW}
    assert legal(hand, (), called=KING, free_called_lead=1) == hand
    assert legal(hand, (16 + 1,), called=16 + 5) == {KING, PLAIN}  # another player holds it


@pytest.mark.parametrize(("early", "expected"), [(0, {PLAIN}), (1, {KING, PLAIN})])
def test_a_called_card_is_kept_back(early: int, expected: set[int]) -> None:
    assert legal({KING, PLAIN}, (32,), called=KING, early_discard=early) == expected
    assert legal({KING}, (32,), called=KING, early_discard=early) == {KING}


def test_winners_of_tricks() -> None:
    start = position(set(), ())
    assert brute_force.winner(start, 2, (PLAIN, KING, 32 + 12, 48 + 12)) == 3
    assert brute_force.winner(start, 2, (PLAIN, KING, LOW, BASTO)) == 1


def test_nemo_counts_twice_while_all_is_clean() -> None:
    payoff = brute_force.nemo(3, 0, 1)
    clean, dirty, mine = (0, 2, 3), (0, 16, 3), 0
    for tricks, points in [
        ([], 0),
        ([clean, clean], 40),
        ([clean, dirty], 10),
        ([dirty, clean, clean], 20),
        ([dirty], 0),
    ]:
        state = payoff.start
        for trick in tricks:
            state = payoff.step(state, mine, trick)
        assert payoff.final(payoff.step(state, 1, dirty)) == points


@pytest.mark.parametrize(
    ("won", "outcome"),
    [
        ((5, 4, 0), 2),
        ((4, 3, 2), 2),
        ((4, 4, 1), 1),
        ((3, 3, 3), 1),
        ((1, 4, 4), 1),
        ((3, 2, 4), 0),
    ],
)
def test_outcomes_of_ombre(won: tuple[int, ...], outcome: int) -> None:
    assert brute_force.ombre(0, won).final(won) == outcome


def plain_minimax(problem: EngineProblem, side: int, payoff: brute_force.Payoff) -> float:
    def best(table: brute_force.Table, state: Any) -> float:
        hands, leader, trick = table
        if not trick and not hands[leader]:
            return payoff.final(state)
        mover = (leader + len(trick)) % problem.players
        return (max if side >> mover & 1 else min)(
            best(after, payoff.step(state, won, cards) if cards else state)
            for _, after, won, cards in brute_force.moves(problem, table)
        )

    return best(brute_force.root(problem), payoff.start)


def payoffs(case: dense_positions.Case, left: int) -> Iterator[tuple[int, brute_force.Payoff]]:
    yield case.side, brute_force.count(left, case.credited)
    yield case.side, brute_force.run(case.credited, case.horizon)
    yield (
        case.side,
        brute_force.score(left, case.credited, case.horizon, lambda t, r: t * t + 7 * r),
    )
    yield 1 << case.player, brute_force.most(case.player, case.won)
    yield 1 << case.player, brute_force.nemo(left, case.player, case.penalty, sum(case.won), False)
    if case.problem.players == 3:
        yield 1 << case.player, brute_force.ombre(case.player, case.won)


@pytest.mark.parametrize("families", [10, pytest.param(40, marks=pytest.mark.ci)])
def test_thresholds_and_memo_change_nothing(families: int) -> None:
    for number, kind in enumerate(islice(dense_positions.families(1), families)):
        for case in dense_positions.cases(kind, number, 5):
            judge = brute_force.Judge(case.problem)
            if judge.left > 3 or judge.left * case.problem.players > 12:
                continue
            for side, payoff in payoffs(case, judge.left):
                value = judge.value(side, payoff)
                assert value == plain_minimax(case.problem, side, payoff)
                each = judge.card_values(side, payoff).values()
                mover = judge.mover(brute_force.root(case.problem))
                assert value == (max if side >> mover & 1 else min)(each)


def settings(game_id: str) -> Iterator[Rules]:
    """Yield all combinations of the options that affect play."""
    options = GAMES[game_id].options
    names = [name for name in (*DUTIES, *CALLED, "red_plain_order") if name in options]
    for values in product(*(options[name].values for name in names)):
        yield rules_for(game_id, dict(zip(names, values, strict=True)))


def terms(
    position: Position, called: str | None
) -> tuple[EngineProblem, dict[str, int], list[str]]:
    """Return the position in the referee's terms: the problem, card -> number, turn order."""
    rules, trump = position.rules, position.trump
    number = {
        card: 16 * SUITS.index(suit) + len(cards) - 1 - place
        for suit, cards in rules.suits(trump).items()
        for place, card in enumerate(cards)
    }
    seats = list(rules.turn_order)
    on_table = [(seat, card) for seat, card in position.trick]
    leader = on_table[0][0] if on_table else position.to_play
    out = called is not None and any(called in position.hands[seat] for seat in seats)
    duty = out and rules.called_card_duty == "first-lead"

    def index(name: str, *values: str) -> int:
        return values.index(rules.options.get(name, values[0]))

    problem = EngineProblem(
        players=len(seats),
        hands=tuple(sum(1 << number[card] for card in position.hands[seat]) for seat in seats),
        trump=SUITS.find(trump) if trump != "NT" else -1,
        leader=seats.index(leader),
        trick=tuple(number[card] for _, card in on_table),
        matadors=sum(1 << number[card] for card in rules.matadors(trump)),
        called=number[called] if duty and called is not None else -1,
        following=Following(
            index("matador_rule", "none", "any-matador-led", "higher-only"),
            index("matador_trigger", "led-card", "highest-so-far"),
            index("mixed_matadors", "must-play-a-trump", "free-unless-all-lower"),
            index("called_partner_lead", "must-lead-called", "free"),
            index("called_early_discard", "only-if-forced", "allowed"),
        ),
    )
    return problem, number, seats


def play_out(rules: Rules, trump: str, random: Random) -> int:
    """Play a random hand to the end; return how often a duty other than following suit decided."""
    game = rules.game
    deck = list(rules.deck)
    random.shuffle(deck)
    size = game.hand_size
    hands = {seat: deck[i * size : (i + 1) * size] for i, seat in enumerate(rules.seats)}
    called = None
    if game.calls:
        plain = [
            card for suit, cards in rules.suits(trump).items() if suit != trump for card in cards
        ]
        called = random.choice([card for hand in hands.values() for card in hand if card in plain])
    position = Position(rules, trump, hands, random.choice(rules.seats), called)
    special = 0
    while not position.finished:
        problem, number, seats = terms(position, called)
        mover = seats.index(position.to_play)
        assert mover == (problem.leader + len(problem.trick)) % problem.players
        allowed = brute_force.legal(problem, problem.hands[mover], problem.trick)
        cards = position.legal()
        assert sorted(number[card] for card in cards) == list(brute_force.cards_of(allowed))
        same = problem.hands[mover] & 0xFFFF << 16 * (problem.trick[0] >> 4) if problem.trick else 0
        special += allowed != (same or problem.hands[mover])
        card = random.choice(cards)
        position.play(card)
        trick = (*problem.trick, number[card])
        if len(trick) == problem.players:
            winner = seats[brute_force.winner(problem, problem.leader, trick)]
            assert position.tricks[-1].winner == winner
            assert position.finished or position.to_play == winner
    return special


@pytest.mark.parametrize("game_id", part(GAMES, 2, 4))
def test_position_and_judge_agree(game_id: str) -> None:
    random = Random(game_id)
    special = 0
    everything = [(rules, trump) for rules in settings(game_id) for trump in rules.trumps]
    for rules, trump in everything:
        for _ in range(1 if len(everything) > 100 else tries(2, 5)):
            special += play_out(rules, trump, random)
    wanted = any(rules.matadors(trump) or rules.game.calls for rules, trump in everything)
    assert bool(special) == wanted
