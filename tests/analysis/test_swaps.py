"""`solve --swaps`: every swap against solving the deal with the two cards exchanged."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random

import pytest

import spadille
from spadille import Contract, Deal, Limits, Solver, SpadilleError, solve
from spadille.analysis.value.swaps import Swap, Swaps
from spadille.games import GAMES, rules_for
from spadille.search.encoding import situation
from tests.support import brute_force
from tests.support.deals_and_outcomes import random_deal
from tests.support.game_option_cases import CASES
from tests.support.random_endings import case, contract_of, ending, some_trump
from tests.support.tiers import each_of

FROG = "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"


LONGEST = 10  # cards; longer hands take seconds
WHETHER = Limits(hard_nodes=1)  # made or failed, without the exact tricks


def all_swaps(deal: Deal) -> list[Swap]:
    hands = deal.playing_hands()
    return [
        Swap(seats=(one, other), cards=(card, taken))
        for one, other in combinations(deal.rules.seats, 2)
        for card in hands[one] or ()
        for taken in hands[other] or ()
    ]


def changed(deal: Deal, contract: Contract, swap: Swap) -> tuple[Deal, Contract] | None:
    """Return the deal after a swap and its contract, or None if nobody can be the partner."""
    hands = dict(deal.playing_hands())
    (one, other), (card, taken) = swap.seats, swap.cards
    hands[one] = (*(set(hands[one] or ()) - {card}), taken)
    hands[other] = (*(set(hands[other] or ()) - {taken}), card)
    partner = contract.partner
    if contract.called is not None and partner is not None:
        partner = next((s for s, hand in hands.items() if contract.called in (hand or ())), partner)
        if partner == contract.declarer:
            return None
    return replace(deal, hands=hands, drawn={}, discard={}), replace(contract, partner=partner)


def by_seat(deal: Deal, contract: Contract, solver: Solver | None = None) -> dict[str, Swaps]:
    found = solve(deal, contract, swaps=True, solver=solver).contractors
    return {seat: one.swaps for seat, one in found.items() if one.swaps}


def check(deal: Deal, contract: Contract, number: int, random: Random) -> int:
    """Compare some swaps; return the number that changed the result of the contract."""
    found = by_seat(deal, contract)
    assert set(found) == set(contract.declarers)
    every = all_swaps(deal)
    for swaps in found.values():
        assert swaps.solved + swaps.left_out == len(every)
        assert set(swaps.turning) <= set(every)
    turned = 0
    for swap in random.sample(every, min(number, len(every))):
        other = changed(deal, contract, swap)
        if other is None:
            assert all(swap not in swaps.turning for swaps in found.values())
            continue
        result = solve(*other, limits=WHETHER)
        for seat, swaps in found.items():
            assert (result[seat].makes != swaps.makes) == (swap in swaps.turning), (seat, swap)
            turned += swap in swaps.turning
    return turned


@pytest.mark.first_cases(1)
@each_of(CASES, 1)
def test_endings_of_every_contract(game: str, options: str, contract_id: str) -> None:
    random = Random(f"{game} {options} {contract_id}")
    for seed in range(2):
        check(*case(game, options, contract_id, seed), 9, random)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "contract_id"), CASES)
def test_endings_at_length(game: str, options: str, contract_id: str) -> None:
    random = Random(f"{game} {options} {contract_id}")
    for seed in range(100, 110):
        check(*case(game, options, contract_id, seed), 200, random)


def of_game(game: str, seed: int) -> tuple[Deal, Contract]:
    """Return a whole deal, or the last 8 tricks of one of 13 cards, with a close trick contract."""
    random = Random(f"swaps {game} {seed}")
    rules = rules_for(game)
    kinds = [kind for kind in rules.contracts.values() if kind.aim == "tricks"]
    while True:
        kind = random.choice(kinds or [*rules.contracts.values()])
        trump = some_trump(rules, kind, random)
        long = rules.game.hand_size > LONGEST
        deal = ending(rules, trump, random, 8) if long else random_deal(rules, random)
        if kind.trump == "current":
            deal = replace(deal, current_trump=trump)
        contract = contract_of(deal, kind, trump, random)
        one = solve(deal, contract).one
        if one.target is None or abs((one.tricks or 0) - one.target) < 2:
            return deal, contract


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(
            one, marks=[pytest.mark.ci] * (one not in ("german-solo", "ombre", "anna-cubed"))
        )
        for one in GAMES
    ],
)
def test_whole_deals_of_every_game(game: str) -> None:
    turned = sum(check(*of_game(game, seed), 25, Random(seed)) for seed in range(3))
    assert turned


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_whole_deals_at_length(game: str) -> None:
    for seed in range(100, 112):
        check(*of_game(game, seed), 120, Random(seed))


def test_against_brute_force() -> None:
    turned = 0
    for seed in range(6):
        deal, contract = case("german-solo", "", "frog", seed)
        (swaps,) = by_seat(deal, contract).values()
        for swap in all_swaps(deal):
            other = changed(deal, contract, swap)
            if other is None:
                continue
            at = situation(*other)
            side = at.encoding.players(other[1].side)
            judge = brute_force.Judge(at.problem)
            won = sum(tricks for player, tricks in enumerate(at.won) if side >> player & 1)
            made = won + judge.value(side, brute_force.count(judge.left, side)) >= 5
            assert (made != swaps.makes) == (swap in swaps.turning), (seed, swap)
            turned += made != swaps.makes
    assert turned > 20


def test_the_called_card_moves_the_partner() -> None:
    deal = Deal.parse(FROG, "german-solo")
    contract = Contract.parse(deal, "S frog D CA")
    swaps = solve(deal, contract, swaps=True).swaps
    held = len(deal.hands["S"] or ())
    assert (swaps.solved, swaps.left_out) == (384 - held, held)
    moved = [swap for swap in all_swaps(deal) if "CA" in swap.cards]
    partners = {changed(deal, contract, swap)[1].partner for swap in moved if "S" not in swap.seats}  # type: ignore[index]
    assert len(partners) == 2
    assert contract.partner not in partners
    for swap in moved:
        if "S" not in swap.seats:
            assert (solve(*changed(deal, contract, swap)).makes != swaps.makes) == (  # type: ignore[misc]
                swap in swaps.turning
            )


def test_after_the_exchange() -> None:
    (entry,) = [
        entry
        for entry in spadille.load("examples/ombre.pbn")
        if entry.deal and entry.deal.drawn and entry.contract
    ][:1]
    swaps = solve(entry.deal, entry.contract, swaps=True).swaps
    assert {seat: set(hand) for seat, hand in swaps.hands.items()} == {
        seat: set(hand or ()) for seat, hand in entry.deal.playing_hands().items()
    }
    assert swaps.solved == 3 * 81


def test_places_tell_what_the_swaps_tell() -> None:
    for seed in range(5):
        deal, contract = of_game("german-solo", seed)
        (swaps,) = by_seat(deal, contract).values()
        turning = {(*swap.seats, *swap.cards) for swap in swaps.turning}
        told = set()
        for place in swaps.places:
            assert place.turning == sum(map(len, place.to.values())) > 0
            assert place.card in (deal.hands[place.seat] or ())
            for seat, cards in place.to.items():
                for card in cards:
                    assert card in (deal.hands[seat] or ())
                    if (place.seat, seat, place.card, card) in turning:
                        told.add((place.seat, seat, place.card, card))
                    else:
                        assert (seat, place.seat, card, place.card) in turning
        assert told == turning
        shares = [place.turning / place.solved for place in swaps.places]
        assert shares == sorted(shares, reverse=True)


def test_every_swap_is_told_in_words() -> None:
    """Parse the sentences, and find the swaps they claim."""
    for seed in range(8):
        deal, contract = of_game(("german-solo", "ombre")[seed % 2], seed)
        (swaps,) = by_seat(deal, contract).values()
        claimed = set()
        names = {"North": "N", "East": "E", "South": "S", "West": "W"}
        names |= {f"Player {seat}": seat for seat in "123"}
        for sentence in swaps.sentences():
            verb = "breaks" if swaps.makes else "makes"
            sentence = sentence.removesuffix(f" {verb} the contract.")
            given, _, other = sentence.removeprefix("Swapping ").partition(" for ")
            owner, _, card = (given[0].lower() + given[1:]).partition("'s ")
            owner = owner if owner in names else owner.capitalize()
            others = set(deal.rules.seats) - {names[owner]}
            if other != "any card of another player":
                who, _, other = other.removeprefix("any of ").partition("'s ")
                others = {names[who]}
            own = [c for seat in others for c in deal.hands[seat] or ()]
            listed = set(other.replace(",", " ").split()) & set(deal.rules.deck)
            excepted = other.startswith("cards except ")
            cards = set(own) - listed if excepted else listed or set(own)
            assert cards <= set(own)
            claimed |= {frozenset((card, taken)) for taken in cards}
        assert claimed == {frozenset(swap.cards) for swap in swaps.turning}


def test_the_same_after_other_work() -> None:
    """Neither the contents of the engine's table nor earlier questions change an answer."""
    solver = Solver()
    for seed in range(4):
        deal, contract = of_game("mensch", seed)
        alone = solve(deal, contract, swaps=True)
        more = solve(deal, contract, swaps=True, leads=True, line=True, solver=solver)
        assert more.swaps == alone.swaps
        assert more.nodes >= alone.nodes
        assert solve(deal, contract, swaps=True, solver=solver).nodes == alone.nodes


def test_a_limit_leaves_them_open() -> None:
    deal = Deal.random("solo-whist", seed=1)
    found = solve(deal, "N solo", swaps=True, limits=Limits(nodes=200))
    assert not found.finished
    assert found.swaps.open > 0
    found = solve(deal, "N misere", swaps=True, limits=Limits(nodes=9))
    assert "swaps" not in found.to_dict()
    with pytest.raises(SpadilleError, match="a limit left swaps open"):
        _ = found.swaps
    with pytest.raises(SpadilleError, match="not requested"):
        _ = solve(deal, "N misere", limits=Limits(nodes=9)).swaps


def test_contractors_have_swaps_of_their_own() -> None:
    deal = Deal.random("squint", seed=4)
    found = solve(deal, "1 3 misere misere", swaps=True)
    fields = found.to_dict()["swaps"]
    assert list(fields) == ["1", "3"]
    assert fields["1"]["makes"] == found["1"].makes
    check(deal, found.contract, 30, Random(1))
