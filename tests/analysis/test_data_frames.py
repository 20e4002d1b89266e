"""Results as flat rows and as data frames."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import spadille
from spadille import ArgumentError, Deal

TOP = Path(__file__).parents[2]
DEAL = Deal.parse("german-solo N:AK.AKQ.8.Q7 T987.JT9.T. QJ.87.A.AKJ ..KQJ97.T98")
FROG = "N frog H DA"


def test_a_row_is_flat_and_has_plain_values() -> None:
    result = spadille.solve(DEAL, FROG, objective="score", leads=True, line=True)
    row = result.row()
    assert all(type(cell) in (str, int, float, bool, type(None)) for cell in row.values())
    fields = result.to_dict()
    for name in ("declarer", "contract", "trump", "called", "tricks", "makes", "margin", "nodes"):
        assert row[name] == fields[name]
    assert {seat: row[f"score_{seat}"] for seat in "NESW"} == result.score
    assert row["sides"] == "N S"
    assert row["leads_S7"] == result.leads["S7"]
    assert "line" not in row


def test_several_contractors_have_columns_by_seat() -> None:
    result = spadille.solve(Deal.random("squint", seed=4), "1 3 misere misere")
    row = result.row()
    assert (row["tricks_1"], row["tricks_3"]) == (result["1"].tricks, result["3"].tricks)
    assert row["declarer"] == "1 3"


def test_many_results_become_a_frame_with_a_row_each() -> None:
    pandas = pytest.importorskip("pandas")
    questions = [(Deal.random("german-solo", seed), "N solo H") for seed in range(5)]
    frame = spadille.to_frame(spadille.solve_many([*questions, (DEAL, "N bolo")]))
    results = [spadille.solve(*question) for question in questions]
    assert isinstance(frame, pandas.DataFrame)
    assert [*frame["result"]] == [0, 1, 2, 3, 4, 5]
    assert [*frame["tricks"][:5]] == [result.tricks for result in results]
    assert [*frame["score_N"][:5]] == [(result.score or {})["N"] for result in results]
    assert pandas.isna(frame["tricks"][5])
    assert "bolo" in frame["error"][5]
    assert {name: str(frame[name].dtype) for name in ("tricks", "makes", "contract", "ms")} == {
        "tricks": "Int64",
        "makes": "boolean",
        "contract": "string",
        "ms": "Float64",
    }


@pytest.mark.ci
def test_results_with_parts_have_a_row_for_each() -> None:
    pytest.importorskip("pandas")
    table = spadille.table(DEAL, "solo")
    best, cards = spadille.best(DEAL), spadille.card_values(DEAL, FROG)
    review = spadille.review(DEAL, FROG, "HT H8 C8 HA")
    scores = spadille.score(spadille.load(TOP / "examples" / "evenings" / "ombre.pbn"))
    offers = [offer for own in best.seats.values() for offer in own]
    for result, parts in [
        (table, table.rows),
        (best, offers),
        (cards, cards.cards),
        (review, review.steps),
        (scores, scores.deals),
    ]:
        frame = spadille.to_frame(result)
        assert len(frame) == len(parts) > 0
        assert {*frame["result"]} == {0}
    assert [*spadille.to_frame(cards)["card"]] == [card.card for card in cards.cards]
    assert len(spadille.to_frame([table, table])) == 2 * len(table.rows)


def test_a_score_that_is_not_known_has_no_column_of_its_own() -> None:
    pytest.importorskip("pandas")
    known = spadille.solve(DEAL, FROG)
    ending = Deal.parse("german-solo N:A... K... Q... J... leader=N")
    unknown = spadille.solve(ending, "N solo H")
    assert unknown.score is None
    frame = spadille.to_frame([known, unknown])
    assert "score" not in frame
    assert frame["score_N"].isna().tolist() == [False, True]


def test_other_libraries_make_frames_too() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    found = spadille.to_frame(spadille.table(DEAL, "solo"), "pyarrow")
    assert isinstance(found, pyarrow.Table)
    assert found.num_rows == 16


def test_what_makes_no_frame_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for wrong in (7, [7], "text"):
        with pytest.raises(ArgumentError, match="to_frame takes results"):
            spadille.to_frame(wrong)
    with pytest.raises(ArgumentError, match="use pandas, polars or pyarrow"):
        spadille.to_frame([], "numpy")  # type: ignore[arg-type]
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError):
        spadille.to_frame([])


def test_a_missing_library_is_named_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    asked = iter([(DEAL, FROG)])
    with pytest.raises(ImportError, match="pip install polars, or give library='pandas' or"):
        spadille.to_frame(spadille.solve_many(asked), library="polars")
    assert [*asked], "no question was taken"
