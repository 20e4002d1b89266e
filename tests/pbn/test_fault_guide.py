"""The explanations of error codes are complete, and their examples have the errors they show."""

from __future__ import annotations

import ast
import gzip
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

import spadille
from spadille.analysis.evening.evening_settlement import settle
from spadille.base.errors import SpadilleError
from spadille.generate.deals import counting_sampler
from spadille.generate.problems.soundness import verify
from spadille.pbn.fault_guide import Explanation, explanations
from spadille.pbn.hand_file import read
from spadille_cli import main
from tests.support import fault_page

SOURCE = Path(__file__).parents[2] / "solver" / "spadille"
CODE = re.compile(r"[a-z]+(?:-[a-z]+)+")
RAISED = re.compile(r"\w*Error|Fault|finding|warning")
# Words with hyphens that are not codes: values of arguments, ids, and names of trumps.
OTHERS = {
    *("any-or-none", "not-current", "of-several", "side-first", "eldest-first", "keep-trumps"),
    *("first-lead", "going-on", "take-over", "no-trump", "no-trumps", "double-dummy"),
    *("called-card", "hold-up", "misere-exit", "keep-best"),
}
EXPLAINED = explanations()
EXAMPLES = Path(__file__).parents[2] / "examples"
PYTHON = re.compile(r"(?:spadille\.|--where|--shape|(?:deal|whist|several|rules)\.|replace\()")
RUN = [
    one
    for one in EXPLAINED.values()
    if not one.base and PYTHON.match(one.wrong) and one.code != "conditions-too-many"
]
SHOWN = [one for one in EXPLAINED.values() if one.base]


def used() -> dict[str, str]:
    """Return the codes in the source, each with its file."""
    found = {"internal": "base/errors.py", "interrupted": "search/limits.py"}
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        tree = ast.parse(path.read_text(encoding="utf-8"))
        # Games use many words of their own, and pages use those of HTML.
        nodes = list(ast.walk(tree))
        if name.startswith(("games/", "pages/")):
            nodes = [part for node in nodes if raises(node) for part in ast.walk(node)]
        for node in nodes:
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and CODE.fullmatch(value) and value not in OTHERS:
                found[value] = name
    return found


def raises(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return bool(RAISED.fullmatch(name))


def codes(text: str) -> set[str]:
    """Return the codes of all findings in a hand file."""
    found = set()
    entries = list(read(text))
    for entry in entries:
        found |= {fault.code for fault in entry.findings}
        if entry.posed is not None:
            try:
                checked = verify(entry)
            except SpadilleError as error:
                found.add(error.code)
            else:
                found |= {fault.code for fault in checked.faults} if checked else set()
    for settled in settle(entries):
        found |= {fault.code for fault in settled.warnings}
        if settled.error is not None:
            found.add(settled.error.code)
    return found


@pytest.mark.ci
def test_every_code_is_explained_and_every_explained_code_is_used() -> None:
    places = used()
    missing = {code: place for code, place in places.items() if code not in EXPLAINED}
    assert not missing, f"explain these codes in pbn/fault_guide.toml: {missing}"
    assert [code for code in EXPLAINED if code not in places] == []


@pytest.mark.parametrize("one", SHOWN, ids=lambda one: one.code)
def test_an_example_has_its_fault_and_none_once_put_right(one: Explanation) -> None:
    assert one.code in codes(one.file(one.wrong))
    if one.right:
        assert one.code not in codes(one.file(one.right))


EVERY_SHAPE = ",".join(
    "-".join(map(str, lengths))
    for lengths in product(range(13, -1, -1), repeat=4)
    if sum(lengths) == 13 and [*lengths] == sorted(lengths, reverse=True)
)
ENDINGS = {
    "ending": """[Game "mensch"]
[Dealer "W"]
[Deal "N:AK.A.. QJ.K.. T9.Q.. 87.J.."]
[Leader "N"]
""",
    "nemo": """[Game "squint"]
[Dealer "1"]
[Deal "1:6..9. .K.J. K..A. 4..T. J..8."]
[Leader "2"]
[Won "1:2;2:6"]
""",
}
"""End positions that lack what the examples are about."""


def run(example: str) -> None:
    """Run the Python code of an example, or run `deal` with its option."""
    if example.startswith(("--where ", "--shape ")):
        option, value = shlex.split(example)
        given = {"where": value} if option == "--where" else {"shapes": dict([value.split("=")])}
        list(spadille.deals("german-solo", seed=1, **given))
        return
    deal = spadille.read(EXPLAINED["card-revoke"].file(""))[0].deal
    assert deal is not None
    contract = spadille.Contract.make(deal, "solo", "N", "S")
    squint = spadille.read((EXAMPLES / "squint.pbn").read_text(encoding="utf-8"))
    several = (
        next(
            spadille.solve(entry.deal, entry.contract)
            for entry in squint
            if entry.deal and entry.contract and len(entry.contract.declarers) > 1
        )
        if "several" in example
        else None
    )
    names = {"spadille": spadille, "replace": replace, "deal": deal, "contract": contract}
    stopped = spadille.Interruption()
    stopped.stop()
    names |= {"stopped": stopped}
    names |= {"rules": deal.rules, "whist": spadille.Deal.random("solo-whist", 1)}
    names |= {game: spadille.Deal.random(game, 1) for game in ("quadrille", "anna-cubed")}
    names |= {"every_shape": EVERY_SHAPE}
    names |= {"anna": names["anna-cubed"], "several": several}
    names |= {name: spadille.read(text)[0].deal for name, text in ENDINGS.items()}
    found = eval(example, names)
    if isinstance(found, Iterator):
        list(found)
    if isinstance(found, spadille.Fault):
        found = SpadilleError(found.message, found.code)
    if isinstance(found, SpadilleError):
        raise found


@pytest.mark.parametrize("one", RUN, ids=lambda one: one.code)
def test_an_example_in_python_raises_its_error(one: Explanation) -> None:
    with pytest.raises(SpadilleError) as caught:
        run(one.wrong)
    assert caught.value.code == one.code
    if one.right:
        run(one.right)


@pytest.mark.ci
def test_most_codes_of_hand_files_have_an_example_of_one() -> None:
    raised = {code for code, place in used().items() if place.startswith(("pbn/", "core/validate"))}
    hidden = {code for code in raised if not EXPLAINED[code].base}
    # These need more than a hundred errors, several deals, an option, an environment variable, or a
    # file that is not text.
    assert hidden <= {
        *("file-compressed", "file-not-text", "byte-order-mark-missing"),
        *("faults-more", "contract-missing", "current-trump-taken", "game-unloadable"),
        *("trump-by-not-allowed", "trump-by-not-partner"),
    }


def test_each_explanation_is_complete() -> None:
    for one in EXPLAINED.values():
        assert one.rule.endswith("."), one.code
        assert one.fix.endswith("."), one.code
        assert one.wrong, one.code


def test_the_page_is_written_from_the_same_data() -> None:
    written = fault_page.PAGE.read_text(encoding="utf-8")
    assert written == fault_page.refreshed(), "stale: run python -m tests.support.fault_page"


MINE = """from dataclasses import replace
from spadille import GAMES

mine = replace(GAMES["mensch"], id="mine", name="Mine")
"""
UNPLAYED = """[Game "mensch"]
[Dealer "W"]
[Deal "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"]
"""
ENDING = """[Game "mensch"]
[Dealer "W"]
[Deal "N:AK.A.. QJ.K.. T9.Q.. 87.J.."]
[Leader "N"]
[Won "N:3;S:2"]
[Declarer "N"]
[Contract "five"]
[Trump "H"]
"""
SEVERAL = """[Game "squint"]
[Dealer "5"]
[Deal "1:AKQJT98765... 432.AKQJT98.. .765432.AKQJ. ..T98765432.A ...KQJT987654"]
[Talon "C3 C2"]
[Declarer "1 4"]
[Contract "ace-solo ace-solo"]
[Play "1"]
SA S2 H2 D2 C4
"""
COMMANDS = [
    one
    for one in EXPLAINED.values()
    if one.wrong.startswith("spadille ") and one.code != "module-stale"
]
SHELL = [one for one in EXPLAINED.values() if one.wrong.startswith("truncate ")]
TABLES = [one for one in EXPLAINED.values() if one.wrong.startswith("deal,")]
ELSEWHERE = {
    "module-stale": "pages/test_wasm_module.py",
    "worker-lost": "batch/test_fill_ledger.py",
    "internal": "cli/test_internal_faults.py",
    "out-of-memory": "analysis/test_pickling_threads_and_forks.py",
}
"""Faults that need a changed or failing program, and the tests that cause them."""


def test_every_example_is_run() -> None:
    run_here = {one.code for one in (*SHOWN, *RUN, *COMMANDS, *SHELL, *TABLES)}
    run_here.add("conditions-too-many")
    assert {*EXPLAINED} - run_here == {*ELSEWHERE} - run_here
    tests = Path(__file__).parents[1]
    for code, test in ELSEWHERE.items():
        assert f'"{code}"' in (tests / test).read_text(encoding="utf-8"), code


@pytest.mark.parametrize("one", TABLES, ids=lambda one: one.code)
def test_an_example_of_an_evening_has_its_fault(one: Explanation, tmp_path: Path) -> None:
    evening = tmp_path / "evening.csv"
    found = []
    for text in (one.wrong, one.right):
        evening.write_text(text, encoding="utf-8")
        line = f"score --game german-solo --format json {evening}"
        (deal,) = json.loads(CliRunner().invoke(main, shlex.split(line)).stdout)
        found.append(deal["error"] and deal["error"]["code"])
    assert found == [one.code, None]


@pytest.mark.ci
@pytest.mark.parametrize("one", SHELL, ids=lambda one: one.code)
def test_an_example_of_the_shell_fails(one: Explanation, tmp_path: Path) -> None:
    played = (EXAMPLES / "german-solo.pbn").read_text(encoding="utf-8").split("\n\n")[0]
    (tmp_path / "deal.pbn").write_text(played, encoding="utf-8")
    program = f'spadille() {{ {shlex.quote(sys.executable)} -m spadille "$@"; }}'
    sound = "spadille batch solve deal.pbn --into answers.db"
    words = ["bash", "-c", f"{program}; {sound} && {{ {one.wrong}; }}"]
    result = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode != 0
    assert "Traceback" not in result.stderr
    assert result.stderr.count("\n") > 1


def test_conditions_may_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Test with a lower limit, since the real one takes seconds."""
    monkeypatch.setattr(counting_sampler._Counted, "left", 50)
    one = EXPLAINED["conditions-too-many"]
    with pytest.raises(SpadilleError) as caught:
        run(one.wrong)
    assert caught.value.code == one.code


@pytest.mark.ci
@pytest.mark.parametrize("one", COMMANDS, ids=lambda one: one.code)
def test_an_example_command_fails_and_succeeds_once_put_right(
    one: Explanation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    played = (EXAMPLES / "german-solo.pbn").read_text(encoding="utf-8").split("\n\n")[0]
    files = {
        "deal.pbn": UNPLAYED if one.code == "contract-missing" else played,
        "deals.pbn": played,
        "ending.pbn": ENDING,
        "squint.pbn": SEVERAL,
        "mine.py": MINE,
    }
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")
    Path("deals.pbn.gz").write_bytes(gzip.compress(played.encode()))
    Path("wide.pbn").write_text(played, encoding="utf-16-le")
    for question, ledger in (("solve", "solved.db"), ("solve", "answers.db")):
        command(f"batch {question} deals.pbn --into {ledger}")
    assert command(one.wrong.removeprefix("spadille ")) != 0
    if one.right:
        assert command(one.right.removeprefix("spadille ")) == 0


def command(line: str) -> int:
    """Return the exit status of a command."""
    return CliRunner().invoke(main, shlex.split(line, comments=True)).exit_code
