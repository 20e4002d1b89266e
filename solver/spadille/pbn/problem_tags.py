"""The tags of a teaching problem: the question, the winning card, the themes."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass

from spadille.base.card_text import parse_card
from spadille.base.errors import CardError
from spadille.pbn.document import PbnGame
from spadille.pbn.hands_in_tags import card_rule
from spadille.pbn.tags import TagReader, no_card

_TAGS = frozenset({"Question", "Key", "Theme", "Difficulty"})


@dataclass(frozen=True, slots=True)
class Posed:
    """The problem posed by an entry, about the decision after its recorded play."""

    question: str | None
    key: str | None
    """The winning card."""
    themes: tuple[str, ...]
    difficulty: float | None
    solution: str | None
    """The comments at the end of the entry, as written."""
    method: str | None = None
    """How it is solved: "reasoned" from what the player knows, or "double-dummy"."""

    @property
    def shows_all(self) -> bool:
        """Whether the problem can only be solved with all hands shown."""
        return self.method == "double-dummy"


def read_posed(reader: TagReader) -> Posed | None:
    """Read the problem that a game poses; None if it poses none. An invalid card is a fault."""
    if _TAGS.isdisjoint(reader.names):
        return None
    key = written = reader.value("Key")
    if written is not None:
        try:
            key = parse_card(written)
        except CardError as error:
            reader.fail("card-unreadable", no_card(error), "Key", 0, written, card_rule(written))
            key = None
    difficulty = None
    with suppress(ValueError):
        difficulty = float(reader.value("Difficulty") or "")
    return Posed(
        reader.value("Question"),
        key,
        tuple(filter(None, map(str.strip, re.split("[;,]", reader.value("Theme") or "")))),
        difficulty,
        _solution(reader),
        reader.value("Method"),
    )


def _solution(reader: TagReader) -> str | None:
    """Return the comments with the solution, or None if there are none."""
    game = reader.game
    comments = [
        re.sub(r"\s+", " ", text.strip("{};% \r\n"))
        for at, text in game.document.comments
        if solution_at(game) <= at < game.end
    ]
    return " ".join(comments) or None


def solution_at(game: PbnGame) -> int:
    """Return where the comments with a problem's solution belong: after the last tag."""
    return max((max(tag.stop, tag.body_end) for tag in game.tags), default=game.start)
