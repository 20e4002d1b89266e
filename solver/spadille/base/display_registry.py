"""The display of deals and results: text in a terminal, HTML in a notebook.

`spadille.render` imports the classes it draws. Those classes cannot import `spadille.render` in
turn, so the package root registers its functions here.
"""

from __future__ import annotations

TYPE_CHECKING = False  # these imports would take longer than all others of the package root
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal

    Medium = Literal["text", "html"]

_DRAWING: dict[Medium, Callable[[Any], str]] = {}


def draw_with(medium: Medium, function: Callable[[Any], str]) -> None:
    """Register the function that formats values as text or HTML."""
    _DRAWING[medium] = function


def presented(medium: Medium, value: object) -> str:
    """Return a value formatted as text or HTML."""
    return _DRAWING[medium](value)
