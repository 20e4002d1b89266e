"""Describe a plan in words: the card to play next, depending on what the others play.

A plan has a step for each way in which the play can go. The steps after each card are merged into
rules; the player follows the first rule that applies. A rule's condition is that a player plays a
card, plays a suit, or does not play a suit. If no rule applies, any card will do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from spadille.analysis.chances.plans import Plan
from spadille.base.card_text import SUIT_NAMES
from spadille.base.words_for_messages import seat_name
from spadille.core.knowledge.seat_knowledge import Knowledge, winning_card

LINES = 30
"""The maximum number of lines of a plan."""
_RULES = 12
"""The maximum number of rules in a sentence."""
_LENGTH = 600
_SINGULAR = {suit: name.removesuffix("s") for suit, name in SUIT_NAMES.items()}
_Seen = Mapping[str, tuple[int, str]]  # card -> the step that lists it, and its seat


@dataclass(slots=True)
class Rule:
    """The next card to play if a condition is met."""

    when: str
    card: str
    share: float
    """The share of all layouts in which play reaches this rule and the plan succeeds, or an upper
    bound on that share."""
    steps: list[int]
    depth: int = 0
    rules: list[Rule] = field(default_factory=list)
    exact: bool = True
    """Whether the share is exact. If one layout can lead to several of the steps, depending on the
    other players, that layout is counted several times, and the share is not exact."""
    more: bool = False
    """Whether some of the rules after this one were left out."""

    def __str__(self) -> str:
        when = f"{self.when}: play" if self.when else "Play"
        bound = "" if self.exact else "at most "
        return f"{when} {self.card} ({bound}{100 * self.share:.3g}%)"


def lines_of(plan: Plan, known: Knowledge, most: int = LINES) -> list[str]:
    """Return a plan in at most `most` lines, leaving out the rarest cases first."""
    root, whole = _tree(plan, known, most - 1)
    lines = [*_written(root)]
    return lines if whole else [*lines, "... the rest of the plan is in the JSON output."]


def sentence_of(plan: Plan, known: Knowledge) -> str:
    """Return a plan in one sentence; later rules follow in brackets.

    The rarest cases are left out first.
    """
    for most in range(_RULES, 0, -1):
        root, whole = _tree(plan, known, most)
        text = _sentence(root) + ("." if whole else ". Rarer cases are left out.")
        if len(text) <= _LENGTH:
            break
    return text if plan.steps[1:] else f"{text} After that, any card will do."


def _tree(plan: Plan, known: Knowledge, most: int) -> tuple[Rule, bool]:
    """Return a plan as a tree of at most `most` rules, and whether the tree is complete.

    Rules are tried in order, so only the last rules in a group can be left out.
    """
    root = Rule("", plan.card, plan.without_seeing, [0])
    reader = _Reader(plan, known)
    number, queue, count, whole = 1, [(0.0, 0, root)], 0, True
    while queue:
        _, _, rule = heappop(queue)
        rules = reader.rules(rule)
        rule.rules = rules[: max(most - number, 0)]
        rule.more = len(rule.rules) < len(rules)
        whole &= not rule.more
        number += len(rule.rules)
        for below in rule.rules:
            count += 1
            heappush(queue, (-below.share, count, below))
    return root, whole


def _written(rule: Rule) -> Iterator[str]:
    """Yield the line of a rule, then the lines of the later rules, indented."""
    yield f"{'  ' * rule.depth}{rule}{' ...' * rule.more}"
    for below in rule.rules:
        yield from _written(below)


def _sentence(rule: Rule) -> str:
    """Return a rule as text; later rules follow in brackets."""
    below = [_sentence(part) for part in rule.rules] + ["..."] * rule.more
    text = str(rule) if not rule.depth else str(rule)[0].lower() + str(rule)[1:]
    return f"{text} [{'; '.join(below)}]" if below else text


class _Reader:
    """Reads a plan step by step and remembers who played each card."""

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
        """Return the rules for the player's next card; the last one covers all other cases."""
        left = [below for number in rule.steps for below in self._below.get(number, ())]
        rules: list[Rule] = []
        while left:
            cards = {self.steps[number].card for number in left}
            if len(cards) == 1:
                when = "Otherwise" if rules else "Then"
                rules.append(self._rule(when, left, rule))
                break
            when, covered = self._heaviest(left)
            last = rules[-1] if rules else None
            card = self.steps[covered[0]].card
            if last and last.card == card:
                rules[-1] = self._rule(f"{last.when}, or {when}", last.steps + covered, rule)
            else:
                rules.append(self._rule(f"If {when}", covered, rule))
            gone = {*covered}
            left = [number for number in left if number not in gone]
        return rules

    def _rule(self, when: str, steps: list[int], above: Rule) -> Rule:
        shares = [self.steps[number].share for number in steps]
        share = min(sum(shares), above.share)
        card = self.steps[steps[0]].card
        return Rule(when, card, share, steps, above.depth + 1, exact=share <= max(shares))

    def _heaviest(self, left: Sequence[int]) -> tuple[str, list[int]]:
        """Return the most frequent condition that calls for a single card, and its steps."""
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
        """Return the seats that have played since the player's last card, with the suits played."""
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
        for seat, suit in sorted(self._suits(number)):
            yield f"{seat_name(seat)} plays a {self._named(suit)}"

    def _named(self, suit: str) -> str:
        return "trump" if suit == self._trump else _SINGULAR[suit]
