"""Why cards of a review were wrong: each with its sentence and a grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from spadille.analysis.costs import Step
from spadille.analysis.refutation import Refutation, Trick
from spadille.render.grid import play_grid
from spadille_cli.cases import CaseRecord
from spadille_cli.drawing import Table
from spadille_cli.output import Record


def why(record: Record) -> Iterator[Table]:
    """Yield for each card that cost something how the other side profits, and the better line."""
    assert isinstance(record, CaseRecord)
    several = isinstance(record["declarer"], list)
    for step in record.steps:
        for seat, found in step.refutations.items():
            title = f"Trick {step.trick}, {step.card}{step.mark} by {step.seat}"
            if several:
                title += f", for {seat}"
            yield Table(("why",), [(found.words,)], title, wraps=True)
            yield _grid(record, step, found)


def _grid(record: CaseRecord, step: Step, found: Refutation) -> Table:
    """The refutation, the better line beside it."""
    deal, contract = record.case.deal, record.case.contract
    assert deal is not None
    assert contract is not None
    won = Counter(dict(deal.won))
    for trick in record["tricks"][: step.trick - 1]:
        won[trick["winner"]] += not any(card[0] == contract.penalty for card in trick["cards"])
    seats = deal.rules.in_turn
    better = [_line(trick, seats(trick.leader)) for trick in found.better]
    better += [""] * (len(found.tricks) - len(better))
    return play_grid(
        deal.rules,
        contract,
        found.tricks,
        number=step.trick,
        won=won,
        marks={step.card: step.mark},
        beside={f"with {found.instead}": better},
    )


def _line(trick: Trick, seats: tuple[str, ...]) -> str:
    """A trick in order of play, who leads to it and a star behind the card that wins."""
    cards = (
        card + "*" * (seat == trick.winner) for seat, card in zip(seats, trick.cards, strict=False)
    )
    return f"{trick.leader}: {' '.join(cards)}"
