"""Bridge files, which name neither a game nor a contract of spadille: options give both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from spadille_cli import main

SOLO = (Path(__file__).parents[2] / "examples" / "solo-whist.pbn").read_text().split("\n\n")[2]
# Options do not show how the contract was bid.
SOLO = SOLO.replace('[Auction "N"]\nPass Pass solo Pass\n', "")
OURS = ("Game", "CurrentTrump", "Contract", "Result")
# The same cards and play as a bridge program would write them.
BRIDGE = '[Contract "4S"]\n' + "\n".join(
    line for line in SOLO.splitlines() if line.strip("[").split()[0] not in OURS
)
TERMS = ("--game", "solo-whist", "--contract", "solo", "--trump", "S")


def run(command: str, *args: str, text: str = BRIDGE) -> Result:
    return CliRunner().invoke(main, [command, *args, "-"], input=text)


def one(command: str, *args: str, text: str = BRIDGE) -> dict:
    result = run(command, *args, "--format", "json", text=text)
    assert result.exit_code == 0, result.stderr
    (record,) = json.loads(result.stdout)
    return {name: value for name, value in record.items() if name not in ("ms", "nodes")}


@pytest.mark.parametrize("command", ["review", "cards"])
def test_the_contract_of_the_options_is_the_one_of_the_play(command: str) -> None:
    found = one(command, *TERMS)
    assert found == one(command, text=SOLO)
    assert found["cards"] or found["after"] == 52


def test_points_of_such_a_play() -> None:
    assert one("cards", *TERMS, "--trick", "3") == one("cards", "--trick", "3", text=SOLO)
    assert one("cards", *TERMS, "--after", "5")["after"] == 5


def test_without_a_contract_there_is_nothing_to_review() -> None:
    result = run("review", "--game", "solo-whist")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "'4S' is a bridge contract, not a contract of Solo Whist: name one with" in result.stderr
    passed = run("solve", "--game", "solo-whist", text=BRIDGE.replace("4S", "Pass"))
    assert "all passed, and no option gives a contract" in passed.stderr
    unknown = run("solve", "--game", "solo-whist", text=BRIDGE.replace("4S", "?"))
    assert "no contract is given" in unknown.stderr


def test_another_leader() -> None:
    moved = BRIDGE.replace('[Dealer "W"]', '[Dealer "N"]')
    result = run("review", *TERMS, text=moved)
    assert result.exit_code == 3
    assert "N does not lead to the first trick, E does" in result.stderr
    for seat in (("--dealer", "W"), ("--leader", "N")):
        assert one("review", *TERMS, *seat, text=moved) == one("review", text=SOLO)


def test_faults_of_the_play_are_those_under_the_contract_of_the_options() -> None:
    revoke = BRIDGE.replace("SQ", "SX")
    result = run("review", *TERMS, "--format", "json", text=revoke)
    assert result.exit_code == 3
    assert result.stderr.count("'SX' is not a card") == 1
    assert json.loads(result.stdout)[0]["error"]["code"] == "card-unreadable"


def test_reviews_are_written_into_the_file(tmp_path: Path) -> None:
    path = tmp_path / "bridge.pbn"
    path.write_text(BRIDGE)
    result = CliRunner().invoke(main, ["review", *TERMS, "--annotate", str(path)])
    assert (result.exit_code, result.stderr) == (0, "")
    text = path.read_text()
    assert "{spadille:" in text
    assert '[Contract "4S"]' in text
