// The relaxed lone game: a lone player's game, made harder for that player (the declarer) and far
// easier to search.
//
// When the others have won a trick, they choose the next leader among those who ruffed it or, if
// nobody did, among those who followed suit. If the declarer's card was of the winning suit, only
// players who beat it may lead, and the others may also give the trick to the declarer, who then
// counts it and leads. The others can still do everything they could in the actual play, so the
// tricks the declarer is sure of here are also sure there. It no longer matters which of their own
// cards is the highest. Only proofs for the declarer are used: a refutation here settles nothing in
// the actual play.
//
// Higher cards are better for the others, and lower ones worse for the declarer. Suppose that
// position Y is the same as X, except that the declarer has a lower card in some suit, or one of
// the others a higher one. Then the declarer takes no more tricks in Y than in X. To see this, play
// in Y as in X, with the changed card in place of the original one. Suits are followed and ruffed
// as in X, the cards that beat the declarer's in X beat it in Y, so the same players may lead, and
// the others may give away a trick that they win only in Y. (Exempt matadors and called cards would
// break this.)
//
// So in a proof that the declarer takes the tricks, only the declarer's cards that win them, or
// that keep one of the others from leading, are relevant: with all other cards at the bottom of
// their suits, the declarer could play the same way. In a refutation, only the others' cards that
// beat a card of the declarer's suit are relevant.
//
// A static bound may settle a position here even if it holds only in the actual play: the proof
// then relaxes only the tricks before this position. But the bound must hold for each of the
// possible leaders, and it must still hold if cards of the others become lower. `one_trick` meets
// both conditions, although it can fail in the relaxed game, in which the declarer may have to
// throw one of two top cards before the others choose the next leader, and so the suit. The trump
// endgame has special rules for this game, because a lower trump could save its holder from having
// to lead.
#pragma once

#include "quick_tricks.hpp"
#include "relaxed_table.hpp"
#include "trick.hpp"

namespace spadille::SPADILLE_ISA {

constexpr unsigned kRelaxedLoneAssumes = kFreePlay | kRanksDoNotBind;

// A trick of the relaxed lone game.
struct LoneTrick : BoundTrick {
    u64 of[kMaxPlayers] = {};  // the cards of the others

    void add(int player, u64 card, u64 trumps, int declarer) {
        if (player != declarer) of[player] = card;
        BoundTrick::add(player, card, trumps, declarer);
    }

    // The others who may lead next, if the declarer has not won.
    u32 beaters() const {
        u32 out = followed;
        if (!contests()) return out;
        for (u32 left = followed; left; left &= left - 1)  // rule: lone-game-beaters
            if (of[lowest_index(left)] < his) out ^= left & (0 - left);
        return out;
    }

    // The cards on which it depends who may lead next.
    u64 decides_leader(bool result) const {
        if (best == his || !contests()) return 0;
        const u32 beaters = this->beaters();
        if (result) return beaters != followed ? his : 0;  // rule: lone-game-excluded
        u64 cards = 0;
        for (u32 left = beaters; left; left &= left - 1) cards |= of[lowest_index(left)];
        return cards;  // rule: lone-game-beating
    }
};

// The cards of `left` worth trying in the relaxed lone game against the lone `declarer`: if several
// cards of a suit lead to the same result of the trick, the lowest is the best. A table entry that
// relies on this is valid wherever it matches: if the declarer's irrelevant cards are at the bottom
// (in a refutation, right below the relevant ones), the trick ends the same way with a skipped card
// as with the one tried. In the led suit and in trumps, all of the declarer's losing cards are
// tried, because a higher one may keep a player from leading.
template <int P, int K>
u64 undominated_lone(const Board<P>& b, const LoneTrick& t, int player, int declarer, u64 left) {
    const u64 hand = b.hands[declarer];
    // The declarer's cards that may be of the winning suit.
    // rule: lone-game-contested, lone-game-contested-led
    const u64 his = t.his ? t.his : hand & t.led ? hand & t.led : hand & b.trumps;
    u64 out = 0;
    for (int s = 0; s < 4; ++s) {
        const u64 cards = left & lane(s);
        if (player == declarer) {
            const u64 over = t.best & lane(s) ? cards & ~(t.best | (t.best - 1)) : cards & b.trumps;
            const u64 under = cards & ~over;
            out |= (lane(s) & (t.led | b.trumps) ? under : lowest(under)) |
                   (K + 1 == P ? lowest(over) : over);
            continue;
        }
        // The lowest of those that beat the same of the declarer's cards.
        for (u64 rest = cards; rest;) {
            const u64 card = lowest(rest), next = lowest(his & lane(s) & ~(card - 1));
            out |= card;
            rest &= next ? ~(next - 1) : 0;  // rule: lone-game-beat
        }
    }
    return out;
}

// The counterpart of RealGame (real_game.hpp).
template <int P>
struct LoneGame {
    using Play = LoneTrick;
    static constexpr bool kExact = false;

    int declarer;

    void add(LoneTrick& t, int player, u64 card, u64 trumps) const {
        t.add(player, card, trumps, declarer);
    }

    u64 leads(const LoneTrick& t) const { return t.lanes; }

    // The players who may lead next when the declarer has not won. They include the declarer if the
    // others may give away the trick.
    u32 next_leaders(const LoneTrick& t) const {
        const u32 own = 1u << declarer;
        if (t.best_player == declarer) return own;
        return t.beaters() | (t.contests() ? own : 0);  // rule: lone-game-followed
    }

    // The result also holds if the declarer wins the trick (in a refutation, loses it).
    bool rests_on_winner(const LoneTrick& t, bool result) const {
        const bool won = t.best_player == declarer;
        return won == result && (won || t.contests());  // rule: lone-game-won
    }

    template <int K>
    u64 undominated(const Board<P>& b, const LoneTrick& t, int player, u64 left) const {
        return undominated_lone<P, K>(b, t, player, declarer, left);
    }
};

// Distinguishes the shapes of this game from those of the relaxed Misère game in the same table.
constexpr u32 kLoneShape = 1 << kMaxPlayers;
static_assert(kLoneShape < 1 << 11, "the fifth hand lies above it");

// The limits on the counts within which a result is valid. A count is the number of cards that one
// of the others holds above one of the declarer's cards. Greater counts are never better for the
// declarer. A proof that the declarer takes the tricks depends on upper limits on that number for
// the declarer's relevant cards. A refutation depends on lower limits on the number of relevant
// cards above each of the declarer's. All are stored as upper limits; lower limits are stored as
// their difference from 255. A row of the table has the tricks asked for, then the counts for each
// of the declarer's cards.
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

    // The counts in the form that is compared with the limits of proofs, or of refutations.
    const Row& row(bool proved) const { return proved ? proved_ : refuted_; }

    // The limits of a result that depends on these cards.
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

    // The cards on which the given limits depend, together with all cards above them; the position
    // satisfies these limits.
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
    // Calls `use` with each of the declarer's cards and the cards that each of the others has above
    // it.
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
