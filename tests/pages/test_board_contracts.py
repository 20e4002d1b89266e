"""The table of contracts on a board."""

from __future__ import annotations

import pytest

import spadille
from spadille.render.text import SYMBOLS
from tests.pages.test_board import EVENING, opened, settled, symbols
from tests.support.browsers import on_touch_screen


def test_the_contracts_that_make_are_those_of_table(visit):
    """Contracts without a partner; a table that is closed goes on when it is opened again."""
    entry = spadille.load(EVENING.parents[1] / "mensch.pbn")[0]
    page = opened(visit(spadille.page([entry])))
    for _ in range(3):
        page.keyboard.press("c")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        === "All contracts are known." """)
    rules = entry.deal.rules
    wanted = {}
    for kind in rules.contracts.values():
        for trump in rules.allowed_trumps(kind, entry.deal):
            for seat in rules.seats:
                if kind.side == "alone":
                    found = spadille.solve(entry.deal, f"{seat} {kind.id} {trump}")
                    wanted[f"{kind.name} {trump} {seat}"] = (found.tricks, found.makes)
    shown = {}
    for row in page.locator(".offers tbody tr").all():
        name, suit = row.locator("th").inner_text().rsplit(",\xa0", 1)
        trump = next((each for each, sign in SYMBOLS.items() if sign in suit), "NT")
        for seat, cell in zip(rules.seats, row.locator("td").all_inner_texts(), strict=True):
            if f"{name} {trump} {seat}" in wanted:
                shown[f"{name} {trump} {seat}"] = (int(cell.split()[0]), "✓" in cell)
    assert wanted
    assert shown == wanted
    page.keyboard.press("Escape")
    assert settled(page) == "All contracts are known."
    assert page.locator(".offers").is_hidden()
    page.keyboard.press("c")
    cell = page.locator(".offers .makes button").last
    name = cell.get_attribute("title")
    cell.click()
    settled(page)
    assert page.locator(".offers").is_hidden()
    assert page.locator(".standing").inner_text().startswith(name)


def test_the_table_of_contracts_says_whether_its_hands_were_dealt(visit, evening):
    without = spadille.page(spadille.load(EVENING.parents[1] / "german-solo.pbn")[:1])
    for text, exchanged in ((evening, True), (without, False)):
        page = visit(text, f"?{exchanged}#deal=1&at=0")
        settled(page)
        page.locator(".playing").press("c")
        caption = page.locator(".offers p").inner_text()
        assert ("after the exchange, not as dealt" in caption) == exchanged


def test_of_several_best_calls_the_table_of_contracts_names_the_first(visit):
    """The answer does not depend on which worker is faster."""
    entry = spadille.load(EVENING.parents[1] / "german-solo.pbn")[0]
    deal, rules = entry.deal, entry.deal.rules
    kind = next(each for each in rules.contracts.values() if each.side == "called")
    page = opened(visit(spadille.page([entry])))
    page.keyboard.press("c")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        === "All contracts are known." """)
    ties = 0
    for row, trump in enumerate(rules.allowed_trumps(kind, deal)):
        shown = page.locator(".offers tbody tr").nth(row).locator("td .with").all_inner_texts()
        for seat, told in zip(rules.seats, shown, strict=True):
            calls = rules.callable_cards(trump, deal.hands[seat], kind)
            tricks = [
                spadille.solve(deal, f"{seat} {kind.id} {trump} {call}").tricks for call in calls
            ]
            ties += tricks.count(max(tricks)) > 1
            assert symbols([calls[tricks.index(max(tricks))]]) == [told.strip()]
    assert ties


def test_on_a_phone_the_table_of_contracts_is_not_wider_than_the_screen(visit):
    """Also with five seats, and partners or called cards in the cells."""
    for game in ("german-solo", "quintille", "squint"):
        entry = spadille.load(EVENING.parents[1] / f"{game}.pbn")[0]
        page = visit(spadille.page([entry]), f"?{game}#deal=1&at=0")
        page.set_viewport_size({"width": 360, "height": 740})
        settled(page)
        page.locator(".playing").press("c")
        page.wait_for_function("""() => document.querySelector(".playing .said").textContent
            === "All contracts are known." """)
        width, room = page.locator(".offers").evaluate(
            "(offers) => [offers.scrollWidth, offers.clientWidth]"
        )
        assert width <= room, game
        lines = page.locator(".offers .with:not(:empty)").evaluate_all(
            """(all) => all.map((each) =>
                each.offsetHeight / parseFloat(getComputedStyle(each).lineHeight))"""
        )
        assert max(lines) < 1.5, game
        close = page.locator(".offers > button").bounding_box()
        assert close["y"] + close["height"] <= 740, game


@pytest.mark.parametrize(("game", "lines"), [("quintille", 1), ("squint", 2)])
def test_on_a_tablet_the_table_of_contracts_of_five_seats_is_whole(visit, game, lines):
    """A called card is beside the tricks; a partner may be in the next line, but in one line."""
    entry = spadille.load(EVENING.parents[1] / f"{game}.pbn")[0]
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    page.set_viewport_size({"width": 768, "height": 1024})
    settled(page)
    page.locator(".playing").press("c")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        === "All contracts are known." """)
    offers = page.locator(".offers")
    boxes = offers.locator("td button:has(.with:not(:empty))").evaluate_all(
        """(all) => all.map((button) => {
            const range = document.createRange();
            range.selectNodeContents(button.firstChild);
            const { top, height } = range.getBoundingClientRect();
            return [button.lastChild.getBoundingClientRect().top - top, height];
        })"""
    )
    assert boxes
    assert {round(below / height) for below, height in boxes} == {lines - 1}
    width, room = offers.evaluate("(offers) => [offers.scrollWidth, offers.clientWidth]")
    assert width <= room


@pytest.mark.parametrize("game", ["quintille", "mensch"])
def test_all_contracts_fit_the_table_on_a_desktop_and_a_finger_on_a_touch_screen(visit, game):
    [entry] = spadille.load(EVENING.parents[1] / f"{game}.pbn")[:1]
    page = opened(visit(spadille.page([entry])))
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("c")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        === "All contracts are known." """)
    if page.evaluate(
        "matchMedia('(hover: hover)').matches"
    ):  # Firefox without a screen has no mouse
        scrolls = "(table) => table.scrollHeight > table.clientHeight + 1"
        assert not page.locator(".offers").evaluate(scrolls)
    on_touch_screen(page)
    boxes = [each.bounding_box() for each in page.locator(".offers td button").all()]
    assert boxes
    assert min(min(box["width"], box["height"]) for box in boxes) >= 44
