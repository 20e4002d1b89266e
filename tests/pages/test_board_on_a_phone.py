"""The board on a phone: what is in view, in how many rows, and large enough to read and touch."""

from __future__ import annotations

import pytest

import spadille
from spadille import Position
from spadille.games import rules_for
from spadille.pages.page import write
from tests.pages.test_board import EVENING, opened, press, settled
from tests.support.browsers import barriers, on_touch_screen
from tests.support.tiers import games_of_extreme_sizes


def test_a_message_that_scrolls_on_a_phone_is_reached_by_keys(visit):
    entries = spadille.load(EVENING.parents[1] / "mensch.pbn")
    entry = next(each for each in entries if each.contract and len(each.play.cards) > 6)
    page = opened(visit(spadille.page([entry])))
    page.set_viewport_size({"width": 360, "height": 740})
    # With larger letters, the table has no room to spare.
    page.evaluate("() => { document.documentElement.style.fontSize = '1.75rem'; }")
    scrolls = "(said) => said.scrollHeight > said.clientHeight + 1"
    said = page.locator(".playing .said")
    for _ in entry.play.cards:
        if said.evaluate(scrolls):
            break
        press(page, "ArrowRight")
    page.wait_for_function("() => document.querySelector('.playing .said').tabIndex === 0")
    assert barriers(page, "main") == ""
    press(page, "ArrowLeft")
    page.wait_for_function("() => document.querySelector('.playing .said').tabIndex === -1")


# Takes a seat after these many recorded moves. The board is then at the top of the window, and the
# list of tricks scrolls in the next frame.
SIT = """async ([seat, at]) => {
    const root = document.querySelector(".playing"), { board } = root;
    board.sitAt(seat, board.play.slice(0, at), board.contract);
    while (board.state.moves.length !== at || root.querySelectorAll(".course button").length !== at)
        await new Promise((go) => setTimeout(go));
    root.scrollIntoView({ behavior: "instant" });
    await new Promise(requestAnimationFrame);
    const list = root.querySelector(".course");
    const { top, bottom } = list.getBoundingClientRect();
    const card = list.querySelector("[aria-current]").getBoundingClientRect();
    return [top, bottom, card.top, card.bottom];
}"""


@pytest.mark.parametrize("game", games_of_extreme_sizes())
def test_on_a_phone_the_trick_in_progress_is_in_view_in_the_list(visit, game):
    """Check each trick of a recorded hand at the seat of the next player, so nobody else plays."""
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = max(entries, key=lambda each: len(each.play.cards) if each.play else 0)
    position = Position.of(entry.deal, entry.contract)
    cards = entry.play.cards
    assert len(cards) == rules_for(game).game.hand_size * len(position.hands)
    page = visit(spadille.page([entry]), f"#deal=1&at={len(cards)}")
    on_touch_screen(page)
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    for number, card in enumerate(cards[:-1], start=1):
        position.play(card)
        if number % len(position.hands) != 2:
            continue
        top, bottom, above, below = page.evaluate(SIT, [position.to_play, number])
        assert top - 1 <= above, number
        assert below <= min(bottom, 740) + 1, number


@pytest.mark.parametrize("game", ["solo-whist", "ombre", "squint"])
def test_on_a_phone_values_are_not_too_small_to_read(visit, game):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    page = opened(visit(spadille.page(entries[:1])))
    page.set_viewport_size({"width": 360, "height": 740})
    for _ in range(4):
        press(page, "ArrowRight")
        sizes = page.locator(".felt .worth").evaluate_all(
            "(all) => all.map((worth) => parseFloat(getComputedStyle(worth).fontSize))"
        )
        assert min(sizes) >= 11
        assert page.locator(".felt button.card").evaluate_all(
            "(all) => all.every((card) => card.scrollWidth <= card.clientWidth)"
        )


def test_on_a_touch_screen_listed_cards_are_large_enough(visit, evening):
    page = opened(visit(evening))
    on_touch_screen(page)
    page.set_viewport_size({"width": 360, "height": 740})
    press(page, "End")
    boxes = [each.bounding_box() for each in page.locator(".course button").all()]
    assert min(box["height"] for box in boxes) >= 32
    assert min(box["width"] for box in boxes) >= 24
    assert max(box["x"] + box["width"] for box in boxes) <= 360


@pytest.mark.in_firefox
@pytest.mark.parametrize("game", ["evenings/ombre", "german-solo"])
def test_on_a_phone_the_message_after_the_hand_is_read_without_scrolling(visit, game):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = max(entries, key=lambda each: len(each.play.cards) if each.play else 0)
    page = opened(visit(spadille.page([entry])))
    page.set_viewport_size({"width": 360, "height": 740})
    press(page, "End", "ArrowLeft")
    above, below = (page.locator(each) for each in (".felt", ".playing .tools"))
    top, place = above.bounding_box()["y"], below.bounding_box()["y"]
    press(page, "ArrowRight")
    page.wait_for_function(
        "() => /No card|First error/.test(document.querySelector('.playing .said').textContent)"
    )
    page.wait_for_timeout(100)  # until it is drawn
    assert page.locator(".playing .said").evaluate(
        "(said) => said.scrollHeight <= said.clientHeight + 1"
    )
    moved = below.bounding_box()["y"] - above.bounding_box()["y"] - (place - top)
    assert abs(moved) < 1  # positions are rounded to pixels


@pytest.mark.parametrize("game", ["evenings/ombre", "german-solo", "squint", "solo-whist"])
def test_on_a_phone_a_hand_that_is_over_can_be_copied_without_scrolling(visit, game):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = max(entries, key=lambda each: len(each.play.cards) if each.play else 0)
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    page.locator(".playing").press("End")
    assert "Result: " in settled(page)
    page.evaluate("document.querySelector('.playing').scrollIntoView({ behavior: 'instant' })")
    for name in ("Copy as PBN", "Copy link"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert 0 <= box["y"] <= 740 - box["height"]


@pytest.mark.parametrize("game", ["german-solo", "solo-whist", "squint"])
def test_on_a_phone_two_controls_of_the_contract_are_in_a_row(visit, game):
    entry = next(
        each for each in spadille.load(EVENING.parents[1] / f"{game}.pbn") if each.contract
    )
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    rows = page.evaluate(ROWS, ".terms label")
    assert set(rows[:-1]) <= {2}
    assert rows[-1] in (1, 2)
    for select in page.locator(".terms select, .sit select").all():
        box = select.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] + box["width"] <= 360


@pytest.mark.parametrize(("game", "columns"), [("quadrille", 2), ("quintille", 1)])
def test_tricks_stand_in_columns_and_the_contract_is_not_cut_off(visit, game, columns):
    hands = EVENING.parents[1] / f"{game}.pbn"
    page = opened(visit(spadille.page(spadille.load(hands)[:1])))
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    lefts = page.locator(".course > li").evaluate_all(
        "(tricks) => tricks.map((trick) => trick.getBoundingClientRect().left)"
    )
    assert len(set(lefts)) == columns
    height, text = page.locator(".playing .standing").evaluate(
        "(standing) => [standing.clientHeight, standing.scrollHeight]"
    )
    assert text <= height


@pytest.mark.parametrize(("game", "lines"), [("mensch", 2), ("german-solo", 2), ("squint", 3)])
def test_on_a_phone_the_contract_and_its_value_take_few_lines(visit, game, lines):
    """Check a called card, and three declarers."""
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = max(entries, key=lambda each: len(str(each.contract or "")))
    assert len(entry.contract.declarers) == (3 if game == "squint" else 1)
    page = opened(visit(spadille.page([entry])))
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    height, line = page.locator(".playing .standing").evaluate(
        "(at) => [at.scrollHeight, parseFloat(getComputedStyle(at).lineHeight)]"
    )
    assert round(height / line) <= lines


ROWS = """(what) => {
    const found = [...document.querySelectorAll(what)];
    const tops = found.map((each) => Math.round(each.getBoundingClientRect().top));
    return [...new Set(tops)].map((top) => tops.filter((each) => each === top).length);
}"""


@pytest.mark.parametrize(("game", "rows"), [("anna-cubed", [7, 6]), ("ombre", [5, 5])])
def test_on_a_phone_a_long_suit_has_two_rows_of_equal_length(visit, game, rows):
    page = visit(write([], rules=rules_for(game)))
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(ROWS, ".pack div:first-child button") == rows
    # The hands without cards share a row, with room for two or three.
    seats = len(rules_for(game).seats)
    assert len(page.evaluate(ROWS, ".receivers button")) < seats
    page.get_by_role("button", name="Random", exact=True).click()
    assert len(page.evaluate(ROWS, ".receiver > button:first-child")) == seats


def test_on_a_phone_a_hand_has_two_rows_of_equal_length(visit):
    entry = next(iter(spadille.load(EVENING.parents[1] / "ombre.pbn")))
    page = opened(visit(spadille.page([entry])))
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(ROWS, ".felt .seat.turn .card") == [5, 4]
