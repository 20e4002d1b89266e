"""The tables from which a page values surrenders (RULES 5).

The script asks the same questions as `spadille.search.surrender_value`. This module writes the
chips, the last trick and the states at the end of a hand.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

from spadille.base.card_text import NO_TRUMP
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import ContractType, Outcome, Surrender
from spadille.games.model.game import Rules
from spadille.search.encoding import situation
from spadille.search.end_states import EndStates, State
from spadille.search.first_run import first_tricks
from spadille.search.payoff_automata import own_first
from spadille.search.surrender_value import is_counted

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def surrender_table(rules: Rules, kind: ContractType) -> dict[str, Any] | None:
    """Return the data for valuing a surrender, or None if surrenders do not affect values.

    Levels and payoffs begin with the player who is paid; the others follow by number.
    """
    if not is_counted(rules, kind):
        return None
    levels = _levels(rules, kind)
    return {
        "until": kind.surrender_until,
        # The number of top trumps that are paid for.
        "held": rules.held_pay,
        # The state after each player wins a trick, by the number of tricks played and the current
        # state.
        "levels": [[number for row in level.values() for number in row] for level in levels],
        "paid": surrender_payoffs(rules, kind),
    }


def surrender_payoffs(rules: Rules, kind: ContractType, pool: int | None = None) -> dict[str, Any]:
    """Return the payoffs of surrendering, playing on and taking over, given the chips in the pool.

    Playing on and taking over each have one entry without the highest trumps and one with them.
    """
    hands = [(), rules.trump_cards(_trump(rules))] if rules.held_pay else [()]
    stakes = [_stakes(rules, pool, hand) for hand in hands]
    own = _contract(rules, kind)
    given = Outcome(dict.fromkeys(rules.seats, 0), surrender=Surrender(own.declarer, 1))
    return {
        "surrendered": rules.score(stakes[0], own, given)[own.declarer],
        "playedOn": [_played_on(deal, own) for deal in stakes],
        "tookOver": [_took_over(deal, own) for deal in stakes],
    }


def surrender_starts(deal: Deal) -> dict[str, dict[str, int]]:
    """Return the number of the first state of an end position, by contract and seat."""
    rules = deal.rules
    won = [deal.won.get(seat, 0) for seat in rules.turn_order]
    starts: dict[str, dict[str, int]] = {}
    for kind in rules.contracts.values():
        if not is_counted(rules, kind):
            continue
        numbers = list(_levels(rules, kind)[sum(won)])
        for own, seat in enumerate(rules.turn_order):
            contract = Contract((seat,), (kind.id,), _trump(rules))
            seen, held = first_tricks(contract, situation(deal, contract))
            state = own_first(own, won)[:-1], min(seen, kind.first_run), held
            starts.setdefault(kind.id, {})[seat] = numbers.index(state)
    return starts


def _trump(rules: Rules) -> str:
    return next(trump for trump in rules.trumps if trump != NO_TRUMP)


def _contract(rules: Rules, kind: ContractType) -> Contract:
    return Contract((rules.turn_order[0],), (kind.id,), _trump(rules))


def _stakes(rules: Rules, pool: int | None, hand: tuple[str, ...]) -> Deal:
    """Return a deal in which only the pool and the first hand matter."""
    hands = {seat: hand if seat == rules.turn_order[0] else () for seat in rules.seats}
    return Deal(rules, rules.seats[0], hands, pool=pool)


@lru_cache(maxsize=16)
def _end_states(rules: Rules, kind: ContractType) -> EndStates:
    groups = (*range(len(rules.seats) - 1), -1)
    start = (0,) * (len(groups) - 1), 0, 0
    return EndStates(rules, groups, kind.first_run, False, rules.game.hand_size, start)


@lru_cache(maxsize=16)
def _levels(rules: Rules, kind: ContractType) -> list[dict[State, list[int]]]:
    """Return the states for each number of tricks left, each with the numbers of its successors."""
    states = _end_states(rules, kind)
    levels: list[dict[State, list[int]]] = []
    level = [states.start]
    for _ in range(states.tricks):
        numbers: dict[State, int] = {}
        after = {
            state: [
                numbers.setdefault(states.step(state, winner, False), len(numbers))
                for winner in range(states.players)
            ]
            for state in level
        }
        levels.append(after)
        level = list(numbers)
    return [*levels, {state: [] for state in level}]


def _ends(deal: Deal, contract: Contract) -> list[Outcome]:
    """Return the outcomes of a hand, in the order of the final states."""
    rules, kind = deal.rules, deal.rules.contracts[contract.ids[0]]
    outcomes = _end_states(rules, kind).outcomes
    return [outcomes[state] for state in _levels(rules, kind)[-1]]


def _played_on(deal: Deal, contract: Contract) -> dict[str, Any]:
    rules = deal.rules
    paid = [rules.score(deal, contract, end)[contract.declarer] for end in _ends(deal, contract)]
    return _listed(paid)


def _took_over(deal: Deal, contract: Contract) -> dict[str, Any]:
    """Return the possible gains from taking over, each with the former declarer's lowest payoff.

    `former` has a list of payoffs for each possible place of the former declarer.
    """
    rules, own = deal.rules, contract.declarer
    ends = _ends(deal, contract)
    paid = [rules.score(deal.taken_over(), contract, end)[own] for end in ends]
    listed = _listed(paid)
    listed["former"] = {}
    for place, seat in enumerate(rules.turn_order):
        if seat == own:
            continue
        before, given = replace(contract, declarers=(seat,)), Surrender(seat, 1, own)
        left = [rules.score(deal, before, replace(end, surrender=given))[seat] for end in ends]
        listed["former"][place] = [
            min(points for points, gain in zip(left, paid, strict=True) if gain == value)
            for value in listed["values"]
        ]
    return listed


def _listed(paid: list[int]) -> dict[str, Any]:
    values = sorted(set(paid))
    return {"values": values, "finals": "".join(_DIGITS[values.index(points)] for points in paid)}
