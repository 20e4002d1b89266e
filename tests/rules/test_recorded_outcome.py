"""The possible outcomes of a record include the real one; if that is recorded, no other."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

import pytest

from spadille.base.errors import RulesError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.core.recorded_outcome import endings
from spadille.games import GAMES, rules_for
from spadille.games.model.contract_types_and_options import Outcome, Surrender
from spadille.search.encoding import situation
from spadille.search.verdict import ended
from tests.support.deals_and_outcomes import random_deal
from tests.support.evenings import anything, played
from tests.support.random_endings import case, contract_of, some_trump
from tests.support.tiers import part, tries

KINDS = [(game, kind) for game in GAMES for kind in rules_for(game).contracts]


@dataclass(frozen=True)
class Cards:
    """Recorded play."""

    tricks: tuple[tuple[str, ...], ...]
    leaders: tuple[str, ...]
    in_progress: bool = False

    @classmethod
    def of(cls, deal: Deal, contract: Contract, cards: list[str], plus: bool = False) -> Cards:
        position = Position.of(deal, contract)
        leaders = []
        for card in cards:
            if not position.trick:
                leaders.append(position.to_play)
            position.play(card)
        size = len(deal.rules.seats)
        rows = tuple(tuple(cards[at : at + size]) for at in range(0, len(cards), size))
        return cls(rows, tuple(leaders), plus)


def full(game: str, kind: str, seed: int) -> tuple[Deal, Contract]:
    random = Random(f"{game} {kind} {seed}")
    rules = rules_for(game)
    while True:
        deal = random_deal(rules, random)
        terms = rules.contracts[kind]
        contract = contract_of(deal, terms, some_trump(rules, terms, random), random)
        try:
            Position.of(deal, contract)
        except RulesError:
            continue
        return deal, contract


def what_happened(deal: Deal, contract: Contract, cards: list[str]) -> Outcome | None:
    """Return the end that the engine's verdicts imply."""
    return ended(contract, situation(deal, contract, cards))


def paid(deal: Deal, contract: Contract, found: Outcome) -> dict[str, int]:
    return deal.rules.score(deal, contract, found)


@pytest.mark.parametrize(("game", "kind"), part(KINDS, 0, 2))
def test_what_happened_is_among_it(game: str, kind: str) -> None:
    random = Random(f"{game} {kind}")
    for seed in range(tries(4, 6)):
        deal, contract = full(game, kind, seed)
        if seed % 2:
            deal, contract = case(game, "", kind, seed)
        cards = played(deal, contract, anything(seed))
        truth = what_happened(deal, contract, cards)
        whole = [*endings(deal, contract, Cards.of(deal, contract, cards))]
        if truth is None:  # an end position does not record which tricks of a Nemo were clean
            assert (kind, whole) == ("nemo", [])
            continue
        assert {str(paid(deal, contract, one)) for one in whole} == {
            str(paid(deal, contract, truth))
        }
        # The record ends anywhere, with or without a claim.
        own = sum(truth.tricks[seat] for seat in contract.side)
        for _ in range(3):
            number = random.randrange(len(cards))
            part = Cards.of(deal, contract, cards[:number], plus=True)
            for result in (None, own):
                found = [*endings(deal, contract, part, result)]
                gains = [paid(deal, contract, one) for one in found]  # each must be possible
                # A player who goes on without saying so, and then claims, has not gone on.
                hidden = truth.went_on and result is not None and own < deal.rules.game.hand_size
                if kind == "nemo":
                    assert paid(deal, contract, truth) in gains or len(set(map(str, gains))) > 1
                elif not hidden or any(one.went_on for one in found):
                    assert paid(deal, contract, truth) in gains


def test_a_claim_tells_the_tricks_of_the_side() -> None:
    deal, contract = full("solo-whist", "prop-cop", 1)
    for result in range(14):
        found = [*endings(deal, contract, None, result)]
        sums = {sum(one.tricks[seat] for seat in contract.side) for one in found}
        assert sums == {result}
    # An impossible result is ignored.
    assert len([*endings(deal, contract, None, 14)]) == len([*endings(deal, contract)]) == 560


def test_who_claims_all_has_gone_on_and_nobody_else() -> None:
    deal, contract = full("german-solo", "solo", 1)
    assert {one.went_on for one in endings(deal, contract, None, 8)} == {True}
    for result in range(8):
        assert {one.went_on for one in endings(deal, contract, None, result)} == {False}


def test_the_first_run_is_open_where_nothing_tells_it() -> None:
    deal, contract = full("ombre", "solo", 1)

    def runs(result: int) -> set[str | None]:
        return {one.first_run for one in endings(deal, contract, None, result)}

    assert runs(9) == {"won"}
    assert runs(8) == {"won", None}
    assert runs(5) == {"won", None}
    assert runs(4) == {"lost", None}
    assert runs(0) == {"lost"}
    opponents = {
        tuple(sorted(tricks for seat, tricks in one.tricks.items() if seat != contract.declarer))
        for one in endings(deal, contract, None, 4)
    }
    assert opponents == {(0, 5), (1, 4), (2, 3)}


def test_a_surrender_needs_no_play() -> None:
    deal, contract = full("ombre", "entrada", 1)
    given_up = Surrender(contract.declarer, 2)
    (found,) = endings(deal, contract, None, None, given_up)
    assert found.surrender == given_up
    # A player who takes over is paid for the contract they play.
    other = next(seat for seat in deal.rules.seats if seat != contract.declarer)
    taken = replace(given_up, taken_over=other)
    for seed in range(8):
        cards = played(deal, contract, anything(seed))
        truth = what_happened(deal, contract.taken_over(other), cards)
        (found,) = endings(deal, contract, Cards.of(deal, contract, cards), None, taken)
        assert truth is not None
        assert (found.tricks, found.first_run) == (truth.tricks, truth.first_run)
    for result in range(10):
        ends = [*endings(deal, contract, None, result, taken)]
        assert {one.tricks[other] for one in ends} == {result}


def test_an_end_position_must_account_for_its_tricks() -> None:
    deal, contract = case("mensch", "", "half", 1)
    assert [*endings(deal, contract)]
    assert [*endings(replace(deal, won={}), contract)] == []
    deal, contract = case("squint", "", "nemo", 1)
    won = {"1": 10 - len(deal.hands["1"] or ())}
    assert [*endings(replace(deal, won=won), contract)] == []


# The tricks for which Result alone does not settle the hand, since more counts than the side's
# tricks (see docs/score.md).
UNSETTLED = {
    ("ombre", "entrada"): range(9),
    ("ombre", "vuelta"): range(9),
    ("ombre", "solo"): range(9),
    **{("quadrille", kind): range(6, 10) for kind in rules_for("quadrille").contracts},
    **{("quintille", kind): range(5, 8) for kind in rules_for("quintille").contracts},
    ("german-solo", "frog"): [8],
    ("squint", "solo"): range(6),
    ("squint", "nemo"): range(11),
}


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_where_the_result_alone_settles_a_hand(game: str, kind: str) -> None:
    rules = rules_for(game)
    deals = (full(game, kind, seed) for seed in range(1, 20))
    deal, contract = next(
        each for each in deals if each[1].partner or rules.contract(kind).side != "called"
    )
    several = len(contract.declarers) > 1 and contract.penalty is None
    for tricks in range(rules.game.hand_size + 1):
        paid = {
            tuple(rules.score(deal, contract, end).items())
            for end in endings(deal, contract, None, tricks)
        }
        open_ = several or tricks in UNSETTLED.get((game, kind), ())
        assert (len(paid) > 1) == open_, tricks
