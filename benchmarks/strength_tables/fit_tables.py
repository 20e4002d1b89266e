"""Fit the tables of a game to samples, return them as data, and measure their accuracy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.strength_tables.accuracy_records import Accuracy, by_decile
from benchmarks.strength_tables.contract_valuer import Valuer
from benchmarks.strength_tables.game_plans import PLANS, SEED, VERSION, GamePlan, kinds_of_trumps
from benchmarks.strength_tables.model import Fitted, Sample, fit, fit_together
from benchmarks.strength_tables.sampling import CHUNK, Sampler
from benchmarks.strength_tables.single_hands import HANDS, LAYOUTS, hand_errors, mean_error
from spadille.core.strength.strength_tables import SHARE_UNIT, GameData, LayerData, PartData
from spadille.games import rules_for
from spadille.games.model.game import Rules


class Model(NamedTuple):
    """A contract in one kind of trump: the fitted table, and its accuracy."""

    contract: str
    sampler: Sampler
    fitted: Fitted
    sample: int
    accuracy: Accuracy


def game_data(
    game: str,
    folder: Path,
    *,
    scale: float = 1.0,
    chunk: int = CHUNK,
    seed: int = SEED,
    only: Sequence[str] = (),
    trump: str = "",
    kept: GameData | None = None,
    note: Callable[[str], None] = print,
) -> tuple[GameData, list[Model]]:
    """Draw the samples of a game, fit and measure its tables; `scale` multiplies sample sizes.

    If `only` names contracts, just these are fitted, with this trump if there is one. The other
    tables come from `kept`.
    """
    rules, plan = rules_for(game), PLANS[game]
    models = [
        model
        for contract in only or plan.hands
        for model in _models(rules, plan, contract, folder / game, scale, chunk, seed, trump, note)
    ]
    fitted = {(model.contract, model.sampler.trump) for model in models}
    old = kept["contracts"] if only and kept is not None else {}
    contracts = {
        contract: [
            part
            for part in old.get(contract, [])
            if all((contract, one) not in fitted for one in part["units"])
        ]
        for contract in plan.hands
    }
    for model in models:
        contracts[model.contract].append(_part(model))
    data: GameData = {
        "game": game,
        "version": VERSION,
        "seed": seed,
        "options": list(plan.options),
        "same": dict(plan.same),
        "contracts": contracts,
    }
    if plan.times:
        data["times"] = dict(plan.times)
    _check_payoffs(rules, plan)
    return data, models


def _check_payoffs(rules: Rules, plan: GamePlan) -> None:
    """Check that contracts with the same table pay a multiple of its payoffs."""
    for contract, base in plan.same.items():
        for trump in {each[0] for each in kinds_of_trumps(rules, contract)}:
            pays, base_pays = (Valuer(rules, one, trump).payoffs() for one in (contract, base))
            assert pays == [plan.times.get(contract, 1) * each for each in base_pays], contract


def draw_samples(
    game: str,
    contract: str,
    folder: Path,
    *,
    scale: float = 1.0,
    chunk: int = CHUNK,
    seed: int = SEED,
    note: Callable[[str], None] = print,
) -> None:
    """Draw the samples of one contract of a game, and nothing else."""
    rules, plan = rules_for(game), PLANS[game]
    for trumps in kinds_of_trumps(rules, contract):
        sampler = Sampler(rules, contract, trumps, folder / game, seed)
        _sample(plan, sampler, scale, chunk, note)
        sampler.held_out(int(plan.tested * scale), chunk, note)


def _models(
    rules: Rules,
    plan: GamePlan,
    contract: str,
    folder: Path,
    scale: float,
    chunk: int,
    seed: int,
    trump: str,
    note: Callable[[str], None],
) -> list[Model]:
    """Return the models of a contract in all kinds of trumps, or in the kind of `trump`."""
    samplers = [
        Sampler(rules, contract, trumps, folder, seed)
        for trumps in kinds_of_trumps(rules, contract)
        if trump in ("", *trumps)
    ]
    samples = [_sample(plan, sampler, scale, chunk, note) for sampler in samplers]
    fitted = _fitted(plan, dict(zip(samplers, samples, strict=True)), seed)
    return [
        _model(plan, sampler, one, len(sample), scale, chunk, note)
        for sampler, one, sample in zip(samplers, fitted, samples, strict=True)
    ]


def _sample(
    plan: GamePlan, sampler: Sampler, scale: float, chunk: int, note: Callable[[str], None]
) -> Sample:
    """Return the solved hands for fitting."""
    contract, trump = sampler.kind.id, sampler.trump
    first = sampler.sample(int(plan.hands_for(contract, trump) * scale), chunk, note)
    close = int(plan.close_for(contract, trump) * scale)
    return first.joined(sampler.close(close, chunk, note)) if close else first


def _fitted(plan: GamePlan, samples: Mapping[Sampler, Sample], seed: int) -> list[Fitted]:
    """Return the fitted tables of a contract in several kinds of trumps."""

    def within(contracts: Sequence[str], sampler: Sampler) -> bool:
        return not {*contracts}.isdisjoint((sampler.kind.id, f"{sampler.kind.id} {sampler.trump}"))

    wide = {sampler: samples[sampler] for sampler in samples if within(plan.wide, sampler)}
    fitted = {
        sampler: fit(sampler.shape, sample, sampler.misere, seed)
        for sampler, sample in samples.items()
        if sampler not in wide
    }
    alone = [sampler for sampler in wide if within((*plan.whole, *plan.apart), sampler)]
    others = [sampler for sampler in wide if sampler not in alone]
    for group in [*([others] if others else []), *([sampler] for sampler in alone)]:
        unsolved = [
            sampler.unsolved(plan.unsolved_for(sampler.kind.id, sampler.trump, len(wide[sampler])))
            for sampler in group
            if within(plan.taught, sampler)
        ]
        together = fit_together(
            [sampler.shape for sampler in group],
            [wide[sampler] for sampler in group],
            seed,
            unsolved,
            coarse=[sampler.pilot_shape for sampler in group],
            whole=[sampler.whole_shape for sampler in group if within(plan.whole, sampler)],
        )
        fitted.update(zip(group, together, strict=True))
    return [fitted[sampler] for sampler in samples]


def _model(
    plan: GamePlan,
    sampler: Sampler,
    fitted: Fitted,
    sample: int,
    scale: float,
    chunk: int,
    note: Callable[[str], None],
) -> Model:
    held_out = sampler.held_out(int(plan.tested * scale), chunk, note)
    share, _ = fitted.predict(held_out)
    hands, layouts = (max(int(number * scale**0.5), 2) for number in (HANDS, LAYOUTS))
    errors = [*islice(hand_errors(sampler, fitted.predict, layouts), hands)]
    accuracy = Accuracy(by_decile(share, held_out.made), len(errors), layouts, mean_error(errors))
    contract = sampler.kind.id
    note(f"{sampler.rules.game.id} {contract} {' '.join(sampler.trumps)}: {accuracy}")
    return Model(contract, sampler, fitted, sample, accuracy)


def _part(model: Model) -> PartData:
    fitted, accuracy = model.fitted, model.accuracy
    wide: dict[str, LayerData] = {}
    if fitted.wide is not None and fitted.wide_bias is not None:
        wide["wide"] = {"weights": fitted.wide.tolist(), "bias": fitted.wide_bias.tolist()}
    return {
        "units": model.sampler.units(),
        "low": model.sampler.low,
        "vectors": {
            f"{name} {ranks}".strip(): vectors.ravel().tolist()
            for (name, ranks), vectors in fitted.vectors.items()
        },
        **wide,  # type: ignore[typeddict-item]
        "layer": {"weights": fitted.layer.tolist(), "bias": fitted.layer_bias.tolist()},
        "scores": [
            {
                "payoff": payoff,
                "weights": weights.tolist(),
                "bias": int(bias),
                "start": link.start,
                "step": link.step,
                "shares": np.rint(link.values * SHARE_UNIT).astype(int).tolist(),
            }
            for payoff, weights, bias, link in zip(
                fitted.payoffs[1:], fitted.weights, fitted.bias, fitted.links, strict=True
            )
        ],
        "least": fitted.payoffs[0],
        "made": fitted.made - 1,
        **accuracy.error.stated(),  # type: ignore[typeddict-item]
        "sample": model.sample,
    }
