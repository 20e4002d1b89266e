"""Compute double-dummy values of contracts and cards, and the swaps that change them."""
