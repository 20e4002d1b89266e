"""`spadille best --chances`: formats, seeds, unknown cards, Ctrl-C."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner, Result

from spadille.analysis.chances.sampling_loop import Sampling
from spadille_cli import main
from spadille_cli.exit_status import Status
from tests.cli.test_json_fields import ENDING, UNSEEN
from tests.cli.test_review_command import HALF

SOME = ("--chances", "--seat", "N", "--seconds", "0", "--samples", "16")


def run(*args: str, text: str) -> Result:
    return CliRunner().invoke(main, ["best", *args, "-"], input=text)


@pytest.mark.ci
@pytest.mark.parametrize("layout", ["table", "json"])
def test_the_same_seed_writes_the_same(layout: str) -> None:
    once, again, threads, other = (
        run(*SOME, "--format", layout, *words, text=HALF).stdout
        for words in ((), (), ("-j", "2"), ("--seed", "1"))
    )
    assert once == again == threads != other
    if layout == "table":
        assert max(map(len, once.splitlines())) <= 80
        assert "16 of" in once
    if layout == "csv":
        rows = list(csv.DictReader(io.StringIO(once)))
        assert all(float(row["made_low"]) <= float(row["made"]) for row in rows)
        assert [row["rank"] for row in rows].count("1") >= 1


@pytest.mark.ci
def test_a_player_may_enter_only_his_own_hand() -> None:
    result = run(*SOME, "--format", "json", text=UNSEEN)
    (found,) = json.loads(result.stdout)
    assert result.exit_code == Status.DONE
    assert found["seat"] == "N"
    assert [*found["seats"]] == ["N"]
    assert {"frog", "solo"} <= {offer["contract"] for offer in found["seats"]["N"]}
    assert run(*SOME[:2], "E", *SOME[3:], text=UNSEEN).exit_code == Status.UNUSABLE


@pytest.mark.ci
def test_only_the_best_card_to_call_stands_in_the_table() -> None:
    short, long = (run(*SOME, *words, text=HALF).stdout for words in ((), ("--called", "all")))
    assert short.count("\nhalf ") == 1 < long.count("\nhalf ")


@pytest.mark.ci
@pytest.mark.parametrize(
    ("words", "others"),
    [
        (
            (),
            "Other players who may exchange discard as many of their lowest plain cards as they "
            "can, except the highest of each suit.",
        ),
        (("--belief", "none"), "The other players are assumed to discard random cards."),
    ],
)
def test_the_basis_describes_the_discards(words: tuple[str, ...], others: str) -> None:
    text = '[Game "ombre"]\n[Dealer "1"]\n[Deal "1:K6.J7.KQ5.J2 - -"]\n'
    limits = ("--samples", "16", "--seconds", "0")
    shown = run("--chances", "--seat", "1", *limits, *words, text=text)
    assert shown.exit_code == Status.DONE
    told = " ".join(shown.stdout.split())
    assert "keep all trumps and discard the lowest cards of the other suits were tried." in told
    assert others in told
    assert "Discards for 'vuelta', by the trump turned up:" in told


@pytest.mark.ci
def test_payoffs_that_are_not_known_lie_between_bounds() -> None:
    text = '[Game "squint"]\n[Dealer "1"]\n[Deal "1:KQ98.T9.8.765 - - - -"]\n'
    shown = run("--chances", "--seat", "1", "--samples", "16", "--seconds", "0", text=text)
    assert shown.exit_code == Status.DONE
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "its payoff has two bounds" in " ".join(shown.stdout.split())
    words = ("--chances", "--seat", "1", "--samples", "2", "--seconds", "0")
    found = json.loads(run(*words, "--format", "json", text=text).stdout)[0]
    offers = found["seats"]["1"]
    assert {(offer["payoff"] is None) for offer in offers} == {True, False}
    for offer in offers:
        assert (offer["payoff"] is None) == (offer["bounds"] is not None)
    sure = [(offer["bounds"] or [offer["payoff"]])[0] for offer in offers]
    assert sure == sorted(sure, reverse=True)
    assert found["gauge"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--chances",), "needs one --seat"),
        (("--chances", "--seat", "N", "--seat", "E"), "needs one --seat"),
        (("--chances", "--seat", "N", "--seconds", "0"), "--seconds 0 needs --samples"),
        ((*SOME, "--no-exchange"), "cannot be combined with --chances"),
        (("--samples", "5"), "--samples needs --chances"),
    ],
)
def test_what_does_not_go_together(words: tuple[str, ...], message: str) -> None:
    result = run(*words, text=HALF)
    assert result.exit_code == Status.USAGE
    assert message in result.stderr


def test_an_end_position_is_refused() -> None:
    result = run("--chances", "--seat", "1", "--samples", "4", text=ENDING)
    assert result.exit_code == Status.UNUSABLE
    assert "an end position" in result.stderr


def test_an_interruption_shows_what_is_known_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Sampling.steps

    def interrupted(self, *clock):
        for number, step in enumerate(whole(self, *clock)):
            if number == 2:
                raise KeyboardInterrupt
            yield step

    monkeypatch.setattr(Sampling, "steps", interrupted)
    words = ("--chances", "--seat", "N", "--contract", "solo", "--format", "json")
    (found,) = json.loads(run(*words, text=HALF).stdout)
    assert found["ended"] == "interrupted"
    assert 0 < found["samples"] < 1000
