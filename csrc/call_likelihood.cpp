#include "call_likelihood.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace spadille {

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::size_t kMostOptions = 64;
constexpr std::size_t kMostTrumps = 16;
constexpr std::size_t kMostOffers = 256;
constexpr u64 kStep = 0x9E3779B97F4A7C15ull;

// SplitMix64, as in spadille.core.knowledge.random_numbers.
u64 mixed(u64 number) {
    number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9ull;
    number = (number ^ (number >> 27)) * 0x94D049BB133111EBull;
    return number ^ (number >> 31);
}

u64 next(u64& state) {
    state += kStep;
    return mixed(state);
}

double below_one(u64 word) { return static_cast<double>(word >> 11) * 0x1p-53; }

// Draws some of the cards; all selections are equally likely.
u64 some_of(u64 cards, int number, u64& random) {
    u64 taken = 0;
    int left = std::popcount(cards);
    for (; cards && number; cards &= cards - 1, --left) {
        // Each card is taken with probability (cards still wanted) / (cards still left).
        if (below_one(next(random)) * left >= number) continue;
        taken |= lowest(cards);
        --number;
    }
    return taken;
}

double ways(int of, int number) {
    double result = 1;
    for (int i = 0; i < number; ++i) result = result * (of - i) / (i + 1);
    return result;
}

// Draws some of the cards, by the likelihood of each selection given the number of keepers in it.
u64 likely_of(u64 cards, u64 keepers, const std::vector<double>& likelihood, u64& random) {
    const int number = static_cast<int>(likelihood.size()) - 1;
    const int good = std::popcount(cards & keepers), other = std::popcount(cards) - good;
    const auto weight = [&](int i) {
        return ways(good, i) * ways(other, number - i) * likelihood[static_cast<std::size_t>(i)];
    };
    const int least = std::max(0, number - other), most = std::min(good, number);
    double sum = 0;
    for (int i = least; i <= most; ++i) sum += weight(i);
    double left = below_one(next(random)) * sum;
    int chosen = least;
    while (chosen < most && (left -= weight(chosen)) >= 0) ++chosen;
    return some_of(cards & keepers, chosen, random) |
           some_of(cards & ~keepers, number - chosen, random);
}

}  // namespace

CallLikelihood::CallLikelihood(std::vector<const Strength*> strengths,
                               const std::vector<Numbering>& numberings,
                               std::vector<Bidder> bidders, int players, u64 pile, double spread)
    : strengths_(std::move(strengths)), bytes_(numberings.size()), bidders_(std::move(bidders)),
      players_(players), pile_(pile), spread_(spread) {
    for (std::size_t n = 0; n < numberings.size(); ++n)
        for (int byte = 0; byte < 8; ++byte)
            for (int cards = 0; cards < 256; ++cards)
                for (int i = 0; i < 8; ++i) {
                    const int number = numberings[n][static_cast<std::size_t>(8 * byte + i)];
                    if (cards >> i & 1 && number >= 0 && number < 64)
                        bytes_[n].of[byte][cards] |= bit(number);
                }
}

const char* CallLikelihood::fault() const {
    if (players_ < 3 || players_ > kMaxPlayers) return "not 3 to 5 players";
    if (bytes_.size() > kMostTrumps) return "too many trumps";
    if (!(spread_ > 0)) return "a spread of 0 or less";
    for (const Bidder& bidder : bidders_) {
        if (bidder.player < 0 || bidder.player >= players_) return "a bidder who does not play";
        if (bidder.position < 0 || bidder.exchanged < 0) return "no such position";
        const Exchange& exchange = bidder.exchange;
        if (exchange.kept.size() > 64 || exchange.away.size() > 64 ||
            (!exchange.kept.empty() &&
             exchange.away.size() <= static_cast<std::size_t>(bidder.exchanged)))
            return "no likelihood of an exchange";
        if (bidder.offers.size() > kMostOffers) return "too many offers";
        for (const Offer& offer : bidder.offers) {
            if (offer.strength < 0 || static_cast<std::size_t>(offer.strength) >= strengths_.size())
                return "no such strength";
            if (offer.numbering < 0 || static_cast<std::size_t>(offer.numbering) >= bytes_.size())
                return "no such numbering";
            for (const auto& tier : offer.tiers)
                for (int card : tier)
                    if (card < 0 || card >= 64 ||
                        !strengths_[static_cast<std::size_t>(offer.strength)]->calls(card))
                        return "no such card to call";
        }
        for (const Choice& choice : bidder.choices) {
            if (choice.chosen < 0 ||
                static_cast<std::size_t>(choice.chosen) >= choice.options.size())
                return "no such option";
            if (choice.options.size() > kMostOptions) return "too many options";
            if (choice.duty && choice.least.size() != 65) return "no duty for each number of cards";
            for (const Option& option : choice.options)
                for (int offer : option.offers)
                    if (offer < 0 || static_cast<std::size_t>(offer) >= bidder.offers.size())
                        return "no such offer";
        }
    }
    return nullptr;
}

// Returns the value of an offer, and multiplies `likelihood` by the likelihood of the called card.
double CallLikelihood::of_offer(const Bidder& bidder, const Offer& offer, const u64* numbered,
                                double& likelihood) const {
    const Strength& strength = *strengths_[static_cast<std::size_t>(offer.strength)];
    const u64 cards = numbered[offer.numbering];
    const int position = std::min(bidder.position, strength.positions() - 1);
    const auto value_of = [&](int card) {
        return static_cast<double>(strength.payoff(cards, position, card));
    };
    const auto may_call = [&](int card) {
        return !(cards & bit(card)) && (!offer.needs_suit || cards & lane(suit_of(card)));
    };
    if (!offer.calls) return value_of(-1);
    for (const auto& tier : offer.tiers) {
        double best = kImpossible, named = kImpossible;
        for (int card : tier) {
            if (!may_call(card)) continue;
            const double value = value_of(card);
            if (card == offer.named) named = value;
            best = std::max(best, value);
        }
        if (best == kImpossible) continue;
        if (offer.named >= 0) {
            double sum = 0;
            for (int card : tier)
                if (may_call(card)) sum += std::exp((value_of(card) - best) / spread_);
            likelihood *= std::exp((named - best) / spread_) / sum;
        }
        return best;
    }
    if (offer.named >= 0) likelihood = 0;
    return kImpossible;
}

// The likelihood of a bidder's choices; 0 if it certainly does not exceed `least_wanted`.
double CallLikelihood::of_bidder(const Bidder& bidder, u64 hand, double least_wanted) const {
    double likelihood = 1;
    u64 numbered[kMostTrumps] = {};
    const std::size_t trumps = bytes_.size();
    for (std::size_t n = 0; n < trumps; ++n) {
        u64 cards = 0;
        for (int byte = 0; byte < 8; ++byte) cards |= bytes_[n].of[byte][hand >> (8 * byte) & 255];
        numbered[n] = cards;
    }
    // The value of an offer is computed only when needed, because the bound from earlier choices
    // may settle the result.
    double worth[kMostOffers];
    std::fill(worth, worth + bidder.offers.size(), kImpossible);
    bool known[kMostOffers] = {};
    const auto find = [&](int number) {
        if (known[number]) return;
        known[number] = true;
        worth[number] =
            of_offer(bidder, bidder.offers[static_cast<std::size_t>(number)], numbered, likelihood);
    };
    double bound = 1;
    for (const Choice& choice : bidder.choices) {
        double best = kImpossible;
        const Option& chosen = choice.options[static_cast<std::size_t>(choice.chosen)];
        for (int offer : chosen.offers) {
            find(offer);
            best = std::max(best, worth[offer]);
        }
        if (chosen.offers.empty() || choice.duty) continue;
        for (const Option& option : choice.options)
            if (option.offers.empty()) bound *= 1 / (1 + std::exp(-best / spread_));
        if (bound <= least_wanted) return 0;
    }
    for (std::size_t i = 0; i < bidder.offers.size(); ++i) find(static_cast<int>(i));
    if (!(likelihood > 0)) return 0;
    for (const Choice& choice : bidder.choices) {
        int least = std::numeric_limits<int>::min();
        if (choice.duty)
            least = choice.least[static_cast<std::size_t>(std::popcount(hand & choice.duty))];
        double values[kMostOptions] = {};
        double best = kImpossible;
        const std::size_t options = choice.options.size();
        for (std::size_t i = 0; i < options; ++i) {
            const Option& option = choice.options[i];
            double value = option.offers.empty() ? 0.0 : kImpossible;
            for (int offer : option.offers)
                value = std::max(value, worth[static_cast<std::size_t>(offer)]);
            if (option.height < least) value = kImpossible;
            values[i] = value;
            best = std::max(best, value);
        }
        const double chosen = values[choice.chosen];
        if (chosen == kImpossible) return 0;
        double sum = 0;
        for (std::size_t i = 0; i < options; ++i) sum += std::exp((values[i] - best) / spread_);
        likelihood *= std::exp((chosen - best) / spread_) / sum;
    }
    return likelihood;
}

// Undoes an exchange: draws the dealt hand with `random`, and returns the likelihood of the
// discards. Without an `exchange`, all selections from the bidder's `discards` in the dealt hand
// count as equally likely.
double CallLikelihood::dealt(const Bidder& bidder, u64& hand, u64& pile, u64& random) const {
    const int number = bidder.exchanged;
    if (!number) return 1;
    const auto& [keepers, kept, all_away] = bidder.exchange;
    if (!kept.empty()) {
        // The likelihood of the exchange is in the weight of the layout, whichever cards it was.
        const u64 own = likely_of(hand, keepers, kept, random);
        const u64 away = some_of(likely_of(pile, keepers, all_away, random), number, random);
        hand = own | away;
        pile &= ~away;
        return 1;
    }
    const int before = std::popcount(pile);
    const u64 may = pile & bidder.discards;
    if (std::popcount(may) < number) return 0;
    const u64 drawn = some_of(hand, number, random);
    const u64 away = some_of(may, number, random);
    hand = (hand & ~drawn) | away;
    pile &= ~away;
    // Unless `counted` is set, any cards of the pile may be the discards in a layout.
    const double share =
        bidder.counted ? 1 : ways(std::popcount(may), number) / ways(before, number);
    return share / ways(std::popcount(hand & bidder.discards), number);
}

double CallLikelihood::likelihood(const u64* hands, u64 random, double least_wanted) const {
    double product = 1;
    u64 pile = pile_;
    for (int player = 0; player < players_; ++player) pile &= ~hands[player];
    for (const Bidder& bidder : bidders_) {
        u64 hand = hands[bidder.player];
        product *= dealt(bidder, hand, pile, random);
        if (!(product > least_wanted)) return 0;
        product *= of_bidder(bidder, hand, least_wanted / product);
        if (!(product > least_wanted)) return 0;
    }
    return product;
}

void CallLikelihood::draw(const Unranker& layouts, std::size_t count, u64 state, u64 first,
                          std::vector<u64>& kept) const {
    u64 hands[kMaxPlayers];
    const u128 of = layouts.count();
    for (std::size_t i = 0; i < count; ++i) {
        u64 random = mixed(state + (first + i + 1) * kStep);
        const u64 high = next(random);
        const u128 word = wide(high, next(random));
        // The random number is so large that its remainder favors no rank noticeably.
        const u128 rank = word - word / of * of;
        layouts.hands(rank, hands);
        const double chance = below_one(next(random));
        if (chance >= likelihood(hands, random, chance)) continue;
        kept.push_back(static_cast<u64>(rank));
        kept.push_back(static_cast<u64>(rank / wide(1, 0)));
    }
}

void CallLikelihood::weigh(const Unranker& layouts, const u64* ranks, std::size_t count,
                           double* weights) const {
    u64 hands[kMaxPlayers];
    for (std::size_t i = 0; i < count; ++i) {
        layouts.hands(wide(ranks[2 * i + 1], ranks[2 * i]), hands);
        weights[i] = likelihood(hands, 0, 0);
    }
}

}  // namespace spadille
