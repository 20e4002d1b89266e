"""Value a hand before the first card, with tables that are included in the package."""
