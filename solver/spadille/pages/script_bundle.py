"""The script of a page: modules that become one, which the page and its worker both run."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_HERE = Path(__file__).parent / "script"
# What a module imports stands before it.
MODULES = (
    "unpack",
    "engine",
    "surrender",
    "hand",
    "words",
    "course",
    "worker",
    "client",
    "dom",
    "pbn",
    "terms",
    "link",
    "draw",
    "lines",
    "takeover",
    "contracts",
    "board",
    "sharing",
    "making",
    "entry",
    "lesson",
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
    """Return what unpacks the script."""
    return _closed("unpack", "load")


def _closed(*modules: str) -> str:
    return f'"use strict";\n(() => {{\n{joined(*modules)}}})();\n'


def joined(*modules: str) -> str:
    """Write modules one after the other; what they import and export is there for all of them.

    No name stands for two things on the top of modules, so that is all there is to importing.
    """
    texts = [(_HERE / f"{name}.js").read_text("utf-8") for name in modules]
    return "".join(_SPACE.sub("", _EXPORT.sub("", _IMPORT.sub("", text))) for text in texts)
