"""Rewriting random hand files with good, odd and unknown values keeps their meaning."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from spadille.pbn.entry import Entry
from spadille.pbn.export_format import export
from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import parse

FOUR = "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"
OMBRE = "1:AKQJ.AKQJ.A. 765.7654..AK 432.3.KQ.QJ7"
VALUES = {
    "Game": ["german-solo", "German Solo", "MENSCH", "ombre", "Solo Whist", "skat", "?"],
    "Dealer": ["S", "east", "East", "ÿ", "ß", " w ", "1", "2", "Easter", "", "?"],
    "Deal": [FOUR, FOUR.lower(), FOUR.replace("T", "10"), OMBRE, "East:- - - -", "N:x - - -"],
    "Declarer": ["E", "East", "^w", "^ E", "e n", "1 3", "ÿ", "NORTH south"],
    "Contract": ["frog", "Frog", "solo-H", "solo-♥", "4hx", "solo solo", "Prop & Cop", "pass", "é"],
    "Trump": ["D", "Diamonds", "♦", "n", "No  Trumps", "nt", "µ", "?", "", "d h"],
    "Called": ["HA", "♥a", "h10", "AH", "-", "ÿ", "10"],
    "Partner": ["N", "north", "ﬀ", "-"],
    "Talon": ["♥2 DJ,D2", "...32", "32...", "s10", "x y"],
    "Drawn": ["1:H2,♦J; 3:D2", "east:h10", "1;2:x"],
    "Won": ["North:2;e:1", "1:1;3:2", "x"],
    "Result": ["EW 3", "7", "^ew 3"],
    "Vulnerable": ["love", "ÿ", "ns"],
    "Auction": ["N", "east", "ÿ", "2"],
    "Play": ["W", "west", "#x", "ß"],
    "FooTable": ["A;B\\3R", "A", "", "A;B;C"],
    "Zed": ["", "#", "##", "###", "a", "## a", '\\"', "é"],
    "Board": ["1", "?", "7b"],
    "Note": ["1:a", "2:b"],
}
CELLS = st.sampled_from(
    ["SA", "h10", "♥A", "AH", "ÿ", "-", "+", "*", "!", "$3", "=1=", "^R", "pass", "solo-♥", "Hold",
     "frog", "{c}", "; c\n", "\n", "\n%e\n", "D9 DQ D8 DT\n", "x", "♥", "-♥", "#", "♥\ufe0fK",
     "♥\ufe0eK", "1 2 3", '"q"']
)  # fmt: skip


@st.composite
def tags(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(list(VALUES)))
    value = draw(st.one_of(st.sampled_from(VALUES[name]), st.just("#")))
    if draw(st.integers(0, 3)) == 0 and value != "#":
        value = "##" + value
    body = draw(st.lists(CELLS, max_size=8)) if name in ("Auction", "Play", "FooTable") else []
    return f'[{name} "{value}"]\n{" ".join(body)}\n'


@st.composite
def games(draw: st.DrawFn) -> str:
    found = draw(st.lists(tags(), min_size=1, max_size=9))
    odd = draw(st.sampled_from([*[""] * 8, "stray", "]", "{ open", "; c", "[Board 3]"]))
    at = draw(st.integers(0, len(found)))
    text = "".join([*found[:at], odd + "\n" if odd else "", *found[at:]])
    return "\n".join(line for line in text.split("\n") if line.strip())


FILES = st.lists(games(), min_size=1, max_size=4).map("\n\n".join)
EOLS = st.sampled_from(["\n", "\r\n"])


def said(entry: Entry) -> object:
    play = entry.play and (entry.play.tricks, entry.play.leaders)
    return entry.deal, entry.terms, entry.contract, play, [fault.code for fault in entry.faults]


@given(FILES, EOLS)
@example('[Game "##german-solo"]\n[Contract "##solo-H"]\n[Trump "#"]', "\n")
def test_canonical_form_is_final_and_says_the_same(text: str, newline: str) -> None:
    text = text.replace("\n", newline)
    once = export(parse(text), newline=newline)
    assert export(parse(once), newline=newline) == once
    before, after = read(text), read(once)
    assert len(before) == len(after)
    for one, other in zip(before, after, strict=True):
        if one.game.tags:  # otherwise the tag is just an error
            assert said(one)[:4] == said(other)[:4], once


@given(FILES)
def test_canonical_form_stays_within_the_letters_of_the_file(text: str) -> None:
    text = "".join(char for char in text if ord(char) < 256)
    export(parse(text)).encode("latin-1")
