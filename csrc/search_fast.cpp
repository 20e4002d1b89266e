// The same search with BMI2 and AVX2, if the compiler can enable instruction sets per function.
#include <chrono>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "goal_automaton.hpp"
#include "cards.hpp"
#include "problem.hpp"
#include "solver.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include <cpuid.h>
#include <immintrin.h>

// Standard headers come first, so that none of their functions is compiled for AVX2.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif

#define SPADILLE_ISA fast
#define SPADILLE_BMI2
#include "instruction_set_solver.hpp"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace spadille {

// Asks the processor directly, since not every compiler's run-time library can do so.
bool fast_path() {
    unsigned a, b, c, d;
    if (!__get_cpuid(0, &a, &b, &c, &d)) return false;
    const bool amd = b == signature_AMD_ebx;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
    const unsigned family = (a >> 8 & 15) + (a >> 20 & 255);
    const unsigned wanted = bit_POPCNT | bit_OSXSAVE | bit_AVX;
    if ((c & wanted) != wanted) return false;
    // Whether the operating system saves the wide registers.
    unsigned kept, high;
    __asm__("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
    if ((kept & 6) != 6) return false;
    if (!__get_cpuid(0x80000001, &a, &b, &c, &d) || !(c & bit_LZCNT)) return false;
    const unsigned more = bit_AVX2 | bit_BMI | bit_BMI2;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & more) != more) return false;
    // AMD processors before Zen 3 run pext in microcode, which is slower than the look-ups of the
    // plain build.
    return !amd || family >= 0x19;
}

std::unique_ptr<Solver> make_fast(std::size_t memory) {
    return std::make_unique<fast::IsaSolver>(memory);
}

}  // namespace spadille

#else

namespace spadille {

bool fast_path() { return false; }
std::unique_ptr<Solver> make_fast(std::size_t) { return nullptr; }

}  // namespace spadille

#endif
