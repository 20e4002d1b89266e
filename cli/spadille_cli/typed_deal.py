"""A deal given on the command line: its options become a hand file, which is read as usual."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass

from spadille.base.card_text import parse_card
from spadille.base.errors import SpadilleError
from spadille.core.contract import first_leader
from spadille.core.knowledge.seat_knowledge import winning_card
from spadille.pbn.document import escape
from spadille.pbn.entry import Entry
from spadille.pbn.foreign_letters import parse_letters
from spadille.pbn.hand_file import HandFile, read

NAME = "--deal"  # instead of the name of a file


@dataclass(frozen=True, slots=True)
class Typed:
    """The tags that the options set, in order, and the cards played."""

    tags: Mapping[str, str | None]
    play: str | None = None

    @classmethod
    def of(cls, tags: Mapping[str, str | None], play: str | None, letters: str) -> Typed:
        """Return the deal in these tags, converting its cards from the letters of a language."""
        named = {name: tags[name] for name in ("Deal", "Talon") if tags[name] is not None}
        written = "".join(f'[{name} "{escape(text or "")}"]\n' for name, text in named.items())
        if play is not None:
            written += f'[Play "?"]\n{play}\n'
        (game,) = parse_letters(written, letters).games
        if play is not None:
            play = " ".join(text for text, _ in game.names["Play"].play_tokens())
        return cls({**tags, **{name: game.get(name) for name in named}}, play)

    def read(self, options: Mapping[str, str]) -> HandFile:
        """Return the hand file, which has one deal; `options` come from `--rules`."""
        said = ((name, value) for name, value in self.tags.items() if value is not None)
        text = "".join(f'[{name} "{escape(value)}"]\n' for name, value in said)
        file = read(text, None, options)
        if self.play is not None:
            lines = [" ".join(row) for row in _rows(file[0], self.play.replace(",", " ").split())]
            first = lines.pop(0)
            file = read(text + f'[Play "{first}"]\n' + "\n".join(lines) + "\n", None, options)
        return file


def option_of_tag(tag: str | None) -> str:
    """Return the option that sets a tag."""
    return NAME if tag is None else f"--{tag.lower()}"


def _rows(entry: Entry, cards: list[str]) -> Iterator[Iterable[str]]:
    """Yield the leader and the cards of each trick, in the columns of the Play section."""
    deal, contract = entry.deal, entry.seen_contract
    if deal is None or contract is None:
        yield ["?"]
        yield cards
        return
    seats = turn = deal.rules.in_turn(first_leader(deal, contract))
    yield [seats[0]]
    for start in range(0, len(cards), len(seats)):
        trick = cards[start : start + len(seats)]
        row = dict.fromkeys(seats, "-") | dict(zip(turn, trick, strict=False))
        yield row.values()
        with suppress(SpadilleError):  # its fault is reported as a fault in the file
            played = [parse_card(card) for card in trick]
            turn = deal.rules.in_turn(turn[winning_card(deal.rules, contract.trump, played)])
