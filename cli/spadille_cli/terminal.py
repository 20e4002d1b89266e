"""What a terminal is told beside results: messages and progress, and nothing a file could send."""

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

_PAUSE = 0.1  # seconds between two states of the progress


def complain(message: str) -> None:
    """Print a line on standard error."""
    with saying():
        clear_progress()
        click.echo(message, err=True)


@contextmanager
def saying() -> Iterator[None]:
    """Let messages be lost, and nothing else, where standard error takes none."""
    try:
        yield
    except OSError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Lead a stream nowhere, lest what it holds fail once more when the interpreter shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def unstyled() -> bool:
    """Whether output is to have no bold letters: NO_COLOR (no-color.org), a terminal without."""
    return bool(os.environ.get("NO_COLOR")) or _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def with_progress(items: Sequence[Item]) -> Generator[Item, None, None]:
    """Say on standard error how many items are done, and how long it will take; then be silent."""
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
    """Say how something stands, in place of what was said before, as far as there is room."""
    _say(text[: get_terminal_size().columns - 1])


def clear_progress() -> None:
    """Make room on standard error where the progress may stand."""
    _say("")


def _say(text: str) -> None:
    if sys.stderr.isatty() and not _is_dumb():
        with saying():
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()


def time_left(seconds: float) -> str:
    """Write how long something will take."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
