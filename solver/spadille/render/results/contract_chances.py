"""The chances of contracts, based on one hand, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from spadille.analysis.chances.contract_chances_result import BestChances, OfferChance
from spadille.render.results.card_chances import (
    BELOW_BEST,
    behind_text,
    gain_from_seeing,
    known_to,
    rests_on,
    too_few,
)
from spadille.render.results.shared_cells import interval_text, percent, trump_text
from spadille.render.tables import TextTable, filled, sentences


def tables(chances: BestChances, title: str = "", calls: bool = False) -> Iterator[TextTable]:
    """Yield the contracts, best first, and the basis of the figures.

    Without `calls`, each contract is shown only with its best called card, partner or exchange.
    """
    offers: Sequence[OfferChance] = chances.offers
    if not calls:
        first: dict[tuple[str, str | None, bool], OfferChance] = {}
        for offer in offers:
            first.setdefault((offer.contract, offer.trump, offer.from_hand), offer)
        offers = [*first.values()]
    away = any(offer.discard or offer.rule or offer.from_hand for offer in offers)
    headers = ["contract", "trump", "discards" if away else "call"]
    headers += ["made %", "95%", "payoff", "behind", "95%"]
    # A table of 80 characters has no room for both columns.
    raced = len({offer.samples for offer in offers}) > 1
    headers.append("layouts" if raced else "tricks")
    rows = [
        [
            offer.contract,
            "turned up" if offer.by_trump is not None else trump_text(offer.trump),
            _choice(offer),
            percent(offer.made),
            interval_text(offer.made_interval),
            _payoff(offer),
            behind_text(chances, offer.behind) if offer.behind else None,
            _behind_interval(chances, offer),
            str(offer.samples) if raced else _tricks(offer),
        ]
        for offer in offers
    ]
    title = f"{title}, {chances.seat} to choose".removeprefix(", ")
    first_row = rows[0]
    if few := too_few(chances, f"{' '.join(filter(None, map(str, first_row[:2])))} leads so far"):
        yield sentences(title, [few, *known_to(chances)])
        return
    yield TextTable(*filled(headers, rows), title)
    yield sentences("basis", _basis(chances))


def _basis(chances: BestChances) -> Iterator[str]:
    yield from rests_on(chances)
    yield "Each contract is played in the same layouts, double-dummy."
    if any(offer.samples < chances.samples for offer in chances.offers):
        more = "makes more often" if chances.ranked_by == "made" else "pays more"
        yield f"Contracts with fewer layouts were dropped, because another certainly {more}."
    yield f"{_ranked(chances)}."
    yield from (f"{assumption}." for assumption in chances.assumed)
    for offer in chances.offers:
        by_trump = {trump: cards for trump, cards in (offer.by_trump or {}).items() if cards}
        if by_trump:
            away = (f"{trump}: {_by_suit(cards)}" for trump, cards in by_trump.items())
            yield f"Discards for {offer.contract!r}, by the trump turned up: {'; '.join(away)}."
    if chances.tried is not None:
        tried = chances.tried
        many, kept, samples = tried
        if samples:
            valued = f"the {kept} that did best in up to {samples} other layouts were evaluated"
        else:
            valued = f"{kept} were evaluated, because there was no time to find the best ones"
        calls = any(offer.called for offer in chances.offers)
        yield f"Of {many} {'cards to call' if calls else 'exchanges'}, {valued}."
    yield from (f"Not evaluated: {name}; {why}." for name, why in chances.left_out.items())
    if chances.gauge is not None:
        yield gain_from_seeing(chances.seat, "before choosing", chances.gauge, chances.ranked_by)


def _ranked(chances: BestChances) -> str:
    """Return the criterion that ranks the contracts."""
    offers = chances.offers
    known = [offer.payoff is not None or offer.bounds is not None for offer in offers]
    if chances.ranked_by == "made":
        text = "Contracts are ranked by how often they make"
        return f"{text}, then by payoff" if any(known) else text
    if not any(known):
        return "Contracts are ranked by how often they make, since their payoffs are unknown"
    text = f"Contracts are ranked by payoff; {BELOW_BEST}"
    if not all(known):
        text += "; contracts with unknown payoff come last, by how often they make"
    return text


def _behind_interval(chances: BestChances, offer: OfferChance) -> str | None:
    """Format the interval for how far a contract is from the best."""
    interval = offer.behind_interval
    if chances.ranked_by == "made":
        return interval_text(interval)
    return None if interval is None else f"{interval[0]:.1f}..{interval[1]:.1f}"


def _payoff(offer: OfferChance) -> str | None:
    """Format a mean payoff or its bounds."""
    if offer.payoff is not None:
        return f"{offer.payoff:+.2f}"
    return "..".join(f"{bound:+.1f}" for bound in offer.bounds or ()) or None


def _tricks(offer: OfferChance) -> str | None:
    """Format the mean tricks of the declaring side."""
    return None if offer.mean_tricks is None else f"{offer.mean_tricks:.2f}"


def _choice(offer: OfferChance) -> str | None:
    """Format the choices other than the trump, such as partner and discards: "S62 D7"."""
    words = [offer.called, offer.partner, offer.penalty, offer.rule]
    words += [_by_suit(offer.discard), "from hand" if offer.from_hand else None]
    return " ".join(filter(None, words)) or None


def _by_suit(cards: Iterable[str]) -> str:
    """Format cards suit by suit, "S62 D7"."""
    suits: dict[str, str] = {}
    for card in cards:
        suits[card[0]] = suits.get(card[0], card[0]) + card[1]
    return " ".join(suits.values())
