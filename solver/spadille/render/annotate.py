"""Writes results into a hand file: OptimumResultTable, OptimumPlayTable, and reviews.

In a review, a card that costs something gets the PBN sign for a poor card, $8, or, if it costs the
contract, $10 for a very poor one, and a comment that begins with "spadille:". The choice to stop or
go on after the first run of tricks also gets a comment. New marks replace those of an earlier
review; nothing else in the file changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from spadille.analysis.contracts.table import Table
from spadille.analysis.review.card_costs import Judged, ReviewedCard
from spadille.analysis.review.review_result import Review
from spadille.base.card_text import format_hand
from spadille.base.errors import SpadilleError
from spadille.pbn.document import Document, PbnGame, Tag

_SIGNS = {"?": 8, "??": 10}
# Putting a file into canonical form may turn spaces into line breaks.
_OURS = re.compile(r"(?<!\s)\s*(?:\$(?:8|10)\s*)?\{spadille:\s[^{}]*\}")
_CARD = re.compile(r"[^\s!?{};]+[!?]{0,2}")
_RESULTS = r"Declarer;Denomination\2R;Result\2R;Contract;Called;Makes;Margin"
_PLAY = r"S\8R;H\8R;D\8R;C\8R"
_MOST_CARDS = 4
_WIDTH = 100  # PBN lines hold 255 characters, shared with other cards


def annotate(game: PbnGame, places: Sequence[tuple[int, int]], review: Review) -> None:
    """Write a review's marks after the cards in the Play section.

    `places` are line and column of each card (see `RecordedPlay`). A section inherited from another
    game belongs to that game and is not changed. Raises SpadilleError if a comment before the
    section is never closed, because the first new comment would close it and hide the deals in
    between.
    """
    tag = game.own("Play")
    if tag is None or game.names.get("Play") is not tag:
        return
    old = {match.start(): match for match in _OURS.finditer(tag.document.source, *_extent(tag))}
    new = dict(_notes(tag, places, review))
    opened = _unclosed(tag.document)
    if opened is not None and any(tag.document.position(start) > opened for start in new):
        line, _ = opened
        raise SpadilleError(
            f"no comment can be written here: the comment in line {line} is never closed",
            "comment-unclosed",
        )
    for start in sorted(old.keys() | new.keys()):
        before, text = old.get(start), new.get(start, "")
        if before is None:
            tag.document.edit(start, start, text)
        elif before.group().split() != text.split():
            tag.document.edit(start, before.end(), text)


def _unclosed(document: Document) -> tuple[int, int] | None:
    """Return the line and column of a comment that is never closed."""
    for game in document.games:
        for fault in game.faults:
            if fault.code == "comment-unclosed" and fault.line and fault.column:
                return fault.line, fault.column
    return None


def write_result_table(game: PbnGame, table: Table) -> None:
    """Write a table into a hand file as OptimumResultTable.

    For a contract with a called card, only the best call is written; if there is a partner but no
    called card, Called has the partner's seat. The denomination of an open trump is "-".
    """
    lines = [
        " ".join(
            (
                row.declarer,
                f"{row.trump or '-':<2}",
                f"{'-' if row.tricks is None else row.tricks:>2}",
                f"{row.contract:<18}",
                f"{row.called or row.partner or row.penalty or '-':<2}",
                {True: "yes", False: "no ", None: "-  "}[row.makes],
                "-" if row.margin is None else f"{row.margin:+d}",
            )
        )
        for row in table.rows
        if row.best or not row.called
    ]
    game.set_section("OptimumResultTable", _RESULTS, lines)


def write_play_table(game: PbnGame, review: Review) -> None:
    """Write the best cards at each step as OptimumPlayTable (PBN 5.6), a row for each card.

    The review must have been made with `every`. With several declarers, a declarer's best cards are
    the best for their own contract; a defender's best cards are those that give nothing away.
    """
    rows = []
    for step in review.steps:
        suits = format_hand(_best(review, step)).split(".")
        rows.append(" ".join(f"{ranks or '-':>8}" for ranks in suits))
    game.set_section("OptimumPlayTable", _PLAY, rows)


def concerns(review: Review, step: ReviewedCard) -> list[str]:
    """List the declarers whose values are used to judge a player's card."""
    if review.several and step.seat in step.contractors:
        return [step.seat]
    return list(step.contractors)


def best_of(review: Review, step: ReviewedCard) -> dict[str, tuple[str, ...]]:
    """Return the better cards by declarer, if this card cost something."""
    return {seat: step[seat].best for seat in concerns(review, step) if step[seat].cost}


def _extent(tag: Tag) -> tuple[int, int]:
    """Return the offsets of the start and end of a section, including the comments after it."""
    document = tag.document
    for game in document.games:
        if game.own(tag.name) is tag:
            later = [other.start for other in game.tags if other.start > tag.start]
            return tag.end, min([*later, game.end])
    return tag.end, tag.body_end


def _notes(
    tag: Tag, places: Sequence[tuple[int, int]], review: Review
) -> Iterator[tuple[int, str]]:
    offsets = {tag.document.position(offset): offset for _, offset in tag.play_tokens()}
    for number, (place, step) in enumerate(zip(places, review.steps, strict=False)):
        parts = [*_choices(review, number), *_text(review, number, step)]
        if not parts:
            continue
        card = _CARD.match(tag.document.source, offsets[place])
        assert card is not None
        sign = f" ${_SIGNS[step.mark]}" if step.mark else ""
        text = f"{{spadille: {'. '.join(['; '.join(parts), *_why(review, step)])}}}"
        lines = wrap(text, _WIDTH, break_on_hyphens=False)
        yield card.end(), f"{sign} {tag.document.newline.join(lines)}"


def _choices(review: Review, number: int) -> Iterator[str]:
    """Describe the choice to stop or go on, for the card at which it is made."""
    for decision in review.decisions:
        stopped, went_on = decision.payoffs["stopped"], decision.payoffs["went_on"]
        if decision.card == number:
            yield f"goes on for all {decision.target} tricks: {went_on:+d}, to stop {stopped:+d}"
        elif decision.card is None and number == len(review.steps) - 1:
            yield f"stops here: {stopped:+d}, to go on {went_on:+d}"


def _text(review: Review, number: int, step: ReviewedCard) -> list[str]:
    parts = []
    for seat, better in best_of(review, step).items():
        moved = step[seat]
        who = f"{seat} " if review.several else ""
        more = " .." if len(better) > _MOST_CARDS else ""
        parts.append(
            f"{who}{moved.before} to {moved.after}, better {' '.join(better[:_MOST_CARDS])}{more}"
        )
    if step.judged and step.judged.verdict != "fine":
        parts.append(_judged(step.judged))
    if any(account.turning_point == number for account in review.accounts.values()):
        parts.append("the turning point")
    return parts


def _judged(judged: Judged) -> str:
    """Describe how good a card was, based on what its player knew."""
    known = "" if judged.verdict == "unlucky" else f", best was {judged.best}"
    return f"{judged.verdict}: made in {100 * judged.made:.0f}% of the layouts{known}"


def _why(review: Review, step: ReviewedCard) -> list[str]:
    """Describe how the other side profits; with several declarers, do so for each."""
    return [
        f"For {seat}: {refutation.words}" if review.several else refutation.words
        for seat, refutation in step.refutations.items()
    ]


def _best(review: Review, step: ReviewedCard) -> set[str]:
    return set.intersection(*(set(step[seat].best) for seat in concerns(review, step)))
