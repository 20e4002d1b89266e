"""Payoffs that a number of tricks does not tell (RULES 11).

Of contracts for most tricks, of Nemo, and of first tricks in a row: what a state is, how a trick
changes it, and what it is worth in the end.
"""

from __future__ import annotations

from functools import lru_cache

from spadille.contract import Contract
from spadille.parts import Outcome
from spadille.rules import Rules
from spadille.search.automaton import Need, Payoff
from spadille.search.engine import NEED_CLEAN, NEED_EITHER, NEED_MOST

# Outcomes of contracts for most tricks, the best last.
OUTCOMES = ("codille", "failed", "puesta", "made", "sacada")


def _most_step(won: tuple[int, ...], winner: int, marked: bool) -> tuple[int, ...]:
    return (*won[:winner], won[winner] + 1, *won[winner + 1 :])


@lru_cache(maxsize=256)
def most(rules: Rules, contract_id: str, seat: str, tricks: int, won: tuple[int, ...]) -> Payoff:
    """Worth (rank of the outcome, own tricks): among equal outcomes the declarer takes more."""
    contract = Contract((seat,), (contract_id,), "")
    own = rules.turn_order.index(seat)

    def worth(won: tuple[int, ...]) -> tuple[int, int]:
        outcome = Outcome(dict(zip(rules.turn_order, won, strict=True)))
        return OUTCOMES.index(rules.outcome_name(contract, outcome)), won[own]

    def need(value: tuple[int, int]) -> Need:
        outcome, tricks = value
        return Need(NEED_MOST if OUTCOMES[outcome] == "made" else NEED_EITHER, tricks)

    def has(won: tuple[int, ...]) -> tuple[int, ...]:
        return (won[own], *won[:own], *won[own + 1 :])

    # Made or not hangs on what he needs; other outcomes on which of the others has most, too.
    simple = rules.game.outcome_name is None
    return Payoff(
        len(won),
        tricks,
        won,
        _most_step,
        worth,
        1 << own,
        word=lambda value: OUTCOMES[value[0]],
        need=need if simple else None,
        has=has if simple else None,
    )


def nemo_step(own: int, state: tuple[int, bool], winner: int, marked: bool) -> tuple[int, bool]:
    """Return (clean tricks, is one of his tricks dirty) after one more trick."""
    clean, dirty = state
    if winner != own:
        return state
    return (clean, True) if marked else (clean + 1, dirty)


@lru_cache(maxsize=256)
def nemo(
    rules: Rules, contract_id: str, tricks: int, own: int, start: tuple[int, bool], marked: int
) -> Payoff:
    """Worth points; `marked` is the penalty suit."""
    all_clean, some = rules.contracts[contract_id].values

    def step(state: tuple[int, bool], winner: int, marked: bool) -> tuple[int, bool]:
        return nemo_step(own, state, winner, marked)

    def worth(state: tuple[int, bool]) -> int:
        return (some if state[1] else all_clean) * state[0]

    def need(value: int) -> Need:
        return Need(NEED_CLEAN, -(-value // all_clean), -(-value // some))

    return Payoff(
        len(rules.seats),
        tricks,
        start,
        step,
        worth,
        1 << own,
        marked=marked,
        need=need,
        has=lambda state: state,
    )


def run_on(state: tuple[int, bool], runners: int, length: int, winner: int) -> tuple[int, bool]:
    """Return (tricks so far, all of them the runners') after one more trick."""
    seen, held = state
    if seen == length or not held:
        return state
    return seen + 1, bool(runners >> winner & 1)


@lru_cache(maxsize=256)
def run(
    players: int, tricks: int, start: tuple[int, bool], side: int, runners: int, length: int
) -> Payoff:
    """Worth 1 or 0: whether the runners win each of the first tricks, their side helping."""

    def step(state: tuple[int, bool], winner: int, marked: bool) -> tuple[int, bool]:
        return run_on(state, runners, length, winner)

    def worth(state: tuple[int, bool]) -> int:
        return int(state == (length, True))

    return Payoff(players, tricks, start, step, worth, side, credited=runners)
