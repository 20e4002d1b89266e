"""The payoffs of one deal of an evening as it was played.

These payoffs follow from the record alone and need no search. A deal can be settled if all ends
that fit its record pay the same (`spadille.core.recorded_outcome.endings`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from spadille.analysis.evening.game_end import GameEnd
from spadille.base.errors import Fault, SpadilleError
from spadille.base.json_fields import JsonFields
from spadille.base.words_for_messages import seat_name
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.recorded_outcome import PlayView, Recorded, endings
from spadille.games.model.contract_types_and_options import Outcome, Surrender
from spadille.games.model.game import Rules

NOT_SETTLED = "not-settled"
_MADE = ("made", "sacada", "win", "vole")


class PlayedCards(PlayView, Protocol):
    """Recorded play."""

    @property
    def cards(self) -> tuple[str, ...]:
        """All cards in order of play."""

    def before(self, surrender: Surrender, rules: Rules) -> int:
        """Return the number of cards played before the declarer surrendered."""


@runtime_checkable
class EveningDeal(Recorded, Protocol):
    """One recorded deal of an evening, such as an `Entry` of a hand file."""

    @property
    def play(self) -> PlayedCards | None:
        """The recorded play."""

    @property
    def tricks(self) -> Mapping[str, int]:
        """The recorded numbers of tricks at the end, by seat."""

    @property
    def paid(self) -> Mapping[str, int]:
        """The recorded points, including antes, by seat."""

    @property
    def players(self) -> Mapping[str, str]:
        """The recorded names of the players, by seat."""

    @property
    def calls(self) -> tuple[str, Sequence[str]] | None:
        """The seat that called first, and all calls in turn; None if there was no auction."""

    @property
    def dealer_named(self) -> bool:
        """Whether the dealer is recorded."""

    @property
    def warnings(self) -> Sequence[Fault]:
        """Warnings about probable mistakes in a record that is usable."""

    @property
    def posed(self) -> object | None:
        """The question of a teaching problem; None for a deal of the evening."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool(JsonFields):
    """The chips on the table."""

    before: int
    """The pool at the beginning of the deal, including antes."""
    after: int | None
    """The pool after the deal; None if the deal is not settled."""
    carried: int | None
    """The pool left by earlier deals plus the antes; None if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The payoff of one deal as it was played."""

    game: str | None
    deal: Deal | None
    """The deal, with the pool for which it was played."""
    contract: Contract | None
    """The contract; None if nobody played or if the record is invalid."""
    players: Mapping[str, str]
    """The players' names by seat; an unnamed player has the name of the seat."""
    play: PlayedCards | None = None
    surrender: Surrender | None = None
    passed_out: bool = False
    outcome: str | None = None
    """The outcome; None if nobody or several declarers played, or if the deal is not settled.
    """
    made: Mapping[str, bool] | None = None
    """Whether each declarer, including one who took over, made the contract; None if the deal is
    not settled."""
    antes: Mapping[str, int] | None = None
    """The chips that each seat put into the pool, counted as a loss."""
    paid: Mapping[str, int] | None = None
    """The payoffs of the hand to each seat and to the pool, without antes; None if the deal is not
    settled."""
    pool: Pool | None = None
    warnings: tuple[Fault, ...] = ()
    error: Fault | None = None
    """The reason why the deal is not settled."""
    totals: Mapping[str, int] | None = None
    """Each player's points so far, counted from the first deal of the evening."""
    over: tuple[str, ...] = ()
    """The players who won the game with this deal, by reaching its number of points or by
    leading after its last hand."""
    end: GameEnd | None = None
    """The state of the game; None after the game has ended, or if it has no fixed end."""
    calls: tuple[str, Sequence[str]] | None = None
    """The seat that called first in the auction for the contract, and all calls in turn."""

    @property
    def points(self) -> dict[str, int] | None:
        """The gain of each seat, including antes; None if the deal is not settled."""
        if self.paid is None:
            return None
        antes = self.antes or {}
        return {seat: self.paid[seat] + antes.get(seat, 0) for seat in self.players}


def settled_by_record(record: EveningDeal, settled: Settled) -> Settled:
    """Return the payoffs of the hand, or the reason why they are unknown."""
    deal = settled.deal
    if record.faults or deal is None:
        error = next(iter(record.faults), None) or Fault("deal-missing", "no cards are dealt")
        return replace(settled, error=error)
    rules = deal.rules
    seats = (*rules.seats, *(("pool",) if rules.game.ante else ()))
    if record.passed_out:
        paid = dict.fromkeys(seats, 0)
        return replace(
            settled, passed_out=True, contract=None, made={}, paid=paid, pool=_left(settled, paid)
        )
    contract = settled.contract
    if contract is None:
        why = Fault("contract-missing", "the record names no contract", "Contract")
        return replace(settled, error=why)
    try:
        every = list(endings(deal, contract, record.play, record.result, record.surrender))
        ends = [end for end in every if record.tricks.items() <= end.tricks.items()]
        scores = [rules.score(deal, contract, end) for end in ends]
    except SpadilleError as error:
        return replace(settled, error=Fault(error.code, str(error)))
    if record.tricks and every and not ends:
        why = _contradicted("tricks-contradicts-record", "Tricks", "has these tricks")
        return replace(settled, error=why)
    if record.paid and scores:
        antes = settled.antes or {}
        fits = [
            all(score[seat] + antes.get(seat, 0) == paid for seat, paid in record.paid.items())
            for score in scores
        ]
        if not any(fits):
            why = _contradicted("paid-contradicts-record", "Paid", "pays that")
            return replace(settled, error=why)
        ends = [end for end, fit in zip(ends, fits, strict=True) if fit]
        scores = [score for score, fit in zip(scores, fits, strict=True) if fit]
    if not scores or any(score != scores[0] for score in scores):
        return replace(settled, error=_open(record, contract, scores))
    made = {seat: _made(rules, contract, ends, seat) for seat in contract.declarers}
    given = record.surrender
    if given is not None and given.taken_over is not None:
        taken = contract.taken_over(given.taken_over)
        over = [replace(end, surrender=None) for end in ends]
        made[given.taken_over] = _made(rules, taken, over, given.taken_over)
    outcome = None
    if len(contract.declarers) == 1:
        outcome = rules.outcome_name(contract, ends[0])
    return replace(
        settled, outcome=outcome, made=made, paid=scores[0], pool=_left(settled, scores[0])
    )


def _left(settled: Settled, paid: Mapping[str, int]) -> Pool | None:
    pool = settled.pool
    return None if pool is None else replace(pool, after=pool.before + paid["pool"])


def _made(rules: Rules, contract: Contract, ends: Sequence[Outcome], seat: str) -> bool:
    """Return whether a declarer made the contract, and the game's word for it."""
    return all(
        rules.made(contract, end, seat) and rules.outcome_name(contract, end, seat) in _MADE
        for end in ends
    )


def _contradicted(code: str, tag: str, does: str) -> Fault:
    """Return the error if the record fits no possible end of the hand."""
    rule = "hand files: Result, Tricks and Paid agree with each other and with the play"
    return Fault(code, f"no possible end of this hand {does}", tag, "", rule)


def _open(record: EveningDeal, contract: Contract, scores: Sequence[Mapping[str, int]]) -> Fault:
    """Return the reason why a deal cannot be settled."""
    seat = contract.declarer
    if not scores and contract.penalty is not None:
        why = "an end position does not say which of the tricks so far were clean"
    elif not scores:
        why = "the Won tag of an end position must say who won the earlier tricks"
    elif record.play is None and record.result is None:
        why = "no Play or Result tag says how the hand ended"
    else:
        low, high = (find(score[seat] for score in scores) for find in (min, max))
        source = "Play" if record.play is not None else "Result alone"
        range_ = (
            f"{low:+d} to {high:+d} for {seat_name(seat)}"
            if low < high
            else f"{low:+d} for {seat_name(seat)} in any case"
        )
        why = f"{source} leaves the payoff open ({range_})"
    rule = "hand files: Play, Result or Surrender must leave only one possible payoff"
    return Fault(NOT_SETTLED, f"not settled: {why}", None, "", rule)
