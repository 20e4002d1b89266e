"""Mutations of the table of positions within a trick."""

from __future__ import annotations

from tests.mutation.marked_mutation import Mutation

WITHIN = (
    Mutation(
        "within-led",
        "static_cast<u32>(suit_of(lowest_index(t.led)))",
        "0u",
        "within a trick, the led suit is part of the key",
    ),
    Mutation(
        "within-marked",
        "static_cast<u32>(t.marked)",
        "0u",
        "within a trick, the key says whether a played card counts for more than one trick",
    ),
    Mutation(
        "within-contested",
        "static_cast<u32>(t.contested)",
        "0u",
        "within a trick, the key says whether the winning card has beaten a card of its suit",
    ),
    Mutation(
        "within-winner",
        "static_cast<u32>(t.best_player)",
        "0u",
        "within a trick, the player who is winning is part of the key",
    ),
    Mutation(
        "within-trumped",
        "static_cast<u32>(!(t.best & t.led))",
        "0u",
        "within a trick, the key says whether the winning card has ruffed",
    ),
    Mutation(
        "within-beaten",
        "1u << 31",
        "0u",
        "within a trick, the key says whether the lead is beaten",
    ),
    Mutation(
        "within-matador-led",
        "!(t.first & b.matadors)",
        "true",
        "a position in which a led matador is beaten is not stored",
    ),
    Mutation(
        "within-called",
        "!b.called",
        "true",
        "a position in which the lead is beaten and a called card is out is not stored",
    ),
    Mutation(
        "within-card",
        "planes[kPlayers] = best;",
        "{}",
        "positions differ if a different relevant card is winning",
    ),
    Mutation(
        "within-settled",
        "return won;",
        "{}",
        "a settled state is not looked up within a trick",
    ),
    Mutation(
        "within-won",
        "proof.up |= proof.won;",
        "{}",
        "the card that wins the trick by rank belongs to the stored position",
    ),
    Mutation(
        "within-limits",
        "proof.limits() = Goal::limits(known);",
        "{}",
        "a result found within a trick includes its limits of the needs",
    ),
)
