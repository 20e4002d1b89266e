"""The names of players on the board: beside their hands, and in sentences."""

from __future__ import annotations

import re

import pytest

import spadille
from spadille.pbn.document import escape
from tests.pages.test_board import EVENING, opened, press, settled
from tests.pages.test_board_from_a_seat import my_turn
from tests.pages.test_board_size import FITS, HIDDEN, SIZES

NAMES = (
    "Maximilian Freiherr von Hohenlohe-Waldenburg",
    "</script><b>Ann</b>",
    """O'Brien "Bob\"""",
    "\u05d9\u05d5\u05e1\u05e3 \u05d4\u05db\u05d4\u05df \u05d1\u05df\u05be\u05d3\u05d5\u05d3",
    "\u0141ukasz \U0001f0a1 \U0001d54f\u00e9",
)
TAGS = {"N": "North", "E": "East", "S": "South", "W": "West"}
SLOW = ("squint", "german-solo", "quadrille", "solo-whist")
# The name beside each hand.
PLATES = """() => [...document.querySelectorAll(".felt .seat")]
    .map((hand) => [hand.dataset.seat, hand.querySelector(".who bdi").textContent])"""


def with_names(game: str) -> spadille.Entry:
    """Return the first recorded hand of a game, with these names in its file."""
    entry = next(each for each in spadille.load(EVENING.parents[1] / f"{game}.pbn") if each.play)
    seats = entry.deal.rules.seats
    names = dict(zip(seats, NAMES, strict=False))
    tags = (
        f'[{TAGS.get(seat, f"Player{seat}")} "{escape(name)}"]\n' for seat, name in names.items()
    )
    text = re.sub(r'\[(North|East|South|West) "\?"\]\n', "", spadille.dumps([entry]))
    [entry] = spadille.read(text.replace("[Game ", f"{''.join(tags)}[Game "))
    assert entry.players == names
    return entry


@pytest.mark.parametrize(
    "game", ["ombre", "quintille", *(pytest.param(game, marks=pytest.mark.slow) for game in SLOW)]
)
def test_long_names_are_at_their_hands_and_hide_nothing(visit, game):
    """Check the first trick, a lead after it, and the first card at a seat."""
    entry = with_names(game)
    names = [[*each] for each in entry.players.items()]
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    settled(page)

    def check(at):
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise(requestAnimationFrame)")  # the page knows its new size
            settled(page)
            page.evaluate(
                "document.querySelector('.playing').scrollIntoView({ behavior: 'instant' })"
            )
            assert page.evaluate(PLATES) == names, (width, at)
            assert page.evaluate(HIDDEN) == FITS, (width, at)

    for at in (0, 1, 2, len(names), len(names) + 1):
        page.evaluate("(at) => { location.hash = `deal=1&at=${at}`; }", at)
        page.wait_for_function("(at) => location.hash.endsWith(`at=${at}`)", arg=at)
        settled(page)
        check(at)
    page.get_by_role("button", name="Play from this seat").click()
    assert my_turn(page)
    check("at a seat")


@pytest.mark.parametrize("misread", ["Player 1", "Eva", "the CA", "\u05d3\u05df"])
def test_sentences_have_the_names_of_players_and_hands_their_seats(visit, misread):
    """Names that could be mistaken for a seat or for another player are not used in sentences."""
    text = EVENING.read_text()
    for name, other in {"Anna": "X" * 30, "Bert": misread, "Cleo": "Eva"}.items():
        text = text.replace(f'"{name}"]', f'"{other}"]')
    page = opened(visit(spadille.page(spadille.read(text)[:1])))
    account = page.locator(".account").first.text_content()
    third = "Player 3" if misread == "Eva" else "Eva"
    assert f"{third}'s" in account
    assert misread not in account.split("Payoff")[0]
    assert page.locator(".standing").inner_text().startswith(f"{'X' * 23}… plays Entrada")
    said = [press(page, "Home", *["ArrowRight"] * count) for count in (1, 2, 3)]
    players = [re.match(r"Trick 1, (.*) plays the ", each)[1] for each in said]
    assert set(players) == {f"{'X' * 23}…", "Player 2", third}
    plates = page.locator(".felt .who").all_inner_texts()
    assert {plate[:8] for plate in plates} == {"Player 1", "Player 2", "Player 3"}


def test_names_are_text_and_nothing_else(visit):
    text = EVENING.read_text().replace(
        '[Player1 "Anna"]', '[Player1 "<img src=x onerror=alert(1)>"]'
    )
    page = opened(visit(spadille.page(spadille.read(text)[:1])))
    assert page.locator(".felt .who").filter(has_text="<img src=x onerror=alert(1)>").count() == 1
    assert page.locator("img").count() == 0
