"""Find every fault in a surrender: in the contract, the consent, and the cards played later.

This is part of `spadille.core.validate`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spadille.base.errors import Fault
from spadille.base.words_for_messages import seat_label
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.deal_faults import Finding, finding, seat_unknown
from spadille.games.model.contract_types_and_options import Surrender


def surrender_findings(deal: Deal, contract: Contract, surrender: Surrender) -> list[Finding]:
    """Return every fault in a surrender under a valid contract."""
    return list(_diagnose(deal, contract, surrender))


def _diagnose(deal: Deal, contract: Contract, given: Surrender) -> Iterator[Finding]:
    rules = deal.rules
    kind = rules.contract(contract.ids[0])
    rule = rules.cite("")
    latest = kind.surrender_until
    if not latest:
        yield finding(
            "surrender-not-allowed",
            f"{kind.name} in {rules.game.name} does not allow a surrender",
            "Surrender",
            "",
            "RULES 5: Ombre allows surrender in Entrada, and in Vuelta if both opponents agree",
        )
        return
    others = [given.taken_over, *given.agreed]
    unknown = [seat for seat in (given.seat, *others) if seat and seat not in rules.seats]
    for seat in unknown:
        yield seat_unknown(rules, "Surrender", seat)
    if unknown:
        return
    yield from _seat_faults(contract, given, rule)
    if not 1 <= given.trick <= latest:
        yield finding(
            "surrender-too-late",
            f"{seat_label(given.seat)} surrenders before trick {given.trick}",
            "Surrender",
            str(given.trick),
            rule + f"a surrender is allowed before the declarer's card to trick {latest}",
            nth=[given.seat, *others].count(str(given.trick)),
        )
    if kind.surrender_agreed:
        yield from _agreement_faults(deal, contract, given, rule)


def _seat_faults(contract: Contract, given: Surrender, rule: str) -> Iterator[Finding]:
    """Yield a fault if an opponent surrenders, or if the declarer agrees or takes over."""
    if given.seat != contract.declarer:
        yield finding(
            "surrender-seat",
            f"{seat_label(given.seat)} cannot surrender: "
            f"the declarer is {seat_label(contract.declarer)}",
            "Surrender",
            given.seat,
            rule + "the declarer surrenders",
        )
        return
    others = [given.taken_over, *given.agreed]
    wrong = next((seat for seat in others if seat == contract.declarer), None)
    if wrong:
        yield finding(
            "surrender-seat",
            f"{seat_label(wrong)} is not an opponent of {seat_label(contract.declarer)}",
            "Surrender",
            "",
            rule + "only an opponent can agree or take over",
        )


def _agreement_faults(
    deal: Deal, contract: Contract, given: Surrender, rule: str
) -> Iterator[Finding]:
    """Yield a fault unless all opponents agree to the surrender and nobody takes over."""
    kind = deal.rules.contract(contract.ids[0])
    opponents = [seat for seat in deal.rules.seats if seat != contract.declarer]
    missing = [seat for seat in opponents if seat not in given.agreed]
    if given.taken_over:
        yield finding(
            "surrender-not-allowed",
            f"nobody can take over in {kind.name}",
            "Surrender",
            given.taken_over,
            rule + "only in Entrada may an opponent take over",
        )
    elif missing:
        yield finding(
            "surrender-not-agreed",
            f"{' and '.join(map(seat_label, missing))} did not agree",
            "Surrender",
            "",
            rule + f"in {kind.name} both opponents must agree, as in 3+1+2@2",
        )


def played_on(
    deal: Deal,
    surrender: Surrender,
    tricks: Sequence[Sequence[str]],
    leaders: Sequence[str],
) -> tuple[int, Fault] | None:
    """Return the index and the fault of the first card played after the surrender."""
    if surrender.taken_over:
        return None
    number = 0
    for trick, (leader, cards) in enumerate(zip(leaders, tricks, strict=True), 1):
        for seat, card in zip(deal.rules.in_turn(leader), cards, strict=False):
            if surrender.precedes(trick, seat):
                message = f"{card} is played after {seat_label(surrender.seat)} surrendered"
                rule = "RULES 5: a surrender ends the hand, unless an opponent takes over"
                return number, Fault("surrender-played-on", message, "Play", card, rule)
            number += 1
    return None
