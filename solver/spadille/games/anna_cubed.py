"""Solo as played by Anna Cubed.

**The current trump.** It changes with every hand, whatever was played: hearts, clubs, diamonds,
spades, no trump, hearts and so on. The table of contracts shows which contracts are played in the
current trump. The trump suit of an Abundance is named before the first lead. With
`declared_trump=suit`, the declarer of an Abundance Declared also names one; otherwise, it is played
at no trump.

**Bidding.** The bids, in rising order, are Prop, Cop, Solo, Misere, Abundance, Abundance Trumps,
Misere Ouverte and Abundance Declared. A Prop proposes to win eight tricks with a partner, and a
Cop, which may be bid only over a Prop, accepts. Everybody bids once, eldest first. After that, bids
may be upgraded once, in the same order. Whether a bid may be upgraded depends on the highest bid at
that player's turn:

- If nobody accepts eldest's Prop, eldest may turn it into a Solo. If nobody accepts another
  player's Prop, eldest may still accept it.
- A Solo beaten by a Misere or an Abundance may become Abundance Trumps.
- A Misere beaten by an Abundance or Abundance Trumps may become a Misere Ouverte.
- An Abundance beaten by Abundance Trumps or a Misere Ouverte may become an Abundance Declared, and
  so may Abundance Trumps beaten by a Misere Ouverte.

If everybody passes, or nobody accepts a Prop, there is a goulash: the same cards are dealt again
without shuffling, and the current trump moves on.

**Play.** Eldest leads, except in Abundance Declared, in which the declarer leads. The hand in a
Misere Ouverte is shown after the first trick.

**Score.** Only the declaring side scores, and only if it makes the contract.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from spadille.base.card_text import NO_TRUMP, RANKS
from spadille.games.common import (
    COMPASS,
    SOLO_BIDS,
    alone,
    each_suit,
    options,
    ordinary_trumps,
    rotation,
)
from spadille.games.model.bidding import AuctionStanding, Bidding, Turn
from spadille.games.model.contract_types_and_options import GameCourse, Outcome, option
from spadille.games.model.deal_protocols import ContractView, DealView
from spadille.games.model.game import Game, Rules

_alone = partial(alone, payoff="{} if made")

PROP_COP = replace(_alone("prop-cop", "Prop/Cop", "current", 8, 1), side="partner")
DECLARED = replace(
    _alone("abundance-declared", "Abundance Declared", "none", 13, 6), leader="declarer"
)
CONTRACTS = (
    PROP_COP,
    _alone("solo", "Solo", "current", 5, 1),
    _alone("misere", "Misere", "none", 0, 2),
    _alone("abundance", "Abundance", "any", 9, 3),
    _alone("abundance-trumps", "Abundance Trumps", "current", 9, 3),
    replace(_alone("misere-ouverte", "Misere Ouverte", "none", 0, 4), exposed_after=1),
    DECLARED,
)


def _score(
    rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome
) -> dict[str, int]:
    points = rules.contract(contract.ids[0]).values[0] if rules.made(contract, outcome) else 0
    return {seat: points if seat in contract.side else 0 for seat in rules.seats}


# For each bid, the higher bids that force its upgrade, and the upgraded contract.
UPGRADES = {
    "solo": (("misere", "abundance"), "abundance-trumps"),
    "misere": (("abundance", "abundance-trumps"), "misere-ouverte"),
    "abundance": (("abundance-trumps", "misere-ouverte"), "abundance-declared"),
    "abundance-trumps": (("misere-ouverte",), "abundance-declared"),
}


def _afterwards(standing: AuctionStanding) -> Turn | None:
    done = standing.after
    eldest = standing.seats[0]
    if standing.word == "prop":
        word = "solo" if standing.holder == eldest else "cop"
        return None if done else Turn(eldest, (word,))
    start = standing.seats.index(done[-1]) + 1 if done else 0
    for seat in standing.seats[start:]:
        beaten_by, upgrade = UPGRADES.get(standing.word_of(seat) or "", ((), ""))
        if standing.word in beaten_by:
            return Turn(seat, (upgrade,))
    return None


TRUMPS = ("H", "C", "D", "S", NO_TRUMP)

BIDDING = Bidding(
    section=10,
    bids=SOLO_BIDS,
    rounds="once",
    afterwards=_afterwards,
    afterwards_text="a beaten bid may be upgraded once, to one other bid only",
    passed_out="goulash",
)

ANNA_CUBED = Game(
    id="anna-cubed",
    name="Solo (Anna Cubed)",
    summary="Solo Whist with a trump that changes every hand; only the declaring side scores.",
    seats=COMPASS,
    ranks=RANKS,
    hand_size=13,
    rotation="cw",
    trump_ranking=ordinary_trumps(RANKS),
    plain_ranking=each_suit(RANKS),
    contracts={kind.id: kind for kind in CONTRACTS},
    contract_variants={
        ("declared_trump", "suit"): {DECLARED.id: replace(DECLARED, trump="any")},
    },
    options=options(
        option("declared_trump", "none", "suit", text="trumps in Abundance Declared"),
        rotation("cw"),
    ),
    score=_score,
    current_trumps=TRUMPS,
    course=GameCourse(
        trumps=TRUMPS, packets=((4, 3, 3, 3), (3, 4, 3, 3), (3, 3, 4, 3), (3, 3, 3, 4))
    ),
    zero_sum=False,
    bidding=BIDDING,
)
