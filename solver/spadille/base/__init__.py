"""Text handling, exceptions and small helpers used by the rest of the package."""
