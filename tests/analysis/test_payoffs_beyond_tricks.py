"""Mean payoffs of cards, compared with what can be forced in each layout after each card."""

from __future__ import annotations

from statistics import mean

import pytest

from spadille import Contract, Deal, Position, chances, know, solve
from spadille.analysis.chances.sampling_settings import Drawing


def forced(deal: Deal, contract: Contract, play: list[str]) -> int:
    found = solve(deal, contract, play=play, objective="score").secured
    assert found is not None
    assert found.payoff is not None
    return found.payoff


def strong(game: str, hand: str, seed: int) -> Deal:
    """Return a random deal in which the seat on lead has this hand."""
    suits = dict(zip("SHDC", hand.split("."), strict=True))
    own = tuple(suit + rank for suit, ranks in suits.items() for rank in ranks)
    for number in range(seed * 1000, seed * 1000 + 999):
        deal = Deal.random(game, number, dealer="S" if game == "quadrille" else "W")
        rest = [card for card in deal.rules.deck if card not in own]
        size = deal.rules.game.hand_size
        order = [card for hand in deal.hands.values() for card in hand or () if card in rest]
        seats = [seat for seat in deal.rules.seats if seat != "N"]
        hands = {"N": own} | {
            seat: tuple(c for c in deal.rules.deck if c in order[n * size : (n + 1) * size])
            for n, seat in enumerate(seats)
        }
        return Deal(deal.rules, deal.dealer, {seat: hands[seat] for seat in deal.rules.seats})
    raise AssertionError


# Hands that come close to winning the first tricks in a row, and all tricks
HANDS = {
    "german-solo": ("QA.A.A.QA7K", "solo C"),
    "quadrille": ("A2KQJ.A4.AK.A", "solo S"),
}


@pytest.mark.parametrize(
    ("game", "seat"), [("german-solo", "N"), ("german-solo", "E"), ("quadrille", "N")]
)
@pytest.mark.parametrize("tricks", [0, 3, 5, 6])
def test_all_that_can_be_forced_is_paid(game: str, seat: str, tricks: int) -> None:
    hand, text = HANDS[game]
    deal = strong(game, hand, 1)
    contract = Contract.parse(deal, f"N {text}")
    line = [card for trick in solve(deal, contract, line=True).line for card in trick]
    position = Position.of(deal, contract)
    play: list[str] = []
    while len(play) < tricks * len(deal.rules.seats) or position.to_play != seat:
        play.append(line[len(play)])
        position.play(play[-1])
    known = know(deal, contract, None, play)
    found = chances(
        deal,
        contract,
        play,
        drawing=Drawing(samples=5, seconds=0, belief="none"),
        double_dummy=False,
    )
    ranks = known.layouts.ranks if found.exact else known.layouts.sample(5)
    layouts = [known.layouts.unrank(rank) for rank in ranks]
    for one in found.cards:
        paid = [forced(known.deal_of(each), contract, [*play, one.card]) for each in layouts]
        # Each of the three opponents loses as much as one of them pays.
        assert one.payoff == pytest.approx(mean(paid) / (1 if seat == "N" else -3))
    plain = chances(deal, contract, play, drawing=Drawing(samples=5, seconds=0, belief="none"))
    assert [card.payoff for card in plain.cards] == [card.payoff for card in found.cards]


def test_going_on_pays_more_than_the_tricks() -> None:
    """Winning all eight tricks is a Tout, which pays 16 from each of the four in Color."""
    deal = Deal.parse("N:AQ.A.A.QA7K - - -", "german-solo", dealer="W")
    found = chances(deal, "N solo C", drawing=Drawing(samples=64, seconds=0))
    best = found.best
    assert best.mean_tricks is not None
    assert best.payoff is not None
    assert best.mean_tricks > 7
    assert best.payoff > 3 * 8
    assert best.payoff_interval is not None
    assert best.payoff_interval[0] <= best.payoff <= best.payoff_interval[1] <= 3 * 32
