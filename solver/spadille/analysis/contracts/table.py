"""Compute the result of every contract that the rules allow, for every seat.

`spadille.analysis.contracts.contracts_to_solve` lists the contracts. Contracts that lead to the
same question are solved once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, ClassVar, NamedTuple

from spadille.analysis import result_text_forms
from spadille.analysis.contracts.contracts_to_solve import WantedContracts, alternatives
from spadille.analysis.many_deals import parallel, spread
from spadille.analysis.result_text_forms import Shown, spaced, tricks_text
from spadille.base.errors import ContractError, SpadilleError
from spadille.core.arguments import check_deal, contract_types, text_or_list
from spadille.core.contract import Contract, first_leader
from spadille.core.deal import Deal
from spadille.games.model.contract_types_and_options import ContractType
from spadille.search.contract_objective import ContractObjective, objective_of
from spadille.search.encoding import Situation, situation
from spadille.search.engine import DEFAULT_MEMORY, Solver
from spadille.search.first_run import contract_type, gone_on, runners, target_of
from spadille.search.limited_search import Search
from spadille.search.limits import Limits, check_limits
from spadille.search.question import Question
from spadille.search.verdict import Value, Verdict

TABLE_LIMITS = Limits(hard_nodes=250_000)
"""The default limit for each Misère; it is low because a table has many of them."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class TableRow(Shown):
    """One contract of one seat.

    If a limit stopped the search, `tricks` is None, and so may be `makes`. In Nemo, `tricks` is the
    smallest number of clean tricks that is worth the guaranteed points. `best` marks the best
    called card, penalty suit or pair. `trump` is None if the declarer names it with the first card.
    In a table computed with `made`, `tricks` and `margin` are None, `outcome` may be None, and
    `best` marks the first choice that makes.
    """

    declarer: str
    contract: str
    trump: str | None
    called: str | None = None
    partner: str | None = None
    penalty: str | None = None
    tricks: int | None = None
    target: int | None = None
    makes: bool | None = None
    margin: int | None = None
    outcome: str | None = None
    best: bool = True
    bounds: tuple[Value, Value] | None = None
    """Lower and upper bounds on the value if a limit stopped the search; None if the row is
    exact."""

    json_names: ClassVar[tuple[str, ...]] = (
        *("declarer", "contract", "trump", "called", "partner", "penalty", "tricks", "target"),
        *("makes", "margin", "outcome", "best"),
    )

    def __str__(self) -> str:
        with_ = self.called or self.partner or self.penalty
        contract = spaced(self.declarer, self.contract, self.trump or "open", with_)
        result = "" if self.tricks is None else f"{tricks_text(self.tricks, self.target)}, "
        return f"{contract}: {result}{result_text_forms.verdict(self.makes, self.outcome)}"


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Table(Shown):
    """All rows of a deal, sorted by contract, seat or pair, and trump."""

    rows: tuple[TableRow, ...]
    nodes: int
    ms: float
    made: bool = False
    """Whether the table shows only which contracts make, without numbers of tricks."""
    left_out: Mapping[str, str] = field(default_factory=dict)
    """The contracts that cannot be solved, such as "1 nemo S", each with the reason."""

    json_names: ClassVar[tuple[str, ...]] = ("rows", "left_out", "nodes", "ms")
    json_optional: ClassVar[tuple[str, ...]] = ("left_out",)

    @property
    def finished(self) -> bool:
        """Whether every row was searched without reaching a limit."""
        return all(row.bounds is None for row in self.rows)

    def __str__(self) -> str:
        return "\n".join([f"{len(self.rows)} rows", *map(str, self.rows), *self.notes()])

    def notes(self) -> list[str]:
        """Return a sentence for each reason why contracts are left out."""
        return result_text_forms.left_out_notes(self.left_out)


def table(
    deal: Deal,
    contracts: str | Iterable[str] | None = None,
    *,
    seats: Iterable[str] | None = None,
    trumps: Iterable[str] | None = None,
    made: bool = False,
    threads: int = 1,
    solver: Solver | None = None,
    limits: Limits = TABLE_LIMITS,
) -> Table:
    """Solve every contract of every seat, or only those with these ids, seats and trumps.

    With `made`, the search finds out only whether each contract makes, not its number of tricks.

    A pair has a row for each partner, and each partner's best pair is marked. The limit on hard
    nodes applies to the search for the exact number of tricks in a lost Misère. A node limit
    applies to each contract, and a time limit to the whole table. If a limit stops the search for a
    row, the row has `bounds` instead of tricks. The table does not depend on the number of threads,
    unless time runs out. Several threads do not share `solver`: each creates its own, with as much
    memory. An end position may not say which tricks of Nemo were clean; its rows are then in
    `left_out`, unless `contracts` names Nemo. Raises DealError for unknown hands,
    RulesError for unknown seats, ContractError for an unknown id or trump, or a named contract that
    cannot be solved, and ArgumentError unless the number of threads is 1 to 1,024.
    """
    search = Search(solver, check_limits(limits))
    check_deal(deal)
    rules = deal.rules
    kinds = contract_types(rules, contracts)
    desk = _Desk(deal, search, limits, made, threads, named=contracts is not None)
    wanted = WantedContracts.of(rules, seats, trumps)
    chosen = [choice for kind in kinds for choice in alternatives(deal, kind, wanted=wanted)]
    rows = [
        row
        for rows_of_choice in desk.solve(chosen)
        for row in _marked(rows_of_choice)
        if wanted.plays(row.declarer, row.partner)
    ]
    left_out = {
        written: reason for written, (seat, reason) in desk.left_out.items() if wanted.plays(seat)
    }
    return Table(rows=tuple(rows), nodes=desk.nodes, ms=search.ms, made=made, left_out=left_out)


def table_many(
    deals: Iterable[Deal],
    contracts: str | Iterable[str] | None = None,
    *,
    seats: Iterable[str] | None = None,
    trumps: Iterable[str] | None = None,
    made: bool = False,
    threads: int = 1,
    limits: Limits = TABLE_LIMITS,
    memory: int = DEFAULT_MEMORY,
) -> Iterator[Table | SpadilleError]:
    """Yield the table of each deal in order, or the error `table` raises for it.

    An unexpected exception is yielded as InternalError. Tables do not depend on the number of
    threads, unless time runs out. Raises ArgumentError if the number of threads is not between 1
    and 1,024.
    """
    check_limits(limits)
    chosen = text_or_list("contracts", contracts)
    by, in_trumps = text_or_list("seats", seats), text_or_list("trumps", trumps)

    def work(solver: Solver, deal: Deal, threads_of_deal: int) -> Table:
        return table(
            deal,
            chosen,
            seats=by,
            trumps=in_trumps,
            made=made,
            threads=threads_of_deal,
            solver=solver,
            limits=limits,
        )

    return spread(work, deals, threads, memory)


_Key = tuple[Any, ...]
_SIDES = 3  # index in a key: a number for the side and its opponents
_Bounds = tuple[int, int]


class _Asked(NamedTuple):
    """A contract and one of its declarers, who has a row in the table."""

    contract: Contract
    at: Situation
    seat: str
    kind: ContractType
    objective: ContractObjective
    went_on: bool
    target: int
    key: _Key
    """Questions with equal keys have equal answers."""


class _Desk:
    """Solves each question of a table once."""

    def __init__(
        self, deal: Deal, call: Search, limits: Limits, made: bool, threads: int, *, named: bool
    ) -> None:
        self.deal = deal
        self.call = call
        self.limits = limits
        self.made = made
        self.threads = threads
        self.named = named
        self.left_out: dict[str, tuple[str, str]] = {}  # the declarer and the reason
        self.nodes = 0
        self.duty = deal.rules.called_card_duty == "first-lead"
        self.leaders: dict[_Key, str] = {}
        self.situations: dict[_Key, Situation] = {}
        self.objectives: dict[_Key, ContractObjective] = {}
        self.answers: dict[_Key, _Bounds] = {}
        self.verdicts: dict[_Key, Verdict] = {}

    def solve(self, choices: Iterable[Iterable[Contract]]) -> list[list[TableRow]]:
        """Return the rows of each choice; questions about the same side are solved together."""
        asked = [
            [question for contract in choice for question in self.ask(contract)]
            for choice in choices
        ]
        questions: dict[_Key, _Asked] = {}
        for choice in asked:
            for query in choice:
                questions.setdefault(query.key, query)

        def work(search: Search, keys: list[_Key]) -> tuple[dict[_Key, _Bounds], int]:
            # Proofs and hints left from other groups would change the node counts.
            search.solver.clear()
            before = search.nodes
            answers: dict[_Key, _Bounds] = {}
            for key in keys:
                search.next_question()  # move ordering in the engine depends on the nodes so far
                contract, at, seat, _, objective, *_ = questions[key]
                question = Question(
                    self.deal, contract, at, seat, objective, search, state=objective.start
                )
                if self.made:
                    answers[key] = question.made_bounds()
                else:
                    answers[key] = question.bounds(_fair_share(question))
            return answers, search.nodes - before

        def on_thread(solver: Solver, keys: list[_Key]) -> tuple[dict[_Key, _Bounds], int]:
            return work(Search(solver, self.limits, within=self.call), keys)

        # The engine clears its transposition table before a question about other sides, so
        # questions are grouped by sides.
        groups = [list(group) for _, group in groupby(sorted(questions), lambda key: key[_SIDES])]
        done: Iterator[tuple[dict[_Key, _Bounds], int]]
        if self.threads == 1:
            done = (work(self.call, keys) for keys in groups)
        else:
            done = parallel(on_thread, groups, self.threads, self.call.solver.memory_limit)
        for answers, nodes in done:
            self.answers |= answers
            self.nodes += nodes
        return [[*map(self.row, choice)] for choice in asked]

    def situation(self, contract: Contract) -> Situation:
        kind_and_declarer = contract.ids[0], contract.declarers[0]
        leader = self.leaders.get(kind_and_declarer)
        if leader is None:
            leader = self.leaders[kind_and_declarer] = first_leader(self.deal, contract)
        key = contract.trump, leader, contract.called if self.duty else None
        at = self.situations.get(key)
        if at is None:
            at = self.situations[key] = situation(self.deal, contract)
        return at

    def ask(self, contract: Contract) -> Iterator[_Asked]:
        """Yield the contract with each of its declarers: one or, in Nemo, every seat."""
        at = self.situation(contract)
        went_on = gone_on(contract, at)
        # If the declaring side goes on for all tricks, the result depends on which of the partners
        # is the declarer.
        runs = runners(contract, at) if went_on else 0
        player, problem = at.encoding.player, at.problem
        for seat in contract.declarers:
            kind = contract_type(contract, at, seat)
            # Equal objectives are created once.
            aim = contract.ids, seat, contract.partner, contract.penalty, at.trumps, runs
            objective = self.objectives.get(aim) or self.objective(contract, at, seat)
            if objective is None:
                continue
            self.objectives[aim] = objective
            target = target_of(contract, at, seat)
            side = 1 << player[seat]
            if contract.partner is not None:
                side |= 1 << player[contract.partner]
            others = (1 << problem.players) - 1 ^ side
            asked = contract.trump or "", kind.aim, contract.penalty or "", max(side, others)
            need = target if self.made else 0
            key = *asked, side, runs, problem.leader, problem.called, need
            yield _Asked(
                contract=contract,
                at=at,
                seat=seat,
                kind=kind,
                objective=objective,
                went_on=went_on,
                target=target,
                key=key,
            )

    def objective(self, contract: Contract, at: Situation, seat: str) -> ContractObjective | None:
        """Return the objective, or None if a player's points in Nemo are unknown.

        The reason goes to `left_out`. Raises ContractError instead if the caller named the
        contract.
        """
        try:
            return objective_of(contract, at, seat)
        except ContractError as error:
            if self.named or error.code != "nemo-won":
                raise
            self.left_out[f"{seat} {contract.ids[0]} {contract.penalty}"] = seat, str(error)
            return None

    def row(self, asked: _Asked) -> TableRow:
        """Return the row of a contract for one of its declarers."""
        contract, at, seat, kind, objective, went_on, target, key = asked
        low, high = self.answers[key]
        # Equal verdicts are computed once.
        contractor = seat if objective.unit != "tricks" else None
        shared = contract.ids, contract.penalty, contractor, low, high, went_on
        verdict = self.verdicts.get(shared)
        if verdict is None:
            verdict = self.verdicts[shared] = objective.verdict(contract, at, seat, low, high)
        stopped = verdict.makes is None if self.made else low < high
        return TableRow(
            declarer=seat,
            contract=kind.id,
            trump=contract.trump,
            called=contract.called,
            partner=contract.partner,
            penalty=contract.penalty,
            tricks=None if self.made else verdict.tricks,
            target=target if kind.counts_tricks else None,
            makes=verdict.makes,
            margin=None if self.made else verdict.margin,
            outcome=verdict.outcome,
            bounds=verdict.bounds if stopped else None,
        )


def _fair_share(question: Question[ContractObjective]) -> int | None:
    """Return a first guess: a fair share of the tricks, because nobody has bid on these hands."""
    objective, problem = question.objective, question.at.problem
    if objective.unit != "tricks" or question.kind.aim == "misere":
        return None
    return objective.start + problem.tricks * objective.side.bit_count() // problem.players


def _marked(rows: list[TableRow]) -> list[TableRow]:
    """Mark the best row (in Nemo, each seat's best row); the first of equal rows counts as best."""
    if len(rows) == 1:
        return rows
    best: dict[str, TableRow] = {}
    for row in rows:
        group = row.declarer if row.penalty else ""
        if group not in best or _rank(row) > _rank(best[group]):
            best[group] = row
    marked = [*map(id, best.values())]
    return [row if id(row) in marked else replace(row, best=False) for row in rows]


def _rank(row: TableRow) -> int:
    """Return a number that is higher for better rows."""
    return bool(row.makes) if row.tricks is None else row.tricks
