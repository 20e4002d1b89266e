"""Bidding rules of every game: each one kept and broken, and the result of the auction."""

from __future__ import annotations

import pytest

from spadille.base.card_text import parse_cards, parse_hand
from spadille.core.auction import auction_faults, result
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.games.model.bidding import AuctionResult
from tests.support.deals_and_outcomes import blank

# Eldest is N or 1; the order is N E S W or 1 2 3, N W S E in Quadrille, and 1 3 2 in Ombre.
DEALERS = {"ombre": "2", "quadrille": "E", "quintille": "2", "squint": "5"}


def deal_of(game: str, options: str = "", **hands: str) -> Deal:
    """Make a deal with only these hands known, `N="AK.QJ..987"`, `s1=...`.

    A bidding order may follow the game, "german-solo round".
    """
    game, _, order = game.partition(" ")
    rules = rules_for(game, f"bidding_order={order}" if order else options)
    known: dict[str, tuple[str, ...] | None] = dict.fromkeys(rules.seats)
    known.update({seat.lstrip("s"): parse_hand(hand) for seat, hand in hands.items()})
    current = rules.game.current_trumps[0] if rules.game.current_trumps else None
    return blank(rules, dealer=DEALERS.get(game, "W"), hands=known, current_trump=current)


def faults(deal: Deal, calls: str) -> list[tuple[int, str]]:
    return [(found.nth, found.fault.code) for found in auction_faults(deal, calls.split())]


def says(settled: AuctionResult | None) -> str:
    """Write a result in words: declarers, contracts, trump, partner, penalty."""
    if settled is None:
        return "unfinished"
    if settled.passed_out:
        return settled.passed_out
    if not settled.ids:
        return " / ".join(map(says, settled.alternatives))
    words = [*settled.declarers, *settled.ids, settled.trump]
    words += [settled.partner and "with " + settled.partner]
    words += [settled.penalty and "penalty " + settled.penalty]
    return " ".join(filter(None, words))


LEGAL = [
    # Mensch: one turn each
    ("mensch", "half Pass Pass Pass", "N half"),
    ("mensch", "half after five five-after", "W five-after"),
    ("mensch", "six six-after seven seven-after", "W seven-after"),
    ("mensch", "Pass seven solo Pass", "S solo"),
    ("mensch", "five-h Pass Pass Pass", "N five H"),
    ("mensch", "half AP", "N half"),
    ("mensch", "AP", "pass-out"),
    # German Solo: two at a time, holding, raising
    ("german-solo", "frog solo - - hold Pass Pass Pass", "N solo"),
    ("german-solo", "frog solo - - solo Pass Pass Pass", "N solo"),  # the same bid holds
    ("german-solo", "frog solo - - Pass - Pass Pass", "E solo"),
    ("german-solo", "frog solo Pass Pass", "E solo"),  # a player who does not hold has passed
    ("german-solo", "frog solo - - - Pass Pass Pass", "E solo"),
    ("german-solo", "frog frog-color - - Hold solo - - hold Pass solo-color - hold - tout -"
     " Pass - - tout-color - - hold Pass", "S tout C"),
    ("german-solo", "frog frog-color - - hold solo - - hold solo-color - - Pass - tout Pass"
     " - Pass", "S tout"),
    ("german-solo", "Pass frog Pass solo - hold - Pass", "E solo"),
    ("german-solo", "Pass frog Pass solo - Pass", "W solo"),
    ("german-solo", "frog solo AP", "E solo"),
    ("german-solo", "frog-color solo-S tout-C AP", "S tout C"),
    # the same calls, one in turn
    ("german-solo round", "frog frog-color solo solo-color Pass tout Pass Pass", "E tout"),
    ("german-solo round", "frog solo Pass Pass hold solo-color - - Pass", "E solo C"),
    ("german-solo round", "frog solo Pass Pass Hold Pass", "N solo"),
    ("german-solo round", "frog solo Pass Pass solo Pass", "N solo"),
    ("german-solo round", "Pass frog Pass solo - hold - Pass", "E solo"),
    ("german-solo round", "frog-color solo-S tout-C AP", "S tout C"),
    ("german-solo", "frog Pass Pass Pass solo-color", "N solo C"),
    ("german-solo", "Pass frog Pass Pass - tout-H", "E tout H"),
    ("german-solo", "Pass frog Pass Pass Pass Pass", "E frog"),
    ("german-solo", "AP", "solo"),
    # Ombre: equalling
    ("ombre", "entrada Pass vuelta hold Pass Pass", "1 vuelta"),
    ("ombre", "entrada Pass vuelta hold - Pass", "1 vuelta"),
    ("ombre", "entrada Pass vuelta vuelta - solo hold - Pass", "1 solo"),
    ("ombre", "entrada vuelta solo hold hold Pass Pass", "3 solo"),
    ("ombre", "entrada vuelta Pass hold hold - hold Pass", "1 vuelta"),
    ("ombre", "Pass entrada-S Pass", "3 entrada S"),
    ("ombre", "Pass Pass Pass", "misdeal"),
    # Quadrille and Quintille: a Solo names trumps
    ("quadrille", "alliance solo-H vole Pass Pass Pass", "S vole"),
    ("quadrille", "Pass alliance Pass Pass", "W alliance"),
    ("quadrille", "alliance Pass Pass solo-s vole - - Pass", "N vole"),
    ("quadrille", "Pass Pass Pass solo-C", "E solo C"),
    ("quadrille", "Pass Pass Pass Pass", "forced-spadille"),
    ("quintille", "Pass alliance Pass Pass Pass", "5 alliance"),
    ("quintille", "AP", "forced-spadille"),
    # Solo Whist: Prop and Cop
    ("solo-whist", "prop Pass cop Pass", "N prop-cop with S"),
    ("solo-whist", "prop cop solo Pass misere Pass Pass", "N misere"),
    ("solo-whist", "Pass prop Pass Pass cop", "E prop-cop with N"),
    ("solo-whist", "Pass prop Pass Pass - solo", "E solo"),
    ("solo-whist", "Pass prop Pass Pass Pass solo", "E solo"),
    ("solo-whist", "Pass prop Pass Pass Pass Pass", "misdeal"),
    ("solo-whist", "Pass prop AP", "misdeal"),
    ("solo-whist", "prop Pass Pass Pass solo", "N solo"),
    ("solo-whist", "solo misere abundance abundance-trumps misere-ouverte Pass Pass"
     " abundance-declared Pass", "W abundance-declared"),
    ("solo-whist", "abundance-h AP", "N abundance H"),
    ("solo-whist", "Pass Pass Pass Pass", "misdeal"),
    # Anna Cubed: one turn each, then upgrades
    ("anna-cubed", "prop cop Pass Pass", "N prop-cop with E"),
    ("anna-cubed", "prop Pass Pass Pass solo", "N solo"),
    ("anna-cubed", "prop Pass Pass Pass", "goulash"),
    ("anna-cubed", "Pass prop Pass Pass cop", "E prop-cop with N"),
    ("anna-cubed", "Pass prop Pass Pass -", "goulash"),
    ("anna-cubed", "solo Pass misere Pass", "S misere"),
    ("anna-cubed", "solo Pass misere Pass abundance-trumps", "N abundance-trumps"),
    ("anna-cubed", "solo Pass misere Pass abundance-trumps - misere-ouverte", "S misere-ouverte"),
    ("anna-cubed", "solo misere abundance Pass abundance-trumps misere-ouverte abundance-declared",
     "S abundance-declared"),
    ("anna-cubed", "misere Pass abundance Pass - - - -", "S abundance"),
    ("anna-cubed", "abundance-trumps misere-ouverte Pass Pass abundance-declared",
     "N abundance-declared"),
    ("anna-cubed", "abundance-D abundance-trumps AP", "E abundance-trumps"),
    ("anna-cubed", "Pass Pass Pass Pass", "goulash"),
    # Squint: five cards
    ("squint", "SA H2 HK C5 DA", "1 2 5 ace-solo misere ace-solo"),
    ("squint", "S9 HQ HK C5 D3", "3 grand-solo H"),
    ("squint", "S9 CQ HQ C5 DJ", "2 grand-solo C"),
    ("squint", "S9 S8 D3 C5 C3", "3 solo D"),
    ("squint", "H9 S8 D3 C5 H3", "1 duo H with 5"),
    ("squint", "H9 S8 S3 H5 S4", "1 duo H with 4"),
    ("squint", "H9 S8 S3 C5 S4", "nemo penalty S"),
    ("squint", "H9 H8 S3 H5 H4", "3 solo S / nemo penalty H"),
    ("squint", "H9 H8 S3 H5 H4 - - nemo", "nemo penalty H"),
    ("squint", "H9 H8 S3 H5 H4 - - solo", "3 solo S"),
    ("squint", "D9 D8 D3 D5 D4", "nemo penalty D"),
    # Records that end early
    ("mensch", "half Pass *", "unfinished"),
    ("ombre", "entrada +", "unfinished"),
    ("squint", "H9 *", "unfinished"),
    ("quadrille", "", "unfinished"),
]  # fmt: skip


@pytest.mark.parametrize(("game", "calls", "expected"), LEGAL)
def test_legal(game: str, calls: str, expected: str) -> None:
    deal = deal_of(game)
    assert faults(deal, calls) == []
    assert says(result(deal, calls.split())) == expected


BROKEN = [
    ("mensch", "half half Pass Pass", [(1, "call-too-low")]),
    ("mensch", "six five Pass Pass", [(1, "call-too-low")]),
    ("mensch", "after Pass Pass Pass", [(0, "call-not-over")]),
    ("mensch", "half five-after Pass Pass", [(1, "call-not-over")]),
    ("mensch", "five six seven-after Pass", [(2, "call-not-over")]),
    ("mensch", "half Pass Pass Pass five", [(4, "call-too-late")]),
    ("mensch", "half hold Pass Pass", [(1, "call-hold")]),
    ("mensch", "half Pass Pass", [(2, "auction-unfinished")]),
    ("mensch", "half - Pass Pass", [(1, "call-missing")]),
    ("mensch", "frog Pass Pass Pass", [(0, "call-unknown")]),
    ("mensch", "half-H Pass Pass Pass", [(0, "call-trump")]),
    ("mensch", "AP half", [(1, "call-too-late")]),
    ("mensch", "half half seven six", [(1, "call-too-low"), (3, "call-too-low")]),
    ("german-solo", "solo frog Pass Pass", [(1, "call-too-low")]),
    ("german-solo", "solo frog Pass Pass - solo-color - - Pass", [(1, "call-too-low")]),
    ("german-solo", "frog Pass Pass frog-color Pass solo", [(5, "call-after-pass")]),
    ("german-solo", "frog hold Pass Pass", [(1, "call-hold")]),
    ("german-solo", "hold Pass Pass Pass", [(0, "call-hold")]),
    ("german-solo", "Pass Pass frog hold", [(3, "call-hold")]),  # has not bid
    ("german-solo", "frog solo - - hold hold Pass Pass", [(5, "call-hold")]),  # not overbid
    ("german-solo", "frog solo - - hold - Pass Pass", [(5, "call-missing")]),
    ("german-solo", "frog solo - - hold solo Pass Pass", [(5, "call-too-low")]),
    ("german-solo", "frog solo - - solo-color Pass Pass Pass", [(4, "call-not-open")]),
    ("german-solo", "frog solo Pass Pass hold Pass", [(4, "call-after-pass")]),
    ("german-solo", "frog solo - - Pass hold Pass Pass", [(5, "call-after-pass")]),
    ("german-solo", "frog - Pass Pass", [(1, "call-missing")]),
    ("german-solo", "frog solo - Pass - - Pass Pass", [(3, "call-not-open")]),
    ("german-solo", "frog solo - tout hold Pass Pass Pass", [(3, "call-not-open")]),
    ("german-solo", "frog solo - -", [(3, "auction-unfinished")]),
    ("german-solo", "frog solo - - hold", [(4, "auction-unfinished")]),
    ("german-solo round", "Pass Pass frog hold", [(3, "call-hold")]),
    ("german-solo round", "frog solo hold Pass Pass Pass", [(2, "call-hold")]),
    ("german-solo round", "frog Pass solo Pass Hold - hold", [(6, "call-hold")]),
    ("german-solo", "Pass Pass Pass frog frog-color", [(4, "call-after-pass")]),
    ("german-solo", "frog-color-H AP", [(0, "call-trump")]),
    ("german-solo round", "frog solo-color Pass Pass solo-H Pass", [(4, "call-too-low")]),
    ("german-solo", "solo Pass Pass Pass frog", [(4, "call-not-open")]),
    ("german-solo", "frog Pass Pass Pass - hold", [(5, "call-after-pass")]),
    ("german-solo", "tout-color Pass Pass Pass hold", [(4, "call-not-open")]),
    ("german-solo", "tout-color Pass Pass Pass tout", [(4, "call-not-open")]),
    ("german-solo", "frog frog-color Pass", [(2, "auction-unfinished")]),
    ("german-solo", "1NT Pass Pass Pass", [(0, "call-unknown")]),
    ("ombre", "entrada hold Pass", [(1, "call-hold")]),
    ("ombre", "entrada entrada Pass", [(1, "call-too-low")]),
    ("ombre", "entrada vuelta hold Pass", [(2, "call-hold")]),
    ("ombre", "entrada vuelta Pass hold hold", [(4, "auction-unfinished")]),
    ("ombre", "Pass entrada Pass solo", [(3, "call-after-pass")]),
    ("ombre", "solo vuelta Pass", [(1, "call-too-low")]),
    ("ombre", "entrada vuelta Pass", [(2, "auction-unfinished")]),
    ("quadrille", "alliance hold Pass Pass", [(1, "call-hold")]),
    ("quadrille", "solo-H solo-S Pass Pass", [(1, "call-too-low")]),
    ("quadrille", "solo Pass Pass Pass", [(0, "call-trump-missing")]),
    ("quadrille", "solo-H alliance vole Pass Pass", [(1, "call-too-low")]),
    ("quadrille", "Pass alliance Pass Pass solo-h", [(4, "call-after-pass")]),
    ("quadrille", "Pass alliance solo-H Pass vole Pass Pass", [(4, "call-after-pass")]),
    ("quintille", "alliance alliance Pass Pass Pass", [(1, "call-too-low")]),
    ("quintille", "Pass Pass Pass Pass", [(3, "auction-unfinished")]),
    ("solo-whist", "cop Pass Pass Pass", [(0, "call-not-over")]),
    ("solo-whist", "prop solo cop Pass Pass", [(2, "call-too-low")]),
    ("solo-whist", "prop cop cop Pass", [(2, "call-too-low")]),
    ("solo-whist", "prop prop Pass Pass", [(1, "call-too-low")]),
    ("solo-whist", "Pass Pass prop Pass - cop", [(5, "call-after-pass")]),
    ("solo-whist", "Pass prop Pass Pass solo", [(4, "call-not-open")]),
    ("solo-whist", "Pass prop Pass Pass - misere", [(5, "call-not-open")]),
    ("solo-whist", "Pass prop Pass Pass - solo cop", [(6, "call-after-pass")]),
    ("solo-whist", "Pass prop Pass Pass cop solo", [(5, "call-too-late")]),
    ("solo-whist", "Pass solo Pass Pass cop", [(4, "call-after-pass")]),
    ("solo-whist", "prop Pass solo Pass cop", [(4, "call-too-low")]),
    ("solo-whist", "misere solo Pass Pass", [(1, "call-too-low")]),
    ("solo-whist", "misere-H AP", [(0, "call-trump")]),
    ("solo-whist", "abundance-S AP", [(0, "call-trump")]),  # the turn-up suit
    ("solo-whist", "Pass prop cop", [(2, "auction-unfinished")]),
    ("anna-cubed", "solo Pass misere Pass misere-ouverte", [(4, "call-not-open")]),
    ("anna-cubed", "solo abundance-trumps Pass Pass misere-ouverte", [(4, "call-too-late")]),
    ("anna-cubed", "solo misere Pass Pass - misere-ouverte", [(5, "call-too-late")]),
    ("anna-cubed", "solo misere Pass Pass abundance-trumps misere-ouverte - - abundance-declared",
     [(8, "call-too-late")]),
    ("anna-cubed", "solo misere Pass Pass abundance-trumps abundance-declared",
     [(5, "call-not-open")]),
    ("anna-cubed", "Pass prop Pass Pass - solo", [(5, "call-too-late")]),
    ("anna-cubed", "prop Pass Pass Pass - cop", [(5, "call-too-late")]),
    ("anna-cubed", "Pass Pass prop Pass solo", [(4, "call-not-open")]),
    ("anna-cubed", "misere solo Pass Pass", [(1, "call-too-low")]),
    ("anna-cubed", "cop solo Pass Pass", [(0, "call-not-over")]),
    ("squint", "SA SA H3 H4 H5", [(1, "call-card-duplicate")]),
    ("squint", "S1 S3 H3 H4 H5", [(0, "call-unknown")]),
    ("squint", "S3 Pass H3 H4 H5", [(1, "call-missing")]),
    ("squint", "S3 H3 H4 H5", [(3, "auction-unfinished")]),
    ("squint", "S3 H3 D4 D5 D6 D7", [(5, "call-too-late")]),
    ("squint", "H9 H8 S3 H5 H4 - solo", [(6, "call-too-late")]),
    ("squint", "H9 H8 S3 H5 H4 - - duo", [(7, "call-too-late")]),
    ("squint", "H9 AP", [(1, "call-unknown")]),
]  # fmt: skip


@pytest.mark.parametrize(("game", "calls", "expected"), BROKEN)
def test_broken(game: str, calls: str, expected: list[tuple[int, str]]) -> None:
    deal = deal_of(game)
    assert faults(deal, calls) == expected
    words = calls.split()
    for found in auction_faults(deal, words):
        fault = found.fault
        assert (fault.tag, fault.text) == ("Auction", words[found.nth])
        assert fault.rule.startswith(f"RULES {deal.rules.game.bidding.section}: ")
        assert fault.message


CLUBS = "AK.A98..987"  # three clubs
MENSCH_CLUBS = "AK.A987..Q8"  # one and the Mensch
QUEENS = "AQ.A98..QJ7"


@pytest.mark.parametrize(
    ("game", "hand", "calls", "expected"),
    [
        ("mensch", CLUBS, "Pass Pass Pass Pass", [(1, "call-duty")]),
        ("mensch", CLUBS, "AP", [(0, "call-duty")]),
        ("mensch", CLUBS, "Pass half Pass Pass", []),
        ("mensch", CLUBS, "half Pass Pass Pass", [(1, "call-duty")]),
        ("mensch", CLUBS, "half after Pass Pass", []),
        ("mensch", CLUBS, "half seven Pass Pass", []),
        ("mensch", CLUBS, "five Pass Pass Pass", []),
        ("mensch", MENSCH_CLUBS, "Pass Pass Pass Pass", []),
        ("german-solo", QUEENS, "Pass Pass Pass Pass", [(1, "call-duty")]),
        ("german-solo", QUEENS, "Pass frog Pass Pass", [(1, "call-duty")]),
        ("german-solo", QUEENS, "Pass frog-color Pass Pass", [(1, "call-duty")]),
        ("german-solo", QUEENS, "frog-color Pass Pass Pass", [(1, "call-duty")]),
        ("german-solo", QUEENS, "Pass frog solo - - Pass - Pass", [(1, "call-duty")]),
        ("german-solo", QUEENS, "Pass frog frog-color - - hold Pass Pass", [(1, "call-duty")]),
        ("german-solo", QUEENS, "frog solo Pass Pass Pass", []),
        ("german-solo", QUEENS, "solo Pass Pass Pass", []),
        ("german-solo", QUEENS, "Pass tout Pass Pass", []),
    ],
)
def test_duties(game: str, hand: str, calls: str, expected: list[tuple[int, str]]) -> None:
    assert faults(deal_of(game, E=hand), calls) == expected


def test_no_duty_in_an_end_position() -> None:
    assert faults(deal_of("mensch", E="...987"), "AP") == []


def test_contracts_that_fall_to_the_holder_of_a_card() -> None:
    def holder(game: str, calls: str, **hands: str) -> str:
        return says(result(deal_of(game, **hands), calls.split()))

    assert holder("mensch", "AP", S=MENSCH_CLUBS) == "S pass-out"
    assert holder("german-solo", "AP", S=MENSCH_CLUBS) == "S solo"
    assert holder("german-solo", "Pass Pass Pass Pass - - tout", S=MENSCH_CLUBS) == "S tout"
    assert holder("quadrille", "AP", S="A2.2345.23.23") == "S forced-spadille"
    three = {"N": "A.AKQJT98..", "E": "K.7.AKQJT9.", "S": "QJ..87.AKJT"}
    assert holder("mensch", "AP", **three) == "W pass-out"  # of the only unknown hand
    deal = deal_of("german-solo", S=MENSCH_CLUBS)
    assert faults(deal, "Pass Pass Pass Pass - - frog") == [(6, "call-not-open")]
    assert faults(deal, "Pass Pass Pass Pass solo") == [(4, "call-after-pass")]


def test_color() -> None:
    none = deal_of("german-solo", "color=none")
    assert faults(none, "frog solo-C AP") == []
    assert faults(none, "frog frog-color AP") == [(1, "call-no-color")]
    spades = deal_of("german-solo", "color=S")
    assert says(result(spades, ["frog-S", "AP"])) == "N frog S"
    assert faults(spades, "frog-color frog-C AP") == [(1, "call-too-low")]
    assert faults(spades, "frog-C frog-S AP") == []


def test_the_soloist_may_raise() -> None:
    settled = result(deal_of("german-solo"), ["solo-color", "AP"])
    assert settled is not None
    assert [says(each) for each in settled.alternatives] == ["N tout", "N tout C"]


def test_bid_cards_are_held() -> None:
    deal = deal_of("squint", s2="2.345.345.345")
    assert faults(deal, "S3 H3 D4 D5 D6") == []
    assert faults(deal, "S3 H6 D4 D5 D6") == [(1, "call-card-not-held")]


def test_trump_of_vuelta_is_the_turned_card() -> None:
    rules = rules_for("ombre")
    talon = parse_cards("HK H7 H6 H5 H4 H3 H2 S2 S3 S4 S5 S6 S7")
    deal = blank(rules, dealer="2", talon=talon, talon_ordered=True)
    assert faults(deal, "vuelta-H AP") == []
    assert faults(deal, "vuelta-S AP") == [(0, "call-trump")]


def test_direction_of_play_may_be_turned_round() -> None:
    deal = deal_of("mensch", "rotation=ccw")  # W deals, S is eldest
    assert says(result(deal, ["Pass", "half", "AP"])) == "E half"


def test_another_first_column() -> None:
    assert says(result(deal_of("mensch"), ["half", "AP"], first="S")) == "S half"


BIDS = {  # the contract of each bid whose word is not its name; RULES 3 to 8
    "german-solo": {"frog-color": "frog", "solo-color": "solo", "tout-color": "tout"},
    "solo-whist": {"prop": "prop-cop", "cop": "prop-cop"},
    "anna-cubed": {"prop": "prop-cop", "cop": "prop-cop"},
}


@pytest.mark.parametrize("game", [game for game in GAMES if game != "squint"])
def test_every_bid_is_for_a_contract(game: str) -> None:
    rules = rules_for(game)
    for bid in rules.bidding.bids:
        assert bid.contract == BIDS.get(game, {}).get(bid.word, bid.word), (
            f"add the contract of {bid.word!r} to the row {game!r} of BIDS in this file"
        )
        assert rules.contract(bid.contract).name
        # A bid over another bid comes after it, and contains its word.
        assert bid.over is None or bid.over in rules.bidding.words
    joining = [bid.word for bid in rules.bidding.bids if bid.joins]
    assert joining == (["cop"] if "cop" in BIDS.get(game, {}) else [])
    after = {bid.word: bid.over for bid in rules.bidding.bids if bid.over and not bid.joins}
    assert after == (
        {"after": "half", "five-after": "five", "six-after": "six", "seven-after": "seven"}
        if game == "mensch"
        else {}
    )
