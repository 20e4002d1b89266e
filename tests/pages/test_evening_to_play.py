"""Evenings of new deals: which deals the options of `spadille page --play` choose."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

from spadille.base.errors import TooRareError
from spadille.games import GAMES, rules_for
from spadille.generate.deals_to_play import WantedDeals, deals_to_play
from spadille_cli import main


@pytest.mark.parametrize("game", GAMES)
def test_only_wanted_deals_are_yielded(game: str) -> None:
    rules = rules_for(game)
    kind = next(kind for kind in rules.contracts.values() if kind.side != "individual")
    deals = deals_to_play(rules, 3, wanted=WantedDeals(contracts=(kind.id,)))
    chosen = [contract for _, contract in islice(deals, 4)]
    assert {contract.ids for contract in chosen} == {(kind.id,)}
    seat, trump = chosen[0].declarer, chosen[0].trump
    deals = deals_to_play(rules, 4, wanted=WantedDeals((kind.id,), seat, trump))
    chosen = [contract for _, contract in islice(deals, 2)]
    assert {(contract.declarer, contract.trump) for contract in chosen} == {(seat, trump)}


def test_deals_meet_every_condition() -> None:
    where = ("trumps(1, H) >= 4", "length(2, S) <= 2")
    deals = deals_to_play(rules_for("ombre"), 1, wanted=WantedDeals(where=where))
    for deal, _ in islice(deals, 3):
        assert len({*(deal.hands["1"] or ())} & {*deal.rules.suits("H")["H"]}) >= 4
        assert sum(card[0] == "S" for card in deal.hands["2"] or ()) <= 2


def test_a_contract_with_an_unknown_payoff_can_be_wanted() -> None:
    deals = deals_to_play(rules_for("squint"), 1, candidates=2, wanted=WantedDeals(("nemo",)))
    assert {*next(deals)[1].ids} == {"nemo"}


def test_conditions_that_no_deal_meets_end_the_search() -> None:
    deals = deals_to_play(rules_for("ombre"), 1, wanted=WantedDeals(where=("trumps(1, H) > 11",)))
    with pytest.raises(TooRareError, match="none of 2,000 deals"):
        next(deals)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--contract", "tout"), "Ombre has no contract 'tout'"),
        (("--declarer", "9"), "'9' is not a seat in Ombre: 1 2 3"),
        (("--where", "trumps(1, H"), "column 7: cannot be read"),
        (("--called", "SK"), "--called needs a deal, and the page makes new deals"),
        (("--board", "2"), "--board needs a file, and the page makes new deals"),
        (("--quiz",), "--quiz does not apply to new deals"),
        (("--chances",), "--chances does not apply to new deals"),
    ],
)
def test_options_that_cannot_apply_are_refused(
    words: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    command = ["page", "--game", "ombre", "-n", "1", *words, "-o", str(path)]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2
    assert says in result.stderr
    assert not path.exists()


def test_conditions_need_new_deals(tmp_path: Path) -> None:
    words = ["page", "--game", "ombre", "--where", "trumps(1, H) > 3", "-o", str(tmp_path / "p")]
    result = CliRunner().invoke(main, words)
    assert (result.exit_code, "--where needs --play or -n" in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--play", "SK"), "--play takes a game or, with --deal, the cards played: unknown game"),
        (("--play", "ombr"), "did you mean 'ombre'?"),
        (("--play", "ombre", "--game", "squint"), "name two games: give one"),
        (("--play", "ombre", "deals.pbn"), "the cards played, but not a file"),
        (("--play", "ombre", "--seat", "9"), "'9' is not a seat in Ombre: 1 2 3"),
        (("deals.pbn", "--seat", "1"), "name the declarer with --declarer 1"),
        (("--play", "mensch", "--trump", "NT"), "'NT' is not a trump in Mensch: S H D C"),
        (
            ("--play", "solo-whist", "--contract", "misere", "--trump", "H"),
            "Misère cannot be played with trump H, only NT",
        ),
        (("--play", "ombre", "--quiz"), "--quiz does not apply to"),
        (("--play", "ombre", "--samples", "5"), "--samples needs --chances"),
        (("--deal", "1:", "--game", "ombre", "--play", "SK", "--seed", "1"), "--seed needs"),
    ],
)
def test_play_takes_only_a_game_where_there_is_no_deal(
    words: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    path = tmp_path / "page.html"
    result = CliRunner().invoke(main, ["page", *words, "-o", str(path)])
    assert (result.exit_code, says in result.stderr) == (2, True)
    assert not path.exists()


@pytest.mark.ci
def test_play_names_the_game_of_an_evening(tmp_path: Path) -> None:
    def page(*words: str, **environment: str) -> str:
        path = tmp_path / "page.html"
        command = ["page", *words, "--seed", "7", "-o", str(path)]
        assert CliRunner(env=environment).invoke(main, command).exit_code == 0
        return path.read_text(encoding="utf-8")

    made = page("--game", "mensch", "-n", "2")
    assert page("--play", "mensch", "-n", "2") == made
    assert page("--play", "Mensch", "--game", "mensch", "-n", "2") == made
    assert page("--play", "mensch", "-n", "2", SPADILLE_GAME="squint") == made
    assert page("--play", "mensch").count('<article class="deal"') == 10


@pytest.mark.ci
def test_the_command_writes_the_wanted_deals(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    words = ["page", "--play", "ombre", "-n", "2", "--contract", "solo", "--declarer", "1"]
    words += ["--where", "trumps(1, S) >= 3", "-o", str(path)]
    assert CliRunner().invoke(main, words).exit_code == 0
    assert path.read_text(encoding="utf-8").count("Solo by Player 1") >= 2
