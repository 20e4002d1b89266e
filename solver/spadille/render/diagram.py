"""Hands around the table, each at its seat.

Seats go clockwise: the compass with North at the top, or with three or five players, seat 1 at the
bottom. Known trumps are grouped in their suit's row, from high to low, with matadors and other
permanent trumps as whole cards: "♦ ♠A ♦7 ♣A K4". Other ranks are sorted as the game ranks them: in
Ombre, red aces come below jacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from spadille.base.card_text import NO_TRUMP, SUITS
from spadille.core.deal import Deal
from spadille.games.model.deal_protocols import Hands
from spadille.games.model.game import Rules
from spadille.render.tables import WIDTH
from spadille.render.text import (
    card_text,
    cards_text,
    columns,
    padded,
    printable,
    rank_text,
    suit_text,
    wrapped,
)

UNKNOWN = "?"
VOID = "-"

# The seats in each row of the drawing: one in the middle, or two at the sides.
SEATING: dict[int, tuple[tuple[int, ...], ...]] = {
    3: ((1, 2), (0,)),
    4: ((0,), (3, 1), (2,)),
    5: ((2, 3), (1, 4), (0,)),
}
_GAP = 2  # minimum number of columns between two hands side by side
_MOST = {3: 8, 4: 40, 5: 16}  # maximum, by the number of players
_LABEL = 20  # columns of a name before it continues on the next line


def diagram(deal: Deal, *, symbols: bool = True, width: int = WIDTH) -> str:
    """Draw a deal: the game, its hands around the table, and the undealt cards.

    With `symbols`, suits are written as ♠♥♦♣, otherwise as letters.
    """
    lines = wrapped(heading(deal, symbols), width, "  ")
    lines += hands_lines(deal, symbols=symbols, width=width)
    if text := undealt_text(deal, symbols):
        lines += wrapped(text, width, "  ")
    return "\n".join(lines)


def hands_lines(
    deal: Deal,
    hands: Hands | None = None,
    *,
    seen: Hands | None = None,
    trump: str | None = None,
    names: Mapping[str, str] | None = None,
    symbols: bool = True,
    width: int = WIDTH,
) -> list[str]:
    """Draw hands around the table, or one below the other if `width` is too small.

    If `hands` is given, it is drawn instead of the dealt hands, for example to show only the
    remaining cards. `seen` has known cards in unknown hands, whose other cards are drawn as "?".
    The dealer is marked.
    """
    held = deal.hands if hands is None else hands
    labels = {seat: player_label(deal, seat, names) for seat in deal.rules.seats}
    rows = {
        seat: _rows(deal.rules, held[seat], trump, symbols, (seen or {}).get(seat))
        for seat in labels
    }
    widest = max(columns(row) for texts in rows.values() for row in texts)
    longest = max(map(columns, labels.values()))
    wide = max(widest, min(_LABEL, longest, (width - _GAP) // 2))
    heads = {seat: wrapped(labels[seat], wide) for seat in labels}
    gap = max(min(wide, width - 2 * wide, _MOST[len(labels)]), _GAP)
    whole = 2 * wide + gap
    if whole > width:
        return _below(labels, rows, width)
    lines: list[str] = []
    for number, row in enumerate(SEATING[len(labels)]):
        seats = [deal.rules.seats[place] for place in row]
        # With five players, two sit further up and closer together.
        inset = (gap - _GAP) // 3 if len(labels) == 5 and not number else 0
        indent = " " * inset
        for part in (heads, rows):
            blocks = [part[seat] for seat in seats]
            drawn = _side_by_side(blocks, whole - 2 * inset, wide, top=part is rows)
            lines += [(indent + line).rstrip() for line in drawn]
    return lines


def holdings(
    rules: Rules, cards: Iterable[str], trump: str | None = None, symbols: bool = True
) -> dict[str, str]:
    """Return the holding in each suit as text, from high to low, "-" for a void.

    Without a trump, suits are as printed.
    """
    held = frozenset(cards)
    by_suit = {}
    for suit in SUITS:
        whole: list[str] = []
        ranks = ""
        for card in _order(rules, suit, trump):
            if card not in held:
                continue
            if trump == suit and (card[0] != suit or card in rules.matadors(trump)):
                whole.append(card_text(card, symbols))
            else:
                ranks += rank_text(card[1])
        by_suit[suit] = " ".join([*whole, *[ranks][: bool(ranks)]]) or VOID
    return by_suit


def _order(rules: Rules, suit: str, trump: str | None) -> Sequence[str]:
    """Return the cards of a suit from high to low."""
    if trump is not None:
        return rules.suits(trump)[suit]
    # Cards are sorted as in a plain suit; permanent trumps are placed by their printed ranks.
    cards = rules.suits("H" if suit == "S" else "S")[suit]
    full = len(cards) == len(rules.game.ranks)
    return cards if full else [suit + rank for rank in rules.game.ranks]


def hand_text(rules: Rules, cards: Iterable[str] | None, *, symbols: bool = True) -> str:
    """Write a hand on one line, suit by suit: "♠ AK ♥ QJ ♦ - ♣ 987"."""
    return "  ".join(_rows(rules, cards, None, symbols))


def _rows(
    rules: Rules,
    cards: Iterable[str] | None,
    trump: str | None,
    symbols: bool,
    seen: Iterable[str] | None = None,
) -> list[str]:
    held = known_holdings(rules, cards, seen, trump, symbols)
    rows = [f"{suit_text(suit, symbols)} {text}" for suit, text in held.items()]
    return [*rows, UNKNOWN] if cards is None else rows


def known_holdings(
    rules: Rules,
    cards: Iterable[str] | None,
    seen: Iterable[str] | None,
    trump: str | None = None,
    symbols: bool = True,
) -> dict[str, str]:
    """Return `holdings` of a hand or, for an unknown hand, the suits with known cards."""
    if cards is not None:
        return holdings(rules, cards, trump, symbols)
    by_suit = holdings(rules, seen or (), trump, symbols)
    return {suit: text for suit, text in by_suit.items() if text != VOID}


def player_label(deal: Deal, seat: str, names: Mapping[str, str] | None = None) -> str:
    """Return a player's label above the hand: "N Anna (dealer)"."""
    name = (names or {}).get(seat, "")
    return " ".join([seat, *printable(name).split(), *["(dealer)"][: seat == deal.dealer]])


def heading(deal: Deal, symbols: bool = True) -> str:
    """Return a line with the game and the special features of the deal."""
    parts = [deal.rules.game.name]
    if deal.turn_up is not None:
        parts.append(f"turn-up {card_text(deal.turn_up, symbols)}")
    elif deal.current_trump is not None:
        current = deal.current_trump
        trump = "none" if current == NO_TRUMP else suit_text(current, symbols)
        parts.append(f"current trump {trump}")
    if deal.leader is not None:
        parts.append(f"{deal.leader} on lead")
    if deal.won:
        parts.append("won: " + " ".join(f"{seat} {won}" for seat, won in deal.won.items()))
    return ", ".join(parts)


def undealt_text(deal: Deal, symbols: bool = True) -> str:
    """Return a line with the undealt cards, or "" if there are none."""
    if not deal.undealt or not deal.rules.game.talon_size:
        return ""
    name = deal.rules.game.talon_name
    if deal.talon_ordered:
        return f"{name}, top first: {cards_text(deal.undealt, symbols)}"
    return f"{name}: {hand_text(deal.rules, deal.undealt, symbols=symbols)}"


def _side_by_side(blocks: Sequence[list[str]], whole: int, wide: int, *, top: bool) -> list[str]:
    """Place blocks side by side, aligned at their first lines (hands) or last lines (names)."""
    if len(blocks) == 1:
        indent = " " * ((whole - wide) // 2)
        return [(indent + line).rstrip() for line in blocks[0]]
    height = max(map(len, blocks))
    blanks = [[""] * (height - len(block)) for block in blocks]
    left, right = (
        [*block, *fill] if top else [*fill, *block]
        for block, fill in zip(blocks, blanks, strict=True)
    )
    return [
        (padded(first, whole - wide) + two).rstrip() for first, two in zip(left, right, strict=True)
    ]


def _below(labels: Mapping[str, str], rows: Mapping[str, list[str]], width: int) -> list[str]:
    lines: list[str] = []
    for seat, text in labels.items():
        line = "  ".join([text, *rows[seat]])
        if columns(line) <= width:
            lines.append(line)
        else:
            lines += [piece for line in (text, *rows[seat]) for piece in wrapped(line, width, "  ")]
    return lines
