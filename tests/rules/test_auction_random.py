"""Random legal auctions, made by a bidder for each game, and their results.

The bidders (tests/support/auction_referee.py) state the rules independently of the package; their
auctions must be accepted, with the result that the bidder reports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spadille.base.card_text import format_hand
from spadille.core.auction import auction_faults, judge_auction, result
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.validate import bid_findings
from spadille.games import GAMES, rules_for
from spadille.games.model.contract_types_and_options import ContractType
from spadille.pbn.hand_file import read
from tests.support.auction_referee import (
    BIDDERS,
    GERMAN,
    MENSCH,
    SOLO,
    Turns,
    above,
    duel,
    expected,
    order_of,
    record,
    rounds,
    rules_of,
)
from tests.support.deals_and_outcomes import random_deal
from tests.support.tiers import tries


@pytest.mark.parametrize("game", BIDDERS)
def test_auctions_that_keep_the_rules(game: str) -> None:
    rng = Random(game)
    enough = tries(200, 400)
    absent = {*rules_of(game).contracts}
    for number in range(10 * enough):
        if number >= enough and not absent:
            break
        deal = random_deal(rules_of(game), rng)
        calls, settled = BIDDERS[game](deal, rng)
        found, outcome = judge_auction(deal, calls)
        assert found == [], (deal.dealer, calls)
        assert outcome is not None
        declarer, contract = expected(deal, settled)
        absent.discard(contract)
        if declarer is None:
            assert outcome.passed_out
            continue
        assert (outcome.declarers, outcome.ids) == ((declarer,), (contract,)), calls
        if contract == "prop-cop":
            assert outcome.partner not in (None, declarer)
        assert bid_findings(deal, Contract((declarer,), (contract,), "C")) == [], calls
    assert not absent, (
        f"no random auction leads to {sorted(absent)}: add the bids of new contracts to those of "
        f"{game!r} in tests/support/auction_referee.py"
    )


@pytest.mark.parametrize("game", ["german-solo", "mensch"])
def test_contracts_a_hand_excludes(game: str) -> None:
    """There is a warning about a contract if and only if the rule made a player bid more."""
    rng, rules = Random(game), rules_for(game)
    for _ in range(tries(100, 300)):
        deal = random_deal(rules, rng)
        declarer, kind = rng.choice(rules.seats), rng.choice(list(rules.contracts))
        expected = set()
        for seat in rules.seats:
            hand = deal.hands[seat] or ()
            clubs = sum(card[0] == "C" and card != "CQ" for card in hand)
            both_queens = game == "german-solo" and {"CQ", "SQ"} <= set(hand)
            if both_queens and "solo" in above(GERMAN, kind):
                expected.add(f"{seat} must bid at least 'solo'")
            if kind == "pass-out" and clubs >= 3:
                expected.add(f"{seat} must bid at least 'half'")
            if kind == "half" and clubs >= 3 and seat != declarer:
                expected.add(f"{seat} must bid at least 'after'")
        found = bid_findings(deal, Contract((declarer,), (kind,), "C"))
        assert {one.fault.message.partition(": ")[2] for one in found} == expected, (
            f"if {kind!r} is a new contract, add its bids to those of {game!r} in "
            "tests/support/auction_referee.py, or expect here the warnings for its bids"
        )
        assert {one.fault.severity for one in found} <= {"warning"}


@pytest.mark.parametrize(("order", "turns"), [("duel", duel), ("round", rounds)])
def test_the_first_call_that_breaks_the_rules_is_found(
    order: str, turns: Callable[[Deal], Turns]
) -> None:
    rng = Random(order)
    rules = rules_for("german-solo", f"bidding_order={order}")
    for _ in range(tries(200, 600)):
        deal = random_deal(rules, rng)
        calls, _, legal = record(deal, turns(deal), rng)
        number = rng.choice([at for at, may in enumerate(legal) if may])
        for word in (*GERMAN, "hold", "Pass", "-"):
            if word not in legal[number]:
                found = auction_faults(deal, [*calls[:number], word, "*"])
                assert {each.nth for each in found} == {number}, (deal.dealer, calls, number, word)


@pytest.mark.first_cases(2)
@pytest.mark.parametrize("game", BIDDERS)
def test_the_contract_follows_from_the_auction(game: str) -> None:
    rng = Random(game)
    for _ in range(tries(60, 150)):
        deal = random_deal(rules_of(game), rng)
        calls, settled = BIDDERS[game](deal, rng)
        declarer, contract = expected(deal, settled)
        text = tags(deal, calls)
        if declarer is None:
            (entry,) = read(text)
            assert (entry.faults, entry.contract) == ([], None)
            (entry,) = read(text + f'[Contract "{next(iter(deal.rules.contracts))}"]\n')
            assert "contract-contradicts-auction" in [fault.code for fault in entry.faults]
            continue
        kind = deal.rules.contract(contract)
        outcome = result(deal, calls)
        assert outcome is not None
        trump = outcome.trump or rng.choice(deal.rules.allowed_trumps(kind, deal))
        more = f'[Trump "{trump}"]\n'
        if (called := callable_card(deal, kind, declarer, trump)) is not None:
            more += f'[Called "{called}"]\n'
        want = Contract.make(deal, contract, declarer, trump, called, outcome.partner)
        (entry,) = read(text + more)
        assert entry.faults == [], text + more
        assert entry.contract == want
        (entry,) = read(text + more + f'[Contract "{contract}"]\n[Declarer "{declarer}"]\n')
        assert entry.faults == []
        assert entry.contract == want
        other = deal.rules.next_seat(deal.rules.next_seat(declarer))
        if other != outcome.partner:
            (entry,) = read(text + more + f'[Contract "{contract}"]\n[Declarer "{other}"]\n')
            faults = [fault for fault in entry.faults if fault.code.endswith("auction")]
            assert [fault.tag for fault in faults] == ["Declarer"]


def callable_card(deal: Deal, kind: ContractType, declarer: str, trump: str) -> str | None:
    if kind.side != "called":
        return None
    cards = deal.rules.callable_cards(trump, deal.hands[declarer] or (), kind)
    return cards[0] if cards else None


def tags(deal: Deal, calls: list[str]) -> str:
    """Write a hand file without a contract."""
    seats = deal.rules.seats
    hands = " ".join(format_hand(deal.hands[seat] or ()) for seat in seats)
    rows: Iterator[str] = iter(calls)
    lines = [" ".join(row) for row in iter(lambda: take(rows, len(seats)), [])]
    return "\n".join(
        [
            f'[Game "{deal.rules.game.id}"]',
            f'[Rules "{deal.rules.text}"]',
            f'[Deal "{seats[0]}:{hands}"]',
            f'[Dealer "{deal.dealer}"]',
            f'[Talon "{" ".join(deal.talon)}"]',
            f'[CurrentTrump "{deal.current_trump or ""}"]',
            f'[Auction "{order_of(deal)[0]}"]',
            *lines,
            "",
        ]
    )


def take(items: Iterator[str], number: int) -> list[str]:
    return [item for _, item in zip(range(number), items, strict=False)]


def test_bid_cards_of_random_hands() -> None:
    rng = Random("squint")
    seen = set()
    for _ in range(400):
        deal = random_deal(rules_for("squint"), rng)
        numerals = rng.random() < 0.8
        calls = []
        for seat in order_of(deal):
            hand = [
                card for card in deal.hands[seat] or () if not numerals or card[1] in "T9876543"
            ]
            suited = [card for card in hand if card[0] == "S"] if rng.random() < 0.5 else []
            calls.append(rng.choice(suited or hand or list(deal.hands[seat] or ())))
        found, outcome = judge_auction(deal, calls)
        assert found == []
        assert outcome is not None
        (entry,) = read(tags(deal, calls))
        assert entry.faults == []
        if not outcome.ids:
            assert entry.contract is None
            outcome = rng.choice(outcome.alternatives)
            penalty = f'[Penalty "{outcome.penalty}"]\n' if outcome.penalty else ""
            (entry,) = read(tags(deal, calls) + penalty + f'[Contract "{outcome.ids[0]}"]\n')
            assert entry.faults == []
        assert entry.contract == Contract.make(
            deal, outcome.ids, outcome.declarers, outcome.trump, None, outcome.partner,
            outcome.penalty,
        )  # fmt: skip
        seen.update(outcome.ids)
    assert seen == set(GAMES["squint"].contracts)


WORDS = [*dict.fromkeys([*MENSCH, *GERMAN, *SOLO, "entrada", "vuelta", "alliance", "vole"])]
CALLS = st.lists(
    st.sampled_from(
        [*WORDS, "solo-H", "five-C", "SA", "H9", "Pass", "hold", "-", "AP", "*", "+", "x"]
    ),
    max_size=14,
)


@given(st.sampled_from(sorted(GAMES)), CALLS, st.integers(0, 9))
def test_any_calls_can_be_judged(game: str, calls: list[str], seed: int) -> None:
    deal = random_deal(rules_for(game), Random(seed))
    for found in auction_faults(deal, calls):
        assert found.fault.text == calls[found.nth]
    (entry,) = read(tags(deal, calls))
    assert all(fault.line and fault.column and fault.rule for fault in entry.faults)
