// The relaxed Misère game: Misère made harder for the declarer, and far easier to search.
//
// When the declarer has lost a trick, the others choose which of those who followed suit leads
// next. When the declarer has won one, either the declarer leads, as in Misère, or the others pay
// for the lead: the trick then counts as if they had won it. The others can still do everything
// they could in Misère, so a limit on the declarer's tricks that holds here also holds there. It no
// longer matters which of the others wins a trick, and a proof depends only on the cards around the
// declarer's. Only proofs for the declarer are used: a refutation here settles nothing in Misère.
//
// Lower cards are better for the others and higher ones worse for the declarer. Suppose that
// position Y is the same as X, except that the declarer has a higher card in some suit, or one of
// the others a lower one. Then the declarer takes at least as many tricks in Y. To see this, play
// in Y as in X, with the changed card in place of the original one. The declarer wins each trick in
// Y that the declarer wins in X, the possible leaders stay the same, and for a trick won only in Y,
// the others pay to lead as in X.
//
// So a result holds wherever the counts of relaxed_misere_limits.hpp stay within limits. Translate
// the play of X by position: for the i-th lowest card of a hand's suit in X, Y plays the i-th
// lowest.
#pragma once

#include "never_wins.hpp"
#include "move_order_misere.hpp"
#include "proof_cards.hpp"
#include "solver_memory.hpp"

namespace spadille::SPADILLE_ISA {

template <int P>
class RelaxedMisere {
public:
    // This includes all assumptions of the bounds that it uses.
    static constexpr unsigned kAssumes = kFreePlay | kRanksDoNotBind | kNeverWinsAssumes;

    RelaxedMisere(const Problem& p, int declarer, SolverMemory& memory)
        : declarer_(declarer), own_cards_(p.hands[declarer]), table_(memory.relaxed),
          hints_(memory.hints), clock_(memory.clock) {}
    RelaxedMisere(const RelaxedMisere&) = delete;
    RelaxedMisere& operator=(const RelaxedMisere&) = delete;

    // Whether the others win at least `need` of the tricks here, when one of `leaders` leads.
    // `below` receives the declarer's cards on which this depends, together with all below them.
    bool holds(const Board<P>& board, u32 leaders, int tricks, int need, u64& below) {
        b_ = board;
        Proof proof;
        if (!inner(leaders, tricks, need, Counts<P>(b_, declarer_, own_cards_), proof))
            return false;
        below = limited(board, proof);
        return true;
    }

    // The same after `leader`, one of the others, leads `card`.
    bool holds_after(const Board<P>& board, int leader, u64 card, int tricks, int need,
                     u64& below) {
        b_ = board;
        const Counts<P> counts(b_, declarer_, own_cards_);
        Play t;
        t.leader = leader;
        t.tricks = tricks;
        t.state = need;  // rule: relaxed-after-need
        t.counts = &counts;
        t.dangers.see(b_, declarer_, b_.hands[declarer_]);
        Proof proof;
        if (!try_card<0>(t, leader, card, proof)) return false;
        below = limited(board, proof);  // rule: relaxed-after-limits
        return true;
    }

private:
    using Proof = RelaxedProof;
    using Row = RelaxedTable::Row;
    static_assert(kOthers * (1 + kMaxTricks) <= sizeof(Row::bytes), "the tricks, then the counts");

    struct Play : BoundTrick {
        const CountTable* counts = nullptr;  // when the trick began
        u8 suit[kOthers] = {};  // the cards the others have played
        u8 place[kOthers] = {};
        Dangers dangers;
        int beaten_by = 0;  // the first of them to beat the declarer's card
        int beaten_with = 0;  // valid as long as this player has at most this many cards below it
    };

    u32 own() const { return 1u << declarer_; }
    u32 others() const { return ((1u << P) - 1) ^ own(); }
    int player(int other) const { return Counts<P>::player(declarer_, other); }
    int other(int player) const { return player - declarer_ - 1 + (player < declarer_ ? P : 0); }
    static int place(u64 hand, u64 card) {
        return 1 + popcount(hand & (card - 1) & lane(suit_of(lowest_index(card))));
    }

    u64 limited(const Board<P>& board, const Proof& proof) const {
        u64 out = 0;
        for (u64 left = board.hands[declarer_]; left; left &= left - 1)
            for (int o = 0; o < P - 1; ++o)
                if (proof.of[own_cards_[left]][o] != kNoLimit) out |= lowest(left);
        return out;
    }

    // A new trick, to which one of `leaders` leads.
    bool lead(u32 leaders, int tricks, int need, const CountTable& counts, Proof& proof) {
        clock_.tick();
        if (tricks == 1) return last_trick(leaders, proof);
        const u64 outer = b_.all;
        b_.all = 0;
        for (const u64 hand : b_.hands) b_.all |= hand;
        bool result = inner(leaders, tricks, need, counts, proof);
        if (result && leaders == own() && need > 1)
            result =
                // rule: relaxed-pay
                and_also(proof,
                         [&](Proof& p) { return inner(others(), tricks, need - 1, counts, p); });
        b_.all = outer;
        return result;
    }

    // Each hand has one card; the declarer's suit is led if possible.
    bool last_trick(u32 leaders, Proof& proof) const {
        const u64 his = b_.hands[declarer_];
        const int suit = suit_of(lowest_index(his));
        bool led = false;
        // rule: relaxed-last-leader
        for (int p = 0; p < P; ++p) led = led || ((leaders >> p & 1) && b_.length(p, suit));
        if (!led) return true;
        for (int o = 0; o < P - 1; ++o) {
            const u64 card = b_.hands[player(o)] & lane(suit);
            if (card > his) {
                proof = Proof();
                proof.at_most(o, own_cards_[his], 0);  // rule: relaxed-last-rank
                return true;
            }
            if (card) proof.at_least(o, own_cards_[his], 1);
        }
        return false;
    }

    bool inner(u32 leaders, int tricks, int need, const CountTable& counts, Proof& proof) {
        const Asked asked(*this, counts, tricks, need);
        // If a limit holds no matter which of the others leads, it also holds for these leaders.
        const bool some = leaders != own() && leaders != others();
        RelaxedTable::Lists of_all;
        if (some) {
            of_all = table_.find(shape(others()));
            if (known(of_all, true, asked, proof)) return true;
        }
        const RelaxedTable::Lists lists = table_.find(shape(leaders));
        if (known(lists, true, asked, proof)) return true;
        if (known(lists, false, asked, proof)) return false;
        // rule: never-off-lead
        if (leaders != own() && never_wins<P>(b_, declarer_, own_cards_, counts, need, proof))
            return true;
        Proof wide;
        if (some && !known(of_all, false, asked, wide) && searched(others(), asked, wide)) {
            proof = wide;
            return true;
        }
        return searched(leaders, asked, proof);
    }

    // A question, with its rows for the table.
    struct Asked {
        const CountTable& counts;
        int tricks, need;
        int units;
        Row rows[2];  // for refutations and for proofs

        Asked(const RelaxedMisere& game, const CountTable& c, int tricks_left, int needed)
            : counts(c), tricks(tricks_left), need(needed) {
            std::memset(rows[1].bytes, 0, sizeof rows[1].bytes);
            units = game.fill(rows[1], need, counts);
            for (std::size_t i = 0; i < sizeof rows[0].bytes; ++i)
                rows[0].bytes[i] = static_cast<u8>(255 - rows[1].bytes[i]);
        }
    };

    // rule: relaxed-leaders-in-key
    Shape shape(u32 leaders) const { return {b_.lengths, leaders | b_.fifth << 11}; }

    bool known(const RelaxedTable::Lists& lists, bool proved, const Asked& asked, Proof& proof) {
        Row limits;
        if (!table_.probe(lists.head[proved], asked.rows[proved], asked.units, limits))
            return false;
        const u8* at = limits.bytes;
        for (u64 left = b_.hands[declarer_]; left; left &= left - 1)
            std::memcpy(proof.of[own_cards_[left]], at += kOthers, kOthers);
        return true;
    }

    bool searched(u32 leaders, const Asked& asked, Proof& proof) {
        Play t;
        t.leader = declarer_;
        t.tricks = asked.tricks;
        t.state = asked.need;
        t.counts = &asked.counts;
        t.dangers.see(b_, declarer_, b_.hands[declarer_]);
        const auto holds = [&](Proof& p) { return node<0>(t, p); };
        const bool result = leaders == own() ? holds(proof)
                                             : any_lead(b_, declarer_, leaders, t,
                                                        [&] { return and_also(proof, holds); });
        Row row;
        std::memset(row.bytes, kNoLimit, sizeof row.bytes);
        fill(row, result ? asked.need : 255 - asked.need, proof);
        // rule: relaxed-apart
        table_.store(shape(leaders), result, row, asked.units, asked.tricks);
        return result;
    }

    // Fills a row of the table: the tricks needed, then the numbers for each of the declarer's
    // cards. Returns its length in units.
    int fill(Row& row, int need, const CountTable& numbers) const {
        row.bytes[0] = static_cast<u8>(need);  // rule: relaxed-tricks
        u8* at = row.bytes;
        for (u64 left = b_.hands[declarer_]; left; left &= left - 1)
            std::memcpy(at += kOthers, numbers.of[own_cards_[left]], kOthers);
        const int used = static_cast<int>(at - row.bytes) + kOthers;
        return (used + RelaxedTable::kUnit - 1) / RelaxedTable::kUnit;
    }

    // The player who plays the K-th card (from 0) of the trick chooses.
    template <int K>
    bool node(const Play& t, Proof& proof) {
        if constexpr (K > 0) clock_.tick();
        const int player = next<P>(t.leader, K);
        const bool wants = player == declarer_;
        const u64 hand = b_.hands[player];
        u64 left = K == 0 ? hand & t.lanes : hand & t.led ? hand & t.led : hand;
        if constexpr (K > 0) left = undominated<K>(t, player, left);
        if (!(left & (left - 1))) {
            proof = Proof();
            return try_card<K>(t, player, left, proof);
        }
        const Hints::Place hint = hints_.at(hint_key(b_, player, t, 0));
        MisereOrder<P, K> order;
        u64 card = hint.card() & left;
        Proof all;
        for (;;) {
            if (!card) {
                if (!order.rated())
                    order.rate(b_, t, player, declarer_, t.dangers, left, kRelaxedMisereWeights);
                card = order.best(left);
            }
            left ^= card;
            Proof p;
            const bool result = try_card<K>(t, player, card, p);
            if (result == wants) {
                hint.note(card);
                proof = p;
                return result;
            }
            all.add(p);
            for (u64 rest = left & lane(suit_of(lowest_index(card))); rest; rest &= rest - 1) {
                const u64 as = lowest(rest);
                Proof q = p;
                if (wants ? !same_of_his(t, card, as, q) : !same_of_others(t, player, card, as, q))
                    continue;
                left ^= as;
                all.add(q);
            }
            if (!left) break;
            card = 0;
        }
        proof = all;
        return !wants;
    }

    // The cards of `left` worth trying. If several cards of a suit lead to the same result of the
    // trick in every position within the limits, the highest is the best. This is true below the
    // winning card. It is also true when the declarer has already lost, because only the first card
    // that beats the declarer's card matters.
    template <int K>
    u64 undominated(const Play& t, int player, u64 left) const {
        const auto tops = [](u64 cards) {
            u64 out = 0;
            for (int s = 0; s < 4; ++s) out |= highest(cards & lane(s));
            return out;
        };
        // rule: relaxed-discards
        if (!(left & t.led)) return tops(left);  // a discard changes no trick
        const u64 under = left & (t.best - 1), over = left & ~(t.best - 1);
        // the declarer loses with all of `under`
        if (player == declarer_) return highest(under) | over;
        const bool lost = t.his ? t.best_player != declarer_ : !(b_.hands[declarer_] & t.led);
        if (lost) return highest(left);  // rule: relaxed-settled
        // rule: relaxed-under, relaxed-over
        return highest(under) | (t.his ? highest(over) : over);
    }

    // `q` proves the declarer's limit after one of the others plays `card`. Returns whether it does
    // so with changed limits for `as`, a card of the same suit, and puts these into `q`.
    bool same_of_others(const Play& t, int player, u64 card, u64 as, Proof& q) const {
        const int s = suit_of(lowest_index(card)), o = other(player);
        const int was = place(b_.hands[player], card), now = place(b_.hands[player], as);
        // The card may be the one that beat the declarer's. Then the other card, and those below it
        // that are skipped because of it, must also beat the declarer's.
        const int beaten = as < t.best ? 0 : now - 1;  // rule: relaxed-instead-stands
        for (int j = own_cards_.first(s); j < own_cards_.end(s); ++j) {
            int limit = q.of[j][o];
            if (limit == kNoLimit) continue;
            if (now > was) {
                // rule: relaxed-instead-higher
                if (was <= limit && limit < now) --limit;  // the card was counted, the other is not
            } else if (limit < was && limit > beaten) {
                limit = beaten;  // rule: relaxed-instead-beats
            }
            if (t.counts->of[j][o] > limit) return false;  // rule: relaxed-instead-limits
            q.of[j][o] = static_cast<u8>(limit);
        }
        return true;
    }

    // Likewise, `q` refutes the declarer's limit after `card`, one of the declarer's cards.
    bool same_of_his(const Play& t, u64 card, u64 as, Proof& q) const {
        const int s = suit_of(lowest_index(card));
        const int was = own_cards_[card], now = own_cards_[as];
        if (as < card) {
            // If the card had to win, the lower one must win, too. The remaining cards are higher.
            for (int o = 0; o < P - 1; ++o)
                if (q.of[was][o] < q.of[now][o]) q.of[now][o] = q.of[was][o];
        } else {
            // The card takes the place of the next card, which takes the place of the one after it,
            // and so on up to the other card.
            int last = was;
            for (u64 up = b_.hands[declarer_] & lane(s) & ~(card | (card - 1)); last != now;
                 up &= up - 1) {
                for (int o = 0; o < P - 1; ++o) q.of[last][o] = q.of[own_cards_[up]][o];
                last = own_cards_[up];
            }
            for (int o = 0; o < P - 1; ++o) q.of[now][o] = kNoLimit;
        }
        for (int j = own_cards_.first(s); j < own_cards_.end(s); ++j)
            for (int o = 0; o < P - 1; ++o)
                if (q.of[j][o] != kNoLimit && 255 - t.counts->of[j][o] > q.of[j][o]) return false;
        return true;
    }

    template <int K>
    bool try_card(const Play& t, int player, u64 card, Proof& proof) {
        Play after = t;
        if (player == declarer_) after.his = card;
        else note(after, player, card);
        const bool follows = K == 0 || (card & t.led);
        if constexpr (K == 0) {
            after.led = lane(suit_of(lowest_index(card)));
            after.first = card;
        }
        if (follows && card > t.best) {
            if (K > 0 && t.best_player == declarer_) {  // rule: relaxed-beaten-first
                // Any card of this player that is not below the declarer's beats it.
                after.beaten_by = other(player);
                // rule: relaxed-beaten-after
                after.beaten_with = t.counts->of[own_cards_[t.his]][other(player)];
            }
            after.best = card;
            after.best_player = player;
        } else if (follows && player == declarer_) {
            after.beaten_by = other(t.best_player);
            after.beaten_with = t.place[after.beaten_by] - 1;  // rule: relaxed-beaten-before
        }
        b_.take(player, card);
        if constexpr (K + 1 < P)
            if (player == declarer_) after.dangers.see(b_, declarer_, card);
        bool result;
        if constexpr (K + 1 < P) {
            result = node<K + 1>(after, proof);
        } else {
            const bool won = after.best_player == declarer_;
            const u32 leaders = won ? own() : after.followed;  // rule: relaxed-followed
            const int need = t.state - !won, tricks = t.tricks - 1;
            result = need <= 0;
            if (!result && need <= tricks) {
                const CountTable under = own_cards_.under(after.suit, after.place);
                result = lead(leaders, tricks, need, t.counts->after(under), proof);
                proof.before(result, under);
            }
            rest_on_trick(after, result, won, proof);
        }
        b_.put(player, card);
        return result;
    }

    void note(Play& t, int player, u64 card) const {
        const int o = other(player);
        t.suit[o] = static_cast<u8>(suit_of(lowest_index(card)));
        t.place[o] = static_cast<u8>(place(b_.hands[player], card));
        if (!t.led || (card & t.led)) t.followed |= 1u << player;
    }

    // In a proof, a trick the declarer lost must stay lost; in a refutation, a trick the declarer
    // won must stay won. The opposite changes keep the result.
    void rest_on_trick(const Play& t, bool result, bool won, Proof& proof) const {
        if (result == won || !(t.his & t.led)) return;
        const int j = own_cards_[t.his];
        if (result) proof.at_most(t.beaten_by, j, t.beaten_with);  // rule: relaxed-lost
        for (int o = 0; o < P - 1 && won; ++o)
            if (lane(t.suit[o]) == t.led) proof.at_least(o, j, t.place[o]);
    }

    Board<P> b_;
    const int declarer_;
    const OwnCards own_cards_;
    RelaxedTable& table_;
    Hints& hints_;
    Clock& clock_;
};

}  // namespace spadille::SPADILLE_ISA
