"""Deals and results as HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from html import escape

from spadille.analysis.auction.before_play import BeforePlay
from spadille.analysis.chances.card_chances_result import Chances
from spadille.analysis.contracts.best_result import Best
from spadille.analysis.contracts.table import Table as Values
from spadille.analysis.evening.score import Scores
from spadille.analysis.result_text_forms import Shown
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.card_values import CardValues
from spadille.analysis.value.solve_result import Result
from spadille.core.deal import Deal
from spadille.generate.deals.frequencies import Frequency
from spadille.render.html import html_diagram, table_html
from spadille.render.results import (
    best,
    card_chances,
    cards,
    frequencies,
    review,
    score,
    solve,
    table,
)
from spadille.render.tables import TextTable


def html(result: Shown | Deal) -> str:
    """Return a deal or a result as HTML: its tables, or its `str` if it has none."""
    if isinstance(result, Deal):
        return html_diagram(result)
    tables = _TABLES.get(type(result))
    if tables is None:
        return f"<pre>{escape(str(result))}</pre>"
    return "\n".join(table_html(table) for table in tables(result))


def _evenings(scores: Scores) -> Iterator[TextTable]:
    for number, deals in enumerate(scores.evenings, 1):
        if deals:
            title = f"evening {number}" if len(scores.evenings) > 1 else "payoffs"
            yield from score.tables([(str(n), deal) for n, deal in enumerate(deals, 1)], title)
    yield from score.players(scores.players)
    yield score.score_legend()


def _review(reviewed: Review) -> Iterator[TextTable]:
    yield from review.tables(reviewed)
    yield review.review_legend(reviewed.unit)


_TABLES: dict[type, Callable[..., Iterable[TextTable]]] = {
    BeforePlay: review.decided,
    Best: best.tables,
    CardValues: cards.tables,
    Chances: card_chances.tables,
    Frequency: lambda frequency: frequencies.tables([replace(frequency, by={})]),
    Result: solve.tables,
    Review: _review,
    Scores: _evenings,
    Values: table.tables,
}
