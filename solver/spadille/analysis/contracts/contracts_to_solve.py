"""The contracts that the rules allow the seats of a deal, for `table` and `best`.

Lone contracts are listed for every seat and trump, called-card contracts for every callable card,
partnership contracts for every pair, and Nemo for every penalty suit. In an end position, the
callable cards are unknown, so called-card contracts are listed for every partner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from spadille.base.card_text import SUITS
from spadille.base.errors import ContractError
from spadille.base.names_in_input import read_seat, read_trump
from spadille.core.arguments import text_or_list
from spadille.core.contract import Contract, check_holder
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules


@dataclass(frozen=True, slots=True)
class WantedContracts:
    """The requested seats and trumps; None means all."""

    seats: frozenset[str] | None = None
    trumps: frozenset[str] | None = None

    @classmethod
    def of(
        cls, rules: Rules, seats: Iterable[str] | None, trumps: Iterable[str] | None
    ) -> WantedContracts:
        """Check seats and trumps; raise RulesError or ContractError if one is unknown."""
        by = _named(text_or_list("seats", seats), rules.seats, read_seat)
        in_trumps = _named(text_or_list("trumps", trumps), rules.trumps, read_trump)
        rules.check_seats(*(by or ()))
        for trump in in_trumps or ():
            if trump not in rules.trumps:
                known = " ".join(rules.trumps)
                message = f"{trump!r} is not a trump in {rules.game.name}: {known}"
                raise ContractError(message, "trump-not-allowed")
        return cls(by, in_trumps)

    def plays(self, seat: str, partner: str | None = None) -> bool:
        """Return whether at least one player of a pair is requested."""
        return self.seats is None or seat in self.seats or partner in self.seats

    def takes(self, contract: Contract) -> bool:
        """Return whether the contract's trump and at least one of its players are requested."""
        played = self.seats is None or not self.seats.isdisjoint(contract.side)
        return played and (self.trumps is None or contract.trump in self.trumps)


def _named(
    given: str | Iterable[str] | None, known: Sequence[str], read: Callable[[str], str]
) -> frozenset[str] | None:
    """Split a list or a string such as "N E", "NE" or "North, East"; names are not checked."""
    if given is None:
        return None
    names: set[str] = set()
    for word in given.replace(",", " ").split() if isinstance(given, str) else given:
        name = read(word)
        letters = len(word) > 1 and name not in known and {*word} <= {*known}
        names.update(word if letters else [name])
    return frozenset(names)


ALL = WantedContracts()


def alternatives(
    deal: Deal, kind: ContractType, named: bool = True, wanted: WantedContracts = ALL
) -> Iterator[list[Contract]]:
    """Yield the contracts of a kind, grouped by seat and trump.

    If the declarer may name the trump with the first card, one contract leaves it open. The
    contracts that name it before the first lead are left out unless `named` or a `wanted` trump
    asks for them.
    """
    seats = deal.rules.seats
    trumps: tuple[str | None, ...] = deal.rules.allowed_trumps(kind, deal)
    if wanted.trumps is not None:
        trumps = tuple(trump for trump in trumps if trump in wanted.trumps)
    elif kind.trump_late and not deal.is_ending:
        trumps = (None, *trumps) if named else (None,)
    for trump in trumps:
        if kind.side == "all":
            ids = (kind.id,) * len(seats)
            yield [Contract(seats, ids, trump, penalty=suit) for suit in SUITS]
        elif kind.side == "partner":
            pairs = combinations(seats, 2)
            yield [
                Contract((declarer,), (kind.id,), trump, partner=partner)
                for declarer, partner in pairs
                if wanted.plays(declarer, partner)
            ]
        else:
            for seat in filter(wanted.plays, seats):
                try:
                    check_holder(deal, kind, seat)
                except ContractError:
                    continue
                if kind.side == "called" and trump is not None:
                    yield list(_calls(deal, kind, seat, trump))
                else:
                    yield [Contract((seat,), (kind.id,), trump)]


def _calls(deal: Deal, kind: ContractType, seat: str, trump: str) -> Iterator[Contract]:
    if deal.is_ending:
        for partner in deal.rules.seats:
            if partner != seat:
                yield Contract((seat,), (kind.id,), trump, partner=partner)
        return
    cards = deal.rules.callable_cards(trump, deal.hands[seat] or (), kind)
    for card in cards:
        yield Contract((seat,), (kind.id,), trump, card, deal.holder(card))
    if not cards:
        yield Contract((seat,), (kind.id,), trump)
