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
    kLeadHint,          // the card that settled a like position before
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
    kHint,
    kAnswerWeights
};

enum OwnLeadWeight { kOwnUnder, kOwnAbove, kOwnLength, kOwnUnsafe, kOwnHint, kOwnLeadWeights };

enum FoeLeadWeight {
    kFoeLength, kFoeHisLength, kFoeHeIsVoid, kFoeReady, kFoeOverHis, kFoeUnderHis, kFoeUnsafe,
    kFoeUnder, kFoeHint, kFoeLeadWeights
};

enum OwnAnswerWeight {
    kDiscardUnder, kDiscardLength, kDiscardUnsafe, kDiscardSingleton, kDuckUnder, kTakeUnder, kTake,
    kOwnAnswerHint, kOwnAnswerWeights
};

enum HelpWeight {
    kHelpUnderHis, kHelpOverHis, kThrowUnder, kThrowLen, kThrowUnsafe, kThrowHeIsVoid, kOver,
    kOverUnder, kBelowUnder, kHelpHint, kHelpWeights
};

struct MisereWeights {
    int own_lead[kOwnLeadWeights];
    int lead[kFoeLeadWeights];
    int own_answer[2][kOwnAnswerWeights];  // last, not last
    int answer[3][kHelpWeights];  // the declarer wins so far, has played a loser, is still to play
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
    {-6, 0, 28, 20, 0, 12, 8, 51, -73, -62, 5, 4, 1, -8, -8, 2, 4, 44, 0, -16, 40},
    {{20, 3, 54, 28, -18, -16, 9, -4, 7, -1, 46, 68, 36, -4, 3, 2, -27, 18, 0, -7, -68, 40},
     {20, 3, 50, -8, -10, 2, 9, -12, 7, -1, 22, 76, -3, 8, 0, -5, -19, 1, -10, -11, -68, 40},
     {32, 3, 54, -8, -10, 0, -3, 4, 7, -1, 34, 68, 0, -3, 3, 2, -19, 25, 5, -7, -68, 20}}};

SPADILLE_WEIGHTS kPlainWeights = {
    {0, -1, 20, -3, 8, 4, 8, 0, 0, -28, -1, 0, 6, -20, 8, 0, 4, 2, 0, -4, 88},
    {{20, 3, 30, -20, -30, -4, 0, 0, 3, -10, -44, 32, 18, 0, 7, 8, -8, -42, -7, -12, 0, 40},
     {20, 3, 42, -20, -30, -8, 0, 0, 1, -10, 10, 20, 0, 0, 7, 8, -20, -12, -15, 0, 0, 88},
     {8, 2, 42, 4, -42, 0, 0, -4, 3, -10, 10, 20, 0, 0, 3, 4, -38, -20, -23, -19, 0, 40}}};

#if defined(SPADILLE_TUNE)
inline MisereWeights kMisereWeights = {
#else
inline constexpr MisereWeights kMisereWeights = {
#endif
    {0, -4, 11, 3, 40},
    {-2, -4, -54, -4, -4, 32, -8, 3, 80},
    {{4, -11, 32, 15, 15, 5, -20, 12}, {4, -10, 44, 5, 5, 19, -20, 42}},
    {{-4, 3, 3, 2, 4, 5, -52, 1, 11, 30},
     {0, -2, 4, 0, -7, 17, 5, 3, 3, 54},
     {-6, -3, 4, -2, -1, 5, 16, -5, -2, 30}}};

}  // namespace spadille
