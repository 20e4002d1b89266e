"""Score a deal: what it paid, what it could have paid, and what each player lost through errors.

`spadille.analysis.evening.evening_settlement` settles the deal as recorded. This module adds these
double-dummy results:

- the payoff of the contract that was played, with best play from the first card,
- the contract with the highest payoff that one seat could have reached by changing only its own
  calls (`best`); the others repeat their recorded calls while these are legal, and otherwise pass,
- each seat's missed bid: a higher contract than the one played, which the seat could have reached
  and made, if it guarantees more than the played contract pays the seat with best play,
- the cost of each card in tricks (`review`), and in points or chips. A cost in points or chips is
  the drop in the payoff that the player's side can force (RULES 11); the payoffs of partners are
  added up.

In a hand played to the end, the declaring side's payoff equals its payoff with best play, minus the
points it lost by errors, plus the points the others lost by errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any, TypeVar

from spadille.analysis.chances.review_chances import judged
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.contracts.best import BEST_LIMITS, best
from spadille.analysis.contracts.best_result import Best, Offer, rating
from spadille.analysis.evening.deal_settlement import NOT_SETTLED, Settled
from spadille.analysis.many_deals import answers
from spadille.analysis.result_text_forms import Shown, spaced
from spadille.analysis.review.card_costs import CostTally, LuckVerdict
from spadille.analysis.review.review import review
from spadille.analysis.review.review_result import Review
from spadille.analysis.review.unseen_hands import unseen_review
from spadille.analysis.value.solve import solve
from spadille.analysis.value.solve_result import Result
from spadille.base.errors import SpadilleError
from spadille.base.json_fields import encoded
from spadille.base.words_for_messages import signed
from spadille.core.call_tree import bid_of
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.reachable_contracts import words_for
from spadille.core.recorded_auction import Auction
from spadille.search.encoding import situation
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from spadille.search.question import Question
from spadille.search.surrender_value import secured_by

Item = TypeVar("Item")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class DealScore(Shown):
    """One deal in an evening."""

    settled: Settled
    """The payoff of the deal as it was played."""
    best_play: Mapping[str, int] | None = None
    """The payoffs with best play, to all seats and to the pool. If there are several declarers,
    each one's guaranteed payoff. None if nobody played or if the payoffs are unknown."""
    best_contract: Offer | None = None
    """The contract with the highest forced payoff for its declarer, among those that seats could
    have reached and made; None if there is no such contract."""
    missed: tuple[Offer, ...] = ()
    """The best missed bid of each seat that missed one."""
    cards: Mapping[str, CostTally] = field(default_factory=dict)
    """The cost of each seat's cards, as in `review`; empty if nothing was played."""
    unit: str | None = None
    """The unit for the costs: "tricks", "outcome" or "points"."""
    lost: Mapping[str, int] | None = None
    """Points or chips that each seat lost by errors; None if unknown."""
    verdicts: Mapping[str, Mapping[LuckVerdict, int]] = field(default_factory=dict)
    """For each seat, the number of cards with each verdict; empty unless requested.
    """
    timed_out: Mapping[str, int] = field(default_factory=dict)
    """For each seat, the number of cards without a settled verdict because time ran out; empty
    unless requested."""
    unjudged: Mapping[str, int] = field(default_factory=dict)
    """For each seat, the number of cards in `timed_out` that have no verdict at all."""
    review: Review | None = None
    """The review of the cards; None if nothing was played."""
    could: Best | None = None
    """The contracts each seat could have reached, including the missed bids; None for end
    positions."""
    nodes: int = 0
    ms: float = 0.0

    @property
    def unseen(self) -> tuple[str, ...]:
        """The seats with unknown hands; if there are any, there are no double-dummy values."""
        deal = self.settled.deal
        hands = {} if deal is None else deal.hands
        return tuple([seat for seat, hand in hands.items() if hand is None])

    def __str__(self) -> str:
        settled = self.settled
        if settled.error is not None:
            return settled.error.message
        gains = " ".join(
            f"{settled.players[seat]} {signed(gain)}"
            for seat, gain in (settled.points or {}).items()
        )
        if settled.contract is None:
            return f"passed out: {gains}"
        return spaced(f"{settled.contract}:", settled.outcome, gains)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON, without `error`."""
        settled, contract = self.settled, self.settled.contract
        played: dict[str, Any] = dict.fromkeys(_CONTRACT)
        made: Any = encoded(settled.made)
        if contract is not None:
            played |= contract.to_dict()
            played["contract"] = " ".join(dict.fromkeys(contract.ids))
        if made is not None and (contract is None or len(contract.declarers) == 1):
            made = next(iter(made.values()), None)
        verdicts = {}
        if self.verdicts and self.review is not None:
            verdicts = {
                "verdicts": encoded(self.verdicts),
                "belief": self.review.beliefs().to_dict(),
            }
        return {
            "names": dict(settled.players),
            "passed_out": settled.passed_out,
            **played,
            "surrender": encoded(settled.surrender),
            "outcome": settled.outcome,
            "made": made,
            "antes": encoded(settled.antes),
            "pool": encoded(settled.pool),
            "paid": encoded(settled.paid),
            "points": settled.points,
            "best_play": encoded(self.best_play),
            "best_contract": self.best_contract and _fields_of(self.best_contract),
            "missed": [_fields_of(offer) for offer in self.missed],
            "players": encoded(self.cards),
            "unit": self.unit,
            "lost": encoded(self.lost),
            **verdicts,
            **({"timed_out": encoded(self.timed_out)} if self.timed_out else {}),
            **({"unjudged": encoded(self.unjudged)} if self.unjudged else {}),
            **({"unseen": list(self.unseen)} if self.unseen else {}),
            "totals": [
                {"player": name, "points": points}
                for name, points in (settled.totals or {}).items()
            ],
            "over": list(settled.over),
            "end": encoded(settled.end),
            "warnings": [
                {name: getattr(warning, name) for name in ("code", "message", "line", "column")}
                for warning in settled.warnings
            ],
            "nodes": self.nodes,
            "ms": self.ms,
        }


_CONTRACT = ("declarer", "contract", "trump", "called", "partner", "penalty")


def _fields_of(offer: Offer) -> dict[str, Any]:
    """Return the fields that identify an offer, and its payoff."""
    return {name: getattr(offer, name) for name in _CONTRACT} | {"payoff": offer.least}


def each_judged(
    judge: Callable[[Item, Solver, Limits, Drawing | None], Answer],
    deals: Iterable[Item],
    threads: int,
    limits: Limits,
    memory: int,
    drawing: Drawing | None,
) -> Iterator[Answer | SpadilleError]:
    """Judge the deals in order; an unexpected exception becomes an InternalError."""
    drawing = drawing and replace(drawing, threads=1)  # threads are shared out among deals
    return answers(
        lambda solver, deal: judge(deal, solver, limits, drawing), deals, threads, memory
    )


def judge_deal(
    settled: Settled,
    solver: Solver,
    limits: Limits,
    drawing: Drawing | None,
    *,
    explained: bool = False,
) -> DealScore:
    """Compare the payoff of a settled deal with the payoffs it could have had.

    With `explained`, the review includes the refutations and the decisions before the first card.
    Raises SpadilleError if another thread ends the call.
    """
    call = Search(solver, limits)
    deal, contract = settled.deal, settled.contract
    score = DealScore(settled=settled)
    if deal is None:
        return score
    if score.unseen and contract is not None and not explained:
        return _seen(score, deal, contract, drawing)
    if settled.error is not None and settled.error.code != NOT_SETTLED:
        return score
    if contract is not None:
        with suppress(SpadilleError):
            result = solve(deal, contract, objective="score", solver=solver, limits=call.nested())
            score = replace(score, best_play=_best_play(result), nodes=result.nodes)
        score = _with_review(score, deal, contract, drawing, call, explained)
    if not deal.is_ending:
        with suppress(SpadilleError):
            fewer = call.nested(BEST_LIMITS.hard_nodes)
            could = best(deal, auction=_auction(settled), solver=solver, limits=fewer)
            score = replace(
                score,
                could=could,
                best_contract=_most(could),
                missed=tuple(_missed(deal, contract, could, score.best_play)),
                nodes=score.nodes + could.nodes,
            )
    call.check_not_interrupted()
    return replace(score, ms=call.ms)


def _with_review(
    score: DealScore,
    deal: Deal,
    contract: Contract,
    drawing: Drawing | None,
    call: Search,
    explained: bool,
) -> DealScore:
    """Judge the recorded cards; if this fails, the score keeps what was found before."""
    settled = score.settled
    played = settled.play.cards if settled.play else ()
    if not played and not settled.surrender:
        return score
    with suppress(SpadilleError):
        reviewed = review(
            *(deal, contract, played, settled.surrender),
            _spoken(settled) if explained else None,
            refutations=explained,
            solver=call.solver,
            limits=call.nested(),
        )
        score = replace(
            score,
            cards=_with_surrenders(reviewed),
            unit=reviewed.unit,
            review=reviewed,
            nodes=score.nodes + reviewed.nodes,
        )
        lost, spent = _lost(deal, reviewed, call.solver, call.nested())
        score = replace(score, lost=lost, nodes=score.nodes + spent)
        score = _with_verdicts(score, reviewed, deal, drawing)
    return score


def _seen(score: DealScore, deal: Deal, contract: Contract, drawing: Drawing | None) -> DealScore:
    """Judge the cards of the known hands by their chances only; all costs are unknown."""
    settled = score.settled
    if settled.play is None or not settled.play.cards:
        return score
    with suppress(SpadilleError):
        reviewed = unseen_review(deal, contract, settled.play.cards, settled.surrender)
        score = replace(score, cards=reviewed.players, unit=reviewed.unit, review=reviewed)
        score = _with_verdicts(score, reviewed, deal, drawing)
    return score


def _with_verdicts(
    score: DealScore, reviewed: Review, deal: Deal, drawing: Drawing | None
) -> DealScore:
    """With a `drawing`, judge each card by its chances."""
    if drawing is None:
        return score
    reviewed = judged(reviewed, deal, Auction.of_entry(score.settled.calls), drawing)
    return replace(
        score,
        verdicts=reviewed.verdicts,
        timed_out=reviewed.timed_out,
        unjudged=reviewed.unjudged,
        review=reviewed,
    )


def _with_surrenders(reviewed: Review) -> dict[str, CostTally]:
    """Return the cost of each seat's cards, counting wrong surrenders as errors."""
    wrong = Counter(surrender.seat for surrender in reviewed.surrenders if surrender.cost)
    return {
        seat: replace(tally, errors=tally.errors + wrong[seat])
        for seat, tally in reviewed.players.items()
    }


def _spoken(settled: Settled) -> tuple[str, ...]:
    return tuple(settled.calls[1]) if settled.calls else ()


def _auction(settled: Settled) -> Sequence[str]:
    """Return the recorded calls or, if there are none, calls that lead to the contract."""
    deal, contract = settled.deal, settled.contract
    if settled.calls or deal is None or contract is None:
        return _spoken(settled)
    return words_for(deal, contract)


def _best_play(result: Result) -> Mapping[str, int] | None:
    """Return the payoffs with best play, or the guaranteed payoff of each of several declarers."""
    if result.guarantees is None:
        return None if result.secured is None else result.secured.score
    sure = {seat: points for seat, points in result.guarantees.items() if points is not None}
    return sure if len(sure) == len(result.guarantees) else None


def _lost(
    deal: Deal, reviewed: Review, solver: Solver, limits: Limits
) -> tuple[dict[str, int] | None, int]:
    """Return the points or chips that each seat's errors cost its side, and the nodes searched."""
    if reviewed.several:
        return {seat: tally.cost for seat, tally in reviewed.players.items()}, 0
    lost, nodes = dict.fromkeys(deal.rules.seats, 0), 0
    for contract, cards in reviewed.parts:
        search = Search(solver, limits)
        played = deal if contract == reviewed.contract else deal.taken_over()
        known = _add_lost(lost, played, contract, reviewed, cards, search)
        nodes += search.nodes
        if not known:
            return None, nodes
    costs = [(decision.seat, decision.cost) for decision in reviewed.decisions]
    costs += [(decision.seat, decision.cost) for decision in reviewed.surrenders]
    for seat, cost in costs:
        lost[seat] += cost
    return lost, nodes


def _add_lost(
    lost: dict[str, int],
    deal: Deal,
    contract: Contract,
    reviewed: Review,
    cards: range,
    search: Search,
) -> bool:
    """Add the costs of the cards played in one contract; return False if they are unknown."""
    first, steps = cards.start, reviewed.steps[cards.start : cards.stop]
    earlier = [step.card for step in reviewed.steps[:first]]
    start = Question.of_score(deal, contract, situation(deal, contract, earlier), search)
    numbers = [start.at.encoding.numbers[step.card] for step in steps]
    places = [*accumulate(numbers, Question.after, initial=start)]
    decisions = {decision.card: decision.cost for decision in reviewed.decisions}
    given = {
        decision.card: decision.cost
        for decision in reviewed.surrenders
        if decision.decision == "played_on"
    }
    chosen = [
        n for n, step in enumerate(steps) if step.choice or n in decisions or first + n in given
    ]
    after, value = None, None
    # Positions are valued backwards, because a value usually equals the next one, which is already
    # in the table.
    for number in (len(steps), *reversed(chosen)):
        low, high = places[number].payoff_bounds(value)
        if low < high:
            return False
        value = low
        before = start.objective.values[value]
        before, most = secured_by(places[number], before, before).bounds
        if before < most:
            return False
        if after is not None:
            step = steps[number]
            chose = decisions.get(number, 0) + given.get(first + number, 0)
            cost = before - chose - after
            lost[step.seat] += cost if step.seat in contract.side else -cost
        after = before
    return True


def _most(could: Best) -> Offer | None:
    """Return the reachable contract with the highest forced payoff."""
    offers = [
        offer for seat_offers in could.brought.values() for offer in seat_offers if _pays(offer)
    ]
    return max(offers, key=rating, default=None)


def _pays(offer: Offer) -> bool:
    return bool(offer.makes) and offer.least > 0


def _missed(
    deal: Deal, contract: Contract | None, could: Best, best_play: Mapping[str, int] | None
) -> Iterator[Offer]:
    """Yield the best missed bid of each seat that missed one.

    Yields nothing if the payoff with best play is unknown.
    """
    if contract is not None and best_play is None:
        return
    height = -1 if contract is None else bid_of(deal.rules, contract)[1]
    for seat, offers in could.brought.items():
        payoff = (best_play or {}).get(seat, 0)
        for offer in offers:
            higher = offer.height > height
            if deal.rules.bidding.cards is not None:  # bid cards have no order
                higher = contract is None or not _plays(contract, offer)
            if higher and _pays(offer) and offer.least > payoff:
                yield offer
                break


def _plays(contract: Contract, offer: Offer) -> bool:
    """Return whether a contract matches an offer."""
    played = dict(zip(contract.declarers, contract.ids, strict=True))
    if contract.partner is not None:
        played[contract.partner] = contract.ids[0]
    suits = (contract.trump, contract.penalty)
    return played.get(offer.declarer) == offer.contract and suits == (offer.trump, offer.penalty)
