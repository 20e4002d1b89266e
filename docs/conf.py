"""Configuration of the documentation site, which needs the `docs` extra.

    python -m sphinx -W --keep-going -d build/doctrees docs build/site

With `-t brief`, the site has no listings of the source, which take two fifths of the time, and no
list of functions in the sidebar of the API guide. The site consists of the pages in docs. The
modules in docs/site add everything that comes from the package: navigation, drawings, live pages.
Nothing is fetched.
"""

import sys
from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

import spadille

sys.path.insert(0, str(Path(__file__).parent / "site"))

project = "spadille"
author = "the spadille developers"
project_copyright = author
version = release = spadille.__version__
html_title = f"spadille {release}"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "front",
    "diagrams",
    "live",
    "links",
]
# The list of pages is included in the front page.
exclude_patterns = ["README.md", "site"]

# Headings are anchors, as on GitHub.
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]

# Only the notebook of the tutorial is run. An error in it fails the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 60

# The copy button takes the commands of an example, without prompts and output.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"

# Sphinx copies the contents of every page for the sidebar of each; most entries are functions.
toc_object_entries = "brief" not in tags  # noqa: F821

autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
maximum_signature_line_length = 88
default_role = "literal"
smartquotes = False

html_theme = "furo"
html_static_path = ["site/site.css"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False


def _signed(*arguments: Any) -> tuple[str, str] | None:
    """Shorten default factories of dataclasses in signatures."""
    signature, returned = arguments[-2:]
    return signature and (signature.replace("<factory>", "..."), returned)


def _examples(*arguments: Any) -> None:
    """Mark indented blocks of docstrings as code."""
    lines = arguments[-1]
    for at in range(len(lines) - 1, 1, -1):
        if (
            lines[at].startswith("    ")
            and not lines[at - 1]
            and lines[at - 2][:1] not in ("", " ")
        ):
            lines[at - 1 : at - 1] = ["", "::"]


def _sources(app: Sphinx) -> list[Any]:
    """Drop modules without Python source, such as the engine, from the list of sources."""
    modules = app.env._viewcode_modules
    for name in [name for name, source in modules.items() if not source]:
        del modules[name]
    return []


def setup(app: Sphinx) -> None:
    """Register the lexer of hand files, and the hooks above."""
    if "brief" not in app.tags:
        app.setup_extension("sphinx.ext.viewcode")
        app.connect("html-collect-pages", _sources, priority=400)
    app.add_lexer("pbn", TextLexer)
    app.connect("autodoc-process-signature", _signed)
    app.connect("autodoc-process-docstring", _examples)
