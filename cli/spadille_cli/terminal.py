"""Messages and progress on the terminal, without control characters from files."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from shutil import get_terminal_size
from time import monotonic
from typing import IO, TypeVar

import click

Item = TypeVar("Item")

_PAUSE = 0.1  # seconds between two updates of the progress


def complain(message: str) -> None:
    """Print a line on standard error."""
    with saying():
        clear_progress()
        click.echo(message, err=True)


@contextmanager
def saying() -> Iterator[None]:
    """Ignore lost messages, and nothing else, if standard error accepts none."""
    try:
        yield
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Redirect a stream to nowhere, so that its buffer does not fail again at shutdown."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def unstyled() -> bool:
    """Whether output should not be bold: NO_COLOR (no-color.org), or a terminal without bold."""
    return bool(os.environ.get("NO_COLOR")) or _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def with_progress(items: Sequence[Item]) -> Generator[Item, None, None]:
    """Show on standard error how many items are done and the time left; then stay silent."""
    began, drawn = monotonic(), 0.0
    try:
        for number, item in enumerate(items):
            now = monotonic()
            if now - drawn > _PAUSE:
                drawn = now
                left = (now - began) * (len(items) - number) / max(number, 1)
                _say(f"{number}/{len(items)}{f', {time_left(left)} left' if left >= 1 else ''}")
            yield item
    finally:
        clear_progress()


def say_progress(text: str) -> None:
    """Replace the progress line, cut to the width of the terminal."""
    _say(text[: get_terminal_size().columns - 1])


def clear_progress() -> None:
    """Make room on standard error for the progress."""
    _say("")


def _say(text: str) -> None:
    if sys.stderr.isatty() and not _is_dumb():
        with saying():
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()


def time_left(seconds: float) -> str:
    """Return a duration as text."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
