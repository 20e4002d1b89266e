"""Ctrl-C, `kill` and a closed terminal: finished results are written, and the status is 130.

An interruption is raised as a KeyboardInterrupt, but only in code where it will be caught and
cannot break anything. Elsewhere, it waits. Python drops exceptions that are raised in a destructor
or in the callback of a weak reference. In all these cases, the interruption is raised again until
it is caught.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_AGAIN = 0.05  # seconds until an uncaught interruption is raised again

# An exception inside these functions would leave inconsistent locks, or threads that never end, and
# the next wait for one of them would fail or never return.
_FRAGILE = (
    "threading",
    "importlib._bootstrap",
    "_frozen_importlib",
    "spadille.analysis.thread_pool",
)


class _State:
    """The state of the only signal handler."""

    caught = False  # an interruption will be caught
    asked = False  # the program should end
    held = False  # results are being written: the exit waits until they are complete
    over = False  # the handler is about to be removed


def _handle(number: int, frame: FrameType | None) -> None:
    if _State.over:
        return
    again = _State.asked and number != getattr(signal, "SIGALRM", None)
    _State.asked = True
    _repeat(_AGAIN)
    waits = not _State.caught or (_State.held and not again) or _is_fragile(frame)
    if not waits and not _is_heeded():
        raise KeyboardInterrupt


def _is_heeded() -> bool:
    """Return whether an interruption was already raised and the code is still cleaning up."""
    error = sys.exc_info()[1]
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _is_fragile(frame: FrameType | None) -> bool:
    """Return whether the running code would break if an interruption were raised now."""
    while frame is not None and _CAN_REPEAT:
        if frame.f_globals.get("__name__") in _FRAGILE:
            return True
        frame = frame.f_back
    return False


def _is_dropped(unraisable: sys.UnraisableHookArgs) -> bool:
    """Return whether Python is about to print an interruption that will be raised again."""
    return issubclass(unraisable.exc_type, KeyboardInterrupt) and _CAN_REPEAT


_CAN_REPEAT = hasattr(signal, "setitimer")


def _repeat(seconds: float) -> None:
    if _CAN_REPEAT:
        signal.setitimer(signal.ITIMER_REAL, seconds)


@contextmanager
def heeded() -> Iterator[None]:
    """Record Ctrl-C, `kill` and a hangup while this runs; they are raised inside `caught`.

    Signals that the caller ignores stay ignored, as with nohup. After an interruption, Ctrl-C is
    ignored because the program is ending.
    """
    before = {}
    # SIGALRM comes first, because the handlers of the other signals set the alarm.
    names = ("SIGALRM", "SIGINT", "SIGTERM", "SIGHUP")
    previous = sys.unraisablehook
    try:
        for name in names:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) != signal.SIG_IGN:
                before[number] = signal.signal(number, _handle)
    except ValueError:  # not the main thread
        yield
        return
    sys.unraisablehook = lambda dropped: None if _is_dropped(dropped) else previous(dropped)
    try:
        yield
    finally:
        sys.unraisablehook = previous
        if _State.asked and signal.SIGINT in before:
            before[signal.SIGINT] = signal.SIG_IGN
        # The timer must not be set when the handler for its alarm is gone, or the alarm would kill
        # the process.
        _State.over = True
        _repeat(0)
        for number, handler in before.items():
            signal.signal(number, handler)
        _State.asked = _State.over = False


@contextmanager
def caught() -> Iterator[None]:
    """Raise interruptions as KeyboardInterrupt while this runs, but not afterwards."""
    _State.caught = True
    try:
        if _State.asked:
            raise KeyboardInterrupt
        yield
    finally:
        _State.caught = False


@contextmanager
def interruption_held(hold: bool = True) -> Iterator[None]:
    """Choose whether a first Ctrl-C waits while this runs; a second one never waits."""
    before, _State.held = _State.held, hold
    try:
        if _State.asked and _State.caught and not hold:
            raise KeyboardInterrupt
        yield
    finally:
        _State.held = before


def interruption_over() -> None:
    """Stop raising the interruption again, except for a second Ctrl-C."""
    _repeat(0)
