"""From hand files to deals, contracts and recorded play; edits; writing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from spadille.base.errors import ArgumentError, RulesError
from spadille.pbn.atomic_files import write_atomic
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import load, read

BRIDGE = """\
[Board "7"]
[Dealer "S"]
[Vulnerable "Love"]
[Deal "N:.63.AKQ987.A9732 A8654.KQ5.T.QJT6 J973.J98742.3.K4 KQT2.AT.J6542.85"]
[Declarer "^S"]
[Contract "5HX"]
[Result "NS 9"]
"""
SUITS4 = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"
SQUINT = "1:AKQJT98765... 432.AKQJT98.. .765432.AKQJ. ..T98765432.A ...KQJT987654"
OMBRE = "1:AKQJ.AKQJ.A. 765.7654..AK 432.3.KQ.QJ7"
OMBRE_TALON = "H2 DJ D2 D3 D4 D5 D6 D7 C2 C3 C4 C5 C6"


def one(text: str) -> Entry:
    (entry,) = read(text)
    assert entry.faults == []
    return entry


def test_reads_deal_and_contract() -> None:
    entry = one(
        '[Contract "frog"][Declarer "e"]\n[Called "d10"]\n[Trump "h"]\n[Rules "color=S"]\n'
        '[Deal "e:9qAKJT78... .78AKQJ109.. ..AKQJT987. ...AKQJT987"]\n'
        '[Game "German-Solo"]\n[Board "3"]\n[Auction "S"]\npass pass pass frog !\n'
    )
    deal, contract = entry.deal, entry.contract
    assert deal is not None
    assert contract is not None
    assert (entry.index, entry.board) == (0, "3")
    assert deal.rules.game.id == "german-solo"
    assert deal.rules.options["color"] == "S"
    assert deal.dealer == "E"  # the first seat of the deal
    assert deal.hands["E"] == ("SA", "SK", "SQ", "SJ", "ST", "S9", "S8", "S7")
    assert deal.hands["S"] == ("HA", "HK", "HQ", "HJ", "HT", "H9", "H8", "H7")
    assert (contract.declarers, contract.ids, contract.trump) == (("E",), ("frog",), "H")
    assert entry.auction == ["pass", "pass", "pass", "frog", "!"]


def test_faults_of_the_called_card_leave_the_deal() -> None:
    entry = read(
        f'[Game "german-solo"]\n[Deal "{SUITS4}"]\n[Declarer "N"]\n[Contract "frog"]\n'
        '[Trump "H"]\n[Called "HA"]'
    )[0]
    assert entry.deal is not None
    assert entry.contract is None
    assert entry.terms is not None
    assert entry.terms.called == "HA"
    assert [fault.code for fault in entry.faults] == ["called-trump"]


def test_bridge_file_with_a_game_of_the_users_choice() -> None:
    (entry,) = read(BRIDGE, game="solo-whist")
    assert entry.faults == []
    assert entry.deal is not None
    assert entry.contract is None
    assert entry.deal.rules.game.id == "solo-whist"
    assert [f.code for f in read(BRIDGE)[0].faults] == ["game-missing"]
    own = read('[Game "solo-whist"]\n' + BRIDGE)[0]
    assert own.deal is not None
    assert [f.code for f in own.faults] == ["contract-unknown"]


def test_pass_and_unknown_values_are_no_contract() -> None:
    for text in ("Pass", "?", ""):
        entry = one(f'[Game "mensch"]\n[Deal "{SUITS4}"]\n[Contract "{text}"]\n[Declarer ""]')
        assert entry.contract is None


def test_options_from_outside_yield_to_the_file() -> None:
    text = f'[Deal "{SUITS4}"]\n\n[Deal "{SUITS4}"]\n[Rules "call_rank=any"]\n'
    options = {"call_rank": "ace-only", "passout_loss": "2"}
    chosen = [entry.rules and entry.rules.options for entry in read(text, "german-solo", options)]
    assert [one and one["call_rank"] for one in chosen] == ["ace-only", "any"]
    with pytest.raises(RulesError):
        read(text, "skat")


def test_inherited_tags_make_deals() -> None:
    text = (
        f'[Game "##mensch"]\n[Dealer "##N"]\n[Deal "{SUITS4}"]\n\n'
        '[Deal "#"]\n[Dealer "W"]\n\n[Deal "N:A... K... Q... J..."]\n[Leader "S"]'
    )
    deals = [entry.deal for entry in read(text)]
    assert [deal and deal.dealer for deal in deals] == ["N", "W", "N"]
    assert deals[0] is not None
    assert deals[1] is not None
    assert deals[0].hands == deals[1].hands


def test_faults_of_inherited_values_are_shown_where_they_stand() -> None:
    text = '[Game "##mensch"]\n[Deal "N:A... K... K... J..."]\n[Leader "S"]\n\n[Deal "#"]'
    file = read(text)
    assert [(f.code, f.line, f.column) for f in file[0].faults] == [("card-duplicate", 2, 20)]
    assert [(f.code, f.line) for f in file[1].faults] == [
        ("leader-missing", 2),
        ("card-duplicate", 2),
    ]


def test_a_tag_given_twice_does_not_hide_the_faults_of_its_value() -> None:
    short = SUITS4.replace("KQJT987...", "K...")
    (entry,) = read(f'[Game "mensch"]\n[Deal "{short}"]\n[Deal "{SUITS4}"]\n')
    codes = [fault.code for fault in entry.faults]
    assert codes == ["deck-incomplete", "hand-size", "tag-repeated"]
    assert entry.deal is None
    (entry,) = read(PLAYED.replace('[Trump "S"]', '[Trump ""][Trump "S"]'))
    assert [fault.code for fault in entry.faults] == ["trump-missing", "tag-repeated"]


def test_unknown_hands_are_accepted() -> None:
    entry = one('[Game "mensch"]\n[Deal "N:AKQJT987... - - -"]')
    assert entry.deal is not None
    assert entry.deal.hands["E"] is None


def test_exchange_gives_the_hands_that_are_played() -> None:
    entry = one(
        f'[Game "ombre"]\n[Dealer "1"]\n[Deal "{OMBRE}"]\n[Talon "{OMBRE_TALON}"]\n[Pool "30"]\n'
        '[Declarer "1"]\n[Contract "entrada"]\n[Trump "S"]\n'
        '[Drawn "1:H2,DJ;3:D2"]\n[Discard "1:HJ DA;3:h3"]\n'
    )
    assert entry.deal is not None
    assert entry.contract is not None
    assert (entry.deal.pool, entry.deal.talon[:2], entry.deal.talon_ordered) == (
        30,
        ("H2", "DJ"),
        True,
    )
    played = entry.deal.playing_hands()
    assert played["1"] == ("SA", "SK", "SQ", "SJ", "HA", "HK", "HQ", "H2", "DJ")
    assert played["3"] == ("S4", "S3", "S2", "DK", "DQ", "D2", "CQ", "CJ", "C7")


def test_talon_in_hand_notation_has_no_order() -> None:
    entry = one(f'[Game "squint"]\n[Deal "{SQUINT}"]\n[Talon "...32"]')
    assert entry.deal is not None
    assert (entry.deal.talon, entry.deal.talon_ordered) == (("C3", "C2"), False)
    entry = one(f'[Game "squint"]\n[Deal "{SQUINT}"]\n')
    assert entry.deal is not None
    assert entry.deal.undealt == ("C3", "C2")


def test_several_soloists_and_nemo() -> None:
    entry = one(
        f'[Game "squint"]\n[Dealer "2"]\n[Deal "{SQUINT}"]\n[Declarer "1 3"]\n'
        '[Contract "ace-solo misere"]\n[FromHand "1"]'
    )
    assert entry.contract is not None
    assert entry.contract.declarers == ("1", "3")
    assert entry.contract.ids == ("ace-solo", "misere")
    assert entry.contract.trump == "NT"
    assert entry.deal is not None
    assert entry.deal.from_hand == ("1",)
    entry = one(f'[Game "squint"]\n[Deal "{SQUINT}"]\n[Contract "nemo"]\n[Penalty "h"]')
    assert entry.contract is not None
    assert entry.contract.penalty == "H"
    assert len(entry.contract.declarers) == 5


def test_end_position() -> None:
    entry = one(
        '[Game "mensch"]\n[Deal "N:AK... QJ... T9... 87..."]\n[Leader "s"]\n[Won "N:4;E:2"]\n'
        '[Declarer "N"]\n[Contract "five"]\n[Trump "H"]'
    )
    assert entry.deal is not None
    assert (entry.deal.leader, dict(entry.deal.won)) == ("S", {"N": 4, "E": 2})
    # PBN 3.10: the tag of the play section names the leader.
    entry = one('[Game "mensch"]\n[Deal "N:AK... QJ... T9... 87..."]\n[Play "E"]\n')
    assert entry.deal is not None
    assert entry.deal.leader == "E"


PLAYED = (
    f'[Game "mensch"]\n[Dealer "W"]\n[Deal "{SUITS4}"]\n[Declarer "N"]\n[Contract "five"]\n'
    '[Trump "S"]\n'
)


def test_play_is_put_in_order() -> None:
    entry = one(PLAYED + '[Play "N"]\nSA ! H7 $9 =1= D7 CQ\nSK H8 D8 C7 ; rest\n- - - -\n*\n')
    assert entry.play is not None
    assert entry.play.tricks == (
        ("SA", "H7", "D7", "CQ"),
        ("C7", "SK", "H8", "D8"),
    )
    assert entry.play.leaders == ("N", "W")
    assert entry.play.ended
    assert entry.play.places[:2] == ((8, 1), (8, 6))
    assert entry.play.places[4] == (9, 10)


def test_play_in_progress_and_before_it() -> None:
    entry = one(PLAYED + '[Play "N"]\nSA H7 D7 CQ\n+ - - C7')
    assert entry.play is not None
    assert entry.play.tricks[1:] == (("C7",),)
    assert not entry.play.ended
    entry = one(PLAYED + '[Play "?"]\n')
    assert entry.play is not None
    assert entry.play.cards == ()


def test_irregular_play_is_followed() -> None:
    entry = one(PLAYED + '[Play "N"]\nSA H7 D7 ^R CA\nSK ^L H8 D8 C7')
    assert entry.play is not None
    assert entry.play.tricks == (("SA", "H7", "D7", "CA"), ("H8", "D8", "C7", "SK"))
    assert entry.play.leaders == ("N", "E")


def test_edits_of_entries() -> None:
    text = f'[Game "mensch"]\r\n[Deal "{SUITS4}"]\r\n; odd\r\n\r\n[Deal "{SUITS4}"]'
    file = read(text, game="mensch")
    file[0].game.set_section(
        "OptimumResultTable", r"Declarer;Denomination\2R;Result\2R", ["N NT  8", "E NT  0"]
    )
    file[1].game.set_tag("Contract", "five")
    assert file.text == (
        f'[Game "mensch"]\r\n[Deal "{SUITS4}"]\r\n; odd\r\n'
        '[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]\r\nN NT  8\r\nE NT  0\r\n\r\n'
        f'[Deal "{SUITS4}"]\r\n[Contract "five"]'
    )


def test_load_and_save_keep_every_byte(tmp_path: Path) -> None:
    path = tmp_path / "a.pbn"
    for data in (b'[Event "caf\xe9"]\r\n', '\ufeff[Event "café"]'.encode()):
        path.write_bytes(data)
        file = load(path)
        file.save(path)
        assert path.read_bytes() == data


def test_write_atomic_keeps_mode_and_links(tmp_path: Path) -> None:
    path, link = tmp_path / "a.pbn", tmp_path / "b.pbn"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_atomic(link, "new\r\n")
    assert path.read_bytes() == b"new\r\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()
    assert sorted(os.listdir(tmp_path)) == ["a.pbn", "b.pbn"]


@pytest.mark.skipif(os.name == "nt", reason="owners of POSIX")
def test_write_atomic_keeps_owner_and_group_where_it_may(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pbn"
    path.write_text("old")
    asked: list[tuple[int, int]] = []
    allowed = {"owner": True, "group": True}

    def chown(draft: str, uid: int, gid: int) -> None:
        if not allowed["owner" if gid == -1 else "group"]:
            raise PermissionError
        asked.append((uid, gid))

    stat = os.stat

    def of_others(name: str) -> os.stat_result:
        found = stat(name)
        other = [*found[:4], 4711, 815, *found[6:]]
        return os.stat_result(other) if str(name) == str(path) else found

    monkeypatch.setattr(os, "chown", chown)
    monkeypatch.setattr(os, "stat", of_others)
    assert write_atomic(path, "one") == ""
    assert asked == [(4711, -1), (-1, 815)]
    allowed["owner"] = False
    assert write_atomic(path, "two") == "owner"
    allowed["group"] = False
    assert write_atomic(path, "three") == "owner and group"
    assert path.read_text() == "three"


@pytest.mark.skipif(os.name == "nt", reason="owners of POSIX")
@pytest.mark.parametrize("differs", ["owner", "group"])
def test_write_atomic_changes_only_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, differs: str
) -> None:
    path = tmp_path / "a.pbn"
    path.write_text("old")
    asked: list[tuple[int, int]] = []
    stat = os.stat

    def of_others(name: str) -> os.stat_result:
        found = [*stat(name)]
        if str(name) == str(path):
            found[4 if differs == "owner" else 5] = 4711
        return os.stat_result(found)

    monkeypatch.setattr(os, "chown", lambda draft, uid, gid: asked.append((uid, gid)))
    monkeypatch.setattr(os, "stat", of_others)
    assert write_atomic(path, "new") == ""
    assert asked == [(4711, -1) if differs == "owner" else (-1, 4711)]


def test_a_file_that_was_changed_since_it_was_read_stays(tmp_path: Path) -> None:
    path, other = tmp_path / "a.pbn", tmp_path / "b.pbn"
    path.write_text('[Event "old"]\n')
    file = load(path)
    path.write_text('[Event "new"]\n')
    with pytest.raises(OSError, match="has been changed since it was read"):
        file.save(path)
    assert path.read_text() == '[Event "new"]\n'
    path.unlink()
    with pytest.raises(OSError, match="has been changed"):
        file.save(path)
    file.save(other)
    assert os.listdir(tmp_path) == ["b.pbn"]


def test_write_atomic_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.pbn"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("disk full")

    with pytest.raises(UnicodeEncodeError):
        write_atomic(path, "\u2660", "latin-1")
    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.pbn"]


def test_what_was_meant_by_a_player_or_a_rank_of_another_language() -> None:
    """A name used as a seat gets a hint with the letter; a Dame is a Queen, and a Bube a Jack."""
    text = '[Game "mensch"]\n[North "Otto"]\n[Dealer "Otto"]\n[Deal "N:AD.B.. - - -"]\n'
    found = {fault.message for fault in read(text)[0].faults}
    assert any(message.endswith("; Otto is N") for message in found)
    assert {"'D' is not a rank; did you mean 'Q'?", "'B' is not a rank; did you mean 'J'?"} <= found


def test_options_of_no_game_are_refused() -> None:
    for options in ({"colour": "H"}, {"color": "red"}):
        with pytest.raises(RulesError, match=r"option '?colou?r"):
            read("", options=options)
    with pytest.raises(ArgumentError, match="options must map names to text, not 5"):
        read("", options={"color": 5})  # type: ignore[dict-item]
    assert len(read('[Game "mensch"]', options={"color": "H"})) == 1


def test_the_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no such directory: '.*nowhere'"):
        read("").save(tmp_path / "nowhere" / "a.pbn")
    with pytest.raises(ArgumentError, match="a path must be"):
        read("").save(None)  # type: ignore[arg-type]


@pytest.mark.parametrize("contract", ["frog", "solo"])
def test_a_called_card_that_cannot_be_read_is_neither_missing_nor_none(contract: str) -> None:
    text = f'[Game "german-solo"][Dealer "N"][Deal "{SUITS4}"]\n[Declarer "E"][Trump "S"]'
    (entry,) = read(f'{text}[Contract "{contract}"][Called "H0"]\n')
    assert [fault.code for fault in entry.faults] == ["card-unreadable"]
    assert entry.contract is None
    assert one(f'{text}[Contract "{contract}"][Called "-"]\n').contract is not None


def test_how_a_file_shows_itself(tmp_path: Path) -> None:
    path = tmp_path / "one.pbn"
    path.write_text(BRIDGE)
    assert repr(load(path)) == f"<HandFile {path}: 1 deal>"
    assert repr(read(BRIDGE)) == "<HandFile 1 deal>"
