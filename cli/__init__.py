"""The command `spadille`: a thin layer of options and output formats over the library."""

from __future__ import annotations

import click

from spadille import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="spadille")
def main() -> None:
    """Double-dummy solver for the Hombre and Solo families of card games."""
