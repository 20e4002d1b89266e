"""Settle an evening deal by deal: the payoffs of each deal as it was played, and the pool after it.

Each deal is settled by its record (`spadille.analysis.evening.deal_settlement`). The pool, the
players' points, the turn to deal and the current trump are passed on to the next deal
(`spadille.games.model.contract_types_and_options.GameCourse`).

Where the rule documents are silent:

- If a deal states its own pool, that pool is used instead of the one carried over; a warning
  follows if they differ. After an unsettled deal, the pool is unknown. If the next deal does not
  state its pool, the pool before the unsettled deal is used, with a warning.
- If play goes on after the end of a game, there is only a warning, because the players may have
  agreed to it.
- If players have changed seats, the next dealer may be the player after the previous dealer's old
  seat, or the one after that player's new seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from spadille.analysis.evening.deal_settlement import EveningDeal, Pool, Settled, settled_by_record
from spadille.analysis.evening.game_end import GameEnd
from spadille.base.argument_checks import check_list
from spadille.base.card_text import format_hand
from spadille.base.errors import ArgumentError, Fault, SpadilleError, attempt, quoted
from spadille.base.words_for_messages import many, seat_name
from spadille.core.deal import Deal
from spadille.core.recorded_outcome import current_trump
from spadille.games.model.game import Rules


def settle(records: Iterable[EveningDeal]) -> Iterator[Settled]:
    """Settle the deals of one evening in order; raise ArgumentError for other items."""
    wrong = "an evening must be a hand file, or entries of one"
    check_list(records, f"{wrong}, as returned by spadille.load")
    evening = _Evening()
    for record in records:
        if not isinstance(record, EveningDeal):
            raise ArgumentError(f"{wrong}; {quoted(record)} is not one")
        settled = attempt(partial(evening.settled, record))
        yield evening.failed(record, settled) if isinstance(settled, SpadilleError) else settled


class _Table:
    """The state of one game between two deals."""

    def __init__(self) -> None:
        self.pool: int | None = None  # None if unknown, or before the first deal
        self.kept = 0  # the assumed pool
        self.silent = ""  # the first deal whose pool is unknown
        self.trump: str | None = None  # in the previous deal
        self.dealer: tuple[str, str] | None = None  # in the previous deal: seat, name if known
        self.passed: Deal | None = None  # the previous deal, if the same cards are dealt again
        self.started = False
        self.totals: dict[str, int] = {}
        self.hands = 0
        self.settled = True
        self.over = ""  # warnings for the next deal
        self.ended = False


def _players_of(record: EveningDeal, rules: Rules) -> tuple[dict[str, str], list[Fault]]:
    """Return the players by seat, and warnings for names that appear at several seats."""
    given = Counter(record.players.values())
    twice = [name for name, number in given.items() if number > 1]
    players = {
        seat: seat if name in twice else name
        for seat in rules.seats
        for name in [record.players.get(seat, seat)]
    }
    warnings = [
        _warning(
            "player-twice",
            f"{name} sits in {given[name]} seats: identified by seat instead",
            name,
        )
        for name in twice
    ]
    return players, warnings


class _Evening:
    def __init__(self) -> None:
        self.tables: dict[str, _Table] = {}
        self.number = 0

    def settled(self, record: EveningDeal) -> Settled:
        self.number += 1
        rules = record.rules
        if rules is None:
            for table in self.tables.values():
                table.dealer = None  # may have been a deal of that game
            error = next(iter(record.faults), None) or Fault("game-missing", "no game is named")
            return Settled(game=None, deal=None, contract=None, players={}, error=error)
        # A problem has its own pool and does not affect the evening.
        table = _Table() if record.posed else self.tables.setdefault(rules.game.id, _Table())
        table.hands += not record.posed
        players, warnings = _players_of(record, rules)
        settled = Settled(
            game=rules.game.id,
            deal=record.deal,
            contract=record.contract,
            players=players,
            play=record.play,
            surrender=record.surrender,
        )
        if record.passed_out:
            warnings += (
                warning for warning in record.warnings if warning.code == "contract-excluded"
            )
        if record.deal is not None:
            settled = replace(settled, calls=record.calls)
            settled = _with_pool(table, record.deal, settled, warnings)
        if not record.posed:
            _check_dealer(table, record, settled, warnings)
            settled = _with_trump(table, record, rules, settled, warnings)
            _check_goulash(table, record, settled.deal, warnings)
        settled = settled_by_record(record, settled)
        self._keep_pool(table, rules, settled)
        table.started = True
        if table.over:
            warnings.append(_warning("game-over", table.over))
            table.over = ""
        for seat, gain in (settled.points or dict.fromkeys(players, 0)).items():
            table.totals[players[seat]] = table.totals.get(players[seat], 0) + gain
        table.settled &= settled.error is None
        settled = replace(settled, warnings=tuple(warnings), totals=dict(table.totals))
        return settled if record.posed else self._ended(rules, table, settled)

    def _keep_pool(self, table: _Table, rules: Rules, settled: Settled) -> None:
        """Note the pool after a deal, and the first deal that leaves it unknown."""
        if settled.pool is not None:
            table.pool = settled.pool.after
            table.kept = settled.pool.before if table.pool is None else table.pool
        elif rules.game.ante and table.started:
            table.pool = None
        if settled.error is not None and table.pool is None and not table.silent:
            table.silent = f"deal {self.number}"

    def _ended(self, rules: Rules, table: _Table, settled: Settled) -> Settled:
        """Return the deal with the state of the game added, unless the game has ended."""
        end = GameEnd.after(rules, table.hands, table.totals, table.settled)
        if end is None or table.ended:
            return settled
        if not end.over:
            return replace(settled, end=end)
        table.ended = True
        reached = [
            name for name, total in table.totals.items() if end.play_to and total >= end.play_to
        ]
        names = tuple(reached) or end.winners
        length = f"{end.play_to} points" if reached else many(end.of or 0, "hand")
        totals = ", ".join(f"{name} {table.totals[name]}" for name in names)
        table.over = (
            f"the game of {length} ended with deal "
            f"{self.number}{f' ({totals})' if totals else ''}; later deals still count"
        )
        return replace(settled, over=names, end=end)

    def failed(self, record: EveningDeal, error: SpadilleError) -> Settled:
        """Return an unsettled deal with its error, and discard the game's state."""
        game = None if record.rules is None else record.rules.game.id
        table = self.tables.get(game or "")
        if table is not None:
            table.pool = None
            table.settled = False
            table.silent = table.silent or f"deal {self.number}"
        return Settled(
            game=game, deal=None, contract=None, players={}, error=Fault(error.code, str(error))
        )


def _with_pool(table: _Table, deal: Deal, settled: Settled, warnings: list[Fault]) -> Settled:
    """Return the deal with the pool for which it was played."""
    rules = deal.rules
    if not rules.game.ante:
        return settled
    antes = rules.antes(deal.dealer)
    carried = None
    if not table.started:
        before = rules.pool(deal)
    else:
        before = table.kept + antes["pool"]
        carried = None if table.pool is None else before
        if deal.pool is None and carried is None:
            message = (
                f"{table.silent} is not settled, so the pool is unknown: assumed "
                f"{many(before, 'chip')}, as if nobody had played the deal (correct this with Pool)"
            )
            warnings.append(_warning("pool-unsettled", message))
        if deal.pool is not None:
            if carried not in (None, deal.pool):
                message = (
                    f"the Pool tag says {many(deal.pool, 'chip')}, but the previous deals and "
                    f"the antes give {carried}: the tag counts"
                )
                warnings.append(_warning("pool-differs", message, str(deal.pool)))
            before = deal.pool
    if deal.pool is not None or not table.started:
        table.silent = ""
    deal = replace(deal, pool=before)
    return replace(
        settled, deal=deal, antes=antes, pool=Pool(before=before, after=None, carried=carried)
    )


def _check_dealer(
    table: _Table, record: EveningDeal, settled: Settled, warnings: list[Fault]
) -> None:
    """Warn if the dealer has to pay but is not named, or if it is another player's deal."""
    last, table.dealer = table.dealer, None
    if settled.deal is None:
        return
    rules, dealer = settled.deal.rules, settled.deal.dealer
    pays = f"puts {many(rules.game.ante, 'chip')} into the pool" if rules.game.dealer_antes else ""
    if not record.dealer_named:
        if pays:
            message = (
                f"no dealer is named: assumed {seat_name(dealer)}, who {pays} "
                "(correct this with Dealer)"
            )
            warnings.append(_warning("dealer-taken", message))
        return
    if last is not None and rules.game.course.deal_goes_round:
        seat, name = last
        moved = next((seat for seat, other in settled.players.items() if other == name), seat)
        due = rules.next_seat(seat)
        if dealer not in (due, rules.next_seat(moved)):
            wrong, right = seat_name(dealer), seat_name(due)
            last_dealer = seat_name(seat)
            message = f"the dealer is {wrong}, but after {last_dealer} the deal passes to {right}"
            if pays:
                message += f"; {wrong}, not {right}, {pays}"
            warnings.append(_warning("dealer-out-of-turn", message, dealer))
    table.dealer = (dealer, settled.players[dealer])


def _with_trump(
    table: _Table, record: EveningDeal, rules: Rules, settled: Settled, warnings: list[Fault]
) -> Settled:
    """Fill in a missing current trump; warn if the recorded trump is not the expected one."""
    course, deal = rules.game.course, settled.deal
    if not course.trumps:
        return settled
    last, due, trump = table.trump, course.trump_after(table.trump), current_trump(record)
    if trump not in (None, due):
        behind = "an evening begins with" if last is None else f"after {last} comes"
        message = f"the current trump is {trump}, but {behind} {due}"
        warnings.append(_warning("trump-out-of-turn", message, trump or ""))
    table.trump = trump if trump in course.trumps else due
    if deal is not None and deal.current_trump is None:
        deal = replace(deal, current_trump=table.trump)
    return replace(settled, deal=deal)


def _check_goulash(
    table: _Table, record: EveningDeal, deal: Deal | None, warnings: list[Fault]
) -> None:
    """Warn unless the cards of a passed-out deal are dealt again without shuffling."""
    last, table.passed = table.passed, None
    if deal is None or deal.is_ending:
        return
    if last is not None:
        due = last.goulash(deal.dealer).hands
        wrong = [seat for seat, hand in deal.hands.items() if hand not in (None, due[seat])]
        if wrong:
            message = (
                f"not the goulash of the previous deal: {deal.dealer} deals its cards again "
                f"unshuffled, which gives {wrong[0]} {format_hand(due[wrong[0]] or ())} (deal "
                "--goulash makes it)"
            )
            warnings.append(_warning("goulash-differs", message))
    if record.passed_out and deal.rules.game.course.packets and None not in deal.hands.values():
        table.passed = deal


def _warning(code: str, message: str, text: str = "") -> Fault:
    tag, rule = _ABOUT[code]
    return Fault(code, message, tag, text, rule, severity="warning")


_ABOUT = {
    "pool-differs": ("Pool", "RULES 5, 6: chips left in the pool stay there for the next deal"),
    "pool-unsettled": ("Pool", "RULES 5, 6: chips left in the pool stay there for the next deal"),
    "trump-out-of-turn": ("CurrentTrump", "RULES 10: the current trump goes H C D S NT H"),
    "goulash-differs": ("Deal", "RULES 10: all passed: the cards are dealt again unshuffled"),
    "dealer-out-of-turn": ("Dealer", "RULES 1: the deal passes on in the direction of play"),
    "dealer-taken": ("Dealer", "RULES 5: the dealer puts chips into the pool before each deal"),
    "player-twice": (None, "hand files: a name belongs to one player"),
    "game-over": (None, "RULES 12: play_to, hands"),
}
