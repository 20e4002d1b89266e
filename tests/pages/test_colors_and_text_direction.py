"""The look of a page: readable colors, and names that do not reverse the surrounding text."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

import spadille
from spadille.pages import page
from tests.pages.test_page import block, parsed

HERE = Path(page.__file__).parent
STYLE = (HERE / "style.css").read_text("utf-8")
EVENING = Path(__file__).parents[2] / "examples" / "evenings" / "ombre.pbn"
# Direction marks, and the controls that embed, override and isolate.
MARKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def luminance(colour: str) -> float:
    """Return the relative luminance of "#rrggbb" by WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_text_on_the_table_can_be_read(scheme: int) -> None:
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    colours = dict(re.findall(r"(--[\w-]+): (#\w{6})", blocks[scheme]))
    for name, other in re.findall(r"(--[\w-]+): var\((--[\w-]+)\)", blocks[scheme]):
        colours[name] = colours[other]
    inks = ("ink", "soft", "s", "h", "d", "c", "bad", "worse", "accent")
    for ink, ground in product(inks, ("felt", "sheet", "page")):
        found = contrast(colours[f"--{ink}"], colours[f"--{ground}"])
        assert found >= 4.5, (ink, ground)


def test_nothing_fades() -> None:
    """Half-transparent text has less contrast than its colors suggest."""
    for style in HERE.glob("*.css"):
        assert "opacity" not in style.read_text("utf-8")


@pytest.mark.ci
def test_names_do_not_turn_the_text_around_them() -> None:
    name = f"An{MARKS}na"
    text = EVENING.read_text().replace('[Player1 "Anna"]', f'[Player1 "{name}"]')
    found = spadille.page(spadille.read(text)[:1])
    assert not set(MARKS) & set(found)
    escaped = name.encode("ascii", "backslashreplace").decode()
    assert block(found)["deals"][0]["names"]["1"] == escaped
    # A name in right-to-left letters moves no seat and no number beside it.
    shown = [element.text for element in parsed(found).iter("bdi")]
    assert shown.count(escaped) >= 2
