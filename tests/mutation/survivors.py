"""Bugs of `mutate.py` that change nothing anybody can observe, by name, each with the reason."""

from __future__ import annotations

EQUIVALENT: dict[str, str] = {}
