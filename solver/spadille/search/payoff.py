"""The payoff a side can force (RULES 11): bonuses and the choice to go on for all tricks included.

What a hand pays is asked of `Rules.score` for every way it can end, so payoffs are stated in the
game modules alone. Where a hand can end in so many ways only as there are numbers of tricks, the
payoffs become steps of a `Count`; elsewhere states of a machine that knows the tricks of each
player who matters, who won the first tricks in a row, and whether the side has gone on.

What the documents leave open:

- A pair's payoffs are added up, a lone contractor's stand for themselves; his opponents keep that
  sum as low as they can.
- Who has won the first tricks in a row stops there or goes on, as pays best; who has led to the
  next trick has gone on. Stopping pays as if the others took all that is left.
- Where an end position leaves open who won the first tricks, neither side has; where it leaves
  open who was dealt all matadors, nobody was (`matadors_unknown`).
- Several contractors, and everybody in Nemo, are guaranteed points in any case: their tricks give
  the best score.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from spadille.cards import NO_TRUMP
from spadille.contract import Contract
from spadille.deal import Deal
from spadille.errors import ContractError
from spadille.parts import Outcome
from spadille.search.automaton import Payoff
from spadille.search.encoding import Situation
from spadille.search.engine import Solver
from spadille.search.going_on import first_tricks
from spadille.search.layout import Layout, State
from spadille.search.objective import Count, objective_of
from spadille.search.payoffs import OUTCOMES
from spadille.search.problem import Problem
from spadille.search.steps import Steps
from spadille.search.verdict import final_of

_Value = TypeVar("_Value")

_kept: dict[Any, Goal] = {}
_paid_for: dict[Any, tuple[Paid, ...]] = {}
_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Secured:
    """The payoff the declaring side can force; None where a limit left it open."""

    bounds: tuple[int, int]
    """Least and greatest payoff of the side, of both partners together."""
    payoff: int | None = None
    score: Mapping[str, int] | None = None
    """Seat, or pool, -> gain."""
    outcome: str | None = None
    """What pays so much: made, vole ..., None if several outcomes do; the same for the rest."""
    tricks: tuple[int, int] | None = None
    """Fewest and most tricks of the side that pay so much."""
    first_run: str | None = None
    """Whether the first tricks in a row are "won" or "lost"."""
    stops: bool | None = None
    """Whether the side, having won them, stops instead of going on; None in Ombre, too."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields JSON output gives it; `bounds` only where the payoff is not known."""
        fields: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        fields["tricks"] = None if self.tricks is None else list(self.tricks)
        if self.payoff is None:
            fields["bounds"] = list(self.bounds)
        else:
            del fields["bounds"]
        return fields


class Paid(NamedTuple):
    """What one end of a hand pays."""

    side: int
    """Both partners together."""
    declarer: int
    makes: bool
    outcome: str


_layout = lru_cache(maxsize=4096)(Layout)


@lru_cache(maxsize=1024)
def _payoff(layout: Layout, payoffs: tuple[int, ...], side: int) -> Payoff:
    worth = dict(zip(layout.outcomes, payoffs, strict=True))

    def choice(state: State) -> tuple[int, State] | None:
        return (worth[state], layout.led(state)) if layout.may_stop(state) else None

    return Payoff(
        layout.players,
        layout.tricks,
        layout.start,
        layout.step,
        worth.__getitem__,
        side,
        choice=choice,
    )


class Score:
    """Payoffs of a layout as an objective, in numbers of their list.

    Where numbers of tricks settle a payoff the automaton behind it is never laid out.
    """

    __slots__ = (
        "_within",
        "credited",
        "layout",
        "paid",
        "payoffs",
        "side",
        "told",
        "values",
        "worth",
    )

    counts = by_tricks = misere = False
    start = 0
    guess = 1

    def __init__(self, side: int, layout: Layout, paid: tuple[Paid, ...]) -> None:
        self.side = self.credited = side
        self.layout = layout
        self.paid = paid
        self.payoffs = tuple([end.side for end in paid])
        self.worth = dict(zip(layout.outcomes, self.payoffs, strict=True))
        self.values = sorted(set(self.payoffs))
        self.told: dict[int, Any] = {}
        self._within: dict[tuple[int, int], tuple[int, int]] = {}

    @property
    def payoff(self) -> Payoff:
        """The same laid out as an automaton."""
        return _payoff(self.layout, self.payoffs, self.side)

    def span(self, problem: Problem, state: int) -> tuple[int, int]:
        """Return the least and the greatest value there can be."""
        return 0, len(self.values) - 1

    def bounds(
        self, solver: Solver, problem: Problem, state: int, low: int, high: int, guess: int
    ) -> tuple[int, int]:
        """Narrow the bounds to the value; they stay apart if a limit stops the search."""
        return self.payoff.bounds(solver, problem, state, low, high, guess)

    def card_values(
        self, solver: Solver, problem: Problem, state: int, value: int
    ) -> dict[int, int | None]:
        """Return the value of each legal card; `value` is that of the position."""
        return self.payoff.card_values(solver, problem, state, value)

    def best_line(
        self, solver: Solver, problem: Problem, state: int, value: int
    ) -> tuple[list[int], int] | None:
        """Return the cards of an optimal line; `value` is that of the position."""
        return self.payoff.best_line(solver, problem, state, value)

    def named(self, value: int) -> int:
        """Return a value as results give it."""
        return self.values[value]

    def end(self, solver: Solver, problem: Problem, cards: Iterable[int]) -> Outcome:
        """Return how the hand ends along a line."""
        payoff, state = self.payoff, self.start
        for card in cards:
            state = payoff.step(solver, problem, state, card)
            problem = problem.played(card)
        return self.layout.outcomes[payoff.states[problem.tricks][state]]

    def within(self, least: int, most: int) -> tuple[int, int]:
        """Return bounds of the value when the side can force so many tricks, and no more.

        It has at least what these tricks pay if it stops whenever it may, at most what the others
        leave it.
        """
        found = self._within.get((least, most))
        if found is None:
            low, high = len(self.values) - 1, 0
            for state, payoff in self.worth.items():
                tricks, number = sum(state[0]), self.values.index(payoff)
                stops = self.layout.may_stop(state)
                if stops or (tricks >= least and state[1] <= self.layout.run):
                    low = min(low, number)
                if tricks <= most:
                    high = max(high, number)
            found = self._within[least, most] = low, high
        return found

    def finals(self, value: int) -> list[Outcome]:
        """List how a hand may end that is worth so much."""
        return [
            self.layout.outcomes[state]
            for state, payoff in self.worth.items()
            if payoff == self.values[value]
        ]


Goal = Score | Steps


def score_of(deal: Deal, contract: Contract, at: Situation) -> Goal:
    """Return the payoff of a contract with one declarer as an objective.

    Its values are numbers of the list `values`. Raises ContractError for an end position that does
    not say who has won the tricks so far.
    """
    rules = deal.rules
    if at.total != rules.game.hand_size:
        raise ContractError(
            "the payoff depends on the tricks won so far: an end position must say who won them",
            "won-missing",
        )
    # Nearly all deals of a game pay alike, so the payoffs are worked out for the first of them.
    terms = contract.declarers, contract.ids, contract.trump, contract.partner
    winners = tuple(winner for winner, _ in at.history)
    where = at.won, winners, at.problem.tricks, bool(at.problem.trick), at.goes_on
    key = rules, terms, where, deal.pool, deal.from_hand, _held(deal, contract)
    found = _kept.get(key)
    if found is None:
        if len(_kept) >= _KEPT:
            _kept.clear()
        found = _kept[key] = _score_of(deal, contract, at)
    return found


def _held(deal: Deal, contract: Contract) -> tuple[int, ...]:
    """Return how many of the best trumps the side was dealt, and the declarer plays with.

    Of the cards a payoff depends on nothing but having all matadors, and the trump after them.
    """
    game, trump = deal.rules.game, contract.trump
    if not game.matadors or trump == NO_TRUMP:
        return ()
    best = deal.rules.trump_cards(trump)[: game.matadors + 1]
    dealt = {card for seat in contract.side for card in deal.hands[seat] or ()}
    hands = [dealt, set(deal.playing_hands()[contract.declarer] or ())]
    return tuple(
        [len(best) if hand.issuperset(best) else hand.issuperset(best[:-1]) for hand in hands]
    )


def matadors_unknown(deal: Deal, trump: str | None, side: Iterable[str]) -> bool:
    """Whether an end position leaves open if a side held all matadors, which counts as no then.

    Somebody played some of them, and none of the others is against the side (m, RULES 5 and 6).
    """
    rules = deal.rules
    if not deal.is_ending or not rules.held_pay or trump == NO_TRUMP:
        return False
    best = rules.trump_cards(trump)[: rules.held_pay]
    matadors = rules.matadors(trump)
    held = {card for seat in side for card in deal.hands[seat] or ()}
    against = {card for hand in deal.hands.values() for card in hand or ()} - held
    return against.isdisjoint(matadors) and not {*best} <= held | against


def _score_of(deal: Deal, contract: Contract, at: Situation) -> Goal:
    rules = deal.rules
    kind = rules.contracts[contract.ids[0]]
    if kind.first_run or kind.aim == "most":
        side = at.encoding.players(contract.side)
        layout = _layout_of(contract, at)
        return Score(side, layout, _paid_ends(deal, contract, layout))
    count = objective_of(contract, at, contract.declarer)
    assert isinstance(count, Count)
    least, most = count.span(at.problem, count.start)
    finals = {
        tricks: final_of(contract, at, contract.declarer, abs(tricks))
        for tricks in range(least, most + 1)
    }
    return Steps(count, {tricks: _paid(deal, contract, final) for tricks, final in finals.items()})


def _paid_ends(deal: Deal, contract: Contract, layout: Layout) -> tuple[Paid, ...]:
    """Return what each outcome of a layout pays: the same for all seats, by what they play."""
    shape = contract.ids, contract.trump, len(contract.side)
    end = layout.run, layout.tricks, layout.start
    stakes = deal.pool, contract.side <= {*deal.from_hand}, _held(deal, contract)
    key = deal.rules, shape, end, stakes
    found = _paid_for.get(key)
    if found is None:
        if len(_paid_for) >= _KEPT:
            _paid_for.clear()
        outcomes = layout.outcomes.values()
        found = _paid_for[key] = tuple([_paid(deal, contract, final) for final in outcomes])
    return found


def _paid(deal: Deal, contract: Contract, final: Outcome) -> Paid:
    rules = deal.rules
    score = rules.score(deal, contract, final)
    return Paid(
        sum(score[seat] for seat in contract.side),
        score[contract.declarer],
        rules.made(contract, final),
        rules.outcome_name(contract, final),
    )


def told(goal: Goal, value: int) -> tuple[int, bool | None, str | None]:
    """Return the least a payoff means to the declarer, whether he makes it, and the outcome.

    None where ends that pay the side the same differ.
    """
    found = goal.told.get(value)
    if found is None:
        if isinstance(goal, Score):
            ways = [each for each in goal.paid if each.side == goal.values[value]]
        else:
            ways = [goal.paid[tricks] for tricks in goal.tricks(value)]
        found = goal.told[value] = (
            min(each.declarer for each in ways),
            _common([each.makes for each in ways]),
            _common([each.outcome for each in ways]),
        )
    return found


def outcome_for(
    goal: Score, value: int, solver: Solver, problem: Problem, nodes: int
) -> tuple[str | None, int]:
    """Find the best outcome the side can force among those that pay it so much.

    Returns the nodes visited, too; None where so many (0: no limit) do not tell.
    """
    payoff = goal.values[value]
    names = {each.outcome for each in goal.paid if each.side == payoff}
    ranked = [name for name in OUTCOMES if name in names]
    many = len(ranked)
    finer = [
        each.side * many + (ranked.index(each.outcome) if each.side == payoff else 0)
        for each in goal.paid
    ]
    paid = [each._replace(side=side) for each, side in zip(goal.paid, finer, strict=True)]
    fine = Score(goal.side, goal.layout, tuple(paid))
    low, high = fine.values.index(payoff * many), fine.values.index(payoff * many + many - 1)
    solver.limit(nodes)
    low, high = fine.bounds(solver, problem, fine.start, low, high, high)
    solver_nodes = solver.nodes
    solver.limit()
    name = ranked[fine.values[low] - payoff * many] if low == high else None
    return name, solver_nodes


def _layout_of(contract: Contract, at: Situation) -> Layout:
    rules, player = at.encoding.rules, at.encoding.player
    kind = rules.contracts[contract.ids[0]]
    own = player[contract.declarer]
    groups = [-1] * len(rules.seats)
    groups[own] = 0
    if contract.partner is not None:
        groups[player[contract.partner]] = 1 if kind.run_alone else 0
    if kind.aim == "most":
        others = [number for number in range(len(groups)) if number != own]
        for group, number in enumerate(others[:-1], 1):
            groups[number] = group
    members = max(groups) + 1
    won = [0] * members
    for number, group in enumerate(groups):
        if group >= 0:
            won[group] += at.won[number]
    seen, held = first_tricks(contract, at)
    # Ombre is paid for the first five, but then plays on like everybody, and so does a Vole.
    ends = rules.may_go_on(kind)
    start = tuple(won), seen if ends else min(seen, kind.first_run), held
    return _layout(rules, tuple(groups), kind.first_run, ends, at.problem.tricks, start)


def weigh(
    goal: Goal | Payoff, solver: Solver, problem: Problem, low: int, high: int, nodes: int
) -> tuple[int, int, int]:
    """Narrow the bounds of a payoff: what is won to the end, how much is lost within `nodes`.

    One half of the nodes is for the lower, one for the upper bound; 0: no limit. Returns the nodes
    visited, too.
    """
    gain = bisect_right(goal.values, 0)
    solver.limit()
    if gain <= high:
        need = max(gain, low + 1)
        least, most = goal.bounds(solver, problem, goal.start, need - 1, high, need)
        low, high = (least, most) if least >= need else (low, need - 1)
    spent = solver.nodes
    for guess in (low + 1, high):
        if low < high:
            solver.limit(nodes and max(nodes // 2, 1))
            low, high = goal.bounds(solver, problem, goal.start, low, high, guess)
            spent += solver.nodes
    solver.limit()
    return low, high, spent


def ends(contract: Contract, at: Situation, goal: Goal, value: int) -> list[Outcome]:
    """List how a hand may end that is worth so much."""
    if isinstance(goal, Score):
        return goal.finals(value)
    seat = contract.declarer
    return [final_of(contract, at, seat, abs(tricks)) for tricks in goal.tricks(value)]


def secured(
    deal: Deal,
    contract: Contract,
    at: Situation,
    goal: Goal,
    low: int,
    high: int,
    final: Outcome | None = None,
) -> Secured:
    """Say what bounds on the value of `score_of` mean; `final` is the end of an optimal line."""
    bounds = goal.values[low], goal.values[high]
    if low < high:
        return Secured(bounds)
    rules, finals = deal.rules, ends(contract, at, goal, low)
    scores = [rules.score(deal, contract, each) for each in ([final] if final else finals)]
    tricks = [sum(each.tricks[seat] for seat in contract.side) for each in finals]
    kind = rules.contracts[contract.ids[0]]
    first_run = stops = None
    if kind.first_run:
        first_run = _common([each.first_run for each in finals])
        if first_run == "won" and kind.aim != "most":
            went_on = _common([each.went_on for each in finals])
            stops = None if went_on is None else not went_on
    return Secured(
        bounds,
        bounds[0],
        _common(scores),
        _common([rules.outcome_name(contract, each) for each in finals]),
        (min(tricks), max(tricks)),
        first_run,
        stops,
    )


def _common(values: Sequence[_Value]) -> _Value | None:
    """Return what all values are, None if they differ."""
    return values[0] if all(value == values[0] for value in values) else None
