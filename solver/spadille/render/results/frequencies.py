"""How often conditions hold, and what numbers come to; the fields are those of `Frequency`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from spadille.base.input_words import many
from spadille.render.results.common import Fields
from spadille.render.tables import Row, TextTable, filled


def tables(rows: Iterable[Fields]) -> Iterator[TextTable]:
    """Yield a table for all deals, and for each expression those by the values of others."""
    found = list(rows)
    every = [row for row in found if not row["by"]]
    for conditions in (True, False):
        own = [row for row in every if _is_condition(row) == conditions]
        if own:
            yield _table(own, lambda row: [row["expression"]], ["of these deals"], "")
    for text, group in groupby((row for row in found if row["by"]), lambda row: row["expression"]):
        own = list(group)
        by = [one["expression"] for one in own[0]["by"]]
        yield _table(own, lambda row: [_cell(value) for value in _by(row)], by, text)
        if len(by) == 2:
            yield _grid(own, by, text)


def _by(row: Fields) -> tuple[Any, ...]:
    return tuple(one["value"] for one in row["by"])


def _is_condition(row: Fields) -> bool:
    return row["values"] is None


def _table(rows: Sequence[Fields], first: Any, headers: Sequence[str], title: str) -> TextTable:
    if _is_condition(rows[0]):
        more = ["deals", "holds", "share", "95 % interval", "counted", "no answer"]
        cells = [
            [
                *first(row),
                row["deals"],
                row["held"],
                _share(row["share"]),
                " to ".join(map(_share, row["interval"] or ())),
                _share(row["counted"]),
                row["open"] or None,
            ]
            for row in rows
        ]
    else:
        more = ["deals", "mean", "95 % interval", "least", "most", "no answer"]
        cells = [
            [
                *first(row),
                row["deals"],
                _mean(row["mean"]),
                " to ".join(map(_mean, row["mean_interval"] or ())),
                row["least"],
                row["most"],
                row["open"] or None,
            ]
            for row in rows
        ]
    return TextTable(*filled([*headers, *more], cells), title)


def _grid(rows: Sequence[Fields], by: Sequence[str], title: str) -> TextTable:
    """The same once more, the values of the second expression as columns."""
    found = {_by(row): row for row in rows}
    down, across = (dict.fromkeys(key[place] for key in found) for place in range(2))
    cells: list[Row] = []
    for one in down:
        line: list[object] = [_cell(one)]
        for two in sorted(across):
            row = found.get((one, two))
            share = row and (_share(row["share"]) if _is_condition(row) else _mean(row["mean"]))
            line.append(share or "")
        cells.append(line)
    headers = [by[0], *(f"{_cell(two)}" for two in sorted(across))]
    return TextTable(headers, cells, f"{title}, by {by[0]} and, across, {by[1]}")


def _cell(value: object) -> object:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _share(share: float | None) -> str:
    """A share in per cent, so that the digits stand below each other."""
    return "" if share is None else f"{share:.1%}".rjust(6)


def _mean(mean: float | None) -> str:
    return "" if mean is None else f"{mean:.2f}".rjust(6)


def drawn_heading(fields: Fields, number: int) -> str:
    """Say what the tables are of."""
    drawn = fields["drawn"]
    tried = f" of {drawn} drawn" if drawn != number else ""
    return f"{many(number, 'deal')} of {fields['game']}{tried}, seed {fields['seed']}"
