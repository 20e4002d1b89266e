"""Double-dummy solver for the Hombre and Solo families of card games."""

from __future__ import annotations

__version__ = "0.1.0"
