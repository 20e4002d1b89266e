"""The lines tried for a hand form a tree, in which nothing is lost, and the board shows them."""

from __future__ import annotations

import re
from typing import Any

import pytest

import spadille
from tests.pages.test_board import EVENING, opened, played, press, settled, symbols
from tests.support.page_scripts import run

TRIED = """({ moves, tried }) => {
    const lines = tried.reduce(kept, []);
    const shown = ({ moves, from, branches }) => [moves.slice(from).join(""), branches.map(shown)];
    return tree(lines, moves).map(shown);
}"""


def tree(moves: str, *tried: str) -> Any:
    """Return each branch as its own moves and its branches; each move is a letter."""
    return run(("tried_lines",), TRIED, {"moves": [*moves], "tried": [[*line] for line in tried]})


def test_a_line_leaves_the_one_with_which_it_has_most_in_common() -> None:
    assert tree("abcdef", "abcdef") == []
    assert tree("abcdef", "abcdef", "abxy", "abxz", "abcdeg", "q") == [
        ["xy", [["z", []]]],
        ["g", []],
        ["q", []],
    ]


def test_the_beginning_of_a_line_is_no_line_of_its_own() -> None:
    assert tree("abz", "ab", "abcd", "abc", "ax", "axy") == [["cd", []], ["xy", []]]


def test_the_tree_hangs_from_the_line_shown() -> None:
    assert tree("abxz", "abcdef", "abxy", "abxz", "abcdeg") == [
        ["cdef", [["g", []]]],
        ["y", []],
    ]


def test_a_card_of_ones_own_and_back_to_what_was_played(visit, evening):
    page = opened(visit(evening))
    press(page, "ArrowRight", "ArrowRight")
    record = spadille.load(EVENING)[0].play.cards
    other = page.locator(".felt button.card:not([aria-disabled])").all()
    mine = next(each for each in other if each.get_attribute("data-card") != record[2])
    card = mine.get_attribute("data-card")
    mine.focus()
    said = press(page, "Enter")
    assert "Trick 1, Cleo plays" in said
    assert played(page) == symbols([*record[:2], card])
    assert press(page, "u") == "Undone."
    assert played(page) == symbols(record[:2])
    assert press(page, "p") == "The recorded play."
    press(page, "ArrowRight")
    assert played(page) == symbols(record[:3])


def test_undo_and_redo_lose_nothing(visit, evening):
    record = symbols(spadille.load(EVENING)[0].play.cards)
    page = opened(visit(evening))
    press(page, "ArrowRight", "u")
    assert page.locator(".course button").all_inner_texts() == record
    press(page, "y", "ArrowRight")
    card = page.locator(".felt button.card:not([aria-disabled]):not(.next)").first
    card.click()
    settled(page)
    assert page.locator(".course button").count() == 3
    assert page.locator(".lines [aria-current]").inner_text().startswith("This line, from trick ")
    assert page.locator(".lines button").count() == 1  # the recorded play
    page.locator(".lines button").click()
    settled(page)
    assert page.locator(".course button").all_inner_texts() == record
    assert page.locator(".lines button").count() == 1  # the card tried instead
    for _ in range(4):
        press(page, "u")
    assert played(page) == []
    assert page.locator(".course button").all_inner_texts() == record


@pytest.mark.in_firefox
def test_lines_that_were_tried_are_kept_when_the_page_is_loaded_again(visit, evening):
    page = opened(visit(evening))
    press(page, "ArrowRight", "ArrowRight")
    page.locator(".felt button.card:not([aria-disabled]):not(.next)").first.click()
    settled(page)
    press(page, "p", "Home")
    lines = page.locator(".lines").inner_text()
    assert page.locator(".lines button").count() == 1
    assert re.search(r"\(\w+\)$", lines)  # the value of the card that was tried
    page.reload()
    page.locator(".playing .felt .worth").first.wait_for()
    page.wait_for_function(
        "(lines) => document.querySelector('.lines').innerText === lines", arg=lines
    )


def test_lines_that_were_tried_show_values_and_marks(visit, evening):
    page = opened(visit(evening))
    while not page.locator(".felt button.card:is(.costs, .loses):not(.next)").count():
        press(page, "ArrowRight")
    wrong = page.locator(".felt button.card:is(.costs, .loses):not(.next)").first
    worth, card = wrong.locator(".worth").inner_text(), wrong.get_attribute("data-card")
    mark = "??" if "loses" in (wrong.get_attribute("class") or "") else "?"
    wrong.click()
    settled(page)
    press(page, "p")
    line = page.locator(".lines button")
    assert line.inner_text().endswith(f"{symbols([card])[0]} ({worth})")
    assert line.locator("span").first.get_attribute("data-mark") == mark


def test_lines_that_were_tried_are_copied_as_comments(visit, evening):
    page = opened(visit(evening))
    press(page, "ArrowRight", "ArrowRight")
    page.locator(".felt button.card:not([aria-disabled]):not(.next)").first.click()
    settled(page)
    page.get_by_role("button", name="Copy as PBN").click()
    text = page.get_by_label("The hand as PBN").input_value()
    [entry] = spadille.read(text)
    assert not entry.findings
    assert len(entry.play.cards) == 3
    rest = spadille.load(EVENING)[0].play.cards[2:]
    assert f"{{Another line, from card 3: {' '.join(rest)}}}" in text
    page.locator(".playing").focus()
    press(page, "p", "ArrowRight")
    page.get_by_role("button", name="Copy as PBN").click()
    text = page.get_by_label("The hand as PBN").input_value()
    [entry] = spadille.read(text)
    assert not entry.findings
    rest = spadille.load(EVENING)[0].play.cards[3:]
    assert f"{{This line goes on: {' '.join(rest)}}}" in text
    box = page.get_by_label("The hand as PBN").bounding_box()
    assert box["y"] + box["height"] <= 720
