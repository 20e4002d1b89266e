"""Estimate how often a contract makes, and its mean payoff, from the declarer's hand alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from spadille.base.argument_checks import check_type
from spadille.base.card_text import CARD_ORDER, NO_TRUMP, SUITS, parse_card, parse_hand
from spadille.base.errors import ArgumentError, CardError, ContractError, DealError, quoted
from spadille.base.json_fields import JsonFields
from spadille.base.names_in_input import read_trump
from spadille.base.words_for_messages import listed, many
from spadille.core.strength.strength_tables import GameTables, HandTable, tables_for
from spadille.games import rules_for
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Game, Rules
from spadille.search.engine_strength_table import engine_table


@dataclass(frozen=True, slots=True)
class Strength(JsonFields):
    """The value of a contract on one hand when nothing is known about the other hands."""

    game: str
    contract: str
    trump: str
    called: str | None
    """The called card."""
    position: int | None
    """The declarer's place in the first trick, from 0 for the leader; None means an average."""
    made: float
    """The share of deals in which the contract makes double-dummy, 0 to 1."""
    made_error: float
    """The measured mean absolute error of `made`."""
    payoff: float
    """The mean payoff of the declarer, in points or chips."""
    payoff_error: float
    """The measured mean absolute error of `payoff`."""
    version: str
    """The version of the tables."""

    def __str__(self) -> str:
        named = " ".join(filter(None, (self.contract, self.trump, self.called)))
        return f"{named}: made {self.made:.1%}, payoff {self.payoff:+.2f}"


def strength(
    hand: str | Iterable[str],
    contract: str,
    game: str | Game,
    *,
    position: int | None = None,
    options: str | None = None,
) -> Strength:
    """Return how often a contract makes and what it pays on average, given one hand.

    `hand` is text such as "87.AQJ7.7.Q" (suits S.H.D.C) or a list of cards; `contract` is an id
    followed by the declarer's choices, as in "solo H", "frog H SA" or "misere". If the contract
    needs a called card and none is given, the card with the highest mean payoff is used. `position`
    is the declarer's place in the first trick, from 0 for the leader; by default, values are
    averaged over all places.

    The figures come from tables fitted to random deals that were solved double-dummy;
    docs/strength.md reports their accuracy. Raises ContractError for a contract that is unknown or
    cannot be valued from a single hand, DealError for a hand of the wrong size or with a duplicate
    card, CardError for an unreadable card, and ArgumentError for options or games without tables.
    """
    rules = rules_for(game, options)
    tables = strength_tables(rules)
    check_type(contract, str, "a contract must be text such as 'solo H'")
    kind, trump, called = _read_contract(rules, tables, contract)
    own = _read_hand(rules, hand)
    table = tables.table(kind.id, trump)
    assert table is not None
    if kind.holder is not None and kind.holder not in own:
        raise ContractError(
            f"only the holder of {kind.holder} can play {kind.name}", "declarer-not-holder"
        )
    positions = _positions(table, rules, position)
    if kind.side == "called":
        callable_cards = rules.callable_cards(trump, own, kind)
        if called is not None and called not in callable_cards:
            raise ContractError(
                f"{called} cannot be called on this hand; callable cards: "
                f"{listed(callable_cards, 'and') or 'none'}",
                "called-held" if called in own else "called-rank",
            )
        if not callable_cards:
            raise ContractError("no card can be called on this hand", "called-missing")
    best = best_strength(tables, own, (kind.id, trump, called), positions)
    assert best is not None
    return best


def best_strength(
    tables: GameTables,
    own: tuple[str, ...],
    named: tuple[str, str, str | None],
    positions: Sequence[int],
) -> Strength | None:
    """Return the strength of a hand in a contract; the best card is called unless one is given.

    `named` is the contract's id, the trump, and the called card or None. Returns None if the hand
    may not call the card, or if the contract can only be played by the holder of a card that the
    hand lacks.
    """
    contract, trump, called = named
    rules = tables.rules
    kind = rules.contract(contract)
    table = tables.table(contract, trump)
    assert table is not None
    if kind.holder is not None and kind.holder not in own:
        return None
    if kind.side != "called":
        return _strength(tables, table, own, named, positions)
    cards = rules.callable_cards(trump, own, kind)
    if called is not None:
        cards = (called,) if called in cards else ()
    return max(
        (_strength(tables, table, own, (contract, trump, card), positions) for card in cards),
        key=lambda strength: (strength.payoff, strength.made),
        default=None,
    )


def strength_tables(rules: Rules) -> GameTables:
    """Return the tables of a game; raise ArgumentError if there are none."""
    tables = tables_for(rules)
    if tables is None:
        where = f" with {rules.text}" if rules.text else ""
        raise ArgumentError(
            f"there are no strength tables for {rules.game.name}{where}", "strength-missing"
        )
    return tables


def _strength(
    tables: GameTables,
    table: HandTable,
    own: tuple[str, ...],
    named: tuple[str, str, str | None],
    positions: Sequence[int],
) -> Strength:
    contract, trump, called = named
    hand, fast = table.lanes.hand(own), engine_table(table)
    card = -1 if called is None else table.lanes.bits[called].bit_length() - 1
    made = [fast.made(hand, position, card) for position in positions]
    payoff = [fast.payoff(hand, position, card) for position in positions]
    number = len(positions)
    return Strength(
        game=tables.rules.game.id,
        contract=contract,
        trump=trump,
        called=called,
        position=positions[0] if number == 1 and table.positions > 1 else None,
        made=sum(made) / number,
        made_error=table.made_error,
        payoff=sum(payoff) / number,
        payoff_error=table.payoff_error,
        version=tables.version,
    )


def _positions(table: HandTable, rules: Rules, position: int | None) -> range:
    """Return the places in the first trick over which to average."""
    players = len(rules.seats)
    if position is None:
        return range(table.positions)
    if type(position) is not int or not 0 <= position < players:
        raise ArgumentError(
            f"a position must be a number from 0 (the leader) to {players - 1}, not "
            f"{quoted(position)}"
        )
    return range(position, position + 1) if table.positions > 1 else range(1)


def _read_contract(
    rules: Rules, tables: GameTables, text: str
) -> tuple[ContractType, str, str | None]:
    """Read a contract's id, trump and called card."""
    words = text.split()
    if not words:
        raise ContractError("no contract is given", "contract-missing")
    kind = rules.contract(words[0].lower())
    trumps = tables.trumps(kind.id)
    if not trumps:
        raise ContractError(
            f"{kind.name} depends on other players' hands or bids; on one hand you can value "
            f"{listed(tables.contracts, 'or')}",
            "contract-invalid",
        )
    trump = called = None
    for word in words[1:]:
        suit = read_trump(word)
        if suit in (*SUITS, NO_TRUMP):
            if trump is not None:
                raise ContractError(f"{text!r} names two trumps", "contract-unreadable")
            if suit not in trumps:
                raise ContractError(
                    f"{kind.name} cannot be played with trump {suit}; its trumps are "
                    f"{listed(trumps, 'and')}",
                    "trump-not-allowed",
                )
            trump = suit
            continue
        if called is not None:
            raise ContractError(f"{text!r} names two called cards", "contract-unreadable")
        try:
            called = parse_card(word)
        except CardError:
            raise ContractError(
                f"{word!r} in {text!r} is neither a trump nor a card", "contract-unreadable"
            ) from None
        if kind.side != "called":
            raise ContractError(
                f"{kind.name} has no called card, but got {called}", "called-unexpected"
            )
    if trump is None and len(trumps) == 1:
        trump = trumps[0]
    if trump is None:
        raise ContractError(
            f"{kind.name} needs a trump, {listed(trumps, 'or')}, "
            f"as in {kind.id + ' ' + trumps[0]!r}",
            "trump-missing",
        )
    return kind, trump, called


def _read_hand(rules: Rules, hand: str | Iterable[str]) -> tuple[str, ...]:
    """Read the cards of a hand, and check their number and that each belongs to the pack."""
    cards = tuple(parse_hand(hand) if isinstance(hand, str) else _cards(hand))
    size = rules.game.hand_size
    odd = next((card for card in cards if card not in rules.deck), None)
    if odd is not None:
        raise CardError(f"{odd} is not in the pack of {rules.game.name}", "card-not-in-deck")
    twice = next((card for card in cards if cards.count(card) > 1), None)
    if twice is not None:
        raise DealError(f"{twice} is held twice", "card-duplicate")
    if len(cards) != size:
        raise DealError(
            f"a hand of {rules.game.name} has {size} cards, not {many(len(cards), 'card')}",
            "hand-size",
        )
    return tuple(sorted(cards, key=CARD_ORDER.__getitem__))


def _cards(hand: Iterable[str]) -> Iterator[str]:
    if not isinstance(hand, Iterable):
        raise ArgumentError(f"a hand must be text or cards, not {quoted(hand)}")
    for card in hand:
        check_type(card, str, "cards are text")
        yield parse_card(card)
