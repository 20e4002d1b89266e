"""Determine how a recorded hand ended: list every outcome that fits the record.

A record may contain the play (perhaps only a part of it), the number of tricks of the declaring
side (tricks not played were claimed), and a surrender. If a record is incomplete, several outcomes
may be possible. The hand is settled if all possible outcomes pay the same.

Where the rule documents are silent:

- If the recorded play ends when one side has won the first run (the first five or six tricks), the
  hand is assumed to have ended there, unless the record is marked as unfinished.
- Claiming does not count as going on for all tricks (RULES 4, 6, 7) unless all tricks are claimed.
- If it is unknown who won the first run before an end position, neither side is assumed to have won
  it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product
from typing import Protocol

from spadille.base.errors import Fault
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position, Trick
from spadille.games.model.contract_types_and_options import ContractType, Outcome, Surrender
from spadille.games.model.game import Rules


class PlayView(Protocol):
    """Recorded play; see `spadille.pbn.play_section.RecordedPlay`."""

    @property
    def tricks(self) -> Sequence[Sequence[str]]:
        """The tricks, each as cards in order of play; the last one may be incomplete."""

    @property
    def leaders(self) -> Sequence[str]:
        """The leader of each trick."""

    @property
    def in_progress(self) -> bool:
        """Whether the hand is unfinished, and more tricks are still to be recorded."""


class Recorded(Protocol):
    """A deal and its record; see `spadille.pbn.entry.Entry`."""

    @property
    def rules(self) -> Rules | None:
        """The rules of the game; None if the game is unknown."""

    @property
    def deal(self) -> Deal | None:
        """The deal; None if it is invalid."""

    @property
    def contract(self) -> Contract | None:
        """The contract; None if it is invalid."""

    @property
    def passed_out(self) -> bool:
        """Whether the deal was passed out."""

    @property
    def play(self) -> PlayView | None:
        """The recorded play."""

    @property
    def result(self) -> int | None:
        """The recorded number of tricks of the declaring side; None if not recorded."""

    @property
    def surrender(self) -> Surrender | None:
        """The recorded surrender, if any."""

    @property
    def faults(self) -> Sequence[Fault]:
        """Faults in the record; if there are any, the record is not to be trusted."""


def current_trump(record: Recorded) -> str | None:
    """Return the recorded current trump, which the deal or the contract may contain."""
    deal, contract = record.deal, record.contract
    if deal is None:
        return None
    if deal.current_trump is not None or contract is None:
        return deal.current_trump
    played = deal.rules.contracts[contract.ids[0]].trump == "current"
    return contract.trump if played else None


def endings(
    deal: Deal,
    contract: Contract,
    play: PlayView | None = None,
    result: int | None = None,
    surrender: Surrender | None = None,
) -> Iterator[Outcome]:
    """Yield every possible outcome of a hand; none if an end position lacks the tricks won.

    If a Nemo was not played to the end, two outcomes are considered: all remaining tricks are
    clean, or none are. `result` is the number of tricks of the declaring side or, after a
    surrender, of the player who took over. An impossible number is ignored. Recorded play raises
    the same errors as `Position.of`.
    """
    rules = deal.rules
    if None in deal.hands.values():
        play = None  # the play cannot be followed
    if surrender is not None:
        if surrender.taken_over is None:
            yield Outcome(dict.fromkeys(rules.seats, 0), surrender=surrender)
            return
        contract = contract.taken_over(surrender.taken_over)
    tricks, running = _played(deal, contract, play)
    winners = [trick.winner for trick in tricks]
    earlier = {seat: deal.won.get(seat, 0) for seat in rules.seats}
    won = {seat: number + winners.count(seat) for seat, number in earlier.items()}
    left = rules.game.hand_size - sum(won.values())
    if deal.is_ending:
        accounted = sum(earlier.values()) + _size(deal) == rules.game.hand_size
        if (
            not accounted or contract.penalty is not None
        ):  # an end position does not record clean tricks
            return
    kind = rules.contracts[contract.ids[0]]
    runners = rules.runners(contract)
    run = _Run.of(kind, runners, earlier, winners)
    side = tuple(seat for seat in rules.seats if seat in contract.side)
    others = tuple(seat for seat in rules.seats if seat not in contract.side)
    claimed = _claimed(contract, result, sum(won[seat] for seat in side), left)
    clean = _clean(contract, tricks, rules.seats)
    went_on: set[bool | None] = {None}  # according to the remaining tricks
    if rules.may_go_on(kind) and run.won_outright:
        if run.seen < sum(won.values()) or running:
            went_on = {True}
        elif play is not None and play.in_progress:
            went_on = {True, False}
        elif play is not None or claimed == 0:
            went_on = {False}
    for on in went_on:
        counts = range(left + 1) if claimed is None else (claimed,)
        for count in (0,) if on is False else counts:
            for rest in _splits(side, others, count, left - count):
                own = sum(rest[seat] for seat in runners)
                total = {seat: won[seat] + rest[seat] for seat in rules.seats}
                all_own = sum(total[seat] for seat in runners) == rules.game.hand_size
                gone = (rules.may_go_on(kind) and all_own) if on is None else on
                for first in run.ends(own, left - own):
                    for kept in _clean_ends(clean, rest):
                        yield Outcome(total, first, kept, gone, surrender)


def _size(deal: Deal) -> int:
    return max(len(hand) for hand in deal.hands.values() if hand is not None)


def _played(deal: Deal, contract: Contract, play: PlayView | None) -> tuple[Sequence[Trick], bool]:
    """Return the completed tricks, and whether another trick was begun."""
    if play is None or not play.tricks:
        return (), False
    position = Position.of(deal, contract)
    for leader, cards in zip(play.leaders, play.tricks, strict=True):
        position.to_play = leader
        for card in cards:
            position.force(card)
    return position.tricks, bool(position.trick)


def _claimed(contract: Contract, result: int | None, won: int, left: int) -> int | None:
    """Return how many of the remaining tricks the declaring side takes according to `result`."""
    if result is None or len(contract.declarers) > 1 or not won <= result <= won + left:
        return None
    return result - won


class _Run:
    """The winners of the first run of tricks, if known."""

    def __init__(self, length: int, seen: Sequence[bool]) -> None:
        self.length = length
        self.seen = len(seen)
        self.own = all(seen)
        self.other = not any(seen)

    @classmethod
    def of(
        cls,
        kind: ContractType,
        runners: Sequence[str],
        earlier: dict[str, int],
        winners: Sequence[str],
    ) -> _Run:
        """Combine the winners of earlier and later tricks; "mixed" if both sides won some."""
        runners_won, number = sum(earlier[seat] for seat in runners), sum(earlier.values())
        before = [True] * runners_won + [False] * (number - runners_won)
        if 0 < runners_won < number:
            before = [True, False]
        seen = [*before, *(seat in runners for seat in winners)]
        if 0 < runners_won < number:
            return cls(kind.first_run, (True, False))
        return cls(kind.first_run, seen[: kind.first_run])

    @property
    def won_outright(self) -> bool:
        """Whether it is certain that the runners have won the first run."""
        return self.own and self.seen == self.length

    def ends(self, own: int, other: int) -> Iterator[str | None]:
        """Yield the outcomes left if the runners win `own` more tricks, and the others `other`."""
        missing = self.length - self.seen
        mixed = not (self.own or self.other)
        if self.length == 0 or mixed:
            yield None
            return
        if self.own and own >= missing:
            yield "won"
        if self.other and other >= missing:
            yield "lost"
        if missing > 0 and (own or not self.other) and (other or not self.own) and self.length > 1:
            yield None


def _splits(
    side: Sequence[str], others: Sequence[str], own: int, other: int
) -> Iterator[dict[str, int]]:
    """Yield all ways to divide each side's tricks among its seats."""
    for ours, theirs in product(_shares(own, len(side)), _shares(other, len(others))):
        yield dict(zip((*side, *others), (*ours, *theirs), strict=True))


def _shares(number: int, seats: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to divide tricks among seats; nothing if there are tricks but no seats."""
    if not seats:
        if not number:
            yield ()
        return
    for bars in combinations(range(number + seats - 1), seats - 1):
        ends = (-1, *bars, number + seats - 1)
        yield tuple(after - before - 1 for before, after in pairwise(ends))


def _clean(
    contract: Contract, tricks: Sequence[Trick], seats: Sequence[str]
) -> dict[str, int] | None:
    """Count the tricks without a card of the penalty suit."""
    if contract.penalty is None:
        return None
    free = [t.winner for t in tricks if all(card[0] != contract.penalty for card in t.cards)]
    return {seat: free.count(seat) for seat in seats}


def _clean_ends(
    clean: dict[str, int] | None, rest: dict[str, int]
) -> Iterator[dict[str, int] | None]:
    """Yield the numbers of clean tricks if no remaining trick is clean, and if all of them are."""
    yield clean
    if clean is not None and any(rest.values()):
        yield {seat: number + rest[seat] for seat, number in clean.items()}
