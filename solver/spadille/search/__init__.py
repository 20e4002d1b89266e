"""Translate a deal and a contract for the engine, and its answers back."""
