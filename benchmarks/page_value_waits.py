"""Measure how long readers of a page wait for card values: `python -m benchmarks.page_value_waits`.

Positions are the openings of every contract of every game, in Debian's Chromium. Two times are
measured from the change of the address: until the first card has a value, and until all cards have
one. This needs the `browser` extra.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from benchmarks.deals import MEASURING, offered, questions
from spadille.base.card_text import SUITS
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.pages.page import write

if TYPE_CHECKING:
    from playwright.sync_api import Page

DEALS = 10
CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WAIT = """async (place) => {
    document.querySelector(".felt")?.remove();
    const began = performance.now();
    location.hash = place;
    let first = null;
    for (;;) {
        await new Promise((go) => setTimeout(go, 2));
        const board = document.querySelector(".felt");
        if (board?.querySelector(".worth")) first ??= performance.now() - began;
        if (board?.getAttribute("aria-busy") === "false") return [first, performance.now() - began];
    }
}"""


def place(deal: Deal, contract: Contract, moves: list[str]) -> str:
    """Return the address of a point of the play on a page without deals."""
    rules = deal.rules

    def hand(cards: tuple[str, ...]) -> str:
        return ".".join("".join(card[1] for card in cards if card[0] == suit) for suit in SUITS)

    hands = deal.playing_hands()
    parts = (
        "+".join(contract.declarers),
        "+".join(contract.ids),
        contract.trump,
        contract.called,
        contract.partner,
        contract.penalty,
    )
    told: dict[str, object] = {
        "hands": f"{rules.seats[0]}:" + " ".join(hand(hands[seat] or ()) for seat in rules.seats),
        "dealer": deal.dealer,
        "contract": ",".join(part or "" for part in parts),
        "play": "".join(moves),
        "at": len(moves),
    }
    if deal.current_trump:
        told["turned"] = deal.current_trump
    return "#" + urlencode(told)


def waits(page: Page, game: str, number: int) -> Iterator[tuple[float, float]]:
    """Return milliseconds to the first value and to all, at the opening of each contract."""
    for kind in rules_for(game).contracts:
        for deal, contract, _ in questions(MEASURING, kind, number, offered(game, kind)):
            first, every = page.evaluate(WAIT, place(deal, contract, []))
            yield first, every


def main() -> None:
    """Print a row for each game."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int, nargs="?", default=DEALS, help="deals of each game")
    number = parser.parse_args().number

    from playwright.sync_api import sync_playwright

    print(f"{'':14}{'openings':>10}{'first value':>22}{'all':>22}    ms: median, 90th pct, longest")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for game in GAMES:
            file = Path(folder, f"{game}.html")
            file.write_text(write([], rules=rules_for(game)), encoding="utf-8")
            page = browser.new_page()
            page.goto(file.as_uri())
            # The first visit compiles the engine and is not timed.
            next(waits(page, game, 1))
            found = list(waits(page, game, number))
            told = "".join(
                f"{median(each):>8.0f}{quantiles(each, n=10)[-1]:>7.0f}{max(each):>7.0f}"
                for each in zip(*found, strict=True)
            )
            print(f"{game:14}{len(found):>10}{told}")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
