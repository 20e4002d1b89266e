"""Positions made on a page without deals have the values that `spadille cards` gives them.

Hands, dealer, contract and play are chosen at random as a reader may choose them; the command gets
only the text of "Copy as PBN".
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from spadille import CardValues, card_values
from spadille.analysis.evening.deal_score import DealScore
from spadille.analysis.evening.evening_settlement import settle
from spadille.base.card_text import SUITS
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.games.model.game import Rules
from spadille.pages.deal_facts import DealFacts, DealRecord
from spadille.pages.game_tables import game_tables
from spadille.pages.page import write
from spadille.pages.page_data import data
from spadille.pages.wasm_module import is_current, module
from spadille.pbn.hand_file import load, read
from spadille.pbn.write_deals import dumps
from spadille_cli import main
from tests.support.page_scripts import ENGINE_SCRIPTS, run
from tests.support.tiers import part

pytestmark = pytest.mark.skipif(not is_current(), reason="the engine for pages is stale")

OPTIONS = {
    "mensch": "call_rank=ace-then-king",
    "german-solo": "matador_rule=higher-only;called_card_duty=first-lead;call_rank=ace-or-king",
    "ombre": "matador_rule=higher-only;mixed_matadors=free-unless-all-lower",
    "quadrille": "called_card_duty=first-lead;called_early_discard=allowed",
    "quintille": "matador_trigger=highest-so-far",
    "solo-whist": "declared_trump=suit;rotation=ccw",
    "anna-cubed": "",
    "squint": "rotation=ccw",
}
EXAMPLES = Path(__file__).parents[2] / "examples"
DRAW = 0.7  # the share of an example's play before the position
# Before this number of tricks, a Misère of 13 cards can take long.
LONG = 5

MODULES = (
    *ENGINE_SCRIPTS,
    "dom",
    "pbn",
    "allowed_contracts",
    "deal_entry",
)
# The reader's choices: `wish` is a contract, from which the page makes one that the deal allows;
# `draws` are numbers from 0 to 1 that select a legal card to play.
VALUES = """async ({ module, game, asked }) => {
    const engine = await Engine.load(await unpack(module));
    const found = [];
    for (const { hands, dealer, currentTrump, wish, draws } of asked) {
        const deal = dealOf(game, readDeal(game, hands), dealer, currentTrump);
        const contract = resolved(game, deal, wish) ?? anyContract(game, deal);
        const course = new Course(engine, game, deal, contract);
        const moves = [];
        for (const draw of draws) {
            const { over, naming, legal, trumps } = course.state();
            const able = naming ? trumps.map((trump) => `=${trump}`) : legal;
            if (over || course.state().left === 0) break;
            moves.push(able[Math.floor(draw * able.length)]);
            course.go(moves);
        }
        while (course.state().over) course.go(moves.splice(-1) && moves);
        let values = null;
        const desk = new Desk(engine, (answer) => { values = answer.values ?? values; });
        await desk.take({ id: 1, ask: "values", game, deal, contract, moves });
        const cards = Object.keys(values[0].cards);
        found.push({
            text: writeHand({ game, deal, contract, state: desk.course.state() }),
            cards: Object.fromEntries(cards.map((card) => [card, values
                .map((one) => onCard(one, one.cards[card], values.length, false)).join(", ")])),
        });
    }
    return found;
}"""


# The same through the controls of the page, whose address shows that the worker has answered.
CLICKED = """async ({ hands, dealer, currentTrump, wish, draws }) => {
    const all = (what) => [...document.querySelectorAll(what)];
    const until = async (holds) => {
        const start = Date.now();
        while (!holds()) {
            if (Date.now() - start > 30000) throw new Error(`never true: ${holds}`);
            await new Promise((go) => setTimeout(go, 2));
        }
    };
    const after = async (act) => {
        history.replaceState(null, "", "#");
        act();
        await until(() => location.hash.includes("at="));
    };
    const choose = (select, value) => {
        select.value = value;
        select.dispatchEvent(new Event("change"));
    };
    const named = (each) => (each.querySelector(".name") ?? each).textContent;
    const press = (name) => all("button").find((each) => named(each) === name).click();
    await until(() => all("button").some((each) => named(each) === "Clear"));
    press("Clear");
    const [dealers, turned] = all(".making select");
    choose(dealers, dealer);
    if (turned) choose(turned, currentTrump);
    const text = document.querySelector(".deal-text textarea");
    text.value = hands;
    await after(() => text.dispatchEvent(new Event("change")));
    await after(() => choose(all(".terms select")[0], wish.ids[0]));
    const { ids, declarers, trump, called, partner, penalty } = wish;
    const wanted = [declarers[0], trump, called, partner, penalty, ...ids];
    for (let i = 1; i < all(".terms select").length; ++i) {
        const select = all(".terms select")[i];
        const values = [...select.options].map((option) => option.value);
        const value = values.find((each) => wanted.includes(each));
        if (value !== undefined) await after(() => choose(select, value));
    }
    for (const draw of draws) {
        const naming = all(".naming button");
        const able = naming.length ? naming : all(".felt .turn .card:not([aria-disabled])");
        if (!able.length) break;
        await after(() => able[Math.floor(draw * able.length)].click());
    }
    while (document.querySelector(".felt .dealt"))
        await after(() => press("Undo"));
    await until(() => document.querySelector(".felt").getAttribute("aria-busy") === "false");
    press("Copy as PBN");
    return {
        text: document.querySelector(".copying textarea").value,
        labels: Object.fromEntries(all(".felt .card:has(.worth)")
            .map((card) => [card.dataset.card, card.getAttribute("aria-label")])),
    };
}"""


def hands(rules: Rules, rng: Random, size: int) -> str:
    """Return hands of random cards, in the form of the tag Deal."""
    pack = rng.sample(rules.deck, size * len(rules.seats))
    texts = []
    for number in range(len(rules.seats)):
        hand = pack[number * size : (number + 1) * size]
        texts.append(
            ".".join("".join(card[1] for card in hand if card[0] == suit) for suit in SUITS)
        )
    return f"{rules.seats[0]}:{' '.join(texts)}"


def size_of(rules: Rules, rng: Random, whole: bool) -> int:
    return rules.game.hand_size if whole else rng.randint(1, rules.game.hand_size - 1)


def wished(rules: Rules, rng: Random, kind: str) -> dict[str, Any]:
    """Return a contract that a reader might try, possible or not."""
    seats = rng.sample(rules.seats, rng.randint(1, 3))
    soloists = [each.id for each in rules.contracts.values() if each.side == "individual"]
    return {
        "ids": [kind, *(rng.choice(soloists or [kind]) for _ in seats[1:])],
        "declarers": seats,
        "trump": rng.choice([*rules.trumps, None]),
        "called": rng.choice([None, rng.choice(rules.deck)]),
        "partner": rng.choice(rules.seats),
        "penalty": rng.choice(SUITS),
    }


def positions(rules: Rules, rng: Random, turns: range) -> Iterator[dict[str, Any]]:
    """Yield positions as readers make them: all contracts in turn, a third of them whole deals."""
    kinds = list(rules.contracts)
    for turn in turns:
        kind = kinds[turn % len(kinds)]
        whole = rng.random() < 1 / 3
        size = size_of(rules, rng, whole)
        misere = any(each.aim == "misere" for each in rules.contracts.values())
        least = LONG * len(rules.seats) if misere and size > 10 else 0
        most = (size - 1) * len(rules.seats)
        yield {
            "hands": hands(rules, rng, size),
            "dealer": rng.choice(rules.seats),
            "currentTrump": rng.choice(rules.game.current_trumps or [None]),
            "wish": wished(rules, rng, kind),
            "draws": [rng.random() for _ in range(rng.choice([least, rng.randint(least, most)]))],
        }


def many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def labels(record: dict[str, Any], rules: Rules) -> dict[str, str]:
    """Return the values that `cards` shows, in the words of the page."""
    assert record["error"] is None, record
    ids = record["contract"].split()
    seats = record["declarer"] if isinstance(record["declarer"], list) else [record["declarer"]]
    kinds = [
        rules.contracts[each] for each in (ids if len(ids) == len(seats) else ids * len(seats))
    ]
    found = {}
    for card in record["cards"]:
        words = []
        for seat, kind in zip(seats, kinds, strict=True):
            who = f"Player {seat}: " if len(seats) > 1 else ""
            of = {
                key: value[seat] if isinstance(value, dict) else value
                for key, value in card.items()
            }
            if kind.aim == "most" or (kind.aim != "nemo" and of["tricks"] is None):
                words.append(who + of["outcome"])
            elif kind.aim == "nemo":
                words.append(who + many(of["points"], "point"))
            else:
                words.append(who + many(of["tricks"], "trick"))
        found[card["card"]] = ", ".join(words)
    return found


def command(name: str, *args: str, text: str) -> str:
    result = CliRunner().invoke(main, [name, *args, "-"], input=text)
    assert result.exit_code == 0, result.output
    return result.stdout


def compare(rules: Rules, copied: list[tuple[str, dict[str, str]]]) -> None:
    """Ask `check` and `cards` about the copied texts."""
    text = "\n".join(each for each, _ in copied)
    command("check", text=text)  # it may warn that nobody can bid the contract
    records = command("cards", "--format", "jsonl", text=text).splitlines()
    for (each, cards), record in zip(copied, records, strict=True):
        assert cards == labels(json.loads(record), rules), each


def settings(game: str, number: int) -> Iterator[tuple[Rules, list[dict[str, Any]]]]:
    """Compare some positions of a game, and as many with other options and the next contracts."""
    for nth, options in enumerate(dict.fromkeys(("", OPTIONS[game]))):
        rules, turns = rules_for(game, options), range(nth * number, (nth + 1) * number)
        yield rules, list(positions(rules, Random(f"positions {game} {options}"), turns))


@pytest.mark.ci
@pytest.mark.parametrize("game", part(GAMES, 1, 4, some_slow=True))
def test_values_are_those_of_cards(game: str) -> None:
    for rules, asked in settings(game, 6):
        given = {"module": module(), "game": game_tables(rules), "asked": asked}
        found = run(MODULES, VALUES, given)
        compare(rules, [(each["text"], each["cards"]) for each in found])


ALONE = """async ({ game, hands }) => {
    const deal = dealOf(game, readDeal(game, hands), "N", null);
    const wish = { ids: ["frog"], declarers: ["N"], trump: "D", called: null };
    const contract = resolved(game, deal, wish);
    return writeHand({ game, deal, contract, state: { moves: [], tricks: [], table: [] } });
}"""


def test_a_declarer_who_calls_nobody_says_so() -> None:
    rules = rules_for("german-solo")
    given = {"game": game_tables(rules), "hands": hands(rules, Random("alone"), 8)}
    text = run(MODULES, ALONE, given)
    assert '[Called "-"]' in text
    assert command("check", text=text) == ""
    assert json.loads(command("cards", "--format", "jsonl", text=text))["called"] is None


CALLED = """async ({ asked }) => asked.map(({ game, kind, trump, hand }) =>
    callable(game, contractType(game, kind), trump, hand))"""


@pytest.mark.first_cases(1)
@pytest.mark.parametrize("game", [game for game in GAMES if "call_rank" in GAMES[game].options])
def test_cards_that_may_be_called_are_those_of_the_rules(game: str) -> None:
    """Hands with most of the cards can call few, and so may call the last cards of the list."""
    asked, wanted = [], []
    rng = Random(f"called {game}")
    for rank in GAMES[game].options["call_rank"].values:
        rules = rules_for(game, f"call_rank={rank}")
        kind = next(each for each in rules.contracts.values() if each.side == "called")
        tables = game_tables(rules)
        for _ in range(20):
            hand = rng.sample(rules.deck, rng.randint(1, len(rules.deck) - 4))
            trump = rng.choice(SUITS)
            asked.append({"game": tables, "kind": kind.id, "trump": trump, "hand": hand})
            wanted.append(list(rules.callable_cards(trump, hand, kind)))
    assert run(MODULES, CALLED, {"asked": asked}) == wanted


COPIED = """async ({ module, data, draw }) => {
    const engine = await Engine.load(await unpack(module));
    return data.deals.map((deal) => {
        const game = data.games[deal.rules];
        const contract = contractOf(deal.contract, game);
        const course = new Course(engine, game, deal, contract);
        const at = Math.floor(draw * course.go(deal.play));
        course.go(deal.play.slice(0, at));
        return { at, text: writeHand({ game, deal, contract, state: course.state() }) };
    });
}"""


# The first contract in another suit.
OTHER_SUIT = """async (given) => {
    const { data: { deals: [deal], games } } = given, game = games[deal.rules];
    const engine = await Engine.load(await unpack(given.module));
    const contract = { ...contractOf(deal.contract, game), trump: "D" };
    const course = new Course(engine, game, deal, contract);
    return [{ text: writeHand({ game, deal, contract, state: course.state() }) }];
}"""


def without_payoffs(values: CardValues) -> list[dict[str, Any]]:
    """The values of cards; payoffs also depend on the pool and on playing from the hand."""
    return [each | {"score": None} for each in values.to_dict()["cards"]]


@pytest.mark.ci
@pytest.mark.parametrize(
    "path", part(sorted(EXAMPLES.glob("*.pbn")), 2, 4), ids=lambda path: path.stem
)
def test_what_is_copied_from_a_deal_of_the_page_has_its_values(path: Path) -> None:
    entries = [each for each in load(path) if each.contract and each.play and each.play.cards]
    settled = settle(entries)
    told = [
        DealFacts(DealRecord(entry, one), DealScore(settled=one))
        for entry, one in zip(entries, settled, strict=True)
    ]
    found = run(MODULES, COPIED, {"module": module(), "data": data(told), "draw": DRAW})
    assert found
    command("check", text="\n".join(each["text"] for each in found))
    for entry, copied in zip(entries, found, strict=True):
        [again] = read(copied["text"])
        values = card_values(entry.deal, entry.contract, entry.play.cards[: copied["at"]])
        others = card_values(again.deal, again.contract, again.play.cards if again.play else ())
        assert without_payoffs(values) == without_payoffs(others), copied["text"]


@pytest.mark.ci
def test_the_player_who_named_trumps_is_copied() -> None:
    deal = Deal.random("quadrille", 0)
    caller = deal.holder("SA")
    called = next(card for card in ("SK", "HK", "DK", "CK") if deal.holder(card) != caller)
    terms = ("forced-spadille", caller, "H", called)
    partner = deal.holder(called)
    [entry] = read(dumps([(deal, deal.contract(*terms, trump_by=partner))]))
    [settled] = settle([entry])
    given = data([DealFacts(DealRecord(entry, settled), DealScore(settled=settled))])
    [copied] = run(MODULES, COPIED, {"module": module(), "data": given, "draw": 0})
    command("check", text=copied["text"])
    [again] = read(copied["text"])
    assert again.contract == entry.contract
    assert again.contract is not None
    assert again.contract.trump_by == partner
    # In the other suit, nobody has named trumps.
    [copied] = run(MODULES, OTHER_SUIT, {"module": module(), "data": given})
    assert "TrumpBy" not in copied["text"]


def by_hand(visit: Any, game: str, number: int) -> None:
    for rules, asked in settings(game, number):
        page = visit(write([], rules=rules))
        copied = []
        for each in asked:
            found = page.evaluate(CLICKED, each)
            worth = {card: label.split(", ", 1)[1] for card, label in found["labels"].items()}
            cards = {card: each.removesuffix(", best") for card, each in worth.items()}
            copied.append((found["text"], cards))
        compare(rules, copied)


@pytest.mark.parametrize("game", GAMES)
def test_positions_made_by_hand(visit: Any, game: str) -> None:
    by_hand(visit, game, 2)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_many_positions_made_by_hand(visit: Any, game: str) -> None:
    by_hand(visit, game, 150)
