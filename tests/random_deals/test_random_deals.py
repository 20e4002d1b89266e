"""Deals that meet conditions: all of them occur, each as likely as any other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import combinations, islice, permutations
from math import comb, prod

import pytest

from spadille.base.errors import ArgumentError, SpadilleError, TooRareError
from spadille.core.deal import Deal
from spadille.core.deal_faults import deal_findings
from spadille.core.knowledge.random_numbers import Draws
from spadille.games import GAMES, get_game, rules_for
from spadille.generate.deals.counting_sampler import _shuffled
from spadille.generate.deals.deal_search import Deals
from spadille.generate.deals.frequencies import frequencies
from spadille.generate.deals.random_deals import deals
from tests.support.tiers import part


def chi_squared(found: Iterable[int], each: float) -> float:
    """Return the distance of counts from the expected count, in standard deviations."""
    numbers = list(found)
    total = sum((number - each) ** 2 / each for number in numbers)
    free = len(numbers) - 1
    return (total - free) / (2 * free) ** 0.5


# Conditions on one hand, each as an expression and as an equivalent function.
def effective(deal: Deal, seat: str, trump: str) -> int:
    of = deal.rules.suit_of(trump)
    return sum(of[card] == trump for card in deal.hands[seat] or ())


def printed(deal: Deal, seat: str, suit: str) -> int:
    return sum(card[0] == suit for card in deal.hands[seat] or ())


def ranks(deal: Deal, seat: str, of: str) -> int:
    return sum(card[1] in of for card in deal.hands[seat] or ())


def asked(game: str):
    """Yield conditions for a game, and equivalent functions."""
    one, two = get_game(game).seats[:2]
    yield f"trumps({one}, H) >= 4", lambda deal: effective(deal, one, "H") >= 4
    yield f"length({two}, S) == 2", lambda deal: printed(deal, two, "S") == 2
    yield (
        f"length({one}, S) >= 4 or 2 * ranks({one}, A) > ranks({one}, 'KQ')",
        lambda deal: (
            printed(deal, one, "S") >= 4 or 2 * ranks(deal, one, "A") > ranks(deal, one, "KQ")
        ),
    )
    yield (
        f"not holds({two}, SA) and cards({one}, 'SA HA DA') >= 1",
        lambda deal: (
            "SA" not in (deal.hands[two] or ())
            and any(card in ("SA", "HA", "DA") for card in deal.hands[one] or ())
        ),
    )


@pytest.mark.parametrize("game", part(GAMES, 2))
def test_what_is_counted_is_what_is_found_by_trying(game: str) -> None:
    number = 400
    every = list(deals(game, number, seed=2))
    for text, says in asked(game):
        exact = deals(game, 40, seed=1, where=text)
        assert exact.tried == []
        assert all(says(deal) for deal in exact)
        held = sum(says(deal) for deal in every)
        spread = (number * exact.share * (1 - exact.share)) ** 0.5
        assert abs(held - number * exact.share) < 4.5 * spread, text


def test_the_strength_of_a_hand_is_counted_too() -> None:
    order = deals("german-solo", 40, seed=1, where="points(N) >= 22 and length(N, H) < 4")
    assert order.tried == []
    for deal in order:
        assert sum("JQKA".find(card[1]) + 1 for card in deal.hands["N"] or ()) >= 22
        assert printed(deal, "N", "H") < 4


@pytest.mark.parametrize("game", GAMES)
def test_every_deal_is_one(game: str) -> None:
    rules = rules_for(game)
    one = rules.seats[0]
    found = list(deals(game, 12, seed=3, hands={one: "A.K.."}, shapes={one: "2+.x.x.x"}))
    for number, deal in enumerate(found):
        assert deal_findings(deal) == []
        assert sorted(sum((hand or () for hand in deal.hands.values()), deal.talon)) == sorted(
            rules.deck
        )
        assert deal.dealer == rules.turn_order[number % len(rules.seats)]
        assert {"SA", "HK"} <= set(deal.hands[one] or ())
        assert printed(deal, one, "S") >= 2
        if game == "anna-cubed":
            assert deal.current_trump == ("H", "C", "D", "S", "NT")[number % 5]
        if game == "solo-whist":
            assert deal.turn_up in (deal.hands[deal.dealer] or ())
            assert deal.current_trump == (deal.turn_up or "")[0]


def test_the_hands_of_a_narrow_condition_are_all_found_and_alike() -> None:
    known = ("SA", "SK", "HA", "HK", "DA", "DK")
    rest = [card for card in rules_for("mensch").deck if card not in known]
    every = {
        frozenset(pair)
        for pair in combinations(rest, 2)
        if sum(card[0] == "C" for card in pair) >= 1 and "CQ" not in pair
    }
    order = deals(
        "mensch",
        len(every) * 8,
        seed=5,
        hands={"N": "AK.AK.AK."},
        where="length(N, C) >= 1 and not holds(N, CQ)",
    )
    assert order.possible == len(every)
    found = Counter(frozenset(deal.hands["N"] or ()) - set(known) for deal in order)
    assert set(found) == every
    assert chi_squared(found.values(), 8) < 4


def test_hands_that_nothing_is_said_of_are_alike_too() -> None:
    """All hands and talon places without a condition receive two given cards equally often."""
    order = deals("ombre", 1000, seed=1, where="length(1, H) >= 4")
    places: Counter[object] = Counter()
    for deal in order:
        for card in ("SA", "D2"):
            where = deal.holder(card) or deal.talon.index(card)
            if where != "1":
                places[card, where] += 1
    others = 1 - sum(places.values()) / 2000  # share of player 1
    for (_, where), number in places.items():
        each = 1000 * (1 - others) * (9 if isinstance(where, str) else 1) / 31
        assert abs(number - each) < 4.5 * each**0.5


def test_cards_are_mixed_in_every_order() -> None:
    draws = Draws(1)
    found = Counter(tuple(_shuffled(("SA", "HA", "DA", "CA"), draws)) for _ in range(2400))
    assert len(found) == 24
    assert chi_squared(found.values(), 100) < 4


def test_each_card_of_the_dealer_is_turned_up_as_often() -> None:
    places = Counter(
        (deal.hands[deal.dealer] or ()).index(deal.turn_up or "")
        for deal in deals("solo-whist", 650, seed=2)
    )
    assert len(places) == 13
    assert chi_squared(places.values(), 50) < 4


def sizes(number: int) -> int:
    return sum(h * comb(13, h) * comb(39, 13 - h) for h in range(number, 14))


def test_a_dealer_with_six_of_the_suit_turns_it_up_six_times_as_often_as_with_one() -> None:
    order = deals("solo-whist", 1000, seed=4, turn_up="H", dealer="N")
    assert order.share == 1 / 4
    found = list(order)
    assert all(deal.turn_up in (deal.hands["N"] or ()) for deal in found)
    turned = Counter(deal.turn_up for deal in found)
    assert len(turned) == 13
    assert chi_squared(turned.values(), 1000 / 13) < 4
    hearts = Counter(printed(deal, "N", "H") for deal in found)
    total = sizes(0)
    far = 0.0
    for number in range(1, 8):
        each = 1000 * number * comb(13, number) * comb(39, 13 - number) / total
        far += (hearts[number] - each) ** 2 / each
    assert far < 25
    long = deals("solo-whist", 5, seed=1, dealer="N", where="trumps(N) >= 6")
    assert long.share == pytest.approx(4 * sizes(6) / (13 * comb(52, 13)))
    assert all(printed(deal, "N", deal.current_trump or "") >= 6 for deal in long)
    card = deals("solo-whist", 3, seed=1, dealer="E", turn_up="HQ")
    assert card.share == 1 / 52
    assert [(deal.turn_up, deal.holder("HQ")) for deal in card] == [("HQ", "E")] * 3
    other = deals("solo-whist", 2, seed=1, dealer="E", hands={"S": ".AKQJT98765432.."}, turn_up="S")
    assert {deal.current_trump for deal in other} == {"S"}


def test_shapes() -> None:
    lengths = Counter(
        tuple(printed(deal, "N", suit) for suit in "SHDC")
        for deal in deals("solo-whist", 240, seed=1, shapes={"N": "5-4-3-1"})
    )
    assert set(lengths) == set(permutations((5, 4, 3, 1)))
    count = prod(comb(13, size) for size in (5, 4, 3, 1)) * 24
    assert deals("solo-whist", 1, seed=1, shapes={"N": "5-4-3-1"}).share == count / comb(52, 13)
    for text, fits in (
        ("5.x.x.x", lambda s, h, d, c: s == 5),
        ("5+.2:3.x.x", lambda s, h, d, c: s >= 5 and 2 <= h <= 3),
        ("x.x.x.0,0.x.x.x", lambda s, h, d, c: 0 in (s, c)),
        ("7+-x-x-x", lambda *held: max(held) >= 7),
        ("0-0-x-x", lambda *held: held.count(0) >= 2),
    ):
        order = deals("german-solo", 40, seed=1, shapes={"E": text})
        every = [
            held
            for held in (
                (s, h, d, 8 - s - h - d) for s in range(9) for h in range(9) for d in range(9)
            )
            if held[3] >= 0 and fits(*held)
        ]
        number = sum(prod(comb(8, size) for size in held) for held in every)
        assert order.share == number / comb(32, 8)
        for deal in order:
            assert tuple(printed(deal, "E", suit) for suit in "SHDC") in every
    trumps = deals("german-solo", 20, seed=1, shapes={"E": "x.6+.x.x@H"})
    assert all(effective(deal, "E", "H") >= 6 for deal in trumps)
    both = deals("german-solo", 9, seed=1, shapes={"E": ["5+-x-x-x", "x.x.x.0"], "S": "0.x.x.x"})
    assert all(printed(deal, "E", "C") == printed(deal, "S", "S") == 0 for deal in both)


def test_arguments_may_be_changed_after_the_call() -> None:
    hands = {"N": "AK..."}
    shapes = {"E": ["2+.x.x.x", "x.x.2+.x"]}
    where = ["length(S, C) > 1"]
    options = {"color": "H"}
    expected, changed = (
        deals("german-solo", 3, seed=1, hands=hands, shapes=shapes, where=where, options=options)
        for _ in range(2)
    )
    wanted = [*expected]
    shapes["E"].clear()
    for argument in (hands, shapes, where, options):
        argument.clear()
    assert [*changed] == wanted


def test_seats_relative_to_the_dealer() -> None:
    order = deals("quadrille", 8, seed=1, hands={"dealer": "A..."}, where="trumps(eldest, D) >= 5")
    for deal in order:
        assert deal.holder("SA") == deal.dealer
        assert effective(deal, deal.rules.eldest(deal.dealer), "D") >= 5


WHERE = "makes(N, solo, H) and trumps(N, H) == 5 and trumps(E, H) > trumps(S, H)"


def test_the_same_seed_gives_the_same_deals_for_any_number_of_threads() -> None:
    orders = [deals("german-solo", 6, seed=7, where=WHERE, threads=j) for j in (1, 2, 3)]
    found = [list(order) for order in orders]
    assert found[0] == found[1] == found[2] == list(orders[0])
    assert len({(order.drawn, order.found, str(order.tried)) for order in orders}) == 1
    assert found[0][:3] == list(deals("german-solo", 3, seed=7, where=WHERE))
    assert found[0] != list(deals("german-solo", 6, seed=8, where=WHERE))
    assert list(deals("mensch", 2)) != list(deals("mensch", 2))
    one = deals("mensch", 2)
    assert list(one) == list(deals("mensch", 2, seed=one.seed))


def test_what_is_tried_is_told() -> None:
    order = deals("german-solo", 6, seed=7, where=WHERE)
    list(order)
    cards, solo = order.tried
    assert (cards.text, solo.text) == ("trumps(E, H) > trumps(S, H)", "makes(N, solo, H)")
    assert order.drawn == cards.asked >= cards.held == solo.asked >= solo.held == order.found == 6


def test_functions_are_conditions_too() -> None:
    def balanced(deal: Deal) -> bool:
        return all(1 <= printed(deal, "N", suit) <= 3 for suit in "SHDC")

    order = deals("german-solo", 20, seed=1, where=["length(N, S) == 3", balanced])
    assert all(balanced(deal) and printed(deal, "N", "S") == 3 for deal in order)
    assert [(one.text, one.held) for one in order.tried] == [("balanced", 20)]


def test_functions_with_the_same_name_are_counted_separately() -> None:
    where = [lambda deal: len(deal.hands["N"]) == 8, lambda deal: "SA" in deal.hands["N"]]
    order = deals("german-solo", 6, seed=1, where=where)
    assert all("SA" in deal.hands["N"] for deal in order)
    every, some = order.tried
    assert every.text == some.text == "<lambda>"
    assert order.drawn == every.asked == every.held == some.asked > some.held == 6


def test_a_condition_written_twice_counts_once() -> None:
    order = deals("german-solo", 6, seed=7, where=[WHERE, WHERE])
    assert list(order) == list(deals("german-solo", 6, seed=7, where=WHERE))
    cards, solo = order.tried
    assert order.drawn == cards.asked >= cards.held == solo.asked >= solo.held == 6


def test_the_rarest_of_functions_with_the_same_name_is_found(monkeypatch) -> None:
    monkeypatch.setattr("spadille.generate.deals.deal_search._RAREST", 300)
    where = [lambda deal: True, lambda deal: False]
    with pytest.raises(TooRareError, match="the rarest: <lambda> holds in 0 of 301"):
        list(deals("german-solo", 2, seed=1, where=where))


def test_too_rare_conditions_are_given_up_and_the_rarest_is_named(monkeypatch) -> None:
    monkeypatch.setattr("spadille.generate.deals.deal_search._RAREST", 300)
    where = ["length(E, S) < 8 - length(W, S)", "length(N, H) * length(S, H) > 16"]
    with pytest.raises(TooRareError) as found:
        list(deals("german-solo", 2, seed=1, where=where))
    assert re.fullmatch(
        r"gave up after 301 deals, of which 0 meet all conditions; the rarest: "
        r"length\(N, H\) \* length\(S, H\) > 16 holds in 0 of \d+",
        str(found.value),
    )
    order = deals("german-solo", 10**6, seed=1, seconds=0.2)
    with pytest.raises(TooRareError, match=r"gave up after \d+ deals: out of time"):
        list(order)
    assert order.found == order.drawn > 10
    order = deals("german-solo", 5, seed=1, where=lambda deal: "SA" in (deal.hands["N"] or ()))
    assert next(iter(order))
    never = "tricks(N, solo, H) > 8"
    with pytest.raises(TooRareError, match=r"the rarest: tricks\(N, solo, H\) > 8 holds in 0 of"):
        list(deals("german-solo", 2, seed=1, where=never, seconds=0.01))


@pytest.mark.parametrize(
    ("code", "given"),
    [
        ("conditions-impossible", {"where": "trumps(N, H) > 8"}),
        ("conditions-impossible", {"where": "1 > 2"}),
        ("conditions-impossible", {"where": "length(N, H) > 4 and length(E, H) > 4"}),
        ("card-duplicate", {"hands": {"N": "A...", "E": "A..."}}),
        ("card-duplicate", {"hands": {"N": "AA..."}}),
        ("hand-size", {"hands": {"N": "AKQJ.AKQJ.A."}}),
        ("hand-unreadable", {"hands": {"N": "AK"}}),
        ("card-not-in-deck", {"hands": {"N": "2..."}}),
        ("seat-unknown", {"hands": {"X": "A..."}}),
        ("seat-unknown", {"shapes": {"1": "5-x-x-x"}}),
        ("shape-unreadable", {"shapes": {"N": "5-4-3"}}),
        ("shape-unreadable", {"shapes": {"N": "5-4-a-x"}}),
        ("shape-impossible", {"shapes": {"N": "5-4-x-x"}}),
        ("trump-unknown", {"shapes": {"N": "5.x.x.x@Q"}}),
        ("seat-unknown", {"dealer": "X"}),
        ("turn-up-unexpected", {"turn_up": "H"}),
        ("current-trump-not-allowed", {"current_trump": "H"}),
        ("argument-invalid", {"number": -1}),
        ("argument-invalid", {"threads": 0}),
        ("argument-invalid", {"seconds": -1}),
        ("argument-invalid", {"where": 5}),
        ("argument-invalid", {"seed": "x"}),
        ("argument-invalid", {"hands": {"N": 5}}),
        ("trump-missing", {"where": "makes(N, solo)"}),
        ("called-own", {"where": "makes(N, frog, H, HA)"}),
        ("option-unknown", {"options": "x=y"}),
    ],
)
def test_what_cannot_be_is_refused_at_once(code: str, given) -> None:
    with pytest.raises(SpadilleError) as found:
        deals("german-solo", **{"seed": 1, **given})
    if code == "called-own":
        assert isinstance(found.value, ArgumentError)
    else:
        assert found.value.code == code


@pytest.mark.parametrize("trump", ["N", "nt", "NT"])
def test_a_message_names_the_trump_as_it_was_typed(trump: str) -> None:
    where = f"makes(N, solo, {trump})"
    with pytest.raises(ArgumentError) as found:
        deals("german-solo", seed=1, where=where)
    assert str(found.value) == (
        f"{where!r}: Solo cannot be played with trump {trump} here, only S H D C"
    )


def test_what_only_a_later_board_cannot_be_is_refused_at_once() -> None:
    spades = {"hands": {"N": "A..."}, "where": "holds(dealer, SA)"}
    assert len(list(deals("mensch", 1, seed=1, **spades))) == 1
    with pytest.raises(ArgumentError, match=r"meets the conditions \(dealer E\)"):
        deals("mensch", 2, seed=1, **spades)
    hearts = "makes(N, solo, H)"  # the current trump is given for the first board only
    deals("anna-cubed", 1, seed=1, where=hearts)
    with pytest.raises(ArgumentError, match=r"only C \(dealer E, current trump C\)"):
        deals("anna-cubed", 2, seed=1, where=hearts)
    with pytest.raises(ArgumentError, match="only C"):
        frequencies(deals("anna-cubed", 2, seed=1), hearts)


@pytest.mark.parametrize("suit", "SHDC")
def test_what_few_deals_allow_is_asked_of_those(suit: str) -> None:
    found = list(deals("solo-whist", 4, seed=1, where=f"tricks(N, solo, {suit}) >= 0"))
    assert [deal.current_trump for deal in found] == [suit] * 4


def test_of_no_deals_nothing_is_counted() -> None:
    [row] = frequencies(deals("mensch", 0, seed=1), "holds(dealer, CQ)")
    assert (row.deals, row.held, row.counted) == (0, 0, 0.25)


def test_frequencies_are_what_was_counted() -> None:
    order = deals("german-solo", 300, seed=3)
    rows = frequencies(order, ["trumps(N, H) >= 4", "trumps(N, H)"], "length(N, S)")
    found = list(deals("german-solo", 300, seed=3))
    for row in rows:
        own = [
            effective(deal, "N", "H")
            for deal in found
            if row.by in ({}, {"length(N, S)": printed(deal, "N", "S")})
        ]
        assert row.deals == len(own)
        if row.expression == "trumps(N, H)":
            assert row.mean == pytest.approx(sum(own) / len(own))
            assert (row.least, row.most) == (min(own), max(own))
            assert row.values == dict(sorted(Counter(own).items()))
            low, high = row.mean_interval
            assert 0 <= low <= row.mean <= high <= 8
        else:
            assert row.held == sum(number >= 4 for number in own)
            assert row.interval is not None
            assert row.counted is not None
    every = rows[0]
    share = sum(comb(10, k) * comb(22, 8 - k) for k in range(4, 9)) / comb(32, 8)
    assert every.counted == pytest.approx(share)
    assert len(rows) == 2 + 2 * len({printed(deal, "N", "S") for deal in found})


def test_frequencies_do_not_depend_on_threads() -> None:
    texts = ["makes(N, solo, H)", "payoff(N, frog, H)"]
    one, two = (
        frequencies(deals("german-solo", 12, seed=3, threads=j), texts, ["trumps(N, H) > 3"])
        for j in (1, 2)
    )
    assert one == two
    assert {row.counted for row in one} == {None}


def test_an_interval_around_each_share_and_what_could_not_be_asked() -> None:
    rows = frequencies(deals("german-solo", 60, seed=1), "makes(N, frog, D, SA)")
    (row,) = rows
    assert row.mean_interval is None
    (sums,) = frequencies(deals("german-solo", 9, seed=1), "points(N) + 1")
    assert (sums.mean_interval, sums.interval) == (None, None)
    held = sum("SA" in (deal.hands["N"] or ()) for deal in deals("german-solo", 60, seed=1))
    assert (row.open, row.deals) == (held, 60 - held)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_deals_are_alike_in_the_long_run(game: str) -> None:
    """Count the holders of two cards, in all deals and in those in which the first seat has one."""
    number, seats, (one, two) = 40_000, get_game(game).seats, ("HA", "DA")
    size, pack = get_game(game).hand_size, len(get_game(game).deck)
    room = {**dict.fromkeys(seats, size), None: get_game(game).talon_size}
    for known in ((), (one,)):
        where = f"holds({seats[0]}, {one})" if known else ()
        found = Counter(
            (deal.holder(one), deal.holder(two))
            for deal in deals(game, number, seed=1, where=where)
        )
        ways = {
            (first, second): room[first] * (room[second] - (first == second))
            for first in (seats[:1] if known else room)
            for second in room
        }
        every = sum(ways.values())
        assert every == (size if known else pack) * (pack - 1)
        far = sum(
            (found[key] - number * each / every) ** 2 / (number * each / every)
            for key, each in ways.items()
            if each
        )
        free = sum(each > 0 for each in ways.values()) - 1
        assert (far - free) / (2 * free) ** 0.5 < 4, known


def test_it_is_lazy() -> None:
    order = deals("german-solo", 10**9, seed=1)
    assert len(list(islice(order, 3))) == 3
    assert isinstance(order, Deals)
    assert len(order) == 10**9
