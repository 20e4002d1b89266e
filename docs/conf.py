"""The documentation site, for which there is the extra `docs`.

    python -m sphinx -W --keep-going -d build/doctrees docs build/site

It is made of the pages as they stand; what is drawn from the package (card rankings, live pages,
docstrings) is made while it is built, by the modules in docs/site. Nothing is fetched.
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
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
    "sphinx_design",
    "front",
    "diagrams",
    "live",
    "links",
]
# The list of pages is part of the front page.
exclude_patterns = ["README.md", "site"]

# What GitHub reads is read here in the same way, headings as anchors included.
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block", "colon_fence", "deflist"]

# One page runs: the notebook of the tutorial. What fails in it fails the build.
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 60

# The copy button takes the commands of an example, without prompts and output.
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True

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


def _signed(*told: Any) -> tuple[str, str] | None:
    """Write what a dataclass makes by itself so that the signature can be read."""
    signature, returned = told[-2:]
    return signature and (signature.replace("<factory>", "..."), returned)


def _examples(*told: Any) -> None:
    """Take what is indented behind an empty line as code, as the docstrings mean it."""
    lines = told[-1]
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
    """Read hand files as plain text, and docstrings as they are meant."""
    app.connect("html-collect-pages", _sources, priority=400)
    app.add_lexer("pbn", TextLexer)
    app.connect("autodoc-process-signature", _signed)
    app.connect("autodoc-process-docstring", _examples)
