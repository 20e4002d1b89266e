"""The Auction section of hand files: where it begins, the places of its errors, the contract."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille.core.contract import Contract
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import read
from spadille_cli import main

HANDS = "N:AK.AK.AK.A7 QJ.QJ.QJ.KJ T9.T9.T9.T9 87.87.87.Q8"  # nobody must bid
CLUBS = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"  # W must
MENSCH = f'[Game "mensch"]\n[Dealer "W"]\n[Deal "{HANDS}"]\n'
SOLO_WHIST = '[Game "solo-whist"]\n[Dealer "W"]\n[Deal "N:- - - -"]\n[CurrentTrump "H"]\n'
SQUINT = '[Game "squint"]\n[Dealer "5"]\n[Deal "1:- - - - -"]\n'
GERMAN = f'[Game "german-solo"]\n[Dealer "W"]\n[Deal "{HANDS}"]\n'


def entry_of(*parts: str) -> Entry:
    (entry,) = read("".join(part.rstrip() + "\n" for part in parts if part))
    return entry


def codes(*parts: str) -> list[tuple[str, str | None, int | None, int | None]]:
    return [(f.code, f.tag, f.line, f.column) for f in entry_of(*parts).faults]


def contract_of(*parts: str) -> Contract:
    entry = entry_of(*parts)
    assert entry.faults == []
    assert entry.contract is not None
    return entry.contract


def test_the_contract_follows() -> None:
    contract = contract_of(GERMAN, '[Trump "H"]', '[Auction "N"]', "Pass solo ! {so} Pass $3 Pass")
    assert contract == Contract(("E",), ("solo",), "H")
    contract = contract_of(GERMAN, '[Auction "N"]', "Pass solo-D AP")
    assert contract == Contract(("E",), ("solo",), "D")
    contract = contract_of(GERMAN, '[Auction "N"]', "Pass frog-color AP", '[Called "DA"]')
    assert contract == Contract(("E",), ("frog",), "C", "DA", "N")
    contract = contract_of(SOLO_WHIST, '[Auction "N"]', "Pass prop cop AP")
    assert contract == Contract(("E",), ("prop-cop",), "H", None, "S")
    contract = contract_of(SQUINT, '[Auction "1"]', "HA S2 C9 C8 CA")
    assert contract == Contract(("1", "2", "5"), ("ace-solo", "misere", "ace-solo"), "NT")
    contract = contract_of(SQUINT, '[Auction "1"]', "H9 S3 H8 C7 H7")
    assert contract.penalty == "H"
    assert set(contract.ids) == {"nemo"}


def test_a_choice_is_settled_by_a_call_or_the_contract() -> None:
    cards = "H9 H8 S3 H7 H4"
    assert entry_of(SQUINT, '[Auction "1"]', cards).contract is None
    assert entry_of(SQUINT, '[Auction "1"]', cards).faults == []
    said = cards + " - - solo"
    assert contract_of(SQUINT, '[Auction "1"]', said) == Contract(("3",), ("solo",), "S")
    assert contract_of(SQUINT, '[Contract "solo"]', '[Auction "1"]', cards).trump == "S"


def test_columns() -> None:
    auction = "Pass half AP"
    assert contract_of(MENSCH, '[Called "DA"]', '[Auction "N"]', auction).declarer == "E"
    assert contract_of(MENSCH, '[Called "DA"]', '[Auction ""]', auction).declarer == "E"
    assert contract_of(MENSCH, '[Called "DA"]', '[Auction "w"]', "- " + auction).declarer == "E"
    assert codes(MENSCH, '[Auction "W"]', "AP") == [("auction-seat", "Auction", 4, 11)]
    assert codes(MENSCH, '[Auction "5"]', "Pass Pass Pass AP")[0] == (
        "seat-unknown", "Auction", 4, 11,
    )  # fmt: skip
    assert codes(MENSCH, '[Auction "N"]') == []


def test_faults_have_their_places() -> None:
    found = codes(MENSCH, '[Auction "N"]', "half ! {no} half", "Pass *")
    assert found == [("call-too-low", "Auction", 5, 13)]
    found = codes(MENSCH, '[Auction "N"]', "five Pass", "Pass four", "Pass")
    assert found == [("call-unknown", "Auction", 6, 6), ("call-too-late", "Auction", 7, 1)]
    (fault,) = entry_of(MENSCH, '[Auction "N"]', "Half HALF AP").faults
    assert (fault.text, fault.message) == ("HALF", "'half' is not higher than 'half'")
    assert fault.rule == (
        "RULES 3: the bids from low to high are half, after, five, five-after, six, six-after, "
        "seven, seven-after, solo"
    )


def test_marks_of_irregularities_excuse() -> None:
    assert codes(SOLO_WHIST, '[Auction "N"]', "misere ^I solo AP") == []
    assert codes(SOLO_WHIST, '[Auction "N"]', "misere ^S - Pass Pass") == []
    must = (MENSCH.replace(HANDS, CLUBS), '[Called "DA"][Trump "S"]', '[Auction "N"]')
    assert codes(*must, "Pass Pass Pass Pass") == [("call-duty", "Auction", 6, 16)]
    excused = contract_of(*must[:1], '[Trump "S"]', '[Auction "N"]', "Pass Pass Pass ^P Pass")
    assert excused == Contract(("W",), ("pass-out",), "S")


@pytest.mark.parametrize(
    ("tags", "tag"),
    [
        ('[Contract "solo"][Declarer "E"]', None),
        ('[Contract "tout"][Declarer "E"][Trump "C"]', None),  # the soloist may raise
        ('[Declarer "E"]', None),
        ('[Contract "frog"][Declarer "E"]', "Contract"),
        ('[Contract "solo"][Declarer "N"]', "Declarer"),
        ('[Declarer "N"]', "Declarer"),
        ('[Contract "pass"]', "Contract"),
    ],
)
def test_contradictions(tags: str, tag: str | None) -> None:
    trump = "" if "Trump" in tags else '[Trump "S"]'
    entry = entry_of(GERMAN, trump, tags, '[Auction "N"]', "Pass solo AP")
    found = [fault for fault in entry.faults if fault.tag != "Called"]
    assert [fault.tag for fault in found] == ([tag] if tag else [])
    assert all(fault.code == "contract-contradicts-auction" for fault in found)


def test_contradictions_of_trump_partner_and_penalty() -> None:
    def tags(*parts: str) -> list[str | None]:
        found = entry_of(*parts).faults
        assert all(fault.code == "contract-contradicts-auction" for fault in found)
        return [fault.tag for fault in found]

    spoken = ('[Auction "N"]', "Pass solo-H AP")
    assert tags(GERMAN, '[Contract "solo"][Declarer "E"][Trump "D"]', *spoken) == ["Trump"]
    prop = ('[Auction "N"]', "prop Pass cop Pass")
    assert tags(SOLO_WHIST, '[Contract "prop-cop"][Declarer "N"][Partner "W"]', *prop) == [
        "Partner"
    ]
    # Partners are equal, so either may be named as the declarer.
    assert tags(SOLO_WHIST, '[Contract "prop-cop"][Declarer "S"][Partner "N"]', *prop) == []
    assert tags(SOLO_WHIST, '[Contract "prop-cop"][Declarer "S"]', *prop) == []
    nemo = ('[Auction "1"]', "H9 S3 H8 C7 H7")
    assert tags(SQUINT, '[Contract "nemo"][Penalty "S"]', *nemo) == ["Penalty"]
    assert tags(SQUINT, '[Contract "nemo nemo nemo nemo nemo"][Penalty "H"]', *nemo) == []
    soloists = ('[Auction "1"]', "HA S2 C9 C8 CA")
    assert tags(SQUINT, '[Contract "misere ace-solo ace-solo"][Declarer "2 5 1"]', *soloists) == []
    wrong = '[Contract "ace-solo misere ace-solo"][Declarer "2 5 1"]'
    assert tags(SQUINT, wrong, *soloists) == ["Declarer"]


def test_a_contract_where_nobody_plays() -> None:
    assert codes(SOLO_WHIST, '[Auction "N"]', "AP") == []
    assert codes(SOLO_WHIST, '[Contract "Pass"]', '[Auction "N"]', "AP") == []
    (fault,) = entry_of(
        SOLO_WHIST, '[Contract "solo"]', '[Declarer "N"]', '[Auction "N"]', "AP"
    ).faults
    assert fault.tag == "Contract"
    assert fault.text == "solo"
    assert fault.message == "the auction ends with no contract: misdeal"


def test_what_the_auction_leaves_open_is_missed_there() -> None:
    found = codes(GERMAN, '[Auction "N"]', "Pass frog AP")
    assert found == [("trump-missing", "Trump", 4, 1)]
    found = codes(GERMAN, '[Trump "H"]', '[Auction "N"]', "Pass frog AP")
    assert found == [("called-missing", "Called", 5, 1)]


def test_unfinished_or_faulty_auctions_settle_nothing() -> None:
    assert entry_of(SOLO_WHIST, '[Auction "N"]', "solo Pass *").contract is None
    assert entry_of(SOLO_WHIST, '[Auction "N"]', "solo solo AP").contract is None
    tags = '[Contract "misere"][Declarer "S"]'
    entry = entry_of(SOLO_WHIST, tags, '[Auction "N"]', "solo Pass *")
    assert entry.faults == []
    assert entry.contract is not None


def test_auctions_of_bridge_in_a_file_that_names_no_game() -> None:
    bridge = '[Dealer "N"]\n[Deal "N:- - - -"]\n[CurrentTrump "H"]\n[Auction "N"]\n'
    for calls in ("1NT Pass 3NT AP", "AP", "Pass Pass Pass Pass"):
        (entry,) = read(bridge + calls, "solo-whist")
        assert entry.faults == []
        (entry,) = read('[Game "solo-whist"]\n' + bridge + calls)
        assert entry.faults != []
    (entry,) = read(bridge.replace('[Auction "N"]', '[Auction "E"]') + "solo AP", "solo-whist")
    assert entry.faults == []
    assert entry.contract == Contract(("E",), ("solo",), "H")


def test_check_shows_them(tmp_path: Path) -> None:
    path = tmp_path / "hand.pbn"
    path.write_text(MENSCH + '[Auction "N"]\nhalf half AP\n')
    done = CliRunner().invoke(main, ["check", "--format", "jsonl", str(path)])
    assert done.exit_code == 1
    (fault,) = json.loads(done.stdout)["faults"]
    assert (fault["line"], fault["column"], fault["code"]) == (5, 6, "call-too-low")


@pytest.mark.parametrize(
    ("columns", "first", "calls"),
    [
        ("E", "E", "Pass Pass Pass Pass"),
        ("N", "E", "- Pass Pass Pass Pass"),
        ("W", "E", "- - Pass Pass Pass Pass"),
        # Only empty columns before the eldest hand do not count as calls.
        ("W", "W", "- Pass Pass Pass Pass"),
        ("W", "W", "Pass - Pass Pass Pass"),
    ],
)
def test_empty_columns_before_the_first_call_are_no_calls(
    columns: str, first: str, calls: str
) -> None:
    deal = '[Dealer "N"]\n[Deal "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"]\n'
    (entry,) = read(f'[Game "german-solo"]\n{deal}[Auction "{columns}"]\n{calls}\n')
    expected = [call for call in calls.split() if first == columns or call != "-"]
    assert entry.calls == (first, expected)


@pytest.mark.parametrize(
    ("tags", "passed"), [("", True), ('[Contract "solo"][Declarer "E"][Trump "H"]', False)]
)
def test_a_contract_after_all_have_passed_is_played(tags: str, passed: bool) -> None:
    """The auction contradicts the contract, but the deal was not passed out."""
    entry = entry_of(SOLO_WHIST, tags, '[Auction "N"]', "Pass Pass Pass Pass")
    assert entry.passed_out == passed
    assert [fault.code for fault in entry.faults if fault.tag == "Contract"] == (
        [] if passed else ["contract-contradicts-auction"]
    )
