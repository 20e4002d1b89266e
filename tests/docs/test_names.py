"""Each public name of a class, function or type is used once in the project."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

TOP = Path(__file__).parents[2]

# One per module, with the same meaning in each.
ENTRIES = {
    "command": "cli/spadille_cli/",
    "tables": "solver/spadille/render/results/",
}


def names(path: Path) -> Iterator[str]:
    """Return the public names of a module, without constants and type variables."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                found = name
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                if name.isupper() or ast.unparse(value).startswith("TypeVar("):
                    continue
                found = name
            case _:
                continue
        if not found.startswith("_"):
            yield found


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
    assert {name: found for name, found in homes.items() if len(found) > 1} == {}
