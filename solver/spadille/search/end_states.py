"""List the possible outcomes of a hand, as far as payoffs distinguish them.

A state consists of the tricks won by groups of players, the winner of the first run, and whether
the side went on after it.
"""

from __future__ import annotations

from spadille.games.model.contract_types_and_options import Outcome
from spadille.games.model.game import Rules

_RUNS = {1: "won", 0: None, -1: "lost"}


def run_on(seen: int, won_by: int, run: int, won: bool) -> tuple[int, int]:
    """Return the state of the first run after one more trick."""
    if seen < run:
        now = 1 if won else -1
        return seen + 1, now if not seen or won_by == now else 0
    return (run + 1, 1) if won_by == 1 else (seen, won_by)


# The tricks of each group; the number of tricks so far, up to one more than the first run; the
# group that won all of them.
State = tuple[tuple[int, ...], int, int]


class EndStates:
    """The states of a hand: the tricks of groups, the first run, and whether the side went on.

    `groups` lists the group of each player, or -1 for players whose tricks are not counted. The
    first run is won or lost by group 0. `ends` says whether the side may stop after the first run.
    """

    def __init__(
        self,
        rules: Rules,
        groups: tuple[int, ...],
        run: int,
        ends: bool,
        tricks: int,
        start: State,
    ) -> None:
        self.players = len(groups)
        self.groups = groups
        self.run = run
        self.ends = ends
        self.tricks = tricks
        self.start = start
        self.size = rules.game.hand_size
        seats = [rules.turn_order[groups.index(group)] for group in range(max(groups) + 1)]
        self._members = tuple(seats)
        self._rest = rules.turn_order[groups.index(-1)]
        self._seats = rules.seats
        states = {start}
        self.outcomes: dict[State, Outcome] = {}
        for _ in range(tricks):
            self._offer(states)
            states = {
                self.step(state, winner, False) for state in states for winner in range(len(groups))
            }
        self.outcomes |= {state: self._outcome(state) for state in sorted(states)}

    def _offer(self, states: set[State]) -> None:
        for state in sorted(states):
            if self.may_stop(state):
                self.outcomes[state] = self._outcome(state)
                states.add(self.led(state))

    def may_stop(self, state: State) -> bool:
        """Return whether the side has just won a first run after which it may stop."""
        return self.ends and state[1] == self.run and state[2] == 1

    def led(self, state: State) -> State:
        """Return the state after the lead to the next trick."""
        return (state[0], self.run + 1, 1) if self.may_stop(state) else state

    def step(self, state: State, winner: int, marked: bool) -> State:
        """Return the state after one more trick."""
        won, seen, won_by = state
        group = self.groups[winner]
        if group >= 0:
            won = (*won[:group], won[group] + 1, *won[group + 1 :])
        seen, won_by = run_on(seen, won_by, self.run, group == 0)
        return won, seen if self.ends else min(seen, self.run), won_by

    def _outcome(self, state: State) -> Outcome:
        won, seen, won_by = state
        tricks = dict.fromkeys(self._seats, 0)
        tricks |= dict(zip(self._members, won, strict=True))
        tricks[self._rest] = self.size - sum(won)
        return Outcome(tricks, _RUNS[won_by], went_on=seen > self.run)
