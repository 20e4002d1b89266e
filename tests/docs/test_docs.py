"""The docs are complete and up to date, and their links work."""

from __future__ import annotations

import importlib
import pkgutil
import re
import shlex
from pathlib import Path

import click
import pytest

import spadille
from spadille.games import GAMES, rules_for
from spadille.pbn.hand_file import read
from spadille_cli import COMMANDS, main
from spadille_cli.exit_status import Status
from spadille_cli.output_formats import FORMATS
from tests.support import command_line_page, game_pages

TOP = Path(__file__).parents[2]
DOCS = TOP / "docs"
README = (TOP / "README.md").read_text(encoding="utf-8")
EXAMPLES = sorted((TOP / "examples").glob("*.pbn"))
HAND_FILES = (DOCS / "hand-files.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(pbn|console)\n(.*?)^```", HAND_FILES, re.DOTALL | re.MULTILINE)


# Hand files


def test_hand_files_shown_can_be_used():
    files = [
        read(text, letters="de" if text.startswith("% deutsch.pbn") else "en")
        for kind, text in BLOCKS
        if kind == "pbn"
    ]
    *sound, faulty = files
    assert [fault for file in sound for fault in file[0].faults] == []
    assert all(file[0].contract for file in sound)
    assert faulty[0].faults


def _sources(*modules):
    package = Path(spadille.__file__).parent
    return "".join((package / f"{name}.py").read_text(encoding="utf-8") for name in modules)


def test_every_tag_is_in_the_table():
    text = _sources(
        "pbn/entry",
        "pbn/tags",
        "pbn/play_section",
        "pbn/auction_section",
        "pbn/problem_tags",
        "render/annotate",
    )
    used = set(re.findall(r'(?:value|_trump|_per_seat|set_section|own)\("(\w+)"', text))
    table = HAND_FILES.partition("\n## Tags\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\w+)`", table, re.MULTILINE)
    assert len(used) > 15
    assert used <= set(listed)
    assert [tag for tag in listed if f'"{tag}"' not in text] == []


def test_hand_files_list_the_bids_of_each_game():
    table = HAND_FILES.partition("\n| game | bids from low to high |")[2].partition("\n\n")[0]
    for row in table.split("\n")[2:]:
        games, bids, *_ = row.strip("|").split("|")
        listed = re.match(r" `([^`]+)`", bids)
        if listed is None:  # "as in" another game, or bid cards
            continue
        words = listed[1].replace("solo-H", "solo").split()
        for game in re.findall(r"`([\w-]+)`", games):
            expected = [bid.word for bid in rules_for(game).bidding.bids]
            assert words == expected, f"docs/hand-files.md lists the bids of {game} in a table"


# Command line


def test_the_reference_matches_the_help():
    written = command_line_page.PAGE.read_text(encoding="utf-8")
    assert written == command_line_page.page(), (
        "stale: run python -m tests.support.command_line_page"
    )


def _parse(words):
    """Parse the arguments of the command `spadille`; raise click.UsageError if they are wrong."""
    command, name = main, "spadille"
    with main.make_context(name, [], resilient_parsing=True) as context:
        while isinstance(command, click.Group):
            name, command, words = command.resolve_command(context, words)
        command.make_context(name, list(words), parent=context)


def test_command_lines_of_the_reference_can_be_parsed():
    page = command_line_page.PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:sh|console)\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    lines = "".join(blocks).replace("\\\n", "").splitlines()
    commands = [line for line in lines if re.match(r"(?:\$ )?spadille ", line)]
    assert len(commands) > 60
    assert any(line.startswith("$ ") and "--deal " in line for line in commands)
    for line in commands:
        words = shlex.split(line.removeprefix("$ "))
        _parse(words[1 : words.index(">") if ">" in words else None])


def test_examples_of_the_reference_are_commands():
    reference = command_line_page.PAGE.read_text(encoding="utf-8").partition(
        command_line_page.MARK
    )[2]
    blocks = re.findall(r"^```sh\n(.*?)^```", reference, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 15
    for line in "".join(blocks).replace("\\\n", "").splitlines():
        assert line.startswith("spadille "), line


def test_every_command_is_listed():
    head = command_line_page.PAGE.read_text(encoding="utf-8").partition(command_line_page.MARK)[0]
    assert re.findall(r"^\| `spadille (\w+)`", head, re.MULTILINE) == list(COMMANDS)


def test_every_status_is_explained():
    head = command_line_page.PAGE.read_text(encoding="utf-8").partition(command_line_page.MARK)[0]
    assert [int(n) for n in re.findall(r"^\| (\d+) \|", head, re.MULTILINE)] == list(Status)


def test_every_format_is_explained():
    head = command_line_page.PAGE.read_text(encoding="utf-8").partition(command_line_page.MARK)[0]
    table = head.partition("## Formats")[2]
    rows = re.findall(r"^\| (`[^|]*`) \|", table, re.MULTILINE)
    assert [name for row in rows[1:] for name in re.findall(r"\w+", row)] == list(FORMATS)


# Rules


def test_sections_of_the_rules_exist():
    rules = (DOCS / "rules.md").read_text(encoding="utf-8")
    there = set(re.findall(r"^## (\d+)\.", rules, re.MULTILINE))
    package = Path(spadille.__file__).parent.glob("**/*.py")
    text = "".join(path.read_text(encoding="utf-8") for path in package)
    assert set(re.findall(r"\bRULES (\d+)", text)) <= there


def test_every_option_is_in_the_table_with_its_values():
    rules = (DOCS / "rules.md").read_text(encoding="utf-8")
    table = rules.partition("\n## 12. ")[2].partition("\n## 13. ")[0]
    rows = [row.split(" | ") for row in re.findall(r"^\| (`.*) \|$", table, re.MULTILINE)]
    listed = {name: values for names, values, *_ in rows for name in re.findall(r"\w+", names)}
    options = [option for game in GAMES.values() for option in game.options.values()]
    missing = {option.name for option in options} - set(listed)
    assert not missing, f"add these options to the table in section 12 of docs/rules.md: {missing}"
    assert set(listed) == {option.name for option in options}
    for option in options:
        missing = set(option.values) - set(re.findall(r"`([\w-]+)`", listed[option.name]))
        assert not missing, (
            f"add these values of {option.name} to section 12 of docs/rules.md: {missing}"
        )


def _statement_tables():
    """Return the tables of docs/documents.md by the id of their game."""
    tables = (DOCS / "documents.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return {table.split("\n")[0].lower().replace(" ", "-"): table for table in tables}


STATEMENTS = _statement_tables()


def _owed(game):
    """Yield what the docs still lack for a game."""
    if game.id not in STATEMENTS:
        yield (
            f"docs/documents.md: a heading '## {game.name}' and a table 'the document says"
            " | where' with each statement of the rules and its place in the code"
        )
    if not (DOCS / "games" / f"{game.id}.md").exists():
        yield f"docs/games/{game.id}.md: a page like those beside it, with a line in docs/README.md"
    if f"(docs/games/{game.id}.md) (`{game.id}`)" not in README:
        yield f"README.md, Games: [{game.name}](docs/games/{game.id}.md) (`{game.id}`)"
    if not any(f'[Game "{game.id}"]' in path.read_text("utf-8") for path in EXAMPLES):
        yield f"examples/{game.id}.pbn: some deals with their contracts"


def test_every_game_is_described():
    owed = [f"{game.name}: {text}" for game in GAMES.values() for text in _owed(game)]
    assert not owed, "write\n" + "\n".join(owed)
    assert set(STATEMENTS) == {path.stem for path in (DOCS / "games").glob("*.md")} == set(GAMES)
    assert {path.stem for path in EXAMPLES} == set(GAMES)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_every_contract_is_in_the_rules(game):
    rules = (DOCS / "rules.md").read_text(encoding="utf-8")
    section = rules.partition(f"\n## {game.bidding.section}. ")[2].partition("\n## ")[0]
    missing = [
        kind.name
        for kind in game.contracts.values()
        if not re.search(rf"(?<![\w-]){re.escape(kind.name)}(?![\w-])", section)
    ]
    assert not missing, (
        f"docs/rules.md, section {game.bidding.section}: describe these contracts of {game.name}, "
        f"with trumps, target and payoff: {missing}"
    )


def _statements(game_id):
    """Return the statements of a game's document, each with its place in the code."""
    rows = re.findall(r"^\| (.*) \|$", STATEMENTS[game_id], re.MULTILINE)
    assert rows[0] == "the document says | where"
    return [row.split(" | ") for row in rows[1:]]


def _is_kept(game, place):
    """Return whether a place exists: names in a module, an option with a value, or a tag."""
    path, in_module, names = place.partition(".py ")
    if in_module:
        module = importlib.import_module("spadille." + path.replace("/", "."))
        for name in names.split(", "):
            found = module
            for part in name.split("."):
                found = getattr(found, part, None)
            if found is None:
                return False
        return True
    if place[0].isupper():
        return f"\n| `{place.split()[0]}` |" in HAND_FILES
    name, _, value = place.partition(" = ")
    return name in game.options and (not value or game.options[name].check(value) == value)


@pytest.mark.parametrize("game", [game for game in GAMES.values() if game.id in STATEMENTS])
def test_statements_of_the_documents_are_kept_where_the_rules_say(game):
    for statement, where in _statements(game.id):
        assert statement
        assert where
        places = re.findall(r"`([^`]*)`", where)
        assert [place for place in places if not _is_kept(game, place)] == [], statement


@pytest.mark.parametrize("game", sorted(path.stem for path in game_pages.PAGES.glob("*.md")))
def test_pages_of_games_match_the_games(game):
    written = (game_pages.PAGES / f"{game}.md").read_text(encoding="utf-8")
    assert {kind for kind, _ in game_pages.PART.findall(written)} == {*game_pages.PARTS}
    now = game_pages.refreshed(written)
    assert written == now, "stale: run python -m tests.support.game_pages"


# Links


def _links(page):
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    return [page.parent / link for link in links if ":" not in link]


of_every_page = pytest.mark.parametrize(
    "page",
    [*TOP.glob("*.md"), *TOP.glob("*/*.md"), *sorted(DOCS.glob("*/*.md"))],
    ids=lambda path: path.stem,
)


@of_every_page
def test_links_lead_somewhere(page):
    assert [link for link in _links(page) if not link.exists()] == []


@of_every_page
def test_every_table_has_a_head(page):
    """A blank line between two rows would end the table."""
    blocks = re.sub(r"^( *)```.*?^\1```", "", page.read_text(encoding="utf-8"), flags=re.S | re.M)
    tables = re.findall(r"(?:^\|.*\n?)+", blocks, re.MULTILINE)
    assert [rows for rows in tables if not re.match(r"\|.*\n\|[ :|-]+\|$", rows, re.M)] == []


def test_every_page_is_in_the_index():
    index = [link for link in _links(DOCS / "README.md") if link.resolve().is_relative_to(DOCS)]
    assert len(index) == len(set(index))
    assert {*index} == {*DOCS.rglob("*.md")} - {DOCS / "README.md", DOCS / "index.md"}


def test_the_navigation_is_short():
    """Pages below others are indented and shown only when the page above is open."""
    top = re.findall(r"^- ", (DOCS / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(top) <= 25


def test_the_reference_has_every_public_name():
    reference = (DOCS / "api.md").read_text(encoding="utf-8")
    names = re.findall(r"^\.\. (?:auto|py:)\w+:: ([\w.]+)$", reference, re.MULTILINE)
    assert len(names) == len(set(names))
    assert {name for name in names if "." not in name} == {*spadille.__all__}
    for name in names:
        if "." in name:
            assert pkgutil.resolve_name(name)


# Architecture

ARCHITECTURE = "".join(
    (DOCS / page).read_text(encoding="utf-8") for page in ("architecture.md", "adding.md")
)
TREE = ARCHITECTURE.partition("```text\n")[2].partition("```")[0]


def _tree():
    """List the paths of the tree: the names before a gap, each in the folder above it."""
    folders = {}
    for line in TREE.splitlines():
        indent = len(line) - len(line.lstrip())
        for name in re.split(r" {2,}", line.strip())[0].split():
            path = folders.get(indent - 2, TOP) / name
            if name.endswith("/"):
                folders[indent] = path
            yield path


def test_every_path_of_the_architecture_exists():
    assert [str(path) for path in _tree() if not path.exists()] == []
    text = ARCHITECTURE.replace(TREE, "")
    named = re.findall(r"`([^`\s]*(?:/|/[^`\s]*|\.py|\.[ch]pp))`", text)
    assert len(named) > 30
    for name in named:
        assert (TOP / name).exists() or (TOP / "solver/spadille" / name).exists(), name


def test_the_tests_that_scripts_run_exist():
    texts = [path.read_text("utf-8") for path in sorted((TOP / ".ci").iterdir())]
    named = {name for text in texts for name in re.findall(r"\btests/[\w/*.]+\.py\b", text)}
    assert len(named) > 10
    assert [name for name in sorted(named) if not [*TOP.glob(name)]] == []


def test_every_module_of_the_package_is_in_the_tree():
    """Modules in folders that the tree names as a whole need no line of their own."""
    top = TOP / "solver/spadille"
    modules = {path for path in top.rglob("*.py") if path.stem[0] != "_"}
    folders = {path.parent for path in top.rglob("__init__.py")}
    whole = (top / "core/validate", top / "render/results")
    games = {*top.glob("games/*.py")}
    assert {
        path.relative_to(top).as_posix()
        for path in (modules | folders) - games - {*_tree()}
        if path.parent not in whole
    } == set()


def test_names_in_the_architecture_exist():
    for name, file in re.findall(r"`([A-Za-z_.]+)(?:\(\))?` (?:in|of) `([^`]*)`", ARCHITECTURE):
        path = TOP / file if (TOP / file).exists() else TOP / "solver/spadille" / file
        assert name.split(".")[-1] in path.read_text(encoding="utf-8"), (name, file)
