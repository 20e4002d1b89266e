"""Cards chosen from a seat: the page knows what `spadille.know` knows, and plays like `Player`."""

from __future__ import annotations

import base64
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import spadille
from spadille import Contract, Deal, Drawing, Knowledge, Position, know, rules_for
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.player import best_cards, by_habit
from spadille.analysis.chances.sampling_loop import Clock
from spadille.games import GAMES
from spadille.generate.deals_to_play import deals_to_play
from spadille.pages import page
from spadille.pages.game_tables import deal_tables, game_tables
from spadille.pages.payoff_data import payoff_tables
from spadille.pages.starting_knowledge_data import known_by_seats, views
from spadille.search.encoding import situation
from spadille.search.verdict import ended
from tests.pages.test_card_values import contracts
from tests.support.deals_and_outcomes import random_deal
from tests.support.page_scripts import run
from tests.support.tiers import games_by_tier

MODULES = (
    "engine",
    "surrender_questions",
    "hand_encoding",
    "words",
    "course_of_play",
    "layouts",
    "payoffs",
    "claims",
    "computer_player",
)
DESK = (*MODULES, "worker", "hints_and_summary")
ENGINE = Path(page.__file__).parent / "engine" / "engine.wasm"
LAYOUTS = 4
DEALS = 2
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
        const draw = chooser.sampler.draw.bind(chooser.sampler);
        chooser.sampler.draw = () => {
            const layout = draw();
            drawn.push([layout.deal.hands, layout.contract.partner]);
            return layout;
        };
        while (chooser.layouts < layouts && chooser.step(0));
        const reached = {};
        for (const [card, { playedOut }] of chooser.sums) reached[card] = playedOut;
        return { count: chooser.sampler.count, drawn, reached, ...chooser.result() };
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


def seat_views(deal: Deal, contract: Contract) -> dict[str, dict[str, Any]] | None:
    """Return what each seat knows before the first card; None if the page cannot play the deal."""
    known = known_by_seats(deal, contract, None)
    return None if known is None else views(known)


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
        const board = { game, deal, payoffs, contract, state: desk.course.state() };
        found.push([board.state.over, game.seats.map((seat) => paidTo(board, end, seat))]);
    }
    return found;
}"""


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("quadrille"))
@pytest.mark.parametrize(
    "seeds", [range(40, 46), pytest.param(range(46, 52), marks=pytest.mark.slow)], ids=str
)
def test_a_hand_played_to_its_end_pays_what_the_rules_say(game: str, seeds: range) -> None:
    cases, paid = [], []
    for seed in seeds:
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
    found = run(("hand_encoding", "starting_knowledge"), VIEWS, cases)
    for (deal, contract), found_views in zip(points, found, strict=True):
        wanted = seat_views(deal, contract)
        assert wanted is not None
        for seat, view in found_views.items():
            for name in ("sizes", "unseen", "partner", "partnerOpen"):
                assert view[name] == wanted[seat][name], (str(contract), seat, name)
            for place, cards in view["never"].items():
                assert set(cards) <= set(wanted[seat]["never"].get(place, ())), (contract, seat)


def test_a_deal_whose_trump_is_open_cannot_be_played_from_a_seat() -> None:
    deal = Deal.random("german-solo", 1)
    contract = Contract.parse(deal, "N solo S")
    assert known_by_seats(deal, None, None) is None
    of_seats = seat_views(deal, contract)
    assert of_seats is not None
    assert of_seats["N"]["sizes"] == {"E": 8, "S": 8, "W": 8}
    assert set(of_seats["N"]["unseen"]) == set(deal.rules.deck) - set(deal.hands["N"] or ())


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


REPORT = """async ({ cases }) => {
    const about = { seat: "N", unit: "tricks", target: 5, gains: true, value: 6 };
    const value = (cards) => [{ ...about, cards }];
    const game = { seats: ["N", "E", "S"], size: 8, order: ["N", "E", "S"] };
    const contract = { ids: ["solo"], declarers: ["N"], penalty: null };
    const board = { game, moves: ["SA"], play: [], contract, state: { tricks: [], won: {} } };
    return cases.map(([best, layouts, made, paid]) => {
        const values = value({ SA: 5, SK: 6, SQ: 6, SJ: 6, ST: 6, S9: 6 });
        const chosen = { best, layouts, made, paid };
        const answer = { costs: [{ at: 0, values, chosen }], start: value({}), end: value({}) };
        const [{ title, text }] = account(board, answer, "N").mistakes;
        return `${title}. ${text}`;
    });
}"""


@pytest.mark.ci
def test_the_report_says_why_another_card_was_better() -> None:
    """If the contract makes as often after both cards, the payoff decides."""
    none, few = {"SA": None, "SK": None}, {"SA": 1.0, "SK": 1.5}
    cases = [
        (["SK"], 80, {"SA": 0.5, "SK": 0.75}, none),
        (["SK"], 80, {"SA": 1.0, "SK": 1.0}, few),
        (["SK"], 80, {"SA": 1.0, "SK": 1.0}, {"SA": 1.0, "SK": 1.01}),
        (["SK", "SA"], 80, {"SA": 0.5, "SK": 0.5}, few),
        (["SK"], 5, {"SA": 0.2, "SK": 0.4}, none),
        ([], 0, {}, {}),
    ]
    best = (
        "Trick 1, the ace of spades: costs 1 trick. "
        "The best cards were the king of spades, the queen of spades and 3 others. "
    )
    after = "layouts tried after yours"
    better = "Given what you knew, the king of spades was better: the contract makes in"
    good = "Given what you knew, it was as good as any"
    assert run(DESK, REPORT, {"cases": cases}) == [
        f"{best}{better} 40 of 80 {after}, in 60 after the other.",
        f"{best}{better} all 80 {after} and after the other, which pays 0.5 more on average.",
        f"{best}{good}: the contract makes in all 80 {after}.",
        f"{best}{good}: the contract makes in 40 of 80 {after}.",
        f"{best}Given what you knew, as a guess from 5 layouts, the king of spades was better: "
        f"the contract makes in 1 of 5 {after}, in 2 after the other.",
        f"{best}{good}.",
    ]
