"""The payoff a side can force (RULES 11), including bonuses and the choice to go on for all tricks.

Only the game modules define payoffs: `Rules.score` returns the payoff for every way a hand can end.
If the ends of a hand differ only in the number of tricks, the payoffs are steps of a `TrickCount`.
Otherwise, the payoffs depend on the states of an automaton. The automaton tracks the tricks of the
players that matter, the winner of the first run, and whether the side has gone on.

Where the rule documents are silent:

- The payoffs of two partners are added up; for a lone declarer, only the declarer's payoff counts.
  The opponents keep this sum as low as possible.
- A side that has won the first run (the first five or six tricks) stops or goes on, whichever pays
  more. A side that has led to the next trick has gone on. If a side stops, payoffs are as if the
  others took all remaining tricks.
- If an end position does not show who won the first run, neither side is assumed to have won it. If
  an end position does not show whether one side was dealt all matadors, neither side is assumed to
  have been (`matadors_unknown`).
- If there are several declarers, as in Nemo, each one's guaranteed points are always computed,
  because the tricks determine them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from spadille.base.cache_keys import key_of
from spadille.base.card_text import NO_TRUMP
from spadille.base.errors import ContractError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.contract_objective import TrickCount, count_of
from spadille.search.encoding import Situation
from spadille.search.end_states import EndStates
from spadille.search.first_run import first_tricks
from spadille.search.payoff_automata import OUTCOMES
from spadille.search.payoff_objectives import ContractGoal, Paid, PayoffByEnd, PayoffSteps
from spadille.search.verdict import final_of

# Payoffs do not depend on these fields. Cards affect payoffs only through the numbers that `held`
# returns.
# fmt: off
_NOT_PAID = (
    "dealer", "hands", "talon", "talon_ordered", "current_trump", "drawn", "discard", "leader",
    "won", "turn_up",
)
# fmt: on

_kept: dict[Any, ContractGoal] = {}
_paid_for: dict[Any, tuple[Paid, ...]] = {}
_KEPT = 4096

_laid_out = lru_cache(maxsize=4096)(EndStates)


def payoff_objective(deal: Deal, contract: Contract, at: Situation) -> ContractGoal:
    """Return an objective for the payoff of a contract with one declarer.

    The values of the objective are indexes into its list `values`. Raises ContractError for an end
    position without the tricks won so far.
    """
    rules = deal.rules
    if at.total != rules.game.hand_size:
        raise ContractError(
            "the payoff depends on the tricks won so far: an end position must say who won them",
            "won-missing",
        )
    # Nearly all deals of a game have the same payoffs, so payoffs are computed once and kept.
    winners = tuple(winner for winner, _ in at.history)
    played = winners, at.problem.tricks, bool(at.problem.trick)
    where = *key_of(at, "encoding", "problem", "history"), *played
    terms = key_of(contract, "called", "penalty")
    key = key_of(deal, *_NOT_PAID), terms, where, held(deal, contract)
    objective = _kept.get(key)
    if objective is None:
        if len(_kept) >= _KEPT:
            _kept.clear()
        objective = _kept[key] = _objective(deal, contract, at)
    return objective


def held(deal: Deal, contract: Contract) -> tuple[int, ...]:
    """Return two numbers about the matadors: those dealt to the side, and the declarer's.

    A number is 0 if a matador is missing, 1 if all matadors are there, and higher if the next trump
    is there, too. Payoffs depend on the cards only through these numbers.
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
    """Return whether a side may have been dealt all matadors; payoffs assume that it was not.

    This is unknown if some matadors were played and the opponents hold none of the others (see the
    number m in RULES 5 and 6).
    """
    rules = deal.rules
    if not deal.is_ending or not rules.held_pay or trump == NO_TRUMP:
        return False
    best = rules.trump_cards(trump)[: rules.held_pay]
    matadors = rules.matadors(trump)
    side_cards = {card for seat in side for card in deal.hands[seat] or ()}
    against = {card for hand in deal.hands.values() for card in hand or ()} - side_cards
    return against.isdisjoint(matadors) and not {*best} <= side_cards | against


def _objective(deal: Deal, contract: Contract, at: Situation) -> ContractGoal:
    rules = deal.rules
    kind = rules.contracts[contract.ids[0]]
    if kind.first_run or kind.aim == "most":
        side = at.encoding.players(contract.side)
        states = _end_states(contract, at)
        count = None
        if kind.aim == "tricks":
            count = TrickCount(side, side, sum(states.start[0]), kind.target)
        return PayoffByEnd(side, states, _paid_ends(deal, contract, states), count)
    count = count_of(contract, at, contract.declarer)
    least, most = count.span(at.problem, count.start)
    finals = {
        tricks: final_of(contract, at, contract.declarer, abs(tricks))
        for tricks in range(least, most + 1)
    }
    return PayoffSteps(
        count, {tricks: _paid(deal, contract, final) for tricks, final in finals.items()}
    )


def _paid_ends(deal: Deal, contract: Contract, states: EndStates) -> tuple[Paid, ...]:
    """Return the payoff of each possible ending; all seats in a contract share the result."""
    shape = key_of(contract, "declarers", "called", "partner", "penalty"), len(contract.side)
    end = states.run, states.tricks, states.start
    stakes = contract.side <= {*deal.from_hand}, held(deal, contract)
    key = key_of(deal, "from_hand", *_NOT_PAID), shape, end, stakes
    payoffs = _paid_for.get(key)
    if payoffs is None:
        if len(_paid_for) >= _KEPT:
            _paid_for.clear()
        outcomes = states.outcomes.values()
        payoffs = _paid_for[key] = tuple([_paid(deal, contract, final) for final in outcomes])
    return payoffs


def _paid(deal: Deal, contract: Contract, final: Outcome) -> Paid:
    rules = deal.rules
    score = rules.score(deal, contract, final)
    return Paid(
        sum(score[seat] for seat in contract.side),
        score[contract.declarer],
        rules.made(contract, final),
        rules.outcome_name(contract, final),
    )


def by_outcome(
    deal: Deal, contract: Contract, at: Situation, payoff: int
) -> tuple[PayoffByEnd, list[str]]:
    """Return the payoffs of a contract to win the most tricks, with one payoff split by outcome.

    Also return the names of the outcomes, from bad to good. Payoffs are multiplied by the number of
    outcomes; the endings that pay `payoff` are then told apart by their outcomes.
    """
    states = _end_states(contract, at)
    ends = _paid_ends(deal, contract, states)
    names = {end.outcome for end in ends if end.side == payoff}
    ranked = [name for name in OUTCOMES if name in names]
    finer = [
        end._replace(
            side=end.side * len(ranked) + (ranked.index(end.outcome) if end.side == payoff else 0)
        )
        for end in ends
    ]
    return PayoffByEnd(at.encoding.players(contract.side), states, finer), ranked


def _end_states(contract: Contract, at: Situation) -> EndStates:
    rules, player = at.encoding.rules, at.encoding.player
    kind = rules.contracts[contract.ids[0]]
    declarer = player[contract.declarer]
    groups = [-1] * len(rules.seats)
    groups[declarer] = 0
    if contract.partner is not None:
        groups[player[contract.partner]] = 1 if kind.run_alone else 0
    if kind.aim == "most":
        others = [number for number in range(len(groups)) if number != declarer]
        for group, number in enumerate(others[:-1], 1):
            groups[number] = group
    members = max(groups) + 1
    won = [0] * members
    for number, group in enumerate(groups):
        if group >= 0:
            won[group] += at.won[number]
    seen, run_won_by = first_tricks(contract, at)
    # In Ombre, which pays for the first five tricks, and in a Vole, play goes on after them as
    # usual.
    ends = rules.may_go_on(kind)
    start = tuple(won), seen if ends else min(seen, kind.first_run), run_won_by
    return _laid_out(rules, tuple(groups), kind.first_run, ends, at.problem.tricks, start)
