"""`spadille deal`: random deals with conditions, and how often conditions hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any

import click

from spadille.analysis.confidence_intervals import Interval
from spadille.analysis.evening.evening_settlement import settle
from spadille.base.card_languages import letters_of
from spadille.base.errors import SpadilleError, TooRareError
from spadille.base.names_in_input import read_seat
from spadille.base.words_for_messages import many
from spadille.games import all_games
from spadille.generate.deals.deal_search import Deals
from spadille.generate.deals.frequencies import Frequencies, Frequency
from spadille.generate.deals.random_deals import deals
from spadille.pbn.export_format import HEADER
from spadille.pbn.write_deals import following, numbered
from spadille.render.results.frequencies import drawn_heading, tables
from spadille.render.tables import Column, attributes, names_of, row_of, through
from spadille.render.text import printable
from spadille_cli.exit_status import Status, Tally
from spadille_cli.fault_reports import report
from spadille_cli.human_readable_tables import TextTable
from spadille_cli.input_files import load_files
from spadille_cli.output_files import check_no_hand_file
from spadille_cli.output_formats import Output, View, output_options
from spadille_cli.shared_options import (
    COUNT,
    DEALS,
    GroupedCommand,
    added,
    check_game,
    cli_option,
    completes,
    give_up_option,
    letters_option,
    rules_option,
    threads_option,
    usage_errors,
)
from spadille_cli.terminal_messages import complain

_FREQUENCY: tuple[Column[Frequency], ...] = (
    Column("expression", lambda row: row.expression),
    Column("by", lambda row: "; ".join(f"{name}: {value}" for name, value in row.by.items())),
    *attributes("deals", "open", "held", "share"),
    Column("low", lambda row: _end(row.interval, 0)),
    Column("high", lambda row: _end(row.interval, 1)),
    Column("counted", lambda row: row.counted),
    Column("mean", lambda row: row.mean),
    Column("mean_low", lambda row: _end(row.mean_interval, 0)),
    Column("mean_high", lambda row: _end(row.mean_interval, 1)),
    *attributes("least", "most"),
)
_NO_GOULASH = {
    "--seed": "seed",
    "--hand": "hands",
    "--shape": "shapes",
    "--turn-up": "turn_up",
    "--current-trump": "current_trump",
}
_NUMBER, _SAMPLE = 1, 1000  # default numbers: deals, and deals for --stats


def _by_seat(
    ctx: click.Context, param: click.Parameter, given: Sequence[str]
) -> dict[str, list[str]]:
    """Callback: parse SEAT=TEXT, which may be repeated."""
    texts: dict[str, list[str]] = {}
    for item in given:
        seat, equals, text = item.partition("=")
        if not equals or not text.strip():
            raise click.BadParameter(f"{item!r} is not {param.make_metavar(ctx)}", ctx, param)
        texts.setdefault(seat.strip(), []).append(text.strip())
    return texts


@click.command("deal", cls=GroupedCommand)
@click.argument(
    "game",
    required=False,
    callback=check_game,
    shell_complete=completes("game"),
    envvar="SPADILLE_GAME",
)
@added(
    DEALS,
    cli_option(
        "-n N", "Number of deals (default: 1, or 1000 with --stats).", name="number", type=COUNT
    ),
    cli_option("--seed S", "The same seed gives the same deals.", type=int),
    cli_option(
        "--hand SEAT=CARDS",
        "Cards of a hand, such as N=AK.Q..; all of them or some; repeatable.",
        name="hands",
        multiple=True,
        callback=_by_seat,
    ),
    cli_option(
        "--shape SEAT=SHAPE",
        "Suit lengths of a hand: N=5.3.x.x by suit, or N=5-4-x-x in any order.",
        name="shapes",
        multiple=True,
        callback=_by_seat,
    ),
    cli_option(
        "--where EXPR",
        'A condition, such as "trumps(N, H) >= 5"; repeatable.',
        multiple=True,
        complete="expression",
    ),
    cli_option("--dealer SEAT", "Dealer (default: every seat in turn).", complete="seat"),
    cli_option("--turn-up CARD", "Solo Whist: the card turned up, or its suit."),
    cli_option("--current-trump SUIT", "Current trump (Solo Whist, Anna Cubed).", complete="trump"),
    letters_option,
    rules_option,
    cli_option(
        "--goulash FILE",
        "Redeal the cards of FILE's last deal, which was passed out, without shuffling.",
        type=click.Path(),
    ),
    give_up_option("after a minute without a match"),
)
@cli_option(
    "--stats [EXPR]",
    "Write no deals; show how often EXPR holds, or its mean value; without EXPR, use each --where.",
    multiple=True,
    is_flag=False,
    flag_value="",
    complete="expression",
)
@cli_option(
    "--by EXPR",
    "With --stats: one row for each value of EXPR; repeatable.",
    multiple=True,
    complete="expression",
)
@threads_option
@output_options
def command(
    game: str | None,
    number: int | None,
    where: tuple[str, ...],
    stats: tuple[str, ...],
    by: tuple[str, ...],
    goulash: str | None,
    letters: str,
    output: Output,
    **given: Any,
) -> Status:
    """Deal random hands that meet conditions, or show how often conditions hold.

    Deals are written as a hand file, with each seat dealing in turn. All deals
    that meet the conditions are equally likely. Conditions on a single hand are
    counted exactly, so rare hands take no longer than others; other conditions
    are tested deal by deal, and the number of deals tested is reported. --stats
    writes no deals; it shows how often a condition holds, with a 95% confidence
    interval.

    A condition consists of functions, whole numbers, + - *, comparisons, and, or,
    not. The functions are length(SEAT, SUIT), trumps(SEAT, TRUMP), matadors,
    holds(SEAT, CARD), cards, ranks and points. strength(SEAT, CONTRACT, TRUMP)
    estimates how often the contract makes, judging by this hand alone. The
    functions tricks, makes and payoff(SEAT, CONTRACT, TRUMP) solve the deal
    double-dummy. docs/deal.md defines each of them.

    \b
    Examples:
      spadille deal mensch -n 8 --seed 1 -o mensch.pbn
      spadille deal german-solo -n 4 --where "trumps(N, H) >= 5 and holds(E, CQ)"
      spadille deal solo-whist --hand N=AKQ... --shape N=5-4-x-x
      spadille deal german-solo --where "makes(N, solo, H)" --stats
      spadille deal german-solo --stats "makes(N, solo, H)" --by "trumps(N, H)"
      spadille deal anna-cubed --goulash evening.pbn
    """
    given |= _in_english(letters, **given)
    if goulash is not None:
        others = {"-n": number, "--where": where, "--stats": stats, "--by": by}
        others |= {option: given[name] for option, name in _NO_GOULASH.items()}
        _check_goulash_alone(others)
        return _write_goulash(goulash, game, letters, given, output)
    if game is None:
        games = ", ".join(all_games())
        raise click.UsageError(f"name a game, before --stats and other options: {games}")
    asked = [text for text in stats if text]
    if stats and not asked:
        asked, where = _each_and_all(where), ()
    if by and not stats:
        raise click.UsageError("--by needs --stats")
    if not stats and output.format != "table":
        raise click.UsageError("--format needs --stats; deals are written as a hand file")
    if number is None:
        number = _SAMPLE if stats else _NUMBER
    try:
        drawn = deals(game, number, where=where, **given)
        counted = Frequencies(drawn, asked, by) if stats else None
    except SpadilleError as error:
        raise click.UsageError(_with_option(str(error), where=where, stats=asked, by=by)) from error
    tally = Tally()
    if counted is None:
        call = _written(drawn, game, number, {**given, "where": where})
        _write_deals(drawn, number, call, output, tally)
    else:
        _write_frequencies(counted, number, output, tally)
    return tally.status(fail=False)


def _check_goulash_alone(others: Mapping[str, object]) -> None:
    for name, value in others.items():
        if value not in (None, (), {}):
            raise click.UsageError(
                f"{name} cannot be combined with --goulash, which writes one deal"
            )


def _each_and_all(where: Sequence[str]) -> list[str]:
    """Return the conditions and, if there are several, also the condition that all of them hold."""
    if not where:
        raise click.UsageError("--stats needs an expression, or conditions given with --where")
    together = " and ".join(f"({condition.strip()})" for condition in where)
    return [*where, together] if len(where) > 1 else [*where]


def _in_english(
    letters: str,
    hands: Mapping[str, Sequence[str]],
    turn_up: str | None,
    current_trump: str | None,
    **_: object,
) -> dict[str, Any]:
    """Return the options that name cards or suits, translated into English letters."""
    written = letters_of(letters)
    if written is None:
        return {}

    def suit_or_card(text: str | None) -> str | None:
        return text and (written.suit(text) or written.words(text))

    return {
        "hands": {seat: [written.words(text) for text in texts] for seat, texts in hands.items()},
        "turn_up": suit_or_card(turn_up),
        "current_trump": suit_or_card(current_trump),
    }


def _write_goulash(
    path: str, game: str | None, letters: str, given: Mapping[str, Any], output: Output
) -> Status:
    check_no_hand_file(output.path, [path])
    tally = Tally()
    for _, file in load_files([path], tally, game, given["options"], letters=letters):
        entries = list(file)
        if not entries:
            tally.unusable += 1
            break
        last = entries[-1]
        *_, settled = settle(entries)
        report(path, last.faults, tally, last.game.document)
        if last.faults or settled.deal is None:
            break
        name = f"the last deal of {printable(path)}"
        if not last.passed_out:
            raise click.UsageError(f"--goulash: {name} was not passed out")
        with usage_errors(f"--goulash: {name}"):
            again = settled.deal.goulash(given["dealer"] and read_seat(given["dealer"]))
        # The output may be appended to a file, so an empty line separates it from the deals there.
        Output("pbn", output.path).write_text([following(last, again)], head=f"{HEADER}\n")
    return tally.status(fail=False)


def _with_option(message: str, **options: Iterable[str]) -> str:
    """Return the option that an error is about."""
    for name, texts in options.items():
        if any(message.startswith(repr(text.strip())) for text in texts):
            return f"--{name} {message}"
    return message


def _written(drawn: Deals, game: str, number: int, given: Mapping[str, Any]) -> str:
    """Return the command that would write the same file again."""
    words = ["spadille deal", game, f"-n {number}", f"--seed {drawn.seed}"]
    for name in ("hands", "shapes"):
        option = f"--{name[:-1]}"
        words += (
            f"{option} {quote(f'{seat}={text}')}"
            for seat, texts in given[name].items()
            for text in texts
        )
    words += (f"--where {quote(text)}" for text in given["where"])
    for name in ("dealer", "turn_up", "current_trump"):
        if given[name]:
            words.append(f"--{name.replace('_', '-')} {quote(given[name])}")
    if given["options"]:
        words.append(f"--rules {quote(given['options'])}")
    return printable(" ".join(words))


def _write_deals(drawn: Deals, number: int, call: str, output: Output, tally: Tally) -> None:
    def pieces(steps: Iterable[int]) -> Iterator[str]:
        texts, gap = numbered(drawn), ""
        try:
            for _ in steps:
                yield gap + next(texts)
                gap = "\n"
        except TooRareError as error:
            tally.unusable += 1
            complain(f"spadille: {printable(str(error))}")

    def account() -> Iterator[str]:
        lines = _account(drawn)
        if lines:
            yield "".join(["\n", *(f"% {line}\n" for line in lines)])

    with Output("pbn", output.path).progress(range(number)) as steps:
        output.write_text(pieces(steps), account(), head=f"{HEADER}% {call}\n")
    if drawn.tried:
        for line in _account(drawn):
            complain(f"spadille: {line}")


def _account(drawn: Deals) -> list[str]:
    """Describe in lines of text how the deals were drawn."""
    lines = []
    if drawn.share < 1:
        rare = f"{1 / drawn.share:,.0f}" if drawn.share < 0.01 else f"{1 / drawn.share:.3g}"
        lines.append(f"one deal in {rare} meets the conditions on single hands")
    if drawn.tried:
        lines.append(f"{many(drawn.drawn, 'deal')} drawn, {drawn.found} met all other conditions")
        lines += (
            f"{condition.held} of {condition.asked} met {printable(condition.text)}"
            for condition in drawn.tried
        )
    return lines


def _end(interval: Interval | None, place: int) -> float | None:
    return None if interval is None else interval[place]


@dataclass(frozen=True, slots=True)
class _Counted:
    """A frequency and its deals."""

    deals: Deals
    frequency: Frequency

    def to_dict(self) -> dict[str, object]:
        """Return the fields of the JSON object."""
        deals = self.deals
        common = {"game": deals.rules.game.id, "seed": deals.seed, "drawn": deals.drawn}
        return common | self.frequency.to_dict()


def _deals(row: _Counted) -> Deals:
    return row.deals


def _frequency(row: _Counted) -> Frequency:
    return row.frequency


_COUNTED: tuple[Column[_Counted], ...] = (
    Column("game", lambda row: row.deals.rules.game.id),
    *through(_deals, attributes("seed", "drawn")),
    *through(_frequency, _FREQUENCY),
)


def _write_frequencies(frequencies: Frequencies, number: int, output: Output, tally: Tally) -> None:
    def counting(steps: Iterable[int]) -> Iterator[_Counted]:
        counts = frequencies.count()
        try:
            for _ in steps:
                next(counts)
        except TooRareError as error:
            tally.unusable += 1
            complain(f"spadille: {printable(str(error))}")
        yield from ()

    def counted() -> Iterator[_Counted]:
        for row in frequencies.rows():
            yield _Counted(frequencies.deals, row)

    view = View(names_of(_COUNTED), lambda row: [row_of(_COUNTED, row)], _tables)
    with output.progress(range(number)) as steps:
        output.write(counting(steps), view, None, counted())


def _tables(rows: Iterable[_Counted]) -> Iterator[TextTable]:
    counted = list(rows)
    first, *others = tables(row.frequency for row in counted)
    yield first._replace(title=drawn_heading(counted[0].deals))
    yield from others
