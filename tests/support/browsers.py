"""What tests in browsers need: without it they are skipped, or fail where it is required."""

from __future__ import annotations

import os
import shutil

import pytest


def missing(what: str) -> None:
    """Skip a test, or fail where SPADILLE_BROWSER=required asks for it, as .ci/run does."""
    if os.environ.get("SPADILLE_BROWSER") == "required":
        pytest.fail(f"{what} is missing, and SPADILLE_BROWSER=required asks for it")
    pytest.skip(f"{what} is missing")


def program(*names: str) -> str:
    """The path of one of these programs."""
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        missing(names[0])
    return str(found)
