"""Draw sentences at random, to be marked by somebody who has not read them before.

    python -m tests.support.sentences_to_review generated -n 200 --seed 7
    python -m tests.support.sentences_to_review texts -n 300 --seed 7

`generated` draws from the sentences that commands write about random hands of all games; `texts`
draws from README, docs, help, messages, docstrings and comments. Each line has a number.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

from benchmarks.player_against_rules_of_thumb import RuleOfThumb
from spadille import Contract, Deal, Position, know
from spadille.games import GAMES, rules_for
from spadille.generate.deals_to_play import deals_to_play
from spadille.pbn.write_deals import dumps
from tests.docs import test_writing

Piece = tuple[str, Path, str, int]
DEALS = 3
SLIPS = 0.25
COMMANDS = (
    "review --legend",
    "review --by player",
    "review --chances --samples 100",
    "cards",
    "cards --chances --plan --seconds 1",
    "best --chances --seconds 1",
    "solve --legend",
    "score --legend",
    "check",
)


def _play(deal: Deal, contract: Contract, random: Random) -> list[str]:
    """Return a play by rules of thumb with some random cards."""
    thumb, position, cards = RuleOfThumb(), Position.of(deal, contract), []
    while not position.finished:
        if random.random() < SLIPS:
            cards.append(random.choice(position.legal()))
        else:
            cards.append(thumb.card(know(deal, contract, position.to_play, cards)))
        position.play(cards[-1])
    return cards


def _outputs(seed: int) -> Iterator[tuple[str, str]]:
    for game in GAMES:
        random = Random(f"{seed} {game}")
        records = []
        for deal, contract in islice(deals_to_play(rules_for(game), seed), DEALS):
            play = _play(deal, contract, random)
            records.append((deal, contract, play))
            records.append((deal, contract, play[: random.randrange(len(play))]))
        with tempfile.NamedTemporaryFile("w", suffix=".pbn") as file:
            file.write(dumps(records))
            file.flush()
            for command in COMMANDS:
                done = subprocess.run(
                    ["spadille", *command.split(), file.name],
                    capture_output=True,
                    text=True,
                    check=False,
                    timeout=600,
                )
                yield f"{game} {command.split()[0]}", done.stdout + done.stderr


def _sentences(text: str) -> Iterator[str]:
    """Yield the sentences of paragraphs; rows of tables have no full stop."""
    for paragraph in re.split(
        r"\n\s*\n|\n(?=[-*#|>] )|\n *-{9,}\n|^.*\.pbn:|\n *\^|:\n(?=[A-Z])"
        r"|(?<= = \d)\n|(?<= = \d\d)\n|\(hand files:",
        text,
        flags=re.MULTILINE,
    ):
        words = " ".join(paragraph.split())
        for sentence in re.split(r"(?<=[.!?])(?<!et al\.) (?=[A-Z0-9`\"(])", words):
            if len(sentence.split()) >= 4 and re.search(r"[a-z][.!?]$", sentence.rstrip('`")*')):
                yield sentence


def generated(seed: int) -> set[str]:
    """Return sentences that commands write, each with its game and command."""
    return {f"[{at}] {one}" for at, text in _outputs(seed) for one in _sentences(text)}


def _continues(before: Piece, after: Piece) -> bool:
    """Return whether a comment or a string on one line continues on the next."""
    kind, path, text, line = before
    if (kind, path, line + text.count("\n") + 1) != (after[0], after[1], after[3]):
        return False
    if kind != "comments":
        return text.endswith(" ")
    lines = path.read_text(encoding="utf-8").splitlines()
    return all(lines[at].lstrip().startswith("#") for at in (line, after[3]))


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Join pieces of text in which one sentence may extend over several lines."""
    last: Piece | None = None
    for piece in pieces:
        if last and _continues(last, piece):
            last = (*last[:2], f"{last[2]}\n{piece[2]}", last[3])
            continue
        if last:
            yield last
        last = piece
    if last:
        yield last


def texts() -> set[str]:
    """Return sentences of README, docs, help, messages, docstrings, comments and the page."""
    found: set[str] = set()
    pieces = (*test_writing._pages(), *_joined(test_writing._sources()))
    for kind, path, text, _ in pieces:
        if path.suffix == ".md":
            # The test blanks out code, which a reader needs.
            raw = path.read_text(encoding="utf-8").partition(test_writing.GENERATED)[0]
            text = re.sub(r"^```.*?^```", "", raw, flags=re.MULTILINE | re.DOTALL)
        if path.suffix in {".cpp", ".hpp"} or kind == "the page":
            raw = path.read_text(encoding="utf-8")
            blocks = re.findall(r"(?:^ *//[^\n]*\n)+", raw, flags=re.MULTILINE)
            text = "\n\n".join(
                re.sub(r"^ *// ?", "", block, flags=re.MULTILINE) for block in blocks
            )
        found.update(f"[{path.relative_to(test_writing.TOP)}] {one}" for one in _sentences(text))
    return found


def main(arguments: Sequence[str]) -> None:
    """Print the sentences."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", choices=["generated", "texts"])
    parser.add_argument("-n", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    every = generated(asked.seed) if asked.kind == "generated" else texts()
    drawn = Random(asked.seed).sample(sorted(every), min(asked.n, len(every)))
    for number, sentence in enumerate(drawn, 1):
        print(f"{number}. {sentence}")


if __name__ == "__main__":
    main(sys.argv[1:])
