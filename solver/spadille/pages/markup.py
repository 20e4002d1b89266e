"""Text for the templates: escaped, with cards and suits marked up."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from spadille.base.card_text import SUITS
from spadille.render.text import SYMBOLS, printable

_OF = {symbol: suit.lower() for suit, symbol in SYMBOLS.items()}
_RANKS = "[2-9TJQKA]"
# Suit symbols, with the ranks that follow them.
_SYMBOL = re.compile(rf"([♠♥♦♣]){_RANKS}*")
_LETTERS = re.compile(rf"\b([{''.join(SUITS)}])({_RANKS})\b")
_TRUMP = re.compile(rf"^[{''.join(SUITS)}](?=: )|(?<=[a-z] )[{''.join(SUITS)}](?= |$)")
_MAKES = re.compile(r"[-+\d]+\*")
_CELL = re.compile(r"([> ]?)([♠♥♦♣][2-9TJQKA])(\*?)(\?{0,2})")


def plain(text: object) -> Markup:
    """Escape text from a file and show its control characters, without further markup."""
    return escape(printable(str(text)))


def suited(text: object) -> Markup:
    """Color the suit symbols in a string."""
    return Markup(_SYMBOL.sub(lambda match: _span(match[1], match[0]), plain(text)))


def carded(text: object) -> Markup:
    """Mark up text written by spadille, where "HQ" is a card (in a file, it could be a name)."""
    return suited(_cards(text))


def called(text: object) -> Markup:
    """Write a choice before the play, such as "2 entrada S" or "H: +4"; letters are trumps."""
    return suited(_TRUMP.sub(lambda match: SYMBOLS[match[0]], _cards(text)))


def cell(text: object) -> Markup:
    """Write a card in a trick, with signs for the lead, the winner and the mark."""
    match = _CELL.fullmatch(_cards(text))
    if match is None:
        return carded(text)
    lead, card, wins, mark = match.groups()
    html = _span(card[0], card)
    if wins:
        html = f"<b>{html}</b>"
    if lead == ">":
        html = f'<i class="lead">▸</i>{html}'
    if mark:
        html += f'<em class="{"worse" if len(mark) > 1 else "bad"}">{mark}</em>'
    return Markup(html)


def made(text: object) -> Markup:
    """Write the value of a contract, highlighted if it makes, like "6* HA"."""
    html = carded(text)
    return Markup(f"<b>{html}</b>") if _MAKES.match(str(text)) else html


def _cards(text: object) -> str:
    return _LETTERS.sub(lambda match: SYMBOLS[match[1]] + match[2], str(text))


def _span(symbol: str, text: str) -> str:
    # The board also writes the ten as 10.
    return f'<i class="{_OF[symbol]}">{text.replace("T", "10")}</i>'
