// The data a solver keeps between searches: tables, hints, results of the trump duel, the clock.
#pragma once

#include "clock.hpp"
#include "hints.hpp"
#include "relaxed_table.hpp"
#include "table.hpp"
#include "trump_duel.hpp"

namespace spadille::SPADILLE_ISA {

struct Workspace {
    Table<2> two;  // by the number of bit planes in a pattern
    Table<3> three;
    Table<4> four;
    RelaxedTable relaxed;
    Hints hints;
    TrumpDuel duel;
    Clock clock;

    template <int Planes>
    Table<Planes>& table() {
        if constexpr (Planes == 2) return two;
        else if constexpr (Planes == 3) return three;
        else return four;
    }

    void clear() {
        two.clear();
        three.clear();
        four.clear();
        relaxed.clear();
        hints.clear();
    }

    std::size_t bytes() const {
        return two.bytes() + three.bytes() + four.bytes() + relaxed.bytes();
    }

    // Divides `memory` bytes between the tables. Only a lone player has a relaxed game.
    void divide(std::size_t memory, int players, bool alone) {
        const std::size_t within = memory / 4, for_relaxed = alone ? memory / 4 : 0;
        const std::size_t rest = memory - within - for_relaxed;
        relaxed.limit(for_relaxed);
        two.limit(rest);
        three.limit(players < 5 ? within : rest);
        four.limit(within);
    }
};

}  // namespace spadille::SPADILLE_ISA
