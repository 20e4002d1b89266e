"""L'Hombre as the Danish clubs play it today: Spil, Tourné, Solo and the Nolos.

README.md cites the pages these rules come from, and lists the readings. The cards and the play are
those of `spadille`'s Ombre, except that a Nolo has no trumps, so that the black aces are the lowest
cards of their suits.
"""

from __future__ import annotations

from dataclasses import replace

from spadille import (
    AuctionStanding,
    Bid,
    Bidding,
    ContractType,
    ContractView,
    DealView,
    ExchangeRule,
    Game,
    GameCourse,
    Option,
    Outcome,
    Rules,
    Turn,
    get_game,
)

OMBRE = get_game("ombre")

BUYING = ExchangeRule("all", 8, "side-first", "top")
"""The declarer buys from the top of the talon, then the opponents."""
DECLARER_BUYS = ExchangeRule("side", 8, "side-first", "top")
OPPONENTS_BUY = ExchangeRule("opponents", 8, takes="top", from_hand=True)


def _contract(
    contract_id: str,
    name: str,
    values: tuple[int, int, int],
    *,
    trump: str = "any",
    exchange: ExchangeRule = BUYING,
) -> ContractType:
    """Make a contract with trumps: more tricks than each opponent."""
    won, bet, kruk = values
    text = f"won {won}, bet {-bet}, kruk {-kruk}, from or to each opponent"
    return ContractType(
        contract_id,
        name,
        "alone",
        trump,
        aim="most",
        values=values,
        payoff_text=text,
        exchange=exchange,
    )


def _nolo(
    contract_id: str, name: str, values: tuple[int, int, int], exchange: ExchangeRule
) -> ContractType:
    """Make a contract without trumps, in which the declarer must take no tricks."""
    kind = _contract(contract_id, name, values, trump="none", exchange=exchange)
    return replace(kind, aim="misere")


# `values`: won, bet, kruk.
SPIL = _contract("spil", "Spil", (1, 1, 2))
BEDRE_SPIL = _contract("bedre-spil", "Bedre spil", (1, 1, 2), trump="S")
TOURNE = _contract("tourne", "Tourné", (2, 2, 3), trump="talon")
KOBE_NOLO = _nolo("kobe-nolo", "Købe-nolo", (2, 2, 3), DECLARER_BUYS)
SOLO = _contract("solo", "Solo", (3, 3, 4), exchange=OPPONENTS_BUY)
SOLO_SPAR = _contract("solo-spar", "Solo spar", (4, 4, 5), trump="S", exchange=OPPONENTS_BUY)
REN_NOLO = _nolo("ren-nolo", "Ren nolo", (4, 4, 5), ExchangeRule())
NOLO_OUVERT = replace(
    _nolo("nolo-ouvert", "Nolo ouvert", (6, 6, 7), ExchangeRule()), exposed_after=1
)
CONTRACTS = (SPIL, BEDRE_SPIL, TOURNE, KOBE_NOLO, SOLO, SOLO_SPAR, REN_NOLO, NOLO_OUVERT)

ALL_TRICKS = 1
"""The additional points from each opponent for a tout."""


def outcome_name(rules: Rules, contract: ContractView, outcome: Outcome) -> str:
    """Name the outcome; spadille calls a bet "puesta" and a kruk "codille", as in Ombre."""
    if rules.contract(contract.ids[0]).aim == "misere":
        return "made" if rules.made(contract, outcome) else "failed"
    own = outcome.tricks[contract.declarer]
    top = max(outcome.tricks[seat] for seat in rules.seats if seat != contract.declarer)
    return "sacada" if own > top else "puesta" if own == top else "codille"


def _points(rules: Rules, contract: ContractView, outcome: Outcome) -> int:
    """Return the declarer's points from each opponent, excluding those for a tout."""
    won, bet, kruk = rules.contract(contract.ids[0]).values
    own, name = outcome.tricks[contract.declarer], outcome_name(rules, contract, outcome)
    if name in ("made", "sacada"):
        return won
    return -bet if name == "puesta" or (name == "failed" and own == 1) else -kruk


def score(rules: Rules, deal: DealView, contract: ContractView, outcome: Outcome) -> dict[str, int]:
    """Return what each seat gains, in points."""
    kind, declarer = rules.contract(contract.ids[0]), contract.declarer
    points = _points(rules, contract, outcome)
    if kind.aim == "most" and outcome.tricks[declarer] == rules.game.hand_size:
        points += ALL_TRICKS
    opponents = [seat for seat in rules.seats if seat != declarer]
    if rules.options["payment"] == "declarer":
        return {declarer: points, **dict.fromkeys(opponents, 0)}
    return {declarer: len(opponents) * points, **dict.fromkeys(opponents, -points)}


def afterwards(standing: AuctionStanding) -> Turn | None:
    """Let the player who has bid Spil make it a Tourné or a Købe-nolo."""
    if standing.word != "spil" or standing.holder is None or standing.after:
        return None
    return Turn(standing.holder, ("tourne", "kobe-nolo"))


BIDDING = Bidding(
    section=5,
    bids=tuple(Bid(kind.id, kind.id) for kind in CONTRACTS),
    rounds="duel",
    afterwards=afterwards,
    afterwards_text="a player who has won the auction with Spil may make it a Tourné or Købe-nolo",
    may_raise=True,
)

OWN_OPTIONS = (
    Option(
        "payment",
        ("each", "declarer"),
        "each",
        "each: every opponent pays or is paid; declarer: only the declarer's points count",
    ),
    Option(
        "nolo_exchange",
        ("declarer", "all"),
        "declarer",
        "who buys cards in a Købe-nolo",
    ),
)
NOT_DANISH = {
    *("vuelta_exchange", "first_five_chips", "surrender", "takeover_pool", "estuche_chips"),
    "hands",
}

DANISH_LHOMBRE = Game(
    id="danish-lhombre",
    name="Danish L'Hombre",
    summary="Three players, 40 cards, a talon of 13; trump games, Tourné, Solo and the Nolos.",
    seats=OMBRE.seats,
    ranks=OMBRE.ranks,
    hand_size=OMBRE.hand_size,
    talon_size=OMBRE.talon_size,
    rotation=OMBRE.rotation,
    trump_ranking=OMBRE.trump_ranking,
    plain_ranking={**OMBRE.plain_ranking, "S": "KQJ765432A", "C": "KQJ765432A"},
    contracts={kind.id: kind for kind in CONTRACTS},
    contract_variants={
        ("nolo_exchange", "all"): {KOBE_NOLO.id: replace(KOBE_NOLO, exchange=BUYING)}
    },
    options={
        **{name: each for name, each in OMBRE.options.items() if name not in NOT_DANISH},
        **{each.name: each for each in OWN_OPTIONS},
    },
    plain_variants={},
    score=score,
    outcome_name=outcome_name,
    matadors=OMBRE.matadors,
    matador_names=("the Spadille", "the Manille", "the Basta"),
    bidding=BIDDING,
    course=GameCourse(deal_goes_round=True),
    zero_sum=False,
)
