"""Playing an evening of new deals, and going from deal to deal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import spadille
from spadille import rules_for
from spadille.pages.evening_to_play import evening_to_play
from spadille_cli import main
from spadille_cli.exit_status import Status
from tests.pages.test_board import settled
from tests.pages.test_board_from_a_seat import CARD, HANDS, my_turn
from tests.pages.test_board_size import SIZES
from tests.pages.test_page import block
from tests.support.browsers import on_paper


@pytest.mark.ci
def test_an_evening_to_play_is_the_same_for_the_same_seed() -> None:
    rules = rules_for("german-solo")
    first, same, other = (block(evening_to_play(rules, 3, seed)) for seed in (7, 7, 8))
    assert len(first["deals"]) == 3
    assert first == same
    assert [deal["hands"] for deal in first["deals"]] != [deal["hands"] for deal in other["deals"]]
    assert all(deal["views"] and not deal["play"] for deal in first["deals"])


def test_an_evening_offers_the_seat_of_the_command(visit):
    rules = rules_for("german-solo")
    for seat in rules.seats:
        page = visit(evening_to_play(rules, 1, 7, seat=seat))
        assert page.get_by_label("Sit at").input_value() == seat
    page.get_by_role("button", name="Play this deal").click()
    page.locator(f".felt .seat.at-bottom[data-seat='{seat}']").wait_for()


@pytest.mark.ci
def test_the_command_writes_an_evening_and_refuses_files_with_it(tmp_path: Path) -> None:
    path = tmp_path / "table.html"
    words = ["page", "--game", "german-solo", "-n", "1", "--seed", "7"]
    assert CliRunner().invoke(main, [*words, "-o", str(path)]).exit_code == Status.DONE
    found = block(path.read_text(encoding="utf-8"))
    rules = rules_for("german-solo")
    assert found["deals"] == block(evening_to_play(rules, 1, 7))["deals"]
    for more, said in ((str(HANDS), "do not name a file"), ("--samples=5", "--samples needs")):
        result = CliRunner().invoke(main, [*words, more, "-o", str(path)])
        assert result.exit_code == Status.USAGE
        assert said in result.stderr


def to_the_end(page) -> None:
    while my_turn(page):
        page.locator(CARD).first.click()
        page.wait_for_timeout(100)


def test_after_a_deal_the_next_one_is_offered(visit):
    """In an evening to play, the next deal that has not been played begins at once."""
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    page.locator(".start").nth(1).click()
    to_the_end(page)
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Next deal").click()
    to_the_end(page)
    assert "#deal=1&" in page.url
    assert page.locator(".report:visible").count() == 1
    assert page.get_by_role("button", name="Next deal").count() == 0


def test_the_next_deal_is_played_from_the_seat_chosen_last(visit):
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    seat = page.locator(".start-form select").nth(1).input_value()
    other = next(each for each in "ESWN" if each != seat)
    page.get_by_label("Sit at").first.select_option(other)
    page.locator(".start").first.click()
    claimed(page)
    page.get_by_role("button", name="Next deal").click()
    page.locator(f"#deal-2 .felt .seat.at-bottom[data-seat='{other}'] button.card").first.wait_for()
    assert page.locator(".start-form").count() == 0


def claimed(page) -> None:
    assert my_turn(page)
    page.locator(".claims select").select_option("0")
    page.locator(".claims").get_by_role("button", name="Claim").click()
    page.locator(".report:not([hidden])").wait_for()


@pytest.mark.parametrize(
    "size", [(1280, 720), pytest.param((768, 1024), marks=pytest.mark.slow), (360, 740)]
)
def test_the_result_leaves_the_table_in_sight_and_can_be_opened_again(visit, size):
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.locator(".start").first.click()
    claimed(page)
    report, said = page.locator(".report"), page.locator(".report").inner_text()
    table, box = page.locator(".felt").bounding_box(), report.bounding_box()
    if size[0] > 960:
        assert box["x"] >= table["x"] + table["width"]
    else:
        assert box["height"] <= size[1] / 2
        assert box["y"] >= table["y"] + table["height"] / 3
    page.get_by_role("button", name="Close").click()
    for name in ("Result", "Next deal"):
        button = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert button["height"] >= 44
        assert button["y"] + button["height"] <= size[1], name
    page.get_by_role("button", name="Result", exact=True).click()
    assert report.inner_text() == said
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Next deal").click()
    page.locator("#deal-2 .felt button.card").first.wait_for()
    assert page.get_by_role("button", name="Next deal").count() == 0
    page.get_by_role("button", name="Result", exact=True).click()
    assert report.first.inner_text().startswith(said.split("\n")[0])


def test_a_report_of_several_errors_is_in_view(visit):
    """It has one line for each error."""
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    page.locator(".start").first.click()
    claimed(page)
    page.locator(".report .errors").evaluate("""(errors) => {
        errors.replaceChildren(...[2, 4, 5, 7].map((trick) => {
            const line = document.createElement("li"), error = document.createElement("details");
            error.append(document.createElement("summary"), document.createElement("p"));
            error.firstChild.textContent = `Trick ${trick}, ♥10: gives the contract away`;
            line.append(error);
            return line;
        }));
        // The result without a claim.
        errors.closest(".report").querySelector("li").textContent =
            "3 tricks for the declaring side, contract defeated. It pays you -24.";
    }""")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        high, room = page.locator(".report").evaluate(
            "(report) => [report.scrollHeight, report.clientHeight]"
        )
        assert high <= room + 1, (width, height)


@pytest.mark.in_firefox
def test_the_next_deal_of_a_recorded_evening_is_shown(visit):
    page = visit(spadille.page(spadille.load(HANDS)[:2]), "#deal=1&at=28")
    settled(page)
    page.keyboard.press("g")
    page.locator(".felt .closed").first.wait_for()
    assert my_turn(page)
    page.locator(CARD).first.click()
    assert not my_turn(page)
    page.get_by_role("button", name="Next deal").click()
    assert page.evaluate("document.activeElement.className") == "start"
    assert page.locator("#deal-2 .start").bounding_box()["y"] < 720


def test_deals_to_play_do_not_each_take_a_printed_page(visit):
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    page.locator(".start").first.wait_for()
    on_paper(page)
    breaks = page.locator(".deal").evaluate_all(
        "(deals) => deals.map((deal) => getComputedStyle(deal).breakBefore)"
    )
    assert breaks == ["auto", "auto"]
    assert page.locator(".start:visible, .tally button:visible").count() == 0


def test_an_evening_is_played_and_its_score_kept(visit):
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    tally = page.locator(".tally [role=status]")
    assert tally.inner_text() == "0 of 2 deals played."
    assert page.locator(".spoiler:visible, .board:visible, .results:visible").count() == 0
    page.get_by_label("Sit at").first.select_option(label="North")
    page.locator(".start").first.click()
    while my_turn(page):
        assert page.locator('.felt [data-seat="N"] [data-card]').count() > 0
        page.locator(CARD).first.click()
        page.wait_for_timeout(100)
    assert tally.inner_text().startswith("1 of 2 deals played. You reached your goal in ")
    paid = re.search(r"It pays you ([+-]?\d+)", page.locator(".report").inner_text())
    assert paid
    assert tally.inner_text().endswith(f"Your payoff: {paid[1]}.")
    line = f"1 of 2 deals played: {paid[1]} in all, goal reached in "
    assert line in page.locator(".report").inner_text()
    page.get_by_role("button", name="Close").click()
    assert page.locator(".spoiler:visible").count() > 0
    assert page.locator(".start-form").count() == 1
    told = tally.inner_text()
    page.reload()
    assert tally.inner_text() == told
    page.get_by_role("button", name="Start over").click()
    assert tally.inner_text() == "0 of 2 deals played."


def test_a_deal_that_is_claimed_counts_with_the_tricks_claimed(visit):
    page = visit(evening_to_play(rules_for("german-solo"), 1, 7))
    page.locator(".start").click()
    claimed(page)
    report = page.locator(".report").inner_text()
    assert "You claimed no more tricks at trick 1; the others get 8." in report
    paid = re.search(r"It pays you (-\d+)", report)
    assert paid
    told = page.locator(".tally [role=status]").inner_text()
    assert told.startswith("1 of 1 deal played. You reached your goal in 0;")
    assert told.endswith(f"Your payoff: {paid[1]}.")


@pytest.mark.in_firefox
def test_deals_that_have_been_played_are_marked(visit):
    """In the list of deals and, after a reload, at the deal; another result does not count."""
    page = visit(evening_to_play(rules_for("german-solo"), 2, 7))
    marks = page.locator(".deals a[href^='#deal']")
    scores = "(all) => all.map((each) => each.dataset.score)"
    assert marks.evaluate_all(scores) == ["", ""]
    page.locator(".start").first.click()
    claimed(page)
    paid = re.search(r"It pays you (-\d+)", page.locator(".report").inner_text())
    assert paid
    assert marks.evaluate_all(scores) == [" ✗", ""]
    page.goto(page.url.split("#")[0])
    page.reload()
    page.locator(".start-form").nth(1).wait_for()
    assert marks.evaluate_all(scores) == [" ✗", ""]
    was = f"Played: {paid[1]}. Another result does not count."
    assert page.locator(".was").all_inner_texts() == [was, ""]
    told = page.locator(".tally [role=status]").inner_text()
    page.locator(".start").first.click()
    claimed(page)
    assert (
        "Only the first result of a deal counts. 1 of 2 deals"
        in page.locator(".report").inner_text()
    )
    assert page.locator(".tally [role=status]").inner_text() == told
    page.get_by_role("button", name="Start over").click()
    assert marks.evaluate_all(scores) == ["", ""]
