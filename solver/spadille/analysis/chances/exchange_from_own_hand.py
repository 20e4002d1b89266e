"""Choose an exchange for a contract when only one hand is known.

Only some of the many exchanges are tried:

- Players who discard before they draw keep all trumps and discard their lowest cards in the other
  suits.
- Players who draw first then discard by a rule (`RULES`). If the record shows the cards drawn but
  no discards yet, the lowest cards in plain suits are discarded (in a Misère, the highest).
- With "keep-best", the other players exchange in turn: each discards the lowest plain cards, as
  many as the rules and the talon allow, but keeps the highest card of each plain suit. With
  "keep-trumps", they discard these cards, too. With "uniform", they discard random cards, which
  leaves all their hands equally likely.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import perm
from typing import NamedTuple

from spadille.analysis.chances.sampling_settings import unranker, words_of
from spadille.base.cached import cached_property
from spadille.core.contract import Contract
from spadille.core.knowledge.card_facts import PILE
from spadille.core.knowledge.layouts import Layouts
from spadille.core.knowledge.random_numbers import Draws, ranks
from spadille.core.knowledge.seat_knowledge import Knowledge
from spadille.core.knowledge.starting_knowledge import Discards
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.contract_types_and_options import ExchangeRule as Rule
from spadille.search.encoding import Encoding, Situation

RULES = {
    "lowest": "the lowest plain cards",
    "shortest": "the lowest cards of the shortest plain suits",
    "highest": "the highest cards",
    "barest": "the highest cards of the suits with the highest low cards",
}
"""The rules for discarding after drawing; the last two are for a Misère."""


class SeatExchange(NamedTuple):
    """An exchange the seat could make before play."""

    away: tuple[str, ...] = ()
    """The seat's discards. The seat then draws the same number of cards, unless it has already
    drawn."""
    rule: str | None = None
    """The rule for choosing discards after drawing (see `RULES`)."""
    number: int = 0
    """The number of cards the seat draws."""
    from_hand: bool = False
    """Whether the seat gives up its right to exchange in return for a higher payoff."""


def exchanges(known: Knowledge, contract: Contract) -> list[SeatExchange]:
    """List the exchanges that the seat may try in a contract."""
    rules, pile = known.deal.rules, known.sizes.get(PILE, 0)
    kind = rules.contracts[contract.ids[0]]
    exchange = kind.exchange
    trumps = {*rules.trump_cards(contract.trump)}
    suits = [
        [card for card in reversed(cards) if card in known.own and card not in trumps]
        for cards in rules.suits(contract.trump).values()
    ]
    if drawn := len(known.own) - rules.game.hand_size:
        return [SeatExchange(away) for away in _parted(kind, suits, known.own, drawn)]
    if exchange.who not in ("side", "all") or not pile:
        return [SeatExchange()]
    if rules.game.draws_first:
        names = [
            name for name in RULES if (name in ("highest", "barest")) == (kind.aim == "misere")
        ]
        by_rule = [SeatExchange((), name, exchange.most) for name in names]
        return [*by_rule, SeatExchange(from_hand=True)] if exchange.from_hand else by_rule
    most = min(exchange.most, pile)
    return [SeatExchange(away, None, len(away)) for away in _first_of(suits) if len(away) <= most]


def _parted(
    kind: ContractType, suits: list[list[str]], hand: Sequence[str], number: int
) -> list[tuple[str, ...]]:
    """List the discards to try after drawing `number` cards, with trumps only if unavoidable."""
    if kind.aim == "misere":
        suits = [suit[::-1] for suit in suits]
    plain = [card for suit in suits for card in suit]
    if len(plain) < number:
        trumps = [card for card in hand if card not in plain]
        return [(*plain, *trumps[len(plain) - number :])]
    return [away for away in _first_of(suits) if len(away) == number]


def _first_of(suits: list[list[str]]) -> Iterator[tuple[str, ...]]:
    """Yield every choice of discards that consists of the first cards of each suit."""
    for numbers in product(*(range(len(suit) + 1) for suit in suits)):
        yield tuple(card for suit, n in zip(suits, numbers, strict=True) for card in suit[:n])


class Tables:
    """All layouts of the hidden hands, each with every order of the talon.

    A layout's rank is the rank of its hands times `orders`, plus the number of its talon order.
    Talon orders that differ only in cards nobody can draw count as one.
    """

    def __init__(self, known: Knowledge, discards: Discards) -> None:
        self._layouts = known.fitting
        self.pile = known.sizes.get(PILE, 0)
        # The layouts are the same for all contracts, whichever of them were requested.
        kinds = known.deal.rules.contracts.values()
        drawn = [0, *(int(kind.trump == "talon") for kind in kinds)]
        drawn += [kind.exchange.most for kind in kinds if kind.exchange.who in ("side", "all")]
        if discards != "uniform" and any(_others_draw(kind.exchange) for kind in kinds):
            drawn.append(self.pile)
        self.drawn = min(max(drawn), self.pile)
        self.orders = perm(self.pile, self.drawn)
        self.count = self._layouts.count * self.orders
        self.distinct = self._layouts.distinct * self.orders

    @property
    def ranks(self) -> Sequence[int]:
        """All ranks."""
        if isinstance(self._layouts, Layouts):
            return range(self.count)
        return [hand * self.orders + n for hand in self._layouts.ranks for n in range(self.orders)]

    def samples(self, number: int, seed: int = 0, block: int = 0) -> Iterator[list[int]]:
        """Draw ranks (see `random_numbers.ranks`) and yield those that fit."""
        if isinstance(self._layouts, Layouts):
            yield ranks(self.count, number, seed, block)
            return
        draws = Draws(seed, ~block)
        for hands in self._layouts.samples(number, seed, block):
            yield [hand * self.orders + draws.below(self.orders) for hand in hands]

    def top(self, rank: int) -> list[int]:
        """Return the top talon cards, each as an index into the cards that are then left."""
        places = []
        _, rank = divmod(rank, self.orders)
        for left in range(self.pile, self.pile - self.drawn, -1):
            rank, place = divmod(rank, left)
            places.append(place)
        return places


class Dealt:
    """The hands of some layouts, before and after exchanges, with cards numbered for one trump."""

    def __init__(self, table: Numbering, tables: Tables, ranks: Sequence[int]) -> None:
        self._table = table
        self._tables = tables
        self._ranks = ranks
        self.hands = table.unranker.hands(words_of(rank // tables.orders for rank in ranks))
        self._others: dict[int, array[int]] = {}

    @cached_property
    def talons(self) -> list[list[int]]:
        """For each layout, the talon cards that may be drawn, as bits; the top card comes first."""
        players = self._table.players
        talons = []
        for number, rank in enumerate(self._ranks):
            in_hands = sum(self.hands[number * players : (number + 1) * players])
            left = [bit for bit in self._table.unseen if not bit & in_hands]
            talons.append([left.pop(place) for place in self._tables.top(rank)])
        return talons

    def after(self, exchange: SeatExchange, others: Others | None) -> array[int] | memoryview:
        """Return the hands after the seat's exchange and, if `others` are given, after theirs."""
        if exchange == SeatExchange(from_hand=exchange.from_hand) and others is None:
            return self.hands
        table, number = self._table, exchange.number
        hands = array("Q", self.hands if others is None else self._exchanged(number, others))
        bits = table.code.bits
        if exchange.rule is not None:
            put = _BY_RULE[exchange.rule]
            exchanged = [
                put(table, hand | sum(talon[:number]), number)
                for hand, talon in zip(hands[table.own :: table.players], self.talons, strict=True)
            ]
        else:
            kept = hands[table.own] & ~sum(bits[card] for card in exchange.away)
            exchanged = [kept | sum(talon[:number]) for talon in self.talons]
        hands[table.own :: table.players] = array("Q", exchanged)
        return hands

    def _exchanged(self, number: int, others: Others) -> array[int]:
        """Return the hands after the others' exchanges; `number` cards have been drawn before."""
        hands = self._others.get(number)
        if hands is None:
            table = self._table
            hands = self._others[number] = array("Q", self.hands)
            for start, talon in zip(range(0, len(hands), table.players), self.talons, strict=True):
                left = talon[number:]
                for player in others.players:
                    hand = hands[start + player]
                    kept = table.keepers if others.keep_best else table.trumps
                    plain = _lowest(hand & ~kept)
                    count = min(len(plain), len(left), others.most)
                    hands[start + player] = hand & ~sum(plain[:count]) | sum(left[:count])
                    del left[:count]
        return hands


class Batch:
    """A batch of layouts; the cards can be numbered for any trump."""

    def __init__(
        self, by_trump: Mapping[str | None, Numbering], tables: Tables, ranks: Sequence[int]
    ) -> None:
        self._by_trump = by_trump
        self._tables = tables
        self.ranks = ranks
        self._dealt: dict[str | None, Dealt] = {}
        self._turned: dict[str | None, list[int]] | None = None

    def dealt(self, trump: str | None) -> Dealt:
        """Return the hands, with the cards numbered for a trump."""
        dealt = self._dealt.get(trump)
        if dealt is None:
            dealt = self._dealt[trump] = Dealt(self._by_trump[trump], self._tables, self.ranks)
        return dealt

    def turned(self, trump: str | None) -> list[int]:
        """Return the numbers of the layouts with a card of this suit on top of the talon."""
        if self._turned is None:
            self._turned = {}
            names = self._by_trump[trump].code.names
            for number, talon in enumerate(self.dealt(trump).talons):
                suit = names[talon[0].bit_length() - 1][0]
                self._turned.setdefault(suit, []).append(number)
        return self._turned.get(trump, [])

    def part(self, numbers: Sequence[int]) -> Batch:
        """Return a slice of these layouts."""
        return Batch(self._by_trump, self._tables, [self.ranks[number] for number in numbers])


class Others(NamedTuple):
    """The players who exchange after the seat, in order, and how many cards each may exchange.

    They keep trumps and, with `keep_best`, the highest cards of the plain suits.
    """

    players: tuple[int, ...]
    most: int
    keep_best: bool


class Numbering:
    """Numbers the cards and players for one trump."""

    def __init__(self, known: Knowledge, at: Situation) -> None:
        self.code: Encoding = at.encoding
        self.unranker = unranker(known, at)
        bits, trump = self.code.bits, self.code.trump
        self.players = at.problem.players
        self.own = self.code.player[known.seat]
        self.unseen = [bits[card] for card in known.unseen]
        self.trumps = 0xFFFF << 16 * trump if trump >= 0 else 0
        self.keepers = sum(bits[card] for card in known.deal.rules.keepers(self.code.suit(trump)))


def others_of(
    known: Knowledge, contract: Contract, code: Encoding, discards: Discards
) -> Others | None:
    """Return the players who exchange after the seat, if there are any."""
    rules = known.deal.rules
    exchange = rules.contracts[contract.ids[0]].exchange
    if discards == "uniform" or not _others_draw(exchange) or PILE not in known.sizes:
        return None
    seats = rules.in_turn(known.seat)[1:]
    return Others(
        tuple(code.player[seat] for seat in seats), exchange.most, discards == "keep-best"
    )


def _others_draw(exchange: Rule) -> bool:
    return exchange.who in ("opponents", "all") and exchange.takes == "top"


def before_draw(known: Knowledge, contract: Contract, exchange: SeatExchange) -> Knowledge:
    """Return the knowledge of the seat after it has discarded and before it draws.

    The cards the seat will draw already count as its own, but are still unknown.
    """
    deal = replace(known.deal, from_hand=(known.seat,)) if exchange.from_hand else known.deal
    kept = tuple(card for card in known.own if card not in exchange.away)
    known = replace(known, deal=deal, contract=contract, own=kept)
    if not exchange.number:
        return known
    certain = kept[: len(kept) - exchange.number] if exchange.rule else kept
    sizes: Mapping[str, int] = {
        **known.sizes,
        PILE: known.sizes[PILE] - exchange.number,
        known.seat: exchange.number,
    }
    unseen = {
        card: (*places, known.seat) if PILE in places else places
        for card, places in known.unseen.items()
    }
    return replace(known, own=certain, sizes=sizes, unseen=unseen)


def _cards(hand: int) -> Iterator[int]:
    """Return the numbers of the cards in a hand, in ascending order."""
    while hand:
        yield (hand & -hand).bit_length() - 1
        hand &= hand - 1


def _lowest(hand: int) -> list[int]:
    """List the cards of a hand as bits, from low to high, ignoring suits."""
    return [1 << card for card in sorted(_cards(hand), key=lambda card: (card & 15, card))]


def _suits(hand: int) -> list[int]:
    return [hand & 0xFFFF << 16 * lane for lane in range(4)]


def _put_lowest(table: Numbering, hand: int, number: int) -> int:
    plain, trumps = _lowest(hand & ~table.trumps), _lowest(hand & table.trumps)
    return hand & ~sum([*plain, *trumps][:number])


def _put_shortest(table: Numbering, hand: int, number: int) -> int:
    plain = sorted(filter(None, _suits(hand & ~table.trumps)), key=int.bit_count)
    cards = [bit for suit in plain for bit in _lowest(suit)]
    return hand & ~sum([*cards, *_lowest(hand & table.trumps)][:number])


def _put_highest(table: Numbering, hand: int, number: int) -> int:
    return hand & ~sum(_lowest(hand)[-number:])


def _put_barest(table: Numbering, hand: int, number: int) -> int:
    suits = sorted(filter(None, _suits(hand)), key=lambda suit: -(next(_cards(suit)) & 15))
    cards = [bit for suit in suits for bit in reversed(_lowest(suit))]
    return hand & ~sum(cards[:number])


_BY_RULE = {
    "lowest": _put_lowest,
    "shortest": _put_shortest,
    "highest": _put_highest,
    "barest": _put_barest,
}
