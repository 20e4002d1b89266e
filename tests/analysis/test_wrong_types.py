"""Every argument of a public function, given as another type, raises an error of the package."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from types import GeneratorType
from typing import Any

import pytest

import spadille
from spadille import Contract, Deal, Limits, Outcome, Position, Solver, SpadilleError
from spadille.base.errors import InternalError

TEXT = "N:..KJ.K7 .Q9.A.9 ..T98.8 .KJ.Q.J"
DEAL = Deal.parse(TEXT, "mensch", leader="N")
SOLO = Contract.make(DEAL, "solo", "N", trump="H")
CARDS = ("DK",)
RULES = DEAL.rules
WRONG = (5, -1, 1.5, True, b"x", "\0", "x", object(), [5], (), ("x",), [None], {5: 5}, {"x"}, print)
FILE = Path(__file__).parents[2] / "examples" / "mensch.pbn"

FEW = spadille.Drawing(samples=2, seconds=0.3)
# Name -> the function and valid arguments.
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "Contract.make": (
        Contract.make,
        {"deal": DEAL, "contract": "solo", "declarer": "N", "trump": "H"},
    ),
    "Contract.parse": (Contract.parse, {"deal": DEAL, "text": "N solo H"}),
    "Deal": (
        lambda **given: spadille.solve(Deal(**given), "N solo H"),
        {"rules": RULES, "dealer": "N", "hands": DEAL.hands, "leader": "N"},
    ),
    "Deal.contract": (
        DEAL.contract,
        {"contract": "solo", "declarer": "N", "trump": "H"},
    ),
    "Deal.parse": (Deal.parse, {"text": TEXT, "game": "mensch", "leader": "N"}),
    "Deal.random": (Deal.random, {"game": "mensch"}),
    "Limits": (Limits, {}),
    "Outcome": (
        lambda **given: RULES.score(DEAL, SOLO, Outcome(**given)),
        {"tricks": dict.fromkeys(RULES.seats, 2)},
    ),
    "Position.of": (Position.of, {"deal": DEAL, "contract": SOLO}),
    "Position.play": (lambda card: Position.of(DEAL, SOLO).play(card), {"card": "DK"}),
    "Rules.matadors": (RULES.matadors, {"trump": "H"}),
    "Rules.score": (
        RULES.score,
        {"deal": DEAL, "contract": SOLO, "outcome": Outcome(dict.fromkeys(RULES.seats, 2))},
    ),
    "Rules.suits": (RULES.suits, {"trump": "H"}),
    "Solver": (lambda **given: Solver(**given), {"memory": 0, "patience": 1}),
    "Drawing": (
        lambda **given: spadille.chances(DEAL, SOLO, CARDS, drawing=spadille.Drawing(**given)),
        {"samples": 1, "seconds": 0.3, "seed": 0, "threads": 1, "belief": "none"}
        | {"discards": "uniform", "where": ()},
    ),
    "Auction": (
        lambda **given: spadille.know(DEAL, SOLO, auction=spadille.Auction(**given)),
        {"calls": "Pass", "first": "N"},
    ),
    "Assumptions": (
        lambda **given: spadille.know(DEAL, SOLO, assumptions=spadille.Assumptions(**given)),
        {"belief": "none", "discards": "uniform", "where": ()},
    ),
    "before_play": (spadille.before_play, {"deal": DEAL, "contract": SOLO}),
    "best": (spadille.best, {"deal": DEAL}),
    "best_many": (spadille.best_many, {"deals": [DEAL]}),
    "card_values": (spadille.card_values, {"deal": DEAL, "contract": SOLO, "play": CARDS}),
    "card_values_many": (spadille.card_values_many, {"questions": [(DEAL, SOLO, CARDS)]}),
    "best_chances": (
        spadille.best_chances,
        {"deal": DEAL, "seat": "N", "contracts": "solo", "drawing": FEW},
    ),
    "chances": (
        spadille.chances,
        {"deal": DEAL, "contract": SOLO, "play": CARDS, "drawing": FEW},
    ),
    "plan": (
        spadille.plan,
        {"deal": DEAL, "contract": SOLO, "play": CARDS, "drawing": FEW},
    ),
    "condition": (spadille.condition, {"text": "holds(N, CQ)", "deal": DEAL}),
    "deals": (spadille.deals, {"game": "mensch", "number": 1}),
    "dump": (spadille.dump, {"items": [DEAL], "path": "made.pbn"}),
    "dumps": (spadille.dumps, {"items": [DEAL]}),
    "frequencies": (
        spadille.frequencies,
        {"deals": spadille.deals("mensch", 2, seed=1), "expressions": "trumps(N, H)"},
    ),
    "get_game": (spadille.get_game, {"game": "mensch"}),
    "know": (spadille.know, {"deal": DEAL, "contract": SOLO, "play": CARDS}),
    "load": (spadille.load, {"path": FILE}),
    "load_games": (spadille.load_games, {"path": "games.py"}),
    "page": (lambda evening=(), **more: spadille.page(evening, **more), {"title": "Evening"}),
    "problems": (spadille.problems, {"source": [(DEAL, SOLO, CARDS)], "number": 1, "seed": 1}),
    "read": (spadille.read, {"text": "[Deal]"}),
    "register": (spadille.register, {"game": RULES.game}),
    "review": (spadille.review, {"deal": DEAL, "contract": SOLO, "play": CARDS}),
    "review_many": (spadille.review_many, {"questions": [(DEAL, SOLO, CARDS)]}),
    "rules_for": (spadille.rules_for, {"game": "mensch"}),
    "score": (lambda evening, **more: spadille.score(evening, **more), {"evening": []}),
    "show": (spadille.show, {"deal": DEAL, "contract": SOLO, "play": CARDS}),
    "solve": (spadille.solve, {"deal": DEAL, "contract": SOLO}),
    "solve_many": (spadille.solve_many, {"questions": [(DEAL, SOLO)]}),
    "strength": (
        spadille.strength,
        {"hand": "A8.AK98.7.Q", "contract": "solo H", "game": "german-solo", "position": 1},
    ),
    "table": (spadille.table, {"deal": DEAL}),
    "table_many": (spadille.table_many, {"deals": [DEAL]}),
    "to_frame": (spadille.to_frame, {"results": []}),
}
# Switches accept any truthy or falsy value.
SWITCHES = {
    "leads",
    "line",
    "calls",
    "exchange",
    "every",
    "swaps",
    "went_on",
    "plain",
    "double_dummy",
    "quiz",
    "replace",
}
ANY = {
    "page": ("title", "rules", "threads", "limits", "drawing"),
    "score": ("threads", "limits", "memory", "drawing"),
    "Outcome": ("first_run", "clean", "surrender"),
}


def arguments(name: str) -> list[str]:
    function, right = CALLS[name]
    named = [
        each.name
        for each in inspect.signature(function).parameters.values()
        if each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL)
    ]
    return [one for one in {**dict.fromkeys(named), **right} if one not in SWITCHES] + [
        *ANY.get(name, ())
    ]


def every_argument() -> Iterator[tuple[str, str]]:
    for name in CALLS:
        for argument in arguments(name):
            yield name, argument


@pytest.mark.first_cases(2)
@pytest.mark.parametrize(("name", "argument"), [*every_argument()])
def test_wrong_types(
    name: str, argument: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    function, right = CALLS[name]
    for wrong in WRONG:
        try:
            found = function(**right | {argument: wrong})
            answers = list(found) if isinstance(found, GeneratorType) else []
        except SpadilleError as raised:
            answers = [raised]
        except OSError:
            assert name in ("load", "dump")
            continue
        for each in answers:
            assert not isinstance(each, InternalError), (wrong, each)
            assert not isinstance(each, SpadilleError) or len(str(each)) > 15


def test_all_public_functions_are_tried() -> None:
    functions = {name for name in spadille.__all__ if inspect.isfunction(getattr(spadille, name))}
    assert functions <= CALLS.keys()
