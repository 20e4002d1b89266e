"""Review the bidding: calls, trumps, called cards and exchanges before the first card."""
