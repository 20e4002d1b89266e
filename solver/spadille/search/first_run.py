"""The first run of tricks, and the choice to go on for all tricks after it (RULES 4, 6, 7).

A side that has won the first run (the first five or six tricks) may stop, which ends the hand. If
the side plays to the next trick, it goes on. After going on, every value is the value of a Tout or
Vole. `objective_of`, verdicts and payoffs use these functions.
"""

from __future__ import annotations

from spadille.core.contract import Contract
from spadille.games.model.contract_types_and_options import ContractType
from spadille.search.encoding import Situation
from spadille.search.end_states import run_on

_RUNS = {1: "won", -1: "lost", 0: None}


def contract_type(contract: Contract, at: Situation, seat: str) -> ContractType:
    """Return the type of contract that a declarer plays."""
    return at.encoding.rules.contracts[contract.ids[contract.declarers.index(seat)]]


def runners(contract: Contract, at: Situation) -> int:
    """Return, as a bit set, the players who must win the first run or all tricks."""
    return at.encoding.players(at.encoding.rules.runners(contract))


def first_tricks(contract: Contract, at: Situation) -> tuple[int, int]:
    """Return how many tricks of the first run were played, and a number for the side that won them.

    If the first number exceeds the length of the first run, the runners have won it and gone on.
    The second number is 1 for the runners and -1 for the others. The second number is 0 if both
    sides won some of these tricks, or if an end position does not record the winners.
    """
    rules, history = at.encoding.rules, at.history
    run = rules.contracts[contract.ids[0]].first_run
    if at.total != rules.game.hand_size or not any(at.won):
        return 0, 0
    runs = runners(contract, at)
    earlier = sum(at.won) - len(history)
    seen, won_by = min(earlier, run), 0
    if earlier:
        runners_won = sum(tricks for player, tricks in enumerate(at.won) if runs >> player & 1)
        runners_won -= sum(runs >> winner & 1 for winner, _ in history)
        if runners_won in (0, earlier):
            seen = 0
            for _ in range(earlier):
                seen, won_by = run_on(seen, won_by, run, runners_won > 0)
    for winner, _ in history:
        seen, won_by = run_on(seen, won_by, run, bool(runs >> winner & 1))
    if seen == run and won_by == 1 and (at.problem.trick or at.goes_on):
        seen += 1
    return seen, won_by


def run_so_far(contract: Contract, at: Situation) -> str | None:
    """Return the value of `Outcome.first_run`: "won", "lost" or None."""
    run = at.encoding.rules.contracts[contract.ids[0]].first_run
    if not run or not any(at.won):
        return None
    seen, won_by = first_tricks(contract, at)
    return _RUNS[won_by] if seen >= run else None


def run_and_gone_on(contract: Contract, at: Situation) -> tuple[str | None, bool]:
    """Return the results of `run_so_far` and `gone_on`, which depend on the same tricks."""
    rules = at.encoding.rules
    kind = rules.contracts[contract.ids[0]]
    if not kind.first_run or not any(at.won):
        return None, False
    seen, won_by = first_tricks(contract, at)
    went_on = rules.may_go_on(kind) and (seen, won_by) == (kind.first_run + 1, 1)
    return _RUNS[won_by] if seen >= kind.first_run else None, went_on


def gone_on(contract: Contract, at: Situation) -> bool:
    """Return whether the side has gone on for all tricks."""
    return _has_won_run(contract, at, more=1)


def may_stop(contract: Contract, at: Situation) -> bool:
    """Return whether the side has just won the first run and may choose to stop or go on."""
    return _has_won_run(contract, at, more=0)


def _has_won_run(contract: Contract, at: Situation, more: int) -> bool:
    """Return whether a side that may go on won the first run and then played `more` tricks."""
    rules = at.encoding.rules
    kind = rules.contracts[contract.ids[0]]
    won = sum(at.won)
    if won < kind.first_run or (won > kind.first_run and not more) or not rules.may_go_on(kind):
        return False
    return first_tricks(contract, at) == (kind.first_run + more, 1)


def target_of(contract: Contract, at: Situation, seat: str) -> int:
    """Return the number of tricks that `seat` needs; after its side has gone on, all of them."""
    if gone_on(contract, at):
        return at.encoding.rules.game.hand_size
    return contract_type(contract, at, seat).target
