"""The question of a batch, and the keys by which its answers are stored."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.cache_keys import field_names, key_of
from spadille.base.errors import ArgumentError, quoted
from spadille.core.arguments import text_or_list
from spadille.core.strength.strength_tables import tables_for
from spadille.games import GAMES, definition, get_game, rules_for
from spadille.search.engine import SOURCES

_ROWS: dict[str, Any] = {"contracts": None, "seats": None, "trumps": None}
KINDS: dict[str, dict[str, Any]] = {
    "solve": {"objective": "tricks", "leads": False, "line": False, "swaps": False},
    "table": {**_ROWS, "made": False},
    "best": {
        **_ROWS,
        "every": False,
        "calls": False,
        "exchange": True,
        "opponents_exchange": "recorded",
        "chances": None,
    },
    "review": {"every": False, "chances": None},
    "score": {"chances": None},
}
"""The possible questions. Each question has the options of the function with its name, and their
defaults."""
# `threads` does not affect answers; the others have a fixed value in `Job.of`.
_SAME_ANSWER = ("seconds", "threads", "where")
# Folders that do not affect answers: those for output and for generating deals.
_NO_ANSWERS = frozenset({"generate", "pages", "render"})


def sources() -> list[Path]:
    """Return the source files on which answers depend."""
    top = Path(__file__).parents[1]
    modules = ((path.relative_to(top), path) for path in top.rglob("*.py"))
    return [path for name, path in sorted(modules) if _NO_ANSWERS.isdisjoint(name.parts)]


@cache
def engine() -> str:
    """Return a string that identifies the engine: its version and a digest of its files."""
    digest = blake2b(SOURCES.encode(), digest_size=8)
    for path in sources():
        digest.update(path.read_bytes())
    version = sys.modules[__name__.partition(".")[0]].__version__
    return f"{version}+{digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class Job:
    """A question about many deals (see `Job.of`)."""

    kind: str
    options: Mapping[str, Any]

    @classmethod
    def of(cls, kind: str, **options: Any) -> Job:
        """Create a job; `kind` is a function name in `KINDS`, and `options` are its options.

        `chances` is a `Drawing` with a number of samples and no time limit, so that answers are the
        same on every machine. Raises ArgumentError for an unknown kind or option.
        """
        if kind not in KINDS:
            raise ArgumentError(f"{kind!r} cannot be asked in a batch, only {', '.join(KINDS)}")
        known = KINDS[kind]
        for name in options:
            if name not in known:
                raise ArgumentError(f"{kind} has no option {name!r}, only {', '.join(known)}")
        chosen = {name: options.get(name, value) for name, value in known.items()}
        chances = chosen.get("chances")
        if isinstance(chances, Drawing):
            if chances.samples is None or chances.seconds:
                raise ArgumentError(
                    "chances in a batch need a number of samples and no time limit, "
                    "so that answers do not depend on the machine"
                )
            if chances.where:
                raise ArgumentError("a batch does not accept functions as conditions")
            names = [name for name in field_names(Drawing) if name not in _SAME_ANSWER]
            chosen["chances"] = {name: getattr(chances, name) for name in names}
        if kind == "best" and chances and len(chosen["seats"] or ()) != 1:
            raise ArgumentError("chances of contracts need one seat: give the player who chooses")
        for name in ("contracts", "seats", "trumps"):
            given = text_or_list(name, chosen.get(name))
            if given is not None:
                chosen[name] = given.split() if isinstance(given, str) else list(given)
        return cls(kind, chosen)

    @classmethod
    def parse(cls, text: str) -> Job:
        """Parse the text of a job, as returned by `str`; raise ArgumentError for any other text."""
        try:
            fields = json.loads(text)
        except (ValueError, RecursionError):
            fields = None
        match fields:
            case {"kind": str(kind), "options": dict()} if kind in KINDS:
                return cls(**{name: fields[name] for name in field_names(cls)})
        raise ArgumentError(f"not the question of a batch: {quoted(text)}")

    def __str__(self) -> str:
        return json.dumps(dict(zip(field_names(Job), key_of(self), strict=True)), sort_keys=True)

    @property
    def words(self) -> str:
        """The question in words: the kind, and the options that differ from their defaults."""
        chosen = ", ".join(f"{name}={value}" for name, value in self.options.items() if value)
        return f"{self.kind} {chosen}".strip()

    @property
    def drawing(self) -> Drawing | None:
        """The settings for sampling layouts; None for double-dummy answers."""
        chances = self.options.get("chances")
        return Drawing(**chances, seconds=0) if chances else None

    @property
    def needs_contract(self) -> bool:
        """Whether the question needs the contract of a deal, and not only its cards."""
        return self.kind == "solve"

    @property
    def hears(self) -> bool:
        """Whether the answer depends on the recorded auction."""
        return self.kind == "best"

    @property
    def needs_play(self) -> bool:
        """Whether the question needs the recorded play."""
        return self.kind == "review"

    @property
    def of_files(self) -> bool:
        """Whether one question covers all deals of a file, such as an evening."""
        return self.kind == "score"


class Keys:
    """Computes the keys of questions, which are digests of the engine, the job and the question."""

    def __init__(self, job: Job) -> None:
        self._digest = blake2b(f"{engine()}\n{job}\n".encode(), digest_size=16)
        self._drawing = job.drawing
        self._last: tuple[str | None, str | None, bytes] = None, None, b""

    def _strength(self, game: str | None) -> str:
        """Return the version of the strength tables, if the answer may use them."""
        if self._drawing is None or self._drawing.belief != "auction":
            return ""
        games = [game] if game else GAMES
        tables_used = [tables_for(rules_for(name)) for name in games]
        return " ".join(tables.version for tables in tables_used if tables is not None)

    def of(self, question: str, game: str | None = None) -> bytes:
        """Return the key of a question about a deal of the game with this id.

        If a game is not included in spadille, its rules are part of the key. All deals of an
        evening share one question, which may be as long as the file. The digest of the last
        question is therefore kept for the next call.
        """
        rules = definition(get_game(game)) if game else ""
        rules += self._strength(game)
        last, last_rules, key = self._last
        if question is not last or rules != last_rules:
            digest = self._digest.copy()
            digest.update(f"{rules}{question}".encode(errors="surrogatepass"))
            key = digest.digest()
            self._last = question, rules, key
        return key
