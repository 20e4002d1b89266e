"""`spadille check` of problems: the key, cooks, duals, themes, and superfluous parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import spadille
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.generate.problems.soundness import Checked, verify
from spadille_cli import main
from tests.support.problem_referee import Judge, winners

RANKS = "AKQJT98765432"
SOUND = """\
[Game "german-solo"]
[Deal "N:..J87.J A.A.AQ. .K..A98 ..KT.KT"]
[Leader "E"]
[Won "E:2;S:1;W:1"]
[Declarer "E"]
[Contract "solo"]
[Trump "H"]
[Key "HA"]
"""
COOKED = """\
[Game "german-solo"]
[Deal "N:..KJ.K7 .Q9.A.9 ..T98.8 .KJ.Q.J"]
[Leader "E"]
[Won "N:2;S:2"]
[Declarer "N"]
[Contract "solo"]
[Trump "H"]
[Key "HQ"]
"""
CALLED = """\
[Game "mensch"]
[Dealer "S"]
[Deal "S:KQT8.9.9.K9 AJ.Q7.AKJ8. .AJ8.T7.Q87 97.KT.Q.AJT"]
[Declarer "N"]
[Contract "after"]
[Called "DJ"]
[Key "HJ"]
[Theme "called-card"]
[Play "W"]
SJ C8 S7 S8
H7 C7 CT C9
SA CQ CJ CK
HQ HA HK H9
*
"""
OPEN_TRUMP = f"""\
[Game "solo-whist"]
[Dealer "W"]
[Deal "N:{RANKS}... .{RANKS}.. ..{RANKS}. ...{RANKS}"]
[Declarer "N"]
[Contract "abundance"]
[CurrentTrump "C"]
[Question "Which card?"]
"""
SEVERAL = """\
[Game "squint"]
[Dealer "5"]
[Deal "5:AQJ.AK.AKQ.76 2.7653.542.54 K5.J9.T86.AQT T98.QT8.9.983 7643.2.J3.KJ2"]
[Declarer "5 1 4"]
[Contract "ace-solo misere misere"]
[Question "Which card?"]
[Play "1"]
S2
"""


def checked(text: str) -> Checked:
    found = verify(spadille.read(text)[0])
    assert found is not None
    return found


def codes(text: str) -> list[str]:
    return [fault.code for fault in checked(text).faults]


def nothing(text: str) -> str:
    (fault,) = checked(text).faults
    assert fault.code == "key-nothing"
    return fault.message


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["check", *words])


def test_a_sound_problem_has_no_fault() -> None:
    found = checked(SOUND)
    assert (found.seat, found.winning, found.cooks, found.faults) == ("E", ("HA",), (), ())
    assert found.line[0].card == "HA"
    assert set(found.duals) == {5}


def test_what_can_be_left_out_can_be() -> None:
    entry = spadille.read(SOUND)[0]
    deal, contract = entry.deal, entry.contract
    assert deal is not None
    assert contract is not None
    found = checked(SOUND)
    assert found.left_out
    for cards in found.left_out:
        hands = {
            seat: [card for card in hand or () if card not in cards]
            for seat, hand in deal.hands.items()
        }
        assert all(len(hand) == 3 for hand in hands.values())
        one_of_these = []
        for taker in ("E", "N"):
            won = {**deal.won, taker: deal.won.get(taker, 0) + 1}
            position = Position(deal.rules, "H", hands, "E", won=won, contract=contract)
            one_of_these.append(winners(position, Judge(contract, "E")))
        assert {"HA"} in one_of_these


def test_another_card_that_wins_is_a_fault() -> None:
    found = checked(COOKED)
    (fault,) = found.faults
    assert (fault.code, fault.line, fault.column) == ("key-cooked", 8, 7)
    assert set(found.cooks) == {"H9", "C9", "DA"}
    values = spadille.card_values(spadille.read(COOKED)[0].deal, "N solo H")
    assert {one.card for one in values.cards if not one.makes} == {*found.winning}


@pytest.mark.parametrize(
    ("key", "code"),
    [("SA", "key-wrong"), ("DQ", "key-wrong"), ("HK", "key-illegal"), ("♥A", None)],
)
def test_a_key_that_loses_or_cannot_be_played_is_a_fault(key: str, code: str | None) -> None:
    text = SOUND.replace('Key "HA"', f'Key "{key}"')
    assert codes(text) == ([code] if code else [])
    assert all((fault.line, fault.column) == (8, 7) for fault in checked(text).faults)


def test_a_lost_position_and_one_without_a_choice() -> None:
    lost = SOUND.replace("E:2;S:1;W:1", "E:0;S:3;W:1")
    assert nothing(lost) == "the contract fails whatever is played"
    rest = "SA HK DK DJ\nHA CA CK CJ\nDA C9 DT D8\nDQ C8 CT D7"
    assert nothing(f'{SOUND}[Play "E"]\n{rest}') == "no card is asked for: the hand is over"
    assert nothing(OPEN_TRUMP) == "no card is asked for: another choice comes first"
    assert nothing(SEVERAL) == "Player 2 has no contract to make"
    hands = "..J8.J A.A.A. .K..A9 ..KT.K"
    made = SOUND.replace("E:2;S:1;W:1", "E:4;S:1").replace("..J87.J A.A.AQ. .K..A98 ..KT.KT", hands)
    assert codes(made) == ["key-cooked"]


SEEN = """\
[Game "german-solo"]
[Deal "N:.8.7.K .AQ.8. K...T7 .KT.9."]
[Leader "E"]
[Won "E:3;S:2"]
[Declarer "E"]
[Contract "solo"]
[Trump "H"]
[Key "D8"][Method "double-dummy"]
"""


def test_the_method_is_verified() -> None:
    """Only a player who sees North's single trump leads the diamond first."""
    assert codes(SEEN) == []
    (fault,) = checked(SEEN.replace("double-dummy", "reasoned")).faults
    assert (fault.code, fault.line, fault.column) == ("method-unverified", 8, 20)
    assert "it is not certain that D8 is the best card with hidden hands" in fault.message
    assert codes(SOUND + '[Method "reasoned"]') == []


def test_themes_are_verified() -> None:
    assert codes(CALLED) == []
    assert checked(CALLED).themes == ("called-card",)
    assert checked(CALLED.replace("called-card", "")).themes == ("called-card",)
    (fault,) = checked(CALLED.replace("called-card", "called-card; unblock")).faults
    assert (fault.code, fault.line, fault.column) == ("theme-unverified", 8, 22)
    free = CALLED.replace("[Key", '[Rules "called_card_duty=none"]\n[Key')
    assert set(codes(free)) <= {"key-cooked", "key-wrong", "theme-unverified"}
    assert codes(free)
    (warning,) = checked(CALLED.replace("called-card", "call-card")).faults
    assert (warning.code, warning.severity) == ("theme-unknown", "warning")
    assert "did you mean 'called-card'?" in warning.message


def test_a_theme_may_be_of_several_words() -> None:
    assert codes(CALLED.replace("called-card", "Called card")) == []
    named = CALLED.replace("called-card", "called-card, drawing trumps ;")
    (warning,) = checked(named).faults
    assert warning.message == "'drawing trumps' is not a verified theme"
    assert (warning.text, warning.line, warning.column) == ("drawing trumps", 8, 22)


def test_without_a_key_it_is_told() -> None:
    text = SOUND.replace('Key "HA"', 'Question "Which card?"')
    assert (codes(text), checked(text).winning) == ([], ("HA",))
    text = COOKED.replace('Key "HQ"', 'Question "Which card?"')
    assert codes(text) == ["key-cooked"]


def test_the_command_shows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("p.pbn").write_text(f"{SOUND}\n{COOKED}\n{CALLED}", encoding="utf-8")
    done = run("p.pbn")
    assert done.exit_code == 1
    assert "p.pbn:17:7" in done.stdout
    assert "[key-cooked]" in done.stdout
    assert "called-card" in done.stdout
    assert "3 deals, 1 with faults: 1 fault" in done.stderr
    records = [json.loads(line) for line in run("--format", "jsonl", "p.pbn").stdout.splitlines()]
    assert [record["problem"]["winning"][0] for record in records] == ["HA", "HQ", "HJ"]
    assert records[0]["problem"]["left_out"]
    assert run("--exit-zero", "p.pbn").exit_code == 0


def test_a_key_that_cannot_be_read_is_a_fault_of_the_file() -> None:
    (entry,) = spadille.read(SOUND.replace('Key "HA"', 'Key "HX"'))
    assert [(fault.code, fault.tag) for fault in entry.faults] == [("card-unreadable", "Key")]
    assert verify(entry) is None


def test_deals_that_pose_nothing_are_not_solved() -> None:
    (entry,) = spadille.read(SOUND.replace('[Key "HA"]\n', ""))
    assert entry.posed is None
    assert verify(entry) is None
    assert Deal is type(entry.deal)
