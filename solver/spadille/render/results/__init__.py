"""Results as tables: what the command prints, and what a notebook shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape

from spadille.analysis.auction.before_play import BeforePlay
from spadille.analysis.chances.card_chances_result import Chances
from spadille.analysis.contracts.best_result import Best
from spadille.analysis.contracts.table import Table as Values
from spadille.analysis.display import Shown
from spadille.analysis.evening.score import Scores
from spadille.analysis.review.review import Review
from spadille.analysis.value.card_values import CardValues
from spadille.analysis.value.solve_result import Result
from spadille.core.deal import Deal
from spadille.generate.deals.frequencies import Frequency
from spadille.render.html import html_diagram, table_html
from spadille.render.results import best, cards, chances, frequencies, review, score, solve, table
from spadille.render.tables import TextTable


def html(result: Shown | Deal) -> str:
    """Write a deal or a result as HTML: its tables, and where it has none what `str` gives."""
    if isinstance(result, Deal):
        return html_diagram(result)
    found = _tables(result)
    if found is None:
        return f"<pre>{escape(str(result))}</pre>"
    return "\n".join(table_html(each, caption=True) for each in found)


def _tables(result: Shown) -> Iterable[TextTable] | None:
    if isinstance(result, Result):
        return solve.tables(result)
    if isinstance(result, Values):
        return table.tables(result)
    if isinstance(result, Best):
        return best.tables(result)
    if isinstance(result, CardValues):
        return cards.tables(result)
    if isinstance(result, Chances):
        return chances.tables(result)
    if isinstance(result, BeforePlay):
        return review.decided(result)
    if isinstance(result, Review):
        return review.tables(result)
    if isinstance(result, Frequency):
        return frequencies.tables([replace(result, by={})])
    if isinstance(result, Scores):
        return _evenings(result)
    return None


def _evenings(found: Scores) -> Iterator[TextTable]:
    for number, deals in enumerate(found.evenings, 1):
        if deals:
            title = f"evening {number}" if len(found.evenings) > 1 else "what was paid"
            yield from score.tables([(str(n), deal) for n, deal in enumerate(deals, 1)], title)
    yield from score.players(found.players)
