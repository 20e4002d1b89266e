#include "strength.hpp"

#include <algorithm>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace spadille {

namespace {

constexpr std::size_t kBlock = 32;  // units that are computed together

void add(std::array<int, Strength::kUnits>& sums, const Strength::Vectors& vectors,
         std::size_t index) {
    const std::int16_t* vector = vectors.data() + index * Strength::kUnits;
    for (std::size_t i = 0; i < Strength::kUnits; ++i) sums[i] += vector[i];
}

// The inputs of a layer. There are fast vector instructions for two-byte numbers; larger numbers do
// not occur in sensible tables.
template <std::size_t Size>
using Inputs = std::array<std::int16_t, Size>;

template <std::size_t Size>
Inputs<Size> narrow(const std::array<int, Size>& numbers, int least) {
    Inputs<Size> found;
    for (std::size_t i = 0; i < Size; ++i)
        found[i] = static_cast<std::int16_t>(std::clamp(numbers[i], least, 32767));
    return found;
}

// The units of a layer whose weights are in pairs (see `Strength::pair`).
template <std::size_t To, int Shift, std::size_t From>
std::array<int, To> outputs(const Strength::Layer& layer, const Inputs<From>& inputs) {
    std::array<int, To> units;
    const std::int16_t* weights = layer.weights.data();
    for (std::size_t block = 0; block < To; block += kBlock) {
        const int* bias = layer.bias.data() + block;
#ifdef __SSE2__
        // Four units in each register; compilers do not do this on their own.
        constexpr std::size_t registers = kBlock / 4;
        __m128i sums[registers];
        for (std::size_t n = 0; n < registers; ++n)
            sums[n] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bias + 4 * n));
        for (std::size_t i = 0; i < From; i += 2, weights += 2 * kBlock) {
            int pair = 0;
            std::memcpy(&pair, inputs.data() + i, sizeof pair);
            if (pair == 0) continue;
            const __m128i both = _mm_set1_epi32(pair);
            const auto* row = reinterpret_cast<const __m128i*>(weights);
            for (std::size_t n = 0; n < registers; ++n)
                sums[n] = _mm_add_epi32(sums[n], _mm_madd_epi16(_mm_loadu_si128(row + n), both));
        }
        for (std::size_t n = 0; n < registers; ++n)
            _mm_storeu_si128(reinterpret_cast<__m128i*>(units.data() + block + 4 * n), sums[n]);
#else
        std::copy_n(bias, kBlock, units.begin() + block);
        for (std::size_t i = 0; i < From; i += 2, weights += 2 * kBlock)
            for (std::size_t n = 0; n < kBlock; ++n)
                units[block + n] += weights[2 * n] * inputs[i] + weights[2 * n + 1] * inputs[i + 1];
#endif
    }
    for (int& unit : units) unit = std::max(unit, 0) >> Shift;
    return units;
}

}  // namespace

// Orders weights for `outputs`: for each block of units, those from the first two inputs to the
// first unit, to the second and so on, then those from the next two inputs.
void Strength::pair(Layer& layer, std::size_t from) {
    Vectors paired;
    for (std::size_t block = 0; block < layer.bias.size(); block += kBlock)
        for (std::size_t i = 0; i < from; i += 2)
            for (std::size_t n = block; n < block + kBlock; ++n)
                for (std::size_t one = i; one < i + 2; ++one)
                    paired.push_back(layer.weights[n * from + one]);
    layer.weights = std::move(paired);
}

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
    if (!has_wide()) return outputs<kLayer, kLayerShift>(layer_, narrow(sums, 0));
    const auto wide = outputs<kWide, kWideShift>(wide_, narrow(sums, -32768));
    return outputs<kLayer, kLayerShift>(layer_, narrow(wide, 0));
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
