"""The rules for following suit as one value, and the options that set them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import NamedTuple

from spadille.games.model.contract_types_and_options import Option, option

_MATADOR_RULES = {
    "none": "matadors follow suit like other trumps",
    "any-matador-led": "a matador need not follow unless a matador is led, higher or lower",
    "higher-only": "a matador need not follow unless a higher matador is led",
}


class MatadorRule(IntEnum):
    """The trump leads that compel a player to play a matador (RULES 2)."""

    NONE = 0
    """Every trump lead compels matadors; there is no privilege."""
    ANY_MATADOR_LED = 1
    HIGHER_ONLY = 2


class Following(NamedTuple):
    """The rules for following suit (RULES 2 and, for called cards, 3).

    The fields are those of `Following` in csrc/following.hpp, in the same order. The value is
    always copied, compared and written as a whole. Each field is set by an option of the game.
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


def matador_options(default: str) -> tuple[Option, ...]:
    """Return the options for the Matador privilege (RULES 2)."""
    return (
        option(
            "matador_rule",
            default,
            *(value for value in _MATADOR_RULES if value != default),
            text="; ".join(f"{value}: {text}" for value, text in _MATADOR_RULES.items()),
        ),
        option(
            "matador_trigger",
            "led-card",
            "highest-so-far",
            text="which trump of the trick can force out a matador",
        ),
        option(
            "mixed_matadors",
            "must-play-a-trump",
            "free-unless-all-lower",
            text="with matador_rule=higher-only: whether a player whose only trumps are matadors, "
            "some above and some below the one led, must play one of them or may play any card",
        ),
    )


def calling_options(duty: str, *call_ranks: str) -> tuple[Option, ...]:
    """Return the options for the called card and its holder's duty (RULES 3)."""
    other = "none" if duty == "first-lead" else "first-lead"
    return (
        option(
            "called_card_duty",
            duty,
            other,
            text="first-lead: the called card must be played the first time its suit is led",
        ),
        option(
            "called_partner_lead",
            "must-lead-called",
            "free",
            text="with called_card_duty=first-lead: whether the partner, when leading the suit of "
            "the called card, must lead the called card",
        ),
        option(
            "called_early_discard",
            "only-if-forced",
            "allowed",
            text="with called_card_duty=first-lead: whether the called card may be played before "
            "its suit is led",
        ),
        option("call_rank", *call_ranks, text="which plain cards may be called"),
    )
