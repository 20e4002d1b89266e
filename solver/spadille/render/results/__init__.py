"""Results as tables: what the command prints, and what notebooks show."""
