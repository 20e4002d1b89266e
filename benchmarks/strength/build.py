"""From samples to the data file of a game, and the figures that say how exact it is."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.strength.accuracy import Accuracy, by_decile, by_hand
from benchmarks.strength.model import Fitted, Sample, fit
from benchmarks.strength.plan import PLANS, SEED, VERSION, GamePlan, kinds_of_trumps
from benchmarks.strength.sampling import CHUNK, Sampler
from spadille.core.strength.score_tables import (
    PAYOFF_UNIT,
    SHARE_UNIT,
    GameData,
    PartData,
    TableData,
    TableShape,
)
from spadille.games import rules_for
from spadille.games.model.game import Rules


class Model(NamedTuple):
    """A contract in one kind of trump: the fitted tables, and how exact they are."""

    contract: str
    sampler: Sampler
    made: Fitted
    payoff: Fitted | None
    least: int  # payoff
    most: int
    sample: int
    accuracy: Accuracy


def game_data(
    game: str,
    folder: Path,
    *,
    scale: float = 1.0,
    chunk: int = CHUNK,
    seed: int = SEED,
    note: Callable[[str], None] = print,
) -> tuple[GameData, list[Model]]:
    """Draw the samples of a game, fit and measure its tables; `scale` makes samples smaller."""
    rules, plan = rules_for(game), PLANS[game]
    models = [
        _model(rules, plan, contract, trumps, folder / game, scale, chunk, seed, note)
        for contract in plan.hands
        for trumps in kinds_of_trumps(rules, contract)
    ]
    contracts: dict[str, list[PartData]] = {}
    for model in models:
        contracts.setdefault(model.contract, []).append(_part(model))
    data: GameData = {
        "game": game,
        "version": VERSION,
        "seed": seed,
        "options": list(plan.options),
        "same": dict(plan.same),
        "contracts": contracts,
    }
    return data, models


def write_data(data: GameData, path: Path) -> None:
    """Write the data file of a game: the same bytes for the same data."""
    text = json.dumps(data, separators=(",", ":"))
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def _model(
    rules: Rules,
    plan: GamePlan,
    contract: str,
    trumps: tuple[str, ...],
    folder: Path,
    scale: float,
    chunk: int,
    seed: int,
    note: Callable[[str], None],
) -> Model:
    sampler = Sampler(rules, contract, trumps, folder, seed)
    sample = sampler.sample(int(plan.hands[contract] * scale), chunk, note)
    shape, misere = sampler.shape, sampler.misere
    made = fit(shape, sample, sample.made.astype(float), misere, seed)
    least, most = int(sample.payoff.min()), int(sample.payoff.max())
    payoff = None
    if len(np.unique(sample.payoff)) > 2:
        shares = (sample.payoff - least) / (most - least)
        payoff = fit(shape, sample, shares, misere, seed)
    held_out = sampler.held_out(int(plan.tested * scale), chunk, note)
    hands, layouts = (max(int(number * scale**0.5), 2) for number in plan.layouts)
    model = Model(
        contract, sampler, made, payoff, least, most, len(sample), Accuracy((), 0.0, 0.0, 0, 0)
    )
    accuracy = Accuracy(
        by_decile(made.predict(shape, held_out), held_out.made),
        *by_hand(sampler, made, _payoff_of(model), hands, layouts),
        hands,
        layouts,
    )
    note(f"{rules.game.id} {contract} {' '.join(trumps)}: {accuracy.summary}")
    return model._replace(accuracy=accuracy)


def _payoff_of(model: Model) -> Callable[[TableShape, Sample], np.ndarray]:
    """Return the function that predicts the mean payoff."""
    fitted = model.payoff or model.made

    def predict(shape: TableShape, sample: Sample) -> np.ndarray:
        return model.least + (model.most - model.least) * fitted.predict(shape, sample)

    return predict


def _part(model: Model) -> PartData:
    sampler = model.sampler
    payoff = None
    if model.payoff is not None:
        values = model.least + (model.most - model.least) * model.payoff.values
        payoff = _table(model.payoff, values * PAYOFF_UNIT)
    return {
        "units": sampler.units(),
        "low": sampler.low,
        "made": _table(model.made, model.made.values * SHARE_UNIT),
        "payoff": payoff,
        "payoffs": [model.least, model.most],
        "made_error": round(model.accuracy.made_error * SHARE_UNIT),
        "payoff_error": round(model.accuracy.payoff_error * PAYOFF_UNIT),
        "sample": model.sample,
    }


def _table(fitted: Fitted, values: np.ndarray) -> TableData:
    tables = fitted.tables
    return {
        "trump": tables["trump", None].tolist() if ("trump", None) in tables else [],
        "plain": {str(ranks): t.tolist() for (name, ranks), t in tables.items() if name == "plain"},
        "position": tables["position", None].tolist(),
        "called": {
            str(ranks): t.tolist() for (name, ranks), t in tables.items() if name == "called"
        },
        "start": fitted.start,
        "step": fitted.step,
        "values": np.rint(values).astype(int).tolist(),
    }
