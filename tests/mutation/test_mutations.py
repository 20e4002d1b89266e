"""Each mutation still finds the rule it takes away."""

from __future__ import annotations

from collections import Counter

import pytest
from marks import SOURCES, Mutation, marked
from mutations import MUTATIONS


def test_each_has_one_mark_and_each_mark_a_mutation() -> None:
    assert Counter(name for name, _ in marked()) == Counter(m.name for m in MUTATIONS)
    assert max(Counter(mutation.name for mutation in MUTATIONS).values()) == 1


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_the_code_it_replaces_stands_at_its_mark(mutation: Mutation) -> None:
    text = (SOURCES / dict(marked())[mutation.name]).read_text()
    assert mutation.broken(text) != text
