"""A page's script: modules joined into one, which the page and its worker both run."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent / "script"
# Each module comes after those it imports.
MODULES = (
    "unpack",
    "browser_storage",
    "engine",
    "surrender_questions",
    "hand_encoding",
    "words",
    "course_of_play",
    "call_likelihood",
    "layouts",
    "payoffs",
    "claims",
    "computer_player",
    "worker",
    "worker_client",
    "dom",
    "pbn",
    "allowed_contracts",
    "contract_form",
    "link",
    "draw_position",
    "tried_lines",
    "starting_knowledge",
    "kept_on_reload",
    "takeover",
    "contract_table",
    "hints_and_summary",
    "help",
    "playing_board",
    "sharing",
    "deal_entry",
    "own_deals",
    "problem_lesson",
    "main",
)
_IMPORT = re.compile(r"^import \{[^}]*\} from \"\./\w+\.js\";\n", re.MULTILINE)
_SPACE = re.compile(r"^\s*(//.*)?\n|^ +", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |class |const |function )", re.MULTILINE)


@cache
def script() -> str:
    """Return the modules as one script, without comments and indentation."""
    return _closed(*MODULES)


@cache
def loader() -> str:
    """Return the code that unpacks the script and the style of the board."""
    return _closed("unpack", "bootstrap")


def _closed(*modules: str) -> str:
    return f'"use strict";\n(() => {{\n{joined(*modules)}}})();\n'


def joined(*modules: str) -> str:
    """Join modules. They share one scope, which replaces imports and exports.

    No two modules use the same top-level name, so joining them is enough.
    """
    texts = [(_HERE / f"{name}.js").read_text("utf-8") for name in modules]
    return "".join(_SPACE.sub("", _EXPORT.sub("", _IMPORT.sub("", text))) for text in texts)
