"""Evenings: every deal with what it could have paid, and the players over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from spadille.analysis.chances.drawing import Drawing
from spadille.analysis.costs import CostTally, LuckVerdict
from spadille.analysis.deal_score import DealScore, each_judged, judge_deal
from spadille.analysis.evening import EveningDeal, Settled, settle
from spadille.analysis.shown import Shown
from spadille.errors import ArgumentError, Fault, SpadilleError, quoted
from spadille.search.engine import DEFAULT_MEMORY
from spadille.search.limits import DEFAULT, Limits, only_hard
from spadille.words import many, signed

_NONE = CostTally()


@dataclass(frozen=True, slots=True, repr=False)
class PlayerScore(Shown):
    """A player over all deals of a game, by name, or by seat where there is none."""

    game: str
    player: str
    deals: int = 0
    unsettled: int = 0
    """Of these, those whose points are not known and not counted."""
    points: int = 0
    """Points or chips won, antes included."""
    made: int = 0
    """Contracts declared and made; a partner who was not called, but bid, declares, too."""
    failed: int = 0
    tally: CostTally = _NONE
    """What the cards cost; `cost` counts tricks only."""
    lost: int = 0
    """Points or chips lost by errors."""
    missed: int = 0
    """Bids missed."""
    verdicts: Mapping[LuckVerdict, int] = field(default_factory=dict)
    """How many cards were errors, unlucky, lucky, fine; empty if it was not asked."""

    def __str__(self) -> str:
        return (
            f"{self.player}: {signed(self.points)} in {many(self.deals, 'deal')}, lost {self.lost}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON has them."""
        tally = self.tally
        return {
            "game": self.game,
            "player": self.player,
            "deals": self.deals,
            "unsettled": self.unsettled,
            "points": self.points,
            "made": self.made,
            "failed": self.failed,
            "cards": tally.cards,
            "choices": tally.choices,
            "best": tally.best,
            "share": tally.share,
            "errors": tally.errors,
            "tricks": tally.cost,
            "lost": self.lost,
            "missed": self.missed,
            **({"verdicts": dict(self.verdicts)} if self.verdicts else {}),
        }


@dataclass(frozen=True, slots=True, repr=False)
class Scores(Shown):
    """What `score` returns."""

    evenings: tuple[tuple[DealScore, ...], ...]
    """The deals of each evening."""

    @property
    def deals(self) -> tuple[DealScore, ...]:
        """The deals of all evenings."""
        return tuple(deal for evening in self.evenings for deal in evening)

    @property
    def players(self) -> tuple[PlayerScore, ...]:
        """Everybody over all evenings, game by game in the order of their first deals."""
        return tuple(by_player(self.deals))

    def __str__(self) -> str:
        return "\n".join(map(str, self.players)) or "no deals"

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON of all deals and of all players."""
        return {
            "evenings": [[deal.to_dict() for deal in evening] for evening in self.evenings],
            "players": [player.to_dict() for player in self.players],
        }


def score(
    *evenings: Iterable[EveningDeal],
    threads: int = 1,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
    chances: Drawing | None = None,
) -> Scores:
    """Settle the deals of evenings, each a hand file or some of its entries, and judge them.

    `chances`: how layouts are drawn to tell which errors could have been known, if that is asked;
    the seconds are those of a deal.

    Where a record does not tell what a deal paid, its `settled.error` says why, and the others go
    on. `limits` of hard nodes are those of each question, but `best` has its own if they are less.
    Raises ArgumentError for limits or chances of another kind, for less than one thread or over
    1,024 and for what is no record.
    """
    only_hard(limits, "score")
    if not isinstance(chances, Drawing | None):
        raise ArgumentError(f"chances are a Drawing, not {quoted(chances)}")
    settled = [list(settle(evening)) for evening in evenings]
    every = [each for own in settled for each in own]
    found = score_many(every, threads=threads, limits=limits, memory=memory, chances=chances)
    deals = iter([_or_fault(*both) for both in zip(every, found, strict=True)])
    return Scores(tuple(tuple(islice(deals, len(own))) for own in settled))


def _or_fault(settled: Settled, found: DealScore | SpadilleError) -> DealScore:
    if isinstance(found, DealScore):
        return found
    return DealScore(replace(settled, error=Fault(found.code, str(found))))


def score_many(
    settled: Iterable[Settled],
    *,
    threads: int = 1,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
    chances: Drawing | None = None,
) -> Iterator[DealScore | SpadilleError]:
    """Judge settled deals in their order; an exception nobody foresaw comes as InternalError."""
    return each_judged(judge_deal, settled, threads, limits, memory, chances)


def by_player(deals: Iterable[DealScore]) -> Iterator[PlayerScore]:
    """Yield everybody over all these deals, game by game in the order of their first deals."""
    found: dict[tuple[str, str], PlayerScore] = {}
    for deal in deals:
        game = deal.settled.game
        for seat, name in deal.settled.players.items():
            if game is not None:
                has = found.get((game, name), PlayerScore(game, name))
                found[game, name] = _with(has, deal, seat)
    games = list(dict.fromkeys(game for game, _ in found))
    for game in games:
        yield from (each for (of, _), each in found.items() if of == game)


def _with(has: PlayerScore, deal: DealScore, seat: str) -> PlayerScore:
    """Add what a player had in a seat."""
    settled = deal.settled
    points = (settled.points or {}).get(seat, 0)
    made = _declared(settled).get(seat)
    tally = deal.cards.get(seat, _NONE)
    cost = tally.cost if deal.unit == "tricks" else 0
    old, known = has.tally, deal.verdicts.get(seat, {})
    return replace(
        has,
        deals=has.deals + 1,
        unsettled=has.unsettled + (settled.error is not None),
        points=has.points + points,
        made=has.made + (made is True),
        failed=has.failed + (made is False),
        tally=CostTally(
            old.cards + tally.cards,
            old.choices + tally.choices,
            old.best + tally.best,
            old.errors + tally.errors,
            old.cost + cost,
        ),
        lost=has.lost + (deal.lost or {}).get(seat, 0),
        missed=has.missed + sum(offer.declarer == seat for offer in deal.missed),
        verdicts={name: has.verdicts.get(name, 0) + count for name, count in known.items()}
        or has.verdicts,
    )


def _declared(settled: Settled) -> Mapping[str, bool]:
    """Return who declared a contract, and whether it was made; partners who bid, too."""
    made, contract = settled.made, settled.contract
    if not made or contract is None or settled.deal is None:
        return {}
    kind = settled.deal.rules.contracts[contract.ids[0]]
    if kind.side == "partner" and contract.partner is not None:
        return {**made, contract.partner: made[contract.declarer]}
    return made
