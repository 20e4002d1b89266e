"""A slip is reported once, where it is; a misspelt tag is a warning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spadille.base.errors import Fault
from spadille.pbn.hand_file import read

PLAIN = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"
MENSCH = f'[Game "mensch"]\n[Deal "{PLAIN}"]\n'
TOP = Path(__file__).parents[2]


def faults(text: str) -> list[Fault]:
    (entry,) = read(text)
    return entry.faults


@pytest.mark.parametrize("tags", ['[Won "Q:1"]', '[Play "Q"]\nSA *\n'])
def test_an_unknown_seat_is_one_fault(tags: str) -> None:
    assert [fault.code for fault in faults(MENSCH + tags)] == ["seat-unknown"]


@pytest.mark.parametrize(
    ("deal", "code", "place", "said"),
    [
        (PLAIN.replace(".", "/"), "hand-unreadable", 18, "write a dot between the suits"),
        (
            PLAIN.replace("T987...", "T987,.."),
            "hand-unreadable",
            18,
            "write a dot between the suits",
        ),
        (PLAIN.replace(" ", ","), "deal-hands", 8, "1 hand instead of 4: write spaces"),
        (PLAIN.replace("987. .", "987. . ."), "deal-hands", 8, "5 hands instead of 4"),
        (PLAIN.replace("...AKQ", "....AKQ"), "hand-unreadable", 46, "does not have four suits"),
        (PLAIN.replace(":", " "), "deal-unreadable", 8, "a colon is missing"),
    ],
)
def test_one_slip_in_a_deal_is_one_fault(deal: str, code: str, place: int, said: str) -> None:
    tags = '[Declarer "N"][Contract "five"][Trump "S"]'
    (found,) = faults(f'[Game "mensch"]\n[Deal "{deal}"]\n{tags}')
    assert (found.code, found.line, found.column) == (code, 2, place)
    assert said in found.message


@pytest.mark.parametrize("tag", ["Game", "Deal"])
@pytest.mark.parametrize("quotes", ["“{}”", '"{}', '{}"', "{}"])
def test_a_wrong_quote_is_one_fault(tag: str, quotes: str) -> None:
    value = {"Game": "mensch", "Deal": PLAIN}[tag]
    text = f'[Game "mensch"]\n[Deal "{PLAIN}"]\n'
    (found,) = faults(text.replace(f'"{value}"', quotes.format(value)))
    assert found.code == ("quote-typographic" if "“" in quotes else "quote-missing")
    assert found.tag == tag
    said = "typographic quotes in [" if "“" in quotes else "a quote is missing in ["
    assert found.message.startswith(said)


@pytest.mark.parametrize(
    ("name", "meant"),
    [("Contrakt", "Contract"), ("Trumps", "Trump"), ("Dealler", "Dealer"), ("plya", "Play")],
)
def test_a_misspelt_tag_is_a_warning(name: str, meant: str) -> None:
    (entry,) = read(f'{MENSCH}[{name} "S"]\n')
    (found,) = entry.warnings
    assert entry.faults == []
    assert (found.code, found.line, found.column, found.text) == ("tag-misspelt", 3, 2, name)
    assert f"did you mean {meant!r}?" in found.message


# fmt: off
PBN = (  # tags of PBN 2.1, sections 4 and 5, that spadille does not read
    "Event", "Site", "Date", "West", "North", "East", "South", "Vulnerable", "Scoring",
    "Competition", "DealId", "Description", "FrenchMP", "Generator", "Hidden", "Room",
    "Termination", "Score", "ScoreIMP", "ScoreMP", "ScorePercentage", "ScoreRubber",
    "OptimumScore", "ParContract", "BidSystemEW", "BidSystemNS", "PairEW", "PairNS", "WestNA",
    "NorthNA", "EastNA", "SouthNA", "WestType", "NorthType", "EastType", "SouthType", "EventDate",
    "EventSponsor", "HomeTeam", "Round", "Section", "Stage", "Table", "VisitTeam", "Time",
    "UTCDate", "UTCTime", "TimeControl", "TimeCall", "TimeCard", "Annotator", "AnnotatorNA",
    "Application", "Mode", "Note", "ActionTable", "AuctionTimeTable", "InstantScoreTable",
    "PlayTimeTable", "ScoreTable", "TotalScoreTable",
)
# fmt: on


@pytest.mark.parametrize("name", [*PBN, "Zebra"])
def test_tags_of_the_standard_and_of_others_are_no_slips(name: str) -> None:
    (entry,) = read(f'{MENSCH}[{name} "x"]\n')
    assert entry.warnings == []


def test_a_letter_too_few_or_two_that_changed_places_is_a_slip_of_any_tag() -> None:
    table = (TOP / "docs" / "hand-files.md").read_text(encoding="utf-8")
    table = table.partition("\n## Tags\n")[2].partition("\n## ")[0]
    tags = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert len(tags) > 25
    for tag in tags:
        if len(tag) < 5 or tag in PBN:  # "Won" is close to too many words
            continue
        for slip in (tag[1:], tag[:2] + tag[3] + tag[2] + tag[4:], tag[0] + tag):
            (entry,) = read(f'{MENSCH}[{slip} ""]\n')
            meant = [w.message for w in entry.warnings if w.code == "tag-misspelt"]
            assert slip in tags or meant == [f"{slip!r} is not a known tag; did you mean {tag!r}?"]
