"""Find every fault in a deal, its contract and its recorded play.

These functions check values (`Deal`, `Contract`, cards played), not files. A `Finding` names the
tag, the seat and the card that a fault concerns. `spadille.pbn.tags` adds the line and the
column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spadille.base.card_text import SUITS
from spadille.base.errors import ContractError, Fault
from spadille.base.names_in_input import meant
from spadille.base.words_for_messages import but, many, seat_label
from spadille.core.contract import (
    NOBODY,
    Contract,
    called_partner,
    check_holder,
    check_namer,
    first_leader,
    is_for_all,
    resolve_trump,
)
from spadille.core.deal import Deal
from spadille.core.deal_faults import Finding, deal_findings, finding, seat_unknown
from spadille.core.validate.bid_faults import bid_findings, passed_findings
from spadille.core.validate.exchange_faults import exchange_findings
from spadille.core.validate.play_faults import play_findings
from spadille.games.model.contract_types_and_options import ContractType
from spadille.games.model.game import Rules

__all__ = [
    "Finding",
    "bid_findings",
    "contract_findings",
    "deal_findings",
    "faults",
    "passed_findings",
    "play_findings",
]


def faults(deal: Deal, contract: Contract | None = None, play: Sequence[str] = ()) -> list[Fault]:
    """Return every fault in a deal, its contract and the cards played, in order.

    The list includes warnings about usable input.

    The contract may be a `Contract` with arbitrary text from a file; the trump is "" if none is
    named.
    """
    findings = deal_findings(deal)
    if contract is not None:
        findings += contract_findings(deal, contract)
        if all(finding.fault.severity == "warning" for finding in findings):
            findings += bid_findings(deal, contract)
            findings += play_findings(deal, contract, play)
    return [finding.fault for finding in findings]


_CONTRACT_RULES = {
    "trump-missing": "hand files: give Trump if the contract leaves it open",
    "called-suit-not-held": "RULES 3: callers must hold a card in the suit they call",
    "called-rank": "RULES 12: call_rank lists the ranks that may be called",
    "trump-by-not-allowed": "RULES 6: in Forced Spadille the partner may be asked to name trumps",
    "trump-by-not-partner": "RULES 6: the player asked to name trumps holds the called card",
    "partner-contradicts-called": "hand files: the partner is the holder of the called card",
    "partner-missing": "hand files: give Partner if it does not follow from Called",
}
# These are rules of several games, each in the section of the game.
_GAME_RULES = {
    "trump-not-allowed": "each contract allows only certain trumps",
    "declarer-not-holder": "only the holder of a certain card plays this contract",
    "called-missing": "in this contract, a card must be called if possible",
    "called-not-in-deck": "the called card must be in the pack",
    "called-trump": "the called card is not a trump",
    "called-held": "the caller does not hold the called card",
    "partner-invalid": "the partner is not the declarer",
}
_CONTRACT_TAGS = {"trump": "Trump", "declarer": "Declarer", "called": "Called"}


def contract_findings(deal: Deal, contract: Contract) -> list[Finding]:
    """Return every fault in a contract for a deal; the contract may be invalid."""
    return list(_diagnose_contract(deal, contract))


def _diagnose_contract(deal: Deal, contract: Contract) -> Iterator[Finding]:
    rules = deal.rules
    name = rules.game.name
    kinds: list[ContractType] = []
    times: Counter[str] = Counter()
    for contract_id in contract.ids:
        times[contract_id] += 1
        if contract_id in rules.contracts:
            kinds.append(rules.contracts[contract_id])
            continue
        hint = meant(contract_id, (*rules.contracts, "Pass"))
        yield finding(
            "contract-unknown",
            f"{contract_id!r} is not a contract of {name}{hint}",
            "Contract",
            contract_id,
            f"hand files: the contracts of {name} are {' '.join(rules.contracts)}",
            nth=times[contract_id] - 1,
        )
    yield from _declarers(deal, contract, kinds)
    if contract.partner is not None and contract.partner not in rules.seats:
        yield seat_unknown(rules, "Partner", contract.partner)
    if kinds:
        yield from _terms(deal, contract, kinds[0])
        yield from exchange_findings(deal, contract, kinds[0])
    if kinds and len(kinds) == len(contract.ids) and deal.dealer in rules.seats:
        leads = kinds[0].leader
        if leads != "declarer" or (contract.declarers and contract.declarer in rules.seats):
            yield from _on_lead(deal, contract)


def _declarers(deal: Deal, contract: Contract, kinds: list[ContractType]) -> Iterator[Finding]:
    rules = deal.rules
    declarers = contract.declarers
    everybody = is_for_all(rules, kinds)
    times: Counter[str] = Counter()
    for seat in declarers:
        earlier = times[seat]
        times[seat] += 1
        if seat not in rules.seats:
            yield seat_unknown(rules, "Declarer", seat, earlier)
        elif earlier and not everybody:
            yield finding(
                "declarer-duplicate",
                f"{seat_label(seat)} is named twice as declarer",
                "Declarer",
                seat,
                "hand files: Declarer names each declarer once",
                nth=earlier,
            )
    if everybody:
        return
    if not declarers:
        yield finding(
            "declarer-missing",
            "the contract has no declarer",
            "Declarer",
            "",
            "hand files: Declarer names the seat that plays the contract",
        )
    elif len(declarers) != len(contract.ids) or (
        len(declarers) > 1 and any(kind.side != "individual" for kind in kinds)
    ):
        yield finding(
            "declarer-count",
            f"{many(len(contract.ids), 'contract')} for {many(len(declarers), 'declarer')}",
            "Declarer",
            " ".join(declarers),
            "hand files: if there are several declarers, each has a contract; otherwise there is"
            " one declarer",
        )


def _terms(deal: Deal, contract: Contract, kind: ContractType) -> Iterator[Finding]:
    """Yield the faults in the trump, called card, partner and penalty suit."""
    rules = deal.rules
    trump = None
    try:
        trump = resolve_trump(deal, kind, contract.trump or None)
    except ContractError as error:
        yield _from_error(error, rules, contract)
    caller = contract.declarers[0] if contract.declarers else None
    partner = contract.partner if contract.partner in rules.seats else None
    if caller in rules.seats:
        try:
            check_holder(deal, kind, caller)
        except ContractError as error:
            yield _from_error(error, rules, contract)
        if kind.side == "called" and trump is not None:
            try:
                called_partner(deal, kind, caller, trump, contract.called, partner)
            except ContractError as error:
                yield _from_error(error, rules, contract)
    if contract.trump_by is not None and contract.trump_by not in rules.seats:
        yield seat_unknown(rules, "TrumpBy", contract.trump_by)
    elif caller is not None:
        try:
            holder = deal.holder(contract.called or "")
            check_namer(kind, caller, holder, contract.trump_by)
        except ContractError as error:
            yield _from_error(error, rules, contract, "TrumpBy")
    if kind.side == "partner" and (contract.partner is None or partner == caller):
        yield finding(
            "partner-missing" if contract.partner is None else "partner-invalid",
            f"{kind.name} needs a partner for {seat_label(caller) if caller else 'the declarer'}"
            f"{but(contract.partner and seat_label(contract.partner))}",
            "Partner",
            contract.partner or "",
            rules.cite(_GAME_RULES["partner-invalid"]),
        )
    called = None if contract.called == NOBODY else contract.called
    yield from _not_wanted(rules, "called", called, kind, kind.side == "called")
    yield from _not_wanted(rules, "partner", partner, kind, kind.side in ("called", "partner"))
    yield from _not_wanted(rules, "penalty", contract.penalty, kind, kind.aim == "nemo")
    if kind.aim == "nemo" and contract.penalty not in tuple(SUITS):
        yield finding(
            "penalty-missing" if contract.penalty is None else "penalty-invalid",
            f"{kind.name} needs a penalty suit{but(contract.penalty)}",
            "Penalty",
            contract.penalty or "",
            "RULES 9: the penalty suit is one of S H D C",
        )


def _not_wanted(
    rules: Rules, part: str, value: str | None, kind: ContractType, wanted: bool
) -> Iterator[Finding]:
    if value is not None and not wanted:
        yield finding(
            f"{part}-unexpected",
            f"{kind.name} has no {'called card' if part == 'called' else part}",
            part.capitalize(),
            value,
            rules.cite("the contract determines its players and trump"),
        )


def _from_error(error: ContractError, rules: Rules, contract: Contract, tag: str = "") -> Finding:
    about = error.code.partition("-")[0]
    tag = tag or _CONTRACT_TAGS.get(about, "Partner")
    text = {
        "Trump": contract.trump or "",
        "Declarer": contract.declarers[0] if contract.declarers else "",
        "Called": contract.called or "",
        "Partner": contract.partner or "",
        "TrumpBy": contract.trump_by or "",
    }[tag]
    rule = _CONTRACT_RULES.get(error.code) or rules.cite(_GAME_RULES[error.code])
    return finding(error.code, error.args[0], tag, text, rule)


def _on_lead(deal: Deal, contract: Contract) -> Iterator[Finding]:
    """Yield a fault if the recorded leader of the first trick is not the one the rules require."""
    if deal.leader not in deal.rules.seats or deal.is_ending:
        return
    leader = first_leader(replace(deal, leader=None, won={}), contract)
    if deal.leader != leader:
        yield finding(
            "leader-contradicts-rules",
            f"{seat_label(deal.leader)} does not lead to the first trick, "
            f"{seat_label(leader)} does",
            "Leader",
            deal.leader,
            "RULES 1: the first leader follows from the dealer, the declarer and the contract",
        )
