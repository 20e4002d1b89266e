"""Deals to play at a table or with `spadille.Player`, each with a reasonable contract."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from spadille.analysis.value.solve import solve
from spadille.base.errors import SpadilleError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.game import Rules
from spadille.generate.problems.biddable_deals import bid_on

_TRIES = 10  # attempts for each candidate


def deals_to_play(
    rules: Rules, seed: int, *, candidates: int = 1
) -> Iterator[tuple[Deal, Contract]]:
    """Yield deals endlessly, each with a contract; the same seed yields the same deals.

    Each contract is worth bidding with the declarer's hand. Contracts for all tricks occur only in
    games without other contracts. Each deal is chosen from `candidates` deals: its contract pays
    the declarer most, double-dummy. Nobody has exchanged cards.
    """
    every = [kind for kind in rules.contracts.values() if kind.side != "individual"]
    fewer = [kind for kind in every if kind.aim != "tricks" or kind.target < rules.game.hand_size]
    kinds = fewer or every or list(rules.contracts.values())
    number = 0
    while True:
        random = Random(f"play {rules.game.id} {rules.text} {seed} {number}")
        number += 1
        candidates_paid: list[tuple[float, Deal, Contract]] = []
        for _ in range(_TRIES * candidates):
            candidate = bid_on(rules, random.choice(kinds), random)
            if candidate is None or candidate[1].trump is None:
                continue
            payoff = 0 if candidates == 1 else _payoff(*candidate)
            if payoff is not None:
                candidates_paid.append((payoff, *candidate))
                if len(candidates_paid) == candidates:
                    break
        if candidates_paid:
            _, deal, contract = max(candidates_paid, key=lambda paid: paid[0])
            yield deal, contract


def _payoff(deal: Deal, contract: Contract) -> float | None:
    """Return the declarer's double-dummy payoff; None if it is unknown."""
    try:
        score = solve(deal, contract).score
    except SpadilleError:
        return None
    return None if score is None else score[contract.declarer]
