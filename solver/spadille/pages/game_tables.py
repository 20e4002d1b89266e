"""The tables that a page's script needs for a game, built from the game itself.

From these tables, the script builds the same data that `situation` and `objective_of` return for a
deal and a contract. The rules for following suit are only in the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from spadille.base.card_languages import LETTERS
from spadille.base.card_text import SUITS
from spadille.base.errors import SpadilleError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.position import REFUSALS
from spadille.games import rules_for
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules
from spadille.pages.surrender_data import surrender_payoffs, surrender_starts, surrender_table
from spadille.search.contract_objective import nemo_of
from spadille.search.encoding import encoding, situation
from spadille.search.limits import DEFAULT
from spadille.search.payoff_automata import (
    WON,
    Payoff,
    TrickStates,
    most,
    most_states,
    nemo,
    nemo_states,
    own_first,
)
from spadille.search.surrender_value import is_counted

# The values tried for an option that is a whole number.
_NUMBERS = ("0", "7")
# The aims whose payoffs need the separate trick counts of several players.
_AUTOMATA = ("most", "nemo")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_REFUSALS = {refusal.number: refusal.message for refusal in REFUSALS}


def game_tables(rules: Rules) -> dict[str, Any]:
    """Return a game with its options: seats, suits in each trump, contracts, payoffs."""
    return {
        **_play_tables(rules),
        "name": rules.game.name,
        "rules": rules.text,
        "alike": alike(rules),
        "matadorNames": rules.game.matador_names,
        "payoffs": payoffs(rules),
        "refusals": _REFUSALS,
        "hardNodes": DEFAULT.hard_nodes,
        "letters": _letters(),
    }


@cache
def _play_tables(rules: Rules) -> dict[str, Any]:
    """Return the parts of the rules that affect the play: seats, suits by trump, contracts."""
    game = rules.game
    return {
        "id": game.id,
        "seats": rules.seats,
        "order": rules.turn_order,
        "size": game.hand_size,
        "deck": rules.deck,
        "suits": {trump or "": _encoding(rules, trump) for trump in (None, *rules.trumps)},
        "following": list(map(int, rules.following)),
        "duty": rules.called_card_duty == "first-lead",
        "contracts": [_contract(rules, kind) for kind in rules.contracts.values()],
        "passesOn": game.passes_on,
    }


@cache
def alike(rules: Rules) -> list[str]:
    """List the options with no effect on the tables of a game, such as those about bids.

    Only the payoffs of complete hands are compared.
    """
    return [
        name
        for name, option in rules.game.options.items()
        if all(
            _same(rules, rules_for(rules.game, {**rules.options, name: value}))
            for value in option.values or _NUMBERS
        )
    ]


def _same(rules: Rules, other: Rules) -> bool:
    """Return whether the tables are the same under two sets of rules."""
    return _play_tables(rules) == _play_tables(other) and all(
        _first_payoff(rules, kind, rules.game.hand_size)
        == _first_payoff(other, kind, rules.game.hand_size)
        for kind in rules.contracts.values()
        if kind.aim in _AUTOMATA
    )


def _letters() -> list[dict[str, str]]:
    """List the one-letter names of ranks in other languages, by language."""
    return [
        {
            letter: rank
            for rank, ways in letters.ranks.items()
            for letter in ways
            if len(letter) == 1 and letter != rank
        }
        for letters in LETTERS.values()
    ]


def deal_tables(deal: Deal) -> dict[str, Any]:
    """Return all parts of a deal that affect play, except the hands and the dealer."""
    rules = deal.rules
    tables: dict[str, Any] = {
        "rules": rules_key(rules),
        "dealer": deal.dealer,
        "currentTrump": deal.current_trump,
        "trumps": {kind.id: rules.allowed_trumps(kind, deal) for kind in rules.contracts.values()},
    }
    if deal.is_ending:
        tables |= {"leader": deal.leader, "won": deal.won}
        if deal.won:
            tables |= {"starts": _starts(deal), "surrenderStarts": surrender_starts(deal)}
    if deal.pool is not None:
        tables["surrenders"] = {
            kind.id: surrender_payoffs(rules, kind, deal.pool)
            for kind in rules.contracts.values()
            if is_counted(rules, kind)
        }
    return tables


def rules_key(rules: Rules) -> str:
    """Return a key for the rules of a deal; different rules have different keys."""
    return f"{rules.game.id} {rules.text}".strip()


@cache
def payoffs(rules: Rules) -> dict[str, dict[str, Any]]:
    """Return the payoffs of contracts that need separate trick counts of several players.

    For each contract, the result says how its states count tricks (`TrickStates`), and has the
    payoffs of the final states after a hand of one trick, of two tricks, and so on. The counts are
    listed once for each player, with that player first.
    """
    by_kind: dict[str, dict[str, Any]] = {}
    for kind in rules.contracts.values():
        if kind.aim in _AUTOMATA:
            ends = [
                _first_payoff(rules, kind, tricks + 1) for tricks in range(rules.game.hand_size)
            ]
            states = _states(rules, kind)
            by_kind[kind.id] = {"raises": states.raises, "most": states.most, "ends": ends}
    return by_kind


def _states(rules: Rules, kind: ContractType) -> TrickStates:
    return (most_states if kind.aim == "most" else nemo_states)(len(rules.seats))


def _first_payoff(rules: Rules, kind: ContractType, tricks: int) -> dict[str, Any]:
    """Return the first player's payoff for this number of tricks."""
    start = _states(rules, kind).start
    if kind.aim == "most":
        return _payoff(most(rules, kind.id, rules.turn_order[0], tricks, start))
    clean, dirty = start
    return _payoff(nemo(rules, kind.id, tricks, 0, (clean, dirty), 1))


def _starts(deal: Deal) -> dict[str, dict[str, Any]]:
    """Return the initial states of end positions, by contract and seat (in Nemo, by suit).

    If a state is unknown, its entry says why.
    """
    rules = deal.rules
    won = [deal.won.get(seat, 0) for seat in rules.turn_order]
    starts: dict[str, dict[str, Any]] = {}
    for kind in rules.contracts.values():
        for own, seat in enumerate(rules.turn_order):
            if kind.aim == "most":
                start: Any = {"": own_first(own, won)}
            elif kind.aim == "nemo":
                start = {suit: _nemo_start(deal, kind, seat, suit) for suit in SUITS}
            else:
                continue
            starts.setdefault(kind.id, {})[seat] = start
    return starts


def _nemo_start(deal: Deal, kind: ContractType, seat: str, penalty: str) -> tuple[int, ...] | str:
    seats = deal.rules.seats
    trump = deal.rules.allowed_trumps(kind, deal)[0]
    contract = Contract(seats, (kind.id,) * len(seats), trump, penalty=penalty)
    try:
        start: tuple[int, ...] = nemo_of(contract, situation(deal, contract), seat).states[-1][0]
    except SpadilleError as error:
        return str(error)
    return start


def _encoding(rules: Rules, trump: str | None) -> dict[str, Any]:
    """Return the engine's numbers for cards and suits in one trump (None: still open)."""
    code = encoding(rules, trump)
    lanes = sorted(code.lanes, key=code.lanes.__getitem__)
    suits = rules.suits(trump)
    return {
        "trump": code.trump,
        "lanes": "".join(lanes),
        # Cards are listed by lane and from high to low.
        "numbers": {card: code.numbers[card] for suit in lanes for card in suits[suit]},
        # The trumps with a privilege, and the game's highest trumps.
        "privileged": code.cards(code.matadors),
        "matadors": rules.matadors(trump),
    }


@dataclass(frozen=True, slots=True)
class _NoDeal:
    """A deal in which only the current trump is known."""

    current_trump: str | None
    talon: tuple[str, ...] = ()
    talon_ordered: bool = False


def _contract(rules: Rules, kind: ContractType) -> dict[str, Any]:
    goes_on = rules.may_go_on(kind)
    return {
        "id": kind.id,
        "name": kind.name,
        "side": kind.side,
        "aim": kind.aim,
        "target": kind.target,
        "leader": kind.leader,
        # The allowed trumps, for each current trump that a deal may have.
        "trumps": {
            trump or "": rules.allowed_trumps(kind, cast(Any, _NoDeal(trump)))
            for trump in (None, *rules.game.current_trumps)
        },
        "late": kind.trump_late,
        "inARow": _in_a_row(rules, kind) if goes_on or kind.ends_when_lost else None,
        "runAlone": kind.run_alone,
        "goesOn": goes_on,
        "holder": kind.holder,
        "mayCall": kind.may_call,
        "calls": _calls(rules, kind) if kind.side == "called" else None,
        "surrender": surrender_table(rules, kind),
        "exposedAfter": kind.exposed_after,
    }


def _in_a_row(rules: Rules, kind: ContractType) -> dict[str, Any]:
    """Return what follows from winning each possible number of first tricks in a row.

    `ends` says whether the hand ends if the next trick is lost; `goesOn` says whether playing
    another card means going on for all tricks. In an end position, both are unknown unless the
    record accounts for `all` tricks.
    """
    size, goes_on = rules.game.hand_size, rules.may_go_on(kind)
    own, other = rules.turn_order[:2]
    contract = Contract((own,), (kind.id,), None)
    ends = [
        rules.lost_at(
            contract, dict.fromkeys(rules.seats, 0), [own] * won + [other], size - won - 1
        )
        is not None
        for won in range(size)
    ]
    return {
        "all": bool(goes_on),
        "ends": [*ends, False],
        "goesOn": [goes_on and won >= kind.first_run for won in range(size + 1)],
    }


def _calls(rules: Rules, kind: ContractType) -> dict[str, list[list[tuple[str, str]]]]:
    """Return the cards that may be called in each trump, tier by tier.

    With each card comes the suit in which the caller must hold a card, or "" if any hand may call
    it.
    """
    needs = rules.game.call_needs_suit
    return {
        trump: [
            [(card, rules.suit_of(trump)[card] if needs else "") for card in tier]
            for tier in rules.call_tiers(trump, kind)
        ]
        for trump in rules.trumps
    }


def _payoff(payoff: Payoff) -> dict[str, Any]:
    names = [payoff.named(value) for value in payoff.grades]
    return {
        "guess": payoff.guess,
        "finals": "".join([_DIGITS[value] for value in payoff.finals]),
        "count": len(payoff.values),
        "terms": payoff.terms,
        "grades": payoff.grades,
        # The name of each grade, and whether it makes the contract.
        "names": [(name, name in WON if isinstance(name, str) else name > 0) for name in names],
    }
