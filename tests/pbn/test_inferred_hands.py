"""Hands that follow from the recorded play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from click.testing import CliRunner

from spadille import GAMES, Contract, Deal, Position
from spadille.base.card_text import format_hand
from spadille.pbn import inferred_hands
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import read
from spadille.pbn.write_deals import dumps
from spadille_cli import main

HANDS = "S:87.AQJ7.7.Q KQJ.T8.AK8. T9.9.QJT.KJ A.K.9.AT987"
ROWS = (
    "DQ D9 D7 DK\nS9 SA S8 SK\nCJ C7 H7 D8\nH9 HK HA H8\n"
    "DJ C8 HJ HT\nST C9 S7 SJ\nDT CT HQ DA\nCK CA CQ SQ\n"
)
HEAD = """[Game "german-solo"]
[Dealer "W"]
[Deal "S:87.AQJ7.7.Q - - -"]
[Declarer "S"]
[Contract "solo"]
[Trump "H"]
"""


def only(rows: str, head: str = HEAD) -> Entry:
    (entry,) = read(f'{head}[Play "N"]\n{rows}')
    return entry


def whole() -> Deal:
    return Deal.parse(HANDS, "german-solo", dealer="W")


def test_forty_cards_tell_all_hands() -> None:
    entry = only(ROWS)
    assert entry.findings == []
    assert entry.deal == whole()
    assert entry.contract is not None
    assert entry.play is not None
    assert len(entry.play.cards) == 32


@pytest.mark.parametrize("order", ["SNEW", "NSEW", "NEWS"])
def test_hands_are_filled_in_any_order(order: str) -> None:
    """The order in which hands are filled in does not matter."""
    entry = only("", HEAD)
    assert entry.deal is not None
    cards = [row.split() for row in ROWS.splitlines()]  # the columns are N, E, S, W
    played = {seat: tuple(row["NESW".index(seat)] for row in cards) for seat in order}
    assert inferred_hands._with_hands(entry.deal, played) == whole()


def test_the_play_alone_tells_all_hands() -> None:
    entry = only(ROWS, HEAD.replace("87.AQJ7.7.Q", "-"))
    assert (entry.findings, entry.deal) == ([], whole())


def plays() -> Iterator[tuple[Deal, str, str]]:
    """Return a random play of a random deal of every game: the deal, the contract, the file."""
    for game, contract in (
        ("mensch", "five H"),
        ("german-solo", "solo H"),
        ("ombre", "solo H"),
        ("quadrille", "solo H"),
        ("quintille", "solo H"),
        ("solo-whist", "misere"),
        ("squint", "misere"),
        ("anna-cubed", "misere"),
    ):
        assert game in GAMES
        deal = Deal.random(game, 3)
        seat = deal.rules.seats[0]
        found = deal.contract(contract.split()[0], seat, *contract.split()[1:])
        position, draw = Position.of(deal, found), Random(game)
        cards = []
        while any(position.hands.values()):
            cards.append(draw.choice(position.legal()) if not position.finished else "")
            if not cards[-1]:
                cards.pop()
                break
            position.play(cards[-1])
        yield deal, game, dumps([(deal, found, cards)])


@pytest.mark.parametrize(("deal", "game", "text"), [*plays()], ids=lambda given: str(given)[:12])
def test_hands_are_filled_in_in_every_game(deal: Deal, game: str, text: str) -> None:
    entry = read(text)[0]
    assert entry.play is not None
    if len(entry.play.cards) < deal.rules.game.hand_size * len(deal.rules.seats):
        pytest.skip("a lost trick ends this hand before all cards are played")
    for hand in deal.hands.values():
        text = text.replace(format_hand(hand or ()), "-", 1)
    filled = read(text)[0]
    assert filled.faults == []
    assert filled.deal is not None
    assert filled.deal.hands == deal.hands


def test_the_rest_is_filled_in_where_it_can_lie_in_one_way_only() -> None:
    rows = "\n".join(ROWS.splitlines()[:7]) + "\n"
    assert only(rows).deal == replace(
        whole(), hands={**whole().hands, "N": None, "E": None, "W": None}
    )
    known = HEAD.replace("- - -", "- T9.9.QJT.KJ -")  # West has shown out in clubs
    entry = only(rows, known)
    assert (entry.findings, entry.deal) == ([], whole())
    assert entry.contract is not None


SEVEN = "\n".join(ROWS.splitlines()[:7]) + "\n"


@pytest.mark.parametrize("result", ["", '[Result "5"]\n', '[Result "3"]\n'])
def test_a_claim_fills_the_hands_that_the_play_proves(result: str) -> None:
    """West has shown out in clubs, so North has the last one."""
    two_unknown = HEAD.replace("- - -", "- T9.9.QJT.KJ -")
    entry = only(f"{SEVEN}*\n", two_unknown + result)
    assert (entry.findings, entry.deal) == ([], whole())
    assert entry.play is not None
    assert entry.play.ended


def test_a_claim_itself_proves_nothing(tmp_path) -> None:
    """Each player has one card left, and it is unknown who holds which: the last trick is open."""
    unknown = replace(whole(), hands={**whole().hands, "N": None, "E": None, "W": None})
    text = f'{HEAD}[Result "5"]\n[Play "N"]\n{SEVEN}*\n'
    (entry,) = read(text)
    assert (entry.findings, entry.deal) == ([], unknown)
    path = tmp_path / "claimed.pbn"
    path.write_text(text, encoding="utf-8")
    refused = CliRunner().invoke(main, ["solve", str(path)])
    assert refused.exit_code == 3
    assert "add its cards or the rest of the play" in refused.stderr
    own = ["cards", "--seat", "S", "--chances", "--samples", "9", "--seconds", "0", str(path)]
    assert CliRunner().invoke(main, own).exit_code == 0


def exchanged() -> tuple[Deal, str]:
    """Return a deal with an exchange, and its file without hands and talon."""
    deal = Deal.random("ombre", 5)
    away, drawn = (deal.hands["2"] or ())[:2], deal.talon[:2]
    deal = replace(deal, discard={"2": away})
    contract = deal.contract("entrada", "2", "H")
    text = dumps([(deal, contract, first_legal(deal, contract))])
    assert read(text)[0].findings == []
    cards = f'[Drawn "2:{" ".join(drawn)}"]\n'
    return deal, re.sub(r"\[Talon .*\n", cards, without_hands(deal, text))


def first_legal(deal: Deal, contract: Contract) -> list[str]:
    """Play the first legal card each time."""
    position, cards = Position.of(deal, contract), []
    while not position.finished:
        cards.append(position.legal()[0])
        position.play(cards[-1])
    return cards


def without_hands(deal: Deal, text: str) -> str:
    for hand in deal.hands.values():
        text = text.replace(format_hand(hand or ()), "-", 1)
    return text


def test_an_exchange_that_is_recorded_is_taken_back() -> None:
    deal, text = exchanged()
    for file in (text, text.replace('"entrada"', '"?"')):
        entry = read(file)[0]
        assert entry.findings == []
        assert entry.deal is not None
        assert entry.deal.hands == deal.hands


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (r"\[Drawn .*\n", ""),
        (r"\[Discard .*\n", ""),
        ("H4 C4 C3\n", ""),  # nobody has played all cards
        ("H3 C5 C7\n", ""),  # Player 2 has also not played a card that was drawn
        ("C5 C7\n", "SK C7\n"),  # Player 2 plays a card that was not drawn instead
    ],
)
def test_an_exchange_that_is_not_known_is_not_taken_back(old: str, new: str) -> None:
    _, text = exchanged()
    assert re.search(old, text)
    for file in (text, text.replace('"entrada"', '"?"')):
        entry = read(re.sub(old, new, file))[0]
        assert [fault.code for fault in entry.faults] == ["exchange-hand-unknown"]


def test_the_hands_of_an_ending() -> None:
    """Each hand of the ending has three cards, so three tricks show all of it."""
    ending = HEAD.replace("87.AQJ7.7.Q", "7.Q..Q") + '[Leader "S"]\n[Play "S"]\n'
    for contract in ("solo", "?"):
        head = ending.replace('"solo"', f'"{contract}"')
        (entry,) = read(head + "S7 SJ ST C9\nHQ DA DT CT\nCQ SQ CK CA\n")
        assert (entry.findings, hands(entry)) == ([], "7.Q..Q QJ..A. T..T.K ...AT9")


def test_a_called_card_that_was_played_tells_the_partner() -> None:
    head = HEAD.replace('"solo"', '"frog"') + '[Called "SA"]\n'
    entry = only("DQ D9 D7 DK\n- - - SK\n", head)
    assert (entry.contract, entry.faults) == (None, [])
    entry = only("DQ D9 D7 DK\nS9 SA S8 SK\n", head)
    assert entry.contract is not None
    assert entry.contract.partner == "E"


NO_CONTRACT = HEAD.replace('"solo"', '"?"')


def hands(entry: Entry) -> str:
    """Return the hands of S, W, N and E."""
    assert entry.deal is not None
    return " ".join(
        format_hand(held) if (held := entry.deal.hands[seat]) else "-" for seat in "SWNE"
    )


LAST_OF_TWO = "- - CQ SQ\n"  # South leads to the last trick; North and East have not played


def test_a_column_is_complete_before_the_last_trick_is() -> None:
    rows = SEVEN + LAST_OF_TWO
    for head in (HEAD, NO_CONTRACT):
        entry = only(rows, head)
        assert (entry.findings, hands(entry)) == ([], "87.AQJ7.7.Q KQJ.T8.AK8. - -")
        # Only one hand is left for the remaining cards.
        entry = only(rows, head.replace("- - -", "- T9.9.QJT.KJ -"))
        assert (entry.findings, entry.deal) == ([], whole())


def test_hands_need_no_contract() -> None:
    for rows in (ROWS, ROWS.replace("D8\n", "Dx\n", 1), ROWS.replace("C8", "Cx")):
        entry = only(rows, NO_CONTRACT.replace("87.AQJ7.7.Q", "-"))
        assert (entry.findings, entry.deal) == ([], whole())


def test_a_gap_in_the_play_does_not_hide_hands() -> None:
    rows = ROWS.splitlines(keepends=True)
    entry = only("".join((*rows[:4], "- - - -\n", *rows[4:])))
    assert [fault.code for fault in entry.faults] == ["play-gap"]
    assert entry.deal == whole()


def test_columns_that_begin_with_no_seat() -> None:
    (entry,) = read(f'{HEAD}[Play "X"]\n{ROWS}')
    assert [fault.code for fault in entry.faults] == ["seat-unknown"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("D8", "HQ"),  # West plays a card of South
        ("D8", "DX"),  # no card
        ("D8", "D2"),  # not in the pack
        ("D8", "DK"),  # West plays DK twice
        ("D8", "DT"),  # West and North both play DT
        ("H7", "H8"),  # South plays a card of West
        ("H7", "C8"),  # South plays a card of East
        ("D8", "CK"),  # West plays a card of North, whose hand is known
    ],
)
def test_an_impossible_column_is_not_a_hand(old: str, new: str) -> None:
    head = NO_CONTRACT.replace("- - -", "- T9.9.QJT.KJ -") if new == "CK" else NO_CONTRACT
    entry = only((SEVEN + LAST_OF_TWO).replace(old, new, 1), head)
    assert new in [fault.text for fault in entry.faults]
    assert hands(entry).startswith("87.AQJ7.7.Q -" if new != "C8" else "87.AQJ7.7.Q KQJ.T8.AK8.")


def test_a_known_hand_stays_as_it_is_written() -> None:
    """South's hand in the Deal tag is West's, and South plays no card of it."""
    entry = only(ROWS, NO_CONTRACT.replace("87.AQJ7.7.Q", "KQJ.T8.AK8."))
    assert hands(entry).startswith("KQJ.T8.AK8. ")
    assert {fault.code for fault in entry.faults} == {"card-not-held"}


# Errors


@pytest.mark.parametrize(
    ("old", "new", "code", "words", "place"),
    [
        ("CJ C7 H7 D8", "CJ C7 H7 D9", "record-impossible", "West plays D9", (10, 10)),
        ("CJ C7 H7 D8", "CJ C7 H7 HQ", "record-impossible", "in the hand of South", (10, 10)),
        ("CJ C7 H7 D8", "D8 C7 H7 DA", "record-impossible", "North has no clubs", (11, 1)),
        ("S9 SA S8 SK", "S9 SA H7 SK", "card-revoke", "S may not play H7", (9, 7)),
    ],
)
def test_what_cannot_have_been_played_is_a_fault(
    old: str, new: str, code: str, words: str, place: tuple[int, int]
) -> None:
    rows = "\n".join(ROWS.splitlines()[:3]).replace(old, new) + "\n"
    if code == "record-impossible" and "North" in words:
        rows += "C8 C9 HJ HT\n"
    fault = only(rows).faults[0]
    assert (fault.code, (fault.line, fault.column)) == (code, place)
    assert words in fault.message


def test_a_card_played_twice_is_a_fault_without_a_contract_too() -> None:
    entry = only("DQ D9 D7 DK\nS9 SA S8 D9\n", HEAD.replace('"solo"', '"?"'))
    (fault,) = entry.faults
    assert (fault.code, fault.line, fault.column) == ("record-impossible", 9, 10)


def test_rows_that_begin_with_who_leads_get_a_hint() -> None:
    (fault,) = only("DQ D9 D7 DK\nSK S9 SA S8\nC7 H7 D8 CJ\n").faults
    assert "each row here begins with the leader" in fault.message


@pytest.mark.parametrize(
    "command",
    [
        ("solve",),
        ("cards", "--after", "8"),
        ("cards", "--after", "8", "--chances"),
        ("review",),
        ("show",),
        ("score",),
        ("check",),
    ],
)
def test_all_commands_say_the_same_of_a_file(command: tuple[str, ...], tmp_path) -> None:
    file = tmp_path / "bad.pbn"
    rows = "\n".join(ROWS.splitlines()[:3]).replace("D8", "D9")
    file.write_text(f'{HEAD}[Play "N"]\n{rows}\n')
    result = CliRunner().invoke(main, [*command, str(file)])
    assert result.exit_code == (1 if command == ("check",) else 3)
    assert "to trick 3, but it was played by East" in " ".join(result.output.split())
    assert "recorded play has 0 cards" not in result.output


# Typed deals


def test_a_typed_play_tells_unknown_hands() -> None:
    order = "DQ D9 D7 DK SK S9 SA S8 C7 H7 D8 CJ HA H8 H9 HK "
    order += "HJ HT DJ C8 S7 SJ ST C9 DA DT CT HQ CQ SQ CK CA"
    typed = ["--game", "german-solo", "--deal", "S:87.AQJ7.7.Q - - -", "--dealer", "W"]
    typed += ["--declarer", "S", "--contract", "solo", "--trump", "H"]
    result = CliRunner().invoke(main, ["solve", *typed, "--play", order])
    assert (result.exit_code, "failed" in result.output) == (0, True)
    part = ["--chances", "--samples", "3", "--seconds", "0", "--play", order[: 3 * 7]]
    result = CliRunner().invoke(main, ["cards", *typed, *part])
    assert "trick 2, S to play to SK S9 SA" in result.output
