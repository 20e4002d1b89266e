"""The command, as `python -m spadille` and as the script `spadille`.

Until `run` has installed its handler, Ctrl-C shows a traceback. So this module and the package root
import only modules that Python has already loaded; `signal` alone would add five modules.
"""

from __future__ import annotations

import os
import sys
from _signal import (  # type: ignore[import-not-found]
    SIGINT,
    default_int_handler,
    getsignal,
    signal,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


def run() -> None:
    """Run the command; Ctrl-C exits at once before work starts and after it ends."""
    # Keep a signal handler that the parent process installed.
    if getsignal(SIGINT) is default_int_handler:
        signal(SIGINT, _leave)

    try:
        from spadille_cli import main
    # If memory runs out during the import, any of these errors can occur.
    except (ImportError, MemoryError, OSError, SystemError) as error:
        from spadille.base.errors import InternalError, ran_out_of_memory

        if not ran_out_of_memory(error):
            raise
        sys.exit(_complain(str(InternalError.of(error))))

    main(prog_name="spadille")


def _complain(message: str) -> int:
    """Write a message, and return the exit status for unusable input."""
    os.write(2, f"spadille: {message}\n".encode())
    return 3


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, b"spadille: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    run()
