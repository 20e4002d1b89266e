"""A hand file without faults, and commands run on hand files."""

from __future__ import annotations

from click.testing import CliRunner, Result

from spadille_cli import main

GOOD = """\
[Event "Club night"]
[Board "7"]
[Game "german-solo"]
[Dealer "N"]
[Deal "N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98"]
{a comment that stays}
[Declarer "N"]
[Contract "solo"]
[Trump "H"]
[OurOwnTag "stays, too"]
"""


def run(*args: str, **extra: str) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(main, args, **extra)
