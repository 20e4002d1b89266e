"""The figures of an evening: best play, the best contract, and the cost of errors."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

import spadille
from spadille.analysis.contracts.best import best
from spadille.analysis.evening import deal_score
from spadille.analysis.evening.deal_score import DealScore
from spadille.analysis.evening.score import Scores, score
from spadille.analysis.review.review import review
from spadille.analysis.value.solve import solve
from spadille.base.errors import ArgumentError, RulesError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.core.reachable_contracts import words_for
from spadille.games import rules_for
from spadille.pbn.hand_file import read
from tests.support.deals_and_outcomes import random_deal
from tests.support.evenings import anything, hand, names, played
from tests.support.html_fragments import parsed
from tests.support.random_endings import contract_of, some_trump
from tests.support.tiers import part, tries

SHORT = ("mensch", "german-solo", "ombre", "quadrille", "quintille")
KINDS = [(game, kind) for game in SHORT for kind in rules_for(game).contracts]
LONG = [
    ("solo-whist", "solo"),
    ("solo-whist", "misere"),
    ("anna-cubed", "prop-cop"),
    ("squint", "duo"),
]


def one(text: str) -> DealScore:
    (deal,) = score(read(text)).deals
    return deal


def random_hand(game: str, kind: str, seed: int) -> tuple[Deal, Contract, list[str]]:
    random = Random(f"{game} {kind} {seed}")
    rules = rules_for(game)
    while True:
        deal = random_deal(rules, random)
        terms = rules.contracts[kind]
        contract = contract_of(deal, terms, some_trump(rules, terms, random), random)
        if read(hand(deal, contract))[0].faults:
            continue
        try:
            return deal, contract, played(deal, contract, anything(seed))
        except RulesError:
            continue


@pytest.mark.first_cases(1)
@pytest.mark.parametrize(
    ("game", "kind"),
    [
        *part(KINDS, 0, 6, some_slow=True),
        *(pytest.param(*one, marks=pytest.mark.ci) for one in LONG),
    ],
)
def test_the_account_balances(game: str, kind: str) -> None:
    """Payment = best play, minus the losses of the side, plus those of the other side."""
    for seed in range(3 if game in SHORT else 1):
        deal, contract, cards = random_hand(game, kind, seed)
        found = one(hand(deal, contract, cards))
        settled = found.settled
        assert settled.paid is not None
        assert found.best_play is not None
        assert found.lost is not None
        sums = [
            sum(gains[seat] for seat in contract.side) for gains in (found.best_play, settled.paid)
        ]
        lost = sum(found.lost[seat] for seat in contract.side)
        given = sum(found.lost.values()) - lost
        assert sums[0] - lost + given == sums[1]
        assert all(points >= 0 for points in found.lost.values())
        again = review(settled.deal or deal, contract, cards)
        assert again.score == settled.paid
        # Surrendering wrongly, or not surrendering, is an error separate from those of cards.
        given_up = Counter(one.seat for one in again.surrenders if one.cost)
        assert found.cards == {
            seat: replace(tally, errors=tally.errors + given_up[seat])
            for seat, tally in again.players.items()
        }


def test_a_wrong_choice_after_the_first_tricks_is_the_declarers() -> None:
    text = "N:Q.AKQJT7..Q AK.9.AKQ.AK JT.8.JT9.JT 987..87.987"
    deal = Deal.parse(text, "german-solo", dealer="W")
    cards = played(deal, "N solo H", lambda position: position.legal()[0])
    stopped, went_on = one(hand(deal, "N solo H", cards[:20])), one(hand(deal, "N solo H", cards))
    # Stopping pays 12 (4 from each); going on and taking all eight tricks pays 48 (16 from each).
    assert stopped.settled.points == {"N": 12, "E": -4, "S": -4, "W": -4}
    assert went_on.settled.points == {"N": 48, "E": -16, "S": -16, "W": -16}
    assert stopped.best_play == went_on.best_play == went_on.settled.points
    assert stopped.lost == {"N": 48 - 12, "E": 0, "S": 0, "W": 0}
    assert went_on.lost == dict.fromkeys("NESW", 0)
    # With a plain king instead of the ten, North loses the last trick and had better stop.
    deal = Deal.parse(
        "N:Q.AKQJ7..QK AK.T9.AKQ.A JT.8.JT9.JT 987..87.987", "german-solo", dealer="W"
    )
    cards = played(deal, "N solo H", lambda position: position.legal()[0])
    stopped, went_on = one(hand(deal, "N solo H", cards[:20])), one(hand(deal, "N solo H", cards))
    assert stopped.settled.points == stopped.best_play == {"N": 12, "E": -4, "S": -4, "W": -4}
    assert went_on.settled.points == {"N": -48, "E": 16, "S": 16, "W": 16}
    assert stopped.lost == dict.fromkeys("NESW", 0)
    assert went_on.lost == {"N": 12 + 48, "E": 0, "S": 0, "W": 0}
    assert (stopped.settled.made, went_on.settled.made) == ({"N": True}, {"N": False})


def test_a_lead_that_is_forced_may_be_a_wrong_choice_all_the_same() -> None:
    """After five trumps North has three equal losing cards left and had better stop."""
    text = "N:Q987.AK7..Q A.QJ.AKQ.AK K.T9.JT9.J9 JT.8.87.T87"
    deal = Deal.parse(text, "german-solo", dealer="W")

    def keeping_spades(position: Position) -> str:
        legal = position.legal()
        if position.to_play == "N":
            return min(legal, key="CQ H7 SQ HA HK S9 S8 S7".index)
        return min(legal, key=lambda card: (card[0] == "S", "789TJQKA".index(card[1])))

    cards = played(deal, "N solo H", keeping_spades)
    found = one(hand(deal, "N solo H", cards))
    assert found.settled.points == {"N": -48, "E": 16, "S": 16, "W": 16}
    assert found.lost == {"N": 12 + 48, "E": 0, "S": 0, "W": 0}


@pytest.mark.ci
def test_beside_it_stand_best_play_and_the_best_contract() -> None:
    for seed in range(tries(3, 6)):
        deal, contract, cards = random_hand("german-solo", "solo", seed)
        found = one(hand(deal, contract, cards))
        told = solve(deal, contract, objective="score").secured
        assert told is not None
        assert told.score is not None
        assert found.best_play == told.score
        could = best(deal, auction=words_for(deal, contract)).brought
        good = [offer for own in could.values() for offer in own if offer.makes]
        most = found.best_contract.payoff if found.best_contract else None
        assert most == max((offer.payoff for offer in good if offer.payoff), default=None)
        height = {"frog": 0, "solo": 2, "tout": 4}["solo"] + (contract.trump == "C")
        missed = {}
        for offer in good:
            if offer.height > height and (offer.payoff or 0) > told.score[offer.declarer]:
                before = missed.get(offer.declarer)
                if before is None or (offer.payoff or 0) > (before.payoff or 0):
                    missed[offer.declarer] = offer
        assert {offer.declarer: offer.payoff for offer in found.missed} == {
            seat: offer.payoff for seat, offer in missed.items()
        }


def test_what_only_falls_to_somebody_is_not_to_be_had() -> None:
    """A contract that only falls to a player cannot be the best one.

    A Pass-out of Mensch is not bid, though it pays more here than any bid.
    """
    deal = Deal.random("mensch", 29)  # nobody has three clubs, so all may pass
    offers = [offer for own in best(deal).seats.values() for offer in own if offer.makes]
    bids = [offer.payoff or 0 for offer in offers if offer.height >= 0]
    assert max(offer.payoff or 0 for offer in offers) > max(bids) > 0
    found = one(hand(deal, Contract="Pass"))
    assert found.best_contract is not None
    assert found.best_contract.payoff == max(bids)
    assert all(offer.height >= 0 for offer in found.missed)


def test_tricks_are_counted_where_the_contract_counts_them() -> None:
    deal, contract, cards = random_hand("ombre", "solo", 1)
    found = score(read(hand(deal, contract, cards)))
    assert sum(player.tally.errors for player in found.players) > 0
    assert {player.to_dict()["tricks"] for player in found.players} == {0}


@pytest.mark.ci
def test_nothing_is_missed_where_best_play_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bid is missed if it is sure to pay more than best play of the contract that was played."""
    text = """[Game "ombre"]
[Dealer "3"]
[Deal "3:AK.Q.J74.KJ7 Q73.J3.AK.A4 J4.5.653.Q62"]
[Declarer "3"]
[Contract "entrada"]
[Trump "D"]
[Surrender "3@1"]
"""
    [found] = score(read(text)).deals
    assert [offer.contract for offer in found.missed] == ["solo"]
    monkeypatch.setattr(deal_score, "_best_play", lambda result: None)
    [found] = score(read(text)).deals
    assert found.missed == ()


@pytest.mark.ci
def test_what_was_passed_out_could_have_been_bid() -> None:
    deal = Deal.random("ombre", 0)
    found = one(hand(deal, Contract="Pass"))
    assert found.best_play is None
    assert found.best_contract is not None
    assert {offer.declarer for offer in found.missed} == {
        seat
        for seat, offers in best(found.settled.deal or deal).seats.items()
        if any(offer.makes and offer.height >= 0 for offer in offers)
    }
    assert "passed out" in str(found)


def test_players_over_all_evenings() -> None:
    deal = [Deal.random("mensch", seed) for seed in range(3)]
    contracts = ["W half DK", "W five C", "N solo D"]
    texts = [
        hand(each, contract, played(each, contract, anything(seed)), **names("NESW", people))
        for seed, (each, contract, people) in enumerate(
            zip(
                deal,
                contracts,
                ("Anna Bert Cleo Dirk", "Dirk Anna Bert Cleo", "Cleo Dirk Anna Bert"),
                strict=True,
            )
        )
    ]
    silent = hand(deal[0], "W half DK", **names("NESW", "Anna Bert Cleo Dirk"))
    both = score(read("\n".join(texts[:2])), read("\n".join([texts[2], silent])))
    assert [len(evening) for evening in both.evenings] == [2, 2]
    players = {player.player: player for player in both.players}
    assert list(players) == ["Anna", "Bert", "Cleo", "Dirk"]
    for name, player in players.items():
        points = cards = errors = lost = 0
        for found in both.deals[:3]:
            (seat,) = (seat for seat, who in found.settled.players.items() if who == name)
            points += (found.settled.points or {})[seat]
            cards += found.cards[seat].cards
            errors += found.cards[seat].errors
            lost += (found.lost or {})[seat]
        assert (player.deals, player.unsettled) == (4, 1)
        assert (player.points, player.tally.cards) == (points, cards)
        assert (player.tally.errors, player.lost) == (errors, lost)
    assert sum(player.points for player in players.values()) == 0
    # W is Dirk, then Cleo; N is Cleo.
    declared = {name: one.made + one.failed for name, one in players.items()}
    assert declared == {"Anna": 0, "Bert": 0, "Cleo": 2, "Dirk": 1}


def test_partners_who_bid_declare_both() -> None:
    deal = Deal.random("solo-whist", 0)
    players = score(read(hand(deal, "N prop-cop E", Result="8"))).players
    assert [(one.player, one.made, one.failed) for one in players] == [
        ("N", 1, 0),
        ("E", 1, 0),
        ("S", 0, 0),
        ("W", 0, 0),
    ]


@pytest.mark.ci
def test_games_do_not_mix() -> None:
    texts = [hand(Deal.random(game, 0), Contract="Pass") for game in ("ombre", "solo-whist")]
    players = score(read("\n".join(texts))).players
    assert [(one.game, one.player) for one in players] == [
        *(("ombre", seat) for seat in "123"),
        *(("solo-whist", seat) for seat in "NESW"),
    ]


def test_what_cannot_be_known_is_left_out() -> None:
    hidden = hand(Deal.random("mensch", 1), "W five C", Result="3")
    text = re.sub(r'Deal "[^"]*"', 'Deal "N:- - - QJ.A.Q.AKJ7"', hidden)
    found = one(text)
    assert found.settled.points == {"N": 2, "E": 2, "S": 2, "W": -6}
    assert (found.best_play, found.best_contract, found.lost) == (None, None, None)
    assert one(hidden).best_play is not None


def test_scores_show_themselves() -> None:
    found = score(read(hand(Deal.random("mensch", 1), "W five C", Result="3")))
    assert isinstance(found, Scores)
    assert repr(found.deals[0]) == "<DealScore W five C: failed N +2 E +2 S +2 W -6>"
    assert repr(found.players[3]) == "<PlayerScore W: -6 in 1 deal, lost 0>"
    assert str(score()) == "no deals"
    assert found.to_dict()["players"][3]["points"] == -6


def test_scores_are_html_in_a_notebook() -> None:
    text = hand(Deal.random("mensch", 1), "W five C", Result="3", **names("NESW", "A B <C> D"))
    one, two = score(read(text)), score(read(text), read(text))
    assert "".join(parsed(one._repr_html_()).text).count("payoffs") == 1
    said = "".join(parsed(two._repr_html_()).text)
    assert "evening 1" in said
    assert "evening 2" in said
    assert "D five C: failed" in said
    assert "<C>" in said
    assert "Players, Mensch" in said


def test_arguments() -> None:
    with pytest.raises(ArgumentError):
        score(limits=5)  # type: ignore[arg-type]
    for wrong in (3, "text", ["text"], [None]):
        with pytest.raises(ArgumentError):
            score(wrong)  # type: ignore[arg-type]


@pytest.mark.ci
def test_threads_change_nothing() -> None:
    file = spadille.load("examples/mensch.pbn")
    one, two = (score(file, threads=threads).to_dict() for threads in (1, 2))
    for found in (one, two):
        for deal in found["evenings"][0]:
            del deal["ms"]
    assert one == two
