"""Write the sections of docs/faults.md: python -m tests.support.fault_page."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from spadille.pbn.fault_guide import sections

PAGE = Path(__file__).parents[2] / "docs" / "faults.md"
MARK = "<!-- The sections below are written by tests/support/fault_page.py. -->\n"


def refreshed() -> str:
    """Return the page with its current sections."""
    head = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    return f"{head}{MARK}\n{sections()}"


if __name__ == "__main__":
    ArgumentParser(description=__doc__).parse_args()
    PAGE.write_text(refreshed(), encoding="utf-8")
