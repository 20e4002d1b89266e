"""The result of `best`: the contracts each seat could play, best first, and the bids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from spadille.analysis.result_text_forms import Shown, left_out_notes, spaced, verdict
from spadille.base.words_for_messages import signed
from spadille.games.model.game import Rules


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Offer(Shown):
    """A contract that a seat could play, with its best choices."""

    declarer: str
    contract: str
    trump: str | None
    """The trump; None if the declarer names it with the first card."""
    called: str | None = None
    partner: str | None = None
    penalty: str | None = None
    drawn: tuple[str, ...] = ()
    """The cards the declarer takes from the talon or squint."""
    discard: tuple[str, ...] = ()
    """The cards the declarer discards."""
    partner_drawn: tuple[str, ...] = ()
    """The cards the declarer's partner takes, in a Duo."""
    partner_discard: tuple[str, ...] = ()
    from_hand: bool = False
    """Whether the declarer gives up the right to exchange in return for a higher payoff."""
    payoff: int | None = None
    """The declarer's own guaranteed payoff, without the partner's; None if a limit stopped the
    search."""
    bounds: tuple[int, int] | None = None
    """Lower and upper bounds on the payoff; None unless a limit stopped the search."""
    makes: bool | None = None
    outcome: str | None = None
    """The name of the outcome; None if it is undetermined."""
    surrenders: bool = False
    """Whether the payoff comes from surrendering; `outcome` still describes playing on."""
    bid: str | None = None
    """The word that bids the contract, or the seat's bid cards that lead to it. None if nobody has
    to bid the contract, or if the other bid cards are unknown."""
    height: int = -1
    """The rank of the bid in the game, from 0. The rank is -1 if the contract is played only after
    all have passed, or if bids are cards, which have no order."""
    calls: tuple[Offer, ...] = ()
    """The offers with each callable card or partner; only with `calls`."""

    json_optional = ("calls",)

    @property
    def least(self) -> int:
        """The lowest possible value of the guaranteed payoff; 0 if nothing is known."""
        return self.bounds[0] if self.bounds else self.payoff or 0

    @property
    def most(self) -> int:
        """The highest possible value of the guaranteed payoff; 0 if nothing is known."""
        return self.bounds[1] if self.bounds else self.payoff or 0

    def __str__(self) -> str:
        with_ = self.called or self.partner or self.penalty
        contract = spaced(self.declarer, self.contract, self.trump or "open", with_)
        low, high = self.bounds or (self.payoff, self.payoff)
        pays = signed(low) if low == high else f"{signed(low)} to {signed(high)}"
        return f"{contract}: {pays}, {verdict(self.makes, self.outcome)}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Rank(Shown):
    """A level in the game's order of bids."""

    height: int
    bid: str
    """The word used to bid at this level."""
    contract: str
    makes: tuple[str, ...]
    """The seats for which the bid makes, in bidding order."""

    def __str__(self) -> str:
        makers = " ".join(self.makes) or "nobody"
        return f"{self.height} {self.bid}: makes for {makers}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BidCards(Shown):
    """Bid cards of a hand, and the contracts to which they lead, given the others' bid cards."""

    cards: tuple[str, ...]
    contracts: tuple[str, ...]
    """The contracts in the usual notation; several if a player may choose."""
    payoff: int | None = None
    """The seat's guaranteed payoff. None if the seat is not in the contract, if another player
    chooses, or if a limit stopped the search."""

    def __str__(self) -> str:
        pays = "" if self.payoff is None else f": {signed(self.payoff)}"
        return f"{' '.join(self.cards)}: {' or '.join(self.contracts)}{pays}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Best(Shown):
    """The contracts that each seat could play, valued and ranked."""

    seats: Mapping[str, tuple[Offer, ...]]
    """The contracts of each seat, best first; the seats are in bidding order."""
    ranking: tuple[Rank, ...]
    """The game's bids, from low to high; empty if bids are cards, which have no order."""
    highest: Offer | None
    """The offer that would win the auction: the highest bid that makes and that some seat could
    have called, given the others' recorded calls. If several seats could have called it, the first
    one wins."""
    brought: Mapping[str, tuple[Offer, ...]]
    """For each seat, the contracts it could have reached by changing only its own calls. The other
    seats repeat their calls while these are legal, and otherwise pass."""
    bid_cards: Mapping[str, tuple[BidCards, ...]]
    """For each seat, the contracts to which its cards lead as bid cards; empty if bids are words or
    if the others' bid cards are unknown."""
    opponents_exchange: str | None
    """The assumption about the opponents' exchanges: "recorded", or "none" if they discard nothing;
    None if no payoff depends on it."""
    nodes: int
    ms: float
    left_out: Mapping[str, str] = field(default_factory=dict)
    """The contracts that cannot be valued, such as "1 nemo S", each with the reason."""

    json_names = (
        *("seats", "ranking", "highest", "bid_cards", "opponents_exchange", "left_out"),
        *("nodes", "ms"),
    )
    json_optional = ("left_out",)

    def __str__(self) -> str:
        heading = "nobody makes a bid" if self.highest is None else f"wins: {self.highest}"
        offers = [str(offer) for offers in self.seats.values() for offer in offers]
        return "\n".join([heading, *offers, *self.notes()])

    def notes(self) -> list[str]:
        """Return a sentence for each reason why contracts are left out."""
        return left_out_notes(self.left_out)


def rank_offers(offers: Sequence[Offer], calls: bool) -> tuple[Offer, ...]:
    """Keep the best offer of each contract, and sort the offers."""
    kept: dict[str, Offer] = {}
    for offer in offers:
        if offer.contract not in kept or rating(offer) > rating(kept[offer.contract]):
            kept[offer.contract] = offer
    for name, offer in kept.items():
        # The contract may be worth more with another trump for which only bounds are known.
        most = max(other.most for other in offers if other.contract == name)
        if offer.least < most:
            kept[name] = replace(offer, payoff=None, bounds=(offer.least, most))
    if calls:
        for name, offer in kept.items():
            if offer.called or offer.partner:
                alternatives = [
                    alternative
                    for alternative in offers
                    if (alternative.contract, alternative.trump) == (offer.contract, offer.trump)
                ]
                calls_of = sorted(alternatives, key=rating, reverse=True)
                kept[name] = replace(offer, calls=tuple(calls_of))
    return tuple(sorted(kept.values(), key=rating, reverse=True))


def rating(offer: Offer) -> tuple[int, bool, bool, int]:
    """Return the sort key: guaranteed payoff, whether known, whether made, height of the bid."""
    makes = bool(offer.makes)
    height = offer.height if makes else -offer.height
    return offer.least, offer.payoff is not None, makes, height


def highest_bid(offers: Mapping[str, Sequence[Offer]]) -> Offer | None:
    """Return the best offer for the highest bid that makes; the first seat wins ties."""
    made = [offer for own in offers.values() for offer in own if offer.makes and offer.height >= 0]
    first = max(made, key=lambda offer: offer.height, default=None)
    return first and max(
        (
            offer
            for offer in made
            if (offer.declarer, offer.height) == (first.declarer, first.height)
        ),
        key=rating,
    )


def rank_bids(rules: Rules, kinds: set[str], made: Sequence[Offer]) -> tuple[Rank, ...]:
    """List the bids of these contracts from low to high."""
    names = [(bid.word, bid.contract, bid.in_color) for bid in rules.bidding.bids]
    colored = {contract for _, contract, in_color in names if in_color}
    return tuple(
        Rank(
            height=height,
            bid=word,
            contract=name,
            makes=tuple(
                dict.fromkeys(
                    offer.declarer
                    for offer in made
                    if offer.contract == name
                    and (name not in colored or in_color == _in_color(rules, offer.trump))
                )
            ),
        )
        for height, (word, name, in_color) in enumerate(names)
        if name in kinds and (rules.color is not None or not in_color)
    )


def _in_color(rules: Rules, trump: str | None) -> bool:
    return trump == rules.color
