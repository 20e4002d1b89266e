"""The belief in the bids: the posterior of the model, and the words about it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from math import sqrt
from random import Random
from statistics import NormalDist

import pytest
from click.testing import CliRunner

from spadille.analysis.chances.belief import RAREST, believing
from spadille.analysis.chances.card_chances import CardStrategy, chances
from spadille.analysis.chances.sampling_loop import Clock
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.value.card_values import card_values
from spadille.base.errors import ArgumentError, DealError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.conditioned_layouts import MANY, FittingLayouts
from spadille.core.knowledge.seat_knowledge import (
    DEFAULT_SPREAD,
    Assumptions,
    BeliefKind,
    Knowledge,
    know,
)
from spadille.core.knowledge.starting_knowledge import Discards
from spadille.core.recorded_auction import Auction
from spadille.games import rules_for
from spadille_cli import main
from tests.support.belief_referee import BeliefReferee
from tests.support.knowledge_referee import full_case, some_play
from tests.support.tiers import part

GAMES = [
    ("german-solo", "solo"),
    ("german-solo", "frog"),
    ("mensch", "half"),
    ("mensch", "five"),
    ("mensch", "solo"),
    ("ombre", "solo"),
    ("quadrille", "alliance"),
    ("quadrille", "solo"),
]
RARE = ("german-solo", "frog"), ("mensch", "solo")  # in these, few of the layouts drawn are kept
DRAWN = [pytest.param(*case, marks=pytest.mark.slow) if case in RARE else case for case in GAMES]
CASES = [(*case, seed) for case in GAMES for seed in range(2)]
FEW_LEFT = 210  # the number in Ombre if two hidden hands have one card each
ENOUGH = 800  # layouts drawn to compare frequencies
BELIEVED = Drawing(belief="auction", spread=0.6, samples=64, seconds=0)


def late(game: str, kind: str, seed: int) -> tuple[Deal, Contract, list[str], Knowledge, list[str]]:
    """Return a deal near its end with few layouts, with a defender to move."""
    deal, contract, calls = full_case(game, "", kind, seed)
    calls = [] if seed % 2 else calls
    known, play = near_the_end(deal, contract, calls, Random(seed))
    return deal, contract, calls, known, play


def near_the_end(
    deal: Deal,
    contract: Contract,
    calls: list[str],
    random: Random,
    most: int = FEW_LEFT,
    seat: str | None = None,
) -> tuple[Knowledge, list[str]]:
    """Play until few layouts are left and it is the turn of a seat (by default, a defender)."""
    number = len(deal.rules.seats) * deal.rules.game.hand_size
    play = some_play(deal, contract, random, number - 1)
    for length in range(number // 2, len(play)):
        known = know(
            deal, contract, None, play[:length], auction=Auction(calls), assumptions=BELIEVED
        )
        wanted = known.seat != contract.declarer if seat is None else known.seat == seat
        if wanted and known.layouts.distinct <= most:
            return known, play[:length]
    raise AssertionError("no such position")


def expected(
    contract: Contract, calls: list[str], known: Knowledge, spread: float
) -> dict[int, float]:
    """Return the likelihood of the calls in each layout, by brute force."""
    # In Ombre the others may have exchanged cards since they called.
    heard = known.sizes if known.deal.rules.game.id != "ombre" else [contract.declarer]
    referee = BeliefReferee(known.deal, contract, calls, heard, spread)
    return {
        rank: referee.likelihood(known.deal_of(known.layouts.unrank(rank)))
        for rank in range(known.layouts.count)
    }


def chi_squared(share: float, freedom: int) -> float:
    """Return a quantile of chi-squared, by the approximation of Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + NormalDist().inv_cdf(share) * sqrt(part)) ** 3


@pytest.mark.first_cases(2)
@pytest.mark.parametrize(("game", "kind", "seed"), CASES)
def test_layouts_are_as_likely_as_the_model_says(game: str, kind: str, seed: int) -> None:
    _, contract, calls, known, _ = late(game, kind, seed)
    likely = expected(contract, calls, known, BELIEVED.spread)
    believed, belief = believing(known, BELIEVED.spread)
    assert belief.acceptance == pytest.approx(sum(likely.values()) / len(likely), rel=1e-5)
    if belief.kind != "auction":
        assert belief.acceptance < RAREST
        return
    assert believed.sieve is not None
    assert believed.sieve.weights([*likely]) == pytest.approx([*likely.values()], rel=1e-6)
    fitting = believed.fitting
    assert isinstance(fitting, FittingLayouts)
    weights = fitting.weights
    assert weights is not None
    for rank, weight in weights.items():
        share = likely[rank] / max(likely.values())
        assert weight == pytest.approx(max(1, share * max(weights.values())), rel=1e-6, abs=1)


@pytest.mark.first_cases(1)
@pytest.mark.parametrize(("game", "kind"), DRAWN)
def test_layouts_that_are_drawn_are_a_sample_of_the_posterior(game: str, kind: str) -> None:
    seed, belief = 0, None
    while belief is None or belief.kind != "auction":
        seed += 1
        _, contract, calls, known, _ = late(game, kind, seed)
        belief = believing(known, BELIEVED.spread)[1]
    check_drawn(known, expected(contract, calls, known, BELIEVED.spread))


def check_drawn(
    known: Knowledge, likely: dict[int, float], *, before: float = 0.0, least_bins: int = 6
) -> None:
    """Compare the layouts that are drawn with their likelihoods, by a chi-squared test.

    `before` is the sum of their likelihoods before the calls are taken into account.
    """
    believed, _ = believing(known, BELIEVED.spread)
    assert believed.sieve is not None
    layouts = known.layouts
    drawn = Counter[int]()
    blocks = 0
    while drawn.total() < ENOUGH:
        ranks = believed.sieve.drawn(4096, 7, blocks, 0)
        drawn.update(layouts.rank(layouts.unrank(rank)) for rank in ranks)
        blocks += 1
    total = sum(likely.values())
    number = drawn.total()
    share = total / (before or len(likely))
    assert number == pytest.approx(blocks * 4096 * share, abs=5 * sqrt(number))
    ordered = sorted(likely, key=lambda rank: likely[rank], reverse=True)
    statistic, bins, share, seen = 0.0, 0, 0.0, 0
    for rank in ordered:
        share += likely[rank] / total
        seen += drawn[rank]
        if share * number >= 8:
            statistic += (seen - share * number) ** 2 / (share * number)
            bins, share, seen = bins + 1, 0.0, 0
    assert bins >= least_bins
    assert statistic < chi_squared(0.9999, bins - 1)


def exchanged(
    seed: int, number: int, last: int = 1, kind: str = "entrada"
) -> tuple[Deal, Contract]:
    """Return a contract in which Players 2, 3 and 1 exchanged `number`, one and `last` cards."""
    random = Random(seed)
    rules = rules_for("ombre")
    contract = Contract(("2",), (kind,), "S")
    trumps = {*rules.trump_cards("S")}
    while True:
        deck = random.sample(rules.deck, len(rules.deck))
        hands = {seat: tuple(deck[9 * n : 9 * n + 9]) for n, seat in enumerate(rules.seats)}
        turned = kind != "vuelta" or deck[27][0] == "S"
        if turned and len(trumps.intersection(hands["2"])) >= 4:
            break
    numbers = {"2": number, "3": 1, "1": last}
    drawn, away, top = {}, {}, 27
    for seat, count in numbers.items():
        worst_first = sorted(hands[seat], key=lambda card: card in trumps)
        drawn[seat], away[seat] = tuple(deck[top : top + count]), tuple(worst_first[:count])
        top += count
    deal = Deal(
        rules=rules, dealer="1", hands=hands, talon=tuple(deck[27:]), drawn=drawn, discard=away
    )
    if kind == "vuelta":
        deal = replace(deal, drawn={}, talon_ordered=True)
    return deal, contract


@pytest.mark.ci
@pytest.mark.parametrize(
    ("seed", "number", "discards"),
    [
        (1, 1, "uniform"),
        pytest.param(2, 2, "uniform", marks=pytest.mark.slow),
        (4, 1, "keep-trumps"),
        (5, 1, "keep-best"),
        pytest.param(6, 2, "keep-best", marks=pytest.mark.slow),
    ],
)
def test_a_bid_is_believed_through_an_exchange(
    monkeypatch: pytest.MonkeyPatch, seed: int, number: int, discards: Discards
) -> None:
    deal, contract = exchanged(seed, number)
    monkeypatch.setattr("tests.analysis.test_belief.BELIEVED", replace(BELIEVED, discards=discards))
    most = {"keep-best": 120, "uniform": 400, "keep-trumps": 4000}[discards]
    known, play = near_the_end(deal, contract, [], Random(seed), most=most)
    seen = deal.hands[known.seat] or ()
    referee = BeliefReferee(deal, contract, [], known.sizes, BELIEVED.spread, seen)
    likely: dict[int, float] = {}
    before = 0.0
    for rank, _ in known.layouts.first_ranks():
        dealt = replace(known.deal_of(known.layouts.unrank(rank)), drawn={}, discard={})
        if discards == "keep-best":
            others = [(seat, 1, 8) for seat in "31" if seat != known.seat]
            steps = [("2", number, 8), *others]
            likely[rank] = referee.exchanged_by_rule(dealt, steps, bids=True)
            before += referee.exchanged_by_rule(dealt, steps, bids=False)
        else:
            counted = discards == "keep-trumps"
            likely[rank] = referee.before_exchange(dealt, number, counted=counted)
            before += 1
    check_drawn(known, likely, before=before, least_bins=4)
    found = chances(deal, contract, play, drawing=BELIEVED)
    assert found.belief.kind == "auction"
    assert not found.exact
    assert found.samples == BELIEVED.samples
    assert "a bidder exchanged cards" in str(found.plans.why)


def fitted(
    known: Knowledge, deal: Deal, contract: Contract, number: int, last: int
) -> dict[int, float]:
    """Return the likelihood of the exchanges of hidden players in each layout, by brute force."""
    seen = deal.discard[known.seat]
    top = deal.talon[0] if contract.ids == ("vuelta",) else None
    referee = BeliefReferee(deal, contract, [], [], BELIEVED.spread, seen, top=top)
    steps = [("2", number, 8), ("3", 1, 8), ("1", last, min(8, 12 - number))]
    hidden = [step for step in steps if step[0] != known.seat]
    return {
        rank: referee.exchanged_by_rule(
            known.deal_of(known.layouts.unrank(rank)), hidden, bids=False
        )
        for rank, _ in known.layouts.first_ranks()
    }


@pytest.mark.parametrize(
    ("seed", "number", "last", "seat"),
    part([(3, 8, 4, "3"), (3, 1, 1, "3"), (6, 4, 8, "2"), (3, 2, 1, "1"), (11, 8, 4, "2")], 2, 5),
)
def test_layouts_are_as_likely_as_the_exchanges(
    seed: int, number: int, last: int, seat: str
) -> None:
    check_weights(*exchanged(seed, number, last), seed, number, last, seat)


@pytest.mark.parametrize("seed", part([13, 5, 8], 0))
def test_layouts_are_as_likely_as_unexpected_exchanges(seed: int) -> None:
    # Players 1 and 3 kept nearly all their cards, but there are too few trumps and kings for both.
    check_weights(*exchanged(seed, 6, 0), seed, 6, 0, "2")


@pytest.mark.parametrize(("seed", "number"), part([(3, 2), (8, 2), (8, 3)], 0))
def test_the_card_turned_up_in_a_vuelta_was_not_kept(seed: int, number: int) -> None:
    check_weights(*exchanged(seed, number, kind="vuelta"), seed, number, 1, "3")


def check_weights(
    deal: Deal, contract: Contract, seed: int, number: int, last: int, seat: str
) -> None:
    """Compare the weights of layouts with the likelihood of the exchanges."""
    known, _ = near_the_end(deal, contract, [], Random(seed), seat=seat)
    expected = fitted(known, deal, contract, number, last)
    found = dict(known.layouts.first_ranks())
    assert len({*found.values()}) > 2
    scale = sum(found.values()) / sum(expected.values())
    for rank, weight in found.items():
        assert weight == pytest.approx(scale * expected[rank], rel=0.01)


@pytest.mark.ci
def test_few_layouts_after_an_exchange_count_by_their_likelihood() -> None:
    deal, contract = exchanged(13, 5, 6)
    known, play = near_the_end(deal, contract, [], Random(13), seat="2")
    likely = fitted(known, deal, contract, 5, 6)
    found = chances(deal, contract, play, drawing=Drawing(seconds=0))
    even = chances(deal, contract, play, drawing=Drawing(seconds=0, discards="uniform"))
    assert found.exact
    assert found.samples == found.layouts == len(likely) < known.layouts.count
    total = dict.fromkeys([card.card for card in found.cards], 0.0)
    for rank, weight in likely.items():
        layout = known.layouts.unrank(rank)
        values = card_values(known.deal_of(layout), known.contract_of(layout), play)
        for card in values.cards:
            if card.card in total:
                total[card.card] += weight * card.makes
    for card in found.cards:
        assert card.made == pytest.approx(total[card.card] / sum(likely.values()), abs=1e-3)
    assert [card.made for card in found.cards] != [card.made for card in even.cards]


@pytest.mark.ci
def test_few_layouts_count_by_their_weights() -> None:
    for seed in range(6):
        deal, contract, calls, known, play = late("german-solo", "frog", seed)
        free = chances(
            deal, contract, play, auction=calls, drawing=Drawing(belief="none", seconds=0)
        )
        if 0 < sum(card.made for card in free.cards) < len(free.cards):
            break
    likely = expected(contract, calls, known, BELIEVED.spread)
    found = chances(
        deal, contract, play, auction=calls, drawing=Drawing(spread=BELIEVED.spread, seconds=0)
    )
    assert found.belief.kind == "auction"
    assert found.exact
    assert found.samples == found.layouts == known.layouts.distinct
    made = dict.fromkeys([card.card for card in found.cards], 0.0)
    for rank, weight in likely.items():
        layout = known.layouts.unrank(rank)
        values = card_values(known.deal_of(layout), known.contract_of(layout), play)
        for card in values.cards:
            made[card.card] += weight * card.makes
    total = sum(likely.values())
    for card in found.cards:
        assert card.made == pytest.approx(made[card.card] / total, abs=2e-3)
    assert [card.made for card in found.cards] != [card.made for card in free.cards]


def opening() -> tuple[Deal, Contract]:
    """Return a deal in which the leader's hand reveals little about the soloist's."""
    rules = rules_for("german-solo")
    deal = Deal(
        rules=rules,
        dealer="N",
        hands={"E": "SA SK S9 HK H8 DT D9 C8".split(), "S": None, "W": None, "N": None},  # noqa: SIM905
    )
    return deal, Contract(("W",), ("solo",), "D")


def test_a_bid_is_believed() -> None:
    deal, contract = opening()
    found = chances(deal, contract, drawing=Drawing(samples=256, seconds=0, spread=0.3))
    free = chances(deal, contract, drawing=Drawing(samples=256, seconds=0, belief="none"))
    assert min(card.made for card in found.cards) > 4 * max(card.made for card in free.cards)
    (hand,) = found.belief.hands
    assert hand.seat == "W"
    assert hand.counts["trumps"] > hand.random["trumps"] + 1
    assert 0 < found.belief.acceptance < 1
    assert found.belief.strength
    assert "West's choice of Solo is taken into account: " in str(found.belief)


@pytest.mark.ci
def test_the_same_seed_draws_the_same_whatever_the_threads() -> None:
    deal, contract = opening()
    one, other = (
        chances(deal, contract, drawing=Drawing(samples=300, seconds=0, seed=3, threads=threads))
        for threads in (1, 2)
    )
    assert one.to_dict() == other.to_dict()


def test_layouts_from_the_sieve_are_drawn_in_rounds_without_changing() -> None:
    deal, contract = opening()
    known, _ = believing(know(deal, contract, assumptions=Drawing()), DEFAULT_SPREAD)
    assert known.layouts.count > MANY
    first = known.fitting.sample(20, 5)
    known, _ = believing(know(deal, contract, assumptions=Drawing()), DEFAULT_SPREAD)
    parts = known.fitting.samples(20, 5)
    assert [rank for part in parts for rank in part] == first
    assert 0 < known.acceptance < 1


def test_calls_that_fit_hardly_any_hand_prove_duties_only() -> None:
    rules = rules_for("german-solo")
    hand = ["CQ", "D7", "SQ", "DA", "DK", "DQ", "DJ", "DT"]
    deal = Deal(rules=rules, dealer="N", hands={"E": hand, "S": None, "W": None, "N": None})
    found = chances(
        deal, Contract(("W",), ("tout",), "D"), drawing=Drawing(samples=32, seconds=0, spread=0.02)
    )
    assert found.belief.kind == "duties"
    assert "fewer than 1 in 10,000 layouts" in str(found.belief)


def test_a_broken_duty_leaves_nothing_to_believe() -> None:
    rules = rules_for("german-solo")
    hands = {"E": None, "S": None, "W": None, "N": "SA SK S9 HK H8 DT D9 C8".split()}  # noqa: SIM905
    deal = Deal(rules=rules, dealer="N", hands=hands)
    calls = "Pass Pass frog Pass".split()  # noqa: SIM905
    # West bid only a Frog, but then plays both black queens.
    play = "C7 CT CQ C8 SQ D7 S7".split()  # noqa: SIM905

    def knows(belief: BeliefKind) -> Knowledge:
        asked = Assumptions(belief=belief)
        return know(deal, "W frog D HA", "N", play[:5], auction=calls, assumptions=asked)

    assert knows("none").layouts
    with pytest.raises(DealError, match="black queens"):
        assert knows("duties").layouts
    known = knows("auction")
    assert known.belief == "none"
    assert known.sentences[-1].startswith("The calls break a duty to bid")


@pytest.mark.parametrize("spread", [0, -1, float("nan"), float("inf"), "wide", None])
def test_a_spread_is_more_than_nothing(spread: object) -> None:
    with pytest.raises(ArgumentError, match="a spread must be more than 0"):
        Drawing(spread=spread)  # type: ignore[arg-type]


def test_the_command_says_what_it_believes() -> None:
    text = (
        '[Game "german-solo"]\n[Dealer "N"]\n[Deal "E:AK9.K8.T9.8 - - -"]\n'
        '[Declarer "W"]\n[Contract "solo"]\n[Trump "D"]\n'
    )

    def run(*words: str) -> str:
        args = ["cards", "--chances", "--samples", "64", "--seconds", "0", *words, "-"]
        return CliRunner().invoke(main, args, input=text).stdout

    shown = " ".join(run().split())
    assert "West's choice of Solo is taken into account:" in shown
    assert "if the bids are ignored" in shown
    assert "taken into account" not in run("--belief", "none")
    (found,) = json.loads(run("--format", "json"))
    assert found["belief"]["kind"] == "auction"
    assert found["belief"]["strength"]
    (hand,) = found["belief"]["hands"]
    assert {*hand["counts"]} == {*hand["random"]} == {"trumps", "matadors"}
    (none,) = json.loads(run("--belief", "none", "--format", "json"))
    assert none["belief"]["kind"] == "none"
    (old,) = json.loads(run("--trust-auction", "bounds", "--format", "json"))
    assert old["belief"]["kind"] == "duties"


def test_plans_weigh_layouts_too() -> None:
    _, _, _, known, _ = late(*GAMES[0], 1)
    strategy = CardStrategy(known, Drawing(spread=BELIEVED.spread, seconds=0))
    assert strategy.exact
    assert strategy.known.sieve is not None


def test_weighed_layouts_without_values_widen_the_intervals() -> None:
    known = late("german-solo", "frog", 1)[3]
    whole, part = (
        CardStrategy(known, Drawing(spread=BELIEVED.spread, seconds=0)) for _ in range(2)
    )
    ranks = whole.known.fitting.ranks
    whole.value(ranks, Clock(0))
    part.value(ranks[: len(ranks) // 2], Clock(0))
    exact = {card.card: card for card in whole.result(None).cards}
    found = part.result("interrupted")
    assert not found.exact
    for card in found.cards:
        assert card.made_interval is not None
        low, high = card.made_interval
        assert 0 < high - low < 1
        assert low - 1e-9 <= exact[card.card].made <= high + 1e-9
        if card.payoff_interval is not None:
            low, high = card.payoff_interval
            assert low - 1e-9 <= (exact[card.card].payoff or 0) <= high + 1e-9


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("squint 1:AK3.K73.65.42 - - - -;grand-solo;D", "There are no strength tables for Squint"),
        ("german-solo E:AK.K8.. - - -;solo;D", "An end position does not contain the hands"),
        ("ombre 1:AK3.K43.542. - -;entrada;H", "The exchange is not recorded"),
        ("ombre 1:AK3.K43.542. - -;vuelta;H", "The exchange is not recorded"),
    ],
)
def test_bids_that_say_nothing_are_not_believed(text: str, why: str) -> None:
    dealt, kind, trump = text.split(";")
    deal = Deal.parse(dealt)
    contract = Contract((deal.rules.seats[-1],), (kind,), trump)
    seat = next(seat for seat, hand in deal.hands.items() if hand)
    belief = believing(know(deal, contract, seat, assumptions=Drawing()), DEFAULT_SPREAD)[1]
    assert belief.kind == "duties"
    assert why in str(belief)
    assert "not taken into account" in str(belief)
    quiet = know(deal, contract, seat, assumptions=Drawing(belief="none"))
    assert str(believing(quiet, DEFAULT_SPREAD)[1]) == "none"
