"""The hand file made from a table, and the places of faults in it (docs/score.md)."""

from __future__ import annotations

import pytest

from spadille.pbn.evening_csv import evening_document


def tags(text: str, game: str | None = "german-solo") -> list[dict[str, str]]:
    return [
        {tag.name: tag.value for tag in deal.tags} for deal in evening_document(text, game).games
    ]


def only(names: str, cells: str, game: str | None = "german-solo") -> dict[str, str]:
    (found,) = tags(f"{names}\n{cells}\n", game)
    return {name: value for name, value in found.items() if name != "Deal"}


@pytest.mark.parametrize(
    ("names", "cells", "found"),
    [
        ("deal,declarer", "7,S", {"Board": "7", "Declarer": "S"}),
        ("board,declarer", "7,S", {"Board": "7", "Declarer": "S"}),
        ("rules,declarer", "color=H,S", {"Rules": "color=H", "Declarer": "S"}),
        ("dealer,declarer", "W,S", {"Dealer": "W", "Declarer": "S"}),
        ("contract,trump", "solo,H", {"Contract": "solo", "Trump": "H"}),
        ("contract,called", "frog,SA", {"Contract": "frog", "Called": "SA"}),
        ("contract,partner", "frog,E", {"Contract": "frog", "Partner": "E"}),
        ("contract,penalty", "nemo,H", {"Contract": "nemo", "Penalty": "H"}),
        ("contract,surrender", "entrada,3@2", {"Contract": "entrada", "Surrender": "3@2"}),
        ("contract,pool", "solo,9", {"Contract": "solo", "Pool": "9"}),
        ("contract,pool before", "solo,9", {"Contract": "solo", "Pool": "9"}),
        ("contract,current trump", "solo,H", {"Contract": "solo", "CurrentTrump": "H"}),
        ("contract,from hand", "solo,3", {"Contract": "solo", "FromHand": "3"}),
        # Tricks of the side, of all seats in one cell, or in a column for each seat.
        ("contract,tricks", "solo,5", {"Contract": "solo", "Result": "5"}),
        ("contract,tricks won", "solo,5", {"Contract": "solo", "Result": "5"}),
        ("contract,result", "solo,5", {"Contract": "solo", "Result": "5"}),
        ("contract,tricks", "solo,N:5;E:3", {"Contract": "solo", "Tricks": "N:5;E:3"}),
        ("contract,tricks n,tricks w", "solo,5,3", {"Contract": "solo", "Tricks": "N:5;W:3"}),
        ("contract,points n,points w", "solo,5,-3", {"Contract": "solo", "Paid": "N:5;W:-3"}),
        # Names of all players clockwise, or one for each seat; a seat's own letter is not a name.
        (
            "contract,players",
            '"solo","A, B; C/D"',
            {"Contract": "solo", "North": "A", "East": "B", "South": "C", "West": "D"},
        ),
        ("contract,players", "solo,A/B", {"Contract": "solo", "North": "A", "East": "B"}),
        ("contract,player n,east", "solo,A,B", {"Contract": "solo", "North": "A", "East": "B"}),
        ("contract,player n", "solo,N", {"Contract": "solo"}),
        ("contract,N,E", "solo,Nora,+12", {"Contract": "solo", "North": "Nora"}),
        ("contract,player s,players", "solo,A,B/C/D/E",
         {"Contract": "solo", "South": "A", "North": "B", "East": "C", "West": "E"}),
        # Neither contract nor declarer: passed out. Other columns have no effect.
        ("deal,notes", "7,nothing", {"Board": "7", "Contract": "Pass"}),
        ("deal,contract,zebra", "7,,x", {"Board": "7", "Contract": "Pass"}),
    ],
)  # fmt: skip
def test_columns(names: str, cells: str, found: dict[str, str]) -> None:
    assert only(names, cells) == found


@pytest.mark.parametrize("name", ["current trump", "Current_Trump", " CURRENT-TRUMP "])
def test_capitals_and_blanks_make_no_difference(name: str) -> None:
    assert only(f"contract,{name}", "solo,H")["CurrentTrump"] == "H"


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_and_quotes(mark: str, end: str) -> None:
    others = ",;\t".replace(mark, "")
    rows = [["deal", "contract", "players"], ["1", "solo", f"A{others[0]}B"], ["", "", ""]]
    rows += [["2", '"solo"', '"A ""the"" B"'], ["3", '""', ""]]
    if end == "\r":  # the first row determines the separator
        rows = rows[:4]
    text = end.join(mark.join(row) for row in rows)
    found = tags(text)
    assert [deal["Board"] for deal in found] == ["1", "2", "3"][: len(found)]
    assert len(found) == (2 if end == "\r" else 3)
    assert [deal["Contract"] for deal in found[:2]] == ["solo", "solo"]
    assert found[1]["North"] == 'A \\"the\\" B'.replace("\\", "")


def test_text_behind_a_quote_belongs_to_the_cell() -> None:
    assert only("deal,contract", '1,"so"lo')["Contract"] == '"so"lo'
    assert only("deal,contract", '1,"solo')["Contract"] == '"solo'


def test_seats_are_those_of_the_game() -> None:
    (found,) = tags("game,contract,players\nombre,solo,A/B/C\n", None)
    assert found["Deal"] == "1:- - -"
    assert {name: found[name] for name in ("Player1", "Player2", "Player3")} == {
        "Player1": "A",
        "Player2": "B",
        "Player3": "C",
    }
    (found,) = tags("contract,player 2,tricks 3\nsolo,B,4\n", "ombre")
    assert (found["Player2"], found["Tricks"]) == ("B", "3:4")
    (found,) = tags("contract,tricks n\nsolo,4\n", None)  # an unknown game has no seats
    assert found == {"Contract": "solo"}
    assert tags("", None) == tags("deal,contract\n") == []


def test_places_are_those_of_the_cells() -> None:
    text = 'deal,contract,"players"\n1, solo,"A, B"\n\n22,"""x",C\n'
    document = evening_document(text, "german-solo")
    places = [
        [(tag.name, document.position(tag.offset(0))) for tag in deal.tags]
        for deal in document.games
    ]
    first, second = (dict(each) for each in places)
    assert (first["Board"], first["Contract"], first["North"]) == ((2, 1), (2, 3), (2, 10))
    assert first["Deal"] == (2, 1)
    assert (second["Board"], second["Contract"], second["North"]) == ((4, 1), (4, 5), (4, 10))
