"""Test a plan in words: rules for each way the others may play, from made-up steps."""

from __future__ import annotations

from typing import Any

import pytest

from spadille import Contract, Deal, know
from spadille.analysis.chances.plan_words import lines_of, sentence_of
from spadille.analysis.chances.plans import Plan, PlanStep

# North leads; trumps are hearts, and CQ and SQ are trumps, too.
ENDING = Deal.parse("N:K.A.K. A.K.7. 7.7.8. 8.8.9.", "german-solo", leader="N")
CONTRACT = Contract(("N",), ("solo",), "H")


def plan(*steps: tuple[int | None, str, str, float]) -> Plan:
    found = tuple(
        PlanStep(parent=parent, seen=tuple(seen.split()), card=card, share=share)
        for parent, seen, card, share in steps
    )
    fields: dict[str, Any] = {
        "contract": CONTRACT,
        "seat": "N",
        "after": 0,
        "card": found[0].card,
        "layouts": 9,
        "declaring": True,
        "seeing": 1.0,
        "without_seeing": found[0].share,
        "proved": True,
        "whole": True,
    }
    return Plan(steps=found, **fields)


def lines(*steps: tuple[int | None, str, str, float], most: int = 30) -> list[str]:
    return lines_of(plan(*steps), know(ENDING, CONTRACT), most)


def test_one_card_in_all_cases_follows_without_condition() -> None:
    found = lines((None, "", "HA", 0.8), (0, "HK H7 H8", "SK", 0.5), (0, "D7 H7 H8", "SK", 0.3))
    assert found == ["Play HA (80%)", "  Then: play SK (at most 80%)"]


def test_a_card_that_is_played_decides() -> None:
    found = lines((None, "", "HA", 0.8), (0, "HK H7 H8", "SK", 0.5), (0, "HK H7 CQ", "DK", 0.3))
    assert found == [
        "Play HA (80%)",
        "  If West plays H8: play SK (50%)",
        "  Otherwise: play DK (30%)",
    ]


@pytest.mark.parametrize(
    ("card", "word"), [("CQ", "trump"), ("H7", "trump"), ("D8", "diamond"), ("S8", "spade")]
)
def test_a_suit_that_is_played_or_not_decides(card: str, word: str) -> None:
    """Several cards of one suit are one case, and trumps are called trumps."""
    others = {"trump": ("D7", "C7"), "diamond": ("H7", "C7"), "spade": ("H7", "D7")}[word]
    same = {"CQ": "SQ", "H7": "H8", "D8": "D9", "S8": "S9"}[card]
    found = lines(
        (None, "", "HA", 0.9),
        (0, card, "SK", 0.3),
        (0, same, "SK", 0.2),
        (0, others[0], "DK", 0.25),
        (0, others[1], "DK", 0.15),
    )
    assert found == [
        "Play HA (90%)",
        f"  If East plays a {word}: play SK (at most 50%)",
        "  Otherwise: play DK (at most 40%)",
    ]
    found = lines(
        (None, "", "HA", 0.9),
        (0, card, "SK", 0.2),
        (0, same, "SK", 0.2),
        (0, others[0], "DK", 0.25),
        (0, others[1], "DK", 0.25),
    )
    assert found == [
        "Play HA (90%)",
        f"  If East does not play a {word}: play DK (at most 50%)",
        "  Otherwise: play SK (at most 40%)",
    ]


def test_earlier_cards_decide_later() -> None:
    found = lines(
        (None, "", "HA", 0.9),
        (0, "HK H7 H8", "SK", 0.5),
        (1, "SA S7 S8", "DK", 0.25),
        (0, "D7 H7 H8", "SK", 0.4),
        (3, "SA S7 S8", "CK", 0.375),
    )
    assert found == [
        "Play HA (90%)",
        "  Then: play SK (at most 90%)",
        "    If East has played D7: play CK (37.5%)",
        "    Otherwise: play DK (25%)",
    ]


def test_rules_for_the_same_card_are_one() -> None:
    found = lines(
        (None, "", "HA", 0.9),
        (0, "HK H7 H8", "SK", 0.3),
        (0, "D7 H7 H8", "SK", 0.2),
        (0, "D8 H9 H8", "DK", 0.1),
        (0, "D9 H9 H8", "CK", 0.05),
    )
    assert found[0] == "Play HA (90%)"
    assert found[1] == "  If South plays H7: play SK (at most 50%)"
    assert sorted(line[:12] for line in found[2:]) == ["  If East pl", "  Otherwise:"]


def test_what_is_left_out_is_marked() -> None:
    """At most as many lines as asked for; the rarest cases are left out first."""
    steps = (
        (None, "", "HA", 0.9),
        (0, "HK H7 H8", "SK", 0.6),
        (0, "D7 H7 H9", "DK", 0.3),
        (1, "SA S7 S8", "DK", 0.6),
        (2, "DA D9 D8", "SK", 0.3),
    )
    whole = lines(*steps)
    assert len(whole) == 5
    assert not any("..." in line for line in whole)
    assert lines(*steps, most=6) == whole
    shorter = lines(*steps, most=5)
    assert len(shorter) == 5
    assert shorter[-1] == "... the rest of the plan is in the JSON output."
    assert [line.endswith(" ...") for line in shorter[:-1]] == [False, False, False, True]
    assert lines(*steps, most=3)[0] == "Play HA (90%) ..."
    assert lines(*steps, most=2) == [
        "Play HA (90%) ...",
        "... the rest of the plan is in the JSON output.",
    ]


def test_a_share_is_a_bound_if_the_others_choose_the_case() -> None:
    """Cases that a layout allows together are not added beyond the share of the plan."""
    found = lines((None, "", "HA", 0.6), (0, "HK", "SK", 0.5), (0, "D7", "SK", 0.3))
    assert found[1] == "  Then: play SK (at most 60%)"
    found = lines((None, "", "HA", 0.6), (0, "HK", "SK", 0.6), (0, "D7", "SK", 0.3))
    assert found[1] == "  Then: play SK (60%)"


def test_a_sentence_has_the_cases_in_brackets() -> None:
    steps = (
        (None, "", "HA", 0.9),
        (0, "HK H7 H8", "SK", 0.6),
        (0, "D7 H7 H9", "DK", 0.3),
        (1, "SA S7 S8", "DK", 0.6),
    )
    assert sentence_of(plan(*steps), know(ENDING, CONTRACT)) == (
        "Play HA (90%) [if East plays HK: play SK (60%) [then: play DK (60%)]; "
        "otherwise: play DK (30%)]."
    )


def test_a_sentence_says_that_no_other_card_matters() -> None:
    found = sentence_of(plan((None, "", "HA", 0.9)), know(ENDING, CONTRACT))
    assert found == "Play HA (90%). After that, any card will do."


def test_a_long_sentence_leaves_out_rare_cases() -> None:
    cards = [f"{suit}{rank}" for suit in "SD" for rank in "789TJQKA"]
    below = [
        (0, f"{card} H7 H8", "SK" if number % 2 else "DK", 0.05)
        for number, card in enumerate(cards)
    ]
    found = sentence_of(plan((None, "", "HA", 0.8), *below), know(ENDING, CONTRACT))
    assert len(found) <= 625
    assert found.endswith("; ...]. Rarer cases are left out.")
