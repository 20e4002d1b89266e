"""Ctrl-C and `kill`: what was finished is written, nothing else is said, and the status is 130.

Python drops a KeyboardInterrupt that comes up in a destructor or in the callback of a weak
reference, as modules being imported have them; so it is raised again until somebody hears it.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_AGAIN = 0.05  # seconds until an interruption that nobody heard comes once more


class _State:
    """What the handler of signals knows; there is one, as there is one handler."""

    asked = False  # somebody wants the program to end
    held = False  # results are being written: the end waits until they are whole
    over = False  # the end has come


def _handle(number: int, frame: FrameType | None) -> None:
    if _State.over:
        return
    again = _State.asked and number != getattr(signal, "SIGALRM", None)
    _State.asked = True
    _repeat(_AGAIN)
    if (again or not _State.held) and not _is_heeded():
        raise KeyboardInterrupt


def _is_heeded() -> bool:
    """Whether an interruption is on its way up, through code that cleans up behind itself."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _is_dropped(found: sys.UnraisableHookArgs) -> bool:
    """Whether what Python is about to print is an interruption, which comes again."""
    return issubclass(found.exc_type, KeyboardInterrupt) and hasattr(signal, "setitimer")


def _repeat(seconds: float) -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


@contextmanager
def starting() -> Iterator[None]:
    """Let Ctrl-C end the program on the spot: nothing has been done yet."""

    def leave(number: int, frame: FrameType | None) -> None:
        os.write(2, b"spadille: interrupted\n")
        os._exit(130)

    try:
        if signal.getsignal(signal.SIGINT) != signal.default_int_handler:
            raise ValueError
        signal.signal(signal.SIGINT, leave)
    except ValueError:  # not ours to decide, or not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def heeded() -> Iterator[None]:
    """Let Ctrl-C and `kill` raise KeyboardInterrupt, once: what cleans up then is left to finish.

    What the caller has chosen to ignore stays ignored, as with nohup. After an interruption Ctrl-C
    is ignored for good, since the program ends.
    """
    before = {}
    names = ("SIGINT", "SIGTERM", "SIGALRM")
    told = sys.unraisablehook
    try:
        for name in names:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, _handle)
    except ValueError:  # not the main thread
        yield
        return
    sys.unraisablehook = lambda found: None if _is_dropped(found) else told(found)
    try:
        yield
    finally:
        sys.unraisablehook = told
        if _State.over and signal.SIGINT in before:
            before[signal.SIGINT] = signal.SIG_IGN
        # Nobody may set the timer once the handler of its alarm is gone: that alarm would kill.
        _State.over = True
        _repeat(0)
        for number, handler in before.items():
            signal.signal(number, handler)
        _State.asked = _State.over = False


@contextmanager
def held(hold: bool = True) -> Iterator[None]:
    """Let a first Ctrl-C wait, or not, while this runs; a second one does not wait."""
    before, _State.held = _State.held, hold
    try:
        yield
    finally:
        _State.held = before


def heard(*, last: bool = False) -> None:
    """Raise the interruption no more, but for a second Ctrl-C; the `last` time not even then."""
    _State.over = last
    _repeat(0)
