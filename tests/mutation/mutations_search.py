"""Mutations of the search itself: proofs, the table, following suit, goals."""

from __future__ import annotations

import re
from typing import NamedTuple


class Mutation(NamedTuple):
    """One rule, and how it is taken away."""

    name: str
    file: str
    anchor: str
    replacement: str
    rule: str

    def broken(self, text: str) -> str:
        """The file without the rule.

        Raises ValueError unless the anchor stands there exactly once, white space apart.
        """
        letters = r"\s*".join(re.escape(letter) for letter in "".join(self.anchor.split()))
        places = list(re.finditer(letters, text))
        if len(places) != 1:
            raise ValueError(f"{self.name}: its anchor stands {len(places)} times in {self.file}")
        return text[: places[0].start()] + self.replacement + text[places[0].end() :]


def search(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "search.hpp", anchor, replacement, rule)


def proof(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "proof.hpp", anchor, replacement, rule)


def shape(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "shape.hpp", anchor, replacement, rule)


def following(name: str, anchor: str, replacement: str, rule: str) -> Mutation:
    return Mutation(name, "following.hpp", anchor, replacement, rule)


PROOFS = (
    search(
        "lost-leads",
        "proof.add(lost.proof);",
        "{}",
        "what refutes the leads left out counts",
    ),
    proof(
        "matadors-in-mask",
        "close_up(p.up, all) | (all & b.matadors) | b.called",
        "close_up(p.up, all) | b.called",
        "the owners of all remaining matadors belong to every mask",
    ),
    proof(
        "called-in-mask",
        "close_up(p.up, all) | (all & b.matadors) | b.called",
        "close_up(p.up, all) | (all & b.matadors)",
        "the owner of the called card belongs to every mask",
    ),
    shape(
        "matadors-in-key",
        " | static_cast<u32>(popcount(b.matadors & b.all)) << 3;",
        ";",
        "the number of matadors left is part of the key",
    ),
    shape(
        "called-rank-in-key",
        "suit_of(at) * 13 + above) << 5",
        "suit_of(at) * 13 + 0 * above) << 5",
        "the called card's rank from the top is part of the key",
    ),
    shape(
        "called-in-key",
        "if (b.called) {\n        const int at",
        "if (false) {\n        const int at",
        "whether a called card is out, and of which suit, is part of the key",
    ),
    search(
        "leader-in-key",
        "static_cast<u32>(lowest_index(leaders)))};",
        "0u)};",
        "the leader is part of the key",
    ),
    shape(
        "fifth-hand-in-key",
        "return rest | b.fifth << 11",
        "return rest",
        "the suit lengths of the fifth hand are part of the key",
    ),
    search(
        "winner-relevant",
        "rest_on_winner(after, result, proof);",
        "",
        "the winning card of a contested trick is relevant",
    ),
    search(
        "last-winner-relevant",
        "rest_on_winner(t, result, proof);",
        "",
        "so it is in the last trick",
    ),
    search(
        "closed-upward",
        "owners.pattern(covered(proof, b_.all))",
        "owners.pattern(proof.up | proof.down | (b_.all & b_.matadors) | b_.called)",
        "relevance is closed before it is stored",
    ),
    proof(
        "closed-downward",
        "cards |= close_down(p.down, all);",
        "cards |= p.down;",
        "misère: relevance from below is closed downward",
    ),
    proof(
        "split-downward",
        "proof.down |= cards & below_gap;",
        "",
        "misère: a stored mask brings its cards from below back",
    ),
    proof(
        "split-upward",
        "proof.up |= cards & ~below_gap;",
        "",
        "misère: a stored mask brings its cards from above back",
    ),
    search(
        "all-node-run",
        "if (relevant & top_of_run(card, hand & ~always, b_.all)) p.up |= card;",
        "",
        "at an all-node, relevance that touches a run extends to its end",
    ),
    search(
        "skipped-run",
        "if (relevant & top_of_run(lowest(out), hand & ~always, b_.all)) p.up |= lowest(out);",
        ";",
        "so it does in the runs of cards that are skipped",
    ),
    search(
        "all-node-union",
        "            all.add(p);\n",
        "            all = p;\n",
        "at an all-node, the proofs of all cards count",
    ),
    search(
        "skip-always-relevant",
        "const u64 relevant = covered(p, b_.all) | close_up(p.won, b_.all);",
        "const u64 relevant = close_up(p.up | p.won, b_.all) | close_down(p.down, b_.all);",
        "skipping respects the cards that are always relevant",
    ),
    search(
        "skip-winner-relevant",
        "covered(p, b_.all) | close_up(p.won, b_.all);",
        "covered(p, b_.all);",
        "cards above the one that wins the trick are not skipped",
    ),
    proof(
        "winner-of-equivalents-needed-later",
        "(up = next_above(card, all) & own & ~needed) != 0;",
        "(up = next_above(card, all) & own) != 0;",
        "the highest equivalent wins the trick only if those above are not needed later",
    ),
    search(
        "winner-chosen",
        "result == wants ? highest_spare(card, hand & ~always, covered(p, b_.all), b_.all)",
        "true ? highest_spare(card, hand & ~always, covered(p, b_.all), b_.all)",
        "the winner's rank counts as its highest equivalent's only where its player chose it",
    ),
    proof(
        "winner-without-equivalents",
        "if (!(card & own)) return card;",
        "",
        "a matador or called card that wins has no equivalents above",
    ),
    search(
        "skip-irrelevant-only",
        "if (!(relevant & card)) {",
        "if (true) {",
        "cards are skipped only after a card whose rank did not matter",
    ),
    search(
        "skip-to-relevant",
        "left &= ~(lane(suit_of(lowest_index(card))) & ~relevant);",
        "left &= ~lane(suit_of(lowest_index(card)));",
        "cards whose rank did matter are not skipped",
    ),
)

EQUIVALENCE = (
    proof(
        "matador-ordinary-equivalents",
        "const u64 always = (b.matadors & all) | b.called;",
        "const u64 always = b.called;",
        "a matador and the ordinary trump below it are not equivalent",
    ),
    proof(
        "called-equivalents",
        "const u64 always = (b.matadors & all) | b.called;",
        "const u64 always = b.matadors & all;",
        "the called card is equivalent to no neighbour",
    ),
    search(
        "trick-separates-equivalents",
        "left &= ~equivalents(b_, left, b_.all);",
        "left &= ~equivalents(b_, left, b_.foreign(0));",
        "the cards of the running trick separate equivalent cards",
    ),
)

FOLLOWING = (
    Mutation(
        "called-duty-ends",
        "board.hpp",
        "if (card == called) called = called_lane = 0;",
        "",
        "the called card's duty ends when it is played",
    ),
    following(
        "called-led-first",
        "if ((hand & b.called) && !follow.free_called_lead)",
        "if (false)",
        "its holder leads the called suit with it",
    ),
    following(
        "called-follows",
        "if (t.led & b.called & hand) return b.called;",
        "",
        "its holder follows suit with the called card",
    ),
    following(
        "called-no-discard",
        "if (follow.early_discard || hand == b.called) return hand;",
        "return hand;",
        "the called card is no discard",
    ),
    following(
        "privilege",
        "if (!(suit & ~b.matadors) && exempt(suit, t)) return thrown(hand);",
        "",
        "matadors may be kept from a trump lead",
    ),
    following(
        "higher-matador-compels",
        "if (follow.rule == MatadorRule::any_matador_led) return false;",
        "return false;",
        "higher-only: a matador led compels the lower ones alone",
    ),
    following(
        "trigger",
        "follow.highest_so_far ? t.best : t.first",
        "t.first",
        "the highest trump so far compels, where the option says so",
    ),
    following(
        "free-unless-all-lower",
        "follow.free_unless_all_lower ? highest(matadors) > against : lowest(matadors) > against",
        "lowest(matadors) > against",
        "several matadors are bound only if all are lower, where the option says so",
    ),
)


SHARING = tuple(
    Mutation(
        f"shared-{what}",
        "search_isa.hpp",
        condition,
        "",
        f"a table is not shared between different {rule}",
    )
    for what, condition, rule in (
        ("players", "players == o.players && ", "numbers of players"),
        ("trump", "trump == o.trump && ", "trumps"),
        ("side", "side == o.side &&", "sides"),
        ("credited", "credited == o.credited && ", "credited players"),
        ("goal", "goal == o.goal && ", "goals (horizons, payoffs, thresholds)"),
        ("penalty", "marked == o.marked && ", "penalty suits"),
        ("needs", "needs == o.needs &&", "kinds of needs"),
        ("rule", "rule == o.rule &&", "matador rules"),
        ("trigger", "highest_so_far == o.highest_so_far &&", "triggers"),
        ("mixed", "free_unless_all_lower == o.free_unless_all_lower &&", "rules of mixed matadors"),
        ("called-lead", "free_called_lead == o.free_called_lead && ", "duties of the called card"),
    )
)
