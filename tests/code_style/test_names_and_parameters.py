"""Checks of names and parameters in the source code.

Each public class, function and type has a name of its own. No variable has a vague name. Calls with
many arguments name them, and public functions have few parameters.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]

# Names used once in each module below a folder, with the same meaning everywhere.
ENTRIES = {
    "command": "cli/spadille_cli/",
    "tables": "solver/spadille/render/results/",
}


def names(path: Path) -> Iterator[str]:
    """Return the public names of a module, except constants and type variables."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                public = name
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if name.isupper() or ast.unparse(value).startswith("TypeVar("):
                    continue
                public = name
            case _:
                continue
        if not public.startswith("_"):
            yield public


@pytest.mark.ci
def test_each_public_name_once() -> None:
    homes = defaultdict(set)
    for package in ("solver", "cli"):
        for path in sorted((TOP / package).rglob("*.py*")):
            if path.suffix in (".py", ".pyi"):
                for name in names(path):
                    home = path.relative_to(TOP).as_posix()
                    if not home.startswith(ENTRIES.get(name, "-")):
                        homes[name].add(home)
    assert len(homes) > 500
    several = {name: sorted(places) for name, places in homes.items() if len(places) > 1}
    assert not several, f"give each of these a name that no other file has: {several}"


# Names that say nothing about the thing; the code uses more specific ones instead.
VAGUE = {"found", "told", "one", "each"}


def _bound(node: ast.AST) -> str | None:
    """Return the name that a variable, a parameter or a pattern binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return name
        case ast.MatchAs(name=name) | ast.MatchStar(name=name) | ast.MatchMapping(rest=name):
            return name
    return None


def test_variables_say_what_they_are() -> None:
    vague = [
        f"{path}:{node.lineno} {name}"
        for path, node in _code()
        if (name := _bound(node)) is not None and name in VAGUE
    ]
    assert not vague, f"give these variables names that say what their values are: {vague}"


# Functions that take any number of arguments, such as the options of a command.
VARIADIC = {"added", "attributes", "cli_option", "collected", "option", "options"}
# The maximum number of parameters of a public function, and the functions that still have more; the
# list may only shrink.
PARAMETERS = 8
MORE = {
    "solver/spadille/analysis/contracts/best.py": {"best": 11, "best_many": 10},
    "solver/spadille/analysis/review/review.py": {"review": 9},
    "solver/spadille/analysis/value/solve.py": {"solve": 9},
    "solver/spadille/batch/fill_ledger.py": {"fill": 12},
    "solver/spadille/core/deal.py": {"parse": 11},
    "solver/spadille/generate/deals/random_deals.py": {"deals": 12},
    "solver/spadille/generate/problems/find_problems.py": {"problems": 11},
}


def _code() -> Iterator[tuple[str, ast.AST]]:
    for package in ("solver", "cli"):
        for path in sorted((TOP / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                yield path.relative_to(TOP).as_posix(), node


def _positional(call: ast.Call) -> int:
    """Count the positional arguments of a call, and those of an unpacked literal separately."""
    lists = [a.value for a in call.args if isinstance(a, ast.Starred)]
    literal = [item for item in lists if isinstance(item, ast.Tuple | ast.List)]
    return len(call.args) - len(lists) + sum(len(item.elts) for item in literal)


@pytest.mark.ci
def test_calls_name_their_arguments_where_there_are_many() -> None:
    calls = [
        f"{path}:{node.lineno} {ast.unparse(node.func)}"
        for path, node in _code()
        if isinstance(node, ast.Call)
        and _positional(node) >= 7
        and ast.unparse(node.func).rpartition(".")[2] not in VARIADIC
    ]
    assert not calls, f"in these calls, pass all but six of the arguments by name: {calls}"


@pytest.mark.ci
def test_public_functions_have_few_parameters() -> None:
    many: dict[str, dict[str, int]] = {}
    for path, node in _code():
        # The parameters of a command are the options that it reads.
        if isinstance(node, ast.FunctionDef) and not path.startswith("cli/"):
            names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
            number = len([*names, *node.args.kwonlyargs]) - (names[:1] in (["self"], ["cls"]))
            if number > PARAMETERS and not node.name.startswith("_"):
                many.setdefault(path, {})[node.name] = number
    assert many == MORE, (
        f"a public function has at most {PARAMETERS} parameters; if it needs fewer than before, "
        "change MORE in tests/code_style/test_names_and_parameters.py"
    )
