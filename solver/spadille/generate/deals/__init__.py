"""Deals made to order: conditions as people write them, and deals drawn at random under them."""
