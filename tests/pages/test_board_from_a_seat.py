"""Playing a deal from a seat in a browser: what is hidden, hints, claims, and the report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import spadille
from spadille import Contract, Deal, Position
from spadille.core.recorded_outcome import endings
from tests.pages.test_board import settled
from tests.support.browsers import barriers, in_colors, on_paper

CARD = ".seat.turn button.card:not([aria-disabled])"
HANDS = Path(__file__).parents[2] / "examples" / "german-solo.pbn"


@pytest.fixture(scope="module")
def evening() -> str:
    return spadille.page(spadille.load(HANDS)[:1])


def my_turn(page) -> bool:
    """Wait until the others have played; return whether there is a card to choose."""
    page.wait_for_function(
        """() => !document.querySelector(".report:not([hidden])") ? Boolean(
            document.querySelector(".seat.turn button.card")
            && document.querySelector(".felt").getAttribute("aria-busy") === "false") : true"""
    )
    return page.locator(".report:not([hidden])").count() == 0


def sat_down(page, keys: bool = False):
    if page.locator(".start").count():
        page.locator(".start").click()
    settled(page)
    if keys:
        page.keyboard.press("g")
    else:
        page.get_by_role("button", name="Play from this seat").click()
    page.locator(".felt .closed").first.wait_for()
    assert my_turn(page)
    return page


def test_a_deal_is_played_from_a_seat_to_its_end(visit, evening):
    """Until the end, others' cards are in no element of the board or the deal around it."""
    page = sat_down(visit(evening))
    mine = page.locator(".felt .seat.turn").get_attribute("data-seat")
    for number in range(8):
        shown = page.locator(".felt .seat [data-card]")
        assert shown.count() == 8 - number
        assert page.locator(f'.felt [data-seat="{mine}"] [data-card]').count() == 8 - number
        assert page.locator(".spoiler:visible, .board:visible, .terms:visible").count() == 0
        assert page.locator(".felt .tag", has_text="you").all_inner_texts() == ["your turn"]
        assert page.locator(".results:visible, [href='#results']:visible").count() == 0
        if number == 7:
            claims = page.locator(".claims option").all_inner_texts()
            assert claims == ["the last trick", "no more tricks"]
        page.locator(CARD).first.click()
        if number < 7:
            assert my_turn(page)
    assert not my_turn(page)
    report = page.locator(".report:not([hidden])").inner_text()
    assert page.locator(".report h3").all_inner_texts() == ["Your result", "Your cards"]
    result = r"^\d+ tricks? for the declaring side, contract (made|defeated)\."
    assert re.search(result, report, re.MULTILINE)
    assert page.locator(".felt .tag", has_text="you").all_inner_texts() == ["you"]
    assert page.locator(f'.felt [data-seat="{mine}"] .tag', has_text="you").count() == 1
    assert page.get_by_role("button", name="Next deal").count() == 0
    assert "Double-dummy from the first card:" in report
    assert "The recorded " in report
    assert page.locator(".results:visible").count() == 1
    assert page.locator(".felt .seat.at-bottom").get_attribute("data-seat") == mine
    page.set_viewport_size({"width": 768, "height": 1024})  # the report covers the buttons
    covers, covered = (page.locator(each).bounding_box() for each in (".report", ".tools"))
    assert covers["y"] <= covered["y"]
    page.set_viewport_size({"width": 1280, "height": 720})
    for error in page.locator(".errors details").all():
        line = error.locator("summary")
        assert line.locator("[role=img]").inner_text()[0] in "♠♥♦♣"
        line.click()
        settled(page)
        assert error.get_attribute("open") is not None
        assert page.locator(".errors details[open]").count() == 1
        trick = line.inner_text().split(",")[0]
        assert page.locator(".playing .said").inner_text().startswith(f"{trick}: ")
        chance = r"the contract makes in (all|none of|\d+ of) \d+ layouts tried after yours"
        assert re.search(rf"Given what you knew, .*: {chance}", error.inner_text())
    page.keyboard.press("Escape")
    assert page.locator(".report:visible").count() == 0
    assert page.locator(".tools:visible").count() == 1
    assert page.locator(".course button").count() == 32


def test_names_over_hidden_hands_are_whole_to_the_last_trick(visit):
    """Five players have the least room, and a fan of one card is narrower than a name."""
    page = sat_down(visit(spadille.page(spadille.load(HANDS.with_name("quintille.pbn"))[:1])))
    for number in range(8):
        whole = page.locator(".felt .who").evaluate_all(
            "all => all.map((name) => name.scrollHeight <= name.clientHeight + 1)"
        )
        assert whole == [True] * 5
        page.locator(CARD).first.click()
        assert my_turn(page) == (number < 7)


def test_on_a_phone_nothing_moves_during_play_from_a_seat(visit, evening):
    page = visit(evening)
    page.set_viewport_size({"width": 360, "height": 740})
    sat_down(page)
    tops = set()
    while my_turn(page):
        below = page.locator(".playing .said, .sit")
        tops.add(tuple(below.evaluate_all("(all) => all.map((each) => each.offsetTop)")))
        course, panel = (page.locator(each).bounding_box() for each in (".course", ".side-panel"))
        assert course["y"] + course["height"] <= panel["y"] + panel["height"] + 1
        page.locator(CARD).first.click()
    assert len(tops) == 1


def test_on_a_phone_the_buttons_at_a_seat_are_in_one_row(visit, evening):
    page = visit(evening)
    page.set_viewport_size({"width": 360, "height": 740})
    sat_down(page)
    tops = page.locator(".sit > button:visible").evaluate_all(
        "(all) => all.map((each) => each.offsetTop)"
    )
    assert len(tops) == 4
    assert len(set(tops)) == 1


def test_the_goal_is_said_at_a_seat_and_stays_above_the_table(visit, evening):
    page = visit(evening, "#deal=1&at=31")
    settled(page)
    page.locator(".sit select").select_option(page.locator(".turn").get_attribute("data-seat"))
    page.get_by_role("button", name="Play from this seat").click()
    assert my_turn(page)
    entry = spadille.load(HANDS)[0]
    target = entry.deal.rules.contract(entry.contract.ids[0]).target
    told = page.locator(".playing .said").inner_text()
    assert f"The declaring side needs {target} tricks. The others play" in told
    line = page.locator(".standing").inner_text()
    assert line.startswith("East plays Frog in diamonds")
    assert line.endswith(f"; needs {target} tricks")


def test_several_goals_are_said_at_a_seat(visit):
    [entry] = spadille.load(HANDS.with_name("squint.pbn"))[:1]
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    settled(page)
    page.locator(".sit select").select_option("1")
    page.get_by_role("button", name="Play from this seat").click()
    said(
        page,
        "You play Player 1. Player 5 needs 6 tricks. Player 1 must take no trick. "
        "Player 4 must take no trick. The others play from what they know.",
    )
    standing = (
        "Player 5 plays Ace solo and needs 6 tricks; "
        "Player 1 plays Misère and must take no trick; Player 4 plays Misère and must take no trick"
    )
    # The name of a seat is not broken over two lines.
    assert page.locator(".standing").inner_text() == standing.replace("Player ", "Player\xa0")


def test_the_reader_at_a_seat_is_called_you(visit, evening):
    entry = spadille.load(HANDS)[0]
    position = Position.of(entry.deal, entry.contract)
    cards = list(entry.play.cards)
    while len(position.legal()) == len(position.hands[position.to_play]):
        position.play(cards.pop(0))
    at = len(entry.play.cards) - len(cards)
    page = visit(evening, f"#deal=1&at={at}")
    settled(page)
    page.locator(".sit select").select_option(position.to_play)
    page.get_by_role("button", name="Play from this seat").click()
    assert my_turn(page)
    page.locator(".seat.turn button.card[aria-disabled]").first.dispatch_event("click")
    said(page, "You may not play the ")
    # On a touch screen, a legend is one button away.
    page.locator(".sit").get_by_role("button", name="Help").click()
    assert page.locator(".keys").is_visible()
    page.locator(".keys").get_by_role("button", name="Close").click()
    assert page.locator(".keys").is_hidden()
    assert page.evaluate("document.activeElement.className") == "playing"
    assert page.locator(".felt .closed").count() == 3


def many(tricks: int) -> str:
    return f"{tricks} trick{'s' * (tricks != 1)}"


def stop(page) -> None:
    page.get_by_role("button", name="Stop playing").click()
    page.get_by_role("button", name="Show all hands").click()
    settled(page)


SIZE = """() => {
    const { width, height } = document.querySelector(".felt .mine .card").getBoundingClientRect();
    return [width, height];
}"""
SECRET = ".felt .worth, .spoiler:visible, .board:visible, .results:visible"


def test_a_page_loaded_again_goes_on_from_the_seat(visit, evening):
    """Neither the page nor its print shows the other hands."""
    page = sat_down(visit(evening))
    mine = page.locator(".felt .seat.turn").get_attribute("data-seat")
    page.locator(CARD).first.click()
    own = page.locator(f'.felt [data-seat="{mine}"]')
    size = page.evaluate(SIZE)
    assert my_turn(page)
    assert page.evaluate(SIZE) == size
    played, held = page.locator(".course button").all_inner_texts(), own.inner_text()
    page.reload()
    assert my_turn(page)
    assert page.locator(".course button").all_inner_texts() == played
    assert own.inner_text() == held
    assert page.locator(".felt .closed").count() == 3
    assert page.locator(SECRET).count() == 0
    on_paper(page)
    assert page.locator(".deal .spoiler:visible, .deal .board:visible").count() == 0
    on_paper(page, False)
    stop(page)
    page.reload()
    settled(page)
    assert page.locator(".felt .closed").count() == 0


def test_keys_right_after_loading_again_do_no_harm(visit, evening):
    """The board is drawn before the engine has reported the position."""
    page = sat_down(visit(evening))
    page.reload()
    page.wait_for_selector(".playing", state="attached")
    page.evaluate("""() => {
        const root = document.querySelector(".playing");
        for (const key of ["b", "h", "ArrowLeft", "ArrowRight", "u", "y", "1", "Home"])
            root.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }""")
    assert my_turn(page)
    assert page.locator(".felt .closed").count() == 3


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


def said(page, words: str) -> None:
    page.wait_for_function(
        """(words) => document.querySelector(".playing .said").textContent.replaceAll("\xa0", " ")
            .includes(words)""",
        arg=words,
    )


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


def test_no_barrier_that_axe_finds_while_playing(visit, evening):
    def check(page):
        for scheme in ("light", "dark"):
            in_colors(page, scheme)
            assert barriers(page, "main", colors=scheme == "dark") == ""

    page = sat_down(visit(evening))
    check(page)
    page.get_by_role("button", name="Stop playing").click()
    check(page)
    page.get_by_role("button", name="Play on").click()
    while my_turn(page):
        page.locator(CARD).first.click()
        page.wait_for_timeout(100)
    check(page)


LONGEST_GUESS = (
    "Given what you know, only a guess from 19 layouts: the best cards are ♦10, ♦J, ♦Q and ♦K; "
    "they pay +136.6 on average, and the first declarer scores in 19. "
    "Ask again for a hint from all hands."
)
LONGEST_HINT = (
    "Given what you know, the best cards are ♦10, ♦J, ♦Q and ♦K; they pay +136.6 on average, "
    "and the first declarer scores in 100 of 100 layouts tried. "
    "Ask again for a hint from all hands."
)
# The board has the same parts on a tablet, so only the slow tests play there.
SIZES = [
    (1280, 720),
    pytest.param((1024, 768), marks=pytest.mark.slow),
    pytest.param((768, 1024), marks=pytest.mark.slow),
    (360, 740),
]


@pytest.mark.parametrize("size", SIZES)
def test_the_report_leaves_the_line_above_it_and_its_button_on_the_screen(visit, evening, size):
    page = visit(evening, "#deal=1&at=28")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sat_down(page)
    page.locator(CARD).first.click()
    assert not my_turn(page)
    boxes = {
        name: page.locator(each).bounding_box()
        for name, each in (
            ("line", ".standing"),
            ("report", ".report"),
            ("close", ".report .ways button"),
        )
    }
    ends = {name: box["y"] + box["height"] for name, box in boxes.items()}
    assert boxes["line"]["y"] > -1
    assert ends["line"] <= boxes["report"]["y"]
    assert ends["close"] <= ends["report"] <= size[1]
    for scheme in ("light", "dark"):
        in_colors(page, scheme)
        color, ground = page.locator(".report").evaluate(
            "(report) => [getComputedStyle(report).color, getComputedStyle(report).backgroundColor]"
        )
        assert color != ground, scheme


@pytest.mark.parametrize("size", SIZES)
def test_everything_needed_to_play_is_on_one_screen(visit, evening, size):
    page = visit(evening)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    sat_down(page)
    for each in (".felt", ".sit", ".playing .said", ".standing"):
        box = page.locator(each).bounding_box()
        assert box["y"] > -1, each  # positions are rounded to pixels
        assert box["y"] + box["height"] <= size[1], each
    card = page.locator(".seat.turn button.card").first.bounding_box()
    assert min(card["width"], card["height"]) >= 44
    for longest in (LONGEST_HINT, LONGEST_GUESS):
        fits = page.locator(".playing .said").evaluate(
            """(said, longest) => {
                said.textContent = longest;
                return said.scrollHeight <= said.clientHeight + 1;
            }""",
            longest,
        )
        assert fits


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


@pytest.mark.in_firefox
def test_the_others_wait_while_the_reader_is_asked_whether_to_stop(visit, evening):
    """The question stays in sight; afterwards the hand goes on."""
    page = visit(evening, "#deal=1&at=0")
    settled(page)
    page.locator(".sit select").select_option(page.locator(".turn").get_attribute("data-seat"))
    page.keyboard.press("g")
    page.locator(".felt .closed").first.wait_for()
    assert my_turn(page)
    page.evaluate(
        """(card) => {
        document.querySelector(card).click();
        for (const button of document.querySelectorAll(".sit button"))
            if (button.textContent === "Stop playing") button.click();
    }""",
        CARD,
    )
    page.wait_for_function("() => document.querySelector('.playing').board.held")
    assert page.locator(".playing .said").inner_text() == "Stop playing and show all hands?"
    assert page.locator(".course button").count() == 1
    page.get_by_role("button", name="Play on").click()
    assert my_turn(page)
    assert page.locator(".course button").count() >= 4
    assert page.locator(".felt .closed").count() == 3
