"""Check the built site: every link has a target, and the browser fetches nothing from elsewhere.

A broken link, or a file that a browser would fetch from elsewhere, is a warning, which fails a
strict build.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.application import Sphinx
from sphinx.util import logging

LOG = logging.getLogger(__name__)


class Page(HTMLParser):
    """The anchors of a page, its links, and the files it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record the anchors and links of a tag."""
        for name, value in attrs:
            if value is None:
                continue
            if name == "id":
                self.places.add(value)
            elif name == "href" and tag == "a":
                self.links.append(value)
            elif name in ("src", "srcset", "data") or (name == "href" and tag == "link"):
                self.loads.append(value)


def wrong(folder: Path) -> list[tuple[str, str]]:
    """List broken and external links: the page, and the problem."""
    pages = {
        path: Page(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.html"))
        if "_static" not in path.parts
    }
    found = []
    for path, page in pages.items():
        for link in [*page.links, *page.loads]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if link in page.loads and parts.scheme != "data":
                    found.append((path.name, f"loads {link}"))
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.is_file():
                found.append((path.name, f"links to {link}, which does not exist"))
            elif (
                link in page.links
                and parts.fragment
                and target in pages
                and unquote(parts.fragment) not in pages[target].places
            ):
                found.append((path.name, f"links to {link}: no such anchor"))
    elsewhere = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//""")
    styles = (path for path in folder.rglob("*.css") if elsewhere.search(path.read_text("utf-8")))
    return found + [(style.name, "loads from elsewhere") for style in styles]


def _check(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        for page, what in wrong(Path(app.outdir).resolve()):
            LOG.warning("%s %s", page, what)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the check with Sphinx."""
    app.connect("build-finished", _check, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
