"""Compare the counts of expressions with the cards themselves, and test what they reject."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spadille.analysis.contracts.hand_strength import strength
from spadille.base.errors import ArgumentError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.generate.deals.condition_expressions import expression, read_conditions
from spadille.generate.deals.condition_functions import FUNCTIONS, Setting
from spadille.generate.deals.condition_values import Answers
from spadille.generate.deals.random_deals import deals
from spadille.search.engine import Solver

GERMAN = Setting(rules_for("german-solo"), "N")


def value(text: str, deal: Deal) -> int:
    setting = Setting(deal.rules, deal.dealer, deal.current_trump)
    return Answers(deal, Solver(1 << 20)).value(expression(text, setting))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_counts_are_those_of_the_cards(game: str, seed: int) -> None:
    deal = Deal.random(game, seed)
    rules = deal.rules
    for seat in rules.seats:
        hand = deal.hands[seat] or ()
        assert value(f"points({seat})", deal) == sum("JQKA".find(card[1]) + 1 for card in hand)
        assert value(f"ranks({seat}, 'AK')", deal) == sum(card[1] in "AK" for card in hand)
        for trump in "SHDC":
            held = [card for card in hand if rules.suit_of(trump)[card] == trump]
            assert value(f"trumps({seat}, {trump})", deal) == len(held)
            assert value(f"length({seat}, {trump}, {trump})", deal) == len(held)
            assert value(f"length({seat}, {trump})", deal) == sum(c[0] == trump for c in hand)
            if rules.game.matadors:
                high = rules.matadors(trump)
                assert value(f"matadors({seat}, '{trump}')", deal) == sum(c in high for c in hand)
        some = f"{hand[0]}, '{hand[1]} {hand[2]}'"
        assert value(f"holds({seat}, {some})", deal)
        other = next(card for card in rules.deck if card not in hand)
        assert not value(f"holds({seat}, {some}, {other})", deal)
        assert value(f"cards({seat}, {some}, {other})", deal) == 3
        if deal.talon:
            assert value("length(talon, H)", deal) == sum(card[0] == "H" for card in deal.talon)
    own = deal.hands[deal.dealer] or ()
    assert value("cards(dealer, 'SA HA DA CA')", deal) == sum(card[1] == "A" for card in own)
    eldest = deal.hands[rules.eldest(deal.dealer)] or ()
    assert value("points(eldest)", deal) == sum("JQKA".find(card[1]) + 1 for card in eldest)


def test_words_stand_in_quotes_or_without_and_without_a_trump_the_deals_own_counts() -> None:
    deal = Deal.random("solo-whist", 5)
    trump = deal.current_trump
    for text in (f"trumps(N, '{trump}')", f"trumps('N', {trump})", "trumps(North)", "trumps(N)"):
        assert value(text, deal) == sum(card[0] == trump for card in deal.hands["N"] or ())
    assert value("points(N, 'A2 K1')", deal) == value("2 * ranks(N, A) + ranks(N, K)", deal)
    ombre = Deal.random("ombre", 1)
    assert value("length(1, S)", ombre) == value("length('1', 'spades')", ombre)


DEAL = Deal.parse("N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98", "german-solo")


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("1 + 2 * 3 - -4", 11),
        ("min(5, 3, 4) + max(1, 2)", 5),
        ("1 < 2 < 3", True),
        ("1 < 3 < 3", False),
        ("4 in (1, 2)", False),
        ("4 not in [1, 2]", True),
        ("length(N, H) in (3, length(E, H))", True),
        ("not length(N, H) == 3 or length(E, D) == 1 and length(W, H) == 0", True),
        ("length(N, H) == 3 != (length(E, D) == 1 and length(W, H) == 2)", True),
        ("trumps(N, H) == 4 and trumps(S, H) == 3 and holds(S, SQ)", True),
        ("tricks(N, frog, H, DA)", 8),
        ("makes(N, frog, H, DA)", True),
        ("payoff(N, frog, H, DA)", 4),
        ("makes(N, frog, H)", True),
        ("payoff(N, solo, H) == payoff(N, 'solo', 'hearts')", True),
    ],
)
def test_what_they_are_worth(text: str, worth: int) -> None:
    assert value(text, DEAL) == worth


def test_without_the_card_that_is_called_the_best_one_counts() -> None:
    for seed in range(6):
        deal = Deal.random("german-solo", seed)
        for what in ("tricks", "makes", "payoff"):
            cards = deal.rules.callable_cards("D", deal.hands["N"] or ())
            each = [value(f"{what}(N, frog, D, {card})", deal) for card in cards]
            assert value(f"{what}(N, frog, D)", deal) == max(each)


def test_a_contract_the_deal_does_not_allow_makes_no_condition_true() -> None:
    answers = Answers(DEAL, Solver(1 << 20))
    text = "makes(N, frog, D, HA)"  # a card that the declarer holds
    for each in (text, f"not {text}"):
        (one,) = read_conditions(each, GERMAN)
        assert answers.known(one) is None
        assert not answers.holds(one)


@pytest.mark.parametrize(
    ("text", "code", "column", "told"),
    [
        ("trumps(N, H", "expression-unreadable", 7, "never closed"),
        ("trumps(N, H) >", "expression-unreadable", 15, ""),
        ("length(N, S) = 3", "expression-unreadable", None, "=="),
        ("length(N, S) => 3", "expression-unreadable", None, "write >= instead of =>"),
        ("length(N, S) ≥ 3", "expression-unreadable", None, "write >= instead of ≥"),
        ("1 > 0 && 2 > 1", "expression-unreadable", None, "write and instead of &&"),
        ("!holds(N, SA)", "expression-unreadable", None, "write not instead of !"),
        ("", "expression-unreadable", None, "empty"),
        ("1 +" * 2000 + "1 > 0", "expression-unreadable", None, "4000 characters"),
        ("(" * 1500 + "1" + ")" * 1500, "expression-unreadable", 201, "nested"),
        ("a" + "\0" + " > 1", "expression-unreadable", 2, "unexpected character"),
        ("trumps(N, H)", "expression-type", 1, "compare it"),
        ("1 > 0 and (trumps(N, H) or 1 > 0)", "expression-type", 12, "compare it"),
        ("trumpf(N, H) > 1", "expression-name", 1, "did you mean 'trumps'?"),
        ("1 < matadors", "expression-name", 5, "matadors(SEAT, TRUMP)"),
        ("1 < x", "expression-name", 5, "'x' has no meaning"),
        ("é > 1 or ß > 1", "expression-name", 1, ""),
        ("points(N) > 1 or 'é' == y", "expression-not-allowed", 18, ""),
        ("points(N, 'A4') > 'é' or y", "expression-not-allowed", 19, ""),
        ("holds(N, 'SA', é)", "card-unreadable", 16, "not a card"),
        ("holds(X, SA)", "seat-unknown", 7, "N, E, S, W, dealer or eldest"),
        ("holds(talon, SA)", "seat-unknown", 7, "N, E, S, W, dealer or eldest"),
        ("holds(N, S2)", "card-not-in-deck", 10, "pack of German Solo"),
        ("holds(N, SA, SA)", "card-duplicate", 1, "duplicate card"),
        ("holds(N)", "expression-arguments", 1, "holds(SEAT, CARD...)"),
        ("length(N, NT) > 1", "trump-unknown", 11, "S, H, D or C"),
        ("trumps(N, X) > 1", "trump-unknown", 11, "S, H, D or C"),
        ("trumps(N) > 1", "trump-missing", 1, "trumps(SEAT, TRUMP)"),
        ("length(N, H, H, H) > 1", "expression-arguments", 1, "length(SEAT"),
        ("length(N, suit=1) > 1", "expression-arguments", 1, "length(SEAT"),
        ("ranks(N, AX) > 1", "card-unreadable", 10, "not a rank"),
        ("points(N, 'A') > 1", "expression-arguments", 11, "A4 K3 Q2 J1"),
        ("makes(N, sola, H)", "contract-unknown", 10, "did you mean 'solo'?"),
        ("makes(N, solo, 5)", "expression-arguments", 16, "not a suit"),
        ("makes(N, solo, 1 + 1)", "expression-arguments", 16, "word"),
        ("max(1) > 0", "expression-arguments", 1, "two or more numbers"),
        ("1 in 2", "expression-type", 6, "brackets"),
        ("1 in (1, 2) in (1, 2)", "expression-type", 6, "list"),
        ("1 is 1", "expression-not-allowed", 1, "expressions have"),
        ("10000000000 > 1", "expression-not-allowed", 1, "at most 1,000,000,000"),
        ("True", "expression-not-allowed", 1, "expressions have"),
    ],
)
def test_errors_say_where_and_what_is_allowed(
    text: str, code: str, column: int | None, told: str
) -> None:
    with pytest.raises(ArgumentError) as found:
        read_conditions(text, GERMAN)
    assert (found.value.code, f", column {column}: " in str(found.value)) == (
        code,
        column is not None,
    )
    assert told in str(found.value)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "(1).__class__",
        "points.__globals__",
        "[c for c in (1, 2)]",
        "(lambda: 1)()",
        "1 if 1 else 2",
        "'a' * 10",
        "2 ** 9 ** 9",
        "1 // 0 == 1",
        "1 << 99",
        "f'{1}'",
        "{1: 2}",
        "(x := 1)",
        "points(*N)",
        "points(**N)",
        "exec('1')",
        "min.__call__(1, 2)",
        "max([1, 2])",
        "... == 1",
        "1.5 > 1",
        "await x",
        "~1",
    ],
)
def test_nothing_of_python_is_evaluated(text: str) -> None:
    for read in (read_conditions, expression):
        with pytest.raises(ArgumentError) as found:
            read(text, GERMAN)
        assert found.value.code.startswith("expression-")


def test_what_stands_joined_by_and_is_several_conditions() -> None:
    found = read_conditions("trumps(N, H) > 1 and (holds(N, SA) and (1 > 0 or 2 > 3))", GERMAN)
    assert [one.text for one in found] == ["trumps(N, H) > 1", "holds(N, SA)", "1 > 0 or 2 > 3"]


def test_strength_is_that_of_the_hand_at_its_place_in_the_trick() -> None:
    for seed in range(40):
        deal = Deal.random("german-solo", seed)
        for position, seat in enumerate(deal.rules.in_turn(deal.rules.eldest(deal.dealer))):
            hand = deal.hands[seat] or ()
            for contract in ("solo H", "frog C"):
                found = strength(hand, contract, "german-solo", position=position)
                words = contract.replace(" ", ", ")
                assert value(f"strength({seat}, {words}) > {found.made - 1e-6:.9f}", deal)
                assert not value(f"strength({seat}, {words}) > {found.made + 1e-6:.9f}", deal)


def test_deals_with_strong_hands() -> None:
    found = deals("german-solo", 5, seed=3, where="strength(N, solo, H) >= 0.6", dealer="W")
    made = [strength(deal.hands["N"] or (), "solo H", "german-solo", position=0) for deal in found]
    assert len(made) == 5
    assert all(one.made >= 0.6 for one in made)
    # The seat leads to the first trick only if its right-hand neighbor has dealt.
    turns = list(deals("german-solo", 4, seed=3, where="strength(N, solo, H) >= 0.6"))
    for deal in turns:
        position = deal.rules.in_turn(deal.rules.eldest(deal.dealer)).index("N")
        hand = deal.hands["N"] or ()
        assert strength(hand, "solo H", "german-solo", position=position).made >= 0.6


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("strength(N, solo, H)", "compare a share"),
        ("strength(N, sola, H) > 0.5", "'sola'"),
        ("strength(N, solo) > 0.5", "a trump is missing"),
        ("strength(N, solo, H, SA) > 0.5", "has no called card"),
        ("strength(X, solo, H) > 0.5", "'X' is"),
        ("strength(N) > 0.5", r"write strength\(SEAT"),
        ("0.5 + trumps(N, H)", "not allowed"),
    ],
)
def test_what_strength_does_not_take(text: str, words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        expression(text, GERMAN)


def test_strength_needs_tables() -> None:
    higher = Setting(rules_for("german-solo", "matador_rule=higher-only"), "N")
    with pytest.raises(ArgumentError, match="no strength tables for German Solo with"):
        expression("strength(N, solo, H) > 0.5", higher)


def test_every_function_is_tried_here() -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    assert [name for name in FUNCTIONS if f"{name}(" not in text] == []


def test_every_function_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs" / "deal.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)\(", page, re.MULTILINE)
    assert listed == list(FUNCTIONS)


@pytest.mark.ci
def test_contracts_of_all_kinds() -> None:
    squint = Deal.random("squint", 3)
    assert value("payoff(1, nemo, H)", squint) % 10 == 0
    whist = Deal.random("solo-whist", 2)
    assert value("tricks(N, 'prop-cop', S)", whist) == value(
        "tricks(N, 'prop-cop', 'South')", whist
    )
    assert value("makes(E, misere)", whist) in (0, 1)
    quadrille = Deal.random("quadrille", 2)
    assert Contract.parse(quadrille, "N solo H")
    assert value("payoff(N, solo, H)", quadrille) != 0
