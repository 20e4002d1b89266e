// The strength of a hand in one contract and trump, from tables of vectors.
//
// `spadille.core.strength.strength_tables` describes the tables and is a slow reference
// implementation; a test compares the two. A hand needs one look-up for the trumps, one for each
// plain suit and one for the position, a few additions for each, and 512 multiplications (3,072 if
// there is a wide layer). This is fast enough for a sampler to weight every layout it draws.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace spadille {

class Strength {
public:
    static constexpr std::size_t kUnits = 16;  // the length of a vector
    static constexpr std::size_t kLayer = 32;  // the units of the last layer
    static constexpr std::size_t kWide = 64;   // the units of a wide layer in between
    static constexpr int kWideShift = 10;      // its weights are multiples of 2^-kWideShift
    static constexpr int kLayerShift = 6;  // the weights of layers are multiples of 2^-kLayerShift
    using Vectors = std::vector<std::int16_t>;  // stored one after another

    // A suit in which only the number of the `low` lowest cards matters, not their ranks. The suit
    // has the vectors of its holdings. A plain suit with callable cards also has the vectors of
    // each called card, and those of the holdings when a card is called.
    struct Suit {
        int length = 0;
        int low = 0;
        Vectors holdings;
        Vectors called;
        Vectors called_suit;

        std::size_t size() const { return static_cast<std::size_t>(low + 1) << (length - low); }
        std::size_t index(u64 mask) const {
            const u64 lowest = mask & ((u64{1} << low) - 1);
            return static_cast<std::size_t>(mask >> low) * static_cast<std::size_t>(low + 1) +
                   static_cast<std::size_t>(std::popcount(lowest));
        }
    };
    // A layer, computed from the sums or from the units of the previous layer.
    struct Layer {
        Vectors weights;  // those of the first unit, then those of the next
        std::vector<int> bias;
    };
    // The share of deals with at least a certain payoff, as a function of the score. It is linear
    // between equally spaced knots, and constant beyond the first and last.
    struct Score {
        std::vector<int> weights;
        int bias = 0;
        int start = 0;
        int step = 1;
        std::vector<float> shares;
        float rise = 0;  // increase over the previous payoff
    };

    // `suits` has the plain suits and, in lane 3, the trumps if there are any. `wide` has no
    // weights if the sums go straight to `layer`. `made` is the score that corresponds to the
    // lowest payoff of a made contract; `least` is the lowest payoff.
    Strength(std::vector<Suit> suits, bool trumps, Vectors position, Layer wide, Layer layer,
             std::vector<Score> scores, int made, float least)
        : suits_(std::move(suits)), trumps_(trumps), position_(std::move(position)),
          wide_(std::move(wide)), layer_(std::move(layer)), scores_(std::move(scores)),
          made_(static_cast<std::size_t>(made)), least_(least) {
        if (!weighted()) return;
        pair(layer_, has_wide() ? kWide : kUnits);
        if (has_wide()) pair(wide_, kUnits);
    }

    // The reason why these tables are invalid, or nullptr if they are valid.
    const char* fault() const {
        if (suits_.size() != 4) return "not four suits of strength";
        if (position_.empty() || position_.size() % kUnits) return "not a vector for each position";
        if (!weighted()) return "not a weight for each unit";
        if (made_ >= scores_.size()) return "no score of made contracts";
        for (const Suit& suit : suits_) {
            if (suit.length < 0 || suit.length > 13 || suit.low < 0 || suit.low > suit.length)
                return "not a suit of strength";
            const std::size_t size = kUnits * suit.size();
            if (suit.holdings.size() != size) return "not a vector for each holding";
            if (suit.called.empty() && suit.called_suit.empty()) continue;
            if (suit.called.size() != kUnits * static_cast<std::size_t>(suit.length) ||
                suit.called_suit.size() != size)
                return "not a vector for each called card";
        }
        for (const Score& score : scores_)
            if (score.weights.size() != kLayer || score.step < 1 || score.shares.size() < 2)
                return "not a score of strength";
        return nullptr;
    }
    int positions() const { return static_cast<int>(position_.size() / kUnits); }
    // Whether all cards of a hand are in the tables.
    bool knows(u64 hand) const {
        for (std::size_t i = 0; i < 4; ++i)
            if ((hand >> (16 * i) & 0xFFFF) >> suits_[i].length) return false;
        return true;
    }
    // Whether some hand may call this card; -1, for no card, is always allowed.
    bool calls(int card) const {
        if (card < 0) return card == -1;
        const auto lane = static_cast<std::size_t>(card >> 4);
        return lane < (trumps_ ? 3 : 4) && !suits_[lane].called.empty() &&
               (card & 15) < suits_[lane].length;
    }

    // The share of deals in which the contract makes; `called` is a card, or -1 for none.
    float made(u64 hand, int position, int called = -1) const;
    // The declarer's mean payoff.
    float payoff(u64 hand, int position, int called = -1) const;

private:
    using Units = std::array<int, kLayer>;

    static bool fits(const Layer& layer, std::size_t from, std::size_t to) {
        return layer.bias.size() == to && layer.weights.size() == from * to;
    }
    bool has_wide() const { return !wide_.bias.empty() || !wide_.weights.empty(); }
    // Whether each layer has all its weights.
    bool weighted() const {
        return fits(layer_, has_wide() ? kWide : kUnits, kLayer) &&
               (!has_wide() || fits(wide_, kUnits, kWide));
    }
    static void pair(Layer& layer, std::size_t from);
    Units active(u64 hand, int position, int called) const;
    static float share(const Score& score, const Units& units);

    std::vector<Suit> suits_;
    bool trumps_;
    Vectors position_;
    Layer wide_;
    Layer layer_;
    std::vector<Score> scores_;
    std::size_t made_;
    float least_;
};

}  // namespace spadille
