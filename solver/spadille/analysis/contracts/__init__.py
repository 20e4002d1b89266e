"""Find the contracts that make: every contract of every seat, and the best of them."""
