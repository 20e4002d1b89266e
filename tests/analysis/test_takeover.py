"""After a take-over the new Ombre plays on against the other two (RULES 5)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from spadille.analysis.review.review import review
from spadille.analysis.value.card_values import card_values
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games.model.contract_types_and_options import Surrender
from spadille.pbn.hand_file import read
from spadille.pbn.write_deals import dumps
from spadille_cli import main
from tests.support.packed_data import unpacked

TEXT = """[Board "7"]
[Game "ombre"]
[Dealer "2"]
[Deal "1:J75.7.A62.J6 64.J2.5.K732 .AKQ3.J74.A4"]
[Talon "D3 SQ SK H4 H6 C5 H5 DK SA CQ S3 DQ S2"]
[Player1 "Bob"]
[Player2 "Ann"]
[Player3 "Cid"]
[Declarer "1"]
[Contract "entrada"]
[Trump "C"]
[Discard "1:S7;3:DJ H3 HQ CA D4 HA C4;2:S6 C2 D5"]
[Surrender "1:2@2"]
[Play "1"]
SJ SK S3
H7 H5 H2
CJ C5 CQ
C6 SQ CK
S5 D7 S4
DA DK SA
D3 H6 HJ
D6 HK C7
D2 H4 C3
*
"""
BEFORE = 5  # cards before Bob's card in the second trick


@pytest.fixture
def taken(tmp_path: Path) -> str:
    path = tmp_path / "taken.pbn"
    path.write_text(TEXT, encoding="utf-8")
    return str(path)


def answer(*words: str) -> dict[str, Any]:
    found = CliRunner().invoke(main, [*words, "--format", "json"], catch_exceptions=False)
    (one,) = json.loads(found.stdout)
    assert one["error"] is None
    return dict(one)


def ending(deal: Deal, contract: Contract, cards: list[str]) -> Deal:
    """Return the position after these cards as an end position."""
    position = Position.of(deal, contract)
    for card in cards:
        position.play(card)
    hands = {seat: tuple(sorted(hand)) for seat, hand in position.hands.items()}
    bare = Deal(deal.rules, deal.dealer, hands)
    return replace(bare, leader=position.to_play, won=dict(position.won), pool=deal.pool)


def same(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    fields = ("declarer", "contract", "trump", "player", "unit", "value", "makes", "cards")
    assert {name: found[name] for name in fields} == {name: wanted[name] for name in fields}


@pytest.mark.parametrize("after", range(6, 27, 3))
def test_cards_equal_those_of_the_same_end_position(taken: str, tmp_path: Path, after: int) -> None:
    (entry,) = read(TEXT).entries
    assert entry.deal is not None
    assert entry.contract is not None
    assert entry.play is not None
    new = replace(entry.contract, declarers=("2",))
    deal = ending(entry.deal, entry.contract, [*entry.play.cards[:after]])
    other = tmp_path / "ending.pbn"
    other.write_text(dumps([(deal, new)]), encoding="utf-8")
    same(answer("cards", "--after", str(after), taken), answer("cards", str(other)))


def test_before_the_surrender_the_declarer_is_the_one_who_bid(taken: str) -> None:
    for after in range(BEFORE + 1):
        assert answer("cards", "--after", str(after), taken)["declarer"] == "1"
    assert answer("cards", "--after", str(BEFORE + 1), taken)["declarer"] == "2"
    assert answer("cards", "--trick", "3", taken)["declarer"] == "2"


def test_a_record_that_ends_with_the_take_over_goes_on_with_the_new_ombre(
    tmp_path: Path,
) -> None:
    path = tmp_path / "ends.pbn"
    head, _, _ = TEXT.partition('[Play "1"]')
    path.write_text(head, encoding="utf-8")
    assert answer("cards", str(path))["declarer"] == "2"
    path.write_text(head + '[Play "1"]\nSJ SK S3\n- H5 H2\n*\n', encoding="utf-8")
    found = answer("cards", str(path))
    assert (found["declarer"], found["player"], found["after"]) == ("2", "1", BEFORE)
    assert answer("cards", "--after", str(BEFORE), str(path))["declarer"] == "1"


def test_solve_values_the_new_contract_where_it_begins(taken: str) -> None:
    (entry,) = read(TEXT).entries
    assert entry.deal is not None
    assert entry.play is not None
    wanted = card_values(entry.deal, "2 entrada C", entry.play.cards[:BEFORE])
    found = answer("solve", "--line", taken)
    assert (found["declarer"], found["sides"]) == ("2", ["2"])
    assert found["outcome"] == wanted.value
    assert [card for trick in found["line"] for card in trick][:2] == ["H5", "H2"]


@pytest.mark.ci
def test_the_review_judges_all_cards_each_by_its_contract(taken: str) -> None:
    (entry,) = read(TEXT).entries
    assert entry.deal is not None
    assert entry.play is not None
    found = answer("review", taken)
    assert len(found["cards"]) == 27
    assert found["surrender"] == {
        "seat": "1",
        "trick": 2,
        "taken_over": "2",
        "agreed": [],
        "after": BEFORE,
    }
    for number, card in enumerate(found["cards"]):
        seat = "1" if number < BEFORE else "2"
        values = card_values(entry.deal, f"{seat} entrada C", entry.play.cards[:number])
        assert card["before"] == values.value
        after = card_values(entry.deal, f"{seat} entrada C", entry.play.cards[: number + 1])
        assert card["after"] == after.value
    assert list(found["accounts"]) == ["1", "2"]
    assert not found["accounts"]["1"]["made"]
    assert found["accounts"]["2"]["made"]
    assert found["finished"]
    assert found["score"] == {"1": -10, "2": 15, "3": -5, "pool": 0}
    tallies = found["parties"]
    assert tallies["declarers"]["cards"] == 1 + 7
    assert tallies["defenders"]["cards"] == 4 + 15


@pytest.mark.ci
def test_costs_are_those_of_each_contract() -> None:
    """Compare every card of random play with the values of the two contracts."""
    grades = ["codille", "puesta", "sacada"]
    cost = 0
    for number in range(12):
        random = Random(number)
        deal = Deal.random("ombre", number)
        contract = Contract(("1",), ("entrada",), "S")
        position = Position.of(deal, contract)
        cards = []
        while not position.finished:
            cards.append(random.choice(position.legal()))
            position.play(cards[-1])
        over = Surrender("1", random.randint(1, 4), random.choice("23"))
        found = review(deal, contract, cards, over)
        assert len(found.steps) == 27
        assert found.given_up is not None
        own = [step.trick for step in found.steps[: found.given_up] if step.seat == "1"]
        assert own == list(range(1, over.trick))
        assert found.steps[found.given_up].seat == "1"
        assert found.steps[found.given_up].trick == over.trick
        for i in range(6, 27, 4):
            step = found.steps[i]
            seat = over.taken_over if i >= found.given_up else "1"
            before, after = (
                grades.index(str(card_values(deal, f"{seat} entrada S", cards[:n]).value))
                for n in (i, i + 1)
            )
            assert step.cost == (before - after if step.seat == seat else after - before)
            cost += step.cost
    assert cost


@pytest.mark.ci
def test_score_settles_and_judges_the_hand_of_the_new_ombre(taken: str) -> None:
    found = answer("score", taken)
    assert found["points"] == {"1": -10, "2": 10, "3": -5}
    assert found["surrender"]["taken_over"] == "2"
    assert (found["outcome"], found["made"]) == ("sacada", False)
    assert {seat: one["cards"] for seat, one in found["players"].items()} == dict.fromkeys("123", 9)
    told = CliRunner().invoke(main, ["score", taken]).output
    assert "Bob entrada C: surrender, Ann took over: sacada" in told
    rows = CliRunner().invoke(main, ["score", "--by", "player", "--format", "json", taken]).stdout
    made = {one["player"]: (one["made"], one["failed"]) for one in json.loads(rows)}
    assert made == {"Bob": (0, 1), "Ann": (1, 0), "Cid": (0, 0)}


def test_show_draws_the_surrender_once_it_is_reached(taken: str) -> None:
    text = CliRunner().invoke(main, ["show", taken]).output
    assert "Entrada by 1 Bob" in text
    assert "1 Bob surrenders before trick 2, and 2 Ann takes over" in text
    assert answer("show", taken)["sides"] == ["2"]
    assert answer("show", "--after", "6", taken)["sides"] == ["2"]
    before = answer("show", "--after", "5", taken)
    assert (before["sides"], before["surrender"]) == (["1"], None)


def test_solve_says_whose_cards_it_values(taken: str) -> None:
    """Two cards lie on the table when Player 2 takes over, and it is Player 1's turn."""
    found = answer("solve", "--leads", taken)
    assert (found["leader"], found["player"], found["trick"]) == ("3", "1", 2)
    result = CliRunner().invoke(main, ["solve", "--leads", taken])
    assert "cards of 1 to trick 2, *" in result.output


def test_another_contract_of_the_options_has_no_surrender(taken: str) -> None:
    found = answer("cards", "--after", "0", "--contract", "solo", "--trump", "C", taken)
    assert (found["declarer"], found["contract"]) == ("1", "solo")


def test_chances_are_those_of_the_new_ombre(taken: str) -> None:
    found = answer("cards", "--after", "18", "--chances", "--samples", "64", taken)
    assert found["declarer"] == "2"


@pytest.mark.ci
def test_the_page_is_told_where_the_contract_changes(taken: str, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    CliRunner().invoke(main, ["page", taken, "-o", str(page)], catch_exceptions=False)
    text = page.read_text(encoding="utf-8")
    assert b'"takenOver":{"after":5,"contract":{"declarer":"2"' in unpacked("data", text)
    assert "Player 1 Bob surrenders before trick 2, and Player 2 Ann takes over" in text


def test_a_batch_solves_the_new_contract(taken: str, tmp_path: Path) -> None:
    ledger = str(tmp_path / "ledger")
    runner = CliRunner()
    done = runner.invoke(main, ["batch", "solve", taken, "--into", ledger], catch_exceptions=False)
    assert done.exit_code == 0
    told = runner.invoke(main, ["batch", "export", ledger], catch_exceptions=False).stdout
    assert json.loads(told.splitlines()[0])["declarer"] == "2"


@pytest.mark.ci
def test_the_new_ombre_may_play_for_the_doubled_pool(taken: str) -> None:
    doubled = ("--rules", "takeover_pool=doubled")
    (first, *_) = answer("cards", "--after", "12", *doubled, taken)["cards"]
    assert first["score"] == {"1": -5, "2": 20, "3": -5, "pool": -10}
    assert answer("solve", *doubled, taken)["score"]["2"] == 20
    assert answer("score", *doubled, taken)["paid"] == {"1": -10, "2": 20, "3": -5, "pool": -5}
