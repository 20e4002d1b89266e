// What was played in like positions.
#pragma once

#include <vector>

#include "trick.hpp"

namespace spadille::SPADILLE_ISA {

// The last card that settled a position like this; a hint for the order, nothing more.  It is one only
// where its tag says that it was noted for the same key: a card of another does harm.
class Hints {
public:
    // Where the card of a key is; nowhere if there is no choice.
    class Place {
    public:
        Place() = default;
        Place(u32& entry, u32 tag) : entry_(&entry), tag_(tag) {}
        u64 card() const { return entry_ && (*entry_ & ~kCard) == tag_ ? bit(*entry_ & kCard) : 0; }
        void note(u64 card) const {
            if (entry_) *entry_ = tag_ | static_cast<u32>(lowest_index(card));
        }

    private:
        static constexpr u32 kCard = 63;
        u32* entry_ = nullptr;
        u32 tag_ = 0;
    };

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

    Place at(u64 key) {
        key ^= key >> 32;  // so that all of it tells in the tag, too
        constexpr int kTag = 14;  // above six bits of the card and eight of the age, never 0
        const u32 tag = static_cast<u32>(place_of(key, kBits + 32 - kTag)) << kTag;
        return {entries_[place_of(key, bits_)], tag | static_cast<u32>(age_) << 6};
    }

private:
    static constexpr int kLeastBits = 12;
    static constexpr int kBits = 17;
    static constexpr std::size_t kSize = std::size_t{1} << kBits;
    std::vector<u32> entries_;
    int bits_ = kLeastBits;
    u8 age_ = 1;
};

// What a card is chosen by: who led; before a lead the hand and what is wanted (0 where that is no
// number), then what wins so far, and all that is left of the suit led or, without any of it, the hand.
template <int P>
u64 hint_key(const Board<P>& b, int player, const Trick& t, int wanted) {
    const u64 hand = b.hands[player];
    const u64 cards = hand & t.led ? b.all & t.led : hand;
    const u64 who = static_cast<u64>(player * 8 + t.leader);
    const u64 rest = t.led ? t.best : static_cast<u64>(wanted);
    return cards * 0x9E3779B97F4A7C15ull + rest * 0xD6E8FEB86659FD93ull +
           who * 0x2545F4914F6CDD1Dull + (t.led >> 1);
}

}  // namespace spadille::SPADILLE_ISA
