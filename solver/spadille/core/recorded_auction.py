"""A recorded auction: the calls in turn, and the seat that called first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spadille.core.arguments import auction_words


@dataclass(frozen=True, slots=True, init=False)
class Auction:
    """The calls, as a string or a list; `first` is the seat that called first (default: eldest).

    Raises ArgumentError for anything else.
    """

    calls: tuple[str, ...]
    first: str | None

    def __init__(self, calls: str | Iterable[str] = (), first: str | None = None) -> None:
        object.__setattr__(self, "calls", auction_words(calls))
        object.__setattr__(self, "first", first)

    @classmethod
    def of_entry(cls, calls: tuple[str, Sequence[str]] | None) -> Auction:
        """Return the auction recorded in an entry of a hand file."""
        return cls() if calls is None else cls(calls[1], calls[0])


NO_CALLS = Auction()


def read_auction(auction: Auction | str | Iterable[str]) -> Auction:
    """Convert an auction, which may be an Auction, a string or a list of calls."""
    return auction if isinstance(auction, Auction) else Auction(auction)
