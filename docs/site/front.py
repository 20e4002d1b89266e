"""The front page: the pages docs/README.md lists, in its order and under its headings."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

LIST = re.compile(r"^For (.+?)(?:, .*)?:\n\n((?:- .*\n(?: +.*\n)*)+)", re.MULTILINE)


def toctrees(text: str) -> str:
    """Return a hidden tree of pages for each list of links."""
    return "".join(
        f"\n```{{toctree}}\n:hidden:\n:caption: For {who}\n\n{pages}\n```\n"
        for who, items in LIST.findall(text)
        for pages in ["\n".join(re.findall(r"\]\(([\w/-]+)\.md\)", items))]
    )


def _add(app: Sphinx, name: str, source: list[str]) -> None:
    if name == app.config.root_doc:
        source[0] += toctrees((Path(app.srcdir) / "README.md").read_text(encoding="utf-8"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx call it."""
    app.connect("source-read", _add)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
