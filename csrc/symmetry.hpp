// The symmetries of a deal without trumps for two pairs: rotations of the seats that, together with
// an exchange of suits, change no hand.
//
// The search rotates a position so that the player with the lowest possible number leads. In the
// table, one entry then serves up to four positions. Deals composed to be hard are often symmetric;
// random deals practically never are.
#pragma once

#include "board.hpp"

namespace spadille::SPADILLE_ISA {

// A rotation of the seats: every hand moves `places` seats on, and the suits are exchanged.
struct Rotation {
    int places = 0;
    u8 to[4] = {};  // the new place of each suit

    // Whether each pair gets the hands of the other. A question about n of t tricks for one pair
    // then becomes a question about t + 1 - n tricks for the other, with the opposite answer.
    bool exchanges_pairs() const { return places & 1; }

    void apply(Board<4>& b) const {
        const Board<4> before = b;
        for (int i = 0; i < 4; ++i) b.hands[next<4>(i, places)] = suits(before.hands[i]);
        b.all = suits(before.all);
        const u64 kept = (kEach << (4 * places)) - kEach;  // the bits that do not wrap around
        const u64 up = before.lengths << (4 * places) & ~kept;
        b.lengths = suits(up | (before.lengths >> (16 - 4 * places) & kept));
    }

    u64 suits(u64 cards) const {
        u64 out = 0;
        for (int s = 0; s < 4; ++s) out |= (cards >> (16 * s) & 0xFFFF) << (16 * to[s]);
        return out;
    }

    u64 suits_back(u64 cards) const {
        u64 out = 0;
        for (int s = 0; s < 4; ++s) out |= (cards >> (16 * to[s]) & 0xFFFF) << (16 * s);
        return out;
    }
};

// The rotations of a deal, at most one for each leader.
class Symmetry {
public:
    static constexpr unsigned kAssumes = kFreePlay | kRanksDoNotBind;

    Symmetry(const Problem& p, const Sides& sides) {
        const bool pairs = sides.side == 0b0101 || sides.side == 0b1010;
        if (!pairs || sides.credited != sides.side) return;  // rule: symmetric-pairs
        if (p.trump >= 0 || p.called) return;  // rule: symmetric-no-trump
        if (!p.following.grants(kAssumes)) return;
        const auto& hands = p.hands;
        for (int places = 1; places < 4; ++places) {
            Rotation rotation;
            if (!find(hands, places, rotation)) continue;
            for (int leader = 0; leader < 4; ++leader)
                if (next<4>(leader, places) < next<4>(leader, rotations_[leader].places))
                    rotations_[leader] = rotation;
        }
    }

    // The rotation for this leader; its `places` is 0 if positions are not rotated.
    const Rotation& rotation(int leader) const { return rotations_[leader]; }

private:
    static bool find(const u64 (&hands)[kMaxPlayers], int places, Rotation& rotation) {
        rotation.places = places;
        unsigned taken = 0;
        for (int s = 0; s < 4; ++s) {
            int t = 0;
            while (t < 4 && (taken >> t & 1 || !same(hands, s, t, places))) ++t;
            if (t == 4) return false;
            taken |= 1u << t;
            rotation.to[s] = static_cast<u8>(t);
        }
        return true;
    }

    // Whether the cards of a suit, after the rotation, have the same holders as those of another.
    static bool same(const u64 (&hands)[kMaxPlayers], int from, int to, int places) {
        for (int i = 0; i < 4; ++i)
            if ((hands[i] >> (16 * from) ^ hands[next<4>(i, places)] >> (16 * to)) & 0xFFFF)
                return false;
        return true;
    }

    Rotation rotations_[4];
};

}  // namespace spadille::SPADILLE_ISA
