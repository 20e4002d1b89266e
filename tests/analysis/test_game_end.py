"""The end of a game of several deals: when it is over, who wins, and what the points are worth.

Each test restates a sentence of the documents.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import cycle

import pytest
from click.testing import CliRunner

import spadille
from spadille.analysis.evening.deal_settlement import Settled
from spadille.analysis.evening.game_end import GameEnd, standing_text
from spadille.base.errors import ArgumentError
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.pbn.hand_file import read
from spadille_cli import main
from tests.support.evenings import codes, evening, hand, names, of_seed

SOLO = Deal.random("german-solo", 0)


def solos(*winners: str, **tags: str) -> list[str]:
    """Return Solos of these seats, each made with clubs: +24, and -8 for each of the others."""
    dealers = cycle(SOLO.rules.in_turn("N"))
    return [
        hand(replace(SOLO, dealer=next(dealers)), f"{seat} solo C", Result="6", **tags)
        for seat in winners
    ]


def says(found: Sequence[Settled]) -> str:
    """Return the messages at the end of an evening."""
    last = next(each for each in reversed(found) if each.end)
    assert last.end is not None
    return standing_text(last.end, last.totals or {})


def ends(found: Sequence[Settled]) -> list[tuple[bool, int | None] | None]:
    return [each.end and (each.end.over, each.end.due) for each in found]


def test_which_games_have_an_end() -> None:
    """German Solo "often set at 8", Ombre "say 9", Quadrille "such as 40", Squint "150 points"."""
    found = {
        game: tuple(rules_for(game).options.get(name) for name in ("hands", "play_to"))
        for game in GAMES
    }
    assert found == {
        "mensch": (None, None),
        "german-solo": ("8", None),
        "ombre": ("9", None),
        "quadrille": ("40", None),
        "quintille": ("40", None),  # "in all other aspects ... identically to standard Quadrille"
        "solo-whist": (None, None),
        "squint": ("0", "150"),
        "anna-cubed": (None, None),
    }


def test_eight_hands_of_german_solo() -> None:
    """After them "the player with the highest score is declared the winner"."""
    found = evening(*solos(*"NESWNESN"))
    assert ends(found) == [(False, 7 - number) for number in range(7)] + [(True, 0)]
    assert [each.over for each in found] == [()] * 7 + [("N",)]
    last = found[-1].end
    assert last is not None
    assert last.winners == last.leaders == ("N",)
    # Three Solos were made and five failed.
    assert says(found) == f"N wins the game of 8 hands with +{3 * 24 - 5 * 8}."
    assert says(found[:5]) == "5 of 8 hands played, 3 to go. N leads with +24."
    assert says(found[:7]) == "7 of 8 hands played, 1 to go. N, E and S lead with +8."


def test_a_tie_in_german_solo_asks_for_additional_hands() -> None:
    """After a tie "additional hands are played until there is a clear winner"."""
    found = evening(*solos(*"NNNNEEEE", *"SE"))
    assert ends(found)[7:] == [(False, 1), (False, 1), (True, 0)]
    assert says(found[:8]) == ("8 of 8 hands played, but N and E tie with +64, so play continues.")
    assert says(found) == "E wins the game of 8 hands with +80."
    found = evening(*solos(*"NNNEEESS", *"S"))
    assert says(found) == ("9 of 8 hands played, but N, E and S tie with +24, so play continues.")


def test_after_the_end_deals_count_on_with_one_warning() -> None:
    found = evening(*solos(*"NESWNESNWW"))
    assert [codes(each) for each in found] == [[]] * 8 + [["game-over"], []]
    assert found[8].warnings[0].message == (
        "the game of 8 hands ended with deal 8 (N 32); later deals still count"
    )
    assert ends(found)[8:] == [None, None]
    assert (found[-1].totals or {})["W"] == 3 * 24 - 7 * 8
    assert says(found) == "N wins the game of 8 hands with +32."


def test_another_number_of_hands_and_none() -> None:
    found = evening(*solos(*"NES", Rules="hands=2"))
    # Outside German Solo a tie is shared, but here one more hand is played.
    assert ends(found) == [(False, 1), (False, 1), (False, 1)]
    found = evening(*solos(*"NNE", Rules="hands=2"))
    assert (ends(found), codes(found[2])) == ([(False, 1), (True, 0), None], ["game-over"])
    found = evening(*solos(*"NES", Rules="hands=0"))
    assert ends(found) == [None] * 3


def test_nine_hands_of_ombre_and_those_who_tie() -> None:
    """ "the player with the most chips in his own pile is declared the winner"."""
    deals = [
        hand(replace(Deal.random("ombre", number), dealer=dealer), Contract="Pass")
        for number, dealer in enumerate("321" * 3)
    ]
    found = evening(*deals)  # nobody plays, and each player has put in five chips three times
    assert ends(found) == [(False, 8 - number) for number in range(8)] + [(True, 0)]
    assert says(found) == "1, 2 and 3 win the game of 9 hands with -15 each."
    assert found[-1].over == ("1", "2", "3")
    assert says(found[:8]) == "8 of 9 hands played, 1 to go. 1 leads with -10."


def test_forty_hands_of_quadrille() -> None:
    (found,) = evening(of_seed("quadrille", 0, "S alliance H SK"))
    assert found.end == GameEnd(hands=1, of=40, play_to=None, leaders=("N", "E", "W"), over=False)
    assert found.end.due == 39
    assert found.end.winners == ()


def test_squint_to_a_number_of_points_or_of_deals() -> None:
    """ "Play up to 150 points, or ... any other agreed target score, or for a previously agreed
    number of deals"."""
    deal = Deal.random("squint", 0)
    plain = hand(deal, "1 grand-solo S", Result="7")  # 30
    doubled = hand(deal, "2 ace-solo", Result="10", FromHand="2")  # 2 * 20 * 5
    found = evening(plain, plain, doubled)
    assert ends(found) == [(False, None), (False, None), (True, None)]
    assert [each.over for each in found] == [(), (), ("2",)]
    assert says(found[:2]) == "Nobody has 150 points yet, so play continues."
    assert says(found) == "2 wins the game of 150 points with +200."
    short = "play_to=0;hands=2"
    found = evening(*(hand(deal, "1 grand-solo S", Result="7", Rules=short) for _ in range(2)))
    assert ends(found) == [(False, 1), (True, 0)]
    assert says(found) == "1 wins the game of 2 hands with +60."
    found = evening(hand(deal, "1 grand-solo S", Result="7", Rules="play_to=0"))
    assert ends(found) == [None]


def test_in_squint_the_highest_has_won() -> None:
    end = GameEnd.after(rules_for("squint", "play_to=20"), 3, {"1": 40, "2": 60, "3": 0}, True)
    assert end is not None
    assert (end.over, end.winners) == (True, ("2",))


def test_a_deal_that_is_not_settled_leaves_the_winner_open() -> None:
    silent = hand(replace(SOLO, dealer="N"), "N solo C")
    found = evening(silent, *solos(*"NESWNES"))
    assert ends(found)[-1] == (True, 0)
    end = found[-1].end
    assert end is not None
    assert (end.winners, found[-1].over) == ((), ())
    assert says(found) == (
        "The game of 8 hands is over, but not every deal is settled: no winner is known."
    )


def test_problems_are_no_hands_of_a_game() -> None:
    posed = hand(SOLO, "N solo C", Question="Which card?")
    found = evening(posed, *solos("N"), posed, *solos("E"))
    assert ends(found) == [None, (False, 7), None, (False, 6)]


# Chips and money


@pytest.mark.ci
def test_starting_chips_and_a_stake() -> None:
    """Ombre "say 50", Quadrille "such as 40"; Solo Whist "each point is equal to $1"."""
    chips = {game: each.course.chips for game, each in GAMES.items() if each.course.chips}
    assert chips == {"ombre": 50, "quadrille": 40, "quintille": 40}
    puesta = read(of_seed("ombre", 2, "2 entrada H"))  # -5 -5 0
    usual = spadille.score(puesta)
    assert [(one.points, one.chips, one.money) for one in usual.players] == [
        (-5, 45, None),
        (-5, 45, None),
        (0, 50, None),
    ]
    other = spadille.score(puesta, chips=100, stake="0.10")
    assert [(one.chips, one.money) for one in other.players] == [(95, -0.5), (95, -0.5), (100, 0)]
    assert [one.money for one in spadille.score(puesta, stake=Decimal("0.07")).players] == [
        -0.35,
        -0.35,
        0,
    ]
    whist = Deal.random("solo-whist", 0)
    lost = read(hand(whist, "N prop-cop E", Result="7"))
    assert [(one.chips, one.money) for one in spadille.score(lost, stake=1).players] == [
        (None, -1),
        (None, -1),
        (None, 1),
        (None, 1),
    ]
    assert spadille.score(lost, chips=0).players[0].chips is None


@pytest.mark.parametrize("stake", ["ten", "", "nan", "inf", "-1", -0.5, [1], "1e999999999"])
def test_what_is_no_stake(stake: object) -> None:
    with pytest.raises(ArgumentError, match="a stake must be an amount of money"):
        spadille.score(stake=stake)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="number of chips"):
        spadille.score(chips=-1)


# The command


def score(*words: str, text: str) -> str:
    result = CliRunner().invoke(main, ["score", *words, "-"], input=text)
    assert result.exit_code == 0, result.stderr
    return result.stdout


@pytest.mark.ci
def test_the_command_names_the_winner() -> None:
    people = names("NESW", "Anna Bert Cleo Dirk")
    text = "\n".join(solos("N", "E", **people))
    assert "2 of 8 hands played, 6 to go. Anna and Bert lead with +16." in score(text=text)
    text = "\n".join(solos("N", "N", Rules="hands=2", **people))
    assert "Anna wins the game of 2 hands with +48." in score(text=text)
    (_, last) = map(json.loads, score("--format", "jsonl", text=text).splitlines())
    assert last["over"] == ["Anna"]
    assert last["end"] == {
        "hands": 2,
        "of": 2,
        "play_to": None,
        "over": True,
        "settled": True,
        "leaders": ["Anna"],
        "winners": ["Anna"],
        "due": 0,
    }
    assert "hands" not in score(text=hand(Deal.random("mensch", 1), "W five C", Result="3"))


@pytest.mark.ci
def test_the_command_counts_chips_and_money() -> None:
    text = of_seed("ombre", 2, "2 entrada H")
    assert "chips" in score("--by", "player", text=text)
    table = score("--by", "player", "--chips", "20", "--stake", "0.10", text=text)
    assert [line.split()[:5] for line in table.splitlines()[3:]] == [
        ["1", "1", "-5", "15", "-0.50"],
        ["2", "1", "-5", "15", "-0.50"],
        ["3", "1", "0", "20", "0.00"],
    ]
    found = score("--by", "player", "--format", "jsonl", "--stake", "0.005", text=text)
    assert [json.loads(line)["money"] for line in found.splitlines()] == [-0.025, -0.025, 0]
    assert "-0.025" in score("--by", "player", "--stake", "0.005", text=text)
    wrong = CliRunner().invoke(main, ["score", "--stake", "ten", "-"], input=text)
    assert (wrong.exit_code, "--stake: a stake must be" in wrong.stderr) == (2, True)
