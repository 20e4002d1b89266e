"""Chances: the values of cards and contracts on a player's knowledge."""
