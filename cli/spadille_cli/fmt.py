"""`spadille fmt`: hand files in canonical form."""

from __future__ import annotations

import sys

import click

from spadille.pbn.export import export
from spadille.pbn.handfile import in_order
from spadille_cli.deals import load_files, replace_file, report
from spadille_cli.params import color_option, files_argument, game_option
from spadille_cli.saving import check_regular, path_option, save
from spadille_cli.status import Status, Tally
from spadille_cli.terminal import complain, printable


@click.command("fmt")
@files_argument()
@click.option("-i", "--in-place", is_flag=True, help="Rewrite the files themselves.")
@click.option(
    "--check",
    "--fail",
    "check",
    is_flag=True,
    help="Write nothing; end with exit status 1 if a file is not in canonical form.",
)
@click.option(
    "--eol",
    type=click.Choice(("keep", "lf", "crlf")),
    help="Line ends; those of the file with --in-place and --check, else CRLF as PBN has it.",
)
@path_option
@game_option
@color_option
def command(
    files: tuple[str, ...],
    in_place: bool,
    check: bool,
    eol: str | None,
    path: str,
    game: str | None,
) -> Status:
    """Write hand files in PBN export format.

    All that the file says stays, comments and unknown tags included: mandatory
    tags first, the others by name, cards and calls in columns, names of games,
    seats, suits and cards as spadille writes them. What is not understood stays
    as it is. Deals that break the notation are reported and copied. Doing it
    twice changes nothing more.

    \b
    Examples:
      spadille fmt deals.pbn -o clean.pbn
      spadille fmt --in-place *.pbn
      spadille fmt --check *.pbn
    """
    if in_place and (check or path != "-"):
        raise click.UsageError("--in-place goes with neither --check nor --output")
    if len(files) > 1 and not (in_place or check):
        raise click.UsageError("several files need --in-place or --check")
    check_regular(files if in_place else (), "--in-place")
    tally = Tally()
    keep = in_place or check
    for name, file in load_files(files, tally, game):
        text = export(file.document, game, _newline(eol, keep, file.document.source))
        for one in file.document.games:
            report(name, in_order([one.faults]), tally)
        if check:
            if text != file.text:
                tally.found += 1
                complain(f"{printable(name)}: not in canonical form")
            continue
        # Canonical files have no byte order mark, and UTF-16 needs one.
        encoding = "utf-8" if file.encoding.startswith("utf-16") else file.encoding
        if in_place and name != "-":
            if text != file.text:
                replace_file(name, file, text, encoding, tally)
        elif path != "-":
            save(path, text, encoding)
        else:
            # The bytes of the file, with its own line ends, whatever the terminal's encoding.
            sys.stdout.buffer.write(text.encode(encoding))
    return tally.status(fail=check)


def _newline(eol: str | None, keep: bool, source: str) -> str:
    """The line end to write; that of PBN where there is none to keep."""
    keep = eol == "keep" or (eol is None and keep)
    return "\n" if eol == "lf" or (keep and "\n" in source and "\r\n" not in source) else "\r\n"
