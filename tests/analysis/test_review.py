"""Reviews against brute force, the slow rules of play and DDS; the account always balances."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import pytest

from spadille.analysis.review.review import review, review_many
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.card_values import card_values
from spadille.analysis.value.solve import solve
from spadille.base.errors import IllegalCardError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import GAMES, rules_for
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from spadille.search.question import Question
from spadille.search.value_names import Grades
from tests.search.test_solve_values import Expected
from tests.support import brute_force
from tests.support.deals_and_outcomes import random_deal
from tests.support.game_option_cases import CASES
from tests.support.random_endings import case, contract_of, some_trump
from tests.support.tiers import each_of, part

OUTCOMES = {"ombre": ("codille", "puesta", "sacada"), "squint": ("failed", "made")}


def random_play(deal: Deal, contract: Contract, random: Random, cards: int = 99) -> list[str]:
    position = Position.of(deal, contract)
    play: list[str] = []
    while not position.finished and len(play) < cards:
        play.append(random.choice(position.legal()))
        position.play(play[-1])
    return play


class Trace:
    """The values along a play by brute force, and the cards that keep each of them."""

    def __init__(self, deal: Deal, contract: Contract, seat: str, play: list[str]) -> None:
        at = situation(deal, contract)
        self.expected = expected = Expected(deal, contract, at, seat)
        self.words = partial(in_words, deal, contract, seat)
        self.targets = sorted(set(expected.payoff.values), reverse=True)
        self.forced = {
            target: expected.judge.forced(expected.side, expected.payoff, target)
            for target in self.targets
        }
        table, state = brute_force.root(at.problem), expected.payoff.start
        self.values = [self.value(table, state)]
        self.best: list[set[str]] = []
        for card in play:
            after = {}
            for number, reached, won, cards in expected.judge.moves(table):
                become = state if won < 0 else expected.payoff.step(state, won, cards)
                after[at.encoding.names[number]] = reached, become
            worth = {name: self.value(*place) for name, place in after.items()}
            assert self.values[-1] in worth.values()
            self.best.append({name for name, one in worth.items() if one == self.values[-1]})
            table, state = after[card]
            self.values.append(worth[card])

    def value(self, table: brute_force.Table, state: Any) -> Any:
        reached = next(target for target in self.targets if self.forced[target](table, state))
        return self.words(self.expected.show(reached))


def check(deal: Deal, contract: Contract, found: Review, play: list[str]) -> None:
    """Compare a review made with `every` with brute force."""
    assert [step.card for step in found.steps] == play
    for seat in contract.declarers:
        trace = Trace(deal, contract, seat, play)
        for i, step in enumerate(found.steps):
            moved = step[seat]
            assert (moved.before, moved.after) == (trace.values[i], trace.values[i + 1])
            assert set(moved.best) == trace.best[i]


def in_words(deal: Deal, contract: Contract, seat: str, value: Any) -> Any:
    """Turn the tricks of one of several declarers into that declarer's points (RULES 9)."""
    kind = deal.rules.contract(contract.ids[contract.declarers.index(seat)])
    if len(contract.declarers) == 1 or kind.aim == "nemo":
        return value
    if kind.aim == "misere":
        return 25 if value == 0 else -25
    return 20 * (value - 5) if value >= 6 else -20 * (6 - value)


def check_account(found: Review, position: Position, contract: Contract) -> None:
    """Check that result = value at the start - costs of the side + costs of the others."""
    for seat, account in found.accounts.items():
        costs = [step[seat].cost for step in found.steps]
        side = (seat,) if found.several else found.sides
        lost = sum(c for c, s in zip(costs, found.steps, strict=True) if s.seat in side)
        given = sum(costs) - lost
        assert (account.lost, account.given) == (lost, given)
        assert min(costs, default=0) >= 0
        start, result = account.start, account.result
        if found.unit == "outcome":
            ranks = OUTCOMES[position.rules.game.id]
            start, result = ranks.index(start), ranks.index(result)
        misere = found.unit == "tricks" and contract.ids[0].startswith("misere")
        assert result == start + (lost - given if misere else given - lost)
        if position.finished and found.unit == "tricks":
            assert result == sum(position.won[one] for one in contract.side)


@each_of(CASES, 0, 6)
def test_endings_against_brute_force(game: str, options: str, contract_id: str) -> None:
    deal, contract = case(game, options, contract_id, 21)
    play = random_play(deal, contract, Random(f"{game} {options} {contract_id}"))
    found = review(deal, contract, play, every=True)
    check(deal, contract, found, play)
    for step in found.steps:
        assert step.choice or not any(moved.cost for moved in step.contractors.values())


def test_several_soloists_against_brute_force() -> None:
    for seed in range(12):
        deal, _ = case("squint", "", "misere", seed)
        seats = Random(seed).sample(deal.rules.seats, 3)
        contract = Contract.make(deal, ("ace-solo", "misere", "ace-solo"), seats)
        play = random_play(deal, contract, Random(seed))
        found = review(deal, contract, play, every=True)
        assert found.unit == "points"
        check(deal, contract, found, play)
        check_account(found, Position.of(deal, contract), contract)


def test_the_account_balances_wherever_the_play_stops() -> None:
    for seed in range(4):
        deal, contract = case("mensch", "", "five", seed)
        play = random_play(deal, contract, Random(seed))
        for number in range(len(play) + 1):
            account = review(deal, contract, play[:number]).account
            assert account.start - account.lost + account.given == account.result
            made = review(deal, contract, play[:number], every=True).steps
            settled = [i for i, step in enumerate(made) if step.mark == "??"]
            assert account.turning_point == (settled[-1] if settled else None)


def games_and_contracts() -> list[tuple[str, str]]:
    return [(game.id, kind) for game in GAMES.values() for kind in game.contracts]


@pytest.mark.parametrize(("game", "contract_id"), games_and_contracts())
def test_the_account_balances_on_random_play(game: str, contract_id: str) -> None:
    """In the second half of whole hands, the tricks won before count."""
    random = Random(f"{game} {contract_id}")
    rules = rules_for(game)
    kind = rules.contract(contract_id)
    for _ in range(2):
        deal = random_deal(rules, random)
        contract = contract_of(deal, kind, some_trump(rules, kind, random), random)
        position = Position.of(deal, contract)
        for card in random_play(deal, contract, random):
            position.play(card)
        tricks = 5
        rest = position.tricks[-tricks:]
        won = {seat: n - sum(t.winner == seat for t in rest) for seat, n in position.won.items()}
        if kind.aim == "nemo":
            won = {}
        hands = {seat: [] for seat in rules.seats}  # type: dict[str, list[str]]
        for trick in rest:
            for seat, card in zip(rules.in_turn(trick.leader), trick.cards, strict=True):
                hands[seat].append(card)
        ending = Deal(
            rules,
            deal.dealer,
            {seat: tuple(cards) for seat, cards in hands.items()},
            current_trump=deal.current_trump,
            leader=rest[0].leader,
            won=won,
        )
        play = [card for trick in rest for card in trick.cards]
        found = review(ending, contract, play)
        end = Position.of(ending, contract)
        for card in play:
            end.play(card)
        assert found.finished
        assert [trick[1] for trick in found.tricks] == [trick.cards for trick in rest]
        check_account(found, end, contract)
        assert found.account.start == worth(solve(ending, contract), contract)


def worth(result: Any, contract: Contract) -> Any:
    if result.guarantees is not None:
        return result.guarantees[contract.declarer]
    return result.outcome if result.target is None else result.tricks


@pytest.mark.parametrize(
    ("game", "contract_id"),
    [("german-solo", "frog"), ("mensch", "half"), ("ombre", "solo"), ("quadrille", "alliance")],
)
def test_whole_hands_card_by_card(game: str, contract_id: str) -> None:
    """Each value equals the value by `solve` after the same number of cards."""
    random, solver = Random(game), Solver()
    rules = rules_for(game)
    kind = rules.contract(contract_id)
    deal = random_deal(rules, random)
    contract = contract_of(deal, kind, some_trump(rules, kind, random), random)
    play = random_play(deal, contract, random)
    found = review(deal, contract, play, solver=solver)
    for i, step in enumerate(found.steps):
        assert step.before == worth(solve(deal, contract, play=play[:i], solver=solver), contract)
        assert step.after == worth(
            solve(deal, contract, play=play[: i + 1], solver=solver), contract
        )
        if step.mark:
            expected = card_values(deal, contract, play[:i], solver=solver)
            assert set(step.best) == {one.card for one in expected.cards if not one.cost}
            assert step.card not in step.best
    check_account(found, Position.of(deal, contract), contract)


@pytest.mark.parametrize(("game", "contract_id"), part(games_and_contracts(), 0, 2))
def test_choices_of_endings_against_brute_force(game: str, contract_id: str) -> None:
    for seed in range(3):
        deal, contract = case(game, "", contract_id, seed)
        play = random_play(deal, contract, Random(seed), cards=seed * 3)
        if contract.penalty:
            play = []
        at = situation(deal, contract, play)
        found = card_values(deal, contract, play, line=True)
        assert [one.card for one in found.cards] == after_cards(deal, contract, play).legal()
        for seat in contract.declarers:
            expected = Expected(deal, contract, at, seat).cards(at)
            for one in found.cards:
                shown = getattr(one[seat], found.unit)
                assert shown == in_words(deal, contract, seat, expected[one.card])


def after_cards(deal: Deal, contract: Contract, play: list[str]) -> Position:
    position = Position.of(deal, contract)
    for card in play:
        position.play(card)
    return position


def test_choices_agree_with_solve() -> None:
    """Tricks, verdict and payoff after a card are those of the position it leads to."""
    for game, contract_id in (("ombre", "entrada"), ("german-solo", "solo"), ("squint", "solo")):
        for seed in range(5):
            deal, contract = case(game, "", contract_id, seed)
            found = card_values(deal, contract)
            before = solve(deal, contract)
            assert found.makes == before.makes
            for one in found.cards:
                solved = solve(deal, contract, play=[one.card])
                after = solved.one
                value = one.one
                assert (value.tricks, value.makes, value.outcome, value.margin, one.score) == (
                    after.tricks,
                    after.makes,
                    after.outcome,
                    after.margin,
                    solved.score,
                )
                assert (one.effect == "loses") == (
                    (found.player in contract.side) == before.makes and after.makes != before.makes
                )
            assert any(not one.cost for one in found.cards)


def test_choices_after_the_last_card() -> None:
    deal, contract = case("mensch", "", "half", 1)
    play = random_play(deal, contract, Random(1))
    found = card_values(deal, contract, play, line=True)
    assert (found.player, found.cards, found.line) == (None, (), ())
    assert found.value == solve(deal, contract, play=play).tricks


def test_a_revoke_ends_the_review() -> None:
    deal, contract = case("solo-whist", "", "prop-cop", 2)
    play = random_play(deal, contract, Random(2))
    position = Position.of(deal, contract)
    for number, card in enumerate(play):
        hand, legal = position.hands[position.to_play], position.legal()
        wrong = sorted(hand - set(legal))
        if wrong:
            found = review(deal, contract, [*play[:number], wrong[0], *play[number:]])
            assert isinstance(found.error, IllegalCardError)
            assert found.error.code == "card-revoke"
            assert len(found.steps) == number
            assert not found.finished
            whole = review(deal, contract, play[:number])
            assert found.to_dict()["cards"] == whole.to_dict()["cards"]
            break
        position.play(card)
    else:
        pytest.fail("the hand has no place for a revoke")
    found = review(deal, contract, [*play[:3], play[0]])
    assert found.error is not None
    assert found.error.code == "card-not-held"
    assert len(found.steps) == 3
    found = review(deal, contract, [*play, play[0]])
    assert found.error is not None
    assert len(found.steps) == len(play)


def test_no_cards_at_all() -> None:
    deal, contract = case("german-solo", "", "solo", 3)
    found = review(deal, contract, [])
    assert found.account.start == found.account.result == solve(deal, contract).tricks
    assert (found.steps, found.tricks, found.account.turning_point) == ((), (), None)


def test_the_same_on_several_threads() -> None:
    questions = []
    for seed in range(8):
        deal, contract = case("quadrille", "", "alliance", seed)
        questions.append((deal, contract, random_play(deal, contract, Random(seed))))
    one, two = (
        [{**found.to_dict(), "ms": 0} for found in review_many(questions, threads=threads)]  # type: ignore[union-attr]
        for threads in (1, 2)
    )
    assert one == two


def test_turning_point_and_marks() -> None:
    deal = Deal.parse(
        "N:AK.2.. 4.A5.. 65.3.. 72..2.",
        "solo-whist",
        dealer="W",
        current_trump="H",
        leader="N",
        won={"N": 6, "E": 4},
    )
    contract = Contract(("N",), ("prop-cop",), "NT", partner="S")
    found = review(deal, contract, ["H2", "HA", "H3", "D2"])
    assert [step.mark for step in found.steps] == ["??", "", "", ""]
    assert (found.steps[0].before, found.steps[0].after) == (8, 7)
    assert found.steps[0].best == ("SA", "SK")
    assert found.account.turning_point == 0
    assert found.players["N"].cost == 1
    assert found.parties["declarers"].errors == 1


def test_grades_of_a_lone_misere_and_of_one_among_others() -> None:
    deal, contract = case("squint", "", "misere", 1)
    for declarers, ids, unit in (
        (contract.declarers, contract.ids, "tricks"),
        (("1", "2"), ("misere", "misere"), "points"),
    ):
        contract = Contract(declarers, ids, "NT")
        at = situation(deal, contract)
        seat = declarers[0]
        grades = Grades(Question.of(deal, contract, at, seat, Search(None, Limits())))
        assert grades.unit == unit
        assert grades.names == sorted(grades.names, reverse=unit == "tricks")


def test_a_run_the_soloist_lost_while_his_partner_won() -> None:
    """The payoff splits the tricks as they were won, so the partner keeps those they won."""
    random = Random(4)
    rules = rules_for("german-solo")
    kind = rules.contract("frog")
    split = 0
    for _ in range(12):
        deal = random_deal(rules, random)
        contract = contract_of(deal, kind, some_trump(rules, kind, random), random)
        play = random_play(deal, contract, random, cards=24)
        end = after_cards(deal, contract, play)
        split += bool(end.won[contract.partner or ""] and not end.won[contract.declarer])
        for one in card_values(deal, contract, play).cards:
            assert one.score is not None
    assert split
