"""What `spadille.analysis.solve` returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from spadille.contract import Contract
from spadille.search.payoff import Secured


@dataclass(slots=True)
class Result:
    """What a contract is worth, double dummy.

    `tricks` is None, and `finished` False, where a limit stopped the search; `bounds` hold in any
    case, and `makes` is None unless they settle it. With several contractors everything goes by
    seat, see `spadille.analysis.solve`.
    """

    contract: Contract
    leader: str
    """Who leads, or led, the running trick."""
    sides: tuple[str, ...]
    bounds: Any
    """Least and greatest tricks of the declaring side, outcome (most tricks) or points (Nemo)."""
    target: int | Mapping[str, int | None] | None
    tricks: int | Mapping[str, int | None] | None = None
    makes: bool | None = None
    margin: int | Mapping[str, int | None] | None = None
    outcome: str | Mapping[str, str | None] | None = None
    went_on: bool = False
    """Whether the side has gone on after the first tricks: all values are of a Tout or Vole."""
    score: Mapping[str, int] | None = None
    """The payoff of the optimum tricks."""
    secured: Secured | None = None
    """With the objective "score": the best payoff that can be forced."""
    guarantees: Mapping[str, int | None] | None = None
    """Several contractors: the points each can be sure of."""
    leads: Mapping[str, Any] | None = None
    """Card -> value; several contractors: seat -> card -> value."""
    line: list[list[str]] | Mapping[str, list[list[str]] | None] | None = None
    """Tricks, each in order of play, cards already on the table included."""
    named: str | None = None
    """The trump the declarer names in the line just before his first card, where it was open."""
    finished: bool = True
    nodes: int = 0
    ms: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of `solve` in JSON, as docs/json.md has them.

        `contract` is written as in the Contract tag. `guarantees` stands there only with several
        contractors, `penalty` in Nemo, `secured` with the objective "score", `leads` and `line`
        where they were asked for, `named` with a line that begins before the trump is known,
        `bounds` where the search was not finished.
        """
        contract = self.contract
        several = len(contract.declarers) > 1
        fields: dict[str, Any] = {
            "declarer": list(contract.declarers) if several else contract.declarers[0],
            "contract": " ".join(dict.fromkeys(contract.ids) if contract.penalty else contract.ids),
            "trump": contract.trump,
            "called": contract.called,
            "partner": contract.partner,
            "leader": self.leader,
            "sides": list(self.sides),
            "tricks": self.tricks,
            "target": self.target,
            "makes": self.makes,
            "margin": self.margin,
            "outcome": self.outcome,
            "went_on": self.went_on,
            "score": self.score,
        }
        if contract.penalty is not None:
            fields["penalty"] = contract.penalty
        if self.secured is not None:
            fields["secured"] = self.secured.to_dict()
        if self.guarantees is not None:
            fields["guarantees"] = self.guarantees
        if self.leads is not None:
            fields["leads"] = self.leads
        if self.line is not None:
            fields["line"] = self.line
            if contract.trump is None:
                fields["named"] = self.named
        if not self.finished:
            fields["bounds"] = self.bounds
        fields["nodes"] = self.nodes
        fields["ms"] = self.ms
        return fields
