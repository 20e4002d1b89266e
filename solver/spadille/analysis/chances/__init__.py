"""Chances: the values of cards and contracts given what a player knows."""
