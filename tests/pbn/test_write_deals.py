"""Deals made in Python and written as hand files are read back equal and without errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import spadille
from spadille import Contract, Deal, SpadilleError, dump, dumps, load, read
from spadille.base.errors import ArgumentError, IllegalCardError
from spadille.games import GAMES, rules_for
from spadille.games.model.contract_types_and_options import Surrender
from spadille.pbn.parse_document import parse
from spadille.pbn.write_deals import _tags, block, following, numbered, surrender_value

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


def test_tags_of_an_entry_are_written_with_their_sections():
    text = (
        '[Game "german-solo"]\n[Dealer "W"]\n[Auction "N"]\nPass Pass\nsolo-H Pass\n[Board "1"]\n'
    )
    (entry,) = read(text)
    assert block(entry) == text


def test_a_card_is_called_only_where_the_contract_calls_one():
    deal = Deal.random("german-solo", 1)
    for contract, called in (("N solo H", ()), ("N tout H", ()), ("N frog H -", ("-",))):
        tags = dict(_tags(deal, Contract.parse(deal, contract)))
        assert tags.get("Called") == (called[0] if called else None)


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


def tags_of(text):
    """Return the tags in the order written, except those that every deal has in export format."""
    return [
        (tag.name, tag.value) for tag in parse(text).games[0].tags if tag.value not in ("?", "")
    ]


def test_every_value_of_a_deal_has_its_tag():
    deal = Deal.parse("N:A.K.Q. K.A.A. - -", "german-solo", dealer="E", leader="W")
    rules = rules_for("german-solo", "color=H;hands=4")
    deal = replace(deal, rules=rules, won={"N": 3, "S": 2}, pool=7, current_trump=None)
    contract = Contract(("N",), ("frog",), "S", "DA", "E")
    assert [*_tags(deal, contract)] == [
        ("Game", "german-solo"),
        ("Rules", "color=H;hands=4"),
        ("Dealer", "E"),
        ("Deal", "N:A.K.Q. K.A.A. - -"),
        ("Pool", "7"),
        ("Leader", "W"),
        ("Won", "N:3;S:2"),
        ("Declarer", "N"),
        ("Contract", "frog"),
        ("Trump", "S"),
        ("Called", "DA"),
        ("Partner", "E"),
    ]


def test_an_exchange_and_a_turned_up_card_have_their_tags():
    deal = Deal.random("squint", 1)
    two = (deal.hands["3"] or ())[:2]
    deal = replace(deal, drawn={"3": deal.talon}, discard={"3": two}, from_hand=("1", "4"))
    found = dict(_tags(deal, Contract(tuple("12345"), ("nemo",) * 5, "NT", penalty="H")))
    assert found["Drawn"] == f"3:{' '.join(deal.talon)}"
    assert found["Discard"] == f"3:{' '.join(two)}"
    assert found["FromHand"] == "1 4"
    assert (found["Contract"], found["Penalty"], found["Trump"]) == ("nemo", "H", "NT")
    assert "Declarer" not in found
    whist = Deal.random("solo-whist", 1)
    card = next(c for c in whist.hands[whist.dealer] or () if c[0] == whist.current_trump)
    shown = dict(_tags(replace(whist, turn_up=card), None))
    assert (shown["TurnUp"], "CurrentTrump" in shown) == (card, False)
    assert dict(_tags(replace(whist, turn_up=None), None))["CurrentTrump"] == card[0]


@pytest.mark.parametrize(("ordered", "text"), [(True, "SA C7 HK"), (False, "A.K..7")])
def test_a_talon_is_a_list_if_it_has_an_order(ordered, text):
    deal = replace(Deal.random("ombre", 1), talon=("SA", "C7", "HK"), talon_ordered=ordered)
    assert dict(_tags(deal, None))["Talon"] == text


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (Surrender("3", 2), "3@2"),
        (Surrender("3", 4, "1"), "3:1@4"),
        (Surrender("3", 1, None, ("1", "2")), "3+1+2@1"),
    ],
)
def test_a_surrender_in_words(given, text):
    assert surrender_value(given) == text


@pytest.mark.parametrize(
    ("board", "number"), [('[Board "7"]', "8"), ("", "2"), ('[Board "x"]', "2")]
)
def test_the_next_deal_keeps_event_and_players(board, number):
    text = f'{board}[Event "Club"][Site "Here"][North "Anna"][Room "5"]\n[Game "mensch"]\n'
    (entry,) = read(text)
    found = dict(tags_of(following(entry, Deal.random("mensch", 1))))
    assert (found["Board"], found["Event"], found["Site"]) == (number, "Club", "Here")
    assert (found["North"], found["Game"]) == ("Anna", "mensch")
    assert "Room" not in found


def test_deals_are_numbered_from_one():
    texts = [*numbered(Deal.random("mensch", seed) for seed in range(3))]
    assert [dict(tags_of(text))["Board"] for text in texts] == ["1", "2", "3"]
    assert not any(text.startswith("%") for text in texts)
