"""Mutations of the static bounds: quick and later tricks, a lone player, one trick."""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation

QUICK_TRICKS = (
    Mutation(
        "quick-called-suit",
        "b.called_lane",
        "0",
        "plans: the called suit is not led",
    ),
    Mutation(
        "quick-matadors",
        "if (b.matadors & foreign_) barred_ |= b.trumps;",
        "",
        "plans: no trumps are led while foreign matadors are out",
    ),
    Mutation(
        "quick-ruffs",
        "ruffs ? ~follows : 0",
        "0",
        "plans: no suit is led that an opponent may ruff",
    ),
    Mutation(
        "quick-drawn-trumps",
        "follows &",
        "greater(b.suits(p), rounds_ + kEach) * 0xFFFF &",
        "plans: an opponent ruffs until all their trumps are drawn",
    ),
    Mutation(
        "quick-followed",
        "rounds_))",
        "rounds_ + kEach))",
        "plans: a player dealt more cards of a suit than its rounds led may still hold its top",
    ),
    Mutation(
        "quick-partner-wins",
        "card[p] > best",
        "false",
        "plans: a partner who must play a higher card than the intended winner takes the lead",
    ),
    Mutation(
        "quick-rank",
        "if (ok && !ruff && over) used |= best",
        "(void)over",
        "plans: the cards that win are relevant",
    ),
    Mutation(
        "quick-partner-rank",
        "over |= card[p];",
        "",
        "plans: the winning cards are relevant even if only partners hold the suit as well",
    ),
    Mutation(
        "quick-called-ruff",
        "& ~b.called",
        "",
        "plans: no ruff with a called card counts",
    ),
    Mutation(
        "quick-thrown-plain",
        "plain >= owed",
        "true",
        "plans: a player with trumps discards plain cards or must ruff",
    ),
    Mutation(
        "quick-called-no-discard",
        "& ~b.called",
        "",
        "plans: a called card cannot be discarded",
    ),
    Mutation(
        "quick-called-stays",
        "(b.trumps | b.called)",
        "b.trumps",
        "plans: a called card cannot be discarded at no trump, nor by a player without trumps",
    ),
    Mutation(
        "cashed-stuck",
        "stuck ?",
        "false ?",
        "plans: a member of the group who has cashed all plain cards must lead a trump",
    ),
    Mutation(
        "cashed-stuck-thrown",
        "owed_[leader]",
        "0",
        "plans: so must a player who has cashed some plain cards and discarded the others",
    ),
    Mutation(
        "cashed-trumps",
        "ruff || s == b.trump || plain_ == kTrumpPlayed",
        "false",
        "plans: trumps played on the way do not win trump tricks afterwards",
    ),
    Mutation(
        "cashed-rank",
        "used |= trumps",
        "(void)used",
        "plans: the trumps that win the other tricks are relevant",
    ),
)

ALONE = (
    Mutation(
        "alone-called-suit",
        "& ~b.called_lane",
        "",
        "lone player: the suit of a called card is not led",
    ),
    Mutation(
        "alone-trump-led",
        "(b.matadors & foreign_)",
        "false",
        "lone player: a foreign trump lead draws no matadors that may be kept",
    ),
    Mutation(
        "alone-drawn",
        "> drawn",
        "> drawn + 1",
        "lone player: a player with more trumps than were drawn may ruff",
    ),
    Mutation(
        "alone-ruffed",
        "least_each(wins_ & ~b.trumps, unruffed)",
        "wins_ & ~b.trumps",
        "lone player: a suit is cashed until somebody may ruff",
    ),
    Mutation(
        "alone-followed",
        "> round",
        "> round + 1",
        "lone player: a player dealt more cards of a suit than its rounds led may beat one",
    ),
    Mutation(
        "alone-beaten",
        "break",
        "continue",
        "lone player: a round does not count if its card may be beaten",
    ),
    Mutation(
        "alone-rank",
        "used |= last;",
        "(void)last;",
        "lone player: the cards that win are relevant",
    ),
    Mutation(
        "alone-called-ruff",
        "& ~b.called",
        "",
        "lone player: no ruff with a called card counts",
    ),
    Mutation(
        "alone-overruffed",
        "|| !(unruffed_ & lane(s))",
        "",
        "lone player: no ruff counts if another player may also ruff",
    ),
    Mutation(
        "alone-spent",
        "wins_ -= b.trumps & kEach",
        "(void)0",
        "lone player: a trump used to ruff wins no other trick",
    ),
    Mutation(
        "alone-drawn-rank",
        "static_cast<u64>(drawn)",
        "0",
        "lone player: the trumps that draw those of others are relevant",
    ),
    Mutation(
        "alone-led-rank",
        "rounds += first;",
        "",
        "lone player: the card that wins the led suit is relevant",
    ),
    Mutation(
        "alone-trumps",
        "|| !whole",
        "",
        "lone player: a trump played on the way does not win a trump trick afterwards",
    ),
    Mutation(
        "alone-stuck",
        "stuck ?",
        "false ?",
        "lone player: one who has cashed all plain cards must lead a trump",
    ),
    Mutation(
        "winners-rank",
        "used |= ranks(plain);",
        "",
        "lone player: the plain winners that the trump duel counts are relevant",
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
        "certain tricks: the trumps they depend on are relevant",
    ),
    Mutation(
        "certain-other",
        "(theirs & ((1u << (i / 2)) - 1)) !=",
        "",
        "certain tricks of one opponent do not count for the other",
    ),
)

LATER_TRICKS = (
    Mutation(
        "later-called-suit",
        "b.called_lane",
        "0",
        "off lead: later tricks do not lead the called suit",
    ),
    Mutation(
        "later-trump-lead",
        "want > 1 ? barred_ :",
        "",
        "off lead: no tricks count after a trump lead while foreign matadors are out",
    ),
    Mutation(
        "later-all-suits",
        "used |=",
        "used =",
        "off lead: the proof includes the proofs for all suits that may be led",
    ),
)

GUARDED = (
    Mutation(
        "guarded-called",
        "if (b.called) return false;",
        "",
        "guarded card: while a called card has its duty, no player may discard freely",
    ),
    Mutation(
        "guarded-other-suit",
        "greater(every, led)",
        "kEach",
        "guarded card: its holder needs another suit led to the first trick",
    ),
    Mutation(
        "guarded-ruffed",
        "some(led) & some(length) & ~trump ? trump : 0",
        "trump",
        "guarded card: the trump to be beaten may ruff the first trick",
    ),
    Mutation(
        "guarded-beaten",
        "& greater(length, above)",
        "",
        "guarded card: there must be a card that it can beat",
    ),
    Mutation(
        "guarded-rank",
        "used = card",
        "(void)card",
        "guarded card: it is relevant",
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
        "one trick: no member of the group is bound by a called card",
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
