"""The evenings of a page: their deals, tables of payoffs, and the legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from spadille.analysis.evening.score import by_player
from spadille.pages.deal_facts import DealFacts, without_folder
from spadille.pages.deal_view import DealOnPage
from spadille.render.results import review, score
from spadille.render.tables import TextTable, filled

_WIDE = 1000  # a page has no limit on columns


@dataclass(frozen=True, slots=True)
class EveningOnPage:
    """The deals of one evening and game, with their payoff tables."""

    title: str
    deals: tuple[DealOnPage, ...]

    @property
    def of_problems(self) -> bool:
        """Whether all deals of the group are problems."""
        return all(view.posed for view in self.deals)

    @property
    def tables(self) -> Iterator[tuple[str, TextTable]]:
        """The payoffs, the totals, and the best possible payoffs, each with its title."""
        if self.of_problems:
            rows = [(view.label, view.question, view.difficulty) for view in self.deals]
            yield "Problems", TextTable(*filled(("problem", "question", "difficulty"), rows))
            return
        scores = [(view.label, view.facts.score) for view in self.deals if view.sound]
        if not scores:
            return
        titles = ("Payoffs", "Running totals", "Compared with the best")
        titled = [*zip(titles, score.tables(scores, width=_WIDE, symbols=True), strict=True)]
        # If no hand was played, there are no totals.
        played = any(deal.settled.points for _, deal in scores)
        yield from titled if played else (titled[0], titled[2])
        if played:
            yield from (
                ("", table._replace(headers=("progress",))) for table in score.game_end(scores)
            )

    @property
    def links(self) -> list[str]:
        """The link to the deal of each row."""
        shown = [view for view in self.deals if self.of_problems or view.sound]
        return [f"#deal-{view.number}" for view in shown]


def by_evening(deals: Sequence[DealFacts]) -> list[EveningOnPage]:
    """Group deals by evening and game, numbering them consecutively across all evenings."""

    def of(facts: DealFacts) -> tuple[str, str]:
        rules = facts.record.entry.rules
        return facts.record.evening, rules.game.name if rules else ""

    evenings: list[EveningOnPage] = []
    number = 1
    for (evening, game), own in groupby(deals, of):
        group = list(own)
        labels = score.evening_labels([(facts.record.file, facts.record.label) for facts in group])
        views = map(DealOnPage, range(number, number + len(group)), group, labels)
        evenings.append(
            EveningOnPage(", ".join(filter(None, (without_folder(evening), game))), tuple(views))
        )
        number += len(group)
    return evenings


def player_tables(views: Sequence[DealOnPage]) -> Iterator[TextTable]:
    """Yield the overall totals of all players whose gains are known."""
    players = by_player(view.facts.score for view in views)
    settled = (player for player in players if player.deals > player.unsettled)
    yield from score.players(settled, _WIDE)


def page_legend(views: Sequence[DealOnPage]) -> list[tuple[str, str]]:
    """Return the legend for columns and signs: pairs of a term (or "") and its meaning."""
    lines_of_page = (
        [_split(line) for line in score.LEGEND] if any(view.gains for view in views) else []
    )
    units: dict[str, dict[str, None]] = {}
    for view in views:
        deal = view.facts.settled.deal
        if view.unit and deal:
            units.setdefault(view.unit, {})[deal.rules.game.name] = None
    for unit, games in units.items():
        lines = [_split(line) for line in review.LEGEND[unit]]
        values = " ".join(what for term, what in lines if not term)
        lines_of_page.append((f"{', '.join(games)}:" if len(units) > 1 else "", values))
        lines_of_page += [line for line in lines if line[0]]
    return lines_of_page


def _split(line: str) -> tuple[str, str]:
    term, _, what = line.rpartition("  ")
    return term.strip(), what
