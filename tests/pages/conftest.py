"""A browser for the tests that need one: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.browsers import missing, program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

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
    # The longest test comes first, so that no processor waits for it at the end.
    items.sort(key=lambda item: item.path.name != "test_site.py")
    for item in items:
        if not {"visit", "firefox"}.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("browser")
            if not item.get_closest_marker("slow"):
                item.add_marker("ci")  # a busy machine takes long to start one


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright")
    path = program("chromium", "google-chrome")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield found
        found.close()


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
        return page

    yield visit
    assert not wrong
    assert page.evaluate("violations") == []
    assert {url.split(":")[0] for url in requests} <= {"file", "blob"}
    context.close()
