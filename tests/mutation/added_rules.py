"""Add rules of following suit to a copy of the engine, and compare it with brute force.

    python -m tests.mutation.added_rules [--endings N]

No game has these rules. Each removes a freedom that some bound, relaxed game or equivalence relies
on (csrc/following.hpp). An engine that declares the restriction must be right in every ending, and
one that does not must be wrong in some; otherwise the endings prove nothing, and the exit status is
1. Needs what mutate_search.py needs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import namedtuple
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from spadille.games.model.following_suit import Following
from spadille.search.engine_problem import EngineProblem
from tests.mutation.mutate_search import Builder, load

Patches = dict[str, dict[str, str]]  # file -> code that occurs once -> its replacement
# The names begin with "added", so that they cannot be those of rules that some game has.
ADDED = ("added_no_trump_lead", "added_must_ruff", "added_must_head")
LAST = Following._fields[-1]
PATCHES: Patches = {
    "following.hpp": {
        "    bool operator==": "".join(f"    bool {name} = false;\n" for name in ADDED)
        + "    bool operator==",
        f'{{"{LAST}", &Following::{LAST}}}': ", ".join(
            f'{{"{name}", &Following::{name}}}' for name in (LAST, *ADDED)
        ),
        "u64 leads(u64 hand) const {": """u64 leads(u64 hand) const {
        const u64 cards = any_lead(hand);
        return rules.added_no_trump_lead && (cards & ~b.trumps) ? cards & ~b.trumps : cards;
    }

    u64 any_lead(u64 hand) const {""",
        "u64 legal(u64 hand, const Trick& t) const {": """
    u64 legal(u64 hand, const Trick& t) const {
        u64 cards = any_card(hand, t);
        if (rules.added_must_ruff && !(cards & t.led) && (cards & b.trumps)) cards &= b.trumps;
        const u64 best = lane(suit_of(lowest_index(t.best)));
        const u64 over = (best & ~(t.best | (t.best - 1))) | (best == b.trumps ? 0 : b.trumps);
        return rules.added_must_head && (cards & over) ? cards & over : cards;
    }

    u64 any_card(u64 hand, const Trick& t) const {""",
    },
}
DECLARED: Patches = {
    "following.hpp": {
        "constexpr unsigned freedoms() const {": """
    constexpr unsigned freedoms() const {
        unsigned granted = freedoms_of_the_games();
        if (added_no_trump_lead) granted &= ~kAnyLead;
        if (added_must_ruff) granted &= ~kAnyDiscard;
        if (added_must_head) granted &= ~(kAnyOfTheSuit | kAnyDiscard | kRanksDoNotBind);
        return granted;
    }
    constexpr unsigned freedoms_of_the_games() const {"""
    }
}


# `Following` with the added rules.
Bound: Any = namedtuple("Bound", [*Following._fields, *ADDED], defaults=[False] * len(ADDED))  # type: ignore[misc]
BINDING = tuple({name: True} for name in ADDED)


def patched(folder: Path, patches: Patches) -> None:
    """Replace code in files; raise ValueError unless each piece occurs exactly once."""
    for name, pieces in patches.items():
        text = (folder / name).read_text()
        for code, replacement in pieces.items():
            if text.count(code) != 1:
                raise ValueError(f"{name}: {code!r} is there {text.count(code)} times")
            text = text.replace(code, replacement)
        (folder / name).write_text(text)


def legal_when_bound(p: EngineProblem, hand: int, trick: tuple[int, ...], free: int) -> int:
    """Return the cards that stay legal under the added rules."""
    from tests.support import brute_force

    assert isinstance(p.following, Bound)
    cards = list(brute_force.cards_of(free))
    trumps = [card for card in cards if card >> 4 == p.trump]
    if not trick:
        chosen = (
            [card for card in cards if card not in trumps]
            if p.following.added_no_trump_lead
            else []
        )
    else:
        chosen = cards
        if p.following.added_must_ruff and not any(card >> 4 == trick[0] >> 4 for card in cards):
            chosen = trumps or cards
        if p.following.added_must_head:

            def heads(card: int) -> bool:
                return brute_force.winner(p, 0, (*trick, card)) == len(trick)

            chosen = [card for card in chosen if heads(card)] or chosen
    return sum(1 << card for card in chosen or cards)


def rights() -> Iterator[bool]:
    """Yield whether the engine is right about an ending, for each added rule in turn."""
    from tests.support import brute_force
    from tests.support.dense_positions import Case
    from tests.support.engine_questions import KINDS, Asker, askers, interleaved, judged

    free = brute_force.legal

    def legal(p: EngineProblem, hand: int, trick: tuple[int, ...]) -> int:
        return legal_when_bound(p, hand, trick, free(p, hand, trick))

    def bound(case: Case, rules: dict[str, bool]) -> Case:
        following = Bound(*case.problem.following, **rules)
        problem = case.problem._replace(following=following)  # type: ignore[arg-type]
        return Case(**{**vars(case), "problem": problem})

    kept: dict[int, tuple[Asker, ...]] = {}
    cases = interleaved(2026, batch=50, chunk=25)
    brute_force.legal, judge_free = legal, brute_force.legal
    try:
        for number, case in enumerate(cases):
            nth = number % len(BINDING)
            asked = bound(case, BINDING[nth])
            expected = judged(asked, ["cards", KINDS[1 + number // 75 % (len(KINDS) - 1)]])
            asker = kept.setdefault(nth, askers(plain=True))
            yield not [kind for one in asker for kind in one.wrong(asked, expected)]
    finally:
        brute_force.legal = judge_free


def is_right(engine: Path, endings: int) -> bool:
    """Ask an engine in a separate process, since an assertion may end it."""
    command = [sys.executable, "-m", "tests.mutation.added_rules"]
    command += ["--ask", str(engine), "--endings", str(endings)]
    done = subprocess.run(command, capture_output=True, text=True)
    print(done.stdout.strip() or done.stderr.strip().splitlines()[-1], flush=True)
    return not done.returncode


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--endings", type=int, default=5_000)
    parser.add_argument("--ask", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        load(options.ask)
        found = list(islice(rights(), options.endings))
        print(f"{found.count(False)} of {len(found)} endings wrong")
        return int(not all(found))
    with tempfile.TemporaryDirectory() as name:
        builder = Builder(Path(name), lambda sources: patched(sources, PATCHES))
        print("An engine that does not declare which freedoms the rules take: ", end="")
        silent = is_right(builder.engine(), options.endings)
        print("One that declares them: ", end="")
        declared = builder.rebuilt("declared", lambda sources: patched(sources, DECLARED))
        return int(silent or not is_right(declared, options.endings))


if __name__ == "__main__":
    raise SystemExit(main())
