"""Translate a deal and a contract into the engine's terms, and back.

Players are numbered in order of play, beginning with the game's first seat. Trumps have lane 3, the
other suits lanes 0 to 2 in the order S H D C. At no trump, and while the trump is open, all four
suits have that order; card numbers do not change when the trump is named (`EngineProblem.named`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from spadille.base.card_text import NO_TRUMP, check_held_once
from spadille.base.errors import DealError
from spadille.base.words_for_messages import seat_label
from spadille.core.contract import Contract, check_players, first_leader
from spadille.core.deal import Deal
from spadille.core.dealt_cards import check_hands
from spadille.core.position import Position, trumps_to_name
from spadille.games.model.following_suit import MatadorRule
from spadille.games.model.game import Rules
from spadille.search.engine_problem import EngineProblem

_TRUMP_LANE = 3


class Encoding:
    """The card and player numbers of a game in one trump; created by `encoding`."""

    def __init__(self, rules: Rules, trump: str | None) -> None:
        self.rules = rules
        self.player = {seat: number for number, seat in enumerate(rules.turn_order)}
        suits = rules.suits(trump)
        plain = [suit for suit in suits if suit != trump]
        self.lanes = {suit: lane for lane, suit in enumerate(plain)}
        self.trump = -1
        if trump is not None and trump != NO_TRUMP:
            self.trump = self.lanes[trump] = _TRUMP_LANE
        # Cards are listed by suit and from high to low, as in `Position.legal`.
        self.numbers: dict[str, int] = {
            card: 16 * self.lanes[suit] + len(cards) - 1 - place
            for suit, cards in suits.items()
            for place, card in enumerate(cards)
        }
        self.bits = {card: 1 << number for card, number in self.numbers.items()}
        self.names = {number: card for card, number in self.numbers.items()}
        # The engine treats the matadors it is given as privileged.
        privileged = rules.following.matador_rule is not MatadorRule.NONE
        self.matadors = sum(self.bits[card] for card in rules.matadors(trump)) if privileged else 0

    def problem_of(
        self, hands: tuple[int, ...], leader: int, trick: tuple[int, ...], called: int
    ) -> EngineProblem:
        """Return the problem; `called` is -1 if the called card has no duty."""
        return EngineProblem(
            players=len(self.player),
            hands=hands,
            trump=self.trump,
            leader=leader,
            trick=trick,
            matadors=self.matadors,
            called=called,
            following=self.rules.following,
        )

    def cards(self, mask: int) -> list[str]:
        """List the cards in a bit set by suit and from high to low."""
        return [card for card, bit in self.bits.items() if mask & bit]

    def suit(self, lane: int) -> str | None:
        """Return the letter of the suit in a lane; None if the lane is -1."""
        return next((suit for suit, number in self.lanes.items() if number == lane), None)

    def players(self, seats: Iterable[str]) -> int:
        """Return the players in these seats as a bit set."""
        player = self.player
        return sum(1 << player[seat] for seat in seats)


@lru_cache(maxsize=256)
def encoding(rules: Rules, trump: str | None) -> Encoding:
    """Return the numbering of cards and players for a trump; None means that it is open."""
    return Encoding(rules, trump)


class Situation(NamedTuple):
    """A contract at some point of its play, in the engine's terms."""

    encoding: Encoding
    problem: EngineProblem
    won: tuple[int, ...]
    """The number of tricks each player has won so far."""
    history: tuple[tuple[int, tuple[int, ...]], ...] = ()
    """For each trick whose cards are known, its winner and its cards."""
    trumps: tuple[int, ...] = ()
    """The lanes of the suits that the declarer may still name as trumps; empty unless the trump is
    open."""
    goes_on: bool = False
    """Whether a side that may stop after the first run is known to go on (see `first_run`)."""

    @property
    def total(self) -> int:
        """The number of tricks whose winner is known, plus those still to be played."""
        return sum(self.won) + self.problem.tricks

    def played(self, card: int) -> Situation:
        """Return the situation after the player to move plays a card."""
        problem = self.problem.played(card)
        if problem.trick:
            return self._replace(problem=problem)
        winner = problem.leader
        won = tuple([tricks + (player == winner) for player, tricks in enumerate(self.won)])
        done = (winner, (*self.problem.trick, card))
        return self._replace(problem=problem, won=won, history=(*self.history, done))


def open_hands(deal: Deal) -> Mapping[str, tuple[str, ...] | None]:
    """Return the hands in play; raise DealError unless all of them are known."""
    check_hands(deal)
    hands = deal.playing_hands()
    for seat, hand in hands.items():
        if hand is None:
            raise DealError(
                f"{seat_label(seat)}'s hand is unknown, so the deal cannot be solved: add its "
                "cards or the rest of the play, or use chances, which need only one hand",
                "hand-unknown",
            )
    return hands


def situation(deal: Deal, contract: Contract, play: Iterable[str] = ()) -> Situation:
    """Encode a contract for the engine, as it is after some cards have been played.

    Raises DealError for unknown or impossible hands, RulesError for unknown seats, ContractError
    for a contract with impossible players, and IllegalCardError for illegal cards.
    """
    rules = deal.rules
    check_players(rules, contract)
    code = encoding(rules, contract.trump)
    to_name = trumps_to_name(deal, contract)
    hands = open_hands(deal)
    numbers, player = code.numbers, code.player
    masks = _masks(code, hands)
    won = deal.won
    trick: tuple[int, ...] = ()
    history: tuple[tuple[int, tuple[int, ...]], ...] = ()
    if play:
        position = Position.of(deal, contract)
        for card in play:
            position.play(card)
        leader, won = position.leader, position.won
        bits = code.bits
        masks = tuple([sum(bits[card] for card in position.hands[seat]) for seat in player])
        trick = tuple(numbers[card] for _, card in position.trick)
        history = tuple(
            (player[done.winner], tuple(numbers[card] for card in done.cards))
            for done in position.tricks
        )
    else:
        leader = first_leader(deal, contract)
    called = -1
    if contract.called is not None and rules.called_card_duty == "first-lead":
        number = numbers.get(contract.called, -1)
        if number >= 0 and any(mask >> number & 1 for mask in masks):
            called = number
    return Situation(
        code,
        code.problem_of(masks, player[leader], trick, called),
        tuple([won.get(seat, 0) for seat in rules.turn_order]) if won else (0,) * len(masks),
        history,
        tuple([code.lanes[trump] for trump in to_name]),
    )


def _masks(code: Encoding, hands: Mapping[str, Collection[str] | None]) -> tuple[int, ...]:
    """Return the hands as bit sets, in order of play; raise DealError if they cannot be played."""
    ordered = [hands[seat] or () for seat in code.player]
    try:
        masks = tuple([sum(map(code.bits.__getitem__, cards)) for cards in ordered])
    except KeyError as error:
        raise DealError(
            f"{error.args[0]} is not in the pack of {code.rules.game.name}", "card-not-in-deck"
        ) from None
    size = [len(cards) for cards in ordered]
    if size.count(size[0]) < len(size):
        sizes = ", ".join(f"{seat} {len(hand or ())}" for seat, hand in hands.items())
        raise DealError(f"only hands of equal length can be solved, not {sizes}", "hand-size")
    # If a card occurs twice, adding its bit causes a carry; the sum then has fewer bits than there
    # are cards.
    if sum(masks).bit_count() < sum(size):
        check_held_once(hands)
    return masks
