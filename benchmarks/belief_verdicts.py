"""Compare the verdicts of `review --chances` with and without belief in the bids.

The hands come from `deals_to_play` and are played by rules of thumb, so that there are errors to
judge. No bids are recorded except the contract. Each hand is reviewed twice, with `belief="none"`
and `belief="auction"`, from the same seed. The output lists the number of cards judged, the number
of changes from each verdict to another, and the changed cards.

    python -m benchmarks.belief_verdicts german-solo --hands 200
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from benchmarks.player_against_rules_of_thumb import RuleOfThumb
from spadille import Contract, Deal, Drawing, Position, know, review
from spadille.analysis.chances.review_chances import judged
from spadille.core.recorded_auction import Auction
from spadille.games import rules_for
from spadille.generate.deals_to_play import deals_to_play


class Changed(NamedTuple):
    """A card whose verdict depends on the belief."""

    hand: int
    trick: int
    seat: str
    declaring: bool
    card: str
    before: str
    after: str


def played(deal: Deal, contract: Contract) -> list[str]:
    """Return the cards of a hand played by rules of thumb."""
    position, cards, thumb = Position.of(deal, contract), [], RuleOfThumb()
    while not position.finished:
        cards.append(thumb.card(know(deal, contract, position.to_play, cards)))
        position.play(cards[-1])
    return cards


def compared(game: str, hands: int, seed: int, samples: int) -> Iterator[tuple[int, list[Changed]]]:
    """Yield, for each hand, the number of cards judged and the cards whose verdict changes."""
    for number, (deal, contract) in zip(
        range(hands), deals_to_play(rules_for(game), seed), strict=False
    ):
        plain = review(deal, contract, played(deal, contract))
        both = [
            judged(plain, deal, Auction(), Drawing(samples=samples, seconds=0, belief=belief))
            for belief in ("none", "auction")
        ]
        pairs = [
            (one, one.judged.verdict, other.judged.verdict)
            for one, other in zip(both[0].steps, both[1].steps, strict=True)
            if one.judged and other.judged
        ]
        yield (
            len(pairs),
            [
                Changed(
                    number + 1,
                    step.trick,
                    step.seat,
                    step.seat in contract.side,
                    step.card,
                    before,
                    after,
                )
                for step, before, after in pairs
                if before != after
            ],
        )


def main(arguments: Sequence[str]) -> None:
    """Print the totals and the changed cards of a game."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--samples", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args(arguments)
    cards, changed, hands = 0, [], 0
    for judged_cards, found in compared(asked.game, asked.hands, asked.seed, asked.samples):
        cards += judged_cards
        changed += found
        hands += bool(found)
    print(f"{asked.hands} hands, {cards} cards judged, {len(changed)} changed in {hands} hands")
    for (side, before, after), count in Counter(
        ("declaring side" if one.declaring else "defender", one.before, one.after)
        for one in changed
    ).most_common():
        print(f"{count:4} {side}: {before} -> {after}")
    for one in changed:
        print(*one)


if __name__ == "__main__":
    main(sys.argv[1:])
