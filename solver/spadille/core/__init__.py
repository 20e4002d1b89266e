"""A deal and its course under the rules: auction, contract, position and recorded outcome."""
