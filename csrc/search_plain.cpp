#define SPADILLE_ISA plain
#include "instruction_set_solver.hpp"

namespace spadille {

std::unique_ptr<Solver> make_plain(std::size_t memory) {
    return std::make_unique<plain::IsaSolver>(memory);
}

}  // namespace spadille
