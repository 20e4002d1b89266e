"""`spadille deal`: hand files of deals that meet conditions, and frequencies of conditions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import spadille
from spadille.games import GAMES
from spadille_cli import main
from tests.support.tiers import part


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["deal", *words])


@pytest.mark.ci
@pytest.mark.parametrize("game", part(GAMES, 2, 8, some_slow=True))
def test_files_are_sound_canonical_and_the_same_again(game: str, tmp_path: Path) -> None:
    path = str(tmp_path / "made.pbn")
    where = ("--where", "points(dealer) >= 9", "--hand", "eldest=.A..")
    words = (game, "-n", "3", "--seed", "5", *where)
    assert run(*words, "-o", path).exit_code == 0
    for command in ("check", "fmt"):
        done = CliRunner().invoke(main, [command, *(["--check"] * (command == "fmt")), path])
        assert (done.exit_code, done.stdout) == (0, ""), done.output
    text = Path(path).read_text(encoding="utf-8")
    assert run(*words).stdout == text == run(*words, "-j", "2").stdout
    entries = list(spadille.load(path))
    assert [entry.board for entry in entries] == ["1", "2", "3"]
    made = spadille.deals(game, 3, seed=5, where="points(dealer) >= 9", hands={"eldest": ".A.."})
    assert [entry.deal for entry in entries] == list(made)


def test_the_first_comment_is_the_command_that_writes_the_file_again() -> None:
    text = run("solo-whist", "--shape", "N=5-4-x-x", "--where", "trumps(N) > 4").stdout
    (line,) = re.findall(r"^% spadille deal (.*)$", text, re.MULTILINE)
    assert re.fullmatch(
        r"solo-whist -n 1 --seed \d+ --shape N=5-4-x-x --where 'trumps\(N\) > 4'", line
    )
    seed = line.split()[4]
    again = run("solo-whist", "--seed", seed, "--shape", "N=5-4-x-x", "--where", "trumps(N) > 4")
    assert again.stdout == text
    assert re.search(r"^% one deal in [\d.]+ meets the conditions on single hands$", text, re.M)


def test_how_rare_the_deals_are_is_told_in_plain_figures() -> None:
    text = run("german-solo", "--where", "trumps(N, H) >= 6 and holds(E, CQ)").stdout
    assert text.endswith("% one deal in 1,562 meets the conditions on single hands\n")


def test_what_was_tried_is_told_in_the_file_and_beside_it() -> None:
    done = run("german-solo", "-n", "2", "--seed", "1", "--where", "makes(N, solo, H)")
    told = re.findall(r"^% (\d+ .*)$", done.stdout, re.MULTILINE)
    assert re.fullmatch(r"\d+ deals drawn, 2 met all other conditions", told[0])
    assert re.fullmatch(r"2 of \d+ met makes\(N, solo, H\)", told[1])
    assert done.stderr == "".join(f"spadille: {line}\n" for line in told)
    both = run("german-solo", "-n", "2", "--seed", "1", "-j", "2", "--where", "makes(N, solo, H)")
    assert both.stdout == done.stdout


def test_who_deals() -> None:
    def dealers(*words: str) -> list[str]:
        return re.findall(r'Dealer "(.)"', run("ombre", "-n", "4", "--seed", "1", *words).stdout)

    assert dealers() == ["1", "3", "2", "1"]
    assert dealers("--dealer", "2") == ["2"] * 4


def test_a_card_is_turned_up() -> None:
    text = run("solo-whist", "-n", "2", "--seed", "1", "--turn-up", "HQ").stdout
    assert text.count('[TurnUp "HQ"]') == 2
    text = run("anna-cubed", "-n", "2", "--seed", "1", "--current-trump", "NT").stdout
    assert text.count('[CurrentTrump "NT"]') == 2


def test_what_is_too_rare_leaves_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spadille.generate.deals.deal_search._RAREST", 100)
    where = "length(N, S) * length(S, S) > 11"
    done = run("mensch", "-n", "9", "--seed", "1", "--where", where)
    assert done.exit_code == 3
    assert re.search(
        r"gave up after \d+ deals, of which \d meet all conditions; the rarest: len", done.stderr
    )
    found = int(re.findall(r"of which (\d)", done.stderr)[0])
    assert done.stdout.count("[Deal ") == found


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["german-solo", "--where", "trumpf(N, H) > 1"],
            "--where 'trumpf(N, H) > 1', column 1: 'trumpf'",
        ),
        (["german-solo", "--stats", "trumps(N)"], "--stats 'trumps(N)', column 1: a trump is"),
        (["german-solo", "--stats", "points(N)", "--by", "x"], "--by 'x', column 1: 'x' has"),
        (["german-solo", "--where", "points(N)"], "column 1: a number is not a condition"),
        (
            ["german-solo", "--where", "trumps(N, H) > 8"],
            "no deal of German Solo meets the conditions",
        ),
        (["german-solo", "--hand", "N"], "'N' is not SEAT=CARDS"),
        (["german-solo", "--hand", "N=AK"], "'AK' is not a hand"),
        (
            ["german-solo", "--hand", "1=A..."],
            "N, E, S, W, dealer or eldest",
        ),
        (["german-solo", "--shape", "N=5-4"], "'5-4' is not a shape: write four numbers"),
        (["german-solo", "--dealer", "X"], "'X' is not a seat in German Solo"),
        (["german-solo", "--turn-up", "H"], "German Solo turns up no card"),
        (["german-solo", "--by", "points(N)"], "--by needs --stats"),
        (["german-solo", "--format", "json"], "--format needs --stats"),
        (["german-solo", "--stats"], "--stats needs an expression, or conditions given with"),
        (["--stats", "german-solo"], "name a game, before --stats"),
        (["bridge"], "bridge"),
        (["german-solo", "-n", "-1"], "-1"),
    ],
)
def test_wrong_usage_is_told(words: list[str], told: str) -> None:
    done = run(*words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stdout == ""


def records(*words: str) -> list[dict]:
    done = run(*words, "--format", "jsonl")
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_how_often_conditions_hold_each_and_all() -> None:
    where = ("--where", "trumps(N, H) >= 3", "--where", "holds(E, CQ)")
    found = records("german-solo", "-n", "80", "--seed", "2", *where, "--stats")
    assert [one["expression"] for one in found] == [
        "trumps(N, H) >= 3",
        "holds(E, CQ)",
        "(trumps(N, H) >= 3) and (holds(E, CQ))",
    ]
    assert found[1]["counted"] == pytest.approx(1 / 4)
    deals = list(spadille.deals("german-solo", 80, seed=2))
    assert found[1]["held"] == sum("CQ" in (deal.hands["E"] or ()) for deal in deals)
    low, high = found[1]["interval"]
    assert low < found[1]["share"] < high
    given = records("german-solo", "-n", "40", "--seed", "2", *where, "--stats", "holds(E, CQ)")
    assert given[0]["share"] == given[0]["counted"] == 1


def test_tables_for_people() -> None:
    done = run("german-solo", "-n", "60", "--seed", "1", "--stats", "trumps(N, H) > 2", "--stats",
               "trumps(N, H)", "--by", "length(N, S)", "--by", "holds(N, CQ)")  # fmt: skip
    assert done.stdout.startswith("60 deals of german-solo, seed 1\n")
    assert max(map(len, done.stdout.splitlines())) <= 80
    for header in (
        "of these deals    deals  holds  share   95% interval      counted",
        "of these deals  deals  mean    95% interval      least  most",
        "length(N, S)  holds(N, CQ)  deals  holds  share   95% interval      counted",
        "trumps(N, H) > 2, by length(N, S) and, across, holds(N, CQ)",
        "length(N, S)  no      yes",
    ):
        assert header in done.stdout, done.stdout


@pytest.mark.parametrize("kind", ["csv", "markdown", "html", "latex", "json"])
def test_other_formats(kind: str) -> None:
    done = run("mensch", "-n", "5", "--seed", "1", "--stats", "trumps(N, H) > 2", "--by",
               "points(N) > 9", "--format", kind)  # fmt: skip
    assert done.exit_code == 0
    assert "trumps(N, H)" in done.stdout
    if kind == "csv":
        header, every, *groups = done.stdout.splitlines()
        assert header.startswith("game,seed,drawn,expression,by,deals")
        assert '"trumps(N, H) > 2",,5,' in every
        assert "points(N) > 9: " in groups[0]


def test_ctrl_c_shows_what_was_counted_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    from spadille.generate.deals.frequencies import Frequencies

    works = Frequencies.count

    def interrupted(self: Frequencies):
        for number in works(self):
            yield number
            if number == 7:
                raise KeyboardInterrupt

    monkeypatch.setattr(Frequencies, "count", interrupted)
    done = run("mensch", "-n", "50", "--seed", "1", "--stats", "trumps(N, H) > 2")
    assert done.exit_code == 130
    assert done.stdout.startswith("7 deals of mensch, seed 1\n")
