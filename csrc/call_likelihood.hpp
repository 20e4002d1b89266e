// The likelihood that bidders with given hands make the calls that were heard, in the model of
// docs/chances.md.
//
// A player makes the call that pays best on their own hand among those that the rules allow, but
// with some randomness: a call of value v has the weight exp(v / spread). A call is worth as much
// as its best offer: a contract in a trump, with the best card to call.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "cards.hpp"
#include "strength.hpp"
#include "layout_unranker.hpp"

namespace spadille {

class CallLikelihood {
public:
    // A contract in a trump. If there are tiers, the called card comes from the first tier with a
    // card that the hand may call.
    struct Offer {
        int strength = 0;
        int numbering = 0;
        bool calls = false;
        bool needs_suit = false;  // the caller must hold another card of the suit
        std::vector<std::vector<int>> tiers;
        int named = -1;  // the card from the tiers that was called
    };
    // An option of a player: a pass, which is worth nothing, or some offers.
    struct Option {
        int height = -1;
        std::vector<int> offers;
    };
    // A choice that the other players heard. A hand with n of the duty cards may not choose an
    // option below least[n].
    struct Choice {
        std::vector<Option> options;
        int chosen = 0;
        u64 duty = 0;
        std::vector<int> least;
    };
    // The likelihood of an exchange, by the number of keepers, which are cards that players rather
    // keep: [i] of `kept` is that of keeping given cards that include i keepers, and [i] of `away`
    // that of the discards of all players together. The last numbers are those of all cards kept
    // and discarded.
    struct Exchange {
        u64 keepers = 0;
        std::vector<double> kept, away;
    };
    // A player who exchanged some cards after the calls, discarding only cards in `discards`. If
    // `counted`, the layouts already take the discards into account. If `exchange` has numbers,
    // layouts are already weighted by its likelihood, and it replaces `discards`.
    struct Bidder {
        int player = 0;
        int position = 0;
        int exchanged = 0;
        u64 discards = 0;
        bool counted = false;
        Exchange exchange;
        std::vector<Offer> offers;
        std::vector<Choice> choices;
    };
    using Numbering = std::array<int, 64>;  // card of the deck -> number in one trump, -1 for none

    CallLikelihood(std::vector<const Strength*> strengths, const std::vector<Numbering>& numberings,
                   std::vector<Bidder> bidders, int players, u64 pile, double spread);
    const char* fault() const;

    // The likelihood of the calls given the hands, which have a bit for each card of the deck.
    // `random` decides which cards were exchanged. The result is 0 if it does not exceed
    // `least_wanted`.
    double likelihood(const u64* hands, u64 random, double least_wanted) const;

    // Draws `count` layouts at random, and keeps each with a probability equal to the likelihood of
    // the calls. Writes the ranks of the layouts kept, two words each, the lower word first.
    // `state` and `first` identify the random draws.
    void draw(const Unranker& layouts, std::size_t count, u64 state, u64 first,
              std::vector<u64>& kept) const;
    // The likelihood of the calls in each of these layouts, for bidders who exchanged no cards.
    void weigh(const Unranker& layouts, const u64* ranks, std::size_t count, double* weights) const;

private:
    struct Bytes {
        u64 of[8][256] = {};
    };
    double of_offer(const Bidder& bidder, const Offer& offer, const u64* numbered,
                    double& likelihood) const;
    double of_bidder(const Bidder& bidder, u64 hand, double least_wanted) const;
    double dealt(const Bidder& bidder, u64& hand, u64& pile, u64& random) const;

    const std::vector<const Strength*> strengths_;
    std::vector<Bytes> bytes_;
    const std::vector<Bidder> bidders_;
    const int players_;
    const u64 pile_;  // cards that may be in no hand, and so may have been discarded
    const double spread_;
};

}  // namespace spadille
