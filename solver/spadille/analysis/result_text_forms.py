"""Short text forms of results: `str` returns a few lines, and `repr` adds the class name."""

from __future__ import annotations

from collections.abc import Mapping

from spadille.base.card_text import NO_TRUMP
from spadille.base.display_registry import presented
from spadille.base.json_fields import JsonFields
from spadille.core.contract import Contract


class Shown(JsonFields):
    """A result whose `repr` is short: `<Row N solo S: 6 tricks, needs 5, made>`."""

    __slots__: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {str(self).partition(chr(10))[0]}>"

    def _repr_html_(self) -> str:
        return presented("html", self)


def written_contract(contract: Contract) -> str:
    """Return a contract in the usual notation: "N solo H", "1 3 ace-solo misere", "nemo H"."""
    if contract.penalty is not None:
        return f"{contract.ids[0]} {contract.penalty}"
    trump = contract.trump if contract.trump != NO_TRUMP else None
    return spaced(*contract.declarers, *contract.ids, trump, contract.called or contract.partner)


def spaced(*parts: object) -> str:
    """Join the parts with spaces, leaving out None."""
    return " ".join(str(part) for part in parts if part is not None)


def left_out_notes(left_out: Mapping[str, str]) -> list[str]:
    """Return a sentence for each reason why contracts such as "1 nemo S" are left out."""
    suits: dict[str, dict[str, list[str]]] = {}
    for contract, reason in left_out.items():
        declared, _, suit = contract.rpartition(" ")
        suits.setdefault(reason, {}).setdefault(declared, []).append(suit)
    return [
        f"Left out: {', '.join(spaced(name, *suits_of) for name, suits_of in named.items())}; "
        f"{reason}."
        for reason, named in suits.items()
    ]


def value(named: object) -> str:
    """Return a value, or the values of several declarers, as text: "5", "1:20 4:-25"."""
    if isinstance(named, Mapping):
        return " ".join(f"{seat}:{seat_value}" for seat, seat_value in named.items())
    return str(named)


def range_text(bounds: tuple[object, object]) -> str:
    """Return the bounds of an open value as text: "3 to 5"."""
    return " to ".join(str(end) for end in bounds)


def verdict(makes: bool | None, outcome: str | None = None) -> str:
    """Return an outcome in words or, if it has no name, whether the contract makes."""
    return outcome or ("open" if makes is None else "made" if makes else "failed")


def tricks_text(count: object, target: int | None) -> str:
    """Return tricks and target as text: "6 tricks, needs 5"."""
    text = "1 trick" if str(count) == "1" else f"{count} tricks"
    return text if target is None else f"{text}, needs {target}"
