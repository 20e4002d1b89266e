"""The reasons why cards may not be played, recognized in messages."""

from __future__ import annotations

import re

from spadille.core.position import Refusal


def is_message(refusal: Refusal, message: str) -> bool:
    """Return whether a message of the referee or of a page gives this reason."""
    pattern = re.sub(r"\\\{\w+\\\}", ".*", re.escape(refusal.message))
    return re.fullmatch(pattern, message) is not None
