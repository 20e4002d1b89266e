"""Values a hand before the first card, with tables that come with the package."""
