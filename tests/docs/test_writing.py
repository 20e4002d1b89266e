"""Text that people read is plain English: the patterns below may only become fewer.

A match is not always wrong ("behind a firewall"), so each kind of text has a ceiling. When you
remove matches, lower the ceiling to the new count; never raise it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TOP = Path(__file__).parents[2]

PATTERNS = (
    # Clauses without a noun: "Who draws keeps ...", "of what is drawn".
    r"(?:Who|What) (?:[^.?!|:\n]|\n(?!\s*\n))*[.!|]",
    r"(?:of|by|for|with|from|than|to|as|is|tells|says) who\b(?! else)",
    r"(?:of|by|for|with|from|than) what\b",
    r"[Ww]hoever\b",
    r"(?:that|those) which\b",
    # Everyday verbs in place of "is", "says", "after", "depends on".
    r"st(?:ands?|ood|anding)\b(?! for\b)",
    r"t(?:ells?|old|elling)\b(?! apart)",
    r"behind\b",
    r"h(?:angs?|ung|anging) on\b",
    # "is no hand file" should be "is not a hand file".
    r"(?<![Tt]here\s)(?:is|are|was|were) no\b(?! longer| more)",
    # The impersonal passive.
    r"[Ii]t (?:is|was) (?:looked|reckoned|told|asked|said|shown|tried|counted|taken)\b",
    r"reckon(?:s|ed|ing)?\b",
    r"tak(?:e|es|en|ing) it that\b",
    # The field's word is "double-dummy".
    r"(?:with|all) (?:open (?:cards|hands)|hands open|cards open)\b",
    r"(?:all else|none is there|[Ss]o it is|be it|nobody errs|lest|for good)\b",
    r"meanwhile[.;,]",
    # "They" for a player, "discards" for "puts away", "time ran out" for "the time was over".
    r"(?:he|his|him|himself)\b",
    r"(?:puts?|putting) (?:\w+ )?away\b",
    r"time (?:was|is) over\b",
    r"[0-9]+ %(?![\w}])",
    r"(?:the one who|of whom|none yet|at hand|is to be (?:found|seen|had))\b",
)
PATTERN = re.compile(rf"\b(?:{'|'.join(PATTERNS)})".replace(" ", r"\s+"))

# The rest of a page that repeats help texts.
GENERATED = "<!-- From here on"
# Code in a page, and the targets of its links.
CODE = re.compile(r"^```.*?^```|`[^`\n]*`|\]\([^)\n]*\)", re.MULTILINE | re.DOTALL)
PYTHON = re.compile(r'"""(?P<doc>(?:.|\n)*?)"""|"(?P<text>(?:\\.|[^"\\\n])*)"|#(?P<note>[^\n]*)')
CEILINGS = {
    "pages in plain English": 0,
    "docs": 5,  # four of them in quotations from the sources of docs/rules.md
    "help": 7,
    "messages": 6,
    "docstrings": 8,
    "comments": 5,
    "the page": 11,
}
PLAIN = (
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "benchmarks/README.md",
    "docs/README.md",
    "docs/adding.md",
    "docs/api.md",
    "docs/architecture.md",
    "docs/batch.md",
    "docs/chances-measured.md",
    "docs/chances.md",
    "docs/cookbook.md",
    "docs/correctness.md",
    "docs/deal.md",
    "docs/documents.md",
    "docs/engine.md",
    "docs/games.md",
    "docs/games/anna-cubed.md",
    "docs/games/german-solo.md",
    "docs/games/mensch.md",
    "docs/games/ombre.md",
    "docs/games/quadrille.md",
    "docs/games/quintille.md",
    "docs/games/solo-whist.md",
    "docs/games/squint.md",
    "docs/glossary.md",
    "docs/hand-files.md",
    "docs/house-rules.md",
    "docs/index.md",
    "docs/json.md",
    "docs/knowledge.md",
    "docs/library.md",
    "docs/mutations.md",
    "docs/page.md",
    "docs/plans-measured.md",
    "docs/plans.md",
    "docs/problems.md",
    "docs/releasing.md",
    "docs/review.md",
    "docs/score.md",
    "docs/services.md",
    "docs/tutorials/players.md",
    "docs/tutorials/programmers.md",
    "docs/tutorials/teachers.md",
    "tests/first-use.md",
)


def _pages() -> Iterator[tuple[str, Path, str, int]]:
    for path in (*TOP.glob("*.md"), *TOP.glob("docs/**/*.md"), *TOP.glob("[!.d]*/*.md")):
        name = path.relative_to(TOP).as_posix()
        if name == "CHANGELOG.md":
            continue
        text = path.read_text(encoding="utf-8").partition(GENERATED)[0]
        kind = "pages in plain English" if name in PLAIN else "docs"
        # Blanks keep the line numbers unchanged.
        yield kind, path, CODE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text), 0


def _sources() -> Iterator[tuple[str, Path, str, int]]:
    for path in (*TOP.glob("solver/**/*.py"), *TOP.glob("cli/**/*.py")):
        text = path.read_text(encoding="utf-8")
        command = path.is_relative_to(TOP / "cli")
        for found in PYTHON.finditer(text):
            kind = {"doc": "docstrings", "text": "messages", "note": "comments"}[found.lastgroup]
            if command and kind != "comments":
                kind = "help"
            if " " in found[0]:
                yield kind, path, found[found.lastgroup], text.count("\n", 0, found.start())
    for path in TOP.glob("csrc/*.[ch]pp"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            yield "comments", path, line.partition("//")[2], number
    for path in TOP.glob("solver/spadille/pages/[st]*/*.*"):
        yield "the page", path, path.read_text(encoding="utf-8"), 0


def _matches() -> Iterator[tuple[str, str]]:
    for kind, path, text, line in (*_pages(), *_sources()):
        for found in PATTERN.finditer(text):
            words = " ".join(found[0].split())
            at = line + text.count("\n", 0, found.start()) + 1
            yield kind, f"{path.relative_to(TOP)}:{at}: {words}"


@pytest.fixture(scope="module")
def matches() -> dict[str, list[str]]:
    by_kind: dict[str, list[str]] = {kind: [] for kind in CEILINGS}
    for kind, where in _matches():
        by_kind[kind].append(where)
    return by_kind


@pytest.mark.parametrize(("kind", "ceiling"), CEILINGS.items())
def test_patterns_become_fewer(kind: str, ceiling: int, matches: dict[str, list[str]]) -> None:
    found = matches[kind]
    if len(found) > ceiling:
        head = f"{kind}: {len(found)} matches, at most {ceiling} allowed"
        pytest.fail("\n".join([head, *sorted(found)]), pytrace=False)
