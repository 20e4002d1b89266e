"""Double-dummy solver for Ombre, German Solo, Solo Whist and related card games.

    import spadille

    deal = spadille.Deal.random("german-solo", 1)
    result = spadille.solve(deal, "N solo S")

The public names are imported on first use, because importing all of them takes longer than many
commands take to run. `__init__.pyi` lists these names, each with its module.
"""

from spadille.base.display_registry import draw_with

TYPE_CHECKING = False  # importing `typing` would take longer than the rest of this file
if TYPE_CHECKING:
    from spadille.analysis.result_text_forms import Shown
    from spadille.core.deal import Deal

__version__ = "0.1.0"


def _text(deal: "Deal") -> str:
    from spadille.render.diagram import diagram

    return diagram(deal)


def _html(value: "Shown | Deal") -> str:
    from spadille.render.result_html import html

    return html(value)


draw_with("text", _text)
draw_with("html", _html)


_MODULES: dict[str, str] = {}


def _modules() -> dict[str, str]:
    """Map each public name to its module, as listed in the stub file next to this file."""
    if not _MODULES:
        import ast
        from importlib.resources import files

        stub = files("spadille").joinpath("__init__.pyi").read_text(encoding="utf-8")
        imports = [node for node in ast.parse(stub).body if isinstance(node, ast.ImportFrom)]
        _MODULES.update((alias.name, str(node.module)) for node in imports for alias in node.names)
    return _MODULES


def __getattr__(name: str) -> object:
    if name == "__all__":
        return sorted(_modules())
    if name.startswith("__") or name not in _modules():
        raise AttributeError(f"module 'spadille' has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_modules()[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*_modules(), *(name for name in globals() if name.startswith("__"))})
