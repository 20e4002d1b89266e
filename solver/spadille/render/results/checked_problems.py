"""Problems that `check` has solved, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spadille.generate.problems.soundness import Checked
from spadille.render.tables import Column, TextTable, table_of, through, without_empty

_CHECKED: tuple[Column[Checked], ...] = (
    Column("player", lambda checked: checked.seat),
    Column("winning", lambda checked: " ".join(checked.winning)),
    Column("of", lambda checked: checked.choices),
    Column("themes", lambda checked: ", ".join(checked.themes)),
    Column("duals", lambda checked: "; ".join(_duals(checked))),
    Column("removable", lambda checked: "; ".join(map(" ".join, checked.left_out))),
)


def problem_table(problems: Iterable[tuple[str, Checked]]) -> TextTable:
    """Return a table of problems, each with the name of its deal."""
    columns: tuple[Column[tuple[str, Checked]], ...] = (
        Column("deal", lambda row: row[0]),
        *through(_checked, _CHECKED),
    )
    return without_empty(table_of(columns, problems, "problems", wraps=True))


def _duals(checked: Checked) -> Iterator[str]:
    yield from (f"{ply}: {' '.join(cards)}" for ply, cards in checked.duals.items())


def _checked(row: tuple[str, Checked]) -> Checked:
    return row[1]
