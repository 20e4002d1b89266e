"""`Game`, a game as data, and `Rules`, a game with all options chosen.

The modules of `spadille.games` fill in `Game`. Everything that depends only on a game, its options
and the trump is a method of `Rules` and is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from spadille.base.argument_checks import check_texts, check_type
from spadille.base.card_text import CARD_ORDER, NO_TRUMP, SUITS
from spadille.base.errors import ArgumentError, ContractError, RulesError
from spadille.base.names_in_input import meant
from spadille.games.model.bidding import Bidding
from spadille.games.model.contract_types_and_options import (
    CALL_TIERS,
    NO_COURSE,
    Changing,
    ContractType,
    GameCourse,
    Option,
    Outcome,
)
from spadille.games.model.deal_protocols import ContractView, DealView
from spadille.games.model.following_suit import Following
from spadille.games.model.game_digest import game_digest


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Game:
    """A game as data: pack, rankings, contracts, options, and two functions for its payoffs.

    `trump_ranking` lists the trumps of each suit from high to low, with "*" for the suit itself. If
    a card is listed twice, the first place counts. `plain_ranking` lists the ranks of each suit
    when it is not trumps, from high to low, without the permanent trumps. `plain_variants`,
    `contract_variants` and `bidding_variants` are the replacements for an (option, value). If
    several options affect one contract, each lists only the fields that it changes.
    """

    id: str
    name: str
    summary: str
    seats: tuple[str, ...]
    ranks: str
    hand_size: int
    rotation: Literal["cw", "ccw"]
    trump_ranking: Mapping[str, str]
    plain_ranking: Mapping[str, str]
    contracts: Mapping[str, ContractType]
    options: Mapping[str, Option]
    score: Callable[[Rules, DealView, ContractView, Outcome], dict[str, int]]
    bidding: Bidding
    outcome_name: Callable[[Rules, ContractView, Outcome], str] | None = None
    talon_size: int = 0
    talon_name: str = "talon"
    matadors: int = 0  # the number of highest trumps that are matadors
    matador_names: tuple[str, ...] = ()  # their names in the game, highest first
    held_pay: int = 0  # held matadors are paid for; this many of the highest trumps pay more
    held_option: str | None = None  # they are paid for if this option has chips
    current_trumps: tuple[str, ...] = ()  # possible values of a deal's CurrentTrump; () = none
    turns_up: bool = False  # the current trump is the suit of one of the dealer's cards
    ante: int = 0  # chips put into the pool before each deal; 0 = no pool
    dealer_antes: bool = False  # the dealer puts them in; otherwise, every player does
    course: GameCourse = NO_COURSE  # rules for a series of deals
    call_needs_suit: bool = False  # the caller must hold a card in the called card's suit
    passes_on: bool = False  # players who exchange later may draw earlier discards
    draws_first: bool = False  # players draw before they discard
    zero_sum: bool = True  # seats and pool add up to zero
    plain_variants: Mapping[tuple[str, str], Mapping[str, str]] = field(default_factory=dict)
    contract_variants: Mapping[tuple[str, str], Mapping[str, ContractType | Mapping[str, Any]]] = (
        field(default_factory=dict)
    )
    bidding_variants: Mapping[tuple[str, str], Bidding] = field(default_factory=dict)
    changing: Changing | None = None

    def __repr__(self) -> str:
        return f"<Game {self.id}>"

    @property
    def deck(self) -> tuple[str, ...]:
        """All cards of the pack, sorted."""
        return tuple(card for card in CARD_ORDER if card[1] in self.ranks)

    def is_same(self, other: Game) -> bool:
        """Return whether another game has the same id and the same rules."""
        if self is other:
            return True
        return self.id == other.id and game_digest(self) == game_digest(other)

    @property
    def shows_discards(self) -> bool:
        """Whether some contract has a face-up discard."""
        return any(kind.exchange.face_up != "never" for kind in self.contracts.values())

    @property
    def calls(self) -> bool:
        """Whether any contract calls a card."""
        return any(kind.side == "called" for kind in self.contracts.values())


class Rules:
    """A game with all options chosen; created by `spadille.games.rules_for`, equal by value.

    Callers may treat it as immutable; tables are computed when first needed and kept.
    """

    __slots__ = (
        "_key",
        "_matadors",
        "_next_seat",
        "_suit_of",
        "_suits",
        "bidding",
        "called_card_duty",
        "contracts",
        "deck",
        "following",
        "game",
        "held_pay",
        "options",
        "plain_ranking",
        "seats",
        "trumps",
        "turn_order",
    )

    def __init__(self, game: Game, options: Mapping[str, str]) -> None:
        """Set `options`, with defaults for all others; raise RulesError if one is invalid."""
        for name in options:
            if name not in game.options:
                known = ", ".join(game.options)
                raise RulesError(
                    f"{game.name} has no option {name!r}; its options are {known}",
                    "option-unknown",
                )
        self.game = game
        self.options: Mapping[str, str] = {
            name: option.check(options.get(name, option.default))
            for name, option in game.options.items()
        }
        self._key = (game.id, tuple(self.options.values()))
        self.seats = game.seats
        self.deck = game.deck
        self.following = Following.of(self.options)
        self.called_card_duty = self.options.get("called_card_duty", "none")

        self.held_pay = game.held_pay
        if game.held_option is not None and self.options[game.held_option] == "0":
            self.held_pay = 0

        plain = dict(game.plain_ranking)
        contracts = dict(game.contracts)
        self.bidding = game.bidding
        for pair in self.options.items():
            self.bidding = game.bidding_variants.get(pair, self.bidding)
            plain.update(game.plain_variants.get(pair, {}))
            for name, other in game.contract_variants.get(pair, {}).items():
                if isinstance(other, ContractType):
                    contracts[name] = other
                else:
                    contracts[name] = replace(contracts[name], **other)
        self.plain_ranking: Mapping[str, str] = plain
        self.contracts: Mapping[str, ContractType] = contracts
        no_trump = NO_TRUMP in game.current_trumps or any(
            kind.trump in ("none", "any-or-none") for kind in contracts.values()
        )
        self.trumps: tuple[str, ...] = (*SUITS, NO_TRUMP) if no_trump else tuple(SUITS)

        seats = game.seats
        step = 1 if self.options["rotation"] == "cw" else -1
        self.turn_order: tuple[str, ...] = seats if step == 1 else (seats[0], *seats[:0:-1])
        self._next_seat = {
            seat: seats[(number + step) % len(seats)] for number, seat in enumerate(seats)
        }
        self._suits: dict[str | None, Mapping[str, tuple[str, ...]]] = {}
        self._suit_of: dict[str | None, Mapping[str, str]] = {}
        self._matadors: dict[str | None, tuple[str, ...]] = {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules) or self._key != other._key:
            return False
        return self.game.is_same(other.game)

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"Rules({self.game.id!r}, {self.text!r})"

    @property
    def text(self) -> str:
        """The options that differ from the default, as written in the Rules tag."""
        return ";".join(
            f"{name}={value}"
            for name, value in self.options.items()
            if value != self.game.options[name].default
        )

    def cite(self, rule: str) -> str:
        """Return a rule preceded by its place: the section of the game in the rules, if any."""
        section = self.bidding.section
        return f"RULES {section}: {rule}" if section else f"{self.game.name}: {rule}"

    # Seats

    def next_seat(self, seat: str) -> str:
        """Return the seat that plays next."""
        return self._next_seat[seat]

    def eldest(self, dealer: str) -> str:
        """Return the first player after the dealer; raise RulesError if the dealer is unknown."""
        self.check_seats(dealer)
        return self._next_seat[dealer]

    def in_turn(self, first: str) -> tuple[str, ...]:
        """List all seats in order of play from `first`; raise RulesError if it is unknown."""
        self.check_seats(first)
        start = self.turn_order.index(first)
        return self.turn_order[start:] + self.turn_order[:start]

    def check_seats(self, *seats: str) -> None:
        """Raise RulesError if one of these is not a seat in the game."""
        for seat in seats:
            if seat not in self.seats:
                known = " ".join(self.seats)
                raise RulesError(f"{self.not_a_seat(seat)}: {known}", "seat-unknown")

    def not_a_seat(self, seat: str) -> str:
        """Return the message for an unknown seat, without the list of seats that are accepted."""
        return f"{seat!r} is not a seat in {self.game.name}"

    # Cards

    def suits(self, trump: str | None) -> Mapping[str, tuple[str, ...]]:
        """Map effective suits (S H D C) to their cards from high to low.

        Trumps, including permanent ones, are listed under the letter of the trump suit. While the
        trump is open (None), suits are as printed. Raises RulesError for a trump that the game does
        not have.
        """
        check_texts(trump=trump)
        cards_by_suit = self._suits.get(trump)
        if cards_by_suit is None:
            cards_by_suit = self._suits[trump] = self._rank(trump)
        return cards_by_suit

    def _rank(self, trump: str | None) -> Mapping[str, tuple[str, ...]]:
        if trump is not None and trump not in self.trumps:
            raise RulesError(
                f"{self.game.name} has no trump {trump!r}, only {' '.join(self.trumps)}",
                "trump-unknown",
            )
        printed = {
            suit: tuple(suit + rank for rank in ranks) for suit, ranks in self.plain_ranking.items()
        }
        if trump is None or trump == NO_TRUMP:
            return printed
        named = self.game.trump_ranking[trump].replace("*", trump).split()
        trumps = tuple(dict.fromkeys(named))
        return {
            suit: trumps if suit == trump else tuple(card for card in cards if card not in trumps)
            for suit, cards in printed.items()
        }

    def suit_of(self, trump: str | None) -> Mapping[str, str]:
        """Map each card to the letter of its effective suit."""
        suit_of = self._suit_of.get(trump)
        if suit_of is None:
            suit_of = self._suit_of[trump] = {
                card: suit for suit, cards in self.suits(trump).items() for card in cards
            }
        return suit_of

    def trump_cards(self, trump: str | None) -> tuple[str, ...]:
        """Return the trumps from high to low; () without trumps or while the trump is open."""
        return () if trump is None else self.suits(trump).get(trump, ())

    def keepers(self, trump: str | None) -> tuple[str, ...]:
        """Return the cards worth keeping in an exchange: trumps and the highest plain cards."""
        plain = (cards[0] for suit, cards in self.suits(trump).items() if suit != trump)
        return (*self.trump_cards(trump), *plain)

    def matadors(self, trump: str | None) -> tuple[str, ...]:
        """Return the matadors from high to low; () if the game or the contract has none."""
        check_texts(trump=trump)
        matadors = self._matadors.get(trump)
        if matadors is None:
            matadors = self._matadors[trump] = self.trump_cards(trump)[: self.game.matadors]
        return matadors

    # Contracts

    def contract(self, contract_id: str) -> ContractType:
        """Return the contract with this id; raise ContractError if there is none."""
        check_type(contract_id, str, "a contract must be given by its id")
        try:
            return self.contracts[contract_id]
        except KeyError:
            known = ", ".join(self.contracts)
            raise ContractError(
                f"{self.game.name} has no contract {contract_id!r}; its contracts are {known}"
                f"{meant(contract_id, self.contracts)}",
                "contract-unknown",
            ) from None

    def allowed_trumps(self, kind: ContractType, deal: DealView) -> tuple[str, ...]:
        """List the trumps in which `kind` may be played on this deal.

        If the current trump or the top talon card is unknown, all possible trumps are listed.
        """
        rule = kind.trump
        if rule == "none":
            return (NO_TRUMP,)
        if rule == "any-or-none":
            return (*SUITS, NO_TRUMP)
        if rule == "current":
            return (deal.current_trump,) if deal.current_trump else self.game.current_trumps
        if rule == "not-current":
            return tuple(suit for suit in SUITS if suit != deal.current_trump)
        if rule == "talon" and deal.talon and deal.talon_ordered:
            return (deal.talon[0][0],)
        return (rule,) if rule in SUITS else tuple(SUITS)

    @property
    def color(self) -> str | None:
        """The Color suit in games that have one; None as long as no suit is Color."""
        color = self.options.get("color")
        return color if color in tuple(SUITS) else None

    def trumps_callable(self, kind: ContractType | None = None) -> bool:
        """Return whether trumps may be called: with `call_trumps`, or if trumps are named later."""
        early = kind is not None and kind.called_first
        return early or self.options.get("call_trumps") == "yes"

    def call_tiers(
        self, trump: str, kind: ContractType | None = None
    ) -> tuple[tuple[str, ...], ...]:
        """List the cards that may be called, tier by tier, regardless of the caller's hand.

        The contract, `kind`, matters only if the card is called before trumps are named.
        """
        suits = dict(self.suits(trump))
        if not self.trumps_callable(kind):
            suits.pop(trump, None)
        cards = tuple(card for suit in suits.values() for card in suit)
        tiers = CALL_TIERS[self.options["call_rank"]]
        return tuple([tuple([card for card in cards if card[1] in tier]) for tier in tiers])

    def callable_cards(
        self, trump: str, hand: Iterable[str], kind: ContractType | None = None
    ) -> tuple[str, ...]:
        """List the cards that a player with this hand may call, by suit and from high to low.

        The cards are all from one tier, the first that has a card the player may call.
        """
        in_hand = frozenset(hand)
        suit_of = self.suit_of(trump)
        suits_held = {suit_of[card] for card in in_hand if card in suit_of}
        for tier in self.call_tiers(trump, kind):
            cards = tuple([card for card in tier if card not in in_hand])
            if self.game.call_needs_suit:
                cards = tuple([card for card in cards if suit_of[card] in suits_held])
            if cards:
                return cards
        return ()

    def may_go_on(self, kind: ContractType) -> bool:
        """Return whether the winner of the first run may stop or go on in this contract."""
        return bool(kind.first_run) and kind.aim == "tricks" and kind.target < self.game.hand_size

    def runners(self, contract: ContractView) -> tuple[str, ...]:
        """Return the players who must win the first run and, if they go on, all tricks."""
        alone = self.contracts[contract.ids[0]].run_alone
        return contract.declarers[:1] if alone else tuple(contract.side)

    def lost_at(
        self, contract: ContractView, earlier: Mapping[str, int], winners: Sequence[str], left: int
    ) -> int | None:
        """Return the number of the first lost trick if that trick ended the hand.

        A lost trick ends the hand if the contract is for all tricks, or if the side has gone on for
        them. `winners` has the winner of each recorded trick, by trick number from 1; `earlier` has
        the tricks that each seat had won before them, and `left` is the number of tricks still to
        be played. The result is also None if a trick was lost earlier, before an end position.
        """
        kind = self.contracts[contract.ids[0]]
        if not kind.ends_when_lost:
            return None
        size, before = self.game.hand_size, sum(earlier.values())
        run = kind.first_run if kind.target < size else 0
        if run and before + len(winners) + left != size:
            return None
        runners = self.runners(contract)
        lost = (number for number, seat in enumerate(winners, 1) if seat not in runners)
        first = next(lost, 0)
        if not first or before + first <= run:
            return None
        return first if before == sum(earlier[seat] for seat in runners) else None

    # Results

    def pool(self, deal: DealView) -> int:
        """Return the chips in the pool: the deal's own pool, or the antes of one deal."""
        return self.game.ante if deal.pool is None else deal.pool

    def pool_taken_over(self, deal: DealView) -> int:
        """Return the chips at stake for a player who takes over."""
        return self.pool(deal) * (2 if self.options.get("takeover_pool") == "doubled" else 1)

    def antes(self, dealer: str) -> dict[str, int]:
        """Return each seat's payment into the pool before the deal (negative), and the pool's gain.

        Empty in games without a pool.
        """
        ante = self.game.ante
        if not ante:
            return {}
        payers = (dealer,) if self.game.dealer_antes else self.seats
        gains = dict.fromkeys((*self.seats, "pool"), 0)
        for seat in payers:
            gains[seat] -= ante // len(payers)
        gains["pool"] = ante
        return gains

    def score(self, deal: DealView, contract: ContractView, outcome: Outcome) -> dict[str, int]:
        """Return the payoff of a finished hand: each seat's points or chips, negative for a loss.

        In games with a pool, the "pool" key has the pool's gain. Raises RulesError for an outcome
        that is impossible in the game.
        """
        try:
            self._check(contract, outcome)
        except (AttributeError, TypeError) as error:
            raise ArgumentError(
                f"the payoff needs a Contract and an Outcome, not {contract!r} and {outcome!r}"
            ) from error
        if not hasattr(deal, "hands"):
            raise ArgumentError(f"the payoff needs a Deal, not {deal!r}")
        return self.game.score(self, deal, contract, outcome)

    def made(self, contract: ContractView, outcome: Outcome, declarer: str | None = None) -> bool:
        """Return whether the contract is made; with several declarers, `declarer` selects one.

        A declarer who surrenders has lost, even if another player takes over.
        """
        if outcome.surrender:
            return False
        seat = declarer or contract.declarers[0]
        kind = self.contracts[contract.ids[contract.declarers.index(seat)]]
        tricks = outcome.tricks
        if kind.aim == "misere":
            return tricks[seat] == 0
        if kind.aim == "most":
            return all(tricks[seat] > tricks[other] for other in self.seats if other != seat)
        if kind.aim == "nemo":
            return outcome.clean is not None and outcome.clean[seat] > 0
        if kind.side == "individual":
            return tricks[seat] >= kind.target
        return sum(tricks[member] for member in contract.side) >= kind.target

    def outcome_name(
        self, contract: ContractView, outcome: Outcome, declarer: str | None = None
    ) -> str:
        """Return the name of the outcome: made or failed or, in the Ombre games, the game's words.

        If a player took over after a surrender, it describes that player's game; otherwise it is
        "surrender". In German Solo, if a player went on for the Tout, the outcome says whether it
        was made.
        """
        given = outcome.surrender
        if given and given.taken_over:
            return self.outcome_name(
                contract.taken_over(given.taken_over), replace(outcome, surrender=None)
            )
        if given:
            return "surrender"
        if self.game.outcome_name is not None:
            return self.game.outcome_name(self, contract, outcome)
        return "made" if self.made(contract, outcome, declarer) else "failed"

    def _check(self, contract: ContractView, outcome: Outcome) -> None:
        tricks = outcome.tricks
        taken_over = outcome.surrender and outcome.surrender.taken_over
        if outcome.surrender and not taken_over:
            return
        size = self.game.hand_size
        if set(tricks) != set(self.seats) or sum(tricks.values()) != size:
            why: str | None = (
                f"tricks {dict(tricks.items())} do not add up to {size} over all seats"
            )
        else:
            if taken_over:
                contract = contract.taken_over(taken_over)
            kind = self.contracts[contract.ids[0]]
            why = outcome.impossible(kind, size, self.runners(contract))
        if why is not None:
            raise RulesError(f"impossible outcome: {why}", "outcome-impossible")
