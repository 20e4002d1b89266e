"""Playing a deal from a seat in a browser: what is hidden, what is said, and the report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import spadille
from spadille import Position
from tests.pages.test_board import settled
from tests.support.browsers import barriers, in_colors, on_paper

CARD = ".seat.turn button.card:not([aria-disabled])"
HANDS = Path(__file__).parents[2] / "examples" / "german-solo.pbn"


@pytest.fixture(scope="module")
def evening() -> str:
    return spadille.page(spadille.load(HANDS)[:1])


def my_turn(page) -> bool:
    """Wait until the others have played; return whether there is a card to choose."""
    page.wait_for_function(
        """() => !document.querySelector(".report:not([hidden])") ? Boolean(
            document.querySelector(".seat.turn button.card")
            && document.querySelector(".felt").getAttribute("aria-busy") === "false") : true"""
    )
    return page.locator(".report:not([hidden])").count() == 0


def sat_down(page, keys: bool = False):
    if page.locator(".start").count():
        page.locator(".start").click()
    settled(page)
    if keys:
        page.keyboard.press("g")
    else:
        page.get_by_role("button", name="Play from this seat").click()
    page.locator(".felt .closed").first.wait_for()
    assert my_turn(page)
    return page


def test_a_deal_is_played_from_a_seat_to_its_end(visit, evening):
    """Until the end, others' cards are in no element of the board or the deal around it."""
    page = sat_down(visit(evening))
    mine = page.locator(".felt .seat.turn").get_attribute("data-seat")
    for number in range(8):
        shown = page.locator(".felt .seat [data-card]")
        assert shown.count() == 8 - number
        assert page.locator(f'.felt [data-seat="{mine}"] [data-card]').count() == 8 - number
        assert page.locator(".spoiler:visible, .board:visible, .terms:visible").count() == 0
        assert page.locator(".felt .tag", has_text="you").all_inner_texts() == ["your turn"]
        assert page.locator(".results:visible, [href='#results']:visible").count() == 0
        if number == 7:
            claims = page.locator(".claims option").all_inner_texts()
            assert claims == ["the last trick", "no more tricks"]
        page.locator(CARD).first.click()
        if number < 7:
            assert my_turn(page)
    assert not my_turn(page)
    report = page.locator(".report:not([hidden])").inner_text()
    assert page.locator(".report h3").all_inner_texts() == ["Your result", "Your cards"]
    result = r"^\d+ tricks? for the declaring side, contract (made|defeated)\."
    assert re.search(result, report, re.MULTILINE)
    assert page.locator(".felt .tag", has_text="you").all_inner_texts() == ["you"]
    assert page.locator(f'.felt [data-seat="{mine}"] .tag', has_text="you").count() == 1
    assert page.get_by_role("button", name="Next deal").count() == 0
    assert "Double-dummy from the first card:" in report
    assert "The recorded " in report
    assert page.locator(".results:visible").count() == 1
    assert page.locator(".felt .seat.at-bottom").get_attribute("data-seat") == mine
    page.set_viewport_size({"width": 768, "height": 1024})  # the report covers the buttons
    covers, covered = (page.locator(each).bounding_box() for each in (".report", ".tools"))
    assert covers["y"] <= covered["y"]
    page.set_viewport_size({"width": 1280, "height": 720})
    for error in page.locator(".errors details").all():
        line = error.locator("summary")
        assert line.locator("[role=img]").inner_text()[0] in "♠♥♦♣"
        line.click()
        settled(page)
        assert error.get_attribute("open") is not None
        assert page.locator(".errors details[open]").count() == 1
        trick = line.inner_text().split(",")[0]
        assert page.locator(".playing .said").inner_text().startswith(f"{trick}: ")
        chance = r"the contract makes in (all|none of|\d+ of) \d+ layouts tried after yours"
        assert re.search(rf"Given what you knew, .*: {chance}", error.inner_text())
    page.keyboard.press("Escape")
    assert page.locator(".report:visible").count() == 0
    assert page.locator(".tools:visible").count() == 1
    assert page.locator(".course button").count() == 32


def test_names_over_hidden_hands_take_at_most_two_lines(visit):
    """Five players have the least room, and a fan of one card is narrower than a name."""
    page = sat_down(visit(spadille.page(spadille.load(HANDS.with_name("quintille.pbn"))[:1])))
    for number in range(8):
        lines = page.locator(".felt .who").evaluate_all(
            """(all) => all.map((name) =>
                name.offsetHeight / parseFloat(getComputedStyle(name).lineHeight))"""
        )
        assert len(lines) == 5
        assert max(lines) < 2.5
        page.locator(CARD).first.click()
        assert my_turn(page) == (number < 7)


def test_on_a_phone_nothing_moves_during_play_from_a_seat(visit, evening):
    page = visit(evening)
    page.set_viewport_size({"width": 360, "height": 740})
    sat_down(page)
    tops = set()
    while my_turn(page):
        below = page.locator(".playing .said, .sit")
        tops.add(tuple(below.evaluate_all("(all) => all.map((each) => each.offsetTop)")))
        course, panel = (page.locator(each).bounding_box() for each in (".course", ".side-panel"))
        assert course["y"] + course["height"] <= panel["y"] + panel["height"] + 1
        page.locator(CARD).first.click()
    assert len(tops) == 1


def test_on_a_phone_the_buttons_at_a_seat_are_in_one_row(visit, evening):
    page = visit(evening)
    page.set_viewport_size({"width": 360, "height": 740})
    sat_down(page)
    tops = page.locator(".sit > button:visible").evaluate_all(
        "(all) => all.map((each) => each.offsetTop)"
    )
    assert len(tops) == 4
    assert len(set(tops)) == 1


def test_the_goal_is_said_at_a_seat_and_stays_above_the_table(visit, evening):
    page = visit(evening, "#deal=1&at=31")
    settled(page)
    page.locator(".sit select").select_option(page.locator(".turn").get_attribute("data-seat"))
    page.get_by_role("button", name="Play from this seat").click()
    assert my_turn(page)
    entry = spadille.load(HANDS)[0]
    target = entry.deal.rules.contract(entry.contract.ids[0]).target
    told = page.locator(".playing .said").inner_text()
    assert f"The declaring side needs {target} tricks. The others play" in told
    line = page.locator(".standing").inner_text()
    assert line.startswith("East plays Frog in diamonds")
    assert line.endswith(f"; needs {target} tricks")


def test_several_goals_are_said_at_a_seat(visit):
    [entry] = spadille.load(HANDS.with_name("squint.pbn"))[:1]
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    settled(page)
    page.locator(".sit select").select_option("1")
    page.get_by_role("button", name="Play from this seat").click()
    said(
        page,
        "You play Player 1. Player 5 needs 6 tricks. Player 1 must take no trick. "
        "Player 4 must take no trick. The others play from what they know.",
    )
    standing = (
        "Player 5 plays Ace solo and needs 6 tricks; "
        "Player 1 plays Misère and must take no trick; Player 4 plays Misère and must take no trick"
    )
    # The name of a seat is not broken over two lines.
    assert page.locator(".standing").inner_text() == standing.replace("Player ", "Player\xa0")


def test_the_reader_at_a_seat_is_called_you(visit, evening):
    entry = spadille.load(HANDS)[0]
    position = Position.of(entry.deal, entry.contract)
    cards = list(entry.play.cards)
    while len(position.legal()) == len(position.hands[position.to_play]):
        position.play(cards.pop(0))
    at = len(entry.play.cards) - len(cards)
    page = visit(evening, f"#deal=1&at={at}")
    settled(page)
    page.locator(".sit select").select_option(position.to_play)
    page.get_by_role("button", name="Play from this seat").click()
    assert my_turn(page)
    page.locator(".seat.turn button.card[aria-disabled]").first.dispatch_event("click")
    said(page, "You may not play the ")
    # On a touch screen, a legend is one button away.
    page.locator(".sit").get_by_role("button", name="Help").click()
    assert page.locator(".keys").is_visible()
    page.locator(".keys").get_by_role("button", name="Close").click()
    assert page.locator(".keys").is_hidden()
    assert page.evaluate("document.activeElement.className") == "playing"
    assert page.locator(".felt .closed").count() == 3


def stop(page) -> None:
    page.get_by_role("button", name="Stop playing").click()
    page.get_by_role("button", name="Show all hands").click()
    settled(page)


SIZE = """() => {
    const { width, height } = document.querySelector(".felt .mine .card").getBoundingClientRect();
    return [width, height];
}"""
SECRET = ".felt .worth, .spoiler:visible, .board:visible, .results:visible"


def test_a_page_loaded_again_goes_on_from_the_seat(visit, evening):
    """Neither the page nor its print shows the other hands."""
    page = sat_down(visit(evening))
    mine = page.locator(".felt .seat.turn").get_attribute("data-seat")
    page.locator(CARD).first.click()
    own = page.locator(f'.felt [data-seat="{mine}"]')
    size = page.evaluate(SIZE)
    assert my_turn(page)
    assert page.evaluate(SIZE) == size
    played, held = page.locator(".course button").all_inner_texts(), own.inner_text()
    page.reload()
    assert my_turn(page)
    assert page.locator(".course button").all_inner_texts() == played
    assert own.inner_text() == held
    assert page.locator(".felt .closed").count() == 3
    assert page.locator(SECRET).count() == 0
    on_paper(page)
    assert page.locator(".deal .spoiler:visible, .deal .board:visible").count() == 0
    on_paper(page, False)
    stop(page)
    page.reload()
    settled(page)
    assert page.locator(".felt .closed").count() == 0


def test_keys_right_after_loading_again_do_no_harm(visit, evening):
    """The board is drawn before the engine has reported the position."""
    page = sat_down(visit(evening))
    page.reload()
    page.wait_for_selector(".playing", state="attached")
    page.evaluate("""() => {
        const root = document.querySelector(".playing");
        for (const key of ["b", "h", "ArrowLeft", "ArrowRight", "u", "y", "1", "Home"])
            root.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }""")
    assert my_turn(page)
    assert page.locator(".felt .closed").count() == 3


def said(page, words: str) -> None:
    page.wait_for_function(
        """(words) => document.querySelector(".playing .said").textContent.replaceAll("\xa0", " ")
            .includes(words)""",
        arg=words,
    )


def test_no_barrier_that_axe_finds_while_playing(visit, evening):
    def check(page):
        for scheme in ("light", "dark"):
            in_colors(page, scheme)
            assert barriers(page, "main", colors=scheme == "dark") == ""

    page = sat_down(visit(evening))
    check(page)
    page.get_by_role("button", name="Stop playing").click()
    check(page)
    page.get_by_role("button", name="Play on").click()
    while my_turn(page):
        page.locator(CARD).first.click()
        page.wait_for_timeout(100)
    check(page)


LONGEST_GUESS = (
    "Given what you know, only a guess from 19 layouts: the best cards are ♦10, ♦J, ♦Q and ♦K; "
    "they pay +136.6 on average, and the first declarer scores in 19. "
    "Ask again for a hint from all hands."
)
LONGEST_HINT = (
    "Given what you know, the best cards are ♦10, ♦J, ♦Q and ♦K; they pay +136.6 on average, "
    "and the first declarer scores in 100 of 100 layouts tried. "
    "Ask again for a hint from all hands."
)
# The board has the same parts on a tablet, so only the slow tests play there.
SIZES = [
    (1280, 720),
    pytest.param((1024, 768), marks=pytest.mark.slow),
    pytest.param((768, 1024), marks=pytest.mark.slow),
    (360, 740),
]


@pytest.mark.parametrize("size", SIZES)
def test_the_report_leaves_the_line_above_it_and_its_button_on_the_screen(visit, evening, size):
    page = visit(evening, "#deal=1&at=28")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sat_down(page)
    page.locator(CARD).first.click()
    assert not my_turn(page)
    boxes = {
        name: page.locator(each).bounding_box()
        for name, each in (
            ("line", ".standing"),
            ("report", ".report"),
            ("close", ".report .ways button"),
        )
    }
    ends = {name: box["y"] + box["height"] for name, box in boxes.items()}
    assert boxes["line"]["y"] > -1
    assert ends["line"] <= boxes["report"]["y"]
    assert ends["close"] <= ends["report"] <= size[1]
    for scheme in ("light", "dark"):
        in_colors(page, scheme)
        color, ground = page.locator(".report").evaluate(
            "(report) => [getComputedStyle(report).color, getComputedStyle(report).backgroundColor]"
        )
        assert color != ground, scheme


@pytest.mark.parametrize("size", SIZES)
def test_everything_needed_to_play_is_on_one_screen(visit, evening, size):
    page = visit(evening)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sat_down(page)
    for each in (".felt", ".sit", ".playing .said", ".standing"):
        box = page.locator(each).bounding_box()
        assert box["y"] > -1, each  # positions are rounded to pixels
        assert box["y"] + box["height"] <= size[1], each
    card = page.locator(".seat.turn button.card").first.bounding_box()
    assert min(card["width"], card["height"]) >= 44
    for longest in (LONGEST_HINT, LONGEST_GUESS):
        fits = page.locator(".playing .said").evaluate(
            """(said, longest) => {
                said.textContent = longest;
                return said.scrollHeight <= said.clientHeight + 1;
            }""",
            longest,
        )
        assert fits


@pytest.mark.in_firefox
def test_the_others_wait_while_the_reader_is_asked_whether_to_stop(visit, evening):
    """The question stays in sight; afterwards the hand goes on."""
    page = visit(evening, "#deal=1&at=0")
    settled(page)
    page.locator(".sit select").select_option(page.locator(".turn").get_attribute("data-seat"))
    page.keyboard.press("g")
    page.locator(".felt .closed").first.wait_for()
    assert my_turn(page)
    page.evaluate(
        """(card) => {
        document.querySelector(card).click();
        for (const button of document.querySelectorAll(".sit button"))
            if (button.textContent === "Stop playing") button.click();
    }""",
        CARD,
    )
    page.wait_for_function("() => document.querySelector('.playing').board.held")
    assert page.locator(".playing .said").inner_text() == "Stop playing and show all hands?"
    assert page.locator(".course button").count() == 1
    page.get_by_role("button", name="Play on").click()
    assert my_turn(page)
    assert page.locator(".course button").count() >= 4
    assert page.locator(".felt .closed").count() == 3
