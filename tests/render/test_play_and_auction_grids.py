"""Play as a grid: columns in the order of turn, leaders, winners, and the count of tricks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spadille import Deal, load, solve
from spadille.core.position import Position
from spadille.render.play_and_auction_grids import (
    DrawnTrick,
    counted,
    play_grid,
    tricks_of,
    turns_grid,
)
from spadille.render.tables import table_lines
from spadille.render.text import columns, painted

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = sorted(EXAMPLES.glob("*.pbn"))

# The order of turn is 2, 1, 3. Ombre, seat 3, wins the sixth trick with the Manille and the eighth
# with the Spadille; seat 1 wins the seventh with the king of trumps.
OMBRE = """\
trick   2    1     3    won
-----  ---  ----  ----  -----
    1  >H7   H3*   H4   0-1-0
    2   H2  >H6    D4*  0-1-1
    3   C3   C4   >C5*  0-1-2
    4   S2   S5   >CK*  0-1-3
    5   HA   D2*  >S6   0-2-3
    6   D6  >DQ    D7*  0-2-4
    7   HK   DK*  >SK   0-3-4
    8   D5  >DA    SA*  0-3-5
    9   D3   CA*  >DJ   0-4-5
"""


def recorded(name):
    for entry in load(EXAMPLES / f"{name}.pbn"):
        if entry.contract is not None and entry.play is not None:
            yield entry.deal, entry.contract, entry.play


def test_a_hand_of_ombre():
    deal, contract, play = next(recorded("ombre"))
    grid = play_grid(deal.rules, contract, tricks_of(deal, contract, play.tricks))
    assert "\n".join(table_lines(grid)) + "\n" == OMBRE


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_card_stands_under_who_plays_it(path):
    for deal, contract, play in recorded(path.stem):
        tricks = tricks_of(deal, contract, play.tricks)
        assert tuple(trick.leader for trick in tricks) == play.leaders
        grid = play_grid(deal.rules, contract, tricks)
        hands = deal.playing_hands()
        for row in grid.rows:
            for header, cell in zip(grid.headers[1:], row[1:-1], strict=False):
                assert not cell or cell.strip(" >*") in hands[header.strip()]
            assert "".join(row[1:]).count(">") == 1


def test_a_line_from_the_middle():
    deal, contract, play = next(recorded("ombre"))
    tricks = tricks_of(deal, contract, play.tricks)
    later = tricks_of(deal, contract, play.tricks[3:], before=[*[], *play.cards[:9]])
    assert later == tricks[3:]
    grid = play_grid(deal.rules, contract, later, number=4, won={"1": 1, "3": 2})
    # The grid is that of the whole hand, except that the first column is the leader's.
    assert grid.headers[1:4] == (" 3", " 2", " 1")
    assert [row[0] for row in grid.rows] == [4, 5, 6, 7, 8, 9]
    assert [row[-1] for row in grid.rows][-1] == "5-0-4"


def test_a_trump_named_on_the_way():
    deal = Deal.random("solo-whist", 3)
    contract = deal.contract("abundance", "W")
    result = solve(deal, contract, line=True)
    tricks = tricks_of(deal, contract, result.line, named=result.named)
    assert contract.trump is None
    won = sum(trick.winner == "W" for trick in tricks)
    assert won == result.tricks


def test_an_unfinished_trick_is_not_counted():
    deal, contract, play = next(recorded("ombre"))
    tricks = tricks_of(deal, contract, [play.tricks[0], play.tricks[1][:2]])
    assert tricks[1].winner is None
    turn = deal.rules.in_turn(tricks[0].leader)
    count = counted(turn, contract.declarers, None, None, everybody=True)
    rows = turns_grid(turn, tricks, count, beside={"value": ["4", "5"]}).rows
    assert rows[1] == (2, "", ">H6", " D4", "", "5")


def test_tricks_with_a_penalty_card_are_not_clean():
    deal = Deal.random("squint", 2)
    contract = deal.contract("nemo", penalty="H")
    position = Position.of(deal, contract)
    while not position.finished:
        position.play(position.legal()[-1])
    tricks = [DrawnTrick(t.leader, t.cards, t.winner) for t in position.tricks]
    grid = play_grid(deal.rules, contract, tricks)
    clean = [t.winner for t in tricks if not any(card[0] == contract.penalty for card in t.cards)]
    seats = [header.strip() for header in grid.headers[1:6]]
    assert grid.headers[6] == "clean"
    assert grid.rows[-1][-1] == "-".join(str(clean.count(seat)) for seat in seats)


def test_marks_symbols_and_colors_keep_their_columns():
    deal, contract, play = next(recorded("ombre"))
    tricks = tricks_of(deal, contract, play.tricks)
    turn = deal.rules.in_turn(tricks[0].leader)
    count = counted(turn, contract.declarers, None, None, everybody=True)
    plain, symbols = (
        table_lines(turns_grid(turn, tricks, count, marks={"D4": "??"}, symbols=symbols))
        for symbols in (False, True)
    )
    assert plain[3] == "    2   H2  >H6    D4*??  0-1-1"
    assert symbols[3] == "    2   ♥2  >♥6    ♦4*??  0-1-1"
    colored = painted(symbols[3])
    assert "\x1b[1m\x1b[31m♦4\x1b[39m*\x1b[22m" in colored
    assert re.sub("\x1b\\[[0-9]*m", "", colored) == symbols[3]


def test_five_seats_fit_forty_columns():
    for deal, contract, play in recorded("squint"):
        tricks = tricks_of(deal, contract, play.tricks)
        lines = table_lines(play_grid(deal.rules, contract, tricks), 40)
        assert max(map(columns, lines)) <= 40
