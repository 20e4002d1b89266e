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

Strength::Units Strength::active(u64 hand, int position, int called) const {
    std::array<int, kUnits> sums{};
    add(sums, position_, static_cast<std::size_t>(position));
    for (std::size_t i = 0; i < 4; ++i)
        add(sums, suits_[i].holdings, suits_[i].index(hand >> (16 * i) & 0xFFFF));
    if (called >= 0) {
        const auto lane = static_cast<std::size_t>(called >> 4);
        const Suit& suit = suits_[lane];
        add(sums, suit.called, static_cast<std::size_t>(called & 15));
        add(sums, suit.called_suit, suit.index(hand >> (16 * lane) & 0xFFFF));
    }
    Units units;
    std::copy_n(layer_.bias.begin(), kLayer, units.begin());
    for (std::size_t i = 0; i < kUnits; ++i) {
        const int sum = std::max(sums[i], 0);
        const int* weights = layer_.weights.data() + i * kLayer;
        for (std::size_t n = 0; n < kLayer; ++n) units[n] += weights[n] * sum;
    }
    for (int& unit : units) unit = std::max(unit, 0) >> kLayerShift;
    return units;
}

float Strength::share(const Score& score, const Units& units) {
    int value = score.bias - score.start;
    for (std::size_t i = 0; i < kLayer; ++i) value += score.weights[i] * units[i];
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
    const Units units = active(hand, position, called);
    float total = least_;
    for (const Score& score : scores_) total += score.rise * share(score, units);
    return total;
}

}  // namespace spadille
