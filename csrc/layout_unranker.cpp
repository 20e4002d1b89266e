#include "layout_unranker.hpp"

#include <algorithm>

#include "cards.hpp"

namespace spadille {

namespace {

constexpr int kCards = 64;

// Binomial coefficients.
struct Choose {
    u64 of[kCards + 1][kCards + 1] = {};
    constexpr Choose() {
        for (int n = 0; n <= kCards; ++n) {
            of[n][0] = 1;
            for (int k = 1; k <= n; ++k) of[n][k] = of[n - 1][k - 1] + (k < n ? of[n - 1][k] : 0);
        }
    }
};
constexpr Choose kChoose;

}  // namespace

Unranker::Unranker(Classes classes, std::vector<Node> nodes, std::vector<Split> splits,
                   std::vector<int> bins, std::vector<u64> hands)
    : classes_(std::move(classes)), nodes_(std::move(nodes)), splits_(std::move(splits)),
      bins_(std::move(bins)), hands_(std::move(hands)) {}

const char* Unranker::fault() const {
    if (hands_.size() < 3 || hands_.size() > kMaxPlayers) return "expected 3 to 5 hands";
    for (int player : bins_)
        if (player < kNobody || player >= static_cast<int>(hands_.size()))
            return "a bin belongs to an unknown player";
    for (const auto& cards : classes_) {
        if (cards.size() > kCards) return "a class has more than 64 cards";
        for (int card : cards)
            if (card < 0 || card >= kCards) return "a card of a class is invalid";
    }
    if (nodes_.empty()) return "there are no nodes";
    for (const Node& node : nodes_) {
        if (node.level > classes_.size()) return "a node belongs to an unknown class";
        if (node.first > node.last || node.last > splits_.size())
            return "a node has invalid splits";
        const bool end = node.level == classes_.size();
        if (end != (node.first == node.last) && &node != nodes_.data())
            return "the splits of a node do not match its level";
        for (u32 i = node.first; i < node.last; ++i) {
            const Split& split = splits_[i];
            if (split.after >= nodes_.size() || nodes_[split.after].level != node.level + 1)
                return "a split does not lead to a node of the next class";
            if (split.takes.size() != bins_.size())
                return "a split needs a number of cards for each bin";
            std::size_t cards = 0;
            for (int take : split.takes) {
                if (take < 0) return "a number of cards is negative";
                cards += static_cast<std::size_t>(take);
            }
            if (cards != classes_[node.level].size())
                return "a split does not deal all cards of its class";
            if (!split.weight || split.ways == u128(0) || split.below == u128(0))
                return "a split has no layouts";
        }
    }
    return nullptr;
}

u128 Unranker::count() const {
    const Node& root = nodes_.front();
    if (root.first == root.last) return u128(root.level == classes_.size());
    const Split& last = splits_[root.last - 1];
    return last.start + last.ways * last.weight * last.below;
}

void Unranker::hands(u128 rank, u64* hands) const {
    std::copy(hands_.begin(), hands_.end(), hands);
    const Node* node = nodes_.data();
    while (node->level < classes_.size()) {
        const auto first = splits_.begin() + node->first;
        const auto behind = splits_.begin() + node->last;
        const Split& split =
            *(std::upper_bound(first, behind, rank,
                               [](u128 at, const Split& next) { return at < next.start; }) -
              1);
        const u128 here = (rank - split.start) / u128(split.weight);
        const u128 way = here / split.below;
        rank = here - way * split.below;
        deal(classes_[node->level], split, way, hands);
        node = &nodes_[split.after];
    }
}

// Deals the cards of a class out to the bins. The rank encodes one combination per bin, with that
// of the first bin most significant; each is a number in the combinatorial number system over the
// remaining cards.
void Unranker::deal(const std::vector<int>& cards, const Split& split, u128 way, u64* hands) const {
    int left[kCards];
    int size = static_cast<int>(cards.size());
    std::copy(cards.begin(), cards.end(), left);
    u128 ways = split.ways;
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
        int take = split.takes[bin];
        if (!take) continue;
        ways = ways / u128(kChoose.of[size][take]);
        const u128 number = way / ways;
        way = way - number * ways;
        u64 taken = 0, place_of = static_cast<u64>(number), chosen = 0;
        for (int place = size - 1; take; --place) {
            const u64 below = kChoose.of[place][take];
            if (place_of < below) continue;
            place_of -= below;
            --take;
            chosen |= 1ull << place;
            taken |= bit(left[place]);
        }
        int kept = 0;
        for (int place = 0; place < size; ++place)
            if (!(chosen >> place & 1)) left[kept++] = left[place];
        size = kept;
        if (bins_[bin] != kNobody) hands[bins_[bin]] |= taken;
    }
}

}  // namespace spadille
