"""Find problems in random deals that are worth bidding on, or in played hands."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from math import inf
from random import Random, SystemRandom
from time import monotonic

from spadille.analysis.many_deals import parallel
from spadille.base.argument_checks import check_type, whole_number
from spadille.base.errors import (
    ArgumentError,
    IllegalCardError,
    SpadilleError,
    TooFewError,
    TooHardError,
    attempt,
    quoted,
)
from spadille.base.words_for_messages import listed as listed_words
from spadille.base.words_for_messages import many
from spadille.core.arguments import contract_and_play, contract_types, question_parts, text_or_list
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Game, Rules
from spadille.generate.problems.biddable_deals import bid_on
from spadille.generate.problems.difficulty import HARDEST
from spadille.generate.problems.goal_and_winning_cards import over, position, stake_of
from spadille.generate.problems.likely_play import SLIP, imagined
from spadille.generate.problems.plan_decision import PLAN, PLAN_TRICKS, plan_decision
from spadille.generate.problems.problem import Problem
from spadille.generate.problems.problem_from_decision import (
    LEAST,
    composed,
    composed_plan,
    decision,
)
from spadille.generate.problems.themes import THEMES, KeyDecision, possible_themes, themes_of
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import HandFile
from spadille.search.encoding import Situation, situation
from spadille.search.engine import Solver
from spadille.search.limited_search import Search
from spadille.search.limits import Limits, check_limits

TRICKS = (3, 6)
"""The least and greatest number of tricks left at a decision, except for opening leads."""
PROBLEM_LIMITS = Limits(nodes=3_000_000)
"""The limits for each deal; deals that exceed them are skipped."""
_AT_ONCE = 1e-9  # seconds; 0 would be no limit
_MEMORY = 64 << 20  # bytes
_PATIENCE = 10_000
"""The maximum number of deals to search for one problem."""
_TURN = 100
"""The number of deals after which any theme is accepted if themes take turns."""

_PLAYS = 3
"""The number of times a random deal is played."""
_PLAN_PLAYS = 24
"""The number of times a deal is played to find plans, which are rare but fast to test."""
_RARE = frozenset({"hold-up", "overtake"})
_RARE_PLAYS = 48
"""The number of times a deal is played for rare themes; this is cheap once the deal is solved."""
_RARE_SLIP = 0.5
"""The chance of a slip when looking for rare themes, because good play seldom leads to them."""

PlayedDeal = Entry | Sequence[object]
_PARTS = ("a deal", "its contract", "the cards played")

ErrorCallback = Callable[[PlayedDeal | None, SpadilleError], None]


@dataclass(frozen=True, slots=True)
class _Refused:
    """A hand that cannot be searched (None for a random deal), and the error."""

    hand: PlayedDeal | None
    error: SpadilleError


@dataclass(frozen=True, slots=True)
class WantedProblems:
    """The problems to look for."""

    themes: frozenset[str]
    """The themes to look for; a problem needs only one. If empty, any problem will do."""
    difficulty: tuple[float, float]
    tricks: tuple[int, int]
    seed: int
    end: float
    """The time at which to give up, on the monotonic clock."""
    limits: Limits
    """The limits for each deal."""

    @property
    def plays(self) -> int:
        """The number of times to play a random deal."""
        if self.themes == {PLAN}:
            return _PLAN_PLAYS
        return _RARE_PLAYS if self.rare else _PLAYS

    @property
    def rare(self) -> bool:
        """Whether all themes are rare."""
        return bool(self.themes) and self.themes <= _RARE

    @property
    def late(self) -> bool:
        """Whether it is time to give up."""
        return monotonic() > self.end

    def search(self, solver: Solver) -> Search:
        """Begin to search a deal, within the limits and the remaining time."""
        left = 0.0 if self.end == inf else max(self.end - monotonic(), _AT_ONCE)
        search = Search(solver, replace(self.limits, seconds=left))
        search.check_not_interrupted()
        return search


def problems(
    source: str | Game | HandFile | Iterable[PlayedDeal],
    number: int = 1,
    *,
    themes: str | Iterable[str] | None = None,
    difficulty: tuple[float, float] = (0.0, inf),
    contracts: str | Iterable[str] | None = None,
    tricks: tuple[int, int] = TRICKS,
    options: str | Mapping[str, str] | None = None,
    seed: int | None = None,
    limits: Limits = PROBLEM_LIMITS,
    threads: int = 1,
    tell_error: ErrorCallback | None = None,
) -> Iterator[Problem]:
    """Find decisions with exactly one winning card, one decision per deal, for use as problems.

    `source` is a game, for random deals, or played hands: a hand file, or (deal, contract, play).
    Play from a hand file is used up to the first illegal card. `themes` are names from `THEMES`; a
    problem needs to have only one of them. By default, the themes of the game take turns. The
    `plan` theme is a different kind of problem: the key is the best card without seeing the other
    hands, although another card is just as good double-dummy. `difficulty` and `tricks` are ranges
    (least, most). `tricks` is the number of tricks left, and does not apply to opening leads.
    `contracts` are ids. The same `seed` finds the same problems on any number of `threads`, unless
    a time limit ends the search. A node limit applies to each deal; deals that exceed it are
    skipped. A time limit or an interruption ends the whole search.

    If a hand cannot be searched, `tell_error` is called with that hand (None for a random deal) and
    the error; the search then continues with the next hand. Without `tell_error`, the error is
    raised.

    Raises ArgumentError for invalid arguments, RulesError for an invalid game or option,
    ContractError for an invalid contract, and TooFewError if there are too few problems in the
    hands, or none in a very large number of random deals.
    """
    wanted = _wanted(themes, difficulty, tricks, seed, check_limits(limits))
    number = whole_number(number, 0, "the number of problems must be 0 or more")
    if isinstance(source, str | Game):
        endless = True
        results = _from_random(rules_for(source, options), contracts, wanted, threads)
    else:
        endless = False
        results = _from_played(source, contracts, wanted, threads)
    return _first(_reported(results, tell_error), number, wanted, endless)


def _from_random(
    rules: Rules, contracts: str | Iterable[str] | None, wanted: WantedProblems, threads: int
) -> Iterator[Problem | _Refused | None]:
    """Search random deals without end; None means that a very large number had no problem."""
    if wanted.tricks[0] > rules.game.hand_size:
        most = many(rules.game.hand_size, "trick")
        raise ArgumentError(f"{rules.game.name} has {most}, not {wanted.tricks[0]}")
    kinds = contract_types(rules, contracts)
    if not kinds:
        raise ArgumentError("contracts must name at least one contract")
    if wanted.themes:
        kinds = [
            kind
            for kind in kinds
            if {*possible_themes(rules, [kind]), *_plan_in(kind)} & wanted.themes
        ]
        if not kinds:
            names = listed_words(sorted(wanted.themes), "or")
            where = "with these rules" if contracts is None else "in these contracts"
            raise ArgumentError(f"{rules.game.name} has no {names} {where}", "theme-none")
    look = partial(_in_random, rules, kinds, wanted)
    return parallel(
        lambda solver, nth: _or_refused(partial(look, solver, nth), None), count(), threads, _MEMORY
    )


def _from_played(
    hands: HandFile | Iterable[PlayedDeal],
    contracts: str | Iterable[str] | None,
    wanted: WantedProblems,
    threads: int,
) -> Iterator[Problem | _Refused | None]:
    """Search played hands; None means that a hand has no problem."""
    check_type(hands, Iterable, "the source of problems must be a game, or played hands")
    named = text_or_list("contracts", contracts)
    look = partial(_in_played, named.split() if isinstance(named, str) else named, wanted)
    return parallel(
        lambda solver, hand: _or_refused(partial(look, solver, hand), hand[1]),
        enumerate(hands),
        threads,
        _MEMORY,
    )


def _plan_in(kind: ContractType) -> tuple[str, ...]:
    """Return the `plan` theme if the contract allows it, that is, if it has a single declarer."""
    return () if kind.side == "individual" else (PLAN,)


def _or_refused(
    look: Callable[[], Problem | None], hand: PlayedDeal | None
) -> Problem | _Refused | None:
    result = attempt(look)
    return _Refused(hand, result) if isinstance(result, SpadilleError) else result


def _reported(
    results: Iterator[Problem | _Refused | None], tell_error: ErrorCallback | None
) -> Iterator[Problem | None]:
    """Yield the problems found, and report the hands that cannot be searched."""
    for problem in results:
        if not isinstance(problem, _Refused):
            yield problem
        elif tell_error is None or problem.error.code == "interrupted":
            raise problem.error
        else:
            tell_error(problem.hand, problem.error)


def _wanted(
    themes: str | Iterable[str] | None,
    difficulty: tuple[float, float],
    tricks: tuple[int, int],
    seed: int | None,
    limits: Limits,
) -> WantedProblems:
    seed = None if seed is None else whole_number(seed, None, "a seed must be an integer")
    names = text_or_list("themes", themes)
    named = tuple(names.split() if isinstance(names, str) else names or ())
    for name in named:
        if name not in (*THEMES, PLAN):
            names = " ".join((*THEMES, PLAN))
            raise ArgumentError(f"{name!r} is not a theme: {names}", "theme-unknown")
    for subject, pair in (("difficulty must be", difficulty), ("tricks must be", tricks)):
        whole = isinstance(pair, (tuple, list)) and len(pair) == 2
        if not whole or not all(isinstance(n, (int, float)) for n in pair) or pair[0] > pair[1]:
            raise ArgumentError(f"{subject} from the least to the most, not {quoted(pair)}")
    if difficulty[0] > HARDEST:
        raise ArgumentError(
            f"no problem has a difficulty of {difficulty[0]:g}: few are above 10, and none can be "
            f"above {HARDEST:.0f}"
        )
    if tricks[1] < LEAST:
        raise ArgumentError(
            f"with {many(int(tricks[1]), 'trick')} left nobody has {LEAST} cards to choose from"
        )
    seed = SystemRandom().getrandbits(32) if seed is None else seed
    end = monotonic() + limits.seconds if limits.seconds else inf
    return WantedProblems(frozenset(named), difficulty, tricks, seed, end, limits)


def _first(
    results: Iterator[Problem | None], number: int, wanted: WantedProblems, endless: bool
) -> Iterator[Problem]:
    """Yield the first `number` problems; raise TooFewError if there are fewer."""
    done = 0
    while done < number:
        problem = next(results, None) if endless else next(filter(None, results), None)
        if problem is None:
            number_found = many(done, "problem")
            if wanted.late:
                raise TooFewError(f"gave up after {number_found}: out of time")
            if endless:
                raise TooFewError(
                    f"gave up after {number_found}: none in the next {_PATIENCE} deals"
                )
            raise TooFewError(f"{number_found} in these hands, and no more")
        yield problem
        done += 1


def _in_random(
    rules: Rules, kinds: list[ContractType], wanted: WantedProblems, solver: Solver, number: int
) -> Problem | None:
    """Search deals for a problem, at first only for the theme whose turn it is."""
    turns = ("",) if wanted.themes else (*possible_themes(rules, kinds), "")
    turn = turns[number % len(turns)]
    spare = None
    for nth in range(_PATIENCE):
        if wanted.late or (spare and nth >= _TURN):
            break
        random = Random(f"{rules.game.id} {wanted.seed} {number} {nth}")
        dealt = bid_on(rules, random.choice(kinds), random)
        if dealt is None:
            continue
        search = wanted.search(solver)
        with suppress(TooHardError):
            for play in range(wanted.plays):
                slip = _RARE_SLIP if wanted.rare else SLIP
                played = imagined(*dealt, random, search, slip)
                hand = _Hand(*dealt, played, wanted, search)
                if PLAN in wanted.themes and (problem := hand.plan_problem(random)):
                    return problem
                if wanted.themes == {PLAN}:
                    continue
                leads = not play and ("lead" in wanted.themes or turn == "lead")
                decisions = hand.decisions(leads)
                random.shuffle(decisions)
                if turn and (problem := hand.problem(decisions, {turn})):
                    return problem
                spare = spare or hand.problem(decisions, wanted.themes)
                if spare and not turn:
                    return spare
    return spare


def _in_played(
    ids: Sequence[str] | None,
    wanted: WantedProblems,
    solver: Solver,
    numbered: tuple[int, PlayedDeal],
) -> Problem | None:
    """Look for a problem in a played hand, preferably one with a theme."""
    number, item = numbered
    if isinstance(item, Entry):
        if item.deal is None or item.contract is None or item.play is None:
            return None
        deal, contract = item.deal, item.contract
        cards = _legal(deal, contract, item.play.cards)
    else:
        deal, given, play = (*question_parts(item, _PARTS), ())[:3]
        contract, cards = contract_and_play(deal, given, play)
    if wanted.late or (ids is not None and not {*ids} & {*contract.ids}):
        return None
    search = wanted.search(solver)
    with suppress(TooHardError):
        hand = _Hand(deal, contract, list(_steps(deal, contract, cards)), wanted, search)
        random = Random(f"{wanted.seed} {number}")
        if PLAN in wanted.themes and (problem := hand.plan_problem(random)):
            return problem
        if wanted.themes == {PLAN}:
            return None
        decisions = hand.decisions(not wanted.themes or "lead" in wanted.themes)
        random.shuffle(decisions)
        return hand.problem(decisions, wanted.themes or THEMES) or (
            None if wanted.themes else hand.problem(decisions, ())
        )
    return None


def _legal(deal: Deal, contract: Contract, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cards before the first illegal one."""
    position = Position.of(deal, contract)
    for number, card in enumerate(cards):
        try:
            position.play(card)
        except IllegalCardError:
            return cards[:number]
    return cards


def _steps(
    deal: Deal, contract: Contract, cards: tuple[str, ...]
) -> Iterator[tuple[Situation, str]]:
    situation(deal, contract, cards)  # raises an error for invalid cards
    at = situation(deal, contract)
    for card in cards:
        if over(contract, at):
            return
        yield at, card
        at = at.played(at.encoding.numbers[card])


@dataclass(slots=True)
class _Hand:
    """A played hand: each position with the card played in it."""

    deal: Deal
    contract: Contract
    played: list[tuple[Situation, str]]
    wanted: WantedProblems
    search: Search

    def decisions(self, openings: bool) -> list[tuple[int, KeyDecision]]:
        """List the decisions, each with the number of cards played before it."""
        least, most = self.wanted.tricks
        decisions = []
        for after, (at, _) in enumerate(self.played):
            opening = not after and not self.deal.is_ending
            if not (openings if opening else least <= at.problem.tricks <= most):
                continue
            groups = self.search.solver.classes(at.problem).values()
            if len(groups) >= LEAST and self._may_have_theme(at, groups):
                stake = stake_of(self.deal, self.contract, at, self.search)
                key_decision = decision(stake, opening) if stake else None
                if key_decision is not None:
                    decisions.append((after, key_decision))
        return decisions

    def _may_have_theme(self, at: Situation, groups: Collection[list[int]]) -> bool:
        """Return whether a wanted theme might occur in a position, judged without a search."""
        themes = [THEMES[name] for name in self.wanted.themes if name in THEMES]
        return not themes or any(theme.possible_at(at.problem, groups) for theme in themes)

    def problem(
        self, decisions: list[tuple[int, KeyDecision]], themes: Iterable[str]
    ) -> Problem | None:
        """Make a problem from the first decision with one of `themes` (empty: any decision)."""
        least, most = self.wanted.difficulty
        cards = tuple(card for _, card in self.played)
        for after, key_decision in decisions:
            if themes and not themes_of(key_decision, themes):
                continue
            problem = composed(
                key_decision, self.deal, self.contract, cards[:after], self.search, self.wanted.seed
            )
            if least <= problem.difficulty <= most:
                return problem
        return None

    def plan_problem(self, random: Random) -> Problem | None:
        """Make a plan problem, whose key is best only without seeing the other hands."""
        least, most = self.wanted.difficulty
        fewest, tricks = self.wanted.tricks
        cards = tuple(card for _, card in self.played)
        numbers = [
            number
            for number, (at, _) in enumerate(self.played)
            if fewest <= at.problem.tricks <= min(tricks, PLAN_TRICKS)
            and len(self.search.solver.classes(at.problem)) > 1
        ]
        random.shuffle(numbers)
        for after in numbers:
            plan = plan_decision(self.deal, self.contract, cards[:after])
            if plan is None:
                continue
            stake = position(self.deal, self.contract, cards[:after], self.search)
            if stake is None:
                continue
            problem = composed_plan(
                plan,
                stake,
                self.contract,
                cards[:after],
                search=self.search,
                seed=self.wanted.seed,
            )
            if least <= problem.difficulty <= most:
                return problem
        return None
