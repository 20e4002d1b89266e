"""The figure that ranks cards and contracts, and what ended the sampling."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from statistics import mean
from typing import Any

import pytest
from click.testing import CliRunner

from spadille import Deal, best_chances, chances, know, solve
from spadille.analysis.chances import sampling_loop
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import Chances
from spadille.analysis.chances.contract_chances import ContractStrategy
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.chances.stopping_rule import Race
from spadille.analysis.confidence_intervals import ERROR, bounded_mean
from spadille.base.errors import ArgumentError
from spadille_cli import main
from spadille_cli.exit_status import Status
from tests.analysis.test_chances_figures import ending, rows
from tests.analysis.test_exchange_chances_by_layout import drawn_deals
from tests.cli.test_plans_command import PLAIN
from tests.cli.test_review_command import HALF


@pytest.mark.ci
@pytest.mark.parametrize("defending", [False, True])
def test_cards_ranked_by_payoff_in_all_layouts(defending: bool) -> None:
    deal, contract, play = ending(2, defending)
    known = know(deal, contract, None, play)
    found = chances(deal, contract, play, drawing=Drawing(seconds=0, rank="payoff"))
    paid = {
        card.card: [each[card.card].score[found.seat] for each in rows(known)]
        for card in found.cards
    }
    best = max(map(mean, paid.values()))
    assert (found.exact, found.ranked_by, found.by_plan) == (True, "payoff", False)
    for card in found.cards:
        assert card.payoff == pytest.approx(mean(paid[card.card]))
        assert card.behind == pytest.approx(best - mean(paid[card.card]))
        assert card.rank > 1 or card.behind == 0
    by_rank = sorted(found.cards, key=lambda card: card.rank)
    assert [card.payoff for card in by_rank] == sorted(map(mean, paid.values()), reverse=True)
    somehow = mean(map(max, zip(*paid.values(), strict=True)))
    assert found.gauge == pytest.approx(somehow - best)
    assert found.apart == (sum(card.behind == 0 for card in found.cards) == 1)


def test_how_much_less_a_card_pays_is_compared_in_the_same_layouts() -> None:
    deal, contract, play = ending(2, defending=False)
    strategy = CardStrategy(
        know(deal, contract, None, play),
        Drawing(samples=40, seconds=0, rank="payoff"),
        double_dummy=False,
        plans=False,
    )
    strategy.exact = False
    found = Sampling(strategy).run()
    best = found.best
    other = next(card for card in found.cards if card.rank > 1)
    assert other.behind_interval is not None
    low, high = other.behind_interval
    assert low <= other.behind <= high
    assert other.behind == pytest.approx((best.payoff or 0) - (other.payoff or 0))
    paid = strategy._paid
    differences: Counter[int] = Counter()
    first, second = (
        next(
            place
            for group, place in zip(strategy._groups, strategy._column, strict=True)
            if card.card in group
        )
        for card in (best, other)
    )
    for payoffs, count in paid.payoff_rows:
        differences[(payoffs[first] or 0) - (payoffs[second] or 0)] += count
    assert differences.total() == 40
    least, most = paid.span
    error = ERROR / (len(strategy._column) - 1)
    expected = bounded_mean(differences, least - most, most - least, error)
    assert other.behind_interval == pytest.approx(expected)


def test_unknown_payoffs_leave_the_ranking_to_how_often_cards_succeed() -> None:
    # In Ombre, the payoff of one of the two opponents depends on more than tricks.
    deal, drawing = Deal.random("ombre", 1), Drawing(samples=8, seconds=0)
    paying = replace(drawing, rank="payoff")
    found = chances(deal, "1 entrada S", drawing=paying, double_dummy=False)
    assert {card.payoff for card in found.cards} == {None}
    assert found.ranked_by == "made"
    assert found == chances(deal, "1 entrada S", drawing=drawing, double_dummy=False)


@pytest.mark.ci
def test_contracts_ranked_by_how_often_they_make() -> None:
    deal, drawing = Deal.random("german-solo", 3), Drawing(samples=30, seconds=0)
    by_made = replace(drawing, rank="made")
    asked = ContractStrategy(deal, "N", "solo frog", trumps="HS", drawing=by_made)
    found = Sampling(asked).run()
    assert found.ranked_by == "made"
    deals = drawn_deals(asked, 30, 0)
    makes = [
        [
            bool(solve(each, f"N {offer.contract} {offer.trump} {offer.called or ''}").makes)
            for each in deals
        ]
        for offer in found.offers
    ]
    shares = [mean(each) for each in makes]
    assert [offer.made for offer in found.offers] == pytest.approx(shares)
    assert shares == sorted(shares, reverse=True)
    assert found.gauge == pytest.approx(
        mean(map(any, zip(*makes, strict=True))) - shares[0], abs=1e-6
    )
    for offer, share in zip(found.offers[1:], shares[1:], strict=True):
        assert offer.behind == pytest.approx(shares[0] - share)
        assert offer.behind_interval is not None
        assert offer.behind_interval[0] <= shares[0] - share <= offer.behind_interval[1]
    paid = best_chances(deal, "N", "solo frog", trumps="HS", drawing=drawing)
    assert paid.ranked_by == "payoff"
    payoffs = [offer.payoff or 0 for offer in paid.offers]
    assert payoffs == sorted(payoffs, reverse=True)


@pytest.mark.parametrize("rank", ["", "tricks", 1, ["made"]])
def test_a_figure_that_cannot_rank_is_refused(rank: Any) -> None:
    with pytest.raises(ArgumentError, match="rank must be one of made payoff, not"):
        Drawing(rank=rank)


def run(*args: str) -> str:
    text = PLAIN if "100" in args else HALF
    result = CliRunner().invoke(main, [*args, "-"], input=text)
    assert result.exit_code == Status.DONE, result.stderr
    return result.stdout


SOME = ("--chances", "--seconds", "0", "--samples", "32")


@pytest.mark.ci
@pytest.mark.parametrize(
    ("words", "default", "sentences"),
    [
        (
            ("cards", "--after", "0"),
            "made",
            {
                "made": "ranked by how often they defeat the contract, then by payoff.",
                "payoff": "ranked by payoff, then by how often they defeat the contract; the",
            },
        ),
        (
            ("cards", "--samples", "100", "--belief", "none"),
            "made",
            {
                "made": 'ranked by the "without seeing" column, then by how often they defeat',
                "payoff": "ranked by payoff, then by how often they defeat the contract; the",
            },
        ),
        (
            ("best", "--seat", "N"),
            "payoff",
            {
                "made": "ranked by how often they make, then by payoff.",
                "payoff": 'the column "behind" shows how far a payoff is below the best',
            },
        ),
    ],
)
def test_the_command_says_what_it_ranks_by(
    words: tuple[str, ...], default: str, sentences: dict[str, str]
) -> None:
    for rank, sentence in sentences.items():
        chosen = () if rank == default else ("--rank", rank)
        shown = " ".join(run(words[0], *SOME, *words[1:], *chosen).split())
        assert sentence in shown
        (found,) = json.loads(run(words[0], *SOME, *words[1:], *chosen, "--format", "json"))
        assert found["ranked_by"] == rank


def test_ranking_needs_chances() -> None:
    for command in ("cards", "best"):
        result = CliRunner().invoke(main, [command, "--rank", "made", "-"], input=HALF)
        assert result.exit_code == Status.USAGE
        assert "--rank needs --chances" in result.stderr


def test_a_settled_answer_was_not_ended_by_the_time_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Time runs out before the first regular check, and the last check settles the answer."""
    deal, contract = Deal.random("german-solo", 3), "N solo H"

    def found(settles: bool) -> Chances:
        strategy = CardStrategy(
            know(deal, contract), Drawing(seconds=60), double_dummy=False, plans=False
        )
        asked = Sampling(strategy)
        with monkeypatch.context() as patched:
            patched.setattr(sampling_loop, "_TICK", 0)  # one layout at a time
            if settles:
                patched.setattr(Race, "compare", settle)
            for _ in asked.steps():
                if asked.samples >= 20:
                    patched.setattr(sampling_loop, "perf_counter", lambda: 1e12)
        return asked.result()

    def settle(race: Race[int], *_: object) -> bool:
        race.settled = True
        return True

    settled, not_settled = found(settles=True), found(settles=False)
    assert (settled.settled, settled.ended, settled.repeatable) == (True, None, False)
    assert (not_settled.settled, not_settled.ended) == (False, "seconds")
    assert not not_settled.repeatable
    whole = chances(deal, contract, drawing=Drawing(samples=16, seconds=0), double_dummy=False)
    assert (whole.ended, whole.repeatable) == ("samples", True)
