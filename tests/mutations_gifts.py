"""The rules of the gift game, which bounds the tricks of a lone player."""

from __future__ import annotations

from mutations_search import Mutation, search


def gifts(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "gifts.hpp", anchor, replacement, rule)


GIFTS = (
    search(
        "gifts-lone",
        "popcount(sides.side) == 1 && sides.credited == sides.side && !p.called",
        "sides.credited == sides.side && !p.called",
        "gift game: for a lone player only",
    ),
    search(
        "gifts-matadors",
        " &&\n                (!p.matadors || p.follow.rule == MatadorRule::none)",
        "",
        "gift game: not where matadors are exempt",
    ),
    search(
        "gifts-called", "== sides.side && !p.called", "== sides.side", "gift game: no called card"
    ),
    Mutation(
        "gifts-ruffed",
        "trick.hpp",
        "led && (card & trumps & ~led)",
        "false",
        "gift game: who ruffed may lead",
    ),
    search(
        "gifts-followed",
        "return t.followed | (t.contests",
        "return 1u << t.best_player | (t.contests",
        "gift game: so may whoever followed suit if nobody ruffed",
    ),
    search(
        "gifts-given",
        "if (result && first != leaders && !goal_.won(given, tricks, b_, proof.limits()))",
        "if (false)",
        "gift game: the others may give him a trick his card could have won",
    ),
    search(
        "gifts-given-leads",
        "return inner(own(), tricks, given, p);",
        "return inner(first, tricks, given, p);",
        "gift game: then he leads",
    ),
    search(
        "gifts-won",
        "if (won != result || (!won && !t.contests())) return;",
        "if (won || (!won && !t.contests())) return;",
        "gift game: the cards he wins contested tricks with are relevant",
    ),
    search(
        "gifts-last-leaders",
        "return last_trick(leaders ^ rest, state, proof) &&",
        "return last_trick(leaders ^ rest, state, proof) || true ||",
        "gift game: whoever of them leads to the last trick",
    ),
    Mutation(
        "gifts-one-trick",
        "sure.hpp",
        "want == 1 && last && one_trick",
        "want == 1 && one_trick",
        "gift game: who leads to the last trick is not settled before",
    ),
    gifts(
        "gifts-over",
        "out |= lowest(under) | (played ? lowest(over) : over);",
        "out |= lowest(under) | (played ? lowest(over) : 0);",
        "gift game: before he plays, how high the others play matters",
    ),
    gifts(
        "gifts-beat",
        "out |= lowest(under) | (played ? lowest(over) : over);",
        "out |= lowest(under) | (played ? 0 : over);",
        "gift game: so does whether they beat his card",
    ),
    gifts(
        "gifts-lost",
        "if (lost || !(contested & lane(s)))",
        "if (played || !(contested & lane(s)))",
        "gift game: the trick ends the same only if he has lost it",
    ),
    gifts(
        "gifts-contested",
        "his & b.trumps ? b.trumps : 0",
        "0",
        "gift game: or cannot win a suit he may ruff",
    ),
    gifts(
        "gifts-contested-led",
        "his & t.led ? t.led : his",
        "his",
        "gift game: or the suit led",
    ),
    gifts(
        "gifts-limits",
        "else if (card & cards) out.bytes[at] = proved_.bytes[at];",
        "else if (card & cards) out.bytes[at] = static_cast<u8>(proved_.bytes[at] + 1);",
        "gift game: a proof holds for no greater counts",
    ),
    gifts(
        "gifts-relevant",
        "if (proved) out |= card;",
        "if (proved) return;",
        "gift game: a stored proof brings its cards back",
    ),
    search(
        "gifts-leaders-in-key",
        "shape{b_.lengths, leaders | kGiftShape | b_.fifth << 11}",
        "shape{b_.lengths, kGiftShape | b_.fifth << 11}",
        "gift game: who may lead is part of the key",
    ),
    search(
        "gifts-need",
        "const GiftCounts<P> counts(b_, declarer_, need);",
        "const GiftCounts<P> counts(b_, declarer_, 1);",
        "gift game: a proof of so many tricks proves no more",
    ),
    Mutation(
        "gifts-leaders",
        "bounds.hpp",
        "leads = b.foreign(~leaders), barred",
        "leads = b.hands[lowest_index(leaders)], barred",
        "later tricks: any of the leaders may lead",
    ),
)
