// Values each card in one decision, in many layouts and on several threads.
//
// A layout is a possible distribution of the cards that a player cannot see. Layouts are started in
// order of their index, each with an empty table, by whichever thread is free. Only an unbroken
// sequence of finished layouts that begins with the first counts, so the results do not depend on
// the number of threads, or on which of them were faster when a limit stopped the run.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "question.hpp"

namespace spadille {

// The question about some of the layouts. The sides, and therefore the objectives, may differ
// between layouts.
struct Asked {
    std::shared_ptr<const Objective> objective;
    int state = 0;
    int guess = 0;  // the value to try first, in the first run
    OpenTrump open;
};

// The holders of a few cards determine the question for a layout: in base `players + 1`, they are
// the digits of an index into `question`, with the last card as the lowest digit. A card in no hand
// has the digit `players`.
struct Telling {
    std::vector<int> cards;
    std::vector<u8> question;
};

class Layouts {
public:
    static constexpr u8 kNone = 0xFF;  // no question for such a layout

    // `p` may have the hands of any layout. If `cards` is set, each card that the player to move
    // may play is valued; that player must hold the same cards in all layouts. Otherwise, the
    // position is valued.
    Layouts(const Problem& p, std::vector<Asked> asked, Telling telling, bool cards,
            std::size_t memory, bool plain);
    // The reason why such layouts are impossible, or nullptr if they are possible.
    static const char* fault(const Problem& p, const std::vector<Asked>& asked,
                             const Telling& telling);

    // The cards that are valued, ascending; empty if the position itself is valued.
    const std::vector<int>& cards() const { return cards_; }
    // The length of a layout's row: the number of its question, then its values.
    std::size_t width() const { return 1 + (valued_ ? cards_.size() : 1); }

    // The reason why one of these layouts (a hand for each player) cannot be valued, or nullptr if
    // all can be.
    const char* refuses(const u64* hands, std::size_t count) const;
    // Fills in the number of each layout's question; call it after refuses().
    void questions(const u64* hands, std::size_t count, u8* numbers) const;
    // Values `count` layouts, and writes a row for each. The limits apply to the whole run; the
    // node limit includes only finished layouts that are part of the result.
    Stop run(const u64* hands, std::size_t count, int threads, const Limits& limits,
             std::int16_t* rows);
    // Plays `count` layouts out after each card by rules of thumb, and writes a row for each; call
    // it after refuses(). The position itself cannot be played out.
    void playouts(const u64* hands, std::size_t count, std::int16_t* rows) const;
    // The number of layouts finished in an unbroken sequence from the first. It can be read during
    // the run.
    std::size_t finished() const;
    u64 nodes() const;  // positions visited for these layouts

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
    const bool valued_;  // whether cards are valued, not only the position
    std::vector<int> cards_;
    const std::size_t memory_;
    const bool plain_;
    std::vector<std::unique_ptr<Solver>> solvers_;  // one per thread, kept between runs

    mutable std::mutex lock_;  // guards the following members
    std::size_t finished_ = 0;
    u64 nodes_ = 0;
};

}  // namespace spadille
