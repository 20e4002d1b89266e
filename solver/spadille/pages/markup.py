"""Text as the templates write it: escaped, with its cards and suits marked."""

from __future__ import annotations

import re

from markupsafe import Markup, escape

from spadille.base.card_text import SUITS
from spadille.render.text import SYMBOLS, printable

_OF = {symbol: suit.lower() for suit, symbol in SYMBOLS.items()}
_RANKS = "[2-9TJQKA]"
# Suits and cards written with symbols, with the ranks that follow them.
_SYMBOL = re.compile(rf"([♠♥♦♣]){_RANKS}*")
_LETTERS = re.compile(rf"\b([{''.join(SUITS)}])({_RANKS})\b")
_TRUMP = re.compile(rf"^[{''.join(SUITS)}](?=: )|(?<=[a-z] )[{''.join(SUITS)}](?= |$)")
_MAKES = re.compile(r"[-+\d]+\*")
_CELL = re.compile(r"([> ]?)([♠♥♦♣][2-9TJQKA])(\*?)(\?{0,2})")


def plain(text: object) -> Markup:
    """Write a text of a file: control characters as escapes, and nothing else."""
    return escape(printable(str(text)))


def suited(text: object) -> Markup:
    """Write a text with its suits in their colours, where they stand as symbols."""
    return Markup(_SYMBOL.sub(lambda found: _span(found[1], found[0]), plain(text)))


def carded(text: object) -> Markup:
    """Write a text of ours, in which "HQ" is a card: never one of a file, where that is a name."""
    return suited(_cards(text))


def called(text: object) -> Markup:
    """Write a choice before the play: "2 entrada S", "H: +4", in which a letter is the trump."""
    return suited(_TRUMP.sub(lambda found: SYMBOLS[found[0]], _cards(text)))


def cell(text: object) -> Markup:
    """Write a card of a trick: who leads, who wins, and what it is marked with."""
    found = _CELL.fullmatch(_cards(text))
    if found is None:
        return carded(text)
    lead, card, wins, mark = found.groups()
    told = _span(card[0], card)
    if wins:
        told = f"<b>{told}</b>"
    if lead == ">":
        told = f'<i class="lead">▸</i>{told}'
    if mark:
        told += f'<em class="{"worse" if len(mark) > 1 else "bad"}">{mark}</em>'
    return Markup(told)


def made(text: object) -> Markup:
    """Write what a contract is worth: one that makes, "6* HA", stands out."""
    told = carded(text)
    return Markup(f"<b>{told}</b>") if _MAKES.match(str(text)) else told


def _cards(text: object) -> str:
    return _LETTERS.sub(lambda found: SYMBOLS[found[1]] + found[2], str(text))


def _span(symbol: str, text: str) -> str:
    return f'<i class="{_OF[symbol]}">{text}</i>'
