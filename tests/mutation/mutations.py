"""What mutation.py breaks: one rule of the search at a time, by one replacement in csrc/.

Where the rule stands, a comment ends with `rule: ` and the mutation's name; test_mutations.py
watches over that.
"""

from __future__ import annotations

from marks import Mutation
from mutations_bounds import (
    ALONE,
    CERTAIN_TRICKS,
    GUARDED,
    LATER_TRICKS,
    ONE_TRICK,
    QUICK_TRICKS,
)
from mutations_duel import TRUMPS
from mutations_goals import GOALS
from mutations_lone import LONE
from mutations_misere import MISERE, RELAXED_MISERE
from mutations_search import EQUIVALENCE, FOLLOWING, PROOFS, SHARING
from mutations_within import WITHIN

__all__ = ["MUTATIONS", "Mutation"]

MUTATIONS = (
    *PROOFS,
    *WITHIN,
    *EQUIVALENCE,
    *FOLLOWING,
    *TRUMPS,
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
