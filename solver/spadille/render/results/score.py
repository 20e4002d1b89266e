"""An evening as tables; the fields are those of `DealScore.to_dict` and `PlayerScore.to_dict`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import PurePath

from spadille.analysis.evening.game_end import standing_text
from spadille.base.input_words import signed
from spadille.render.results.common import Fields, trump_text
from spadille.render.tables import WIDTH, Row, TextTable, filled
from spadille.render.text import card_text, suit_text

LEGEND = (
    "Points or chips are what a player gained, antes included.",
    "best play   what the contract pays its declarer if nobody errs at all",
    "could have  the best-paying contract that some seat could have had",
    "missed      who could have had a contract that makes and pays him more",
    "tricks      what errors cost, where the contract counts tricks",
    "lost        what errors took from the payoff the player's side could force",
)
_KNOWN = "how many cards were what, on what their players knew"
_GAINS = ("player", "deals", "points", "chips", "money", "made", "missed")
_ERRORS = ("player", "best cards", "errors", "tricks", "lost")

_Deals = Sequence[tuple[str, Fields]]
"""The deals of an evening, each with what it is called."""


def evening_labels(deals: Sequence[tuple[str, str]]) -> list[str]:
    """Return a label for each deal of one evening, given its file and its own label.

    Where deals of several files share a label, all labels have the names of their files; deals of
    one file that share a label have their places in the evening.
    """
    named = len({*deals}) > len({label for _, label in deals})
    found = [f"{PurePath(file).name} {label}" if named else label for file, label in deals]
    shared = Counter(found)
    return [
        f"{label} (deal {place})" if shared[label] > 1 else label
        for place, label in enumerate(found, 1)
    ]


def tables(
    deals: _Deals, title: str = "", width: int = WIDTH, *, symbols: bool = False
) -> Iterator[TextTable]:
    """Yield what each deal paid, the running totals, and what could have been."""
    yield _paid(deals, title, width, symbols)
    yield _totals(deals, width)
    yield _beside(deals, symbols)


def score_legend() -> TextTable:
    """Say what the columns mean."""
    return TextTable(("what it means",), [(line,) for line in LEGEND], wraps=True)


def _names(deals: _Deals) -> list[str]:
    return list(dict.fromkeys(name for _, one in deals for name in one["names"].values()))


def _short(names: Sequence[str], room: int) -> list[str]:
    """Names as headers of columns, in so much room together."""
    most = max(room // len(names) - 2, 3)
    cut = [name[:most] for name in names]
    return cut if len(set(cut)) == len(cut) else list(names)


def _paid(deals: _Deals, title: str, width: int, symbols: bool) -> TextTable:
    """What each player gained by each deal, with the contract and how it ended."""
    names = _names(deals)
    rows = []
    for label, one in deals:
        seats = {name: seat for seat, name in one["names"].items()}
        points = one["points"] or {}
        gains = [points.get(seats[name]) if name in seats else None for name in names]
        rows.append((label, *gains, (one["pool"] or {}).get("after"), _ended(one, symbols)))
    headers, rows_ = filled(("deal", *_short(names, width - 38), "pool", "contract"), rows)
    return TextTable(headers, rows_, title, wraps=True)


def _ended(one: Fields, symbols: bool) -> str:
    if one["passed_out"]:
        return how_it_ended(one)
    names = one["names"]
    who = [names[seat] for seat in _declarers(one)]
    return f"{_contract(one, ' '.join(who), names, symbols)}: {how_it_ended(one)}"


def how_it_ended(one: Fields) -> str:
    """Say how a deal ended."""
    if one["passed_out"]:
        return "passed out"
    if one["points"] is None:
        return "not settled"
    if isinstance(one["made"], Mapping):
        return ", ".join(
            f"{one['names'][seat]} {'made' if made else 'failed'}"
            for seat, made in one["made"].items()
        )
    given, outcome = one["surrender"], str(one["outcome"])
    if given and given["taken_over"]:
        return f"surrender, {one['names'][given['taken_over']]} took over: {outcome}"
    return outcome


def _contract(one: Fields, who: str, names: Mapping[str, str], symbols: bool) -> str:
    """A contract with its players, "Anna frog D HA"."""
    called, penalty = one["called"], one["penalty"]
    helper = names.get(one["partner"])
    if called or penalty:
        helper = card_text(called, symbols) if called else suit_text(penalty, symbols)
    return " ".join(filter(None, (who, one["contract"], trump_text(one["trump"], symbols), helper)))


def _declarers(one: Fields) -> list[str]:
    declarer = one["declarer"]
    return declarer if isinstance(declarer, list) else [declarer]


def _totals(deals: _Deals, width: int) -> TextTable:
    """The running totals."""
    names = _names(deals)
    rows = []
    for label, one in deals:
        totals = {total["player"]: total["points"] for total in one["totals"]}
        over = f"{' '.join(one['over'])}: the game is over" if one["over"] else ""
        rows.append((label, *map(totals.get, names), over))
    headers, rows_ = filled(("deal", *_short(names, width - 30), ""), rows)
    return TextTable(headers, rows_, "running totals", wraps=len(headers) > len(names) + 1)


def game_end(deals: _Deals) -> Iterator[TextTable]:
    """Yield who has won the game, or how many more hands are due, where it has an end."""
    last = next((one for _, one in reversed(deals) if one["end"]), None)
    if last is not None:
        totals = {total["player"]: total["points"] for total in last["totals"]}
        yield TextTable(("the game",), [(standing_text(last["end"], totals),)], wraps=True)


def _beside(deals: _Deals, symbols: bool) -> TextTable:
    """What was paid beside what best play pays, the best contract, and the bids missed."""
    rows = []
    for label, one in deals:
        names, best = one["names"], one["best_contract"]
        had = ""
        if best is not None:
            who = names[best["declarer"]]
            had = f"{_contract(best, who, names, symbols)} {signed(best['payoff'])}"
        missed = ", ".join(names[offer["declarer"]] for offer in one["missed"])
        rows.append((label, _sides(one, "paid"), _sides(one, "best_play"), had, missed))
    headers = ("deal", "paid", "best play", "could have", "missed")
    return TextTable(headers, rows, "beside the best", wraps=True)


def _sides(one: Fields, name: str) -> str:
    """What the declarers get."""
    score = one[name]
    if score is None or one["declarer"] is None:
        return ""
    return " ".join(signed(score.get(seat)) for seat in _declarers(one))


def players(found: Iterable[Fields], width: int = WIDTH) -> Iterator[TextTable]:
    """Yield the players of each game; where there is little room their errors apart."""
    for game, group in groupby(found, lambda one: one["game"]):
        everybody = list(group)
        counted = any(one["tricks"] for one in everybody)
        gains = [
            (
                one["player"],
                one["deals"] - one["unsettled"],
                one["points"],
                one["chips"],
                _money(one["money"]),
                _of(one["made"], one["made"] + one["failed"]),
                one["missed"],
            )
            for one in everybody
        ]
        errors = [
            (
                one["player"],
                _of(one["best"], one["choices"]),
                one["errors"],
                one["tricks"] if counted else None,
                one["lost"],
            )
            for one in everybody
        ]
        both = [(*first, *then[1:]) for first, then in zip(gains, errors, strict=True)]
        one_table = filled((*_GAINS, *_ERRORS[1:]), both)
        parts = [one_table]
        if _width(*one_table) > width:
            parts = [filled(_GAINS, gains), filled(_ERRORS, errors)]
        title = f"Players, {game}"
        for headers, rows in parts:
            yield TextTable(headers, rows, title)
            title = "what errors cost them"
        judged = [one for one in everybody if one.get("verdicts")]
        if judged:
            counts = [(one["player"], *one["verdicts"].values()) for one in judged]
            yield TextTable(("player", *judged[0]["verdicts"]), counts, _KNOWN)


def _width(headers: Sequence[str], rows: Sequence[Row]) -> int:
    """Return how many columns of a terminal a table takes."""
    columns = zip(headers, *rows, strict=True)
    return sum(2 + max(len(str(cell)) for cell in column) for column in columns) - 2


def _money(amount: float | None) -> str:
    """Write an amount with two digits after the point, or more where it has more."""
    if amount is None:
        return ""
    text = f"{amount:.2f}"
    return text if float(text) == amount else str(amount)


def _of(number: int, whole: int) -> str:
    return f"{number} of {whole}" if whole else ""
