"""The contract of a deal: what the file says, and what the command line says instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from functools import wraps
from typing import Any, TypeVar

import click

from spadille.base.card_text import parse_card
from spadille.base.errors import CardError, DealError, Fault
from spadille.base.input_words import read_contracts, slug
from spadille.core.contract import NOBODY, Contract
from spadille.core.deal import Deal
from spadille.pbn.hand_file import Entry, contract_missing
from spadille.pbn.tag_names import OF_CONTRACT
from spadille_cli.shared_options import SUIT, TRUMP, added, completes, seats

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Terms:
    """What options say about a deal and its contract; None where they say nothing."""

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
        """Whether the contract is another one than the file's."""
        return any(
            (self.declarer, self.contract, self.trump, self.called, self.partner, self.penalty)
        )

    def leaves_passed_out(self, entry: Entry) -> bool:
        """Whether nobody played a deal, and no option names a contract for it."""
        return entry.passed_out and not self.replaces_contract

    @property
    def tags(self) -> dict[str, str | None]:
        """What they say as tags of a hand file."""
        return {each.name.capitalize(): getattr(self, each.name) for each in fields(self)}

    def faults(self, entry: Entry) -> list[Fault]:
        """The faults of an entry that matter: not those of a contract which is replaced."""
        if self.replaces_contract:
            return self.deal_faults(entry)
        moved = self.dealer or self.leader  # another player leads than in the play of the file
        return [fault for fault in entry.faults if not (moved and fault.tag == "Play")]

    def deal_faults(self, entry: Entry) -> list[Fault]:
        """The faults of an entry that do not concern its contract."""
        return [fault for fault in entry.faults if fault.tag not in OF_CONTRACT]

    def deal(self, entry: Entry) -> Deal | None:
        """The deal, with another dealer or leader if one is named; raises DealError."""
        deal = entry.deal
        if deal is None:
            return None
        for seat in (self.dealer, self.leader):
            if seat is not None and seat not in deal.rules.seats:
                seats = " ".join(deal.rules.seats)
                raise DealError(
                    f"{seat!r} is no seat of {deal.rules.game.name}: {seats}", "seat-unknown"
                )
        if self.dealer or self.leader:
            deal = replace(
                deal, dealer=self.dealer or deal.dealer, leader=self.leader or deal.leader
            )
        return deal

    def resolve(self, entry: Entry, deal: Deal) -> Contract | None:
        """The contract; None where that of the file is faulty. Raises ContractError.

        An option stands for the tag of its name. A new contract sets aside the trump, called
        card, partner and penalty suit of the old one, and a new called card the old partner.
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


@dataclass(frozen=True, slots=True)
class Rows:
    """Which contracts of a deal a command lists; None stands for all."""

    contracts: tuple[str, ...] | None
    seats: tuple[str, ...] | None
    trumps: tuple[str, ...] | None


def rows_options(command: Command) -> Callable[..., Any]:
    """Add the options that choose contracts; the command receives them as `rows`."""

    @wraps(command)
    def collected(**params: Any) -> Any:
        chosen = (params.pop(each.name) or None for each in fields(Rows))
        return command(rows=Rows(*chosen), **params)

    return added(
        collected,
        click.option(
            "--seat",
            "--declarer",
            "seats",
            metavar="SEAT",
            type=seats,
            multiple=True,
            help="Only contracts of this seat; may be repeated.",
        ),
        click.option(
            "--contract",
            "contracts",
            metavar="ID",
            type=slug,
            multiple=True,
            shell_complete=completes("contract"),
            help="Only this contract; may be repeated.",
        ),
        click.option(
            "--trump",
            "trumps",
            type=TRUMP,
            metavar="SUIT",
            multiple=True,
            shell_complete=completes("trump"),
            help="Only in this trump; may be repeated.",
        ),
    )


def seats_options(command: Command) -> Callable[..., Any]:
    """Add the options that change who deals or leads; the command receives them as `terms`."""
    return _collecting(command, _SEATS)


def terms_options(command: Command) -> Callable[..., Any]:
    """Add the options that name a contract, too; the command receives them all as `terms`."""
    return _collecting(command, (*_CONTRACT, *_SEATS))


def _collecting(command: Command, options: Iterable[Callable[..., Any]]) -> Callable[..., Any]:
    @wraps(command)
    def collected(**params: Any) -> Any:
        named = {each.name: params.pop(each.name) for each in fields(Terms) if each.name in params}
        return command(terms=Terms(**named), **params)

    return added(collected, *options)


def _card(ctx: click.Context, param: click.Parameter, text: str | None) -> str | None:
    try:
        return text if text in (None, NOBODY) else parse_card(text)
    except CardError as error:
        raise click.BadParameter(str(error), ctx, param) from error


_SEATS = (
    click.option("--dealer", metavar="SEAT", type=seats, help="Who dealt."),
    click.option(
        "--leader",
        metavar="SEAT",
        type=seats,
        help="Who leads, to the first trick or in an end position.",
    ),
)
_CONTRACT = (
    click.option(
        "--declarer",
        "--seat",
        "declarer",
        metavar="SEAT",
        type=seats,
        help="Who plays it; several: '1 3' with --contract 'ace-solo misere'.",
    ),
    click.option(
        "--contract",
        metavar="ID",
        shell_complete=completes("contract"),
        help="The contract; of the file's contract only the declarer counts then.",
    ),
    click.option(
        "--trump",
        type=TRUMP,
        metavar="SUIT",
        shell_complete=completes("trump"),
        help="The trump suit, or NT.",
    ),
    click.option(
        "--called",
        metavar="CARD",
        callback=_card,
        shell_complete=completes("card"),
        help="The called card, such as SK; - calls nobody.",
    ),
    click.option("--partner", metavar="SEAT", type=seats, help="The partner."),
    click.option("--penalty", type=SUIT, metavar="SUIT", help="Nemo: the penalty suit."),
)
