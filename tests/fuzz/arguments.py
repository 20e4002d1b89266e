"""Draw command lines without hand files, and with unlikely options."""

from __future__ import annotations

import re
from random import Random

from tests.fuzz.damage import CARD, GAMES, TAG

_HUGE = ("9" * 23, "-1", "0", "1e400", "nan", "", "x", "١", "1" * 5000, "0x10", "1.5", "--")
_NAMES = ("german-solo", "mensch", "ombre", "quadrille", "quintille", "solo-whist", "squint")
_EXPRESSIONS = (
    *("trumps(N, H) >= 5 and holds(E, CQ)", "length(dealer, S) == 0", "matadors(N) > 0"),
    *("makes(N, solo, H)", "payoff(N, solo, H) >= 0", "points(N, 'A4 K3 Q2') > 9", "ranks(N, AK)"),
    *("cards(N, 'SA SK') > 1", "trumps(talon, H) == 0", "tricks(N, solo, H)", "not holds(1, SA)"),
    *("trumps(N,H)**9 > 1", "().__class__", "f'{1}'", "min(1, 2) > 0", "1/0 > 0", "[1][0]"),
    *("(" * 300 + "1" + ")" * 300, "1+" * 300 + "1>0", "9" * 300 + ">0", "\0", "# c", "print(1)"),
)
_RULES = (
    *("color=H", "matador_rule=none", "matador_rule=higher-only;color=none", "x=1", "color", ";;"),
    *(
        "rotation=cw",
        "play_to=" + "9" * 30,
        "play_to=-1",
        "pool=x",
        "color=H;color=D",
        "=",
        "a=b=c",
    ),
)
_SIGNS = ("(", ")", ",", " ", "'", '"', "S", "9", "-", "=", ".", "\0", "é", "\x1b")
_WHOLE = {
    "rules": ("rules {game} --rules {rules}", "rules {game} --trump {text} --format json"),
    "deal": (
        "deal {game} -n 2 --seed 1 --seconds 1 --where {expression}",
        "deal {game} -n 5 --seed {number} --stats {expression} --seconds 1 --format json",
        "deal {game} -n 3 --seed 1 --stats {expression} --by {expression} --seconds 1",
        "deal {game} -n {number} --stats {expression} --seconds 0.2",
        "deal {game} --hand {seat}={text} --shape {seat}={text} --seconds 1",
        "deal {game} --rules {rules} --dealer {seat} --turn-up {text}",
        "deal {text} -n 1 --current-trump {text}",
    ),
    "problems": (
        "problems {game} -n {number} --seconds 0.2 --rules {rules}",
        "problems {game} -n 1 --seconds 0.5 --contract {text} --tricks {number}",
        "problems {game} -n 1 --seconds 0.2 --difficulty {number}-{number} --seed {number}",
    ),
    "page": (
        "page --game {game} --rules {rules} -o out",
        "page --game {text} -o out",
        "page --play {text} -n 1 -o out",
    ),
    "solve": (
        "solve --game {game} --deal {deal} --declarer {seat} --contract solo --trump {text}",
        "solve --game {game} --deal {deal} --play {text} --talon {text} --contract {text}",
    ),
    "show": ("show --game {game} --deal {deal} --rules {rules} --dealer {seat}",),
    "check": ("check --game {game} --deal {deal} --talon {text}",),
    "cards": ("cards --game {game} --deal {deal} --leader {seat} --after {number}",),
    "batch status": (
        "batch status {text}",
        "batch export deals.pbn",
        "batch merge {text} --into x",
    ),
}
"""Command lines whose parts in braces are drawn."""
_OPTIONS = {
    "cards": ("--after {number}", "--trick {number}", "--where {expression} --chances"),
    "show": ("--after {number}", "--trick {number}"),
    "solve": ("--called {text}", "--partner {seat}", "--penalty {text}", "--leader {seat}"),
    "problems": ("-n {number} --seconds 0.3", "--contract {text}", "--theme {text}"),
    "batch": ("--shard {number}/{number}", "-j {number}"),
}
_COMMON = ("--game {text}", "--rules {rules}", "--board {text}", "--format {text}")


def drawn(rng: Random, only: str) -> tuple[str, ...] | None:
    """Draw a command line without hand files; return None if the command has none."""
    lines = [line for name in _WHOLE if name.startswith(only) for line in _WHOLE[name]]
    return _filled(rng.choice(lines), rng) if lines else None


def options(rng: Random, command: str) -> tuple[str, ...]:
    """Draw an option for a command that reads files."""
    return _filled(rng.choice((*_OPTIONS.get(command, ()), *_COMMON)), rng)


def _filled(line: str, rng: Random) -> tuple[str, ...]:
    part = re.compile(r"\{(\w+)\}")
    return tuple(part.sub(lambda one: _value(one[1], rng), word) for word in line.split())


def _value(kind: str, rng: Random) -> str:
    match kind:
        case "number":
            text = rng.choice(_HUGE)
        case "game":
            return rng.choice(_NAMES)
        case "seat":
            text = rng.choice(("N", "1", "5", "Z", "dealer", "1 3", ""))
        case "rules":
            text = rng.choice(_RULES)
        case "expression":
            text = rng.choice(_EXPRESSIONS)
        case "deal":
            text = rng.choice(
                [tag[2] for tag in TAG.finditer(rng.choice(GAMES)) if tag[1] == "Deal"]
            )
        case _:
            game = rng.choice(GAMES)
            values = [tag[2] for tag in TAG.finditer(game)]
            text = rng.choice([*values, *CARD.findall(game), *_HUGE])
    for _ in range(rng.choice((0, 0, 1, 1, 3))):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice((*_SIGNS, "")) + text[at + rng.randrange(2) :]
    return text.replace("\0", "")  # a character that no operating system passes on
