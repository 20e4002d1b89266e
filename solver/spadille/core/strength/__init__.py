"""Values a hand before the first card, using tables included in the package."""
