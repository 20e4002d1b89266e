"""A quiz on a board: what it hides, its verdicts, and its solutions."""

from __future__ import annotations

import pytest

import spadille
from tests.pages.test_board import BUSY, EVENING, NAMES, named, opened, played, press, settled
from tests.pages.test_board_size import HIDDEN
from tests.pages.test_page import block
from tests.support.browsers import on_paper


def solution(page) -> str:
    """Wait for the verdict on an answer, with the solution, and return it."""
    said = ":is(.current, body:not(.lesson-on)) .playing .said"
    page.wait_for_function("(said) => document.querySelector(said)?.dataset.verdict", arg=said)
    show = page.get_by_role("button", name="Show the solution")
    if show.is_visible():
        show.click()
    page.wait_for_function(
        "(said) => / card\\.$/.test(document.querySelector(said).textContent)", arg=said
    )
    page.wait_for_function(BUSY)
    return page.locator(said).inner_text()


def test_quiz_shows_one_hand_and_no_values_until_it_is_answered(visit, evening):
    page = opened(visit(evening))
    assert press(page, "q") == "Bert to play: your card?"
    assert page.locator(".felt .card").count() == 9
    assert page.locator(".felt .worth").count() == 0
    page.locator(".felt .card").first.click()
    assert solution(page).endswith("To play on, choose any card.")
    assert page.locator(".felt .card").count() == 27
    assert page.locator(".felt .worth").count() == 9
    assert "your card" in page.locator(".felt .chosen").get_attribute("aria-label")
    press(page, "q")
    assert page.locator(".felt .card").count() == 27


def test_it_says_what_could_have_been_known(visit):
    drawing = spadille.Drawing(samples=64, seconds=0)
    text = spadille.page(spadille.load(EVENING)[:1], drawing=drawing)
    page = opened(visit(text))
    known = block(text)["deals"][0]["known"]
    at, (better, verdict, made) = next(each for each in known.items() if each[1][1] != "fine")
    card = spadille.load(EVENING)[0].play.cards[int(at)]
    for _ in range(int(at)):
        press(page, "ArrowRight")
    said = press(page, "ArrowRight")
    assert f"the contract makes in {round(100 * made[card])} of 100 layouts" in said
    assert f"the {named(better)} was best, and after" in said
    assert f"after the {named(better)} in {round(100 * made[better])}." in said
    judged = {"error": "could have known", "unlucky": "could not know", "lucky": "A lucky choice"}
    assert judged[verdict] in said


def test_a_page_of_questions_hides_what_tells_the_answer(visit):
    page = opened(visit(spadille.page(spadille.load(EVENING)[:1], quiz=True)))
    hidden = page.locator("article .spoiler, .around, .talon, .questions")
    assert hidden.count() > 5
    assert not any(each.is_visible() for each in hidden.all())
    on_paper(page)
    assert all(each.is_visible() for each in page.locator(".around, .questions").all())
    on_paper(page, False)
    entry = spadille.load(EVENING)[0]
    found = spadille.review(entry.deal, entry.contract, entry.play.cards)
    first = played(page)
    step = found.steps[len(first)]
    assert step.mark
    assert page.locator(".playing .said").inner_text() == f"{NAMES[step.seat]} to play: your card?"
    page.locator(".felt button.card:not([aria-disabled])").first.click()
    solution(page)
    assert all(each.is_visible() for each in page.locator("article .record .spoiler").all())
    # The board shows the hands, so the page does not show them twice.
    assert page.locator(".felt .card").count() > 9
    assert page.locator(".around").first.is_hidden()


def test_a_wrong_answer_is_refuted(visit, evening):
    entry = spadille.load(EVENING)[0]
    steps = spadille.review(entry.deal, entry.contract, entry.play.cards).steps
    at, step = next((number, step) for number, step in enumerate(steps) if step.mark)
    page = visit(evening, f"#deal=1&at={at}")
    settled(page)
    press(page, "q")
    page.locator(f".felt [data-card={step.card}]").dispatch_event("click")
    page.get_by_role("button", name="Show the solution").click()
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        .includes("After your ") """)


def test_a_quiz_names_the_partner_to_nobody_but_himself(visit):
    """The contract can be changed only after the answer and until the called card is played."""
    entry = next(
        each
        for each in spadille.load(EVENING.parents[1] / "german-solo.pbn")
        if each.contract.called and len(each.play.cards) > 4
    )
    called, partner = entry.contract.called, entry.contract.partner
    page = opened(visit(spadille.page([entry])))
    played = []
    seen = set()
    for card in entry.play.cards[:12]:
        press(page, "q")
        mover = page.locator(".felt .turn").get_attribute("data-seat")
        knows = mover == partner or called in played
        seen.add(knows)
        assert ("with " in page.locator(".standing").inner_text()) == knows
        assert page.locator(".felt").get_by_text("partner").count() == knows
        assert page.locator(".terms").count() == 0 or page.locator(".terms").is_hidden()
        press(page, "q", "ArrowRight")
        played.append(card)
    assert seen == {True, False}


@pytest.mark.in_firefox
def test_a_problem_tells_its_theme_and_solution_after_the_answer(visit):
    entries = spadille.load(EVENING.parents[1] / "problems" / "german-solo.pbn")
    entry = next(each for each in entries if each.posed.themes)
    page = opened(visit(spadille.page([entry], quiz=True)))
    assert page.locator(".question").last.inner_text() == entry.posed.question
    assert page.locator(".solution").is_hidden()
    assert page.get_by_text("Theme", exact=True).is_hidden()
    page.locator(f".felt [data-card={entry.posed.key}]").click()
    said = settled(page)
    assert said.startswith(f"Right: the {named(entry.posed.key)} is best; so are the ")
    assert ". With best play: " in said
    assert page.locator(".solution").is_visible()
    told = page.locator(".solution").inner_text()
    assert entry.posed.themes[0] in told
    assert "Solution: " in told


@pytest.mark.in_firefox
def test_the_verdict_of_a_quiz_stays_on_the_screen(visit):
    entry = next(iter(spadille.load(EVENING.parents[1] / "problems" / "german-solo.pbn")))
    page = visit(spadille.page([entry], quiz=True))
    page.set_viewport_size({"width": 768, "height": 1024})
    opened(page)
    # In Firefox, Playwright would scroll to the middle of the card before a click.
    page.locator(".felt button.card:not([aria-disabled])").first.dispatch_event("click")
    assert solution(page).endswith("To play on, choose any card.")
    assert page.evaluate(HIDDEN)["outside"] == []


def test_the_pupil_keeps_his_hand_after_the_answer(visit, evening):
    page = opened(visit(evening))
    press(page, "q")
    pupil = page.locator(".felt .turn").get_attribute("data-seat")
    page.locator(".felt button.card").first.click()
    solution(page)
    page.locator(".felt button.card").first.click()
    assert f"you are {NAMES[pupil]}" in settled(page) or "plays the" in settled(page)
    assert page.locator(f".felt [data-seat='{pupil}'].at-bottom .card").count() == 8
    assert page.locator(".felt .seat:not(.at-bottom) .card").count() == 0
