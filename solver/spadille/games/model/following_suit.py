"""The rules for following suit as one value, for the referee, the engine and the page."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple


class MatadorRule(IntEnum):
    """The trump leads that compel a player to play a matador (RULES 2)."""

    NONE = 0
    """Every trump lead compels matadors; there is no privilege."""
    ANY_MATADOR_LED = 1
    HIGHER_ONLY = 2


class Following(NamedTuple):
    """The rules for following suit (RULES 2 and, for called cards, 3).

    The fields are those of `Following` in csrc/following.hpp, in the same order. The value is
    always copied, compared and written as a whole. An option of the game determines each field.
    """

    matador_rule: MatadorRule = MatadorRule.NONE
    highest_so_far: bool = False
    """The highest trump in the trick compels matadors, not the card led."""
    free_unless_all_lower: bool = False
    """A player with several matadors may keep them unless all are compelled."""
    free_called_lead: bool = False
    """The holder of the called card may lead another card of its suit."""
    early_discard: bool = False
    """The called card may be played before its suit is led."""

    @classmethod
    def of(cls, options: Mapping[str, str]) -> Following:
        """Return the value for a game's options; options that the game lacks are off."""
        rule = options.get("matador_rule", "none")
        return cls(
            MatadorRule[rule.upper().replace("-", "_")],
            options.get("matador_trigger") == "highest-so-far",
            options.get("mixed_matadors") == "free-unless-all-lower",
            options.get("called_partner_lead") == "free",
            options.get("called_early_discard") == "allowed",
        )
