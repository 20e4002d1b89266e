"""The section "What a Solo needs" of the pages of games, from the tables of spadille.strength.

`python -m benchmarks.strength_tables.needs_section` writes the sections and draws their plots
(extras `fit` and `plots`).
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from benchmarks.strength_tables.draw_hands import bits_of
from spadille.base.card_text import format_hand
from spadille.core.strength.strength_tables import HandTable, tables_for
from spadille.games import rules_for
from spadille.search.encoding import encoding
from spadille.search.engine_strength_table import engine_table

PAGES = Path(__file__).parents[2] / "docs" / "games"
SEED = 32
HANDS = 200_000
FEWEST = 200  # the minimum number of hands for a figure
SHARES = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)
BEGIN, END = (
    "<!-- strength: python -m benchmarks.strength_tables.needs_section -->",
    "<!-- end of strength -->",
)


@dataclass(frozen=True, slots=True)
class Need:
    """A contract for which a section is written."""

    contract: str
    trump: str
    trump_name: str
    side: str  # the rank that counts in plain suits
    side_name: str


NEEDS = {
    "anna-cubed": Need("solo", "H", "hearts", "A", "side aces"),
    "german-solo": Need("solo", "H", "hearts", "A", "side aces"),
    "mensch": Need("five", "H", "hearts", "A", "side aces"),
    "ombre": Need("solo", "H", "hearts", "K", "side kings"),
    "quadrille": Need("solo", "H", "hearts", "K", "side kings"),
    "quintille": Need("solo", "H", "hearts", "K", "side kings"),
    "solo-whist": Need("solo", "H", "hearts", "A", "side aces"),
}


@dataclass(frozen=True, slots=True)
class _Hands:
    """Random hands with counts of their cards, and the share of deals in which each makes."""

    texts: list[str]
    trumps: np.ndarray
    top: np.ndarray  # matadors, or the highest two trumps
    side: np.ndarray
    share: np.ndarray


def section(game: str) -> str:
    """Return the section of a game as Markdown."""
    rules, need = rules_for(game), NEEDS[game]
    tables = tables_for(rules)
    assert tables is not None
    table = tables.table(need.contract, need.trump)
    assert table is not None
    name = rules.contract(need.contract).name
    hands = _hands(game, need, table)
    top = "matadors" if rules.game.matadors else "top two"
    sure, half = _least(hands, 0.75), _least(hands, 0.5)
    lines = [
        f"## What a {name} needs",
        "",
        BEGIN,
        "",
        f"<!-- {HANDS:,} hands, seed {SEED}, strength tables version {tables.version} -->",
        "",
        *_paragraph(
            f"How often does a {name} make, judging by your [hand alone](../strength.md)? The "
            f"table shows the percentage of {name}s that make double-dummy, with {need.trump_name} "
            f"as trumps, averaged over {HANDS:,} random hands and all positions in the first "
            f"trick. `-` marks combinations with fewer than {FEWEST} hands."
            + (
                ""
                if rules.game.matadors
                else " *Top two* counts how many of the two highest trumps the hand holds."
            )
        ),
        *_paragraph(
            f"{_words(half, top, need, f'A {name} makes more often than not')} "
            f"{_words(sure, top, need, 'It makes at least three times out of four')} "
            "Strong side suits can make up for fewer trumps."
        ),
        f"| trumps | {top} | no {need.side_name} | one {need.side_name[:-1]} | two or more |",
        "|---|---|---|---|---|",
        *_rows(hands),
        "",
        f"![Share of {name}s that make, by number of trumps; one line for each number of "
        f"{'matadors' if rules.game.matadors else 'top trumps held'}]({_picture(game)})",
        "",
        "Individual hands can be much better or worse than the average in the table. Here are "
        "ten, from hopeless to almost certain:",
        "",
        f"| hand (S.H.D.C) | trumps | {top} | {need.side_name} | made |",
        "|---|---|---|---|---|",
        *_examples(hands),
        "",
        END,
    ]
    return "\n".join(lines)


def _hands(game: str, need: Need, table: HandTable) -> _Hands:
    rules = rules_for(game)
    code = encoding(rules, need.trump)
    deck = rules.deck
    rng = np.random.default_rng(SEED)
    size = rules.game.hand_size
    places = np.argpartition(rng.random((HANDS, len(deck))), size - 1, axis=1)[:, :size]
    hands = bits_of(code, places)
    fast = engine_table(table)
    shares = [
        np.frombuffer(fast.many(np.ascontiguousarray(hands), position), np.float32)[::2]
        for position in range(table.positions)
    ]

    def count(cards: Iterable[str]) -> np.ndarray:
        return np.bitwise_count(hands & np.uint64(sum(code.bits[card] for card in cards)))

    trumps = rules.trump_cards(need.trump)
    plain = [card for card in deck if card[1] == need.side and card not in trumps]
    return _Hands(
        [format_hand(deck[n] for n in hand) for hand in places],
        count(trumps),
        count(rules.matadors(need.trump) or trumps[:2]),
        count(plain),
        np.mean(shares, axis=0),
    )


def _kinds(hands: _Hands) -> Iterator[tuple[int, int, list[float | None]]]:
    """Yield the trumps, the top trumps, and the shares with no, one and more side cards."""
    side = np.minimum(hands.side, 2)
    for trumps in range(2, int(hands.trumps.max()) + 1):
        for top in range(int(hands.top.max()) + 1):
            found: list[float | None] = []
            for number in range(3):
                here = (hands.trumps == trumps) & (hands.top == top) & (side == number)
                found.append(float(hands.share[here].mean()) if here.sum() >= FEWEST else None)
            if any(share is not None and share >= 0.005 for share in found):
                yield trumps, top, found


def _rows(hands: _Hands) -> Iterator[str]:
    for trumps, top, shares in _kinds(hands):
        cells = ["-" if share is None else f"{100 * share:.0f}" for share in shares]
        yield f"| {trumps} | {top} | {' | '.join(cells)} |"


def _least(hands: _Hands, share: float) -> tuple[int, int, int, float] | None:
    """Return the weakest sufficient kind (fewest trumps, top trumps, side cards) and its share."""
    enough = [
        (trumps, top, number, found)
        for trumps, top, shares in _kinds(hands)
        for number, found in enumerate(shares)
        if found is not None and found >= share
    ]
    return min(enough, default=None)


def _words(kind: tuple[int, int, int, float] | None, top: str, need: Need, claim: str) -> str:
    """Return the claim with the weakest kind of hand for which it is true, and its share."""
    if kind is None:
        return "No combination in the table reaches 75%."
    trumps, number, side, share = kind
    held = []
    if number and top == "matadors":
        held.append("one matador" if number == 1 else f"{number} matadors")
    elif number:
        held.append("one of the top two" if number == 1 else "both top trumps")
    if side:
        held.append(f"a {need.side_name[:-1]}" if side == 1 else f"two or more {need.side_name}")
    condition = f"with {' and '.join(held)}, " if held else ""
    anyway = "" if side else f"even without {need.side_name}, "
    return (
        f"{claim} with as few as {trumps} trumps: {condition}{anyway}"
        f"in {100 * share:.0f}% of deals."
    )


def _paragraph(text: str) -> list[str]:
    return [*wrap(text, width=140, break_on_hyphens=False), ""]


def _examples(hands: _Hands) -> Iterator[str]:
    for share in SHARES:
        row = int(np.abs(hands.share - share).argmin())
        yield (
            f"| `{hands.texts[row]}` | {hands.trumps[row]} | {hands.top[row]} | {hands.side[row]} "
            f"| {100 * hands.share[row]:.0f}% |"
        )


def _picture(game: str) -> str:
    """Return the path of a plot relative to the page of the game."""
    return f"../pictures/strength-{game}.svg"


def draw(game: str, path: Path) -> None:
    """Draw the share of deals made by trumps, with a line for each number of top trumps."""
    rules, need = rules_for(game), NEEDS[game]
    tables = tables_for(rules)
    table = tables and tables.table(need.contract, need.trump)
    assert table
    hands = _hands(game, need, table)
    # Equal data give equal bytes: no date, and no random ids.
    with rc_context({"svg.hashsalt": game, "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = Figure(figsize=(6.4, 3.6), layout="constrained")
        axes = figure.add_subplot()
        for top in range(int(hands.top.max()) + 1):
            kinds = [
                (trumps, 100 * hands.share[here].mean())
                for trumps in range(int(hands.trumps.max()) + 1)
                if (here := (hands.trumps == trumps) & (hands.top == top)).sum() >= FEWEST
            ]
            if kinds:
                axes.plot(*zip(*kinds, strict=True), marker="o", label=str(top))
        axes.set_xlabel(f"trumps ({need.trump_name})")
        axes.set_ylabel("made, in percent")
        axes.set_ylim(0, 100)
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(alpha=0.3)
        axes.legend(title="matadors" if rules.game.matadors else "top two")
        figure.savefig(path, format="svg", metadata={"Date": None})


def page_with(game: str, text: str) -> str:
    """Return a page with its section replaced, or added at the end."""
    new = section(game)
    pattern = rf"## What a [^\n]* needs\n\n{re.escape(BEGIN)}.*?{re.escape(END)}"
    if re.search(pattern, text, re.DOTALL):
        return re.sub(pattern, lambda match: new, text, flags=re.DOTALL)
    return text.rstrip("\n") + "\n\n" + new + "\n"


def main() -> None:
    """Write the sections into the pages."""
    ArgumentParser(description=__doc__).parse_args()
    for game in NEEDS:
        if tables_for(rules_for(game)) is None:
            continue
        path = PAGES / f"{game}.md"
        path.write_text(page_with(game, path.read_text(encoding="utf-8")), encoding="utf-8")
        draw(game, PAGES / _picture(game))


if __name__ == "__main__":
    main()
