// The hands during the search, with their suit lengths, and the called card while its duty lasts.
// The current trick and its leader are in trick.hpp.
#pragma once

#include "bits.hpp"

namespace spadille::SPADILLE_ISA {

static_assert(kMaxTricks < 16, "a length takes four bits");

// The number of bits in a player's number.
template <int P>
inline constexpr int kPlanes = P == 5 ? 3 : 2;

// The player `distance` places (fewer than P) after another.
template <int P>
int next(int player, int places) {
    const int n = player + places;
    return n >= P ? n - P : n;
}

template <int P>
struct Board {
    u64 hands[P] = {};
    u64 all = 0;  // the cards in play when the current trick began
    u64 trumps = 0;  // the trump lane, 0 at no trump
    u64 matadors = 0;  // matadors with the privilege (0 under rule none)
    u64 called = 0;  // the called card while its duty lasts
    u64 called_lane = 0;
    u64 lengths = 0;  // suit lengths: a lane per suit, 4 bits per player (players 0 to 3)
    u32 fifth = 0;  // suit lengths of player 4: 4 bits per suit
    int trump = -1;

    void set(const Problem& p) {
        trump = p.trump;
        trumps = trump_lane(trump);
        matadors = p.following.matador_rule == MatadorRule::none ? 0 : p.matadors;
        called = p.called;
        called_lane = called ? lane(suit_of(lowest_index(called))) : 0;
        lengths = 0;
        fifth = 0;
        all = 0;
        for (int i = 0; i < P; ++i) {
            hands[i] = 0;
            for (u64 left = p.hands[i]; left; left &= left - 1) put(i, lowest(left));
            all |= hands[i];
        }
        for (int i = 0; i < p.on_table; ++i) all |= bit(p.table[i]);
    }

    void put(int player, u64 card) {
        assert(!(hands[player] & card));
        hands[player] ^= card;
        count(player, suit_of(lowest_index(card)), 1);
    }

    void take(int player, u64 card) {
        assert(hands[player] & card);
        hands[player] ^= card;
        count(player, suit_of(lowest_index(card)), -1);
    }

    // The fields, apart from the hand, that change when a card is played.
    struct Before {
        u64 lengths, called, called_lane;
        u32 fifth;
    };

    Before play(int player, u64 card) {
        const Before before{lengths, called, called_lane, fifth};
        take(player, card);
        if (card == called) called = called_lane = 0;  // rule: called-duty-ends
        return before;
    }

    void undo(int player, u64 card, const Before& before) {
        assert(!(hands[player] & card));
        hands[player] ^= card;
        lengths = before.lengths;
        called = before.called;
        called_lane = before.called_lane;
        if constexpr (P == 5) fifth = before.fifth;
    }

    int length(int player, int suit) const {
        if constexpr (P == 5) {
            if (player == 4) return static_cast<int>(fifth >> (4 * suit)) & 15;
        }
        return static_cast<int>(lengths >> (16 * suit + 4 * player)) & 15;
    }

    // The number of cards a player has in each suit, a lane per suit.
    u64 suits(int player) const {
        if constexpr (P == 5) {
            if (player == 4) {
                const u64 pairs = (fifth | static_cast<u64>(fifth) << 24) & 0x000000FF000000FFull;
                return (pairs | pairs << 12) & 15 * kEach;
            }
        }
        return lengths >> (4 * player) & 15 * kEach;
    }

    // The cards held by some players, or by all.
    u64 held(u32 players) const {
        u64 cards = 0;
        for (; players; players &= players - 1) cards |= hands[lowest_index(players)];
        return cards;
    }
    u64 held() const {
        u64 cards = 0;
        for (int i = 0; i < P; ++i) cards |= hands[i];
        return cards;
    }

    void owners(u64* planes) const {  // bit k of each card's owner; must be 0 before the call
        for (int i = 1; i < P; ++i)
            for (int k = 0; k < kPlanes<P>; ++k)
                if (i >> k & 1) planes[k] |= hands[i];
    }

private:
    void count(int player, int suit, int by) {
        if constexpr (P == 5) {
            if (player == 4) {
                fifth += static_cast<u32>(by) << (4 * suit);
                return;
            }
        }
        lengths += static_cast<u64>(static_cast<long long>(by)) << (16 * suit + 4 * player);
    }
};

}  // namespace spadille::SPADILLE_ISA
