// Weights of the card ordering, tuned on node counts (docs/engine-log.md), one set a kind of play.
#pragma once

namespace spadille {

enum LeadWeight {
    kLeadTrump, kLeadWinner, kLeadWinnerRuffed, kLeadFriendTop, kLeadFoeTop, kLeadFriendRuffs,
    kLeadFoeRuffs, kLeadFoeVoid, kLeadNextFoeVoid, kLeadSingleton, kLeadLength, kLeadFoeLength,
    kLeadFriendLength, kLeadAbove, kLeadUnder, kLeadLowest, kLeadWeights
};

enum AnswerWeight {
    kWin, kWinRank, kWinSafe, kWinOverFriend, kWinOverSafeFriend, kRuff, kWinBad, kLoseRank,
    kLoseTop, kDuckFriend, kDuckSafeFriend, kThrow, kThrowRank, kThrowLength, kThrowTop,
    kThrowSingleton, kThrowGuard, kUnderruff, kAnswerWeights
};

struct Weights {
    int lead[kLeadWeights];
    int answer[kAnswerWeights];
};

#if defined(SPADILLE_TUNE)
inline Weights kTrumpWeights = {
#else
inline constexpr Weights kTrumpWeights = {
#endif
    {10, 20, -20, 20, -20, 25, -25, 0, 0, 10, 1, 0, 0, -2, 0, 0},
    {20, 3, 30, -20, -30, 5, 0, 3, -10, 10, 20, 0, 3, 2, -15, 5, -10, -20}};

#if defined(SPADILLE_TUNE)
inline Weights kPlainWeights = {
#else
inline constexpr Weights kPlainWeights = {
#endif
    {0, -10, 0, 20, 0, 0, 0, 0, 0, -5, 6, 0, 4, 0, 0, 0},
    {20, 3, 30, -20, -30, 0, 0, 3, -10, 10, 20, 0, 3, 4, -20, 0, -15, 0}};

#if defined(SPADILLE_TUNE)
inline Weights kMisereWeights = {
#else
inline constexpr Weights kMisereWeights = {
#endif
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 5, -2, 0, 0, 0, -4, 10},
    {-20, -3, -20, -10, 0, 0, 0, -3, 0, 0, 0, 0, -4, -3, 10, 10, 0, 0}};

}  // namespace spadille
