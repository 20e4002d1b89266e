"""Limits of whole calls, and calls that are stopped from outside."""

from __future__ import annotations

from itertools import count

import pytest

import spadille
from spadille import ArgumentError, Deal, Entry, Interruption, Limits, Solver, SpadilleError
from spadille.render.results.best import tables as best_tables
from spadille.render.results.cards import tables as cards_tables
from spadille.render.results.review import account, play
from spadille.render.results.solve import tables as solve_tables

DEAL = Deal.random("solo-whist", 3)
CONTRACTS = "solo abundance"


class StopsAt(Interruption):
    """Stops at the start of the search with this number, in the middle of a call."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.numbers = count(1)
        self.number = number

    def watch(self, solver: Solver) -> None:
        super().watch(solver)
        if next(self.numbers) == self.number:
            self.stop()


class InterruptedAt(Solver):
    """Is interrupted at the start of the search with this number, and of no other."""

    numbers = count(1)
    number = 0

    def limit(self, nodes: int = 0, seconds: float = 0) -> bool:
        interrupted = super().limit(nodes, seconds)
        if next(self.numbers) == self.number:
            self.interrupt()
        return interrupted


@pytest.mark.parametrize("threads", [1, 2])
def test_a_table_within_limits_has_bounds_where_it_is_open(threads: int) -> None:
    exact = spadille.table(DEAL, CONTRACTS)
    limited = spadille.table(DEAL, CONTRACTS, limits=Limits(nodes=300), threads=threads)
    assert exact.finished
    assert not limited.finished
    open_rows = 0
    for row, known in zip(limited.rows, exact.rows, strict=True):
        if row.bounds is None:
            assert (row.tricks, row.makes) == (known.tricks, known.makes)
            continue
        low, high = row.bounds
        assert row.tricks is None
        assert isinstance(low, int)
        assert isinstance(high, int)
        assert low <= (known.tricks or 0) <= high
        open_rows += 1
    assert 0 < open_rows < len(exact.rows)
    again = spadille.table(DEAL, CONTRACTS, limits=Limits(nodes=300))
    assert [row.bounds for row in again.rows] == [row.bounds for row in limited.rows]


def test_seconds_are_those_of_the_whole_table() -> None:
    found = spadille.table(DEAL, limits=Limits(seconds=1e-9))
    assert all(row.bounds is not None for row in found.rows if row.tricks is None)
    assert not found.finished
    assert "bounds" not in found.to_dict()["rows"][0]


def test_nodes_are_those_of_the_whole_question() -> None:
    """The node limit covers everything asked for beside the value."""
    deal = Deal.random("german-solo", 1)
    for nodes in (1, 50, 500):
        result = spadille.solve(
            deal, "N solo H", leads=True, line=True, swaps=True, limits=Limits(nodes=nodes)
        )
        assert result.nodes <= nodes + 2
        assert not result.finished


@pytest.mark.parametrize("threads", [1, 2])
def test_a_token_ends_the_whole_table(threads: int) -> None:
    whole = spadille.table(DEAL, CONTRACTS)
    found = spadille.table(DEAL, CONTRACTS, limits=Limits(interruption=StopsAt(5)), threads=threads)
    assert not found.finished
    assert found.nodes < whole.nodes
    assert sum(row.bounds is not None for row in found.rows) > 1, "not only the search it meets"
    for row, known in zip(found.rows, whole.rows, strict=True):
        assert row.bounds is not None or (row.tricks, row.makes) == (known.tricks, known.makes)


def test_a_token_that_was_stopped_ends_a_call_at_once() -> None:
    token = Interruption()
    token.stop()
    assert token.stopped
    limits = Limits(interruption=token)
    assert spadille.table(DEAL, "solo", limits=limits).nodes < 100
    result = spadille.solve(DEAL, "N solo", limits=limits)
    assert not result.finished
    with pytest.raises(SpadilleError, match="open"):
        assert result.tricks
    asked = {
        "best": lambda: spadille.best(DEAL, limits=limits),
        "best of a call": lambda: spadille.best(Deal.random("quintille", 1), limits=limits),
        "card_values": lambda: spadille.card_values(DEAL, "N solo", limits=limits),
        "review": lambda: spadille.review(DEAL, "N solo", DEAL.hands["E"][:1], limits=limits),
    }
    for name, ask in asked.items():
        with pytest.raises(SpadilleError) as error:
            ask()
        assert error.value.code == "interrupted", name


@pytest.mark.first_cases(1)
@pytest.mark.parametrize(
    ("game", "nodes"),
    [("german-solo", 1), ("german-solo", 60), ("quadrille", 1), ("ombre", 40), ("solo-whist", 80)],
)
def test_the_best_contracts_within_limits_have_bounds_of_the_payoff(game: str, nodes: int) -> None:
    deal = Deal.random(game, 1)
    exact, limited = spadille.best(deal), spadille.best(deal, limits=Limits(nodes=nodes))
    open_offers = 0
    for seat, offers in limited.seats.items():
        known = {offer.contract: offer for offer in exact.seats[seat]}
        for offer in offers:
            assert offer.least <= known[offer.contract].least
            assert known[offer.contract].most <= offer.most
            assert (offer.payoff is None) == (offer.bounds is not None)
            open_offers += offer.bounds is not None
    assert open_offers
    (shown, *_) = best_tables(limited)
    texts = {cell for row in shown.rows for cell in row if isinstance(cell, str)}
    assert any(" to " in text for text in texts)
    assert any(offer["bounds"] for seat in limited.to_dict()["seats"].values() for offer in seat)


def test_seconds_are_those_of_the_whole_call() -> None:
    hurried = Limits(seconds=1e-9)
    for game in ("ombre", "mensch"):
        deal = Deal.random(game, 1)
        found = spadille.best(deal, limits=hurried)
        assert all(offer.bounds for offers in found.seats.values() for offer in offers[:1])
        assert found.nodes < spadille.best(deal, limits=Limits(nodes=200)).nodes


PLAYED = [
    entry
    for name in ("german-solo", "solo-whist", "squint", "mensch")
    for entry in spadille.load(f"examples/{name}.pbn")
    if entry.contract and entry.play and entry.play.cards
]


@pytest.mark.parametrize("entry", PLAYED[::3], ids=str)
@pytest.mark.parametrize("nodes", [1, 40, 400])
def test_a_review_within_limits_knows_the_last_cards(entry: Entry, nodes: int) -> None:
    assert entry.deal
    assert entry.contract
    assert entry.play
    asked = (entry.deal, entry.contract, entry.play.cards, entry.surrender, ())
    exact = spadille.review(*asked, refutations=True)
    limited = spadille.review(*asked, refutations=True, limits=Limits(nodes=nodes))
    assert exact.complete
    unknown = 0
    for step, known in zip(limited.steps, exact.steps, strict=True):
        for seat, moved in step.contractors.items():
            whole = known[seat]
            if moved.bounds is None:
                assert (moved.before, moved.after, moved.cost) == (
                    whole.before,
                    whole.after,
                    whole.cost,
                )
                continue
            unknown += 1
            assert None in (moved.before, moved.after)
            for (low, high), value in zip(moved.bounds, (whole.before, whole.after), strict=True):
                if isinstance(value, int):
                    assert min(int(low), int(high)) <= value <= max(int(low), int(high))
    assert limited.complete is (unknown == 0)
    if unknown:
        words = " ".join(account(limited))
        assert "A limit ended the search" in words
        cells = [cell for row in play(limited).rows for cell in row]
        assert "?" in cells or not any(step.contractors for step in limited.steps)
        fields = limited.to_dict()
        assert None in [card["cost"] for card in fields["cards"]] or limited.several
        assert sum(tally.open for tally in limited.players.values()) > 0
        assert any(f", {one.open} open" in str(one) for one in limited.accounts.values())
        if not limited.several:
            (one,) = limited.accounts.values()
            assert one.open == sum(step.open and step.choice for step in limited.steps)
            assert fields["accounts"][limited.contract.declarer]["open"] == one.open
    ends = [card for card in limited.steps if not card.open]
    assert all(card.cost >= 0 for card in ends if not card.several)


@pytest.mark.parametrize("entry", PLAYED[::2], ids=str)
@pytest.mark.parametrize("nodes", [1, 60, 600, 6000])
def test_card_values_within_limits_have_bounds_where_they_are_open(
    entry: Entry, nodes: int
) -> None:
    assert entry.deal
    assert entry.contract
    assert entry.play
    for after in (0, 9):
        cards = entry.play.cards[:after]
        exact = spadille.card_values(entry.deal, entry.contract, cards)
        limited = spadille.card_values(
            entry.deal, entry.contract, cards, line=True, limits=Limits(nodes=nodes)
        )
        assert exact.finished
        for seat, position in limited.contractors.items():
            values = [(position.value, position.bounds, exact[seat].value)]
            for card, known in zip(limited.cards, exact.cards, strict=True):
                worth, whole = card[seat], known[seat]
                assert worth.cost in (None, whole.cost)
                assert worth.makes in (None, whole.makes)
                assert worth.effect in (None, whole.effect)
                if worth.bounds is None:
                    assert (worth.tricks, worth.outcome) == (whole.tricks, whole.outcome)
                if limited.unit == "tricks":
                    values.append((worth.tricks, worth.bounds, whole.tricks))
            for value, bounds, whole_value in values:
                assert (value is None) == (bounds is not None)
                assert value in (None, whole_value)
                if bounds is not None and isinstance(whole_value, int):
                    assert int(bounds[0]) <= whole_value <= int(bounds[1])
        open_cards = [card for card in limited.cards if card.open]
        assert not limited.finished or not open_cards
        for card in open_cards:
            assert not card.several or card.to_dict()["cost"]
            if not card.several:
                with pytest.raises(SpadilleError, match="a limit left it open"):
                    assert card.cost
        titles = [cell for table in cards_tables(limited) for row in table.rows for cell in row]
        told = any("A limit ended the search" in str(cell) for cell in titles)
        assert told is not limited.finished


def test_hurried_card_values_find_little() -> None:
    limited = spadille.card_values(DEAL, "N solo", line=True, limits=Limits(nodes=300))
    assert not limited.finished
    assert limited.nodes <= 302
    assert str(limited).startswith("N solo H: trick 1, W to play, 0 to 13 tricks")
    for ask in (lambda: limited.value, lambda: limited.makes, lambda: limited.line):
        with pytest.raises(SpadilleError):
            ask()
    hurried = spadille.card_values(DEAL, "N misere", limits=Limits(seconds=1e-9))
    assert hurried.to_dict()["bounds"] == [0, 13]


def test_a_reviewed_card_without_a_value_says_so() -> None:
    entry = PLAYED[0]
    assert entry.deal
    assert entry.contract
    assert entry.play
    found = spadille.review(entry.deal, entry.contract, entry.play.cards, limits=Limits(nodes=1))
    assert found.steps[0].open
    assert str(found.steps[0]).endswith("?")
    with pytest.raises(SpadilleError, match="a limit ended the search"):
        assert found.steps[0].cost
    assert found.account.start is None


@pytest.mark.ci
@pytest.mark.parametrize("name", ["german-solo", "ombre"])
def test_a_score_within_limits_leaves_open_what_it_does_not_know(name: str) -> None:
    evening = spadille.load(f"examples/evenings/{name}.pbn")
    exact, limited = spadille.score(evening), spadille.score(evening, limits=Limits(nodes=5))
    for deal, known in zip(limited.deals, exact.deals, strict=True):
        assert deal.settled == known.settled
        assert deal.best_play in (None, known.best_play)
        assert deal.lost in (None, known.lost)
    assert any(deal.best_play is None and deal.settled.contract for deal in limited.deals)
    assert sum(player.tally.open for player in limited.players) > 0
    assert sum(player.tally.open for player in exact.players) == 0
    assert "A limit ended the search" in spadille.page(evening, limits=Limits(nodes=5))


def test_swaps_that_a_limit_leaves_open_are_counted() -> None:
    deal = Deal.random("german-solo", 1)
    exact = spadille.solve(deal, "N solo H", swaps=True).swaps
    assert exact is not None
    some = 0
    for nodes in (50, 500, 800):
        result = spadille.solve(deal, "N solo H", swaps=True, limits=Limits(nodes=nodes))
        swaps = result.swaps
        assert swaps is not None
        assert swaps.solved + swaps.open == exact.solved
        assert result.finished is (swaps.open == 0)
        assert {*swaps.turning} <= {*exact.turning}
        assert result.to_dict()["swaps"]["open"] == swaps.open
        some += 0 < swaps.solved < exact.solved
        titles = [table.title for table in solve_tables(result)]
        assert any(f"{swaps.open} open" in title for title in titles)
    assert some


def test_problems_skip_deals_that_take_more_nodes() -> None:
    file = spadille.load("examples/evenings/german-solo.pbn")
    assert list(spadille.problems(file, 1, seed=1))
    for limits, why in (
        (Limits(nodes=1), "0 problems in these hands, and no more"),
        (Limits(seconds=1e-9), "gave up after 0 problems: out of time"),
    ):
        with pytest.raises(SpadilleError, match=why):
            list(spadille.problems(file, 1, seed=1, limits=limits))


@pytest.mark.ci
@pytest.mark.parametrize("number", [1, 3, 5])
def test_an_interrupted_solver_ends_calls_of_any_size(number: int) -> None:
    """An interruption counts even if the search it meets is very short."""
    entry = PLAYED[0]
    assert entry.deal
    assert entry.contract
    assert entry.play
    deal, contract, cards = entry.deal, entry.contract, entry.play.cards
    for ask in (
        lambda solver: spadille.best(Deal.random("ombre", 1), solver=solver),
        lambda solver: spadille.before_play(deal, contract, solver=solver),
        lambda solver: spadille.review(
            deal, contract, cards, None, (), refutations=True, solver=solver
        ),
    ):
        solver = InterruptedAt()
        solver.numbers, solver.number = count(1), number
        with pytest.raises(SpadilleError) as error:
            ask(solver)
        assert error.value.code == "interrupted"
        solver.number = 0
        ask(solver)  # a new call


def test_a_token_ends_scores_and_problems() -> None:
    token = Interruption()
    token.stop()
    limits = Limits(interruption=token)
    found = spadille.score(spadille.load("examples/evenings/ombre.pbn"), limits=limits)
    assert {deal.settled.error.code for deal in found.deals if deal.settled.error} == {
        "interrupted"
    }
    for tell in (None, lambda hand, error: None):
        with pytest.raises(SpadilleError) as error:
            list(spadille.problems("mensch", 1, limits=limits, tell_error=tell))
        assert error.value.code == "interrupted"


def test_an_interrupted_solver_ends_the_threads_of_a_table() -> None:
    whole = spadille.table(DEAL, CONTRACTS)
    solver = Solver()
    solver.interrupt()  # an interruption before the call is ignored
    assert spadille.table(DEAL, CONTRACTS, solver=solver).finished

    class Interrupting(Interruption):
        def watch(self, other: Solver) -> None:
            solver.interrupt()

    limits = Limits(interruption=Interrupting())
    found = spadille.table(DEAL, CONTRACTS, solver=solver, threads=2, limits=limits)
    assert not found.finished
    assert found.nodes < whole.nodes


def test_an_interrupted_solver_ends_the_whole_table() -> None:
    whole = spadille.table(DEAL, CONTRACTS)
    solver = InterruptedAt()
    solver.numbers, solver.number = count(1), 7
    found = spadille.table(DEAL, CONTRACTS, solver=solver)
    assert found.nodes < whole.nodes
    assert sum(row.bounds is not None for row in found.rows) > 1, "not only the search it meets"
    again = spadille.table(DEAL, CONTRACTS, solver=solver)
    assert again.finished, "the next call is another one"


def test_an_interruption_is_an_interruption() -> None:
    with pytest.raises(ArgumentError, match="an interruption must be an Interruption"):
        Limits(interruption=True)  # type: ignore[arg-type]
    assert Limits(interruption=Interruption()) == Limits()
