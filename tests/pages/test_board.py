"""Playing through hands on a page: keys, announcements, quiz, addresses, and deals made there."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from urllib.parse import unquote

import pytest

import spadille
from benchmarks.page_waits import place
from spadille.games import GAMES, rules_for
from spadille.pages.page import write
from spadille.render.text import SYMBOLS
from tests.pages.test_look import contrast
from tests.pages.test_values import RANKS, SUIT_NAMES, contracts
from tests.support.browsers import in_colors, on_paper, on_touch_screen
from tests.support.deals import random_deal

EVENING = Path(__file__).parents[2] / "examples" / "evenings" / "ombre.pbn"
BUSY = """() => document.querySelector(".felt")?.getAttribute("aria-busy") === "false" """


@pytest.fixture(scope="module")
def evening() -> str:
    return spadille.page(spadille.load(EVENING)[:1])


def settled(page) -> str:
    """Wait until the cards have values, and return the message on the board."""
    page.wait_for_function(BUSY)
    return page.locator(".playing .said").inner_text()


def press(page, *keys: str) -> str:
    said = ""
    for key in keys:
        page.keyboard.press(key)
        said = settled(page)
    return said


def opened(page):
    """Move the focus to the board by keys alone."""
    page.wait_for_selector(".start")
    for _ in range(200):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "start":
            break
    page.keyboard.press("Enter")
    settled(page)
    return page


def solution(page) -> str:
    """Wait for the verdict on an answer, with the solution, and return it."""
    said = ":is(.current, body:not(.lesson-on)) .playing .said"
    page.wait_for_function("(said) => document.querySelector(said)?.dataset.verdict", arg=said)
    show = page.get_by_role("button", name="Show the solution")
    if show.is_visible():
        show.click()
    page.wait_for_function(
        "(said) => / card\\.$/.test(document.querySelector(said).textContent)", arg=said
    )
    page.wait_for_function(BUSY)
    return page.locator(said).inner_text()


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
    page = opened(visit(evening))
    record = spadille.load(EVENING)[0].play.cards
    assert played(page) == []
    first = press(page, "ArrowRight")
    assert first.startswith("Trick 1, Player 2 plays the three of clubs")
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
        assert f"Player {step.seat} plays the" in said
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


def test_a_card_of_ones_own_and_back_to_what_was_played(visit, evening):
    page = opened(visit(evening))
    press(page, "ArrowRight", "ArrowRight")
    record = spadille.load(EVENING)[0].play.cards
    other = page.locator(".felt button.card:not([aria-disabled])").all()
    mine = next(each for each in other if each.get_attribute("data-card") != record[2])
    card = mine.get_attribute("data-card")
    mine.focus()
    said = press(page, "Enter")
    assert "Trick 1, Player 3 plays" in said
    assert played(page) == symbols([*record[:2], card])
    assert press(page, "u") == "Undone."
    assert played(page) == symbols(record[:2])
    assert press(page, "p") == "The recorded play."
    press(page, "ArrowRight")
    assert played(page) == symbols(record[:3])


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
    assert said.endswith(f" Result: {before}.")
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


def test_quiz_shows_one_hand_and_no_values_until_it_is_answered(visit, evening):
    page = opened(visit(evening))
    assert press(page, "q") == "Player 2 to play: your card?"
    assert page.locator(".felt .card").count() == 9
    assert page.locator(".felt .worth").count() == 0
    page.locator(".felt .card").first.click()
    assert solution(page).endswith("To play on, choose any card.")
    assert page.locator(".felt .card").count() == 27
    assert page.locator(".felt .worth").count() == 9
    assert "your card" in page.locator(".felt .chosen").get_attribute("aria-label")
    press(page, "q")
    assert page.locator(".felt .card").count() == 27


def test_of_several_declarers_each_value_names_its_player(visit):
    [entry] = spadille.load(EVENING.parents[1] / "squint.pbn")[:1]
    page = opened(visit(spadille.page([entry])))
    for button in page.locator(".felt button.card").all():
        values = re.findall(r"Player \d: \d tricks?", button.get_attribute("aria-label"))
        assert [value[:8] for value in values] == [
            f"Player {seat}" for seat in entry.contract.declarers
        ]
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            short = [re.sub("Player | tricks?", "", value) for value in values]
            wanted = short if width == 360 else values
            assert button.locator(".worth").inner_text().splitlines() == wanted


def test_it_says_what_could_have_been_known(visit):
    drawing = spadille.Drawing(samples=64, seconds=0)
    page = opened(visit(spadille.page(spadille.load(EVENING)[:1], drawing=drawing)))
    known = page.evaluate(
        "JSON.parse(document.getElementById('spadille-data').textContent).deals[0].known"
    )
    at, (better, verdict, made) = next(each for each in known.items() if each[1][1] != "fine")
    card = spadille.load(EVENING)[0].play.cards[int(at)]
    for _ in range(int(at)):
        press(page, "ArrowRight")
    said = press(page, "ArrowRight")
    assert f"the contract makes in {round(100 * made[card])} of 100 layouts" in said
    assert f"the {named(better)} was best, and after" in said
    assert f"after the {named(better)} in {round(100 * made[better])}." in said
    judged = {"error": "could have known", "unlucky": "could not know", "lucky": "A lucky choice"}
    assert judged[verdict] in said


def test_a_page_of_questions_hides_what_tells_the_answer(visit):
    page = opened(visit(spadille.page(spadille.load(EVENING)[:1], quiz=True)))
    hidden = page.locator("article .spoiler, .around, .talon, .questions")
    assert hidden.count() > 5
    assert not any(each.is_visible() for each in hidden.all())
    on_paper(page)
    assert all(each.is_visible() for each in page.locator(".around, .questions").all())
    on_paper(page, False)
    entry = spadille.load(EVENING)[0]
    found = spadille.review(entry.deal, entry.contract, entry.play.cards)
    first = played(page)
    step = found.steps[len(first)]
    assert step.mark
    assert page.locator(".playing .said").inner_text() == f"Player {step.seat} to play: your card?"
    page.locator(".felt button.card:not([aria-disabled])").first.click()
    solution(page)
    assert all(each.is_visible() for each in page.locator("article .record .spoiler").all())
    # The board shows the hands, so the page does not show them twice.
    assert page.locator(".felt .card").count() > 9
    assert page.locator(".around").first.is_hidden()


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


def test_a_wrong_answer_is_refuted(visit, evening):
    entry = spadille.load(EVENING)[0]
    steps = spadille.review(entry.deal, entry.contract, entry.play.cards).steps
    at, step = next((number, step) for number, step in enumerate(steps) if step.mark)
    page = visit(evening, f"#deal=1&at={at}")
    settled(page)
    press(page, "q")
    page.locator(f".felt [data-card={step.card}]").dispatch_event("click")
    page.get_by_role("button", name="Show the solution").click()
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        .includes("After your ") """)


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
    said = page.locator(".course .aloud").all_inner_texts()
    assert said == [f"Player {seat} wins." for seat in winners]
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


@pytest.mark.in_firefox
def test_lines_that_were_tried_are_kept_when_the_page_is_loaded_again(visit, evening):
    page = opened(visit(evening))
    press(page, "ArrowRight", "ArrowRight")
    page.locator(".felt button.card:not([aria-disabled]):not(.next)").first.click()
    settled(page)
    press(page, "p", "Home")
    lines = page.locator(".lines").inner_text()
    assert page.locator(".lines button").count() == 1
    assert re.search(r"\(\w+\)$", lines)  # the value of the card that was tried
    page.reload()
    page.locator(".playing .felt .worth").first.wait_for()
    page.wait_for_function(
        "(lines) => document.querySelector('.lines').innerText === lines", arg=lines
    )


def test_lines_that_were_tried_show_values_and_marks(visit, evening):
    page = opened(visit(evening))
    while not page.locator(".felt button.card:is(.costs, .loses):not(.next)").count():
        press(page, "ArrowRight")
    wrong = page.locator(".felt button.card:is(.costs, .loses):not(.next)").first
    worth, card = wrong.locator(".worth").inner_text(), wrong.get_attribute("data-card")
    mark = "??" if "loses" in (wrong.get_attribute("class") or "") else "?"
    wrong.click()
    settled(page)
    press(page, "p")
    line = page.locator(".lines button")
    assert line.inner_text().endswith(f"{symbols([card])[0]} ({worth})")
    assert line.locator("span").first.get_attribute("data-mark") == mark


def test_three_lines_leave_room_for_tricks_and_the_buttons_for_copies(visit, evening):
    page = opened(visit(evening))
    page.set_viewport_size({"width": 1280, "height": 720})
    for _ in range(3):
        press(page, "ArrowRight")
        page.locator(".felt button.card:not([aria-disabled]):not(.next)").first.click()
        settled(page)
        press(page, "p")
    assert page.locator(".lines button").count() == 3
    height, row, bottom, end = page.locator(".side-panel").evaluate("""(side) => {
        const box = (what) => side.querySelector(what).getBoundingClientRect();
        const rows = box(".course"), copies = box(".copying button");
        return [rows.height, box(".course li").height, copies.bottom,
            side.getBoundingClientRect().bottom];
    }""")
    assert height >= 3 * row
    assert bottom <= end + 1


def test_the_longest_contract_fits_into_its_list(visit):
    hands = EVENING.parents[1] / "quadrille.pbn"
    page = opened(visit(spadille.page(spadille.load(hands)[:1])))
    select = page.locator(".terms select").first
    select.select_option(label="Forced Spadille")
    settled(page)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        has, needs = select.evaluate("""(select) => {
            const other = select.cloneNode(true);
            other.style.width = "auto";
            select.after(other);
            const widths = [select, other].map((each) => each.getBoundingClientRect().width);
            other.remove();
            return widths;
        }""")
        assert needs <= has, width


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


def test_names_are_text_and_nothing_else(visit):
    text = EVENING.read_text().replace(
        '[Player1 "Anna"]', '[Player1 "<img src=x onerror=alert(1)>"]'
    )
    page = opened(visit(spadille.page(spadille.read(text)[:1])))
    assert page.locator(".felt .who").filter(has_text="<img src=x onerror=alert(1)>").count() == 1
    assert page.locator("img").count() == 0


def test_no_barrier_that_axe_finds(visit, evening):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def check(page, part):
        for scheme in ("light", "dark"):
            in_colors(page, scheme)
            found = axe.run(page, context=part)
            assert not found.violations_count, found.generate_report()

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


def test_a_faulty_deal_is_refused_with_its_reason(visit):
    page = visit(write([], rules=rules_for("ombre")))
    field = page.get_by_label("The deal as text")
    for text, reason in {
        "1:AA... 2... 3...": "SA is held twice.",
        "1:T... 2... 3...": "ST is not in the pack of Ombre.",
        "1:A... 2...": "There are 2 hands, not 3.",
        "AK.Q": "A deal begins with a seat, one of 1 2 3, and a colon.",
    }.items():
        field.fill(text)
        page.keyboard.press("Enter")
        assert page.locator(".making > .said").inner_text() == reason


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


def test_a_quiz_names_the_partner_to_nobody_but_himself(visit):
    """The contract can be changed only after the answer and until the called card is played."""
    entry = next(
        each
        for each in spadille.load(EVENING.parents[1] / "german-solo.pbn")
        if each.contract.called and len(each.play.cards) > 4
    )
    called, partner = entry.contract.called, entry.contract.partner
    page = opened(visit(spadille.page([entry])))
    played = []
    seen = set()
    for card in entry.play.cards[:12]:
        press(page, "q")
        mover = page.locator(".felt .turn").get_attribute("data-seat")
        knows = mover == partner or called in played
        seen.add(knows)
        assert ("with " in page.locator(".standing").inner_text()) == knows
        assert page.locator(".felt").get_by_text("partner").count() == knows
        assert page.locator(".terms").count() == 0 or page.locator(".terms").is_hidden()
        press(page, "q", "ArrowRight")
        played.append(card)
    assert seen == {True, False}


@pytest.mark.in_firefox
def test_a_problem_tells_its_theme_and_solution_after_the_answer(visit):
    entries = spadille.load(EVENING.parents[1] / "problems" / "german-solo.pbn")
    entry = next(each for each in entries if each.posed.themes)
    page = opened(visit(spadille.page([entry], quiz=True)))
    assert page.locator(".question").last.inner_text() == entry.posed.question
    assert page.locator(".solution").is_hidden()
    assert page.get_by_text("Theme", exact=True).is_hidden()
    page.locator(f".felt [data-card={entry.posed.key}]").click()
    said = settled(page)
    assert said.startswith(f"Right: the {named(entry.posed.key)} is best; so are the ")
    assert ". With best play: " in said
    assert page.locator(".solution").is_visible()
    told = page.locator(".solution").inner_text()
    assert entry.posed.themes[0] in told
    assert "Solution: " in told


def test_a_message_that_scrolls_on_a_phone_is_reached_by_keys(visit):
    entries = spadille.load(EVENING.parents[1] / "mensch.pbn")
    entry = next(each for each in entries if each.contract and len(each.play.cards) > 6)
    page = opened(visit(spadille.page([entry])))
    page.set_viewport_size({"width": 360, "height": 740})
    scrolls = "(said) => said.scrollHeight > said.clientHeight + 1"
    said = page.locator(".playing .said")
    for _ in entry.play.cards:
        if said.evaluate(scrolls):
            break
        press(page, "ArrowRight")
    page.wait_for_function("() => document.querySelector('.playing .said').tabIndex === 0")
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, context="main")
    assert not found.violations_count, found.generate_report()
    press(page, "ArrowLeft")
    page.wait_for_function("() => document.querySelector('.playing .said').tabIndex === -1")


SIZES = ((1280, 720), (1024, 768), (768, 1024), (360, 740))
# The elements outside the window, and those too small for a finger.
HIDDEN = """() => {
    const all = (what) => [...document.querySelectorAll(what)];
    const parts = ".felt, .felt .seat, .felt .card, .felt .trick, .said, .tools button, .standing";
    const seen = all(`:is(.current, body:not(.lesson-on)) :is(${parts})`)
        .filter((each) => each.checkVisibility()).filter((each) => {
            const { top, bottom, left, right } = each.getBoundingClientRect();
            return top < -1 || left < -1 || bottom > innerHeight + 1 || right > innerWidth + 1;
        });
    const small = all(".felt button.card, .tools button").filter((each) => {
        if (!each.checkVisibility()) return false;
        const { width, height } = each.getBoundingClientRect();
        return width < 44 || height < 44;
    });
    const boxes = all(".felt .seat").map((each) => each.getBoundingClientRect());
    const over = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
        && one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const overlaps = boxes.some((one, i) => boxes.slice(i + 1).some((other) => over(one, other)));
    const felt = document.querySelector(".felt");
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = felt;
    return {
        overlaps, outside: seen.map((each) => each.className),
        small: small.map((each) => each.textContent),
        scrolls: scrollHeight - clientHeight > 1 || scrollWidth - clientWidth > 1,
    };
}"""


@pytest.mark.parametrize("game", GAMES)
def test_the_board_fits_one_screen(visit, game):
    """Check with all cards in the hands, with some on the table, and in the verdict of a quiz."""
    entry = next(
        each
        for each in spadille.load(EVENING.parents[1] / f"{game}.pbn")
        if each.contract and each.play and len(each.play.cards) > 6
    )
    page = visit(spadille.page([entry]))
    for width, height in (*SIZES, (740, 360)):  # also on a phone on its side
        page.set_viewport_size({"width": width, "height": height})
        for at in (0, 1, 2, 5):
            page.evaluate("(at) => { location.hash = `deal=1&at=${at}`; }", at)
            page.wait_for_function("(at) => location.hash.endsWith(`at=${at}`)", arg=at)
            settled(page)
            page.evaluate(
                "document.querySelector('.playing').scrollIntoView({ behavior: 'instant' })"
            )
            found = page.evaluate(HIDDEN)
            fits = {"overlaps": False, "outside": [], "small": [], "scrolls": False}
            assert found == fits, (width, height, at)


@pytest.mark.parametrize("game", ["quintille", "squint"])
def test_five_hands_have_large_cards_on_a_tablet(visit, game):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    page = opened(visit(spadille.page([next(entry for entry in entries if entry.play)])))
    for width, height in ((1024, 768), (768, 1024)):
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        box = page.locator(".felt .seat:not(.turn) .card").first.bounding_box()
        assert box["width"] >= 29, (width, height)
        assert box["height"] >= 42, (width, height)


# The buttons and lists of choices that are too small for a finger. Listed cards are text.
TOO_SMALL = """() => [...document.querySelectorAll(".playing :is(button, select)")]
    .filter((each) => each.checkVisibility() && !each.closest(".course, .lines"))
    .filter((each) => {
        const { width, height } = each.getBoundingClientRect();
        return width < 44 || height < 44;
    }).map((each) => each.textContent)"""


@pytest.mark.parametrize("size", SIZES)
def test_the_controls_are_large_enough_for_a_finger(visit, evening, size):
    page = opened(visit(evening))
    page.set_viewport_size(dict(zip(("width", "height"), size, strict=True)))
    settled(page)
    assert page.evaluate(TOO_SMALL) == []
    page.get_by_role("button", name="Play from this seat").click()
    page.locator(".sit[data-live='true']").wait_for()
    assert page.evaluate(TOO_SMALL) == []


@pytest.mark.parametrize("game", ["german-solo", "squint"])
def test_the_line_that_says_whose_tricks_are_counted_is_whole(visit, game):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = next(each for each in entries if each.play and len(each.play.cards) > 12)
    page = opened(visit(spadille.page([entry])))
    sides = set()
    for _ in range(12):
        press(page, "ArrowRight")
        sides.add(page.locator(".felt .turn").get_attribute("class"))
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            line = page.locator(".felt .turn .who")
            assert "values: tricks" in line.inner_text()
            high, room, wide, width = line.evaluate(
                "(who) => [who.scrollHeight, who.clientHeight, who.scrollWidth, who.clientWidth]"
            )
            assert high <= room
            assert wide <= width
    assert len(sides) > 2


@pytest.mark.parametrize("game", ["solo-whist", "ombre", "squint"])
def test_on_a_phone_values_are_not_too_small_to_read(visit, game):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    page = opened(visit(spadille.page(entries[:1])))
    page.set_viewport_size({"width": 360, "height": 740})
    for _ in range(4):
        press(page, "ArrowRight")
        sizes = page.locator(".felt .worth").evaluate_all(
            "(all) => all.map((worth) => parseFloat(getComputedStyle(worth).fontSize))"
        )
        assert min(sizes) >= 11
        assert page.locator(".felt button.card").evaluate_all(
            "(all) => all.every((card) => card.scrollWidth <= card.clientWidth)"
        )


def test_buttons_for_the_next_card_are_off_at_the_end(visit, evening):
    page = opened(visit(evening))
    following = [page.locator(f".tools [title^='{name} (']") for name in ("Next", "Next error")]
    for key, off in (("ArrowRight", "false"), ("End", "true"), ("Home", "false")):
        press(page, key)
        assert [each.get_attribute("aria-disabled") for each in following] == [off, off]


def test_on_a_touch_screen_listed_cards_are_large_enough(visit, evening):
    page = opened(visit(evening))
    on_touch_screen(page)
    page.set_viewport_size({"width": 360, "height": 740})
    press(page, "End")
    boxes = [each.bounding_box() for each in page.locator(".course button").all()]
    assert min(box["height"] for box in boxes) >= 32
    assert min(box["width"] for box in boxes) >= 24
    assert max(box["x"] + box["width"] for box in boxes) <= 360


@pytest.mark.parametrize("game", ["evenings/ombre", "german-solo", "squint", "solo-whist"])
def test_on_a_phone_a_hand_that_is_over_can_be_copied_without_scrolling(visit, game):
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = max(entries, key=lambda each: len(each.play.cards) if each.play else 0)
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    page.locator(".playing").press("End")
    assert "Result: " in settled(page)
    page.evaluate("document.querySelector('.playing').scrollIntoView({ behavior: 'instant' })")
    for name in ("Copy as PBN", "Copy link"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert 0 <= box["y"] <= 740 - box["height"]


def test_the_view_from_a_seat_moves_no_button(visit, evening):
    page = opened(visit(evening))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(requestAnimationFrame)")  # the page knows its new size
        settled(page)
        before = page.locator(".playing .tools").bounding_box()
        press(page, "2")
        after = page.locator(".playing .tools").bounding_box()
        assert before["y"] - after["y"] == pytest.approx(0, abs=1), (width, height)
        press(page, "2")


def test_cards_on_a_tablet_are_larger_than_text(visit, evening):
    page = opened(visit(evening))
    page.set_viewport_size({"width": 768, "height": 1024})
    settled(page)
    for box in (card.bounding_box() for card in page.locator(".felt span.card").all()):
        assert box["width"] >= 40
        assert box["height"] >= 55


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


@pytest.mark.in_firefox
def test_the_verdict_of_a_quiz_stays_on_the_screen(visit):
    entry = next(iter(spadille.load(EVENING.parents[1] / "problems" / "german-solo.pbn")))
    page = visit(spadille.page([entry], quiz=True))
    page.set_viewport_size({"width": 768, "height": 1024})
    opened(page)
    # In Firefox, Playwright would scroll to the middle of the card before a click.
    page.locator(".felt button.card:not([aria-disabled])").first.dispatch_event("click")
    assert solution(page).endswith("To play on, choose any card.")
    assert page.evaluate(HIDDEN)["outside"] == []


def test_the_pupil_keeps_his_hand_after_the_answer(visit, evening):
    page = opened(visit(evening))
    press(page, "q")
    pupil = page.locator(".felt .turn").get_attribute("data-seat")
    page.locator(".felt button.card").first.click()
    solution(page)
    page.locator(".felt button.card").first.click()
    assert f"you are Player {pupil}" in settled(page) or "plays the" in settled(page)
    assert page.locator(f".felt [data-seat='{pupil}'].at-bottom .card").count() == 8
    assert page.locator(".felt .seat:not(.at-bottom) .card").count() == 0


def test_a_number_shows_the_seat_it_names(visit, evening):
    page = opened(visit(evening))
    for number in (1, 2, 3):
        assert press(page, str(number)) == f"The view of Player {number}."
        assert page.locator(f".felt [data-seat='{number}'].at-bottom .card").count() == 9
        assert page.locator(".felt .seat .card").count() == 9
        press(page, str(number))
    press(page, "q")
    said = press(page, "3")  # during a quiz, no other player's hand can be seen
    assert said == "The other hands are hidden until you answer."
    assert page.locator(".felt .seat.turn .card").count() == 9


def test_undo_and_redo_lose_nothing(visit, evening):
    record = symbols(spadille.load(EVENING)[0].play.cards)
    page = opened(visit(evening))
    press(page, "ArrowRight", "u")
    assert page.locator(".course button").all_inner_texts() == record
    press(page, "y", "ArrowRight")
    card = page.locator(".felt button.card:not([aria-disabled]):not(.next)").first
    card.click()
    settled(page)
    assert page.locator(".course button").count() == 3
    assert page.locator(".lines button").count() == 1  # the recorded play
    page.locator(".lines button").click()
    settled(page)
    assert page.locator(".course button").all_inner_texts() == record
    assert page.locator(".lines button").count() == 1  # the card tried instead
    for _ in range(4):
        press(page, "u")
    assert played(page) == []
    assert page.locator(".course button").all_inner_texts() == record


def test_the_contracts_that_make_are_those_of_table(visit):
    """Contracts without a partner; a table that is closed goes on when it is opened again."""
    entry = spadille.load(EVENING.parents[1] / "mensch.pbn")[0]
    page = opened(visit(spadille.page([entry])))
    for _ in range(3):
        page.keyboard.press("c")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        === "All contracts are known." """)
    rules = entry.deal.rules
    wanted = {}
    for kind in rules.contracts.values():
        for trump in rules.allowed_trumps(kind, entry.deal):
            for seat in rules.seats:
                if kind.side == "alone":
                    found = spadille.solve(entry.deal, f"{seat} {kind.id} {trump}")
                    wanted[f"{kind.name} {trump} {seat}"] = (found.tricks, found.makes)
    shown = {}
    for row in page.locator(".offers tbody tr").all():
        name, suit = row.locator("th").inner_text().rsplit(",\xa0", 1)
        trump = next((each for each, sign in SYMBOLS.items() if sign in suit), "NT")
        for seat, cell in zip(rules.seats, row.locator("td").all_inner_texts(), strict=True):
            if f"{name} {trump} {seat}" in wanted:
                shown[f"{name} {trump} {seat}"] = (int(cell.split()[0]), "✓" in cell)
    assert wanted
    assert shown == wanted
    page.keyboard.press("Escape")
    assert settled(page) == "All contracts are known."
    assert page.locator(".offers").is_hidden()
    page.keyboard.press("c")
    cell = page.locator(".offers .makes button").last
    name = cell.get_attribute("title")
    cell.click()
    settled(page)
    assert page.locator(".offers").is_hidden()
    assert page.locator(".standing").inner_text().startswith(name)


def test_the_table_of_contracts_says_whether_its_hands_were_dealt(visit, evening):
    without = spadille.page(spadille.load(EVENING.parents[1] / "german-solo.pbn")[:1])
    for text, exchanged in ((evening, True), (without, False)):
        page = visit(text, f"?{exchanged}#deal=1&at=0")
        settled(page)
        page.locator(".playing").press("c")
        caption = page.locator(".offers caption").inner_text()
        assert ("after the exchange, not as dealt" in caption) == exchanged


def test_of_several_best_calls_the_table_of_contracts_names_the_first(visit):
    """The answer does not depend on which worker is faster."""
    entry = spadille.load(EVENING.parents[1] / "german-solo.pbn")[0]
    deal, rules = entry.deal, entry.deal.rules
    kind = next(each for each in rules.contracts.values() if each.side == "called")
    page = opened(visit(spadille.page([entry])))
    page.keyboard.press("c")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        === "All contracts are known." """)
    ties = 0
    for row, trump in enumerate(rules.allowed_trumps(kind, deal)):
        shown = page.locator(".offers tbody tr").nth(row).locator("td .with").all_inner_texts()
        for seat, told in zip(rules.seats, shown, strict=True):
            calls = rules.callable_cards(trump, deal.hands[seat], kind)
            tricks = [
                spadille.solve(deal, f"{seat} {kind.id} {trump} {call}").tricks for call in calls
            ]
            ties += tricks.count(max(tricks)) > 1
            assert symbols([calls[tricks.index(max(tricks))]]) == [told.strip()]
    assert ties


def test_on_a_phone_the_table_of_contracts_is_not_wider_than_the_screen(visit):
    """Also with five seats, and partners or called cards in the cells."""
    for game in ("german-solo", "quintille", "squint"):
        entry = spadille.load(EVENING.parents[1] / f"{game}.pbn")[0]
        page = visit(spadille.page([entry]), f"?{game}#deal=1&at=0")
        page.set_viewport_size({"width": 360, "height": 740})
        settled(page)
        page.locator(".playing").press("c")
        page.wait_for_function("""() => document.querySelector(".playing .said").textContent
            === "All contracts are known." """)
        width, room = page.locator(".offers").evaluate(
            "(offers) => [offers.scrollWidth, offers.clientWidth]"
        )
        assert width <= room, game
        close = page.locator(".offers > button").bounding_box()
        assert close["y"] + close["height"] <= 740, game


def test_on_a_tablet_the_table_of_contracts_of_five_seats_is_whole(visit):
    entry = spadille.load(EVENING.parents[1] / "squint.pbn")[0]
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    page.set_viewport_size({"width": 768, "height": 1024})
    settled(page)
    page.locator(".playing").press("c")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        === "All contracts are known." """)
    offers = page.locator(".offers")
    assert offers.get_by_text("with Player").count()
    width, room = offers.evaluate("(offers) => [offers.scrollWidth, offers.clientWidth]")
    assert width <= room


@pytest.mark.parametrize("game", ["german-solo", "solo-whist", "squint"])
def test_on_a_phone_two_controls_of_the_contract_are_in_a_row(visit, game):
    entry = next(
        each for each in spadille.load(EVENING.parents[1] / f"{game}.pbn") if each.contract
    )
    page = visit(spadille.page([entry]), "#deal=1&at=0")
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    rows = page.evaluate(ROWS, ".terms label")
    assert set(rows[:-1]) <= {2}
    assert rows[-1] in (1, 2)
    for select in page.locator(".terms select, .sit select").all():
        box = select.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] + box["width"] <= 360


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


def test_lines_that_were_tried_are_copied_as_comments(visit, evening):
    page = opened(visit(evening))
    press(page, "ArrowRight", "ArrowRight")
    page.locator(".felt button.card:not([aria-disabled]):not(.next)").first.click()
    settled(page)
    page.get_by_role("button", name="Copy as PBN").click()
    text = page.get_by_label("The hand as PBN").input_value()
    [entry] = spadille.read(text)
    assert not entry.findings
    assert len(entry.play.cards) == 3
    rest = spadille.load(EVENING)[0].play.cards[2:]
    assert f"{{Another line, from card 3: {' '.join(rest)}}}" in text
    page.locator(".playing").focus()
    press(page, "p", "ArrowRight")
    page.get_by_role("button", name="Copy as PBN").click()
    text = page.get_by_label("The hand as PBN").input_value()
    [entry] = spadille.read(text)
    assert not entry.findings
    rest = spadille.load(EVENING)[0].play.cards[3:]
    assert f"{{This line goes on: {' '.join(rest)}}}" in text
    box = page.get_by_label("The hand as PBN").bounding_box()
    assert box["y"] + box["height"] <= 720


@pytest.mark.parametrize(("game", "columns"), [("quadrille", 2), ("quintille", 1)])
def test_tricks_stand_in_columns_and_the_contract_is_not_cut_off(visit, game, columns):
    hands = EVENING.parents[1] / f"{game}.pbn"
    page = opened(visit(spadille.page(spadille.load(hands)[:1])))
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    lefts = page.locator(".course > li").evaluate_all(
        "(tricks) => tricks.map((trick) => trick.getBoundingClientRect().left)"
    )
    assert len(set(lefts)) == columns
    height, text = page.locator(".playing .standing").evaluate(
        "(standing) => [standing.clientHeight, standing.scrollHeight]"
    )
    assert text <= height


@pytest.mark.parametrize(("game", "lines"), [("mensch", 2), ("german-solo", 2), ("squint", 3)])
def test_on_a_phone_the_contract_and_its_value_take_few_lines(visit, game, lines):
    """Check a called card, and three declarers."""
    entries = spadille.load(EVENING.parents[1] / f"{game}.pbn")
    entry = max(entries, key=lambda each: len(str(each.contract or "")))
    assert len(entry.contract.declarers) == (3 if game == "squint" else 1)
    page = opened(visit(spadille.page([entry])))
    page.set_viewport_size({"width": 360, "height": 740})
    settled(page)
    height, line = page.locator(".playing .standing").evaluate(
        "(at) => [at.scrollHeight, parseFloat(getComputedStyle(at).lineHeight)]"
    )
    assert round(height / line) <= lines


ROWS = """(what) => {
    const found = [...document.querySelectorAll(what)];
    const tops = found.map((each) => Math.round(each.getBoundingClientRect().top));
    return [...new Set(tops)].map((top) => tops.filter((each) => each === top).length);
}"""


@pytest.mark.parametrize(("game", "rows"), [("anna-cubed", [7, 6]), ("ombre", [5, 5])])
def test_on_a_phone_a_long_suit_has_two_rows_of_equal_length(visit, game, rows):
    page = visit(write([], rules=rules_for(game)))
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(ROWS, ".pack div:first-child button") == rows
    # The hands without cards share a row, with room for two or three.
    seats = len(rules_for(game).seats)
    assert len(page.evaluate(ROWS, ".receivers button")) < seats
    page.get_by_role("button", name="Random", exact=True).click()
    assert len(page.evaluate(ROWS, ".receiver > button:first-child")) == seats


def test_on_a_phone_a_hand_has_two_rows_of_equal_length(visit):
    entry = next(iter(spadille.load(EVENING.parents[1] / "ombre.pbn")))
    page = opened(visit(spadille.page([entry])))
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate(ROWS, ".felt .seat.turn .card") == [5, 4]
