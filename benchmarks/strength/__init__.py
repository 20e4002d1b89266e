"""The worth of a hand, worked out from random deals: samples, models, and how exact they are.

`python -m benchmarks.strength` makes the data files of `spadille.strength`, see docs/strength.md.
"""
