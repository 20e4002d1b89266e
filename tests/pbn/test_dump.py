"""Deals made in Python and written as hand files are read back equal and without errors."""

from __future__ import annotations

from pathlib import Path

import pytest

import spadille
from spadille import Contract, Deal, SpadilleError, dump, dumps, load, read
from spadille.base.errors import ArgumentError, IllegalCardError
from spadille.games import GAMES
from spadille.games.model.contract_kinds import Surrender

FILES = sorted((Path(__file__).parents[2] / "examples").glob("*.pbn"))
GIVEN_UP = """
[Game "ombre"]
[Dealer "3"]
[Deal "3:AK.Q.J74.KJ7 Q73.J3.AK.A4 J4.5.653.Q62"]
[Declarer "3"]
[Contract "entrada"]
[Trump "D"]
[Surrender "3{}@2"]
[Play "2"]
D5 DA D4
"""
TURNED_UP = """
[Game "solo-whist"]
[Dealer "S"]
[Deal "N:AKQJ9.2.AKQ5.K43 T87.AK843.J2.QJ2 65.QJT975.T98.A5 432.6.7643.T9876"]
[TurnUp "HQ"]
[Declarer "N"]
[Contract "abundance"]
[Play "W"]
S4
"""


def again(entry):
    """Return the same deal as read from a file."""
    found = entry.deal, entry.contract, entry.play and entry.play.cards, entry.surrender
    assert entry.faults == []
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_examples_are_written_as_they_were_read(path):
    for entry in load(path):
        item = again(entry)
        (written,) = read(dumps([item]))
        assert again(written) == item


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_entries_keep_all_their_tags(path):
    entries = [*load(path)]
    found = [*read(dumps(entries))]
    assert [again(entry) for entry in found] == [again(entry) for entry in entries]
    for before, after in zip(entries, found, strict=True):
        tags = {tag.name: tag.value for tag in after.game.names.values()}
        assert {tag.name: tag.value for tag in before.game.names.values()}.items() <= tags.items()


@pytest.mark.parametrize("text", [GIVEN_UP.format(""), GIVEN_UP.format(":1"), TURNED_UP])
def test_rare_things_are_written_too(text):
    (entry,) = read(text)
    item = again(entry)
    assert item[3] or item[0].turn_up
    (written,) = read(dumps([item]))
    assert again(written) == item


def test_who_agreed_to_a_surrender_is_written():
    (entry,) = read(GIVEN_UP.format(""))
    text = dumps([(entry.deal, entry.contract, "", Surrender("3", 2, None, ("1", "2")))])
    assert '[Surrender "3+1+2@2"]' in text


@pytest.mark.parametrize("game", GAMES)
def test_deals_made_at_random(game, tmp_path):
    deals = [Deal.random(game, seed) for seed in range(5)]
    dump(deals, tmp_path / "deals.pbn")
    entries = load(tmp_path / "deals.pbn")
    assert [entry.deal for entry in entries] == deals
    assert [fault for entry in entries for fault in entry.findings] == []


def test_entries_keep_their_comments():
    text = '{before}\n[Game "mensch"] ; beside\n[Play "N"]\nSA {within} -\n*\n{at the end}\n'
    (entry,) = read(text)
    written = dumps([entry])
    found = [comment.strip("{; }\n") for _, comment in read(written).document.comments]
    assert [one for one in found if one[0] != "%"] == ["before", "beside", "within", "at the end"]
    assert dumps(read(written)) == written


def test_contract_and_play_may_be_text():
    deal = Deal.parse("N:..KJ.K7 .Q9.A.9 ..T98.8 .KJ.Q.J", "german-solo", leader="N")
    (entry,) = read(dumps([(deal, "N solo H", "DK DA D8")]))
    assert entry.contract == Contract.make(deal, "solo", "N", "H")
    assert entry.play.cards == ("DK", "DA", "D8")


def test_nobody_called_is_written():
    deal = Deal.random("quadrille", 1)
    for seat in deal.rules.seats:
        for kind in deal.rules.contracts.values():
            if kind.may_call:
                contract = Contract.parse(deal, f"{seat} {kind.id} H -")
                (entry,) = read(dumps([(deal, contract)]))
                assert entry.contract == contract


@pytest.mark.parametrize(
    ("items", "says"),
    [
        (5, "items must be a list of deals or entries, not 5"),
        (Deal.random("mensch", 1), "a list of deals or entries"),
        ("deals.pbn", "a list of deals or entries"),
        ([5], "give a deal and optionally"),
        ([(5,)], "a deal must be a Deal, not 5"),
        ([(Deal.random("mensch", 1), 5)], "a contract must be a Contract or text"),
        ([(Deal.random("mensch", 1), None, "SA")], "needs its contract"),
    ],
)
def test_other_types_are_refused(items, says):
    with pytest.raises(ArgumentError, match=says):
        dumps(items)


def test_illegal_play_is_refused():
    deal = Deal.parse("N:..KJ.K7 .Q9.A.9 ..T98.8 .KJ.Q.J", "german-solo", leader="N")
    with pytest.raises(IllegalCardError):
        dumps([(deal, "N solo H", "DK HQ")])


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "deals.pbn"
    path.write_text("as it was", encoding="utf-8")
    with pytest.raises(SpadilleError):
        dump([Deal.random("mensch", 1), 5], path)
    assert path.read_text(encoding="utf-8") == "as it was"
    assert spadille.dump is dump
