"""A deal and what happens to it by the rules: auction, contract, position, recorded outcome."""
