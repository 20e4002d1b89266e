"""Hand files as commands read them, and the faults they report."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from errno import EBADF
from functools import wraps
from typing import Any, Protocol, TypeVar

import click

from spadille.cards import SUITS
from spadille.errors import Fault, InternalError, RulesError, SpadilleError
from spadille.pbn.document import decode
from spadille.pbn.handfile import Entry, HandFile, load, read
from spadille.render.text import printable
from spadille.search.payoff import matadors_unknown
from spadille.words import many
from spadille_cli import typed
from spadille_cli.cases import Case, CaseRecord, common_fields
from spadille_cli.faults import report, report_unreadable
from spadille_cli.output import Record
from spadille_cli.params import added, board_option, files_argument, game_option, rules_option
from spadille_cli.saving import check_regular, unwritable
from spadille_cli.status import Tally
from spadille_cli.terminal import complain
from spadille_cli.terms import Terms, seats_options, terms_options
from spadille_cli.typed import Typed

Command = TypeVar("Command", bound=Callable[..., Any])
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Source:
    """The files a command works on, and what options say about their deals."""

    files: tuple[str, ...]
    game: str | None
    options: str
    terms: Terms
    boards: tuple[str, ...] = ()
    typed: Typed | None = None
    shown: bool = False  # drawn above their results
    ascii: bool = False  # suits as letters
    one_evening: bool = False  # each file goes on where the one before ends

    def entries(self, tally: Tally) -> Iterator[tuple[str, HandFile, Entry]]:
        """Read the deals, only those of `--board` if it is given."""
        left = set(self.boards)
        for name, file in self._read(tally):
            for entry in file.scan():
                if self._wants(entry, left):
                    yield name, file, entry
        self._unknown(left, tally)

    def chosen(self, entries: Iterable[Entry], tally: Tally) -> list[bool]:
        """Tell of deals that were read whether `--board` asks for them."""
        left = set(self.boards)
        wanted = [self._wants(entry, left) for entry in entries]
        self._unknown(left, tally)
        return wanted

    def _wants(self, entry: Entry, left: set[str]) -> bool:
        names = {f"#{entry.index + 1}", entry.board}
        left.difference_update(filter(None, names))
        return not self.boards or not names.isdisjoint(self.boards)

    def _unknown(self, left: set[str], tally: Tally) -> None:
        for board in sorted(left):
            tally.unusable += 1
            complain(f"--board {printable(board)}: no deal is called so, and none has that number")

    def _read(self, tally: Tally) -> Iterator[tuple[str, HandFile]]:
        if self.typed is None:
            yield from load_files(
                self.files, tally, self.game, self.options, one_evening=self.one_evening
            )
        else:
            yield typed.NAME, self.typed.read(parse_options(self.options))

    def cases(
        self,
        tally: Tally,
        *,
        contracts: bool = True,
        edited: bool = False,
        passed_out: bool = False,
        optional: bool = False,
        seen: bool = False,
    ) -> list[Case]:
        """Read all deals, reporting their faults; with `contracts`, each needs one.

        With `passed_out` those nobody played need none, with `optional` those need none that name
        none, and one with faults is left out. With `seen` hands may be missing, and then it need
        not be known who holds a called card. Where the files are to be `edited`, raises
        click.UsageError for one that cannot be.
        """
        if edited and self.typed:
            raise click.UsageError("--annotate writes into a hand file, and --deal is none")
        check_regular(self.files if edited else (), "--annotate")
        for name in self.files if edited else ():
            if name == "-":
                raise click.UsageError("--annotate cannot write into standard input")
            if os.path.exists(name) and (place := unwritable(name)):
                raise click.UsageError(f"--annotate cannot write to {place!r}")
        return [
            self._case(
                name,
                file,
                entry,
                tally,
                contracts and not (passed_out and self.terms.leaves_passed_out(entry)),
                optional,
                seen,
            )
            for name, file, entry in self.entries(tally)
        ]

    def _case(
        self,
        name: str,
        file: HandFile,
        entry: Entry,
        tally: Tally,
        contracts: bool,
        optional: bool,
        seen: bool,
    ) -> Case:
        terms = self.terms
        if seen and entry.deal and None in entry.deal.hands.values():
            case = self._seen(name, file, entry, tally)
            if case is not None:
                return case
        faults = terms.faults(entry) if contracts else terms.deal_faults(entry)
        deal = contract = None
        try:
            deal = terms.deal(entry)
            if deal is not None and contracts:
                contract = terms.resolve(entry, deal)
        except Exception as error:
            fault = _fault(entry, error)
            if not (fault.code == "contract-missing" and (optional or faults)):
                faults = [*faults, fault]
        report(name, faults, tally)
        usable = contract is not None if contracts and not optional else deal is not None
        first = None if usable else faults[0]
        play_fault = next((fault for fault in entry.faults if fault.tag == "Play"), None)
        own = contract is not None and contract == entry.contract
        return Case(
            name,
            file,
            entry,
            deal,
            contract,
            first,
            entry.play,
            play_fault,
            surrender=entry.surrender if own else None,
            shown=self.shown,
            ascii=self.ascii,
        )

    def _seen(self, name: str, file: HandFile, entry: Entry, tally: Tally) -> Case | None:
        """What was written down by a player who saw only some of the hands; None if that fails."""
        if self.terms != Terms():
            return None
        try:
            found = entry.seen()
        except SpadilleError:
            return None
        if found is None:
            return None
        own = [fault for fault in entry.faults if fault.tag not in ("Partner", "Play")]
        report(name, [*own, *found.faults], tally)
        fault = next(iter(found.faults), None)
        case = Case(name, file, entry, entry.deal, found.contract, None, found.play, fault)
        return replace(case, shown=self.shown, ascii=self.ascii)


def source_options(
    *, contracts: bool = True, empty: bool = False
) -> Callable[[Command], Callable[..., Any]]:
    """Add `FILE...` and the options about deals, with `contracts` those about contracts, too.

    The command receives them all as one argument, `source`. With `empty` it may be of no deal, but
    then `--game` is given.
    """

    def add(command: Command) -> Callable[..., Any]:
        @wraps(command)
        def collected(**params: Any) -> Any:
            names = ("files", "game", "options", "terms", "boards", "deal", "talon", "play")
            given = (params.pop(name) for name in names)
            return command(source=_source(*given, empty=empty), **params)

        of_deals = terms_options if contracts else seats_options
        found = board_option(_typed_options(rules_option(of_deals(collected))))
        return files_argument(required=False)(game_option(found))

    return add


def _typed_options(command: Command) -> Command:
    """Add the options that write a deal in place of a file."""
    return added(
        command,
        click.option(
            "--deal",
            metavar="HANDS",
            help="A deal in place of a file: a seat, then all hands clockwise, spades first: "
            "'S:QT7.A.KT7.J ...'.",
        ),
        click.option("--talon", metavar="CARDS", help="With --deal: the cards left over."),
        click.option(
            "--play",
            metavar="CARDS",
            help="With --deal: the cards played, in their order: 'DQ D9'.",
        ),
    )


def _source(
    files: tuple[str, ...],
    game: str | None,
    options: str,
    terms: Terms,
    boards: tuple[str, ...],
    deal: str | None,
    talon: str | None,
    play: str | None,
    *,
    empty: bool,
) -> Source:
    """Put the options together; raises click.UsageError where they do not fit together."""
    if deal is None:
        if not files and not (empty and game):
            others = "a game with --game" if empty else "write a deal with --game and --deal"
            raise click.UsageError(f"name a hand file, or {others}")
        for name, value in (("--talon", talon), ("--play", play)):
            if value is not None:
                raise click.UsageError(f"{name} goes with --deal; a file has its own")
        return Source(files, game, options, terms, boards)
    if files:
        raise click.UsageError("--deal stands for a file: name no other")
    if game is None:
        raise click.UsageError("--deal needs --game")
    # The contract goes the way of a file, too: its faults are those of tags.
    tags = {"Game": game, "Deal": deal, "Talon": talon, **terms.tags}
    return Source((), game, options, Terms(), boards, Typed(tags, play))


def load_files(
    names: Iterable[str],
    tally: Tally,
    game: str | None = None,
    options: str = "",
    *,
    one_evening: bool = False,
) -> Iterator[tuple[str, HandFile]]:
    """Read each file, `-` being standard input; one that cannot be read is reported.

    With `one_evening` the session goes on from file to file.
    """
    chosen = parse_options(options)
    last = None
    for name in names:
        try:
            if name == "-":
                if sys.stdin is None:  # closed by the caller
                    raise OSError(EBADF, "standard input is closed")
                text, encoding = decode(sys.stdin.buffer.read())
                file = read(text, game, chosen, last)
                file.encoding = encoding
            else:
                file = load(name, game, chosen, last)
        except OSError as error:
            report_unreadable(name, error, tally)
        except Exception as error:
            tally.unusable += 1
            complain(f"{printable(name)}: {printable(str(InternalError.of(error)))}")
        else:
            if not len(file):
                complain(f"no deals in {printable(name)}")
            yield name, file
            last = file if one_evening else None


def played_only(
    cases: Iterable[Case], *, given_up: bool = False, passed_out: bool = False
) -> Iterator[Case]:
    """Pass over deals that were not played, but not those `given_up`; faulty ones stay.

    With `passed_out` those stay, too, in whose auction all have passed.
    """
    silent: dict[str, int] = {}
    some = False
    for case in cases:
        over = given_up and case.entry.surrender is not None
        over = over or (passed_out and case.contract is None and bool(case.entry.calls))
        if case.error is None and "Play" not in case.entry.game.names and not over:
            silent[case.name] = silent.get(case.name, 0) + 1
        else:
            some = True
            yield case
    for name, number in silent.items():
        complain(f"{printable(name)}: {many(number, 'deal')} without recorded play passed over")
    if silent and not some:
        complain("nothing is left: the tag Play records what was played, a trick a line")


def replayed(case: Case, tally: Tally) -> Case:
    """The case with its play as it is under the contract of the options, its faults reported."""
    entry = case.entry
    own = (entry.deal, entry.contract) == (case.deal, case.contract)
    if own or case.deal is None or case.contract is None or None in case.deal.hands.values():
        return case
    play, faults = entry.replay(case.deal, case.contract)
    report(case.name, faults, tally)
    return replace(case, play=play, play_fault=faults[0] if faults else None)


def warned_of_matadors(cases: Iterable[Case], tally: Tally) -> list[Case]:
    """Say where an end position does not tell what having been dealt the matadors pays."""
    return [guarded(_warned_of_matadors, case, tally) for case in cases]


def _warned_of_matadors(case: Case) -> Case:
    deal, contract = case.deal, case.contract
    if deal is not None:
        side = contract.side if contract else deal.rules.seats
        trumps = [contract.trump] if contract else SUITS
        if any(matadors_unknown(deal, trump, side) for trump in trumps):
            complain(
                f"{case.name}: deal {case.entry.index + 1}: matadors have been played, and an end "
                "position does not say who was dealt them: payoffs count none"
            )
    return case


def answered(
    cases: Iterable[Case], results: Iterator[Found | SpadilleError], tally: Tally
) -> Iterator[tuple[Case, Found | None]]:
    """Yield each case with its result; None for a faulty one, and for one that was refused."""
    for case in cases:
        found = None
        if case.error is None:
            result = next(results)
            if isinstance(result, SpadilleError):
                case = refused(case, result, tally)
            else:
                found = result
        yield case, found


class JsonResult(Protocol):
    """A result that knows its JSON."""

    def to_dict(self) -> Record:
        """Return the fields as JSON has them."""


def records(
    cases: Iterable[Case], results: Iterator[JsonResult | SpadilleError], tally: Tally
) -> Iterator[Record]:
    """Yield each case with the fields of its result."""
    for case, result in answered(cases, results, tally):
        yield recorded(case, tally, result.to_dict if result else dict)


def recorded(case: Case, tally: Tally, fields: Callable[[], Record]) -> CaseRecord:
    """The record of a case with the fields of its command; where they fail, with that fault."""
    try:
        found = fields()
    except Exception as error:
        return common_fields(refused(case, error, tally))
    record = common_fields(case)
    record.update(found)
    return record


def refused(case: Case, error: Exception, tally: Tally) -> Case:
    """A case nothing more can be done with, reported."""
    fault, told = _fault(case.entry, error), case.play_fault
    if told is not None and (told.code, told.message) == (fault.code, fault.message):
        return replace(case, error=told)  # reported when the play was read, with its place
    report(case.name, [fault], tally)
    return replace(case, error=fault)


def guarded(step: Callable[[Case], Case], case: Case, tally: Tally) -> Case:
    """Take a step with a case; what goes wrong in it is a fault of its deal, and stops no other."""
    if case.error is not None:
        return case
    try:
        return step(case)
    except Exception as error:
        return refused(case, error, tally)


def _fault(entry: Entry, error: Exception) -> Fault:
    """An error that concerns a deal as a whole, with the place where the deal begins."""
    if not isinstance(error, SpadilleError):
        error = InternalError.of(error)
    tag = entry.game.names.get("Deal")
    start = entry.game.start if tag is None else tag.start
    line, column = entry.game.document.position(start)
    return Fault(error.code, str(error), line=line, column=column)


def parse_options(text: str) -> Mapping[str, str]:
    """Read `--rules`; raises click.UsageError for what is an option of no game."""
    from spadille.games import check_option

    options: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(";"))):
        name, equals, value = map(str.strip, part.partition("="))
        if not equals:
            raise click.UsageError(f"--rules: {part!r} is no option: write key=value")
        if name in options:
            raise click.UsageError(f"--rules: option {name!r} is given twice")
        try:
            check_option(name, value)
        except RulesError as error:
            raise click.UsageError(f"--rules: {error}") from None
        options[name] = value
    return options
