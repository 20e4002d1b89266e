// 128-bit integers, because there may be more than 2^64 layouts.
#pragma once

#include <cstdint>

namespace spadille {

#if defined(__SIZEOF_INT128__) && !defined(SPADILLE_NO_INT128)

__extension__ typedef unsigned __int128 u128;

#else

// The operations needed, for a compiler without a 128-bit type.
struct u128 {
    std::uint64_t low = 0, high = 0;

    constexpr u128(std::uint64_t number = 0) : low(number) {}
    constexpr u128(std::uint64_t above, std::uint64_t below) : low(below), high(above) {}
    explicit constexpr operator std::uint64_t() const { return low; }

    friend constexpr bool operator==(u128 a, u128 b) { return a.low == b.low && a.high == b.high; }
    friend constexpr bool operator<(u128 a, u128 b) {
        return a.high < b.high || (a.high == b.high && a.low < b.low);
    }
    friend constexpr bool operator>=(u128 a, u128 b) { return !(a < b); }
    friend constexpr u128 operator+(u128 a, u128 b) {
        const std::uint64_t sum = a.low + b.low;
        return {a.high + b.high + (sum < a.low), sum};
    }
    friend constexpr u128 operator-(u128 a, u128 b) {
        return {a.high - b.high - (a.low < b.low), a.low - b.low};
    }
    friend constexpr u128 operator|(u128 a, u128 b) { return {a.high | b.high, a.low | b.low}; }
    friend constexpr u128 operator<<(u128 a, int by) {
        if (by >= 64) return {a.low << (by - 64), 0};
        return by ? u128(a.high << by | a.low >> (64 - by), a.low << by) : a;
    }
    // Divides bit by bit, which is fast enough for the few divisions needed.
    friend constexpr u128 operator/(u128 a, u128 b) {
        u128 result, rest;
        for (int bit = 127; bit >= 0; --bit) {
            const std::uint64_t next = (bit < 64 ? a.low >> bit : a.high >> (bit - 64)) & 1;
            rest = rest << 1 | u128(next);
            result = result << 1;
            if (rest >= b) {
                rest = rest - b;
                result = result | u128(1);
            }
        }
        return result;
    }
    friend constexpr u128 operator*(u128 a, u128 b) {
        u128 result;
        for (int bit = 127; bit >= 0; --bit) {
            result = result << 1;
            if ((bit < 64 ? b.low >> bit : b.high >> (bit - 64)) & 1) result = result + a;
        }
        return result;
    }
};

#endif

constexpr u128 wide(std::uint64_t high, std::uint64_t low) { return u128(high) << 64 | u128(low); }

}  // namespace spadille
