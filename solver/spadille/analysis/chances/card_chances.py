"""What the cards of a player are worth on what he knows: averages over the layouts that are left.

In each layout every card is valued with all hands open from there on, which is not how people play:
"made in 63 % of the layouts, all playing with open cards from here", and never the probability of
making (docs/chances.md).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any

from spadille.analysis.chances.card_chances_result import CardChance, Chances, Ended
from spadille.analysis.chances.mean_payoffs import Payments
from spadille.analysis.chances.row_counts import CardAverages, Counts, Race
from spadille.analysis.chances.sampling_plan import Drawing, Trust, unranker, words_of
from spadille.analysis.chances.surrender_row import Surrenders
from spadille.analysis.chances.value_meaning import kinds_of
from spadille.analysis.value.card_values import CardValues, card_values
from spadille.base.errors import ArgumentError, ContractError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.conditioned_layouts import Fitting, LayoutCondition
from spadille.core.knowledge.seat_knowledge import Discards, Knowledge, conditions, know
from spadille.search.encoding import Situation, situation
from spadille.search.engine import DEFAULT_MEMORY, LayoutSolver, Solver
from spadille.search.going_for_all import lost_at, may_stop
from spadille.search.limits import Limits, TooHardError
from spadille.search.question import Search

_TICK = 0.15  # seconds of work until what is known so far can be told


def chances(
    deal: Deal,
    contract: Contract | str,
    play: str | Iterable[str] = (),
    *,
    seat: str | None = None,
    auction: str | Iterable[str] = (),
    first: str | None = None,
    samples: int | None = None,
    seconds: float = 10,
    seed: int = 0,
    threads: int = 1,
    trust_auction: Trust = "no",
    discards: Discards = "uniform",
    where: LayoutCondition | Iterable[LayoutCondition] = (),
    double_dummy: bool = True,
    memory: int = DEFAULT_MEMORY,
) -> Chances:
    """Value the cards of the player to move on what he knows, after the cards of `play`.

    Of the deal only his hand need be known. It ends when the answer is settled, after so many
    `samples` (None: however many it takes) or `seconds` (0: however long it takes). The same `seed`
    gives the same answer on any number of `threads`, unless time ends it. `auction` are the calls
    in turn, from `first` on, else eldest; where `trust_auction` says "bounds" they prove what
    duties to bid prove. `discards`: whether others put away any cards, or no trumps
    ("keep-trumps"). `where`: functions of the deal with which play began that tell which layouts
    there can be. `double_dummy`: the values with all hands open, too, where these are known.

    Each of several contractors has the chances of what he himself is sure of. Raises DealError for
    a record that cannot have been, ContractError for who is none of several contractors,
    ArgumentError for other arguments, and what `card_values` raises.
    """
    asked = Sampling(
        deal,
        contract,
        play,
        seat=seat,
        auction=auction,
        first=first,
        drawing=Drawing(
            samples, seconds, seed, threads, trust_auction, discards, conditions(where)
        ),
        double_dummy=double_dummy,
        memory=memory,
    )
    for _ in asked.steps():
        pass
    return asked.result()


class Sampling:
    """The same step by step, for who wants to know how it stands: see `chances`."""

    def __init__(
        self,
        deal: Deal,
        contract: Contract | str,
        play: str | Iterable[str] = (),
        *,
        seat: str | None = None,
        auction: str | Iterable[str] = (),
        first: str | None = None,
        drawing: Drawing,
        double_dummy: bool = True,
        payoffs: bool = True,
        memory: int = DEFAULT_MEMORY,
    ) -> None:
        self._known = known = know(
            deal,
            contract,
            seat,
            play,
            auction=auction,
            first=first,
            trust_auction=drawing.trust_auction,
            discards=drawing.discards,
            where=drawing.where,
        )
        if known.seat != known.to_play:
            raise ArgumentError(f"{known.to_play} is to play, not {known.seat}")
        contract = known.contract
        if len(contract.declarers) > 1 and known.seat not in contract.declarers:
            raise ContractError(
                f"{known.seat} is paid nothing whatever it plays, and what each of the contractors "
                f"{' '.join(contract.declarers)} can reach need not be prevented together",
                "chances-several",
            )
        self._at = at = _decision(known)
        self._drawing = drawing
        kinds = kinds_of(known, at, Search(None, Limits()), forced=payoffs)
        self._payments = Payments.of(kinds, at, memory) if payoffs else None
        self._surrenders = Surrenders.of(known, at, memory) if payoffs else None
        self._layouts = LayoutSolver(
            at.problem,
            [(kind.objective, kind.state, kind.guess) for kind in kinds.kinds],
            telling=kinds.telling,
            table=kinds.table,
            memory=memory,
        )
        self._hands = unranker(known, at)
        self._groups = _equal(known, at)
        numbers = at.encoding.numbers
        self._column = [self._layouts.cards.index(numbers[group[0]]) for group in self._groups]
        self._counts = Counts(kinds.kinds, len(self._layouts.cards))
        self._race = Race(list(self._column))
        self._exact = drawing.all_of(known.fitting)
        self._chunk = drawing.threads  # what is found does not hang on how much is done at a time
        self._ended: Ended | None = None
        self._values: CardValues | None = None
        if double_dummy and all(known.deal.hands.get(s) for s in known.deal.rules.seats):
            cards = [card for _, card in known.played]
            self._values = card_values(known.deal, contract, cards, memory=memory)

    @property
    def samples(self) -> int:
        """Layouts valued so far."""
        return self._counts.number

    def steps(self) -> Iterator[None]:
        """Value layouts until the answer is settled or a limit is reached, a step at a time.

        An interruption that comes up meanwhile leaves what was valued in the steps before.
        """
        began = perf_counter()
        seconds = self._drawing.seconds
        until = began + seconds if seconds else None
        self._ended = "interrupted"
        fitting = self._known.fitting
        if isinstance(fitting, Fitting):
            fitting.until = until
        for block in self._drawing.blocks(fitting, self._exact):
            over = False
            for ranks in block:
                over = yield from self._valued(ranks, until)
            over = over or (until is not None and perf_counter() >= until)
            settled = self._all or (self.samples > 0 and self._look(last=over))
            if settled or over:
                self._ended = "seconds" if over and not self._all else None
                return
        self._ended = "samples"

    def _valued(self, ranks: Sequence[int], until: float | None) -> Generator[None, None, bool]:
        """Value layouts a step at a time; return whether the time was over before."""
        hands = self._hands.hands(words_of(ranks))
        players, threads = self._at.problem.players, self._drawing.threads
        first = 0
        while first < len(ranks):
            at = perf_counter()
            if until is not None and at >= until:
                return True
            some = hands[first * players : (first + self._chunk) * players]
            left = 0.0 if until is None else until - at
            found = self._layouts.values(some, threads=threads, seconds=left)
            whole = len(found)
            if self._payments is not None:
                left = 0.0 if until is None else until - perf_counter()
                found = self._payments.add(found, some, threads, left)
            self._counts.add(found)
            if self._surrenders is not None:
                counted = len(found) // (2 + 2 * len(self._layouts.cards))
                self._surrenders.add(some[: counted * players], players, threads)
            if self._layouts.stopped is not None or len(found) < whole:
                return True
            first += len(some) // players
            pace = len(some) / players / max(perf_counter() - at, 1e-9)
            self._chunk = max(threads, min(int(pace * _TICK), 1 << 16))
            yield
        return False

    def drawn(self, number: int, block: int = 0) -> memoryview:
        """Draw so many layouts: the hands of the players in order of play, 64 bits each."""
        return self._hands.hands(
            words_of(self._known.fitting.sample(number, self._drawing.seed, block))
        )

    @property
    def _all(self) -> bool:
        """Whether all layouts were valued."""
        return self._exact and self.samples == self._known.fitting.count

    def _look(self, *, last: bool) -> bool:
        """Look whether the answer is settled; the `last` look is one when the time is over."""
        last = last or self.samples == self._drawing.samples
        self._race.again(self._counts, self._leader(), last=last)
        return self._race.settled

    def _error(self) -> float:
        """Return the error of the last look; of a next one where it has gone on since."""
        if self._ended == "interrupted":
            return self._race.next_error(last=False)
        return self._race.error

    def _average(self) -> list[CardAverages]:
        """Average each card over all layouts."""
        found = self._counts.average()
        payments = self._payments
        if payments is None:
            return found
        return [each._replace(payoff=payments.mean(n)) for n, each in enumerate(found)]

    def _leader(self) -> int:
        """Return the column that does best so far."""
        found = self._average()
        return max(self._column, key=lambda column: self._order(found[column]))

    def _order(self, column: Any) -> tuple[float, ...]:
        tricks = column.tricks or 0.0
        return (*column.order, tricks if self._counts.with_declarer else -tricks)

    def result(self) -> Chances:
        """Say what is known so far; raises TooHardError where no layout has been valued yet."""
        if not self.samples:
            raise nothing_valued(self._known)
        known, at, counts = self._known, self._at, self._counts
        exact, given_up = self._all, self._surrenders
        found = self._average()
        paid = counts if self._payments is None else self._payments
        leader = self._leader()
        orders = sorted((self._order(found[column]) for column in self._column), reverse=True)
        error = self._error()
        rivals = max(self._race.rivals, 1)
        cards: dict[str, CardChance] = {}
        for group, column in zip(self._groups, self._column, strict=True):
            one = found[column]
            good = None if exact else counts.good_interval(column, error)
            chance = CardChance(
                group[0],
                (),
                one.good if counts.with_declarer else 1 - one.good,
                good if good is None or counts.with_declarer else (1 - good[1], 1 - good[0]),
                one.payoff,
                None if exact else paid.payoff_interval(column),
                one.tricks,
                one.best,
                found[leader].good - one.good,
                None
                if exact or column == leader
                else counts.behind_interval(column, leader, error / rivals),
                1 + orders.index(self._order(one)),
            )
            for card in group:
                equals = tuple(other for other in group if other != card)
                cards[card] = replace(chance, card=card, equals=equals)
        return Chances(
            contract=known.contract,
            seat=known.seat,
            after=len(known.played),
            trick=known.deal.rules.game.hand_size - at.problem.tricks + 1,
            leader=known.leader,
            table=tuple(card for _, card in known.trick),
            known=known.sentences,
            layouts=known.fitting.count,
            samples=self.samples,
            exact=exact,
            acceptance=known.acceptance,
            seed=self._drawing.seed,
            gauge=counts.if_all_were_seen - found[leader].good,
            settled=exact or self._race.settled,
            ended=self._ended,
            declaring=counts.with_declarer,
            cards=tuple(cards[card] for card in at.encoding.numbers if card in cards),
            surrender=None if given_up is None else given_up.result(exact=exact),
            double_dummy=self._values,
        )


def nothing_valued(known: Knowledge) -> TooHardError:
    """Return the error of who has not found or valued a layout in time."""
    fitting = known.fitting
    why = f": {fitting.told}" if isinstance(fitting, Fitting) else ""
    return TooHardError(f"the time was over before a layout was valued{why}", "interrupted")


def _decision(known: Knowledge) -> Situation:
    """Put the decision into the engine's terms, in any of the layouts."""
    layout = known.layouts.unrank(0)
    contract = known.contract_of(layout)
    at = situation(known.deal_of(layout), contract, [card for _, card in known.played])
    if not at.problem.tricks or lost_at(contract, at) is not None:
        raise ArgumentError("the hand is over: there is no card to be played")
    return at._replace(goes_on=True) if may_stop(contract, at) else at


def _equal(known: Knowledge, at: Situation) -> list[list[str]]:
    """Group the cards that may be played: neighbours, however the others lie."""
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
