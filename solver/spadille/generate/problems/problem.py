"""A problem: a decision with one winning card, its solution, and its description."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill

from spadille.base.cached import cached_property
from spadille.base.card_text import NO_TRUMP, SUIT_NAMES
from spadille.base.words_for_messages import listed, seat_name
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.generate.problems.goal_and_winning_cards import Stake
from spadille.generate.problems.key_line import Ply
from spadille.pbn.document import escape
from spadille.pbn.entry import Entry
from spadille.pbn.export_format import HEADER, export
from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import parse
from spadille.pbn.write_deals import dumps

_WIDTH = 79
METHODS = ("double-dummy", "reasoned")
"""A problem is solved either with all hands shown or with only its player's knowledge."""


@dataclass(frozen=True, repr=False)
class Problem:
    """A decision with exactly one winning card among three or more different ones."""

    deal: Deal
    contract: Contract
    play: tuple[str, ...]
    """The cards played before the decision."""
    seat: str
    """The player in question."""
    question: str
    """The question in a sentence."""
    key: str
    """The winning card."""
    equals: tuple[str, ...]
    """The cards equivalent to the key."""
    choices: int
    """The number of different cards to choose from."""
    themes: tuple[str, ...]
    difficulty: float
    line: tuple[Ply, ...]
    """The key line, starting with the key."""
    why: tuple[str, ...]
    """Sentences about the most natural wrong cards."""
    reasoned: bool = False
    """Whether the key is best given only what its player knows, by proof or by settled samples.
    If not, it is the best card only double-dummy, and all hands must be shown.
    """
    plan: str = ""
    """The solution in words, if it is a plan instead of a line."""

    def __repr__(self) -> str:
        return f"<Problem {self.deal.rules.game.id}: {self.question}>"

    @cached_property
    def solution(self) -> str:
        """The solution in words: the key, the line trick by trick, and the refutations.

        A trick is written as its leader and its cards in order of play; "!" marks an only move.
        """
        if self.plan:
            return self.plan
        size = len(self.deal.rules.seats)
        table = self.play[len(self.play) - len(self.play) % size :]
        cards = [*table, *(f"{ply.card}{'!' * ply.only}" for ply in self.line)]
        first = self.deal.rules.turn_order.index(self.seat) - len(table)
        parts = [listed([self.key, *self.equals], "or")]
        leader = self.deal.rules.turn_order[first % size]
        tricks = []
        for start in range(0, len(cards), size):
            if start:
                leader = self.line[start - len(table)].seat
            tricks.append(f"{leader}: {' '.join(cards[start : start + size])}")
        parts.append("; ".join(tricks))
        return " ".join([f"Solution: {parts[0]}. {parts[1]}.", *self.why])

    @cached_property
    def entry(self) -> Entry:
        """The problem as an entry of a hand file, for `dumps` and `dump`."""
        return read(self.text())[0]

    def text(self, board: str = "") -> str:
        """Write the problem as one deal of a hand file, without its header."""
        tags = {
            "Board": board,
            "Difficulty": f"{self.difficulty:.2f}",
            "Key": self.key,
            "Method": METHODS[self.reasoned],
            "Question": self.question,
            "Theme": "; ".join(self.themes),
        }
        lines = [f'[{name} "{escape(value)}"]' for name, value in tags.items() if value]
        lines.append(dumps([(self.deal, self.contract, self.play)]).removeprefix(HEADER).rstrip())
        if not self.play:
            lines += [f'[Play "{Position.of(self.deal, self.contract).leader}"]', "*"]
        lines.append(fill(f"{{{self.solution}}}", _WIDTH, break_on_hyphens=False))
        return export(parse("\n".join(lines)), newline="\n").removeprefix(HEADER)


def question_of(stake: Stake, *, plan: bool = False) -> str:
    """Return the question as a sentence; with `plan`, the other hands are hidden."""
    question = stake.question
    contract, who = question.contract, seat_name(stake.seat(stake.hero))
    kind = question.kind
    if kind.aim == "nemo":
        worth = question.named(stake.need)
        penalty = SUIT_NAMES[contract.penalty or ""]
        return (
            f"Which card must {who} play to be sure of {worth} points in {kind.name}, "
            f"with {penalty} as the penalty suit?"
        )
    trump = contract.trump
    trumps = "" if trump in (None, NO_TRUMP) else f" in {SUIT_NAMES[trump]}"
    verb = "make" if stake.gains else "defeat"
    declarer = seat_name(question.seat)
    whose = "the" if who == declarer else f"{declarer}'s"
    unseen = " in the most layouts, without seeing the other hands" if plan else ""
    return f"Which card must {who} play to {verb} {whose} {kind.name}{trumps}{unseen}?"
