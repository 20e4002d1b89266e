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
    kFoeLength,
    kFoeHisLength,
    kFoeHeIsVoid,
    kFoeReady,
    kFoeOverHis,
    kFoeUnderHis,
    kFoeUnsafe,
    kFoeUnder,
    kFoeHint,
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
    kOwnAnswerHint,
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
    kHelpHint,
    kHelpWeights
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

// A weight in each set; so that none is taken for another, rows carry their names.
template <class Name, int Sets>
struct LeadRow {
    Name name;
    int of[Sets];
};
template <class Name, int Sets, int Roles>
struct AnswerRow {
    Name name;
    int of[Sets][Roles];
};

template <class Row, int N>
constexpr bool in_order(const Row (&rows)[N], int names) {
    for (int i = 0; i < N; ++i)
        if (rows[i].name != i) return false;
    return N == names;
}

// Trumps: pairs, a lone player.  Trumps in short games: pairs, a lone player, one of three.  No trumps.
enum WeightSet { kTrump, kTrumpLone, kShortPair, kShortLone, kThree, kPlain, kWeightSets };

constexpr LeadRow<LeadWeight, kWeightSets> kLeadTable[] = {
    {kLeadTrump, {-22, -6, -22, -22, -32, 0}},
    {kLeadOwnTop, {-4, -4, -4, 0, 0, 15}},
    {kLeadFriendTop, {40, 40, 47, 38, 38, 24}},
    {kLeadNextTop, {0, 8, -4, 0, 7, 5}},
    {kLeadOwnSecond, {14, 0, 2, -7, -3, 12}},
    {kLeadFriendSecond, {12, 12, 12, 12, 12, 19}},
    {kLeadTwoTops, {-3, 0, -13, -27, 3, 18}},
    {kLeadFriendRuffs, {47, 51, 89, 59, 59, 0}},
    {kLeadFoeRuffs, {-85, -85, -85, -67, -67, 0}},
    {kLeadNextVoid, {-58, -46, -15, -15, -20, -79}},
    {kLeadSingleton, {8, 5, 8, 5, 7, -5}},
    {kLeadDoubleton, {0, -4, -4, 0, -2, 0}},
    {kLeadLength, {1, 1, -1, 1, 1, 6}},
    {kLeadFoeLength, {-8, -8, -8, -8, -8, -20}},
    {kLeadFriendLength, {6, -8, -1, -8, 2, 8}},
    {kLeadAbove, {2, 2, 2, 2, 2, 4}},
    {kLeadUnder, {1, 4, 5, 4, 4, 4}},
    {kLeadWinner, {60, 44, 68, 56, 56, 2}},
    {kLeadWinnerRuffed, {61, 33, 32, 45, 35, 0}},
    {kLeadLowest, {-16, -16, -13, -16, -16, -7}},
    {kLeadFoeTops, {1, -4, -5, -16, -13, 0}},
    {kLeadSpan, {-3, 0, 1, 3, 3, 0}},
    {kLeadLastRuffs, {-15, 0, -75, -23, -23, 0}},
    {kLeadFriendShort, {-3, 0, 12, -13, -2, 0}},
    {kLeadLong, {9, 0, 9, 1, 10, 0}},
    {kLeadDrawn, {71, 0, 75, 44, 11, 0}},
    {kLeadTrumpsOut, {-5, 0, -5, -8, -8, 0}},
    {kLeadOverFoes, {-15, 0, 0, 0, 8, 0}},
    {kLeadEquals, {7, 0, 7, 12, 0, 8}},
    {kLeadToRuff, {5, 0, 5, 0, 0, 0}},
    {kLeadThrough, {0, 0, 18, 20, 12, 4}},
    {kLeadHint, {94, 44, 99, 56, 58, 158}},
};

constexpr AnswerRow<AnswerWeight, kWeightSets, 3> kAnswerTable[] = {
    {kWin, {{28, 30, 42}, {20, 20, 32}, {28, 23, 34}, {18, 20, 22}, {8, 20, 32}, {28, 44, 8}}},
    {kWinRank, {{3, 3, 7}, {3, 3, 7}, {3, 3, 7}, {3, 3, 7}, {7, 3, 7}, {3, 3, 2}}},
    {kWinSafe,
     {{54, 50, 78}, {54, 50, 54}, {54, 26, 78}, {54, 50, 54}, {64, 50, 75}, {54, 42, 66}}},
    {kWinOverFriend,
     {{20, 16, -8}, {28, 16, -8}, {23, 26, -8}, {28, 4, -32}, {28, 4, -32}, {-28, -20, 8}}},
    {kWinOverSafeFriend,
     {{-18, -10, -28},
      {-18, -10, -10},
      {-27, 22, -28},
      {-47, -30, -34},
      {-47, -10, -34},
      {-36, -30, -54}}},
    {kWinFriendBehind,
     {{-7, -6, 0}, {-4, 2, 0}, {-7, -10, 0}, {0, 10, 0}, {4, 10, 0}, {-36, 10, 0}}},
    {kRuff, {{4, -15, -22}, {1, -7, -6}, {2, -9, -30}, {4, -7, -6}, {8, -7, -6}, {0, 0, 0}}},
    {kLose, {{-20, -12, 4}, {-12, -12, 4}, {-36, -9, 4}, {2, -12, 0}, {-15, -12, -5}, {0, 1, -1}}},
    {kLoseRank, {{7, 9, 7}, {7, 7, 7}, {5, 9, 7}, {7, 0, 19}, {7, 7, 19}, {2, 5, 3}}},
    {kLoseTop,
     {{-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}, {-10, -10, -10}}},
    {kLoseFriendWins,
     {{22, 22, 22}, {38, 22, 22}, {29, 22, 24}, {2, 22, 22}, {20, 22, 22}, {-52, 10, 10}}},
    {kLoseFriendSafe,
     {{58, 118, 68}, {68, 76, 68}, {98, 108, 68}, {57, 76, 68}, {64, 76, 68}, {32, 20, 32}}},
    {kLoseFriendBehind,
     {{56, -7, 0}, {36, -15, 0}, {56, 17, 0}, {60, -8, 0}, {60, -15, 0}, {18, 0, 0}}},
    {kThrow, {{-8, 3, 5}, {-8, 0, 5}, {-8, 5, 1}, {8, 0, 5}, {2, 0, 5}, {0, 0, 0}}},
    {kThrowRank, {{3, 1, 3}, {3, 0, 3}, {1, 1, 3}, {1, 0, 2}, {1, 0, 2}, {7, 7, 3}}},
    {kThrowLength, {{2, -5, -2}, {-2, -5, -2}, {2, -5, -5}, {0, -1, -3}, {2, -1, -3}, {8, 8, 4}}},
    {kThrowTop,
     {{-23, -23, -29},
      {-33, -23, -29},
      {-30, -19, -38},
      {-23, -22, -38},
      {-24, -15, -38},
      {-20, -26, -26}}},
    {kThrowSingleton,
     {{10, -2, 0}, {10, -2, 13}, {24, -3, 0}, {13, 3, 7}, {23, 1, 7}, {-6, -12, -24}}},
    {kThrowGuard,
     {{1, -7, -2}, {-5, -7, -2}, {3, -7, -5}, {-3, -3, -5}, {-1, -6, -22}, {5, -15, -15}}},
    {kThrowFriendTop,
     {{-15, -11, -11}, {-15, -5, -19}, {-5, -11, -20}, {9, 2, -17}, {29, 0, -7}, {-28, -12, -19}}},
    {kUnderruff,
     {{-68, -68, -60},
      {-68, -68, -68},
      {-68, -68, -60},
      {-68, -68, -80},
      {-68, -68, -80},
      {0, 0, 0}}},
    {kWinUnsafeRank, {{0, 0, 0}, {0, 3, 0}, {0, 0, 0}, {-4, -1, 0}, {-4, -1, 0}, {0, 0, 0}}},
    {kWinTop, {{3, -3, 7}, {3, -3, 0}, {-4, -3, 7}, {1, -8, 7}, {3, -8, 7}, {0, 0, 0}}},
    {kThrowSecond,
     {{-9, 1, -4}, {-3, -7, -4}, {-9, 0, -10}, {0, -5, -4}, {-17, -1, -4}, {0, 0, 0}}},
    {kHint, {{46, 40, 34}, {46, 40, 18}, {46, 45, 64}, {24, 32, 31}, {47, 32, 35}, {28, 120, 44}}},
};

static_assert(in_order(kLeadTable, kLeadWeights) && in_order(kAnswerTable, kAnswerWeights));

constexpr int kMark = 15;  // a card of Nemo's penalty suit on a trick that is not one's own

enum MisereSet {
    kMisereGame,
    kRelaxedMisereGame,
    kMisereSets
};  // the game itself, the relaxed Misère game

constexpr LeadRow<OwnLeadWeight, kMisereSets> kOwnLeadTable[] = {
    {kOwnUnder, {0, 10}},  {kOwnAbove, {-4, 8}}, {kOwnLength, {-1, -17}},
    {kOwnUnsafe, {19, 7}}, {kOwnHint, {52, 82}},
};

constexpr LeadRow<FoeLeadWeight, kMisereSets> kFoeLeadTable[] = {
    {kFoeLength, {-2, -10}},  {kFoeHisLength, {0, -12}}, {kFoeHeIsVoid, {-54, -128}},
    {kFoeReady, {-8, -4}},    {kFoeOverHis, {4, -1}},    {kFoeUnderHis, {-4, 16}},
    {kFoeUnsafe, {-20, -16}}, {kFoeUnder, {-1, -9}},     {kFoeHint, {92, 92}},
    {kFoeExcess, {0, -15}},   {kFoeOthers, {0, 10}},
};

constexpr AnswerRow<OwnAnswerWeight, kMisereSets, 2> kOwnAnswerTable[] = {
    {kDiscardUnder, {{4, 4}, {2, 4}}},      {kDiscardLength, {{-11, -10}, {-15, -10}}},
    {kDiscardUnsafe, {{44, 44}, {56, 80}}}, {kDiscardSingleton, {{3, 5}, {7, -2}}},
    {kDuckUnder, {{15, 13}, {15, 33}}},     {kTakeUnder, {{9, 19}, {5, -5}}},
    {kTake, {{-20, -32}, {-20, -20}}},      {kOwnAnswerHint, {{12, 6}, {16, 90}}},
};

constexpr AnswerRow<HelpWeight, kMisereSets, 3> kHelpTable[] = {
    {kHelpUnderHis, {{0, 0, -6}, {-16, -3, -9}}}, {kHelpOverHis, {{3, 14, -3}, {6, 32, -3}}},
    {kThrowUnder, {{3, 8, 4}, {3, 8, 4}}},        {kThrowLen, {{-10, -4, -2}, {-12, -48, -2}}},
    {kThrowUnsafe, {{4, -19, 3}, {10, 21, 29}}},  {kThrowHeIsVoid, {{-3, 17, -7}, {-11, -7, -7}}},
    {kOver, {{-52, 5, 16}, {-6, 5, 36}}},         {kOverUnder, {{5, 3, -5}, {1, 3, -5}}},
    {kBelowUnder, {{11, 3, 2}, {23, 3, -2}}},     {kHelpHint, {{66, 78, 30}, {34, 66, 30}}},
};

static_assert(in_order(kOwnLeadTable, kOwnLeadWeights) &&
              in_order(kFoeLeadTable, kFoeLeadWeights) &&
              in_order(kOwnAnswerTable, kOwnAnswerWeights) && in_order(kHelpTable, kHelpWeights));

template <class Name, int Sets, int N>
constexpr void read(const LeadRow<Name, Sets> (&rows)[N], int set, int (&into)[N]) {
    for (int i = 0; i < N; ++i) into[i] = rows[i].of[set];
}
template <class Name, int Sets, int Roles, int N>
constexpr void read(const AnswerRow<Name, Sets, Roles> (&rows)[N], int set, int (&into)[Roles][N]) {
    for (int i = 0; i < N; ++i)
        for (int role = 0; role < Roles; ++role) into[role][i] = rows[i].of[set][role];
}

constexpr Weights weights(WeightSet set) {
    Weights out{};
    read(kLeadTable, set, out.lead);
    read(kAnswerTable, set, out.answer);
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

#if defined(SPADILLE_TUNE)
#define SPADILLE_WEIGHTS inline
#else
#define SPADILLE_WEIGHTS inline constexpr
#endif

SPADILLE_WEIGHTS Weights kTrumpWeights = weights(kTrump);
SPADILLE_WEIGHTS Weights kTrumpLoneWeights = weights(kTrumpLone);
SPADILLE_WEIGHTS Weights kShortPairWeights = weights(kShortPair);
SPADILLE_WEIGHTS Weights kShortLoneWeights = weights(kShortLone);
SPADILLE_WEIGHTS Weights kThreeWeights = weights(kThree);
SPADILLE_WEIGHTS Weights kPlainWeights = weights(kPlain);

SPADILLE_WEIGHTS MisereWeights kMisereWeights = weights(kMisereGame);
SPADILLE_WEIGHTS MisereWeights kRelaxedMisereWeights = weights(kRelaxedMisereGame);

}  // namespace spadille
