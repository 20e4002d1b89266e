"""docs/library.md and docs/api.md describe every public name, and the examples work."""

from __future__ import annotations

import doctest
import inspect
import re
from pathlib import Path

import spadille
from spadille.base import errors

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "library.md").read_text(encoding="utf-8")


def test_examples_give_what_is_shown(monkeypatch):
    monkeypatch.chdir(TOP)
    blocks = [*re.finditer(r"```python\n(.*?)```", PAGE, re.DOTALL)]
    names: dict = {}
    faults: list[str] = []
    for block in blocks:
        line = PAGE.count("\n", 0, block.start(1))
        example = doctest.DocTestParser().get_doctest(
            block[1], names, "examples", "docs/library.md", line
        )
        runner = doctest.DocTestRunner()
        runner.run(example, out=faults.append, clear_globs=False)
        names = example.globs
    assert not faults, (
        "examples of docs/library.md print something else than the page shows; if that is "
        "right, as after adding a contract, correct the page\n" + "".join(faults)
    )
    assert len(blocks) > 20


def test_every_public_name_has_a_section():
    sections = re.findall(r"^### (\w+)$", PAGE, re.MULTILINE)
    reference = (TOP / "docs" / "api.md").read_text(encoding="utf-8")
    others = reference.partition("\n## Other types\n")[2].partition("\n## ")[0]
    types = re.findall(r"^\.\. auto(?:class|data):: (\w+)$", others, re.MULTILINE)
    assert types == sorted(types)
    assert others.count("\n   Found in :obj:`") == len(types)
    assert not {*sections} & {*types}
    assert all(name[0].isupper() for name in types)
    assert sorted({*sections, *types, *error_classes()}) == sorted(spadille.__all__)


def test_the_guide_and_the_reference_have_the_same_sections():
    reference = (TOP / "docs" / "api.md").read_text(encoding="utf-8")
    names = re.compile(r"^(?:##+ |\.\. (?:auto\w+|py:data):: )(\S.*)$", re.MULTILINE)
    main, _, rest = reference.partition("\n## Batch\n")
    assert names.findall(main) == names.findall(PAGE.partition("\n## Errors\n")[0])
    assert "\n## Errors\n" in rest


def test_every_function_lists_its_errors():
    for name, text in re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE):
        if callable(getattr(spadille, name)) and name[0].islower():
            assert re.search(r"[Rr]aise|[Tt]he same|error", text), name


def test_every_argument_is_described():
    """An argument is documented with the function, in a linked section, or in the shared table."""
    sections = dict(re.findall(r"^### (\w+)\n(.*?)(?=^##|\Z)", PAGE, re.DOTALL | re.MULTILINE))
    common = PAGE.partition("Many functions have these arguments")[2].partition("###")[0]
    for name, text in sections.items():
        linked = [sections[link] for link in re.findall(r"\(#(\w+)\)", text) if link in sections]
        described = {*re.findall(r"\w+", " ".join([text, common, *linked]))}
        if name[0].islower():
            arguments = inspect.signature(getattr(spadille, name)).parameters.keys()
            assert [*arguments - described] == [], name


def error_classes():
    return {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, spadille.SpadilleError)
    }


def test_every_class_of_error_is_listed():
    listed = re.findall(r"^\| `(\w+Error)` \|", PAGE, re.MULTILINE)
    assert {*listed, "SpadilleError"} == error_classes()
