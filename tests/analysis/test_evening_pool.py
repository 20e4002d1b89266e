"""The pool from deal to deal: the meaning of its tags, and ten deals computed in another way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random

import pytest

from spadille.analysis.evening.evening_settlement import _ABOUT, settle
from spadille.base.errors import ContractError
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.pbn.hand_file import read
from tests.support.evenings import anything, codes, evening, hand, of_seed, played, pools, winners

POOLED = ("ombre", "quadrille", "quintille")


def test_a_pool_tag_counts() -> None:
    puesta = of_seed("ombre", 2, "2 entrada H")
    same = of_seed("ombre", 2, "2 entrada H", Pool="15")
    other = of_seed("ombre", 2, "2 entrada H", Pool="20")
    found = evening(puesta, same, other)
    assert pools(found) == [(5, 10), (15, 30), (20, 40)]
    turn = "dealer-out-of-turn"  # Player 1 dealt them all
    assert [codes(each) for each in found] == [[], [turn], ["pool-differs", turn]]
    assert "the Pool tag says 20 chips, but the previous deals and the antes give 35" in (
        found[2].warnings[0].message
    )
    (first,) = evening(other)
    assert (codes(first), first.pool and first.pool.carried) == ([], None)


def test_behind_a_deal_that_is_not_settled_the_pool_is_taken_for_what_it_was() -> None:
    puesta = of_seed("ombre", 2, "2 entrada H")
    silent = hand(Deal.random("ombre", 2), "2 entrada H")
    found = evening(puesta, silent, puesta, of_seed("ombre", 2, "2 entrada H", Pool="9"), puesta)
    assert pools(found) == [(5, 10), (15, None), (20, 40), (9, 18), (23, 46)]
    assert [codes(each)[:-1] for each in found] == [
        [],
        [],
        ["pool-unsettled"],
        ["pool-differs"],
        [],
    ]


def test_a_problem_is_no_deal_of_the_evening() -> None:
    puesta = of_seed("ombre", 2, "2 entrada H")
    posed = hand(Deal.random("ombre", 2), "2 entrada H", Question="Which card?")
    found = evening(puesta, posed, posed, puesta)
    assert pools(found) == [(5, 10), (5, None), (5, None), (15, 30)]
    assert [codes(each) for each in found] == [[], [], [], ["dealer-out-of-turn"]]


def test_all_warnings_say_where_their_rule_is() -> None:
    for code, (_, rule) in _ABOUT.items():
        assert rule.startswith(("RULES 1", "RULES 5", "hand files: ")), code


def _rounds(game: str, random: Random) -> Iterator[tuple[str, Mapping[str, int] | None, str]]:
    """Ten deals: text, tricks by seat and the winner of the first run; no tricks if passed out."""
    rules = rules_for(game)
    number = 0
    while number < 10:
        deal = Deal.random(game, random.randrange(1 << 30))
        tags = {"Pool": str(random.randrange(60))} if random.random() < 0.1 else {}
        if random.random() < 0.15:
            number += 1
            yield hand(deal, Contract="Pass", **tags), None, ""
            continue
        kind = random.choice(["solo", "entrada"] if game == "ombre" else ["solo", "alliance"])
        called = " " + random.choice(["SK", "DQ"]) if kind == "alliance" else ""
        terms = f"{random.choice(rules.seats)} {kind} H{called}"
        try:
            cards = played(deal, terms, anything(random.randrange(1000)))
        except ContractError:
            continue
        number += 1
        text = hand(deal, terms, cards, **tags)
        won = winners(text)
        yield text, {seat: won.count(seat) for seat in rules.seats}, won


def _ombre(declarer: str, value: int, pool: int, won: str) -> tuple[dict[str, int], int]:
    """Compute RULES 5 again, slowly: each player's gain, and the pool afterwards."""
    gains = dict.fromkeys("123", 0)
    own = won.count(declarer)
    others = [seat for seat in "123" if seat != declarer]
    high = max(others, key=won.count)
    low = min(others, key=won.count)
    left = pool
    if own > won.count(high):
        gains[declarer] += pool + 2 * value
        for seat in others:
            gains[seat] -= value
        left = 0
    elif won.count(high) > own and won.count(high) > won.count(low):
        gains[declarer] -= pool
        gains[high] += pool
    else:
        gains[declarer] -= pool
        left += pool
    run = {5: 5, 0: -5}.get(won[:5].count(declarer), 0)
    gains[declarer] += 2 * run
    for seat in others:
        gains[seat] -= run
    return gains, left


def _quadrille(
    seats: str, side: list[str], held: list[int], target: int, pool: int, won: str
) -> tuple[dict[str, int], int]:
    """Compute RULES 6 and 7 again; `held`: matadors dealt to the bidder, and to the side.

    The winner of the first run goes on, since all cards are played.
    """
    gains = dict.fromkeys(seats, 0)
    others = [seat for seat in seats if seat not in side]
    bidder = side[0]
    own = sum(won.count(seat) for seat in side)
    left = pool
    if own >= target:
        for seat in side:
            gains[seat] += pool // len(side)
        left = pool % len(side)
        bonus = held[1]
        if all(winner in side for winner in won[:target]):
            bonus += 1 + (2 if own == len(won) else -2)
        for seat in others:
            gains[seat] -= bonus
        total = bonus * len(others)
        if len(side) == 2:
            half = int(total / 2)  # rounded toward zero: the odd chip is the bidder's
            gains[side[1]] += half
            total -= half
        gains[bidder] += total
        return gains, left
    gains[bidder] -= pool + held[0] * len(others)
    left += pool
    for seat in others:
        gains[seat] += held[0]
        if own < target - 1:
            gains[seat] += pool // len(others)
            left -= pool // len(others)
    return gains, left


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("game", POOLED)
def test_ten_deals_carry_the_pool(game: str, seed: int) -> None:
    rules = rules_for(game)
    rounds = list(_rounds(game, Random(f"{game} {seed}")))
    entries = read("\n".join(text for text, _, _ in rounds)).entries
    found = list(settle(entries))
    pool = 0
    sums = dict.fromkeys(rules.seats, 0)
    given = 0  # a tag adds chips that nobody put in
    for entry, settled, (_, tricks, won) in zip(entries, found, rounds, strict=True):
        deal = entry.deal
        assert deal is not None
        gains = dict.fromkeys(rules.seats, 0)
        for seat in [deal.dealer] if game == "ombre" else rules.seats:
            gains[seat] -= 5 if game == "ombre" else 1
        before = pool + (4 if game == "quadrille" else 5)
        if deal.pool is not None:
            given += deal.pool - before
            before = deal.pool
        pool = before
        if tricks is not None:
            contract = entry.contract
            assert contract is not None
            if game == "ombre":
                value = {"entrada": 5, "solo": 15}[contract.ids[0]]
                paid, pool = _ombre(contract.declarer, value, before, won)
            else:
                side = [seat for seat in (contract.declarer, contract.partner) if seat]
                best = rules.trump_cards("H")[:4]
                held = []
                for who in (side[:1], side):
                    cards = {card for seat in who for card in deal.hands[seat] or ()}
                    three = cards.issuperset(best[:3])
                    held.append((1 + (best[3] in cards)) if three else 0)
                target = 6 if game == "quadrille" else 5
                paid, pool = _quadrille("".join(rules.seats), side, held, target, before, won)
            for seat, gain in paid.items():
                gains[seat] += gain
        assert settled.error is None
        assert settled.points == gains
        assert settled.pool is not None
        assert (settled.pool.before, settled.pool.after) == (before, pool)
        for seat, gain in gains.items():
            sums[seat] += gain
        assert settled.totals == sums
        assert sum(sums.values()) + pool == given
