"""The choice to stop after the first tricks in a row or to go on for all (RULES 4, 6, 7)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from spadille.analysis.contracts.table import table
from spadille.analysis.review.review import review
from spadille.analysis.value.card_values import card_values
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.search.encoding import situation
from spadille_cli import main
from tests.support import brute_force
from tests.support.random_endings import contract_of, ending
from tests.support.tiers import part, tries

RUN = {"german-solo": 5, "quadrille": 6, "quintille": 5}
KINDS = [
    ("german-solo", "", "frog"),
    ("german-solo", "frog_payoff=zero-sum;continued_tout_value=half", "frog"),
    ("german-solo", "", "solo"),
    ("quadrille", "", "alliance"),
    ("quadrille", "", "forced-spadille"),
    ("quadrille", "", "solo"),
    ("quintille", "", "alliance"),
    ("quintille", "", "solo"),
]


def endings(game: str, options: str, kind: str, number: int) -> Iterator[tuple[Deal, Contract]]:
    """Yield deals whose side, or the soloist of a German Solo, has just won the first tricks."""
    rules, random = rules_for(game, options), Random(f"{game} {options} {kind}")
    size = rules.game.hand_size - RUN[game]
    for _ in range(number):
        deal = ending(rules, "H", random, random.randint(size - 1, size))
        contract = contract_of(deal, rules.contract(kind), "H", random)
        winners = [contract.declarer] if game == "german-solo" else sorted(contract.side)
        won = dict.fromkeys(rules.seats, 0)
        for _ in range(rules.game.hand_size - len(deal.hands[rules.seats[0]] or ())):
            won[random.choice(winners)] += 1
        leader, pool = random.choice(winners), random.randint(0, 9)
        yield replace(deal, won=won, leader=leader, pool=pool), contract


def counted(deal: Deal, contract: Contract) -> set[str]:
    """Return the seats whose tricks count once the side has gone on."""
    return {contract.declarer} if deal.rules.game.id == "german-solo" else set(contract.side)


def bits(deal: Deal, seats: set[str]) -> int:
    return sum(1 << deal.rules.turn_order.index(seat) for seat in seats)


def paid_for_going_on(deal: Deal, contract: Contract, took_all: bool) -> int:
    """Return the payoff of the declaring side, by the tables of RULES 4, 6 and 7."""
    rules, side = deal.rules, contract.side
    pair = len(side) == 2
    others = len(rules.seats) - len(side)
    if rules.game.id == "german-solo":
        value = 16 if rules.options["continued_tout_value"] == "full" else 8
        if pair:
            gain = 2 * (2 * value if rules.options["frog_payoff"] == "both-2v" else value)
        else:
            gain = 3 * value
        return gain if took_all else -gain
    pool = deal.pool or 0
    return (pool // 2 * 2 if pair else pool) + others * (1 + (2 if took_all else -2))


def paid_for_stopping(deal: Deal, contract: Contract) -> int:
    rules, side = deal.rules, contract.side
    pair = len(side) == 2
    if rules.game.id == "german-solo":
        value = 2 if pair else 4
        if pair:
            return 4 * value if rules.options["frog_payoff"] == "both-2v" else 2 * value
        return 3 * value
    pool = deal.pool or 0
    return (pool // 2 * 2 if pair else pool) + len(rules.seats) - len(side)


def matadors(deal: Deal, contract: Contract) -> bool:
    """Return whether the side's own cards include all matadors, which pays a bonus."""
    best = deal.rules.matadors("H")
    held = {card for seat in contract.side for card in deal.hands[seat] or ()}
    return deal.rules.game.id != "german-solo" and held.issuperset(best)


@pytest.mark.parametrize("share", [3, pytest.param(1, marks=pytest.mark.ci)])
@pytest.mark.parametrize(("game", "options", "kind"), part(KINDS, 0, 4, some_slow=True))
def test_values_are_those_of_tout_and_vole(game: str, options: str, kind: str, share: int) -> None:
    """`cards`, `review` and `solve` agree with brute force over the tricks that count."""
    differ = stops = goes = 0
    for deal, contract in endings(
        game, options, kind, tries(6, 24) if game == "quadrille" else 150 // share
    ):
        rules, random = deal.rules, Random(str(deal.hands))
        size = rules.game.hand_size
        before = sum(deal.won.values())
        assert before >= RUN[game]
        at = situation(deal, contract)
        judge = brute_force.Judge(at.problem)
        credited = bits(deal, counted(deal, contract))
        payoff = brute_force.count(at.problem.tricks, credited)
        side = bits(deal, set(contract.side))
        won = sum(deal.won[seat] for seat in counted(deal, contract))
        value = won + int(judge.value(side, payoff))
        found = card_values(deal, contract)
        expected = {
            at.encoding.names[card]: won + worth
            for card, worth in judge.card_values(side, payoff).items()
        }
        chooses = before == RUN[game]
        assert found.went_on
        assert (found.value, found.target, found.makes) == (value, size, value == size)
        assert {each.card: each.tricks for each in found.cards} == expected
        assert (found.decision is not None) == chooses
        # Once a card shows the choice, `solve` takes it into account.
        card = random.choice(found.cards)
        after = solve(deal, contract, play=[card.card])
        assert after.went_on
        assert (after.tricks, after.target) == (card.tricks, size)
        assert after.margin == (card.tricks or 0) - size
        assert after.score == card.score
        if not matadors(deal, contract):
            pays = paid_for_going_on(deal, contract, card.tricks == size)
            assert sum((card.score or {})[seat] for seat in contract.side) == pays
        if chooses:
            decision = found.decision
            assert decision is not None
            secured = solve(deal, contract, objective="score").secured
            assert secured is not None
            assert secured.payoff == max(decision.payoffs.values())
            if not matadors(deal, contract):
                assert decision.payoffs == {
                    "stopped": paid_for_stopping(deal, contract),
                    "went_on": paid_for_going_on(deal, contract, value == size),
                }
            stops += decision.better == "stopped"
            goes += decision.better == "went_on"
            assert decision.cost == abs(decision.payoffs["stopped"] - decision.payoffs["went_on"])
        differ += credited != side and value != solve(deal, contract).tricks
        check_review(deal, contract, random, value)
    assert stops
    assert goes or game != "german-solo"
    assert differ or kind != "frog"


def check_review(deal: Deal, contract: Contract, random: Random, value: int) -> None:
    position = Position.of(deal, contract)
    play: list[str] = []
    while not position.finished:
        play.append(random.choice(position.legal()))
        position.play(play[-1])
    found = review(deal, contract, play, every=True)
    account = found.account
    assert found.steps[0].before == value
    # A Tout ends at a lost trick, but the remaining cards still have a value.
    at = situation(deal, contract, play)
    credited = brute_force.count(at.problem.tricks, bits(deal, counted(deal, contract)))
    rest = int(brute_force.Judge(at.problem).value(bits(deal, set(contract.side)), credited))
    assert account.result == rest + sum(position.won[seat] for seat in counted(deal, contract))
    assert found.finished
    assert account.result == account.start - account.lost - account.left + account.given
    assert account.made == (account.result == deal.rules.game.hand_size)
    for i, step in enumerate(found.steps):
        at = situation(deal, contract, play[:i])
        if not at.problem.trick and i == 0:
            continue
        assert step.before == solve(deal, contract, play=play[:i]).tricks
    if found.decisions:
        chosen = found.decisions[0]
        assert (chosen.decision, chosen.card, chosen.trick) == ("went_on", 0, 1)
        assert chosen.cost == max(0, chosen.payoffs["stopped"] - chosen.payoffs["went_on"])
        assert (chosen.better == "stopped") == bool(chosen.cost)
        before = solve(deal, contract).tricks
        assert account.start == before
        assert account.left == (before or 0) - value


SOLO = """[Board "1"]
[Game "german-solo"]
[Dealer "W"]
[Deal "N:Q7.AKJ7.7.Q AKJ.QT.A8.A T9.98.KQ.KJ 8..JT9.T987"]
[Declarer "N"]
[Contract "solo"]
[Trump "H"]
"""
# North wins the first five tricks with trumps, but then has two losers.
FIVE = "CQ HT H8 C7\nH7 HQ H9 C8\nSQ D8 S9 C9\nHA SJ ST CT\nHK CA CJ D9\n"
REST = "HJ SK CK DT\nD7 DA DQ DJ\n"


def run(command: str, text: str, *args: str) -> Result:
    return CliRunner().invoke(main, [command, *args, "-"], input=text)


def record(command: str, text: str, *args: str) -> dict[str, Any]:
    result = run(command, text, "--format", "json", *args)
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)[0]
    return found


def going_on(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in found["decisions"] if one["kind"] == "going-on"]


def played(play: str, tags: str = "") -> str:
    return f'{SOLO}{tags}[Play "N"]\n{play}*\n'


def test_a_hand_that_stops_is_finished_and_paid() -> None:
    found = record("review", played(FIVE, '[Result "5"]\n'))
    assert found["finished"]
    assert found["error"] is None
    assert found["score"] == {"N": 12, "E": -4, "S": -4, "W": -4}
    assert found["accounts"]["N"]["made"]
    (choice,) = going_on(found)
    assert choice["decision"] == "stopped"
    assert choice["payoffs"] == {"stopped": 12, "went_on": -48}
    assert (choice["cost"], choice["better"], choice["card"], choice["trick"]) == (0, None, None, 6)
    text = run("review", played(FIVE)).stdout
    stops = "North stops after winning the first 5 tricks, so the hand ends and the contract makes."
    assert stops in " ".join(text.split())
    assert "Payoff of the hand as played: North +12, East -4, South -4, West -4." in text
    assert "unfinished" not in text
    assert "unfinished" in run("review", played(FIVE[:-9])).stdout


def test_play_in_progress_has_not_stopped() -> None:
    text = played(FIVE, '[Result "8"]\n').replace("*", "+")
    assert run("check", text).exit_code == 0
    found = record("review", text)
    assert (found["finished"], found["score"], going_on(found)) == (False, None, [])
    assert "unfinished" in run("review", text).stdout


@pytest.mark.parametrize("wrong", ["4", "6", "8"])
def test_a_result_that_contradicts_stopping(wrong: str) -> None:
    text = played(FIVE, f'[Result "{wrong}"]\n')
    shown = run("check", text)
    assert f"the declaring side has 5 tricks, not {wrong}; a card to trick 6" in shown.output
    assert "result-contradicts-play" in run("check", text, "--format", "json").output


def test_a_card_to_the_next_trick_is_the_choice() -> None:
    found = record("review", played(FIVE + "HJ SK\n"))
    (choice,) = going_on(found)
    assert (choice["decision"], choice["card"], choice["cost"]) == ("went_on", 20, 60)
    assert (choice["better"], choice["target"], choice["unit"]) == ("stopped", 8, "tricks")
    account = found["accounts"]["N"]
    assert (account["made_at_start"], account["made"]) == (True, False)
    assert account["turning_point"] == 20
    assert found["score"] is None
    text = run("review", played(FIVE + "HJ SK\n")).stdout
    assert "The turning point is the choice to go on, with North's HJ in trick 6" in text
    assert re.search(r"6 +N +goes on for all +\+12 +-48 +60", text)
    # Played until the first lost trick: paid as a Tout that failed.
    found = record("review", played(FIVE + REST, '[Result "6"]\n'))
    assert found["lost_at"] == 7
    assert going_on(found)[0]["cost"] == 60
    assert found["score"] == {"N": -48, "E": 16, "S": 16, "W": 16}
    assert (found["finished"], found["accounts"]["N"]["result"]) == (True, 6)


AFTER_FIVE = """\
[Game "german-solo"]
[Dealer "E"]
[Deal "N:.J.7.9 .9..QJ 8.A..8 .87.Q."]
[Leader "S"]
[Won "S:5"]
[Declarer "S"]
[Contract "frog"]
[Trump "D"]
[Called "CJ"]
"""


def test_cards_weighs_the_choice_in_an_end_position() -> None:
    text = " ".join(run("cards", AFTER_FIVE).stdout.split())
    assert "S won every trick so far: the hand may stop here. Any card goes on for all 8" in text


def test_cards_weighs_the_choice() -> None:
    found = record("cards", played(FIVE))
    assert (found["went_on"], found["target"], found["makes"]) == (True, 8, False)
    assert found["decision"]["decision"] is None
    assert (found["decision"]["better"], found["decision"]["cost"]) == ("stopped", 60)
    assert {card["score"]["N"] for card in found["cards"]} == {-48}
    text = run("cards", played(FIVE)).stdout
    assert "Stopping pays N +12, going on -48: stopping is better." in text
    before = record("cards", played(FIVE), "--trick", "5")
    assert (before["went_on"], before["target"], before["makes"]) == (False, 5, True)


def test_annotations_name_the_choice_and_can_be_replaced(tmp_path: Path) -> None:
    file = tmp_path / "solo.pbn"
    for play, note in (
        (FIVE, "D9 {spadille: stops here: +12, to go on -48}"),
        (FIVE + "HJ SK\n", "HJ {spadille: goes on for all 8 tricks: -48, to stop +12; the turning"),
    ):
        file.write_text(played(play))
        assert CliRunner().invoke(main, ["review", "--annotate", str(file)]).exit_code == 0
        once = file.read_text()
        assert note in once
        CliRunner().invoke(main, ["review", "--annotate", str(file)])
        assert file.read_text() == once


def test_an_illegal_card_is_no_choice_to_stop() -> None:
    result = run("review", played(FIVE + "SA SK CK DT\n"), "--format", "json")
    found = json.loads(result.stdout)[0]
    assert found["error"]["code"] == "card-not-held"
    assert (going_on(found), found["finished"], found["score"]) == ([], False, None)


@pytest.mark.ci
def test_rows_of_a_table_know_who_went_on() -> None:
    """In this end position North has won all of more than five tricks, so it is a Tout."""
    random = Random(4)
    for _ in range(20):
        deal = ending(rules_for("german-solo"), "H", random, 2)
        deal = replace(deal, won={"N": 6})
        for row in table(deal, ["frog", "solo"]).rows:
            contract = Contract((row.declarer,), (row.contract,), row.trump, None, row.partner)
            found = solve(deal, contract)
            assert (row.tricks, row.target, row.makes) == (found.tricks, found.target, found.makes)
            assert (row.target == 8) == (row.declarer == "N")


def test_a_vole_leaves_no_choice() -> None:
    rules = rules_for("quadrille")
    deal = ending(rules, "H", Random(1), 4)
    deal = replace(deal, won={"N": 6}, leader="N")
    found = card_values(deal, Contract(("N",), ("vole",), "H"))
    assert found.decision is None
    assert (found.went_on, found.target) == (False, 10)
