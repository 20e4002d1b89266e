"""Writes the reference in docs/command-line.md from the commands themselves.

python tests/support/command_line.py
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import click

from spadille_cli import main

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
MARK = "<!-- From here on by tests/support/command_line.py; do not edit. -->\n"


def reference() -> str:
    """What --help says of every command, as Markdown."""
    return "\n".join(_sections(main, "spadille", None))


def _sections(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
    """The section of a command, and those of the commands in it."""
    with command.make_context(name, [], parent=parent, resilient_parsing=True) as context:
        yield _section(command, context)
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None
                yield from _sections(found, inner, context)


def _section(command: click.Command, context: click.Context) -> str:
    title = context.command_path
    usage = " ".join([title, *command.collect_usage_pieces(context)])
    text, _, rest = inspect.cleandoc(command.help or "").partition("\n\n\b\nExamples:\n")
    examples, gap, after = rest.partition("\n\n")
    rows = "".join(_row(param) for param in command.get_params(context))
    return (
        f"## {title}\n\n`{usage}`\n\n{text}\n\n"
        f"```sh\n{inspect.cleandoc(examples)}\n```{gap}{after}\n\n"
        f"| option | meaning |\n|---|---|\n{rows}"
    )


def _row(param: click.Parameter) -> str:
    if not isinstance(param, click.Option):
        return ""
    names = ", ".join(f"`{name}`" for name in param.opts)
    return f"| {names}{_value(param)} | {' '.join(_meaning(param))} |\n"


def _value(param: click.Option) -> str:
    return "" if param.is_flag else f" {param.metavar or 'CHOICE'}"


def _meaning(param: click.Option) -> Iterator[str]:
    yield param.help or ""
    if isinstance(param.type, click.Choice) and not param.metavar:
        yield f"One of {', '.join(f'`{choice}`' for choice in param.type.choices)}."
    if param.show_default:
        yield f"Default: `{param.default}`."


def page() -> str:
    """The page as it should be: its head as it stands, and the reference."""
    head, mark, _ = PAGE.read_text(encoding="utf-8").partition(MARK)
    assert mark
    return head + mark + "\n" + reference()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
