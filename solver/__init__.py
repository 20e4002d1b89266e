"""Double-dummy solver for the Hombre and Solo families of card games.

    from spadille import Contract, Deal
    from spadille.solve import solve

    deal = Deal.parse("N:...", "german-solo")
    result = solve(deal, Contract.make(deal, "solo", "N", "S"))

Names of the submodules that everybody needs stand here too, imported on first use. The functions
`solve.solve`, `table.table` and `best.best` do not: here their names are those of the modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spadille.best import best_many
    from spadille.deal import Contract, Deal
    from spadille.engine import Solver
    from spadille.errors import SpadilleError
    from spadille.games import GAMES, get_game, rules_for
    from spadille.offers import Best
    from spadille.position import Position
    from spadille.result import Result
    from spadille.rules import Outcome, Rules
    from spadille.solve import solve_many
    from spadille.table import Table, table_many

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Best",
    "Contract",
    "Deal",
    "Outcome",
    "Position",
    "Result",
    "Rules",
    "Solver",
    "SpadilleError",
    "Table",
    "best_many",
    "get_game",
    "rules_for",
    "solve_many",
    "table_many",
]

_MODULES = {
    "Best": "offers",
    "Contract": "deal",
    "Deal": "deal",
    "GAMES": "games",
    "Outcome": "rules",
    "Position": "position",
    "Result": "result",
    "Rules": "rules",
    "Solver": "engine",
    "SpadilleError": "errors",
    "Table": "table",
    "best_many": "best",
    "get_game": "games",
    "rules_for": "games",
    "solve_many": "solve",
    "table_many": "table",
}


def __getattr__(name: str) -> object:
    # Importing all of it takes longer than a command that needs little of it may take.
    if name not in _MODULES:
        raise AttributeError(f"module 'spadille' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"spadille.{_MODULES[name]}"), name)
    return found
