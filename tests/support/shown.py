"""The console examples of a page, and how a test runs them."""

from __future__ import annotations

import re
import shlex

from click.testing import CliRunner

from spadille_cli import main

CONSOLE = re.compile(r"^```console\n\$ spadille ([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def commands(page: str) -> list[tuple[str, str]]:
    """Return each command of a page, without `spadille`, and the output shown below it."""
    return CONSOLE.findall(page)


def run(command: str) -> str:
    """Return the output of a command, which may end in `| head -N`."""
    words = shlex.split(command)
    if words[-3:-1] == ["|", "head"]:
        lines = CliRunner().invoke(main, words[:-3]).output.splitlines(keepends=True)
        return "".join(lines[: -int(words[-1])])
    return CliRunner().invoke(main, words).output
