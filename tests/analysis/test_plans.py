"""Plans compared with trying all plans, and replayed against every defence."""

from __future__ import annotations

from random import Random

import pytest

import spadille
from spadille.analysis.chances.plans import PlanSearch
from spadille.base.errors import ArgumentError
from spadille.core.contract import Contract
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.core.position import Position
from spadille.games import GAMES, rules_for
from spadille.search.limits import TooHardError
from tests.support.plans_by_force import AIMS, PlansByForce, makes
from tests.support.random_endings import case, tries, variants


def decision(seed: int, tricks: int, most: int) -> Knowledge | None:
    """Return a random decision of any game, within limits of tricks left and layouts."""
    random = Random(seed)
    game = random.choice(sorted(GAMES))
    options = random.choice(list(variants(game)))
    kind = random.choice([*rules_for(game, options).contracts.values()])
    if kind.aim not in AIMS:
        return None
    deal, contract = case(game, options, kind.id, seed)
    if len(contract.declarers) > 1:
        return None
    position = Position.of(deal, contract)
    table = random.randrange(len(position.rules.seats))
    cards: list[str] = []
    while len(position.hands[position.to_play]) >= tricks and position.legal():
        if len(position.hands[position.to_play]) == tricks and len(position.trick) == table:
            known = know(deal, contract, None, cards)
            layouts = known.layouts
            few = 1 < layouts.count <= most and layouts.distinct == layouts.count
            return known if few and not position.trumps else None
        cards.append(random.choice(sorted(position.legal())))
        position.play(cards[-1])
    return None


def compare(seeds: range, tricks: int, most: int) -> int:
    """Compare the decisions that the seeds give; return their number."""
    count = 0
    for seed in seeds:
        known = decision(seed, tricks, most)
        if known is None:
            continue
        count += 1
        values = PlanSearch(known, 1 << 22).values()
        assert all(value.proved for value in values)
        won = {name: value.least for value in values for name in (value.card, *value.equals)}
        assert won == PlansByForce(known).values(), (seed, str(known.contract))
    return count


class Replay:
    """Play a plan against every defence; where the plan does not choose, any card must do."""

    def __init__(self, known: Knowledge, plan: spadille.Plan) -> None:
        self.known = known
        self.cards: dict[tuple[int | None, tuple[str, ...]], tuple[int, str]] = {
            (step.parent, step.seen): (number, step.card) for number, step in enumerate(plan.steps)
        }

    def share(self) -> float:
        """Return the share of the layouts in which the plan wins."""
        layouts = list(self.known.layouts)
        won = [
            self.wins(self.known.position(layout), self.known.contract_of(layout), None, ())
            for layout in layouts
        ]
        return sum(won) / len(won)

    def wins(
        self, position: Position, contract: Contract, step: int | None, seen: tuple[str, ...]
    ) -> bool:
        mine = self.known.seat in contract.side
        if position.finished:
            return makes(contract, position) == mine
        seat = position.to_play
        if seat != self.known.seat:
            friendly = (seat in contract.side) == mine
            results = (
                self.after(card, position, contract, step, (*seen, card))
                for card in position.legal()
            )
            return any(results) if friendly else all(results)
        if (step, seen) in self.cards:
            number, card = self.cards[step, seen]
            return self.after(card, position, contract, number, ())
        return all(self.after(card, position, contract, step, seen) for card in position.legal())

    def after(
        self,
        card: str,
        position: Position,
        contract: Contract,
        step: int | None,
        seen: tuple[str, ...],
    ) -> bool:
        position.play(card)
        result = self.wins(position, contract, step, seen)
        position.undo()
        return result


def replay(seeds: range, tricks: int, most: int) -> int:
    """Replay the plans of all cards of some decisions; return the number of choices in them."""
    choices = 0
    for seed in seeds:
        known = decision(seed, tricks, most)
        if known is None:
            continue
        search = PlanSearch(known, 1 << 22)
        for value in search.values():
            plan = search.plan(value, value.card)
            assert plan.whole
            assert Replay(known, plan).share() == pytest.approx(plan.without_seeing), (seed, value)
            choices += len(plan.steps)
    return choices


def test_plans_win_what_they_claim_against_every_defence() -> None:
    assert replay(range(2000, 2000 + tries(60, 600)), tricks=3, most=60) > 20


def test_values_are_those_of_all_plans() -> None:
    assert compare(range(tries(60, 600)), tricks=2, most=200) > 20
    assert compare(range(1000, 1000 + tries(60, 600)), tricks=3, most=60) > 10


def test_the_best_card_of_a_plan_is_found() -> None:
    entry = spadille.load("examples/german-solo.pbn")[0]
    assert entry.deal is not None
    assert entry.contract is not None
    line = spadille.solve(entry.deal, entry.contract, line=True).line
    cards = [card for trick in line for card in trick][:20]
    best = spadille.plan(entry.deal, entry.contract, cards)
    for value in PlanSearch(know(entry.deal, entry.contract, None, cards)).values():
        one = spadille.plan(entry.deal, entry.contract, cards, card=value.card)
        assert one.card == value.card == one.steps[0].card
        assert one.without_seeing <= best.without_seeing
        assert one.without_seeing <= one.seeing


def test_wrong_cards_and_too_many_layouts_are_refused() -> None:
    entry = spadille.load("examples/german-solo.pbn")[0]
    assert entry.deal is not None
    assert entry.contract is not None
    with pytest.raises(TooHardError, match="the limit is 40000"):
        spadille.plan(entry.deal, entry.contract)
    line = spadille.solve(entry.deal, entry.contract, line=True).line
    cards = [card for trick in line for card in trick][:20]
    with pytest.raises(ArgumentError, match="may not play 'XX'"):
        spadille.plan(entry.deal, entry.contract, cards, card="XX")


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_values_of_many_endings(part: int) -> None:
    """Compare 2,000 endings with two or three tricks left, and 100 with four."""
    start = 100_000 * (part + 1)
    assert compare(range(start, start + 200), tricks=2, most=200) > 100
    assert compare(range(start, start + 700), tricks=3, most=200) > 150
    assert compare(range(start, start + 400), tricks=4, most=40) >= 13
