"""The record of hidden cards: what each fact excludes, its sentences, and contradictions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pytest

from spadille import Contract, Deal, Position, know
from spadille.base.errors import DealError, TooRareError
from spadille.core.knowledge.card_facts import AWAY, PILE, Condition, Fact, Hidden
from spadille.core.knowledge.conditioned_layouts import FittingLayouts
from spadille.core.knowledge.layouts import BinSum, Layouts
from spadille.core.knowledge.random_numbers import Draws, ranks
from spadille.core.knowledge.seat_knowledge import Assumptions
from spadille.core.knowledge.starting_knowledge import Start
from spadille.games import rules_for

RULES = rules_for("german-solo")
CARDS = ("SA", "SK", "HA", "HK", "DA")


def hidden(**sizes: int) -> Hidden:
    return Hidden(RULES, CARDS, sizes or {"E": 2, "W": 2, PILE: 1})


def holders(record: Hidden) -> dict[str, str]:
    """Return the possible places of each card as one word."""
    names = {"E": "E", "W": "W", PILE: "p"}
    return {
        card: "".join(names[place] for place in ("E", "W", PILE) if place in places)
        for card, places in record.holders.items()
    }


def facts(record: Hidden) -> list[str]:
    return [fact.text for fact in record.facts]


def refused(call: Callable[..., object], *words: object) -> str:
    with pytest.raises(DealError) as error:
        call(*words)
    assert error.value.code == "record-impossible"
    return str(error.value.args[0])


def test_a_card_seen_is_no_longer_hidden() -> None:
    record = hidden()
    record.see("SA", "is on the table")
    assert {*record.holders} == {*CARDS[1:]}
    again = refused(record.see, "SA", "is with West")
    assert again == "impossible: SA is with West, but it is on the table"
    strange = refused(record.see, "S2", "is with West")
    assert strange == "impossible: S2 is with West, but it is not in the pack"


def test_a_denial_concerns_the_cards_that_may_lie_there() -> None:
    record = hidden()
    record.deny("E", ["SA", "SK", "D7"], "East has no spades")
    record.deny("E", ["SA", "D7"], "said twice")  # nothing is left to exclude
    assert holders(record) == {"SA": "Wp", "SK": "Wp", "HA": "EWp", "HK": "EWp", "DA": "EWp"}
    assert facts(record) == ["East has no spades"]
    assert record.facts[0].cards == {"SA", "SK"}
    record.deny("W", ["SA"], "West has no SA")
    reason = refused(record.deny, PILE, ["SA"], "nobody put it away.")
    assert reason == (
        "impossible: nobody can hold SA: East has no spades; West has no SA; nobody put it away."
    )


def test_a_card_put_somewhere_lies_there_alone() -> None:
    record = hidden()
    record.put("SA", ("E", PILE), "put")
    record.put("D7", ("E",), "not hidden")
    assert holders(record) == {"SA": "Ep", "SK": "EWp", "HA": "EWp", "HK": "EWp", "DA": "EWp"}
    assert facts(record) == ["put"]
    assert record.facts[0].cards == {"SA"}
    message = refused(record.put, "SA", ("W",), "West showed it")
    assert message == "impossible: nobody can hold SA: put; West showed it"


def test_a_played_card_leaves_one_card_less() -> None:
    record = hidden()
    record.play("E", "SA", 3)
    assert record.sizes == {"E": 1, "W": 2, PILE: 1}
    assert record.seen == {"SA": "was played by East to trick 3"}
    record.play("E", "SK", 4)
    message = refused(record.play, "E", "HA", 5)
    assert message == "impossible: East plays HA to trick 5, but East has no cards left"
    record = hidden()
    record.deny("E", ["SA"], "East has no spades")
    message = refused(record.play, "E", "SA", 2)
    assert message == "impossible: East plays SA to trick 2, but East has no spades"


def test_a_hand_that_is_shown_is_no_place_any_more() -> None:
    record = hidden()
    record.require(Condition("E", {"HA": 1}, {1: 1}, Fact("East has HA")))
    record.require(Condition("W", {"HA": 1}, {0: 1}, Fact("West has not")))
    record.show("E", ["SA", "HA"], "East shows a hand")
    assert record.sizes == {"W": 2, PILE: 1}
    assert holders(record) == {"SK": "Wp", "HK": "Wp", "DA": "Wp"}
    assert [condition.seat for condition in record.conditions] == ["W"]
    assert facts(record)[-1] == "East shows a hand"
    assert record.seen == dict.fromkeys(("SA", "HA"), "is in the hand of East")
    message = refused(record.show, "W", ["SA"], "West shows a hand")
    assert message == "impossible: SA is in the hand of West, but it is in the hand of East"
    record.deny("W", ["SK"], "West has no spades")
    message = refused(record.show, "W", ["SK"], "West shows a hand")
    assert message == "impossible: West shows a hand with SK, but West has no spades"


def test_a_condition_on_a_hand_that_is_not_hidden_says_nothing() -> None:
    record = hidden()
    record.require(Condition("N", {"SA": 1}, {1: 1}, Fact("North has it")))
    assert (record.conditions, facts(record)) == ([], [])


@pytest.mark.parametrize(("number", "sizes"), [(1, {"E": 1, "W": 2, PILE: 1, "x": 1}), (2, None)])
def test_a_place_is_split(number: int, sizes: dict[str, int] | None) -> None:
    record = hidden()
    record.deny("E", ["SA"], "no")
    record.split("E", "x", number)
    assert record.sizes == (sizes or {"W": 2, PILE: 1, "x": 2})
    assert record.holders["SA"] == {"W", PILE}
    assert record.holders["SK"] == {"W", PILE, "x"} | ({"E"} if sizes else set())
    assert record.places == tuple(record.sizes)


def test_facts_are_told_while_they_say_something() -> None:
    record = hidden()
    record.tell("always")
    record.tell("always")
    record.deny("E", ["SA", "SK"], "east has no spades")
    record.allow("W", {"SA": "Ace", "SK": "King", "HA": "Heart"}, "west may hold {}")
    told = ("Always", "East has no spades", "West may hold Ace, King and Heart")
    assert record.sentences == told
    record.deny("W", ["SA"], "no ace")
    record.see("SA", "is there")
    assert record.sentences == (*told[:2], "West may hold King and Heart")
    record.see("SK", "is there")
    assert record.sentences == ("Always", "West may hold Heart")
    record.see("HA", "is there")
    assert record.sentences == ("Always",)


@pytest.mark.parametrize("values", [{"SA": 1, "HA": 1}, {"SA": 2, "HA": 2}, {"SA": 1, "HA": 3}])
@pytest.mark.parametrize("weights", [{0: 1}, {1: 1, 3: 2}, {2: 5, 4: 1}, {0: 1, 2: 1}])
@pytest.mark.parametrize("played", [(), ("SA",), ("SK",), ("SA", "HA")])
@pytest.mark.parametrize("since", [0, 1])
def test_a_condition_counts_the_hand_before_some_plays(
    values: dict[str, int], weights: dict[int, int], played: tuple[str, ...], since: int
) -> None:
    """In each layout, the condition counts East's current cards and those played since."""
    record = hidden()
    fact = Fact("told")
    condition = Condition("E", values, weights, fact)
    record.require(condition if not since else replace(condition, since=since))
    for trick, card in enumerate(played, 1):
        record.play("E", card, trick)
        record.played.append(("E", card))
    counted = played[since:]
    expected = {}
    for east in combinations(record.holders, 2 - len(played)):
        total = sum(values.get(card, 0) for card in (*east, *counted))
        expected[frozenset(east)] = weights.get(total, 0)
    wanted = {east: weight for east, weight in expected.items() if weight}
    if not wanted:
        message = refused(record.layouts, {})
        assert message == "impossible: no layout of the hidden cards allows this: told"
        return
    layouts = record.layouts({})
    found = {frozenset(layout[0]): weight for layout, weight in layouts.weighed()}
    # Only the proportions count: equal weights may be left out.
    assert found.keys() == wanted.keys()
    assert len({wanted[east] / weight for east, weight in found.items()}) == 1


def test_facts_that_exclude_each_other_are_all_told() -> None:
    record = hidden()
    record.deny("E", ["SA", "SK", "HA", "HK"], "east has one card at most")
    message = refused(record.layouts, {})
    assert message == (
        "impossible: no layout of the hidden cards fits all of these facts: "
        "East has one card at most"
    )


def test_draws_without_seed_and_block_are_those_of_zero() -> None:
    layouts = Layouts(dict.fromkeys(map(str, range(20)), (0, 1)), [10, 10])
    expected = ranks(layouts.count, 9, 0, 0)
    assert ranks(layouts.count, 9) == layouts.sample(9) == next(layouts.samples(9)) == expected
    assert Draws(5).word() == Draws(5, 0).word() != Draws(5, 1).word()
    deal = Deal.random("german-solo", 1)
    fitting = FittingLayouts(
        layouts, [lambda deal: True], SimpleNamespace(deal_of=lambda layout: deal)
    )
    # At least 64 are drawn at a time.
    assert fitting.sample(9) == fitting.sample(9, 0, 0) == ranks(layouts.count, 64, 0, 0)[:9]
    assert [rank for part in fitting.samples(9) for rank in part] == fitting.sample(9)
    assert len({tuple(fitting.sample(9, *at)) for at in ((0, 0), (1, 0), (0, 1))}) == 3


def test_a_search_gives_up_when_fewer_than_one_in_a_million_fit() -> None:
    """One of exactly a million is not yet too few; 64 more are tried."""
    layouts = Layouts(dict.fromkeys(map(str, range(40)), (0, 1)), [20, 20])
    other = Deal.random("mensch", 1)
    fitting = FittingLayouts(
        layouts, [lambda deal: False], SimpleNamespace(deal_of=lambda layout: other)
    )
    fitting.drawn, fitting._met = 4_000_000 - 64, [4]
    with pytest.raises(TooRareError, match=r"given up: 4 of 4,000,064 tested layouts fit"):
        fitting.sample(1)


def test_number_of_cards_within_limits() -> None:
    """Without limits every number is allowed, and limits beyond the cards have no effect."""
    cards = ("a", "b", "c")
    assert dict(BinSum.number(2, cards).weights) == {0: 1, 1: 1, 2: 1, 3: 1}
    assert dict(BinSum.number(2, cards, 1, 2).weights) == {1: 1, 2: 1}
    assert dict(BinSum.number(2, cards, -1, 9).weights) == {0: 1, 1: 1, 2: 1, 3: 1}
    found = BinSum.number(2, cards, 1)
    assert (found.at, dict(found.values)) == (2, {"a": 1, "b": 1, "c": 1})


# What an exchange shows


def vuelta(ordered: bool, **changes: object) -> tuple[Deal, Contract]:
    deal = Deal.random("ombre", 4, dealer="3")
    trump = deal.talon[0][0]
    return (
        replace(deal, talon_ordered=ordered, **changes),  # type: ignore[arg-type]
        Contract(("1",), ("vuelta",), trump),
    )


@pytest.mark.parametrize("ordered", [False, True])
def test_everybody_has_seen_the_top_card_of_an_ordered_talon(ordered: bool) -> None:
    deal, contract = vuelta(ordered)
    top = deal.talon[0]
    known = know(deal, contract, "2")
    told = f"{top} was turned up on the talon; it is still there"
    assert (told in known.sentences) == ordered
    assert (known.unseen[top] == (PILE,)) == ordered


@pytest.mark.parametrize("discards", ["keep-best", "uniform", "keep-trumps"])
def test_what_is_assumed_of_discards_is_told(discards: str) -> None:
    deal, contract = vuelta(ordered=True)
    away = tuple(card for card in deal.hands["1"] or () if card[0] != contract.trump)[:2]
    deal = replace(deal, discard={"1": away})
    known = know(deal, contract, "2", assumptions=Assumptions(discards=discards))  # type: ignore[arg-type]
    assert "Player 1 exchanged 2 cards" in known.sentences
    uniform = "Other players' discards are assumed to be random cards"
    keep = "Nobody discarded a trump, by assumption"
    assert (uniform in known.sentences, keep in known.sentences) == (
        discards == "uniform",
        discards == "keep-trumps",
    )
    best = (
        "Other players are assumed to exchange as many cards as they may, but hardly ever trumps "
        "or the highest card of a plain suit"
    )
    assert (best in known.sentences) == (discards == "keep-best")
    # If no other player has exchanged, no assumption is needed.
    own = know(deal, contract, "1")
    assert {uniform, keep, best}.isdisjoint(own.sentences)
    assert f"Player 1 discarded {' '.join(away)}" in own.sentences


def test_a_position_of_a_layout_has_the_cards_played() -> None:
    deal = Deal.random("german-solo", 2)
    contract = Contract((deal.rules.seats[0],), ("solo",), "H")
    position = Position.of(deal, contract)
    cards = []
    for _ in range(6):
        cards.append(position.legal()[0])
        position.play(cards[-1])
    known = know(deal, contract, None, cards)
    found = known.position(known.layouts.unrank(5))
    assert [card for trick in found.tricks for card in trick.cards][:4] == cards[:4]
    assert [card for _, card in found.trick] == cards[4:] == [card for _, card in known.trick]
    assert found.to_play == known.to_play == position.to_play
    assert known.leader == position.leader
    assert dict(known.won) == dict(position.won)
    assert not known.dealt
    assert know(deal, contract, known.seat, None).dealt
    assert repr(known) == f"<Knowledge of {known.seat}: {contract}, 6 cards played>"
    text = str(know(deal, contract, known.seat, None))
    assert text == "nothing is known except the hand"


def test_where_a_card_that_was_dealt_to_a_seat_may_lie() -> None:
    """It is in the seat's hand, or played in an end position, or discarded after an exchange."""
    ending = Deal.parse("N:A.K.Q. - - -", "german-solo", leader="N")
    whole = Deal.random("german-solo", 1)
    solo = Contract(("N",), ("solo",), "H")
    assert Start(ending, solo, "N", False, "uniform").reach("E") == ("E", PILE)
    assert Start(ending, solo, "N", False, "uniform").reach("N") == ("N",)
    assert Start(whole, solo, "N", False, "uniform").reach("E") == ("E",)

    deal, contract = vuelta(ordered=True)
    away = (deal.hands["1"] or ())[:2]
    exchanged = replace(deal, discard={"1": away, "3": ()})
    seen = Start(exchanged, contract, "2", False, "uniform")
    assert seen.reach("1") == ("1", PILE, AWAY)
    assert seen.reach("2") == ("2",)
    assert seen.reach("3") == ("3",)  # Player 3 exchanged nothing
    blind = replace(exchanged, hands={"1": None, "2": deal.hands["2"], "3": None}, discard={})
    open_exchange = Start(blind, contract, "2", False, "uniform")
    assert open_exchange.reach("1") == tuple(open_exchange.hidden.sizes)
    dealt = Start(exchanged, contract, "2", True, "uniform")
    assert dealt.reach("1") == ("1",)


@pytest.mark.parametrize("east", [2, 3, 5])
@pytest.mark.parametrize("total", range(33))
def test_a_sum_of_powers_of_two_determines_the_hand(total: int, east: int) -> None:
    record = hidden(E=east, W=5 - east)
    values = dict(zip(CARDS, (1, 2, 4, 8, 16), strict=True))
    record.require(Condition("E", values, {total: 1}, Fact("told")))
    hand = tuple(card for card, value in values.items() if value & total)
    if total > 31 or len(hand) != east:
        refused(record.layouts, {})
    else:
        (layout,) = record.layouts({})
        assert {*layout[0]} == {*hand}
