"""The goulash of Anna Cubed: cards dealt again unshuffled, by the command and in an evening."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

from spadille.base.card_text import sort_cards
from spadille.base.errors import DealError, RulesError
from spadille.core.deal import Deal
from spadille.games import GAMES
from spadille.pbn.hand_file import load, read
from spadille_cli import main
from tests.support.evenings import codes, evening, hand, names

NEXT = {"N": "E", "E": "S", "S": "W", "W": "N"}


def dealt_again(deal: Deal, dealer: str) -> dict[str, set[str]]:
    """A goulash card by card.

    "The cards are collected up starting at the player to the dealer's left, left unshuffled and
    re-dealt": four cards to the player on the dealer's left and three to each other, then four to
    the next player, and so on.
    """
    pile: list[str] = []
    seat = deal.dealer
    for _ in range(4):
        seat = NEXT[seat]
        own = deal.hands[seat]
        assert own is not None
        for suit in "SHDC":
            pile += [suit + rank for rank in "AKQJT98765432" if suit + rank in own]
    hands: dict[str, set[str]] = {seat: set() for seat in "NESW"}
    for favored in range(4):
        seat = dealer
        for number in range(4):
            seat = NEXT[seat]
            for _ in range(4 if number == favored else 3):
                hands[seat].add(pile.pop(0))
    assert pile == []
    return hands


def test_the_cards_go_where_the_document_says() -> None:
    random = Random(1)
    for seed in range(200):
        deal = Deal.random("anna-cubed", seed)
        dealer = random.choice("NESW")
        again = deal.goulash(dealer)
        assert {seat: set(cards or ()) for seat, cards in again.hands.items()} == dealt_again(
            deal, dealer
        )
        assert all(cards == sort_cards(cards or ()) for cards in again.hands.values())
        order = "HCDS"
        trump = deal.current_trump or ""
        assert again.current_trump == dict(zip([*order, "NT"], [*order[1:], "NT", "H"]))[trump]  # noqa: B905
        assert deal.goulash() == deal.goulash(deal.dealer)
        assert again.dealer == dealer


def test_each_hand_is_spread_four_and_three() -> None:
    """A round deals thirteen cards, so one player gets four cards of each old hand."""
    deal = Deal.random("anna-cubed", 5, dealer="W")
    again = deal.goulash()
    for number, old in enumerate("NESW"):
        held = Counter(again.holder(card) for card in deal.hands[old] or ())
        assert held == {seat: 4 if place == number else 3 for place, seat in enumerate("NESW")}


def test_what_has_no_goulash() -> None:
    for game in GAMES:
        if game != "anna-cubed":
            with pytest.raises(DealError, match="has no goulash"):
                Deal.random(game, 0).goulash()
    with pytest.raises(RulesError, match="not a seat"):
        Deal.random("anna-cubed", 0).goulash("5")
    for text in ("N:A.KQJ.. - - -", "N:A.K.Q. K.A.. Q.Q.. J.J.."):
        with pytest.raises(DealError):
            Deal.parse(text, "anna-cubed", leader="N").goulash()


# An evening


def passed(deal: Deal) -> str:
    return hand(deal, Contract="Pass")


def test_an_evening_is_dealt_again_after_a_pass() -> None:
    first = replace(Deal.random("anna-cubed", 1), current_trump="H")
    second = first.goulash()
    third = second.goulash(NEXT[second.dealer])  # the documents do not say who deals a goulash
    played = hand(third.goulash(), "N misere", Result="0")
    other = hand(replace(Deal.random("anna-cubed", 2), current_trump="NT"), "N misere", Result="0")
    found = evening(passed(first), passed(second), passed(third), played, other)
    assert [codes(each) for each in found] == [[]] * 5
    swapped = replace(
        second, hands={**second.hands, "N": second.hands["E"], "E": second.hands["N"]}
    )
    shuffled = replace(Deal.random("anna-cubed", 3), current_trump="C")
    for wrong in (swapped, shuffled):
        _, found_ = evening(passed(first), passed(wrong))
        (warning,) = found_.warnings
        assert (warning.code, warning.tag) == ("goulash-differs", "Deal")
    assert f"{first.dealer} deals its cards" not in warning.message or first.dealer == wrong.dealer


def test_unknown_hands_and_problems_are_no_goulash() -> None:
    first = replace(Deal.random("anna-cubed", 1), current_trump="H")
    known = first.goulash()
    hidden = replace(known, hands={**known.hands, "N": None, "E": None})
    other = replace(Deal.random("anna-cubed", 2), current_trump="C")
    posed = hand(other, Contract="Pass", Question="Who deals?")
    found = evening(passed(first), posed, passed(hidden), passed(replace(other, current_trump="D")))
    assert [codes(each) for each in found] == [[]] * 4


def test_other_games_shuffle() -> None:
    for game in ("ombre", "solo-whist"):
        assert all(
            "goulash-differs" not in codes(one)
            for one in evening(passed(Deal.random(game, 0)), passed(Deal.random(game, 1)))
        )


# The command


def run(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["deal", *words], input=text)


def test_the_command_makes_the_next_deal(tmp_path: Path) -> None:
    path = tmp_path / "evening.pbn"
    deal = replace(Deal.random("anna-cubed", 1), current_trump="S")
    tags = names("NESW", "Anna Bert Cleo Dirk")
    path.write_text(hand(deal, Contract="Pass", Board="7", Event="Friday", **tags))
    done = run("anna-cubed", "--goulash", str(path))
    assert (done.exit_code, done.stderr) == (0, "")
    (entry,) = read(done.stdout)
    assert entry.deal == deal.goulash()
    assert entry.findings == []
    assert (entry.board, entry.game.get("Event")) == ("8", "Friday")
    assert entry.players == dict(zip("NESW", ["Anna", "Bert", "Cleo", "Dirk"], strict=True))
    assert run("--goulash", str(path)).stdout == done.stdout
    other = run("--goulash", str(path), "--dealer", NEXT[deal.dealer].lower())
    assert read(other.stdout)[0].deal == deal.goulash(NEXT[deal.dealer])
    # Appended to the evening, it becomes the next deal, and the same works again.
    for _ in range(3):
        more = run("--goulash", str(path)).stdout
        path.write_text(path.read_text() + more.replace('[Contract "?"]', '[Contract "Pass"]'))
    found = evening(path.read_text())
    assert [codes(each) for each in found] == [["trump-out-of-turn"], [], [], []]
    assert [entry.deal and entry.deal.current_trump for entry in load(path)] == [
        "S",
        "NT",
        "H",
        "C",
    ]


def test_the_trump_whose_turn_it_is_need_not_be_named() -> None:
    texts = [passed(replace(Deal.random("anna-cubed", 1), current_trump=None))]
    (entry,) = read(run("--goulash", "-", text="\n".join(texts)).stdout)
    assert entry.deal is not None
    assert entry.deal.current_trump == "C"


@pytest.mark.parametrize(
    ("words", "text", "status", "told"),
    [
        (("-n", "2"), "", 2, "-n cannot be combined with --goulash"),
        (("--seed", "0"), "", 2, "--seed cannot be combined with --goulash"),
        (("--hand", "N=AK..."), "", 2, "--hand cannot be combined with"),
        ((), hand(Deal.random("anna-cubed", 1), "N misere"), 2, "was not passed out"),
        ((), passed(Deal.random("ombre", 1)), 2, "Ombre has no goulash"),
        (("--dealer", "1"), passed(Deal.random("anna-cubed", 1)), 2, "'1' is not a seat"),
        ((), passed(Deal.random("anna-cubed", 1)).replace("Contract", "Contract]"), 3, ""),
        ((), "", 3, "no deals in -"),
    ],
)
def test_what_cannot_be_dealt_again(
    words: tuple[str, ...], text: str, status: int, told: str
) -> None:
    done = run("--goulash", "-", *words, text=text)
    assert done.exit_code == status
    assert told in done.stderr
    assert done.stdout == ""
    assert run("--goulash", "nowhere.pbn").exit_code == 3


@pytest.mark.parametrize(
    ("letters", "ranks", "trump"),
    [
        ("de", {"Q": "D", "J": "B", "T": "10"}, "Herz"),
        ("fr", {"K": "R", "Q": "D", "J": "V", "T": "10"}, "Coeur"),
        ("nl", {"K": "H", "Q": "V", "J": "B", "T": "10"}, "Harten"),
    ],
)
def test_a_file_in_other_letters_is_dealt_again_in_english(
    letters: str, ranks: dict[str, str], trump: str, tmp_path: Path
) -> None:
    """The new deal is a PBN file for every program, so its letters are English."""
    deal = replace(Deal.random("anna-cubed", 3), current_trump="H")
    english = passed(deal)
    lines = [
        "".join(ranks.get(letter, letter) for letter in line.partition(":")[2]).join(
            (line.partition(":")[0] + ":", "")
        )
        if line.startswith("[Deal ")
        else line.replace('CurrentTrump "H"', f'CurrentTrump "{trump}"')
        for line in english.splitlines()
    ]
    path = tmp_path / "evening.pbn"
    path.write_text("\n".join(lines), encoding="utf-8")
    done = run("anna-cubed", "--goulash", str(path), "--letters", letters)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == run("--goulash", "-", text=english).stdout
    assert read(done.stdout)[0].deal == deal.goulash()
    # Without the option, the letters of the file are faults, and nothing is dealt.
    refused = run("--goulash", str(path))
    assert (refused.exit_code, refused.stdout) == (3, "")
    assert f"--letters {letters}" in refused.stderr or "did you mean" in refused.stderr
