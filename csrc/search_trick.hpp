// Within a trick: tries the cards of the player to move, and records what the answer depends on.
#pragma once

#include "search.hpp"

namespace spadille::SPADILLE_ISA {

// The player who plays the K-th card (from 0) of the trick chooses.
template <int P, class Goal, template <int> class Game>
template <int K>
bool Search<P, Goal, Game>::node(const Play& t, Proof& proof, u64 lost) {
    if constexpr (K > 0) clock_.tick();
    const int player = next<P>(t.leader, K);
    const bool wants = side_ >> player & 1;
    const u64 hand = b_.hands[player];
    u64 left = K == 0 ? follow_.leads(hand) & ~lost : follow_.legal(hand, t);
    if constexpr (K == 0) left &= game_.leads(t);
    const u64 always = (b_.matadors & b_.all) | b_.called;
    if (!(left & (left - 1))) {
        proof = Proof();  // there are no other cards to skip
        const bool result = try_card<K>(t, player, left, proof);
        raise_winner(left, hand & ~always, result == wants, proof);  // rule: forced-winner
        return result;
    }
    left &= ~equivalents(b_, follow_.rules, left, b_.all);  // rule: trick-separates-equivalents
    if constexpr (K > 0) left = game_.template undominated<K>(b_, t, player, left);
    Hints::Place hint;
    u64 hinted = 0;
    if (left & (left - 1)) {
        hint = hints_.at(hint_key(b_, player, t, kNumber ? t.state : 0));
        hinted = hint.card() & left;
    }
    assert(left);
    Rated<K> order;
    int tries = 0;
    Proof all;
    for (;;) {
        const u64 card = choose<K>(t, player, left, hinted, tries++, order);
        left ^= card;
        Proof p;
        const bool result = try_card<K>(t, player, card, p);
        raise_winner(card, hand & ~always, result == wants, p);
        if (result == wants) {
            hint.note(card);
            proof = p;
            return result;
        }
        // rule: skip-always-relevant, skip-winner-relevant
        const u64 relevant = covered(p, b_.all) | close_up(p.won, b_.all);
        if (!(relevant & card)) {  // rule: skip-irrelevant-only
            // The rank of this card did not matter. The same result holds for the other cards
            // of its suit in this hand whose ranks also did not matter.
            const u64 before = left;
            left &= ~(lane(suit_of(lowest_index(card))) & ~relevant);  // rule: skip-to-relevant
            // A skipped card represents its equivalents above it: if one of these matters, so does
            // the skipped card.
            for (u64 out = before & ~left; out; out &= out - 1)  // rule: skipped-run
                if (relevant & top_of_run(lowest(out), hand & ~always, b_.all)) p.up |= lowest(out);
            // If an equivalent card above had been played, this card would have taken its place.
            // rule: all-node-run
            if (relevant & top_of_run(card, hand & ~always, b_.all)) p.up |= card;
        }
        all.add(p);  // rule: all-node-union
        if (!left) break;
    }
    proof = all;
    return !wants;
}

// The next card to try. A hint comes first, and the others are rated only if it fails. If the last
// player can follow suit, a fixed rule takes the place of ratings.
template <int P, class Goal, template <int> class Game>
template <int K>
u64 Search<P, Goal, Game>::choose(const Play& t, int player, u64 left, u64 hinted, int tries,
                                  Rated<K>& order) const {
    if (!(left & (left - 1))) return left;
    const bool wants = side_ >> player & 1;
    if constexpr (K + 1 == P && !kMisere) {
        const u32 good = wants ? goal_.credited() : ~goal_.credited();
        if (left & t.led) return last_answer(t, good >> t.best_player & 1, left, hinted);
    }
    if (!tries && hinted) return hinted;
    if (order.rated()) {
        if (const u64 card = order.best(left)) return card;
        order.forget();
    }
    if constexpr (Goal::kSeesCards && K > 0)
        order.mark(marked_, wants != (side_ >> t.best_player & 1));
    if constexpr (kMisere) {
        Dangers dangers;
        dangers.see(b_, declarer_, left & ~t.led);
        order.rate(b_, t, player, declarer_, dangers, left, kMisereWeights);
    } else {
        const u32 friends = wants ? side_ : ~side_;
        const u32 good = wants ? goal_.credited() : ~goal_.credited();
        order.rate(b_, t, {player, friends, good, left}, *weights_[wants]);
    }
    return order.first();
}

// Looks up a position within a trick in the table of such positions.
template <int P, class Goal, template <int> class Game>
SPADILLE_APART bool Search<P, Goal, Game>::known_within(const Play& t, bool& result, Proof& proof) {
    const u32 head = within_.find({b_.lengths, rest_within(b_, t, b_.held() | t.best)});
    if (!head) return false;
    const Owners<P, kPlanes<P> + 1> owners(b_, t.best);
    u64 mask = 0;
    u32 known = 0;
    if (!within_.probe(head, owners.planes, owners.summary, mask, known,
                       [&](u32 entry) { return goal_.answers(entry, t.state, result); }))
        return false;
    goal_.answers(known, t.state, result);
    proof.limits() = Goal::limits(known);  // rule: within-limits
    split<kLow>(mask, owners.all, proof);
    return true;
}

// Stores an answer: the last card played fails, and its player still has all other cards to try.
// Refuting one card depends on fewer cards than refuting them all, so the answer is useful even if
// the position before the trick is new.
template <int P, class Goal, template <int> class Game>
SPADILLE_APART void Search<P, Goal, Game>::keep_within(const Play& t, bool result, Proof proof) {
    const Owners<P, kPlanes<P> + 1> owners(b_, t.best);
    proof.up |= proof.won;  // rule: within-won
    auto pattern = owners.pattern(covered(proof, owners.all));
    const auto add = [&](u32& entry) { return goal_.add(entry, result, t.state, proof.limits()); };
    pattern.known = Goal::kUnknown;
    pattern.tricks = static_cast<u16>(t.tricks);
    add(pattern.known);
    within_.template store<true>({b_.lengths, rest_within(b_, t, owners.all)}, pattern, add);
}

template <int P, class Goal, template <int> class Game>
template <int K>
SPADILLE_INLINE bool Search<P, Goal, Game>::try_card(const Play& t, int player, u64 card,
                                                     Proof& proof) {
    Play after = t;
    add(after, player, card);
    const auto before = b_.play(player, card);
    bool result;
    if constexpr (K + 1 < P) {
        const bool keeps = Game<P>::kExact && t.tricks > 2 && clock_.late(K + 1) &&
                           grants(kProofsAssume) && tells_within(b_, after);
        if (!keeps || !known_within(after, result, proof)) {
            result = false;
            if constexpr (kMisere && K == 0) {
                // The relaxed game failed before the lead, but may succeed after this card. The
                // declarer's own leads have all been tried there.
                if (player != declarer_ && grants(Harder::kAssumes)) {
                    b_.undo(player, card, before);
                    result = harder_.holds_after(b_, player, card, t.tricks, t.state, proof.down);
                    b_.play(player, card);
                }
            }
            if (!result) {
                if (K == 0 && !short_)  // the hints of a short game stay in the cache
                    for (int i = 1; i < P; ++i)
                        hints_.fetch(hint_line(b_, next<P>(player, i), player, after.led));
                result = node<K + 1>(after, proof);
            }
            if (keeps && result != (side_ >> player & 1)) keep_within(after, result, proof);
        }
    } else {
        // rule: marked-merged
        const int state = goal_.after(t.state, after.best_player, after.marked);
        result = lead(game_.next_leaders(after), t.tricks - 1, state, proof);
        goal_.before(result, after.best_player, after.marked, proof.limits());
        rest_on_winner(after, result, proof);  // rule: winner-relevant
        if constexpr (kLone) proof.up |= after.decides_leader(result);
    }
    b_.undo(player, card, before);
    return result;
}

}  // namespace spadille::SPADILLE_ISA
