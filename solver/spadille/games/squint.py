"""Squint, by David Parlett.

Squint is for five players with 52 cards, ten each; the other two are the squint. All suits rank A K
Q .. 2. Play goes clockwise, and eldest leads in every contract.

**Bidding.** Each player bids with one card, and all five are turned up together. The first of these
rules that applies decides the contract:

1. Aces and deuces: each ace is an Ace solo and each deuce a Misère, for the player who bid it.
2. The highest king, queen or jack: a Grand Solo in its suit. If there is a tie, the first of these
   players from the dealer's left plays it.
3. Otherwise, all five cards are numerals, and the number of cards in each suit decides. If the
   suits are split 2-2-1, the player whose suit nobody else bid plays Solo. With 2-1-1-1 or 3-2, the
   two players who bid the suit of two cards play a Duo. With 3-1-1, it is Nemo, with the suit of
   the three cards as the penalty suit. With 4-1, the player who bid the other suit chooses: a Solo
   in that suit, or a Nemo with the suit of the four cards as the penalty suit. With all five in one
   suit, it is Nemo with that suit as the penalty suit.

Solo and Duo are played in the suit of their bids. In a Duo, the partner who comes first from the
dealer's left is called the declarer.

**Contracts.** Ace solo (six tricks) and Misère (none) are played without trumps. If several players
bid them, all play at the same time, each alone against all the others. The other contracts are:

- Grand Solo: one against four, six tricks in the suit of the bid card.
- Duo: two against three, six tricks.
- Solo: one against four, more tricks than any single opponent.
- Nemo: everybody alone and without trumps, for clean tricks, that is, tricks without a card of the
  penalty suit.

**Exchange.** Players take squint cards first, then discard as many cards as they took, from all the
cards they hold. A lone declarer takes both cards or none. If there are several declarers, the one
nearest the dealer's left begins, and each later one takes the two cards that the previous one
discarded. In a Duo, each partner may take one card of the squint. In Nemo, eldest takes both cards,
each later player takes the previous player's discards, and the dealer comes last. Everybody takes
part, so nobody plays from the hand. The dealer in Nemo and the last of several declarers discard
face up.

**Scores.** Only declarers score points. If t is the number of tricks a declarer wins (in a Duo, the
two partners together), the scores are:

- Ace solo: 20(t-5), or -20(6-t) if lost.
- Misère: ±25.
- Grand Solo: 15(t-5), or -15(6-t) if lost.
- Duo: 10(t-5) each, or -10(6-t) each if lost.
- Solo: 10(t-2), or if lost, -5 for each trick of the opponent with the most.
- Nemo: 20 a trick if all the player's tricks are clean, otherwise 10 for each clean trick.

A contract played from the hand counts double, won or lost; for a Duo, both partners must have
declined the squint.
"""

from __future__ import annotations

from collections.abc import Mapping

from spadille.base.card_text import RANKS, SUITS
from spadille.games.common import chips, each_suit, options, ordinary_trumps, rotation
from spadille.games.model.bidding import AuctionResult, Bidding
from spadille.games.model.contract_types_and_options import ContractType, ExchangeRule, Outcome
from spadille.games.model.deal_protocols import ContractView, DealView
from spadille.games.model.game import Game, Rules

_SOLOISTS = ExchangeRule("side", 2, "eldest-first", "whole", from_hand=True, face_up="of-several")

# `values`: points for each trick over five, and for each trick short of six.
ACE_SOLO = ContractType(
    "ace-solo",
    "Ace solo",
    "individual",
    "none",
    target=6,
    values=(20,),
    payoff_text="20(t-5), lost -20(6-t)",
    exchange=_SOLOISTS,
)
MISERE = ContractType(
    "misere",
    "Misère",
    "individual",
    "none",
    aim="misere",
    values=(25,),
    payoff_text="±25",
    exchange=_SOLOISTS,
)
GRAND_SOLO = ContractType(
    "grand-solo",
    "Grand Solo",
    "alone",
    "any",
    target=6,
    values=(15,),
    payoff_text="15(t-5), lost -15(6-t)",
    exchange=_SOLOISTS,
)
SOLO = ContractType(
    "solo",
    "Solo",
    "alone",
    "any",
    aim="most",
    values=(10, 5),
    payoff_text="10(t-2), lost -5 for each trick of the opponent with the most",
    exchange=_SOLOISTS,
)
DUO = ContractType(
    "duo",
    "Duo",
    "partner",
    "any",
    target=6,
    values=(10,),
    payoff_text="10(t-5) each, lost -10(6-t) each",
    exchange=ExchangeRule("side", 1, takes="talon", from_hand=True),
)
NEMO = ContractType(
    "nemo",
    "Nemo",
    "all",
    "none",
    aim="nemo",
    values=(20, 10),
    payoff_text="20 a trick if all are clean, otherwise 10 a clean trick",
    exchange=ExchangeRule("all", 2, "eldest-first", "whole", complete=True, face_up="always"),
)


def _points(rules: Rules, contract: ContractView, outcome: Outcome, seat: str, kind_id: str) -> int:
    """Return one declarer's points before doubling."""
    kind = rules.contract(kind_id)
    tricks = outcome.tricks[seat]
    if kind.aim == "nemo":
        clean = 0 if outcome.clean is None else outcome.clean[seat]
        return kind.values[0 if clean == tricks else 1] * clean
    if kind.aim == "misere":
        return kind.values[0] if tricks == 0 else -kind.values[0]
    if kind.aim == "most":
        top = max(count for other, count in outcome.tricks.items() if other != seat)
        return kind.values[0] * (tricks - 2) if tricks > top else -kind.values[1] * top
    if kind.side != "individual":
        tricks = sum(outcome.tricks[member] for member in contract.side)
    over = tricks - 5 if tricks >= kind.target else tricks - 6
    return kind.values[0] * over


def _score(
    rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome
) -> dict[str, int]:
    points = dict.fromkeys(rules.seats, 0)
    kinds = dict(zip(contract.declarers, contract.ids, strict=True))
    if contract.partner is not None:
        kinds[contract.partner] = contract.ids[0]
    for seat, kind_id in kinds.items():
        # In Nemo, everybody exchanges; partners decide together, several declarers one by one.
        stayed = contract.side if contract.partner is not None else {seat}
        doubled = kind_id != NEMO.id and stayed <= set(deal.from_hand)
        points[seat] = _points(rules, contract, outcome, seat, kind_id) * (2 if doubled else 1)
    return points


def _resolve(cards: Mapping[str, str]) -> tuple[AuctionResult, ...]:
    """Work out the contract from the bid cards, given in order from the dealer's left."""
    extremes = {seat: card for seat, card in cards.items() if card[1] in "A2"}
    if extremes:
        ids = (ACE_SOLO.id if card[1] == "A" else MISERE.id for card in extremes.values())
        return (AuctionResult(tuple(extremes), tuple(ids)),)
    for rank in "KQJ":
        for seat, card in cards.items():
            if card[1] == rank:
                return (AuctionResult((seat,), (GRAND_SOLO.id,), trump=card[0]),)
    bidders = {suit: [seat for seat in cards if cards[seat][0] == suit] for suit in SUITS}
    suits = sorted((suit for suit in SUITS if bidders[suit]), key=lambda suit: -len(bidders[suit]))
    shape = tuple(len(bidders[suit]) for suit in suits)
    most, odd = suits[0], suits[-1]
    solo = AuctionResult((bidders[odd][0],), (SOLO.id,), trump=odd)
    nemo = AuctionResult((), (NEMO.id,), penalty=most)
    if shape in ((2, 1, 1, 1), (3, 2)):
        pair = most if shape[0] == 2 else odd
        declarer, partner = bidders[pair]
        return (AuctionResult((declarer,), (DUO.id,), trump=pair, partner=partner),)
    if shape == (4, 1):
        return solo, nemo
    return (solo,) if shape == (2, 2, 1) else (nemo,)


_BID_RANKS = {ACE_SOLO.id: "A", MISERE.id: "2", GRAND_SOLO.id: "KQJ"}
_NUMERALS = "T9876543"


def _held(deal: DealView, contract: ContractView) -> bool:
    """Return whether each declarer (in Nemo, three players) was dealt a matching bid card."""
    suit = contract.penalty or contract.trump
    suits = (suit,) if suit in tuple(SUITS) else tuple(SUITS)
    ids = dict(zip(contract.declarers, contract.ids, strict=True))
    bidders = [
        seat
        for seat in contract.side
        for ranks in [_BID_RANKS.get(ids.get(seat, contract.ids[0]), _NUMERALS)]
        if any(card[0] in suits and card[1] in ranks for card in deal.hands[seat] or ())
    ]
    return len(bidders) >= min(len(contract.side), 3)


SQUINT = Game(
    id="squint",
    name="Squint",
    summary="Five players, 52 cards, two in the squint; contracts for one, two or all players.",
    seats=("1", "2", "3", "4", "5"),
    ranks=RANKS,
    hand_size=10,
    rotation="cw",
    trump_ranking=ordinary_trumps(RANKS),
    plain_ranking=each_suit(RANKS),
    contracts={kind.id: kind for kind in (ACE_SOLO, MISERE, GRAND_SOLO, SOLO, DUO, NEMO)},
    options=options(
        rotation("cw"),
        chips("play_to", 150, text="points that end a game of several deals; 0: no limit"),
        chips("hands", 0, text="number of hands in a game of several deals; 0: no limit"),
    ),
    score=_score,
    talon_size=2,
    talon_name="squint",
    passes_on=True,
    draws_first=True,
    zero_sum=False,
    bidding=Bidding(section=9, cards=_resolve, held=_held),
)
