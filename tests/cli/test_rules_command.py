"""`spadille rules` on every game."""

from __future__ import annotations

import csv
import io
import json
from itertools import chain

import pytest
from click.testing import CliRunner

from spadille.games import GAMES, rules_for
from spadille_cli import main


def run(*args):
    result = CliRunner().invoke(main, ["rules", *args])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("game", GAMES)
def test_everything_about_a_game_is_printed(game):
    text = run(game)
    rules = rules_for(game)
    for kind in rules.contracts.values():
        assert kind.id in text
        assert kind.name in text
    words = text.replace("\n", " ").split()
    for option in rules.game.options.values():
        assert option.name in words
        assert set(option.values) <= {word.strip(";") for word in words}
    for trump in rules.trumps[:4]:
        marked = [
            card + "*" * (card in rules.matadors(trump)) for card in rules.suits(trump)[trump]
        ]
        assert " ".join(marked) in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_pool_of_a_deal_and_who_exchanges_in_vuelta():
    text = " ".join(run("ombre").split())
    assert "pool 5 chips, unless Pool says otherwise" in text
    assert "whether Ombre exchanges cards in Vuelta; the opponents always do" in text
    assert json.loads(run("ombre", "--format", "json"))[0]["pool"] == 5
    assert json.loads(run("mensch", "--format", "json"))[0]["pool"] is None
    assert "Pool" not in run("mensch")


@pytest.mark.parametrize("game", GAMES)
def test_json_holds_the_rankings(game):
    for trump in rules_for(game).trumps:
        (record,) = json.loads(run(game, "--trump", trump.lower(), "--format", "json"))
        (ranking,) = record["ranking"].values()
        assert sorted(chain(*ranking["suits"].values())) == sorted(rules_for(game).deck)
        assert ranking["matadors"] == list(rules_for(game).matadors(trump))
        assert [kind["contract"] for kind in record["contracts"]] == list(GAMES[game].contracts)


def test_options_change_what_is_printed():
    text = run("quadrille", "--trump", "S", "--rules", "red_plain_order=king-high")
    assert "HK HQ HJ HA H2" in text
    assert "HA HK HQ HJ H2" in run("quadrille", "--trump", "S")


def test_csv_is_one_long_table():
    rows = list(csv.DictReader(io.StringIO(run("ombre", "--format", "csv"))))
    assert {
        "part": "ranking",
        "name": "S",
        "attribute": "matadors",
        "value": "SA S2 CA",
    } in rows
    assert {row["part"] for row in rows} == {"game", "ranking", "contract", "option"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["whist"], "'whist'"),
        (["ombre", "--trump", "NT"], "'NT'"),
        (["ombre", "--trump", "X"], "'X'"),
        (["ombre", "--rules", "colour=red"], "'colour'"),
        (["ombre", "--rules", "rotation=up"], "rotation='up'"),
        (["ombre", "--rules", "rotation"], "'rotation'"),
        ([], "GAME"),
    ],
)
def test_wrong_usage_is_status_2_and_quotes_the_input(args, message):
    result = CliRunner().invoke(main, ["rules", *args])
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("command", ["rules", "problems", "deal"])
def test_games_are_named_where_one_is_missing(command):
    result = CliRunner().invoke(main, [command])
    assert result.exit_code == 2
    assert ", ".join(GAMES) in result.stderr
