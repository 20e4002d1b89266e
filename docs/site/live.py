"""Live pages: `{live} GAME` embeds the page of an example deal, which is written as the site is."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import spadille
from spadille.pbn.handfile import Entry

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDER = "live"


class Live(SphinxDirective):
    """A frame with the page of the hand of a game's example file that was played to its end."""

    required_arguments = 1
    option_spec: ClassVar = {}

    def run(self) -> list[nodes.Node]:
        """Return the frame, and a link to the page alone."""
        game = self.arguments[0]
        if game not in spadille.GAMES:
            raise self.error(f"no game {game!r}")
        name = spadille.GAMES[game].name
        up = "../" * self.env.docname.count("/")
        file = f"{up}{FOLDER}/{game}.html"
        frame = (
            f'<iframe class="live" src="{file}#deal=1&amp;at=0" loading="lazy"'
            f' title="A deal of {name}, to be played through"></iframe>'
            f'<p class="live"><a href="{file}">The page alone</a></p>'
        )
        return [nodes.raw("", frame, format="html")]


def played(game: str) -> list[Entry]:
    """Return the deal of the game's example file that was played to its end, with its comment."""
    entries = spadille.load(EXAMPLES / f"{game}.pbn")
    return [max(entries, key=lambda entry: len(entry.play.cards) if entry.play else 0)]


def _write(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        folder = Path(app.outdir) / FOLDER
        folder.mkdir(exist_ok=True)
        for game in spadille.GAMES:
            text = spadille.page(played(game), title=spadille.GAMES[game].name)
            (folder / f"{game}.html").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx call it."""
    app.add_directive("live", Live)
    # Before links are checked.
    app.connect("build-finished", _write, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
