"""Each mutation still finds the rule that it breaks."""

from __future__ import annotations

from collections import Counter

from tests.mutation.all_mutations import MUTATIONS
from tests.mutation.marked_mutation import ONE_EACH, SOURCES, marked
from tests.mutation.mutate_search import not_found


def test_each_has_one_mark_and_each_mark_a_mutation() -> None:
    assert Counter(name for name, _ in marked()) == Counter(m.name for m in MUTATIONS), ONE_EACH
    assert max(Counter(mutation.name for mutation in MUTATIONS).values()) == 1


def test_the_code_it_replaces_stands_at_its_mark() -> None:
    files = dict(marked())
    for mutation in MUTATIONS:
        text = (SOURCES / files[mutation.name]).read_text()
        assert mutation.broken(text) != text, mutation.name


def test_some_are_known_not_to_be_found() -> None:
    assert 10 < len(not_found()) < 30
    assert {*not_found()} < {mutation.name for mutation in MUTATIONS}
