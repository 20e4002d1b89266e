"""Estimate the value of a hand from random deals: samples, models, and their accuracy.

`python -m benchmarks.strength_tables` makes the data files of `spadille.strength`; see
docs/strength-measured.md.
"""
