"""A link to a position is untrusted input: an invalid one is refused with its reason."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

import pytest

import spadille
from benchmarks.page_value_waits import place
from spadille.games import GAMES, rules_for
from spadille.pages.evening_to_play import evening_to_play
from spadille.pages.game_tables import game_tables
from spadille.pages.page import write
from tests.pages.test_card_values import DONE, contracts, played
from tests.support.deals_and_outcomes import random_deal
from tests.support.page_scripts import run
from tests.support.tiers import part

EVENING = Path(__file__).parents[2] / "examples" / "evenings" / "ombre.pbn"
MODULES = ("hand_encoding", "words", "dom", "pbn", "allowed_contracts", "link", "deal_entry")
PLAYING = """() => document.querySelector(".felt .mine button.card")
    && document.querySelector(".felt").getAttribute("aria-busy") === "false" """
LOCATED = """async ({ game, links }) => links.map((link) => {
    const params = new URLSearchParams(link.slice(1));
    const hands = readDeal(game, params.get("hands"));
    const deal = dealOf(game, hands, params.get("dealer"), params.get("turned"));
    try {
        return located({ game, deal, contract: null, play: [] }, params);
    } catch (error) {
        return error.message;
    }
})"""
HANDS = "1:K2.J..J 6.Q7.K. J.A..65"


def located(game: str, links: list[str]) -> list[Any]:
    tables = game_tables(rules_for(game))
    return list(run(MODULES, LOCATED, {"game": tables, "links": links}))


@pytest.mark.parametrize("game", part(GAMES, 3, 4))
def test_every_contract_of_a_deal_has_a_link(game: str) -> None:
    rules, rng = rules_for(game), Random(f"links {game}")
    deal = random_deal(rules, rng)
    points = [(each, played(deal, each, rng)) for kind in contracts(deal) for each in kind[:6]]
    found = located(game, [place(deal, contract, moves) for contract, moves in points])
    for (contract, moves), link in zip(points, found, strict=True):
        assert not isinstance(link, str), (contract, link)
        parts = contract.declarers, contract.ids, contract.trump, contract.called
        assert link["contract"] == {
            **dict(zip(("declarers", "ids", "trump", "called"), map(listed, parts), strict=True)),
            "partner": contract.partner,
            "penalty": contract.penalty,
        }
        assert (link["moves"], link["at"]) == (moves, len(moves))


def listed(part: Any) -> Any:
    return list(part) if isinstance(part, tuple) else part


def link(**more: object) -> str:
    sound = {"hands": HANDS, "dealer": "2", "contract": "1,solo,C,,,", "play": "", "at": 0}
    return "#" + urlencode(sound | more)


CONTRACTS = (
    *(
        "",
        ",",
        "1",
        "1,",
        "1,nothing,C",
        "9,solo,C,,,",
        "1,solo,X,,,",
        "1,solo,NT,,,",
        "1,solo,,,,",
    ),
    *("1,solo,C,SA,,", "1,solo,C,,2,", "1,solo,C,,,H", "1+2,solo+solo,C,,,", "1,solo+solo,C,,,"),
    *(
        "1,solo,C,,,,",
        "undefined,solo,C,,,",
        "null,solo,C,,,",
        "1,__proto__,C",
        "1,solo,constructor",
    ),
)
PLAYS = ("S", "SX", "XX", "SAS", "=X", "=", "S2=NTX", "♠A", "S2 HJ", "ST", "sA")
PLACES = ("1", "-1", "x", "1.5", "NaN", "Infinity", "99999999999999999999")


def test_a_contract_that_the_deal_does_not_allow_is_none() -> None:
    found = located("ombre", [link(), *(link(contract=each) for each in CONTRACTS)])
    assert found[0]["contract"]["ids"] == ["solo"]
    for each, message in zip(CONTRACTS, found[1:], strict=True):
        assert message == f"contract={each} is not a contract that this deal allows"


def test_cards_that_are_none_and_places_that_are_none() -> None:
    found = located("ombre", [link(play=each) for each in PLAYS])
    for each, message in zip(PLAYS, found, strict=True):
        assert message == f"play={each} is not a list of cards of Ombre, such as SASK"
    found = located("ombre", [link(at=each) for each in PLACES])
    for each, message in zip(PLACES, found, strict=True):
        assert message == f"at={each} is not a number of cards from 0 to 0"


WRONG = {
    link(contract="1,solo,X,,,"): "contract=1,solo,X,,, is not a contract that this deal allows.",
    link(play="XX"): "play=XX is not a list of cards of Ombre, such as SASK.",
    link(at="9"): "at=9 is not a number of cards from 0 to 0.",
    link(hands="1:T.. .. .."): "ST is not in the pack of Ombre.",
    link(hands="1:A.A.A.A.A .. .."): "A.A.A.A.A has more than four suits.",
    link(hands=""): "A deal begins with a seat, one of 1 2 3, and a colon.",
    link(dealer="9"): "dealer=9 is not one of 1 2 3.",
    link(turned="S"): "turned=S is not one of none.",
    "#problem=4": "this page has no problems.",
}


def alert(page: Any) -> str:
    page.wait_for_function("() => document.querySelector('[role=alert]')?.textContent")
    return str(page.locator("[role=alert]").inner_text())


def test_a_page_says_why_a_link_is_not_valid(visit: Any) -> None:
    """The board of the deal still works."""
    text = write([], rules=rules_for("ombre"))
    for number, (wrong, message) in enumerate(WRONG.items()):
        page = visit(text, f"?{number}{wrong}")
        assert alert(page) == f"This link is not valid: {message}"
        if "hands" not in message and page.locator(".felt").count():
            page.wait_for_function(DONE)
            assert page.locator(".felt .worth").count() == 4
            assert "undefined" not in page.locator(".playing").inner_text()
    page = visit(text, "?sound" + link())
    page.wait_for_function(DONE)
    assert page.locator("[role=alert]").is_hidden()


def test_cards_that_cannot_be_played_end_the_course(visit: Any) -> None:
    page = visit(write([], rules=rules_for("ombre")), link(play="S2HKH7", at=3))
    page.wait_for_function("() => location.hash.includes('at=0') || location.hash.includes('at=1')")
    page.wait_for_function(DONE)
    said = page.locator(".playing .said").inner_text()
    assert said == "The line ends here: the king of hearts cannot be played."
    assert page.locator(".course button").count() == 1


def test_a_link_to_a_deal_of_the_page(visit: Any) -> None:
    text = spadille.page(spadille.load(EVENING)[:1])
    page = visit(text, "?1#deal=7")
    assert alert(page) == "This link is not valid: there is no deal 7 to play on this page."
    assert page.locator(".playing").count() == 0
    page = visit(text, "?2#deal=1&contract=1,undefined,undefined,,,&at=3")
    message = "contract=1,undefined,undefined,,, is not a contract that this deal allows."
    assert alert(page) == f"This link is not valid: {message}"
    page.wait_for_function(DONE)
    assert page.locator(".felt .worth").count() == 9
    page = visit(text, "?3#deal-1")
    assert page.locator("[role=alert]").is_hidden()


HIDDEN = ".felt .worth, .spoiler:visible, .board:visible, .terms:visible, .results:visible"


def test_a_link_to_a_deal_that_nobody_has_played_hides_the_hands(visit: Any) -> None:
    """The reader chooses a seat first; a link from a seat that is playing goes on there."""
    text = evening_to_play(rules_for("german-solo"), 2, 7)
    page = visit(text)
    page.locator(".start").nth(1).click()
    page.wait_for_function(PLAYING)
    page.locator(".felt button.card:not([aria-disabled])").first.click()
    page.wait_for_function("() => document.querySelectorAll('.course button').length > 1")
    page.wait_for_function(PLAYING)
    address, cards = page.url, page.locator(".course button").all_inner_texts()
    assert "&seat=" in address
    other = page.context.new_page()  # which keeps nothing of the first
    other.goto(address)
    other.wait_for_function(PLAYING)
    assert other.locator(".felt .closed").count() == 3
    assert other.locator(HIDDEN).count() == 0
    assert other.locator(".course button").all_inner_texts()[: len(cards)] == cards
    other.close()
    other = page.context.new_page()
    other.goto(re.sub("&seat=.", "", address))
    other.locator(".start-form select").nth(1).wait_for()
    assert other.locator(".playing").count() == 0
    assert other.locator(HIDDEN).count() == 0
    form = other.locator("article").nth(1).locator(".start-form")
    assert form.locator("select").evaluate("(select) => select === document.activeElement")
    form.locator("select").select_option("N")
    form.locator(".start").click()
    other.wait_for_function(PLAYING)
    assert other.locator(".felt .closed").count() == 3
    assert other.locator(".felt .mine").get_attribute("data-seat") == "N"
    assert other.locator(".course button").all_inner_texts()[: len(cards)] == cards
    # A link that is opened while the hand is played does not show the others either.
    other.evaluate("() => { location.hash = 'deal=2&at=0'; }")
    other.wait_for_function("() => /at=0.*seat=N|at=[1-4].*seat=N/.test(location.hash)")
    other.wait_for_function(PLAYING)
    assert other.locator(".felt .closed").count() == 3
    assert other.locator(HIDDEN).count() == 0
    other.close()


def test_a_link_with_a_seat_plays_from_it(visit: Any) -> None:
    text = spadille.page(spadille.load(EVENING)[:1])
    page = visit(text, "?1#deal=1&at=3&seat=2")
    page.wait_for_function(PLAYING)
    assert page.locator(".felt .mine").get_attribute("data-seat") == "2"
    assert page.locator(".felt .closed").count() == 2
    page.evaluate("sessionStorage.clear()")
    page = visit(text, "?2#deal=1&at=3&seat=N")
    assert alert(page) == "This link is not valid: seat=N is not one of 1 2 3."
    page = visit(write([], rules=rules_for("ombre")), f"?3{link()}&seat=3")
    page.wait_for_function(PLAYING)
    assert page.locator(".felt .mine").get_attribute("data-seat") == "3"
    assert page.locator(".felt .closed").count() == 2


NEMO = """
[Game "squint"]
[Deal "1:K2... 6.Q.. J.A.. .2.3. ..4.5"]
[Leader "1"]
[Won "1:2;3:1"]
[Declarer "1"]
[Contract "solo"]
[Trump "H"]
"""


def test_a_contract_without_an_answer_shows_no_other_values(visit: Any) -> None:
    """In an end position of Nemo, it may be unknown which tricks were clean."""
    page = visit(spadille.page(spadille.read(NEMO)))
    page.locator(".start").click()
    page.wait_for_function(DONE)
    assert page.locator(".felt .worth").count() == 2
    page.locator(".terms select").first.select_option("nemo")
    said = page.locator(".playing .said")
    page.wait_for_function("""() => document.querySelector(".playing .said").textContent
        .includes("which of the tricks won were clean") """)
    assert "The engine cannot answer: " in said.inner_text()
    assert page.locator(".felt .worth").count() == 0
    assert page.locator(".standing").inner_text() == "Nemo, penalty spades: no values"
    page.locator(".terms select").first.select_option("solo")
    page.wait_for_function("() => document.querySelectorAll('.felt .worth').length === 2")
