"""Results as tables: what the command prints, and what a notebook shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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
from spadille.render.results.common import Fields
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
        return solve.tables(result.to_dict())
    if isinstance(result, Values):
        return table.tables(result.to_dict())
    if isinstance(result, Best):
        return best.tables(result.to_dict())
    if isinstance(result, CardValues):
        return cards.tables(result.to_dict())
    if isinstance(result, Chances):
        return chances.tables(result.to_dict())
    if isinstance(result, BeforePlay):
        return review.decided(result.to_dict())
    if isinstance(result, Review):
        return review.tables(result.to_dict(), steps=result.steps)
    if isinstance(result, Frequency):
        return frequencies.tables([result.to_dict() | {"by": []}])
    if isinstance(result, Scores):
        return _evenings(result.to_dict())
    return None


def _evenings(fields: Fields) -> Iterator[TextTable]:
    evenings = fields["evenings"]
    for number, deals in enumerate(evenings, 1):
        if deals:
            title = f"evening {number}" if len(evenings) > 1 else "what was paid"
            yield from score.tables([(str(n), deal) for n, deal in enumerate(deals, 1)], title)
    yield from score.players(fields["players"])
