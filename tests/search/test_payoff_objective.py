"""The payoff that can be forced, against brute force over `Rules.score`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from math import inf
from pathlib import Path
from random import Random

import pytest

from spadille.analysis.value.solve import solve
from spadille.base.card_text import SUITS
from spadille.base.errors import ContractError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import GAMES, rules_for
from spadille.games.model.contract_types_and_options import Outcome
from spadille.games.model.game import Rules
from spadille.search.encoding import Situation, situation
from spadille.search.engine import Solver
from spadille.search.limits import Limits
from tests.support import brute_force
from tests.support.deals_and_outcomes import random_deal
from tests.support.game_option_cases import CASES
from tests.support.random_endings import SIZE, case, contract_of, ending, some_trump
from tests.support.tiers import each_of, tries

Winners = tuple[int, ...]


class Hand:
    """The payoffs of a hand, computed only from the winners of the tricks in order."""

    def __init__(self, deal: Deal, contract: Contract, at: Situation) -> None:
        self.deal, self.contract, self.won = deal, contract, at.won
        self.rules, seats = deal.rules, deal.rules.turn_order
        kind = self.rules.contract(contract.ids[0])
        self.length = kind.first_run
        alone = kind.run_alone or contract.partner is None
        runners = {contract.declarer} if alone else contract.side
        self.runners = {seats.index(seat) for seat in runners}
        self.side = sum(1 << seats.index(seat) for seat in contract.side)
        known = [winner in self.runners for winner, _ in at.history]
        earlier = sum(at.won) - len(known)
        own = sum(at.won[player] for player in self.runners) - sum(known)
        # If the order of tricks is unknown, the runners won all or none, or nobody has the run.
        self.before = [own == earlier] * earlier if own in (0, earlier) else [True, False] * 9
        self.before += known

    def run(self, winners: Winners) -> list[bool]:
        return (self.before + [winner in self.runners for winner in winners])[: self.length]

    def end(self, winners: Winners, went_on: bool) -> int:
        tricks = dict(zip(self.rules.turn_order, self.won, strict=True))
        for winner in winners:
            tricks[self.rules.turn_order[winner]] += 1
        run = self.run(winners)
        first = "won" if all(run) else None if any(run) else "lost"
        if not self.length:
            first = None
        rest = self.rules.game.hand_size - sum(tricks.values())
        other = next(seat for seat in self.rules.seats if seat not in self.contract.side)
        tricks[other] += rest
        score = self.rules.score(self.deal, self.contract, Outcome(tricks, first, None, went_on))
        return sum(score[seat] for seat in self.contract.side)

    def final(self, winners: Winners) -> int:
        run = self.run(winners)
        return self.end(winners, went_on=bool(self.length) and all(run))

    def span(self, winners: Winners, left: int) -> tuple[float, float]:
        seen = len(self.before) + len(winners)
        if self.length and seen == self.length and all(self.run(winners)):
            return self.end(winners, went_on=False), inf
        return -inf, inf

    def payoff(self, left: int) -> brute_force.Payoff:
        everything = [self.final(each) for each in product(range(len(self.won)), repeat=left)]
        for done in range(left):
            stops = (
                self.span(each, left - done)[0]
                for each in product(range(len(self.won)), repeat=done)
            )
            everything += [int(low) for low in stops if low > -inf]
        return brute_force.Payoff(
            (), lambda state, winner, _: (*state, winner), self.final, everything, self.span
        )


def check(deal: Deal, contract: Contract, play: tuple[str, ...] = (), leads: bool = True) -> None:
    at = situation(deal, contract, play)
    hand = Hand(deal, contract, at)
    judge = brute_force.Judge(at.problem)
    payoff = hand.payoff(at.problem.tricks)
    expected = judge.value(hand.side, payoff)
    result = solve(deal, contract, play=play, objective="score", leads=leads, line=True)
    found = result.secured
    assert found is not None
    assert found.payoff == expected
    assert found.bounds == (expected, expected)
    assert found.score is not None
    assert sum(found.score[seat] for seat in contract.side) == expected
    if leads:
        values = judge.card_values(hand.side, payoff)
        names = at.encoding.names
        assert result.leads == {names[card]: value for card, value in values.items()}
    # The line has the same value, wherever it ends.
    position = Position.of(deal, contract)
    cards = [card for trick in result.line or () for card in trick]
    for card in [*play[: len(play) - len(at.problem.trick)], *cards]:
        position.play(card)
    done = len(at.history)
    winners = tuple(deal.rules.turn_order.index(t.winner) for t in position.tricks[done:])
    ended = hand.final(winners) if position.finished else hand.end(winners, went_on=False)
    assert ended == expected


ONE_DECLARER = [each for each in CASES if rules_for(*each[:2]).contract(each[2]).side != "all"]


@pytest.mark.first_cases(1)
@each_of(ONE_DECLARER, 2, 6)
def test_endings_of_every_contract(game: str, options: str, contract_id: str) -> None:
    for seed in range(1 if options else 3):
        check(*case(game, options, contract_id, seed))


def small(game: str) -> Rules:
    """Return a game as large as brute force allows, whose first run ends before the last trick."""
    whole = GAMES[game]
    size = SIZE[len(whole.seats)] + (game == "ombre")
    contracts = {
        name: replace(kind, first_run=2, target=min(kind.target, size - 1))
        for name, kind in whole.contracts.items()
    }
    if "vole" in contracts:
        contracts["vole"] = replace(contracts["vole"], target=size)
    tiny = replace(whole, id=f"small {game}", hand_size=size, contracts=contracts)
    # This referee ignores surrender, unlike the one in tests/rules/test_surrender.py.
    return Rules(tiny, {"surrender": "not-counted"} if game == "ombre" else {})


def cases(rules: Rules, size: int = 0) -> Iterator[tuple[Deal, Contract]]:
    random = Random(rules.game.id)
    for _ in range(tries(6, 12)):
        for kind in rules.contracts.values():
            trump = some_trump(rules, kind, random)
            deal = ending(rules, trump, random, size or rules.game.hand_size)
            yield deal, contract_of(deal, kind, trump, random)


@pytest.mark.parametrize(
    "game",
    ["quadrille", *(pytest.param(one, marks=pytest.mark.ci) for one in ("ombre", "quintille"))],
)
def test_first_runs_to_come(game: str) -> None:
    for number, (deal, contract) in enumerate(cases(small(game))):
        check(replace(deal, won={}, pool=number % 5 * 4 + number % 3), contract)


def test_ombre_plays_on_after_the_first_five() -> None:
    """In these contracts, nobody goes on for all tricks, so nobody stops, either."""
    rules, random = rules_for("ombre"), Random(4)
    for number in range(20):
        kind = rules.contract(("entrada", "solo")[number % 2])
        deal = replace(ending(rules, "H", random, 4), won={"2": 5})
        contract = Contract(("2",), (kind.id,), "H")
        check(deal, contract)
        result = solve(deal, contract, objective="score", line=True)
        assert isinstance(result.line, tuple)
        assert [len(trick) for trick in result.line] == [3, 3, 3, 3]
        assert result.secured is not None
        assert (result.secured.first_run, result.secured.stops) == ("won", None)


@pytest.mark.parametrize(("game", "contract_id"), [("german-solo", "solo"), ("quintille", "solo")])
def test_cards_led_when_the_side_would_rather_stop(game: str, contract_id: str) -> None:
    """Leading after the first run means going on, even for an opponent; card values show it."""
    rules, random = rules_for(game), Random(game)
    low, number = 0, tries(8, 20)
    for _ in range(number):
        seats = rules.seats
        deal = ending(rules, "H", random, 3)
        deal = replace(deal, leader=random.choice(seats[1:]), won={seats[0]: 5})
        contract = Contract((seats[0],), (contract_id,), "H")
        result = solve(deal, contract, objective="score", leads=True)
        assert result.secured is not None
        assert result.leads is not None
        hand = Hand(deal, contract, situation(deal, contract))
        for card, value in result.leads.items():
            at = situation(deal, contract, [card])
            payoff = hand.payoff(3)
            # After a lead nobody stops before the next trick.
            payoff = replace(payoff, span=lambda state, left: (-inf, inf))
            assert brute_force.Judge(at.problem).value(hand.side, payoff) == value
            low += value < (result.secured.payoff or 0)
    assert low > number


@pytest.mark.ci
def test_going_on_for_tout() -> None:
    """Test after a soloist won the first four or five tricks, alone or with a partner."""
    rules = rules_for("german-solo")
    random = Random(5)
    paid = set()
    for number in range(150):
        kind = rules.contract(("frog", "solo")[number % 2])
        size = 3 + (number % 5 == 0)
        deal = ending(rules, "H", random, size)
        # The soloist usually has the best trumps.
        contract = contract_of(deal, kind, "H", random)
        best = max(deal.hands, key=lambda seat: sum(c[1] in "QA7" for c in deal.hands[seat] or ()))
        if best not in contract.side:
            continue
        other = contract.partner if best == contract.declarer else contract.declarer
        contract = replace(contract, declarers=(best,), partner=contract.partner and other)
        deal = replace(deal, leader=best, won={best: 8 - size})
        check(deal, contract)
        result = solve(deal, contract, objective="score")
        assert result.secured is not None
        paid.add(result.secured.payoff)
    # In Suit: a Frog or Solo made, each also as a Tout, won or lost.
    assert paid >= {8, 12, 48, 64}, paid


@pytest.mark.ci
def test_in_the_course_of_play() -> None:
    for game in ("ombre", "quadrille", "quintille"):
        rules = small(game)
        random = Random(game)
        for deal, contract in cases(rules):
            deal = replace(deal, won={})
            position = Position.of(deal, contract)
            play: list[str] = []
            for _ in range(random.randint(1, 2 * len(rules.seats) + 1)):
                play.append(random.choice(position.legal()))
                position.play(play[-1])
            check(deal, contract, tuple(play))


def test_whole_deals_agree_with_the_optimum_tricks_where_nothing_else_is_paid() -> None:
    solver = Solver()
    random = Random(8)
    for game, contract_id in (("mensch", "six"), ("squint", "grand-solo"), ("solo-whist", "solo")):
        rules = rules_for(game)
        for _ in range(5):
            deal = random_deal(rules, random)
            kind = rules.contract(contract_id)
            trump = rules.allowed_trumps(kind, deal)[0]
            contract = Contract.make(deal, contract_id, rules.seats[1], trump)
            result = solve(deal, contract, objective="score", solver=solver)
            assert result.secured is not None
            assert result.secured.score == result.score


def test_an_end_position_must_say_who_has_won_the_tricks() -> None:
    deal, contract = case("mensch", "", "five", 0)
    bare = replace(deal, won={})
    with pytest.raises(ContractError, match="must say who won"):
        solve(bare, contract, objective="score")


def test_a_limit_leaves_bounds_that_hold() -> None:
    random = Random(3)
    rules = rules_for("quadrille")
    for nodes in (1, 100, 1000, 10_000):
        deal = random_deal(rules, random)
        contract = Contract.make(deal, "solo", "N", "S")
        full = solve(deal, contract, objective="score").secured
        found = solve(deal, contract, objective="score", limits=Limits(nodes=nodes)).secured
        assert full is not None
        assert found is not None
        assert full.payoff is not None
        low, high = found.bounds
        assert low <= full.payoff <= high
        assert found.payoff in (None, full.payoff)


def test_command_shows_best_score_and_most_tricks(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from spadille_cli import main

    file = tmp_path / "tout.pbn"
    file.write_text(
        '[Game "german-solo"]\n[Dealer "W"]\n[Declarer "N"]\n[Contract "solo"]\n[Trump "H"]\n'
        '[Leader "N"]\n[Won "N:5"]\n'
        '[Deal "N:.AKJ.. A97... KJT... .T98.."]\n'
    )
    runner = CliRunner()
    shown = runner.invoke(main, ["solve", "--objective", "score", str(file)]).output
    best, secured = shown.split("What can be secured")
    assert best.split()[-1] == "12"
    assert "48  made, run won, goes on" in secured
    answer = runner.invoke(
        main, ["solve", "--objective", "score", "--format", "json", "--leads", str(file)]
    )
    record = json.loads(answer.output)[0]
    assert record["score"] == {"N": 12, "E": -4, "S": -4, "W": -4}
    assert record["secured"] == {
        "payoff": 48,
        "score": {"N": 48, "E": -16, "S": -16, "W": -16},
        "outcome": "made",
        "tricks": [8, 8],
        "first_run": "won",
        "stops": False,
        "surrenders": False,
    }
    assert record["leads"] == {"HA": 48, "HK": 48, "HJ": 48}


def test_how_much_is_lost_has_bounds() -> None:
    random = Random(6)
    still_open = 0
    for _ in range(12):
        rules = rules_for("squint")
        deal = ending(rules, random.choice(SUITS), random)
        contract = Contract.make(deal, "solo", random.choice(rules.seats), random.choice(SUITS))
        exact = solve(deal, contract, objective="score", limits=Limits(hard_nodes=0)).secured
        short = solve(deal, contract, objective="score", limits=Limits(hard_nodes=2))
        assert exact is not None
        assert short.secured is not None
        assert exact.payoff is not None
        low, high = short.secured.bounds
        assert low <= exact.payoff <= high
        still_open += low < high
        assert short.finished == (low == high)
    assert still_open
