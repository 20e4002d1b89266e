// Static bounds: tricks that a group of players is sure of, with the cards the proof depends on.
//
// Each function stops counting at `want`, so that the proof depends on as few cards as possible.
// `used` receives the lowest card the proof needs in each suit; suit lengths are part of every
// table key and need not be listed.
#pragma once

#include "board.hpp"
#include "following.hpp"
#include "sure_trump_tricks.hpp"

namespace spadille::SPADILLE_ISA {

// The tricks that a player wins with trumps, no matter how everybody plays. No two of the player's
// trumps fall in one trick, so each of them that is beaten uses up a higher trump of another
// player. `used` is lowered to the last trump needed. This assumes nothing about following suit.
template <int P>
int certain_tricks(const Board<P>& b, int player, int most, u64& used) {
    const u64 trumps = b.all & b.trumps, own = b.hands[player] & trumps;
    int beaten = 0, tricks = 0;
    for (u64 left = own, card; left && tricks < most; left ^= card) {
        card = highest(left);
        if (popcount(trumps & ~own & ~(card - 1)) > beaten) {  // rule: certain-beaten
            ++beaten;
        } else {
            ++tricks;
            if (!used || card < used) used = card;
        }
    }
    return tricks;
}

// Quick tricks of a group, starting with a trick that it leads, or with one that it wins after a
// lead from outside the group.
//
// The proof is a plan: it says which member of the group wins each round, and with which card. All
// plans are tried, up to a fixed number of steps. A plan relies only on the suit lengths of the
// others. In round r of a suit (from 0), only a player who began with more than r cards of it can
// beat a card. Only a player who began with at most r cards of the suit, and with more trumps than
// rounds of trumps led, could ruff. No suit is led that could be ruffed, so players with trumps
// have followed to every lead.
//
// The member chosen to win plays the highest card of the suit, or the lowest trump, and the rest of
// the group play their lowest. The proof therefore depends only on the winning cards, and not even
// on these if nobody else has the suit. A member who is out of the suit throws any card that the
// plan does not need. It is enough to count one card per trick. A member with trumps must have
// plain cards to throw, and the called card is not one of them.
//
// Plans do not lead the called suit, nor trumps while a matador outside the group might be exempt.
template <int P>
class QuickTricks {
public:
    static constexpr unsigned kAssumes = kFreePlay | TrumpDuel::kAssumes;

    // `steps` is the maximum number of steps when trying plans.
    QuickTricks(const Board<P>& board, u32 group, TrumpDuel& duel, int steps)
        : b(board), group_(group), others_(((1u << P) - 1) ^ group), duel_(duel),
          foreign_(b.held(others_)), steps_(steps) {
        barred_ = b.called_lane;  // rule: quick-called-suit
        if (b.matadors & foreign_) barred_ |= b.trumps;  // rule: quick-matadors
        for (int p = 0; p < P; ++p) hand_[p] = b.hands[p];
    }

    // `leader`, one of the group, is on lead.
    bool led(int leader, int want, u64& used) {
        used = 0;
        return run(leader, want, used);
    }

    // A player outside the group leads any suit.
    bool unled(int, u64&) {
        first_ = against();
        return false;
    }

    // A player outside the group leads the suit. Call unled() first.
    bool answered(int s, int want, u64& used) {
        // rule: later-called-suit, later-trump-lead
        if (((want > 1 ? barred_ : b.called_lane) | first_.ruffs) & lane(s)) return false;
        for (u32 left = group_; left; left &= left - 1) {
            const int p = lowest_index(left);
            if (!(wins(p, first_.cards) & lane(s))) continue;
            used = 0;
            if (taken(s, p, first_.cards & lane(s), want, used)) return true;
        }
        return false;
    }

    // Whether quick tricks must fail, because too few rounds can be won by rank or by a ruff, and
    // too few plain rounds can be cashed before the duel.
    bool hopeless(int want) {
        if (want <= 2) return false;
        const u64 longest = longest_of(group_);
        const u64 joint = b.all & ~close_down(foreign_, ~0ull);  // above all of the others' cards
        const u64 rounds = by_rank(sizes(joint), longest_of(others_), longest);
        const int drawn = total(rounds & b.trumps & ~barred_);
        const u64 unruffed = shortest_of(others_, drawn), ruffs = shortest_of(group_, 0);
        u64 plain = ~(b.trumps | barred_);
        if (!b.trumps) plain &= ~whole(some(foreign_) & ~some(joint));
        const u64 ruffed = whole(greater(kEach + rounds, ruffs));
        if (drawn + total(least_each((rounds & ~ruffed) | (longest & ruffed), unruffed) & plain) >=
            want)
            return false;
        u64 trump;
        const int cashed = total(least_each(rounds, unruffed) & plain);
        return !cashed || !b.trumps ||
               !duel_.sure(b, {group_, -1, TrumpDuel::Lead::off, want - cashed}, trump);
    }

private:
    // The length of these players' longest holding in each suit.
    u64 longest_of(u32 players) const {
        u64 longest = 0;
        for (; players; players &= players - 1)
            longest = most_each(longest, b.suits(lowest_index(players)));
        return longest;
    }

    // The length of the shortest holding in each suit of these players, counting only those with
    // more than `drawn` trumps.
    u64 shortest_of(u32 players, int drawn) const {
        u64 shortest = kMaxTricks * kEach;
        if (!b.trumps) return shortest;
        for (; players; players &= players - 1) {
            const int p = lowest_index(players);
            const u64 lengths = least_each(shortest, b.suits(p));
            shortest = b.length(p, b.trump) > drawn ? lengths : shortest;
        }
        return shortest;
    }

    static u64 by_rank(u64 winners, u64 theirs, u64 longest) {
        const u64 beaten = whole(greater(theirs, winners));
        return least_each(winners | (~beaten & kMaxTricks * kEach), longest);
    }

    // One of the group leads. After plain tricks, the duel may win the rest.
    bool run(int leader, int want, u64& used) {
        if (--steps_ < 0) return false;
        if (plain_ > 0 && b.trumps) {
            // rule: cashed-stuck-thrown
            const bool stuck = b.called || popcount(hand_[leader] & ~b.trumps) <= owed_[leader];
            u64 trumps;
            const auto lead =
                stuck ? TrumpDuel::Lead::stuck : TrumpDuel::Lead::free;  // rule: cashed-stuck
            if (duel_.sure(b, {group_, leader, lead, want}, trumps)) {
                used |= trumps;  // rule: cashed-rank
                return true;
            }
        }
        const Against foes = against();
        u64 able[P], any = 0;
        for (u32 left = group_; left; left &= left - 1) {
            const int p = lowest_index(left);
            any |= able[p] = wins(p, foes.cards);
        }
        for (u64 suits = some(hand_[leader] & ~barred_) & any & ~foes.ruffs; suits;
             suits &= suits - 1) {
            const int s = suit_of(lowest_index(suits));
            const u64 over = foes.cards & lane(s);
            for (u32 left = group_ & ~(1u << leader); left; left &= left - 1) {
                const int p = lowest_index(left);
                if ((able[p] & lane(s)) && taken(s, p, over, want, used)) return true;
            }
            if ((able[leader] & lane(s)) && taken(s, leader, over, want, used)) return true;
        }
        return false;
    }

    // What the next lead of each suit may meet: the cards of it that players outside the group may
    // still hold, and the lanes of the suits that such players may ruff.
    struct Against {
        u64 cards = 0, ruffs = 0;
    };
    Against against() const {
        Against foes;
        for (u32 left = others_; left; left &= left - 1) {
            const int p = lowest_index(left);
            const u64 follows = whole(greater(b.suits(p), rounds_));  // rule: quick-followed
            foes.cards |= b.hands[p] & follows;
            const bool ruffs = follows & b.trumps;  // rule: quick-drawn-trumps
            foes.ruffs |= ruffs ? ~follows : 0;  // rule: quick-ruffs
        }
        return foes;
    }

    // The suits in which a member's highest card beats all of these cards, or which the member may
    // ruff.
    u64 wins(int member, u64 cards) const {
        const u64 hand = hand_[member], any = 0 - static_cast<u64>(lowest_ruff(member) != 0);
        return greater(hand, cards) | ((kEach ^ some(hand)) & any);
    }

    u64 lowest_ruff(int member) const {
        return lowest(hand_[member] & b.trumps & ~b.called);  // rule: quick-called-ruff
    }

    // Continues the plan after a trick in which `who` beats `over` or ruffs.
    bool taken(int s, int who, u64 over, int want, u64& used) {
        u64 card[P];
        const u64 own = hand_[who] & lane(s);
        const bool ruff = !own;
        u64 best = ruff ? lowest_ruff(who) : highest(own);
        card[who] = best;
        int winner = who;
        bool ok = fits(hand_[who] ^ best, owed_[who]);
        for (u32 left = group_ & ~(1u << who); left; left &= left - 1) {
            const int p = lowest_index(left);
            card[p] = lowest(hand_[p] & lane(s));
            ok &= fits(hand_[p] ^ card[p], owed_[p] + (!card[p] && want > 1));
            if (ruff) continue;
            over |= card[p];  // rule: quick-partner-rank
            if (card[p] > best) {  // rule: quick-partner-wins
                best = card[p];
                winner = p;
            }
        }
        if (ok && want > 1) {
            const int plain = plain_;
            // rule: cashed-trumps
            const bool trump_played = ruff || s == b.trump || plain_ == kTrumpPlayed;
            plain_ = trump_played ? kTrumpPlayed : plain_ + 1;
            rounds_ += lane(s) & kEach;
            play(card, 1);
            ok = run(winner, want - 1, used);
            play(card, -1);
            rounds_ -= lane(s) & kEach;
            plain_ = plain;
        }
        if (ok && !ruff && over) used |= best;  // rule: quick-rank
        return ok;
    }

    // Plays a card from each member to a trick (0 if the member throws an unneeded card), or takes
    // the cards back.
    void play(const u64 (&card)[P], int owed) {
        for (u32 left = group_; left; left &= left - 1) {
            const int p = lowest_index(left);
            hand_[p] ^= card[p];
            owed_[p] += owed & -static_cast<int>(!card[p]);
        }
    }

    // Whether the member has enough plain cards to throw.
    bool fits(u64 hand, int owed) const {
        const int plain = popcount(hand & ~b.trumps & ~b.called);  // rule: quick-called-no-discard
        // rule: quick-called-stays, quick-thrown-plain
        return !(hand & (b.trumps | b.called)) | (plain >= owed);
    }

    const Board<P>& b;
    const u32 group_, others_;
    TrumpDuel& duel_;
    const u64 foreign_;
    u64 barred_;  // suits not to lead
    u64 hand_[P];
    u64 rounds_ = 0;  // led of each suit
    int owed_[P] = {};  // discards not yet taken out of the hand
    Against first_;
    int plain_ = 0;  // plain tricks taken before the group has played a trump
    static constexpr int kTrumpPlayed = -1;
    int steps_;
};

// One trick for the group, with any leader, if the others have no trumps. In a suit whose top card
// a member keeps, the others win nothing. In any other suit, they win at most as many tricks as
// their longest holding has cards. Each member can keep two top cards to the end. The first of the
// two is given up no earlier than the second-to-last trick. By then, each of the others has at most
// one card of the led suit, so the winner of that trick and the lead to the last are settled. Three
// top cards might not survive: three opponents could squeeze the member by deciding the winner
// after the member's discard.
constexpr unsigned kOneTrickAssumes = kFreePlay;
template <int P>
bool one_trick(const Board<P>& b, u32 group, int tricks, u64& used) {
    const u64 top = tops(b.all);
    u64 held = 0, theirs = 0;
    for (int p = 0; p < P; ++p) {
        if (group >> p & 1) {
            if (b.hands[p] & b.called) return false;  // rule: one-called
            const u64 his = b.hands[p] & top, first = lowest(his);
            held |= first | lowest(his ^ first);  // rule: one-two-tops
        } else {
            if (b.hands[p] & b.trumps) return false;  // rule: one-trumps
            theirs = most_each(theirs, b.suits(p));
        }
    }
    if (total(theirs & ~whole(some(held))) >= tricks) return false;  // rule: one-number
    used = held;  // rule: one-rank
    return true;
}

// One trick for all others against a player who needs every trick. One of them, the holder, has
// more cards of a suit than the player has above the holder's highest, and keeps that card until a
// lower one is led. The player wins all tricks, and therefore leads to all of them. The holder
// never has to throw the guarded card: holder and player have the same number of cards, so unless
// the holder has more in this suit, the holder has at least as many in the other suits. If it is
// the others' turn, they lead another suit to the first trick. If the player could ruff with the
// card that is to be beaten, the player must be able to follow suit to this trick.
constexpr unsigned kGuardedTrickAssumes = kFreePlay;
template <int P>
bool guarded_trick(const Board<P>& b, int player, int leader, int tricks, u64& used) {
    if (b.called) return false;  // rule: guarded-called
    const u64 own = b.hands[player], length = b.suits(player);
    const u64 every = static_cast<u64>(tricks) * kEach;
    u64 suits = kEach;
    if (leader != player) {
        const u64 led = b.suits(leader), trump = b.trumps & kEach;
        // rule: guarded-other-suit, guarded-ruffed
        suits = (greater(every, led) & ~trump) | (some(led) & some(length) & ~trump ? trump : 0);
    }
    int fewest = popcount(b.all) + 1;
    for (int i = 1; i < P; ++i) {
        const int p = next<P>(player, i);
        const u64 hand = b.hands[p], his = b.suits(p);
        const u64 above = sizes(own & ~close_down(hand, ~0ull));
        u64 keeps = suits & greater(his, above) & greater(length, above);  // rule: guarded-beaten
        for (; keeps; keeps &= keeps - 1) {
            const u64 card = highest(hand & lane(suit_of(lowest_index(keeps))));
            const int cards = popcount(close_up(card, b.all));
            if (cards >= fewest) continue;
            fewest = cards;
            used = card;  // rule: guarded-rank
        }
    }
    return fewest <= popcount(b.all);
}

}  // namespace spadille::SPADILLE_ISA
