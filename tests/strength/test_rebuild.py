"""A small part of the computation of the tables, repeated and compared with the shipped tables."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("sklearn")  # the `fit` extra

from benchmarks.strength_tables.data_files import DATA, read_data, write_data  # noqa: E402
from benchmarks.strength_tables.draw_hands import TILTS, bits_of, draw_hands  # noqa: E402
from benchmarks.strength_tables.fit_tables import game_data  # noqa: E402
from benchmarks.strength_tables.game_plans import SEED, kinds_of_trumps  # noqa: E402
from benchmarks.strength_tables.model import Sample, fit  # noqa: E402
from benchmarks.strength_tables.sampling import Sampler  # noqa: E402
from benchmarks.strength_tables.single_hands import (  # noqa: E402
    BETWEEN,
    hand_errors,
    main,
    shipped,
)
from spadille.core.strength.strength_tables import GameTables, tables_for  # noqa: E402
from spadille.games import rules_for  # noqa: E402
from spadille.search.engine_strength_table import engine_table  # noqa: E402
from tests.support.hand_value_referee import made_share, mean_payoff  # noqa: E402


def _tables(game: str) -> GameTables:
    tables = tables_for(rules_for(game))
    assert tables is not None
    return tables


def _sampler(game: str, contract: str, kind: int, folder: Path, seed: int = 99) -> Sampler:
    rules = rules_for(game)
    return Sampler(rules, contract, kinds_of_trumps(rules, contract)[kind], folder, seed)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("game", "contract"),
    [("german-solo", "solo"), ("german-solo", "frog"), ("quadrille", "solo")],
)
def test_new_deals_make_as_often_as_predicted(game: str, contract: str, tmp_path: Path) -> None:
    sampler = _sampler(game, contract, 0, tmp_path)
    sample = sampler.sample(6_000, 6_000, note=lambda text: None)
    table = _tables(game).table(contract, sampler.trump)
    assert table is not None
    fast = engine_table(table)
    predicted = np.array(
        [
            fast.made(int(hand), int(position), int(called))
            for hand, position, called in zip(
                sample.hands, sample.position, sample.called, strict=True
            )
        ]
    )
    for low, high in ((0, 0.2), (0.2, 0.8), (0.8, 1.01)):
        here = (predicted >= low) & (predicted < high)
        if here.sum() < 200:
            continue
        sampling = 4 * np.sqrt(0.25 / here.sum())
        assert sample.made[here].mean() == pytest.approx(predicted[here].mean(), abs=sampling)


@pytest.mark.ci
def test_chunks_come_from_seeds_and_files(tmp_path: Path) -> None:
    first = _sampler("german-solo", "tout", 0, tmp_path / "a").sample(900, 400, lambda text: None)
    notes: list[str] = []
    again = _sampler("german-solo", "tout", 0, tmp_path / "a").sample(900, 400, notes.append)
    assert notes == []  # no chunk was missing
    other = _sampler("german-solo", "tout", 0, tmp_path / "b").sample(900, 400, notes.append)
    assert len(notes) == 3
    for one in (again, other):
        assert (one.hands == first.hands).all()
        assert (one.made == first.made).all()
        assert (one.payoff == first.payoff).all()


def test_a_hand_without_a_tilt_is_like_any_other() -> None:
    worth = np.linspace(0, 2, 32)
    rng = np.random.default_rng(1)
    for tilts, equal in (((0.0,), True), (TILTS, False)):
        places = draw_hands(rng, worth, 8, 20_000, tilts)
        assert (np.sort(places, axis=1)[:, 1:] > np.sort(places, axis=1)[:, :-1]).all()
        share = np.bincount(places.ravel(), minlength=32) / len(places)
        assert (np.abs(share - 0.25) < 0.02).all() == equal


def test_the_model_and_the_tables_score_alike(tmp_path: Path) -> None:
    """The numpy vectors and `HandTable` agree on the same data."""
    sampler = _sampler("german-solo", "frog", 1, tmp_path)
    sample = sampler.sample(1_500, 1_500, note=lambda text: None)
    fitted = fit(sampler.shape, sample, False, 3, brief=True)
    assert fitted.scores(sample).shape == (1_500, 1)
    share, payoff = fitted.predict(sample)
    assert ((share >= 0) & (share <= 1)).all()
    assert payoff == pytest.approx(share * fitted.payoffs[1])
    none = Sample.unsolved(sample.hands, sample.position, sample.called)
    assert (fitted.scores(none) == fitted.scores(sample)).all()


@pytest.mark.ci
@pytest.mark.parametrize(
    ("game", "contract", "trump", "wide"),
    [
        ("german-solo", "", "H", False),
        ("quadrille", "solo", "H", True),
        ("quadrille", "alliance", "H", True),
        ("mensch", "five", "H", True),
        ("anna-cubed", "abundance", "H", False),
        ("anna-cubed", "solo", "H", True),
        ("anna-cubed", "solo", "NT", True),
    ],
)
def test_the_whole_of_it_on_few_hands(
    game: str, contract: str, trump: str, wide: bool, tmp_path: Path
) -> None:
    """The model in numpy and the strength table agree; some contracts have a wide layer."""
    if wide:
        pytest.importorskip("torch")
    data, models = game_data(
        game,
        tmp_path,
        scale=0.0004,
        chunk=400,
        seed=5,
        only=[contract] if contract else (),
        trump=trump if game == "anna-cubed" else "",
        note=lambda text: None,
    )
    write_data(data, tmp_path / "one.gz")
    write_data(data, tmp_path / "two.gz")
    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    tables = GameTables(rules_for(game), data)
    contract = contract or "solo"
    (part,) = (part for part in data["contracts"][contract] if trump in part["units"])
    assert ("wide" in part) == wide
    model = next(m for m in models if m.contract == contract and trump in m.sampler.trumps)
    table = tables.table(contract, trump)
    assert table is not None
    sample = model.sampler.sample(50, 400, note=lambda text: None).part(np.arange(50))
    share, payoff = model.fitted.predict(sample)
    for row in range(50):
        of_hand = (int(each[row]) for each in (sample.hands, sample.position, sample.called))
        hand, position, called = of_hand
        assert made_share(table, hand, position, called) == pytest.approx(share[row], abs=2e-4)
        assert mean_payoff(table, hand, position, called) == pytest.approx(payoff[row], abs=0.02)


@pytest.mark.ci
def test_only_the_chosen_table_is_replaced(tmp_path: Path) -> None:
    kept = read_data(DATA / "german-solo.json.gz")
    data, models = game_data(
        "german-solo",
        tmp_path,
        scale=0.0004,
        chunk=400,
        only=["frog"],
        trump="H",
        kept=kept,
        note=lambda text: None,
    )
    assert [model.sampler.trump for model in models] == ["H"]
    for contract, parts in data["contracts"].items():
        for part in parts:
            chosen = contract == "frog" and "H" in part["units"]
            assert (part in kept["contracts"][contract]) != chosen
        assert len(parts) == len(kept["contracts"][contract])


def test_single_hands_go_on_where_they_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "errors"
    for hands in (1, 3):
        arguments = f"single_hands mensch seven C --hands {hands} --layouts 40 --into {file}"
        monkeypatch.setattr("sys.argv", arguments.split())
        main()
    sampler = _sampler("mensch", "seven", 1, tmp_path, SEED)
    predict = shipped(sampler.rules, "seven", sampler.trump)
    errors = [*islice(hand_errors(sampler, predict, 40), 3)]
    assert file.read_text().splitlines() == [f"{error.share} {error.payoff}" for error in errors]
    share = sum(error.share for error in errors) / 3
    assert f"3 hands: shares {100 * share:.1f} points off" in capsys.readouterr().out


def test_single_hands_find_a_prediction_that_is_wrong(tmp_path: Path) -> None:
    sampler = _sampler("german-solo", "tout", 0, tmp_path)
    predict = shipped(sampler.rules, "tout", sampler.trump)

    def reversed_shares(sample: Sample) -> tuple[np.ndarray, np.ndarray]:
        share, payoff = predict(sample)
        return sum(BETWEEN) - share, -payoff

    true, wrong = (
        np.mean([*islice(hand_errors(sampler, each, 100), 6)], axis=0)
        for each in (predict, reversed_shares)
    )
    assert true[0] < 0.1 < wrong[0]
    assert true[1] < wrong[1]


def test_bits_are_those_of_the_engine(tmp_path: Path) -> None:
    code = _sampler("ombre", "solo", 0, tmp_path).code
    places = np.array([[0, 5, 39]])
    assert int(bits_of(code, places)[0]) == sum(code.bits[code.rules.deck[n]] for n in (0, 5, 39))
