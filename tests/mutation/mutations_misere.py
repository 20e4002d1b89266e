"""Mutations of Misère: its bounds and the relaxed Misère game."""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation

MISERE = (
    Mutation(
        "never-below",
        "rank",
        "rank + 1",
        "never wins: at most i - 1 foreign cards below the i-th lowest",
    ),
    Mutation(
        "never-longest",
        "rank",
        "rank + 1",
        "never wins: this holds for every i up to the greatest foreign length",
    ),
    Mutation(
        "never-tricks",
        "(longest > tricks) longest = tricks",
        "(longest >= tricks) longest = tricks - 1",
        "never wins: this holds for every i up to the number of tricks the declarer must not win",
    ),
    Mutation(
        "never-limits",
        "limits.at_most(o, j, counts.of[j][o]);",
        "",
        "never wins: the cards below are relevant",
    ),
    Mutation(
        "never-off-lead",
        "leaders != own() &&",
        "",
        "never wins: the declarer is off lead",
    ),
)

RELAXED_MISERE = (
    Mutation(
        "relaxed-leaders-in-key",
        "leaders |",
        "",
        "relaxed Misère: the players who may lead are part of the key",
    ),
    Mutation(
        "relaxed-apart",
        "result",
        "true",
        "relaxed Misère: proofs and refutations are stored separately",
    ),
    Mutation(
        "relaxed-tricks",
        "static_cast<u8>(need)",
        "0",
        "relaxed Misère: a proof of n tricks proves no more, a refutation refutes no fewer",
    ),
    Mutation(
        "relaxed-pay",
        "inner(others(), tricks, need - 1, counts, p)",
        "true",
        "relaxed Misère: when the declarer has won, the others may pay a trick to lead",
    ),
    Mutation(
        "relaxed-after-need",
        "t.state = need;",
        "t.state = need - 1;",
        "relaxed Misère: a lead does not change the number of tricks needed",
    ),
    Mutation(
        "relaxed-after-limits",
        "below = limited(board, proof);",
        "below = 0;",
        "relaxed Misère: a result after a lead also depends on the declarer's cards",
    ),
    Mutation(
        "relaxed-followed",
        "won ? own() : after.followed",
        "1u << after.best_player",
        "relaxed Misère: any of the others who followed suit may lead",
    ),
    Mutation(
        "relaxed-last-leader",
        "(leaders >> p & 1)",
        "lowest_index(leaders) == p",
        "relaxed Misère: the declarer's suit is led to the last trick if possible",
    ),
    Mutation(
        "relaxed-last-rank",
        "proof.at_most(o, own_cards_[his], 0);",
        "",
        "relaxed Misère: in the last trick, the card that beats the declarer's is relevant",
    ),
    Mutation(
        "relaxed-last-before",
        "P - 1; i > 0 && result; --",
        "1; i < P && result; ++",
        "relaxed games: of the players who hold a suit, the last one before the declarer leads it",
    ),
    Mutation(
        "relaxed-all-leads",
        "if (result) proof.add(more); else",
        "",
        "relaxed Misère: the proof includes the proofs for all leaders",
    ),
    Mutation(
        "relaxed-lost",
        "proof.at_most(t.beaten_by, j, t.beaten_with);",
        "",
        "relaxed Misère: it is relevant that the declarer's card is beaten",
    ),
    Mutation(
        "relaxed-beaten-before",
        "[after.beaten_by] - 1",
        "[after.beaten_by]",
        "relaxed Misère: the card that beats the declarer's stays above it",
    ),
    Mutation(
        "relaxed-beaten-after",
        "t.counts->of[own_cards_[t.his]][other(player)]",
        "place(b_.hands[player], card) - 1",
        "relaxed Misère: all replacements played after the declarer's card beat it, too",
    ),
    Mutation(
        "relaxed-beaten-first",
        "best_player == declarer_",
        "his",
        "relaxed Misère: the first card to beat the declarer's counts; others may be left out",
    ),
    Mutation(
        "relaxed-counted",
        "below <= limit",
        "below != kOtherSuit",
        "relaxed Misère: a played card was counted only if it was below the declarer's",
    ),
    Mutation(
        "relaxed-instead-higher",
        "if (was <= limit && limit < now) --limit",
        "",
        "relaxed Misère: a higher card in place of another is not counted in its place",
    ),
    Mutation(
        "relaxed-instead-beats",
        "limit = beaten",
        "",
        "relaxed Misère: a lower card in place of another must also beat the declarer's",
    ),
    Mutation(
        "relaxed-instead-stands",
        "as < t.best ? 0 :",
        "",
        "relaxed Misère: cards that a lower card then represents must beat the declarer's, too",
    ),
    Mutation(
        "relaxed-instead-limits",
        "if (t.counts->of[j][o] > limit) return false;",
        "",
        "relaxed Misère: the limits for a card in place of another hold in this position",
    ),
    Mutation(
        "relaxed-discards",
        "tops",
        "highest",
        "relaxed Misère: a discard may be of any suit",
    ),
    Mutation(
        "relaxed-under",
        "highest(under)",
        "(over ? 0 : highest(under))",
        "relaxed Misère: it matters whether a card is below or above the winning card",
    ),
    Mutation(
        "relaxed-over",
        "(t.his ? highest(over) : over)",
        "highest(over)",
        "relaxed Misère: before the declarer plays, its rank matters too",
    ),
    Mutation(
        "relaxed-settled",
        "lost",
        "t.his",
        "relaxed Misère: all cards of a suit are equal only if the declarer has lost",
    ),
)
