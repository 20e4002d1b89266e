"""`spadille page`: an evening as one HTML file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace

import click

from spadille.analysis.chances.sampling_plan import Drawing
from spadille.base.errors import SpadilleError
from spadille.base.input_words import many
from spadille.games import rules_for
from spadille.pages.deal_facts import DealFacts
from spadille.pages.evening_to_play import evening_to_play
from spadille.pages.page import environment, write
from spadille.pages.wasm_module import module
from spadille_cli.chances_options import chances_options
from spadille_cli.contract_options import refused_seat
from spadille_cli.deal_records import Case
from spadille_cli.deal_source import Source, source_options
from spadille_cli.evenings import Evening
from spadille_cli.faults import Status, Tally
from spadille_cli.output_files import check_no_hand_file, path_option
from spadille_cli.output_formats import Output
from spadille_cli.shared_options import (
    GroupedCommand,
    Whole,
    cli_option,
    color_option,
    one_evening_option,
    threads_option,
)

MOST_FRESH = 100


@click.command("page", cls=GroupedCommand)
@source_options(empty=True)
@refused_seat
@cli_option("--title TEXT", "Heading of the page.", default="")
@cli_option("--quiz", "Hide the hands until the reader answers a question.")
@cli_option(
    "--print", "With --quiz: write printable sheets of questions and answers.", name="sheet"
)
@one_evening_option
@cli_option(
    "-n N",
    "With --game alone: an evening of N new deals to play from one seat; --seed chooses them.",
    name="number",
    type=Whole(1, MOST_FRESH),
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
    drawing: Drawing | None,
    threads: int,
    path: str,
) -> Status:
    """Write an evening as one self-contained HTML page.

    The page starts with the payoff of each deal and the totals of each player. For
    each deal it shows the hands, auction, contract, exchange and play, what each
    card cost and why, a table of all contracts, and the best contracts of each
    seat. The page works offline and prints one deal per sheet. Without a file,
    --game writes a page for dealing and playing hands of that game; with -n, it has
    an evening of new deals to play against the engine.

    \b
    Examples:
      spadille page evening.pbn -o evening.html
      spadille page --chances --seconds 5 evening.pbn -o evening.html
      spadille page --quiz evening.pbn -o quiz.html
      spadille page --quiz --print problems.pbn -o sheets.html
      spadille page --one-evening friday.pbn saturday.pbn -o weekend.html
      spadille page --game ombre -o ombre.html
      spadille page --game ombre -n 20 --seed 7 -o table.html
    """
    if sheet and not quiz:
        raise click.UsageError("--print makes quiz sheets: add --quiz")
    try:
        environment()
        module()
    except SpadilleError as error:
        raise click.UsageError(str(error)) from error
    check_no_hand_file(path, source.files)
    tally = Tally()
    output = Output("html", path)
    if path == "-" and sys.stdout.isatty():
        raise click.UsageError("a page is for a browser: name a file, such as -o evening.html")
    fresh = not source.files and source.typed is None
    if number is not None and not fresh:
        raise click.UsageError("-n deals fresh hands to play; do not name a file or a deal")
    if fresh:
        assert source.game is not None
        try:
            rules = rules_for(source.game, source.options)
        except SpadilleError as error:
            raise click.UsageError(f"--rules: {error}") from error
        if number is None:
            text = write([], title=title, quiz=quiz, rules=rules)
        else:
            seed = drawing.seed if drawing else 0
            text = evening_to_play(rules, number, seed, title, threads)
        output.write_text([text])
        return tally.status(fail=False)
    evening = Evening.of(replace(source, one_evening=one_evening), tally, optional=True)
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
        yield write(deals, title=title, quiz=quiz, sheet=sheet, note=note, tell_error=refuse)

    with output.progress(evening.cases) as steps:
        output.write_text(collected(steps), whole())
    return tally.status(fail=False)
