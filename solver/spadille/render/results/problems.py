"""What `check` finds of problems; the fields are those of `Checked`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spadille.render.results.common import Fields
from spadille.render.tables import Row, TextTable, filled

_HEADERS = ("deal", "asks", "wins", "of", "themes", "duals", "can be left out")


def noted(records: Iterable[Fields], rows: list[Row]) -> Iterator[Fields]:
    """Hand the records on, and add a row for each problem among them."""
    for record in records:
        found = record.get("problem")
        if found is not None:
            rows.append(_row(record, found))
        yield record


def problem_table(rows: list[Row]) -> TextTable:
    """Return the table of the rows."""
    headers, cells = filled(_HEADERS, rows)
    return TextTable(headers, cells, "problems", wraps=True)


def _row(record: Fields, found: Fields) -> Row:
    duals = (f"{one['ply']}: {' '.join(one['cards'])}" for one in found["duals"])
    return (
        record["board"] or f"#{record['index'] + 1}",
        found["seat"],
        " ".join(found["winning"]),
        found["choices"],
        ", ".join(found["themes"]),
        "; ".join(duals),
        "; ".join(" ".join(cards) for cards in found["left_out"]),
    )
