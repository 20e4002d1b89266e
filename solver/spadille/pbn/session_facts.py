"""The facts that deals settle for later deals of the same session; each file is a session.

A game may have an option that changes during a session (`Game.changing`, in German Solo
`color=changing`). The deals with this option form the session. Until a contract is made in one of
these deals, the option has its first value; after that, it is the trump of that contract. Only the
record decides whether a contract was made; if it leaves that unclear, later deals are rejected.

A contract counts as made if it is made in all `spadille.core.recorded_outcome.endings` of the
record. A passed-out deal has no such contract.

In some games, the current trump changes from deal to deal (`GameCourse.trumps`). If a deal does not
name its current trump, a contract in the current trump is played in the trump whose turn it is.
"""

from __future__ import annotations

from typing import Protocol

from spadille.core.contract import Contract
from spadille.core.deal_faults import finding
from spadille.core.recorded_outcome import Recorded, current_trump, endings
from spadille.games import GAMES, rules_for
from spadille.games.model.contract_types_and_options import Outcome
from spadille.games.model.game import Rules
from spadille.pbn.tags import TagReader


class SessionDeal(Recorded, Protocol):
    """The attributes needed here of a deal in a file (an `Entry` of `spadille.pbn.entry`)."""

    @property
    def index(self) -> int:
        """The index of the deal in the file, from 0."""

    @property
    def board(self) -> str | None:
        """The value of the deal's `Board` tag."""

    @property
    def posed(self) -> object | None:
        """The question of a problem; problems are not part of the session."""


class Session:
    """The facts that earlier deals have settled, by game."""

    def __init__(self) -> None:
        self._file = 1  # number of the file in the session, from 1
        self._settled: dict[str, str] = {}  # by game: the trump of the first contract made
        self._silent: dict[str, str] = {}  # by game: the first deal with an unclear result
        self._last_trump: dict[str, str] = {}  # by game: the current trump of the last deal

    def in_next_file(self) -> Session:
        """Return a session that continues in another file; this one does not change."""
        other = Session()
        other._file = self._file + 1
        other._settled, other._last_trump = {**self._settled}, {**self._last_trump}
        other._silent = {
            game: name.replace("of the file", "of file 1") for game, name in self._silent.items()
        }
        return other

    def rules(self, reader: TagReader, rules: Rules) -> Rules:
        """Return the rules for the next deal; report a fault if earlier deals do not settle them.

        Deals of other games, and deals in which the option has another value, keep their own rules.
        """
        changing, game = rules.game.changing, rules.game.id
        if changing is None or rules.options[changing.option] != changing.value:
            return rules
        silent = self._silent.get(game)
        if silent is not None and game not in self._settled:
            written = f"{changing.option}={changing.value}"
            in_tag = changing.value in (reader.value("Rules") or "")
            reader.add(
                finding(
                    "option-unsettled",
                    f"{changing.option} is unknown here: {silent} does not say whether its"
                    " contract was made (Result or Play)",
                    "Rules" if in_tag else "Game",
                    written if in_tag else game,
                    rules.cite(changing.text),
                )
            )
        value = self._settled.get(game, changing.at_first)
        return rules_for(game, {**rules.options, changing.option: value})

    def trump(self, rules: Rules) -> str | None:
        """Return the trump whose turn it is in the next deal; None if trumps have no order."""
        course = rules.game.course
        return course.trump_after(self._last_trump.get(rules.game.id)) if course.trumps else None

    def add(self, entry: SessionDeal, rules: Rules) -> None:
        """Record a deal, whose rules are passed as they were before `self.rules` settled them."""
        self._take_turn(entry, rules)
        changing, game = rules.game.changing, rules.game.id
        if changing is None or rules.options[changing.option] != changing.value:
            return
        if game in self._settled or game in self._silent:
            return
        made = _made(entry)
        if made is None:
            self._silent[game] = self._name(entry)
        elif made and entry.contract is not None and entry.contract.trump is not None:
            self._settled[game] = entry.contract.trump

    def failed(self, entry: SessionDeal) -> None:
        """Record a deal that could not be read to its end and therefore settles nothing."""
        if entry.rules is not None:
            self._take_turn(entry, entry.rules)
        for game in GAMES:
            if entry.rules is None or entry.rules.game.id == game:
                self._silent.setdefault(game, self._name(entry))

    def _take_turn(self, entry: SessionDeal, rules: Rules) -> None:
        if entry.posed is None:
            self.follow(rules, current_trump(entry))

    def follow(self, rules: Rules, trump: str | None) -> None:
        """Record the current trump of a deal; None if the deal has none."""
        due = self.trump(rules)
        if due is not None:
            known = trump if trump in rules.game.course.trumps else None
            self._last_trump[rules.game.id] = known or due

    def _name(self, entry: SessionDeal) -> str:
        board = "" if entry.board is None else f" (board {entry.board})"
        file = "the file" if self._file == 1 else f"file {self._file}"
        return f"deal {entry.index + 1} of {file}{board}"


def _made(entry: SessionDeal) -> bool | None:
    """Return whether the contract of a deal was made; None if the record leaves it open."""
    if entry.passed_out:
        return False
    deal, contract = entry.deal, entry.contract
    if deal is None or contract is None:
        return None
    if any(fault.tag in ("Play", "Result") for fault in entry.faults):
        return None
    outcomes = endings(deal, contract, entry.play, entry.result, entry.surrender)
    made = {_counts_as_made(deal.rules, contract, outcome) for outcome in outcomes}
    return made.pop() if len(made) == 1 else None


def _counts_as_made(rules: Rules, contract: Contract, outcome: Outcome) -> bool:
    changing = rules.game.changing
    assert changing is not None
    option, value = changing.bid_suffices
    if rules.options[option] == value:
        return rules.made(contract, outcome)
    return rules.outcome_name(contract, outcome) == "made"
