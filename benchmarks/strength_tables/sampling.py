"""Samples of hands with one deal each, drawn from seeds and kept in files.

A sample consists of chunks, each with its own seed. Existing chunks are reused, so an interrupted
run continues where it stopped. The hands of chunk 0 come straight from `hands`. A pilot model
fitted to it tells strong hands from weak ones; in later chunks, hands with rare predicted shares
are kept more often, so that all shares occur about equally often.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import fields
from functools import cached_property
from pathlib import Path

import numpy as np

from benchmarks.strength_tables.contract_valuer import Valuer
from benchmarks.strength_tables.draw_hands import TILTS, bits_of, card_worth, draw_hands, rest_of
from benchmarks.strength_tables.exchange_policy import Exchange
from benchmarks.strength_tables.game_plans import low_cards
from benchmarks.strength_tables.model import SCALE, Fitted, Sample, fit
from spadille.core.strength.strength_tables import TableShape
from spadille.games.model.game import Rules

CHUNK = 20_000
NAMES = [field.name for field in fields(Sample)]
_BINS = np.arange(-5.0, 5.01, 0.25) * SCALE
_CLOSE = -2.5, 3.5  # the scores of close hands, in logits
_HIGHEST = 0.75  # the fraction of called cards that are chosen as the highest of their suit
_LEAST = 0.03  # the minimum fraction of hands kept, however frequent their scores are


class Sampler:
    """Draws the sample of one contract in one kind of trump."""

    def __init__(
        self, rules: Rules, contract_id: str, trumps: tuple[str, ...], folder: Path, seed: int
    ) -> None:
        self.rules, self.trumps, self.folder, self.seed = rules, trumps, folder, seed
        self.trump = trumps[0]
        self.valuer = Valuer(rules, contract_id, self.trump)
        self.kind = self.valuer.kind
        self.code = self.valuer.code
        self.misere = self.kind.aim == "misere"
        self.low = low_cards(rules, contract_id, self.trump)
        pilot_low = low_cards(rules, contract_id, self.trump, pilot=True)
        self.called = self.kind.side == "called"
        self.shape, self.pilot_shape, self.whole_shape = (
            TableShape.of(rules, self.trump, low, len(self.valuer.positions), self.called)
            for low in (self.low, pilot_low, {})
        )
        self.exchange = Exchange.of(rules, self.kind, self.code)
        self._worth = card_worth(self.code, self.misere)
        deck = rules.deck
        self._number = np.array([self.code.numbers[card] for card in deck])
        self._holder = None if self.kind.holder is None else deck.index(self.kind.holder)
        folder.mkdir(parents=True, exist_ok=True)

    def sample(self, hands: int, chunk: int = CHUNK, note: Callable[[str], None] = print) -> Sample:
        """Return `hands` hands, from files if they exist."""
        parts = []
        while sum(map(len, parts)) < hands:
            number = len(parts)
            path = self.folder / f"{self.kind.id}-{self.trump}-{self.seed}-{number}.npz"
            if not path.exists():
                made = self._chunk(number, chunk)
                part = path.with_suffix(".unfinished")
                with part.open("wb") as file:
                    np.savez_compressed(file, **{name: getattr(made, name) for name in NAMES})
                os.replace(part, path)
                note(f"{path.name}: {len(made)} hands, {made.made.mean():.1%} made")
            with np.load(path) as stored:
                parts.append(Sample(*(stored[name] for name in NAMES)))
        return parts[0].joined(*parts[1:])

    def held_out(
        self, hands: int, chunk: int = CHUNK, note: Callable[[str], None] = print
    ) -> Sample:
        """Return hands for a test, drawn like the sample, with the same pilot model."""
        return self._other(1, *self._pilot).sample(hands, chunk, note)

    def close(self, hands: int, chunk: int = CHUNK, note: Callable[[str], None] = print) -> Sample:
        """Return hands for which the pilot model expects neither certain failure nor success."""
        pilot, kept = self._pilot
        middles = np.concatenate([[-np.inf], (_BINS[1:] + _BINS[:-1]) / 2, [np.inf]]) / SCALE
        here = (middles > _CLOSE[0]) & (middles < _CLOSE[1])
        return self._other(2, pilot, np.where(here, kept, 0)).sample(hands, chunk, note)

    def _other(self, number: int, pilot: Fitted, kept: np.ndarray) -> Sampler:
        """Return a sampler with another seed that keeps these fractions of hands."""
        other = Sampler(self.rules, self.kind.id, self.trumps, self.folder, self.seed + number)
        other.__dict__["_pilot"] = pilot, kept
        return other

    def unsolved(self, hands: int) -> Sample:
        """Return more hands, drawn like the sample, without results."""
        places, position, called = self._drawn(self.rng(8, 8), 1, hands, CHUNK)
        return Sample.unsolved(bits_of(self.code, places), position, called)

    def units(self) -> dict[str, int]:
        """Return the trumps of this kind, each with the factor by which it multiplies payoffs."""
        pays = {}
        for trump in self.trumps:
            pays[trump] = Valuer(self.rules, self.kind.id, trump).payoffs()
        first = pays[self.trump]
        units = {}
        for trump, payoffs in pays.items():
            units[trump] = payoffs[-1] // first[-1]
            assert payoffs == [units[trump] * payoff for payoff in first], (trump, payoffs, first)
        return units

    def rng(self, *key: int) -> np.random.Generator:
        """Return the random number generator for a part of this sample."""
        words = f"{self.rules.game.id} {self.kind.id} {self.trump}".encode()
        return np.random.default_rng([self.seed, *words, *key])

    def deal(
        self, rng: np.random.Generator, places: np.ndarray, position: np.ndarray
    ) -> np.ndarray:
        """Deal the other cards at random, and exchange; return one column per player."""
        players, size = self.valuer.players, self.rules.game.hand_size
        rest = rest_of(rng, places, len(self.rules.deck))
        if self.exchange is not None and self.exchange.turned:
            self._turn_up(rng, rest, (players - 1) * size)
        own = bits_of(self.code, places)
        others = [
            bits_of(self.code, rest[:, n * size : (n + 1) * size]) for n in range(players - 1)
        ]
        hands = np.empty((len(places), players), np.uint64)
        for player in range(players):
            column = (player - position) % players
            hands[:, player] = np.select([column == n for n in range(players)], [own, *others])
        talon = self._number[rest[:, (players - 1) * size :]]
        return hands if self.exchange is None else self.exchange.after(hands, talon, position)

    def _turn_up(self, rng: np.random.Generator, rest: np.ndarray, top: int) -> None:
        """Put a random card that makes this suit trumps on top of each talon."""
        assert self.exchange is not None
        turned = np.array([card in self.exchange.turned for card in self.rules.deck])
        place = np.where(turned[rest], rng.random(rest.shape), -1.0).argmax(1)
        row = np.arange(len(rest))
        rest[row, place], rest[row, top] = rest[row, top], rest[row, place]

    def _chunk(self, number: int, size: int) -> Sample:
        rng = self.rng(number)
        return self.valued(rng, *self._drawn(rng, number, size, size))

    def _drawn(
        self, rng: np.random.Generator, number: int, hands: int, batch: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        while sum(len(part[0]) for part in parts) < hands:
            parts.append(self._candidates(rng, number, batch))
        places, position, called = (
            np.concatenate([part[n] for part in parts])[:hands] for n in range(3)
        )
        return places, position, called

    def valued(
        self,
        rng: np.random.Generator,
        places: np.ndarray,
        position: np.ndarray,
        called: np.ndarray,
    ) -> Sample:
        """Value one deal of each of these hands."""
        hands = self.deal(rng, places, position)
        made, payoff = self.valuer.values(hands, position, called)
        own = bits_of(self.code, places)
        return Sample(own, position, called, made, payoff)

    def _candidates(
        self, rng: np.random.Generator, number: int, size: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        places, position, called = self.candidates(rng, size)
        if number == 0:
            return places, position, called
        pilot, kept = self._pilot
        hands = Sample.unsolved(bits_of(self.code, places), position, called)
        bins = np.searchsorted(_BINS, pilot.scores(hands)[:, 0])
        here = rng.random(len(places)) < kept[bins]
        return places[here], position[here], called[here]

    def candidates(
        self, rng: np.random.Generator, size: int
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Draw hands, as places in the pack, with positions and called cards."""
        places = draw_hands(rng, self._worth, self.rules.game.hand_size, size, TILTS)
        if self._holder is not None:
            places = places[(places == self._holder).any(1)]
        position = rng.integers(len(self.valuer.positions), size=len(places))
        called = np.full(len(places), -1)
        if self.called:
            called = self._calls(rng, places)
            some = called >= 0
            places, position, called = places[some], position[some], called[some]
        return places, position, called

    def _calls(self, rng: np.random.Generator, places: np.ndarray) -> np.ndarray:
        """Choose a card to call for each hand, most often the highest of a suit."""
        tiers = [
            np.array([self.code.numbers[card] for card in tier], np.int64)
            for tier in self.rules.call_tiers(self.trump, self.kind)
        ]
        hands = bits_of(self.code, places)
        lane_luck = rng.random((len(places), 4))
        highest = rng.random((len(places), 1)) < _HIGHEST
        called = np.full(len(places), -1)
        for tier in tiers:
            lanes = tier >> 4
            free = hands[:, None] >> tier.astype(np.uint64) & np.uint64(1) == 0
            if self.rules.game.call_needs_suit:
                free &= hands[:, None] >> (16 * lanes).astype(np.uint64) & np.uint64(0xFFFF) != 0
            # Choose a random suit, then its highest card or any card.
            within = np.where(highest, (tier & 15) / 16, rng.random((len(places), len(tier))))
            keys = np.where(free, np.floor(lane_luck[:, lanes] * 1e6) + within, -1.0)
            best = keys.argmax(1)
            here = (called < 0) & free.any(1)
            called[here] = tier[best[here]]
        return called

    @cached_property
    def _pilot(self) -> tuple[Fitted, np.ndarray]:
        """Return the pilot model, and the fraction of hands to keep in each bin of scores."""
        first = self.sample(1, note=lambda text: None)
        pilot = fit(self.pilot_shape, first, self.misere, self.seed, brief=True)
        places, position, called = self.candidates(self.rng(0, 1), 4 * CHUNK)
        hands = Sample.unsolved(bits_of(self.code, places), position, called)
        bins = np.searchsorted(_BINS, pilot.scores(hands)[:, 0])
        count = np.bincount(bins, minlength=len(_BINS) + 1)
        inner = count[1:-1]
        wanted = max(np.median(inner[inner > 0]) / 2, 20) if (inner > 0).any() else 20
        kept = np.clip(wanted / np.maximum(count, 1), _LEAST, 1)
        # Hands beyond the bins almost certainly fail or make.
        kept[[0, -1]] = np.minimum(kept[[0, -1]], 4 * wanted / np.maximum(count[[0, -1]], 1))
        return pilot, kept
