"""The referee of the engine: plain minimax over the rules of play, without shared code.

Every number here is found by playing all legal lines to the end (with an exact memo), straight from
the rules: section 2 (following suit, matadors), section 3 (called card), section 11 (values). Cards
are numbers suit * 16 + rank, hands are bit sets of cards, and players are in order of play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import inf
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from spadille.search.engine_problem import EngineProblem

Trick = tuple[int, ...]
Table = tuple[tuple[int, ...], int, Trick]  # hands, leader, cards of the current trick


@dataclass(frozen=True)
class Payoff:
    """A number that depends on the tricks in order: an automaton over (winner, cards).

    `values` are all numbers that `final` can return. `span`, if any, bounds the possible change
    from a state with a number of tricks left; it only saves time.
    """

    start: Any
    step: Callable[[Any, int, Trick], Any]
    final: Callable[[Any], float]
    values: Iterable[float]
    span: Callable[[Any, int], tuple[float, float]] = lambda state, left: (-inf, inf)


def cards_of(hand: int) -> Iterator[int]:
    """Return the card numbers in a bit set, ascending."""
    while hand:
        yield (hand & -hand).bit_length() - 1
        hand &= hand - 1


def follow(p: EngineProblem, hand: int, trick: Trick) -> int:
    """Return the cards that the duty to follow suit allows (RULES 2)."""
    if not trick:
        return hand
    led = trick[0] >> 4
    same = hand & 0xFFFF << 16 * led
    if led != p.trump or not same:
        return same or hand
    trigger = max(c for c in trick if c >> 4 == led) if p.following.highest_so_far else trick[0]

    def compellable(card: int) -> bool:
        if p.following.matador_rule == 0 or not p.matadors >> card & 1:
            return True
        by_matador = bool(p.matadors >> trigger & 1)
        return by_matador and (p.following.matador_rule == 1 or trigger > card)

    bound = [compellable(card) for card in cards_of(same)]
    all_matadors = not same & ~p.matadors
    free = p.following.free_unless_all_lower and all_matadors
    return same if (all if free else any)(bound) else hand


def legal(p: EngineProblem, hand: int, trick: Trick) -> int:
    """Return the legal cards: follow suit, then the duty of a called card (RULES 3)."""
    choice = follow(p, hand, trick)
    if p.called < 0 or not hand >> p.called & 1:
        return choice
    called, suit = 1 << p.called, p.called >> 4
    if not trick:
        return hand if p.following.free_called_lead else hand & ~(0xFFFF << 16 * suit) | called
    if trick[0] >> 4 == suit:
        return called
    return choice if p.following.early_discard else choice & ~called or choice


def winner(p: EngineProblem, leader: int, trick: Trick) -> int:
    """Return the player whose card takes a complete trick."""
    led = trick[0] >> 4
    best = max(trick, key=lambda card: (card >> 4 == p.trump, card >> 4 == led, card))
    return (leader + trick.index(best)) % p.players


def moves(p: EngineProblem, table: Table) -> Iterator[tuple[int, Table, int, Trick]]:
    """List each legal card with the table after it and the winner and cards of its trick.

    The winner is -1 if the card completes no trick.
    """
    hands, leader, trick = table
    mover = (leader + len(trick)) % p.players
    for card in cards_of(legal(p, hands[mover], trick)):
        after = (*hands[:mover], hands[mover] ^ 1 << card, *hands[mover + 1 :])
        now = (*trick, card)
        if len(now) < p.players:
            yield card, (after, leader, now), -1, ()
        else:
            won = winner(p, leader, now)
            yield card, (after, won, ()), won, now


def root(p: EngineProblem) -> Table:
    """Return the table that the problem describes."""
    return p.hands, p.leader, p.trick


class Judge:
    """All values of one problem; the tree of play is built once and used for every payoff."""

    def __init__(self, problem: EngineProblem) -> None:
        self.problem = problem
        self.left = max(hand.bit_count() for hand in problem.hands)  # tricks left
        self.moves = cache(lambda table: tuple(moves(problem, table))[::-1])

    def mover(self, table: Table) -> int:
        return (table[1] + len(table[2])) % self.problem.players

    def forced(self, side: int, payoff: Payoff, target: float) -> Callable[[Table, Any], bool]:
        """Return whether `side` can force at least `target` from a table and a payoff state."""

        @cache
        def forced(table: Table, state: Any) -> bool:
            hands, leader, trick = table
            if not trick:
                if not hands[leader]:
                    return payoff.final(state) >= target
                low, high = payoff.span(state, hands[leader].bit_count())
                if low >= target or high < target:
                    return low >= target
            choose = any if side >> self.mover(table) & 1 else all
            return choose(
                forced(after, state if won < 0 else payoff.step(state, won, cards))
                for _, after, won, cards in self.moves(table)
            )

        return forced

    def card_values(self, side: int, payoff: Payoff) -> dict[int, float]:
        """Return the payoff that `side` can force after each legal card; all others minimize it."""
        values = sorted(set(payoff.values))
        result = {card: values[0] for card, *_ in self.moves(root(self.problem))}
        for target in values[1:]:
            forced = self.forced(side, payoff, target)
            for card, after, won, cards in self.moves(root(self.problem)):
                state = payoff.start if won < 0 else payoff.step(payoff.start, won, cards)
                if forced(after, state):
                    result[card] = target
        return result

    def value(self, side: int, payoff: Payoff) -> float:
        """Return the payoff that `side` can force."""
        for target in sorted(set(payoff.values), reverse=True):
            if self.forced(side, payoff, target)(root(self.problem), payoff.start):
                return target
        raise ValueError("a final payoff is not among the payoff's values")

    def tricks(self, side: int, credited: int) -> int:
        """Return the number of tricks of the players `credited` that `side` can force."""
        return int(self.value(side, count(self.left, credited)))

    def misere(self, player: int) -> int:
        """Return the fewest tricks that `player` can be sure of against all others."""
        return int(self.value(~(1 << player), count(self.left, 1 << player)))


def count(left: int, credited: int) -> Payoff:
    """Return a payoff: the tricks won by `credited`."""
    return Payoff(
        0,
        lambda won, winner, _: won + (credited >> winner & 1),
        lambda won: won,
        range(left + 1),
        lambda won, left: (won, won + left),
    )


def run(credited: int, length: int) -> Payoff:
    """Return a payoff: 1 if `credited` win each of the next `length` tricks, else 0."""

    def step(state: tuple[int, int], winner: int, _: Trick) -> tuple[int, int]:
        seen, held = state
        return (seen, held) if seen == length else (seen + 1, held and credited >> winner & 1)

    return Payoff((0, 1), step, lambda state: state[1], (0, 1))


def score(left: int, credited: int, length: int, pay: Callable[[int, int], float]) -> Payoff:
    """Return pay(tricks of `credited`, 1, -1 or 0 for all, none or some of the first `length`)."""

    def step(state: tuple[int, int, int], winner: int, _: Trick) -> tuple[int, int, int]:
        seen, won, first = state
        won += credited >> winner & 1
        if seen + 1 == length:
            first = (won == length) - (won == 0)
        return seen + 1, won, first

    everything = [pay(won, first) for won in range(left + 1) for first in (-1, 0, 1)]
    return Payoff((0, 0, 0), step, lambda state: pay(state[1], state[2]), everything)


def add_trick(won: tuple[int, ...], winner: int, _: Trick) -> tuple[int, ...]:
    return (*won[:winner], won[winner] + 1, *won[winner + 1 :])


def most(player: int, won: tuple[int, ...]) -> Payoff:
    """Return 1 if `player` ends with more tricks than any single other player (RULES 9), else 0.

    `won` counts the tricks that each player already has.
    """

    def final(won: tuple[int, ...]) -> int:
        return int(all(won[player] > w for p, w in enumerate(won) if p != player))

    return Payoff(won, add_trick, final, (0, 1))


def ombre(player: int, won: tuple[int, ...]) -> Payoff:
    """Return Ombre's outcome (RULES 5): 2 sacada, 1 puesta, 0 codille."""

    def final(won: tuple[int, ...]) -> int:
        own, (low, top) = won[player], sorted(w for p, w in enumerate(won) if p != player)
        return 2 if own > top else 0 if top > own and top > low else 1

    return Payoff(won, add_trick, final, (0, 1, 2))


def nemo(left: int, player: int, penalty: int, clean: int = 0, dirty: bool = False) -> Payoff:
    """Return the points of `player` in Nemo (RULES 9).

    These are 20 a trick if none of the player's tricks holds a card of suit `penalty`, else 10 for
    each trick without one; `clean` and `dirty` are the tricks so far.
    """

    def step(state: tuple[int, bool], winner: int, cards: Trick) -> tuple[int, bool]:
        clean, dirty = state
        if winner != player:
            return state
        return (clean, True) if any(c >> 4 == penalty for c in cards) else (clean + 1, dirty)

    def span(state: tuple[int, bool], left: int) -> tuple[int, int]:
        clean, dirty = state
        return 10 * clean, (10 if dirty else 20) * (clean + left)

    return Payoff(
        (clean, dirty),
        step,
        lambda state: (10 if state[1] else 20) * state[0],
        range(0, 20 * (clean + left) + 1, 10),
        span,
    )


def needs(kind: int, players: int, player: int, penalty: int, wanted: Sequence[int]) -> Payoff:
    """Return 1 if `player` alone reaches a target, else 0.

    The targets are (0) a number of tricks and a lead over each other player, (1) one of the two,
    (2) clean tricks, with another number if none is dirty.
    """

    def step(state: Any, winner: int, cards: Trick) -> Any:
        won, clean, dirty = state
        if winner == player:
            marked = any(c >> 4 == penalty for c in cards)
            clean, dirty = clean + (not marked), dirty or marked
        return add_trick(won, winner, cards), clean, dirty

    def final(state: Any) -> int:
        won, clean, dirty = state
        if kind == 2:
            return int(clean >= wanted[dirty])
        own, *others = won[player], *won[:player], *won[player + 1 :]
        ahead = all(own - other >= more for other, more in zip(others, wanted[1:], strict=True))
        enough = own >= wanted[0]
        return int(ahead or enough if kind else ahead and enough)

    return Payoff(((0,) * players, 0, False), step, final, (0, 1))
