"""The mutations of mutate_search.py: each breaks one rule of the search by a replacement in csrc/.

At the place of the rule, a comment ends with `rule: ` and the mutation's name, which
test_all_mutations.py checks.
"""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation
from tests.mutation.mutations_bounds import (
    ALONE,
    CERTAIN_TRICKS,
    GUARDED,
    LATER_TRICKS,
    ONE_TRICK,
    QUICK_TRICKS,
)
from tests.mutation.mutations_goals import GOALS
from tests.mutation.mutations_misere import MISERE, RELAXED_MISERE
from tests.mutation.mutations_relaxed_lone import LONE
from tests.mutation.mutations_search import EQUIVALENCE, FOLLOWING, PROOFS, SHARING
from tests.mutation.mutations_trump_duel import TRUMPS
from tests.mutation.mutations_trump_endgame import ENDGAME
from tests.mutation.mutations_within_trick import WITHIN

__all__ = ["MUTATIONS", "Mutation"]

MUTATIONS = (
    *PROOFS,
    *WITHIN,
    *EQUIVALENCE,
    *FOLLOWING,
    *TRUMPS,
    *ENDGAME,
    *QUICK_TRICKS,
    *ALONE,
    *CERTAIN_TRICKS,
    *LATER_TRICKS,
    *ONE_TRICK,
    *GUARDED,
    *LONE,
    *MISERE,
    *RELAXED_MISERE,
    *GOALS,
    *SHARING,
)
