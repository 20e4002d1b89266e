"""The command, as `python -m spadille` and as the script `spadille`.

Until `run` has installed its handler, Ctrl-C shows a traceback. So this module and the package root
import only modules that Python has already loaded; `signal` alone would add five modules.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType


def run() -> None:
    """Run the command.

    Before work starts and after it ends, Ctrl-C, `kill` and a hangup exit at once with status 130.
    """
    numbers = [getattr(_signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")]
    # Keep a signal handler that the parent process installed.
    default = (_signal.default_int_handler, _signal.SIG_DFL)
    ours = [number for number in numbers if number and _signal.getsignal(number) in default]
    for number in ours:
        _signal.signal(number, _leave)
    # Python removes its handlers before it ends, and a signal would then kill the process. What is
    # registered first runs last.
    import atexit

    atexit.register(_ignore, ours)

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


def _ignore(numbers: list[int]) -> None:
    for number in numbers:
        _signal.signal(number, _signal.SIG_IGN)


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, b"spadille: interrupted\n")
    os._exit(130)


if __name__ == "__main__":
    run()
