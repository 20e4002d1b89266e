"""The value of a hand before the first card, from tables that come with the package."""
