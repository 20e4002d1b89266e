"""What a user asks of a deal, one module a question."""
