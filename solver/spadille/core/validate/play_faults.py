"""Find every illegal card in recorded play.

This is part of `spadille.core.validate`. `spadille.pbn.play_section` also uses `follow`, and adds
the places in the file.
"""

from __future__ import annotations

from collections.abc import Sequence

from spadille.base.errors import Fault, IllegalCardError
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.deal_faults import Finding
from spadille.core.position import Position, refusal_of

PLAY_RULES = {
    "card-not-held": "hand files: Play has the cards of the hands",
    "play-too-long": "RULES 1: a hand ends with its last trick",
    "trump-missing": "RULES 8: the declarer names the trump before playing a card",
}

_LOST_RULE = "RULES 4: a Tout ends at the first lost trick"

# After one of these faults, the rest of the play cannot be followed.
ENDS_PLAY = frozenset(("card-not-held", "play-too-long", "trump-missing"))


def play_findings(deal: Deal, contract: Contract, cards: Sequence[str]) -> list[Finding]:
    """Return every illegal card in recorded play, in order; none if hands are unknown.

    An illegal card is played anyway if its player holds it. The check ends at a card that its
    player does not hold, or if the trump is unknown.
    """
    findings = []
    if None not in deal.hands.values():
        position = Position.of(deal, contract)
        for number, card in enumerate(cards):
            fault = follow(position, card)
            if fault is not None:
                findings.append(Finding(fault, nth=number))
                if fault.code in ENDS_PLAY:
                    break
    return findings


def follow(position: Position, card: str) -> Fault | None:
    """Play a card, even an illegal one, if the player to move holds it; return any fault."""
    try:
        position.play(card)
    except IllegalCardError as error:
        code, message = error.code, error.args[0]
    else:
        return None
    refusal = None if code in ENDS_PLAY else refusal_of(position, card)
    if refusal:
        position.force(card)
        rule = refusal.rule
    elif code == "play-too-long" and position.lost_at is not None:
        rule = _LOST_RULE
    else:
        rule = PLAY_RULES[code]
    return Fault(code, message, "Play", card, rule)
