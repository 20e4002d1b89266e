#include "strength.hpp"

#include <algorithm>

namespace spadille {

namespace {

void add(std::array<int, Strength::kUnits>& sums, const Strength::Vectors& vectors,
         std::size_t index) {
    const std::int16_t* vector = vectors.data() + index * Strength::kUnits;
    for (std::size_t i = 0; i < Strength::kUnits; ++i) sums[i] += vector[i];
}

}  // namespace

Strength::Sums Strength::active(u64 hand, int position, int called) const {
    Sums sums{};
    add(sums, position_, static_cast<std::size_t>(position));
    for (std::size_t i = 0; i < 4; ++i)
        add(sums, suits_[i].holdings, suits_[i].index(hand >> (16 * i) & 0xFFFF));
    if (called >= 0) {
        const auto lane = static_cast<std::size_t>(called >> 4);
        const Suit& suit = suits_[lane];
        add(sums, suit.called, static_cast<std::size_t>(called & 15));
        add(sums, suit.called_suit, suit.index(hand >> (16 * lane) & 0xFFFF));
    }
    for (int& sum : sums) sum = std::max(sum, 0);
    return sums;
}

float Strength::share(const Score& score, const Sums& sums) {
    int value = score.bias - score.start;
    for (std::size_t i = 0; i < kUnits; ++i) value += score.weights[i] * sums[i];
    if (value <= 0) return score.shares.front();
    const auto knot = static_cast<std::size_t>(value / score.step);
    if (knot + 1 >= score.shares.size()) return score.shares.back();
    const float low = score.shares[knot], high = score.shares[knot + 1];
    const int beyond = value % score.step;
    return low + (high - low) * static_cast<float>(beyond) / static_cast<float>(score.step);
}

float Strength::made(u64 hand, int position, int called) const {
    return share(scores_[made_], active(hand, position, called));
}

float Strength::payoff(u64 hand, int position, int called) const {
    const Sums sums = active(hand, position, called);
    float total = least_;
    for (const Score& score : scores_) total += score.rise * share(score, sums);
    return total;
}

}  // namespace spadille
