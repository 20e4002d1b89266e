"""Builds the page: one file that contains its style, script and data."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from hashlib import sha256
from itertools import chain
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING

from spadille.analysis.chances.sampling_settings import Drawing, check_drawing
from spadille.analysis.evening.evening_settlement import settle
from spadille.base.argument_checks import check_type
from spadille.base.errors import Fault, SpadilleError, attempt
from spadille.games import GAMES, rules_for
from spadille.games.model.game import Rules
from spadille.pages.belief_data import belief_tables
from spadille.pages.deal_facts import DealFacts, DealRecord, facts_of_deals
from spadille.pages.evening_view import by_evening, page_legend, player_tables
from spadille.pages.game_tables import game_tables, rules_key
from spadille.pages.page_data import data
from spadille.pages.script_bundle import loader, script
from spadille.pages.wasm_module import module, packed, packed_json
from spadille.pbn.entry import Entry
from spadille.render.tables import numeric
from spadille.search.limits import DEFAULT, Limits, check_limits

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent


def page(
    *evenings: Iterable[Entry],
    title: str = "",
    quiz: bool = False,
    sheet: bool = False,
    rules: Rules | None = None,
    drawing: Drawing | None = None,
    threads: int = 1,
    limits: Limits = DEFAULT,
) -> str:
    """Write evenings, each a hand file or some of its entries, as one page of HTML.

    `title` is the heading, by default the event of the first deal. `quiz` hides the hands until a
    question is answered; `sheet` makes printable sheets of questions and answers instead. `drawing`
    sets how layouts are sampled to separate errors from bad luck; its time limit applies to each
    deal. Without evenings, the page creates deals itself, with these `rules`. `limits` work as in
    `score`. Raises ArgumentError for an invalid evening or limit, and for a number of threads
    outside 1 to 1024.
    """
    check_limits(limits)
    check_type(title, str, "a title must be text")
    check_type(rules, (Rules, NoneType), "rules must be Rules, as returned by rules_for")
    if drawing is not None:
        check_drawing(drawing)
    records = list(chain.from_iterable(_recorded(evening) for evening in evenings))
    results = facts_of_deals(records, threads=threads, limits=limits, drawing=drawing)
    deals = [
        result
        if isinstance(result, DealFacts)
        else DealFacts.faulty(record, Fault(result.code, str(result)))
        for record, result in zip(records, results, strict=True)
    ]
    return write(deals, title=title, quiz=quiz, sheet=sheet, rules=rules)


def _recorded(evening: Iterable[Entry]) -> Iterator[DealRecord]:
    """Yield the deals of an evening with their faults; raise ArgumentError for invalid items."""
    settled = list(settle(evening))
    for entry, deal in zip(evening, settled, strict=True):
        check_type(entry, Entry, "an evening must be a hand file, or entries of one")
        faults = (*entry.findings, *deal.warnings)  # the warnings repeat some findings
        yield DealRecord(entry, deal, faults=tuple(dict.fromkeys(faults)))


def write(
    deals: Sequence[DealFacts],
    *,
    title: str = "",
    quiz: bool = False,
    play: bool | str = False,
    sheet: bool = False,
    rules: Rules | None = None,
    note: str = "",
    tell_error: Callable[[DealFacts, SpadilleError], None] | None = None,
) -> str:
    """Write the page of deals or, without deals, the page that creates deals of a game.

    With `play`, the hands are hidden until the reader has played a deal from a seat: the declarer's
    by default, or the seat that `play` names. A `note` is placed at the top. If a deal cannot be
    shown, `tell_error` is called with the deal and the error, and the page shows the error instead;
    without `tell_error`, the error is raised. Raises SpadilleError if the page engine is out of
    date.
    """
    write_page = partial(_write, title=title, quiz=quiz, play=play, rules=rules, note=note)
    if sheet:
        write_page = partial(_write_sheet, title=title, note=note)
    whole = attempt(partial(write_page, deals))
    if isinstance(whole, str):
        return whole
    if tell_error is None or not deals:
        raise whole
    shown = []
    for facts in deals:
        error = attempt(partial(write_page, [facts]))
        if isinstance(error, SpadilleError):
            tell_error(facts, error)
            facts = DealFacts.blank(facts.record, Fault(error.code, str(error)))
        shown.append(facts)
    return write_page(shown)


def _write(
    deals: Sequence[DealFacts],
    *,
    title: str,
    quiz: bool,
    play: bool | str,
    rules: Rules | None,
    note: str,
) -> str:
    style, board_style = _style("style"), _style("playing_board")
    engine, first, code = module(), loader(), script()
    evenings = by_evening(deals)
    views = [view for evening in evenings for view in evening.deals]
    problems = all(view.posed for view in views)
    page_data = data(deals, quiz=quiz, play=play, rules=rules)
    return (
        environment()
        .get_template("page.html")
        .render(
            title=title or _title(deals, rules),
            views=views,
            evenings=evenings,
            players=list(player_tables(views)),
            note=note,
            legend=page_legend(views),
            quiz=quiz and bool(views),
            play=play,
            # In a quiz, results would give away the answers.
            results_last=play or (quiz and not problems),
            policy=_policy([style, board_style], [first, code]),
            style=style,
            engine=engine,
            loader=first,
            script=_packed_script(board_style, code),
            games=_games_except(frozenset(page_data["games"])),
            data=packed_json(page_data),
            strength=_strength(deals)
            if any(deal.get("bidders") for deal in page_data["deals"])
            else "",
        )
    )


def _write_sheet(deals: Sequence[DealFacts], *, title: str, note: str) -> str:
    """Write a page without a script: the questions about the deals, and a sheet of answers."""
    style = _style("style")
    views = [view for evening in by_evening(deals) for view in evening.deals if view.quiz]
    return (
        environment()
        .get_template("sheet.html")
        .render(
            title=title or _title(deals, None),
            views=views,
            note=note,
            policy=_policy([style]),
            style=style,
        )
    )


@cache
def _style(name: str) -> str:
    """Return a style sheet without comments, and without spaces next to punctuation."""
    text = re.sub(r"/\*.*?\*/", "", (_HERE / f"{name}.css").read_text("utf-8"), flags=re.DOTALL)
    return re.sub(r"\s*([{};,>])\s*|(:)\s+", r"\1\2", text).replace(";}", "}")


@cache
def _packed_script(style: str, code: str) -> str:
    """Return the packed script, with the style for elements that only the script creates."""
    return packed_json([style, code])


def _strength(deals: Sequence[DealFacts]) -> str:
    """Return the packed strength tables for the games of the deals."""
    every = [facts.settled.deal.rules for facts in deals if facts.settled.deal is not None]
    return _packed_strength(tuple({rules_key(rules): rules for rules in every}.items()))


@cache
def _packed_strength(games: tuple[tuple[str, Rules], ...]) -> str:
    return packed(belief_tables(games))


@cache
def _games_except(own: frozenset[str]) -> str:
    """Return the packed tables of all other games, which a reader may open by link or hand file."""
    others = [rules for rules in map(rules_for, GAMES) if rules_key(rules) not in own]
    return packed_json([*map(game_tables, others)])


def _title(deals: Sequence[DealFacts], rules: Rules | None) -> str:
    """Return the title of the page: the event in the file, or the name of the game."""
    for facts in deals:
        if event := facts.record.tag("Event"):
            return event
    if rules:
        return rules.game.name
    problems = deals and all(facts.record.posed for facts in deals)
    return "Problems" if problems else "An evening of cards"


@cache
def environment() -> Environment:
    """Return the environment for the templates, which escapes all text."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from spadille.pages.markup import called, carded, cell, made, plain, suited

    templates = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    by_name = {filter_.__name__: filter_ for filter_ in (called, carded, cell, made, plain, suited)}
    templates.filters |= by_name
    templates.globals |= {"numeric": numeric, "filtered": lambda text, name: by_name[name](text)}
    return templates


def _policy(styles: Sequence[str], scripts: Sequence[str] = ()) -> str:
    """Return a policy that allows the page only its own styles, scripts, engine and pictures."""
    parts = {
        "default-src": "'none'",
        "style-src": " ".join(map(_hash, styles)),
        "script-src": " ".join([*map(_hash, scripts), "'wasm-unsafe-eval'"]),
        "worker-src": "blob:",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {what}" for name, what in parts.items())


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
