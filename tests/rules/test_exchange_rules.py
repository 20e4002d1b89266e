"""Exchanges at random, judged by a slow restatement of RULES 5 and 9."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.validate import contract_findings, faults
from spadille.games import rules_for
from spadille.pbn.hand_file import read
from tests.rules.test_validate import nemo
from tests.support.deals_and_outcomes import random_deal

CODES = {
    "exchange-order",
    "exchange-not-from-top",
    "exchange-put-away",
    "exchange-not-whole",
    "exchange-incomplete",
    "exchange-not-allowed",
    "exchange-too-many",
    "from-hand-not-allowed",
}
Exchange = list[tuple[str, tuple[str, ...], tuple[str, ...]]]


def broken_in_ombre(deal: Deal, contract: Contract, course: Exchange) -> Counter[str]:
    """Return the errors of the exchanges of Ombre and the opponents, in order."""
    found: Counter[str] = Counter()
    ombre = contract.declarer
    stays = contract.ids == ("solo",) or (
        contract.ids == ("vuelta",) and deal.rules.options["vuelta_exchange"] == "no"
    )
    talon = list(deal.talon)
    seen = []
    for seat, taken, away in course:
        if seat == ombre and stays:
            found["exchange-not-allowed"] += 2  # Drawn and Discard
        elif seat == ombre and seen:
            found["exchange-order"] += 1
        if len(away) > 8 and not (seat == ombre and stays):
            found["exchange-too-many"] += 2
        for card in taken:
            found["exchange-not-from-top"] += talon.index(card) >= len(taken)
        for card in taken:
            talon.remove(card)
        seen.append(seat)
    if contract.ids == ("solo",):
        found["from-hand-not-allowed"] += len({*deal.from_hand} - {ombre})
    else:
        found["from-hand-not-allowed"] += bool(deal.from_hand)
    return +found


def broken_in_squint(deal: Deal, contract: Contract, course: Exchange) -> Counter[str]:
    """Return the errors of an exchange in Squint: players, and the cards they take."""
    found: Counter[str] = Counter()
    name = contract.ids[0]
    contractors = {*contract.declarers} | ({contract.partner} - {None})
    dealer = int(deal.dealer)
    table = list(deal.talon)
    done: list[int] = []
    for seat, taken, away in course:
        place = (int(seat) - dealer - 1) % 5  # 0 is at the dealer's left
        if seat not in contractors:
            found["exchange-not-allowed"] += 2
        elif name != "duo":
            if done and place < max(done):
                found["exchange-order"] += 1
            done.append(place)
        elif len(taken) > 1:
            found["exchange-too-many"] += 2
        if name == "duo":
            found["exchange-put-away"] += sum(card not in deal.talon for card in taken)
        elif len(taken) == 1:
            found["exchange-not-whole"] += 1
        for card in taken:
            table.remove(card)
        table += away
    if name == "nemo":
        found["exchange-incomplete"] += 0 < len(course) < 5
        found["from-hand-not-allowed"] += bool(deal.from_hand)
    for seat in deal.from_hand if name != "nemo" else ():
        outsider = seat not in contractors
        alone = name == "duo" and not contractors <= {*deal.from_hand}
        found["from-hand-not-allowed"] += outsider or alone
    return +found


def ombre_course(random: Random, deal: Deal) -> Exchange:
    """Draw up to three exchanges, mostly from the top of the talon."""
    talon = list(deal.talon)
    course: Exchange = []
    for seat in random.sample(deal.rules.seats, random.randint(0, 3)):
        count = min(random.choice([1, 2, 3, 5, 8, 9]), len(talon))
        if not count:
            continue
        taken = talon[:count] if random.random() < 0.7 else random.sample(talon, count)
        random.shuffle(taken)
        talon = [card for card in talon if card not in taken]
        away = random.sample(deal.hands[seat] or (), count)
        course.append((seat, tuple(taken), tuple(away)))
    return course


def squint_course(random: Random, deal: Deal, contract: Contract) -> Exchange:
    """Draw exchanges, mostly by declarers in turn who take both cards, or one in a Duo."""
    table = list(deal.talon)
    in_turn = deal.rules.in_turn(deal.rules.eldest(deal.dealer))
    seats = [seat for seat in in_turn if seat in contract.side]
    if random.random() < 0.3:
        random.shuffle(seats)
    if random.random() < 0.2:
        seats.append(random.choice([*{*in_turn} - {*seats}] or [None]))
    if random.random() < 0.3:
        seats = seats[: random.randint(0, len(seats))]
    course: Exchange = []
    for seat in filter(None, seats):
        usual = 1 if contract.ids[0] == "duo" else 2
        count = usual if random.random() < 0.8 else 3 - usual
        taken = random.sample(table, count)
        table = [card for card in table if card not in taken]
        away = random.sample([*(deal.hands[seat] or ()), *taken], count)
        table += away
        course.append((seat, tuple(taken), tuple(away)))
    return course


def record(deal: Deal, course: Exchange, from_hand: tuple[str, ...]) -> Deal:
    return replace(
        deal,
        drawn={seat: taken for seat, taken, _ in course},
        discard={seat: away for seat, _, away in course},
        from_hand=from_hand,
    )


def codes(deal: Deal, contract: Contract) -> Counter[str]:
    found = Counter(finding.fault.code for finding in contract_findings(deal, contract))
    return Counter({code: number for code, number in found.items() if code in CODES})


def stays(random: Random, deal: Deal, course: Exchange) -> tuple[str, ...]:
    free = {*deal.rules.seats} - {seat for seat, _, _ in course}
    return tuple(sorted(seat for seat in free if random.random() < 0.15))


@pytest.mark.parametrize("exchange", ["yes", "no"])
def test_exchanges_of_ombre(exchange: str) -> None:
    random = Random(f"ombre {exchange}")
    met: Counter[str] = Counter()
    for _ in range(400):
        deal = random_deal(rules_for("ombre", f"vuelta_exchange={exchange}"), random)
        name = random.choice([*deal.rules.contracts])
        contract = Contract.make(
            deal, name, random.choice(deal.rules.seats), None if name == "vuelta" else "H"
        )
        course = ombre_course(random, deal)
        deal = record(deal, course, stays(random, deal, course))
        wanted = broken_in_ombre(deal, contract, course)
        assert codes(deal, contract) == wanted, (deal, contract)
        met += wanted or Counter(["sound"])
        deal.playing_hands()
    assert len(met) == 6


def test_any_card_may_be_drawn_from_a_talon_of_unknown_order() -> None:
    deal = random_deal(rules_for("ombre"), Random(5))
    contract = Contract.make(deal, "entrada", declarer="1", trump="S")
    away, talon = deal.hands["1"][:1], deal.talon  # type: ignore[index]
    drawn = replace(deal, discard={"1": away}, drawn={"1": talon[-1:]})
    assert codes(drawn, contract) == Counter({"exchange-not-from-top": 1})
    assert codes(replace(drawn, talon_ordered=False), contract) == Counter()


def test_exchanges_of_squint() -> None:
    random = Random("squint")
    met: Counter[str] = Counter()
    for _ in range(1000):
        deal = random_deal(rules_for("squint"), random)
        seats = random.sample(deal.rules.seats, random.randint(1, 3))
        name = random.choice([*deal.rules.contracts])
        if name in ("ace-solo", "misere"):
            contract = Contract.make(deal, [name] * len(seats), seats)
        elif name == "duo":
            contract = Contract.make(deal, name, "2", "H", partner=random.choice("1345"))
        elif name == "nemo":
            contract = Contract.make(deal, name, penalty="H")
        else:
            contract = Contract.make(deal, name, seats[0], "S")
        course = squint_course(random, deal, contract)
        deal = record(deal, course, stays(random, deal, course))
        wanted = broken_in_squint(deal, contract, course)
        assert codes(deal, contract) == wanted, (deal, contract)
        met += wanted or Counter(["sound"])
        deal.playing_hands()
    assert len(met) == 8


@pytest.mark.parametrize(
    ("code", "exchange"),
    [
        ("from-hand-not-allowed", ""),
        ("from-hand-exchange", '[Discard "1:S5 S6;2:S5 S6;3:S5 S6;4:S5 S6;5:S5 S6"]'),
    ],
)
def test_a_nemo_from_the_hand_is_one_fault(code: str, exchange: str) -> None:
    [fault] = read(nemo('[FromHand "1 2 3 4 5"]', exchange))[0].faults
    assert (fault.code, fault.text, fault.column) == (code, "1", 12)


NEMO = Contract(tuple("12345"), ("nemo",) * 5, "NT", penalty="H")
ALONE = Contract(("4",), ("ace-solo",), "NT")
SEVERAL = Contract(("3", "4"), ("ace-solo", "misere"), "NT")
UNKNOWN = "exchange-hand-unknown"


@pytest.mark.parametrize(
    ("contract", "discard", "faults"),
    [
        # The last of several soloists, and the dealer in Nemo, discard face up.
        (SEVERAL, {"4": ("C3", "C4")}, []),
        (SEVERAL, {"4": ("C3",)}, [("exchange-count", "4")]),
        (SEVERAL, {"1": ("C3", "C4")}, [("exchange-not-allowed", "1")]),
        (NEMO, {"3": ("SQ", "SJ"), "5": ("C3", "C4")}, []),
        (
            NEMO,
            {"3": ("SQ", "SJ"), "5": ("C3",)},
            [("exchange-not-whole", "5"), ("exchange-count", "5")],
        ),
        (NEMO, {"3": ("SQ", "SJ"), "4": ("C3", "C4")}, [(UNKNOWN, "4")]),
        (NEMO, {"4": ("C3", "C4")}, [("exchange-incomplete", ""), (UNKNOWN, "4")]),
        # Other discards are not shown.
        (ALONE, {"4": ("C3", "C4")}, [(UNKNOWN, "4")]),
        (ALONE, {"1": ("C3", "C4")}, [("exchange-not-allowed", "1")]),
    ],
)
def test_discards_of_unknown_hands(
    contract: Contract, discard: dict[str, tuple[str, ...]], faults: list[tuple[str, str]]
) -> None:
    deal = Deal.parse("3:QJ.A5.AK7.KT8 - - - -", "squint", dealer="5")
    drawn = {"3": ("S5", "S7")} if "3" in discard else {}
    found = contract_findings(replace(deal, drawn=drawn, discard=discard), contract)
    assert [(each.fault.code, each.fault.text) for each in found] == faults
    assert {each.fault.tag for each in found} <= {"Discard"}


def test_an_unknown_hand_that_draws_and_discards_is_one_fault() -> None:
    deal = Deal.parse("3:QJ.A5.AK7.KT8 - - - -", "squint", dealer="5")
    exchange = replace(deal, drawn={"4": ("S5", "S7")}, discard={"4": ("C3", "C4")})
    assert [*contract_findings(exchange, SEVERAL)] == []
    assert [(each.code, each.tag) for each in faults(exchange)] == [(UNKNOWN, "Drawn")]
