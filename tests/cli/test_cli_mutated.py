"""Example files with random damage: no command fails otherwise than it says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from endings import part

from spadille_cli import main

GAMES = ("german-solo", "mensch", "ombre", "quadrille", "quintille")
FOLDER = Path(__file__).parents[2] / "examples"
DEALS = [deal for game in GAMES for deal in (FOLDER / f"{game}.pbn").read_text().split("\n\n")]
TAG = re.compile(r'\[(\w+) "([^"]*)"\]\n?')
CARD = re.compile(r"\b[SHDC][2-9TJQKA]\b")
VALUES = [
    *("", "?", "-", "N", "X", "NT", "SA", "H10", "solo", "nemo", "pass", "##x", "#", "N:- - - -"),
    *("1:3;2:4", "99999", '\\"', "♠", "^N", "solo solo", "1 2 3", "ombre", "squint", "color=H"),
    "matador_rule=none;rotation=cw",
]
PIECES = [
    *("SA", "-", "+", "*", "^R", "^L", "!", "$3", "=1=", "{x}", "{", "}", ";", "%", '"', "[", "]"),
    *("\n\n", "\n", "\t", "hold", "é", "\0", "\ufeff", "\r", "\f"),
]
COMMANDS = [
    *("check", "fmt", "fmt --in-place", "solve", "solve --objective score", "cards --after 0"),
    *("cards", "review", "review --annotate --optimum", "table", "table --annotate", "best"),
    "solve --contract solo --declarer N --trump H",
    "review --contract solo --dealer X",
    *("show", "show --after 3", "show --contract solo --declarer N --trump H"),
]


def insert(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(PIECES) + text[at:]


def cut(text: str, rng: Random) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + text[at + rng.randrange(9) :]


def other_value(text: str, rng: Random) -> str:
    tag = rng.choice([*TAG.finditer(text)] or [None])
    return text[: tag.start(2)] + rng.choice(VALUES) + text[tag.end(2) :] if tag else text


def without_tag(text: str, rng: Random) -> str:
    tag = rng.choice([*TAG.finditer(text)] or [None])
    return text[: tag.start()] + text[tag.end() :] if tag else text


def swapped_lines(text: str, rng: Random) -> str:
    lines = text.split("\n")
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return "\n".join(lines)


def swapped_cards(text: str, rng: Random) -> str:
    cards = [*CARD.finditer(text)]
    if len(cards) < 2:
        return text
    one, other = sorted(rng.sample(cards, 2), key=lambda card: card.start())
    middle = text[one.end() : other.start()]
    return text[: one.start()] + other.group() + middle + one.group() + text[other.end() :]


DAMAGES: tuple[Callable[[str, Random], str], ...] = (
    *(insert, cut, other_value, without_tag, swapped_lines, swapped_cards),
)


@pytest.mark.parametrize("seed", part(range(3), 0))
@pytest.mark.parametrize("command", COMMANDS)
def test_damaged_files(command: str, seed: int, tmp_path: Path) -> None:
    rng = Random(f"{command} {seed}")
    path = tmp_path / "deals.pbn"
    name, *options = command.split()
    writes = {"--in-place", "--annotate"} & {*options}
    listing = [] if name == "fmt" else ["--format", "json"]
    for _ in range(3):
        text = rng.choice(DEALS)
        for _ in range(rng.randrange(1, 5)):
            text = rng.choice(DAMAGES)(text, rng)
        path.write_text(text, encoding=rng.choice(("utf-8", "utf-8", "utf-16")), newline="")
        result = CliRunner().invoke(main, [name, *options, *listing, str(path)])
        assert isinstance(result.exception, SystemExit | None), text
        found = (0, 1) if name == "check" else (0,)
        assert result.exit_code in found or (result.exit_code == 3 and result.stderr), text
        if listing:
            json.loads(result.stdout)
        if writes:
            once = path.read_bytes()
            CliRunner().invoke(main, [name, *options, str(path)])
            assert path.read_bytes() == once, text
