"""Write the tables and rules in docs/games from the games themselves.

    python -m tests.support.game_pages

A part of a page begins with `<!-- KIND: GAME -->` and ends with `<!-- end -->`. The site replaces
some of them by drawings (docs/site/diagrams.py).
"""

from __future__ import annotations

import inspect
import re
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

from click.testing import CliRunner

import spadille
from spadille.render.text import SYMBOLS
from spadille_cli import main

PAGES = Path(__file__).parents[2] / "docs" / "games"
PART = re.compile(r"<!-- (\w+): ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)
WIDTH = 140


def refreshed(text: str) -> str:
    """Return a page with its current parts."""

    def part(found: re.Match[str]) -> str:
        kind, game = found.groups()
        inner = PARTS[kind](spadille.rules_for(game))
        return f"<!-- {kind}: {game} -->\n\n{inner}\n<!-- end -->"

    return PART.sub(part, text)


def _seats(rules: spadille.Rules) -> str:
    seats = rules.seats
    way = "clockwise" if rules.options["rotation"] == "cw" else "counterclockwise"
    names = f"{', '.join(seats[:-1])} and {seats[-1]}"
    return (
        f"There are {len(seats)} players: {names}. Play goes {way}. The player after the dealer is "
        "eldest.\n"
    )


def _ranking(rules: spadille.Rules) -> str:
    orders = {
        "".join(card[1] for card in cards)
        for trump in "SH"
        for cards in (rules.trump_cards(trump), *rules.suits(trump).values())
    }
    if len(orders) == 1:
        return f"{' '.join(*orders)} in every suit, whether it is trumps or not.\n"
    marks = "`*` marks the matadors.\n\n" if rules.game.matadors else ""
    return marks + _symbols(_tables(rules, "trump", "not trump"))


def _rules(rules: spadille.Rules) -> str:
    """Return the docstring of the game's module without its first sentence, the heading."""
    text = inspect.getdoc(sys.modules[rules.game.score.__module__]) or ""
    text = _symbols(_of_game(text.partition("\n\n")[2], rules.game.name))
    return "".join(f"{line}\n" for line in _wrapped(text))


def _of_game(text: str, game: str) -> str:
    """Return a text with its words for a game: "six (Quintille: five)" is "five" in Quintille."""
    return re.sub(
        r"(\w+)\s\(([A-Z]\w+): (\w+)\)",
        lambda found: found[3] if found[2] == game else found[1],
        text,
    )


def _wrapped(text: str) -> Iterator[str]:
    """Yield the lines of paragraphs and lists, as wide as those of the pages."""
    for number, paragraph in enumerate(text.split("\n\n")):
        if number:
            yield ""
        for item in re.split(r"\n(?=- |\d\. )", paragraph):
            mark = re.match(r"- |\d\. |", item)
            assert mark is not None
            yield from wrap(
                " ".join(item.split()),
                WIDTH,
                subsequent_indent=" " * len(mark[0]),
                break_long_words=False,
                break_on_hyphens=False,
            )


def _symbols(text: str) -> str:
    """Write cards with symbols, CQ as ♣Q, except in `code`."""
    parts = re.split(r"(`[^`]*`)", text)
    parts[::2] = [
        re.sub(r"\b([SHDC])([AKQJT2-9])\b", lambda found: SYMBOLS[found[1]] + found[2], part)
        for part in parts[::2]
    ]
    return "".join(parts)


def _tables(rules: spadille.Rules, *heads: str) -> str:
    """Return those tables of `spadille rules` whose first column has one of these heads."""
    words = ["rules", rules.game.id, "--format", "markdown"]
    shown = CliRunner().invoke(main, words, catch_exceptions=False).output
    tables = [
        re.sub(r" +\|", " |", re.sub(r"-{3,}", "---", table)) for table in shown.split("\n\n")
    ]
    chosen = (table for table in tables if table[2:].partition(" |")[0] in heads)
    return "\n".join(f"{table.strip()}\n" for table in chosen)


def _payments(rules: spadille.Rules) -> str:
    """Return one table of the contracts: names, terms and payoffs."""
    terms, payoffs = (
        [row[2:-2].split(" | ") for row in table.split("\n") if row.startswith("| ")]
        for table in _tables(rules, "contract").strip().split("\n\n")
    )
    rows = [
        [contract, name, *term, payoff]
        for (contract, *term), (_, name, payoff) in zip(terms, payoffs, strict=True)
    ]
    head, *body = (f"| {' | '.join(row)} |\n" for row in rows)
    return "".join([head, f"|{':---|' * len(rows[0])}\n", *body])


def _options(rules: spadille.Rules) -> str:
    # Without `--rules`, the values are the defaults.
    return _tables(rules, "option").replace("| option | value |", "| option | default |")


def _live(rules: spadille.Rules) -> str:
    game = rules.game.id
    return (
        f"(On GitHub, the hand is not shown; `spadille page -o {game}.html examples/{game}.pbn` "
        "writes a page with hands to play.)\n"
    )


PARTS = {
    "seats": _seats,
    "ranking": _ranking,
    "rules": _rules,
    "payments": _payments,
    "options": _options,
    "live": _live,
}


if __name__ == "__main__":
    ArgumentParser(description=__doc__).parse_args()
    for page in sorted(PAGES.glob("*.md")):
        page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")
