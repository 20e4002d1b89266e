"""Measure how hard a decision is for a natural player, a model of a player at the table.

The natural player imagines some layouts of the hidden cards, picks one of them at random, and plays
any card that wins there double-dummy, or any card if none wins. Equivalent cards count as one
choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2

from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import know
from spadille.generate.problems.goal_and_winning_cards import Stake, position
from spadille.generate.problems.key_line import Ply
from spadille.search.limited_search import Search

LAYOUTS = 20
"""The maximum number of layouts imagined."""
RAREST = 1 / (2 * LAYOUTS)
"""The assumed chance of playing a card that does not win in any layout."""
HARDEST = 3 * 13 * (1 - log2(RAREST))
"""More than any problem reaches: a side has at most 39 turns, each as hard as possible."""


def card_frequencies(
    deal: Deal, contract: Contract, play: tuple[str, ...], search: Search, seed: int
) -> dict[str, float]:
    """Return how often the player chooses each card after `play`; raises the errors of `know`."""
    known = know(deal, contract, None, play)
    layouts = known.layouts
    if layouts.count <= LAYOUTS:
        ranks = list(range(layouts.count))
    else:
        ranks = layouts.sample(LAYOUTS, seed)
    frequencies: dict[str, float] = {}
    for rank in ranks:
        layout = layouts.unrank(rank)
        there = position(known.deal_of(layout), known.contract_of(layout), play, search)
        groups = _reasonable(there) if there else [[card] for card in known.own]
        for group in groups:
            for card in group:
                share = 1 / (len(group) * len(groups) * len(ranks))
                frequencies[card] = frequencies.get(card, 0.0) + share
    return frequencies


def _reasonable(stake: Stake) -> list[tuple[str, ...]]:
    """List the choices that win in a layout, or all choices if none wins."""
    return [stake.names(group) for group in stake.winning() or stake.choices]


def difficulty(
    deal: Deal,
    contract: Contract,
    play: tuple[str, ...],
    line: Sequence[Ply],
    search: Search,
    seed: int,
) -> float:
    """Return the difficulty of finding the line after `play`.

    The difficulty is -log2 of the chance that this player finds a winning card at every choice,
    plus one for each choice with a single winning card. Raises the same errors as
    `card_frequencies`.
    """
    bits = 0.0
    cards = list(play)
    for ply in line:
        if ply.choices > 1 and len(ply.winning) < ply.choices:
            chances = card_frequencies(deal, contract, tuple(cards), search, seed)
            chance = sum(chances.get(card, 0.0) for group in ply.winning for card in group)
            bits += ply.only - log2(max(chance, RAREST))
        cards.append(ply.card)
    return round(bits, 2)
