"""The result of `review`: the cards of a played hand, with their values, costs and verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from spadille.analysis.auction.before_play import BeforePlay
from spadille.analysis.result_text_forms import Shown
from spadille.analysis.review.card_costs import (
    VERDICTS,
    Account,
    BeliefsUsed,
    CostTally,
    LuckVerdict,
    ReviewedCard,
)
from spadille.analysis.value.decisions_other_than_cards import Decision
from spadille.analysis.value.surrender_decisions import Surrendering
from spadille.base.errors import IllegalCardError
from spadille.base.json_fields import encoded
from spadille.core.contract import Contract
from spadille.games.model.contract_types_and_options import Surrender
from spadille.search.verdict import Unit


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Review(Shown):
    """The result of `review`."""

    contract: Contract
    leader: str
    sides: tuple[str, ...]
    unit: Unit
    target: int | None
    """The number of tricks needed to make the contract; None if there is no fixed number."""
    finished: bool
    """Whether the hand is over: it was played to the end, stopped after the first run of tricks, or
    ended at a lost trick. If not, `result` is the value of the last position."""
    score: Mapping[str, int] | None
    """The gain of each seat and of the pool in a finished hand; None if unknown."""
    steps: tuple[ReviewedCard, ...]
    tricks: tuple[tuple[str, tuple[str, ...], str | None], ...]
    """Each trick's leader, cards in order of play, and winner; an incomplete trick has no
    winner."""
    accounts: Mapping[str, Account]
    """The change in the value of each declarer's contract during the play."""
    players: Mapping[str, CostTally] = field(default_factory=dict)
    parties: Mapping[str, CostTally] = field(default_factory=dict)
    """The totals for "declarers" and "defenders"; empty if there are several declarers."""
    decisions: tuple[Decision, ...] = ()
    """The decisions to go on or stop after the first run of tricks, and their costs."""
    surrenders: tuple[Surrendering, ...] = ()
    """The recorded surrender, and the opportunities to surrender before each of the declarer's
    cards, with their costs."""
    before: BeforePlay = field(default_factory=BeforePlay)
    """The decisions before the first card, if requested, and their costs."""
    lost_at: int | None = None
    """The number of the trick that ended the hand because all tricks were needed and it was
    lost."""
    unseen: tuple[str, ...] = ()
    """The seats with unknown hands; if there are any, all values and costs are unknown."""
    unjudged: Mapping[str, int] = field(default_factory=dict)
    """For each seat, the number of cards without a verdict because time ran out; empty unless cards
    were judged given their players' knowledge."""
    surrender: Surrender | None = None
    """The recorded surrender."""
    given_up: int | None = None
    """The number of steps before the surrender; all of them, unless an opponent took over."""
    error: IllegalCardError | None = None
    """The error if a recorded card is illegal; the review ends before that card."""
    nodes: int = 0
    ms: float = 0.0

    @property
    def complete(self) -> bool:
        """Whether the values of all cards are known; a limit or unknown hands may prevent it."""
        return not any(step.open for step in self.steps)

    @property
    def several(self) -> bool:
        """Whether there are several declarers; values are then listed by seat."""
        return len(self.contract.declarers) > 1

    @property
    def parts(self) -> tuple[tuple[Contract, range], ...]:
        """The contracts that were played, each with the indexes of its cards.

        There are two contracts if an opponent took over.
        """
        number, before, given = len(self.steps), self.given_up, self.surrender
        if before is None or given is None or given.taken_over is None:
            return ((self.contract, range(number)),)
        taken = self.contract.taken_over(given.taken_over)
        return (self.contract, range(before)), (taken, range(before, number))

    def contract_at(self, number: int) -> Contract:
        """Return the contract under which a card is played, given its index from 0."""
        return next(contract for contract, cards in self.parts if number in cards)

    @property
    def account(self) -> Account:
        """The declarer's account; if there are several declarers, the first one's."""
        return self.accounts[self.contract.declarer]

    def cut_short(self) -> Review:
        """Drop the decision to stop after the first run if the hand may have gone on."""
        if any(decision.decision == "stopped" for decision in self.decisions):
            return replace(self, decisions=(), finished=False, score=None)
        return self

    @property
    def verdicts(self) -> Mapping[str, Mapping[LuckVerdict, int]]:
        """The number of each seat's chosen cards that received each verdict (see `LuckVerdict`).

        Empty unless cards were judged given their players' knowledge.
        """
        counts = {seat: dict.fromkeys(VERDICTS, 0) for seat in self.players}
        for step in self.steps:
            if step.judged:
                counts[step.seat][step.judged.verdict] += 1
        return counts if any(step.judged for step in self.steps) else {}

    @property
    def timed_out(self) -> Mapping[str, int]:
        """For each seat, the number of cards without a settled verdict because time ran out.

        This includes cards that are `unjudged`. Empty unless cards were judged given their players'
        knowledge.
        """
        counts = dict(self.unjudged)
        for step in self.steps:
            if step.judged and step.judged.ended == "seconds":
                counts[step.seat] = counts.get(step.seat, 0) + 1
        return counts

    def beliefs(self, seat: str | None = None) -> BeliefsUsed:
        """The beliefs about the bids used in verdicts on all cards, or on one seat's cards."""
        return BeliefsUsed.of(
            step.judged.belief for step in self.steps if step.judged and seat in (None, step.seat)
        )

    def __str__(self) -> str:
        accounts = [f"{seat}: {account}" for seat, account in self.accounts.items()]
        steps = [str(step) for step in self.steps if step.mark]
        return "\n".join([f"{self.contract}, in {self.unit}", *accounts, *steps])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON, without `error`."""
        given = self.surrender and self.surrender.to_dict() | {"after": self.given_up}
        verdicts = {}
        if self.verdicts:
            verdicts = {"verdicts": encoded(self.verdicts), "belief": self.beliefs().to_dict()}
        unseen = {"unseen": list(self.unseen)} if self.unseen else {}
        return self.contract.to_dict() | {
            "leader": self.leader,
            "sides": list(self.sides),
            "unit": self.unit,
            "target": self.target,
            "finished": self.finished,
            "score": encoded(self.score),
            "lost_at": self.lost_at,
            "surrender": given,
            "decisions": encoded((*self.before.decisions, *self.decisions, *self.surrenders)),
            "bids": encoded(self.before.bids),
            "accounts": encoded(self.accounts),
            "players": encoded(self.players),
            "parties": encoded(self.parties),
            "tricks": [
                {"leader": leader, "cards": list(cards), "winner": winner}
                for leader, cards, winner in self.tricks
            ],
            "cards": encoded(self.steps),
            **verdicts,
            **unseen,
            "nodes": self.nodes,
            "ms": self.ms,
        }
