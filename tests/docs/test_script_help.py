"""Every script of the tests and benchmarks explains itself with --help, and then does nothing."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]
STARTED = 'if __name__ == "__main__":'
SCRIPTS = {
    ".".join(path.relative_to(TOP).with_suffix("").parts).removesuffix(".__main__"): path
    for folder in ("benchmarks", "tests")
    for path in sorted((TOP / folder).rglob("*.py"))
    if f"\n{STARTED}\n" in path.read_text(encoding="utf-8")
}


def test_scripts_are_found() -> None:
    some = {"benchmarks.signature", "benchmarks.strength_tables", "tests.support.shown"}
    assert some <= SCRIPTS.keys()


@pytest.mark.first_cases(4)
@pytest.mark.filterwarnings("ignore:.*found in sys.modules:RuntimeWarning")
@pytest.mark.parametrize("name", SCRIPTS)
def test_help_is_printed(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SCRIPTS[name].read_text(encoding="utf-8")
    if "atheris" in text:
        pytest.importorskip("atheris")
    if "PIL" in text:
        pytest.importorskip("PIL")
        pytest.importorskip("playwright")
    # Do not run a script that reads no arguments: it might rewrite files of the repository.
    assert "parse_args(" in text
    monkeypatch.setattr(sys, "argv", [name, "--help"])
    with pytest.raises(SystemExit) as done:
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    assert done.value.code == 0
    shown = " ".join(capsys.readouterr().out.split())
    described = ast.get_docstring(ast.parse(text)) or ""
    assert shown.startswith("usage: ")
    assert " ".join(described.split())[:30] in shown
