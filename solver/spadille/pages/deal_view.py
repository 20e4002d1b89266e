"""A deal as the templates show it, assembled from parts that other modules draw."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from spadille.analysis.review.review_result import Review
from spadille.analysis.value.card_values import CardValues, card_values
from spadille.base.cached import cached_property
from spadille.base.card_text import SUITS
from spadille.base.errors import Fault, quoted
from spadille.base.words_for_messages import listed, many, seat_name, signed
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games.model.deal_protocols import Hands
from spadille.pages.deal_facts import DealFacts, difficulty_word, without_folder
from spadille.pages.replace_seats_with_names import with_names
from spadille.pbn.problem_tags import Posed
from spadille.render.deal_sheet import contract_text, exchange_table, surrender_text
from spadille.render.diagram import SEATING, heading, holdings, undealt_text
from spadille.render.play_and_auction_grids import auction_grid, play_grid, tricks_of
from spadille.render.results import best, review, score, solve, table
from spadille.render.results.review import Mistake
from spadille.render.tables import TextTable, sentences
from spadille.render.text import SYMBOLS

_QUESTION = "Which card?"
_CARD = "[SHDC][2-9TJQKA]"
# A solution as `Problem.solution` writes it: the key, the key line, the refutations.
_TRICK = rf"\w:(?: {_CARD}!?)+"
SOLUTION = re.compile(rf"Solution: ([^.]*)\. ({_TRICK}(?:; {_TRICK})*)\.(?: (.*))?")
# The sentence that ends the refutation of a card.
_THEN = re.compile(
    r"[^.]*\b(?:(?:can|is|are) then|then (?:takes?|ends|scores|loses|makes|fails))\b[^.]*\. ?"
)
# The headers of columns that contain seats.
_SEAT_COLUMNS = frozenset({"player", "seat", "declarer"})


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at the table."""

    seat: str
    name: str
    dealer: bool
    role: str
    """"declarer", "partner" or nothing."""
    suits: tuple[tuple[str, str], ...] | None
    """The symbol and ranks of each suit, or None if the hand is unknown."""

    @property
    def title(self) -> str:
        """The name of the seat, as on the board."""
        return seat_name(self.seat)


@dataclass(frozen=True, slots=True)
class Around:
    """Hands around the table."""

    title: str
    rows: tuple[tuple[Hand, ...], ...]


@dataclass(frozen=True, slots=True)
class QuizView:
    """The view of the player in a quiz, before the question is answered."""

    contract: str
    """The contract; it includes the partner only if the other players know the partner."""
    seat: str
    name: str
    suits: tuple[tuple[str, str], ...]
    """The suit symbol and ranks of the cards the player still holds."""
    play: TextTable | None
    """The tricks so far."""
    on_table: Hand | None
    """The declarer's remaining cards, if everybody sees them."""
    all_hands: Around | None
    """The remaining cards of every player, if the problem needs all hands shown."""

    @property
    def title(self) -> str:
        """The name of the seat, as on the board."""
        return seat_name(self.seat)


@dataclass(frozen=True)
class DealOnPage:
    """One deal of a page."""

    number: int
    """The number of the deal on the page, counted from 1 over all evenings."""
    facts: DealFacts
    label: str
    """The deal's Board tag or number, made distinct from those of other deals in the evening."""

    @property
    def game(self) -> str:
        """The game, and special features of the deal."""
        deal = self._deal
        rules = self.facts.record.entry.rules
        return heading(deal) if deal else rules.game.name if rules else ""

    @property
    def _deal(self) -> Deal | None:
        return self.facts.settled.deal

    @cached_property
    def contract(self) -> str:
        """The contract and its players, or a note that the deal was passed out."""
        settled = self.facts.settled
        if settled.deal is None or settled.contract is None:
            return "Passed out" if settled.passed_out else ""
        text = contract_text(settled.deal, settled.contract, self.names, spelled=True)
        given = settled.surrender
        return f"{text}. {surrender_text(given, self.names, spelled=True)}" if given else text

    @property
    def sound(self) -> bool:
        """Whether the record names a player and contract, or says that the deal was passed out."""
        settled = self.facts.settled
        return settled.deal is not None and (settled.contract is not None or settled.passed_out)

    @property
    def outcome(self) -> str:
        """How the deal ended."""
        return score.how_it_ended(self.facts.settled) if self.sound else ""

    @property
    def names(self) -> dict[str, str]:
        """The players' names by seat, if known."""
        players = self.facts.settled.players
        return {seat: name for seat, name in players.items() if name != seat}

    @property
    def gains(self) -> list[tuple[str, str, int]]:
        """The name of each player, with the gain as text and as a number."""
        points = self.facts.settled.points or {}
        names = self.facts.settled.players
        return [(names[seat], signed(gain), gain) for seat, gain in points.items()]

    @property
    def faults(self) -> list[str]:
        """The faults in the record, each with its place."""
        return [
            _fault(without_folder(self.facts.record.file), fault)
            for fault in self.facts.record.faults
        ]

    @property
    def posed(self) -> Posed | None:
        """The problem in the deal, if any."""
        return self.facts.record.posed

    @property
    def question(self) -> str:
        """The question of a problem."""
        return (self.posed and self.posed.question) or _QUESTION

    @property
    def key(self) -> str:
        """The winning card of a problem."""
        return (self.posed and self.posed.key) or ""

    @property
    def themes(self) -> str:
        """The themes of a problem."""
        return ", ".join(self.posed.themes) if self.posed else ""

    @property
    def difficulty(self) -> str:
        """The difficulty, as a number and a word."""
        difficulty = self.posed.difficulty if self.posed else None
        return "" if difficulty is None else f"{difficulty:g}, {difficulty_word(difficulty)}"

    @property
    def solution(self) -> str:
        """The solution of a problem, from the comments in the file; the key line is in words."""
        written = (self.posed and self.posed.solution) or ""
        deal, parts = self._deal, SOLUTION.fullmatch(written)
        if deal is None or parts is None:
            return written
        key, line, why = parts.groups()
        first = len(self.facts.cards) // len(deal.rules.seats) + 1
        tricks = [_led(number, trick) for number, trick in enumerate(line.split("; "), first)]
        return " ".join(
            [f"Solution: {key}.", *tricks, *(["Other cards are wrong:"] if why else [])]
        )

    @property
    def refutations(self) -> list[str]:
        """The reasons why other cards are wrong, one for each card."""
        parts = SOLUTION.fullmatch((self.posed and self.posed.solution) or "")
        why = (parts and parts.group(3)) or ""
        ends = [match.end() for match in _THEN.finditer(why) if match.end() < len(why)]
        return [why[start:end].strip() for start, end in pairwise([0, *ends, len(why)]) if why]

    @property
    def names_partner(self) -> bool:
        """Whether the contract line names the partner, who may still be secret."""
        contract = self.facts.settled.contract
        return contract is not None and contract.called is not None

    @cached_property
    def quiz(self) -> QuizView | None:
        """The quiz question, with everything that its player sees."""
        number, settled = self.facts.question, self.facts.settled
        deal, contract = settled.deal, settled.contract
        if number is None or deal is None or contract is None:
            return None
        shows_all = self.posed is not None and self.posed.shows_all
        public = (
            replace(contract, partner=None) if self.names_partner and not shows_all else contract
        )
        rules, cards, size = deal.rules, self.facts.cards[:number], len(deal.rules.seats)
        position = Position.of(deal, contract)
        for card in cards:
            position.force(card)
        if position.finished:
            return None
        seat = position.to_play
        held = holdings(rules, tuple(position.hands[seat]), position.trump)
        tricks = [cards[start : start + size] for start in range(0, number, size)]
        drawn = tricks_of(deal, contract, tricks)
        grid = play_grid(rules, public, drawn, won=deal.won, symbols=True)
        left = {seat: tuple(hand) for seat, hand in position.hands.items()}
        return QuizView(
            contract=contract_text(deal, public, self.names, spelled=True),
            seat=seat,
            name=self.names.get(seat, ""),
            suits=tuple((SYMBOLS[suit], held[suit]) for suit in SUITS),
            play=self._with_names(grid, "Play") if tricks else None,
            on_table=self._on_table(deal, contract, position),
            all_hands=self._around(deal, left, "") if shows_all else None,
        )

    def _on_table(self, deal: Deal, contract: Contract, position: Position) -> Hand | None:
        """Return the hand that everybody sees."""
        after = deal.rules.contract(contract.ids[0]).exposed_after
        tricks = deal.rules.game.hand_size - max(map(len, position.hands.values()))
        if not after or tricks < after or position.to_play == contract.declarer:
            return None
        left = {contract.declarer: tuple(position.hands[contract.declarer])}
        (on_table,) = (
            hand
            for row in self._around(deal, {**dict.fromkeys(deal.rules.seats), **left}, "").rows
            for hand in row
            if hand.suits
        )
        return on_table

    @property
    def answer(self) -> str:
        """The best cards, as the answer to a quiz, and the value of the position with them."""
        number, settled = self.facts.question, self.facts.settled
        deal, contract = settled.deal, settled.contract
        if number is None or deal is None or contract is None:
            return ""
        values = card_values(deal, contract, self.facts.cards[:number])
        own = [seat for seat in contract.declarers if seat == values.player] or contract.declarers
        best = [
            card.card
            for card in values.cards
            if not any(card.contractors[seat].cost for seat in own)
        ]
        worth = [
            " ".join(filter(None, (seat if len(own) > 1 else "", _worth(values, seat))))
            for seat in own
        ]
        return f"{', '.join(best) or 'no card is best for all'}: {', '.join(worth)}"

    @cached_property
    def comments(self) -> tuple[list[str], list[str]]:
        """The file's comments before and inside the deal."""
        return self.facts.record.comments()

    @cached_property
    def hands(self) -> list[Around]:
        """The hands as played and, if they differ, as dealt."""
        deal = self._deal
        if deal is None:
            return []
        if not deal.exchangers:
            return [self._around(deal, deal.hands, "")]
        dealt = self._around(deal, deal.hands, "As dealt")
        if self.facts.settled.contract is None or deal.undecided:
            return [dealt]
        return [self._around(deal, self.facts.hands, "As played"), dealt]

    def _around(self, deal: Deal, hands: Hands, title: str) -> Around:
        contract = self.facts.settled.contract
        roles = dict.fromkeys(contract.side, "partner") if contract else {}
        roles |= dict.fromkeys(contract.declarers if contract else (), "declarer")
        trump = contract.trump if contract else None
        around = []
        for seat in deal.rules.seats:
            hand = hands[seat]
            held = None if hand is None else holdings(deal.rules, hand, trump)
            suits = held and tuple((SYMBOLS[suit], held[suit]) for suit in SUITS)
            name = self.names.get(seat, "")
            role = roles.get(seat, "")
            around.append(Hand(seat, name, seat == deal.dealer, role, suits or None))
        rows = SEATING[len(around)]
        return Around(title, tuple(tuple(around[place] for place in row) for row in rows))

    @property
    def undealt(self) -> str:
        """The undealt cards."""
        return undealt_text(self._deal) if self._deal else ""

    @property
    def auction(self) -> TextTable | None:
        """The calls."""
        settled = self.facts.settled
        if settled.deal is None or not settled.calls or not settled.calls[1]:
            return None
        first, calls = settled.calls
        grid = auction_grid(settled.deal.rules, first, calls, symbols=True)
        return self._with_names(grid, "Auction")

    @property
    def exchange(self) -> TextTable | None:
        """The cards that each player discarded and drew."""
        deal = self._deal
        return self._players_named(exchange_table(deal)) if deal and deal.exchangers else None

    @property
    def review(self) -> Review | None:
        """The review, or None if nothing was played."""
        return self.facts.score.review

    @property
    def play(self) -> TextTable | None:
        """The tricks, with values if there is a review."""
        settled = self.facts.settled
        if self.review and self.review.steps:
            won = settled.deal.won if settled.deal else None
            return self._with_names(review.play(self.review, won), "Play")
        return None

    def _with_names(self, table: TextTable, title: str) -> TextTable:
        """Return the tricks with players' names next to the seats."""
        names = {header: self.names.get(header.strip(), "") for header in table.headers}
        headers = [f"{header} {name}".rstrip() for header, name in names.items()]
        return table._replace(title=title, headers=headers)

    @property
    def unit(self) -> str:
        """The unit of values."""
        return self.review.unit if self.review else ""

    @cached_property
    def account(self) -> list[str]:
        """A description of how the value changed from the start to the end.

        It is empty for an unfinished play, as in a problem, in which no card cost anything.
        """
        if not self.play or not self.review or self._unchanged(self.review):
            return []
        lines = [*review.account(self.review, self.names)]
        if not self.posed:  # every problem is unfinished
            lines += review.unfinished(self.review)
        return [with_names(line, self.names) for line in lines]

    @staticmethod
    def _unchanged(review: Review) -> bool:
        """Whether an unfinished play has known values that no card changed."""
        sides = review.accounts.values()
        known = all(side.start is not None and not side.open for side in sides)
        marked = any(step.mark for step in review.steps)
        return known and not (marked or review.finished or review.decisions or review.surrender)

    @cached_property
    def mistakes(self) -> list[Mistake]:
        """The cards that cost something."""
        if self.review is None or self._deal is None:
            return []
        mistakes = review.mistakes(self.review, self._deal.won)
        return [
            mistake._replace(
                title=self._titled(mistake),
                words=mistake.words and with_names(mistake.words, self.names),
            )
            for mistake in mistakes
        ]

    def _titled(self, mistake: Mistake) -> str:
        """Return the title for a costly card, including the player's name."""
        name = self.names.get(mistake.seat)
        seat = f" by {mistake.seat}"
        return mistake.title.replace(seat, f"{seat} {name}") if name else mistake.title

    def _players_named(self, table: TextTable) -> TextTable:
        """Return a table with players' names next to the seats in its columns."""
        columns = {place for place, header in enumerate(table.headers) if header in _SEAT_COLUMNS}

        def named(place: int, cell: object) -> object:
            name = self.names.get(cell) if isinstance(cell, str) and place in columns else None
            return f"{cell} {name}" if name else cell

        rows = [[named(place, text) for place, text in enumerate(row)] for row in table.rows]
        return table._replace(rows=rows)

    @property
    def beside(self) -> Iterator[TextTable]:
        """The other tables about the play."""
        if self.review and self.play:
            yield from map(self._players_named, review.beside(self.review))
        chances = self.facts.chances
        if chances is not None and chances.belief.sentences:
            belief = (f"{sentence}." for sentence in chances.belief.sentences)
            yield sentences(f"Belief of {chances.seat} in the bids", belief)

    @property
    def decided(self) -> Iterator[TextTable]:
        """The decisions before the first card."""
        before = self.facts.before
        if before is None and self.review is not None:
            before = self.review.before
        for decisions in review.decided(before) if before else ():
            title = decisions.title and "Calls and choices, double-dummy"
            yield self._players_named(decisions._replace(title=title))

    @property
    def values(self) -> Iterator[TextTable]:
        """The value of the contract if nothing was played."""
        result, deal, contract = self.facts.result, self._deal, self.facts.settled.contract
        if result is None or deal is None or contract is None:
            return

        def line(tricks: solve.LineOfPlay, title: str, named: str | None) -> TextTable:
            drawn = tricks_of(deal, contract, tricks, named=named)
            grid = play_grid(deal.rules, contract, drawn, won=deal.won, symbols=True)
            return grid._replace(title=title)

        rows = list(solve.contractors(result, symbols=True))
        yield TextTable(solve.HEADERS, rows, "With best play")
        yield from solve.details(result, "With best play", line)

    @property
    def contracts(self) -> Iterator[TextTable]:
        """Every contract of every seat, and the best ones."""
        if self.facts.table is not None:
            hands = (
                " with the hands after the exchange" if self._deal and self._deal.exchangers else ""
            )
            title = f"Tricks in every contract{hands}; * makes it"
            tables = table.tables(self.facts.table, title, symbols=True)
            yield from map(self._players_named, tables)
        if self.facts.score.could is not None:
            could = self.facts.score.could
            # The contracts that make or, if none does, the one that loses least.
            seats = {
                seat: tuple(offer for offer in offers if offer.makes) or offers[:1]
                for seat, offers in could.seats.items()
            }
            shown = replace(could, seats=seats)
            offers = best.tables(shown, "Best contracts by seat", symbols=True)
            yield from map(self._players_named, offers)


def _led(number: int, trick: str) -> str:
    """Describe a trick of a key line, such as "1: CA D4 H3!", in a sentence."""
    leader, *cards = trick.replace(":", "").split()
    lead, *rest = [card.replace("!", " (the only winning card)") for card in cards]
    then = f", then {listed(rest, 'and')}" if rest else ""
    return f"Trick {number}: {seat_name(leader)} leads {lead}{then}."


def _worth(values: CardValues, seat: str) -> str:
    position = values.contractors[seat]
    if values.unit == "outcome":
        return str(position.value)
    count = position.value if isinstance(position.value, int) else 0
    result = "contract made" if position.makes else "contract defeated"
    return f"{many(count, values.unit.removesuffix('s'))}, {result}"


def _fault(file: str, fault: Fault) -> str:
    where = ":".join(str(part) for part in (file, fault.line, fault.column) if part)
    rule = f" ({fault.rule})" if fault.rule and fault.rule not in fault.message else ""
    text = f": {quoted(fault.text)}" if fault.text[:100] not in fault.message else ""
    return f"{where}: {fault.message}{text}{rule}".removeprefix(": ")
