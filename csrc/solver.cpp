#include "solver.hpp"

namespace spadille {

std::unique_ptr<Solver> make_plain(std::size_t memory);
std::unique_ptr<Solver> make_fast(std::size_t memory);
bool fast_path();

// Asks the processor only once, because a virtual machine takes tens of microseconds to answer.
bool Solver::has_fast_path() {
    static const bool has = fast_path();
    return has;
}

std::unique_ptr<Solver> Solver::make(std::size_t memory, bool plain) {
    return plain || !has_fast_path() ? make_plain(memory) : make_fast(memory);
}

}  // namespace spadille
