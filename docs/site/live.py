"""Live pages: `{live} NAME` embeds a page of spadille, written when the site is built.

NAME is a game, for the longest play of its example file, or a file of problems, for a quiz of its
first problem.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import spadille

EXAMPLES = Path(__file__).parents[2] / "examples"
PROBLEMS = EXAMPLES / "problems"
FOLDER = "live"
EMBEDDED = "spadille_live_pages"  # the names of embedded pages, an attribute of the environment


class Live(SphinxDirective):
    """A frame that shows the page, opened at its deal."""

    required_arguments = 1
    option_spec: ClassVar = {}

    def run(self) -> list[nodes.Node]:
        """Return the frame, and a link to the page itself."""
        name = self.arguments[0]
        if name not in _names():
            raise self.error(f"neither a game nor a file of problems: {name!r}")
        vars(self.env).setdefault(EMBEDDED, set()).add(name)
        up = "../" * self.env.docname.count("/")
        file = f"{up}{FOLDER}/{name}.html"
        place = "#deal=1&amp;at=0" if name in spadille.GAMES else ""
        frame = (
            f'<iframe class="live" src="{file}{place}" loading="lazy"'
            f' title="A deal to replay"></iframe>'
            f'<p class="live"><a href="{file}">Open this page in its own tab</a></p>'
        )
        return [nodes.raw("", frame, format="html")]


def _names() -> list[str]:
    themes = {path.stem for path in PROBLEMS.glob("*.pbn")} - set(spadille.GAMES)
    return [*spadille.GAMES, *sorted(themes)]


def written(name: str) -> str:
    """Return the page of this name."""
    if name not in spadille.GAMES:
        return spadille.page(spadille.load(PROBLEMS / f"{name}.pbn")[:1], quiz=True)
    entries = spadille.load(EXAMPLES / f"{name}.pbn")
    longest = max(entries, key=lambda entry: len(entry.play.cards) if entry.play else 0)
    return spadille.page([longest], title=spadille.GAMES[name].name)


def _write(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        folder = Path(app.outdir) / FOLDER
        folder.mkdir(exist_ok=True)
        for name in sorted(vars(app.env).get(EMBEDDED, ())):
            (folder / f"{name}.html").write_text(written(name), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directive with Sphinx."""
    app.add_directive("live", Live)
    # The check of links runs later.
    app.connect("build-finished", _write, priority=400)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
