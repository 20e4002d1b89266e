"""The policy by which all players exchange cards in the sampled deals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules
from spadille.search.encoding import Encoding


@dataclass(frozen=True, slots=True)
class Exchange:
    """Everybody keeps the cards worth keeping, and discards the other cards, the lowest first.

    The declarer exchanges first, then the others in order of play, until the talon is used up. In a
    contract whose trump is turned up, the top card is a trump.
    """

    kept: int  # cards that nobody discards
    most: int
    who: str
    turned: tuple[str, ...]  # the possible top cards of the talon; () = any card

    @classmethod
    def of(cls, rules: Rules, kind: ContractType, code: Encoding) -> Exchange | None:
        """Return the exchange of a contract, or None if it has no exchange."""
        if kind.exchange.who == "none":
            return None
        kept = sum(code.bits[card] for card in rules.keepers(code.suit(3)))
        suit = code.suit(3)
        turned = tuple(card for card in rules.deck if kind.trump == "talon" and card[0] == suit)
        return cls(kept, kind.exchange.most, kind.exchange.who, turned)

    def after(self, hands: np.ndarray, talon: np.ndarray, position: np.ndarray) -> np.ndarray:
        """Return the hands after the exchange; the talon has card numbers, the top card first."""
        players = hands.shape[1]
        rows = []
        for dealt, cards, declarer in zip(
            hands.tolist(), talon.tolist(), position.tolist(), strict=True
        ):
            row, left = dealt, cards
            for step in range(players):
                player = (declarer + step) % players
                if self.who != "all" and (step == 0) != (self.who == "side"):
                    continue
                away = row[player] & ~self.kept
                lowest = sorted(_cards(away), key=lambda card: card & 15)
                number = min(len(lowest), len(left), self.most)
                for card in lowest[:number]:
                    row[player] ^= 1 << card
                for card in left[:number]:
                    row[player] |= 1 << card
                left = left[number:]
            rows.append(row)
        return np.array(rows, np.uint64)


def _cards(hand: int) -> list[int]:
    return [card for card in range(64) if hand >> card & 1]
