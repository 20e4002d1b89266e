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
                const bool holds = blind.prove(goal_.ours(), enough, !kGifts);
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
        "const int p = player + distance < P ? player + distance : player + distance - P;",
        "const int p = player - distance < 0 ? player - distance + P : player - distance;",
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
        "sure.prove(goal_.ours(), enough, !kGifts)",
        BLIND_TO_HELPERS,
        "W < S: the trumps of helpers who are not credited count as foreign",
    ),
)

QUICK_TRICKS = (
    bounds(
        "quick-called-suit",
        "if (!own || (b.called_lane & own)) return;",
        "if (!own) return;",
        "quick tricks leave the called suit alone",
    ),
    bounds(
        "quick-called-crossing",
        " || (cards & b.called_lane)) return false;",
        ") return false;",
        "no crossing in the called suit",
    ),
    bounds(
        "quick-called-partner",
        "if (b.called_lane & own) winners = 0;",
        "",
        "a partner's winners in the called suit do not count",
    ),
    bounds(
        "quick-ruffs",
        "const int winners = least(winners_[suit], unruffed(suit));",
        "const int winners = winners_[suit];",
        "a plain suit counts only until somebody foreign may ruff it",
    ),
    bounds(
        "quick-drawn-trumps",
        "b.length(p, b.trump) > drawn_)",
        "b.length(p, b.trump) > drawn_ + 1)",
        "somebody foreign ruffs until all his trumps are drawn",
    ),
    bounds(
        "quick-long-cards",
        "winners >= longest ? popcount(own)",
        "winners + 1 >= longest ? popcount(own)",
        "low cards count when nobody else has the suit left",
    ),
    bounds(
        "quick-ducked",
        "if (joint != tops && ducked(suit, joint)) tops = joint;",
        "tops = joint;",
        "tops below a partner's count only if he can play lower each time",
    ),
    bounds(
        "quick-rank",
        "const int needed = least(least(winners, want), longest_[suit]);",
        "const int needed = 0 * least(least(winners, want), longest_[suit]);",
        "the lowest winner counted is relevant",
    ),
    bounds(
        "cashed-stuck",
        "duel_.sure(b, group_, stuck ? leader_ : -1, want - cashed, trumps)",
        "duel_.sure(b, group_, -1, want - cashed, trumps)",
        "who has cashed all his plain cards must lead a trump",
    ),
    bounds(
        "cashed-trump-led",
        "if (!trump_led && cashed_then_trumps(want, cap, used)) return want;",
        "if (cashed_then_trumps(want, cap, used)) return want;",
        "who gets on lead by his top trump has it no more when he has cashed plain winners",
    ),
    bounds(
        "cashed-partner-ruffs",
        "if (!cashed || cashed >= cap) return false;",
        "if (!cashed) return false;",
        "trumps a partner must ruff with are no trump tricks afterwards",
    ),
    bounds(
        "cashed-rank",
        "used = proof | trumps;",
        "used = trumps;",
        "the winners cashed before the trump tricks are relevant",
    ),
    bounds(
        "quick-partner-ruffs",
        "const int cap = unforced(group_ & ~(1u << leader_));",
        "const int cap = 99;",
        "a partner left with only trumps must ruff",
    ),
    bounds(
        "quick-called-no-discard",
        "popcount(b.hands[p] & ~b.trumps & ~b.called) + 1",
        "popcount(b.hands[p] & ~b.trumps) + 1",
        "a called card is no discard",
    ),
    bounds(
        "cross-trumps",
        "if (suit == b.trump) return !(b.matadors & foreign_);",
        "if (suit == b.trump) return true;",
        "no crossing in trumps while foreign matadors are out",
    ),
    bounds(
        "cross-low-card",
        "if (b.length(leader_, suit) <= rounds_[suit]) return false;",
        "if (b.length(leader_, suit) < rounds_[suit]) return false;",
        "to cross, the leader has a card of the suit left",
    ),
    bounds(
        "cross-partner-tops",
        "const u64 tops = above(own, b.all & lane(s) & ~gone(s) & ~own);",
        "const u64 tops = above(own, b.all & lane(s) & ~tops_[s] & ~own);",
        "the leader's winners that were not cashed stand above the partner's",
    ),
    bounds(
        "cross-ruffs",
        "return unruffed(suit) > rounds_[suit];",
        "return true;",
        "a suit somebody foreign may ruff is no crossing",
    ),
    bounds(
        "cross-other-partners",
        "unforced(group_ & ~(1u << leader_ | 1u << p)));",
        "99);",
        "the other partners, left with only trumps, must ruff the partner's winners",
    ),
    bounds(
        "cross-discards",
        "if (!reached || discards > spare) return 0;",
        "if (!reached) return 0;",
        "meanwhile the partner throws plain cards he does not need",
    ),
    bounds(
        "cross-called-no-discard",
        "spare += length - rounds - winners - popcount(own & b.called);",
        "spare += length - rounds - winners;",
        "the called card is none of those",
    ),
    bounds(
        "cross-leader-ruffs",
        "sum = least(sum, left > 0 ? left : 0);",
        "(void)left;",
        "the leader, left with only trumps, must ruff the partner's winners",
    ),
    bounds(
        "cross-partner-ruffed",
        "winners = least(winners, unruffed(s) - rounds);",
        "",
        "the partner's winners count only until somebody foreign may ruff them",
    ),
    bounds(
        "cross-partner-length",
        "if (winners >= longest) winners = length - rounds;",
        "if (winners + 1 >= longest) winners = length - rounds;",
        "his low cards count when nobody else has the suit left",
    ),
    bounds(
        "cross-partner-rank",
        "if (needed) used |= nth_highest(tops, needed);\n                if (winners",
        "if (winners",
        "his lowest winner counted is relevant",
    ),
    bounds(
        "cross-rank",
        "if (!needed) used |= nth_highest(tops, 1);",
        "",
        "the card crossed to is relevant",
    ),
)

LATER_TRICKS = (
    bounds(
        "later-called-suit",
        "if (cards & b.called_lane) return false;",
        "",
        "later tricks leave the called suit alone",
    ),
    bounds(
        "later-trump-lead",
        "if (s == b.trump && (b.matadors & b.foreign(group))) return false;",
        "",
        "no tricks after a trump lead while foreign matadors are out",
    ),
    bounds(
        "later-ruffs",
        "if (holder < 0 || ruffed) {",
        "if (holder < 0) {",
        "a top card somebody foreign can ruff is no later trick",
    ),
    bounds(
        "later-void",
        "if (!own || b.length(p, suit)) return false;",
        "if (!own) return false;",
        "only who has none of the suit led may ruff it",
    ),
    bounds(
        "later-overruffed",
        "const u64 able = over ? own & ~((highest(over) << 1) - 1) : own;",
        "const u64 able = own;",
        "a ruff counts only if nobody foreign can ruff higher",
    ),
    bounds(
        "later-ruff-discards",
        "if (over && want > 1) return false;",
        "",
        "who may ruff, too, discards instead and ruffs a round earlier later on",
    ),
    bounds(
        "later-ruffing-trump",
        "after.take(p, card);\n        after.all ^= card;",
        "",
        "the trump that ruffed is gone",
    ),
    bounds(
        "later-rank",
        "u64 run = top;",
        "u64 run = 0;",
        "the top card is relevant",
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
