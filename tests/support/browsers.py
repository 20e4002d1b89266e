"""Requirements of browser tests: without them, tests are skipped, or fail if they are required."""

from __future__ import annotations

import os
import shutil

import pytest


def missing(what: str) -> None:
    """Skip a test, or fail if SPADILLE_BROWSER=required, as in .ci/run."""
    if os.environ.get("SPADILLE_BROWSER") == "required":
        pytest.fail(f"{what} is missing, and SPADILLE_BROWSER=required needs it")
    pytest.skip(f"{what} is missing")


def program(*names: str) -> str:
    """Return the path of one of these programs."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        missing(names[0])
    return str(found)
