"""Solo Whist.

Solo Whist is for four players with 52 cards, thirteen each, and all suits rank A K Q .. 2. Play
goes clockwise. The dealer's last card is turned up and then goes into the dealer's hand; its suit
is the turn-up suit (the deal's current trump). Eldest leads, except in Abundance Declared, in which
the declarer leads.

Players call in turn, eldest first, until everybody but the highest bidder (and a partner) has
passed. The bids, in rising order, are Prop, Cop, Solo, Misère, Abundance, Abundance in Trumps,
Misère Ouverte and Abundance Declared. A Prop proposes to win eight tricks with a partner; another
player accepts it by bidding Cop, which is allowed only over a Prop. A player who has passed may not
bid again, except that eldest may still Cop after everybody else has spoken. A proposer whom nobody
accepts may then bid Solo or pass. If that proposer passes, or everybody does, the deal is void (a
misdeal).

The table below lists the contracts, with the turn-up suit as the current trump. In addition:

- Prop & Cop: proposer and acceptor may sit in any seats.
- Misère Ouverte: the hand is face up after the first trick, which makes no difference double-dummy.
- Abundance: the declarer may name trumps as late as just before their first card (with
  `abundance_trump_timing=before-play`, before the first lead).
- Abundance Declared: with `declared_trump=suit`, it is played in any suit the declarer names.

When a lone player makes a contract, each opponent pays the number of units in the table below; when
it fails, each opponent receives that number. In Prop & Cop, each player wins or loses one unit.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from spadille.base.card_text import RANKS, SUITS
from spadille.games.common import (
    COMPASS,
    SOLO_BIDS,
    alone,
    each_suit,
    options,
    ordinary_trumps,
    paid_by_opponents,
    rotation,
)
from spadille.games.model.bidding import AuctionStanding, Bidding, Turn
from spadille.games.model.contract_types_and_options import (
    ContractType,
    GameCourse,
    Outcome,
    option,
)
from spadille.games.model.deal_protocols import ContractView, DealView
from spadille.games.model.game import Game, Rules

_alone = partial(alone, payoff="±{} with each opponent")

PROP_COP = ContractType(
    "prop-cop",
    "Prop & Cop",
    "partner",
    "current",
    target=8,
    values=(1,),
    payoff_text="±1 for each player",
)
DECLARED = replace(
    _alone("abundance-declared", "Abundance Declared", "none", 13, 6), leader="declarer"
)
CONTRACTS = (
    PROP_COP,
    _alone("solo", "Solo", "current", 5, 1),
    _alone("misere", "Misère", "none", 0, 2),
    _alone("abundance", "Abundance", "not-current", 9, 3),
    _alone("abundance-trumps", "Abundance in Trumps", "current", 9, 3),
    replace(_alone("misere-ouverte", "Misère Ouverte", "none", 0, 4), exposed_after=1),
    DECLARED,
)


def _score(
    rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome
) -> dict[str, int]:
    unit = rules.contract(contract.ids[0]).values[0]
    return paid_by_opponents(rules, contract, unit if rules.made(contract, outcome) else -unit)


def _afterwards(standing: AuctionStanding) -> Turn | None:
    proposer, eldest = standing.holder, standing.seats[0]
    if standing.word != "prop" or proposer is None or proposer in standing.after:
        return None
    if eldest != proposer and eldest not in standing.after:
        return Turn(eldest, ("cop",))
    return Turn(proposer, ("solo",))


BIDDING = Bidding(
    section=8,
    bids=SOLO_BIDS,
    afterwards=_afterwards,
    afterwards_text="eldest may still Cop, and a proposer nobody accepted may bid Solo or pass",
)

SOLO_WHIST = Game(
    id="solo-whist",
    name="Solo Whist",
    summary="Four players, 52 cards; contracts alone, and Prop & Cop in partnership.",
    seats=COMPASS,
    ranks=RANKS,
    hand_size=13,
    rotation="cw",
    trump_ranking=ordinary_trumps(RANKS),
    plain_ranking=each_suit(RANKS),
    contracts={kind.id: kind for kind in CONTRACTS},
    contract_variants={
        ("declared_trump", "suit"): {DECLARED.id: replace(DECLARED, trump="any")},
        ("abundance_trump_timing", "at-first-turn"): {
            kind.id: replace(kind, trump_late=True)
            for kind in CONTRACTS
            if kind.trump == "not-current"
        },
    },
    options=options(
        option("declared_trump", "none", "suit", text="trumps in Abundance Declared"),
        option(
            "abundance_trump_timing",
            "at-first-turn",
            "before-play",
            text="when the trump of Abundance is chosen",
        ),
        rotation("cw"),
    ),
    score=_score,
    current_trumps=tuple(SUITS),
    turns_up=True,
    course=GameCourse(deal_goes_round=True),
    bidding=BIDDING,
)
