"""What the script of a page must know of a game, from the game's own tables.

The script composes of them what `situation` and `objective_of` make of a deal and a contract; the
rules of following stand in the engine alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from spadille.deal import Deal
from spadille.parts import CALL_TIERS, ContractType
from spadille.rules import Rules
from spadille.search.encoding import encoding
from spadille.search.payoffs import WON, Payoff, most, nemo

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def game_tables(rules: Rules) -> dict[str, Any]:
    """Return a game with its options: seats, suits in each trump, contracts, payoffs."""
    game = rules.game
    *_, rule, trigger, mixed, _, lead, early = encoding(rules, None).problem_of((), 0, (), -1)
    won = (0,) * len(rules.seats)
    return {
        "id": game.id,
        "name": game.name,
        "rules": rules.text,
        "seats": rules.seats,
        "order": rules.turn_order,
        "size": game.hand_size,
        "deck": rules.deck,
        # By lane, and from high to low.
        "suits": {trump or "": _lanes(rules, trump) for trump in (None, *rules.trumps)},
        "matadors": game.matadors if rules.matador_rule != "none" else 0,
        "matadorNames": game.matador_names,
        "follow": (rule, trigger, mixed, lead, early),
        "duty": rules.called_card_duty == "first-lead",
        "contracts": [_contract(rules, kind) for kind in rules.contracts.values()],
        "payoffs": payoffs(rules, game.hand_size, won),
    }


def deal_tables(deal: Deal) -> dict[str, Any]:
    """Return what of a deal bears on its play, beside the hands and who deals."""
    rules = deal.rules
    found: dict[str, Any] = {
        "rules": rules_key(rules),
        "dealer": deal.dealer,
        "currentTrump": deal.current_trump,
        "trumps": {kind.id: rules.allowed_trumps(kind, deal) for kind in rules.contracts.values()},
    }
    if deal.is_ending:
        won = [(deal.won or {}).get(seat, 0) for seat in rules.turn_order]
        tricks = len(next(iter(deal.playing_hands().values())) or ())
        found |= {"leader": deal.leader, "won": deal.won}
        found |= {"payoffs": payoffs(rules, tricks, won)}
    return found


def rules_key(rules: Rules) -> str:
    """Return what tells the rules of a deal from those of others on a page."""
    return f"{rules.game.id} {rules.text}".strip()


def payoffs(rules: Rules, tricks: int, won: Sequence[int]) -> dict[str, dict[str, Any]]:
    """Return what the contracts pay that a number of tricks does not tell, by contract and seat.

    `won` are the tricks so far, in order of play, and so many more are to be played.
    """
    found: dict[str, dict[str, Any]] = {}
    for kind in rules.contracts.values():
        if kind.aim == "most":
            found[kind.id] = {
                seat: _payoff(most(rules, kind.id, seat, tricks, tuple(won)))
                for seat in rules.turn_order
            }
        elif kind.aim == "nemo":
            found[kind.id] = {
                seat: _payoff(nemo(rules, kind.id, tricks, own, (won[own], False), 1))
                for own, seat in enumerate(rules.turn_order)
            }
    return found


def _lanes(rules: Rules, trump: str | None) -> list[tuple[str, tuple[str, ...]]]:
    suits = rules.suits(trump)
    lanes = encoding(rules, trump).lanes
    return [(suit, suits[suit]) for suit in sorted(lanes, key=lanes.__getitem__)]


@dataclass(frozen=True, slots=True)
class _NoDeal:
    """A deal of which no more is known than its current trump."""

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
        # By the current trump of the deal.
        "trumps": {
            trump or "": rules.allowed_trumps(kind, cast(Any, _NoDeal(trump)))
            for trump in (None, *rules.game.current_trumps)
        },
        "late": kind.trump_late,
        "run": kind.first_run if goes_on else 0,
        "runAlone": kind.run_alone,
        "goesOn": goes_on,
        "endsWhenLost": kind.ends_when_lost,
        "holder": kind.holder,
        "mayCall": kind.may_call,
        "calls": _calls(rules, kind) if kind.side == "called" else None,
    }


def _calls(rules: Rules, kind: ContractType) -> dict[str, Any]:
    return {
        "ranks": CALL_TIERS[rules.options["call_rank"]],
        "trumps": rules.trumps_callable(kind),
        "needsSuit": rules.game.call_needs_suit,
    }


def _payoff(payoff: Payoff) -> dict[str, Any]:
    names = [payoff.named(value) for value in range(len(payoff.values))]
    return {
        "guess": payoff.guess,
        "finals": "".join([_DIGITS[value] for value in payoff.finals]),
        "grades": payoff.grades,
        "terms": payoff.terms,
        # What a value is called, and whether it makes the contract.
        "values": [(name, name in WON if isinstance(name, str) else name > 0) for name in names],
    }
