"""docs/json.md and docs/schema/ list exactly the fields that the commands write."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from spadille.base.card_text import RANKS, SUITS
from spadille.base.json_lines_and_csv import SCHEMA_VERSION
from spadille.games import GAMES
from spadille_cli import COMMANDS, main
from tests.analysis.test_going_on_for_all_tricks import FIVE, played
from tests.analysis.test_reachable_contracts import SHOWN
from tests.analysis.test_takeover import TEXT as TAKEN
from tests.docs.test_docs import BLOCKS, DOCS, TOP

CARDS = {suit + rank for suit in SUITS for rank in RANKS}
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
REVOKE = NEMO + "HK DA\n"
# It does not say which of these tricks were clean.
WON = NEMO.partition("[Contract")[0] + '[Won "1:3;2:2"]\n'
# The exact loss would take too long to compute here.
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
# Only the hand of the leader is known.
UNSEEN = """
[Game "german-solo"]
[Dealer "W"]
[Deal "N:AK.Q.8.Q987 - - -"]
[Declarer "N"]
[Contract "solo"]
[Trump "C"]
"""
SEEN = (
    UNSEEN.lstrip()
    + """[Play "N"]
SA ST S9 S8
"""
)
PASSED = """
[Game "ombre"]
[Dealer "1"]
[Deal "1:K6.J7.KQ5.J2 QJ5.K64.AJ.7 A743.A52.6.K"]
[Talon "HQ D3 C6 S2 D2 CA C3 H3 D7 CQ C4 D4 C5"]
[Auction "3"]
Pass Pass Pass
"""
# Problems composed by hand: a sound one with a dual, and one that is cooked.
PROBLEMS = """
[Game "german-solo"]
[Deal "N:..J87.J A.A.AQ. .K..A98 ..KT.KT"]
[Leader "E"]
[Won "E:2;S:1;W:1"]
[Declarer "E"]
[Contract "solo"]
[Trump "H"]
[Key "HA"]

[Game "german-solo"]
[Deal "N:..KJ.K7 .Q9.A.9 ..T98.8 .KJ.Q.J"]
[Leader "E"]
[Won "N:2;S:2"]
[Declarer "N"]
[Contract "solo"]
[Trump "H"]
[Key "HQ"]
[Theme "lead"]
"""
EXAMPLES = sorted(f"examples/{path.name}" for path in (TOP / "examples").glob("*.pbn"))
ALL = " ".join(EXAMPLES)
# If many contracts or deals are solved, hands of 13 cards take long, and they add no field.
SHORT = " ".join(path for path in EXAMPLES if not re.search("anna|whist|squint", path))
SOLO = "examples/german-solo.pbn"
MADE = "end.pbn nemo.pbn open.pbn stops.pbn surrender.pbn taken.pbn revoke.pbn faulty.pbn"
QUESTIONS = (
    f"solve --leads --line --objective score {SHORT} {MADE}",
    f"solve {ALL} {MADE}",
    f"solve --swaps --board #1 {SHORT} {MADE.replace('open.pbn ', '')}",
    "solve --objective score hopeless.pbn",
    f"table --board #1 {SHORT} open.pbn nemo.pbn won.pbn faulty.pbn",
    f"best --board #1 --called all {SHORT} end.pbn open.pbn faulty.pbn",
    "best --seat 2 --trump H --no-exchange end.pbn",
    "best --no-exchange shown.pbn",
    f"best --chances --seat N --samples 2 --seconds 0 --board #1 {SOLO} unseen.pbn",
    "best --chances --seat 1 --samples 2 --seconds 0 --board #1 examples/ombre.pbn end.pbn",
    f"cards --after 0 --line {SHORT} {MADE}",
    f"cards {SHORT} {MADE}",
    f"cards --after 0 --nodes 40 --line {SHORT} nemo.pbn open.pbn stops.pbn",
    f"cards --after 0 --chances --samples 20 --seconds 0 --board #1 {SHORT}",
    "cards --after 0 --chances --samples 2 --seconds 0 taken.pbn",
    "cards --after 0 --chances end.pbn surrender.pbn unseen.pbn stops.pbn nemo.pbn faulty.pbn",
    "cards --after 20 --chances --plan --seconds 0 --board #1 examples/german-solo.pbn",
    f"review {SHORT} {MADE} passed.pbn",
    f"review --optimum {SHORT} {MADE}",
    "review --chances --samples 2 --seconds 0 --board #1 examples/mensch.pbn examples/ombre.pbn "
    "examples/quadrille.pbn end.pbn nemo.pbn stops.pbn",
    "review --chances --samples 2 --seconds 0 seen.pbn",
    f"score --board #1 {ALL} {MADE}",
    "score --chances --samples 2 --seconds 0 --board #1 examples/mensch.pbn end.pbn",
    "score --chances --samples 2 --seconds 0 seen.pbn",
    "players --board #1 examples/mensch.pbn nemo.pbn faulty.pbn",
    "players --chances --samples 2 --seconds 0 --board #1 examples/mensch.pbn nemo.pbn",
    f"show {ALL} {MADE}",
    f"check {ALL} {MADE} problems.pbn",
    *(f"rules {game}" for game in GAMES),
    "deal mensch -n 9 --seed 1 --stats trumps(N,H)>2 --by length(N,S) --by points(N)>7",
    "deal mensch -n 9 --seed 1 --stats trumps(N,H) --by length(N,S)",
    "deal mensch -n 4 --seed 1 --stats makes(N,half,C,SA) --where trumps(N,H)>trumps(S,H)",
)


def _documented(command):
    """Return for each field whether it may be an object by seat, and its types."""
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (\w+)\n", text, flags=re.MULTILINE)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    common = "" if command in ("rules", "players", "deal") else sections["Common"]
    if command in ("check", "rules", "show"):
        common = common.partition("All commands that search")[0]
    shared = re.split(r"^### ([\w ]+)\n", sections["Shared"], flags=re.MULTILINE)[1:]
    for title, part in zip(shared[::2], shared[1::2], strict=True):
        if f"(#{title.lower().replace(' ', '-')})" in sections[command]:
            common += part
    found = MARKED.findall(sections["Version"] + common + sections[command])
    assert len(found) == len({name for name, _, _ in found})
    return {name: (bool(star), types.split(" or ")) for name, star, types in found}


def _is_name(key, path):
    """Return whether a key is the name of a field, not a contract that is left out.

    In scores, "pool" is listed with the seats.
    """
    return path != "left_out" and (key not in KEYS or (key == "pool" and not path))


def _fields(value, path=""):
    """Yield names and values of all fields, without keys that are seats, suits or cards."""
    if isinstance(value, list):
        for one in value:
            yield from _fields(one, path)
    elif isinstance(value, dict):
        for key, one in value.items():
            named = _is_name(key, path) and key not in CARDS
            inner = f"{path}.{key}".lstrip(".") if named else path
            if named:
                yield inner, one
            yield from _fields(one, inner)


def _parts(value, by_seat):
    """Return the values to check: for a field by seat, those of the seats."""
    seats = isinstance(value, dict) and value and by_seat and set(value) <= {*"NESW12345"}
    return value.values() if seats else [value]


FILES_MADE = ("fmt", "page", "problems", "batch")
COMMANDS_WITH_RESULTS = [*(name for name in COMMANDS if name not in FILES_MADE), "players"]
# Names used instead of commands in the questions, with their own objects.
WORDS = {"players": ["score", "--by", "player"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the folder with the input files of the questions."""
    top = tmp_path_factory.mktemp("json")
    (top / "examples").symlink_to(TOP / "examples")
    blocks = [text for kind, text in BLOCKS if kind == "pbn"]
    (top / "faulty.pbn").write_text(blocks[-1] + '[Play "N"]\n', encoding="utf-8")
    (top / "problems.pbn").write_text(PROBLEMS, encoding="utf-8")
    (top / "end.pbn").write_text(ENDING, encoding="utf-8")
    (top / "surrender.pbn").write_text(SURRENDER, encoding="utf-8")
    (top / "taken.pbn").write_text(TAKEN, encoding="utf-8")
    (top / "shown.pbn").write_text(SHOWN, encoding="utf-8")
    (top / "unseen.pbn").write_text(UNSEEN, encoding="utf-8")
    (top / "seen.pbn").write_text(SEEN, encoding="utf-8")
    (top / "passed.pbn").write_text(PASSED, encoding="utf-8")
    (top / "nemo.pbn").write_text(NEMO, encoding="utf-8")
    (top / "won.pbn").write_text(WON, encoding="utf-8")
    (top / "revoke.pbn").write_text(REVOKE, encoding="utf-8")
    (top / "stops.pbn").write_text(played(FIVE), encoding="utf-8")
    (top / "hopeless.pbn").write_text(HOPELESS, encoding="utf-8")
    (top / "open.pbn").write_text(OPEN, encoding="utf-8")
    return top


# The tests of one command are grouped, so one process usually runs all its questions.
# The slowest questions run only in .ci/run.
LONG = ("solve", "table", "best", "cards", "review", "score")


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=[pytest.mark.ci] * (name in LONG))
        for name in COMMANDS_WITH_RESULTS
    ],
)
def command(request):
    return request.param


@pytest.fixture(scope="module")
def records(command, folder):
    """Return the objects a command writes for questions of every kind."""
    found: list = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for question in QUESTIONS:
            name, *words = question.split()
            if name == command:
                called = WORDS.get(command, [command])
                result = CliRunner().invoke(main, [*called, "--format", "jsonl", *words])
                assert result.exit_code in (0, 1, 3), result.output
                found += map(json.loads, result.stdout.splitlines())
    return found


@pytest.mark.ci
def test_every_field_is_documented(command, records):
    documented = _documented(command)
    met = set()
    for record in records:
        for name, value in _fields(record):
            # An offer inside an offer, and the sides of a review, have the same fields.
            name = name.replace("seats.calls.", "seats.").replace("highest.calls.", "seats.")
            name = re.sub(r"^highest\.", "seats.", name)
            name = re.sub(r"^parties\.", "players.", name)
            name = re.sub(r"^missed\.", "best_contract.", name)
            assert name in documented
            by_seat, types = documented[name]
            for part in _parts(value, by_seat):
                assert type(part) in {TYPES[one] for one in types}, (name, part)
            met.add(name)
    assert set(documented) == met


# The schema


def _schema(command):
    return json.loads((DOCS / "schema" / f"{command}.json").read_text(encoding="utf-8"))


def test_every_schema_has_the_version_that_is_written():
    for path in (DOCS / "schema").glob("*.json"):
        schema = json.loads(path.read_text(encoding="utf-8"))
        assert schema["properties"]["schema"] == {"const": SCHEMA_VERSION}, path
        assert schema["required"][0] == "schema", path
    page = (DOCS / "json.md").read_text(encoding="utf-8")
    assert (
        f"| `schema` | integer | version of this page and of the schemas: {SCHEMA_VERSION} |"
        in page
    )


@pytest.mark.ci
def test_what_is_written_is_as_the_schema_says(command, records):
    schema = _schema(command)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for record in records:
        assert [error.message for error in validator.iter_errors(record)] == []


def _spoiled(value):
    """Yield copies of the value, each with an extra field in one of its objects."""
    if isinstance(value, list):
        for number, one in enumerate(value[:1]):
            for spoiled in _spoiled(one):
                yield [*value[:number], spoiled, *value[number + 1 :]]
    elif isinstance(value, dict):
        yield {**value, "another": 1}
        for key, one in value.items():
            for spoiled in _spoiled(one):
                yield {**value, key: spoiled}


def test_no_object_takes_another_field(command, records):
    validator = Draft202012Validator(_schema(command))
    for record in records[:2] + records[-2:]:
        for spoiled in _spoiled(record):
            assert not validator.is_valid(spoiled)


def test_no_field_may_be_missing_from_a_result(command, records):
    validator = Draft202012Validator(_schema(command))
    record = next(one for one in records if one.get("error") is None)
    text = (DOCS / "json.md").read_text(encoding="utf-8")
    for name in record:
        rows = re.findall(rf"^\| `{name}`.*\|$", text, re.MULTILINE)
        if not any(re.search(r"\bonly\b", row, re.IGNORECASE) for row in rows):
            assert not validator.is_valid({key: record[key] for key in record if key != name})


def test_parts_that_schemas_share_are_the_same():
    parts: dict = {}
    for command in COMMANDS_WITH_RESULTS:
        for name, part in _schema(command).get("$defs", {}).items():
            assert parts.setdefault(name, part) == part


def _declared(schema, node, path=""):
    """Yield the names and parts of all fields of a schema, without keys such as seats."""
    node = _resolved(schema, node)
    for one in node.get("anyOf", ()):
        yield from _declared(schema, one, path)
    for key, one in node.get("properties", {}).items():
        inner = f"{path}.{key}".lstrip(".") if _is_name(key, path) else path
        if _is_name(key, path):
            yield inner, one
        if key != "calls":  # an offer in an offer
            yield from _declared(schema, one, inner)
    for one in (node.get("items"), node.get("additionalProperties")):
        if one:
            yield from _declared(schema, one, path)


def _resolved(schema, node):
    while "$ref" in node:
        node = schema["$defs"][node["$ref"].rpartition("/")[2]]
    return node


NAMES = {value: name for name, value in TYPES.items()}


def _goes_by_seat(node):
    return node.get("propertyNames") == {"$ref": "#/$defs/seat"}


def _types(schema, node):
    """Yield the types of a part as docs/json.md names them, including those of values by seat."""
    node = _resolved(schema, node)
    if "anyOf" in node:
        for one in node["anyOf"]:
            if not _goes_by_seat(one):
                yield from _types(schema, one)
    elif "enum" in node or "const" in node:
        for value in node.get("enum", [node.get("const")]):
            yield NAMES[type(value)]
    else:
        found = node["type"]
        for one in [found] if isinstance(found, str) else found:
            yield "list" if one == "array" else one


def test_schema_and_page_name_the_same_fields(command):
    schema, documented = _schema(command), _documented(command)
    declared = {}
    for name, node in _declared(schema, schema):
        name = re.sub(r"^highest\.", "seats.", name)
        name = re.sub(r"^parties\.", "players.", name)
        name = re.sub(r"^missed\.", "best_contract.", name)
        by_seat = any(map(_goes_by_seat, node.get("anyOf", ())))
        declared.setdefault(name, (by_seat, {*_types(schema, node)}))
    assert set(declared) == set(documented)
    for name, (by_seat, types) in documented.items():
        assert declared[name] == (by_seat, set(types)), name
