"""Translate deals and contracts into the engine's terms, and its answers back."""
