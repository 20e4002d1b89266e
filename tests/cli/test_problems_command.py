"""`spadille problems` writes valid hand files, whose first comment reproduces them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from click.testing import CliRunner, Result

import spadille
from spadille_cli import main
from spadille_cli import problems as command

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


# A seed that finds them soon.
QUICK = ("ombre", "-n", "2", "--theme", "privilege", "--tricks", "3-4", "--seed", "14")


@pytest.mark.ci
def test_files_are_sound_canonical_and_made_again(tmp_path: Path) -> None:
    path = str(tmp_path / "made.pbn")
    done = run("problems", *QUICK, "-o", path)
    assert (done.exit_code, done.stdout) == (0, "")
    text = Path(path).read_text(encoding="utf-8")
    (told,) = re.findall(r"^% (spadille problems .*)$", text, re.MULTILINE)
    assert run(*shlex.split(told)[1:], "-j", "2").stdout == text
    assert run("fmt", "--check", path).exit_code == 0
    checked = run("check", path)
    assert checked.exit_code == 0
    assert "fault" not in checked.stdout
    made = spadille.problems("ombre", 2, seed=14, themes="privilege", tricks=(3, 4))
    posed = [one.posed for one in spadille.load(path)]
    assert [(one.key, one.solution) for one in posed] == [(p.key, p.solution) for p in made]


@pytest.mark.ci
def test_hands_of_files_are_looked_through(tmp_path: Path) -> None:
    path = tmp_path / "played.pbn"
    path.write_text(run("problems", *QUICK).stdout, encoding="utf-8")
    file = str(Path(__file__).parents[2] / "examples" / "ombre.pbn")
    done = run("problems", file, str(path), "--tricks", "1-9", "--seed", "1")
    assert done.exit_code == 0
    assert '[Board "1"]' in done.stdout
    many = run("problems", file, "-n", "50", "--tricks", "1-9", "--seed", "1")
    assert many.exit_code == 3
    assert "in these hands, and no more" in many.stderr
    assert many.stdout.count("[Question ") < 50


@pytest.mark.ci
@pytest.mark.parametrize("game", ["german-solo", pytest.param("ombre", marks=pytest.mark.slow)])
def test_a_rare_theme_is_found_soon(game: str, tmp_path: Path) -> None:
    """A teacher gets two hold-ups in well under a minute of processor time."""
    path = tmp_path / "made.pbn"
    began = process_time()
    done = run("problems", game, "-n", "2", "--theme", "hold-up", "--seed", "3", "-o", str(path))
    assert (done.exit_code, done.stderr) == (0, "")
    assert process_time() - began < 60
    checked = json.loads(run("check", "--format", "json", str(path)).stdout)
    assert [one["problem"]["themes"] for one in checked] == [["hold-up"]] * 2


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("mensch", "--difficulty", "hard"), "is not LOW-HIGH"),
        (("mensch", "--difficulty", "5-2"), "has the higher number first"),
        (
            ("mensch", "--difficulty", "300-"),
            "no problem has a difficulty of 300",
        ),
        (("mensch", "--theme", "privilege"), "Mensch has no privilege"),
        (("mensch", "--contract", "frog"), "frog"),
        (("mensch", "--theme", "endplay"), "endplay"),
        (("german-sol",), "no file 'german-sol': unknown game 'german-sol'"),
        ((), "Missing argument"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], says: str) -> None:
    done = run("problems", *words)
    assert done.exit_code == 2
    assert says in done.stderr


def test_a_file_that_is_not_there_is_unusable() -> None:
    done = run("problems", "nowhere.pbn")
    assert done.exit_code == 3
    assert "nowhere.pbn" in done.stderr


def test_a_seed_is_drawn_and_told() -> None:
    told = {run("problems", "mensch", "-n", "0").stdout for _ in range(3)}
    assert len(told) == 3
    assert all(
        re.search(r"^% spadille problems mensch -n 0 --seed \d+$", one, re.M) for one in told
    )


def test_none_are_none() -> None:
    done = run("problems", "mensch", "-n", "0", "--seed", "1")
    assert done.exit_code == 0
    assert done.stdout == "% PBN 2.1\n% EXPORT\n% spadille problems mensch -n 0 --seed 1\n"


def test_what_was_found_is_written_when_it_is_interrupted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    works = command.problems

    def interrupted(*asked: Any, **given: Any) -> Iterator[spadille.Problem]:
        yield next(works(*asked, **given))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "problems", interrupted)
    path = tmp_path / "made.pbn"
    assert run("problems", *QUICK, "-o", str(path)).exit_code == 130
    assert len(spadille.load(path)) == 1


def test_a_faulty_play_loses_no_sound_deal(tmp_path: Path) -> None:
    """An error in one deal never stops the others."""
    evening = (EXAMPLES / "evenings" / "german-solo.pbn").read_text(encoding="utf-8")
    unplayed = '[Game "mensch"]\n[Deal "E:97.T..AKJT7 QJT.97.J9.8 K8.KJ8.AKQ. A.AQ.T87.Q9"]\n'
    faulty = unplayed + '[Declarer "N"]\n[Contract "solo"]\n[Trump "D"]\n[Play "S"]\nC8 S8 C9 CT\n'
    found = {}
    for name, first in (("sound", unplayed), ("faulty", faulty)):
        path = tmp_path / f"{name}.pbn"
        path.write_text(f"{first}\n{evening}", encoding="utf-8")
        done = run("problems", str(path), "-n", "2", "--seed", "1")
        assert "internal" not in done.stderr
        found[name] = done.exit_code, done.stdout.replace(str(path), "")
    assert found["sound"][1].count("[Key ") == 2
    assert found["faulty"] == (3, found["sound"][1])
    assert f"{path}:6:8: S does not lead to the first trick" in done.stderr


def test_play_counts_up_to_the_first_card_that_is_not_legal() -> None:
    """The play before an error in the record is unchanged."""
    evening = list(spadille.load(EXAMPLES / "evenings" / "german-solo.pbn"))
    played = [
        (one.deal, one.contract, one.play.cards[:-8])
        for one in evening
        if one.contract and one.play
    ]
    sound = [problem.text() for problem in spadille.problems(played, 1, seed=1)]
    rows = r'(\[Play "."\]\n)(.*\n)((?:.*\n)*?)\*\n'
    text = re.sub(rows, r"\1\2\3\2*\n", spadille.dumps(played))  # the first trick again
    file = spadille.read(text)
    assert all(one.faults for one in file)
    assert [problem.text() for problem in spadille.problems(file, 1, seed=1)] == sound


def test_each_hand_that_cannot_be_searched_is_told() -> None:
    deal = spadille.Deal.random("german-solo", 1)
    hand = (deal, "N solo H", ("S2",))
    with pytest.raises(spadille.SpadilleError) as found:
        next(spadille.problems([hand], seed=1))
    told: list[Any] = []
    with pytest.raises(spadille.SpadilleError, match="0 problems"):
        next(spadille.problems([hand, hand], seed=1, tell_error=lambda *both: told.append(both)))
    assert [(each, error.code) for each, error in told] == [(hand, found.value.code)] * 2


@pytest.mark.parametrize("command", ["deal german-solo -n", "problems german-solo -n"])
def test_a_number_of_any_length_is_no_internal_error(command: str) -> None:
    done = run(*command.split(), "9" * 23)
    assert done.exit_code == 2
    assert "is not in the range 0<=x<=1000000000000" in done.stderr
