"""The page in a browser: accessible, with scripts off, on a phone, and on paper."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import spadille
from spadille.pages.page import write
from tests.pages.conftest import LISTEN
from tests.pages.test_page_hostile import many, written
from tests.support.browsers import barriers, in_colors, missing, on_paper, page_without_script

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.ci]

TOP = Path(__file__).parents[2]
# All sizes: three, four and five players, 8 to 13 cards, with and without play.
DEALS = {
    "examples/evenings/ombre.pbn": slice(3),
    "examples/german-solo.pbn": slice(1, 2),
    "examples/mensch.pbn": slice(1),
    "examples/quintille.pbn": slice(1),
    "examples/solo-whist.pbn": slice(2, 3),
    "examples/squint.pbn": slice(7, 8),
}


@cache
def text() -> str:
    files = {name: spadille.load(TOP / name) for name in DEALS}
    return spadille.page(*(files[name][some] for name, some in DEALS.items()), title="Deals")


@cache
def examples(step: int) -> str:
    """Return a page of the examples without the problems: every `step`-th deal of each file."""
    folder = TOP / "examples"
    files = sorted([*folder.glob("*.pbn"), *folder.glob("evenings/*.pbn")])
    return spadille.page(*(spadille.load(file)[::step] for file in files), threads=2)


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 360)])
def test_nobody_is_shut_out(visit: Callable[..., Page], scheme: Any, width: int) -> None:
    # The test checks every element thoroughly, so one deal of each kind is enough.
    played, alone = (spadille.load(TOP / name) for name in [*DEALS][:2])
    page = visit(spadille.page(played[:2], alone[1:2]))
    in_colors(page, scheme)
    page.set_viewport_size({"width": width, "height": 800})
    assert barriers(page) == ""


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_sticks_out(visit: Callable[..., Page], width: int) -> None:
    page = visit(text())
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_long_names_do_not_widen_the_page(visit: Callable[..., Page]) -> None:
    written = (TOP / "examples/evenings/ombre.pbn").read_text("utf-8")
    names = written.replace('"Anna"', f'"{"Anna " * 80}"')
    page = visit(spadille.page(spadille.read(names)[:1]), "#deal=1&at=5")
    page.set_viewport_size({"width": 1280, "height": 720})
    page.locator(".felt .worth").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


def test_captions_are_read_on_a_phone(visit: Callable[..., Page]) -> None:
    page = visit(text())
    page.set_viewport_size({"width": 400, "height": 900})
    told = page.get_by_text("Calls and choices, double-dummy")
    assert told.count()
    cut = """[...document.querySelectorAll("caption")].filter((one) =>
        one.getBoundingClientRect().right > one.closest(".scroll").getBoundingClientRect().right + 1
    ).map((one) => one.textContent)"""
    assert page.evaluate(cut) == []


def test_the_tricks_of_three_players_fit_on_a_phone(visit: Callable[..., Page]) -> None:
    page = visit(spadille.page(spadille.load(TOP / "examples/evenings/ombre.pbn")[:1]))
    page.set_viewport_size({"width": 360, "height": 740})
    for name in ("Exchange", "Play", "Auction"):
        place = page.locator(f".record .scroll[aria-label={name}]")
        width, room = place.evaluate("(place) => [place.scrollWidth, place.clientWidth]")
        assert width <= room, name


@pytest.mark.parametrize("game", ["mensch", "quintille", "solo-whist"])
def test_the_tricks_of_more_players_fit_on_a_phone(visit: Callable[..., Page], game: str) -> None:
    entries = spadille.load(TOP / f"examples/{game}.pbn")
    page = visit(spadille.page([next(entry for entry in entries if entry.play)]))
    page.set_viewport_size({"width": 360, "height": 740})
    place = page.locator(".record .scroll[aria-label=Play]")
    width, room = place.evaluate("(place) => [place.scrollWidth, place.clientWidth]")
    assert width <= room


def test_everything_can_be_read_with_script_off(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(text(), encoding="utf-8")
    with page_without_script(browser) as page:
        page.set_default_timeout(60_000)
        page.goto(file.as_uri())
        assert page.locator("button").count() == 0
        for article in page.locator("article").all():
            assert article.locator(".hand").count() >= 3
            assert all(hand.is_visible() for hand in article.locator(".hand").all())
            assert article.locator("table").count() >= 1
        account = page.get_by_text("The turning point").first
        assert account.is_visible()


@pytest.mark.in_firefox
def test_a_violation_of_the_policy_would_be_noticed(browser: Browser, tmp_path: Path) -> None:
    """The policy forbids requests by the page and by its worker, and other tests would see them."""
    file = tmp_path / "page.html"
    file.write_text(write([], rules=spadille.rules_for("mensch")), encoding="utf-8")
    context = browser.new_context()
    context.add_init_script(LISTEN)
    page = context.new_page()
    page.goto(file.as_uri())
    page.evaluate("() => fetch('data:,x').catch(() => {})")
    page.wait_for_function("() => violations.length === 1")
    worker = "new Worker(URL.createObjectURL(new Blob([`fetch('data:,x').catch(() => {})`], "
    page.evaluate(f"() => {{ {worker}{{ type: 'text/javascript' }}))); }}")
    page.wait_for_function("() => violations.length === 2")
    context.close()


# The tables that are wider than their place and so print over others, or off the page.
WIDE = """[...document.querySelectorAll(".scroll")].filter((place) => place.checkVisibility()
    && place.firstChild.getBoundingClientRect().width > place.getBoundingClientRect().width + 1)
    .map((place) => [place.closest("article")?.id, place.getAttribute("aria-label")])"""


# One test, so that pytest's workers do not each check the examples.
@pytest.mark.parametrize(
    ("step", "least"), [(8, 12), pytest.param(1, 75, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_each_deal_takes_little_room_and_is_printed_on_a_page_of_its_own(
    browser: Browser, tmp_path: Path, step: int, least: int
) -> None:
    articles = re.findall("<article.*?</article>", examples(step), re.DOTALL)
    assert max(len(article.encode()) for article in articles) <= 25 * 1024
    try:
        import pypdfium2 as pdf
    except ImportError:
        missing("pypdfium2")
    file = tmp_path / "page.html"
    file.write_text(examples(step), encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(file.as_uri())
    printed = pdf.PdfDocument(page.pdf(prefer_css_page_size=True))
    on_paper(page)
    page.set_viewport_size({"width": 711, "height": 1000})  # A4 without its margins
    assert page.evaluate(WIDE) == []
    context.close()
    pages = [each.get_textpage().get_text_range() for each in printed]
    deals = [re.match(r"\d+\s+Deal \S+|Deal \S+", each.strip()) for each in pages]
    first = next(number for number, each in enumerate(deals) if each)
    assert all(deals[first:]), [each[:60] for each in pages]
    assert len(pages) - first == len(articles) >= least


# The captions that are divided between two columns, or in another column than the first row.
DIVIDED = """[...document.querySelectorAll("table")].filter((table) => {
    const parts = table.caption?.getClientRects() ?? [];
    if (!parts.length) return false;
    const [{ left }] = table.tBodies[0].rows[0].cells[0].getClientRects();
    return parts.length > 1 || Math.abs(parts[0].left - left) > 100;
}).map((table) => table.textContent)"""


def test_a_caption_is_printed_in_the_column_of_its_table(visit: Callable[..., Page]) -> None:
    ombre, squint = (spadille.load(TOP / f"examples/{game}.pbn") for game in ("ombre", "squint"))
    page = visit(spadille.page(ombre[:1], [squint[5], squint[8]]))
    page.set_viewport_size({"width": 718, "height": 1000})  # A4
    on_paper(page)
    assert page.evaluate(DIVIDED) == []


def test_nothing_runs_and_nothing_sticks_out(visit: Callable[..., Page]) -> None:
    for places in many(4, 4):
        page = visit(written(places))
        page.set_viewport_size({"width": 360, "height": 740})
        said: list[str] = []
        page.on("dialog", lambda dialog, said=said: said.append(dialog.message))
        page.mouse.move(100, 100)
        assert not said
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, places


def test_questions_are_in_two_columns_on_paper(visit: Callable[..., Page]) -> None:
    """A question has room for an answer, and no table of it is wider than its column."""
    problems = TOP / "examples" / "problems" / "german-solo.pbn"
    entries = spadille.load(problems)[:4]
    page = visit(spadille.page(entries, quiz=True, sheet=True))
    on_paper(page)
    page.set_viewport_size({"width": 711, "height": 1000})  # A4 without its margins
    boxes = [each.bounding_box() for each in page.locator(".questions .ask").all()]
    assert len(boxes) == len(entries)
    assert len({box["x"] for box in boxes}) == 2
    assert page.locator(".questions .reply span:visible").count() == len(entries)
    wide = page.locator(".scroll, .around").evaluate_all(
        "(all) => all.filter((each) => each.scrollWidth > each.clientWidth).length"
    )
    assert wide == 0
