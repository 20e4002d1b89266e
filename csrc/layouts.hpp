// Many layouts of one decision: what each card is worth in each of them, on several threads.
//
// A layout is a way the cards may lie that a player cannot see.  Layouts are begun in order of
// their index, each with an empty table by whichever thread is free, and what counts is finished
// from the first on without a gap: nothing that is found depends on the number of threads, or on
// which of them were faster when a limit stopped all.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "question.hpp"

namespace spadille {

// What is asked of some of the layouts: sides, and so objectives, may differ from one to another.
struct Asked {
    std::shared_ptr<const Objective> objective;
    int state = 0;
    int guess = 0;  // the value to be tried first, in the first run
    OpenTrump open;
};

// Which question is asked of a layout depends on the holders of a few cards: these are the digits,
// base `players + 1` and that of the last card the lowest, of a place in `question`.  A card in no
// hand has the digit `players`.
struct Telling {
    std::vector<int> cards;
    std::vector<u8> question;
};

class Layouts {
public:
    static constexpr u8 kNone = 0xFF;  // no question is asked of such a layout

    // The hands of `p` are those of any layout.  With `cards` each card the player to move may play
    // is valued, and he holds the same in all of them; else the position.
    Layouts(const Problem& p, std::vector<Asked> asked, Telling telling, bool cards,
            std::size_t memory, bool plain);
    // Why there are no such layouts, nullptr if there are.
    static const char* fault(const Problem& p, const std::vector<Asked>& asked,
                             const Telling& telling);

    // The cards that are valued, ascending; none: the position is.
    const std::vector<int>& cards() const { return cards_; }
    // What is found of a layout: the number of its question, then the values.
    std::size_t width() const { return 1 + (valued_ ? cards_.size() : 1); }

    // Why one of these layouts, a hand for each player, cannot be asked about; nullptr if all can.
    const char* refuses(const u64* hands, std::size_t count) const;
    // Values so many layouts, a row each.  Limits are those of the whole; of nodes those of the
    // layouts that count.
    Stop run(const u64* hands, std::size_t count, int threads, const Limits& limits,
             std::int16_t* rows);
    // So many layouts of the run are finished, from the first on; while it lasts, too.
    std::size_t finished() const;
    u64 nodes() const;  // positions visited for those

private:
    struct Run;

    Problem dealt(const u64* hands) const;
    u8 question(const Problem& p) const;
    Stop value(Solver& solver, const Problem& p, u8 number, std::int16_t* row) const;
    void work(Run& run, Solver& solver, bool leading);
    void guess(const std::int16_t* rows, std::size_t count);

    const Problem base_;
    std::vector<Asked> asked_;
    const Telling telling_;
    const bool valued_;  // cards, not the position alone
    std::vector<int> cards_;
    const std::size_t memory_;
    const bool plain_;
    std::vector<std::unique_ptr<Solver>> solvers_;  // one a thread, kept from run to run

    mutable std::mutex lock_;  // guards what follows
    std::size_t finished_ = 0;
    u64 nodes_ = 0;
};

}  // namespace spadille
