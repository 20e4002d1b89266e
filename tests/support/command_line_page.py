"""Write the reference in docs/command-line.md from the commands themselves.

python -m tests.support.command_line_page
"""

from __future__ import annotations

import inspect
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Container, Iterator
from pathlib import Path
from typing import NamedTuple

import click

from spadille_cli import main

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
MARK = "<!-- From here on by tests/support/command_line_page.py; do not edit. -->\n"


# An option is shared if at least this many commands have it with the same meaning.
SHARED = 4
HEAD = "| option | meaning |\n|---|---|\n"


def reference() -> str:
    """Return the --help of every command as Markdown, with shared options listed once."""
    sections = list(_commands(main, "spadille", None))
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for section in sections:
        for option, row in section.rows.items():
            counted[option][row] += 1
    rows = [found.most_common(1)[0] for found in counted.values()]
    shared = [row for row, times in rows if times >= SHARED]
    head = "## Shared options\n\nThese mean the same in all commands that list them as shared.\n\n"
    return "\n".join(
        [f"{head}{HEAD}{''.join(shared)}", *(section.written(shared) for section in sections)]
    )


class Section(NamedTuple):
    """A command: its text, and its table rows by option."""

    text: str
    rows: dict[str, str]

    def written(self, shared: Container[str]) -> str:
        """Return the section, with shared options in one line."""
        own = "".join(row for row in self.rows.values() if row not in shared)
        names = ", ".join(f"`{name}`" for name, row in self.rows.items() if row in shared)
        table = f"\n{HEAD}{own}" if own else ""
        line = f"\n[Shared options](#shared-options): {names}\n" if names else ""
        return f"{self.text}{table}{line}"


def _commands(command: click.Command, name: str, parent: click.Context | None) -> Iterator[Section]:
    """Return the section of a command, and those of its subcommands."""
    with command.make_context(name, [], parent=parent, resilient_parsing=True) as context:
        yield _section(command, context)
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None
                yield from _commands(found, inner, context)


def _section(command: click.Command, context: click.Context) -> Section:
    title = context.command_path
    usage = " ".join([title, *command.collect_usage_pieces(context)])
    text, _, rest = inspect.cleandoc(command.help or "").partition("\n\n\b\nExamples:\n")
    examples, gap, after = rest.partition("\n\n")
    if after.startswith("\b\nExit status:"):
        after = "See [exit status](#exit-status)."
    rows = {_name(param): _row(param) for param in command.get_params(context)}
    examples = f"```sh\n{inspect.cleandoc(examples)}\n```{gap}{after}\n"
    return Section(
        f"## {title}\n\n`{usage}`\n\n{text}\n\n{examples}",
        {name: row for name, row in rows.items() if row},
    )


def _name(param: click.Parameter) -> str:
    """Return the same name for `--seat, --declarer` and `--declarer, --seat`."""
    return min(name for name in param.opts if name.startswith("--") or len(param.opts) == 1)


def _row(param: click.Parameter) -> str:
    if not isinstance(param, click.Option) or param.hidden:
        return ""
    names = ", ".join(f"`{name}`" for name in (*param.opts, *param.secondary_opts))
    return f"| {names}{_value(param)} | {' '.join(_meaning(param))} |\n"


def _value(param: click.Option) -> str:
    return "" if param.is_flag else f" {param.metavar or 'CHOICE'}"


def _meaning(param: click.Option) -> Iterator[str]:
    yield param.help or ""
    if isinstance(param.type, click.Choice) and not param.metavar:
        yield f"One of {', '.join(f'`{choice}`' for choice in param.type.choices)}."
    if param.show_default:
        default = param.opts[0] if param.default is True else param.default
        yield f"Default: `{default}`."


def page() -> str:
    """Return the page as it should be: its current head, and the reference."""
    head, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    assert mark
    return head + mark + "\n" + reference()


if __name__ == "__main__":
    ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(page(), encoding="utf-8")
