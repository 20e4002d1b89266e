"""Determine what a seat can know at some point in a deal, and which layouts are possible."""
