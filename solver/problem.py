"""One question in the engine's terms: bitboards in order of play instead of seats and suits."""

from __future__ import annotations

from dataclasses import dataclass, replace

LANE = 0xFFFF


@dataclass(frozen=True, slots=True)
class Problem:
    """A position, the rules of following suit, nothing about contracts.

    A card is a number ``16 * suit + rank`` (rank 0 the lowest of its effective suit), a hand the
    sum of ``1 << card``.  Players are numbered in order of play.
    """

    players: int
    hands: tuple[int, ...]
    trump: int
    """Suit number, -1 at no trump."""
    leader: int
    """Who led, or leads, the running trick."""
    trick: tuple[int, ...] = ()
    """Cards on the table, in order of play; they are in no hand."""
    matadors: int = 0
    """The top cards of the trump suit that have the privilege; played ones may be included."""
    matador_rule: int = 0
    """0 none, 1 any-matador-led, 2 higher-only."""
    matador_trigger: int = 0
    """0 led-card, 1 highest-so-far."""
    mixed_matadors: int = 0
    """0 must-play-a-trump, 1 free-unless-all-lower."""
    called: int = -1
    """A called card under first-lead duty that is still out, else -1."""
    called_lead: int = 0
    """0 must-lead-called, 1 free."""
    called_early: int = 0
    """0 only-if-forced, 1 allowed."""

    @property
    def to_play(self) -> int:
        """The player whose turn it is."""
        return (self.leader + len(self.trick)) % self.players

    @property
    def tricks(self) -> int:
        """Tricks not yet completed, the running one included."""
        return self.hands[self.leader].bit_count() + bool(self.trick)

    def with_trump(self, lane: int) -> Problem:
        """The same cards with another suit as trumps, where ranks do not depend on it.

        The two suits change their numbers, so that all such problems share the engine's table.
        """
        if lane == self.trump:
            return self
        low, high = 16 * lane, 16 * self.trump

        def swapped(hand: int) -> int:
            both = (hand >> low ^ hand >> high) & LANE
            return hand ^ both << low ^ both << high

        trick = tuple(swapped(1 << card).bit_length() - 1 for card in self.trick)
        return replace(self, hands=tuple(swapped(hand) for hand in self.hands), trick=trick)

    def winner(self) -> int:
        """Who wins the running trick as it lies."""
        best = 0
        for i, card in enumerate(self.trick):
            if card >> 4 == self.trick[best] >> 4:
                best = i if card > self.trick[best] else best
            elif card >> 4 == self.trump:
                best = i
        return (self.leader + best) % self.players

    def played(self, card: int) -> Problem:
        """The problem after the player to move has played a card; a full trick is taken up."""
        hands = list(self.hands)
        hands[self.to_play] ^= 1 << card
        called = -1 if card == self.called else self.called
        after = self._with(tuple(hands), self.leader, (*self.trick, card), called)
        if len(after.trick) < self.players:
            return after
        return self._with(after.hands, after.winner(), (), called)

    def _with(
        self, hands: tuple[int, ...], leader: int, trick: tuple[int, ...], called: int
    ) -> Problem:
        # dataclasses.replace takes several times as long.
        return Problem(
            self.players,
            hands,
            self.trump,
            leader,
            trick,
            self.matadors,
            self.matador_rule,
            self.matador_trigger,
            self.mixed_matadors,
            called,
            self.called_lead,
            self.called_early,
        )
