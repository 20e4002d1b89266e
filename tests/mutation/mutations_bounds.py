"""Mutations of the static bounds: trumps, quick and later tricks, the last trick."""

from __future__ import annotations

from mutations_search import Mutation, search


def bounds(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "bounds.hpp", anchor, replacement, rule)


def duel(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "duel.hpp", anchor, replacement, rule)


# The trumps of helpers who are not credited, left out of the sight of the bound.
BLIND_TO_HELPERS = """[&] {
                Board<P> seen = b_;
                for (int p = 0; p < P; ++p)
                    if ((side_ & ~goal_.ours()) >> p & 1) seen.hands[p] &= ~b_.trumps;
                SureTricks<P> blind(seen, leaders, tricks, duel_, short_);
                const bool holds = blind.prove(goal_.ours(), enough, !kRelaxedLone);
                proof.up |= blind.used();
                return holds;
            }()"""

TRUMPS = (
    duel(
        "duel-behind",
        "k < (leader ? leader : h.players) && !beaten",
        "k < (leader ? leader - 1 : h.players) && !beaten",
        "everybody who plays after him in the round may beat his trump",
    ),
    duel(
        "duel-number",
        "if (h.foreign() <= h.trumps - want) return false;",
        "if (h.foreign() <= h.trumps - want + 1) return false;",
        "a foreign trump beats one of his at most, but it may beat one",
    ),
    duel(
        "duel-led-trump",
        "k < (leader ? leader : h.players) && !beaten",
        "k < leader && !beaten",
        "everybody may beat a trump he leads",
    ),
    duel(
        "duel-before",
        "for (int k = leader; k < h.players && !answer; ++k)",
        "for (int k = leader + 1; k < h.players && !answer; ++k)",
        "the leader of a round is one of those before him",
    ),
    duel(
        "duel-gift",
        "bool answer = want > 1 && denied(h, want - 1, true);",
        "bool answer = false;",
        "a trick his group gets without his trump puts him on lead, too",
    ),
    duel(
        "duel-on-lead",
        "bool beaten = want > 1 && denied(after, want - 1, true);",
        "bool beaten = want > 1 && denied(after, want - 1, may_lead);",
        "who has won is on lead and may have to lead a trump",
    ),
    duel(
        "duel-stuck",
        "proof(b, group, p, want, p == stuck);",
        "proof(b, group, p, want, false);",
        "who has only trumps and is on lead must lead one",
    ),
    duel(
        "duel-unknown",
        "some.lanes |= (at << rest) - at;",
        "",
        "all foreign trumps below the known ones count against the rest of his",
    ),
    duel(
        "duel-rank",
        "for (int n = slot & 15; n > 0; --n)",
        "for (int n = slot & 15; n > 1; --n)",
        "the lowest trump the duel needs is relevant",
    ),
    duel(
        "duel-turn",
        "const int p = next<P>(player, distance);",
        "const int p = next<P>(player, P - distance);",
        "the order of play decides who is behind whom",
    ),
    duel(
        "duel-group",
        "key << P | (group & ((1u << P) - 1));",
        "key << P;",
        "an answer about trumps holds for one group",
    ),
    duel(
        "duel-called",
        "longest < want || (b.called & b.trumps)",
        "longest < want",
        "a called trump is under duty and cannot be played freely",
    ),
    search(
        "helpers-foreign",
        "sure.prove(goal_.ours(), enough, !kRelaxedLone)",
        BLIND_TO_HELPERS,
        "W < S: the trumps of helpers who are not credited count as foreign",
    ),
)

QUICK_TRICKS = (
    bounds(
        "quick-called-suit",
        "barred_(b.called_lane) {",
        "barred_(0) {",
        "quick tricks leave the called suit alone",
    ),
    bounds(
        "quick-matadors",
        "if (b.matadors & foreign_) barred_ |= b.trumps;",
        "",
        "quick tricks lead no trumps while foreign matadors are out",
    ),
    bounds(
        "quick-ruffs",
        "s != b.trump && b.length(p, b.trump) > rounds_[b.trump])\n                return true;",
        "s != b.trump && b.length(p, b.trump) > rounds_[b.trump])\n                continue;",
        "no suit is led that somebody foreign may ruff",
    ),
    bounds(
        "quick-drawn-trumps",
        "b.length(p, b.trump) > rounds_[b.trump])",
        "b.length(p, b.trump) > rounds_[b.trump] + 1)",
        "somebody foreign ruffs until all his trumps are drawn",
    ),
    bounds(
        "quick-followed",
        "if (b.length(p, s) > rounds_[s])",
        "if (b.length(p, s) > rounds_[s] + 1)",
        "who began with more cards of a suit than rounds of it were led may have its top left",
    ),
    bounds(
        "quick-partner-wins",
        "if (card[p] > best) {",
        "if (false) {",
        "who must play a higher card than the one who is to win takes the lead",
    ),
    bounds(
        "quick-rank",
        "if (ok && !ruff && over) used |= best;",
        "(void)over;",
        "the cards that win are relevant",
    ),
    bounds(
        "quick-partner-rank",
        "over |= card[p];",
        "",
        "so they are where only partners have the suit beside",
    ),
    bounds(
        "quick-called-ruff",
        "lowest(hand_[who] & b.trumps & ~b.called)",
        "lowest(hand_[who] & b.trumps)",
        "no ruff with a called card",
    ),
    bounds(
        "quick-thrown-plain",
        "ok = ok && fits(p);",
        "",
        "who has trumps throws plain cards or must ruff",
    ),
    bounds(
        "quick-called-no-discard",
        "& ~b.trumps & ~b.called) >= owed_[p]",
        "& ~b.trumps) >= owed_[p]",
        "a called card is no discard",
    ),
    bounds(
        "quick-called-stays",
        "!(hand_[p] & (b.trumps | b.called))",
        "!(hand_[p] & b.trumps)",
        "nor at no trump, or without trumps",
    ),
    bounds(
        "cashed-stuck",
        "duel_.sure(b, group_, stuck ? leader : -1, want, trumps)",
        "duel_.sure(b, group_, -1, want, trumps)",
        "who has cashed all his plain cards must lead a trump",
    ),
    bounds(
        "cashed-stuck-thrown",
        "<= owed_[leader];",
        "<= 0;",
        "so must he who has cashed some and threw the others",
    ),
    bounds(
        "cashed-trumps",
        "ruff || s == b.trump ? -99 : 1",
        "1",
        "trumps played on the way are no trump tricks afterwards",
    ),
    bounds(
        "cashed-rank",
        "used |= trumps;",
        "(void)used;",
        "the trumps that make the rest are relevant",
    ),
)

CERTAIN_TRICKS = (
    bounds(
        "certain-beaten",
        "if (popcount(trumps & ~own & ~(card - 1)) > beaten) {",
        "if (popcount(trumps & ~own & ~(card - 1)) > beaten + 1) {",
        "certain tricks: a higher trump of anybody else beats one",
    ),
    search(
        "certain-rank",
        "proof.up |= certain;",
        "",
        "certain tricks: the trumps they rest on are relevant",
    ),
    Mutation(
        "certain-other",
        "automaton.cpp",
        "int& his = left[(theirs & ((1u << (i / 2)) - 1)) != 0];",
        "int& his = left[0];",
        "certain tricks of one opponent are not the other's",
    ),
)

LATER_TRICKS = (
    bounds(
        "later-called-suit",
        "barred = want > 1 ? barred_ : b.called_lane;",
        "barred = want > 1 ? barred_ : 0;",
        "later tricks leave the called suit alone",
    ),
    bounds(
        "later-trump-lead",
        "barred = want > 1 ? barred_ : b.called_lane;",
        "barred = b.called_lane;",
        "no tricks after a trump lead while foreign matadors are out",
    ),
    bounds(
        "later-all-suits",
        "proof |= used;",
        "proof = used;",
        "the proofs for all suits that may be led count",
    ),
)

ONE_TRICK = (
    bounds("one-two-tops", "kept[p] < 2)", "kept[p] < 3)", "one trick: a player keeps two tops"),
    bounds(
        "one-trumps",
        "group >> p & 1 ? b.called : b.trumps",
        "group >> p & 1 ? b.called : 0",
        "one trick: the others have no trumps",
    ),
    bounds(
        "one-called",
        "group >> p & 1 ? b.called : b.trumps",
        "group >> p & 1 ? 0 : b.trumps",
        "one trick: none of the group is bound by a called card",
    ),
    bounds(
        "one-called-suit",
        " && !(cards & b.called_lane) && kept[p]",
        " && kept[p]",
        "one trick: the called suit's top does not count",
    ),
    bounds(
        "one-number",
        "if (theirs >= tricks) return false;",
        "if (theirs > tricks) return false;",
        "one trick: the others' suits cannot fill all tricks",
    ),
    bounds(
        "one-rank",
        "tops |= top;",
        "tops |= 0;",
        "one trick: the tops are relevant",
    ),
)
