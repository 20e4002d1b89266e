"""Mutations of the static bounds: trumps, quick and later tricks, one alone, the last trick."""

from __future__ import annotations

from marks import Mutation

# The trumps of helpers who are not credited, left out of the sight of the bound.
BLIND_TO_HELPERS = """[&] {
                Board<P> seen = b_;
                for (int p = 0; p < P; ++p)
                    if ((side_ & ~goal_.ours()) >> p & 1) seen.hands[p] &= ~b_.trumps;
                SureTricks<P> blind(seen, leaders, tricks, duel_, short_, !kRelaxedLone);
                const bool holds = blind.prove(goal_.ours(), enough, !kRelaxedLone);
                proof.up |= blind.used();
                return holds;
            }()"""

TRUMPS = (
    Mutation(
        "duel-behind",
        "? leader",
        "? leader - 1",
        "everybody who plays after him in the round may beat his trump",
    ),
    Mutation(
        "duel-number",
        "want",
        "want + 1",
        "a foreign trump beats one of his at most, but it may beat one",
    ),
    Mutation(
        "duel-led-trump",
        "(leader ? leader : h.players)",
        "leader",
        "everybody may beat a trump he leads",
    ),
    Mutation(
        "duel-before",
        "leader",
        "leader + 1",
        "the leader of a round is one of those before him",
    ),
    Mutation(
        "duel-gift",
        "want > 1 && denied(h, want - 1, true)",
        "false",
        "a trick his group gets without his trump puts him on lead, too",
    ),
    Mutation(
        "duel-on-lead",
        "true",
        "may_lead",
        "who has won is on lead and may have to lead a trump",
    ),
    Mutation(
        "duel-stuck",
        "lead == Lead::stuck",
        "false",
        "who has only trumps and is on lead must lead one",
    ),
    Mutation(
        "duel-unknown",
        "some.lanes |= (from << rest) - from;",
        "",
        "all foreign trumps below the known ones count against the rest of his",
    ),
    Mutation(
        "duel-rank",
        "n > 0",
        "n > 1",
        "the lowest trump the duel needs is relevant",
    ),
    Mutation(
        "duel-turn",
        "next<P>(player, k)",
        "next<P>(player, P - k)",
        "the order of play decides who is behind whom",
    ),
    Mutation(
        "duel-group",
        "| (q.group & ((1u << P) - 1))",
        "",
        "an answer about trumps holds for one group",
    ),
    Mutation(
        "duel-called",
        "|| (b.called & b.trumps)",
        "",
        "a called trump is under duty and cannot be played freely",
    ),
    Mutation(
        "duel-matadors",
        "&& !(b.matadors & ~b.held(q.group))",
        "",
        "who has only matadors need not follow to a trump that is led",
    ),
    Mutation(
        "duel-more",
        "q.winners << 1 | draws",
        "draws",
        "an answer holds for so many winners, and for matadors that may be kept or not",
    ),
    Mutation(
        "duel-lead",
        "static_cast<u64>(lead)",
        "0",
        "and for who is on lead",
    ),
    Mutation(
        "duel-low",
        "k < players",
        "k < 1",
        "trumps that beat none of his any more can ruff his winners",
    ),
    Mutation(
        "duel-no-trumps",
        "|| h.low",
        "",
        "without trumps his winners are good while nobody else has any",
    ),
    Mutation(
        "duel-winner-led",
        "h.winners && ruffed(h, want)",
        "false",
        "the others may lead the suit of a winner and ruff it",
    ),
    Mutation(
        "duel-winner-spent",
        "denied(less, want - 1, true)",
        "false",
        "a winner that is let win is spent",
    ),
    Mutation(
        "duel-drawn-beaten",
        "denied(h.drawn(i, k), want, false)",
        "false",
        "each of the others may beat the trump he leads",
    ),
    Mutation(
        "duel-drawn",
        "denied(h.drawn(i, 0), want - 1, true)",
        "false",
        "or let it win and keep a higher one",
    ),
    Mutation(
        "helpers-foreign",
        "sure.prove(goal_.ours(), enough, !kRelaxedLone)",
        BLIND_TO_HELPERS,
        "W < S: the trumps of helpers who are not credited count as foreign",
    ),
)

QUICK_TRICKS = (
    Mutation(
        "quick-called-suit",
        "b.called_lane",
        "0",
        "quick tricks leave the called suit alone",
    ),
    Mutation(
        "quick-matadors",
        "if (b.matadors & foreign_) barred_ |= b.trumps;",
        "",
        "quick tricks lead no trumps while foreign matadors are out",
    ),
    Mutation(
        "quick-ruffs",
        "return true",
        "continue",
        "no suit is led that somebody foreign may ruff",
    ),
    Mutation(
        "quick-drawn-trumps",
        "[b.trump]",
        "[b.trump] + 1",
        "somebody foreign ruffs until all his trumps are drawn",
    ),
    Mutation(
        "quick-followed",
        "rounds_[s]",
        "rounds_[s] + 1",
        "who began with more cards of a suit than rounds of it were led may have its top left",
    ),
    Mutation(
        "quick-partner-wins",
        "card[p] > best",
        "false",
        "who must play a higher card than the one who is to win takes the lead",
    ),
    Mutation(
        "quick-rank",
        "if (ok && !ruff && over) used |= best",
        "(void)over",
        "the cards that win are relevant",
    ),
    Mutation(
        "quick-partner-rank",
        "over |= card[p];",
        "",
        "so they are where only partners have the suit beside",
    ),
    Mutation(
        "quick-called-ruff",
        "& ~b.called",
        "",
        "no ruff with a called card",
    ),
    Mutation(
        "quick-thrown-plain",
        "fits(hand_[p] ^ card[p], owed_[p] + (!card[p] && want > 1))",
        "true",
        "who has trumps throws plain cards or must ruff",
    ),
    Mutation(
        "quick-called-no-discard",
        "& ~b.called",
        "",
        "a called card is no discard",
    ),
    Mutation(
        "quick-called-stays",
        "(b.trumps | b.called)",
        "b.trumps",
        "nor at no trump, or without trumps",
    ),
    Mutation(
        "cashed-stuck",
        "stuck ?",
        "false ?",
        "who has cashed all his plain cards must lead a trump",
    ),
    Mutation(
        "cashed-stuck-thrown",
        "owed_[leader]",
        "0",
        "so must he who has cashed some and threw the others",
    ),
    Mutation(
        "cashed-trumps",
        "ruff || s == b.trump ? -99 :",
        "",
        "trumps played on the way are no trump tricks afterwards",
    ),
    Mutation(
        "cashed-rank",
        "used |= trumps",
        "(void)used",
        "the trumps that make the rest are relevant",
    ),
)

ALONE = (
    Mutation(
        "alone-called-suit",
        "& ~b.called_lane",
        "",
        "and leads no suit of a called card",
    ),
    Mutation(
        "alone-trump-led",
        "(b.matadors & foreign_)",
        "false",
        "a foreign lead of trumps draws no matadors that may be kept",
    ),
    Mutation(
        "alone-drawn",
        "> drawn",
        "> drawn + 1",
        "who has more trumps than were drawn may ruff",
    ),
    Mutation(
        "alone-ruffed",
        "least_each(wins_ & ~b.trumps, unruffed)",
        "wins_ & ~b.trumps",
        "a suit is cashed until somebody may ruff",
    ),
    Mutation(
        "alone-followed",
        "> round",
        "> round + 1",
        "who began with more cards of a suit than rounds of it were led may beat one",
    ),
    Mutation(
        "alone-beaten",
        "break",
        "continue",
        "no round counts whose card may be beaten",
    ),
    Mutation(
        "alone-rank",
        "used |= last;",
        "(void)last;",
        "the cards that win are relevant",
    ),
    Mutation(
        "alone-called-ruff",
        "& ~b.called",
        "",
        "no ruff with a called card",
    ),
    Mutation(
        "alone-overruffed",
        "|| !(unruffed_ & lane(s))",
        "",
        "no ruff where somebody else may ruff, too",
    ),
    Mutation(
        "alone-spent",
        "wins_ -= b.trumps & kEach",
        "(void)0",
        "the trump he has ruffed with wins no other trick",
    ),
    Mutation(
        "alone-drawn-rank",
        "static_cast<u64>(drawn)",
        "0",
        "the trumps that draw those of others are relevant",
    ),
    Mutation(
        "alone-led-rank",
        "rounds += first;",
        "",
        "so is the card that wins the suit that was led",
    ),
    Mutation(
        "alone-trumps",
        "|| !whole",
        "",
        "a trump played on the way is no trump trick afterwards",
    ),
    Mutation(
        "alone-stuck",
        "stuck ?",
        "false ?",
        "who has cashed all his plain cards must lead a trump",
    ),
    Mutation(
        "winners-called",
        "|| b.called",
        "",
        "a called card is under duty and no winner",
    ),
    Mutation(
        "winners-rank",
        "used |= ranks(plain);",
        "",
        "the plain cards that win are relevant",
    ),
)

CERTAIN_TRICKS = (
    Mutation(
        "certain-beaten",
        "beaten",
        "beaten + 1",
        "certain tricks: a higher trump of anybody else beats one",
    ),
    Mutation(
        "certain-rank",
        "proof.up |= certain;",
        "",
        "certain tricks: the trumps they rest on are relevant",
    ),
    Mutation(
        "certain-other",
        "(theirs & ((1u << (i / 2)) - 1)) !=",
        "",
        "certain tricks of one opponent are not the other's",
    ),
)

LATER_TRICKS = (
    Mutation(
        "later-called-suit",
        "b.called_lane",
        "0",
        "later tricks leave the called suit alone",
    ),
    Mutation(
        "later-trump-lead",
        "want > 1 ? barred_ :",
        "",
        "no tricks after a trump lead while foreign matadors are out",
    ),
    Mutation(
        "later-all-suits",
        "used |=",
        "used =",
        "the proofs for all suits that may be led count",
    ),
)

GUARDED = (
    Mutation(
        "guarded-called",
        "if (b.called) return false;",
        "",
        "under the duty of a called card nobody throws what he likes",
    ),
    Mutation(
        "guarded-other-suit",
        "greater(every, led)",
        "kEach",
        "who keeps a guarded card needs another suit led to the first trick",
    ),
    Mutation(
        "guarded-ruffed",
        "some(led) & some(length) & ~trump ? trump : 0",
        "trump",
        "the trump to be beaten may ruff the first trick",
    ),
    Mutation(
        "guarded-beaten",
        "& greater(length, above)",
        "",
        "a guarded card must have one to beat",
    ),
    Mutation(
        "guarded-first-thrown",
        "keeps &= greater(his, above + kEach) | greater(every, his);",
        "",
        "who has only cards of the suit throws one to the first trick",
    ),
    Mutation(
        "guarded-rank",
        "used = card",
        "(void)card",
        "the guarded card is relevant",
    ),
)

ONE_TRICK = (
    Mutation(
        "one-two-tops",
        "lowest(his ^ first)",
        "(his ^ first)",
        "one trick: a player keeps two tops",
    ),
    Mutation(
        "one-trumps",
        "b.trumps",
        "0",
        "one trick: the others have no trumps",
    ),
    Mutation(
        "one-called",
        "b.called",
        "0",
        "one trick: none of the group is bound by a called card",
    ),
    Mutation(
        "one-called-suit",
        "& ~b.called_lane",
        "",
        "one trick: the called suit's top does not count",
    ),
    Mutation(
        "one-number",
        ">= tricks",
        "> tricks",
        "one trick: the others' suits cannot fill all tricks",
    ),
    Mutation(
        "one-rank",
        "used = held",
        "used = 0",
        "one trick: the tops are relevant",
    ),
)
