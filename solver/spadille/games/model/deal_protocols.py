"""The parts of a deal and a contract that the rules of a game may use.

`spadille.core.deal.Deal` and `spadille.core.contract.Contract` have these members. These classes
depend on the rules, so the rules refer to them only through protocols.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, Self

Hands = Mapping[str, tuple[str, ...] | None]


class DealView(Protocol):
    """The cards as dealt, and everything that precedes play."""

    @property
    def hands(self) -> Hands:
        """The cards dealt to each seat, or None for an unknown hand."""

    @property
    def talon(self) -> tuple[str, ...]:
        """The undealt cards, if they are given."""

    @property
    def talon_ordered(self) -> bool:
        """Whether the talon is in order, from the top."""

    @property
    def current_trump(self) -> str | None:
        """The current trump of the deal, if it is known."""

    @property
    def pool(self) -> int | None:
        """The chips in the pool; None means the antes of one deal."""

    @property
    def from_hand(self) -> tuple[str, ...]:
        """The seats that play without an exchange."""

    @property
    def is_ending(self) -> bool:
        """Whether cards have been played already."""

    def playing_hands(self) -> Hands:
        """Return the hands at the start of play, after the exchange."""

    def must_hold(self, card: str) -> str | None:
        """Return the seat that was dealt a card, or the only seat that can hold it."""


class ContractView(Protocol):
    """The contract: its declarers, partner and trump."""

    @property
    def declarers(self) -> tuple[str, ...]:
        """The declarers; several in Squint, everybody in Nemo."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The contract ids, in the order of the declarers."""

    @property
    def trump(self) -> str | None:
        """The trump, or None while it is open."""

    @property
    def partner(self) -> str | None:
        """The partner, or None for a declarer who plays alone."""

    @property
    def penalty(self) -> str | None:
        """The penalty suit of Nemo."""

    @property
    def declarer(self) -> str:
        """The declarer, or the first of several."""

    @property
    def side(self) -> frozenset[str]:
        """The seats of the declaring side."""

    def taken_over(self, seat: str) -> Self:
        """Return the contract after a seat has taken it over."""
