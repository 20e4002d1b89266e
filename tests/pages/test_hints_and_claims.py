"""Hints, claims and surrenders in a browser, for a reader who plays from a seat."""

from __future__ import annotations

import pytest

import spadille
from spadille import Contract, Deal
from spadille.core.recorded_outcome import endings
from tests.pages.test_board import settled
from tests.pages.test_board_from_a_seat import CARD, HANDS, my_turn, said, sat_down


@pytest.fixture(scope="module")
def evening() -> str:
    return spadille.page(spadille.load(HANDS)[:1])


def many(tricks: int) -> str:
    return f"{tricks} trick{'s' * (tricks != 1)}"


def test_hints_and_cards_taken_back_by_keys(visit, evening):
    page = sat_down(visit(evening), keys=True)
    while page.locator(CARD).count() == 1:
        page.locator(CARD).click()
        page.wait_for_timeout(100)
        assert my_turn(page)
    before = page.locator(".course button").count()
    page.keyboard.press("h")
    page.wait_for_function(
        "() => /Given what you know/.test(document.querySelector('.playing .said').textContent)"
    )
    assert " layouts tried" in page.locator(".playing .said").inner_text()
    assert page.locator(".seat.turn .card.good").count() > 0
    page.keyboard.press("h")
    page.wait_for_function(
        "() => /With all hands seen/.test(document.querySelector('.playing .said').textContent)"
    )
    page.locator(CARD).first.focus()
    page.keyboard.press("Enter")
    assert my_turn(page)
    assert page.locator(".course button").count() > before
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "(before) => document.querySelectorAll('.course button').length === before", arg=before
    )
    for key in ("l", "e", "c", "q", "p"):
        page.keyboard.press(key)
        assert page.locator(".playing .said").inner_text() == "Stop playing first."
    page.keyboard.press("2")
    assert page.locator(".felt .closed").count() == 3
    page.keyboard.press("g")
    assert page.locator(".playing .said").inner_text() == "Stop playing and show all hands?"
    assert page.evaluate("document.activeElement.textContent") == "Play on"
    page.keyboard.press("Enter")
    assert page.locator(".felt .closed").count() == 3
    page.keyboard.press("g")
    page.keyboard.press("Escape")
    assert page.get_by_role("button", name="Show all hands").count() == 0
    assert page.locator(".felt .closed").count() == 3
    page.keyboard.press("g")
    page.keyboard.press("g")
    page.wait_for_function("() => !document.querySelector('.felt .closed')")
    assert page.locator(".tools:visible").count() == 1


# North has seven sure tricks, whoever has the other cards.
SOLO = """\
[Game "german-solo"]
[Dealer "W"]
[Deal "N:AKQJT7.7..Q 98.AKQJT9.. ..AKQJT987. .8..AKJT987"]
[Declarer "N"]
[Contract "solo"]
[Trump "S"]
"""


def north_plays(visit, text: str, at: int = 0):
    page = visit(spadille.page(spadille.read(text)), f"#deal=1&at={at}")
    settled(page)
    page.locator(".sit select").select_option("N")
    page.get_by_role("button", name="Play from this seat").click()
    assert my_turn(page)
    return page


def claim(page, tricks: int) -> None:
    page.locator(".claims select").select_option(str(tricks))
    page.locator(".claims").get_by_role("button", name="Claim").click()


def test_on_a_phone_on_its_side_a_refused_claim_is_read_without_scrolling(visit):
    page = north_plays(visit, SOLO)
    page.set_viewport_size({"width": 740, "height": 360})
    claim(page, 8)
    said(page, "The claim is not accepted: with some hands that fit what you know")
    for each in (".said", ".side-panel"):
        assert page.locator(f".playing {each}").evaluate(
            "(each) => each.scrollHeight <= each.clientHeight + 1"
        ), each


@pytest.mark.parametrize("tricks", [7, 1])
def test_a_side_gets_exactly_the_tricks_that_it_claims(visit, tricks):
    page = north_plays(visit, SOLO)
    claim(page, 8)
    said(page, "The claim is not accepted: with some hands that fit what you know")
    claim(page, tricks)
    page.locator(".report:not([hidden])").wait_for()
    result, double_dummy = page.locator(".report li").all_inner_texts()[:2]
    assert result.startswith(f"You claimed {many(tricks)} at trick 1; the others get {8 - tricks}.")
    assert ("Double-dummy, your side takes 7 tricks." in result) == (tricks < 7)
    made = "made" if tricks == 7 else "defeated"
    assert f" {many(tricks)} for the declaring side, contract {made}. It pays you " in result
    [record] = spadille.read(f'{SOLO}[Result "{tricks}"]\n')
    ended = {
        record.deal.rules.score(record.deal, record.contract, end)["N"]
        for end in endings(record.deal, record.contract, None, tricks)
    }
    assert {int(result.split()[-1].rstrip("."))} == ended
    assert double_dummy.startswith("Double-dummy from the first card: 7 tricks")
    cost = page.locator(".report").inner_text()
    assert ("Your claim gave up 6 tricks." in cost) == (tricks < 7)
    said(page, f"The hand is over. You claimed {many(tricks)} at trick 1")
    assert page.locator(".course button").count() == 0
    assert page.locator(".felt .closed").count() == 0


def test_a_side_that_has_won_the_first_run_may_stop_or_claim_all(visit):
    """Other claims would not settle whether it goes on for all tricks."""
    text = (
        SOLO
        + '[Play "N"]\n'
        + "\n".join(
            f"{card} {east} {south} {west}"
            for card, east, south, west in zip(
                ("CQ", "S7", "SA", "SK", "SQ"),
                ("S9", "S8", "H9", "HT", "HJ"),
                ("D7", "D8", "D9", "DT", "DJ"),
                ("C7", "C8", "C9", "CT", "CJ"),
                strict=True,
            )
        )
        + "\n*\n"
    )
    page = north_plays(visit, text, 20)
    options = page.locator(".claims option").all_inner_texts()
    assert options == ["all 3 tricks", "no more tricks"]
    claim(page, 0)
    page.locator(".report:not([hidden])").wait_for()
    result = page.locator(".report li").first.inner_text()
    assert result.startswith("You claimed no more tricks at trick 6; the others get 3.")
    assert "5 tricks for the declaring side, contract made. It pays you +" in result


def test_ombre_surrenders_where_the_rules_grant_it(visit):
    """Ombre may do so only before their first four cards in an Entrada; the report shows it."""
    deal = Deal.random("ombre", 3)
    contract = Contract.parse(deal, "1 entrada S")
    text = f"{spadille.dumps([(deal, contract)])}"
    page = visit(spadille.page(spadille.read(text)))
    page.locator(".start").click()
    settled(page)
    page.locator(".sit select").select_option("1")
    page.get_by_role("button", name="Play from this seat").click()
    assert my_turn(page)
    page.get_by_role("button", name="Surrender").click()
    page.locator(".report:not([hidden])").wait_for()
    report = page.locator(".report").inner_text()
    assert "You surrendered. Surrendering pays " in report
    page.keyboard.press("Escape")
    page.locator(".sit select").select_option("2")
    page.get_by_role("button", name="Play from this seat").click()
    assert my_turn(page)
    assert page.get_by_role("button", name="Surrender").count() == 0


def test_a_hint_has_symbols_with_the_names_of_cards(visit, evening):
    page = visit(evening, "#deal=1&at=28")
    sat_down(page)
    page.keyboard.press("h")
    card = page.locator(".playing .said [role=img]")
    card.first.wait_for()
    name = page.locator(CARD).first.get_attribute("aria-label")
    assert card.first.inner_text()[0] in "♠♥♦♣"
    assert name.startswith(card.first.get_attribute("aria-label").lower().removeprefix("the "))


# Answers the next request of the board; the engine gets none.
ANSWER = """(answers) => {
    const { board } = document.querySelector(".playing");
    const { client } = board;
    board.client = { ...client, stop: () => { board.client = client; },
        ask: (request, listen) => answers.forEach((answer) => listen(answer)) };
}"""


def hint_of(layouts: int, card: str) -> dict[str, object]:
    chosen = {"best": [card], "made": {card: 0.5}, "paid": {card: 2}, "card": card}
    return {"chosen": {**chosen, "layouts": layouts}, "done": False}


def test_a_hint_can_be_stopped_and_says_when_it_is_a_guess(visit, evening):
    page = sat_down(visit(evening))
    card = page.locator(CARD).first.get_attribute("data-card")
    sit, line = page.locator(".sit"), page.locator(".standing")
    goal = line.inner_text()
    page.evaluate(ANSWER, [hint_of(1, card), hint_of(6, card)])
    sit.get_by_role("button", name="Hint").click()
    assert line.inner_text().endswith("thinking, 6 layouts …")
    assert page.locator(".seat.turn .card.good").count() == 0
    sit.get_by_role("button", name="Stop", exact=True).click()
    said(page, "Given what you know, only a guess from 6 layouts: the best card is ")
    said(page, "and the contract makes in 3. Ask again")
    assert page.locator(".seat.turn .card.good").get_attribute("data-card") == card
    assert line.inner_text() == goal
    assert sit.get_by_role("button", name="Hint").count() == 1


def test_a_claim_can_be_stopped_and_is_not_checked_for_long(visit, evening):
    page = sat_down(visit(evening))
    claims = page.locator(".claims").get_by_role("button", name="Claim")
    page.evaluate(ANSWER, [{"nodes": 4096, "bound": None}])
    claims.click()
    assert page.locator(".standing").inner_text().endswith("thinking, 4,096 positions …")
    page.keyboard.press("s")
    assert page.locator(".playing .said").inner_text() == "Stopped."
    page.evaluate(ANSWER, [{"claim": {"good": None, "best": None}, "done": True}])
    claims.click()
    said(page, "There are too many possible hands to check the claim in a few seconds.")
    assert page.locator(".report:visible").count() == 0
