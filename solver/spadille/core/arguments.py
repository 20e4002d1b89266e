"""Check and convert the arguments of functions, which may be objects or text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spadille.base.argument_checks import check_list, check_type
from spadille.base.card_text import parse_cards
from spadille.base.errors import ArgumentError, quoted
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.dealt_cards import check_hands
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules


def contract_and_play(
    deal: Deal,
    contract: Contract | str,
    play: str | Iterable[str] = (),
    *,
    open_partner: bool = False,
) -> tuple[Contract, tuple[str, ...]]:
    """Return the contract and the cards played, parsing them if they are text.

    Text is parsed by `Contract.parse` ("N solo H") and `parse_cards` ("D9 DQ"), which may raise
    their own errors. With `open_partner`, the holder of a called card may be unknown. Raises
    ArgumentError for any other value.
    """
    check_deal(deal)
    if isinstance(contract, str):
        contract = Contract.parse(deal, contract, open_partner=open_partner)
    else:
        check_type(contract, Contract, "a contract must be a Contract or text such as 'N solo H'")
    if isinstance(play, str):
        return contract, parse_cards(play)
    if not isinstance(play, Iterable):
        raise ArgumentError(
            f"the play must be a list of cards or text such as 'D9 DQ', not {quoted(play)}"
            f"{': give its cards' * hasattr(play, 'cards')}"
        )
    cards = tuple(play)
    for card in cards:
        if not isinstance(card, str):
            raise ArgumentError(f"a card must be text such as 'D9', not {quoted(card)}")
    return contract, cards


def check_deal(deal: Any) -> None:
    """Raise ArgumentError unless the value is a Deal, and DealError unless each seat has a hand."""
    if not isinstance(deal, Deal):
        hint = "give its deal" if hasattr(deal, "deal") else "see Deal.parse"
        raise ArgumentError(f"a deal must be a Deal, not {quoted(deal)}: {hint}")
    check_hands(deal)


def auction_words(auction: str | Iterable[str] | None) -> tuple[str, ...]:
    """Return the calls of an auction, given as text ("Pass frog Pass") or as a list; `()` for None.

    Raises ArgumentError for any other value.
    """
    calls = text_or_list("calls", auction) or ()
    return tuple(calls.split()) if isinstance(calls, str) else calls


def contract_types(rules: Rules, contracts: str | Iterable[str] | None) -> list[ContractType]:
    """Return the contracts with these ids, given as text or as a list; all contracts for None."""
    if contracts is None:
        return list(rules.contracts.values())
    ids = text_or_list("contracts", contracts) or ()
    return [rules.contract(name) for name in (ids.split() if isinstance(ids, str) else ids)]


def text_or_list(name: str, given: str | Iterable[str] | None) -> str | tuple[str, ...] | None:
    """Return a string unchanged, or a list as a tuple; raise ArgumentError for any other value."""
    if given is None or isinstance(given, str):
        return given
    written = "ids such as 'frog solo'" if name == "contracts" else "text"
    check_list(given, f"{name} must be {written} or a list")
    texts = tuple(given)
    for text in texts:
        check_type(text, str, f"{name} must be {written} or a list of strings")
    return texts


def question_parts(question: Any, names: tuple[str, ...], least: int = 2) -> tuple[Any, ...]:
    """Return the parts of a question; raise ArgumentError if there are too few or too many."""
    parts = tuple(question) if isinstance(question, tuple | list) else ()
    if not least <= len(parts) <= len(names):
        wanted = ", ".join(names[:least]) + "".join(
            f" and optionally {name}" for name in names[least:]
        )
        raise ArgumentError(f"give {wanted}, not {quoted(question)}")
    return parts
