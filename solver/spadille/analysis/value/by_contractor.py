"""Results by contractor, and what there is of the usual single one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Generic, TypeVar

from spadille.base.errors import SpadilleError

Contractor = TypeVar("Contractor")
Answer = TypeVar("Answer")


class ByContractor(Generic[Contractor]):
    """The values of each declarer: `result["N"]`; that of a single one is also `result.one`."""

    __slots__ = ()

    json_by_seat: ClassVar[tuple[str, ...]] = ()
    """The names that JSON has by seat if there are several contractors."""

    contractors: Mapping[str, Contractor]
    """Seat -> what is known of that contractor."""

    def __getitem__(self, seat: str) -> Contractor:
        """Return the result of a contractor; raises SpadilleError for any other seat."""
        try:
            return self.contractors[seat]
        except KeyError:
            known = " ".join(self.contractors)
            raise SpadilleError(f"{seat!r} is not a declarer: {known}", "seat-unknown") from None

    @property
    def several(self) -> bool:
        """Whether there are several contractors."""
        return len(self.contractors) > 1

    @property
    def one(self) -> Contractor:
        """The result of the only contractor; raises SpadilleError if there are several."""
        if self.several:
            seats = list(self.contractors)
            raise SpadilleError(
                f"each of the contractors {' '.join(seats)} has a result of his own: "
                f"result[{seats[0]!r}]",
                "result-several",
            )
        return next(iter(self.contractors.values()))

    def of_each(self, value: Callable[[Contractor], Answer]) -> dict[str, Answer]:
        """Return a value of each contractor."""
        return {seat: value(contractor) for seat, contractor in self.contractors.items()}

    def json_value(self, name: str) -> Any:
        """Return the value of a name in JSON, before it is encoded."""
        return self.by_seat(name) if name in self.json_by_seat else getattr(self, name)

    def by_seat(self, name: str) -> Any:
        """Return a field as JSON has it: by seat, of a single contractor alone."""
        if self.several:
            return {
                seat: getattr(contractor, name) for seat, contractor in self.contractors.items()
            }
        return getattr(self.one, name)


def known(name: str, value: Answer | None, why: str = "there is none") -> Answer:
    """Return a value; raises SpadilleError where there is none."""
    if value is None:
        raise SpadilleError(f"{name} is not known: {why}", "result-open")
    return value
