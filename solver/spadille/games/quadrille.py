"""Quadrille, and Quintille, which is Quadrille for five.

Each player gets ten (Quintille: eight) of the 40 cards. Eldest leads in every contract.

**Ante.** Each player puts a chip into the pool before each deal.

**Bidding.** Bidding goes around, eldest first, until all but one have passed, and a player who
passes is out. The bids, in rising order, are Alliance, Solo and Vole. The first player to bid Solo
names trumps at once, and only Vole beats it. A player who bids Alliance or Vole names trumps after
the bidding.

**Contracts.** A side needs six (Quintille: five) tricks, except in a Vole.

- Alliance: the bidder names trumps and calls a plain king or queen held by another player
  (`call_rank`). The holder of that card is the bidder's partner and has no duty to play it.
- Forced Spadille: if everybody passes, the holder of SA plays with a partner as in an Alliance. The
  card is called before trumps are named, so it may turn out to be a trump.
- Solo: the bidder plays alone.
- Vole: the bidder plays alone and promises to win all the tricks.

**Play.** The three highest trumps are the matadors: Spadille (SA), Manille (the 7 of a red trump
suit or the 2 of a black one) and Basto (CA). In the red suits, the cards below the court cards rank
in reverse order, and plain red suits are ace-high (`red_plain_order`). A matador need not follow a
trump lead unless a higher matador was led (`matador_rule=higher-only`).

**Going on.** A side that wins the first six (Quintille: five) tricks in a row, called the first
run, may stop, which ends the hand, or go on for all the tricks.

**Outcome and payment.** A side with six (Quintille: five) tricks or more wins. One trick less is a
remise, and fewer are a codille. Payment is in chips. P is the pool, and m is 1 for all three
matadors, 2 for the matadors and the fourth trump, and otherwise 0. Only cards that were dealt to
the winning side, or to the bidder of a losing side, count for m (`lost_matadors`).

- Win: a lone bidder gets P from the pool. Two partners get half of it each, and an odd chip
  stays in the pool. Each opponent also pays m, 1 for the first run, and 2 for all the tricks.
- Missed Vole: a side that wins, but misses a Vole that it declared or went on for after the first
  run, pays 2 to each opponent and keeps the rest.
- Remise: the bidder pays P to the pool and m to each opponent. In Forced Spadille, the partners
  share both payments.
- Codille: the bidder alone makes both payments, and the opponents share P out of the pool, with odd
  chips staying there.

Apart from the pool, partners share gains and losses, and the bidder gets or pays any odd chip. The
gains of the seats and the pool add up to zero.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from spadille.games import ombre_cards
from spadille.games.common import COMPASS, chips, options, rotation, settled_first_run
from spadille.games.model.bidding import Bid, Bidding
from spadille.games.model.contract_types_and_options import (
    ContractType,
    GameCourse,
    Outcome,
    option,
)
from spadille.games.model.deal_protocols import ContractView, DealView
from spadille.games.model.following_suit import calling_options, matador_options
from spadille.games.model.game import Game, Rules


def _contracts(win: int, tricks: int) -> dict[str, ContractType]:
    pair = "win: half the pool each; m, first run 1, vole 2; lost: the bidder pays pool and m"
    lone = "win: the pool; from each m, first run 1, vole 2; lost: the pool, m to each"
    return {
        "alliance": ContractType(
            "alliance",
            "Alliance",
            "called",
            "any",
            target=win,
            payoff_text=pair,
            first_run=win,
        ),
        "forced-spadille": ContractType(
            "forced-spadille",
            "Forced Spadille",
            "called",
            "any",
            target=win,
            payoff_text="like Alliance, but the pair shares a remise",
            first_run=win,
            called_first=True,
            holder="SA",
        ),
        "solo": ContractType(
            "solo", "Solo", "alone", "any", target=win, payoff_text=lone, first_run=win
        ),
        "vole": ContractType(
            "vole",
            "Vole",
            "alone",
            "any",
            target=tricks,
            payoff_text=f"like Solo; with {win} to {tricks - 1} tricks, pays 2 to each opponent "
            "and keeps the pool",
            first_run=win,
        ),
    }


_QUADRILLE_CONTRACTS = _contracts(6, 10)
_QUINTILLE_CONTRACTS = _contracts(5, 8)
_VARIANTS = {
    ("declared_vole_fail", "as-remise"): {
        "vole": {"payoff_text": "like Solo; a missed Vole with enough tricks to win is a remise"}
    }
}


def _side_tricks(contract: ContractView, outcome: Outcome) -> int:
    return sum(outcome.tricks[seat] for seat in contract.side)


def _outcome_name(rules: Rules, contract: ContractView, outcome: Outcome) -> str:
    tricks = _side_tricks(contract, outcome)
    win = rules.contract("solo").target
    if tricks == rules.game.hand_size:
        return "vole"
    if tricks >= win:
        missed = contract.ids == ("vole",) and rules.options["declared_vole_fail"] == "as-remise"
        return "remise" if missed else "win"
    one_short = tricks == win - 1 and rules.options.get("remise") != "none"
    return "remise" if one_short else "codille"


def _matadors_dealt(
    rules: Rules, deal: DealView, contract: ContractView, seats: Iterable[str]
) -> int:
    dealt = {card for seat in seats for card in deal.hands[seat] or ()}
    best = rules.trump_cards(contract.trump)[:4]
    if not dealt.issuperset(best[:3]):
        return 0
    return int(rules.options["fourth_trump_pay"]) if best[3] in dealt else 1


class _Chips:
    """The gains of each seat and the pool so far."""

    def __init__(self, rules: Rules, contract: ContractView) -> None:
        self.bidder = contract.declarer
        self.pair = (contract.declarer, contract.partner) if contract.partner else None
        self.opponents = [seat for seat in rules.seats if seat not in contract.side]
        self.gains = dict.fromkeys((*rules.seats, "pool"), 0)

    def from_each(self, amount: int) -> None:
        """Move `amount` from each opponent to the declaring side; if negative, the other way."""
        for seat in self.opponents:
            self.gains[seat] -= amount
        self.to_side(amount * len(self.opponents))

    def to_side(self, amount: int) -> None:
        """Share `amount` among the bidder and the partner, if any; the bidder gets an odd chip."""
        half = abs(amount) // 2 * (1 if amount > 0 else -1) if self.pair else 0
        if self.pair:
            self.gains[self.pair[1]] += half
        self.gains[self.bidder] += amount - half

    def bidder_pays_each(self, amount: int) -> None:
        for seat in self.opponents:
            self.gains[seat] += amount
        self.gains[self.bidder] -= amount * len(self.opponents)

    def from_pool(self, seats: tuple[str, ...] | list[str], pool: int) -> None:
        """Share out the pool evenly; odd chips stay in it."""
        for seat in seats:
            self.gains[seat] += pool // len(seats)
            self.gains["pool"] -= pool // len(seats)


def _score(
    rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome
) -> dict[str, int]:
    chips = _Chips(rules, contract)
    kind = rules.contract(contract.ids[0])
    pool = rules.pool(deal)
    name = _outcome_name(rules, contract, outcome)
    won = name in ("vole", "win")
    both = won or rules.options["lost_matadors"] == "side"
    dealt = _matadors_dealt(rules, deal, contract, contract.side if both else (chips.bidder,))
    if won:
        chips.from_pool(chips.pair or (chips.bidder,), pool)
        chips.from_each(dealt)
        missed = name == "win" and (outcome.went_on or kind.id == "vole")
        run = settled_first_run(outcome, _side_tricks(contract, outcome)) == "won"
        if run and not (missed and rules.options["missed_vole_run"] == "lost"):
            chips.from_each(1)
        if name == "vole":
            chips.from_each(2)
        elif missed:
            chips.from_each(-2)
        return chips.gains
    chips.gains["pool"] += pool
    if name == "remise" and kind.id == "forced-spadille":
        chips.to_side(-pool)
        chips.from_each(-dealt)
        return chips.gains
    chips.gains[chips.bidder] -= pool
    chips.bidder_pays_each(dealt)
    if name == "codille":
        chips.from_pool(chips.opponents, pool)
    return chips.gains


_OPTIONS = options(
    *matador_options("higher-only"),
    ombre_cards.red_plain_order("ace-high"),
    *calling_options("none", "king-or-queen", "queen-only-with-all-kings"),
    option(
        "declared_vole_fail",
        "as-attempt",
        "as-remise",
        text="the result of a declared Vole that is missed; as-attempt: as for a Vole that the "
        "side went on for; as-remise: as for a remise",
    ),
    option("lost_matadors", "bidder", "side", text="whose matadors a losing pair pays for"),
    option(
        "fourth_trump_pay",
        "2",
        "3",
        text="chips for all three matadors and the fourth trump; 3: 1 for the matadors and 2 for "
        "the fourth trump",
    ),
    option(
        "missed_vole_run",
        "kept",
        "lost",
        text="the chip for the first run when the Vole is missed",
    ),
    chips("hands", 40, text="number of hands in a game of several deals; 0: no limit"),
    rotation("ccw"),
)

BIDDING = Bidding(
    section=6,
    bids=(Bid("alliance", "alliance"), Bid("solo", "solo", names_trump=True), Bid("vole", "vole")),
    falls_to=("SA", "forced-spadille"),
)

QUADRILLE = Game(
    id="quadrille",
    name="Quadrille",
    summary="Four players, 40 cards; six tricks alone or with the holder of a called King.",
    seats=COMPASS,
    ranks=ombre_cards.RANKS,
    hand_size=10,
    rotation="ccw",
    trump_ranking=ombre_cards.TRUMP_RANKING,
    plain_ranking=ombre_cards.plain_ranking("ace-high"),
    plain_variants=ombre_cards.PLAIN_VARIANTS,
    contracts=_QUADRILLE_CONTRACTS,
    contract_variants=_VARIANTS,
    options=_OPTIONS,
    score=_score,
    outcome_name=_outcome_name,
    matadors=3,
    matador_names=("the Spadille", "the Manille", "the Basto"),
    held_pay=4,
    ante=4,
    course=GameCourse(deal_goes_round=True, chips=40),
    bidding=BIDDING,
)

QUINTILLE = replace(
    QUADRILLE,
    id="quintille",
    name="Quintille",
    summary="Quadrille for five players: eight cards each, five tricks win.",
    seats=("1", "2", "3", "4", "5"),
    hand_size=8,
    ante=5,
    contracts=_QUINTILLE_CONTRACTS,
    contract_variants={
        **_VARIANTS,
        ("first_run", "six"): {name: {"first_run": 6} for name in _QUINTILLE_CONTRACTS},
    },
    options=options(
        *_OPTIONS.values(),
        option(
            "first_run",
            "target",
            "six",
            text="length of the first run: the tricks needed to win, or six",
        ),
        option(
            "remise",
            "one-short",
            "none",
            text="result of four tricks; one-short: a remise; none: a codille, as the source "
            "literally says",
        ),
    ),
)
