"""What did the evening pay? Settled deals, the pool, and the errors of each player."""
