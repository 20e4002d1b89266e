"""Values, verdicts, payoffs and card values of every contract, against brute force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.encoding import Situation, situation
from spadille.search.engine import Solver
from tests.support import brute_force
from tests.support.game_option_cases import CASES
from tests.support.random_endings import case, ending
from tests.support.tiers import each_of

GRADES = {"ombre": ("codille", "puesta", "sacada"), "squint": ("failed", "made")}


class Expected:
    """The value of a contract by brute force, in the terms of results."""

    def __init__(self, deal: Deal, contract: Contract, at: Situation, seat: str) -> None:
        self.judge = brute_force.Judge(at.problem)
        self.kind = deal.rules.contract(contract.ids[contract.declarers.index(seat)])
        self.own = deal.rules.turn_order.index(seat)
        own = self.own
        self.side = 1 << own
        everybody = (1 << len(at.won)) - 1
        left = self.judge.left
        self.show: Callable[[float], Any] = int
        if self.kind.aim == "misere":
            others = everybody ^ self.side
            self.payoff = brute_force.count(left, others)
            self.show = lambda given: at.won[own] + left - int(given)
        elif self.kind.aim == "most":
            lost_to_won = GRADES[deal.rules.game.id]
            three = deal.rules.game.id == "ombre"
            self.payoff = brute_force.ombre(own, at.won) if three else brute_force.most(own, at.won)
            self.show = lambda grade: lost_to_won[int(grade)]
        elif self.kind.aim == "nemo":
            lane = at.encoding.lanes[contract.penalty or ""]
            self.payoff = brute_force.nemo(left, own, lane)
        else:
            if contract.partner:
                self.side |= 1 << deal.rules.turn_order.index(contract.partner)
            won = sum(tricks for p, tricks in enumerate(at.won) if self.side >> p & 1)
            self.payoff = brute_force.count(left, self.side)
            self.show = lambda tricks: won + int(tricks)
        self.value = self.show(self.judge.value(self.side, self.payoff))

    def cards(self, at: Situation) -> dict[str, Any]:
        values = self.judge.card_values(self.side, self.payoff)
        return {at.encoding.names[card]: self.show(value) for card, value in values.items()}


@each_of(CASES, 0, 5)
def test_every_contract_against_brute_force(game: str, options: str, contract_id: str) -> None:
    solver = Solver()
    for seed in range(2):
        deal, contract = case(game, options, contract_id, seed)
        at = situation(deal, contract)
        result = solve(deal, contract, leads=True, solver=solver)
        assert result.finished
        if len(contract.declarers) > 1:
            for seat in contract.declarers:
                expected = Expected(deal, contract, at, seat)
                assert result[seat].guarantee == expected.value
                assert result[seat].leads == expected.cards(at)
            continue
        expected = Expected(deal, contract, at, contract.declarer)
        found = result.outcome if expected.kind.aim == "most" else result.tricks
        assert found == expected.value
        assert result.leads == expected.cards(at)
        assert list(result.leads) == [card for card in at.encoding.numbers if card in result.leads]
        check_verdict(deal, contract, result)


def check_verdict(deal: Deal, contract: Contract, result: Any) -> None:
    kind = deal.rules.contract(contract.ids[0])
    tricks = result.tricks
    if kind.aim == "most":
        assert result.target is None
        assert result.makes == (result.outcome in ("made", "sacada"))
        return
    # If one side has won all tricks so far, it has the first run, and may have gone on.
    runs = {contract.declarer} if kind.run_alone else contract.side
    played, own = sum(deal.won.values()), sum(deal.won[seat] for seat in runs)
    run = "won" if own == played >= kind.first_run > 0 else None
    went_on = bool(run) and played > kind.first_run and kind.target < deal.rules.game.hand_size
    target = deal.rules.game.hand_size if went_on else kind.target
    assert result.target == target
    assert result.margin == (-tricks if kind.aim == "misere" else tricks - target)
    assert result.makes == (result.margin >= 0)
    opponent = next(seat for seat in deal.rules.seats if seat not in contract.side)
    split = dict.fromkeys(deal.rules.seats, 0)
    split |= {contract.declarer: tricks, opponent: deal.rules.game.hand_size - tricks}
    ended = Outcome(split, run, went_on=went_on)
    assert result.outcome == deal.rules.outcome_name(contract, ended)
    assert result.score == deal.rules.score(deal, contract, ended)


@each_of(CASES, 1)
def test_values_in_the_course_of_play(game: str, options: str, contract_id: str) -> None:
    """After some random cards, earlier tricks count and the current trick continues."""
    from spadille.core.position import Position

    random = Random(3)
    deal, contract = case(game, options, contract_id, 7)
    position = Position.of(deal, contract)
    play: list[str] = []
    for _ in range(random.randint(1, 2 * len(deal.rules.seats))):
        play.append(random.choice(position.legal()))
        position.play(play[-1])
    result = solve(deal, contract, play=play, leads=True)
    assert result.leader == position.leader
    seat = random.choice(contract.declarers)
    leads = result[seat].leads
    assert leads is not None
    assert list(leads) == position.legal()
    # The value after each card, or the result after the last card of the hand.
    for card in leads:
        after = solve(deal, contract, play=[*play, card])
        assert leads[card] == value_of(after, seat)
    assert value_of(result, seat) in leads.values()


def value_of(result: Any, seat: str) -> Any:
    if result.guarantees is not None:
        return result.guarantees[seat]
    return result.outcome if result.target is None else result.tricks


@pytest.mark.ci
def test_several_soloists_at_once() -> None:
    solver = Solver()
    for seed in range(30):
        deal, _ = case("squint", "", "misere", seed)
        seats = Random(seed).sample(deal.rules.seats, 3)
        ids = ("ace-solo", "misere", "ace-solo")
        contract = Contract.make(deal, ids, seats)
        at = situation(deal, contract)
        result = solve(deal, contract, solver=solver)
        makes = []
        for seat, contract_id in zip(seats, ids, strict=True):
            expected = Expected(deal, contract, at, seat)
            assert result[seat].tricks == expected.value
            own = expected.value
            made = own == 0 if contract_id == "misere" else own >= 6
            points = 20 * (own - 5) if made else -20 * (6 - own)
            if contract_id == "misere":
                points = 25 if made else -25
            assert result[seat].guarantee == points
            makes.append(made)
        assert [result[seat].makes for seat in seats] == makes
        assert result.to_dict()["makes"] == all(makes)
        assert result.score is None


@pytest.mark.ci
def test_most_tricks_are_the_most_among_equal_outcomes() -> None:
    """The declarer's tricks are those they can force without giving up the outcome."""
    grades = GRADES["ombre"]
    for seed in range(20):
        deal, contract = case("ombre", "", "entrada", seed)
        at = situation(deal, contract)
        own = deal.rules.turn_order.index(contract.declarer)
        plain = brute_force.ombre(own, at.won)
        payoff = replace(
            plain,
            final=lambda won, plain=plain, own=own: 10 * plain.final(won) + won[own],
            values=range(30),
        )
        value = int(brute_force.Judge(at.problem).value(1 << own, payoff))
        result = solve(deal, contract)
        assert (result.outcome, result.tricks) == (grades[value // 10], value % 10)


# Endings of German Solo in which the called card is a matador beside another of its holder.
CALLED_MATADORS = (
    ("N:8..J8. 9...AQ Q7...7 AK..T.", "E frog C C7", "S", "S"),
    ("S:98...Q .A8..J K.J..T Q.97..", "S frog H H7", "E", "N"),
)
CALLED_MATADOR_RULES = (
    "matador_rule=any-matador-led;called_card_duty=first-lead;called_partner_lead=free;"
    "called_early_discard=allowed;call_trumps=yes"
)


@pytest.mark.parametrize(("hands", "contract", "partner", "leader"), CALLED_MATADORS)
def test_a_called_matador_is_like_no_other(
    hands: str, contract: str, partner: str, leader: str
) -> None:
    won = {"N": 0, "E": 1, "S": 1, "W": 3}
    deal = Deal.parse(hands, "german-solo", options=CALLED_MATADOR_RULES, leader=leader, won=won)
    check_called(deal, replace(Contract.parse(deal, contract), partner=partner))


@pytest.mark.slow
def test_called_matadors_against_brute_force() -> None:
    rules, random, checked = rules_for("german-solo", CALLED_MATADOR_RULES), Random(1), 0
    while checked < 3_000:
        trump = random.choice("SHDC")
        deal = ending(rules, trump, random, size=3)
        own = {card: seat for seat, hand in deal.hands.items() for card in hand or ()}
        matadors = [card for card in rules.matadors(trump) if card in own]
        holders = [own[card] for card in matadors]
        beside = [card for card in matadors if holders.count(own[card]) > 1]
        if not beside:
            continue
        called = random.choice(beside)
        declarer = random.choice([seat for seat in rules.seats if seat != own[called]])
        check_called(deal, Contract((declarer,), ("frog",), trump, called, own[called]))
        checked += 1


def check_called(deal: Deal, contract: Contract) -> None:
    at = situation(deal, contract)
    expected = Expected(deal, contract, at, contract.declarer)
    result = solve(deal, contract, leads=True)
    assert (result.tricks, result.leads) == (expected.value, expected.cards(at))
