"""Write the reference in docs/command-line.md from the commands themselves.

python -m tests.support.command_line_page
"""

from __future__ import annotations

import inspect
from argparse import ArgumentParser
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click

from spadille_cli import main
from spadille_cli.shared_options import CHANCES, CONTENT, CONTRACT, DEALS, LEDGER, OUTPUT

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
MARK = "<!-- From here on by tests/support/command_line_page.py; do not edit. -->\n"


# An option is shared if at least this many commands have it with the same meaning.
SHARED = 4
# The groups of the help texts; options that every command has are listed before them.
GROUPS = (CONTRACT, DEALS, CHANCES, CONTENT, OUTPUT, LEDGER)
EVERYWHERE = ("--games", "--help")
HEAD = "| option | meaning |\n|---|---|\n"


def reference() -> str:
    """Return the --help of every command as Markdown, with shared options listed once."""
    sections = list(_commands(main, "spadille", None))
    counted: dict[str, Counter[Row]] = defaultdict(Counter)
    for section in sections:
        for option, row in section.rows.items():
            counted[option][row] += 1
    shared: dict[str, dict[str, Row]] = {group: {} for group in ("", *GROUPS)}
    for option, rows in counted.items():
        row, times = rows.most_common(1)[0]
        if times >= SHARED:
            shared["" if option in EVERYWHERE else row.group][option] = row
    return "\n".join([_shared_options(shared), *(section.written(shared) for section in sections)])


class Row(NamedTuple):
    """A table row on an option, and the option's group in help texts."""

    text: str
    group: str


class Section(NamedTuple):
    """A command: its text, and its table rows by option."""

    text: str
    rows: dict[str, Row]

    def written(self, shared: dict[str, dict[str, Row]]) -> str:
        """Return the section, with links to the groups of shared options."""
        texts = {row.text for group in shared.values() for row in group.values()}
        own = {name: row for name, row in self.rows.items() if row.text not in texts}
        table = f"\n{HEAD}{''.join(row.text for row in own.values())}" if own else ""
        links = "; ".join(self._links(shared, own))
        line = f"\n[Shared options](#shared-options): {links}\n" if links else ""
        return f"{self.text}{table}{line}"

    def _links(self, shared: dict[str, dict[str, Row]], own: dict[str, Row]) -> Iterator[str]:
        """Yield a link to each group, with the options that it lacks, or the few that it has."""
        for group in GROUPS:
            rows = shared[group]
            taken = [name for name, row in rows.items() if row == self.rows.get(name)]
            missing = [name for name in rows if name not in taken and name not in own]
            link = f"[{group.lower()}](#{group.lower().replace(' ', '-')})"
            if taken and len(missing) < len(taken):
                yield link + (f" without {_names(missing)}" if missing else "")
            elif taken:
                yield f"{_names(taken)} of {link}"


def _shared_options(shared: dict[str, dict[str, Row]]) -> str:
    """Return the tables of the shared options, one for each group."""
    everywhere = "".join(row.text for row in shared[""].values())
    head = (
        "## Shared options\n\nThese options mean the same in every command that has them. "
        "All commands have these two:\n\n"
    )
    tables = (
        f"### {group}\n\n{HEAD}{''.join(row.text for row in shared[group].values())}"
        for group in GROUPS
    )
    return "\n".join([f"{head}{HEAD}{everywhere}", *tables])


def _names(options: list[str]) -> str:
    return ", ".join(f"`{option}`" for option in options)


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
    params = [param for param in command.get_params(context) if _row(param)]
    examples = f"```sh\n{inspect.cleandoc(examples)}\n```{gap}{after}\n"
    return Section(
        f"## {title}\n\n`{usage}`\n\n{text}\n\n{examples}",
        {_name(param): Row(_row(param), getattr(param, "group", CONTENT)) for param in params},
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
