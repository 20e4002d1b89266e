"""The Auction section of a hand file: parsed, judged, and followed to a contract.

The columns are the seats in order of play, starting with the seat in the section's tag. Eldest bids
first: either the first seat is eldest, or blank columns (`-`) come before eldest's. If a file has
no Contract tag, the auction supplies the contract. The auction also supplies the declarer, trump,
partner and penalty suit if their tags are missing. A tag that contradicts the auction is a fault.
"^I" excuses a bid that is too low; "^P" and "^S" excuse a missing call that was required.

If a file does not name its game, and its auction has no bid of the user's game, the auction is
ignored because it comes from bridge.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from spadille.base.names_in_input import read_seat
from spadille.base.words_for_messages import seat_label
from spadille.core.auction import judge_auction, read_bid, read_card
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.deal_faults import finding, seat_unknown
from spadille.games.model.bidding import AuctionResult
from spadille.pbn.document import Tag
from spadille.pbn.tags import TagReader

_EXCUSES = {
    "^I": frozenset({"call-too-low"}),
    "^P": frozenset({"call-missing", "call-duty"}),
    "^S": frozenset({"call-missing"}),
}
_ANNOTATION = ("$", "=", "!", "?")

_Call = tuple[str, int, frozenset[str]]  # text, offset, excused faults


def follow_auction(
    reader: TagReader, deal: Deal, terms: Contract, by_file: bool
) -> tuple[Contract, bool]:
    """Return the contract, completed from the auction, and whether the deal was passed out.

    Faults are added to the reader's faults. `by_file` says that the file itself names the game.
    """
    calls = _calls(reader.names["Auction"])
    if not calls or not (by_file or any(_understood(deal, text) for text, _, _ in calls)):
        return terms, False
    faults = reader.faults.total
    first, calls = _first(reader, deal, calls)
    findings, outcome = judge_auction(deal, [text for text, _, _ in calls], first)
    document = reader.names["Auction"].document
    for call_finding in findings:
        text, offset, excused = calls[call_finding.nth]
        if call_finding.fault.code not in excused:
            line, column = document.position(offset)
            reader.faults.append(replace(call_finding.fault, text=text, line=line, column=column))
    if outcome is None or reader.faults.total > faults:
        return terms, False
    return _settle(reader, terms, outcome), outcome.passed_out is not None and not terms.ids


def calls_of(tag: Tag, deal: Deal) -> tuple[str, list[str]]:
    """Return the first caller, and all calls in turn without annotations or blank columns."""
    rules = deal.rules
    eldest = rules.eldest(deal.dealer)
    calls = [text for text, _, _ in _calls(tag)]
    named = read_seat(tag.value)
    if named not in rules.seats:
        return eldest, calls
    ahead = rules.in_turn(named).index(eldest)
    blank = all(text == "-" for text in calls[:ahead])
    return (eldest, calls[ahead:]) if blank else (named, calls)


def _calls(tag: Tag) -> list[_Call]:
    calls = []
    excused: frozenset[str] = frozenset()
    for token, offset in tag.play_tokens():
        if token[0] == "^":
            excused |= _EXCUSES.get(token.upper(), frozenset())
        elif token[0] not in _ANNOTATION:
            calls.append((token, offset, excused))
            excused = frozenset()
    return calls


def _first(reader: TagReader, deal: Deal, calls: list[_Call]) -> tuple[str, list[_Call]]:
    """Return the seat of the first call, and the calls without the blank columns before them."""
    rules = deal.rules
    eldest = rules.eldest(deal.dealer)
    named = read_seat(reader.value("Auction") or eldest)
    if named not in rules.seats:
        reader.add(seat_unknown(rules, "Auction", named))
        return eldest, calls
    ahead = rules.in_turn(named).index(eldest)
    if all(text == "-" for text, _, _ in calls[:ahead]):
        return eldest, calls[ahead:]
    reader.fail(
        "auction-seat",
        f"{seat_label(named)} does not bid first, {seat_label(eldest)} does",
        "Auction",
        0,
        reader.names["Auction"].value,
        "hand files: the columns of Auction are the seats in order of play, and eldest bids first",
    )
    return named, calls


def _settle(reader: TagReader, terms: Contract, outcome: AuctionResult) -> Contract:
    """Complete the contract from the result of the auction, or report any disagreement."""
    passed = (reader.value("Contract") or "").lower() == "pass"
    if outcome.passed_out is not None or passed:
        if terms.ids or (passed and outcome.passed_out is None):
            _contradiction(reader, "Contract", outcome)
        return terms
    # A Contract tag may name any other contract that the auction leaves open.
    left = [outcome] if outcome.ids else []
    if terms.ids or not outcome.ids:
        left += outcome.alternatives
    # Partners are equal, so either may be called the declarer.
    left += [
        replace(result, declarers=(result.partner,), partner=result.declarers[0])
        for result in left
        if result.partner is not None
    ]
    for tag, agrees in _CHECKS:
        fitting = [result for result in left if agrees(terms, result)]
        if not fitting:
            _contradiction(reader, tag, outcome)
            return terms
        left = fitting
    if not outcome.ids and len(left) > 1:
        return terms
    settled = left[0]
    declarers, ids = terms.declarers, terms.ids
    if not ids or (not declarers and settled.declarers):
        declarers, ids = settled.declarers or declarers, settled.ids
    return Contract(
        declarers=declarers,
        ids=ids,
        trump=terms.trump or settled.trump or "",
        called=terms.called,
        partner=terms.partner or settled.partner,
        penalty=terms.penalty or settled.penalty,
        trump_by=terms.trump_by,
    )


def _contract_agrees(terms: Contract, settled: AuctionResult) -> bool:
    # In Nemo, everybody is a declarer, so the contract may be written once per player.
    if not settled.declarers:
        return not terms.ids or set(terms.ids) == set(settled.ids)
    return not terms.ids or sorted(terms.ids) == sorted(settled.ids)


def _declarer_agrees(terms: Contract, settled: AuctionResult) -> bool:
    if not terms.declarers or not settled.declarers:
        return True
    if len(terms.ids) != len(terms.declarers):
        return set(terms.declarers) == set(settled.declarers)
    return set(zip(terms.declarers, terms.ids, strict=True)) == set(
        zip(settled.declarers, settled.ids, strict=True)
    )


# If a tag and the auction both settle a value, they must agree.
_CHECKS: tuple[tuple[str, Callable[[Contract, AuctionResult], bool]], ...] = (
    ("Contract", _contract_agrees),
    ("Declarer", _declarer_agrees),
    ("Trump", lambda terms, end: not (terms.trump and end.trump) or terms.trump == end.trump),
    (
        "Partner",
        lambda terms, end: not (terms.partner and end.partner) or terms.partner == end.partner,
    ),
    (
        "Penalty",
        lambda terms, end: not (terms.penalty and end.penalty) or terms.penalty == end.penalty,
    ),
)


def _contradiction(reader: TagReader, tag: str, outcome: AuctionResult) -> None:
    choices = (outcome,) if outcome.ids or outcome.passed_out else outcome.alternatives
    says = " or ".join(_words(result) for result in choices)
    reader.add(
        finding(
            "contract-contradicts-auction",
            f"the auction ends with {says}",
            tag,
            "",
            "hand files: the contract follows from the auction",
        )
    )


def _words(settled: AuctionResult) -> str:
    if settled.passed_out is not None:
        return f"no contract: {settled.passed_out}"
    parts = [" ".join(settled.ids)]
    if settled.declarers:
        parts.append("by " + " ".join(settled.declarers))
    if settled.partner is not None:
        parts.append(f"with {settled.partner}")
    if settled.trump is not None:
        parts.append(f"in {settled.trump}")
    if settled.penalty is not None:
        parts.append(f"penalty {settled.penalty}")
    return " ".join(parts)


def _understood(deal: Deal, call: str) -> bool:
    """Return whether a call is a bid in the game, whichever player makes it."""
    bidding = deal.rules.bidding
    if bidding.cards is not None:
        return read_card(call) is not None
    return read_bid(deal, call) is not None
