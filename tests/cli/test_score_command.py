"""`spadille score`: evenings in every format, errors within them, and narrow terminals."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from spadille.analysis.chances import review_chances
from spadille.core.deal import Deal
from spadille.games import GAMES
from spadille.pbn.hand_file import load
from spadille.render.results.shared_cells import hurried
from spadille_cli import evenings, main
from spadille_cli.output_formats import FORMATS
from tests.support.evenings import anything, hand, names, played
from tests.support.terminals import seen, shown
from tests.support.tiers import part

EVENING = Path(os.path.relpath(Path(__file__).parents[2] / "examples" / "evenings" / "ombre.pbn"))
GOOD = hand(Deal.random("mensch", 1), "W five C", Result="3")


def run(*args: str, text: str | None = None, command: str = "score") -> Result:
    return CliRunner().invoke(main, [command, *args], input=text)


settled = cache(run)


def objects(*args: str, text: str | None = None) -> list[dict[str, object]]:
    result = run("--format", "jsonl", *args, text=text)
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.ci
def test_the_example_is_an_evening_without_a_fault() -> None:
    assert all(not entry.findings for entry in load(EVENING))
    result = run("--format", "json", str(EVENING))
    assert (result.exit_code, result.stderr) == (0, "")
    deals = json.loads(result.stdout)
    assert [deal["outcome"] for deal in deals] == ["sacada", None, "puesta", "surrender", "sacada"]
    assert [deal["pool"] for deal in deals] == [
        {"before": 5, "after": 0, "carried": None},
        {"before": 5, "after": 5, "carried": 5},
        {"before": 10, "after": 20, "carried": 10},
        {"before": 25, "after": 50, "carried": 25},
        {"before": 55, "after": 0, "carried": 55},
    ]
    # Anna, Bert and Cleo; Bert and Cleo change seats before the fourth deal.
    assert [list(deal["points"].values()) for deal in deals] == [
        [5 + 5 + 5, -5, -5 - 5],
        [0, -5, 0],
        [-5, 0, -10],
        [-25, 0, -5],
        [-7, -7 - 5, 55 + 7 + 7],
    ]
    assert deals[-1]["totals"] == [
        {"player": "Anna", "points": 15 + 0 - 5 - 25 - 7},
        {"player": "Bert", "points": -5 - 5 + 0 - 5 + 69},
        {"player": "Cleo", "points": -10 + 0 - 10 + 0 - 12},
    ]


def short_evening() -> str:
    """Return three deals that are settled at once."""
    tags = names("NESW", "Anna Bert Cleo Dirk")
    deal = Deal.random("mensch", 1)
    cards = played(deal, "W five C", anything(1))
    moved = names("NESW", "Bert Anna Cleo Dirk")
    return "\n".join(
        [
            hand(deal, "W five C", cards, **tags),
            hand(deal, "W five C", Result="3", **tags),
            hand(deal, "W five C", Result="8", **moved),
        ]
    )


def test_examples_of_evenings_are_sound_and_canonical() -> None:
    files = sorted(EVENING.parent.glob("*.pbn"))
    assert len(files) == 2
    for file in files:
        entries = load(file).entries
        assert all(not entry.findings and entry.players for entry in entries)
        assert all(entry.passed_out or (entry.contract and entry.play) for entry in entries)
        seats = {len(entry.players) for entry in entries}
        assert seats == {len(entries[0].rules.seats)}  # type: ignore[union-attr]
    result = run("--check", *map(str, files), command="fmt")
    assert (result.exit_code, result.output) == (0, "")


@pytest.mark.ci
def test_the_color_of_an_evening() -> None:
    deals = objects(str(EVENING.with_name("german-solo.pbn")))
    assert [(deal["contract"], deal["trump"], deal["outcome"]) for deal in deals] == [
        ("frog", "S", "failed"),
        ("solo", "H", "made"),
        ("frog", "H", "made"),
        ("solo", "D", "made"),
    ]
    assert [list(deal["points"].values()) for deal in deals] == [  # type: ignore[attr-defined]
        [-2 * 2, -2 * 2, 2, 2],
        [3 * 4, -4, -4, -4],  # not in Color yet: this makes hearts Color
        [-4, 2 * 4, 2 * 4, -4],
        [3 * 4, -4, -4, -4],
    ]
    # Anna stops with 12, and could have won 16 from each of three players.
    assert deals[-1]["lost"] == {"N": 48 - 12, "E": 0, "S": 0, "W": 0}


@pytest.mark.parametrize("by", part(["deal", "player"], 0, 2))
def test_every_format(by: str) -> None:
    """Every format works, by deal for the first deal alone and by player for all three."""
    text = short_evening()
    text = text if by == "player" else text[: text.index("\n\n") + 2]
    for layout in FORMATS:
        result = settled("--by", by, "--format", layout, "-", text=text)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "Anna" in result.stdout


@pytest.mark.ci
def test_lines_for_programs() -> None:
    boards = ("--board", "2", "--board", "3", "--board", "4")
    rows = list(csv.DictReader(io.StringIO(run("--format", "csv", *boards, str(EVENING)).stdout)))
    assert [row["points_1"] for row in rows] == ["0", "-5", "-25"]
    assert [row["points"] for row in rows] == ["", "-10", "-25"]
    assert [row["pool_after"] for row in rows] == ["5", "20", "50"]
    assert [row["player_2"] for row in rows] == ["Bert", "Bert", "Cleo"]
    assert [row["best_play"] for row in rows] == ["", "-10", "-25"]
    players = settled("--by", "player", "--format", "csv", "-", text=short_evening()).stdout
    found = {row["player"]: row["points"] for row in csv.DictReader(io.StringIO(players))}
    first = objects("-", text=short_evening())[0]["points"]
    assert isinstance(first, dict)
    # Dirk pays two to each player, then each player pays four to Dirk.
    moved = {"Anna": "E", "Bert": "N", "Cleo": "S", "Dirk": "W"}
    gains = {"N": -4, "E": -4, "S": -4, "W": 12}
    seats = dict(zip(("Anna", "Bert", "Cleo", "Dirk"), "NESW", strict=True))
    assert found == {
        name: str(first[seat] + (2 if seat != "W" else -6) + gains[moved[name]])
        for name, seat in seats.items()
    }


@pytest.mark.ci
def test_review_has_the_same_players() -> None:
    for layout in ("json", "csv", "table"):
        args = ("--by", "player", "--format", layout, "-")
        own = settled(*args, text=short_evening())
        other = run(*args, text=short_evening(), command="review")
        assert own.exit_code == other.exit_code == 0
        assert own.stdout == other.stdout
    for option in ("--annotate", "--optimum"):
        result = run("--by", "player", option, str(EVENING), command="review")
        assert result.exit_code == 2
        assert f"{option} needs --by card" in result.stderr


def test_players_over_several_files(tmp_path: Path) -> None:
    tags = names("NESW", "Anna Bert Cleo Dirk")
    for name in ("one", "two"):
        text = hand(Deal.random("mensch", 1), "W five C", Result="3", **tags)
        (tmp_path / f"{name}.pbn").write_text(text)
    found = objects("--by", "player", str(tmp_path))
    assert [(one["player"], one["deals"], one["points"]) for one in found] == [
        ("Anna", 2, 4),
        ("Bert", 2, 4),
        ("Cleo", 2, 4),
        ("Dirk", 2, -12),
    ]
    deals = objects(str(tmp_path))
    assert [deal["totals"][0]["points"] for deal in deals] == [2, 2]  # type: ignore[index]


def test_faults_in_the_middle() -> None:
    silent = hand(Deal.random("mensch", 0), "W half DK")
    faulty = silent.replace('"half"', '"halb"')
    text = "\n".join([GOOD, silent, faulty, GOOD])
    result = run("--format", "jsonl", "-", text=text)
    assert result.exit_code == 3
    first, open_, wrong, last = map(json.loads, result.stdout.splitlines())
    assert first["error"] is None
    assert (open_["error"]["code"], open_["points"]) == ("not-settled", None)
    assert open_["best_play"] is not None
    assert (wrong["error"]["code"], set(wrong)) == (
        "contract-unknown",
        {"schema", "file", "index", "board", "game", "error"},
    )
    assert last["totals"] == [{"player": seat, "points": 4} for seat in "NES"] + [
        {"player": "W", "points": -12}
    ]
    line = text[: text.index('[Contract "half"]')].count("\n") + 1
    assert (
        f"-:{line}:1: not settled: no Play or Result tag says how the hand ended" in result.stderr
    )
    assert "'halb' is not a contract of Mensch" in result.stderr
    table = run("-", text=text)
    assert "W half C DK: not settled" in table.stdout
    (player,) = [one for one in objects("--by", "player", "-", text=text) if one["player"] == "W"]
    assert (player["deals"], player["unsettled"], player["points"]) == (4, 2, -12)


def test_a_revoke_is_not_settled() -> None:
    deal = Deal.random("mensch", 0)
    cards = played(deal, "W half DK", anything(1))
    head, play, rows = hand(deal, "W half DK", cards).partition("[Play")
    wrong = head + play + rows.replace(cards[1], cards[5], 1)
    result = run("--format", "jsonl", "-", text=wrong)
    assert result.exit_code == 3
    assert json.loads(result.stdout)["error"]["code"] in ("card-not-held", "card-revoke")


@pytest.mark.ci
def test_warnings_have_a_place_and_change_no_status() -> None:
    puesta = Deal.random("ombre", 2)
    cards = played(puesta, "2 entrada H", anything(2))
    text = hand(puesta, "2 entrada H", cards) + "\n"
    puesta = replace(puesta, dealer=puesta.rules.next_seat(puesta.dealer))
    cards = played(puesta, "2 entrada H", anything(2))
    text += hand(puesta, "2 entrada H", cards, Pool="7")
    result = run("--format", "jsonl", "-", text=text)
    assert result.exit_code == 0
    line = text[: text.index("[Pool")].count("\n") + 1
    assert f"-:{line}:1: warning: the Pool tag says 7 chips, but" in result.stderr
    (warning,) = json.loads(result.stdout.splitlines()[1])["warnings"]
    assert (warning["code"], warning["line"], warning["column"]) == ("pool-differs", line, 1)


def test_boards_are_shown_alone_but_the_pool_is_the_evenings() -> None:
    (deal,) = objects("--board", "3", str(EVENING))
    assert (deal["board"], deal["pool"]) == ("3", {"before": 10, "after": 20, "carried": 10})
    result = run("--board", "9", str(EVENING))
    assert result.exit_code == 3
    assert "--board 9: no deal with that name or number" in result.stderr


def test_nothing_to_settle(tmp_path: Path) -> None:
    empty = tmp_path / "empty.pbn"
    empty.write_text("; nothing\n")
    for by in ("deal", "player"):
        for layout, written in (("json", "[]\n"), ("jsonl", ""), ("table", "")):
            result = run("--by", by, "--format", layout, str(empty))
            assert (result.exit_code, result.stdout) == (0, written)
            assert "no deals in" in result.stderr
        assert run("--by", by, "--format", "csv", str(empty)).stdout.count("\n") == 1
    assert run("nowhere.pbn").exit_code == 3
    assert run().exit_code == 2


@pytest.mark.parametrize("layout", ["csv", "jsonl", "table"])
def test_players_of_what_was_finished(layout: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evenings.score_many

    def interrupted(*args: Any, **named: Any) -> Iterator[Any]:
        yield next(iter(whole(*args, **named)))
        raise KeyboardInterrupt

    text = short_evening()
    first = run("--by", "player", "--format", layout, "-", text=text[: text.index("\n\n") + 2])
    monkeypatch.setattr(evenings, "score_many", interrupted)
    result = run("--by", "player", "--format", layout, "-", text=text)
    assert result.exit_code == 130
    assert result.stdout == first.stdout
    assert "Dirk" in result.stdout


def test_a_deal_that_is_typed() -> None:
    hands = "S:A8.K.KT98.J QT7.Q7..Q98 K9.JT98.A7. J.A.QJ.AKT7"
    deal = Deal.parse(hands, "mensch")
    cards = " ".join(played(deal, "E half DA", anything(1)))
    terms = ("--dealer", "S", "--declarer", "E", "--contract", "half", "--called", "DA")
    (found,) = objects("--game", "mensch", "--deal", hands, *terms, "--play", cards)
    assert (found["file"], found["error"]) == ("--deal", None)
    assert sum(found["points"].values()) == 0  # type: ignore[attr-defined]


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
@pytest.mark.parametrize(
    "columns", [40, *(pytest.param(columns, marks=pytest.mark.ci) for columns in (60, 80, 200))]
)
def test_on_terminals(columns: int, tmp_path: Path) -> None:
    people = "Friederike Maximilian Anna-Katharina Bo Clementine"
    for game in ("quintille", "mensch"):
        deal = Deal.random(game, 1)
        seats = deal.rules.seats
        tags = names(seats, " ".join(people.split()[: len(seats)]))
        kind = "4 solo H" if game == "quintille" else "W five C"
        texts = [
            hand(one, kind, played(one, kind, anything(1)), **tags)
            for one in (deal, replace(deal, dealer=deal.rules.next_seat(deal.dealer)))
        ]
        file = tmp_path / f"{game}.pbn"
        file.write_text("\n".join(texts))
        for by in ("deal", "player"):
            status, sent = shown("score", "--by", by, file, columns=columns)
            assert status == 0
            lines = seen(sent)
            assert max(map(len, lines)) <= min(columns, 80)
            assert any(line.startswith("Frie") for line in lines)


@pytest.mark.parametrize("layout", ["table", "markdown", "html", "latex"])
def test_a_name_at_the_head_of_a_column_commands_nothing(layout: str, tmp_path: Path) -> None:
    file = tmp_path / "evening.pbn"
    file.write_text('[West "a|b\x1b[31m\u202e\x07"]\n' + GOOD)
    text = shown("score", file, "--format", layout, TERM="dumb")[1].decode()
    assert not re.search("[\0-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u202e]", text)
    assert r"a\|b" in text if layout == "markdown" else "a|b" in text


@pytest.mark.ci
def test_every_game_is_settled_somewhere() -> None:
    played_out = {
        "mensch": "W five C",
        "german-solo": "N solo S",
        "solo-whist": "N misere",
        "anna-cubed": "N misere",
        "squint": "1 misere",
    }
    assert set(played_out) | {"ombre", "quadrille", "quintille"} == set(GAMES)
    for game, contract in played_out.items():
        (deal,) = objects("-", text=hand(Deal.random(game, 0), contract, Result="3"))
        assert deal["error"] is None
        assert deal["game"] == game


# South's hand, the play and the result; the other hands do not follow from it.
UNSEEN = """\
[Game "german-solo"]
[Dealer "W"]
[Deal "S:87.AQJ7.7.Q - - -"]
[Declarer "S"]
[Contract "solo"]
[Trump "H"]
[Result "6"]
[Play "N"]
DQ D9 D7 DK
S9 SA S8 SK
CJ C7 H7 D8
H9 HK HA H8
DJ C8 HJ HT
ST C9 S7 SJ
*
"""
SAMPLED = ("--chances", "--samples", "20", "--seconds", "0")
BY_PLAYER = (("score", "--by", "player"), ("review", "--by", "player"))


def test_unknown_hands_leave_the_known_ones_to_be_judged() -> None:
    """The verdicts are those of `review`, and the other deal loses nothing."""
    found, other = objects(*SAMPLED, "-", text=f"{UNSEEN}\n{GOOD}")
    (reviewed,) = json.loads(
        run(*SAMPLED, "--format", "json", "-", text=UNSEEN, command="review").stdout
    )
    assert found["error"] is None
    assert found["points"] == {"N": -4, "E": -4, "S": 12, "W": -4}
    assert found["unseen"] == ["N", "E", "W"]
    assert found["verdicts"] == reviewed["verdicts"]
    assert sum(found["verdicts"]["S"].values()) == found["players"]["S"]["open"] == 5
    assert (found["best_play"], found["lost"]) == (None, None)
    assert "unseen" not in other
    assert other["best_play"] is not None
    told = " ".join(run(*SAMPLED, "-", text=UNSEEN).stdout.split())
    assert "#1: no double-dummy values, because these hands are unknown: N, E and W." in told
    assert "The cost of 5 cards is unknown" in told


@pytest.mark.parametrize("command", ["score", "review"])
def test_players_count_the_cards_of_known_hands(command: str) -> None:
    words = ("--by", "player", *SAMPLED, "--format", "jsonl", "-")
    lines = run(*words, text=UNSEEN, command=command).stdout.splitlines()
    players = {one["player"]: one for one in map(json.loads, lines)}
    assert sum(players["S"]["verdicts"].values()) == players["S"]["open"] == 5
    assert (players["S"]["timed_out"], players["S"]["unjudged"]) == (0, 0)
    assert players["N"]["open"] == 0


def test_cards_are_judged_although_the_partner_is_unknown() -> None:
    """The payoff is then unknown, and the fault says why."""
    text = UNSEEN.replace('"solo"', '"frog"').replace('[Play "N"]', '[Called "CA"]\n[Play "N"]')
    result = run(*SAMPLED, "--format", "jsonl", "-", text=text)
    found = json.loads(result.stdout)
    assert result.exit_code == 3
    assert found["error"]["code"] == "partner-missing"
    assert found["points"] is None
    assert sum(found["verdicts"]["S"].values()) == 5


@pytest.mark.parametrize("command", [("score",), *BY_PLAYER])
def test_decisions_that_the_time_limit_ended_are_counted(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A time limit too short for any layout leaves every decision without a verdict."""
    monkeypatch.setattr(review_chances, "_LEAST_TIME", 1e-9)
    words = (*command[1:], "--chances", "--seconds", "0.000001")
    text = run(*words, "-", text=UNSEEN, command=command[0]).stdout
    assert "The time limit left" in " ".join(text.split())
    lines = run(*words, "--format", "jsonl", "-", text=UNSEEN, command=command[0]).stdout
    found = [json.loads(line) for line in lines.splitlines()]
    if command == ("score",):
        found = [{name: found[0][name]["S"] for name in ("timed_out", "unjudged")}]
    most = max(found, key=lambda one: one.get("timed_out", 0))
    assert most["timed_out"] >= most["unjudged"] > 0


def test_unsettled_verdicts_and_missing_ones_are_told_apart() -> None:
    hasty, none = hurried(5, 4, 3)
    assert hasty.startswith("The time limit cut off the analysis of 2 of the 4 decisions")
    assert none.startswith("The time limit left 3 decisions without a verdict")
    assert [*hurried(0, 4, 0)] == []
    assert "the analysis of the only decision: another run may judge it" in next(hurried(1, 1, 0))
    assert "the analysis of all 3 decisions: another run may judge them" in next(hurried(3, 3, 0))
