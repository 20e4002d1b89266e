"""Shell completion: values for options, and fixes for bash and zsh beyond click."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
)

from spadille.base.card_text import NO_TRUMP, RANKS, SUITS
from spadille.games import all_games
from spadille.games.model.game import Game

# A plain .zshrc does not start the completion system.
_START = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"


class _Whole(ShellComplete):
    """Completes the value in `--option=value`, returning the whole word."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        items = super().get_completions(args, incomplete)
        name, equals, _ = incomplete.partition("=")
        if equals and name.startswith("--"):
            for item in items:
                if item.type == "plain":
                    item.value = f"{name}={item.value}"
        return items


@add_completion_class
class _Zsh(_Whole, ZshComplete):
    source_template = f"#compdef %(prog_name)s\n{_START}{ZshComplete.source_template}"


@add_completion_class
class _Fish(_Whole, FishComplete):
    pass


@add_completion_class
class _Bash(_Whole, BashComplete):
    """Completion in bash, which splits words at "=" and expects only the last part."""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, incomplete = super().get_completion_args()
        words: list[str] = []
        joins = False
        for word in [*args, incomplete]:
            if words and (word == "=" or joins):
                words[-1] += word
            else:
                words.append(word)
            joins = word == "="
        self.broken = "=" in (incomplete, *args[-1:])
        return words[:-1], words[-1]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        items = super().get_completions(args, incomplete)
        behind = incomplete.rfind("=") + 1
        for item in items:
            if self.broken and item.type == "plain":
                item.value = item.value[behind:]
        return items


def _games(ctx: click.Context) -> Iterable[Game]:
    """Return the games that have been named, or all games."""
    games = all_games()
    given = ctx.params
    # While an option lacks its value, click leaves the arguments in `ctx.args`. Named games come
    # before `game`, which may have its value from the environment.
    for names in (ctx.args, given.get("sources"), [given.get("play")], [given.get("game")]):
        named = [games[name.lower()] for name in names or () if name and name.lower() in games]
        if named:
            return named
    return games.values()


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the games with this prefix."""
    return [name for name in all_games() if name.startswith(incomplete)]


def complete_contract(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the matching contracts of the named game, or of all games."""
    names = dict.fromkeys(name for game in _games(ctx) for name in game.contracts)
    return [name for name in names if name.startswith(incomplete)]


def complete_seat(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the matching seats of the named game, or of all games."""
    seats = dict.fromkeys(seat for game in _games(ctx) for seat in game.seats)
    return [seat for seat in seats if seat.startswith(incomplete.upper())]


def complete_fault_code(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the fault codes with this prefix."""
    from spadille.pbn.fault_guide import explanations

    return [code for code in explanations() if code.startswith(incomplete)]


def complete_card(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the cards with this prefix."""
    cards = [suit + rank for suit in SUITS for rank in RANKS]
    return [card for card in cards if card.startswith(incomplete.upper())]


def complete_trump(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Return the trumps with this prefix."""
    return [trump for trump in (*SUITS, NO_TRUMP) if trump.startswith(incomplete.upper())]


def complete_options(ctx: click.Context, param: Any, incomplete: str) -> list[str]:
    """Return matching game options or option values; the input may contain earlier options."""
    before, semicolon, last = incomplete.rpartition(";")
    name, equals, _ = last.partition("=")
    known = [option for game in _games(ctx) for option in game.options.values()]
    if equals:
        ends = [
            f"{name}={value}" for option in known if option.name == name for value in option.values
        ]
    else:
        ends = [f"{option.name}=" for option in known]
    return [before + semicolon + end for end in dict.fromkeys(ends) if end.startswith(last)]


def complete_expression(ctx: click.Context, param: Any, incomplete: str) -> list[str]:
    """Return the functions that match the last word of a condition."""
    from spadille.generate.deals.condition_functions import FUNCTIONS

    begun = re.search(r"\w*$", incomplete)
    assert begun is not None
    before, word = incomplete[: begun.start()], begun.group()
    return [f"{before}{name}(" for name in FUNCTIONS if name.startswith(word)]
