"""Parse conditions and numbers that depend on a deal: "trumps(N, H) >= 5 and holds(E, CQ)".

Python's own parser parses the text, but no Python is evaluated. Only permitted syntax is accepted;
it is compiled to a closure over card counts and contract values. The functions are in
`spadille.generate.deals.condition_functions`.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from spadille.base.errors import ArgumentError, quoted
from spadille.base.names_in_input import meant
from spadille.core.counted_cards import TALON
from spadille.generate.deals.condition_functions import (
    FUNCTIONS,
    ContractWorth,
    Count,
    FunctionCall,
    HandWorth,
    Setting,
    unknown,
)

_LONGEST = 4000  # characters
_MOST = 10**9  # the greatest number in an expression

_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
# How conditions spell the signs of other languages.
_SPELLINGS = {"=": "==", "=>": ">=", "=<": "<=", "≥": ">=", "≤": "<=", "≠": "!=", "<>": "!="}
_SPELLINGS |= {"&&": "and", "||": "or", "!": "not"}
_FOREIGN = re.compile(r"=[<>]|(?<![=<>!])=(?!=)|[≥≤≠]|<>|&&|\|\||!(?!=)")
_ALLOWED = "expressions have functions, whole numbers, + - *, comparisons, in (1, 2), and, or, not"


class Facts:
    """The values of one deal that an expression uses: card counts and contract values."""

    __slots__ = ("answer", "counts", "strength")

    def __init__(
        self,
        counts: Sequence[int],
        answer: Callable[[int], int] = lambda number: 0,
        strength: Callable[[int], float] = lambda number: 0.0,
    ) -> None:
        self.counts = counts
        self.answer = answer
        self.strength = strength


FactsValue = Callable[[Facts], float]
Item = TypeVar("Item")


@dataclass(slots=True)
class Expression:
    """A condition or a number that depends on a deal."""

    text: str
    condition: bool
    counts: list[Count] = field(default_factory=list)
    asked: list[ContractWorth] = field(default_factory=list)
    strengths: list[HandWorth] = field(default_factory=list)
    value: FactsValue = lambda facts: 0
    span: tuple[int, int] | None = None
    """The least and greatest possible values, if known in advance."""

    def __str__(self) -> str:
        return self.text

    @property
    def seats(self) -> set[str]:
        """The hands whose cards the expression counts."""
        return {count.seat for count in self.counts}


def expression(text: str, setting: Setting) -> Expression:
    """Parse a condition or number; raise ArgumentError with the column and the allowed words."""
    reader = _Reader(text, setting)
    return reader.expression(reader.tree)


def read_conditions(text: str, setting: Setting) -> list[Expression]:
    """Parse a condition, split at its top-level `and`s; raise ArgumentError if it is invalid."""
    reader = _Reader(text, setting)
    parts = list(_joined(reader.tree))
    conditions = [reader.expression(part) for part in parts]
    for part, condition in zip(parts, conditions, strict=True):
        if not condition.condition:
            raise reader.error(
                part, "a number is not a condition: compare it, as in >= 5", "expression-type"
            )
    return conditions


def _joined(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [part for value in node.values for part in _joined(value)]
    return [node]


class _Reader:
    """Parses the text of one expression."""

    def __init__(self, text: str, setting: Setting) -> None:
        if not isinstance(text, str):
            raise ArgumentError(
                f"a condition must be text, not {quoted(text)}", "expression-unreadable"
            )
        self.text = "".join(" " if sign.isspace() else sign for sign in text).strip()
        self.setting = setting
        self.found = Expression("", False)
        self._decimal = False
        if not self.text:
            raise ArgumentError("a condition is empty", "expression-unreadable")
        if len(self.text) > _LONGEST:
            raise ArgumentError(
                f"an expression may have at most {_LONGEST} characters, not {len(self.text)}",
                "expression-unreadable",
            )
        odd = next((at for at, sign in enumerate(self.text, 1) if not sign.isprintable()), None)
        if odd is not None:
            raise self._error(odd, "unexpected character", "expression-unreadable")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # such as "5(3)": 'int' object is not callable
                self.tree = ast.parse(self.text, mode="eval").body
        except SyntaxError as error:
            column = min(error.offset or len(self.text) + 1, len(self.text) + 1)
            message = f"cannot be read: {error.msg}"
            # The parser stops at the first or at the second character of such a sign.
            foreign = _FOREIGN.match(self.text, column - 1) or _FOREIGN.match(self.text, column - 2)
            if foreign:
                message += f" (write {_SPELLINGS[foreign[0]]} instead of {foreign[0]})"
            raise self._error(column, message, "expression-unreadable") from None
        except (ValueError, RecursionError, MemoryError):
            raise self._error(1, "cannot be read", "expression-unreadable") from None

    def error(self, node: ast.AST, message: str, code: str) -> ArgumentError:
        """Return an error about a part of the text."""
        return self._error(self._column(node), message, code)

    def _error(self, column: int, message: str, code: str) -> ArgumentError:
        return ArgumentError(f"{self.text!r}, column {column}: {message}", code)

    def _column(self, node: ast.AST) -> int:
        """Convert a column from bytes, as the parser counts them, to characters."""
        offset: int = getattr(node, "col_offset", 0)
        return len(self.text.encode()[:offset].decode(errors="ignore")) + 1

    def expression(self, node: ast.expr) -> Expression:
        """Compile one part of the text as a separate expression."""
        written = ast.get_source_segment(self.text, node) or self.text
        self.found = Expression(written, False)
        self._decimal = False
        try:
            self.found.value, self.found.condition = self._compile(node)
            if self._decimal and not self.found.strengths:
                raise self.error(node, f"this is not allowed: {_ALLOWED}", "expression-not-allowed")
            if self.found.strengths and not self.found.condition:
                raise self.error(
                    node,
                    "compare a share, as in strength(N, solo, H) >= 0.6",
                    "expression-type",
                )
            if isinstance(node, ast.Call) and not self.found.condition:
                self.found.span = self._span()
        except RecursionError:
            raise self._error(1, "cannot be read", "expression-unreadable") from None
        return self.found

    def _span(self) -> tuple[int, int] | None:
        """Return the least and greatest value if the expression is a single function."""
        game, expression = self.setting.rules.game, self.found
        if len(expression.counts) == 1 and not expression.asked:
            (count,) = expression.counts
            size = game.talon_size if count.seat == TALON else game.hand_size
            return 0, sum(sorted((value for _, value in count.values), reverse=True)[:size])
        if [worth.what for worth in expression.asked] == ["tricks"] and not expression.counts:
            return 0, game.hand_size
        return None

    def _number(self, node: ast.expr) -> FactsValue:
        return self._compile(node)[0]

    def _compile(self, node: ast.expr) -> tuple[FactsValue, bool]:
        """Return a closure, and whether it returns a truth value."""
        match node:
            case ast.Call(func=ast.Name(id="min" | "max" as name)):
                return self._extreme(node, min if name == "min" else max), False
            case ast.Call(func=ast.Name(id=name)):
                return self._call(node, name)
            case ast.Constant(value=int(number)) if type(number) is int:
                if number > _MOST:
                    message = f"a number may be at most {_MOST:,}"
                    raise self.error(node, message, "expression-not-allowed")
                return lambda facts: number, False
            case ast.Constant(value=float(share)) if 0 <= share <= _MOST:
                self._decimal = True
                return lambda facts: share, False
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self._number(operand)
                return lambda facts: -value(facts), False
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                value = self._condition(operand)
                return lambda facts: not value(facts), True
            case ast.BoolOp(op=op, values=values):
                parts = [self._condition(operand) for operand in values]
                if isinstance(op, ast.And):
                    return lambda facts: all(part(facts) for part in parts), True
                return lambda facts: any(part(facts) for part in parts), True
            case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
                return self._arithmetic(_ARITHMETIC[type(op)], left, right), False
            case ast.Compare():
                return self._comparison(node), True
            case ast.Name(id=name):
                message = (
                    f"{name} needs its arguments: {FUNCTIONS[name].form}"
                    if name in FUNCTIONS
                    else f"{name!r} has no meaning by itself{meant(name, FUNCTIONS)}; {_ALLOWED}"
                )
                raise self.error(node, message, "expression-name")
            case ast.Call():
                raise self.error(node, _ALLOWED, "expression-not-allowed")
            case _:
                raise self.error(node, f"this is not allowed: {_ALLOWED}", "expression-not-allowed")

    def _condition(self, node: ast.expr) -> FactsValue:
        value, truth = self._compile(node)
        if not truth:
            raise self.error(
                node, "a number is not a condition: compare it, as in >= 5", "expression-type"
            )
        return value

    def _arithmetic(
        self, work: Callable[[float, float], float], left: ast.expr, right: ast.expr
    ) -> FactsValue:
        first, second = self._number(left), self._number(right)
        return lambda facts: work(first(facts), second(facts))

    def _extreme(self, node: ast.Call, work: Callable[[list[float]], float]) -> FactsValue:
        if len(node.args) < 2 or node.keywords:
            raise self.error(node, "min and max need two or more numbers", "expression-arguments")
        values = [self._number(argument) for argument in node.args]
        return lambda facts: work([value(facts) for value in values])

    def _comparison(self, node: ast.Compare) -> FactsValue:
        left = self._number(node.left)
        steps: list[Callable[[Facts], bool]] = []
        for op, other in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                if not isinstance(other, ast.Tuple | ast.List | ast.Set):
                    raise self.error(
                        other, "write the numbers in brackets: in (5, 6)", "expression-type"
                    )
                values = [self._number(element) for element in other.elts]
                steps.append(_among(left, values, isinstance(op, ast.In)))
                left = values[0] if values else left
                if len(node.ops) > 1:
                    raise self.error(other, "a list may only follow the word in", "expression-type")
            elif type(op) in _COMPARISONS:
                right = self._number(other)
                steps.append(_compared(left, _COMPARISONS[type(op)], right))
                left = right
            else:
                raise self.error(node, f"this is not allowed: {_ALLOWED}", "expression-not-allowed")
        if len(steps) == 1:
            return steps[0]
        return lambda facts: all(step(facts) for step in steps)

    def _call(self, node: ast.Call, name: str) -> tuple[FactsValue, bool]:
        function = FUNCTIONS.get(name)
        if function is None:
            raise self.error(node, unknown(name), "expression-name")
        made = function.make(FunctionCall(node, self.setting, function.form, self.error))
        if isinstance(made, ContractWorth):
            number = _place(self.found.asked, made)
            return lambda facts: facts.answer(number), function.truth
        if isinstance(made, HandWorth):
            number = _place(self.found.strengths, made)
            return lambda facts: facts.strength(number), False
        number = _place(self.found.counts, made)
        if function.whole:
            every = len(made.values)
            return lambda facts: facts.counts[number] == every, True
        return lambda facts: facts.counts[number], False


def _place(items: list[Item], item: Item) -> int:
    """Return the index of an item in a list, adding it if it is missing."""
    if item not in items:
        items.append(item)
    return items.index(item)


def _compared(
    left: FactsValue, work: Callable[[float, float], bool], right: FactsValue
) -> Callable[[Facts], bool]:
    return lambda facts: work(left(facts), right(facts))


def _among(left: FactsValue, values: Sequence[FactsValue], inside: bool) -> Callable[[Facts], bool]:
    def step(facts: Facts) -> bool:
        number = left(facts)
        return any(value(facts) == number for value in values) == inside

    return step
