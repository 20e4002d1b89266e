"""Refute the wrong cards of a hand, and explain each refutation in English.

The sentences describe the tricks of the line: the leads, the ruffs, the winner of each trick with
the winning card, and the honors it beats. The last sentence names the result that is then out of
reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby

from spadille.analysis.review.card_costs import ReviewedCard
from spadille.analysis.review.refutation import Refutation, Refuter
from spadille.base.card_text import NO_TRUMP, RANK_NAMES, SUIT_NAMES, card_name
from spadille.base.errors import TooHardError
from spadille.base.words_for_messages import capitalized, listed, many, seat_name, seat_names
from spadille.core.contract import Contract
from spadille.core.position import Trick
from spadille.games.model.game import Rules
from spadille.search.values_along_play import Track

_HONORS = "AKQ"
_WITH_ARTICLE = ("vole", "win")


def with_refutations(
    steps: list[ReviewedCard], places_of: Callable[[int], list[tuple[Track, int]]]
) -> tuple[list[ReviewedCard], int]:
    """Add refutations to the marked steps of a review; return the steps and the nodes searched.

    `places_of` returns the declarers' tracks and the index of a step in each. Refutations have
    their own solver, whose nodes are returned. Raises the error of `Search.stopped`.
    """
    refuter = Refuter()

    def with_refutation(step: ReviewedCard, places: Sequence[tuple[Track, int]]) -> ReviewedCard:
        contractors = {**step.contractors}
        for track, i in places:
            # If there are several declarers, each is judged only by the points that declarer can
            # guarantee.
            judged = step.seat not in {*track.contractors} - {track.seat} or not step.several
            if judged and step[track.seat].cost:
                try:
                    refutation = explained(track, i, refuter.refute(track, i))
                except TooHardError:
                    if not track.question(i).search.limited:
                        raise
                    continue
                contractors[track.seat] = replace(step[track.seat], refutation=refutation)
        return replace(step, contractors=contractors)

    refuted = [
        with_refutation(step, places_of(number)) if step.mark else step
        for number, step in enumerate(steps)
    ]
    return refuted, refuter.nodes


def explained(track: Track, i: int, refutation: Refutation) -> Refutation:
    """Return a refutation with its explanation."""
    question = track.question(i)
    story = _Story(question.deal.rules, question.contract, refutation).sentences()
    return replace(refutation, words=f"{story} {_consequence(track, i, refutation)}")


class _Story:
    """Describes a refutation in sentences, trick by trick."""

    def __init__(self, rules: Rules, contract: Contract, refutation: Refutation) -> None:
        self.rules = rules
        self.refutation = refutation
        self.trump = refutation.trump
        self.suit_of = rules.suit_of(self.trump)
        trumps = () if self.trump in (None, NO_TRUMP) else rules.matadors(self.trump)
        names = [name.removeprefix("the ") for name in rules.game.matador_names]
        self.matadors = dict(zip(trumps, names, strict=False))
        ids = dict(zip(contract.declarers, contract.ids, strict=True))
        self.misere = rules.contract(ids[refutation.seat]).aim == "misere"
        several = len(contract.declarers) > 1
        self.side = {refutation.seat} if several else set(contract.side)

    def sentences(self) -> str:
        """Return a sentence for each player who wins consecutive tricks."""
        first, *others = self.refutation.tricks
        card = self.refutation.card
        player = self.rules.in_turn(first.leader)[first.cards.index(card)]
        owned = self._owned(player, card)
        actions: list[tuple[str, str]] = []
        opening = f"After {seat_name(player)} {self._verb(first)} {self._named(card)}, "
        if self._winning(first) == card:
            beaten = self._beaten(first)
            suit = None if card in self.matadors else card[0]
            wins = "wins the trick"
            if beaten:
                verb = "beats" if self._comes_first(first, beaten[1], card) else "captures"
                wins = f"{verb} {self._owned(*beaten, suit)}"
            opening = f"After {owned} {wins}, " if others else f"{capitalized(owned)} {wins}"
        else:
            actions.append((first.winner or first.leader, self._first_action(first)))
        for together, tricks in groupby(others, key=self._is_cashed):
            if together:
                for leader, cashed in groupby(tricks, key=lambda trick: trick.leader):
                    actions.append((leader, self._cashes([trick.cards[0] for trick in cashed])))
            else:
                actions += [(trick.leader, self._action(trick)) for trick in tricks]
        sentences = [
            f"{seat_name(seat)} {_joined([action for _, action in same])}"
            for seat, same in groupby(actions, key=lambda action: action[0])
        ]
        first_sentence, *rest = sentences or [""]
        return ". ".join([opening + first_sentence, *map(capitalized, rest)]) + "."

    def _verb(self, trick: Trick) -> str:
        """Describe how the wrong card was played."""
        card, led = self.refutation.card, trick.cards[0]
        if card == led:
            return "leads"
        suit = self.suit_of[card]
        return "plays" if suit in (self.suit_of[led], self.trump) else "discards"

    def _first_action(self, trick: Trick) -> str:
        """Describe how a player wins the trick that contains the wrong card."""
        wrong, card, beaten = self.refutation.card, self._winning(trick), self._beaten(trick)
        suit = self.suit_of[card]
        ruffs = suit != self.suit_of[trick.cards[0]]
        name = self._named(card, suit if ruffs else self.suit_of[wrong])
        if self._comes_first(trick, card, wrong):
            return f"wins with {name}"  # played before the wrong card
        if beaten is None:
            return f"{'ruffs' if ruffs else 'wins'} with {name}"
        loser = "it" if beaten[1] == wrong else self._owned(*beaten, suit)
        if self._comes_first(trick, beaten[1], card):
            return f"{'overruffs' if ruffs else 'beats'} {loser} with {name}"
        return f"ruffs with {name}, capturing {loser}" if ruffs else f"captures {loser} with {name}"

    def _is_cashed(self, trick: Trick) -> bool:
        return trick.winner == trick.leader and self._beaten(trick) is None

    def _cashes(self, cards: Sequence[str]) -> str:
        """Say which cards win consecutive tricks: "cashes the ace and king of clubs"."""
        names = []
        for matadors, cards_alike in groupby(cards, key=self.matadors.__contains__):
            if matadors:
                names += [self._named(card) for card in cards_alike]
                continue
            for suit, same in groupby(cards_alike, key=lambda card: card[0]):
                ranks = listed([RANK_NAMES[card[1]] for card in same], "and")
                names.append(f"the {ranks} of {SUIT_NAMES[suit]}")
        if not self.misere:
            return f"cashes {listed(names, 'and')}"
        tricks = "tricks" if len(cards) > 1 else "a trick"
        return f"takes {tricks} with {listed(names, 'and')}"

    def _action(self, trick: Trick) -> str:
        """Describe what a player leads, and which card wins the trick."""
        led, card, beaten = trick.cards[0], self._winning(trick), self._beaten(trick)
        winner, suit = trick.winner or trick.leader, self.suit_of[card]
        if winner == trick.leader and beaten is not None:
            same_suit = beaten[1][0] == card[0] and beaten[1] not in self.matadors
            name = self._named(card, card[0] if same_suit else None)
            return f"drops {self._owned(*beaten)} with {name}"
        lead = "a trump" if self.suit_of[led] == self.trump else f"a {SUIT_NAMES[led[0]][:-1]}"
        if suit != self.suit_of[led]:
            name = self._named(card, suit)
            ruffed = f"leads {lead}, which {seat_name(winner)} ruffs with {name}"
            if beaten is None:
                return ruffed
            if self._comes_first(trick, card, beaten[1]):
                return f"{ruffed}, capturing {self._owned(*beaten, suit)}"
            loser, ruff = seat_name(beaten[0]), self._named(beaten[1], suit)
            return (
                f"leads {lead}, which {loser} ruffs with {ruff} and {seat_name(winner)} "
                f"overruffs with {name}"
            )
        owned = self._owned(winner, card, suit)
        if beaten is None:
            return f"leads {lead} to {owned}"
        if beaten[1] == led:
            return f"leads {self._named(led)} to {owned}"
        return f"leads {lead} to {owned}, which captures {self._owned(*beaten, suit)}"

    def _beaten(self, trick: Trick) -> tuple[str, str] | None:
        """Return the highest honor that the losing side plays to a trick, and who played it."""
        best = self._winning(trick)
        suit = self.suit_of[best]
        ranked = self.rules.suits(self.trump)[suit]
        ours = trick.winner in self.side
        honors = [
            (ranked.index(card), seat, card)
            for seat, card in zip(self.rules.in_turn(trick.leader), trick.cards, strict=False)
            if (seat in self.side) != ours
            and self.suit_of[card] == suit
            and (card in self.matadors or card[1] in _HONORS)
        ]
        return min(honors)[1:] if honors else None

    @staticmethod
    def _comes_first(trick: Trick, card: str, other: str) -> bool:
        """Whether a card was played to the trick before another one."""
        return trick.cards.index(card) < trick.cards.index(other)

    def _winning(self, trick: Trick) -> str:
        """Return the card that wins a trick."""
        seats = self.rules.in_turn(trick.leader)
        return trick.cards[seats.index(trick.winner or trick.leader)]

    def _named(self, card: str, suit: str | None = None) -> str:
        """Return the name of a card, without its suit if the suit has just been named."""
        if card in self.matadors:
            return f"the {self.matadors[card]}"
        return f"the {RANK_NAMES[card[1]]}" if card[0] == suit else card_name(card)

    def _owned(self, seat: str, card: str, suit: str | None = None) -> str:
        """Return a card with its owner, such as "North's king" or "Player 2's Spadille"."""
        return f"{seat_name(seat)}'s {self._named(card, suit).removeprefix('the ')}"


def _joined(actions: Sequence[str]) -> str:
    """Join the verbs of a sentence, with commas where "and" alone would be unclear."""
    *first, last = actions
    if not first:
        return last
    comma = "," if len(first) > 1 or " and " in first[0] else ""
    return f"{', '.join(first)}{comma} and {last}"


def _consequence(track: Track, i: int, refutation: Refutation) -> str:
    """Return a sentence about the best result that is still open to the side that erred."""
    if not refutation.due:
        return "The lost trick then ends the hand."
    grades, before, after = track.grades, track.values[i], track.values[i + 1]
    settled = grades.makes[after] != grades.makes[before]
    unit, value = grades.unit, grades.names[after]
    if unit == "outcome":
        if value in ("made", "failed"):
            return f"The contract then {'makes' if value == 'made' else 'fails'}."
        end = f"the hand then ends in {'a ' if value in _WITH_ARTICLE else ''}{value}"
        if settled:
            return f"{capitalized(end)}."
        bound = "at best" if refutation.gains else "or better"
        return f"For {seat_name(refutation.seat)}, {end} {bound}."
    rules, contract = track.question(i).deal.rules, track.question(i).contract
    kind = rules.contract(contract.ids[contract.declarers.index(refutation.seat)])
    # In Misère, fewer tricks are better.
    least = refutation.gains == (kind.aim == "misere" and unit == "tricks")
    bound = "at least" if least else "at most"
    side = contract.side if len(contract.declarers) == 1 else {refutation.seat}
    seats = [seat for seat in rules.seats if seat in side]
    who, number = seat_names(seats), int(str(value))
    if unit == "points":
        if number < 0:
            bound = "at most" if least else "at least"
        verb = "loses" if number < 0 else "scores"
        count = f"{bound} {many(abs(number), 'point')}"
        if not number:
            count = f"0 points {'or more' if least else 'at best'}"
        text = f"{who} then {verb} {count}"
    else:
        count = f"{bound} {many(number, 'trick')} in all" if number or least else "no tricks"
        if least and number == rules.game.hand_size:
            count = f"all {number} tricks"
        alone = len(seats) == 1
        if kind.aim == "misere" or not number:
            verb = "then takes" if alone else "then take"
        elif least:
            verb = "is then sure of" if alone else "are then sure of"
        else:
            verb = "can then take"
        text = f"{who} {verb} {count}"
    if settled:
        text += f", so the contract {'fails' if refutation.gains else 'makes'}"
    return f"{text}."
