"""All auctions in which a single player calls freely, enumerated call by call.

Written from the documents and `auction_referee` alone. Each game is a generator that yields the
player to call and the player's legal calls, lowest first, receives the call, and returns how the
auction ended.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

from spadille.core.deal import Deal
from tests.support.auction_referee import (
    GERMAN,
    MENSCH,
    SOLO,
    UPGRADES,
    above,
    base,
    duel,
    order_of,
    rounds,
)
from tests.support.auction_referee import Turns as BidderTurns

PASS, HOLD = "Pass", "hold"
End = tuple[str, str, str | None] | None
"""The declarer, the bid and the partner; None if nobody plays."""
Turns = Generator[tuple[str, list[str]], str, End]


def mensch(deal: Deal) -> Turns:
    """Give each player a turn; with three clubs besides CQ, a player must bid Half or After."""
    holder, best = None, ""
    for seat in order_of(deal):
        higher = above(MENSCH, best)
        may = [bid for bid in higher if "after" not in bid or base(bid) == best]
        hand = deal.hands[seat] or ()
        clubs = sum(card[0] == "C" and card != "CQ" for card in hand)
        if not (clubs >= 3 and best in ("", "half")):
            may = [PASS, *may]
        call = yield seat, may
        if call != PASS:
            holder, best = seat, call
    return (holder, best, None) if holder else None


def german(kind: Callable[[Deal], BidderTurns]) -> Callable[[Deal], Turns]:
    """Run German Solo, with the raise of the soloist as the last call."""

    def turns(deal: Deal) -> Turns:
        bidding = kind(deal)
        try:
            seat, may = next(bidding)
            while True:
                call = yield seat, [word for word in (PASS, HOLD, *GERMAN) if word in may]
                seat, may = bidding.send(call)
        except StopIteration as end:
            holder, best = end.value
        if holder is None:
            return None
        raised = yield holder, [PASS, *above(GERMAN, best)]
        return holder, best if raised == PASS else raised, None

    return turns


def going_round(bids: list[str], equal: bool) -> Callable[[Deal], Turns]:
    """Go round until all but one have passed; with `equal`, a bidder may equal the bid."""

    def turns(deal: Deal) -> Turns:
        order = order_of(deal)
        inside, bidders = list(order), set[str]()
        holder, best, number = None, "", 0
        while inside and (len(inside) > 1 or inside[0] != holder):
            seat = order[number % len(order)]
            number += 1
            if seat not in inside:
                continue
            may = [PASS, *([HOLD, best] if equal and seat in bidders else [])]
            call = yield seat, may + above(bids, best)
            if call == PASS:
                inside.remove(seat)
            else:
                holder, best = seat, best if call == HOLD else call
                bidders.add(seat)
        return (holder, best, None) if holder else None

    return turns


def solo_whist_calls(best: str) -> list[str]:
    """Return Pass and the bids of Solo Whist over the best one; a Cop needs a Prop."""
    return [PASS, *(bid for bid in above(SOLO, best) if bid != "cop" or best == "prop")]


def solo_whist(deal: Deal) -> Turns:
    """Go round; then eldest may Cop late, and a proposer nobody accepted may bid Solo."""
    order = order_of(deal)
    inside, standing = list(order), list[str]()
    best, number = "", 0
    while inside and (not standing or set(inside) - set(standing)):
        seat = order[number % 4]
        number += 1
        if seat not in inside:
            continue
        call = yield seat, solo_whist_calls(best)
        if call == PASS:
            inside.remove(seat)
        else:
            best = call
            standing = [*standing, seat] if call == "cop" else [seat]
    if best == "prop" and standing[0] != order[0]:
        best = "cop" if (yield order[0], [PASS, "cop"]) == "cop" else best
        standing.append(order[0])
    if best == "prop":
        best = "solo" if (yield standing[0], [PASS, "solo"]) == "solo" else best
    if best in ("", "prop"):
        return None
    return standing[0], best, standing[1] if best == "cop" else None


def anna_cubed(deal: Deal) -> Turns:
    """Give each player a turn, then go round once for upgrades."""
    order = order_of(deal)
    last: dict[str, str] = {}
    holder, partner, best = "", None, ""
    for seat in order:
        call = yield seat, solo_whist_calls(best)
        if call != PASS:
            best = last[seat] = call
            holder, partner = (holder, seat) if call == "cop" else (seat, None)
    if best == "prop":
        word = "solo" if holder == order[0] else "cop"
        if (yield order[0], [PASS, word]) == PASS:
            return None
        return holder, word, order[0] if word == "cop" else None
    for seat in order:
        upgrade = UPGRADES.get((last.get(seat, ""), best))
        if upgrade and (yield seat, [PASS, upgrade]) == upgrade:
            holder, partner, best = seat, None, upgrade
    return (holder, best, partner) if best else None


TURNS = {
    "mensch": mensch,
    "german-solo": german(duel),
    "german-solo round": german(rounds),
    "ombre": going_round(["entrada", "vuelta", "solo"], equal=True),
    "quadrille": going_round(["alliance", "solo", "vole"], equal=False),
    "quintille": going_round(["alliance", "solo", "vole"], equal=False),
    "solo-whist": solo_whist,
    "anna-cubed": anna_cubed,
}


def ends(
    game: str, deal: Deal, words: Sequence[str], free: str
) -> set[tuple[str, str, str | None]]:
    """Return the ends of all auctions in which one player is free, with a contract of that player.

    The others repeat the call they made at that turn if it is legal, and otherwise pass; a player
    who may not pass makes the lowest call.
    """
    order = order_of(deal)
    recorded: dict[str, list[str]] = {seat: [] for seat in order}
    for cell, word in enumerate(words):
        if word != "-":
            recorded[order[cell % len(order)]].append(word.partition("-")[0]
                     if word[:-1].endswith("-") else word)  # fmt: skip

    def after(calls: list[str]) -> Iterator[End]:
        turns, made = TURNS[game](deal), dict.fromkeys(order, 0)
        try:
            seat, may = next(turns)
            for call in calls:
                made[seat] += 1
                seat, may = turns.send(call)
        except StopIteration as end:
            yield end.value
            return
        if seat != free:
            said = recorded[seat][made[seat] : made[seat] + 1]
            may = [next((word for word in (*said, PASS) if word in may), may[0])]
        for call in may:
            yield from after([*calls, call])

    found = {end for end in after([]) if end is not None}
    return {end for end in found if free in (end[0], end[2])}
