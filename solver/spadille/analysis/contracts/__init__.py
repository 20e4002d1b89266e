"""Which contracts make? Every contract of every seat, and the best of them."""
