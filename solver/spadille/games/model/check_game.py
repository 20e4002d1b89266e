"""Checks that a game is consistent: its pack, rankings, contracts, bids and options."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spadille.base.card_text import RANKS, SUITS
from spadille.base.errors import RulesError
from spadille.games.model.contract_types_and_options import CALL_TIERS, ContractType
from spadille.games.model.game import Game, Rules

SEATS = (("1", "2", "3"), ("N", "E", "S", "W"), ("1", "2", "3", "4", "5"))
_ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_TRUMPS = frozenset(("any", "none", "any-or-none", "current", "not-current", "talon", *SUITS))


def check_fits_together(game: Game) -> None:
    """Raise RulesError for the first inconsistency in a game."""
    for fault in _faults(game):
        raise RulesError(f"the game {game.id!r} is inconsistent: {fault}", "game-invalid")


def _faults(game: Game) -> Iterator[str]:
    if not _ID.fullmatch(game.id):
        yield "an id must be lower-case words joined by hyphens"
    if game.seats not in SEATS:
        yield f"its seats must be one of {' / '.join(' '.join(seats) for seats in SEATS)}"
    if not game.ranks or any(rank not in RANKS for rank in game.ranks):
        yield f"its ranks must be among {RANKS}"
    dealt = len(game.seats) * game.hand_size + game.talon_size
    if dealt != len(game.deck):
        yield f"hands and talon take {dealt} cards, but its pack has {len(game.deck)}"
    if "rotation" not in game.options:
        yield "it needs an option 'rotation', cw or ccw"
        return
    for name, option in game.options.items():
        if name != option.name or not re.fullmatch(r"[a-z_]+", name):
            yield f"the option {option.name!r} is listed as {name!r}"
        option.check(option.default)
    for variants in (game.plain_variants, game.contract_variants, game.bidding_variants):
        for name, value in variants:
            if name not in game.options:
                yield f"a variant belongs to {name!r}, which is not one of its options"
            game.options[name].check(value)
    if game.held_option is not None and game.held_option not in game.options:
        yield f"it has no option {game.held_option!r}"
    for name, kind in game.contracts.items():
        yield from _contract_faults(game, name, kind)
    for bid in game.bidding.bids:
        if bid.contract not in game.contracts:
            yield f"the bid {bid.word!r} is for {bid.contract!r}, which is not one of its contracts"
    yield from _card_faults(game, Rules(game, {}))


def _contract_faults(game: Game, name: str, kind: ContractType) -> Iterator[str]:
    if name != kind.id or not _ID.fullmatch(name):
        yield f"the contract {kind.id!r} is listed as {name!r}"
    if kind.trump not in _TRUMPS:
        yield f"the trump of {name} must be one of {' '.join(sorted(_TRUMPS))}, not {kind.trump!r}"
    if not 0 <= kind.target <= game.hand_size:
        yield f"{name} needs {kind.target} tricks, but a hand has {game.hand_size}"
    if (kind.aim == "tricks") != bool(kind.target):
        yield f"the aim {kind.aim!r} of {name} does not fit its target {kind.target}"
    if kind.exchange.who != "none" and not game.talon_size:
        yield f"{name} has an exchange, but there is no talon"
    if kind.side == "called" and game.options.get("call_rank") is None:
        tiers = ", ".join(CALL_TIERS)
        yield f"{name} calls a card, so the game needs an option 'call_rank' with values {tiers}"
    if kind.trump in ("current", "not-current") and not game.current_trumps:
        yield f"the trump of {name} depends on a current trump, which the game does not have"


def _card_faults(game: Game, rules: Rules) -> Iterator[str]:
    """Yield the first fault in the rankings: a card without exactly one place under a trump."""
    for ranking in (game.trump_ranking, game.plain_ranking):
        if {*ranking} != {*SUITS}:
            yield f"a ranking must be for the suits {' '.join(SUITS)}, not {' '.join(ranking)}"
            return
    for trump in rules.trumps:
        cards = [card for suit in rules.suits(trump).values() for card in suit]
        twice = sorted({card for card in cards if cards.count(card) > 1})
        wrong = sorted({*cards} ^ {*game.deck})
        if twice or wrong:
            yield f"with {trump} as trumps, the rankings are wrong for {' '.join(twice + wrong)}"
