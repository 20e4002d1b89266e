"""`spadille review --annotate`: marks and tables in the file, without loss."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille.analysis.review.review import review
from spadille.pbn.export_format import export
from spadille.pbn.hand_file import read
from spadille.pbn.parse_document import parse
from spadille.render.annotate import annotate, write_play_table
from spadille_cli import main
from tests.cli.test_review_command import FILES, HALF, NEMO, NOT_PLAYED, run
from tests.support.tiers import part


def without_annotations(text: str) -> str:
    return re.sub(r" \$(8|10) \{spadille: [^}]*\}", "", text)


def test_annotate_is_lossless_and_idempotent(tmp_path: Path) -> None:
    path = tmp_path / "deals.pbn"
    for ends in ("\n", "\r\n"):
        text = f"{NOT_PLAYED}\n{HALF}\n{NEMO}".replace("\n", ends)
        path.write_text(text, newline="")
        assert run("--annotate", str(path)).exit_code == 0
        once = path.read_bytes().decode()
        words = " ".join(once.split())
        assert (
            "S8 $10 {spadille: 4 to 6, better DT D9 D8. After South leads the eight of spades, "
            in words
        )
        assert ", so the contract makes.} $3" in words
        assert "CT $8 {spadille: 6 to 5, better DQ DJ. After " in words
        assert "at most 5 tricks in all.} =1=" in words
        assert "the turning point" in once
        assert without_annotations(once) == text
        assert run("--annotate", str(path)).exit_code == 0
        assert path.read_bytes().decode() == once
        for before, after in zip(read(text), read(once), strict=True):
            assert (before.deal, before.contract) == (after.deal, after.contract)
            assert (before.play and before.play.cards) == (after.play and after.play.cards)
            assert not after.faults
        assert export(parse(once))
        assert once.count("\n") == once.count(ends)
        assert max(map(len, once.splitlines())) < 255
    assert run("--annotate", "-", text=HALF).exit_code == 2


@pytest.mark.parametrize("command", ["table", "review"])
def test_without_annotate_no_file_is_rewritten(command: str, tmp_path: Path) -> None:
    """A table, or a file in other letters, is translated when it is read."""
    german = tmp_path / "german.pbn"
    hands = "N:AKD.109.B.A7 B109.AK.D.109 87.DB.AK.KD .87.10987.B8"
    german.write_text(f'[Game "german-solo"]\n[Dealer "W"]\n[Deal "{hands}"]\n[Play "N"]\nPA\n')
    table = tmp_path / "evening.csv"
    table.write_text("board,game,declarer,contract,tricks\n1,mensch,N,half,5\n")
    before = [path.read_text() for path in (german, table)]
    words = [command, "--letters", "de", str(german)]
    assert "rewritten" not in CliRunner().invoke(main, [*words, str(table)]).output
    assert [path.read_text() for path in (german, table)] == before
    if command == "table":
        assert CliRunner().invoke(main, [*words, "--annotate"]).exit_code == 0
        assert "OptimumResultTable" in german.read_text()


@pytest.mark.ci
@pytest.mark.parametrize("path", part(FILES, 3, 8), ids=lambda path: path.stem)
def test_annotations_survive_the_canonical_form(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    assert run("--annotate", str(copy)).exit_code == 0
    canonical = export(parse(copy.read_text()))
    copy.write_text(canonical, newline="")
    assert run("--annotate", str(copy)).exit_code == 0
    assert copy.read_bytes().decode() == canonical


def test_an_annotation_closes_no_comment_that_was_left_open(tmp_path: Path) -> None:
    """Otherwise the deals in between would become part of that comment."""
    game = (
        '[Board "{}"]\n[Game "german-solo"]\n[Dealer "S"]\n'
        '[Deal "S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ"]\n[Declarer "E"]\n'
        '[Contract "frog"]\n[Trump "D"]\n[Called "HA"]\n[Play "W"]\nHK HT HJ HA\n*{}\n'
    )
    path = tmp_path / "deals.pbn"
    path.write_text("\n".join((game.format(1, ""), game.format(2, " {open"), game.format(3, ""))))
    done = CliRunner().invoke(main, ["review", "--annotate", str(path)])
    assert done.exit_code == 3
    assert f"{path}:28:1: no comment can be written here: the comment in line 23" in done.stderr
    after = read(path.read_text())
    assert [entry.board for entry in after] == ["1", "2", "3"]
    first, second, third = path.read_text().split("[Board")[1:]
    assert "{spadille:" in first
    assert "{spadille:" in second
    assert third == game.format(3, "").removeprefix("[Board")


def test_annotation_follows_what_changed() -> None:
    """A review of different play removes the marks of the previous review."""
    file = read(HALF)
    entry = file[0]
    found = review(entry.deal, entry.contract, entry.play.cards)
    annotate(entry.game, entry.play.places, found)
    again = read(file.text)[0]
    annotate(again.game, again.play.places, review(again.deal, again.contract, []))
    assert again.game.document.text == HALF


def test_inherited_play_is_left_alone() -> None:
    text = f'{HALF}\n{NOT_PLAYED}[Play "#"]\n'
    file = read(text)
    entry = file[1]
    found = review(entry.deal, entry.contract, entry.play.cards)
    annotate(entry.game, entry.play.places, found)
    assert file.text == text


def test_optimum_play_table(tmp_path: Path) -> None:
    path = tmp_path / "deals.pbn"
    path.write_text(HALF, newline="")
    for _ in range(2):
        assert run("--annotate", "--optimum", str(path)).exit_code == 0
        text = path.read_text()
        assert text.count(r'[OptimumPlayTable "S\8R;H\8R;D\8R;C\8R"]') == 1
        rows = text[text.index("[OptimumPlayTable") :].splitlines()[1:]
        assert len(rows) == 32
        assert rows[4].split() == ["-", "-", "T98", "-"]
    (entry,) = read(text)
    assert not entry.faults


def test_play_table_with_several_contractors() -> None:
    file = read(NEMO)
    entry = file[0]
    found = review(entry.deal, entry.contract, entry.play.cards, every=True)
    write_play_table(entry.game, found)
    rows = file.text[file.text.index("[OptimumPlayTable") :].splitlines()[1:]
    assert len(rows) == 10
    assert all(len(row.split()) == 4 for row in rows)
