"""Find the swaps of two cards between two hands that make or break the contract.

Where the rule documents are silent:

- Cards are swapped between the hands after the exchange, not with the talon or with discarded
  cards.
- Declarer, contract and trump stay the same, even if nobody would bid the contract with the new
  cards. The holder of the called card is the partner, so a swap of that card changes the partner.
  Swaps that give the called card to its caller are left out.

All swaps share the engine's transposition table. A proof in the table lists the cards on which it
depends; it is valid in every deal in which the same players hold these cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

from spadille.base.json_fields import JsonFields, encoded
from spadille.base.words_for_messages import capitalized, listed, seat_name
from spadille.core.contract import Contract
from spadille.search.contract_objective import ContractObjective
from spadille.search.question import Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Two seats, and the card that each gives to the other."""

    seats: tuple[str, str]
    cards: tuple[str, str]

    def to_dict(self) -> dict[str, str]:
        """Return the fields for JSON: for each of the two seats, the card it gives."""
        return dict(zip(self.seats, self.cards, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(JsonFields):
    """A card whose holder matters: it makes or breaks the contract in another hand."""

    card: str
    seat: str
    turning: int
    """The number of swaps of this card that make or break the contract."""
    solved: int
    """The number of swaps of this card that were solved."""
    to: Mapping[str, tuple[str, ...]]
    """For each seat, the cards that change the result if they are given in exchange for this card.
    Seats without such cards are omitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swaps:
    """All swaps of two cards between two hands, and those that make or break the contract."""

    makes: bool
    """Whether the contract makes in the actual deal."""
    solved: int
    open: int
    """The number of swaps whose effect is unknown because a limit stopped the search."""
    left_out: int
    """The number of swaps left out because they would give the called card to its caller."""
    turning: tuple[Swap, ...]
    """The swaps that make a failing contract, or break a making one."""
    hands: Mapping[str, tuple[str, ...]]
    """The cards of each seat."""
    places: tuple[Place, ...]
    """The cards whose holder matters; a card comes first if many of its swaps change the result.
    """

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each group of swaps that change the result; large groups come first.

        A sentence is left out if earlier ones mention all its swaps.
        """
        verb = "breaks" if self.makes else "makes"
        moves = []
        for place in self.places:
            if place.turning == place.solved and len(place.to) > 1 and not self.open:
                moves.append((place, "", tuple(chain.from_iterable(place.to.values()))))
            else:
                moves += [(place, seat, cards) for seat, cards in place.to.items()]
        moves.sort(key=lambda move: -len(move[2]) / len(self.hands.get(move[1]) or move[2]))
        told_swaps: set[frozenset[str]] = set()
        for place, seat, cards in moves:
            swaps = {frozenset((place.card, card)) for card in cards}
            if not swaps <= told_swaps:
                told_swaps |= swaps
                given = self._given(cards, seat) if seat else "any card of another player"
                own_card = f"{seat_name(place.seat)}'s {place.card}"
                yield capitalized(f"swapping {own_card} for {given} {verb} the contract.")

    def _given(self, cards: tuple[str, ...], seat: str) -> str:
        """Describe some of a seat's cards in words."""
        rest = [card for card in self.hands[seat] if card not in cards]
        owner = f"{seat_name(seat)}'s"
        if len(cards) > 1 and not rest:
            return f"any of {owner} cards"
        if len(rest) < len(cards) and len(rest) <= _FEW:
            return f"any of {owner} cards except {listed(rest, 'and')}"
        return f"{owner} {listed(cards, 'or')}"

    def to_dict(self) -> dict[str, Any]:
        """Return the field `swaps` of `solve` in JSON (see docs/json.md)."""
        return {
            "makes": self.makes,
            "solved": self.solved,
            "open": self.open,
            "left_out": self.left_out,
            "turning": encoded(self.turning),
            "cards": encoded(self.places),
            "words": list(self.sentences()),
        }


_FEW = 4  # the maximum number of exceptions in a sentence


def swaps_of(question: Question[ContractObjective], makes: bool) -> Swaps:
    """Solve every swap for a declarer; `makes` is the result of the actual deal."""
    contract, at = question.contract, question.at
    player, bits = at.encoding.player, at.encoding.bits
    hands_of = {
        seat: tuple(at.encoding.cards(at.problem.hands[player[seat]]))
        for seat in at.encoding.rules.seats
    }
    by_partner: dict[str | None, list[Swap]] = {contract.partner: []}
    for seat_a, seat_b in combinations(hands_of, 2):
        for card in hands_of[seat_a]:
            for taken in hands_of[seat_b]:
                swap = Swap(seats=(seat_a, seat_b), cards=(card, taken))
                by_partner.setdefault(_partner(contract, hands_of, swap), []).append(swap)
    left_out = by_partner.pop(contract.declarer, [])
    solved: dict[Swap, bool] = {}
    for partner, swaps in by_partner.items():
        if partner != contract.partner:  # a different question, which clears the engine's table
            changed = replace(contract, partner=partner)
            question = Question.of(question.deal, changed, at, question.seat, question.search)
        need = _needed(question)
        for swap in swaps:
            both = bits[swap.cards[0]] | bits[swap.cards[1]]
            hands = [*at.problem.hands]
            for seat in swap.seats:
                hands[player[seat]] ^= both
            answer = need is not None and question.objective.reaches(
                question.search.solver,
                at.problem._replace(hands=tuple(hands)),
                question.state,
                need,
            )
            if answer is not None:  # otherwise a limit stopped the search
                solved[swap] = answer
    turning = tuple(swap for swap, answer in solved.items() if answer != makes)
    return Swaps(
        makes=makes,
        solved=len(solved),
        open=sum(map(len, by_partner.values())) - len(solved),
        left_out=len(left_out),
        turning=turning,
        hands=hands_of,
        places=_places(hands_of, turning, solved),
    )


def _partner(contract: Contract, hands_of: Mapping[str, tuple[str, ...]], swap: Swap) -> str | None:
    """Return the partner after a swap: the new holder of the called card, or even its caller."""
    called = contract.called
    if contract.partner is None or called not in hands_of[contract.partner]:
        return contract.partner
    if called not in swap.cards:
        return contract.partner
    return next(seat for seat in swap.seats if seat != contract.partner)


def _needed(question: Question[ContractObjective]) -> int | None:
    """Return the lowest value with which the contract makes; None if there is none."""
    low, high = question.span()
    for value in range(low, high + 1):
        if question.verdict(value, value).makes:
            return value
    return None


def _places(
    hands_of: Mapping[str, tuple[str, ...]], turning: tuple[Swap, ...], solved: Collection[Swap]
) -> tuple[Place, ...]:
    """Return the cards whose holder matters; those that matter most come first."""
    times = Counter(card for swap in solved for card in swap.cards)
    gives: dict[str, dict[str, list[str]]] = {}
    for swap in turning:
        (seat_a, seat_b), (card, taken) = swap.seats, swap.cards
        gives.setdefault(card, {}).setdefault(seat_b, []).append(taken)
        gives.setdefault(taken, {}).setdefault(seat_a, []).append(card)
    places = []
    for seat, cards in hands_of.items():
        for card in cards:
            if card in gives:
                to = {
                    seat_b: tuple(gives[card][seat_b])
                    for seat_b in hands_of
                    if seat_b in gives[card]
                }
                number = sum(map(len, to.values()))
                places.append(
                    Place(card=card, seat=seat, turning=number, solved=times[card], to=to)
                )
    return tuple(sorted(places, key=lambda place: -place.turning / place.solved))
