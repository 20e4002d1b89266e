"""What a seat knows at a point of a deal, and all ways in which the rest may lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from spadille.base.cached import cached_property
from spadille.base.card_text import sort_cards
from spadille.base.errors import ArgumentError, DealError, check_list, check_type, quoted
from spadille.base.input_words import many, seat_name
from spadille.core.arguments import asked
from spadille.core.contract import Contract, first_leader
from spadille.core.deal import Deal
from spadille.core.knowledge.bid_inferences import auction_facts, contract_facts
from spadille.core.knowledge.card_facts import Hidden
from spadille.core.knowledge.conditioned_layouts import Fitting, LayoutCondition, name_of
from spadille.core.knowledge.layouts import Layout, Layouts
from spadille.core.knowledge.play_inferences import SeenPlay
from spadille.core.knowledge.starting_knowledge import Start
from spadille.core.position import Position
from spadille.core.recorded_auction import Auction, read_auction
from spadille.games.model.game import Rules

Discards = Literal["uniform", "keep-trumps"]
_PLACES = 4  # up to so many places, trumps can be counted apart quickly


@dataclass(frozen=True, eq=False, repr=False)
class Knowledge:
    """What one seat knows; made by `know`.

    Places are the seats whose hands are hidden, `PILE` for cards nobody plays, and `AWAY` for other
    players' discards, where they are kept apart. `deal` and `contract` are the given ones; nothing
    that the seat cannot know is used.
    """

    deal: Deal
    contract: Contract
    seat: str
    own: tuple[str, ...]
    """The cards the seat has left."""
    unseen: Mapping[str, tuple[str, ...]]
    """Each card the seat does not see -> the places in which it may lie."""
    sizes: Mapping[str, int]
    """Place -> number of cards it does not see there."""
    open_hands: Mapping[str, tuple[str, ...]]
    """Seat -> the cards it has left, of those whose hands lie on the table."""
    sentences: tuple[str, ...]
    """What is known beyond that, in words, with its source."""
    partner: str | None
    """The declarer's partner; None if there is none or the seat does not know."""
    partner_open: bool
    """Whether there is a partner unknown to the seat: the holder of the called card."""
    played: tuple[tuple[str, str], ...]
    """Seats and cards in order of play."""
    trick: tuple[tuple[str, str], ...]
    """Those of them in the running trick."""
    leader: str
    """The seat that led to it, or leads to the next."""
    to_play: str
    won: Mapping[str, int]
    """Tricks of each seat so far."""
    dealt: bool
    """Whether hands are meant as dealt, before any exchange."""
    where: tuple[LayoutCondition, ...]
    """Conditions on layouts beyond everything that is counted, see `fitting`."""
    _hidden: Hidden

    def __repr__(self) -> str:
        after = many(len(self.played), "card")
        return f"<Knowledge of {self.seat}: {self.contract}, {after} played>"

    def __str__(self) -> str:
        return "\n".join(self.sentences) or "nothing is known beyond the hand"

    @property
    def trump(self) -> str | None:
        """The trump of the contract, None while it is open."""
        return self.contract.trump

    @property
    def called(self) -> str | None:
        """The called card, unless it has been played or is not known to be out."""
        called = self.contract.called
        out = called in self.unseen or called in self.own
        return called if out or any(called in hand for hand in self.open_hands.values()) else None

    @property
    def places(self) -> tuple[str, ...]:
        """The places, in the order of the bins of `layouts`."""
        return tuple(self.sizes)

    @cached_property
    def layouts(self) -> Layouts:
        """All ways in which the unseen cards may lie; bins are `places`, trumps come first.

        Trumps are not put first if voids already separate the cards of several places: that would
        cause many more splits.
        """
        trumps = {*self.deal.rules.trump_cards(self.trump)}
        groups = {card: int(card not in trumps) for card in self.unseen}
        if len(self.places) > _PLACES and len({*self.unseen.values()}) > 1:
            groups = {}
        return self._hidden.layouts(groups)

    @cached_property
    def fitting(self) -> Layouts | Fitting:
        """The layouts that also meet `where`, found by trying; all layouts if it is empty."""
        return Fitting(self.layouts, self.where, self.deal_of) if self.where else self.layouts

    @property
    def acceptance(self) -> float:
        """The share of drawn layouts that meets `where`."""
        return self.fitting.acceptance if isinstance(self.fitting, Fitting) else 1.0

    def hands(self, layout: Layout) -> dict[str, tuple[str, ...]]:
        """Return the cards each seat has left, in one layout."""
        cards_in = dict(zip(self.places, layout, strict=True))
        return {
            seat: sort_cards((*self.own, *cards_in.get(seat, ())))
            if seat == self.seat
            else self.open_hands[seat]
            if seat in self.open_hands
            else sort_cards(cards_in[seat])
            for seat in self.deal.rules.seats
        }

    def deal_of(self, layout: Layout) -> Deal:
        """Return the deal with which play began, in one layout, so that it can be played again.

        Its exchanges are done. If hands are meant as dealt, the cards of the pile are its talon, in
        no order.
        """
        hands = {
            seat: sort_cards((*hand, *(card for who, card in self.played if who == seat)))
            for seat, hand in self.hands(layout).items()
        }
        rest = () if self.deal.is_ending else self._rest(hands)
        return replace(
            self.deal, hands=hands, talon=rest, talon_ordered=False, drawn={}, discard={}
        )

    def _rest(self, hands: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
        seen = {card for hand in hands.values() for card in hand}
        return tuple(card for card in self.deal.rules.deck if card not in seen)

    def contract_of(self, layout: Layout) -> Contract:
        """Return the contract in one layout, with the partner it has there."""
        if not self.partner_open:
            return replace(self.contract, partner=self.partner)
        hands = self.hands(layout)
        holder = next((s for s, hand in hands.items() if self.contract.called in hand), None)
        return replace(self.contract, partner=holder)

    def position(self, layout: Layout) -> Position:
        """Return the position in one layout, with all cards played so far."""
        position = Position.of(self.deal_of(layout), self.contract_of(layout))
        for _, card in self.played:
            position.play(card)
        return position


def _conditions(where: LayoutCondition | Iterable[LayoutCondition]) -> tuple[LayoutCondition, ...]:
    """Return conditions as a tuple; raise ArgumentError for anything else."""
    if callable(where):
        return (where,)
    expected = "where are functions of a Deal, as condition makes them of text"
    check_list(where, expected)
    tests = tuple(where)
    if not all(map(callable, tests)):
        raise ArgumentError(f"{expected}, not {quoted(tests)}")
    return tests


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Assumptions about the other players and the layouts; ArgumentError for other values."""

    trust_auction: Literal["no", "bounds"] = "no"
    """Whether the calls prove what the duties to bid imply."""
    discards: Discards = "uniform"
    """What others discard in an exchange: any cards, or no trumps."""
    where: LayoutCondition | Iterable[LayoutCondition] = ()
    """One or several functions of a Deal that select the layouts."""

    def __post_init__(self) -> None:
        for name, values in (
            ("trust_auction", ("no", "bounds")),
            ("discards", ("uniform", "keep-trumps")),
        ):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in values:
                raise ArgumentError(f"{name} is one of {' '.join(values)}, not {quoted(value)}")
        object.__setattr__(self, "where", _conditions(self.where))

    @property
    def conditions(self) -> tuple[LayoutCondition, ...]:
        """The functions of `where`, as a tuple."""
        return _conditions(self.where)


DEFAULT_ASSUMPTIONS = Assumptions()


def know(
    deal: Deal,
    contract: Contract | str,
    seat: str | None = None,
    play: str | Iterable[str] | None = (),
    *,
    auction: Auction | str | Iterable[str] = (),
    assumptions: Assumptions = DEFAULT_ASSUMPTIONS,
    dummy: str | None = None,
    partner_shown: bool = False,
) -> Knowledge:
    """Work out what a seat knows after these cards have been played.

    `seat` is by default the seat to play. Of the deal, only its hand need be known, and hands that
    lie on the table: that of `dummy`, and of a Misère Ouverte. `auction` has the calls; unknown
    words prove nothing. `play` is None before any exchange; the seat may then hold cards it has
    drawn without having discarded yet. `partner_shown` means that the contract's partner has
    revealed the partnership, for example by naming trumps in Forced Spadille. Every layout that is
    drawn (`Knowledge.fitting`) must meet the conditions of the `assumptions`.

    Raises DealError for an impossible record ("record-impossible"), naming the contradiction, and
    for an unknown hand; IllegalCardError for a card that may not be played; ContractError for an
    invalid contract; ArgumentError for other arguments.
    """
    contract, cards = asked(deal, contract, () if play is None else play, open_partner=True)
    what = "assumptions are Assumptions, as in Assumptions(trust_auction='bounds')"
    check_type(assumptions, Assumptions, what)
    heard = read_auction(auction)
    for who in (seat, dummy, heard.first):
        if who is not None and who not in deal.rules.seats:
            raise ArgumentError(f"{who!r} is no seat: {' '.join(deal.rules.seats)}")
    if partner_shown and contract.partner is None:
        raise ArgumentError("no partner can have shown himself: none is known")
    seat = seat or next_player(deal, contract, cards)
    start = Start(deal, contract, seat, play is None, assumptions.discards == "keep-trumps")
    if dummy is not None and start.hands[dummy] is None:
        raise DealError(f"the hand of {dummy} lies open, and is not known", "hand-unknown")
    contract_facts(start, partner_shown)
    auction_facts(start, heard.calls, heard.first, assumptions.trust_auction == "bounds")
    following = SeenPlay(start, dummy)
    following.play(cards)
    return _knowledge(start, following, assumptions.conditions)


def follower(deal: Deal, contract: Contract) -> SeenPlay:
    """Return the object that follows play for a reader of the record, who sees all known hands.

    Raises the errors of `know`.
    """
    start = Start(deal, contract, None, dealt=False, keep_trumps=False)
    contract_facts(start)
    following = SeenPlay(start)
    following.lay_open()
    return following


def next_player(deal: Deal, contract: Contract, cards: Sequence[str]) -> str:
    """Return whose turn it is after these cards, whoever holds the others."""
    rules = deal.rules
    seats = rules.in_turn(first_leader(deal, contract))
    for number in range(0, len(cards) - len(seats) + 1, len(seats)):
        trick = cards[number : number + len(seats)]
        seats = rules.in_turn(seats[winning_card(rules, contract.trump, trick)])
    return seats[len(cards) % len(seats)]


def winning_card(rules: Rules, trump: str | None, trick: Sequence[str]) -> int:
    """Return the index of the card that wins a trick, 0 for the card led.

    Cards that are not in the pack win nothing.
    """
    led = rules.suit_of(trump).get(trick[0], trick[0][:1])
    order = (*rules.trump_cards(trump), *rules.suits(trump).get(led, ()))
    cards = ((order.index(card), place) for place, card in enumerate(trick) if card in order)
    return min(cards, default=(0, 0))[1]


def _knowledge(start: Start, following: SeenPlay, where: tuple[LayoutCondition, ...]) -> Knowledge:
    hidden, position, contract = start.hidden, following.position, start.contract
    assert start.seat is not None
    called = contract.called
    who = contract.declarer
    begun = any(seat == who for seat, _ in hidden.played)
    if start.kind.trump_late and contract.trump and not begun and start.seat != who:
        text = f"{seat_name(who)} names the trump with the first card"
        hidden.tell(f"{text}; {contract.trump} is taken for it")
    hands = {seat: sort_cards(position.hands[seat]) for seat in start.rules.seats}
    partner = contract.partner
    holder = None
    if called is not None:
        mine = [*start.own, *(card for who, card in hidden.played if who == start.seat)]
        holder = next((who for who, card in hidden.played if card == called), None)
        if called in mine:
            holder = start.seat
        elif called in hidden.holders:
            places = hidden.holders[called]
            holder = next(iter(places)) if len(places) == 1 else None
        elif holder is None:
            holder = next((who for who, hand in hands.items() if called in hand), partner)
        partner = holder
    return Knowledge(
        deal=start.deal,
        contract=contract,
        seat=start.seat,
        own=sort_cards((*hands[start.seat], *start.drawn)),
        unseen={
            card: tuple(place for place in hidden.sizes if place in places)
            for card, places in hidden.holders.items()
        },
        sizes=dict(hidden.sizes),
        open_hands={
            seat: hand
            for seat, hand in hands.items()
            if seat not in hidden.sizes and seat != start.seat
        },
        sentences=(
            *hidden.sentences,
            *(f"Only layouts count that meet {name_of(condition)}" for condition in where),
        ),
        partner=partner,
        partner_open=called is not None and partner is None,
        played=tuple(hidden.played),
        trick=tuple(position.trick),
        leader=position.leader,
        to_play=position.to_play,
        won=dict(position.won),
        dealt=start.dealt,
        where=where,
        _hidden=hidden,
    )
