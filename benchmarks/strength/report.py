"""The figures of all tables of a game, as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence

from benchmarks.strength.build import Model


def report(game: str, models: Sequence[Model]) -> str:
    """Return the figures as text."""
    rows = [
        {
            "contract": model.contract,
            "trumps": list(model.sampler.trumps),
            "sample": model.sample,
            "deciles": [list(decile) for decile in model.accuracy.deciles],
            "worst": model.accuracy.worst,
            "hands": model.accuracy.hands,
            "layouts": model.accuracy.layouts,
            "made_error": model.accuracy.made_error,
            "payoff_error": model.accuracy.payoff_error,
        }
        for model in models
    ]
    return json.dumps({"game": game, "tables": rows}, indent=1) + "\n"
