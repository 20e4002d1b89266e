"""Double-dummy solver for the Hombre and Solo families of card games.

    import spadille

    deal = spadille.Deal.random("german-solo", 1)
    result = spadille.solve(deal, "N solo S")

What everybody needs stands here, imported on first use; none of these names is that of a module.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spadille.analysis.before import BeforePlay, before_play
    from spadille.analysis.best import best, best_many
    from spadille.analysis.cards import CardValue, CardValues, card_values, card_values_many
    from spadille.analysis.chances.best import best_chances
    from spadille.analysis.chances.cards import chances
    from spadille.analysis.chances.drawing import Drawing
    from spadille.analysis.chances.offers import BestChances
    from spadille.analysis.chances.result import CardChance, Chances
    from spadille.analysis.offers import Best
    from spadille.analysis.result import ContractorResult, Result
    from spadille.analysis.review import Review, review, review_many
    from spadille.analysis.score import Scores, score
    from spadille.analysis.solve import solve, solve_many
    from spadille.analysis.table import Table, table, table_many
    from spadille.composing.mining import problems
    from spadille.composing.problem import Problem
    from spadille.contract import Contract
    from spadille.deal import Deal
    from spadille.dealing.condition import condition
    from spadille.dealing.deals import deals
    from spadille.dealing.frequencies import Frequency, frequencies
    from spadille.dealing.looking import Deals
    from spadille.errors import SpadilleError
    from spadille.games import GAMES, get_game, rules_for
    from spadille.knowledge.known import Knowledge, know
    from spadille.pages.page import page
    from spadille.parts import Outcome
    from spadille.pbn.dump import dump, dumps
    from spadille.pbn.handfile import HandFile, load, read
    from spadille.position import Position
    from spadille.render.sheet import Sheet, show
    from spadille.rules import Game, Rules
    from spadille.search.engine import Solver
    from spadille.search.limits import Limits

__version__ = "0.1.0"

# Where each name comes from.
_FACE = {
    "BeforePlay": "analysis.before",
    "Best": "analysis.offers",
    "BestChances": "analysis.chances.offers",
    "CardChance": "analysis.chances.result",
    "CardValue": "analysis.cards",
    "CardValues": "analysis.cards",
    "Chances": "analysis.chances.result",
    "Contract": "contract",
    "ContractorResult": "analysis.result",
    "Deal": "deal",
    "Deals": "dealing.looking",
    "Drawing": "analysis.chances.drawing",
    "Frequency": "dealing.frequencies",
    "GAMES": "games",
    "Game": "rules",
    "HandFile": "pbn.handfile",
    "Knowledge": "knowledge.known",
    "Limits": "search.limits",
    "Outcome": "parts",
    "Position": "position",
    "Problem": "composing.problem",
    "Result": "analysis.result",
    "Review": "analysis.review",
    "Rules": "rules",
    "Scores": "analysis.score",
    "Sheet": "render.sheet",
    "Solver": "search.engine",
    "SpadilleError": "errors",
    "Table": "analysis.table",
    "before_play": "analysis.before",
    "best": "analysis.best",
    "best_chances": "analysis.chances.best",
    "best_many": "analysis.best",
    "card_values": "analysis.cards",
    "card_values_many": "analysis.cards",
    "chances": "analysis.chances.cards",
    "condition": "dealing.condition",
    "deals": "dealing.deals",
    "dump": "pbn.dump",
    "dumps": "pbn.dump",
    "frequencies": "dealing.frequencies",
    "get_game": "games",
    "know": "knowledge.known",
    "load": "pbn.handfile",
    "page": "pages.page",
    "problems": "composing.mining",
    "read": "pbn.handfile",
    "review": "analysis.review",
    "review_many": "analysis.review",
    "rules_for": "games",
    "score": "analysis.score",
    "show": "render.sheet",
    "solve": "analysis.solve",
    "solve_many": "analysis.solve",
    "table": "analysis.table",
    "table_many": "analysis.table",
}

__all__ = [
    "GAMES",
    "BeforePlay",
    "Best",
    "BestChances",
    "CardChance",
    "CardValue",
    "CardValues",
    "Chances",
    "Contract",
    "ContractorResult",
    "Deal",
    "Deals",
    "Drawing",
    "Frequency",
    "Game",
    "HandFile",
    "Knowledge",
    "Limits",
    "Outcome",
    "Position",
    "Problem",
    "Result",
    "Review",
    "Rules",
    "Scores",
    "Sheet",
    "Solver",
    "SpadilleError",
    "Table",
    "before_play",
    "best",
    "best_chances",
    "best_many",
    "card_values",
    "card_values_many",
    "chances",
    "condition",
    "deals",
    "dump",
    "dumps",
    "frequencies",
    "get_game",
    "know",
    "load",
    "page",
    "problems",
    "read",
    "review",
    "review_many",
    "rules_for",
    "score",
    "show",
    "solve",
    "solve_many",
    "table",
    "table_many",
]


def __getattr__(name: str) -> object:
    # Importing all of it takes longer than a command that needs little of it may take.
    if name not in _FACE:
        raise AttributeError(f"module 'spadille' has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"spadille.{_FACE[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
