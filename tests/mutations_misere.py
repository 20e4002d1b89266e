"""The rules of Misère: its bounds and the loose game."""

from __future__ import annotations

from mutations_search import Mutation, search


def misere(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "bounds_misere.hpp", anchor, replacement, rule)


def loose(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "loose.hpp", anchor, replacement, rule)


MISERE = (
    misere(
        "never-below",
        "if (smaller > rank++) return false;",
        "if (smaller > ++rank) return false;",
        "never wins: at most i - 1 foreign cards below the i-th lowest",
    ),
    misere(
        "never-longest",
        "left && rank < longest;",
        "left && rank + 1 < longest;",
        "never wins: so for every i up to the greatest foreign length",
    ),
    misere(
        "never-tricks",
        "if (longest > tricks) longest = tricks;",
        "if (longest >= tricks) longest = tricks - 1;",
        "never wins: and up to the number of tricks he must not win",
    ),
    misere("never-rank", "proof |= last;", "", "never wins: what it rests on is relevant"),
    search(
        "never-off-lead",
        "if (leaders != own() && never_wins",
        "if (never_wins",
        "never wins: the declarer is off lead",
    ),
    misere(
        "must-everybody",
        "forced = forced && (b.hands[p] & lane(s) & (card - 1));",
        "forced = forced && (!(leaders >> p & 1) || (b.hands[p] & lane(s) & (card - 1)));",
        "must win: every foreign holder of the suit has a lower card",
    ),
    misere(
        "must-all-suits",
        "if (!forced) return false;\n            proof |= card;",
        "if (!forced) continue;\n            proof |= card;",
        "must win: on lead, in all suits",
    ),
    misere(
        "must-suit-led",
        "bool led = on_lead, forced = true;",
        "bool led = true, forced = true;",
        "must win: off lead, in a suit of the leader's",
    ),
    misere(
        "must-rank",
        "below = card;\n            return true;",
        "return true;",
        "must win: what it rests on is relevant",
    ),
    search(
        "must-one",
        "if (too_many == 1 && must_win",
        "if (must_win",
        "must win: one trick too many",
    ),
)

LOOSE = (
    search(
        "loose-leaders-in-key",
        "7 | leaders << 27",
        "7",
        "loose game: who may lead is part of the key",
    ),
    search(
        "loose-apart",
        "kBound ? 7 | leaders << 27 :",
        "",
        "bounding games: their proofs are not those of the game they bound",
    ),
    search(
        "loose-lead-again",
        "if (result && leaders == own())",
        "if (false)",
        "loose game: when the declarer has won, the others may lead",
    ),
    search(
        "loose-followed",
        "return t.followed | (kGifts",
        "return (kLoose ? 1u << t.best_player : t.followed) | (kGifts",
        "loose game: whoever of the others followed suit may lead",
    ),
    search(
        "loose-last-leader",
        "if ((leaders >> p & 1) && b_.length(p, suit)) leader = p;",
        ";",
        "loose game: to the last trick, the declarer's suit if anybody can",
    ),
    search(
        "loose-last-before",
        "for (int i = P - 1; i > 0 && result; --i) {",
        "for (int i = 1; i < P && result; ++i) {",
        "loose game: of those with a suit, the last before the declarer leads it",
    ),
    search(
        "loose-all-leads",
        "if (result) proof.add(more); else proof = more;",
        "proof = more;",
        "loose game: the proofs of all leaders count",
    ),
    search(
        "loose-his-card",
        "proof.down |= t.his & t.led;",
        "",
        "loose game: the declarer's card that loses is relevant",
    ),
    loose(
        "loose-discards",
        "return tops(left);",
        "return highest(left);",
        "loose game: a discard may be of any suit",
    ),
    loose(
        "loose-under",
        "return highest(under) | (played",
        "return (over ? 0 : highest(under)) | (played",
        "loose game: below the best card or above it makes a difference",
    ),
    loose(
        "loose-over",
        "(played ? highest(over) : over)",
        "highest(over)",
        "loose game: before the declarer plays, so does how high",
    ),
    loose(
        "loose-lost",
        "if (lost) return",
        "if (played) return",
        "loose game: the trick ends the same only if the declarer has lost it",
    ),
)
