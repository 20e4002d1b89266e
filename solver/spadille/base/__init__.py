"""Text handling, exceptions and small helpers used by all other parts of the package."""
