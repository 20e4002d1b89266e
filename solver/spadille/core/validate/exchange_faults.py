"""Find every fault in an exchange under its contract: players, order and cards.

This is part of `spadille.core.validate`. This module checks the `ExchangeRule` of a contract;
`spadille.core.deal_faults` checks whether the cards were available.
"""

from __future__ import annotations

from collections.abc import Iterator

from spadille.base.words_for_messages import many, seat_label
from spadille.core.contract import Contract, discards_face_up
from spadille.core.deal import Deal
from spadille.core.deal_faults import Finding, finding, hand_unknown
from spadille.games.model.contract_types_and_options import ContractType

_ORDERS = {
    "side-first": "the declaring side exchanges before its opponents",
    "eldest-first": "players exchange in order of play, from the dealer's left",
}


def exchange_findings(deal: Deal, contract: Contract, kind: ContractType) -> Iterator[Finding]:
    """Yield every fault in the exchange and in FromHand; the contract may be invalid."""
    yield from _numbers(deal, contract, kind)
    if deal.dealer in deal.rules.seats:
        yield from _order(deal, contract, kind)
    yield from _draws(deal, kind)
    yield from _shown(deal, contract, kind)
    yield from _from_hand(deal, contract, kind)


def _numbers(deal: Deal, contract: Contract, kind: ContractType) -> Iterator[Finding]:
    """Yield exchanges of too many cards, and exchanges by players who may not exchange."""
    allowed = kind.exchange.entitled(deal.rules.seats, contract.side)
    most = kind.exchange.most
    for tag, parts in (("Drawn", deal.drawn), ("Discard", deal.discard)):
        for seat, cards in parts.items():
            if cards and seat in deal.rules.seats and seat not in allowed:
                yield finding(
                    "exchange-not-allowed",
                    f"{seat_label(seat)} may not exchange cards in {kind.name}",
                    tag,
                    seat,
                    deal.rules.cite("the contract determines which players exchange cards"),
                )
            elif len(cards) > most and seat in allowed:
                yield finding(
                    "exchange-too-many",
                    f"{seat_label(seat)} "
                    f"exchanges {len(cards)} cards; {kind.name} allows at most {most}",
                    tag,
                    seat,
                    deal.rules.cite("the contract limits the number of exchanged cards"),
                )


def _order(deal: Deal, contract: Contract, kind: ContractType) -> Iterator[Finding]:
    """Yield players who exchange too late, and missing players if everybody must exchange."""
    rules, exchange = deal.rules, kind.exchange
    allowed = kind.exchange.entitled(deal.rules.seats, contract.side)
    seats = [seat for seat in deal.exchangers if seat in allowed]
    if exchange.order != "any":
        in_turn = rules.in_turn(rules.eldest(deal.dealer))
        rank = {seat: in_turn.index(seat) for seat in in_turn}
        if exchange.order == "side-first":
            rank = {seat: seat not in contract.side for seat in in_turn}
        last = seats[0] if seats else ""
        for seat in seats:
            if rank[seat] < rank[last]:
                yield finding(
                    "exchange-order",
                    f"{seat_label(seat)} "
                    f"exchanges after {seat_label(last)}, but must exchange first",
                    _tag(deal, seat),
                    seat,
                    deal.rules.cite(_ORDERS[exchange.order]),
                )
            else:
                last = seat
    left_out = [
        seat for seat in rules.seats if seat not in seats and deal.hands.get(seat) is not None
    ]
    if exchange.complete and seats and left_out:
        yield finding(
            "exchange-incomplete",
            f"{', '.join(map(seat_label, left_out))} "
            f"{'is' if len(left_out) == 1 else 'are'} left out",
            "Drawn" if deal.drawn else "Discard",
            "",
            deal.rules.cite(f"in {kind.name}, everybody exchanges if anybody does"),
        )


def _draws(deal: Deal, kind: ContractType) -> Iterator[Finding]:
    """Yield drawn cards that were available but may not be taken in the contract."""
    game, takes = deal.rules.game, kind.exchange.takes
    where = game.talon_name
    dealt = deal.undealt
    pile = list(dealt)
    for seat in deal.exchangers:
        away = deal.discard.get(seat, ())
        taken = deal.drawn.get(seat, tuple(pile[: len(away)]))
        top = pile[: len(taken)]
        chosen = {*taken}
        there = [card for card in pile if card in chosen]
        # Cards that are not available are reported by `deal_faults`.
        for card in there:
            if takes == "top" and deal.draws_in_order and card not in top:
                yield finding(
                    "exchange-not-from-top",
                    f"{seat_label(seat)} draws {card}, but the top card is {' '.join(top)}",
                    "Drawn",
                    card,
                    deal.rules.cite(f"players draw from the top of the {where}"),
                    seat,
                )
            elif takes == "talon" and card not in dealt:
                yield finding(
                    "exchange-put-away",
                    f"{seat_label(seat)} takes {card}, which another player discarded",
                    "Drawn",
                    card,
                    deal.rules.cite(f"in {kind.name} each player takes one card of the {where}"),
                    seat,
                )
        if takes == "whole" and taken and len(taken) < len(pile):
            yield finding(
                "exchange-not-whole",
                f"{seat_label(seat)} takes {len(taken)} of the {len(pile)} cards on offer",
                _tag(deal, seat),
                seat,
                deal.rules.cite(f"in {kind.name} a player takes all or none"),
            )
        pile = [card for card in pile if card not in chosen]
        if takes == "whole" and len(there) < len(taken):
            # The player probably took available cards that were recorded wrongly.
            pile = []
        if game.passes_on:
            pile += away


def _shown(deal: Deal, contract: Contract, kind: ContractType) -> Iterator[Finding]:
    """Yield discards that are recorded for unknown hands but were not face up."""
    allowed = kind.exchange.entitled(deal.rules.seats, contract.side)
    for seat, cards in deal.discard.items():
        known = deal.hands.get(seat, ()) is not None
        if (
            known
            or seat in deal.drawn
            or seat not in allowed
            or deal.dealer not in deal.rules.seats
        ):
            continue
        if not deal.rules.game.shows_discards:
            continue  # `deal_faults` reports this
        if seat != discards_face_up(deal, contract):
            yield hand_unknown(seat, "Discard")
        elif len(cards) < kind.exchange.most:
            yield finding(
                "exchange-count",
                f"{seat_label(seat)} "
                f"discards {many(len(cards), 'card')} face up, not {kind.exchange.most}",
                "Discard",
                seat,
                deal.rules.cite(f"in {kind.name} a player takes all or none"),
            )


def _from_hand(deal: Deal, contract: Contract, kind: ContractType) -> Iterator[Finding]:
    named = [seat for seat in deal.from_hand if seat in deal.rules.seats]
    rule = "RULES 5, 9: only declarers in Squint and in a Solo in Ombre play from the hand"
    if not kind.exchange.from_hand:
        # If a player plays from the hand but exchanges cards, `deal_faults` reports it.
        wrong = [seat for seat in named if seat not in deal.exchangers]
        if wrong:
            yield finding(
                "from-hand-not-allowed",
                f"nobody can play {kind.name} from the hand",
                "FromHand",
                wrong[0],
                rule,
            )
        return
    may = contract.side
    for seat in named:
        if seat not in may:
            yield finding(
                "from-hand-not-allowed",
                f"{seat_label(seat)} cannot play from the hand in {kind.name}",
                "FromHand",
                seat,
                rule,
            )
        elif contract.partner is not None and not may <= {*named}:
            other = " ".join(may - {seat})
            yield finding(
                "from-hand-not-allowed",
                f"{seat_label(seat)} plays from the hand, but {seat_label(other)} does not",
                "FromHand",
                seat,
                deal.rules.cite("partners play from the hand if both decline"),
            )


def _tag(deal: Deal, seat: str) -> str:
    return "Drawn" if seat in deal.drawn else "Discard"
