"""A deal as one line of text, and the numbers of its hands."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import spadille
from spadille import ArgumentError, CardError, Deal, DealError, RulesError, SpadilleError
from spadille.games import GAMES, rules_for
from spadille.generate.deals.condition_expressions import expression
from spadille.generate.deals.condition_functions import FUNCTIONS, Setting
from spadille.generate.deals.condition_values import Answers
from spadille.search.engine import Solver
from tests.support.deals_and_outcomes import random_deal
from tests.support.tiers import tries

TOP = Path(__file__).parents[2]
FILES = [*sorted((TOP / "examples").glob("*.pbn")), *sorted((TOP / "examples").glob("[ep]*/*.pbn"))]
FROG = "N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98"
HANDS = "1:Q7.K.AJ.7632 .Q54.Q652.KQ K5.AJ2.K7.J4"
TALON = "S6,H3,D4,S3,S2,CA,SJ,H6,D3,SA,S4,H7,C5"
OMBRE = Deal.parse(HANDS, "ombre", dealer="2", talon=TALON)


def same(deal: Deal) -> None:
    again = Deal.parse(deal.text)
    assert again == deal
    assert again.text == deal.text
    assert hash(again) == hash(deal)
    assert "\n" not in deal.text
    assert eval(repr(deal), {"Deal": Deal}) == deal
    for other in (copy.copy(deal), copy.deepcopy(deal), pickle.loads(pickle.dumps(deal))):
        assert (other, other.text) == (deal, deal.text)


def test_the_form_is_as_documented() -> None:
    deal = Deal.parse(FROG, "german-solo")
    assert deal.text == f"german-solo {FROG}"
    assert repr(deal) == f"Deal.parse('german-solo {FROG}')"
    assert OMBRE.text == ("ombre 2:.Q54.Q652.KQ K5.AJ2.K7.J4 Q7.K.AJ.7632 talon=" + TALON)
    rich = replace(
        OMBRE,
        rules=rules_for("ombre", "estuche_chips=2;red_plain_order=ace-high"),
        pool=12,
        drawn={"3": ("S6", "H3"), "1": ()},
        discard={"3": ("C4", "D7")},
        from_hand=("2",),
    )
    assert rich.text == (
        "ombre;red_plain_order=ace-high;estuche_chips=2 2:.Q54.Q652.KQ K5.AJ2.K7.J4 Q7.K.AJ.7632 "
        f"talon={TALON} pool=12 drawn=3:S6,H3;1: discard=3:C4,D7 from_hand=2"
    )
    same(rich)
    assert [*Deal.parse(rich.text).drawn] == ["3", "1"], "the order in which they exchange"
    unordered = replace(OMBRE, talon=tuple(sorted(OMBRE.talon)), talon_ordered=False)
    assert unordered.text.endswith(" talon=AJ6432.763.43.A5")


@pytest.mark.parametrize("game", [*GAMES])
def test_every_game_reads_its_deals_again(game: str) -> None:
    for seed in range(20):
        same(Deal.random(game, seed))
    same(random_deal(rules_for(game), Random(1)))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_example_is_read_again(path: Path) -> None:
    deals = [entry.deal for entry in spadille.load(path) if entry.deal]
    assert deals
    for deal in deals:
        same(deal)


def test_what_is_not_known_stays_so() -> None:
    same(Deal.parse("solo-whist N:AKQJT98765432... - - - turn_up=S4"))
    whole = Deal.parse(f"german-solo {FROG.replace('..KQJ97.T98', '-')}")
    assert whole == Deal.parse(FROG, "german-solo"), "the pack settles the last hand"
    ending = Deal.parse("german-solo N:A... K... Q... J... leader=N won=N:3;E:4")
    assert (ending.leader, ending.won) == ("N", {"N": 3, "E": 4})
    same(ending)
    same(Deal.parse("N:A... K... Q... J...", "german-solo"))


def test_words_are_understood_as_elsewhere() -> None:
    assert Deal.parse(f"German-Solo {FROG}", "german solo") == Deal.parse(FROG, "german-solo")
    whist = Deal.random("solo-whist", 3)
    assert whist.turn_up is not None
    assert "current_trump" not in whist.text
    bare = replace(whist, turn_up=None)
    assert f" current_trump={bare.current_trump}" in bare.text
    same(bare)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("", DealError, "does not name its game"),
        (FROG, DealError, "does not name its game"),
        ("N:A... - - -", DealError, "does not name its game"),
        ("germn-solo N:AK... - - -", RulesError, "did you mean 'german-solo'"),
        ("german-solo;color=X N:AK... - - -", RulesError, "color"),
        ("german-solo", DealError, "after the game"),
        ("german-solo N:AK... - -", DealError, "4 hands"),
        ("german-solo X:AK... - - -", DealError, "is not a deal"),
        ("german-solo N:AK.. - - -", CardError, "not a hand"),
        ("german-solo N:AK... - - - tallon=S7", DealError, "did you mean 'talon'"),
        ("german-solo N:AK... - - - more", DealError, "write name=value"),
        ("ombre 1:A... - - talon=S6,S6", DealError, "S6"),
        ("ombre 1:A... - - talon=XY", DealError, "'XY' is not a card"),
        ("ombre 1:A... - - pool=x", DealError, "not a whole number"),
        ("ombre 1:A... - - pool=5 pool=6", DealError, "given twice"),
        ("ombre 1:A... - - drawn=1", DealError, "seat:value"),
        ("ombre 1:A... - - drawn=1:S6;1:S7", DealError, "a seat is given twice"),
        ("german-solo N:A... K... Q... J... won=X:1", RulesError, "not a seat"),
        ("german-solo N:A... K... Q... J... leader=X", RulesError, "not a seat"),
        ("german-solo N:AK... - - - current_trump=H", DealError, "current trump"),
    ],
)
def test_a_fault_is_told(text: str, kind: type[SpadilleError], words: str) -> None:
    with pytest.raises(kind, match=words):
        Deal.parse(text)


def test_a_line_takes_no_further_arguments() -> None:
    with pytest.raises(ArgumentError, match="no further arguments"):
        Deal.parse(f"german-solo {FROG}", dealer="N")
    with pytest.raises(ArgumentError, match="a deal of german-solo, not of mensch"):
        Deal.parse(f"german-solo {FROG}", "mensch")
    assert Deal.parse(f"german-solo {FROG}", "german-solo").dealer == "N"
    assert Deal.parse(FROG.replace("N:", "N :"), "german-solo").dealer == "N"


# The numbers of hands


def counted(deal: Deal, text: str) -> int:
    setting = Setting(deal.rules, deal.dealer, deal.current_trump)
    return Answers(deal, Solver(1 << 20)).value(expression(text, setting))


@pytest.mark.parametrize("game", [*GAMES])
def test_hands_count_as_conditions_do(game: str) -> None:
    for seed in range(tries(1, 8)):
        deal = Deal.random(game, seed)
        seats = [*deal.rules.seats, "dealer", "eldest"]
        seats += ["talon"] if deal.rules.game.talon_size else []
        for seat in seats:
            for suit in "SHDC":
                assert deal.length(seat, suit) == counted(deal, f"length({seat}, {suit})")
                for trump in deal.rules.trumps:
                    expected = counted(deal, f"length({seat}, {suit}, {trump})")
                    assert deal.length(seat, suit, trump) == expected
            for trump in deal.rules.trumps:
                assert deal.trumps(seat, trump) == counted(deal, f"trumps({seat}, {trump})")
                if deal.rules.game.matadors:
                    expected = counted(deal, f"matadors({seat}, {trump})")
                    assert deal.matadors(seat, trump) == expected
            for ranks in ("A", "AK", "QJ7"):
                assert deal.ranks(seat, ranks) == counted(deal, f"ranks({seat}, '{ranks}')")
            assert deal.points(seat) == counted(deal, f"points({seat})")
            assert deal.points(seat, "A10,1010") == sum(
                10 * deal.ranks(seat, rank) for rank in ("A", "10")
            )
            assert deal.points(seat, "A11 K4") == counted(deal, f"points({seat}, 'A11 K4')")
            cards = deal.rules.deck[seed : seed + 4]
            text = " ".join(cards)
            assert deal.cards(seat, text) == counted(deal, f"cards({seat}, '{text}')")
            assert deal.holds(seat, *cards[:1]) == counted(deal, f"holds({seat}, {cards[0]})")


def test_every_function_of_cards_is_a_method() -> None:
    of_contracts = {"tricks", "makes", "payoff", "strength"}
    names = FUNCTIONS.keys() - of_contracts
    assert names == {"length", "trumps", "matadors", "holds", "cards", "ranks", "points"}
    assert all(callable(getattr(Deal, name)) for name in names)


def test_the_trump_of_the_deal_counts_where_none_is_named() -> None:
    deal = Deal.random("anna-cubed", 2)
    assert deal.current_trump is not None
    assert deal.trumps("North") == deal.trumps("N", deal.current_trump)
    frog = Deal.parse(FROG, "german-solo")
    assert (frog.trumps("N", "hearts"), frog.matadors("N", "♥"), frog.holds("S", "DA CA")) == (
        4,
        1,
        True,
    )
    for ask, words in [
        (lambda: frog.trumps("N"), "give a trump"),
        (lambda: frog.trumps("X", "H"), "'X' is not a seat"),
        (lambda: frog.trumps("talon", "H"), "not a seat"),
        (lambda: frog.trumps("N", "X"), "no trump"),
        (lambda: frog.length("N", "X"), "not a suit"),
        (lambda: frog.cards("N", "XX"), "not a card"),
        (lambda: frog.ranks("N", "X"), "not a rank"),
        (lambda: frog.points("N", "X1"), "not a rank and its value"),
        (lambda: frog.points("N", "A4 K3 A5"), "two values for A"),
        (lambda: frog.points("N", 5), "a scale must be text"),  # type: ignore[arg-type]
        (lambda: frog.ranks("N", 5), "ranks must be text"),  # type: ignore[arg-type]
        (lambda: frog.cards("N", 5), "cards must be text"),  # type: ignore[arg-type]
        (lambda: frog.holds("N", "CA", None), "cards must be text"),  # type: ignore[arg-type]
        (lambda: Deal.parse("mensch N:A... - - -").matadors("N", "H"), "is unknown|no matadors"),
        (lambda: Deal.parse("german-solo N:A... - - -").points("E"), "is unknown"),
        (lambda: deal.matadors("N"), "no matadors"),
    ]:
        with pytest.raises(SpadilleError, match=words):
            ask()
