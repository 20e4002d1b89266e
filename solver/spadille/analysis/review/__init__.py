"""Review a recorded play: find the wrong cards, and explain them."""
