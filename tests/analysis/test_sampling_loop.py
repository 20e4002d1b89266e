"""The loop that draws layouts: blocks, checks, limits and parts, with made-up questions."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Sequence

import click
import pytest

import spadille
from spadille.analysis.chances import sampling_loop
from spadille.analysis.chances.card_chances_result import Ended
from spadille.analysis.chances.sampling_loop import Clock, Sampling, Strategy
from spadille.analysis.chances.sampling_settings import DEFAULT_DRAWING, DEFAULT_SECONDS, Drawing
from spadille_cli import main


class Layouts:
    """Layouts that are plain numbers."""

    count = 10**6
    ranks = range(count)

    def samples(self, number: int, seed: int = 0, block: int = 0) -> Iterator[list[int]]:
        yield [seed + rank for rank in range(number)]


class Counting(Strategy[int]):
    """Counts layouts; the answer is settled after `settled_at` of them, or never if None."""

    def __init__(self, drawing: Drawing, settled_at: int | None = None) -> None:
        self.drawing = drawing
        self.settled_at = settled_at
        self.number = 0
        self.looks: list[tuple[int, bool]] = []

    @property
    def samples(self) -> int:
        return self.number

    def blocks(self, clock: Clock) -> Iterable[Iterable[Sequence[int]]]:
        return self.drawing.blocks(Layouts(), exact=False)

    def value(self, ranks: Sequence[int], clock: Clock) -> bool:
        self.number += len(ranks)
        return True

    def look(self, *, last: bool) -> bool:
        self.looks.append((self.number, last))
        return self.settled_at is not None and self.number >= self.settled_at

    def result(self, ended: Ended | None) -> int:
        return self.number


def test_each_look_comes_after_twice_as_many_layouts() -> None:
    strategy = Counting(Drawing(seconds=0), settled_at=1000)
    sampling = Sampling(strategy)
    assert sampling.run() == 1024
    assert strategy.looks == [(256, False), (512, False), (1024, False)]
    assert sampling.ended is None


def test_the_look_at_the_number_of_samples_is_the_last() -> None:
    strategy = Counting(Drawing(samples=300, seconds=0))
    sampling = Sampling(strategy)
    assert sampling.run() == 300
    assert strategy.looks == [(256, False), (300, True)]
    assert sampling.ended == "samples"


def test_the_look_when_time_is_over_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = Counting(Drawing(seconds=60))
    sampling = Sampling(strategy)
    monkeypatch.setattr(sampling_loop, "_TICK", 0)  # one layout at a time
    now = lambda: 1e9 if strategy.number >= 400 else 0.0  # noqa: E731
    monkeypatch.setattr(sampling_loop, "perf_counter", now)
    assert sampling.run() == 400
    assert strategy.looks == [(256, False), (400, True)]
    assert sampling.ended == "seconds"


def test_there_is_a_look_as_soon_as_one_layout_is_valued(monkeypatch: pytest.MonkeyPatch) -> None:
    strategy = Counting(Drawing(samples=1, seconds=0), settled_at=1)
    sampling = Sampling(strategy)
    assert (sampling.run(), sampling.ended) == (1, None)
    assert strategy.looks == [(1, True)]
    # No layout is valued in time.
    strategy = Counting(Drawing(seconds=60))
    sampling = Sampling(strategy)
    now = iter([0.0])
    monkeypatch.setattr(sampling_loop, "perf_counter", lambda: next(now, 1e9))
    assert (sampling.run(), sampling.ended) == (0, "seconds")
    assert strategy.looks == []


class InParts(Counting):
    """A question that is preceded by two others."""

    def parts(self, clock: Clock) -> Iterator[tuple[Sampling[int], Clock]]:
        self.firsts = [Counting(Drawing(samples=10, seconds=0, threads=4)) for _ in range(2)]
        for number, first in enumerate(self.firsts):
            yield Sampling(first), clock.share(2 - number, 0.02)


def test_parts_come_first_and_an_interruption_leaves_what_was_valued() -> None:
    strategy = InParts(Drawing(samples=300, seconds=0))
    sampling = Sampling(strategy)
    steps = sampling.steps()
    next(steps)
    assert (strategy.firsts[0].number, strategy.number) == (4, 0)
    assert sampling.ended == "interrupted"
    for _ in steps:
        pass
    assert [first.number for first in strategy.firsts] == [10, 10]
    assert sampling.result() == 300


def test_a_question_with_blocks_must_say_how_to_value_them() -> None:
    strategy = Counting(Drawing(samples=2, seconds=0))
    strategy.value = super(Counting, strategy).value  # type: ignore[method-assign]
    with pytest.raises(NotImplementedError):
        Sampling(strategy).run()


@pytest.mark.parametrize(
    ("number", "seconds", "threads", "step"),
    [
        (100, 0.5, 2, 30),  # 200 a second, for 0.15 seconds
        (100, 0.25, 2, 60),
        (1, 10.0, 4, 4),  # at least one for each thread
        (1000, 0.0, 2, 65_536),  # too fast to measure
    ],
)
def test_a_step_takes_a_fraction_of_a_second(
    monkeypatch: pytest.MonkeyPatch, number: int, seconds: float, threads: int, step: int
) -> None:
    strategy = Counting(Drawing(samples=10**6, seconds=0, threads=threads))
    sampling = Sampling(strategy)
    sampling._at_a_time = number
    now = iter([0.0, seconds, *[seconds] * 9])
    monkeypatch.setattr(sampling_loop, "perf_counter", lambda: next(now))
    steps = sampling._value([range(10**6)], Clock(0, began=0.0))
    next(steps)
    assert strategy.number == number
    next(steps)
    assert strategy.number == number + step


def test_a_fixed_step_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Counting, "at_a_time", 7)
    strategy = Counting(Drawing(samples=21, seconds=0))
    steps = Sampling(strategy).steps()
    assert [next(steps, strategy.number) or strategy.number for _ in range(3)] == [7, 14, 21]


def test_time_is_shared_among_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling_loop, "perf_counter", lambda: 4.0)
    clock = Clock(10, began=0.0)
    assert clock.part(0.3).until == 3
    assert clock.part(0.3).over
    assert clock.share(3, 0.02).seconds == 2
    assert Clock(1, began=0.0).share(3, 0.02).seconds == 0.02
    assert Clock(0).share(3, 0.02).until is None
    assert Clock(0).left == 0  # no limit
    assert 0 < Clock(1, began=0.0).left < 0.01  # 0 would mean no limit


def test_the_time_limit_is_ten_seconds_everywhere() -> None:
    assert DEFAULT_DRAWING.seconds == DEFAULT_SECONDS == 10
    for function in (spadille.chances, spadille.best_chances):
        default = inspect.signature(function).parameters["drawing"].default
        assert default is DEFAULT_DRAWING
    context = click.Context(main)
    for name in ("cards", "best", "review", "score", "page"):
        command = main.get_command(context, name)
        assert command is not None
        (option,) = [each for each in command.params if each.name == "seconds"]
        assert option.default == DEFAULT_SECONDS
