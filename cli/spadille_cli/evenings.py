"""The deals in files as evenings, and the table of players shared by `review` and `score`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.evening.deal_score import DealScore
from spadille.analysis.evening.deal_settlement import Settled
from spadille.analysis.evening.evening_settlement import settle
from spadille.analysis.evening.score import NO_STAKES, PlayerScore, Stakes, by_player, score_many
from spadille.analysis.review.card_costs import VERDICTS, LuckVerdict
from spadille.base.errors import Fault, SpadilleError, attempt
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import Surrender
from spadille.games.model.game import Rules
from spadille.pbn.entry import Entry, placed
from spadille.pbn.play_section import RecordedPlay
from spadille.pbn.problem_tags import Posed
from spadille.render.results.score import players
from spadille.render.tables import Column, attributes, names_of, row_of
from spadille_cli.case_and_answer import Case, DealAnswer
from spadille_cli.deal_source import Source, replayed
from spadille_cli.exit_status import Tally
from spadille_cli.fault_reports import report
from spadille_cli.guarded_cases import guarded, refused
from spadille_cli.human_readable_tables import room
from spadille_cli.output_formats import Output, View

if TYPE_CHECKING:
    from spadille.pages.deal_facts import DealFacts

_PLAYER: tuple[Column[PlayerScore], ...] = (
    *attributes("game", "player", "deals", "unsettled", "points", "made", "failed"),
    *attributes(*(f"tally.{name}" for name in ("cards", "choices", "best", "share", "errors"))),
    Column("tricks", lambda score: score.tally.cost),
    *attributes("lost", "missed", "chips", "money"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Recorded:
    """The record of a case, for settling the evening."""

    rules: Rules | None
    faults: Sequence[Fault]
    deal: Deal | None = None
    contract: Contract | None = None
    passed_out: bool = False
    play: RecordedPlay | None = None
    result: int | None = None
    tricks: Mapping[str, int] = field(default_factory=dict)
    paid: Mapping[str, int] = field(default_factory=dict)
    surrender: Surrender | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    calls: tuple[str, Sequence[str]] | None = None
    dealer_named: bool = False
    warnings: Sequence[Fault] = ()
    posed: Posed | None = None

    @classmethod
    def of(cls, case: Case, dealer: str | None) -> _Recorded:
        """Read the case after applying the options; `dealer` is the dealer that an option names."""
        entry = case.entry
        own = case.contract == (entry.contract or entry.seen_contract)
        # While the holder of the called card is unknown, cards can be judged but payoffs cannot be
        # settled.
        partner = entry.unresolved if case.contract is not None and own else None
        faults = [fault for fault in (case.error, case.play_fault, partner) if fault is not None]
        return cls(
            rules=entry.rules,
            deal=case.deal,
            contract=case.contract,
            passed_out=entry.passed_out and case.contract is None,
            play=case.play,
            result=entry.result if own else None,
            tricks=entry.tricks if own else {},
            paid=entry.paid if own else {},
            surrender=case.surrender,
            players=entry.players,
            calls=entry.calls if own else None,
            dealer_named=entry.dealer_named or dealer is not None,
            warnings=entry.warnings,
            posed=entry.posed,
            faults=faults,
        )


def _recorded(case: Case, dealer: str | None, tally: Tally) -> _Recorded:
    """Return the record of a case; if that fails, the record contains only the fault."""
    record = attempt(partial(_Recorded.of, case, dealer))
    if isinstance(record, _Recorded):
        return record
    fault = refused(case, record, tally).error
    return _Recorded(rules=case.entry.rules, faults=[fault or Fault(record.code, str(record))])


def _warned(case: Case, settled: Settled, tally: Tally) -> Settled:
    """Report the warnings about a deal, each at its place in the file."""
    warnings = tuple(placed(case.entry, warning) for warning in settled.warnings)
    report(case.name, warnings, tally, case.entry.game.document)
    return replace(settled, warnings=warnings)


@dataclass(frozen=True, slots=True)
class Evening:
    """The deals of the files with their payoffs; each file is one evening, or all files are one."""

    cases: list[Case]
    settled: list[Settled]
    together: bool = False
    """Whether all files belong to one evening."""

    @classmethod
    def of(
        cls, source: Source, tally: Tally, *, optional: bool = False, seen: bool = False
    ) -> Evening:
        """Read and settle all deals, report faults and warnings, and keep the chosen boards.

        With `optional`, a deal needs no contract. With `seen`, the holder of a called card may be
        unknown.
        """
        every = replace(source, boards=()).cases(
            tally, passed_out=True, optional=optional, seen=seen
        )
        every = [guarded(lambda case: replayed(case, tally), case, tally) for case in every]
        pairs: list[tuple[Case, Settled]] = []
        for _, own in groupby(every, lambda case: source.one_evening or id(case.file)):
            cases = list(own)
            records = [_recorded(case, source.terms.dealer, tally) for case in cases]
            pairs += zip(cases, settle(records), strict=True)
        chosen = source.chosen([case.entry for case in every], tally)
        kept = [both for both, take in zip(pairs, chosen, strict=True) if take]
        cases, shown = [], []
        for case, settled in kept:
            warned = attempt(partial(_warned, case, settled, tally))
            if isinstance(warned, SpadilleError):
                case, warned = refused(case, warned, tally), settled
            cases.append(case)
            shown.append(warned)
        return cls(cases, shown, source.one_evening)

    def refuse(self, entry: Entry, error: SpadilleError, tally: Tally) -> None:
        """Report an error about an entry."""
        refused(next(case for case in self.cases if case.entry is entry), error, tally)

    def scores(
        self, steps: Iterable[Case], tally: Tally, threads: int, drawing: Drawing | None = None
    ) -> Iterator[DealAnswer[DealScore]]:
        """Yield each case with its score, or with None after an unexpected error."""
        results = score_many(self.settled, threads=threads, drawing=drawing)
        yield from self._with_faults(steps, results, tally)

    def facts(
        self, steps: Iterable[Case], tally: Tally, threads: int, drawing: Drawing | None = None
    ) -> Iterator[DealFacts]:
        """Yield everything that the page shows about each case."""
        from spadille.pages.deal_facts import DealFacts, DealRecord, facts_of_deals

        records = [
            DealRecord(
                case.entry,
                settled,
                case.name,
                _faults(case, settled),
                "" if self.together else case.name,
            )
            for case, settled in zip(self.cases, self.settled, strict=True)
        ]
        results = facts_of_deals(records, threads=threads, drawing=drawing)
        for case, record, result in zip(steps, records, results, strict=False):
            if isinstance(result, SpadilleError):
                fault = refused(case, result, tally).error
                yield DealFacts.faulty(record, fault or Fault(result.code, str(result)))
            else:
                yield result

    def _with_faults(
        self, steps: Iterable[Case], results: Iterable[DealScore | SpadilleError], tally: Tally
    ) -> Iterator[DealAnswer[DealScore]]:
        """Yield each case with its result, and with the fault if it could not be settled."""
        for case, settled, result in zip(steps, self.settled, results, strict=False):
            if isinstance(result, SpadilleError):
                yield DealAnswer(refused(case, result, tally))
                continue
            error = settled.error
            if error is not None and case.error is None and case.play_fault is None:
                error = placed(case.entry, error)
                report(case.name, [error], tally, case.entry.game.document)
                case = replace(case, error=error)
            elif case.play_fault is not None:
                case = replace(case, error=case.play_fault)
            yield DealAnswer(case, result)

    def write_players(
        self,
        output: Output,
        tally: Tally,
        threads: int,
        drawing: Drawing | None = None,
        stakes: Stakes = NO_STAKES,
    ) -> None:
        """Write the totals of all players; after Ctrl-C, they cover only the finished deals."""
        deals: list[DealScore] = []
        columns = (*_PLAYER, *((*map(_verdicts, VERDICTS), *_HURRIED) if drawing else ()))
        tables = partial(players, width=room(sys.stdout))
        view = View(names_of(columns), lambda player: [row_of(columns, player)], tables)
        with output.progress(self.cases) as steps:
            counted = _counted(self.scores(steps, tally, threads, drawing), deals)
            output.write(counted, view, tally, by_player(deals, stakes))


_HURRIED: tuple[Column[PlayerScore], ...] = attributes("timed_out", "unjudged")


def _verdicts(name: LuckVerdict) -> Column[PlayerScore]:
    return Column(name, lambda player: player.verdicts.get(name))


def _faults(case: Case, settled: Settled) -> tuple[Fault, ...]:
    """Return the faults of a deal for the page; the command reports the same faults."""
    faults = (*case.entry.findings, case.error, case.play_fault, *settled.warnings)
    return tuple(dict.fromkeys(fault for fault in faults if fault is not None))


def _counted(
    answers: Iterable[DealAnswer[DealScore]], deals: list[DealScore]
) -> Iterator[PlayerScore]:
    """Collect the scores of all deals in `deals`; yield no records."""
    deals += (answer.result for answer in answers if answer.result is not None)
    yield from ()
