"""What the deals of a file settle for those behind them: a file is a session, in its order.

A game may have an option that changes in the course of a session (`Game.changing`, in German Solo
`color=changing`). Deals under it are those of the session; it has its first value until a contract
of theirs is made, and from then on the trump of that contract. Whether one was made is asked of the
record and never guessed: where a deal does not say it, those behind it are refused.

A contract is made if all `spadille.ending.endings` of the record say so. A deal nobody played makes
none.
"""

from __future__ import annotations

from typing import Protocol

from spadille.ending import Recorded, endings
from spadille.games import GAMES, rules_for
from spadille.pbn.tags import TagReader
from spadille.rules import Rules
from spadille.validate.deal import finding


class SessionDeal(Recorded, Protocol):
    """What is asked of a deal of the file, a `spadille.pbn.handfile.Entry`."""

    @property
    def index(self) -> int:
        """Its number in the file, from 0."""

    @property
    def board(self) -> str | None:
        """The tag `Board`."""


class Session:
    """What earlier deals have settled, by game."""

    __slots__ = ("_settled", "_silent")

    def __init__(self) -> None:
        self._settled: dict[str, str] = {}  # game -> the trump of the first contract made
        self._silent: dict[str, str] = {}  # game -> the first deal that does not say if it was

    def rules(self, reader: TagReader, rules: Rules) -> Rules:
        """Return the rules of the next deal, adding a fault where the deals before leave them open.

        Deals of other games, and those whose option has another value, keep theirs.
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
                    f"{changing.option} is not known here: {silent} does not say whether its"
                    " contract was made (Result or Play)",
                    "Rules" if in_tag else "Game",
                    written if in_tag else game,
                    f"RULES {rules.bidding.section}: {changing.text}",
                )
            )
        value = self._settled.get(game, changing.at_first)
        return rules_for(game, {**rules.options, changing.option: value})

    def add(self, entry: SessionDeal, rules: Rules) -> None:
        """Take note of a deal that was played by these rules, before `rules` settled them."""
        changing, game = rules.game.changing, rules.game.id
        if changing is None or rules.options[changing.option] != changing.value:
            return
        if game in self._settled or game in self._silent:
            return
        made = _made(entry)
        if made is None:
            self._silent[game] = _name(entry)
        elif made and entry.contract is not None and entry.contract.trump is not None:
            self._settled[game] = entry.contract.trump

    def failed(self, entry: SessionDeal) -> None:
        """Take note of a deal that could not be read to its end, and says nothing."""
        for game in GAMES:
            if entry.rules is None or entry.rules.game.id == game:
                self._silent.setdefault(game, _name(entry))


def _name(entry: SessionDeal) -> str:
    board = "" if entry.board is None else f" (board {entry.board})"
    return f"deal {entry.index + 1} of the file{board}"


def _made(entry: SessionDeal) -> bool | None:
    """Whether the contract of a deal was made; None if the record does not say it."""
    if entry.passed_out:
        return False
    deal, contract = entry.deal, entry.contract
    if deal is None or contract is None or any(f.tag in ("Play", "Result") for f in entry.faults):
        return None
    found = endings(deal, contract, entry.play, entry.result, entry.surrender)
    names = {deal.rules.outcome_name(contract, outcome) for outcome in found}
    return names == {"made"} if len(names) == 1 else None
