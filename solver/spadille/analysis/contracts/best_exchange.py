"""Find a declarer's best exchange: whether to exchange, and which cards to discard.

All exchanges are tried. For cards in sequence (with no other player's card between them), only the
number discarded matters, so one choice stands for all. For each exchange, the search only finds out
whether it pays more than the best one so far.

Where the rule documents are silent:

- An exchange can be searched if the cards drawn are known: both squint cards, or the next cards of
  a talon in known order. In all other cases, and in end positions, no exchange is made.
- The other players discard the recorded cards, or none if the caller says so. These players draw
  from the top of the remaining talon. The declarer must leave enough cards for the others to draw.
- In a Duo, each partner may take either squint card, or neither. If a contract allows only one side
  to exchange, a recorded exchange by the other side is ignored, because it belongs to another
  contract.
- Several declarers, and everybody in Nemo, exchange as recorded.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from spadille.base.cache_keys import key_of
from spadille.base.errors import DealError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules
from spadille.search.encoding import Situation, situation
from spadille.search.limited_search import Search
from spadille.search.make_payoff_objective import payoff_objective
from spadille.search.payoff_objectives import ContractGoal
from spadille.search.question import Question


class Exchange(NamedTuple):
    """The exchange of a declarer and, in a Duo, of the partner."""

    drawn: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    partner_drawn: tuple[str, ...] = ()
    partner_discard: tuple[str, ...] = ()
    from_hand: bool = False


_CARDS = ("drawn", "discard", "partner_drawn", "partner_discard")
"""These fields are ignored when exchanges are compared, because only the resulting hands matter."""


class Exchanged(NamedTuple):
    """An exchange, and the question about the contract's payoff after it."""

    exchange: Exchange
    question: Question[ContractGoal]


def may_exchange(deal: Deal, kind: ContractType) -> bool:
    """Return whether `best_exchange` is needed, to choose an exchange or ignore a recorded one."""
    game, who = deal.rules.game, kind.exchange.who
    if who == "opponents" and not deal.is_ending:
        # The declarer may not exchange, so an exchange recorded for that seat belongs to another
        # contract.
        return bool(deal.exchangers) and (deal.talon_ordered or {*deal.drawn} >= {*deal.discard})
    if who not in ("side", "all") or kind.side in ("called", "all") or deal.is_ending:
        return False
    return game.draws_first or (deal.talon_ordered and kind.side != "partner")


class BestExchange(NamedTuple):
    """The most profitable exchange found."""

    exchange: Exchange
    question: Question[ContractGoal]
    value: int
    """The value of the question, as an index into the payoffs of its objective."""
    most: int
    """An upper bound on the side's payoff; higher than the payoff of `value` if a limit stopped the
    search."""


# In contracts to win the most tricks, the search for gains gets _GAIN times the usual number of
# nodes. For losses, each question gets 1 / _SHARE of the nodes, so that a single hard question
# leaves some for the others.
_GAIN, _SHARE = 20, 8


def best_exchange(deal: Deal, contracts: Iterable[Contract], search: Search) -> BestExchange:
    """Find the declarer's most profitable contract, together with its best exchange.

    The limit on hard nodes (0: no limit) applies to the search for the size of a loss and to
    Misères. In contracts to win the most tricks, the search for gains may use twenty times that
    limit.
    """
    nodes = search.hard_nodes
    menu = _Menu(deal, contracts, search)
    best_so_far, best = menu.stay[0], 0
    misere, most_tricks = (best_so_far.question.kind.aim == aim for aim in ("misere", "most"))
    value = open_at = best_so_far.question.objective.values[0] - 1
    # First find out whether any exchange wins something; if none does, compare the losses.
    for gains in (True, False):
        left = nodes if not gains else _GAIN * nodes if most_tricks else 0
        for candidate in menu.exchanges(gains):
            if search.over:
                open_at = max(open_at, menu.most)
                break
            values = candidate.question.objective.values
            floor = max(value, 0) if gains else value
            high = (len(values) if gains else bisect_right(values, 0)) - 1
            low = bisect_right(values, floor) - 1
            if low >= high:
                continue
            # All questions share one budget, but in a Misère each question has its own.
            share = nodes if gains else max(nodes // _SHARE, 1)
            limit = nodes if misere else left and min(left, share)
            low = max(low, 0)
            for guess in (low + 1, high):
                if low < high:
                    search.limit(limit)
                    low, high = candidate.question.narrow(low, high, guess)
                    left = left and max(left - search.solver.nodes, 1)
            if values[low] > floor:
                best_so_far, best, value = candidate, low, values[low]
                menu.floor = value
            if low < high:
                open_at = max(open_at, values[high])
        if value > 0 or (misere and open_at > value) or search.over:
            break
    value = best_so_far.question.objective.values[best]
    return BestExchange(*best_so_far, best, max(value, open_at))


class _Menu:
    """Lists the exchanges, most promising first, so that later ones need only be refuted."""

    def __init__(self, deal: Deal, contracts: Iterable[Contract], search: Search) -> None:
        self._deal = deal
        self._contracts = list(contracts)
        self._search = search
        stay = (
            candidate
            for contract in self._contracts
            for candidate in self._after(contract, [Exchange()])
        )
        self.stay = sorted(stay, key=_promise)
        self._exchanged: dict[Contract, list[Exchanged]] = {}
        self.floor = self.stay[0].question.objective.values[0]
        """The best value so far."""

    def exchanges(self, gains: bool) -> Iterator[Exchanged]:
        """Yield the exchanges, leaving out a pair's if they cannot beat the best value so far."""
        if gains:
            yield from self.stay
        for contract in self._contracts:
            # A pair has ten times as many exchanges as one declarer, and tricks pay the same after
            # all of them.
            if contract.partner is None or self._most(contract) > self.floor:
                yield from self._of(contract)
        if not gains:
            # Losses count double when the declarer plays from the hand.
            yield from self.stay

    @property
    def most(self) -> int:
        """The highest payoff that any exchange could possibly lead to."""
        staying = (candidate.question.objective.values[-1] for candidate in self.stay)
        return max(*staying, *map(self._most, self._contracts))

    def _most(self, contract: Contract) -> int:
        sample = next(self._after(contract, _draws(self._deal, contract)), None)
        return sample.question.objective.values[-1] if sample else -1

    def _of(self, contract: Contract) -> list[Exchanged]:
        candidates = self._exchanged.get(contract)
        if candidates is None:
            draws = _draws(self._deal, contract)
            candidates = sorted(self._after(contract, draws), key=_promise)
            self._exchanged[contract] = candidates
        return candidates

    def _after(self, contract: Contract, draws: Iterable[Exchange]) -> Iterator[Exchanged]:
        """Yield the contract with each choice of discards after these draws."""
        deal = self._deal
        goals: dict[object, ContractGoal] = {}
        seen: set[object] = set()
        for draw in draws:
            open_exchange = _before_discards(deal, contract, draw)
            if open_exchange is None:
                continue
            sample, at, players, hands, ways = open_exchange
            bits = at.encoding.bits
            best = _best_trumps(deal.rules, contract.trump, bits)
            for away in product(*ways):
                played = list(hands)
                for number, cards in zip(players, away, strict=True):
                    played[number] -= sum(bits[card] for card in cards)
                key = *key_of(sample, *_CARDS), *played
                if key in seen:
                    continue
                seen.add(key)
                exchange = _putting_away(sample, away)
                chosen = after(deal, contract, exchange)
                kept = sample.from_hand, played[players[0]] & best
                goal = goals.get(kept)
                if goal is None:
                    goal = goals[kept] = payoff_objective(chosen, contract, at)
                question = Question(
                    deal=chosen,
                    contract=contract,
                    at=at._replace(problem=at.problem._replace(hands=tuple(played))),
                    seat=contract.declarer,
                    objective=goal,
                    search=self._search,
                    state=goal.start,
                )
                yield Exchanged(exchange, question)


class _OpenExchange(NamedTuple):
    """An exchange after the draws and before the discards."""

    sample: Exchange
    """The exchange with arbitrary discards."""
    at: Situation
    """The situation after `sample`."""
    players: list[int]
    """The declarer and the partner, if there is one."""
    hands: list[int]
    """All hands; the hands of `players` still include the cards to discard."""
    ways: list[list[tuple[str, ...]]]
    """The choices of discards of each of the `players`."""


def _before_discards(deal: Deal, contract: Contract, draw: Exchange) -> _OpenExchange | None:
    """Return the exchange after these draws; None if it cannot be played."""
    rules = deal.rules
    first = rules.game.draws_first
    seats = [seat for seat in (contract.declarer, contract.partner) if seat is not None]
    drawn = [draw.drawn, draw.partner_drawn][: len(seats)]
    # The cards that may be discarded; if players draw first, these include the drawn cards.
    choices = [
        (*(deal.hands[seat] or ()), *(taken if first else ()))
        for seat, taken in zip(seats, drawn, strict=True)
    ]
    sample = _putting_away(
        draw._replace(from_hand=first and not any(drawn)),
        [cards[: len(taken)] for cards, taken in zip(choices, drawn, strict=True)],
    )
    try:
        at = situation(after(deal, contract, sample), contract)
    except DealError:
        return None
    bits = at.encoding.bits
    players = [at.encoding.player[seat] for seat in seats]
    # For each partner, all cards that they may hold afterwards; other hands stay the same.
    hands = list(at.problem.hands)
    for number, cards, taken in zip(players, choices, drawn, strict=True):
        hands[number] = sum(bits[card] for card in {*cards, *taken})
    ways = []
    for number, cards, taken in zip(players, choices, drawn, strict=True):
        groups = _classes(rules, contract.trump, cards, sum(hands) - hands[number], bits)
        ways.append([*_subsets(groups, len(taken))])
    return _OpenExchange(sample, at, players, hands, ways)


def opponents_may(kind: ContractType) -> bool:
    """Return whether the declarer's opponents may exchange."""
    return kind.side != "all" and kind.exchange.who in ("opponents", "all")


def without_opponents(deal: Deal, contract: Contract) -> Deal:
    """Return the deal with the recorded exchange of the declaring side only."""
    return replace(
        deal,
        drawn={seat: cards for seat, cards in deal.drawn.items() if seat in contract.side},
        discard={seat: cards for seat, cards in deal.discard.items() if seat in contract.side},
    )


def after(deal: Deal, contract: Contract, exchange: Exchange) -> Deal:
    """Return the deal with this exchange of the declaring side, made before the others'.

    The other players discard the recorded cards if the contract allows it.
    """
    seat, partner = contract.declarer, contract.partner
    drawn, discard = {seat: exchange.drawn}, {seat: exchange.discard}
    if partner is not None:
        drawn[partner], discard[partner] = exchange.partner_drawn, exchange.partner_discard
    exchanged = deal.rules.contracts[contract.ids[0]].exchange
    if exchanged.who != "side":
        if exchanged.takes != "top" or not deal.talon_ordered:
            drawn |= {other: cards for other, cards in deal.drawn.items() if other != seat}
        discard |= {other: cards for other, cards in deal.discard.items() if other != seat}
    from_hand = {*deal.from_hand} - contract.side
    if exchange.from_hand:
        from_hand |= contract.side
    return replace(
        deal,
        drawn={holder: cards for holder, cards in drawn.items() if cards},
        discard={holder: cards for holder, cards in discard.items() if cards},
        from_hand=tuple(sorted(from_hand)),
    )


def _putting_away(exchange: Exchange, away: Sequence[tuple[str, ...]]) -> Exchange:
    return exchange._replace(discard=away[0], partner_discard=away[1] if away[1:] else ())


def _draws(deal: Deal, contract: Contract) -> Iterator[Exchange]:
    """Yield the possible draws as exchanges without discards."""
    hand, pile = deal.hands[contract.declarer] or (), deal.undealt
    if deal.rules.contracts[contract.ids[0]].exchange.who == "opponents":
        return
    if contract.partner is not None:
        for card in pile:
            others = [(other,) for other in pile if other != card]
            yield Exchange((card,))
            yield Exchange(partner_drawn=(card,))
            yield from (Exchange((card,), partner_drawn=other) for other in others)
    elif deal.rules.game.draws_first:
        yield Exchange(pile)
    else:
        yield from (Exchange(pile[:count]) for count in range(1, min(len(hand), len(pile) + 1)))


def _best_trumps(rules: Rules, trump: str | None, bits: dict[str, int]) -> int:
    return sum(bits[card] for card in rules.matadors(trump))


def _classes(
    rules: Rules, trump: str | None, cards: Iterable[str], foreign: int, bits: dict[str, int]
) -> list[list[str]]:
    """Group cards that are not separated by another player's card; groups go from low to high."""
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
    """Yield the distinct choices of `count` cards, taking the lowest cards of each group."""
    for numbers in product(*(range(min(len(group), count) + 1) for group in groups)):
        if sum(numbers) == count:
            yield tuple(
                card
                for group, number in zip(groups, numbers, strict=True)
                for card in group[:number]
            )


def _promise(candidate: Exchanged) -> int:
    """Return a sort key that puts long trumps and high cards first (in a Misère, low cards)."""
    question = candidate.question
    problem = question.at.problem
    hand = problem.hands[question.at.encoding.player[question.seat]]
    strength = 0
    for lane in range(4):
        cards = hand >> 16 * lane & 0xFFFF
        top = cards
        while top:
            strength += top.bit_length() * (2 if lane == problem.trump else 1)
            top &= ~(1 << top.bit_length() - 1)
        if lane == problem.trump:
            strength += 12 * cards.bit_count()
    return strength if question.kind.aim == "misere" else -strength
