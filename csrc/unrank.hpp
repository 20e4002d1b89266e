// Layouts by their numbers: hands of hidden cards from ranks, as `spadille.core.knowledge.layouts`
// numbers them and lists their nodes and splits (`Layouts.table`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem.hpp"
#include "wide.hpp"

namespace spadille {

class Unranker {
public:
    // The classes from one on, with so much room left.
    struct Node {
        u32 level = 0;  // the class
        u32 first = 0, last = 0;  // its splits, the last one not among them
    };
    // How many cards of the class go into each bin; the counts are of ranks.
    struct Split {
        u128 start = 0;  // before it at this node
        u128 ways = 1;
        u64 weight = 1;
        u128 below = 1;  // of the node after it
        u32 after = 0;  // that node
        std::vector<int> takes;
    };
    using Classes = std::vector<std::vector<int>>;  // their cards

    static constexpr int kNobody = -1;

    // `bins` are the players whose cards they are; `hands` what else these hold.
    Unranker(Classes classes, std::vector<Node> nodes, std::vector<Split> splits,
             std::vector<int> bins, std::vector<u64> hands);
    // The fault of these layouts, or nullptr.
    const char* fault() const;

    std::size_t players() const { return hands_.size(); }
    // How many ranks there are.
    u128 count() const;
    // The hands of a layout, one a player; the rank is below the count.
    void hands(u128 rank, u64* hands) const;

private:
    void deal(const std::vector<int>& cards, const Split& split, u128 way, u64* hands) const;

    const Classes classes_;
    const std::vector<Node> nodes_;
    const std::vector<Split> splits_;
    const std::vector<int> bins_;
    const std::vector<u64> hands_;
};

}  // namespace spadille
