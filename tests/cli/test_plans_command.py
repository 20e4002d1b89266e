"""`cards --chances` and `--plan` without seeing, and problems whose solution is a plan."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import spadille
from spadille.analysis.chances.review_chances import is_worse
from spadille.generate.problems.plan_decision import reasoned
from spadille.generate.problems.soundness import verify
from spadille_cli import main

# HQ and SK are equal on average, and CQ is worse. One plan that begins with HQ wins 65 of 90.
ENDING = """[Game "german-solo"]
[Dealer "E"]
[Deal "E:8.A8.98.T97 J9.J.KQJ.J8 KT.QT97.T.Q AQ7.K.A7.AK"]
[Declarer "N"]
[Contract "solo"]
[Trump "S"]
{tags}[Play "S"]
C8 H7 CK C7
HJ H9 HK H8
CJ ST CA C9
DJ HT SA HA
DQ DT DA D8
DK - D7 D9
*
"""
PLAIN = ENDING.format(tags="")


def run(*words: str, text: str = PLAIN, status: int = 0) -> str:
    found = CliRunner().invoke(main, [*words, "-"], input=text)
    assert found.exit_code == status, found.output
    return found.stdout


def posed(key: str) -> str:
    return ENDING.format(tags=f'[Key "{key}"]\n[Theme "plan"]\n[Question "Which card?"]\n')


def test_cards_are_ranked_by_what_they_win_without_seeing() -> None:
    (found,) = json.loads(
        run("cards", "--plan", "--belief", "none", "--seconds", "0", "--format", "json")
    )
    cards = {card["card"]: card for card in found["cards"]}
    shares = {name: card["without_seeing"] for name, card in cards.items()}
    assert shares == pytest.approx({"HQ": 65 / 90, "SK": 60 / 90, "CQ": 54 / 90}, abs=1e-6)
    assert {name: card["rank"] for name, card in cards.items()} == {"HQ": 1, "SK": 2, "CQ": 3}
    assert cards["HQ"]["made"] == cards["SK"]["made"] == pytest.approx(24 / 90, abs=1e-6)
    assert found["gauge"] == pytest.approx(1 / 90, abs=1e-6)
    assert found["plans"] == {
        "layouts": "90",
        "exact": True,
        "decided": True,
        "tricks": None,
        "why": None,
    }
    assert found["plan"]["card"] == "HQ"
    assert found["plan"]["proved"]
    assert found["plan"]["steps"][0]["share"] == shares["HQ"]


def test_the_table_tells_which_card_owes_to_a_guess() -> None:
    text = " ".join(run("cards", "--card", "HQ", "--belief", "none", "--seconds", "0").split())
    assert "72.2?" in text
    assert "60.0?" not in text
    assert "West would have to know who holds SQ" in text
    assert "Play HQ (72.2%) If South plays S7, or South plays S9: play SK (at most 46.7%)" in text


def test_a_plan_begins_with_a_card_that_may_be_played() -> None:
    found = CliRunner().invoke(main, ["cards", "--card", "H9", "-"], input=PLAIN)
    assert found.exit_code == 3
    assert "W may not play 'H9'; legal cards: HQ SK CQ" in found.stderr


def test_many_layouts_are_a_sample_that_guarantees_nothing() -> None:
    entry = spadille.load("examples/solo-whist.pbn")[2]
    assert entry.deal is not None
    assert entry.contract is not None
    assert entry.play is not None
    cards = entry.play.cards[:32]
    found = spadille.chances(
        entry.deal, entry.contract, cards, drawing=spadille.Drawing(samples=32, seconds=0)
    )
    assert found.plans is not None
    assert not found.plans.exact
    assert found.plans.why
    for card in found.cards:
        assert card.without_seeing is None
        assert card.no_guess is None or 0 <= card.no_guess <= 1


def test_no_card_is_wrong_that_is_best_without_seeing() -> None:
    entry = spadille.read(PLAIN)[0]
    assert entry.deal is not None
    assert entry.contract is not None
    assert entry.play is not None
    found = spadille.chances(
        entry.deal, entry.contract, entry.play.cards, drawing=spadille.Drawing(seconds=0)
    )
    assert [is_worse(found, card) for card in ("HQ", "SK", "CQ")] == [False, True, True]
    assert reasoned(entry.deal, entry.contract, entry.play.cards, "HQ")
    assert not reasoned(entry.deal, entry.contract, entry.play.cards, "SK")


def test_a_problem_of_a_plan_is_verified() -> None:
    found = verify(spadille.read(posed("HQ"))[0])
    assert found is not None
    assert (found.faults, found.winning, found.themes) == ((), ("HQ",), ("plan",))
    found = verify(spadille.read(posed("SK"))[0])
    assert found is not None
    assert [fault.code for fault in found.faults] == ["key-wrong"]


def test_a_guess_may_concern_a_card_that_equals_another() -> None:
    # CA and SQ are equal here. With some holders of an unseen card, they need different plans.
    problems = Path(__file__).parents[2] / "examples" / "problems" / "plan-ombre.pbn"
    words = ["cards", "--chances", "--board", "1", "--seconds", "0", str(problems)]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 0, found.output
    assert "CA SQ" in found.stdout
