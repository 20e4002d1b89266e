// Goals of a lone player that depend on more than one number: more tricks than each of the others,
// and clean tricks (Nemo).
//
// A state is a vector of needs: the number of tricks needed from here on, and the lead needed over
// each rival. Lower needs are never worse for the player. An answer therefore holds within limits
// of the needs: a proof if no need is greater, a refutation if none is less. At the end of a line,
// the limits are the needs that settle it; an irrelevant need has no limit. The limits before a
// trick are those after it, shifted in the same way as the trick shifts the needs. A proof that
// consists of many lines has to satisfy the limits of each.
#pragma once

#include "board.hpp"

namespace spadille::SPADILLE_ISA {

// If a state is a single number, it has no limits to keep.
struct NoLimits {
    void add(NoLimits) {}
};

// Five numbers of five bits, with a spare bit above each: needs, raised by kZero, or limits of
// needs. All are upper limits; in a refutation, they limit the negated needs.
struct Lanes {
    static constexpr int kBits = 6, kZero = 14, kGreatest = 30, kNoLimit = 31;
    static constexpr u32 kOnes = 0x01041041, kSpare = kOnes << 5, kNone = kSpare - kOnes;

    static_assert(kNone == kNoLimit * kOnes && kGreatest < kNoLimit);
    static_assert(kZero + kMaxTricks <= kGreatest && kZero - kMaxTricks >= 0, "a need, met or not");
    static_assert(kMaxPlayers * kBits < 31, "a table's entry has a bit above them");

    u32 bits = kNone;

    int at(int lane) const { return static_cast<int>(bits >> (kBits * lane)) & kNoLimit; }
    // Sets the numbers of the lanes whose lowest bits these are.
    void set(u32 lanes, int to) {
        bits = (bits & ~(lanes * kNoLimit)) | lanes * static_cast<u32>(to);
    }
    void put(int lane, int to) { set(1u << (kBits * lane), to); }
    int need(int lane) const { return at(lane) - kZero; }
    void limit(int lane, int need) {
        assert(need + kZero >= 0 && need + kZero <= kNoLimit);
        put(lane, need + kZero);
    }

    Lanes turned() const { return {kNone ^ bits}; }
    bool within(Lanes limits) const {
        assert(!((bits | limits.bits) & kSpare));
        return (((limits.bits | kSpare) - bits) & kSpare) == kSpare;
    }
    void add(Lanes other) {
        const u32 over = ((bits | kSpare) - other.bits) & kSpare, mask = over - (over >> 5);
        bits = (other.bits & mask) | (bits & ~mask);
    }
    // Subtracts one from all needs; the lowest possible need stays.
    void lower_needs() { bits -= (((bits | kSpare) - kOnes) & kSpare) >> 5; }
    void move_limits(int by) {
        const u32 some = (~((bits | kSpare) - kNone) & kSpare) >> 5;
        bits = by > 0 ? bits + some : bits - some;
    }
};

class NeedsGoal {
public:
    static constexpr bool kSeesCards = true;
    static constexpr bool kAvoids = true;
    static constexpr u32 kUnknown = 0;
    using Limits = Lanes;

    NeedsGoal(const Needs& needs, int player, int players)
        : kind_(needs.kind), marked_(needs.marked), own_(player),
          lanes_(kind_ == Needs::clean ? 2 : players),
          rivals_(Lanes::kOnes & ((1u << (Lanes::kBits * lanes_)) - 2)), ours_(1u << player),
          theirs_(((1u << players) - 1) ^ ours_) {}

    int start(const Needs& needs) const {
        Lanes state{0};
        for (int i = 0; i < lanes_; ++i) {
            const int n = needs.of[i] + Lanes::kZero;
            state.put(i, n < 0 ? 0 : n < Lanes::kGreatest ? n : Lanes::kGreatest);
        }
        return static_cast<int>(state.bits);
    }

    // A need at the end of its range stays there: it is unreachable or met, whatever tricks follow.
    int after(int state, int winner, bool marked) const {
        Lanes s = of(state);
        if (winner != own_) {
            if (kind_ == Needs::clean) return state;
            const int lane = lane_of(winner);
            s.put(lane, s.at(lane) + (s.at(lane) < Lanes::kGreatest));
        } else if (spoils(marked)) {
            s.put(0, s.at(1));
        } else {
            s.lower_needs();
        }
        return static_cast<int>(s.bits);
    }

    // The limits before a trick, given those after it.
    void before(bool result, int winner, bool marked, Limits& limits) const {
        const int lower = result ? 1 : -1;
        if (winner != own_) {
            if (kind_ == Needs::clean) return;
            const int lane = lane_of(winner), now = limits.at(lane);
            if (now != Lanes::kNoLimit) limits.put(lane, now - lower);  // rule: needs-rival
        } else if (spoils(marked)) {
            if (limits.at(0) < limits.at(1)) limits.put(1, limits.at(0));  // rule: needs-spoilt
            limits.put(0, Lanes::kNoLimit);
        } else {
            limits.move_limits(lower);  // rule: needs-moved
        }
    }

    template <class Board>
    bool won(int state, int tricks, const Board& b, Limits& limits) const {
        return reached(state, tricks, 0, b, limits);
    }
    bool lost(int state, int tricks, Limits& limits) const {
        return missed(state, tricks, 0, limits);
    }

    u32 ours() const { return ours_; }
    u32 theirs() const { return theirs_; }
    u32 credited() const { return ours_; }

    template <class Board>
    int enough(int state, int tricks, const Board& b, Limits& limits) const {
        // No fewer tricks can be enough.
        const Lanes needs = of(state);
        const int own = needs.need(0), ahead = (most_needed(needs) + tricks + 1) >> 1;
        int sure = kind_ == Needs::either ? least(own, ahead)
                   : kind_ == Needs::most ? most(own, ahead)
                                          : own;
        sure = most(sure, 1);
        while (sure <= tricks && !reached(state, tricks, sure, b, limits)) ++sure;
        return sure;
    }
    int too_many(int state, int tricks, Limits& limits) const {
        // No fewer tricks can be too many.
        const Lanes needs = of(state);
        int sure = tricks - needs.need(0) + 1;
        if (kind_ != Needs::clean) {
            const int rivals = lanes_ - 1, room = rivals * tricks - sum(needs);
            const int others =
                least(tricks - most_needed(needs), room < 0 ? 0 : room / (rivals + 1)) + 1;
            sure = kind_ == Needs::either ? most(sure, others) : least(sure, others);
        }
        sure = most(sure, 1);
        while (sure <= tricks && !missed(state, tricks, sure, limits)) ++sure;
        return sure;
    }

    // Whether the player reaches the goal without winning another trick.
    bool avoids(int state, Limits& limits) const {
        limits = Lanes();
        limits.limit(0, 0);  // rule: avoids-limit
        return kind_ == Needs::clean && of(state).within(limits);  // rule: avoids-met
    }

    bool answers(u32 known, int state, bool& result) const {
        result = known >> 31;
        return row(state, result).within({known & kLimits});
    }
    // Stores the answer, replacing one that it covers.
    bool add(u32& known, bool result, int, Limits limits) const {
        const u32 proved = static_cast<u32>(result) << 31;
        if (known != kUnknown &&
            ((known & ~kLimits) != proved || !Lanes{known & kLimits}.within(limits)))
            return false;
        known = limits.bits | proved;
        return true;
    }
    static Limits limits(u32 known) { return {known & kLimits}; }

private:
    static constexpr u32 kLimits = 0x7FFFFFFF;

    static Lanes of(int state) { return {static_cast<u32>(state)}; }
    static Lanes row(int state, bool result) { return result ? of(state) : of(state).turned(); }
    static void at_least(Lanes& limits, u32 lane, int need) {
        limits.set(lane, Lanes::kNoLimit - Lanes::kZero - need);
    }
    static int most(int a, int b) { return a > b ? a : b; }
    static int least(int a, int b) { return a < b ? a : b; }
    // The lead needed over the rival over whom most is needed.
    static int most_needed(Lanes needs) {
        int needed = 0;
        for (int lane = 1; lane < kMaxPlayers; ++lane) needed = most(needed, needs.at(lane));
        return needed - Lanes::kZero;
    }
    // The sum of the leads needed over all rivals.
    int sum(Lanes needs) const {
        int all = 0;
        for (int lane = 1; lane < kMaxPlayers; ++lane) all += needs.at(lane);
        return all - Lanes::kZero * (lanes_ - 1);
    }
    bool spoils(bool marked) const { return marked && kind_ == Needs::clean; }
    // rule: needs-rival-lane
    int lane_of(int rival) const { return rival < own_ ? rival + 1 : rival; }

    // Whether the player reaches the goal by winning `sure` of the remaining tricks, whoever wins
    // the others. In the worst case, one rival wins all of these, and every marked card falls in a
    // different trick that the player wins.
    template <class Board>
    bool reached(int state, int tricks, int sure, const Board& b, Limits& limits) const {
        limits = Lanes();
        limits.limit(0, sure);
        if (kind_ == Needs::clean) {
            const int marks = tricks ? popcount(marked_ & b.held()) : 0;
            if (marks) limits.limit(1, marks < sure ? sure - marks : 0);  // rule: needs-marks
        } else if (kind_ == Needs::most || !of(state).within(limits)) {
            if (kind_ == Needs::either) limits = Lanes();
            // rule: needs-sure
            limits.set(rivals_, 2 * sure - tricks + Lanes::kZero);
        }
        return of(state).within(limits);
    }

    // Whether the player fails if the others win `sure` of the tricks. The player may then have too
    // few tricks, or one rival may have too many. The player also fails if the others win more
    // tricks than all of them together can have while the player stays ahead of each.
    bool missed(int state, int tricks, int sure, Limits& limits) const {
        const Lanes needs = of(state);
        const int his = tricks - sure;
        const bool few = needs.need(0) > his;
        limits = Lanes();
        if (few) at_least(limits, 1, his + 1);  // rule: needs-few
        if (few != (kind_ == Needs::either)) return few;  // rule: needs-either
        if (kind_ == Needs::clean) return false;
        const u32 theirs = needs.bits & (rivals_ * Lanes::kNoLimit);
        const u32 more = rivals_ * static_cast<u32>(his + 1 + Lanes::kZero);
        const u32 ahead = ((theirs | Lanes::kSpare) - more) & (rivals_ << Lanes::kBits >> 1);
        if (ahead) {
            const u32 first = (ahead & (0 - ahead)) >> (Lanes::kBits - 1);
            at_least(limits, first, his + 1);  // rule: needs-ahead
            return true;
        }
        limits.bits ^= theirs;  // rule: needs-each
        return (lanes_ - 1) * his - sum(needs) < sure;  // rule: needs-room
    }

    Needs::Kind kind_;
    u64 marked_;
    int own_, lanes_;
    u32 rivals_;  // the lowest bits of their lanes
    u32 ours_, theirs_;
};

}  // namespace spadille::SPADILLE_ISA
