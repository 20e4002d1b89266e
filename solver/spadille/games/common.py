"""Rankings, seats and options shared by several games."""

from __future__ import annotations

from spadille.games.model.bidding import Bid
from spadille.games.model.contract_types_and_options import ContractType, Option, Outcome, option
from spadille.games.model.deal_protocols import ContractView
from spadille.games.model.game import Rules

COMPASS = ("N", "E", "S", "W")

# Shared by Solo Whist and its relatives.
SOLO_BIDS = (
    Bid("prop", "prop-cop"),
    Bid("cop", "prop-cop", over="prop", joins=True),
    Bid("solo", "solo"),
    Bid("misere", "misere"),
    Bid("abundance", "abundance"),
    Bid("abundance-trumps", "abundance-trumps"),
    Bid("misere-ouverte", "misere-ouverte"),
    Bid("abundance-declared", "abundance-declared"),
)


def paid_by_opponents(rules: Rules, contract: ContractView, chips: int) -> dict[str, int]:
    """Return the payoffs if each opponent pays these chips, and the declaring side shares them."""
    side = contract.side
    share = (len(rules.seats) - len(side)) // len(side)
    return {seat: chips * share if seat in side else -chips for seat in rules.seats}


def alone(
    contract_id: str, name: str, trump: str, target: int, value: int, payoff: str
) -> ContractType:
    """Return a contract for one player against all; a target of 0 is a Misère."""
    return ContractType(
        contract_id,
        name,
        "alone",
        trump,
        target=target,
        aim="misere" if target == 0 else "tricks",
        values=(value,),
        payoff_text=payoff.format(value),
    )


def chips(name: str, default: int, text: str) -> Option:
    """Return an option whose value is a whole number, such as chips or hands."""
    return Option(name, (), str(default), text)


def options(*listed: Option) -> dict[str, Option]:
    """Index options by name."""
    return {option.name: option for option in listed}


def rotation(default: str) -> Option:
    """Return the option for the direction of play."""
    other = "ccw" if default == "cw" else "cw"
    text = "direction of play, clockwise or counterclockwise"
    return option("rotation", default, other, text=text)


def each_suit(ranks: str) -> dict[str, str]:
    """Return the same ranks, high to low, for all four suits."""
    return dict.fromkeys("SHDC", ranks)


def ordinary_trumps(ranks: str, first: str = "") -> dict[str, str]:
    """Return trump rankings: first the permanent trumps, then the ranks of the trump suit."""
    return each_suit(" ".join([*first.split(), *("*" + rank for rank in ranks)]))


def settled_first_run(outcome: Outcome, tricks: int) -> str | None:
    """Return "won" or "lost" if the number of tricks decides the first run, otherwise None."""
    if tricks == 0:
        return "lost"
    return "won" if tricks == sum(outcome.tricks.values()) else outcome.first_run
