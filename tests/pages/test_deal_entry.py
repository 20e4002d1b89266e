"""Deals that a reader enters on a page card by card, and what can be done with them."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

import spadille
from spadille.games import rules_for
from spadille.pages.page import write
from tests.pages.test_board import press, settled
from tests.support.browsers import on_paper

EXAMPLES = Path(__file__).parents[2] / "examples"
EVENING = EXAMPLES / "evenings" / "ombre.pbn"
TEXT = "The deal as text"


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


@pytest.mark.parametrize("game", ["german-solo", "squint"])
def test_the_cards_of_all_hands_begin_at_the_same_place(visit, game):
    page = visit(write([], rules=rules_for(game)))
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    for width, height in ((1280, 720), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        lefts = page.locator(".receiver .card:nth-child(2)").evaluate_all(
            "(all) => all.map((card) => card.getBoundingClientRect().left)"
        )
        assert len(lefts) == len(rules_for(game).seats)
        assert len(set(lefts)) == 1


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


@pytest.mark.parametrize("game", ["ombre", "squint"])
def test_a_deal_made_by_hand(visit, game):
    rules = rules_for(game)
    page = visit(write([], rules=rules))
    for _ in range(rules.game.hand_size * len(rules.seats)):
        page.locator(".pack .card").first.click()
    settled(page)
    assert page.locator(".felt .card").count() == rules.game.hand_size * len(rules.seats)
    page.get_by_role("button", name="Clear").click()
    assert page.locator(".felt").count() == 0
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    deal = page.get_by_label("The deal as text").input_value()
    page.get_by_role("button", name="Clear").click()
    page.get_by_label("The deal as text").fill(f'[Deal "{deal}"]')
    page.keyboard.press("Enter")
    settled(page)
    assert page.get_by_label("The deal as text").input_value() == deal


@pytest.mark.in_firefox
def test_what_is_copied_is_a_hand_file(visit):
    page = visit(write([], rules=rules_for("ombre")))
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    for _ in range(4):
        page.locator(".felt button.card:not([aria-disabled])").first.click()
        settled(page)
    page.get_by_role("button", name="Copy as PBN").click()
    text = page.get_by_label("The hand as PBN").input_value()
    entry = spadille.read(text)[0]
    assert not entry.findings
    found = spadille.card_values(entry.deal, entry.contract, entry.play.cards)
    assert found.after == 4
    standing = page.locator(".standing").inner_text()
    assert standing.endswith(f": {found.value}")
    assert f"at={found.after}" in unquote(page.evaluate("location.hash"))
