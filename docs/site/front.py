"""The navigation: the pages docs/README.md lists, in its order and under its headings.

A line may list several pages. Each is below the last page that is indented by two spaces less.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

PART = re.compile(r"^## (.+)\n\n((?: *- .*\n)+)", re.MULTILINE)
ITEM = re.compile(r"^( *)- \[")
PAGE = re.compile(r"\[[^\]]*\]\(([\w/-]+)\.md\)")


def toctrees(text: str) -> dict[str, str]:
    """Return the trees of the front page ("") and of the pages that have others below them."""
    trees = {"": ""}
    for caption, items in PART.findall(text):
        pages: dict[str, list[str]] = {"": []}
        above: dict[int, str] = {}
        for item in items.splitlines():
            start, names = ITEM.match(item), PAGE.findall(item)
            if start is None or not names:
                raise ValueError(f"docs/README.md: not a link to a page: {item}")
            indent = len(start[1])
            pages.setdefault(above[indent - 2] if indent else "", []).extend(names)
            above[indent] = names[-1]
        for name, below in pages.items():
            trees[name] = trees.get(name, "") + _tree("" if name else caption, below)
    return trees


def _tree(caption: str, pages: list[str]) -> str:
    option = f":caption: {caption}\n" if caption else ""
    names = "\n".join(f"/{page}" for page in pages)
    return f"\n```{{toctree}}\n:hidden:\n{option}\n{names}\n```\n"


def _add(app: Sphinx, name: str, source: list[str]) -> None:
    trees = toctrees((Path(app.srcdir) / "README.md").read_text(encoding="utf-8"))
    source[0] += trees.get("" if name == app.config.root_doc else name, "")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the hook with Sphinx."""
    app.connect("source-read", _add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
