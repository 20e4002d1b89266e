// Weights of the card ordering, tuned on node counts (docs/engine-log.md), one set a kind of play.
#pragma once

namespace spadille {

enum LeadWeight {
    kLeadTrump,         // the suit is trumps
    kLeadOwnTop,        // who holds the suit's top card
    kLeadFriendTop,
    kLeadNextTop,       // the foe who plays next
    kLeadOwnSecond,     // and who its second card, where somebody else holds the top
    kLeadFriendSecond,
    kLeadTwoTops,       // the leader has both
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
    kLeadWinner,        // nothing above it
    kLeadWinnerRuffed,
    kLeadLowest,        // nothing below it
    kLeadWeights
};

enum AnswerWeight {
    kWin,               // the card takes the lead in the trick
    kWinRank,
    kWinSafe,           // and keeps it
    kWinOverFriend,
    kWinOverSafeFriend,
    kWinFriendBehind,   // a friend still to play could win, too
    kRuff,
    kLose,
    kLoseRank,
    kLoseTop,           // a suit's top card thrown under a ruff
    kLoseFriendWins,
    kLoseFriendSafe,
    kLoseFriendBehind,
    kThrow,             // a discard
    kThrowRank,
    kThrowLength,
    kThrowTop,
    kThrowSingleton,
    kThrowGuard,        // the second of two cards under the top one
    kThrowFriendTop,
    kUnderruff,
    kAnswerWeights
};

struct Weights {
    int lead[kLeadWeights];
    int answer[3][kAnswerWeights];  // second hand, in between, last
};

#if defined(SPADILLE_TUNE)
#define SPADILLE_WEIGHTS inline Weights
#else
#define SPADILLE_WEIGHTS inline constexpr Weights
#endif

SPADILLE_WEIGHTS kTrumpWeights = {
    {-6, 0, 28, 8, 0, 0, 4, 63, -85, -50, 1, 0, 1, -8, -8, 2, 4, 20, 0, -28},
    {{20, 3, 54, 12, -10, -16, 9, 0, 7, -1, 46, 68, 12, 0, 3, 2, -19, 10, -4, -4, -68},
     {20, 3, 50, -8, -10, -2, 5, 0, 7, -1, 22, 68, -3, 8, 3, -2, -19, 13, -10, -3, -68},
     {32, 3, 54, -8, -10, 0, -3, 0, 7, -1, 22, 68, 0, -3, 3, 2, -19, 13, -7, -4, -68}}};

SPADILLE_WEIGHTS kPlainWeights = {
    {0, 3, 20, -3, 8, 4, 8, 0, 0, -28, -1, 0, 6, -4, 4, 0, 0, 2, 0, -4},
    {{20, 3, 30, -20, -30, 8, 0, 0, 3, -10, -44, 44, 18, 0, 7, 4, -20, -18, -3, 0, 0},
     {20, 3, 42, -20, -30, -8, 0, 0, 13, -10, 10, 20, 0, 0, 3, 8, -20, -12, -15, 0, 0},
     {8, 2, 30, -20, -30, 0, 0, 0, 3, -10, 10, 20, 0, 0, 3, 4, -26, -20, -23, -7, 0}}};

SPADILLE_WEIGHTS kMisereWeights = {
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, -2, 0, 0, 0, -4, 0, 0, 10},
    {{-20, -3, -20, -10, 0, 0, 0, 0, -3, 0, 0, 0, 0, 0, -4, -3, 10, 10, 0, 0, 0},
     {-20, -3, -20, -10, 0, 0, 0, 0, -3, 0, 0, 0, 0, 0, -4, -3, 10, 10, 0, 0, 0},
     {-20, -3, -20, -10, 0, 0, 0, 0, -3, 0, 0, 0, 0, 0, -4, -3, 10, 10, 0, 0, 0}}};

}  // namespace spadille
