"""Measure the strength of `spadille.Player`, on paired deals, against rules of thumb.

The deals come from `deals_to_play`. Each is played four times, with `Player` or rules of thumb on
either side. A side gains the difference between its payoffs with `Player` and with rules of thumb,
averaged over both kinds of opponents. The gains are reported in points or chips per deal, with a
99% confidence interval, and so is their sum ("all seats"). Nobody exchanges, surrenders or goes on
for all tricks.

    python -m benchmarks.player_against_rules_of_thumb german-solo ombre --deals 300 --samples 32
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from statistics import NormalDist, fmean, stdev
from time import process_time
from typing import NamedTuple, Protocol

from spadille import Contract, Deal, Drawing, Knowledge, Player, Position, know
from spadille.analysis.chances.player import by_habit
from spadille.base.errors import SpadilleError
from spadille.core.recorded_outcome import endings
from spadille.games import rules_for
from spadille.generate.deals_to_play import deals_to_play

GAMES = ("german-solo", "ombre", "quadrille", "solo-whist")
CONFIDENCE = 0.99


class Chooser(Protocol):
    """A strategy that chooses cards."""

    def card(self, known: Knowledge) -> str:
        """Return the card to play, given the seat's knowledge."""


class RuleOfThumb:
    """Leads long suits, wins cheaply and ruffs when possible (see `by_habit`)."""

    def card(self, known: Knowledge) -> str:
        """Return the card to play, given the seat's knowledge."""
        position = known.position(known.layouts.unrank(0))
        return by_habit(known, position, position.legal())


class Played(NamedTuple):
    """A finished play, in the form that `endings` reads."""

    tricks: Sequence[Sequence[str]]
    leaders: Sequence[str]
    in_progress: bool = False


def played(deal: Deal, contract: Contract, players: Mapping[str, Chooser]) -> dict[str, float]:
    """Play a deal, and return the gain of each seat."""
    position, cards = Position.of(deal, contract), []
    rules = deal.rules
    kind, runners = rules.contract(contract.ids[0]), rules.runners(contract)
    while not position.finished:
        tricks = position.tricks
        stops = len(tricks) == kind.first_run and rules.may_go_on(kind) and not position.trick
        if stops and all(trick.winner in runners for trick in tricks):
            break
        card = players[position.to_play].card(know(deal, contract, position.to_play, cards))
        position.play(card)
        cards.append(card)
    record = Played(
        [trick.cards for trick in position.tricks], [trick.leader for trick in position.tricks]
    )
    paid = [rules.score(deal, contract, end) for end in endings(deal, contract, record)]
    return {seat: fmean(each[seat] for each in paid) for seat in rules.seats}


def paid(deal: Deal, contract: Contract, declarer: Chooser, defender: Chooser) -> list[float]:
    """Play a deal, and return the payoffs of the declaring side and of the defenders."""
    sides = {seat: seat in contract.side for seat in deal.rules.seats}
    choosers = {seat: declarer if declares else defender for seat, declares in sides.items()}
    payoffs = played(deal, contract, choosers)
    return [sum(payoffs[s] for s in sides if sides[s] == declares) for declares in (True, False)]


def gains(
    game: str, seed: int, number: int, player: Chooser, seconds: float = 0
) -> Iterator[tuple[float, float]]:
    """Yield the gain of `player` over rules of thumb on each deal, as declarer and as defender.

    The gain of a side is the sum over its seats, averaged over both kinds of opponents.
    """
    thumb, begun = RuleOfThumb(), process_time()
    for _, (deal, contract) in zip(
        range(number), deals_to_play(rules_for(game), seed), strict=False
    ):
        if seconds and process_time() - begun > seconds:
            return
        try:
            both, declarer, defender, neither = (
                paid(deal, contract, *pair) for pair in product((player, thumb), repeat=2)
            )
        except SpadilleError as error:
            print(f"{contract} of {deal.text}: {error}", file=sys.stderr)
            raise
        yield (
            (both[0] - defender[0] + declarer[0] - neither[0]) / 2,
            (both[1] - declarer[1] + defender[1] - neither[1]) / 2,
        )


def interval_text(values: Sequence[float]) -> str:
    """Format a mean with its confidence interval."""
    wide = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * stdev(values) / len(values) ** 0.5
    return f"{fmean(values):+.2f} ({fmean(values) - wide:+.2f}..{fmean(values) + wide:+.2f})"


def main(arguments: Sequence[str]) -> None:
    """Print a row for each game."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--samples", type=int, default=32)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0, help="processor time for each game")
    asked = parser.parse_args(arguments)
    print("| game | deals | as declarer | as defender | all seats | seconds |")
    print("|---|---|---|---|---|---|")
    for game in asked.games:
        begun = process_time()
        player = Player(Drawing(samples=asked.samples, seconds=0), memory=1 << 22)
        found = [*gains(game, asked.seed, asked.deals, player, asked.seconds)]
        spent = process_time() - begun
        columns = [*zip(*found, strict=True), [sum(pair) for pair in found]]
        row = game, len(found), *map(interval_text, columns), f"{spent:.0f}"
        print(f"| {' | '.join(map(str, row))} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
