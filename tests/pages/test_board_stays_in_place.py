"""What stays in its place on a board: the buttons and the table while a hand is stepped through."""

from __future__ import annotations

import pytest

import spadille
from spadille.games import GAMES, rules_for
from spadille.pages.evening_to_play import evening_to_play
from spadille.pages.page import write
from tests.pages.test_board import EVENING, settled
from tests.pages.test_board_from_a_seat import CARD, my_turn
from tests.pages.test_board_size import SIZES

# The distances of the table, the message and the buttons from the top of the board.
PLACES = """() => {
    const board = document.querySelector(".playing");
    const box = (each) => board.querySelector(each).getBoundingClientRect();
    // On a phone, a long message begins higher.
    return [box(".felt").top, box(".said").bottom, box(".tools").top, box(".copying").top]
        .map((place) => Math.round(place - board.getBoundingClientRect().top));
}"""


# The same after each key, once the cards have values. The page presses the keys itself, because
# several calls through Playwright for each card would take most of the time.
PLACES_ALONG = f"""async (keys) => {{
    const places = {PLACES};
    const along = [];
    for (const [key, at] of keys) {{
        document.querySelector(".playing").dispatchEvent(
            new KeyboardEvent("keydown", {{ key, bubbles: true }}));
        const start = Date.now();
        do {{
            if (Date.now() - start > 60000) throw new Error(`no values after card ${{at}}`);
            await new Promise((go) => setTimeout(go));
        }} while (!location.hash.endsWith(`at=${{at}}`)
            || document.querySelector(".felt").getAttribute("aria-busy") !== "false");
        along.push(places());
    }}
    return along;
}}"""


STEPPED = ["ombre", "squint", "german-solo", "quadrille"]


# Each size with one of two games; the slow tests step through all games at all sizes.
@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        *((game, SIZES[number % 2 :: 2]) for number, game in enumerate(STEPPED[:2])),
        *(pytest.param(game, SIZES, marks=pytest.mark.slow) for game in STEPPED),
    ],
)
def test_stepping_through_a_hand_moves_no_button(visit, game, sizes):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = next(each for each in entries if each.play and len(each.play.cards) > 20)
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    settled(page)
    steps = [("ArrowRight", at) for at in range(1, len(entry.play.cards) + 1)]
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        first, *places = page.evaluate(PLACES_ALONG, [("Home", 0), *steps])
        moved = {at: place for at, place in enumerate(places, 1) if place != first}
        assert moved == {}, (width, height, first)


@pytest.mark.parametrize("size", SIZES[2:])
def test_an_answer_moves_no_card(visit, size):
    entry = next(iter(spadille.load(EVENING.parents[1] / "problems" / "ombre.pbn")))
    page = visit(spadille.page([entry], quiz=True))
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    page.get_by_role("button", name="Start", exact=True).click()
    page.locator(".felt button.card").first.wait_for()
    settled(page)
    hand = page.locator(".felt .seat.turn")
    before = hand.bounding_box()
    page.locator(".felt button.card:not([aria-disabled])").first.click()
    page.wait_for_function("() => document.querySelector('.current .said').dataset.verdict")
    assert hand.bounding_box() == pytest.approx(before, abs=1)


def test_copied_text_lies_over_the_board(visit, evening):
    page = visit(evening, "#deal=1&at=3")
    settled(page)
    before = page.evaluate(PLACES)
    page.get_by_role("button", name="Copy link").click()
    text = page.get_by_label("A link to this position")
    assert text.is_visible()
    assert page.evaluate(PLACES) == before
    text.press("Escape")
    assert text.is_hidden()
    assert page.evaluate("document.activeElement.textContent") == "Copy link"


def test_cards_that_were_not_played_are_told_from_those_that_were(visit, evening):
    page = visit(evening, "#deal=1&at=3")
    settled(page)
    assert page.locator(".course .tried").count() == 0
    page.locator(".felt button.card:not([aria-disabled]):not(.next)").first.click()
    page.wait_for_function("() => location.hash.endsWith('at=4')")
    settled(page)
    assert page.locator(".course .tried").count() == 1
    assert "not as played:" in page.locator(".course").text_content()
    assert page.locator(".lines button").first.inner_text().startswith("As played: ")
    page.get_by_role("button", name="As played").first.click()
    settled(page)
    assert page.locator(".course .tried").count() == 0


@pytest.mark.parametrize("game", GAMES)
def test_the_form_for_a_deal_fits_one_screen(visit, game):
    page = visit(write([], rules=rules_for(game)))
    page.set_viewport_size({"width": 1280, "height": 720})
    box = page.get_by_role("button", name="Read", exact=True).bounding_box()
    assert box["y"] + box["height"] <= 720


def test_a_card_played_at_a_seat_does_not_scroll_the_page(visit):
    """On a phone, the reader may have scrolled the line above the table out of view."""
    page = visit(evening_to_play(rules_for("german-solo"), 1, 7))
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator(".start").click()
    assert my_turn(page)
    page.evaluate("scrollBy({ top: 60, behavior: 'instant' })")
    for _ in range(2):  # a card keeps the focus while there is another to choose
        place = page.evaluate("scrollY")
        box = page.locator(CARD).first.bounding_box()
        page.mouse.click(box["x"] + 9, box["y"] + 9)
        assert my_turn(page)
        assert page.evaluate("scrollY") == place
