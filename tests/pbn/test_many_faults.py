"""If a deal has many thousand errors, the first are shown, each with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spadille.base.errors import MOST_FAULTS, Fault
from spadille.pbn.hand_file import read

SUITS4 = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"
SQUINT = "1:AKQJT98765... 432.AKQJT98.. .765432.AKQJ. ..T98765432.A ...KQJT987654"
MENSCH = f'[Game "mensch"]\n[Deal "{SUITS4}"]\n'
FIVE = f'[Game "squint"]\n[Deal "{SQUINT}"]\n'
MANY = 3_000
TOP = Path(__file__).parents[2]


def faults(text: str) -> list[Fault]:
    (entry,) = read(text)
    return entry.faults


def numbered(pattern: str, joint: str = " ") -> str:
    return joint.join(pattern.format(number) for number in range(MANY))


@pytest.mark.first_cases(2)
@pytest.mark.parametrize(
    "text",
    [
        '[Game "mensch"]\n[Deal "N:' + "A" * MANY + '... - - -"]',
        '[Game "mensch"]\n[Deal "N:' + "y" * MANY + '... - - -"]',
        '[Game "mensch"]\n[Deal "N:' + '\\"' * MANY + '... - - -"]',
        FIVE + '[Talon "' + "SA " * MANY + '"]',
        FIVE + '[Talon "' + "A" * MANY + '..."]',
        MENSCH + '[Won "' + numbered("x{}:1", ";") + '"]',
        FIVE + '[FromHand "' + numbered("x{}") + '"]',
        FIVE + '[Contract "solo"][Declarer "' + numbered("^x{}") + '"]',
        FIVE + '[Contract "' + numbered("x,{}") + '"]',
        FIVE + '[Contract "' + "solo " * MANY + '"][Declarer "' + "1 " * MANY + '"]',
        FIVE + f'[Drawn "1:{"SA " * MANY};2:{"HK " * MANY}"][Discard "1:{"SA " * MANY}"]',
        FIVE + '[Drawn "' + numbered("x{}:SA", ";") + '"]',
        FIVE + '[Drawn "1:C3"][Discard "1:' + "H3 " * MANY + '"]',
    ],
    ids=[
        *("duplicates", "unreadable", "escaped", "talon", "talon-hand", "won", "from-hand"),
        *("declarers", "contracts", "soloists", "exchange", "exchange-seats", "discard"),
    ],
)
def test_of_many_faults_the_first_are_kept_and_the_others_counted(text: str) -> None:
    *found, last = faults(text)
    assert last.text == ""
    assert len(found) == MOST_FAULTS
    assert len({(fault.line, fault.column) for fault in found}) >= MOST_FAULTS - 1
    assert last.code == "faults-more"
    more = re.match(r"(\d+) more faults in this deal", last.message)
    assert more
    assert int(more[1]) >= MANY - 1 - MOST_FAULTS


def test_an_entry_with_uncounted_faults_is_no_deal() -> None:
    stray = "]\n" * MANY
    (entry,) = read(stray + MENSCH.replace("AKQJT987...", "AAQJT987..."))
    assert (len(entry.faults), entry.deal) == (MOST_FAULTS + 3, None)
    assert entry.faults[-1].message == f"{MANY - MOST_FAULTS} more faults in this deal, not shown"


@pytest.mark.parametrize(
    ("tags", "places"),
    [
        (
            '[Talon "s10  S10"]',
            [(3, 9, "s10"), (3, 9, "s10  S10"), (3, 14, "S10")],  # the deck is incomplete, too
        ),
        # The blanks around a part of a value do not belong to it, on either side.
        (
            '[Talon "  s10  S10    "]',
            [(3, 11, "s10"), (3, 11, "s10  S10"), (3, 16, "S10")],
        ),
        ('[Won "1:  x    ;2:0"]', [(3, 11, "x")]),
        ('[Rules "   colour   ; two = 2   "]', [(3, 12, "colour"), (3, 23, "two = 2")]),
        ('[Won "1:0;1x :2"]', [(3, 11, "1x")]),
        ('[FromHand "q \\" 1"]', [(3, 12, "q"), (3, 14, '"')]),
        ('[Declarer "^1 ^7"][Contract "ace-solo misere"]', [(3, 16, "7")]),
        (
            '[Drawn "1:C3,C2;2:C3"][Discard "1:SA SA;2:S4"]',
            [(3, 19, "C3"), (3, 38, "SA")],
        ),
    ],
)
def test_each_fault_has_its_place(tags: str, places: list[tuple[int, int, str]]) -> None:
    found = [(fault.line, fault.column, fault.text) for fault in faults(FIVE + tags)]
    assert found == places


@pytest.mark.parametrize("tags", ['[Won "Q:1"]', '[Play "Q"]\nSA *\n'])
def test_an_unknown_seat_is_one_fault(tags: str) -> None:
    assert [fault.code for fault in faults(MENSCH + tags)] == ["seat-unknown"]


PLAIN = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"


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
