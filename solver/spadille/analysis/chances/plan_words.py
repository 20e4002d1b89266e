"""Describe a plan in words: the next card for each way the others may play.

A plan has a step for each course of play. The steps that follow a card are merged into rules, and
the first rule that applies says what to play: if a player plays a card, plays a suit, or does not
play a suit. If neither the rules nor the plan cover a case, any card will do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from spadille.analysis.chances.plans import Plan
from spadille.base.card_text import SUIT_NAMES
from spadille.base.input_words import seat_name
from spadille.core.knowledge.seat_knowledge import Knowledge, winning_card

LINES = 30
"""The maximum number of lines of a plan."""
_SINGULAR = {suit: name.removesuffix("s") for suit, name in SUIT_NAMES.items()}
_Seen = Mapping[str, tuple[int, str]]  # card -> the step that fixed it, and its seat


@dataclass(slots=True)
class Rule:
    """The next card under a condition."""

    when: str
    card: str
    share: float
    """The share of all layouts that reach this rule and are won."""
    steps: list[int]
    depth: int = 0
    rules: list[Rule] = field(default_factory=list)
    more: bool = False
    """Whether rules that follow this one were left out."""


def lines_of(plan: Plan, known: Knowledge, most: int = LINES) -> list[str]:
    """Return a plan in at most `most` lines, leaving out the rarest cases first."""
    root = Rule("", plan.card, plan.without_seeing, [0])
    reader = _Reader(plan, known)
    number, queue, count = 1, [(-root.share, 0, root)], 0
    while queue:
        _, _, rule = heappop(queue)
        rules = reader.rules(rule)
        if number + len(rules) > most - 1:
            rule.more = bool(rules)
            continue
        number += len(rules)
        rule.rules = rules
        for below in rules:
            count += 1
            heappush(queue, (-below.share, count, below))
    lines = [*_written(root)]
    if plan.steps and any(" ..." in line for line in lines):
        lines.append("... the rest of the plan is in JSON.")
    return lines


def _written(rule: Rule) -> Iterator[str]:
    """Yield the line of a rule and the lines of the rules that follow it, indented."""
    when = f"{rule.when}: play" if rule.when else "Play"
    yield f"{'  ' * rule.depth}{when} {rule.card} ({100 * rule.share:.3g} %)" + " ..." * rule.more
    for below in rule.rules:
        yield from _written(below)


class _Reader:
    """The steps of a plan, with the seat of each card."""

    def __init__(self, plan: Plan, known: Knowledge) -> None:
        self.steps = plan.steps
        self._rules = known.deal.rules
        self._trump = known.contract.trump
        self._suit = self._rules.suit_of(self._trump)
        self._below: dict[int, list[int]] = {}
        self._seen: list[_Seen] = []
        self._tricks: list[tuple[str, ...]] = []
        self._leaders: list[str] = []
        for number, step in enumerate(plan.steps):
            if step.parent is None:
                seen, trick, leader = {}, tuple(card for _, card in known.trick), known.leader
            else:
                self._below.setdefault(step.parent, []).append(number)
                seen = dict(self._seen[step.parent])
                trick, leader = self._tricks[step.parent], self._leaders[step.parent]
            for card in (*step.seen, step.card):
                seat = self._rules.in_turn(leader)[len(trick)]
                if card in step.seen:
                    seen[card] = number, seat
                trick = (*trick, card)
                if len(trick) == len(self._rules.seats):
                    leader = self._rules.in_turn(leader)[
                        winning_card(self._rules, self._trump, trick)
                    ]
                    trick = ()
            self._seen.append(seen)
            self._tricks.append(trick)
            self._leaders.append(leader)

    def rules(self, rule: Rule) -> list[Rule]:
        """Return the rules that follow a rule; the last one covers all other cases."""
        left = [below for number in rule.steps for below in self._below.get(number, ())]
        found: list[Rule] = []
        while left:
            cards = {self.steps[number].card for number in left}
            if len(cards) == 1:
                when = "Otherwise" if found else "Then"
                found.append(self._rule(when, left, rule.depth + 1))
                break
            when, covered = self._heaviest(left)
            last = found[-1] if found else None
            card = self.steps[covered[0]].card
            if last and last.card == card:
                found[-1] = self._rule(f"{last.when}, or {when}", last.steps + covered, last.depth)
            else:
                found.append(self._rule(f"If {when}", covered, rule.depth + 1))
            gone = {*covered}
            left = [number for number in left if number not in gone]
        return found

    def _rule(self, when: str, steps: list[int], depth: int) -> Rule:
        share = sum(self.steps[number].share for number in steps)
        return Rule(when, self.steps[steps[0]].card, share, steps, depth)

    def _heaviest(self, left: Sequence[int]) -> tuple[str, list[int]]:
        """Return the condition under which one card covers most, and the steps it covers."""
        holding: dict[str, list[int]] = {}
        for number in left:
            for condition in self._conditions(number):
                holding.setdefault(condition, []).append(number)
        for seat, suit in sorted({pair for number in left for pair in self._suits(number)}):
            without = [number for number in left if (seat, suit) not in self._suits(number)]
            if without:
                holding[f"{seat_name(seat)} does not play a {self._named(suit)}"] = without
        pure = {
            condition: numbers
            for condition, numbers in holding.items()
            if len({self.steps[number].card for number in numbers}) == 1
        }
        if not pure:
            number = max(left, key=lambda number: self.steps[number].share)
            return f"the cards are {' '.join(self.steps[number].seen)}", [number]

        def worth(condition: str) -> float:
            return sum(self.steps[number].share for number in pure[condition])

        best = max(pure, key=lambda condition: (round(worth(condition), 9), -len(condition)))
        return best, pure[best]

    def _suits(self, number: int) -> set[tuple[str, str]]:
        """Return the suit each seat has played since the player's last card."""
        return {
            (seat, self._suit.get(card, card[0]))
            for card, (at, seat) in self._seen[number].items()
            if at == number
        }

    def _conditions(self, number: int) -> Iterator[str]:
        """Yield the conditions that hold at a step."""
        for card, (at, seat) in self._seen[number].items():
            verb = "plays" if at == number else "has played"
            yield f"{seat_name(seat)} {verb} {card}"
        for seat, suit in self._suits(number):
            yield f"{seat_name(seat)} plays a {self._named(suit)}"

    def _named(self, suit: str) -> str:
        return "trump" if suit == self._trump else _SINGULAR[suit]
