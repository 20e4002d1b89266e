"""Find the contracts each seat can make, and the best of them."""
