"""Random auctions that keep the rules, made by a bidder for each game, and what is made of them.

The bidders know the rules from nowhere but here; their auctions are never faulted, and what they
say was settled is the result.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from random import Random

import pytest
from dealing import random_deal
from hypothesis import given
from hypothesis import strategies as st

from spadille.auction import auction_faults, judge, result
from spadille.cards import format_hand
from spadille.contract import Contract
from spadille.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.parts import ContractType
from spadille.pbn.handfile import read
from spadille.rules import Rules
from spadille.validate import bid_findings

Settled = tuple[str | None, str]  # declarer and bid; None: nobody bids
MENSCH = ["half", "after", "five", "five-after", "six", "six-after", "seven", "seven-after", "solo"]
GERMAN = ["frog", "frog-color", "solo", "solo-color", "tout", "tout-color"]
SOLO = [
    "prop",
    "cop",
    "solo",
    "misere",
    "abundance",
    "abundance-trumps",
    "misere-ouverte",
    "abundance-declared",
]
UPGRADES = {
    ("solo", "misere"): "abundance-trumps",
    ("solo", "abundance"): "abundance-trumps",
    ("misere", "abundance"): "misere-ouverte",
    ("misere", "abundance-trumps"): "misere-ouverte",
    ("abundance", "abundance-trumps"): "abundance-declared",
    ("abundance", "misere-ouverte"): "abundance-declared",
    ("abundance-trumps", "misere-ouverte"): "abundance-declared",
}


def rules_of(game: str) -> Rules:
    """The rules of a game with a bidding order behind it, or without."""
    name, _, order = game.partition(" ")
    return rules_for(name, f"bidding_order={order}" if order else "")


def order_of(deal: Deal) -> tuple[str, ...]:
    return deal.rules.in_turn(deal.rules.eldest(deal.dealer))


def low(rng: Random, choices: list[str]) -> str:
    """Choose a bid, rather a low one, so that auctions go on."""
    return choices[min(rng.randrange(len(choices)), rng.randrange(len(choices)))]


def mensch(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    calls: list[str] = []
    best: Settled = (None, "")
    for seat in order_of(deal):
        above = MENSCH[MENSCH.index(best[1]) + 1 :] if best[0] else MENSCH
        open_ = [bid for bid in above if "after" not in bid or (best[1] or "-") == base(bid)]
        hand = deal.hands[seat] or ()
        obliged = sum(card[0] == "C" for card in hand) - ("CQ" in hand) >= 3
        must = obliged and (best[0] is None or best[1] == "half")
        if open_ and (must or rng.random() < 0.5):
            best = (seat, low(rng, open_))
            calls.append(best[1])
        else:
            calls.append("Pass")
    return calls, best


def base(bid: str) -> str:
    return "half" if bid == "after" else bid.removesuffix("-after")


Turns = Generator[tuple[str, set[str]], str, Settled]


def bids_open(deal: Deal, seat: str, best: str) -> set[str]:
    """What a player of German Solo may bid over the best bid, or pass."""
    higher = GERMAN[GERMAN.index(best) + 1 if best else 0 :]
    if {"CQ", "SQ"} <= set(deal.hands[seat] or ()) and best in ("", "frog", "frog-color"):
        return {*GERMAN[2:]}
    return {*higher, "Pass"}


def duel(deal: Deal) -> Turns:
    """German Solo, two at a time: yields whose turn it is and what he may say, takes the call."""
    high, best = None, ""
    for challenger in order_of(deal):
        while (call := (yield challenger, bids_open(deal, challenger, best))) != "Pass":
            best = call
            # The bidder agrees to the same bid, or he has passed.
            if high is None or (yield high, {"hold", best, "Pass", "-"}) not in ("hold", best):
                high = challenger
                break
    return high, best


def rounds(deal: Deal) -> Turns:
    """German Solo, one call each in turn, round after round."""
    order = order_of(deal)
    inside = [*order]
    last: dict[str, str] = {}
    high, best = None, ""
    while inside and inside != [high]:
        for seat in order:
            if seat not in inside or inside == [high]:
                continue
            may = bids_open(deal, seat, best)
            at = order.index(seat)
            left = [other for other in order[at + 1 :] + order[:at] if other in inside]
            if "Pass" in may and left[:1] == [high] and last.get(seat, best) != best:
                may |= {"hold", best}
            call = yield seat, may
            if call == "Pass":
                inside.remove(seat)
            else:
                high, best = seat, best if call == "hold" else call
                last[seat] = best
    return high, best


def record(deal: Deal, turns: Turns, rng: Random) -> tuple[list[str], Settled, list[set[str]]]:
    """Write down an auction with legal calls: the cells, what was settled, what each might be.

    The last is empty for cells that are nobody's turn, unless nothing may be said there.
    """
    order = order_of(deal)
    calls: list[str] = []
    legal: list[set[str]] = []
    out: set[str] = set()
    spoken: set[str] = set()
    seat, may = next(turns)
    while True:
        while (skipped := order[len(calls) % 4]) != seat:
            calls.append(rng.choice(["-", "Pass"]) if skipped in out else "-")
            # Who does not hold has passed as soon as the next challenger speaks.
            challenges = skipped == next((s for s in order if s not in spoken), None)
            legal.append(set() if skipped in spoken or challenges else {"-"})
        call = rng.choice(sorted(may))
        if call in GERMAN:
            call = low(rng, sorted(may & {*GERMAN}, key=GERMAN.index))
        calls.append(call)
        legal.append(may)
        spoken.add(seat)
        if call in ("Pass", "-"):
            out.add(seat)
        try:
            seat, may = turns.send(call)
        except StopIteration as end:
            return calls, end.value, legal


def german(turns: Callable[[Deal], Turns]) -> Callable[[Deal, Random], tuple[list[str], Settled]]:
    def bid(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
        order = order_of(deal)
        calls, (holder, best), _ = record(deal, turns(deal), rng)
        soloist = holder or deal.holder("CQ")
        raises = GERMAN[GERMAN.index(best) + 1 if best else 2 :]
        if raises and rng.random() < 0.3:
            while order[len(calls) % 4] != soloist:
                calls.append("-")
            holder, best = soloist, rng.choice(raises)
            calls.append(best)
        return calls, (holder, best)

    return bid


def going_round(deal: Deal, rng: Random, bids: list[str], equal: bool) -> tuple[list[str], Settled]:
    """Bid until all but one have passed; `equal`: who has bid may equal the highest bid."""
    order = order_of(deal)
    bidders: set[str] = set()
    inside = list(order)
    holder, best = None, ""
    calls: list[str] = []
    while inside and (len(inside) > 1 or inside[0] != holder):
        seat = order[len(calls) % len(order)]
        if seat not in inside:
            calls.append(rng.choice(["-", "Pass"]))
            continue
        open_ = bids[bids.index(best) + 1 if best else 0 :]
        if equal and seat in bidders:
            open_ = [rng.choice(["hold", best]), *open_]
        if not open_ or rng.random() < 0.5:
            inside.remove(seat)
            calls.append("Pass")
            continue
        call = low(rng, open_)
        calls.append(call)
        holder, best = seat, best if call == "hold" else call
        bidders.add(seat)
    return calls, (holder, best)


def ombre(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    return going_round(deal, rng, ["entrada", "vuelta", "solo"], equal=True)


def quadrille(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    calls, settled = going_round(deal, rng, ["alliance", "solo", "vole"], equal=False)
    return [call if call != "solo" else "solo-" + rng.choice("SHDC") for call in calls], settled


def solo_whist(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    order = order_of(deal)
    inside = list(order)
    standing: list[str] = []
    best = ""
    calls: list[str] = []
    while inside and (not standing or set(inside) - set(standing)):
        seat = order[len(calls) % 4]
        if seat not in inside:
            calls.append("-")
            continue
        open_ = [bid for bid in SOLO[SOLO.index(best) + 1 if best else 0 :]
                 if bid != "cop" or best == "prop"]  # fmt: skip
        if not open_ or rng.random() < 0.5:
            inside.remove(seat)
            calls.append("Pass")
            continue
        best = low(rng, open_)
        standing = [*standing, seat] if best == "cop" else [seat]
        calls.append(best)
    if best != "prop":
        return calls, (standing[0] if standing else None, best)
    if standing[0] != order[0]:
        while order[len(calls) % 4] != order[0]:
            calls.append("-")
        calls.append(rng.choice(["cop", "Pass"]))
        if calls[-1] == "cop":
            return calls, (standing[0], "cop")
    while order[len(calls) % 4] != standing[0]:
        calls.append("-")
    calls.append(rng.choice(["solo", "Pass", "-"]))
    return calls, (standing[0], "solo") if calls[-1] == "solo" else (None, "")


def anna_cubed(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    order = order_of(deal)
    last: dict[str, str] = {}
    holder, best = None, ""
    for seat in order:
        open_ = [bid for bid in SOLO[SOLO.index(best) + 1 if best else 0 :]
                 if bid != "cop" or best == "prop"]  # fmt: skip
        if open_ and rng.random() < 0.6:
            best = last[seat] = low(rng, open_)
            holder = holder if best == "cop" else seat
    calls = [last.get(seat, "Pass") for seat in order]
    if best == "prop":
        calls.append(rng.choice(["solo" if holder == order[0] else "cop", "-"]))
        return calls, (holder, calls[-1]) if calls[-1] != "-" else (None, "")
    for seat in order:
        upgrade = UPGRADES.get((last.get(seat, ""), best))
        if upgrade and rng.random() < 0.7:
            holder, best = seat, upgrade
        calls.append(upgrade if upgrade and holder == seat and best == upgrade else "-")
    return calls, (holder, best)


BIDDERS = {
    "mensch": mensch,
    "german-solo": german(duel),
    "german-solo round": german(rounds),
    "ombre": ombre,
    "quadrille": quadrille,
    "quintille": quadrille,
    "solo-whist": solo_whist,
    "anna-cubed": anna_cubed,
}
FALLS_TO = {
    "mensch": ("CQ", "pass-out"),
    "german-solo": ("CQ", "solo"),
    "quadrille": ("SA", "forced-spadille"),
    "quintille": ("SA", "forced-spadille"),
}


def expected(deal: Deal, settled: Settled) -> Settled:
    """Who declares which contract; None: nobody."""
    seat, bid = settled
    game = deal.rules.game.id
    if seat is None:
        card, contract = FALLS_TO.get(game, ("", ""))
        return (deal.holder(card), contract) if card else (None, "")
    if bid == "cop":
        return seat, "prop-cop"
    return seat, bid.removesuffix("-color")


@pytest.mark.parametrize("game", BIDDERS)
def test_auctions_that_keep_the_rules(game: str) -> None:
    rng = Random(game)
    seen = set()
    for _ in range(400):
        deal = random_deal(rules_of(game), rng)
        calls, settled = BIDDERS[game](deal, rng)
        found, outcome = judge(deal, calls)
        assert found == [], (deal.dealer, calls)
        assert outcome is not None
        declarer, contract = expected(deal, settled)
        seen.add(contract)
        if declarer is None:
            assert outcome.passed_out
            continue
        assert (outcome.declarers, outcome.ids) == ((declarer,), (contract,)), calls
        if contract == "prop-cop":
            assert outcome.partner not in (None, declarer)
        assert bid_findings(deal, Contract((declarer,), (contract,), "C")) == [], calls
    assert len(seen) >= len(rules_of(game).contracts) - 1


@pytest.mark.parametrize("game", ["german-solo", "mensch"])
def test_contracts_a_hand_excludes(game: str) -> None:
    """Warned of where, by the words of the rule, a player had to bid more."""
    rng, rules = Random(game), rules_for(game)
    for _ in range(300):
        deal = random_deal(rules, rng)
        declarer, kind = rng.choice(rules.seats), rng.choice(list(rules.contracts))
        expected = set()
        for seat in rules.seats:
            hand = deal.hands[seat] or ()
            clubs = sum(card[0] == "C" and card != "CQ" for card in hand)
            if kind == "frog" and {"CQ", "SQ"} <= set(hand):
                expected.add(f"{seat} has to bid solo at least")
            if kind == "pass-out" and clubs >= 3:
                expected.add(f"{seat} has to bid half at least")
            if kind == "half" and clubs >= 3 and seat != declarer:
                expected.add(f"{seat} has to bid after at least")
        found = bid_findings(deal, Contract((declarer,), (kind,), "C"))
        assert {one.fault.message.partition(": ")[2] for one in found} == expected
        assert {one.fault.severity for one in found} <= {"warning"}


@pytest.mark.parametrize(("order", "turns"), [("duel", duel), ("round", rounds)])
def test_the_first_call_that_breaks_the_rules_is_found(
    order: str, turns: Callable[[Deal], Turns]
) -> None:
    rng = Random(order)
    rules = rules_for("german-solo", f"bidding_order={order}")
    for _ in range(600):
        deal = random_deal(rules, rng)
        calls, _, legal = record(deal, turns(deal), rng)
        number = rng.choice([at for at, may in enumerate(legal) if may])
        for word in (*GERMAN, "hold", "Pass", "-"):
            if word not in legal[number]:
                found = auction_faults(deal, [*calls[:number], word, "*"])
                assert {each.nth for each in found} == {number}, (deal.dealer, calls, number, word)


@pytest.mark.parametrize("game", BIDDERS)
def test_the_contract_follows_from_the_auction(game: str) -> None:
    rng = Random(game)
    for _ in range(150):
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
        found, outcome = judge(deal, calls)
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
