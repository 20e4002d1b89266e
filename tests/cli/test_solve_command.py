"""`spadille solve`: every game and contract, the JSON format, options, errors."""

from __future__ import annotations

import csv
import io
import json
from random import Random

import pytest
from click.testing import CliRunner

from spadille.base.card_text import format_hand
from spadille.core.contract import Contract
from spadille.games import GAMES, rules_for
from spadille.pbn.hand_file import read
from spadille_cli import main
from tests.support.deals_and_outcomes import random_deal

FIELDS = (
    *("file", "index", "board", "game", "error", "declarer", "contract", "trump", "called"),
    *("partner", "penalty", "leader", "sides", "tricks", "target", "makes", "margin", "outcome"),
    *("score", "secured", "guarantees", "leads", "line", "named", "swaps", "nodes", "ms"),
)
"""The columns of csv and tsv, without the scores of seats."""
COMMON = ["schema", "file", "index", "board", "game", "error"]
SOLVE = [
    *("declarer", "contract", "trump", "called", "partner", "leader", "sides", "tricks"),
    *("target", "makes", "margin", "outcome", "score"),
]
GERMAN_SOLO = """\
[Board "7"]
[Game "german-solo"]
[Dealer "N"]
[Deal "N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98"]
[Declarer "N"]
[Contract "solo"]
[Trump "H"]
"""
UNKNOWN = GERMAN_SOLO.replace(" T987.JT9.T. QJ.87.A.AKJ ", " - - ")
NO_CONTRACT = GERMAN_SOLO.replace('[Contract "solo"]\n', "")


def ending(game, seed, **tags):
    """Write a deal of four cards a hand as a hand file does."""
    rules = rules_for(game)
    deal = random_deal(rules, Random(seed))
    hands = " ".join(format_hand(deal.hands[seat][::2][:4]) for seat in rules.seats)
    first = rules.seats[0]
    lines = {"Game": game, "Dealer": first, "Deal": f"{first}:{hands}", "Leader": first, **tags}
    if deal.current_trump:
        lines["CurrentTrump"] = "H"
    return "".join(f'[{name} "{value}"]\n' for name, value in lines.items())


def contracts():
    """Yield every contract of every game with the tags it needs."""
    for game in GAMES.values():
        seat, partner = game.seats[0], game.seats[2]
        for kind in game.contracts.values():
            tags = {"Contract": kind.id, "Declarer": seat}
            if kind.trump in ("any", "not-current", "talon"):
                tags["Trump"] = "S"
            if kind.side in ("called", "partner"):
                tags["Partner"] = partner
            if kind.aim == "nemo":
                tags["Penalty"] = "D"
            yield pytest.param(game.id, tags, id=f"{game.id}-{kind.id}")
    several = {"Contract": "ace-solo misere", "Declarer": "1 3"}
    yield pytest.param("squint", several, id="squint-several")


def run(*args, **extra):
    return CliRunner().invoke(main, ["solve", *args], **extra)


def solved(text, *args):
    """Return the records of a hand file."""
    result = run("--format", "jsonl", "-", *args, input=text)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(("game", "tags"), list(contracts()))
def test_every_contract_in_every_format(game, tags):
    text = ending(game, 7, **tags)
    (record,) = solved(text)
    assert set(record) >= {*COMMON, *SOLVE, "nodes", "ms"}
    assert record["contract"] == tags["Contract"]
    assert record["error"] is None
    for extra in ([], ["--leads", "--line"]):
        result = run("-", *extra, input=text)
        assert result.exit_code == 0
        assert max(map(len, result.stdout.splitlines())) <= 80
        assert tags["Contract"].split()[0] in result.stdout
    rows = list(csv.reader(io.StringIO(run("--format", "csv", "-", input=text).stdout)))
    start = FIELDS.index("score") + 1
    end = start + len(rules_for(game).seats)
    assert rows[0][:start] + [name for name in rows[0][end:] if name != "score_pool"] == [*FIELDS]
    assert len(rows) == 2


def test_the_record_of_a_deal():
    (record,) = solved(GERMAN_SOLO)
    assert list(record)[:6] == COMMON
    expected = {
        "file": "-",
        "index": 0,
        "board": "7",
        "game": "german-solo",
        "declarer": "N",
        "contract": "solo",
        "trump": "H",
        "called": None,
        "partner": None,
        "leader": "E",
        "sides": ["N"],
        "tricks": 4,
        "target": 5,
        "makes": False,
        "margin": -1,
        "outcome": "failed",
        "score": {"N": -12, "E": 4, "S": 4, "W": 4},
    }
    assert {name: record[name] for name in expected} == expected
    assert not {"leads", "line", "guarantees"} & set(record)


def test_leads_and_line_where_asked_for():
    (record,) = solved(GERMAN_SOLO, "--leads", "--line")
    assert len(record["leads"]) == 8
    assert min(record["leads"].values()) == record["tricks"]
    assert [len(trick) for trick in record["line"]] == [4] * 8
    table = run("--leads", "--line", "-", input=GERMAN_SOLO).stdout
    assert "opening leads of E" in table
    assert f"{record['tricks']} *" in table
    assert f" >{record['line'][0][0]}" in table


def test_several_contractors_have_a_row_each():
    text = ending("squint", 3, Contract="ace-solo misere", Declarer="1 3")
    lines = run("-", input=text).stdout.splitlines()
    assert [line.split()[1:3] for line in lines[3:]] == [["1", "ace-solo"], ["3", "misere"]]


def test_several_files_and_threads_keep_their_order(tmp_path):
    files = []
    for number in range(3):
        path = tmp_path / f"{number}.pbn"
        path.write_text(
            "\n".join(
                ending("quadrille", seed, Contract="solo", Declarer="N", Trump="D")
                for seed in range(10 * number, 10 * number + 7)
            )
        )
        files.append(str(path))
    one = run("--format", "jsonl", *files).stdout.splitlines()
    three = run("--format", "jsonl", "-j", "3", *files).stdout.splitlines()
    untimed = [[json.loads(line) | {"ms": 0} for line in lines] for lines in (one, three)]
    assert untimed[0] == untimed[1]
    assert [record["index"] for record in untimed[0]] == [*range(7)] * 3


# Options instead of tags


def test_a_contract_on_the_command_line():
    (record,) = solved(NO_CONTRACT, "--contract", "tout", "--trump", "c", "--declarer", "s")
    assert (record["contract"], record["trump"], record["declarer"]) == ("tout", "C", "S")


def test_a_new_contract_keeps_only_the_declarer():
    frog = GERMAN_SOLO.replace("solo", "frog", 2).replace("german-frog", "german-solo")
    frog += '[Called "CA"]\n'
    (record,) = solved(frog, "--contract", "solo", "--trump", "D")
    assert (record["declarer"], record["called"], record["partner"]) == ("N", None, None)
    result = run("-", "--contract", "solo", input=frog)
    assert result.exit_code == 3
    assert "needs a trump" in result.stderr


def test_a_called_card_on_the_command_line_brings_its_partner():
    (record,) = solved(GERMAN_SOLO, "--contract", "frog", "--trump", "H", "--called", "da")
    assert (record["called"], record["partner"], record["sides"]) == ("DA", "S", ["N", "S"])


def test_faults_of_a_contract_that_is_replaced_do_not_matter():
    wrong = GERMAN_SOLO.replace('"solo"', '"grand"')
    assert run("-", input=wrong).exit_code == 3
    (record,) = solved(wrong, "--contract", "solo", "--trump", "H")
    assert record["tricks"] == 4


def test_dealer_and_leader():
    (record,) = solved(GERMAN_SOLO, "--dealer", "w")
    assert record["leader"] == "N"
    text = ending("ombre", 1, Contract="solo", Declarer="1", Trump="H")
    assert solved(text, "--leader", "3")[0]["leader"] == "3"
    result = run("-", "--dealer", "5", input=GERMAN_SOLO)
    assert result.exit_code == 3
    assert "'5' is not a seat" in result.stderr


def test_a_game_for_a_bridge_file():
    bridge = """\
[Dealer "N"]
[Deal "N:AQ83.K74.QT5.KJ6 KJ5.AQ9.J872.Q85 T742.J83.AK6.T93 96.T652.943.A742"]
[Declarer "S"]
[Contract "3NT"]
"""
    options = ["--game", "solo-whist", "--contract", "abundance", "--trump", "S"]
    (record,) = solved(bridge, *options)
    assert (record["declarer"], record["contract"], record["trump"]) == ("S", "abundance", "S")


# Exit statuses and errors


def test_fail_asks_whether_contracts_make():
    assert run("-", input=GERMAN_SOLO).exit_code == 0
    assert run("--fail", "-", input=GERMAN_SOLO).exit_code == 1
    made = GERMAN_SOLO.replace('"solo"', '"frog"') + '[Called "DA"]\n'
    assert run("--fail", "-", input=made).exit_code == 0


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (UNKNOWN, "hand-unknown"),
        (NO_CONTRACT, "contract-missing"),
        (GERMAN_SOLO.replace("QJ.87", "QJ.8A"), "deck-incomplete"),
    ],
)
def test_a_fault_in_one_deal_stops_no_other(text, code):
    result = run("--format", "json", "-", input=f"{GERMAN_SOLO}\n{text}\n{GERMAN_SOLO}")
    assert result.exit_code == 3
    first, second, third = json.loads(result.stdout)
    assert first["tricks"] == third["tricks"] == 4
    error = second["error"]
    assert error["code"] == code
    assert "tricks" not in second
    assert f"-:{error['line']}:{error['column']}: " in result.stderr
    assert error["line"] in range(9, 17)
    table = run("-", input=text)
    assert (table.exit_code, table.stdout) == (3, "")


@pytest.mark.parametrize(
    "args",
    [["--trump", "X"], ["--called", "1Z"], ["--penalty", "NT"], ["--game", "whist"], ["-j", "0"]],
)
def test_wrong_usage(args):
    result = run("-", *args, input=GERMAN_SOLO)
    assert result.exit_code == 2
    assert args[1] in result.stderr


def test_wrong_usage_says_what_there_is():
    assert "'X' is not one of S H D C NT" in run("-", "--trump", "X").stderr
    assert "'some' is not a number or auto" in run("-", "-j", "some").stderr


def test_what_the_library_says_is_what_the_command_says():
    from spadille.analysis.value.solve import solve

    entry = read(GERMAN_SOLO)[0]
    contract = Contract.make(entry.deal, "solo", "N", "H")
    (record,) = solved(GERMAN_SOLO)
    expected = solve(entry.deal, contract).to_dict()
    assert {**record, "ms": 0} == {**{name: record[name] for name in COMMON}, **expected, "ms": 0}


def test_several_contractors_and_one_in_a_table_of_scores():
    """With several declarers, the guarantees are shown instead of a side's payoff."""
    lone = ending("squint", 7, Contract="ace-solo", Declarer="2", Won="2:6")
    several = ending("squint", 7, Contract="ace-solo misere", Declarer="1 3", Won="2:6")
    for text, number in ((f"{lone}\n{several}", 3), (several, 2)):
        result = run("--objective", "score", "-", input=text)
        assert result.exit_code == 0, result.output
        table, *more = result.stdout.split("\n\n")
        rows = table.splitlines()[3:]
        assert len(rows) == number
        assert len(more) == (number == 3)
        for second in more:
            title, header, _, *sure = second.splitlines()
            assert title == "What can be secured"
            assert header.split() == ["deal", "declarer", "payoff", "play"]
            assert [row.split()[2] for row in sure[1:]] == [row.split()[-1] for row in rows[1:]]


def test_matadors_an_end_position_does_not_tell_of(tmp_path):
    text = (
        '[Game "quadrille"]\n[Dealer "E"]\n[Deal "N:A2.KQ.. KQ.J2.. J7.76.. 65.54.."]\n'
        '[Leader "N"]\n[Won "N:6"]\n[Declarer "N"]\n[Contract "solo"]\n[Trump "S"]\n'
    )
    (tmp_path / "end.pbn").write_text(text)
    for command in ("solve", "cards", "best"):
        result = CliRunner().invoke(main, [command, str(tmp_path / "end.pbn")])
        assert result.exit_code == 0, result.output
        assert "an end position does not say who was dealt them" in result.stderr
    (tmp_path / "end.pbn").write_text(text.replace("76..", "7..A").replace("65.", "65."))
    result = CliRunner().invoke(main, ["solve", str(tmp_path / "end.pbn")])
    assert result.stderr == ""


def test_swaps():
    args = ["solve", "--swaps", "--game", "german-solo", "--contract", "solo", "--trump", "H"]
    args += ["--deal", "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ", "--declarer", "W"]
    shown = CliRunner().invoke(main, args)
    assert shown.exit_code == 0
    (record,) = json.loads(CliRunner().invoke(main, [*args, "--format", "json"]).stdout)
    swaps = record["swaps"]
    turning = len(swaps["turning"])
    does = "break" if swaps["makes"] else "make"
    assert f"deal #1, W: {turning} of 384 swaps {does} it" in shown.stdout
    assert swaps["words"][0] in shown.stdout
    for place in swaps["cards"]:
        row = [place["card"], place["seat"], f"{place['turning']}/{place['solved']}"]
        row += [str(len(place["to"][seat])) for seat in "NESW" if seat in place["to"]]
        assert row in [line.split() for line in shown.stdout.splitlines()]
    (row,) = csv.DictReader(
        CliRunner().invoke(main, [*args, "--format", "csv"]).stdout.splitlines()
    )
    cell = row["swaps"]
    assert cell == "; ".join(" ".join(f"{k}:{v}" for k, v in s.items()) for s in swaps["turning"])
