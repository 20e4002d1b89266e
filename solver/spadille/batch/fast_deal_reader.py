"""A fast reader for deals that differ only in their cards.

The frame of a deal is all its tags except `Deal` and `Board`. The first deal of each frame is read
in full (`spadille.pbn.entry`). In later deals, only the cards are read. A deal has no frame if
its record depends on the cards in another way: with a called card, a contract decided by the holder
of a card, an exchange, recorded play or an auction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from spadille.base.card_text import CARD_ORDER, SUITS, format_hand, parse_hand
from spadille.base.errors import CardError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.game import Rules
from spadille.pbn.entry import Entry
from spadille.pbn.parse_document import parse
from spadille.pbn.session_facts import Session
from spadille.pbn.tags import TagReader
from spadille.pbn.write_deals import block

# Tags that do not affect how the cards are read.
# fmt: off
_TAGS = frozenset({
    "Event", "Site", "Date", "Scoring", "Vulnerable", "North", "East", "South", "West", "Board",
    "Game", "Rules", "Dealer", "Deal", "CurrentTrump", "Declarer", "Contract", "Trump", "Penalty",
})
# fmt: on
_MOST = 1 << 12  # limits of the caches for frames and holdings


class Frame(NamedTuple):
    """The properties shared by all deals with the same frame."""

    rules: Rules
    deal: Deal
    """The first deal of the frame."""
    contract: Contract | None
    seats: int
    size: int
    """The number of cards in a hand."""
    pack: int
    """All cards of the pack, as a bit set."""
    turned: int
    """The number of hands in the record that come before the hand of the game's first seat."""
    row: int
    """The line of the `Deal` tag, counted from 0."""
    before: str
    """The part of the deal's canonical text that precedes the hands."""
    after: str
    """The part of the deal's canonical text that follows the hands."""


class Framed(NamedTuple):
    """A valid deal and its frame."""

    frame: Frame
    board: str | None
    hands: list[str]
    """The hands as written, in canonical form."""

    @property
    def question(self) -> str:
        """The deal as canonical text."""
        frame, hands = self.frame, self.hands
        if frame.turned:
            hands = hands[frame.turned :] + hands[: frame.turned]
        return f"{frame.before}{' '.join(hands)}{frame.after}"


class Frames:
    """Reads deals by frame, in one file or in several with the same game and options."""

    def __init__(
        self,
        game: str | None = None,
        options: Mapping[str, str] | None = None,
        *,
        contracts: bool = True,
        sound: bool = False,
    ) -> None:
        """`game` and `options` work as in `load`; with `sound`, hands are not checked again."""
        self._contracts = contracts
        self._sound = sound
        self._game = game
        self._options = options or {}
        self._frames: dict[str, Frame | None] = {}
        self._masks: tuple[dict[str, int], ...] = ({}, {}, {}, {})

    def read(self, text: str) -> Framed | None:
        """Read a game of one-line tags; return None if it must be read in full."""
        start = text.find('[Deal "') + 7
        stop = text.find('"]\n', start)
        colon = start + 2
        if start == 6 or text[colon - 1 : colon] != ":":
            return None
        hands = text[colon:stop].split(" ")
        if "-" in hands:  # unknown, or determined by the rest of the pack
            return None
        board = None
        at = text.find('[Board "')
        if at < 0:
            key = f"{text[:colon]}{text[stop:]}"
        else:
            at += 8
            end = text.find('"]\n', at)
            board = text[at:end]
            if at < start:
                key = f"{text[:at]}{text[end:colon]}{text[stop:]}"
            else:
                key = f"{text[:colon]}{text[stop:at]}{text[end:]}"
        frame = self._frames[key] if key in self._frames else self._new(key, text)
        if frame is None or not (self._sound or self._are_sound(hands, frame)):
            return None
        if board is not None:
            board = board.strip()
            if board in ("", "?"):
                board = None
        return Framed(frame, board, hands)

    def _are_sound(self, hands: list[str], frame: Frame) -> bool:
        """Return whether these hands are in canonical form and make up a deal."""
        if len(hands) != frame.seats:
            return False
        size = frame.size
        spades, hearts, diamonds, clubs = self._masks
        every = 0
        try:
            for hand in hands:
                s, h, d, c = hand.split(".")
                cards = spades[s] | hearts[h] | diamonds[d] | clubs[c]
                if cards.bit_count() != size or cards & every:
                    return False
                every |= cards
        except ValueError:
            return False
        except KeyError:
            return self._learn(hands) and self._are_sound(hands, frame)
        return not every & ~frame.pack

    def _learn(self, hands: list[str]) -> bool:
        """Add holdings to the cache; return False if one of them is not in canonical form."""
        for hand in hands:
            suits = hand.split(".")
            if len(suits) != len(SUITS):
                return False
            for number, (ranks, masks) in enumerate(zip(suits, self._masks, strict=True)):
                if ranks in masks:
                    continue
                try:
                    cards = parse_hand("." * number + ranks + "." * (3 - number))
                except CardError:
                    return False
                if "".join(card[1] for card in cards) != ranks or len({*cards}) < len(cards):
                    return False
                if len(masks) >= 1 << 13:
                    masks.clear()
                masks[ranks] = sum(1 << CARD_ORDER[card] for card in cards)
        return True

    def _new(self, key: str, text: str) -> Frame | None:
        """Read a game in full and store its frame, unless the game has faults."""
        (game,) = parse(text).games
        entry = Entry(game, self._game, self._options, Session())
        if _TAGS.issuperset(game.first) and entry.faults:
            return None
        if len(self._frames) >= _MOST:
            self._frames.clear()
        frame = self._frames[key] = self._frame(entry, text)
        return frame

    def _frame(self, entry: Entry, text: str) -> Frame | None:
        game = entry.game
        deal, contract = entry.deal, entry.contract if self._contracts else None
        if not _TAGS.issuperset(game.first) or deal is None or entry.faults:
            return None
        if contract is None and self._contracts:
            return None
        rules = deal.rules
        # If a deal inherits the current trump, earlier deals have already determined it.
        changing = rules.game.changing
        written = TagReader(game).rules(self._game, self._options)
        if written is None or (changing and written.options[changing.option] == changing.value):
            return None
        if rules.game.course.trumps and deal.current_trump is None:
            return None  # the current trump may depend on the number of the deal
        if contract is not None and any(
            kind.side in ("called", "partner") or kind.holder is not None
            for kind in map(rules.contract, contract.ids)
        ):
            return None
        first = game.first["Deal"].value[0]
        if first not in rules.seats or None in deal.hands.values():
            return None
        before, after = block((deal, contract) if contract else deal).split(
            " ".join(format_hand(deal.hands[seat] or ()) for seat in rules.seats)
        )
        turned = -rules.seats.index(first) % len(rules.seats)
        row = text.count("\n", 0, game.first["Deal"].start)
        pack = sum(1 << CARD_ORDER[card] for card in rules.deck)
        seats, size = len(rules.seats), rules.game.hand_size
        return Frame(
            rules=rules,
            deal=deal,
            contract=contract,
            seats=seats,
            size=size,
            pack=pack,
            turned=turned,
            row=row,
            before=before,
            after=after,
        )
