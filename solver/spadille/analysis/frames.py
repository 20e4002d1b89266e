"""Results as a data frame: a row for each result, or for each of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from spadille.analysis.chances.card_chances_result import Chances
from spadille.analysis.chances.contract_chances_result import BestChances
from spadille.analysis.contracts.best_result import Best
from spadille.analysis.contracts.table import Table
from spadille.analysis.evening.score import Scores
from spadille.analysis.review.review import Review
from spadille.analysis.value.card_values import CardValues
from spadille.base.errors import ArgumentError, SpadilleError, quoted
from spadille.base.json_fields import Cell, JsonFields

Library = Literal["pandas", "polars", "pyarrow"]


def to_frame(results: object, library: Library = "pandas") -> Any:
    """Return a data frame of one result, or of the results that `solve_many` and similar yield.

    A `Table`, `Best`, `CardValues`, `Chances`, `BestChances`, `Review` or `Scores` has a row for
    each of its parts; any other result is one row, as given by its `row()`. The column `result` has
    the index of the result, from 0; an error among the results has its message in `error`. Missing
    values are null, and whole numbers stay integers. `library` names the library that makes the
    frame; raises ImportError if it is not installed, ArgumentError for any other library and for
    other objects.
    """
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
    # If no row has a score, there are no seats to list.
    split = {name.rpartition("_")[0] for name in names}
    columns = {
        name: cells
        for name, cells in columns.items()
        if name not in split or any(cell is not None for cell in cells)
    }
    if library == "pandas":
        from pandas import DataFrame

        return DataFrame(columns).convert_dtypes()
    if library == "polars":
        from polars import DataFrame as PolarsFrame

        return PolarsFrame(columns, strict=False)
    if library == "pyarrow":
        from pyarrow import table

        return table(columns)
    raise ArgumentError(f"{library!r} is not supported: use pandas, polars or pyarrow")


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
