"""Add up the costs of the cards in a review, by declarer, player and side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add

from spadille.analysis.review.card_costs import Account, CostTally, Moved, ReviewedCard
from spadille.analysis.review.replay import Stretch
from spadille.games.model.contract_types_and_options import Surrender
from spadille.search.values_along_play import Track
from spadille.search.verdict import Value


def accounts_of(
    parts: Sequence[Stretch], tracks: Mapping[str, list[Track]], surrender: Surrender | None
) -> dict[str, Account]:
    """Return the account of each declarer; a surrendered contract counts as failed."""
    accounts = {
        seat: _account(tracks[seat], part.first)
        for part in parts
        for seat in part.contract.declarers
    }
    if surrender:
        declarer = parts[0].contract.declarer
        account = accounts[declarer]
        turning_point = None if account.made else account.turning_point
        accounts[declarer] = replace(account, made=False, turning_point=turning_point)
    return accounts


def _account(legs: list[Track], first: int) -> Account:
    """Summarize a declarer's values; a new leg begins when the side goes on for all tricks.

    `first` is the number of cards played before these legs.
    """
    costs = {True: 0, False: 0}
    turning_point = None
    left, begin, left_open = 0, first, 0
    ends: list[tuple[Value | None, bool | None]] = []
    for track in legs:
        grades, values = track.grades, track.values
        begins, last = _known_value(track, 0), _known_value(track, -1)
        if ends and ends[-1][0] is not None and begins[0] is not None:
            left = int(ends[-1][0]) - int(begins[0])
            if ends[-1][1] != begins[1]:
                turning_point = begin
        for i in track.eventful:
            value, after = values[i], values[i + 1]
            if not (track.known(i) and track.known(i + 1)):
                left_open += track.path.free[i]
            elif value != after:
                costs[track.gains[i]] += grades.distance(value, after)
                if grades.makes[value] != grades.makes[after]:
                    turning_point = begin + i
        begin += len(track.path)
        ends += [begins, last]
    (start, made_at_start), (result, made) = ends[0], ends[-1]
    if made_at_start is None:
        turning_point = None
    return Account(
        start=start,
        result=result,
        lost=costs[True],
        given=costs[False],
        left=left,
        made_at_start=made_at_start,
        made=made,
        turning_point=turning_point,
        open=left_open,
    )


def _known_value(track: Track, place: int) -> tuple[Value | None, bool | None]:
    """Return a value, and whether the contract makes; either is None if a limit left it open."""
    grades = track.grades
    least, most = track.values[place], track.most[place]
    value = grades.names[least] if least == most else None
    return value, grades.makes[least] if grades.makes[least] == grades.makes[most] else None


def costs_by_part(
    parts: Iterable[Stretch], steps: Sequence[ReviewedCard], seats: Sequence[str]
) -> list[dict[str, CostTally]]:
    """Return the total cost of each player's cards in each part of the play.

    One of several declarers is judged only by their own guarantee.
    """
    totals = []
    for part in parts:
        cards, several = part.cards, len(part.contract.declarers) > 1
        costs: dict[str, list[tuple[bool, int | None]]] = {seat: [] for seat in seats}
        for step in steps[cards.start : cards.stop]:
            seat, contractors = step.seat, step.contractors
            if several and seat not in contractors:
                cost = _cost(contractors.values())
            else:
                cost = contractors[seat if several else part.contract.declarer].cost
            costs[seat].append((step.choice, cost))
        totals.append({seat: CostTally.of(known) for seat, known in costs.items()})
    return totals


def costs_by_player(by_part: Sequence[Mapping[str, CostTally]]) -> dict[str, CostTally]:
    """Return the total cost of each player's cards in all parts."""
    return {seat: _total([part[seat] for part in by_part]) for seat in by_part[0]}


def costs_by_party(
    parts: Sequence[Stretch], by_part: Sequence[Mapping[str, CostTally]]
) -> dict[str, CostTally]:
    """Return the total costs of the declarers and of the defenders."""
    costs: dict[str, list[CostTally]] = {"declarers": [], "defenders": []}
    for part, totals in zip(parts, by_part, strict=True):
        side = part.contract.side
        for seat, tally in totals.items():
            costs["declarers" if seat in side else "defenders"].append(tally)
    return {party: _total(tallies) for party, tallies in costs.items()}


def _total(tallies: list[CostTally]) -> CostTally:
    return reduce(add, tallies) if tallies else CostTally()


def _cost(moves: Iterable[Moved]) -> int | None:
    """Return the cost of a card, summed over the declarers; None if part of it is unknown."""
    total = 0
    for move in moves:
        if move.cost is None:
            return None
        total += move.cost
    return total
