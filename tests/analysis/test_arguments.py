"""Arguments that no function can use are refused at once with an error of the package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from spadille import (
    Contract,
    Deal,
    Drawing,
    Position,
    Solver,
    SpadilleError,
    best_chances,
    chances,
    deals,
    dumps,
    know,
    problems,
    read,
    rules_for,
    score,
    show,
)
from spadille.analysis.auction.before_play import before_play
from spadille.analysis.contracts.best import best, best_many
from spadille.analysis.contracts.table import table, table_many
from spadille.analysis.review.review import review, review_many
from spadille.analysis.value.card_values import card_values, card_values_many
from spadille.analysis.value.solve import solve, solve_many
from spadille.base.errors import ArgumentError, DealError, RulesError
from spadille.batch.batch_question import Job
from spadille.core.knowledge.seat_knowledge import Assumptions
from spadille.core.recorded_auction import Auction
from spadille.generate.deals_to_play import WantedDeals, deals_to_play
from spadille.search.engine_problem import EngineProblem
from spadille.search.limits import Limits
from tests.support.tiers import part

TEXT = "N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98"
DEAL = Deal.parse(TEXT, "german-solo")
FROG = Contract.make(DEAL, "frog", "N", trump="H", called="DA")
WHIST = "N:K97.765.AKJ7.T72 Q62.AQJ3.T4.KQ95 J8543.T982.Q92.4 AT.K4.8653.AJ863"
LAST = Deal.parse("N:A... K... Q... J...", "german-solo", leader="N")
SOLO = Contract(("N",), ("solo",), "S")
QUESTIONS = [(DEAL, FROG)]
THREE = EngineProblem(3, (0b111, 0b111000, 0b111000000), -1, 0)


@pytest.mark.parametrize(
    "call",
    [
        lambda: solve(DEAL, FROG, objective="points"),  # type: ignore[arg-type]
        lambda: solve_many(QUESTIONS, objective="points"),  # type: ignore[arg-type]
        lambda: solve(DEAL, FROG, limits=Limits(nodes=-1)),
        lambda: solve(DEAL, FROG, limits=Limits(nodes=1 << 64)),
        lambda: solve(DEAL, FROG, limits=Limits(seconds=-0.5)),
        lambda: solve(DEAL, FROG, limits=Limits(seconds=float("nan"))),
        lambda: solve(DEAL, FROG, limits=Limits(hard_nodes=-1)),
        lambda: solve(DEAL, FROG, solver=Solver(-1)),
        lambda: solve_many(QUESTIONS, memory=-1),
        lambda: solve_many(QUESTIONS, threads=0),
        lambda: card_values_many([(DEAL, FROG, ())], threads=-2),
        lambda: table_many([DEAL], threads=0),
        lambda: table(DEAL, threads=0),
        lambda: table_many([DEAL], memory=-1),
        lambda: table(DEAL, limits=Limits(hard_nodes=-1)),
        lambda: table_many([DEAL], limits=Limits(hard_nodes=-1)),
        lambda: best(DEAL, limits=Limits(hard_nodes=-1)),
        lambda: best_many([DEAL], limits=Limits(hard_nodes=-1)),
        lambda: best_many([DEAL], threads=0),
        lambda: card_values(DEAL, FROG, limits=Limits(hard_nodes=-1)),
        lambda: review(DEAL, FROG, (), limits=Limits(hard_nodes=-1)),
        lambda: review_many([], threads=0),
        lambda: best(DEAL, limits=5),  # type: ignore[arg-type]
        lambda: best_many([DEAL], limits=5),  # type: ignore[arg-type]
        lambda: card_values(DEAL, FROG, limits=5),  # type: ignore[arg-type]
        lambda: card_values_many([], limits=5),  # type: ignore[arg-type]
        lambda: review(DEAL, FROG, (), limits=5),  # type: ignore[arg-type]
        lambda: review_many([], limits=5),  # type: ignore[arg-type]
        lambda: solve_many(QUESTIONS, limits=Limits(nodes=-1)),
        lambda: Solver(1 << 64),
        lambda: Solver().limit(-1),
        lambda: Solver().limit(seconds=-1),
    ],
)
def test_unknown_words_and_negative_limits(call: Callable[[], Any]) -> None:
    with pytest.raises(ArgumentError):
        call()


def test_messages_quote_the_argument() -> None:
    with pytest.raises(
        ArgumentError, match="'points' is not an objective: choose tricks or score"
    ) as found:
        solve(DEAL, FROG, objective="points")  # type: ignore[arg-type]
    assert found.value.code == "objective-unknown"
    with pytest.raises(ArgumentError, match=r"nodes must be a number from 0 to .*, not -1"):
        solve(DEAL, FROG, limits=Limits(nodes=-1))


def test_no_limit_is_too_large() -> None:
    assert solve(DEAL, FROG, limits=Limits(seconds=float("inf"))).tricks == 8
    assert solve(DEAL, FROG, limits=Limits(seconds=1e300, nodes=(1 << 64) - 1)).tricks == 8
    assert solve(DEAL, FROG, solver=Solver(0)).tricks == 8


@pytest.mark.parametrize(
    ("code", "call"),
    [
        ("seat-unknown", lambda: Deal.parse(TEXT, "german-solo", dealer="X")),
        ("seat-unknown", lambda: Deal.parse(TEXT, "german-solo", leader="n")),
        ("seat-unknown", lambda: Deal.parse(TEXT, "german-solo", won={"X": 0})),
        ("number-invalid", lambda: Deal.parse(TEXT, "german-solo", won={"N": -1})),
        ("won-too-many", lambda: Deal.parse(TEXT, "german-solo", won={"N": 1})),
        ("number-invalid", lambda: Deal.parse(TEXT, "german-solo", pool=-1)),
        ("current-trump-not-allowed", lambda: Deal.parse(TEXT, "german-solo", current_trump="S")),
        ("current-trump-not-allowed", lambda: Deal.parse(WHIST, "solo-whist", current_trump="NT")),
        ("seat-unknown", lambda: Contract.make(DEAL, "solo", "X", "S")),
        ("seat-unknown", lambda: solve(replace(DEAL, dealer="X"), FROG)),
        ("seat-unknown", lambda: solve(replace(DEAL, leader="X"), FROG)),
        ("seat-unknown", lambda: table(replace(DEAL, dealer="X"))),
        ("seat-unknown", lambda: best(replace(DEAL, dealer="X"))),
        ("seat-unknown", lambda: review(replace(DEAL, dealer="X"), FROG, ())),
        ("seat-unknown", lambda: card_values(DEAL, replace(FROG, partner="X"))),
        ("seat-unknown", lambda: solve(DEAL, replace(SOLO, declarers=("X",)))),
        ("seat-unknown", lambda: Position.of(DEAL, replace(SOLO, declarers=("X",)))),
        ("declarer-missing", lambda: solve(DEAL, Contract((), ("solo",), "H"))),
        ("declarer-count", lambda: solve(DEAL, Contract(("N", "E"), ("solo",), "H"))),
        ("called-not-in-deck", lambda: solve(DEAL, replace(FROG, called="XX"))),
        ("won-too-many", lambda: solve(replace(LAST, won={"N": 9}), SOLO)),
        ("number-invalid", lambda: solve(replace(LAST, won={"N": -1}), SOLO)),
        ("deal-hands", lambda: solve(replace(DEAL, hands={"N": ("SA",)}), SOLO)),
        ("hand-unknown", lambda: Position(DEAL.rules, "H", {"N": ("SA",)}, "N")),
        ("seat-unknown", lambda: rules_for("ombre").eldest("N")),
        ("seat-unknown", lambda: rules_for("ombre").in_turn("N")),
    ],
)
def test_seats_and_numbers_of_no_such_game(code: str, call: Callable[[], Any]) -> None:
    with pytest.raises(SpadilleError) as found:
        call()
    assert found.value.code == code


def test_many_questions_give_back_the_errors_of_each() -> None:
    wrong = replace(DEAL, dealer="X")
    first, second = solve_many([(wrong, FROG), (DEAL, FROG)])
    assert isinstance(first, SpadilleError)
    assert not isinstance(second, SpadilleError)


def dealt(game: str, text: str, **changes: Any) -> Deal:
    return replace(Deal.parse(text, game), **changes)


def alone(deal: Deal, contract: str = "solo", trump: str = "S") -> Contract:
    return Contract((deal.rules.seats[0],), (contract,), trump)


SHORT = dealt("german-solo", "N:AK... QJ... T9... 87...", leader="N")
OMBRE = Deal.parse("1:AK.AK.AKQ.76 2.32.654.KQJ 76.J7.J.A543", "ombre")


def hands(**other: tuple[str, ...]) -> Deal:
    return replace(SHORT, hands={**SHORT.hands, **other})


DOUBLED = {
    "by one": hands(N=("SA", "SA")),
    "by all": hands(N=("SA", "SA"), E=("SQ", "SQ"), S=("ST", "ST"), W=("S8", "S8")),
    "more often than the hand is long": hands(N=("SA", "SA", "SK")),
    "by two": hands(N=("SA", "S8")),
    "by two, and unequal": hands(N=("SA", "S8", "SJ")),
}
CALLS: list[Callable[[Deal, Contract], Any]] = [
    lambda deal, contract: solve(deal, contract),
    lambda deal, contract: solve(deal, contract, objective="score"),
    lambda deal, contract: solve(deal, contract, play=("SA",)),
    lambda deal, contract: solve(deal, contract, leads=True, line=True),
    lambda deal, contract: next(solve_many([(deal, contract)])),
    lambda deal, contract: card_values(deal, contract),
    lambda deal, contract: card_values(deal, contract, ("SA",)),
    lambda deal, contract: next(card_values_many([(deal, contract, ())])),
    lambda deal, contract: review(deal, contract, ()),
    lambda deal, contract: review(deal, contract, ("SA", "SQ")),
    lambda deal, contract: next(review_many([(deal, contract, ("SA",))])),
    lambda deal, _: table(deal),
    lambda deal, _: next(table_many([deal])),
    lambda deal, _: best(deal),
    lambda deal, _: best(deal, calls=True, exchange=False),
    lambda deal, _: next(best_many([deal])),
    Position.of,
]


@pytest.mark.parametrize("deal", DOUBLED.values(), ids=DOUBLED)
@pytest.mark.parametrize("number", range(len(CALLS)))
def test_no_card_is_held_twice(deal: Deal, number: int) -> None:
    try:
        found = CALLS[number](deal, alone(deal))
    except SpadilleError as error:
        found = error
    assert isinstance(found, SpadilleError)
    assert found.code in {"card-duplicate", "hand-size", "hands-unequal"}


def test_who_holds_a_card_twice_is_said() -> None:
    with pytest.raises(DealError, match=r"^SA is held twice, by N$"):
        solve(DOUBLED["by all"], alone(SHORT))
    with pytest.raises(DealError, match=r"^S8 is held twice, by N and W$"):
        solve(DOUBLED["by two"], alone(SHORT), play=("SA",))


def test_no_exchange_doubles_a_card() -> None:
    # Each player draws a card that they hold, so that the hands keep their length.
    own = {seat: (hand or ())[:1] for seat, hand in OMBRE.hands.items()}
    away = {seat: (hand or ())[1:2] for seat, hand in OMBRE.hands.items()}
    talon = tuple(card for cards in own.values() for card in cards)
    wrong = replace(OMBRE, talon=talon, drawn=own, discard=away)
    for call in (wrong.playing_hands, lambda: solve(wrong, alone(wrong)), lambda: best(wrong)):
        with pytest.raises(DealError, match="held twice") as found:
            call()
        assert found.value.code == "card-duplicate"


def test_no_card_of_a_hand_lies_in_the_talon() -> None:
    with pytest.raises(DealError, match=r"^SA is held twice, by 1 and the talon$"):
        best(replace(OMBRE, talon=("SA", "H5")))


SEATS: list[Callable[[Any], Any]] = [
    lambda seat: Contract.make(DEAL, "solo", seat, trump="H"),
    lambda seat: Deal.random("mensch", 1, dealer=seat),
    lambda seat: solve(replace(DEAL, leader=seat), FROG),
    lambda seat: DEAL.trumps(seat, "H"),
    lambda seat: DEAL.rules.eldest(seat),
    lambda seat: Position(DEAL.rules, "H", dict.fromkeys(DEAL.rules.seats, ()), seat),
    lambda seat: table(DEAL, seats=[seat]),
    lambda seat: best(DEAL, seats=[seat]),
    lambda seat: best_chances(DEAL, seat),
    lambda seat: chances(DEAL, FROG, seat=seat),
    lambda seat: know(DEAL, FROG, seat),
    lambda seat: know(DEAL, FROG, auction=Auction("Pass", first=seat)),
    lambda seat: solve(DEAL, FROG)[seat],
    lambda seat: deals("mensch", dealer=seat),
    lambda seat: deals("mensch", hands={seat: "A..."}),
    lambda seat: next(deals_to_play(DEAL.rules, 1, wanted=WantedDeals(declarer=seat))),
]


@pytest.mark.parametrize("number", range(len(SEATS)))
def test_an_unknown_seat_is_the_same_error_in_all_functions(number: int) -> None:
    with pytest.raises(RulesError, match=r"^'X' is not a (seat|declarer)") as found:
        SEATS[number]("X")
    assert found.value.code == "seat-unknown"


class Three:
    """An integer that is not an int, like those of numpy."""

    def __index__(self) -> int:
        return 3


def test_whole_numbers_of_others() -> None:
    three: Any = Three()
    assert Deal.random("mensch", three) == Deal.random("mensch", 3)
    assert len(list(deals("mensch", three, seed=three, threads=three))) == 3
    assert Limits(nodes=three) == Limits(nodes=3)
    assert Drawing(samples=three, seed=three, threads=three) == Drawing(
        samples=3, seed=3, threads=3
    )
    assert len(list(solve_many(QUESTIONS, threads=three))) == 1
    assert str(show(DEAL, FROG, "ST SJ D7 SA", after=three)) == str(
        show(DEAL, FROG, "ST SJ D7 SA", after=3)
    )
    assert Solver(three).memory == Solver(3).memory
    small = [solve(DEAL, FROG, solver=Solver(memory)) for memory in (three, 3)]
    assert small[0].nodes == small[1].nodes
    assert Solver(three, patience=three).limit(three) is False
    with pytest.raises(ArgumentError, match=r"a seed must be an integer, not 1\.5"):
        Deal.random("mensch", 1.5)  # type: ignore[arg-type]


def test_seconds_are_any_number() -> None:
    some: Any = Fraction(1, 2)
    assert solve(DEAL, FROG, limits=Limits(seconds=some)).nodes
    for taken in (Limits(seconds=some), Drawing(seconds=some)):
        assert (taken.seconds, type(taken.seconds)) == (0.5, float)
    for wrong in (Fraction(-1, 2), float("nan"), Decimal("0.5"), "1", None, 1j):
        with pytest.raises(ArgumentError, match=r"^seconds must be 0 or more, not "):
            Limits(seconds=wrong)  # type: ignore[arg-type]


PLAYED = Deal.parse("S:QT7.A.KT7.J K.KQ97.9.A8 A9.T8.Q.T97 J8.J.AJ8.KQ", "german-solo")
AUCTION = ("Pass", "Pass", "frog", "Pass")
HEARD: list[Callable[[Any], Any]] = [
    lambda calls: (
        know(
            PLAYED, "E frog D HA", auction=calls, assumptions=Assumptions(belief="duties")
        ).sentences
    ),
    lambda calls: before_play(PLAYED, "E frog D HA", calls).decisions,
    lambda calls: getattr(review(PLAYED, "E frog D HA", "", None, calls).before, "decisions", ()),
    lambda calls: (
        chances(
            PLAYED, "E frog D HA", auction=calls, drawing=Drawing(belief="duties", samples=1)
        ).known
    ),
    lambda calls: (
        best_chances(
            PLAYED, "W", "solo", auction=calls, drawing=Drawing(belief="duties", samples=1)
        ).known
    ),
]


@pytest.mark.parametrize("heard", part(HEARD, 0, 3))
def test_an_auction_is_text_or_a_list(heard: Callable[[Any], Any]) -> None:
    told = heard(AUCTION)
    assert told
    assert told != heard(())
    assert heard(" ".join(AUCTION)) == heard(iter(AUCTION)) == told
    for wrong in (5, print, [None], ("W", ["Pass"])):
        with pytest.raises(ArgumentError, match="calls must be text or a list"):
            heard(wrong)


def test_bytes_are_no_list_of_numbers() -> None:
    given: Any = b"N"
    for call in (
        lambda: table(PLAYED, seats=given),
        lambda: best(PLAYED, given),
        lambda: know(PLAYED, "E frog D HA", auction=given),
    ):
        with pytest.raises(ArgumentError, match="or a list, not b'N'"):
            call()


def test_words_nobody_asks_about_are_refused() -> None:
    for call in (
        lambda: Drawing(belief="x"),  # type: ignore[arg-type]
        lambda: Drawing(discards="x"),  # type: ignore[arg-type]
        lambda: Drawing(where="holds(W, CA)"),  # type: ignore[arg-type]
        lambda: best(DEAL, opponents_exchange="record"),  # type: ignore[arg-type]
        lambda: best_chances(PLAYED, "W", drawing=Drawing(discards="x")),  # type: ignore[arg-type]
        lambda: best_chances(PLAYED, "W", "solo", memory=None, drawing=Drawing(samples=1)),  # type: ignore[arg-type]
        lambda: before_play(PLAYED, 5, AUCTION),  # type: ignore[arg-type]
        lambda: problems("german-solo", contracts=[]),
        lambda: problems("german-solo", tricks=(9, 9)),
        lambda: Job.of("table", contracts=5),
        lambda: replace(PLAYED, discard=5),
        lambda: score("evening.pbn"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ArgumentError):
            call()
    assert Job.of("table", seats="N E") == Job.of("table", seats=["N", "E"])
    assert Job.of("table", contracts="frog solo") == Job.of("table", contracts=["frog", "solo"])


def test_a_message_is_no_longer_than_what_it_says() -> None:
    entry = read(dumps([(PLAYED, "E frog D HA", "D9 DQ D8 DT")]))[0]
    with pytest.raises(ArgumentError, match=r"not RecordedPlay\(.*\.\.\.: give its cards") as found:
        review(PLAYED, "E frog D HA", entry.play)  # type: ignore[arg-type]
    assert len(str(found.value)) < 200
    with pytest.raises(ArgumentError, match="give its deal"):
        solve(entry, "E frog D HA")  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match=r"not 'evening\.pbn'$"):
        score("evening.pbn")  # type: ignore[arg-type]


def test_deals_are_put_into_sets() -> None:
    again = Deal.parse(TEXT, "german-solo")
    assert {DEAL, again, PLAYED} == {DEAL, PLAYED}
    assert hash(replace(DEAL, hands=dict(reversed(DEAL.hands.items())))) == hash(DEAL)
