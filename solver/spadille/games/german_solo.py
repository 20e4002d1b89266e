"""German Solo.

Each player gets eight of the 32 cards (7 to A). Eldest leads in every contract.

**Bidding.** The bids from low to high are Frog in Suit, Frog in Color, Solo in Suit, Solo in Color,
Tout in Suit, Tout in Color. Bidding is a series of duels, and a player who passes is out:

1. Eldest speaks first. Once somebody has bid, the next player to the left who has not spoken
   challenges the highest bidder with a higher bid, or passes.
2. The highest bidder holds (matches) the challenger's bid, or passes.
3. If the bid is held, the challenger bids higher or passes, and so on until one of the two has
   passed.
4. The winner of the duel faces the next player who has not spoken.

With `bidding_order=round`, players make one call each in turn until all but one have passed; a
player who has bid may hold the bid of the next player still in the bidding.

The holder of both black queens has to bid Solo as long as the highest bid is lower. If everybody
passes, the holder of CQ plays a Solo or more. The declarer may raise the contract, even to one in
Color.

**Contracts.** The declarer names trumps.

- Frog: five tricks with the holder of a called card. The called card is a plain card that the
  declarer does not hold (with `call_trumps=yes`, it can also be a trump), and its holder has no
  duty to play it. A declarer who does not call, or has no card to call, plays the Frog alone.
- Solo: five tricks alone.
- Tout: all eight tricks alone. It ends with the first trick lost.

**Color.** Each contract is worth twice as much in Color, the suit set by the option `color`. With
`color=changing`, no suit is Color, and there are no bids in Color, until a contract in the file has
been made; from then on, its trump suit is Color. With `color_set_by=bid-made`, a contract also
counts as made for this purpose if the declarer went on for the Tout and lost it.

**Play.** Trumps from high to low are CQ (Spadilla), the 7 of trumps (Manille) and SQ (Basta), which
are the matadors, then A K Q J T 9 8, without the Q in a black suit. Plain red suits rank A K Q J T
9 8 7, and plain black suits A K J T 9 8 7. Matadors follow suit like other trumps unless
`matador_rule` says otherwise.

**Going on.** A declarer who has personally won the first five tricks may go on for the Tout, and
must then win all eight alone. The stake of the Tout (half of it with `continued_tout_value=half`)
then replaces that of the contract, while the sides stay the same.

**Score.** Scores are in points. V is the stake of the contract: 2 for a Frog, 4 for a Solo and 16
for a Tout, and twice that in Color. If the contract fails, the signs are reversed.

- Solo, Tout, or a Frog played alone: +3V to the declarer and -V to each opponent.
- Frog with a partner: +2V to both partners (+V with `frog_payoff=zero-sum`) and -V to each
  opponent.
- Tout after a Frog with a partner: as for the Frog. With `frog_tout_payoff=soloist`, the declarer
  gets +3V (+2V with `frog_payoff=zero-sum`) and the partner nothing.
"""

from __future__ import annotations

from dataclasses import replace

from spadille.games.common import COMPASS, chips, each_suit, options, ordinary_trumps, rotation
from spadille.games.model.bidding import AuctionStanding, Bid, Bidding, Turn
from spadille.games.model.contract_types_and_options import (
    Changing,
    ContractType,
    GameCourse,
    Outcome,
    option,
)
from spadille.games.model.deal_protocols import ContractView, DealView
from spadille.games.model.following_suit import calling_options, matador_options
from spadille.games.model.game import Game, Rules

RANKS = "AKQJT987"

# `values`: V in Suit, V in Color.
FROG = ContractType(
    "frog",
    "Frog",
    "called",
    "any",
    target=5,
    values=(2, 4),
    payoff_text="V 2, in Color 4: +2V each, alone +3V, opponents -V; the opposite if lost",
    first_run=5,
    run_alone=True,
    ends_when_lost=True,
    may_call=True,
)
SOLO = ContractType(
    "solo",
    "Solo",
    "alone",
    "any",
    target=5,
    values=(4, 8),
    payoff_text="V 4, in Color 8: +3V, opponents -V; the opposite if lost",
    first_run=5,
    run_alone=True,
    ends_when_lost=True,
)
TOUT = ContractType(
    "tout",
    "Tout",
    "alone",
    "any",
    target=8,
    values=(16, 32),
    payoff_text="V 16, in Color 32: +3V, opponents -V; the opposite if lost",
    ends_when_lost=True,
)


def _made(rules: Rules, contract: ContractView, outcome: Outcome) -> bool:
    if outcome.went_on:
        return outcome.tricks[contract.declarer] == TOUT.target
    return rules.made(contract, outcome)


def _outcome_name(rules: Rules, contract: ContractView, outcome: Outcome) -> str:
    return "made" if _made(rules, contract, outcome) else "failed"


def _score(
    rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome
) -> dict[str, int]:
    side = contract.side
    in_color = contract.trump == rules.color
    value = rules.contract(contract.ids[0]).values[in_color]
    if outcome.went_on:
        value = TOUT.values[in_color]
        if rules.options["continued_tout_value"] == "half":
            value //= 2
    if not _made(rules, contract, outcome):
        value = -value
    zero_sum = rules.options["frog_payoff"] == "zero-sum"
    gains = dict.fromkeys(rules.seats, -value)
    if len(side) == 1:
        gains[contract.declarer] = 3 * value
    elif outcome.went_on and rules.options["frog_tout_payoff"] == "soloist":
        gains |= dict.fromkeys(side, 0)
        gains[contract.declarer] = (2 if zero_sum else 3) * value
    else:
        gains |= dict.fromkeys(side, value if zero_sum else 2 * value)
    return gains


def _duty(standing: AuctionStanding, seat: str) -> str | None:
    both = {"CQ", "SQ"} <= set(standing.hand(seat))
    return "solo" if both and standing.high < standing.bidding.height("solo") else None


def _afterwards(standing: AuctionStanding) -> Turn | None:
    if standing.after:
        return None
    bidding = standing.bidding
    if standing.holder is not None:
        return Turn(standing.holder, bidding.words[standing.high + 1 :])
    holder = standing.deal.must_hold("CQ")
    return Turn(holder, bidding.words[bidding.height("solo") :]) if holder else None


BIDDING = Bidding(
    section=4,
    bids=(
        Bid("frog", "frog"),
        Bid("frog-color", "frog", in_color=True),
        Bid("solo", "solo"),
        Bid("solo-color", "solo", in_color=True),
        Bid("tout", "tout"),
        Bid("tout-color", "tout", in_color=True),
    ),
    rounds="duel",
    hold="overbid",
    duty=_duty,
    duty_text="the holder of both black queens must bid Solo if the highest bid so far is lower",
    duty_cards=("CQ", "SQ"),
    afterwards=_afterwards,
    afterwards_text="the declarer may raise the contract; after all pass, the holder of CQ plays"
    " Solo or more",
    falls_to=("CQ", "solo"),
    may_raise=True,
)

GERMAN_SOLO = Game(
    id="german-solo",
    name="German Solo",
    summary="Four players, 32 cards; the black queens and the 7 of trumps are the matadors.",
    seats=COMPASS,
    ranks=RANKS,
    hand_size=8,
    rotation="cw",
    trump_ranking=ordinary_trumps("AKQJT98", first="CQ *7 SQ"),
    plain_ranking=each_suit(RANKS),
    contracts={kind.id: kind for kind in (FROG, SOLO, TOUT)},
    contract_variants={
        ("frog_payoff", "zero-sum"): {
            FROG.id: replace(FROG, payoff_text=FROG.payoff_text.replace("+2V", "+V"))
        },
    },
    options=options(
        *matador_options("none"),
        *calling_options("none", "any", "ace-only", "ace-or-king"),
        option(
            "color",
            "C",
            "S",
            "H",
            "D",
            "none",
            "changing",
            text="the Color suit; changing: none at first, then the trump of the first contract"
            " made in the file",
        ),
        option(
            "color_set_by",
            "won-hand",
            "bid-made",
            text="with color=changing: whether a contract after which the declarer went on for the "
            "Tout and lost it counts as made",
        ),
        option("call_trumps", "no", "yes", text="whether a trump may be called"),
        option(
            "frog_payoff", "both-2v", "zero-sum", text="what each player of the Frog's side wins"
        ),
        option(
            "frog_tout_payoff",
            "as-frog",
            "soloist",
            text="who is paid when a Frog goes on for Tout: both players, or the declarer alone",
        ),
        option(
            "continued_tout_value",
            "full",
            "half",
            text="the value of a Tout that the declarer goes on for",
        ),
        option(
            "bidding_order",
            "duel",
            "round",
            text="duel: two players bid against each other; round: one call each in turn",
        ),
        chips("hands", 8, text="number of hands in a game of several deals; 0: no limit"),
        rotation("cw"),
    ),
    score=_score,
    outcome_name=_outcome_name,
    matadors=3,
    matador_names=("the Spadilla", "the Manille", "the Basta"),
    zero_sum=False,
    bidding=BIDDING,
    course=GameCourse(deal_goes_round=True, clear_winner=True),
    changing=Changing(
        "color",
        "changing",
        at_first="none",
        bid_suffices=("color_set_by", "bid-made"),
        text="the trump suit of the first contract made becomes Color",
    ),
    bidding_variants={
        ("bidding_order", "round"): replace(BIDDING, rounds="until-settled", hold="left"),
    },
)
