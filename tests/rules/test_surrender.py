"""Surrender in Ombre: the tag, what it pays, and its effect on values (RULES 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from click.testing import CliRunner

from spadille.analysis.chances.card_chances import chances
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.contracts.best import best
from spadille.analysis.review.review import review
from spadille.analysis.value.card_values import card_values
from spadille.analysis.value.solve import solve
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.knowledge.seat_knowledge import know
from spadille.core.position import Position
from spadille.games import rules_for
from spadille.games.model.contract_types_and_options import Outcome, Surrender
from spadille.games.model.game import Rules
from spadille.pbn.entry import Entry
from spadille.pbn.hand_file import read
from spadille.search.engine import Solver
from spadille_cli import main
from tests.analysis.test_best_exchange import small

HEAD = """[Dealer "3"]
[Game "ombre"]
[Deal "3:AK.Q.J74.KJ7 Q73.J3.AK.A4 J4.5.653.Q62"]
[Talon "D2 S6 H4 H2 S2 C3 HA H7 HK S5 C5 DQ H6"]
[Declarer "3"]
[Trump "D"]
"""
# Player 2 leads, then 1, then Ombre.
RUN = 3
PLAY = ["D5 DA D4", "DK DJ D3", "S3 SK S4", "CJ C6 C4"]


def entry(contract: str, surrender: str, cards: int = 0) -> Entry:
    rows = [row.split() for row in PLAY]
    # The columns of Play are 2, 1, 3, no matter who leads.
    order = ["213", "132", "132", "321"]
    lines = []
    for row, seats in zip(rows, order, strict=True):
        shown = dict(zip(seats, row[: max(cards, 0)], strict=False))
        lines.append(" ".join(shown.get(seat, "-") for seat in "213"))
        cards -= 3
    text = HEAD + f'[Contract "{contract}"]\n[Surrender "{surrender}"]\n'
    return read(text + '[Play "2"]\n' + "\n".join(lines)).entries[0]


def broken(contract: str, seat: str, taker: str, agreed: str, trick: int, cards: int) -> set[str]:
    """Return the errors, in the words of RULES 5."""
    if contract == "solo":
        return {"surrender-not-allowed"}
    found = set()
    if seat != "3" or "3" in taker + agreed:
        found.add("surrender-seat")
    if trick not in (1, 2, 3, 4):
        found.add("surrender-too-late")
    if contract == "vuelta" and taker:
        found.add("surrender-not-allowed")
    elif contract == "vuelta" and not {*"12"} <= {*agreed}:
        found.add("surrender-not-agreed")
    if not found and not taker:
        # Ombre's place in the tricks of PLAY: third in the first, second, second, first.
        own = [2, 4, 7, 9]
        if cards > own[trick - 1]:
            found.add("surrender-played-on")
    return found


def test_surrenders_at_random() -> None:
    random = Random(5)
    met = set()
    for _ in range(600):
        contract = random.choice(["entrada", "vuelta", "vuelta", "solo"])
        seat = random.choice("33332")
        taker = random.choice(["", "", "", "1", "3"])
        agreed = random.choice(["", "12", "21", "1", "13"])
        trick = random.choice([0, 1, 2, 3, 4, 5, 12])
        cards = random.randint(0, 12)
        tag = seat + (taker and f":{taker}") + "".join(f"+{one}" for one in agreed) + f"@{trick}"
        found = entry(contract, tag, cards)
        wanted = broken(contract, seat, taker, agreed, trick, cards)
        assert {fault.code for fault in found.faults} == wanted, (contract, tag, cards)
        kept = wanted <= {"surrender-played-on"}
        assert found.surrender == (
            Surrender(seat, trick, taker or None, tuple(agreed)) if kept else None
        )
        met |= wanted or {"sound"}
    assert len(met) == 6


@pytest.mark.parametrize(
    ("contract", "surrender", "faults"),
    [
        ("solo", "3@2", [("surrender-not-allowed", "3@2", 13)]),
        ("entrada", "3@1", []),
        ("entrada", "3@4", []),
        ("entrada", "3:1@4", []),
        ("entrada", "3@0", [("surrender-too-late", "0", 15)]),
        ("entrada", "3:1@5", [("surrender-too-late", "5", 17)]),
        ("entrada", "9@2", [("seat-unknown", "9", 13)]),
        ("entrada", "3:9@2", [("seat-unknown", "9", 15)]),
        ("entrada", "1@2", [("surrender-seat", "1", 13)]),
        ("entrada", "3:3@2", [("surrender-seat", "3:3@2", 13)]),
        # A surrender by the wrong seat is a single fault, whoever takes over.
        ("entrada", "1:3@3", [("surrender-seat", "1", 13)]),
        ("entrada", "2:1@9", [("surrender-seat", "2", 13), ("surrender-too-late", "9", 17)]),
        ("vuelta", "3+2+1@4", []),
        ("vuelta", "3+1+2@12", [("surrender-too-late", "12", 19)]),
        ("vuelta", "3@2", [("surrender-not-agreed", "3@2", 13)]),
        ("vuelta", "3+1@2", [("surrender-not-agreed", "3+1@2", 13)]),
        ("vuelta", "3+9+8@2", [("seat-unknown", "9", 15), ("seat-unknown", "8", 17)]),
        ("vuelta", "3:1+1+2@2", [("surrender-not-allowed", "1", 15)]),
        (
            "vuelta",
            "3+3@2",
            [("surrender-seat", "3+3@2", 13), ("surrender-not-agreed", "3+3@2", 13)],
        ),
    ],
)
def test_each_fault_in_a_surrender_has_its_place(
    contract: str, surrender: str, faults: list[tuple[str, str, int]]
) -> None:
    found = read(f'{HEAD}[Contract "{contract}"]\n[Surrender "{surrender}"]\n').entries[0].faults
    assert [(fault.code, fault.text, fault.column) for fault in found] == faults
    assert {(fault.tag, fault.line) for fault in found} <= {("Surrender", 8)}


@pytest.mark.parametrize(
    ("trick", "cards", "place"),
    [
        (1, 2, None),
        (1, 3, (10, 7)),
        (2, 4, None),
        (2, 5, (11, 6)),
        (2, 9, (11, 7)),
        (4, 10, (13, 5)),
    ],
)
def test_a_card_after_a_surrender_is_a_fault_at_its_place(
    trick: int, cards: int, place: tuple[int, int] | None
) -> None:
    """The columns are 2, 1, 3; Ombre, 3, gave up before playing to the trick."""
    found = entry("entrada", f"3@{trick}", cards)
    assert [(fault.line, fault.column) for fault in found.faults] == (
        [] if place is None else [place]
    )
    if place is not None:
        (fault,) = found.faults
        assert (fault.code, fault.tag) == ("surrender-played-on", "Play")
        assert fault.message == f"{fault.text} is played after Player 3 surrendered"
    assert entry("entrada", f"3:1@{trick}", cards).faults == []  # 1 plays on


def test_what_a_surrender_pays() -> None:
    deal = entry("entrada", "3@2").deal
    assert deal is not None
    rules, contract = deal.rules, Contract(("3",), ("entrada",), "D")
    given_up = Outcome({"1": 0, "2": 1, "3": 0}, surrender=Surrender("3", 2))
    assert rules.score(deal, contract, given_up) == {"1": 0, "2": 0, "3": -5, "pool": 5}
    assert rules.outcome_name(contract, given_up) == "surrender"
    assert not rules.made(contract, given_up)
    # Player 1 takes over and wins with all of the new declarer's tricks, the first five in a row.
    over = Surrender("3", 2, "1")
    won = Outcome({"1": 6, "2": 1, "3": 2}, "won", surrender=over)
    paid = rules.score(replace(deal, pool=12), contract, won)
    assert paid == {"1": 12 + 20, "2": -10, "3": -10 - 12, "pool": 0}
    lost = Outcome({"1": 2, "2": 6, "3": 1}, surrender=over)
    assert rules.score(deal, contract, lost) == {"1": -5, "2": 5, "3": -5, "pool": 5}


def test_the_pool_of_a_player_who_takes_over() -> None:
    """ "The same scoring opportunities" mean the old pool, or a pool doubled by the surrender."""
    deal = entry("entrada", "3@2").deal
    assert deal is not None
    deal = replace(deal, rules=rules_for("ombre", "takeover_pool=doubled"), pool=12)
    contract, over = Contract(("3",), ("entrada",), "D"), Surrender("3", 2, "1")
    won = Outcome({"1": 4, "2": 3, "3": 2}, surrender=over)
    assert deal.rules.score(deal, contract, won) == {
        "1": 24 + 10,
        "2": -5,
        "3": -5 - 12,
        "pool": 12 - 24,
    }
    puesta = Outcome({"1": 4, "2": 4, "3": 1}, surrender=over)
    assert deal.rules.score(deal, contract, puesta) == {"1": -24, "2": 0, "3": -12, "pool": 36}
    codille = Outcome({"1": 3, "2": 4, "3": 2}, surrender=over)
    assert deal.rules.score(deal, contract, codille) == {"1": -24, "2": 24, "3": -12, "pool": 12}
    given_up = Outcome({"1": 1, "2": 0, "3": 0}, surrender=Surrender("3", 2))
    assert deal.rules.score(deal, contract, given_up)["pool"] == 12


def test_the_result_is_that_of_who_takes_over() -> None:
    text = HEAD + '[Contract "entrada"]\n[Surrender "3:1@1"]\n'
    found = read(text).entries[0]
    assert found.deal is not None
    assert found.contract is not None
    position = Position.of(found.deal, found.contract)
    rows = []
    while not position.finished:
        cards = {}
        for _ in "123":
            seat = position.to_play
            cards[seat] = position.legal()[0]
            position.play(cards[seat])
        rows.append(" ".join(cards[seat] for seat in "213"))
    play = '[Play "2"]\n' + "\n".join(rows)
    assert position.won["1"] != position.won["3"]
    for seat in "13":
        result = f'[Result "{position.won[seat]}"]\n'
        codes = [fault.code for fault in read(text + result + play).entries[0].faults]
        assert codes == ([] if seat == "1" else ["result-contradicts-play"])


def played_out() -> tuple[Deal, list[str], Position]:
    """Return a whole hand in which everybody plays the first legal card."""
    found = read(HEAD + '[Contract "entrada"]\n').entries[0]
    assert found.deal is not None
    position = Position.of(found.deal, Contract(("3",), ("entrada",), "D"))
    cards = []
    while not position.finished:
        cards.append(position.legal()[0])
        position.play(cards[-1])
    return found.deal, cards, position


def test_the_review_ends_with_the_surrender() -> None:
    deal, cards, position = played_out()
    contract = Contract(("3",), ("entrada",), "D")
    whole = review(deal, contract, cards)
    assert whole.surrender is None
    for trick in range(1, 5):
        given_up = Surrender("3", trick)
        found = review(deal, contract, cards, given_up)
        number = 3 * (trick - 1)
        while whole.steps[number].seat != "3":
            number += 1
        assert [step.card for step in found.steps] == cards[:number]
        assert found.finished
        assert found.score == {"1": 0, "2": 0, "3": -5, "pool": 5}
        assert found.account.result == whole.steps[number].before
        # A player who takes over is paid for the tricks of the whole hand.
        for taker in "12":
            over = Surrender("3", trick, taker)
            taken = review(deal, contract, cards, over)
            assert [step.card for step in taken.steps] == cards
            assert taken.given_up == number
            assert taken.finished
            new = replace(contract, declarers=(taker,))
            first = {done.winner for done in position.tricks[:5]}
            run = "won" if first == {taker} else None if taker in first else "lost"
            paid = dict(deal.rules.score(deal, new, Outcome(dict(position.won), run)))
            paid["3"] -= 5
            paid["pool"] += 5
            assert taken.score == paid
            broken_off = review(deal, contract, cards[:20], over)
            assert not broken_off.finished
            assert broken_off.score is None


@pytest.mark.parametrize("play", ["", '[Play "2"]\n*\n'])
def test_a_hand_given_up_before_its_first_card_is_paid(play: str) -> None:
    text = HEAD + '[Contract "entrada"]\n[Surrender "3@1"]\n' + play
    found = CliRunner().invoke(main, ["review", "-"], input=text)
    assert "Player 3 surrenders before trick 1: the contract is lost." in found.output
    paid = "Player 1 +0, Player 2 +0, Player 3 -5, pool +5."
    assert f"as played, without the stakes paid before it: {paid}" in " ".join(found.output.split())
    assert found.exit_code == 0


def counted(game: Deal, answer: str) -> Deal:
    """Return the deal with a high price for losing the first tricks; surrender may be counted.

    The winner of the first tricks has then also won the hand, as with five of nine tricks.
    """
    options = {"surrender": answer, "first_five_chips": "9"}
    whole = game.rules.game
    kinds = {name: replace(kind, first_run=RUN) for name, kind in whole.contracts.items()}
    return replace(game, rules=Rules(replace(whole, contracts=kinds), options))


class Referee:
    """Finds Ombre's double-dummy payoff if Ombre may surrender until their fourth card.

    After a surrender, each opponent may take over if that gains for the opponent and loses for
    Ombre.
    """

    def __init__(self, deal: Deal, contract: Contract, run: int, may: bool = True) -> None:
        self.deal = deal
        self.contract = contract
        self.run = run
        self.may = may
        self.ombre = contract.declarer
        self.others = [seat for seat in deal.rules.seats if seat != self.ombre]
        self.known: dict[object, int] = {}
        self.taken: dict[str, Referee] = {}
        if may and contract.ids == ("entrada",):
            self.taken = {
                seat: Referee(deal, replace(contract, declarers=(seat,)), run, may=False)
                for seat in self.others
            }

    def payoff(self, position: Position) -> int:
        earlier = [seat for seat, won in self.deal.won.items() for _ in range(won)]
        first = (*earlier, *(trick.winner for trick in position.tricks))[: self.run]
        hands = tuple(tuple(sorted(hand)) for hand in position.hands.values())
        key = hands, tuple(position.trick), tuple(position.won.values()), first, position.to_play
        if key not in self.known:
            self.known[key] = self.found(position, first)
        return self.known[key]

    def found(self, position: Position, first: tuple[str, ...]) -> int:
        if position.finished:
            own = [winner == self.ombre for winner in first]
            won = "won" if all(own) else None if any(own) else "lost"
            outcome = Outcome(dict(position.won), won)
            return self.deal.rules.score(self.deal, self.contract, outcome)[self.ombre]
        values = []
        for card in position.legal():
            position.play(card)
            values.append(self.payoff(position))
            position.undo()
        best_card = max(values) if position.to_play == self.ombre else min(values)
        if self.taken and self.in_time(position):
            return max(best_card, self.surrendering(position))
        return best_card

    def in_time(self, position: Position) -> bool:
        played = self.ombre in (seat for seat, _ in position.trick)
        return sum(position.won.values()) + played < 4

    def surrendering(self, position: Position) -> int:
        pool = self.deal.rules.pool(self.deal)
        least = -pool
        for seat in self.others:
            gain = self.taken[seat].payoff(position)
            # Ombre wins the pool, and as much from each of the two opponents.
            if gain > 0:
                least = min(least, -pool - (gain - pool) // 2)
        return least


def plays(position: Position, random: Random, cards: int) -> Iterator[str]:
    for _ in range(cards):
        card = random.choice(position.legal())
        position.play(card)
        yield card


@pytest.mark.parametrize("number", range(6))
def test_counting_it_against_a_slow_search(number: int) -> None:
    """Before each of Ombre's cards, the payoff is the better of surrendering and playing on."""
    random = Random(number)
    deal = counted(replace(small("ombre", 5, 6, number), pool=4), "counted")
    solver, raised = Solver(), 0
    for seat in deal.rules.seats:
        for name in ("entrada", "solo"):
            contract = Contract((seat,), (name,), random.choice("SHDC"))
            played = tuple(plays(Position.of(deal, contract), random, random.randint(5, 11)))
            position = Position.of(deal, contract)
            for card in played:
                position.play(card)
            found = solve(deal, contract, play=played, objective="score", leads=True, solver=solver)
            plain = solve(
                counted(deal, "not-counted"),
                contract,
                play=played,
                objective="score",
                solver=solver,
            )
            assert found.secured is not None
            assert plain.secured is not None
            slow = Referee(deal, contract, RUN)
            assert found.secured.payoff == slow.payoff(position)
            leads = {}
            for card in position.legal():
                position.play(card)
                leads[card] = slow.payoff(position)
                position.undo()
            assert found.leads == leads
            if found.secured.payoff != plain.secured.payoff:
                raised += 1
                assert name == "entrada"
                assert found.secured.surrenders
                assert found.secured.outcome == plain.secured.outcome
                assert found.secured.payoff is not None
                assert found.secured.payoff <= -4
                assert found.secured.score is not None
                assert found.secured.score[seat] == found.secured.payoff
    assert raised or number in (2, 4)


def test_it_does_not_count_in_vuelta_where_opponents_must_agree() -> None:
    worse = 0
    for number in range(4):
        deal = replace(small("ombre", 5, 6, number), pool=4)
        for seat in deal.rules.seats:
            contract = Contract((seat,), ("vuelta",), "C")
            payoffs = []
            for answer in ("not-counted", "counted"):
                found = solve(counted(deal, answer), contract, objective="score")
                assert found.secured is not None
                payoffs.append(found.secured.payoff)
            assert payoffs[0] == payoffs[1]
            worse += payoffs[0] is not None and payoffs[0] < -4
    assert worse


def test_best_and_cards_count_it() -> None:
    deal = replace(small("ombre", 5, 6, 3), pool=4)
    met = set()
    for answer in ("not-counted", "counted"):
        chosen = counted(deal, answer)
        for offers in best(chosen, exchange=False).seats.values():
            for offer in offers:
                if offer.contract == "entrada":
                    assert offer.payoff is not None
                    # An opponent who takes over and wins costs five chips, or fourteen more with
                    # nine for the first tricks.
                    assert offer.payoff >= -4 - 5 - 9 or answer == "not-counted"
                    assert offer.outcome != "surrender"
                    met.add((answer, offer.surrenders))
        for seat in deal.rules.seats:
            contract = Contract((seat,), ("entrada",), "C")
            for choice in card_values(chosen, contract).cards:
                assert choice.score[seat] >= -4 - 5 - 9 or answer == "not-counted"
                assert not choice.surrenders or answer == "counted"
    assert ("counted", True) in met
    assert ("not-counted", True) not in met


def test_chances_average_it_over_all_layouts() -> None:
    """Chances with surrender are averages over every layout; those of cards have no surrender."""
    shares = []
    for number in range(8):
        random = Random(number)
        deal = counted(replace(small("ombre", 5, 6, number), pool=4), "counted")
        trump = random.choice("SHDC")
        position = Position.of(deal, Contract(("1",), ("entrada",), trump))
        for _ in range(9):
            position.play(random.choice(position.legal()))
        hands = {seat: tuple(hand) for seat, hand in position.hands.items()}
        leader = position.to_play
        end = Deal(deal.rules, deal.dealer, hands, pool=4, leader=leader, won={**position.won})
        contract = Contract((leader,), ("entrada",), trump)
        found = chances(end, contract, drawing=Drawing(seconds=0))
        known = know(end, contract)
        paid = []
        for layout in map(known.layouts.unrank, range(known.layouts.count)):
            other = known.deal_of(layout)
            paid.append(Referee(other, contract, RUN).surrendering(Position.of(other, contract)))
        assert found.exact
        assert found.surrender is not None
        assert found.surrender.payoff == pytest.approx(sum(paid) / len(paid))
        shares.append(sum(each < -4 for each in paid) / len(paid))
        assert found.surrender.taken_over == pytest.approx(shares[-1])
        plain = chances(counted(end, "not-counted"), contract, drawing=Drawing(seconds=0))
        assert plain.surrender is None
        assert plain.cards == found.cards
    assert any(shares)


def test_the_option() -> None:
    assert rules_for("ombre").options["surrender"] == "counted"
