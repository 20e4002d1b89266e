"""Damage hand files: single characters, tags, cards, lines, games and bytes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

EXAMPLES = Path(__file__).parents[2] / "examples"
TAG = re.compile(r'\[(\w+) "([^"]*)"\]\n?')
CARD = re.compile(r"\b[SHDC][2-9TJQKA]\b")
VALUES = [
    *("", "?", "-", "N", "X", "NT", "SA", "H10", "solo", "nemo", "pass", "##x", "#", "N:- - - -"),
    *("1:3;2:4", "99999", '\\"', "♠", "^N", "solo solo", "1 2 3", "ombre", "squint", "color=H"),
    *("matador_rule=none;rotation=cw", "3@2", "3:1@2", "1:SA;2:H7", "9" * 30, "-1", "\\\\"),
]
PIECES = [
    *("SA", "-", "+", "*", "^R", "^L", "!", "$3", "=1=", "{x}", "{", "}", ";", "%", '"', "[", "]"),
    *("\n\n", "\n", "\t", "hold", "é", "\0", "\ufeff", "\r", "\f", "\x1b[31m", "\x9b", "\u202e"),
]


def games() -> list[str]:
    """Return the games of all example files."""
    return [
        game
        for path in sorted(EXAMPLES.rglob("*.pbn"))
        for game in path.read_text(encoding="utf-8").split("\n\n")
        if "[Deal " in game
    ]


def insert(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(PIECES) + text[at:]


def cut(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + text[at + rng.randrange(9) :]


def other_value(text: str, rng: Random) -> str:
    tag = rng.choice([*TAG.finditer(text)] or [None])
    return text[: tag.start(2)] + rng.choice(VALUES) + text[tag.end(2) :] if tag else text


def without_tag(text: str, rng: Random) -> str:
    tag = rng.choice([*TAG.finditer(text)] or [None])
    return text[: tag.start()] + text[tag.end() :] if tag else text


def borrowed_tag(text: str, rng: Random) -> str:
    """Insert a tag of another deal, after the first tag or replacing the same tag."""
    tag = rng.choice([*TAG.finditer(rng.choice(GAMES))])
    own = re.search(rf'\[{tag[1]} "[^"]*"\]\n?', text)
    start, end = own.span() if own else (0, 0)
    return text[:start] + tag[0] + text[end:]


def swapped_lines(text: str, rng: Random) -> str:
    lines = text.split("\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def repeated_line(text: str, rng: Random) -> str:
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    return "\n".join([*lines[:at], *[lines[at]] * rng.choice((2, 2, 50)), *lines[at + 1 :]])


def swapped_cards(text: str, rng: Random) -> str:
    cards = [*CARD.finditer(text)]
    if len(cards) < 2:
        return text
    one, other = sorted(rng.sample(cards, 2), key=lambda card: card.start())
    middle = text[one.end() : other.start()]
    return text[: one.start()] + other.group() + middle + one.group() + text[other.end() :]


def other_card(text: str, rng: Random) -> str:
    card = rng.choice([*CARD.finditer(text)] or [None])
    new = rng.choice("SHDC") + rng.choice("AKQJT98765432")
    return text[: card.start()] + new + text[card.end() :] if card else text


DAMAGES: tuple[Callable[[str, Random], str], ...] = (
    *(insert, cut, other_value, without_tag, swapped_lines, swapped_cards),
    *(borrowed_tag, repeated_line, other_card),
)
GAMES = games()


def damaged(rng: Random, texts: Sequence[str] = GAMES) -> str:
    """Return a game with one to four kinds of damage."""
    text = rng.choice(texts)
    for _ in range(rng.randrange(1, 5)):
        text = rng.choice(DAMAGES)(text, rng)
    return text


def encoded(text: str, rng: Random) -> bytes:
    """Return the bytes of a file, rarely in another encoding or with bytes that are not text."""
    data = text.encode(rng.choice(("utf-8",) * 8 + ("utf-16", "utf-8-sig")), "surrogatepass")
    if rng.random() < 0.1 and data:
        at = rng.randrange(len(data))
        data = data[:at] + rng.randbytes(rng.choice((1, 1, 4))) + data[at + 1 :]
    return data
