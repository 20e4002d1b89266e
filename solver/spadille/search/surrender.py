"""What giving up is worth to a declarer who may, where that counts (RULES 5, `surrender=counted`).

Surrendering pays the same whenever it is done, so it need not be searched for: while the declarer
may give up he secures the better of that and of playing on, and of every card after which he still
may the same is true.
"""

from __future__ import annotations

from collections.abc import Mapping

from spadille.contract import Contract
from spadille.deal import Deal
from spadille.parts import Outcome, Surrender
from spadille.search.encoding import Situation


def surrendered(deal: Deal, contract: Contract, at: Situation) -> Mapping[str, int] | None:
    """Return what giving up pays all seats; None where it does not count or comes too late.

    `surrender_agreed` contracts hang on the opponents, who do not agree to what costs them.
    """
    rules = deal.rules
    kind = rules.contracts[contract.ids[0]]
    counted = rules.options.get("surrender") == "counted"
    if not counted or not kind.surrender_until or kind.surrender_agreed:
        return None
    problem = at.problem
    trick = rules.game.hand_size - problem.tricks + 1
    own = at.encoding.player[contract.declarer]
    played = (own - problem.leader) % problem.players < len(problem.trick)
    if not problem.tricks or trick + played > kind.surrender_until:
        return None
    given_up = Outcome(dict.fromkeys(rules.seats, 0), surrender=Surrender(contract.declarer, trick))
    return rules.score(deal, contract, given_up)


def may_still(contract: Contract, at: Situation) -> bool:
    """Whether a declarer who may give up now may do so after the next card, too."""
    rules = at.encoding.rules
    trick = rules.game.hand_size - at.problem.tricks + 1
    his = at.problem.to_play == at.encoding.player[contract.declarer]
    return trick < rules.contracts[contract.ids[0]].surrender_until or not his


def better(
    score: Mapping[str, int] | None, given_up: Mapping[str, int] | None, declarer: str
) -> Mapping[str, int] | None:
    """Return what giving up pays where that is more for the declarer than `score`."""
    if score is None or given_up is None or score[declarer] >= given_up[declarer]:
        return score
    return given_up
