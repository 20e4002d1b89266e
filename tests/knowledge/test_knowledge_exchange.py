"""Compare what a seat knows about an exchange with every possible exchange."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, permutations
from random import Random

import pytest

from spadille.base.card_text import sort_cards
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.card_facts import AWAY, PILE
from spadille.core.knowledge.seat_knowledge import Assumptions, Knowledge, know
from spadille.core.knowledge.starting_knowledge import Discards, Start, exchange_steps
from spadille.core.validate import faults
from spadille.games import rules_for
from tests.support.deals_and_outcomes import random_deal
from tests.support.knowledge_referee import number_of, possible, some_play, splits
from tests.support.tiers import part

Cards = frozenset[str]


def late(deal: Deal, contract: Contract, seat: str, seed: int, **given: object) -> Knowledge:
    """Return the knowledge of a seat when few layouts are left."""
    number = len(deal.rules.seats) * deal.rules.game.hand_size
    cards = some_play(deal, contract, Random(seed), number - 2)
    for length in range(number - 9, len(cards) + 1):
        known = know(deal, contract, seat, cards[:length], **given)  # type: ignore[arg-type]
        if number_of([*known.sizes.values()]) <= 900:
            break
    return known


def fits(known: Knowledge, layout: tuple[Cards, ...]) -> bool:
    """Return whether this layout can have been played."""
    deal = known.deal_of(tuple(map(tuple, layout)))
    return possible(deal, known.contract, [card for _, card in known.played])


def ombre(kind: str, seed: int, options: str = "") -> tuple[Deal, Contract]:
    """Return a deal of Ombre with an exchange and an ordered talon."""
    random = Random(f"{kind} {seed}")
    rules = rules_for("ombre", options)
    deal = random_deal(rules, random)
    declarer = random.choice(rules.seats)
    trump = deal.talon[0][0] if kind == "vuelta" else random.choice("SHDC")
    who = rules.contract(kind).exchange.who
    others = random.sample([seat for seat in rules.seats if seat != declarer], 2)
    left, discard = 13, {}
    for seat in [declarer] * (who == "all") + others:
        number = random.choice((0, random.randint(0, min(8, left))))
        discard[seat] = tuple(random.sample(deal.hands[seat] or (), number))
        left -= number
    return replace(deal, discard=discard), Contract((declarer,), (kind,), trump)


@pytest.mark.parametrize("seed", part(range(12), 3, 4))
def test_ombre(seed: int) -> None:
    kind = ("entrada", "vuelta", "solo", "vuelta")[seed % 4]
    deal, contract = ombre(kind, seed, "vuelta_exchange=no" if seed % 8 == 3 else "")
    seat = deal.rules.seats[seed % 3]
    known = late(deal, contract, seat, seed)
    away = {*deal.discard.get(seat, ())}
    gone = {card for _, card in known.played}
    assert {*known.unseen} == {*deal.rules.deck}.difference(away, gone, known.own)
    taken: Mapping[str, tuple[str, ...] | None] = deal.playing_hands()
    top = deal.talon[0]
    drew = next((who for who, cards in deal.discard.items() if cards), PILE)
    expected = set()
    for layout in splits(list(known.unseen), list(known.sizes.values())):
        where = {
            card: place for place, held in zip(known.sizes, layout, strict=True) for card in held
        }
        if kind == "vuelta" and where.get(top, drew) != drew:
            continue
        if fits(known, layout):
            expected.add(layout)
    assert {tuple(map(frozenset, each)) for each in known.layouts} == expected
    hands = {who: {*(taken[who] or ())} - gone for who in deal.rules.seats}
    pile = {*deal.rules.deck}.difference(*map(set, (h or () for h in taken.values())), away)
    assert tuple(frozenset(hands.get(place, pile)) for place in known.sizes) in expected


@pytest.mark.parametrize("seed", range(6))
def test_discards_that_keep_trumps(seed: int) -> None:
    deal, contract = ombre("entrada", seed)
    seat = deal.rules.seats[seed % 3]
    known = know(deal, contract, seat, assumptions=Assumptions(discards="keep-trumps"))
    number = sum(len(cards) for who, cards in deal.discard.items() if who != seat)
    assert known.sizes.get(AWAY, 0) == number
    trumps = deal.rules.trump_cards(contract.trump)
    for card, places in known.unseen.items():
        assert (AWAY in places) == (number > 0 and card not in trumps)
    layout = known.layouts.unrank(known.layouts.count // 2)
    full = known.deal_of(layout)
    assert sorted([*full.talon, *(c for h in full.hands.values() for c in h or ())]) == sorted(
        deal.rules.deck
    )


def squint(kind: str, seed: int) -> tuple[Deal, Contract, list[str]]:
    """Return a deal of Squint with its bid cards and an exchange."""
    random = Random(f"{kind} {seed}")
    rules = rules_for("squint")
    deal = replace(random_deal(rules, random), talon_ordered=False)
    order = rules.in_turn(rules.eldest(deal.dealer))
    two = random.sample(rules.seats, 2)
    side = [seat for seat in order if seat in two]
    pile = [*deal.talon]
    drawn, discard = {}, {}
    if kind == "duo":
        contract = Contract((side[0],), ("duo",), random.choice("SHDC"), partner=side[1])
    elif kind == "grand-solo":
        contract = Contract((side[0],), ("grand-solo",), random.choice("SHDC"))
        side = side[:1]
    else:
        contract = Contract((*side,), ("ace-solo", "misere"), "NT")
    for seat in side:
        if random.random() < 0.2:
            continue
        free = [card for card in pile if card in deal.talon] if kind == "duo" else pile
        number = 1 if kind == "duo" else 2
        drawn[seat] = tuple(random.sample(free, number))
        held = [*(deal.hands[seat] or ()), *drawn[seat]]
        discard[seat] = tuple(random.sample(held, number))
        pile = [card for card in pile if card not in drawn[seat]] + [*discard[seat]]
    calls = [random.choice(deal.hands[seat] or ()) for seat in order]
    return replace(deal, drawn=drawn, discard=discard), contract, calls


def exchanged(
    deal: Deal, hands: Mapping[str, Cards], pile: Cards, shown: Mapping[str, str], viewer: str
) -> bool:
    """Return whether some deal and some exchange leave these hands, by all that the viewer sees."""
    steps = [*deal.drawn]
    number = len(next(iter(deal.drawn.values()), ()))

    def dealt(seat: str, held: Cards) -> bool:
        return shown[seat] in held

    def before(seat: str, away: Cards) -> list[Cards]:
        """Return what `seat` may have drawn."""
        if seat == viewer:
            return [frozenset(deal.drawn[seat])] if away == {*deal.discard[seat]} else []
        both = hands[seat] | away
        return [
            frozenset(taken)
            for taken in combinations(sorted(both), number)
            if dealt(seat, both.difference(taken))
        ]

    if not all(dealt(seat, hands[seat]) for seat in hands if seat not in steps):
        return False
    if number == 1:
        for order in permutations(sorted(pile), len(steps)):
            if all(
                before(seat, frozenset((away,))) for seat, away in zip(steps, order, strict=True)
            ):
                return True
        return False
    piles = {pile}
    for seat in reversed(steps):
        piles = {taken for away in piles for taken in before(seat, away)}
    return bool(piles)


SQUINT = [(kind, seed) for seed in range(10) for kind in ("duo", "grand-solo", "soloists")]


@pytest.mark.first_cases(1)
@pytest.mark.parametrize(("kind", "seed"), part(SQUINT, 1, 8))
def test_squint(kind: str, seed: int) -> None:
    deal, contract, calls = squint(kind, seed)
    seat = deal.rules.seats[seed % 5]
    known = late(deal, contract, seat, seed, auction=calls)
    order = deal.rules.in_turn(deal.rules.eldest(deal.dealer))
    shown = dict(zip(order, calls, strict=True))
    away = frozenset(deal.discard.get(seat, ()))
    # "The last soloist concludes by making two discards face up (for information)."
    last = max(contract.declarers, key=order.index)
    shown_away = deal.discard.get(last, ()) if len(contract.declarers) > 1 else ()
    away |= frozenset(shown_away)
    unseen = {*known.unseen}
    assert unseen.isdisjoint(shown_away)
    gone: dict[str, set[str]] = {who: set() for who in deal.rules.seats}
    for who, card in known.played:
        gone[who].add(card)
    mine = away - unseen - {card for _, card in known.played}
    expected = set()
    for layout in splits(sorted(unseen), list(known.sizes.values())):
        held = dict(zip(known.sizes, layout, strict=True))
        hands = {
            who: frozenset((*held.get(who, known.own), *gone[who])) for who in deal.rules.seats
        }
        pile = held.get(PILE, frozenset()) | mine
        if exchanged(deal, hands, pile, shown, seat) and fits(known, layout):
            expected.add(layout)
    assert {tuple(map(frozenset, each)) for each in known.layouts} == expected


def soloists(exchange: str, dealer: str = "5") -> tuple[Deal, Contract]:
    """Return Ace solos of Players 1, 2 and 4; `exchange` names the seats that took the cards."""
    deal = replace(random_deal(rules_for("squint"), Random(8)), talon_ordered=False, dealer=dealer)
    pile, drawn, discard = deal.talon, {}, {}
    for seat in exchange:
        drawn[seat] = pile
        pile = discard[seat] = (deal.hands[seat] or ())[:2]
    from_hand = tuple(seat for seat in "124" if seat not in exchange)
    deal = replace(deal, drawn=drawn, discard=discard, from_hand=from_hand)
    return deal, Contract(("1", "2", "4"), ("ace-solo",) * 3, "NT")


@pytest.mark.parametrize(
    ("exchange", "dealer", "face_up"),
    [
        ("124", "5", True),
        ("14", "5", True),
        ("4", "5", True),
        # Player 4 declines, so the cards that Player 2 passed on face down stay hidden.
        ("12", "5", False),
        # From the dealer's left the turn comes to Player 4 first, then 1, then 2.
        ("412", "3", True),
        ("41", "3", False),
    ],
)
def test_the_last_of_several_soloists_discards_face_up(
    exchange: str, dealer: str, face_up: bool
) -> None:
    deal, contract = soloists(exchange, dealer)
    last = exchange[-1]
    away = deal.discard[last]
    for seat in set("12345") - {last}:
        known = know(deal, contract, seat)
        assert known.unseen.keys().isdisjoint(away) == face_up
        assert (PILE not in known.sizes) == face_up
        assert (f"Player {last} discarded {' '.join(away)}" in known.sentences) == face_up


def test_a_lone_soloist_discards_face_down() -> None:
    deal, _ = soloists("1")
    known = know(deal, Contract(("1",), ("ace-solo",), "NT"), "3")
    assert known.unseen.keys() >= {*deal.discard["1"]}


def test_nemo_discards_face_up() -> None:
    rules = rules_for("squint")
    deal = replace(random_deal(rules, Random(3)), talon_ordered=False)
    order = rules.in_turn(rules.eldest(deal.dealer))
    pile, drawn, discard = deal.talon, {}, {}
    for seat in order:
        drawn[seat] = pile
        pile = discard[seat] = (deal.hands[seat] or ())[:2]
    deal = replace(deal, drawn=drawn, discard=discard)
    contract = deal.contract("nemo", penalty="H")
    for number, seat in enumerate(order):
        known = know(deal, contract, seat)
        assert not {*pile} & {*known.unseen}
        assert PILE not in known.sizes
        if number < 4:
            # The cards that the player passed on are with one of the later players.
            assert [known.unseen[card] for card in discard[seat]] == [order[number + 1 :]] * 2
    assert sort_cards(pile) == sort_cards(discard[deal.dealer])


def test_the_discards_of_the_player_before_pass_through_the_own_hands() -> None:
    """So a card shown by the previous player in bidding and not passed on is still in that hand."""
    rules = rules_for("squint")
    deal = replace(random_deal(rules, Random(3)), talon_ordered=False)
    order = rules.in_turn(rules.eldest(deal.dealer))
    pile, drawn, discard = deal.talon, {}, {}
    for seat in order:
        drawn[seat] = pile
        pile = discard[seat] = (deal.hands[seat] or ())[:2]
    deal = replace(deal, drawn=drawn, discard=discard)
    shown = [(deal.hands[seat] or ())[3] for seat in order]
    for number, seat in enumerate(order):
        known = know(deal, deal.contract("nemo", penalty="H"), seat, auction=shown)
        for other, card in zip(order[:number], shown, strict=False):
            passed = {*order[order.index(other) :]} - {seat}  # the later players may have it
            expected = {other} if other == order[number - 1] else passed
            assert {*known.unseen[card]} == expected


def own_hand(seat: str, deal: Deal, contract: Contract, *recorded: str) -> Deal:
    """Return the deal as one player can record it, with the exchanges of `recorded`."""
    shown = {seat, *recorded}
    return replace(
        deal,
        hands={who: hand if who == seat else None for who, hand in deal.hands.items()},
        talon=(),
        drawn={who: cards for who, cards in deal.drawn.items() if who == seat},
        discard={who: cards for who, cards in deal.discard.items() if who in shown},
        from_hand=(),
    )


def test_a_file_with_one_hand_records_what_lies_face_up() -> None:
    full, contract = soloists("124")
    away = full.discard["4"]
    for seat in "1235":
        deal = own_hand(seat, full, contract, "4")
        assert faults(deal, contract) == []
        known = know(deal, contract, seat)
        assert known.unseen.keys().isdisjoint(away)
        assert PILE not in known.sizes
    # Player 1 does not see whether Player 2 kept the cards or passed them on.
    known = know(own_hand("1", full, contract, "4"), contract, "1")
    passed = set(full.discard["1"]) - set(away)
    assert [known.unseen[card] for card in passed] == [("2", "4")] * len(passed)
    # If nothing is recorded, Player 1 cannot see whether anybody took the cards, either.
    known = know(own_hand("1", full, contract), contract, "1")
    assert [known.unseen[card] for card in full.discard["1"]] == [("2", "4", PILE)] * 2
    # The true hands are among the hands that the player considers possible.
    hands = full.playing_hands()
    for card, places in known.unseen.items():
        holder = next((who for who, hand in hands.items() if card in (hand or ())), PILE)
        assert holder in places


@pytest.mark.parametrize(
    ("discard", "code"),
    [
        # Player 2 passes two cards on face down.
        ({"2": ("S5", "S7")}, "exchange-hand-unknown"),
        ({"4": ("S5",)}, "exchange-count"),
        # Player 3 holds the card.
        ({"4": ("S5", "HA")}, "exchange-discard"),
    ],
)
def test_what_cannot_be_recorded_of_an_unknown_hand(
    discard: dict[str, tuple[str, ...]], code: str
) -> None:
    deal = Deal.parse("3:QJ.A5.AK7.KT8 - - - -", "squint", dealer="5")
    contract = Contract(("1", "2", "4"), ("ace-solo",) * 3, "NT")
    found = faults(replace(deal, discard=discard), contract)
    assert [fault.code for fault in found] == [code]
    # A lone soloist has no cards face up.
    alone = Contract(("4",), ("ace-solo",), "NT")
    found = faults(replace(deal, discard={"4": ("S5", "S7")}), alone)
    assert [fault.code for fault in found] == ["exchange-hand-unknown"]


def test_nemo_recorded_by_one_player() -> None:
    deal = Deal.parse("3:QJ.A5.AK7.KT8 - - - -", "squint", dealer="5")
    contract = Contract(tuple("12345"), ("nemo",) * 5, "NT", penalty="H")
    deal = replace(deal, drawn={"3": ("S5", "S7")}, discard={"3": ("SQ", "SJ"), "5": ("C3", "SJ")})
    assert faults(deal, contract) == []
    known = know(deal, contract, "3")
    # The queen is with Player 4 or 5; the jack was passed on to the dealer, who showed it.
    assert known.unseen["SQ"] == ("4", "5")
    assert not {"SJ", "C3"} & known.unseen.keys()
    assert PILE not in known.sizes


@pytest.mark.parametrize("discards", ["keep-best", "uniform", "keep-trumps"])
@pytest.mark.parametrize("seat", ["1", "2"])
def test_a_seat_that_has_drawn_and_put_nothing_away_tells_nothing(
    discards: Discards, seat: str
) -> None:
    deal = Deal.random("squint", 1)
    undecided = replace(deal, drawn={"1": deal.talon[:2]})
    found = know(
        undecided,
        Contract(("1",), ("solo",), "S"),
        seat,
        None,
        assumptions=Assumptions(discards=discards),
    )
    assert found.sentences == ()


def test_each_draws_as_many_cards_from_the_top_as_are_put_away() -> None:
    """Ombre's talon is ordered: each player draws from the top of the cards left by the others."""
    deal = random_deal(rules_for("ombre"), Random(1))
    hands = deal.hands
    discard = {
        seat: (hands[seat] or ())[:number] for seat, number in (("2", 3), ("1", 0), ("3", 4))
    }
    steps = exchange_steps(replace(deal, discard=discard))
    assert [(step.seat, step.taken) for step in steps] == [
        ("2", deal.talon[:3]),
        ("1", ()),
        ("3", deal.talon[3:7]),
    ]
    assert [step.number for step in steps] == [3, 0, 4]


def test_before_any_exchange_a_card_is_where_it_was_dealt() -> None:
    """Later, the soloist may have discarded it, unless the contract is played from the hand."""
    deal = Deal(
        rules_for("ombre"), "1", {"1": Deal.random("ombre", 1).hands["1"], "2": None, "3": None}
    )
    contract = Contract(("2",), ("solo",), "S")
    dealt, later = (
        Start(deal, contract, "1", dealt=dealt, discards="uniform") for dealt in (True, False)
    )
    assert dealt.reach("3") == ("3",)
    assert {*later.reach("3")} == {"2", "3", PILE}
    assert dealt.reach("1") == later.reach("1") == ("1",)
