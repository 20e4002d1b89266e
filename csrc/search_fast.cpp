// The same search with BMI2 and AVX2, where the compiler can be told so function by function.
#include <chrono>
#include <cstring>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "automaton.hpp"
#include "cards.hpp"
#include "problem.hpp"
#include "solver.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

// Standard headers stand above, so that none of their functions is compiled for AVX2.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif

#define SPADILLE_ISA fast
#define SPADILLE_BMI2
#include "search_isa.hpp"

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace spadille {

// AMD before Zen 3 runs pext in microcode, slower than the plain path's look-ups.
bool fast_path() {
    __builtin_cpu_init();
    const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                     __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    return has && !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
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
