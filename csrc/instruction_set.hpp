// The few operations that differ between instruction sets: bit counts, pext/pdep, table matching.
//
// Before a translation unit includes any part of the search, it defines SPADILLE_ISA (the
// namespace) and, for the BMI2/AVX2 build, SPADILLE_BMI2. Both builds give the same values and the
// same node counts.
#pragma once

#include "problem.hpp"

#if defined(SPADILLE_BMI2)
#include <immintrin.h>
#endif

namespace spadille::SPADILLE_ISA {

#if defined(_MSC_VER) && !defined(__clang__)

inline int popcount(u64 x) { return static_cast<int>(__popcnt64(x)); }

#elif defined(SPADILLE_BMI2) || !defined(__x86_64__)
inline int popcount(u64 x) { return __builtin_popcountll(x); }
#else
// Without the popcnt instruction, compilers would call a library function; this code is shorter.
inline int popcount(u64 x) {
    x -= (x >> 1) & 0x5555555555555555ull;
    x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Full;
    return static_cast<int>((x * 0x0101010101010101ull) >> 56);
}
#endif

// Prevents inlining of rarely called functions, so that their callers stay short.
#if defined(__GNUC__)
#define SPADILLE_APART __attribute__((noinline))
#else
#define SPADILLE_APART
#endif

// Inlines a function that is called in several places, where time matters more than size.
#if defined(SPADILLE_BMI2)
#define SPADILLE_INLINE inline __attribute__((always_inline))
#else
#define SPADILLE_INLINE
#endif

inline void prefetch(const void* address) {
#if defined(__GNUC__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

// Brings an array into the processor's caches by reading it, because processors ignore prefetches
// when too many are pending.
template <class T>
void load_into_caches(const T* array, std::size_t size) {
    constexpr std::size_t kCacheLine = 64;
    const auto* const bytes = reinterpret_cast<const volatile char*>(array);
    for (std::size_t i = 0; i < size * sizeof(T); i += kCacheLine) static_cast<void>(bytes[i]);
}

#if defined(SPADILLE_BMI2)

inline u64 extract(u64 value, u64 mask) { return _pext_u64(value, mask); }
inline u64 deposit(u64 value, u64 mask) { return _pdep_u64(value, mask); }

#else

// A look-up table for pext of 7 bits by a 7-bit mask; a lane of 14 bits takes two look-ups.
struct ExtractTable {
    u8 bits[128][128];
    u8 count[128];
    constexpr ExtractTable() : bits(), count() {
        for (int mask = 0; mask < 128; ++mask) {
            for (int value = 0; value < 128; ++value) {
                int out = 0, at = 0;
                for (int i = 0; i < 7; ++i)
                    if (mask >> i & 1) out |= (value >> i & 1) << at++;
                bits[mask][value] = static_cast<u8>(out);
                count[mask] = static_cast<u8>(at);
            }
        }
    }
};
inline constexpr ExtractTable kExtract{};

inline u64 extract(u64 value, u64 mask) {
    u64 out = 0;
    int at = 0;
    for (int shift = 0; shift < 64; shift += 16) {
        const unsigned m = static_cast<unsigned>(mask >> shift) & 0x3FFF;
        const unsigned v = static_cast<unsigned>(value >> shift) & 0x3FFF;
        out |= static_cast<u64>(kExtract.bits[m & 127][v & 127]) << at;
        at += kExtract.count[m & 127];
        out |= static_cast<u64>(kExtract.bits[m >> 7][v >> 7]) << at;
        at += kExtract.count[m >> 7];
    }
    return out;
}

inline u64 deposit(u64 value, u64 mask) {
    u64 out = 0;
    for (; value; value >>= 1, mask &= mask - 1)
        if (value & 1) out |= mask & (0 - mask);
    return out;
}

#endif

}  // namespace spadille::SPADILLE_ISA
