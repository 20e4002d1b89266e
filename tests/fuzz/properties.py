"""Properties that hold for any text, for the fuzzers: each takes a text and asserts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from random import Random

from spadille.batch.fast_deal_reader import Frames
from spadille.batch.file_chunks import passages
from spadille.pbn.document import PbnGame
from spadille.pbn.entry import Entry
from spadille.pbn.export_format import export
from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import decode, parse
from spadille.pbn.write_deals import block
from tests.fuzz import commands

_MOST = 4000  # the maximum length of a text given to commands, in characters
_LINES = 6  # the number of command lines tried with each text


def check_reader(text: str) -> None:
    """The reader never fails and loses nothing, and every place it reports exists."""
    file = read(text)
    assert file.text == text
    lines = text.count("\n") + text.count("\r") + 1
    for entry in file:
        for fault in entry.findings:
            assert fault.code != "internal", fault.message
            assert fault.line is None or 1 <= fault.line <= lines


def _tag_values(game: PbnGame, line: int = 0) -> list[tuple[object, ...]]:
    document = game.document
    faults = [(one.code, one.line and one.line + line, one.column) for one in game.faults]
    return [(tag.name, tag.value, document.position(tag.start)[0] + line) for tag in game.tags] + [
        (game.faults.more, *faults)
    ]


def check_passages(text: str) -> None:
    """Reading in passages gives the same games, and a frame the same values as the reader."""
    data = text.encode(errors="surrogatepass")
    found, frames = [], Frames()
    for passage in passages(BytesIO(data)):
        document = passage.document or parse(passage.text)
        found += [_tag_values(game, passage.line) for game in document.games]
        if passage.document is None and (framed := frames.read(passage.text)) is not None:
            (entry,) = read(passage.text)
            assert entry.deal is not None
            assert entry.contract is not None
            assert (framed.board, framed.question) == (
                entry.board,
                block((entry.deal, entry.contract)),
            )
    assert found == [_tag_values(game) for game in parse(decode(data)[0]).games]


def _meaning(entry: Entry) -> tuple[object, ...]:
    play = entry.play
    return (
        entry.board,
        entry.rules,
        entry.deal,
        entry.contract,
        entry.calls,
        play and (play.cards, play.in_progress),
        entry.result,
        entry.surrender,
        len(entry.faults),
    )


def check_fmt(text: str) -> None:
    """Text in canonical form stays unchanged, and canonical form keeps the meaning."""
    once = export(parse(text), newline="\n")
    assert export(parse(once), newline="\n") == once
    before, after = list(read(text)), list(read(once))
    if any(entry.game.faults for entry in before):
        return  # text that is not valid notation is kept, but may move
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        if not one.faults:
            assert _meaning(one) == _meaning(other)


def check_commands(text: str) -> None:
    """Commands fail only as documented, and annotated files can be read back."""
    if len(text) > _MOST:
        return
    for line in Random(text).sample(commands.LINES, _LINES):
        words = (*line.words.split(), commands.FILE)
        commands.check(commands.Try(words, text.encode(errors="surrogatepass"), line))


PROPERTIES: dict[str, Callable[[str], None]] = {
    "reader": check_reader,
    "passages": check_passages,
    "fmt": check_fmt,
    "commands": check_commands,
}


def corpus() -> Iterator[bytes]:
    """Return the initial texts: those that once failed, and the examples, game by game."""
    top = Path(__file__).parent
    for path in sorted((top / "corpus").glob("*")):
        yield path.read_bytes()
    for path in sorted((top.parents[1] / "examples").glob("*.pbn")):
        for game in path.read_text(encoding="utf-8").split("\n\n"):
            yield game.encode()
