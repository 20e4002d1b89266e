"""The `spadille` command: a thin layer of options and output formats over the library."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from errno import EBADF
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from spadille import __version__
from spadille.base.errors import InternalError, shortened
from spadille.render.text import printable
from spadille_cli.exit_status import FileError, Status
from spadille_cli.interrupt import caught, heeded
from spadille_cli.terminal_messages import complain, discard, saying, unstyled

# The groups in the help text; each command is in the module of the same name.
GROUPS = {
    "Deals": ("show", "solve", "table", "best"),
    "Played hands": ("cards", "review", "score"),
    "Create": ("deal", "problems", "page"),
    "Files": ("check", "fmt", "rules"),
    "Many deals": ("batch",),
}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)


class Program(click.Group):
    """A group that imports a command when it is used, and turns its result into an exit status."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return all commands, in the order of the help text."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, or None."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"spadille_cli.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands group by group."""
        for title, names in GROUPS.items():
            commands = [(name, self.get_command(ctx, name)) for name in names]
            with formatter.section(title):
                formatter.write_dl(
                    [
                        (name, command.get_short_help_str(62))
                        for name, command in commands
                        if command
                    ]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the named command; if there is none, suggest a similar one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from spadille.base.names_in_input import meant

            hint = meant(args[0], COMMANDS) or "."
            if os.path.exists(args[0]):
                hint = f"; a command comes first, as in 'spadille solve {args[0]}'."
            message = error.message.removesuffix(".") + hint
            raise click.UsageError(message, ctx) from None

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Read the arguments; `--help` and `--version` print their output here."""
        with _writing():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with _writing():
            return super().invoke(ctx)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run as a program, with status 130 for an interruption (click alone would exit with 1)."""
        if not standalone_mode:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        # The caller may have closed some streams. Losing messages is acceptable; losing results is
        # an error.
        if sys.stderr is None:
            sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
        if sys.stdout is None:
            sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: SIM115
        # Escape characters that a terminal or file name does not allow, instead of failing.
        out, sound = sys.stdout, ("utf-8", "surrogateescape")
        if isinstance(out, TextIOWrapper) and (out.encoding, out.errors) != sound:
            out.reconfigure(errors="backslashreplace")
        if unstyled():
            extra["color"] = False
        if "_SPADILLE_COMPLETE" in os.environ:
            import_module("spadille_cli.shell_completion")
        with heeded():
            try:
                with caught():
                    status = self._status(args, prog_name, complete_var, extra)
            except (click.Abort, KeyboardInterrupt):
                status = Status.INTERRUPTED
                complain("spadille: interrupted")
                with suppress(click.ClickException, click.exceptions.Exit), _writing():
                    pass  # finished output still in the buffer
        sys.exit(status)

    def _status(
        self,
        args: Sequence[str] | None,
        prog_name: str | None,
        complete_var: str | None,
        extra: dict[str, Any],
    ) -> Any:
        """Run the command and report its errors, but not an interruption."""
        try:
            return super().main(args, prog_name, complete_var, standalone_mode=False, **extra)
        except click.Abort:
            raise
        except click.ClickException as error:
            vars(error)["message"] = shortened(error.message)
            with saying():
                error.show()
            return error.exit_code
        except Exception as error:  # not about one deal, or that deal would report it
            complain(f"spadille: {printable(str(InternalError.of(error)))}")
            return Status.UNUSABLE


@contextmanager
def _writing() -> Iterator[None]:
    """Allow a reader to stop early (`spadille ... | head`), and report a full disk."""
    try:
        yield
        sys.stdout.flush()
    except OSError as error:
        discard(sys.stdout)
        if isinstance(error, BrokenPipeError):
            raise click.exceptions.Exit(Status.DONE) from error
        why = "standard output is closed" if error.errno == EBADF else error.strerror
        raise FileError(f"cannot write results: {why}") from error


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(
    __version__, "-V", "--version", prog_name="spadille", message="%(prog)s %(version)s"
)
def main() -> None:
    """Double-dummy solver for Ombre, German Solo, Solo Whist and related card games.

    spadille finds how many tricks a declarer can force when all hands are known,
    whether the contract makes, and its payoff. Deals come from hand files in
    Portable Bridge Notation (PBN); FILE may also be a folder of hand files, or -
    for standard input.

    \b
    Examples:
      spadille rules ombre
      spadille deal ombre --seed 1 -o deals.pbn
      spadille show deals.pbn
      spadille best deals.pbn
      spadille review evening.pbn

    \b
    Exit status:
      0    done
      1    done, with findings: a fault (check), a file not in canonical form
           (fmt --check), a contract that fails (solve --fail), missing answers
           (batch status)
      2    wrong usage, or results or an edited file cannot be written
      3    some input was unusable, or some results are missing; everything
           else was done
      130  interrupted; finished results have been written
    """
