"""Deals that a reader enters on a page: card by card, as text, as a hand file, by a link."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import spadille
from spadille.games import rules_for
from spadille.pages.page import write
from tests.pages.test_board import MARKED, opened, played, press, settled, symbols
from tests.support.browsers import on_paper
from tests.support.tiers import games_of_extreme_sizes

EXAMPLES = Path(__file__).parents[2] / "examples"
EVENING = EXAMPLES / "evenings" / "ombre.pbn"
TEXT = "The deal as text"


def held(page, seat: str) -> set[str]:
    """Return the cards of a hand on the board."""
    cards = page.locator(f".felt [data-seat='{seat}'] .card").all()
    return {each.get_attribute("data-card") for each in cards}


def test_enter_gives_one_card_after_the_other(visit):
    """Entering a hand from nothing takes few keys beyond its cards."""
    page = visit(write([], rules=rules_for("german-solo")))
    page.locator(".pack button").first.focus()
    for count in range(24):
        assert page.locator(".receiver .card").count() == count
        page.keyboard.press("Enter")
    settled(page)  # the last hand fills itself
    assert page.locator(".receiver .card").count() == 32
    assert page.locator(".felt .seat .card").count() == 32
    said = page.locator(".making > .said").inner_text()
    assert said.startswith("The seven of diamonds goes to South. The rest is West's.")


def test_cards_are_typed_and_arrows_move_through_the_pack(visit):
    page = visit(write([], rules=rules_for("german-solo")))
    page.locator(".pack button").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.card") == "SK"
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.card") == "HK"
    page.keyboard.type("SAh10D9")
    taken = page.locator(".receiver .card").all()
    assert [each.get_attribute("data-card") for each in taken] == ["SA", "HT", "D9"]
    page.keyboard.type("SA")
    assert page.locator(".making > .said").inner_text() == "The ace of spades has been dealt."
    page.keyboard.type("S2")
    assert page.locator(".making > .said").inner_text() == "The two of spades is not in this pack."


def test_a_first_hand_takes_few_keys_beyond_its_cards(visit):
    """By keys alone: to the form, type the cards, to the board, and choose a contract."""
    [deal] = spadille.deals("ombre", seed=3)
    page = visit(write([], rules=rules_for("ombre")))
    typed = 0

    def tab_to(what: str) -> int:
        for count in range(30):
            if page.evaluate(f"Boolean(document.activeElement.closest('{what}'))"):
                return count
            page.keyboard.press("Tab")
        return 99

    typed += tab_to(".making button")
    for seat in deal.rules.seats:
        page.keyboard.type("".join(deal.hands[seat]))
    settled(page)
    typed += tab_to(".playing")
    page.keyboard.press("c")
    page.locator(".offers td button").first.wait_for()
    typed += 1 + tab_to(".offers td")
    page.keyboard.press("Enter")
    settled(page)
    assert typed + 1 <= 20
    assert page.locator(".felt .worth").count() > 0


def test_the_hands_are_one_tab_stop_with_arrows_inside(visit):
    page = visit(write([], rules=rules_for("ombre")))
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    assert page.locator(".receivers button:not([tabindex])").count() == 1
    page.locator(".receivers button:not([tabindex])").focus()
    page.keyboard.press("ArrowRight")
    first = page.evaluate("document.activeElement.dataset.card")
    page.keyboard.press("Enter")  # takes the card back; the next card is in its place
    assert page.locator(f".receivers [data-card={first}]").count() == 0
    assert page.evaluate("document.activeElement.closest('.receiver') !== null")
    assert page.evaluate("document.activeElement.dataset.card") not in (None, first)
    page.keyboard.press("ArrowDown")
    assert (
        page.evaluate(
            "[...document.querySelectorAll('.receiver')].indexOf(document"
            ".activeElement.closest('.receiver'))"
        )
        == 1
    )


def test_dealt_cards_move_no_other_card(visit):
    page = visit(write([], rules=rules_for("german-solo")))
    places = """() => {
        const buttons = [...document.querySelectorAll(".pack button")];
        return Object.fromEntries(buttons.map((each) => {
            const { left, top } = each.getBoundingClientRect();
            return [each.dataset.card, [left + scrollX, top + scrollY]];
        }));
    }"""
    before = page.evaluate(places)
    for card in ("SA", "HK", "C9"):
        page.locator(f".pack [data-card={card}]").click()
        del before[card]
        assert page.evaluate(places) == before
    page.locator(".pack [data-card=SK]").focus()
    page.keyboard.press("ArrowDown")  # the king of hearts has been dealt
    assert page.evaluate("document.activeElement.dataset.card") in ("HA", "HQ")


def test_a_card_that_is_taken_back_leaves_the_board(visit):
    page = visit(write([], rules=rules_for("ombre")))
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    page.locator(".felt button.card:not([aria-disabled])").first.click()
    settled(page)
    before = page.locator(".course button").all_inner_texts()
    card = page.locator(".receiver .card").first
    name = card.get_attribute("data-card")
    card.click()
    assert page.locator(".felt .seat .card").count() == 26
    page.locator(f".pack [data-card={name}]").click()
    assert page.locator(".course button").all_inner_texts() == before


WRITTEN = {
    "symbols": "♠AKQ ♥10 9 ♦J ♣A7\n♠J109 ♥AK ♦Q ♣10 9\n♠87 ♥QJ ♦AK ♣KQ\n♥87 ♦10987 ♣J8",
    "emoji": "♠️AKQ ♥️10 9 ♦️J ♣️A7\n♠️J109 ♥️AK ♦️Q ♣️10 9\n♠️87 ♥️QJ ♦️AK ♣️KQ\n♥️87 ♦️10987 ♣️J8",
    "ranks first": "A♠ K♠ Q♠ 10♥ 9♥ J♦ A♣ 7♣\nJ♠ 10♠ 9♠ A♥ K♥ Q♦ 10♣ 9♣\n87♠ QJ♥ AK♦ KQ♣\n"
    "8♥ 7♥ 10987♦ J♣ 8♣",
    "cards": "SA SK SQ H10 H9 DJ CA C7\nSJ S10 S9 HA HK DQ C10 C9\nS8 S7 HQ HJ DA DK CK CQ\n"
    "H8 H7 D10 D9 D8 D7 CJ C8",
    "seats": "West: .87.T987.J8\nNorth: AKQ.T9.J.A7\nE: JT9.AK.Q.T9\nS: 87.QJ.AK.KQ",
    "german": "N:AKD.10 9.B.A7 B109.AK.D.109 87.DB.AK.KD .87.10987.B8".replace("10 9", "109"),
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


def test_a_card_that_is_dealt_is_named_in_one_sentence(visit, evening):
    """On a phone, the message stays at the upper edge of the window."""
    [deal] = spadille.deals("ombre", seed=3)
    page = visit(evening)
    page.set_viewport_size({"width": 360, "height": 560})
    page.locator(".own summary").click()
    said = page.locator(".making > .said")
    page.locator(".making").focus()
    *cards, last = deal.hands["1"]
    page.keyboard.type("".join(card.replace("T", "10") for card in cards))
    assert re.fullmatch(r"The \w+ of \w+ goes to Player 1\.", said.inner_text())
    page.locator(".pack").evaluate("(pack) => pack.scrollIntoView({ behavior: 'instant' })")
    assert said.bounding_box()["y"] == pytest.approx(0, abs=1)
    page.keyboard.type(last.replace("T", "10"))
    assert said.inner_text().endswith(" goes to Player 1. The next card goes to Player 2.")


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


def test_an_entered_deal_is_played_from_a_seat_also_after_loading_again(visit):
    page = visit(write([], rules=rules_for("ombre")))
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    assert page.locator(".playing").bounding_box()["y"] < 200
    page.get_by_role("button", name="Play from this seat").click()
    page.locator(".felt .closed").first.wait_for()
    assert page.locator(".making:visible, .copying:visible").count() == 0
    page.reload()
    page.locator(".felt .mine").wait_for()
    assert page.locator(".felt .closed").count() == 2
    assert page.locator(".felt .worth").count() == 0
    assert page.locator(".making:visible, .copying:visible").count() == 0
    page.get_by_role("button", name="Stop playing").click()
    page.get_by_role("button", name="Show all hands").click()
    settled(page)
    assert page.locator(".making:visible, .copying:visible").count() == 2
    assert page.locator(".playing").bounding_box()["y"] < 200


@pytest.mark.in_firefox
def test_an_entered_deal_is_printed_as_its_board(visit):
    page = visit(write([], rules=rules_for("quadrille")))
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    press(page, "ArrowRight")
    page.locator(".felt button.card:not([aria-disabled])").first.click()
    settled(page)
    on_paper(page)
    page.set_viewport_size({"width": 711, "height": 1000})  # A4 without its margins
    for each in (".standing", ".felt .seat", ".course"):
        assert page.locator(each).first.is_visible(), each
    for each in (".games", ".making", ".tools", ".sit", ".terms", ".copying"):
        assert page.locator(each).is_hidden(), each
    felt = page.locator(".felt").evaluate(
        "(felt) => [felt.scrollWidth - felt.clientWidth, getComputedStyle(felt).backgroundColor]"
    )
    assert felt == [0, "rgba(0, 0, 0, 0)"]


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


def test_keys_act_on_the_board_in_view_after_random(visit):
    """The focus stays on the button, which is above the window."""
    page = visit(write([], rules=rules_for("german-solo")))
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    assert page.evaluate("document.activeElement.textContent") == "Random"
    page.keyboard.press("c")
    page.locator(".offers:not([hidden])").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Clear").evaluate(
        "(clear) => clear.focus({ preventScroll: true })"
    )
    page.keyboard.press("ArrowRight")
    assert page.locator(".playing .said").inner_text() == (
        "The record has no card here: choose one."
    )
    page.get_by_label(TEXT).focus()
    page.keyboard.press("c")  # in a field, it is a letter
    assert page.locator(".offers:visible").count() == 0


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


@pytest.mark.in_firefox
@pytest.mark.parametrize("quiz", [False, True])
def test_the_list_of_deals_leads_to_the_form_for_own_deals(visit, quiz):
    """Also out of a lesson."""
    page = visit(spadille.page(spadille.load(EVENING)[:3], quiz=quiz))
    if quiz:
        page.get_by_role("button", name="Start").click()
        page.locator(".lesson-on").wait_for()
    assert page.locator(".deals a").nth(1).inner_text() == "Own deal"
    page.locator(".deals a", has_text="Own deal").click()
    page.wait_for_function("() => document.activeElement.textContent.startsWith('Enter a deal')")
    assert page.locator(".own .making").is_visible()
    assert 0 < page.locator(".own").bounding_box()["y"] < 720
