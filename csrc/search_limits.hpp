// The limits of a search.
#pragma once

#include <chrono>

#include "instruction_set.hpp"
#include "solver.hpp"

namespace spadille::SPADILLE_ISA {

// Counts positions, and stops the search with an exception when a limit is reached.
class Clock {
public:
    void set(const Limits& limits) {
        limits_ = limits;
        nodes_ = 0;
        next_ = 0;
        budget_ = 0;
        begin_ = std::chrono::steady_clock::now();
        paused_ = begin_ - end_ > kPause;
    }
    // Call this when a question has been answered.
    void end() {
        end_ = std::chrono::steady_clock::now();
        paused_ = false;
    }
    // Whether so much time has passed since the last question that other work may have evicted the
    // solver's data from the processor's caches.
    bool paused() const { return paused_; }
    // Allows at most `nodes` more nodes, in addition to the limits; 0 removes this budget.
    void budget(u64 nodes) {
        budget_ = nodes ? nodes_ + nodes : 0;
        if (nodes && budget_ < next_) next_ = budget_;
    }
    u64 nodes() const { return nodes_; }
    bool early() const { return nodes_ < limits_.patience; }
    // Whether the search has run long enough to make it worth storing positions after `cards` cards
    // of a trick.
    bool late(int cards) const { return nodes_ / (cards > 1 ? 100 : 10) >= limits_.patience; }
    void tick() {
        if (nodes_++ >= next_) look();
    }

private:
    static constexpr u64 kInterval = 1 << 14;
    static constexpr std::chrono::microseconds kPause{100};

    void look() {
        --nodes_;
        if (limits_.nodes && nodes_ >= limits_.nodes) throw Stopped{Stop::nodes};
        if (limits_.seconds > 0) {
            const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin_;
            if (spent.count() >= limits_.seconds) throw Stopped{Stop::time};
        }
        if (nodes_ && limits_.interrupted && limits_.interrupted(limits_.context))
            throw Stopped{Stop::interrupt};
        if (budget_ && nodes_ >= budget_) throw Stopped{Stop::budget};
        next_ = nodes_ + kInterval;
        if (limits_.nodes && limits_.nodes < next_) next_ = limits_.nodes;
        if (budget_ && budget_ < next_) next_ = budget_;
        ++nodes_;
    }

    Limits limits_;
    u64 nodes_ = 0;
    u64 next_ = 0;
    u64 budget_ = 0;  // the node count at which the budget is used up
    bool paused_ = false;
    std::chrono::steady_clock::time_point begin_, end_;
};

}  // namespace spadille::SPADILLE_ISA
