"""If a deal has many thousand errors, the first are shown, each with its place."""

from __future__ import annotations

import re

import pytest

from spadille.base.errors import MOST_FAULTS, Fault
from spadille.pbn.hand_file import read

SUITS4 = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"
SQUINT = "1:AKQJT98765... 432.AKQJT98.. .765432.AKQJ. ..T98765432.A ...KQJT987654"
MENSCH = f'[Game "mensch"]\n[Deal "{SUITS4}"]\n'
FIVE = f'[Game "squint"]\n[Deal "{SQUINT}"]\n'
MANY = 3_000


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
