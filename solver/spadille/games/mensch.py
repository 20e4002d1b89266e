"""Mensch as played in Canada, derived from Luxembourg's Mënsch.

Each player gets eight of the 32 cards (7 to A). Eldest leads, except in a Solo, in which the
declarer leads.

**Bidding.** Everybody bids or passes once, eldest first, and each bid must be higher than the last:
Half, After, Five, Five After, Six, Six After, Seven, Seven After, Solo. Each After may be bid only
over its own bid: After over Half, Five After over Five, and so on. A player with three or more
clubs besides CQ must bid at least Half, or at least After if Half has been bid; over a higher bid,
there is no such duty.

**Contracts.** The declarer names trumps in the contracts that are not in clubs.

- Half and After: five tricks in clubs with the holder of a called card.
- Pass-out: if everybody passes, the holder of CQ plays for five tricks, with any suit as trumps and
  with the holder of a called card as partner.
- Five, Six and Seven: that many tricks alone in any suit.
- Five After, Six After and Seven After: that many tricks alone in clubs.
- Solo: all eight tricks alone in any suit.

**Called card.** The called card must be a plain card that the caller does not hold, in a suit in
which the caller has another card. Its holder must play it the first time its suit is led, even when
leading the suit, and not earlier unless there is no other legal card (`called_card_duty`). By
default, the card may have any rank. With `call_rank=ace-then-any`, the caller has to call an ace if
possible; with `ace-then-king`, an ace or, if no ace can be called, a king if possible. Only a
caller who holds every callable card plays alone, for the same target.

**Play.** The highest trump is always CQ, the Mensch, followed by the 7 of trumps and A K Q J T 9
8; with clubs as trumps, the order is CQ C7 CA CK CJ CT C9 C8. Plain suits rank A K Q J T 9 8 7, and
clubs lack the Q. There are no matadors, and so no matador
privilege.

**Payment.** Payment is in chips; the table below gives the rate for each contract. In all contracts
but Solo, it is doubled if the declaring side wins all eight tricks or none. If a Half, After or
Pass-out is played without a partner, the declarer settles with each of the three opponents at the
same rate. With `passout_loss=2`, a Pass-out pays the same as a Half.
"""

from __future__ import annotations

from dataclasses import replace

from spadille.games.common import (
    COMPASS,
    each_suit,
    options,
    ordinary_trumps,
    paid_by_opponents,
    rotation,
)
from spadille.games.model.bidding import AuctionStanding, Bid, Bidding
from spadille.games.model.contract_types_and_options import ContractType, Outcome, option
from spadille.games.model.deal_protocols import ContractView, DealView
from spadille.games.model.following_suit import calling_options
from spadille.games.model.game import Game, Rules

RANKS = "AKQJT987"

_HALF_TEXT = "+1 each, with all 8 +2; lost: -2 each, with no trick -4 (or -2: half_defenders_slam)"
_PASSOUT_TEXT = "±1 each; all 8 or none: 2"
_AFTER_TEXT = "±2 with each; all 8 or none: 4"
_NUMBER_TEXT = "±1 with each, in clubs 2; all 8 or none: twice that"


def _called(
    contract_id: str, name: str, trump: str, text: str, holder: str | None = None
) -> ContractType:
    return ContractType(
        contract_id, name, "called", trump, target=5, payoff_text=text, holder=holder
    )


def _alone(contract_id: str, name: str, trump: str, target: int, text: str) -> ContractType:
    return ContractType(contract_id, name, "alone", trump, target=target, payoff_text=text)


PASS_OUT = _called("pass-out", "Pass-out", "any", _PASSOUT_TEXT, holder="CQ")
CONTRACTS = (
    _called("half", "Half", "C", _HALF_TEXT),
    _called("after", "After", "C", _HALF_TEXT),
    PASS_OUT,
    _alone("five", "Five", "any", 5, _NUMBER_TEXT),
    _alone("five-after", "Five After", "C", 5, _AFTER_TEXT),
    _alone("six", "Six", "any", 6, _NUMBER_TEXT),
    _alone("six-after", "Six After", "C", 6, _AFTER_TEXT),
    _alone("seven", "Seven", "any", 7, _NUMBER_TEXT),
    _alone("seven-after", "Seven After", "C", 7, _AFTER_TEXT),
    ContractType(
        "solo",
        "Solo",
        "alone",
        "any",
        target=8,
        leader="declarer",
        payoff_text="±4 with each, in clubs 8",
    ),
)


def _rate(rules: Rules, contract: ContractView, tricks: int) -> int:
    """Return the chips that each opponent pays the declaring side."""
    kind = rules.contract(contract.ids[0])
    if kind.id == "solo":
        rate = 4 if tricks == 8 else -4
    elif tricks >= kind.target:
        rate = 2 if tricks == 8 else 1
    elif kind.id == "pass-out" and rules.options["passout_loss"] == "1":
        rate = -1 if tricks else -2
    elif kind.side == "called":
        rate = -2 if tricks else -int(rules.options["half_defenders_slam"])
    else:
        rate = -1 if tricks else -2
    doubled = kind.side == "alone" and contract.trump == "C"
    return 2 * rate if doubled else rate


def _score(
    rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome
) -> dict[str, int]:
    rate = _rate(rules, contract, sum(outcome.tricks[seat] for seat in contract.side))
    return paid_by_opponents(rules, contract, rate)


def _duty(standing: AuctionStanding, seat: str) -> str | None:
    clubs = [card for card in standing.hand(seat) if card[0] == "C" and card != "CQ"]
    return {None: "half", "half": "after"}.get(standing.word) if len(clubs) >= 3 else None


BIDDING = Bidding(
    section=3,
    bids=(
        Bid("half", "half"),
        Bid("after", "after", over="half"),
        Bid("five", "five"),
        Bid("five-after", "five-after", over="five"),
        Bid("six", "six"),
        Bid("six-after", "six-after", over="six"),
        Bid("seven", "seven"),
        Bid("seven-after", "seven-after", over="seven"),
        Bid("solo", "solo"),
    ),
    rounds="once",
    duty=_duty,
    duty_text="a player with three or more clubs besides CQ must bid Half, or After over Half",
    duty_cards=tuple("C" + rank for rank in RANKS if rank != "Q"),
    falls_to=("CQ", "pass-out"),
)

MENSCH = Game(
    id="mensch",
    name="Mensch",
    summary="Four players, 32 cards; CQ is the highest trump; five tricks with a called partner.",
    seats=COMPASS,
    ranks=RANKS,
    hand_size=8,
    rotation="cw",
    trump_ranking=ordinary_trumps("AKQJT98", first="CQ *7"),
    plain_ranking=each_suit(RANKS),
    contracts={kind.id: kind for kind in CONTRACTS},
    contract_variants={
        ("passout_loss", "2"): {PASS_OUT.id: replace(PASS_OUT, payoff_text=_HALF_TEXT)},
    },
    options=options(
        *calling_options("first-lead", "any", "ace-then-any", "ace-then-king"),
        option(
            "passout_loss",
            "1",
            "2",
            text="chips for a lost Pass-out; 2: a Pass-out pays the same as a Half",
        ),
        option("half_defenders_slam", "4", "2", text="chips for a Half or After without a trick"),
        rotation("cw"),
    ),
    score=_score,
    call_needs_suit=True,
    bidding=BIDDING,
)
