"""`spadille batch`: millions of deals, with their answers in a ledger."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import wraps
from time import monotonic
from typing import Any

import click

from spadille.analysis.chances.sampling_settings import Drawing
from spadille.base.errors import ArgumentError, Fault
from spadille.base.words_for_messages import many
from spadille.batch.batch_question import Job
from spadille.batch.export_ledger import FORMATS, export_ledger, write_text
from spadille.batch.fill_ledger import Progress, fill
from spadille.batch.ledger import Ledger, LedgerError, merge
from spadille.batch.workers import WorkerError, Workers
from spadille.render.text import printable
from spadille_cli.chances_options import chances_options
from spadille_cli.contract_options import Rows, made_option, rows_options
from spadille_cli.exit_status import FileError, Status, Tally
from spadille_cli.fault_reports import report_quoted, report_unreadable
from spadille_cli.input_files import check_options_in_files, parse_options
from spadille_cli.interrupt import interruption_held
from spadille_cli.output_files import check_writable, path_option
from spadille_cli.output_formats import chosen_format
from spadille_cli.shared_options import (
    LEDGER,
    GroupedCommand,
    added,
    after_options,
    called_option,
    cli_option,
    exchange_options,
    files_argument,
    game_option,
    letters_option,
    play_options,
    rules_option,
    threads_option,
)
from spadille_cli.terminal_messages import clear_progress, complain, say_progress, time_left

_PAUSE = 0.2  # seconds between updates of the progress


_CHANCES = "{} Needs --samples."


class _Group(click.Group):
    command_class = GroupedCommand


@click.group("batch", cls=_Group)
def command() -> None:
    """Solve millions of deals, and keep the answers in a ledger.

    A ledger is one SQLite file. If a run is interrupted or killed, or runs out
    of disk space, run the same command again: it solves only what is missing.
    Equal deals are solved once. Work can be split between machines (--shard,
    merge) or done by a Dask cluster (--dask).

    \b
    Examples:
      spadille batch solve deals/ --into results.db -j auto
      spadille batch status results.db
      spadille batch export results.db --format csv -o results.csv
    """


_into_option = added(
    LEDGER,
    cli_option(
        "--into LEDGER",
        "Ledger to fill; a new one is created if needed.",
        required=True,
        type=click.Path(dir_okay=False),
        callback=check_writable,
    ),
)


def _shard(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", value)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise click.BadParameter(f"{value!r} is not a shard: write 2/5 for the second of five")
    return int(match[1]), int(match[2])


_filling_options = added(
    LEDGER,
    files_argument(),
    game_option,
    letters_option,
    rules_option,
    _into_option,
    threads_option,
    cli_option(
        "--shard I/N",
        "Solve only part I of N of the deals; `merge` combines the ledgers.",
        default="1/1",
        callback=_shard,
    ),
    cli_option(
        "--dask ADDRESS",
        "Use the workers of this Dask scheduler, or 'local' to start workers here.",
    ),
)


def _filling(asked: Callable[..., Job]) -> click.Command:
    """Make a `batch` command from a function that turns its options into a job."""

    @wraps(asked)
    def in_ledger(
        files: tuple[str, ...],
        into: str,
        game: str | None,
        options: str,
        letters: str,
        shard: tuple[int, int],
        dask: str | None,
        threads: int,
        **params: Any,
    ) -> Status:
        chosen = parse_options(options)
        check_options_in_files(chosen, files, game)
        rows = Rows.of(*(params.get(name, ()) for name in ("seats", "contracts", "trumps")))
        tally = Tally()
        with _errors_as_messages():
            job = asked(**params)
            with interruption_held():  # part of a line, not readable as a message
                opened = Ledger(into, job)
            with opened as ledger, _telling() as tell:
                done = fill(
                    ledger,
                    files,
                    threads=threads,
                    workers=None if dask is None else _cluster(job, dask, threads),
                    game=game,
                    options=chosen,
                    letters=letters,
                    shard=shard,
                    tell=tell,
                    tell_fault=_fault_teller(tally, rows),
                    tell_error=_error_teller(tally),
                    holding=interruption_held,
                )
        complain(_summary(done))
        return tally.status(fail=False)

    return command.command(asked.__name__.strip("_"))(_filling_options(in_ledger))


def _cluster(job: Job, address: str, threads: int) -> Workers:
    from spadille.batch.dask_cluster import Cluster

    return Cluster(job, address, threads)


def _summary(done: Progress) -> str:
    text = f"{many(done.deals, 'deal')} read, {many(done.answered, 'question')} answered"
    if done.rate >= 1 and done.seconds >= 1:
        text += f", {done.rate:,.0f} a second"
    return f"{text}, {many(done.faulty, 'fault')}"


def _fault_teller(tally: Tally, rows: Rows) -> Callable[[str, Fault, str], None]:
    def tell(name: str, fault: Fault, line: str) -> None:
        # A fault in an answer has no tag; the options that select rows may have caused it.
        option = rows.named_in(fault.code) if fault.tag is None else ""
        named = replace(fault, message=after_options(fault.message, option))
        report_quoted(name, named, line, tally, of_options=bool(option))

    return tell


def _error_teller(tally: Tally) -> Callable[[str, OSError], None]:
    return lambda name, error: report_unreadable(name, error, tally)


@contextmanager
def _errors_as_messages() -> Iterator[None]:
    """Turn errors in a ledger, a worker or an option into messages."""
    try:
        yield
    except (LedgerError, WorkerError) as error:
        raise FileError(printable(str(error))) from error
    except ArgumentError as error:
        raise click.UsageError(printable(str(error))) from error
    except ImportError as error:
        raise click.UsageError(f"{error}: {_EXTRAS}") from error


_EXTRAS = (
    "--dask needs the dask extra, and --format parquet the parquet extra:"
    " pip install 'spadille[dask,parquet]'"
)


@contextmanager
def _telling() -> Iterator[Callable[[Progress], None] | None]:
    """Show progress on standard error if it is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    last = 0.0

    def tell(done: Progress) -> None:
        nonlocal last
        now = monotonic()
        if now - last < _PAUSE:
            return
        last = now
        parts = [f"{100 * done.share:.0f}%, {many(done.deals, 'deal')}"]
        if done.rate >= 1 and done.seconds > 1:
            parts.append(f"{done.rate:,.0f} a second")
        if done.faulty:
            parts.append(many(done.faulty, "fault"))
        if 0.001 < done.share < 1 and done.seconds > 1:
            parts.append(f"{time_left(done.seconds * (1 - done.share) / done.share)} left")
        say_progress(", ".join(parts))

    try:
        yield tell
    finally:
        clear_progress()


@_filling
@play_options
def _solve(**options: Any) -> Job:
    """Solve the contract of each deal, as `solve` does.

    \b
    Examples:
      spadille batch solve deals/ --into results.db
      spadille batch solve deals.pbn --into part2.db --shard 2/5 -j auto
    """
    return Job.of("solve", **options)


@_filling
@rows_options
@made_option
def _table(rows: Rows, made: bool) -> Job:
    """Solve every contract for every seat, as `table` does.

    \b
    Examples:
      spadille batch table deals/ --into tables.db -j auto
    """
    return Job.of("table", made=made, **asdict(rows))


@_filling
@rows_options
@called_option
@exchange_options
@chances_options(
    _CHANCES.format("Value the contracts of --seat based on its own hand and the earlier calls.")
)
def _best(rows: Rows, called: str, drawing: Drawing | None, **options: Any) -> Job:
    """Find the best contracts of each seat, as `best` does.

    \b
    Examples:
      spadille batch best deals/ --into best.db -j auto
      spadille batch best deals/ --into best.db --seat N --chances --samples 200
    """
    rows_of = asdict(rows)
    return Job.of("best", **rows_of, calls=called == "all", chances=drawing, **options)


@_filling
@cli_option("--optimum", "Also record the best cards at every step.")
@chances_options(_CHANCES.format("Also value each card based on what its player knew."))
def _review(optimum: bool, drawing: Drawing | None) -> Job:
    """Review the recorded play of each deal, as `review` does.

    Deals without recorded play are skipped.

    \b
    Examples:
      spadille batch review evenings/ --into reviews.db -j auto
    """
    return Job.of("review", every=optimum, chances=drawing)


@_filling
@chances_options(_CHANCES.format("Also show which errors the players could have avoided."))
def _score(drawing: Drawing | None) -> Job:
    """Settle each file as an evening, as `score` does.

    \b
    Examples:
      spadille batch score evenings/ --into scores.db -j auto
    """
    return Job.of("score", chances=drawing)


@command.command("merge")
@click.argument("ledgers", metavar="LEDGER...", nargs=-1, required=True, type=click.Path())
@_into_option
def _merge(ledgers: tuple[str, ...], into: str) -> None:
    """Combine ledgers that answer the same question.

    An answer that appears in several ledgers is copied only once. All ledgers must
    come from the same version of spadille.

    \b
    Examples:
      spadille batch merge part1.db part2.db --into results.db
    """
    with _errors_as_messages():
        merge(ledgers, into)


@command.command("export")
@click.argument("ledger", metavar="LEDGER", type=click.Path())
@cli_option(
    "--format",
    "Output format (default: by the extension of --output, otherwise jsonl).",
    *FORMATS,
    name="form",
    default=None,
)
@path_option
def _export(ledger: str, form: str | None, path: str) -> Status:
    """Write the answers in a ledger, sorted by file and deal.

    The output for the same deals is identical byte for byte, no matter which
    machines solved them and how often the run was interrupted. The jsonl format
    contains the command's JSON objects, without node counts and times; csv and
    parquet contain a row for each deal or, for `table`, each contract.

    \b
    Examples:
      spadille batch export results.db > results.jsonl
      spadille batch export results.db -o results.parquet
    """
    form = chosen_format(form, path, FORMATS, "jsonl")
    tally = Tally()

    def missing(number: int) -> None:
        tally.unusable += number
        complain(f"{many(number, 'deal')} without an answer left out: run the batch again")

    with _errors_as_messages(), Ledger(ledger) as opened:
        if elsewhere := opened.standing.elsewhere:
            tally.unusable += elsewhere
            complain(
                f"{many(elsewhere, 'deal')} of other shards left out: combine shards with merge"
            )
        if path == "-":
            if form == "parquet":
                raise click.UsageError("--format parquet needs a file: -o results.parquet")
            show = printable if sys.stdout.isatty() else str
            write_text(opened, form, sys.stdout, missing, show=show)
        else:
            try:
                export_ledger(opened, path, form, missing)
            except OSError as error:
                raise FileError(f"cannot write {path!r}: {error.strerror}") from error
    return tally.status(fail=False)


@command.command("status")
@click.argument("ledger", metavar="LEDGER", type=click.Path())
def _status(ledger: str) -> Status:
    """Show how complete a ledger is.

    The exit status is 1 if answers are missing.

    \b
    Examples:
      spadille batch status results.db
    """
    with _errors_as_messages(), Ledger(ledger) as opened:
        standing = opened.standing
    for name, value in (
        ("question", Job.parse(standing.job).words),
        ("engine", standing.engine),
        ("files", f"{standing.files:,}, {standing.whole:,} of them read to the end"),
        ("deals", f"{standing.deals:,}"),
        ("answered", f"{standing.answered:,}, with {many(standing.answers, 'different answer')}"),
        ("faulty", f"{standing.faulty:,}"),
        ("missing", f"{standing.missing:,}"),
        ("elsewhere", f"{standing.elsewhere:,}"),
    ):
        click.echo(f"{name:9} {printable(value)}")
    open_ = standing.missing or standing.elsewhere or standing.whole < standing.files
    return Status.FOUND if open_ else Status.DONE
