"""Test the export format: what it keeps and puts in order, and that it is idempotent."""

from __future__ import annotations

import pytest

from spadille.core.deal import Deal
from spadille.pbn.export_format import export
from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import parse

SQUINT = "1:AKQJT98765... 432.AKQJT98.. .765432.AKQJ. ..T98765432.A ...KQJT987654"

EXPORTED = """\
% PBN 2.1
% EXPORT
; about the file
%house rule
[Event "Club \\"A\\""]
; of the event
[Site "?"]
[Date "?"]
[Board "7"]
[West "?"]
[North "?"]
[East "?"]
[South "?"]
[Dealer "S"]
[Vulnerable "None"]
[Deal "S:J973.J98742.3.K4 KQT2.AT.J6542.85 .63.AKQ987.A9732 A8654.KQ5.T.QJT6"]
[Scoring "?"]
[Declarer "S"]
[Contract "5HX"]
[Result "9"]
[Annotator "me"]
[Zebra ""]
[Auction "S"]
1D 1S $3 {takes

two lines} 3H =1= $4 $14 Pass
AP
[Note "1:six cards"]
[Play "W"]
SA H3 ^R SJ ST ; odd
S4 =2= $7
*
[Note "2:small"]
[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]
N NT  4
E  S 10
{ the end }
"""
IMPORTED = """\
; about the file
% PBN 1.0

%house rule
[Result "NS 9"] [Zebra ""]
[Contract "5hx"][Declarer "s"]
[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]
N NT 4 E
S\t10
{ the end }
[Play "W"]
Sa H3 ^r SJ s10 ; odd
S4! =2=
*
[Note "2:small"]
[Auction "W"]
- - - 1d
1s !! {takes

two lines}3h $14 ?? =1= pass ap
[Note "1:six cards"]
[Annotator "me"]
[Event "##Club \\"A\\""] ; of the event
[Board "7"]
[Dealer "S"]
[Vulnerable "love"]
[Deal "N:.36.AKQ987.A9732 A8654.KQ5.10.QJT6 J973.J98742.3.K4 kqt2.at.j6542.85"]
"""


def test_export() -> None:
    text = export(parse(IMPORTED))
    assert text.replace("\r\n", "\n") == EXPORTED
    assert text.count("\r\n") == text.count("\n")
    assert export(parse(text)) == text


def test_export_writes_inherited_values_and_one_empty_line() -> None:
    text = export(parse('[Event "##a"]\n\n\n\t\n[Board "2"]\n\n[Event "#"]'), newline="\n")
    games = text.split("\n\n")
    assert [game.count('[Event "a"]') for game in games] == [1, 1, 1]


def test_tables_come_after_other_tags() -> None:
    text = export(
        parse('[ATable "x"]\n[Zed "1"]\n[BTable "y"]\nrow\n[Play "N"]\n- -\n'), newline="\n"
    )
    names = [line.split()[0] for line in text.splitlines() if line.startswith("[")]
    assert names[-4:] == ["[Zed", "[Play", "[ATable", "[BTable"]


def test_export_of_other_games_keeps_their_seats() -> None:
    text = export(parse(f'[Game "squint"]\n[Dealer "3"]\n[Deal "{SQUINT}"]'))
    dealt = next(line for line in text.splitlines() if line.startswith("[Deal "))
    assert dealt.startswith('[Deal "3:.765432.AKQJ. ')
    before, after = Deal.parse(SQUINT, "squint"), read(text)[0].deal
    assert after is not None
    assert after.hands == before.hands


def test_export_copies_what_breaks_the_notation() -> None:
    broken = '[Board "1"]\r\n[Deal "N:A\r\n[Board "2"]'
    text = export(parse("; c\r\n\r\n" + broken + '\r\n\r\n[Board "3"]'))
    assert text.startswith(f"% PBN 2.1\r\n% EXPORT\r\n; c\r\n{broken}\r\n\r\n[Event ")
    assert export(parse(text)) == text


@pytest.mark.parametrize("width", ["99999999999", "9" * 30, "9" * 5000])
def test_columns_of_impossible_width_are_left_as_they_are(width: str) -> None:
    document = parse(f'[ScoreTable "Place\\{width}R;Names"]\n1 Smith\n')
    assert export(document).split("\r\n")[-2:] == ["1 Smith", ""]


def test_long_lines_of_calls_are_broken() -> None:
    call = "1S =1= $1 $100 $101 $102 $103 $104 "
    text = export(parse('[Auction "N"]\n' + call * 9), newline="\n")
    rows = text.partition("[Auction")[2].splitlines()[1:]
    assert max(map(len, rows)) < 80
    assert " ".join(rows).split() == (call * 9).split()


GERMAN_SOLO = '[Game "german-solo"]\n[Dealer "S"]\n[Auction "{}"]\n{}\n'


@pytest.mark.parametrize(
    ("first", "calls", "kept"),
    [
        # West is eldest: the blank columns before the dealer's are not needed.
        ("W", "Pass frog Pass Pass", ("W", "Pass frog Pass Pass")),
        ("S", "- frog Pass Pass Pass", ("S", "- frog Pass Pass Pass")),
        ("E", "- - frog Pass Pass Pass", ("S", "- frog Pass Pass Pass")),
        # One of two faults: a call is missing, or the wrong player bids first.
        ("W", "- - - frog", ("W", "- - - frog")),
        ("E", "- frog Pass Pass", ("E", "- frog Pass Pass")),
        ("N", "- -", ("N", "- -")),
    ],
)
def test_only_blank_columns_before_eldest_are_left_out(
    first: str, calls: str, kept: tuple[str, str]
) -> None:
    text = export(parse(GERMAN_SOLO.format(first, calls)), newline="\n")
    rows = text.partition("[Auction ")[2].splitlines()
    assert (rows[0].strip('"]'), " ".join(rows[1:])) == kept
    assert export(parse(text), newline="\n") == text


@pytest.mark.parametrize("text", ['[Play ""]\n0\n\n;', '[Event "a"]\n\n{ the end }'])
def test_a_comment_behind_an_empty_line_stays_there(text: str) -> None:
    exported = export(parse(text), newline="\n")
    assert exported.endswith(text[text.index("\n\n") :] + "\n")
    assert export(parse(exported), newline="\n") == exported


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_comment_never_closed_ends_with_an_empty_line(newline: str) -> None:
    document = parse(newline.join(["{", '[Event "a"]', "", '[Event "b"]']))
    assert [[tag.value for tag in game.tags] for game in document.games] == [[], ["b"]]


GERMAN = (
    '[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]\n[Declarer "E"]\n'
    '[Contract "frog"]\n[Trump "D"]\n[Called "HA"]\n'
)


@pytest.mark.parametrize(
    "copied", ['stray\n\t[Foo "b"]', '; c\n\t[Foo "b"] ]', "% PBN 2.1\n\t]", "% EXPORT\n \u200b"]
)
def test_an_indented_game_is_copied_as_one_game(copied: str) -> None:
    once = export(parse(f'[Event "##a"]\n\n{copied}\n'))
    assert len(parse(once).games) == 2
    assert export(parse(once)) == once


@pytest.mark.parametrize("stray", ['[Board "2"] stray', 'stray\n[Board "2"]', "; c\n]"])
def test_a_game_that_is_copied_keeps_what_it_inherits(stray: str) -> None:
    first = f'[Board "1"]\n[Game "##german-solo"]\n[Dealer "##S"]\n{GERMAN}'
    play = '[Play "##W"]\nD9 DQ D8 DT\n'
    text = export(parse(f'{first}{play}\n{stray}\n{GERMAN}\n[Play "#"] ]\n{GERMAN}'), newline="\n")
    entries = read(text)
    assert [entry.game.get("Game") for entry in entries] == ["german-solo"] * 3
    assert [entry.deal and entry.deal.dealer for entry in entries] == ["S"] * 3
    assert [entry.play and entry.play.cards for entry in entries] == [("D9", "DQ", "D8", "DT")] * 3
    assert [len(entry.faults) for entry in entries] == [0, 1, 1]
    assert export(parse(text), newline="\n") == text


def test_a_number_sign_in_a_game_that_is_copied_becomes_the_value() -> None:
    text = export(parse('[Event "a"]\n\n[Event "#"] stray\n'), newline="\n")
    assert text.endswith('[Event "a"] stray\n')


def test_what_would_become_many_times_as_long_is_copied() -> None:
    heirs = "\n".join('[A "#"]\n' for _ in range(2000))
    text = f'[Event  "e"]\t\r\n[Play "##S"]\n{"- " * 1000}\n\n{heirs}'
    once = export(parse(text), newline="\n")
    assert len(once) < len(text) + 100
    assert once.startswith('% PBN 2.1\n% EXPORT\n[Event  "e"]\n[Play "##S"]\n- -')
    assert export(parse(once), newline="\n") == once


def test_a_game_without_number_is_given_none() -> None:
    text = export(parse('[Event "a"]\n\n[Board "?"]'), newline="\n")
    assert [game.get("Board") for game in parse(text).games] == [None, "?"]
