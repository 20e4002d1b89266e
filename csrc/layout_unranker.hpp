// Converts ranks into hands of hidden cards, with the numbering, nodes and splits of
// `spadille.core.knowledge.layouts` (`Layouts.table`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem.hpp"
#include "uint128.hpp"

namespace spadille {

class Unranker {
public:
    // A node: the classes from this one on, with the room left in each bin.
    struct Node {
        u32 level = 0;  // the class
        u32 first = 0, last = 0;  // its splits, except the last one
    };
    // A way to split the class: the number of its cards that go into each bin, and the number of
    // ranks with this split.
    struct Split {
        u128 start = 0;  // ranks before it at this node
        u128 ways = 1;
        u64 weight = 1;
        u128 below = 1;  // ranks of the node after it
        u32 after = 0;  // that node
        std::vector<int> takes;
    };
    using Classes = std::vector<std::vector<int>>;  // the cards of each class

    static constexpr int kNobody = -1;

    // `bins` has the players who hold the cards of each bin; `hands` has the players' other cards.
    Unranker(Classes classes, std::vector<Node> nodes, std::vector<Split> splits,
             std::vector<int> bins, std::vector<u64> hands);
    // The error in these layouts, or nullptr.
    const char* fault() const;

    std::size_t players() const { return hands_.size(); }
    // The number of ranks.
    u128 count() const;
    // The hands in a layout, one for each player; the rank must be below the count.
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
