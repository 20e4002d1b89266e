// Move ordering at Misère, where one player avoids tricks and all others try to give them away.
#pragma once

#include "move_order.hpp"

namespace spadille::SPADILLE_ISA {

// The number of other players' cards below the lowest card at which never_wins() fails, minus the
// limit for that card.
inline int most_excess(u64 his, u64 foreign) {
    for (int rank = 0; his; his &= his - 1, ++rank) {
        const int more = popcount(foreign & (lowest(his) - 1)) - rank;
        if (more > 0) return more;
    }
    return 0;
}

// The excess of each suit. A suit with an excess is unsafe: never_wins() fails there, and the
// declarer is in danger.
struct Dangers {
    u8 excess[4] = {};

    // Computes the excess of the suits of these cards.
    template <int P>
    void see(const Board<P>& b, int declarer, u64 cards) {
        while (cards) {
            const int s = suit_of(lowest_index(cards));
            const u64 own = b.hands[declarer] & lane(s);
            excess[s] = static_cast<u8>(most_excess(own, b.all & lane(s) & ~own));
            cards &= ~lane(s);
        }
    }
    bool unsafe(u64 card) const { return excess[suit_of(lowest_index(card))]; }
};

template <int P, int K>
class MisereOrder : public RatedCards {
public:
    // The excess of the led suit is not used.
    void rate(const Board<P>& b, const Trick& t, int player, int declarer, const Dangers& dangers,
              u64 left, const MisereWeights& w) {
        const bool own_turn = player == declarer;
        if constexpr (K == 0) {
            own_turn ? lead_low(b, player, dangers, left, w.own_lead)
                     : attack(b, player, declarer, dangers, left, w.lead);
        } else {
            own_turn ? escape(b, t, player, dangers, left, w.own_answer[K + 1 < P])
                     : help(b, t, player, declarer, dangers, left, w);
        }
    }

private:
    void lead_low(const Board<P>& b, int player, const Dangers& dangers, u64 left, const int* w) {
        for (u64 rest = left; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const int s = suit_of(lowest_index(card));
            const u64 foreign = b.all & lane(s) & ~b.hands[player];
            add(card, w[kOwnUnder] * popcount(foreign & (card - 1)) +
                          w[kOwnAbove] * popcount(foreign & ~(card - 1)) +
                          w[kOwnLength] * b.length(player, s) +
                          (dangers.unsafe(card) ? w[kOwnUnsafe] : 0));
        }
    }

    void attack(const Board<P>& b, int player, int declarer, const Dangers& dangers, u64 left,
                const int* w) {
        for (u64 rest = left; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const int s = suit_of(lowest_index(card));
            const u64 suit = lane(s);
            const u64 his = b.hands[declarer] & suit;
            int score =
                w[kFoeLength] * b.length(player, s) + w[kFoeHisLength] * b.length(declarer, s);
            if (!his) {
                score += w[kFoeHeIsVoid];
            } else {
                // The other players who need not beat the declarer's lowest card. The declarer
                // never counts here.
                const u64 under = lowest(his) - 1;
                int ready = -static_cast<int>((b.hands[player] & suit & under) != 0);
                for (const u64 hand : b.hands)
                    ready += static_cast<int>(!(hand & suit)) |
                             static_cast<int>((hand & suit & under) != 0);
                score += w[kFoeReady] * ready + w[kFoeOverHis] * popcount(his & (card - 1));
                if (card & under) score += w[kFoeUnderHis];
                const u64 foreign = b.all & suit & ~his;
                score += w[kFoeExcess] * dangers.excess[s] +
                         w[kFoeOthers] * popcount(foreign & ~b.hands[player]);
            }
            if (dangers.excess[s]) score += w[kFoeUnsafe];
            const u64 others = b.all & suit & ~b.hands[player];
            score += w[kFoeUnder] * popcount(others & (card - 1));
            add(card, score);
        }
    }

    void escape(const Board<P>& b, const Trick& t, int player, const Dangers& dangers, u64 left,
                const int* w) {
        for (u64 rest = left; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const int s = suit_of(lowest_index(card));
            const u64 foreign = b.all & lane(s) & ~b.hands[player];
            const int under = popcount(foreign & (card - 1));
            const int length = b.length(player, s);
            int score;
            if (!(card & t.led)) {
                score = w[kDiscardUnder] * under + w[kDiscardLength] * length +
                        (dangers.unsafe(card) ? w[kDiscardUnsafe] : 0) +
                        (length == 1 ? w[kDiscardSingleton] : 0);
            } else if (card < t.best) {
                score = w[kDuckUnder] * under;
            } else {
                score = w[kTakeUnder] * under + w[kTake];
            }
            add(card, score);
        }
    }

    void help(const Board<P>& b, const Trick& t, int player, int declarer, const Dangers& dangers,
              u64 left, const MisereWeights& weights) {
        int after = declarer - t.leader;  // the declarer's position in the trick
        if (after < 0) after += P;
        const bool played = after < K;
        const bool wins = played && t.best_player == declarer;
        const int* w = weights.answer[wins ? 0 : played ? 1 : 2];
        for (u64 rest = left; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const int s = suit_of(lowest_index(card));
            const u64 suit = lane(s);
            const u64 his = b.hands[declarer] & suit;
            const u64 others = b.all & suit & ~b.hands[player];
            const int under = popcount(others & (card - 1));
            const int over_his = popcount(his & (card - 1));
            int score = w[kHelpOverHis] * over_his;
            score += w[kHelpUnderHis] * (static_cast<int>(!over_his) & static_cast<int>(his != 0));
            if (!(card & t.led)) {
                score += w[kThrowUnder] * under + w[kThrowLen] * b.length(player, s) +
                         (dangers.unsafe(card) ? w[kThrowUnsafe] : 0) +
                         (his ? 0 : w[kThrowHeIsVoid]);
            } else if (card > t.best) {
                score += w[kOver] + w[kOverUnder] * under;
            } else {
                score += w[kBelowUnder] * under;
            }
            add(card, score);
        }
    }
};

}  // namespace spadille::SPADILLE_ISA
