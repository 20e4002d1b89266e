"""The best exchange of a lone declarer: what to put away, and whether to exchange at all.

All of them are looked at, but of cards in sequence, between which no other player holds one, only
how many are put away matters. What is asked of each is only whether it pays more than the best so
far.

What the documents leave open:

- The draw is known: both squint cards, or the next cards of a talon whose order is given. Without
  that order, and in end positions, the hands are played as they stand.
- Others exchange as recorded; where that does not fit with what the declarer draws, he may not
  draw so.
- Partners who may play from the hand do so, or both put back what they take; what else they could
  exchange is not looked at. Several contractors, and everybody in Nemo, exchange as recorded.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from spadille.deal import Contract, Deal
from spadille.encoding import Situation, situation
from spadille.engine import Solver
from spadille.errors import DealError
from spadille.rules import ContractType, Rules
from spadille.score import Goal, score_of


class Exchange(NamedTuple):
    """What a declarer does before play."""

    drawn: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    from_hand: bool = False


class Choice(NamedTuple):
    """A contract after an exchange."""

    contract: Contract
    exchange: Exchange
    deal: Deal
    at: Situation
    goal: Goal


def may_exchange(deal: Deal, kind: ContractType) -> bool:
    """Whether there is something to choose before play."""
    game = deal.rules.game
    if kind.exchange not in ("side", "all") or kind.side in ("called", "all") or deal.is_ending:
        return False
    return game.draws_first or (deal.talon_ordered and kind.side != "partner")


def best_exchange(
    deal: Deal, contracts: Iterable[Contract], solver: Solver, nodes: int = 0
) -> tuple[Choice, int, int, int]:
    """Find which of several contracts of a declarer pays him most, and after which exchange.

    Returns it with bounds of the number of its payoff, which lie apart if `nodes` did not settle
    how much is lost or whether a Misère makes, and how many positions were visited.
    """
    choices = [
        choice
        for contract in contracts
        # From the most promising on, so that the others need only be refuted.
        for choice in sorted(_choices(deal, contract), key=_promise)
    ]
    misere = not choices[0].goal.credited & choices[0].goal.side
    found, best, spent, left = choices[0], 0, 0, nodes
    # Whether anything is won is asked of all before how much is lost.
    for gains in (True, False):
        open_at = None
        for choice in choices:
            goal, problem = choice.goal, choice.at.problem
            floor = goal.values[0] - 1 if choice is choices[0] else found.goal.values[best]
            low, high = goal.span(problem, goal.start)
            if gains:
                floor = max(floor, 0)
            else:
                high = bisect_right(goal.values, 0) - 1
            low = max(low, bisect_right(goal.values, floor) - 1)
            if low >= high:
                continue
            # A budget of all questions about a loss together, of each Misère for itself.
            limit = nodes if misere else 0 if gains else left
            solver.limit(limit)
            known, most = goal.bounds(solver, problem, goal.start, low, high, low + 1)
            spent += solver.nodes
            if not gains and nodes:
                left = max(left - solver.nodes, 1)
            if known > low:
                found, best = choice, known
            if known < most and (open_at is None or goal.values[most] > open_at):
                open_at = goal.values[most]
        value = found.goal.values[best]
        if open_at is not None and open_at > value:
            return found, best, bisect_left(found.goal.values, open_at), spent
        if value > 0:
            break
    return found, best, best, spent


def after(deal: Deal, contract: Contract, exchange: Exchange) -> Deal:
    """Return the deal with another exchange of the declarer, who comes before the others."""
    seat = contract.declarer
    drawn, discard = ({} if not cards else {seat: cards} for cards in exchange[:2])
    drawn |= {other: cards for other, cards in deal.drawn.items() if other != seat}
    discard |= {other: cards for other, cards in deal.discard.items() if other != seat}
    from_hand = {*deal.from_hand} - contract.side
    if exchange.from_hand:
        from_hand |= contract.side
    return replace(deal, drawn=drawn, discard=discard, from_hand=tuple(sorted(from_hand)))


def _choices(deal: Deal, contract: Contract) -> Iterator[Choice]:
    seat = contract.declarer
    goals: dict[object, Goal] = {}
    for drawn, held, count in _draws(deal, contract):
        own = {*(deal.hands[seat] or ()), *drawn}
        sample = Exchange(drawn, held[:count], not drawn and deal.rules.game.draws_first)
        variant = after(deal, contract, sample)
        try:
            at = situation(variant, contract)
        except DealError:
            continue
        bits, player = at.encoding.bits, at.encoding.player[seat]
        hands = at.problem.hands
        foreign = sum(hands) - hands[player]
        everything = sum(bits[card] for card in own)
        for away in _subsets(_classes(deal.rules, contract.trump, held, foreign, bits), count):
            exchange = sample._replace(discard=away)
            hand = everything - sum(bits[card] for card in away)
            problem = at.problem._replace(hands=(*hands[:player], hand, *hands[player + 1 :]))
            chosen = after(deal, contract, exchange)
            key = exchange.from_hand, hand & _best_trumps(deal.rules, contract.trump, bits)
            goal = goals.get(key)
            if goal is None:
                goal = goals[key] = score_of(chosen, contract, at)
            yield Choice(contract, exchange, chosen, at._replace(problem=problem), goal)


def _draws(
    deal: Deal, contract: Contract
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], int]]:
    """Yield what may be drawn, the cards of which as many are put away, and how many."""
    hand, pile = deal.hands[contract.declarer] or (), deal.undealt
    yield (), hand, 0
    if contract.partner is not None:
        yield pile[:1], pile[:1], 1
        return
    if deal.rules.game.draws_first:
        yield pile, (*hand, *pile), len(pile)
    else:
        for count in range(1, min(len(hand), len(pile) + 1)):
            yield pile[:count], hand, count


def _best_trumps(rules: Rules, trump: str, bits: dict[str, int]) -> int:
    return sum(bits[card] for card in rules.matadors(trump))


def _classes(
    rules: Rules, trump: str, cards: Iterable[str], foreign: int, bits: dict[str, int]
) -> list[list[str]]:
    """Group cards between which nobody else holds one, each from low to high."""
    matadors = rules.matadors(trump)
    groups: list[list[str]] = []
    for card in sorted(cards, key=bits.__getitem__):
        if groups and card not in matadors:
            last = bits[groups[-1][-1]]
            between = bits[card] - last
            if _lane(last) == _lane(bits[card]) and not between & foreign:
                groups[-1].append(card)
                continue
        groups.append([card])
    return groups


def _lane(bit: int) -> int:
    return bit.bit_length() - 1 >> 4


def _subsets(groups: list[list[str]], count: int) -> Iterator[tuple[str, ...]]:
    """Yield the choices of so many cards that differ, the lowest of each group."""
    for numbers in product(*(range(min(len(group), count) + 1) for group in groups)):
        if sum(numbers) == count:
            yield tuple(
                card
                for group, number in zip(groups, numbers, strict=True)
                for card in group[:number]
            )


def _promise(choice: Choice) -> int:
    """Rate a choice, low for promising: long and high trumps and high cards, in misère low ones."""
    problem = choice.at.problem
    hand = problem.hands[choice.at.encoding.player[choice.contract.declarer]]
    strength = 0
    for lane in range(4):
        cards = hand >> 16 * lane & 0xFFFF
        top = cards
        while top:
            strength += top.bit_length() * (2 if lane == problem.trump else 1)
            top &= ~(1 << top.bit_length() - 1)
        if lane == problem.trump:
            strength += 12 * cards.bit_count()
    wants = choice.goal.side & choice.goal.credited
    return -strength if wants else strength
