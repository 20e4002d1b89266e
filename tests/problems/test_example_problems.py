"""The problems in `examples/problems/` are sound, as every line of the slow rules confirms."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import spadille
from spadille.core.knowledge.seat_knowledge import know
from spadille.core.position import Position
from spadille.games import GAMES, rules_for
from spadille.generate.problems.plan_decision import PLAN, plan_decision, reasoned
from spadille.generate.problems.problem import METHODS
from spadille.generate.problems.soundness import Checked, verify
from spadille.generate.problems.themes import THEMES
from spadille.pbn.entry import Entry
from spadille_cli import main
from tests.support.plan_replay import Replay
from tests.support.plans_by_force import PlansByForce
from tests.support.problem_referee import Judge, at, judge_of, under, winners

FILES = sorted((Path(__file__).parents[2] / "examples" / "problems").glob("*.pbn"))
ENTRIES = {path: list(spadille.load(path)) for path in FILES}


def keyed(entry: Entry) -> bool:
    """Return whether a problem has a key that wins double-dummy, and not a plan."""
    return PLAN not in entry.posed.themes


def of_few_layouts(entry: Entry) -> bool:
    """Return whether a problem has a plan that can be replayed quickly."""
    if keyed(entry):
        return False
    return know(entry.deal, entry.contract, None, entry.play.cards).layouts.count <= 300


def tiers(few: int, wants: Callable[[Entry], bool] = keyed) -> list[Any]:
    """Return the entries to test: every run takes a few short four-player problems of each file.

    A twelfth of the others is tested in .ci/run, and the rest in .ci/long.
    """
    found = []
    for path, entries in ENTRIES.items():
        left = few
        for number, entry in enumerate(entries):
            if wants(entry):
                seats = len(entry.rules.seats)
                tricks = entry.rules.game.hand_size - len(entry.play.cards) // seats
                light = left > 0 and tricks <= 3 + (seats == 3) and seats < 5
                light = light and (keyed(entry) or of_few_layouts(entry))
                left -= light
                tier = pytest.mark.slow if number % 12 else pytest.mark.ci
                marks = [] if light else [tier]
                found.append(
                    pytest.param(path, number, id=f"{path.stem}-{number + 1}", marks=marks)
                )
    return found


def entry_of(path: Path, number: int) -> Entry:
    return ENTRIES[path][number]


def checked(entry: Entry) -> Checked:
    found = verify(entry)
    assert found is not None
    return found


def position_of(entry: Entry) -> Position:
    assert entry.play is not None
    return at(entry.deal, entry.contract, entry.play.cards)


def judge_for(entry: Entry, position: Position) -> Judge:
    points = re.search(r"sure of (\d+) points", entry.posed.question)
    return judge_of(position, entry.contract, int(points[1]) if points else 0)


def test_there_are_many_of_every_game_and_theme() -> None:
    entries = [entry for own in ENTRIES.values() for entry in own]
    assert len(entries) >= 200
    assert all(entry.findings == [] for entry in entries)
    for game in GAMES:
        own = [entry for entry in entries if entry.rules.game.id == game]
        assert len(own) >= 25
        assert len({entry.contract.ids for entry in own}) > 1
    assert {theme for entry in entries for theme in entry.posed.themes} == {*THEMES, PLAN}
    assert sum(entry.posed.method == "reasoned" for entry in entries) >= 200
    assert {entry.posed.method for entry in entries} == set(METHODS)
    texts = [entry.game.get("Deal") for entry in entries]
    assert len({*texts}) == len(texts)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_they_are_in_canonical_form_and_say_how_they_were_made(path: Path) -> None:
    assert CliRunner().invoke(main, ["fmt", "--check", str(path)]).exit_code == 0
    text = path.read_text(encoding="utf-8")
    (told,) = re.findall(r"^% (spadille problems .*)$", text, re.MULTILINE)
    assert told in (path.parent.parent / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("path", "number"), tiers(3, lambda entry: True))
def test_the_method_says_whether_the_key_can_be_reasoned_out(path: Path, number: int) -> None:
    entry = entry_of(path, number)
    best = reasoned(entry.deal, entry.contract, entry.play.cards, entry.posed.key)
    assert entry.posed.method == METHODS[best]


@pytest.mark.parametrize(("path", "number"), tiers(3))
def test_check_finds_nothing_and_the_same_themes(path: Path, number: int) -> None:
    entry = entry_of(path, number)
    found = checked(entry)
    assert (found.faults, found.cooks) == ((), ())
    assert found.themes == entry.posed.themes
    assert found.choices >= 3
    assert entry.posed.solution.startswith(f"Solution: {entry.posed.key}")


@pytest.mark.parametrize(("path", "number"), tiers(3))
def test_the_slow_rules_confirm_the_key_and_its_line(path: Path, number: int) -> None:
    entry = entry_of(path, number)
    found = checked(entry)
    position = position_of(entry)
    assert position.to_play == found.seat
    judge = judge_for(entry, position)
    mine = found.seat in judge.side
    # Whole hands have too many lines, so only the end of the key line is confirmed.
    short = len(position.hands[found.seat]) <= 5
    if short:
        assert winners(position, judge) == {*found.winning}
    for ply in found.line:
        assert ply.card in position.legal()
        if ply.winning and (short or len(position.hands[position.to_play]) <= 4):
            assert winners(position, judge) == {card for group in ply.winning for card in group}
        position.play(ply.card)
    assert len(position.hands[position.to_play]) > 4 or judge.reached(position) == mine


@pytest.mark.parametrize(("path", "number"), tiers(3, lambda entry: not keyed(entry)))
def test_the_solution_of_a_plan_problem_is_proved(path: Path, number: int) -> None:
    entry = entry_of(path, number)
    found = checked(entry)
    assert (found.faults, found.themes) == ((), (PLAN,))
    plan = plan_decision(entry.deal, entry.contract, entry.play.cards)
    assert plan is not None
    assert entry.posed.solution == plan.solution


@pytest.mark.ci
@pytest.mark.parametrize("seed", ["0", "2"])
def test_the_words_of_a_plan_are_the_same_in_every_process(seed: str) -> None:
    """Two conditions of this plan are equally good; the order of a set must not decide."""
    path = FILES[0].with_name("plan-mensch.pbn")
    entry = entry_of(path, 6)
    program = (
        "import sys, spadille; from spadille.generate.problems.plan_decision import plan_decision;"
        "entry = list(spadille.load(sys.argv[1]))[6];"
        "print(plan_decision(entry.deal, entry.contract, entry.play.cards).solution)"
    )
    found = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        check=True,
        capture_output=True,
        text=True,
    )
    assert found.stdout.strip() == entry.posed.solution


@pytest.mark.parametrize(("path", "number"), tiers(0, of_few_layouts))
def test_plans_win_what_they_claim_and_no_plan_wins_more(path: Path, number: int) -> None:
    entry = entry_of(path, number)
    plan = plan_decision(entry.deal, entry.contract, entry.play.cards)
    assert plan is not None
    values = PlansByForce(plan.known).values()
    assert max(values, key=values.__getitem__) in (plan.key.card, *plan.key.equals)
    assert values[plan.key.card] == plan.key.least
    assert values[plan.favorite.card] == plan.favorite.least
    whole = plan.search.plan(plan.key, plan.key.card)
    assert Replay(plan.known, whole).share() == pytest.approx(whole.without_seeing)


RULES = {"privilege": ("matador_rule", "none"), "called-card": ("called_card_duty", "none")}


def of_rules(entry: Entry) -> bool:
    """Return whether a theme depends on rules that are in force."""
    options = entry.rules.options
    return (
        keyed(entry)
        and bool(entry.play.cards)
        and any(options.get(name, value) != value for name, value in RULES.values())
    )


@pytest.mark.parametrize(("path", "number"), tiers(2, of_rules))
def test_rules_matter_just_where_it_is_said(path: Path, number: int) -> None:
    entry = entry_of(path, number)
    position = position_of(entry)
    key = {*checked(entry).winning}
    game, options, called = entry.rules.game.id, entry.rules.options, entry.contract.called
    for theme, (name, value) in RULES.items():
        if options.get(name, value) != value:
            other = under(position, rules_for(game, {**options, name: value}), called)
            same = winners(other, judge_for(entry, other)) == key
            assert same != (theme in entry.posed.themes), theme


OF_A_TRICK = {"misere-exit", "unblock", "hold-up", "overtake"}


@pytest.mark.parametrize(
    ("path", "number"), tiers(2, lambda entry: bool({*entry.posed.themes} & OF_A_TRICK))
)
def test_themes_of_a_trick_are_as_they_are_defined(path: Path, number: int) -> None:
    entry = entry_of(path, number)
    position = position_of(entry)
    judge = judge_for(entry, position)
    found = checked(entry)
    seat, key = found.seat, entry.posed.key
    ours = judge.side if seat in judge.side else {*position.rules.seats} - judge.side
    suit = position.suit_of[key]
    same = [card for card in position.legal() if position.suit_of[card] == suit]
    lower, higher = same[same.index(key) + 1 :], same[: same.index(key)]
    lies = {card: lying(position, card) for card in same}
    for theme in entry.posed.themes:
        if theme == "misere-exit":
            assert not position.trick
            line = [ply.card for ply in found.line[: len(position.rules.seats)]]
            taker = at(entry.deal, entry.contract, (*entry.play.cards, *line)).tricks[-1].winner
            taken = line[position.rules.in_turn(seat).index(taker)]
            hands = {who: {*cards} for who, cards in position.hands.items()}
            hands[seat] = hands[seat] - {key} | {taken}
            hands[taker] = hands[taker] - {taken} | {key}
            swapped = under(position, position.rules, None, hands)
            assert taker != seat
            assert winners(swapped, judge_for(entry, swapped)) == set()
        elif theme == "unblock":
            loses = [card for card in lower if card not in found.winning]
            assert loses
            last = len(position.trick) == len(position.rules.seats) - 1
            assert lies[key] not in ours or (last and any(lies[card] in ours for card in loses))
        elif theme == "hold-up":
            assert lies[key] not in ours
            assert any(lies[card] == seat and card not in found.winning for card in higher)
        elif theme == "overtake":
            assert lies[key] == seat
            assert any(lies[card] in ours - {seat} for card in lower)


def lying(position: Position, card: str) -> str:
    """Return the player who is winning the trick after a card."""
    before = position.trick
    position.trick = [*before, (position.to_play, card)]
    try:
        return position.winning()
    finally:
        position.trick = before
