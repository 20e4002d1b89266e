"""Browsers for the tests that need one: Debian's Chromium and Firefox, driven by Playwright.

In `.ci/run`, Firefox runs the tests with the mark `in_firefox`; in `.ci/long`, it runs all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import spadille
from tests.support.browsers import chromium, firefox, missing

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

EVENING = Path(__file__).parents[2] / "examples" / "evenings" / "ombre.pbn"

# A violation of the content security policy is reported where it occurs, so a page does not see
# those of its workers. These statements start every worker, and the page collects its reports.
# Pauses that let a person follow the play are shorter.
LISTEN = """
const wait = window.setTimeout;
window.setTimeout = (call, milliseconds, ...given) => wait(call, milliseconds / 20, ...given);
window.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
const listen = `addEventListener("securitypolicyviolation", (event) =>
    postMessage({ violation: event.violatedDirective }));`;
window.Blob = class extends Blob {
    constructor(parts, options) {
        super(options?.type === "text/javascript" ? [listen, ...parts] : parts, options);
    }
};
window.Worker = class extends Worker {
    constructor(...given) {
        super(...given);
        this.addEventListener("message", ({ data }) => {
            if (data.violation) violations.push(data.violation);
        });
    }
};
"""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # The longest tests come first, so that no processor waits for them at the end.
    items.sort(key=lambda item: not ("test_site.py" in item.nodeid or "cookbook" in item.nodeid))
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
            if item.get_closest_marker("firefox") and not item.get_closest_marker("in_firefox"):
                item.add_marker("slow")
            if not item.get_closest_marker("slow"):
                item.add_marker("ci")  # a busy machine takes long to start one


BROWSERS = ["chromium", pytest.param("firefox", marks=pytest.mark.firefox)]


# The script and its data are unpacked after the load event.
STARTED = """() =>
    !document.getElementById("spadille-script") || document.body.classList.contains("live")
"""


@pytest.fixture(scope="session", params=BROWSERS)
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright")
    with sync_playwright() as playwright:
        if request.param == "firefox":
            found = firefox(playwright.firefox)
        else:
            found = chromium(playwright.chromium)
        yield found
        found.close()


@pytest.fixture(scope="session")
def evening() -> str:
    """Return the page of the first deal of a recorded evening of Ombre."""
    return spadille.page(spadille.load(EVENING)[:1])


@pytest.fixture
def visit(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open the text of a page as a file; fail if it requests anything or violates its policy."""
    context = browser.new_context(color_scheme="light")
    context.add_init_script(LISTEN)
    context.set_default_timeout(60_000)
    page = context.new_page()
    requests: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda told: wrong.append(told.text) if told.type == "error" else None)

    def visit(text: str, place: str = "") -> Page:
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        page.goto(f"{file.as_uri()}{place}")
        page.wait_for_function(STARTED)
        return page

    yield visit
    assert not wrong
    assert page.evaluate("violations") == []
    assert {url.split(":")[0] for url in requests} <= {"file", "blob"}
    context.close()
