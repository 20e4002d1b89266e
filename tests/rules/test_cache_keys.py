"""Cache keys: every field that an answer may depend on is part of the key."""

from __future__ import annotations

import inspect
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import spadille
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.analysis.contracts.best import best
from spadille.analysis.contracts.table import table
from spadille.analysis.evening.score import score
from spadille.analysis.review.review import review
from spadille.analysis.value.solve import solve
from spadille.base.cache_keys import field_names, key_of
from spadille.batch import batch_question as jobs
from spadille.batch.batch_question import KINDS, Job, Keys
from spadille.core.contract import Contract
from spadille.core.deal import Deal
from spadille.core.reachable_contracts import _ByCalls, reachable
from spadille.games import rules_for
from spadille.games.model.bidding import AuctionStanding
from spadille.search import make_payoff_objective
from spadille.search.encoding import situation
from spadille.search.make_payoff_objective import payoff_objective
from tests.support.auction_referee import rules_of
from tests.support.deals_and_outcomes import random_deal
from tests.support.enumerated_auctions import TURNS
from tests.support.tiers import tries


@dataclass(frozen=True)
class Three:
    one: int = 1
    two: str = "2"
    three: float = 3.0


class Two(NamedTuple):
    one: int = 1
    two: str = "2"


def test_a_key_has_all_fields_but_those_named() -> None:
    assert field_names(Three) == ("one", "two", "three")
    assert key_of(Three()) == (1, "2", 3.0)
    assert key_of(Three(), "two") == (1, 3.0)
    assert key_of(Three(), "two", "one") == (3.0,)
    assert key_of(Two()) == (1, "2")
    assert key_of(Two(), "one") == ("2",)
    with pytest.raises(ValueError, match="Three has no field four"):
        key_of(Three(), "four")


# Payoffs

PLAYED_FROM_HAND = {(): 1, ("2",): 1, ("1",): 2}  # Squint: the soloist's points are doubled


def test_payoffs_are_kept_for_each_way_of_the_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_kept", "_paid_for"):
        monkeypatch.setattr(make_payoff_objective, name, {})
    deal = random_deal(rules_for("squint"), Random(1))
    contract = Contract(("1",), ("solo",), "S")
    at = situation(deal, contract)
    values = {
        hand: payoff_objective(replace(deal, from_hand=hand), contract, at).values
        for hand in PLAYED_FROM_HAND
    }
    for hand, factor in PLAYED_FROM_HAND.items():
        assert [*values[hand]] == [factor * value for value in values[()]]


def test_the_key_of_a_payoff_has_every_field_that_is_not_left_out() -> None:
    deal = random_deal(rules_for("squint"), Random(1))
    assert {*make_payoff_objective._NOT_PAID} <= {*field_names(Deal)}
    changes: dict[str, Any] = {
        "rules": rules_for("ombre"),
        "pool": 7,
        "from_hand": ("1",),
    }
    assert {*field_names(Deal)} - {*make_payoff_objective._NOT_PAID} == {*changes}
    for name, value in changes.items():
        changed = replace(deal, **{name: value})
        assert key_of(changed, *make_payoff_objective._NOT_PAID) != key_of(
            deal, *make_payoff_objective._NOT_PAID
        ), name


# The state of an auction

BID = {
    "spoken": ["1"],
    "passed": {"1"},
    "unclear": {"1"},
    "level": {"1": 0},
    "high": 0,
    "holder": "1",
    "rival": "1",
    "partner": "1",
    "trump": "S",
    "after": ["1"],
}


def standing(game: str, **changes: Any) -> AuctionStanding:
    deal = random_deal(rules_for(game), Random(1))
    bidding = deal.rules.bidding
    assert bidding is not None
    return AuctionStanding(deal, bidding, deal.rules.seats, **changes)


def test_every_field_of_an_auction_is_part_of_its_key() -> None:
    assert {*field_names(AuctionStanding)} - {*BID} == {"deal", "bidding", "seats"}
    duel = standing("german-solo")
    assert duel.bidding.rounds == "duel"
    assert duel.bidding.hold
    for name, value in BID.items():
        assert standing("german-solo", **{name: value}).key != duel.key, name


def test_auctions_that_continue_otherwise_have_other_keys() -> None:
    # A duel: an overbid player speaks next, before those who have not spoken.
    said: dict[str, Any] = {"spoken": ["E", "S", "W"], "level": {"E": 0, "S": 0, "W": 1}}
    one = standing("german-solo", **said, high=1, holder="W", rival="E")
    other = standing("german-solo", **said, high=1, holder="W", rival="S")
    assert (one.next_speaker(), other.next_speaker()) == ("E", "S")
    assert one.key != other.key


def test_auctions_that_continue_alike_have_one_key() -> None:
    one = standing("mensch", spoken=["N", "E", "S"], passed={"N", "E", "S"})
    other = standing("mensch", spoken=["E", "N", "S"], passed={"S", "E", "N"})
    assert one.key == other.key


def test_the_bids_of_players_who_have_passed_do_not_change_the_key_in_a_duel() -> None:
    said: dict[str, Any] = {"spoken": ["E", "S", "W"], "passed": {"E", "S"}, "holder": "W"}
    one = standing("german-solo", **said, high=2, level={"E": 0, "W": 2}, rival="E")
    other = standing("german-solo", **said, high=2, level={"S": 1, "W": 2}, rival="S")
    assert one.key == other.key


@pytest.mark.parametrize("game", TURNS)
def test_kept_auctions_are_those_of_the_deal(game: str) -> None:
    rng = Random(game)
    for _ in range(tries(8, 60)):
        ways = reachable(random_deal(rules_of(game), rng))
        assert isinstance(ways, _ByCalls)
        assert ways.ends == ways._all_ends()


def test_a_copy_of_an_auction_shares_nothing_that_changes() -> None:
    first = standing("german-solo", **BID)
    copied, key = first.copy(), first.key
    assert copied.key == key
    for name, value in BID.items():
        if isinstance(value, list):
            getattr(copied, name).append("2")
        elif isinstance(value, set):
            getattr(copied, name).add("2")
        elif isinstance(value, dict):
            getattr(copied, name)["2"] = 1
        assert getattr(first, name) == value
    assert first.key == key


# Batches

DRAWN: dict[str, Any] = {
    "samples": 5,
    "seed": 1,
    "belief": "duties",
    "spread": 0.2,
    "discards": "keep-trumps",
    "rank": "made",
}
SAME = {"seconds", "threads", "where"}  # options that cannot change an answer of a batch


def test_every_field_of_a_drawing_is_part_of_the_key() -> None:
    assert {*field_names(Drawing)} == {*DRAWN} | SAME

    def key(**changes: Any) -> bytes:
        drawing = Drawing(**{"samples": 9, "seconds": 0, **changes})
        return Keys(Job.of("score", chances=drawing)).of("a deal")

    for name, value in DRAWN.items():
        assert key(**{name: value}) != key(), name
    assert key(threads=2) == key()


OTHER: dict[str, Any] = {
    "objective": "score",
    "opponents_exchange": "none",
    "contracts": ["solo"],
    "seats": ["N"],
    "trumps": ["S"],
    "chances": Drawing(samples=9, seconds=0),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_option_is_part_of_the_key_and_comes_back(kind: str) -> None:
    given = {"seats": ["E"]} if kind == "best" else {}  # chances need one
    plain = Job.of(kind, **given)
    for name, value in KINDS[kind].items():
        changed = Job.of(kind, **{**given, name: OTHER.get(name, not value)})
        assert Keys(changed).of("a deal") != Keys(plain).of("a deal"), name
        assert Job.parse(str(changed)) == changed
        assert Job.parse(str(changed)).options == changed.options


def test_every_option_of_a_function_can_be_asked_of_a_batch() -> None:
    # Parameters that are the question itself, parameters of effort, and parameters whose value a
    # batch fixes, since they concern the players' totals or are always on.
    question = {"deal", "contract", "play", "surrender", "auction", "evenings"}
    effort = {"solver", "limits", "memory", "threads"}
    always = {"review": {"refutations"}, "score": {"chips", "stake"}}
    # A Drawing is given as separate options.
    for function in (solve, table, best, review, score):
        kind = function.__name__
        options = {*inspect.signature(function).parameters} - question - effort - {"drawing"}
        assert options - always.get(kind, set()) <= {*KINDS[kind]}, kind
    assert {"solve", "table", "best", "review", "score"} == {*KINDS}


def test_keys_have_16_bytes() -> None:
    keys = Keys(Job.of("solve"))
    assert len(keys.of("a deal", "ombre")) == 16
    # Text with bytes that are not UTF-8 has a key, too.
    assert len({keys.of("\udcff", "ombre"), keys.of("\udcfe", "ombre")}) == 2


@pytest.mark.ci
def test_the_digest_covers_every_module_an_answer_is_made_with() -> None:
    program = """
import json, sys
from spadille.batch.answerer import Answerer
from spadille.batch.batch_question import Job
from spadille.analysis.chances.sampling_settings import Drawing
drawing = Drawing(samples=1, seconds=0)
text = open("examples/german-solo.pbn").read().split("\\n\\n")[0]
for job in (Job.of("solve"), Job.of("table"), Job.of("best"), Job.of("review", chances=drawing)):
    assert "error" not in json.loads(Answerer(job).answer(text)), job
print("\\n".join(m.__file__ for n, m in sys.modules.items() if n.partition(".")[0] == "spadille"))
"""
    top = Path(__file__).parents[2]
    path = str(Path(spadille.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r}){program}"],
        capture_output=True,
        text=True,
        cwd=top,
    )
    assert done.returncode == 0, done.stderr
    used = {Path(name) for name in done.stdout.split("\n") if name.endswith(".py")}
    assert len(used) > 80
    assert any("chances" in path.parts for path in used)
    package = Path(spadille.__file__).parent
    beside = {path for path in used if path.relative_to(package).parts[0] in jobs._NO_ANSWERS}
    assert used - beside <= {*jobs.sources()}
    assert not beside


def test_the_digest_changes_with_a_source(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = jobs.engine()
    some = tmp_path / "some.py"
    some.write_text("pass")
    files = [*jobs.sources(), some]
    monkeypatch.setattr(jobs, "sources", lambda: files)
    assert jobs.engine.__wrapped__() != before
