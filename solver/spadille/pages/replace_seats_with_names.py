"""Replace the seats in a text with the names of the players.

`script/words.js` does the same for the sentences that the page makes itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from spadille.base.words_for_messages import seat_name
from spadille.render.text import SYMBOLS, printable

_SEAT_IN_TEXT = re.compile(r"\b(?:North|East|South|West|Player [1-5])\b")
# A name with seats, cards or letters from right to left in it would be misread in a sentence.
_MISREAD = re.compile(
    rf"{_SEAT_IN_TEXT.pattern}|\b[SHDC][2-9TJQKA]\b"
    rf"|[{''.join(SYMBOLS.values())}\u0590-\u08ff\ufb1d-\ufefc]"
)
_LONGEST_NAME = 24  # letters of a name in a sentence


def with_names(text: str, names: Mapping[str, str]) -> str:
    """Return a text with the names of players instead of their seats; `names` has them by seat.

    Players without a name of their own keep their seats.
    """
    short = {seat_name(seat): _short(name) for seat, name in names.items()}
    counts = Counter(short.values())
    called = {
        seat: name
        for seat, name in short.items()
        if name and counts[name] == 1 and not _MISREAD.search(name)
    }
    return _SEAT_IN_TEXT.sub(lambda seat: called.get(seat[0], seat[0]), text)


def _short(name: str) -> str:
    name = printable(name).strip()
    return f"{name[: _LONGEST_NAME - 1]}…" if len(name) > _LONGEST_NAME else name
