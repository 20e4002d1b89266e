"""Compare the chances of cards with valuing every layout separately."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from statistics import mean
from typing import Any

import pytest

from spadille import Contract, Deal, Position, card_values, chances, load
from spadille.analysis.chances import sampling_loop
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import CardChance, Chances
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import EXACT, Drawing
from spadille.base.errors import ArgumentError, ContractError, SpadilleError, TooHardError
from spadille.core.knowledge.seat_knowledge import know
from spadille.search.engine import Solver
from tests.support.game_option_cases import CASES
from tests.support.random_endings import case
from tests.support.tiers import each_of, part, tries

MOST = 400  # layouts valued separately


def decision(game: str, options: str, contract_id: str, seed: int, most: int = MOST) -> Any:
    """Return an ending with a choice and few layouts left, or None if there is none."""
    deal, contract = case(game, options, contract_id, seed)
    if len(contract.declarers) > 1:
        return None
    return played_on(deal, contract, most)


def played_on(deal: Deal, contract: Contract, most: int) -> Any:
    play: list[str] = []
    position = Position.of(deal, contract)
    while len(play) < 2 * len(deal.rules.seats):
        mine = len(contract.declarers) == 1 or position.to_play in contract.declarers
        if len(position.legal()) > 1 and mine:
            known = know(deal, contract, None, play)
            if known.layouts.count <= most:
                return deal, contract, play, known
        if position.finished or position.naming:
            return None
        play.append(position.legal()[-1])
        position.play(play[-1])
    return None


def slowly(known: Any) -> tuple[dict[str, dict[str, float]], float]:
    """Return each card's averages over all layouts and how often it is among the best."""
    seen: dict[str, list[tuple[bool, Any, Any, bool]]] = {}
    good = []
    solver = Solver()
    for layout, weight in known.layouts.weighed():
        deal, contract = known.deal_of(layout), known.contract_of(layout)
        found = card_values(deal, contract, [card for _, card in known.played], solver=solver)
        mine = known.seat in contract.side
        for card in found.cards:
            score = card.score and card.score[known.seat]
            seen.setdefault(card.card, []).extend(
                [(card.makes, score, card.tricks, not card.cost)] * weight
            )
        good += [any(card.makes == mine for card in found.cards)] * weight
    return {
        card: {
            "made": mean(each[0] for each in rows),
            "payoff": mean(each[1] for each in rows) if rows[0][1] is not None else None,
            "tricks": mean(each[2] for each in rows) if rows[0][2] is not None else None,
            "best": mean(each[3] for each in rows),
        }
        for card, rows in seen.items()
    }, mean(good)


def favor(found: Chances, card: CardChance) -> float:
    return card.made if found.seat in found.contract.side else 1 - card.made


@pytest.mark.first_cases(2)
@each_of(CASES, 2, 20)
def test_averages_are_those_of_all_layouts(game: str, options: str, contract_id: str) -> None:
    """The later tiers have twenty times as many cases, with fewer layouts."""
    for seed in range(4):
        asked = decision(game, options, contract_id, seed, MOST // tries(1, 8))
        if asked is None:
            continue
        deal, contract, play, known = asked
        found = chances(deal, contract, play, drawing=Drawing(seconds=0))
        expected, somehow = slowly(known)
        assert found.exact
        assert found.samples == found.layouts == known.layouts.count
        assert {card.card for card in found.cards} == set(expected)
        misere = "misere" in contract_id
        most = deal.rules.contract(contract_id).aim == "most"
        for card in found.cards:
            slow = expected[card.card]
            assert card.made == pytest.approx(slow["made"])
            assert card.made_interval is card.payoff_interval is card.behind_interval is None
            if card.payoff is not None and not most:
                assert card.payoff == pytest.approx(slow["payoff"])
            if not misere and not most:
                assert card.mean_tricks == pytest.approx(slow["tricks"])
                assert card.best_share == pytest.approx(slow["best"])
            # In contracts to win the most tricks, lines of equal value may differ in their tricks
            # and in the payoffs to the others, so the line found says nothing about the card.
            told = ("made", "best") if most else tuple(slow)
            for other in card.equals:
                assert {name: expected[other][name] for name in told} == {
                    name: slow[name] for name in told
                }
        # The value is never the average of each layout's best card: `without_seeing` shows by how
        # much that would exceed the best plan.
        shares = [card.without_seeing for card in found.cards]
        if None in shares:
            best = max(favor(found, card) for card in found.cards)
            assert favor(found, found.best) == pytest.approx(best)
        else:
            best = max(shares)
            assert found.best.without_seeing == best
        if known.partner_open or found.seat in known.contract_of(known.layouts.unrank(0)).side:
            return
        assert found.gauge == pytest.approx(somehow - best)
        return


def test_the_best_of_each_layout_is_never_taken() -> None:
    deal, contract, play, known = decision("solo-whist", "", "prop-cop", 11)
    found = chances(deal, contract, play, drawing=Drawing(seconds=0))
    averages, somehow = slowly(known)
    mine = found.seat in contract.side
    best = max(each["made"] if mine else 1 - each["made"] for each in averages.values())
    assert favor(found, found.best) == pytest.approx(best)
    assert best < somehow - 0.05
    assert found.best.rank == 1


def sampled(
    deal: Deal, contract: Contract, play: list[str], seed: int, spread: bool = True, **more: Any
) -> Sampling[Chances]:
    """Sample a decision with few layouts as if it had many; `spread` would value all of them."""
    drawing = Drawing(seed=seed, seconds=0, **{"samples": 4096, **more})
    known = know(deal, contract, None, play)
    strategy = CardStrategy(known, drawing, double_dummy=False)
    strategy.exact = False
    layouts = known.layouts
    if not spread:
        known.layouts.sample = partial(layouts.sample, spread=False)  # type: ignore[method-assign]
    sampling = Sampling(strategy)
    sampling.run()
    return sampling


def test_the_same_seed_gives_the_same_on_any_number_of_threads() -> None:
    deal, contract, play, _ = decision("german-solo", "", "solo", 2)
    found = [
        sampled(deal, contract, play, seed, samples=300, threads=threads).result().to_dict()
        for seed, threads in ((1, 1), (1, 1), (1, 2), (2, 1))
    ]
    assert found[0] == found[1] == found[2] != found[3]
    assert found[0]["samples"] == 300 or found[0]["settled"]
    assert found[0]["layouts"].isdigit()


def test_time_that_is_over_with_the_last_layout_ends_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal, contract, play, known = next(
        asked for seed in range(9) if (asked := decision("german-solo", "", "solo", seed))
    )
    asked = Sampling(CardStrategy(know(deal, contract, None, play), Drawing(seconds=60)))
    count = known.layouts.count
    clock = lambda: 1e12 if asked.samples == count else 0.0  # noqa: E731
    monkeypatch.setattr(sampling_loop, "perf_counter", clock)
    for _ in asked.steps():
        pass
    found = asked.result()
    assert found.samples == found.layouts == count
    # All layouts were valued, so more time could not have settled anything.
    assert (found.exact, found.ended) == (True, None)


def test_what_was_drawn_counts_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = load("examples/german-solo.pbn")[0]
    known = know(entry.deal, entry.contract)  # type: ignore[arg-type]
    strategy = CardStrategy(known, Drawing(seconds=60), payoffs=False)
    asked = Sampling(strategy)
    monkeypatch.setattr(sampling_loop, "_TICK", 0)  # one layout at a time, however fast they are
    for _ in asked.steps():
        if asked.samples > 20:  # long before the first check
            monkeypatch.setattr(sampling_loop, "perf_counter", lambda: 1e12)
    found = asked.result()
    assert found.ended == "seconds"
    assert 20 < found.samples < 256
    assert strategy.race.looks == 1
    last = [paired for paired in (card.behind_interval for card in found.cards) if paired]
    assert last
    assert found.settled == all(low > 0 or high <= 0.01 for low, high in last)


def coverage(first: int, number: int) -> Counter[str]:
    """Count intervals and best cards named, with those that contain the truth or are wrong."""
    seen: Counter[str] = Counter()
    cases = [each for each in CASES if not each[1]]
    seed = first
    while seen["decisions"] < number:
        seed += 1
        asked = decision(*cases[seed % len(cases)], seed, most=EXACT)
        if asked is None:
            continue
        deal, contract, play, known = asked
        if known.layouts.count < 40:
            continue
        truth = {
            card.card: card
            for card in chances(deal, contract, play, drawing=Drawing(seconds=0)).cards
        }
        if all(card.made in (0, 1) for card in truth.values()):
            continue  # with a card that always makes, a decision is too easy
        found = sampled(deal, contract, play, seed, spread=False).result()
        seen["decisions"] += 1
        seen["samples"] += found.samples
        for card in found.cards:
            true = truth[card.card]
            assert card.made_interval is not None
            low, high = card.made_interval
            seen["shares"] += 1
            seen["shares held"] += low <= true.made <= high
            if card.payoff_interval is not None and true.payoff is not None:
                low, high = card.payoff_interval
                seen["payoffs"] += 1
                seen["payoffs held"] += low - 1e-9 <= true.payoff <= high + 1e-9
            if card.behind_interval is not None:
                low, high = card.behind_interval
                seen["differences"] += 1
                ahead = truth[found.best.card].behind
                seen["differences held"] += low - 1e-9 <= true.behind - ahead <= high + 1e-9
        if found.apart and len(found.cards) > 1 + len(found.best.equals):
            seen["named"] += 1
            seen["wrong"] += truth[found.best.card].behind > 1e-9
    return seen


def certain(seen: Counter[str]) -> None:
    """Assert the promises of the documentation about intervals and the best card."""
    for what in ("shares", "payoffs", "differences"):
        assert seen[f"{what} held"] >= 0.95 * seen[what] > 0
    assert seen["wrong"] <= 0.05 * seen["decisions"]


@pytest.mark.ci
def test_intervals_hold_where_it_was_stopped() -> None:
    certain(coverage(0, 10))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_intervals_hold_over_many_decisions(part: int) -> None:
    seen = coverage(1000 + 100_000 * part, 250)
    print(", ".join(f"{number} {what}" for what, number in sorted(seen.items())))
    certain(seen)
    assert seen["named"] > 10


@pytest.mark.ci
@pytest.mark.parametrize("ids", part(["nemo", "ace-solo misere", "misere ace-solo misere"], 1))
def test_each_of_several_contractors_has_chances_of_his_own(ids: str) -> None:
    kinds, paid = set(), 0
    for seed in range(12):
        deal, _ = case("squint", "", "nemo", seed)
        words = ids.split()
        seats = deal.rules.seats[: len(words)]
        contract = Contract(seats, tuple(words), "NT")
        if ids == "nemo":
            contract = Contract(deal.rules.seats, ("nemo",) * 5, "NT", penalty="H")
        else:
            ace = deal.rules.seats[words.index("ace-solo")]
            deal = replace(deal, won={ace: 5, "5": 2})
        asked = played_on(deal, contract, 300)
        if asked is None:
            continue
        _, _, play, known = asked
        found = chances(deal, contract, play, drawing=Drawing(seconds=0))
        assert found.exact
        assert found.declaring
        kinds.add(contract.ids[contract.declarers.index(found.seat)])
        values: dict[str, list[tuple[bool, Any]]] = {}
        for layout in known.layouts:
            for card in card_values(known.deal_of(layout), contract, play).cards:
                own = card[found.seat]
                points = own.points
                if found.contract.ids[contract.declarers.index(found.seat)] == "misere":
                    points = 25 if own.makes else -25
                elif ids != "nemo":
                    points = 20 * (own.tricks - 5 if own.makes else own.tricks - 6)
                values.setdefault(card.card, []).append((bool(own.makes), points))
        for card in found.cards:
            rows = values[card.card]
            assert card.made == pytest.approx(mean(made for made, _ in rows))
            if card.payoff is not None:
                paid += 1
                assert card.payoff == pytest.approx(mean(points for _, points in rows))
        assert found.gauge == pytest.approx(
            mean(any(each[0] for each in rows) for rows in zip(*values.values(), strict=True))
            - found.best.made
        )
    assert kinds == {*ids.split()}
    assert paid > 9


@pytest.mark.ci
def test_points_of_a_whole_nemo_are_averaged() -> None:
    """The record has all cards played, so that the points of the deal are known."""
    deal = Deal.random("squint", 1)
    contract = Contract(deal.rules.seats, ("nemo",) * 5, "NT", penalty="H")
    position, play = Position.of(deal, contract), []
    while len(position.legal()) == 1 or know(deal, contract, None, play).layouts.count > 2600:
        play.append(position.legal()[0])
        position.play(play[-1])
    known = know(deal, contract, None, play)
    found = chances(deal, contract, play, drawing=Drawing(seconds=0))
    assert found.exact
    points: dict[str, list[int]] = {}
    for layout in known.layouts:
        for card in card_values(known.deal_of(layout), contract, play).cards:
            points.setdefault(card.card, []).append(card[known.seat].points or 0)
    assert {card.card: card.payoff for card in found.cards} == pytest.approx(
        {card: mean(values) for card, values in points.items()}
    )
    assert any(value for values in points.values() for value in values)


def test_what_cannot_be_asked() -> None:
    deal, contract, play, known = decision("german-solo", "", "solo", 2)
    other = next(seat for seat in deal.rules.seats if seat != known.to_play)
    for arguments, message in (
        ({"samples": -1}, "samples must be"),
        ({"threads": 0}, "threads must be"),
        ({"seconds": -1}, "seconds must be"),
        ({"seed": "x"}, "a seed must be"),
        ({"belief": "yes"}, "belief"),
    ):
        with pytest.raises(ArgumentError, match=message):
            chances(deal, contract, play, drawing=Drawing(**arguments))
    with pytest.raises(ArgumentError, match="'s turn, not"):
        chances(deal, contract, play, seat=other)
    squint = Deal.random("squint", 1, dealer="5")
    with pytest.raises(ContractError, match="Player 1 has no contract and is paid nothing"):
        chances(squint, "3 4 ace-solo misere")
    with pytest.raises(TooHardError, match="before a layout was valued; allow more seconds"):
        Sampling(CardStrategy(know(deal, contract, None, play), Drawing())).result()
    position = Position.of(deal, contract)
    whole = []
    while legal := position.legal():
        whole.append(legal[0])
        position.play(legal[0])
    with pytest.raises(SpadilleError):
        chances(deal, contract, whole)


def test_a_card_that_may_lie_in_the_talon_sets_its_neighbors_apart() -> None:
    # In this layout nobody could play a card between them, but the player does not know that.
    for seed in range(20):
        deal = Deal.random("ombre", seed)
        eldest = deal.rules.eldest(deal.dealer)
        suits = deal.rules.suits("S")
        held = {card: (deal.hands[eldest] or ()).__contains__(card) for card in deal.rules.deck}
        apart = [
            (first, third)
            for suit in "HDC"
            for first, second, third in zip(suits[suit], suits[suit][1:], suits[suit][2:])  # noqa: B905
            if held[first] and held[third] and second in deal.talon
        ]
        if apart:
            break
    contract = Contract((eldest,), ("solo",), "S")
    found = chances(deal, contract, drawing=Drawing(samples=1, seconds=0))
    equals = {card.card: card.equals for card in found.cards}
    for first, third in apart:
        assert third not in equals[first]
        assert first not in equals[third]
