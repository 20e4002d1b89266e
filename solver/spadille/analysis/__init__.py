"""The questions a user asks about a deal, one folder per kind of question."""
