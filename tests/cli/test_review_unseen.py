"""`spadille review --chances` for records in which some hands are unknown."""

from __future__ import annotations

import json

from click.testing import CliRunner

from spadille_cli import main
from tests.cli.test_review_command import run

# South's hand and the play up to a claim; the other hands do not follow from it.
CLAIMED = """\
[Game "german-solo"]
[Dealer "W"]
[Deal "S:87.AQJ7.7.Q - - -"]
[Declarer "S"]
[Contract "solo"]
[Trump "H"]
[Play "N"]
DQ D9 D7 DK
S9 SA S8 SK
CJ C7 H7 D8
H9 HK HA H8
DJ C8 HJ HT
ST C9 S7 SJ
*
"""
SAMPLED = ("--chances", "--samples", "40", "--seconds", "0")


def test_unknown_hands_leave_the_known_ones_to_be_judged() -> None:
    (found,) = json.loads(run(*SAMPLED, "--format", "json", "-", text=CLAIMED).stdout)
    assert found["error"] is None
    assert found["unseen"] == ["N", "E", "W"]
    judged = [card for card in found["cards"] if "verdict" in card]
    assert {card["seat"] for card in judged} == {"S"}
    assert {card["card"] for card in judged} == {
        card["card"] for card in found["cards"] if card["choice"]
    }
    assert {card["verdict"] for card in judged} == {"error", "fine"}
    assert {(card["before"], card["after"], card["cost"]) for card in found["cards"]} == {
        (None, None, None)
    }
    assert found["tricks"][2] == {"leader": "E", "cards": ["C7", "H7", "D8", "CJ"], "winner": "S"}
    assert found["accounts"]["S"]["open"] == found["players"]["S"]["open"] == len(judged)


def test_the_verdict_on_a_known_hand_is_that_of_its_chances() -> None:
    """The first choice, valued by itself with the same layouts."""
    (found,) = json.loads(run(*SAMPLED, "--format", "json", "-", text=CLAIMED).stdout)
    number, card = next((n, card) for n, card in enumerate(found["cards"]) if card["choice"])
    words = ["cards", "--after", str(number), *SAMPLED, "--format", "json", "-"]
    (alone,) = json.loads(CliRunner().invoke(main, words, input=CLAIMED).stdout)
    (own,) = [one for one in alone["cards"] if one["card"] == card["card"]]
    assert (card["chance"], card["rank"]) == (own["made"], own["rank"])


def test_tables_say_which_hands_are_unknown() -> None:
    told = " ".join(run(*SAMPLED, "-", text=CLAIMED).stdout.split())
    assert "these hands are unknown: North, East and West" in told
    assert "Cards of the other hands are judged given their players' knowledge" in told
    only = run(*SAMPLED, "--seat", "N", "--format", "json", "-", text=CLAIMED)
    assert {card["seat"] for card in json.loads(only.stdout)[0]["cards"]} == {"N"}
    refused = run("-", text=CLAIMED)
    assert refused.exit_code == 3
    assert "N's hand is unknown" in refused.stderr


def test_a_partner_may_be_unknown() -> None:
    """The holder of the called card is not known before it is played."""
    text = CLAIMED.replace('"solo"', '"frog"').replace('[Play "N"]', '[Called "CA"]\n[Play "N"]')
    result = run(*SAMPLED, "--format", "json", "-", text=text)
    (found,) = json.loads(result.stdout)
    assert result.exit_code == 0
    assert found["partner"] is None
    assert any("verdict" in card for card in found["cards"])


def test_what_cannot_have_been_played_ends_an_unseen_review() -> None:
    result = run(*SAMPLED, "--format", "json", "-", text=CLAIMED.replace("C9 S7 SJ", "C9 SQ SJ"))
    assert result.exit_code == 3
    (found,) = json.loads(result.stdout)
    assert found["error"] is not None
    assert [card["trick"] for card in found["cards"]][-1] == 5
