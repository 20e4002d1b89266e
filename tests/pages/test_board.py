"""Playing through hands on a page: keys, announcements, marks and addresses."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import spadille
from benchmarks.page_value_waits import place
from spadille.base.words_for_messages import seat_name
from spadille.games import rules_for
from spadille.pages.page import write
from tests.pages.test_card_values import RANKS, SUIT_NAMES, contracts
from tests.pages.test_colors_and_text_direction import contrast
from tests.support.browsers import barriers, in_colors, on_touch_screen
from tests.support.deals_and_outcomes import random_deal

EVENING = Path(__file__).parents[2] / "examples" / "evenings" / "ombre.pbn"
NAMES = {"1": "Anna", "2": "Bert", "3": "Cleo"}  # in the first deal of the evening
BUSY = """() => document.querySelector(".felt")?.getAttribute("aria-busy") === "false" """


def settled(page) -> str:
    """Wait until the cards have values, and return the message on the board."""
    page.wait_for_function(BUSY)
    return page.locator(".playing .said").inner_text().replace("\xa0", " ")


def press(page, *keys: str) -> str:
    said = ""
    for key in keys:
        page.keyboard.press(key)
        said = settled(page)
    return said


def opened(page):
    """Start the first board, which then has the focus."""
    page.locator(".start").first.focus()
    page.keyboard.press("Enter")
    settled(page)
    return page


def opened_by_keys(page):
    """Move the focus to the board by keys alone."""
    page.wait_for_selector(".start")
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "start":
            break
    page.keyboard.press("Enter")
    settled(page)
    return page


def played(page) -> list[str]:
    """Return the cards up to the current place, and the number of cards after it."""
    return page.evaluate("""() => {
        const all = [...document.querySelectorAll(".course button")];
        const at = all.findIndex((each) => each.getAttribute("aria-current"));
        return all.slice(0, at + 1).map((each) => each.textContent);
    }""")


def named(card: str) -> str:
    return f"{RANKS[card[1]]} of {SUIT_NAMES[card[0]]}"


def symbols(cards) -> list[str]:
    """Return cards as the lists of a page show them, like "♥10"."""
    return ["♠♥♦♣"["SHDC".index(card[0])] + card[1].replace("T", "10") for card in cards]


@pytest.mark.in_firefox
def test_steps_through_what_was_played_by_keys(visit, evening):
    page = opened_by_keys(visit(evening))
    record = spadille.load(EVENING)[0].play.cards
    assert played(page) == []
    first = press(page, "ArrowRight")
    assert first.startswith("Trick 1, Bert plays the three of clubs")
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    assert played(page) == symbols(record[:4])
    press(page, "ArrowLeft")
    assert played(page) == symbols(record[:3])
    press(page, "End")
    assert played(page) == symbols(record)
    assert "; result: " in page.locator(".standing").inner_text()
    press(page, "Home")
    assert played(page) == []


def test_errors_are_those_of_the_review(visit, evening):
    entry = spadille.load(EVENING)[0]
    found = spadille.review(entry.deal, entry.contract, entry.play.cards)
    wrong = [number for number, step in enumerate(found.steps) if step.mark]
    assert wrong
    page = opened(visit(evening))
    for number in wrong:
        page.keyboard.press("e")
        page.wait_for_function("(at) => location.hash.endsWith(`at=${at}`)", arg=number)
        said = settled(page)
        step = found.steps[number]
        assert f"{NAMES[step.seat]} plays the" in said
        assert "instead of" in said or "gives" in said or "lets" in said, said
    page.keyboard.press("e")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        === "No card from here on cost anything." """)


def test_many_best_cards_are_counted(visit):
    [entry] = spadille.load(EVENING.parents[1] / "anna-cubed.pbn")[:1]
    page = opened(visit(spadille.page([entry])))
    press(page, *["ArrowRight"] * 4)
    good = page.locator(".felt button.card.good").count()
    assert good > 4
    assert press(page, "b").startswith(f"The {good} marked cards are best.")
    page.locator(".playing").focus()
    assert press(page, "ArrowRight").endswith(f"; {good} others were best.")


def test_fast_keys_name_no_card_of_another_trick(visit, evening):
    page = opened(visit(evening))
    page.evaluate("""() => {
        const root = document.querySelector(".playing");
        for (let i = 0; i < 11; i++)
            root.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    }""")
    page.wait_for_function('() => location.hash.endsWith("at=11")')
    card = named(spadille.load(EVENING)[0].play.cards[10])
    said = settled(page)
    assert card not in said or said.startswith("Trick 4,")


def test_the_best_line_keeps_the_value(visit, evening):
    page = opened(visit(evening))
    press(page, "ArrowRight")
    before = page.locator(".standing").inner_text().split("; with best play: ")[1]
    page.keyboard.press("l")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        .startsWith("Best play goes on") """)
    press(page, "End")
    standing = page.locator(".standing").inner_text()
    assert standing.endswith(f"; result: {before}")
    said = page.locator(".playing .said").inner_text()
    assert f" Result: {before}." in said
    assert page.locator(".felt .dealt .card").count() == 27


def test_the_rule_that_forbids_a_card_is_named(visit):
    text = (
        '[Game "solo-whist"]\n[Dealer "N"]\n[Deal "N:AK.2.. QJ..3. T9.3.. 87.4.."]\n[Leader "N"]\n'
    )
    text += '[CurrentTrump "H"]\n[Declarer "N"]\n[Contract "solo"]\n'
    page = opened(visit(spadille.page(spadille.read(text))))
    page.locator(".felt [data-card=SA]").click()
    settled(page)
    page.locator(".felt [data-card=D3]").dispatch_event("click")
    said = page.locator(".playing .said").inner_text()
    assert (
        said
        == "East may not play the three of diamonds: spades were led and East must follow suit."
    )
    page.locator(".felt [data-card=S8]").dispatch_event("click")
    assert page.locator(".playing .said").inner_text() == "It is East's turn."


def test_the_table_as_a_seat_sees_it(visit, evening):
    page = opened(visit(evening))
    press(page, "3")
    assert page.locator(".felt .card").count() == 9
    assert page.locator('.felt [data-seat="3"] .card').count() == 9
    press(page, "3")
    assert page.locator(".felt .card").count() == 27


def test_an_address_leads_to_the_same_position(visit, evening):
    page = opened(visit(evening))
    press(page, "ArrowRight", "ArrowRight", "ArrowRight")
    page.locator(".terms select").first.select_option("solo")
    settled(page)
    press(page, "ArrowRight")
    page.locator(".felt button.card:not([aria-disabled])").first.click()
    settled(page)
    place, standing = page.evaluate("location.hash"), page.locator(".standing").inner_text()
    cards = played(page)
    assert "contract=1%2Csolo%2CH" in place
    page = visit(evening, "?again" + place)
    settled(page)
    assert page.locator(".standing").inner_text() == standing
    assert played(page) == cards


def test_keys_are_told_and_every_button_has_a_name(visit, evening):
    page = opened(visit(evening))
    assert page.locator(".keys").is_hidden()
    press(page, "?")
    assert "undo the last step" in page.locator(".keys").inner_text()
    for each in page.locator(".playing button").all():
        assert each.get_attribute("aria-label") or each.inner_text()


def test_the_help_has_a_table_of_keys_and_buttons_for_each_purpose(visit, evening):
    page = opened(visit(evening))
    press(page, "?")
    help_panel = page.locator(".keys")
    titles = ["Move through the hand", "Ask the engine", "Play yourself", "View"]
    assert help_panel.locator("caption").all_inner_texts() == titles
    told = {}
    for row in help_panel.locator("tr").all():
        name, what = row.locator("td").all_inner_texts()
        assert what
        keys = row.locator("kbd").all_inner_texts()
        told.update(dict.fromkeys(name.split(", "), keys))
    for each in page.locator(".playing [aria-keyshortcuts]").all():
        name = each.evaluate("(button) => (button.querySelector('.name') ?? button).textContent")
        key = each.get_attribute("aria-keyshortcuts")
        assert {"ArrowLeft": "←", "ArrowRight": "→"}.get(key, key) in told[name], name
    # A touch screen has no keys, so there the help lists the buttons only.
    on_touch_screen(page)
    assert not any(each.is_visible() for each in help_panel.locator("kbd").all())
    buttons = help_panel.locator("td:nth-child(2)")
    assert [each.inner_text() for each in buttons.all() if each.is_visible()] == [
        each.inner_text() for each in buttons.all() if each.text_content()
    ]
    assert help_panel.get_by_text("the view from a seat").is_hidden()


def rgb(colour: str) -> str:
    return "#" + "".join(f"{int(part):02x}" for part in re.findall(r"\d+", colour)[:3])


def test_the_keyboard_focus_is_seen_and_few_tabs_lead_through_the_board(visit, evening):
    page = opened(visit(evening))
    page.keyboard.press("Tab")
    style = "(each) => [getComputedStyle(each).outlineColor, getComputedStyle(each).outlineStyle]"
    for scheme in ("light", "dark"):
        in_colors(page, scheme)
        ring, kind = page.locator(".felt button.card:focus").evaluate(style)
        ground = page.locator(".felt").evaluate("(felt) => getComputedStyle(felt).backgroundColor")
        assert kind == "solid"
        assert contrast(rgb(ring), rgb(ground)) >= 3, scheme
    # Of the cards played, one is in the tab order, also at the end.
    press(page, "End")
    assert page.locator(".course button:not([tabindex])").count() == 1
    page.locator(".course button:not([tabindex])").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.copying') !== null")


MARKED = """() => [...document.querySelectorAll(".course button")]
    .map((each) => each.dataset.mark ?? "")"""


def test_the_list_of_tricks_marks_costly_cards(visit, evening):
    """The recorded play has the marks of the review; other lines get marks from their values."""
    entry = spadille.load(EVENING)[0]
    steps = spadille.review(entry.deal, entry.contract, entry.play.cards).steps
    page = opened(visit(evening))
    assert page.evaluate(MARKED) == [step.mark for step in steps]
    press(page, "q")
    assert not any(page.evaluate(MARKED))
    press(page, "q", "Home")
    page.locator(".felt button.card.loses").first.click()
    settled(page)
    assert page.evaluate(MARKED) == ["??"]
    content = page.locator(".course button").evaluate(
        "(button) => getComputedStyle(button, '::after').content"
    )
    assert content in ('"??"', "attr(data-mark)")


def test_the_end_of_a_hand_names_its_errors(visit, evening):
    """Errors by player, the first one and the turning point; a click opens the error."""
    entry = spadille.load(EVENING)[0]
    review = spadille.review(entry.deal, entry.contract, entry.play.cards)
    errors = [(at, step) for at, step in enumerate(review.steps) if step.mark]
    counts = Counter(step.seat for _, step in errors)
    [account] = review.accounts.values()
    (at, first), turn = errors[0], review.steps[account.turning_point]

    def where(step) -> str:
        return f"{symbols([step.card])[0]} in trick {step.trick}"

    page = opened(visit(evening))
    press(page, "End")
    page.wait_for_selector(".said button")
    said = page.locator(".playing .said").inner_text().replace("\xa0", " ")
    by_player = ", ".join(f"{NAMES[seat]}: {counts[seat]}" for seat in sorted(counts))
    assert said.startswith(
        f"The hand is over. Result: {review.steps[-1].after}. Errors: {by_player}. "
    )
    assert said.endswith(f"First error: {where(first)}. Turning point: {where(turn)}.")
    page.get_by_role("button", name=where(first)).first.click()
    message = settled(page)
    assert message.startswith(f"Trick {first.trick}, {NAMES[first.seat]} plays the ")
    assert played(page) == symbols(entry.play.cards[:at])
    assert page.evaluate("document.activeElement.className") == "playing"


def test_an_error_that_is_also_the_turning_point_is_named_once(visit):
    entry = spadille.load(EVENING.parent / "german-solo.pbn")[0]
    page = opened(visit(spadille.page([entry])))
    press(page, "End")
    page.wait_for_selector(".said button")
    said = page.locator(".playing .said").inner_text()
    assert said.endswith("First error and turning point: ♠7 in trick 1.")


@pytest.mark.parametrize("game", ["ombre", "quintille"])
def test_the_list_of_tricks_marks_the_winners(visit, game):
    """The winners are also given in words; a trick that a quiz shows in part has no mark."""
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = next(entry for entry in entries if entry.play and len(entry.play.cards) > 12)
    position = spadille.Position.of(entry.deal, entry.contract)
    for card in entry.play.cards:
        position.play(card)
    winners = [trick.winner for trick in position.tricks]
    page = opened(visit(spadille.page([entry])))
    takers, framed = page.locator(".course .taker"), page.locator(".course .winner")
    assert takers.all_inner_texts() == winners
    said = [each.replace("\xa0", " ") for each in page.locator(".course .aloud").all_inner_texts()]
    assert said == [f"{entry.players.get(seat, seat_name(seat))} wins." for seat in winners]
    order = entry.deal.rules.turn_order
    won = [
        cards[(order.index(winner) - order.index(leader)) % len(order)]
        for leader, cards, winner in position.tricks
    ]
    assert framed.all_inner_texts() == symbols(won)
    press(page, *["ArrowRight"] * (2 * len(order) - 1), "q")
    assert (takers.count(), framed.count()) == (1, 1)
    press(page, "q")
    page.locator(".felt button.card:not([aria-disabled]):not(.next)").first.click()
    settled(page)
    assert takers.count() == 2


def test_all_hands_are_shown_again_by_a_button(visit, evening):
    page = opened(visit(evening))
    button = page.get_by_role("button", name="All hands")
    assert button.is_hidden()
    page.locator(".sit select").select_option("2")
    assert page.locator(".felt .closed").count() == 2
    button.click()
    assert page.locator(".felt .closed").count() == 0
    assert page.locator(".playing .said").inner_text() == "All hands shown."
    assert button.is_hidden()


def test_no_barrier_that_axe_finds(visit, evening):
    def check(page, part):
        for scheme in ("light", "dark"):
            in_colors(page, scheme)
            assert barriers(page, part, colors=scheme == "dark") == ""

    page = opened(visit(evening))
    press(page, "ArrowRight", "?")
    check(page, ".playing")
    press(page, "ArrowRight", "ArrowRight")
    assert page.locator(".trick.done .c").count()  # the previous trick
    check(page, ".playing")
    page = visit(write([], rules=rules_for("squint")))
    page.get_by_role("button", name="Random", exact=True).click()
    settled(page)
    check(page, "main")


def test_buttons_for_the_next_card_are_off_at_the_end(visit, evening):
    page = opened(visit(evening))
    following = [page.locator(f".tools [title^='{name} (']") for name in ("Next", "Next error")]
    for key, off in (("ArrowRight", "false"), ("End", "true"), ("Home", "false")):
        press(page, key)
        assert [each.get_attribute("aria-disabled") for each in following] == [off, off]


def test_the_deal_in_view_is_marked_in_the_list_of_deals(visit):
    page = visit(spadille.page(spadille.load(EVENING)[:3]), "#deal=2&at=0")
    settled(page)
    marked = page.locator(".deals [aria-current='true']")
    page.wait_for_function(
        "() => document.querySelector('.deals [aria-current=true]')?.hash === '#deal-2'"
    )
    page.locator(".deals a").first.click()
    page.wait_for_function(
        "() => document.querySelector('.deals [aria-current=true]')?.hash === '#results'"
    )
    assert marked.count() == 1


def test_a_number_shows_the_seat_it_names(visit, evening):
    page = opened(visit(evening))
    for number in (1, 2, 3):
        assert press(page, str(number)) == f"The view of {NAMES[str(number)]}."
        assert page.locator(f".felt [data-seat='{number}'].at-bottom .card").count() == 9
        assert page.locator(".felt .seat .card").count() == 9
        press(page, str(number))
    press(page, "q")
    said = press(page, "3")  # during a quiz, no other player's hand can be seen
    assert said == "The other hands are hidden until you answer."
    assert page.locator(".felt .seat.turn .card").count() == 9


def test_the_board_marks_the_dealer(visit, evening):
    page = opened(visit(evening))
    dealer = page.locator(".felt .seat:has(.dealer)")
    assert dealer.get_attribute("data-seat") == spadille.load(EVENING)[0].deal.dealer
    assert dealer.locator(".dealer .aloud").inner_text() == "dealer"


# Stops the engine as soon as bounds are shown, and checks that this changes no row of tools.
STOPPED = r"""() => {
    const told = document.querySelector(".standing")?.textContent;
    if (!/at least \d+, at most \d+ tricks; thinking, [\d,]+ positions/.test(told)) return false;
    const bottom = () => document.querySelector(".tools").getBoundingClientRect().bottom;
    const stop = document.querySelector(".tools [title^=Stop]");
    const [shown, end] = [stop.checkVisibility(), bottom()];
    stop.click();
    return shown && end === bottom();
}"""


def test_a_long_search_shows_its_bounds_and_can_be_stopped(visit):
    rules = rules_for("solo-whist")
    deal = random_deal(rules, Random("stopped"))
    # How many tricks a Misère of 13 cards costs takes long.
    misere = next(kind[0] for kind in contracts(deal) if kind[0].ids == ("misere",))
    page = visit(write([], rules=rules), f"?1{place(deal, misere, [])}")
    page.wait_for_function(STOPPED)
    bounds = r"Stopped after [\d,]+ positions: (at least \d+, at most )?\d+ tricks\."
    assert re.fullmatch(bounds, settled(page))
    assert page.get_by_role("button", name="Stop").is_hidden()
