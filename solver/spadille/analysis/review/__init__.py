"""Review recorded play: find the wrong cards, and explain them."""
