"""The lines tried for a hand form a tree, in which nothing is lost."""

from __future__ import annotations

from typing import Any

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
