"""What a seat can know at a point of a deal, and all possible layouts of the hidden cards."""
