"""Solo Whist's Abundance with its trump still open (RULES 8): all entry points, by brute force.

The declarer names the trump just before playing the first card. Small packs are solved from the
rule itself, without the package; whole deals are compared with the tricks that each trump makes
after each lead.
"""

from __future__ import annotations

import random
from dataclasses import replace
from functools import lru_cache

import pytest

from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.table import table
from spadille.analysis.review.review import review
from spadille.analysis.value.card_values import card_values
from spadille.analysis.value.solve import solve
from spadille.base.card_text import CARD_ORDER, format_hand
from spadille.base.errors import ContractError, IllegalCardError, RulesError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.core.validate import play_findings
from spadille.games.common import each_suit, ordinary_trumps
from spadille.games.model.game import Rules
from spadille.games.solo_whist import SOLO_WHIST
from spadille.pbn.hand_file import read
from tests.support.tiers import part

SEATS = "NESW"


def small_game(size: int, target: int) -> Rules:
    """Return Solo Whist with `size` cards per suit and hand."""
    ranks = "AKQJT"[:size]
    contracts = {
        name: replace(kind, target=min(kind.target, target), trump_late=name == "abundance")
        for name, kind in SOLO_WHIST.contracts.items()
    }
    game = replace(
        SOLO_WHIST,
        id=f"small {size} {target}",
        ranks=ranks,
        hand_size=size,
        trump_ranking=ordinary_trumps(ranks),
        plain_ranking=each_suit(ranks),
        contracts=contracts,
        contract_variants={},
    )
    return Rules(game, {})


def small_deal(seed: int, size: int, target: int, dealer: str) -> Deal:
    rules = small_game(size, target)
    cards = [card for card in CARD_ORDER if card[1] in rules.game.ranks]
    random.Random(seed).shuffle(cards)
    hands = {
        seat: tuple(card for card in CARD_ORDER if card in cards[at * size : (at + 1) * size])
        for at, seat in enumerate(SEATS)
    }
    return Deal(rules, dealer, hands, current_trump="H")


class Brute:
    """Computes the tricks that North can force in Abundance, straight from the rule."""

    def __init__(self, deal: Deal) -> None:
        self.ranks = deal.rules.game.ranks
        self.hands = frozenset((seat, card) for seat in SEATS for card in deal.hands[seat] or ())
        self.leader = SEATS[(SEATS.index(deal.dealer) + 1) % 4]
        self.value = lru_cache(maxsize=None)(self._value)

    def after(self, play: tuple[str, ...], trump: str | None = None) -> int:
        """Return all of North's tricks after these cards; North's own cards come with a trump."""
        left, leader, trick, won = self.hands, self.leader, (), 0
        for card in play:
            left, leader, trick, more = self.played(left, leader, trick, card, trump)
            won += more
        return won + self.value(left, leader, trick, trump)

    def _value(
        self, left: frozenset, leader: str, trick: tuple[str, ...], trump: str | None
    ) -> int:
        if not left:
            return 0
        seat = SEATS[(SEATS.index(leader) + len(trick)) % 4]
        if seat == "N" and trump is None:
            return max(self.value(left, leader, trick, named) for named in "SDC")
        found = []
        for card in self.legal(left, seat, trick):
            *after, won = self.played(left, leader, trick, card, trump)
            found.append(won + self.value(*after, trump))
        return max(found) if seat == "N" else min(found)

    def legal(self, left: frozenset, seat: str, trick: tuple[str, ...]) -> list[str]:
        own = [card for owner, card in left if owner == seat]
        return [card for card in own if trick and card[0] == trick[0][0]] or own

    def played(
        self, left: frozenset, leader: str, trick: tuple[str, ...], card: str, trump: str | None
    ) -> tuple:
        seat = SEATS[(SEATS.index(leader) + len(trick)) % 4]
        left, trick = left - {(seat, card)}, (*trick, card)
        if len(trick) < 4:
            return left, leader, trick, 0
        best = max(
            trick,
            key=lambda c: (c[0] == trump, c[0] == trick[0][0], -self.ranks.index(c[1])),
        )
        winner = SEATS[(SEATS.index(leader) + trick.index(best)) % 4]
        return left, winner, (), int(winner == "N")


def beginnings(deal: Deal, contract: Contract, rng: random.Random) -> list[tuple[str, ...]]:
    """Yield random play up to each moment at which the trump is open."""
    position = Position.of(deal, contract)
    play: tuple[str, ...] = ()
    found = [play]
    while not position.naming:
        play = (*play, rng.choice(position.legal()))
        position.play(play[-1])
        found.append(play)
    return found


@pytest.mark.ci
@pytest.mark.parametrize("dealer", part(SEATS, 0, 4, some_slow=True))
@pytest.mark.parametrize("size", [2, 3, 4])
def test_every_entry_point_by_brute_force(size: int, dealer: str) -> None:
    rng = random.Random(size)
    seen = set()
    for seed in range({2: 30, 3: 25, 4: 4}[size]):
        target = rng.randint(1, size)
        deal = small_deal(seed, size, target, dealer)
        brute = Brute(deal)
        contract = Contract.make(deal, "abundance", "N")
        assert contract.trump is None
        for play in beginnings(deal, contract, rng):
            value = brute.after(play)
            position = Position.of(deal, contract)
            for card in play:
                position.play(card)
            of_cards = {}
            for card in position.legal():
                trumps = "SDC" if position.naming else (None,)
                of_cards[card] = max(brute.after((*play, card), trump) for trump in trumps)
            found = solve(deal, contract, play=play, leads=True, line=True)
            assert found.tricks == value
            assert found.leads == of_cards
            check_line(deal, play, found.line, found.named, brute, value)
            assert found.to_dict()["trump"] is None
            assert found.to_dict()["named"] == found.named
            paid = {tricks: 9 if tricks >= target else -9 for tricks in range(size + 1)}
            score = solve(deal, contract, play=play, objective="score", leads=True, line=True)
            assert score.secured is not None
            assert score.secured.payoff == paid[value]
            assert score.leads == {card: paid[each] for card, each in of_cards.items()}
            tricks = [card for trick in score.line for card in trick]
            assert paid[brute.after(tuple(tricks), score.named)] == paid[value]
            values = card_values(deal, contract, play, line=True)
            assert values.value == value
            assert {one.card: one.tricks for one in values.cards} == of_cards
            check_line(deal, play, values.line, values.named, brute, value)
            for one in values.cards:
                if position.naming:
                    assert brute.after((*play, one.card), one.named) == one.tricks
                    assert one.score["N"] == paid[one.tricks]
                else:
                    assert one.named is None
            seen.add((position.naming, found.tricks))
        reviewed = review(deal, contract, play, every=True)
        account, steps = reviewed.account, reviewed.steps
        assert account.result == brute.after(play)
        assert account.start + account.given - account.lost == account.result
        assert [step.before for step in steps] == [
            brute.after(play[:number]) for number in range(len(play))
        ]
        for number, step in enumerate(steps):
            kept = {
                card
                for _, card in brute.hands
                if card in solve(deal, contract, play=play[:number], leads=True).leads
                and brute.after((*play[:number], card)) == step.before
            }
            assert set(step.best) == (kept if step.after == step.before or step.best else set())
        rows = {row.trump: row for row in table(deal, ["abundance"]).rows if row.declarer == "N"}
        assert rows[None].tricks == brute.after(())
        assert {trump: rows[trump].tricks for trump in "SDC"} == {
            trump: brute.after((), trump) for trump in "SDC"
        }
        [offer] = best(deal, ["abundance"]).seats["N"]
        assert offer.trump is None
        assert offer.payoff == (9 if brute.after(()) >= target else -9)
    assert len(seen) > 2


def check_line(
    deal: Deal,
    play: tuple[str, ...],
    line: list[list[str]],
    named: str | None,
    brute: Brute,
    value: int,
) -> None:
    """Play a line by the rules and assert that every card of it keeps the value."""
    cards = [card for trick in line for card in trick]
    assert tuple(cards[: len(play)]) == play
    position = Position.of(deal, Contract.make(deal, "abundance", "N"))
    for number, card in enumerate(cards):
        if position.naming:
            assert named is not None
            position.name(named)
        position.play(card)
        if number >= len(play):
            assert brute.after(tuple(cards[: number + 1]), position.trump) == value
    assert position.finished
    assert position.won["N"] == value


# The value of waiting, and whole deals


def whole_deal(seed: int, dealer: str, timing: str = "at-first-turn") -> Deal:
    cards = list(CARD_ORDER)
    random.Random(seed).shuffle(cards)
    hands = [cards[i : i + 13] for i in range(0, 52, 13)]
    text = " ".join(format_hand(hand) for hand in hands)
    options = {"abundance_trump_timing": timing}
    return Deal.parse(f"N:{text}", "solo-whist", dealer=dealer, options=options, current_trump="H")


def test_waiting_can_win_a_trick() -> None:
    gains = set()
    for seed in range(45, 60):
        brute = Brute(small_deal(seed, 3, 1, "S"))
        gains.add(brute.after(()) - max(brute.after((), trump) for trump in "SDC"))
        if gains >= {0, 1}:
            break
    assert gains >= {0, 1}


@pytest.mark.parametrize("seed", range(3))
def test_whole_deals(seed: int) -> None:
    # South deals, so West leads before North plays.
    deal = whole_deal(seed, "S")
    contract = Contract.make(deal, "abundance", "N")
    found = solve(deal, contract, leads=True, line=True)
    assert found.leads is not None
    for lead, value in found.leads.items():
        fixed = [Contract.make(deal, "abundance", "N", trump) for trump in "SDC"]
        assert value == max(solve(deal, each, play=[lead]).tricks or 0 for each in fixed)
    assert found.tricks == min(found.leads.values())
    named = Contract.make(deal, "abundance", "N", found.named)
    cards = [card for trick in found.line for card in trick]
    position = Position.of(deal, named)
    for card in cards:
        position.play(card)
    assert position.won["N"] == found.tricks


def test_the_declarer_who_leads_names_the_best_trump() -> None:
    deal = whole_deal(2, "W")
    found = solve(deal, Contract.make(deal, "abundance", "N"), line=True)
    fixed = {t: solve(deal, Contract.make(deal, "abundance", "N", t)).tricks for t in "SDC"}
    assert found.tricks == max(each or 0 for each in fixed.values())
    assert fixed[found.named or ""] == found.tricks


def test_a_trump_that_is_named_is_played_in_both_timings() -> None:
    for trump in "SDC":
        values = set()
        for timing in ("at-first-turn", "before-play"):
            deal = whole_deal(1, "S", timing)
            contract = Contract.make(deal, "abundance", "N", trump)
            found = solve(deal, contract, line=True)
            assert "named" not in found.to_dict()
            values.add(found.tricks)
        assert len(values) == 1


def test_before_play_the_trump_must_be_named() -> None:
    deal = whole_deal(1, "S", "before-play")
    with pytest.raises(ContractError) as caught:
        Contract.make(deal, "abundance", "N")
    assert caught.value.code == "trump-missing"
    assert {row.trump for row in table(deal, ["abundance"]).rows} == {*"SDC"}
    assert all(offers[0].trump for offers in best(deal, ["abundance"]).seats.values())
    anna = Deal.parse("N:- - - -", "anna-cubed", current_trump="H")
    with pytest.raises(ContractError):
        Contract.make(anna, "abundance", "N")


def test_an_end_position_has_a_trump() -> None:
    ending = Deal.parse("N:AK... .AK.. ..AK. ...AK", "solo-whist", current_trump="H", leader="N")
    with pytest.raises(ContractError) as caught:
        Contract.make(ending, "abundance", "N")
    assert caught.value.code == "trump-missing"
    with pytest.raises(ContractError) as caught:
        solve(ending, Contract(("N",), ("abundance",), None))
    assert caught.value.code == "trump-missing"
    assert {row.trump for row in table(ending, ["abundance"]).rows} == {*"SDC"}


# The referee and recorded play


def test_the_referee_waits_for_the_trump() -> None:
    deal = small_deal(1, 3, 1, "S")
    position = Position.of(deal, Contract.make(deal, "abundance", "N"))
    with pytest.raises(RulesError):
        position.name("S")  # West is to play
    position.play(position.legal()[0])
    assert position.naming
    card = position.legal()[0]
    for attempt in (position.play, position.force):
        with pytest.raises(IllegalCardError) as caught:
            attempt(card)
        assert caught.value.code == "trump-missing"
    with pytest.raises(RulesError):
        position.name("H")  # the current trump
    position.name("D")
    with pytest.raises(RulesError):
        position.name("S")
    position.play(card)
    position.undo()
    assert position.naming
    position.name("C")
    position.play(card)
    position.play(position.legal()[0])
    position.undo()
    assert position.trump == "C"


HANDS = "N:AKQJ9.2.AKQ5.K43 T87.AK843.J2.QJ2 65.QJT975.T98.A5 432.6.7643.T9876"


def entry_of(*tags: str):
    head = ['[Game "solo-whist"]', '[Dealer "S"]', f'[Deal "{HANDS}"]', '[TurnUp "HQ"]']
    [entry] = read("\n".join([*head, '[Declarer "N"]', '[Contract "abundance"]', *tags]))
    return entry


def test_play_goes_as_far_as_the_trump_is_known() -> None:
    entry = entry_of('[Play "W"]', "H6 H2 H3 H7", "C6 S9 H4 H5 *")
    assert entry.contract is not None
    assert entry.contract.trump is None
    assert entry.play is not None
    assert entry.play.cards == ("H6",)
    [fault] = entry.faults
    assert (fault.code, fault.tag, fault.text, fault.line, fault.column) == (
        "trump-missing",
        "Play",
        "H2",
        8,
        4,
    )
    assert "name it with Trump" in fault.message
    found = [
        one.fault.code for one in play_findings(entry.deal, entry.contract, ["H6", "H2", "HA"])
    ]
    assert found == ["trump-missing"]
    reviewed = review(entry.deal, entry.contract, ["H6", "H2"])
    assert len(reviewed.steps) == 1
    assert reviewed.error is not None
    assert reviewed.error.code == "trump-missing"
    with pytest.raises(IllegalCardError):
        solve(entry.deal, entry.contract, play=["H6", "H2"])


def test_cards_behind_an_unknown_trump_are_still_those_of_their_players() -> None:
    entry = entry_of('[Play "W"]', "H6 H2 H3 H7", "C6 S9 H4 HA *")
    assert [(fault.code, fault.text, fault.line, fault.column) for fault in entry.faults] == [
        ("trump-missing", "H2", 8, 4),
        ("card-not-held", "HA", 9, 10),
    ]


def test_play_needs_no_trump_before_the_declarer_s_first_card() -> None:
    entry = entry_of('[Play "W"]', "H6 *")
    assert entry.faults == []
    assert entry.play is not None
    assert entry.play.cards == ("H6",)


def test_with_a_trump_the_whole_play_is_valued_in_it() -> None:
    entry = entry_of('[Trump "S"]', '[Play "W"]', "H6 H2 H3 H7", "C6 S9 H4 H5 *")
    assert entry.faults == []
    assert entry.play is not None
    steps = review(entry.deal, entry.contract, entry.play.cards).steps
    assert steps[0].before == solve(entry.deal, entry.contract).tricks


def test_payoffs_of_another_turn_up_suit_are_not_remembered() -> None:
    """For one contract on two deals, the suit that may not be named is that of each deal."""
    for turned, makes in (("S", True), ("C", False), ("D", True)):
        whole = "AKQJT98765432"
        hands = f"N:{whole}... .{whole}.. ..{whole}. ...{whole}"
        deal = Deal.parse(hands, "solo-whist", dealer="W", current_trump=turned)
        found = solve(deal, "W abundance", objective="score").secured
        assert found is not None
        assert found.payoff == (9 if makes else -9)
        (offer, *_) = best(deal, "abundance").seats["W"]
        assert (offer.payoff, offer.makes) == (found.payoff, makes)
