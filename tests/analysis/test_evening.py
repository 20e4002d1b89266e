"""Evenings worked out by hand: payments, the pool, names, and deals that are not settled."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spadille.analysis.evening.evening_settlement import settle
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.pbn.hand_file import read
from tests.support.evenings import (
    codes,
    evening,
    hand,
    names,
    of_seed,
    points,
    pools,
    totals,
    winners,
)

# Every game


def test_ombre() -> None:
    deals = [
        of_seed("ombre", 3, "2 entrada H"),  # 3 deals
        hand(Deal.random("ombre", 9), Contract="Pass"),  # 1 deals
        of_seed("ombre", 2, "2 entrada H"),  # 1 deals
        of_seed("ombre", 1, "1 entrada H"),  # 3 deals
        hand(Deal.random("ombre", 0), "3 entrada H", Surrender="3@1"),  # 2 deals
        of_seed("ombre", 5, "3 solo S"),  # 1 deals
    ]
    dealers = [read(text)[0].deal.dealer for text in deals]  # type: ignore[union-attr]
    assert dealers == ["3", "1", "1", "3", "2", "1"]
    assert [winners(deals[i]) for i in (0, 2, 3, 5)] == [
        "212111222",
        "212323323",
        "223333133",
        "313213132",
    ]
    found = evening(*deals)
    assert [each.outcome for each in found] == [
        "sacada",
        None,
        "puesta",
        "codille",
        "surrender",
        "sacada",
    ]
    assert [points(each) for each in found] == [
        # Player 3 puts in 5; Player 2 has five tricks against four and none: the pool, and 5 from
        # each.
        [-5, 5 + 5 + 5, -5 - 5],
        [-5, 0, 0],
        # The pool of 5 + 5 came from Player 1; Player 2 ties with Player 3 and adds as much.
        [-5, -(5 + 5), 0],
        # The pool is 20 + 5; Player 1 pays that to 3, and 5 to each for the first five tricks.
        [-25 - 10, 5, 25 + 5 - 5],
        # The pool is 25 + 5; Player 3 surrenders and adds 30.
        [0, -5, -30],
        # The pool is 60 + 5; 15 from each, no first run; Player 1 dealt.
        [-15 - 5, -15, 65 + 15 + 15],
    ]
    assert pools(found) == [(5, 0), (5, 5), (10, 20), (25, 25), (30, 60), (65, 0)]
    assert totals(found) == {
        "1": -5 - 5 - 5 - 35 + 0 - 20,
        "2": 15 + 0 - 10 + 5 - 5 - 15,
        "3": -10 + 0 + 0 + 25 - 30 + 95,
    }
    assert sum(totals(found).values()) == 0  # and the pool is empty


def test_quadrille() -> None:
    deals = [
        of_seed("quadrille", 0, "S alliance H SK"),  # with N
        of_seed("quadrille", 1, "S alliance H SK"),  # with N
        of_seed("quadrille", 2, "N solo H"),
    ]
    assert [*map(winners, deals)] == ["NWWENNENNW", "SSEEENSSWS", "SEESNWWSSW"]
    found = evening(*deals)
    assert [each.outcome for each in found] == ["remise", "win", "codille"]
    assert [points(each) for each in found] == [
        # One chip from each; the side has five tricks, so the bidder alone adds another four.
        [-1, -1, -1 - 4, -1],
        # The pool of 8 + 4, halved.
        [-1 + 6, -1, -1 + 6, -1],
        # Four new chips. N has one trick and puts in four; the others take one old chip each.
        [-1 - 4, -1 + 1, -1 + 1, -1 + 1],
    ]
    assert pools(found) == [(4, 8), (12, 0), (4, 4 - 3 + 4)]
    assert totals(found) == {"N": -1, "E": -2, "S": 0, "W": -2}
    assert sum(totals(found).values()) + 5 == 0


def test_quintille() -> None:
    deals = [
        of_seed("quintille", 0, "3 alliance H SK"),  # with 2
        of_seed("quintille", 2, "1 alliance H SK"),  # with 3
        of_seed("quintille", 1, "4 solo H"),
    ]
    assert [*map(winners, deals)] == ["52525213", "43433335", "41143435"]
    found = evening(*deals)
    assert [each.outcome for each in found] == ["remise", "win", "codille"]
    assert [points(each) for each in found] == [
        [-1, -1, -1 - 5, -1, -1],
        # The pool of 10 + 5: seven each, and one left.
        [-1 + 7, -1, -1 + 7, -1, -1],
        # The pool is 1 + 5; the bidder, with three tricks, adds six, and the others take an old
        # chip each.
        [-1 + 1, -1 + 1, -1 + 1, -1 - 6, -1 + 1],
    ]
    assert pools(found) == [(5, 10), (15, 1), (6, 6 - 4 + 6)]
    assert sum(totals(found).values()) + 8 == 0


def test_german_solo() -> None:
    deal = [Deal.random("german-solo", seed) for seed in range(4)]
    deals = [
        hand(deal[0], "N solo S", Result="6"),
        hand(deal[1], "W frog C SA", Result="4"),  # with E
        hand(deal[2], "S tout H", Result="7"),
        hand(deal[3], "S solo C", Result="8"),
    ]
    found = evening(*deals)
    assert [each.outcome for each in found] == ["made", "failed", "failed", "made"]
    assert [points(each) for each in found] == [
        [3 * 4, -4, -4, -4],
        [4, -2 * 4, 4, -2 * 4],
        [16, 16, -3 * 16, 16],
        [-32, -32, 3 * 32, -32],  # all eight tricks: S went on for the Tout, in Color
    ]
    assert totals(found) == {"N": 0, "E": -28, "S": 48, "W": -28}


def test_changing_the_color() -> None:
    deal = [Deal.random("german-solo", seed) for seed in range(4)]
    changing = "color=changing"
    deals = [
        hand(deal[2], "S solo C", Result="4", Rules=changing),
        hand(deal[0], "N solo S", Result="6", Rules=changing),
        hand(deal[1], "W frog S HT", Result="5", Rules=changing),  # with S
        hand(deal[3], "S solo C", Result="5", Rules=changing),
    ]
    assert [points(each) for each in evening(*deals)] == [
        [4, 4, -12, 4],  # no suit is Color yet
        [12, -4, -4, -4],  # the first that is made makes spades Color
        [-4, -4, 2 * 4, 2 * 4],
        [-4, -4, 12, -4],  # clubs are no longer Color
    ]


def test_mensch() -> None:
    deal = [Deal.random("mensch", seed) for seed in range(3)]
    found = evening(
        hand(deal[0], "W half DK", Result="8"),  # with E
        hand(deal[1], "W five C", Result="3"),
        hand(deal[2], "N solo D", Result="0"),
    )
    assert [points(each) for each in found] == [
        [-2, 2, -2, 2],
        [2, 2, 2, -3 * 2],
        [-3 * 4, 4, 4, 4],
    ]
    assert totals(found) == {"N": -12, "E": 8, "S": 4, "W": 0}


def test_solo_whist() -> None:
    deal = [Deal.random("solo-whist", seed) for seed in range(4)]
    found = evening(
        hand(deal[0], "N prop-cop E", Result="7"),
        hand(deal[1], "S misere", Result="0"),
        hand(deal[2], Contract="Pass"),
        hand(deal[3], "W abundance-trumps", Result="11"),
    )
    assert [points(each) for each in found] == [
        [-1, -1, 1, 1],
        [-2, -2, 6, -2],
        [0, 0, 0, 0],
        [-3, -3, -3, 9],
    ]
    assert totals(found) == {"N": -6, "E": -6, "S": 4, "W": 8}


def anna(seed: int, trump: str | None, contract: str = "", **tags: str) -> str:
    deal = replace(Deal.random("anna-cubed", seed), current_trump=trump)
    return hand(deal, contract, **tags)


def test_anna_cubed() -> None:
    found = evening(
        anna(0, "H", "N prop-cop E", Result="8"),
        anna(1, "C", Contract="Pass"),  # a goulash also moves the trump on
        anna(2, "D", "S misere", Result="0"),
        anna(3, "S", "W abundance H", Result="8"),
        anna(4, "NT", "W abundance-declared", Result="13"),
        anna(5, "H", "W solo", Result="5"),
    )
    assert [points(each) for each in found] == [
        [1, 1, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 2, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 6],
        [0, 0, 0, 1],
    ]
    assert totals(found) == {"N": 1, "E": 1, "S": 2, "W": 7}
    assert [codes(each) for each in found] == [[], [], ["goulash-differs"], [], [], []]


def test_squint_and_its_end() -> None:
    deal = [Deal.random("squint", seed) for seed in range(6)]
    duo, solo = "2 duo S 4", "1 solo D"
    both = "4 2 ace-solo misere"
    deals = [
        hand(deal[0], "1 grand-solo S", Result="7"),
        hand(deal[1], duo, Result="4"),
        of_seed("squint", 2, solo),
        hand(deal[3], "5 misere", Result="0", FromHand="5"),
        of_seed("squint", 4, both),
        hand(deal[5], "1 ace-solo", Result="10", FromHand="1"),
        hand(deal[0], "1 grand-solo S", Result="6"),
    ]
    tricks = [winners(deals[2]), winners(deals[4])]
    own = tricks[0].count("1")
    top = max(tricks[0].count(seat) for seat in "2345")
    assert own <= top
    fours, twos = tricks[1].count("4"), tricks[1].count("2")
    assert fours < 6
    assert twos > 0
    found = evening(*deals)
    assert [points(each) for each in found] == [
        [15 * 2, 0, 0, 0, 0],
        [0, -10 * 2, 0, -10 * 2, 0],
        [-5 * top, 0, 0, 0, 0],
        [0, 0, 0, 0, 2 * 25],
        [0, -25, 0, -20 * (6 - fours), 0],
        [2 * 20 * 5, 0, 0, 0, 0],
        [15, 0, 0, 0, 0],
    ]
    assert found[4].made == {"4": False, "2": False}
    # The first of them ends with the deal after which Player 1 has 150.
    assert 30 - 5 * top + 200 >= 150
    assert [each.over for each in found] == [()] * 5 + [("1",), ()]
    assert [codes(each) for each in found] == [[]] * 6 + [["game-over"]]
    assert (
        found[-1]
        .warnings[0]
        .message.startswith(f"the game of 150 points ended with deal 6 (1 {30 - 5 * top + 200})")
    )


# Sessions


def test_no_end_and_another_end() -> None:
    deal = Deal.random("squint", 0)
    for rules, over in (("play_to=0", [(), ()]), ("play_to=30", [("1",), ()])):
        text = hand(deal, "1 grand-solo S", Result="7", Rules=rules)
        found = evening(text, text)
        assert [each.over for each in found] == over


def test_trumps_out_of_turn() -> None:
    found = evening(
        anna(0, "C", "N misere", Result="0"),
        anna(1, "D", Contract="Pass"),
        anna(2, "NT", "N misere", Result="0"),
        anna(3, None, Contract="Pass"),
        anna(4, "D", Contract="Pass"),
        anna(5, "S", Contract="Pass"),
    )
    said = [[one.message for one in each.warnings if one.tag == "CurrentTrump"] for each in found]
    assert said == [
        ["the current trump is C, but an evening begins with H"],
        [],
        ["the current trump is NT, but after D comes S"],
        [],  # it is hearts even without a tag
        ["the current trump is D, but after H comes C"],
        [],
    ]


def test_names_move_from_seat_to_seat() -> None:
    deal = [Deal.random("mensch", seed) for seed in range(3)]
    seats = "NESW"
    found = evening(
        hand(deal[0], "W half DK", Result="8", **names(seats, "Anna Bert Cleo Dirk")),
        hand(deal[1], "W five C", Result="3", **names(seats, "Dirk Anna Bert Cleo")),
        hand(deal[2], "N solo D", Result="0", **names(seats, "Cleo Dirk Anna ?")),
    )
    # The three deals pay -2 2 -2 2, then 2 2 2 -6, then -12 4 4 4.
    assert totals(found) == {
        "Anna": -2 + 2 + 4,
        "Bert": 2 + 2,
        "Cleo": -2 - 6 - 12,
        "Dirk": 2 + 2 + 4,
        "W": 4,  # the seat, since no name is given
    }


def test_a_name_in_two_seats_is_nobodys() -> None:
    text = hand(Deal.random("mensch", 1), "W five C", Result="3")
    twice = hand(
        Deal.random("mensch", 1), "W five C", Result="3", **names("NESW", "Anna Bert Anna Dirk")
    )
    found = evening(text, twice)
    assert [codes(each) for each in found] == [[], ["player-twice"]]
    assert totals(found) == {"N": 4, "E": 2, "S": 4, "W": -6, "Bert": 2, "Dirk": -6}


def test_who_plays_when_all_pass_is_told() -> None:
    for game, card in (("mensch", "CQ"), ("german-solo", "CQ"), ("quadrille", "SA")):
        (entry,) = read(hand(Deal.random(game, 0), Contract="Pass"))
        (warning,) = entry.warnings
        assert (warning.code, entry.passed_out) == ("contract-excluded", True)
        assert entry.deal is not None
        assert f"{entry.deal.holder(card)}, who holds {card}, plays" in warning.message
    (entry,) = read('[Game "mensch"]\n[Deal "N:- - - -"]\n[Contract "Pass"]')
    assert "but then the holder of CQ plays" in entry.warnings[0].message
    for game in ("ombre", "solo-whist", "anna-cubed"):
        deal = Deal.random(game, 0)
        if game == "anna-cubed":
            deal = replace(deal, current_trump="H")
        (entry,) = read(hand(deal, Contract="Pass"))
        assert not entry.findings


def test_an_auction_tells_that_all_have_passed() -> None:
    text = hand(Deal.random("ombre", 0), Contract="?") + '[Auction "1"]\nPass Pass Pass\n'
    (entry,) = read(text)
    assert not entry.findings
    (found,) = settle([entry])
    assert found.passed_out
    assert points(found) == [0, -5, 0]


def test_each_evening_begins_anew() -> None:
    text = of_seed("ombre", 2, "2 entrada H")
    first, second = (settle(read(text)) for _ in range(2))
    assert [pools([*each]) for each in (first, second)] == [[(5, 10)], [(5, 10)]]


# Unsettled deals


@pytest.mark.parametrize(
    ("game", "contract", "tags", "why"),
    [
        ("mensch", "W half DK", {}, "no Play or Result tag says how the hand ended"),
        ("ombre", "2 entrada H", {"Result": "5"}, "Result alone leaves the payoff open"),
        ("quadrille", "N solo H", {"Result": "7"}, "Result alone leaves the payoff open"),
        ("german-solo", "W frog S HQ", {"Result": "8"}, "Result alone leaves the payoff open"),
        ("squint", "1 solo D", {"Result": "4"}, "Result alone leaves the payoff open"),
    ],
)
def test_a_record_that_does_not_tell(
    game: str, contract: str, tags: dict[str, str], why: str
) -> None:
    (found,) = evening(hand(Deal.random(game, 0), contract, **tags))
    assert (found.points, found.outcome, found.made) == (None, None, None)
    assert found.error is not None
    assert found.error.code == "not-settled"
    assert why in found.error.message
    assert set((found.totals or {}).values()) == {0}


def test_faults_in_the_middle_stop_no_other() -> None:
    good = hand(Deal.random("mensch", 1), "W five C", Result="3")
    revoke = of_seed("mensch", 0, "W half DK").replace('[Contract "half"]', '[Contract "halb"]')
    nothing = '[Event "?"]\n[Game "mensch"]\n'
    other = '[Event "?"]\n[Deal "N:... ... ... ..."]\n'
    found = evening(good, revoke, nothing, other, good)
    assert [each.error and each.error.code for each in found] == [
        None,
        "contract-unknown",
        "deal-missing",
        "game-missing",
        None,
    ]
    assert totals(found) == {"N": 4, "E": 4, "S": 4, "W": -12}
    assert list(settle([])) == []


def test_a_contract_is_needed() -> None:
    (found,) = evening(hand(Deal.random("mensch", 1)))
    assert found.error is not None
    assert found.error.code == "contract-missing"


def test_contracts_are_those_of_the_record() -> None:
    text = hand(Deal.random("mensch", 1), "W five C", Result="3")
    (found,) = evening(text)
    assert isinstance(found.contract, Contract)
    assert found.made == {"W": False}
    assert not found.passed_out
