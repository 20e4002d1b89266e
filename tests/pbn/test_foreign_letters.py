"""Files, deals and options in the letters of other languages."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from spadille import Deal, SpadilleError
from spadille.base.card_languages import LETTERS, SUIT_WORDS, letters_of
from spadille.base.card_text import CARDS, VARIATION_SELECTORS
from spadille.pbn.foreign_letters import parse_letters
from spadille.pbn.hand_file import read
from spadille_cli import main
from tests.support.tiers import part

GERMAN = """[Game "german-solo"]
[Dealer "W"]
[Deal "S:87.ADB7.7.D KDB.108.AK8. 109.9.DB10.KB A.K.9.A10987"]
[Auction "N"]
Pass Pass solo-Herz Pass
[Declarer "S"]
[Contract "solo"]
[Trump "Herz"]
[Play "N"]
KD K9 K7 KK
P9 PA P8 PK
KrB Kr7 H7 ♦8
H9 HK HA H8
"""
ENGLISH = """[Game "german-solo"]
[Dealer "W"]
[Deal "S:87.AQJ7.7.Q KQJ.T8.AK8. T9.9.QJT.KJ A.K.9.AT987"]
[Auction "N"]
Pass Pass solo-H Pass
[Declarer "S"]
[Contract "solo"]
[Trump "H"]
[Play "N"]
DQ D9 D7 DK
S9 SA S8 SK
CJ C7 H7 D8
H9 HK HA H8
"""
HANDS = {
    "de": "S:87.ADB7.7.D KDB.108.AK8. 109.9.DB10.KB A.K.9.A10987",
    "fr": "S:87.ADV7.7.D RDV.108.AR8. 109.9.DV10.RV A.R.9.A10987",
    "es": "S:87.ACS7.7.C RCS.108.1R8. 109.9.DS10.RS A.R.9.A10987",
    "nl": "S:87.AVB7.7.V HVB.108.AH8. 109.9.VB10.HB A.H.9.A10987",
    "da": "S:87.EDB7.7.D KDB.108.AK8. 109.9.DB10.KB A.K.9.A10987",
}


def test_a_file_in_german_letters_is_read_in_english() -> None:
    file = read(GERMAN, letters="de")
    assert file.text == ENGLISH
    assert file[0].findings == []
    assert file[0].play is not None
    assert len(file[0].play.cards) == 16


@pytest.mark.parametrize("code", HANDS)
def test_deals_in_every_language(code: str) -> None:
    expected = Deal.parse("S:87.AQJ7.7.Q KQJ.T8.AK8. T9.9.QJT.KJ A.K.9.AT987", "german-solo")
    assert Deal.parse(HANDS[code], "german-solo", letters=code) == expected
    typed = ["--game", "german-solo", "--deal", HANDS[code], "--letters", code, "--format", "json"]
    result = CliRunner().invoke(main, ["show", *typed])
    assert (result.exit_code, '"87.AQJ7' in result.output or "HQ" in result.output) == (0, True)


@pytest.mark.parametrize("code", LETTERS)
def test_every_card_of_every_language_is_read(code: str) -> None:
    letters = LETTERS[code]
    seen: dict[str, str] = {}
    for card in CARDS:
        for suit in letters.suits[card[0]]:
            for rank in letters.ranks[card[1]]:
                assert letters.card(suit + rank) == card
                assert letters.card((suit + rank).lower()) == card
                assert seen.setdefault(suit + rank, card) == card
        symbol = dict(zip("SHDC", "♠♥♦♣", strict=True))[card[0]]
        for variation in ("", *VARIATION_SELECTORS):
            assert letters.card(symbol + variation + letters.ranks[card[1]][0]) == card
            assert letters.suit(symbol + variation) == card[0]
    assert not any(rank in "QJ" for ranks in letters.ranks.values() for rank in ranks)


def test_nothing_is_guessed() -> None:
    german, french = LETTERS["de"], LETTERS["fr"]
    assert (german.card("HD"), french.card("CD"), french.card("CR")) == ("HQ", "HQ", "HK")
    assert (german.card("SA"), german.hand("AQ..."), french.card("HA")) == (None, None, None)
    with pytest.raises(SpadilleError, match="letters must be one of en de fr es nl da, not 'xx'"):
        letters_of("xx")


def test_trump_names_are_understood_in_any_letters() -> None:
    for word, suit in (("Herz", "H"), ("Karo", "D"), ("oros", "D"), ("copas", "H")):
        assert SUIT_WORDS[word.lower()] == suit
        (entry,) = read(
            ENGLISH.replace('[Trump "H"]', f'[Trump "{word}"]').replace("solo-H", "solo")
        )
        assert entry.terms is not None
        assert entry.terms.trump == suit


def test_faults_have_their_place_in_the_file_as_it_is_written() -> None:
    wrong = GERMAN.replace("P9 PA P8 PK", "P10 PA P8 PA")
    found = [
        (fault.code, fault.line, fault.column) for fault in read(wrong, letters="de")[0].faults
    ]
    assert found[0] == ("card-not-held", 11, 11)
    wrong = GERMAN.replace("109.9.DB10.KB", "109.9.DQ10.K?")
    (fault, *_) = read(wrong, letters="de")[0].faults
    assert fault.line == 3


def test_a_deal_with_a_queen_or_jack_is_in_english() -> None:
    assert read(ENGLISH, letters="de").text == ENGLISH
    mixed = f"{ENGLISH}\n{GERMAN}"
    assert read(mixed, letters="de").text == f"{ENGLISH}\n{ENGLISH}"


@pytest.mark.parametrize("code", HANDS)
def test_the_ten_is_also_written_t(code: str) -> None:
    hands = HANDS[code].replace("10", "T")
    assert (
        Deal.parse(hands, "german-solo", letters=code).hands
        == Deal.parse(HANDS[code], "german-solo", letters=code).hands
    )


def test_a_ten_written_t_has_its_suit_in_that_language() -> None:
    """A French C is a heart, not a club, whatever the rank."""
    for code, card, meant in (("fr", "CT", "HT"), ("es", "CT", "HT"), ("de", "TT", "CT")):
        text = f'[Game "german-solo"]\n[Play "N"]\n{card}\n'
        (entry,) = read(text, letters=code)
        assert entry.game.names["Play"].play_tokens()[0][0] == meant


def test_german_packs_have_an_ober_and_an_unter(tmp_path) -> None:
    """They are read as the queen and the jack, which are still written D and B."""
    hands = HANDS["de"].translate(str.maketrans("DB", "OU"))
    text = GERMAN.replace(HANDS["de"], hands).replace("KD K9", "KO K9").replace("KrB", "KrU")
    assert read(text, letters="de").text == ENGLISH
    for written in (hands, hands.lower()):
        deal = Deal.parse(written, "german-solo", letters="de")
        assert deal == Deal.parse(HANDS["de"], "german-solo", letters="de")
    file = tmp_path / "a.pbn"
    drawings = []
    for each in (text, GERMAN):
        file.write_text(each)
        drawings.append(CliRunner().invoke(main, ["show", "--letters", "de", str(file)]).output)
    assert drawings[0] == drawings[1]
    assert "ADB" in drawings[0]
    words = ["solve", "--game", "german-solo", "--letters", "de", "--deal", hands]
    words += ["--dealer", "W", "--declarer", "N", "--contract", "frog", "--trump", "Karo"]
    result = CliRunner().invoke(main, [*words, "--called", "HU"])
    assert (result.exit_code, " HJ S " in result.output) == (0, True), result.output


def test_commands_read_and_draw_these_letters(tmp_path) -> None:
    file = tmp_path / "a.pbn"
    file.write_text(GERMAN)
    run = CliRunner().invoke
    result = run(main, ["show", "--letters", "de", str(file)])
    assert "♥ ♣D ♥7 AB" in result.output.replace("ADB", "AB")
    assert ">♦D" in result.output
    result = run(main, ["solve", str(file)], env={"SPADILLE_LETTERS": "de"})
    assert "failed" in result.output
    result = run(main, ["fmt", "--letters", "de", str(file)])
    assert "87.AQJ7.7.Q" in result.output
    assert "SPADILLE_LETTERS" in run(main, ["solve", "--help"]).output
    options = ["--contract", "frog", "--trump", "Pik", "--called", "KA", "--declarer", "S"]
    result = run(main, ["solve", "--letters", "de", *options, str(file)])
    assert "DA" in result.output


@pytest.mark.parametrize("kind", part(["solve", "table", "best", "review", "score"], 0, 5))
def test_a_batch_reads_these_letters(kind: str, tmp_path) -> None:
    exports = []
    for name, text, letters in (("de", GERMAN, "de"), ("en", ENGLISH, "en")):
        (tmp_path / name).mkdir()
        file, ledger = tmp_path / name / "deals.pbn", str(tmp_path / f"{name}.db")
        file.write_text(f"{text}\n{text}")
        words = ["batch", kind, "--letters", letters, "--into", ledger, str(file)]
        result = CliRunner().invoke(main, words)
        assert result.exit_code == (3 if kind == "score" else 0), result.output
        export = CliRunner().invoke(main, ["batch", "export", ledger]).stdout
        exports.append(export.replace(str(file), "deals.pbn"))
    assert exports[0] == exports[1]
    assert exports[0].count('"board"') == 2


@pytest.mark.ci
def test_a_batch_quotes_a_fault_as_it_is_written(tmp_path) -> None:
    file = tmp_path / "deals.pbn"
    file.write_text(f"{GERMAN}\n{GERMAN.replace('P9 PA P8 PK', 'P10 PA P8 PA')}")
    words = ["batch", "review", "--letters", "de", "--into", str(tmp_path / "x.db"), str(file)]
    lines = CliRunner().invoke(main, words).stderr.splitlines()
    number = next(number for number, line in enumerate(lines) if ":25:11: " in line)
    assert lines[number + 1 : number + 3] == ["  P10 PA P8 PA", " " * 12 + "^"]


def test_problems_and_deals_read_these_letters(tmp_path) -> None:
    file = tmp_path / "deals.pbn"
    texts = []
    for text, letters in ((GERMAN, "de"), (ENGLISH, "en")):
        file.write_text(text)
        words = ["problems", "--letters", letters, "--tricks", "2-8", "--seed", "1", str(file)]
        result = CliRunner().invoke(main, words)
        texts.append([line for line in result.output.splitlines() if not line.startswith("%")])
    assert texts[0] == texts[1]
    for words, shown in (
        (["german-solo", "--hand", "N=ADB..."], '[Deal "N:AQJ'),
        (["solo-whist", "--turn-up", "Herz"], '[TurnUp "H'),
        (["solo-whist", "--turn-up", "KA"], '[TurnUp "DA"]'),
        (["anna-cubed", "--current-trump", "K"], '[CurrentTrump "D"]'),
    ):
        result = CliRunner().invoke(main, ["deal", *words, "--letters", "de", "--seed", "1"])
        assert (result.exit_code, shown in result.output) == (0, True), result.output


def test_other_names_of_games() -> None:
    for name in ("hombre", "L'Hombre", "l'hombre", "lhombre"):
        assert Deal.random(name, 1).rules.game.id == "ombre"
    for name, hint in (
        ("tresillo", "did you mean 'ombre'"),
        ("rocambor", "did you mean 'ombre'"),
        ("voltarete", "did you mean 'ombre'"),
        ("whist", "did you mean 'solo-whist'"),
        ("english-solo", "did you mean 'solo-whist'"),
        ("solo", "several games are called Solo: german-solo, solo-whist, anna-cubed"),
    ):
        with pytest.raises(SpadilleError, match=hint):
            Deal.random(name, 1)
        (entry,) = read(f'[Game "{name}"]\n[Deal "N:- - - -"]\n')
        assert hint in entry.faults[0].message


@pytest.mark.parametrize(
    ("tag", "german", "english"),
    [
        ("Called", "KrD", "CQ"),
        ("Drawn", "N:KrD PA", "N:CQ SA"),
        ("Discard", "N:KrD", "N:CQ"),
        ("TurnUp", "HB", "HJ"),
        ("Key", "KD", "DQ"),
        ("Talon", "KD, PB", "DQ, SJ"),
        ("Trump", "Karo", "D"),
        ("Penalty", "Pik", "S"),
        ("CurrentTrump", "Kreuz", "C"),
        ("Contract", "solo Herz", "solo H"),
        ("Declarer", "N", "N"),
    ],
)
def test_tags_of_cards_and_suits_are_translated(tag: str, german: str, english: str) -> None:
    assert parse_letters(f'[{tag} "{german}"]\n', "de").source == f'[{tag} "{english}"]\n'
