"""Score evenings: each deal with the payoffs it could have had, and the players' totals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from itertools import islice
from typing import Any

from spadille.analysis.chances.sampling_settings import Drawing, check_drawing
from spadille.analysis.evening.deal_score import DealScore, each_judged, judge_deal
from spadille.analysis.evening.deal_settlement import EveningDeal, Settled
from spadille.analysis.evening.evening_settlement import settle
from spadille.analysis.result_text_forms import Shown
from spadille.analysis.review.card_costs import NO_BELIEFS, BeliefsUsed, CostTally, LuckVerdict
from spadille.base.argument_checks import whole_number
from spadille.base.errors import ArgumentError, Fault, SpadilleError, quoted
from spadille.base.words_for_messages import many, signed
from spadille.games import GAMES
from spadille.search.engine import DEFAULT_MEMORY
from spadille.search.limits import DEFAULT, Limits, check_limits

_NONE = CostTally()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """The initial chips and the value of a point; raises ArgumentError for invalid numbers."""

    chips: int | None = None
    """The number of chips each player starts with; None for the game's default, 50 in Ombre."""
    stake: Decimal | float | str | None = None
    """The value of a point or chip in money; None to play without money."""

    def __post_init__(self) -> None:
        if self.chips is not None:
            whole_number(self.chips, 0, "chips must be a number of chips")
        if self.stake is not None:
            _amount(self.stake)

    def of(self, player: PlayerScore) -> PlayerScore:
        """Return a player with chips and money computed from the points."""
        start = GAMES[player.game].course.chips if self.chips is None else self.chips
        return replace(
            player,
            chips=start + player.points if start else None,
            money=None if self.stake is None else float(_amount(self.stake) * player.points),
        )


_MOST_STAKE = 10**9


def _amount(stake: object) -> Decimal:
    try:
        amount = Decimal(str(stake))
        if isinstance(stake, str | int | float | Decimal) and 0 <= amount <= _MOST_STAKE:
            return amount
    except InvalidOperation:
        pass
    raise ArgumentError(
        f"a stake must be an amount of money per point, such as 0.10, not {quoted(stake)}"
    )


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PlayerScore(Shown):
    """A player's totals in one game. A player without a name is identified by the seat."""

    game: str
    player: str
    deals: int = 0
    unsettled: int = 0
    """The number of these deals whose points are unknown and therefore not in `points`."""
    points: int = 0
    """Points or chips won, including antes."""
    made: int = 0
    """The number of contracts declared and made; a partner who bid but was not called counts as a
    declarer."""
    failed: int = 0
    tally: CostTally = _NONE
    """The costs of the cards played; the field `cost` counts only tricks."""
    lost: int = 0
    """Points or chips lost by errors."""
    missed: int = 0
    """The number of missed bids."""
    verdicts: Mapping[LuckVerdict, int] = field(default_factory=dict)
    """The number of cards with each verdict (error, unlucky, lucky or fine); empty unless
    requested."""
    timed_out: int = 0
    """The number of cards without a settled verdict because time ran out."""
    unjudged: int = 0
    """The number of cards in `timed_out` that have no verdict at all."""
    beliefs: BeliefsUsed = NO_BELIEFS
    """The verdicts' assumptions about the bids."""
    chips: int | None = None
    """The player's chips, including the initial ones; None in games without chips."""
    money: float | None = None
    """The value of the points in money; None without a stake."""

    def __str__(self) -> str:
        return (
            f"{self.player}: {signed(self.points)} in {many(self.deals, 'deal')}, lost {self.lost}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        names = ("game", "player", "deals", "unsettled", "points", "made", "failed")
        return {
            **{name: getattr(self, name) for name in names},
            "cards": self.tally.cards,
            "choices": self.tally.choices,
            "best": self.tally.best,
            "share": self.tally.share,
            "errors": self.tally.errors,
            "tricks": self.tally.cost,
            "open": self.tally.open,
            **{name: getattr(self, name) for name in ("lost", "missed", "chips", "money")},
            **(
                {"verdicts": dict(self.verdicts), "belief": self.beliefs.to_dict()}
                if self.verdicts
                else {}
            ),
            **self._hurried(),
        }

    def _hurried(self) -> dict[str, int]:
        """Return the JSON fields that count verdicts affected by the time limit."""
        if not (self.verdicts or self.timed_out):
            return {}
        return {"timed_out": self.timed_out, "unjudged": self.unjudged}


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Scores(Shown):
    """The result of `score`."""

    evenings: tuple[tuple[DealScore, ...], ...]
    """The deals of each evening."""
    stakes: Stakes = field(default_factory=Stakes)
    """The initial chips, and the value of a point in money."""

    json_names = ("evenings", "players")

    @property
    def deals(self) -> tuple[DealScore, ...]:
        """The deals of all evenings."""
        return tuple(deal for evening in self.evenings for deal in evening)

    @property
    def players(self) -> tuple[PlayerScore, ...]:
        """The players of all evenings, game by game, in order of first appearance."""
        return tuple(by_player(self.deals, self.stakes))

    def __str__(self) -> str:
        return "\n".join(map(str, self.players)) or "no deals"


NO_STAKES = Stakes()


def score(
    *evenings: Iterable[EveningDeal],
    threads: int = 1,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
    drawing: Drawing | None = None,
    chips: int | None = None,
    stake: Decimal | float | str | None = None,
) -> Scores:
    """Settle and judge the deals of evenings, each a hand file or some of its entries.

    If `drawing` is given, errors are separated from bad luck. The time limit of `drawing` applies
    to each deal. `chips` is the number of chips each player starts with (by default, the game's
    number), and `stake` is the value of a point in money.

    If the payoff of a deal cannot be determined from its record, `settled.error` says why. The
    other deals are settled anyway. A time limit applies to each deal, and a node limit to each
    search within it. If a limit stops the search, `best_play` and `lost` are None, and the cards in
    the review have bounds. The search for missed bids (`best`) uses a lower limit on hard nodes.
    Raises ArgumentError for invalid limits or drawings, for items that are not entries, and if the
    number of threads is not between 1 and 1,024.
    """
    check_limits(limits)
    stakes = Stakes(chips=chips, stake=stake)
    if drawing is not None:
        check_drawing(drawing)
    settled = [list(settle(evening)) for evening in evenings]
    every = [deal for evening_deals in settled for deal in evening_deals]
    scored = score_many(every, threads=threads, limits=limits, memory=memory, drawing=drawing)
    deals = iter([_or_fault(*both) for both in zip(every, scored, strict=True)])
    return Scores(
        evenings=tuple(tuple(islice(deals, len(evening_deals))) for evening_deals in settled),
        stakes=stakes,
    )


def _or_fault(settled: Settled, scored: DealScore | SpadilleError) -> DealScore:
    if isinstance(scored, DealScore):
        return scored
    return DealScore(settled=replace(settled, error=Fault(scored.code, str(scored))))


def score_many(
    settled: Iterable[Settled],
    *,
    threads: int = 1,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
    drawing: Drawing | None = None,
) -> Iterator[DealScore | SpadilleError]:
    """Judge settled deals in order; yield InternalError for an unexpected exception."""
    return each_judged(judge_deal, settled, threads, limits, memory, drawing)


def by_player(deals: Iterable[DealScore], stakes: Stakes = NO_STAKES) -> Iterator[PlayerScore]:
    """Yield the totals of all players, game by game, in order of first appearance."""
    players: dict[tuple[str, str], PlayerScore] = {}
    for deal in deals:
        game = deal.settled.game
        for seat, name in deal.settled.players.items():
            if game is not None:
                player = players.get((game, name), PlayerScore(game=game, player=name))
                players[game, name] = _with(player, deal, seat)
    games = list(dict.fromkeys(game for game, _ in players))
    for game in games:
        yield from (
            stakes.of(player_score) for (of, _), player_score in players.items() if of == game
        )


def _with(player: PlayerScore, deal: DealScore, seat: str) -> PlayerScore:
    """Add the result of a deal to the totals of the player in `seat`."""
    settled = deal.settled
    points = (settled.points or {}).get(seat, 0)
    made = _declared(settled).get(seat)
    tally = deal.cards.get(seat, _NONE)
    cost = tally.cost if deal.unit == "tricks" else 0
    known = deal.verdicts.get(seat, {})
    return replace(
        player,
        deals=player.deals + 1,
        unsettled=player.unsettled + (settled.error is not None),
        points=player.points + points,
        made=player.made + (made is True),
        failed=player.failed + (made is False),
        tally=player.tally + replace(tally, cost=cost),
        lost=player.lost + (deal.lost or {}).get(seat, 0),
        missed=player.missed + sum(offer.declarer == seat for offer in deal.missed),
        verdicts={name: player.verdicts.get(name, 0) + count for name, count in known.items()}
        or player.verdicts,
        timed_out=player.timed_out + deal.timed_out.get(seat, 0),
        unjudged=player.unjudged + deal.unjudged.get(seat, 0),
        beliefs=player.beliefs + (deal.review.beliefs(seat) if deal.review else NO_BELIEFS),
    )


def _declared(settled: Settled) -> Mapping[str, bool]:
    """Return whether each declarer made the contract; a partner who bid counts as a declarer."""
    made, contract = settled.made, settled.contract
    if not made or contract is None or settled.deal is None:
        return {}
    kind = settled.deal.rules.contracts[contract.ids[0]]
    if kind.side == "partner" and contract.partner is not None:
        return {**made, contract.partner: made[contract.declarer]}
    return made
