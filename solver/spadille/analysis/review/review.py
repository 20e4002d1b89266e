"""Review played hands: the value and the cost of each card.

The value V of a position is the double-dummy result of the declaring side (RULES 11). V is a number
of tricks or, in a contract to win the most tricks, an outcome. If there are several declarers, each
has a value V, the points that declarer can guarantee. A card's cost is the amount by which it
changes V against the side that plays it. Forced cards cost nothing and are not solved. Along every
line of play,

    result = V at the start - costs of the declaring side + costs of its opponents

(with opposite signs in Misère, where V counts unwanted tricks).

The whole review shares one transposition table (see `spadille.search.values_along_play`).

If there are several declarers, each one's guarantee assumes that all other players defend against
that declarer. The other players' mistakes can only raise this guarantee. A declarer who raises
another's guarantee has not necessarily made a mistake, so declarers are judged only by their own
guarantees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from types import NoneType
from typing import Any

from spadille.analysis.auction.before_play import BEFORE_LIMITS, BeforePlay, before_play
from spadille.analysis.many_deals import answers
from spadille.analysis.review.card_costs import (
    MARKS,
    Mark,
    Moved,
    ReviewedCard,
)
from spadille.analysis.review.cost_sums import (
    accounts_of,
    costs_by_part,
    costs_by_party,
    costs_by_player,
)
from spadille.analysis.review.refutation_in_words import with_refutations
from spadille.analysis.review.replay import (
    Played,
    Replay,
    Stretch,
    before_surrender,
    parts_of,
    replay,
)
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.decisions_other_than_cards import Course, Decision, choice_to_go_on
from spadille.analysis.value.surrender_decisions import Surrendering, judged_surrenders
from spadille.base.argument_checks import check_type
from spadille.base.errors import SpadilleError, TooHardError
from spadille.core.arguments import contract_and_play, question_parts
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import Outcome, Surrender
from spadille.search.contract_objective import ContractObjective
from spadille.search.encoding import Situation, situation
from spadille.search.engine import DEFAULT_MEMORY, ReplayedCards, Solver
from spadille.search.limited_search import Search
from spadille.search.limits import DEFAULT, Limits, check_limits
from spadille.search.question import Question, answer
from spadille.search.values_along_play import Path, Track
from spadille.search.verdict import lost_at, outcome_at_end


def review(
    deal: Deal,
    contract: Contract | str,
    play: str | Iterable[str],
    surrender: Surrender | None = None,
    auction: str | Iterable[str] | None = None,
    *,
    every: bool = False,
    refutations: bool = False,
    solver: Solver | None = None,
    limits: Limits = DEFAULT,
) -> Review:
    """Review the cards of `play`, which may be incomplete.

    Contract and play may be strings: "N solo H" (see `Contract.parse`) and "D9 DQ". `every` lists
    the best cards at every step, not only at costly ones. For each costly card, `refutations` adds
    the line by which the other side profits. The review ends at an illegal card (see
    `Review.error`). If the limit on hard nodes leaves the number of tricks in a Misère open, the
    value says only whether the contract makes. A node limit applies to all cards together, and a
    time limit to the whole review. The search works backwards from the last card, so the earlier
    cards then have bounds.

    After a `surrender` (RULES 5), the review ends unless an opponent takes over. After a takeover,
    cards are judged under the opponent's contract, which includes the tricks the opponent has
    already won. If the calls of an `auction` are given, even an empty tuple, the review includes
    the decisions before the first card (see `before_play`).

    Raises DealError for unknown hands, ContractError if an end position lacks necessary facts, and
    ArgumentError if `limits` is not a Limits.
    """
    search = Search(solver, limits)
    contract, play = contract_and_play(deal, contract, play)
    check_type(surrender, (Surrender, NoneType), "a surrender must be a Surrender")
    before = BeforePlay()
    if auction is not None:
        fewer = search.nested(BEFORE_LIMITS.hard_nodes)
        before = before_play(deal, contract, auction, solver=search.solver, limits=fewer)
        search = Search(search.solver, search.nested())
    at = situation(deal, contract)
    record, given_up = _replayed(deal, contract, at, search.solver, play, surrender=surrender)
    parts = parts_of(contract, record.path, surrender, given_up or 0)
    tracks = _tracks(deal, parts, search, every)
    steps = [*_steps(record.cards, parts, tracks)]
    refuting_nodes = 0
    if refutations:
        search.limit()
        places = partial(_places, parts, tracks)
        steps, refuting_nodes = with_refutations(steps, places)
    nodes = search.nodes + before.nodes + refuting_nodes
    final, end = parts[-1], parts[-1].end
    lost = record.lost if len(parts) == 1 else lost_at(final.contract, end)
    outcome = _outcome(final, surrender, lost, legal=record.error is None)
    last = tracks[final.contract.declarer][-1]
    stopped = bool(outcome and end.problem.tricks and not surrender and not lost)
    decisions = tuple(_going_on(deal, contract, final, last, search, stopped=stopped))
    first = record.path if len(parts) == 1 else record.path.cut(parts[1].first)[0]
    surrenders = _judged_surrenders(deal, contract, first, surrender, search)
    search.check_not_interrupted()
    seats, side, several = deal.rules.seats, contract.side, len(contract.declarers) > 1
    costs = costs_by_part(parts, steps, seats)
    return Review(
        contract=contract,
        leader=deal.rules.turn_order[at.problem.leader],
        sides=tuple([seat for seat in seats if seat in side]),
        unit=last.grades.unit,
        target=None if several else tracks[contract.declarer][0].target,
        finished=bool(outcome or lost or not (end.problem.tricks or surrender)),
        score=deal.rules.score(deal, contract, outcome) if outcome else None,
        steps=tuple(steps),
        tricks=tuple(record.tricks),
        accounts=accounts_of(parts, tracks, surrender),
        players=costs_by_player(costs),
        parties={} if several else costs_by_party(parts, costs),
        decisions=decisions,
        surrenders=tuple(surrenders),
        before=before,
        lost_at=lost,
        surrender=surrender,
        given_up=given_up,
        error=record.error,
        nodes=nodes,
        ms=round(search.ms + before.ms, 3),
    )


def review_many(
    questions: Iterable[
        tuple[Deal, Contract | str, str | Iterable[str]]
        | tuple[Deal, Contract | str, str | Iterable[str], Surrender | None]
        | tuple[Deal, Contract | str, str | Iterable[str], Surrender | None, Sequence[str] | None]
    ],
    *,
    every: bool = False,
    refutations: bool = False,
    threads: int = 1,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Review | SpadilleError]:
    """Yield the review of each hand in order, or the error `review` raises for it.

    An unexpected exception is yielded as InternalError. Raises ArgumentError unless `limits` is a
    Limits and the number of threads is 1 to 1,024.
    """
    check_limits(limits)

    def work(solver: Solver, question: tuple[Any, ...]) -> Review:
        question = question_parts(question, ("deal", "contract", "play", "surrender", "auction"), 3)
        return review(*question, every=every, refutations=refutations, solver=solver, limits=limits)

    return answers(work, questions, threads, memory)


def _outcome(
    part: Stretch, surrender: Surrender | None, lost: int | None, *, legal: bool
) -> Outcome | None:
    """Return the outcome; None if the hand or a takeover is not played to its end."""
    outcome = outcome_at_end(part.contract, part.end, lost) if legal else None
    if surrender is None:
        return outcome
    if surrender.taken_over is None:
        won = dict(zip(part.end.encoding.rules.turn_order, part.end.won, strict=True))
        return Outcome(won, surrender=surrender)
    return None if outcome is None else replace(outcome, surrender=surrender)


def _replayed(
    deal: Deal,
    contract: Contract,
    at: Situation,
    solver: Solver,
    play: Sequence[str],
    *,
    surrender: Surrender | None,
) -> tuple[Replay, int | None]:
    """Return the replay of the cards, and the number of cards before a surrender.

    Cards after a surrender are left out unless an opponent takes over.
    """
    record = replay(deal, contract, at, solver, play)
    if surrender is None:
        return record, None
    given_up = before_surrender(surrender, record.cards)
    if surrender.taken_over is None:
        record = replay(deal, contract, at, solver, play[:given_up])
    return record, given_up


def _tracks(
    deal: Deal, parts: Sequence[Stretch], search: Search, every: bool
) -> dict[str, list[Track]]:
    """Return the values along the play: for each declarer, a track for each leg."""
    places = [
        (part.contract, seat, path)
        for part in parts
        for seat in part.contract.declarers
        for path in part.legs
    ]

    def follow(questions: list[Question[ContractObjective]]) -> dict[str, list[Track]]:
        tracks: dict[str, list[Track]] = {}
        for question, (*_, path) in zip(questions, places, strict=True):
            tracks.setdefault(question.seat, []).append(Track(question, path))
        for track in chain(*tracks.values()):
            track.settle()
            track.compare(every)
        return tracks

    return answer(
        [Question.of(deal, contract, path.start, seat, search) for contract, seat, path in places],
        follow,
    )


def _judged_surrenders(
    deal: Deal,
    contract: Contract,
    path: Path,
    given: Surrender | None,
    search: Search,
) -> list[Surrendering]:
    """Judge the decisions to surrender; return an empty list if a limit stops the search."""
    try:
        return list(judged_surrenders(deal, contract, path, given, search))
    except TooHardError:
        if not search.limited:
            raise
        return []


def _going_on(
    deal: Deal, contract: Contract, part: Stretch, last: Track, search: Search, *, stopped: bool
) -> Iterator[Decision]:
    """Yield the decision to stop or to go on after the first run, if there was one.

    Yields nothing if a limit left the value of going on open.
    """
    if len(part.legs) > 1:
        at, rest = part.legs[1].start, last
        chosen: Course = "went_on"
        card: int | None = len(part.legs[0])
    elif not stopped:
        return
    else:
        at, chosen, card = part.end._replace(goes_on=True), "stopped", None
        question = Question.of(deal, contract, at, contract.declarer, search)
        rest = Track(question, Path(at, ReplayedCards(search.solver, at.problem, ())))
        rest.settle()
    if rest.known(0):
        tricks = int(rest.grades.names[rest.values[0]])
        yield choice_to_go_on(deal, contract, at, tricks, chosen, card)


def _steps(
    cards: Sequence[Played], parts: Sequence[Stretch], tracks: Mapping[str, list[Track]]
) -> Iterator[ReviewedCard]:
    """Yield the cards with their values, costs and marks."""
    changes = _changes_by_card(parts, tracks)
    marks: dict[int, Mark] = {}
    for number, contractors in enumerate(changes):
        for moved in contractors.values():
            if moved.cost:
                marks[number] = _mark(cards[number].seat, _places(parts, tracks, number))
                break
    for number, ((trick, seat, card, choice, hint), contractors) in enumerate(
        zip(cards, changes, strict=True)
    ):
        yield ReviewedCard(
            trick=trick,
            seat=seat,
            card=card,
            choice=choice,
            contractors=contractors,
            mark=marks.get(number, ""),
            hint=hint,
        )


def _mark(player: str, places: Iterable[tuple[Track, int]]) -> Mark:
    """Return the mark of a card, given its places in the tracks."""
    worst = 0
    for track, i in places:
        makes, before, after = track.grades.makes, track.values[i], track.values[i + 1]
        # Helping another declarer is not a mistake.
        judged = player not in {*track.contractors} - {track.seat}
        if judged and before != after and track.known(i) and track.known(i + 1):
            worst = max(worst, 1 + (makes[before] != makes[after]))
    return MARKS[worst]


def _changes_by_card(
    parts: Iterable[Stretch], tracks: Mapping[str, list[Track]]
) -> list[dict[str, Moved]]:
    """List the change in value for each declarer, for the cards in order of play."""
    by_card: list[dict[str, Moved]] = []
    for part in parts:
        declarers = part.contract.declarers
        changes = [[*chain(*map(_changes, tracks[seat]))] for seat in declarers]
        if len(declarers) == 1:
            by_card += [{declarers[0]: moved} for moved in changes[0]]
        else:
            columns = zip(*changes, strict=True)
            by_card += [dict(zip(declarers, column, strict=True)) for column in columns]
    return by_card


def _changes(track: Track) -> list[Moved]:
    """List the change in value for each card of a track."""
    values, grades = track.values, track.grades
    names = grades.names
    # Most cards keep the value; they share one object for each value.
    unchanged = {value: Moved(before=names[value], after=names[value]) for value in {*values}}
    changes = [unchanged[value] for value in values[:-1]]
    for i in track.eventful:
        if track.known(i) and track.known(i + 1):
            before, after = values[i], values[i + 1]
            changes[i] = Moved(
                before=names[before],
                after=names[after],
                cost=grades.distance(before, after),
                best=track.best_cards(i),
            )
        else:
            changes[i] = _open_move(track, i)
    return changes


def _open_move(track: Track, i: int) -> Moved:
    """Return the change in value if a limit left the value before or after the card open."""
    names = track.grades.names
    places = (i, i + 1)
    lows, highs = ([names[values[n]] for n in places] for values in (track.values, track.most))
    before, after = (names[track.values[n]] if track.known(n) else None for n in places)
    cost = None if track.path.free[i] else 0
    bounds = ((lows[0], highs[0]), (lows[1], highs[1]))
    return Moved(before=before, after=after, cost=cost, bounds=bounds)


def _places(
    parts: Iterable[Stretch], tracks: Mapping[str, list[Track]], number: int
) -> list[tuple[Track, int]]:
    """Return the place of a card in the tracks of all declarers of its part."""
    part = next(part for part in parts if number in part.cards)
    places = []
    for seat in part.contract.declarers:
        i = number - part.first
        for track in tracks[seat]:
            if i < len(track.path):
                places.append((track, i))
                break
            i -= len(track.path)
    return places
