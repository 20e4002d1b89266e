"""`spadille fmt`: hand files in canonical form."""

from __future__ import annotations

import sys

import click

from spadille.pbn.document import Document, PbnGame
from spadille.pbn.entry import faults_in_order
from spadille.pbn.export_format import export
from spadille.pbn.parse_document import parse
from spadille.pbn.syntax_faults import file_fault
from spadille.pbn.write_deals import as_written
from spadille.render.text import printable, printable_lines
from spadille_cli.chosen_boards import ChosenBoards
from spadille_cli.exit_status import Status, Tally
from spadille_cli.fault_reports import report
from spadille_cli.input_files import load_files
from spadille_cli.output_files import (
    check_no_hand_file,
    check_regular,
    path_option,
    replace_file,
    save,
)
from spadille_cli.shared_options import (
    GroupedCommand,
    board_option,
    cli_option,
    color_option,
    files_argument,
    game_option,
    letters_option,
)
from spadille_cli.terminal_messages import complain


@click.command("fmt", cls=GroupedCommand)
@files_argument()
@cli_option("-i, --in-place", "Rewrite the files themselves.")
@cli_option(
    "--check, --fail",
    "Write nothing; exit with status 1 if a file is not in canonical form.",
    name="check",
)
@cli_option(
    "--eol",
    "Line endings (default: keep with --in-place and --check, otherwise CRLF, as in PBN).",
    *("keep", "lf", "crlf"),
    default=None,
)
@path_option
@game_option
@letters_option
@board_option
@color_option
def command(
    files: tuple[str, ...],
    boards: tuple[str, ...],
    in_place: bool,
    check: bool,
    eol: str | None,
    path: str,
    game: str | None,
    letters: str,
) -> Status:
    """Write hand files in PBN export format.

    Comments and unknown tags are kept. Mandatory tags come first, the others sorted
    by name; cards and calls are aligned in columns; games, seats, suits and cards
    are spelled as spadille writes them. Deals with invalid notation are reported
    and copied unchanged, except that a # with no value to repeat becomes ?. Files
    that are not text are reported and not written. With --board, only those deals
    are written, with the values they inherit and without comments. Formatting is
    idempotent.

    \b
    Examples:
      spadille fmt deals.pbn -o clean.pbn
      spadille fmt --in-place *.pbn
      spadille fmt --check *.pbn
    """
    if in_place and (check or path != "-"):
        raise click.UsageError("--in-place cannot be combined with --check or --output")
    if check and path != "-":
        raise click.UsageError("--check writes nothing and cannot be combined with --output")
    if in_place and "-" in files:
        raise click.UsageError("--in-place cannot rewrite standard input")
    if boards and (in_place or check):
        raise click.UsageError("--in-place and --check work on whole files, without --board")
    if len(files) > 1 and not (in_place or check):
        raise click.UsageError("several files need --in-place or --check")
    check_regular(files if in_place else (), "--in-place")
    check_no_hand_file(path, files, "rewrite it with --in-place")
    tally = Tally()
    keep = in_place or check
    for name, file in load_files(files, tally, game, letters=letters):
        document, games = file.document, file.document.games
        if fault := file_fault(document.original):
            report(name, [fault], tally)
            continue
        if boards:
            games = _chosen(document, boards, tally)
            document = parse("\n".join("".join(as_written(game)) for game in games))
        text = export(document, game, _newline(eol or ("keep" if keep else "crlf"), file.document))
        for written in games:
            report(name, faults_in_order([written.faults]), tally, document)
        if check:
            if text != file.document.original:
                tally.findings += 1
                complain(f"{printable(name)}: not in canonical form")
            continue
        # Canonical files have no byte order mark, which UTF-16 requires.
        encoding = "utf-8" if file.encoding.startswith("utf-16") else file.encoding
        if in_place:
            if text != file.document.original:
                replace_file(name, file, text, encoding, tally)
        elif path != "-":
            save(path, text, encoding)
        elif sys.stdout.isatty():
            sys.stdout.write(printable_lines(text))
        else:
            # Compare bytes, so that neither line endings nor the locale matter.
            sys.stdout.buffer.write(text.encode(encoding))
    return tally.status(fail=check)


def _chosen(document: Document, boards: tuple[str, ...], tally: Tally) -> list[PbnGame]:
    """List the games with these names or numbers."""
    chosen = ChosenBoards(boards)
    games = [game for game in document.games if chosen.take(game.get("Board"), game.index + 1)]
    chosen.report_missing(tally)
    return games


def _newline(eol: str, document: Document) -> str:
    """Return the line ending of the output."""
    return {"lf": "\n", "crlf": "\r\n", "keep": document.newline}[eol]
