"""The rules of play, in simple code that is obviously correct; faster code must agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from spadille.base.argument_checks import check_type
from spadille.base.card_text import CARD_ORDER, SUIT_NAMES, check_held_once
from spadille.base.errors import ContractError, IllegalCardError, RulesError, quoted
from spadille.base.words_for_messages import seat_label
from spadille.core.arguments import contract_and_play
from spadille.core.contract import Contract, check_players, first_leader, resolve_trump
from spadille.core.deal import Deal
from spadille.games.model.following_suit import MatadorRule
from spadille.games.model.game import Rules


class Refusal(NamedTuple):
    """The reason why a card may not be played."""

    code: str
    """The code of the fault."""
    number: int
    """This reason's number in `Refusal` (csrc/following.hpp)."""
    message: str
    """The page uses the same sentence with its own names for seats and cards."""
    rule: str


MUST_FOLLOW = Refusal(
    "card-revoke",
    3,
    "{seat} may not play {card}: {led} were led and {seat} must follow suit",
    "RULES 2: a player must follow the led suit if able",
)
CALLED_DUTY = Refusal(
    "card-called-duty",
    4,
    "{seat} may not play {card}: the called card {called} must be played the first time its suit "
    "is led, and not before",
    "RULES 3: called_card_duty=first-lead",
)
REFUSALS = (MUST_FOLLOW, CALLED_DUTY)


class Trick(NamedTuple):
    """A completed trick, with cards in order of play."""

    leader: str
    cards: tuple[str, ...]
    winner: str


class Position:
    """A hand in progress: whose turn it is, legal cards, trick winners, play and undo.

    `hands` are the cards not yet played, `trick` is the current trick as (seat, card) pairs, and
    `tricks` are the completed tricks. `won` counts each seat's tricks, including those won earlier.
    `called` matters only under `called_card_duty=first-lead`. `trump` is None while the trump is
    open. Until the declarer (`namer`) names one of `trumps` and plays a card, suits are the printed
    ones. `contract` also determines whether a lost trick ends the hand. A copy can be played on
    without changing the original.
    """

    def __init__(
        self,
        rules: Rules,
        trump: str | None,
        hands: Mapping[str, Iterable[str]],
        leader: str,
        called: str | None = None,
        won: Mapping[str, int] | None = None,
        trumps: Iterable[str] = (),
        contract: Contract | None = None,
    ) -> None:
        """Set up a position between two tricks; raise RulesError or DealError if it is invalid."""
        self.rules = rules
        self.trumps = tuple(trumps)
        self.contract = contract
        self.namer = contract.declarer if contract is not None and self.trumps else None
        self._turn_trump(trump)
        if missing := [seat for seat in rules.seats if seat not in hands]:
            raise RulesError(f"{missing[0]}'s hand is unknown", "hand-unknown")
        cards_of = {seat: tuple(hands[seat]) for seat in rules.seats}
        self.hands = {seat: set(cards) for seat, cards in cards_of.items()}
        self._full = len(self.hands[leader]) if leader in self.hands else 0
        self.called = called
        self.trick: list[tuple[str, str]] = []
        self.tricks: list[Trick] = []
        self.won = {seat: (won or {}).get(seat, 0) for seat in rules.seats}
        self._earlier = dict(self.won)
        self.to_play = leader
        rules.check_seats(leader)
        if len({len(hand) for hand in cards_of.values()}) > 1:
            raise RulesError("the hands must have the same number of cards", "hands-unequal")
        for hand in self.hands.values():
            for card in hand:
                if card not in self.suit_of:
                    raise RulesError(f"{card} is not in the pack", "card-not-in-deck")
        check_held_once(cards_of)

    @classmethod
    def of(cls, deal: Deal, contract: Contract | str) -> Position:
        """Set up the position at the start of play of a contract.

        The contract may be text such as "N solo H" (see `Contract.parse`). Raises DealError or
        RulesError for invalid arguments, and ContractError if the contract's players are
        impossible.
        """
        contract, _ = contract_and_play(deal, contract)
        check_players(deal.rules, contract)
        hands: dict[str, tuple[str, ...]] = {}
        for seat, hand in deal.playing_hands().items():
            if hand is None:
                raise RulesError(f"{seat_label(seat)}'s hand is unknown", "hand-unknown")
            hands[seat] = hand
        leader = first_leader(deal, contract)
        return cls(
            deal.rules,
            contract.trump,
            hands,
            leader,
            called=contract.called,
            won=deal.won,
            trumps=trumps_to_name(deal, contract),
            contract=contract,
        )

    def __copy__(self) -> Position:
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        made.hands = {seat: set(hand) for seat, hand in self.hands.items()}
        made.trick, made.tricks, made.won = list(self.trick), list(self.tricks), dict(self.won)
        return made

    def __repr__(self) -> str:
        turn = "over" if self.finished else f"{self.to_play} to play"
        return f"<Position trick {min(len(self.tricks) + 1, self._full)}, {turn}>"

    @property
    def finished(self) -> bool:
        """Whether the hand is over: all cards are played, or a needed trick was lost."""
        return not self.hands[self.to_play] or self.lost_at is not None

    @property
    def lost_at(self) -> int | None:
        """The number of the trick that ended the hand because every trick was needed."""
        if self.contract is None:
            return None
        winners = [trick.winner for trick in self.tricks]
        left = self._full - len(winners)
        return self.rules.lost_at(self.contract, self._earlier, winners, left)

    @property
    def leader(self) -> str:
        """The seat that led to the current trick, or leads to the next one."""
        return self.trick[0][0] if self.trick else self.to_play

    def legal(self) -> list[str]:
        """List the legal cards of the player to move, by suit and from high to low."""
        if self.finished:
            return []
        hand = self.hands[self.to_play]
        allowed = self._called_duty(self._follow(hand))
        return [card for cards in self._ranked() for card in cards if card in allowed]

    @property
    def naming(self) -> bool:
        """Whether the player to move has to name the trump now."""
        return self.trump is None and self.to_play == self.namer

    def name(self, trump: str) -> None:
        """Name the open trump; raise RulesError if it cannot be named now."""
        if not self.naming or trump not in self.trumps:
            raise RulesError(
                f"{seat_label(self.to_play)} cannot name {trump} trumps now: "
                + (
                    f"one of {' '.join(self.trumps)}"
                    if self.naming
                    else "no trump is due to be named"
                ),
                "trump-not-allowed",
            )
        self._turn_trump(trump)

    def _turn_trump(self, trump: str | None) -> None:
        self.trump = trump
        self.suit_of = self.rules.suit_of(trump)

    def play(self, card: str) -> None:
        """Play a card; an illegal card raises IllegalCardError, which names the rule it breaks."""
        check_type(card, str, "a card must be text such as 'D9'")
        if card not in CARD_ORDER:
            raise IllegalCardError(f"{quoted(card)} is not a card such as 'D9'", "card-unreadable")
        self._check_named(card)
        if self.finished:
            lost = self.lost_at
            end = "the last trick" if lost is None else f"trick {lost}, whose loss ended the hand"
            raise IllegalCardError(f"{card} is played after {end}", "play-too-long")
        seat = self.to_play
        hand = self.hands[seat]
        if card not in hand:
            raise IllegalCardError(f"{seat_label(seat)} does not hold {card}", "card-not-held")
        refusal = refusal_of(self, card)
        if refusal:
            led = SUIT_NAMES[self.suit_of[self.trick[0][1]]] if self.trick else ""
            words = {"seat": seat_label(seat), "card": card, "led": led, "called": self.called}
            raise IllegalCardError(refusal.message.format(**words), refusal.code)
        self.force(card)

    def force(self, card: str) -> None:
        """Play any card of the player to move, even an illegal one, as in an unnoticed revoke."""
        self._check_named(card)
        seat = self.to_play
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) < len(self.rules.seats):
            self.to_play = self.rules.next_seat(seat)
            return
        winner = self.winning()
        cards = tuple(played for _, played in self.trick)
        self.tricks.append(Trick(self.trick[0][0], cards, winner))
        self.won[winner] += 1
        self.trick.clear()
        self.to_play = winner

    def _check_named(self, card: str) -> None:
        if self.naming:
            namer = seat_label(self.to_play)
            raise IllegalCardError(
                f"{namer} plays {card}, but the trump {namer} names with the first card "
                "is unknown: name it with Trump or --trump",
                "trump-missing",
            )

    def undo(self) -> None:
        """Take back the last card; raise IllegalCardError if no card has been played."""
        if not self.trick:
            if not self.tricks:
                raise IllegalCardError("no card has been played", "nothing-to-undo")
            last = self.tricks.pop()
            self.won[last.winner] -= 1
            players = self.rules.in_turn(last.leader)
            self.trick = list(zip(players, last.cards, strict=True))
        seat, card = self.trick.pop()
        self.hands[seat].add(card)
        self.to_play = seat
        if self.namer is not None and len(self.hands[self.namer]) == self._full:
            self._turn_trump(None)

    def winning(self) -> str:
        """Return the seat that is winning the current trick; raise IndexError if it is empty."""
        led = self.suit_of[self.trick[0][1]]
        owner = {card: seat for seat, card in self.trick}
        ranked = (*self.rules.trump_cards(self.trump), *self.rules.suits(self.trump)[led])
        return next(owner[card] for card in ranked if card in owner)

    def _ranked(self) -> Iterable[tuple[str, ...]]:
        return self.rules.suits(self.trump).values()

    def _follow(self, hand: set[str]) -> set[str]:
        """Return the cards that follow suit, subject to the Matador privilege (RULES 2)."""
        if not self.trick:
            return hand
        led = self.suit_of[self.trick[0][1]]
        same = {card for card in hand if self.suit_of[card] == led}
        if led != self.trump:
            return same or hand
        return same if self._bound(same) else hand

    def _bound(self, trumps: set[str]) -> bool:
        """Return whether a player who holds these trumps must follow a trump lead."""
        free = [card for card in trumps if not self.compellable(card)]
        all_matadors = trumps <= set(self.rules.matadors(self.trump))
        if self.rules.following.free_unless_all_lower and all_matadors and free:
            return False
        return len(free) < len(trumps)

    def compellable(self, card: str) -> bool:
        """Return whether a player with no other trump must play this one to the trump lead."""
        following = self.rules.following
        matadors = self.rules.matadors(self.trump)
        if following.matador_rule is MatadorRule.NONE or card not in matadors:
            return True
        forcing = self.trick[0][1]
        if following.highest_so_far:
            played = {played for _, played in self.trick}
            forcing = next(c for c in self.rules.trump_cards(self.trump) if c in played)
        if forcing not in matadors:
            return False
        if following.matador_rule is MatadorRule.ANY_MATADOR_LED:
            return True
        return matadors.index(forcing) < matadors.index(card)

    def _called_duty(self, follow: set[str]) -> set[str]:
        """Return the cards allowed by the called-card duty of the player to move (RULES 3)."""
        called = self.called
        duty = self.rules.called_card_duty == "first-lead"
        if called is None or not duty or called not in self.hands[self.to_play]:
            return follow
        suit = self.suit_of[called]
        if not self.trick:
            if self.rules.following.free_called_lead:
                return follow
            return {card for card in follow if card == called or self.suit_of[card] != suit}
        if self.suit_of[self.trick[0][1]] == suit:
            return {called}
        if self.rules.following.early_discard:
            return follow
        return follow - {called} or follow


def trumps_to_name(deal: Deal, contract: Contract) -> tuple[str, ...]:
    """List the trumps the declarer may still name; empty if the trump is known.

    Raises ContractError if the contract lacks a trump that it needs.
    """
    if contract.trump is not None:
        return ()
    kind = deal.rules.contract(contract.ids[0])
    if resolve_trump(deal, kind, None) is None:
        return deal.rules.allowed_trumps(kind, deal)
    raise ContractError(f"{kind.name} needs a trump", "trump-missing")


def refusal_of(position: Position, card: str) -> Refusal | None:
    """Return the reason why the player to move may not play a card of the hand, if any."""
    follow = position._follow(position.hands[position.to_play])
    if card not in follow:
        return MUST_FOLLOW
    return None if card in position._called_duty(follow) else CALLED_DUTY
