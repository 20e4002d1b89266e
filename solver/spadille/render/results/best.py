"""The best contracts of each seat, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from spadille.analysis.contracts.best_result import Best, Offer
from spadille.base.words_for_messages import signed
from spadille.render.results.shared_cells import trump_text
from spadille.render.tables import TextTable, filled, sentences
from spadille.render.text import suit_text

_RESTS_ON = {
    None: "",
    "recorded": " (guaranteed if the opponents exchange as recorded)",
    "none": " (guaranteed if the opponents exchange nothing)",
}


def tables(best: Best, title: str = "", *, symbols: bool = False) -> Iterator[TextTable]:
    """Yield the best contracts, the bids from low to high, and the payoff of each card to call.

    A last table says which contracts are left out, if any.
    """
    title += _RESTS_ON[best.opponents_exchange]
    offers = [offer for own in best.seats.values() for offer in own]
    headers = ["seat", "contract", "trump", "call/partner", "payoff", "outcome", "bid", "discards"]
    unbid = "-" if any(offer.height >= 0 for offer in offers) else ""
    headers, rows = filled(headers, [_cells(offer, symbols, unbid) for offer in offers])
    yield TextTable(headers, rows, title.strip(), wraps=headers[-1:] == ["discards"])
    if best.ranking:
        yield _ranking(best)
    if best.bid_cards:
        yield _bid_cards(best, symbols)
    for offer in offers:
        if offer.calls:
            yield _calls(offer)
    if best.left_out:
        yield sentences("note", best.notes())


def _cells(offer: Offer, symbols: bool, unbid: str) -> tuple[object, ...]:
    penalty = offer.penalty and suit_text(offer.penalty, symbols)
    helpers = (offer.called, offer.partner, penalty)
    return (
        offer.declarer,
        offer.contract,
        trump_text(offer.trump, symbols),
        " ".join(filter(None, helpers)),
        _pays(offer),
        # The outcome column distinguishes contracts with the same payoff.
        offer.outcome or ("failed" if offer.makes is False else None),
        _bid(offer) or unbid,
        "from hand" if offer.from_hand else _exchange(offer),
    )


def _exchange(offer: Offer) -> str:
    """Return the discards; if partners may each take a card, include the card drawn."""
    if not offer.partner:
        return " ".join(offer.discard)
    taken = zip(offer.discard, offer.drawn, strict=True)
    own = [f"{away} for {drawn}" for away, drawn in taken]
    taken = zip(offer.partner_discard, offer.partner_drawn, strict=True)
    theirs = [f"{offer.partner}: {away} for {drawn}" for away, drawn in taken]
    return ", ".join(own + theirs)


def _pays(offer: Offer) -> str:
    if offer.payoff is not None:
        return f"{signed(offer.payoff)}{'*' if offer.makes else ' '}"
    return " to ".join(map(signed, offer.bounds or ()))


def _bid(offer: Offer) -> str:
    height = str(offer.height + 1) if offer.height >= 0 else None
    return " ".join(filter(None, (height, offer.bid)))


def _ranking(best: Best) -> TextTable:
    """Return the bids from low to high, the seats that make each of them, and the winning bid."""
    highest = best.highest
    rows = [
        (
            f"{rank.height + 1} {rank.bid}",
            " ".join(rank.makes),
            highest.declarer if highest and rank.height == highest.height else "",
        )
        for rank in best.ranking
    ]
    return TextTable(("bid, low to high", "makes for", "wins the auction"), rows)


def _bid_cards(best: Best, symbols: bool) -> TextTable:
    """Return a table of the contract that each bid card of a seat would lead to."""
    rows = [
        (
            seat if not number else "",
            " ".join(bid.cards),
            " or ".join(bid.contracts),
            "" if bid.payoff is None else signed(bid.payoff),
        )
        for seat, cards in best.bid_cards.items()
        for number, bid in enumerate(cards)
    ]
    return TextTable(("seat", "bid card", "contract", "payoff"), rows)


def _calls(offer: Offer) -> TextTable:
    """Return the payoff of a contract with each possible called card or partner."""
    by_payoff: dict[tuple[str, object], list[str]] = {}
    for call in offer.calls:
        choice = " ".join(filter(None, (call.called, call.partner)))
        by_payoff.setdefault((_pays(call), call.outcome), []).append(choice)
    rows = [(pays, outcome, ", ".join(calls)) for (pays, outcome), calls in by_payoff.items()]
    title = f"{offer.declarer}, {offer.contract} in {offer.trump}"
    return TextTable(("payoff", "outcome", "call"), rows, title, wraps=True)
