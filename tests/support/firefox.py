"""Debian's Firefox, driven by WebDriver BiDi, since Playwright needs its own builds."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from threading import Timer
from typing import Any

PIPE = Path(__file__).with_name("firefox.mjs")
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "End": "\ue010", "Home": "\ue011"}
KEYS |= {"ArrowLeft": "\ue012", "ArrowRight": "\ue014"}
SECONDS = 300  # in case it hangs


# Messages of Firefox about its own objects, not from a script; pages have none of these objects.
_DENIED = "Permission denied to access property"


class Firefox:
    """A browser with one tab; `events` are the unsolicited messages."""

    def __init__(self, node: str | Path, path: str, profile: Path) -> None:
        profile.mkdir()
        command = [str(node), str(PIPE), path, str(profile)]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)
        self._timer = Timer(SECONDS, self._process.kill)
        self._timer.start()
        self._sent = 0
        self.events: list[dict[str, Any]] = []
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
        # The initial tab has no focus, and its buttons get no keys.
        self._tab = self.call("browsingContext.create", type="tab")["context"]

    def close(self) -> None:
        self.call("browser.close")
        self._process.stdin.close()
        self._process.wait()
        self._timer.cancel()

    def call(self, method: str, **params: Any) -> Any:
        """Send a command and wait for its answer."""
        self._sent += 1
        text = json.dumps({"id": self._sent, "method": method, "params": params})
        print(text, file=self._process.stdin, flush=True)
        for line in self._process.stdout:
            told = json.loads(line)
            if told.get("id") == self._sent:
                assert told["type"] == "success", told
                return told["result"]
            self.events.append(told)
        raise AssertionError(f"Firefox ended before answering {method}")

    def listen(self, script: str) -> None:
        """Run a script before the scripts of every page."""
        self.call("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}")

    def open(self, address: str) -> None:
        self.call("browsingContext.navigate", context=self._tab, url=address, wait="complete")

    def evaluate(self, function: str, given: Any = None) -> Any:
        """Call a function in the page, with arguments and result as JSON."""
        wrapped = f"""async (text) =>
            JSON.stringify(await ({function})(JSON.parse(text))) ?? "null" """
        told = self.call(
            "script.callFunction",
            functionDeclaration=wrapped,
            arguments=[{"type": "string", "value": json.dumps(given)}],
            target={"context": self._tab},
            awaitPromise=True,
            userActivation=True,
        )
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"])

    def wait(self, function: str, given: Any = None) -> None:
        """Wait until a function of the page returns true."""
        self.evaluate(
            f"""async (given) => {{
                for (const end = Date.now() + 60_000; !({function})(given);) {{
                    if (Date.now() > end) throw new Error("waited for too long");
                    await new Promise((go) => setTimeout(go, 10));
                }}
            }}""",
            given,
        )

    def press(self, key: str) -> None:
        """Press a key, and wait until the page has received it."""
        once = "addEventListener('keyup', go, { capture: true, once: true })"
        self.evaluate(f"() => {{ heard = new Promise((go) => {once}) }}")
        value = KEYS.get(key, key)
        actions = [{"type": kind, "value": value} for kind in ("keyDown", "keyUp")]
        source = {"type": "key", "id": "keys", "actions": actions}
        self.call("input.performActions", context=self._tab, actions=[source])
        self.evaluate("() => heard")

    def asked(self) -> list[str]:
        """Return the requested addresses."""
        own = (each for each in self._told() if each.get("context") in (self._tab, None))
        return [each["request"]["url"] for each in own if "request" in each]

    def errors(self) -> list[str]:
        """Return the page's error messages."""
        told = (each for each in self._told() if each.get("level") == "error")
        own = (each for each in told if "stackTrace" in each or _DENIED not in each["text"])
        return [each["text"] for each in own]

    def _told(self) -> list[dict[str, Any]]:
        return [event["params"] for event in self.events]
