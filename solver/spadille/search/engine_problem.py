"""A question in the engine's terms: players are numbers, and hands are bitboards."""

from __future__ import annotations

from typing import NamedTuple

from spadille.games.model.following_suit import Following

LANE = 0xFFFF


class EngineProblem(NamedTuple):
    """A position and the rules for following suit; it does not include the contract.

    A card is a number ``16 * suit + rank`` (rank 0 is the lowest in its effective suit), and a hand
    is the sum of ``1 << card``. Players are numbered in order of play.
    """

    players: int
    hands: tuple[int, ...]
    trump: int
    """The lane of the trump suit; -1 at no trump or if the trump is open."""
    leader: int
    """The player who leads to the current trick."""
    trick: tuple[int, ...] = ()
    """The cards on the table, in order of play; the hands no longer include them."""
    matadors: int = 0
    """The privileged top trumps; these may include played ones."""
    called: int = -1
    """The called card, if it has a duty (`called_card_duty=first-lead`) and has not been played;
    otherwise -1."""
    following: Following = Following()

    @property
    def to_play(self) -> int:
        """The player whose turn it is."""
        return (self.leader + len(self.trick)) % self.players

    @property
    def tricks(self) -> int:
        """The number of tricks still to be completed, including the current one."""
        return self.hands[self.leader].bit_count() + bool(self.trick)

    def named(self, lane: int) -> EngineProblem:
        """Return the problem with this suit as trumps; ranks must not depend on the trump."""
        return self._replace(trump=lane)

    def winner(self) -> int:
        """Return the player who is winning the current trick."""
        return (self.leader + _best(self.trick, self.trump)) % self.players

    def played(self, card: int) -> EngineProblem:
        """Return the problem after the player to move plays a card; a complete trick is removed."""
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
    """Return the index of the card that is winning a trick."""
    best = trick[0]
    for card in trick:
        if card >> 4 == best >> 4:
            best = max(card, best)
        elif card >> 4 == trump:
            best = card
    return trick.index(best)
