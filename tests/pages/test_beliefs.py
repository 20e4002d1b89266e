"""The page's players believe the bids like `spadille.analysis.chances.belief`."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import spadille
from spadille import Contract, Deal, Knowledge, rules_for
from spadille.analysis.chances import belief
from spadille.core.knowledge.card_facts import PILE
from spadille.core.knowledge.seat_knowledge import DEFAULT_SPREAD, know
from spadille.core.recorded_auction import Auction
from spadille.core.strength import strength_tables
from spadille.generate.deals_to_play import deals_to_play
from spadille.pages.belief_data import belief_tables, quantum
from spadille.pages.game_tables import deal_tables, game_tables
from spadille.pages.page import write
from spadille.pages.starting_knowledge_data import bidders, known_by_seats, views
from tests.support.page_scripts import run
from tests.support.tiers import games_by_tier

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = ("anna-cubed", "german-solo", "mensch", "ombre", "quadrille", "quintille", "solo-whist")
MODULES = (
    "engine",
    "surrender_questions",
    "hand_encoding",
    "words",
    "course_of_play",
    "call_likelihood",
    "layouts",
)
LIKELY = """async ({ cases, strength }) => {
    const tables = strengthTables(Uint8Array.from(Buffer.from(strength, "base64")));
    return cases.map(({ game, view, bidders, layouts }, seed) => {
        const belief = new CallLikelihood(game, tables[game.id], view, bidders, numbers(seed));
        return layouts.map((hands) => belief.likelihood(hands));
    });
}"""
Point = tuple[Deal, Contract, Auction | None]


def points(game: str) -> Iterator[Point]:
    """Yield contracts without calls, and those of a recorded evening with calls and exchanges."""
    for seed in range(3):
        yield *next(deals_to_play(rules_for(game), seed, candidates=2)), None
    for folder in (EXAMPLES, EXAMPLES / "evenings"):
        path = folder / f"{game}.pbn"
        for entry in spadille.load(path) if path.exists() else ():
            deal, contract = entry.deal, entry.contract
            if deal is not None and contract is not None and entry.rules == rules_for(game):
                yield deal, contract, Auction.of_entry(entry.calls)


def believers(game: str, exchanged: bool) -> Iterator[tuple[Knowledge, dict[str, Any]]]:
    """Yield seats that believe calls, with the page's data."""
    for deal, contract, auction in points(game):
        known = known_by_seats(deal, contract, auction) or {}
        for seat, each in known.items():
            if each.heard and any(one.exchanged for one in each.heard) == exchanged:
                view, heard = views(known)[seat], bidders(known)
                yield each, {"game": game_tables(deal.rules), "view": view, "bidders": heard}


def hands(known: Knowledge, ranks: list[int]) -> list[Any]:
    return [known.hands(known.layouts.unrank(rank)) for rank in ranks]


def likely(game: str, cases: list[dict[str, Any]]) -> list[list[float]]:
    strength = belief_tables([(game, rules_for(game))])
    given = {"cases": cases, "strength": base64.b64encode(strength).decode()}
    found: list[list[float]] = run(MODULES, LIKELY, given)
    return found


@pytest.fixture
def rounded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Round the vectors of all tables, as on a page."""
    read = strength_tables._data.__wrapped__

    def rounded(game: str) -> Any:
        data, unit = read(game), units[game]
        for parts in data["contracts"].values() if data else ():
            for part in parts:
                part["vectors"] = {
                    name: [unit * round(each / unit) for each in vectors]
                    for name, vectors in part["vectors"].items()
                }
        return data

    units = {game: quantum(rules_for(game)) for game in GAMES}
    monkeypatch.setattr(strength_tables, "_data", rounded)
    strength_tables.tables_for.cache_clear()
    yield
    strength_tables.tables_for.cache_clear()


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("ombre", among=GAMES))
def test_the_likelihood_of_calls_is_that_of_the_engine(game: str, rounded: None) -> None:
    tables = strength_tables.tables_for(rules_for(game))
    assert tables is not None
    cases, wanted = [], []
    for known, case in believers(game, exchanged=False):
        ranks = [Random(rank).randrange(known.layouts.count) for rank in range(100)]
        calls = belief._Calls(known, tables, DEFAULT_SPREAD)
        wanted.append(calls.weights(ranks))
        cases.append({**case, "layouts": hands(known, ranks)})
    assert len(cases) > 1
    for found, weights in zip(likely(game, cases), wanted, strict=True):
        assert found == pytest.approx(weights, rel=1e-4, abs=1e-9)


@pytest.mark.ci
def test_an_exchange_is_undone_like_in_the_engine(rounded: None) -> None:
    """The hand before the exchange is drawn, so that only averages can be compared."""
    tables = strength_tables.tables_for(rules_for("ombre"))
    assert tables is not None
    cases, wanted = [], []
    for known, case in believers("ombre", exchanged=True):
        calls = belief._Calls(known, tables, DEFAULT_SPREAD)
        wanted.append(len(calls.drawn(20_000, 1, 1, 0)) / 20_000)
        ranks = [Random(rank).randrange(known.layouts.count) for rank in range(2_000)]
        cases.append({**case, "layouts": hands(known, ranks)})
    assert len(cases) > 2
    for found, share in zip(likely("ombre", cases), wanted, strict=True):
        mean = sum(found) / len(found)
        spread = (sum((each - mean) ** 2 for each in found) / len(found) ** 2) ** 0.5
        assert abs(mean - share) < 5 * (spread + (share / 20_000) ** 0.5)


DRAWN = """async ({ cases, strength, wasm, number }) => {
    const tables = strengthTables(Uint8Array.from(Buffer.from(strength, "base64")));
    const engine = await Engine.load(Buffer.from(wasm, "base64"));
    return cases.map(({ game, deal, contract: fields, seat, view, bidders }, seed) => {
        const contract = contractOf(fields, game);
        const course = new Course(engine, game, deal, contract);
        const random = numbers(seed);
        const belief = new CallLikelihood(game, tables[game.id], view, bidders, random);
        const state = course.state();
        const known = { game, deal, contract, seat, view, state };
        const sampler = new LayoutSampler({ engine, ...known, random, belief });
        return Array.from({ length: number }, () => sampler.draw().deal.hands);
    });
}"""


def played(known: Knowledge, case: dict[str, Any]) -> dict[str, Any]:
    """Return the data for drawing layouts in a page."""
    deal = {**deal_tables(known.deal), "hands": known.deal.hands}
    return {**case, "deal": deal, "contract": known.contract.to_dict(), "seat": known.seat}


def drawn_by_page(game: str, cases: list[dict[str, Any]], number: int) -> list[list[Any]]:
    """Return the hands in layouts that the page draws for each case."""
    engine = Path(belief.__file__).parents[2] / "pages" / "engine" / "engine.wasm"
    strength = base64.b64encode(belief_tables([(game, rules_for(game))])).decode()
    wasm = base64.b64encode(engine.read_bytes()).decode()
    given = {"cases": cases, "strength": strength, "wasm": wasm, "number": number}
    found: list[list[Any]] = run(MODULES, DRAWN, given)
    return found


def mean_number(cards: set[str], hands: list[Any], seat: str) -> float:
    """Return the mean number of these cards in a hand."""
    return sum(len(cards.intersection(each[seat])) for each in hands) / len(hands)


@pytest.mark.ci
def test_hands_are_drawn_as_strong_as_an_exchange_says() -> None:
    """Players hold as many trumps and kings as in the layouts that the engine draws."""
    tables = strength_tables.tables_for(rules_for("ombre"))
    assert tables is not None
    cases, wanted = [], []
    for known, case in islice(believers("ombre", exchanged=True), 3):
        keepers = {*known.deal.rules.keepers(known.trump)}
        ranks = belief._Calls(known, tables, DEFAULT_SPREAD).drawn(20_000, 1, 1, 0)
        even = know(known.deal, known.contract, known.seat).layouts
        random = [known.hands(even.unrank(rank)) for rank in even.sample(400)]
        after = hands(known, ranks[:1000])
        wanted.append(
            {
                seat: (
                    keepers,
                    mean_number(keepers, after, seat),
                    mean_number(keepers, random, seat),
                )
                for seat in known.sizes
                if seat != PILE
            }
        )
        cases.append(played(known, case))
    assert max(mean - even for seats in wanted for _, mean, even in seats.values()) > 1
    for drawn, seats in zip(drawn_by_page("ombre", cases, 300), wanted, strict=True):
        for seat, (keepers, mean, _) in seats.items():
            assert abs(mean_number(keepers, drawn, seat) - mean) < 0.4


@pytest.mark.ci
@pytest.mark.parametrize("game", ["german-solo", "mensch"])
def test_hands_are_drawn_as_strong_as_the_calls_say(game: str) -> None:
    """Declarers hold as many trumps on average as in layouts weighted by their likelihood."""
    tables = strength_tables.tables_for(rules_for(game))
    assert tables is not None
    cases, wanted = [], []
    for known, case in believers(game, exchanged=False):
        declarer = known.contract.declarer
        if declarer not in known.sizes or declarer not in case["view"]["heard"] or len(cases) > 2:
            continue
        ranks = [Random(rank).randrange(known.layouts.count) for rank in range(10_000)]
        weights = belief._Calls(known, tables, DEFAULT_SPREAD).weights(ranks)
        trumps = {*known.deal.rules.trump_cards(known.trump)}
        numbers = [len(trumps.intersection(each[declarer])) for each in hands(known, ranks)]
        even = sum(numbers) / len(numbers)
        mean = sum(map(float.__mul__, weights, map(float, numbers))) / sum(weights)
        wanted.append((declarer, trumps, even, mean))
        cases.append(played(known, case))
    assert cases
    for drawn, (declarer, trumps, even, mean) in zip(
        drawn_by_page(game, cases, 300), wanted, strict=True
    ):
        assert mean > even
        assert abs(mean_number(trumps, drawn, declarer) - mean) < 0.35


@pytest.mark.parametrize("game", games_by_tier("ombre", among=GAMES))
def test_what_is_believed_does_not_depend_on_hidden_cards(game: str) -> None:
    for deal, contract, auction in points(game):
        known = known_by_seats(deal, contract, auction)
        for seat, each in (known or {}).items():
            if deal.exchangers or not each.heard:
                continue
            layout = each.layouts.unrank(each.layouts.count // 3)
            other = known_by_seats(each.deal_of(layout), each.contract_of(layout), auction)
            assert other is not None
            assert views(other)[seat] == views(known or {})[seat]
            for one in views(other)[seat]["heard"]:
                assert bidders(other)[one] == bidders(known or {})[one]


@pytest.mark.ci
def test_tables_travel_with_pages_on_which_calls_are_believed() -> None:
    for game in GAMES:
        assert len(gzip.compress(belief_tables([(game, rules_for(game))]), 9)) <= 50_000
    entry = spadille.load(EXAMPLES / "german-solo.pbn")[0]
    assert 'id="spadille-strength"' in spadille.page([entry])
    assert 'id="spadille-strength"' not in write([], rules=rules_for("german-solo"))
    squint = spadille.load(EXAMPLES / "squint.pbn")[:1]
    assert 'id="spadille-strength"' not in spadille.page(squint)
