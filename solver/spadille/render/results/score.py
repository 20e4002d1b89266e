"""An evening as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import PurePath

from spadille.analysis.contracts.best_result import Offer
from spadille.analysis.evening.deal_score import DealScore
from spadille.analysis.evening.deal_settlement import Settled
from spadille.analysis.evening.game_end import standing_text
from spadille.analysis.evening.score import PlayerScore
from spadille.analysis.review.card_costs import NO_BELIEFS
from spadille.base.words_for_messages import listed, many, signed
from spadille.core.contract import Contract
from spadille.games import GAMES
from spadille.render.results.shared_cells import hurried, trump_text
from spadille.render.tables import (
    WIDTH,
    Column,
    Row,
    TextTable,
    attributes,
    filled,
    sentences,
    table_of,
    without_empty,
)
from spadille.render.text import card_text, suit_text

LEGEND = (
    "Points or chips are each player's gain, antes included.",
    "best play      payoff of the contract for its declarer with best play by all",
    "best contract  the contract with the highest payoff that some seat could have played",
    "missed         players who could have made a contract with a higher payoff for them",
    "tricks         tricks lost by errors, where the contract counts tricks",
    "lost           payoff lost by errors, from the payoff the player's side could force",
)
_KNOWN = "cards by verdict, given each player's knowledge"

_Deals = Sequence[tuple[str, DealScore]]
"""The deals of an evening, each with its label."""


def evening_labels(deals: Sequence[tuple[str, str]]) -> list[str]:
    """Return a label for each deal in one evening, given its file and its own label.

    If deals from several files share a label, all labels include the file name. If deals from one
    file share a label, their labels include their places in the evening.
    """
    named = len({*deals}) > len({label for _, label in deals})
    labels = [f"{PurePath(file).name} {label}" if named else label for file, label in deals]
    shared = Counter(labels)
    return [
        f"{label} (deal {place})" if shared[label] > 1 else label
        for place, label in enumerate(labels, 1)
    ]


def tables(
    deals: _Deals, title: str = "", width: int = WIDTH, *, symbols: bool = False
) -> Iterator[TextTable]:
    """Yield the payoffs of the deals, the running totals, and the best possible payoffs."""
    yield _paid(deals, title, width, symbols)
    yield _totals(deals, width)
    yield _beside(deals, symbols)


def score_legend() -> TextTable:
    """Explain the columns."""
    return sentences("legend", LEGEND)


def _names(deals: _Deals) -> list[str]:
    return list(
        dict.fromkeys(name for _, score in deals for name in score.settled.players.values())
    )


def _short(names: Sequence[str], room: int) -> list[str]:
    """Shorten names so that, as column headers, they fit into a width together."""
    most = max(room // len(names) - 2, 3)
    cut = [name[:most] for name in names]
    return cut if len(set(cut)) == len(cut) else list(names)


def _paid(deals: _Deals, title: str, width: int, symbols: bool) -> TextTable:
    """Return each player's gain on each deal, with the contract and its outcome."""
    names = _names(deals)
    rows = []
    for label, score in deals:
        settled = score.settled
        seats = {name: seat for seat, name in settled.players.items()}
        points = settled.points or {}
        gains = [points.get(seats[name]) if name in seats else None for name in names]
        pool = settled.pool.after if settled.pool else None
        rows.append((label, *gains, pool, _ended(settled, symbols)))
    headers, rows_ = filled(("deal", *_short(names, width - 38), "pool", "contract"), rows)
    return TextTable(headers, rows_, title, wraps=True)


def _ended(settled: Settled, symbols: bool) -> str:
    if settled.passed_out or settled.contract is None:
        return how_it_ended(settled)
    names, contract = settled.players, settled.contract
    who = " ".join(names[seat] for seat in contract.declarers)
    kinds = " ".join(dict.fromkeys(contract.ids))
    return f"{_contract(who, kinds, contract, names, symbols)}: {how_it_ended(settled)}"


def how_it_ended(settled: Settled) -> str:
    """Describe how a deal ended."""
    names, given = settled.players, settled.surrender
    if settled.passed_out:
        return "passed out"
    if settled.points is None:
        return "not settled"
    if settled.made is not None and settled.contract and len(settled.contract.declarers) > 1:
        return ", ".join(
            f"{names[seat]} {'made' if made else 'failed'}" for seat, made in settled.made.items()
        )
    if given and given.taken_over:
        return f"surrender, {names[given.taken_over]} took over: {settled.outcome}"
    return str(settled.outcome)


def _contract(
    who: str, kinds: str, of: Contract | Offer, names: Mapping[str, str], symbols: bool
) -> str:
    """Return a contract with its players, "Anna frog D HA"."""
    helper = names.get(of.partner or "")
    if of.called or of.penalty:
        helper = (
            card_text(of.called, symbols) if of.called else suit_text(of.penalty or "", symbols)
        )
    return " ".join(filter(None, (who, kinds, trump_text(of.trump, symbols), helper)))


def _totals(deals: _Deals, width: int) -> TextTable:
    """Return the running totals."""
    names = _names(deals)
    rows = []
    for label, score in deals:
        settled = score.settled
        over = f"{' '.join(settled.over)}: the game is over" if settled.over else ""
        rows.append((label, *map((settled.totals or {}).get, names), over))
    headers, rows_ = filled(("deal", *_short(names, width - 30), ""), rows)
    return TextTable(headers, rows_, "running totals", wraps=len(headers) > len(names) + 1)


def game_end(deals: _Deals) -> Iterator[TextTable]:
    """Yield a sentence with the winner or, in a game of fixed length, the number of hands left."""
    last = next((score.settled for _, score in reversed(deals) if score.settled.end), None)
    if last is not None and last.end is not None:
        yield sentences("the game", [standing_text(last.end, last.totals or {})])


def _beside(deals: _Deals, symbols: bool) -> TextTable:
    """Return the actual payoff, the payoff with best play, the best contract, and missed bids."""
    rows = []
    for label, score in deals:
        settled, names, best = score.settled, score.settled.players, score.best_contract
        had = ""
        if best is not None:
            text = _contract(names[best.declarer], best.contract, best, names, symbols)
            had = f"{text} {signed(best.least)}"
        missed = ", ".join(names[offer.declarer] for offer in score.missed)
        best_play = _sides(settled, score.best_play)
        rows.append((label, _sides(settled, settled.paid), best_play, had, missed))
    headers = ("deal", "paid", "best play", "best contract", "missed")
    return TextTable(headers, rows, "best play and best contract", wraps=True)


def _sides(settled: Settled, score: Mapping[str, int] | None) -> str:
    """Return the payoff of the declarers."""
    if score is None or settled.contract is None:
        return ""
    return " ".join(signed(score.get(seat)) for seat in settled.contract.declarers)


_PLAYER: tuple[Column[PlayerScore], ...] = (Column("player", lambda player: player.player),)
_GAINS: tuple[Column[PlayerScore], ...] = (
    Column("deals", lambda player: player.deals - player.unsettled),
    *attributes("points", "chips"),
    Column("money", lambda player: _money(player.money)),
    Column("made", lambda player: _of(player.made, player.made + player.failed)),
    Column("missed", lambda player: player.missed),
)
_ERRORS: tuple[Column[PlayerScore], ...] = (
    Column("best cards", lambda player: _of(player.tally.best, player.tally.choices)),
    Column("errors", lambda player: player.tally.errors),
    Column("tricks", lambda player: player.tally.cost),
    Column("lost", lambda player: player.lost),
)


def players(scores: Iterable[PlayerScore], width: int = WIDTH) -> Iterator[TextTable]:
    """Yield a table of the players of each game, or two if space is short."""
    for game, group in groupby(scores, lambda score: score.game):
        everybody = list(group)
        counted = any(player.tally.cost for player in everybody)
        errors = [column for column in _ERRORS if counted or column.name != "tricks"]
        open_cards = sum(player.tally.open for player in everybody)
        if open_cards:
            errors.append(Column("open", lambda player: player.tally.open))
        title = f"Players, {GAMES[game].name if game in GAMES else game}"
        whole = without_empty(table_of((*_PLAYER, *_GAINS, *errors), everybody, title))
        if _width(whole.headers, whole.rows) <= width:
            yield whole
        else:
            yield without_empty(table_of((*_PLAYER, *_GAINS), everybody, title))
            yield without_empty(table_of((*_PLAYER, *errors), everybody, "cost of errors"))
        judged = [player for player in everybody if player.verdicts]
        if judged:
            counts = [(player.player, *player.verdicts.values()) for player in judged]
            yield TextTable(("player", *judged[0].verdicts), counts, _KNOWN)
        yield from _basis(open_cards, everybody)


def _basis(open_cards: int, players: Sequence[PlayerScore]) -> Iterator[TextTable]:
    """State how many costs are unknown, and how cards were judged."""
    lines = []
    if open_cards:
        lines.append(
            f"The cost of {many(open_cards, 'card')} is unknown, because a hand is unknown or a "
            "limit ended the search."
        )
    judged = sum(sum(player.verdicts.values()) for player in players)
    if judged:
        lines.append(f"{sum((player.beliefs for player in players), NO_BELIEFS)}.")
    timed_out = sum(player.timed_out for player in players)
    if timed_out:
        lines += hurried(timed_out, judged, sum(player.unjudged for player in players))
    if lines:
        yield sentences("basis", lines)


def unseen_hands(deals: _Deals) -> Iterator[TextTable]:
    """List the deals with unknown hands."""
    lines = [
        f"{label}: no double-dummy values, because these hands are unknown: "
        f"{listed([score.settled.players[seat] for seat in score.unseen], 'and')}."
        for label, score in deals
        if score.unseen
    ]
    if lines:
        yield sentences("unknown hands", lines)


def _width(headers: Sequence[str], rows: Sequence[Row]) -> int:
    """Return the width of a drawn table in terminal columns."""
    columns = zip(headers, *rows, strict=True)
    return sum(2 + max(len(str(cell)) for cell in column) for column in columns) - 2


def _money(amount: float | None) -> str:
    """Format an amount with at least two decimals."""
    if amount is None:
        return ""
    text = f"{amount:.2f}"
    return text if float(text) == amount else str(amount)


def _of(number: int, whole: int) -> str:
    return f"{number} of {whole}" if whole else ""
