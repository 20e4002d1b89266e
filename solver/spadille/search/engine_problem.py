"""One question in the engine's terms: bitboards in order of play instead of seats and suits."""

from __future__ import annotations

from typing import NamedTuple

from spadille.games.model.following_suit import Following

LANE = 0xFFFF


class EngineProblem(NamedTuple):
    """A position, the rules of following suit, nothing about contracts.

    A card is a number ``16 * suit + rank`` (rank 0 the lowest of its effective suit), a hand the
    sum of ``1 << card``.  Players are numbered in order of play.
    """

    players: int
    hands: tuple[int, ...]
    trump: int
    """Suit number, -1 at no trump."""
    leader: int
    """The player who led, or leads, the running trick."""
    trick: tuple[int, ...] = ()
    """Cards on the table, in order of play; they are in no hand."""
    matadors: int = 0
    """The top cards of the trump suit that have the privilege; played ones may be included."""
    called: int = -1
    """A called card under first-lead duty that is still out, else -1."""
    following: Following = Following()

    @property
    def to_play(self) -> int:
        """The player whose turn it is."""
        return (self.leader + len(self.trick)) % self.players

    @property
    def tricks(self) -> int:
        """Tricks not yet completed, the running one included."""
        return self.hands[self.leader].bit_count() + bool(self.trick)

    def named(self, lane: int) -> EngineProblem:
        """The same cards once a suit is made trumps, where ranks do not depend on it."""
        return self._replace(trump=lane)

    def winner(self) -> int:
        """The player who wins the running trick so far."""
        return (self.leader + _best(self.trick, self.trump)) % self.players

    def played(self, card: int) -> EngineProblem:
        """The problem after the player to move has played a card; a full trick is taken up."""
        players, hands_before, trump, leader, trick, matadors, called, following = self
        hands = list(hands_before)
        hands[(leader + len(trick)) % players] ^= 1 << card
        trick = (*trick, card)
        if len(trick) == players:
            leader, trick = (leader + _best(trick, trump)) % players, ()
        if card == called:
            called = -1
        return EngineProblem(
            players=players,
            hands=tuple(hands),
            trump=trump,
            leader=leader,
            trick=trick,
            matadors=matadors,
            called=called,
            following=following,
        )


def _best(trick: tuple[int, ...], trump: int) -> int:
    """Return which card of a trick wins it as it lies."""
    best = trick[0]
    for card in trick:
        if card >> 4 == best >> 4:
            best = max(card, best)
        elif card >> 4 == trump:
            best = card
    return trick.index(best)
