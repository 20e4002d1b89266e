// Weights for the card ordering, tuned on node counts (docs/experiments/weights.md), one set per
// kind of play.
#pragma once

namespace spadille {

enum LeadWeight {
    kLeadTrump,  // the suit is trumps
    kLeadOwnTop,  // the leader holds the suit's top card
    kLeadFriendTop,
    kLeadNextTop,  // the next opponent holds it
    kLeadOwnSecond,  // another player has the top card, and the leader the second
    kLeadFriendSecond,
    kLeadTwoTops,  // the leader has both
    kLeadFriendRuffs,
    kLeadFoeRuffs,
    kLeadNextVoid,
    kLeadSingleton,
    kLeadDoubleton,
    kLeadLength,
    kLeadFoeLength,
    kLeadFriendLength,
    kLeadAbove,         // foreign cards above and below the card
    kLeadUnder,
    kLeadWinner,  // no card is above it
    kLeadWinnerRuffed,
    kLeadLowest,  // no card is below it
    kLeadFoeTops,  // opponents hold the two highest
    kLeadSpan,  // cards of the suit in play
    kLeadLastRuffs,  // the opponent who plays last may ruff
    kLeadFriendShort,  // a partner with trumps has one card of the suit
    kLeadLong,  // longer than any opponent's
    kLeadDrawn,  // a plain suit when opponents have no trumps left
    kLeadTrumpsOut,  // the suit is trumps; multiplied by the opponents' longest trump holding
    kLeadOverFoes,  // opponents have nothing above the card
    kLeadEquals,  // the leader also has the next higher card
    kLeadToRuff,  // a singleton, with trumps
    kLeadThrough,  // a partner has one of the two highest, the next opponent the other
    // Only for two against two, with a feature for each other player: the next one, the partner,
    // the last one.
    kLeadNextLength,  // cards of the suit
    kLeadPartnerLength,
    kLeadLastLength,
    kLeadNextEmpty,  // none
    kLeadPartnerEmpty,
    kLeadLastEmpty,
    kLeadNextAbove,  // cards above the card led
    kLeadPartnerAbove,
    kLeadLastAbove,
    kLeadOwnHonors,  // of the suit's three highest
    kLeadFriendHonors,
    kLeadOwnAbove,
    kLeadWeights
};

enum AnswerWeight {
    kWin,  // the card takes the lead in the trick
    kWinRank,
    kWinSafe,  // and keeps it
    kWinOverFriend,
    kWinOverSafeFriend,
    kWinFriendBehind,  // a partner still to play could win too
    kRuff,
    kLose,
    kLoseRank,
    kLoseTop,  // a suit's top card thrown under a ruff
    kLoseFriendWins,
    kLoseFriendSafe,
    kLoseFriendBehind,
    kThrow,  // a discard
    kThrowRank,
    kThrowLength,
    kThrowTop,
    kThrowSingleton,
    kThrowGuard,  // the second of two cards under the top one
    kThrowFriendTop,
    kUnderruff,
    kWinUnsafeRank,
    kWinTop,
    kThrowSecond,  // the second-highest card of its suit
    kWinFoeCards,  // multiplied by the cards with which opponents still to play can beat it
    kAnswerWeights
};

enum OwnLeadWeight { kOwnUnder, kOwnAbove, kOwnLength, kOwnUnsafe, kOwnLeadWeights };

enum FoeLeadWeight {
    kFoeLength,
    kFoeHisLength,
    kFoeHeIsVoid,
    kFoeReady,
    kFoeOverHis,
    kFoeUnderHis,
    kFoeUnsafe,
    kFoeUnder,
    kFoeExcess,
    kFoeOthers,
    kFoeLeadWeights
};

enum OwnAnswerWeight {
    kDiscardUnder,
    kDiscardLength,
    kDiscardUnsafe,
    kDiscardSingleton,
    kDuckUnder,
    kTakeUnder,
    kTake,
    kOwnAnswerWeights
};

enum HelpWeight {
    kHelpUnderHis,
    kHelpOverHis,
    kThrowUnder,
    kThrowLen,
    kThrowUnsafe,
    kThrowHeIsVoid,
    kOver,
    kOverUnder,
    kBelowUnder,
    kHelpWeights
};

struct MisereWeights {
    int own_lead[kOwnLeadWeights];
    int lead[kFoeLeadWeights];
    int own_answer[2][kOwnAnswerWeights];  // last player, any other player
    int answer[3][kHelpWeights];  // the declarer is winning, has played a loser, is still to play
};

struct Weights {
    bool places;  // whether the weights of leads by player are used
    int lead[kLeadWeights];
    int answer[3][kAnswerWeights];  // second hand, in between, last
};

// The weights in a set; rows are labeled with the names of the weights to prevent mix-ups.
template <class Name, int Sets>
struct Row {
    Name name;
    int of[Sets];
};
template <class Name, int Sets, int Roles>
struct RoleRow {
    Name name;
    int of[Sets][Roles];
};

template <class Row, int N>
constexpr bool in_order(const Row (&rows)[N], int names) {
    for (int i = 0; i < N; ++i)
        if (rows[i].name != i) return false;
    return N == names;
}

// With trumps, there are sets for pairs, for lone players and for their opponents. Short games have
// their own versions of these three. Two more sets, for the lone player and for the opponents, are
// for games for three players, and another two for longer games for five. One set is for no trump.
// kTwo and kPlainTwo are for two against two in longer games, with and without trumps; their
// weights for leads are in quarters.
enum WeightSet {
    kTrump,
    kTrumpAlone,
    kTrumpAgainst,
    kShortPair,
    kShortAlone,
    kShortAgainst,
    kThreeAlone,
    kThreeAgainst,
    kPlain,
    kTwo,
    kPlainTwo,
    kFiveAlone,
    kFiveAgainst,
    kWeightSets
};

constexpr Row<LeadWeight, kWeightSets> kLeadTable[] = {
    {kLeadTrump, {-22, -6, -14, -22, -10, -52, -30, -40, 0, -8, 0, -6, -18}},
    {kLeadOwnTop, {-4, -4, -4, -4, -8, 8, 0, 0, 15, -18, -23, -7, -7}},
    {kLeadFriendTop, {40, 0, 40, 47, 0, 28, 0, 40, 24, 16, 2, 0, 40}},
    {kLeadNextTop, {0, 8, -8, -4, 5, -6, 7, 31, 5, -2, 3, 2, -10}},
    {kLeadOwnSecond, {14, 8, 0, 2, -5, 13, 1, -1, 12, 14, 6, 12, 2}},
    {kLeadFriendSecond, {12, 0, 12, 15, 0, 8, 0, 4, 19, 15, 7, 0, 12}},
    {kLeadTwoTops, {-3, 0, 0, -10, -16, -23, 7, 4, 18, 1, 10, 0, 6}},
    {kLeadFriendRuffs, {47, 0, 51, 89, 0, 59, 0, 59, 0, 11, 0, 0, 51}},
    {kLeadFoeRuffs, {-85, -85, -109, -85, -67, -107, -63, -59, 0, 28, 0, -54, -109}},
    {kLeadNextVoid, {-58, -62, -30, -15, -10, -7, -22, -26, -79, -122, -197, -77, -30}},
    {kLeadSingleton, {8, 21, 5, 5, 17, -3, 7, 6, -5, -8, -8, 21, 5}},
    {kLeadDoubleton, {0, 12, 4, -4, -18, 3, -2, -4, 0, -3, -8, 15, 4}},
    {kLeadLength, {1, 1, 1, -1, 5, -1, 1, -3, 6, 2, -9, 1, 1}},
    {kLeadFoeLength, {-8, -16, -8, -8, -17, -8, -12, -8, -20, -16, -4, -16, -8}},
    {kLeadFriendLength, {6, 0, 0, -1, 0, -8, 0, 2, 8, 13, 19, 0, -3}},
    {kLeadAbove, {2, 2, 2, 2, -1, 2, -2, 2, 4, 1, 0, 5, 2}},
    {kLeadUnder, {1, 4, 4, 5, 4, 4, 4, 4, 4, -2, -4, 4, 4}},
    {kLeadWinner, {60, 44, 44, 68, 50, 50, 56, 52, 2, 58, 43, 33, 55}},
    {kLeadWinnerRuffed, {61, 73, 33, 32, 73, 46, 33, 15, 0, 36, 0, 73, 28}},
    {kLeadLowest, {-16, -48, -24, -22, -32, -1, -42, -8, -7, -18, -17, -45, -30}},
    {kLeadFoeTops, {1, -4, -4, -5, -25, 5, -14, -17, 0, 5, -3, -4, -4}},
    {kLeadSpan, {-3, 0, 0, 1, 5, 3, 3, 3, 0, -3, 4, 0, 0}},
    {kLeadLastRuffs, {-15, 0, 0, -75, -41, -11, -27, -27, 0, -94, 0, -3, 3}},
    {kLeadFriendShort, {-3, 0, 8, 12, 0, -5, 0, 10, 0, 3, 0, 0, 41}},
    {kLeadLong, {9, -8, 0, 9, -7, 1, 14, 10, 0, 3, 9, -5, 0}},
    {kLeadDrawn, {71, 80, 64, 75, 89, 44, 55, 43, 0, 280, 0, 80, 64}},
    {kLeadTrumpsOut, {-5, 0, -16, -5, -8, -20, -8, -8, 0, -2, 0, -6, -35}},
    {kLeadOverFoes, {-15, 8, -24, 0, -2, -2, 8, -8, 0, -1, -6, 8, -24}},
    {kLeadEquals, {7, 16, 8, 7, 9, 9, -2, 4, 8, 9, 15, 16, 8}},
    {kLeadToRuff, {5, 0, -8, 5, -7, 11, 2, 0, 0, 9, 0, -3, -6}},
    {kLeadThrough, {0, 0, 8, 22, 0, 32, 0, 12, 4, 35, 15, 0, 10}},
    {kLeadNextLength, {0, 0, 0, 0, 0, 0, 0, 0, 0, 8, -7, 0, 0}},
    {kLeadPartnerLength, {0, 0, 0, 0, 0, 0, 0, 0, 0, -11, -13, 0, 0}},
    {kLeadLastLength, {0, 0, 0, 0, 0, 0, 0, 0, 0, 7, -9, 0, 0}},
    {kLeadNextEmpty, {0, 0, 0, 0, 0, 0, 0, 0, 0, 19, 119, 0, 0}},
    {kLeadPartnerEmpty, {0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 10, 0, 0}},
    {kLeadLastEmpty, {0, 0, 0, 0, 0, 0, 0, 0, 0, -64, -59, 0, 0}},
    {kLeadNextAbove, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -4, 0, 0}},
    {kLeadPartnerAbove, {0, 0, 0, 0, 0, 0, 0, 0, 0, 5, -1, 0, 0}},
    {kLeadLastAbove, {0, 0, 0, 0, 0, 0, 0, 0, 0, -4, -3, 0, 0}},
    {kLeadOwnHonors, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5, 0, 0}},
    {kLeadFriendHonors, {0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 21, 0, 0}},
    {kLeadOwnAbove, {0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 3, 0, 0}},
};

constexpr Row<AnswerWeight, kWeightSets> kAnswerTable[3][kAnswerWeights] = {
    {
        // second hand
        {kWin, {28, 20, 20, 28, 37, 18, 12, 4, 28, 21, 29, 20, 20}},
        {kWinRank, {3, 3, 3, 3, 3, 3, 7, 7, 3, 3, 3, 3, 3}},
        {kWinSafe, {54, 54, 54, 54, 42, 60, 63, 64, 54, 54, 48, 54, 67}},
        {kWinOverFriend, {20, 0, 36, 28, 0, 36, 0, 27, -28, 20, -28, 0, 36}},
        {kWinOverSafeFriend, {-18, 0, -34, -27, 0, -25, 0, -47, -36, -18, -36, 0, -34}},
        {kWinFriendBehind, {-7, 0, -20, -7, 0, 0, 0, -12, -36, -7, -35, 0, -20}},
        {kRuff, {4, -7, -7, 2, 4, -12, 16, 4, 0, 4, 0, -7, -16}},
        {kLose, {-20, -20, -4, -36, 18, 2, -15, -13, 0, -20, -10, -20, -10}},
        {kLoseRank, {7, 7, 7, 5, 7, 3, 7, 15, 2, 7, 5, 7, 10}},
        {kLoseTop, {-1, -1, -1, -1, -1, -1, -1, -1, -10, -1, -10, -1, -1}},
        {kLoseFriendWins, {22, 0, 30, 29, 0, -3, 0, 20, -52, 22, -52, 0, 37}},
        {kLoseFriendSafe, {58, 0, 76, 98, 0, 71, 0, 64, 32, 58, 32, 0, 76}},
        {kLoseFriendBehind, {56, 0, 36, 56, 0, 68, 0, 60, 18, 56, 17, 0, 45}},
        {kThrow, {-8, -16, -16, -8, 8, 15, 10, 2, 0, -8, 0, -9, -16}},
        {kThrowRank, {3, 3, 3, 4, 1, -3, 1, 2, 7, 3, 6, 3, 3}},
        {kThrowLength, {2, -2, 22, 2, -11, -2, 4, 2, 8, 2, 10, -2, 22}},
        {kThrowTop, {-23, -33, -33, -35, -31, -17, -24, -23, -20, -18, -22, -33, -28}},
        {kThrowSingleton, {10, 10, 26, 24, 5, 9, 21, 19, -6, 7, -7, 9, 26}},
        {kThrowGuard, {1, -5, 3, 3, -11, -7, -1, 0, 5, 1, -2, -5, 0}},
        {kThrowFriendTop, {-15, 0, -7, -5, 0, 12, 0, 25, -28, -15, -23, 0, -7}},
        {kUnderruff, {-68, -68, -68, -68, -68, -68, -68, -68, 0, -68, 0, -68, -68}},
        {kWinUnsafeRank, {0, 0, -8, 0, -3, -4, -6, -8, 0, 0, -1, 0, -5}},
        {kWinTop, {3, -5, 3, -4, -1, -1, -5, 7, 0, 0, -15, -2, 3}},
        {kThrowSecond, {-9, -3, 5, -9, -8, -14, -13, -21, 0, -6, -9, -3, 5}},
        {kWinFoeCards, {0, 0, 0, 0, -3, 0, 0, 0, 0, 0, -3, -6, 3}},
    },
    {
        // in between
        {kWin, {33, 44, 20, 23, 20, 30, 20, 20, 44, 31, 47, 44, 20}},
        {kWinRank, {4, 3, 3, 3, 3, 3, 3, 3, 3, 4, 3, 3, 3}},
        {kWinSafe, {51, 26, 42, 26, 54, 67, 50, 50, 42, 65, 46, 20, 52}},
        {kWinOverFriend, {16, 0, -8, 20, 0, 4, 0, 4, -20, 12, -18, 0, -8}},
        {kWinOverSafeFriend, {1, 0, -10, 22, 0, -46, 0, -10, -30, -7, -32, 0, -12}},
        {kWinFriendBehind, {-33, 0, -6, -7, 0, 8, 0, 10, 10, -6, 10, 0, -9}},
        {kRuff, {-16, 1, 9, -11, -3, -15, -7, -7, 0, -19, 0, 1, 6}},
        {kLose, {-15, -12, -12, -8, -15, -48, -12, -12, 1, -15, -2, -12, -12}},
        {kLoseRank, {8, 15, 7, 9, 12, 8, 7, 7, 5, 8, 3, 15, 7}},
        {kLoseTop, {-2, -1, 7, -1, -1, -1, -1, -1, -10, -3, -10, -1, 4}},
        {kLoseFriendWins, {22, 0, 22, 22, 0, 29, 0, 22, 10, 25, 9, 0, 22}},
        {kLoseFriendSafe, {112, 0, 76, 126, 0, 99, 0, 76, 20, 88, 21, 0, 57}},
        {kLoseFriendBehind, {7, 0, -15, 29, 0, 32, 0, -15, 0, -7, 0, 0, -13}},
        {kThrow, {3, 16, 0, 2, -8, -8, 0, 0, 0, 8, 0, 16, 1}},
        {kThrowRank, {3, 0, 8, 1, 0, 0, 0, 0, 7, 1, 6, 0, 2}},
        {kThrowLength, {-2, -5, 3, -5, -1, -1, -1, -1, 8, -3, 9, -8, 3}},
        {kThrowTop, {-23, -15, -15, -19, -14, -22, -15, -15, -26, -52, -27, -15, -6}},
        {kThrowSingleton, {3, -2, -10, -3, 1, 19, 1, 1, -12, 0, -11, -2, -12}},
        {kThrowGuard, {-10, -7, -15, -7, -3, -13, -6, -6, -15, -8, -16, -7, -15}},
        {kThrowFriendTop, {-8, 0, 3, -8, 0, 3, 0, 0, -12, -16, -30, 0, 5}},
        {kUnderruff, {-68, -68, -68, -68, -68, -68, -68, -68, 0, -68, 0, -68, -68}},
        {kWinUnsafeRank, {-2, 3, -5, 0, -1, -5, -1, -1, 0, -2, -2, 3, -5}},
        {kWinTop, {-12, -3, -3, -3, -16, -28, -8, -8, 0, -15, -4, 3, 2}},
        {kThrowSecond, {-3, 9, -7, 0, -2, -11, -1, -1, 0, -6, 0, 0, -7}},
        {kWinFoeCards, {-8, 0, 0, 0, -3, 0, 0, 0, 0, -10, -4, -3, 0}},
    },
    {
        // last
        {kWin, {42, 32, 24, 34, 22, 22, 32, 40, 8, 42, 8, 32, 24}},
        {kWinRank, {7, 7, 7, 7, 7, 7, 7, 7, 2, 7, 2, 10, 4}},
        {kWinSafe, {78, 54, 54, 78, 54, 54, 75, 59, 66, 78, 66, 54, 63}},
        {kWinOverFriend, {-8, 0, -8, -11, 0, -34, 0, -24, 8, -8, 8, 0, -8}},
        {kWinOverSafeFriend, {-28, 0, -10, -28, 0, -42, 0, -34, -54, -28, -54, 0, -10}},
        {kWinFriendBehind, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
        {kRuff, {-22, -6, -6, -30, -6, -18, -6, -6, 0, -22, 0, -6, -6}},
        {kLose, {4, 4, 4, 4, 0, 0, -5, -5, -1, 4, -1, 4, 4}},
        {kLoseRank, {7, 7, 7, 7, 19, 19, 19, 19, 3, 7, 3, 7, 7}},
        {kLoseTop, {-1, -1, -1, -1, -1, -1, -1, -1, -10, -1, -10, -1, -1}},
        {kLoseFriendWins, {22, 0, 38, 24, 0, 34, 0, 22, 10, 17, 10, 0, 38}},
        {kLoseFriendSafe, {68, 0, 68, 68, 0, 68, 0, 68, 32, 68, 32, 0, 85}},
        {kLoseFriendBehind, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
        {kThrow, {5, 5, 5, 1, 5, -35, 5, 5, 0, 5, 0, 5, 5}},
        {kThrowRank, {3, 3, 3, 3, -1, -4, 2, 10, 3, 3, 3, 1, 3}},
        {kThrowLength, {-2, -2, -2, -5, -11, -5, -7, 5, 4, 1, 4, -2, 0}},
        {kThrowTop, {-29, -29, -37, -38, -38, -59, -46, -34, -26, -29, -26, -29, -28}},
        {kThrowSingleton, {0, 5, 5, 2, -9, 5, -17, -1, -24, 0, -24, 5, 2}},
        {kThrowGuard, {-2, -2, -2, -5, -5, -31, -22, -30, -15, -5, -6, -2, -2}},
        {kThrowFriendTop, {-11, 0, -27, -20, 0, 12, 0, 1, -19, -11, -15, 0, -21}},
        {kUnderruff, {-60, -68, -68, -60, -80, -80, -80, -84, 0, -60, 0, -68, -68}},
        {kWinUnsafeRank, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
        {kWinTop, {7, 0, 0, 7, 7, 7, 7, 7, 0, 7, 0, -3, 0}},
        {kThrowSecond, {-4, -4, -12, -10, -12, -24, -4, 4, 0, -4, -3, -4, -12}},
        {kWinFoeCards, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    },
};

static_assert(in_order(kLeadTable, kLeadWeights) && in_order(kAnswerTable[0], kAnswerWeights) &&
              in_order(kAnswerTable[1], kAnswerWeights) &&
              in_order(kAnswerTable[2], kAnswerWeights));

constexpr int kMark = 15;  // a card of Nemo's penalty suit on a trick won by another player

enum MisereSet {
    kMisereGame,
    kRelaxedMisereGame,
    kMisereSets
};  // Misère itself, and the relaxed Misère game

constexpr Row<OwnLeadWeight, kMisereSets> kOwnLeadTable[] = {
    {kOwnUnder, {0, 10}},
    {kOwnAbove, {-4, 8}},
    {kOwnLength, {-4, -18}},
    {kOwnUnsafe, {19, 7}},
};

constexpr Row<FoeLeadWeight, kMisereSets> kFoeLeadTable[] = {
    {kFoeLength, {-2, -10}},  {kFoeHisLength, {0, -12}}, {kFoeHeIsVoid, {-54, -128}},
    {kFoeReady, {-8, -4}},    {kFoeOverHis, {4, 2}},     {kFoeUnderHis, {-4, 16}},
    {kFoeUnsafe, {-25, -16}}, {kFoeUnder, {-1, -9}},     {kFoeExcess, {0, -15}},
    {kFoeOthers, {0, 10}},
};

constexpr RoleRow<OwnAnswerWeight, kMisereSets, 2> kOwnAnswerTable[] = {
    {kDiscardUnder, {{4, 4}, {2, 4}}},      {kDiscardLength, {{-11, -10}, {-12, -10}}},
    {kDiscardUnsafe, {{44, 44}, {56, 80}}}, {kDiscardSingleton, {{3, 5}, {7, -2}}},
    {kDuckUnder, {{18, 22}, {15, 33}}},     {kTakeUnder, {{12, 19}, {5, -5}}},
    {kTake, {{-20, -32}, {-20, -20}}},
};

constexpr RoleRow<HelpWeight, kMisereSets, 3> kHelpTable[] = {
    {kHelpUnderHis, {{0, 0, -6}, {-16, 0, -9}}},  {kHelpOverHis, {{6, 14, -3}, {6, 40, -6}}},
    {kThrowUnder, {{3, 8, 4}, {3, 8, 4}}},        {kThrowLen, {{-10, -13, -2}, {-14, -48, -2}}},
    {kThrowUnsafe, {{4, -15, 12}, {10, 21, 22}}}, {kThrowHeIsVoid, {{-3, 17, -10}, {-11, -7, -7}}},
    {kOver, {{-52, 5, 20}, {-6, 5, 36}}},         {kOverUnder, {{5, 3, -3}, {-2, 3, -5}}},
    {kBelowUnder, {{11, 3, 2}, {18, 3, -2}}},
};

static_assert(in_order(kOwnLeadTable, kOwnLeadWeights) &&
              in_order(kFoeLeadTable, kFoeLeadWeights) &&
              in_order(kOwnAnswerTable, kOwnAnswerWeights) && in_order(kHelpTable, kHelpWeights));

template <class Name, int Sets, int N>
constexpr void read(const Row<Name, Sets> (&rows)[N], int set, int (&into)[N]) {
    for (int i = 0; i < N; ++i) into[i] = rows[i].of[set];
}
template <class Name, int Sets, int Roles, int N>
constexpr void read(const RoleRow<Name, Sets, Roles> (&rows)[N], int set, int (&into)[Roles][N]) {
    for (int i = 0; i < N; ++i)
        for (int role = 0; role < Roles; ++role) into[role][i] = rows[i].of[set][role];
}

constexpr Weights weights(WeightSet set) {
    Weights out{};
    out.places = set == kTwo || set == kPlainTwo;
    read(kLeadTable, set, out.lead);
    for (int role = 0; role < 3; ++role) read(kAnswerTable[role], set, out.answer[role]);
    return out;
}
constexpr MisereWeights weights(MisereSet set) {
    MisereWeights out{};
    read(kOwnLeadTable, set, out.own_lead);
    read(kFoeLeadTable, set, out.lead);
    read(kOwnAnswerTable, set, out.own_answer);
    read(kHelpTable, set, out.answer);
    return out;
}

inline constexpr Weights kTrumpWeights = weights(kTrump);
inline constexpr Weights kTrumpAloneWeights = weights(kTrumpAlone);
inline constexpr Weights kTrumpAgainstWeights = weights(kTrumpAgainst);
inline constexpr Weights kShortPairWeights = weights(kShortPair);
inline constexpr Weights kShortAloneWeights = weights(kShortAlone);
inline constexpr Weights kShortAgainstWeights = weights(kShortAgainst);
inline constexpr Weights kThreeAloneWeights = weights(kThreeAlone);
inline constexpr Weights kThreeAgainstWeights = weights(kThreeAgainst);
inline constexpr Weights kPlainWeights = weights(kPlain);
inline constexpr Weights kTwoWeights = weights(kTwo);
inline constexpr Weights kPlainTwoWeights = weights(kPlainTwo);
inline constexpr Weights kFiveAloneWeights = weights(kFiveAlone);
inline constexpr Weights kFiveAgainstWeights = weights(kFiveAgainst);

inline constexpr MisereWeights kMisereWeights = weights(kMisereGame);
inline constexpr MisereWeights kRelaxedMisereWeights = weights(kRelaxedMisereGame);

}  // namespace spadille
