// All static bounds: whether a group is sure of a number of tricks, and the smallest set of cards
// that proves it.
#pragma once

#include <type_traits>

#include "quick_tricks.hpp"
#include "quick_tricks_alone.hpp"
#include "trump_endgame.hpp"

namespace spadille::SPADILLE_ISA {

// If several bounds hold, the proof that depends on the fewest cards serves the most positions. In
// a short game, the first proof found is used, because looking for others costs more than it saves.
template <int P>
class SureTricks {
public:
    struct Effort {
        bool first;  // use the first proof found
        bool relaxed;  // in the relaxed lone game
        bool endgames;  // test the trump endgame, too
    };
    SureTricks(const Board<P>& board, const Following& rules, u32 leaders, int tricks,
               TrumpDuel& duel, TrumpEndgame& endgame, const Effort& effort)
        : b(board), rules_(rules), leaders_(leaders), tricks_(tricks), duel_(duel),
          endgame_(endgame), effort_(effort), enough_(effort.first ? kNone - 1 : 1) {}

    bool prove(u32 group, int want) {
        lost_ = 0;
        if (!group || want > tricks_) return false;
        const int leader = lowest_index(leaders_);
        const bool leads = group >> leader & 1;
        u64 used = 0;
        if (want == 1 && popcount(group) == P - 1 && rules_.grants(kGuardedTrickAssumes) &&
            guarded_trick<P>(b, lowest_index(~group), leader, tricks_, used))
            holds(used);
        if (b.trumps && fewest_ > enough_ && rules_.grants(TrumpDuel::kAssumes)) {
            const bool stuck = b.called || !(b.hands[leader] & ~b.trumps);
            const auto lead = !leads  ? TrumpDuel::Lead::off
                              : stuck ? TrumpDuel::Lead::stuck
                                      : TrumpDuel::Lead::free;
            if (duel_.sure(b, {group, leader, lead, want}, used)) holds(used);
        }
        if (fewest_ > enough_) {
            if (want == 1 && rules_.grants(kOneTrickAssumes) &&
                one_trick<P>(b, group, tricks_, used))
                holds(used);
            if (group & (group - 1)
                    ? in_a_row(QuickTricks<P>(b, group, duel_, leads ? 40 : 20), leads, want, used)
                    : in_a_row(TricksAlone<P>(b, lowest_index(group), duel_), leads, want, used))
                holds(used);
            lost_used_ = used;
        }
        if (fewest_ == kNone && effort_.endgames && b.trumps && !(group & (group - 1)) &&
            rules_.grants(TrumpEndgame::kAssumes) &&
            endgame_.sure(b, {lowest_index(group), leaders_, tricks_, want, effort_.relaxed}, used))
            holds(used);
        return fewest_ != kNone;
    }

    // The lowest card of each suit the proof needs.
    u64 used() const { return best_; }

    // If there is no proof and the others lead: the suits that they need not lead, and the lowest
    // cards on which this depends.
    u64 lost() const { return lost_; }
    u64 lost_used() const { return lost_used_; }

private:
    static constexpr int kNone = 65;  // more than the number of cards

    // Whether the group wins `want` tricks in a row: if `leads`, with one of the group on lead,
    // else whatever suit the others lead. `used` has the cards on which the proof depends. If there
    // is no proof, it has the cards that show that the group takes its tricks if the others lead
    // certain suits.
    template <class Tricks>
    bool in_a_row(Tricks&& tricks, bool leads, int want, u64& used) {
        used = 0;
        if (!rules_.grants(std::decay_t<Tricks>::kAssumes) || tricks.hopeless(want)) return false;
        if (leads) return tricks.led(lowest_index(leaders_), want, used);
        if (tricks.unled(want, used)) return true;
        used = 0;
        bool all = true;
        for (u64 suits = b.held(leaders_); suits;) {  // rule: lone-game-leaders
            const int s = suit_of(lowest_index(suits));
            suits &= ~lane(s);
            u64 rests = 0;
            if (tricks.answered(s, want, rests)) {
                lost_ |= lane(s);
                used |= rests;  // rule: later-all-suits
            } else {
                all = false;
            }
        }
        return all;
    }

    void holds(u64 used) {
        const int cards = popcount(close_up(used, b.all));
        if (cards >= fewest_) return;
        fewest_ = cards;
        best_ = used;
    }

    const Board<P>& b;
    const Following& rules_;
    const u32 leaders_;
    const int tricks_;
    TrumpDuel& duel_;
    TrumpEndgame& endgame_;
    const Effort effort_;
    const int enough_;
    int fewest_ = kNone;
    u64 best_ = 0, lost_ = 0, lost_used_ = 0;
};

}  // namespace spadille::SPADILLE_ISA
