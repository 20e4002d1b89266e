"""Translates hand files with another language's card letters into English ones.

Only values and sections with cards, suits and hands are changed, and only where they are valid in
that language. The reader of the file reports everything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from spadille.base.card_languages import Letters, letters_of
from spadille.pbn.document import Document, Tag
from spadille.pbn.parse_document import parse

_CARDS = frozenset({"Called", "Drawn", "Discard", "TurnUp", "Key"})
_SUITS = frozenset({"Trump", "Penalty", "CurrentTrump"})
_ENGLISH = re.compile(r"[QJqj]")


def parse_letters(text: str, letters: str) -> Document:
    """Read a hand file in a language's letters, "de" or "en" and so on (see `LETTERS`).

    A deal with a Q or J in a hand is taken to be in English letters and is read unchanged. Places
    in the document refer to `text`. Raises ArgumentError for an unknown language.
    """
    chosen = letters_of(letters)
    document = parse(text)
    if chosen is None:
        return document
    edits: dict[tuple[int, int], str] = {}
    for game in document.games:
        deal = game.names.get("Deal")
        if deal is not None and _ENGLISH.search(deal.value):
            continue
        for tag in game.tags:
            edits.update(_edits(tag, chosen))
    return parse(_with(text, edits), _moves(edits), text) if edits else document


def _with(text: str, edits: dict[tuple[int, int], str]) -> str:
    parts, done = [], 0
    for (start, stop), new in sorted(edits.items()):
        parts += [text[done:start], new]
        done = stop
    return "".join(parts) + text[done:]


def _moves(edits: dict[tuple[int, int], str]) -> list[tuple[int, int]]:
    """Return offsets in the new text, each with the shift that maps it back to the old text."""
    moves, moved = [], 0
    for (start, stop), new in sorted(edits.items()):
        change = stop - start - len(new)
        if change:
            end = start - moved + len(new)
            moved += change
            moves.append((end, moved))
    return moves


def _edits(tag: Tag, letters: Letters) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the parts of a tag and its section that need translation, with their places."""
    if tag.name in ("Deal", "Talon"):
        words, read = re.finditer(r"[^\s,:]+(?!\S*:)", tag.value), _hand_or_card(letters)
    elif tag.name in _CARDS:
        words, read = re.finditer(r"[^\s,:;]+(?![^\s;]*:)", tag.value), letters.card
    elif tag.name in _SUITS:
        words, read = re.finditer(r".+", tag.value.rstrip()), letters.suit
    elif tag.name == "Contract":
        words, read = re.finditer(r"(?<=[-\s])\S+$", tag.value.rstrip()), letters.suit
    else:
        words, read = iter(()), letters.suit
    for word in words:
        new = read(word.group())
        if new is not None and new != word.group():
            yield (tag.offset(word.start()), tag.offset(word.end())), new
    if tag.name in ("Play", "Auction"):
        for text, offset in tag.play_tokens():
            if (new := letters.card(text)) is not None:
                yield (offset, offset + len(text)), new
                continue
            head, dash, suit = text.rpartition("-")
            if tag.name == "Auction" and dash and (new := letters.suit(suit)) is not None:
                yield (offset + len(head) + 1, offset + len(text)), new


def _hand_or_card(letters: Letters) -> Callable[[str], str | None]:
    return lambda text: letters.hand(text) if "." in text else letters.card(text)
