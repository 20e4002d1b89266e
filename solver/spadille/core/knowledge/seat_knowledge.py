"""Determine what a seat knows at some point in a deal, and which layouts are possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isinf
from typing import Literal

from spadille.base.argument_checks import check_list, check_type
from spadille.base.cached import cached_property
from spadille.base.card_text import sort_cards
from spadille.base.errors import ArgumentError, DealError, quoted
from spadille.base.words_for_messages import many, seat_label, seat_name
from spadille.core.arguments import contract_and_play
from spadille.core.contract import Contract, first_leader
from spadille.core.deal import Deal
from spadille.core.knowledge.bid_inferences import auction_facts, contract_facts
from spadille.core.knowledge.calls_heard import (
    NOTHING_HEARD,
    CallsHeard,
    HeardBidder,
    calls_heard,
)
from spadille.core.knowledge.card_facts import Condition, Fact, Hidden, impossible
from spadille.core.knowledge.conditioned_layouts import (
    FEW,
    FittingLayouts,
    LayoutCondition,
    Sieve,
    name_of,
)
from spadille.core.knowledge.discard_inferences import ExchangeLikelihood
from spadille.core.knowledge.layouts import Layout, Layouts
from spadille.core.knowledge.play_inferences import SeenPlay
from spadille.core.knowledge.starting_knowledge import Discards, Start
from spadille.core.position import Position
from spadille.core.recorded_auction import Auction, read_auction
from spadille.games.model.game import Rules

BeliefKind = Literal["auction", "duties", "none"]
DEFAULT_SPREAD = 0.6
_PLACES = 4  # with more places, counting trumps separately takes too long


@dataclass(frozen=True, eq=False, repr=False)
class Knowledge:
    """The knowledge of one seat; created by `know`.

    The places of unseen cards are the seats with hidden hands, `PILE` for cards that nobody plays,
    and `AWAY` for other players' discards if they are kept apart. `deal` and `contract` are the
    arguments of `know`. Anything they contain that the seat cannot know is ignored.
    """

    deal: Deal
    contract: Contract
    seat: str
    own: tuple[str, ...]
    """The cards left in the seat's hand."""
    unseen: Mapping[str, tuple[str, ...]]
    """The possible places of each card that the seat does not see."""
    sizes: Mapping[str, int]
    """The number of unseen cards in each place."""
    open_hands: Mapping[str, tuple[str, ...]]
    """The remaining cards of each hand that lies on the table."""
    sentences: tuple[str, ...]
    """Other facts, in words, each with its source."""
    partner: str | None
    """The declarer's partner; None if there is no partner or the seat does not know it."""
    partner_open: bool
    """Whether the declarer has a partner (the holder of the called card) whom the seat cannot
    identify."""
    played: tuple[tuple[str, str], ...]
    """The cards played, as (seat, card) pairs in order of play."""
    trick: tuple[tuple[str, str], ...]
    """The cards of the current trick."""
    leader: str
    """The seat that led to the current trick, or leads to the next."""
    to_play: str
    won: Mapping[str, int]
    """The tricks won by each seat."""
    dealt: bool
    """Whether the hands are the dealt hands, before any exchange."""
    where: tuple[LayoutCondition, ...]
    """Conditions on layouts that must be tested one by one (see `fitting`)."""
    belief: BeliefKind
    """The assumption about the calls (see `Assumptions.belief`)."""
    heard: tuple[HeardBidder, ...]
    """The choices of bidders with hidden hands, if the calls are to be believed."""
    unheard: str | None
    """The reason why some of these choices are ignored."""
    exchanges: ExchangeLikelihood | None
    """The likelihood of the exchanges, if the layouts are weighted by it."""
    sieve: Sieve | None
    """The likelihood of the choices in each layout (see `fitting`)."""
    _hidden: Hidden
    _free: int
    """The number of conditions in `_hidden` that do not come from `Assumptions.where`."""

    def __repr__(self) -> str:
        after = many(len(self.played), "card")
        return f"<Knowledge of {self.seat}: {self.contract}, {after} played>"

    def __str__(self) -> str:
        return "\n".join(self.sentences) or "nothing is known except the hand"

    def check_to_play(self) -> None:
        """Raise ArgumentError unless the seat is to play."""
        if self.seat != self.to_play:
            turn, seat = seat_label(self.to_play), seat_label(self.seat)
            raise ArgumentError(f"it is {turn}'s turn, not {seat}'s")

    @property
    def trump(self) -> str | None:
        """The trump of the contract; None if it is still open."""
        return self.contract.trump

    @property
    def called(self) -> str | None:
        """The called card; None if it has been played or cannot be in a hand."""
        called = self.contract.called
        out = called in self.unseen or called in self.own
        return called if out or any(called in hand for hand in self.open_hands.values()) else None

    @property
    def places(self) -> tuple[str, ...]:
        """The places, in the order of the bins of `layouts`."""
        return tuple(self.sizes)

    @cached_property
    def layouts(self) -> Layouts:
        """All possible layouts of the unseen cards; the bins are `places`, and trumps come first.

        Exception: if voids already distinguish the cards of several places, trumps do not come
        first, because that would create far more splits.
        """
        return self._hidden.layouts(self._groups)

    @property
    def _groups(self) -> dict[str, int]:
        trumps = {*self.deal.rules.trump_cards(self.trump)}
        groups = {card: int(card not in trumps) for card in self.unseen}
        if len(self.places) > _PLACES and len({*self.unseen.values()}) > 1:
            groups = {}
        return groups

    @cached_property
    def _counted_share(self) -> float:
        """The share of layouts that meet the countable conditions in `where`."""
        if self._free == len(self._hidden.conditions):
            return 1.0
        return self.layouts.count / self._hidden.number(self._groups, self._free)

    @cached_property
    def fitting(self) -> Layouts | FittingLayouts:
        """The layouts that also meet `where`, weighted by the `sieve`."""
        layouts = self.layouts
        weighted = layouts.distinct <= FEW < layouts.count
        if not self.where and self.sieve is None and not weighted:
            return layouts
        return FittingLayouts(layouts, self.where, self, self.sieve)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions on single hands that every layout meets."""
        return tuple(self._hidden.conditions)

    @property
    def only_drawn(self) -> bool:
        """Whether even a few layouts must be sampled, because their weights are unknown."""
        return self.sieve is not None and not self.sieve.weighs

    @property
    def acceptance(self) -> float:
        """The share of layouts that meet all conditions and pass the `sieve`."""
        share = self.fitting.acceptance if isinstance(self.fitting, FittingLayouts) else 1.0
        return self._counted_share * share

    def hands(self, layout: Layout) -> dict[str, tuple[str, ...]]:
        """Return the cards left in each hand in a layout."""
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
        """Return a layout as a deal at the start of play, which can be played again.

        The hands of this deal are the hands after the exchange. The talon contains the cards that
        are in no hand, in arbitrary order; in an end position, it is empty. If a turned-up card
        makes trumps and nobody has drawn it, it comes first.
        """
        hands = {
            seat: sort_cards((*hand, *(card for who, card in self.played if who == seat)))
            for seat, hand in self.hands(layout).items()
        }
        rest = () if self.deal.is_ending else self._rest(hands)
        turned = self._turned_up in rest
        if turned:
            rest = tuple(sorted(rest, key=lambda card: card != self._turned_up))
        return replace(
            self.deal, hands=hands, talon=rest, talon_ordered=turned, drawn={}, discard={}
        )

    @property
    def _turned_up(self) -> str | None:
        """The top card of the talon, which everybody has seen, if it makes trumps."""
        deal, kind = self.deal, self.deal.rules.contract(self.contract.ids[0])
        return deal.talon[0] if kind.trump == "talon" and deal.talon_ordered else None

    def _rest(self, hands: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
        seen = {card for hand in hands.values() for card in hand}
        return tuple(card for card in self.deal.rules.deck if card not in seen)

    def contract_of(self, layout: Layout) -> Contract:
        """Return the contract in a layout; the layout determines the partner."""
        if not self.partner_open:
            return replace(self.contract, partner=self.partner)
        hands = self.hands(layout)
        holder = next((s for s, hand in hands.items() if self.contract.called in hand), None)
        return replace(self.contract, partner=holder)

    def position(self, layout: Layout) -> Position:
        """Return the position in a layout, after all cards played so far."""
        position = Position.of(self.deal_of(layout), self.contract_of(layout))
        for _, card in self.played:
            position.play(card)
        return position


def _conditions(where: LayoutCondition | Iterable[LayoutCondition]) -> tuple[LayoutCondition, ...]:
    """Return the conditions as a tuple; raise ArgumentError unless they are functions."""
    if callable(where):
        return (where,)
    expected = "where must be functions of a Deal, as made by condition()"
    check_list(where, expected)
    tests = tuple(where)
    if not all(map(callable, tests)):
        raise ArgumentError(f"{expected}, not {quoted(tests)}")
    return tests


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Assumptions about other players and the layouts; raises ArgumentError if one is invalid."""

    belief: BeliefKind = "none"
    """The assumption about the calls: that players prefer calls that pay well on their own hands
    ("auction"), that they met their duties to bid ("duties"), or none ("none")."""
    spread: float = DEFAULT_SPREAD
    """The typical difference in payoff between a player's choice and the best one, in units of the
    smallest stake."""
    discards: Discards | None = None
    """The assumption about other players' discards: with few exceptions, all cards but trumps and
    the highest plain cards ("keep-best"), any cards ("uniform"), or no trumps ("keep-trumps"). By
    default, "keep-best" if `belief` is "auction", and "uniform" otherwise."""
    where: LayoutCondition | Iterable[LayoutCondition] = ()
    """One or more functions of a Deal that select layouts."""

    def __post_init__(self) -> None:
        for name, values in (
            ("belief", ("auction", "duties", "none")),
            ("discards", ("keep-best", "uniform", "keep-trumps")),
        ):
            value = getattr(self, name)
            if name == "discards" and value is None:
                continue
            if not isinstance(value, str) or value not in values:
                raise ArgumentError(
                    f"{name} must be one of {' '.join(values)}, not {quoted(value)}"
                )
        if not isinstance(self.spread, int | float) or not self.spread > 0 or isinf(self.spread):
            raise ArgumentError(
                f"a spread must be more than 0, as in 0.1, not {quoted(self.spread)}"
            )
        object.__setattr__(self, "where", _conditions(self.where))

    @property
    def assumed_discards(self) -> Discards:
        """The assumption about other players' discards, with the default resolved."""
        return self.discards or ("keep-best" if self.belief == "auction" else "uniform")

    @property
    def conditions(self) -> tuple[LayoutCondition, ...]:
        """The functions in `where`, as a tuple."""
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
    """Determine what a seat knows after these cards have been played.

    `seat` defaults to the player to move. The deal must contain that seat's hand and every hand on
    the table: `dummy`'s hand and, in a Misère Ouverte, the declarer's. `auction` lists the calls;
    calls of unknown meaning are ignored. If `play` is None, nobody has exchanged cards yet; the
    seat may have drawn but not discarded. `partner_shown` means that everybody knows the contract's
    partner. In Forced Spadille, for example, the partner may have named trumps. Drawn layouts
    (`Knowledge.fitting`) meet the conditions in `assumptions`.

    Raises DealError for an unknown hand or an impossible record ("record-impossible", with the
    contradiction), IllegalCardError for a card that cannot legally be played, ContractError for an
    invalid contract, RulesError for an unknown seat, and ArgumentError for other invalid arguments.
    """
    contract, cards = contract_and_play(
        deal, contract, () if play is None else play, open_partner=True
    )
    what = "assumptions must be Assumptions, as in Assumptions(belief='duties')"
    check_type(assumptions, Assumptions, what)
    heard = read_auction(auction)
    deal.rules.check_seats(*(who for who in (seat, dummy, heard.first) if who is not None))
    if partner_shown and contract.partner is None:
        raise ArgumentError("partner_shown needs a contract with a known partner")
    seat = seat or next_player(deal, contract, cards)
    discards = assumptions.assumed_discards

    def known(belief: BeliefKind) -> Knowledge:
        return _know(
            Start(deal, contract, seat, play is None, discards),
            cards,
            heard,
            replace(assumptions, belief=belief),
            dummy=dummy,
            partner_shown=partner_shown,
        )

    if assumptions.belief != "auction" or deal.rules.bidding.duty is None:
        return known(assumptions.belief)
    try:
        knowledge = known("auction")
        if knowledge.layouts:
            return knowledge
    except DealError:
        pass
    # The cards played are facts, so the calls must have broken a duty.
    knowledge = known("none")
    text = "The calls break a duty to bid, so they are ignored"
    return replace(knowledge, sentences=(*knowledge.sentences, text))


def _know(
    start: Start,
    cards: Sequence[str],
    heard: Auction,
    assumptions: Assumptions,
    *,
    dummy: str | None,
    partner_shown: bool,
) -> Knowledge:
    """Combine the knowledge at the start with inferences from the contract, calls and play."""
    if dummy is not None and start.hands[dummy] is None:
        raise DealError(f"the hand of {dummy} is on the table, but it is unknown", "hand-unknown")
    contract_facts(start, partner_shown)
    auction_facts(start, heard.calls, heard.first, assumptions.belief != "none")
    following = SeenPlay(start, dummy)
    following.play(cards)
    choices = NOTHING_HEARD
    if assumptions.belief == "auction":
        choices = calls_heard(start, heard.calls, heard.first)
    return _knowledge(start, following, assumptions, choices)


def follower(deal: Deal, contract: Contract) -> SeenPlay:
    """Return an object that follows the play as a reader of the record sees it.

    Raises the same errors as `know`.
    """
    start = Start(deal, contract, None, dealt=False, discards="uniform")
    contract_facts(start)
    following = SeenPlay(start)
    following.lay_open()
    return following


def next_player(deal: Deal, contract: Contract, cards: Sequence[str]) -> str:
    """Return whose turn it is after these cards."""
    rules = deal.rules
    seats = rules.in_turn(first_leader(deal, contract))
    for number in range(0, len(cards) - len(seats) + 1, len(seats)):
        trick = cards[number : number + len(seats)]
        seats = rules.in_turn(seats[winning_card(rules, contract.trump, trick)])
    return seats[len(cards) % len(seats)]


def winning_card(rules: Rules, trump: str | None, trick: Sequence[str]) -> int:
    """Return the index of the card that wins a trick; the card led has index 0.

    Cards outside the pack never win.
    """
    led = rules.suit_of(trump).get(trick[0], trick[0][:1])
    order = (*rules.trump_cards(trump), *rules.suits(trump).get(led, ()))
    cards = ((order.index(card), place) for place, card in enumerate(trick) if card in order)
    return min(cards, default=(0, 0))[1]


def _knowledge(
    start: Start,
    following: SeenPlay,
    assumptions: Assumptions,
    choices: CallsHeard,
) -> Knowledge:
    hidden, position, contract = start.hidden, following.position, start.contract
    assert start.seat is not None
    _tell_assumed_trump(start)
    hands = {seat: sort_cards(position.hands[seat]) for seat in start.rules.seats}
    called = contract.called
    partner = contract.partner
    if called is not None:
        partner = _holder_of(called, start, hands, partner)
    own = sort_cards((*hands[start.seat], *start.drawn))
    free = len(hidden.conditions)
    where = _tested(assumptions.conditions, hidden, {**hands, start.seat: own})
    return Knowledge(
        deal=start.deal,
        contract=contract,
        seat=start.seat,
        own=own,
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
            *(
                f"Only layouts that meet {name_of(condition)} count"
                for condition in assumptions.conditions
            ),
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
        belief=assumptions.belief,
        heard=tuple(bidder for bidder in choices.bidders if bidder.seat in hidden.sizes),
        unheard=choices.unheard,
        exchanges=start.exchanges,
        sieve=None,
        _hidden=hidden,
        _free=free,
    )


def _tell_assumed_trump(start: Start) -> None:
    """If the declarer has yet to name the trump, say that the recorded trump is assumed."""
    contract, hidden = start.contract, start.hidden
    who = contract.declarer
    begun = any(seat == who for seat, _ in hidden.played)
    if start.kind.trump_late and contract.trump and not begun and start.seat != who:
        text = f"{seat_name(who)} names the trump with the first card"
        hidden.tell(f"{text}; {contract.trump} is assumed")


def _holder_of(
    called: str, start: Start, hands: Mapping[str, Sequence[str]], partner: str | None
) -> str | None:
    """Return who holds or held the called card, as far as the seat knows."""
    hidden = start.hidden
    mine = [*start.own, *(card for who, card in hidden.played if who == start.seat)]
    if called in mine:
        return start.seat
    if called in hidden.holders:
        places = hidden.holders[called]
        return next(iter(places)) if len(places) == 1 else None
    played_by = next((who for who, card in hidden.played if card == called), None)
    if played_by is not None:
        return played_by
    return next((who for who, hand in hands.items() if called in hand), partner)


def _tested(
    conditions: Iterable[LayoutCondition], hidden: Hidden, known: Mapping[str, Sequence[str]]
) -> tuple[LayoutCondition, ...]:
    """Record the conditions that can be counted, and return those that must be tested.

    `known` contains the cards left in each hand. Raises DealError if a known hand does not meet a
    condition.
    """
    left = []
    for condition in conditions:
        for test in getattr(condition, "counted", ()):
            if test.seat in hidden.sizes:
                hidden.conditions.append(
                    Condition(test.seat, test.values, test.weights, Fact(name_of(condition)))
                )
                continue
            played = (card for who, card in hidden.played if who == test.seat)
            if not test.holds((*known[test.seat], *played)):
                raise impossible(
                    f"{name_of(condition)} is false for the hand of {seat_name(test.seat)}, which "
                    "is known"
                )
        if not getattr(condition, "whole", False):
            left.append(condition)
    return tuple(left)
