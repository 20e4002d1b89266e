#define SPADILLE_ISA plain
#include "search_isa.hpp"

namespace spadille {

std::unique_ptr<Solver> make_plain(std::size_t memory) {
    return std::make_unique<plain::IsaSolver>(memory);
}

}  // namespace spadille
