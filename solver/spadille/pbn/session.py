"""What the deals of a file settle for those behind them: a file is a session, in its order.

A game may have an option that changes in the course of a session (`Game.changing`, in German Solo
`color=changing`). Deals under it are those of the session; it has its first value until a contract
of theirs is made, and from then on the trump of that contract. Whether one was made is asked of the
record and never guessed: where a deal does not say it, those behind it are refused.

A contract is made if the recorded play says so, as far as it goes: when the rest of the tricks can
change nothing, or `Result` has them as claimed. Without play `Result` says it. `Contract "Pass"` is
a deal nobody played.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Protocol

from spadille.contract import Contract
from spadille.deal import Deal
from spadille.errors import Fault
from spadille.games import GAMES, rules_for
from spadille.parts import Outcome
from spadille.pbn.document import Game
from spadille.pbn.play import Play
from spadille.pbn.tags import TagReader
from spadille.position import Position
from spadille.rules import Rules
from spadille.validate.deal import finding


class Record(Protocol):
    """What is asked of a deal of the file and its play, a `spadille.pbn.handfile.Entry`."""

    @property
    def game(self) -> Game:
        """The game in the document."""

    @property
    def index(self) -> int:
        """Its number in the file, from 0."""

    @property
    def board(self) -> str | None:
        """The tag `Board`."""

    @property
    def rules(self) -> Rules | None:
        """The rules of the game, if it is known."""

    @property
    def deal(self) -> Deal | None:
        """The deal, if it is sound."""

    @property
    def contract(self) -> Contract | None:
        """The contract, if it is sound."""

    @property
    def play(self) -> Play | None:
        """The recorded play."""

    @property
    def faults(self) -> Sequence[Fault]:
        """The faults of all these."""


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

    def add(self, entry: Record, rules: Rules) -> None:
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

    def failed(self, entry: Record) -> None:
        """Take note of a deal that could not be read to its end, and says nothing."""
        for game in GAMES:
            if entry.rules is None or entry.rules.game.id == game:
                self._silent.setdefault(game, _name(entry))


def _name(entry: Record) -> str:
    board = "" if entry.board is None else f" (board {entry.board})"
    return f"deal {entry.index + 1} of the file{board}"


def _made(entry: Record) -> bool | None:
    """Whether the contract of a deal was made; None if the record does not say it."""
    if (entry.game.get("Contract") or "").strip().lower() == "pass":
        return False
    deal, contract = entry.deal, entry.contract
    if deal is None or contract is None or any(f.tag in ("Play", "Result") for f in entry.faults):
        return None
    rules = deal.rules
    kind = rules.contract(contract.ids[0])
    winners = [seat for seat, number in deal.won.items() for _ in range(number)]
    running = False
    if entry.play is not None:
        position = Position.of(deal, contract)
        for leader, cards in zip(entry.play.leaders, entry.play.tricks, strict=True):
            position.to_play = leader
            for card in cards:
                position.force(card)
        winners += [trick.winner for trick in position.tricks]
        running = bool(position.trick)
    # The order of the tricks before an end position is not known: they count if all were won.
    own = set(rules.runners(contract))
    run = len(winners) >= kind.first_run > 0 and own.issuperset(
        winners[: max(kind.first_run, sum(deal.won.values()))]
    )
    went_on = {run and (len(winners) > kind.first_run or running)}
    if run and went_on == {False} and entry.play is not None and entry.play.in_progress:
        went_on = {False, True}
    left = rules.game.hand_size - len(winners)
    claimed = _claimed(entry, sum(seat in contract.side for seat in winners), left)
    other = next(seat for seat in rules.seats if seat not in contract.side)
    names = set()
    for rest, on in product((0, left) if claimed is None else (claimed,), went_on):
        tricks = Counter(winners)
        tricks[contract.declarer] += rest
        tricks[other] += left - rest
        outcome = Outcome(
            {seat: tricks[seat] for seat in rules.seats}, "won" if run else None, went_on=on
        )
        names.add(rules.outcome_name(contract, outcome))
    return names == {"made"} if len(names) == 1 else None


def _claimed(entry: Record, won: int, left: int) -> int | None:
    """How many of the tricks that are left the declaring side has by `Result`."""
    text = (entry.game.get("Result") or "").strip()
    if not re.fullmatch("[0-9]{1,2}", text) or not won <= int(text) <= won + left:
        return None
    return int(text) - won
