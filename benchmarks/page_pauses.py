"""Measure how long a page does not respond to its reader: `python -m benchmarks.page_pauses`.

In Debian's Chromium, the script does what readers do: it opens a page and its first deal, steps
through a hand, tries cards, plays a hand from a seat, fills the table of contracts, pastes the
examples of the game, and answers problems. It measures the longest task on the page's own thread,
in processor time and by the clock, and the longest gap between two animation frames. On a busy
machine, only the processor time depends on the page alone. This needs the `browser` extra.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import spadille
from benchmarks.page_value_waits import ARGUMENTS, CHROMIUM
from spadille.games import GAMES, rules_for
from spadille.pages.page import write

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    Action = Callable[[Page], None]

EXAMPLES = Path(__file__).parents[1] / "examples"
WINDOWS = {"desktop": (1280, 720), "phone": (360, 740)}
PROBLEMS = 6
# The page notes its longest task (of at least 50 ms) and its longest gap between frames. The pauses
# in which a reader sees the last card are shortened. The actions are cheap, because they are
# measured, too.
LISTEN = """
const wait = window.setTimeout;
window.setTimeout = (call, milliseconds, ...given) => wait(call, milliseconds / 20, ...given);
window.pauses = { task: 0, frame: 0 };
const note = (kind, length) => { pauses[kind] = Math.max(pauses[kind], length); };
new PerformanceObserver((list) => {
    for (const task of list.getEntries()) note("task", task.duration);
}).observe({ type: "longtask", buffered: true });
let last = performance.now();
const tick = (now) => {
    note("frame", now - last);
    last = now;
    requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
window.board = () => document.querySelector(".current .playing, .entry .playing")
    ?? document.querySelector(".playing");
window.isIdle = () => board()?.querySelector(".felt").ariaBusy === "false";
window.cards = () => [...board().querySelectorAll(".turn button.card:not([aria-disabled])")];
window.press = (key) => board().dispatchEvent(new KeyboardEvent("keydown", { key }));
window.click = (name, within = document) =>
    [...within.querySelectorAll("button")].find(({ textContent }) => textContent === name).click();
window.type = (text) => {
    const field = document.querySelector(".making textarea");
    field.value = text;
    field.select();
};
window.ended = () => !board().querySelector(".report").hidden;
"""
TASKS = {"RunTask", "ThreadControllerImpl::RunTask"}


def idle(page: Page) -> None:
    """Wait until the engine has answered."""
    page.wait_for_function("() => isIdle()")


def press(page: Page, key: str, times: int = 1) -> None:
    """Press a key some times, each time after the engine has answered."""
    for _ in range(times):
        page.evaluate("(key) => press(key)", key)
        idle(page)


def open_deal(page: Page) -> None:
    """Open the first deal, and wait for its values."""
    page.evaluate("document.querySelector('.start').click()")
    idle(page)


def step(page: Page) -> None:
    """Step to the end of the hand, and back and forth as fast as a held key."""
    moves = page.evaluate("board().querySelectorAll('.course button').length")
    press(page, "Home")
    press(page, "ArrowRight", moves)
    for key in ("ArrowLeft", "ArrowRight"):
        for _ in range(moves):
            page.evaluate("(key) => press(key)", key)
    idle(page)


def try_cards(page: Page) -> None:
    """Play another card now and then, and return to the recorded play."""
    moves = page.evaluate("board().querySelectorAll('.course button').length")
    press(page, "Home")
    for _ in range(0, moves, 6):
        page.evaluate("cards().at(-1)?.click()")
        idle(page)
        press(page, "p")
        press(page, "ArrowRight", 5)


def compare_contracts(page: Page) -> None:
    """Fill the table of contracts for some seconds."""
    press(page, "Home")
    page.evaluate("press('c')")
    page.wait_for_timeout(3000)
    page.evaluate("press('c')")


def play_hand(page: Page) -> None:
    """Play a whole hand from a seat."""
    press(page, "Home")
    page.evaluate("press('g')")
    while True:
        page.wait_for_function(
            "() => board().querySelector('.closed') && isIdle() && cards().length || ended()"
        )
        if page.evaluate("ended()"):
            return
        page.evaluate("cards()[0].click()")


def paste(text: str) -> Action:
    """Return the action that pastes a hand file and opens its deals."""

    def action(page: Page) -> None:
        page.evaluate("(text) => type(text)", text)
        page.keyboard.press("Control+c")
        page.keyboard.press("Control+v")
        idle(page)
        deals = page.evaluate("document.querySelectorAll('.file button').length")
        for number in range(deals):
            page.evaluate("(i) => document.querySelectorAll('.file button')[i].click()", number)
            idle(page)

    return action


def answer(page: Page) -> None:
    """Answer some problems of a lesson."""
    page.evaluate("click('Start')")
    for _ in range(PROBLEMS):
        idle(page)
        page.evaluate("cards()[0].click()")
        page.wait_for_function("() => isIdle() && board().querySelector('.said').dataset.verdict")
        page.evaluate(
            "board().querySelector('.retry').hidden || click('Show the solution', board())"
        )
        idle(page)
        page.evaluate("click('Next problem')")


def visits(game: str) -> Iterator[tuple[str, str, dict[str, Action]]]:
    """Return pages of a game, each with its name and what the reader does there."""
    file = EXAMPLES / f"{game}.pbn"
    problems = list(spadille.load(EXAMPLES / "problems" / file.name))
    evening = spadille.page(spadille.load(file))
    board: dict[str, Action] = {"first values": open_deal, "stepping": step}
    board |= {"trying cards": try_cards, "contracts": compare_contracts}
    yield "evening", evening, board
    yield "seat", evening, {"first values": open_deal, "playing a hand": play_hand}
    deals = file.read_text(encoding="utf-8")
    yield "empty", write([], rules=rules_for(game)), {"pasting": paste(deals)}
    yield "quiz", spadille.page(problems, quiz=True), {"answering": answer}


def processor_time(trace: bytes) -> float:
    """Return the milliseconds of processor time of the longest task on a page's own thread."""
    events = json.loads(trace)["traceEvents"]
    own = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    return max(
        event.get("tdur", 0) / 1000
        for event in events
        if event["name"] in TASKS and (event["pid"], event["tid"]) in own
    )


def measured(browser: Browser, page: Page, action: Action) -> tuple[float, float, float]:
    """Return the longest task in processor time and by the clock, and the longest gap."""
    page.evaluate("pauses.task = pauses.frame = 0")
    browser.start_tracing(page=page, categories=["toplevel"])
    action(page)
    page.wait_for_timeout(200)
    time = processor_time(browser.stop_tracing())
    task, frame = page.evaluate("[pauses.task, pauses.frame]")
    return time, task, frame


def main() -> None:
    """Print the longest pauses of each action, by game and window."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="games (all by default)")
    games = parser.parse_args().games or GAMES

    from playwright.sync_api import sync_playwright

    print(f"{'':46}{'processor':>10}{'clock':>7}{'frames':>8}    ms, the longest")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for game in games:
            for name, text, actions in visits(game):
                file = Path(folder, f"{name}.html")
                file.write_text(text, encoding="utf-8")
                for window, (width, height) in WINDOWS.items():
                    context = browser.new_context(viewport={"width": width, "height": height})
                    context.add_init_script(LISTEN)
                    page = context.new_page()
                    for action, does in {"opening": opener(file), **actions}.items():
                        time, task, frame = measured(browser, page, does)
                        what = f"{game:13} {window:8} {name:8} {action:15}"
                        print(f"{what}{time:10.0f}{task:7.0f}{frame:8.0f}", flush=True)
                    context.close()
        browser.close()


def opener(file: Path) -> Action:
    """Return the action that opens a page."""

    def action(page: Page) -> None:
        page.goto(file.as_uri())
        page.wait_for_selector("body.live")

    return action


if __name__ == "__main__":
    main()
