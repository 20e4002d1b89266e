"""The documents say all there is, and what they show is what happens."""

from __future__ import annotations

import importlib
import json
import re
import shlex
from pathlib import Path

import command_line
import pytest
from click.testing import CliRunner
from test_going_on import FIVE, played

import spadille
from spadille.cards import RANKS, SUITS
from spadille.games import GAMES
from spadille.pbn.handfile import read
from spadille_cli import COMMANDS, main
from spadille_cli.output import FORMATS
from spadille_cli.status import Status

TOP = Path(__file__).parent.parent
DOCS = TOP / "docs"
HAND_FILES = (DOCS / "hand-files.md").read_text(encoding="utf-8")
CARDS = {suit + rank for suit in SUITS for rank in RANKS}
BLOCKS = re.findall(r"^```(pbn|console)\n(.*?)^```", HAND_FILES, re.DOTALL | re.MULTILINE)


# Hand files


def test_hand_files_shown_do_what_is_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for kind, text in BLOCKS:
        if kind == "pbn":
            Path("deal.pbn").write_text(text, encoding="utf-8")
        else:
            line, output = text.split("\n", 1)
            _, *words = shlex.split(line.removeprefix("$ "))
            assert CliRunner().invoke(main, words).stdout == output


def test_hand_files_shown_can_be_used():
    files = [read(text) for kind, text in BLOCKS if kind == "pbn"]
    *sound, faulty = files
    assert [fault for file in sound for fault in file[0].faults] == []
    assert all(file[0].contract for file in sound)
    assert faulty[0].faults


def _sources(*modules):
    package = Path(spadille.__file__).parent
    return "".join((package / f"{name}.py").read_text(encoding="utf-8") for name in modules)


def test_every_tag_is_in_the_table():
    text = _sources(
        "pbn/handfile", "pbn/tags", "pbn/play", "pbn/auction", "pbn/annotate", "analysis/table"
    )
    used = set(re.findall(r'(?:value|_trump|_per_seat|set_section|own)\("(\w+)"', text))
    table = HAND_FILES.partition("\n## Tags\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert len(used) > 15
    assert used <= set(listed)
    assert [tag for tag in listed if f'"{tag}"' not in text] == []


def test_every_fault_is_in_the_table():
    text = _sources(
        "pbn/document",
        "pbn/tags",
        "pbn/play",
        "pbn/auction",
        "pbn/session",
        "validate/__init__",
        "validate/deal",
        "validate/exchange",
        "validate/surrender",
        "auction",
    )
    used = set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', text)) - {
        "until-settled",
        "side-first",
        "eldest-first",
    }
    table = HAND_FILES.partition("| what | codes |")[2].partition("\n\n")[0]
    listed = re.findall(r"`([a-z-]+)`", table)
    assert len(listed) == len(set(listed))
    assert used <= set(listed)
    everywhere = "".join(path.read_text(encoding="utf-8") for path in TOP.glob("*/**/*.py"))
    assert [code for code in listed if f'"{code}"' not in everywhere] == []


# Command line


def test_the_reference_is_what_help_says():
    written = command_line.PAGE.read_text(encoding="utf-8")
    assert written == command_line.page(), "stale: run python tests/command_line.py"


def test_every_status_is_explained():
    head = command_line.PAGE.read_text(encoding="utf-8").partition(command_line.MARK)[0]
    assert [int(n) for n in re.findall(r"^\| (\d+) \|", head, re.MULTILINE)] == list(Status)


def test_every_format_is_explained():
    head = command_line.PAGE.read_text(encoding="utf-8").partition(command_line.MARK)[0]
    table = head.partition("## Formats")[2]
    rows = re.findall(r"^\| (`[^|]*`) \|", table, re.MULTILINE)
    assert [name for row in rows[1:] for name in re.findall(r"\w+", row)] == list(FORMATS)


# JSON


KEYS = {*"NESW12345", *SUITS, "NT", "pool", "declarers", "defenders"}
MARKED = re.compile(r"^\| `([a-z_.]+)`( \*)? \| ([a-z ]+) \|", re.MULTILINE)
TYPES = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "list": list,
    "object": dict,
    "null": type(None),
}
# Endings, which are solved at once.
ENDING = """
[Game "ombre"]
[Dealer "1"]
[Deal "1:..KJ.K72 K.K3.A.J A.QJ.2.A"]
[Leader "2"]
[Won "1:1;2:3"]
"""
NEMO = """
[Game "squint"]
[Dealer "1"]
[Deal "1:6.J.9. .K.J.A K.A.A. A.4.T. J.Q.8."]
[Leader "2"]
[Contract "nemo"]
[Penalty "H"]
[Play "2"]
CA SK SA SJ S6
"""
# How much is lost here takes too long to find out.
HOPELESS = """
[Game "squint"]
[Dealer "4"]
[Deal "1:T43.QJ543.Q2. 8.98.A643.AK6 KQJ9.6.75.T84 765..KJT9.J53 2.AKT2.8.Q972"]
[Declarer "2"]
[Contract "solo"]
[Trump "D"]
"""
# The declarer names the trump after the first lead.
OPEN = """
[Game "solo-whist"]
[Dealer "S"]
[Deal "N:AKQJ9.2.AKQ5.K43 T87.AK843.J2.QJ2 65.QJT975.T98.A5 432.6.7643.T9876"]
[TurnUp "HQ"]
[Declarer "N"]
[Contract "abundance"]
[Play "W"]
S4
"""
SURRENDER = """
[Game "ombre"]
[Dealer "3"]
[Deal "3:AK.Q.J74.KJ7 Q73.J3.AK.A4 J4.5.653.Q62"]
[Declarer "3"]
[Contract "entrada"]
[Trump "D"]
[Surrender "3@2"]
[Play "2"]
D5 DA D4
"""
GERMAN, OMBRE = "examples/german-solo.pbn", "examples/ombre.pbn"
QUESTIONS = (
    f"solve --leads --line --objective score {GERMAN} {OMBRE} examples/squint.pbn faulty.pbn",
    f"solve {GERMAN} {OMBRE} examples/squint.pbn",
    "solve --objective score hopeless.pbn",
    "solve --line open.pbn",
    "cards --line open.pbn",
    "table open.pbn",
    "best open.pbn",
    "review open.pbn",
    f"table {GERMAN} nemo.pbn faulty.pbn",
    f"best --called all {GERMAN} end.pbn faulty.pbn",
    f"cards --after 0 --line {GERMAN} {OMBRE} examples/squint.pbn faulty.pbn",
    f"cards {GERMAN} stops.pbn",
    f"review {GERMAN} {OMBRE} nemo.pbn surrender.pbn stops.pbn faulty.pbn",
    f"review --optimum {GERMAN}",
    "check faulty.pbn",
    "rules ombre",
    "rules squint",
)


def _documented(command):
    """Field -> whether it may go by seat, types."""
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\w+)\n", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    common = "" if command == "rules" else sections["Common"]
    if command in ("check", "rules"):
        common = common.partition("All commands that search")[0]
    found = MARKED.findall(common + sections[command])
    assert len(found) == len({name for name, _, _ in found})
    return {name: (bool(star), types.split(" or ")) for name, star, types in found}


def _fields(value, path=""):
    """Names and values of all fields, those of keys that are seats, suits or cards left out."""
    if isinstance(value, list):
        for one in value:
            yield from _fields(one, path)
    elif isinstance(value, dict):
        for key, one in value.items():
            named = key not in KEYS and key not in CARDS
            inner = f"{path}.{key}".lstrip(".") if named else path
            if named:
                yield inner, one
            yield from _fields(one, inner)


def _parts(value, by_seat):
    """The values to look at: for a field that goes by seat, those of the seats."""
    seats = isinstance(value, dict) and value and by_seat and set(value) <= {*"NESW12345"}
    return value.values() if seats else [value]


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    """Command -> the objects it writes for questions of every kind."""
    top = tmp_path_factory.mktemp("json")
    (top / "examples").symlink_to(TOP / "examples")
    blocks = [text for kind, text in BLOCKS if kind == "pbn"]
    (top / "faulty.pbn").write_text(blocks[-1] + '[Play "N"]\n', encoding="utf-8")
    (top / "end.pbn").write_text(ENDING, encoding="utf-8")
    (top / "surrender.pbn").write_text(SURRENDER, encoding="utf-8")
    (top / "nemo.pbn").write_text(NEMO, encoding="utf-8")
    (top / "stops.pbn").write_text(played(FIVE), encoding="utf-8")
    (top / "hopeless.pbn").write_text(HOPELESS, encoding="utf-8")
    (top / "open.pbn").write_text(OPEN, encoding="utf-8")
    found: dict = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(top)
        for question in QUESTIONS:
            command, *words = question.split()
            result = CliRunner().invoke(main, [command, "--format", "jsonl", *words])
            assert result.exit_code in (0, 1, 3), result.output
            found.setdefault(command, []).extend(map(json.loads, result.stdout.splitlines()))
    return found


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "fmt"])
def test_every_field_is_documented(command, records):
    documented = _documented(command)
    met = set()
    for record in records[command]:
        for name, value in _fields(record):
            # An offer inside an offer, and the sides of a review, have the same fields.
            name = name.replace("seats.calls.", "seats.").replace("highest.calls.", "seats.")
            name = re.sub(r"^highest\.", "seats.", name)
            name = re.sub(r"^parties\.", "players.", name)
            assert name in documented
            by_seat, types = documented[name]
            for part in _parts(value, by_seat):
                assert type(part) in {TYPES[one] for one in types}, (name, part)
            met.add(name)
    assert set(documented) == met


# Rules


def test_sections_of_the_rules_are_there():
    rules = (DOCS / "rules.md").read_text(encoding="utf-8")
    there = set(re.findall(r"^## (\d+)\.", rules, re.MULTILINE))
    package = Path(spadille.__file__).parent.glob("**/*.py")
    text = "".join(path.read_text(encoding="utf-8") for path in package)
    assert set(re.findall(r"\bRULES (\d+)", text)) <= there


def _statements(game_id):
    """List the statements of the document of a game, each with where it is kept."""
    rules = (DOCS / "rules.md").read_text(encoding="utf-8")
    tables = rules.partition("\n## 13. ")[2].split("\n### ")[1:]
    named = {table.split("\n")[0].lower().replace(" ", "-"): table for table in tables}
    assert set(named) == set(GAMES)
    rows = re.findall(r"^\| (.*) \|$", named[game_id], re.MULTILINE)
    assert rows[0] == "the document says | where"
    return [row.split(" | ") for row in rows[1:]]


def _is_kept(game, place):
    """Tell whether there is a name in a module, an option with its value, or a tag."""
    module, in_module, name = place.partition(".py ")
    if in_module:
        found = importlib.import_module("spadille." + module.replace("/", "."))
        for part in name.split("."):
            found = getattr(found, part, None)
        return found is not None
    if place[0].isupper():
        return f"\n| `{place.split()[0]}` |" in HAND_FILES
    name, _, value = place.partition(" = ")
    return name in game.options and (not value or game.options[name].check(value) == value)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_statements_of_the_documents_are_kept_where_the_rules_say(game):
    for statement, where in _statements(game.id):
        assert statement
        assert where
        places = re.findall(r"`([^`]*)`", where)
        assert [place for place in places if not _is_kept(game, place)] == [], statement


# Links


def _links(page):
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    return [page.parent / link for link in links if ":" not in link]


@pytest.mark.parametrize(
    "page", [*TOP.glob("*.md"), *sorted(DOCS.glob("*.md"))], ids=lambda path: path.stem
)
def test_links_lead_somewhere(page):
    assert [link for link in _links(page) if not link.exists()] == []


def test_every_page_is_in_the_index():
    index = {link.name for link in _links(DOCS / "README.md")}
    assert index == {path.name for path in DOCS.glob("*.md")} - {"README.md"}
