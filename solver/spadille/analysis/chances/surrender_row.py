"""Value surrendering given the declarer's knowledge, for a separate row next to the cards.

The average is taken over the same layouts as for the cards. The declarer surrenders in every
layout, but the opponents respond double-dummy in each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from spadille.analysis.chances.card_chances_result import SurrenderChance
from spadille.analysis.chances.value_meaning import Kind, kinds_of
from spadille.analysis.confidence_intervals import bounded_mean, partial_mean
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.search.encoding import Situation
from spadille.search.engine import LayoutSolver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from spadille.search.surrender_value import counts, given_up


class Surrenders:
    """Sums the payoffs of surrendering over layouts.

    If layouts have weights, `whole` is the total weight.
    """

    _whole: int | None = None

    def __init__(
        self, known: Knowledge, at: Situation, memory: int, whole: int | None = None
    ) -> None:
        self._whole = whole
        contract = known.contract
        self._alone = given_up(known.deal, contract, at)[contract.declarer]
        self._asked: list[tuple[list[Kind], LayoutSolver]] = []
        for seat in known.deal.rules.in_turn(contract.declarer)[1:]:
            taken = replace(known, deal=known.deal.taken_over(), contract=contract.taken_over(seat))
            kinds = kinds_of(taken, at, Search(None, Limits()), forced=False)
            self._asked.append((kinds.kinds, kinds.solver(kinds.kinds, at, memory)))
        shares = [
            meaning.payoff or 0
            for kinds, _ in self._asked
            for kind in kinds
            for meaning in kind.meanings.values()
            if meaning.made
        ]
        self._least = self._alone + min(0, *shares)
        self._paid: Counter[int] = Counter()
        self._taken = 0

    @staticmethod
    def of(
        known: Knowledge, at: Situation, memory: int, whole: int | None = None
    ) -> Surrenders | None:
        """Return the payoffs, or None if the player may not surrender."""
        declaring = known.seat == known.contract.declarer
        accounted = at.total == known.deal.rules.game.hand_size
        if declaring and accounted and counts(known.deal, known.contract, at):
            return Surrenders(known, at, memory, whole)
        return None

    def add(
        self,
        hands: memoryview,
        players: int,
        threads: int,
        weights: Sequence[int] | None = None,
    ) -> None:
        """Add layouts, given as the players' hands in order of play."""
        number = len(hands) // players
        least = [0] * number
        taken = [False] * number
        for kinds, layouts in self._asked:
            width = 1 + len(layouts.cards)
            rows = memoryview(layouts.values(hands, threads=threads)).cast("h").tolist()
            for layout in range(number):
                kind, *values = rows[layout * width : (layout + 1) * width]
                # The former declarer plays next, so the opponent who took over gets the lowest of
                # the values.
                meaning = kinds[kind].meanings[min(values)]
                share = meaning.payoff or 0
                if meaning.made and share < least[layout]:
                    least[layout], taken[layout] = share, True
        for layout, share in enumerate(least):
            weight = 1 if weights is None else weights[layout]
            self._paid[self._alone + share] += weight
            self._taken += weight * taken[layout]

    def result(self, *, exact: bool) -> SurrenderChance:
        """Return the average; it has no interval if all layouts were valued."""
        number = self._paid.total()
        total = sum(paid * count for paid, count in self._paid.items())
        interval = None
        if not exact and self._whole is not None:
            rest = self._whole - number
            interval = partial_mean(total, rest, self._whole, self._least, self._alone)
        elif not exact:
            interval = bounded_mean(self._paid, self._least, self._alone)
        return SurrenderChance(
            payoff=total / number, payoff_interval=interval, taken_over=self._taken / number
        )
