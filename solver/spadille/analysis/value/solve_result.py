"""The result of `spadille.analysis.value.solve`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from spadille.analysis.result_text_forms import Shown, spaced, tricks_text, verdict
from spadille.analysis.value.by_contractor import ByContractor
from spadille.analysis.value.secured_payoff import Secured
from spadille.analysis.value.swaps import Swaps
from spadille.base.errors import SpadilleError
from spadille.base.json_fields import encoded
from spadille.base.words_for_messages import signed
from spadille.core.contract import Contract
from spadille.search.verdict import Value

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ContractorResult(Shown):
    """The result for one declarer; a field is None if a limit left it open."""

    bounds: tuple[Value, Value]
    """Bounds on the side's tricks, on the outcome (in contracts to win the most tricks) or on the
    points (in Nemo)."""
    target: int | None = None
    """The number of tricks needed to make the contract; None if there is no fixed number."""
    tricks: int | None = None
    makes: bool | None = None
    margin: int | None = None
    """The number of tricks above the target (below it in Misère). None if it is unknown, or if
    there is no target."""
    outcome: str | None = None
    guarantee: int | None = None
    """The declarer's guaranteed points, if there are several declarers."""
    leads: Mapping[str, Value | None] | None = None
    """The value of each card, if requested."""
    line: tuple[tuple[str, ...], ...] | None = None
    """An optimal line, if requested: tricks, each in order of play. The first one includes the
    cards on the table."""
    named: str | None = None
    """The trump that the declarer names in the line, just before the declarer's first card; None if
    it was named before."""
    swaps: Swaps | None = None
    """The swaps that change the result, if requested."""

    def __str__(self) -> str:
        low, high = self.bounds
        value = f"{low} to {high}"
        if self.tricks is not None or self.target is not None:
            value = tricks_text(value if self.tricks is None else self.tricks, self.target)
        sure = "" if self.guarantee is None else f", {signed(self.guarantee)}"
        return f"{value}, {verdict(self.makes, self.outcome)}{sure}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Result(ByContractor[ContractorResult], Shown):
    """The double-dummy value of a contract, by declarer: `result["N"].tricks`.

    If there is only one declarer, the values are also available as `tricks`, `makes`, `margin` and
    so on. These properties raise SpadilleError if there are several declarers, if a limit left the
    value open, or if the value was not requested.
    """

    contract: Contract
    leader: str
    """The leader of the current trick."""
    trick: int
    """The number of the current trick, from 1."""
    player: str
    """The player to move."""
    sides: tuple[str, ...]
    contractors: Mapping[str, ContractorResult]
    """The result of each declarer."""
    went_on: bool = False
    """Whether the side has gone on after the first run, and so plays for a Tout or Vole."""
    score: Mapping[str, int] | None = None
    """The payoff of each seat for the optimal number of tricks."""
    surrenders: bool = False
    """Whether the declarer gains more by surrendering; `score` is then the score after a
    surrender."""
    secured: Secured | None = None
    """The best payoff that can be forced, with the objective "score"."""
    asked: tuple[str, ...] = ()
    """The results requested besides the value: "leads", "line", "swaps"."""
    finished: bool = True
    """Whether the search finished without reaching a limit."""
    nodes: int = 0
    ms: float = 0.0

    @property
    def bounds(self) -> tuple[Value, Value]:
        """Bounds on the tricks or, in a contract to win the most tricks, on the outcome."""
        return self.one.bounds

    @property
    def target(self) -> int | None:
        """The number of tricks needed to make the contract; None if there is no fixed number."""
        return self.one.target

    @property
    def tricks(self) -> int:
        """Tricks of the declaring side."""
        return self._known("tricks", self.one.tricks)

    @property
    def makes(self) -> bool:
        """Whether the contract makes."""
        return self._known("makes", self.one.makes)

    @property
    def margin(self) -> int:
        """The number of tricks above the target (below it in Misère), if there is a target."""
        if self.one.target is None:
            raise SpadilleError("a contract for most tricks has no margin", "result-none")
        return self._known("margin", self.one.margin)

    @property
    def outcome(self) -> str:
        """The outcome of the hand: made, failed, vole, ..."""
        return self._known("outcome", self.one.outcome)

    @property
    def leads(self) -> Mapping[str, Value | None]:
        """The value of every card the player to move may play."""
        return self._asked_for("leads", self.one.leads)

    @property
    def line(self) -> tuple[tuple[str, ...], ...]:
        """An optimal line: tricks in order of play, beginning with the cards on the table."""
        return self._asked_for("line", self.one.line)

    @property
    def named(self) -> str | None:
        """The trump that the declarer names in the line; None if it was named before."""
        return self.one.named

    @property
    def swaps(self) -> Swaps:
        """All swaps of two cards between two hands, and those that make or break the contract."""
        return self._asked_for("swaps", self.one.swaps)

    @property
    def guarantees(self) -> Mapping[str, int | None] | None:
        """The guaranteed points of each declarer; None if there is only one."""
        if not self.several:
            return None
        return {seat: contractor.guarantee for seat, contractor in self.contractors.items()}

    def _asked_for(self, name: str, value: _Answer | None) -> _Answer:
        if name not in self.asked:
            raise SpadilleError(f"not requested: use solve(..., {name}=True)", "result-none")
        return self._known(name, value)

    def _known(self, name: str, value: _Answer | None) -> _Answer:
        if value is None:
            low, high = self.one.bounds
            message = f"a limit left {name} open: the bounds are {low} and {high}"
            raise SpadilleError(message, "result-open")
        return value

    @property
    def all_make(self) -> bool | None:
        """Whether all declarers make their contracts."""
        makes = [contractor.makes for contractor in self.contractors.values()]
        return False if False in makes else None if None in makes else True

    def __str__(self) -> str:
        contract = self.contract
        with_ = contract.trump or "open", contract.called or contract.partner
        return "; ".join(
            f"{spaced(seat, kind, *with_)}: {self[seat]}"
            for seat, kind in zip(contract.declarers, contract.ids, strict=True)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON fields of `solve` (see docs/json.md).

        `contract` is written as in the Contract tag. Some fields are included only in certain
        cases: `leads`, `line` and `swaps` if requested, `trick` and `player` with `leads`, `named`
        with a line that begins before the trump is named, `secured` with the objective "score",
        `guarantees` if there are several declarers, `penalty` in Nemo, and `bounds` if the search
        was not finished.
        """
        contract, several = self.contract, self.several
        fields = contract.to_dict()
        penalty = fields.pop("penalty")
        fields |= {
            "leader": self.leader,
            "sides": list(self.sides),
            "tricks": self.by_seat("tricks"),
            "target": self.by_seat("target"),
            "makes": self.all_make,
            "margin": self.by_seat("margin"),
            "outcome": self.by_seat("outcome"),
            "went_on": self.went_on,
            "score": encoded(self.score),
            "surrenders": self.surrenders,
        }
        if penalty is not None:
            fields["penalty"] = penalty
        if self.secured is not None:
            fields["secured"] = self.secured.to_dict()
        if several:
            fields["guarantees"] = self.guarantees
        if "leads" in self.asked:
            fields |= {"trick": self.trick, "player": self.player}
        for name in self.asked:
            values = {
                seat: encoded(value)
                for seat, contractor in self.contractors.items()
                if (value := getattr(contractor, name)) is not None
            }
            if several:
                fields[name] = values
            elif values:
                fields[name] = values[contract.declarer]
        if "line" in fields and not several and contract.trump is None:
            fields["named"] = self.one.named
        if not self.finished:
            fields["bounds"] = self.by_seat("bounds")
        return fields | {"nodes": self.nodes, "ms": self.ms}
