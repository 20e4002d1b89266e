"""What the tables of results share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from spadille.render.text import suit_text

Fields: TypeAlias = Mapping[str, Any]
"""The fields of a result, as `to_dict` gives them."""


def trump_text(trump: str | None, symbols: bool = False) -> str:
    """A trump as tables show it; one that is still to be named is open."""
    return suit_text(trump, symbols) if trump else "open"
