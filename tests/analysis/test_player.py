"""The player who sees one hand: legal cards, nothing hidden used, and the best average."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spadille import (
    Contract,
    Deal,
    Drawing,
    Knowledge,
    Player,
    Position,
    chances,
    know,
    rules_for,
)
from spadille.analysis.chances.player import by_habit
from spadille.base.errors import ArgumentError, SpadilleError
from spadille.games import GAMES
from spadille.generate.deals_to_play import deals_to_play
from spadille.pbn.hand_file import read

FEW = Drawing(samples=6, seconds=0, seed=3)


def played_for_a_while(game: str, seed: int, cards: int) -> tuple[Deal, Contract, list[str]]:
    """Return a deal with a contract and some cards of it played at random."""
    deal, contract = next(deals_to_play(rules_for(game), seed))
    position, random = Position.of(deal, contract), Random(seed)
    play: list[str] = []
    while len(play) < cards and len(position.hands[position.to_play]) > 2:
        play.append(random.choice(position.legal()))
        position.play(play[-1])
        if position.finished:
            play.pop()
            break
    return deal, contract, play


# Each example takes 0.1 to 0.3 s; .ci/long, which has three times as many, tries over a hundred.
@pytest.mark.ci
@settings(max_examples=settings().max_examples * 2 // 5)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 999), st.integers(0, 40), st.integers(0, 999))
def test_it_plays_the_same_card_whatever_is_hidden(
    game: str, seed: int, cards: int, other: int
) -> None:
    """The card is legal, and stays the same with other hidden hands, or with unknown ones."""
    deal, contract, play = played_for_a_while(game, seed, cards)
    known, player = know(deal, contract, None, play), Player(FEW)
    card = player.card(known)
    position = Position.of(deal, contract)
    for each in play:
        position.play(each)
    assert card in position.legal()

    layout = known.layouts.unrank(other % known.layouts.count)
    elsewhere = know(known.deal_of(layout), known.contract_of(layout), None, play)
    assert player.card(elsewhere) == card

    if contract.ids[0] == "vuelta":
        return  # with unknown hands, the record does not say who drew the turned-up card
    mine = {seat: deal.hands[seat] if seat == known.seat else None for seat in deal.hands}
    shown = {**mine, **{seat: deal.hands[seat] for seat in known.open_hands}}
    alone = replace(deal, hands=shown)
    blind = know(alone, replace(contract, partner=known.partner), None, play)
    assert player.card(blind) == card


@pytest.mark.first_cases(2)
@pytest.mark.parametrize("game", GAMES)
def test_whole_deals_are_played_without_a_revoke(game: str) -> None:
    deal, contract = next(deals_to_play(rules_for(game), 1))
    position, player = Position.of(deal, contract), Player(Drawing(samples=2, seconds=0))
    play: list[str] = []
    while not position.finished:
        play.append(player.card(know(deal, contract, None, play)))
        position.play(play[-1])
    assert len(position.tricks) == rules_for(game).game.hand_size or position.lost_at


@given(st.sampled_from(["german-solo", "ombre", "quadrille", "solo-whist"]), st.integers(0, 999))
def test_the_card_has_the_best_average_over_all_layouts(game: str, seed: int) -> None:
    """For an ending in which `chances` values all layouts, no card pays more on average."""
    deal, contract, play = played_for_a_while(game, seed, 99)
    known = know(deal, contract, None, play)
    if known.layouts.count > 1000:
        return
    # The player knows nothing about the bids here.
    found = chances(deal, contract, play, drawing=Drawing(belief="none"))
    card = Player(Drawing(samples=1000, seconds=0)).card(known)
    orders = {each.card: (each.payoff or 0, each.made) for each in found.cards}
    sign = 1 if found.declaring else -1
    best = max((payoff, sign * made) for payoff, made in orders.values())
    payoff, made = orders[card]
    assert (payoff, sign * made) == pytest.approx(best)


def test_threads_do_not_change_the_card() -> None:
    deal, contract, play = played_for_a_while("german-solo", 5, 6)
    known = know(deal, contract, None, play)
    found = {
        Player(Drawing(samples=40, seconds=0, seed=9, threads=threads)).card(known)
        for threads in (1, 2, 3)
    }
    assert len(found) == 1


def test_time_that_is_over_leaves_a_legal_card() -> None:
    deal, contract, play = played_for_a_while("solo-whist", 2, 0)
    known = know(deal, contract, None, play)
    assert Player(Drawing(seconds=1e-9)).card(known) in known.own


def test_the_wrong_seat_and_the_end_are_refused() -> None:
    deal, contract, _ = played_for_a_while("ombre", 1, 0)
    known = know(deal, contract)
    other = next(seat for seat in deal.rules.seats if seat != known.to_play)
    with pytest.raises(
        ArgumentError, match=f"it is Player {known.to_play}'s turn, not Player {other}'s"
    ):
        Player().card(know(deal, contract, other))
    with pytest.raises(ArgumentError, match="drawing must be a Drawing"):
        Player(3)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="known must be Knowledge"):
        Player().card(deal)  # type: ignore[arg-type]
    position, play = Position.of(deal, contract), []
    while not position.finished:
        play.append(position.legal()[0])
        position.play(play[-1])
    with pytest.raises(SpadilleError, match="the hand is over"):
        Player().card(know(deal, contract, None, play))


ENDING = """
[Game "solo-whist"]
[Deal "N:AQ.2.2. K3.3.3. 54.4.4. 76.5.5."]
[Leader "{leader}"]
[Declarer "N"]
[Contract "solo"]
[Trump "H"]
[Won "N:3;E:3;S:3;W:0"]
"""


def _habit(leader: str, *play: str) -> str:
    entry = read(ENDING.format(leader=leader))[0]
    assert entry.deal is not None
    assert entry.contract is not None
    known: Knowledge = know(entry.deal, entry.contract, None, play)
    position = known.position(known.layouts.unrank(0))
    return by_habit(known, position, position.legal())


@pytest.mark.parametrize(
    ("leader", "play", "card", "why"),
    [
        ("N", [], "H2", "a declarer leads trumps"),
        ("E", [], "SK", "others lead the highest card of the longest suit"),
        ("W", ["S6"], "SQ", "the cheapest card that wins"),
        ("W", ["S6", "SQ"], "SK", "against the declarer"),
        ("S", ["S5", "S7", "SA"], "S3", "the lowest card if none wins"),
        ("E", ["SK", "S5"], "S6", "a partner is not overtaken"),
    ],
)
def test_rules_of_thumb(leader: str, play: list[str], card: str, why: str) -> None:
    assert _habit(leader, *play) == card, why


MISERE = """
[Game "solo-whist"]
[Deal "N:AQ5.2.. K63.3.. 74.54.. 2.76.5."]
[CurrentTrump "H"]
[Leader "{leader}"]
[Declarer "{declarer}"]
[Contract "misere"]
[Won "N:0;E:3;S:3;W:2"]
"""
ALONE = """
[Game "solo-whist"]
[Deal "N:A.Q72.9. K3.3.8.9 54.4.74. 76.5.65."]
[Leader "{leader}"]
[Declarer "{declarer}"]
[Contract "solo"]
[Trump "D"]
[CurrentTrump "D"]
[Won "N:2;E:2;S:2;W:2"]
"""


@pytest.mark.parametrize(
    ("text", "declarer", "leader", "play", "card", "why"),
    [
        # In a Misère, everybody leads the lowest card.
        (MISERE, "N", "N", "", "H2", "the lowest card of all"),
        (MISERE, "E", "N", "", "H2", "a defender, too"),
        # The declarer plays the highest card that loses, or else the highest.
        (MISERE, "N", "E", "SK S7 S2", "SQ", "the highest that loses"),
        (MISERE, "N", "E", "S3 S4 S2", "SA", "if all win, the highest"),
        (MISERE, "W", "E", "SK S7 S2", "S5", "a defender plays the lowest"),
        # A declarer leads the highest trump, others the highest of their longest plain suit.
        (ALONE, "W", "W", "", "D6", "the highest trump"),
        (ALONE, "N", "S", "", "S5", "a defender has no trump to lead"),
        (ALONE, "N", "N", "", "D9", "the only trump"),
        (ALONE, "S", "N", "", "HQ", "the highest of the longest suit"),
        (ALONE, "S", "W", "", "S7", "the highest of the longest plain suit"),
        # Win as cheaply as possible against the declarer, but not a partner's trick.
        (ALONE, "W", "S", "H4 H5", "H7", "the cheapest card that wins"),
        (ALONE, "S", "S", "H4 H5", "H2", "another defender wins"),
        (ALONE, "E", "S", "H4 H5", "H2", "another defender wins"),
    ],
)
def test_rules_of_thumb_at_misere_and_for_one_against_all(
    text: str, declarer: str, leader: str, play: str, card: str, why: str
) -> None:
    entry = read(text.format(leader=leader, declarer=declarer))[0]
    assert entry.faults == []
    assert entry.deal is not None
    assert entry.contract is not None
    known = know(entry.deal, entry.contract, None, play.split())
    position = known.position(known.layouts.unrank(0))
    assert by_habit(known, position, position.legal()) == card, why
