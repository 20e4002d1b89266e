"""Measure how often intervals of `cards --chances` contain the truth, and their widths.

Each decision has few enough layouts to value all of them. The same decision is then sampled with
the usual rules, so the sampling stops when the answer is settled or after `--samples` layouts, and
its intervals are compared with the exact figures. The ideal width is that of the normal interval
with the true variance and the same number of layouts. Only shares between 0.1 and 0.9 count.

The draws are independent, as they are if bids are believed. With `--stratified`, layouts are drawn
as they are without belief. The layouts of these decisions are so few that a stratified sample
nearly contains all of them, so it says little about the coverage in larger sets.

    python -m benchmarks.interval_coverage 500 --seeds 4
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt
from random import Random
from statistics import mean
from types import SimpleNamespace
from typing import Any, NamedTuple

from benchmarks.deals import MEASURING, TUNING, lone, questions
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import CardChance, Chances
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import EXACT, Drawing, words_of
from spadille.analysis.confidence_intervals import FIRST, Interval
from spadille.core.knowledge.random_numbers import ranks
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.core.position import Position

GAMES = (("german-solo", "solo"), ("mensch", "five"), ("quadrille", "solo"), ("solo-whist", "solo"))
TRICKS = 3
"""The number of tricks left."""
NORMAL = 1.959964


class Compared(NamedTuple):
    """An interval, and the true value."""

    figure: str
    interval: Interval
    truth: float
    ideal: float | None
    """The ideal width; None if it is not compared."""
    estimate: float


def endings(family: str, number: int) -> Iterator[Knowledge]:
    """Yield the knowledge of players who have a choice near the end, after random play."""
    each = -(-number // len(GAMES))
    for game, contract_id in GAMES:
        deals = questions(family, f"intervals {game}", 4 * each, lone(game, contract_id))
        found = 0
        for index, (deal, contract, _) in enumerate(deals):
            random = Random(f"{family} play {game} {index}")
            play: list[str] = []
            position = Position.of(deal, contract)
            size = deal.rules.game.hand_size
            while len(position.tricks) < size - TRICKS:
                play.append(random.choice(position.legal()))
                position.play(play[-1])
            known = know(deal, contract, None, play, assumptions=Drawing(belief="none"))
            if len(position.legal()) > 1 and FIRST < known.fitting.count <= EXACT and found < each:
                found += 1
                yield known


class Independent(NamedTuple):
    """Layouts that are drawn independently of each other, as they are if bids are believed."""

    count: int

    @property
    def ranks(self) -> Sequence[int]:
        """All ranks."""
        return range(self.count)

    def samples(self, number: int, seed: int = 0, block: int = 0) -> Iterator[list[int]]:
        """Draw ranks."""
        yield ranks(self.count, number, seed, block, spread=False)


class Valued:
    """A decision with the values of all its layouts."""

    def __init__(self, known: Knowledge) -> None:
        self._known = known
        strategy = self._strategy(Drawing(belief="none", seconds=0))
        self.exact: Chances = Sampling(strategy).run()
        assert self.exact.exact
        count = known.fitting.count
        rows = strategy._layouts.values(strategy._hands.hands(words_of(range(count))))
        width = len(rows) // count
        self._rows = [rows[width * n : width * (n + 1)] for n in range(count)]
        self._counts = strategy._counts
        self._count = count
        groups = zip(strategy._groups, strategy._column, strict=True)
        self._columns = {card: column for group, column in groups for card in group}

    def _strategy(self, drawing: Drawing) -> CardStrategy:
        return CardStrategy(self._known, drawing, double_dummy=False, payoffs=False, plans=False)

    def sampled(self, drawing: Drawing, *, stratified: bool) -> Chances:
        """Return the chances from a sample of the layouts."""
        strategy = self._strategy(drawing)
        strategy.exact = False
        values: Any = SimpleNamespace(
            cards=strategy._layouts.cards,
            stopped=None,
            values=lambda ranks, **_: b"".join([self._rows[rank] for rank in ranks]),
        )
        strategy._layouts = values
        hands: Any = SimpleNamespace(hands=lambda words: words[::2])
        strategy._hands = hands
        if not stratified:
            blocks: Any = lambda clock: drawing.blocks(Independent(self._count), exact=False)  # noqa: E731
            strategy.blocks = blocks  # type: ignore[method-assign]
        return Sampling(strategy).run()

    def compared(self, found: Chances) -> Iterator[Compared]:
        """Compare the intervals of a sample with the truth."""
        truth = {card.card: card for card in self.exact.cards}
        best = truth[found.best.card]
        for card in found.cards:
            true = truth[card.card]
            if card.made_interval is not None:
                figure = "made, best card" if card.card == best.card else "made, other cards"
                ideal = 2 * NORMAL * sqrt(true.made * (1 - true.made) / found.samples)
                within = 0.1 <= true.made <= 0.9
                yield Compared(
                    figure, card.made_interval, true.made, ideal if within else None, card.made
                )
            if card.behind_interval is not None:
                sign = 1 if found.declaring else -1
                behind = sign * (best.made - true.made)
                yield Compared("behind", card.behind_interval, behind, None, card.behind)
            yield from self._payoff(card, true, found.samples)

    def _payoff(self, card: CardChance, true: CardChance, samples: int) -> Iterator[Compared]:
        if card.payoff_interval is None or true.payoff is None:
            return
        column = self._columns[card.card]
        squares = whole = 0.0
        for row, count in self._counts.rows:
            squares += count * ((row.payoffs[column] or 0) - true.payoff) ** 2
            whole += count
        ideal = 2 * NORMAL * sqrt(squares / whole / samples)
        estimate = card.payoff or 0.0
        yield Compared("payoff", card.payoff_interval, true.payoff, ideal or None, estimate)


def main() -> None:
    """Parse the command line, and print coverage and widths."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.interval_coverage", description=__doc__
    )
    parser.add_argument("number", type=int, help="number of decisions")
    parser.add_argument("--seeds", type=int, default=4, help="samples of each decision")
    parser.add_argument("--samples", type=int, default=2048, help="most layouts in a sample")
    parser.add_argument("--stratified", action="store_true", help="draw stratified samples")
    parser.add_argument("--tuning", action="store_true", help="use the deals kept for tuning")
    args = parser.parse_args()
    drawing = Drawing(belief="none", samples=args.samples, seconds=0)
    runs = settled = decisions = 0
    compared: dict[str, list[Compared]] = {}
    for known in endings(TUNING if args.tuning else MEASURING, args.number):
        valued = Valued(known)
        decisions += 1
        for seed in range(args.seeds):
            found = valued.sampled(replace(drawing, seed=seed), stratified=args.stratified)
            runs += 1
            settled += found.settled
            for each in valued.compared(found):
                compared.setdefault(each.figure, []).append(each)
    print(f"{decisions} decisions, {runs} samples, {settled} settled")
    for figure, all_of in sorted(compared.items()):
        held = [each.interval[0] <= each.truth <= each.interval[1] for each in all_of]
        widths = [
            (each.interval[1] - each.interval[0]) / each.ideal for each in all_of if each.ideal
        ]
        errors = [
            (2 * NORMAL * (each.estimate - each.truth) / each.ideal) ** 2
            for each in all_of
            if each.ideal
        ]
        wide = ""
        if widths:
            wide = f", {mean(widths):.2f} times the ideal width ({len(widths)})"
            wide += f", {sqrt(mean(errors)):.2f} standard errors off"
            inner = [hit for hit, each in zip(held, all_of, strict=True) if each.ideal]
            wide += f"; {mean(inner):.2%} of these contain the truth"
        print(f"{figure}: {mean(held):.2%} of {len(held)} contain the truth{wide}")


if __name__ == "__main__":
    main()
