"""Warnings: input that may be intended, but rarely is."""

from __future__ import annotations

from spadille.core.deal import Deal
from spadille.core.validate import deal_findings, faults
from spadille.pbn.hand_file import read
from tests.rules.test_validate import WHIST, whist


def test_a_current_trump_the_dealer_does_not_hold_is_a_warning() -> None:
    terms = ('[Declarer "E"]', '[Contract "solo"]')
    [entry] = read(whist('[CurrentTrump "H"]', *terms))
    [found] = entry.warnings
    assert (found.code, found.severity) == ("current-trump-not-held", "warning")
    assert (found.tag, found.text, found.line, found.column) == ("CurrentTrump", "H", 4, 16)
    assert entry.faults == []
    assert entry.findings == [found]
    assert entry.deal is not None
    assert entry.contract is not None
    assert [one.fault.code for one in deal_findings(entry.deal)] == ["current-trump-not-held"]
    played = faults(entry.deal, entry.contract, ["HA", "HK"])
    assert [one.code for one in played] == ["current-trump-not-held", "card-not-held"]
    for text in (
        whist('[CurrentTrump "S"]'),
        whist('[CurrentTrump "H"]', dealer="E"),
        whist('[CurrentTrump "H"]').replace("solo-whist", "anna-cubed"),
        whist('[CurrentTrump "H"]', '[Leader "N"]').replace(WHIST, "N:A... .A.. ..A. ...A"),
        whist('[CurrentTrump "H"]').replace(" ".join(WHIST.split()[:2]), "N:- -"),
    ):
        assert read(text)[0].findings == []


def test_the_current_trump_follows_from_the_card_turned_up() -> None:
    [entry] = read(whist('[TurnUp "d7"]', dealer="S"))
    assert entry.findings == []
    assert entry.deal is not None
    assert (entry.deal.turn_up, entry.deal.current_trump) == ("D7", "D")
    parsed = Deal.parse(WHIST, "solo-whist", dealer="S", turn_up="D7")
    assert parsed == entry.deal
    # In an end position the turned-up card may have been played, but no other player can hold it.
    ending = whist('[TurnUp "S7"]', '[Leader "N"]').replace(WHIST, "N:A... .A.. ..A. ...A")
    assert read(ending)[0].findings == []
    ending = ending.replace("S7", "HA")
    assert [one.code for one in read(ending)[0].findings] == ["turn-up-not-held"]
    unknown = whist('[TurnUp "S7"]').replace(" ".join(WHIST.split()[:2]), "N:- -")
    assert read(unknown)[0].findings == []


def test_who_has_drawn_first_may_be_asked_what_to_put_away() -> None:
    text = '[Game "squint"]\n[Dealer "5"]\n[Deal "4:AKJT7.AK5.4.7 - - - -"]\n[Drawn "4:D5 D3"]\n'
    [entry] = read(text)
    [found] = entry.warnings
    assert (found.code, found.text, found.line, found.column) == ("exchange-open", "4", 4, 9)
    assert entry.faults == []
    assert entry.deal is not None
    assert entry.deal.undecided == ("4",)
    assert "As played" not in str(entry.deal)
    [entry] = read(text + '[Discard "4:C7"]')
    assert [fault.code for fault in entry.faults] == ["exchange-count"]


def test_nothing_is_played_before_what_is_drawn_is_put_away() -> None:
    [entry] = read(
        '[Game "squint"]\n[Drawn "5:H3 CJ"]\n[Declarer "5"]\n[Contract "grand-solo"]\n[Trump "H"]\n'
        '[Deal "1:94.KT85.AKQJ. J63.J7.532.63 T2.Q42.T7.754 75.A96.864.92 AKQ8..9.AKQT8"]\n'
        '[Play "1"]\nS9 S3 S2 S5 S8'
    )
    [found] = entry.faults
    assert (found.code, found.text, found.line, found.column) == ("exchange-open", "1", 7, 8)
    assert entry.deal is not None
    assert entry.contract is not None
    assert entry.play is None
