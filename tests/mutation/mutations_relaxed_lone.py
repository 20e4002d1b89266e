"""Mutations of the relaxed lone game, which bounds the tricks of a lone player."""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation

LONE = (
    Mutation(
        "lone-game-lone",
        "popcount(sides.side) == 1 &&",
        "",
        "relaxed lone game: bounds only lone players",
    ),
    Mutation(
        "lone-game-matadors",
        "&& (!p.matadors || p.following.matador_rule == MatadorRule::none)",
        "",
        "relaxed lone game: not used if matadors are exempt",
    ),
    Mutation(
        "lone-game-called",
        "&& !p.called",
        "",
        "relaxed lone game: not used with a called card",
    ),
    Mutation(
        "lone-game-ruffed",
        "led && (card & trumps & ~led)",
        "false",
        "relaxed lone game: the player who ruffed may lead",
    ),
    Mutation(
        "lone-game-followed",
        "t.beaters()",
        "1u << t.best_player",
        "relaxed lone game: not only the winner of a trick may lead",
    ),
    Mutation(
        "lone-game-given",
        "result && first != leaders && !goal_.won(given, tricks, b_, proof.limits())",
        "false",
        "relaxed lone game: the others may give up a trick that the declarer's card could have won",
    ),
    Mutation(
        "lone-game-given-leads",
        "own()",
        "first",
        "relaxed lone game: after such a gift, the declarer leads",
    ),
    Mutation(
        "lone-game-won",
        "won == result && (won || t.contests())",
        "!won && t.contests()",
        "relaxed lone game: the cards that win contested tricks are relevant",
    ),
    Mutation(
        "lone-game-last-leaders",
        "(leaders ^ rest, state, proof) &&",
        "(leaders ^ rest, state, proof) || true ||",
        "relaxed lone game: any of the others may lead to the last trick",
    ),
    Mutation(
        "lone-game-beaters",
        "< his",
        "< best",
        "relaxed lone game: any player who followed suit and beat the declarer's card may lead",
    ),
    Mutation(
        "lone-game-excluded",
        "beaters != followed ? his : 0",
        "0",
        "relaxed lone game: the declarer's card that keeps a player from leading is relevant",
    ),
    Mutation(
        "lone-game-beating",
        "cards",
        "0",
        "relaxed lone game: the cards with which players may lead next are relevant",
    ),
    Mutation(
        "lone-game-beat",
        "next ? ~(next - 1) : 0",
        "0",
        "relaxed lone game: it matters which of the declarer's cards the others' cards beat",
    ),
    Mutation(
        "lone-game-contested",
        ": hand & b.trumps",
        ": 0",
        "relaxed lone game: trumps are not all equal while the declarer may ruff",
    ),
    Mutation(
        "lone-game-contested-led",
        "hand & t.led ? hand & t.led :",
        "",
        "relaxed lone game: cards of the led suit are not all equal while the declarer can follow",
    ),
    Mutation(
        "lone-game-limits",
        "proved_.bytes[at]",
        "static_cast<u8>(proved_.bytes[at] + 1)",
        "relaxed lone game: a proof does not hold for greater counts",
    ),
    Mutation(
        "lone-game-relevant",
        "out |= card",
        "return",
        "relaxed lone game: a stored proof restores its cards",
    ),
    Mutation(
        "lone-game-leaders-in-key",
        "leaders |",
        "",
        "relaxed lone game: the players who may lead are part of the key",
    ),
    Mutation(
        "lone-game-need",
        "need",
        "1",
        "relaxed lone game: a proof of n tricks does not prove more",
    ),
    Mutation(
        "lone-game-leaders",
        "held(leaders_)",
        "hands[lowest_index(leaders_)]",
        "relaxed lone game: any of the leaders may lead to later tricks",
    ),
)
