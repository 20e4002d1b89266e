"""Random deals that meet conditions, and the language of these conditions."""
