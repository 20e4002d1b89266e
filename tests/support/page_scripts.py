"""Run the script of a page outside a browser: Node runs its modules."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

from spadille.pages.script_bundle import joined
from tests.support.browsers import missing

# The scripts that run the engine, without those that show anything.
ENGINE_SCRIPTS = (
    "unpack",
    "engine",
    "surrender_questions",
    "hand_encoding",
    "words",
    "course_of_play",
    "worker",
)

RUN = """
let text = "";
process.stdin.setEncoding("utf8").on("data", (part) => { text += part; }).on("end", async () => {
    process.stdout.write(JSON.stringify(await (ASKED)(JSON.parse(text))));
});
"""


def node() -> str:
    """Return the path of Node: the system's, or the one that Playwright includes."""
    found = shutil.which("node")
    if found is None:
        try:
            from playwright._impl._driver import compute_driver_executable
        except ImportError:
            missing("node")
        found = compute_driver_executable()[0]
    return str(found)


def run(modules: tuple[str, ...], function: str, given: object) -> Any:
    """Return the result of an asynchronous function for `given`, after loading these modules."""
    code = joined(*modules) + RUN.replace("ASKED", function)
    done = subprocess.run(
        [node(), "--input-type=commonjs", "-e", code],
        input=json.dumps(given, default=list),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)
