"""Read and write the data files of `spadille.strength`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from spadille.core.strength.strength_tables import GameData

DATA = Path(__file__).parents[2] / "solver" / "spadille" / "core" / "strength" / "data"


def read_data(path: Path) -> GameData:
    """Return the content of a data file."""
    data: GameData = json.loads(gzip.decompress(path.read_bytes()))
    return data


def write_data(data: GameData, path: Path, *, smallest: bool = False) -> None:
    """Write the data file of a game; equal data give equal bytes.

    With `smallest`, the file is some 6% smaller, but this takes half a minute (Zopfli).
    """
    text = json.dumps(data, separators=(",", ":")).encode()
    if smallest:
        from zopfli import gzip as zopfli_gzip  # the `fit` extra

        path.write_bytes(zopfli_gzip.compress(text))
    else:
        path.write_bytes(gzip.compress(text, 9, mtime=0))
