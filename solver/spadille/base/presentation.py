"""The display of deals and results: `str` in a terminal, HTML in a notebook.

`spadille.render` draws these classes and therefore imports them. These classes cannot import
`render` in turn, so the package root registers the drawing functions here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

Medium = Literal["text", "html"]

_DRAWING: dict[Medium, Callable[[Any], str]] = {}


def draw_with(medium: Medium, function: Callable[[Any], str]) -> None:
    """Register the function that formats values for a medium."""
    _DRAWING[medium] = function


def presented(medium: Medium, value: object) -> str:
    """Return a value formatted for a medium."""
    return _DRAWING[medium](value)
