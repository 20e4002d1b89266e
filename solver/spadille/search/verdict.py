"""What bounds on the value of an objective say of a contract: tricks, made or not, outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from spadille.contract import Contract
from spadille.parts import ContractType, Outcome
from spadille.search.automaton import Payoff
from spadille.search.encoding import Situation
from spadille.search.going_on import gone_on, lost_at, may_stop, run_so_far, runners, target_of
from spadille.search.objective import Objective

_WON = ("made", "sacada")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known of a contractor's hand; None where the bounds leave it open."""

    bounds: tuple[Any, Any]
    """Least and greatest tricks, worst and best outcome (most tricks), or points (Nemo)."""
    tricks: int | None = None
    makes: bool | None = None
    margin: int | None = None
    outcome: str | None = None
    finals: tuple[Outcome, ...] = ()
    """Where tricks are counted: the hand as it may end, split between the seats in some way."""


def contract_type(contract: Contract, at: Situation, seat: str) -> ContractType:
    """Return what a contractor plays."""
    return at.encoding.rules.contracts[contract.ids[contract.declarers.index(seat)]]


def verdict(
    contract: Contract, at: Situation, seat: str, objective: Objective, low: int, high: int
) -> Verdict:
    """Judge a contractor by the bounds of his objective's value."""
    kind = contract_type(contract, at, seat)
    if isinstance(objective, Payoff):
        return _of_payoff(kind, objective, low, high)
    if not objective.counts and low < 0:
        low = -at.won[at.encoding.player[seat]] - at.problem.tricks
    target = target_of(contract, at, seat)
    if kind.aim == "misere":
        low, high = -high, -low
        makes = True if high == 0 else False if low else None
    else:
        makes = True if low >= target else False if high < target else None
    rules = at.encoding.rules
    finals = tuple([final_of(contract, at, seat, tricks) for tricks in range(low, high + 1)])
    outcome = rules.outcome_name(contract, finals[0], seat)
    if low < high:
        names = {rules.outcome_name(contract, final, seat) for final in finals}
        return Verdict((low, high), None, makes, None, outcome if len(names) == 1 else None, finals)
    margin = -low if kind.aim == "misere" else low - target
    return Verdict((low, high), low, makes, margin, outcome, finals)


def _of_payoff(kind: ContractType, objective: Payoff, low: int, high: int) -> Verdict:
    worst, best = objective.named(low), objective.named(high)
    tricks = None
    if kind.aim == "nemo":
        makes = True if worst else False if not best else None
        outcome = None if makes is None else "made" if makes else "failed"
        if low == high:
            # So many clean tricks at least are worth the points.
            tricks = -(-worst // kind.values[0])
    else:
        makes = True if worst in _WON else None if best in _WON else False
        outcome = worst if worst == best else None
        if low == high:
            tricks = objective.values[low][1]
    return Verdict((worst, best), tricks, makes, None, outcome)


def total(contract: Contract, at: Situation) -> int:
    """Return the tricks the declaring side has won so far."""
    player = at.encoding.player
    return sum(at.won[player[seat]] for seat in contract.side)


def ended(contract: Contract, at: Situation) -> Outcome | None:
    """Return the outcome of a hand that was played to its end, or ended before.

    That is where a side stops after the first tricks, and where all are needed and one is lost.

    None where the play goes on, and where an end position does not tell what is paid for.
    """
    rules = at.encoding.rules
    if at.total != rules.game.hand_size:
        return None
    if may_stop(contract, at):
        return final_of(contract, at, contract.declarer, total(contract, at))
    if lost_at(contract, at):
        needed = runners(contract, at)
        own = sum(won for player, won in enumerate(at.won) if needed >> player & 1)
        return final_of(contract, at, contract.declarer, own)
    if at.problem.tricks:
        return None
    clean = None
    if contract.penalty is not None:
        if len(at.history) < at.total:
            return None
        penalty = at.encoding.lanes[contract.penalty]
        taken = [winner for winner, cards in at.history if all(c >> 4 != penalty for c in cards)]
        clean = {seat: taken.count(player) for seat, player in at.encoding.player.items()}
    tricks = dict(zip(rules.turn_order, at.won, strict=True))
    went_on = gone_on(contract, at)
    return Outcome(tricks, run_so_far(contract, at), clean, went_on)


def final_of(contract: Contract, at: Situation, seat: str, tricks: int) -> Outcome:
    """Give the contractor what his side wins from here on, and one opponent the rest."""
    rules = at.encoding.rules
    went_on = gone_on(contract, at)
    alone = len(contract.declarers) > 1 or (went_on and contract_type(contract, at, seat).run_alone)
    side = (seat,) if alone else contract.side
    split = dict(zip(rules.turn_order, at.won, strict=True))
    before = sum(split[member] for member in side)
    left = at.total - sum(at.won)
    split[seat] += tricks - before
    for other in rules.seats:
        if other not in side:
            split[other] += left - (tricks - before)
            break
    return Outcome(split, run_so_far(contract, at), went_on=went_on)
