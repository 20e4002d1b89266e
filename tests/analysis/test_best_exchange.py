"""The best exchange, compared with solving the deal after every possible exchange."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.best_result import Best, Offer
from spadille.analysis.value.solve import solve
from spadille.base.card_text import SUITS, sort_cards
from spadille.base.errors import DealError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.validate import faults
from spadille.games import GAMES, rules_for
from spadille.games.model.game import Rules
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille_cli import main
from tests.search.test_payoff_objective import Hand
from tests.support import brute_force
from tests.support.deals_and_outcomes import random_deal
from tests.support.tiers import part


def small(game: str, size: int, talon: int, number: int) -> Deal:
    """Return a deal of few cards, most of them high, with rules to match."""
    random = Random(f"{game} {number}")
    whole = GAMES[game]
    contracts = {
        name: replace(kind, target=min(kind.target, 2), first_run=min(kind.first_run, 2))
        for name, kind in whole.contracts.items()
    }
    bidding = replace(whole.bidding, held=None)  # with so few cards hardly any bid would be allowed
    own = replace(whole, id=f"{size} {game}", hand_size=size, contracts=contracts, bidding=bidding)
    # Surrenders do not count here, since the play decides which exchange is best.
    rules = Rules(own, {"surrender": "not-counted"} if "surrender" in own.options else {})
    cards = list(rules.deck)
    random.shuffle(cards)
    cards.sort(key=lambda card: card[1] in "3456" or card[0] == "D")
    dealt = cards[: size * len(rules.seats) + talon]
    random.shuffle(dealt)
    hands = {
        seat: sort_cards(dealt[start * size : (start + 1) * size])
        for start, seat in enumerate(rules.seats)
    }
    left = tuple(dealt[size * len(rules.seats) :])
    return Deal(rules, random.choice(rules.seats), hands, left, talon_ordered=True, pool=number)


def exchanges(deal: Deal, seat: str) -> Iterator[Deal]:
    """Yield the deal after every exchange of one player, card by card."""
    hand = deal.hands[seat] or ()
    if deal.rules.game.id.endswith("squint"):
        yield replace(deal, from_hand=(seat,))
        for away in combinations((*hand, *deal.talon), 2):
            yield replace(deal, drawn={seat: deal.talon}, discard={seat: away})
    else:
        for count in range(len(hand)):
            for away in combinations(hand, count):
                yield replace(deal, discard={**({seat: away} if away else {}), **deal.discard})


# Squint: the ranks that bid a contract (RULES 9); a trump contract is played in the suit of its
# bid.
BIDS = {"ace-solo": "A", "misere": "2", "grand-solo": "KQJ"}


def biddable(deal: Deal, seat: str, name: str) -> list[str]:
    """Return the trumps in which the hand as dealt may play the contract."""
    trumps = list(deal.rules.allowed_trumps(deal.rules.contract(name), deal))
    if deal.rules.game.id != "squint" or deal.is_ending:
        return trumps
    suits = {card[0] for card in deal.hands[seat] or () if card[1] in BIDS[name]}
    return [trump for trump in trumps if trump in suits or (trump == "NT" and suits)]


def check(deal: Deal, offer: Offer, variants: list[Deal], solver: Solver) -> None:
    payoffs = []
    for trump in biddable(deal, offer.declarer, offer.contract):
        contract = Contract((offer.declarer,), (offer.contract,), trump)
        for variant in variants:
            secured = solve(variant, contract, objective="score", solver=solver).secured
            assert secured is not None
            payoffs.append(secured.payoff)
    assert offer.payoff == max(payoff for payoff in payoffs if payoff is not None)
    # The recommended exchange has the payoff of the offer.
    told = {} if not offer.drawn else {offer.declarer: offer.drawn}
    away = {} if not offer.discard else {offer.declarer: offer.discard}
    chosen = replace(
        deal,
        drawn=told,
        discard={**away, **deal.discard},
        from_hand=(offer.declarer,) if offer.from_hand else (),
    )
    contract = Contract((offer.declarer,), (offer.contract,), offer.trump)
    secured = solve(chosen, contract, objective="score", solver=solver).secured
    assert secured is not None
    assert secured.payoff == offer.payoff


@pytest.mark.parametrize("number", part(range(3), 1))
@pytest.mark.parametrize(("game", "size", "talon"), [("squint", 3, 2), ("ombre", 4, 6)])
def test_every_exchange(game: str, size: int, talon: int, number: int) -> None:
    deal = small(game, size, talon, number)
    solver = Solver()
    names = [
        name for name, kind in deal.rules.contracts.items() if kind.side in ("alone", "individual")
    ]
    for seat, offers in best(deal, names, solver=solver).seats.items():
        variants = list(exchanges(deal, seat))
        for offer in offers:
            only = variants if offer.contract != "solo" or game == "squint" else [deal]
            check(deal, offer, only, solver)


def test_opponents_exchange_as_recorded() -> None:
    deal = small("ombre", 4, 8, 5)
    for seat in deal.rules.seats:
        other = deal.rules.next_seat(seat)
        hand = deal.hands[other] or ()
        known = replace(deal, discard={other: hand[:2]})
        [offer] = best(known, ["entrada"]).seats[seat]
        check(known, offer, list(exchanges(known, seat)), Solver())


def test_opponents_draw_what_lies_on_top_then() -> None:
    """Opponents draw from the top of the talon that the declarer's exchange leaves.

    Their recorded draws followed a different exchange by the declarer.
    """
    deal = small("ombre", 4, 8, 5)
    for seat in deal.rules.seats:
        other = deal.rules.next_seat(seat)
        hand = deal.hands[other] or ()
        known = replace(deal, discard={other: hand[:2]})
        full = replace(known, drawn={other: deal.talon[:2]})
        assert best(full, ["entrada"]).seats[seat] == best(known, ["entrada"]).seats[seat]


def pay(found: Best) -> list[tuple[str, str, int | None]]:
    """Return the payoff of every contract, regardless of which of several equal trumps it has."""
    return [
        (seat, offer.contract, offer.payoff)
        for seat, offers in found.seats.items()
        for offer in sorted(offers, key=lambda offer: offer.contract)
    ]


def test_opponents_may_exchange_nothing() -> None:
    deal = small("ombre", 4, 8, 5)
    known = replace(deal, discard={seat: (hand or ())[:2] for seat, hand in deal.hands.items()})
    for free in (True, False):
        plain = best(deal, exchange=free)
        assert plain.opponents_exchange == "none"
        found = best(known, exchange=free, opponents_exchange="none")
        assert found.opponents_exchange == "none"
        recorded = best(known, exchange=free)
        assert recorded.opponents_exchange == "recorded"
        if free:
            assert pay(found) == pay(plain)
        assert pay(found) != pay(recorded)
    for seat in deal.rules.seats:
        hand = deal.hands[seat] or ()
        alone = replace(deal, discard={seat: hand[:2]})
        [offer] = best(known, ["entrada"], exchange=False, opponents_exchange="none").seats[seat]
        check(alone, offer, [alone], Solver())
    assert best(small("squint", 3, 2, 1), ["solo"]).opponents_exchange is None


@pytest.mark.parametrize(
    ("discard", "words", "header"),
    [
        ("1:SQ S7", (), "(guaranteed if the opponents exchange as recorded)"),
        (
            "1:SQ S7",
            ("--opponents-exchange", "none"),
            "(guaranteed if the opponents exchange nothing)",
        ),
        ("", (), "(guaranteed if the opponents exchange nothing)"),
    ],
)
def test_the_header_says_what_is_sure(
    tmp_path: Path, discard: str, words: tuple[str, ...], header: str
) -> None:
    file = tmp_path / "a.pbn"
    file.write_text(
        '[Game "ombre"]\n[Dealer "3"]\n'
        '[Deal "3:AK.Q.J74.KJ7 Q73.J3.AK.A4 J4.5.653.Q62"]\n'
        f'[Talon "C5 S6 H4 H2 S2 C3 HA H7 HK S5 D2 DQ H6"]\n[Discard "{discard}"]\n'
    )
    result = CliRunner().invoke(
        main, ["best", "--no-exchange", "--contract", "solo", *words, str(file)]
    )
    assert result.exit_code == 0
    assert header in result.stdout.replace("\n", " ")


def test_in_a_solo_ombre_has_no_exchange() -> None:
    deal = small("ombre", 4, 8, 5)
    cards = {seat: (hand or ())[:2] for seat, hand in deal.hands.items()}
    for seat, [offer] in best(replace(deal, discard=cards), ["solo"]).seats.items():
        others = {other: away for other, away in cards.items() if other != seat}
        known = replace(deal, discard=others)
        assert not offer.discard
        check(known, offer, [known], Solver())


def test_without_exchange_the_hands_are_played_as_recorded() -> None:
    deal = small("ombre", 4, 6, 1)
    found = best(deal, ["entrada", "vuelta"], exchange=False)
    for seat, offers in found.seats.items():
        for offer in offers:
            assert not offer.discard
            check(deal, offer, [deal], Solver())
        [free] = best(deal, ["entrada"]).seats[seat]
        [bound] = [offer for offer in offers if offer.contract == "entrada"]
        assert (free.payoff or 0) >= (bound.payoff or 0)
    unordered = replace(deal, talon_ordered=False)
    assert best(unordered, ["entrada"]).seats == best(deal, ["entrada"], exchange=False).seats


@pytest.mark.parametrize(
    ("game", "names"), part([("ombre", None), ("squint", ["duo", "grand-solo"])], 0, 2)
)
def test_whole_deals_are_exchanged_by_the_rules(game: str, names: list[str] | None) -> None:
    random = Random(5)
    deal = random_deal(rules_for(game), random)
    exchanged = 0
    for seat, offers in best(deal, names).seats.items():
        for offer in offers:
            drawn = {seat: offer.drawn, offer.partner or "": offer.partner_drawn}
            discard = {seat: offer.discard, offer.partner or "": offer.partner_discard}
            chosen = replace(
                deal,
                drawn={who: cards for who, cards in drawn.items() if cards},
                discard={who: cards for who, cards in discard.items() if cards},
                from_hand=(seat, offer.partner or seat) if offer.from_hand else (),
            )
            exchanged += bool(chosen.drawn or chosen.discard)
            contract = Contract.make(
                chosen, offer.contract, seat, offer.trump, partner=offer.partner
            )
            assert faults(chosen, contract) == []
            assert pays(chosen, contract, Solver()) == offer.payoff
    assert exchanged


def pair_exchanges(deal: Deal, one: str, two: str) -> Iterator[Deal]:
    """Yield the deal after every exchange of two partners, who each take one card or none."""
    yield replace(deal, from_hand=(one, two))
    top, other = deal.talon
    for first, second in product((None, top, other), repeat=2):
        if first != second:
            taken = [(one, first), (two, second)]
            drawn = {seat: (card,) for seat, card in taken if card}
            put = [(*(deal.hands[seat] or ()), *drawn[seat]) for seat in drawn]
            for away in product(*put):
                discard = {seat: (card,) for seat, card in zip(drawn, away, strict=True)}
                yield replace(deal, drawn=drawn, discard=discard)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "name"),
    [
        ("ombre", "entrada"),
        ("squint", "grand-solo"),
        ("squint", "ace-solo"),
        ("squint", "misere"),
    ],
)
def test_every_exchange_of_whole_deals(game: str, name: str) -> None:
    random = Random(f"whole {name}")
    for _ in range(3):
        deal = random_deal(rules_for(game), random)
        seat = random.choice([one for one in deal.rules.seats if biddable(deal, one, name)])
        [offer] = best(deal, [name]).seats[seat]
        check(deal, offer, list(exchanges(deal, seat)), Solver())


@pytest.mark.slow
def test_every_exchange_of_a_whole_pair() -> None:
    deal, solver = random_deal(rules_for("squint"), Random(1)), Solver()
    seat = deal.dealer
    [offer] = best(deal, ["duo"]).seats[seat]
    assert offer.payoff == max(
        pays(variant, Contract((seat,), ("duo",), trump, partner=partner), solver)
        for partner in deal.rules.seats
        if partner != seat
        for variant in pair_exchanges(deal, seat, partner)
        for trump in SUITS
    )


@pytest.mark.parametrize("number", [pytest.param(n, marks=pytest.mark.ci) for n in range(2)])
def test_every_exchange_of_a_pair(number: int) -> None:
    deal = small("squint", 3, 2, number)
    solver = Solver()
    for seat, [offer] in best(deal, ["duo"], solver=solver).seats.items():
        payoffs = {}
        for partner in deal.rules.seats:
            if partner != seat:
                for trump in SUITS:
                    contract = Contract((seat,), ("duo",), trump, partner=partner)
                    payoffs[contract] = max(
                        pays(variant, contract, solver)
                        for variant in pair_exchanges(deal, seat, partner)
                    )
        assert offer.payoff == max(payoffs.values())
        # The recommended exchange has the payoff of the offer.
        assert offer.partner is not None
        told = {seat: offer.drawn, offer.partner: offer.partner_drawn}
        away = {seat: offer.discard, offer.partner: offer.partner_discard}
        chosen = replace(
            deal,
            drawn={who: cards for who, cards in told.items() if cards},
            discard={who: cards for who, cards in away.items() if cards},
            from_hand=(seat, offer.partner) if offer.from_hand else (),
        )
        contract = Contract((seat,), ("duo",), offer.trump, partner=offer.partner)
        assert pays(chosen, contract, solver) == offer.payoff == payoffs[contract]


def pays(deal: Deal, contract: Contract, solver: Solver) -> int:
    """Return what the declarer is sure of, by `solve`."""
    secured = solve(deal, contract, objective="score", solver=solver).secured
    assert secured is not None
    assert secured.score is not None
    return secured.score[contract.declarer]


@pytest.mark.ci
def test_an_exchange_recorded_for_another_contract_is_set_aside() -> None:
    deal = small("squint", 3, 2, 3)
    hand = deal.hands["1"] or ()
    recorded = replace(deal, drawn={"1": deal.talon}, discard={"1": hand[:2]})
    found, plain = best(recorded, ["solo", "duo"]).seats, best(deal, ["solo", "duo"]).seats
    assert {seat: [each.payoff for each in offers] for seat, offers in found.items()} == {
        seat: [each.payoff for each in offers] for seat, offers in plain.items()
    }


def by_hand(deal: Deal, contract: Contract) -> Iterator[tuple[Deal, tuple[int, ...]]]:
    """Yield the hands as engine bits after each exchange of a lone declarer, computed here."""
    at = situation(deal, contract)
    bits, own = at.encoding.bits, at.encoding.player[contract.declarer]
    hands, talon = at.problem.hands, [bits[card] for card in deal.talon]
    held = [bit for bit in bits.values() if hands[own] & bit]
    if deal.rules.game.id.endswith("squint"):
        yield replace(deal, from_hand=(contract.declarer,)), hands
        ways = [(sum(talon), sum(away)) for away in combinations([*held, *talon], 2)]
    else:
        ways = [
            (sum(talon[:count]), sum(away))
            for count in range(len(held))
            for away in combinations(held, count)
        ]
    for drawn, away in ways:
        yield deal, (*hands[:own], (hands[own] | drawn) & ~away, *hands[own + 1 :])


@pytest.mark.parametrize(
    ("game", "contract_id", "size", "talon"),
    [
        ("ombre", "entrada", 3, 5),
        ("ombre", "vuelta", 4, 6),
        pytest.param("squint", "grand-solo", 3, 2, marks=pytest.mark.ci),
        pytest.param("squint", "solo", 3, 2, marks=pytest.mark.ci),
        pytest.param("squint", "misere", 3, 2, marks=pytest.mark.ci),
    ],
)
@pytest.mark.parametrize("number", [4, pytest.param(5, marks=pytest.mark.ci)])
def test_exchanges_against_brute_force(
    game: str, contract_id: str, size: int, talon: int, number: int
) -> None:
    """Search the tree here; only payoffs and the rule for following suit come from the library."""
    deal = small(game, size, talon, number)
    for seat, [offer] in best(deal, [contract_id]).seats.items():
        payoffs = []
        trumps = ["NT"] if contract_id == "misere" else [*SUITS]
        if contract_id == "vuelta":
            trumps = [deal.talon[0][0]]
            assert offer.trump == trumps[0]
        for trump in trumps:
            contract = Contract((seat,), (contract_id,), trump)
            at = situation(deal, contract)
            for played, hands in by_hand(deal, contract):
                judge = brute_force.Judge(at.problem._replace(hands=hands))
                hand = Hand(played, contract, at)
                payoffs.append(judge.value(hand.side, hand.payoff(size)))
        assert offer.payoff == max(payoffs)


def test_the_best_exchange_is_not_asked_for_where_hands_are_unknown() -> None:
    deal = Deal.parse("4:AKJT7.AK5.4.7 - - - -", "squint", dealer="5")
    with pytest.raises(DealError, match="hand is unknown") as caught:
        best(deal)
    assert caught.value.code == "hand-unknown"
    with pytest.raises(DealError, match="best --chances") as caught:
        best(replace(deal, drawn={"4": ("D5", "D3")}))
    assert caught.value.code == "exchange-open"
