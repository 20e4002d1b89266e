"""The plan for each game: contracts, sample sizes, and the holdings to distinguish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from spadille.base.card_text import NO_TRUMP
from spadille.core.strength.holdings import HandLanes
from spadille.games.model.game import Rules

VERSION = "18"
SEED = 2026


@dataclass(frozen=True, slots=True)
class GamePlan:
    """The contracts of a game, and the number of hands used to fit each."""

    hands: Mapping[str, int]  # contract -> hands for each kind of trump
    tested: int  # hands not used for fitting, for each kind of trump
    same: Mapping[str, str]  # contract -> contract with the same values in the same trump
    options: tuple[str, ...]  # options that do not affect the values
    times: Mapping[str, int] = field(default_factory=dict)  # the factor of its payoffs
    wide: tuple[str, ...] = ()  # contracts with a wide layer, or just with one trump ("solo NT")
    taught: tuple[str, ...] = ()  # those whose networks learn from larger ones
    unsolved: Mapping[str, int] = field(default_factory=dict)  # if taught, for each solved hand
    more: Mapping[str, int] = field(default_factory=dict)  # hands for one kind of trump ("solo NT")
    low: Mapping[str, int] = field(default_factory=dict)  # low cards, for one kind of trump
    close: Mapping[str, int] = field(default_factory=dict)  # further hands, with doubtful results
    whole: tuple[str, ...] = ()  # those whose larger networks distinguish all cards
    apart: tuple[str, ...] = ()  # those fitted without the contract's other kinds of trumps

    def unsolved_for(self, contract: str, trump: str, solved: int) -> int:
        """Return the number of unsolved hands if larger networks teach.

        It depends on the number of `solved` hands, without the close ones among them.
        """
        hands = self.hands_for(contract, trump)
        drawn = solved * hands // (hands + self.close_for(contract, trump))
        return self.unsolved.get(contract, 2) * drawn

    def close_for(self, contract: str, trump: str) -> int:
        """Return the number of further close hands used to fit a contract (`Sampler.close`)."""
        return self.close.get(f"{contract} {trump}", 0)

    def hands_for(self, contract: str, trump: str) -> int:
        """Return the number of hands used to fit a contract, without further close ones."""
        return self.more.get(f"{contract} {trump}", self.hands[contract])


PLANS = {
    "german-solo": GamePlan(
        {"frog": 1_000_000, "solo": 3_000_000, "tout": 2_000_000},
        200_000,
        {},
        ("bidding_order", "hands", "rotation"),
    ),
    "mensch": GamePlan(
        {
            "half": 600_000,
            "five": 1_500_000,
            "six": 1_500_000,
            "seven": 1_500_000,
            "solo": 1_000_000,
        },
        200_000,
        {"after": "half", "five-after": "five", "six-after": "six", "seven-after": "seven"},
        ("rotation",),
        wide=("five", "six", "seven"),
        taught=("five",),
    ),
    "ombre": GamePlan(
        {"entrada": 700_000, "solo": 1_500_000},
        200_000,
        {},
        ("rotation",),
        wide=("solo",),
    ),
    "solo-whist": GamePlan(
        {"solo": 720_000, "misere": 800_000, "abundance": 600_000},
        140_000,
        {"abundance-trumps": "abundance", "misere-ouverte": "misere"},
        ("rotation",),
        {"misere-ouverte": 2},
        wide=("solo",),
        taught=("solo",),
        low={"solo S": 6},
    ),
    "anna-cubed": GamePlan(
        {"solo": 900_000, "misere": 800_000, "abundance": 480_000},
        60_000,
        {"abundance-trumps": "abundance", "misere-ouverte": "misere"},
        ("rotation",),
        {"misere-ouverte": 2},
        wide=("solo",),
        taught=("solo",),
        low={"solo H": 6, "solo NT": 6},
        apart=("solo NT",),
    ),
    "quintille": GamePlan(
        {"alliance": 500_000, "solo": 1_000_000, "vole": 600_000},
        140_000,
        {},
        ("hands", "rotation"),
        wide=("alliance", "solo"),
        taught=("alliance", "solo"),
    ),
    "quadrille": GamePlan(
        {"alliance": 500_000, "solo": 2_000_000, "vole": 1_000_000},
        140_000,
        {},
        ("hands", "rotation"),
        wide=("alliance", "solo", "vole"),
        taught=("alliance", "solo", "vole"),
        unsolved={"solo": 1},
        more={"solo H": 3_800_000},
        close={"solo H": 2_000_000},
        whole=("solo H",),
    ),
}


def kinds_of_trumps(rules: Rules, contract_id: str) -> list[tuple[str, ...]]:
    """Group the trumps of a contract; within a group, suits have the same ranks."""
    rule = rules.contract(contract_id).trump
    trumps = {
        "none": (NO_TRUMP,),
        "current": rules.game.current_trumps,
    }.get(rule, (rule,) if rule in tuple("SHDC") else tuple("SHDC"))
    if rule == "any-or-none":
        trumps = (*trumps, NO_TRUMP)
    groups: dict[object, list[str]] = {}
    for trump in trumps:
        lanes = HandLanes(rules, trump)
        own = len(lanes.trump.cards) if lanes.trump else 0
        key = own, tuple(sorted(suit.ranks for suit in lanes.plain))
        groups.setdefault(key, []).append(trump)
    return [tuple(group) for group in groups.values()]


def low_cards(rules: Rules, contract_id: str, trump: str, *, pilot: bool = False) -> dict[str, int]:
    """Return the number of low cards of each suit, by its ranks or "trump".

    A `pilot` model distinguishes fewer cards, because it is fitted to few hands.
    """
    lanes = HandLanes(rules, trump)
    if rules.contract(contract_id).aim == "misere":
        return {}
    found = {}
    if lanes.trump is not None and len(lanes.trump.cards) > 10:
        found["trump"] = len(lanes.trump.cards) - 7
    for suit in lanes.plain:
        if len(suit.cards) > 8:
            found[suit.ranks] = len(suit.cards) - 5
    number = PLANS[rules.game.id].low.get(f"{contract_id} {trump}")
    return found if pilot or number is None else dict.fromkeys(found, number)
