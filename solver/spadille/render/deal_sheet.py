"""The sheet of a deal: hands, auction, contract, exchange and play.

Unknown parts are left out. A sheet is a sequence of parts that can be drawn as text, as HTML or as
plain tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from spadille.base.argument_checks import check_type, whole_number
from spadille.base.card_text import NO_TRUMP, SUIT_NAMES, SUITS
from spadille.base.errors import ArgumentError, IllegalCardError
from spadille.base.words_for_messages import many, seat_name
from spadille.core.arguments import auction_words, check_deal, contract_and_play
from spadille.core.contract import Contract, first_leader
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games.model.contract_types_and_options import Surrender
from spadille.games.model.deal_protocols import Hands
from spadille.render.diagram import (
    UNKNOWN,
    hands_lines,
    heading,
    known_holdings,
    player_label,
    undealt_text,
)
from spadille.render.html import hands_html, inline, paragraph, table_html
from spadille.render.play_and_auction_grids import DrawnTrick, auction_grid, play_grid, tricks_of
from spadille.render.tables import WIDTH, Row, TextTable, table_lines
from spadille.render.text import card_text, cards_text, printable, suit_text, wrapped


@dataclass(frozen=True, slots=True)
class Round:
    """Hands around the table."""

    hands: Hands
    title: str = ""
    seen: Hands = field(default_factory=dict)
    """Cards of unknown hands that the play reveals."""


SheetPart = str | TextTable | Round


@dataclass(frozen=True, slots=True, repr=False)
class Sheet:
    """A deal with its auction, contract, exchange and play, ready for drawing.

    `auction` is the first seat to call and all calls in turn. `tricks` are those played; the last
    may be incomplete. With `rest`, only the remaining cards are drawn. `names` maps seats to names;
    the `question` comes last. After a `surrender`, `contract` is the contract of the player who
    took over.
    """

    deal: Deal
    contract: Contract | None = None
    auction: tuple[str, Sequence[str]] | None = None
    tricks: Sequence[DrawnTrick] = ()
    rest: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    symbols: bool = True
    question: str = ""
    solution: str = ""
    surrender: Surrender | None = None

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        of = "" if self.contract is None else f": {self.contract}"
        return f"<Sheet {self.deal.rules.game.id}{of}>"

    def _repr_html_(self) -> str:
        return self.html()

    @property
    def trump(self) -> str | None:
        """The trump, or None if it is unknown."""
        return None if self.contract is None else self.contract.trump

    def parts(self) -> Iterator[SheetPart]:
        """Yield the parts from top to bottom."""
        deal = self.deal
        yield heading(deal, self.symbols)
        if not self.rest:
            yield Round(deal.hands, "As dealt" if deal.exchangers else "", self._seen())
        if undealt := undealt_text(deal, self.symbols):
            yield undealt
        if self.auction is not None and self.auction[1]:
            calls = auction_grid(deal.rules, *self.auction, symbols=self.symbols)
            yield calls._replace(title="Auction")
        if self.contract is not None:
            given, contract = self.surrender, self.contract
            if given is not None:
                contract = contract.taken_over(given.seat)  # as it was bid
            yield contract_text(deal, contract, self.names, symbols=self.symbols)
            if given is not None:
                yield surrender_text(given, self.names)
        if deal.exchangers:
            yield exchange_table(deal, self.symbols)
            if not self.rest and not deal.undecided:
                yield Round(deal.playing_hands(), "As played")
        if self.contract is not None and self.tricks:
            play = play_grid(
                deal.rules, self.contract, self.tricks, won=deal.won, symbols=self.symbols
            )
            yield play._replace(title="Play")
        if self.rest and self.contract is not None:
            yield Round(self.left(), self._point())
        if self.question:
            yield printable(self.question)
        if self.solution:
            yield printable(self.solution)

    def left(self) -> Hands:
        """Return the hands without the cards played."""
        played = {card for trick in self.tricks for card in trick.cards}
        return {
            seat: None if hand is None else tuple(card for card in hand if card not in played)
            for seat, hand in self._played().items()
        }

    def _seen(self) -> Hands:
        """Return the cards that each seat has played; empty if some may have been drawn."""
        hands: dict[str, tuple[str, ...]] = {}
        if not self.deal.exchangers:
            for trick in self.tricks:
                turn = self.deal.rules.in_turn(trick.leader)
                for seat, card in zip(turn, trick.cards, strict=False):
                    hands[seat] = (*hands.get(seat, ()), card)
        return hands

    def _played(self) -> Hands:
        """Return the hands at the start of play, or the dealt hands if those are unknown."""
        return self.deal.hands if self.deal.undecided else self.deal.playing_hands()

    def to_play(self) -> str | None:
        """Return whose turn it is, or None if all cards are played or the leader is unknown."""
        if self.contract is None or not any(self.left().values()):
            return None
        if not self.tricks:
            return first_leader(self.deal, self.contract)
        last = self.tricks[-1]
        return last.winner or self.deal.rules.in_turn(last.leader)[len(last.cards)]

    def _point(self) -> str:
        """Return a sentence on how far the play has gone."""
        played = sum(len(trick.cards) for trick in self.tricks)
        seat = self.to_play()
        if seat is None:
            return "Played to the end"
        lying = () if not self.tricks or self.tricks[-1].winner else self.tricks[-1].cards
        to = f" to {cards_text(lying, self.symbols)}" if lying else ""
        after = f"After {many(played, 'card')}" if played else "Before the first card"
        return f"{after}, {_player(seat, self.names)} to play{to}"

    def blocks(self, width: int = WIDTH) -> Iterator[tuple[str, list[str]]]:
        """Yield each part as its title and its lines, none wider than `width`."""
        for part in self.parts():
            if isinstance(part, str):
                yield "", wrapped(part, width, "  ")
            elif isinstance(part, TextTable):
                yield part.title, table_lines(part, width)
            else:
                yield (
                    part.title,
                    hands_lines(
                        self.deal,
                        part.hands,
                        seen=part.seen,
                        trump=self.trump,
                        names=self.names,
                        symbols=self.symbols,
                        width=width,
                    ),
                )

    def text(self, width: int = WIDTH) -> str:
        """Draw the sheet as text."""
        blocks = []
        for title, lines in self.blocks(width):
            blocks.append("\n".join([*wrapped(title, width)[: bool(title)], *lines]))
        top = wrapped(self.title, width)[: bool(self.title)]
        return "\n\n".join([*top, *blocks])

    def html(self) -> str:
        """Draw the sheet as a fragment of HTML."""
        blocks = [f"<h1>{inline(self.title)}</h1>"] if self.title else []
        for part in self.parts():
            if isinstance(part, str):
                blocks.append(paragraph(part))
            elif isinstance(part, TextTable):
                blocks.append(table_html(part))
            else:
                blocks += [paragraph(part.title)] if part.title else []
                blocks.append(
                    hands_html(
                        self.deal, part.hands, seen=part.seen, trump=self.trump, names=self.names
                    )
                )
        return "\n".join(blocks)

    def tables(self) -> Iterator[TextTable]:
        """Yield the parts as tables, for formats without other layouts; a string is a title."""
        if self.title:
            yield TextTable(("",), (), self.title)
        for part in self.parts():
            if isinstance(part, str):
                yield TextTable(("",), (), part)
            elif isinstance(part, TextTable):
                yield part
            else:
                suits = [suit_text(suit, self.symbols) for suit in SUITS]
                yield TextTable(("hand", *suits), self._hand_rows(part), part.title)

    def _hand_rows(self, drawn: Round) -> list[Row]:
        rows: list[Row] = []
        for seat, hand in drawn.hands.items():
            seen = drawn.seen.get(seat)
            held = known_holdings(self.deal.rules, hand, seen, self.trump, self.symbols)
            rest = UNKNOWN if hand is None else ""
            cells = [" ".join(filter(None, (held.get(suit), rest))) for suit in SUITS]
            rows.append((player_label(self.deal, seat, self.names), *cells))
        return rows


def show(
    deal: Deal,
    contract: Contract | str | None = None,
    play: str | Iterable[str] = (),
    *,
    auction: str | Iterable[str] = (),
    after: int | None = None,
    names: Mapping[str, str] | None = None,
) -> Sheet:
    """Draw a deal with contract and play, which may be strings: "N solo H" and "D9 DQ".

    `auction` has the calls in turn, starting with eldest; `names` maps seats to the players' names.
    With `after`, the play ends after that number of cards, and only the remaining cards of the
    hands are shown. Raises ContractError for an invalid contract, IllegalCardError for illegal
    cards or for fewer cards than `after`, RulesError for play from unknown hands, and ArgumentError
    for play without a contract or for invalid names.
    """
    check_deal(deal)
    check_type(names or {}, Mapping, "names must map seats to players")
    players = dict(names or {})
    for seat, name in players.items():
        if seat not in deal.rules.seats or not isinstance(name, str):
            raise ArgumentError(f"names must map seats to text, not {seat!r}: {name!r}")
    calls = auction_words(auction)
    contract_played, cards = (
        (None, ()) if contract is None else contract_and_play(deal, contract, play)
    )
    if contract is None and (play or after):
        raise ArgumentError("play needs a contract, which determines the leader and the trump")
    if after is not None:
        after = whole_number(after, None, "after must be a number of cards")
        if not 0 <= after <= len(cards):
            message = f"the play has {many(len(cards), 'card')}, not {after}"
            raise IllegalCardError(message, "play-too-short")
    return Sheet(
        deal,
        contract_played,
        (deal.rules.eldest(deal.dealer), calls) if calls else None,
        [] if contract_played is None else _played(deal, contract_played, cards[:after]),
        rest=after is not None and contract_played is not None,
        names=players,
    )


def _played(deal: Deal, contract: Contract, cards: Sequence[str]) -> list[DrawnTrick]:
    """Return the tricks of the play from its first card; may raise IllegalCardError."""
    if not cards:
        return []
    position = Position.of(deal, contract)
    for card in cards:
        position.play(card)
    size = len(deal.rules.seats)
    return tricks_of(
        deal, contract, [cards[start : start + size] for start in range(0, len(cards), size)]
    )


def contract_text(
    deal: Deal,
    contract: Contract,
    names: Mapping[str, str] | None = None,
    *,
    symbols: bool = True,
    spelled: bool = False,
) -> str:
    """Describe the contract: "Frog by N Anna with S, who holds the called ♥A; trumps ♦".

    `spelled` writes seats like the board of a page: "North", "Player 1".
    """
    rules = deal.rules
    kind = rules.contract(contract.ids[0])
    by: dict[str, list[str]] = {}
    for seat, contract_id in zip(contract.declarers, contract.ids, strict=True):
        by.setdefault(rules.contract(contract_id).name, []).append(_player(seat, names, spelled))
    phrases = [
        f"{name} by all" if kind.side == "all" else f"{name} by {' and '.join(players)}"
        for name, players in by.items()
    ]
    if contract.partner is not None:
        phrases[-1] += f" with {_player(contract.partner, names, spelled)}"
        if contract.called is not None:
            phrases[-1] += f", who holds the called {card_text(contract.called, symbols)}"
    elif contract.called is not None:
        phrases[-1] += f", calling {card_text(contract.called, symbols)}"
    elif kind.side == "called":
        phrases[-1] += ", who calls nobody"
    if contract.trump is None:
        phrases.append("trumps are named with the declarer's first card")
    elif contract.trump == NO_TRUMP:
        phrases.append("no trumps")
    else:
        color = " (Color)" if contract.trump == rules.color else ""
        phrases.append(f"trumps {_suit(contract.trump, symbols)}{color}")
    if contract.penalty is not None:
        phrases.append(f"penalty suit {_suit(contract.penalty, symbols)}")
    if kind.aim == "tricks" and len(contract.declarers) == 1:
        phrases.append(f"needs {many(kind.target, 'trick')}")
    if deal.from_hand:
        phrases.append(f"from the hand: {' '.join(deal.from_hand)}")
    if rules.game.ante:
        phrases.append(f"pool {rules.pool(deal)}")
    return "; ".join(phrases)


def surrender_text(
    given: Surrender, names: Mapping[str, str] | None = None, *, spelled: bool = False
) -> str:
    """Describe a surrender: "1 Bob surrenders before trick 2, and 2 Ann takes over".

    `spelled` writes seats like `contract_text`.
    """
    text = f"{_player(given.seat, names, spelled)} surrenders before trick {given.trick}"
    if given.taken_over is not None:
        return f"{text}, and {_player(given.taken_over, names, spelled)} takes over"
    agreed = " and ".join(_player(seat, names, spelled) for seat in given.agreed)
    return f"{text}; {agreed} agree" if agreed else text


def _suit(suit: str, symbols: bool) -> str:
    return suit_text(suit) if symbols else SUIT_NAMES[suit]


def _player(seat: str, names: Mapping[str, str] | None, spelled: bool = False) -> str:
    label = seat_name(seat) if spelled else seat
    return " ".join([label, *printable((names or {}).get(seat, "")).split()])


def exchange_table(deal: Deal, symbols: bool = True) -> TextTable:
    """Return the cards that each player discarded and drew."""
    rows = []
    pile = list(deal.drawable)
    for seat in deal.exchangers:
        away = deal.discard.get(seat, ())
        taken = deal.drawn.get(seat, tuple(pile[: len(away)]))
        known = seat in deal.drawn or deal.hands.get(seat) is not None
        pile = [card for card in pile if card not in taken]
        if deal.rules.game.passes_on:
            pile += away
        drawn = cards_text(taken, symbols) if known else UNKNOWN
        rows.append((seat, cards_text(away, symbols), drawn))
    return TextTable(("player", "discards", "draws"), rows, "Exchange")
