"""`spadille.deals`: checks the arguments and draws the deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from random import SystemRandom
from types import NoneType
from typing import TypeVar

from spadille.base.argument_checks import (
    check_texts,
    check_type,
    number_of_seconds,
    thread_count,
    whole_number,
)
from spadille.base.card_text import SUITS, parse_card
from spadille.base.errors import ArgumentError, quoted
from spadille.base.names_in_input import read_seat, read_trump
from spadille.base.words_for_messages import listed
from spadille.core.deal import Deal
from spadille.games import rules_for
from spadille.games.model.game import Game, Rules
from spadille.generate.deals.deal_conditions import Order
from spadille.generate.deals.deal_search import Deals

DealCondition = str | Callable[[Deal], bool]


Given = TypeVar("Given")


def deals(
    game: str | Game,
    number: int = 1,
    *,
    seed: int | None = None,
    hands: Mapping[str, str] | None = None,
    shapes: Mapping[str, str | Sequence[str]] | None = None,
    where: DealCondition | Sequence[DealCondition] = (),
    dealer: str | None = None,
    turn_up: str | None = None,
    current_trump: str | None = None,
    options: str | Mapping[str, str] | None = None,
    threads: int = 1,
    seconds: float = 0.0,
) -> Deals:
    """Draw random deals that meet the conditions, all equally likely.

    `hands` maps seats to their known cards ("AK.Q.."), `shapes` to their suit lengths ("5-3-3-2",
    "5+.x.x.x@H"); `where` holds conditions: strings ("trumps(N, H) >= 5") or functions of a Deal.
    Conditions on a single hand are counted exactly, so rare ones take no longer than common ones;
    all other conditions are tested deal by deal. Each seat deals in turn, unless `dealer` is given.
    In games with a current trump, it changes as well, unless `current_trump` is given. `turn_up` is
    a card or a suit. The same `seed` gives the same deals for any number of `threads`. The search
    for a deal ends after three million attempts or a minute. With `seconds`, a time limit for the
    whole search replaces the minute.

    Raises RulesError for an invalid game or option and for an unknown seat, and ArgumentError for
    conditions that are invalid or cannot be met and for arguments of the wrong type.
    """
    rules = rules_for(game, options)
    seed = None if seed is None else whole_number(seed, None, "a seed must be an integer")
    check_texts(dealer=dealer, turn_up=turn_up, current_trump=current_trump)
    number = whole_number(number, 0, "the number of deals must be 0 or more")
    threads = thread_count(threads)
    seconds = number_of_seconds(seconds)
    for given in (hands, shapes):
        check_type(given, (Mapping, NoneType), "hands and shapes must map seats to text")
    several = (where,) if isinstance(where, str) or callable(where) else where
    if not isinstance(several, Sequence) or not all(
        isinstance(o, str) or callable(o) for o in several
    ):
        raise ArgumentError(f"conditions must be text or functions of a Deal, not {quoted(where)}")
    if dealer is not None:
        dealer = read_seat(dealer)
        rules.check_seats(dealer)
    order = Order(
        rules=rules,
        dealer=dealer,
        # Deals are drawn later, so the caller's own mappings and lists must not be kept.
        hands=_copied(hands),
        shapes=_copied(shapes),
        where=[text for text in several if isinstance(text, str)],
        tests=[test for test in several if not isinstance(test, str)],
        turned=_turned(rules, turn_up, current_trump),
        current_trump=current_trump if current_trump is None else _trump(rules, current_trump),
    )
    return Deals(
        order, number, SystemRandom().getrandbits(32) if seed is None else seed, threads, seconds
    )


def _copied(texts: Mapping[str, Given] | None) -> dict[str, Given]:
    """Return a copy of a mapping from seats to strings or lists of strings."""
    return {
        seat: copy(text) if isinstance(text, list) else text for seat, text in (texts or {}).items()
    }


def _trump(rules: Rules, text: str) -> str:
    trump, allowed = read_trump(text), rules.game.current_trumps
    if trump not in allowed:
        raise ArgumentError(
            f"{text!r} cannot be the current trump of {rules.game.name}, only "
            f"{listed(allowed, 'or') or 'none'}",
            "current-trump-not-allowed",
        )
    return trump


def _turned(rules: Rules, turn_up: str | None, current_trump: str | None) -> str | None:
    """Return the card or the suit to be turned up."""
    if not rules.game.turns_up:
        if turn_up is not None:
            raise ArgumentError(f"{rules.game.name} turns up no card", "turn-up-unexpected")
        return None
    trump = None if current_trump is None else _trump(rules, current_trump)
    if turn_up is None:
        return trump
    turned = read_trump(turn_up)
    turned = turned if turned in tuple(SUITS) else parse_card(turn_up)
    if trump is not None and turned[0] != trump:
        raise ArgumentError(
            f"the card turned up is {turned}, and the current trump {trump}", "turn-up-trump"
        )
    if len(turned) == 2 and turned not in rules.deck:
        raise ArgumentError(f"{turned} is not in the pack of {rules.game.name}", "card-not-in-deck")
    return turned
