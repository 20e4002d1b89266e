"""Many thousand faults in one tag take time in proportion, and each is shown in its place."""

from __future__ import annotations

from time import process_time

import pytest

from spadille.errors import Fault
from spadille.pbn.handfile import read

SUITS4 = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"
SQUINT = "1:AKQJT98765... 432.AKQJT98.. .765432.AKQJ. ..T98765432.A ...KQJT987654"
MENSCH = f'[Game "mensch"]\n[Deal "{SUITS4}"]\n'
FIVE = f'[Game "squint"]\n[Deal "{SQUINT}"]\n'
MANY = 10_000


def faults(text: str) -> list[Fault]:
    (entry,) = read(text)
    return entry.faults


def numbered(pattern: str, joint: str = " ") -> str:
    return joint.join(pattern.format(number) for number in range(MANY))


@pytest.mark.parametrize(
    "text",
    [
        '[Game "mensch"]\n[Deal "N:' + "A" * MANY + '... - - -"]',
        '[Game "mensch"]\n[Deal "N:' + "x" * MANY + '... - - -"]',
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
def test_many_faults_take_their_time_in_proportion(text: str) -> None:
    began = process_time()
    found = faults(text)
    assert process_time() - began < 2  # about 0.15; with a search for each fault 5 and more
    assert len(found) >= MANY - 1
    assert len({(fault.line, fault.column) for fault in found}) >= MANY - 1


@pytest.mark.parametrize(
    ("tags", "places"),
    [
        (
            '[Talon "s10  S10"]',
            [(3, 9, "s10"), (3, 9, "s10  S10"), (3, 14, "S10")],  # the deck is incomplete, too
        ),
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


def test_an_unknown_seat_is_one_fault() -> None:
    assert [fault.code for fault in faults(MENSCH + '[Won "Q:1"]')] == ["seat-unknown"]
