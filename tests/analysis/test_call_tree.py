"""The tree of an auction: its calls against the referee, its values against a plain recursion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from spadille.analysis.auction.auction_end_values import Worth
from spadille.analysis.auction.call_review import SpokenBids
from spadille.core.auction import auction_faults, judge_auction, result
from spadille.core.call_tree import HOLD, PASS, AuctionEnd, Calls, Said
from spadille.core.deal import Deal
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from tests.support.auction_referee import BIDDERS, GERMAN, Turns, at_least, duel, rounds, rules_of
from tests.support.deals_and_outcomes import random_deal
from tests.support.tiers import part, tries

LIMITS = Limits(hard_nodes=2_000_000)
Gains = Mapping[str, int]


def sound(deal: Deal, words: list[str]) -> bool:
    return auction_faults(deal, [*words, "*"]) == []


def written(deal: Deal) -> list[str]:
    """Return all calls, from low to high; a bid that must name a suit comes with each suit."""
    found = [PASS, HOLD]
    for bid in deal.rules.bidding.bids:
        found += [f"{bid.word}-{suit}" for suit in "SHDC"] if bid.names_trump else [bid.word]
    return found


@pytest.mark.first_cases(1)
@pytest.mark.parametrize("game", BIDDERS)
def test_calls_that_are_open_are_those_without_fault(game: str) -> None:
    rng = Random(game)
    held = raised = 0
    for _ in range(tries(20, 60)):
        deal = random_deal(rules_of(game), rng)
        words, _ = BIDDERS[game](deal, rng)
        calls = Calls(deal)
        for said in calls.said(words):
            if said.number is None or words[said.number] == "-" or said.seat != column(deal, said):
                continue  # in a record, the player says nothing
            before, standing = words[: said.number], said.standing
            may = {call.word for call in calls.open(standing)}
            held += HOLD in may
            raised += standing.next_speaker() is None
            for word in written(deal):
                short = word.partition("-")[0] if word[-2:-1] == "-" else word
                if short == standing.word:  # equalling a bid means holding it
                    short = HOLD
                if standing.holder is None and standing.next_speaker() is None and word == PASS:
                    continue  # a player to whom a contract falls must play it, whatever the calls
                if deal.rules.color is None and word.endswith("-color"):
                    assert word not in may
                assert (short in may) == sound(deal, [*before, word]), (words, said, word)
    assert bool(held) == bool(rules_of(game).bidding.hold)
    assert bool(raised) == (rules_of(game).bidding.afterwards is not None)


def column(deal: Deal, said: Said) -> str:
    seats = said.standing.seats
    assert said.number is not None
    return seats[said.number % len(seats)]


@pytest.mark.parametrize("game", BIDDERS)
def test_auctions_are_followed_to_their_contract(game: str) -> None:
    rng = Random(game)
    for _ in range(tries(80, 200)):
        deal = random_deal(rules_of(game), rng)
        words, _ = BIDDERS[game](deal, rng)
        calls = Calls(deal)
        standing = calls.start()
        for said in calls.said(words):
            assert said.standing.key == standing.key
            standing = calls.after(standing, said.call)
        found, outcome = calls.settled(standing), result(deal, words)
        assert outcome is not None
        if outcome.passed_out:
            assert found is None
            continue
        assert found is not None
        assert (found.declarer, found.contract, found.partner) == (
            outcome.declarers[0],
            outcome.ids[0],
            outcome.partner,
        )
        if outcome.trump is not None:
            assert found.trumps == (outcome.trump,)


def played_well(deal: Deal, words: list[str], worth: Worth) -> Gains:
    """Return the payoffs of all seats if each makes its most profitable bid, by a plain recursion.

    For each call the referee says whose turn it is and which calls are allowed.
    """
    seats = deal.rules.in_turn(deal.rules.eldest(deal.dealer))
    words = [*words]
    over = judge_auction(deal, words)[0] == [] and words != []
    for _ in seats if over else range(99):
        seat = seats[len(words) % len(seats)]
        said = may_say(deal, words, seat)
        silent = sound(deal, [*words, "-"])
        if said and (over or not silent):
            ways = [
                played_well(deal, [*words, word], worth)
                for word in (["-", *said] if over else said)
            ]
            return max(ways, key=lambda gains: gains[seat])
        words.append("-")
    outcome = result(deal, words)
    assert outcome is not None
    if outcome.passed_out:
        return worth.settled(None).gains
    trumps = None if outcome.trump is None else (outcome.trump,)
    end = AuctionEnd(outcome.declarers[0], outcome.ids[0], trumps, outcome.partner)
    return worth.settled(end).gains


def may_say(deal: Deal, words: list[str], seat: str) -> list[str]:
    """Return the calls a player may make, low to high, but not the pass that ends the bidding."""
    seats = deal.rules.in_turn(deal.rules.eldest(deal.dealer))
    last: dict[str, str] = {}
    best = ""
    for number, word in enumerate(words):
        if word not in (PASS, "-"):
            best = best if word == HOLD else word
            last[seats[number % len(seats)]] = best
    found = []
    for word in written(deal):
        again = word == HOLD and last.get(seat) == best
        if not again and word.partition("-")[0] != best and sound(deal, [*words, word]):
            found.append(word)
    in_it = judge_auction(deal, [*words, "*"])[1] is None
    return found if in_it else [word for word in found if word != PASS]


def german(deal: Deal, turns: Callable[[Deal], Turns], words: list[str], worth: Worth) -> Gains:
    """Return the same for German Solo; the referee of auctions says what is allowed."""
    auction = turns(deal)
    try:
        seat, may = next(auction)
        for word in words:
            seat, may = auction.send(word)
    except StopIteration as end:
        holder, best = end.value
        soloist = holder or deal.holder("CQ")
        ways = at_least(GERMAN, best or "solo")
        gains = [worth.settled(bid_by(deal, soloist, word)).gains for word in ways]
        return max(gains, key=lambda each: each[soloist])
    best = next((word for word in reversed(words) if word in GERMAN), "")
    ways = [word for word in (PASS, HOLD, *GERMAN) if word in may and word != best]
    gains = [german(deal, turns, [*words, word], worth) for word in ways]
    return max(gains, key=lambda each: each[seat])


def bid_by(deal: Deal, seat: str, word: str) -> AuctionEnd:
    contract = word.removesuffix("-color")
    return AuctionEnd(seat, contract, ("C",) if word != contract else ("S", "H", "D"))


@pytest.mark.ci
@pytest.mark.parametrize("game", part((one for one in BIDDERS if not one.startswith("german")), 1))
def test_the_tree_is_that_of_a_plain_recursion(game: str) -> None:
    rng = Random(game)
    compared, most = 0, {"mensch": 7, "solo-whist": 2, "anna-cubed": 3}.get(game, 1)
    fewer = {"mensch": 4, "solo-whist": tries(4, 8)}
    for _ in range(fewer.get(game, 6 if game in ("quadrille", "quintille") else tries(3, 6))):
        deal = random_deal(rules_of(game), rng)
        words, _ = BIDDERS[game](deal, rng)
        bids = SpokenBids(Worth(deal, Search(Solver(), LIMITS)))
        for said in bids.calls.said(words):
            bids_left = len(deal.rules.bidding.bids) - 1 - said.standing.high
            if said.number is None or bids_left > most or words[said.number] == "-":
                continue
            found = bids.judged(said)
            for word, payoff in found.payoffs.items():
                gains = played_well(deal, [*words[: said.number], word], bids.worth)
                assert gains[said.seat] == payoff, (words, said, word)
                compared += 1
    assert compared > 10


@pytest.mark.ci
@pytest.mark.parametrize("last", [PASS, HOLD])
def test_a_second_hold_at_the_same_height_is_judged(last: str) -> None:
    """Ombre: a bidder who has not passed "may instead opt to equal that bid", even twice."""
    costs = 0
    for number in range(tries(3, 12)):
        deal = Deal.random("ombre", number)
        # Eldest holds the Vuelta over the bidder, who holds it again or passes.
        words = ["entrada", "vuelta", PASS, HOLD, last]
        assert sound(deal, words)
        bids = SpokenBids(Worth(deal, Search(Solver(), LIMITS)))
        *_, found = bids.decisions([*words, "*"])
        assert (found.decision, list(found.payoffs)) == (last, [PASS, HOLD, "solo"])
        for word, payoff in found.payoffs.items():
            gains = played_well(deal, [*words[:4], word], bids.worth)
            assert gains[found.seat] == payoff
        assert found.cost == max(found.payoffs.values()) - found.payoffs[last]
        costs += found.cost > 0
    assert costs


@pytest.mark.ci
@pytest.mark.parametrize("turns", part([rounds, duel], 0, 2))
def test_the_tree_of_german_solo(turns: Callable[[Deal], Turns]) -> None:
    rng = Random(turns.__name__)
    compared = 0
    game = "german-solo" if turns is duel else "german-solo round"
    for number in range(50):
        if number >= tries(3, 6) and compared > 20:
            break
        deal = random_deal(rules_of(game), rng)
        words, _ = BIDDERS[game](deal, rng)
        bids = SpokenBids(Worth(deal, Search(Solver(), LIMITS)))
        said_so_far: list[str] = []
        for said in bids.calls.said(words):
            if said.standing.next_speaker() is None:
                break
            found = bids.judged(said)
            if len(GERMAN) - 1 - said.standing.high <= 4:
                for word, payoff in found.payoffs.items():
                    gains = german(deal, turns, [*said_so_far, word], bids.worth)
                    assert gains[said.seat] == payoff, (words, said, word)
                    compared += 1
            said_so_far.append(said.call.word)
    assert compared > 20
