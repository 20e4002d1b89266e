"""Random texts read as hand files never raise an error, and export keeps their meaning."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from spadille.pbn.export_format import export
from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import parse
from spadille.pbn.syntax_faults import file_fault

SUITS4 = "N:AKQJT987... .AKQJT987.. ..AKQJT987. ...AKQJT987"
SQUINT = "1:AKQJT98765... 432.AKQJT98.. .765432.AKQJ. ..T98765432.A ...KQJT987654"
OMBRE = "1:AKQJ.AKQJ.A. 765.7654..AK 432.3.KQ.QJ7"
OMBRE_TALON = "H2 DJ D2 D3 D4 D5 D6 D7 C2 C3 C4 C5 C6"
PIECES = st.sampled_from(
    ['[Deal "N:AK.. - - -"]', '[Deal "#"]', '[Event "##x"]', '[Event "#"]', '[Event "###"]',
     '[Play "N"]', '[Auction "W"]', '[Dealer "E"]', "SA", "H10", "-", "+", "*", "!", "??", "$012",
     "=1=", "^R", "^L", "; c", "{ x }", "{ y\n\nz }", "% esc", "%", "\n", "\n", "\n", "\n\n", " ",
     '[Note "1:a"]', '[Note "#"]', '[Note "##q"]', '[Zed "1;2\\2R"]', '[FooTable "A;B\\3R"]', "1 2",
     '"q" 3', '[X ""]', '[Board "1"]', "% PBN 2.1", "% EXPORT", "pass", '[Contract "1nt"]', "\t",
     '[Result "EW 3"]', '[Declarer "n"]', '[Vulnerable "love"]', '[Game "ombre"]', "\f", "%x",
     '[Deal "1:- - - - -"]', "a" * 50, "{" + "b" * 70 + "}", "[", "{", "}", '"', "]", "\ufeff",
     "\x85", "x %y"]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(),
    st.lists(PIECES, max_size=30).map("".join),
    st.lists(PIECES, max_size=30).map("\n".join),
)


@given(TEXTS)
def test_export_is_idempotent(text: str) -> None:
    exported = export(parse(text))
    assert export(parse(exported)) == exported
    assert len(parse(exported).games) == len(parse(text).games)


@given(TEXTS, st.sampled_from([None, "german-solo", "squint"]))
def test_reading_never_raises(text: str, game: str | None) -> None:
    for entry in read(text, game):
        assert entry.deal is not None or entry.faults
        assert all(fault.rule for fault in entry.faults)
        if file_fault(text) is None:
            assert all(fault.line and fault.column for fault in entry.faults)


CARDS = st.lists(st.sampled_from("AKQJT98765432Xx1 .-:;NESW12345"), max_size=60).map("".join)


@given(
    st.sampled_from(["mensch", "german-solo", "ombre", "quadrille", "quintille", "squint"]),
    st.dictionaries(
        st.sampled_from(
            [
                *("Dealer", "Deal", "Talon", "Declarer", "Trump", "Called", "Partner", "Penalty"),
                *("Won", "Leader", "FromHand", "Drawn", "Discard", "Pool", "Play", "Rules"),
            ]
        ),
        st.one_of(CARDS, st.sampled_from([SUITS4, SQUINT, OMBRE, OMBRE_TALON, "N", "1", "S", "H"])),
    ),
    st.sampled_from(["solo", "frog", "half", "nemo", "duo", "entrada", "vuelta", "misere", "x"]),
)
def test_strange_tag_values_never_raise(game: str, tags: dict[str, str], contract: str) -> None:
    lines = [f'[Game "{game}"]', f'[Contract "{contract}"]']
    lines += [f'[{name} "{value}"]' for name, value in tags.items()]
    (entry,) = read("\n".join([*lines, "SA HA DA CA"]))
    assert entry.deal is not None or entry.faults


@given(TEXTS)
def test_export_keeps_comments_and_unknown_tags(text: str) -> None:
    document = parse(text)
    again = parse(export(document))
    for before, after in zip(document.games, again.games, strict=True):
        for name in ("X", "Zed", "FooTable", "Board"):
            if name in before.names and not before.faults:
                assert after.get(name) == (before.get(name) or "")
    kept = "\n".join(text for _, text in again.comments).split()
    lost = "\n".join(text for _, text in document.comments).split()
    if not any(game.faults for game in document.games):
        header = {"%", "PBN", "2.1", "EXPORT"}
        assert sorted(set(lost) - header) == sorted(set(kept) - header)
