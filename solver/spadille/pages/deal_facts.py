"""The facts about one deal that a page shows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import PurePath

from spadille.analysis.auction.before_play import BEFORE_LIMITS, BeforePlay, before_play
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.card_chances_result import Chances
from spadille.analysis.chances.sampling_loop import Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.contracts.table import Table, table
from spadille.analysis.evening.deal_score import DealScore, each_judged, judge_deal
from spadille.analysis.evening.deal_settlement import Settled
from spadille.analysis.review.review import review
from spadille.analysis.value.solve import solve
from spadille.analysis.value.solve_result import Result
from spadille.base.errors import Fault, SpadilleError
from spadille.core.knowledge.seat_knowledge import know
from spadille.core.recorded_auction import Auction
from spadille.games.model.deal_protocols import Hands
from spadille.pbn.entry import Entry
from spadille.pbn.problem_tags import Posed, solution_at
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.limited_search import Search
from spadille.search.limits import DEFAULT, Limits

# Difficulty levels as words, each with its lowest number (docs/problems.md).
_DIFFICULTIES = ((6, "very hard"), (4, "hard"), (2, "medium"), (float("-inf"), "easy"))
_OURS = "spadille:"  # comments that a review wrote into the file; the page has its own


def difficulty_word(difficulty: float | None) -> str:
    """Describe a difficulty in one word; return "" for None."""
    if difficulty is None:
        return ""
    return next(word for least, word in _DIFFICULTIES if difficulty >= least)


@dataclass(frozen=True, slots=True)
class DealRecord:
    """A deal as recorded."""

    entry: Entry
    settled: Settled
    file: str = ""
    faults: tuple[Fault, ...] = ()
    evening: str = ""
    """The evening's file; "" if all files are treated as one evening."""

    @property
    def label(self) -> str:
        """The name of the deal: its Board tag, or its number in the file from 1."""
        return self.entry.board or f"#{self.entry.index + 1}"

    def tag(self, name: str) -> str:
        """The value of a tag, or "" if it is unknown."""
        value = (self.entry.game.get(name) or "").strip()
        return "" if value == "?" or not value.strip("?.") else value

    @property
    def posed(self) -> Posed | None:
        """The problem that the deal poses, if any."""
        return self.entry.posed

    def comments(self) -> tuple[list[str], list[str]]:
        """Return the comments before the first tag, and those after it without the solution."""
        game = self.entry.game
        if not game.tags:
            return [], []
        every = game.document.comments
        first = bisect_left(every, (game.start, ""))
        end = solution_at(game) if self.posed else game.end
        last = bisect_left(every, (max(end, game.start + 1), ""))
        before: list[str] = []
        behind: list[str] = []
        for offset, text in every[first:last]:
            words = " ".join(text.strip()[1:].removesuffix("}").split())
            if words and not text.lstrip().startswith("%") and not words.startswith(_OURS):
                (before if offset < game.tags[0].start else behind).append(words)
        return before, behind


@dataclass(frozen=True, slots=True)
class DealFacts:
    """A deal and all results about it."""

    record: DealRecord
    score: DealScore
    table: Table | None = None
    result: Result | None = None
    """The value of the contract, with its leads and a line of play, if nothing was played."""
    before: BeforePlay | None = None
    """The decisions before play, if no card was played."""
    chances: Chances | None = None
    """The chances of the cards in an open decision, based on what its player knows."""

    @classmethod
    def faulty(cls, record: DealRecord, fault: Fault) -> DealFacts:
        """Return the facts for a faulty entry, of which only the faults are shown."""
        settled = replace(record.settled, error=fault)
        record = replace(record, settled=settled, faults=(*record.faults, fault))
        return cls(record, DealScore(settled=settled))

    @classmethod
    def blank(cls, record: DealRecord, fault: Fault) -> DealFacts:
        """Return the facts for an entry that cannot be drawn at all."""
        game = record.settled.game
        return cls.faulty(
            replace(record, settled=Settled(game=game, deal=None, contract=None, players={})), fault
        )

    @property
    def settled(self) -> Settled:
        """The payoff of the deal as played."""
        return self.score.settled

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards played up to the first illegal one."""
        review = self.score.review
        if review is not None:
            return tuple(step.card for step in review.steps)
        play = self.settled.play
        return () if play is None else play.cards

    @property
    def hands(self) -> Hands:
        """The hands in play before the discards, with None for each unknown one."""
        deal = self.settled.deal
        if deal is None:
            return {}
        open_ = dict.fromkeys(deal.undecided)
        return {**deal.hands, **open_} if open_ else deal.playing_hands()

    @property
    def question(self) -> int | None:
        """The number of cards played before the first question of a quiz.

        In an unfinished hand, these are all recorded cards. In a finished hand, they are the cards
        before the turning point or, if there is none, before the first card that cost something.
        None if there is no such card, or if hands are unknown.
        """
        deal = self.settled.deal
        if deal is None or self.settled.contract is None:
            return None
        if None in self.hands.values():
            return None
        review = self.score.review
        if review is None or not review.finished or self.record.posed:
            return len(self.cards)
        turns = [account.turning_point for account in review.accounts.values()]
        wrong = [number for number, step in enumerate(review.steps) if step.mark]
        return next((turn for turn in (*turns, *wrong) if turn is not None), None)


def facts_of_deals(
    records: Iterable[DealRecord],
    *,
    threads: int = 1,
    limits: Limits = DEFAULT,
    memory: int = DEFAULT_MEMORY,
    drawing: Drawing | None = None,
) -> Iterator[DealFacts | SpadilleError]:
    """Return the facts about each deal, in order; unexpected exceptions become InternalErrors."""
    return each_judged(_facts_of, records, threads, limits, memory, drawing)


def _facts_of(
    record: DealRecord, solver: Solver, limits: Limits, drawing: Drawing | None
) -> DealFacts:
    settled, call = record.settled, Search(solver, limits)
    facts = DealFacts(record, judge_deal(settled, solver, call.nested(), drawing, explained=True))
    deal, contract = settled.deal, settled.contract
    if deal is None:
        return facts
    with suppress(SpadilleError):
        facts = replace(facts, table=table(deal, solver=solver, limits=call.nested()))
    play = settled.play
    if contract is not None and play is not None and play.cards and facts.score.review is None:
        # Play before a fault in the record is still used.
        with suppress(SpadilleError):
            question = (deal, contract, play.cards, settled.surrender)
            upto = review(*question, refutations=True, solver=solver, limits=call.nested())
            facts = replace(facts, score=replace(facts.score, review=upto.cut_short()))
    if contract is None:
        if settled.calls:
            with suppress(SpadilleError):
                fewer = call.nested(BEFORE_LIMITS.hard_nodes)
                calls = tuple(settled.calls[1])
                before = before_play(deal, None, calls, solver=solver, limits=fewer)
                facts = replace(facts, before=before)
    elif not facts.cards:
        with suppress(SpadilleError):
            limits = call.nested()
            result = solve(deal, contract, leads=True, line=True, solver=solver, limits=limits)
            facts = replace(facts, result=result)
    if drawing is not None and facts.question == len(facts.cards):
        with suppress(SpadilleError):
            facts = replace(facts, chances=_chances(facts, drawing))
    return facts


def _chances(facts: DealFacts, drawing: Drawing) -> Chances | None:
    """Value the cards in an open decision; None if there are several declarers or no layouts."""
    settled = facts.settled
    deal, contract = settled.deal, settled.contract
    if deal is None or contract is None or len(contract.declarers) > 1:
        return None
    auction = Auction.of_entry(settled.calls)
    known = know(deal, contract, None, facts.cards, auction=auction, assumptions=drawing)
    return Sampling(CardStrategy(known, drawing, double_dummy=False, payoffs=False)).run()


def without_folder(file: str) -> str:
    """Return the name of a file without its folder, because folder names may be private."""
    return PurePath(file).name
