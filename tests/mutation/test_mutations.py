"""Each mutation still finds the line it takes away."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from mutations import MUTATIONS, Mutation

SOURCES = Path(__file__).parents[2] / "csrc"


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_an_anchor_stands_in_the_sources_once(mutation: Mutation) -> None:
    text = (SOURCES / mutation.file).read_text()
    assert mutation.broken(text) != text


def test_names_are_unique() -> None:
    assert max(Counter(mutation.name for mutation in MUTATIONS).values()) == 1
