"""Decisions before the first card, compared with `solve`, `best` and values worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

import spadille
from spadille.analysis.auction.auction_end_values import Worth
from spadille.analysis.auction.before_play import before_play
from spadille.analysis.contracts.contracts_to_solve import WantedContracts, alternatives
from spadille.base.errors import SpadilleError
from spadille.core.auction import auction_faults, result
from spadille.core.call_tree import AuctionEnd, Calls
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from tests.support.auction_referee import BIDDERS, order_of, rules_of
from tests.support.deals_and_outcomes import random_deal
from tests.support.tiers import part, tries

LIMITS = Limits(hard_nodes=2_000_000)


def secured(deal: Deal, contract: Contract) -> dict[str, int]:
    """Return what each seat is sure to get once play begins.

    It depends on more than the payoff of the side: in Forced Spadille a remise is shared, a codille
    is the caller's to pay, and the other opponents receive chips.
    """
    found = spadille.solve(deal, contract, objective="score").secured
    assert found is not None
    assert found.score is not None
    assert found.payoff is not None
    assert found.tricks is not None
    scores = [found.score]
    if found.payoff < 0 and deal.rules.game.id in ("quadrille", "quintille"):
        least, most = found.tricks
        other = next(seat for seat in deal.rules.seats if seat not in contract.side)
        for tricks in range(least, most + 1):
            won = dict.fromkeys(deal.rules.seats, 0)
            won |= {contract.declarer: tricks, other: deal.rules.game.hand_size - tricks}
            score = deal.rules.score(deal, contract, Outcome(won))
            if sum(score[seat] for seat in contract.side) == found.payoff:
                scores.append(score)
    return {seat: min(score[seat] for score in scores) for seat in deal.rules.seats}


def ways(deal: Deal, end: AuctionEnd) -> Iterator[Contract]:
    """Return every contract a declarer may choose after an auction, ignoring exchanges."""
    kind = deal.rules.contracts[end.contract]
    wanted = WantedContracts(frozenset([end.declarer]))
    for choice in alternatives(deal, kind, named=False, wanted=wanted):
        for contract in choice:
            if end.partner is not None and contract.side != {end.declarer, end.partner}:
                continue
            if end.trumps is None or contract.trump in end.trumps:
                if contract.declarer != end.declarer:
                    contract = replace(
                        contract, declarers=(end.declarer,), partner=contract.declarer
                    )
                yield contract


def ends_of(deal: Deal, rng: Random) -> list[AuctionEnd]:
    """Return some of the ways an auction may end."""
    found = []
    for bid in deal.rules.bidding.bids:
        seat = rng.choice(deal.rules.seats)
        partner = None
        if deal.rules.contracts[bid.contract].side == "partner":
            partner = deal.rules.next_seat(seat)
        trumps = None
        if any(one.in_color for one in deal.rules.bidding.bids):
            trumps = ("C",) if bid.in_color else ("S", "H", "D")
        found.append(AuctionEnd(seat, bid.contract, trumps, partner))
    if deal.rules.bidding.falls_to:
        card, contract = deal.rules.bidding.falls_to
        found.append(AuctionEnd(deal.holder(card) or "", contract))
    return found


@pytest.mark.parametrize(
    "game",
    [
        "mensch",
        *(
            pytest.param(game, marks=pytest.mark.ci)
            for game in ("german-solo", "anna-cubed", "quadrille", "quintille", "solo-whist")
        ),
    ],
)
def test_an_end_is_worth_what_its_best_contract_is(game: str) -> None:
    rng = Random(game)
    for _ in range(1 if rules_for(game).game.hand_size == 13 else tries(2, 4)):
        deal = random_deal(rules_for(game), rng)
        worth = Worth(deal, Search(Solver(), LIMITS))
        for end in ends_of(deal, rng):
            found = worth.settled(end)
            assert found.contract is not None
            paid = {contract: secured(deal, contract) for contract in ways(deal, end)}
            assert found.gains[end.declarer] == max(each[end.declarer] for each in paid.values())
            score = paid[found.contract]
            assert score[end.declarer] == found.gains[end.declarer]
            assert found.gains == {seat: score[seat] for seat in deal.rules.seats}
            assert found.most == found.gains


@pytest.mark.ci
def test_who_is_on_top_of_ombre_is_left_open() -> None:
    """If either opponent may win a codille, each gets only the gain it is sure of."""
    rng, open_ends = Random(5), 0
    for _ in range(tries(2, 3)):
        deal = random_deal(rules_for("ombre"), rng)
        worth = Worth(deal, Search(Solver(), LIMITS))
        for seat in deal.rules.seats:
            found = worth.settled(AuctionEnd(seat, "solo"))
            assert found.contract is not None
            paid = {
                contract: secured(deal, contract)
                for contract in ways(deal, AuctionEnd(seat, "solo"))
            }
            assert found.gains[seat] == max(each[seat] for each in paid.values())
            score = paid[found.contract]
            assert all(found.gains[other] <= score[other] for other in deal.rules.seats)
            open_ends += any(found.gains[other] < score[other] for other in deal.rules.seats)
    assert open_ends


CALLING = [("mensch", "half"), ("mensch", "pass-out"), ("german-solo", "frog"),
           ("quadrille", "alliance"), ("quadrille", "forced-spadille"),
           ("quintille", "alliance")]  # fmt: skip


@pytest.mark.ci
@pytest.mark.parametrize(("game", "kind"), part(CALLING, 1, 2))
def test_trump_and_called_card(game: str, kind: str) -> None:
    """Each choice is worth the best result it leaves open; the costs lead to the final payoff."""
    rng = Random(kind)
    costs = 0
    for _ in range(tries(4, 16)):
        deal = random_deal(rules_for(game), rng)
        rules = deal.rules
        which = rules.contracts[kind]
        seat = deal.holder(which.holder) if which.holder else rng.choice(rules.seats)
        assert seat is not None
        all_ways = list(ways(deal, AuctionEnd(seat, kind)))
        made = rng.choice([way for way in all_ways if way.called])
        paid = {way: secured(deal, way)[seat] for way in all_ways}
        found = before_play(deal, made).decisions
        later = [way for way in all_ways if way.called is not None]
        kinds = [one.kind for one in found]
        fixed = len({way.trump for way in later}) == 1
        order = ["called", "trump"] if which.called_first else ["trump", "called"]
        assert kinds == (["called"] if fixed else order)
        for one in found:
            expected: dict[str, int] = {}
            for way in later:
                choice = str(way.trump if one.kind == "trump" else way.called)
                expected[choice] = max(paid[way], expected.get(choice, -99))
            assert one.payoffs == expected
            assert one.decision == (made.trump if one.kind == "trump" else made.called)
            assert one.cost == max(expected.values()) - expected[one.decision]
            assert (one.better is None) == (one.cost == 0)
            costs += one.cost
            # The next choice is valued only among the contracts that this one leaves.
            later = [
                way for way in later
                if one.decision == (way.trump if one.kind == "trump" else way.called)
            ]  # fmt: skip
        assert paid[made] == max(paid[way] for way in all_ways if way.called) - sum(
            one.cost for one in found
        )
    assert costs


@pytest.mark.ci
@pytest.mark.parametrize(("game", "kind"), [("ombre", "entrada"), ("squint", "duo")])
def test_exchanges(game: str, kind: str) -> None:
    """The best exchange is that of `best`; the actual one is worth as much as the hand played."""
    rng, costs = Random(kind), 0
    for _ in range(tries(2, 4)):
        deal = random_deal(rules_for(game), rng)
        seat, trump = rng.choice(deal.rules.seats), rng.choice("SHDC")
        hand, number = deal.hands[seat] or (), 1 if kind == "duo" else 2
        away, drawn = tuple(rng.sample(hand, number)), deal.talon[:number]
        made = replace(deal, drawn={seat: drawn}, discard={seat: away})
        partner = deal.rules.next_seat(seat) if kind == "duo" else None
        contract = Contract.make(made, kind, seat, trump, partner=partner)
        *chosen, one = before_play(made, contract, limits=LIMITS).decisions
        paid = secured(made, contract)[seat]
        words = " ".join(away) if partner is None else f"{seat} {away[0]} for {drawn[0]}"
        assert (one.kind, one.seat, one.decision) == ("exchange", seat, words)
        assert one.payoffs[words] == paid
        costs += one.cost
        if partner is not None:
            assert chosen == []
            both = replace(deal, from_hand=(seat, partner))
            assert one.cost >= secured(both, contract)[seat] - paid
            continue
        (offer,) = spadille.best(made, kind, seats=[seat], trumps=[trump]).seats[seat]
        assert offer.payoff == paid + one.cost
        if one.cost:
            best = " ".join(offer.discard) or "nothing"
            assert (one.better, one.payoffs[best]) == (best, offer.payoff)
        (named,) = chosen
        assert named.payoffs[trump] == offer.payoff
        assert named.payoffs[trump] + named.cost == spadille.best(made, kind).seats[seat][0].payoff
    assert costs


def test_what_is_not_on_record_is_not_judged() -> None:
    deal = random_deal(rules_for("squint"), Random(1))
    assert before_play(deal, "1 grand-solo H").decisions == ()
    (found,) = before_play(replace(deal, from_hand=("1",)), "1 grand-solo H").decisions
    assert (found.kind, found.decision) == ("exchange", "from hand")
    assert before_play(deal, "1 2 ace-solo misere").decisions == ()


@pytest.mark.ci
def test_bid_cards() -> None:
    """Every bid card of every hand is valued given the cards that the others showed."""
    deal = random_deal(rules_for("squint"), Random(8))
    rng, seats = Random(4), order_of(deal)
    hands = [deal.hands[seat] or () for seat in seats]
    cards = [rng.choice([card for card in hand if card[1] in "T9876543"]) for hand in hands]
    found = before_play(deal, None, cards, limits=LIMITS)
    assert [one.seat for one in found.decisions] == list(seats)
    offers = spadille.best(deal).seats
    seen = set()
    for number, one in enumerate(found.decisions):
        assert (one.call, one.decision) == (number, cards[number])
        assert {*one.payoffs} == {*hands[number]}
        for card, payoff in one.payoffs.items():
            end = result(deal, [*cards[:number], card, *cards[number + 1 :]])
            assert end is not None
            for each in () if end.alternatives else [end]:
                seen.add(each.ids[0])
                if each.penalty:
                    nemo = f"nemo {each.penalty}"
                    assert payoff == spadille.solve(deal, nemo)[one.seat].guarantee
                    assert one.follows[card] == nemo
                elif one.seat not in (*each.declarers, each.partner):
                    assert payoff == 0
                elif each.trump is None:
                    same = [offer for offer in offers[one.seat] if offer.contract == each.ids[0]]
                    assert payoff == same[0].payoff
    assert len(seen) > 2


@pytest.mark.ci
def test_each_of_several_contractors_has_what_he_is_sure_of() -> None:
    deal = random_deal(rules_for("squint"), Random(11))
    seats = order_of(deal)
    hands = [deal.hands[seat] or () for seat in seats]
    cards = [next((card for card in hand if card[1] in "A2"), hand[-1]) for hand in hands]
    end = result(deal, cards)
    assert end is not None
    assert len(end.declarers) > 1
    sure = spadille.solve(deal, Contract.make(deal, end.ids, end.declarers))
    for one in before_play(deal, None, cards).decisions:
        expected = sure[one.seat].guarantee if one.seat in end.declarers else 0
        assert one.payoffs[one.decision] == expected


@pytest.mark.first_cases(1)
@pytest.mark.parametrize(
    "game", [pytest.param(one, marks=pytest.mark.ci) if one == "ombre" else one for one in BIDDERS]
)
def test_costs_add_up_from_the_auction_to_the_first_lead(game: str) -> None:
    """With any options, best payoff of the contract - costs = its payoff as played."""
    rng, added = Random(game), 0
    while added < tries(1, 4):
        chosen = {
            name: rng.choice(one.values)
            for name, one in rules_of(game).game.options.items()
            if one.values and rng.random() < 0.3 and name != "bidding_order"
        }
        deal = random_deal(rules_for(game.split()[0], {**rules_of(game).options, **chosen}), rng)
        words, _ = BIDDERS[game](deal, rng)
        calls = Calls(deal)
        standing = calls.start()
        for said in calls.said(words):
            standing = calls.after(standing, said.call)
        end = calls.settled(standing)
        kinds = deal.rules.contracts
        if end is None or kinds[end.contract].trump_late or auction_faults(deal, words):
            continue
        contract = rng.choice(list(ways(deal, end)))
        hand = deal.hands[end.declarer] or ()
        if kinds[end.contract].exchange.who == "all":
            deal = replace(deal, discard={end.declarer: tuple(rng.sample(hand, rng.randint(1, 5)))})
        found = before_play(deal, contract, words, limits=LIMITS).decisions
        worth = Worth(deal, Search(Solver(), LIMITS), contract)
        best, made = worth.settled(end), worth.as_played(contract)
        costs = sum(one.cost for one in found if one.kind != "call")
        assert best.gains[end.declarer] - costs == made.gains[end.declarer]
        added += 1


# Each player holds all cards of a suit: N spades, E hearts, S diamonds, W clubs, the turn-up suit.
# Without trumps the leader takes all thirteen tricks, so every player makes Abundance Declared, in
# which the declarer leads. N leads in all other contracts. With clubs as trumps W takes thirteen
# tricks; E, S and N also take thirteen in their own suits.
SUITS = "AKQJT98765432"
FULL = f"N:{SUITS}... .{SUITS}.. ..{SUITS}. ...{SUITS}"


def test_full_suits() -> None:
    """Bidding Abundance costs 6: the next player bids Abundance Declared, which takes 6 from each.

    If N passes, E bids Abundance Declared (-6 for N, whose own bid brings +18). After E's
    Abundance, S would overcall; after S passes, W would. W passes and pays 3 for the Abundance
    instead of winning 18.
    """
    deal = Deal.parse(FULL, "solo-whist", dealer="W", current_trump="C")
    found = before_play(deal, "E abundance H", ["Pass", "abundance", "Pass", "Pass"])
    calls = [one for one in found.decisions if one.kind == "call"]
    assert [(one.seat, one.decision, one.cost) for one in calls] == [
        ("N", "Pass", 24), ("E", "abundance", 24), ("S", "Pass", 24), ("W", "Pass", 21)
    ]  # fmt: skip
    assert [one.payoffs[one.decision] for one in calls] == [-6, -6, -6, -3]
    assert {one.better for one in calls} == {"abundance-declared"}
    assert calls[0].follows == {
        **dict.fromkeys(calls[0].payoffs, "E abundance-declared"),
        "prop": "E abundance-declared",
        "abundance-declared": "N abundance-declared",
    }
    # North leads, so the others take nothing without trumps.
    words = deal.rules.bidding.words
    assert found.bids["W"] == tuple(word for word in words if word != "abundance")
    assert found.bids["N"] == ("prop", "cop", "abundance", "abundance-declared")
    # With any suit but hearts as trumps, East takes nothing.
    (trump,) = (one for one in found.decisions if one.kind == "trump")
    assert trump.payoffs == {"S": -9, "H": 9, "D": -9}


def test_a_suit_named_with_the_bid() -> None:
    """North has all ten hearts and, with them as trumps, loses at most to SA and CA: +4 (the pool).

    With any other trump the hearts are ruffed and North pays the pool, -4. The others could only
    bid a Vole, which fails. North's Solo names the suit, so no choice of trumps follows.
    """
    hands = "N:.AKQJ765432.. KQJ76..K2.KQJ A5432..A3.765 ..QJ7654.A432"
    deal = Deal.parse(hands, "quadrille", dealer="E")
    found = before_play(deal, "N solo S", ["solo-S", "Pass", "Pass", "Pass"])
    first, *others = found.decisions
    assert (first.decision, first.better, first.cost) == ("solo-S", "solo-H", 8)
    assert (first.payoffs["solo-S"], first.payoffs["solo-H"]) == (-4, 4)
    assert {one.kind for one in others} == {"call"}
    assert sum(one.cost for one in others) == 0


@pytest.mark.ci
def test_a_soloist_raises_by_what_he_plays() -> None:
    """A soloist's raise is valued even if no call records it and only the contract shows it."""
    file = spadille.load("examples/german-solo.pbn")
    entry = file[4]
    assert entry.deal is not None
    assert entry.contract is not None
    words = ["Pass", "Pass", "Pass", "solo"]
    found = before_play(entry.deal, entry.contract, words).decisions
    assert (found[4].seat, found[4].call, found[4].decision) == ("E", None, "tout-color")
    assert before_play(entry.deal, None, words).decisions == found[:4]
    written = before_play(entry.deal, entry.contract, [*words, "-", "-", "-", "tout-color"])
    assert replace(written.decisions[4], call=None) == found[4]


def test_a_broken_auction_is_judged_up_to_its_fault() -> None:
    deal = Deal.parse(FULL, "solo-whist", dealer="W", current_trump="C")
    whole = before_play(deal, None, ["Pass", "solo", "Pass", "Pass"]).decisions
    assert before_play(deal, None, ["Pass", "solo", "prop", "Pass"]).decisions == whole[:2]
    assert before_play(deal, None, ["Pass", "solo", "*"]).decisions == whole[:2]
    assert before_play(deal, None, ["1C", "Pass"]).decisions == ()
    assert before_play(deal, None, ["Pass", "solo", "AP"]).decisions == tuple(
        replace(one, call=2) if one.seat in "SW" else one for one in whole
    )


def test_a_trump_that_goes_with_the_deal_is_no_choice() -> None:
    """This also holds if the deal does not name the suit, as in a bridge file."""
    deal = Deal.parse(FULL, "solo-whist", dealer="W")
    assert before_play(deal, deal.contract("solo", "W", trump="C")).decisions == ()


def test_nothing_is_judged_in_an_end_position() -> None:
    deal = Deal.parse("N:AK... ..AK. ...AK .AK..", "german-solo", leader="N")
    assert before_play(deal, "N solo H", ["solo"]).decisions == ()


@pytest.mark.ci
def test_a_limit_leaves_costs_open() -> None:
    """A Misère that is too hard for a small node limit."""
    rng = Random(2)
    exact = []
    for _ in range(4):
        deal = random_deal(rules_for("solo-whist"), rng)
        seat = deal.rules.eldest(deal.dealer)
        (found, *_) = before_play(
            deal, None, ["misere", "*"], limits=Limits(hard_nodes=1)
        ).decisions
        assert found.seat == seat
        exact.append(found.exact)
    assert False in exact


def test_arguments() -> None:
    deal = Deal.parse(FULL, "solo-whist", dealer="W", current_trump="C")
    with pytest.raises(spadille.SpadilleError, match="limit"):
        before_play(deal, limits=5)  # type: ignore[arg-type]
    with pytest.raises(spadille.SpadilleError, match="a deal must be a Deal"):
        before_play("deal")  # type: ignore[arg-type]
    assert before_play(deal).decisions == ()
    assert str(before_play(deal)) == "nothing to decide"
    shown = before_play(deal, None, ["Pass", "*"])
    assert str(shown) == "N Pass: -6, better abundance-declared: +18"
    assert "abundance-declared: +18" in shown._repr_html_()


@pytest.mark.parametrize(("game", "calls"), [("squint", "HK H3 C4 CK H8"), ("mensch", "half AP")])
def test_calls_on_unknown_hands_are_not_judged(game: str, calls: str) -> None:
    deal = Deal.random(game, 1)
    blind = replace(deal, hands={**deal.hands, deal.rules.seats[0]: None})
    with pytest.raises(SpadilleError) as caught:
        before_play(blind, None, calls.split())
    assert caught.value.code == "hand-unknown"
