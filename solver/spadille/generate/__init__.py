"""Deals and problems drawn at random."""
