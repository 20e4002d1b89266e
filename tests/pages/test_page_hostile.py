"""Whatever a hand file contains, a page keeps its structure, and nothing in it runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import TYPE_CHECKING

import pytest

import spadille
from spadille.pbn.document import escape
from tests.pages.test_page import block, parsed

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# An ending, which is solved at once; the tests replace each of its texts.
DEAL = """
{{{comment}}}
[Event "{event}"]
[Board "{board}"]
[Game "{game}"]
[Dealer "1"]
[Deal "1:..KJ.K72 K.K3.A.J A.QJ.2.A"]
[Leader "2"]
[Won "1:1;2:3"]
[Player1 "{one}"]
[Player2 "{two}"]
[Player3 "{three}"]
[Declarer "1"]
[Contract "entrada"]
[Trump "C"]
[Question "{question}"]
[Theme "{theme}"]
[Difficulty "{difficulty}"]
[{tag} "{value}"]
[Play "2"]
HK S? {card}
{{{behind}}}
"""
PLACES = (
    *("comment", "event", "board", "one", "two", "three", "question", "theme", "difficulty"),
    *("value", "card", "behind"),
)
HARMLESS = dict.fromkeys(PLACES, "x") | {"game": "ombre", "tag": "Room"}

PIECES = (
    *("<", ">", "&", '"', "'", "`", "=", "/", "\\", "{", "}", "{{", "}}", "{%", "%}", "#}", "--"),
    *("<!--", "-->", "<![CDATA[", "]]>", "</script>", "<script>alert(1)</script>", "</style>"),
    *("<img src=x onerror=alert(1)>", "<svg onload=alert(1)>", "javascript:alert(1)", "&lt;"),
    *('" onmouseover="alert(1)', "' autofocus onfocus='alert(1)", "</title>", "</article>"),
    *("{{ 7*7 }}", "{{ ''.__class__ }}", "&#60;script&#62;", "\\u003cscript>", "\\x3cscript>"),
    *("\u202e", "\u2066", "\u2028", "\u2029", "\ufeff", "\0", "\x1b[31m", "\x7f", "\x85", "\r"),
    *("♥A", "HA", "♠", "é", "𝕏", "\U000e0041", "‮", "a" * 400, "a b " * 100, "\u0301" * 40, "٣"),
    *("<table>", "<tr><td>", "<base href=//evil>", "<meta http-equiv=refresh content=0>", "<p>"),
    *(
        "<iframe srcdoc=x>",
        "<plaintext>",
        "<noscript>",
        "<template>",
        "<!doctype html>",
        "<a href=x>",
    ),
)


def hostile(seed: int) -> Iterator[str]:
    rng = Random(seed)
    while True:
        yield f"x{''.join(rng.choices(PIECES, k=rng.randint(1, 4)))}x"


def text_of(places: dict[str, str]) -> str:
    quoted = {
        # Text that ends a comment or a line would change the file.
        name: text.translate(str.maketrans("{};\r", "(), "))
        if name in ("comment", "behind", "card")
        else escape(text)
        for name, text in places.items()
    }
    return DEAL.format(**quoted)


def written(places: dict[str, str]) -> str:
    return spadille.page(spadille.read(text_of(places)))


def structure(root: Element) -> list[tuple[str, tuple[str, ...]]]:
    """Return all elements in order, with attribute names, and raw text that is not displayed."""
    found = []
    for element in root.iter():
        if not isinstance(element.tag, str):
            continue
        classes = (element.get("class", ""), element.get("id", ""), element.get("href", ""))
        found.append((element.tag, (*sorted(element.attrib), *classes)))
    return found


def plain(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the structure of a page without suit marks and errors, whose number may vary."""
    text = re.sub(r'<i class="[shdc]">(.*?)</i>', r"\1", text)
    text = re.sub(r'<div class="fault".*?</div>\n', "", text, flags=re.DOTALL)
    text = re.sub('(<script type="application/octet-stream" [^>]*>)[^<]*', r"\1", text)
    return structure(parsed(text))


def many(seed: int, number: int) -> Iterator[dict[str, str]]:
    texts = hostile(seed)
    for _ in range(number):
        yield HARMLESS | dict(zip(PLACES, texts, strict=False))


def check(seed: int, number: int) -> None:
    wanted = plain(written(HARMLESS))
    for places in many(seed, number):
        text = written(places)
        assert plain(text) == wanted, places
        assert block(text)["deals"], places


@pytest.mark.ci
def test_structure_is_that_of_harmless_texts() -> None:
    check(1, 12)


@pytest.mark.parametrize(
    "texts",
    [pytest.param(1_000, marks=pytest.mark.ci), pytest.param(10_000, marks=pytest.mark.slow)],
)
def test_structure_is_that_of_harmless_texts_many_times(texts: int) -> None:
    check(2, texts // len(PLACES) + 1)


@pytest.mark.ci
@pytest.mark.parametrize("place", ["tag", "game"])
def test_where_names_stand_too(place: str) -> None:
    for text in islice(hostile(3), 10):
        found = written(HARMLESS | {place: text})
        parsed(found)
        assert json.dumps(block(found))
