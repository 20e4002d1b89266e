"""The time that a long item takes is shown while the item is being worked on."""

from __future__ import annotations

import time

import pytest

from spadille_cli import terminal_messages


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a progress message when the clock is at `clock[0]`."""
    lines: list[str] = []
    monkeypatch.setattr(terminal_messages, "_say", lines.append)
    return lines


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(terminal_messages, "monotonic", lambda: now[0])
    return now


def wait_for(said: list[str], text: str) -> None:
    for _ in range(200):
        if text in said:
            return
        time.sleep(0.05)
    pytest.fail(f"{text!r} is not among {said}")


def test_a_single_item_shows_its_time(said: list[str], clock: list[float]) -> None:
    for _ in terminal_messages.with_progress(["deal"]):
        assert said == []
        clock[0] += 3
        wait_for(said, "0/1, working for 0:03")
    assert said[-1] == ""


def test_a_quick_single_item_shows_nothing(said: list[str], clock: list[float]) -> None:
    assert list(terminal_messages.with_progress(["deal"])) == ["deal"]
    assert said == []


def test_of_several_items_each_shows_its_time(said: list[str], clock: list[float]) -> None:
    for number, _ in enumerate(terminal_messages.with_progress(["one", "two"])):
        clock[0] += 2
        wait_for(said, f"{number}/2, working for 0:02")


@pytest.mark.ci
def test_nothing_is_shown_over_other_output(said: list[str], clock: list[float]) -> None:
    for _ in terminal_messages.with_progress(["deal"]):
        terminal_messages.clear_progress()
        clock[0] += 5
        time.sleep(0.3)  # three times as long as the pause between two updates
        assert said == [""]
