"""Why cards of a hand were wrong: their refutations, each with a sentence of the game's words.

A sentence says what happens in the tricks of the line and no more: who wins with what, what is led,
what is ruffed, over which honour of the others, and what is then out of reach. A card is named by
its rank where its suit has just been named, a matador as the game calls it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spadille.analysis.review.card_costs import ReviewedCard
from spadille.analysis.review.refutation import Refutation, Refuter
from spadille.base.card_text import NO_TRUMP, SUIT_NAMES
from spadille.base.input_words import listed, many, seat_name
from spadille.core.contract import Contract
from spadille.core.position import Trick
from spadille.games.model.game import Rules
from spadille.search.values_along_play import Track

_RANKS = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "jack",
    "T": "ten",
    "9": "nine",
    "8": "eight",
    "7": "seven",
    "6": "six",
    "5": "five",
    "4": "four",
    "3": "three",
    "2": "two",
}
_HONOURS = "AKQ"


def refuted(
    steps: list[ReviewedCard], moves: Sequence[Sequence[tuple[Track, int]]]
) -> tuple[list[ReviewedCard], int]:
    """Return the steps of a review, those that are marked with what was wrong with them.

    `moves` are their places in the tracks of the contractors. The positions visited by another
    engine than that of the review are counted. Raises what `stopped` says.
    """
    refuter = Refuter()

    def with_why(step: ReviewedCard, places: Sequence[tuple[Track, int]]) -> ReviewedCard:
        contractors = {**step.contractors}
        for track, i in places:
            # Who plays for himself is judged by his own points alone.
            judged = step.seat not in {*track.contractors} - {track.seat} or not step.several
            if judged and track.values[i] != track.values[i + 1]:
                why = told(track, i, refuter.refute(track, i))
                contractors[track.seat] = replace(step[track.seat], refutation=why)
        return replace(step, contractors=contractors)

    found = [
        with_why(*each) if each[0].mark else each[0] for each in zip(steps, moves, strict=True)
    ]
    return found, refuter.nodes


def told(track: Track, i: int, found: Refutation) -> Refutation:
    """Return a refutation with its sentence."""
    grades, before, after = track.grades, track.values[i], track.values[i + 1]
    settled = grades.makes[after] != grades.makes[before]
    question = track.questions[i]
    rules, contract = question.deal.rules, question.contract
    then = _consequence(rules, contract, found, grades.unit, grades.names[after], settled)
    return replace(found, words=_Teller(rules, contract, found).sentence(then))


class _Teller:
    """Tells what happens in tricks, with the words of a game and its trump."""

    def __init__(self, rules: Rules, contract: Contract, found: Refutation) -> None:
        self.rules = rules
        self.contract = contract
        self.found = found
        self.trump = found.trump
        self.suit_of = rules.suit_of(found.trump)
        trumps = () if found.trump in (None, NO_TRUMP) else rules.matadors(found.trump)
        self.matadors = dict(zip(trumps, rules.game.matador_names, strict=False))
        several = len(contract.declarers) > 1
        self.side = {found.seat} if several else set(contract.side)

    def sentence(self, consequence: str) -> str:
        """Write the whole sentence."""
        groups: list[tuple[str, list[str]]] = []
        runs: list[str] = []  # the cards with which the last subject goes on winning

        def say(subject: str, what: str) -> None:
            if groups and groups[-1][0] == subject:
                groups[-1][1].append(what)
            else:
                groups.append((subject, [what]))

        first, *others = self.found.tricks
        say(*self._first(first))
        for number, trick in enumerate(others):
            taken = self._card(trick.cards[0])
            falls = self._falls(trick)
            if trick.winner == trick.leader and not falls:
                runs.append(taken)
                after = others[number + 1 : number + 2]
                if not (after and after[0].winner == trick.leader and not self._falls(after[0])):
                    say(trick.leader, f"cashes {listed(runs, 'and')}")
                    runs = []
            else:
                say(trick.leader, self._won(trick) + falls)
        told = [f"{seat_name(who)} {listed(what, 'and')}" for who, what in groups]
        return f"After {self._card(self.found.card)} {'; '.join(told)}; {consequence}."

    def _first(self, trick: Trick) -> tuple[str, str]:
        """Return who wins the trick of the card, and how."""
        winner = trick.winner or trick.leader
        card, led = self._winning(trick), self.suit_of[trick.cards[0]]
        how = f"wins with {self._card(card, self.suit_of[self.found.card])}"
        if card == self.found.card:
            how = "wins with it"
        elif self.suit_of[card] != led:
            how = f"ruffs with {self._card(card, self.suit_of[card])}"
        return winner, how + self._falls(trick)

    def _won(self, trick: Trick) -> str:
        """Return what a leader leads, and who wins it how."""
        card, led = self._winning(trick), self.suit_of[trick.cards[0]]
        suit = "trumps" if led == self.trump else SUIT_NAMES[led]
        winner = trick.winner or trick.leader
        if winner == trick.leader:
            return f"cashes {self._card(card)}"
        if self.suit_of[card] != led:
            return f"leads {suit}, ruffed by {self._owner(winner, card, self.suit_of[card])}"
        return f"leads {suit} to {self._owner(winner, card, led)}"

    def _owner(self, seat: str, card: str, suit: str) -> str:
        """Write "North's king", "Spadille of North"."""
        if card in self.matadors:
            return f"{self.matadors[card]} of {seat_name(seat)}"
        return f"{seat_name(seat)}'s {self._card(card, suit).removeprefix('the ')}"

    def _falls(self, trick: Trick) -> str:
        """Say which honour of the others the winning card beats; nothing where it beats none."""
        best = self._winning(trick)
        suit = self.suit_of[best]
        ranked = self.rules.suits(self.trump)[suit]
        ours = trick.winner in self.side
        fallen = [
            (ranked.index(card), seat, card)
            for seat, card in zip(self.rules.in_turn(trick.leader), trick.cards, strict=False)
            if (seat in self.side) != ours
            and self.suit_of[card] == suit
            and (card in self.matadors or card[1] in _HONOURS)
        ]
        if not fallen:
            return ""
        _, seat, card = min(fallen)
        return f" over {self._owner(seat, card, suit)}"

    def _winning(self, trick: Trick) -> str:
        """Return the card that wins a trick."""
        seats = self.rules.in_turn(trick.leader)
        return trick.cards[seats.index(trick.winner or trick.leader)]

    def _card(self, card: str, suit: str | None = None) -> str:
        """Name a card, by its rank where its suit has been named."""
        if card in self.matadors:
            return self.matadors[card]
        return f"the {_RANKS[card[1]]}" if card[0] == suit else card


def _consequence(
    rules: Rules, contract: Contract, found: Refutation, unit: str, value: object, settled: bool
) -> str:
    """Say what it means that a cost has fallen due.

    `value` is the best, in `unit`, that whoever lost something can still have; `settled` says that
    it decides whether the contract is made.
    """
    if not found.due:
        return "that ends the hand"
    if unit == "outcome":
        return f"then it is {value}" + (
            "" if settled else " at best" if found.gains else " at least"
        )
    kind = rules.contract(contract.ids[contract.declarers.index(found.seat)])
    # In Misère few tricks are much.
    least = found.gains == (kind.aim == "misere" and unit == "tricks")
    bound = "at least" if least else "at most"
    seats = contract.side if len(contract.declarers) == 1 else {found.seat}
    who = listed([seat_name(seat) for seat in rules.seats if seat in seats], "and")
    number = int(str(value))
    if unit == "points":
        told = f"then {who} scores {bound} {number:+d}"
    else:
        told = f"then {who} get{'s' * (len(seats) == 1)} {bound} {many(number, 'trick')}"
    if settled:
        told += f", and the contract {'fails' if found.gains else 'makes'}"
    return told
