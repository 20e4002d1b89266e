"""Lessons: the problems of a page in turn, hints, the score, and playing on after the answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import spadille
from spadille.base.words_for_messages import seat_name
from tests.pages.test_board import settled
from tests.pages.test_board_quiz import solution
from tests.pages.test_board_size import HIDDEN, SIZES
from tests.support.browsers import barriers, in_colors

PROBLEMS = Path(__file__).parents[2] / "examples" / "problems" / "german-solo.pbn"


@pytest.fixture(scope="module")
def entries() -> list[spadille.Entry]:
    return list(spadille.load(PROBLEMS))[:4]


@pytest.fixture(scope="module")
def lesson(entries) -> str:
    return spadille.page(entries, quiz=True)


def started(page):
    page.get_by_role("button", name="Start").click()
    settled(page)
    return page


def status(page) -> str:
    return page.locator(".lesson > p").inner_text()


def choose(page, entry, right: bool) -> str:
    """Choose the key, or a card that costs something; return the verdict."""
    page.wait_for_selector(".current.asked .felt button.card")
    valued = spadille.card_values(entry.deal, entry.contract, entry.play.cards)
    wrong = [f".felt [data-card={each.card}]:not(.missed)" for each in valued.cards if each.cost]
    chosen = f".felt [data-card={entry.posed.key}]" if right else f":is({', '.join(wrong)})"
    page.locator(f".current {chosen}").first.click()
    page.wait_for_function("() => document.querySelector('.current .said').dataset.verdict")
    return settled_here(page)


def answer(page, entry, right: bool) -> str:
    """Choose a card, and show the solution if it is wrong."""
    choose(page, entry, right)
    return solution(page)


def settled_here(page) -> str:
    page.wait_for_function(
        "() => document.querySelector('.current .felt')?.getAttribute('aria-busy') === 'false'"
    )
    return page.locator(".current .said").inner_text()


def press(page, name: str) -> None:
    chosen(page)
    page.locator(".lesson").get_by_role("button", name=name, exact=True).click()
    settled_here(page)


def chosen(page):
    """Show the controls that choose problems."""
    page.evaluate("document.querySelector('.lesson details').open = true")
    return page.locator(".lesson")


def test_the_question_stays_in_sight(visit, entries, lesson):
    """It is in the message, or above the table while the message says something else."""
    page = started(visit(lesson))
    standing, said = page.locator(".current .standing"), page.locator(".current .said")
    question = entries[0].posed.question
    assert said.inner_text() == question
    assert question not in standing.inner_text()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        press(page, "Hint")
        assert standing.inner_text() == question
        high, room = standing.evaluate("(line) => [line.scrollHeight, line.clientHeight]")
        assert high <= room + 1
    choose(page, entries[0], right=False)
    assert standing.inner_text() == question
    page.get_by_role("button", name="Try again").click()
    assert (question in said.inner_text(), question in standing.inner_text()) == (True, False)
    choose(page, entries[0], right=True)
    declarer = seat_name(entries[0].contract.declarer)
    assert standing.inner_text().replace("\xa0", " ").startswith(f"{declarer} plays ")


def test_on_a_tablet_all_tricks_are_in_view_after_the_answer(visit, entries, lesson):
    page = started(visit(lesson))
    page.set_viewport_size({"width": 768, "height": 1024})
    choose(page, entries[0], right=True)
    high, room = page.locator(".current .course").evaluate(
        "(list) => [list.scrollHeight, list.clientHeight]"
    )
    assert high <= room + 1
    copying = page.locator(".current .copying button").first.bounding_box()
    steps = [each.bounding_box() for each in page.locator(".lesson > button:visible").all()]
    assert max(box["x"] + box["width"] for box in steps) <= copying["x"]


def test_a_double_dummy_problem_shows_all_hands_but_no_values(visit, entries):
    reasoned, double_dummy = entries[2:]
    assert (reasoned.posed.method, double_dummy.posed.method) == ("reasoned", "double-dummy")
    for entry, hands in ((reasoned, 1), (double_dummy, 4)):
        page = started(visit(spadille.page([entry], quiz=True)))
        assert page.locator(".felt .seat:has(.back)").count() == 4 - hands
        assert page.locator(".felt .worth").count() == 0
        assert page.locator(".current .said").inner_text() == entry.posed.question
        answer(page, entry, right=True)
        assert page.locator(".felt .worth").count() > 0


def test_a_lesson_goes_through_its_problems_and_counts(visit, lesson, entries):
    page = started(visit(lesson))
    assert page.locator("article.deal:visible").count() == 1
    assert status(page).startswith("Problem 1 of 4, ")
    answer(page, entries[0], right=True)
    assert "Score: 1 of 1 problem right." in status(page)
    assert "Right." not in status(page)
    assert page.locator(".current .said").get_attribute("data-verdict") == "right"
    assert page.locator(".current .said").inner_text().startswith("Right: ")
    press(page, "Next problem")
    said = answer(page, entries[1], right=False)
    assert said.startswith("Not the best: ")
    assert page.locator(".current .said").get_attribute("data-verdict") == "wrong"
    assert "Score: 1 of 2 problems right; missed problem 2." in status(page)
    press(page, "Previous")
    assert status(page).startswith("Problem 1 of 4")
    press(page, "Retry missed")
    assert status(page).startswith("Problem 1 of 1")
    answer(page, entries[1], right=True)
    assert "Score: 1 of 1 problem right." in status(page)
    chosen(page).get_by_role("button", name="Results", exact=True).click()
    assert page.get_by_label("Results as text").input_value().endswith("1 of 1 problem right.")


def test_the_score_names_all_missed_problems(visit, lesson, entries):
    page = started(visit(lesson))
    answer(page, entries[0], right=False)
    press(page, "Next problem")
    answer(page, entries[1], right=False)
    assert "Score: 0 of 2 problems right; missed problems 1 and 2." in status(page)


@pytest.mark.in_firefox
def test_a_wrong_answer_can_be_tried_again(visit, lesson, entries):
    """The solution stays hidden, and the score counts the first answer."""
    page = started(visit(lesson))
    controls = page.locator(".lesson")
    said = choose(page, entries[0], right=False)
    assert said.startswith("Not the best: the ")
    assert said.endswith(". Try again, or show the solution.")
    assert "best card" not in said
    assert page.locator(".current .said").get_attribute("data-verdict") == "wrong"
    assert "Score: 0 of 1 problem right; missed problem 1." in status(page)
    assert page.locator(".current .felt .worth").count() == 0
    assert page.locator(".current .felt .seat:has(.back)").count() == 3
    assert page.locator(".current .spoiler").first.is_hidden()
    assert controls.get_by_role("button", name="Hint").is_visible()
    assert controls.get_by_role("button", name="Play on").is_hidden()
    missed = page.locator(".current .felt .missed")
    assert missed.count() == 1
    assert missed.get_attribute("aria-label").endswith(", not the best")
    page.reload()
    page.wait_for_function("() => document.querySelector('.current .said')?.dataset.verdict")
    assert missed.count() == 1
    assert page.locator(".current .felt .worth").count() == 0
    # With the keyboard alone: the Tab key reaches the buttons after the hand.
    missed.focus()
    while page.evaluate("document.activeElement.textContent") != "Try again":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator(".current .said").inner_text() == entries[0].posed.question
    focused = "document.activeElement.dataset.card"
    assert page.evaluate(focused) != missed.get_attribute("data-card")
    assert choose(page, entries[0], right=True).startswith("Right: ")
    assert page.get_by_role("button", name="Try again").is_hidden()
    assert page.locator(".current .felt .worth").count() > 0
    assert missed.count() == 0
    assert "The first answer counts. Score: 0 of 1 problem right" in status(page)
    page.reload()
    page.locator(".current .felt .worth").first.wait_for()
    assert "Score: 0 of 1 problem right; missed problem 1." in status(page)


def test_the_solution_is_shown_when_asked_for(visit, lesson, entries):
    page = started(visit(lesson))
    choose(page, entries[0], right=False)
    choose(page, entries[0], right=False)  # another card, without the button
    assert page.locator(".current .felt .missed").count() == 2
    page.get_by_role("button", name="Show the solution").focus()
    page.keyboard.press("Enter")
    assert "the best" in solution(page) or "was best" in solution(page)
    assert page.locator(".current .felt .worth").count() > 0
    assert page.locator(".lesson").get_by_role("button", name="Play on").is_visible()
    assert page.evaluate("document.activeElement.className") == "playing"
    assert "Score: 0 of 1 problem right; missed problem 1." in status(page)
    page.reload()
    page.locator(".current .felt .worth").first.wait_for()
    assert page.get_by_role("button", name="Try again").is_hidden()


def test_a_retried_problem_counts_its_first_answer(visit, lesson, entries):
    page = started(visit(lesson))
    answer(page, entries[0], right=False)
    press(page, "Retry missed")
    choose(page, entries[0], right=False)
    choose(page, entries[0], right=True)
    assert "Score: 0 of 1 problem right; missed problem 1." in status(page)
    page.reload()
    page.locator(".current .felt .worth").first.wait_for()
    assert "Score: 0 of 1 problem right; missed problem 1." in status(page)
    press(page, "Retry missed")
    choose(page, entries[0], right=True)
    assert "Score: 1 of 1 problem right." in status(page)


def test_the_next_step_and_the_results_are_marked(visit, lesson, entries):
    page = visit(lesson)
    controls = page.locator(".lesson")
    assert controls.get_by_role("button", name="Previous").is_hidden()
    assert controls.get_by_role("button", name="Retry missed").is_hidden()
    started(page)
    following = controls.get_by_role("button", name="Next problem")
    for entry, right in ((entries[0], True), (entries[1], False)):
        assert "start" not in (following.get_attribute("class") or "")
        answer(page, entry, right=right)
        head = page.locator(".current .said b").inner_text()
        assert head == ("Right:" if right else "Not the best:")
        assert "start" in following.get_attribute("class")
        following.click()
        settled_here(page)
    scores = page.locator(".deals a[data-score]").evaluate_all(
        "(links) => links.map((link) => link.textContent + link.dataset.score)"
    )
    assert scores == ["1 ✓", "2 ✗"]


def test_a_hand_on_the_table_is_shown(visit):
    """In a Misère Ouverte, everybody sees the declarer's hand after the first trick."""
    entry = spadille.load(PROBLEMS.with_name("solo-whist.pbn"))[0]
    assert entry.contract.ids == ("misere-ouverte",)
    page = started(visit(spadille.page([entry], quiz=True)))
    assert page.get_by_role("button", name="Results").count() == 0  # there is no answer yet
    declarer = page.locator(f".felt [data-seat='{entry.contract.declarer}']")
    assert declarer.locator(".card").count() == 3
    assert page.locator(".felt .seat:has(.back)").count() == 2


def test_a_hint_comes_before_the_solution(visit, lesson, entries):
    page = started(visit(lesson))
    press(page, "Hint")
    assert "best. Ask again for the suit." in settled(page)
    press(page, "Hint")
    assert settled(page) in ("Play a trump.", *(f"Play one of your {suit}." for suit in SUITS))
    assert page.locator(".current .worth").count() == 0


SUITS = ("spades", "hearts", "diamonds", "clubs")


def test_one_can_play_on_and_stays_the_pupil(visit, lesson, entries):
    page = started(visit(lesson))
    pupil = page.locator(".felt .turn").get_attribute("data-seat")
    answer(page, entries[0], right=True)
    press(page, "Play on")
    over = "document.querySelector('.current .said')?.textContent.startsWith('The hand is')"
    own = f".current .turn[data-seat='{pupil}'] button.card:not([aria-disabled])"
    ready = "document.querySelector('.current .felt').getAttribute('aria-busy') === 'false'"
    while True:
        page.wait_for_function(f'() => {ready} && ({over} || document.querySelector("{own}"))')
        if page.evaluate(over):
            break
        assert page.locator(f".current .seat:not([data-seat='{pupil}']) .card").count() == 0
        page.locator(own).first.click()
    assert "With best play from the question: " in page.locator(".current .said").inner_text()


def test_easy_problems_can_come_first(visit, lesson):
    page = visit(lesson)
    chosen(page).get_by_label("Order").select_option("easy first")
    levels = []
    for number in range(4):
        settled_here(page)
        place, level = status(page).split(".")[0].split(", ")
        assert place == f"Problem {number + 1} of 4"
        levels.append(("easy", "medium", "hard", "very hard").index(level))
        if number < 3:
            press(page, "Next problem")
    assert levels == sorted(levels)
    assert len({*levels}) > 1


def test_a_page_loaded_again_goes_on_with_its_lesson(visit, lesson, entries):
    page = started(visit(lesson))
    select = chosen(page).get_by_label("Difficulty")
    level = entries[0].posed.difficulty and select.locator("option").nth(1).inner_text()
    select.select_option(level)
    chosen(page).get_by_label("Order").select_option("random")
    settled_here(page)
    place = status(page)
    number = page.locator("article.current").get_attribute("id")
    page.reload()
    assert settled_here(page)
    assert status(page) == place
    assert page.locator("article.current").get_attribute("id") == number
    assert page.locator("article.deal:visible").count() == 1
    assert page.locator(".current .worth").count() == 0
    assert chosen(page).get_by_label("Difficulty").input_value() == level
    assert page.get_by_label("Order").input_value() == "random"
    # An answer is not asked for again, and does not count again.
    entry = entries[int(number.removeprefix("deal-")) - 1]
    verdict = "() => document.querySelector('.current .said')?.textContent.startsWith('Not the')"
    answer(page, entry, right=False)
    told = status(page)
    page.reload()
    page.wait_for_function(verdict)
    assert status(page) == told
    assert page.locator(".current .said").get_attribute("data-verdict") == "wrong"
    assert page.locator(".current .chosen").count() == 1
    press(page, "Play on")
    page.wait_for_function("() => document.querySelector('.current .felt .mine button.card')")
    page.wait_for_function(
        "() => document.querySelector('.current .felt').getAttribute('aria-busy') === 'false'"
    )
    cards = page.locator(".current .course button").count()
    page.reload()
    settled_here(page)
    assert page.locator(".current .course button").count() >= cards
    assert page.locator(".current .felt .closed").count() == 3 - entry.posed.shows_all * 3
    press(page, "All deals")
    page.reload()
    page.locator(".playing .felt .card").first.wait_for()
    assert not page.evaluate("document.body.classList.contains('lesson-on')")


def test_a_lesson_works_where_the_browser_keeps_nothing(visit, lesson, entries):
    page = visit("<title>none</title>")
    page.context.add_init_script(
        """Object.defineProperty(window, "sessionStorage", { get: () => { throw new Error(); } });
        Storage.prototype.setItem = () => { throw new Error("full"); };"""
    )
    page = started(visit(lesson))
    answer(page, entries[0], right=True)
    assert "Score: 1 of 1 problem right." in status(page)
    page.reload()
    page.get_by_role("button", name="Start").wait_for()


def test_a_card_after_the_answer_is_played_on(visit, lesson, entries):
    """The others answer it, so that the pupil is not left with hidden hands to play from."""
    page = started(visit(lesson))
    pupil = page.locator(".felt .turn").get_attribute("data-seat")
    controls = page.locator(".lesson")
    assert controls.get_by_role("button", name="Hint").is_visible()
    assert controls.get_by_role("button", name="Play on").is_hidden()
    answer(page, entries[0], right=True)
    assert controls.get_by_role("button", name="Hint").is_hidden()
    assert controls.get_by_role("button", name="Play on").is_visible()
    cards = page.locator(".current .course button").count()
    page.locator(f".current .felt [data-card={entries[0].posed.key}]").click()
    page.wait_for_function(
        "(cards) => document.querySelectorAll('.current .course button').length > cards + 1",
        arg=cards,
    )
    assert page.locator(f".current .seat:not([data-seat='{pupil}']) .card").count() == 0
    assert "Score: 1 of 1 problem right" in status(page)


def test_the_list_of_deals_leads_through_a_lesson(visit, lesson):
    page = started(visit(lesson))
    page.locator(".deals a", has_text="3").click()
    page.locator("#deal-3.current .felt").wait_for()
    settled_here(page)
    assert status(page).startswith("Problem 3 of 4")
    assert page.locator("article.deal:visible").count() == 1
    page.locator(".deals a", has_text="Contents").click()
    page.locator(".results").wait_for()
    assert page.locator("article.deal:visible").count() == 4
    assert status(page).startswith("4 problems.")


def test_a_solution_that_is_looked_up_counts_as_missed(visit, lesson, entries):
    page = started(visit(lesson))
    page.keyboard.press("b")
    assert "best card" in settled_here(page)
    assert "Score: 0 of 1 problem right; missed problem 1." in status(page)
    press(page, "Next problem")
    page.keyboard.press("ArrowLeft")  # A question elsewhere in the hand is not the problem.
    settled_here(page)
    page.locator(".current .felt").wait_for()
    cards = page.locator(".current .felt .turn button.card:not([aria-disabled])")
    if cards.count():
        cards.first.click()
        settled_here(page)
    assert "Score: 0 of 1 problem right; missed problem 1." in status(page)
    press(page, "All deals")
    assert page.evaluate("document.activeElement.textContent") == "Start"
    assert status(page).startswith("4 problems. Score: ")
    assert page.locator(".lesson").bounding_box()["y"] < 720


def test_problems_are_chosen_by_difficulty_and_a_link_leads_to_one(visit, lesson, entries):
    page = started(visit(lesson))
    select = chosen(page).get_by_label("Difficulty")
    levels = select.locator("option").all_inner_texts()[1:]
    assert levels == sorted(levels, key=["easy", "medium", "hard", "very hard"].index)
    select.select_option(levels[0])
    assert f", {levels[0]}." in status(page)
    chosen(page).get_by_role("button", name="Link", exact=True).click()
    link = page.get_by_label("A link to this problem").input_value()
    page = visit(lesson, f"?2{link[link.index('#') :]}")
    settled(page)
    assert page.locator("article.deal:visible").count() == 1
    assert page.locator(".current .worth").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_barrier_that_axe_finds(visit, lesson, entries, scheme):
    page = started(visit(lesson))
    in_colors(page, scheme)
    for verdict in (None, choose, answer):
        if verdict:
            verdict(page, entries[0], right=False)
        assert barriers(page, "main", colors=scheme == "dark") == ""


def test_question_and_verdict_fit_one_screen(visit, lesson, entries):
    page = started(visit(lesson))
    for verdict in (None, choose, answer):
        if verdict:
            verdict(page, entries[0], right=False)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("() => new Promise(requestAnimationFrame)")  # the page knows its new size
            page.evaluate(
                "document.querySelector('.playing').scrollIntoView({ behavior: 'instant' })"
            )
            assert page.evaluate(HIDDEN)["outside"] == [], (width, height)


@pytest.mark.parametrize(
    ("name", "number"), [("hold-up", 0), ("german-solo", 1), ("solo-whist", 0)]
)
def test_on_a_phone_the_whole_verdict_is_on_the_screen(visit, name, number):
    entries = [list(spadille.load(PROBLEMS.with_name(f"{name}.pbn")))[number]]
    page = visit(spadille.page(entries, quiz=True))
    page.set_viewport_size({"width": 360, "height": 740})
    started(page)
    assert answer(page, entries[0], right=False).startswith("Not the best: the ")
    page.wait_for_function(
        "() => document.querySelector('.current .said')?.textContent.includes('After your ')"
    )
    page.evaluate("document.querySelector('.playing').scrollIntoView({ behavior: 'instant' })")
    said = page.locator(".current .said")
    height, text = said.evaluate("(said) => [said.clientHeight, said.scrollHeight]")
    assert text <= height
    assert page.evaluate(HIDDEN)["outside"] == []
    boxes = [each.bounding_box() for each in page.locator(".lesson > button:visible").all()]
    assert len({box["y"] for box in boxes}) == 1
    assert boxes[0]["y"] + boxes[0]["height"] <= 740
    page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
    page.get_by_role("button", name="Play on").dispatch_event("click")
    page.wait_for_function(
        "() => document.querySelector('.felt').getBoundingClientRect().top >= 0", timeout=5_000
    )


def test_a_long_verdict_covers_nothing(visit):
    entries = list(spadille.load(PROBLEMS.with_name("hold-up.pbn")))[:1]
    page = visit(spadille.page(entries, quiz=True))
    page.set_viewport_size({"width": 1280, "height": 720})
    started(page)
    assert answer(page, entries[0], right=False).startswith("Not the best: the ")
    page.wait_for_function(
        "() => document.querySelector('.current .said')?.textContent.includes('After your ')"
    )
    height, text = page.locator(".current .said").evaluate(
        "(said) => [said.clientHeight, said.scrollHeight]"
    )
    assert text <= height
