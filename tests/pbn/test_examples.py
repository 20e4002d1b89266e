"""The hand files in `examples/` are sound, played legally, and have the values listed here."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.position import Position
from spadille.games import GAMES
from spadille.pbn.export_format import export
from spadille.pbn.hand_file import load, read
from spadille.pbn.parse_document import parse
from spadille.search.engine import Solver
from spadille_cli import main

FOLDER = Path(__file__).parents[2] / "examples"
FILES = sorted(FOLDER.glob("*.pbn"))

# Each file's deals in order: contract, tricks, outcome, and the score by seats in order and then
# the pool. With several declarers: tricks, outcomes and guaranteed points of each. Most values were
# confirmed by a plain search of the rules of play, of long hands on their endings.
EXPECTED = """\
anna-cubed solo | 5 | made | 0 1 0 0
anna-cubed prop-cop | 7 | failed | 0 0 0 0
anna-cubed prop-cop | 8 | made | 1 0 0 1
anna-cubed abundance | 9 | made | 0 3 0 0
anna-cubed abundance-trumps | 8 | failed | 0 0 0 0
anna-cubed misere | 0 | made | 0 0 2 0
anna-cubed misere-ouverte | 0 | made | 0 0 4 0
anna-cubed abundance-declared | 12 | failed | 0 0 0 0
german-solo frog | 5 | made | -2 4 4 -2
german-solo solo | 5 | made | -4 -4 -4 12
german-solo solo | 4 | failed | 4 4 4 -12
german-solo solo | 8 | made | -4 12 -4 -4
german-solo tout | 7 | failed | 32 -96 32 32
mensch half | 4 | failed | -2 -2 2 2
mensch half | 5 | made | 1 1 -1 -1
mensch after | 5 | made | -1 -1 1 1
mensch pass-out | 5 | made | 1 -1 -1 1
mensch five | 5 | made | -1 -1 -1 3
mensch five-after | 5 | made | 6 -2 -2 -2
mensch six | 6 | made | -1 -1 3 -1
mensch six-after | 5 | failed | -6 2 2 2
mensch seven | 6 | failed | 1 1 1 -3
mensch seven-after | 6 | failed | 2 -6 2 2
mensch solo | 8 | made | -4 -4 -4 12
ombre entrada | 4 | puesta | 0 0 -5 5
ombre entrada | 3 | codille | 5 -5 0 0
ombre entrada | 4 | sacada | -5 -5 15 -5
ombre vuelta | 5 | sacada | 26 -7 -7 -12
ombre solo | 4 | puesta | -5 0 0 5
ombre solo | 4 | sacada | 35 -15 -15 -5
ombre vuelta | 3 | codille | -5 5 0 0
quadrille alliance | 6 | win | 0 2 0 2 -4
quadrille forced-spadille | 6 | win | 2 0 2 0 -4
quadrille forced-spadille | 5 | remise | -4 -4 0 0 8
quadrille solo | 5 | remise | 0 -4 0 0 4
quadrille solo | 6 | win | 0 4 0 0 -4
quadrille solo | 6 | win | 0 4 0 0 -4
quadrille solo | 4 | codille | 1 -4 1 1 1
quadrille solo | 4 | codille | 1 1 1 -4 1
quadrille vole | 10 | vole | -4 -4 -4 16 -4
quadrille vole | 9 | win | 1 1 1 1 -4
quintille alliance | 5 | win | 2 0 0 0 2 -4
quintille forced-spadille | 5 | win | 0 2 2 0 0 -4
quintille solo | 5 | win | 0 0 0 0 5 -5
quintille solo | 4 | remise | -5 0 0 0 0 5
quintille solo | 5 | win | 5 0 0 0 0 -5
quintille solo | 3 | codille | 3 -12 3 3 3 0
quintille vole | 8 | vole | -4 -4 -4 21 -4 -5
quintille vole | 7 | win | 1 1 1 1 1 -5
solo-whist prop-cop | 7 | failed | 1 -1 1 -1
solo-whist prop-cop | 8 | made | -1 1 1 -1
solo-whist solo | 5 | made | -1 -1 3 -1
solo-whist abundance | 9 | made | -3 -3 -3 9
solo-whist abundance | 8 | failed | 3 3 -9 3
solo-whist abundance-trumps | 9 | made | -3 -3 9 -3
solo-whist misere | 0 | made | -2 6 -2 -2
solo-whist misere | 1 | failed | 2 -6 2 2
solo-whist misere-ouverte | 0 | made | 12 -4 -4 -4
solo-whist abundance-declared | 13 | made | -6 -6 18 -6
solo-whist abundance | 9 | made | -3 -3 9 -3
squint ace-solo misere misere | 6 0 0 | made made made | 20 25 25
squint ace-solo misere | 5 0 | failed made | -20 25
squint misere | 0 | made | 0 0 25 0 0
squint grand-solo | 5 | failed | 0 -30 0 0 0
squint grand-solo | 6 | made | 0 15 0 0 0
squint solo | 4 | made | 0 0 0 20 0
squint solo | 3 | failed | 0 -15 0 0 0
squint duo | 6 | made | 0 0 0 20 20
squint nemo | 0 1 1 0 0 | failed made made failed failed | 0 10 20 0 0
"""


def expected() -> dict[str, list[list[str]]]:
    """Return the tables by name of file."""
    found: dict[str, list[list[str]]] = {}
    for line in EXPECTED.splitlines():
        name, _, rest = line.partition(" ")
        found.setdefault(name, []).append([cell.strip() for cell in rest.split("|")])
    return found


def listed(value: object) -> str:
    """Return a value, or those of several declarers, in one cell."""
    return " ".join(map(str, value.values() if isinstance(value, dict) else (value,)))


def seen(text: str) -> list[str]:
    """Return the comments of a text with normalized white space."""
    return [" ".join(comment.split()) for _, comment in parse(text).comments if comment[0] == "{"]


def test_every_game_has_its_file() -> None:
    for path in FILES:
        assert {entry.rules.game.id for entry in load(path)} == {path.stem}


def test_every_deal_has_its_value() -> None:
    rows = expected()
    for path in FILES:
        deals, values = len(load(path)), len(rows.get(path.stem, ()))
        assert deals == values, (
            f"examples/{path.name} has {deals} deals, EXPECTED in tests/pbn/test_examples.py has "
            f"{values} lines for them: write one for each deal, in the order of the file"
        )
    assert rows.keys() == {path.stem for path in FILES}


@pytest.mark.ci
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_values(path: Path) -> None:
    solver = Solver()
    rows = []
    for entry in load(path):
        result = solve(entry.deal, entry.contract, solver=solver)
        contract = result.to_dict()["contract"]
        worth = result.score if result.guarantees is None else result.guarantees
        tricks = [str(each.tricks) for each in result.contractors.values()]
        outcomes = [str(each.outcome) for each in result.contractors.values()]
        rows.append([contract, " ".join(tricks), " ".join(outcomes), listed(worth)])
    assert rows == expected()[path.stem]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_contract_is_there(path: Path) -> None:
    used = {contract_id for entry in load(path) for contract_id in entry.contract.ids}
    missing = sorted(GAMES[path.stem].contracts.keys() - used)
    assert not missing, (
        f"add a deal of each of these contracts to examples/{path.name}, with its auction, and its "
        f"value to EXPECTED in tests/pbn/test_examples.py: {missing}"
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_play_is_legal_and_complete(path: Path) -> None:
    played = [entry for entry in load(path) if entry.play is not None]
    assert played
    for entry in played:
        position = Position.of(entry.deal, entry.contract)
        for card in entry.play.cards:
            position.play(card)
        assert position.finished
        won = sum(position.won[seat] for seat in entry.contract.side)
        assert entry.game.get("Result") == str(won)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_deal_has_a_comment_and_no_fault(path: Path) -> None:
    text = path.read_text(encoding="ascii")
    assert len(seen(text)) == len(read(text)) == len(re.findall(r"^\[Event ", text, re.MULTILINE))
    result = CliRunner().invoke(main, ["check", str(path)])
    assert (result.exit_code, result.stdout) == (0, "")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_canonical_form(path: Path) -> None:
    text = path.read_text(encoding="ascii")
    once = export(parse(text), newline="\n")
    assert export(parse(once), newline="\n") == once
    assert seen(once) == seen(text)
    for before, after in zip(read(text), read(once), strict=True):
        assert not after.faults
        assert (after.deal, after.contract) == (before.deal, before.contract)
        assert (after.play and after.play.cards) == (before.play and before.play.cards)
    result = CliRunner().invoke(main, ["fmt", "-"], input=once)
    assert result.exit_code == 0
    assert result.stdout.replace("\r\n", "\n") == once


def auctions(path: Path) -> list[tuple[str, list[str]]]:
    """Yield the text of each game that has an auction, and its calls."""
    games = re.split(r"^(?=\{)", path.read_text(encoding="ascii"), flags=re.MULTILINE)
    found = []
    for text in games:
        section = re.search(r'^\[Auction "."\]\n((?:[^\[{].*\n)+)', text, re.MULTILINE)
        if section:
            found.append((text, section[1].split()))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_contracts_follow_from_their_auctions(path: Path) -> None:
    assert auctions(path)
    for text, _ in auctions(path):
        [entry] = read(text)
        bare = re.sub(r'^\[(Declarer|Contract|Partner|Penalty) ".*"\]\n', "", text, flags=re.M)
        [told] = read(bare)
        assert told.faults == []
        assert in_turn(told.contract) == in_turn(entry.contract)


def in_turn(contract: Contract) -> Contract:
    """Return the text with its several declarers in the order of their seats."""
    pairs = sorted(zip(contract.declarers, contract.ids, strict=True))
    declarers, ids = zip(*pairs, strict=True)
    return replace(contract, declarers=declarers, ids=ids)


def test_auctions_show_what_is_special() -> None:
    calls = {path.stem: [each for _, each in auctions(path)] for path in FILES}
    for game in ("ombre", "german-solo"):
        assert any("hold" in each for each in calls[game])
    # A soloist's raise, and upgrades, come after everybody has spoken.
    assert any(each[4:] == ["-", "-", "-", "tout-color"] for each in calls["german-solo"]), (
        "examples/german-solo.pbn needs an auction in which the soloist raises to a Tout in Color"
    )
    assert {each[-1] for each in calls["anna-cubed"] if len(each) > 4} == {
        "misere-ouverte",
        "abundance-declared",
    }
    assert any({"prop", "cop"} <= {*each} for each in calls["solo-whist"])
    assert any("solo-C" in each for each in calls["quadrille"])
    # Squint: aces and deuces, a court card, and numerals split 2-2-1, 2-1-1-1 and for Nemo.
    assert len(calls["squint"]) == 7


def test_the_examples_are_in_canonical_form() -> None:
    result = CliRunner().invoke(main, ["fmt", "--check", *map(str, FILES)])
    assert (result.exit_code, result.output) == (0, "")
