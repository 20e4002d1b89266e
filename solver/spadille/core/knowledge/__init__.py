"""What a seat can know at a point of a deal, and every way in which the hidden cards may lie."""
