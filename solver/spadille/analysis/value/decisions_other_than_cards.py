"""Value decisions before the first card, and decisions to go on for all tricks (RULES 4, 6, 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from spadille.analysis.result_text_forms import Shown
from spadille.base.words_for_messages import signed
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.encoding import Situation
from spadille.search.first_run import target_of
from spadille.search.verdict import final_of, total

Course = Literal["went_on", "stopped"]
PreliminaryKind = Literal["call", "trump", "called", "exchange"]


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Decision(Shown):
    """A side's choice between stopping and going on for all tricks, with the payoffs of both."""

    decision: Course | None
    """The actual choice; None if none has been made."""
    seat: str
    """The declarer, who chooses for the side."""
    trick: int
    """The trick number, from 1; playing a card to this trick means going on."""
    card: int | None
    """The index, from 0, of the card by which the side went on; None if it did not."""
    scores: Mapping[Course, Mapping[str, int]]
    """The gain of each seat after each choice."""
    payoffs: Mapping[Course, int]
    """The gain of the declaring side after each choice; the gains of partners are added up."""
    better: Course | None
    """The choice that pays the side more; None if that is the actual choice, or if both pay the
    same."""
    cost: int
    """The cost of the actual choice or, if none has been made, of the worse choice."""
    target: int
    """The number of tricks needed after going on, which is all of them."""
    counted: tuple[str, ...]
    """The seats whose tricks count after going on: those of the side or, in German Solo, only the
    declarer."""

    kind: ClassVar = "going-on"

    def __str__(self) -> str:
        to_stop, to_go_on = self.payoffs["stopped"], self.payoffs["went_on"]
        chosen = {"stopped": ", stopped", "went_on": ", went on", None: ""}[self.decision]
        return (
            f"{self.seat} before trick {self.trick}: {signed(to_stop)} to stop, "
            f"{signed(to_go_on)} to go on{chosen}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return {"kind": self.kind, **Shown.to_dict(self), "unit": "tricks"}


def choice_to_go_on(
    deal: Deal,
    contract: Contract,
    at: Situation,
    tricks: int,
    decision: Course | None = None,
    card: int | None = None,
) -> Decision:
    """Value a side's choice to stop or go on; `tricks` is the number it takes if it goes on."""
    declarer, after = contract.declarer, at._replace(goes_on=True)
    at = at._replace(goes_on=False)
    ends: dict[Course, Outcome] = {
        "stopped": final_of(contract, at, declarer, total(contract, at)),
        "went_on": final_of(contract, after, declarer, tricks),
    }
    scores = {name: deal.rules.score(deal, contract, end) for name, end in ends.items()}
    payoffs = {name: sum(score[seat] for seat in contract.side) for name, score in scores.items()}
    best: Course = "went_on" if payoffs["went_on"] > payoffs["stopped"] else "stopped"
    level = payoffs["went_on"] == payoffs["stopped"]
    return Decision(
        decision=decision,
        seat=declarer,
        trick=len(at.history) + 1,
        card=card,
        scores=scores,
        payoffs=payoffs,
        better=None if level or best == decision else best,
        cost=payoffs[best] - (payoffs[decision] if decision else min(payoffs.values())),
        target=target_of(contract, after, declarer),
        counted=tuple([seat for seat in deal.rules.seats if seat in deal.rules.runners(contract)]),
    )


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Preliminary(Shown):
    """A decision before the first card, with its payoff and any better choice."""

    kind: PreliminaryKind
    seat: str
    call: int | None
    """The index of the call in the auction, from 0; None for other decisions."""
    decision: str
    """The call, trump, called card or exchange."""
    payoffs: Mapping[str, int]
    """The player's payoff for each choice, including the actual one. Calls are listed from low to
    high. The bid card that was shown comes before the others. For exchanges, only the actual one
    and the best one are listed."""
    follows: Mapping[str, str | None]
    """For each possible call, the contract in which the auction then ends; empty if the decision is
    not a call."""
    better: str | None
    """The choice that pays the player most; None if the actual choice pays just as much."""
    cost: int
    exact: bool
    """Whether all payoffs that affect the cost are known; if not, `cost` is a lower bound."""

    @classmethod
    def of(
        cls,
        kind: PreliminaryKind,
        seat: str,
        decision: str,
        payoffs: Mapping[str, int],
        most: Mapping[str, int],
        call: int | None = None,
        follows: Mapping[str, str | None] | None = None,
    ) -> Preliminary:
        """Judge a decision; `payoffs` and `most` are lower and upper bounds on the payoffs.

        If several choices are best, the first of them is named as `better`.
        """
        best = max(payoffs, key=lambda choice: payoffs[choice])
        cost = payoffs[best] - payoffs[decision]
        better = best if cost else None
        known = all(most[choice] == payoffs[choice] for choice in (best, decision))
        exact = known and all(payoff <= payoffs[best] for payoff in most.values())
        return cls(
            kind=kind,
            seat=seat,
            call=call,
            decision=decision,
            payoffs=payoffs,
            follows=follows or {},
            better=better,
            cost=cost,
            exact=exact,
        )

    def __str__(self) -> str:
        better = (
            f", better {self.better}: {signed(self.payoffs[self.better])}" if self.better else ""
        )
        return f"{self.seat} {self.decision}: {signed(self.payoffs[self.decision])}{better}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        names = ("kind", "seat", "call", "decision", "better", "cost", "exact")
        return {name: getattr(self, name) for name in names} | {
            "choices": [
                {"choice": choice, "payoff": payoff, "follows": self.follows.get(choice)}
                for choice, payoff in self.payoffs.items()
            ]
        }
