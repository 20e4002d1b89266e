"""An evening of new deals to play on a page, against players who see only their own hands."""

from __future__ import annotations

from itertools import islice

from spadille.analysis.evening.evening_settlement import settle
from spadille.games.model.game import Rules
from spadille.generate.deals_to_play import ANY_DEALS, WantedDeals, deals_to_play
from spadille.pages.deal_facts import DealFacts, DealRecord, facts_of_deals
from spadille.pages.page import write
from spadille.pbn.hand_file import read
from spadille.pbn.write_deals import dumps

CANDIDATES = 4
"""The number of candidates for each deal; the one that pays the declarer most is used."""


def evening_to_play(
    rules: Rules,
    number: int,
    seed: int,
    wanted: WantedDeals = ANY_DEALS,
    *,
    seat: str | None = None,
    title: str = "",
    threads: int = 1,
) -> str:
    """Return a page with `number` deals to play; see `deals_to_play`.

    The page lets the reader play from `seat`, by default the declarer's. Raises RulesError if the
    game has no such seat.
    """
    if seat is not None:
        rules.check_seats(seat)
    deals = islice(deals_to_play(rules, seed, candidates=CANDIDATES, wanted=wanted), number)
    entries = read(dumps(deals))
    records = [
        DealRecord(entry, settled) for entry, settled in zip(entries, settle(entries), strict=True)
    ]
    shown = [
        facts for facts in facts_of_deals(records, threads=threads) if isinstance(facts, DealFacts)
    ]
    return write(shown, title=title or f"An evening of {rules.game.name}", play=seat or True)
