"""Reads and writes hand files: text, tags and sections."""
