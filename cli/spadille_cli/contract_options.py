"""The contract of a deal, from the file or replaced on the command line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

import click

from spadille.base.card_text import parse_card
from spadille.base.errors import CardError, Fault, RulesError, SpadilleError
from spadille.base.names_in_input import read_contracts, slug
from spadille.core.contract import NOBODY, Contract
from spadille.core.deal import Deal
from spadille.pbn.entry import Entry, contract_missing
from spadille.pbn.tag_names import OF_CONTRACT
from spadille_cli.shared_options import (
    CONTRACT,
    DEALS,
    SUIT,
    TRUMP,
    added,
    after_options,
    chosen_letters,
    cli_option,
    collected,
    seats,
)


@dataclass(frozen=True, slots=True)
class Terms:
    """The options about a deal and its contract; an unused option is None."""

    declarer: str | None = None
    contract: str | None = None
    trump: str | None = None
    called: str | None = None
    partner: str | None = None
    penalty: str | None = None
    dealer: str | None = None
    leader: str | None = None

    @property
    def replaces_contract(self) -> bool:
        """Whether options replace the file's contract."""
        return any(getattr(self, name) for name in _CONTRACT_TERMS)

    def leaves_passed_out(self, entry: Entry) -> bool:
        """Return whether a deal was passed out and no option names a contract for it."""
        return entry.passed_out and not self.replaces_contract

    @property
    def tags(self) -> dict[str, str | None]:
        """The options as tags of a hand file."""
        return {term.name.capitalize(): getattr(self, term.name) for term in fields(self)}

    def blamed(self, error: SpadilleError) -> SpadilleError:
        """Return a contract error with a message that names the options that caused it.

        If the error has another cause, such as a called card that the declarer holds, all options
        that name the contract are listed. A value is missing if no option gave it.
        """
        subject, _, problem = error.code.partition("-")
        if problem == "missing" or not self.replaces_contract:
            return error
        given = {name: self.tags[name.capitalize()] for name in _CONTRACT_TERMS}
        named = [name for name, value in given.items() if value]
        if subject == "seat":
            named = [name for name in named if repr(given[name]) in str(error)] or named
        return with_options(error, [subject] if subject in named else named)

    def faults(self, entry: Entry) -> list[Fault]:
        """Return the faults in an entry, except those in a contract that the options replace."""
        if self.replaces_contract:
            return self.deal_faults(entry)
        moved = self.dealer or self.leader  # the play in the file has a different leader
        faults = [fault for fault in entry.faults if not (moved and fault.tag == "Play")]
        return faults if entry.unresolved is None else [*faults, entry.unresolved]

    def deal_faults(self, entry: Entry) -> list[Fault]:
        """Return the faults in an entry outside its contract, or all faults if it has no deal."""
        if entry.deal is None:
            return entry.faults
        return [fault for fault in entry.faults if fault.tag not in OF_CONTRACT]

    def deal(self, entry: Entry) -> Deal | None:
        """Return the deal, with the dealer and leader replaced if options name them.

        Raises RulesError if the game has no such seat.
        """
        deal = entry.deal
        if deal is None:
            return None
        for option, seat in (("--dealer", self.dealer), ("--leader", self.leader)):
            if seat is not None:
                check_game_has_seat(deal, seat, option)
        if self.dealer or self.leader:
            deal = replace(
                deal, dealer=self.dealer or deal.dealer, leader=self.leader or deal.leader
            )
        return deal

    def resolve(self, entry: Entry, deal: Deal) -> Contract | None:
        """Return the contract, or None if the file's contract is faulty.

        An option replaces the tag with the same name. A new contract clears the trump, called card,
        partner and penalty suit of the old one; a new called card clears the old partner. Raises
        ContractError if there is no contract, or if it does not fit the deal.
        """
        written = entry.terms
        if written is None or not self.replaces_contract:
            if entry.contract is None and written is not None and not written.ids:
                raise contract_missing(entry)
            return entry.contract
        if self.contract:
            kinds = deal.rules.contracts
            ids, trump = read_contracts(self.contract, {key: kinds[key].name for key in kinds})
            written = Contract(written.declarers, ids, trump or "")
        return Contract.make(
            deal=deal,
            contract=written.ids,
            declarer=tuple(self.declarer.split()) if self.declarer else written.declarers,
            trump=self.trump or written.trump or None,
            called=self.called or written.called,
            partner=self.partner or (None if self.called else written.partner),
            penalty=self.penalty or written.penalty,
        )


_CONTRACT_TERMS = ("declarer", "contract", "trump", "called", "partner", "penalty")


def with_options(error: SpadilleError, names: Iterable[str]) -> SpadilleError:
    """Return an error whose message begins with these options."""
    options = [f"--{name}" for name in names]
    return type(error)(after_options(str(error), *options), error.code) if options else error


@dataclass(frozen=True, slots=True)
class Rows:
    """The contracts, seats and trumps that a command lists; None means all."""

    contracts: tuple[str, ...] | None
    seats: tuple[str, ...] | None
    trumps: tuple[str, ...] | None

    @classmethod
    def of(cls, seats: Sequence[str], contracts: Sequence[str], trumps: Sequence[str]) -> Rows:
        """Return the rows for these options."""
        return cls(tuple(contracts) or None, tuple(seats) or None, tuple(trumps) or None)

    def named_in(self, code: str) -> str:
        """Return the option to which the code of an error refers, or "" if it was not given."""
        subject = code.partition("-")[0]
        return f"--{subject}" if getattr(self, f"{subject}s", None) else ""


rows_options = collected(
    "rows",
    Rows.of,
    cli_option(
        "--seat, --declarer SEAT",
        "Only contracts of this seat; repeatable.",
        name="seats",
        type=seats,
        complete="seat",
        multiple=True,
    ),
    cli_option(
        "--contract ID",
        "Only this contract; repeatable.",
        name="contracts",
        type=slug,
        multiple=True,
        complete="contract",
    ),
    cli_option(
        "--trump SUIT",
        "Only with this trump suit; repeatable.",
        name="trumps",
        type=TRUMP,
        multiple=True,
        complete="trump",
    ),
    group=CONTRACT,
)
"""The options that choose contracts; the command receives them as `rows`."""

made_option = cli_option(
    "--made", "Only find out whether each contract makes, not how many tricks it takes; faster."
)


def read_card_option(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    """Callback: read a card in the letters of `--letters`."""
    if text is None:
        return None
    letters = chosen_letters(ctx)
    if letters is not None and (card := letters.card(text)):
        return card
    try:
        return parse_card(text)
    except CardError as error:
        raise click.BadParameter(str(error), ctx, param) from error


def _contract(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    if text is not None and not text.strip():
        raise click.BadParameter(f"{text!r} names no contract", ctx, param)
    return text


def _called(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    return text if text == NOBODY else read_card_option(ctx, param, text)


seats_options = added(
    DEALS,
    cli_option("--dealer SEAT", "Dealer.", type=seats, complete="seat"),
    cli_option(
        "--leader SEAT",
        "Player on lead at the first trick or in an end position.",
        type=seats,
        complete="seat",
    ),
)
"""The options that change the dealer or the leader."""


def _refuse(ctx: click.Context, param: click.Parameter, seat: str | None) -> None:
    if seat is not None:
        raise click.UsageError(
            f"--seat selects a player's rows, cards and decisions, and {ctx.info_name} has none to "
            f"select from: name the declarer with --declarer {seat}"
        )


refused_seat = cli_option(
    "--seat SEAT", "", hidden=True, expose_value=False, callback=_refuse, type=seats
)
"""`--seat` for commands without rows to select; its error says how to name the declarer."""


def check_game_has_seat(deal: Deal, seat: str, option: str = "--seat") -> None:
    """Raise RulesError, naming the option, if the game does not have this seat."""
    try:
        deal.rules.check_seats(seat)
    except RulesError as error:
        raise RulesError(f"{option}: {error}", error.code) from None


def check_seat(seat: str | None, terms: Terms) -> None:
    """Raise click.UsageError if `--seat` seems to name the declarer instead of `--declarer`."""
    if seat is not None and terms.contract and not terms.declarer:
        raise click.UsageError(
            "--seat selects the cards and decisions of a player: name the declarer with "
            f"--declarer {seat}"
        )


contract_options = added(
    CONTRACT,
    cli_option(
        "--declarer SEAT",
        "Declarer; for several, such as '1 3', give a contract for each: "
        "--contract 'ace-solo misere'.",
        name="declarer",
        type=seats,
        complete="seat",
    ),
    cli_option(
        "--contract ID",
        "Contract to play instead of the file's; the file's declarer is kept.",
        callback=_contract,
        complete="contract",
    ),
    cli_option("--trump SUIT", "Trump suit, or NT.", type=TRUMP, complete="trump"),
    cli_option(
        "--called CARD",
        "Card called, such as SK; - to play alone.",
        callback=_called,
        complete="card",
    ),
    cli_option("--partner SEAT", "Partner.", type=seats, complete="seat"),
    cli_option("--penalty SUIT", "Penalty suit, in Nemo.", type=SUIT),
)
"""The options that name a contract."""
