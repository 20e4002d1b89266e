"""The referee of auctions: for each game, a bidder who makes random legal auctions.

The bidders report the result of their auctions, and are written independently of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from random import Random

from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.games.model.game import Rules

Settled = tuple[str | None, str]  # declarer and bid; None: nobody bids
MENSCH = ["half", "after", "five", "five-after", "six", "six-after", "seven", "seven-after", "solo"]
GERMAN = ["frog", "frog-color", "solo", "solo-color", "tout", "tout-color"]
SOLO = [
    "prop",
    "cop",
    "solo",
    "misere",
    "abundance",
    "abundance-trumps",
    "misere-ouverte",
    "abundance-declared",
]
UPGRADES = {
    ("solo", "misere"): "abundance-trumps",
    ("solo", "abundance"): "abundance-trumps",
    ("misere", "abundance"): "misere-ouverte",
    ("misere", "abundance-trumps"): "misere-ouverte",
    ("abundance", "abundance-trumps"): "abundance-declared",
    ("abundance", "misere-ouverte"): "abundance-declared",
    ("abundance-trumps", "misere-ouverte"): "abundance-declared",
}


def rules_of(game: str) -> Rules:
    """Return the rules of a game, with or without a bidding order in its id."""
    name, _, order = game.partition(" ")
    return rules_for(name, f"bidding_order={order}" if order else "")


def order_of(deal: Deal) -> tuple[str, ...]:
    return deal.rules.in_turn(deal.rules.eldest(deal.dealer))


def at_least(bids: Sequence[str], least: str) -> list[str]:
    """Return a bid and all higher ones; `bids` lists them from low to high."""
    assert least in bids, (
        f"{least!r} is not among {', '.join(bids)}: add the bids of a new contract to the list of "
        "its game in tests/support/auction_referee.py, between the next lower and higher bid"
    )
    return [*bids[bids.index(least) :]]


def above(bids: Sequence[str], best: str | None) -> list[str]:
    """Return all higher bids; all bids if there is none yet."""
    return at_least(bids, best)[1:] if best else [*bids]


def low(rng: Random, choices: list[str]) -> str:
    """Choose a bid, preferably a low one, so that auctions go on."""
    return choices[min(rng.randrange(len(choices)), rng.randrange(len(choices)))]


def mensch(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    calls: list[str] = []
    best: Settled = (None, "")
    for seat in order_of(deal):
        higher = above(MENSCH, best[1])
        open_ = [bid for bid in higher if "after" not in bid or (best[1] or "-") == base(bid)]
        hand = deal.hands[seat] or ()
        obliged = sum(card[0] == "C" for card in hand) - ("CQ" in hand) >= 3
        must = obliged and (best[0] is None or best[1] == "half")
        if open_ and (must or rng.random() < 0.5):
            best = (seat, low(rng, open_))
            calls.append(best[1])
        else:
            calls.append("Pass")
    return calls, best


def base(bid: str) -> str:
    return "half" if bid == "after" else bid.removesuffix("-after")


Turns = Generator[tuple[str, set[str]], str, Settled]


def bids_open(deal: Deal, seat: str, best: str) -> set[str]:
    """Return the bids of a German Solo player over the best bid, or a pass."""
    higher = above(GERMAN, best)
    if {"CQ", "SQ"} <= set(deal.hands[seat] or ()) and "solo" in higher:
        return {*at_least(GERMAN, "solo")}
    return {*higher, "Pass"}


def duel(deal: Deal) -> Turns:
    """Run duels of German Solo: yield the player to call and the legal calls; receive the call."""
    high, best = None, ""
    for challenger in order_of(deal):
        while (call := (yield challenger, bids_open(deal, challenger, best))) != "Pass":
            best = call
            # The bidder agrees to the same bid, or has passed.
            if high is None or (yield high, {"hold", best, "Pass", "-"}) not in ("hold", best):
                high = challenger
                break
    return high, best


def rounds(deal: Deal) -> Turns:
    """Run German Solo with one call each in turn, round after round."""
    order = order_of(deal)
    inside = [*order]
    last: dict[str, str] = {}
    high, best = None, ""
    while inside and inside != [high]:
        for seat in order:
            if seat not in inside or inside == [high]:
                continue
            may = bids_open(deal, seat, best)
            at = order.index(seat)
            left = [other for other in order[at + 1 :] + order[:at] if other in inside]
            if "Pass" in may and left[:1] == [high] and last.get(seat, best) != best:
                may |= {"hold", best}
            call = yield seat, may
            if call == "Pass":
                inside.remove(seat)
            else:
                high, best = seat, best if call == "hold" else call
                last[seat] = best
    return high, best


def record(deal: Deal, turns: Turns, rng: Random) -> tuple[list[str], Settled, list[set[str]]]:
    """Write an auction with legal calls: the cells, the result, and the legal calls of each cell.

    The legal calls are empty for cells without a turn.
    """
    order = order_of(deal)
    calls: list[str] = []
    legal: list[set[str]] = []
    out: set[str] = set()
    spoken: set[str] = set()
    seat, may = next(turns)
    while True:
        while (skipped := order[len(calls) % 4]) != seat:
            calls.append(rng.choice(["-", "Pass"]) if skipped in out else "-")
            # A player who does not hold has passed as soon as the next challenger speaks.
            challenges = skipped == next((s for s in order if s not in spoken), None)
            legal.append(set() if skipped in spoken or challenges else {"-"})
        call = rng.choice(sorted(may))
        if "Pass" in may and rng.random() < 0.5:  # so that low contracts are played, too
            call = "Pass"
        if call in GERMAN:
            call = low(rng, sorted(may & {*GERMAN}, key=GERMAN.index))
        calls.append(call)
        legal.append(may)
        spoken.add(seat)
        if call in ("Pass", "-"):
            out.add(seat)
        try:
            seat, may = turns.send(call)
        except StopIteration as end:
            return calls, end.value, legal


def german(turns: Callable[[Deal], Turns]) -> Callable[[Deal, Random], tuple[list[str], Settled]]:
    def bid(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
        order = order_of(deal)
        calls, (holder, best), _ = record(deal, turns(deal), rng)
        soloist = holder or deal.holder("CQ")
        raises = above(GERMAN, best) if best else at_least(GERMAN, "solo")
        if raises and rng.random() < 0.3:
            while order[len(calls) % 4] != soloist:
                calls.append("-")
            holder, best = soloist, rng.choice(raises)
            calls.append(best)
        return calls, (holder, best)

    return bid


def going_round(deal: Deal, rng: Random, bids: list[str], equal: bool) -> tuple[list[str], Settled]:
    """Bid until all but one have passed; with `equal`, a previous bidder may equal the bid."""
    order = order_of(deal)
    bidders: set[str] = set()
    inside = list(order)
    holder, best = None, ""
    calls: list[str] = []
    while inside and (len(inside) > 1 or inside[0] != holder):
        seat = order[len(calls) % len(order)]
        if seat not in inside:
            calls.append(rng.choice(["-", "Pass"]))
            continue
        open_ = above(bids, best)
        if equal and seat in bidders:
            open_ = [rng.choice(["hold", best]), *open_]
        if not open_ or rng.random() < 0.5:
            inside.remove(seat)
            calls.append("Pass")
            continue
        call = low(rng, open_)
        calls.append(call)
        holder, best = seat, best if call == "hold" else call
        bidders.add(seat)
    return calls, (holder, best)


def ombre(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    return going_round(deal, rng, ["entrada", "vuelta", "solo"], equal=True)


def quadrille(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    calls, settled = going_round(deal, rng, ["alliance", "solo", "vole"], equal=False)
    return [call if call != "solo" else "solo-" + rng.choice("SHDC") for call in calls], settled


def solo_whist(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    order = order_of(deal)
    inside = list(order)
    standing: list[str] = []
    best = ""
    calls: list[str] = []
    while inside and (not standing or set(inside) - set(standing)):
        seat = order[len(calls) % 4]
        if seat not in inside:
            calls.append("-")
            continue
        open_ = [bid for bid in above(SOLO, best) if bid != "cop" or best == "prop"]
        if not open_ or rng.random() < 0.5:
            inside.remove(seat)
            calls.append("Pass")
            continue
        best = low(rng, open_)
        standing = [*standing, seat] if best == "cop" else [seat]
        calls.append(best)
    if best != "prop":
        return calls, (standing[0] if standing else None, best)
    if standing[0] != order[0]:
        while order[len(calls) % 4] != order[0]:
            calls.append("-")
        calls.append(rng.choice(["cop", "Pass"]))
        if calls[-1] == "cop":
            return calls, (standing[0], "cop")
    while order[len(calls) % 4] != standing[0]:
        calls.append("-")
    calls.append(rng.choice(["solo", "Pass", "-"]))
    return calls, (standing[0], "solo") if calls[-1] == "solo" else (None, "")


def anna_cubed(deal: Deal, rng: Random) -> tuple[list[str], Settled]:
    order = order_of(deal)
    last: dict[str, str] = {}
    holder, best = None, ""
    for seat in order:
        open_ = [bid for bid in above(SOLO, best) if bid != "cop" or best == "prop"]
        if open_ and rng.random() < 0.6:
            best = last[seat] = low(rng, open_)
            holder = holder if best == "cop" else seat
    calls = [last.get(seat, "Pass") for seat in order]
    if best == "prop":
        calls.append(rng.choice(["solo" if holder == order[0] else "cop", "-"]))
        return calls, (holder, calls[-1]) if calls[-1] != "-" else (None, "")
    for seat in order:
        upgrade = UPGRADES.get((last.get(seat, ""), best))
        if upgrade and rng.random() < 0.7:
            holder, best = seat, upgrade
        calls.append(upgrade if upgrade and holder == seat and best == upgrade else "-")
    return calls, (holder, best)


BIDDERS = {
    "mensch": mensch,
    "german-solo": german(duel),
    "german-solo round": german(rounds),
    "ombre": ombre,
    "quadrille": quadrille,
    "quintille": quadrille,
    "solo-whist": solo_whist,
    "anna-cubed": anna_cubed,
}
FALLS_TO = {
    "mensch": ("CQ", "pass-out"),
    "german-solo": ("CQ", "solo"),
    "quadrille": ("SA", "forced-spadille"),
    "quintille": ("SA", "forced-spadille"),
}


def expected(deal: Deal, settled: Settled) -> Settled:
    """Return the declarer and the contract, or None if nobody plays."""
    seat, bid = settled
    game = deal.rules.game.id
    if seat is None:
        card, contract = FALLS_TO.get(game, ("", ""))
        return (deal.holder(card), contract) if card else (None, "")
    if bid == "cop":
        return seat, "prop-cop"
    return seat, bid.removesuffix("-color")
