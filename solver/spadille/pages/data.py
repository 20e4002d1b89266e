"""What the script of a page is told: the deals as JSON, inside the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from re import Match
from typing import Any

from spadille.pages.deals import Told
from spadille.render.text import CONTROL
from spadille.rules import Rules


def data(deals: Sequence[Told], *, quiz: bool = False, rules: Rules | None = None) -> Any:
    """Return what the script needs: of each deal cards, contract and play, and where a quiz begins.

    `rules` are those of a page without deals.
    """
    return {
        "quiz": quiz,
        "game": rules and rules.game.id,
        "deals": [_deal(number, told) for number, told in enumerate(deals, 1)],
    }


def _deal(number: int, told: Told) -> dict[str, Any]:
    settled = told.settled
    deal, contract = settled.deal, settled.contract
    found: dict[str, Any] = {"number": number, "game": settled.game}
    if deal is not None:
        found |= {
            "dealer": deal.dealer,
            "hands": {seat: hand and list(hand) for seat, hand in deal.playing_hands().items()},
            "names": dict(settled.players),
            "contract": contract and contract.to_dict(),
            "play": list(told.cards),
            "question": told.question,
        }
    return found


def as_script(found: Any) -> str:
    """Write data as JSON that no text in it can end: a block of data inside HTML.

    Neither a tag nor a comment can begin without "<"; control characters are none of HTML.
    """
    text = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    return CONTROL.sub(_escaped, text.replace("<", "\\u003c"))


def _escaped(found: Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"
