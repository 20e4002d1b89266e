"""Refutations are legal, their cards best for each side, and the cost is due only at the end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from spadille.analysis.review.card_costs import ReviewedCard
from spadille.analysis.review.refutation import Refutation
from spadille.analysis.review.review import review
from spadille.analysis.review.review_result import Review
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.limits import Limits
from tests.analysis.test_review import Trace, games_and_contracts, random_play
from tests.support import brute_force
from tests.support.deals_and_outcomes import random_deal
from tests.support.game_option_cases import CASES
from tests.support.random_endings import case, contract_of, some_trump
from tests.support.tiers import each_of, part

FEW = Limits(hard_nodes=100_000)


def marked(found: Review) -> Iterator[tuple[int, ReviewedCard, str, Refutation]]:
    """Yield each card with a refutation; every card judged for a declarer must have one."""
    for i, step in enumerate(found.steps):
        own = [step.seat] if found.several and step.seat in step.contractors else step.contractors
        assert list(step.refutations) == [seat for seat in own if step[seat].cost]
        for seat, why in step.refutations.items():
            yield i, step, seat, why


def cards(line: Iterable[Any]) -> list[str]:
    return [card for trick in line for card in trick.cards]


def replayed(deal: Deal, contract: Contract, play: list[str], why: Refutation) -> Position:
    """Play the refutation by the slow rules; the leaders and winners must be the stated ones."""
    position = Position.of(deal, contract)
    for card in play:
        position.play(card)
    done = len(position.tricks)
    on_table = [card for _, card in position.trick]
    line = cards(why.tricks)
    assert line[: len(on_table)] == on_table
    assert line[len(on_table)] == why.card
    for card in line[len(on_table) :]:
        if position.naming:
            position.name(why.trump or "")
        position.play(card)
    assert not position.trick
    told = [(trick.leader, trick.cards, trick.winner) for trick in position.tricks[done:]]
    assert told == [tuple(trick) for trick in why.tricks]
    return position


def ends(trace: Trace, table: brute_force.Table, state: Any) -> set[float]:
    """Return all results a hand can still have, however badly everybody plays."""
    expected = trace.expected

    @cache
    def all_ends(table: brute_force.Table, state: Any) -> frozenset[float]:
        found: set[float] = set()
        over = True
        for _, after, won, taken in expected.judge.moves(table):
            over = False
            become = state if won < 0 else expected.payoff.step(state, won, taken)
            found |= all_ends(after, become)
        return frozenset(found) if not over else frozenset([expected.payoff.final(state)])

    return set(all_ends(table, state))


def places(trace: Trace, at: Any, line: list[str]) -> list[tuple[brute_force.Table, Any]]:
    """Return the tables and states along a line, from the first card of the deal."""
    table, state = brute_force.root(at.problem), trace.expected.payoff.start
    found = [(table, state)]
    for card in line:
        for number, after, won, taken in trace.expected.judge.moves(table):
            if at.encoding.names[number] == card:
                state = state if won < 0 else trace.expected.payoff.step(state, won, taken)
                table = after
                break
        found.append((table, state))
    return found


@pytest.mark.first_cases(1)
@each_of(CASES, 0, 8)
def test_endings_against_brute_force(game: str, options: str, contract_id: str) -> None:
    check_endings(game, options, contract_id, range(41, 43))


@pytest.mark.slow
@pytest.mark.parametrize(("game", "options", "contract_id"), CASES)
def test_endings_at_length(game: str, options: str, contract_id: str) -> None:
    check_endings(game, options, contract_id, range(100, 120))


def check_endings(game: str, options: str, contract_id: str, seeds: Iterable[int]) -> None:
    for seed in seeds:
        deal, contract = case(game, options, contract_id, seed)
        play = random_play(deal, contract, Random(f"{game} {options} {contract_id} {seed}"))
        check_against_brute_force(deal, contract, play)


@pytest.mark.ci
def test_soloists_against_brute_force() -> None:
    for seed in range(12):
        deal, _ = case("squint", "", "misere", seed)
        seats = Random(seed).sample(deal.rules.seats, 3)
        contract = Contract.make(deal, ("ace-solo", "misere", "ace-solo"), seats)
        check_against_brute_force(deal, contract, random_play(deal, contract, Random(seed)))


def test_a_lost_trick_may_end_the_hand_before() -> None:
    """A refutation ends at the trick that loses a Tout, even if the cost is not due by then."""
    early = 0
    for seed in range(40):
        random, rules = Random(seed), rules_for("german-solo")
        deal = random_deal(rules, random)
        contract = deal.contract("tout", random.choice("NESW"), trump=random.choice("SHDC"))
        play = random_play(deal, contract, random, cards=4)
        found = review(deal, contract, play, refutations=True)
        for i, step, seat, why in marked(found):
            position = replayed(deal, contract, play[:i], why)
            assert why.due or position.lost_at is not None
            early += not why.due
            check_words(deal, contract, found, step, seat, why)
    assert early


def check_against_brute_force(deal: Deal, contract: Contract, play: list[str]) -> None:
    found = review(deal, contract, play, refutations=True)
    plain = review(deal, contract, play)
    assert [step.to_dict() for step in plain.steps] == [
        {k: v for k, v in step.to_dict().items() if k not in ("refutation", "better_line", "words")}
        for step in found.steps
    ]
    assert not any(step.refutations for step in plain.steps)
    at = situation(deal, contract)
    for i, step, seat, why in marked(found):
        before, after = step[seat].before, step[seat].after
        position = replayed(deal, contract, play[:i], why)
        done = i % len(deal.rules.seats)
        line = play[: i - done] + cards(why.tricks)
        trace = Trace(deal, contract, seat, line)
        # There are no errors after the card, and no errors at all in the better line.
        assert trace.values[i] == before
        assert set(trace.values[i + 1 :]) == {after}
        better = Trace(deal, contract, seat, play[: i - done] + cards(why.better))
        assert set(better.values[i:]) == {before}
        assert cards(why.better)[done] == why.instead != step.card
        # The whole cost is due at the end of the line, whatever follows, and was not due before.
        table, state = places(trace, at, line)[-1]
        came = ends(trace, table, state)
        assert all(not is_better(trace, why.gains, value, after) for value in came) or not why.due
        if not why.due:
            assert position.lost_at is not None
        if len(why.tricks) > 1:
            size = len(deal.rules.seats)
            table, state = places(trace, at, line)[-1 - size]
            came = ends(trace, table, state)
            assert any(is_better(trace, why.gains, value, after) for value in came)
        check_words(deal, contract, found, step, seat, why)


def is_better(trace: Trace, gains: bool, value: float, after: Any) -> bool:
    """Return whether a final value is better for the losing side than the result after the card."""
    word = trace.words(trace.expected.show(value))
    ranked = list(dict.fromkeys(trace.words(trace.expected.show(v)) for v in trace.targets))[::-1]
    one, other = ranked.index(word), ranked.index(after)
    return one > other if gains else one < other


@pytest.mark.parametrize(("game", "contract_id"), part(games_and_contracts(), 0, 5))
def test_whole_hands(game: str, contract_id: str) -> None:
    """Best play after a card costs nothing in a review, and neither does the better line."""
    random, solver = Random(f"why {game} {contract_id}"), Solver()
    rules = rules_for(game)
    kind = rules.contract(contract_id)
    deal = random_deal(rules, random)
    contract = contract_of(deal, kind, some_trump(rules, kind, random), random)
    play = mistaken(deal, contract, random, solver)
    found = review(deal, contract, play, refutations=True, solver=solver, limits=FEW)
    for i, step, seat, why in list(marked(found))[:4]:
        replayed(deal, contract, play[:i], why)
        done = i % len(rules.seats)
        for tricks, first in ((why.tricks, i + 1), (why.better, i)):
            line = play[: i - done] + cards(tricks)
            again = review(deal, contract, line, solver=solver, limits=FEW)
            if again.unit != found.unit:
                continue
            value = step[seat].after if first > i else step[seat].before
            for other in again.steps[first:]:
                assert (other[seat].before, other[seat].after) == (value, value)
        check_words(deal, contract, found, step, seat, why)


def mistaken(deal: Deal, contract: Contract, random: Random, solver: Solver) -> list[str]:
    """Return cards as from a line of best play, every fifth chosen at random."""
    position = Position.of(deal, contract)
    play: list[str] = []
    line: list[str] = []
    while not position.finished:
        if not line:
            result = solve(deal, contract, play=play, line=True, solver=solver, limits=FEW)
            one = result.contractors[random.choice(contract.declarers)]
            line = [card for trick in one.line or [] for card in trick][len(position.trick) :]
        card = line.pop(0) if line else random.choice(position.legal())
        if random.random() < 0.2:
            other = random.choice(position.legal())
            card, line = other, line if other == card else []
        position.play(card)
        play.append(card)
    return play


RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "T", "nine": "9", "eight": "8"}
RANKS |= {"seven": "7", "six": "6", "five": "5", "four": "4", "three": "3", "two": "2"}
SUITS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
SEAT = r"(?:North|East|South|West|[Pp]layer \d)"
CARD = r"the \w+(?: of \w+)?"
OWNED = rf"{SEAT}'s \w+(?: of \w+)?"
VERBS = "wins|ruffs|beats|captures|overruffs|drops|cashes|takes|leads"
ACTIONS = (
    rf"(?P<verb>wins|ruffs) with (?P<card>{CARD})(?:, capturing (?P<later>{OWNED}))?",
    rf"(?P<verb>beats|captures|overruffs|drops) (?P<over>it|{OWNED}) with (?P<card>{CARD})",
    r"(?P<verb>cashes|takes a trick with|takes tricks with) (?P<list>the .+)",
    rf"(?P<verb>leads) (?P<lead>a \w+|{CARD}) to (?P<owned>{OWNED})"
    rf"(?:, which captures (?P<over>{OWNED}))?",
    rf"(?P<verb>leads) (?P<lead>a \w+), which (?P<winner>{SEAT}) ruffs with (?P<card>{CARD})"
    rf"(?:, capturing (?P<later>{OWNED}))?",
    rf"(?P<verb>leads) (?P<lead>a \w+), which (?P<loser>{SEAT}) ruffs with (?P<ruff>{CARD})"
    rf" and (?P<winner>{SEAT}) overruffs with (?P<card>{CARD})",
)


class Facts:
    """The course of the tricks, computed slowly by the referee."""

    def __init__(self, deal: Deal, contract: Contract, seat: str, why: Refutation) -> None:
        rules = deal.rules
        self.rules, self.why, self.trump = rules, why, why.trump
        self.side = {seat} if len(contract.declarers) > 1 else set(contract.side)
        self.tricks = list(why.tricks)
        ranked = rules.trump_cards(why.trump) if why.trump not in (None, "NT") else ()
        names = {
            "german-solo": ("the Spadilla", "the Manille", "the Basta"),
            **dict.fromkeys(
                ("ombre", "quadrille", "quintille"), ("the Spadille", "the Manille", "the Basto")
            ),
        }.get(rules.game.id, ())
        self.names = dict(zip(names, ranked, strict=False))

    def held(self, seat: str) -> str:
        """Return the card a seat played to the current trick."""
        trick = self.tricks[0]
        return trick.cards[self.rules.in_turn(trick.leader).index(seat)]

    def is_named(self, name: str, card: str) -> bool:
        if card in self.names.values() or name in self.names:
            return self.names.get(name) == card
        rank, _, suit = name.removeprefix("the ").partition(" of ")
        return RANKS[rank] == card[1] and (not suit or SUITS[suit] == card[0])

    def owned(self, text: str) -> tuple[str, str]:
        """Return the seat and the card of "North's king" or "Player 2's Manille"."""
        who, _, name = text.partition("'s ")
        seat = seat_of(who)
        card = self.held(seat)
        assert self.is_named(f"the {name}", card), text
        return seat, card

    def happened(self, subject: str, action: re.Match[str]) -> None:
        """Check what an action says about the next trick or tricks, and move past them."""
        fields = action.groupdict()
        if "list" in fields:
            names = [
                f"the {rank} of {suit}" if suit else f"the {name}"
                for ranks, suit, name in re.findall(
                    r"the (\w+(?:(?:, | and )\w+)*) of (\w+)|the (\w+)", fields["list"]
                )
                for rank in (re.split(", | and ", ranks) if ranks else [""])
            ]
            assert ("a trick" in fields["verb"]) <= (len(names) == 1)
            for name in names:
                self.cashed(subject, name)
            return
        verb, trick = fields["verb"], self.tricks[0]
        winner, suit_of = trick.winner or "", self.rules.suit_of(self.trump)
        led, best = trick.cards[0], self.held(trick.winner or "")
        ruffed = suit_of[best] != suit_of[led]
        if verb == "leads":
            assert subject == trick.leader != winner
            if fields["lead"].startswith("a "):
                trumps = suit_of[led] == self.trump
                suit = fields["lead"].removeprefix("a ") + "s"
                assert suit == "trumps" if trumps else SUITS[suit] == suit_of[led]
            else:
                assert self.is_named(fields["lead"], led)
                self.check_beaten(led)
            if ruffed:
                assert seat_of(fields["winner"]) == winner
                assert self.is_named(fields["card"], best)
            else:
                assert self.owned(fields["owned"]) == (winner, best)
        else:
            first = len(self.tricks) == len(self.why.tricks)
            assert first == (verb != "drops")
            assert first or subject == trick.leader
            self.named(subject, winner, fields["card"], best)
            if first and trick.cards.index(best) < trick.cards.index(self.why.card):
                # Whatever the winning card beat, it did so before the wrong card was played.
                assert verb == "wins"
                self.tricks.pop(0)
                return
            assert verb == "captures" or ruffed == verb.endswith("ruffs")
        over = fields.get("later") or fields.get("over")
        if "ruff" in fields:
            over = f"{fields['loser']}'s {fields['ruff'].removeprefix('the ')}"
        if over is not None and (ruffed or verb in ("beats", "captures")):
            card = self.why.card if over == "it" else self.owned(over)[1]
            after = trick.cards.index(card) > trick.cards.index(best)
            assert after == (verb == "captures" or bool(fields.get("later")))
        self.passed_on(over, fields.get("lead", "a "))

    def passed_on(self, over: str | None, lead: str = "a ") -> None:
        """Check which honor was beaten in a trick, and move past the trick."""
        if over == "it":
            self.check_beaten(self.why.card)
        elif over is not None:
            self.check_beaten(self.owned(over)[1])
        elif lead.startswith("a "):
            self.check_beaten(None)
        self.tricks.pop(0)

    def check_beaten(self, card: str | None) -> None:
        trick, suit_of = self.tricks[0], self.rules.suit_of(self.trump)
        winner, best = trick.winner or "", self.held(trick.winner or "")
        fallen = [
            card
            for seat, card in zip(self.rules.in_turn(trick.leader), trick.cards, strict=True)
            if (seat in self.side) != (winner in self.side)
            and suit_of[card] == suit_of[best]
            and (card in self.names.values() or card[1] in "AKQ")
        ]
        ranked = self.rules.suits(self.trump)[suit_of[best]]
        assert card == min(fallen, key=ranked.index, default=None)

    def named(self, subject: str, winner: str, name: str, best: str) -> None:
        assert subject == winner
        assert self.is_named(name, best), (name, best)

    def cashed(self, subject: str, name: str) -> None:
        trick = self.tricks[0]
        assert subject == trick.leader
        self.named(subject, trick.winner or "", name, trick.cards[0])
        self.passed_on(None)


def seat_of(who: str) -> str:
    return who[0] if who[0] in "NESW" else who[-1]


def check_words(
    deal: Deal, contract: Contract, found: Review, step: ReviewedCard, seat: str, why: Refutation
) -> None:
    """Parse the sentences: each is true, and together they explain every trick of the line."""
    facts = Facts(deal, contract, seat, why)
    *story, end = why.words.removesuffix(".").split(". ")
    opening = re.match(
        rf"After (?P<who>{SEAT}) (?P<verb>leads|plays|discards) (?P<name>{CARD}), "
        rf"|(?:After )?(?P<card>{OWNED})"
        rf" (?:wins the trick|(?P<won>beats|captures) (?P<over>{OWNED}))(?:, |$)",
        story[0],
    )
    assert opening, story[0]
    first = facts.tricks[0]
    if opening["card"]:
        assert facts.owned(opening["card"]) == (step.seat, why.card)
        assert first.winner == step.seat
        if opening["over"]:
            later = first.cards.index(facts.owned(opening["over"])[1])
            assert (later > first.cards.index(why.card)) == (opening["won"] == "captures")
        facts.passed_on(opening["over"])
    else:
        assert seat_of(opening["who"]) == step.seat
        assert facts.held(step.seat) == why.card
        assert facts.is_named(opening["name"], why.card)
        suit_of = deal.rules.suit_of(why.trump)
        suits = (suit_of[first.cards[0]], why.trump)
        verb = "plays" if suit_of[why.card] in suits else "discards"
        assert opening["verb"] == ("leads" if step.seat == first.leader else verb)
    story[0] = story[0][opening.end() :]
    for sentence in filter(None, story):
        who = re.match(SEAT, sentence)
        assert who, sentence
        actions = sentence[who.end() :].strip()
        for action in re.split(rf"(?:,? and|,) (?=(?:{VERBS}) )", actions):
            matches = [re.fullmatch(pattern, action) for pattern in ACTIONS]
            match = next(filter(None, matches), None)
            assert match, action
            facts.happened(seat_of(who.group()), match)
    assert not facts.tricks
    after = step[seat].after
    if not why.due:
        assert end == "The lost trick then ends the hand"
        return
    assert " then " in end
    made = {"??"} if not found.several else {"?", "??"}
    if "contract" in end:
        assert step.mark in made
        assert end.endswith("fails" if why.gains else "makes")
    if found.unit == "outcome":
        assert {"made": "makes", "failed": "fails"}.get(str(after), str(after)) in end
    else:
        numbers = re.findall(r"at (?:least|most) (\d+)", end)
        assert numbers or "no tricks" in end or re.search("scores 0 points (at best|or more)", end)
        sign = -1 if "loses" in end else 1
        assert (sign * int(numbers[0]) if numbers else 0) == after
