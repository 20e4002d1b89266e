"""`review --chances`, `score --chances` and pages state the belief in the bids that they used."""

from __future__ import annotations

import json
from functools import cache

import pytest
from click.testing import CliRunner

import spadille
from spadille.analysis.review.card_costs import NO_BELIEFS, BeliefsUsed, BeliefUsed
from spadille_cli import main
from spadille_cli.exit_status import Status

# The first trick of a Frog, after which the others were claimed.
TEXT = """[Game "german-solo"]
[Dealer "S"]
[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]
[Declarer "E"]
[Contract "frog"]
[Trump "D"]
[Called "HA"]
[Result "6"]
[Auction "W"]
Pass Pass frog Pass
[Play "W"]
D9 DQ D8 DT
"""
SOME = ("--chances", "--seconds", "0", "--samples", "4")
KINDS = {"auction", "duties", "none"}


@cache
def run(command: str, *words: str, options: tuple[str, ...] = SOME) -> str:
    result = CliRunner().invoke(main, [command, *options, *words, "-"], input=TEXT)
    assert result.exit_code == Status.DONE, result.stderr
    return result.stdout


def line(text: str) -> str:
    """Return the sentences about the belief, from a table whose lines are wrapped."""
    words = " ".join(text.split())
    line = words[words.index("Inferences from the bids: ") :].partition(" summary ")[0]
    return line.removesuffix(".")


def parts(text: str) -> set[str]:
    return {*line(text).partition(": ")[2].split(". ")}


@pytest.mark.ci
def test_a_review_states_its_belief() -> None:
    told = line(run("review"))
    assert "East's choice of Frog is taken into account (in 2 of 3 decisions)" in told
    (found,) = json.loads(run("review", "--format", "json"))
    belief = found["belief"]
    judged = [card for card in found["cards"] if "verdict" in card]
    assert {*belief["kinds"]} == KINDS
    assert sum(belief["kinds"].values()) == len(judged)
    for kind, count in belief["kinds"].items():
        assert count == sum(card["belief"] == kind for card in judged)
    assert told == f"Inferences from the bids: {'. '.join(belief['text'])}"
    others = sum(card["seat"] != "E" for card in judged)
    assert (
        f"East's choice of Frog is taken into account (in {others} of {len(judged)} decisions)"
        in belief["text"]
    )
    assert (belief["spread"], bool(belief["strength"])) == (0.6, True)


@pytest.mark.ci
@pytest.mark.parametrize(("kind", "words"), [("none", "none"), ("duties", "only duties to bid")])
def test_other_beliefs_are_stated_too(kind: str, words: str) -> None:
    assert line(run("review", "--belief", kind)) == f"Inferences from the bids: {words}"
    (found,) = json.loads(run("review", "--belief", kind, "--format", "json"))
    assert found["belief"]["kinds"][kind] == sum(found["belief"]["kinds"].values()) > 0
    assert found["belief"]["text"] == []
    assert found["belief"]["spread"] is found["belief"]["strength"] is None


@pytest.mark.ci
def test_an_evening_states_its_beliefs() -> None:
    told = [parts(run("score")), parts(run("score", "--by", "player")), parts(run("review"))]
    assert told[0] == told[1] == told[2]
    (review,) = json.loads(run("review", "--format", "json"))
    (deal,) = json.loads(run("score", "--format", "json"))
    assert deal["belief"] == review["belief"]
    players = json.loads(run("score", "--by", "player", "--format", "json"))
    for kind in KINDS:
        count = sum(player["belief"]["kinds"][kind] for player in players)
        assert count == review["belief"]["kinds"][kind]
    whole = json.loads(run("score", "--format", "json", options=()))
    assert "belief" not in whole[0]


@pytest.mark.ci
def test_a_page_states_its_beliefs() -> None:
    text = run("page", "-o", "-")
    assert "Inferences from the bids: East" in text
    assert "Inferences from the bids" not in spadille.page(spadille.read(TEXT))


def test_the_beliefs_of_several_decisions_are_added_up() -> None:
    one = BeliefUsed("auction", ("A is taken into account",), 0.6, "1")
    two = BeliefUsed("auction", ("A is taken into account", "B is taken into account"), 0.6, "2")
    found = BeliefsUsed.of([one, two])
    assert found.texts == (
        "A is taken into account",
        "B is taken into account (in 1 of 2 decisions)",
    )
    assert (found.number, found.spread, found.strength) == (2, 0.6, "1 2")
    more = found + BeliefsUsed.of([BeliefUsed("duties")]) + NO_BELIEFS
    assert str(more) == (
        "Inferences from the bids: A is taken into account (in 2 of 3 decisions). "
        "B is taken into account (in 1 of 3 decisions)"
    )
    assert more.to_dict()["kinds"] == {"auction": 2, "duties": 1, "none": 0}
    assert NO_BELIEFS + found == found
    assert str(NO_BELIEFS) == "Inferences from the bids: none"
