"""Playing from a seat: the page's player knows exactly what `spadille.know` knows."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

import spadille
from spadille import Contract, Deal, Drawing, Knowledge, Position, know, rules_for
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.player import best_cards, by_habit
from spadille.analysis.chances.sampling_loop import Clock
from spadille.games import GAMES
from spadille.generate.deals_to_play import deals_to_play
from spadille.pages import page
from spadille.pages.evening_to_play import evening_to_play
from spadille.pages.game_tables import deal_tables, game_tables
from spadille.pages.payoff_data import payoff_tables
from spadille.pages.seat_views import seat_views
from spadille.search.encoding import situation
from spadille.search.verdict import ended
from spadille_cli import main
from spadille_cli.faults import Status
from tests.pages.test_board import settled
from tests.pages.test_page import block
from tests.pages.test_values import contracts
from tests.support.browsers import in_colors, on_paper
from tests.support.deals import random_deal
from tests.support.page_scripts import run
from tests.support.tiers import games_by_tier

MODULES = ("engine", "surrender", "hand", "words", "course", "layouts", "payoffs", "chooser")
DESK = (*MODULES, "worker", "account")
ENGINE = Path(page.__file__).parent / "engine" / "engine.wasm"
LAYOUTS = 4
DEALS = 3
CHOOSE = """async ({ deals, cases, wasm, layouts }) => {
    const engine = await Engine.load(Buffer.from(wasm, "base64"));
    return cases.map(([deal, moves]) => {
        const given = { ...deals[deal], moves };
        const contract = contractOf(given.contract, given.game);
        const course = new Course(engine, given.game, given.deal, contract);
        course.go(given.moves);
        const state = course.state();
        const chooser = new Chooser(engine, { ...given, contract, seed: 5 }, state.mover, state);
        const drawn = [];
        const draw = chooser.guess.draw.bind(chooser.guess);
        chooser.guess.draw = () => {
            const layout = draw();
            drawn.push([layout.deal.hands, layout.contract.partner]);
            return layout;
        };
        while (chooser.layouts < layouts && chooser.step(0));
        const reached = {};
        for (const [card, { playedOut }] of chooser.sums) reached[card] = playedOut;
        return { count: chooser.guess.count, drawn, reached, ...chooser.result() };
    });
}"""


def wasm() -> str:
    return base64.b64encode(ENGINE.read_bytes()).decode()


def chosen(cases: list[dict[str, Any]], layouts: int = LAYOUTS) -> list[dict[str, Any]]:
    """Return the layouts and cards that the page's script draws and chooses in each case."""
    # The same deal is written once.
    deals = {id(case["views"]): case for case in cases}
    places = {key: place for place, key in enumerate(deals)}
    asked = [(places[id(case["views"])], case["moves"]) for case in cases]
    question = {"deals": [*deals.values()], "cases": asked, "wasm": wasm(), "layouts": layouts}
    found: list[dict[str, Any]] = run(MODULES, CHOOSE, question)
    return found


def given(deal: Deal, contract: Contract, play: list[str]) -> dict[str, Any]:
    """Return a decision in the page's form."""
    return {**given_deal(deal, contract), "moves": list(play)}


@cache
def given_deal(deal: Deal, contract: Contract) -> dict[str, Any]:
    return {
        "game": game_tables(deal.rules),
        "deal": {**deal_tables(deal), "hands": deal.hands},
        "contract": contract.to_dict(),
        "views": seat_views(deal, contract),
        "payoffs": payoff_tables(deal, contract),
    }


Decision = tuple[Deal, Contract, list[str], Position]


def decisions(game: str, seed: int, *, keen: bool = False, every: bool = False) -> list[Decision]:
    """Return some decisions of a deal played at random: late ones, because they take no time.

    A `keen` side wins as many tricks as it can. `every` yields all decisions.
    """
    deal, contract = next(deals_to_play(rules_for(game), seed, candidates=3 if keen else 1))
    position, random = Position.of(deal, contract), Random(seed)
    play: list[str] = []
    found = []
    while not position.finished and len(play) < 60:
        cards = len(position.hands[position.to_play])
        if every or (2 <= cards <= 6 and len(play) % 3 == 0):
            found.append((deal, contract, list(play), Position.of(deal, contract)))
            for card in play:
                found[-1][3].play(card)
        able = sorted(position.legal(), key=deal.rules.trump_cards(contract.trump).__contains__)
        first = able[-1] if position.to_play in contract.side else able[0]
        play.append(first if keen else random.choice(position.legal()))
        position.play(play[-1])
    return found


def fits(known: Knowledge, hands: dict[str, list[str]]) -> bool:
    """Return whether each unseen card is where the seat considers it possible."""
    gone = {card for _, card in known.played}
    return all(
        seat in known.unseen[card]
        for seat, hand in hands.items()
        if seat in known.sizes
        for card in hand
        if card not in gone
    )


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("quadrille"))
def test_it_knows_what_the_seat_knows_and_plays_by_the_rules(game: str) -> None:
    """Its layouts and their number are those of `know`, and its cards are legal."""
    cases = [case for seed in (1, 2, 3) for case in decisions(game, seed)]
    assert len(cases) > 5
    found = chosen([given(deal, contract, play) for deal, contract, play, _ in cases])
    for (deal, contract, play, position), answer in zip(cases, found, strict=True):
        known = know(deal, contract, None, play)
        if not known.conditions:
            assert answer["count"] == known.layouts.count
        for hands, partner in answer["drawn"]:
            assert fits(known, hands)
            drawn = Position.of(*_layout(deal, contract, hands, partner))
            for card in play:
                drawn.play(card)
            assert drawn.hands[known.seat] == position.hands[known.seat]
        assert answer["card"] in position.legal()


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("quadrille"))
def test_it_ranks_cards_like_the_player(game: str) -> None:
    """Of the same layouts, the page and `spadille.Player` find the same cards best."""
    cases = [case for seed in range(5, 5 + DEALS) for case in decisions(game, seed)]
    same_ranks(cases + decisions(game, 5, keen=True))


@pytest.mark.slow
@pytest.mark.parametrize("game", games_by_tier("quadrille"))
def test_it_ranks_cards_like_the_player_in_many_deals(game: str) -> None:
    for seed in range(100, 130):
        same_ranks(decisions(game, seed) + decisions(game, seed, keen=True))


def same_ranks(cases: list[Decision]) -> None:
    found = chosen([given(deal, contract, play) for deal, contract, play, _ in cases], 5)
    for (deal, contract, play, position), answer in zip(cases, found, strict=True):
        if len(position.legal()) == 1:
            continue
        known = know(deal, contract, None, play)
        strategy = CardStrategy(
            known, Drawing(seconds=0), double_dummy=False, plans=False, playouts=True
        )
        ranks = [known.layouts.rank(_bins(known, hands)) for hands, _ in answer["drawn"]]
        strategy.value(ranks, Clock(0))
        where = str(contract), play
        best = best_cards(strategy)
        assert sorted(answer["choices"]) == sorted(best), where
        assert answer["card"] == by_habit(known, position, _in_order(position, best)), where
        paid = {card: average.payoff for card, average in strategy.averages.items()}
        assert answer["paid"] == pytest.approx(paid), where
        good = {card: average.good for card, average in strategy.played_out.items()}
        reached = {card: each / answer["layouts"] for card, each in answer["reached"].items()}
        assert reached == pytest.approx(good), where


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("quadrille"))
def test_its_rules_of_thumb_are_those_of_the_player(game: str) -> None:
    """Without layouts, the rules of thumb choose among all legal cards."""
    cases = [
        case
        for seed in range(20, 22)
        for keen in (False, True)
        for case in decisions(game, seed, keen=keen, every=True)
        if len(case[3].legal()) > 1
    ]
    assert len(cases) > 25
    found = chosen([given(deal, contract, play) for deal, contract, play, _ in cases], 0)
    for (deal, contract, play, position), answer in zip(cases, found, strict=True):
        known = know(deal, contract, None, play)
        assert answer["card"] == by_habit(known, position, position.legal()), (str(contract), play)


PAID = """async ({ cases, wasm }) => {
    const engine = await Engine.load(Buffer.from(wasm, "base64"));
    const found = [];
    for (const { game, deal, moves, payoffs, ...given } of cases) {
        const contract = contractOf(given.contract, game);
        let end = null;
        const desk = new Desk(engine, ({ values }) => { end = values ?? end; });
        await desk.take({ id: 1, ask: "value", game, deal, contract, moves });
        const board = { game, deal: { ...deal, payoffs }, contract, state: desk.course.state() };
        found.push([board.state.over, game.seats.map((seat) => paidTo(board, end, seat))]);
    }
    return found;
}"""


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("quadrille"))
def test_a_hand_played_to_its_end_pays_what_the_rules_say(game: str) -> None:
    cases, paid = [], []
    for seed in range(40, 52):
        last = decisions(game, seed, keen=seed % 3 > 0, every=True)[-1]
        deal, contract, play, position = last
        while not position.finished:
            play.append(position.legal()[0])
            position.play(play[-1])
        end = ended(contract, situation(deal, contract, play))
        assert end is not None
        cases.append(given(deal, contract, play))
        paid.append([deal.rules.score(deal, contract, end)[seat] for seat in deal.rules.seats])
    found = run(DESK, PAID, {"cases": cases, "wasm": wasm()})
    assert found == [[True, each] for each in paid]


def _in_order(position: Position, cards: list[str]) -> list[str]:
    return [card for card in position.legal() if card in cards]


def _bins(known: Knowledge, hands: dict[str, list[str]]) -> list[list[str]]:
    """Return the unseen cards of a layout by place; the remaining ones are those nobody plays."""
    held = {place: [c for c in hands.get(place, ()) if c in known.unseen] for place in known.places}
    seen = {card for cards in held.values() for card in cards}
    rest = [card for card in known.unseen if card not in seen]
    return [held[place] if place in hands else rest for place in known.places]


def _layout(
    deal: Deal, contract: Contract, hands: dict[str, list[str]], partner: str | None
) -> tuple[Deal, Contract]:

    dealt = {seat: tuple(cards) for seat, cards in hands.items()}
    seen = {card for hand in dealt.values() for card in hand}
    rest = () if deal.is_ending else tuple(c for c in deal.rules.deck if c not in seen)
    other = replace(deal, hands=dealt, talon=rest, talon_ordered=False, drawn={}, discard={})
    return other, replace(contract, partner=partner)


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("quadrille"))
def test_it_plays_the_same_card_whatever_is_hidden(game: str) -> None:
    """It chooses the same card in another deal that looks the same from the seat."""
    pairs = []
    for deal, contract, play, _ in decisions(game, 4):
        known = know(deal, contract, None, play)
        layout = known.layouts.unrank(known.layouts.count - 1)
        pairs.append(given(deal, contract, play))
        pairs.append(given(known.deal_of(layout), known.contract_of(layout), play))
    found = chosen(pairs)
    assert len(found) > 4
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert one == other


VIEWS = """async (cases) => cases.map(({ game, deal, contract }) =>
    viewsOf(game, deal, contractOf(contract, game)))"""


@pytest.mark.parametrize("game", games_by_tier("quadrille"))
def test_without_an_auction_the_page_finds_what_each_seat_knows(game: str) -> None:
    """It knows as much as `know`, apart from what the choice of a card to call reveals."""
    rules, rng = rules_for(game), Random(game)
    points = [
        (deal, each)
        for deal in [random_deal(rules, rng) for _ in range(4)]
        for kind in contracts(deal)
        for each in kind[:6]
        if each.trump
    ]
    cases = [
        {
            "game": game_tables(rules),
            "deal": {**deal_tables(deal), "hands": deal.hands},
            "contract": contract.to_dict(),
        }
        for deal, contract in points
    ]
    found = run(("hand", "seat_views"), VIEWS, cases)
    for (deal, contract), views in zip(points, found, strict=True):
        wanted = seat_views(deal, contract)
        assert wanted is not None
        for seat, view in views.items():
            for name in ("sizes", "unseen", "partner", "partnerOpen"):
                assert view[name] == wanted[seat][name], (str(contract), seat, name)
            for place, cards in view["never"].items():
                assert set(cards) <= set(wanted[seat]["never"].get(place, ())), (contract, seat)


def test_a_deal_whose_trump_is_open_cannot_be_played_from_a_seat() -> None:
    deal = Deal.random("german-solo", 1)
    contract = Contract.parse(deal, "N solo S")
    assert seat_views(deal, None) is None
    views = seat_views(deal, contract)
    assert views is not None
    assert views["N"]["sizes"] == {"E": 8, "S": 8, "W": 8}
    assert set(views["N"]["unseen"]) == set(deal.rules.deck) - set(deal.hands["N"] or ())


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
    for mistake in page.locator(".report li:has(button)").all_inner_texts():
        chance = r"the contract makes in (all|none of|\d+ of) \d+ layouts tried after yours"
        assert re.search(rf"Given what you knew, .*: {chance}", mistake)
    for link in page.locator(".report li button").all():
        trick = link.inner_text().split(",")[0]
        link.click()
        settled(page)
        assert page.locator(".playing .said").inner_text().startswith(f"{trick}: ")
    page.keyboard.press("Escape")
    assert page.locator(".report:visible").count() == 0
    assert page.locator(".tools:visible").count() == 1
    assert page.locator(".course button").count() == 32


GOALS = "async (games) => games.map(({ contracts }) => contracts.map(goal))"


def test_the_goal_of_each_contract_is_in_words() -> None:
    rules = [rules_for(game) for game in GAMES]
    found = run(("words",), GOALS, [game_tables(each) for each in rules])
    for goals, each in zip(found, rules, strict=True):
        for words, kind in zip(goals, each.contracts.values(), strict=True):
            if kind.aim == "tricks":
                plural = "s" * (kind.target != 1)
                assert words == f"needs {kind.target} trick{plural}"
            else:
                assert (
                    words
                    == {
                        "misere": "must take no trick",
                        "most": "needs more tricks than each opponent",
                        "nemo": "",
                    }[kind.aim]
                ), kind.id


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


WORDS = """async ({ cases: [{ game, deal, moves, ...given }], wasm }) => {
    const engine = await Engine.load(Buffer.from(wasm, "base64"));
    const contract = contractOf(given.contract, game);
    let end = null;
    const desk = new Desk(engine, ({ values }) => { end = values ?? end; });
    await desk.take({ id: 1, ask: "value", game, deal, contract, moves });
    return valuesInWords(end);
}"""


def test_a_result_after_going_on_for_all_tricks_says_so() -> None:
    """Seven tricks make the Solo, but are not all of them."""
    hands = "N:AKQJT7.7..Q 98.AKQJT9.. ..AKQJT987. .8..AKJT987"
    text = f'[Game "german-solo"]\n[Dealer "W"]\n[Deal "{hands}"]\n'
    text += '[Declarer "N"]\n[Contract "solo"]\n[Trump "S"]\n'
    [entry] = spadille.read(text)
    position, play = Position.of(entry.deal, entry.contract), []
    while not position.finished:
        # North leads the seven of hearts last.
        play.append(min(position.legal(), key="H7".__eq__))
        position.play(play[-1])
    case = {"cases": [given(entry.deal, entry.contract, play)], "wasm": wasm()}
    assert run(DESK, WORDS, case) == (
        "7 tricks for the declaring side after going on for all tricks, contract defeated"
    )


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
        "(words) => document.querySelector('.playing .said').textContent.includes(words)", arg=words
    )


def test_a_claim_is_accepted_if_no_defense_beats_it(visit, evening):
    """The most tricks that the page accepts are those that the solver finds."""
    entry = spadille.load(HANDS)[0]
    deal, contract = entry.deal, entry.contract
    for at in range(12, 28):
        cards = entry.play.cards[:at]
        position = Position.of(deal, contract)
        for card in cards:
            position.play(card)
        seat = position.to_play
        declares = seat in contract.side
        won = sum(
            position.won[each] for each in deal.rules.seats if (each in contract.side) == declares
        )
        ours = spadille.solve(deal, contract, play=cards).tricks
        sure = (ours if declares else deal.rules.game.hand_size - ours) - won
        if 0 < sure < len(position.hands[seat]):
            break
    else:
        pytest.fail("nobody is sure of some tricks but not of all")
    page = visit(evening, f"#deal=1&at={at}")
    settled(page)
    page.locator(".sit select").select_option(seat)
    page.get_by_role("button", name="Play from this seat").click()
    assert my_turn(page)
    page.locator(".claims select").select_option(str(sure + 1))
    page.locator(".claims button").click()
    said(page, "The claim is not accepted")
    page.locator(".claims select").select_option(str(sure))
    page.locator(".claims button").click()
    page.locator(".report:not([hidden])").wait_for()
    assert f"{ours} tricks for the declaring side, contract" in page.locator(".report").inner_text()
    assert "It pays you " in page.locator(".report").inner_text()
    assert page.locator(".course button").count() == 32


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
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()

    def check(page):
        for scheme in ("light", "dark"):
            in_colors(page, scheme)
            found = axe.run(page, context="main")
            assert not found.violations_count, found.generate_report()

    page = sat_down(visit(evening))
    check(page)
    page.get_by_role("button", name="Stop playing").click()
    check(page)
    page.get_by_role("button", name="Play on").click()
    while my_turn(page):
        page.locator(CARD).first.click()
        page.wait_for_timeout(100)
    check(page)


SIZES = [(1280, 720), (1024, 768), (768, 1024), (360, 740)]


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


@pytest.mark.ci
def test_an_evening_to_play_is_the_same_for_the_same_seed() -> None:
    rules = rules_for("german-solo")
    first, same, other = (block(evening_to_play(rules, 3, seed)) for seed in (7, 7, 8))
    assert len(first["deals"]) == 3
    assert first == same
    assert [deal["hands"] for deal in first["deals"]] != [deal["hands"] for deal in other["deals"]]
    assert all(deal["views"] and not deal["play"] for deal in first["deals"])


def test_an_evening_offers_the_seat_of_the_command(visit):
    rules = rules_for("german-solo")
    for seat in rules.seats:
        page = visit(evening_to_play(rules, 1, 7, seat=seat))
        assert page.get_by_label("Sit at").input_value() == seat
    page.get_by_role("button", name="Play this deal").click()
    page.locator(f".felt .seat.at-bottom[data-seat='{seat}']").wait_for()


@pytest.mark.ci
def test_the_command_writes_an_evening_and_refuses_files_with_it(tmp_path: Path) -> None:
    path = tmp_path / "table.html"
    words = ["page", "--game", "german-solo", "-n", "1", "--seed", "7"]
    assert CliRunner().invoke(main, [*words, "-o", str(path)]).exit_code == Status.DONE
    found = block(path.read_text(encoding="utf-8"))
    rules = rules_for("german-solo")
    assert found["deals"] == block(evening_to_play(rules, 1, 7))["deals"]
    for more, said in ((str(HANDS), "do not name a file"), ("--samples=5", "--samples needs")):
        result = CliRunner().invoke(main, [*words, more, "-o", str(path)])
        assert result.exit_code == Status.USAGE
        assert said in result.stderr


def to_the_end(page) -> None:
    while my_turn(page):
        page.locator(CARD).first.click()
        page.wait_for_timeout(100)


def test_after_a_deal_the_next_one_is_offered(visit):
    """In an evening to play, that is the next deal that has not been played."""
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    page.locator(".start").nth(1).click()
    to_the_end(page)
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Next deal").click()
    assert page.url.endswith("#deal-1")
    assert page.evaluate("document.activeElement.closest('.start-form, article').className") == (
        "start-form"
    )
    page.locator(".start").first.click()
    to_the_end(page)
    assert page.locator(".report:visible").count() == 1
    assert page.get_by_role("button", name="Next deal").count() == 0


@pytest.mark.in_firefox
def test_the_next_deal_of_a_recorded_evening_is_shown(visit):
    page = visit(spadille.page(spadille.load(HANDS)[:2]), "#deal=1&at=28")
    settled(page)
    page.keyboard.press("g")
    page.locator(".felt .closed").first.wait_for()
    assert my_turn(page)
    page.locator(CARD).first.click()
    assert not my_turn(page)
    page.get_by_role("button", name="Next deal").click()
    assert page.evaluate("document.activeElement.className") == "start"
    assert page.locator("#deal-2 .start").bounding_box()["y"] < 720


def test_deals_to_play_do_not_each_take_a_printed_page(visit):
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    page.locator(".start").first.wait_for()
    on_paper(page)
    breaks = page.locator(".deal").evaluate_all(
        "(deals) => deals.map((deal) => getComputedStyle(deal).breakBefore)"
    )
    assert breaks == ["auto", "auto"]
    assert page.locator(".start:visible, .tally button:visible").count() == 0


def test_an_evening_is_played_and_its_score_kept(visit):
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    tally = page.locator(".tally [role=status]")
    assert tally.inner_text() == "0 of 2 deals played."
    assert page.locator(".spoiler:visible, .board:visible, .results:visible").count() == 0
    page.get_by_label("Sit at").first.select_option(label="North")
    page.locator(".start").first.click()
    while my_turn(page):
        assert page.locator('.felt [data-seat="N"] [data-card]').count() > 0
        page.locator(CARD).first.click()
        page.wait_for_timeout(100)
    assert tally.inner_text().startswith("1 of 2 deals played. You reached your goal in ")
    paid = re.search(r"It pays you ([+-]?\d+)", page.locator(".report").inner_text())
    assert paid
    assert tally.inner_text().endswith(f"Your payoff: {paid[1]}.")
    page.get_by_role("button", name="Close").click()
    assert page.locator(".spoiler:visible").count() > 0
    assert page.locator(".start-form").count() == 1
    told = tally.inner_text()
    page.reload()
    assert tally.inner_text() == told
    page.get_by_role("button", name="Start over").click()
    assert tally.inner_text() == "0 of 2 deals played."
