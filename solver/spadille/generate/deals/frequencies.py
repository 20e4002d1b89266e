"""Finds how often a condition holds, or the mean of a number, over random deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from spadille.analysis.confidence_intervals import bounded_mean, clopper_pearson
from spadille.analysis.result_text_forms import Shown
from spadille.base.argument_checks import check_type
from spadille.base.words_for_messages import many
from spadille.generate.deals.deal_search import Deals, DealValues


@dataclass(frozen=True, slots=True, repr=False)
class Frequency(Shown):
    """The results of an expression on one group of deals.

    A condition has `held`, `share` and `interval`; a number has `mean`, `least`, `most` and
    `values`. Fields that do not apply are None.
    """

    expression: str
    by: Mapping[str, int]
    """The values of the grouping expressions; {} for all deals."""
    deals: int
    open: int
    """The number of further deals without a value (a contract is not allowed or too hard)."""
    held: int | None = None
    """The number of deals for which the condition holds."""
    share: float | None = None
    interval: tuple[float, float] | None = None
    """The 95% confidence interval for the share among all such deals."""
    counted: float | None = None
    """The exact share, if it can be counted."""
    mean: float | None = None
    mean_interval: tuple[float, float] | None = None
    """The confidence interval for the mean over all such deals; None if the numbers are unbounded.
    """
    least: int | None = None
    most: int | None = None
    values: Mapping[int, int] | None = None
    """The number of deals with each value."""

    def __str__(self) -> str:
        by = "".join(f", {name}: {value}" for name, value in self.by.items())
        if self.held is not None:
            of_all = "" if self.share is None else f", {self.share:.1%}"
            return f"{self.expression}{by}: {self.held} of {self.deals} deals{of_all}"
        mean = "" if self.mean is None else f"{self.mean:.2f}, {self.least} to {self.most}, "
        return f"{self.expression}{by}: {mean}{many(self.deals, 'deal')}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON object."""
        values = None
        if self.values is not None:
            values = [{"value": value, "deals": times} for value, times in self.values.items()]
        by = [{"expression": name, "value": value} for name, value in self.by.items()]
        return Shown.to_dict(self) | {"by": by, "values": values}


class Frequencies:
    """Counts the values of expressions on deals, overall and grouped by other expressions.

    Raises ArgumentError for an invalid expression.
    """

    def __init__(self, deals: Deals, expressions: Sequence[str], by: Sequence[str] = ()) -> None:
        self.deals = deals
        self.expressions = tuple(dict.fromkeys(expressions))
        self.by = tuple(dict.fromkeys(by))
        self._read = deals.expressions((*self.expressions, *self.by))
        self._seen: Counter[DealValues] = Counter()

    def count(self) -> Iterator[int]:
        """Draw and count the deals, yielding the number so far; may raise TooRareError."""
        self._seen.clear()
        for number, (_, values) in enumerate(self.deals.valued((*self.expressions, *self.by)), 1):
            self._seen[values] += 1
            yield number

    def rows(self) -> Iterator[Frequency]:
        """Yield the counts so far.

        For each expression, the count over all deals comes first, then the count for each group.
        """
        groups: dict[tuple[int, ...], Counter[DealValues]] = {(): self._seen}
        for values, number in self._seen.items():
            key = values[len(self.expressions) :]
            if key and None not in key:
                known = tuple(value for value in key if value is not None)
                groups.setdefault(known, Counter())[values] += number
        for place, text in enumerate(self.expressions):
            for key in sorted(groups):
                times: Counter[int] = Counter()
                open_ = 0
                for values, number in groups[key].items():
                    value = values[place]
                    if value is None:
                        open_ += number
                    else:
                        times[value] += number
                by = {
                    name: bool(value) if self._read[name].condition else value
                    for name, value in zip(self.by, key or (), strict=bool(key))
                }
                yield self._row(text, by, times, open_)

    def _row(
        self, text: str, by: Mapping[str, int], times_of: Mapping[int, int], open_: int
    ) -> Frequency:
        number = sum(times_of.values())
        if self._read[text].condition:
            met = times_of.get(1, 0)
            given = [
                (name if value else f"not ({name})")
                if self._read[name].condition
                else f"({name}) == {value}"
                for name, value in by.items()
            ]
            return Frequency(
                expression=text,
                by=by,
                deals=number,
                open=open_,
                held=met,
                share=met / number if number else None,
                interval=clopper_pearson(met, number) if number else None,
                counted=self.deals.counted(text, given),
            )
        total = sum(value * times for value, times in times_of.items())
        span = self._read[text].span
        return Frequency(
            text,
            by,
            number,
            open_,
            mean=total / number if number else None,
            mean_interval=bounded_mean(times_of, *span) if span and number else None,
            least=min(times_of, default=None),
            most=max(times_of, default=None),
            values=dict(sorted(times_of.items())),
        )


def frequencies(
    deals: Deals, expressions: str | Sequence[str], by: str | Sequence[str] = ()
) -> list[Frequency]:
    """Draw deals (see `spadille.deals`); summarize each expression.

    For a condition, the summary is the share of deals that meet it; for a number, its mean.

    `expressions` are evaluated over all deals, then for each combination of values of the
    expressions in `by`. Raises ArgumentError for an invalid expression, and TooRareError if a deal
    cannot be found.
    """
    check_type(deals, Deals, "frequencies takes the result of spadille.deals")
    counted = Frequencies(deals, _texts(expressions), _texts(by))
    for _ in counted.count():
        pass
    return list(counted.rows())


def _texts(given: str | Sequence[str]) -> Sequence[str]:
    texts = [given] if isinstance(given, str) else given
    check_type(texts, (list, tuple), "expressions must be text or a list of strings")
    for text in texts:
        check_type(text, str, "expressions must be text or a list of strings")
    return texts
