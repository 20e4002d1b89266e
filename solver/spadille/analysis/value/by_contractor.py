"""Results by declarer; if there is only one, its fields can be used directly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from spadille.base.errors import RulesError, SpadilleError

Contractor = TypeVar("Contractor")
Answer = TypeVar("Answer")


class ByContractor(Generic[Contractor]):
    """The values of each declarer: `result["N"]`; for a single one, also `result.one`."""

    __slots__ = ()

    json_optional: ClassVar[tuple[str, ...]] = ()
    json_by_seat: ClassVar[tuple[str, ...]] = ()
    """The names of the JSON fields that are listed by seat if there are several declarers."""

    contractors: Mapping[str, Contractor]
    """The result of each declarer."""

    def __getitem__(self, seat: str) -> Contractor:
        """Return a declarer's result; raise RulesError for any other seat."""
        try:
            return self.contractors[seat]
        except KeyError:
            known = " ".join(self.contractors)
            raise RulesError(f"{seat!r} is not a declarer: {known}", "seat-unknown") from None

    @property
    def several(self) -> bool:
        """Whether there are several declarers."""
        return len(self.contractors) > 1

    @property
    def one(self) -> Contractor:
        """The result of the sole declarer; raises SpadilleError if there are several declarers."""
        if self.several:
            seats = list(self.contractors)
            raise SpadilleError(
                f"there are several declarers ({' '.join(seats)}); use result[{seats[0]!r}]",
                "result-several",
            )
        return next(iter(self.contractors.values()))

    def of_each(self, value: Callable[[Contractor], Answer]) -> dict[str, Answer]:
        """Return one value for each declarer."""
        return {seat: value(contractor) for seat, contractor in self.contractors.items()}

    def json_value(self, name: str) -> Any:
        """Return the value of a field for the JSON output."""
        value = self.by_seat(name) if name in self.json_by_seat else getattr(self, name)
        if self.several and name in self.json_by_seat and name in self.json_optional:
            return {seat: known for seat, known in value.items() if known is not None}
        return value

    def by_seat(self, name: str) -> Any:
        """Return the value of a field; if there are several declarers, a dictionary by seat."""
        if self.several:
            return {
                seat: getattr(contractor, name) for seat, contractor in self.contractors.items()
            }
        return getattr(self.one, name)


LEFT_OPEN = "a limit left it open"


def known(name: str, value: Answer | None, why: str = "there is none") -> Answer:
    """Return the value; raise SpadilleError if it is None."""
    if value is None:
        raise SpadilleError(f"{name} is unknown: {why}", "result-open")
    return value
