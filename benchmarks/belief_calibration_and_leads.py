"""Compare predictions from a belief with actual results, for lone contracts.

The leader to the first trick knows their own hand and that another player plays a contract alone.
Where the declarer leads, a random card of theirs is led, and the next player is the one who judges.
Cards are exchanged as in the sample of the strength tables.
`calibration` compares the predicted share of made contracts with the actual one, on deals of the
model's own bidder and of a bidder that follows another rule; `leads` compares the cards chosen with
and without belief; `differences` measures how much the best and the worst lead differ.

    python -m benchmarks.belief_calibration_and_leads calibration 300 --belief auction --bidder rule
    python -m benchmarks.belief_calibration_and_leads calibration 500 --game ombre --contract solo
    python -m benchmarks.belief_calibration_and_leads calibration 500 --contract tout --rare
    python -m benchmarks.belief_calibration_and_leads leads 100
    python -m benchmarks.belief_calibration_and_leads differences 100 \\
        --game solo-whist --contract misere
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import exp, inf, sqrt
from random import Random
from statistics import mean, stdev
from typing import NamedTuple

import numpy as np

from benchmarks.strength_tables.exchange_policy import Exchange
from spadille.analysis.chances.belief import smallest_stake
from spadille.analysis.chances.card_chances import chances
from spadille.analysis.chances.card_chances_result import CardChance, Chances
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import DEFAULT_SPREAD
from spadille.core.strength.strength_tables import GameTables, HandTable, tables_for
from spadille.games import rules_for
from spadille.games.model.game import Rules
from spadille.search.encoding import encoding
from spadille.search.engine_strength_table import engine_table

GAMES = "anna-cubed", "german-solo", "mensch", "ombre", "quadrille", "quintille", "solo-whist"
TRUMPS, MATADORS = 5, 2  # needed by the bidder that follows another rule
BATCH = 20_000  # deals whose hands are valued together


class Bid(NamedTuple):
    """A deal, the contract that is played on it, and the first card if the declarer leads.

    The deal has all hands, but `chances` reads only what the player to move knows.
    """

    deal: Deal
    contract: Contract
    play: tuple[str, ...]


def soloist(rules: Rules) -> str:
    """Return the seat that bids: the second to last in order of play, so never the leader."""
    return rules.in_turn(rules.eldest(rules.seats[0]))[-2]


def holds(deal: Deal, trump: str) -> bool:
    """Return whether the bidder that follows another rule plays a Solo in this suit."""
    rules = deal.rules
    hand = {*(deal.hands[soloist(rules)] or ())}
    return (
        len(hand.intersection(rules.trump_cards(trump))) >= TRUMPS
        and len(hand.intersection(rules.matadors(trump))) >= MATADORS
    )


def by_rule(deal: Deal, kind: str, random: Random, spread: float) -> str | None:
    """Return the trump that the bidder with the other rule chooses; None if this bidder passes."""
    return next((trump for trump in "SHDC" if holds(deal, trump)), None)


def by_model(deal: Deal, kind: str, random: Random, spread: float) -> str | None:
    """Return the trump in which the model's own bidder plays, if only that contract is called."""
    weights = call_weights(deal, spread)
    word = chosen({"": 1.0, **{word: max(of.values()) for word, of in weights.items()}}, random)
    return chosen(weights[word], random) if word in offers(deal.rules, kind) else None


def chosen(weights: Mapping[str, float], random: Random) -> str:
    """Return one of the keys, drawn by weight."""
    return random.choices([*weights], [*weights.values()])[0]


def call_weights(deal: Deal, spread: float) -> dict[str, dict[str, float]]:
    """Return the weight of each bid of the model's own bidder, by trump; that of a pass is 1."""
    rules = deal.rules
    scale = spread * smallest_stake(tables_of(rules))
    return {
        word: {trump: exp(mean_payoff(deal, kind, trump) / scale) for trump in trumps}
        for kind in dict.fromkeys(bid.contract for bid in rules.bidding.bids)
        for word, trumps in offers(rules, kind).items()
    }


def offers(rules: Rules, kind: str) -> dict[str, list[str]]:
    """Return the words of the bids for a contract, each with the trumps that have tables."""
    trumps = tables_of(rules).trumps(kind)
    found = {
        bid.word: [trump for trump in trumps if bid.in_color == (trump == rules.color)]
        for bid in rules.bidding.bids
        if bid.contract == kind
    }
    # A contract whose trump is turned up has no tables.
    return {word: trumps for word, trumps in found.items() if trumps}


def mean_payoff(deal: Deal, kind: str, trump: str) -> float:
    """Return the declarer's mean payoff by the tables, with the best card to call."""
    rules = deal.rules
    table = table_of(rules, kind, trump)
    hand = deal.hands[soloist(rules)] or ()
    cards: tuple[str | None, ...] = (None,)
    if rules.contracts[kind].side == "called":
        cards = rules.callable_cards(trump, hand, rules.contracts[kind])
    numbers = [-1 if card is None else table.lanes.bits[card].bit_length() - 1 for card in cards]
    bits, fast = table.lanes.hand(hand), engine_table(table)
    payoffs = [fast.payoff(bits, position(rules, table), number) for number in numbers]
    return max(payoffs, default=-inf)  # a hand may hold every card it could call


def mean_payoffs(rules: Rules, kind: str, trump: str, hands: np.ndarray) -> np.ndarray:
    """Return the mean payoff of a lone contract with many hands, given as places in the pack."""
    table = table_of(rules, kind, trump)
    bits = np.array([table.lanes.bits[card] for card in rules.deck], np.uint64)
    whole = np.bitwise_or.reduce(bits[hands], axis=1)
    return np.array(engine_table(table).many(whole, position(rules, table)))[1::2]


def tables_of(rules: Rules) -> GameTables:
    """Return the strength tables of a game."""
    tables = tables_for(rules)
    assert tables is not None
    return tables


def table_of(rules: Rules, kind: str, trump: str) -> HandTable:
    """Return the strength table of a contract and trump."""
    table = tables_of(rules).table(kind, trump)
    assert table is not None
    return table


def position(rules: Rules, table: HandTable) -> int:
    """Return the soloist's place in the order of play, if the table distinguishes places."""
    return min(len(rules.seats) - 2, table.positions - 1)


BIDDERS: dict[str, Callable[[Deal, str, Random, float], str | None]] = {
    "rule": by_rule,
    "model": by_model,
}


def exchanged(deal: Deal, contract: Contract) -> Deal:
    """Return the deal with the discards of the strength tables' policy, if there is an exchange."""
    rules = deal.rules
    order = rules.in_turn(contract.declarer)
    code = encoding(rules, contract.trump)
    exchange = Exchange.of(rules, rules.contracts[contract.ids[0]], code)
    if exchange is None:
        return deal
    dealt = [sum(code.bits[card] for card in deal.hands[seat] or ()) for seat in order]
    talon = [code.numbers[card] for card in deal.talon]
    kept = exchange.after(np.array([dealt], np.uint64), np.array([talon]), np.zeros(1, int))
    discard = {
        seat: tuple(code.cards(before & ~after))
        for seat, before, after in zip(order, dealt, kept[0].tolist(), strict=True)
        if exchange.who == "all" or seat != contract.declarer
    }
    return replace(deal, discard=discard)


def bids(args: argparse.Namespace, bidder: str) -> Iterator[Bid]:
    """Yield deals on which a bidder plays the contract."""
    random = Random(f"{args.game} {args.contract} {bidder} {args.seed}")
    rules = rules_for(args.game)
    seat = soloist(rules)
    found = rarely_bid(args, random) if args.rare else often_bid(args, bidder, random)
    for deal, trump in islice(found, args.number):
        play: tuple[str, ...] = ()
        if rules.contracts[args.contract].leader == "declarer":
            # A better card would reveal more of the hand than the model of the bidder takes in.
            play = (random.choice(deal.hands[seat] or ()),)
        contract = Contract((seat,), (args.contract,), trump)
        yield Bid(exchanged(deal, contract), contract, play)


def often_bid(args: argparse.Namespace, bidder: str, random: Random) -> Iterator[tuple[Deal, str]]:
    """Yield deals on which a bidder plays the contract, each with its trump."""
    rules = rules_for(args.game)
    while True:
        deck = list(rules.deck)
        random.shuffle(deck)
        deal = dealt(rules, deck)
        trump = BIDDERS[bidder](deal, args.contract, random, args.spread)
        if trump is not None:
            yield deal, trump


def rarely_bid(args: argparse.Namespace, random: Random) -> Iterator[tuple[Deal, str]]:
    """Do the same for the model's own bidder, faster if few hands are worth the contract.

    A random number for each deal decides whether the contract is bid. It is first compared with the
    probability for a bidder whose only alternative is to pass, which is at least as high and can be
    computed for many hands at once.
    """
    rules, kind = rules_for(args.game), args.contract
    words, scale = offers(rules, kind), args.spread * smallest_stake(tables_of(rules))
    numbers = np.random.default_rng(random.getrandbits(64))
    end = rules.game.hand_size * (rules.seats.index(soloist(rules)) + 1)
    while True:
        packs = numbers.permuted(np.tile(np.arange(len(rules.deck)), (BATCH, 1)), axis=1)
        drawn = numbers.random(BATCH)
        hands = packs[:, end - rules.game.hand_size : end]
        weight = np.zeros(BATCH)
        for trumps in words.values():
            payoffs = [mean_payoffs(rules, kind, trump, hands) for trump in trumps]
            weight += np.exp(np.max(payoffs, axis=0) / scale)
        for row in np.flatnonzero(drawn < weight / (1 + weight)):
            deal = dealt(rules, [rules.deck[place] for place in packs[row]])
            weights = call_weights(deal, args.spread)
            most = {word: max(of.values()) for word, of in weights.items()}
            own = {word: most[word] for word in words}
            if drawn[row] * (1 + sum(most.values())) < sum(own.values()):
                yield deal, chosen(weights[chosen(own, random)], random)


def dealt(rules: Rules, deck: Sequence[str]) -> Deal:
    """Return the deal of a shuffled pack."""
    size, players = rules.game.hand_size, len(rules.seats)
    return Deal(
        rules=rules,
        dealer=rules.seats[0],
        hands={seat: tuple(deck[size * n : size * (n + 1)]) for n, seat in enumerate(rules.seats)},
        talon=tuple(deck[size * players :]),
        talon_ordered=True,
    )


def predicted(bid: Bid, number: int, args: argparse.Namespace) -> tuple[float, str]:
    """Return the share of layouts in which the contract makes double-dummy, and the belief used.

    The number of the deal is the seed, because with one seed for all deals, their errors would be
    correlated.
    """
    drawing = Drawing(
        belief=args.belief,
        discards=args.discards,
        samples=args.samples,
        seconds=0,
        spread=args.spread,
        seed=number,
    )
    found = chances(bid.deal, bid.contract, bid.play, drawing=drawing, double_dummy=False)
    assert found.gauge is not None
    return found.best.made - found.gauge, found.belief.kind


def calibration(args: argparse.Namespace) -> None:
    """Compare predicted and actual shares, overall and in each third of the predictions."""
    pairs = []
    beliefs: Counter[str] = Counter()
    for number, bid in enumerate(bids(args, args.bidder)):
        made = float(solve(bid.deal, bid.contract, play=bid.play).makes)
        share, belief = predicted(bid, number, args)
        pairs.append((share, made))
        beliefs[belief] += 1
    pairs.sort()
    third = len(pairs) // 3
    parts = [pairs, pairs[:third], pairs[third : 2 * third], pairs[2 * third :]]
    for name, part in zip(("all", "low", "middle", "high"), parts, strict=True):
        error = stdev(one - other for one, other in part) / sqrt(len(part))
        print(
            f"{name:7} {len(part):4} deals: predicted {100 * mean(p for p, _ in part):5.1f}, "
            f"made {100 * mean(m for _, m in part):5.1f} +- {196 * error:.1f}",
            flush=True,
        )
    print("belief:", ", ".join(f"{kind} in {number}" for kind, number in beliefs.items()))


def leads(args: argparse.Namespace) -> None:
    """Compare leads chosen with and without belief, judged on layouts of the other bidder."""
    gains, spans = [], []
    for number, bid in enumerate(bids(args, "rule")):
        trump = bid.contract.trump or ""

        def meets(deal: Deal, trump: str = trump) -> bool:
            return holds(deal, trump)

        def asked(seed: int = 2 * number, bid: Bid = bid, **settings: object) -> Chances:
            drawing = Drawing(
                samples=args.samples, seconds=0, seed=seed, spread=args.spread, **settings
            )  # type: ignore[arg-type]
            return chances(bid.deal, bid.contract, bid.play, drawing=drawing, double_dummy=False)

        judged = {
            card.card: card for card in asked(2 * number + 1, belief="none", where=meets).cards
        }
        chosen: list[CardChance] = [asked(belief=belief).best for belief in ("none", "auction")]
        without, with_belief = (judged[card.card].made for card in chosen)
        gains.append(without - with_belief)
        made = [card.made for card in judged.values()]
        spans.append(max(made) - min(made))
    error = stdev(gains) / sqrt(len(gains))
    print(
        f"{len(gains)} leads: with belief the contract makes {100 * mean(gains):.2f} points "
        f"less often +- {196 * error:.2f}; "
        f"best and worst lead differ by {100 * mean(spans):.1f} points"
    )


def differences(args: argparse.Namespace) -> None:
    """Measure how much the best and the worst lead differ on deals of a bidder.

    The two leads are chosen in one sample and compared in another, because the difference in the
    sample that made them best and worst is too large.
    """
    found = []
    for number, bid in enumerate(bids(args, args.bidder)):
        chosen, judged = (
            {
                card.card: card.made
                for card in chances(
                    bid.deal,
                    bid.contract,
                    bid.play,
                    drawing=Drawing(
                        belief=args.belief,
                        samples=args.samples,
                        seconds=0,
                        spread=args.spread,
                        seed=seed,
                    ),
                    double_dummy=False,
                ).cards
            }
            for seed in (2 * number, 2 * number + 1)
        )
        best, worst = min(chosen, key=chosen.__getitem__), max(chosen, key=chosen.__getitem__)
        found.append((judged[best], judged[worst]))
    error = stdev(worst - best for best, worst in found) / sqrt(len(found))
    best_mean, worst_mean = (100 * mean(shares) for shares in zip(*found, strict=True))
    print(
        f"{len(found)} leads: made {best_mean:.2f} after the best, {worst_mean:.2f} after the "
        f"worst; they differ by {worst_mean - best_mean:.2f} points +- {196 * error:.2f}"
    )


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["calibration", "leads", "differences"])
    parser.add_argument("number", type=int)
    parser.add_argument("--game", choices=GAMES, default="german-solo")
    parser.add_argument("--contract", default="solo", help="a lone contract (default: solo)")
    parser.add_argument("--bidder", choices=[*BIDDERS], default="model")
    parser.add_argument("--belief", choices=["auction", "duties", "none"], default="auction")
    parser.add_argument(
        "--rare", action="store_true", help="draw faster if few hands are worth the contract"
    )
    parser.add_argument("--discards", choices=["keep-best", "uniform", "keep-trumps"])
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--spread", type=float, default=DEFAULT_SPREAD)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.rare and (args.what == "leads" or args.bidder != "model"):
        parser.error("--rare works only for the model's own bidder")
    {"calibration": calibration, "leads": leads, "differences": differences}[args.what](args)


if __name__ == "__main__":
    main()
