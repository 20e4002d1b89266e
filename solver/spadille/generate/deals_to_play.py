"""Deals to play at a table or with `spadille.Player`, each with a reasonable contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import inf
from random import Random

from spadille.analysis.contracts.contracts_to_solve import WantedContracts
from spadille.analysis.value.solve import solve
from spadille.base.errors import ContractError, SpadilleError, TooRareError
from spadille.base.words_for_messages import listed
from spadille.core.arguments import contract_types
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules
from spadille.generate.deals.layout_condition import condition
from spadille.generate.problems.biddable_deals import bid_on

_TRIES = 10  # attempts for each candidate
_PATIENCE = 2_000  # attempts in a row without a wanted deal


@dataclass(frozen=True, slots=True)
class WantedDeals:
    """The deals to play; by default, any deal whose contract is not for all tricks."""

    contracts: tuple[str, ...] | None = None
    """Ids of contracts."""
    declarer: str | None = None
    trump: str | None = None
    where: tuple[str, ...] = ()
    """Conditions, as in `deals`."""

    def kinds(self, rules: Rules) -> list[ContractType]:
        """Return the contracts to choose from."""
        if self.contracts is not None:
            return contract_types(rules, self.contracts)
        every = [kind for kind in rules.contracts.values() if kind.side != "individual"]
        size = rules.game.hand_size
        fewer = [kind for kind in every if kind.aim != "tricks" or kind.target < size]
        return fewer or every or list(rules.contracts.values())

    def test(self, rules: Rules) -> Callable[[Deal, Contract], bool]:
        """Return a function that tests a deal and its contract."""
        self._check(rules)

        @cache
        def conditions(dealer: str, trump: str | None) -> list[Callable[[Deal], bool]]:
            dealt = Deal(rules, dealer, dict.fromkeys(rules.seats), current_trump=trump)
            return [condition(text, dealt) for text in self.where]

        conditions(rules.seats[0], (rules.game.current_trumps or (None,))[0])  # raises errors

        def wanted(deal: Deal, contract: Contract) -> bool:
            return (
                self.declarer in (None, *contract.declarers)
                and self.trump in (None, contract.trump)
                and all(holds(deal) for holds in conditions(deal.dealer, deal.current_trump))
            )

        return wanted

    def _check(self, rules: Rules) -> None:
        """Raise an error for a seat, a contract or a trump with which no deal can be played."""
        WantedContracts.of(
            rules,
            None if self.declarer is None else [self.declarer],
            None if self.trump is None else [self.trump],
        )
        kinds, deal = self.kinds(rules), Deal(rules, rules.seats[0], dict.fromkeys(rules.seats))
        played = {trump for kind in kinds for trump in rules.allowed_trumps(kind, deal)}
        if self.trump is not None and self.trump not in played:
            names = listed([kind.name for kind in kinds], "or")
            allowed = " ".join(trump for trump in rules.trumps if trump in played)
            raise ContractError(
                f"{names} cannot be played with trump {self.trump}, only {allowed}",
                "trump-not-allowed",
            )


ANY_DEALS = WantedDeals()


def deals_to_play(
    rules: Rules, seed: int, *, candidates: int = 1, wanted: WantedDeals = ANY_DEALS
) -> Iterator[tuple[Deal, Contract]]:
    """Yield deals endlessly, each with a contract; the same arguments yield the same deals.

    Each contract is worth bidding with the declarer's hand. Contracts for all tricks occur only if
    they are wanted, and in games without other contracts. Each deal is the one, of `candidates`
    deals, whose contract pays the declarer most, double-dummy. Nobody has exchanged cards. Raises
    TooRareError if none of 2,000 candidates in a row is wanted, ContractError for an unknown
    contract or an impossible trump, RulesError for an unknown seat, and ArgumentError for an
    invalid condition.
    """
    kinds, fits = wanted.kinds(rules), wanted.test(rules)
    number = attempts = 0
    while True:
        random = Random(f"play {rules.game.id} {rules.text} {seed} {number}")
        number += 1
        candidates_paid: list[tuple[float, Deal, Contract]] = []
        for _ in range(_TRIES * candidates):
            candidate = bid_on(rules, random.choice(kinds), random)
            attempts += 1
            if candidate is None or candidate[1].trump is None or not fits(*candidate):
                continue
            payoff = 0 if candidates == 1 else _payoff(*candidate)
            candidates_paid.append((payoff, *candidate))
            if len(candidates_paid) == candidates:
                break
        if candidates_paid:
            _, deal, contract = max(candidates_paid, key=lambda paid: paid[0])
            attempts = 0
            yield deal, contract
        elif attempts >= _PATIENCE:
            raise TooRareError(f"none of {attempts:,} deals worth bidding meets the conditions")


def _payoff(deal: Deal, contract: Contract) -> float:
    """Return the declarer's double-dummy payoff; minus infinity if it is unknown, as in Nemo."""
    try:
        score = solve(deal, contract).score
    except SpadilleError:
        return -inf
    return -inf if score is None else score[contract.declarer]
