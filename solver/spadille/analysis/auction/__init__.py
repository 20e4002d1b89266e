"""Was the bidding right? Calls, trumps, called cards and exchanges before the first card."""
