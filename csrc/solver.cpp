#include "solver.hpp"

namespace spadille {

std::unique_ptr<Solver> make_plain(std::size_t memory);
std::unique_ptr<Solver> make_fast(std::size_t memory);
bool fast_path();

bool Solver::has_fast_path() { return fast_path(); }

std::unique_ptr<Solver> Solver::make(std::size_t memory, bool plain) {
    return plain || !fast_path() ? make_plain(memory) : make_fast(memory);
}

}  // namespace spadille
