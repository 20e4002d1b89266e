"""Example files with random damage: every command fails only in the documented ways."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from spadille_cli import main
from tests.fuzz.damage import damaged
from tests.support.tiers import part

GAMES = ("german-solo", "mensch", "ombre", "quadrille", "quintille")
FOLDER = Path(__file__).parents[2] / "examples"
DEALS = [deal for game in GAMES for deal in (FOLDER / f"{game}.pbn").read_text().split("\n\n")]
COMMANDS = [
    *("check", "fmt", "fmt --in-place", "solve", "solve --objective score", "cards --after 0"),
    *("cards", "review", "review --annotate --optimum", "table", "table --annotate", "best"),
    "solve --contract solo --declarer N --trump H",
    "review --contract solo --dealer X",
    *("show", "show --after 3", "show --contract solo --declarer N --trump H"),
]


@pytest.mark.ci
@pytest.mark.parametrize("seed", part(range(3), 0))
@pytest.mark.parametrize("command", COMMANDS)
def test_damaged_files(command: str, seed: int, tmp_path: Path) -> None:
    rng = Random(f"{command} {seed}")
    path = tmp_path / "deals.pbn"
    name, *options = command.split()
    writes = {"--in-place", "--annotate"} & {*options}
    listing = [] if name == "fmt" else ["--format", "json"]
    for _ in range(3):
        text = damaged(rng, DEALS)
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
