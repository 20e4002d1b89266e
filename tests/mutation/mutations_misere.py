"""The rules of Misère: its bounds and the relaxed Misère game."""

from __future__ import annotations

from mutations_search import Mutation, search


def misere(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "bounds_misere.hpp", anchor, replacement, rule)


def proof(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "relaxed_proof.hpp", anchor, replacement, rule)


def relaxed(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "relaxed_misere.hpp", anchor, replacement, rule)


MISERE = (
    misere(
        "never-below",
        "if (smaller > rank) return false;",
        "if (smaller > rank + 1) return false;",
        "never wins: at most i - 1 foreign cards below the i-th lowest",
    ),
    misere(
        "never-longest",
        "left && rank < longest &&",
        "left && rank + 1 < longest &&",
        "never wins: so for every i up to the greatest foreign length",
    ),
    misere(
        "never-tricks",
        "if (longest > tricks) longest = tricks;",
        "if (longest >= tricks) longest = tricks - 1;",
        "never wins: and up to the number of tricks he must not win",
    ),
    misere(
        "never-limits",
        "found.at_most(o, j, counts.of[j][o]);",
        "",
        "never wins: what lies below is relevant",
    ),
    relaxed(
        "never-off-lead",
        "if (leaders != own() && never_wins",
        "if (never_wins",
        "never wins: the declarer is off lead",
    ),
    misere(
        "must-everybody",
        "forced = forced && counts.of[j][o];",
        "forced = forced && (!(leaders >> p & 1) || counts.of[j][o]);",
        "must win: every foreign holder of the suit has a lower card",
    ),
    misere(
        "must-all-suits",
        "if (!forced) return false;",
        "if (!forced) continue;",
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
        "suit.at_least(o, j, 1);",
        "",
        "must win: the lower cards are relevant",
    ),
    search(
        "must-one",
        "return too_many == 1 && harder_.must_win",
        "return harder_.must_win",
        "must win: one trick too many",
    ),
)

RELAXED_MISERE = (
    relaxed(
        "relaxed-leaders-in-key",
        "return {b_.lengths, leaders | b_.fifth << 11};",
        "return {b_.lengths, b_.fifth << 11};",
        "relaxed Misère game: who may lead is part of the key",
    ),
    relaxed(
        "relaxed-apart",
        "table_.store(shape(leaders), result, row",
        "table_.store(shape(leaders), true, row",
        "relaxed Misère game: proofs and refutations lie apart",
    ),
    relaxed(
        "relaxed-tricks",
        "row.bytes[0] = static_cast<u8>(need);",
        "row.bytes[0] = 0;",
        "relaxed Misère game: so many tricks proved are no more, refuted no fewer",
    ),
    relaxed(
        "relaxed-pay",
        "return inner(others(), tricks, need - 1, p);",
        "return true;",
        "relaxed Misère game: when the declarer has won, the others may pay a trick to lead",
    ),
    relaxed(
        "relaxed-followed",
        "won ? own() : after.followed,",
        "1u << after.best_player,",
        "relaxed Misère game: whoever of the others followed suit may lead",
    ),
    relaxed(
        "relaxed-last-leader",
        "led = led || ((leaders >> p & 1) && b_.length(p, suit));",
        "led = led || (lowest_index(leaders) == p && b_.length(p, suit));",
        "relaxed Misère game: to the last trick, the declarer's suit if anybody can",
    ),
    relaxed(
        "relaxed-last-rank",
        "proof.at_most(o, own_cards_[his], 0);",
        "",
        "relaxed Misère game: in the last trick, what beats the declarer is relevant",
    ),
    Mutation(
        "relaxed-last-before",
        "trick.hpp",
        "for (int i = P - 1; i > 0 && result; --i) {",
        "for (int i = 1; i < P && result; ++i) {",
        "relaxed games: of those with a suit, the last before the declarer leads it",
    ),
    Mutation(
        "relaxed-all-leads",
        "proof.hpp",
        "if (result) proof.add(more); else proof = more;",
        "proof = more;",
        "relaxed Misère game: the proofs of all leaders count",
    ),
    relaxed(
        "relaxed-lost",
        "proof.at_most(t.beaten_by, j, t.beaten_with);",
        "",
        "relaxed Misère game: that the declarer's card is beaten is relevant",
    ),
    relaxed(
        "relaxed-beaten-before",
        "after.beaten_with = t.place[after.beaten_by] - 1;",
        "after.beaten_with = t.place[after.beaten_by];",
        "relaxed Misère game: the card that beats his stays above it",
    ),
    relaxed(
        "relaxed-beaten-after",
        "after.beaten_with = t.counts->of[own_cards_[t.his]][other(player)];",
        "after.beaten_with = place(b_.hands[player], card) - 1;",
        "relaxed Misère game: played after his, so do all that could be played instead",
    ),
    relaxed(
        "relaxed-beaten-first",
        "if (K > 0 && t.best_player == declarer_) {",
        "if (K > 0 && t.his) {",
        "relaxed Misère game: the first card to beat his counts, others may be left out",
    ),
    proof(
        "relaxed-counted",
        "now = static_cast<u8>(now + (place <= now + 1));",
        "now = static_cast<u8>(now + 1);",
        "relaxed Misère game: a card played was counted only where it lay below",
    ),
    relaxed(
        "relaxed-instead-higher",
        "if (was <= limit && limit < now) --limit;",
        ";",
        "relaxed Misère game: the higher card instead was not counted where the lower one was",
    ),
    relaxed(
        "relaxed-instead-beats",
        "limit = beaten;",
        ";",
        "relaxed Misère game: the lower card instead must beat his as well",
    ),
    relaxed(
        "relaxed-instead-stands",
        "const int beaten = as < t.best ? 0 : now - 1;",
        "const int beaten = now - 1;",
        "relaxed Misère game: and so must those that it stands for",
    ),
    relaxed(
        "relaxed-instead-limits",
        "if (t.counts->of[j][o] > limit) return false;",
        "",
        "relaxed Misère game: the limits for the card instead hold in this position",
    ),
    relaxed(
        "relaxed-discards",
        "return tops(left);",
        "return highest(left);",
        "relaxed Misère game: a discard may be of any suit",
    ),
    relaxed(
        "relaxed-under",
        "return highest(under) | (t.his",
        "return (over ? 0 : highest(under)) | (t.his",
        "relaxed Misère game: below the best card or above it makes a difference",
    ),
    relaxed(
        "relaxed-over",
        "(t.his ? highest(over) : over)",
        "highest(over)",
        "relaxed Misère game: before the declarer plays, so does how high",
    ),
    relaxed(
        "relaxed-settled",
        "if (lost) return",
        "if (t.his) return",
        "relaxed Misère game: the trick ends the same only if the declarer has lost it",
    ),
)
