"""Every type in the signature of a public name can be imported from `spadille`.

This includes the types in the signatures and fields of those types, so that users can annotate a
variable with whatever a function returns.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest

import spadille

# Types that occur only in constructors and methods for the package's own use.
INTERNAL = {"Order", "TagReader", "Finding", "LayoutNodes", "FactsValue", "Facts", "Condition"}
INTERNAL |= {"HeardBidder", "HeardChoice", "CallOption", "Offered", "Sieve", "ExchangeLikelihood"}


def hints(kind: Any) -> Iterator[tuple[str, Any]]:
    """Yield the annotations of all public members as text with the module they are written in."""
    if inspect.isfunction(kind):
        yield from ((text, kind) for text in kind.__annotations__.values())
        return
    if not isinstance(kind, type):
        return
    for owner in kind.__mro__:
        if not owner.__module__.startswith("spadille"):
            continue
        for name, text in vars(owner).get("__annotations__", {}).items():
            if not name.startswith("_"):
                yield text, owner
        for name, member in vars(owner).items():
            if name.startswith("_"):
                continue
            function = (
                member.fget
                if isinstance(member, property)
                else getattr(member, "__func__", getattr(member, "_function", member))
            )
            if inspect.isfunction(function):
                yield from ((text, function) for text in function.__annotations__.values())


@cache
def imports(module: str) -> dict[str, str]:
    """Return the names a module imports from the package, including those for annotations only."""
    path = Path(spadille.__file__).parents[1].joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    found = {}
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("spadille"):
            found |= {alias.asname or alias.name: str(node.module) for alias in node.names}
    return found


def own_types(text: Any, where: Any) -> Iterator[tuple[str, Any]]:
    """Yield the types of the package that an annotation names."""
    module = inspect.getmodule(where)
    assert module is not None
    imported = imports(module.__name__)
    tree = ast.parse(text if isinstance(text, str) else inspect.formatannotation(text))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name):
            continue
        value = getattr(module, node.id, None)
        if value is None and node.id in imported:
            value = getattr(__import__(imported[node.id], fromlist=["_"]), node.id)
        if isinstance(value, TypeVar):
            continue
        ours = str(getattr(value, "__module__", "")).startswith("spadille")
        alias = node.id in imported or (
            not ours and node.id in vars(module) and defined_here(module, node.id)
        )
        if ours or alias:
            yield node.id, value


@cache
def defined_here(module: Any, name: str) -> bool:
    tree = ast.parse(inspect.getsource(module))
    targets = [
        target
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)


def reachable() -> dict[str, set[str]]:
    """Return the types that users meet, each with the places that lead to it."""
    found: dict[str, set[str]] = {}
    waiting = [(name, getattr(spadille, name)) for name in spadille.__all__]
    seen = {id(kind) for _, kind in waiting}
    while waiting:
        name, kind = waiting.pop()
        for text, where in hints(kind):
            for type_name, value in own_types(text, where):
                if type_name in INTERNAL:
                    continue
                found.setdefault(type_name, set()).add(f"{name}: {text}")
                if id(value) not in seen:
                    seen.add(id(value))
                    waiting.append((type_name, value))
    return found


@pytest.mark.ci
def test_every_type_in_a_public_signature_can_be_imported() -> None:
    found = reachable()
    assert {"Surrender", "Offer", "TableRow", "ContractType", "Value"} <= {*found}
    known = {*dir(spadille)}
    missing = {name: sorted(where)[:2] for name, where in found.items() if name not in known}
    assert missing == {}
