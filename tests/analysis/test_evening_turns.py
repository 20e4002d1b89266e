"""From deal to deal: who deals next, who may not pass, and the current trump.

Each test restates a sentence of the documents.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from spadille.analysis.evening.deal_settlement import Settled
from spadille.base.card_text import NO_TRUMP
from spadille.base.errors import ContractError
from spadille.core.deal import Deal
from spadille.games import GAMES, rules_for
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import load, read
from tests.support.evenings import codes, evening, hand, names, points

EXAMPLES = Path(__file__).parents[2] / "examples"


def dealt(game: str, *dealers: str, **tags: str) -> list[str]:
    """Return unplayed deals with these dealers."""
    return [
        hand(replace(Deal.random(game, seed), dealer=dealer), Contract="Pass", **tags)
        for seed, dealer in enumerate(dealers)
    ]


def turns(found: list[Settled]) -> list[str | None]:
    """Return the messages about each dealer."""
    said = ([one.message for one in each.warnings if one.tag == "Dealer"] for each in found)
    return [next(iter(each), None) for each in said]


# Who deals


def test_ombre_is_dealt_counter_clockwise() -> None:
    """Ombre: "the deal rotates in a counterclockwise direction", and the dealer "places five"."""
    found = evening(*dealt("ombre", "3", "2", "1", "3", "1", "3"))
    out = (
        "the dealer is Player 1, but after Player 3 the deal passes to Player 2; "
        "Player 1, not Player 2, puts 5 chips into the pool"
    )
    assert turns(found) == [None, None, None, None, out, None]
    assert codes(found[4]) == ["dealer-out-of-turn"]
    assert [points(each) for each in found[3:5]] == [[0, 0, -5], [-5, 0, 0]]
    found = evening(*dealt("ombre", "1", "2"))
    assert [codes(each) for each in found] == [[], ["dealer-out-of-turn"]]
    found = evening(*dealt("ombre", "1", "2", Rules="rotation=cw"))
    assert [codes(each) for each in found] == [[], []]


def test_german_solo_is_dealt_clockwise() -> None:
    """German Solo: "After each hand the dealer rotates in a clockwise rotation"."""
    deals = [
        hand(replace(Deal.random("german-solo", 0), dealer=dealer), "N solo S", Result="6")
        for dealer in "WNWN"
    ]
    out = "the dealer is West, but after North the deal passes to East"
    assert turns(evening(*deals)) == [None, None, out, None]


def test_solo_whist_is_dealt_clockwise_after_a_misdeal() -> None:
    """Solo Whist: all pass, and "the deal will rotate clockwise to the next dealer"."""
    deal = Deal.random("solo-whist", 0, dealer="N")
    text = hand(deal, Contract="Pass")
    again = hand(replace(deal, dealer="E", turn_up=None, current_trump=None), Contract="Pass")
    assert [codes(each) for each in evening(text, again, text)] == [[], [], ["dealer-out-of-turn"]]


def test_where_no_document_says_who_deals_next_nobody_asks() -> None:
    for game in ("mensch", "squint", "anna-cubed"):
        assert not GAMES[game].course.deal_goes_round


def test_whoever_changes_seats_may_take_the_deal_along() -> None:
    first, second, third = "Anna Bert Cleo", "Anna Cleo Bert", "Cleo Anna Bert"

    def moved(dealer: str, people: str) -> list[str]:
        (text,) = dealt("ombre", dealer, **names("123", people))
        return [*dealt("ombre", "2", **names("123", first)), text]

    # Bert deals in seat 2. In deal 3 his turn is followed by that of seat 2, and seat 2 by seat 1.
    for dealer, people, expected in (
        ("1", second, []),
        ("2", second, []),
        ("3", second, ["dealer-out-of-turn"]),
        ("2", third, []),
    ):
        assert codes(evening(*moved(dealer, people))[1]) == expected


def test_what_nobody_knows_is_nobodys_turn() -> None:
    first, last = dealt("ombre", "3", "3")
    faulty = first.replace('[Contract "Pass"]', '[Contract "Pass"]\n[Talon "AK.."]')
    posed = first.replace("[Contract", '[Question "?"]\n[Contract')
    assert turns(evening(first, faulty, last)) == [None, None, None]
    for other in (posed, hand(Deal.random("mensch", 0), "W half DK")):
        assert [each is None for each in turns(evening(first, other, last))] == [True, True, False]


def test_a_dealer_taken_by_default_where_the_dealer_pays() -> None:
    for game in GAMES:
        deal = replace(Deal.random(game, 0), dealer=GAMES[game].seats[0])
        contract = "Pass" if game != "squint" else "Nemo"
        text = hand(deal, Contract=contract, Penalty="S")
        silent = text.replace(f'[Dealer "{deal.dealer}"]\n', "")
        (named,), (found,) = evening(text), evening(silent)
        assert (codes(named).count("dealer-taken"), named.points) == (0, found.points)
        assert codes(found).count("dealer-taken") == (game == "ombre")
    (found,) = evening(dealt("ombre", "1")[0].replace('[Dealer "1"]\n', ""))
    assert turns([found]) == [
        "no dealer is named: assumed Player 1, who puts 5 chips into the pool "
        "(correct this with Dealer)"
    ]


def test_the_examples_are_dealt_in_turn() -> None:
    for file in sorted((EXAMPLES / "evenings").glob("*.pbn")):
        found = evening(file.read_text(encoding="utf-8"))
        assert len(found) > 3
        assert turns(found) == [None] * len(found)


# Players who may not pass


def test_what_check_says_of_a_pass_score_says_too() -> None:
    for game in ("mensch", "german-solo", "quadrille", "quintille"):
        text = hand(Deal.random(game, 0), Contract="Pass")
        (entry,) = read(text)
        (warning,) = entry.warnings
        (found,) = evening(text)
        assert found.warnings == (warning,)
        assert (warning.code, warning.tag) == ("contract-excluded", "Contract")
        assert (warning.line is not None, found.error) == (True, None)


def test_nobody_passes_in_squint() -> None:
    """Squint: each shows a bid card; every five of them make a contract."""
    text = hand(Deal.random("squint", 0), Contract="Pass")
    (entry,) = read(text)
    (fault,) = entry.faults
    assert (fault.code, fault.severity, entry.passed_out) == ("pass-not-allowed", "error", False)
    (found,) = evening(text)
    assert (found.error, found.points, found.passed_out) == (fault, None, False)


# The current trump of Anna Cubed


def anna(seed: int, contract: str, trump: str = "?", **tags: str) -> str:
    """Return a deal that names its current trump only if one is given."""
    deal = replace(Deal.random("anna-cubed", seed), current_trump=None)
    return hand(deal, Contract=contract, Declarer="N", CurrentTrump=trump, **tags)


def trumps(entries: Iterator[Entry]) -> list[str | None]:
    return [entry.contract.trump if entry.contract else None for entry in entries]


def test_the_order_of_trumps_fills_in_a_missing_one() -> None:
    """Anna Cubed: the trump is "always Hearts" first, then C, D, S, no trumps, and hearts again."""
    text = [anna(seed, "solo", Result="5") for seed in range(7)]
    entries = [*read("\n".join(text))]
    assert trumps(iter(entries)) == ["H", "C", "D", "S", NO_TRUMP, "H", "C"]
    assert [[one.code for one in entry.findings] for entry in entries] == [
        ["current-trump-taken"]
    ] * 7
    assert entries[3].warnings[0].message == (
        "CurrentTrump is missing: Solo is played in S, which is due now"
    )
    found = evening(*text)
    assert [each.deal and each.deal.current_trump for each in found] == trumps(iter(entries))
    assert [points(each) for each in found] == [[1, 0, 0, 0]] * 7
    assert [codes(each) for each in found] == [[]] * 7


def test_whatever_is_played_the_trump_moves_on() -> None:
    """The order continues through a goulash, a contract with its own suit and an invalid record."""
    text = [
        anna(0, "Pass"),  # H
        anna(1, "abundance", Trump="S", Result="9"),  # C
        anna(2, "solo", Trump="S", Result="5"),  # out of turn: D is next, but the file says S
        anna(3, "solo", Result="5"),  # NT
        anna(4, "slo"),  # H, invalid record
        anna(5, "prop-cop", Partner="E", Result="8"),  # C
        anna(6, "solo", "S", Result="5"),  # out of turn: D is next
        anna(7, "misere", Result="0"),  # NT
        anna(8, "solo", Result="5"),  # H
    ]
    found = evening(*text)
    turn = "trump-out-of-turn"
    told = [[one for one in each.warnings if one.tag == "CurrentTrump"] for each in found]
    assert [len(each) for each in told] == [0, 0, 1, 0, 0, 0, 1, 0, 0]
    assert {one.code for each in told for one in each} == {turn}
    assert [one.message for each in told for one in each] == [
        "the current trump is S, but after C comes D",
        "the current trump is S, but after C comes D",
    ]
    trump = [each.deal and each.deal.current_trump for each in found]
    assert trump == ["H", "C", "S", NO_TRUMP, "H", "C", "S", NO_TRUMP, "H"]
    assert trumps(iter(read("\n".join(text)))) == [
        None,
        "S",
        "S",
        NO_TRUMP,
        None,
        "C",
        "S",
        NO_TRUMP,
        "H",
    ]


def test_a_problem_has_no_turn() -> None:
    posed = anna(0, "solo", Question="Which card?")
    first, entry = read("\n".join((posed, anna(1, "solo"))))
    (fault,) = first.faults
    assert (fault.code, fault.message) == (
        "trump-missing",
        "Solo needs a trump, one of H C D S NT: name it with CurrentTrump or --trump",
    )
    assert entry.contract is not None
    assert entry.contract.trump == "H"
    assert [codes(each) for each in evening(posed, anna(1, "solo", Result="5"))] == [[], []]


def test_the_message_names_the_tag() -> None:
    for game in ("solo-whist", "anna-cubed"):
        deal = replace(Deal.random(game, 0), current_trump=None, turn_up=None)
        with pytest.raises(ContractError, match="name it with CurrentTrump or --trump"):
            deal.contract("solo", "N")
    with pytest.raises(ContractError, match="name it with Trump or --trump"):
        Deal.random("german-solo", 0).contract("solo", "N")


def test_other_games_have_no_order_of_trumps() -> None:
    orders = {game: rules_for(game).game.course.trumps for game in GAMES}
    assert {game for game, order in orders.items() if order} == {"anna-cubed"}
    for entry in load(EXAMPLES / "anna-cubed.pbn"):
        assert not entry.findings
