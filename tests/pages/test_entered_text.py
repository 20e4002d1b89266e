"""Text that a reader enters on a page: hands as people write them, hand files, and links."""

from __future__ import annotations

from pathlib import Path

import pytest

import spadille
from spadille.games import rules_for
from spadille.pages.page import write
from tests.pages.test_board import MARKED, opened, played, press, settled, symbols
from tests.support.tiers import games_of_extreme_sizes

EXAMPLES = Path(__file__).parents[2] / "examples"
EVENING = EXAMPLES / "evenings" / "ombre.pbn"
TEXT = "The deal as text"


def held(page, seat: str) -> set[str]:
    """Return the cards of a hand on the board."""
    cards = page.locator(f".felt [data-seat='{seat}'] .card").all()
    return {each.get_attribute("data-card") for each in cards}


WRITTEN = {
    "symbols": "♠AKQ ♥10 9 ♦J ♣A7\n♠J109 ♥AK ♦Q ♣10 9\n♠87 ♥QJ ♦AK ♣KQ\n♥87 ♦10987 ♣J8",
    "emoji": "♠️AKQ ♥️10 9 ♦️J ♣️A7\n♠️J109 ♥️AK ♦️Q ♣️10 9\n♠️87 ♥️QJ ♦️AK ♣️KQ\n♥️87 ♦️10987 ♣️J8",
    "ranks first": "A♠ K♠ Q♠ 10♥ 9♥ J♦ A♣ 7♣\nJ♠ 10♠ 9♠ A♥ K♥ Q♦ 10♣ 9♣\n87♠ QJ♥ AK♦ KQ♣\n"
    "8♥ 7♥ 10987♦ J♣ 8♣",
    "cards": "SA SK SQ H10 H9 DJ CA C7\nSJ S10 S9 HA HK DQ C10 C9\nS8 S7 HQ HJ DA DK CK CQ\n"
    "H8 H7 D10 D9 D8 D7 CJ C8",
    "seats": "West: .87.T987.J8\nNorth: AKQ.T9.J.A7\nE: JT9.AK.Q.T9\nS: 87.QJ.AK.KQ",
    "german": "N:AKD.10 9.B.A7 B109.AK.D.109 87.DB.AK.KD .87.10987.B8".replace("10 9", "109"),
    "german pack": "N:AKO.109.U.A7 U109.AK.O.109 87.OU.AK.KO .87.10987.U8",
    "french": "N:ARD.T9.V.A7 VT9.AR.D.T9 87.DV.AR.RD .87.T987.V8",
    "dutch": "N:AHV.T9.B.A7 BT9.AH.V.T9 87.VB.AH.HV .87.T987.B8",
    "spanish": "N:ARC.T9.S.A7 ST9.AR.C.T9 87.CS.AR.RC .87.T987.S8",
}


def test_a_deal_is_read_as_people_write_it(visit):
    page = visit(write([], rules=rules_for("german-solo")))
    field = page.get_by_label(TEXT)
    for name, text in WRITTEN.items():
        field.fill(text)
        field.dispatch_event("change")
        settled(page)
        assert field.input_value() == "N:AKQ.T9.J.A7 JT9.AK.Q.T9 87.QJ.AK.KQ .87.T987.J8", name
        page.get_by_role("button", name="Clear").click()
        assert page.locator(".felt").count() == 0


@pytest.mark.parametrize("game", games_of_extreme_sizes())
def test_all_deals_of_a_hand_file_are_opened(visit, game):
    """A hand file is shown with contract, names and play, on a page of any game."""
    path = EXAMPLES / f"{game}.pbn"
    entries = spadille.load(path)
    page = visit(write([], rules=rules_for("ombre")))
    page.wait_for_selector(".games select, .entry label select")
    field = page.get_by_label(TEXT)
    field.fill(path.read_text("utf-8"))
    field.dispatch_event("change")
    page.wait_for_selector(".file button")
    buttons = page.locator(".file button").all()
    assert len(buttons) == len(entries)
    seen = 0
    exchanged = 0
    for button, entry in zip(buttons, entries, strict=True):
        if entry.deal is None or not entry.contract or not entry.play or not entry.play.cards:
            continue
        if entry.rules != rules_for(game) or entry.game.get("Contract") is None:
            continue
        button.click()
        page.wait_for_function(
            "(told) => document.querySelector('.making > .said').textContent.startsWith(told)",
            arg=f"Deal {button.inner_text()} of {len(entries)}",
        )
        # The list of tricks is drawn after the sentence, and again while values are found.
        page.wait_for_function(
            "(cards) => [...document.querySelectorAll('.course button')]"
            ".map((card) => card.innerText).filter((text) => !text.includes('!')).join() === cards",
            arg=",".join(symbols(entry.play.cards)),
        )
        page.keyboard.press("Home")
        settled(page)
        for seat, hand in entry.deal.playing_hands().items():
            assert held(page, seat) == set(hand)
        exchanged += bool(entry.deal.exchangers)
        seen += 1
    assert seen
    assert exchanged or game != "ombre"


# The deals in the list of a hand file: text, whether it is open, width, height, top edge.
LISTED = """() => [...document.querySelectorAll(".file button")].map((each) => {
    const { width, height, top } = each.getBoundingClientRect();
    return [each.textContent, each.ariaCurrent, width, height, top];
})"""


def test_the_list_of_a_hand_file_marks_the_open_deal(visit):
    page = visit(write([], rules=rules_for("squint")))
    page.wait_for_selector(".games select")
    field = page.get_by_label(TEXT)
    field.fill((EXAMPLES / "ombre.pbn").read_text("utf-8"))
    field.dispatch_event("change")
    settled(page)
    for width, height in ((1280, 720), (768, 1024), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        listed = page.evaluate(LISTED)
        assert [(text, current) for text, current, *_ in listed] == [
            (str(number), "true" if number == 1 else "false") for number in range(1, 8)
        ]
        assert all(min(wide, high) >= 44 for _, _, wide, high, _ in listed)
        if width > 740:  # above the board, as the list of the deals of a page
            assert all(0 <= top < 20 for *_, top in listed)
    page.locator(".file button").nth(2).click()
    page.wait_for_selector(".file li:nth-child(4) [aria-current=true]")  # the first says "7 deals"
    assert page.locator(".file [aria-current=true]").count() == 1
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    assert page.locator(".file [aria-current=true]").count() == 0


@pytest.mark.parametrize("game", ["ombre", "quintille"])
def test_the_tricks_of_an_entered_deal_mark_costly_cards(visit, game):
    """The engine of the page finds the marks that a review in Python finds."""
    path = EXAMPLES / f"{game}.pbn"
    entries = spadille.load(path)
    number = next(i for i, each in enumerate(entries) if each.play and len(each.play.cards) > 12)
    entry = entries[number]
    steps = spadille.review(entry.deal, entry.contract, entry.play.cards).steps
    marks = [step.mark for step in steps]
    assert any(marks)
    page = visit(write([], rules=rules_for(game)))
    field = page.get_by_label(TEXT)
    field.fill(path.read_text("utf-8"))
    field.dispatch_event("change")
    page.locator(".file button").nth(number).click()
    page.wait_for_function(f"(marks) => ({MARKED})().join() === marks", arg=",".join(marks))
    page.get_by_role("button", name="Quiz", exact=True).click()
    assert not any(page.evaluate(MARKED))


def test_options_that_concern_only_bids_and_payoffs_do_not_matter(visit):
    path = EXAMPLES / "evenings" / "german-solo.pbn"
    page = visit(write([], rules=rules_for("german-solo")))
    field = page.get_by_label(TEXT)
    field.fill(path.read_text("utf-8"))
    field.dispatch_event("change")
    settled(page)
    entry = spadille.load(path)[0]
    assert page.locator(".course button").all_inner_texts() == symbols(entry.play.cards)
    wrong = path.read_text("utf-8").replace("color=changing", "rotation=ccw")
    field.fill(wrong)
    field.dispatch_event("change")
    said = page.locator(".making > .said").inner_text()
    assert said == "Deal 1 needs german-solo with rotation=ccw, which this page does not have."


@pytest.mark.parametrize(
    ("tag", "other", "why"),
    [
        ("3:HQ", "3:D2", "the two of diamonds, which Player 3 exchanges, is not in the hand"),
        ("[Talon", "[Nothing", "the cards drawn are unknown: the file needs Drawn or Talon"),
    ],
)
def test_an_exchange_that_does_not_fit_is_said(visit, tag, other, why):
    text = (EXAMPLES / "ombre.pbn").read_text("utf-8")
    text = text.replace(tag, other, 1)
    page = visit(write([], rules=rules_for("ombre")))
    field = page.get_by_label(TEXT)
    field.fill(text)
    field.dispatch_event("change")
    settled(page)
    said = page.locator(".making > .said").inner_text()
    assert "Its hands are as dealt, as its exchange cannot be applied: " in said
    assert why in said


def test_what_cannot_be_read_is_said(visit):
    page = visit(write([], rules=rules_for("ombre")))
    page.wait_for_selector(".entry label select")
    field = page.get_by_label(TEXT)
    field.fill('[Game "bridge"]\n[Deal "N:... ... ... ..."]\n')
    field.dispatch_event("change")
    said = page.locator(".making > .said")
    assert said.inner_text() == "Deal 1 needs bridge, which this page does not have."


def test_typed_lines_are_read_on_request_and_a_wrong_word_is_named(visit):
    page = visit(write([], rules=rules_for("ombre")))
    page.set_viewport_size({"width": 360, "height": 740})
    field, said = page.get_by_label(TEXT), page.locator(".making > .said")
    field.fill("♠A ♥7\n♠K zz")
    field.press("Control+Enter")
    assert said.inner_text() == 'Line 2: "zz" is not a card of Ombre.'
    box = said.bounding_box()
    assert box
    assert 0 <= box["y"] <= 740 - box["height"]
    field.fill("♠A ♥7\n♠K ♥10")
    page.get_by_role("button", name="Read", exact=True).click()
    assert said.inner_text() == 'Line 2: "♥10" is not a card of Ombre.'
    field.fill("♠A ♥7\n♠K ♥Q")
    page.get_by_role("button", name="Read", exact=True).click()
    assert said.inner_text().startswith("Player 1 needs 7 cards")
    for text, word in {
        "SA SK zz\nHQ": "zz",
        "SA SK zz HQ": "zz",
        "♠AK ♥10": "♥10",
        "SA S10": "S10",
    }.items():
        field.fill(text)
        page.get_by_role("button", name="Read", exact=True).click()
        wrong = f'Line 1: "{word}" is not a card of Ombre.'
        page.wait_for_function(
            "(wrong) => document.querySelector('.making > .said').textContent === wrong", arg=wrong
        )
    field.fill("SA SK")  # one hand is the first
    page.get_by_role("button", name="Read", exact=True).click()
    assert said.inner_text().startswith("Player 1 needs 7 cards")


def test_a_text_is_read_once_and_its_message_stays(visit):
    page = visit(write([], rules=rules_for("ombre")))
    page.evaluate(
        """() => {
            window.times = 0;
            const said = document.querySelector(".making > .said");
            new MutationObserver((changes) => {
                times += changes.some(({ target }) => target === said);
            }).observe(said, { childList: true });
        }"""
    )
    field, said = page.get_by_label(TEXT), page.locator(".making > .said")
    field.fill("SA zz")
    page.get_by_role("button", name="Read", exact=True).click()
    assert said.inner_text() == 'Line 1: "zz" is not a card of Ombre.'
    assert page.evaluate("times") == 1
    field.fill(EVENING.read_text("utf-8"))
    page.get_by_role("button", name="Read", exact=True).click()
    settled(page)
    page.wait_for_function(
        "() => document.querySelector('.making > .said').textContent.startsWith('Deal 1 of ')"
    )
    field.focus()
    page.get_by_role("button", name="Read", exact=True).click()
    assert said.inner_text().startswith("Deal 1 of ")


def test_a_link_is_pasted(visit):
    page = visit(write([], rules=rules_for("mensch")))
    page.wait_for_selector(".entry label select")
    field = page.get_by_label(TEXT)
    hands = "1:K2.J..J 6.Q7.K. J.A..65"
    for wrong in ("hands=x", "hands=1:K2"):
        field.fill(f"https://example.org/page.html#game=ombre&{wrong}")
        field.dispatch_event("change")
        assert page.locator(".making > .said").inner_text().startswith("This link is not valid: ")
    field.fill(f"https://example.org/page.html#game=ombre&hands={hands}&dealer=2")
    field.dispatch_event("change")
    settled(page)
    assert page.locator(".felt .seat").count() == 3
    assert page.locator(".playing").bounding_box()["y"] < 200


def test_a_link_holds_the_deal_and_opens_in_any_page(visit):
    page = opened(visit(spadille.page(spadille.load(EVENING)[:1])))
    press(page, "ArrowRight", "ArrowRight")
    page.get_by_role("button", name="Copy link").click()
    link = page.get_by_label("A link to this position").input_value()
    place = link[link.index("#") :]
    assert len(place) < 400
    standing = page.locator(".standing").inner_text()
    assert standing.startswith("Anna plays ")
    without_names = standing.replace("Anna", "Player\xa01")  # a link holds no names
    cards = played(page)
    other = spadille.load(EXAMPLES / "squint.pbn")[:1]
    for text in (spadille.page(other), write([], rules=rules_for("mensch"))):
        page = visit(text, f"?{len(text)}{place}")
        page.wait_for_selector(".playing .felt .worth")
        settled(page)
        assert page.locator(".standing").inner_text() == without_names
        assert played(page) == cards


def test_the_last_board_is_hidden_while_a_text_is_refused(visit):
    page = visit(write([], rules=rules_for("german-solo")))
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    field, said = page.get_by_label(TEXT), page.locator(".making > .said")
    whole = field.input_value()
    for text, wrong in {
        "hello world": "This is not a deal. Enter one hand on each line",
        "SA SK": "North needs 6 cards",
        "spadille.html#game=german-solo&hands=x": "This link is not valid: ",
    }.items():
        field.fill(text)
        page.get_by_role("button", name="Read", exact=True).click()
        page.wait_for_function(
            "(wrong) => document.querySelector('.making > .said').textContent.startsWith(wrong)",
            arg=wrong,
        )
        assert page.locator(".playing:visible").count() == 0
    field.fill(whole)
    page.get_by_role("button", name="Read", exact=True).click()
    settled(page)
    assert page.locator(".playing:visible").count() == 1
    assert said.inner_text() == ""


def test_a_faulty_deal_is_refused_with_its_reason(visit):
    page = visit(write([], rules=rules_for("ombre")))
    field = page.get_by_label("The deal as text")
    for text, reason in {
        "1:AA... 2... 3...": "SA is held twice.",
        "1:ADD... 2... 3...": "SQ is held twice.",  # a queen in German letters
        "1:AKDB765432... - -": "Player 1 holds 10 cards, not 9.",
        "1:AZ... 2... 3...": "SZ is not in the pack of Ombre.",
        "1:T... 2... 3...": "ST is not in the pack of Ombre.",
        "1:A... 2...": "There are 2 hands, not 3.",
        "AK.Q": (
            "This is not a deal. Enter one hand on each line (♠AK ♥76), a Deal tag, a hand "
            "file or a link."
        ),
    }.items():
        field.fill(text)
        page.keyboard.press("Enter")
        assert page.locator(".making > .said").inner_text() == reason
