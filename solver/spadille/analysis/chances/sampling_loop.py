"""Draw layouts and value them in a loop, until a question about them is answered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Generic, TypeVar

from spadille.analysis.chances.card_chances_result import Ended
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.errors import TooHardError
from spadille.core.knowledge.conditioned_layouts import FittingLayouts
from spadille.core.knowledge.seat_knowledge import Knowledge

Answer = TypeVar("Answer")

_TICK = 0.15  # seconds of work between intermediate results
_SHORT = 1e-3  # the engine's limit after time runs out, because 0 would mean no limit
_MOST_AT_A_TIME = 1 << 16


@dataclass(frozen=True, slots=True)
class Clock:
    """A time limit; 0 seconds means no limit."""

    seconds: float
    began: float = field(default_factory=lambda: perf_counter())

    @property
    def until(self) -> float | None:
        """The value of `perf_counter` at which time runs out; None without a limit."""
        return self.began + self.seconds if self.seconds else None

    @property
    def spent(self) -> float:
        """The seconds since the clock started."""
        return perf_counter() - self.began

    @property
    def over(self) -> bool:
        """Whether time has run out."""
        return self.until is not None and perf_counter() >= self.until

    @property
    def left(self) -> float:
        """The seconds left; 0 means no limit, as in the engine."""
        return 0.0 if self.until is None else max(self.until - perf_counter(), _SHORT)

    def part(self, share: float) -> Clock:
        """Return a clock with the same start but only a share of the time."""
        return Clock(share * self.seconds, self.began)

    def share(self, number: int, least: float) -> Clock:
        """Return a clock that starts now, with the remaining time divided by `number`."""
        if self.until is None:
            return Clock(0)
        return Clock(max((self.until - perf_counter()) / number, least))

    def stop(self, known: Knowledge) -> None:
        """When time runs out, stop the search for layouts that fit."""
        if isinstance(known.fitting, FittingLayouts):
            known.fitting.until = self.until


PILOT_TIME = 0.25
"""Estimating how many layouts fit the calls may use at most this share of the time."""


class Strategy(ABC, Generic[Answer]):
    """A question about layouts: how to value them, and when the answer is settled."""

    drawing: Drawing
    at_a_time: int | None = None
    """The number of layouts valued in a step; None to adapt it so that a step takes a fraction of a
    second."""
    prepared: float = 0.0
    """The seconds spent before sampling began; they count toward the time limit."""
    hurried = False
    """Whether the time limit ended some work early. If so, another run may give other figures."""

    @property
    @abstractmethod
    def samples(self) -> int:
        """The number of layouts valued so far."""

    @property
    def complete(self) -> bool:
        """Whether no layout is left to value."""
        return False

    def parts(self, clock: Clock) -> Iterable[tuple[Sampling[Any], Clock]]:
        """Yield the samplings that must run before this one, each with its clock."""
        return ()

    def blocks(self, clock: Clock) -> Iterable[Iterable[Sequence[int]]]:
        """Yield the ranks of layouts in blocks; after each block, the loop checks for an answer."""
        return ()

    def value(self, ranks: Sequence[int], clock: Clock) -> bool:
        """Value layouts; return False if time ran out before all were valued."""
        raise NotImplementedError

    @property
    def part(self) -> float:
        """The share of the time that blocks may use; the rest is left for `finish`."""
        return 1.0

    def finish(self, clock: Clock) -> None:
        """Use the remaining time for work to be done after the last block."""

    def look(self, *, last: bool) -> bool:
        """Return whether the answer is settled; a `last` check may use up the remaining error."""
        return False

    @abstractmethod
    def result(self, ended: Ended | None) -> Answer:
        """Return the result so far."""


class Sampling(Generic[Answer]):
    """Draws and values layouts step by step, until the answer is settled."""

    def __init__(self, strategy: Strategy[Answer]) -> None:
        self.strategy = strategy
        self.ended: Ended | None = None
        # The size of a step never affects the result, only the time between intermediate results.
        self._at_a_time = strategy.at_a_time or strategy.drawing.threads

    @property
    def samples(self) -> int:
        """The number of layouts valued so far."""
        return self.strategy.samples

    def run(self) -> Answer:
        """Value layouts until the answer is settled or a limit is reached; return the result."""
        for _ in self.steps():
            pass
        return self.result()

    def steps(self, clock: Clock | None = None) -> Iterator[None]:
        """Run step by step; after an interruption, `result` includes all completed steps."""
        strategy = self.strategy
        if clock is None:
            clock = Clock(strategy.drawing.seconds)
            clock = replace(clock, began=clock.began - strategy.prepared)
        self.ended = "interrupted"
        for part, share in strategy.parts(clock):
            yield from part.steps(share)
            strategy.hurried = strategy.hurried or part.ended == "seconds"
        self.ended = yield from self._blocks(clock.part(strategy.part))
        if strategy.samples:
            strategy.finish(clock)

    def _blocks(self, clock: Clock) -> Generator[None, None, Ended | None]:
        """Value blocks until the answer is settled; return the limit that ended this, if any."""
        strategy = self.strategy
        for block in strategy.blocks(clock):
            over = yield from self._value(block, clock)
            over = over or clock.over
            if strategy.complete:
                return None
            strategy.hurried = strategy.hurried or over
            if self._settled(last=over):
                return None
            if over:
                return "seconds"
        return "seconds" if strategy.hurried else "samples"

    def _settled(self, *, last: bool) -> bool:
        """Return whether the layouts valued so far settle the answer."""
        strategy = self.strategy
        last = last or strategy.samples == strategy.drawing.samples
        return strategy.samples > 0 and strategy.look(last=last)

    def _value(self, block: Iterable[Sequence[int]], clock: Clock) -> Generator[None, None, bool]:
        """Value a block step by step; return whether time ran out before its end."""
        for ranks in block:
            start = 0
            while start < len(ranks):
                if clock.over:
                    return True
                began = perf_counter()
                step = ranks[start : start + self._at_a_time]
                if not self.strategy.value(step, clock):
                    return True
                start += len(step)
                self._adjust(len(step), perf_counter() - began)
                yield
        return False

    def _adjust(self, number: int, seconds: float) -> None:
        """Adjust the step size so that a step takes a fraction of a second."""
        if self.strategy.at_a_time is None:
            wanted = int(number / max(seconds, 1e-9) * _TICK)
            self._at_a_time = max(self.strategy.drawing.threads, min(wanted, _MOST_AT_A_TIME))

    def result(self) -> Answer:
        """Return the result so far; raise TooHardError if no layout has been valued."""
        return self.strategy.result(self.ended)


def nothing_valued(known: Knowledge) -> TooHardError:
    """Return the error to raise if time runs out before any layout is valued."""
    fitting = known.fitting
    why = f": {fitting.tested}" if isinstance(fitting, FittingLayouts) else "; allow more seconds"
    return TooHardError(f"time ran out before a layout was valued{why}", "interrupted")
