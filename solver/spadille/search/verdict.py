"""Interpret values as tricks, as made or failed, or as outcomes; describe the end of a hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

from spadille.core.contract import Contract
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.encoding import Situation
from spadille.search.first_run import (
    contract_type,
    may_stop,
    run_and_gone_on,
    runners,
)

Unit = Literal["tricks", "outcome", "points"]
"""The unit for values: tricks, outcomes or points."""
Value = int | str
"""A value: a number of tricks or points, or the word for an outcome."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A verdict on a declarer's contract; a field is None if the bounds leave it open."""

    bounds: tuple[Value, Value]
    """Bounds on the tricks, on the outcome (in contracts to win the most tricks) or on the points
    (in Nemo)."""
    tricks: int | None = None
    makes: bool | None = None
    margin: int | None = None
    outcome: str | None = None
    finals: tuple[Outcome, ...] = ()
    """Possible ends of the hand; each divides the tricks among the seats in one possible way. Empty
    if only the points are certain, or if the division of the opponents' tricks matters in a
    contract to win the most tricks."""


class PayoffMeaning(NamedTuple):
    """The meaning of a payoff for the declarer; fields are None if endings with it differ."""

    payoff: int
    """The lowest payoff of the declarer in these endings."""
    makes: bool | None
    outcome: str | None


def total(contract: Contract, at: Situation) -> int:
    """Return the number of tricks the declaring side has won so far."""
    player = at.encoding.player
    return sum(at.won[player[seat]] for seat in contract.side)


def lost_at(contract: Contract, at: Situation) -> int | None:
    """Return the trick in the history that ended the hand (see `Rules.lost_at`)."""
    rules = at.encoding.rules
    if not rules.contracts[contract.ids[0]].ends_when_lost:
        return None
    order = rules.turn_order
    winners = [order[winner] for winner, _ in at.history]
    earlier = dict(zip(order, at.won, strict=True))
    for seat in winners:
        earlier[seat] -= 1
    return rules.lost_at(contract, earlier, winners, at.problem.tricks)


def ended(contract: Contract, at: Situation) -> Outcome | None:
    """Return the outcome of a hand that was played to its end, or ended early.

    A hand ends early if a side stops after the first run, or if a trick is lost although all are
    needed. Returns None if the hand is not over, or if an end position lacks facts that affect the
    payoff.
    """
    return outcome_at_end(contract, at, lost_at(contract, at))


def outcome_at_end(contract: Contract, at: Situation, lost: int | None) -> Outcome | None:
    """Return the same as `ended`, given the result of `lost_at`."""
    rules = at.encoding.rules
    if at.total != rules.game.hand_size:
        return None
    if may_stop(contract, at):
        return final_of(contract, at, contract.declarer, total(contract, at))
    if lost:
        needed = runners(contract, at)
        runners_won = sum(won for player, won in enumerate(at.won) if needed >> player & 1)
        return final_of(contract, at, contract.declarer, runners_won)
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
    first_run, went_on = run_and_gone_on(contract, at)
    return Outcome(tricks, first_run, clean, went_on)


def final_of(contract: Contract, at: Situation, seat: str, tricks: int) -> Outcome:
    """Return an outcome in which all further tricks of the side go to the declarer.

    All other remaining tricks go to one opponent.
    """
    rules = at.encoding.rules
    first_run, went_on = run_and_gone_on(contract, at)
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
    return Outcome(split, first_run, went_on=went_on)
