"""Knowledge in words, impossible records, and files with only one hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from spadille import Contract, Deal, SpadilleError
from spadille.core.knowledge.seat_knowledge import Assumptions, Knowledge, know
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.pbn.hand_file import read
from tests.support.deals_and_outcomes import PLAY_OF_ONE_HAND, random_deal

GERMAN = Deal.parse("N:AK.AKQ.8.Q7 - - -", "german-solo")
QUADRILLE = Deal.parse("N:K5.K643.KQ.K7 - - -", "quadrille")
MENSCH = Deal.parse("N:AK87.987.8. - - -", "mensch")
WHIST = Deal.parse("N:AK52.AK52.AK52.A - - -", "solo-whist", current_trump="H", dealer="W")
MATADORS = "the Spadille (SA), the Manille (H7) and the Basto (CA)"
DUTY = "a player with three or more clubs besides CQ must bid Half, or After over Half"
CLUBS = "CA CK CJ CT C9 C8 C7"


@pytest.mark.parametrize(
    ("deal", "contract", "cards", "sentences"),
    [
        (GERMAN, "N solo H", "", ()),
        (GERMAN, "S solo H", "D7 D9 HT D8", ("West has no diamonds (trick 1)",)),
        (
            GERMAN,
            "S frog H DA",
            "D7 DT D9 D8",
            ("South called DA and so does not hold it",),
        ),
        (
            QUADRILLE,
            "N solo H",
            "D4 D5 DJ DK H6 SJ H2 H5",
            (
                "West has no trumps except exempt matadors (trick 2)",
                f"West may still hold {MATADORS}: a matador need not follow suit to a lower trump",
            ),
        ),
        (
            QUADRILLE,
            "N solo H",
            "D4 D5 DJ DK H6 SJ H2 H5 CA HJ H3 D6",
            (
                "West has no trumps except exempt matadors (trick 2)",
                "West may still hold the Spadille (SA) and the Manille (H7): a matador need not "
                "follow suit to a lower trump",
            ),
        ),
        (
            WHIST,
            "N misere",
            "",
            (
                "West dealt and turned up one of the hearts: the more of them West holds, "
                "the likelier the layout",
            ),
        ),
    ],
)
def test_what_is_known_in_words(
    deal: Deal, contract: str, cards: str, sentences: tuple[str, ...]
) -> None:
    assert know(deal, contract, "N", cards).sentences == sentences


def test_a_called_card_that_only_one_can_hold_tells_the_partner() -> None:
    known = know(GERMAN, "S frog H DA", "N", "D7 D9 HT D8")
    assert (known.partner, known.partner_open) == ("E", False)
    assert known.called == "DA"
    unknown = know(GERMAN, "S frog H DA", "N")
    assert (unknown.partner, unknown.partner_open) == (None, True)
    layout = unknown.layouts.unrank(0)
    assert unknown.contract_of(layout).partner in ("E", "W")
    holder = know(GERMAN, "S frog H D8", "N")
    assert (holder.partner, holder.sentences) == (
        "N",
        ("North holds the called D8 and is South's partner",),
    )


def test_a_partner_who_has_shown_himself() -> None:
    deal = Deal.random("quadrille", 1)
    caller = deal.holder("SA") or ""
    called = next(c for c in deal.rules.callable_cards("H", deal.hands[caller] or ()))
    contract = deal.contract("forced-spadille", caller, "H", called)
    seat = next(s for s in deal.rules.seats if s not in contract.side)
    assert know(deal, contract, seat).partner is None
    known = know(deal, contract, seat, partner_shown=True)
    assert known.partner == contract.partner
    assert f"has shown that they hold the called {called}" in known.sentences[-1]
    with pytest.raises(SpadilleError, match="partner_shown needs a contract with a known partner"):
        know(deal, deal.contract("solo", caller, "H"), seat, partner_shown=True)


def test_a_trump_that_is_not_named_yet() -> None:
    deal = Deal.random("solo-whist", 1, dealer="N")
    trump = next(suit for suit in "SHDC" if suit != deal.current_trump)
    contract = deal.contract("abundance", "W", trump)
    text = f"West names the trump with the first card; {trump} is assumed"
    assert text in know(deal, contract, "E").sentences
    assert text not in know(deal, contract, "W").sentences


def test_hands_as_they_were_dealt() -> None:
    deal = Deal.random("ombre", 5)
    contract = deal.contract("vuelta", "1")
    known = know(deal, contract, "2", None)
    top = deal.talon[0]
    assert known.unseen[top] == ("pile",)
    assert known.sizes == {"1": 9, "3": 9, "pile": 13}
    full = known.deal_of(known.layouts.unrank(10**9))
    assert len(full.talon) == 13
    assert full.hands["2"] == deal.hands["2"]


def test_bids_prove_what_duties_say_where_they_are_trusted() -> None:
    def told(calls: str, trust: str) -> tuple[str, ...]:
        return know(
            MENSCH,
            "S half C HA",
            "N",
            auction=calls.split(),
            assumptions=Assumptions(belief=trust),
        ).sentences

    called = (
        "South called HA and so does not hold it",
        "South called HA, so South must have been dealt another heart",
    )
    calls = "Pass half Pass Pass"
    assert told(calls, "none") == called
    passed = tuple(
        f"{who} passed, so {who} was dealt at most 2 of {CLUBS}: {DUTY}" for who in ("East", "West")
    )
    assert told(calls, "duties") == (*called, *passed)


QUEENS = "the holder of both black queens must bid Solo if the highest bid so far is lower"
SQUINT = Deal.parse("3:QJ.A5.AK7.KT8 - - - -", "squint", dealer="5")


@pytest.mark.parametrize(
    ("deal", "contract", "calls", "sentences"),
    [
        # Callers learn nothing from their own call.
        (GERMAN, "N frog H DA", "", []),
        (MENSCH, "N half C HA", "", []),
        (GERMAN, "S frog H -", "", []),
        (MENSCH, "S half C HA", "Pass half Pass Pass",
         ["South called HA and so does not hold it",
          "South called HA, so South must have been dealt another heart",
          f"East passed, so East was dealt at most 2 of {CLUBS}: {DUTY}",
          f"West passed, so West was dealt at most 2 of {CLUBS}: {DUTY}"]),
        # A player who bids less than a Solo does not hold both queens.
        (
            GERMAN,
            "W tout H",
            "Pass frog solo tout-H Pass Pass",
            [f"East passed, so East was dealt at most 1 of CQ SQ: {QUEENS}",
             f"South bid Frog, so South was dealt at most 1 of CQ SQ: {QUEENS}"],
        ),
        (GERMAN, "S solo H", "", []),
        # A contract falls to the holder of a card.
        (
            QUADRILLE,
            "S forced-spadille H DK",
            "",
            ["South holds SA: only its holder can play Forced Spadille",
             "North holds the called DK and is South's partner"],
        ),
        (
            QUADRILLE,
            "S forced-spadille H DK",
            "Pass Pass Pass Pass",
            ["South holds SA: only its holder can play Forced Spadille",
             "North holds the called DK and is South's partner",
             "South holds SA: everybody passed"],
        ),
        (QUADRILLE, "S solo H", "Pass solo-H Pass Pass", []),
        # Cards shown in bidding, one of them unreadable.
        (
            SQUINT,
            Contract(("1",), ("solo",), "H"),
            "H2 ? CK D4 SK",
            ["Player 1 showed H2", "Player 4 showed D4", "Player 5 showed SK"],
        ),
    ],
)  # fmt: skip
def test_what_the_contract_and_the_calls_prove(
    deal: Deal, contract: str | Contract, calls: str, sentences: list[str]
) -> None:
    trusted = Assumptions(belief="duties")
    seat = "3" if deal is SQUINT else "N"
    known = know(deal, contract, seat, auction=calls.split(), assumptions=trusted)
    assert [*known.sentences] == sentences
    if deal.rules.game.id in ("german-solo", "mensch"):
        assert known.layouts.count == known.layouts.distinct  # all are equally likely


def hands_of_caller(
    game: str, call_rank: str, seed: int, contract: Contract, *told: str
) -> list[tuple[str, ...]]:
    """Return hands of the declarer, North, in layouts that East regards as possible."""
    deal = random_deal(rules_for(game, f"call_rank={call_rank}"), Random(seed))
    hands = {seat: hand if seat == "E" else None for seat, hand in deal.hands.items()}
    known = know(replace(deal, hands=hands), contract, "E")
    assert known.layouts.count == known.layouts.distinct
    assert set(told) <= {*known.sentences}
    ranks = known.layouts.sample(300, 1)
    return [known.deal_of(known.layouts.unrank(rank)).hands["N"] or () for rank in ranks]


def test_a_king_is_called_only_without_an_ace_to_call() -> None:
    """In each plain suit of the hand, the Ace cannot be called, so North holds it."""
    contract = Contract(("N",), ("half",), "C", "SK")
    told = "North called SK, so North was dealt HA of the hearts, or none of them"
    hands = hands_of_caller("mensch", "ace-then-king", 0, contract, told)
    for suit, voids in (("S", False), ("H", True), ("D", True)):
        lengths = {sum(card[0] == suit for card in hand) for hand in hands}
        assert (0 in lengths) is voids
        assert {1, 2, 3} <= lengths
        assert all(f"{suit}A" in hand for hand in hands if any(card[0] == suit for card in hand))
    # The Ace of trumps cannot be called anyway.
    assert {"CA" in hand for hand in hands if any(card[0] == "C" for card in hand)} == {True, False}


def test_a_queen_is_called_only_with_all_kings() -> None:
    """Spades are trumps: North, who calls HQ, holds the other three kings."""
    contract = Contract(("N",), ("alliance",), "S", "HQ")
    told = "North called HQ, so North was dealt DK of the diamonds"
    hands = hands_of_caller("quadrille", "queen-only-with-all-kings", 5, contract, told)
    assert all({"HK", "DK", "CK"} <= {*hand} and "HQ" not in hand for hand in hands)
    assert {"SK" in hand for hand in hands} == {True, False}


def test_the_dealers_hand_weighs_a_suit_that_was_turned_up() -> None:
    known = know(WHIST, "N misere")
    assert known.layouts.count > known.layouts.distinct
    # A layout in which the dealer has 4 hearts counts four times.
    assert known.layouts.count == sum(number * ways for number, ways in hearts(known).items())


def hearts(known: Knowledge) -> dict[int, int]:
    """Count the layouts by the dealer's number of hearts; 9 of 39 cards are hearts."""
    from math import comb

    rest = comb(26, 13)
    return {number: comb(9, number) * comb(30, 13 - number) * rest for number in range(1, 10)}


@pytest.mark.parametrize(
    ("contract", "cards", "code", "words"),
    [
        ("S solo H", "D7 D9 HT D8 D9", "record-impossible", "it was played by South to trick 1"),
        ("S solo H", "D7 D9 HT D8 SA", "record-impossible", "it is in the hand of North"),
        (
            "S solo H",
            "D7 D9 HT D8 DJ",
            "record-impossible",
            "West plays DJ to trick 2, but West has no diamonds (trick 1)",
        ),
        ("S solo H", "D7 D9 HT C7", "card-revoke", "trick 1: N may not play C7"),
        ("S solo H", "D7 D9 HT S2", "card-not-held", "N does not hold S2"),
        ("S solo H", "D7 D9 D2", "record-impossible", "it is not in the pack"),
        ("E solo H", "D7 XX", "card-unreadable", "XX"),
        ("N frog H CQ", "", "called-trump", "CQ"),
        ("N pass", "", "contract-unreadable", "is not a contract"),
    ],
)
def test_records_that_cannot_have_been(contract: str, cards: str, code: str, words: str) -> None:
    with pytest.raises(SpadilleError) as caught:
        know(GERMAN, contract, "N", cards)
    assert (caught.value.code, words in str(caught.value)) == (code, True), caught.value


@pytest.mark.parametrize(
    ("contract", "cards", "words"),
    [
        (
            "S half C HA",
            "HK D7",
            "no layout of the hidden cards allows this: South called HA, so South must have",
        ),
        ("S five H", "DK CA CK D8 SQ CT CJ S7", "no layout of the hidden cards fits all of these"),
    ],
)
def test_the_hidden_cards_leave_no_room(contract: str, cards: str, words: str) -> None:
    with pytest.raises(SpadilleError, match=words) as caught:
        know(MENSCH, contract, "N", cards).layouts.unrank(0)
    assert caught.value.code == "record-impossible"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"seat": "X"}, "'X' is not a seat"),
        ({"dummy": "X"}, "'X' is not a seat"),
        ({"assumptions": "bounds"}, "assumptions must be Assumptions, as in Assumptions"),
        ({"dummy": "E"}, "the hand of E is on the table, but it is unknown"),
        ({"seat": "E"}, "E's hand is unknown"),
    ],
)
def test_questions_that_cannot_be_answered(given: dict[str, object], words: str) -> None:
    with pytest.raises(SpadilleError, match=words):
        know(GERMAN, "S solo H", **{"seat": "N", **given})  # type: ignore[arg-type]


def test_assumptions_nobody_can_make() -> None:
    for given, words in (
        ({"belief": "yes"}, "belief must be one of auction duties none, not 'yes'"),
        ({"discards": "all"}, "discards must be one of keep-best uniform keep-trumps, not 'all'"),
    ):
        with pytest.raises(SpadilleError, match=words):
            Assumptions(**given)  # type: ignore[arg-type]


def test_hands_that_lie_open() -> None:
    deal = Deal.random("german-solo", 4)
    contract = deal.contract("solo", "N", trump="H")
    known = know(deal, contract, "E", dummy="W")
    assert known.open_hands == {"W": deal.hands["W"]}
    assert known.sentences == ("The hand of West lies on the table",)
    assert set(known.places) == {"N", "S"}
    layout = known.layouts.unrank(5)
    assert known.hands(layout)["W"] == deal.hands["W"]
    assert known.position(layout).to_play == known.to_play


@pytest.mark.parametrize("game", ["solo-whist", "anna-cubed"])
def test_a_misere_ouverte_is_shown_after_the_first_trick(game: str) -> None:
    deal = Deal.random(game, 4)
    contract = deal.contract("misere-ouverte", "N")
    position, play = Position.of(deal, contract), []
    while not position.tricks:
        assert not know(deal, contract, "W", play).open_hands
        play.append(position.legal()[0])
        position.play(play[-1])
    known = know(deal, contract, "W", play)
    assert {*known.open_hands["N"]} == position.hands["N"]
    assert "North's hand has been on the table since trick 1" in known.sentences


HIDDEN = "QJ.J9.AKJ7. T9.8.Q9.J98 87.T7.T.AKT"  # of the others


def test_a_partner_without_a_called_card_must_be_named() -> None:
    """A hidden hand may hold a called card, but nothing else makes a partner secret."""
    hands = "1:AKQJ765432... - - - -"
    head = f'[Game "squint"][Dealer "1"][Deal "{hands}"][Declarer "1"][Contract "duo"][Trump "S"]'
    entry = read(head)[0]
    assert [fault.code for fault in entry.faults] == ["partner-missing"]
    assert (entry.unresolved, entry.seen_contract) == (None, None)


def test_a_file_with_one_hand_is_followed() -> None:
    entry = read(PLAY_OF_ONE_HAND)[0]
    assert entry.contract is None
    assert entry.unresolved is not None
    assert (entry.unresolved.code, entry.unresolved.line) == ("partner-missing", 5)
    contract = entry.seen_contract
    assert contract is not None
    assert (contract.called, contract.partner) == ("DA", None)
    assert entry.play is not None
    assert entry.play.tricks == (("D7", "D9", "HT", "D8"), ("CT", "C7", "H9"))
    assert entry.faults == []
    assert entry.deal is not None
    known = know(entry.deal, contract, "N", entry.play.cards)
    assert known.sentences == (
        "South called DA and so does not hold it",
        "West has no diamonds (trick 1)",
        "East has no clubs (trick 2)",
    )


@pytest.mark.parametrize(
    ("play", "code", "place"),
    [
        ("D7 D9 HT D8\nDJ CJ CT C7", None, None),
        ("D7 D9 HT D8\nH9 CJ DT C7", "record-impossible", (10, 7)),
        ("D7 D9 HT D8\nH9 CJ XX C7", "card-unreadable", (10, 7)),
        ("D7 D9 HT C7", "card-revoke", (9, 10)),
        ("D7 D9 HT D8\nH9 ^R DJ CT C7", "card-revoke", (10, 7)),
        ("D7 D9 ^R DT D8\nCJ C8 CT C7", None, None),
        ("D7 D9 HT D8\nH9 D9 CT C7", "record-impossible", (10, 4)),
    ],
)
def test_faults_of_such_a_file_have_their_place(
    play: str, code: str | None, place: Sequence[int] | None
) -> None:
    text = PLAY_OF_ONE_HAND.replace("D7 D9 HT D8\nH9 +  CT C7", play)
    faults = read(text)[0].faults
    found = [(fault.code, (fault.line, fault.column)) for fault in faults]
    assert found == ([] if code is None else [(code, place)])


def test_a_revoke_is_named_with_its_place() -> None:
    entry = read(PLAY_OF_ONE_HAND.replace("H9 +  CT C7", "H9 ^R DJ CT C7"))[0]
    assert [fault.message for fault in entry.faults] == [
        "trick 2: S revokes with DJ, but inferences about unknown hands assume that "
        "everybody follows suit"
    ]
    deal = Deal.parse(f"N:AK.AKQ.8.Q7 {HIDDEN}", "german-solo")
    with pytest.raises(SpadilleError, match="trick 1: W may not play HT: diamonds were led") as why:
        know(deal, "S solo H", "N", "D7 D9 HT D8")
    assert why.value.code == "card-revoke"


def test_an_exchange_of_the_only_hand_that_is_known() -> None:
    entry = read(
        """[Game "ombre"]
[Dealer "1"]
[Deal "1:AK7.AKQ.64.6 - -"]
[Declarer "1"]
[Contract "entrada"]
[Trump "S"]
[Drawn "1:S2 C4"]
[Discard "1:D6 D4"]
"""
    )[0]
    assert entry.faults == []
    assert entry.deal is not None
    known = know(entry.deal, entry.contract, "1")  # type: ignore[arg-type]
    assert "S2" in known.own
    assert "D6" not in known.own
    assert known.sentences == ("Player 1 discarded D6 D4",)
    assert known.sizes == {"3": 9, "2": 9, "pile": 11}
    assert "D6" not in known.unseen
    # Before that, the seat held the cards it was dealt.
    before = know(entry.deal, entry.contract, "1", None)  # type: ignore[arg-type]
    assert before.own == entry.deal.hands["1"]
    assert before.sizes == {"3": 9, "2": 9, "pile": 13}


@pytest.mark.parametrize("game", ["german-solo", "ombre", "solo-whist", "mensch", "quadrille"])
def test_where_all_pass_only_a_contract_that_falls_to_a_card_tells_who_holds_it(game: str) -> None:
    deal = Deal.random(game, 3)
    seats = deal.rules.seats
    kind = "entrada" if game == "ombre" else "half" if game == "mensch" else "solo"
    contract = Contract((seats[0],), (kind,), deal.rules.trumps[0])
    facts = know(deal, contract, seats[1], auction=["Pass"] * len(seats)).sentences
    falls_to = deal.rules.bidding.falls_to
    told = [fact for fact in facts if fact.endswith("everybody passed")]
    assert len(told) == (falls_to is not None)
