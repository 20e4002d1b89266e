"""The payoff a side can force, and how the hand then ends.

See `spadille.search.make_payoff_objective`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spadille.analysis.result_text_forms import Shown
from spadille.base.words_for_messages import signed
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.payoff_objectives import ContractGoal, common
from spadille.search.question import Question


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Secured(Shown):
    """The payoff the declaring side can force, and how the hand then ends."""

    bounds: tuple[int, int]
    """The lowest and highest possible payoff of the side; the gains of partners are added up."""
    payoff: int | None = None
    score: Mapping[str, int] | None = None
    """The gain of each seat and of the pool."""
    outcome: str | None = None
    """The outcome, such as "made" or "vole". Like `first_run` and `stops`, it is None unless all
    endings with this payoff agree on it."""
    tricks: tuple[int, int] | None = None
    """The side's lowest and highest number of tricks in the endings with this payoff."""
    first_run: str | None = None
    """Whether the opening run of tricks is "won" or "lost"."""
    stops: bool | None = None
    """Whether the side stops after winning these tricks instead of going on; always None in
    Ombre."""
    surrenders: bool = False
    """Whether the payoff comes from surrendering; `outcome` still describes playing on."""

    def __str__(self) -> str:
        low, high = self.bounds
        if self.payoff is None:
            return f"{signed(low)} to {signed(high)}"
        ends = None if self.stops is None else "stops" if self.stops else "goes on"
        given_up = "surrenders" if self.surrenders else None
        run = self.first_run and f"first tricks {self.first_run}"
        return ", ".join([signed(self.payoff), *filter(None, (self.outcome, run, ends, given_up))])

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON; `bounds` is included only if the payoff is unknown."""
        fields = Shown.to_dict(self)
        bounds = fields.pop("bounds")
        return fields | {"bounds": bounds} if self.payoff is None else fields


def secured(
    question: Question[ContractGoal], low: int, high: int, final: Outcome | None = None
) -> Secured:
    """Interpret bounds on a payoff; `final` is the outcome of an optimal line."""
    goal, contract, rules = question.objective, question.contract, question.deal.rules
    bounds = goal.values[low], goal.values[high]
    if low < high:
        return Secured(bounds=bounds)
    finals = goal.ends(contract, question.at, low)
    scores = [rules.score(question.deal, contract, end) for end in ([final] if final else finals)]
    tricks = [sum(end.tricks[seat] for seat in contract.side) for end in finals]
    kind = question.kind
    first_run = stops = None
    if kind.first_run:
        first_run = common([end.first_run for end in finals])
        if first_run == "won" and kind.aim != "most":
            went_on = common([end.went_on for end in finals])
            stops = None if went_on is None else not went_on
    return Secured(
        bounds=bounds,
        payoff=bounds[0],
        score=common(scores),
        outcome=common([rules.outcome_name(contract, end) for end in finals]),
        tricks=(min(tricks), max(tricks)),
        first_run=first_run,
        stops=stops,
    )
