"""Generators, referees and other helpers shared by several tests."""
