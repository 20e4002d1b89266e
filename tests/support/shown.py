"""Runs the commands that pages show, and writes their output into the pages.

python tests/support/shown.py [PAGE...]

A block `pbn` is a hand file: its first line, `% NAME`, names it, and otherwise it is `deal.pbn`. A
block `console` is a command and its output, in which a line `...` matches any lines.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from click.testing import CliRunner

from spadille_cli import main

TOP = Path(__file__).parents[2]
BLOCK = re.compile(
    r"^```(?:pbn\n(?:% (?P<file>\S+\.pbn)\n)?(?P<deals>.*?)"
    r"|console\n\$ spadille (?P<command>[^\n]*)\n(?P<output>.*?))^```$",
    re.MULTILINE | re.DOTALL,
)


def pages() -> list[Path]:
    """Return the pages that show commands."""
    found = (TOP / "README.md", *sorted((TOP / "docs").rglob("*.md")))
    return [page for page in found if "```console\n" in page.read_text(encoding="utf-8")]


def commands(text: str) -> list[tuple[str, str]]:
    """Return each command of a page, without `spadille`, and the output shown below it."""
    return [(m["command"], m["output"]) for m in BLOCK.finditer(text) if m["command"]]


def refreshed(text: str) -> str:
    """Return a page with the output that its commands print now.

    Works in the current directory, which should be `place()`.
    """
    return BLOCK.sub(_block, text)


def _block(found: re.Match[str]) -> str:
    if found["command"] is None:
        Path(found["file"] or "deal.pbn").write_text(found["deals"], encoding="utf-8")
        return found[0]
    output, printed = found["output"], run(found["command"])
    pattern = ".*".join(map(re.escape, re.split(r"^\.\.\.\n", output, flags=re.MULTILINE)))
    if re.fullmatch(pattern, printed, re.DOTALL):
        return found[0]
    return found[0].replace(f"\n{output}```", f"\n{printed}```")


def run(command: str) -> str:
    """Return what a command prints; it may end in `| head -N`, `> FILE` or `>> FILE`."""
    words = shlex.split(command)
    match words[-2:]:
        case ["head", lines]:
            return "".join(run_words(words[:-3]).splitlines(keepends=True)[: -int(lines)])
        case [">" | ">>" as arrow, file]:
            with Path(file).open("a" if arrow == ">>" else "w", encoding="utf-8") as out:
                out.write(run_words(words[:-2]))
            return ""
    return run_words(words)


def run_words(words: list[str]) -> str:
    """Return what the command with these arguments prints."""
    return CliRunner().invoke(main, words).output


def place(folder: Path) -> Path:
    """Make the folder one in which pages find `examples`, and return it."""
    (folder / "examples").symlink_to(TOP / "examples")
    return folder


if __name__ == "__main__":
    for page in [Path(name).resolve() for name in sys.argv[1:]] or pages():
        text = page.read_text(encoding="utf-8")
        with TemporaryDirectory() as folder:
            os.chdir(place(Path(folder)))
            page.write_text(refreshed(text), encoding="utf-8")
            os.chdir(TOP)
