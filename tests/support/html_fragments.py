"""HTML for tests: opened and closed tags, and the text between them."""

from __future__ import annotations

from html.parser import HTMLParser

# Everything that a fragment may contain: no scripts and no style sheets.
TAGS = {
    "h1",
    *["table", "caption", "thead", "tbody", "tr", "th", "td", "p", "b", "br", "span", "pre"],
}


class Fragment(HTMLParser):
    """The tags that occurred, the open ones, and the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def parsed(html: str) -> Fragment:
    """Parse a fragment in which all tags must be closed."""
    fragment = Fragment()
    fragment.feed(html)
    fragment.close()
    assert fragment.open == []
    return fragment
