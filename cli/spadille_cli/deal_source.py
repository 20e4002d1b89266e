"""Reading the hand files that a command is given, and reporting their faults."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import click
from click.core import ParameterSource

from spadille.base.card_languages import letters_of
from spadille.base.card_text import SUITS, parse_cards
from spadille.base.errors import CardError, SpadilleError, attempt
from spadille.base.words_for_messages import many
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.games import get_game
from spadille.pbn.entry import Entry
from spadille.pbn.evening_csv import TABLES
from spadille.pbn.hand_file import HandFile
from spadille.render.text import printable
from spadille.search.make_payoff_objective import matadors_unknown
from spadille_cli import typed_deal
from spadille_cli.case_and_answer import Case
from spadille_cli.chosen_boards import ChosenBoards
from spadille_cli.contract_options import Terms, contract_options, seats_options
from spadille_cli.exit_status import Tally
from spadille_cli.fault_reports import deal_fault, report
from spadille_cli.guarded_cases import guarded, refused
from spadille_cli.input_files import load_files, parse_options
from spadille_cli.output_files import check_regular, unwritable
from spadille_cli.shared_options import (
    CONTENT,
    DEALS,
    added,
    board_option,
    cli_option,
    collected,
    files_argument,
    game_option,
    letters_option,
    rules_option,
    usage_errors,
)
from spadille_cli.terminal_messages import complain
from spadille_cli.typed_deal import Typed


@dataclass(frozen=True, slots=True)
class Source:
    """The files on which a command works, and the options about their deals."""

    files: tuple[str, ...]
    game: str | None
    options: str
    terms: Terms
    boards: tuple[str, ...] = ()
    typed: Typed | None = None
    letters: str = "en"  # the language of the cards
    shown: bool = False  # drawn above their results
    ascii: bool = False  # suits as letters
    further: tuple[str, ...] = ()  # cards played on from the requested point
    one_evening: bool = False  # each file continues the previous one
    to_play: bool = False  # --play named the game, for new deals

    def entries(self, tally: Tally) -> Iterator[tuple[str, HandFile, Entry]]:
        """Read the deals, or only the boards in `--board`."""
        boards = ChosenBoards(self.boards)
        for name, file in self._read(tally):
            for entry in file.scan():
                if boards.take(entry.board, entry.index + 1):
                    yield name, file, entry
        boards.report_missing(tally)

    def chosen(self, entries: Iterable[Entry], tally: Tally) -> list[bool]:
        """Return which entries `--board` chose, and report boards that were not found."""
        boards = ChosenBoards(self.boards)
        taken = [boards.take(entry.board, entry.index + 1) for entry in entries]
        boards.report_missing(tally)
        return taken

    def _read(self, tally: Tally) -> Iterator[tuple[str, HandFile]]:
        if self.typed is None:
            yield from load_files(
                self.files,
                tally,
                self.game,
                self.options,
                one_evening=self.one_evening,
                letters=self.letters,
            )
        else:
            yield typed_deal.NAME, self.typed.read(parse_options(self.options))

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
        """Read all deals and report their faults; with `contracts`, each deal needs a contract.

        With `passed_out`, passed-out deals need no contract. With `optional`, deals without a
        contract are kept, but deals with a faulty contract are left out. With `seen`, hands may be
        missing, and the holder of a called card may be unknown. With `edited`, raises
        click.UsageError for a file that cannot be rewritten.
        """
        if edited and self.typed:
            raise click.UsageError("--annotate writes into a hand file, and --deal has none")
        check_regular(self.files if edited else (), "--annotate")
        for name in self.files if edited else ():
            if name.lower().endswith(TABLES):
                raise click.UsageError(
                    f"--annotate writes into a hand file, and {name!r} is not one"
                )
            if name == "-":
                raise click.UsageError("--annotate cannot write into standard input")
            if os.path.exists(name) and (place := unwritable(name)):
                raise click.UsageError(f"--annotate cannot write to {place!r}")
        cases = []
        for name, file, entry in self.entries(tally):
            blank = Case(
                *(name, file, entry, None, None, None),
                shown=self.shown,
                ascii=self.ascii,
                further=self.further,
            )
            needed = contracts and not (passed_out and self.terms.leaves_passed_out(entry))
            read = partial(self._case, blank, tally, contracts=needed, optional=optional, seen=seen)
            case = attempt(read)
            cases.append(refused(blank, case, tally) if isinstance(case, SpadilleError) else case)
        return cases

    def _case(
        self,
        blank: Case,
        tally: Tally,
        contracts: bool,
        optional: bool,
        seen: bool,
    ) -> Case:
        """Return the case and report its faults; a fault in the options is reported only once."""
        entry = blank.entry
        if seen and entry.deal and None in entry.deal.hands.values():
            case = self._seen(blank, tally)
            if case is not None:
                return case
        terms = self.terms
        faults = terms.faults(entry) if contracts else terms.deal_faults(entry)
        deal, contract, error = self._terms(entry, contracts)
        missing = error is not None and error.code == "contract-missing"
        if error is not None and not (missing and (optional or faults)):
            faults = [*faults, deal_fault(entry, error)]
        document = entry.game.document
        if error is not None and terms != Terms() and faults and faults[-1].message == str(error):
            report(blank.name, faults[:-1], tally, document)
            report(blank.name, faults[-1:], tally, document, of_options=True)
        else:
            report(blank.name, faults, tally, document)
        usable = contract is not None if contracts and not optional else deal is not None
        own = contract is not None and contract == entry.contract
        return replace(
            blank,
            deal=deal,
            contract=contract,
            error=None if usable else faults[0],
            play=entry.play,
            play_fault=next((fault for fault in entry.faults if fault.tag == "Play"), None),
            surrender=entry.surrender if own else None,
        )

    def _terms(
        self, entry: Entry, contracts: bool
    ) -> tuple[Deal | None, Contract | None, SpadilleError | None]:
        """Apply the options; return the deal, the contract, and the error if either is faulty."""
        deal = attempt(partial(self.terms.deal, entry))
        if isinstance(deal, SpadilleError):
            return None, None, deal
        if deal is None or not contracts:
            return deal, None, None
        contract = attempt(partial(self.terms.resolve, entry, deal))
        if isinstance(contract, SpadilleError):
            return deal, None, self.terms.blamed(contract)
        return deal, contract, None

    def _seen(self, case: Case, tally: Tally) -> Case | None:
        """Return the case for a record with unknown hands, or None if it cannot be used."""
        if self.terms != Terms():
            return None
        entry = case.entry
        if entry.deal is None or entry.seen_contract is None:
            return None
        report(case.name, entry.faults, tally, entry.game.document)
        fault = next((fault for fault in entry.faults if fault.tag == "Play"), None)
        return replace(
            case, deal=entry.deal, contract=entry.seen_contract, play=entry.play, play_fault=fault
        )


def source_options(
    *options: Callable[[Any], Any],
    contracts: bool = True,
    empty: bool = False,
    plays_on: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add `FILE...`, the options about deals and, with `contracts`, those about contracts.

    The command receives them all as one argument, `source`, together with `options`: `ascii_option`
    or `show_options`. With `empty`, a game in `--game` or `--play` is enough, without a deal. With
    `plays_on`, the cards in `--play` continue the play from a file.
    """
    return collected(
        "source",
        partial(_source, empty, plays_on),
        files_argument(required=False),
        *options,
        *([contract_options] if contracts else []),
        game_option,
        letters_option,
        board_option,
        _typed_options,
        _play_or_game_option if empty else _play_option,
        rules_option,
        seats_options,
    )


ascii_option = cli_option("--ascii", "Write suits as letters, not as symbols.", name="in_ascii")
show_options = added(
    CONTENT,
    cli_option("--show", "Draw each deal above its results.", name="shown"),
    ascii_option,
)
_typed_options = added(
    DEALS,
    cli_option(
        "--deal HANDS",
        "A deal instead of a file: a seat, then all hands clockwise, spades first, such as "
        "'S:QT7.A.KT7.J ...'.",
    ),
    cli_option("--talon CARDS", "With --deal: cards that were not dealt."),
)
_play_option = added(
    DEALS,
    cli_option(
        "--play CARDS",
        "With --deal: cards played, such as 'DQ D9'. The cards command also adds them to recorded "
        "play.",
    ),
)
_PLAY_OR_GAME = "--play takes a game or, with --deal, the cards played"
_play_or_game_option = added(
    DEALS,
    cli_option(
        "--play GAME",
        "Game of the new deals to play, instead of a file. With --deal: cards played so far, "
        "such as 'DQ D9'.",
        complete="game",
    ),
)


def _source(
    empty: bool,
    plays_on: bool,
    files: tuple[str, ...],
    game: str | None,
    letters: str,
    options: str,
    boards: tuple[str, ...],
    deal: str | None,
    talon: str | None,
    play: str | None,
    shown: bool = False,
    in_ascii: bool = False,
    **contract: str | None,
) -> Source:
    """Combine the options; raise click.UsageError if they contradict each other."""
    terms = Terms(**contract)
    to_play = empty and play is not None and deal is None and not files
    if to_play:
        game, play = _game_to_play(str(play), game), None
    source = Source(
        *(files, game, options, terms, boards),
        letters=letters,
        shown=shown,
        ascii=in_ascii,
        to_play=to_play,
    )
    if deal is None:
        if not files and not (empty and game):
            others = (
                "a game with --game or --play" if empty else "write a deal with --game and --deal"
            )
            raise click.UsageError(f"name a hand file, or {others}")
        if talon is not None:
            raise click.UsageError("--talon needs --deal; a hand file has its own talon")
        if play is not None and not plays_on:
            if empty:
                raise click.UsageError(f"{_PLAY_OR_GAME}, but not a file")
            hint = "'spadille cards --play' continues the play of a file"
            raise click.UsageError(f"--play needs --deal; {hint}")
        return replace(source, further=_cards(play or "", letters))
    if files:
        raise click.UsageError("--deal replaces FILE: give one or the other")
    if game is None:
        raise click.UsageError("--deal needs --game")
    parse_options(options, game)
    # The contract is read as if it came from a file, so its faults name tags.
    tags = {"Game": game, "Deal": deal, "Talon": talon, **terms.tags}
    return replace(source, terms=Terms(), typed=Typed.of(tags, play, letters))


def _game_to_play(text: str, game: str | None) -> str:
    """Return the id of the game in `--play`; raise click.UsageError if it is not a game.

    A default `game` from the environment is overridden, but another `--game` is an error.
    """
    with usage_errors(_PLAY_OR_GAME):
        named = get_game(text).id
    context = click.get_current_context()
    given = context.get_parameter_source("game") is ParameterSource.COMMANDLINE
    if given and game != named:
        raise click.UsageError(f"--play {named} and --game {game} name two games: give one")
    return named


def _cards(text: str, letters: str) -> tuple[str, ...]:
    """Read the cards of `--play`; raise click.UsageError for an invalid card."""
    written = letters_of(letters)
    try:
        return parse_cards(written.words(text) if written else text)
    except CardError as error:
        raise click.UsageError(f"--play: {error}") from error


def played_only(
    cases: Iterable[Case], *, given_up: bool = False, passed_out: bool = False
) -> Iterator[Case]:
    """Skip deals that were not played; keep faulty deals and, with `given_up`, surrendered ones.

    With `passed_out`, deals with a passed-out auction are also kept.
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
        complain(f"{printable(name)}: {many(number, 'deal')} without recorded play skipped")
    if silent and not some:
        complain("nothing to do: no file has recorded play (tag Play, one trick per line)")


def replayed(case: Case, tally: Tally) -> Case:
    """Replay the recorded play in the contract that the options name, and report its faults."""
    entry = case.entry
    own = (entry.deal, entry.contract) == (case.deal, case.contract)
    if own or case.deal is None or case.contract is None or None in case.deal.hands.values():
        return case
    play, faults = entry.replay(case.deal, case.contract)
    report(case.name, faults, tally, entry.game.document)
    return replace(case, play=play, play_fault=faults[0] if faults else None)


def warned_of_matadors(cases: Iterable[Case], tally: Tally) -> list[Case]:
    """Warn if matadors were played before an end position, which does not show who held them."""
    return [guarded(_warned_of_matadors, case, tally) for case in cases]


def _warned_of_matadors(case: Case) -> Case:
    deal, contract = case.deal, case.contract
    if deal is not None:
        side = contract.side if contract else deal.rules.seats
        trumps = [contract.trump] if contract else SUITS
        if any(matadors_unknown(deal, trump, side) for trump in trumps):
            complain(
                f"{case.name}: deal {case.entry.index + 1}: matadors have been played, and an end "
                "position does not say who was dealt them: payoffs assume nobody was"
            )
    return case
