"""Which card was wrong, and why? The recorded play of one hand."""
