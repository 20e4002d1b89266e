"""Mutations of the search itself: proofs, the table, following suit, goals."""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation

PROOFS = (
    Mutation(
        "symmetric-pairs",
        "if (!pairs || sides.credited != sides.side) return;",
        "",
        "positions are rotated only if two pairs play against each other",
    ),
    Mutation(
        "symmetric-no-trump",
        "if (p.trump >= 0 || p.called) return;",
        "if (p.called) return;",
        "positions are rotated only at no trump",
    ),
    Mutation(
        "symmetric-state",
        "exchanged ? tricks + 1 - state : state",
        "state",
        "a rotation that exchanges the pairs replaces the wanted tricks by those of the other pair",
    ),
    Mutation(
        "symmetric-cards",
        "rotation.suits_back(found.up)",
        "found.up",
        "the proof of a rotated position is rotated back",
    ),
    Mutation(
        "lost-leads",
        "proof.add(lost.proof);",
        "{}",
        "leads that a bound refutes: the proof includes their refutations",
    ),
    Mutation(
        "matadors-in-mask",
        "(all & b.matadors) |",
        "",
        "the owners of all remaining matadors belong to every mask",
    ),
    Mutation(
        "called-in-mask",
        "| b.called",
        "",
        "the owner of the called card belongs to every mask",
    ),
    Mutation(
        "matadors-in-key",
        "| static_cast<u32>(popcount(b.matadors & all)) << 3",
        "",
        "the number of matadors left is part of the key",
    ),
    Mutation(
        "called-rank-in-key",
        "above",
        "0 * above",
        "the called card's rank from the top is part of the key",
    ),
    Mutation(
        "called-in-key",
        "b.called",
        "false",
        "whether a called card is out, and of which suit, is part of the key",
    ),
    Mutation(
        "leader-in-key",
        "static_cast<u32>(leader)",
        "0u",
        "the leader is part of the key",
    ),
    Mutation(
        "fifth-hand-in-key",
        "| b.fifth << 11",
        "",
        "the suit lengths of the fifth hand are part of the key",
    ),
    Mutation(
        "winner-relevant",
        "rest_on_winner(after, result, proof);",
        "",
        "the winning card of a contested trick is relevant",
    ),
    Mutation(
        "last-winner-relevant",
        "rest_on_winner(t, result, proof);",
        "",
        "the winning card is also relevant in the last trick",
    ),
    Mutation(
        "closed-upward",
        "covered(proof, b_.all)",
        "proof.up | proof.down | (b_.all & b_.matadors) | b_.called",
        "relevance is closed before it is stored",
    ),
    Mutation(
        "closed-downward",
        "close_down(p.down, all)",
        "p.down",
        "Misère: relevance from below is closed downward",
    ),
    Mutation(
        "split-downward",
        "proof.down |= cards & below_gap;",
        "",
        "Misère: a stored mask restores its cards from below",
    ),
    Mutation(
        "split-upward",
        "proof.up |= cards & ~below_gap;",
        "",
        "Misère: a stored mask restores its cards from above",
    ),
    Mutation(
        "all-node-run",
        "if (relevant & top_of_run(card, hand & ~always, b_.all)) p.up |= card;",
        "",
        "at an all-node, relevance that touches a run extends to its end",
    ),
    Mutation(
        "skipped-run",
        "if (relevant & top_of_run(lowest(out), hand & ~always, b_.all)) p.up |= lowest(out)",
        "",
        "relevance extends in the same way in runs of skipped cards",
    ),
    Mutation(
        "all-node-union",
        ".add(p)",
        "= p",
        "at an all-node, the proofs of all cards count",
    ),
    Mutation(
        "skip-always-relevant",
        "covered(p, b_.all) | close_up(p.won, b_.all)",
        "close_up(p.up | p.won, b_.all) | close_down(p.down, b_.all)",
        "skipping respects the cards that are always relevant",
    ),
    Mutation(
        "skip-winner-relevant",
        "| close_up(p.won, b_.all)",
        "",
        "cards above the one that wins the trick are not skipped",
    ),
    Mutation(
        "winner-of-equivalents-needed-later",
        "& ~needed",
        "",
        "the highest equivalent wins the trick only if those above are not needed later",
    ),
    Mutation(
        "forced-winner",
        "raise_winner(left, hand & ~always, result == wants, proof);",
        "",
        "the card that wins the trick also matters if its player had no other",
    ),
    Mutation(
        "winner-chosen",
        "succeeds",
        "true",
        "the winner's rank counts as that of its highest equivalent only if its player chose it",
    ),
    Mutation(
        "winner-without-equivalents",
        "if (!(card & own)) return card;",
        "",
        "a matador or called card that wins has no equivalents above",
    ),
    Mutation(
        "skip-irrelevant-only",
        "!(relevant & card)",
        "true",
        "cards are skipped only after a card whose rank does not matter",
    ),
    Mutation(
        "skip-to-relevant",
        "(lane(suit_of(lowest_index(card))) & ~relevant)",
        "lane(suit_of(lowest_index(card)))",
        "cards whose rank matters are not skipped",
    ),
)

EQUIVALENCE = (
    Mutation(
        "matador-ordinary-equivalents",
        "(b.matadors & all) |",
        "",
        "a matador and the ordinary trump below it are not equivalent",
    ),
    Mutation(
        "called-equivalents",
        "(b.matadors & all) | b.called",
        "b.matadors & all",
        "the called card is not equivalent to its neighbors",
    ),
    Mutation(
        "trick-separates-equivalents",
        "all",
        "held()",
        "the cards of the current trick separate equivalent cards",
    ),
)

FOLLOWING = (
    Mutation(
        "called-duty-ends",
        "if (card == called) called = called_lane = 0;",
        "",
        "the called card's duty ends when it is played",
    ),
    Mutation(
        "called-led-first",
        "(hand & b.called) && !rules.free_called_lead",
        "false",
        "the holder of the called card may lead its suit only with that card",
    ),
    Mutation(
        "called-follows",
        "if (t.led & b.called & hand) return b.called;",
        "",
        "the holder of the called card must follow suit with it",
    ),
    Mutation(
        "called-no-discard",
        "if (rules.early_discard || hand == b.called)",
        "",
        "the called card cannot be discarded",
    ),
    Mutation(
        "privilege",
        "if (!(suit & ~b.matadors) && exempt(suit, t)) return thrown(hand);",
        "",
        "matadors may be kept from a trump lead",
    ),
    Mutation(
        "higher-matador-compels",
        "if (rules.matador_rule == MatadorRule::any_matador_led)",
        "",
        "`matador_rule=higher-only`: a led matador compels only lower ones",
    ),
    Mutation(
        "trigger",
        "rules.highest_so_far ? t.best :",
        "",
        "`matador_trigger=highest-so-far`: the highest trump so far compels",
    ),
    Mutation(
        "free-unless-all-lower",
        "rules.free_unless_all_lower ? highest(matadors) > against :",
        "",
        "`mixed_matadors=free-unless-all-lower`: several matadors are bound only if all are lower",
    ),
)


SHARING = tuple(
    Mutation(
        f"shared-{what}",
        field,
        same,
        f"a table is not shared between different {rule}",
    )
    for what, field, same, rule in (
        ("trump", "p.trump", "0", "trumps"),
        ("sides", "sides", "Sides{}", "sides, or credited players"),
        ("goal", "goal", "nullptr", "goals (horizons, payoffs, thresholds)"),
        ("penalty", "marked", "0", "penalty suits"),
        ("needs", "needs", "0", "kinds of needs"),
        ("following", "p.following", "Following{}", "rules of following suit"),
    )
)
