// The relaxed lone game: the tricks of a lone player made harder to get for him, and far easier to
// search.
//
// When the others have won a trick, any of them who ruffed it may lead next, or, if nobody did, any
// who followed suit, as they like; and if the lone player's card was of the suit of the winning
// one, they may give him the trick instead: it is his, and he leads.  They can always do what they
// could in the real play, so the tricks he is sure of here he is sure of there.  Who of the others
// wins no longer matters.  Only what is proved for him is used: a refutation here settles nothing
// in the real play.
//
// Higher cards are better for the others and lower ones worse for him: let Y be a position that
// differs from X in that he has a lower card of some suit, or one of the others a higher one.  Then
// he takes in Y no more tricks than in X.  For let the changed card be played as the other would
// be.  Suits are followed and ruffed as in X, the others win each trick in Y that they win in X,
// and a trick they win only in Y is one they may give to him.  (Exempt matadors and called cards
// would spoil this.)
//
// So of the tricks in a proof that he takes his, only those he wins are relevant: with all his
// other cards at the bottom of their suits he could play the same.  Of those in a refutation, only
// the ones that a higher card than his has won.
#pragma once

#include "bounds.hpp"
#include "relaxed_table.hpp"
#include "trick.hpp"

namespace spadille::SPADILLE_ISA {

constexpr unsigned kRelaxedLoneAssumes = kFreePlay | kRanksDoNotBind;

// The cards of `left` that need a try in the relaxed lone game, `declarer` being alone: where the
// trick ends the same, the lowest card of a suit is best played.  A table entry that rests on this
// holds wherever it matches: with his irrelevant cards at the bottom (in a refutation right below
// the relevant ones) the trick ends the same with a card left out as with the one tried.
template <int P, int K>
u64 undominated_lone(const Board<P>& b, const BoundTrick& t, int player, int declarer, u64 left) {
    const bool played = t.his, lost = played && t.best_player != declarer;
    const u64 his = b.hands[declarer];
    // rule: lone-game-contested, lone-game-contested-led
    const u64 contested = played ? ~0ull : his & t.led ? t.led : his & b.trumps ? b.trumps : 0;
    u64 out = 0;
    for (int s = 0; s < 4; ++s) {
        const u64 cards = left & lane(s);
        const u64 over = t.best & lane(s) ? cards & ~(t.best | (t.best - 1)) : cards & b.trumps;
        const u64 under = cards & ~over;
        if (player == declarer) out |= lowest(under) | (K + 1 == P ? lowest(over) : over);
        else if (lost || !(contested & lane(s))) out |= lowest(cards);  // rule: lone-game-lost
        // rule: lone-game-over, lone-game-beat
        else out |= lowest(under) | (played ? lowest(over) : over);
    }
    return out;
}

// The counterpart of RealGame (game.hpp).
template <int P>
struct LoneGame {
    using Play = BoundTrick;
    static constexpr bool kExact = false;

    int declarer;

    void add(BoundTrick& t, int player, u64 card, u64 trumps) const {
        t.add(player, card, trumps, declarer);
    }

    u64 leads(const BoundTrick& t) const { return t.lanes; }

    // Those of the others who may lead next when the declarer has not won; he beside them if they
    // may give him the trick.
    u32 next_leaders(const BoundTrick& t) const {
        const u32 own = 1u << declarer;
        if (t.best_player == declarer) return own;
        return t.followed | (t.contests() ? own : 0);  // rule: lone-game-followed
    }

    // The declarer may as well win the trick, or in a refutation lose it.
    bool rests_on_winner(const BoundTrick& t, bool result) const {
        const bool won = t.best_player == declarer;
        return won == result && (won || t.contests());  // rule: lone-game-won
    }

    template <int K>
    u64 undominated(const Board<P>& b, const BoundTrick& t, int player, u64 left) const {
        return undominated_lone<P, K>(b, t, player, declarer, left);
    }
};

// Tells its shapes from those of the relaxed Misère game in the same table.
constexpr u32 kLoneShape = 1 << kMaxPlayers;
static_assert(kLoneShape < 1 << 11, "the fifth hand lies above it");

// What a result rests on, as limits of the counts: how many cards each of the others has above each
// of his.  Greater counts are never better for him.  That he takes his tricks rests on upper limits
// where his card is relevant; that he does not on lower ones, of the relevant cards above each of
// his.  All are kept as upper limits, lower ones as what they lack of 255, in rows of the table:
// the tricks asked for, then the counts of each of his cards.
template <int P>
class LoneCounts {
public:
    using Row = RelaxedTable::Row;
    static_assert(1 + kMaxTricks * (P - 1) <= sizeof(Row::bytes), "the tricks, then the counts");

    LoneCounts(const Board<P>& board, int declarer, int need) : b(board), declarer_(declarer) {
        proved_.bytes[0] = static_cast<u8>(need);
        each([&](int at, u64, u64 above) { proved_.bytes[at] = static_cast<u8>(popcount(above)); });
        for (std::size_t i = 0; i < sizeof proved_.bytes; ++i)
            refuted_.bytes[i] = static_cast<u8>(255 - proved_.bytes[i]);
    }

    int units() const {
        return (1 + popcount(b.hands[declarer_]) * (P - 1) + RelaxedTable::kUnit - 1) /
               RelaxedTable::kUnit;
    }

    // The counts as they are compared with the limits of proofs, or of refutations.
    const Row& row(bool proved) const { return proved ? proved_ : refuted_; }

    // The limits of a result that rests on these cards.
    Row limits(bool proved, u64 cards) const {
        Row out;
        std::memset(out.bytes, 255, sizeof out.bytes);
        out.bytes[0] = row(proved).bytes[0];
        each([&](int at, u64 card, u64 above) {
            if (!proved) out.bytes[at] = static_cast<u8>(255 - popcount(above & cards));
            else if (card & cards) out.bytes[at] = proved_.bytes[at];  // rule: lone-game-limits
        });
        return out;
    }

    // The cards that limits the position keeps rest on, together with all above them.
    u64 relevant(const Row& limits, bool proved) const {
        u64 out = 0;
        each([&](int at, u64 card, u64 above) {
            const u8 limit = limits.bytes[at];
            if (limit == 255) return;
            if (proved) out |= card;  // rule: lone-game-relevant
            else out |= nth_highest(above, 255 - limit);
        });
        return out;
    }

private:
    // Each of his cards, with the cards that each of the others has above it.
    template <class Use>
    void each(Use use) const {
        int at = 1;
        for (u64 left = b.hands[declarer_]; left; left &= left - 1) {
            const u64 card = lowest(left);
            const u64 over = lane(suit_of(lowest_index(card))) & ~(card | (card - 1));
            for (int p = 0; p < P; ++p)
                if (p != declarer_) use(at++, card, b.hands[p] & over);
        }
    }

    const Board<P>& b;
    const int declarer_;
    Row proved_{}, refuted_;
};

}  // namespace spadille::SPADILLE_ISA
