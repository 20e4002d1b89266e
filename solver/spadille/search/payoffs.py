"""The machines behind payoffs that a number of tricks does not tell (RULES 11).

Of contracts for most tricks, of Nemo, and of first tricks in a row: what a state is, how a trick
changes it, and what it is worth in the end.
"""

from __future__ import annotations

from functools import lru_cache

from spadille.deal import Contract
from spadille.rules import Outcome, Rules
from spadille.search.automaton import Machine

# Outcomes of contracts for most tricks, the best last.
OUTCOMES = ("codille", "failed", "puesta", "made", "sacada")


def _most_step(won: tuple[int, ...], winner: int, marked: bool) -> tuple[int, ...]:
    return (*won[:winner], won[winner] + 1, *won[winner + 1 :])


@lru_cache(maxsize=256)
def most(rules: Rules, contract_id: str, seat: str, tricks: int, won: tuple[int, ...]) -> Machine:
    """Worth (rank of the outcome, own tricks): among equal outcomes the declarer takes more."""
    contract = Contract((seat,), (contract_id,), "")
    own = rules.turn_order.index(seat)

    def worth(won: tuple[int, ...]) -> tuple[int, int]:
        outcome = Outcome(dict(zip(rules.turn_order, won, strict=True)))
        return OUTCOMES.index(rules.outcome_name(contract, outcome)), won[own]

    return Machine(len(won), tricks, won, _most_step, worth, 1 << own)


def outcome_of(value: tuple[int, int]) -> str:
    """Name the outcome in a value of a contract for most tricks."""
    return OUTCOMES[value[0]]


def nemo_step(own: int, state: tuple[int, bool], winner: int, marked: bool) -> tuple[int, bool]:
    """Return (clean tricks, is one of his tricks dirty) after one more trick."""
    clean, dirty = state
    if winner != own:
        return state
    return (clean, True) if marked else (clean + 1, dirty)


@lru_cache(maxsize=256)
def nemo(rules: Rules, contract_id: str, tricks: int, own: int, start: tuple[int, bool]) -> Machine:
    """Worth points."""
    all_clean, some = rules.contracts[contract_id].values

    def step(state: tuple[int, bool], winner: int, marked: bool) -> tuple[int, bool]:
        return nemo_step(own, state, winner, marked)

    def worth(state: tuple[int, bool]) -> int:
        return (some if state[1] else all_clean) * state[0]

    return Machine(len(rules.seats), tricks, start, step, worth, 1 << own, marks=True)


def run_on(state: tuple[int, bool], runners: int, length: int, winner: int) -> tuple[int, bool]:
    """Return (tricks so far, all of them the runners') after one more trick."""
    seen, held = state
    if seen == length or not held:
        return state
    return seen + 1, bool(runners >> winner & 1)


@lru_cache(maxsize=256)
def run(players: int, tricks: int, start: tuple[int, bool], runners: int, length: int) -> Machine:
    """Worth 1 or 0."""

    def step(state: tuple[int, bool], winner: int, marked: bool) -> tuple[int, bool]:
        return run_on(state, runners, length, winner)

    def worth(state: tuple[int, bool]) -> int:
        return int(state == (length, True))

    return Machine(players, tricks, start, step, worth, runners)
