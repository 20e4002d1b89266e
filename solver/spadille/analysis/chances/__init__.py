"""The knowledge of a player, and the average values of cards and contracts given that knowledge."""
