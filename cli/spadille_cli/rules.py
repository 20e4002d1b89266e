"""`spadille rules`: the rules of a game as spadille plays it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from spadille.base.card_text import NO_TRUMP, SUIT_NAMES, SUITS
from spadille.games import rules_for
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules
from spadille_cli.exit_status import Status
from spadille_cli.human_readable_tables import Row, TextTable
from spadille_cli.output_formats import Output, Record, View, output_options
from spadille_cli.shared_options import (
    TRUMP,
    GameName,
    GroupedCommand,
    check_game,
    cli_option,
    completes,
    usage_errors,
)

_DIRECTIONS = {"cw": "clockwise", "ccw": "counterclockwise"}
_SIDES = {"called": "called card", "individual": "each alone", "all": "all, each alone"}
_TRUMPS = {
    "any": "any suit",
    "any-or-none": "any suit or none",
    "not-current": "any but current",
    "talon": "top talon card",
} | SUIT_NAMES
_AIMS = {"misere": "no tricks", "most": "most tricks", "nemo": "clean tricks"}


@click.command("rules", cls=GroupedCommand)
@click.argument(
    "game",
    type=GameName(),
    metavar="GAME",
    callback=check_game,
    shell_complete=completes("game"),
    envvar="SPADILLE_GAME",
)
@cli_option("--trump SUIT", "Rank the cards for this trump only.", type=TRUMP)
@cli_option(
    "--rules OPTIONS",
    "Options of the game, as key=value;key=value.",
    name="options",
    default="",
    complete="options",
)
@output_options
def command(game: str, trump: str | None, options: str, output: Output) -> Status:
    """Print the rankings, contracts, payoffs and options of a game.

    A star marks matadors. Where sources differ, the game has an option, listed with all its values;
    use --rules to show the game with values other than the defaults.

    \b
    Examples:
      spadille rules ombre --trump H
      spadille rules german-solo --rules 'matador_rule=higher-only;color=H'
      spadille rules squint --format json
    """
    with usage_errors():
        rules = rules_for(game, options)
        trumps = rules.trumps if trump is None else (trump,)
        record = _record(rules, trumps)
    output.write([record], View(("part", "name", "attribute", "value"), _rows, _tables))
    return Status.DONE


def _record(rules: Rules, trumps: Iterable[str]) -> Record:
    game = rules.game
    return {
        "game": game.id,
        "name": game.name,
        "summary": game.summary,
        "seats": list(rules.seats),
        "rotation": rules.options["rotation"],
        "deck": list(rules.deck),
        "hand_size": game.hand_size,
        "talon_size": game.talon_size,
        "pool": game.ante or None,
        "ranking": {
            trump: {
                "suits": {suit: list(cards) for suit, cards in rules.suits(trump).items()},
                "matadors": list(rules.matadors(trump)),
            }
            for trump in trumps
        },
        "contracts": [_contract(kind) for kind in rules.contracts.values()],
        "options": [
            {
                "name": option.name,
                "value": rules.options[option.name],
                "default": option.default,
                "values": list(option.values),
                "help": option.help,
            }
            for option in game.options.values()
        ],
    }


def _contract(kind: ContractType) -> Record:
    return {
        "contract": kind.id,
        "name": kind.name,
        "side": kind.side,
        "trump": kind.trump,
        "aim": kind.aim,
        "target": kind.target,
        "leader": kind.leader,
        "payoff": kind.payoff_text,
    }


def _rows(record: Record) -> Iterator[Row]:
    for name, value in record.items():
        if name == "ranking":
            for trump, ranking in value.items():
                for suit, cards in ranking["suits"].items():
                    yield "ranking", trump, suit, " ".join(cards)
                yield "ranking", trump, "matadors", " ".join(ranking["matadors"])
        elif name in ("contracts", "options"):
            for part in value:
                first, *rest = part
                for attribute in rest:
                    content = part[attribute]
                    text = " ".join(content) if isinstance(content, list) else content
                    yield name[:-1], part[first], attribute, text
        else:
            yield (
                "game",
                record["game"],
                name,
                " ".join(value) if isinstance(value, list) else value,
            )


def _tables(records: Iterable[Record]) -> Iterator[TextTable]:
    for record in records:
        yield _facts(record)
        yield from _rankings(record)
        contracts = record["contracts"]
        yield TextTable(
            ("contract", "side", "trump", "aim", "leads"),
            [
                (
                    kind["contract"],
                    _SIDES.get(kind["side"], kind["side"]),
                    _TRUMPS.get(kind["trump"], kind["trump"]),
                    _AIMS.get(kind["aim"]) or f"{kind['target']} tricks",
                    kind["leader"],
                )
                for kind in contracts
            ],
        )
        yield TextTable(
            ("contract", "name", "payoff"),
            [(kind["contract"], kind["name"], kind["payoff"]) for kind in contracts],
            wraps=True,
        )
        yield TextTable(
            ("option", "value", "values and meaning"),
            [
                (
                    option["name"],
                    option["value"],
                    f"{' | '.join(option['values']) or 'a number'}; {option['help']}",
                )
                for option in record["options"]
            ],
            wraps=True,
        )


def _facts(record: Record) -> TextTable:
    undealt = f", {record['talon_size']} left over" if record["talon_size"] else ""
    pool = [("pool", f"{record['pool']} chips, unless Pool says otherwise")]
    return TextTable(
        ("game", record["game"]),
        [
            ("name", record["name"]),
            ("seats", f"{' '.join(record['seats'])}, play goes {_DIRECTIONS[record['rotation']]}"),
            ("pack", f"{len(record['deck'])} cards, {record['hand_size']} a hand{undealt}"),
            *(pool if record["pool"] else ()),
            ("about", record["summary"]),
        ],
        wraps=True,
    )


def _rankings(record: Record) -> Iterator[TextTable]:
    """Return one table for one trump, or tables for all trumps and plain suits."""
    ranking = record["ranking"]
    if len(ranking) == 1:
        ((trump, suits),) = ranking.items()
        trumps = SUIT_NAMES[trump] if trump == NO_TRUMP else f"{SUIT_NAMES[trump]} are trumps"
        yield TextTable(
            ("suit", f"from high to low, {trumps}"),
            [(SUIT_NAMES[suit], _marked(suits, suit)) for suit in SUITS],
        )
        return
    yield TextTable(
        ("trump", "from high to low"),
        [(SUIT_NAMES[trump], _marked(ranking[trump], trump)) for trump in SUITS],
    )
    plain = {suit: ranking["H" if suit == "S" else "S"]["suits"][suit] for suit in SUITS}
    yield TextTable(
        ("not trump", "from high to low"),
        [(SUIT_NAMES[suit], " ".join(cards)) for suit, cards in plain.items()],
    )


def _marked(ranking: Record, suit: str) -> str:
    return " ".join(card + "*" * (card in ranking["matadors"]) for card in ranking["suits"][suit])
