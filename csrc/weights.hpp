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
    kLeadFoeTops,       // foes hold the two highest
    kLeadSpan,          // cards of the suit in play
    kLeadLastRuffs,     // the foe who plays last
    kLeadFriendShort,   // a friend with trumps has one card of the suit
    kLeadLong,          // longer than any foe's
    kLeadDrawn,         // a plain suit when foes have no trumps left
    kLeadTrumpsOut,     // times the foes' longest trumps: the suit is trumps
    kLeadOverFoes,      // foes have nothing above the card
    kLeadEquals,        // the leader has its neighbour above, too
    kLeadToRuff,        // a singleton, with trumps
    kLeadThrough,       // a friend has one of the two highest, the next foe the other
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
    kWinUnsafeRank,
    kWinTop,
    kThrowSecond,       // the second-highest card of its suit
    kHint,
    kAnswerWeights
};

enum OwnLeadWeight { kOwnUnder, kOwnAbove, kOwnLength, kOwnUnsafe, kOwnHint, kOwnLeadWeights };

enum FoeLeadWeight {
    kFoeLength, kFoeHisLength, kFoeHeIsVoid, kFoeReady, kFoeOverHis, kFoeUnderHis, kFoeUnsafe,
    kFoeUnder, kFoeHint, kFoeExcess, kFoeOthers, kFoeLeadWeights
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

// Trumps, partners on both sides; and one player against all others.
SPADILLE_WEIGHTS kTrumpWeights = {
    {-22, -4, 40, 0, 14, 12, -3, 47, -85, -58, 8, 0, 1, -8, 6, 2, 1, 60, 61, -16, 1, -3, -15, -3, 9, 71, -5, -15, 7, 5, 0, 94},
    {{28, 3, 54, 20, -18, -7, 4, -20, 7, -1, 22, 58, 56, -8, 3, 2, -23, 10, 1, -15, -68, 0, 3, -9, 46},
     {30, 3, 50, 16, -10, -6, -15, -12, 9, -1, 22, 118, -7, 3, 1, -5, -23, -2, -7, -11, -68, 0, -3, 1, 40},
     {42, 7, 78, -8, -28, 0, -22, 4, 7, -1, 22, 68, 0, 5, 3, -2, -29, 0, -2, -11, -60, 0, 7, -4, 34}}};

SPADILLE_WEIGHTS kTrumpLoneWeights = {
    {-6, -4, 40, 8, 0, 12, 0, 51, -85, -46, 5, -4, 1, -8, -8, 2, 4, 44, 33, -16, -4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 44},
    {{20, 3, 54, 28, -18, -4, 1, -12, 7, -1, 38, 68, 36, -8, 3, -2, -33, 10, -5, -15, -68, 0, 3, -3, 46},
     {20, 3, 50, 16, -10, 2, -7, -12, 7, -1, 22, 76, -15, 0, 0, -5, -23, -2, -7, -5, -68, 3, -3, -7, 40},
     {32, 7, 54, -8, -10, 0, -6, 4, 7, -1, 22, 68, 0, 5, 3, -2, -29, 13, -2, -19, -68, 0, 0, -4, 18}}};

// Short games: partners on both sides; one player against all others, of four or five players and of
// three.
SPADILLE_WEIGHTS kShortPairWeights = {
    {-22, -4, 47, -4, 2, 12, -13, 89, -85, -15, 8, -4, -1, -8, -1, 2, 5, 68, 32, -13, -5, 1, -75, 12, 9, 75, -5, 0, 7, 5, 18, 99},
    {{28, 3, 54, 23, -27, -7, 2, -36, 5, -1, 29, 98, 56, -8, 1, 2, -30, 24, 3, -5, -68, 0, -4, -9, 46},
     {23, 3, 26, 26, 22, -10, -9, -9, 9, -1, 22, 108, 17, 5, 1, -5, -19, -3, -7, -11, -68, 0, -3, 0, 45},
     {34, 7, 78, -8, -28, 0, -30, 4, 7, -1, 24, 68, 0, 1, 3, -5, -38, 0, -5, -20, -60, 0, 7, -10, 64}}};

SPADILLE_WEIGHTS kShortLoneWeights = {
    {-22, 0, 38, 0, -7, 12, -27, 59, -67, -15, 5, 0, 1, -8, -8, 2, 4, 56, 45, -16, -16, 3, -23, -13, 1, 44, -8, 0, 12, 0, 20, 56},
    {{18, 3, 54, 28, -47, 0, 4, 2, 7, -1, 2, 57, 60, 8, 1, 0, -23, 13, -3, 9, -68, -4, 1, 0, 24},
     {20, 3, 50, 4, -30, 10, -7, -12, 0, -1, 22, 76, -8, 0, 0, -1, -22, 3, -3, 2, -68, -1, -8, -5, 32},
     {22, 7, 54, -32, -34, 0, -6, 0, 19, -1, 22, 68, 0, 5, 2, -3, -38, 7, -5, -17, -80, 0, 7, -4, 31}}};

SPADILLE_WEIGHTS kThreeWeights = {
    {-32, 0, 38, 7, -3, 12, 3, 59, -67, -20, 7, -2, 1, -8, 2, 2, 4, 56, 35, -16, -13, 3, -23, -2, 10, 11, -8, 8, 0, 0, 12, 58},
    {{8, 7, 64, 28, -47, 4, 8, -15, 7, -1, 20, 64, 60, 2, 1, 2, -24, 23, -1, 29, -68, -4, 3, -17, 47},
     {20, 3, 50, 4, -10, 10, -7, -12, 7, -1, 22, 76, -15, 0, 0, -1, -15, 1, -6, 0, -68, -1, -8, -1, 32},
     {32, 7, 75, -32, -34, 0, -6, -5, 19, -1, 22, 68, 0, 5, 2, -3, -38, 7, -22, -7, -80, 0, 7, -4, 35}}};

constexpr int kMark = 15;  // a card of Nemo's penalty suit on a trick that is not one's own

// No trumps.
SPADILLE_WEIGHTS kPlainWeights = {
    {0, 15, 24, 5, 12, 19, 18, 0, 0, -79, -5, 0, 6, -20, 8, 4, 4, 2, 0, -7, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 4, 158},
    {{28, 3, 54, -28, -36, -36, 0, 0, 2, -10, -52, 32, 18, 0, 7, 8, -20, -6, 5, -28, 0, 0, 0, 0, 28},
     {44, 3, 42, -20, -30, 10, 0, 1, 5, -10, 10, 20, 0, 0, 7, 8, -26, -12, -15, -12, 0, 0, 0, 0, 120},
     {8, 2, 66, 8, -54, 0, 0, -1, 3, -10, 10, 32, 0, 0, 3, 4, -26, -24, -15, -19, 0, 0, 0, 0, 44}}};

#if defined(SPADILLE_TUNE)
inline MisereWeights kMisereWeights = {
#else
inline constexpr MisereWeights kMisereWeights = {
#endif
    {0, -4, -1, 19, 52},
    {-2, 0, -54, -8, 4, -4, -20, -1, 92, 0, 0},
    {{4, -11, 44, 3, 15, 9, -20, 12}, {4, -10, 44, 5, 13, 19, -32, 6}},
    {{0, 3, 3, -10, 4, -3, -52, 5, 11, 66},
     {0, 14, 8, -4, -19, 17, 5, 3, 3, 78},
     {-6, -3, 4, -2, 3, -7, 16, -5, 2, 30}}};

// In the loose game.
#if defined(SPADILLE_TUNE)
inline MisereWeights kLooseWeights = {
#else
inline constexpr MisereWeights kLooseWeights = {
#endif
    {10, 8, -17, 7, 82},
    {-10, -12, -128, -4, -1, 16, -16, -9, 92, -15, 10},
    {{2, -15, 56, 7, 15, 5, -20, 16}, {4, -10, 80, -2, 33, -5, -20, 90}},
    {{-16, 6, 3, -12, 10, -11, -6, 1, 23, 34},
     {-3, 32, 8, -48, 21, -7, 5, 3, 3, 66},
     {-9, -3, 4, -2, 29, -7, 36, -5, -2, 30}}};

}  // namespace spadille
