"""Requirements of browser tests: without them, tests are skipped, or fail if they are required."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType, Page


def missing(what: str) -> None:
    """Skip a test, or fail if SPADILLE_BROWSER=required, as in .ci/run."""
    if os.environ.get("SPADILLE_BROWSER") == "required":
        pytest.fail(f"{what} is missing, and SPADILLE_BROWSER=required needs it")
    pytest.skip(f"{what} is missing")


def program(*names: str) -> str:
    """Return the path of one of these programs."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        missing(names[0])
    return str(found)


_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium(kind: BrowserType) -> Browser:
    # The shell has the same engine without windows, and takes a third less processor time.
    path = program("chromium-headless-shell", "chromium", "google-chrome")
    return kind.launch(executable_path=path, args=_ARGUMENTS)


def firefox(kind: BrowserType, **preferences: Any) -> Browser:
    path = program("firefox-esr", "firefox")
    # Phones and tablets show scroll bars over the page; so does headless Chromium.
    preferences["ui.useOverlayScrollbars"] = 1
    return kind.launch(channel="moz-firefox", executable_path=path, firefox_user_prefs=preferences)


@contextmanager
def page_without_script(browser: Browser) -> Iterator[Page]:
    """Open a page that runs no script. In Firefox, this needs another browser."""
    if browser.browser_type.name == "firefox":
        other = firefox(browser.browser_type, **{"javascript.enabled": False})
        yield other.new_page()
        other.close()
    else:
        context = browser.new_context(java_script_enabled=False)
        yield context.new_page()
        context.close()


def barriers(page: Page, part: str | None = None, *, colors: bool = False) -> str:
    """Return what axe reports about a page or a part of it; with `colors`, only about its colors.

    The other rules of axe do not depend on the color scheme, so one scheme suffices for them.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    rules = ["color-contrast", "link-in-text-block"]
    only = {"runOnly": {"type": "rule", "values": rules}} if colors else {}
    report = axe.run(page, context=part, options={"resultTypes": ["violations"], **only})
    return report.generate_report() if report.violations_count else ""


# Evaluates the terms of media queries. Firefox cannot emulate media through Playwright.
_DECIDE = """(facts) => {
    window.asked ??= new Map();
    window.facts = { ...window.facts, ...facts };
    const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
    for (const rule of rules.filter(({ media }) => media)) {
        if (!asked.has(rule)) asked.set(rule, rule.media.mediaText);
        const terms = asked.get(rule).split(" and ");
        const open = terms.filter((term) => !window.facts[term]);
        const never = terms.some((term) => window.facts[term] === false);
        rule.media.mediaText = never ? "not all" : open.join(" and ") || "all";
    }
    const dark = window.facts["(prefers-color-scheme: dark)"];
    if (dark !== undefined) document.documentElement.style.colorScheme = dark ? "dark" : "light";
}"""


def on_paper(page: Page, printed: bool = True) -> None:
    """Show the page as it is printed, or as on the screen again."""
    page.emulate_media(media="print" if printed else "screen")
    if _is_firefox(page):
        page.evaluate(_DECIDE, {"print": printed, "screen": not printed})


def in_colors(page: Page, scheme: str) -> None:
    """Show the page to readers who prefer this color scheme, until it is loaded again."""
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    if _is_firefox(page):
        page.evaluate(_DECIDE, {"(prefers-color-scheme: dark)": scheme == "dark"})


def on_touch_screen(page: Page) -> None:
    """Show the page as on a device without keyboard and mouse."""
    if _is_firefox(page):
        page.evaluate(_DECIDE, {"(hover: none)": True})
    else:
        device = page.context.new_cdp_session(page)
        device.send("Emulation.setTouchEmulationEnabled", {"enabled": True})


def _is_firefox(page: Page) -> bool:
    return page.context.browser.browser_type.name == "firefox"
