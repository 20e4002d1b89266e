"""The rules of the relaxed lone game, which bounds the tricks of a lone player."""

from __future__ import annotations

from marks import Mutation

LONE = (
    Mutation(
        "lone-game-lone",
        "popcount(sides.side) == 1 &&",
        "",
        "relaxed lone game: for a lone player only",
    ),
    Mutation(
        "lone-game-matadors",
        "&& (!p.matadors || p.following.matador_rule == MatadorRule::none)",
        "",
        "relaxed lone game: not where matadors are exempt",
    ),
    Mutation(
        "lone-game-called",
        "&& !p.called",
        "",
        "relaxed lone game: no called card",
    ),
    Mutation(
        "lone-game-ruffed",
        "led && (card & trumps & ~led)",
        "false",
        "relaxed lone game: who ruffed may lead",
    ),
    Mutation(
        "lone-game-followed",
        "t.followed",
        "1u << t.best_player",
        "relaxed lone game: so may whoever followed suit if nobody ruffed",
    ),
    Mutation(
        "lone-game-given",
        "result && first != leaders && !goal_.won(given, tricks, b_, proof.limits())",
        "false",
        "relaxed lone game: the others may give him a trick his card could have won",
    ),
    Mutation(
        "lone-game-given-leads",
        "own()",
        "first",
        "relaxed lone game: then he leads",
    ),
    Mutation(
        "lone-game-won",
        "won == result && (won || t.contests())",
        "!won && t.contests()",
        "relaxed lone game: the cards he wins contested tricks with are relevant",
    ),
    Mutation(
        "lone-game-last-leaders",
        "(leaders ^ rest, state, proof) &&",
        "(leaders ^ rest, state, proof) || true ||",
        "relaxed lone game: whoever of them leads to the last trick",
    ),
    Mutation(
        "lone-game-one-trick",
        "last &&",
        "",
        "relaxed lone game: who leads to the last trick is not settled before",
    ),
    Mutation(
        "lone-game-over",
        ": over",
        ": 0",
        "relaxed lone game: before he plays, how high the others play matters",
    ),
    Mutation(
        "lone-game-beat",
        "lowest(over)",
        "0",
        "relaxed lone game: so does whether they beat his card",
    ),
    Mutation(
        "lone-game-lost",
        "lost",
        "played",
        "relaxed lone game: the trick ends the same only if he has lost it",
    ),
    Mutation(
        "lone-game-contested",
        "his & b.trumps ? b.trumps :",
        "",
        "relaxed lone game: or cannot win a suit he may ruff",
    ),
    Mutation(
        "lone-game-contested-led",
        "& t.led ? t.led : his",
        "",
        "relaxed lone game: or the suit led",
    ),
    Mutation(
        "lone-game-limits",
        "proved_.bytes[at]",
        "static_cast<u8>(proved_.bytes[at] + 1)",
        "relaxed lone game: a proof holds for no greater counts",
    ),
    Mutation(
        "lone-game-relevant",
        "out |= card",
        "return",
        "relaxed lone game: a stored proof brings its cards back",
    ),
    Mutation(
        "lone-game-leaders-in-key",
        "leaders |",
        "",
        "relaxed lone game: who may lead is part of the key",
    ),
    Mutation(
        "lone-game-need",
        "need",
        "1",
        "relaxed lone game: a proof of so many tricks proves no more",
    ),
    Mutation(
        "lone-game-leaders",
        "held(leaders_)",
        "hands[lowest_index(leaders_)]",
        "later tricks: any of the leaders may lead",
    ),
)
