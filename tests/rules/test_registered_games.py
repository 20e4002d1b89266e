"""Games that are not included in spadille: registered, from files, from installed packages."""

from __future__ import annotations

import copy
import json
import os
import pickle
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import spadille
from spadille import Deal, Game, RulesError, games, get_game, register, rules_for
from spadille.batch.batch_question import Job, Keys
from spadille.batch.fill_ledger import fill
from spadille.batch.ledger import Ledger
from spadille.core.validate import faults
from spadille.games import GAMES, registered_games
from spadille.games.model.bidding import Bid
from spadille.games.model.game_digest import game_digest
from spadille_cli import main
from tests.support.shown import COMMAND, run

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "house-rules.md").read_text(encoding="utf-8")
(CLUB, IN_PYTHON) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PACKAGE = TOP / "examples" / "danish-lhombre"


@pytest.fixture
def club(tmp_path: Path) -> Path:
    path = tmp_path / "club.py"
    path.write_text(CLUB, encoding="utf-8")
    return path


def double(rules: Any, deal: Any, contract: Any, outcome: Any) -> dict[str, int]:
    """Pay twice as much as Mensch does."""
    gains = GAMES["mensch"].score(rules, deal, contract, outcome)
    return {seat: 2 * gain for seat, gain in gains.items()}


def dear() -> Game:
    return replace(GAMES["mensch"], id="dear-mensch", name="Dear Mensch", score=double)


def test_faults_cite_a_section_of_the_rules_or_the_game_itself() -> None:
    bidding = GAMES["mensch"].bidding
    register(dear())
    register(replace(dear(), id="own", name="Our Own", bidding=replace(bidding, section=0)))
    for game, place in (("mensch", "RULES 3"), ("dear-mensch", "RULES 3"), ("own", "Our Own")):
        deal = replace(Deal.random(game, 1), current_trump="H")
        (fault,) = faults(deal)
        assert fault.rule.partition(": ")[0] == place


def test_a_registered_game_is_known_everywhere() -> None:
    game = dear()
    assert register(game) is game
    assert register(dear()) is game, "the same rules again"
    assert get_game("Dear Mensch") is game
    deal = Deal.random("dear-mensch", 1)
    assert Deal.parse(deal.text) == deal
    ours, theirs = (spadille.solve(each, "N solo H") for each in (deal, Deal.random("mensch", 1)))
    assert ours.score == {seat: 2 * gain for seat, gain in theirs.score.items()}  # type: ignore[union-attr]
    entry = spadille.read(spadille.dumps([(deal, "N solo H")]))[0]
    assert entry.deal == deal
    assert [each.rules.game for each in spadille.deals("dear-mensch", 2, seed=1)] == [game, game]


def test_a_game_need_not_be_registered() -> None:
    game = dear()
    deal = Deal.random(game, 1)
    assert deal == Deal.random(game, 1)
    assert deal != Deal.random("mensch", 1)
    assert deal.rules.game is game
    assert Deal.parse("N:A... K... Q... J...", game).rules == rules_for(game)
    assert [each.rules.game for each in spadille.deals(game, 1, seed=1)] == [game]
    assert "dear-mensch" not in GAMES


def test_an_id_is_taken_once() -> None:
    with pytest.raises(RulesError, match="another game 'mensch' comes with spadille"):
        register(replace(dear(), id="mensch"), replace=True)
    first = register(dear())
    second = replace(first, ante=4)
    with pytest.raises(RulesError, match="replace=True"):
        register(second)
    assert register(second, replace=True) is second
    assert get_game("dear-mensch") is second
    assert rules_for(first) != rules_for(second)
    assert rules_for(second) == rules_for("dear-mensch")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"id": "Dear"}, "lower-case words"),
        ({"seats": ("1", "2")}, "its seats"),
        ({"ranks": "AKX"}, "its ranks"),
        ({"hand_size": 7}, "take 28 cards, but its pack has 32"),
        ({"options": {}}, "rotation"),
        ({"contracts": {}}, "not one of its contracts"),
        ({"plain_ranking": {"S": "A"}}, "a ranking must be for the suits"),
        ({"plain_ranking": dict.fromkeys("SHDC", "AKQJT98")}, "the rankings are wrong for"),
        ({"contract_variants": {("x", "y"): {}}}, "'x', which is not one of its options"),
        ({"held_option": "x"}, "no option 'x'"),
    ],
)
def test_a_game_that_does_not_fit_together_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(RulesError, match=words):
        register(replace(dear(), **changes))
    assert "dear-mensch" not in GAMES


def test_contracts_are_checked() -> None:
    half = GAMES["mensch"].contracts["half"]
    for wrong, words in [
        (replace(half, id="other"), "listed as"),
        (replace(half, trump="X"), "the trump of half"),
        (replace(half, target=9), "needs 9 tricks, but a hand has 8"),
        (replace(half, aim="misere"), "the aim 'misere'"),
        (replace(half, exchange=GAMES["ombre"].contracts["solo"].exchange), "no talon"),
        (replace(half, trump="current"), "current trump"),
    ]:
        with pytest.raises(RulesError, match=words):
            register(replace(dear(), contracts={**GAMES["mensch"].contracts, "half": wrong}))


def test_copies_of_what_belongs_to_a_game_are_equal() -> None:
    for game in (dear(), register(dear()), GAMES["mensch"]):
        deal = Deal.random(game, 1)
        for other in (copy.copy(deal), copy.deepcopy(deal), pickle.loads(pickle.dumps(deal))):
            assert other == deal
            assert hash(other) == hash(deal)
    assert pickle.loads(pickle.dumps(get_game("dear-mensch"))) is get_game("dear-mensch")


def test_the_rules_are_part_of_the_key_of_an_answer() -> None:
    keys = Keys(Job.of("solve"))
    plain = keys.of("a deal", "mensch")
    assert plain == keys.of("a deal")
    first = register(dear())
    key = keys.of("a deal", "dear-mensch")
    assert key != plain
    register(replace(first, ante=4), replace=True)
    changed = keys.of("a deal", "dear-mensch")
    assert changed != key
    register(first, replace=True)
    assert keys.of("a deal", "dear-mensch") == key


def test_a_digest_covers_data_and_code() -> None:
    game = dear()
    assert game_digest(game) == game_digest(dear())
    digests = {
        game_digest(each)
        for each in (
            game,
            GAMES["mensch"],
            replace(game, ante=1),
            replace(game, score=GAMES["ombre"].score),
            replace(game, contracts={**game.contracts, "half": game.contracts["solo"]}),
        )
    }
    assert len(digests) == 5


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((frozenset("a"), "b"), (frozenset("ab"),)),
        (({"a": "b"}, "c", "d"), ({"a": "b", "c": "d"},)),
        ((("a",), "b"), (("a", "b"),)),
        (("a", ("b",)), (("a", "b"),)),
        ((Bid("a", "b"), "c"), (Bid("a", "b"),)),
        (("ab", "c"), ("a", "bc")),
        (("1",), (1,)),
        (("a", "b", {}), ({"a": "b"},)),
        (("a", frozenset()), (frozenset("a"),)),
        (frozenset("ab"), frozenset("ac")),
        (frozenset((1, "a")), frozenset((2, "a"))),
        (("a", ()), (("a",),)),
        (Bid("a", "b"), ("a", "b")),
        (Bid, Game),  # a class, not a value of it
        (partial(max, 1), partial(max, 2)),
        (partial(max, 1), partial(min, 1)),
        (partial(max, default=1), partial(max, default=2)),
        (partial(max, 1), max),
    ],
)
def test_a_digest_differs_with_the_structure_of_a_value(one: object, other: object) -> None:
    digest = game_digest.__wrapped__  # a mapping has no hash
    assert digest(one) != digest(other)
    assert re.fullmatch("[0-9a-f]{16}", digest(one))


def test_a_digest_does_not_depend_on_the_order_of_a_set() -> None:
    one, other = {0, 8}, {8, 0}  # both in the same slot of the table
    assert [*one] != [*other]
    assert game_digest.__wrapped__(one) == game_digest.__wrapped__(other)


def test_a_digest_covers_the_file_of_a_function(tmp_path: Path) -> None:
    """A function may call its neighbors, so a change of those counts."""
    text = "def score(): return value()\n\n\ndef value(): return 1\n"
    functions = []
    for number, source in enumerate((text, text, text.replace("1", "2"))):
        file = tmp_path / f"{number}.py"
        file.write_text(source)
        names: dict[str, Any] = {}
        exec(compile(source, file, "exec"), names)
        functions.append(names["score"])
    one, same, other = map(game_digest, functions)
    assert one == same != other
    assert game_digest(functions[0].__globals__["value"]) != one


def test_a_digest_covers_the_code_of_a_function_without_a_file() -> None:
    sources = ("lambda: 1 + x", "lambda: 1 + x", "lambda: 2 + x", "lambda: 1 - x")
    digests = [game_digest(eval(source)) for source in sources]
    assert digests[0] == digests[1]
    assert len({*digests}) == 3
    assert game_digest(len) != game_digest(max)  # these have no code either


def test_a_game_of_a_package_is_found_by_its_id_and_its_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A word that a slug leaves out may be part of an id."""
    asked: list[str] = []

    def installed(name: str) -> Game:
        asked.append(name)
        return GAMES["mensch"]

    points = {"black-in-red": None, "far-away": None}
    monkeypatch.setattr(games, "entry_points", lambda: points)
    monkeypatch.setattr(games, "installed_game", installed)
    for name in ("black-in-red", "far-away", "Far Away"):
        assert games.get_game(name) is GAMES["mensch"]
    assert asked == ["black-in-red", "far-away", "far-away"]


@pytest.mark.ci
@pytest.mark.parametrize("threads", [1, 2])
def test_worker_processes_know_it(threads: int, tmp_path: Path) -> None:
    register(dear())
    deals = [(Deal.random("dear-mensch", seed), "N solo H") for seed in (1, 5)]
    file = tmp_path / "deals.pbn"
    file.write_text(spadille.dumps(deals), encoding="utf-8")
    with Ledger(tmp_path / "answers.db", Job.of("solve")) as ledger:
        fill(ledger, [file], threads=threads)
        answers = [json.loads(row[-1]) for row in ledger.rows()]
    assert [answer["score"] for answer in answers] == [
        spadille.solve(*question).score for question in deals
    ]


# Files


@pytest.mark.ci
def test_the_page_shows_what_happens(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(club.parent)
    (block,) = re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    _, command, output = COMMAND.split(block)
    assert run(command) == output
    assert (
        run(command.replace("club-solo", "german-solo").replace("--games club.py ", "")).split()[-1]
        == "-12"
    )
    names: dict[str, Any] = {}
    exec(IN_PYTHON, names)
    assert names["result"].contract.ids == ("nolo",)
    nolo = names["result"]
    value = 6 if nolo.makes else -6
    assert nolo.score == {"N": 3 * value, "E": -value, "S": -value, "W": -value}
    offers = spadille.best(names["deal"]).seats["N"]
    assert "nolo" in {offer.contract for offer in offers}


def test_a_file_of_the_environment_is_read(club: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RulesError, match="unknown game 'club-solo'"):
        get_game("club-solo")
    monkeypatch.setenv("SPADILLE_GAMES", str(club))
    assert get_game("Club Solo").id == "club-solo"
    (game,) = registered_games()
    assert pickle.loads(pickle.dumps(game)) is game
    program = (
        "import pickle, sys; from spadille import Deal; "
        "print(pickle.load(sys.stdin.buffer) == Deal.random('club-solo', 3))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps(Deal.random(game, 3)),
        capture_output=True,
        env={name: value for name, value in os.environ.items() if name != "SPADILLE_GAMES"},
    )
    assert done.stdout.split() == [b"True"], done.stderr


def test_a_hand_file_names_the_file_of_games_that_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPADILLE_GAMES", "missing.py")
    (entry,) = spadille.read('[Game "club-solo"]\n')
    (fault,) = entry.faults
    assert fault.code == "game-unloadable"
    assert fault.message.startswith("'club-solo' is not a known game, and there is no file")


@pytest.mark.ci
def test_processes_of_the_command_read_the_file(club: Path, tmp_path: Path) -> None:
    spadille.load_games(str(club))
    file = tmp_path / "deals.pbn"
    file.write_text(spadille.dumps([(Deal.random("club-solo", 1), "N nolo")]), encoding="utf-8")
    target = str(tmp_path / "answers.db")
    line = ["batch", "solve", "--games", str(club), "-j", "2", str(file), "--into", target]
    done = subprocess.run([sys.executable, "-m", "spadille", *line], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with Ledger(target) as ledger:
        (answer,) = [json.loads(row[-1]) for row in ledger.rows()]
    assert answer["contract"] == "nolo"


def test_a_file_that_cannot_be_used_is_reported(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import nothing_of_this_name", encoding="utf-8")
    for name, words in [
        (wrong, "nothing_of_this_name"),
        (tmp_path / "none.py", "no file with games"),
    ]:
        with pytest.raises(RulesError, match=words):
            spadille.load_games(str(name))
        result = CliRunner().invoke(main, ["rules", "--games", str(name), "ombre"])
        assert result.exit_code == 2
        assert words in " ".join(result.output.split())
    empty = tmp_path / "empty.py"
    empty.write_text("from spadille import Game", encoding="utf-8")
    result = CliRunner().invoke(main, ["rules", "--games", str(empty), "ombre"])
    assert (result.exit_code, "defines no game" in result.output) == (2, True)


# Packages


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the example package is installed."""
    folder = tmp_path_factory.mktemp("installed")
    source = folder / "source"
    shutil.copytree(PACKAGE, source)
    target = folder / "packages"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
    if int(version("setuptools").partition(".")[0]) > 70:  # otherwise pip downloads a newer one
        pip += ["--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(target), str(source)], check=True)
    return target


def command(installed: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "spadille", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(installed)},
    )


@pytest.mark.ci
def test_an_installed_package_provides_its_game(installed: Path) -> None:
    hands = str(PACKAGE / "hands.pbn")
    assert command(installed, "check", hands).returncode == 0
    solved = command(installed, "solve", "--format", "jsonl", hands)
    assert solved.returncode == 0, solved.stderr
    first, second = map(json.loads, solved.stdout.splitlines())
    assert (first["contract"], first["trump"], first["outcome"]) == ("tourne", "S", "sacada")
    assert (second["contract"], second["makes"]) == ("ren-nolo", True)
    assert "Tourné" in command(installed, "rules", "danish-lhombre").stdout
    assert "danish-lhombre" in command(installed, "deal", "danisch").stderr
    named = command(installed, "solve", "--game", "Danish L'Hombre", hands)
    assert named.returncode == 0, named.stderr
    without = command(installed.parent, "solve", hands)
    assert (without.returncode, without.stdout.count("tourne")) == (3, 0)


def test_a_package_is_looked_for_only_when_its_game_is_named() -> None:
    code = (
        "import sys, spadille; spadille.get_game('ombre'); "
        "print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.split() == ["False"], done.stderr


@pytest.fixture
def danish(monkeypatch: pytest.MonkeyPatch) -> Game:
    (game,) = spadille.load_games(str(PACKAGE / "danish_lhombre.py"))
    return game


@pytest.mark.parametrize(
    ("contract", "tricks", "points"),
    [
        ("spil", "5 2 2", 1),
        ("spil", "4 3 2", 1),
        ("spil", "4 4 1", -1),
        ("spil", "3 3 3", -1),
        ("spil", "4 5 0", -2),
        ("bedre-spil", "9 0 0", 2),
        ("tourne", "5 4 0", 2),
        ("tourne", "4 5 0", -3),
        ("solo", "5 4 0", 3),
        ("solo", "1 4 4", -4),
        ("solo-spar", "6 3 0", 4),
        ("kobe-nolo", "0 5 4", 2),
        ("kobe-nolo", "1 4 4", -2),
        ("kobe-nolo", "2 4 3", -3),
        ("ren-nolo", "0 9 0", 4),
        ("ren-nolo", "3 3 3", -5),
        ("nolo-ouvert", "0 5 4", 6),
        ("nolo-ouvert", "1 5 3", -6),
        ("nolo-ouvert", "9 0 0", -7),
    ],
)
def test_danish_lhombre_pays_as_its_table_says(
    danish: Game, contract: str, tricks: str, points: int
) -> None:
    for payment, factor, other in (("each", 2, -1), ("declarer", 1, 0)):
        rules = rules_for(danish, {"payment": payment})
        deal = Deal.random(danish, 1)
        made = deal.contract(contract, "1", "S" if contract in ("spil", "solo") else None)
        outcome = spadille.Outcome(dict(zip("123", map(int, tricks.split()), strict=True)))
        expected = {"1": factor * points, "2": other * points, "3": other * points}
        assert rules.score(deal, made, outcome) == expected


def test_danish_lhombre_ranks_as_its_page_says(danish: Game) -> None:
    rules = rules_for(danish)
    assert rules.suits("NT")["S"][-1] == "SA"
    assert rules.suits("NT")["H"][-1] == "H7"
    assert rules.suits("H")["H"][:4] == ("SA", "H7", "CA", "HA")
    assert "SA" not in rules.suits("H")["S"]
    words = (PACKAGE / "README.md").read_text(encoding="utf-8")
    for kind in danish.contracts.values():
        won, bet, kruk = kind.values
        assert f"| `{kind.id}` | {kind.name} | {won} / {bet} / {kruk} |" in words
    assert "https://www.lhombre.dk/turneringsregler/" in words
