"""Claims from a seat: the page offers those that settle the payoff, and accepts those that hold."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import spadille
from spadille import Contract, Deal, Position, know
from spadille.core.recorded_outcome import endings
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.encoding import situation
from spadille.search.first_run import gone_on, may_stop
from tests.pages.test_computer_players import DESK, MODULES, decisions, given, wasm
from tests.support.page_scripts import run
from tests.support.tiers import games_by_tier

OFFERED = """async ({ cases, wasm }) => {
    const engine = await Engine.load(Buffer.from(wasm, "base64"));
    return cases.map(({ game, deal, moves, payoffs, ...given }) => {
        const course = new Course(engine, game, deal, contractOf(given.contract, game));
        course.go(moves);
        return game.seats.map((seat) => claimsOf(course, payoffs, seat)
            .map(({ tricks, paid }) => [tricks, paid]));
    });
}"""


@dataclass(frozen=True)
class Cards:
    """Recorded play in the form that `endings` reads."""

    tricks: tuple[tuple[str, ...], ...]
    leaders: tuple[str, ...]
    in_progress: bool = True

    @classmethod
    def of(cls, deal: Deal, contract: Contract, cards: list[str]) -> Cards:
        position = Position.of(deal, contract)
        tricks: list[list[str]] = []
        leaders = []
        for card in cards:
            if not position.trick:
                leaders.append(position.to_play)
                tricks.append([])
            tricks[-1].append(card)
            position.play(card)
        return cls(tuple(map(tuple, tricks)), tuple(leaders))


Ended = tuple[Outcome, dict[str, int], str]


def possible(deal: Deal, contract: Contract, cards: list[str]) -> list[Ended]:
    """List every way in which a hand can end, with all payoffs and the name of the outcome."""
    ends = endings(deal, contract, Cards.of(deal, contract, cards))
    name, score = deal.rules.outcome_name, deal.rules.score
    return [(end, score(deal, contract, end), name(contract, end)) for end in ends]


def settled(
    deal: Deal, contract: Contract, cards: list[str], seat: str, ends: list[Ended]
) -> list[tuple[int, int]]:
    """List the claims whose payoff the record of the hand settles, from the rules alone."""
    rules, side = deal.rules, contract.side
    kind = rules.contracts[contract.ids[0]]
    at = situation(deal, contract, cards)
    stops = may_stop(contract, at)
    won = dict(zip(rules.turn_order, at.won, strict=True))
    left = rules.game.hand_size - sum(won.values())
    if kind.aim == "misere":
        claims = [0] if seat == contract.declarer and not won[seat] else []
        mine = [seat]
    else:
        claims = list(range(left, -1, -1))
        mine = [each for each in rules.seats if (each in side) == (seat in side)]
        if (stops or gone_on(contract, at)) and seat in rules.runners(contract):
            mine = list(rules.runners(contract))
    found = []
    for count in claims:
        total = sum(won[each] for each in mine) + count
        results = {
            (paid[seat], name if kind.aim == "most" else "")
            for end, paid, name in ends
            if sum(end.tricks[each] for each in mine) == total
            # A side that claims fewer than all tricks does not go on.
            and (not stops or end.went_on == (count == (left if mine[0] in side else 0)))
        }
        if len(results) == 1:
            found.append((count, results.pop()[0]))
    return found


@pytest.mark.ci
@pytest.mark.parametrize("game", games_by_tier("quadrille"))
def test_the_claims_offered_are_those_that_settle_the_payoff(game: str) -> None:
    cases = [
        case
        for seed in range(60, 64)
        for case in decisions(game, seed, keen=seed % 2 > 0, every=True)[seed % 5 :: 5]
        if len(case[1].declarers) == 1
    ]
    found = run(
        MODULES,
        OFFERED,
        {"cases": [given(*case[:3]) for case in cases], "wasm": wasm()},
    )
    for (deal, contract, cards, _), offered in zip(cases, found, strict=True):
        ends = possible(deal, contract, cards)
        for seat, claims in zip(deal.rules.seats, offered, strict=True):
            wanted = settled(deal, contract, cards, seat, ends)
            assert [(tricks, paid) for tricks, paid in claims] == wanted, (contract, cards, seat)
    assert sum(len(claims) for offered in found for claims in offered) > 50


CLAIM = """async ({ cases, wasm }) => {
    const engine = await Engine.load(Buffer.from(wasm, "base64"));
    const found = [];
    for (const { game, deal, contract, seat, tricks, ...given } of cases) {
        const desk = new Desk(engine, ({ claim }) => { if (claim) found.push(claim); });
        await desk.take({ id: 1, ask: "claim", game, deal, contract: contractOf(contract, game),
            seat, tricks, seed: 3, ...given });
    }
    return found;
}"""


def sure(deal: Deal, contract: Contract, cards: list[str]) -> int:
    """Return how many further tricks the side to move can win double-dummy."""
    position = Position.of(deal, contract)
    for card in cards:
        position.play(card)
    ours = spadille.solve(deal, contract, play=cards).tricks
    assert ours is not None
    won = sum(position.won[seat] for seat in contract.side)
    left = deal.rules.game.hand_size - sum(position.won.values())
    return ours - won if position.to_play in contract.side else left - (ours - won)


@pytest.mark.ci
@pytest.mark.parametrize("game", ["mensch", "solo-whist"])
def test_a_claim_must_hold_whatever_the_player_cannot_see(game: str) -> None:
    cases = [
        case
        for seed in range(70, 90)
        for case in decisions(game, seed)
        if case[0].rules.contracts[case[1].ids[0]].aim == "tricks"
        and know(*case[:2], None, case[2]).layouts.count < 40
    ]
    asked, wanted = [], []
    for deal, contract, cards, position in cases:
        known = know(deal, contract, None, cards)
        layouts = [known.layouts.unrank(rank) for rank in range(known.layouts.count)]
        most = [sure(known.deal_of(each), known.contract_of(each), cards) for each in layouts]
        real = sure(deal, contract, cards)
        for tricks in {min(most), real, real + 1} & set(range(1, len(position.hands[known.seat]))):
            rare = 0 < sum(each < tricks for each in most) < len(most) / 2
            if not rare or real < tricks:
                claim = {"seat": known.seat, "tricks": tricks}
                asked.append(given(deal, contract, cards) | claim)
                wanted.append((min(most) >= tricks, real))
    found = run(DESK, CLAIM, {"cases": asked, "wasm": wasm()})
    assert [(claim["good"], claim["best"]) for claim in found] == wanted
    held = [real >= each["tricks"] for each, (_, real) in zip(asked, wanted, strict=True)]
    assert 0 < sum(good for good, _ in wanted) < sum(held)


@pytest.mark.ci
def test_a_claim_that_cannot_be_proved_in_time_is_not_decided() -> None:
    """A claim of no more tricks needs no proof."""
    deal, contract, cards, position = decisions("solo-whist", 7, every=True)[0]
    assert contract.ids == ("solo",)
    tricks = [0, 1, len(position.hands[position.to_play])]
    asked = [
        given(deal, contract, cards) | {"seat": position.to_play, "tricks": number, "patience": 0}
        for number in tricks
    ]
    found = run(DESK, CLAIM, {"cases": asked, "wasm": wasm()})
    none, one, every = (claim["good"] for claim in found)
    assert none is True
    assert one is None
    assert every is not True
