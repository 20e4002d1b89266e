"""Score an evening: settled deals, the pool, and the errors of each player."""
