"""Low cards that the play writes without a rank, as in "Sx"."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from spadille import Deal
from spadille.pbn.hand_file import read
from spadille.pbn.inferred_hands import small_cards
from spadille.pbn.write_deals import dumps
from spadille_cli import main
from tests.pbn.test_inferred_hands import HEAD, ROWS, first_legal, only, whole, without_hands

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
