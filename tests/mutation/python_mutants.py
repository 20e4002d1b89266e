"""Small bugs for Python modules, each a change of one expression or statement.

A mutant replaces a stretch of the source, so that every other character, comment and line number
stays the same. It never changes messages (strings with a space, f-strings), docstrings,
annotations, decorators, assertions (including `zip` with `strict`), imports and `__slots__`: such a
change breaks no rule.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}
PAIRS = [
    ("min", "max"),
    ("any", "all"),
    ("strip", "rstrip"),
    ("lstrip", "strip"),
    ("rstrip", "strip"),
    ("find", "rfind"),
    ("index", "rindex"),
    ("partition", "rpartition"),
    ("startswith", "endswith"),
    ("floor", "ceil"),
]
NAMES = {first: second for pair in PAIRS for first, second in (pair, pair[::-1])}
DISPLAYS = (ast.List, ast.Set, ast.Tuple)
ONLY_TYPES = {"Literal", "TypeVar", "ParamSpec", "Callable", "cast"}
LONGEST = 70  # characters of code in a name


@dataclass(frozen=True)
class Mutant:
    """One small bug."""

    module: str  # path of the file relative to the top of the tree
    place: str  # the function or class that contains it
    kind: str
    change: str  # description of the change
    number: int  # index from 0 among mutants with the same fields above
    lines: tuple[int, int]  # lines of the replaced code
    statement: int  # the line on which the statement begins
    span: tuple[int, int]  # byte offsets of the replaced code
    code: str  # the new code

    @property
    def name(self) -> str:
        """A key for the bug that does not depend on the rest of the file."""
        short = self.module.removeprefix("solver/spadille/").removeprefix("cli/")
        again = f" #{self.number + 1}" if self.number else ""
        return f"{short}:{self.place}:{self.kind}: {self.change}{again}"

    def planted(self, source: bytes) -> bytes:
        """Return the file with the bug."""
        start, end = self.span
        return source[:start] + self.code.encode() + source[end:]


def order(seed: int, mutant: Mutant) -> bytes:
    """Return the sort key of a mutant for this seed; it does not depend on other mutants."""
    return blake2b(f"{seed}:{mutant.name}".encode(), digest_size=16).digest()


def draw(mutants: list[Mutant], number: int, seed: int) -> list[Mutant]:
    """Draw some mutants at random."""
    return sorted(mutants, key=lambda mutant: order(seed, mutant))[:number]


def mutants_of(top: Path, path: Path) -> list[Mutant]:
    """Return all mutants of a file."""
    source = path.read_bytes()
    module = path.relative_to(top).as_posix()
    found = [*_Finder(module, source).all()]
    seen: Counter[str] = Counter()
    for index, mutant in enumerate(found):
        number = seen[mutant.name]
        seen[mutant.name] += 1
        found[index] = replace(mutant, number=number)
    return found


class _Finder:
    """Walks a file and yields its mutants."""

    def __init__(self, module: str, source: bytes) -> None:
        self.module = module
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def all(self) -> Iterator[Mutant]:
        for statement in ast.parse(self.source).body:
            yield from self.inside(statement, "", statement, None)

    def inside(
        self, node: ast.AST, place: str, statement: ast.AST, parent: ast.AST | None
    ) -> Iterator[Mutant]:
        """Yield the mutants of a node and of all nodes below it."""
        if self.is_left_alone(node, parent):
            return
        if isinstance(node, ast.stmt):
            statement = node
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            place = f"{place}.{node.name}".lstrip(".")
        for kind, target, new, gone in self.changes(node, parent):
            yield self.mutant(place, kind, target, new, gone, statement)
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params", "bases"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self.inside(child, place, statement, node)

    @staticmethod
    def is_left_alone(node: ast.AST, parent: ast.AST | None) -> bool:
        match node:
            case ast.JoinedStr() | ast.Assert() | ast.Import() | ast.ImportFrom() | ast.pattern():
                return True
            case ast.Expr(value=ast.Constant()):
                return True
            case ast.Assign(targets=[ast.Name(id="__slots__" | "__all__" | "__match_args__")]):
                return True
            case ast.keyword(arg="strict"):  # of zip: also an assertion
                return True
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                return True
            case ast.Subscript(value=ast.Name(id=name)) | ast.Call(func=ast.Name(id=name)):
                return name in ONLY_TYPES
            case ast.expr_context() | ast.operator() | ast.cmpop() | ast.boolop():
                return True
        return False

    def changes(
        self, node: ast.AST, parent: ast.AST | None
    ) -> Iterator[tuple[str, ast.AST, ast.AST | None, ast.AST | None]]:
        """Yield the changes of a node itself: kind, old node, new node, removed node if any."""
        match node:
            case ast.Compare(ops=ops):
                for index, operator in enumerate(ops):
                    new = copy.deepcopy(node)
                    new.ops[index] = SWAPPED[type(operator)]()  # type: ignore[call-overload]
                    yield "compare", node, new, None
            case ast.BoolOp(values=values):
                new = copy.copy(node)
                new.op = SWAPPED[type(node.op)]()  # type: ignore[assignment]
                yield "logic", node, new, None
                for index in range(len(values)):
                    rest = values[:index] + values[index + 1 :]
                    left = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
                    yield "condition", node, left, values[index]
            case ast.UnaryOp(op=ast.Not()):
                yield "not", node, node.operand, None
            case ast.UnaryOp(op=ast.USub()):
                yield "sign", node, node.operand, None
            case ast.BinOp(left=left, right=right, op=operator):
                if type(operator) in SWAPPED and not (_is_display(left) or _is_display(right)):
                    new = copy.copy(node)
                    new.op = SWAPPED[type(operator)]()  # type: ignore[assignment]
                    yield "arithmetic", node, new, None
            case ast.Constant(value=bool() as value):
                yield "truth", node, ast.Constant(not value), None
            case ast.Constant(value=int() as value):
                yield "number", node, ast.Constant(value + 1), None
                if value:
                    yield "number", node, ast.Constant(value - 1), None
            case ast.Constant(value=str() as value):
                if not any(letter.isspace() for letter in value):
                    yield "word", node, ast.Constant(value + "x"), None
            case ast.IfExp() | ast.If() | ast.While():
                if _is_negated_as_a_whole(node.test):
                    yield "negated", node.test, ast.UnaryOp(ast.Not(), node.test), None
            case ast.comprehension(ifs=conditions):
                for test in filter(_is_negated_as_a_whole, conditions):
                    yield "negated", test, ast.UnaryOp(ast.Not(), test), None
            case ast.Slice(lower=lower, upper=upper):
                for edge in (lower, upper):
                    if edge is not None:
                        new = copy.copy(node)
                        setattr(new, "lower" if edge is lower else "upper", None)
                        yield "slice", node, new, edge
            case ast.Name(id=name, ctx=ast.Load()) if name in NAMES:
                yield "name", node, ast.Name(NAMES[name]), None
            case ast.Attribute(attr=name, ctx=ast.Load()) if name in NAMES:
                yield "name", node, ast.Attribute(node.value, NAMES[name]), None
            case ast.Call(keywords=keywords):
                for index, keyword in enumerate(keywords):
                    if keyword.arg and not _is_left_out(keyword):
                        new = copy.copy(node)
                        new.keywords = keywords[:index] + keywords[index + 1 :]
                        yield "argument", node, new, keyword
            case ast.List() | ast.Set() | ast.Tuple():
                if len(node.elts) > 1 and _may_shrink(node, parent):
                    for index in range(len(node.elts)):
                        new = copy.copy(node)
                        new.elts = node.elts[:index] + node.elts[index + 1 :]
                        yield "element", node, new, node.elts[index]
            case ast.Dict(keys=keys, values=values):
                for index in range(len(keys)):
                    new = ast.Dict(keys[:index] + keys[index + 1 :], [])
                    new.values = values[:index] + values[index + 1 :]
                    yield "element", node, new, values[index]
            case ast.Break() | ast.Continue():
                yield "jump", node, SWAPPED[type(node)](), None
            case ast.AugAssign() | ast.Expr(value=ast.Call()) | ast.Raise():
                yield "statement", node, None, node
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                yield "statement", node, None, node

    def mutant(
        self,
        place: str,
        kind: str,
        target: ast.AST,
        new: ast.AST | None,
        gone: ast.AST | None,
        statement: ast.AST,
    ) -> Mutant:
        start, end = self.span(target)
        code = "pass" if new is None else ast.unparse(ast.fix_missing_locations(new))
        if isinstance(new, ast.expr) and not isinstance(new, ast.Slice | ast.Constant | ast.Name):
            code = f"({code})"
        if gone is None:
            change = f"{self.told(*self.span(target))} -> {_shortened(code)}"
        else:
            change = f"without {self.told(*self.span(gone))}"
        lines = (target.lineno, target.end_lineno)  # type: ignore[attr-defined]
        line = statement.lineno  # type: ignore[attr-defined]
        return Mutant(self.module, place, kind, change, 0, lines, line, (start, end), code)

    def span(self, node: ast.AST) -> tuple[int, int]:
        """Return where a node begins and ends, in bytes."""
        where = node.lineno, node.col_offset, node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]
        first, column, last, end = where
        return self.starts[first - 1] + column, self.starts[last - 1] + end

    def told(self, start: int, end: int) -> str:
        """Return some code in the form used in names."""
        return _shortened(self.source[start:end].decode())


def _shortened(code: str) -> str:
    words = " ".join(code.split())
    if len(words) <= LONGEST:
        return words
    return f"{words[:LONGEST]}~{blake2b(words.encode(), digest_size=2).hexdigest()}"


def _is_negated_as_a_whole(test: ast.expr) -> bool:
    """Return whether a condition can be negated only as a whole."""
    if isinstance(test, ast.Compare):
        return len(test.ops) > 1
    return not isinstance(test, ast.Constant | ast.UnaryOp)


def _is_left_out(keyword: ast.keyword) -> bool:
    """Return whether an argument is an assertion or a message."""
    value = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
    return keyword.arg == "strict" or (isinstance(value, str) and " " in value)


def _is_display(node: ast.AST) -> bool:
    """Return whether a node clearly is neither number nor set, so that - or & would only fail."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp)


def _may_shrink(node: ast.AST, parent: ast.AST | None) -> bool:
    """Return whether an element can be removed from a display without breaking an unpacking."""
    if isinstance(node, ast.Tuple):
        if not isinstance(node.ctx, ast.Load):
            return False
        unpacked = ast.Return | ast.Yield | ast.Assign | ast.Subscript | ast.ListComp
        return not isinstance(parent, unpacked | ast.GeneratorExp | ast.SetComp | ast.Dict)
    return True
