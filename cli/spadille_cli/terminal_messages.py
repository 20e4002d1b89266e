"""Messages and progress on the terminal, without control characters from files."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from threading import Thread
from time import monotonic, sleep
from typing import IO, TypeVar

import click

from spadille.render.text import columns, wrapped

Item = TypeVar("Item")

_PAUSE = 0.1  # seconds between updates of the progress


def complain(message: str) -> None:
    """Print a message on standard error; on a terminal, lines that are too long are wrapped."""
    if sys.stderr.isatty():
        width = get_terminal_size().columns
        message = "\n".join(part for line in message.split("\n") for part in _fitting(line, width))
    with saying():
        clear_progress()
        click.echo(message, err=True)


def _fitting(line: str, width: int) -> list[str]:
    return wrapped(line, width) if columns(click.unstyle(line)) > width else [line]


@contextmanager
def saying() -> Iterator[None]:
    """If standard error is closed, ignore lost messages but no other error."""
    try:
        yield
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Redirect a stream to the null device, so that its buffer does not fail again at shutdown."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def unstyled() -> bool:
    """Return whether to avoid bold text, because of NO_COLOR (no-color.org) or the terminal."""
    return bool(os.environ.get("NO_COLOR")) or _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def with_progress(items: Sequence[Item]) -> Generator[Item, None, None]:
    """Show the number of finished items and the time left on standard error, until the end.

    If an item takes longer than a second, its time so far is shown. If there is only one item,
    nothing is shown during the first second.
    """
    began, drawn = monotonic(), 0.0
    stopwatch = _Stopwatch()
    Thread(target=stopwatch.run, daemon=True).start()
    try:
        for number, item in enumerate(items):
            now = monotonic()
            done = f"{number}/{len(items)}"
            if now - drawn > _PAUSE and len(items) > 1:
                drawn = now
                left = (now - began) * (len(items) - number) / max(number, 1)
                _say(f"{done}{f', {time_left(left)} left' if left >= 1 else ''}")
            stopwatch.waiting = done, now
            _stopwatches[:] = [stopwatch]
            yield item
    finally:
        stopwatch.running, stopwatch.waiting = False, None
        _stopwatches.clear()
        if len(items) > 1 or stopwatch.shown:
            clear_progress()


class _Stopwatch:
    """Shows how long an item has been worked on; a separate thread calls `run`.

    The thread polls, because interrupting the main thread can break the locks of events and timers.
    """

    def __init__(self) -> None:
        self.running = True
        self.shown = False
        self.waiting: tuple[str, float] | None = None  # items done, and when the work started

    def run(self) -> None:
        """Show the time once a second, after a pause, until `running` is cleared."""
        last = None
        while self.running:
            sleep(_PAUSE)
            waiting = self.waiting
            if waiting is None:
                continue
            done, since = waiting
            seconds = int(monotonic() - since)
            if seconds and (waiting, seconds) != last:
                self.shown = True
                _say(f"{done}, working for {time_left(seconds)}")
            last = waiting, seconds


_stopwatches: list[_Stopwatch] = []  # the running line, if any


def say_progress(text: str) -> None:
    """Replace the progress line with this text, cut to the width of the terminal."""
    _say(text[: get_terminal_size().columns - 1])


def clear_progress() -> None:
    """Clear the progress line for other output; it stays empty until the next item begins."""
    for stopwatch in _stopwatches:
        stopwatch.waiting = None
    _say("")


def _say(text: str) -> None:
    if sys.stderr.isatty() and not _is_dumb():
        with saying():
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()


def time_left(seconds: float) -> str:
    """Format a duration."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
