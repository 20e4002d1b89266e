// Move ordering at Misère, where one player avoids tricks and all others try to give them away.
#pragma once

#include "order.hpp"

namespace spadille::SPADILLE_ISA {

// The number of other players' cards below the lowest card at which never_wins() fails, minus the
// limit for that card.
inline int excess(u64 his, u64 foreign) {
    for (int rank = 0; his; his &= his - 1, ++rank) {
        const int more = popcount(foreign & (lowest(his) - 1)) - rank;
        if (more > 0) return more;
    }
    return 0;
}

// The suits of these cards in which never_wins() fails and the declarer is in danger.
template <int P>
u64 unsafe_suits(const Board<P>& b, int declarer, u64 cards) {
    u64 out = 0;
    while (cards) {
        const u64 suit = lane(suit_of(lowest_index(cards)));
        const u64 own = b.hands[declarer] & suit;
        if (excess(own, b.all & suit & ~own)) out |= suit;
        cards &= ~suit;
    }
    return out;
}

template <int P, int K>
class MisereOrder : public RatedCards {
public:
    void rate(const Board<P>& b, const Trick& t, int player, int declarer, u64 left, u64 hint,
              const MisereWeights& w) {
        hint_ = hint;
        const u64 unsafe = unsafe_suits(b, declarer, left & ~t.led);  // not used for the led suit
        const bool own_turn = player == declarer;
        if constexpr (K == 0) {
            own_turn ? lead_low(b, player, unsafe, left, w.own_lead)
                     : attack(b, player, declarer, unsafe, left, w.lead);
        } else {
            own_turn ? escape(b, t, player, unsafe, left, w.own_answer[K + 1 < P])
                     : help(b, t, player, declarer, unsafe, left, w);
        }
    }

private:
    void lead_low(const Board<P>& b, int player, u64 unsafe, u64 left, const int* w) {
        for (u64 rest = left; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const int s = suit_of(lowest_index(card));
            const u64 foreign = b.all & lane(s) & ~b.hands[player];
            add(card,
                w[kOwnUnder] * popcount(foreign & (card - 1)) +
                    w[kOwnAbove] * popcount(foreign & ~(card - 1)) +
                    w[kOwnLength] * b.length(player, s) + (unsafe & card ? w[kOwnUnsafe] : 0),
                w[kOwnHint]);
        }
    }

    void attack(const Board<P>& b, int player, int declarer, u64 unsafe, u64 left, const int* w) {
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
                const u64 under = lowest(his) - 1;
                int ready = 0;
                for (int p = 0; p < P; ++p)
                    ready += p != declarer && p != player &&
                             (!(b.hands[p] & suit) || (b.hands[p] & suit & under));
                score += w[kFoeReady] * ready + w[kFoeOverHis] * popcount(his & (card - 1));
                if (card & under) score += w[kFoeUnderHis];
                const u64 foreign = b.all & suit & ~his;
                score += w[kFoeExcess] * excess(his, foreign) +
                         w[kFoeOthers] * popcount(foreign & ~b.hands[player]);
            }
            if (unsafe & card) score += w[kFoeUnsafe];
            const u64 others = b.all & suit & ~b.hands[player];
            score += w[kFoeUnder] * popcount(others & (card - 1));
            add(card, score, w[kFoeHint]);
        }
    }

    void escape(const Board<P>& b, const Trick& t, int player, u64 unsafe, u64 left, const int* w) {
        for (u64 rest = left; rest; rest &= rest - 1) {
            const u64 card = lowest(rest);
            const int s = suit_of(lowest_index(card));
            const u64 foreign = b.all & lane(s) & ~b.hands[player];
            const int under = popcount(foreign & (card - 1));
            const int length = b.length(player, s);
            int score;
            if (!(card & t.led)) {
                score = w[kDiscardUnder] * under + w[kDiscardLength] * length +
                        (unsafe & card ? w[kDiscardUnsafe] : 0) +
                        (length == 1 ? w[kDiscardSingleton] : 0);
            } else if (card < t.best) {
                score = w[kDuckUnder] * under;
            } else {
                score = w[kTakeUnder] * under + w[kTake];
            }
            add(card, score, w[kOwnAnswerHint]);
        }
    }

    void help(const Board<P>& b, const Trick& t, int player, int declarer, u64 unsafe, u64 left,
              const MisereWeights& weights) {
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
            int score = his && card < lowest(his) ? w[kHelpUnderHis] : 0;
            score += w[kHelpOverHis] * popcount(his & (card - 1));
            if (!(card & t.led)) {
                score += w[kThrowUnder] * under + w[kThrowLen] * b.length(player, s) +
                         (unsafe & card ? w[kThrowUnsafe] : 0) + (his ? 0 : w[kThrowHeIsVoid]);
            } else if (card > t.best) {
                score += w[kOver] + w[kOverUnder] * under;
            } else {
                score += w[kBelowUnder] * under;
            }
            add(card, score, w[kHelpHint]);
        }
    }
};

}  // namespace spadille::SPADILLE_ISA
