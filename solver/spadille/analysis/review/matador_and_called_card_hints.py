"""Describe how the Matador privilege and the duty to play a called card affected a choice."""

from __future__ import annotations

from spadille.base.card_text import card_name
from spadille.base.words_for_messages import listed, seat_name
from spadille.search.encoding import Encoding
from spadille.search.engine import Solver
from spadille.search.engine_problem import LANE, EngineProblem


def hint(code: Encoding, solver: Solver, problem: EngineProblem, card: int) -> str | None:
    """Describe how a special rule affected the choice of the next card; None if no rule did.

    The special rules are those on matadors and called cards (RULES 2 and 3). A player need not play
    a matador to a lower trump lead, but a higher matador may force it out. A called card may have
    to be played or kept.
    """
    return _called(code, solver, problem) or _matador(code, solver, problem, card)


def _called(code: Encoding, solver: Solver, problem: EngineProblem) -> str | None:
    called = problem.called
    player = problem.to_play
    if called < 0 or not problem.hands[player] >> called & 1:
        return None
    legal, _ = solver.legal(problem)
    free, _ = solver.legal(problem._replace(called=-1))
    if legal == free:
        return None
    who, name = _who(code, player), card_name(code.names[called])
    if legal == 1 << called:
        return f"{who} had to play {name}: its suit was led, and it is the called card"
    if legal >> called & 1:
        return f"{who} could lead that suit only with {name}: it is the called card"
    return f"{who} had to keep {name}: the called card may be played only when its suit is led"


def _matador(code: Encoding, solver: Solver, problem: EngineProblem, card: int) -> str | None:
    trump = problem.trump
    if not problem.matadors or not problem.trick or problem.trick[0] >> 4 != trump:
        return None
    player = problem.to_play
    hand = problem.hands[player]
    trumps = hand & LANE << 16 * trump
    if not trumps or trumps & ~problem.matadors:
        return None
    legal, _ = solver.legal(problem)
    who = _who(code, player)
    names = listed([card_name(trump_card) for trump_card in code.cards(trumps)], "and")
    forced = "it" if trumps.bit_count() == 1 else "them"
    if legal == trumps != hand:
        return f"{who} had to play {names}: a matador that forces {forced} was led"
    if legal == trumps:
        return None
    if card >> 4 != trump:
        return f"{who} could keep {names}: no matador that forces {forced} was led"
    name = card_name(code.names[card])
    return f"{who} did not have to play {name}: no matador that forces it was led"


def _who(code: Encoding, player: int) -> str:
    return seat_name(code.rules.turn_order[player])
