"""Determine whether a game of several deals is over, and who has won it.

The `hands` and `play_to` options of a game set the number of hands or points that ends it; 0 means
no limit. Every deal of the evening counts as a hand, even a passed-out one. After a tie, extra
hands are played if the game requires a clear winner (`GameCourse.clear_winner`); otherwise, all
tied players win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from spadille.base.json_fields import JsonFields
from spadille.base.words_for_messages import listed, many, signed
from spadille.games.model.game import Rules


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEnd(JsonFields):
    """The state of a game after a deal."""

    hands: int
    """The number of hands played so far."""
    of: int | None
    """The number of hands in the game; None if only points end it."""
    play_to: int | None
    """The number of points that ends the game; None if only the number of hands ends it."""
    leaders: tuple[str, ...]
    """The players with the most points."""
    over: bool
    settled: bool = True
    """Whether the payoff of every deal is known."""

    json_names = ("hands", "of", "play_to", "over", "settled", "leaders", "winners", "due")

    @classmethod
    def after(
        cls, rules: Rules, hands: int, totals: Mapping[str, int], settled: bool
    ) -> GameEnd | None:
        """Return the state of a game after `hands` hands; None for a game that has no end."""
        of, play_to = (int(rules.options.get(name, 0)) for name in ("hands", "play_to"))
        if not (of or play_to) or not totals:
            return None
        most = max(totals.values())
        leaders = tuple(name for name, total in totals.items() if total == most)
        tied = settled and rules.game.course.clear_winner and len(leaders) > 1
        over = (of and hands >= of and not tied) or (play_to and most >= play_to)
        return cls(
            hands=hands,
            of=of or None,
            play_to=play_to or None,
            leaders=leaders,
            over=bool(over),
            settled=settled,
        )

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners; empty while the game goes on, or if some deal is not settled."""
        return self.leaders if self.over and self.settled else ()

    @property
    def due(self) -> int | None:
        """The number of hands to go, at least one after a tie; None if points end the game."""
        if self.of is None:
            return None
        return 0 if self.over else max(self.of - self.hands, 1)


def standing_text(end: GameEnd, totals: Mapping[str, int]) -> str:
    """Describe the state of a game in a sentence."""
    length = many(end.of, "hand") if end.of else many(end.play_to or 0, "point")
    leaders = listed(end.leaders, "and")
    best = signed(totals[end.leaders[0]])
    several = len(end.leaders) > 1
    if end.winners:
        win = "win" if several else "wins"
        return f"{leaders} {win} the game of {length} with {best}{' each' if several else ''}."
    if end.over:
        return f"The game of {length} is over, but not every deal is settled: no winner is known."
    if end.of is None or end.due is None:
        return f"Nobody has {length} yet, so play continues."
    played = f"{end.hands} of {many(end.of, 'hand')} played"
    if not end.settled:
        played += " (not all of them settled)"
    if end.hands >= end.of:
        return f"{played}, but {leaders} tie with {best}, so play continues."
    lead = "lead" if several else "leads"
    return f"{played}, {end.due} to go. {leaders} {lead} with {best}."
