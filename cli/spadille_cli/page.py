"""`spadille page`: an evening as one HTML file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from functools import partial

import click

from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.errors import SpadilleError
from spadille.base.names_in_input import read_contracts
from spadille.base.words_for_messages import many
from spadille.games import rules_for
from spadille.games.model.game import Rules
from spadille.generate.deals_to_play import WantedDeals
from spadille.pages.deal_facts import DealFacts
from spadille.pages.evening_to_play import evening_to_play
from spadille.pages.page import environment, write
from spadille.pages.wasm_module import module
from spadille_cli.case_and_answer import Case
from spadille_cli.chances_options import chances_options
from spadille_cli.contract_options import Terms
from spadille_cli.deal_source import Source, source_options
from spadille_cli.evenings import Evening
from spadille_cli.exit_status import Status, Tally
from spadille_cli.output_files import check_no_hand_file, path_option
from spadille_cli.output_formats import Output
from spadille_cli.shared_options import (
    GroupedCommand,
    Whole,
    cli_option,
    color_option,
    one_evening_option,
    seats,
    threads_option,
    usage_errors,
)

MOST_FRESH = 100
USUAL_FRESH = 10


@click.command("page", cls=GroupedCommand)
@source_options(empty=True)
@cli_option("--title TEXT", "Heading of the page.", default="")
@cli_option("--quiz", "Hide the hands until the reader finds a best card or asks for the solution.")
@cli_option(
    "--print", "With --quiz: write printable sheets of questions and answers.", name="sheet"
)
@one_evening_option
@cli_option(
    "-n N",
    f"Number of new deals in an evening to play (with --play: {USUAL_FRESH} by default); "
    "--seed chooses them.",
    name="number",
    type=Whole(1, MOST_FRESH),
)
@cli_option(
    "--where EXPR",
    "With --play or -n: only deals that meet this condition, written as for deal; repeatable.",
    multiple=True,
    complete="expression",
)
@cli_option(
    "--seat SEAT",
    "With --play or -n: play from this seat unless you choose another (default: the declarer).",
    type=seats,
    complete="seat",
)
@chances_options("Also value each card based on what its player knew.", "a deal")
@threads_option
@color_option
@path_option
def command(
    source: Source,
    title: str,
    quiz: bool,
    sheet: bool,
    one_evening: bool,
    number: int | None,
    where: tuple[str, ...],
    seat: str | None,
    drawing: Drawing | None,
    threads: int,
    path: str,
) -> Status:
    """Write an evening as one self-contained HTML page.

    The page starts with the payoff of each deal and the totals of each player. For
    each deal it shows the hands, auction, contract, exchange and play, what each
    card cost and why, a table of all contracts, and the best contracts of each
    seat. The page works offline and prints one deal per sheet. Without a file,
    --game writes a page for dealing and playing hands of that game. --play writes
    an evening of new deals to play against the engine: -n sets their number, and
    --contract, --declarer, --trump and --where select them.

    \b
    Examples:
      spadille page evening.pbn -o evening.html
      spadille page --chances --seconds 5 evening.pbn -o evening.html
      spadille page --quiz evening.pbn -o quiz.html
      spadille page --quiz --print problems.pbn -o sheets.html
      spadille page --one-evening friday.pbn saturday.pbn -o weekend.html
      spadille page --game ombre -o ombre.html
      spadille page --play ombre -n 20 --seed 7 -o table.html
      spadille page --play ombre -n 5 --contract solo --declarer 1 -o solos.html
    """
    if sheet and not quiz:
        raise click.UsageError("--print makes quiz sheets: add --quiz")
    with usage_errors():
        environment()
        module()
    check_no_hand_file(path, source.files)
    output = Output("html", path)
    if path == "-" and sys.stdout.isatty():
        raise click.UsageError("a page is for a browser: name a file, such as -o evening.html")
    fresh = not source.files and source.typed is None
    if number is not None and not fresh:
        raise click.UsageError("-n deals fresh hands to play; do not name a file or a deal")
    if number is None and source.to_play:
        number = USUAL_FRESH
    if where and number is None:
        raise click.UsageError("--where needs --play or -n")
    if seat is not None and number is None:
        raise click.UsageError(
            f"--seat needs --play or -n; name the declarer with --declarer {seat}"
        )
    if not fresh:
        source = replace(source, one_evening=one_evening)
        page = partial(write, title=title, quiz=quiz, sheet=sheet)
        return _write_evening(source, drawing, threads, output, page)
    assert source.game is not None
    with usage_errors("--rules"):
        rules = rules_for(source.game, source.options)
    if number is None:
        _check_no_deals(source)
        text = write([], title=title, quiz=quiz, rules=rules)
    else:
        seed = drawing.seed if drawing else 0
        with usage_errors():
            wanted = _wanted(source, rules, where)
            text = evening_to_play(
                rules, number, seed, wanted, seat=seat, title=title, threads=threads
            )
    output.write_text([text])
    return Status.DONE


def _write_evening(
    source: Source,
    drawing: Drawing | None,
    threads: int,
    output: Output,
    page: Callable[..., str],
) -> Status:
    """Write the page of recorded deals; after an interruption, only of the finished ones."""
    tally = Tally()
    evening = Evening.of(source, tally, optional=True)
    deals: list[DealFacts] = []

    def collected(steps: Iterable[Case]) -> Iterator[str]:
        for deal in evening.facts(steps, tally, threads, drawing):
            deals.append(deal)
            yield ""

    def refuse(deal: DealFacts, error: SpadilleError) -> None:
        evening.refuse(deal.record.entry, error, tally)

    def whole() -> Iterator[str]:
        number, every = len(deals), len(evening.cases)
        note = f"Interrupted: {number} of {many(every, 'deal')}." if number < every else ""
        yield page(deals, note=note, tell_error=refuse)

    with output.progress(evening.cases) as steps:
        output.write_text(collected(steps), whole())
    return tally.status(fail=False)


def _check_no_deals(source: Source) -> None:
    """Raise UsageError if options about deals are given for a page that has no deals."""
    given = click.get_current_context().params
    if source.boards:
        raise click.UsageError("--board needs a hand file")
    for term in fields(Terms):
        if getattr(source.terms, term.name) is not None:
            raise click.UsageError(f"--{term.name} needs a hand file, a deal or -n")
    for name in ("one_evening", "chances"):
        if given.get(name):
            raise click.UsageError(f"--{name.replace('_', '-')} needs a hand file or a deal")


def _wanted(source: Source, rules: Rules, where: tuple[str, ...]) -> WantedDeals:
    """Return the deals to play; raise UsageError for options that need a deal."""
    terms, given = source.terms, click.get_current_context().params
    if source.boards:
        raise click.UsageError("--board needs a file, and the page makes new deals")
    for name in ("called", "partner", "penalty", "leader", "dealer"):
        if getattr(terms, name) is not None:
            raise click.UsageError(f"--{name} needs a deal, and the page makes new deals")
    for name in ("quiz", "one_evening", "chances"):
        if given.get(name):
            raise click.UsageError(f"--{name.replace('_', '-')} does not apply to new deals")
    contracts, trump = None, terms.trump
    if terms.contract:
        names = {key: kind.name for key, kind in rules.contracts.items()}
        contracts, named = read_contracts(terms.contract, names)
        trump = trump or named
    return WantedDeals(contracts, terms.declarer, trump, where)
