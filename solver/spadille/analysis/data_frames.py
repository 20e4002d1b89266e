"""Results as a data frame: a row for each result, or for each of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from typing import Any, Literal

from spadille.analysis.chances.card_chances_result import Chances
from spadille.analysis.chances.contract_chances_result import BestChances
from spadille.analysis.contracts.best_result import Best
from spadille.analysis.contracts.table import Table
from spadille.analysis.evening.score import Scores
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.card_values import CardValues
from spadille.base.errors import ArgumentError, SpadilleError, quoted
from spadille.base.json_fields import Cell, JsonFields

Library = Literal["pandas", "polars", "pyarrow"]
LIBRARIES: tuple[Library, ...] = ("pandas", "polars", "pyarrow")


def to_frame(results: object, library: Library = "pandas") -> Any:
    """Return a data frame for a result or for several, such as those of `solve_many`.

    A `Table`, `Best`, `CardValues`, `Chances`, `BestChances`, `Review` or `Scores` gets a row for
    each of its parts; any other result is one row, as given by its `row()`. The `result` column
    contains the index of the result, from 0. If some of the results are errors, the `error` column
    has their messages. Missing values are null, and whole numbers stay integers. `library` is the
    library that builds the frame. Before asking for the first result, the function raises
    ImportError if that library is not installed, and ArgumentError if it is not supported.
    ArgumentError is also raised for objects that are not results.
    """
    make = _maker(library)
    listed: Iterable[object]
    if isinstance(results, JsonFields | SpadilleError):
        listed = [results]
    elif isinstance(results, Iterable):
        listed = results
    else:
        raise ArgumentError(f"to_frame takes results, not {quoted(results)}")
    rows: list[dict[str, Cell]] = []
    for number, result in enumerate(listed):
        rows += [{"result": number, **row} for row in _rows(result)]
    names = [*dict.fromkeys(name for row in rows for name in row)]
    columns = {name: [row.get(name) for row in rows] for name in names}
    # A value such as `score` has a column for each seat, or one empty column if it is None. Drop
    # the empty column if other results have columns by seat.
    split = {name.rpartition("_")[0] for name in names}
    columns = {
        name: cells
        for name, cells in columns.items()
        if name not in split or any(cell is not None for cell in cells)
    }
    return make(columns)


def _maker(library: Library) -> Callable[[dict[str, list[Cell]]], Any]:
    """Return the library function that builds a frame from columns."""
    if library not in LIBRARIES:
        raise ArgumentError(f"{library!r} is not supported: use pandas, polars or pyarrow")
    try:
        module: Any = import_module(library)
    except ImportError as error:
        others = " or ".join(repr(other) for other in LIBRARIES if other != library)
        raise ImportError(
            f"to_frame needs {library}: pip install {library}, or give library={others}"
        ) from error
    if library == "pandas":
        return lambda columns: module.DataFrame(columns).convert_dtypes()
    if library == "polars":
        return partial(module.DataFrame, strict=False)
    table: Callable[[dict[str, list[Cell]]], Any] = module.table
    return table


def _rows(result: object) -> Iterator[dict[str, Cell]]:
    """Yield the rows of a result."""
    parts: Iterable[JsonFields]
    match result:
        case SpadilleError():
            yield {"error": str(result)}
            return
        case Table():
            parts = result.rows
        case Best():
            parts = [offer for offers in result.seats.values() for offer in offers]
        case CardValues() | Chances():
            parts = result.cards
        case BestChances():
            parts = result.offers
        case Review():
            parts = result.steps
        case Scores():
            parts = result.deals
        case JsonFields():
            parts = [result]
        case _:
            raise ArgumentError(f"to_frame takes results, not {quoted(result)}")
    yield from (part.row() for part in parts)
