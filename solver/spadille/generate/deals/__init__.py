"""Deals to order: conditions as people write them, and random deals that meet them."""
