"""A deal as a diagram: the hands around the table, in their seats.

Seats go clockwise, as players sit: the compass with North above, with three and five players seat
1 below. Ranks stand from high to low as in a suit that is not trumps: in Ombre red aces below
jacks. A card that is always a trump stands where its rank is printed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from textwrap import wrap

from spadille.cards import SUITS, sort_cards
from spadille.deal import Deal
from spadille.render.text import RED, SYMBOLS
from spadille.rules import Rules

# Rows of the table, each the seats it shows: one in the middle, or one on either side.
_SEATING: dict[int, tuple[tuple[int, ...], ...]] = {
    3: ((1, 2), (0,)),
    4: ((0,), (3, 1), (2,)),
    5: ((2, 3), (1, 4), (0,)),
}
_GAP = 2  # columns between two hands side by side, at least
_UNKNOWN = "?"
_VOID = "-"


def diagram(deal: Deal, *, symbols: bool = True, width: int = 80) -> str:
    """Draw the hands around the table; where `width` columns are too few, one below the other.

    `symbols` writes suits as ♠♥♦♣, otherwise as letters. The dealer is marked; what was not dealt
    stands below.
    """
    blocks = [_block(deal, seat, symbols) for seat in deal.rules.seats]
    widths = [max(map(len, block)) for block in blocks]
    rows = _SEATING[len(blocks)]
    wide = max(widths)
    pairs = [row for row in rows if len(row) == 2]
    gap = max(_GAP, wide if len(blocks) == 4 else _GAP)
    needed = 2 * wide + gap
    if pairs and needed > width:
        gap = max(_GAP, width - 2 * wide)
        needed = 2 * wide + gap
    lines = _wrapped(_heading(deal), width)
    if needed > width:
        lines += _below(deal, symbols, width)
    else:
        for row in rows:
            lines += _side_by_side([blocks[number] for number in row], needed, wide)
    for line in _undealt(deal, symbols):
        lines += _wrapped(line, width)
    return "\n".join(line.rstrip() for line in lines)


def holdings(deal: Deal, cards: Iterable[str]) -> dict[str, str]:
    """Return suit -> ranks, as printed, from high to low as the game ranks a plain suit."""
    held = sort_cards(cards)
    found = {}
    for suit in SUITS:
        order = _order(deal.rules, suit)
        found[suit] = "".join(
            sorted((card[1] for card in held if card[0] == suit), key=order.index)
        )
    return found


def _order(rules: Rules, suit: str) -> str:
    """Return all ranks of a suit from high to low where it is not trumps."""
    printed = rules.game.ranks
    cards = rules.suits("H" if suit == "S" else "S")[suit]
    return printed if len(cards) < len(printed) else "".join(card[1] for card in cards)


def hand_text(deal: Deal, cards: Iterable[str] | None, *, symbols: bool = True) -> str:
    """Write a hand in one line, suit by suit: "♠ AK ♥ QJ ♦ - ♣ 987"."""
    if cards is None:
        return _UNKNOWN
    return " ".join(
        f"{_suit(suit, symbols)} {ranks or _VOID}" for suit, ranks in holdings(deal, cards).items()
    )


def _suit(suit: str, symbols: bool) -> str:
    return SYMBOLS[suit] if symbols else suit


def _name(deal: Deal, seat: str) -> str:
    return f"{seat} (dealer)" if seat == deal.dealer else seat


def _heading(deal: Deal) -> str:
    parts = [deal.rules.game.name]
    if deal.current_trump is not None:
        parts.append(f"current trump {deal.current_trump}")
    if deal.leader is not None:
        parts.append(f"{deal.leader} on lead")
    if deal.won:
        parts.append("won: " + " ".join(f"{seat} {won}" for seat, won in deal.won.items()))
    return ", ".join(parts)


def _block(deal: Deal, seat: str, symbols: bool) -> list[str]:
    hand = deal.hands[seat]
    if hand is None:
        return [_name(deal, seat), _UNKNOWN]
    return [
        _name(deal, seat),
        *(
            f"{_suit(suit, symbols)} {ranks or _VOID}"
            for suit, ranks in holdings(deal, hand).items()
        ),
    ]


def _side_by_side(blocks: Sequence[list[str]], needed: int, wide: int) -> list[str]:
    height = max(map(len, blocks))
    columns = [[*block, *[""] * (height - len(block))] for block in blocks]
    if len(columns) == 1:
        indent = " " * ((needed - wide) // 2)
        return [indent + line for line in columns[0]]
    left, right = columns
    return [f"{one:<{needed - wide}}{two}" for one, two in zip(left, right, strict=True)]


def _below(deal: Deal, symbols: bool, width: int) -> list[str]:
    lines = []
    for seat, hand in deal.hands.items():
        text = hand_text(deal, hand, symbols=symbols)
        name = _name(deal, seat)
        if len(name) + 2 + len(text) <= width:
            lines.append(f"{name}  {text}")
        else:
            lines += _block(deal, seat, symbols)
    return lines


def _wrapped(text: str, width: int) -> list[str]:
    return wrap(text, max(width, 8), subsequent_indent="  ", break_long_words=False)


def _undealt(deal: Deal, symbols: bool) -> list[str]:
    if not deal.undealt or not deal.rules.game.talon_size:
        return []
    if deal.talon_ordered:
        cards = " ".join(_suit(card[0], symbols) + card[1] for card in deal.undealt)
        return [f"{deal.rules.game.talon_name}, top first: {cards}"]
    return [f"{deal.rules.game.talon_name}: {hand_text(deal, deal.undealt, symbols=symbols)}"]


def html_diagram(deal: Deal) -> str:
    """Draw the same as an HTML table, for notebooks; needs no style sheet."""
    seats = deal.rules.seats
    rows = []
    for row in _SEATING[len(seats)]:
        cells = [_html_hand(deal, seats[number]) for number in row]
        if len(cells) == 1:
            cells = ["", cells[0], ""] if len(seats) == 4 else [cells[0]]
        elif len(seats) == 4:
            cells = [cells[0], "", cells[1]]
        span = ' colspan="2"' if len(cells) == 1 else ""
        rows.append("<tr>" + "".join(f"<td{span}>{cell}</td>" for cell in cells) + "</tr>")
    below = "".join(f"<div>{escape(line)}</div>" for line in _undealt(deal, symbols=True))
    heading = escape(_heading(deal))
    return f"<div>{heading}</div><table>{''.join(rows)}</table>{below}"


def _html_hand(deal: Deal, seat: str) -> str:
    hand = deal.hands[seat]
    lines = [f"<b>{escape(_name(deal, seat))}</b>"]
    if hand is None:
        lines.append(_UNKNOWN)
    else:
        for suit, ranks in holdings(deal, hand).items():
            color = ' style="color:#b00"' if suit in RED else ""
            lines.append(f"<span{color}>{SYMBOLS[suit]}</span> {ranks or _VOID}")
    return "<br>".join(lines)
