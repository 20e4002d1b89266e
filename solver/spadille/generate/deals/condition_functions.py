"""The names in expressions: functions of the cards, and of double-dummy play.

Expressions cannot use any other names, and no Python is evaluated. docs/deal.md documents the same
list.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from spadille.analysis.contracts.hand_strength import strength_tables
from spadille.base.card_text import CARD_ORDER, NO_TRUMP, SUITS, parse_card
from spadille.base.errors import ArgumentError, CardError, RulesError, SpadilleError
from spadille.base.names_in_input import meant, read_seat, read_trump
from spadille.base.words_for_messages import listed
from spadille.core.counted_cards import (
    STRENGTH,
    TALON,
    card_points,
    matador_cards,
    rank_cards,
    relative_seats,
    suits_of,
)
from spadille.games.model.game import Rules


@dataclass(frozen=True, slots=True)
class Setting:
    """The context of an expression: the game, the dealer, and the trump turned up."""

    rules: Rules
    dealer: str
    current_trump: str | None = None  # if it is the same in all deals

    @property
    def relative(self) -> Mapping[str, str]:
        """The relative names of seats, each with the seats it means."""
        return relative_seats(self.rules, self.dealer)


class Count(NamedTuple):
    """A sum over the cards of one hand."""

    seat: str  # or "talon"
    values: tuple[tuple[str, int], ...]  # card -> its value; other cards count 0

    def of(self, cards: Iterable[str]) -> int:
        """Add up the values of cards."""
        worth = dict(self.values)
        return sum(worth.get(card, 0) for card in cards)


class ContractWorth(NamedTuple):
    """The double-dummy value of a contract."""

    what: Literal["tricks", "makes", "payoff"]
    seat: str
    words: tuple[str, ...]  # as in Contract.parse, without the seat
    trump: str = ""  # as written in the condition


class HandWorth(NamedTuple):
    """The share of deals in which a contract makes, when only one hand is known."""

    seat: str
    contract: str
    trump: str
    called: str | None  # None: the best card
    position: int  # of the seat in the first trick


@dataclass(slots=True)
class FunctionCall:
    """A function call in an expression, with methods to read each type of argument."""

    node: ast.Call
    setting: Setting
    form: str
    error: Callable[[ast.AST, str, str], ArgumentError]

    @property
    def name(self) -> str:
        """The function that is called."""
        return self.form.partition("(")[0]

    def check(self, least: int, most: int | None = None) -> None:
        """Raise ArgumentError unless there are between `least` and `most` arguments."""
        number = len(self.node.args)
        if number < least or (most is not None and number > most) or self.node.keywords:
            raise self.error(self.node, f"write {self.form}", "expression-arguments")

    def word(self, at: int) -> tuple[ast.expr, str]:
        """Return an argument, a word (with or without quotes) or a number, as text."""
        node = self.node.args[at]
        if isinstance(node, ast.Name):
            return node, node.id
        if isinstance(node, ast.Constant) and type(node.value) in (str, int):
            return node, str(node.value)
        raise self.error(
            node,
            f"expected a word, in quotes if it contains a hyphen or a space: {self.form}",
            "expression-arguments",
        )

    def seat(self, at: int = 0, *, talon: bool = False) -> str:
        """Read a seat of the game, or the talon."""
        node, word = self.word(at)
        rules = self.setting.rules
        if talon and word == TALON and rules.game.talon_size:
            return TALON
        seat = self.setting.relative.get(word, read_seat(word))
        if seat not in rules.seats:
            others = [*self.setting.relative, *([TALON] if talon and rules.game.talon_size else [])]
            seats = listed([*rules.seats, *others], "or")
            raise self.error(node, f"{rules.not_a_seat(word)}: {seats}", "seat-unknown")
        return seat

    def suit(self, at: int) -> str:
        """Read a suit."""
        node, word = self.word(at)
        suit = read_trump(word)
        if suit not in tuple(SUITS):
            raise self.error(
                node, f"{word!r} is not a suit: {listed(SUITS, 'or')}", "trump-unknown"
            )
        return suit

    def trump(self, at: int) -> str:
        """Read a trump; the default is the deal's current trump, if there is one."""
        rules, current = self.setting.rules, self.setting.current_trump
        if at >= len(self.node.args):
            if current is None:
                raise self.error(
                    self.node, f"a trump is missing: write {self.form}", "trump-missing"
                )
            return current
        node, word = self.word(at)
        trump = read_trump(word)
        if trump not in rules.trumps:
            known = listed(rules.trumps, "or")
            raise self.error(
                node, f"{word!r} is not a trump in {rules.game.name}: {known}", "trump-unknown"
            )
        return trump

    def cards(self, start: int) -> tuple[str, ...]:
        """Read the cards in all arguments from `start` on; a quoted argument may list several."""
        cards: list[str] = []
        for at in range(start, len(self.node.args)):
            node, words = self.word(at)
            for word in words.replace(",", " ").split():
                try:
                    card = parse_card(word)
                except CardError as error:
                    raise self.error(node, str(error), error.code) from None
                if card not in self.setting.rules.deck:
                    name = self.setting.rules.game.name
                    raise self.error(
                        node, f"{card} is not in the pack of {name}", "card-not-in-deck"
                    )
                cards.append(card)
        if not cards:
            raise self.error(self.node, f"write {self.form}", "expression-arguments")
        if len(set(cards)) < len(cards):
            raise self.error(self.node, f"duplicate card in {' '.join(cards)}", "card-duplicate")
        return tuple(cards)

    def counting(self, cards: Iterable[str]) -> Count:
        """Count these cards in the hand of the seat given as the first argument."""
        return card_sum(self.seat(talon=True), dict.fromkeys(cards, 1))


def card_sum(seat: str, values: Mapping[str, int]) -> Count:
    """Return the sum of card values over a hand; equal sums compare equal."""
    ordered = sorted(values.items(), key=lambda item: CARD_ORDER[item[0]])
    return Count(seat, tuple((card, value) for card, value in ordered if value))


def _length(call: FunctionCall) -> Count:
    call.check(2, 3)
    trump = call.trump(2) if len(call.node.args) > 2 else None
    return call.counting(suits_of(call.setting.rules, trump)[call.suit(1)])


def _trumps(call: FunctionCall) -> Count:
    call.check(1, 2)
    return call.counting(call.setting.rules.trump_cards(call.trump(1)))


def _matadors(call: FunctionCall) -> Count:
    call.check(1, 2)
    try:
        cards = matador_cards(call.setting.rules, call.trump(1))
    except RulesError as error:
        raise call.error(call.node, str(error), "expression-name") from None
    return call.counting(cards)


def _cards(call: FunctionCall) -> Count:
    call.check(2)
    return call.counting(call.cards(1))


def _ranks(call: FunctionCall) -> Count:
    call.check(2, 2)
    node, word = call.word(1)
    try:
        cards = rank_cards(call.setting.rules, word)
    except ArgumentError as error:
        raise call.error(node, str(error), error.code) from None
    return call.counting(cards)


def _points(call: FunctionCall) -> Count:
    call.check(1, 2)
    node, scale = call.word(1) if len(call.node.args) > 1 else (call.node, STRENGTH)
    try:
        points = card_points(call.setting.rules, scale)
    except ArgumentError as error:
        raise call.error(node, str(error), "expression-arguments") from None
    return card_sum(call.seat(talon=True), points)


def _asked(
    measure: Literal["tricks", "makes", "payoff"],
) -> Callable[[FunctionCall], ContractWorth]:
    def ask(call: FunctionCall) -> ContractWorth:
        call.check(2)
        rules = call.setting.rules
        seat = call.seat()
        node, name = call.word(1)
        try:
            kind = rules.contract(name.lower())
        except SpadilleError as error:
            raise call.error(node, str(error), error.code) from None
        if kind.side == "all" and measure == "makes":
            raise call.error(
                node, f"{kind.name} is neither made nor failed: use payoff", "contract-invalid"
            )
        words, trump = [kind.id], ""
        for at in range(2, len(call.node.args)):
            node, word = call.word(at)
            suit = read_trump(word)
            card = word.upper().replace("10", "T")
            if suit in (*SUITS, NO_TRUMP):
                words.append(suit)
                trump = word
            elif (other := call.setting.relative.get(word, read_seat(word))) in rules.seats:
                words.append(other)
            elif card in rules.deck or word == "-":
                words.append(card)
            else:
                raise call.error(
                    node,
                    f"{word!r} is not a suit, seat or card of {rules.game.name}",
                    "expression-arguments",
                )
        return ContractWorth(measure, seat, tuple(words), trump)

    return ask


def _strength(call: FunctionCall) -> HandWorth:
    call.check(2, 4)
    rules, seat = call.setting.rules, call.seat()
    node, name = call.word(1)
    try:
        tables = strength_tables(rules)
        kind = rules.contract(name.lower())
    except SpadilleError as error:
        raise call.error(node, str(error), error.code) from None
    trumps = tables.trumps(kind.id)
    if not trumps:
        message = f"{kind.name} cannot be valued on one hand: {listed(tables.contracts, 'or')}"
        raise call.error(node, message, "contract-invalid")
    trump, called = trumps[0], None
    if len(trumps) > 1 or len(call.node.args) > 2:
        trump = call.trump(2)
    if trump not in trumps:
        message = f"{kind.name} is not played in {trump}: {listed(trumps, 'or')}"
        raise call.error(call.node, message, "trump-not-allowed")
    if len(call.node.args) > 3:
        called = call.cards(3)[0]
        if kind.side != "called":
            raise call.error(call.node, f"{kind.name} has no called card", "called-unexpected")
    position = rules.in_turn(rules.eldest(call.setting.dealer)).index(seat)
    return HandWorth(seat, kind.id, trump, called, position)


class Function(NamedTuple):
    """A function that expressions may call."""

    form: str
    make: Callable[[FunctionCall], Count | ContractWorth | HandWorth]
    truth: bool = False  # True or False, not a number
    whole: bool = False  # the hand must hold all counted cards


FUNCTIONS: Mapping[str, Function] = {
    "length": Function("length(SEAT, SUIT[, TRUMP])", _length),
    "trumps": Function("trumps(SEAT, TRUMP)", _trumps),
    "matadors": Function("matadors(SEAT, TRUMP)", _matadors),
    "holds": Function("holds(SEAT, CARD...)", _cards, truth=True, whole=True),
    "cards": Function("cards(SEAT, CARD...)", _cards),
    "ranks": Function("ranks(SEAT, 'AK')", _ranks),
    "points": Function(f"points(SEAT[, '{STRENGTH}'])", _points),
    "strength": Function("strength(SEAT, CONTRACT[, TRUMP, CARD])", _strength),
    "tricks": Function("tricks(SEAT, CONTRACT[, TRUMP, CARD, PARTNER])", _asked("tricks")),
    "makes": Function("makes(SEAT, CONTRACT[, TRUMP, CARD, PARTNER])", _asked("makes"), truth=True),
    "payoff": Function("payoff(SEAT, CONTRACT[, TRUMP, CARD, PARTNER])", _asked("payoff")),
}


def unknown(word: str) -> str:
    """Return the message for an unknown function, with the known names."""
    known = [*FUNCTIONS, "min", "max"]
    return f"{word!r} is not a function: {listed(known, 'or')}{meant(word, known)}"
