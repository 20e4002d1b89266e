"""Run the commands and the Python that pages show, and write their output into the pages.

    python -m tests.support.shown [PAGE...]

A `pbn` block is a hand file named by its first line, `% NAME`, or else `deal.pbn`. A `console`
block has commands and their output, in which a line `...` matches any lines. A `python` block has
examples after `>>>`; `spadille` is imported. A `python` block that begins with `# NAME.py` is the
file of that name. A `{code-cell} python` block is a notebook cell; a `text` block after it has its
output, which the site replaces with the notebook's.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import redirect_stdout
from doctest import DocTestParser, Example
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import CliRunner

import spadille
from spadille_cli import main

TOP = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(pbn|console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CELL = re.compile(
    r"^(```{code-cell} python\n(.*?)^```\n)(?:\n```text\n.*?^```\n)?", re.MULTILINE | re.DOTALL
)
COMMAND = re.compile(r"^\$ spadille ((?:.*\\\n)*.*)\n", re.MULTILINE)
SHOWN = re.compile(r"^```(?:console\n\$|python\n>>>|{code-cell})", re.MULTILINE)
FILE = re.compile(r"% (\S+\.pbn)\n")
PROGRAM = re.compile(r"# (\S+\.py)\n")


def pages() -> list[Path]:
    """Return the pages that show commands or Python, except the one tested as a whole."""
    found = {TOP / "README.md", *(TOP / "docs").rglob("*.md")} - {TOP / "docs" / "library.md"}
    return [page for page in sorted(found) if SHOWN.search(page.read_text(encoding="utf-8"))]


def refreshed(text: str) -> str:
    """Return a page with the current output of its commands.

    Works in the current directory, which should be `place()`.
    """
    names: dict[str, Any] = {"spadille": spadille}

    def block(found: re.Match[str]) -> str:
        kind, inner = found.groups()
        if kind == "pbn":
            named = FILE.match(inner)
            file = Path(named[1] if named else "deal.pbn")
            file.write_text(FILE.sub("", inner, count=1), encoding="utf-8")
        elif kind == "console":
            inner = "".join(_commands(inner))
        elif named := PROGRAM.match(inner):
            Path(named[1]).write_text(inner, encoding="utf-8")
        elif ">>>" in inner:
            inner = "".join(_examples(inner, names))
        return f"```{kind}\n{inner}```"

    def cell(found: re.Match[str]) -> str:
        output = _output(found[2], names)
        return f"{found[1]}\n```text\n{output}```\n" if output else found[1]

    return CELL.sub(cell, BLOCK.sub(block, text))


def _commands(block: str) -> Iterator[str]:
    before, *parts = COMMAND.split(block)
    yield before
    for command, output in zip(parts[::2], parts[1::2], strict=True):
        printed = run(command)
        pattern = ".*".join(map(re.escape, re.split(r"^\.\.\.\n", output, flags=re.MULTILINE)))
        yield f"$ spadille {command}\n"
        yield output if re.fullmatch(pattern, printed, re.DOTALL) else printed


def _examples(block: str, names: dict[str, Any]) -> Iterator[str]:
    for part in DocTestParser().parse(block):
        if isinstance(part, Example):
            first, *others = part.source.splitlines(keepends=True)
            yield "".join([f">>> {first}", *(f"... {line}" for line in others)])
            with redirect_stdout(StringIO()) as out:
                exec(compile(part.source, "<page>", "single"), names)
            yield out.getvalue()
        else:
            yield part


def _output(source: str, names: dict[str, Any]) -> str:
    """Run a cell, and return what it prints and the value of its last line."""
    with redirect_stdout(StringIO()) as out:
        for statement in ast.parse(source).body:
            exec(compile(ast.Interactive([statement]), "<cell>", "single"), names)
    return out.getvalue()


def run(command: str) -> str:
    """Return the output of a command; it may end in `| head -N`, `> FILE` or `>> FILE`."""
    words = shlex.split(command.replace("\\\n", " "))
    match words[-2:]:
        case ["head", lines]:
            return "".join(run_words(words[:-3]).splitlines(keepends=True)[: -int(lines)])
        case [">" | ">>" as arrow, file]:
            with Path(file).open("a" if arrow == ">>" else "w", encoding="utf-8") as out:
                out.write(run_words(words[:-2]))
            return ""
    return run_words(words)


def run_words(words: list[str]) -> str:
    """Return the output of the command with these arguments.

    Raises `RuntimeError` if it fails, for example with an outdated engine, so that no page shows
    the failure.
    """
    result = CliRunner().invoke(main, words)
    if result.exit_code == 2 or "internal error" in result.output:
        raise RuntimeError(f"{shlex.join(words)}: {result.output}")
    return result.output


def place(folder: Path) -> Path:
    """Set up a folder in which pages find `examples` and `../../examples`, and return it."""
    inner = folder / "docs" / "tutorials"
    inner.mkdir(parents=True)
    for above in (folder, inner):
        (above / "examples").symlink_to(TOP / "examples")
    return inner


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("pages", metavar="PAGE", nargs="*", type=Path, help="default: all pages")
    for page in [path.resolve() for path in parser.parse_args().pages] or pages():
        text = page.read_text(encoding="utf-8")
        with TemporaryDirectory() as folder:
            os.chdir(place(Path(folder)))
            page.write_text(refreshed(text), encoding="utf-8")
            os.chdir(TOP)
