"""The rules of following suit are the same value everywhere.

Each test goes over `Following._fields`, so a new field fails until every place handles it.
"""

from __future__ import annotations

from random import Random

import pytest

from spadille.base.errors import IllegalCardError
from spadille.core.position import MUST_FOLLOW, REFUSALS, Position, refusal_of
from spadille.games import GAMES, rules_for
from spadille.games.model.following_suit import Following, MatadorRule
from spadille.pages.game_tables import game_tables
from spadille.search import engine
from spadille.search.encoding import encoding, situation
from spadille.search.engine import Solver
from spadille.search.engine_problem import EngineProblem
from tests.support import brute_force, random_endings
from tests.support.game_option_cases import following_options, option_values, variants
from tests.support.illegal_card_messages import is_message
from tests.support.random_endings import case

# A trump suit of eleven with three matadors on top, and two plain suits.
SPADILLE, MANILLE, BASTO, LOW = 10, 9, 8, 0
MATADORS = 1 << SPADILLE | 1 << MANILLE | 1 << BASTO
PLAIN, CALLED, OTHER = 16 + 3, 16 + 8, 32 + 1
HIGHER = MatadorRule.HIGHER_ONLY


def bits(*cards: int) -> int:
    return sum(1 << card for card in cards)


def to_answer(hand: int, *trick: int, called: int = -1) -> EngineProblem:
    """Return a three-player position in which the next player to a trick has this hand."""
    spare = iter(range(48, 61))
    hands = [
        hand
        if player == len(trick)
        else bits(*(next(spare) for _ in range(hand.bit_count() - (player < len(trick)))))
        for player in range(3)
    ]
    return EngineProblem(3, tuple(hands), 0, 0, trick, MATADORS, called)


# For each field, a position in which it changes the legal cards, and the values of the others.
WITNESSES: dict[str, tuple[EngineProblem, Following]] = {
    "matador_rule": (to_answer(bits(MANILLE, PLAIN), LOW), Following()),
    "highest_so_far": (to_answer(bits(BASTO, PLAIN), LOW, SPADILLE), Following(HIGHER)),
    "free_unless_all_lower": (
        to_answer(bits(SPADILLE, BASTO, PLAIN), MANILLE),
        Following(HIGHER),
    ),
    "free_called_lead": (to_answer(bits(CALLED, PLAIN, LOW), called=CALLED), Following()),
    "early_discard": (to_answer(bits(CALLED, PLAIN), OTHER, called=CALLED), Following()),
}


def test_the_engine_has_the_same_fields() -> None:
    assert Following._fields == engine.FOLLOWING_FIELDS, (
        "the fields of Following in games/model/following_suit.py differ from those of the engine. "
        "If csrc/following.hpp has them, rebuild the engine: pip install -e '.[dev]'"
    )


@pytest.mark.parametrize("field", Following._fields)
def test_the_engine_obeys_each_field(field: str) -> None:
    assert field in WITNESSES, (
        f"add {field!r} to WITNESSES in tests/search/test_following.py: a position in which it "
        "changes the legal cards"
    )
    problem, base = WITNESSES[field]
    changed = HIGHER if field == "matador_rule" else True
    found = []
    for following in (base, base._replace(**{field: changed})):
        asked = problem._replace(following=following)
        legal, _ = Solver().legal(asked)
        assert legal == brute_force.legal(asked, asked.hands[asked.to_play], asked.trick)
        found.append(legal)
    assert found[0] != found[1]


def test_an_option_settles_each_field() -> None:
    settled = {
        field
        for name, options in option_values()
        for field, before, after in zip(
            Following._fields,
            rules_for(name).following,
            rules_for(name, options).following,
            strict=True,
        )
        if before != after
    }
    missing = {*Following._fields} - settled
    assert not missing, f"no option of a game sets these fields in Following.of: {missing}"


@pytest.mark.parametrize(("game", "option"), following_options())
def test_every_rejected_card_has_a_refusal(game: str, option: str) -> None:
    """The page and `check` know only the reasons in `REFUSALS`."""
    kinds = rules_for(game, option).contracts
    for seed in range(20):
        deal, contract = case(game, option, [*kinds][seed % len(kinds)], seed)
        position = Position.of(deal, contract)
        rng = Random(seed)
        while not position.finished and not position.naming:
            for card in position.hands[position.to_play] - {*position.legal()}:
                refusal = refusal_of(position, card)
                with pytest.raises(IllegalCardError) as caught:
                    position.play(card)
                assert refusal in REFUSALS, (
                    f"add the reason of {caught.value!r} to REFUSALS in core/position.py, with the "
                    "number of the same reason in `Refusal` of csrc/following.hpp"
                )
                led = position.suit_of[position.trick[0][1]] if position.trick else None
                suits = {position.suit_of[held] for held in position.hands[position.to_play]}
                assert refusal is not MUST_FOLLOW or led in suits, (
                    f"{caught.value!r} is wrong: the player cannot follow suit. Add another Refusal"
                )
                assert is_message(refusal, str(caught.value)), (
                    f"let refusal_of in core/position.py return the Refusal of {caught.value!r}"
                )
            position.play(rng.choice(sorted(position.legal())))


@pytest.mark.ci
def test_problems_and_pages_take_the_whole_value() -> None:
    for name, options in option_values():
        rules = rules_for(name, options)
        assert game_tables(rules)["following"] == list(rules.following)
        assert encoding(rules, None).problem_of((), 0, (), -1).following == rules.following


@pytest.mark.parametrize("game", GAMES)
def test_the_referee_and_the_engine_allow_the_same_cards(game: str) -> None:
    solver = Solver()
    standard = rules_for(game).following
    for options in variants(game):
        rules = rules_for(game, options)
        if options and rules.following == standard:
            continue
        random = Random(f"legal cards {game} {options}")
        for _ in range(12):
            kind = random.choice([*rules.contracts.values()])
            trump = random_endings.some_trump(rules, kind, random)
            deal = random_endings.ending(rules, trump, random)
            contract = random_endings.contract_of(deal, kind, trump, random)
            position = Position.of(deal, contract)
            play: list[str] = []
            while allowed := sorted(position.legal()):
                at = situation(deal, contract, play)
                legal = brute_force.cards_of(solver.legal(at.problem)[0])
                names = sorted(at.encoding.names[card] for card in legal)
                assert names == allowed, (deal, contract, play)
                play.append(random.choice(names))
                position.play(play[-1])
