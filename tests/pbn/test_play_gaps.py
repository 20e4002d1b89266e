"""Recorded play with gaps: every recorded card is checked, and play goes up to the gap."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from spadille import Deal, Position
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import read
from spadille.pbn.write_deals import dumps
from spadille_cli import main

RANKS = "AKQJT98765432"
HEAD = f"""[Game "solo-whist"]
[Dealer "W"]
[Deal "N:{RANKS}... .{RANKS}.. ..{RANKS}. ...{RANKS}"]
[Declarer "E"]
[Contract "misere"]
[CurrentTrump "C"]
"""
FIRST = "SA H7 D7 C7\n"  # N E S W; N wins all tricks


WHOLE = "".join(f"S{rank} H{rank} D{rank} C{rank}\n" for rank in RANKS)
NO_CONTRACT = HEAD.replace('"misere"', '"?"')


def only(play: str, head: str = HEAD, first: str = "N") -> Entry:
    (entry,) = read(f'{head}[Play "{first}"]\n{play}')
    return entry


def found(entry: Entry) -> list[tuple[str, str, int | None, int | None]]:
    return [(one.code, one.text, one.line, one.column) for one in entry.faults]


@pytest.mark.parametrize(
    ("play", "tricks", "faults"),
    [
        # A row after an incomplete trick.
        (FIRST + "SK H8 - -\nSQ H9 D9 C9", 2, [("play-gap", "-", 9, 7)]),
        # Cards under an empty leader's column.
        (FIRST + "- - - C8", 1, [("play-gap", "-", 9, 1)]),
        (FIRST + "- H8 D8 -\n*", 1, [("play-gap", "-", 9, 1)]),
        # An empty row between two tricks, and an empty last row.
        (FIRST + "- - - -\nSK H8 D8 C8", 1, [("play-gap", "-", 9, 1)]),
        (FIRST + "- - - -\n- - - -\n*", 1, []),
        (FIRST + "SK H8 - -\n+ - - -", 2, []),
        # Each card after the gap is checked.
        (
            FIRST + "SK - - C8\nSA H8 DX D9",
            2,
            [
                ("play-gap", "-", 9, 4),
                ("card-not-held", "SA", 10, 1),
                ("card-unreadable", "DX", 10, 7),
                ("card-not-held", "D9", 10, 10),
            ],
        ),
        # Words at the end.
        (FIRST + "SK H8 D8 C8 rest", 2, [("card-unreadable", "rest", 9, 13)]),
        (FIRST + "* SK H8", 1, [("play-after-end", "SK", 9, 3)]),
        (FIRST + "* - $3 +\n*", 1, []),
        # A word that is not a card, and an error after it.
        (
            FIRST + "SX H8 D8 C8\nSK SA D9 C9",
            1,
            [("card-unreadable", "SX", 9, 1), ("card-not-held", "SA", 10, 4)],
        ),
        # Cards after the gap that had been played before it.
        (
            FIRST + "SK - - C8\nSQ H8 D8 C8\nSQ H9 D9 C9",
            2,
            [
                ("play-gap", "-", 9, 4),
                ("card-not-held", "C8", 10, 10),
                ("card-not-held", "SQ", 11, 1),
            ],
        ),
    ],
)
def test_every_card_is_checked(
    play: str, tricks: int, faults: list[tuple[str, str, int, int]]
) -> None:
    entry = only(play)
    assert found(entry) == faults
    assert entry.play
    assert len(entry.play.tricks) == tricks


@pytest.mark.parametrize(
    ("play", "faults"),
    [
        ("", []),
        ("H7 D7 C7 SA\n", []),
        (
            "H7 D7 C7 SA\nH8 - - -\nH8 D8 C8 SK\n",
            [("play-gap", "-", 9, 4), ("card-not-held", "H8", 10, 1)],
        ),
        (
            "H7 DX C7 SA\nH7 D8 C8 SK\n",
            [("card-unreadable", "DX", 8, 4), ("card-not-held", "H7", 9, 1)],
        ),
    ],
)
def test_after_a_wrong_leader_the_cards_are_checked(
    play: str, faults: list[tuple[str, str, int, int]]
) -> None:
    entry = only(play, first="E")
    assert found(entry) == [("play-leader", "E", 7, 8), *faults]
    assert entry.play
    assert {*entry.play.leaders} <= {"E"}


def test_a_mark_excuses_one_revoke_of_its_card() -> None:
    """South revokes with the Manille, and then North with ST."""
    rows = "DQ D9 D7 DK\nS9 SA ^R H7 SK\nST HK HA H8\n"
    assert found(only(rows, SOLO)) == [("card-revoke", "ST", 10, 1)]
    assert found(only(rows.replace("ST", "^R ST"), SOLO)) == []
    assert found(only(FIRST + "SK ^R C8 D8 C9\n")) == [("card-not-held", "C8", 9, 7)]


FIVE = """[Game "german-solo"]
[Dealer "S"]
[Deal "N:AKJ.98.AKT. Q7.AK7.87.Q T9.QJ.QJ.AK 8.T.9.JT987"]
[Declarer "E"]
[Contract "solo"]
[Trump "H"]
[Result "4"]
[Play "W"]
C7 DT HK CK
HT H8 CQ HJ
C8 H9 H7 HQ
C9 SJ SQ S9
CT SK HA ST
"""
OPEN = "5 to 8 tricks, not 4"
STOPS = "5 tricks, not 4; a card to trick 6 would mean going on"
LOST = "5 tricks, not 4; the hand ends with trick 6, which is lost"


@pytest.mark.parametrize(
    ("contract", "rest", "told"),
    [
        ("solo", "", STOPS),
        ("solo", "*\n", STOPS),
        ("solo", "+\n", OPEN),  # East may go on
        ("solo", "- - D8 -\n", OPEN),  # East goes on
        ("solo", "D9 DA D7 DJ\n*\n", LOST),
        ("tout", "*\n", OPEN),
        ("tout", "D9 DA D7 DJ\n*\n", LOST),
    ],
)
def test_the_result_of_a_hand_that_ends_early(contract: str, rest: str, told: str) -> None:
    """East wins the first five tricks alone, so the result cannot be four."""
    (entry,) = read(FIVE.replace('"solo"', f'"{contract}"') + rest)
    assert [fault.message for fault in entry.faults] == [f"the declaring side has {told}"]


def test_the_result_is_compared_with_the_play() -> None:
    four = FIVE.replace("CT SK HA ST\n", "").replace('"4"', '"8"')
    assert read(four)[0].faults == []
    result = HEAD + '[Result "{}"]\n'
    assert found(only(WHOLE, result.format(0))) == []
    assert found(only(WHOLE, result.format("NS 9"))) == []  # legal in PBN
    assert found(only(WHOLE, result.format(1))) == [("result-contradicts-play", "1", 7, 10)]
    assert found(only(FIRST, result.format(1))) == []
    assert found(only(FIRST, result.format(13))) == [("result-contradicts-play", "13", 7, 10)]
    assert found(only(WHOLE + "SA", result.format(1))) == [("play-too-long", "SA", 22, 1)]
    (fault,) = only(WHOLE, result.format(12).replace('"E"', '"N"')).faults
    assert fault.message == "the declaring side has 13 tricks, not 12"


@pytest.mark.parametrize("play", ["", f'[Play "N"]\n{FIRST}'])
@pytest.mark.parametrize("value", ["won", "-1", "5 tricks", "\u0665"])
def test_an_unreadable_result_is_a_fault(play: str, value: str) -> None:
    (entry,) = read(f'{HEAD}[Result "{value}"]\n{play}')
    assert found(entry) == [("number-unreadable", value, 7, 10)]
    assert entry.contract is not None


def test_a_result_alone_is_a_possible_number() -> None:
    result = HEAD + '[Result "{}"]\n'
    assert found(read(result.format(13))[0]) == []
    (fault,) = read(result.format(14))[0].faults
    assert fault.message == "the declaring side has 0 to 13 tricks, not 14"


def test_shifted_columns_are_one_fault() -> None:
    # South's card is missing without a dash, so later cards are one column too far left.
    rows = "SA H7 C7\nSK H8 D8 C8\nSQ H9 D9 C9\n"
    assert found(only(rows)) == [("card-not-held", "C7", 8, 7)]


SOLO = """[Game "german-solo"]
[Dealer "W"]
[Deal "S:87.AQJ7.7.Q KQJ.T8.AK8. T9.9.QJT.KJ A.K.9.AT987"]
[Declarer "S"]
[Contract "solo"]
[Trump "H"]
"""
LED = "DQ D9 D7 DK\nSK S9 SA S8\nC7 H7 D8 CJ\n"  # North, West and East lead


@pytest.mark.parametrize(
    ("play", "told"),
    [
        (LED, True),
        (LED + "HA", True),
        # Two cards have changed places, in the first row and in the second.
        ("DQ D9 DK D7\nS9 SA S8 SK", False),
        ("DQ D9 D7 DK\nSA S9 S8 SK", False),
        # Only some of the rows, or no card in them.
        (LED + "H9 HK HA H8", False),
        (LED + "HX HK HA H8", False),
    ],
)
def test_rows_that_begin_with_the_leader_are_told(play: str, told: bool) -> None:
    fault = only(play, SOLO).faults[0]
    assert fault.code == "card-not-held"
    hint = "each row here begins with the leader of the trick, but the columns must be N E S W"
    assert (hint in fault.message) is told
    assert told or "leads" not in fault.message


@pytest.mark.parametrize("row", ["SK", "SK S9", "SK S9 SA"])
def test_so_are_they_where_only_a_short_row_does(row: str) -> None:
    (fault,) = only(f"DQ D9 D7 DK\n{row}", SOLO).faults
    assert (fault.code, fault.text, fault.line, fault.column) == ("play-gap", "SK", 9, 1)
    assert "the card of W to trick 2 is missing, but 'SK' follows; each row here" in fault.message


@pytest.mark.parametrize("row", ["S9", "SK S8", "- SK", "SK - S9"])
def test_what_nobody_can_have_played_so_is_only_missing(row: str) -> None:
    faults = only(f"DQ D9 D7 DK\n{row}", SOLO).faults
    assert "play-gap" in {fault.code for fault in faults}
    assert not any("each row" in fault.message for fault in faults)


def test_a_hand_that_goes_on_for_ever_is_one_fault() -> None:
    assert found(only(WHOLE)) == []
    assert found(only(WHOLE + "SA H7 D7")) == [("play-too-long", "SA", 21, 1)]
    assert len(found(only(WHOLE + "SA H7 D7 C7\n" * 1000))) == 2
    assert found(only(WHOLE + "- " * 1000)) == []
    # From twice the number of cards on, only the last card is a fault.
    assert found(only(WHOLE + WHOLE)) == [("play-too-long", "SA", 21, 1)]
    last = ("play-too-long", "HQ", 34, 4)
    assert found(only(f"{WHOLE}{WHOLE}DA HQ")) == [("play-too-long", "SA", 21, 1), last]


def test_cards_are_checked_where_a_hand_or_the_contract_is_not_known() -> None:
    play = FIRST + "SK SQ DX C8"
    expected = [("card-not-held", "SQ", 9, 4), ("card-unreadable", "DX", 9, 7)]
    unknown = HEAD.replace(f" .{RANKS}.. ..{RANKS}.", " - -")
    assert found(only(play, unknown)) == [("record-impossible", "SQ", 9, 4), expected[1]]
    assert found(only(play, NO_CONTRACT)) == expected
    assert found(only(FIRST + "SK SA D8 C8", NO_CONTRACT)) == [("card-not-held", "SA", 9, 4)]
    assert found(only(FIRST + "SA H8 D8 C8", NO_CONTRACT)) == [("card-not-held", "SA", 9, 1)]
    assert found(only(FIRST + "* SK", NO_CONTRACT)) == [("play-after-end", "SK", 9, 3)]


@pytest.mark.parametrize("first", ["X", "?"])
def test_cards_of_unknown_columns_may_be_of_any_hand(first: str) -> None:
    play = "C7 SA H7 D7\nC7 SK\n"
    faults = found(only(play, NO_CONTRACT, first))
    unknown = [("seat-unknown", "X", 7, 8)] if first == "X" else []
    assert faults == [*unknown, ("record-impossible", "C7", 9, 1)]


def test_cards_drawn_are_checked_only_with_the_contract() -> None:
    deal = Deal.random("ombre", 5)
    deal = replace(deal, discard={"2": (deal.hands["2"] or ())[:2]})
    contract = deal.contract("entrada", "2", "H")
    position, cards = Position.of(deal, contract), []
    while not position.finished:
        cards.append(position.legal()[0])
        position.play(cards[-1])
    text = dumps([(deal, contract, cards)]).replace('"entrada"', '"?"')
    assert read(text)[0].findings == []
    wrong = read(text.replace("S5 S3 S7", "S5 S3 SK"))[0]
    assert [(fault.code, fault.text) for fault in wrong.faults] == [("card-not-held", "SK")]


def test_review_and_cards_go_up_to_the_gap(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "gap.pbn").write_text(f'{HEAD}[Play "N"]\n{FIRST}SK H8 - -\nSQ H9 D9 C9\n')
    for command in ("review", "cards"):
        result = CliRunner().invoke(main, [command, "--format", "json", "gap.pbn"])
        assert result.exit_code == 3
        assert "gap.pbn:9:7: the card of S to trick 2 is missing" in result.stderr
        (record,) = json.loads(result.stdout)
        if command == "review":
            assert (record["error"]["code"], len(record["accounts"])) == ("play-gap", 1)
    assert len(record["cards"]) == 12
