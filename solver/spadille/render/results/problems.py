"""Problems that `check` has solved, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spadille.generate.problems.soundness import Checked
from spadille.render.tables import Column, TextTable, table_of, through, without_empty

_CHECKED: tuple[Column[Checked], ...] = (
    Column("player", lambda found: found.seat),
    Column("winning", lambda found: " ".join(found.winning)),
    Column("of", lambda found: found.choices),
    Column("themes", lambda found: ", ".join(found.themes)),
    Column("duals", lambda found: "; ".join(_duals(found))),
    Column("removable", lambda found: "; ".join(map(" ".join, found.left_out))),
)


def problem_table(problems: Iterable[tuple[str, Checked]]) -> TextTable:
    """Return a table of problems, each with the name of its deal."""
    columns: tuple[Column[tuple[str, Checked]], ...] = (
        Column("deal", lambda one: one[0]),
        *through(_checked, _CHECKED),
    )
    return without_empty(table_of(columns, problems, "problems", wraps=True))


def _duals(found: Checked) -> Iterator[str]:
    yield from (f"{ply}: {' '.join(cards)}" for ply, cards in found.duals.items())


def _checked(one: tuple[str, Checked]) -> Checked:
    return one[1]
