"""Hands that follow from the recorded play, and small cards that nobody recorded."""

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
from spadille.pbn.dump import dumps
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import read
from spadille.pbn.inferred_hands import small_cards
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


SMALL_DIAMOND = HEAD.replace("- - -", "KQJ.T8.AKx. - A.K.9.AT987")
SMALL_RED = HEAD.replace("- - -", "KQJ.Tx.AKx. T9.9.QJT.KJ -")


@pytest.mark.parametrize(
    ("tricks", "head", "old", "new"),
    [
        (1, SMALL_RED, "", ""),
        (3, SMALL_RED, "", ""),  # West has played D8
        (3, SMALL_RED, "D8", "Dx"),
        (1, SMALL_DIAMOND, "D9", "Dx"),  # East has played D9
    ],
)
def test_small_cards_of_a_hand_that_are_not_played_yet(
    tricks: int, head: str, old: str, new: str
) -> None:
    rows = "\n".join(ROWS.splitlines()[:tricks]).replace(old, new)
    entry = only(rows + "\n", head)
    assert (entry.findings, entry.deal) == ([], whole())


TAGS = '[Declarer "S"]\n[Contract "solo"]\n[Trump "H"]\n'
AUCTION = '[Auction "N"]\nPass Pass solo-H Pass\n'


@pytest.mark.parametrize("terms", [TAGS, AUCTION])
def test_the_trump_decides_which_sevens_are_small(terms: str) -> None:
    """The seven of trumps is the Manille; S7 is the only low spade that is left."""
    head = HEAD.replace(TAGS, terms)
    entry = only(ROWS.replace("S7 SJ", "Sx SJ"), head)
    assert (entry.findings, entry.deal) == ([], whole())
    assert entry.play is not None
    assert entry.play.tricks[5][0] == "S7"
    for rows in (ROWS.replace("H7", "Hx"), ROWS.replace("S7 SJ", "Sx SJ")):
        head = HEAD.replace(TAGS, "") if rows.count("Sx") else head
        (fault,) = only(rows, head).faults
        assert fault.message.endswith(": no low card in the suit is left: write the rank")


def test_a_ten_is_no_small_card() -> None:
    rows = "\n".join(ROWS.splitlines()[:3]).replace("C7", "Cx") + "\n"
    entry = only(rows, HEAD.replace("- - -", "KQJ.T8.AK8. T9.9.QJT.KJ A.K.9.AT987"))
    assert entry.findings == []
    assert entry.play is not None
    assert entry.play.tricks[2][0] in ("C9", "C8", "C7")


def test_small_cards_of_the_same_trick() -> None:
    """One of the two players has D9, the other D7, and West's D8 lies between them."""
    entry = only(ROWS.replace("D9 D7", "Dx Dx"), HEAD.replace("87.AQJ7.7.Q", "-"))
    rest = "this may be D9 or D7, and it matters which one: write the rank"
    assert [(fault.text, fault.column, fault.message) for fault in entry.faults] == [
        ("Dx", 4, f"East's low card in diamonds to trick 1: {rest}"),
        ("Dx", 7, f"South's low card in diamonds to trick 1: {rest}"),
    ]


def split() -> tuple[Deal, str]:
    """Return a deal in which C8 of South is between C9 and C7 of East, and a play of it."""
    text = "S:7.AQJ7.7.Q8 KQJ.T8.AK8. T9.9.QJT.KJ A8.K.9.AT97"
    deal = Deal.parse(text, "german-solo", dealer="W")
    contract = deal.contract("solo", "S", "H")
    return deal, dumps([(deal, contract, first_legal(deal, contract))])


def test_two_small_cards_with_another_seat_between_them() -> None:
    deal, text = split()
    front, tag, play = text.partition("[Play")
    small = play.replace("C9", "Cx").replace("C7", "Cx")
    for hidden in ("", "A8.K.9.AT97"):  # a known hand, and an unknown one
        entry = read((front.replace(hidden, "-") if hidden else front) + tag + small)[0]
        assert {fault.text for fault in entry.faults} == {"Cx"}
        assert "this may be C9 or C7, and it matters which one" in entry.faults[0].message
    # The same holds where one of them has not been played.
    tricks = play.splitlines(keepends=True)
    number = next(number for number, row in enumerate(tricks) if "C9" in row or "C7" in row)
    row = tricks[number].replace("C9", "Cx").replace("C7", "Cx")
    part = front.replace("AT97", "ATxx") + tag + "".join((*tricks[:number], row)) + "+\n"
    fault = read(part)[0].faults[0]
    assert (fault.text, fault.message) == (
        "x",
        "East's low card in clubs: this may be C9 or C7, and it matters which one: write the rank",
    )
    # With the rank of one of them, the other is known.
    entry = read(front + tag + play.replace("C9", "Cx"))[0]
    assert (entry.findings, entry.deal) == ([], deal)


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


# Small cards that were not recorded


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("S9 SA", "Sx SA"),  # the only small spade that is left
        ("C8 HJ", "Cx HJ"),
        ("♠9", "♠x"),
        ("D9 D7", "Dx D7"),
    ],
)
def test_a_small_card_that_the_rest_settles(old: str, new: str) -> None:
    entry = only(ROWS.replace("S9", "♠9").replace(old.replace("S9", "♠9"), new))
    assert (entry.findings, entry.deal) == ([], whole())


def test_small_cards_that_are_alike() -> None:
    # East's C9 and C8 are equivalent; so are South's S8 and S7, and the hand is known.
    rows = ROWS.replace("C8", "Cx").replace("C9", "Cx").replace("S8", "Sx").replace("S7", "Sx")
    entry = only(rows)
    assert (entry.findings, entry.deal) == ([], whole())
    assert entry.play is not None
    assert {entry.play.tricks[1][3], entry.play.tricks[5][0]} == {"S8", "S7"}


def test_small_cards_of_two_players_are_not_alike() -> None:
    rows = ROWS.replace("D9 D7 DK", "Dx D7 DK").replace("D8\n", "Dx\n", 1)
    found = [(fault.code, fault.line, fault.column) for fault in only(rows).faults]
    assert found == [("card-unnoted", 8, 4), ("card-unnoted", 10, 10)]
    assert "this may be D9 or D8" in only(rows).faults[0].message


def test_a_matador_is_no_small_card() -> None:
    (fault,) = only(ROWS.replace("H7", "Hx")).faults
    assert "no low card in the suit is left" in fault.message


def test_small_cards_in_a_hand() -> None:
    head = HEAD.replace("- - -", "KQJ.Tx.AKx. - -")
    entry = only(ROWS.replace("D8\n", "Dx\n", 1), head)
    assert (entry.findings, entry.deal) == ([], whole())
    (fault,) = only(ROWS, HEAD.replace("- - -", "KQJ.Txx.AKx. - -")).faults
    assert (fault.code, fault.line) == ("hand-size", 3)
    assert "W has 9 cards instead of 8" in fault.message
    faults = only("", HEAD.replace("- - -", "KQJ.Tx.AKx. - -")).faults
    assert [(fault.code, fault.text, fault.column) for fault in faults] == [
        ("card-unnoted", "x", 27),
        ("card-unnoted", "x", 31),
    ]


def test_files_with_small_cards_stay_as_they_are() -> None:
    text = f'{HEAD}[Play "N"]\n{ROWS.replace("S9", "Sx")}'
    assert read(text).text == text
    result = CliRunner().invoke(main, ["fmt", "-"], input=text)
    assert "Sx" in result.output


def test_small_cards_of_a_pack_with_a_talon() -> None:
    """A card of the talon is in nobody's hand; without Talon it may be any card left over."""
    for seed in (2, 4, 6):
        deal = Deal.random("ombre", seed)
        contract = deal.contract("solo", "1", "S")
        cards = first_legal(deal, contract)
        front, tag, play = without_hands(deal, dumps([(deal, contract, cards)])).partition("[Play")
        without = re.sub(r"\[Talon .*\n", "", front)
        for card in small_cards(deal.rules, ["S"]):
            if card in cards:
                small = tag + play.replace(card, f"{card[0]}x")
                entry = read(front + small)[0]
                assert (entry.faults, entry.deal) == ([], deal)
                entry = read(without + small)[0]
                assert bool(entry.faults) is is_open(deal, card), (seed, card)
                if entry.faults:
                    (fault,) = entry.faults
                    assert (fault.code, fault.text) == ("card-unnoted", f"{card[0]}x")


def test_a_trump_that_is_turned_up_need_not_be_written() -> None:
    """Spades are trumps: S2 is the Manille, and the other twos are small cards."""
    deal = Deal.random("ombre", 3)
    contract = deal.contract("vuelta", "1")
    text = without_hands(deal, dumps([(deal, contract, first_legal(deal, contract))]))
    front, tag, play = text.replace('[Trump "S"]\n', "").partition("[Play")
    for card in ("D2", "H2", "H7", "D7", "C2"):
        entry = read(front + tag + play.replace(card, f"{card[0]}x"))[0]
        assert (entry.findings, entry.deal) == ([], deal)
    (fault,) = read(front + tag + play.replace("S2", "Sx"))[0].faults
    assert fault.code == "card-unnoted"


def is_open(deal: Deal, card: str) -> bool:
    """Return whether another seat holds a card between those that a low card may be."""
    order = next(cards for cards in deal.rules.suits("S").values() if card in cards)
    low = [other for other in small_cards(deal.rules, ["S"]) if other in deal.talon]
    places = [order.index(other) for other in (*low, card) if other in order]
    between = order[min(places) : max(places)]
    return any(deal.holder(other) not in (None, deal.holder(card)) for other in between)


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
