"""The board on screens of four sizes: what is in view, and large enough to read and to touch."""

from __future__ import annotations

import re

import pytest

import spadille
from spadille.games import rules_for
from spadille.pages.evening_to_play import evening_to_play
from tests.pages.test_board import EVENING, opened, press, settled
from tests.pages.test_board_from_a_seat import my_turn
from tests.support.tiers import games_of_extreme_sizes

SIZES = ((1280, 720), (1024, 768), (768, 1024), (360, 740))


def test_of_several_declarers_each_value_names_its_player(visit):
    [entry] = spadille.load(EVENING.parents[1] / "squint.pbn")[:1]
    page = opened(visit(spadille.page([entry])))
    for button in page.locator(".felt button.card").all():
        values = re.findall(r"Player \d: \d tricks?", button.get_attribute("aria-label"))
        assert [value[:8] for value in values] == [
            f"Player {seat}" for seat in entry.contract.declarers
        ]
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            short = [re.sub("Player | tricks?", "", value) for value in values]
            assert button.locator(".worth").inner_text().splitlines() == short


def test_three_lines_leave_room_for_tricks_and_the_buttons_for_copies(visit, evening):
    page = opened(visit(evening))
    page.set_viewport_size({"width": 1280, "height": 720})
    for _ in range(3):
        press(page, "ArrowRight")
        page.locator(".felt button.card:not([aria-disabled]):not(.next)").first.click()
        settled(page)
        press(page, "p")
    assert page.locator(".lines button").count() == 3
    height, row, bottom, end = page.locator(".side-panel").evaluate("""(side) => {
        const box = (what) => side.querySelector(what).getBoundingClientRect();
        const rows = box(".course"), copies = box(".copying button");
        return [rows.height, box(".course li").height, copies.bottom,
            side.getBoundingClientRect().bottom];
    }""")
    assert height >= 3 * row
    assert bottom <= end + 1


@pytest.mark.parametrize(
    ("width", "height"),
    [SIZES[0], *(pytest.param(*size, marks=pytest.mark.slow) for size in SIZES[1:3]), SIZES[3]],
)
def test_once_there_are_other_lines_all_tricks_and_lines_are_in_view(visit, evening, width, height):
    """Rows are higher on a touch screen, where half a row may be out of view."""
    page = opened(visit(evening))
    page.set_viewport_size({"width": width, "height": height})
    form = page.get_by_label("Declarer")
    assert form.is_visible()
    for _ in range(4):
        press(page, "ArrowRight")
        page.locator(".felt button.card:not([aria-disabled]):not(.next)").first.click()
        settled(page)
        press(page, "p")
    assert form.is_hidden()
    for each, rows in ((".course", 9), (".lines", 5)):
        assert page.locator(f"{each} li").count() == rows
        high, room, row = page.locator(each).evaluate("""(list) => [list.scrollHeight,
            list.clientHeight, list.querySelector("button").getBoundingClientRect().height]""")
        touch = page.evaluate("matchMedia('(hover: none)').matches")
        assert high <= room + (row / 2 if touch else 1), each
    if width == 360:
        above, below = (page.locator(each).bounding_box() for each in (".lines", ".choices"))
        assert above["y"] + above["height"] <= below["y"]
    page.get_by_text("Another contract").click()
    assert form.is_visible()


# The width of a list of choices, and the width that shows its longest choice whole.
WIDTHS_OF_CHOICE = """(select) => {
    const other = select.cloneNode(true);
    other.style.width = "auto";
    other.style.maxWidth = "none";
    select.after(other);
    const widths = [select, other].map((each) => each.getBoundingClientRect().width);
    other.remove();
    return widths;
}"""


def test_the_longest_contract_fits_into_its_list(visit):
    hands = EVENING.parents[1] / "quadrille.pbn"
    page = opened(visit(spadille.page(spadille.load(hands)[:1])))
    select = page.locator(".terms select").first
    select.select_option(label="Forced Spadille")
    settled(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        has, needs = select.evaluate(WIDTHS_OF_CHOICE)
        assert needs <= has, width


# The elements outside the window, those too small for a finger, values wider than their cards, and
# suits under a mark.
HIDDEN = """() => {
    const all = (what) => [...document.querySelectorAll(what)];
    const parts = ".felt, .felt .seat, .felt .card, .felt .trick, .said, .tools button, .standing";
    const seen = all(`:is(.current, body:not(.lesson-on)) :is(${parts})`)
        .filter((each) => each.checkVisibility()).filter((each) => {
            const { top, bottom, left, right } = each.getBoundingClientRect();
            return top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1;
        });
    const small = all(".felt button.card, .tools button").filter((each) => {
        if (!each.checkVisibility()) return false;
        const { width, height } = each.getBoundingClientRect();
        return width < 44 || height < 44;
    });
    const boxes = all(".felt .seat").map((each) => each.getBoundingClientRect());
    const over = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const trick = all(".felt .trick :is(.card, p)").map((each) => each.getBoundingClientRect());
    const overlaps = boxes.some((one, i) =>
        [...trick, ...boxes.slice(i + 1)].some((other) => over(one, other)));
    const text = document.createRange();
    const wide = all(".felt .card .worth").filter((worth) => {
        text.selectNodeContents(worth);
        const card = worth.parentElement;
        return text.getBoundingClientRect().width > card.clientWidth + 1;
    });
    const covered = all(".felt .card .pip").filter((pip) => {
        const card = pip.closest(".card"), mark = getComputedStyle(card, "::after");
        if (mark.content === "none") return false;
        const { top, right } = card.getBoundingClientRect(), box = pip.getBoundingClientRect();
        const frame = card.clientLeft, size = parseFloat(mark.width);
        return box.right - (right - frame - parseFloat(mark.right) - size) > 3
            && top + frame + parseFloat(mark.top) + parseFloat(mark.height) - box.top > 3;
    });
    const felt = document.querySelector(".felt");
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = felt;
    return {
        overlaps, wide: wide.map((each) => each.textContent),
        covered: covered.map((each) => each.textContent),
        outside: seen.map((each) => each.className),
        small: small.map((each) => each.textContent),
        scrolls: scrollHeight - clientHeight > 1 || scrollWidth - clientWidth > 1,
    };
}"""

FITS: dict[str, object] = {"overlaps": False, "scrolls": False}
FITS |= {key: [] for key in ("wide", "covered", "outside", "small")}


@pytest.mark.parametrize("game", games_of_extreme_sizes())
def test_the_board_fits_one_screen(visit, game):
    """Check with all cards in the hands, with some on the table, and in the verdict of a quiz."""
    entry = next(
        each
        for each in spadille.load(EVENING.parents[1] / f"{game}.pbn")
        if each.contract and each.play and len(each.play.cards) > 6
    )
    page = visit(spadille.page([entry]))
    for width, height in (*SIZES, (740, 360)):  # also on a phone on its side
        page.set_viewport_size({"width": width, "height": height})
        for at in (0, 1, 2, 5):
            page.evaluate("(at) => { location.hash = `deal=1&at=${at}`; }", at)
            page.wait_for_function("(at) => location.hash.endsWith(`at=${at}`)", arg=at)
            settled(page)
            page.evaluate(
                "document.querySelector('.playing').scrollIntoView({ behavior: 'instant' })"
            )
            found = page.evaluate(HIDDEN)
            assert found == FITS, (width, height, at)


# The shortest edge of a card of the hand to play, the hand's rows and suits, and whether a card
# lies over the trick or over another card.
HAND_TO_PLAY = """() => {
    const cards = [...document.querySelectorAll(".felt .turn .card")];
    const boxes = cards.map((card) => card.getBoundingClientRect());
    const trick = [...document.querySelectorAll(".felt .trick :is(.card, p)")]
        .map((each) => each.getBoundingClientRect());
    const over = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const middle = ({ top, bottom }) => (top + bottom) / 2;
    const rows = boxes.filter((box, i) => !boxes.slice(0, i).some((other) =>
        Math.abs(middle(box) - middle(other)) < box.height / 2));
    return {
        least: Math.min(...boxes.flatMap(({ width, height }) => [width, height])),
        covers: boxes.some((box, i) =>
            [...trick, ...boxes.slice(i + 1)].some((other) => over(box, other))),
        rows: rows.length,
        suits: new Set(cards.map((card) => card.dataset.card[0])).size,
    };
}"""


@pytest.mark.in_firefox
@pytest.mark.parametrize("game", games_of_extreme_sizes())
def test_the_hand_to_play_has_at_most_one_row_for_each_suit(visit, game):
    """Check every seat of the first trick, with the other hands in sight."""
    entry = next(
        each
        for each in spadille.load(EVENING.parents[1] / f"{game}.pbn")
        if each.contract and each.play and len(each.play.cards) > 6
    )
    page = visit(spadille.page([entry]))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for at in range(len(rules_for(game).seats)):
            page.evaluate("(at) => { location.hash = `deal=1&at=${at}`; }", at)
            page.wait_for_function("(at) => location.hash.endsWith(`at=${at}`)", arg=at)
            settled(page)
            hand = page.evaluate(HAND_TO_PLAY)
            assert hand["least"] >= 44, (width, height, at)
            assert not hand["covers"], (width, height, at)
            assert hand["rows"] <= max(hand["suits"], 2), (width, height, at)


@pytest.mark.in_firefox
@pytest.mark.parametrize("game", games_of_extreme_sizes())
def test_play_from_a_seat_fits_one_screen(visit, game):
    page = visit(evening_to_play(rules_for(game), 1, 7))
    page.locator(".start").click()
    assert my_turn(page)
    for width, height in (*SIZES, (740, 360)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("document.querySelector('.playing').scrollIntoView({ behavior: 'instant' })")
        assert page.evaluate(HIDDEN) == FITS, (width, height)
        for claim in page.locator(".claims button").all():
            box = claim.bounding_box()
            assert box["y"] + box["height"] <= height
        rows = {button.bounding_box()["y"] for button in page.locator(".sit > button").all()[:4]}
        assert len(rows) == (2 if width == 740 else 1), (width, height)
        for select in page.locator(".claims select").all():
            has, needs = select.evaluate(WIDTHS_OF_CHOICE)
            assert needs <= has + 1, (width, height)  # Firefox rounds


@pytest.mark.parametrize("game", ["quintille", "squint"])
def test_five_hands_have_large_cards_on_a_tablet(visit, game):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    page = opened(visit(spadille.page([next(entry for entry in entries if entry.play)])))
    for width, height in ((1024, 768), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        box = page.locator(".felt .seat:not(.turn) .card").first.bounding_box()
        assert box["width"] >= 29, (width, height)
        assert box["height"] >= 42, (width, height)


# Cards and names that lie over one another.
OVERLAPS = """() => {
    const all = [...document.querySelectorAll(".felt .seat :is(.card, .who)")];
    const boxes = all.map((each) => each.getBoundingClientRect());
    const common = (one, other, from, to) =>
        Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
    const within = (one, other) => common(one, other, "left", "right") > 3
        && common(one, other, "top", "bottom") > 3;
    return boxes.filter((box, i) => boxes.slice(i + 1).some((other) => within(box, other))).length;
}"""


@pytest.mark.parametrize(("game", "number"), [("squint", 9), ("solo-whist", 4), ("solo-whist", 6)])
def test_no_hand_covers_another(visit, game, number):
    """A card of Nemo shows the points of its player alone; 13 cards have a row of their own."""
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    page = visit(spadille.page([entries[number - 1]]), "#deal=1&at=0")
    settled(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        assert page.evaluate(OVERLAPS) == 0
    if game == "squint":
        cards = page.locator(".felt .turn button.card")
        assert cards.locator(".worth > span").count() == cards.count()
        assert cards.first.get_attribute("aria-label").count("Player ") == 5


# The buttons and lists of choices that are too small for a finger. Listed cards are text.
TOO_SMALL = """() => [...document.querySelectorAll(".playing :is(button, select)")]
    .filter((each) => each.checkVisibility() && !each.closest(".course, .lines"))
    .filter((each) => {
        const { width, height } = each.getBoundingClientRect();
        return width < 44 || height < 44;
    }).map((each) => each.textContent)"""


def test_the_controls_are_large_enough_for_a_finger(visit, evening):
    page = opened(visit(evening))

    def too_small():
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise(requestAnimationFrame)")  # the page knows its new size
            settled(page)
            yield page.evaluate(TOO_SMALL)

    assert [*too_small()] == [[]] * len(SIZES)
    page.get_by_role("button", name="Play from this seat").click()
    page.locator(".sit[data-live='true']").wait_for()
    assert [*too_small()] == [[]] * len(SIZES)


@pytest.mark.parametrize("game", ["german-solo", "squint"])
def test_the_line_that_says_whose_tricks_are_counted_is_whole(visit, game):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = next(each for each in entries if each.play and len(each.play.cards) > 12)
    page = opened(visit(spadille.page([entry])))
    sides = set()
    for _ in range(6):
        press(page, "ArrowRight")
        sides.add(page.locator(".felt .turn").get_attribute("class"))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            line = page.locator(".felt .turn .who")
            assert "values: tricks" in line.inner_text()
            high, room, wide, width = line.evaluate(
                "(who) => [who.scrollHeight, who.clientHeight, who.scrollWidth, who.clientWidth]"
            )
            assert high <= room
            assert wide <= width
    assert len(sides) > 2


def test_all_cards_show_the_unit_of_their_values_or_none(visit):
    """The thicker border of a best card leaves as much room for words."""
    [entry] = spadille.load(EVENING.parents[1] / "problems" / "quintille.pbn")[:1]
    page = visit(spadille.page([entry]), f"#deal=1&at={len(entry.play.cards)}")
    settled(page)
    assert page.locator(".felt .good").count() < page.locator(".felt .unit").count()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        shown = page.locator(".felt .unit").evaluate_all(
            "(all) => all.map((unit) => unit.checkVisibility())"
        )
        assert len({*shown}) == 1, width


@pytest.mark.parametrize(("width", "height"), SIZES[:3])
def test_on_larger_screens_messages_and_tricks_are_read_without_scrolling(visit, width, height):
    whole = "(each) => each.scrollHeight <= each.clientHeight + 1"
    for game in ("evenings/ombre", "mensch", "quadrille", "quintille"):
        entry = next(
            each
            for each in spadille.load(EVENING.parents[1] / f"{game}.pbn")
            if each.play and len(each.play.cards) > 6
        )
        page = visit(spadille.page([entry]), f"?{game}#deal=1&at=0")
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        for key in ("e", "e", "End"):
            page.locator(".playing").press(key)
            settled(page)
            assert page.locator(".playing .said").evaluate(whole), (game, key)
            tricks = width == 768 or game == "quintille"
            assert not tricks or page.locator(".course").evaluate(whole), game


def test_on_larger_screens_the_help_is_read_without_scrolling(visit, evening):
    page = opened(visit(evening))
    press(page, "?")
    for width, height in SIZES[:3]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.locator(".keys").evaluate(
            "(keys) => keys.scrollHeight <= keys.clientHeight + 1"
        ), width


def test_the_view_from_a_seat_moves_no_button(visit, evening):
    page = opened(visit(evening))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(requestAnimationFrame)")  # the page knows its new size
        settled(page)
        before = page.locator(".playing .tools").bounding_box()
        press(page, "2")
        after = page.locator(".playing .tools").bounding_box()
        assert before["y"] - after["y"] == pytest.approx(0, abs=1), (width, height)
        press(page, "2")


def test_cards_on_a_tablet_are_larger_than_text(visit, evening):
    page = opened(visit(evening))
    page.set_viewport_size({"width": 768, "height": 1024})
    settled(page)
    for box in (card.bounding_box() for card in page.locator(".felt span.card").all()):
        assert box["width"] >= 40
        assert box["height"] >= 55
