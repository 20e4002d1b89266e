"""The search visits exactly the recorded positions; other tests cover its results."""

from __future__ import annotations

import pytest

from benchmarks import signature
from spadille.search.engine import FAST_PATH

RENEW = """
The search visits other positions than it did. If that was meant, write the new counts with
    python -m benchmarks.signature --write
and state the number in all, before and after, in the commit. If it was not, it is a fault."""


def changes(found: dict[str, int]) -> str:
    """Return a table of the groups that differ, and the sums."""
    expected = signature.expected()
    rows = [
        f"{expected.get(name, 0):>12,} -> {found.get(name, 0):>12,}  {name}"
        for name in {**expected, **found}
        if expected.get(name) != found.get(name)
    ]
    total = f"{sum(expected.values()):>12,} -> {sum(found.values()):>12,}  in all"
    return "\n".join(("", *rows, total, RENEW))


@pytest.mark.parametrize("plain", [False, True])
def test_signature(plain: bool) -> None:
    if not plain and not FAST_PATH:
        pytest.skip("this machine has the plain path only")
    found = signature.counts(plain=plain)
    assert found == signature.expected(), changes(found)


def test_no_count_is_that_of_the_limit() -> None:
    groups = {group.name: len(group.deals) for group in signature.GROUPS}
    for name, nodes in signature.expected().items():
        assert nodes < signature.NODES * groups[name], name
