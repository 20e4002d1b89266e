"""Value a player's cards given what that player knows, averaged over the possible layouts.

Every layout is valued double-dummy, which is not how people play. "Made in 63%" therefore means
that the contract makes double-dummy in 63% of the layouts; it is not the probability of making it
at the table (docs/chances.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from spadille.analysis.chances.belief import believing
from spadille.analysis.chances.card_averages import CardAverages, Counts, PayoffFigures
from spadille.analysis.chances.card_chances_result import (
    CardChance,
    Chances,
    Ended,
)
from spadille.analysis.chances.card_values_by_plan import CardPlan, WithoutSeeing
from spadille.analysis.chances.encoded_decision import decision_of
from spadille.analysis.chances.payoffs_beyond_tricks import Payments
from spadille.analysis.chances.plan_words import lines_of
from spadille.analysis.chances.plans import Plan
from spadille.analysis.chances.sampling_loop import (
    PILOT_TIME,
    Clock,
    Sampling,
    Strategy,
    nothing_valued,
)
from spadille.analysis.chances.sampling_settings import (
    DEFAULT_DRAWING,
    Drawing,
    RankedBy,
    check_drawing,
    unranker,
    words_of,
)
from spadille.analysis.chances.stopping_rule import Race
from spadille.analysis.chances.surrender_row import Surrenders
from spadille.analysis.chances.value_meaning import kinds_of
from spadille.analysis.confidence_intervals import EPSILON, ERROR, SHARE_ERROR, Interval
from spadille.analysis.value.card_values import CardValues, card_values
from spadille.base.errors import ArgumentError, ContractError
from spadille.base.words_for_messages import seat_label
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.conditioned_layouts import FittingLayouts
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.core.recorded_auction import Auction
from spadille.search.encoding import Situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits

_DOUBLE_DUMMY_TIME = 0.5
"""The search for the double-dummy values may use at most this share of the time."""
_BEFORE_PLAN = 0.8  # share of the time limit, since the plan also takes time to write down


def chances(
    deal: Deal,
    contract: Contract | str,
    play: str | Iterable[str] = (),
    *,
    seat: str | None = None,
    auction: Auction | str | Iterable[str] = (),
    drawing: Drawing = DEFAULT_DRAWING,
    double_dummy: bool = True,
    memory: int = DEFAULT_MEMORY,
) -> Chances:
    """Value the cards of the player to move given what that player knows.

    `play` lists the cards played so far and `auction` the calls. Only the hand of the player to
    move needs to be known. `drawing` says how to draw layouts and when to stop. Unless time runs
    out, the same seed gives the same results on any number of threads. If all hands are known,
    `double_dummy` also adds the double-dummy values.

    If there are several declarers, a declarer's card is valued by the payoff that this declarer can
    guarantee. Raises DealError for an impossible record, ContractError for a seat that is not one
    of several declarers, ArgumentError for other invalid arguments, and the errors of
    `card_values`.
    """
    check_drawing(drawing)
    known = know(deal, contract, seat, play, auction=auction, assumptions=drawing)
    strategy = CardStrategy(known, drawing, double_dummy=double_dummy, memory=memory)
    return Sampling(strategy).run()


class CardStrategy(Strategy[Chances]):
    """Values, in every layout, each card that the player to move may play."""

    def __init__(
        self,
        known: Knowledge,
        drawing: Drawing,
        *,
        double_dummy: bool = True,
        payoffs: bool = True,
        plans: bool = True,
        plan: bool = False,
        plan_card: str | None = None,
        averages: bool = True,
        playouts: bool = False,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        known.check_to_play()
        _check_has_contract(known)
        clock = Clock(drawing.seconds)
        pilot = clock.part(PILOT_TIME)
        known, self._belief = believing(
            known, drawing.spread, lambda: pilot.over, averages=averages
        )
        self.hurried = pilot.over
        self._rank: RankedBy = drawing.rank or "made"
        self.known = known
        self.drawing = drawing
        self._at = at = decision_of(known)
        kinds = kinds_of(known, at, Search(None, Limits()), forced=payoffs)
        self.exact = not known.only_drawn and drawing.all_of(known.fitting)
        self._weights = None
        if self.exact and isinstance(known.fitting, FittingLayouts):
            self._weights = known.fitting.weights
        whole = None if self._weights is None else sum(self._weights.values())
        self._payments = Payments.of(kinds, at, memory, whole) if payoffs else None
        self._surrenders = Surrenders.of(known, at, memory, whole) if payoffs else None
        self._layouts = kinds.solver(kinds.kinds, at, memory)
        self._hands = unranker(known, at)
        self._groups = _equal(known, at)
        if plan_card is not None:
            _check_legal(plan_card, known, self._groups)
        numbers = at.encoding.numbers
        self._column = [self._layouts.cards.index(numbers[group[0]]) for group in self._groups]
        self._counts = Counts(kinds.kinds, len(self._layouts.cards), whole)
        self._played_out = Counts(kinds.kinds, self._counts.columns, whole) if playouts else None
        self.race = Race(list(self._column))
        self._unseen = WithoutSeeing(known, drawing, memory)
        # Plans from a sample only help to explain the averages; verdicts ignore them.
        self._plans = plans and (averages or self._unseen.possible)
        self._wants_plan = plan
        self._plan_card = plan_card
        self._plan: Plan | None = None
        self._plan_lines: tuple[str, ...] = (self._no_plan,) if plan else ()
        self._values: CardValues | None = None
        if double_dummy and all(known.deal.hands.get(s) for s in known.deal.rules.seats):
            values = _double_dummy(known, clock.part(_DOUBLE_DUMMY_TIME), memory)
            self._values = values if values.finished else None
            self.hurried = self.hurried or not values.finished
        self.prepared = clock.spent

    @property
    def samples(self) -> int:
        """The number of layouts valued so far."""
        return self._counts.valued

    @property
    def complete(self) -> bool:
        """Whether all layouts were valued."""
        return self.exact and self._counts.valued == self.known.fitting.count

    @property
    def part(self) -> float:
        """The share of the time to spend on sampling: half of it if a search for plans follows."""
        return 0.5 if self._plans and self._unseen.possible and not self.exact else 1.0

    def finish(self, clock: Clock) -> None:
        """Value the cards without knowing the other hands."""
        if not self._plans:
            return
        self._unseen.search(clock.part(_BEFORE_PLAN) if self._wants_plan else clock)
        self.hurried = self.hurried or clock.over
        if self._wants_plan:
            self._plan = self._unseen.plan(self._plan_card, clock.left)
            self._plan_lines = (self._no_plan,)
            if self._plan is not None:
                self._plan_lines = tuple(lines_of(self._plan, self.known))

    @property
    def _no_plan(self) -> str:
        return f"No plan: {self._unseen.basis.why}."

    def blocks(self, clock: Clock) -> Iterator[Iterator[list[int]]]:
        """Yield the ranks of layouts that fit, one block at a time."""
        clock.stop(self.known)
        return self.drawing.blocks(self.known.fitting, self.exact)

    def value(self, ranks: Sequence[int], clock: Clock) -> bool:
        """Value the cards in these layouts; a layout not valued in time is ignored."""
        hands = self._hands.hands(words_of(ranks))
        players, threads = self._at.problem.players, self.drawing.threads
        weights = None
        if self._weights is not None:
            weights = [self._weights[rank] for rank in ranks]
        rows = self._layouts.values(hands, threads=threads, seconds=clock.left)
        whole = len(rows)
        if self._payments is not None:
            rows = self._payments.add(rows, hands, threads, clock.left, weights)
        self._counts.add(rows, weights)
        if self._played_out is not None:
            counted = len(rows) // (2 + 2 * len(self._layouts.cards))
            played_out = self._layouts.playouts(hands[: counted * players])
            self._played_out.add(played_out, weights)
        if self._surrenders is not None:
            counted = len(rows) // (2 + 2 * len(self._layouts.cards))
            self._surrenders.add(hands[: counted * players], players, threads, weights)
        return self._layouts.stopped is None and len(rows) == whole

    def drawn(self, number: int, block: int = 0) -> memoryview:
        """Draw `number` layouts, each as the players' hands in order of play, 64 bits per hand."""
        ranks = self.known.fitting.sample(number, self.drawing.seed, block)
        return self._hands.hands(words_of(ranks))

    def look(self, *, last: bool) -> bool:
        """Return whether the best card is certainly at least as good as every other card."""
        self.race.begin_look(last=last)
        averages = self._average()
        leader = self._leader(averages)
        counts = self._counts
        if self._ranked_by(averages) == "payoff":
            low, high = self._paid.span
            # These intervals are valid at all looks together, so `error` need not be divided among
            # the looks.
            return self.race.compare(
                leader, lambda column, _: self._pays_less(column, leader), EPSILON * (high - low)
            )
        return self.race.compare(
            leader, lambda column, error: counts.behind_interval(column, leader, error)
        )

    @property
    def played_out(self) -> dict[str, CardAverages]:
        """The averages for each card if everybody plays by rules of thumb after it."""
        assert self._played_out is not None
        averages = self._played_out.average()
        column = {number: at for at, number in enumerate(self._layouts.cards)}
        numbers = self._at.encoding.numbers
        return {card: averages[column[numbers[card]]] for group in self._groups for card in group}

    @property
    def averages(self) -> dict[str, CardAverages]:
        """The averages for each card over the layouts valued so far (at least one)."""
        averages = self._average()
        return {
            card: averages[column]
            for group, column in zip(self._groups, self._column, strict=True)
            for card in group
        }

    @property
    def declaring(self) -> bool:
        """Whether the player belongs to the declaring side."""
        return self._counts.with_declarer

    def _average(self) -> list[CardAverages]:
        """Return the averages for each card over all layouts."""
        averages = self._counts.average()
        payments = self._payments
        if payments is None:
            return averages
        return [
            average._replace(payoff=payments.mean(column))
            for column, average in enumerate(averages)
        ]

    @property
    def _paid(self) -> PayoffFigures:
        return self._counts if self._payments is None else self._payments

    def _pays_less(self, column: int, leader: int) -> Interval:
        """Return an interval for the leader's payoff minus the card's, valid at every look."""
        error = ERROR / max(len(self._column) - 1, 1)
        interval = self._paid.payoff_behind_interval(column, leader, error)
        assert interval is not None
        return interval

    def _ranked_by(self, averages: Sequence[CardAverages]) -> RankedBy:
        """Return the name of the figure by which the cards are ranked."""
        paid = all(averages[column].payoff is not None for column in self._column)
        return self._rank if paid else "made"

    def _leader(self, averages: Sequence[CardAverages]) -> int:
        """Return the column of the card that does best so far."""
        by = self._ranked_by(averages)
        return max(self._column, key=lambda column: self._order(averages[column], by))

    def _order(self, average: CardAverages, by: RankedBy = "made") -> tuple[float, ...]:
        tricks = average.tricks or 0.0
        order = average.order if by == "made" else reversed(average.order)
        return (*order, tricks if self._counts.with_declarer else -tricks)

    def result(self, ended: Ended | None) -> Chances:
        """Return the result so far; raise TooHardError if no layout has been valued yet."""
        if not self.samples:
            raise nothing_valued(self.known)
        known, at, counts = self.known, self._at, self._counts
        exact, given_up = self.complete, self._surrenders
        averages = self._average()
        leader = self._leader(averages)
        ranked_by = self._ranked_by(averages)
        plans = self._unseen.basis
        unseen = self._unseen.cards
        cards = self._cards(averages, leader, ended, unseen, by_plan=plans.decided)
        best = averages[leader].good
        if plans.exact:
            best = max(plan.exact or 0.0 for plan in unseen.values())
        gauge = counts.if_all_were_seen - best
        if ranked_by == "payoff":
            gauge = self._paid.payoff_if_all_were_seen() - (averages[leader].payoff or 0.0)
        return Chances(
            contract=known.contract,
            seat=known.seat,
            after=len(known.played),
            trick=known.deal.rules.game.hand_size - at.problem.tricks + 1,
            leader=known.leader,
            table=tuple(card for _, card in known.trick),
            known=known.sentences,
            layouts=known.fitting.distinct,
            samples=known.fitting.distinct if exact else self.samples,
            exact=exact,
            belief=self._belief,
            acceptance=known.acceptance,
            seed=self.drawing.seed,
            ranked_by=ranked_by,
            gauge=gauge,
            settled=exact or self.race.settled,
            ended=ended,
            repeatable=not self.hurried and ended != "interrupted",
            declaring=counts.with_declarer,
            cards=tuple(cards[card] for card in at.encoding.numbers if card in cards),
            surrender=None if given_up is None else given_up.result(exact=exact),
            double_dummy=self._values,
            plans=plans,
            guess=self._unseen.guess,
            plan=self._plan,
            plan_lines=self._plan_lines,
        )

    def _cards(
        self,
        averages: Sequence[CardAverages],
        leader: int,
        ended: Ended | None,
        unseen: Mapping[str, CardPlan],
        *,
        by_plan: bool,
    ) -> dict[str, CardChance]:
        """Return the figures for each card, ranked by plans if `by_plan`."""
        counts, exact = self._counts, self.complete
        by = self._ranked_by(averages)
        plans = [unseen.get(group[0], CardPlan()) for group in self._groups]
        ranking = [
            (
                plan.least if by_plan and by == "made" else 0.0,
                *self._order(averages[column], by),
            )
            for plan, column in zip(plans, self._column, strict=True)
        ]
        orders = sorted(ranking, reverse=True)
        error = self.race.error_of_result(interrupted=ended == "interrupted")
        shared = error / max(self.race.rivals, 1)
        cards: dict[str, CardChance] = {}
        for group, column, plan, order in zip(
            self._groups, self._column, plans, ranking, strict=True
        ):
            average = averages[column]
            made, behind = average.good, averages[leader].good - average.good
            if by == "payoff":
                behind = (averages[leader].payoff or 0.0) - (average.payoff or 0.0)
            made_interval = behind_interval = None
            if not exact:
                made_interval = counts.good_interval(column, max(error, SHARE_ERROR))
                if column != leader and by == "made":
                    behind_interval = counts.behind_interval(column, leader, shared)
                elif column != leader:
                    behind_interval = self._pays_less(column, leader)
            if not counts.with_declarer:
                made = 1 - made
                if made_interval is not None:
                    made_interval = 1 - made_interval[1], 1 - made_interval[0]
            for card in group:
                cards[card] = CardChance(
                    card=card,
                    equals=tuple(other for other in group if other != card),
                    made=made,
                    made_interval=made_interval,
                    payoff=average.payoff,
                    payoff_interval=None if exact else self._paid.payoff_interval(column),
                    mean_tricks=average.tricks,
                    best_share=average.best,
                    behind=behind,
                    behind_interval=behind_interval,
                    rank=1 + orders.index(order),
                    without_seeing=plan.exact,
                    without_seeing_bounds=plan.bounds,
                    no_guess=plan.no_guess,
                )
        return cards


def _check_has_contract(known: Knowledge) -> None:
    """Raise ContractError if there are several declarers and this seat is not one of them."""
    declarers = known.contract.declarers
    if len(declarers) > 1 and known.seat not in declarers:
        raise ContractError(
            f"{seat_label(known.seat)} has no contract and is paid nothing, and it may be "
            f"impossible to hold the declarers {' '.join(declarers)} to their guarantees at the "
            "same time",
            "chances-several",
        )


def _check_legal(card: str, known: Knowledge, groups: Iterable[Iterable[str]]) -> None:
    legal = [other for group in groups for other in group]
    if card not in legal:
        raise ArgumentError(
            f"{seat_label(known.seat)} may not play {card!r}; legal cards: {' '.join(legal)}"
        )


def _double_dummy(known: Knowledge, clock: Clock, memory: int) -> CardValues:
    """Value the cards double-dummy; all hands must be known."""
    cards = [card for _, card in known.played]
    limits = Limits(seconds=clock.left)
    return card_values(known.deal, known.contract, cards, solver=Solver(memory), limits=limits)


def _equal(known: Knowledge, at: Situation) -> list[list[str]]:
    """Group the legal cards that are equivalent in every layout (neighbors in rank)."""
    code = at.encoding
    unseen = sum(code.bits[card] for card in known.unseen)
    groups: list[list[str]] = []
    for numbers in Solver().classes(at.problem).values():
        before = None
        for number in sorted(numbers, reverse=True):
            between = 0 if before is None else (1 << before) - (2 << number)
            if before is None or unseen & between:
                groups.append([])
            groups[-1].append(code.names[number])
            before = number
    return groups
