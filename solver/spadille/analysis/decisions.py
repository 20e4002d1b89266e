"""The choice to stop after the first tricks in a row, or to go on for all (RULES 4, 6, 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from spadille.contract import Contract
from spadille.deal import Deal
from spadille.parts import Outcome
from spadille.search.encoding import Situation
from spadille.search.going_on import target_of
from spadille.search.verdict import final_of, total

Chosen = Literal["went_on", "stopped"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What stopping and going on pay where a side may do either, played well by everybody."""

    decision: Chosen | None
    """What was chosen; None where nothing is yet."""
    seat: str
    """The declarer, who chooses for his side."""
    trick: int
    """A card to the trick of this number, from 1, is the choice to go on."""
    card: int | None
    """Which card of the play was that choice, from 0; None if none was."""
    scores: Mapping[Chosen, Mapping[str, int]]
    """Choice -> what each seat gains."""
    payoffs: Mapping[Chosen, int]
    """Choice -> what the declaring side gains, partners together."""
    better: Chosen | None
    """The choice that pays the side more; None if what it chose, or either, is best."""
    cost: int
    """What the choice cost the side; where nothing is chosen yet, what the worse one would."""
    target: int
    """Tricks that are needed from then on: all."""
    counted: tuple[str, ...]
    """Whose tricks count from then on: of the side, in a German Solo of the soloist alone."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        fields: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        fields["scores"] = {name: dict(score) for name, score in self.scores.items()}
        fields["payoffs"] = dict(self.payoffs)
        fields["counted"] = list(self.counted)
        return fields | {"unit": "tricks"}


def choice_to_go_on(
    deal: Deal,
    contract: Contract,
    at: Situation,
    tricks: int,
    decision: Chosen | None = None,
    card: int | None = None,
) -> Decision:
    """Weigh the choice a side has in this situation; `tricks` is what it takes if it goes on."""
    declarer, after = contract.declarer, at._replace(goes_on=True)
    at = at._replace(goes_on=False)
    ends: dict[Chosen, Outcome] = {
        "stopped": final_of(contract, at, declarer, total(contract, at)),
        "went_on": final_of(contract, after, declarer, tricks),
    }
    scores = {name: deal.rules.score(deal, contract, end) for name, end in ends.items()}
    payoffs = {name: sum(score[seat] for seat in contract.side) for name, score in scores.items()}
    best: Chosen = "went_on" if payoffs["went_on"] > payoffs["stopped"] else "stopped"
    level = payoffs["went_on"] == payoffs["stopped"]
    return Decision(
        decision,
        declarer,
        len(at.history) + 1,
        card,
        scores,
        payoffs,
        None if level or best == decision else best,
        payoffs[best] - (payoffs[decision] if decision else min(payoffs.values())),
        target_of(contract, after, declarer),
        tuple([seat for seat in deal.rules.seats if seat in deal.rules.runners(contract)]),
    )
