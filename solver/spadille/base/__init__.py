"""Text, errors and small helpers that every other part of the package uses."""
