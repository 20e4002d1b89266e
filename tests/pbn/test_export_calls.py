"""Test how export writes calls, cards, their annotations and tables."""

from __future__ import annotations

import pytest

from spadille.pbn.export_format import export
from spadille.pbn.parse_document import parse


def section(text: str, name: str) -> list[str]:
    """Return the lines of a section after export; a second export must keep them."""
    exported = export(parse(text), newline="\n")
    assert export(parse(exported), newline="\n") == exported
    lines = exported.partition(f"[{name} ")[2].split("\n")[1:-1]
    return [line for line in lines if not line.startswith("[")]


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        # One line for each player's turn; marks before a card, then notes, then NAGs in order.
        ("sa h3 sj s10 s4", ["SA H3 SJ ST", "S4"]),
        ("SA $14 =2= $3 H3 ^r SJ", ["SA =2= $3 $14 H3 ^R SJ"]),
        ("SA $007 $0 H3", ["SA $0 $7 H3"]),
        # A suffix is a NAG: 1 to 6 for calls, 7 to 12 for cards.
        ("SA! H3? SJ!! ST??", ["SA $7 H3 $8 SJ $9 ST $10"]),
        ("SA !? H3 ?!", ["SA $11 H3 $12"]),
        # Isolated signs mean nothing and stay as they are.
        ("SA $ H3", ["SA $ H3"]),
        ("SA = H3", ["SA = H3"]),
        ("SA ^ H3", ["SA ^ H3"]),
        # An asterisk has its own line, whatever comes before and after it.
        ("SA H3 * SJ ST S4", ["SA H3", "*", "SJ ST S4"]),
        ("SA H3 SJ ST *", ["SA H3 SJ ST", "*"]),
        ("* {x} SA", ["* {x}", "SA"]),
        # A dash takes its column.
        ("- - SJ - S4", ["- - SJ -", "S4"]),
        # A comment up to the end of a line ends the line; one in braces does not.
        ("SA ; first\nH3", ["SA ; first", "H3"]),
        ("SA {first} H3", ["SA {first} H3"]),
        ("SA\n% escaped\nH3", ["SA", "% escaped", "H3"]),
        ("{before} SA H3", ["{before}", "SA H3"]),
        ("zebra H3", ["zebra H3"]),
    ],
)
def test_cards_of_the_play(written: str, lines: list[str]) -> None:
    assert section(f'[Play "W"]\n{written}\n', "Play") == lines


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        ("1d 7nt x xx PASS ap", ["1D 7NT X XX", "Pass AP"]),
        ("8d solo-♥ solo-♡ ♠A s10", ["8d solo-H solo-H SA", "s10"]),
        ("solo-♥\ufe0e ♠\ufe0eA", ["solo-H SA"]),
        ("solo-♥\ufe0f ♠\ufe0fA", ["solo-H SA"]),
        ("-♥ solo-x 1♥", ["-♥ solo-x 1♥"]),
        ("1S! 1H? 2S!! 2H??", ["1S $1 1H $2 2S $3 2H $4"]),
        ("1S !? 1H ?!", ["1S $5 1H $6"]),
        ("^i 1S ^s pass", ["^I 1S ^S Pass"]),
    ],
)
def test_calls_of_the_auction(written: str, lines: list[str]) -> None:
    assert section(f'[Auction "N"]\n{written}\n', "Auction") == lines


def test_a_mark_without_a_card_stays_at_the_end() -> None:
    assert section('[Play "W"]\nSA H3 ^r\n', "Play") == ["SA H3 ^R"]


@pytest.mark.parametrize(("length", "rows"), [(74, 1), (75, 2)])
def test_lines_have_at_most_79_letters(length: int, rows: int) -> None:
    """ "SA H3" and a space before the comment, which has this many letters."""
    comment = "{" + "x" * (length - 3) + "}"
    lines = section(f'[Play "W"]\nSA {comment} H3\n', "Play")
    assert len(lines) == rows
    assert max(map(len, lines)) <= 79


@pytest.mark.parametrize(
    ("header", "written", "lines"),
    [
        ("A;B", "1 22\n333 4\n", ["1 22", "333 4"]),
        (r"A\4;B", "1 22 333 4", ["1    22", "333  4"]),
        (r"A\4L;B\3R", "1 22 333 4", ["1     22", "333    4"]),
        (r"+A\3R;-B\2R", "1 2 3 4", ["  1  2", "  3  4"]),
        # Text that is not a table of two or more columns stays as it is.
        (r"A\4;B", "1 22\n333\n", ["1 22", "333"]),
        (r"A\4", "1\n22\n", ["1", "22"]),
        (r"A\x;B\4R", "1 2", ["1    2"]),
    ],
)
def test_columns_of_a_table(header: str, written: str, lines: list[str]) -> None:
    assert section(f'[ScoreTable "{header}"]\n{written}\n', "ScoreTable") == lines


@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ("% PBN 2.1\n% EXPORT\n", False),
        ("%PBN 1.0\n", False),
        ("% EXPORT\n% PBN 2.1\n", False),
        ("%pbn 2.1\n", True),
        ("% other\n", True),
    ],
)
def test_the_header_is_written_once(header: str, kept: bool) -> None:
    lines = export(parse(f'{header}[Event "a"]\n'), newline="\n").splitlines()
    assert lines[:2] == ["% PBN 2.1", "% EXPORT"]
    assert (lines[2] == header.strip()) == kept
    assert lines[2 + kept] == '[Event "a"]'


def test_tags_come_in_order_and_sections_last() -> None:
    """Mandatory tags, others by name, Auction and Play, tables, and sections with text by name."""
    text = (
        '[Zebra "1"]\n[Play "W"]\nSA\n[OptimumTable "A;B"]\n1 2\n[Apple "2"]\n'
        '[Auction "N"]\nPass\n[ActionTable "A;B"]\n3 4\n[Board "7"]\n'
    )
    exported = export(parse(text), newline="\n").splitlines()[2:]
    mandatory = ["Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer"]
    mandatory += ["Vulnerable", "Deal", "Scoring", "Declarer", "Contract", "Result"]
    names = [line[1:].split(" ")[0] for line in exported if line.startswith("[")]
    assert names == [*mandatory, "Apple", "Zebra", "Auction", "Play", "ActionTable", "OptimumTable"]
    assert [line for line in exported if not line.startswith("[")] == ["Pass", "SA", "3 4", "1 2"]


@pytest.mark.parametrize(
    ("contract", "tags", "trump"),
    [
        ("solo H", "", '"H"'),
        ("solo H", '[Trump "H"]', '"H"'),
        ("solo H", '[Trump "?"]', '"H"'),
        ("solo", "", None),
        ("solo H", '[Trump "D"]', '"D"'),  # they contradict each other, and stay
    ],
)
def test_the_trump_of_the_contract_has_a_tag(contract: str, tags: str, trump: str | None) -> None:
    text = export(parse(f'[Game "german-solo"]\n[Contract "{contract}"]\n{tags}\n'), newline="\n")
    found = [line[7:-1] for line in text.splitlines() if line.startswith("[Trump ")]
    assert found == ([] if trump is None else [trump])
