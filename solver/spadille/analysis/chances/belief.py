"""Weight each layout by how likely the bidders were to call as they did.

A player is assumed to prefer the call that pays best on their own hand according to the strength
tables. The choice is random: a call with the value v has the weight exp(v / s), where s is the
spread times the smallest stake of the game. A pass has the value 0, and a bid that can be raised
has the value of the best contract it can lead to. Trump and called card are chosen in the same way.

Layouts are drawn at random, and each is kept with a probability equal to that of the calls
(rejection sampling). The layouts kept are an exact sample of the posterior, so all intervals stay
valid. If few layouts are possible, all are kept, each weighted by the probability of the calls.
After an exchange, that probability would be a sum over too many possible hands before the exchange.
For such bidders, the hand before the exchange is therefore drawn together with the layout.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from spadille.analysis.chances.sampling_settings import unranker_for, words_of
from spadille.analysis.result_text_forms import Shown
from spadille.base.card_text import NO_TRUMP
from spadille.base.json_fields import rounded
from spadille.base.words_for_messages import listed, seat_name
from spadille.core.knowledge.calls_heard import HeardBidder, Offered
from spadille.core.knowledge.card_facts import AWAY
from spadille.core.knowledge.conditioned_layouts import MANY, few_ranks
from spadille.core.knowledge.random_numbers import Draws
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.core.strength.strength_tables import GameTables, HandTable, tables_for
from spadille.search.encoding import encoding
from spadille.search.engine import CallLikelihood, StrengthTable
from spadille.search.engine_strength_table import engine_table

RAREST = 1e-4
"""If the calls fit less than this share of the layouts, only duties to bid are taken into
account."""
_PILOT = 1_024  # layouts drawn at a time for the averages
_MOST_PILOT = 1 << 15  # draws that show whether the calls are too rare
_WEIGHED = 4_096  # layouts weighted at a time
_ENOUGH = 400  # the number of layouts that is enough for the averages
_SOME = 16  # this many layouts that fit prove that the calls are not too rare
_TOO_FEW = 100  # averages over fewer layouts are not shown
_PILOT_BLOCK = 1 << 41
_SIFT_BLOCK = 1 << 42  # the first block of random numbers for deciding which layouts to keep


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BelievedHand(Shown):
    """Average counts of a bidder's cards in the layouts that fit the calls."""

    seat: str
    text: str
    """The beginning of the sentence, such as "West's Solo is"."""
    counts: Mapping[str, float]
    """The mean number of cards of each kind; empty if too few layouts were drawn or if other
    conditions restrict the layouts."""
    random: Mapping[str, float]
    """The same averages if the calls are ignored."""

    def __str__(self) -> str:
        if not self.counts:
            return f"{self.text} taken into account"
        means = listed([f"{mean:.1f} {name}" for name, mean in self.counts.items()], "and")
        random = listed([f"{mean:.1f}" for mean in self.random.values()], "and")
        if random == listed([f"{mean:.1f}" for mean in self.counts.values()], "and"):
            same = "averages stay" if len(self.counts) > 1 else "average stays"
            return f"{self.text} taken into account, but the {same} the same: {means}"
        return (
            f"{self.text} taken into account: on average, {seat_name(self.seat)} has {means}, "
            f"against {random} if the bids are ignored"
        )


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BidBelief(Shown):
    """The calls that were taken into account, and their effect on the bidders' hands."""

    kind: str
    """The kind of belief: "auction", "duties" or "none"."""
    spread: float | None
    """See `Assumptions.spread`; None unless the belief is `auction`."""
    strength: str | None
    """The version of the strength tables."""
    acceptance: float | None
    """The share of possible layouts that fit the calls."""
    hands: tuple[BelievedHand, ...] = ()
    why: str | None = None
    """The reason why the calls are not believed although `Drawing.belief` is "auction"."""

    @property
    def bids(self) -> tuple[str, ...]:
        """List the bids taken into account, without figures, and the reason why others are not."""
        believed = (f"{hand.text} taken into account" for hand in self.hands)
        return (*believed, *([] if self.why is None else [self.why]))

    @property
    def sentences(self) -> tuple[str, ...]:
        """Describe the belief in words."""
        return (*map(str, self.hands), *([] if self.why is None else [self.why]))

    def __str__(self) -> str:
        return "; ".join((self.kind, *self.sentences))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON fields."""
        return {
            "kind": self.kind,
            "text": list(self.sentences),
            "spread": self.spread,
            "strength": self.strength,
            "acceptance": rounded(self.acceptance),
            "hands": [
                {
                    "seat": hand.seat,
                    "counts": {name: round(mean, 3) for name, mean in hand.counts.items()},
                    "random": {name: round(mean, 3) for name, mean in hand.random.items()},
                }
                for hand in self.hands
            ],
        }


NOTHING_BELIEVED = BidBelief(kind="none", spread=None, strength=None, acceptance=None)


def believing(
    known: Knowledge,
    spread: float,
    over: Callable[[], bool] = lambda: False,
    *,
    averages: bool = True,
) -> tuple[Knowledge, BidBelief]:
    """Return knowledge with layouts weighted by the likelihood of the calls, and the belief.

    Returns `known` itself if the calls are ignored or reveal nothing, or if the calls fit a smaller
    share of the layouts than `RAREST`. `averages` are needed only for display; without them, fewer
    layouts are drawn at first. The function may stop early when time is `over`.
    """
    rules = known.deal.rules
    tables = tables_for(rules)
    if not known.heard or tables is None:
        left = "duties" if known.belief == "auction" else known.belief
        return known, BidBelief(
            kind=left, spread=None, strength=None, acceptance=None, why=known.unheard
        )
    calls = _Calls(known, tables, spread)
    drawn_hands = calls.averages(over, _ENOUGH if averages else _SOME)
    if drawn_hands is None or drawn_hands[1] < RAREST:
        used = (
            "the bids are not taken into account"
            if rules.bidding.duty is None
            else "only duties to bid are taken into account"
        )
        why = f"The calls fit fewer than 1 in {round(1 / RAREST):,} layouts"
        if drawn_hands is None:
            why = "Time ran out before a layout was found that fits the calls"
        return known, BidBelief(
            kind="duties",
            spread=None,
            strength=None,
            acceptance=None if drawn_hands is None else drawn_hands[1],
            why=f"{why}, so {used}",
        )
    hands, acceptance = drawn_hands
    belief = BidBelief(
        kind="auction",
        spread=spread,
        strength=tables.version,
        acceptance=acceptance,
        hands=tuple(hands),
        why=known.unheard,
    )
    return replace(known, sieve=calls), belief


class _Calls:
    """A sieve that keeps each layout with a probability equal to the likelihood of the calls."""

    name = "the calls"

    def __init__(self, known: Knowledge, tables: GameTables, spread: float) -> None:
        self._known = known
        rules = known.deal.rules
        self._bits = {card: 1 << place for place, card in enumerate(rules.deck)}
        self._players = {seat: number for number, seat in enumerate(rules.seats)}
        numbers = {card: place for place, card in enumerate(rules.deck)}
        self._layouts = unranker_for(known, numbers, self._players, from_start=True)
        self._all: dict[int, float] = {}  # the likelihood of each layout, if all were weighted
        named = _Numbers(known, tables, self._mask)
        bidders = [named.bidder(heard, self._players[heard.seat]) for heard in known.heard]
        dealt = known.deal.hands[known.seat] or ()
        pile = self._mask([card for card in known.unseen if card not in dealt])
        self._likelihood = CallLikelihood(
            self._layouts,
            named.strengths,
            named.numberings,
            bidders,
            pile,
            spread * smallest_stake(tables),
        )

    def _mask(self, cards: Sequence[str] | Mapping[str, object]) -> int:
        return sum(self._bits[card] for card in cards)

    @property
    def weighs(self) -> bool:
        """Whether the likelihood of a layout can be computed (not if a bidder exchanged cards)."""
        return not any(bidder.exchanged for bidder in self._known.heard)

    def drawn(self, number: int, seed: int, block: int, first: int) -> list[int]:
        """Draw layouts and return the ranks of those that are kept."""
        return self._likelihood.draw(number, Draws(seed, block + _SIFT_BLOCK).state, first)

    def weights(self, ranks: Sequence[int]) -> list[float]:
        """Return the likelihood of the calls in each of these layouts."""
        if self._all:
            return [self._all[rank] for rank in ranks]
        return self._likelihood.weigh(words_of(ranks))

    def averages(
        self, over: Callable[[], bool], enough: int
    ) -> tuple[list[BelievedHand], float] | None:
        """Return each bidder's average hand, and the share of layouts that fit the calls.

        Drawing stops when `enough` layouts fit. Returns None if `over` says that time is up before
        any layout fits.
        """
        layouts = self._known.layouts
        if self.weighs and layouts.distinct <= MANY:
            every = few_ranks(layouts, MANY)
            ranks, even = [*every], [*every.values()]
            likely: list[float] = []
            while len(likely) < len(ranks):
                if over():
                    return None
                likely += self.weights(ranks[len(likely) : len(likely) + _WEIGHED])
            self._all = dict(zip(ranks, likely, strict=True))
            weights = [weight * share for weight, share in zip(even, likely, strict=True)]
            acceptance = sum(weights) / sum(even)
            return self._hands(ranks, even, ranks, weights) if acceptance else [], acceptance
        fitting: list[int] = []
        number = 0
        while len(fitting) < enough and number < _MOST_PILOT and not over():
            fitting += self.drawn(_PILOT, 0, _PILOT_BLOCK, number)
            number += _PILOT
        if not fitting and number < _MOST_PILOT:
            return None
        some = layouts.sample(_ENOUGH, 0, _PILOT_BLOCK)
        hands = self._hands(some, [1] * len(some), fitting, [1] * len(fitting))
        return hands, len(fitting) / number

    def _hands(
        self,
        random: Sequence[int],
        even: Sequence[int],
        fitting: Sequence[int],
        weights: Sequence[float],
    ) -> list[BelievedHand]:
        """Return each bidder's average hand in the layouts that fit and in random layouts.

        Random layouts have the weights `even`, and those that fit `weights`.
        """
        players = len(self._players)
        after, before = (
            self._layouts.hands(words_of(ranks)).tolist() for ranks in (fitting, random)
        )

        def means(hands: Sequence[int], weights: Sequence[float]) -> dict[str, float]:
            whole = sum(weights)
            return {
                name: sum(
                    weight * (hand & cards).bit_count()
                    for hand, weight in zip(hands, weights, strict=True)
                )
                / whole
                for name, cards in kinds.items()
            }

        numbered = []
        for bidder in self._known.heard:
            player = self._players[bidder.seat]
            # The averages would ignore the conditions in `where`.
            hidden = self._known.where or len(fitting) < min(_TOO_FEW, len(random))
            kinds = {} if hidden else self._kinds(bidder)
            numbered.append(
                BelievedHand(
                    seat=bidder.seat,
                    text=bidder.text,
                    counts=means(after[player::players], weights),
                    random=means(before[player::players], even),
                )
            )
        return numbered

    def _kinds(self, bidder: HeardBidder) -> dict[str, int]:
        """Return the kinds of cards that are counted to describe a hand."""
        known, rules = self._known, self._known.deal.rules
        trump = known.contract.trump
        kinds: dict[str, Sequence[str]] = {}
        declares = not known.dealt and bidder.seat == known.contract.declarer
        if declares and trump is not None and trump != NO_TRUMP:
            kinds["trumps"] = rules.trump_cards(trump)
            if rules.matadors(trump):
                kinds["matadors"] = rules.matadors(trump)
        if len(kinds) < 2:
            kinds["aces"] = [card for card in rules.deck if card[1] == "A"]
        return {name: self._mask(cards) for name, cards in kinds.items()}


def smallest_stake(tables: GameTables) -> float:
    """Return the smallest difference in payoff between just making and just failing a contract."""
    bids = {bid.contract for bid in tables.rules.bidding.bids}
    stakes = [
        stake
        for kind in tables.contracts
        if kind in bids
        for trump in tables.trumps(kind)
        if (table := tables.table(kind, trump)) is not None and (stake := _stake(table)) > 0
    ]
    return min(stakes, default=1.0)


def _stake(table: HandTable) -> float:
    """Return the difference in payoff between just making a contract and just failing it."""
    scores, made = table.scores, table.made
    failed = scores[made - 1]["payoff"] if made else table.least
    return table.unit * (scores[made]["payoff"] - failed)


class _Numbers:
    """Strength tables and choices, encoded for the engine."""

    def __init__(
        self, known: Knowledge, tables: GameTables, mask: Callable[[Sequence[str]], int]
    ) -> None:
        self._known = known
        self._tables = tables
        self._mask = mask
        self._rules = known.deal.rules
        self.strengths: list[StrengthTable] = []
        self.numberings: list[list[int]] = []
        self._numbering_of: dict[str, int] = {}

    def bidder(self, heard: HeardBidder, player: int) -> tuple[object, ...]:
        """Return the choices of a bidder in the format of the engine's `CallLikelihood`."""
        offers: dict[Offered, int] = {}
        choices = []
        for choice in heard.choices:
            options = [
                (option.height, [offers.setdefault(offer, len(offers)) for offer in option.offers])
                for option in choice.options
            ]
            least = [*choice.least, *choice.least[-1:] * (65 - len(choice.least))]
            choices.append((options, choice.chosen, self._mask(choice.duty_cards), least))
        if heard.called is not None:
            offers.setdefault(heard.called[0], len(offers))
        numbered = [self._offer(offer, heard.called) for offer in offers]
        discards = 0
        if heard.exchanged:
            trumps = {*self._rules.trump_cards(self._known.contract.trump)}
            discards = self._mask([card for card in self._rules.deck if card not in trumps])
        counted = AWAY in self._known.sizes
        exchange: tuple[int, Sequence[float], Sequence[float]] = 0, (), ()
        if heard.exchanged and (exchanges := self._known.exchanges):
            kept, away = exchanges.kept[heard.seat], exchanges.away
            exchange = self._mask(exchanges.keepers), kept, away
        position, exchanged = heard.position, heard.exchanged
        return player, position, exchanged, discards, counted, exchange, numbered, choices

    def _offer(self, offer: Offered, called: tuple[Offered, str] | None) -> tuple[object, ...]:
        rules = self._rules
        kind = rules.contracts[offer.contract]
        calls = kind.side == "called"
        code = encoding(rules, offer.trump)
        tiers: list[list[int]] = []
        if calls:
            tiers = [
                [code.numbers[card] for card in tier]
                for tier in rules.call_tiers(offer.trump, kind)
            ]
        named = -1
        if called is not None and called[0] == offer:
            named = code.numbers[called[1]]
        return (
            self._strength(offer),
            self._numbering(offer.trump),
            calls,
            rules.game.call_needs_suit,
            tiers,
            named,
        )

    def _strength(self, offer: Offered) -> int:
        table = self._tables.table(offer.contract, offer.trump)
        assert table is not None
        engine = engine_table(table)
        if engine not in self.strengths:
            self.strengths.append(engine)
        return self.strengths.index(engine)

    def _numbering(self, trump: str) -> int:
        number = self._numbering_of.get(trump)
        if number is None:
            number = self._numbering_of[trump] = len(self.numberings)
            numbers = encoding(self._rules, trump).numbers
            self.numberings.append([numbers[card] for card in self._rules.deck])
        return number
