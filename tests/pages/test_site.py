"""The documentation site builds without warnings, has no broken links, and its pages work."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import spadille
from tests.support.browsers import missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.ci

TOP = Path(__file__).parents[2]


# One test, so that pytest's workers do not each build the site.
def test_the_site_builds_strictly_and_its_pages_live(browser: Browser, tmp_path: Path) -> None:
    _plays(browser, _built(tmp_path, "-t", "brief"), ["mensch", "ombre", "squint"])


@pytest.mark.slow
def test_the_site_with_all_sources_builds_strictly(browser: Browser, tmp_path: Path) -> None:
    site = _built(tmp_path)
    _plays(browser, site, spadille.GAMES)
    assert (site / "_modules" / "spadille" / "core" / "deal.html").is_file()


def _built(folder: Path, *options: str) -> Path:
    """Build the site; any warning or broken link fails."""
    if importlib.util.find_spec("myst_nb") is None:
        missing("the extra docs")
    site, kept = folder / "site", folder / "doctrees"
    words = ["-m", "sphinx", "-q", "-W", "--keep-going", *options, "-d", kept, "docs", site]
    done = subprocess.run([sys.executable, *words], cwd=TOP, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return site


def _plays(browser: Browser, site: Path, games: Iterable[str]) -> None:
    from playwright.sync_api import expect

    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(60_000)
    page = context.new_page()
    asked: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: asked.append(request.url.split(":")[0]))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    for game in games:
        page.goto((site / "games" / f"{game}.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, game
        page.locator("iframe.live").scroll_into_view_if_needed()
        board = page.frame_locator("iframe.live").locator(".playing")
        board.locator(".worth").first.wait_for()
        hands = board.inner_text()
        board.locator("button:has(.worth)").first.click()
        expect(board).not_to_have_text(hands, use_inner_text=True)
    context.close()
    assert wrong == []
    assert set(asked) <= {"file", "blob", "data"}
