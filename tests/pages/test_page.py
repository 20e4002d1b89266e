"""The page of an evening: its contents, valid HTML, and the command."""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import html5lib
import pytest
from click.testing import CliRunner

import spadille
from spadille.base.words_for_messages import seat_name
from spadille.core.position import Position
from spadille.games import GAMES, rules_for
from spadille.pages import deal_facts as pages_deals
from spadille.pages.deal_view import SOLUTION
from spadille.pages.page import write
from spadille.render.results import review as drawn
from spadille_cli import main
from tests.support.packed_data import unpacked

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

TOP = Path(__file__).parents[2]
EVENING = TOP / "examples" / "evenings" / "ombre.pbn"
GERMAN = TOP / "examples" / "german-solo.pbn"
ENDING = """
[Game "ombre"]
[Dealer "1"]
[Deal "1:..KJ.K72 K.K3.A.J A.QJ.2.A"]
[Leader "2"]
[Won "1:1;2:3"]
"""
CONTRACT = '[Declarer "1"]\n[Contract "entrada"]\n[Trump "C"]\n'


def block(text: str) -> Any:
    """Return the script's data."""
    return json.loads(unpacked("data", text))


def parsed(text: str) -> Element:
    """Return the tree of a page; raise any error of its HTML."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def words(text: str) -> str:
    """Return the visible text."""
    body = re.sub(r"<(style|script).*?</\1>", "", text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", "", re.sub("(?=<t[dhr])", " ", body))).split())


@cache
def evening() -> str:
    return spadille.page(spadille.load(EVENING), spadille.load(GERMAN)[:1])


def run(*args: str, text: str | None = None) -> Any:
    return CliRunner().invoke(main, ["page", *args], input=text)


# HTML


@pytest.mark.ci
def test_it_is_sound_html() -> None:
    root = parsed(evening())
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))
    links = [element.get("href") for element in root.iter("a")]
    assert {link.removeprefix("#") for link in links if link} <= set(names)
    assert all(cell.get("scope") in ("col", "row") for cell in root.iter("th"))
    assert all(table.find("thead") is not None for table in root.iter("table"))
    assert root.find("html" if root.tag != "html" else ".").get("lang") == "en"


def test_headings_go_down_step_by_step() -> None:
    levels = [int(tag) for tag in re.findall(r"<h(\d)", evening())]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_policy_allows_what_stands_there_and_nothing_else() -> None:
    text = evening()
    policy = unescape(re.findall(r'Content-Security-Policy" content="([^"]*)"', text)[0])
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert parts["default-src"] == "'none'"

    def checksum(found: bytes) -> str:
        return f"'sha256-{b64encode(sha256(found).digest()).decode()}'"

    def allowed(pattern: str) -> Iterator[str]:
        for found in re.findall(pattern, text, re.DOTALL):
            yield checksum(found.encode())

    # The style and the script that are inlined in the page, and those that it unpacks.
    packed = [checksum(part.encode()) for part in json.loads(unpacked("script", text))]
    for kind, second in zip(("style", "script"), packed, strict=True):
        [first] = allowed(rf"<{kind}>(.*?)</{kind}>")
        hashes = [part for part in parts[f"{kind}-src"].split() if part.startswith("'sha")]
        assert hashes == [first, second]
    assert not re.search(r'\s(style|on\w+)="', text)


def test_it_takes_no_more_room_than_it_may() -> None:
    for game in GAMES:
        assert len(write([], rules=rules_for(game)).encode()) <= 300_000


@pytest.mark.ci
def test_tables_of_strength_take_no_more_room_than_they_may() -> None:
    """Check each game, and the page of all games, without their deals."""
    some = [
        [next(entry for entry in spadille.load(TOP / f"examples/{game}.pbn") if entry.contract)]
        for game in GAMES
    ]
    for files, room in [*(([each], 400_000) for each in some), (some, 800_000)]:
        text = spadille.page(*files)
        deals = "".join(re.findall(r"<article.*?</article>", text, re.DOTALL))
        assert len(text.encode()) - len(deals.encode()) <= room
        strength = re.search(r'id="spadille-strength">(.*?)</script>', text)
        assert len(b64decode(strength[1]) if strength else b"") <= 50_000 * len(files)


# The contents


def test_rows_without_a_first_cell_have_no_empty_heading() -> None:
    squint = EVENING.parents[1] / "squint.pbn"
    found = spadille.page(spadille.load(squint)[:1])
    assert "<tr><td>" in found
    assert not re.search(r'<th scope="row"[^>]*>\s*<[/t]', found)


def test_deals_stand_in_their_order() -> None:
    text = evening()
    assert re.findall(r'<article class="deal" id="([^"]*)"', text) == [
        f"deal-{number}" for number in range(1, 7)
    ]
    deals = block(text)["deals"]
    assert [len(deal["play"]) for deal in deals[:5]] == [27, 0, 27, 6, 27]


@pytest.mark.ci
def test_it_says_what_review_and_score_say() -> None:
    text = words(evening())
    symbols = dict(zip("SHDC", "♠♥♦♣", strict=True))

    def shown(line: str, players: dict[str, str]) -> str:
        for seat, name in players.items():
            line = line.replace(seat_name(seat), name)

        def sign(card: re.Match[str]) -> str:
            return symbols[card[1]] + card[2].replace("T", "10")

        return re.sub(r"\b([SHDC])([2-9TJQKA])\b", sign, line)

    told = 0
    for entry in [*spadille.load(EVENING), spadille.load(GERMAN)[0]]:
        if entry.contract is None or entry.deal is None or entry.play is None:
            continue
        if entry.surrender is not None:
            continue
        found = spadille.review(entry.deal, entry.contract, entry.play.cards, refutations=True)
        for step in found.steps:
            for why in step.refutations.values():
                assert shown(why.words, entry.players) in text
                told += 1
        for line in drawn.account(found):
            if "hand as played" not in line:  # the whole evening has one pool
                assert shown(line, entry.players) in text
    assert told > 5
    for player in spadille.score(spadille.load(EVENING)).players:
        assert f"{player.player} {player.deals} {player.points}" in text


@pytest.mark.ci
def test_what_signs_mean_is_told_game_by_game_where_it_differs() -> None:
    text = words(evening())
    meant = "Values are the outcome for the declarer", "Values are the tricks the declaring side"
    assert all(
        f"{game}: {said}" in text
        for game, said in zip(("Ombre", "German Solo"), meant, strict=True)
    )
    alone = words(spadille.page(spadille.load(GERMAN)[:1]))
    assert meant[1] in alone
    assert "German Solo:" not in alone


def test_a_deal_without_contract_has_its_contracts() -> None:
    text = spadille.page(spadille.read(ENDING))
    assert "Tricks in every contract" in text
    assert "fault" not in words(text).lower()


def test_a_contract_that_was_not_played_has_its_leads_and_a_line() -> None:
    text = words(spadille.page(spadille.read(ENDING + CONTRACT)))
    assert "opening leads of 2" in text
    assert "With best play" in text


@pytest.mark.ci
def test_a_passed_out_deal_has_its_calls() -> None:
    text = words(spadille.page(spadille.load(EVENING)[1:2]))
    assert "Passed out" in text
    assert "Calls and choices" in text


def test_chances_stand_where_they_are_asked_for() -> None:
    drawing = spadille.Drawing(samples=8)
    played = ENDING + CONTRACT + '[Play "2"]\nSK DJ SA\n'
    text = words(spadille.page(spadille.read(played), drawing=drawing))
    assert "Given each player's knowledge" in text
    assert "Given each player's knowledge" not in words(spadille.page(spadille.read(played)))


# Problems


@pytest.mark.parametrize(
    ("more", "question"),
    [
        (CONTRACT + '[Play "2"]\nSK DJ *', 2),
        (CONTRACT, 0),
        ("", None),
    ],
)
def test_a_quiz_begins_where_the_play_stands(more: str, question: int | None) -> None:
    text = spadille.page(spadille.read(ENDING + more), quiz=True)
    data = block(text)
    assert data["quiz"]
    assert data["deals"][0]["question"] == question
    assert '<body class="quiz">' in text


def test_a_deal_with_hidden_hands_is_shown_and_asks_nothing() -> None:
    text = """
[Game "solo-whist"]
[Dealer "N"]
[Deal "N:AKQ2.A32.K54.K32 - - -"]
[CurrentTrump "S"]
[Declarer "N"]
[Contract "solo"]
[Trump "S"]
"""
    found = spadille.page(spadille.read(text), quiz=True)
    assert "Solo by North;" in words(found)
    assert block(found)["deals"][0]["question"] is None


def test_a_deal_that_was_not_put_away_for_is_shown_and_asks_nothing() -> None:
    played = (TOP / "tests/fuzz/corpus/played-before-the-discard").read_text()
    page = spadille.page(spadille.read(played.partition("[Play")[0]))
    assert "Grand Solo by Player 5" in words(page)
    assert "As played" not in words(page)
    [found] = block(page)["deals"]
    assert [len(hand or ()) for hand in found["hands"].values()] == [10, 10, 10, 10, 0]
    assert found["question"] is None


def test_a_quiz_of_a_played_hand_begins_at_its_turning_point() -> None:
    found = [deal["question"] for deal in block(evening())["deals"]]
    entry = spadille.load(EVENING)[0]
    account = spadille.review(entry.deal, entry.contract, entry.play.cards).account
    assert found[0] == account.turning_point
    assert found[1] is None


def test_a_problem_has_its_question_theme_and_solution() -> None:
    tags = (
        '[Question "What does 2 lead?"]\n[Key "HK"]\n[Theme "the-only-lead"]\n[Difficulty "2.5"]\n'
    )
    text = ENDING + CONTRACT + tags + '[Play "2"]\n*\n{Solution: HK.}\n'
    found = spadille.page(spadille.read(text))
    assert '<p class="question">What does 2 lead?</p>' in found
    hidden = found[found.index('<div class="solution spoiler">') :]
    assert "Key ♥K Theme the-only-lead Solution: ♥K." in words(hidden)


def test_the_solution_of_a_problem_names_its_tricks() -> None:
    files = TOP / "examples" / "problems"
    [entry] = spadille.load(files / "hold-up.pbn")[:1]
    assert "Solution: H3. 3: CA D4 H3!; 3: HK DJ SA!. After" in entry.posed.solution
    for text in (spadille.page([entry], quiz=True), spadille.page([entry], sheet=True)):
        assert (
            "Solution: ♥3. Trick 7: Player 3 leads ♣A, then ♦4 and ♥3 (the only winning card). "
            "Trick 8: Player 3 leads ♥K, then ♦J and ♠A (the only winning card). "
            "Other cards are wrong: After Player 1's Spadille beats"
        ) in words(text)
        solution = text[text.index("Other cards are wrong:") :]
        assert solution[: solution.index("</ul>")].count("<li>") == 2


def test_every_solution_of_the_examples_that_has_a_line_is_in_words() -> None:
    for path in (TOP / "examples" / "problems").glob("*.pbn"):
        for entry in spadille.load(path):
            assert SOLUTION.fullmatch(entry.posed.solution) or "plan" in entry.posed.themes


def test_problems_have_a_list_of_their_questions() -> None:
    tags = '[Question "What does 2 lead?"]\n[Difficulty "2.5"]\n[Play "2"]\n*\n'
    text = words(spadille.page(spadille.read(ENDING + CONTRACT + tags)))
    assert text.startswith("Problems")
    assert "problem question difficulty #1 What does 2 lead? 2.5" in text
    assert "not settled" not in text
    assert "Players" not in text


def test_the_changes_in_value_are_left_out_if_no_card_changed_it() -> None:
    entries = spadille.load(TOP / "examples" / "problems" / "ombre.pbn")
    kinds = set()
    for entry in entries:
        found = spadille.review(entry.deal, entry.contract, entry.play.cards)
        text = words(spadille.page([entry]))
        assert "unfinished" not in text
        changed = any(step.mark for step in found.steps)
        assert ("Changes in value" in text) is changed
        kinds.add(changed)
    assert kinds == {False, True}


@pytest.mark.ci
def test_a_quiz_asks_first_and_tells_results_last() -> None:
    text = spadille.page(spadille.load(EVENING)[:3], quiz=True)
    places = [text.index(f'id="{each}"') for each in ("questions", "deal-1", "results")]
    assert places == sorted(places)
    entry = spadille.load(EVENING)[0]
    turn = spadille.review(entry.deal, entry.contract, entry.play.cards).account.turning_point
    told = words(text[text.index('id="ask-1"') : text.index('id="ask-3"')])
    shown = {card.replace("♠", "S") for card in re.findall("[♠♥♦♣][2-9TJQKA]", told)}
    assert len(shown) >= turn
    assert "sacada" not in told
    assert "questions" not in re.findall('<section class="([^"]*)"', evening())


def test_a_quiz_does_not_name_the_partner_whom_nobody_knows() -> None:
    entry = next(
        each for each in spadille.load(GERMAN) if each.contract.called and len(each.play.cards) > 4
    )
    text = spadille.page([entry], quiz=True)
    asked = words(text[text.index('id="ask-1"') : text.index("<article")])
    assert f"calling {'♠♥♦♣'['SHDC'.index(entry.contract.called[0])]}" in asked
    assert f"with {entry.contract.partner}" not in asked
    assert f"{entry.contract.declarer}+" not in asked


def test_chances_of_an_open_question_are_those_of_all_its_cards() -> None:
    """For a deal that was played, the chances include those of the question's cards."""
    tags = '[Question "What does 2 play?"]\n[Key "HK"]\n[Play "2"]\n*\n'
    drawing = spadille.Drawing(samples=8)
    page = spadille.page(spadille.read(ENDING + CONTRACT + tags), quiz=True, drawing=drawing)
    [[better, verdict, made]] = block(page)["deals"][0]["known"].values()
    position = Position.of(
        *(getattr(spadille.read(ENDING + CONTRACT)[0], n) for n in ("deal", "contract"))
    )
    assert set(made) == set(position.legal())
    assert better in made
    assert verdict == ""


# The command


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    file, out = tmp_path / "ending.pbn", tmp_path / "evening.html"
    file.write_text(ENDING + CONTRACT + ENDING, encoding="utf-8")
    result = run(str(file), "-o", str(out), "--title", "Friday <1>")
    assert (result.exit_code, result.stdout) == (0, "")
    text = out.read_text(encoding="utf-8")
    assert "<title>Friday &lt;1&gt;</title>" in text
    assert str(tmp_path) not in text
    assert len(re.findall("<article", text)) == 2


def test_a_fault_in_one_deal_stops_no_other() -> None:
    sound = ENDING + CONTRACT
    revoke = sound + '[Play "2"]\nSK DJ S2\n'
    result = run("-", text=sound + sound.replace('[Trump "C"]', '[Trump "X"]') + revoke)
    assert result.exit_code == 3
    said = [line for line in result.stderr.splitlines() if line]
    assert said
    for line in said:
        place, _, _ = line.partition(" ")
        assert place in words(result.stdout)
    assert len(re.findall("<article", result.stdout)) == 3
    parsed(result.stdout)


def test_play_is_reviewed_up_to_its_fault() -> None:
    text = GERMAN.read_text(encoding="utf-8")
    result = run("--board", "1", "-", text=text.replace("H9 HT SJ DK", "H9 HT SJ CJ"))
    assert result.exit_code == 3
    assert "Costly cards" in result.stdout


def test_what_nobody_foresaw_concerns_one_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pages_deals.judge_deal

    def failing(settled: Any, *args: Any, **more: Any) -> Any:
        if settled.contract is None:
            raise RuntimeError("no")
        return whole(settled, *args, **more)

    monkeypatch.setattr(pages_deals, "judge_deal", failing)
    result = run("-", text=ENDING + ENDING + CONTRACT)
    assert result.exit_code == 3
    assert "internal error, RuntimeError: no" in result.stderr
    assert "internal error, RuntimeError: no" in words(result.stdout)
    assert len(re.findall("<article", result.stdout)) == 2


def test_an_interruption_leaves_the_deals_that_were_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pages_deals.judge_deal

    def interrupted(settled: Any, *args: Any, **more: Any) -> Any:
        if settled.contract is None:
            raise KeyboardInterrupt
        return whole(settled, *args, **more)

    monkeypatch.setattr(pages_deals, "judge_deal", interrupted)
    out = tmp_path / "evening.html"
    out.write_text("before", encoding="utf-8")
    assert run("-", "-o", str(out), text=ENDING).exit_code == 130
    assert out.read_text(encoding="utf-8") == "before"
    text = ENDING + CONTRACT + ENDING
    assert run("-", "-o", str(out), text=text).exit_code == 130
    text = out.read_text(encoding="utf-8")
    assert "Interrupted: 1 of 2 deals." in text
    parsed(text)


def test_without_files_it_is_the_page_of_a_game() -> None:
    result = run("--game", "ombre")
    assert result.exit_code == 0
    assert "<title>Ombre</title>" in result.stdout
    assert "<noscript>" in result.stdout
    parsed(result.stdout)
    other = run("--game", "ombre", "--rules", "matador_rule=higher-only")
    assert block(other.stdout)["games"] != block(result.stdout)["games"]
    assert run("--game", "ombre", "--rules", "matador_rule=often").exit_code == 2
    assert run().exit_code == 2


# Sheets to print


@pytest.mark.ci
def test_sheets_have_the_questions_and_behind_them_the_answers() -> None:
    path = TOP / "examples" / "problems" / "german-solo.pbn"
    entries = spadille.load(path)[:3]
    text = spadille.page(entries, quiz=True, sheet=True)
    parsed(text)
    assert "<script" not in text
    questions, answers = text.split('<section class="answers"')
    assert words(questions).count("My card:") == len(entries)
    assert words(f"<p>{answers}").count("Difficulty") == len(entries)
    for entry in entries:
        assert entry.posed.question in words(questions)
        values = spadille.card_values(entry.deal, entry.contract, entry.play.cards)
        best = [card.card for card in values.cards if not card.cost]
        assert entry.posed.key in best
        suits = dict(zip("SHDC", "♠♥♦♣", strict=True))
        told = ", ".join(suits[card[0]] + card[1] for card in best)
        assert f"{told}: {values.value} trick" in words(f"<p>{answers}")
        for hand in entry.deal.hands.values():
            assert " ".join(hand) not in words(questions)


def test_only_the_question_of_a_double_dummy_problem_shows_all_hands() -> None:
    path = TOP / "examples" / "problems" / "german-solo.pbn"
    reasoned, double_dummy = spadille.load(path)[2:4]
    assert (reasoned.posed.method, double_dummy.posed.method) == ("reasoned", "double-dummy")
    for entry, hands in ((reasoned, 0), (double_dummy, 4)):
        text = spadille.page([entry], quiz=True, sheet=True)
        questions = text[text.index("<main>") : text.index('<section class="answers"')]
        assert questions.count('class="hand') == hands


@pytest.mark.ci
def test_a_sheet_says_who_plays_before_the_hand() -> None:
    [entry] = spadille.load(EVENING)[:1]
    text = spadille.page([entry], quiz=True, sheet=True)
    assert re.search(r"</p>\s*<p>Player 3 <bdi>Cleo</bdi> to play:</p>\s*<ul>", text)


@pytest.mark.ci
def test_sheets_are_those_of_a_quiz() -> None:
    result = run("--print", str(GERMAN))
    assert result.exit_code == 2
    assert "--print makes quiz sheets: add --quiz" in result.output
    assert "Answers" in run("--quiz", "--print", str(GERMAN)).stdout
