"""Explanations of the fault codes, each with an example and a fix, from fault_guide.toml."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from textwrap import fill, indent

_TAG = re.compile(r"\[(\w+)")


@dataclass(frozen=True, slots=True)
class Explanation:
    """One fault code: its rule, an example, and the fix."""

    code: str
    group: str
    """The heading under which the code is listed."""
    rule: str
    fix: str
    wrong: str
    """The lines with the fault, or the call or option."""
    right: str = ""
    """The corrected lines; empty if the fix is to delete them."""
    base: str = ""
    """The hand file that contains the lines; empty if no single file shows the fault."""
    before: str = ""
    """Lines from an earlier deal in the same hand file."""
    without: tuple[str, ...] = ()
    """The tags of `base` that the example leaves out."""

    def text(self, width: int) -> str:
        """Return the explanation in lines of at most `width` columns, with examples unwrapped."""
        parts = [self.code, fill(self.rule, width), indent(self.wrong, "    ")]
        parts += [fill(f"Fix: {self.fix}", width), indent(self.right, "    ")]
        return "\n\n".join(part for part in parts if part)

    def file(self, lines: str) -> str:
        """Return the hand file with `wrong` or `right` in place of the tags with the same names."""
        own = self._file(lines)
        return f"{self._file(self.before)}\n{own}" if self.before else own

    def _file(self, lines: str) -> str:
        replaced = {*self.without, *_TAG.findall(lines)}
        tags = _data()[1][self.base].strip().splitlines()
        kept = [tag for tag in tags if _TAG.findall(tag)[0] not in replaced]
        return "\n".join([*kept, *lines.splitlines()]) + "\n"


_GUIDES = {
    "Seats, cards and numbers": "[how to write cards and hands](hand-files.md#seats-cards-hands)",
    "End positions": "[end positions](hand-files.md#end-positions)",
    "The exchange": "[the exchange](hand-files.md#exchange)",
    "The auction": "[the auction](hand-files.md#auctions)",
    "The play": "[the play](hand-files.md#play)",
    "Problems": "[Find and check teaching problems](problems.md)",
    "An evening": "[Settle an evening](score.md)",
    "Deals with conditions": "[Deal hands to order](deal.md)",
    "The library and the program": "[Python API guide](library.md)",
}
"""The documentation page for a group of codes."""


@cache
def _data() -> tuple[dict[str, Explanation], dict[str, str]]:
    """Return the explanations by code, and the hand files of their examples."""
    text = files("spadille.pbn").joinpath("fault_guide.toml").read_text(encoding="utf-8")
    groups = tomllib.loads(text)
    bases = groups.pop("bases")
    by_code = {}
    for group, codes in groups.items():
        for code, values in sorted(codes.items()):
            fields = {
                name: value if name == "without" else value.rstrip()
                for name, value in values.items()
            }
            fields["without"] = tuple(fields.get("without", ()))
            by_code[code] = Explanation(code, group, **fields)
    return by_code, bases


def explanations() -> dict[str, Explanation]:
    """Return the explanation of every fault code, in the order of the page."""
    return _data()[0]


def sections() -> str:
    """Return an index of the codes, and the sections of docs/faults.md, in Markdown."""
    codes: dict[str, list[str]] = {}
    for explanation in explanations().values():
        codes.setdefault(explanation.group, []).append(explanation.code)
    lines = ["All codes, by section:", ""]
    for group, its_codes in codes.items():
        links = ", ".join(f"[{code}](#{code})" for code in its_codes)
        lines += [f"- **{group}**: {links}"]
    lines += [""]
    group = ""
    for explanation in explanations().values():
        if explanation.group != group:
            group = explanation.group
            lines += [f"## {group}", ""]
            if group in _GUIDES:
                lines += [f"See also: {_GUIDES[group]}.", ""]
        lines += [
            f"### {explanation.code}",
            "",
            explanation.rule,
            "",
            "```text",
            explanation.wrong,
            "```",
            "",
            f"**Fix:** {explanation.fix}",
            "",
        ]
        if explanation.right:
            lines += ["```text", explanation.right, "```", ""]
    return "\n".join(lines)
