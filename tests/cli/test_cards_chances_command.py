"""`spadille cards --chances`: formats, seeds, unknown cards, Ctrl-C."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from spadille.analysis.chances.card_chances_result import Chances
from spadille.analysis.chances.sampling_loop import Clock, Sampling
from spadille_cli import main
from spadille_cli.exit_status import Status
from tests.cli.test_json_fields import UNSEEN
from tests.cli.test_review_command import FILES, HALF
from tests.support.deals_and_outcomes import PLAY_OF_ONE_HAND
from tests.support.tiers import part

LATE = ("--after", "21", "--chances")
HAND = ("SA", "SK", "HQ", "D8", "CQ", "C9", "C8", "C7")
SOME = ("--after", "0", "--chances", "--seconds", "0", "--samples", "32")


def run(*args: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["cards", *args], input=text)


def test_values_stand_beside_those_of_open_hands() -> None:
    (found,) = json.loads(run(*LATE, "--format", "json", "-", text=HALF).stdout)
    (plain,) = json.loads(run("--after", "21", "--format", "json", "-", text=HALF).stdout)
    assert found["exact"]
    assert found["settled"]
    assert found["ended"] is None
    assert int(found["layouts"]) == found["samples"]
    assert found["seat"] == plain["player"]
    for card, open_card in zip(found["cards"], plain["cards"], strict=True):
        assert open_card.items() <= card.items()
        assert 0 <= card["made"] <= 1
        assert card["made_interval"] is None
    assert "ms" not in found


@pytest.mark.ci
@pytest.mark.parametrize("layout", part(["table", "json"], 0, 2))
def test_the_same_seed_writes_the_same(layout: str) -> None:
    once, again, threads, other = (
        run(*SOME, "--format", layout, *words, "-", text=HALF).stdout
        for words in ((), (), ("-j", "2"), ("--seed", "1"))
    )
    assert once == again == threads != other
    if layout == "table":
        assert max(map(len, once.splitlines())) <= 80
        assert "32 of" in once
    if layout == "csv":
        rows = list(csv.DictReader(io.StringIO(once)))
        assert all(float(row["made_low"]) <= float(row["made"]) for row in rows)
        assert all(float(row["made"]) <= float(row["made_high"]) for row in rows)
        assert [row["rank"] for row in rows].count("1") >= 1


def test_a_player_may_enter_only_his_own_hand() -> None:
    result = run(*SOME, "--format", "json", "-", text=UNSEEN)
    (found,) = json.loads(result.stdout)
    assert result.exit_code == Status.DONE
    assert {card["card"] for card in found["cards"]} == {*HAND}
    assert "value" not in found
    assert "cost" not in found["cards"][0]
    rows = list(csv.DictReader(io.StringIO(run(*SOME, "--format=csv", "-", text=UNSEEN).stdout)))
    assert all(row["made"] and not row["tricks"] for row in rows)
    assert run("--after", "0", "-", text=UNSEEN).exit_code == Status.UNUSABLE


def test_a_hand_that_is_over_has_no_chances() -> None:
    (found,) = json.loads(run("--chances", "--format", "json", "-", text=HALF).stdout)
    assert found["player"] is None
    assert "gauge" not in found


@pytest.mark.parametrize("words", [("--samples", "5"), ("--seed", "1"), ("--belief", "none")])
def test_options_of_chances_need_them(words: tuple[str, str]) -> None:
    result = run(*words, "-", text=HALF)
    assert result.exit_code == Status.USAGE
    assert f"{words[0]} needs --chances" in result.stderr
    assert run("--chances", "--line", "-", text=HALF).exit_code == Status.USAGE


@pytest.mark.ci
def test_layouts_may_have_to_meet_conditions() -> None:
    where = "length(N, H) >= 3"
    words = (*SOME, "--where", where, "--where", "not holds(N, CK)", "--format", "json", "-")
    (found,) = json.loads(run(*words, text=HALF).stdout)
    assert found["known"][-2:] == [
        f"Only layouts that meet {each} count" for each in (where, "not holds(N, CK)")
    ]
    assert 0 < found["acceptance"] < 1
    (free,) = json.loads(run(*SOME, "--format", "json", "-", text=HALF).stdout)
    assert found["cards"] != free["cards"]
    told = " ".join(run(*SOME, "--where", where, "-", text=HALF).stdout.split())
    assert "% of the layouts drawn fit all of the above." in told
    result = run(*SOME, "--where", "length(N, H) >", "-", text=HALF)
    assert result.exit_code == Status.UNUSABLE
    assert "column 15: cannot be read" in result.stderr
    assert run("--where", where, "-", text=HALF).exit_code == Status.USAGE


def test_seconds_are_a_number() -> None:
    result = run("--chances", "--seconds", "nan", "-", text=HALF)
    assert result.exit_code == Status.USAGE
    assert "seconds must be 0 or more, not nan" in result.stderr


def test_an_interval_stands_beside_its_figure() -> None:
    words = ("--after", "0", "--chances", "--samples", "16", "--format", "markdown", "-")
    lines = run(*words, text=HALF).stdout.splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    place = next(row.index("behind") for row in rows if "behind" in row)
    cells = [(row[place], row[place + 1]) for row in rows if len(row) > place + 1]
    assert len(cells) >= 4
    assert all(bool(behind) == bool(interval) for behind, interval in cells)


@pytest.mark.ci
def test_few_layouts_make_no_table() -> None:
    few = run("--after", "0", "--chances", "--samples", "15", "-", text=HALF).stdout
    assert "behind" not in few
    assert "15 layouts are too few for a table" in " ".join(few.split())
    assert "behind" in run("--after", "0", "--chances", "--samples", "16", "-", text=HALF).stdout


@pytest.mark.ci
def test_equal_cards_share_a_row_and_a_sentence_says_if_all_are_equal() -> None:
    text = (
        '[Game "solo-whist"]\n[Dealer "N"]\n[Deal "E:AKQ.432.AKQ.AKQJ - - -"]\n'
        '[Declarer "W"]\n[Contract "misere"]\n[Trump "NT"]\n'
    )
    words = ("--chances", "--seconds", "0", "--samples", "16", "--belief", "none", "-")
    shown = run(*words, text=text).stdout
    assert "SA SK SQ H4 H3 H2 DA DK DQ CA CK CQ CJ  " in shown
    assert "All 13 cards are equally good, given what East knows." in shown
    assert "ranked by" not in shown
    other = run(*SOME, "-", text=HALF).stdout
    assert "are equal given what" not in other


@pytest.mark.ci
def test_defenders_see_how_often_they_defeat_the_contract() -> None:
    whole = run(*SOME, "-", text=HALF).stdout
    (found,) = json.loads(run(*SOME, "--format", "json", "-", text=HALF).stdout)
    assert "to play, defending" in whole.splitlines()[0]
    assert "beaten" in whole
    best = next(card for card in found["cards"] if card["rank"] == 1)
    first = next(line for line in whole.splitlines() if best["card"] in line.split())
    assert f"{100 * (1 - best['made']):.1f}" in first.split()


@pytest.mark.ci
def test_an_interruption_shows_what_is_known_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Sampling.steps

    def interrupted(self, *clock):
        for number, step in enumerate(whole(self, *clock)):
            if number == 2:
                raise KeyboardInterrupt
            yield step

    monkeypatch.setattr(Sampling, "steps", interrupted)
    words = ("--after", "0", "--chances", "--format", "json")
    result = run(*words, "-", text=HALF)
    (found,) = json.loads(result.stdout)
    assert found["ended"] == "interrupted"
    assert not found["settled"]
    assert 0 < found["samples"] < 10_000
    assert found["cards"][0]["made_interval"] is not None
    assert (
        "No plan: the search was interrupted."
        in run("--trick", "1", "--plan", "-", text=HALF).output
    )


@pytest.mark.ci
@pytest.mark.parametrize("path", part(FILES, 1), ids=lambda path: path.stem)
def test_every_game(path: Path) -> None:
    first = path.read_text().partition("\n\n")[0]
    result = run("--after", "0", "--chances", "--samples", "2", "--seconds", "0", "-", text=first)
    assert result.exit_code in (Status.DONE, Status.UNUSABLE)
    assert "2 layouts are too few" in result.stdout or "one declarer" in result.stderr


@pytest.mark.ci
def test_the_play_of_one_hand_is_followed_whoever_is_the_partner() -> None:
    words = ("--chances", "--seconds", "0", "--samples", "64", "--format", "json", "-")
    (found,) = json.loads(run("--after", "3", *words, text=PLAY_OF_ONE_HAND).stdout)
    assert found["error"] is None
    assert found["partner"] is None
    assert [card["card"] for card in found["cards"]] == ["D8"]
    assert found["known"] == [
        "South called DA and so does not hold it",
        "West has no diamonds (trick 1)",
    ]
    plain = run("--after", "3", "-", text=PLAY_OF_ONE_HAND)
    assert plain.exit_code == Status.UNUSABLE
    assert "[partner-missing]" not in run("--after", "3", *words, text=PLAY_OF_ONE_HAND).stderr


@pytest.mark.ci
def test_what_cannot_have_been_played_is_told_with_its_place() -> None:
    words = ("--after", "3", "--chances", "--seconds", "0", "--samples", "64", "-")
    result = run(*words, text=PLAY_OF_ONE_HAND.replace("H9 +  CT C7", "H9 +  DT C7"))
    assert "-:10:7: impossible: West plays DT to trick 2, but " in result.stderr
    assert result.exit_code == Status.UNUSABLE
    none = run(*words, text=PLAY_OF_ONE_HAND.replace('"frog"', '"five"'))
    assert none.exit_code == Status.UNUSABLE


# Reviews


def reviewed(*args: str, text: str = HALF) -> dict:
    words = ["review", "--chances", "--seconds", "0", "--samples", "100", "--format", "json"]
    result = CliRunner().invoke(main, [*words, *args, "-"], input=text)
    (record,) = json.loads(result.stdout)
    return record


@pytest.mark.ci
def test_a_review_tells_errors_from_bad_luck() -> None:
    found = reviewed()
    (plain,) = json.loads(
        CliRunner().invoke(main, ["review", "--format", "json", "-"], input=HALF).stdout
    )
    assert {**plain, "ms": 0, "cards": 0}.items() <= {**found, "ms": 0, "cards": 0}.items()
    counts = {seat: dict.fromkeys(counts, 0) for seat, counts in found["verdicts"].items()}
    for card, other in zip(found["cards"], plain["cards"], strict=True):
        assert other.items() <= card.items()
        assert ("verdict" in card) == card["choice"]
        if not card["choice"]:
            continue
        assert (card["verdict"] in ("error", "unlucky")) == bool(card["cost"])
        # The best choice given what the player knew is never called an error.
        assert card["rank"] > 1 or card["verdict"] in ("unlucky", "fine")
        counts[card["seat"]][card["verdict"]] += 1
    assert counts == found["verdicts"]
    assert sum(map(sum, (each.values() for each in counts.values()))) > 5


@pytest.mark.ci
def test_a_review_says_that_the_time_was_over() -> None:
    words = ["review", "--chances", "--seconds", "0.01", "-"]
    told = " ".join(CliRunner().invoke(main, words, input=HALF).stdout.split())
    cut = r"cut off the analysis of (\d+ of the|all) \d+ decisions"
    # On a busy machine, the time may be over before the first layout.
    none = r"left \d+ decisions without a verdict"
    assert re.search(f"The time limit ({cut}|{none})", told)
    assert {card.get("ended") for card in reviewed()["cards"]} <= {None, "samples"}


@pytest.mark.ci
def test_an_interrupted_review_shows_what_is_known_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, seen = Sampling.steps, []

    def interrupted(self: Sampling[Chances], *clock: Clock) -> Iterator[None]:
        seen.append(self)
        if len(seen) == 5:  # one for the review, and one for each of four decisions
            raise KeyboardInterrupt
        return whole(self, *clock)

    monkeypatch.setattr(Sampling, "steps", interrupted)
    found = reviewed()
    assert sum("verdict" in card for card in found["cards"]) == 3
    assert sum(map(sum, (each.values() for each in found["verdicts"].values()))) == 3


@pytest.mark.ci
def test_an_evening_counts_what_its_reviews_say() -> None:
    words = ["--chances", "--seconds", "0", "--samples", "100", "--format", "json", "-"]
    found = reviewed()["verdicts"]
    (deal,) = json.loads(CliRunner().invoke(main, ["score", *words], input=HALF).stdout)
    assert deal["verdicts"] == found
    for command in ("score", "review"):
        once = CliRunner().invoke(main, [command, "--by", "player", *words], input=HALF)
        assert {one["player"]: one["verdicts"] for one in json.loads(once.stdout)} == found
    table = (
        CliRunner()
        .invoke(main, ["score", *words[:-3], "-"], input=HALF)
        .stdout.split("cards by verdict")[1]
    )
    rows = [line.split() for line in table.splitlines() if line[:1] in found]
    assert {row[0]: [*map(int, row[1:])] for row in rows} == {
        seat: [*counts.values()] for seat, counts in found.items()
    }


@pytest.mark.ci
def test_an_even_count_of_few_layouts_calls_nobody_wrong() -> None:
    """In these 48 layouts, CA makes as rarely as D9, the best lead, but takes fewer tricks."""
    file = Path(__file__).parents[2] / "examples" / "german-solo.pbn"
    words = [
        "--chances",
        "--seconds",
        "0",
        "--samples",
        "48",
        "--belief",
        "none",
        "--seed",
        "2",
        "--board",
        "1",
        "--format",
        "json",
    ]
    (cards,) = json.loads(
        CliRunner().invoke(main, ["cards", *words, "--after", "0", str(file)]).stdout
    )
    lead = next(one for one in cards["cards"] if one["card"] == "D9")
    assert (cards["exact"], lead["rank"], lead["behind"]) == (False, 2, 0)
    (found,) = json.loads(CliRunner().invoke(main, ["review", *words, str(file)]).stdout)
    assert (found["cards"][0]["card"], found["cards"][0]["verdict"]) == ("D9", "unlucky")


@pytest.mark.ci
def test_reviews_repeat_on_any_number_of_threads() -> None:
    once, again = reviewed(), reviewed("-j", "2")
    del once["ms"], again["ms"]
    assert once == again


@pytest.mark.ci
def test_a_verdict_goes_into_the_file(tmp_path: Path) -> None:
    file = tmp_path / "half.pbn"
    file.write_text(HALF, encoding="utf-8")
    words = ["review", "--chances", "--seconds", "0", "--samples", "64", "--annotate", str(file)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == Status.DONE
    text = " ".join(file.read_text(encoding="utf-8").split())
    told = {word for word in ("error", "unlucky", "lucky") if f" {word}: made in" in text}
    table = {line.split()[-1] for line in result.stdout.splitlines() if line.strip()}
    assert told
    assert told <= table
    once = file.read_text(encoding="utf-8")
    CliRunner().invoke(main, words)
    assert file.read_text(encoding="utf-8") == once
    CliRunner().invoke(main, ["review", "--annotate", str(file)])
    assert "made in" not in file.read_text(encoding="utf-8")


def test_what_others_put_away_is_an_assumption() -> None:
    words = ("--after", "0", "--chances", "--seconds", "0", "--samples", "32", "--format", "json")
    tail = ("--board", "#1", "examples/ombre.pbn")
    known = {}
    for discards in ("uniform", "keep-trumps"):
        result = run(*words, "--discards", discards, *tail)
        (found,) = json.loads(result.stdout)
        known[discards] = (found["known"], found["layouts"])
    assert "Other players' discards are assumed to be random cards" in known["uniform"][0]
    assert "Nobody discarded a trump, by assumption" in known["keep-trumps"][0]
    assert run("--discards", "uniform", *tail).exit_code == Status.USAGE
