"""Chances: the values of cards and contracts given a player's knowledge."""
