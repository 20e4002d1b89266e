"""Search for deals that are hard to solve, by hill climbing.

A deal and its contract are changed a little, by swapping cards between two hands, and the change is
kept if the search then needs no fewer nodes. The seed determines the sequence of changes, and the
time limit its length.
"""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from time import process_time
from typing import NamedTuple

import spadille
from benchmarks.deals import random_deal
from spadille.analysis.contracts.contracts_to_solve import alternatives
from spadille.base.card_text import sort_cards
from spadille.base.errors import SpadilleError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.validate import faults
from spadille.games import rules_for
from spadille.search.engine import Solver
from spadille.search.limits import Limits

FOUND = Path(__file__).parent / "hard.pbn"
MOST = 1_000_000_000  # node limit when the deals are counted again
NODES = 20_000_000  # node limit of a search, and so the maximum difficulty that can be measured
STARTS = 12  # random deals; the hardest is the starting point
PATIENCE = 80  # failed changes before a new start


class Hard(NamedTuple):
    """A deal, and the nodes `solve` needs for its contract."""

    deal: Deal
    contract: Contract
    nodes: int

    def text(self) -> str:
        """Return the deal as a hand file."""
        return spadille.dumps([(self.deal, self.contract)])


class Climber:
    """A search for hard deals of one contract of a game, with one seed."""

    def __init__(self, game: str, contract: str, seed: int, nodes: int = NODES) -> None:
        self.rules = rules_for(game)
        self.kind = self.rules.contract(contract)
        self.random = Random(f"hard {game} {contract} {seed}")
        self.limits = Limits(nodes=nodes, hard_nodes=nodes)
        self.solver = Solver()

    def path(self) -> Iterator[Hard]:
        """Yield every deal tried, without end."""
        while True:
            best = None
            for _ in range(STARTS):
                tried = self._start()
                yield tried
                best = tried if best is None or tried.nodes > best.nodes else best
            assert best is not None
            vain = 0
            while vain < PATIENCE and best.nodes < self.limits.nodes:
                changed = self._changed(best)
                if changed is None:
                    continue
                yield changed
                vain = 0 if changed.nodes > best.nodes else vain + 1
                best = changed if changed.nodes >= best.nodes else best

    def _start(self) -> Hard:
        while True:
            deal = random_deal(self.rules, self.random)
            contract = self._contract(deal)
            tried = contract and self._tried(deal, contract)
            if tried:
                return tried

    def _changed(self, hard: Hard) -> Hard | None:
        random = self.random
        hands = {seat: list(cards or ()) for seat, cards in hard.deal.hands.items()}
        for _ in range(random.choice((1, 1, 1, 2, 3))):
            one, two = random.sample(list(hands), 2)
            here, there = (random.randrange(len(hands[seat])) for seat in (one, two))
            hands[one][here], hands[two][there] = hands[two][there], hands[one][here]
        deal = replace(hard.deal, hands={seat: sort_cards(each) for seat, each in hands.items()})
        contract = self._contract(deal) if random.random() < 0.1 else hard.contract
        if contract and contract.called:
            contract = replace(contract, partner=deal.holder(contract.called))
        return contract and self._tried(deal, contract)

    def _contract(self, deal: Deal) -> Contract | None:
        found = [each for chosen in alternatives(deal, self.kind) for each in chosen]
        return self.random.choice(found) if found else None

    def _tried(self, deal: Deal, contract: Contract) -> Hard | None:
        """Return the deal with its nodes, or None if the rules do not allow the contract."""
        if any(fault.severity == "error" for fault in faults(deal, contract)):
            return None
        try:
            found = spadille.solve(deal, contract, solver=self.solver, limits=self.limits)
        except SpadilleError:
            return None
        return Hard(deal, contract, found.nodes)


def climb(game: str, contract: str, minutes: float, seed: int = 1) -> Hard:
    """Return the hardest deal found in `minutes` of processor time; report progress on stderr."""
    end = process_time() + 60 * minutes
    best = None
    tried = 0
    for tried, hard in enumerate(Climber(game, contract, seed).path(), 1):
        if best is None or hard.nodes > best.nodes:
            best = hard
            print(f"{tried:>6} {hard.nodes:>12,}", file=sys.stderr, flush=True)
        if process_time() >= end:
            break
    assert best is not None
    print(f"{tried} deals tried", file=sys.stderr)
    return best


def recounted(path: Path) -> str:
    """Return a file of hard deals whose comments state the nodes each deal takes now."""
    solver = Solver()
    entries = iter(spadille.load(path))

    def count(comment: re.Match[str]) -> str:
        entry = next(entries)
        assert entry.deal is not None
        assert entry.contract is not None
        limits = Limits(hard_nodes=MOST)
        found = spadille.solve(entry.deal, entry.contract, solver=solver, limits=limits)
        now = f"% {found.nodes:,} nodes"
        ids = " ".join(entry.contract.ids)
        print(f"{entry.deal.rules.game.id} {ids}: {comment[0]} -> {now}", file=sys.stderr)
        return now

    return re.sub(r"(?m)^% [\d,]+ nodes$", count, path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    ArgumentParser(description=__doc__).parse_args()
    FOUND.write_text(recounted(FOUND), encoding="utf-8")
