"""Hand files: text, tags, sections, and back."""
