"""The payoffs by which the script ranks cards and scores a finished hand.

A payoff depends on the sides and on the holders of the highest trumps. Sides and holders differ
between layouts, so each case has its own tables. The script counts the tricks of a hand and looks
up its payoff here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from spadille.analysis.chances.value_meaning import KindAsker, case_of, placements, telling_cards
from spadille.base.card_text import NO_TRUMP
from spadille.base.errors import RulesError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import Knowledge, know
from spadille.games.model.contract_types_and_options import Outcome
from spadille.search.encoding import Situation, situation
from spadille.search.end_states import State
from spadille.search.limited_search import Search
from spadille.search.limits import Limits
from spadille.search.make_payoff_objective import held, payoff_objective
from spadille.search.payoff_automata import OUTCOMES, Nemo, most
from spadille.search.payoff_objectives import PayoffByEnd
from spadille.search.verdict import final_of

_RUNS = {1: "won", 0: None, -1: "lost"}


def payoff_tables(deal: Deal, contract: Contract) -> dict[str, Any] | None:
    """Return the payoffs of a contract in all cases; None if the record lacks tricks.

    `best` lists the trump cards whose holders affect the payoff. A case is a partner together with
    the numbers of `best` cards that the side and the declarer hold. Each case is listed with the
    number of its table.
    """
    rules, trump = deal.rules, contract.trump
    paid = rules.held_pay and trump != NO_TRUMP
    tables: list[dict[str, Any]] = []
    cases: dict[tuple[Any, ...], int] = {}
    for known in [know(deal, contract, seat) for seat in rules.seats]:
        for other, terms in _cases(known):
            key = terms.partner, *(map(int, held(other, terms)) if paid else ())
            if key in cases:
                continue
            at = situation(other, terms)
            if at.total != rules.game.hand_size:
                return None
            table = _table(other, terms, at)
            if table not in tables:
                tables.append(table)
            cases[key] = tables.index(table)
    return {
        "best": rules.trump_cards(trump)[: rules.game.matadors + 1] if paid else (),
        "many": len(OUTCOMES),
        "cases": [[*key, number] for key, number in cases.items()],
        "tables": tables,
    }


def _cases(known: Knowledge) -> Iterator[tuple[Deal, Contract]]:
    telling, seen = telling_cards(known), set()
    for where, same in placements(known, telling):
        if same not in seen:
            seen.add(same)
            yield case_of(known, telling, where)


def _table(deal: Deal, contract: Contract, at: Situation) -> dict[str, Any]:
    """Return the payoffs in one case: by value, or by the state at the end of the hand."""
    if len(contract.declarers) == 1:
        goal = payoff_objective(deal, contract, at)
        if isinstance(goal, PayoffByEnd):
            return _ends(deal, contract, at, goal)
    return {"values": {seat: _by_value(deal, contract, at, seat) for seat in deal.rules.seats}}


def _by_value(deal: Deal, contract: Contract, at: Situation, seat: str) -> dict[int, int | None]:
    if len(contract.declarers) > 1 and seat not in contract.declarers:
        return {}  # the same payoff, whatever is played
    kind = KindAsker(deal, contract, at, seat).kind(Search(None, Limits()), True)
    by_points = kind.objective if isinstance(kind.objective, Nemo) else None
    return {
        int(by_points.named(value)) if by_points else value: meaning.payoff
        for value, meaning in kind.meanings.items()
    }


def _ends(deal: Deal, contract: Contract, at: Situation, goal: PayoffByEnd) -> dict[str, Any]:
    """Return a hand's states and, for each final one, the side's payoff, success, and all gains."""
    states = goal.states
    paid = zip(states.outcomes.items(), goal.paid, strict=True)
    ends: dict[str, Any] = {
        "groups": states.groups,
        "run": states.run,
        "goesOn": states.ends,
        "start": states.start,
        "ends": {
            _key(state): [end.side, int(end.makes), *_all(deal, contract, outcome)]
            for (state, outcome), end in paid
        },
        "stop": next(map(_key, filter(states.may_stop, states.outcomes)), None),
    }
    ends["paid"] = {
        number: _of_values(deal, contract, at, first) for number, first in _RUNS.items()
    }
    return ends


def _of_values(
    deal: Deal, contract: Contract, at: Situation, first: str | None
) -> dict[int, list[int]]:
    by_value = {}
    for value, final in _finals(deal, contract, at):
        with suppress(RulesError):  # too few tricks to win or lose the first run
            by_value[value] = _all(deal, contract, replace(final, first_run=first))
    return by_value


def _finals(deal: Deal, contract: Contract, at: Situation) -> Iterator[tuple[int, Outcome]]:
    """Yield each value of the contract with its result."""
    kind, seat = deal.rules.contract(contract.ids[0]), contract.declarer
    if kind.aim != "most":
        for tricks in range(at.total + 1):
            yield tricks, final_of(contract, at, seat, tricks)
        return
    outcomes = most(deal.rules, kind.id, seat, at.total, (0,) * len(deal.rules.seats))
    for value in range(len(outcomes.values)):
        for final in outcomes.verdict(contract, at, seat, value, value).finals:
            yield value, final


def _all(deal: Deal, contract: Contract, outcome: Outcome) -> list[int]:
    """Return the payoff of each seat."""
    score = deal.rules.score(deal, contract, outcome)
    return [score[seat] for seat in deal.rules.seats]


def _key(state: State) -> str:
    won, seen, won_by = state
    return " ".join(map(str, (*won, seen, won_by)))
