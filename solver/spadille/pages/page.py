"""Putting the page together: one file, with its style, its script and its data inside."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from spadille.analysis.drawing import Drawing
from spadille.analysis.evening import Record, settle
from spadille.errors import ArgumentError, SpadilleError, check_type
from spadille.pages.data import as_script, data
from spadille.pages.deals import Told, told_many
from spadille.rules import Rules
from spadille.search.limits import DEFAULT, Limits, only_hard

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent


def page(
    *evenings: Iterable[Record],
    title: str = "",
    quiz: bool = False,
    rules: Rules | None = None,
    chances: Drawing | None = None,
    threads: int = 1,
    limits: Limits = DEFAULT,
) -> str:
    """Write evenings, each a hand file or some of its entries, as one page of HTML.

    It needs jinja2, the extra `spadille[page]`, and raises SpadilleError without it.
    """
    only_hard(limits, "page")
    check_type(title, str, "a title is text")
    check_type(rules, (Rules, NoneType), "rules are those of a game, see rules_for")
    if not isinstance(chances, Drawing | None):
        raise ArgumentError(f"chances are a Drawing, not {chances!r}")
    environment()
    settled = list(chain.from_iterable(settle(evening) for evening in evenings))
    found = told_many(settled, threads=threads, limits=limits, chances=chances)
    deals = [each for each in found if isinstance(each, Told)]
    return write(deals, title=title, quiz=quiz, rules=rules)


def write(
    deals: Sequence[Told], *, title: str = "", quiz: bool = False, rules: Rules | None = None
) -> str:
    """Write the page of deals, or without any that on which deals of a game are made."""
    style, script = (_HERE / "style.css").read_text("utf-8"), _script()
    return (
        environment()
        .get_template("page.html")
        .render(
            title=title or "An evening of cards",
            deals=deals,
            quiz=quiz,
            rules=rules,
            policy=_policy(style, script),
            style=style,
            script=script,
            data=as_script(data(deals, quiz=quiz, rules=rules)),
        )
    )


@cache
def environment() -> Environment:
    """Return what fills in the templates: all text is escaped; raises SpadilleError without it."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        message = "a page needs jinja2, which is not installed: pip install 'spadille[page]'"
        raise SpadilleError(message, "jinja2-missing") from error
    return Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _script() -> str:
    """The script of the page: its modules, one behind the other, in the order of their names."""
    files = sorted((_HERE / "script").glob("*.js"))
    return "".join(file.read_text("utf-8") for file in files)


def _policy(style: str, script: str) -> str:
    """Say what the page may do: nothing but its own style and script, its engine, and pictures."""
    parts = {
        "default-src": "'none'",
        "style-src": _hash(style),
        "script-src": f"{_hash(script)} 'wasm-unsafe-eval'" if script else "'none'",
        "worker-src": "blob:" if script else "",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {what}" for name, what in parts.items() if what)


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
