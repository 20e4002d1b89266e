// The data a solver keeps between searches: tables, hints, results of trump games, the clock.
#pragma once

#include "move_hints.hpp"
#include "relaxed_table.hpp"
#include "search_limits.hpp"
#include "table.hpp"
#include "sure_trump_tricks.hpp"
#include "trump_endgame.hpp"

namespace spadille::SPADILLE_ISA {

struct SolverMemory final : Memory {
    Table<2> two{*this};  // by the number of bit planes in a pattern
    Table<3> three{*this};
    Table<4> four{*this};
    RelaxedTable relaxed{*this};
    Hints hints;
    TrumpDuel duel;
    TrumpEndgame endgame;
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

    // Loads the data that the search reads in random order: to read all of it in order takes far
    // less time than to wait for each cache line when it is needed.
    void load_into_caches() const {
        hints.load_into_caches();
        duel.load_into_caches();
    }

    // Keeps the highest-rated entries across all tables.
    void make_room(u32 share) override {
        Ratings ratings;
        two.count(ratings);
        three.count(ratings);
        four.count(ratings);
        relaxed.count(ratings);
        const int least = ratings.least(share);
        two.keep(least);
        three.keep(least);
        four.keep(least);
        relaxed.keep(least);
    }
};

}  // namespace spadille::SPADILLE_ISA
