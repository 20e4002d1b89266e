"""Problems found at random are unique, solved to the end, and described correctly."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

import spadille
from spadille import Deal, Game, Limits
from spadille.base.errors import ArgumentError, TooFewError, TooHardError
from spadille.games import GAMES, get_game
from spadille.generate.problems.goal_and_winning_cards import stake_of
from spadille.generate.problems.likely_play import imagined
from spadille.generate.problems.themes import THEMES, KeyDecision
from spadille.search.limited_search import Search
from tests.support.problem_referee import confirm
from tests.support.tiers import part, tries


@pytest.mark.parametrize(
    ("game", "themes", "tricks", "seed"),
    [
        ("ombre", "privilege", (3, 4), 14),
        *(pytest.param(game, (), (2, 3), 11, marks=pytest.mark.ci) for game in GAMES),
    ],
)
def test_brute_force_confirms_what_is_found(
    game: str, themes: str, tricks: tuple[int, int], seed: int
) -> None:
    found = list(spadille.problems(game, 1, seed=seed, themes=themes, tricks=tricks))
    for problem in found:
        if problem.play:
            confirm(problem)
        assert problem.difficulty >= sum(ply.only for ply in problem.line)


@pytest.mark.parametrize("game", part(["ombre", "quintille"], 2))
def test_the_same_seed_finds_the_same_on_any_number_of_threads(game: str) -> None:
    texts = [
        [
            one.text()
            for one in spadille.problems(game, 2, seed=3, themes=("privilege", "lead"), threads=n)
        ]
        for n in (1, 2)
    ]
    assert texts[0] == texts[1]
    assert len({*texts[0]}) == 2


def test_a_problem_is_an_entry_that_says_the_same() -> None:
    (problem,) = spadille.problems("ombre", 1, seed=5, themes="privilege")
    entry = problem.entry
    assert entry.findings == []
    assert (entry.deal, entry.contract) == (problem.deal, problem.contract)
    assert entry.play is not None
    assert entry.play.cards == problem.play
    posed = entry.posed
    assert posed is not None
    assert (posed.question, posed.key) == (problem.question, problem.key)
    assert (posed.themes, posed.difficulty) == (problem.themes, problem.difficulty)
    assert posed.solution == problem.solution
    text = spadille.dumps([entry])
    assert spadille.dumps(spadille.read(text)) == text
    assert spadille.read(text)[0].posed == posed


@pytest.mark.ci
def test_played_hands_are_looked_through() -> None:
    (made,) = spadille.problems("ombre", 1, seed=1, themes="privilege")
    cards = (*made.play, *(ply.card for ply in made.line))
    played = [(made.deal, made.contract, cards)]
    (found,) = spadille.problems(played, 1, themes="privilege", seed=1)
    assert (found.play, found.key, found.line) == (made.play, made.key, made.line)
    (found,) = spadille.problems(spadille.read(spadille.dumps(played)), 1, seed=1)
    assert found.play == cards[: len(found.play)]
    with pytest.raises(TooFewError, match="1 problem in these hands, and no more"):
        list(spadille.problems(played, 2, seed=1))
    with pytest.raises(TooFewError):
        next(spadille.problems(played, contracts="misere", seed=1))


def test_every_theme_has_its_definition() -> None:
    assert all((theme.holds.__doc__ or "").strip().endswith(".") for theme in THEMES.values())


@pytest.mark.parametrize("theme", ["lead", pytest.param("called-card", marks=pytest.mark.slow)])
def test_themes_can_be_asked_for(theme: str) -> None:
    (problem,) = spadille.problems("mensch", 1, seed=1, themes=theme, tricks=(3, 3))
    assert theme in problem.themes


@pytest.mark.parametrize(("low", "high"), part([(4, 99), (0, 2.5)], 2))
def test_difficulty_can_be_asked_for(low: float, high: float) -> None:
    (one,) = spadille.problems(
        "quintille", 1, seed=1, difficulty=(low, high), tricks=(3, 4), themes="privilege"
    )
    assert low <= one.difficulty <= high


# Invalid arguments


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"themes": "endplay"}, "not a theme"),
        ({"themes": "misere-exit"}, "German Solo has no misere-exit"),
        ({"themes": "privilege misere-exit", "options": "matador_rule=none"}, "with these rules"),
        ({"number": -1}, "0 or more"),
        ({"difficulty": (3, 2)}, "from the least to the most"),
        ({"tricks": (0, 2)}, "with 2 tricks left nobody has 3 cards"),
        ({"limits": 5}, "limits must be a Limits"),
        ({"seed": "1"}, "a seed must be an integer"),
    ],
)
def test_other_arguments_are_refused(given: dict[str, object], says: str) -> None:
    with pytest.raises(ArgumentError, match=says):
        spadille.problems("german-solo", **given)  # type: ignore[arg-type]


def test_a_theme_is_looked_for_where_it_can_come_up() -> None:
    with pytest.raises(ArgumentError, match="Mensch has no called-card in these contracts"):
        spadille.problems("mensch", themes="called-card", contracts="solo five")
    found = spadille.problems(
        "solo-whist", tries(1, 3), seed=1, themes="misere-exit", tricks=(3, 3)
    )
    assert {one.contract.ids[0] for one in found} <= {"misere", "misere-ouverte"}


@pytest.mark.ci
@pytest.mark.parametrize("source", ["mensch", get_game("mensch")])
def test_it_is_given_up_when_the_time_is_over(source: str | Game) -> None:
    found = spadille.problems(source, 10_000, seed=1, limits=Limits(seconds=0.3))
    with pytest.raises(TooFewError, match="out of time"):
        list(found)


def test_options_of_the_game_count() -> None:
    (problem,) = spadille.problems(
        "ombre", 1, seed=14, options="estuche_chips=3", themes="privilege", tricks=(3, 4)
    )
    assert problem.deal.rules.options["estuche_chips"] == "3"
    assert replace(problem, difficulty=0.0).entry.rules == problem.deal.rules


def test_a_theme_is_looked_for_wherever_it_can_occur() -> None:
    """Whichever card is the key, a position without a search has the theme if it can have it."""
    counts = {(name, possible): 0 for name in ("hold-up", "overtake") for possible in (True, False)}
    for seed in range(20):
        deal = Deal.random("ombre", seed)
        contract = deal.contract("solo", "1", "S")
        search = Search(None, Limits(nodes=200_000))
        played = []
        with suppress(TooHardError):
            played = imagined(deal, contract, Random(seed), search)
        for at, _ in played:
            groups = search.solver.classes(at.problem).values()
            stake = stake_of(deal, contract, at, search)
            if stake is None:
                continue
            for name in ("hold-up", "overtake"):
                possible = THEMES[name].possible_at(at.problem, groups)
                counts[name, possible] += 1
                if not possible:
                    keys = [KeyDecision(stake, tuple(group), False) for group in stake.choices]
                    assert not any(THEMES[name].holds(key) for key in keys)
    assert min(counts.values()) > 20
