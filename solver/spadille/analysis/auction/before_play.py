"""Judge the decisions made before the first card: calls, trump, called card and exchange.

The value of a call is its player's gain if every later caller chooses the call that pays that
caller most. Of equally good calls, the lowest is chosen. The module builds the tree of possible
auctions and values it from the leaves up; each leaf is a contract valued with best play
(`spadille.analysis.auction.auction_end_values`). Unlike a card, a call is not valued against the
worst possible opposition. The worst possible opponents would outbid any contract, or accept a Prop
just to spoil it, even at a loss to themselves. Hardly any bid would then be worth making.

Bid cards are shown simultaneously, so each is judged given the cards the others showed.

The declarer's other choices come in a fixed order: trump, called card, exchange (in Forced
Spadille, called card before trump). The value of each choice is the contract's payoff if the
declarer makes the best later choices and all players then play their best. Therefore

    payoff at the first lead = best payoff of the contract - costs of trump, called card, exchange

The opponents' exchanges in Ombre are not judged, nor are choices in contracts with several
declarers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from spadille.analysis.auction.auction_end_values import Worth
from spadille.analysis.auction.call_review import CardBids, SpokenBids
from spadille.analysis.auction.declarer_choice_review import DeclarerChoices
from spadille.analysis.result_text_forms import Shown
from spadille.analysis.value.decisions_other_than_cards import Preliminary
from spadille.base.argument_checks import check_type
from spadille.core.arguments import auction_words, check_deal
from spadille.core.auction import auction_faults
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.search.encoding import open_hands
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits

BEFORE_LIMITS = Limits(hard_nodes=2_000_000)
"""The limit for each contract; it is low because an auction can end in many contracts."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BeforePlay(Shown):
    """The result of `before_play`."""

    decisions: tuple[Preliminary, ...] = ()
    """The decisions, in the order they were made."""
    bids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The bids with which each seat would have made its contract, from low to high; for bid cards,
    the cards that would have led to a gain. The mapping is empty if no auction is given."""
    nodes: int = 0
    ms: float = 0.0

    def __str__(self) -> str:
        return "\n".join(map(str, self.decisions)) or "nothing to decide"


def before_play(
    deal: Deal,
    contract: Contract | str | None = None,
    auction: str | Iterable[str] = (),
    *,
    solver: Solver | None = None,
    limits: Limits = BEFORE_LIMITS,
) -> BeforePlay:
    """Judge the calls of an auction and the declarer's choices before play.

    `auction` lists the calls, beginning with eldest's, as in an Auction section. An
    invalid auction is judged up to its first error, and an end position is not judged at all. The
    node limit applies to each contract separately. If the limit leaves the cost of a decision open,
    that decision's `exact` is false. Raises DealError for unknown hands, ContractError for an
    invalid contract, and ArgumentError if `limits` is not a Limits.
    """
    search = Search(solver, limits)
    check_deal(deal)
    if isinstance(contract, str):
        contract = Contract.parse(deal, contract)
    elif contract is not None:
        check_type(contract, Contract, "a contract must be a Contract or text such as 'N solo H'")
    calls = auction_words(auction)
    decisions: list[Preliminary] = []
    bids: dict[str, tuple[str, ...]] = {}
    worth = Worth(deal, search, contract)
    if not deal.is_ending:
        named = None
        if calls:
            open_hands(replace(deal, drawn={}, discard={}))  # calls are made on the hands as dealt
        if calls and deal.rules.bidding.cards:
            decisions += CardBids(worth).decisions(calls)
            bids = {
                decision.seat: tuple(
                    card for card, payoff in decision.payoffs.items() if payoff > 0
                )
                for decision in decisions
                if decision.call is not None and decision.call < len(deal.rules.seats)
            }
        elif calls:
            spoken = SpokenBids(worth)
            decisions += spoken.decisions(_sound(deal, calls))
            named = spoken.named
            bids = {seat: tuple(words) for seat, words in worth.makes_for().items()}
        if contract is not None and len(contract.declarers) == 1:
            decisions += DeclarerChoices(worth, contract, named).decisions()
    search.check_not_interrupted()
    return BeforePlay(decisions=tuple(decisions), bids=bids, nodes=worth.nodes, ms=search.ms)


def _sound(deal: Deal, auction: Sequence[str]) -> Sequence[str]:
    """Return the calls before the first error, marked as an incomplete record."""
    faults = [fault.nth for fault in auction_faults(deal, auction)]
    return [*auction[: min(faults)], "*"] if faults else auction
