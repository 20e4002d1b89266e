"""The script of a page outside of a browser: its modules are run by Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

from spadille.pages.script_bundle import joined
from tests.support.browsers import missing

RUN = """
let text = "";
process.stdin.setEncoding("utf8").on("data", (part) => { text += part; }).on("end", async () => {
    process.stdout.write(JSON.stringify(await (ASKED)(JSON.parse(text))));
});
"""


def node() -> str:
    """The path of Node: that of the system, or the one that Playwright brings along."""
    found = shutil.which("node")
    if found is None:
        try:
            from playwright._impl._driver import compute_driver_executable
        except ImportError:
            missing("node")
        found = compute_driver_executable()[0]
    return str(found)


def run(modules: tuple[str, ...], function: str, given: object) -> Any:
    """What an asynchronous function makes of `given`, with these modules before it."""
    code = joined(*modules) + RUN.replace("ASKED", function)
    done = subprocess.run(
        [node(), "--input-type=commonjs", "-e", code],
        input=json.dumps(given, default=list),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)
