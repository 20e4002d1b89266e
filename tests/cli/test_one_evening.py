"""One evening in several files: pool, Color, trumps, turns and points carry over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import spadille
from spadille.analysis.evening import score
from spadille.analysis.evening.deal_score import DealScore
from spadille.analysis.evening.deal_settlement import Settled
from spadille.analysis.evening.evening_settlement import settle
from spadille.analysis.evening.score import PlayerScore, Stakes
from spadille.base.errors import ArgumentError
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.pages.deal_facts import DealFacts, DealRecord
from spadille.pbn.hand_file import load, read
from spadille_cli import main
from tests.support.evenings import codes, hand, of_seed

EXAMPLES = Path(__file__).parents[2] / "examples" / "evenings"


@pytest.fixture(autouse=True)
def _unjudged(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the search for possible payoffs, which takes long and does not matter to these tests."""

    def score_many(settled: Iterable[Settled], **_: object) -> Iterator[DealScore]:
        return (DealScore(settled=deal) for deal in settled)

    monkeypatch.setattr("spadille_cli.evenings.score_many", score_many)


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["score", *map(str, words)])


def objects(*words: object) -> list[dict[str, Any]]:
    result = run("--format", "jsonl", *words)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def files(folder: Path, *texts: str) -> list[Path]:
    paths = [folder / f"{number}.pbn" for number in range(1, len(texts) + 1)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def without_places(deals: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the output for deals, with places and times removed."""
    where = {"file", "index", "nodes", "ms"}
    return [{name: value for name, value in deal.items() if name not in where} for deal in deals]


@pytest.mark.parametrize("game", ["ombre", "german-solo"])
def test_cut_in_two_an_evening_is_settled_as_in_one_file(game: str, tmp_path: Path) -> None:
    """The pool of Ombre carries over, and so does the Color that the second German Solo settles."""
    path = EXAMPLES / f"{game}.pbn"
    text = re.sub("(?m)^%.*\n", "", path.read_text(encoding="utf-8"))
    cut = text.index("\n\n", text.index('[Board "2"]')) + 2
    whole = objects(path)
    both = objects("--one-evening", *files(tmp_path, text[:cut], text[cut:]))
    assert without_places(both) == without_places(whole)
    assert [Path(deal["file"]).name for deal in both] == ["1.pbn"] * 2 + ["2.pbn"] * (
        len(whole) - 2
    )
    apart = run("--format", "jsonl", *files(tmp_path, text[:cut], text[cut:]))
    assert without_places(map(json.loads, apart.stdout.splitlines())) != without_places(whole)


def test_trumps_turns_and_hands_run_on(tmp_path: Path) -> None:
    deals = [
        replace(Deal.random("anna-cubed", seed), current_trump=None, dealer="N")
        for seed in range(3)
    ]
    texts = [
        hand(deal, Contract="solo", Declarer="N", CurrentTrump="?", Result="5") for deal in deals
    ]
    found = objects("--one-evening", *files(tmp_path, *texts))
    assert [deal["trump"] for deal in found] == ["H", "C", "D"]
    assert [deal["totals"][0]["points"] for deal in found] == [1, 2, 3]
    assert [deal["warnings"] for deal in found] == [[]] * 3
    assert [deal["trump"] for deal in objects(*files(tmp_path, *texts))] == ["H", "H", "H"]
    puesta = of_seed("ombre", 2, "2 entrada H")
    first, second = objects("--one-evening", *files(tmp_path, puesta, puesta))
    assert [first["end"]["hands"], second["end"]["hands"]] == [1, 2]
    assert [one["code"] for one in second["warnings"]] == ["dealer-out-of-turn"]
    assert (first["pool"]["after"], second["pool"]["before"]) == (10, 15)


def test_a_goulash_in_the_next_file(tmp_path: Path) -> None:
    deal = replace(Deal.random("anna-cubed", 1), current_trump="H")
    texts = [hand(deal, Contract="Pass"), hand(deal.goulash(), "N misere", Result="0")]
    assert [deal["warnings"] for deal in objects("--one-evening", *files(tmp_path, *texts))] == [
        [],
        [],
    ]
    other = replace(Deal.random("anna-cubed", 2), current_trump="C")
    texts[1] = hand(other, "N misere", Result="0")
    result = run("--one-evening", *files(tmp_path, *texts))
    assert f"{tmp_path / '2.pbn'}:" in result.stderr
    assert "not the goulash of the previous deal" in result.stderr


def test_tables_of_one_evening(tmp_path: Path) -> None:
    puesta = of_seed("ombre", 2, "2 entrada H")
    paths = files(tmp_path, puesta, puesta)
    one, two = run("--one-evening", *paths).stdout, run(*paths).stdout
    assert (one.count("running totals"), two.count("running totals")) == (1, 2)
    assert one.startswith("ombre, payoffs\n")
    assert "2 of 9 hands played, 7 to go." in one
    assert two.count("1 of 9 hands played, 8 to go.") == 2


def test_deals_without_a_number_are_told_apart_by_their_files(tmp_path: Path) -> None:
    puesta = re.sub(r"\[Board .*\n", "", of_seed("ombre", 2, "2 entrada H"))
    (tmp_path / "later").mkdir()
    first, second = files(tmp_path, puesta, puesta)
    rows = run("--one-evening", first, second).stdout.splitlines()
    assert [row.split()[:2] for row in rows if ".pbn" in row][:2] == [
        ["1.pbn", "#1"],
        ["2.pbn", "#1"],
    ]
    third = tmp_path / "later" / "1.pbn"
    third.write_text(puesta, encoding="utf-8")
    rows = run("--one-evening", first, second, third).stdout.splitlines()
    labels = [row[:17].rstrip() for row in rows if ".pbn" in row][:3]
    assert labels == ["1.pbn #1 (deal 1)", "2.pbn #1", "1.pbn #1 (deal 3)"]
    assert ".pbn" not in run(first).stdout.split("\n\n", 1)[1].replace(str(first), "")


def test_the_table_of_players_is_not_made_anew_for_each_deal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of deals that are added up is proportional to the number of deals."""
    counted: list[int] = []

    def by_player(deals: Iterable[DealScore], stakes: Stakes) -> Iterator[PlayerScore]:
        every = list(deals)
        counted.append(len(every))
        return score.by_player(every, stakes)

    monkeypatch.setattr("spadille_cli.score.by_player", by_player)
    [path] = files(tmp_path, "\n".join([of_seed("ombre", 2, "2 entrada H")] * 20))
    assert "Players, Ombre" in run(path).stdout
    assert sum(counted) <= 40
    assert max(counted) == 20


@pytest.mark.ci
def test_a_page_of_one_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def facts_of_deals(records: Iterable[DealRecord], **_: object) -> Iterator[DealFacts]:
        return (DealFacts(record, DealScore(settled=record.settled)) for record in records)

    monkeypatch.setattr("spadille.pages.deal_facts.facts_of_deals", facts_of_deals)
    puesta = re.sub(r"\[Board .*\n", "", of_seed("ombre", 2, "2 entrada H"))
    paths = [str(path) for path in files(tmp_path, puesta, puesta)]
    pages = [
        CliRunner().invoke(main, ["page", *options, *paths]) for options in ([], ["--one-evening"])
    ]
    assert [page.exit_code for page in pages] == [0, 0]
    apart, together = (page.stdout for page in pages)
    assert apart.count("Running totals") == 2 * together.count("Running totals")
    assert "2 of 9 hands played" in together
    assert "2 of 9 hands played" not in apart
    headings = re.findall(r"<h2[^>]*>(Deal[^<]*?) <", together)
    assert headings == ["Deal 1.pbn #1", "Deal 2.pbn #1"]
    assert re.findall(r"<h2[^>]*>(Deal[^<]*?) <", apart) == ["Deal #1", "Deal #1"]


def test_a_file_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    puesta = of_seed("ombre", 2, "2 entrada H")
    first, second = files(tmp_path, puesta, puesta)
    result = run("--one-evening", "--format", "jsonl", first, tmp_path / "no.pbn", second)
    assert result.exit_code == 3
    pools = [json.loads(line)["pool"]["before"] for line in result.stdout.splitlines()]
    assert pools == [5, 15]


def test_what_the_first_file_leaves_open(tmp_path: Path) -> None:
    changing = {"Rules": "color=changing"}
    deal = Deal.random("german-solo", 0)
    silent = hand(deal, "N solo S", **changing)
    made = hand(deal, "N solo S", Result="6", **changing)
    result = run("--one-evening", *files(tmp_path, silent, made))
    assert "color is unknown here: deal 1 of file 1 does not say" in result.stderr
    assert f"{tmp_path / '2.pbn'}:" in result.stderr
    assert "color is unknown" not in run(*files(tmp_path, silent, made)).stderr


# In Python


def test_a_file_is_read_after_another(tmp_path: Path) -> None:
    changing = {"Rules": "color=changing"}
    deal = Deal.random("german-solo", 0)
    text = hand(deal, "N solo S", Result="6", **changing)
    one, two = files(tmp_path, text, text)
    first = load(one)
    second = load(two, after=first)
    third = read(text, after=second)
    assert [entry.rules and entry.rules.color for entry in (*first, *second, *third)] == [
        None,
        "S",
        "S",
    ]
    # Reading a file twice settles nothing twice, and does not change the previous file.
    assert [entry.rules for entry in second.scan()] == [entry.rules for entry in second]
    assert [entry.rules and entry.rules.color for entry in first.scan()] == [None]
    found = list(settle([*first, *second, *third]))
    assert [each.totals and each.totals["N"] for each in found] == [12, 12 + 24, 12 + 48]
    assert [codes(each) for each in found] == [[], ["dealer-out-of-turn"], ["dealer-out-of-turn"]]
    assert spadille.score([*first, *second]).players[0].points == 36
    with pytest.raises(ArgumentError, match="after must be a HandFile"):
        read(text, after="1.pbn")  # type: ignore[arg-type]


def test_rules_of_a_game_settle_whose_trump_it_is() -> None:
    course = rules_for("anna-cubed").game.course
    order = [course.trump_after(None)]
    while len(order) < 6:
        order.append(course.trump_after(order[-1]))
    assert order == ["H", "C", "D", "S", "NT", "H"]
