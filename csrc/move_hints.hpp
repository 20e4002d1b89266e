// Remembers good cards from similar positions.
#pragma once

#include <vector>

#include "trick.hpp"

namespace spadille::SPADILLE_ISA {

// The last card that settled a similar position, as a hint for move ordering only. A hint is used
// only if its tag shows that it was stored for the same key, because a card stored for another key
// is worse than none.
class Hints {
public:
    // The place where the card for a key is stored; none if the player has no choice.
    class Place {
    public:
        Place() = default;
        Place(u32& entry, u32 tag) : entry_(&entry), tag_(tag) {}
        // Call this only if there is a place.
        u64 card() const {
            return static_cast<u64>((*entry_ & ~kCard) == tag_) << (*entry_ & kCard);
        }
        void note(u64 card) const {
            if (entry_) *entry_ = tag_ | static_cast<u32>(lowest_index(card));
        }

    private:
        static constexpr u32 kCard = 63;
        u32* entry_ = nullptr;
        u32 tag_ = 0;
    };

    // The key of a position for hints. The first part is known as soon as a suit is led, for all
    // players who follow. It selects the cache line of the entry, so that lines can be prefetched.
    struct Key {
        u64 line;
        u64 rest;
        int at;  // the part of `rest` that differs most within a cache line
    };

    // Invalidates earlier hints without writing to them; clearing so many entries would take too
    // long for a short search.
    void clear() {
        bits_ = kLeastBits;
        if (++age_ != 0) return;
        lines_.assign(lines_.size(), Line{});
        age_ = 1;
    }

    // Sizes the table for a search with `cards` cards: the few cache lines that a short game needs
    // stay in the cache.
    void serve(int cards) {
        const int fit = kLeastBits + (cards - 32) / 4;
        if (fit > bits_) bits_ = fit < kBits ? fit : kBits;
        if (lines_.size() < size()) lines_.resize(size());
    }

    void fetch(u64 line) const { prefetch(&lines_[place(line)]); }
    void load_into_caches() const { SPADILLE_ISA::load_into_caches(lines_.data(), size()); }

    SPADILLE_INLINE Place at(const Key& key) {
        u64 all = key.line ^ key.rest;
        all ^= all >> 32;  // so that the tag depends on every bit
        constexpr int kTag = 14;  // above six bits for the card and eight for the age, never 0
        const u32 tag = static_cast<u32>(place_of(all, kBits + 32 - kTag)) << kTag;
        u32& entry = lines_[place(key.line)].entries[key.at & (kLine - 1)];
        return {entry, tag | static_cast<u32>(age_) << 6};
    }

private:
    static constexpr int kLine = 16;
    // A cache line.
    struct alignas(64) Line {
        u32 entries[kLine] = {};
    };
    static_assert(sizeof(Line) == 64, "no line of the cache lies in two of them");

    static constexpr int kLeastBits = 8;
    static constexpr int kBits = 13;

    std::size_t size() const { return std::size_t{1} << bits_; }
    std::size_t place(u64 line) const { return place_of(line ^ line >> 32, bits_); }

    std::vector<Line> lines_;  // may have more than `size()`, from an earlier search
    int bits_ = kLeastBits;
    u8 age_ = 1;
};

// The key of a choice. Before a lead, it consists of the leader, the hand and the tricks wanted (0
// if the state is not a number). After a lead, it consists of the leader, the winning card, and the
// cards of the led suit, both all that remain and the player's own. If the player has none, the
// whole hand takes their place.
template <int P>
u64 hint_line(const Board<P>& b, int player, int leader, u64 led) {
    const u64 hand = b.hands[player];
    const u64 own = hand & led, cards = own ? (b.all & led) ^ own << 1 : hand;
    const u64 who = static_cast<u64>(player * 8 + leader);
    return cards * 0x9E3779B97F4A7C15ull + who * 0x2545F4914F6CDD1Dull + (led >> 1);
}

template <int P>
SPADILLE_INLINE Hints::Key hint_key(const Board<P>& b, int player, const Trick& t, int wanted) {
    const u64 rest = t.led ? t.best : static_cast<u64>(wanted);
    return {hint_line(b, player, t.leader, t.led), rest * 0xD6E8FEB86659FD93ull,
            t.led ? lowest_index(t.best) : wanted};
}

}  // namespace spadille::SPADILLE_ISA
