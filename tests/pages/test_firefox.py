"""Debian's Firefox reads and plays pages as Chromium does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import spadille
from benchmarks.pages import place
from spadille.games import GAMES, rules_for
from spadille.pages.page import write
from spadille.pages.wasm_module import is_current
from tests.pages.conftest import LISTEN
from tests.pages.test_nodes import compare, page_of_the_engine
from tests.pages.test_values import DONE, GO, READ, expected, points, unnamed
from tests.support.browsers import missing, program
from tests.support.firefox import Firefox

pytestmark = pytest.mark.skipif(not is_current(), reason="the engine for pages is stale")

EVENING = Path(__file__).parents[2] / "examples" / "evenings" / "ombre.pbn"
SAID = """() => document.querySelector(".playing .said, .making > .said").textContent"""
SHOWN = "(what) => [...document.querySelectorAll(what)].map((each) => each.checkVisibility())"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    try:
        from playwright._impl._driver import compute_driver_executable
    except ImportError:
        missing("playwright")
    node, _ = compute_driver_executable()
    path = program("firefox-esr", "firefox")
    found = Firefox(node, path, tmp_path_factory.mktemp("firefox") / "profile")
    found.listen(LISTEN)
    yield found
    found.close()


@pytest.fixture
def firefox(browser: Firefox, tmp_path: Path) -> Iterator[Callable[..., Firefox]]:
    """Open the text of a page as a file; fail if it requests anything or violates its policy."""
    browser.events.clear()

    def opened(text: str, where: str = "") -> Firefox:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        browser.open(f"{file.as_uri()}{where}")
        return browser

    yield opened
    assert not browser.errors()
    assert browser.evaluate("() => violations") == []
    own = ("file:", "blob:", "data:font/woff2;")  # Firefox draws bullets with the last one
    assert [url for url in browser.asked() if not url.startswith(own)] == []


def settled(page: Firefox) -> str:
    page.wait(DONE)
    return page.evaluate(SAID)


def press(page: Firefox, *keys: str) -> str:
    said = ""
    for key in keys:
        page.press(key)
        said = settled(page)
    return said


def started(page: Firefox) -> Firefox:
    """Move the focus to the board by keys alone."""
    page.wait("""() => document.querySelector(".start")""")
    for _ in range(200):
        page.press("Tab")
        if page.evaluate("() => document.activeElement.className") == "start":
            break
    page.press("Enter")
    settled(page)
    return page


def count(page: Firefox, what: str) -> int:
    return page.evaluate("(what) => document.querySelectorAll(what).length", what)


@pytest.mark.parametrize("game", GAMES)
def test_values_are_those_of_cards(firefox: Any, game: str) -> None:
    rules = rules_for(game)
    page = firefox(write([], rules=rules))
    for point in points(rules, Random(f"firefox {game}"), 3):
        page.evaluate(GO, place(*point))
        page.wait(DONE)
        assert unnamed(page.evaluate(READ), point[1]) == expected(*point), point


def test_nodes_and_values_are_those_of_the_package(firefox: Any) -> None:
    compare(firefox(page_of_the_engine()).evaluate)


def test_keys_do_what_they_do(firefox: Any) -> None:
    entry = spadille.load(EVENING)[0]
    steps = spadille.review(entry.deal, entry.contract, entry.play.cards).steps
    wrong = [number for number, step in enumerate(steps) if step.mark]
    page = started(firefox(spadille.page([entry])))
    assert press(page, "ArrowRight").startswith("Trick 1, Player 2 plays the three of clubs")
    page.press("e")
    page.wait(f"(told) => ({SAID})().includes(told)", f"Player {steps[wrong[0]].seat} plays the")
    assert page.evaluate("() => location.hash").endswith(f"at={wrong[0]}")
    press(page, "End")
    assert "the hand is over" in page.evaluate(
        "() => document.querySelector('.standing').textContent"
    )
    press(page, "Home", "3")
    assert count(page, ".felt .card") == 9
    press(page, "3", "b")
    assert page.evaluate("() => document.activeElement.classList.contains('good')")
    assert press(page, "Enter").startswith("Trick 1, Player 2 plays")
    assert press(page, "u") == "Undone."
    assert press(page, "p") == "The recorded play."
    page.press("l")
    page.wait(f"() => ({SAID})().startsWith('Best play goes on')")
    press(page, "?")
    assert page.evaluate(SHOWN, ".keys") == [True]


def test_a_quiz_hides_until_it_is_answered(firefox: Any) -> None:
    entries = spadille.load(EVENING.parents[1] / "problems" / "german-solo.pbn")
    entry = next(each for each in entries if each.posed.themes)
    page = started(firefox(spadille.page([entry], quiz=True)))
    assert not any(page.evaluate(SHOWN, "article .spoiler, .around, .questions"))
    assert count(page, ".felt .worth") == 0
    page.evaluate("(key) => document.querySelector(`[data-card=${key}]`).click()", entry.posed.key)
    assert settled(page).startswith("Right: ")
    assert all(page.evaluate(SHOWN, ".solution"))
    assert count(page, ".felt .card") > 8


PLAYABLE = ".felt .seat.turn button.card:not([aria-disabled])"
REPORT = ".report:not([hidden])"


def test_a_deal_is_played_from_a_seat(firefox: Any) -> None:
    page = firefox(spadille.page(spadille.load(EVENING)[:1]), "#deal=1&at=18")
    page.wait("""() => document.querySelector(".sit button")""")
    settled(page)
    page.evaluate("""() => document.querySelector(".sit button").click()""")
    page.wait("""() => document.querySelector(".felt .closed")""")
    assert not any(page.evaluate(SHOWN, ".results, .spoiler, .around"))
    ready = f"""() => document.querySelector("{REPORT}") ||
        ({DONE})() && document.querySelector("{PLAYABLE}")"""
    for _ in range(3):
        page.wait(ready)
        page.evaluate(f"""() => document.querySelector("{PLAYABLE}").click()""")
        page.wait(f"() => !({DONE})()")
    page.wait(f"""() => document.querySelector("{REPORT}")""")
    report = page.evaluate("""() => document.querySelector(".report").textContent""")
    assert re.match(r"Your result(Sacada|Puesta|Codille)\. It pays you ", report)
    assert "Double-dummy from the first card: " in report
    assert any(page.evaluate(SHOWN, ".results"))
    assert count(page, ".course button") == 27


def test_deals_are_made_and_played(firefox: Any) -> None:
    page = firefox(write([], rules=rules_for("squint")))
    page.wait("""() => document.querySelector(".making")""")
    click = """(name) => [...document.querySelectorAll("button")]
        .find((each) => each.textContent === name).click()"""
    page.evaluate(click, "Random")
    settled(page)
    assert count(page, ".felt .card") == 50
    page.evaluate(click, "Copy as PBN")
    text = page.evaluate("""() => document.querySelector(".copying textarea").value""")
    # The contract is the first of the list, whether or not its players hold a card that bids it.
    findings = spadille.read(text)[0].findings
    assert {finding.code for finding in findings} <= {"contract-excluded"}
    page.evaluate(click, "Clear")
    assert count(page, ".felt") == 0


def test_what_is_forbidden_would_be_noticed(firefox: Any) -> None:
    """The policy blocks a request in the page and in its worker, so the tests would notice one."""
    page = firefox(write([], rules=rules_for("mensch")))
    page.evaluate("() => fetch('data:,x').catch(() => {})")
    page.wait("() => violations.length === 1")
    worker = "new Worker(URL.createObjectURL(new Blob([`fetch('data:,x').catch(() => {})`], "
    page.evaluate(f"() => {{ {worker}{{ type: 'text/javascript' }}))); }}")
    page.wait("() => violations.length === 2")
    page.evaluate("() => { violations.length = 0; }")
    page.events.clear()
