"""Reachable contracts: no others are named as best, missed or winning.

Each claim is checked against `enumerated_auctions`, which is written from the documents alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from spadille.analysis.chances.contract_chances import best_chances
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.best_result import Offer
from spadille.analysis.contracts.contracts_to_solve import alternatives
from spadille.analysis.evening.deal_score import DealScore
from spadille.analysis.evening.score import score
from spadille.analysis.value.solve import solve
from spadille.base.card_text import SUITS
from spadille.batch.answerer import Answerer
from spadille.batch.batch_question import Job
from spadille.batch.file_questions import places
from spadille.core.auction import auction_faults, result
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.reachable_contracts import (
    excluded_findings,
    is_reachable,
    reachable,
    words_for,
)
from spadille.pbn.hand_file import load, read
from spadille_cli import main
from tests.support.auction_referee import BIDDERS, order_of, rules_of
from tests.support.deals_and_outcomes import random_deal
from tests.support.enumerated_auctions import TURNS, ends
from tests.support.evenings import hand
from tests.support.random_endings import contract_of, some_trump
from tests.support.tiers import part, tries

SEED = 3


def bid_for(deal: Deal, contract: str, trump: str | None) -> str:
    """Return the word that bids a contract."""
    if deal.rules.game.id == "german-solo" and trump == "C":
        return f"{contract}-color"
    return {"prop-cop": "cop"}.get(contract, contract)


def is_end(deal: Deal, offer: Offer | Contract, found: set[tuple[str, str, str | None]]) -> bool:
    """Return whether one of these auctions ends with a contract."""
    name = offer.contract if isinstance(offer, Offer) else offer.ids[0]
    pair = deal.rules.contracts[name].side == "partner"
    players = {offer.declarer, offer.partner} if pair else {offer.declarer}
    word = bid_for(deal, name, offer.trump)
    return any(
        word == bid and players == ({seat, partner} if pair else {seat})
        for seat, bid, partner in found
    )


@pytest.mark.first_cases(1)
@pytest.mark.parametrize("game", part(TURNS, 0, 2, some_slow=True))
def test_what_one_player_can_bring_about(game: str) -> None:
    """After random calls and after none, offer exactly the contracts of the enumerated auctions."""
    rng = Random(f"{game} {SEED}")
    brought = 0
    for number in range(tries(6, 12)):
        deal = random_deal(rules_of(game), rng)
        words = BIDDERS[game](deal, rng)[0] if number % 3 else []
        where = reachable(deal, words)
        for seat in deal.rules.seats:
            found = ends(game, deal, words, seat)
            for kind in deal.rules.contracts.values():
                for some in alternatives(deal, kind):
                    for contract in some[:1] if kind.side == "called" else some:
                        ours = seat in (
                            contract.side if kind.side == "partner" else contract.declarers
                        )
                        expected = ours and is_end(deal, contract, found)
                        assert where.brings(seat, contract) == expected, (words, str(contract))
                        allowed = where.allows(contract)
                        assert allowed >= expected
                        if not words:
                            assert is_reachable(deal, contract) == allowed
                        brought += expected
    assert brought


def judged(deal: Deal, words: list[str]) -> DealScore | None:
    """Return the score of a deal with only an auction recorded, or None if nobody plays."""
    end = result(deal, words)
    assert end is not None
    terms = "Pass"
    if not end.passed_out:
        if not end.declarers:
            return None
        kind = deal.rules.contracts[end.ids[0]]
        found = [
            one
            for some in alternatives(deal, kind, named=True)
            for one in some
            if one.declarer in (end.declarers[0], end.partner)
            and one.trump is not None
            and end.trump in (None, one.trump)
            and (kind.side != "partner" or one.side == {end.declarers[0], end.partner})
            and not (end.ids[0] == "frog" and one.trump == "C" and "frog-color" not in words)
        ]
        # If a bid in Suit leaves the suit open, the suit is not Color.
        in_suit = [one for one in found if one.trump != deal.rules.color]
        terms = next(iter(in_suit or found))
    text = hand(deal, terms) if isinstance(terms, Contract) else hand(deal, Contract="Pass")
    auction = f'[Auction "{order_of(deal)[0]}"]\n{" ".join(words)}\n'
    (found,) = score(read(text.rstrip("\n") + "\n" + auction)).deals
    return found


@pytest.mark.parametrize(
    "game",
    [one if one == "mensch" else pytest.param(one, marks=pytest.mark.ci) for one in TURNS],
)
def test_every_claim_is_the_end_of_a_legal_auction(game: str) -> None:
    """Check the winning contract, the contracts within reach, and the missed ones."""
    rng = Random(f"{game} claims")
    claims = 0
    for _ in range(tries(1 if game == "ombre" else 4, 6)):
        deal = random_deal(rules_of(game), rng)
        words, _ = BIDDERS[game](deal, rng)
        found = judged(deal, words)
        told = best(deal, auction=words)
        wins = [told.highest] if told.highest else []
        named = [*wins, *(offer for own in told.brought.values() for offer in own)]
        if found is not None:
            assert found.could is not None, found.settled.error
            named += found.missed
            named += [found.best_contract] if found.best_contract else []
        for offer in named:
            seats = [offer.declarer, *filter(None, [offer.partner])]
            assert any(is_end(deal, offer, ends(game, deal, words, seat)) for seat in seats)
            claims += 1
        for offer in found.missed if found else ():
            assert is_end(deal, offer, ends(game, deal, words, offer.declarer))
        made = [
            offer
            for own in best(deal, every=True).seats.values()
            for offer in own
            if offer.makes
            and offer.height > (told.highest.height if told.highest else -1)
            and is_end(deal, offer, ends(game, deal, words, offer.declarer))
        ]
        assert made == []  # nothing higher could have won
    assert claims


@pytest.mark.ci
@pytest.mark.parametrize("bid", [[], ["frog", "AP"], ["Pass", "frog", "AP"]])
def test_with_both_black_queens_no_frog_is_named(bid: list[str]) -> None:
    """ "If a player has in his hand both of the black Queens ..., he must bid a Solo"."""
    queens = 0
    for number in range(200):
        deal = Deal.random("german-solo", number)
        if not any({"CQ", "SQ"} <= {*(own or ())} for own in deal.hands.values()):
            continue
        queens += 1
        found = best(deal, "frog", auction=bid)
        assert found.highest is None
        assert not any(found.seats.values())
        assert not any(rank.makes for rank in found.ranking)
        if queens == tries(2, 20):
            break
    assert best(deal, "frog", every=True).seats["N"]


def test_an_after_needs_a_half_and_nobody_bids_twice() -> None:
    """Mensch: eldest bids first, so nobody can bid After or call a second time."""
    for number in range(tries(5, 20)):
        deal = Deal.random("mensch", number)
        eldest, *others = order_of(deal)
        found = best(deal)
        assert not any("after" in offer.contract for offer in found.seats[eldest])
        clubs = {
            seat: sum(card[0] == "C" and card != "CQ" for card in deal.hands[seat] or ())
            for seat in deal.rules.seats
        }
        for seat in others:
            after = any(offer.contract == "after" for offer in found.brought[seat])
            # All others pass except a player who must bid, the only one who can have said Half.
            before = others[: others.index(seat)]
            assert after == any(clubs[one] >= 3 for one in (eldest, *before))
        bids = ["half", *("Pass" for _ in others)]
        assert {offer.contract for offer in best(deal, auction=bids).brought[eldest]} >= {"five"}


def test_a_prop_needs_another_players_cop() -> None:
    deal = Deal.random("solo-whist", 2)
    first, second, third, fourth = order_of(deal)
    # The others may join only pairs with the second player, since the third would Cop the first,
    # too.
    joined = [{second, third}, {second, fourth}, {first, second}]
    for words, pairs in [
        ([], []),
        (["Pass", "prop", "cop", "Pass"], [{second, third}, {first, third}]),
        (["Pass", "prop", "Pass", "Pass", "Pass"], joined),
    ]:
        found = best(deal, "prop-cop", auction=words, calls=True)
        named = [
            {offer.declarer, offer.partner}
            for own in found.brought.values()
            for each in own
            for offer in each.calls
        ]
        assert {frozenset(one) for one in named} == {frozenset(one) for one in pairs}
        assert found.highest is None or pairs


@pytest.mark.ci
def test_an_auction_that_leads_to_a_contract() -> None:
    """If only the contract is recorded, its bid, the bids below it and duties are considered."""
    told = 0
    for game in TURNS:
        rng = Random(game)
        for _ in range(tries(4, 7)):
            deal = random_deal(rules_of(game), rng)
            where = reachable(deal)
            for kind in deal.rules.contracts.values():
                some = next(iter(alternatives(deal, kind)), [])
                for contract in rng.sample(some, min(len(some), 2)):
                    words = words_for(deal, contract)
                    fell = {"pass-out", "forced-spadille"} & {*contract.ids}
                    if fell or not where.allows(contract):
                        assert len([*filter(lambda word: word != "-", words)]) <= 1
                        continue
                    assert auction_faults(deal, words) == []
                    end = result(deal, words)
                    assert end is not None
                    assert end.ids == contract.ids
                    assert {*end.declarers, end.partner or end.declarers[0]} == (
                        contract.side if kind.side == "partner" else {contract.declarer}
                    )
                    told += 1
    assert told > 100


@pytest.mark.ci
@pytest.mark.parametrize("game", part(["german-solo", "mensch"], 1, 2))
def test_claims_beside_a_contract_without_auction_are_legal(game: str) -> None:
    """Without an auction, the fewest calls that lead to the contract are assumed."""
    rng = Random(f"{game} recorded")
    claims = 0
    for _ in range(tries(12, 24)):
        deal = random_deal(rules_of(game), rng)
        kind = rng.choice([one for one in deal.rules.contracts.values() if one.holder is None])
        contract = contract_of(deal, kind, some_trump(deal.rules, kind, rng), rng)
        text = hand(deal, contract)
        if read(text)[0].faults:
            continue
        (found,) = score(read(text)).deals
        words = [*words_for(deal, contract)]
        best_of = [found.best_contract] if found.best_contract else []
        for offer in (*found.missed, *best_of):
            assert is_end(deal, offer, ends(game, deal, words, offer.declarer))
            claims += 1
    assert claims


def by_cards(cards: dict[str, str]) -> list[tuple[str, ...]]:
    """Squint: return the contracts that five bid cards lead to, from the dealer's left."""
    lone = [seat for seat, card in cards.items() if card[1] in "A2"]
    if lone:
        names = {"A": "ace-solo", "2": "misere"}
        return [(*lone, *(names[cards[seat][1]] for seat in lone))]
    for rank in "KQJ":
        courts = [seat for seat, card in cards.items() if card[1] == rank]
        if courts:
            return [(courts[0], "grand-solo", cards[courts[0]][0])]
    by_suit = {suit: [seat for seat in cards if cards[seat][0] == suit] for suit in SUITS}
    numbers = sorted((len(own) for own in by_suit.values() if own), reverse=True)
    one_of = {number: suit for number in (1, 2) for suit in SUITS if len(by_suit[suit]) == number}
    most = max(SUITS, key=lambda suit: len(by_suit[suit]))
    solo = (*by_suit[one_of[1]], "solo", one_of[1]) if numbers[-1] == 1 else ()
    if numbers == [2, 2, 1]:
        return [solo]
    if numbers in ([2, 1, 1, 1], [3, 2]):
        first, second = by_suit[one_of[2]]
        return [(first, "duo", one_of[2], second)]
    return [solo, ("nemo", most)] if numbers == [4, 1] else [("nemo", most)]


@pytest.mark.ci
@pytest.mark.parametrize("number", part(range(4), 1))
def test_what_each_bid_card_brings_about(number: int) -> None:
    """Every card of every hand is valued given the cards that the others showed."""
    rng = Random(number)
    deal = Deal.random("squint", number)
    order = order_of(deal)
    low = [[card for card in deal.hands[seat] or () if card[1] in "3456789T"] for seat in order]
    own = [deal.hands[seat] or () for seat in order]
    words = [rng.choice(cards) for cards in (low if number % 2 else own)]
    shown = dict(zip(order, words, strict=True))
    found = best(deal, auction=words)
    assert list(found.bid_cards) == list(order)
    assert (found.ranking, found.highest) == ((), None)
    for seat, rows in found.bid_cards.items():
        assert sorted(card for row in rows for card in row.cards) == sorted(deal.hands[seat] or ())
        could = set()
        for row in rows:
            for card in row.cards:
                ways = by_cards({**shown, seat: card})
                assert [" ".join(way) for way in ways] == [*row.contracts]
                mine = [way for way in ways if seat in way or way[0] == "nemo"]
                if len(ways) == 1 or seat == ways[0][0]:
                    could |= {way for way in ways if way in mine}
                else:
                    assert row.payoff is None
                assert row.payoff is None or mine
        names = {
            (name, suit)
            for way in could
            for name, suit in [_own(way, seat)]
        }  # fmt: skip
        offers = found.seats[seat]
        assert {offer.contract for offer in offers} == {name for name, _ in names}
        for offer in offers:
            suit = offer.penalty or (offer.trump if offer.trump != "NT" else None)
            assert (offer.contract, suit) in names
            assert {*(offer.bid or "").split()} <= {*(deal.hands[seat] or ())}


def _own(way: tuple[str, ...], seat: str) -> tuple[str, str | None]:
    """Return the contract of a seat, and its suit."""
    if way[0] == "nemo":
        return "nemo", way[1]
    seats = [word for word in way if len(word) == 1 and word in "12345"]
    if way[len(seats)] in ("ace-solo", "misere"):
        return way[len(seats) + seats.index(seat)], None
    return way[1], way[2]


@pytest.mark.ci
def test_claims_of_squint_follow_from_one_other_card() -> None:
    for number in range(2):
        rng = Random(number)
        deal = Deal.random("squint", number)
        order = order_of(deal)
        words = [rng.choice(deal.hands[seat] or ()) for seat in order]
        found = judged(deal, words)
        if found is None:
            continue
        for offer in (*found.missed, *filter(None, [found.best_contract])):
            shown = dict(zip(order, words, strict=True))
            ways = [
                way
                for card in deal.hands[offer.declarer] or ()
                for way in by_cards({**shown, offer.declarer: card})
                if offer.declarer in way or way[0] == "nemo"
            ]
            suit = offer.penalty or (offer.trump if offer.trump != "NT" else None)
            assert (offer.contract, suit) in [_own(way, offer.declarer) for way in ways]


def test_each_of_several_soloists_is_paid_what_solve_guarantees() -> None:
    """Ace solos and Misères played at once are each valued against all other players."""
    entry = load("examples/squint.pbn")[0]
    assert entry.deal is not None
    assert entry.calls is not None
    soloists = 0
    for seat, rows in best(entry.deal, auction=entry.calls[1]).bid_cards.items():
        for row in rows:
            (contract,) = row.contracts
            found = solve(entry.deal, contract)
            assert len(found.contractors) > 1
            assert found.guarantees is not None
            assert row.payoff == found.guarantees.get(seat)
            soloists += row.payoff is not None
    assert soloists == 4


def test_without_bid_cards_nothing_is_said_of_one_seat() -> None:
    deal = Deal.random("squint", 1)
    found = best(deal, "misere", exchange=False)
    assert (found.ranking, found.highest, dict(found.bid_cards)) == ((), None, {})
    assert not any(found.brought.values())
    assert {offer.height for own in found.seats.values() for offer in own} <= {-1}


def offered(
    deal: Deal, seat: str, auction: str = "", contracts: str | None = None
) -> tuple[set[str], dict[str, str]]:
    """Return the contracts that a seat can choose from its own hand after some calls."""
    blind = replace(deal, hands={**dict.fromkeys(deal.rules.seats), seat: deal.hands[seat]})
    found = best_chances(
        blind,
        seat,
        auction=auction,
        contracts=contracts,
        drawing=Drawing(samples=1, seconds=0),
    )
    return {offer.contract for offer in found.offers}, dict(found.left_out)


def test_chances_of_contracts_are_those_of_legal_bids() -> None:
    """Offer only legal bids: both black queens, clubs and turn in Mensch, earlier calls."""
    queens = next(
        (Deal.random("german-solo", number), seat)
        for number in range(100)
        for seat, hand in Deal.random("german-solo", number).hands.items()
        if {"CQ", "SQ"} <= {*(hand or ())}
    )
    contracts, left_out = offered(*queens, contracts="frog solo tout")
    assert contracts == {"solo", "tout"}
    assert [*left_out] == ["frog"]
    deal = Deal.random("mensch", 3)
    eldest, second, *_ = order_of(deal)
    assert not any("after" in name for name in offered(deal, eldest)[0])
    after_six, left_out = offered(deal, second, "six")
    assert after_six == {"six-after", "seven", "solo"}
    assert {"half", "five", "pass-out"} <= {*left_out}


SHOWN = """[Game "squint"]
[Dealer "3"]
[Deal "1:J852.3.965.T3 Q6.AT762.T8.8 43.Q.KJ32.542 KT9.98.A74.KJ A7.KJ54..AQ76"]
[Auction "4"]
D4 C7 H3 HT DK
"""


@pytest.mark.ci
def test_the_command_shows_what_bid_cards_bring_about(tmp_path: Path) -> None:
    """With D3 for DK the five cards are D4 C7 H3 HT D3: two pairs, so 5 plays Solo in clubs."""
    file = tmp_path / "squint.pbn"
    file.write_text(SHOWN)
    shown = CliRunner().invoke(main, ["best", "--no-exchange", str(file)]).output
    lines = [re.split(r"  +", line.strip()) for line in shown.splitlines()]
    assert ["seat", "bid card", "contract", "payoff"] in lines
    assert ["D3", "5 solo C"] in lines
    assert "wins" not in shown
    answer = Answerer(Job.of("best", exchange=False))
    (place,) = places(str(file), Job.of("best", exchange=False))
    fields = json.loads(answer.answer(place.question or ""))
    (entry,) = read(SHOWN)
    assert entry.deal is not None
    assert entry.calls is not None
    told = best(entry.deal, auction=entry.calls[1], exchange=False).to_dict()
    assert fields == {name: each for name, each in told.items() if name not in ("nodes", "ms")}
    assert {"cards": ["D3"], "contracts": ["5 solo C"], "payoff": None} in fields["bid_cards"]["3"]


@pytest.mark.first_cases(1)
@pytest.mark.parametrize("game", TURNS)
def test_check_warns_of_a_contract_with_which_no_auction_ends(game: str) -> None:
    """Warn of a contract unless some player can bring it about, whatever the others call."""
    rng = Random(f"{game} excluded")
    warned = 0
    for _ in range(tries(1, 10)):
        deal = random_deal(rules_of(game), rng)
        while game.startswith("german") and {"CQ", "SQ"} & {*deal.hands["N"]} != {"CQ", "SQ"}:
            deal = random_deal(rules_of(game), rng)
        where = reachable(deal)
        for kind in deal.rules.contracts.values():
            for some in alternatives(deal, kind):
                for contract in some[:1] if kind.side == "called" else some:
                    codes = [one.fault.code for one in excluded_findings(deal, contract)]
                    if not where.allows(contract):
                        assert set(codes) == {"contract-excluded"}, str(contract)
                        warned += 1
                    else:
                        assert codes == [], str(contract)
    assert warned or game not in ("mensch", "german-solo", "german-solo round")


AFTER = """[Game "mensch"]
[Dealer "N"]
[Deal "N:9.JT87.987. AQ.Q..KQT97 KJT.AK.AK.8 87.9.QJT.AJ"]
[Declarer "E"]
[Contract "seven-after"]
"""


def test_the_first_caller_has_no_bid_to_say_after_to() -> None:
    """The call "Seven After" needs another player's "Seven" before; each player has one turn."""
    [entry] = read(AFTER)
    [warning] = entry.warnings
    assert (warning.code, warning.tag, warning.text) == (
        "contract-excluded",
        "Contract",
        "seven-after",
    )
    assert entry.contract is not None
    # North or East may have said Seven before, if South or West dealt.
    for dealer in "ESW":
        [entry] = read(AFTER.replace('Dealer "N"', f'Dealer "{dealer}"'))
        assert entry.warnings == []
    # The file does not say who called first.
    [entry] = read(AFTER.replace('[Dealer "N"]\n', ""))
    assert entry.warnings == []


def test_a_misere_of_squint_needs_a_deuce_of_each_player() -> None:
    """Deuce: the player plays Misère."""
    text = """[Game "squint"]
[Dealer "1"]
[Deal "1:KJT74.J98.Q.7 92.5.AT94.J94 8.A73.8732.83 AQ6.KQ42.J.AK 53.T6.K6.QT62"]
[Talon "C5 D5"]
[Declarer "{}"]
[Contract "{}"]
"""
    for seats in ("3", "5", "3 5", "2"):
        [entry] = read(text.format(seats, " ".join(["misere"] * len(seats.split()))))
        assert entry.warnings == [], seats
    for seats in ("1", "3 1 5"):
        [entry] = read(text.format(seats, " ".join(["misere"] * len(seats.split()))))
        assert [one.code for one in entry.warnings] == ["contract-excluded"], seats
