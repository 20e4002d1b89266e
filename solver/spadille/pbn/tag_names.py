"""The known tag names, and a search for the one that a misspelled name probably means.

Programs have their own tags, so an unknown name is not a fault. A name that differs from a known
one by a letter, or by two swapped letters, is probably a typing mistake. No two tags of PBN 2.1 are
that similar.
"""

from __future__ import annotations

from collections.abc import Iterator

# fmt: off
OURS = (
    "Game", "Rules", "Board", "Dealer", "Deal", "Talon", "CurrentTrump", "TurnUp", "Pool",
    "Declarer", "Contract", "Trump", "Called", "Partner", "Penalty", "Drawn", "Discard", "FromHand",
    "Surrender", "Leader", "Won", "TrumpBy", "Auction", "Play", "Result", "OptimumResultTable",
    "OptimumPlayTable", "Tricks", "Question", "Key", "Method", "Theme", "Difficulty", "Paid",
    "Player1", "Player2", "Player3", "Player4", "Player5",
)
OF_CONTRACT = (
    "Declarer", "Contract", "Trump", "Called", "Partner", "Penalty", "TrumpBy", "Auction", "Play",
    "Result", "Tricks", "Paid",
)
SAME_EVENING = (
    "Event", "Site", "Date", "West", "North", "East", "South",
    "Player1", "Player2", "Player3", "Player4", "Player5",
)
# fmt: on


def meant_tag(name: str) -> str | None:
    """Return the known tag that `name` probably misspells, or None for any other name."""
    if name in OURS or len(name) > _LONGEST:
        return None
    return next((_NEAR[form] for form in _shortened(name) if form in _NEAR), None)


def _shortened(name: str) -> Iterator[str]:
    """Yield a name in lower case, then with each letter removed in turn.

    Similar names have at least one of these forms in common.
    """
    word = name.lower()
    yield word
    yield from (word[:at] + word[at + 1 :] for at in range(len(word)))


_LONGEST = max(map(len, OURS)) + 1
_NEAR = {form: name for name in OURS if len(name) > 3 for form in _shortened(name)}
