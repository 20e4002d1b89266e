"""The rules of the relaxed lone game, which bounds the tricks of a lone player."""

from __future__ import annotations

from mutations_search import Mutation, search


def lone(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "relaxed_lone.hpp", anchor, replacement, rule)


LONE = (
    search(
        "lone-game-lone",
        "popcount(sides.side) == 1 && sides.credited == sides.side && !p.called",
        "sides.credited == sides.side && !p.called",
        "relaxed lone game: for a lone player only",
    ),
    search(
        "lone-game-matadors",
        " &&\n                (!p.matadors || p.follow.rule == MatadorRule::none)",
        "",
        "relaxed lone game: not where matadors are exempt",
    ),
    search(
        "lone-game-called",
        "== sides.side && !p.called",
        "== sides.side",
        "relaxed lone game: no called card",
    ),
    Mutation(
        "lone-game-ruffed",
        "trick.hpp",
        "led && (card & trumps & ~led)",
        "false",
        "relaxed lone game: who ruffed may lead",
    ),
    search(
        "lone-game-followed",
        "return t.followed | (t.contests",
        "return 1u << t.best_player | (t.contests",
        "relaxed lone game: so may whoever followed suit if nobody ruffed",
    ),
    search(
        "lone-game-given",
        "if (result && first != leaders && !goal_.won(given, tricks, b_, proof.limits()))",
        "if (false)",
        "relaxed lone game: the others may give him a trick his card could have won",
    ),
    search(
        "lone-game-given-leads",
        "return inner(own(), tricks, given, p);",
        "return inner(first, tricks, given, p);",
        "relaxed lone game: then he leads",
    ),
    search(
        "lone-game-won",
        "if (won != result || (!won && !t.contests())) return;",
        "if (won || (!won && !t.contests())) return;",
        "relaxed lone game: the cards he wins contested tricks with are relevant",
    ),
    search(
        "lone-game-last-leaders",
        "return last_trick(leaders ^ rest, state, proof) &&",
        "return last_trick(leaders ^ rest, state, proof) || true ||",
        "relaxed lone game: whoever of them leads to the last trick",
    ),
    Mutation(
        "lone-game-one-trick",
        "sure.hpp",
        "want == 1 && last && one_trick",
        "want == 1 && one_trick",
        "relaxed lone game: who leads to the last trick is not settled before",
    ),
    lone(
        "lone-game-over",
        "out |= lowest(under) | (played ? lowest(over) : over);",
        "out |= lowest(under) | (played ? lowest(over) : 0);",
        "relaxed lone game: before he plays, how high the others play matters",
    ),
    lone(
        "lone-game-beat",
        "out |= lowest(under) | (played ? lowest(over) : over);",
        "out |= lowest(under) | (played ? 0 : over);",
        "relaxed lone game: so does whether they beat his card",
    ),
    lone(
        "lone-game-lost",
        "if (lost || !(contested & lane(s)))",
        "if (played || !(contested & lane(s)))",
        "relaxed lone game: the trick ends the same only if he has lost it",
    ),
    lone(
        "lone-game-contested",
        "his & b.trumps ? b.trumps : 0",
        "0",
        "relaxed lone game: or cannot win a suit he may ruff",
    ),
    lone(
        "lone-game-contested-led",
        "his & t.led ? t.led : his",
        "his",
        "relaxed lone game: or the suit led",
    ),
    lone(
        "lone-game-limits",
        "else if (card & cards) out.bytes[at] = proved_.bytes[at];",
        "else if (card & cards) out.bytes[at] = static_cast<u8>(proved_.bytes[at] + 1);",
        "relaxed lone game: a proof holds for no greater counts",
    ),
    lone(
        "lone-game-relevant",
        "if (proved) out |= card;",
        "if (proved) return;",
        "relaxed lone game: a stored proof brings its cards back",
    ),
    search(
        "lone-game-leaders-in-key",
        "shape{b_.lengths, leaders | kLoneShape | b_.fifth << 11}",
        "shape{b_.lengths, kLoneShape | b_.fifth << 11}",
        "relaxed lone game: who may lead is part of the key",
    ),
    search(
        "lone-game-need",
        "const LoneCounts<P> counts(b_, declarer_, need);",
        "const LoneCounts<P> counts(b_, declarer_, 1);",
        "relaxed lone game: a proof of so many tricks proves no more",
    ),
    Mutation(
        "lone-game-leaders",
        "bounds.hpp",
        "leads = b.foreign(~leaders), barred",
        "leads = b.hands[lowest_index(leaders)], barred",
        "later tricks: any of the leaders may lead",
    ),
)
