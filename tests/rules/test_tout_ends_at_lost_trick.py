"""A Tout, bid or reached by going on, ends at the first lost trick (RULES 4)."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from spadille.analysis.review.review import review
from spadille.analysis.value.card_values import card_values
from spadille.base.errors import IllegalCardError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.core.validate import play_findings
from spadille.games import GAMES, rules_for
from spadille.pbn.hand_file import read
from spadille_cli import main
from tests.support.deals_and_outcomes import random_deal
from tests.support.tiers import part

RULE = "RULES 4: a Tout ends at the first lost trick"


def dealt(kind: str, random: Random) -> tuple[Deal, Contract]:
    """Return a contract whose soloist usually has many high trumps."""
    rules, trump = rules_for("german-solo"), random.choice("SHDC")
    deal = random_deal(rules, random)
    soloist = random.choice(rules.seats)
    high = list(rules.trump_cards(trump))[: random.choice([0, 5, 6, 7, 8])]
    rest = [card for card in rules.deck if card not in high]
    random.shuffle(rest)
    order = [soloist, *(seat for seat in rules.seats if seat != soloist)]
    cards = [*high, *rest]
    hands = {seat: tuple(cards[8 * i : 8 * i + 8]) for i, seat in enumerate(order)}
    deal = Deal(rules, deal.dealer, {seat: hands[seat] for seat in rules.seats})
    called = None
    if kind == "frog":
        called = random.choice(["-", *rules.callable_cards(trump, hands[soloist])])
    return deal, Contract.make(deal, kind, soloist, trump, called)


def all_played(deal: Deal, contract: Contract, random: Random) -> tuple[list[str], list[str]]:
    """Play all cards, even after the end, high cards first; return the cards and winners."""
    rules = deal.rules
    hands = {seat: hand or () for seat, hand in deal.hands.items()}
    position = Position(rules, contract.trump, hands, rules.eldest(deal.dealer))
    trumps, cards = rules.trump_cards(contract.trump), []
    while not position.finished:
        legal = position.legal()
        card = random.choice(legal)
        if position.to_play == contract.declarer:
            card = min(legal, key=lambda one: trumps.index(one) if one in trumps else 99)
        cards.append(card)
        position.play(card)
    return cards, [trick.winner for trick in position.tricks]


def ends(contract: Contract, winners: list[str]) -> int | None:
    """Return the lost trick that ends the hand, by the words of the rule."""
    for number, winner in enumerate(winners, 1):
        tout = contract.ids == ("tout",)
        if not tout and number > 5:
            tout = all(earlier == contract.declarer for earlier in winners[:5])
        if tout and winner != contract.declarer:
            return number
    return None


def paid(deal: Deal, contract: Contract) -> dict[str, int]:
    """Return the payoff of a lost Tout."""
    value = 32 if contract.trump == "C" else 16
    score = dict.fromkeys(deal.rules.seats, value)
    alone = contract.partner is None
    return score | dict.fromkeys(contract.side, -value * (3 if alone else 2))


@pytest.mark.ci
@pytest.mark.parametrize("kind", part(["tout", "frog", "solo"], 0))
def test_random_play(kind: str) -> None:
    random = Random(kind)
    seen = set()
    for _ in range(120):
        deal, contract = dealt(kind, random)
        cards, winners = all_played(deal, contract, random)
        lost = ends(contract, winners)
        seen.add(lost)
        number = len(cards) if lost is None else 4 * lost
        position = Position.of(deal, contract)
        for card in cards[:number]:
            assert not position.finished
            position.play(card)
        assert position.finished
        assert position.legal() == []
        assert position.lost_at == lost
        found = card_values(deal, contract, cards[:number], line=True)
        assert (found.player, found.cards, found.line, found.lost_at) == (None, (), (), lost)
        whole = review(deal, contract, cards)
        assert len(whole.steps) == number
        assert whole.lost_at == lost
        if lost is None or number == len(cards):
            assert play_findings(deal, contract, cards) == []
            assert whole.error is None
        else:
            with pytest.raises(IllegalCardError, match=f"after trick {lost}, whose loss"):
                position.play(cards[number])
            [fault] = play_findings(deal, contract, cards)
            assert (fault.fault.code, fault.fault.rule) == ("play-too-long", RULE)
            assert (fault.nth, fault.fault.text) == (number, cards[number])
            assert whole.error is not None
            assert whole.error.code == "play-too-long"
            before = review(deal, contract, cards[: number - 1])
            assert (before.finished, before.lost_at, before.score) == (False, None, None)
            position.undo()
            assert not position.finished
        ended = review(deal, contract, cards[:number])
        assert ended.finished
        assert ended.error is None
        if lost is not None:
            assert ended.score == paid(deal, contract)
            assert not ended.account.made
            assert [one.decision for one in ended.decisions] == ["went_on"] * (kind != "tout")
    assert seen >= ({None, 1, 6, 7, 8} if kind == "tout" else {None, 6, 7, 8})


def test_only_german_solo_says_so() -> None:
    found = {
        game: [kind.id for kind in each.contracts.values() if kind.ends_when_lost]
        for game, each in GAMES.items()
    }
    assert {game for game, kinds in found.items() if kinds} == {"german-solo"}
    assert found["german-solo"] == list(GAMES["german-solo"].contracts), (
        "a contract of German Solo needs ends_when_lost=True: a Tout, even one that the declarer "
        "goes on for, ends at the first lost trick (RULES 4)"
    )


def test_an_end_position() -> None:
    """Earlier tricks count if the end position says who won them."""
    for won, kind, lost in (
        ('[Won "N:6"]\n', "tout", 1),
        ('[Won "N:6"]\n', "solo", 1),
        ("", "tout", 1),
        ("", "solo", None),  # another player may have won one
        ('[Won "N:5;E:1"]\n', "solo", None),
        ('[Won "N:5;E:1"]\n', "tout", None),  # as the file has it, though the hand was over
    ):
        [entry] = read(
            f'[Game "german-solo"]\n[Dealer "W"]\n[Deal "N:7..7. A..A. ..K.K 8...T"]\n'
            f'[Leader "N"]\n{won}[Declarer "N"]\n[Contract "{kind}"]\n[Trump "H"]\n'
            f'[Play "N"]\nS7 SA DK S8\n*\n'
        )
        assert entry.faults == []
        assert entry.deal
        assert entry.contract
        assert entry.play
        assert review(entry.deal, entry.contract, entry.play.cards).lost_at == lost


# The command

DEAL = "N:Q7.AKJ7.7.Q AKJ.QT.A8.A T9.98.KQ.KJ 8..JT9.T987"
ROWS = [
    "CQ HT H8 C7",
    "H7 HQ H9 C8",
    "SQ D8 S9 C9",
    "HA SJ ST CT",
    "HK CA CJ D9",
    "D7 DA DQ DJ",
    "S7 SA DK S8",
    "HJ SK CK DT",
]


def run(command: str, kind: str, rows: int, tags: str = "", *args: str) -> Result:
    text = f'[Game "german-solo"]\n[Dealer "W"]\n[Deal "{DEAL}"]\n[Declarer "N"]\n'
    text += f'[Contract "{kind}"]\n[Trump "H"]\n{tags}[Play "N"]\n'
    text += "\n".join([*ROWS[:rows], "*"]) + "\n"
    return CliRunner().invoke(main, [command, *args, "-"], input=text)


def record(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.stdout)[0]
    return found


@pytest.mark.parametrize("kind", ["solo", "tout"])
def test_a_lost_trick_finishes_the_hand(kind: str) -> None:
    assert run("check", kind, 6, '[Result "5"]\n').exit_code == 0
    found = record(run("review", kind, 6, "", "--format", "json"))
    assert (found["finished"], found["lost_at"], found["error"]) == (True, 6, None)
    assert found["score"] == {"N": -48, "E": 16, "S": 16, "W": 16}
    text = run("review", kind, 6).stdout
    assert "Trick 6 is lost, and the contract needs every trick, so the hand ends." in text
    assert "unfinished" not in text
    found = record(run("cards", kind, 6, "", "--format", "json"))
    assert (found["player"], found["lost_at"], found["cards"]) == (None, 6, [])
    assert "the hand is over: trick 6 is lost, and all were needed" in run("cards", kind, 6).stdout
    wrong = run("check", kind, 6, '[Result "6"]\n').output
    assert "the declaring side has 5 tricks, not 6; the hand ends with trick 6" in wrong


def test_cards_behind_the_lost_trick() -> None:
    result = run("review", "tout", 8, "", "--format", "json")
    assert result.exit_code == 3
    assert "-:14:4: SA is played after trick 6, whose loss ended the hand (RULES 4: a Tout" in (
        result.stderr
    )
    found = record(result)
    assert found["error"]["code"] == "play-too-long"
    assert (len(found["tricks"]), found["finished"], found["lost_at"]) == (6, True, 6)
    assert found["score"] == {"N": -48, "E": 16, "S": 16, "W": 16}


def test_a_card_behind_it_in_another_column() -> None:
    """A card is recorded for a later trick although nobody led to it."""
    tags = f'[Game "german-solo"]\n[Dealer "W"]\n[Deal "{DEAL}"]\n[Declarer "N"]\n'
    tags += '[Contract "tout"]\n[Trump "H"]\n[Play "N"]\n'
    [entry] = read(tags + "\n".join([*ROWS[:6], "- - CK -", "*"]))
    [fault] = entry.faults
    assert (fault.code, fault.text, fault.rule) == ("play-too-long", "CK", RULE)
    # A revoke in the lost trick does not count as an extra card.
    [entry] = read(tags + "S7 SA S9 DJ\n*\n")
    [fault] = entry.faults
    assert (fault.code, fault.rule[:7]) == ("card-revoke", "RULES 2")
