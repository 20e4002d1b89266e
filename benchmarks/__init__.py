"""Benchmarks: the speed of spadille, compared with DDS where both can play (see README.md)."""
