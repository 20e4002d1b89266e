"""What the rules of a game may ask of a deal and of a contract.

`spadille.core.deal.Deal` and `spadille.core.contract.Contract` have these members; they are made
with the rules at hand, so the rules know no more about them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self

Hands = Mapping[str, tuple[str, ...] | None]


class DealView(Protocol):
    """The cards as dealt, with everything that precedes play."""

    @property
    def hands(self) -> Hands:
        """Seat -> cards dealt, None for an unknown hand."""

    @property
    def talon(self) -> tuple[str, ...]:
        """The cards left over, if they are given."""

    @property
    def talon_ordered(self) -> bool:
        """Whether the talon is in order, from the top."""

    @property
    def current_trump(self) -> str | None:
        """The trump that belongs to the deal, if it is known."""

    @property
    def pool(self) -> int | None:
        """The chips in the pool; None: the antes of one deal."""

    @property
    def from_hand(self) -> tuple[str, ...]:
        """The seats that play without an exchange."""

    @property
    def is_ending(self) -> bool:
        """Whether cards have been played already."""

    def playing_hands(self) -> Hands:
        """Return the hands that are played, after the exchange."""

    def must_hold(self, card: str) -> str | None:
        """Return the seat that was dealt a card, also if only one hand can have it."""


class ContractView(Protocol):
    """Who plays what, with whom, in which trump."""

    @property
    def declarers(self) -> tuple[str, ...]:
        """The declarers; several soloists in Squint, everybody in Nemo."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The contract ids, parallel to declarers."""

    @property
    def trump(self) -> str | None:
        """The trump, None while it is open."""

    @property
    def partner(self) -> str | None:
        """The partner, None for a declarer alone."""

    @property
    def penalty(self) -> str | None:
        """The penalty suit of Nemo."""

    @property
    def declarer(self) -> str:
        """The declarer; the first of several."""

    @property
    def side(self) -> frozenset[str]:
        """The seats of the declaring side."""

    def taken_over(self, seat: str) -> Self:
        """Return the contract as played by a seat that has taken it over."""
