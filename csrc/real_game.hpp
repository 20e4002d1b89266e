// The actual game: who may lead next, and when a result depends on the winner of a trick. LoneGame
// (relaxed_lone.hpp) is the counterpart for the relaxed lone game.
#pragma once

#include "trick.hpp"

namespace spadille::SPADILLE_ISA {

template <int P>
struct RealGame {
    using Play = Trick;
    static constexpr bool kExact = true;  // the winner of a trick leads to the next

    int declarer;

    void add(Trick& t, int player, u64 card, u64 trumps) const { t.add(player, card, trumps); }

    // The suits that may be led.
    u64 leads(const Trick&) const { return ~0ull; }

    u32 next_leaders(const Trick& t) const { return 1u << t.best_player; }

    // Whether a result after a contested trick depends on who won it.
    bool rests_on_winner(const Trick&, bool) const { return true; }

    // The cards worth trying as the K-th card of a trick.
    template <int K>
    u64 undominated(const Board<P>&, const Trick&, int, u64 left) const {
        return left;
    }
};

// The actual game, at no trump, for a lone player who tries to take as few tricks as possible.
template <int P>
struct Misere : RealGame<P> {};

}  // namespace spadille::SPADILLE_ISA
