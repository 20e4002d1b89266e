"""The C++ search; see engine.pyx."""

from collections.abc import Iterable, Sequence
from typing import Literal

from typing_extensions import Buffer

from spadille.search.engine_problem import EngineProblem

DEFAULT_MEMORY: int
FAST_PATH: bool
SOURCES: str
FOLLOWING_FIELDS: tuple[str, ...]
NEED_MOST: int
NEED_EITHER: int
NEED_CLEAN: int

class Solver:
    def __init__(self, memory: int = ..., *, plain: bool = False, patience: int = ...) -> None: ...
    def limit(self, nodes: int = 0, seconds: float = 0) -> bool: ...
    @property
    def interrupted(self) -> bool: ...
    def interrupt(self) -> None: ...
    def clear(self) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def memory_limit(self) -> int: ...
    @property
    def memory(self) -> int: ...
    @property
    def stopped(self) -> Literal["nodes", "time", "interrupt"] | None: ...
    def legal(self, problem: EngineProblem) -> tuple[int, int]: ...
    def classes(self, problem: EngineProblem) -> dict[int, list[int]]: ...

class Objective:
    @property
    def side(self) -> int: ...
    @property
    def credited(self) -> int: ...
    def wants(self, problem: EngineProblem) -> bool: ...
    def span(self, problem: EngineProblem, state: int) -> tuple[int, int]: ...
    def led(self, problem: EngineProblem, state: int) -> int: ...
    def step(self, solver: Solver, problem: EngineProblem, state: int, card: int) -> int: ...
    def bounds(
        self, solver: Solver, problem: EngineProblem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]: ...
    def reaches(
        self, solver: Solver, problem: EngineProblem, state: int, need: int
    ) -> bool | None: ...
    def card_values(
        self, solver: Solver, problem: EngineProblem, state: int, value: int
    ) -> dict[int, int | None]: ...
    def best_line(
        self, solver: Solver, problem: EngineProblem, state: int, value: int, *, taste: int = ...
    ) -> tuple[list[int], int] | None: ...
    def along(
        self,
        solver: Solver,
        play: PlayedCards,
        first: int,
        last: int,
        state: int,
        needs: Sequence[int],
    ) -> ValuesAlongPlay: ...

class TrickObjective(Objective):
    def __init__(
        self,
        side: int,
        credited: int,
        *,
        steps: Sequence[int] = (),
        made_or_not: bool = False,
        open_trump: tuple[int, Sequence[int]] | None = None,
    ) -> None: ...

class PayoffObjective(Objective):
    def __init__(
        self,
        side: int,
        credited: int,
        players: int,
        levels: Sequence[Sequence[Sequence[int]]],
        worth: Sequence[int],
        values: int,
        *,
        stop: Sequence[Sequence[int | None]] = (),
        led: Sequence[Sequence[int]] = (),
        grades: Sequence[int] = (),
        marked: int = 0,
        terms: Sequence[tuple[int, int, int]] = (),
        counts: Sequence[Sequence[Sequence[int]]] = (),
    ) -> None: ...

class PlayedCards:
    def __init__(self, solver: Solver, problem: EngineProblem, cards: Iterable[int]) -> None: ...
    def __len__(self) -> int: ...
    @property
    def cards(self) -> list[int]: ...
    @property
    def players(self) -> list[int]: ...
    @property
    def free(self) -> list[bool]: ...
    @property
    def privileged(self) -> list[int]: ...
    def history(self, end: int) -> tuple[tuple[int, tuple[int, ...]], ...]: ...
    def problem(self, i: int) -> EngineProblem: ...

class ValuesAlongPlay:
    @property
    def states(self) -> list[int]: ...
    @property
    def values(self) -> list[int]: ...
    @property
    def most(self) -> list[int]: ...
    @property
    def gains(self) -> list[bool]: ...
    def settle(self, by_tricks: bool, guess: int) -> bool: ...
    def bound(self) -> None: ...
    def compare(self, every: bool) -> tuple[dict[int, int], bool]: ...

class Unranker:
    def __init__(
        self,
        classes: Sequence[Sequence[int]],
        nodes: Iterable[tuple[int, int, int]],
        splits: Iterable[tuple[int, ...]],
        bins: Sequence[int],
        hands: Sequence[int],
    ) -> None: ...
    def hands(self, ranks: Buffer) -> memoryview[int]: ...

class Belief:
    def __init__(
        self,
        layouts: Unranker,
        strengths: Iterable[StrengthTable],
        numberings: Iterable[Sequence[int]],
        bidders: Iterable[tuple[object, ...]],
        pile: int,
        spread: float,
    ) -> None: ...
    def draw(self, count: int, state: int, first: int) -> list[int]: ...
    def weigh(self, ranks: Buffer) -> list[float]: ...

class LayoutSolver:
    def __init__(
        self,
        problem: EngineProblem,
        asked: Iterable[tuple[Objective, int, int]],
        *,
        telling: Iterable[int] = (),
        table: bytes = ...,
        cards: bool = True,
        memory: int = ...,
        plain: bool = False,
    ) -> None: ...
    @property
    def cards(self) -> tuple[int, ...]: ...
    @property
    def width(self) -> int: ...
    @property
    def finished(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def stopped(self) -> Literal["nodes", "time", "interrupt"] | None: ...
    def interrupt(self) -> None: ...
    def questions(self, hands: Buffer) -> bytes: ...
    def values(
        self, hands: Buffer, *, threads: int = 1, nodes: int = 0, seconds: float = 0
    ) -> bytes: ...
    def playouts(self, hands: Buffer) -> bytes: ...

class StrengthTable:
    def __init__(
        self,
        suits: Iterable[tuple[int, int, Sequence[int], Sequence[int], Sequence[int]]],
        trumps: bool,
        position: Sequence[int],
        layers: Sequence[tuple[Sequence[int], Sequence[int]]],
        scores: Iterable[tuple[Sequence[int], int, int, int, Sequence[float], float]],
        made: int,
        least: float,
    ) -> None: ...
    @property
    def positions(self) -> int: ...
    def made(self, hand: int, position: int, called: int = ...) -> float: ...
    def payoff(self, hand: int, position: int, called: int = ...) -> float: ...
    def many(self, hands: Buffer, position: int, called: int = ...) -> memoryview[float]: ...

_PlanValue = tuple[int, int, int, int, int] | tuple[int, int, None, None, None]

class PlanSolver:
    def __init__(
        self,
        problem: EngineProblem,
        aims: Iterable[tuple[Objective, int, int, bool]],
        hands: Buffer,
        weights: Iterable[int],
        numbers: bytes,
        *,
        memory: int = ...,
        plain: bool = False,
        mixed: bool = False,
        grouped: bool = False,
    ) -> None: ...
    def interrupt(self) -> None: ...
    def values(
        self, *, blind: int = 0, threads: int = 1, seconds: float = 0, work: int = 0
    ) -> tuple[list[_PlanValue], Literal["nodes", "time", "interrupt", "memory"] | None]: ...
    @property
    def valued(self) -> list[_PlanValue]: ...
    def plan(
        self, card: int, *, most: int = ..., seconds: float = 0
    ) -> tuple[list[tuple[int, tuple[int, ...], int, int]], bool] | None: ...
