"""Find the swaps of two cards between two hands that make or break the contract.

Where the rule documents are silent:

- Cards are swapped between the hands after the exchange, not with the talon or with discarded
  cards.
- Declarer, contract and trump stay the same, even if nobody would bid that contract on the new
  cards. The holder of the called card is the partner, so swapping that card changes the partner.
  Swaps that would give the called card to its caller are left out.

All deals that differ by one swap share the engine's transposition table: a proof lists the cards on
which it depends, and holds for every deal in which these cards are in the same hands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

from spadille.base.input_words import capitalized, listed, seat_name
from spadille.base.json_fields import JsonFields, encoded
from spadille.core.contract import Contract
from spadille.search.contract_objective import ContractObjective
from spadille.search.question import Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Swap:
    """Two seats, and the card that each of them gives to the other."""

    seats: tuple[str, str]
    cards: tuple[str, str]

    def to_dict(self) -> dict[str, str]:
        """Return a mapping from each seat to the card it gives."""
        return dict(zip(self.seats, self.cards, strict=True))


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(JsonFields):
    """A card whose place matters, with its holder and the hands in which it changes the result."""

    card: str
    seat: str
    turning: int
    """The number of swaps of this card that make or break the contract."""
    solved: int
    """The number of swaps of this card, without those left out."""
    to: Mapping[str, tuple[str, ...]]
    """Seat that gets the card -> the cards given in return that change the result; never empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Swaps:
    """All swaps of two cards between two hands, and which of them make or break the contract."""

    makes: bool
    """Whether the contract makes in the actual deal."""
    solved: int
    open: int
    """The number of swaps whose effect is unknown because a limit stopped the search."""
    left_out: int
    """The number of swaps left out because they would give callers the card they call."""
    turning: tuple[Swap, ...]
    """The swaps that make a failing contract, or break a making one."""
    hands: Mapping[str, tuple[str, ...]]
    """Seat -> its cards, for the seats whose cards were swapped."""
    places: tuple[Place, ...]
    """The cards whose place matters, ordered by the share of their swaps that make or break the
    contract.
    """

    def sentences(self) -> Iterator[str]:
        """Yield a sentence for each group of swaps that change the result, largest group first.

        Each swap occurs once.
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
        """Describe a group of a seat's cards in words."""
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
    """Return the partner after a swap: the holder of the called card, possibly the caller."""
    called = contract.called
    if contract.partner is None or called not in hands_of[contract.partner]:
        return contract.partner
    if called not in swap.cards:
        return contract.partner
    return next(seat for seat in swap.seats if seat != contract.partner)


def _needed(question: Question[ContractObjective]) -> int | None:
    """Return the lowest value that makes the contract; None if no value does."""
    low, high = question.span()
    for value in range(low, high + 1):
        if question.verdict(value, value).makes:
            return value
    return None


def _places(
    hands_of: Mapping[str, tuple[str, ...]], turning: tuple[Swap, ...], solved: Collection[Swap]
) -> tuple[Place, ...]:
    """Rank the cards by how much it matters who holds them."""
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
