"""An evening as a page: what stands in it, and that nothing in it can run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import spadille
from spadille import SpadilleError

EVENING = Path(__file__).parents[2] / "examples" / "evenings" / "ombre.pbn"


def block(text: str) -> dict:
    found = re.search(r'<script type="application/json" id="spadille-data">(.*?)</script>', text)
    assert found
    return json.loads(found[1])


def test_deals_stand_in_their_order():
    text = spadille.page(spadille.load(EVENING))
    assert re.findall(r'<article class="deal" id="([^"]*)"', text) == [
        f"deal-{number}" for number in range(1, 6)
    ]
    deals = block(text)["deals"]
    assert [len(deal["play"]) for deal in deals] == [27, 0, 27, 6, 27]


def test_no_text_ends_the_block_of_data():
    file = EVENING.read_text().replace('[Player1 "Anna"]', '[Player1 "</script><!--<script>"]')
    text = spadille.page(spadille.read(file)[:1])
    assert block(text)["deals"][0]["names"]["1"] == "</script><!--<script>"


def test_without_jinja2_it_says_what_to_install(monkeypatch):
    from spadille.pages.page import environment

    environment.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "jinja2", None)
    with pytest.raises(SpadilleError, match=r"pip install 'spadille\[page\]'"):
        spadille.page(spadille.load(EVENING))
