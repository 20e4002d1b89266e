"""The command, as `python -m spadille` and as the script `spadille`."""

from __future__ import annotations

import os
import signal
from types import FrameType


def run() -> None:
    """Run the command; Ctrl-C ends it on the spot where it does nothing yet, or no more."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else not ours to decide
        signal.signal(signal.SIGINT, _leave)

    from spadille_cli import main

    main(prog_name="spadille")


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, b"spadille: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    run()
