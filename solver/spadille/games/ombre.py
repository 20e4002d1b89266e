"""Ombre.

Ombre is for three players with 40 cards, nine each; the other 13 are the talon. Ombre plays alone
against the other two. Play goes counterclockwise.

**Ante.** The dealer puts 5 chips into the pool before each deal.

**Bidding.** Bidding goes around, eldest first, until all but one have passed, and a player who
passes is out. The bids, in rising order, are Entrada, Vuelta and Solo. A player who has already bid
may equal the highest bid (`hold`) instead of raising it, and the last player to bid or equal is
Ombre. If everybody passes, the hand is thrown in.

**Exchange.** To exchange, players discard cards and draw the same number from the top of the talon.
Cards that nobody draws stay out of play.

- Entrada: Ombre names trumps and exchanges up to eight cards. Then the opponents, in the order they
  agree on, exchange up to eight cards each, drawing from the rest of the talon.
- Vuelta: the top card of the talon is turned up, and its suit is trumps. The exchange is the same,
  and the turned card stays on top. With `vuelta_exchange=no`, Ombre does not exchange cards.
- Solo: Ombre names trumps, and only the opponents exchange.

**Play.** Eldest leads in every contract. The three highest trumps are the matadors: Spadille (SA),
Manille (the 7 of a red trump suit or the 2 of a black one) and Basto (CA). In the red suits, the
cards below the court cards rank in reverse order, and in a plain suit the ace is the highest of
them. A matador need not follow a trump lead unless a matador was led
(`matador_rule=any-matador-led`).

**Outcome and payment.** Ombre wins (sacada) by taking more tricks than either opponent. If one
opponent alone has the most tricks, the outcome is codille; if two or more players tie for the most,
it is puesta. Payment is in chips, where P is the pool and V the stake of the contract:

- Sacada: Ombre gets P from the pool and V from each opponent.
- Puesta: Ombre adds P to the pool.
- Codille: Ombre pays P to the opponent with the most tricks, and the pool is unchanged.
- First five tricks: Ombre gets `first_five_chips` from each opponent for winning all of them, and
  pays the same to each for losing all of them.
- Estuche: if Ombre holds all three matadors after the exchange, each opponent pays `estuche_chips`
  when Ombre wins; otherwise Ombre pays each opponent.

**Surrender.** Before playing to the fourth trick, Ombre may surrender in an Entrada, and in a
Vuelta if both opponents agree, but not in a Solo. Ombre adds P to the pool, and nothing else is
paid. In an Entrada, an opponent may take over; the one on Ombre's right has the first choice. That
player then plays for the same payoff, and every trick they have already won in the hand counts. The
pool is unchanged. With `surrender=counted`, Ombre's payoff in an Entrada is never less than that of
surrendering, as long as surrendering is allowed. If an opponent would gain by taking over, the
payoff of surrendering includes what Ombre then pays.
"""

from __future__ import annotations

from dataclasses import replace

from spadille.games import ombre_cards
from spadille.games.common import chips, options, rotation, settled_first_run
from spadille.games.model.bidding import Bid, Bidding
from spadille.games.model.contract_types_and_options import (
    ContractType,
    ExchangeRule,
    GameCourse,
    Outcome,
    option,
)
from spadille.games.model.deal_protocols import ContractView, DealView
from spadille.games.model.following_suit import matador_options
from spadille.games.model.game import Game, Rules


def _text(value: int) -> str:
    return f"pool and {value} from each; puesta: pay the pool; codille: pay the top opponent"


_OF_OPPONENTS = ExchangeRule("opponents", 8, takes="top")

# `values`: what each opponent pays for a win.
ENTRADA = ContractType(
    "entrada",
    "Entrada",
    "alone",
    "any",
    aim="most",
    values=(5,),
    payoff_text=_text(5),
    first_run=5,
    exchange=ExchangeRule("all", 8, "side-first", "top"),
    surrender_until=4,
)
VUELTA = replace(
    ENTRADA,
    id="vuelta",
    name="Vuelta",
    trump="talon",
    values=(7,),
    payoff_text=_text(7),
    surrender_agreed=True,
)
SOLO = replace(
    ENTRADA,
    id="solo",
    name="Solo",
    values=(15,),
    payoff_text=_text(15),
    exchange=replace(_OF_OPPONENTS, from_hand=True),
    surrender_until=0,
)


def _outcome_name(rules: Rules, contract: ContractView, outcome: Outcome) -> str:
    tricks = outcome.tricks[contract.declarer]
    low, top = sorted(outcome.tricks[seat] for seat in rules.seats if seat != contract.declarer)
    if tricks > top:
        return "sacada"
    return "codille" if top > tricks and top > low else "puesta"


def _score(
    rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome
) -> dict[str, int]:
    if outcome.surrender:
        return _surrendered(rules, deal, contract, outcome)
    return _played(rules, deal, contract, outcome, rules.pool(deal))


def _played(
    rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome, pool: int
) -> dict[str, int]:
    """Score a hand that was played to its end, given the chips in the pool."""
    ombre = contract.declarer
    opponents = [seat for seat in rules.seats if seat != ombre]
    name = _outcome_name(rules, contract, outcome)
    gains = dict.fromkeys((*rules.seats, "pool"), 0)
    from_each = 0
    if name == "sacada":
        gains[ombre] += pool
        gains["pool"] -= pool
        from_each += rules.contract(contract.ids[0]).values[0]
    else:
        gains[ombre] -= pool
        top = max(opponents, key=lambda seat: outcome.tricks[seat])
        gains["pool" if name == "puesta" else top] += pool

    run = settled_first_run(outcome, outcome.tricks[ombre])
    if run is not None:
        bonus = int(rules.options["first_five_chips"])
        from_each += bonus if run == "won" else -bonus
    estuche = int(rules.options["estuche_chips"])
    hand = deal.playing_hands()[ombre] or () if estuche else ()
    if estuche and set(rules.matadors(contract.trump)) <= set(hand):
        from_each += estuche if name == "sacada" else -estuche

    gains[ombre] += from_each * len(opponents)
    for seat in opponents:
        gains[seat] -= from_each
    return gains


def _surrendered(
    rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome
) -> dict[str, int]:
    """Score a surrender: Ombre doubles the pool; after a take-over, `takeover_pool` applies."""
    pool = rules.pool(deal)
    gains = dict.fromkeys((*rules.seats, "pool"), 0)
    new = outcome.surrender and outcome.surrender.taken_over
    if new:
        rest = contract.taken_over(new)
        gains = _played(rules, deal, rest, outcome, rules.pool_taken_over(deal))
    gains[contract.declarer] -= pool
    gains["pool"] += pool
    return gains


BIDDING = Bidding(
    section=5,
    bids=(Bid("entrada", "entrada"), Bid("vuelta", "vuelta"), Bid("solo", "solo")),
    hold="bidders",
)

OMBRE = Game(
    id="ombre",
    name="Ombre",
    summary="Three players, 40 cards, a talon of 13; Ombre must beat each opponent in tricks.",
    seats=("1", "2", "3"),
    ranks=ombre_cards.RANKS,
    hand_size=9,
    rotation="ccw",
    trump_ranking=ombre_cards.TRUMP_RANKING,
    plain_ranking=ombre_cards.plain_ranking("king-high"),
    plain_variants=ombre_cards.PLAIN_VARIANTS,
    contracts={kind.id: kind for kind in (ENTRADA, VUELTA, SOLO)},
    contract_variants={
        ("vuelta_exchange", "no"): {"vuelta": replace(VUELTA, exchange=_OF_OPPONENTS)},
    },
    options=options(
        *matador_options("any-matador-led"),
        ombre_cards.red_plain_order("king-high"),
        option(
            "vuelta_exchange",
            "yes",
            "no",
            text="whether Ombre exchanges cards in Vuelta; the opponents always do",
        ),
        chips(
            "first_five_chips",
            5,
            text="chips from each opponent for winning all of the first five tricks, to each for"
            " losing them",
        ),
        option(
            "surrender",
            "counted",
            "not-counted",
            text="whether payoffs in an Entrada take a surrender into account",
        ),
        option(
            "takeover_pool",
            "before",
            "doubled",
            text="the pool for a player who takes over: before or after the surrender is paid",
        ),
        chips("estuche_chips", 0, text="chips for all three matadors held after the exchange"),
        chips("hands", 9, text="number of hands in a game of several deals; 0: no limit"),
        rotation("ccw"),
    ),
    score=_score,
    outcome_name=_outcome_name,
    talon_size=13,
    matadors=3,
    matador_names=("the Spadille", "the Manille", "the Basto"),
    held_pay=3,
    held_option="estuche_chips",
    ante=5,
    dealer_antes=True,
    course=GameCourse(deal_goes_round=True, chips=50),
    bidding=BIDDING,
)
