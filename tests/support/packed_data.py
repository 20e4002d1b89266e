"""The packed parts of a page: its data, its script, and the games."""

from __future__ import annotations

import gzip
import re
from base64 import b64decode


def unpacked(name: str, page: str) -> bytes:
    """Return the content of `<script id="spadille-NAME">`."""
    found = re.search(rf'id="spadille-{name}">(.*?)</script>', page)
    assert found
    return gzip.decompress(b64decode(found[1]))
