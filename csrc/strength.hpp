// How much a hand is worth in one contract and trump: a sum of scores of its holdings.
//
// `spadille.core.strength.score_tables` describes the tables and says the same slowly; a test
// compares them.  A score takes one look-up for the trumps, one for each plain suit, one for the
// position and one for a called card, so a sampler can weigh every layout it draws.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace spadille {

class Strength {
public:
    // A suit: of its `low` lowest cards only the number counts.  Of a plain suit the scores are
    // those of each number of trumps in turn; `called` are those of each called card in turn.
    struct Suit {
        int length = 0;
        int low = 0;
        std::vector<std::int16_t> scores;
        std::vector<std::int16_t> called;

        std::size_t size() const {
            return static_cast<std::size_t>(low + 1) << (length - low);
        }
        std::size_t index(u64 mask) const {
            const u64 lowest = mask & ((u64{1} << low) - 1);
            return static_cast<std::size_t>(mask >> low) * static_cast<std::size_t>(low + 1) +
                   static_cast<std::size_t>(std::popcount(lowest));
        }
    };
    // Values between knots at equal distances; beyond the ends they stay the same.
    struct Link {
        int start = 0;
        int step = 1;
        std::vector<int> values;

        float operator()(int score) const {
            const int beyond = score - start;
            if (beyond <= 0) return static_cast<float>(values.front());
            const auto knot = static_cast<std::size_t>(beyond / step);
            if (knot + 1 >= values.size()) return static_cast<float>(values.back());
            const auto low = static_cast<float>(values[knot]);
            const auto high = static_cast<float>(values[knot + 1]);
            return low + (high - low) * static_cast<float>(beyond % step) / static_cast<float>(step);
        }
    };

    // `lanes` are the plain suits, and the trumps in lane 3 unless there are none.
    Strength(std::vector<Suit> lanes, bool trumps, int numbers, std::vector<std::int16_t> position,
             Link link)
        : lanes_(std::move(lanes)), plain_(lanes_.size() - (trumps ? 1 : 0)), trumps_(trumps),
          numbers_(static_cast<std::size_t>(numbers)), position_(std::move(position)),
          link_(std::move(link)) {}

    // Why these are no tables, nullptr if they are.
    const char* fault() const {
        if (lanes_.size() != 4) return "not four suits of strength";
        if (position_.empty() || position_.size() % numbers_) return "not a score for each position";
        if (link_.values.size() < 2 || link_.step < 1) return "no link of scores";
        for (std::size_t i = 0; i < lanes_.size(); ++i) {
            const Suit& suit = lanes_[i];
            if (suit.length < 0 || suit.length > 13 || suit.low < 0 || suit.low > suit.length)
                return "not a suit of strength";
            const std::size_t times = i < plain_ ? numbers_ : 1;
            if (suit.scores.size() != suit.size() * times) return "not a score for each holding";
            const std::size_t cards = static_cast<std::size_t>(suit.length) * suit.size();
            if (!suit.called.empty() && suit.called.size() != cards)
                return "not a score for each called card";
        }
        return nullptr;
    }
    int positions() const { return static_cast<int>(position_.size() / numbers_); }
    // Whether a hand has no other cards than those of the tables.
    bool knows(u64 hand) const {
        for (std::size_t i = 0; i < 4; ++i)
            if ((hand >> (16 * i) & 0xFFFF) >> lanes_[i].length) return false;
        return !trumps_ || static_cast<std::size_t>(std::popcount(hand >> 48)) < numbers_;
    }
    // Whether a card may be called, in some hand.
    bool calls(int card) const {
        if (card < 0) return true;
        const auto lane = static_cast<std::size_t>(card >> 4);
        return lane < plain_ && !lanes_[lane].called.empty() && (card & 15) < lanes_[lane].length;
    }

    // `called` is a card, -1 for none.
    int score(u64 hand, int position, int called = -1) const {
        std::size_t number = 0;
        int total = 0;
        if (trumps_) {
            const u64 mask = hand >> 48;
            number = static_cast<std::size_t>(std::popcount(mask));
            total = lanes_[3].scores[lanes_[3].index(mask)];
        }
        total += position_[static_cast<std::size_t>(position) * numbers_ + number];
        for (std::size_t i = 0; i < plain_; ++i) {
            const Suit& suit = lanes_[i];
            total += suit.scores[number * suit.size() + suit.index(hand >> (16 * i) & 0xFFFF)];
        }
        if (called >= 0) {
            const auto lane = static_cast<std::size_t>(called >> 4);
            const Suit& suit = lanes_[lane];
            total += suit.called[static_cast<std::size_t>(called & 15) * suit.size() +
                                 suit.index(hand >> (16 * lane) & 0xFFFF)];
        }
        return total;
    }
    // What the score predicts.
    float value(int score) const { return link_(score); }

private:
    std::vector<Suit> lanes_;
    std::size_t plain_;
    bool trumps_;
    std::size_t numbers_;
    std::vector<std::int16_t> position_;
    Link link_;
};

}  // namespace spadille
