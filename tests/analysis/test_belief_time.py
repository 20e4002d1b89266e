"""The time limit includes the estimate of how many layouts fit the calls; Ctrl-C ends it."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from spadille import Deal, chances, load
from spadille.analysis.chances import sampling_loop
from spadille.analysis.chances.belief import _Calls
from spadille.analysis.chances.card_chances import CardStrategy
from spadille.analysis.chances.contract_chances import ContractStrategy
from spadille.analysis.chances.sampling_loop import Clock, Sampling
from spadille.analysis.chances.sampling_settings import Drawing
from spadille.core.knowledge.seat_knowledge import know
from spadille.core.recorded_auction import Auction
from spadille_cli import main
from spadille_cli.exit_status import Status
from tests.analysis.test_belief import opening

SOLO = (
    '[Game "german-solo"]\n[Dealer "N"]\n[Deal "E:AK9.K8.T9.8 - - -"]\n'
    '[Declarer "W"]\n[Contract "solo"]\n[Trump "D"]\n'
)
HEARD = (
    '[Game "german-solo"]\n[Dealer "E"]\n[Deal "E:AK9.K8.T9.8 - - -"]\n'
    '[Auction "S"]\nPass Frog Pass Pass\n'
)


class Draws:
    """Draws layouts with a clock that advances by a second at each call."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, none_fit: bool = False) -> None:
        self.number = 0
        drawn = _Calls.drawn

        def counted(calls: _Calls, *settings: int) -> list[int]:
            self.number += 1
            return [] if none_fit else drawn(calls, *settings)

        monkeypatch.setattr(_Calls, "drawn", counted)
        monkeypatch.setattr(sampling_loop, "perf_counter", lambda: float(self.number))


def test_a_quarter_of_the_time_may_pass_before_the_first_layout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deal, contract = opening()
    whole = CardStrategy(know(deal, contract, assumptions=Drawing()), Drawing(seconds=0))
    draws = Draws(monkeypatch)
    drawing = Drawing(seconds=8)
    strategy = CardStrategy(know(deal, contract, assumptions=drawing), drawing)
    assert draws.number == 2
    assert strategy.prepared == 2
    assert strategy.hurried
    belief, unlimited = strategy._belief, whole._belief
    assert (belief.kind, unlimited.kind) == ("auction", "auction")
    assert not whole.hurried
    assert belief.acceptance is not None
    assert 0 < belief.acceptance * 2_048 == round(belief.acceptance * 2_048)
    # The remaining time is for the layouts.
    clocks: list[Clock] = []
    monkeypatch.setattr(strategy, "blocks", lambda clock: clocks.append(clock) or ())
    for _ in Sampling(strategy).steps():
        pass
    assert clocks[0].until == 8


def test_time_may_run_out_before_a_layout_fits_the_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    deal, contract = opening()
    draws = Draws(monkeypatch, none_fit=True)
    strategy = CardStrategy(
        know(deal, contract, assumptions=Drawing()), Drawing(seconds=12), double_dummy=False
    )
    assert draws.number == 3
    assert (strategy._belief.kind, strategy._belief.acceptance) == ("duties", None)
    assert str(strategy._belief) == (
        "duties; Time ran out before a layout was found that fits the calls, so only duties to "
        "bid are taken into account"
    )
    assert strategy.hurried


def test_time_may_run_out_while_layouts_are_weighed(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = load("examples/german-solo.pbn")[0]
    assert entry.deal is not None
    assert entry.contract is not None
    assert entry.play is not None
    known = know(entry.deal, entry.contract, play=entry.play.cards[:25], assumptions=Drawing())
    assert known.heard
    seconds = iter(range(10**6))
    monkeypatch.setattr(sampling_loop, "perf_counter", lambda: float(next(seconds)))
    strategy = CardStrategy(known, Drawing(seconds=4), double_dummy=False)
    assert strategy._belief.kind == "duties"
    assert strategy.hurried


def test_a_hurried_answer_is_not_repeatable() -> None:
    deal, contract = opening()
    drawing = Drawing(seconds=0, samples=16)
    strategy = CardStrategy(know(deal, contract, assumptions=drawing), drawing, double_dummy=False)
    strategy.hurried = True
    assert not Sampling(strategy).run().repeatable
    assert chances(deal, contract, drawing=drawing, double_dummy=False).repeatable


def test_contracts_share_their_time_with_the_calls_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    deal = Deal.random("german-solo", 5)
    draws = Draws(monkeypatch)
    strategy = ContractStrategy(
        deal, "W", "solo", auction=Auction("Frog Pass", "E"), drawing=Drawing(seconds=8)
    )
    assert strategy.prepared == draws.number == 2
    assert strategy.hurried


def test_an_interruption_before_the_first_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> list[int]:
        raise KeyboardInterrupt

    monkeypatch.setattr(_Calls, "drawn", interrupted)
    for words, text in (
        (("cards", "--chances"), SOLO),
        (("best", "--chances", "--seat", "E"), HEARD),
    ):
        result = CliRunner().invoke(main, [*words, "-"], input=text)
        assert result.exit_code == Status.INTERRUPTED, result.stderr
        assert "spadille: interrupted" in result.stderr
        assert not result.stdout
