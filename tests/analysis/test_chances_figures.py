"""Each figure of `chances` and `best_chances`, compared with counts over the layouts."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean
from typing import Any

import pytest

from spadille import Contract, Deal, Position, best_chances, card_values, chances, know, solve
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.confidence_intervals import clopper_pearson, error_at
from spadille.games.model.game import Rules
from tests.analysis.test_exchange_chances_by_layout import TINY, every_deal, paid
from tests.support.random_endings import case


def ending(seed: int, defending: bool) -> tuple[Deal, Contract, list[str]]:
    """Return a German Solo after some tricks, with a choice in the middle of a trick."""
    deal, contract = case("german-solo", "", "solo", seed)
    play: list[str] = []
    position = Position.of(deal, contract)
    while True:
        defends = position.to_play not in contract.side
        if len(position.legal()) > 1 and play and defends == defending and position.trick:
            return deal, contract, play
        play.append(position.legal()[-1])
        position.play(play[-1])


def rows(known: Any) -> list[dict[str, Any]]:
    """Return the values of the cards in each layout."""
    played = [card for _, card in known.played]
    return [
        {
            card.card: card
            for card in card_values(known.deal_of(each), known.contract_of(each), played).cards
        }
        for each in known.layouts
    ]


@pytest.mark.parametrize("defending", [False, True])
@pytest.mark.parametrize("seed", [2])
def test_every_figure_of_cards_in_all_layouts(seed: int, defending: bool) -> None:
    deal, contract, play = ending(seed, defending)
    known = know(deal, contract, None, play)
    layouts = rows(known)
    found = chances(deal, contract, play, drawing=Drawing(seconds=0, seed=4))
    position = Position.of(deal, contract)
    for card in play:
        position.play(card)
    assert (found.contract, found.seat, found.after) == (contract, position.to_play, len(play))
    held = len(position.hands[position.to_play])
    assert found.trick == deal.rules.game.hand_size - held + 1
    assert found.leader == position.trick[0][0]
    assert found.table == tuple(card for _, card in position.trick)
    assert (found.declaring, found.seed, found.ended) == (not defending, 4, None)
    assert (found.exact, found.settled, found.samples) == (True, True, len(layouts))
    assert found.layouts == len(layouts)
    assert found.known == known.sentences
    assert found.double_dummy is not None
    # The order of a hand: by suit, from high to low.
    names = [card.card for card in found.cards]
    assert names == [card.card for card in found.double_dummy.cards]
    good = {card: [each[card].makes != defending for each in layouts] for card in names}
    rates = {card: sum(ends) for card, ends in good.items()}
    for card in found.cards:
        values = [each[card.card] for each in layouts]
        assert card.made == pytest.approx(mean(bool(value.makes) for value in values))
        assert card.mean_tricks == pytest.approx(mean(value.tricks or 0 for value in values))
        assert card.best_share == pytest.approx(mean(not value.cost for value in values))
        assert (card.made_interval, card.payoff_interval, card.behind_interval) == (None,) * 3
        behind = max(rates.values()) - rates[card.card]
        if found.plans is None or not found.plans.exact:
            assert card.behind == pytest.approx(behind / len(layouts))
    ranks = sorted(card.rank for card in found.cards)
    assert ranks[0] == 1
    assert all(rank == 1 + ranks.index(rank) for rank in ranks)
    somehow = mean(any(ends) for ends in zip(*good.values(), strict=True))
    assert found.plans is not None
    assert found.plans.exact
    assert found.gauge == pytest.approx(
        somehow - max(card.without_seeing or 0 for card in found.cards)
    )


def sampled(seed: int, defending: bool, samples: int) -> tuple[CardStrategy, Any]:
    deal, contract, play = ending(seed, defending)
    strategy = CardStrategy(
        know(deal, contract, None, play),
        Drawing(samples=samples, seconds=0),
        double_dummy=False,
        plans=False,
    )
    strategy.exact = False
    return strategy, Sampling(strategy).run()


@pytest.mark.parametrize("defending", [False, True])
def test_every_interval_of_sampled_cards(defending: bool) -> None:
    """After a single check, which is also the last, the intervals use the whole error."""
    strategy, found = sampled(2, defending, 40)
    number = found.samples
    assert (found.exact, number) == (False, 40)
    assert strategy.race.looks == 1
    error = error_at(1, last=True)
    leader = found.best
    share = {card.card: 1 - card.made if defending else card.made for card in found.cards}
    for card in found.cards:
        low, high = clopper_pearson(round(card.made * number), number, 1 - error)
        assert card.made_interval == pytest.approx((low, high))
        assert card.behind == pytest.approx(share[leader.card] - share[card.card])
        if card.card in (leader.card, *leader.equals):
            assert card.behind_interval is None
        else:
            assert card.behind_interval is not None
            low, high = card.behind_interval
            assert low <= card.behind <= high
        assert card.payoff_interval is not None
        low, high = card.payoff_interval
        assert low <= card.payoff <= high


def test_every_figure_of_contracts_in_all_layouts() -> None:
    """Try two exchanges in 180 layouts, with the talon in every order."""
    hands = {"1": ("SA", "HA"), "2": None, "3": None}
    deal = Deal(Rules(TINY, {"first_five_chips": "0"}), "3", hands)
    drawing = Drawing(samples=180, seconds=0, seed=2, discards="uniform")
    found = best_chances(deal, "1", "entrada", trumps="S", drawing=drawing, memory=1 << 20)
    contract = Contract(("1",), ("entrada",), "S")
    deals = [
        {offer.discard: replace(each, discard={"1": offer.discard}) for offer in found.offers}
        for each in every_deal(deal)
    ]
    payoffs = [{away: paid(each[away], contract, "1") for away in each} for each in deals]
    makes = [{away: bool(solve(each[away], contract).makes) for away in each} for each in deals]
    assert (found.seat, found.exact, found.settled, found.ended) == ("1", True, True, None)
    assert (found.samples, found.layouts, found.seed) == (180, 180, 2)
    assert (found.acceptance, found.left_out, found.tried) == (1.0, {}, None)
    assert found.assumed == (
        "Only exchanges that keep all trumps and discard the lowest cards of the other suits "
        "were tried",
        "The other players are assumed to discard random cards",
    )
    means = {offer.discard: mean(each[offer.discard] for each in payoffs) for offer in found.offers}
    assert [offer.rank for offer in found.offers] == [1, 2]
    for offer in found.offers:
        away = offer.discard
        assert (offer.declarer, offer.contract, offer.trump) == ("1", "entrada", "S")
        assert (offer.called, offer.partner, offer.penalty) == (None, None, None)
        assert (offer.by_trump, offer.rule, offer.from_hand) == (None, None, False)
        assert offer.made == pytest.approx(mean(each[away] for each in makes))
        assert offer.payoff == pytest.approx(means[away])
        assert offer.bounds is None
        best = [each[away] == max(each.values()) for each in payoffs]
        assert offer.best_share == pytest.approx(mean(best))
        assert offer.behind == pytest.approx(max(means.values()) - means[away])
        assert (offer.made_interval, offer.payoff_interval, offer.behind_interval) == (None,) * 3
    assert found.best.payoff == pytest.approx(max(means.values()))


@pytest.mark.ci
def test_every_interval_of_sampled_contracts() -> None:
    """The share of made contracts gets half of the error, and the mean payoff all of it."""
    deal, drawing = Deal.random("german-solo", 3), Drawing(samples=30, seconds=0)
    found = best_chances(
        deal, deal.rules.seats[0], "solo", trumps="HS", drawing=drawing, memory=1 << 20
    )
    assert (found.exact, found.samples, found.ended) == (False, 30, "samples")
    assert len(found.offers) == 2
    first, second = found.offers
    for offer in found.offers:
        expected = clopper_pearson(round(offer.made * 30), 30, 0.975)
        assert offer.made_interval == pytest.approx(expected)
        assert offer.payoff_interval is not None
        low, high = offer.payoff_interval
        assert low <= (offer.payoff or 0) <= high
    assert (first.behind, first.behind_interval, first.rank) == (0, None, 1)
    assert second.behind == pytest.approx((first.payoff or 0) - (second.payoff or 0))
    assert second.behind_interval is not None
    assert second.behind_interval[0] <= (second.behind or 0) <= second.behind_interval[1]
