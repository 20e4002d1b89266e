"""Deals drawn around the table."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from spadille import Deal, load
from spadille.base.card_text import parse_card
from spadille.games import GAMES
from spadille.render.diagram import diagram, hand_text
from spadille.render.html import html_diagram

FILES = sorted((Path(__file__).parents[2] / "examples").glob("*.pbn"))
GOLDEN = dict(
    re.findall(
        r"^=== (.*)\n((?:(?!===).*\n)*)",
        (Path(__file__).parent / "diagrams.txt").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
)
WIDTHS = (80, 40, 20, 12)


def drawn(game: str, width: int) -> str:
    return diagram(Deal.random(game, 7), width=width) + "\n"


def test_every_game_is_drawn():
    missing = [f"{game} {width}" for game in GAMES for width in WIDTHS]
    missing = [name for name in missing if name not in GOLDEN]
    assert not missing, (
        "add these to tests/render/diagrams.txt: a line '=== GAME WIDTH', then what "
        f"diagram(Deal.random(GAME, 7), width=WIDTH) returns, once you have checked it: {missing}"
    )


@pytest.mark.parametrize("name", GOLDEN)
def test_one_of_each_game(name):
    game, width = name.split()
    assert drawn(game, int(width)) == GOLDEN[name]


def sound_deals():
    for path in FILES:
        for entry in load(path):
            yield entry.deal
            # Everything that a heading may contain.
            yield replace(
                entry.deal,
                leader=entry.deal.dealer,
                won=dict.fromkeys(entry.deal.rules.seats, 1),
            )


@pytest.mark.parametrize("symbols", [True, False])
@pytest.mark.parametrize("width", [80, 40, 24])
def test_nothing_is_wider_than_allowed(width, symbols):
    for deal in sound_deals():
        text = diagram(deal, width=width, symbols=symbols)
        assert max(map(len, text.split("\n"))) <= width
        assert "(dealer)" in text


@pytest.mark.parametrize("draw", [lambda deal: diagram(deal, width=30), html_diagram])
def test_every_card_stands_there_once(draw):
    for game in GAMES:
        deal = replace(Deal.random(game, 5), turn_up=None)  # it would be in the heading
        text = re.sub(r"<[^>]*>", " ", re.sub(r"<br>|<div>|<td>", "\n", draw(deal)))
        found = []
        for suit, ranks in re.findall(r"([♠♥♦♣]) *([AKQJT2-9]+)", text):
            found += [parse_card(suit + rank) for rank in ranks]
        assert sorted(found) == sorted(deal.rules.deck)


def test_red_suits_of_ombre_stand_as_they_rank():
    deal = Deal.random("ombre", 7)
    assert "♥ QA26" in str(deal)
    assert hand_text(deal.rules, ("HA", "HK", "H2", "SA", "SK")) == "♠ AK  ♥ KA2  ♦ -  ♣ -"


def test_str_and_html_of_a_deal():
    deal = Deal.random("squint", 2)
    assert str(deal) == diagram(deal)
    assert deal._repr_html_() == html_diagram(deal)
    assert str(deal).startswith("Squint\n")


def test_unknown_hands():
    deal = Deal.random("mensch", 1)
    deal = replace(deal, hands={**deal.hands, "E": None})
    assert re.search(r"^W +E$", str(deal), re.MULTILINE)
    assert "?" in str(deal)
    assert "?" in html_diagram(deal)
