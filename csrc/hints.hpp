// What was played in like positions.
#pragma once

#include <vector>

#include "trick.hpp"

namespace spadille::SPADILLE_ISA {

// The last card that settled a position of some shape; a hint for the order, nothing more.
class Hints {
public:
    Hints() : entries_(kSize) {}

    // What was noted before does not count any more: a short search must not pay for so many entries.
    void clear() {
        bits_ = kLeastBits;
        if (++age_ != 0) return;
        entries_.assign(kSize, 0);
        age_ = 1;
    }

    // Room for the search of so many cards: few entries of a short game stay in the processor's cache.
    void serve(int cards) {
        const int fit = kLeastBits + (cards - 32) / 4;
        if (fit > bits_) bits_ = fit < kBits ? fit : kBits;
    }

    u16& at(u64 key) { return entries_[place_of(key, bits_)]; }
    u64 card(u16 entry) const { return entry >> 8 == age_ ? bit(entry & 63) : 0; }
    u16 entry(u64 card) const { return static_cast<u16>(age_ << 8 | lowest_index(card)); }

private:
    static constexpr int kLeastBits = 12;
    static constexpr int kBits = 17;
    static constexpr std::size_t kSize = std::size_t{1} << kBits;
    std::vector<u16> entries_;
    int bits_ = kLeastBits;
    u8 age_ = 1;
};

// The shape of the player's own hand and what lies on the table: general enough to be met often.
template <int P>
u64 hint_key(const Board<P>& b, int player, const Trick& t) {
    const u64 own = P == 5 && player == 4 ? b.fifth : b.lengths >> (16 * player) & 0xFFFF;
    const u64 key = own * 31 + static_cast<u64>(player) * 0x9E37;
    if (!t.led) return key;
    return key + t.best * 0x2545F4914F6CDD1Dull + (t.led >> 1) * 5 +
           static_cast<u64>(t.best_player) * 0x51ED27;
}

}  // namespace spadille::SPADILLE_ISA
