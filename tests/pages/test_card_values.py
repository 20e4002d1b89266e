"""Compare the values of cards on a page with `card_values`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

import spadille
from benchmarks.page_value_waits import place
from spadille.analysis.contracts.contracts_to_solve import alternatives
from spadille.base.card_text import SUITS
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import (
    CALLED_DUTY,
    MUST_FOLLOW,
    REFUSALS,
    Position,
    Refusal,
    refusal_of,
)
from spadille.games import GAMES, rules_for
from spadille.games.model.game import Rules
from spadille.pages.page import write
from spadille.pages.wasm_module import is_current
from tests.support.deals_and_outcomes import random_deal
from tests.support.game_option_cases import following_options
from tests.support.illegal_card_messages import is_message

pytestmark = pytest.mark.skipif(not is_current(), reason="the engine for pages is stale")

RANKS = dict(
    zip(
        "AKQJT98765432",
        [
            "ace",
            "king",
            "queen",
            "jack",
            "ten",
            "nine",
            "eight",
            "seven",
            "six",
            "five",
            "four",
            "three",
            "two",
        ],
        strict=True,
    )
)
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
# Before this number of tricks, the values of a Misère of 13 cards can take long.
LONG = 5

OPTIONS = {
    "mensch": "",
    "german-solo": "matador_rule=higher-only;called_card_duty=first-lead;call_rank=ace-only",
    "ombre": "matador_rule=higher-only;mixed_matadors=free-unless-all-lower",
    "quadrille": "called_card_duty=first-lead;called_early_discard=allowed",
    "quintille": "matador_trigger=highest-so-far",
    "solo-whist": "declared_trump=suit;rotation=ccw",
    "anna-cubed": "",
    "squint": "rotation=ccw",
}


def contracts(deal: Deal) -> Iterator[list[Contract]]:
    """Return all contracts of a deal by kind, including several soloists."""
    rules = deal.rules
    for kind in rules.contracts.values():
        found = [each for group in alternatives(deal, kind) for each in group]
        if found:
            yield found
    soloists = [kind.id for kind in rules.contracts.values() if kind.side == "individual"]
    if soloists:
        pairs = [(one, two) for one in rules.seats for two in rules.seats if one < two]
        yield [
            Contract(pair, (first, second), "NT")
            for pair in pairs
            for first in soloists
            for second in soloists
        ]


def played(deal: Deal, contract: Contract, rng: Random) -> list[str]:
    """Return cards of random play up to a random point, an earlier one while trumps are open."""
    position = Position.of(deal, contract)
    size = deal.rules.game.hand_size
    misere = any(deal.rules.contracts[one].aim == "misere" for one in contract.ids)
    least = LONG * len(deal.rules.seats) if misere and size > 10 else 0
    most = size * len(deal.rules.seats) - 1
    moves = []
    for _ in range(rng.randint(least, most)):
        if position.naming or position.finished:
            break
        moves.append(rng.choice(position.legal()))
        position.play(moves[-1])
    while moves and position.finished:
        position.undo()
        moves.pop()
    return moves


def many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def expected(deal: Deal, contract: Contract, moves: list[str]) -> dict[str, str]:
    """Return the label of each card for screen readers."""
    found = spadille.card_values(deal, contract, moves)
    told = {}
    for value in found.cards:
        words = []
        for seat, one in value.contractors.items():
            kind = deal.rules.contracts[contract.ids[contract.declarers.index(seat)]]
            if kind.aim == "most":
                words.append(str(one.outcome))
            elif kind.aim == "nemo":
                words.append(many(one.points or 0, "point"))
            elif one.tricks is None:
                words.append(str(one.outcome))
            else:
                words.append(many(one.tricks, "trick"))
        if len(value.contractors) > 1:
            words = [
                f"Player {seat}: {each}"
                for seat, each in zip(value.contractors, words, strict=True)
            ]
        best = len(value.contractors) == 1 and value.cost == 0
        told[value.card] = ", ".join([*words, "best"] if best else words)
    return told


READ = """() => Object.fromEntries([...document.querySelectorAll(".felt .card:has(.worth)")]
    .map((card) => [card.dataset.card, card.getAttribute("aria-label")]))"""
DONE = """() => document.querySelector(".felt")?.getAttribute("aria-busy") === "false" """
GO = "(place) => { document.querySelector('.felt')?.remove(); location.hash = place; }"


def unnamed(labels: dict[str, str], contract: Contract) -> dict[str, str]:
    """Return the label of each playable card, without the card's name."""
    found = {}
    for card, label in labels.items():
        name, *rest = label.split(", ")
        assert name == f"{RANKS[card[1]]} of {SUIT_NAMES[card[0]]}"
        if len(contract.declarers) > 1 and rest[-1] == "best":
            rest.pop()
        found[card] = ", ".join(rest)
    return found


def go(page, deal: Deal, contract: Contract, moves: list[str]) -> None:
    page.evaluate(GO, place(deal, contract, moves))
    page.wait_for_function(DONE)


def points(rules: Rules, rng: Random, number: int) -> Iterator[tuple[Deal, Contract, list[str]]]:
    """Yield some points of random play, over all contracts in turn."""
    while number > 0:
        deal = random_deal(rules, rng)
        for kind in islice(contracts(deal), number):
            contract = rng.choice(kind)
            yield deal, contract, played(deal, contract, rng)
            number -= 1


def compare(visit, rules: Rules, rng: Random, number: int) -> None:
    page = visit(write([], rules=rules))
    for point in points(rules, rng, number):
        go(page, *point)
        assert unnamed(page.evaluate(READ), point[1]) == expected(*point), point


@pytest.mark.in_firefox
@pytest.mark.parametrize("game", ["german-solo", "squint"])
def test_values_are_those_of_cards(visit, game):
    compare(visit, rules_for(game), Random(f"page {game}"), 3)


@pytest.mark.parametrize("game", GAMES)
def test_values_are_those_of_cards_at_many_points(visit, game):
    compare(visit, rules_for(game), Random(f"pages {game}"), 20)


@pytest.mark.parametrize("game", GAMES)
def test_values_under_options(visit, game):
    compare(visit, rules_for(game, OPTIONS[game]), Random(f"options {game}"), 12)


def compare_variations(visit, rules: Rules, rng: Random, number: int) -> None:
    """Compare values at points, and after going back and playing another card from there."""
    page = visit(write([], rules=rules))
    for deal, contract, moves in points(rules, rng, number):
        go(page, deal, contract, moves)
        assert unnamed(page.evaluate(READ), contract) == expected(deal, contract, moves), moves
        back = rng.randint(1, 3)
        if len(moves) < back or contract.trump is None:
            continue
        kept = moves[:-back]
        position = Position.of(deal, contract)
        for each in kept:
            position.play(each)
        others = [card for card in position.legal() if card != moves[-back]]
        if not others:
            continue
        varied = [*kept, rng.choice(others)]
        position.play(varied[-1])
        page.locator(".playing").focus()
        for _ in range(back):
            page.keyboard.press("ArrowLeft")
        page.wait_for_function(f"() => location.hash.includes('at={len(kept)}')")
        page.locator(f'.felt .seat.turn [data-card="{varied[-1]}"]').dispatch_event("click")
        page.wait_for_function(f"() => location.hash.includes('at={len(varied)}')")
        page.wait_for_function(DONE)
        if not position.finished:
            labels = unnamed(page.evaluate(READ), contract)
            assert labels == expected(deal, contract, varied), varied


def test_values_in_variations(visit):
    compare_variations(visit, rules_for("german-solo"), Random("variations"), 6)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_values_at_two_thousand_points_and_in_variations(visit, game):
    compare_variations(visit, rules_for(game), Random(f"long {game}"), 250)


def compare_refusals(visit, rules: Rules, rng: Random) -> set[Refusal | None]:
    """Compare the reasons why cards may not be played with the referee's; return those seen."""
    page = visit(write([], rules=rules))
    seen = set()
    for deal, contract, moves in points(rules, rng, 8):
        go(page, deal, contract, moves)
        position = Position.of(deal, contract)
        for each in moves:
            position.play(each)
        for card in page.locator(".felt .seat.turn .card").all():
            refusal = refusal_of(position, card.get_attribute("data-card"))
            if refusal:
                card.dispatch_event("click")
                said = page.locator(".playing .said").inner_text().rstrip(".")
                assert [each for each in REFUSALS if is_message(each, said)] == [refusal], (
                    f"the page says {said!r}, the referee {refusal}: does `refusal` in "
                    "csrc/following.hpp return its number?"
                )
            assert (card.get_attribute("aria-disabled") == "true") == bool(refusal)
            seen.add(refusal)
    return seen


def test_rules_that_forbid_a_card_are_those_of_the_referee(visit):
    rules = rules_for("quadrille", OPTIONS["quadrille"])
    seen = compare_refusals(visit, rules, Random("refused 16"))
    assert seen == {None, MUST_FOLLOW, CALLED_DUTY}


@pytest.mark.ci
@pytest.mark.parametrize(("game", "option"), following_options(rest=pytest.mark.slow))
def test_each_option_forbids_the_cards_that_the_referee_forbids(visit, game, option):
    compare_refusals(visit, rules_for(game, option), Random(option))


def test_trumps_that_are_open_are_named_with_the_first_card(visit):
    """Once trumps are named, values are those of the contract in that suit."""
    rules = rules_for("solo-whist")
    rng = Random("named")
    page = visit(write([], rules=rules))
    for _ in range(2):
        deal = random_deal(rules, rng)
        seat = rules.eldest(deal.dealer)
        contract = Contract((seat,), ("abundance",), None)
        trump = next(suit for suit in SUITS if suit != deal.current_trump)
        go(page, deal, contract, [])
        page.get_by_role("button", name=SUIT_NAMES[trump], exact=True).click()
        page.wait_for_function("(trump) => location.hash.includes(`play=%3D${trump}`)", arg=trump)
        page.wait_for_function(DONE)
        named = Contract((seat,), ("abundance",), trump)
        assert unnamed(page.evaluate(READ), named) == expected(deal, named, [])
